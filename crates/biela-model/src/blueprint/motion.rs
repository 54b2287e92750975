//! Motions whose numbers may depend on parameters.

use super::place::Place;
use super::quantity::{shown, Binding, Quantity};
use crate::error::{Error, Result};
use crate::expr::Expression;
use crate::motion::segments::Segment;
use crate::motion::{Law, LawType, Motion, Segments};

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
    /// Rises, returns and dwells over one turn.
    Segments(Vec<SegmentPlan>),
}

/// A piece of a cam's turn.
#[derive(Debug, Clone)]
pub struct SegmentPlan {
    /// The law and the value it leads to; a dwell where there is none.
    pub rise: Option<(&'static LawType, Quantity)>,
    /// The angle it takes.
    pub over: Quantity,
    /// Where it is described.
    pub place: Place,
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
            MotionPlan::Segments(plans) => {
                let piece = |plan: &SegmentPlan| {
                    let rise = plan.rise.as_ref().map(|(kind, to)| Ok((*kind, to.value(binding)?))).transpose()?;
                    Ok(Segment { rise, over: plan.over.value(binding)? })
                };
                let pieces = plans.iter().map(|plan| piece(plan).map_err(|e| plan.place.blame(e)));
                let pieces = pieces.collect::<Result<Vec<_>>>()?;
                let made = Segments::new(&pieces).map_err(|fault| {
                    let place = &plans[fault.segment].place;
                    place.blame(fault.error.at_opt(place.of_key(fault.key)))
                })?;
                for angle in made.jumps() {
                    let place =
                        plans.iter().zip(made.laws()).find(|(_, law)| law.start == angle).map(|(plan, _)| &plan.place);
                    let message = format!(
                        "the follower's velocity jumps at {} deg of the cam: no contact bears that",
                        shown(angle.to_degrees())
                    );
                    let warning = Error::new(message)
                        .note("a law such as cycloidal, poly345 or modified-sine begins and ends at rest");
                    binding.warn(place.map_or_else(|| warning.clone(), |place| place.blame(warning.clone())));
                }
                Motion::Segments(made)
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
