//! Screw joint: turns about an axis and advances along it by `pitch` per turn.

use super::hinge::{about_z, angle_about_z, Hinge, Twist};
use super::{
    CoordinateName, Form, Freedom, Glyph, InPlane, Joint, JointKind, Key, Measure, Offer, Row, Rubbing, ANGLE, TURN,
};
use crate::math::{Pose, Vec3};
use std::f64::consts::TAU;

#[derive(Debug)]
pub(super) struct Screw;

impl JointKind for Screw {
    fn keyword(&self) -> &'static str {
        "screw"
    }
    fn help(&self) -> &'static str {
        "turns about an axis and advances by `pitch` per turn; coordinate `angle`"
    }
    fn keys(&self) -> &'static [Key] {
        &[Key::At, Key::Axis, Key::Pitch]
    }
    fn coordinates(&self) -> &'static [CoordinateName] {
        &[ANGLE]
    }
    fn rows(&self, joint: &Joint) -> Vec<Row> {
        let advance = Row {
            form: Form::Linear(vec![(1.0, joint.offset(2)), (-joint.pitch / TAU, joint.angle())]),
            ..Row::zero_length(joint.offset(2), "fz")
        };
        [joint.on_axis(), joint.parallel(), vec![advance]].concat()
    }
    fn rubbing(&self) -> Option<Rubbing> {
        Some(Rubbing::Thread)
    }
    fn coordinate(&self, joint: &Joint, _: usize) -> Option<Measure> {
        Some(joint.angle())
    }
    fn positive(&self, joint: &Joint) -> Vec<Measure> {
        vec![joint.same_sense()]
    }
    fn hinge(&self) -> Option<&'static dyn Hinge> {
        Some(&Screw)
    }
    fn freedoms(&self, joint: &Joint) -> Option<Vec<Freedom>> {
        Some(vec![TURN.advancing(joint.pitch / TAU)])
    }
    fn aliases(&self) -> &'static [&'static str] {
        &["helical"]
    }
    fn offers(&self) -> Option<&'static [Offer]> {
        Some(&[])
    }
    fn in_plane(&self) -> Option<InPlane> {
        Some(InPlane::Leaves(
            "what advances along its axis leaves the plane; a rack or a coupling ties a slide to an angle",
        ))
    }
    fn glyph(&self) -> Glyph {
        Glyph::Sleeve { threaded: true }
    }
}

impl Hinge for Screw {
    fn nq(&self) -> usize {
        1
    }
    fn nv(&self) -> usize {
        1
    }
    fn pose(&self, joint: &Joint, q: &[f64]) -> Pose {
        Pose::new(about_z(q[0]), Vec3::Z * (joint.pitch / TAU * q[0]))
    }
    fn column(&self, joint: &Joint, _: &[f64], _: usize) -> Twist {
        Twist::new(Vec3::Z, Vec3::Z * (joint.pitch / TAU))
    }
    fn coordinates(&self, joint: &Joint, X_FM: &Pose, near: &[f64], q: &mut [f64]) {
        // The advance tells the turn where the pitch is not zero.
        let near = if joint.pitch != 0.0 { X_FM.origin.z * TAU / joint.pitch } else { near[0] };
        q[0] = angle_about_z(X_FM, near);
    }
}
