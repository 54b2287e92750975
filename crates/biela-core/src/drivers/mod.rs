//! Drivers: motions that the user prescribes. One file each, and the registry [`DRIVERS`].

#![allow(non_snake_case)] // p_B: a point in its body's frame (docs/notation.md).

mod joint;
mod orientation;
mod point;

use crate::couplings::CoordinateRef;
use crate::expr::Expression;
use crate::joints::{Joint, Measure, Row};
use crate::math::Vec3;
use crate::motion::Motion;
use crate::source::Span;
pub use orientation::{Attitude, AttitudeJet};

/// What a driver may prescribe: the key that selects it, the keys that go with it, and a sentence of help.
pub static DRIVERS: &[DriverType] = &[joint::TYPE, point::TYPE, orientation::TYPE];

/// A way of prescribing motion.
#[derive(Debug)]
pub struct DriverType {
    /// The key whose presence selects it.
    pub key: &'static str,
    /// Keys that must stand beside it.
    pub required: &'static [&'static str],
    /// Keys that may stand beside it.
    pub optional: &'static [&'static str],
    /// One sentence for help and documentation.
    pub help: &'static str,
}

/// A driver of a model.
#[derive(Debug, Clone)]
pub struct Driver {
    /// Its name.
    pub name: String,
    /// What it prescribes.
    pub target: Target,
    /// Where the model says so.
    pub span: Option<Span>,
}

/// What a driver prescribes.
#[derive(Debug, Clone)]
pub enum Target {
    /// A joint coordinate.
    Coordinate {
        /// Which one.
        of: CoordinateRef,
        /// Its value over time.
        value: Motion,
    },
    /// The angle of a rotor.
    Rotor {
        /// The angle as a function of joint coordinates, which take the slots 1…
        angle: Expression,
        /// These coordinates.
        coordinates: Vec<CoordinateRef>,
        /// Its value over time.
        value: Motion,
    },
    /// A point's position along a ground direction, from the ground's origin.
    Point {
        /// The body.
        body: usize,
        /// The point in its frame.
        p_B: Vec3,
        /// Unit vector in ground axes.
        along: Vec3,
        /// The value over time.
        value: Motion,
    },
    /// A body's orientation.
    Orientation {
        /// The body.
        body: usize,
        /// Its orientation over time.
        attitude: Attitude,
    },
}

impl Driver {
    /// Its constraint equations; `index` is its own place in the model.
    pub fn rows(&self, index: usize, joints: &[Joint]) -> Vec<Row> {
        match &self.target {
            Target::Coordinate { of, value } => joint::rows(&joints[of.joint], of.coordinate, value),
            Target::Rotor { angle, coordinates, value } => joint::rotor_rows(angle, coordinates, joints, value),
            Target::Point { body, p_B, along, value } => point::rows(*body, *p_B, *along, value),
            Target::Orientation { body, .. } => orientation::rows(*body, index),
        }
    }

    /// Measures that are positive where the rows hold in the sense meant.
    pub fn positive(&self, index: usize) -> Vec<Measure> {
        match &self.target {
            Target::Orientation { body, .. } => orientation::positive(*body, index),
            _ => Vec::new(),
        }
    }
}
