//! Bodies that move as one: what hangs beyond a joint, seen from the joint.

#![allow(non_snake_case)] // X_WB: a pose between frames (docs/notation.md).

use super::wrench::Wrench;
use crate::joints::hinge::Twist;
use crate::math::{Inertia, Pose, Vec3};
use crate::model::MassProperties;

/// Mass, its centre as seen from one point, and the inertia about that centre, in ground axes. About the centre, because a light wheel
/// far from the point would vanish beside what its place adds.
#[derive(Debug, Clone, Copy, Default)]
pub struct Composite {
    mass: f64,
    centre: Vec3,
    inertia: Inertia,
}

impl Composite {
    /// A body at X_WB about the point `reference`.
    pub fn new(of: &MassProperties, X_WB: &Pose, reference: Vec3) -> Composite {
        let centre = X_WB.apply(of.com) - reference;
        Composite { mass: of.mass, centre, inertia: of.inertia.turned(&X_WB.rotation) }
    }

    /// Adds what moves with it.
    pub fn add(&mut self, other: &Composite) {
        let mass = self.mass + other.mass;
        let apart = other.centre - self.centre;
        // Of two without mass the place of their centre says nothing.
        let share = if mass > 0.0 { other.mass / mass } else { 0.0 };
        self.inertia += other.inertia;
        self.inertia = self.inertia.moved_from_centre(self.mass * share, apart);
        self.centre += apart * share;
        self.mass = mass;
    }

    /// Momentum, and angular momentum about the point, of a motion with the linear part there.
    #[inline]
    pub fn momentum(&self, motion: &Twist) -> Wrench {
        let Twist { angular: w, linear: v } = *motion;
        let force = (v + w.cross(self.centre)) * self.mass;
        Wrench { force, moment: self.inertia.apply(w) + self.centre.cross(force) }
    }
}
