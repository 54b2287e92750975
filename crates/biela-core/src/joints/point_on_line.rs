//! Point on line: a point of the second body stays on a line of the first.

use super::{CoordinateName, Joint, JointKind, Key, Measure, Row, SLIDE};

#[derive(Debug)]
pub(super) struct PointOnLine;

impl JointKind for PointOnLine {
    fn keyword(&self) -> &'static str {
        "point-on-line"
    }
    fn help(&self) -> &'static str {
        "a point of the second body stays on a line of the first; coordinate `slide`"
    }
    fn keys(&self) -> &'static [Key] {
        &[Key::At, Key::Axis]
    }
    fn coordinates(&self) -> &'static [CoordinateName] {
        &[SLIDE]
    }
    fn rows(&self, joint: &Joint) -> Vec<Row> {
        joint.on_axis()
    }
    fn coordinate(&self, joint: &Joint, _: usize) -> Option<Measure> {
        Some(joint.offset(2))
    }
}
