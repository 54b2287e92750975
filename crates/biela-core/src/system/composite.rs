//! Bodies that move as one: what hangs beyond a joint, seen from the joint.

#![allow(non_snake_case)] // X_WB: a pose between frames (docs/notation.md).

use super::wrench::Wrench;
use crate::joints::hinge::Twist;
use crate::math::{Inertia, Pose, Vec3};
use crate::model::MassProperties;

/// Mass, first moment and inertia about one point, in ground axes.
#[derive(Debug, Clone, Copy, Default)]
pub struct Composite {
    mass: f64,
    first: Vec3,
    inertia: Inertia,
}

impl Composite {
    /// A body at X_WB about the point `reference`.
    pub fn new(of: &MassProperties, X_WB: &Pose, reference: Vec3) -> Composite {
        let (first, inertia) = of.about_origin(&Pose::new(X_WB.rotation, X_WB.origin - reference));
        Composite { mass: of.mass, first, inertia }
    }

    /// Adds what moves with it.
    pub fn add(&mut self, other: &Composite) {
        let (a, b) = (self.inertia.entries(), other.inertia.entries());
        self.inertia = Inertia::from_entries(std::array::from_fn(|k| a[k] + b[k]));
        self.mass += other.mass;
        self.first += other.first;
    }

    /// Momentum, and angular momentum about the point, of a motion with the linear part there.
    #[inline]
    pub fn momentum(&self, motion: &Twist) -> Wrench {
        let Twist { angular: w, linear: v } = *motion;
        Wrench { force: v * self.mass + w.cross(self.first), moment: self.inertia.apply(w) + self.first.cross(v) }
    }
}
