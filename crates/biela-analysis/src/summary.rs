//! A run as data: how it was found, how well its laws hold, and what deserves to be known. Texts are made from it.

use crate::display_units::DisplayUnits;
use crate::error::counted;
use crate::model::{Analysis, Model};
use crate::results::{significant, Ended, Results};
use crate::signal_name;
use crate::solve::forces::NOT_UNIQUE;
use serde_json::{json, Value};

/// What a run tells besides its columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Name of the model.
    pub model: String,
    /// What was asked for.
    pub analysis: Analysis,
    /// Units in which people read it.
    pub units: DisplayUnits,
    /// Number of samples.
    pub samples: usize,
    /// Time of the first sample.
    pub start: f64,
    /// Time of the last; an event may have ended the run before its time.
    pub end: f64,
    /// Formulation it was solved by.
    pub formulation: String,
    /// What it took.
    pub work: Work,
    /// Largest constraint residual, where that column was asked for.
    pub residual: Option<f64>,
    /// How well energy balances, relative to the energies at play.
    pub energy_drift: Option<f64>,
    /// Events that were met.
    pub events: Vec<String>,
    /// Freedoms that started at rest since nothing else was given.
    pub at_rest: Vec<String>,
    /// Whether an equilibrium is stable.
    pub equilibrium: Option<String>,
    /// Forces that the model leaves open.
    pub not_unique: Vec<String>,
    /// By what the run was verified.
    pub verified: Option<String>,
    /// Warnings, nearly singular positions and singular ones, in the order they were met.
    pub warnings: Vec<String>,
    /// Dead centres of outputs.
    pub dead_centres: Vec<String>,
    /// Where and why the run ended before its time.
    pub ended: Option<Ended>,
}

/// What a run took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Work {
    /// Corrections of positions, by a method.
    Corrections {
        /// How many.
        count: usize,
        /// The method.
        method: String,
    },
    /// Steps of an integration.
    Steps {
        /// How many.
        count: usize,
        /// The method.
        method: String,
        /// How often accelerations were found.
        evaluations: usize,
        /// The algorithm for trees, where one was used.
        algorithm: Option<String>,
    },
}

impl Summary {
    /// Of the results of a model's run.
    pub fn of(model: &Model, found: &Results) -> Summary {
        let text = |key: &str| found.note(key).map(str::to_string);
        let count = |key: &str| found.note(key).and_then(|n| n.parse().ok()).unwrap_or(0);
        let list = |key: &str| found.notes_of(key).flat_map(|names| names.split(", ")).map(str::to_string).collect();
        let lines = |keys: &[&str]| {
            found.notes.iter().filter(|n| keys.contains(&n.0.as_str())).map(|n| n.1.clone()).collect::<Vec<_>>()
        };
        let work = match model.study.analysis {
            Analysis::Dynamics => Work::Steps {
                count: count("steps"),
                method: text("method").unwrap_or_default(),
                evaluations: count("evaluations"),
                algorithm: text("algorithm"),
            },
            _ => Work::Corrections { count: count("newton iterations"), method: text("newton").unwrap_or_default() },
        };
        Summary {
            model: model.name.clone(),
            analysis: model.study.analysis,
            units: model.study.units.clone(),
            samples: found.len(),
            start: model.study.start,
            end: found.times().last().copied().unwrap_or(model.study.end),
            formulation: text("formulation").unwrap_or_default(),
            work,
            residual: found.get(signal_name::RESIDUAL).map(|c| c.data.iter().fold(0.0f64, |m, x| m.max(*x))),
            energy_drift: found.note("energy drift").and_then(|x| x.parse().ok()),
            events: lines(&["event"]),
            at_rest: list("started at rest"),
            equilibrium: text("equilibrium"),
            not_unique: list(NOT_UNIQUE),
            verified: text("verified"),
            warnings: lines(&["warning", "near singular", "singular position"]),
            dead_centres: lines(&["output singularity"]),
            ended: found.ended.clone(),
        }
    }

    /// The run in one line: samples, times, and how they were found.
    pub fn line(&self) -> String {
        let how = match &self.work {
            Work::Steps { count, method, evaluations, algorithm } => {
                let by = algorithm.as_ref().map_or(String::new(), |a| format!(" by {a}"));
                format!("{count} steps of {method}, {evaluations} evaluations{by}")
            }
            Work::Corrections { method, .. } if method.is_empty() => "at rest".into(),
            Work::Corrections { count, method } => format!("{count} corrections ({method})"),
        };
        let time = self.units.scale("s");
        let [start, end] = [self.start, self.end].map(|t| format!("{} {}", significant(time.shown(t), 9), time.unit));
        let when = if self.samples == 1 { format!("at t = {start}") } else { format!("from t = {start} to {end}") };
        format!("{}: {} {when}, {} formulation, {how}", self.model, counted(self.samples, "sample"), self.formulation)
    }

    /// All of it as JSON; what does not apply is left out.
    pub fn json(&self) -> Value {
        let analysis = Analysis::ALL.iter().find(|a| a.1 == self.analysis).map(|a| a.0);
        let work = match &self.work {
            Work::Corrections { count, method } => json!({ "corrections": count, "method": method }),
            Work::Steps { count, method, evaluations, algorithm } => {
                json!({ "steps": count, "method": method, "evaluations": evaluations, "algorithm": algorithm })
            }
        };
        let mut told = json!({
            "model": self.model,
            "analysis": analysis,
            "samples": self.samples,
            "start": self.start,
            "end": self.end,
            "formulation": self.formulation,
            "work": work,
            "warnings": self.warnings,
            "complete": self.ended.is_none(),
        });
        let mut add = |key: &str, value: Value| {
            if value != Value::Null && value != json!([]) {
                told[key] = value;
            }
        };
        add("residual", self.residual.into());
        add("energy_drift", self.energy_drift.into());
        add("events", self.events.clone().into());
        add("at_rest", self.at_rest.clone().into());
        add("equilibrium", self.equilibrium.clone().into());
        add("not_unique", self.not_unique.clone().into());
        add("verified", self.verified.clone().into());
        add("dead_centres", self.dead_centres.clone().into());
        add("ended", self.ended.as_ref().map(Ended::json).into());
        told
    }
}
