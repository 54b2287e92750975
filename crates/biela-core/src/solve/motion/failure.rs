//! Why a motion cannot be followed any further: what is wrong with a driver, which singular position is met, what stays open.

use super::crossing::locate;
use super::driver_fault::{driver_fault, law_of};
use super::lead::{leading, led_by, value_in_words, SINGULAR};
use super::stepper::{Refusal, Stepper};
use crate::drivers::Driver;
use crate::error::{Error, ErrorKind, Reason};
use crate::results::significant;
use crate::solve::assemble::open_owners;
use crate::solve::singularity::Policy;

/// A motion so fast that samples say nothing about it.
pub(super) fn endless(stepper: &Stepper, steps: usize) -> Error {
    let system = stepper.system;
    let rate = |d: &&Driver| law_of(d).map_or(0.0, |law| law.jet(stepper.state.t).d.abs());
    let fastest = system.model.drivers.iter().max_by(|a, b| rate(a).total_cmp(&rate(b)));
    let error = ErrorKind::Capacity
        .error(format!("moves too fast at t = {:.9} s: more than {steps} steps since the last sample", stepper.state.t))
        .because(Reason::TooFast)
        .at_time(stepper.state.t)
        .note("give [run] more steps, so that samples lie closer, or end before");
    match fastest {
        Some(driver) => error.of(format!("driver '{}'", driver.name)).at_opt(driver.span.as_ref()),
        None => error.of(format!("mechanism '{}'", system.model.name)),
    }
}

/// Says where and why the motion ends.
pub(super) fn failure(stepper: &mut Stepper, t: f64, refusal: Refusal, policy: Policy) -> Error {
    let system = stepper.system;
    for driver in system.model.drivers.iter() {
        // The step last refused is the one that held the fault; `t` may be nearer.
        if let Some(error) = driver_fault(driver, stepper.state.t, stepper.trial.t.max(t)) {
            let driver = system.model.drivers.iter().position(|d| d.name == driver.name);
            return led_by(error, system, driver, ErrorKind::Drive.word());
        }
    }
    let met = locate(stepper, refusal);
    // A driver at the end of its stroke: nothing lies beyond, whichever way the step failed.
    let ends = met.as_ref().is_some_and(|m| !m.crossing);
    // Steps refused for their corners at a crossing are refused because of it.
    let crosses = met.as_ref().is_some_and(|m| m.crossing);
    let refusal = if crosses { Refusal::Singular } else { refusal };
    let stop = met.as_ref().filter(|m| m.crossing).map_or(stepper.state.t, |m| m.t);
    let driver = leading(stepper);
    let at = |t: f64| match driver.and_then(|k| Some((k, law_of(&system.model.drivers[k])?.jet(t).v))) {
        Some((k, value)) if value.is_finite() => format!(", {}", value_in_words(system.model, k, value)),
        _ => String::new(),
    };
    let (error, reason) = match refusal {
        Refusal::Singular if !ends => {
            let at = at(stop);
            let message =
                format!("singular position at t = {stop:.10} s{at}: the drivers no longer determine the motion");
            (ErrorKind::Singular.error(message).because(Reason::Undetermined).at_time(stop), SINGULAR)
        }
        Refusal::Contradiction => {
            let row = stepper.ws.worst_row().min(system.constraints.len().saturating_sub(1));
            let message =
                format!("cannot keep up with the rest: constraints contradict each other at t = {t:.9} s{}", at(stop));
            let owner = system.owner_name(system.constraints.owner(row));
            let error = ErrorKind::Motion.error(message).because(Reason::Contradiction).of(owner);
            (error, ErrorKind::Motion.word())
        }
        _ => {
            let (t, at) = (stepper.state.t, at(stop));
            let message = format!("the motion cannot be followed beyond t = {t:.9} s{at}: the loops no longer close");
            // Where a driver comes to the end of its stroke, that is a singular position.
            let error = ErrorKind::Motion.error(message).because(Reason::LoopsOpen);
            (error, if ends { SINGULAR } else { ErrorKind::Motion.word() })
        }
    };
    let error = error.at_time(stepper.state.t).of(format!("mechanism '{}'", system.model.name));
    let mut error = led_by(error, system, driver, reason);
    if let Some(driver) = driver.map(|k| &system.model.drivers[k].name) {
        error = error.note(format!("driver '{driver}' leads there"));
    }
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
        if policy == Policy::Pass {
            error = error.note("no smooth continuation was found beyond it");
        } else if refusal == Refusal::Singular {
            error = error.note("--singular pass goes straight on");
        }
    }
    stepper.ws.realize_position(system, stepper.trial.t, &stepper.trial.q);
    let open = open_owners(system, &stepper.ws);
    for (owner, gap) in open.into_iter().take(3) {
        error = error.note(format!("at t = {:.9} s {} stays open by {gap}", stepper.trial.t, system.owner_name(owner)));
    }
    error.note(format!(
        "largest residual accepted is {:e}; last good position at t = {:.9} s",
        stepper.ws.accepted, stepper.state.t
    ))
}
