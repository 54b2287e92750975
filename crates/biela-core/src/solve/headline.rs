//! Which signals of a run a person wants to know first, in a table and in a plot.

use crate::drivers::{Driver, Target};
use crate::model::{Analysis, Model, GROUND};
use crate::results::Results;
use crate::signal::{coordinate_elements, Element, HEADING, POSITION};
use crate::signal_name;
use std::collections::{HashMap, HashSet};

/// A signal that changes by less than this, in any unit, rests but for rounding.
const STILL: f64 = 1e-12;
/// A signal is drawn where it changes by more than this, in any unit.
const MOVES: f64 = 1e-9;
/// Signals of a first plot.
const DRAWN: usize = 4;

/// Names of signals that move: those that the model makes of others, efforts, joint coordinates with their rates, body positions, reactions.
/// Statics is after forces: reactions come next to the efforts, and rates not at all.
pub fn headline(model: &Model, found: &Results) -> Vec<String> {
    let places = found.places();
    headline_among(model, found, &places)
}

/// The same as columns in order, each once.
pub fn headline_columns(model: &Model, found: &Results) -> Vec<usize> {
    let places = found.places();
    let mut taken = vec![false; found.columns.len()];
    let columns =
        headline_among(model, found, &places).into_iter().filter_map(|name| places.get(name.as_str()).copied());
    columns.filter(|k| !std::mem::replace(&mut taken[*k], true)).collect()
}

fn headline_among(model: &Model, found: &Results, places: &HashMap<&str, usize>) -> Vec<String> {
    let at_rest = model.study.analysis == Analysis::Statics;
    let effort = |name: &&String| signal_name::is_effort(name);
    let own = model.study.derived.iter().map(|d| &d.name).filter(|name| places.contains_key(name.as_str()));
    let mut names: Vec<String> = own.chain(found.columns.iter().map(|c| &c.name).filter(effort)).cloned().collect();
    let leaves = if at_rest { 1 } else { 2 };
    let coordinates =
        coordinate_elements(model).flat_map(|(j, c)| Element::Coordinate(j, c).signals(model).take(leaves));
    let bodies = (1..model.bodies.len()).flat_map(|k| Element::Body(k).signals(model).take(POSITION.len()));
    let motion: Vec<String> = coordinates.chain(bodies).map(|s| s.name(model)).collect();
    let reactions = (0..model.joints.len()).flat_map(|k| Element::Reaction(k).signals(model));
    let reactions = reactions.map(|s| s.name(model)).filter(|n| places.contains_key(n.as_str())).collect::<Vec<_>>();
    names.extend(if at_rest { [reactions, motion] } else { [motion, reactions] }.into_iter().flatten());
    // One sample does not move at all, and of its forces those are told that there are.
    let extremes = |name: &String| found.columns[*places.get(name.as_str())?].extremes(found.times());
    // Where loads settle freedoms, the position is what was asked for.
    let settled: HashSet<String> = match found.note("equilibrium") {
        Some(_) if at_rest => coordinate_elements(model).map(|(j, c)| Element::Coordinate(j, c).name(model)).collect(),
        _ => HashSet::new(),
    };
    let is_force = |name: &String| places.get(name.as_str()).is_some_and(|k| found.columns[*k].unit.starts_with('N'));
    names.retain(|name| match (found.len(), at_rest && is_force(name)) {
        (1, false) => true,
        _ if settled.contains(name) => true,
        (_, true) => extremes(name).is_some_and(|e| e.greatest != 0.0 || e.least != 0.0),
        _ => extremes(name).is_some_and(|e| e.greatest - e.least > STILL),
    });
    names
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
