//! Every shipped model × every formulation × every analysis: a result, or a refusal in words. Never a panic, never without end.
//!
//! Each case goes through the one door of runs, with few samples, and once more with its drivers let go under gravity. What the formulations
//! give is compared with what the first of them gives. The outcome is the table of `docs/models-by-analysis.md`:
//! ```console
//! $ BLESS=1 cargo test --release --test audit shipped
//! ```
//! writes it anew.

use crate::record::{held, OTHER};
use biela::math::Vec3;
use biela::model::{Analysis, Model};
use biela::results::{Column, Results};
use biela::solve::check::check;
use biela::solve::forces::NOT_UNIQUE;
use biela::solve::newton::METHODS;
use biela::solve::run::run;
use biela::system::formulations;
use biela::text::{Document, Options};
use std::fmt::Write;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::time::Duration;

/// Samples of each run, less one: enough to move.
const STEPS: usize = 10;
/// Fraction of its time for which a model moves under forces: long enough to leave the start, short enough for 492 runs.
const SHARE: f64 = 0.05;
/// Tolerance of the adaptive method in these runs.
const TOLERANCE: f64 = 1e-10;
/// A case that takes longer has no end: the slowest takes a tenth of a second.
const ENDLESS: Duration = Duration::from_secs(120);

/// Largest relative difference between formulations, with its reason.
fn agreement(analysis: Analysis) -> f64 {
    match analysis {
        // Accelerations of positions that close to 1e-12, in mechanisms of conditions up to 1e3; as in `verify`.
        Analysis::Kinematics | Analysis::InverseDynamics | Analysis::Statics => 1e-8,
        // Each integrates within its own tolerance per step, some ten of them, and accelerations multiply what they are off.
        Analysis::Dynamics => 1e4 * TOLERANCE,
        // Frequencies and matrices by central differences of accelerations: rounding over the displacement.
        Analysis::Modes | Analysis::StateSpace => 1e-5,
    }
}

/// The page of the table, from the root of the repository.
const PAGE: &str = "docs/models-by-analysis.md";

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every shipped model, by the name under which it is listed.
fn models() -> Vec<(String, Model)> {
    let folder = root().join("models");
    let entries =
        |at: &Path| std::fs::read_dir(at).expect("a folder").map(|e| e.expect("an entry").path()).collect::<Vec<_>>();
    let mut paths: Vec<PathBuf> =
        entries(&folder).into_iter().filter(|p| p.extension().is_some_and(|e| e == "toml")).collect();
    paths.extend(entries(&folder.join("thesis")));
    paths.sort();
    let named = |path: &PathBuf| {
        let name = path.strip_prefix(&folder).expect("below").with_extension("").display().to_string();
        let model = Document::read(path, &Options::default()).and_then(|d| d.model(&Options::default()));
        (name, model.unwrap_or_else(|e| panic!("{}: {e}", path.display())))
    };
    paths.iter().map(named).collect()
}

/// What came of a case.
enum Outcome {
    Result(Box<Results>),
    Refused(String),
    Panicked,
}

/// One analysis of a model as it is in these runs.
fn prepared(model: &Model, analysis: Analysis) -> Model {
    let mut model = model.clone();
    model.study.analysis = analysis;
    model.study.steps = STEPS;
    model.study.tolerance = TOLERANCE;
    if matches!(analysis, Analysis::Dynamics | Analysis::StateSpace) {
        model.study.end = model.study.start + SHARE * (model.study.end - model.study.start);
    }
    model
}

/// All formulations of one analysis, in a thread of its own that must come to an end.
fn outcomes(name: &str, model: &Model, analysis: Analysis) -> Vec<(&'static str, Outcome)> {
    let (send, receive) = channel();
    let prepared = prepared(model, analysis);
    std::thread::spawn(move || {
        for formulation in formulations() {
            let case = || run(&prepared, formulation.keyword, METHODS[0], |_, _| true);
            let outcome = match catch_unwind(AssertUnwindSafe(case)) {
                Ok(Ok(found)) => Outcome::Result(Box::new(found)),
                Ok(Err(error)) => Outcome::Refused(error.message().to_string()),
                Err(_) => Outcome::Panicked,
            };
            let _ = send.send((formulation.keyword, outcome));
        }
    });
    let next = |k: &'static biela::system::FormulationType| {
        receive.recv_timeout(ENDLESS).unwrap_or_else(|_| panic!("{name}, {analysis:?} by {}: no end", k.keyword))
    };
    formulations().map(next).collect()
}

/// Signals that are not compared: what tells of the way to a result, and what idle spins and redundant constraints leave open.
fn is_compared(column: &Column, open: &[String]) -> bool {
    let ways = ["t", "residual", "mode", "singularity", "lag", "energy.drift"];
    // Of natural modes the frequencies: shapes may have either sign, and rounding decides whether zero is damped.
    let shape = column.name.ends_with(".re") || column.name.ends_with(".im");
    let mode = shape || ["real", "imaginary", "damping"].contains(&column.name.as_str());
    !mode
        && !ways.contains(&column.name.as_str())
        && !open.iter().any(|prefix| column.name.starts_with(prefix.as_str()))
}

/// Names or beginnings of names of signals that a model leaves open.
fn open_signals(model: &Model, first: &Results) -> Vec<String> {
    let mut open: Vec<String> = first.notes_of(NOT_UNIQUE).flat_map(|n| n.split(", ")).map(String::from).collect();
    if let Ok(report) = check(model, "absolute") {
        for idle in &report.idle {
            open.push(format!("{idle}."));
            let joints = model.joints.iter().filter(|j| model.bodies[j.bodies[1]].name == *idle);
            open.extend(joints.map(|j| format!("{}.local.", j.name)));
        }
    }
    open
}

/// What signals of each unit are measured by: their largest magnitude, or what follows from the levels beside it where a whole level
/// is rounding (no acceleration at constant speed, no moment in a plane).
struct Scales<'r> {
    results: &'r Results,
    span: f64,
    length: f64,
    weight: f64,
}

impl Scales<'_> {
    fn most(&self, unit: &str) -> f64 {
        let columns = self.results.columns.iter().filter(|c| c.unit == unit && c.name != "t");
        columns.flat_map(|c| &c.data).fold(f64::MIN_POSITIVE, |m, x| m.max(x.abs()))
    }

    fn of(&self, unit: &str) -> f64 {
        let length = || self.most("m").max(self.length);
        match unit {
            "1" | "rad" => self.most(unit).max(1.0),
            "m" => length(),
            "rad/s" => self.most(unit).max(1.0 / self.span),
            "m/s" => self.most(unit).max(length() * self.of("rad/s")),
            "rad/s^2" => self.most(unit).max(self.of("rad/s").powi(2)),
            "m/s^2" => self.most(unit).max(length() * self.of("rad/s^2")),
            "N" => self.most(unit).max(self.weight),
            "N*m" => self.most(unit).max(self.of("N") * length()),
            "J" => self.most(unit).max(self.weight * length()),
            _ => self.most(unit),
        }
    }
}

/// Largest difference of two results, relative to the signal's largest magnitude or a thousandth of its unit's scale.
fn difference(model: &Model, a: &Results, b: &Results) -> (f64, String) {
    const SMALL: f64 = 1e-3;
    let open = open_signals(model, a);
    let mass: f64 = model.bodies.iter().filter_map(|b| b.mass).map(|m| m.mass).sum();
    let weight = mass * model.gravity.map_or(0.0, |g| g.norm());
    let points = model.joints.iter().flat_map(|j| j.frames.iter().map(|f| f.origin.norm()));
    let length = points.fold(0.0, f64::max);
    let mut scales = Scales { results: a, span: model.study.end - model.study.start, length, weight };
    // Where nothing has weight, what it takes to move all of it as it moves.
    if weight == 0.0 {
        scales.weight = mass * scales.of("m/s^2");
    }
    let mut worst = (0.0, String::new());
    for column in a.columns.iter().filter(|c| is_compared(c, &open)) {
        let Some(other) = b.get(&column.name) else { continue };
        let own = column.data.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        let scale = own.max(SMALL * scales.of(column.unit));
        let parts = column.data.iter().zip(&other.data).map(|(x, y)| (x - y).abs() / scale);
        let off = parts.fold(0.0, |m: f64, x| if x <= m { m } else { x });
        if off.is_nan() || off > worst.0 {
            worst = (off, column.name.clone());
        }
    }
    if a.len() != b.len() {
        worst = (f64::INFINITY, format!("{} and {} samples", a.len(), b.len()));
    }
    worst
}

/// True where formulations may come to rest in different equilibria: nothing says which is meant.
fn may_differ(analysis: Analysis, let_go: bool) -> bool {
    analysis == Analysis::Modes || (analysis == Analysis::Statics && let_go)
}

/// True where an equilibrium is sought far from where the model is drawn: whether one is found is a matter of the way there.
fn seeks(analysis: Analysis, let_go: bool) -> bool {
    let_go && matches!(analysis, Analysis::Modes | Analysis::Statics)
}

/// Results compare where they mean the same: state-space matrices where their states are joint coordinates, the same ones.
fn comparable(a: &Results, b: &Results, analysis: Analysis) -> bool {
    let states = a.note("states").unwrap_or_default();
    analysis != Analysis::StateSpace || (b.note("states") == Some(states) && !states.contains("freedom "))
}

/// What a table says of a refusal: its first words, without figures and without the formulation's name.
fn short(message: &str) -> String {
    let first = message.split([':', ';']).next().unwrap_or(message);
    let mut words: Vec<&str> = first.split(' ').collect();
    if let Some(at) = words.windows(2).position(|w| w == ["at", "t"]) {
        words.truncate(at);
    }
    let word = |w: &&str| match formulations().any(|f| f.keyword == *w) {
        true => "given".to_string(),
        false => w.to_string(),
    };
    words.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// A table of all models, and the reasons that it names by numbers.
struct Table {
    text: String,
    reasons: Vec<String>,
    cases: usize,
    results: usize,
    /// Cases of which the table says no more than that they end in good order.
    sought: usize,
}

impl Table {
    fn reason(&mut self, words: String) -> usize {
        let known = self.reasons.iter().position(|r| *r == words);
        known.unwrap_or_else(|| {
            self.reasons.push(words);
            self.reasons.len() - 1
        }) + 1
    }

    /// The cell of one analysis: letters of formulations with a result, then what the others say.
    fn cell(&mut self, found: &[(&'static str, Outcome)], apart: &[&str]) -> String {
        self.cases += found.len();
        let before = self.results;
        let (mut letters, mut others) = (String::new(), Vec::new());
        for (formulation, outcome) in found {
            match outcome {
                Outcome::Result(_) => {
                    self.results += 1;
                    letters.push_str(letter(formulation));
                    if apart.contains(formulation) {
                        letters.push('*');
                    }
                }
                Outcome::Refused(words) => others.push(self.reason(short(words))),
                Outcome::Panicked => others.push(self.reason("panic".into())),
            }
        }
        others.sort_unstable();
        others.dedup();
        if self.results - before == found.len() && apart.is_empty() {
            letters = "all".into();
        }
        let others: Vec<String> = others.iter().map(|n| format!("[{n}]")).collect();
        [letters, others.concat()].iter().filter(|s| !s.is_empty()).cloned().collect::<Vec<_>>().join(" ")
    }
}

fn letter(formulation: &str) -> &'static str {
    match formulation {
        "absolute" => "A",
        "natural" => "N",
        "relative" => "R",
        "relative-euler" => "E",
        "relative-matrix" => "M",
        "homogeneous" => "H",
        other => panic!("the formulation '{other}' needs a letter in the table"),
    }
}

/// Runs all models and writes a line for each. Panics are gathered; differences beyond the agreement fail at once.
fn table(models: &[(String, Model)], let_go: bool, table: &mut Table, panicked: &mut Vec<String>) {
    let heads: Vec<&str> = Analysis::ALL.iter().map(|a| a.0).collect();
    let _ = writeln!(table.text, "| model | {} |\n|---|{}", heads.join(" | "), "---|".repeat(heads.len()));
    for (name, model) in models {
        let mut model = model.clone();
        if let_go {
            model = model.released();
            model.change_mechanism(|m| m.gravity = m.gravity.or(Some(Vec3::new(0.0, -9.81, 0.0))));
        }
        let mut cells = Vec::new();
        for (word, analysis) in Analysis::ALL {
            let found = outcomes(name, &model, analysis);
            let mut results = found.iter().filter_map(|(f, outcome)| match outcome {
                Outcome::Result(results) => Some((f, results)),
                _ => None,
            });
            let first = results.next();
            let mut apart = Vec::new();
            for (formulation, other) in results {
                let Some((_, first)) = first.filter(|f| comparable(f.1, other, analysis)) else { continue };
                let (off, signal) = difference(&prepared(&model, analysis), first, other);
                if !may_differ(analysis, let_go) {
                    let detail = format_args!("{name}, {word} by {formulation}: {signal}");
                    held(OTHER, word, agreement(analysis), off, detail);
                } else if off.is_nan() || off > agreement(analysis) {
                    apart.push(*formulation);
                }
            }
            let lost = found.iter().filter(|(_, outcome)| matches!(outcome, Outcome::Panicked));
            panicked.extend(lost.map(|(formulation, _)| format!("{name}, {word} by {formulation}")));
            if seeks(analysis, let_go) {
                table.sought += found.len();
                cells.push("either".into());
                continue;
            }
            cells.push(table.cell(&found, &apart));
        }
        let _ = writeln!(table.text, "| {name} | {} |", cells.join(" | "));
    }
}

/// The page: both tables and their legend.
fn page(models: &[(String, Model)]) -> (String, Vec<String>) {
    let mut panicked = Vec::new();
    let mut driven = Table { text: String::new(), reasons: Vec::new(), cases: 0, results: 0, sought: 0 };
    table(models, false, &mut driven, &mut panicked);
    let shipped = std::mem::take(&mut driven.text);
    let mut loose = driven;
    table(models, true, &mut loose, &mut panicked);
    let mut page = String::from(
        "# Shipped models by every formulation and analysis

<!-- Made by `BLESS=1 cargo test --release --test audit shipped`; change the program, not this page. -->

Every shipped model is run by every formulation and every analysis, as it is and with its drivers let go (and
gravity along −y where it states none): a result, or a refusal in words. The test that makes this page fails on a panic, on a run without end, where formulations disagree, and where the page is stale.

",
    );
    let _ = writeln!(
        page,
        "{} cases: {} results, {} refusals; {} more (*either*) seek an equilibrium far from the drawing, and find one or say why not. {} panics.\n",
        loose.cases,
        loose.results,
        loose.cases - loose.results,
        loose.sought,
        panicked.len()
    );
    page.push_str("**Results** are given by their formulations: ");
    let named: Vec<String> = formulations().map(|f| format!("{} {}", letter(f.keyword), f.keyword)).collect();
    let _ = writeln!(
        page,
        "{}; *all* six. A star marks\nother natural frequencies, or another equilibrium, than the first of them finds.\n",
        named.join(", ")
    );
    page.push_str("**Refusals** are given by their numbers:\n");
    for (k, reason) in loose.reasons.iter().enumerate() {
        let _ = writeln!(page, "{}. {reason}", k + 1);
    }
    let _ = write!(page, "\n## As shipped\n{shipped}\n## With drivers let go, under gravity\n{}", loose.text);
    (page, panicked)
}

#[test]
fn shipped_models_by_every_formulation_and_analysis() {
    let models = models();
    assert!(models.len() >= 41, "models are missing");
    let (made, panicked) = page(&models);
    assert!(panicked.is_empty(), "panics: {panicked:?}");
    let path = root().join(PAGE);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &made).expect("a page");
    }
    let kept = std::fs::read_to_string(&path).expect("the page");
    assert!(
        kept == made,
        "{PAGE} is stale: BLESS=1 cargo test --release --test audit shipped, and read the difference"
    );
}
