//! General coupling: any expression of joint coordinates that must vanish.

use super::{Coupling, CouplingKey, CouplingKind};
use crate::expr::Expression;
use crate::joints::{Form, Measure, Row};
use crate::motion::Motion;

#[derive(Debug)]
pub(super) struct General;

impl CouplingKind for General {
    fn keyword(&self) -> &'static str {
        "coupling"
    }
    fn help(&self) -> &'static str {
        "`value`, an expression of joint coordinates and t, must vanish"
    }
    fn keys(&self) -> &'static [CouplingKey] {
        &[CouplingKey::Value]
    }
    fn row(&self, coupling: &Coupling, measures: &[Measure], length: bool) -> Row {
        let value = coupling.value.clone().unwrap_or_else(|| Expression::constant(0.0));
        Row {
            form: Form::Expression(Box::new(value), measures.to_vec()),
            target: Motion::Constant(0.0),
            squared: false,
            length,
            component: "effort",
        }
    }
}
