//! Which signals of a run a person wants to know first.

use crate::model::Model;
use crate::results::Results;

/// A signal that changes by less than this, in any unit, rests but for rounding.
const STILL: f64 = 1e-12;

/// Components of a reaction, in ground axes.
pub const COMPONENTS: [&str; 6] = ["fx", "fy", "fz", "mx", "my", "mz"];

/// Names of signals that move: efforts, joint coordinates with their rates, body positions, reactions.
pub fn headline(model: &Model, found: &Results) -> Vec<String> {
    let places = found.places();
    let effort = |name: &&String| name.ends_with(".effort") || name.contains(".effort.");
    let mut names: Vec<String> = found.columns.iter().map(|c| &c.name).filter(effort).cloned().collect();
    for joint in &model.joints {
        for coordinate in joint.kind.coordinates() {
            names.push(format!("{}.{}", joint.name, coordinate.name));
            names.push(format!("{}.{}.rate", joint.name, coordinate.name));
        }
    }
    for body in &model.bodies[1..] {
        names.extend(["x", "y", "z"].map(|leaf| format!("{}.{leaf}", body.name)));
    }
    for joint in &model.joints {
        let reactions = COMPONENTS.map(|leaf| format!("{}.{leaf}", joint.name));
        names.extend(reactions.into_iter().filter(|n| places.contains_key(n.as_str())));
    }
    // One sample does not move at all.
    let extremes = |name: &String| found.columns[*places.get(name.as_str())?].extremes(found.times());
    names.retain(|name| found.len() == 1 || extremes(name).is_some_and(|e| e.greatest - e.least > STILL));
    names
}
