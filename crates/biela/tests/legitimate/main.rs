//! Odd but legitimate models: each must run in every formulation named, and meet its closed form where it has one.
//!
//! A case is a name, a text made by the functions of `parts`, the formulations, and what holds at the last sample: a signal, its value, and
//! how far it may be off. All cases of a list are tried before the test fails, so that one run tells every refusal.

#[path = "../common/mod.rs"]
mod common;
mod extremes;
mod parts;
mod places;
mod rest;
mod stiff;

use biela::solve::newton::METHODS;
use biela::solve::run;
use common::{column, parse};

/// Principal formulations, and those by which a part of the cases runs.
const ALL: &[&str] = &["absolute", "natural", "relative"];
const TELLS: &[&str] = &["absolute", "relative"];
const RELATIVE: &[&str] = &["relative"];
const EVERY: &[&str] = &["absolute", "natural", "relative", "relative-euler", "relative-matrix", "homogeneous"];

const G: f64 = 9.81;
const GRAVITY: &str = "gravity = [0, -9.81, 0]\n";
const WEIGHTLESS: &str = "gravity = [0, 0, 0]\n";

/// Closed forms are met to this where rounding is all there is, and to this where a motion is integrated at the usual tolerance.
const EXACT: f64 = 1e-9;
const INTEGRATED: f64 = 1e-5;

/// A signal at the last sample, its value, and how far it may be off.
type Holds = (&'static str, f64, f64);

/// Cases, gathered.
#[derive(Default)]
struct List(Vec<(String, String, &'static [&'static str], Vec<Holds>)>);

impl List {
    fn add(&mut self, name: impl Into<String>, text: String, by: &'static [&'static str], holds: &[Holds]) {
        self.0.push((name.into(), text, by, holds.to_vec()));
    }
}

/// What goes wrong with a case in one formulation, if anything does.
fn fault(text: &str, formulation: &str, holds: &[Holds]) -> Option<String> {
    let model = parse(text);
    match run::run(&model, formulation, METHODS[0], |_, _| true) {
        Err(error) => Some(error.to_string().lines().take(3).collect::<Vec<_>>().join(" / ")),
        Ok(results) => holds.iter().find_map(|(signal, value, off)| {
            let found = *column(&results, signal).last()?;
            ((found - value).abs() > *off || found.is_nan()).then(|| format!("{signal} = {found}, not {value} ± {off}"))
        }),
    }
}

/// Tries a list; everything at fault is told.
fn try_all(list: List) {
    let mut faults = Vec::new();
    for (name, text, by, holds) in &list.0 {
        for formulation in *by {
            let begun = std::time::Instant::now();
            let found = fault(text, formulation, holds);
            if std::env::var_os("BIELA_TIMES").is_some() {
                println!("{:8.3} s  {name}, {formulation}", begun.elapsed().as_secs_f64());
            }
            faults.extend(found.map(|f| format!("{name}, {formulation}: {f}")));
        }
    }
    println!("{} models", list.0.len());
    assert!(faults.is_empty(), "{} at fault:\n{}", faults.len(), faults.join("\n"));
}
