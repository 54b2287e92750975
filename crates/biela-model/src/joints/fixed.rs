//! Fixed joint: two bodies welded together.

use super::hinge::{Hinge, Twist};
use super::{Freedom, Glyph, Joint, JointKind, Key, Measure, Offer, Row};
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
    fn freedoms(&self, _: &Joint) -> Option<Vec<Freedom>> {
        Some(Vec::new())
    }
    fn aliases(&self) -> &'static [&'static str] {
        &["rigid", "weld"]
    }
    fn offers(&self) -> Option<&'static [Offer]> {
        Some(&[])
    }
    fn glyph(&self) -> Glyph {
        Glyph::Nothing
    }
    fn point_is_optional(&self) -> bool {
        true
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
