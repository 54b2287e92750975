//! Motions whose numbers may depend on parameters.

use super::place::Place;
use super::quantity::{Binding, Quantity};
use crate::error::Result;
use crate::expr::Expression;
use crate::motion::{Law, LawType, Motion};

/// A function of time, or of another argument.
#[derive(Debug, Clone)]
pub enum MotionPlan {
    /// Always the same value.
    Constant(Quantity),
    /// An expression whose slot 0 is the argument.
    Expression(Expression),
    /// What depends on no parameter, such as a table.
    Fixed(Motion),
    /// A rise between two dwells.
    Law {
        /// Its shape.
        kind: &'static LawType,
        /// From, to, start and end.
        numbers: [Quantity; 4],
        /// Where it is described.
        place: Place,
    },
}

impl MotionPlan {
    /// The motion.
    pub fn build(&self, binding: &Binding) -> Result<Motion> {
        Ok(match self {
            MotionPlan::Constant(quantity) => Motion::Constant(quantity.value(binding)?),
            MotionPlan::Expression(expression) => Motion::Expression(binding.expression(expression)),
            MotionPlan::Fixed(motion) => motion.clone(),
            MotionPlan::Law { kind, numbers, place } => {
                let [from, to, start, end] = binding.numbers(numbers).map_err(|e| place.blame(e))?;
                let law = Law::new(kind, from, to, start, end);
                Motion::Law(law.map_err(|e| place.wrong_value("end", e.message()))?)
            }
        })
    }

    /// Puts the values into a motion made before, without allocating where it is a number or an expression.
    pub fn bind(&self, binding: &Binding, motion: &mut Motion) -> Result<()> {
        match (self, motion) {
            (MotionPlan::Expression(_), Motion::Expression(expression)) => binding.bind(expression),
            (MotionPlan::Constant(quantity), Motion::Constant(value)) => *value = quantity.value(binding)?,
            (MotionPlan::Fixed(_), _) => {}
            (_, motion) => *motion = self.build(binding)?,
        }
        Ok(())
    }
}
