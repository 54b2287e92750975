//! Free joint: no constraint at all; the six freedoms of a floating body.

use super::hinge::{attitude_rates, normalise_attitude, store_attitude, turn_attitude, Hinge, Twist};
use super::spherical::attitude;
use super::{Freedom, Glyph, Joint, JointKind, Key, Offer, Row};
use crate::math::{Pose, Vec3};
use biela_tree::freedom::FLOATING;

#[derive(Debug)]
pub(super) struct Free;

impl JointKind for Free {
    fn keyword(&self) -> &'static str {
        "free"
    }
    fn help(&self) -> &'static str {
        "constrains nothing: the base of a floating mechanism"
    }
    fn keys(&self) -> &'static [Key] {
        &[Key::At]
    }
    fn rows(&self, _: &Joint) -> Vec<Row> {
        Vec::new()
    }
    fn hinge(&self) -> Option<&'static dyn Hinge> {
        Some(&Free)
    }
    fn freedoms(&self, _: &Joint) -> Option<Vec<Freedom>> {
        Some(FLOATING.to_vec())
    }
    fn aliases(&self) -> &'static [&'static str] {
        &["floating"]
    }
    fn offers(&self) -> Option<&'static [Offer]> {
        Some(&[])
    }
    fn glyph(&self) -> Glyph {
        Glyph::Nothing
    }
    fn drawn_points(&self) -> [bool; 2] {
        [false, false]
    }
    fn point_is_optional(&self) -> bool {
        true
    }
}

/// q: Euler parameters, then the origin of M in F. v: ω_FM in M, then the velocity of M's origin in F.
impl Hinge for Free {
    fn nq(&self) -> usize {
        7
    }
    fn nv(&self) -> usize {
        6
    }
    fn pose(&self, _: &Joint, q: &[f64]) -> Pose {
        Pose::new(attitude(q), Vec3::new(q[4], q[5], q[6]))
    }
    fn column(&self, _: &Joint, q: &[f64], k: usize) -> Twist {
        if k < 3 {
            Twist::new(attitude(q).axes[k], Vec3::ZERO)
        } else {
            Twist::new(Vec3::ZERO, [Vec3::X, Vec3::Y, Vec3::Z][k - 3])
        }
    }
    fn attitude(&self) -> Option<usize> {
        Some(0)
    }
    fn coordinates(&self, _: &Joint, X_FM: &Pose, near: &[f64], q: &mut [f64]) {
        store_attitude(&X_FM.rotation, near, q);
        q[4..7].copy_from_slice(&X_FM.origin.to_array());
    }
    fn rates(&self, q: &[f64], v: &[f64], qdot: &mut [f64]) {
        attitude_rates(q, Vec3::new(v[0], v[1], v[2]), qdot);
        qdot[4..7].copy_from_slice(&v[3..6]);
    }
    fn normalise(&self, q: &mut [f64]) {
        normalise_attitude(q);
    }
    fn step(&self, q: &mut [f64], dv: &[f64]) {
        turn_attitude(q, Vec3::new(dv[0], dv[1], dv[2]));
        for k in 0..3 {
            q[4 + k] += dv[3 + k];
        }
    }
}
