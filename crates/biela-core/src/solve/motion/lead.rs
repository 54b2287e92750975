//! The driver that leads a motion: which one ends it, and its value in words that a person thinks in.

use super::driver_fault::law_of;
use super::stepper::Stepper;
use crate::drivers::Target;
use crate::error::{End, Error};
use crate::model::Model;
use crate::results::{significant, Ended};
use crate::signal::Element;
use crate::solve::vectors::max_abs;
use crate::system::{Owner, System};

/// Reasons for an early end that are no kinds of errors.
pub const SINGULAR: &str = "singular";
/// A joint limit.
pub const LIMIT: &str = "limit";

/// What a driver prescribes, with a value of it: `O.angle = 76.41 deg`.
pub fn value_in_words(model: &Model, driver: usize, value: f64) -> String {
    let driver = &model.drivers[driver];
    let (name, angle, length) = match &driver.target {
        Target::Coordinate { of, .. } => {
            let angle = model.joints[of.joint].kind.coordinates().get(of.coordinate).is_none_or(|c| c.angle);
            (Element::Coordinate(of.joint, of.coordinate).name(model), angle, !angle)
        }
        Target::Rotor { .. } | Target::Orientation { .. } => (driver.name.clone(), true, false),
        Target::Point { .. } => (driver.name.clone(), false, true),
        Target::Measure { length, .. } => (driver.name.clone(), !*length, *length),
    };
    let shown = |si: &str| {
        let scale = model.study.units.scale(si);
        format!("{name} = {} {}", significant(scale.shown(value), 6), scale.unit)
    };
    // People think of angles in degrees, unless they say otherwise.
    let degrees = || ["rad", "deg"].contains(&model.study.units.scale("rad").unit.as_str());
    match (angle, length) {
        (true, _) if degrees() => format!("{name} = {:.2} deg", value.to_degrees()),
        (true, _) => shown("rad"),
        (_, true) => shown("m"),
        _ => format!("{name} = {}", significant(value, 6)),
    }
}

/// Where a run of `model` ended before its time, in one line for a picture.
pub fn ended_in_words(model: &Model, ended: &Ended) -> String {
    let driver = model.drivers.iter().position(|d| Some(&d.name) == ended.driver.as_ref());
    let at = match (driver, ended.value) {
        (Some(k), Some(value)) => format!(" at {}", value_in_words(model, k, value)),
        _ => String::new(),
    };
    let why = match ended.reason.as_str() {
        SINGULAR => "singular position",
        LIMIT => "joint limit",
        reason => reason,
    };
    let time = model.study.units.scale("s");
    format!("the run ends early{at}, t = {} {}: {why}", significant(time.shown(ended.t), 6), time.unit)
}

/// The driver whose motion moves the mechanism most at the stepper's present state: at a singular position the one that forces it on.
pub(super) fn leading(stepper: &mut Stepper) -> Option<usize> {
    let (system, t) = (stepper.system, stepper.state.t);
    let drivers = &system.model.drivers;
    if drivers.len() < 2 {
        return (!drivers.is_empty()).then_some(0);
    }
    stepper.place(false);
    stepper.ws.analyse(&[]);
    system.constraints.velocity_side(system.at(t), stepper.ws.size, &mut stepper.ws.evaluation);
    let mut v = vec![0.0; system.formulation.nv()];
    let mut most = (0.0, None);
    for row in system.constraints.undriven()..system.constraints.len() {
        let Owner::Driver(k) = system.constraints.owner(row) else { continue };
        stepper.ws.unit_rates(system, row, &mut v);
        for (k, v) in v.iter_mut().enumerate() {
            *v /= system.formulation.scale(k, stepper.ws.size);
        }
        let moved = stepper.ws.evaluation.nu[row].abs() * max_abs(&v);
        if moved > most.0 {
            most = (moved, Some(k));
        }
    }
    most.1.or_else(|| fastest(system, t))
}

/// The driver that changes fastest at a time.
fn fastest(system: &System, t: f64) -> Option<usize> {
    let rate = |k: &usize| law_of(&system.model.drivers[*k]).map_or(0.0, |law| law.jet(t).d.abs());
    // The first of equals.
    (0..system.model.drivers.len()).rev().max_by(|a, b| rate(a).total_cmp(&rate(b)))
}

/// The value of a driver at a time, where it is one number.
pub fn value_at(model: &Model, driver: usize, t: f64) -> Option<f64> {
    law_of(&model.drivers[driver]).map(|law| law.jet(t).v).filter(|value| value.is_finite())
}

/// Names the driver that leads to the end of a motion, in words where it has a value, and for programs.
pub(super) fn led_by(error: Error, system: &System, driver: Option<usize>, reason: &'static str) -> Error {
    let t = error.time();
    let value = driver.zip(t).and_then(|(k, t)| value_at(system.model, k, t));
    let name = driver.map(|k| system.model.drivers[k].name.clone());
    error.ending(End { reason, driver: name, value })
}

/// An error that ends a motion near time `t`, with the driver that changes fastest there and its value.
pub fn led(error: Error, system: &System, t: f64) -> Error {
    let error = error.at_time(t);
    if error.end().is_some() {
        return error;
    }
    let (driver, reason, t) = (fastest(system, t), error.kind().word(), error.time().unwrap_or(t));
    let words = driver.and_then(|k| Some((k, value_in_words(system.model, k, value_at(system.model, k, t)?))));
    let error = led_by(error, system, driver, reason);
    match words {
        Some((k, words)) => error.note(format!("driver '{}' is at {words}", system.model.drivers[k].name)),
        None => error,
    }
}
