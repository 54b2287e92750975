//! Signals of linkages: instant centres, transmission angles, advantages, the bend of paths, inflection circles.

use super::{coordinate_elements, Element, Signal};
use crate::linkage::{input, pair, pairs, plane, tie, transmissions, Tie, Ties};
use crate::model::{Model, GROUND};
use crate::signal_name;

impl Element {
    /// Whether it is one of those that tell of linkages; their values may be unbounded, or none.
    pub fn is_of_linkage(&self) -> bool {
        use Element::{Advantage, Bend, Centre, Inflection, Transmission};
        matches!(self, Centre(_) | Inflection(_) | Bend(..) | Transmission(_) | Advantage(..))
    }
}

/// All that a model has, in their order: of every mechanism paths and advantages, of one in a plane the rest.
pub(super) fn elements(model: &Model) -> Vec<Element> {
    let mut list = Vec::new();
    for (k, body) in model.bodies.iter().enumerate().skip(1) {
        list.extend((0..body.points.len()).map(|p| Element::Bend(k, p)));
    }
    list.extend(outputs(model).map(|(j, c)| Element::Advantage(j, c)));
    if plane(model).is_some() {
        list.extend(transmissions(model).into_iter().map(Element::Transmission));
        list.extend(pairs(model).into_iter().map(Element::Centre));
        let ties = Ties::of(model);
        let rolling = (1..model.bodies.len()).filter(|k| rolls(model, *k, ties.between(GROUND, *k)));
        list.extend(rolling.map(Element::Inflection));
    }
    list
}

/// Coordinates that follow the one that is driven.
fn outputs(model: &Model) -> impl Iterator<Item = (usize, usize)> + '_ {
    let input = input(model).map(|of| (of.joint, of.coordinate));
    coordinate_elements(model).filter(move |own| input.is_some_and(|input| input != *own))
}

/// Whether a body neither turns about a fixed point nor slides along a line: else it has no inflection circle. Points of that name go first.
fn rolls(model: &Model, body: usize, to_ground: Tie) -> bool {
    let taken = model.bodies[body].points.iter().any(|(name, _)| name == "inflection");
    !taken && to_ground == Tie::Apart
}

/// The signal of that name.
pub(super) fn parse(model: &Model, name: &str) -> Option<Signal> {
    let (start, leaf) = signal_name::split(name)?;
    match leaf {
        "curvature" | "radius" => of_point(model, name),
        "ratio" | "advantage" => outputs(model).find_map(|(j, c)| Element::Advantage(j, c).named(model, name)),
        "transmission" => {
            plane(model)?;
            transmissions(model).into_iter().find_map(|t| Element::Transmission(t).named(model, name))
        }
        "diameter" | "x" | "y" | "z" => match signal_name::split(start)?.1 {
            "evolute" => of_point(model, name),
            "centre" | "local" => of_pair(model, name),
            "inflection" => {
                let bodies = (1..model.bodies.len()).filter(|k| signal_name::is_of(name, &model.bodies[*k].name));
                let bodies = bodies.filter(|k| rolls(model, *k, tie(model, GROUND, *k)) && plane(model).is_some());
                bodies.into_iter().find_map(|k| Element::Inflection(k).named(model, name))
            }
            _ => None,
        },
        _ => None,
    }
}

fn of_point(model: &Model, name: &str) -> Option<Signal> {
    let bodies = model.bodies.iter().enumerate().skip(1).filter(|(_, body)| signal_name::is_of(name, &body.name));
    let points = |(k, body): (usize, &crate::model::Body)| (0..body.points.len()).map(move |p| Element::Bend(k, p));
    bodies.flat_map(points).find_map(|element| element.named(model, name))
}

fn of_pair(model: &Model, name: &str) -> Option<Signal> {
    let count = model.bodies.len();
    let firsts = (0..count).filter(|a| signal_name::is_of(name, &model.bodies[*a].name));
    let mut both = firsts.flat_map(|a| (a + 1..count).map(move |b| (a, b))).filter(|(a, b)| {
        let second = signal_name::leaf(name, &model.bodies[*a].name).unwrap_or("");
        signal_name::is_of(second, &model.bodies[*b].name)
    });
    let element = both.find_map(|(a, b)| Element::Centre(pair(model, a, b)?).named(model, name))?;
    plane(model).map(|_| element)
}
