//! A telescopic arm as a joint: it turns about an axis of the first body and slides along its own turned x.

use biela::joints::{Axis, CoordinateName, Freedom, Hinge, Joint, JointKind, Key, Measure, Row, Serial, ANGLE, SLIDE};

#[derive(Debug)]
pub struct Telescopic;

/// In the order of the transforms from the first frame to the second, with the coordinates that they are.
const FREEDOMS: &[Freedom] = &[Freedom::turn(Axis::Z, 0, &["angle"]), Freedom::slide(Axis::X, 1, &["slide"])];

/// The vector from the first joint point to the second, along axis `k` of the second frame.
fn seen_from_second(joint: &Joint, k: usize) -> Measure {
    Measure::Along { a: joint.direction(1, k), from: joint.point(0), to: joint.point(1) }
}

impl JointKind for Telescopic {
    fn keyword(&self) -> &'static str {
        "telescopic"
    }
    fn help(&self) -> &'static str {
        "turns about an axis and slides along its turned x; coordinates `angle`, `slide`"
    }
    fn keys(&self) -> &'static [Key] {
        &[Key::At, Key::Axis]
    }
    fn coordinates(&self) -> &'static [CoordinateName] {
        &[ANGLE, SLIDE]
    }
    /// The second point lies in the plane across the axis, and on the second frame's x; the axes stay parallel.
    fn rows(&self, joint: &Joint) -> Vec<Row> {
        let plane = Row::zero_length(joint.offset(2), "fz");
        let across = Row::zero_length(seen_from_second(joint, 1), "fy");
        [vec![plane, across], joint.parallel()].concat()
    }
    fn coordinate(&self, joint: &Joint, k: usize) -> Option<Measure> {
        Some(if k == 0 { joint.angle() } else { seen_from_second(joint, 0) })
    }
    /// Parallel axes may also point against each other.
    fn positive(&self, joint: &Joint) -> Vec<Measure> {
        vec![joint.same_sense()]
    }
    fn hinge(&self) -> Option<&'static dyn Hinge> {
        Some(&Serial(FREEDOMS))
    }
    fn freedoms(&self, _: &Joint) -> Option<Vec<Freedom>> {
        Some(FREEDOMS.to_vec())
    }
}
