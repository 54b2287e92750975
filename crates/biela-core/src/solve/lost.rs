//! Why a motion cannot be followed any further: what is wrong with a driver, which singular position is met, what stays open.

use crate::drivers::{Driver, Target};
use crate::error::{Error, Result};
use crate::motion::Motion;
use crate::results::significant;
use crate::solve::assemble::open_owners;
use crate::solve::follow::{Follower, Refusal, MOST_STEPS};
use crate::solve::singularity::Policy;
use crate::system::System;

impl Follower<'_> {
    /// A motion so fast that samples say nothing about it.
    pub(super) fn endless(&self) -> Error {
        let system = self.system;
        let rate = |d: &&Driver| law_of(d).map_or(0.0, |law| law.jet(self.state.t).d.abs());
        let fastest = system.model.drivers.iter().max_by(|a, b| rate(a).total_cmp(&rate(b)));
        let error = Error::new(format!(
            "moves too fast at t = {:.9} s: more than {MOST_STEPS} steps since the last sample",
            self.state.t
        ))
        .note("give [run] more steps, so that samples lie closer, or end before");
        match fastest {
            Some(driver) => error.of(format!("driver '{}'", driver.name)).at_opt(driver.span.as_ref()),
            None => error.of(format!("mechanism '{}'", system.model.name)),
        }
    }

    /// Says where and why the motion ends.
    pub(super) fn failure(&mut self, t: f64, refusal: Refusal) -> Error {
        let system = self.system;
        for driver in &system.model.drivers {
            // The step last refused is the one that held the fault; `t` may be nearer.
            if let Some(error) = driver_fault(driver, self.state.t, self.trial.t.max(t)) {
                return error;
            }
        }
        let met = self.locate(refusal);
        // A driver at the end of its stroke: nothing lies beyond, whichever way the step failed.
        let ends = met.as_ref().is_some_and(|m| !m.crossing);
        // Steps refused for their corners at a crossing are refused because of it.
        let crosses = met.as_ref().is_some_and(|m| m.crossing);
        let refusal = if crosses { Refusal::Singular } else { refusal };
        let error = match refusal {
            Refusal::Singular if !ends => Error::new(format!(
                "singular position at t = {:.10} s: the drivers no longer determine the motion",
                met.as_ref().map_or(self.state.t, |m| m.t)
            )),
            Refusal::Contradiction => {
                let row = self.ws.worst_row().min(system.constraints.len().saturating_sub(1));
                Error::new(format!(
                    "constraints contradict each other at t = {t:.9} s: {} cannot keep up with the rest",
                    system.owner_name(system.constraints.owner(row))
                ))
            }
            _ => Error::new(format!(
                "the motion cannot be followed beyond t = {:.9} s: the loops no longer close",
                self.state.t
            )),
        };
        let mut error = error.of(format!("mechanism '{}'", system.model.name));
        if let Some(met) = met {
            error = error.note(format!("{} at t = {:.10} s", met.kind.words(), met.t));
            if let Some((t, distance)) = met.approached.filter(|a| a.0 < met.t) {
                error = error.note(format!(
                    "approached since t = {} s, where the distance to it was {}",
                    significant(t, 9),
                    significant(distance, 3)
                ));
            }
            if !met.loose.is_empty() {
                error = error.note(format!("what it leaves undecided: {}", met.loose.join(", ")));
            }
            if self.policy == Policy::Pass {
                error = error.note("no smooth continuation was found beyond it");
            } else if refusal == Refusal::Singular {
                error = error.note("--singular pass goes straight on");
            }
        }
        self.ws.realize_position(system, self.trial.t, &self.trial.q);
        let open = open_owners(system, &self.ws);
        for (owner, gap) in open.into_iter().take(3) {
            error =
                error.note(format!("at t = {:.9} s {} stays open by {gap}", self.trial.t, system.owner_name(owner)));
        }
        error.note(format!(
            "largest residual accepted is {:e}; last good position at t = {:.9} s",
            self.ws.accepted, self.state.t
        ))
    }
}

/// Refuses drivers without a finite value, rate and acceleration at time `t`.
pub(crate) fn check_drivers(system: &System, t: f64) -> Result<()> {
    match system.model.drivers.iter().find_map(|d| driver_fault(d, t, t)) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// The law of a driver, where it may jump. Euler parameters may change their sign without meaning another orientation.
fn law_of(driver: &Driver) -> Option<&Motion> {
    match &driver.target {
        Target::Coordinate { value, .. } | Target::Rotor { value, .. } | Target::Point { value, .. } => Some(value),
        Target::Orientation { .. } => None,
    }
}

/// By how much a driver's value changes between `before` and `t` beyond what its rates explain. A continuous law that is
/// taken for a jump passes once the step is short enough.
pub(super) fn jump(driver: &Driver, before: f64, t: f64) -> Option<f64> {
    /// Simpson's rule on the rates is off by more than this fraction where a law jumps; at a kink it is off by a third of
    /// the change in rate at most.
    const FRACTION: f64 = 0.5;
    /// Roundings of the law's value.
    const ROUNDING: f64 = 1e-12;
    let law = law_of(driver)?;
    let (then, now) = (law.jet(before), law.jet(t));
    if t <= before || (now.v - then.v).abs() <= ROUNDING * then.v.abs().max(now.v.abs()) {
        return None;
    }
    let middle = law.jet(before + 0.5 * (t - before));
    let explained = (t - before) * (then.d + 4.0 * middle.d + now.d) / 6.0;
    let most = (t - before) * then.d.abs().max(middle.d.abs()).max(now.d.abs());
    let change = (now.v - then.v - explained).abs();
    (change > FRACTION * most + ROUNDING * then.v.abs().max(now.v.abs())).then_some(change)
}

/// A driver whose law has no finite value at `t`, or jumps between `before` and `t`.
pub(super) fn driver_fault(driver: &Driver, before: f64, t: f64) -> Option<Error> {
    let law = law_of(driver)?;
    let name = format!("driver '{}'", driver.name);
    let now = law.jet(t);
    if !(now.v.is_finite() && now.d.is_finite() && now.dd.is_finite()) {
        let mut error = Error::new(format!("has no finite value, rate and acceleration at t = {t:.9} s"));
        if let Some((low, high)) = law.range() {
            error = error.note(format!("its table covers t = {low} s to {high} s"));
        }
        return Some(error.of(name).at_opt(driver.span.as_ref()));
    }
    let change = jump(driver, before, t)?;
    let error = Error::new(format!("jumps by {} at t = {t:.9} s", significant(change, 4)))
        .of(name)
        .at_opt(driver.span.as_ref());
    Some(
        error.note(
            "a driven coordinate must move continuously; an angle that goes on turning is not brought back by 2*pi",
        ),
    )
}
