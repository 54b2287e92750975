//! Signals that a model makes of others: what they stand on, and how their columns follow from others.

use super::{Cost, Element, Level, Signal};
use crate::error::Error;
use crate::expr::free_names_among;
use crate::model::{Analysis, Model};

/// How a derived signal follows from other columns of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Recipe {
    /// Its number among the derived signals of the model.
    pub derived: usize,
    /// Its own column.
    pub place: usize,
    /// Columns of its inputs.
    pub inputs: Vec<usize>,
}

/// Where an input stands, before the places of columns are settled.
#[derive(Clone, Copy)]
enum Stands {
    Told(usize),
    Derived(usize),
    OnRequest(usize),
}

/// Recipes of the derived signals that can be made of these others, in order: columns of a full run, then those on request. Their own
/// columns come between.
pub(super) fn recipes(model: &Model, told: &[Signal], on_request: &[Signal]) -> Vec<Recipe> {
    let mut made: Vec<(usize, Vec<Stands>)> = Vec::new();
    for (k, derived) in model.study.derived.iter().enumerate() {
        let stands = |name: &String| {
            let signal = Signal::parse(model, name)?;
            if let Element::Derived(other) = signal.element {
                return made.iter().position(|m| m.0 == other).map(Stands::Derived);
            }
            let place = |list: &[Signal]| list.iter().position(|s| *s == signal);
            place(told).map(Stands::Told).or_else(|| place(on_request).map(Stands::OnRequest))
        };
        if let Some(inputs) = derived.inputs.iter().map(stands).collect() {
            made.push((k, inputs));
        }
    }
    let (first, behind) = (told.len(), told.len() + made.len());
    let place = |stands: &Stands| match *stands {
        Stands::Told(k) => k,
        Stands::Derived(k) => first + k,
        Stands::OnRequest(k) => behind + k,
    };
    let recipe = |(n, (derived, inputs)): (usize, &(usize, Vec<Stands>))| Recipe {
        derived: *derived,
        place: first + n,
        inputs: inputs.iter().map(place).collect(),
    };
    made.iter().enumerate().map(recipe).collect()
}

/// Signals of the model that a signal is made of in the end; itself where it is one of them.
pub fn basis(model: &Model, signal: Signal) -> Vec<Signal> {
    let (mut open, mut found) = (vec![signal], Vec::new());
    let mut looked = vec![false; model.study.derived.len()];
    while let Some(signal) = open.pop() {
        match signal.element {
            Element::Derived(k) if !std::mem::replace(&mut looked[k], true) => {
                open.extend(model.study.derived[k].inputs.iter().filter_map(|name| Signal::parse(model, name)));
            }
            Element::Derived(_) => {}
            _ => found.push(signal),
        }
    }
    found
}

/// The highest level that a signal stands on; `None` where it stands on one that has none, such as an energy.
pub fn level(model: &Model, signal: Signal) -> Option<Level> {
    let counts = |s: &Signal| s.element != Element::Time;
    let levels = basis(model, signal).into_iter().filter(counts).map(|s| s.level());
    levels.collect::<Option<Vec<Level>>>()?.into_iter().max()
}

/// What must be computed for a signal, all that it is made of included.
pub fn needs(model: &Model, signal: Signal) -> Cost {
    basis(model, signal).iter().map(Signal::cost).max().unwrap_or(Cost::Position)
}

/// Whether a signal can be told between the samples of a motion under forces, as events look at it: modes, distances to singularity, the
/// residual and the balance of energies are found at samples alone.
pub fn is_watchable(model: &Model, signal: Signal) -> bool {
    let watchable = |s: &Signal| {
        !matches!(s.cost(), Cost::Mode | Cost::Distance | Cost::Linearisation)
            && !matches!(s.element, Element::Balance | Element::Residual)
    };
    basis(model, signal).iter().all(watchable)
}

/// An error of a text that names signals, with the advice to ask for forces where one of them stands on forces and the analysis tells none.
pub fn with_advice(error: Error, model: &Model, text: &str) -> Error {
    if model.study.analysis != Analysis::Kinematics {
        return error;
    }
    let names = free_names_among(text, &|name| Signal::parse(model, name).is_some()).unwrap_or_default();
    let told = |name: &&String| Signal::parse(model, name).is_some_and(|s| FORCED.contains(&needs(model, s)));
    match names.iter().find(told) {
        Some(name) => error
            .note(format!("'{name}' stands on forces, of which kinematics tells nothing"))
            .note("ask for --analysis inverse-dynamics, statics or dynamics"),
        None => error,
    }
}

/// What a motion alone does not tell.
const FORCED: [Cost; 2] = [Cost::Energy, Cost::Forces];
