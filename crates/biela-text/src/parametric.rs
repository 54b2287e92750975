//! A document whose model is bound to values of parameters, one set of them after the other, without reading it again.

use super::context::Options;
use super::document::Document;
use biela_base::error::{Error, Result};
use biela_core::blueprint::{Blueprint, Bound};
use biela_core::model::Model;
use std::borrow::Cow;

/// A document read once, and the parameters that change.
#[derive(Debug)]
pub struct Parametric<'d> {
    document: Cow<'d, Document>,
    options: Options,
    drawn: Option<Box<Drawn>>,
    /// Room for the values of all parameters.
    values: Vec<f64>,
}

#[derive(Debug)]
struct Drawn {
    blueprint: Blueprint,
    model: Model,
    /// Places of the parameters that change, each with its value.
    given: Vec<(usize, f64)>,
    /// Warnings of the values that the model has; those of reading where it was read with them.
    told: Option<Vec<(usize, Error)>>,
}

impl<'d> Parametric<'d> {
    /// The parameters of these names will change. The document is read with their first values.
    pub fn new(
        document: impl Into<Cow<'d, Document>>,
        options: &Options,
        names: impl IntoIterator<Item = String>,
    ) -> Parametric<'d> {
        let mut options = options.clone();
        options.values = names.into_iter().map(|name| (name, f64::NAN)).collect();
        Parametric { document: document.into(), options, drawn: None, values: Vec::new() }
    }

    /// The model with these values, in SI, in the order of the names. What is changed in it besides stays until it is read again, which
    /// happens where a value decides more than numbers, and after an error.
    pub fn bind(&mut self, values: &[f64]) -> Result<&mut Model> {
        let bound = match &mut self.drawn {
            Some(drawn) => {
                drawn.given.iter_mut().zip(values).for_each(|((_, slot), value)| *slot = *value);
                match drawn.blueprint.bind(&drawn.given, &mut self.values, &mut drawn.model) {
                    Ok(Bound::Whole(told)) => {
                        drawn.told = Some(told);
                        true
                    }
                    Ok(Bound::ReadAgain) => false,
                    Err(error) => {
                        self.drawn = None;
                        return Err(error);
                    }
                }
            }
            None => false,
        };
        if !bound {
            self.drawn = None;
            self.drawn = Some(Box::new(self.read(values)?));
        }
        match &mut self.drawn {
            Some(drawn) => Ok(&mut drawn.model),
            None => Err(Error::new("there is no model")),
        }
    }

    /// The same as a model of its own; the document is read again for each until [`Parametric::bind`] has been called.
    pub fn model(&self, values: &[f64]) -> Result<Model> {
        if let Some(drawn) = &self.drawn {
            let mut model = drawn.model.clone();
            let given: Vec<(usize, f64)> = drawn.given.iter().zip(values).map(|(g, value)| (g.0, *value)).collect();
            if let Bound::Whole(_) = drawn.blueprint.bind(&given, &mut Vec::new(), &mut model)? {
                return Ok(model);
            }
        }
        Ok(self.read(values)?.model)
    }

    /// What deserves to be told of the model last bound, in one line each: what reading its text with these values tells.
    pub fn warnings(&self) -> Vec<String> {
        self.drawn.as_ref().map_or_else(Vec::new, |drawn| drawn.blueprint.warnings(drawn.told.as_deref()))
    }

    fn read(&self, values: &[f64]) -> Result<Drawn> {
        let mut options = self.options.clone();
        options.values.iter_mut().zip(values).for_each(|((_, slot), value)| *slot = *value);
        let (mut blueprint, mut model, _) = self.document.draw(&options)?;
        let place = |name: &str| blueprint.parameters.place(name).unwrap_or(usize::MAX);
        let given: Vec<(usize, f64)> = options.values.iter().map(|(name, value)| (place(name), *value)).collect();
        blueprint.narrow(&given, &mut model);
        Ok(Drawn { blueprint, model, given, told: None })
    }
}
