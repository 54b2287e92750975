//! Sweeps: the same model run with many values of its parameters.
//!
//! ```text
//! Document + Plan ──► Sweep ──chunk k──► Rows ──► parts ──join──► table · statistics · figure
//! ```
//! A chunk depends on the document, the plan and its own number alone, so that chunks can be computed on any thread or
//! machine and in any order, and the table comes out the same.
//!
//! | file | idea |
//! |---|---|
//! | `sample` | one sample: bind, run, measure; a fault becomes a reason with its class |
//! | `engine` | chunks on all cores |
//! | `statistics` | percentiles, failures, sensitivities |
//! | `figure` | histogram and scatter, or a curve over the grid |

mod engine;
mod figure;
mod sample;
mod statistics;

pub use engine::{run, Progress, Work};
pub use figure::figure;
pub(crate) use figure::{crosses, extent};
pub(crate) use statistics::aligned;
pub use statistics::{Failure, Gather, Influence, Statistics, Summary, SHARES};

use crate::display_units::Scale;
use crate::error::{Error, Result};
use crate::model::{Model, Study};
use crate::plan::measure::{Measure, Names};
use crate::plan::{random, Plan, Wanted};
use crate::results::rows::{Header, Rows};
use crate::results::{any_claim_met, check_room, Results};
use crate::signal::{self, Element, Level, Signal};
use crate::signal_name;
use crate::solve::designs::Designs;
use crate::solve::newton::{Method, METHODS};
use crate::solve::run::{self as analysis, formulation_of};
use crate::system::{resolve, AUTO};
use crate::text::{Document, Options};
use crate::tree;
use sample::Sampler;
use std::borrow::Cow;
use std::sync::Arc;

/// A plan made ready for one model: everything that its samples have in common.
#[derive(Debug)]
pub struct Sweep<'d> {
    /// The model's text.
    pub document: Cow<'d, Document>,
    /// How it is read.
    pub options: Options,
    /// What varies, and what is measured.
    pub plan: Plan,
    /// Formulation that the samples are solved by.
    pub formulation: String,
    /// How positions are corrected.
    pub method: &'static dyn Method,
    /// Names and units of the table, and its notes.
    pub header: Header,
    /// How people read the values of each column: parameters in the units in which they were written.
    pub shown: Vec<Scale>,
    measures: Vec<Measure>,
    /// Columns of a run that are kept whole.
    series: Vec<usize>,
    /// Columns of a run that matter, with their names.
    needed: Vec<(usize, String)>,
    filled: Arc<[bool]>,
    /// Whether signals on request are among them.
    every: bool,
    /// How samples are run side by side, where they are of such a kind …
    beside: Option<Designs>,
    /// … and by which registers; none where each is to be run alone.
    pub level: Option<tree::Level>,
}

/// How values of these columns are shown; the first are parameters.
fn shown(model: &Model, columns: &[(String, String)], varied: usize) -> Vec<Scale> {
    let own =
        |name: &str| model.parameters.iter().position(|p| p.0 == name).and_then(|k| model.parameter_scales.get(k));
    let units = &model.study.units;
    let scale = |(k, (name, unit)): (usize, &(String, String))| match own(name)
        .filter(|scale| k < varied && !scale.unit.is_empty())
    {
        Some(scale) => scale.clone(),
        None => units.scale(unit),
    };
    columns.iter().enumerate().map(scale).collect()
}

impl<'d> Sweep<'d> {
    /// Makes a plan ready. The model is run once as it stands to learn its signals; where it cannot, the first sample that
    /// can takes its place. The document is borrowed, or the sweep's own.
    pub fn new(
        document: impl Into<Cow<'d, Document>>,
        options: &Options,
        mut plan: Plan,
        formulation: Option<&str>,
        method: &'static dyn Method,
    ) -> Result<Sweep<'d>> {
        let document = document.into();
        let parameters = document.parameter_kinds(options)?;
        let example = example(&document, options, &plan, formulation, method)?;
        let columns: Vec<(String, String)> =
            example.1.columns.iter().map(|c| (c.name.clone(), c.unit.to_string())).collect();
        let told = columns_of_full_run(&example.0, &example.1);
        if plan.measures.is_empty() && plan.series.is_empty() {
            plan.measures = usual(&example.0, &example.1);
        }
        let names = Names { parameters: &parameters, columns: &columns };
        let parse = |m: &Wanted| Measure::parse(&m.name, &m.text, m.span.as_ref(), names);
        let measures = plan.measures.iter().map(parse).collect::<Result<Vec<Measure>>>()?;
        let mut series = Vec::new();
        for pattern in &plan.series {
            let names: Vec<&str> = columns.iter().map(|c| c.0.as_str()).collect();
            let places = signal::chosen(&names, told, &[pattern.as_str()])?;
            series.extend(places.into_iter().filter(|k| !series.contains(k)).collect::<Vec<_>>());
        }
        let mut header: Vec<(String, String)> =
            plan.variations.iter().map(|v| (v.name.clone(), v.unit.clone())).collect();
        header.extend(measures.iter().map(|m| (m.name.clone(), m.unit.clone())));
        header.extend(series.iter().map(|k| columns[*k].clone()));
        for (k, (name, _)) in header.iter().enumerate() {
            if header[..k].iter().any(|c| c.0 == *name) {
                return Err(Error::new(format!("two columns are called '{name}'")));
            }
        }
        if !series.is_empty() {
            // A chunk is kept in memory until it is done.
            let rows = (example.1.len() as u64).saturating_mul(plan.chunk().min(plan.samples));
            check_room(header.len() + 2, usize::try_from(rows).unwrap_or(usize::MAX), Study::ROOM).map_err(|e| {
                Error::new(format!(
                    "whole signals of {} samples at a time: {}",
                    plan.chunk().min(plan.samples),
                    e.message()
                ))
                .note("keep fewer signals, or ask for fewer steps")
            })?;
        }
        let mut filled = vec![false; columns.len()];
        measures.iter().flat_map(Measure::columns).chain(series.iter().copied()).for_each(|k| filled[k] = true);
        let every = filled[told..].contains(&true);
        filled.truncate(if every { columns.len() } else { told });
        let needed = (0..filled.len()).filter(|k| filled[*k]).map(|k| (k, columns[k].0.clone())).collect();
        let mut sweep = Sweep {
            document,
            options: options.clone(),
            formulation: settled(&example.0, formulation),
            method,
            shown: shown(&example.0, &header, plan.variations.len()),
            plan,
            header: Header { columns: header, notes: Vec::new() },
            measures,
            series,
            needed,
            filled: filled.into(),
            every,
            beside: None,
            level: Some(tree::Level::detect()),
        };
        sweep.header.notes = vec![
            ("model".into(), example.0.name.clone()),
            ("plan".into(), sweep.plan.words()),
            ("fingerprint".into(), sweep.fingerprint()),
        ];
        sweep.beside = side_by_side(example.0, formulation, method, (&sweep.filled, every));
        Ok(sweep)
    }

    /// The rows of a chunk; nothing but the document, the plan and the number decides them.
    pub fn chunk(&self, chunk: u64) -> Rows {
        self.chunk_with(chunk, &mut |_| true).unwrap_or_default()
    }

    /// The same. `progress` hears of every sample and may end the work by returning false; then there are no rows.
    pub fn chunk_with(&self, chunk: u64, progress: &mut dyn FnMut(u64) -> bool) -> Option<Rows> {
        self.chunk_by(&mut Sampler::new(self), chunk, progress)
    }

    /// The same by who has run others before: values are put into the model that is there.
    fn chunk_by(&self, sampler: &mut Sampler, chunk: u64, progress: &mut dyn FnMut(u64) -> bool) -> Option<Rows> {
        let mut rows = Rows::new(self.header.columns.len());
        let mut samples = self.plan.samples_of(chunk);
        while !samples.is_empty() {
            let next = samples.start..(samples.start + sampler.width()).min(samples.end);
            samples.start = next.end;
            sampler.run_all(next.clone(), &mut rows);
            for sample in next {
                if !progress(sample) {
                    return None;
                }
            }
        }
        Some(rows)
    }

    /// What is told about the sweep, for programs.
    pub fn report(&self, statistics: &Statistics) -> serde_json::Value {
        let vary: serde_json::Map<String, serde_json::Value> =
            self.plan.variations.iter().map(|v| (v.name.clone(), v.spread.words().into())).collect();
        let mut report = statistics.json();
        report["model"] = self.header.note("model").into();
        report["sampling"] = self.plan.sampling.keyword.into();
        report["seed"] = self.plan.seed.into();
        report["vary"] = vary.into();
        report["fingerprint"] = self.header.note("fingerprint").into();
        report
    }

    /// Whether samples are run side by side.
    pub fn is_abreast(&self) -> bool {
        self.beside.is_some() && self.level.is_some()
    }

    /// Number of the varied parameters, which are the first columns.
    pub fn varied(&self) -> usize {
        self.plan.variations.len()
    }

    /// Tells sweeps apart: by the text of the model, what it is read with, the plan, and the program's version.
    fn fingerprint(&self) -> String {
        // Units are a matter of whoever reads.
        let options = Options { values: Vec::new(), units: None, ..self.options.clone() };
        let text = format!(
            "{}\n{}\n{options:?}\n{}\n{:?}\n{}\n{:?}",
            env!("CARGO_PKG_VERSION"),
            self.document.contents(),
            self.plan.words(),
            self.formulation,
            self.method.keyword(),
            self.header.columns,
        );
        format!("{:016x}", random::hash(text.as_bytes()))
    }
}

/// The formulation of all samples: what is asked for, by the word or by the model, or what the rule of `auto` takes for the model as it stands.
pub(crate) fn settled(model: &Model, asked: Option<&str>) -> String {
    resolve(model, asked.unwrap_or(formulation_of(model))).to_string()
}

/// How designs of a model are run side by side for these columns: where nothing but its motion is asked for (of a linkage of dyads the forces in it too), and
/// nobody chose coordinates or a method to solve it by.
pub(crate) fn side_by_side(
    mut model: Model,
    asked: Option<&str>,
    method: &'static dyn Method,
    (filled, every): (&Arc<[bool]>, bool),
) -> Option<Designs> {
    if asked.unwrap_or(formulation_of(&model)) != AUTO || method.keyword() != METHODS[0].keyword() {
        return None;
    }
    model.study.make_one_of_many(filled.clone(), every);
    let formulation = settled(&model, asked);
    Designs::of_runs(&model, &formulation, method)
}

/// How many of the columns of a run in which every signal is told a full run has: signals on request stand behind them.
pub(crate) fn columns_of_full_run(model: &Model, found: &Results) -> usize {
    let on_request = |name: &str| Signal::parse(model, name).is_some_and(|s| s.is_on_request());
    found.columns.iter().take_while(|c| !on_request(&c.name)).count()
}

/// A model and its run that show which signals there are, those on request among them.
pub(crate) fn example(
    document: &Document,
    options: &Options,
    plan: &Plan,
    formulation: Option<&str>,
    method: &'static dyn Method,
) -> Result<(Model, Results)> {
    /// Samples that are tried where the model as it stands cannot be run.
    const TRIES: u64 = 64;
    let attempt = |options: &Options| -> Result<(Model, Results)> {
        let mut model = document.model(options)?;
        model.study.every = true;
        let results = analysis::run(&model, formulation.unwrap_or(formulation_of(&model)), method, |_, _| true)?;
        Ok((model, results))
    };
    let first = match attempt(options) {
        Ok(found) => return Ok(found),
        Err(error) if any_claim_met() => return Err(error),
        Err(error) => error,
    };
    let mut values = Vec::new();
    for sample in 0..plan.samples.min(TRIES) {
        plan.values(sample, &mut values);
        let names = plan.variations.iter().map(|v| v.name.clone());
        let given = Options { values: names.zip(values.iter().copied()).collect(), ..options.clone() };
        if let Ok(found) = attempt(&given) {
            return Ok(found);
        }
    }
    Err(first.note("neither the model as it stands nor any of the first samples can be run"))
}

/// What is measured where nothing is asked for: the extremes of the signals that the model names, or of its joint
/// coordinates and efforts.
fn usual(model: &Model, results: &Results) -> Vec<Wanted> {
    let patterns: Vec<&str> = model.study.signals.iter().map(String::as_str).collect();
    let chosen = match patterns.is_empty() {
        false => {
            let names: Vec<&str> = results.columns.iter().map(|c| c.name.as_str()).collect();
            signal::chosen(&names, columns_of_full_run(model, results), &patterns).unwrap_or_default()
        }
        true => Vec::new(),
    };
    let coordinate = |name: &str| {
        let is = |s: Signal| matches!(s.element, Element::Coordinate(..)) && s.level() == Some(Level::Position);
        Signal::parse(model, name).is_some_and(is)
    };
    let names: Vec<&str> = match chosen.is_empty() {
        false => chosen.iter().map(|k| results.columns[*k].name.as_str()).filter(|n| *n != "t").collect(),
        true => {
            let telling = |n: &&str| coordinate(n) || signal_name::is_effort(n) || *n == "frequency";
            results.columns.iter().map(|c| c.name.as_str()).filter(telling).collect()
        }
    };
    let wanted = |name: &&str| {
        ["min", "max"].map(|word| Wanted {
            name: format!("{word}({name})"),
            text: format!("{word}({name})"),
            span: None,
        })
    };
    names.iter().flat_map(wanted).collect()
}
