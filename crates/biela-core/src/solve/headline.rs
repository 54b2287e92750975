//! Which signals of a run a person wants to know first.

use crate::model::Model;
use crate::results::Results;
use crate::signal::{coordinate_elements, Element, POSITION};
use crate::signal_name;

/// A signal that changes by less than this, in any unit, rests but for rounding.
const STILL: f64 = 1e-12;

/// Names of signals that move: those that the model makes of others, efforts, joint coordinates with their rates, body positions, reactions.
pub fn headline(model: &Model, found: &Results) -> Vec<String> {
    let places = found.places();
    let effort = |name: &&String| signal_name::is_effort(name);
    let own = model.study.derived.iter().map(|d| &d.name).filter(|name| places.contains_key(name.as_str()));
    let mut names: Vec<String> = own.chain(found.columns.iter().map(|c| &c.name).filter(effort)).cloned().collect();
    let coordinates = coordinate_elements(model).flat_map(|(j, c)| Element::Coordinate(j, c).signals(model).take(2));
    let bodies = (1..model.bodies.len()).flat_map(|k| Element::Body(k).signals(model).take(POSITION.len()));
    names.extend(coordinates.chain(bodies).map(|s| s.name(model)));
    let reactions = (0..model.joints.len()).flat_map(|k| Element::Reaction(k).signals(model));
    names.extend(reactions.map(|s| s.name(model)).filter(|n| places.contains_key(n.as_str())));
    // One sample does not move at all.
    let extremes = |name: &String| found.columns[*places.get(name.as_str())?].extremes(found.times());
    names.retain(|name| found.len() == 1 || extremes(name).is_some_and(|e| e.greatest - e.least > STILL));
    names
}
