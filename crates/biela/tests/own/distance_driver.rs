//! A driver that prescribes the distance between two points, as a hydraulic cylinder does.

#![allow(non_snake_case)] // p_B: a point in its body's frame (docs/notation.md).

use biela::drivers::{required, DriverKey, DriverKeySpec, DriverKeys, DriverKind, Target};
use biela::joints::{Marker, Measure};
use biela::units::Dimension;

#[derive(Debug)]
pub struct Cylinder;

impl DriverKind for Cylinder {
    fn help(&self) -> &'static str {
        "prescribes the distance between the points `from` and `to`"
    }
    fn keys(&self) -> &'static [DriverKeySpec] {
        const KEYS: &[DriverKeySpec] = &[
            required("from", DriverKey::AnyPoint),
            required("to", DriverKey::Point),
            required("distance", DriverKey::Motion(Dimension::LENGTH)),
        ];
        KEYS
    }
    fn target(&self, mut keys: DriverKeys) -> Option<Target> {
        let point = |k: usize| keys.points.get(k).map(|&(body, p_B)| Marker::Point { body, p_B });
        let measure = Measure::DistanceSquared { from: point(0)?, to: point(1)? };
        Some(Target::Measure { measure, length: true, squared: true, value: keys.motions.pop()? })
    }
}
