//! The classical explicit Runge-Kutta method of order 4 with a fixed step, and projection after every step.

use super::rk45::{advanced, rates};
use super::{Control, Dense, Dynamics, Integrator, Point};
use crate::error::{Error, Result};
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
    fn step(&self, dynamics: &mut Dynamics, point: &mut Point, end: f64, control: &mut Control) -> Result<Dense> {
        // A last step a rounding longer than the others is no step of its own.
        let left = end - point.t;
        let h = if left <= control.step * (1.0 + 1e-9) { left } else { control.step };
        let first = match control.first.take() {
            Some(known) => known,
            None => rates(dynamics, point)?,
        };
        let mut stages = vec![first];
        for (c, weights) in [(0.5, &[0.5][..]), (0.5, &[0.0, 0.5]), (1.0, &[0.0, 0.0, 1.0])] {
            let at = advanced(point, point.t + c * h, h, weights, &stages);
            stages.push(rates(dynamics, &at)?);
        }
        let sixth = [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];
        let mut next = advanced(point, if h == left { end } else { point.t + h }, h, &sixth, &stages);
        if !next.q.iter().chain(&next.v).all(|x| x.is_finite()) {
            return Err(Error::new(format!("the motion has no finite values after t = {:.9} s", point.t))
                .note("the step is too long"));
        }
        control.accepted += 1;
        dynamics.project(&mut next)?;
        let last = rates(dynamics, &next)?;
        let from = std::mem::replace(point, next);
        control.first = Some(last.clone());
        let bulge = (Vec::new(), Vec::new(), 0.0);
        Ok(Dense { from, from_rates: stages.swap_remove(0), to: point.clone(), to_rates: last, bulge })
    }
}
