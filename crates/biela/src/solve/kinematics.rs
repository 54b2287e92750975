//! Analyses of a prescribed motion: position, velocity and acceleration at every sample of a run, and, where asked for, the
//! forces that go with them.

use crate::error::{Error, Result};
use crate::model::{Analysis, Model};
use crate::results::Results;
use crate::solve::follow::Follower;
use crate::solve::forces::ForceAnalysis;
use crate::solve::newton::{Method, METHODS};
use crate::solve::signals::{Recorder, Sample};
use crate::system::System;

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
    let run = &model.run;
    let system = System::new(model, formulation)?;
    let mut follower = Follower::with_method(&system, run.start, run.end - run.start, method)?;
    let samples = run.steps + 1;
    let mut forces = match run.analysis {
        Analysis::InverseDynamics => Some(ForceAnalysis::new(&system, true)?),
        Analysis::Statics => Some(ForceAnalysis::new(&system, false)?),
        _ => None,
    };
    let mut recorder = Recorder::new(&system, samples, forces.is_some());
    record(&mut recorder, &mut follower, forces.as_mut())?;
    for k in 1..samples {
        if !progress(k, samples) {
            return Err(Error::new(format!("stopped by the user after {k} of {samples} samples")));
        }
        // The last sample falls on the end exactly, whatever rounding does.
        let t = if k == run.steps { run.end } else { run.start + (run.end - run.start) * k as f64 / run.steps as f64 };
        follower.advance(t)?;
        record(&mut recorder, &mut follower, forces.as_mut())?;
    }
    let mut results = recorder.finish();
    results.notes.push(("model".into(), model.name.clone()));
    results.notes.push(("formulation".into(), formulation.into()));
    results.notes.push(("newton".into(), method.keyword().into()));
    results.notes.push(("newton iterations".into(), follower.iterations.to_string()));
    results.notes.push(("steps".into(), follower.steps.to_string()));
    if let Some(forces) = forces {
        // A moment that inertia and loads leave about a spinning rod's own line, beyond rounding of unit moments.
        const NOTICEABLE: f64 = 1e-9;
        if forces.unbalanced > NOTICEABLE {
            let figure = crate::results::significant(forces.unbalanced, 3);
            results.notes.push((
                "warning".into(),
                format!("a moment of up to {figure} N m about an idle body's own line is not balanced"),
            ));
        }
    }
    Ok(results)
}

/// Records the follower's present state, with its forces where asked for.
fn record(recorder: &mut Recorder, follower: &mut Follower, mut forces: Option<&mut ForceAnalysis>) -> Result<()> {
    let (system, t, residual) = (follower.system, follower.state.t, follower.residual);
    if let Some(forces) = forces.as_deref_mut() {
        forces.evaluate(system, &mut follower.ws, t);
    }
    recorder.record(&Sample { system, ws: &follower.ws, t, residual }, forces.as_deref(), None)
}
