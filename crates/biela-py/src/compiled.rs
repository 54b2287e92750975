//! A mechanism ready to be solved.

use crate::errors::told;
use crate::robot::Robot;
use biela::model::Model as Mechanism;
use biela::text::{Document, Options};
use pyo3::PyResult;
use std::sync::{Arc, OnceLock};

/// A mechanism ready to be solved.
pub struct Compiled {
    pub model: Mechanism,
    pub warnings: Vec<String>,
    robot: OnceLock<biela::Result<Robot>>,
}

impl Compiled {
    pub fn new(document: &Document, options: &Options) -> biela::Result<Arc<Compiled>> {
        let (model, warnings) = document.compile(options)?;
        Ok(Arc::new(Compiled { model, warnings, robot: OnceLock::new() }))
    }

    /// Its tree algorithms, where it has no loops.
    pub fn robot(&self) -> PyResult<&Robot> {
        self.robot.get_or_init(|| Robot::new(&self.model)).as_ref().map_err(|e| told(e.clone()))
    }
}
