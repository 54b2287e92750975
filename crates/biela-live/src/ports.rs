//! What goes into a live mechanism and what comes out, by the names of the contract.
//!
//! A driver is three inputs, `<driver>`, `<driver>.rate` and `<driver>.accel`; a load is `<force>.value`, with `.x`, `.y`, `.z` behind it where it is a
//! vector; outputs are signals. An input that nobody has set leaves its driver or load as the model has it.

use biela::drivers::{Driver, Target};
use biela::error::{Error, Result};
use biela::expr::Expression;
use biela::loads::{Effort, Law, Load};
use biela::model::Model;
use biela::motion::Motion;
use biela::signal_name;

/// A number from outside.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Its unit; empty where none is known.
    pub unit: &'static str,
    /// What the model has in its place at the start.
    pub start: f64,
    /// Where it goes.
    pub to: To,
}

/// Where an input goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum To {
    /// A driver's value (0), rate (1) or acceleration (2).
    Driver(usize, usize),
    /// A component of a load's value.
    Load(usize, usize),
}

/// Something told: a parameter or an output.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// Its name.
    pub name: String,
    /// Its unit; empty where none is known.
    pub unit: String,
    /// Its value at the start.
    pub start: f64,
}

/// Units of an angle and of a length with their rates.
const ANGLES: [&str; 3] = ["rad", "rad/s", "rad/s^2"];
const LENGTHS: [&str; 3] = ["m", "m/s", "m/s^2"];
/// Components of a vector.
const AXES: [&str; 3] = ["x", "y", "z"];

/// The law of a driver that follows one.
pub fn law(target: &Target) -> Option<&Motion> {
    match target {
        Target::Coordinate { value, .. }
        | Target::Rotor { value, .. }
        | Target::Point { value, .. }
        | Target::Measure { value, .. } => Some(value),
        Target::Orientation { .. } => None,
    }
}

/// The same driver with another law.
pub fn led(driver: &Driver, law: Motion) -> Driver {
    let mut driver = driver.clone();
    match &mut driver.target {
        Target::Coordinate { value, .. }
        | Target::Rotor { value, .. }
        | Target::Point { value, .. }
        | Target::Measure { value, .. } => *value = law,
        Target::Orientation { .. } => {}
    }
    driver
}

fn is_angle(model: &Model, target: &Target) -> bool {
    match target {
        Target::Coordinate { of, .. } => {
            let joint = model.joints.get(of.joint);
            joint.and_then(|j| j.kind.coordinates().get(of.coordinate)).is_some_and(|c| c.angle)
        }
        Target::Rotor { .. } | Target::Orientation { .. } => true,
        Target::Measure { length, .. } => !length,
        Target::Point { .. } => false,
    }
}

/// The inputs of a model, as it is at the start.
pub fn inputs(model: &Model) -> Vec<Input> {
    let t = model.study.start;
    let mut inputs = Vec::new();
    for (k, driver) in model.drivers.iter().enumerate() {
        let Some(law) = law(&driver.target) else { continue };
        let jet = law.jet(t);
        let units = if is_angle(model, &driver.target) { ANGLES } else { LENGTHS };
        let names = [driver.name.clone(), signal_name::rate(&driver.name), signal_name::accel(&driver.name)];
        for (order, (start, name)) in [jet.v, jet.d, jet.dd].into_iter().zip(names).enumerate() {
            let start = if start.is_finite() { start } else { 0.0 };
            inputs.push(Input { name, unit: units[order], start, to: To::Driver(k, order) });
        }
    }
    for (k, load) in model.loads.iter().enumerate() {
        let values = components(model, load);
        let several = values.len() > 1;
        for (component, value, unit) in values {
            let name = signal_name::join(&load.name, "value");
            let name = if several { signal_name::join(&name, AXES[component]) } else { name };
            let start = value.as_constant().unwrap_or(0.0);
            inputs.push(Input { name, unit, start, to: To::Load(k, component) });
        }
    }
    inputs
}

/// Components of a load's value: their number, what they are now, and their unit. None where a load has no value, as a spring has none.
fn components<'m>(model: &Model, load: &'m Load) -> Vec<(usize, &'m Expression, &'static str)> {
    let planar = model.space.is_planar();
    match &load.law {
        Law::Force { value, .. } => {
            value.iter().enumerate().take(if planar { 2 } else { 3 }).map(|(k, value)| (k, value, "N")).collect()
        }
        Law::Torque { value, .. } => {
            value.iter().enumerate().skip(if planar { 2 } else { 0 }).map(|(k, value)| (k, value, "N*m")).collect()
        }
        Law::Between { effort: Effort::Value(value), .. } => vec![(0, value, "N")],
        Law::Coordinate { of, effort: Effort::Value(value) } => {
            let joint = model.joints.get(of.joint);
            let angle = joint.and_then(|j| j.kind.coordinates().get(of.coordinate)).is_some_and(|c| c.angle);
            vec![(0, value, if angle { "N*m" } else { "N" })]
        }
        Law::Rotor { effort: Effort::Value(value), .. } => vec![(0, value, "N*m")],
        _ => Vec::new(),
    }
}

/// Puts a number in the place of a component of a load.
pub fn load(load: &mut Load, component: usize, number: f64) {
    let given = Expression::constant(number);
    match &mut load.law {
        Law::Force { value, .. } | Law::Torque { value, .. } => {
            if let Some(value) = value.get_mut(component) {
                *value = given;
            }
        }
        Law::Between { effort, .. } | Law::Coordinate { effort, .. } | Law::Rotor { effort, .. } => {
            *effort = Effort::Value(given);
        }
        Law::Contact(_) => {}
    }
}

/// Refuses names that mean two things.
pub fn refuse_twice<'a>(names: impl Iterator<Item = &'a str>) -> Result<()> {
    let mut all: Vec<&str> = names.collect();
    all.sort_unstable();
    match all.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Error::new(format!("two inputs, parameters or outputs have the name '{}'", pair[0]))
            .note("rename the driver, load, parameter or signal, or choose outputs by --signals")),
        None => Ok(()),
    }
}
