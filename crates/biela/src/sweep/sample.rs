//! One sample: the model bound to its values, run and measured. What goes wrong is a reason in its row, with its class.

use super::Sweep;
use crate::error::{Error, Reason, Result};
use crate::failure::FailureClass;
use crate::model::Model;
use crate::results::rows::Rows;
use crate::results::{Column, Results};
use crate::solve::designs::Group;
use crate::solve::run::run;
use crate::text::Parametric;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// Runs samples one after the other, or side by side where the sweep knows how.
pub(super) struct Sampler<'s, 'd> {
    sweep: &'s Sweep<'d>,
    parametric: Parametric<'s>,
    values: Vec<f64>,
    abreast: Option<Abreast<'s>>,
}

/// Samples side by side.
struct Abreast<'s> {
    group: Group<'s>,
    /// Lane by lane: whether it is taken, and values of the varied parameters and of all.
    seated: Vec<(bool, [Vec<f64>; 2])>,
    /// The columns of one of them, and room for each measure.
    results: Results,
    room: Vec<Vec<f64>>,
}

impl<'s> Abreast<'s> {
    fn new(sweep: &'s Sweep) -> Option<Abreast<'s>> {
        let plan = sweep.beside.as_ref()?;
        let group = Group::new(plan, sweep.level?);
        let seated = vec![Default::default(); group.width()];
        let room = vec![Vec::new(); sweep.measures.len()];
        Some(Abreast { group, seated, results: plan.table(), room })
    }
}

impl<'s, 'd> Sampler<'s, 'd> {
    pub fn new(sweep: &'s Sweep<'d>) -> Sampler<'s, 'd> {
        let names = sweep.plan.variations.iter().map(|v| v.name.clone());
        let parametric = Parametric::new(&*sweep.document, &sweep.options, names);
        Sampler { sweep, parametric, values: Vec::new(), abreast: Abreast::new(sweep) }
    }

    /// How many samples are best run at a time.
    pub fn width(&self) -> u64 {
        self.abreast.as_ref().map_or(1, |abreast| abreast.seated.len() as u64)
    }

    /// Adds the rows of samples that follow each other, as many as are run at a time, or fewer.
    pub fn run_all(&mut self, samples: std::ops::Range<u64>, rows: &mut Rows) {
        let Some(mut abreast) = self.abreast.take() else {
            samples.for_each(|sample| self.run(sample, rows));
            return;
        };
        let followed = catch_unwind(AssertUnwindSafe(|| {
            abreast.seated.iter_mut().for_each(|lane| lane.0 = false);
            for (lane, sample) in samples.clone().enumerate() {
                self.seat(lane, sample, &mut abreast);
            }
            abreast.group.run();
        }));
        for (lane, sample) in samples.enumerate() {
            let whole = followed.is_ok() && abreast.seated[lane].0 && abreast.group.is_whole(lane);
            if !(whole && self.tell(lane, sample, &mut abreast, rows)) {
                self.run(sample, rows);
            }
        }
        self.abreast = Some(abreast);
    }

    /// Puts a sample into a lane, where it can be.
    fn seat(&mut self, lane: usize, sample: u64, abreast: &mut Abreast) {
        self.sweep.plan.values(sample, &mut self.values);
        if !self.values.iter().all(|x| x.is_finite()) {
            return;
        }
        let Ok(model) = self.parametric.bind(&self.values) else { return };
        if abreast.group.seat(lane, model) {
            let (taken, [values, parameters]) = &mut abreast.seated[lane];
            *taken = true;
            values.clone_from(&self.values);
            parameters.clear();
            parameters.extend(model.parameters.iter().map(|p| p.1));
        }
    }

    /// Adds the rows of a sample that has been run beside others; false where it is better run alone.
    fn tell(&mut self, lane: usize, sample: u64, abreast: &mut Abreast, rows: &mut Rows) -> bool {
        let Sweep { measures, series, .. } = self.sweep;
        let Abreast { group, seated, results, room } = abreast;
        let [values, parameters] = &seated[lane].1;
        group.fill(lane, results);
        if !series.is_empty() {
            for row in 0..results.len() {
                let signals = series.iter().map(|k| results.columns[*k].data[row]);
                rows.push(sample, values.iter().copied().chain(signals), "");
            }
            return true;
        }
        let each = measures.iter().zip(room);
        let measured: Vec<f64> = each.map(|(m, room)| m.evaluate_in(parameters, results, room)).collect();
        let finite = measured.iter().all(|x| x.is_finite());
        if finite {
            rows.push(sample, values.iter().copied().chain(measured), "");
        }
        finite
    }

    /// Adds the row, or the rows, of a sample.
    pub fn run(&mut self, sample: u64, rows: &mut Rows) {
        self.sweep.plan.values(sample, &mut self.values);
        // Even a fault of the program itself is one sample's, not the end of a night's work.
        let outcome = catch_unwind(AssertUnwindSafe(|| self.attempt(sample, rows)));
        let error = match outcome {
            Ok(Ok(())) => return,
            Ok(Err(error)) => error,
            Err(_) => Error::new("the program itself failed").because(Reason::Program),
        };
        rows.push_failed(sample, self.values.iter().copied(), &reason(&error), FailureClass::of(&error));
    }

    fn attempt(&mut self, sample: u64, rows: &mut Rows) -> Result<()> {
        let Sweep { plan, method, measures, series, needed, formulation, .. } = self.sweep;
        if let Some(k) = self.values.iter().position(|x| !x.is_finite()) {
            let name = format!("parameter '{}'", plan.variations[k].name);
            return Err(Error::new("is not finite").because(Reason::NotFinite).of(name));
        }
        let model = self.parametric.bind(&self.values)?;
        model.study.make_one_of_many(self.sweep.filled.clone(), self.sweep.every);
        let solved = |model: &Model| run(model, formulation, *method, |_, _| true);
        let mut results = solved(model)?;
        if needed.iter().any(|(k, name)| results.columns.get(*k).is_none_or(|c| c.name != *name)) {
            // A parameter that decides how many elements there are has moved the columns.
            model.study.filled = None;
            results = arranged(solved(model)?, needed)?;
        }
        if !series.is_empty() {
            for row in 0..results.len() {
                let signals = series.iter().map(|k| results.columns[*k].data[row]);
                rows.push(sample, self.values.iter().copied().chain(signals), "");
            }
            return Ok(());
        }
        let parameters: Vec<f64> = model.parameters.iter().map(|p| p.1).collect();
        let measured: Vec<f64> = measures.iter().map(|m| m.evaluate(&parameters, &results)).collect();
        if let Some(k) = measured.iter().position(|x| !x.is_finite()) {
            let error = Error::new("is not a finite number").because(Reason::NotFinite);
            return Err(error.of(format!("measure '{}'", measures[k].name)));
        }
        rows.push(sample, self.values.iter().copied().chain(measured), "");
        Ok(())
    }
}

/// An error in one line, without the numbers' last digits being lost and without its place in the text.
fn reason(error: &Error) -> String {
    let message = match error.element() {
        Some(element) => format!("{element}: {}", error.message()),
        None => error.message().to_string(),
    };
    message.replace(['\n', '\r'], " ")
}

/// The columns that are needed, each at its place; the time stays the first.
fn arranged(found: Results, needed: &[(usize, String)]) -> Result<Results> {
    let places = 1 + needed.iter().map(|(k, _)| *k).max().unwrap_or(0);
    let mut columns = vec![Column { name: String::new(), unit: "1", data: Vec::new() }; places];
    for (k, name) in needed {
        let Some(column) = found.get(name) else {
            let error = Error::new("this run does not have it where the others do");
            return Err(error.because(Reason::MissingSignal).of(format!("signal '{name}'")));
        };
        columns[*k] = column.clone();
    }
    if let Some(time) = found.columns.first() {
        columns[0] = time.clone();
    }
    Ok(Results { columns, ..found })
}
