//! All that a URDF says of a robot.

use super::joint::Joint;
use super::link::Link;
use super::loops::{Coupling, LoopJoint};
use super::transmission::RotorInertia;
use crate::foreign::Placed;

pub(super) struct Robot {
    pub name: Placed<String>,
    pub links: Vec<Link>,
    pub joints: Vec<Joint>,
    pub loops: Vec<LoopJoint>,
    pub couplings: Vec<Coupling>,
    pub rotors: Vec<RotorInertia>,
}
