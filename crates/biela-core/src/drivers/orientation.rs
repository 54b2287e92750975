//! Driver of a body's orientation.
//!
//! With T the prescribed frame and B the body's, the rows are the skew part of R_TB: ½ (t_z·b_y − t_y·b_z) = 0 and its
//! two cyclic companions, which for a small error are the rotation vector from T to B.

use super::{required, DriverKey, DriverKeySpec, DriverKeys, DriverKind, Target};
use crate::joints::{Form, Marker, Measure, Row};
use crate::math::Elementary;
use crate::math::{EulerParameters, Jet, Rotation, Vec3};
use crate::motion::Motion;

#[derive(Debug)]
pub(super) struct OfBody;

impl DriverKind for OfBody {
    fn help(&self) -> &'static str {
        "prescribes a body's orientation, as four Euler parameters or as roll, pitch, yaw"
    }
    fn keys(&self) -> &'static [DriverKeySpec] {
        const KEYS: &[DriverKeySpec] =
            &[required("body", DriverKey::Body), required("orientation", DriverKey::Orientation)];
        KEYS
    }
    fn target(&self, keys: DriverKeys) -> Option<Target> {
        Some(Target::Orientation { body: keys.body?, attitude: keys.attitude? })
    }
}

/// An orientation that changes with time.
#[derive(Debug, Clone)]
pub enum Attitude {
    /// Euler parameters, scalar first; scaled to unit length.
    Euler(Box<[Motion; 4]>),
    /// Turns about the fixed axes x, y, z in that order.
    Rpy(Box<[Motion; 3]>),
}

/// An orientation's axes with their first and second time derivatives.
#[derive(Debug, Clone, Copy)]
pub struct AttitudeJet {
    /// The frame's axes in ground axes.
    pub axes: [Vec3; 3],
    /// Their rates.
    pub rates: [Vec3; 3],
    /// Their accelerations.
    pub accelerations: [Vec3; 3],
}

impl Attitude {
    /// The prescribed frame at time `t`.
    pub fn jet(&self, t: f64) -> AttitudeJet {
        let c = Jet::constant;
        let p = match self {
            Attitude::Euler(p) => {
                let p = [p[0].jet(t), p[1].jet(t), p[2].jet(t), p[3].jet(t)];
                let square = p.iter().fold(c(0.0), |sum, e| sum + *e * *e);
                let norm = square.v.sqrt();
                let factor = square.chain(1.0 / norm, -0.5 / (square.v * norm), 0.75 / (square.v * square.v * norm));
                p.map(|e| e * factor)
            }
            Attitude::Rpy(rpy) => {
                let half = [0, 1, 2].map(|k| rpy[k].jet(t) * c(0.5));
                let turn = |axis: usize| {
                    let (s, k) = half[axis].v.sine_cosine();
                    let mut p = [half[axis].chain(k, -s, -k), c(0.0), c(0.0), c(0.0)];
                    p[axis + 1] = half[axis].chain(s, k, -s);
                    p
                };
                product(&turn(2), &product(&turn(1), &turn(0)))
            }
        };
        let rotation = rotation_of(&p);
        let part = |f: fn(&Jet) -> f64| rotation.map(|axis| Vec3::new(f(&axis[0]), f(&axis[1]), f(&axis[2])));
        AttitudeJet { axes: part(|j| j.v), rates: part(|j| j.d), accelerations: part(|j| j.dd) }
    }

    /// The Euler parameters at time `t`.
    pub fn euler_parameters(&self, t: f64) -> EulerParameters {
        Rotation { axes: self.jet(t).axes }.euler_parameters()
    }
}

/// Product of Euler parameters, as in [`EulerParameters::times`].
fn product(p: &[Jet; 4], q: &[Jet; 4]) -> [Jet; 4] {
    let [a, b, c, d] = *p;
    let [e, f, g, h] = *q;
    [
        a * e - b * f - c * g - d * h,
        a * f + b * e + c * h - d * g,
        a * g - b * h + c * e + d * f,
        a * h + b * g - c * f + d * e,
    ]
}

/// Columns of the rotation matrix of unit Euler parameters.
fn rotation_of(p: &[Jet; 4]) -> [[Jet; 3]; 3] {
    let [a, b, c, d] = *p;
    let two = Jet::constant(2.0);
    let s = two * a * a - Jet::constant(1.0);
    [
        [s + two * b * b, two * (b * c + a * d), two * (b * d - a * c)],
        [two * (b * c - a * d), s + two * c * c, two * (c * d + a * b)],
        [two * (b * d + a * c), two * (c * d - a * b), s + two * d * d],
    ]
}

fn body_axis(body: usize, axis: usize) -> Marker {
    Marker::Direction { body, u_B: [Vec3::X, Vec3::Y, Vec3::Z][axis] }
}

pub(super) fn rows(body: usize, driver: usize) -> Vec<Row> {
    let product = |t: usize, b: usize| Measure::Dot(Marker::Prescribed { driver, axis: t }, body_axis(body, b));
    let row = |i: usize, j: usize, component: &'static str| Row {
        form: Form::Linear(vec![(0.5, product(j, i)), (-0.5, product(i, j))]),
        ..Row::zero(product(i, j), component)
    };
    vec![row(1, 2, "effort.x"), row(2, 0, "effort.y"), row(0, 1, "effort.z")]
}

pub(super) fn positive(body: usize, driver: usize) -> Vec<Measure> {
    (0..3).map(|k| Measure::Dot(Marker::Prescribed { driver, axis: k }, body_axis(body, k))).collect()
}
