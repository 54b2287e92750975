//! Motion under forces: the equations of motion, integrated in time with the constraints held at every step.
//!
//! In the coordinates of any formulation, M v̇ + Φ_vᵀ λ = h and Φ_v v̇ = γ. [`Dynamics`] solves this for v̇ and λ at a given position
//! and velocity; an [`Integrator`] carries position, velocity and the work of non-conservative loads on in time; after every
//! step position and velocity are projected back onto the constraints by the same factors, along the shortest way in the
//! metric of M. The balance of energy and work is watched, and a run whose balance drifts away ends with a report.

mod dynamics;
mod initial;
mod mass;
mod rk4;
mod rk45;
mod run;

pub use dynamics::Dynamics;
pub use run::run;

use crate::error::Result;
use crate::model::Integration;

/// Position, velocity and work at one time.
#[derive(Debug, Clone)]
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

/// A method of integration: one file each, registry [`INTEGRATORS`].
pub trait Integrator: Sync + std::fmt::Debug {
    /// Which one it is.
    fn which(&self) -> Integration;
    /// One sentence for help and documentation.
    fn help(&self) -> &'static str;
    /// Largest drift of the energy balance, as a fraction of the energies at play, that a sound run shows.
    fn balance(&self, tolerance: f64) -> f64;
    /// Makes one step from `point` towards `end`, of the length in `control`, which it may change for the next one.
    fn step(&self, dynamics: &mut Dynamics, point: &mut Point, end: f64, control: &mut Control) -> Result<Dense>;
}

/// What an integrator keeps from step to step.
#[derive(Debug, Clone)]
pub struct Control {
    /// Length of the next step.
    pub step: f64,
    /// Relative tolerance.
    pub tolerance: f64,
    /// Steps accepted.
    pub accepted: usize,
    /// Steps refused.
    pub refused: usize,
    /// Rates at the present point, where the last step left them.
    pub first: Option<(Vec<f64>, Vec<f64>, f64)>,
}

/// An accepted step: states and rates at its ends, from which states in between are interpolated.
#[derive(Debug, Clone)]
pub struct Dense {
    /// Where the step began.
    pub from: Point,
    /// q̇, v̇ and power there.
    pub from_rates: (Vec<f64>, Vec<f64>, f64),
    /// Where it ended.
    pub to: Point,
    /// q̇, v̇ and power there.
    pub to_rates: (Vec<f64>, Vec<f64>, f64),
    /// What the method's own stages add to the cubic through the ends, at most in the middle; empty where they add nothing.
    pub bulge: (Vec<f64>, Vec<f64>, f64),
}

impl Dense {
    /// The state at a time within the step: the cubic through values and rates at both ends, and the bulge s² (1 − s)² of the
    /// method's dense output.
    pub fn at(&self, t: f64, point: &mut Point) {
        let h = self.to.t - self.from.t;
        let s = if h > 0.0 { (t - self.from.t) / h } else { 1.0 };
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
        for k in 0..point.q.len() {
            point.q[k] =
                cubic(self.from.q[k], self.from_rates.0[k], self.to.q[k], self.to_rates.0[k]) + bulge(&self.bulge.0, k);
        }
        for k in 0..point.v.len() {
            point.v[k] =
                cubic(self.from.v[k], self.from_rates.1[k], self.to.v[k], self.to_rates.1[k]) + bulge(&self.bulge.1, k);
        }
        point.work = cubic(self.from.work, self.from_rates.2, self.to.work, self.to_rates.2) + hump * self.bulge.2;
    }
}

/// Every method of integration.
pub static INTEGRATORS: &[&dyn Integrator] = &[&rk45::Rk45, &rk4::Rk4];
