//! A run of forward dynamics from start to end.

use super::checkpoint::Checkpoint;
use super::events::Events;
use super::gaps;
use super::journey::{begin, Journey};
use super::legs;
use super::open::Torques;
use super::sample_forces::SampleForces;
use super::Dynamics;
use crate::error::{Error, Result};
use crate::model::Model;
use crate::results::Results;
use crate::solve::motion::check_drivers;
use crate::solve::outcome::Outcome;
use crate::system::System;

/// Integrates `model` by the formulation of that keyword. `progress` is that of [`crate::solve::kinematics::run`].
pub fn run(model: &Model, formulation: &str, progress: impl FnMut(usize, usize) -> bool) -> Result<Results> {
    run_under(model, formulation, None, progress)
}

/// The same under generalised forces besides the model's loads, for open chains and trees in joint coordinates.
pub fn run_under(
    model: &Model,
    formulation: &str,
    torques: Option<Torques>,
    mut progress: impl FnMut(usize, usize) -> bool,
) -> Result<Results> {
    integrate(model, formulation, (torques, None), &mut progress)?.0.whole()
}

/// As far as the motion goes.
pub fn run_as_far(model: &Model, formulation: &str, progress: &mut dyn FnMut(usize, usize) -> bool) -> Result<Outcome> {
    integrate(model, formulation, (None, None), progress).map(|found| found.0)
}

/// A part of a motion: from where an earlier part was left, or from the start, to the end of the study; and where that leaves it. Between the parts
/// drivers and loads may change: the state is led onto the constraints as they are now, the shortest way.
pub fn go_on(model: &Model, formulation: &str, from: Option<&Checkpoint>) -> Result<(Outcome, Checkpoint)> {
    integrate(model, formulation, (None, from), &mut |_, _| true)
}

/// The work itself, compiled once, whoever hears of its progress.
fn integrate(
    model: &Model,
    formulation: &str,
    (torques, from): (Option<Torques>, Option<&Checkpoint>),
    progress: &mut dyn FnMut(usize, usize) -> bool,
) -> Result<(Outcome, Checkpoint)> {
    let near = model.near();
    let model = near.as_ref().unwrap_or(model);
    if model.rubs() || gaps::any(model) {
        return match torques {
            Some(_) => Err(Error::new(
                "torques besides the loads cannot be given to a model with joint friction or hard stops",
            )
            .note("leave 'friction' and stop = \"hard\" out, or give the torques as loads")),
            None => legs::run(model, formulation, from, progress),
        };
    }
    let study = &model.study;
    let system = System::new(model, formulation)?;
    // What the algorithm cannot do is better heard of before the work than after.
    Dynamics::check_algorithm(&system)?;
    check_drivers(&system, study.start)?;
    let mut told = SampleForces::new(&system)?;
    let (mut dynamics, point, said) = begin(&system, torques, from)?;
    let mut journey = Journey::new(&mut dynamics, point, said)?;
    journey.take_up(from);
    let mut events = Events::new(&system)?;
    let outcome = journey.travel(&mut dynamics, (&mut events, &mut told), progress).map(|_| ());
    journey.happened.append(&mut events.happened);
    journey.notes.extend(told.notes(&system));
    dynamics.keep(&journey.point);
    let checkpoint = journey.checkpoint(&dynamics.ws);
    Ok((journey.finish(outcome, &dynamics)?, checkpoint))
}
