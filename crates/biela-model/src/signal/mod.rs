//! The contract of results: which columns there are, what each is called, its unit, and what it costs.
//!
//! A [`Signal`] is a [`Leaf`] of an [`Element`]: `vx` of a body, `rate` of a joint coordinate, `fy` of a joint's reaction. Elements
//! are known by their places in the model, so that no name is composed before somebody reads it, and none is taken apart but by
//! [`Signal::parse`]. [`Signals::of`] lists the columns of a run in their order before anything runs; a [`Choice`] among them says
//! what the run need not compute. Columns of a full run come first, those of `[signals]` last among them; what is told on request alone (speeds,
//! resultants, momentum) stands behind them, so that asking for more moves no column. Names are joined and split by [`crate::signal_name`], the one place that knows the dot.
//!
//! | file | idea |
//! |---|---|
//! | `leaf` | leaves with their units and levels |
//! | `element` | what has signals, its name and its leaves |
//! | `parse` | a name as a signal; a name as a vector |
//! | `index` | many names as signals |
//! | `derived` | signals that are made of others |
//! | `columns` | every column of a run in its order |
//! | `quantities` | signals of linkages: which there are, and their names |
//! | `choice` | those that are asked for |

mod choice;
mod columns;
mod derived;
mod element;
mod index;
mod leaf;
mod parse;
mod quantities;

pub use choice::{chosen, Choice};
pub use columns::{Asked, Extent, Signals};
pub use derived::{basis, is_watchable, level, needs, with_advice, Recipe};
pub use element::{bearers, borne_name, coordinate_elements, coordinate_leaves, effort_leaves, Element};
pub use index::Index;
pub use leaf::{Leaf, Level, ATTITUDE, COMPONENTS, GAP, HEADING, POSE, POSITION};
pub use parse::components;

use crate::expr::Expression;
use crate::model::Model;
use crate::signal_name::join;
use crate::units::{Dimension, Kind};

/// One column of results.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Signal {
    /// Whose it is.
    pub element: Element,
    /// Which of the element's it is.
    pub leaf: &'static Leaf,
}

impl Signal {
    /// A joint coordinate itself.
    pub fn of_coordinate(model: &Model, joint: usize, coordinate: usize) -> Signal {
        let element = Element::Coordinate(joint, coordinate);
        Signal { element, leaf: &element.leaves(model)[0] }
    }

    /// Its name in results.
    pub fn name(&self, model: &Model) -> String {
        join(&self.element.name(model), self.leaf.word)
    }

    /// Its unit.
    pub fn unit(&self) -> &'static str {
        self.leaf.unit
    }

    /// What its unit says of its dimension.
    pub fn kind(&self) -> Kind {
        match self.leaf.unit {
            "1" => Kind::Known(Dimension::NUMBER),
            unit => {
                let one = unit.strip_prefix("1/").map_or(format!("1 {unit}"), |unit| format!("1/(1 {unit})"));
                Expression::parse(&one, &()).map_or(Kind::Any, |e| e.kind())
            }
        }
    }

    /// Whether it tells a position, a rate, a second rate or a force; `None` for what is none of them.
    pub fn level(&self) -> Option<Level> {
        self.leaf.level
    }

    /// Whether it is told where it is asked for by its name alone, and no column of a full run.
    pub fn is_on_request(&self) -> bool {
        use Element::{
            Axial, BodyFigures, BornePower, CamFigures, Efficiency, Ground, Hold, PointFigures, Power, Resultant,
            System,
        };
        let figures =
            matches!(self.element, BodyFigures(_) | PointFigures(..) | CamFigures(_) | Resultant(_) | Axial(_));
        figures
            || matches!(self.element, Power(_) | BornePower(..) | Ground | System | Efficiency(_) | Hold(_))
            || self.element.is_of_linkage()
    }

    /// What must be computed for it; for what is made of others see [`needs`].
    pub fn cost(&self) -> Cost {
        match self.element {
            Element::Time | Element::Residual | Element::Lag => Cost::Position,
            Element::Body(_)
            | Element::Point(..)
            | Element::Coordinate(..)
            | Element::BodyFigures(_)
            | Element::PointFigures(..)
            | Element::Centre(_)
            | Element::Inflection(_)
            | Element::Bend(..)
            | Element::Transmission(_)
            | Element::Advantage(..)
            | Element::CamFigures(_)
            | Element::Gap(_)
            | Element::System => match self.leaf.level {
                Some(Level::Velocity) => Cost::Velocity,
                Some(Level::Acceleration) => Cost::Acceleration,
                _ => Cost::Position,
            },
            // What it is made of is asked for besides.
            Element::Derived(_) => Cost::Position,
            Element::Resultant(_) | Element::Axial(_) | Element::Power(_) | Element::BornePower(..) => Cost::Forces,
            Element::Reaction(_)
            | Element::LocalReaction(_)
            | Element::Coupling(_)
            | Element::Driver(_)
            | Element::Borne(..)
            | Element::Ground
            | Element::Friction(_)
            | Element::Contact(_)
            | Element::Efficiency(_)
            | Element::Hold(_)
            | Element::Limit(_) => Cost::Forces,
            Element::Energy | Element::Balance => Cost::Energy,
            Element::Mode => Cost::Mode,
            Element::Singularity => Cost::Distance,
            Element::Eigenvalue | Element::Shape(..) | Element::StateMatrix(..) => Cost::Linearisation,
        }
    }
}

/// What must be computed for a signal, from the cheapest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cost {
    /// The position.
    Position,
    /// Velocities.
    Velocity,
    /// Accelerations.
    Acceleration,
    /// Kinetic and potential energy.
    Energy,
    /// The assembly mode.
    Mode,
    /// Singular values of Φ_v.
    Distance,
    /// Loads, multipliers and reactions.
    Forces,
    /// Equations of motion linearised.
    Linearisation,
}

impl Cost {
    /// In words, for lists.
    pub fn words(self) -> &'static str {
        match self {
            Cost::Position => "position",
            Cost::Velocity => "velocity",
            Cost::Acceleration => "acceleration",
            Cost::Energy => "energies",
            Cost::Mode => "assembly mode",
            Cost::Distance => "singular values",
            Cost::Forces => "forces",
            Cost::Linearisation => "linearisation",
        }
    }
}
