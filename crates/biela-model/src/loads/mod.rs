//! Loads: forces and torques that a model may apply. One file each, and the registry: [`LOADS`] of this library, and what programs
//! [`register`] besides.
//!
//! A type says which keys it reads and what they make together: one of a few general laws ([`Law`]), with an [`Effort`] where it acts
//! along a distance, a joint coordinate or a rotor.

mod clearance;
mod damper;
mod effort;
mod force;
mod friction;
mod joint_spring;
mod joint_torque;
mod keys;
mod law;
mod motor;
mod registry;
mod soft_stop;
mod spring;
mod spring_damper;
mod torque;

use crate::units::Dimension;
pub use effort::{Effort, Formula};
pub use keys::{Complaint, Keys};
pub use law::{Law, Load};
pub use registry::{all, kind, register};

/// A force on a point of a body.
pub static FORCE: &dyn LoadKind = &force::Force;
/// A torque on a body.
pub static TORQUE: &dyn LoadKind = &torque::Torque;
/// A spring between two points.
pub static SPRING: &dyn LoadKind = &spring::Spring;
/// A damper between two points.
pub static DAMPER: &dyn LoadKind = &damper::Damper;
/// Both between two points.
pub static SPRING_DAMPER: &dyn LoadKind = &spring_damper::SpringDamper;
/// A spring and damper along a joint's coordinate.
pub static JOINT_SPRING: &dyn LoadKind = &joint_spring::JointSpring;
/// A force or torque along a joint's coordinate.
pub static JOINT_TORQUE: &dyn LoadKind = &joint_torque::JointTorque;
/// Dry and viscous friction in a joint.
pub static FRICTION: &dyn LoadKind = &friction::Friction;
/// A spring and a damper beyond the limits of a joint's coordinate.
pub static SOFT_STOP: &dyn LoadKind = &soft_stop::SoftStop;
/// A motor on a joint or rotor.
pub static MOTOR: &dyn LoadKind = &motor::Motor;

/// Every load type of this library, in the order help lists them; [`all`] knows those of programs too.
pub static LOADS: &[&dyn LoadKind] = &[
    &force::Force,
    &torque::Torque,
    &spring::Spring,
    &damper::Damper,
    &spring_damper::SpringDamper,
    &clearance::Clearance,
    &joint_spring::JointSpring,
    &joint_torque::JointTorque,
    &soft_stop::SoftStop,
    &friction::Friction,
    &motor::Motor,
];

/// What a load type is.
pub trait LoadKind: Sync + std::fmt::Debug {
    /// The word after `type =`.
    fn keyword(&self) -> &'static str;
    /// One sentence for help and documentation.
    fn help(&self) -> &'static str;
    /// The keys it reads besides `type`, in the order in which they are read.
    fn keys(&self) -> &'static [LoadKeySpec];
    /// What it does; `None` where something it needs is missing.
    fn law(&self, keys: Keys) -> Option<Law>;
    /// What is wrong with the keys that are given together, before they are read.
    fn refuse(&self, given: &dyn Fn(&str) -> bool) -> Option<Complaint> {
        let _ = given;
        None
    }
    /// What is wrong with what they say.
    fn check(&self, keys: &Keys) -> Option<Complaint> {
        let _ = keys;
        None
    }
}

/// Axes in which a force may be given; the second word is that of [`Keys::in_body`].
const FRAMES: &[&str] = &["ground", "body"];

const STIFFNESS: LoadKeySpec = required("stiffness", LoadKey::Scalar(Quantity::Fixed(Dimension::STIFFNESS)));
const DAMPING: LoadKeySpec =
    required("damping", LoadKey::Scalar(Quantity::Fixed(Dimension::DAMPING))).not_negative(PUSHES.0, PUSHES.1);
const LENGTH: LoadKeySpec = required("length", LoadKey::Scalar(Quantity::Fixed(Dimension::LENGTH))).not_negative(
    "a free length cannot be negative",
    "the free length is the distance at which the spring is without force",
);
/// What is said of a damper that feeds energy in.
const PUSHES: (&str, &str) = ("a damper cannot push", "what feeds energy in is a force or a joint-torque with 'value'");

/// A key of a load table.
#[derive(Debug, Clone, Copy)]
pub struct LoadKeySpec {
    /// Its name.
    pub name: &'static str,
    /// What it takes.
    pub takes: LoadKey,
    /// Whether it must be there.
    pub required: bool,
    /// What is said of a constant below zero, and what to do instead, where no device has one.
    pub not_negative: Option<(&'static str, &'static str)>,
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

/// A key that must be there.
pub const fn required(name: &'static str, takes: LoadKey) -> LoadKeySpec {
    LoadKeySpec { name, takes, required: true, not_negative: None }
}

/// A key that may be left out.
pub const fn optional(name: &'static str, takes: LoadKey) -> LoadKeySpec {
    LoadKeySpec { name, takes, required: false, not_negative: None }
}

impl LoadKeySpec {
    /// The same with a refusal of constants below zero.
    pub const fn not_negative(self, message: &'static str, advice: &'static str) -> LoadKeySpec {
        LoadKeySpec { not_negative: Some((message, advice)), ..self }
    }
}
