//! The mechanism: bodies, what joins them, what weighs and pushes; neither what moves it nor what is asked of it.

#![allow(non_snake_case)] // X_WB: a body's pose in the ground (docs/notation.md).

use super::{Contact, Shape};
use crate::couplings::{CoordinateRef, Coupling};
use crate::display_units::Scale;
use crate::error::Error;
use crate::expr::Expression;
use crate::joints::{Joint, Space};
use crate::loads::Load;
use crate::math::{MassProperties, Pose, Vec3};
use crate::source::Span;
use std::sync::Arc;

/// What is there. A model shares it with every case made of it and lets nobody change it; so it is no type to copy.
#[derive(Debug, Default)]
pub struct Mechanism {
    /// Its name.
    pub name: String,
    /// What it is, in the user's words.
    pub about: String,
    /// What its bodies move in.
    pub space: Space,
    /// Acceleration of gravity in ground axes, if stated.
    pub gravity: Option<Vec3>,
    /// Parameters with the values in force.
    pub parameters: Vec<(String, f64)>,
    /// How people read each of them: in the unit in which it was written. Empty for a mechanism that nobody wrote.
    pub parameter_scales: Vec<Scale>,
    /// Bodies; the first is the ground.
    pub bodies: Vec<Body>,
    /// Joints.
    pub joints: Vec<Joint>,
    /// Couplings.
    pub couplings: Vec<Coupling>,
    /// Accompanying elements: motor rotors, gear wheels.
    pub rotors: Vec<Rotor>,
    /// Loads besides gravity.
    pub loads: Vec<Load>,
    /// Bodies that may touch.
    pub contacts: Vec<Contact>,
    /// Where its points are counted from, if not from the origins the user chose.
    pub reference: Option<Box<Reference>>,
}

/// Index of the ground among a mechanism's bodies.
pub const GROUND: usize = 0;

impl Mechanism {
    /// Index of the body of that name.
    pub fn body(&self, name: &str) -> Option<usize> {
        self.bodies.iter().position(|b| b.name == name)
    }

    /// Index of the joint of that name.
    pub fn joint(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|j| j.name == name)
    }

    /// Whether any joint has friction.
    pub fn rubs(&self) -> bool {
        self.joints.iter().any(|joint| joint.friction.is_some())
    }

    /// Whether any joint has a hard stop.
    pub fn has_stops(&self) -> bool {
        self.joints.iter().any(|joint| joint.all_limits().any(|(_, limits)| limits.stop.restitution().is_some()))
    }

    /// The error for forces asked of a mechanism of which nobody has said what gravity is.
    pub fn gravity_unsaid(&self) -> Error {
        Error::new("the model does not say what gravity is").note(match self.space {
            Space::Spatial => "write gravity = [0, -9.81, 0], or [0, 0, 0] for none; or give --gravity 0,0,-9.81",
            Space::Planar => "write gravity = [0, -9.81], or [0, 0] for none; or give --gravity 0,-9.81",
        })
    }

    /// Parameters as people read them: name, value, unit (empty where none is known).
    pub fn shown_parameters(&self) -> impl Iterator<Item = (&str, f64, &str)> {
        self.parameters.iter().enumerate().map(|(k, (name, value))| match self.parameter_scales.get(k) {
            Some(scale) => (name.as_str(), scale.shown(*value), scale.unit.as_str()),
            None => (name.as_str(), *value, ""),
        })
    }

    /// The ground's reference point, as the user's coordinates tell it.
    pub fn ground_reference(&self) -> Vec3 {
        self.reference.as_ref().map_or(Vec3::ZERO, |r| r.ground)
    }

    /// The origin of a body's frame as the user gave it, in the frame in use.
    pub fn origin_of(&self, body: usize) -> Vec3 {
        self.reference.as_ref().and_then(|r| r.bodies.get(body)).map_or(Vec3::ZERO, |b| -*b)
    }

    /// The mechanism itself where nobody else has it, else a second one in its place.
    pub(super) fn of_its_own(shared: &mut Arc<Mechanism>) -> &mut Mechanism {
        if Arc::get_mut(shared).is_none() {
            *shared = Arc::new(shared.copied());
        }
        Arc::get_mut(shared).expect("nobody else has it")
    }

    /// A second mechanism of the same parts, for one that is to differ in some.
    pub(super) fn copied(&self) -> Mechanism {
        Mechanism {
            name: self.name.clone(),
            about: self.about.clone(),
            space: self.space,
            gravity: self.gravity,
            parameters: self.parameters.clone(),
            parameter_scales: self.parameter_scales.clone(),
            bodies: self.bodies.clone(),
            joints: self.joints.clone(),
            couplings: self.couplings.clone(),
            rotors: self.rotors.clone(),
            loads: self.loads.clone(),
            contacts: self.contacts.clone(),
            reference: self.reference.clone(),
        }
    }
}

/// Where a mechanism's reference points lie, as the user's own coordinates tell.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    /// In the ground.
    pub ground: Vec3,
    /// In each body's own frame; zero where it has not been moved. The first is the ground's.
    pub bodies: Vec<Vec3>,
}

/// A rigid body.
#[derive(Debug, Clone)]
pub struct Body {
    /// Its name.
    pub name: String,
    /// Mass properties, where the model gives any.
    pub mass: Option<MassProperties>,
    /// Named points, in the body's frame.
    pub points: Vec<(String, Vec3)>,
    /// Where the frame is in the drawing.
    pub X_WB: Pose,
    /// What it looks like, if the model says so.
    pub shapes: Vec<Shape>,
    /// Its red, green, blue, if the model says so.
    pub colour: Option<[u8; 3]>,
    /// Where the model says so.
    pub span: Option<Span>,
}

/// An accompanying element: it turns on a body by an angle that joint coordinates prescribe, and adds no freedom.
#[derive(Debug, Clone)]
pub struct Rotor {
    /// Its name.
    pub name: String,
    /// The body it is mounted on.
    pub body: usize,
    /// Its axis in the body's frame, of unit length.
    pub axis: Vec3,
    /// A point of its axis in the body's frame.
    pub at: Vec3,
    /// Mass properties at angle zero, in the body's axes, from the point `at`.
    pub mass: MassProperties,
    /// Its angle as a function of the coordinates, which take the slots 1…
    pub angle: Expression,
    /// The coordinates that the angle depends on.
    pub coordinates: Vec<CoordinateRef>,
    /// Where the model says so.
    pub span: Option<Span>,
}
