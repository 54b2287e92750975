//! Point on plane: a point of the second body stays in a plane of the first.

use super::{Joint, JointKind, Key, Row};

#[derive(Debug)]
pub(super) struct PointOnPlane;

impl JointKind for PointOnPlane {
    fn keyword(&self) -> &'static str {
        "point-on-plane"
    }
    fn help(&self) -> &'static str {
        "a point of the second body stays in the plane of the first whose normal is `axis`"
    }
    fn keys(&self) -> &'static [Key] {
        &[Key::At, Key::Axis]
    }
    fn rows(&self, joint: &Joint) -> Vec<Row> {
        vec![Row::zero_length(joint.offset(2), "fz")]
    }
}
