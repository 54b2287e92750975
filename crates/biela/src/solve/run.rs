//! A run of any analysis: the one door that programs, sweeps and bindings go through.

use crate::error::Result;
use crate::model::{Analysis, Model};
use crate::results::Results;
use crate::solve::newton::Method;
use crate::solve::{forward, kinematics, state_space, vibration};
use crate::system::FORMULATIONS;

/// Solves `model` by the analysis that it asks for, in the formulation of that keyword, with positions of driven motions
/// corrected by `method`. `progress` hears the number of samples done and in all; it may end the run by returning false.
pub fn run(
    model: &Model,
    formulation: &str,
    method: &'static dyn Method,
    progress: impl FnMut(usize, usize) -> bool,
) -> Result<Results> {
    match model.run.analysis {
        Analysis::Kinematics | Analysis::InverseDynamics | Analysis::Statics => {
            kinematics::run_with(model, formulation, method, progress)
        }
        Analysis::Dynamics => forward::run(model, formulation, progress),
        Analysis::Modes => vibration::run(model, formulation),
        Analysis::StateSpace => state_space::run(model, formulation, progress),
    }
}

/// The formulation that a model is solved by where nobody asks for another: its own choice, or the first there is.
pub fn formulation_of(model: &Model) -> &str {
    // Algorithms of trees work in joint coordinates.
    let default = if model.run.algorithm.is_some() { "relative" } else { FORMULATIONS[0].keyword };
    model.run.formulation.as_deref().unwrap_or(default)
}
