//! The generalised-α method, implicit, with a fixed step and projection after every step: for stiff springs and dampers.
//!
//! With auxiliary accelerations a, one step is
//!     q₁ = q₀ ∘ h (v₀ + h (½ − β) a₀ + h β a₁),  v₁ = v₀ + h (1 − γ) a₀ + h γ a₁,
//!     (1 − α_m) a₁ + α_m a₀ = (1 − α_f) v̇₁ + α_f v̇₀,  v̇₁ = f(q₁, v₁, t₁),
//! with f the accelerations that meet the constraints [Chung, Hulbert 1993; Arnold, Brüls 2007]. Newton's method solves for a₁; its
//! matrix comes from differences and is kept over steps for as long as it leads well. Order 2, with the damping of the highest
//! frequencies set by ρ.
//!
//! What decays or swings much faster than the step would ring on from step to step with factor −ρ: v₀ on a damper c ≫ m/h becomes
//! −ρ v₀, ρ² v₀ …. So where the velocity that v̇₀ promises and the one that the step finds are further apart than the velocity is large,
//! the step is made anew as half steps of the implicit Euler method (a₀ = 0, α_m = α_f = 0, β = γ = 1), which takes such motions out at
//! once. A few such half steps leave the order 2 of the whole [Rannacher 1984]. The energy they take, ½ Δvᵀ M Δv and its like of stiff
//! springs, is told, and is no drift.

use super::{Control, Dynamics, Integrator, Point, Rates};
use crate::error::{ErrorKind, Reason, Result};
use crate::math::dense::{Lu, Matrix};
use crate::model::Integration;

#[derive(Debug)]
pub(super) struct Alpha;

/// Fraction left, step by step, of what vibrates infinitely fast.
const RHO: f64 = 0.8;
/// Half steps by the implicit Euler method where something is too fast for the step.
const HALF_STEPS: usize = 4;
/// Difference between the velocities promised and found, against the larger of those at both ends, that shows it.
const TOO_FAST: f64 = 1.5;

/// Weights of the auxiliary and the true accelerations in a step.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Scheme {
    alpha_m: f64,
    alpha_f: f64,
    gamma: f64,
    beta: f64,
}

impl Scheme {
    const ALPHA: Scheme = {
        let (alpha_m, alpha_f) = ((2.0 * RHO - 1.0) / (RHO + 1.0), RHO / (RHO + 1.0));
        let gamma = 0.5 + alpha_f - alpha_m;
        Scheme { alpha_m, alpha_f, gamma, beta: 0.25 * (gamma + 0.5) * (gamma + 0.5) }
    };
    /// With a₀ = 0.
    const EULER: Scheme = Scheme { alpha_m: 0.0, alpha_f: 0.0, gamma: 1.0, beta: 1.0 };
}

/// What the method keeps from step to step.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    /// Auxiliary accelerations at the present point; none where they are yet to be had.
    a: Vec<f64>,
    /// Factors of Newton's matrix, and the step and scheme they are for.
    factors: Option<(Lu, f64, Scheme)>,
    /// Half steps still to be made by the implicit Euler method.
    halves: usize,
    /// Power at the beginning of the last step.
    power: Option<f64>,
}

impl Memory {
    /// Accelerations are about to jump: those before say nothing about those after.
    pub(super) fn forget(&mut self) {
        self.a.clear();
    }

    /// Auxiliary accelerations at the present point, for a step that may be taken back.
    pub(super) fn accelerations(&self) -> Vec<f64> {
        self.a.clone()
    }

    /// Takes a step back to where these were.
    pub(super) fn recall(&mut self, a: &[f64]) {
        self.a.clear();
        self.a.extend_from_slice(a);
    }
}

impl Integrator for Alpha {
    fn which(&self) -> Integration {
        Integration::Alpha
    }
    fn help(&self) -> &'static str {
        "generalised-α, implicit, fixed step, for stiff springs and dampers"
    }
    fn balance(&self, _: f64) -> f64 {
        // The method damps what vibrates too fast for the step; more than this shows that the step is too long for the motion.
        0.05
    }
    fn nodes(&self) -> &'static [f64] {
        &[0.0, 1.0]
    }
    fn step(&self, dynamics: &mut Dynamics, point: &mut Point, end: f64, control: &mut Control) -> Result<()> {
        let h = control.fixed_step(point.t, end);
        control.make_room(2, point);
        if !control.known {
            dynamics.stage(point, &mut control.stages[0])?;
            control.known = true;
        }
        let mut memory = std::mem::take(&mut control.alpha);
        control.dense.bulge.clear();
        if memory.halves == 0 {
            if memory.a.len() != point.v.len() {
                memory.a.clone_from(&control.stages[0].v);
            }
            let found = find(dynamics, point, end, (h, Scheme::ALPHA), &mut memory, control);
            let fast = found.is_err() || is_too_fast(dynamics, point, h, control);
            if !fast {
                let (before, first, second) = (memory.power, control.stages[0].power, control.stages[1].power);
                control.next.work = point.work + 0.5 * h * (first + second);
                // The work of a step is known as well as its power is a straight line.
                control.work_unknown += match before {
                    Some(before) => 0.25 * h * (second - 2.0 * first + before).abs(),
                    None => h * (second - first).abs(),
                };
                memory.power = Some(first);
                memory.a = found?;
                control.alpha = memory;
                control.lossy = false;
                return control.arrive(dynamics, point);
            }
            memory.halves = HALF_STEPS;
        }
        memory.halves -= 1;
        memory.a.clear();
        memory.a.resize(point.v.len(), 0.0);
        let half = (0.5 * control.step).min(end - point.t);
        find(dynamics, point, end, (half, Scheme::EULER), &mut memory, control)?;
        control.next.work = point.work + half * control.stages[1].power;
        memory.a.clear();
        memory.power = None;
        control.alpha = memory;
        control.lossy = true;
        control.arrive(dynamics, point)?;
        control.dense.straighten();
        Ok(())
    }
}

/// True where the step found is not what the accelerations at its beginning promise: something there is too fast for it.
fn is_too_fast(dynamics: &Dynamics, point: &Point, h: f64, control: &Control) -> bool {
    let formulation = &dynamics.system.formulation;
    let [mut apart, mut before, mut after] = [0.0f64; 3];
    for (k, ((v0, v1), a)) in point.v.iter().zip(&control.next.v).zip(&control.stages[0].v).enumerate() {
        let scale = formulation.scale(k, dynamics.ws.size);
        apart += ((v1 - v0 - h * a) / scale).powi(2);
        before += (v0 / scale).powi(2);
        after += (v1 / scale).powi(2);
    }
    apart > TOO_FAST * TOO_FAST * before.max(after)
}

/// [`solve`], with factors made anew where those at hand, from long ago, may have led astray.
fn find(
    dynamics: &mut Dynamics,
    point: &Point,
    end: f64,
    (h, scheme): (f64, Scheme),
    memory: &mut Memory,
    control: &mut Control,
) -> Result<Vec<f64>> {
    let to = if point.t + h >= end { end } else { point.t + h };
    match solve(dynamics, point, to, (h, scheme), memory, control) {
        Err(_) if memory.factors.take().is_some() => solve(dynamics, point, to, (h, scheme), memory, control),
        found => found,
    }
}

/// Finds a₁; the point it leads to is left in `control.next`, its rates in the second of the stages.
fn solve(
    dynamics: &mut Dynamics,
    point: &Point,
    to: f64,
    (h, scheme): (f64, Scheme),
    memory: &mut Memory,
    control: &mut Control,
) -> Result<Vec<f64>> {
    const MOST: usize = 20;
    /// Change of a, against its size, at which iterating on gains nothing.
    const ENOUGH: f64 = 1e-11;
    let Control { stages, at, next, .. } = control;
    let [first, second, ..] = stages.as_mut_slice() else { return Ok(Vec::new()) };
    let mut a = memory.a.clone();
    let mut residual = vec![0.0; a.len()];
    let mut step = Trial { point, first, a0: &memory.a, h, to, scheme };
    let mut before = f64::INFINITY;
    for _ in 0..MOST {
        step.residual(dynamics, &a, next, second, &mut residual)?;
        if memory.factors.as_ref().is_none_or(|f| (f.1 - h).abs() > 1e-9 * h || f.2 != scheme) {
            memory.factors = Some((step.matrix(dynamics, &a, at, second, &residual)?, h, scheme));
        }
        let Some((lu, ..)) = &memory.factors else { break };
        lu.solve(&mut residual);
        let size = a.iter().fold(1.0f64, |m, x| m.max(x.abs()));
        let change = residual.iter().fold(0.0f64, |m, x| if x.abs() <= m { m } else { x.abs() });
        if !change.is_finite() {
            break;
        }
        a.iter_mut().zip(&residual).for_each(|(a, d)| *a -= d);
        if change <= ENOUGH * size || (change <= 1e3 * ENOUGH * size && change > 0.3 * before) {
            step.residual(dynamics, &a, next, second, &mut residual)?;
            return Ok(a);
        }
        if change > 0.1 * before {
            memory.factors = None;
        }
        before = change;
    }
    Err(ErrorKind::Integration
        .error(format!("the implicit step to t = {to:.9} s finds no solution"))
        .because(Reason::StepUnsolved)
        .at_time(to)
        .note("make [run] step smaller"))
}

/// A step being solved.
struct Trial<'a> {
    point: &'a Point,
    first: &'a Rates,
    a0: &'a [f64],
    h: f64,
    to: f64,
    scheme: Scheme,
}

impl Trial<'_> {
    /// (1 − α_m) a₁ + α_m a₀ − (1 − α_f) f₁ − α_f f₀, divided by 1 − α_f.
    fn residual(
        &mut self,
        dynamics: &mut Dynamics,
        a: &[f64],
        next: &mut Point,
        rates: &mut Rates,
        out: &mut [f64],
    ) -> Result<()> {
        let (h, a0) = (self.h, self.a0);
        let Scheme { alpha_m, alpha_f, gamma, beta } = self.scheme;
        next.copy(self.point);
        next.t = self.to;
        for (k, v) in next.v.iter_mut().enumerate() {
            // The displacement for the moment: v is put right below.
            *v = h * (self.point.v[k] + h * ((0.5 - beta) * a0[k] + beta * a[k]));
        }
        dynamics.system.formulation.step(&mut next.q, &next.v);
        for (k, v) in next.v.iter_mut().enumerate() {
            *v = self.point.v[k] + h * ((1.0 - gamma) * a0[k] + gamma * a[k]);
        }
        dynamics.stage(next, rates)?;
        for (k, out) in out.iter_mut().enumerate() {
            let mean = (1.0 - alpha_m) * a[k] + alpha_m * a0[k];
            *out = (mean - alpha_f * self.first.v[k]) / (1.0 - alpha_f) - rates.v[k];
        }
        Ok(())
    }

    /// Newton's matrix by differences of the residual.
    fn matrix(
        &mut self,
        dynamics: &mut Dynamics,
        a: &[f64],
        at: &mut Point,
        rates: &mut Rates,
        residual: &[f64],
    ) -> Result<Lu> {
        let n = a.len();
        let mut matrix = Matrix::zeros(n, n);
        let mut moved = a.to_vec();
        let mut out = vec![0.0; n];
        let system = dynamics.system;
        for c in 0..n {
            // Displacements near the root of rounding, whatever the step and the size.
            let scale = system.formulation.scale(c, dynamics.ws.size).min(1.0);
            let small = 1e-7 * scale / (self.h * self.h).min(self.h);
            moved[c] = a[c] + small;
            self.residual(dynamics, &moved, at, rates, &mut out)?;
            moved[c] = a[c];
            for i in 0..n {
                matrix.row_mut(i)[c] = (out[i] - residual[i]) / small;
            }
        }
        let singular = || {
            ErrorKind::Integration
                .error(format!("the implicit step to t = {:.9} s has a singular matrix", at.t))
                .because(Reason::StepUnsolved)
                .at_time(at.t)
                .note("make [run] step smaller")
        };
        matrix.lu().ok_or_else(singular)
    }
}
