//! Driver of a body's orientation.
//!
//! With T the prescribed frame and B the body's, the rows are the skew part of R_TB: ½ (t_z·b_y − t_y·b_z) = 0 and its
//! two cyclic companions, which for a small error are the rotation vector from T to B.

use super::{required, DriverKey, DriverKeySpec, DriverKeys, DriverKind, Target};
use crate::joints::{Form, Marker, Measure, Row};
use crate::math::Vec3;

#[derive(Debug)]
pub(super) struct OfBody;

impl DriverKind for OfBody {
    fn help(&self) -> &'static str {
        "prescribes a body's orientation, as four Euler parameters or as roll, pitch, yaw"
    }
    fn keys(&self) -> &'static [DriverKeySpec] {
        const KEYS: &[DriverKeySpec] =
            &[required("body", DriverKey::Body), required("orientation", DriverKey::Orientation)];
        KEYS
    }
    fn target(&self, keys: DriverKeys) -> Option<Target> {
        Some(Target::Orientation { body: keys.body?, attitude: keys.attitude? })
    }
}

fn body_axis(body: usize, axis: usize) -> Marker {
    Marker::Direction { body, u_B: [Vec3::X, Vec3::Y, Vec3::Z][axis] }
}

pub(super) fn rows(body: usize, driver: usize) -> Vec<Row> {
    let product = |t: usize, b: usize| Measure::Dot(Marker::Prescribed { driver, axis: t }, body_axis(body, b));
    let row = |i: usize, j: usize, component: &'static str| Row {
        form: Form::Linear(vec![(0.5, product(j, i)), (-0.5, product(i, j))]),
        ..Row::zero(product(i, j), component)
    };
    vec![row(1, 2, "effort.x"), row(2, 0, "effort.y"), row(0, 1, "effort.z")]
}

pub(super) fn positive(body: usize, driver: usize) -> Vec<Measure> {
    (0..3).map(|k| Measure::Dot(Marker::Prescribed { driver, axis: k }, body_axis(body, k))).collect()
}
