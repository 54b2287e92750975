//! Keys of drivers, and what they say once read.

use super::{Attitude, BodyAngle};
use crate::couplings::CoordinateRef;
use crate::expr::Expression;
use crate::math::Vec3;
use crate::motion::Motion;
use crate::units::Dimension;

/// A key of a driver table.
#[derive(Debug, Clone, Copy)]
pub struct DriverKeySpec {
    /// Its name.
    pub name: &'static str,
    /// What it takes.
    pub takes: DriverKey,
    /// Whether it must be there.
    pub required: bool,
}

/// What a key of a driver takes.
#[derive(Debug, Clone, Copy)]
pub enum DriverKey {
    /// The name of a joint or rotor: a coordinate of it is driven.
    Joint,
    /// The name of a coordinate of the joint.
    Coordinate,
    /// The coordinate over time, an angle or a length as the joint has it.
    OfCoordinate,
    /// `body.point` of a moving body.
    Point,
    /// The same, which may be of the ground.
    AnyPoint,
    /// A direction in ground axes.
    Direction,
    /// A quantity over time.
    Motion(Dimension),
    /// The name of a moving body.
    Body,
    /// Its orientation over time.
    Orientation,
    /// One angle of a moving body: `body.yaw`, or the body alone in a plane.
    Angle,
}

/// A key that must be there.
pub const fn required(name: &'static str, takes: DriverKey) -> DriverKeySpec {
    DriverKeySpec { name, takes, required: true }
}

/// A key that may be left out.
pub const fn optional(name: &'static str, takes: DriverKey) -> DriverKeySpec {
    DriverKeySpec { name, takes, required: false }
}

/// What the keys of a driver say.
#[derive(Debug, Default)]
pub struct DriverKeys {
    /// The coordinate of the joint.
    pub coordinate: Option<CoordinateRef>,
    /// Where it is a rotor: its angle, and the coordinates in the angle's slots 1…
    pub rotor: Option<(Expression, Vec<CoordinateRef>)>,
    /// Points with their bodies, in the order of the keys.
    pub points: Vec<(usize, Vec3)>,
    /// A unit vector in ground axes.
    pub direction: Option<Vec3>,
    /// Quantities over time, in the order of the keys.
    pub motions: Vec<Motion>,
    /// The body.
    pub body: Option<usize>,
    /// Its orientation over time.
    pub attitude: Option<Attitude>,
    /// Which of its angles.
    pub angle: Option<BodyAngle>,
}
