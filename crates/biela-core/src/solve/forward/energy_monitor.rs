//! The balance of energy and work, watched along a run, and the longest step in which turns can be counted.
//!
//! The drift D = T + V − W − (T + V at the start) of a sound run is a small fraction of the energies at play, S = max (T + |V − V₀| + |W|).
//! Where hardly anything moves yet, or ever, S is next to nothing while errors of single steps are not: they are judged against the
//! unit speeds of the step's own weights, and a load that sets in within a step is known no better than the step is long. So S counts for
//! no less than the kinetic energy of a slow motion of all masses, the balance is counted from when something moves faster than that, and
//! the rounding of what is summed is no drift.

use super::dynamics::length_weight;
use super::{Control, Dynamics, Integrator, Point};
use crate::error::{Error, ErrorKind, Reason, Result};
use crate::model::Integration;
use crate::results::significant;

/// Speed of the slow motion, in units of the weights that steps are judged by (1 m/s, 1 rad/s).
const SLOW: f64 = 1e-2;
/// Rounding of energies, which are sums over all bodies after many steps, as a fraction of what is summed.
const ROUNDING: f64 = 1e-12;

/// Factor on the largest drift where drivers move the mechanism.
const DRIVEN: f64 = 10.0;

/// Watches the balance of energy and work.
#[derive(Debug)]
pub struct EnergyMonitor {
    bound: f64,
    /// Energy at the start.
    pub energy: f64,
    potential: f64,
    /// Energy of all weights lifted by the size of the mechanism: what rounding of a mechanism at rest is measured by.
    lift: f64,
    /// Kinetic energy of the slow motion: the least that energies at play count for.
    slow: f64,
    /// Largest energies at play so far.
    scale: f64,
    /// Drift at the last look, and when something began to move.
    before: f64,
    rest: f64,
    /// True where the step in which something begins to move is not judged: an implicit method comes out of rest over what is too fast
    /// for it, and leads the rest of the run as it should.
    lenient: bool,
    /// Energy that the method itself has taken out of what is too fast for its steps.
    pub damped: f64,
    /// Largest drift so far as a fraction of the energies at play.
    pub worst: f64,
}

impl EnergyMonitor {
    /// From the state realised, with the largest fraction that a sound run by a method shows.
    pub fn new(integrator: &dyn Integrator, tolerance: f64, dynamics: &Dynamics) -> EnergyMonitor {
        let (bound, lenient) = (integrator.balance(tolerance), integrator.which() == Integration::Alpha);
        let (kinetic, potential) = dynamics.energies();
        let (model, size) = (dynamics.system.model, dynamics.ws.size);
        let masses = || model.bodies.iter().filter_map(|b| b.mass.as_ref()).chain(model.rotors.iter().map(|r| &r.mass));
        let mass: f64 = masses().map(|m| m.mass).sum();
        let inertia: f64 = masses().map(|m| m.inertia.trace()).sum();
        let lift = mass * model.gravity.map_or(0.0, |g| g.norm()) * size;
        let speed = length_weight(size);
        let slow = 0.5 * SLOW * SLOW * (mass * speed * speed + inertia);
        let energy = kinetic + potential;
        // What projection changes in a driven motion is work of the drivers that nobody counts; the motion itself is prescribed.
        let bound = if dynamics.is_moving() { DRIVEN * bound } else { bound };
        EnergyMonitor {
            bound,
            energy,
            potential,
            lift,
            slow,
            scale: 0.0,
            before: 0.0,
            rest: 0.0,
            lenient,
            damped: 0.0,
            worst: 0.0,
        }
    }

    /// Goes on from an earlier part of the motion: the balance is that from here on, judged by the energies at play before.
    pub fn take_up(&mut self, work: f64, at_play: f64) {
        self.energy -= work;
        self.scale = at_play;
    }

    /// Energies against which errors count.
    pub fn at_play(&self) -> f64 {
        self.scale.max(self.slow)
    }

    /// Looks at the kinetic and potential energy at the end of the step just made; an error where the balance has drifted away.
    pub fn look(&mut self, (kinetic, potential): (f64, f64), point: &Point, control: &Control) -> Result<()> {
        let mut signed = kinetic + potential - point.work - self.energy + self.damped;
        if control.lossy && signed < self.before {
            self.damped += self.before - signed;
            signed = self.before;
        }
        let before = self.scale;
        self.scale = self.scale.max(kinetic + (potential - self.potential).abs() + point.work.abs());
        if (if self.lenient { before } else { self.scale }) <= self.slow {
            self.rest = signed;
        }
        let (drift, step) = ((signed - self.rest).abs(), (signed - self.before).abs());
        self.before = signed;
        let rounding = ROUNDING * (kinetic.abs() + potential.abs() + self.energy.abs() + self.lift);
        let at_play = self.at_play();
        if drift > rounding && at_play > 0.0 {
            self.worst = self.worst.max(drift / at_play);
        }
        if !drift.is_finite() {
            return Err(ErrorKind::Integration
                .error(format!("energies have no finite values at t = {:.9} s", point.t))
                .because(Reason::NotFinite)
                .at_time(point.t)
                .note("the step is too long, or forces or speeds exceed what numbers hold"));
        }
        if drift <= self.bound * at_play + rounding + control.work_unknown {
            return Ok(());
        }
        let error = ErrorKind::Integration
            .error(format!(
                "energy is not conserved: at t = {:.9} s the balance is off by {} J, {} % of the energies at play",
                point.t,
                significant(drift, 3),
                significant(100.0 * drift / at_play, 3)
            ))
            .because(Reason::EnergyLost)
            .at_time(point.t);
        // Where the drift is all there is, steps are unstable, whatever the loads do.
        Err(cause(error, control, point, step > 0.5 * drift && drift < 0.5 * at_play))
    }
}

/// What may be the reason: where most of the drift came in the last step, something there; else all steps.
fn cause(error: Error, control: &Control, point: &Point, sudden: bool) -> Error {
    let from = control.dense.from.t;
    let error = match sudden {
        true if control.near_singular => error.note(format!(
            "between t = {from:.9} s and {:.9} s it passes a position in which it can go several ways, such as bars in line",
            point.t
        )),
        true if control.accepted > 1 => error.note(format!(
            "most of it came between t = {from:.9} s and {:.9} s: a load or driver may change suddenly there",
            point.t
        )),
        _ => error,
    };
    error.note("the step is too long, or the tolerance too wide: make [run] step or tolerance smaller")
}

/// Longest step in which no two bodies turn so far against each other that turns could be miscounted.
pub fn longest_step(dynamics: &Dynamics) -> f64 {
    let bodies = dynamics.ws.cache.bodies.iter();
    longest_at(bodies.map(|b| b.w.norm()).fold(0.0, f64::max))
}

/// The same for the largest angular velocity of a body.
pub fn longest_at(spin: f64) -> f64 {
    /// Twice this is the largest relative turn, well under half a turn.
    const TURN: f64 = 1.0;
    TURN / spin.max(f64::MIN_POSITIVE)
}
