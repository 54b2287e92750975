//! Motion under forces, integrated and timed.

use crate::cpu_seconds;
use biela::model::Integration;
use biela::solve::forward::{integrator, start, Control, Dynamics, Point};
use biela::system::System;

/// How to integrate.
#[derive(Debug, Clone, Copy)]
pub struct Way {
    /// First or only length of a step.
    pub h: f64,
    /// End.
    pub tend: f64,
    /// `rk45`, else `rk4`.
    pub adaptive: bool,
    /// Tolerance of `rk45`.
    pub tolerance: f64,
}

/// Least time of an integration, and its evaluations. The clock of processor time may tick in milliseconds: short runs are
/// made often enough.
pub fn least_time(system: &System, way: &Way, runs: usize) -> (f64, usize) {
    let (mut least, mut evaluations) = (f64::INFINITY, 0);
    for _ in 0..runs {
        let (mut seconds, mut made) = (0.0, 0.0);
        while made == 0.0 || (seconds < 0.1 && made < 1e3) {
            let (taken, count) = integrate(system, way, |_, _| {});
            (seconds, made, evaluations) = (seconds + taken, made + 1.0, count);
        }
        least = least.min(seconds / made);
    }
    (least, evaluations)
}

/// Integrates once; `after` hears of every step. Returns the time taken by the steps and the number of evaluations.
pub fn integrate(system: &System, way: &Way, mut after: impl FnMut(&mut Dynamics, &Point)) -> (f64, usize) {
    let Way { h, tend, adaptive, tolerance } = *way;
    let begun = start(system).unwrap_or_else(|e| panic!("{e}"));
    let mut point = begun.point;
    let mut dynamics = Dynamics::new(system, begun.ws, point.t, &point.q).unwrap_or_else(|e| panic!("{e}"));
    dynamics.project(&mut point).unwrap_or_else(|e| panic!("{e}"));
    let before = dynamics.evaluations;
    let method = integrator(if adaptive { Integration::Rk45 } else { Integration::Rk4 });
    let mut control = Control::new(h, tolerance);
    let begun = cpu_seconds();
    while point.t < tend {
        method.step(&mut dynamics, &mut point, tend, &mut control).unwrap_or_else(|e| panic!("{e}"));
        after(&mut dynamics, &point);
    }
    (cpu_seconds() - begun, dynamics.evaluations - before)
}
