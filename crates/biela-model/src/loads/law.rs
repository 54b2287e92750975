//! What a load does: its law with every key evaluated.
//!
//! These few laws are all there are: a type makes one of them. Expressions see t in slot 0 and joint coordinate k (all joints' coordinates in the model's order) in slot 2k + 1, its rate
//! in slot 2k + 2.

#![allow(non_snake_case)] // p_B: a point in its body's frame (docs/notation.md).

use super::Effort;
use crate::couplings::CoordinateRef;
use crate::expr::Expression;
use crate::math::Vec3;
use crate::source::Span;

/// A load of a model.
#[derive(Debug, Clone)]
pub struct Load {
    /// Its name.
    pub name: String,
    /// What it does.
    pub law: Law,
    /// Where the model says so.
    pub span: Option<Span>,
}

/// What a load does.
#[derive(Debug, Clone)]
pub enum Law {
    /// A force on a point of a body.
    Force {
        /// The body.
        body: usize,
        /// The point in its frame.
        p_B: Vec3,
        /// Components.
        value: Box<[Expression; 3]>,
        /// True where they are in the body's axes, false for ground axes.
        in_body: bool,
    },
    /// A torque on a body.
    Torque {
        /// The body.
        body: usize,
        /// Components.
        value: Box<[Expression; 3]>,
        /// True where they are in the body's axes, false for ground axes.
        in_body: bool,
    },
    /// A force between two points, along the line from one to the other.
    Between {
        /// The bodies and the points in their frames.
        ends: [(usize, Vec3); 2],
        /// The law of the force on their distance: positive where it drives them apart.
        effort: Effort,
    },
    /// A force or torque along a joint coordinate.
    Coordinate {
        /// The coordinate.
        of: CoordinateRef,
        /// The law of its effort.
        effort: Effort,
    },
    /// A torque about the axis of a rotor, between it and the body it is mounted on.
    Rotor {
        /// The rotor.
        rotor: usize,
        /// The law of the torque.
        effort: Effort,
    },
    /// What presses where shapes of bodies give way: the contact by its place in the model.
    Contact(usize),
}

impl Law {
    /// Everything that it is computed from besides what it acts on.
    pub fn expressions(&self) -> Vec<&Expression> {
        match self {
            Law::Force { value, .. } | Law::Torque { value, .. } => value.iter().collect(),
            Law::Contact(_) => Vec::new(),
            Law::Between { effort, .. } | Law::Coordinate { effort, .. } | Law::Rotor { effort, .. } => match effort {
                Effort::Value(value) => vec![value],
                Effort::Spring { stiffness, damping, rest } => vec![stiffness, damping, rest],
                Effort::Friction { viscous, coulomb } => vec![viscous, coulomb],
                Effort::Motor { stall, speed } => vec![stall, speed],
                Effort::Formula(formula) => formula.keys().collect(),
            },
        }
    }
}
