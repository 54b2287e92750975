//! The watch over the balance of energy and work, and over steps that turn bodies too far.

use super::{Dynamics, Point};
use crate::error::{Error, Result};
use crate::results::significant;

/// Watches the balance of energy and work.
#[derive(Debug)]
pub struct Watch {
    bound: f64,
    /// Energy at the start.
    pub energy: f64,
    potential: f64,
    /// Energy of all weights lifted by the size of the mechanism: what rounding of a mechanism at rest is measured by.
    lift: f64,
    /// Largest energies at play so far.
    scale: f64,
    /// Largest drift so far as a fraction of them.
    pub worst: f64,
}

impl Watch {
    /// From the state realised, with the largest fraction that a sound run shows.
    pub fn new(bound: f64, dynamics: &Dynamics) -> Watch {
        let (kinetic, potential) = dynamics.energies();
        let model = dynamics.system.model;
        let mass: f64 = model.bodies.iter().filter_map(|b| b.mass.as_ref()).map(|m| m.mass).sum();
        let lift = mass * model.gravity.map_or(0.0, |g| g.norm()) * dynamics.ws.size;
        Watch { bound, energy: kinetic + potential, potential, lift, scale: 0.0, worst: 0.0 }
    }

    /// Looks at the state realised; an error where the balance has drifted away.
    pub fn look(&mut self, dynamics: &Dynamics, point: &Point) -> Result<()> {
        let (kinetic, potential) = dynamics.energies();
        let drift = (kinetic + potential - point.work - self.energy).abs();
        self.scale = self.scale.max(kinetic + (potential - self.potential).abs() + point.work.abs());
        // Rounding of large energies that hardly change is no drift.
        let rounding = 1e-12 * (kinetic.abs() + potential.abs() + self.energy.abs() + self.lift);
        if self.scale > 0.0 && drift > rounding {
            self.worst = self.worst.max(drift / self.scale);
        }
        if !drift.is_finite() {
            return Err(Error::new(format!("energies have no finite values at t = {:.9} s", point.t))
                .note("the step is too long, or forces or speeds exceed what numbers hold"));
        }
        if drift > self.bound * self.scale + rounding {
            return Err(Error::new(format!(
                "energy is not conserved: at t = {:.9} s the balance is off by {} J, {} % of the energies at play",
                point.t,
                significant(drift, 3),
                significant(100.0 * drift / self.scale, 3)
            ))
            .note("the step is too long, or the tolerance too wide: make [run] step or tolerance smaller"));
        }
        Ok(())
    }
}

/// Longest step in which no two bodies turn so far against each other that turns could be miscounted.
pub fn longest_step(dynamics: &Dynamics) -> f64 {
    /// Twice this is the largest relative turn, well under half a turn.
    const TURN: f64 = 1.0;
    let bodies = dynamics.ws.cache.bodies.iter();
    TURN / bodies.map(|b| b.w.norm()).fold(f64::MIN_POSITIVE, f64::max)
}
