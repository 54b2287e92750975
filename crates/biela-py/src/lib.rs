//! The Python package `biela`: models, runs, results and tree algorithms over NumPy arrays.
//!
//! Rust holds what is computed; `python/biela/` holds what is pleasant in Python alone (models built in code, notebooks,
//! clusters). Solvers run without the interpreter's lock, and every fault is an exception.

mod arrays;
mod compiled;
mod errors;
mod model;
mod optimise;
mod results;
mod robot;
mod robot_calls;
mod robot_dynamics;
mod robot_tasks;
mod sweep;
mod tree_calls;
mod tree_values;

use pyo3::prelude::*;

/// The compiled part of `biela`.
#[pymodule]
fn _biela(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    for (name, exception) in errors::exceptions(m.py()) {
        m.add(name, exception)?;
    }
    m.add_class::<model::Model>()?;
    m.add_class::<results::Results>()?;
    m.add_class::<robot_calls::Robot>()?;
    m.add_class::<sweep::Sweep>()?;
    m.add_function(wrap_pyfunction!(optimise::optimise, m)?)?;
    m.add_function(wrap_pyfunction!(results::read, m)?)?;
    m.add_function(wrap_pyfunction!(sweep::read_table, m)?)
}
