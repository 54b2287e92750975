//! Shipped models by name, their runs, and comparisons with reference figures.

use super::record::{held, told, CLOSED, COMPUTED, PRINTED};
pub use super::{column, parse};
use biela::drivers::Driver;
use biela::model::{Analysis, Model};
use biela::results::Results;
use biela::solve::kinematics;
use biela::text::{Document, Options};
use std::path::PathBuf;

/// Largest residual of any sample: the bound that every accepted position keeps.
pub const RESIDUAL: f64 = 1e-12;
/// Agreement with independent figures, relative to the signal's largest magnitude. Both sides are good to about 1e-13.
pub const AGREEMENT: f64 = 1e-10;

/// The folder of the shipped models.
pub fn models() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models")
}

/// Names of the shipped models, sorted.
pub fn shipped() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(models())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Names of the shipped models of kinematics.
pub fn shipped_kinematic() -> Vec<String> {
    let analysis = |name: &String| load(name, &Options::default()).study.analysis;
    shipped().into_iter().filter(|name| analysis(name) == Analysis::Kinematics).collect()
}

/// Options that set parameters.
pub fn set(parameters: &[(&str, &str)]) -> Options {
    let set = parameters.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    Options { set, ..Options::default() }
}

/// The text of a shipped model.
pub fn text(name: &str) -> String {
    std::fs::read_to_string(models().join(format!("{name}.toml"))).unwrap()
}

/// A shipped model.
pub fn load(name: &str, options: &Options) -> Model {
    let document = Document::read(&models().join(format!("{name}.toml")), options).unwrap();
    document.model(options).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// A shipped model with pieces of its text replaced; every piece must be there.
pub fn altered(name: &str, changes: &[(&str, &str)]) -> Model {
    let mut text = text(name);
    for (from, to) in changes {
        assert!(text.contains(from), "{name} has no '{from}'");
        text = text.replace(from, to);
    }
    parse(&text)
}

/// Runs a model and holds it to the residual bound.
pub fn run(model: &Model) -> Results {
    run_by(model, "absolute")
}

/// The same by a formulation of one's choice.
pub fn run_by(model: &Model, formulation: &str) -> Results {
    let results = kinematics::run(model, formulation, |_, _| true).unwrap_or_else(|e| panic!("{}: {e}", model.name));
    assert_eq!(results.len(), model.study.steps + 1);
    let worst = column(&results, "residual").iter().fold(0.0_f64, |m, r| m.max(*r));
    assert!(worst <= RESIDUAL, "{}: residual {worst:e}", model.name);
    results
}

/// The message of a run that fails.
pub fn failure(model: &Model) -> String {
    match kinematics::run(model, "absolute", |_, _| true) {
        Ok(_) => panic!("{} should fail", model.name),
        Err(error) => error.to_string(),
    }
}

/// Largest magnitude of a list, or `least` where all are smaller.
pub fn magnitude(values: &[f64], least: f64) -> f64 {
    values.iter().fold(least, |m, x| m.max(x.abs()))
}

/// Holds a signal's samples `every` apart to the wanted figures, relative to the signal's largest magnitude.
pub fn agrees(results: &Results, name: &str, every: usize, wanted: &[f64]) {
    agrees_beside(results, name, every, wanted, 1e-3);
}

/// The same for figures in another unit.
pub fn agrees_in(results: &Results, name: &str, every: usize, wanted: &[f64], unit: f64) {
    let wanted: Vec<f64> = wanted.iter().map(|x| x * unit).collect();
    agrees_beside(results, name, every, &wanted, 1e-3 * unit);
}

/// The same for a signal that may vanish beside others of magnitude `least`, which set the rounding of the figures.
pub fn agrees_beside(results: &Results, name: &str, every: usize, wanted: &[f64], least: f64) {
    agrees_with(COMPUTED, results, name, every, wanted, least);
}

/// The same for figures of any source.
pub fn agrees_with(source: &str, results: &Results, name: &str, every: usize, wanted: &[f64], least: f64) {
    let data = column(results, name);
    let scale = magnitude(data, least).max(magnitude(wanted, least));
    for (k, wanted) in wanted.iter().enumerate() {
        let found = data[k * every];
        let off = (found - wanted).abs() / scale;
        held(source, name, AGREEMENT, off, format_args!("sample {}: {found} where {wanted} is due", k * every));
    }
}

/// Holds every sample of a signal to a function of time, relative to its largest magnitude.
pub fn follows(results: &Results, name: &str, law: impl Fn(f64) -> f64) {
    let wanted: Vec<f64> = results.times().iter().map(|t| law(*t)).collect();
    agrees_with(CLOSED, results, name, 1, &wanted, 1e-3);
}

/// The reference figures of a file.
pub fn reference(name: &str) -> serde_json::Value {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/reference").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// A list of numbers.
pub fn numbers(value: &serde_json::Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

/// A table's columns.
pub fn columns(value: &serde_json::Value) -> Vec<Vec<f64>> {
    let rows: Vec<Vec<f64>> = value.as_array().unwrap().iter().map(numbers).collect();
    (0..rows[0].len()).map(|c| rows.iter().map(|row| row[c]).collect()).collect()
}

/// Whether `printed`, with so many decimals, is `exact` rounded or cut off.
pub fn is_printed(printed: f64, exact: f64, decimals: i32) -> bool {
    /// Room for the binary form of decimal figures.
    const ROOM: f64 = 1e-6;
    let unit = 10f64.powi(decimals);
    let (printed, exact) = (printed * unit, exact * unit);
    let cut_off = (exact + ROOM * exact.signum()).trunc();
    let same = (exact - printed).abs() <= 0.5 + ROOM || (cut_off - printed).abs() < ROOM;
    if same {
        told(PRINTED, "digits", 1.0, (exact - printed).abs());
    }
    same
}

/// Everything of a model but places in its text.
pub fn content(mut m: Model) -> String {
    m.change_mechanism(|m| {
        m.bodies.iter_mut().for_each(|b| b.span = None);
        m.joints.iter_mut().for_each(|j| j.span = None);
        m.couplings.iter_mut().for_each(|c| c.span = None);
        m.loads.iter_mut().for_each(|l| l.span = None);
        m.rotors.iter_mut().for_each(|r| r.span = None);
    });
    m.drivers = m.drivers.iter().cloned().map(|d| Driver { span: None, ..d }).collect();
    format!("{m:?}")
}
