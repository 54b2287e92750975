//! Loads: forces and torques that a model may apply, and the registry [`LOADS`] of their types and keys.

mod law;

use crate::units::Dimension;
pub use law::{Effort, Law, Load};

/// Every load type a model may name.
pub static LOADS: &[LoadType] = &[
    LoadType {
        keyword: "force",
        help: "a force on a body at a point; `value` in ground axes, or in the body's with frame = \"body\"",
        keys: &[
            required("body", LoadKey::Body),
            required("at", LoadKey::Point),
            required("value", LoadKey::Vector(Dimension::FORCE)),
            optional("frame", LoadKey::Word(FRAMES)),
        ],
    },
    LoadType {
        keyword: "torque",
        help: "a torque on a body; `value` in ground axes, or in the body's with frame = \"body\"",
        keys: &[
            required("body", LoadKey::Body),
            optional("at", LoadKey::Point),
            required("value", LoadKey::Vector(Dimension::TORQUE)),
            optional("frame", LoadKey::Word(FRAMES)),
        ],
    },
    LoadType {
        keyword: "spring",
        help: "a spring between two points, without force at its free length `length`",
        keys: &[
            required("bodies", LoadKey::Bodies),
            required("at", LoadKey::Points),
            required("stiffness", LoadKey::Scalar(Quantity::Fixed(Dimension::STIFFNESS))),
            required("length", LoadKey::Scalar(Quantity::Fixed(Dimension::LENGTH))),
        ],
    },
    LoadType {
        keyword: "damper",
        help: "a damper between two points",
        keys: &[
            required("bodies", LoadKey::Bodies),
            required("at", LoadKey::Points),
            required("damping", LoadKey::Scalar(Quantity::Fixed(Dimension::DAMPING))),
        ],
    },
    LoadType {
        keyword: "spring-damper",
        help: "a spring and a damper between two points",
        keys: &[
            required("bodies", LoadKey::Bodies),
            required("at", LoadKey::Points),
            required("stiffness", LoadKey::Scalar(Quantity::Fixed(Dimension::STIFFNESS))),
            required("damping", LoadKey::Scalar(Quantity::Fixed(Dimension::DAMPING))),
            required("length", LoadKey::Scalar(Quantity::Fixed(Dimension::LENGTH))),
        ],
    },
    LoadType {
        keyword: "joint-spring",
        help: "a spring on a joint coordinate, without force at `rest`, with an optional damper",
        keys: &[
            required("joint", LoadKey::Joint),
            optional("coordinate", LoadKey::Coordinate),
            required("stiffness", LoadKey::Scalar(Quantity::Stiffness)),
            optional("damping", LoadKey::Scalar(Quantity::Damping)),
            optional("rest", LoadKey::Scalar(Quantity::Position)),
        ],
    },
    LoadType {
        keyword: "joint-torque",
        help: "a torque (or force) along a joint coordinate",
        keys: &[
            required("joint", LoadKey::Joint),
            optional("coordinate", LoadKey::Coordinate),
            required("value", LoadKey::Scalar(Quantity::Effort)),
        ],
    },
    LoadType {
        keyword: "friction",
        help: "resistance of a joint coordinate: `viscous` per rate, `coulomb` against the sense of motion, or `value`",
        keys: &[
            required("joint", LoadKey::Joint),
            optional("coordinate", LoadKey::Coordinate),
            optional("viscous", LoadKey::Scalar(Quantity::Damping)),
            optional("coulomb", LoadKey::Scalar(Quantity::Effort)),
            optional("value", LoadKey::Scalar(Quantity::Effort)),
        ],
    },
    LoadType {
        keyword: "motor",
        help: "a motor on a joint coordinate: `stall` at rest, nothing at the rate `speed`, linear between",
        keys: &[
            required("joint", LoadKey::Joint),
            optional("coordinate", LoadKey::Coordinate),
            required("stall", LoadKey::Scalar(Quantity::Effort)),
            required("speed", LoadKey::Scalar(Quantity::Rate)),
        ],
    },
];

/// Axes in which a force may be given.
const FRAMES: &[&str] = &["ground", "body"];

/// A load type: one line of the registry.
#[derive(Debug)]
pub struct LoadType {
    /// The word after `type =`.
    pub keyword: &'static str,
    /// One sentence for help and documentation.
    pub help: &'static str,
    /// The keys it reads besides `type`.
    pub keys: &'static [LoadKeySpec],
}

/// A key of a load table.
#[derive(Debug, Clone, Copy)]
pub struct LoadKeySpec {
    /// Its name.
    pub name: &'static str,
    /// What it takes.
    pub takes: LoadKey,
    /// Whether it must be there.
    pub required: bool,
}

/// What a key of a load takes.
#[derive(Debug, Clone, Copy)]
pub enum LoadKey {
    /// The name of a body.
    Body,
    /// The names of two bodies.
    Bodies,
    /// A point of `body`.
    Point,
    /// A point of each of `bodies`.
    Points,
    /// The name of a joint.
    Joint,
    /// The name of a coordinate of `joint`.
    Coordinate,
    /// One of these words.
    Word(&'static [&'static str]),
    /// Three expressions of t, joint coordinates and their rates.
    Vector(Dimension),
    /// An expression of t, joint coordinates and their rates.
    Scalar(Quantity),
}

/// What a scalar of a load measures; for joints it depends on whether the coordinate is an angle or a length.
#[derive(Debug, Clone, Copy)]
pub enum Quantity {
    /// Always this dimension.
    Fixed(Dimension),
    /// Torque or force.
    Effort,
    /// Effort per angle or length.
    Stiffness,
    /// Effort per rate.
    Damping,
    /// Angle or length.
    Position,
    /// Its rate.
    Rate,
}

impl Quantity {
    /// The dimension, for a coordinate that is an angle or a length.
    pub fn dimension(self, angle: bool) -> Dimension {
        match (self, angle) {
            (Quantity::Fixed(dimension), _) => dimension,
            (Quantity::Effort, true) => Dimension::TORQUE,
            (Quantity::Effort, false) => Dimension::FORCE,
            (Quantity::Stiffness, true) => Dimension::ROTATIONAL_STIFFNESS,
            (Quantity::Stiffness, false) => Dimension::STIFFNESS,
            (Quantity::Damping, true) => Dimension::ROTATIONAL_DAMPING,
            (Quantity::Damping, false) => Dimension::DAMPING,
            (Quantity::Position, true) => Dimension::ANGLE,
            (Quantity::Position, false) => Dimension::LENGTH,
            (Quantity::Rate, true) => Dimension::ANGULAR_VELOCITY,
            (Quantity::Rate, false) => Dimension::VELOCITY,
        }
    }
}

/// The load type of that keyword.
pub fn kind(keyword: &str) -> Option<&'static LoadType> {
    LOADS.iter().find(|l| l.keyword == keyword)
}

const fn required(name: &'static str, takes: LoadKey) -> LoadKeySpec {
    LoadKeySpec { name, takes, required: true }
}

const fn optional(name: &'static str, takes: LoadKey) -> LoadKeySpec {
    LoadKeySpec { name, takes, required: false }
}
