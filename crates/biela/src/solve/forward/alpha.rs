//! The generalised-α method, implicit, with a fixed step and projection after every step: for stiff springs and dampers.
//!
//! With auxiliary accelerations a, one step is
//!     q₁ = q₀ ∘ h (v₀ + h (½ − β) a₀ + h β a₁),  v₁ = v₀ + h (1 − γ) a₀ + h γ a₁,
//!     (1 − α_m) a₁ + α_m a₀ = (1 − α_f) v̇₁ + α_f v̇₀,  v̇₁ = f(q₁, v₁, t₁),
//! with f the accelerations that meet the constraints [Chung, Hulbert 1993; Arnold, Brüls 2007]. Newton's method solves for a₁; its
//! matrix comes from differences and is kept over steps for as long as it leads well. Order 2, with the damping of the highest
//! frequencies set by ρ.

use super::{Control, Dynamics, Integrator, Point, Rates};
use crate::error::{Error, Result};
use crate::math::dense::{Lu, Matrix};
use crate::model::Integration;

#[derive(Debug)]
pub(super) struct Alpha;

/// Fraction left, step by step, of what vibrates infinitely fast.
const RHO: f64 = 0.8;
const ALPHA_M: f64 = (2.0 * RHO - 1.0) / (RHO + 1.0);
const ALPHA_F: f64 = RHO / (RHO + 1.0);
const GAMMA: f64 = 0.5 + ALPHA_F - ALPHA_M;
const BETA: f64 = 0.25 * (GAMMA + 0.5) * (GAMMA + 0.5);

/// What the method keeps from step to step.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    /// Auxiliary accelerations at the present point.
    a: Vec<f64>,
    /// Factors of Newton's matrix, and the step they are for.
    factors: Option<(Lu, f64)>,
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
        }
        let mut memory = std::mem::take(&mut control.alpha);
        if memory.a.len() != point.v.len() {
            memory.a.clone_from(&control.stages[0].v);
        }
        let to = if point.t + h >= end { end } else { point.t + h };
        let found = solve(dynamics, point, to, h, &mut memory, control);
        let found = match found {
            // Factors from long ago may have led astray.
            Err(_) if memory.factors.take().is_some() => solve(dynamics, point, to, h, &mut memory, control),
            found => found,
        };
        let a = found?;
        control.next.work = point.work + 0.5 * h * (control.stages[0].power + control.stages[1].power);
        control.dense.bulge.clear();
        memory.a = a;
        control.alpha = memory;
        control.arrive(dynamics, point)
    }
}

/// Finds a₁; the point it leads to is left in `control.next`, its rates in the second of the stages.
fn solve(
    dynamics: &mut Dynamics,
    point: &Point,
    to: f64,
    h: f64,
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
    let mut step = Trial { point, first, a0: &memory.a, h, to };
    let mut before = f64::INFINITY;
    for _ in 0..MOST {
        step.residual(dynamics, &a, next, second, &mut residual)?;
        if memory.factors.as_ref().is_none_or(|f| (f.1 - h).abs() > 1e-9 * h) {
            memory.factors = Some((step.matrix(dynamics, &a, at, second, &residual)?, h));
        }
        let Some((lu, _)) = &memory.factors else { break };
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
    Err(Error::new(format!("the implicit step to t = {to:.9} s finds no solution")).note("make [run] step smaller"))
}

/// A step being solved.
struct Trial<'a> {
    point: &'a Point,
    first: &'a Rates,
    a0: &'a [f64],
    h: f64,
    to: f64,
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
        next.copy(self.point);
        next.t = self.to;
        for (k, v) in next.v.iter_mut().enumerate() {
            // The displacement for the moment: v is put right below.
            *v = h * (self.point.v[k] + h * ((0.5 - BETA) * a0[k] + BETA * a[k]));
        }
        dynamics.system.formulation.step(&mut next.q, &next.v);
        for (k, v) in next.v.iter_mut().enumerate() {
            *v = self.point.v[k] + h * ((1.0 - GAMMA) * a0[k] + GAMMA * a[k]);
        }
        dynamics.stage(next, rates)?;
        for (k, out) in out.iter_mut().enumerate() {
            let mean = (1.0 - ALPHA_M) * a[k] + ALPHA_M * a0[k];
            *out = (mean - ALPHA_F * self.first.v[k]) / (1.0 - ALPHA_F) - rates.v[k];
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
        // Displacements near the root of rounding, whatever the step.
        let small = 1e-7 / (self.h * self.h).min(self.h);
        for c in 0..n {
            moved[c] = a[c] + small;
            self.residual(dynamics, &moved, at, rates, &mut out)?;
            moved[c] = a[c];
            for i in 0..n {
                matrix.row_mut(i)[c] = (out[i] - residual[i]) / small;
            }
        }
        let singular = || {
            Error::new(format!("the implicit step to t = {:.9} s has a singular matrix", at.t))
                .note("make [run] step smaller")
        };
        matrix.lu().ok_or_else(singular)
    }
}
