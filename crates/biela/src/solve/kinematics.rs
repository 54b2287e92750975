//! Kinematic analysis: position, velocity and acceleration at every sample of a run.

use crate::error::{Error, Result};
use crate::model::{Model, Singular};
use crate::results::{significant, Results};
use crate::solve::follow::Follower;
use crate::solve::modes::Identity;
use crate::solve::newton::{Method, METHODS};
use crate::solve::signals::Recorder;
use crate::solve::singularity;
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
    follower.at_singular(run.singular);
    let samples = run.steps + 1;
    let identity = Identity::new(&system, &mut follower.ws, run.start);
    let mut recorder = Recorder::new(&system, samples);
    recorder.carry(identity.clone());
    recorder.record(&mut follower)?;
    for k in 1..samples {
        if !progress(k, samples) {
            return Err(Error::new(format!("stopped by the user after {k} of {samples} samples")));
        }
        // The last sample falls on the end exactly, whatever rounding does.
        let t = if k == run.steps { run.end } else { run.start + (run.end - run.start) * k as f64 / run.steps as f64 };
        follower.advance(t)?;
        recorder.record(&mut follower)?;
    }
    let mut results = recorder.finish();
    results.notes.push(("model".into(), model.name.clone()));
    results.notes.push(("formulation".into(), formulation.into()));
    results.notes.push(("newton".into(), method.keyword().into()));
    results.notes.push(("newton iterations".into(), follower.iterations.to_string()));
    results.notes.push(("steps".into(), follower.steps.to_string()));
    results.notes.push(("mode".into(), identity.words));
    for met in &follower.met {
        let (what, t) = (met.kind.words(), met.t);
        let done = if run.singular == Singular::Damp { "where drivers give way" } else { "passed straight on" };
        results.notes.push(("singular position".into(), format!("{what} at t = {t:.10} s, {done}")));
    }
    if let Some((distance, t)) = follower.nearest.filter(|n| n.0 < singularity::NEAR) {
        let text = format!(
            "near a singular position at t = {} s: distance {}, where 1 is far and 0 singular",
            significant(t, 9),
            significant(distance, 3)
        );
        results.notes.push(("near singular".into(), text));
    }
    Ok(results)
}
