//! Optimisation of the goal that a model states.

use crate::errors::{solve, Watch};
use crate::model::{newton_method, Model};
use biela::optimise::Optimisation;
use biela::results::plot;
use biela::text::AskedGoal;
use pyo3::prelude::*;
use std::sync::Mutex;

/// Finds parameters for the model's `[optimise]`: the report as JSON, the model's text with them, the figure where there is one.
#[pyfunction]
#[pyo3(signature = (model, formulation = None, newton = None, threads = None))]
pub fn optimise(
    py: Python<'_>,
    model: &Bound<'_, Model>,
    formulation: Option<String>,
    newton: Option<&str>,
    threads: Option<usize>,
) -> PyResult<(String, String, Option<String>)> {
    let (document, options) = model.get().source();
    let method = newton_method(newton)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.unwrap_or(cores).clamp(1, 1024);
    let watch = Mutex::new(Watch::default());
    // Python hears of signals on one thread alone.
    let caller = std::thread::current().id();
    let outcome = solve(py, || {
        let goal = document.goal(&options, &AskedGoal::default())?;
        let optimisation = Optimisation::new(&*document, &options, goal, formulation.as_deref(), method)?;
        let found = optimisation.solve(threads, &|_| {
            std::thread::current().id() != caller || watch.lock().unwrap_or_else(|p| p.into_inner()).go_on()
        })?;
        let figure = match optimisation.goal.fits.is_empty() {
            true => None,
            false => Some(plot::svg(&optimisation.figure(&found)?)),
        };
        Ok((found.json().to_string(), optimisation.model_text(&found)?, figure))
    });
    match watch.into_inner().unwrap_or_else(|p| p.into_inner()).raised {
        Some(raised) => Err(raised),
        None => outcome,
    }
}
