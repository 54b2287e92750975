//! The four-bar once more by hand, as textbooks solve it: the angles of coupler and rocker by Newton's method from what the sample before predicts,
//! with their sines and cosines. A kernel that would serve for any linkage of two unknown angles.

use super::by_hand::Body;
use std::f64::consts::{FRAC_PI_3, TAU};

/// Angles of coupler and rocker with their rates and accelerations, at a time.
#[derive(Debug, Clone, Copy)]
pub struct FourBar {
    t: f64,
    angles: [[f64; 2]; 3],
}

impl Default for FourBar {
    /// Near where `models/four-bar.toml` begins.
    fn default() -> FourBar {
        FourBar { t: 0.0, angles: [[0.38, 1.9], [0.0; 2], [0.0; 2]] }
    }
}

impl FourBar {
    /// Position, Euler parameters, velocities and accelerations of the bodies of `models/four-bar.toml` at a time near the last.
    pub fn at(&mut self, t: f64, out: &mut [Body; 3]) {
        const CORRECTIONS: usize = 20;
        const CLOSED: f64 = 2e-14;
        let (crank, coupler, rocker, ground, omega) = (2.0, 8.0, 5.0, 10.0, 1.0);
        let theta = FRAC_PI_3 + omega * t;
        let (s, c) = theta.sin_cos();
        let h = t - self.t;
        let [angles, rates, accelerations] = self.angles;
        let mut q = [0, 1].map(|k| angles[k] + h * (rates[k] + 0.5 * h * accelerations[k]));
        let (mut u, mut w) = ([0.0; 2], [0.0; 2]);
        let mut inverse = 1.0;
        for _ in 0..CORRECTIONS {
            let ((s2, c2), (s3, c3)) = (q[0].sin_cos(), q[1].sin_cos());
            (u, w) = ([coupler * c2, coupler * s2], [rocker * c3, rocker * s3]);
            inverse = 1.0 / (u[1] * w[0] - u[0] * w[1]);
            let gap = [crank * c + u[0] - ground - w[0], crank * s + u[1] - w[1]];
            if gap[0].abs() + gap[1].abs() < CLOSED {
                break;
            }
            let [x, y] = solve(u, w, inverse, gap);
            q = [q[0] + x, q[1] + y];
        }
        let v = [-crank * s * omega, crank * c * omega];
        let a = [-crank * c * omega * omega, -crank * s * omega * omega];
        let [w2, w3] = solve(u, w, inverse, v);
        let [a2, a3] = solve(u, w, inverse, [0, 1].map(|k| a[k] - u[k] * w2 * w2 + w[k] * w3 * w3));
        self.angles = [q.map(|x| x % TAU), [w2, w3], [a2, a3]];
        self.t = t;
        let lift = |x: [f64; 2]| [x[0], x[1], 0.0];
        let flat = |p: [[f64; 2]; 3], angle: f64, w: f64, al: f64| {
            let (s, c) = (0.5 * angle).sin_cos();
            Body {
                p: lift(p[0]),
                e: [c, 0.0, 0.0, s],
                v: lift(p[1]),
                w: [0.0, 0.0, w],
                a: lift(p[2]),
                al: [0.0, 0.0, al],
            }
        };
        out[0] = flat([[0.0; 2]; 3], theta, omega, 0.0);
        out[1] = flat([[crank * c, crank * s], v, a], q[0], w2, a2);
        out[2] = flat([[ground, 0.0], [0.0; 2], [0.0; 2]], q[1], w3, a3);
    }
}

/// Rates x of coupler and y of rocker with x n × u − y n × w = −b.
fn solve(u: [f64; 2], w: [f64; 2], inverse: f64, b: [f64; 2]) -> [f64; 2] {
    [(b[0] * w[0] + b[1] * w[1]) * inverse, (b[0] * u[0] + b[1] * u[1]) * inverse]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::by_hand::four_bar;

    #[test]
    fn both_ways_by_hand_agree() {
        // Newton leaves 2e-14 of lengths up to 10; accelerations have two solutions behind that.
        const SAME: f64 = 1e-12;
        let (mut one, mut other) = ([Body::default(); 3], [Body::default(); 3]);
        let mut angles = FourBar::default();
        for k in 0..=1000 {
            let t = TAU * f64::from(k) / 1000.0;
            four_bar(t, &mut one);
            angles.at(t, &mut other);
            for (a, b) in one.iter().zip(&other) {
                let pairs = [(a.p, b.p), (a.v, b.v), (a.w, b.w), (a.a, b.a), (a.al, b.al)];
                let off = pairs.iter().flat_map(|(a, b)| (0..3).map(|i| (a[i] - b[i]).abs())).fold(0.0, f64::max);
                let turned: f64 = a.e.iter().zip(&b.e).map(|(x, y)| x * y).sum();
                assert!(off < SAME && turned.abs() > 1.0 - SAME, "{t}: {a:?} {b:?}");
            }
        }
    }
}
