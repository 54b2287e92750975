//! Planar joint: slides in a plane and turns about its normal.

use super::hinge::{about_z, angle_about_z, Hinge, Twist};
use super::{Axis, CoordinateName, Freedom, Glyph, InPlane, Joint, JointKind, Key, Measure, Offer, Row, ANGLE};
use crate::math::{Pose, Vec3};

pub(super) const FREEDOMS: &[Freedom] =
    &[Freedom::slide(Axis::X, 0, &["x"]), Freedom::slide(Axis::Y, 1, &["y"]), Freedom::turn(Axis::Z, 2, &["angle"])];

#[derive(Debug)]
pub(super) struct Planar;

impl JointKind for Planar {
    fn keyword(&self) -> &'static str {
        "planar"
    }
    fn help(&self) -> &'static str {
        "slides in the plane normal to `axis` and turns about it; coordinates `x`, `y`, `angle`"
    }
    fn keys(&self) -> &'static [Key] {
        &[Key::At, Key::Axis]
    }
    fn coordinates(&self) -> &'static [CoordinateName] {
        &[CoordinateName { name: "x", angle: false }, CoordinateName { name: "y", angle: false }, ANGLE]
    }
    fn rows(&self, joint: &Joint) -> Vec<Row> {
        [vec![Row::zero_length(joint.offset(2), "fz")], joint.parallel()].concat()
    }
    fn coordinate(&self, joint: &Joint, k: usize) -> Option<Measure> {
        Some(if k < 2 { joint.offset(k) } else { joint.angle() })
    }
    fn positive(&self, joint: &Joint) -> Vec<Measure> {
        vec![joint.same_sense()]
    }
    fn hinge(&self) -> Option<&'static dyn Hinge> {
        Some(&Planar)
    }
    fn freedoms(&self, _: &Joint) -> Option<Vec<Freedom>> {
        Some(FREEDOMS.to_vec())
    }
    fn offers(&self) -> Option<&'static [Offer]> {
        Some(&[])
    }
    fn in_plane(&self) -> Option<InPlane> {
        Some(InPlane::Normal)
    }
    fn glyph(&self) -> Glyph {
        Glyph::Plate
    }
}

impl Hinge for Planar {
    fn nq(&self) -> usize {
        3
    }
    fn nv(&self) -> usize {
        3
    }
    fn pose(&self, _: &Joint, q: &[f64]) -> Pose {
        Pose::new(about_z(q[2]), Vec3::new(q[0], q[1], 0.0))
    }
    fn column(&self, _: &Joint, _: &[f64], k: usize) -> Twist {
        match k {
            0 => Twist::new(Vec3::ZERO, Vec3::X),
            1 => Twist::new(Vec3::ZERO, Vec3::Y),
            _ => Twist::new(Vec3::Z, Vec3::ZERO),
        }
    }
    fn coordinates(&self, _: &Joint, X_FM: &Pose, near: &[f64], q: &mut [f64]) {
        q[0] = X_FM.origin.x;
        q[1] = X_FM.origin.y;
        q[2] = angle_about_z(X_FM, near[2]);
    }
}
