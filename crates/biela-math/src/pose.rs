//! Position and orientation of one frame in another.

#![allow(non_snake_case)] // Frames are capital letters: X_WB, R_WB (docs/notation.md).

use super::{rotation::Rotation, vec3::Vec3};
use std::ops::Mul;

/// Pose `X_AB`: rotation `R_AB` and the origin of B seen from A, in A's axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// R_AB: takes components in B to components in A.
    pub rotation: Rotation,
    /// p_AoBo_A: origin of B in A.
    pub origin: Vec3,
}

impl Pose {
    /// Frames that coincide.
    pub const IDENTITY: Pose = Pose { rotation: Rotation::IDENTITY, origin: Vec3::ZERO };

    /// A pose from its parts.
    #[inline]
    pub const fn new(rotation: Rotation, origin: Vec3) -> Pose {
        Pose { rotation, origin }
    }

    /// A pure translation.
    #[inline]
    pub const fn translation(origin: Vec3) -> Pose {
        Pose { rotation: Rotation::IDENTITY, origin }
    }

    /// A point given in B, seen from A.
    #[inline]
    pub fn apply(&self, p_B: Vec3) -> Vec3 {
        self.origin + self.rotation.apply(p_B)
    }

    /// A point given in A, seen from B.
    #[inline]
    pub fn apply_inverse(&self, p_A: Vec3) -> Vec3 {
        self.rotation.apply_transposed(p_A - self.origin)
    }

    /// The pose X_BA.
    #[inline]
    pub fn inverse(&self) -> Pose {
        let R_BA = self.rotation.transposed();
        Pose { rotation: R_BA, origin: -R_BA.apply(self.origin) }
    }
}

impl Mul for Pose {
    type Output = Pose;
    /// X_AC = X_AB · X_BC.
    #[inline]
    fn mul(self, X_BC: Pose) -> Pose {
        Pose { rotation: self.rotation * X_BC.rotation, origin: self.apply(X_BC.origin) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poses_carry_points_there_and_back() {
        // A quarter turn about z takes x to y; all numbers are exact.
        let quarter = Rotation { axes: [Vec3::Y, -Vec3::X, Vec3::Z] };
        let X_AB = Pose::new(quarter, Vec3::new(10.0, 20.0, 30.0));
        let p_B = Vec3::new(1.0, 2.0, 3.0);
        let p_A = Vec3::new(8.0, 21.0, 33.0);
        assert_eq!(X_AB.apply(p_B), p_A);
        assert_eq!(X_AB.apply_inverse(p_A), p_B);
        assert_eq!(X_AB.inverse(), Pose::new(quarter.transposed(), Vec3::new(-20.0, 10.0, -30.0)));
        assert_eq!(X_AB * X_AB.inverse(), Pose::IDENTITY);
    }

    #[test]
    fn a_product_applies_the_second_first() {
        let quarter = Rotation { axes: [Vec3::Y, -Vec3::X, Vec3::Z] };
        let other = Rotation { axes: [Vec3::X, Vec3::Z, -Vec3::Y] };
        let (a, b) = (Pose::new(quarter, Vec3::new(1.0, -2.0, 4.0)), Pose::new(other, Vec3::new(0.5, 8.0, -3.0)));
        for p in [Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(3.0, -7.0, 0.25)] {
            assert_eq!((a * b).apply(p), a.apply(b.apply(p)));
        }
        assert_eq!(Pose::translation(Vec3::X).apply(Vec3::Y), Vec3::new(1.0, 1.0, 0.0));
    }
}
