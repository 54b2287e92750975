//! The classical explicit Runge-Kutta method of order 4 with a fixed step, and projection after every step.

use super::{Control, Dynamics, Integrator, Point};
use crate::error::{ErrorKind, Reason, Result};
use crate::model::Integration;

#[derive(Debug)]
pub(super) struct Rk4;

impl Integrator for Rk4 {
    fn which(&self) -> Integration {
        Integration::Rk4
    }
    fn help(&self) -> &'static str {
        "explicit Runge-Kutta of order 4, fixed step"
    }
    fn balance(&self, _: f64) -> f64 {
        // A fixed step knows no error; a balance off by this much shows that it is too long.
        1e-3
    }
    fn nodes(&self) -> &'static [f64] {
        &[0.0, 0.5, 1.0]
    }
    fn step(&self, dynamics: &mut Dynamics, point: &mut Point, end: f64, control: &mut Control) -> Result<()> {
        let h = control.fixed_step(point.t, end);
        let to = if point.t + h >= end { end } else { point.t + h };
        let held = control.find_stages(
            dynamics,
            point,
            (h, to),
            &[0.0, 0.5, 0.5, 1.0],
            &[&[], &[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]],
        )?;
        let Control { stages, next, .. } = control;
        next.advance(point, to, h, &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0], stages);
        if !next.q.iter().chain(&next.v).all(|x| x.is_finite()) {
            return Err(ErrorKind::Integration
                .error(format!("the motion has no finite values after t = {:.9} s", point.t))
                .because(Reason::NotFinite)
                .at_time(point.t)
                .note("the step is too long"));
        }
        control.dense.bulge.clear();
        /// Largest movement by projection, against max(1, |y|), of a step that is not too long: an error of the step itself.
        const FAR: f64 = 1e-4;
        let moved = control.settle(dynamics)? * control.tolerance;
        if moved > FAR && !held {
            return Err(ErrorKind::Integration
                .error(format!(
                    "the step is too long at t = {:.9} s: it leads {moved:.1e} off the constraints",
                    point.t
                ))
                .because(Reason::StepTooLong)
                .at_time(point.t)
                .note("make [run] step smaller"));
        }
        control.move_on(point)
    }
}
