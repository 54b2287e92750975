//! Functions of time (placeholder until the module lands).
#![allow(missing_docs)]
use crate::expr::Expression;
use crate::math::Jet;
#[derive(Debug, Clone)]
pub enum Motion {
    Constant(f64),
    Expression(Expression),
}
impl Motion {
    pub fn jet(&self, _t: f64) -> Jet {
        match self {
            Motion::Constant(c) => Jet::constant(*c),
            Motion::Expression(e) => e.jet(&[]),
        }
    }
}
