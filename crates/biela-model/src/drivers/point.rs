//! Driver of a point along a ground direction.

use super::{required, DriverKey, DriverKeySpec, DriverKeys, DriverKind, Target};
use crate::joints::{Marker, Measure, Row};
use crate::math::Vec3;
use crate::motion::Motion;
use crate::units::Dimension;

#[derive(Debug)]
pub(super) struct OfPoint;

impl DriverKind for OfPoint {
    fn help(&self) -> &'static str {
        "prescribes where a point `body.point` is along `x`, `y`, `z` or a vector, in ground coordinates"
    }
    fn keys(&self) -> &'static [DriverKeySpec] {
        const KEYS: &[DriverKeySpec] = &[
            required("point", DriverKey::Point),
            required("along", DriverKey::Direction),
            required("value", DriverKey::Motion(Dimension::LENGTH)),
        ];
        KEYS
    }
    fn target(&self, mut keys: DriverKeys) -> Option<Target> {
        let (body, p_B) = keys.points.pop()?;
        Some(Target::Point { body, p_B, along: keys.direction?, value: keys.motions.pop()? })
    }
}

pub(super) fn rows(body: usize, p_B: Vec3, along: Vec3, value: &Motion) -> Vec<Row> {
    let measure = Measure::Along {
        a: Marker::Direction { body: 0, u_B: along },
        from: Marker::Point { body: 0, p_B: Vec3::ZERO },
        to: Marker::Point { body, p_B },
    };
    vec![Row { target: value.clone(), ..Row::zero_length(measure, "effort") }]
}
