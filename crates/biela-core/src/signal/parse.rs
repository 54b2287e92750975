//! A name as a signal.

use super::{Element, Signal};
use crate::model::Model;
use crate::signal_name;

impl Signal {
    /// The signal of that name, whichever analysis tells it; `None` where the model has none such.
    pub fn parse(model: &Model, name: &str) -> Option<Signal> {
        alone(model, name)
            .or_else(|| of_joint(model, name))
            .or_else(|| of_body(model, name))
            .or_else(|| of_effort(model, name))
            .or_else(|| of_matrix(model, name))
    }
}

/// Signals of the run as a whole.
fn alone(model: &Model, name: &str) -> Option<Signal> {
    use Element::{Balance, Eigenvalue, Energy, Lag, Mode, Residual, Singularity, Time};
    let elements = [Time, Residual, Mode, Singularity, Lag, Energy, Balance, Eigenvalue];
    elements.into_iter().find_map(|element| named(model, element, name))
}

fn of_joint(model: &Model, name: &str) -> Option<Signal> {
    model.joints.iter().enumerate().filter(|(_, joint)| signal_name::is_of(name, &joint.name)).find_map(|(j, joint)| {
        let coordinates = (0..joint.kind.coordinates().len()).map(|c| Element::Coordinate(j, c));
        let shapes = (0..joint.kind.coordinates().len()).map(|c| Element::Shape(j, c));
        let reactions = [Element::Reaction(j), Element::LocalReaction(j), Element::Limit(j)];
        coordinates.chain(reactions).chain(shapes).find_map(|element| named(model, element, name))
    })
}

fn of_body(model: &Model, name: &str) -> Option<Signal> {
    let bodies = model.bodies.iter().enumerate().skip(1);
    bodies.filter(|(_, body)| signal_name::is_of(name, &body.name)).find_map(|(k, body)| {
        let points = (0..body.points.len()).map(|p| Element::Point(k, p));
        std::iter::once(Element::Body(k)).chain(points).find_map(|element| named(model, element, name))
    })
}

fn of_effort(model: &Model, name: &str) -> Option<Signal> {
    let couplings = (0..model.couplings.len()).map(Element::Coupling);
    let drivers = (0..model.drivers.len()).map(Element::Driver);
    couplings.chain(drivers).find_map(|element| named(model, element, name))
}

fn of_matrix(model: &Model, name: &str) -> Option<Signal> {
    let (start, column) = signal_name::split(name)?;
    let place = |word: &str| word.parse::<usize>().ok()?.checked_sub(1);
    let element = Element::StateMatrix(place(signal_name::split(start)?.1)?, place(column)?);
    named(model, element, name)
}

/// The signal of an element that bears the name.
fn named(model: &Model, element: Element, name: &str) -> Option<Signal> {
    let start = element.name(model);
    let word = match start.is_empty() {
        true => name,
        false if name == start => "",
        false => signal_name::leaf(name, &start)?,
    };
    element.signal(model, word)
}
