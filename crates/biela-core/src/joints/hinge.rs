//! A joint by its own coordinates: where M is in F, and how it moves.

use super::Joint;
use crate::math::Elementary;
use crate::math::{EulerParameters, Pose, Rotation, Vec3};

/// Angular and linear part of a motion of M in F: of the frame, and of its origin, both in F's axes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Twist {
    /// Angular part.
    pub angular: Vec3,
    /// Linear part, of M's origin.
    pub linear: Vec3,
}

impl Twist {
    /// A twist from its parts.
    pub const fn new(angular: Vec3, linear: Vec3) -> Twist {
        Twist { angular, linear }
    }
}

/// Joint coordinates q (`nq` of them) and velocities v (`nv`): V_FM = H(q) v, V̇_FM = H v̇ + bias.
pub trait Hinge: Sync + std::fmt::Debug {
    /// Number of position coordinates.
    fn nq(&self) -> usize;
    /// Number of velocity coordinates.
    fn nv(&self) -> usize;
    /// The pose X_FM.
    fn pose(&self, joint: &Joint, q: &[f64]) -> Pose;
    /// Column `k` of H_FM.
    fn column(&self, joint: &Joint, q: &[f64], k: usize) -> Twist;
    /// Ḣ_FM v: nothing where the columns of H are fixed in F, and where H v is an angular velocity whole (ω × ω = 0).
    fn bias(&self, joint: &Joint, q: &[f64], v: &[f64]) -> Twist {
        let _ = (joint, q, v);
        Twist::default()
    }
    /// Coordinates of a pose, on the turn nearest to `near`; a pose off the joint gives the nearest it can.
    fn coordinates(&self, joint: &Joint, X_FM: &Pose, near: &[f64], q: &mut [f64]);
    /// q̇ for velocities v.
    fn rates(&self, q: &[f64], v: &[f64], qdot: &mut [f64]) {
        let _ = q;
        qdot.copy_from_slice(v);
    }
    /// Brings Euler parameters among the coordinates back to unit length.
    fn normalise(&self, q: &mut [f64]) {
        let _ = q;
    }
    /// The coordinates after a displacement `dv` in velocity coordinates.
    fn step(&self, q: &mut [f64], dv: &[f64]) {
        for (q, dv) in q.iter_mut().zip(dv) {
            *q += dv;
        }
    }
}

/// The value of `angle` plus whole turns that lies nearest to `near`.
pub fn nearest_turn(angle: f64, near: f64) -> f64 {
    let turn = std::f64::consts::TAU;
    angle + turn * ((near - angle) / turn).round()
}

/// Angle of M about F's z axis.
pub(super) fn angle_about_z(X_FM: &Pose, near: f64) -> f64 {
    let x_M = X_FM.rotation.axes[0];
    nearest_turn(x_M.y.arctangent2(x_M.x), near)
}

/// Rotation about z.
pub(super) fn about_z(angle: f64) -> Rotation {
    Rotation::about(Vec3::Z, angle)
}

/// Euler parameters of R_FM stored in q, on the sign nearest to `near`.
pub(super) fn store_attitude(R_FM: &Rotation, near: &[f64], q: &mut [f64]) {
    let previous = EulerParameters([near[0], near[1], near[2], near[3]]);
    q[..4].copy_from_slice(&R_FM.euler_parameters().near(&previous).0);
}

/// Euler parameters in q turned by the rotation vector `w_M` given in M.
pub(super) fn turn_attitude(q: &mut [f64], w_M: Vec3) {
    let p = EulerParameters([q[0], q[1], q[2], q[3]]);
    q[..4].copy_from_slice(&p.times(&EulerParameters::from_rotation_vector(w_M)).normalised().0);
}

/// Rates of the Euler parameters in q for the angular velocity `w_M` given in M.
pub(super) fn attitude_rates(q: &[f64], w_M: Vec3, qdot: &mut [f64]) {
    let p = EulerParameters([q[0], q[1], q[2], q[3]]);
    qdot[..4].copy_from_slice(&p.rate_in_body(w_M).0);
}

/// Scales the Euler parameters in q to unit length.
pub(super) fn normalise_attitude(q: &mut [f64]) {
    let p = EulerParameters([q[0], q[1], q[2], q[3]]).normalised();
    q[..4].copy_from_slice(&p.0);
}
