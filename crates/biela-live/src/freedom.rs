//! A joint coordinate as a state, and what changes by what.

use biela::couplings::CoordinateRef;
use biela::model::Model;
use biela::signal::Element;

/// A joint coordinate that is a state, with its rate.
#[derive(Debug, Clone, PartialEq)]
pub struct Freedom {
    pub(crate) of: CoordinateRef,
    /// Its name.
    pub name: String,
    /// Whether it is an angle.
    pub angle: bool,
}

/// Something whose change changes others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// An input by its place.
    Input(usize),
    /// A state by its place.
    State(usize),
}

/// Something that changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// An output by its place.
    Output(usize),
    /// The rate of a state.
    Rate(usize),
}

impl Freedom {
    /// A coordinate of a joint of a model.
    pub(crate) fn new(model: &Model, (joint, coordinate): (usize, usize)) -> Freedom {
        Freedom {
            of: CoordinateRef { joint, coordinate },
            name: Element::Coordinate(joint, coordinate).name(model),
            angle: model.joints[joint].kind.coordinates()[coordinate].angle,
        }
    }
}
