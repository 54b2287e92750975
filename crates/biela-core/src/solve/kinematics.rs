//! Analyses of a prescribed motion: position, velocity and acceleration at every sample of a run, and, where asked for, the
//! forces that go with them.

use crate::error::{ErrorKind, Result};
use crate::math::Pose;
use crate::model::{Analysis, Model};
use crate::results::{significant, Results};
use crate::signal::{Extent, Signals};
use crate::solve::assemble::misfit_warning;
use crate::solve::branch::Identity;
use crate::solve::finite_mobility;
use crate::solve::forces::ForceAnalysis;
use crate::solve::mobility;
use crate::solve::motion::{Follower, LimitWatch, Outputs, Stepper};
use crate::solve::newton::{Method, METHODS};
use crate::solve::outcome::{ended, Outcome};
use crate::solve::recorder::{Recorder, Sample};
use crate::solve::samples::{samples, stopped, time};
use crate::solve::singularity;
use crate::system::{System, Turns};

/// Runs `model` by the formulation of that keyword. `progress` hears the number of samples done and in all; it may end the
/// run by returning false.
pub fn run(model: &Model, formulation: &str, progress: impl FnMut(usize, usize) -> bool) -> Result<Results> {
    run_with(model, formulation, METHODS[0], progress)
}

/// The same, with positions corrected by a method of one's choice.
pub fn run_with(
    model: &Model,
    formulation: &str,
    method: &'static dyn Method,
    mut progress: impl FnMut(usize, usize) -> bool,
) -> Result<Results> {
    follow(model, formulation, method, &mut progress)?.whole()
}

/// Where a prescribed motion was left, so that another run can go on from there on the same branch, with the turns counted so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Stance {
    /// Poses of all bodies, ground first.
    pub poses: Vec<Pose>,
    /// Coordinates and velocities, in the formulation of the run.
    pub q: Vec<f64>,
    /// See `q`.
    pub v: Vec<f64>,
    /// Turns counted.
    pub turns: Turns,
    /// Distance to singularity: 1 where rows are as independent as can be, 0 where they are not.
    pub distance: f64,
}

/// A part of a prescribed motion: from the poses of the model's guess with these turns counted, or from the start, to the end of the study; and where
/// that leaves it.
pub fn go_on(model: &Model, formulation: &str, from: Option<&Turns>) -> Result<(Outcome, Stance)> {
    let near = model.near();
    let model = near.as_ref().unwrap_or(model);
    let mut part = Part { from, left: None };
    let outcome = followed(model, formulation, METHODS[0], Some(&mut part), &mut |_, _| true)?;
    let left = part.left.ok_or_else(|| ErrorKind::Capacity.error("the motion has been left nowhere"))?;
    Ok((outcome, left))
}

/// A part of a motion: turns to count on from, and where it was left.
struct Part<'a> {
    from: Option<&'a Turns>,
    left: Option<Stance>,
}

/// The work itself, compiled once, whoever hears of its progress: as far as the motion goes.
pub fn follow(
    model: &Model,
    formulation: &str,
    method: &'static dyn Method,
    progress: &mut dyn FnMut(usize, usize) -> bool,
) -> Result<Outcome> {
    let near = model.near();
    let model = near.as_ref().unwrap_or(model);
    followed(model, formulation, method, None, progress)
}

/// The motion of a model whose reference points are near.
fn followed(
    model: &Model,
    formulation: &str,
    method: &'static dyn Method,
    part: Option<&mut Part>,
    progress: &mut dyn FnMut(usize, usize) -> bool,
) -> Result<Outcome> {
    let study = &model.study;
    let system = System::new(model, formulation)?;
    let mut follower = Follower::with_method(&system, study.start, study.end - study.start, method)?;
    if let Some(turns) = part.as_ref().and_then(|part| part.from).filter(|turns| turns.fit(&system)) {
        follower.stepper.count_on(turns);
    }
    follower.at_singular(study.singular);
    if !study.silent {
        let counted = mobility::count(&system, &mut follower.stepper.ws, study.start);
        finite_mobility::refuse_fixed(&system, &follower.stepper.ws, study.start, &counted)?;
        follower.watch_outputs()?;
    }
    let stops = LimitWatch::of_stops(&system);
    if let Some(stops) = &stops {
        stops.refuse_beyond(&mut follower)?;
    }
    let samples = samples(model);
    let mut forces = match study.analysis {
        Analysis::InverseDynamics => Some(ForceAnalysis::new(&system, true)?),
        Analysis::Statics => Some(ForceAnalysis::new(&system, false)?),
        _ => None,
    };
    let mut recorder = Recorder::new(&system, samples, Signals::with(model, Extent::of(study)))?;
    let watched = !study.silent || recorder.watches();
    let mut words = String::new();
    if watched {
        let identity = Identity::new(&system, &mut follower.stepper.ws, study.start);
        words.clone_from(&identity.words);
        recorder.carry(identity);
    }
    record(&mut recorder, &mut follower, forces.as_mut(), watched)?;
    let mut end = None;
    for k in 1..samples {
        if !progress(k, samples) {
            return Err(stopped(k, samples));
        }
        let mut sample = || {
            match &stops {
                None => follower.advance_bodies(time(model, k))?,
                Some(stops) => stops.advance(&mut follower, time(model, k))?,
            }
            record(&mut recorder, &mut follower, forces.as_mut(), watched)
        };
        if let Err(error) = ended(sample(), k)? {
            end = Some(error);
            break;
        }
    }
    let mut results = recorder.finish(model);
    let largest = results.extremes("residual").map_or(0.0, |r| r.greatest);
    results.notes.extend(misfit_warning(&follower.stepper.ws, largest));
    tell(&mut results, &mut follower, method);
    results.tell("mode", words);
    tell_singular(&mut results, &mut follower);
    if let Some(forces) = forces {
        results.notes.extend(forces.notes(&system));
    }
    if let Some(part) = part {
        part.left = Some(stance(&mut follower));
    }
    Ok(Outcome::new(results, end))
}

/// Where a follower is.
fn stance(follower: &mut Follower) -> Stance {
    follower.stepper.settle();
    let distance = follower.distance();
    let Stepper { ws, state, .. } = &follower.stepper;
    let poses = ws.cache.bodies.iter().map(|body| body.pose).collect();
    Stance { poses, q: state.q.clone(), v: state.v.clone(), turns: Turns::of(ws), distance }
}

/// Tells how the motion was found.
fn tell(results: &mut Results, follower: &mut Follower, method: &dyn Method) {
    let system = follower.stepper.system;
    results.tell("model", system.model.name.clone());
    results.tell("formulation", system.formulation.name());
    results.tell("newton", method.keyword());
    results.tell("newton iterations", follower.stepper.iterations.to_string());
    results.tell("steps", follower.stepper.steps.to_string());
}

/// Tells positions in which drivers or outputs are singular, and how near others are.
fn tell_singular(results: &mut Results, follower: &mut Follower) {
    for met in &follower.met {
        let (what, t) = (met.kind.words(), met.t);
        let done = if met.damped { "where drivers give way" } else { "passed straight on" };
        let since = met.approached.map_or(String::new(), |(t, distance)| {
            format!("; approached since t = {} s, distance {} then", significant(t, 9), significant(distance, 3))
        });
        results.tell("singular position", format!("{what} at t = {t:.10} s, {done}{since}"));
    }
    for still in follower.outputs.take().map(Outputs::finish).unwrap_or_default() {
        let (what, name, t) = (singularity::Kind::Output.words(), still.output, still.t);
        results.tell("output singularity", format!("{what}: {name} stands still at t = {t:.10} s"));
    }
    if let Some((distance, t)) = follower.nearest.filter(|n| n.0 < singularity::NEAR) {
        let text = format!(
            "near a singular position at t = {} s: distance {}, where 1 is far and 0 singular",
            significant(t, 9),
            significant(distance, 3)
        );
        results.tell("near singular", text);
    }
}

/// Records the follower's present state, with its forces where asked for, and its distance to singularity where `watched`.
fn record(
    recorder: &mut Recorder,
    follower: &mut Follower,
    mut forces: Option<&mut ForceAnalysis>,
    watched: bool,
) -> Result<()> {
    if forces.is_some() || recorder.reads_coordinates() {
        follower.stepper.settle();
    }
    let Stepper { system, state, residual, .. } = &follower.stepper;
    let (system, t, residual) = (*system, state.t, *residual);
    if let Some(forces) = forces.as_deref_mut() {
        forces.evaluate_asked(recorder.asked(), system, &mut follower.stepper.ws, t)?;
    }
    if watched {
        let distance = follower.watch();
        recorder.tell(distance, follower.lag);
    }
    recorder.record(&Sample { system, ws: &follower.stepper.ws, t, residual }, forces.as_deref(), None)
}
