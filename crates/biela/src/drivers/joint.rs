//! Driver of a joint coordinate.

use super::DriverType;
use crate::joints::{Form, Joint, Row};
use crate::motion::Motion;

pub(super) const TYPE: DriverType = DriverType {
    key: "joint",
    required: &["value"],
    optional: &["coordinate"],
    help: "prescribes a coordinate of a joint; `coordinate` says which where the joint has several",
};

pub(super) fn rows(joint: &Joint, coordinate: usize, value: &Motion) -> Vec<Row> {
    let Some(measure) = joint.kind.coordinate(joint, coordinate) else { return Vec::new() };
    let length = joint.kind.coordinates().get(coordinate).is_some_and(|c| !c.angle);
    vec![Row {
        form: Form::Linear(vec![(1.0, measure)]),
        target: value.clone(),
        squared: false,
        length,
        component: "effort",
    }]
}
