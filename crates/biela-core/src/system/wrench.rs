//! Forces and moments on bodies.

use crate::math::Vec3;

/// A force and a moment on a body, in ground axes; the moment is about the body frame's origin unless said otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Wrench {
    /// Force.
    pub force: Vec3,
    /// Moment.
    pub moment: Vec3,
}

impl Wrench {
    /// No force, no moment.
    pub const ZERO: Wrench = Wrench { force: Vec3::ZERO, moment: Vec3::ZERO };

    /// A force through a point that lies `arm` away from the reference point.
    pub fn of_force(force: Vec3, arm: Vec3) -> Wrench {
        Wrench { force, moment: arm.cross(force) }
    }

    /// A moment alone.
    pub fn of_moment(moment: Vec3) -> Wrench {
        Wrench { force: Vec3::ZERO, moment }
    }

    /// Adds another wrench about the same point.
    pub fn add(&mut self, other: Wrench) {
        self.force += other.force;
        self.moment += other.moment;
    }

    /// The opposite wrench.
    pub fn negated(self) -> Wrench {
        Wrench { force: -self.force, moment: -self.moment }
    }

    /// The same wrench about a point that lies `arm` away from the present one.
    pub fn about(self, arm: Vec3) -> Wrench {
        Wrench { force: self.force, moment: self.moment - arm.cross(self.force) }
    }
}
