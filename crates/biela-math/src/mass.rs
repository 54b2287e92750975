//! How the mass of a rigid body lies in it.

#![allow(non_snake_case)] // X_KB: a pose between frames (docs/notation.md).

use crate::{Inertia, Pose, Vec3};

/// Mass, centre of mass and inertia.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MassProperties {
    /// Mass.
    pub mass: f64,
    /// Centre of mass in the body's frame.
    pub com: Vec3,
    /// Inertia about the centre of mass in body axes.
    pub inertia: Inertia,
}

impl MassProperties {
    /// Of a body without mass.
    pub const ZERO: MassProperties = MassProperties { mass: 0.0, com: Vec3::ZERO, inertia: Inertia::ZERO };

    /// First moment m c and inertia about the origin of a frame K, in its axes, for a body at X_KB.
    pub fn about_origin(&self, X_KB: &Pose) -> (Vec3, Inertia) {
        let c = X_KB.apply(self.com);
        let times = |v: Vec3| self.inertia.apply_in(&X_KB.rotation, v) - c.cross(c.cross(v)) * self.mass;
        (c * self.mass, Inertia::from_map(times))
    }
}
