//! Space or a plane: what bodies move in.

use crate::math::Vec3;

/// What bodies move in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Space {
    /// Space: six freedoms of each body.
    #[default]
    Spatial,
    /// The plane z = 0: three freedoms of each body.
    Planar,
}

impl Space {
    /// Whether it is a plane.
    pub const fn is_planar(self) -> bool {
        matches!(self, Space::Planar)
    }

    /// Components of a twist or wrench that there are, among the six of space: forces (or velocities) along x, y, z, then moments (or
    /// angular velocities) about them.
    pub const fn components(self) -> &'static [usize] {
        match self {
            Space::Spatial => &[0, 1, 2, 3, 4, 5],
            Space::Planar => &[0, 1, 5],
        }
    }

    /// Freedoms of a body that nothing holds.
    pub const fn freedoms(self) -> usize {
        self.components().len()
    }

    /// The body that a velocity of the absolute formulation belongs to, and which component of its twist it is.
    pub fn twist(self, column: usize) -> (usize, usize) {
        let own = self.components();
        (column / own.len() + 1, own[column % own.len()])
    }
}

/// How a joint type is used in a plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InPlane {
    /// Its axis, where it has one, is the normal and goes without saying.
    Normal,
    /// Its axis lies in the plane and must be given.
    Along,
    /// It leaves the plane; what to use in its place.
    Leaves(&'static str),
}

/// The normal of the plane.
pub const NORMAL: Vec3 = Vec3::Z;
