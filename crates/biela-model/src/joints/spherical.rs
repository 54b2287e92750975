//! Spherical joint: two points coincide.

use super::hinge::{attitude_rates, normalise_attitude, store_attitude, turn_attitude, Hinge, Twist};
use super::{universal, Freedom, Glyph, InPlane, Joint, JointKind, Key, Offer, Row, TURN};
use crate::math::{EulerParameters, Pose, Rotation, Vec3};

#[derive(Debug)]
pub(super) struct Spherical;

impl JointKind for Spherical {
    fn keyword(&self) -> &'static str {
        "spherical"
    }
    fn help(&self) -> &'static str {
        "two points coincide; every rotation is free"
    }
    fn keys(&self) -> &'static [Key] {
        &[Key::At]
    }
    fn rows(&self, joint: &Joint) -> Vec<Row> {
        joint.coincide()
    }
    fn hinge(&self) -> Option<&'static dyn Hinge> {
        Some(&Spherical)
    }
    fn freedoms(&self, _: &Joint) -> Option<Vec<Freedom>> {
        Some(vec![Freedom::attitude(0, 0)])
    }
    fn aliases(&self) -> &'static [&'static str] {
        &["ball"]
    }
    fn offers(&self) -> Option<&'static [Offer]> {
        const OFFERS: &[Offer] = &[Offer::new(&[TURN], 1), Offer::new(universal::FREEDOMS, 1), Offer::new(&[], 2)];
        Some(OFFERS)
    }
    fn in_plane(&self) -> Option<InPlane> {
        Some(InPlane::Leaves("in the plane two points coincide by a revolute joint"))
    }
    fn glyph(&self) -> Glyph {
        Glyph::Ball
    }
}

/// R_FM from the first four coordinates.
pub(super) fn attitude(q: &[f64]) -> Rotation {
    EulerParameters([q[0], q[1], q[2], q[3]]).normalised().rotation()
}

impl Hinge for Spherical {
    fn nq(&self) -> usize {
        4
    }
    fn nv(&self) -> usize {
        3
    }
    fn pose(&self, _: &Joint, q: &[f64]) -> Pose {
        Pose::new(attitude(q), Vec3::ZERO)
    }
    /// The velocity coordinates are ω_FM in M.
    fn column(&self, _: &Joint, q: &[f64], k: usize) -> Twist {
        Twist::new(attitude(q).axes[k], Vec3::ZERO)
    }
    fn realize(&self, _: &Joint, q: &[f64], columns: &mut [Twist]) -> Pose {
        let R_FM = attitude(q);
        columns.iter_mut().zip(R_FM.axes).for_each(|(column, axis)| *column = Twist::new(axis, Vec3::ZERO));
        Pose::new(R_FM, Vec3::ZERO)
    }
    fn attitude(&self) -> Option<usize> {
        Some(0)
    }
    fn coordinates(&self, _: &Joint, X_FM: &Pose, near: &[f64], q: &mut [f64]) {
        store_attitude(&X_FM.rotation, near, q);
    }
    fn rates(&self, q: &[f64], v: &[f64], qdot: &mut [f64]) {
        attitude_rates(q, Vec3::new(v[0], v[1], v[2]), qdot);
    }
    fn normalise(&self, q: &mut [f64]) {
        normalise_attitude(q);
    }
    fn step(&self, q: &mut [f64], dv: &[f64]) {
        turn_attitude(q, Vec3::new(dv[0], dv[1], dv[2]));
    }
}
