//! A name as a signal, and as a vector of signals.

use super::{bearers, quantities, Element, Signal};
use crate::drivers::Target;
use crate::model::Model;
use crate::signal_name;

impl Signal {
    /// The signal of that name, whichever analysis tells it; `None` where the model has none such.
    pub fn parse(model: &Model, name: &str) -> Option<Signal> {
        alone(model, name)
            .or_else(|| of_joint(model, name))
            .or_else(|| of_body(model, name))
            .or_else(|| effort_elements(model).find_map(|element| element.named(model, name)))
            .or_else(|| of_matrix(model, name))
            .or_else(|| of_rest(model, name))
    }
}

/// Signals that are made of others, of the whole, and of linkages.
pub(super) fn of_rest(model: &Model, name: &str) -> Option<Signal> {
    let derived = model.study.derived.iter().position(|d| d.name == name);
    derived
        .and_then(|k| Element::Derived(k).signal(model, ""))
        .or_else(|| of_whole(model, name))
        .or_else(|| quantities::parse(model, name))
}

/// Components of the vector of that name: signals that are called so with x, y and z behind, or with a dot between; those of a plane have
/// two. `None` where it is no vector.
pub fn components(is_signal: impl Fn(&str) -> bool, name: &str) -> Vec<String> {
    let called = |form: fn(&str, &str) -> String| -> Vec<String> {
        let names = ["x", "y", "z"].into_iter().map(|axis| form(name, axis));
        names.filter(|name| is_signal(name)).collect()
    };
    let found = [|name: &str, axis: &str| format!("{name}{axis}"), signal_name::join].map(called);
    found.into_iter().find(|found| found.len() >= 2).unwrap_or_default()
}

/// Signals of the run as a whole.
pub(super) fn alone(model: &Model, name: &str) -> Option<Signal> {
    use Element::{Balance, Eigenvalue, Energy, Lag, Mode, Residual, Singularity, Time};
    let elements = [Time, Residual, Mode, Singularity, Lag, Energy, Balance, Eigenvalue];
    elements.into_iter().find_map(|element| element.named(model, name))
}

fn of_joint(model: &Model, name: &str) -> Option<Signal> {
    let joints = (0..model.joints.len()).filter(|j| signal_name::is_of(name, &model.joints[*j].name));
    joints.into_iter().find_map(|j| of_one_joint(model, j, name))
}

/// The signal of that name among those of a joint.
pub(super) fn of_one_joint(model: &Model, j: usize, name: &str) -> Option<Signal> {
    let joint = &model.joints[j];
    let coordinates = (0..joint.kind.coordinates().len()).map(|c| Element::Coordinate(j, c));
    let shapes = (0..joint.kind.coordinates().len()).map(|c| Element::Shape(j, c));
    let reactions = [Element::Reaction(j), Element::LocalReaction(j), Element::Limit(j), Element::Resultant(j)];
    let reactions = reactions.into_iter().chain(joint.kind.is_axial().then_some(Element::Axial(j)));
    let reactions = reactions.chain(joint.friction.is_some().then_some(Element::Friction(j)));
    coordinates.chain(reactions).chain(shapes).find_map(|element| element.named(model, name))
}

fn of_body(model: &Model, name: &str) -> Option<Signal> {
    let bodies = (1..model.bodies.len()).filter(|k| signal_name::is_of(name, &model.bodies[*k].name));
    bodies.into_iter().find_map(|k| of_one_body(model, k, name))
}

/// The signal of that name among those of a body.
pub(super) fn of_one_body(model: &Model, k: usize, name: &str) -> Option<Signal> {
    let points = (0..model.bodies[k].points.len()).flat_map(|p| [Element::Point(k, p), Element::PointFigures(k, p)]);
    let elements = [Element::Body(k), Element::BodyFigures(k)].into_iter().chain(points);
    elements.into_iter().find_map(|element| element.named(model, name))
}

/// Elements with efforts and powers, in their order.
pub(super) fn effort_elements(model: &Model) -> impl Iterator<Item = Element> + '_ {
    let figures = |k: usize| model.couplings[k].follower.map(|_| Element::CamFigures(k));
    let couplings = (0..model.couplings.len()).flat_map(move |k| [Some(Element::Coupling(k)), figures(k)]).flatten();
    let own = (0..model.drivers.len()).filter(|k| model.drivers[*k].effort.is_empty());
    let rubs = model.rubs();
    let beside_friction = move |k: usize| {
        let there = rubs && !matches!(model.drivers[k].target, Target::Orientation { .. });
        [Element::Efficiency(k), Element::Hold(k)].into_iter().filter(move |_| there)
    };
    let drivers = own.flat_map(move |k| [Element::Driver(k), Element::Power(k)].into_iter().chain(beside_friction(k)));
    let borne = bearers(&model.drivers).into_iter();
    let borne = borne.flat_map(|(j, c)| [Element::Borne(j, c), Element::BornePower(j, c)]);
    let contacts = (0..model.contacts.len()).flat_map(|k| [Element::Gap(k), Element::Contact(k)]);
    couplings.chain(drivers).chain(borne).chain(contacts)
}

/// Signals of the ground and of the mechanism as a whole, whose names the model's own elements may have taken.
fn of_whole(model: &Model, name: &str) -> Option<Signal> {
    whole(model).find_map(|element| element.named(model, name))
}

/// The ground and the mechanism as a whole, as far as no element of the model is called so.
pub(super) fn whole(model: &Model) -> impl Iterator<Item = Element> + '_ {
    let taken = move |name: &String| {
        let names = model.bodies[1..].iter().map(|b| &b.name).chain(model.joints.iter().map(|j| &j.name));
        let names = names.chain(model.couplings.iter().map(|c| &c.name)).chain(model.drivers.iter().map(|d| &d.name));
        names.into_iter().any(|other| other == name)
    };
    let masses = model.bodies.iter().filter_map(|b| b.mass.as_ref()).chain(model.rotors.iter().map(|r| &r.mass));
    let elements = [(Element::Ground, true), (Element::System, masses.into_iter().any(|m| m.mass > 0.0))];
    let there = elements.into_iter().filter(|(_, there)| *there).map(|(element, _)| element);
    there.filter(move |element| !taken(&element.name(model)))
}

pub(super) fn of_matrix(model: &Model, name: &str) -> Option<Signal> {
    let (start, column) = signal_name::split(name)?;
    let place = |word: &str| word.parse::<usize>().ok()?.checked_sub(1);
    let element = Element::StateMatrix(place(signal_name::split(start)?.1)?, place(column)?);
    element.named(model, name)
}
