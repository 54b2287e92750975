//! Mechanisms that nothing drives, as files of other programs hold them: those say what there is, and not what to compute.

use crate::error::Result;
use crate::model::Model;
use crate::signal::{Extent, Signals};
use crate::solve::assemble::assemble;
use crate::solve::mobility;
use crate::solve::outcome::Outcome;
use crate::solve::recorder::{Recorder, Sample};
use crate::system::{System, Workspace};

/// How many freedoms no driver leads at the start; those that move one body alone not counted.
pub fn undriven(model: &Model) -> Result<usize> {
    let chosen = crate::assembly_modes::chosen(model)?;
    let model = chosen.as_ref().unwrap_or(model);
    let system = System::new(model, "absolute")?;
    let mut ws = Workspace::new(&system);
    let t = model.study.start;
    let q = assemble(&system, &mut ws, t)?;
    ws.realize_position(&system, t, &q);
    Ok(mobility::count(&system, &mut ws, t).undriven)
}

/// The model without drivers as it stands at the start: one sample of a motion whose velocities and accelerations are zero.
pub fn standing(model: &Model) -> Result<Outcome> {
    let chosen = crate::assembly_modes::chosen(model)?;
    let model = chosen.as_ref().unwrap_or(model).with_drivers(Vec::new());
    let system = System::new(&model, "absolute")?;
    let mut ws = Workspace::new(&system);
    let t = model.study.start;
    let q = assemble(&system, &mut ws, t)?;
    let residual = ws.realize_position(&system, t, &q);
    let still = vec![0.0; system.formulation.nv()];
    ws.realize_velocity(&system, t, &still);
    ws.realize_acceleration(&system, t, &still);
    let mut recorder = Recorder::new(&system, 1, Signals::with(&model, Extent::of(&model.study)))?;
    recorder.record(&Sample { system: &system, ws: &ws, t, residual }, None, None)?;
    let mut results = recorder.finish(&model);
    results.tell("model", model.name.clone());
    results.tell("formulation", system.formulation.name());
    Ok(Outcome { results, ended: None })
}
