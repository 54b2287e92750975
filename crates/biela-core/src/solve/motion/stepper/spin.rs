//! Idle spins followed: the attitude of a rod that may spin alone about its line, along a motion without spin.
//!
//! Rows hold ω·u = 0 at every sample, but a position is corrected by constraints alone, which say nothing about the spin: what
//! prediction and correction leave of it would add up, differently in every formulation. So each step is compared with the motion of
//! the line. With n(s) the line's direction and p where it began, the shortest turn that takes p to n spins about n at the rate
//! −(p × n)·n′/(1 + p·n) (what a vector carried along a curve on the sphere turns by); a body without spin is behind it by the
//! integral. n(s) is the polynomial of fifth degree through direction, rate and acceleration at both ends of the step.

#![allow(non_snake_case)] // u_B: a direction in the body's frame (docs/notation.md).

use super::{Refusal, Stepper};
use crate::math::{Elementary, Rotation, Vec3};
use crate::system::{BodyState, IdleSpin};

/// An idle body's line and attitude at one time.
#[derive(Debug, Clone, Copy)]
pub(in crate::solve) struct Moment {
    /// Direction of the line, its rate and its acceleration.
    n: [Vec3; 3],
    /// A direction of the body normal to the line.
    b: Vec3,
}

impl Moment {
    fn of(spin: &IdleSpin, bodies: &[BodyState]) -> Moment {
        let body = &bodies[spin.body];
        Moment::new(&body.pose.rotation, [body.w, body.alpha], spin.u_B)
    }

    /// That of a body with this line, angular velocity and acceleration.
    pub(in crate::solve) fn new(R_WB: &Rotation, [w, alpha]: [Vec3; 2], u_B: Vec3) -> Moment {
        let n = R_WB.apply(u_B);
        let rate = w.cross(n);
        Moment { n: [n, rate, alpha.cross(n) + w.cross(rate)], b: R_WB.apply(u_B.any_perpendicular()) }
    }
}

/// By how much the body has spun about its line from one moment to another, `h` later.
pub(in crate::solve) fn spun(from: &Moment, to: &Moment, h: f64) -> f64 {
    /// Places and weights of Gauss and Legendre between 0 and 1: five points are exact to the ninth degree.
    const POINTS: [(f64, f64); 5] = [
        (0.046910077030668004, 0.11846344252809454),
        (0.23076534494715846, 0.23931433524968324),
        (0.5, 0.28444444444444444),
        (0.7692346550528415, 0.23931433524968324),
        (0.953089922969332, 0.11846344252809454),
    ];
    let (p, end) = (from.n[0], to.n[0]);
    // Coefficients of s, s² …; what the first three leave open at the end is met by the others.
    let c = [p, from.n[1] * h, from.n[2] * (0.5 * h * h)];
    let r = [end - (c[0] + c[1] + c[2]), to.n[1] * h - (c[1] + c[2] * 2.0), to.n[2] * (h * h) - c[2] * 2.0];
    let cubic = r[0] * 10.0 - r[1] * 4.0 + r[2] * 0.5;
    let fourth = r[0] * -15.0 + r[1] * 7.0 - r[2];
    let fifth = r[0] * 6.0 - r[1] * 3.0 + r[2] * 0.5;
    let behind: f64 = POINTS
        .iter()
        .map(|(s, weight)| {
            let n = c[0] + (c[1] + (c[2] + (cubic + (fourth + fifth * *s) * *s) * *s) * *s) * *s;
            let rate = c[1] + (c[2] * 2.0 + (cubic * 3.0 + (fourth * 4.0 + fifth * (5.0 * s)) * *s) * *s) * *s;
            // The polynomial leaves the sphere by its error; the rate along n does not count.
            let length = n.norm();
            weight * p.cross(n).dot(rate) / (length * (length + p.dot(n)))
        })
        .sum();
    // b after the shortest turn from p to the end.
    let turn = p.cross(end);
    let carried = from.b + turn.cross(from.b) + turn.cross(turn.cross(from.b)) * (1.0 / (1.0 + p.dot(end)));
    end.dot(carried.cross(to.b)).arctangent2(carried.dot(to.b)) - behind
}

/// Spins below this are rounding.
const NOTHING: f64 = 1e-13;
/// Spins below this are taken back with the next step's prediction; they do not add up.
const SLIGHT: f64 = 1e-11;

impl Stepper<'_> {
    /// Keeps the present state's idle bodies to compare the next step with.
    pub(in crate::solve::motion) fn keep_spins(&mut self) {
        let (t, bodies) = (self.state.t, &self.ws.cache.bodies);
        self.spins.clear();
        self.spins.extend(self.ws.idle().iter().map(|spin| (t, Moment::of(spin, bodies))));
        self.spun.clear();
        self.spun.resize(self.spins.len(), 0.0);
    }

    /// Finds by how much idle bodies have spun in a step of length `h` to the bodies as they stand; false where that is more than a little.
    pub(super) fn spins_slightly(&mut self, h: f64) -> bool {
        let (bodies, here) = (&self.ws.cache.bodies, self.state.t);
        let moments = self.spins.iter().zip(self.ws.idle());
        for (by, ((t, from), spin)) in self.spun.iter_mut().zip(moments) {
            *by = if *t == here { spun(from, &Moment::of(spin, bodies), h) } else { 0.0 };
        }
        self.spun.iter().all(|by| by.abs() <= SLIGHT)
    }

    /// Keeps the idle bodies of a state that was reached with slight spins as they would stand without these.
    pub(super) fn keep_slight_spins(&mut self) {
        let (t, bodies) = (self.state.t, &self.ws.cache.bodies);
        for ((kept, spin), by) in self.spins.iter_mut().zip(self.ws.idle()).zip(&self.spun) {
            let mut moment = Moment::of(spin, bodies);
            moment.b = moment.b - moment.n[0].cross(moment.b) * *by;
            *kept = (t, moment);
        }
    }

    /// Takes slight spins of the step before out of the displacement predicted.
    pub(super) fn take_back_spins(&mut self) {
        for k in 0..self.spun.len() {
            let by = self.spun[k];
            if by != 0.0 {
                self.ws.unit_rates(self.system, self.system.constraints.len() + k, &mut self.trial.v);
                self.dv.iter_mut().zip(&self.trial.v).for_each(|(dv, rate)| *dv -= by * rate);
            }
        }
    }

    /// Takes back what idle bodies have spun in a step of length `h` to the trial, which is realised and factored.
    pub(super) fn unspin(&mut self, h: f64) -> Result<(), Refusal> {
        /// One correction leaves the square of what it found, two leave rounding.
        const MOST: usize = 2;
        for _ in 0..MOST {
            let mut most = 0.0f64;
            self.dv.fill(0.0);
            for k in 0..self.spins.len() {
                let (spin, (t, from)) = (self.ws.idle()[k], self.spins[k]);
                // A position that was not reached by a step has nothing to be compared with.
                if t != self.state.t {
                    continue;
                }
                let spun = spun(&from, &Moment::of(&spin, &self.ws.cache.bodies), h);
                if spun.abs() > NOTHING {
                    most = most.max(spun.abs());
                    self.ws.unit_rates(self.system, self.system.constraints.len() + k, &mut self.predicted);
                    self.dv.iter_mut().zip(&self.predicted).for_each(|(dv, rate)| *dv -= spun * rate);
                }
            }
            if most == 0.0 {
                break;
            }
            self.system.formulation.step(&mut self.trial.q, &self.dv);
            let newton = self.newton()?;
            self.realize(newton)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    /// Interpolation of a cone's motion over a hundredth of its turn, a hundred times (its error falls by the sixth power).
    const INTERPOLATED: f64 = 1e-11;

    /// A line that runs round a cone comes back with the body turned by the solid angle of the cone, if it has no spin of its own.
    #[test]
    fn a_line_round_a_cone_turns_its_body_by_the_solid_angle() {
        let steps = 100;
        let tilt = 0.7;
        // A frame that keeps x towards the cone's axis: it spins about the line at cos(tilt) per radian of the round.
        let moment = |phi: f64| {
            let R = Rotation::about(Vec3::Z, phi) * Rotation::about(Vec3::Y, tilt);
            let n = R.axes[2];
            let rate = Vec3::Z.cross(n);
            Moment { n: [n, rate, Vec3::Z.cross(rate)], b: R.axes[0] }
        };
        let h = 2.0 * PI / f64::from(steps);
        let total: f64 = (0..steps).map(|k| spun(&moment(f64::from(k) * h), &moment(f64::from(k + 1) * h), h)).sum();
        assert!((total - 2.0 * PI * tilt.cosine()).abs() < INTERPOLATED, "{total}");
    }
}
