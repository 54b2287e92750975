//! Which signals of a run a person wants to know first, in a table and in a plot.

use crate::drivers::{Driver, Target};
use crate::model::{Analysis, Model, GROUND};
use crate::results::Results;
use crate::signal::{coordinate_elements, Element, Level, Signal, HEADING, POSITION};
use crate::signal_name;
use biela_base::quick_hash::QuickMap;
use std::collections::HashSet;

/// A signal that changes by less than this, in any unit, rests but for rounding.
const STILL: f64 = 1e-12;
/// A signal is drawn where it changes by more than this, in any unit.
const MOVES: f64 = 1e-9;
/// Signals of a first plot.
const DRAWN: usize = 4;

/// Names of signals that move: those that the model makes of others, efforts, joint coordinates with their rates, body positions, reactions.
/// Statics is after forces: reactions come next to the efforts, and rates not at all.
pub fn headline(model: &Model, found: &Results) -> Vec<String> {
    headline_among(model, found).into_iter().map(|(name, _)| name).collect()
}

/// Whether a signal may be among these, whatever a run finds.
pub fn may_lead(model: &Model, signal: &Signal) -> bool {
    match signal.element {
        Element::Derived(_) | Element::Reaction(_) => true,
        Element::Coordinate(..) => signal.level() != Some(Level::Acceleration),
        Element::Body(_) => POSITION.iter().chain([&HEADING]).any(|word| *word == signal.leaf.word),
        Element::Driver(_) | Element::Borne(..) | Element::Limit(_) => signal_name::is_effort(&signal.name(model)),
        _ => false,
    }
}

/// The same as columns in order, each once.
pub fn headline_columns(model: &Model, found: &Results) -> Vec<usize> {
    let mut taken = vec![false; found.columns.len()];
    let columns = headline_among(model, found).into_iter().filter_map(|(_, column)| column);
    columns.filter(|k| !std::mem::replace(&mut taken[*k], true)).collect()
}

/// Names with their columns.
fn headline_among(model: &Model, found: &Results) -> Vec<(String, Option<usize>)> {
    let at_rest = model.study.analysis == Analysis::Statics;
    let effort = |name: &&String| signal_name::is_effort(name);
    let own = model.study.derived.iter().map(|d| &d.name);
    let mut names: Vec<String> = own.chain(found.columns.iter().map(|c| &c.name).filter(effort)).cloned().collect();
    let leaves = if at_rest { 1 } else { 2 };
    let coordinates =
        coordinate_elements(model).flat_map(|(j, c)| Element::Coordinate(j, c).signals(model).take(leaves));
    let bodies = (1..model.bodies.len()).flat_map(|k| Element::Body(k).signals(model).take(POSITION.len()));
    let motion = coordinates.chain(bodies).map(|s| s.name(model));
    // Names of reactions are most of all names, and only forces have such units.
    let has_forces = found.columns.iter().any(|column| is_of_force(column.unit));
    let joints = if has_forces { model.joints.len() } else { 0 };
    let reactions = (0..joints).flat_map(|k| Element::Reaction(k).signals(model)).map(|s| s.name(model));
    // These are listed whether the run tells them or not.
    let listed;
    if at_rest {
        names.extend(reactions);
        listed = names.len()..usize::MAX;
        names.extend(motion);
    } else {
        let first = names.len();
        names.extend(motion);
        listed = first..names.len();
        names.extend(reactions);
    }
    let columns = columns_of(found, &names);
    // Where loads settle freedoms, the position is what was asked for.
    let settled: HashSet<String> = match found.note("equilibrium") {
        Some(_) if at_rest => coordinate_elements(model).map(|(j, c)| Element::Coordinate(j, c).name(model)).collect(),
        _ => HashSet::new(),
    };
    let tells = |name: &String, column: Option<usize>| {
        let column = column.map(|k| &found.columns[k]);
        let extremes = || column.and_then(|column| column.extremes(found.times()));
        // One sample does not move at all, and of its forces those are told that there are.
        match (found.len(), at_rest && column.is_some_and(|column| is_of_force(column.unit))) {
            (1, false) => true,
            _ if settled.contains(name) => true,
            (_, true) => extremes().is_some_and(|e| e.greatest != 0.0 || e.least != 0.0),
            _ => extremes().is_some_and(|e| e.greatest - e.least > STILL),
        }
    };
    let all = names.into_iter().zip(columns).enumerate();
    let known = all.filter(|(k, (_, column))| column.is_some() || listed.contains(k));
    known.map(|(_, named)| named).filter(|(name, column)| tells(name, *column)).collect()
}

/// The column of each name; the last where several bear it. Of a large model the columns are many times as many as the names.
fn columns_of(found: &Results, names: &[String]) -> Vec<Option<usize>> {
    let mut places: QuickMap<&str, Option<usize>> = names.iter().map(|name| (name.as_str(), None)).collect();
    for (k, column) in found.columns.iter().enumerate() {
        if let Some(place) = places.get_mut(column.name.as_str()) {
            *place = Some(k);
        }
    }
    names.iter().map(|name| places.get(name.as_str()).copied().flatten()).collect()
}

/// Whether a unit is one of forces or moments.
fn is_of_force(unit: &str) -> bool {
    unit.starts_with('N')
}

/// What is worth a first plot: the outputs that the model declares and the signals that it makes of others, then what drivers give, then
/// what moves most, with its rate. `column` gives a signal's values where there are any.
pub fn first_drawn<'r>(model: &Model, column: &dyn Fn(&str) -> Option<&'r [f64]>) -> Vec<String> {
    let range = |name: &str| {
        let data = column(name).unwrap_or(&[]).iter().copied().filter(|x| x.is_finite());
        let (low, high) = data.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
        (high - low).max(0.0)
    };
    let moves = |name: &String| range(name) > MOVES;
    let mut chosen: Vec<String> = Vec::new();
    for output in &model.study.outputs {
        match column(output) {
            Some(_) => chosen.push(output.clone()),
            // A point or a body.
            None => {
                chosen.extend(POSITION.iter().chain([&HEADING]).map(|l| signal_name::join(output, l)).filter(moves))
            }
        }
    }
    chosen.extend(model.study.derived.iter().map(|d| d.name.clone()).filter(|name| column(name).is_some()));
    chosen.truncate(DRAWN);
    if chosen.len() < DRAWN {
        chosen.extend(model.drivers.iter().map(|d| signal_name::effort(&d.name)).find(moves));
    }
    if chosen.len() + 1 < DRAWN {
        for name in farthest(model, &range).iter().flat_map(|name| [name.clone(), signal_name::rate(name)]) {
            if !chosen.contains(&name) {
                chosen.push(name);
            }
        }
    }
    if chosen.len() < 2 {
        let named =
            (GROUND + 1..model.bodies.len()).flat_map(|b| (0..model.bodies[b].points.len()).map(move |p| (b, p)));
        let points = named.flat_map(|(b, p)| Element::Point(b, p).signals(model).take(POSITION.len()));
        let bodies =
            (GROUND + 1..model.bodies.len()).flat_map(|k| Element::Body(k).signals(model).take(POSITION.len()));
        chosen.extend(points.chain(bodies).map(|s| s.name(model)).filter(moves).take(2));
    }
    chosen
}

/// The coordinate that moves most of those that no driver holds: of joints to the ground before others, and slides, which most machines are
/// for, before angles.
fn farthest(model: &Model, range: &dyn Fn(&str) -> f64) -> Option<String> {
    let target = |d: &Driver| match &d.target {
        Target::Coordinate { of, .. } => Some((of.joint, of.coordinate)),
        _ => None,
    };
    let driven: HashSet<(usize, usize)> = model.drivers.iter().filter_map(target).collect();
    let rank = |j: usize, c: usize| {
        let joint = &model.joints[j];
        (!joint.bodies.contains(&GROUND), joint.kind.coordinates().get(c).is_some_and(|c| c.angle))
    };
    let mut best: Option<((bool, bool), f64, String)> = None;
    for (j, c) in coordinate_elements(model).filter(|own| !driven.contains(own)) {
        let name = Element::Coordinate(j, c).name(model);
        let (rank, own) = (rank(j, c), range(&name));
        let better = |b: &((bool, bool), f64, String)| rank < b.0 || (rank == b.0 && own > b.1);
        if own > MOVES && best.as_ref().is_none_or(better) {
            best = Some((rank, own, name));
        }
    }
    best.map(|b| b.2)
}
