//! Orientations that change with time.

use crate::math::Elementary;
use crate::math::{EulerParameters, Jet, Rotation, Vec3};
use crate::motion::Motion;

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
