//! Revolute joint: turns about one axis.

use super::hinge::{about_z, angle_about_z, Hinge, Twist};
use super::{
    CoordinateName, Freedom, Glyph, InPlane, Joint, JointKind, Key, Measure, Offer, Row, Rubbing, ANGLE, TURN,
};
use crate::math::{Pose, Vec3};

#[derive(Debug)]
pub(super) struct Revolute;

impl JointKind for Revolute {
    fn keyword(&self) -> &'static str {
        "revolute"
    }
    fn help(&self) -> &'static str {
        "turns about one axis; coordinate `angle`"
    }
    fn keys(&self) -> &'static [Key] {
        &[Key::At, Key::Axis]
    }
    fn coordinates(&self) -> &'static [CoordinateName] {
        &[ANGLE]
    }
    fn rows(&self, joint: &Joint) -> Vec<Row> {
        [joint.coincide(), joint.parallel()].concat()
    }
    fn rubbing(&self) -> Option<Rubbing> {
        Some(Rubbing::Pin)
    }
    fn coordinate(&self, joint: &Joint, _: usize) -> Option<Measure> {
        Some(joint.angle())
    }
    fn positive(&self, joint: &Joint) -> Vec<Measure> {
        vec![joint.same_sense()]
    }
    fn hinge(&self) -> Option<&'static dyn Hinge> {
        Some(&Revolute)
    }
    fn freedoms(&self, _: &Joint) -> Option<Vec<Freedom>> {
        Some(vec![TURN])
    }
    fn aliases(&self) -> &'static [&'static str] {
        &["continuous", "hinge", "pin", "rotational"]
    }
    fn offers(&self) -> Option<&'static [Offer]> {
        const OFFERS: &[Offer] = &[Offer::new(&[], 2)];
        Some(OFFERS)
    }
    fn in_plane(&self) -> Option<InPlane> {
        Some(InPlane::Normal)
    }
    fn glyph(&self) -> Glyph {
        Glyph::Pin
    }
}

impl Hinge for Revolute {
    fn nq(&self) -> usize {
        1
    }
    fn nv(&self) -> usize {
        1
    }
    fn pose(&self, _: &Joint, q: &[f64]) -> Pose {
        Pose::new(about_z(q[0]), Vec3::ZERO)
    }
    fn column(&self, _: &Joint, _: &[f64], _: usize) -> Twist {
        Twist::new(Vec3::Z, Vec3::ZERO)
    }
    fn coordinates(&self, _: &Joint, X_FM: &Pose, near: &[f64], q: &mut [f64]) {
        q[0] = angle_about_z(X_FM, near[0]);
    }
}
