//! A mechanism ready to be solved.

use crate::errors::told;
use crate::robot::Arm;
use biela::blueprint::{Blueprint, Bound as BoundTo};
use biela::model::Model as Mechanism;
use biela::text::{Document, Options};
use pyo3::PyResult;
use std::sync::{Arc, OnceLock};

/// A mechanism ready to be solved.
pub struct Compiled {
    blueprint: Blueprint,
    pub model: Mechanism,
    pub warnings: Vec<String>,
    arm: OnceLock<biela::Result<Arm>>,
}

impl Compiled {
    pub fn new(document: &Document, options: &Options) -> biela::Result<Arc<Compiled>> {
        let (blueprint, model, warnings) = document.draw(options)?;
        Ok(Arc::new(Compiled { blueprint, model, warnings, arm: OnceLock::new() }))
    }

    /// The same mechanism with other values of parameters, without reading its text again. `options` have these values already, for
    /// parameters that decide more than numbers.
    pub fn bound(&self, document: &Document, options: &Options) -> biela::Result<Arc<Compiled>> {
        let mut given = Vec::new();
        for (name, value) in &options.values {
            let names = self.blueprint.parameters.names();
            let place = names.iter().position(|n| n == name).ok_or_else(|| {
                biela::Error::new(format!("the model has no parameter '{name}'"))
                    .suggest(name, names.iter().map(String::as_str))
            })?;
            if !value.is_finite() {
                return Err(biela::Error::new("it is not a finite number").of(format!("parameter '{name}'")));
            }
            given.push((place, *value));
        }
        let mut model = self.model.clone();
        match self.blueprint.bind(&given, &mut Vec::new(), &mut model)? {
            BoundTo::ReadAgain => Compiled::new(document, options),
            BoundTo::Whole(told) => {
                let (blueprint, warnings) = (self.blueprint.clone(), self.blueprint.warnings(Some(&told)));
                Ok(Arc::new(Compiled { blueprint, model, warnings, arm: OnceLock::new() }))
            }
        }
    }

    /// Its tree algorithms, where it has no loops.
    pub fn arm(&self) -> PyResult<&Arm> {
        self.arm.get_or_init(|| Arm::new(&self.model)).as_ref().map_err(|e| told(e.clone()))
    }
}
