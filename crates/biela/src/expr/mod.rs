//! Expressions (placeholder until the module lands).
#![allow(missing_docs)]
use crate::math::Jet;
#[derive(Debug, Clone, PartialEq)]
pub struct Expression(f64);
impl Expression {
    pub fn constant(value: f64) -> Expression {
        Expression(value)
    }
    pub fn eval(&self, _env: &[f64]) -> f64 {
        self.0
    }
    pub fn jet(&self, _env: &[Jet]) -> Jet {
        Jet::constant(self.0)
    }
}
