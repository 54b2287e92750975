//! `[signals]`: names for expressions of signals; and the names that such expressions may use.

use super::context::Context;
use super::order::order_of_use;
use super::parameters::Parameters;
use super::reader::{section, Reader};
use super::tree::{Entry, Value};
use super::values::{self, describe, wrong};
use biela_base::error::{Error, Result};
use biela_base::signal_name;
use biela_base::units::{self, Kind};
use biela_core::expr::{free_names_among, is_quantity, is_reserved, Name, Scope, FUNCTIONS};
use biela_core::model::{Derived, Model};
use biela_core::signal::{components, is_watchable, needs, Cost, Element, Extent, Signal, Signals};
use biela_results::intern_unit;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// Reads the section into the model's study.
pub(super) fn read(root: &Reader, model: &mut Model) -> Result<()> {
    let entries = section(root, "signals", "power = \"motor.effort * A.angle.rate\" below [signals]")?;
    if entries.is_empty() {
        return Ok(());
    }
    let index: HashMap<&str, usize> = entries.iter().enumerate().map(|(k, e)| (e.key.as_str(), k)).collect();
    let mut uses: Vec<Vec<usize>> = Vec::new();
    for entry in entries {
        let blame = |e: Error| e.of(format!("signal '{}'", entry.key));
        check_name(root.context, model, &entry.key).map_err(|e| blame(e).at_opt(entry.key_span.as_ref()))?;
        let text = text_of(entry).map_err(blame)?;
        // A fault in the text is told when the expression itself is read.
        let names = free_names_among(text, &|name| index.contains_key(name)).unwrap_or_default();
        uses.push(names.iter().filter_map(|name| index.get(name.as_str()).copied()).collect());
    }
    let slices: Vec<&[usize]> = uses.iter().map(Vec::as_slice).collect();
    let order = order_of_use(&slices).map_err(|path| circle(entries, path))?;
    let mut derived = Vec::new();
    for k in order {
        let entry = &entries[k];
        // Only what is made of others has to know them.
        if !uses[k].is_empty() {
            model.study.derived = Arc::from(derived.as_slice());
        }
        let scope = Known::new(model, root.context.parameters);
        let text = text_of(entry)?;
        let blame = |e: Error| e.of(format!("signal '{}'", entry.key)).at_opt(entry.node.span.as_ref());
        let expression = values::expression(&entry.node, "a signal", text, None, &scope).map_err(blame)?;
        let alone = scope.signal(text.trim()).map(|s| s.unit().to_string());
        let unit = intern_unit(&alone.unwrap_or_else(|| expression.kind().unit())).map_err(blame)?;
        let mut inputs = scope.others.into_inner();
        // What was looked at and is no part of the expression asks for nothing.
        let used = |slot: usize| expression.variables().contains(&slot);
        inputs.iter_mut().enumerate().filter(|(k, _)| !used(k + 1)).for_each(|(_, n)| *n = signal_name::TIME.into());
        derived.push(Derived { name: entry.key.clone(), unit, expression, inputs });
    }
    model.study.derived = Arc::from(derived);
    Ok(())
}

fn text_of(entry: &Entry) -> Result<&str> {
    match &entry.node.value {
        Value::Text(text) => Ok(text),
        Value::Table(_) => {
            let message = format!("a signal is an expression in quotes, not {}", describe(&entry.node));
            let error = Error::new(message).at_opt(entry.key_span.as_ref());
            let form = format!("{} = \"motor.effort * O.angle.rate\" below [signals]", entry.key);
            Err(error.note(format!("write {form}; names of signals have no dots")))
        }
        _ => {
            let message = format!("a signal is an expression in quotes, not {}", describe(&entry.node));
            Err(wrong(&entry.node, message).note("such as speed = \"norm(coupler.T.v)\""))
        }
    }
}

/// Refuses a name that means something else already.
fn check_name(context: &Context, model: &Model, name: &str) -> Result<()> {
    let fine = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() || !name.chars().all(fine) || name.starts_with('-') || is_quantity(name) {
        return Err(Error::new("a signal's name is made of letters, digits, _ and -, and begins with a letter"));
    }
    let bodies = model.bodies.iter().map(|b| ("a body", &b.name));
    let joints = model.joints.iter().map(|j| ("a joint", &j.name));
    let couplings = model.couplings.iter().map(|c| ("a coupling", &c.name));
    let drivers = model.drivers.iter().map(|d| ("a driver", &d.name));
    let loads = model.loads.iter().map(|l| ("a force", &l.name));
    let rotors = model.rotors.iter().map(|r| ("a rotor", &r.name));
    let mut elements = bodies.chain(joints).chain(couplings).chain(drivers).chain(loads).chain(rotors);
    let element = if let Some((what, _)) = elements.find(|(_, other)| *other == name) {
        Some(what)
    } else if context.parameters.lookup(name).is_some() {
        Some("a parameter")
    } else if units::unit(name).is_some() {
        Some("a unit")
    } else if FUNCTIONS.iter().any(|f| f.name == name) {
        Some("a function")
    } else if is_reserved(name) || TAKEN.contains(&name) || Signal::parse(model, name).is_some() {
        Some("a signal of every model, or the beginning of its name")
    } else {
        None
    };
    match element {
        Some(what) => Err(Error::new(format!("'{name}' is the name of {what}")).note("give the signal another name")),
        None => Ok(()),
    }
}

/// Beginnings of names, and columns of sweeps.
const TAKEN: &[&str] = &[signal_name::ENERGY, signal_name::SYSTEM, "sample", "reason"];

fn circle(entries: &[Entry], mut path: Vec<usize>) -> Error {
    let first = &entries[path[0]];
    path.push(path[0]);
    let names: Vec<&str> = path.iter().map(|k| entries[*k].key.as_str()).collect();
    let message = match names.len() {
        2 => "it is made of itself".to_string(),
        _ => format!("signals are made of each other in a circle: {}", names.join(" → ")),
    };
    Error::new(message)
        .of(format!("signal '{}'", first.key))
        .at_opt(first.node.span.as_ref())
        .note("one of them must be made of signals of the model alone")
}

/// The names of expressions of signals: parameters, `t`, joint coordinates where they have slots of their own, then any signal.
pub(super) struct Known<'a> {
    model: &'a Model,
    parameters: &'a Parameters,
    /// Joint coordinates that take the first slots, each with its rate.
    coordinates: HashMap<String, usize>,
    /// Whether they are watched between the samples of a motion.
    watched: bool,
    /// Signals in the order of their slots.
    pub others: RefCell<Vec<String>>,
}

impl<'a> Known<'a> {
    fn new(model: &'a Model, parameters: &'a Parameters) -> Known<'a> {
        Known { model, parameters, coordinates: HashMap::new(), watched: false, others: RefCell::default() }
    }

    /// The names of expressions that are watched during a motion.
    pub fn watched(model: &'a Model, parameters: &'a Parameters, coordinates: &[String]) -> Known<'a> {
        let slots = coordinates
            .iter()
            .enumerate()
            .flat_map(|(k, name)| [(name.clone(), 2 * k + 1), (signal_name::rate(name), 2 * k + 2)]);
        Known { model, parameters, coordinates: slots.collect(), watched: true, others: RefCell::default() }
    }

    /// The signal of that name, of those that motions have.
    fn signal(&self, name: &str) -> Option<Signal> {
        let element = |s: &Signal| {
            !matches!(
                s.element,
                Element::Eigenvalue | Element::Shape(..) | Element::StateMatrix(..) | Element::Limit(_)
            )
        };
        Signal::parse(self.model, name).filter(element)
    }

    /// Whether a signal may be used.
    fn fits(&self, signal: Signal) -> bool {
        match self.watched {
            true => is_watchable(self.model, signal),
            false => needs(self.model, signal) <= Cost::Forces,
        }
    }

    /// A signal that an expression names and that may not be used.
    pub fn too_much(&self, text: &str) -> Option<String> {
        let names = free_names_among(text, &|name| self.signal(name).is_some()).unwrap_or_default();
        let much = |name: &String| self.signal(name).is_some_and(|s| !self.fits(s));
        names.into_iter().find(|name| self.lookup(name).is_none() && much(name))
    }
}

impl Scope for Known<'_> {
    fn lookup(&self, name: &str) -> Option<Name> {
        if let Some(parameter) = self.parameters.lookup(name) {
            return Some(parameter);
        }
        if name == signal_name::TIME {
            return Some(Name::Variable(0));
        }
        if let Some(slot) = self.coordinates.get(name) {
            return Some(Name::Variable(*slot));
        }
        let signal = self.signal(name).filter(|s| self.fits(*s))?;
        let kind = match signal.element {
            // Nothing may be known of what it measures.
            Element::Derived(_) if signal.unit() == "1" => Kind::Any,
            _ => signal.kind(),
        };
        let mut others = self.others.borrow_mut();
        let place = others.iter().position(|n| n == name).unwrap_or_else(|| {
            others.push(name.to_string());
            others.len() - 1
        });
        Some(Name::Quantity(1 + self.coordinates.len() + place, kind))
    }
    fn names(&self) -> Vec<String> {
        let extent = Extent { forces: true, balance: true, mode: true, singularity: true, lag: true };
        let signals = Signals::every(self.model, extent);
        let fits = signals.all().iter().filter(|s| self.fits(**s));
        let names = fits.map(|s| s.name(self.model));
        names.chain(self.parameters.names()).collect()
    }
    fn advice(&self, name: &str) -> Option<String> {
        let (owner, leaf) = signal_name::split(name).filter(|_| self.model.space.is_planar())?;
        let known = |leaf: &str| Some(signal_name::join(owner, leaf)).filter(|name| self.signal(name).is_some());
        match leaf {
            "roll" | "pitch" | "yaw" | "e0" | "e1" | "e2" | "e3" => {
                known("angle").map(|name| format!("in a planar model a body turns by one angle, {name}"))
            }
            "wx" | "wy" | "wz" => {
                known("w").map(|name| format!("in a planar model a body turns about z alone, at {name}"))
            }
            "alx" | "aly" | "alz" => {
                known("al").map(|name| format!("in a planar model a body turns about z alone, with {name}"))
            }
            "z" | "vz" | "az" => known("x").map(|_| "a planar model has x and y alone".to_string()),
            "fz" | "mx" | "my" => known("fx").map(|_| "reactions of a planar model are fx, fy and mz".to_string()),
            _ => None,
        }
    }
    fn components(&self, vector: &str) -> Vec<String> {
        components(|name| self.signal(name).is_some(), vector)
    }
    fn value(&self, parameter: usize) -> f64 {
        self.parameters.value(parameter)
    }
    fn hold(&self, parameter: usize) {
        self.parameters.hold(parameter);
    }
    fn unit_used(&self, unit: &str, text: &str) {
        self.parameters.unit_used(unit, text);
    }
}
