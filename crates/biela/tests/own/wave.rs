//! A joint that is not made of turns and slides: it turns about an axis and rides up and down by `pitch` times the sine of the angle.

#![allow(non_snake_case)] // X_FM: a pose between frames (docs/notation.md).

use biela::expr::{Expression, Name};
use biela::joints::hinge::{nearest_turn, Twist};
use biela::joints::{CoordinateName, Form, Hinge, Joint, JointKind, Key, Measure, Row, ANGLE};
use biela::math::{Elementary, Pose, Rotation, Vec3};

#[derive(Debug)]
pub struct Wave;

impl JointKind for Wave {
    fn keyword(&self) -> &'static str {
        "wave"
    }
    fn help(&self) -> &'static str {
        "turns about an axis and rides along it by `pitch` times the sine of the angle; coordinate `angle`"
    }
    fn keys(&self) -> &'static [Key] {
        &[Key::At, Key::Axis, Key::Pitch]
    }
    fn coordinates(&self) -> &'static [CoordinateName] {
        &[ANGLE]
    }
    fn rows(&self, joint: &Joint) -> Vec<Row> {
        let text = format!("slide - ({:?})*sin(angle)", joint.pitch);
        let names = [("slide", Name::Variable(1)), ("angle", Name::Variable(2))];
        let form = match Expression::parse(&text, &names) {
            Ok(expression) => Form::Expression(Box::new(expression), vec![joint.offset(2), joint.angle()]),
            Err(_) => return Vec::new(),
        };
        let rides = Row { form, ..Row::zero_length(joint.offset(2), "fz") };
        [joint.on_axis(), joint.parallel(), vec![rides]].concat()
    }
    fn coordinate(&self, joint: &Joint, _: usize) -> Option<Measure> {
        Some(joint.angle())
    }
    fn positive(&self, joint: &Joint) -> Vec<Measure> {
        vec![joint.same_sense()]
    }
    fn hinge(&self) -> Option<&'static dyn Hinge> {
        Some(&Wave)
    }
}

impl Hinge for Wave {
    fn nq(&self) -> usize {
        1
    }
    fn nv(&self) -> usize {
        1
    }
    fn pose(&self, joint: &Joint, q: &[f64]) -> Pose {
        Pose::new(Rotation::about(Vec3::Z, q[0]), Vec3::Z * (joint.pitch * q[0].sine()))
    }
    fn column(&self, joint: &Joint, q: &[f64], _: usize) -> Twist {
        Twist::new(Vec3::Z, Vec3::Z * (joint.pitch * q[0].cosine()))
    }
    fn bias(&self, joint: &Joint, q: &[f64], v: &[f64]) -> Twist {
        Twist::new(Vec3::ZERO, Vec3::Z * (-joint.pitch * q[0].sine() * v[0] * v[0]))
    }
    fn coordinates(&self, _: &Joint, X_FM: &Pose, near: &[f64], q: &mut [f64]) {
        let x_M = X_FM.rotation.axes[0];
        q[0] = nearest_turn(x_M.y.arctangent2(x_M.x), near[0]);
    }
}
