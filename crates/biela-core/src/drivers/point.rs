//! Driver of a point along a ground direction.

use super::DriverType;
use crate::joints::{Marker, Measure, Row};
use crate::math::Vec3;
use crate::motion::Motion;

pub(super) const TYPE: DriverType = DriverType {
    key: "point",
    required: &["along", "value"],
    optional: &[],
    help: "prescribes where a point `body.point` is along `x`, `y`, `z` or a vector, in ground coordinates",
};

pub(super) fn rows(body: usize, p_B: Vec3, along: Vec3, value: &Motion) -> Vec<Row> {
    let measure = Measure::Along {
        a: Marker::Direction { body: 0, u_B: along },
        from: Marker::Point { body: 0, p_B: Vec3::ZERO },
        to: Marker::Point { body, p_B },
    };
    vec![Row { target: value.clone(), ..Row::zero_length(measure, "effort") }]
}
