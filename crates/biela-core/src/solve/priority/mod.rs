//! Rows of two ranks: corrections, shortest velocities, and the accelerations that belong to them. Inverse kinematics leads a tool so,
//! and a run whose drivers give way at a singular position.
//!
//! Rows of the first rank (joints, couplings, drivers kept) hold exactly; those of the second, e, called the tool's, are
//! met as well as those allow. A correction is d = d₁ + N d₂, where d₁ closes the first rank, N projects onto the motions
//! that keep it closed, and d₂ minimises |J N d₂ + e + J d₁|² + μ |d₂|² (Levenberg-Marquardt). So a target out of reach
//! gets the nearest pose, in which lengths count in sizes of the mechanism and angles in radians.
//!
//! With all rows J v = ν, J v̇ = γ the shortest v is taken where there is a choice, v = J⁺ν + (1 − J⁺J) z. Here z = 0, or
//! z = −k ∇h leads away from joint limits. As v = Jᵀy + z, the acceleration that belongs to these velocities is
//! v̇ = J⁺γ + (1 − J⁺J)(J̇ᵀy + ż). J̇ is exact: γ is quadratic in v, so J̇ follows from values of γ (polarisation).

#![allow(non_snake_case)] // N: the projector of the module's mathematics.

mod nearest;
pub mod projection;

use crate::error::{Error, Result};
use crate::joints::Joint;
use crate::math::dense::Matrix;
use crate::math::random::Random;
use crate::solve::newton::ACCEPTED;
use crate::solve::vectors::max_abs;
use crate::system::{Owner, System, Workspace};
use projection::{misses, multiply, rank, split, transposed, Projector, RANK};

/// What to do with freedoms that the tool leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Redundancy {
    /// The shortest joint rates.
    #[default]
    MinimumNorm,
    /// Towards the middle of the joint limits.
    Limits,
}

impl Redundancy {
    /// Every choice with the word that names it.
    pub const ALL: [(&'static str, Redundancy); 2] =
        [("minimum-norm", Redundancy::MinimumNorm), ("limits", Redundancy::Limits)];
}

/// Distance, in sizes or radians, below which a target counts as reached.
pub const REACHED: f64 = 1e-10;

/// Largest displacement of one step along the path, in radians or sizes.
const STRIDE: f64 = 0.05;
/// Largest part of a step that may be left to its correction …
const CORRECTION: f64 = 0.3;
/// … unless it is smaller than this outright.
const FREE_CORRECTION: f64 = 0.02;
/// Parts into which the interval between two samples may be divided.
const MOST_PARTS: f64 = 4096.0;
/// Starts from disturbed joints where the drawing does not lead to the target.
const RESTARTS: u64 = 40;
/// Steps of each of them, which are many where a target is out of reach.
const RESTART_STEPS: usize = 40;
/// One of them that takes less than this part off in so many steps has come near to a nearest pose.
const SLOW: (f64, usize) = (0.02, 6);
/// Steps of a correction.
const CORRECTION_STEPS: usize = 200;
/// Motion towards the middle of the limits takes this fraction of the path's duration.
const RELAXATION: f64 = 0.1;

/// A mechanism whose tool is led along a path.
pub struct Solver<'s> {
    /// The mechanism, with its rows in the order of their ranks.
    pub system: &'s System<'s>,
    /// Where the present position is realised.
    pub ws: Workspace,
    /// Time of the present position.
    pub t: f64,
    /// Its coordinates.
    pub q: Vec<f64>,
    /// Rows of the first rank.
    hard: usize,
    redundancy: Redundancy,
    /// Rate at which joints are led to the middle of their limits.
    gain: f64,
    v: Vec<f64>,
    /// The last position that met its target, from which a way back is sought.
    pub inside: Option<Vec<f64>>,
    /// Whether the last correction ended where nothing leads away, and yet not at the nearest position.
    stuck: bool,
}

impl<'s> Solver<'s> {
    /// At rest nowhere yet: `hard` rows are of the first rank, lengths count in `size`, the path takes `span`.
    pub fn new(system: &'s System<'s>, hard: usize, size: f64, redundancy: Redundancy, span: f64) -> Solver<'s> {
        let mut ws = Workspace::new(system);
        ws.size = size;
        let nv = system.formulation.nv();
        let gain = if span > 0.0 { 1.0 / (RELAXATION * span) } else { 0.0 };
        Solver {
            system,
            ws,
            t: 0.0,
            q: Vec::new(),
            hard,
            redundancy,
            gain,
            v: vec![0.0; nv],
            inside: None,
            stuck: false,
        }
    }

    /// Brings the tool to its first target from the position `q`, or from disturbed ones if that one does not lead there.
    /// `left` tells how far the tool is from it at the position realised, in sizes or radians.
    pub fn start(&mut self, t: f64, q: &[f64], left: impl Fn(&Solver) -> f64) -> Result<()> {
        self.t = t;
        self.ws.realize_position(self.system, t, q);
        self.system.constraints.choose_turns(t, &[], &mut self.ws.evaluation);
        let mut best: Option<(f64, Vec<f64>)> = None;
        let mut random = Random(7);
        for attempt in 0..=RESTARTS {
            let mut trial = q.to_vec();
            if attempt > 0 {
                // First around the drawing, then anywhere.
                let wide = if attempt <= RESTARTS / 2 { 1.5 } else { 3.2 };
                let mut dv: Vec<f64> = self.v.iter().map(|_| random.signed() * wide).collect();
                self.unscale(&mut dv);
                self.system.formulation.step(&mut trial, &dv);
            }
            self.approach(t, &mut trial, if attempt == 0 { CORRECTION_STEPS } else { RESTART_STEPS });
            self.close(t, &mut trial, 6);
            let closed = self.closure() <= ACCEPTED;
            // Rows of an orientation vanish at half turns too: it is the pose itself that tells how far it is.
            let left = left(self);
            if closed && !self.joint_reversed() && best.as_ref().is_none_or(|b| left < b.0) {
                best = Some((left, trial));
            }
            if best.as_ref().is_some_and(|b| b.0 <= REACHED) {
                break;
            }
        }
        let Some((_, mut q)) = best else {
            return Err(Error::new(format!("the joints cannot be closed at t = {t} s with the drivers kept")));
        };
        self.correct(t, &mut q);
        self.accept(t, q);
        Ok(())
    }

    /// Brings the tool as near to its target as the position `q` leads, without trying others.
    pub fn near(&mut self, t: f64, q: &[f64]) -> Result<()> {
        self.t = t;
        self.ws.realize_position(self.system, t, q);
        self.system.constraints.choose_turns(t, &[], &mut self.ws.evaluation);
        let mut trial = q.to_vec();
        self.correct(t, &mut trial);
        if self.closure() > ACCEPTED || self.joint_reversed() {
            return Err(Error::new(format!("the joints cannot be closed at t = {t} s")));
        }
        self.accept(t, trial);
        Ok(())
    }

    /// Whether a joint is assembled the wrong way round; the tool's own drivers may be, far from their targets.
    fn joint_reversed(&self) -> bool {
        let reversed = self.system.constraints.reversed(&self.ws.evaluation);
        reversed.is_some_and(|owner| !matches!(owner, Owner::Driver(_)))
    }

    /// Goes on from a position known.
    pub fn resume(&mut self, t: f64, q: &[f64]) {
        self.accept(t, q.to_vec());
    }

    /// What is left of the rows that give way, at the present position.
    pub fn lag(&mut self) -> f64 {
        self.ws.realize_position(self.system, self.t, &self.q);
        self.tool_error()
    }

    /// Velocities and accelerations at the present position, with the rows that give way damped: where they cannot be met
    /// the answer stays finite.
    pub fn damped_rates(&mut self) -> (Vec<f64>, Vec<f64>) {
        /// Singular values below about this are damped.
        const DAMPING: f64 = 1e-2;
        let t = self.t;
        self.ws.realize_position(self.system, t, &self.q);
        let J = self.jacobian(t);
        self.system.constraints.velocity_side(self.system.at(t), self.ws.size, &mut self.ws.evaluation);
        let nu = self.ws.evaluation.nu.clone();
        let mut v = self.two_ranks(&J, &nu, DAMPING * DAMPING);
        self.unscale(&mut v);
        let gamma = self.gamma(t, &v);
        let mut vdot = self.two_ranks(&J, &gamma, DAMPING * DAMPING);
        self.unscale(&mut vdot);
        (v, vdot)
    }

    /// x that meets the first rank exactly and the second by damped least squares.
    fn two_ranks(&self, J: &Matrix, side: &[f64], damping: f64) -> Vec<f64> {
        let (Jc, Jt) = split(J, self.hard);
        let N = Projector::new(&Jc);
        let first = Jc.pseudo_solve(&side[..self.hard], RANK);
        let mut A = Jt.clone();
        for i in 0..A.rows {
            N.project(A.row_mut(i));
        }
        let done = multiply(&Jt, &first);
        let rest: Vec<f64> = side[self.hard..].iter().zip(&done).map(|(b, d)| b - d).collect();
        let second = A.damped_least_squares(&rest, damping).unwrap_or_else(|| vec![0.0; J.columns]);
        first.iter().zip(&second).map(|(a, b)| a + b).collect()
    }

    /// Leads the tool to its target at time `t`. False where the joints had to jump.
    pub fn advance(&mut self, t: f64) -> Result<bool> {
        let interval = t - self.t;
        let (mut smooth, mut h) = (true, interval);
        while self.t < t {
            let left = t - self.t;
            h = h.min(left);
            self.ws.realize_position(self.system, self.t, &self.q);
            if self.tool_error() > REACHED {
                // Out of reach nothing prescribes velocities: the nearest pose is looked for from where the arm is.
                let mut trial = self.q.clone();
                let left = self.correct(t, &mut trial);
                // Back within reach of a target that was out of it: on the side on which it was left.
                if self.stuck || left <= REACHED {
                    if let Some(mut inside) = self.inside.clone() {
                        if self.correct(t, &mut inside) <= left.max(REACHED) {
                            trial = inside;
                        }
                    } else if self.stuck {
                        self.push(t, &mut trial);
                        self.correct(t, &mut trial);
                    }
                    self.ws.realize_position(self.system, t, &trial);
                }
                self.closed(t)?;
                self.accept(t, trial);
                break;
            }
            let v = self.velocity_at(self.t, &self.q.clone());
            let fastest = max_abs(&self.scaled(&v));
            if fastest.is_finite() && fastest * h > STRIDE {
                h = (STRIDE / fastest).max(interval / MOST_PARTS).min(left);
            }
            let aim = if h >= left { t } else { self.t + h };
            let predicted = self.predict(h);
            let mut trial = predicted.clone();
            self.correct(aim, &mut trial);
            let far = |a: &[f64], b: &[f64]| a.iter().zip(b).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
            let (moved, fixed) = (far(&self.q, &predicted), far(&predicted, &trial));
            if fixed > FREE_CORRECTION && fixed > CORRECTION * moved {
                if h > interval / MOST_PARTS {
                    h *= 0.5;
                    continue;
                }
                smooth &= self.tool_error() > REACHED;
            }
            self.closed(aim)?;
            self.accept(aim, trial);
            h *= 2.0;
        }
        Ok(smooth)
    }

    fn closed(&self, t: f64) -> Result<()> {
        match self.closure() <= ACCEPTED {
            true => Ok(()),
            false => Err(Error::new(format!("the joints cannot be closed at t = {t:.9} s"))),
        }
    }

    fn accept(&mut self, t: f64, q: Vec<f64>) {
        (self.t, self.q) = (t, q);
        self.ws.realize_position(self.system, t, &self.q);
        self.system.constraints.keep_turns(&mut self.ws.evaluation);
        self.ws.cache.keep_attitudes();
        if self.tool_error() <= REACHED {
            self.inside = Some(self.q.clone());
        }
    }

    /// The position after `h` along the field of velocities (Runge-Kutta of order four).
    fn predict(&mut self, h: f64) -> Vec<f64> {
        let (t, q) = (self.t, self.q.clone());
        let mut sum = vec![0.0; self.v.len()];
        let mut k = vec![0.0; self.v.len()];
        for (part, weight) in [(0.0, 1.0), (0.5, 2.0), (0.5, 2.0), (1.0, 1.0)] {
            let mut there = q.clone();
            let dv: Vec<f64> = k.iter().map(|x| x * h * part).collect();
            self.system.formulation.step(&mut there, &dv);
            k = self.velocity_at(t + part * h, &there);
            sum.iter_mut().zip(&k).for_each(|(s, k)| *s += weight * h / 6.0 * k);
        }
        let mut predicted = q;
        if sum.iter().all(|x| x.is_finite()) {
            self.system.formulation.step(&mut predicted, &sum);
        }
        predicted
    }

    /// Shortest velocities at a position.
    fn velocity_at(&mut self, t: f64, q: &[f64]) -> Vec<f64> {
        self.ws.realize_position(self.system, t, q);
        let (v, _) = self.velocity(t);
        v
    }

    /// Shortest velocities at the position realised, and whether they meet every row.
    fn velocity(&mut self, t: f64) -> (Vec<f64>, bool) {
        let J = self.jacobian(t);
        self.system.constraints.velocity_side(self.system.at(t), self.ws.size, &mut self.ws.evaluation);
        let nu = &self.ws.evaluation.nu;
        let mut v = J.pseudo_solve(nu, RANK);
        let met = misses(&J, &v, nu) <= 1e-8 * max_abs(nu).max(1.0);
        if self.redundancy == Redundancy::Limits {
            let z = self.aversion(q_of(&self.ws));
            let along = J.pseudo_solve(&multiply(&J, &z), RANK);
            v.iter_mut().zip(z.iter().zip(&along)).for_each(|(v, (z, a))| *v += z - a);
        }
        self.unscale(&mut v);
        (v, met)
    }

    /// Rates and accelerations at the present position, into the workspace. False where the path cannot be followed there.
    pub fn rates(&mut self) -> bool {
        let (system, t) = (self.system, self.t);
        self.ws.realize_position(system, t, &self.q);
        let reached = self.tool_error() <= REACHED;
        let (v, met) = self.velocity(t);
        if !(reached && met && v.iter().all(|x| x.is_finite())) {
            system.formulation.velocities(&vec![0.0; v.len()], &mut self.ws.cache);
            return false;
        }
        let J = self.jacobian(t);
        let gamma = self.gamma(t, &v);
        let mut vdot = J.pseudo_solve(&gamma, RANK);
        let met = misses(&J, &vdot, &gamma) <= 1e-7 * max_abs(&gamma).max(1.0);
        let rank = rank(&J);
        if rank < v.len() {
            let scaled = self.scaled(&v);
            let (z, zdot) = match self.redundancy {
                Redundancy::MinimumNorm => (vec![0.0; v.len()], vec![0.0; v.len()]),
                Redundancy::Limits => (self.aversion(q_of(&self.ws)), self.aversion_rate(&scaled)),
            };
            let rest: Vec<f64> = scaled.iter().zip(&z).map(|(v, z)| v - z).collect();
            let y = transposed(&J).pseudo_solve(&rest, RANK);
            let Jdot = self.jacobian_rate(t, &v);
            let mut w: Vec<f64> = zdot;
            for (i, y) in y.iter().enumerate() {
                w.iter_mut().zip(Jdot.row(i)).for_each(|(w, j)| *w += y * j);
            }
            let along = J.pseudo_solve(&multiply(&J, &w), RANK);
            vdot.iter_mut().zip(w.iter().zip(&along)).for_each(|(x, (w, a))| *x += w - a);
        }
        self.unscale(&mut vdot);
        self.ws.realize_velocity(system, t, &v);
        self.ws.realize_acceleration(system, t, &vdot);
        self.v = v;
        met && vdot.iter().all(|x| x.is_finite())
    }

    /// γ of all rows at the position realised, for velocities `v`.
    fn gamma(&mut self, t: f64, v: &[f64]) -> Vec<f64> {
        let (system, ws) = (self.system, &mut self.ws);
        ws.realize_velocity(system, t, v);
        system.formulation.accelerations(None, &mut ws.cache);
        system.constraints.accelerate_markers(system.at(t), &ws.cache, &mut ws.evaluation);
        system.constraints.acceleration_side(t, ws.size, &mut ws.evaluation);
        ws.evaluation.gamma.clone()
    }

    /// J̇ along `v`, from values of γ: half of its mixed part for v and each unit velocity, and what time itself adds.
    fn jacobian_rate(&mut self, t: f64, v: &[f64]) -> Matrix {
        let n = v.len();
        let (here, rest) = (self.gamma(t, v), self.gamma(t, &vec![0.0; n]));
        let mut rate = Matrix::zeros(here.len(), n);
        for k in 0..n {
            let mut unit = vec![0.0; n];
            unit[k] = 1.0;
            self.unscale(&mut unit);
            let sum: Vec<f64> = v.iter().zip(&unit).map(|(a, b)| a + b).collect();
            let both = self.gamma(t, &sum);
            let forth = self.gamma(t, &unit);
            let back = self.gamma(t, &unit.iter().map(|x| -x).collect::<Vec<_>>());
            for i in 0..here.len() {
                let mixed = both[i] - here[i] - forth[i] + rest[i];
                rate.row_mut(i)[k] = -0.5 * mixed - 0.25 * (forth[i] - back[i]);
            }
        }
        rate
    }

    /// Moves `q` until the first rank holds and the tool is as near to its target as it can be. Returns what is left of the
    /// tool's rows.
    fn correct(&mut self, t: f64, q: &mut Vec<f64>) -> f64 {
        self.approach(t, q, CORRECTION_STEPS);
        // The merit is blind to the last digits of the first rank where the tool stays away.
        self.close(t, q, 6);
        self.stuck = self.closure() <= ACCEPTED && self.tool_error() > REACHED && !self.settle(t, q);
        self.tool_error()
    }

    /// The steps of [`Self::correct`] downhill, `most` of them.
    fn approach(&mut self, t: f64, q: &mut Vec<f64>, most: usize) {
        /// Longest step of an unknown, in sizes and radians.
        const LARGEST: f64 = 0.5;
        /// Weight of the first rank in the judgement of a step.
        const STRICT: f64 = 1e3;
        /// The first rank all but holds.
        const NEARLY: f64 = 1e-2;
        let hard = self.hard;
        let merit = |phi: &[f64]| -> f64 {
            let square = |part: &[f64]| part.iter().map(|x| x * x).sum::<f64>();
            STRICT * square(&phi[..hard]) + square(&phi[hard..])
        };
        self.ws.realize_position(self.system, t, q);
        let mut now = merit(&self.ws.evaluation.phi);
        let (mut damping, mut slow) = (1e-8, 0);
        for _ in 0..most {
            let phi = self.ws.evaluation.phi.clone();
            if phi.iter().all(|x| x.abs() <= 1e-15) || !now.is_finite() {
                break;
            }
            let J = self.jacobian(t);
            let (Jc, Jt) = split(&J, hard);
            let N = Projector::new(&Jc);
            let minus: Vec<f64> = phi[..hard].iter().map(|x| -x).collect();
            let d1 = if hard > 0 { Jc.pseudo_solve(&minus, RANK) } else { vec![0.0; J.columns] };
            let mut A = Jt.clone();
            for i in 0..A.rows {
                N.project(A.row_mut(i));
            }
            let moved = multiply(&Jt, &d1);
            let side: Vec<f64> = phi[hard..].iter().zip(&moved).map(|(e, m)| -e - m).collect();
            let on_it = phi[..hard].iter().all(|x| x.abs() <= NEARLY);
            let mut improved = false;
            while damping < 1e6 {
                let Some(d2) = A.damped_least_squares(&side, damping) else {
                    damping *= 10.0;
                    continue;
                };
                let mut d: Vec<f64> = d1.iter().zip(&d2).map(|(a, b)| a + b).collect();
                let largest = max_abs(&d);
                if largest > LARGEST {
                    d.iter_mut().for_each(|x| *x *= LARGEST / largest);
                }
                self.unscale(&mut d);
                let mut trial = q.clone();
                self.system.formulation.step(&mut trial, &d);
                self.ws.realize_position(self.system, t, &trial);
                // Along a curved first rank a step leaves it a little; back on it, longer steps are fit.
                if hard > 0 && on_it {
                    self.close(t, &mut trial, 2);
                }
                let next = merit(&self.ws.evaluation.phi);
                if next < now {
                    improved = next < now * (1.0 - 1e-13) && largest > 1e-15;
                    slow = if next > (1.0 - SLOW.0) * now { slow + 1 } else { 0 };
                    improved &= most == CORRECTION_STEPS || slow < SLOW.1;
                    (*q, now) = (trial, next);
                    damping = (damping * 0.2).max(1e-14);
                    break;
                }
                if largest < 1e-15 {
                    break;
                }
                damping *= 6.0;
            }
            if !improved {
                break;
            }
        }
    }

    /// Corrects the first rank alone, by the shortest steps, at most `most` of them. The position is realised after it.
    fn close(&mut self, t: f64, q: &mut [f64], most: usize) {
        self.ws.realize_position(self.system, t, q);
        for _ in 0..most {
            if self.hard == 0 || self.closure() <= 1e-15 {
                break;
            }
            let (Jc, _) = split(&self.jacobian(t), self.hard);
            let minus: Vec<f64> = self.ws.evaluation.phi[..self.hard].iter().map(|x| -x).collect();
            let mut d = Jc.pseudo_solve(&minus, RANK);
            self.unscale(&mut d);
            self.system.formulation.step(q, &d);
            self.ws.realize_position(self.system, t, q);
        }
    }

    /// The tool's rows at the position realised: lengths in sizes, angles.
    fn tool_rows(&self) -> &[f64] {
        &self.ws.evaluation.phi[self.hard..]
    }

    /// What is left of the tool's rows at the position realised.
    fn tool_error(&self) -> f64 {
        max_abs(self.tool_rows())
    }

    /// Largest residual of the rows that must hold exactly.
    pub fn closure(&self) -> f64 {
        max_abs(&self.ws.evaluation.phi[..self.hard])
    }

    fn jacobian(&mut self, t: f64) -> Matrix {
        self.ws.realize_jacobian(self.system, t);
        let pattern = &self.system.constraints.pattern;
        let mut matrix = Matrix::zeros(pattern.rows(), pattern.columns);
        for i in 0..pattern.rows() {
            for k in pattern.range(i) {
                matrix.row_mut(i)[pattern.index[k]] = self.ws.evaluation.phi_v[k];
            }
        }
        matrix
    }

    fn unscale(&self, v: &mut [f64]) {
        self.system.formulation.unscale(v, self.ws.size);
    }

    fn scaled(&self, v: &[f64]) -> Vec<f64> {
        let scale = |k: usize| self.system.formulation.scale(k, self.ws.size);
        v.iter().enumerate().map(|(k, x)| x / scale(k)).collect()
    }

    /// Joints with both limits: places among coordinates and velocities, and the middle.
    fn limited(&self) -> Vec<(usize, usize, f64)> {
        let of = |(k, joint): (usize, &Joint)| {
            let (low, high) = (joint.limits.lower?, joint.limits.upper?);
            let (q, v) = self.system.formulation.joint_place(k)?;
            (high > low).then_some((q, v, 0.5 * (low + high)))
        };
        self.system.model.joints.iter().enumerate().filter_map(of).collect()
    }

    /// z = −k ∇h with h = ½ Σ (q − middle)², lengths in sizes.
    fn aversion(&self, q: &[f64]) -> Vec<f64> {
        let mut z = vec![0.0; self.v.len()];
        for (at, column, middle) in self.limited() {
            let scale = self.system.formulation.scale(column, self.ws.size);
            z[column] = -self.gain * (q[at] - middle) / scale;
        }
        z
    }

    fn aversion_rate(&self, v: &[f64]) -> Vec<f64> {
        let mut z = vec![0.0; v.len()];
        for (_, column, _) in self.limited() {
            z[column] = -self.gain * v[column];
        }
        z
    }
}

/// Coordinates last realised.
fn q_of(ws: &Workspace) -> &[f64] {
    &ws.cache.q
}
