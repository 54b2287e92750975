//! Why a motion cannot be followed any further: what is wrong with a driver, which singular position is met, what stays open.

use super::crossing::locate;
use super::driver_fault::{driver_fault, law_of};
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
            return error;
        }
    }
    let met = locate(stepper, refusal);
    // A driver at the end of its stroke: nothing lies beyond, whichever way the step failed.
    let ends = met.as_ref().is_some_and(|m| !m.crossing);
    // Steps refused for their corners at a crossing are refused because of it.
    let crosses = met.as_ref().is_some_and(|m| m.crossing);
    let refusal = if crosses { Refusal::Singular } else { refusal };
    let error = match refusal {
        Refusal::Singular if !ends => {
            let t = met.as_ref().map_or(stepper.state.t, |m| m.t);
            let message = format!("singular position at t = {t:.10} s: the drivers no longer determine the motion");
            ErrorKind::Singular.error(message).because(Reason::Undetermined).at_time(t)
        }
        Refusal::Contradiction => {
            let row = stepper.ws.worst_row().min(system.constraints.len().saturating_sub(1));
            ErrorKind::Motion
                .error(format!("cannot keep up with the rest: constraints contradict each other at t = {t:.9} s"))
                .because(Reason::Contradiction)
                .of(system.owner_name(system.constraints.owner(row)))
        }
        _ => ErrorKind::Motion
            .error(format!(
                "the motion cannot be followed beyond t = {:.9} s: the loops no longer close",
                stepper.state.t
            ))
            .because(Reason::LoopsOpen),
    };
    let mut error = error.at_time(stepper.state.t).of(format!("mechanism '{}'", system.model.name));
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
