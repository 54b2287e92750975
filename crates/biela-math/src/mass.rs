//! How the mass of a rigid body lies in it.

use crate::Vec3;

/// Mass, centre of mass and inertia.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MassProperties {
    /// Mass.
    pub mass: f64,
    /// Centre of mass in the body's frame.
    pub com: Vec3,
    /// Inertia tensor about the centre of mass in body axes: xx, yy, zz, xy, xz, yz as they stand in the matrix.
    pub inertia: [f64; 6],
}

impl MassProperties {
    /// Of a body without mass.
    pub const ZERO: MassProperties = MassProperties { mass: 0.0, com: Vec3::ZERO, inertia: [0.0; 6] };
}
