//! Measures of one run: read before it, so that it fills the columns that they need, and evaluated after it.

use super::measure::{Look, Measure, Names};
use super::Wanted;
use crate::error::{Error, Reason, Result};
use crate::model::Model;
use crate::results::{significant, Results};
use crate::signal::{with_advice, Choice, Signals};
use crate::units::Kind;

/// What is measured in a run.
#[derive(Debug)]
pub struct Measures {
    wanted: Vec<Wanted>,
    /// Parameters with what is known of their dimension.
    parameters: Vec<(String, Kind)>,
    /// As they are compiled before the run; `None` where only the run itself says which columns there are.
    before: Option<Vec<Measure>>,
}

/// A number out of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// Its name.
    pub name: String,
    /// Its value, in SI.
    pub value: f64,
    /// Its unit; `1` for a number and where the unit is not known.
    pub unit: String,
    /// Largest sample, in magnitude, of what it reduces; zero where it is more than one reduction.
    pub largest: f64,
    /// A time that it asks for and that the run does not have.
    pub outside: Option<f64>,
}

impl Measured {
    /// Its value for people, who are not shown as a figure what rounding leaves of samples known to that part of the largest.
    pub fn told(&self, known_to: f64) -> f64 {
        if self.value.abs() <= known_to * self.largest {
            0.0
        } else {
            self.value
        }
    }

    /// Why it has no value, where it has none.
    ///
    /// # Errors
    /// Where its value is no number.
    pub fn check(&self, found: &Results) -> Result<()> {
        if !self.value.is_nan() {
            return Ok(());
        }
        let ends = found.times().first().zip(found.times().last());
        let error = match (self.outside, ends) {
            (Some(t), Some((first, last))) => {
                let [t, first, last] = [t, *first, *last].map(|t| significant(t, 9));
                Error::new(format!("t = {t} s lies outside of the motion, from t = {first} s to {last} s"))
                    .note("ask for a time within it, or run longer: [run] end, --end")
            }
            _ => Error::new("is not a finite number")
                .note("a sample of what it is made of is infinite or not determined, or an argument leaves the domain of a function"),
        };
        Err(error.because(Reason::NotFinite).of(format!("measure '{}'", self.name)))
    }
}

impl Measures {
    /// Reads measures of a model's run, and has `choice` fill what they need.
    ///
    /// # Errors
    /// Where an expression is at fault, as far as that is known before the run.
    pub fn new(
        model: &Model,
        parameters: Vec<(String, Kind)>,
        wanted: Vec<Wanted>,
        choice: &mut Choice,
    ) -> Result<Measures> {
        let mut measures = Measures { wanted, parameters, before: None };
        if measures.wanted.is_empty() {
            return Ok(measures);
        }
        let signals = Signals::of(model);
        if signals.complete {
            let columns: Vec<(String, String)> =
                signals.all().iter().map(|s| (s.name(model), s.unit().to_string())).collect();
            let before = measures.compiled(model, &columns)?;
            choice.fill(before.iter().flat_map(Measure::columns));
            measures.before = Some(before);
        } else {
            choice.fill([0]);
        }
        Ok(measures)
    }

    fn compiled(&self, model: &Model, columns: &[(String, String)]) -> Result<Vec<Measure>> {
        let names = Names { parameters: &self.parameters, columns };
        let parse = |w: &Wanted| {
            Measure::parse(&w.name, &w.text, w.span.as_ref(), names).map_err(|e| with_advice(e, model, &w.text))
        };
        self.wanted.iter().map(parse).collect()
    }

    /// Their values in a run, as it was found: before columns are taken from it.
    ///
    /// # Errors
    /// Where an expression is at fault and only the run could tell.
    pub fn of(&self, model: &Model, found: &Results) -> Result<Vec<Measured>> {
        if self.wanted.is_empty() {
            return Ok(Vec::new());
        }
        let after;
        let compiled = match &self.before {
            Some(before) => before,
            None => {
                let column = |c: &crate::results::Column| (c.name.clone(), c.unit.to_string());
                after = self.compiled(model, &found.columns.iter().map(column).collect::<Vec<_>>())?;
                &after
            }
        };
        let values: Vec<f64> = model.parameters.iter().map(|p| p.1).collect();
        let told = |m: &Measure| {
            let Look { value, largest, outside } = m.look(&values, found);
            Measured { name: m.name.clone(), value, unit: m.unit.clone(), largest, outside }
        };
        Ok(compiled.iter().map(told).collect())
    }
}
