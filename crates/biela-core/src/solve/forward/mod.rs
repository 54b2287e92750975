//! Motion under forces: the equations of motion, integrated in time with the constraints held at every step.
//!
//! In the coordinates of any formulation, M v̇ + Φ_vᵀ λ = h and Φ_v v̇ = γ. [`Dynamics`] solves this for v̇ and λ at a given position
//! and velocity; an [`Integrator`] carries position, velocity and the work of non-conservative loads on in time; after every
//! step position and velocity are projected back onto the constraints, along the shortest way in the metric of M. The balance
//! of energy and work is watched, and a run whose balance drifts away ends with a report.

mod alpha;
mod checkpoint;
mod dormand_prince;
mod dynamics;
mod energy;
mod energy_monitor;
mod events;
mod friction;
mod gaps;
mod initial;
mod journey;
mod kkt;
mod legs;
mod mass;
mod open;
mod reduced;
mod rk4;
mod rk45;
mod run;
mod sample_forces;
mod sight;
mod singular;
mod terms;
mod timeline;
mod unilateral;

pub use checkpoint::Checkpoint;
pub use dynamics::{Context, Dynamics, Given, GivenLaw};
pub use energy_monitor::longest_step;
pub use initial::{start, Start};
pub use journey::first_step;
pub use open::Torques;
pub use run::{go_on, run, run_as_far, run_under};
pub use timeline::Timeline;

use crate::error::Result;
use crate::model::Integration;

/// Position, velocity and work at one time.
#[derive(Debug, Clone, Default)]
pub struct Point {
    /// Time.
    pub t: f64,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// Work done on the mechanism since the start by everything that has no potential.
    pub work: f64,
}

impl Point {
    /// Takes over another point without allocating anew.
    pub fn copy(&mut self, other: &Point) {
        (self.t, self.work) = (other.t, other.work);
        self.q.clone_from(&other.q);
        self.v.clone_from(&other.v);
    }

    /// Becomes `from` advanced by h Σ a_j k_j.
    fn advance(&mut self, from: &Point, t: f64, h: f64, weights: &[f64], stages: &[Rates]) {
        self.copy(from);
        self.t = t;
        for (a, k) in weights.iter().zip(stages).filter(|(a, _)| **a != 0.0) {
            self.q.iter_mut().zip(&k.q).for_each(|(x, k)| *x += h * a * k);
            self.v.iter_mut().zip(&k.v).for_each(|(x, k)| *x += h * a * k);
            self.work += h * a * k.power;
        }
    }
}

/// Rates at a point.
#[derive(Debug, Clone, Default)]
pub struct Rates {
    /// q̇.
    pub q: Vec<f64>,
    /// v̇.
    pub v: Vec<f64>,
    /// Power of everything that has no potential.
    pub power: f64,
}

impl Rates {
    fn make_room(&mut self, point: &Point) {
        self.q.resize(point.q.len(), 0.0);
        self.v.resize(point.v.len(), 0.0);
    }

    fn clear(&mut self) {
        self.q.fill(0.0);
        self.v.fill(0.0);
        self.power = 0.0;
    }

    fn add(&mut self, factor: f64, other: &Rates) {
        self.q.iter_mut().zip(&other.q).for_each(|(x, k)| *x += factor * k);
        self.v.iter_mut().zip(&other.v).for_each(|(x, k)| *x += factor * k);
        self.power += factor * other.power;
    }

    fn copy(&mut self, other: &Rates) {
        self.q.clone_from(&other.q);
        self.v.clone_from(&other.v);
        self.power = other.power;
    }
}

/// A method of integration: one file each, registry [`INTEGRATORS`].
pub trait Integrator: Sync + std::fmt::Debug {
    /// Which one it is.
    fn which(&self) -> Integration;
    /// The word that names it.
    fn word(&self) -> &'static str {
        Integration::ALL.iter().find(|m| m.1 == self.which()).map_or("", |m| m.0)
    }
    /// One sentence for help and documentation.
    fn help(&self) -> &'static str;
    /// Largest drift of the energy balance, as a fraction of the energies at play, that a sound run shows.
    fn balance(&self, tolerance: f64) -> f64;
    /// Where within a step, from 0 to 1, the method evaluates accelerations.
    fn nodes(&self) -> &'static [f64];
    /// Largest change of a velocity, against max(1, |v|), that loads and drivers may cause between the nodes of a step unseen.
    fn sight(&self, _tolerance: f64) -> f64 {
        /// Fixed steps answer for their error themselves: what is meant here are pulses that fall between their nodes.
        const FIXED: f64 = 1e-5;
        FIXED
    }
    /// Makes one step from `point` towards `end`, of the length in `control`, which it may change for the next one; what lies
    /// between is left in `control.dense`.
    fn step(&self, dynamics: &mut Dynamics, point: &mut Point, end: f64, control: &mut Control) -> Result<()>;
}

/// What an integrator keeps from step to step, with all scratch.
#[derive(Debug, Clone)]
pub struct Control {
    /// Length of the next step.
    pub step: f64,
    /// Length of the step after the next one, where it is set already.
    after: Option<f64>,
    /// True where the next step is placed to leap over a position in which rows become dependent.
    leap: bool,
    /// Longest step for which turns can be counted.
    pub longest: f64,
    /// Relative tolerance.
    pub tolerance: f64,
    /// Steps accepted.
    pub accepted: usize,
    /// Steps refused.
    pub refused: usize,
    /// Energies at play, against which the work of a step may be off.
    pub energy: f64,
    /// True where the method took what was too fast for it out of the step last accepted: energy it lost is no drift.
    pub lossy: bool,
    /// How much of the work of all steps so far lies between what is known of the power.
    pub work_unknown: f64,
    /// The step last accepted.
    pub dense: Dense,
    /// Largest residual left by the step last accepted.
    pub residual: f64,
    /// True where the first of the stages holds the rates at the present point.
    known: bool,
    /// True where the present point lies near a position in which rows become dependent.
    near_singular: bool,
    next_near_singular: bool,
    /// [`Dynamics::independence`] at the stages of a step held on the constraints; its first is that at the present point.
    independence: Vec<f64>,
    next_independence: f64,
    stages: Vec<Rates>,
    at: Point,
    next: Point,
    alpha: alpha::Memory,
}

impl Control {
    /// For steps of a length and a tolerance.
    pub fn new(step: f64, tolerance: f64) -> Control {
        Control {
            step,
            after: None,
            leap: false,
            longest: f64::INFINITY,
            tolerance,
            accepted: 0,
            refused: 0,
            energy: f64::INFINITY,
            lossy: false,
            work_unknown: 0.0,
            dense: Dense::default(),
            residual: 0.0,
            known: false,
            near_singular: false,
            next_near_singular: false,
            independence: Vec::new(),
            next_independence: 0.0,
            stages: Vec::new(),
            at: Point::default(),
            next: Point::default(),
            alpha: alpha::Memory::default(),
        }
    }

    fn make_room(&mut self, stages: usize, point: &Point) {
        if self.stages.len() < stages {
            self.stages.resize_with(stages, Rates::default);
            self.stages.iter_mut().for_each(|s| s.make_room(point));
            self.independence.resize(stages, 0.0);
        }
    }

    /// The fixed step from t, or what is left to the end; a last step a rounding longer than the others is no step of its own.
    fn fixed_step(&self, t: f64, end: f64) -> f64 {
        let left = end - t;
        if left <= self.step * (1.0 + 1e-9) {
            left
        } else {
            self.step
        }
    }

    /// Rates at all stages of an explicit step of length h that ends at a time. Where one lies near a position in which rows become dependent, all
    /// are held on the constraints; returns whether they are.
    fn find_stages<const N: usize>(
        &mut self,
        dynamics: &mut Dynamics,
        point: &Point,
        (h, to): (f64, f64),
        nodes: &[f64; N],
        weights: &[&[f64]; N],
    ) -> Result<bool> {
        self.make_room(N, point);
        if !self.known {
            dynamics.stage(point, &mut self.stages[0])?;
            (self.known, self.near_singular) = (true, dynamics.is_near_singular());
            self.independence[0] = dynamics.independence();
        }
        let mut held = self.near_singular || self.leap;
        let mut s = 1;
        while s < N {
            let t = if nodes[s] == 1.0 { to } else { (point.t + nodes[s] * h).min(to) };
            self.at.advance(point, t, h, weights[s], &self.stages);
            if held {
                dynamics.held_stage(&mut self.at, &mut self.stages[s])?;
                self.independence[s] = dynamics.independence();
            } else {
                dynamics.stage(&self.at, &mut self.stages[s])?;
                if dynamics.is_near_singular() {
                    (held, s) = (true, 0);
                }
            }
            s += 1;
        }
        Ok(held)
    }

    /// Projects the point `next` that a step leads to, finds the rates there, and moves on to it.
    fn arrive(&mut self, dynamics: &mut Dynamics, point: &mut Point) -> Result<()> {
        self.settle(dynamics)?;
        self.move_on(point)
    }

    /// Projects the point `next` that a step leads to and finds the rates there, into the last of the stages. Returns how far that moved it, against the
    /// weight tolerance · max(1, |y|).
    fn settle(&mut self, dynamics: &mut Dynamics) -> Result<f64> {
        self.at.copy(&self.next);
        let Some(rates) = self.stages.last_mut() else { return Ok(0.0) };
        self.residual = dynamics.settle(&mut self.next, rates)?;
        self.next_near_singular = dynamics.is_near_singular();
        self.next_independence = dynamics.independence();
        let moved = |a: &[f64], b: &[f64]| {
            let parts = a.iter().zip(b).map(|(a, b)| (a - b).abs() / a.abs().max(1.0));
            parts.fold(0.0, f64::max) / self.tolerance
        };
        Ok(moved(&self.next.q, &self.at.q).max(moved(&self.next.v, &self.at.v)))
    }

    /// Moves on to the projected point.
    fn move_on(&mut self, point: &mut Point) -> Result<()> {
        self.dense.from.copy(point);
        self.dense.from_rates.copy(&self.stages[0]);
        if let [first, .., last] = &mut self.stages[..] {
            std::mem::swap(first, last);
        }
        self.dense.to_rates.copy(&self.stages[0]);
        self.dense.to.copy(&self.next);
        std::mem::swap(point, &mut self.next);
        self.known = true;
        self.near_singular = self.next_near_singular;
        if let Some(first) = self.independence.first_mut() {
            *first = self.next_independence;
        }
        self.accepted += 1;
        Ok(())
    }
}

/// An accepted step: states and rates at its ends, from which states in between are interpolated.
#[derive(Debug, Clone, Default)]
pub struct Dense {
    /// Where the step began.
    pub from: Point,
    /// Rates there.
    pub from_rates: Rates,
    /// Where it ended.
    pub to: Point,
    /// Rates there.
    pub to_rates: Rates,
    /// What the method's own stages add to the cubic through the ends, at most in the middle; empty where they add nothing.
    pub bulge: Rates,
}

impl Dense {
    /// Makes what lies between the ends a straight line, where the rates there belong to motions too fast for the step.
    fn straighten(&mut self) {
        let Dense { from, from_rates, to, to_rates, .. } = self;
        let h = (to.t - from.t).max(f64::MIN_POSITIVE);
        let slope = |a: &[f64], b: &[f64], rates: [&mut Vec<f64>; 2]| {
            for rates in rates {
                rates.iter_mut().zip(a.iter().zip(b)).for_each(|(r, (a, b))| *r = (b - a) / h);
            }
        };
        slope(&from.q, &to.q, [&mut from_rates.q, &mut to_rates.q]);
        slope(&from.v, &to.v, [&mut from_rates.v, &mut to_rates.v]);
        from_rates.power = (to.work - from.work) / h;
        to_rates.power = from_rates.power;
    }

    /// The state at a time within the step: the cubic through values and rates at both ends, and the bulge s² (1 − s)² of the
    /// method's dense output.
    pub fn at(&self, t: f64, point: &mut Point) {
        let h = self.to.t - self.from.t;
        let s = if h > 0.0 { (t - self.from.t) / h } else { 1.0 };
        point.copy(&self.to);
        point.t = t;
        let cubic = |a: f64, da: f64, b: f64, db: f64| {
            let (s2, s3) = (s * s, s * s * s);
            a * (1.0 - 3.0 * s2 + 2.0 * s3)
                + da * h * (s - 2.0 * s2 + s3)
                + b * (3.0 * s2 - 2.0 * s3)
                + db * h * (s3 - s2)
        };
        let hump = s * s * (1.0 - s) * (1.0 - s);
        let bulge = |b: &[f64], k: usize| b.get(k).map_or(0.0, |b| hump * b);
        let (a, b, c, d) = (&self.from, &self.from_rates, &self.to, &self.to_rates);
        for k in 0..point.q.len() {
            point.q[k] = cubic(a.q[k], b.q[k], c.q[k], d.q[k]) + bulge(&self.bulge.q, k);
        }
        for k in 0..point.v.len() {
            point.v[k] = cubic(a.v[k], b.v[k], c.v[k], d.v[k]) + bulge(&self.bulge.v, k);
        }
        point.work = cubic(a.work, b.power, c.work, d.power) + hump * self.bulge.power;
    }
}

/// Every method of integration.
pub static INTEGRATORS: &[&dyn Integrator] = &[&rk45::Rk45, &rk4::Rk4, &alpha::Alpha];

/// The method asked for.
pub fn integrator(which: Integration) -> &'static dyn Integrator {
    INTEGRATORS.iter().copied().find(|i| i.which() == which).unwrap_or(&rk45::Rk45)
}
