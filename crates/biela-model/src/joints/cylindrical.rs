//! Cylindrical joint: turns about one axis and slides along it.

use super::hinge::{about_z, angle_about_z, Hinge, Twist};
use super::{
    Axis, CoordinateName, Freedom, Glyph, InPlane, Joint, JointKind, Key, Measure, Offer, Row, Rubbing, ALONG, ANGLE,
    SLIDE, TURN,
};
use crate::math::{Pose, Vec3};

pub(super) const FREEDOMS: &[Freedom] = &[TURN, Freedom::slide(Axis::Z, 1, &["slide"])];

#[derive(Debug)]
pub(super) struct Cylindrical;

impl JointKind for Cylindrical {
    fn keyword(&self) -> &'static str {
        "cylindrical"
    }
    fn help(&self) -> &'static str {
        "turns about one axis and slides along it; coordinates `angle`, `slide`"
    }
    fn keys(&self) -> &'static [Key] {
        &[Key::At, Key::Axis]
    }
    fn coordinates(&self) -> &'static [CoordinateName] {
        &[ANGLE, SLIDE]
    }
    fn rows(&self, joint: &Joint) -> Vec<Row> {
        [joint.on_axis(), joint.parallel()].concat()
    }
    fn rubbing(&self) -> Option<Rubbing> {
        Some(Rubbing::Sleeve)
    }
    fn rubs_along(&self) -> usize {
        2
    }
    fn coordinate(&self, joint: &Joint, k: usize) -> Option<Measure> {
        Some(if k == 0 { joint.angle() } else { joint.offset(2) })
    }
    fn positive(&self, joint: &Joint) -> Vec<Measure> {
        vec![joint.same_sense()]
    }
    fn hinge(&self) -> Option<&'static dyn Hinge> {
        Some(&Cylindrical)
    }
    fn freedoms(&self, _: &Joint) -> Option<Vec<Freedom>> {
        Some(FREEDOMS.to_vec())
    }
    fn offers(&self) -> Option<&'static [Offer]> {
        const OFFERS: &[Offer] = &[Offer::new(&[TURN], 1), Offer::new(&[ALONG], 1)];
        Some(OFFERS)
    }
    fn in_plane(&self) -> Option<InPlane> {
        Some(InPlane::Leaves("a revolute joint turns in the plane, a prismatic one slides in it"))
    }
    fn glyph(&self) -> Glyph {
        Glyph::Sleeve { threaded: false }
    }
}

impl Hinge for Cylindrical {
    fn nq(&self) -> usize {
        2
    }
    fn nv(&self) -> usize {
        2
    }
    fn pose(&self, _: &Joint, q: &[f64]) -> Pose {
        Pose::new(about_z(q[0]), Vec3::Z * q[1])
    }
    fn column(&self, _: &Joint, _: &[f64], k: usize) -> Twist {
        if k == 0 {
            Twist::new(Vec3::Z, Vec3::ZERO)
        } else {
            Twist::new(Vec3::ZERO, Vec3::Z)
        }
    }
    fn coordinates(&self, _: &Joint, X_FM: &Pose, near: &[f64], q: &mut [f64]) {
        q[0] = angle_about_z(X_FM, near[0]);
        q[1] = X_FM.origin.z;
    }
}
