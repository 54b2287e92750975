//! Fixed joint: two bodies welded together.

use super::hinge::{Hinge, Twist};
use super::{Joint, JointKind, Key, Measure, Row};
use crate::math::Pose;

#[derive(Debug)]
pub(super) struct Fixed;

impl JointKind for Fixed {
    fn keyword(&self) -> &'static str {
        "fixed"
    }
    fn help(&self) -> &'static str {
        "welds two bodies together"
    }
    fn keys(&self) -> &'static [Key] {
        &[Key::At, Key::OptionalAxis]
    }
    fn rows(&self, joint: &Joint) -> Vec<Row> {
        [joint.coincide(), joint.parallel(), vec![joint.locked()]].concat()
    }
    fn positive(&self, joint: &Joint) -> Vec<Measure> {
        vec![joint.same_sense(), Measure::Dot(joint.direction(0, 0), joint.direction(1, 0))]
    }
    fn locks_orientation(&self) -> bool {
        true
    }
    fn hinge(&self) -> Option<&'static dyn Hinge> {
        Some(&Fixed)
    }
}

impl Hinge for Fixed {
    fn nq(&self) -> usize {
        0
    }
    fn nv(&self) -> usize {
        0
    }
    fn pose(&self, _: &Joint, _: &[f64]) -> Pose {
        Pose::IDENTITY
    }
    fn column(&self, _: &Joint, _: &[f64], _: usize) -> Twist {
        Twist::default()
    }
    fn coordinates(&self, _: &Joint, _: &Pose, _: &[f64], _: &mut [f64]) {}
}
