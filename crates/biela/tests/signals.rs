//! The contract of results: columns are known before the run, names are read back, and what is chosen is the same as in a full run,
//! to the last bit, for less work.

mod common;

use biela::model::{Analysis, Model};
use biela::results::Results;
use biela::signal::{Choice, Cost, Element, Level, Signal, Signals};
use biela::solve::forces::NOT_UNIQUE;
use biela::solve::newton::METHODS;
use biela::solve::run::{formulation_of, run};
use biela::text::Options;
use common::cases::*;

/// Shipped models that are followed long enough elsewhere; what is at stake here shows in the first samples.
const STEPS: usize = 12;

fn solve(model: &Model) -> biela::Result<Results> {
    run(model, formulation_of(model), METHODS[0], |_, _| true)
}

/// Every shipped model by every analysis that it can be run by, with its full results.
fn each(mut look: impl FnMut(&Model, &Results)) -> usize {
    let mut runs = 0;
    for name in shipped() {
        for (word, analysis) in Analysis::ALL {
            let options = Options { analysis: Some(analysis), singularity: true, ..Options::default() };
            let mut model = load(&name, &options);
            // The same samples, fewer of them.
            let steps = model.study.steps.min(STEPS);
            model.study.end =
                model.study.start + (model.study.end - model.study.start) * steps as f64 / model.study.steps as f64;
            model.study.steps = steps;
            model.change_mechanism(|m| m.name = format!("{name} by {word}"));
            let Ok(found) = solve(&model) else { continue };
            look(&model, &found);
            runs += 1;
        }
    }
    runs
}

#[test]
fn columns_are_known_before_the_run() {
    let runs = each(|model, found| {
        let signals = Signals::of(model);
        if !signals.complete {
            let may_add = [Analysis::Statics, Analysis::StateSpace];
            assert!(may_add.contains(&model.study.analysis), "{}", model.name);
            return;
        }
        let told: Vec<(&str, &str)> = found.columns.iter().map(|c| (c.name.as_str(), c.unit)).collect();
        let names = signals.names(model);
        let known: Vec<(&str, &str)> = names.iter().map(String::as_str).zip(signals.iter().map(Signal::unit)).collect();
        assert_eq!(known, told, "{}", model.name);
    });
    assert!(runs > 100, "{runs} runs");
}

#[test]
fn every_name_is_read_back() {
    for name in shipped() {
        for (_, analysis) in Analysis::ALL {
            let model = load(&name, &Options { analysis: Some(analysis), ..Options::default() });
            for signal in Signals::of(&model).all() {
                let text = signal.name(&model);
                let read = Signal::parse(&model, &text);
                // A mode's number is the assembly's in one table and the vibration's in another.
                let same = read == Some(*signal) || text == "mode" && read.is_some();
                assert!(same, "{name}: '{text}' is read as {read:?}");
            }
        }
    }
}

#[test]
fn names_that_there_are_not_are_refused() {
    let model = load("four-bar", &Options::default());
    for name in [
        "",
        ".",
        "crank",
        "crank.",
        "crank.q",
        "crank.x.rate",
        "O.angle.rate.rate",
        "O.local",
        "ground.x",
        "energy",
        "effort",
    ] {
        assert_eq!(Signal::parse(&model, name), None, "'{name}'");
    }
    let error = Choice::new(&model, &["crnak.x"]).unwrap_err().to_string();
    assert!(error.contains("did you mean 'crank.x'?"), "{error}");
}

#[test]
fn levels_and_costs_follow_from_elements() {
    let model = load("four-bar", &Options::default());
    let of = |name: &str| Signal::parse(&model, name).unwrap();
    assert_eq!((of("crank.vx").level(), of("crank.vx").cost()), (Some(Level::Velocity), Cost::Velocity));
    assert_eq!(
        (of("A.angle.accel").level(), of("A.angle.accel").cost()),
        (Some(Level::Acceleration), Cost::Acceleration)
    );
    assert_eq!((of("A.local.fx").element, of("A.local.fx").cost()), (Element::LocalReaction(0), Cost::Forces));
    assert_eq!((of("energy.total").level(), of("energy.total").cost()), (None, Cost::Energy));
    assert!(of("t").cost() < of("crank.ax").cost() && of("crank.ax").cost() < of("A.fx").cost());
}

/// What is told of forces is told where forces are asked for; all else is told always.
fn notes(found: &Results) -> Vec<&(String, String)> {
    found.notes.iter().filter(|n| n.0 != NOT_UNIQUE && !n.1.starts_with("nothing balances")).collect()
}

/// Columns that a choice asks for: one at a time, and some together.
const CHOICES: [&[&str]; 7] =
    [&["*.x"], &["*.rate"], &["*.ay", "*.accel"], &["residual"], &["energy"], &["mode", "singularity"], &["*.local.*"]];

#[test]
fn what_is_chosen_is_the_same_to_the_last_bit() {
    let mut compared = 0;
    each(|model, full| {
        for patterns in CHOICES {
            let Ok(expected) = full.select(patterns) else { continue };
            let choice = Choice::new(model, patterns).unwrap_or_else(|e| panic!("{}: {e}", model.name));
            let narrow = model.with_study(choice.narrowed(&model.study));
            let found = solve(&narrow).unwrap_or_else(|e| panic!("{} for {patterns:?}: {e}", model.name));
            assert_eq!(notes(&found), notes(full), "{} for {patterns:?}", model.name);
            let found = choice.take(found).unwrap();
            let bits = |r: &Results| -> Vec<(String, Vec<u64>)> {
                r.columns.iter().map(|c| (c.name.clone(), c.data.iter().map(|x| x.to_bits()).collect())).collect()
            };
            assert_eq!(bits(&found), bits(&expected), "{} for {patterns:?}", model.name);
            compared += 1;
        }
    });
    assert!(compared > 500, "{compared} comparisons");
}

#[test]
fn forces_are_computed_where_they_are_asked_for() {
    // Redundant constraints leave forces open, which a force analysis cannot fail to see.
    let options = Options { analysis: Some(Analysis::InverseDynamics), ..Options::default() };
    let model = load("four-bar", &options);
    assert!(solve(&model).unwrap().note(NOT_UNIQUE).is_some());
    for (pattern, forces) in
        [("crank.x", false), ("*.accel", false), ("energy", false), ("motor.effort", true), ("A.fx", true)]
    {
        let choice = Choice::new(&model, &[pattern]).unwrap();
        let narrow = model.with_study(choice.narrowed(&model.study));
        assert_eq!(solve(&narrow).unwrap().note(NOT_UNIQUE).is_some(), forces, "{pattern}");
    }
}
