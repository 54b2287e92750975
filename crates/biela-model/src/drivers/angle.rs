//! Driver of one angle of a body's orientation, whatever its other angles do.

use super::{required, BodyAngle, DriverKey, DriverKeySpec, DriverKeys, DriverKind, Target};
use crate::motion::Motion;
use crate::units::Dimension;

impl Target {
    /// One angle of a body's orientation.
    pub fn angle(body: usize, which: BodyAngle, value: Motion) -> Target {
        Target::Measure { measure: which.measure(body), length: false, squared: false, value }
    }
}

#[derive(Debug)]
pub(super) struct OfAngle;

impl DriverKind for OfAngle {
    fn help(&self) -> &'static str {
        "prescribes one angle of a body, `body.roll`, `body.pitch` or `body.yaw` (planar: `body`), whatever the others do"
    }
    fn keys(&self) -> &'static [DriverKeySpec] {
        const KEYS: &[DriverKeySpec] =
            &[required("angle", DriverKey::Angle), required("value", DriverKey::Motion(Dimension::ANGLE))];
        KEYS
    }
    fn target(&self, mut keys: DriverKeys) -> Option<Target> {
        Some(Target::angle(keys.body?, keys.angle?, keys.motions.pop()?))
    }
}
