//! Accompanying elements: where they are mounted, what they weigh, how they turn.

#![allow(non_snake_case)] // J: a moment of inertia.

use super::frames::PointPlan;
use super::mass;
use super::place::Place;
use super::quantity::{Binding, Direction, Quantity, Vector};
use crate::couplings::CoordinateRef;
use crate::error::{Reason, Result};
use crate::expr::Expression;
use crate::math::{Inertia, Vec3};
use crate::model::{Body, MassProperties, Rotor};

/// A rotor as it is described.
#[derive(Debug, Clone)]
pub struct RotorPlan {
    /// Its name.
    pub name: String,
    /// The body it is mounted on.
    pub body: usize,
    /// Its axis in the body's frame.
    pub axis: Direction,
    /// A point of its axis.
    pub at: Option<PointPlan>,
    /// `mass`.
    pub mass: Option<Quantity>,
    /// `com`.
    pub com: Option<Vector>,
    /// `inertia`.
    pub inertia: Moments,
    /// Its angle as a function of the coordinates, which take the slots 1…
    pub angle: Expression,
    /// The coordinates that the angle depends on.
    pub coordinates: Vec<CoordinateRef>,
    /// Where it is described.
    pub place: Place,
}

/// Moments of inertia of a rotor as they are described.
#[derive(Debug, Clone)]
pub enum Moments {
    /// About the axis alone: what it has across the axis counts with the body.
    About(Quantity),
    /// In the order of [`Inertia::NAMES`].
    All([Quantity; 6]),
}

impl RotorPlan {
    /// The rotor on a body that has its values.
    pub fn build(&self, binding: &Binding, bodies: &[Body]) -> Result<Rotor> {
        let mut rotor = Rotor {
            name: self.name.clone(),
            body: self.body,
            axis: Vec3::Z,
            at: Vec3::ZERO,
            mass: MassProperties::ZERO,
            angle: self.angle.clone(),
            coordinates: self.coordinates.clone(),
            span: self.place.span.clone(),
        };
        self.bind(binding, bodies, &mut rotor)?;
        Ok(rotor)
    }

    /// Puts the values into the rotor made before.
    pub fn bind(&self, binding: &Binding, bodies: &[Body], rotor: &mut Rotor) -> Result<()> {
        let blame = |e| self.place.blame(e);
        rotor.axis = self.axis.value(binding).map_err(blame)?.unit().unwrap_or(Vec3::Z);
        if let Some(at) = &self.at {
            rotor.at = at.value(binding, &bodies[self.body]).map_err(blame)?;
        }
        let mass = self.mass.as_ref().map_or(Ok(0.0), |m| m.value(binding)).map_err(blame)?;
        if mass < 0.0 {
            return Err(self.place.wrong_value("mass", "a mass cannot be negative"));
        }
        let com = self.com.as_ref().map_or(Ok(Vec3::ZERO), |c| binding.vector(c)).map_err(blame)?;
        let inertia = match &self.inertia {
            Moments::All(list) => Inertia::from_entries(binding.numbers(list).map_err(blame)?),
            Moments::About(J) => Inertia::about_line(J.value(binding).map_err(blame)?, rotor.axis),
        };
        if inertia.principal_moments()[0] < 0.0
            && mass::unphysical(inertia).is_some_and(|e| e.reason() == Some(Reason::Negative))
        {
            return Err(self.place.wrong_value("inertia", "a moment of inertia cannot be negative"));
        }
        rotor.mass = MassProperties { mass, com, inertia };
        binding.bind(&mut rotor.angle);
        Ok(())
    }
}
