//! A joint by its own coordinates: where M is in F, and how it moves.

use super::{Freedom, Joint, Marker, Measure};
use crate::math::Elementary;
use crate::math::{EulerParameters, Pose, Rotation, Vec3};
use biela_tree::freedom;

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
    /// The pose and all columns at once, for joints that make both of the same sines or attitude.
    fn realize(&self, joint: &Joint, q: &[f64], columns: &mut [Twist]) -> Pose {
        columns.iter_mut().enumerate().for_each(|(k, column)| *column = self.column(joint, q, k));
        self.pose(joint, q)
    }
    /// Where the angular velocity of an attitude stands among the velocities, if there is one.
    fn attitude(&self) -> Option<usize> {
        None
    }
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

/// The hinge of any freedoms whose leads do not depend on the joint: the product of their motions. Coordinates come back from a pose by the
/// joint's own measures; an attitude is the only turn beside slides, and its Euler parameters come first.
#[derive(Debug)]
pub struct Serial(pub &'static [Freedom]);

impl Hinge for Serial {
    fn nq(&self) -> usize {
        freedom::nq(self.0)
    }
    fn nv(&self) -> usize {
        freedom::nv(self.0)
    }
    fn pose(&self, _: &Joint, q: &[f64]) -> Pose {
        freedom::pose(self.0, q)
    }
    fn column(&self, _: &Joint, q: &[f64], k: usize) -> Twist {
        let (angular, linear) = freedom::column(self.0, q, k);
        Twist::new(angular, linear)
    }
    fn attitude(&self) -> Option<usize> {
        self.0.iter().find(|f| f.is_attitude()).map(|f| f.v)
    }
    fn bias(&self, _: &Joint, q: &[f64], v: &[f64]) -> Twist {
        let (angular, linear) = freedom::bias(self.0, q, v);
        Twist::new(angular, linear)
    }
    fn coordinates(&self, joint: &Joint, X_FM: &Pose, near: &[f64], q: &mut [f64]) {
        for f in self.0 {
            if f.is_attitude() {
                store_attitude(&X_FM.rotation, &near[f.q..], &mut q[f.q..]);
                continue;
            }
            let measure = joint.coordinate_of(f).and_then(|k| joint.kind.coordinate(joint, k));
            q[f.q] = match (measure.and_then(|m| measured(joint, m, X_FM)), f.sliding()) {
                (Some(angle), None) => nearest_turn(angle, near[f.q]),
                (Some(slide), Some(_)) => slide,
                (None, Some(axis)) => axis.unit().dot(X_FM.origin),
                (None, None) => near[f.q],
            };
        }
    }
    fn rates(&self, q: &[f64], v: &[f64], qdot: &mut [f64]) {
        for f in self.0 {
            match f.is_attitude() {
                true => attitude_rates(&q[f.q..], Vec3::new(v[f.v], v[f.v + 1], v[f.v + 2]), &mut qdot[f.q..]),
                false => qdot[f.q] = v[f.v],
            }
        }
    }
    fn normalise(&self, q: &mut [f64]) {
        self.0.iter().filter(|f| f.is_attitude()).for_each(|f| normalise_attitude(&mut q[f.q..]));
    }
    fn step(&self, q: &mut [f64], dv: &[f64]) {
        for f in self.0 {
            match f.is_attitude() {
                true => turn_attitude(&mut q[f.q..], Vec3::new(dv[f.v], dv[f.v + 1], dv[f.v + 2])),
                false => q[f.q] += dv[f.v],
            }
        }
    }
}

/// A measure between the two bodies of a joint at the pose X_FM; `None` where it is made of anything else.
fn measured(joint: &Joint, measure: Measure, X_FM: &Pose) -> Option<f64> {
    let poses = [joint.frames[0].inverse(), *X_FM * joint.frames[1].inverse()];
    let on = |body: usize| joint.bodies.iter().position(|b| *b == body).map(|side| poses[side]);
    let place = |marker: Marker| match marker {
        Marker::Point { body, p_B } => Some(on(body)?.apply(p_B)),
        Marker::Direction { body, u_B } => Some(on(body)?.rotation.apply(u_B)),
        Marker::Prescribed { .. } | Marker::Own { .. } => None,
    };
    Some(match measure {
        Measure::Dot(a, b) => place(a)?.dot(place(b)?),
        Measure::Along { a, from, to } => place(a)?.dot(place(to)? - place(from)?),
        Measure::DistanceSquared { from, to } => {
            let d = place(to)? - place(from)?;
            d.dot(d)
        }
        Measure::Distance { from, to } => (place(to)? - place(from)?).norm(),
        Measure::Elevation { n, u } => place(n)?.dot(place(u)?).arctangent2(place(n)?.cross(place(u)?).norm()),
        Measure::Angle { x, y, m } => place(y)?.dot(place(m)?).arctangent2(place(x)?.dot(place(m)?)),
    })
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
    let (s, c) = angle.sine_cosine();
    Rotation { axes: [Vec3::new(c, s, 0.0), Vec3::new(-s, c, 0.0), Vec3::Z] }
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
