//! Prismatic joint: slides along one axis, without turning.

use super::hinge::{Hinge, Twist};
use super::{
    CoordinateName, Freedom, Glyph, InPlane, Joint, JointKind, Key, Measure, Offer, Row, Rubbing, ALONG, SLIDE,
};
use crate::math::{Pose, Vec3};

#[derive(Debug)]
pub(super) struct Prismatic;

impl JointKind for Prismatic {
    fn keyword(&self) -> &'static str {
        "prismatic"
    }
    fn help(&self) -> &'static str {
        "slides along one axis without turning; coordinate `slide`"
    }
    fn keys(&self) -> &'static [Key] {
        &[Key::At, Key::Axis]
    }
    fn coordinates(&self) -> &'static [CoordinateName] {
        &[SLIDE]
    }
    fn rows(&self, joint: &Joint) -> Vec<Row> {
        [joint.on_axis(), joint.parallel(), vec![joint.locked()]].concat()
    }
    fn rubbing(&self) -> Option<Rubbing> {
        Some(Rubbing::Guide)
    }
    fn coordinate(&self, joint: &Joint, _: usize) -> Option<Measure> {
        Some(joint.offset(2))
    }
    fn positive(&self, joint: &Joint) -> Vec<Measure> {
        vec![joint.same_sense(), Measure::Dot(joint.direction(0, 0), joint.direction(1, 0))]
    }
    fn locks_orientation(&self) -> bool {
        true
    }
    fn hinge(&self) -> Option<&'static dyn Hinge> {
        Some(&Prismatic)
    }
    fn freedoms(&self, _: &Joint) -> Option<Vec<Freedom>> {
        Some(vec![ALONG])
    }
    fn aliases(&self) -> &'static [&'static str] {
        &["slider", "sliding", "translational"]
    }
    fn offers(&self) -> Option<&'static [Offer]> {
        Some(&[])
    }
    fn in_plane(&self) -> Option<InPlane> {
        Some(InPlane::Along)
    }
    fn glyph(&self) -> Glyph {
        Glyph::Block
    }
    fn drawn_points(&self) -> [bool; 2] {
        [false, true]
    }
}

impl Hinge for Prismatic {
    fn nq(&self) -> usize {
        1
    }
    fn nv(&self) -> usize {
        1
    }
    fn pose(&self, _: &Joint, q: &[f64]) -> Pose {
        Pose::translation(Vec3::Z * q[0])
    }
    fn column(&self, _: &Joint, _: &[f64], _: usize) -> Twist {
        Twist::new(Vec3::ZERO, Vec3::Z)
    }
    fn coordinates(&self, _: &Joint, X_FM: &Pose, _: &[f64], q: &mut [f64]) {
        q[0] = X_FM.origin.z;
    }
}
