//! Forces without inertia. Freedoms that no driver holds are for the loads to settle: where they balance, within joint limits.

pub mod equilibrium;
mod limits;

use crate::error::Result;
use crate::model::Model;
use crate::solve::kinematics;
use crate::solve::newton::Method;
use crate::solve::outcome::Outcome;
use crate::system::System;
use equilibrium::Equilibrium;
pub use limits::refuse_beyond;

/// Runs `model` as far as it goes; `progress` is that of [`kinematics::run`].
pub fn run(
    model: &Model,
    formulation: &str,
    method: &'static dyn Method,
    progress: &mut dyn FnMut(usize, usize) -> bool,
) -> Result<Outcome> {
    let near = model.near();
    let model = near.as_ref().unwrap_or(model);
    let system = System::new(model, formulation)?;
    match Equilibrium::new(&system, model.study.start)? {
        Some(_) => limits::run(model, formulation, method, progress),
        None => kinematics::follow(model, formulation, method, progress),
    }
}
