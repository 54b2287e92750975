//! A run of any analysis: the one door that programs, sweeps and bindings go through.

use crate::error::{Error, Result};
use crate::model::{Analysis, Model, Study};
use crate::results::Results;
use crate::solve::motion::value_at;
use crate::solve::newton::Method;
use crate::solve::outcome::Outcome;
use crate::solve::{forward, kinematics, statics};
use crate::system::{resolve, AUTO, FORMULATIONS};
use crate::{assembly_modes, state_space, vibration};

/// Solves `model` by the analysis that it asks for, in the formulation of that keyword, with positions of driven motions
/// corrected by `method`. `progress` hears the number of samples done and in all; it may end the run by returning false.
pub fn run(
    model: &Model,
    formulation: &str,
    method: &'static dyn Method,
    progress: impl FnMut(usize, usize) -> bool,
) -> Result<Results> {
    run_as_far(model, formulation, method, progress)?.whole()
}

/// The same as far as the motion goes: where it ends before its time, the samples up to there come with what ended it.
///
/// # Errors
/// Where there is no sample at all, and where the user ended the run.
pub fn run_as_far(
    model: &Model,
    formulation: &str,
    method: &'static dyn Method,
    mut progress: impl FnMut(usize, usize) -> bool,
) -> Result<Outcome> {
    let chosen = assembly_modes::chosen(model)?;
    let model = chosen.as_ref().unwrap_or(model);
    let formulation = resolve(model, formulation);
    let mut outcome = solve(model, formulation, method, &mut progress).map_err(|e| named(e, model))?;
    outcome.ended = outcome.ended.map(|e| named(e, model));
    if let Some(mark) = &mut outcome.results.ended {
        // Far from the ground's origin points are counted from nearby, and so are drivers of them; the mark is the model's own.
        let driver = model.drivers.iter().position(|d| Some(&d.name) == mark.driver.as_ref());
        mark.value = driver.filter(|_| mark.value.is_some()).and_then(|k| value_at(model, k, mark.t)).or(mark.value);
    }
    Ok(outcome)
}

/// The same, with errors as the analysis tells them.
pub(super) fn solve(
    model: &Model,
    formulation: &str,
    method: &'static dyn Method,
    progress: &mut dyn FnMut(usize, usize) -> bool,
) -> Result<Outcome> {
    if matches!(model.study.analysis, Analysis::Statics | Analysis::Modes | Analysis::StateSpace) {
        refuse_rigid(model)?;
    }
    match model.study.analysis {
        Analysis::Kinematics | Analysis::InverseDynamics => kinematics::follow(model, formulation, method, progress),
        Analysis::Statics => statics::run(model, formulation, method, progress),
        Analysis::Dynamics => forward::run_as_far(model, formulation, progress),
        Analysis::Modes => vibration::run(model, formulation).map(|results| Outcome { results, ended: None }),
        Analysis::StateSpace => state_space::run_as_far(model, formulation, progress),
    }
}

/// Contacts that do not give way.
fn refuse_rigid(model: &Model) -> Result<()> {
    match model.contacts.iter().find(|contact| contact.is_rigid()) {
        Some(contact) => Err(Error::new("a rigid contact is solved in motions under forces alone")
            .of(format!("contact '{}'", contact.name))
            .at_opt(contact.span.as_ref())
            .note("give it 'stiffness' and 'damping', with which it presses in every analysis; or write analysis = \"dynamics\"")),
        None => Ok(()),
    }
}

/// An error that names neither an element nor a place is one of the mechanism as a whole.
pub(super) fn named(error: Error, model: &Model) -> Error {
    match error.span() {
        None => error.of(format!("mechanism '{}'", model.name)),
        Some(_) => error,
    }
}

/// Solves `model` for a picture or a report, as far as it goes: with forces where it states gravity and all masses, asks for its motion
/// alone, and they can be told all the way; else by its own analysis. The model comes back with the analysis that was made.
pub fn run_with_forces(
    mut model: Model,
    formulation: &str,
    method: &'static dyn Method,
    mut progress: impl FnMut(usize, usize) -> bool,
) -> Result<(Model, Outcome)> {
    let progress: &mut dyn FnMut(usize, usize) -> bool = &mut progress;
    if matches!(model.study.analysis, Analysis::Modes | Analysis::StateSpace) {
        return Err(Error::new("natural modes and state-space matrices are not drawn")
            .note("choose a motion, such as --analysis dynamics"));
    }
    let weighty = model.gravity.is_some() && model.bodies[1..].iter().all(|b| b.mass.is_some());
    let mut loaded = None;
    if model.study.analysis == Analysis::Kinematics && weighty {
        model.study.analysis = Analysis::InverseDynamics;
        let mut ended = false;
        let found = run_as_far(&model, formulation, method, |done, all| {
            ended = !progress(done, all);
            !ended
        });
        match found {
            Ok(found) if found.ended.is_none() => return Ok((model, found)),
            Ok(found) => loaded = Some(found),
            Err(error) if ended => return Err(error),
            Err(_) => model.study.analysis = Analysis::Kinematics,
        }
    }
    if let Some(found) = loaded {
        // Forces that cannot be told any further do not end the motion.
        let alone = model.with_study(Study { analysis: Analysis::Kinematics, ..model.study.clone() });
        let motion = run_as_far(&alone, formulation, method, progress)?;
        return Ok(match motion.results.len() > found.results.len() || motion.ended.is_none() {
            true => (alone, motion),
            false => (model, found),
        });
    }
    let found = run_as_far(&model, formulation, method, progress)?;
    Ok((model, found))
}

/// The word of the formulation that a model is solved by where nobody asks for another: its own choice, or `auto`.
pub fn formulation_of(model: &Model) -> &str {
    model.study.formulation.as_deref().unwrap_or(AUTO)
}

/// The formulation that a model is counted in: what was asked for, else the model's own choice, else the first there is.
pub fn counted_in<'a>(model: &'a Model, asked: Option<&'a str>) -> &'a str {
    asked.or(model.study.formulation.as_deref().filter(|word| *word != AUTO)).unwrap_or(FORMULATIONS[0].keyword)
}

/// The formulation that results were found by, as they tell it.
pub fn solved_by(results: &Results) -> Option<&str> {
    results.notes.iter().find(|(key, _)| key == "formulation").map(|(_, word)| word.as_str())
}
