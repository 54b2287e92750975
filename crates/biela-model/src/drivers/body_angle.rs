//! Single angles of a body's orientation.
//!
//! With R_WB = R_z(yaw) R_y(pitch) R_x(roll), as in the signals of these names: yaw is the angle of b_x in the ground's plane of x and y, pitch
//! the angle by which b_x dips below it, roll the angle of the ground's z in the body's plane of z and y. In a plane there is yaw alone.

use crate::joints::{Marker, Measure};
use crate::math::Vec3;

/// An angle of a body's orientation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyAngle {
    /// About the body's own x, first of the three turns.
    Roll,
    /// About y, after it.
    Pitch,
    /// About the ground's z, last.
    Yaw,
}

impl BodyAngle {
    /// Their words, as signals have them.
    pub const ALL: [(&'static str, BodyAngle); 3] =
        [("roll", BodyAngle::Roll), ("pitch", BodyAngle::Pitch), ("yaw", BodyAngle::Yaw)];

    /// The angle of a body as a measure.
    pub fn measure(self, body: usize) -> Measure {
        let of = |body: usize, u_B: Vec3| Marker::Direction { body, u_B };
        match self {
            BodyAngle::Yaw => Measure::Angle { x: of(0, Vec3::X), y: of(0, Vec3::Y), m: of(body, Vec3::X) },
            BodyAngle::Pitch => Measure::Elevation { n: of(0, -Vec3::Z), u: of(body, Vec3::X) },
            BodyAngle::Roll => Measure::Angle { x: of(body, Vec3::Z), y: of(body, Vec3::Y), m: of(0, Vec3::Z) },
        }
    }
}
