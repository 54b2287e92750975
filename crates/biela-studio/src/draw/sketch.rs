//! What lies where in a drawing: from the text, and from the model that it makes.

#![allow(non_snake_case)] // X_WB: a body's pose in the drawing (docs/notation.md).

use super::place::{length, to_place, Place};
use crate::given::Given;
use biela::display_units::{DisplayUnits, Scale};
use biela::error::{Error, Result};
use biela::joints::Key;
use biela::loads::Law;
use biela::math::{Pose, Vec3};
use biela::model::Model;
use biela::results::significant;
use biela::text::edit::{Sheet, Step};
use biela::text::tree::{Node, Value as Word};
use biela::units::{Dimension, Kind};
use serde_json::{json, Value};

/// Digits that a drawn number has: finer than any hand, and free of what is left over from sums.
const DIGITS: usize = 9;

/// A drawing: its text, and what it says.
#[derive(Debug)]
pub(crate) struct Sketch {
    pub sheet: Sheet,
    /// None while nothing is drawn.
    pub model: Option<Model>,
    /// The unit in which lengths are read and written.
    pub length: Scale,
    /// Numbers of a place: two in a plane, three in space.
    pub dimensions: usize,
    given: Given,
}

/// What can be drawn on, for the page.
pub(crate) fn sketch(given: &Given) -> Result<Value> {
    Ok(Sketch::read(given)?.json())
}

impl Sketch {
    /// Reads a model. A text without any body is an empty drawing.
    pub fn read(given: &Given) -> Result<Sketch> {
        let sheet = Sheet::read(&given.text)?;
        let empty =
            ["bodies", "repeat", "arm"].iter().all(|key| sheet.names(&[key]).is_empty() && !is_list(sheet.get(&[key])));
        let model = if empty { None } else { Some(given.model()?.0) };
        let units = match sheet.get(&["units"]).map(|n| &n.value) {
            Some(Word::Text(words)) => DisplayUnits::parse(words, None)?,
            _ => DisplayUnits::default(),
        };
        let planar = matches!(sheet.get(&["planar"]).map(|n| &n.value), Some(Word::Bool(true)));
        let dimensions = if planar { 2 } else { 3 };
        Ok(Sketch { sheet, model, length: units.scale("m"), dimensions, given: given.clone() })
    }

    /// The same after edits of its text so far.
    pub fn again(&mut self) -> Result<()> {
        let mut given = self.given.clone();
        given.text = self.sheet.text().to_string();
        *self = Sketch::read(&given)?;
        Ok(())
    }

    pub fn body(&self, name: &str) -> Result<usize> {
        let found = self.model.as_ref().and_then(|m| m.bodies.iter().position(|b| b.name == name));
        found.or((name == "ground").then_some(0)).ok_or_else(|| Error::new(format!("there is no body '{name}'")))
    }

    pub fn body_name(&self, k: usize) -> &str {
        self.model.as_ref().and_then(|m| m.bodies.get(k)).map_or("ground", |b| b.name.as_str())
    }

    pub fn joint(&self, name: &str) -> Result<usize> {
        let found = self.model.as_ref().and_then(|m| m.joints.iter().position(|j| j.name == name));
        found.ok_or_else(|| Error::new(format!("there is no joint '{name}'")))
    }

    /// Where a body's frame is in the drawing.
    pub fn pose(&self, body: usize) -> Pose {
        self.model.as_ref().and_then(|m| m.bodies.get(body)).map_or(Pose::IDENTITY, |b| b.X_WB)
    }

    /// A joint's points on its two bodies, in the drawing.
    pub fn joint_places(&self, k: usize) -> [Place; 2] {
        let Some(joint) = self.model.as_ref().map(|m| &m.joints[k]) else { return [[0.0; 3]; 2] };
        [0, 1].map(|side| to_place(self.pose(joint.bodies[side]).apply(joint.frames[side].origin)))
    }

    /// Diagonal of all that is drawn, to tell what is near; one where there is nothing.
    pub fn size(&self) -> f64 {
        let Some(model) = &self.model else { return 1.0 };
        let joints = (0..model.joints.len()).flat_map(|k| self.joint_places(k));
        let points = (model.bodies.iter()).flat_map(|b| b.points.iter().map(|(_, p)| to_place(b.X_WB.apply(*p))));
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for p in joints.chain(points) {
            for k in 0..3 {
                (low[k], high[k]) = (low[k].min(p[k]), high[k].max(p[k]));
            }
        }
        let size = length([0, 1, 2].map(|k| high[k] - low[k]));
        if size.is_finite() && size > 0.0 {
            size
        } else {
            1.0
        }
    }

    /// A length as it is written.
    pub fn length(&self, x: f64) -> Node {
        // Nothing has no unit.
        if self.length.unit == "m" || x == 0.0 {
            return number(x);
        }
        Node::from(format!("{} {}", tidy(self.length.shown(x)), self.length.unit))
    }

    /// A place as it is written.
    pub fn place(&self, at: Place) -> Node {
        at[..self.dimensions].iter().map(|x| self.length(*x)).collect::<Vec<_>>().into()
    }

    /// A place for the page.
    fn told(&self, at: Place) -> Value {
        json!(at[..self.dimensions])
    }

    /// A direction as it is written.
    pub fn direction(&self, along: Place) -> Node {
        let whole = length(along);
        along[..self.dimensions].iter().map(|x| number(x / whole)).collect::<Vec<_>>().into()
    }

    /// The number that a value stands for, where it is one, or one with a unit of length, or the name of a parameter.
    pub fn read_length(&self, node: &Node) -> Option<f64> {
        match &node.value {
            Word::Integer(n) => Some(*n as f64),
            Word::Number(x) => Some(*x),
            Word::Text(words) => match with_unit(words) {
                Some((x, scale)) => Some(scale.back(x)),
                None => {
                    let parameters = &self.model.as_ref()?.parameters;
                    parameters.iter().find(|(name, _)| name == words.trim()).map(|(_, x)| *x)
                }
            },
            _ => None,
        }
    }

    /// Writes a length where one is written, in the unit that it has; into its parameter where it is one.
    pub fn write_length(&mut self, path: &[Step], x: f64) -> Result<()> {
        let Some(old) = self.sheet.node(path).cloned() else { return Err(Error::new("the text says nothing there")) };
        let Word::Text(words) = &old.value else {
            let whole = self.length(x);
            let plain = self.length.unit == "m" || self.read_length(&old) != Some(0.0);
            return self.sheet.replace(path, &if plain { number(x) } else { whole });
        };
        if let Some((_, scale)) = with_unit(words) {
            let text = format!("{} {}", tidy(scale.shown(x)), scale.unit);
            return self.sheet.replace(path, &Node::from(text));
        }
        let own = words.trim().to_string();
        if self.sheet.get(&["parameters", &own]).is_some() {
            return self.write_length(&[Step::Key("parameters"), Step::Key(&own)], x);
        }
        Err(Error::new(format!("this place follows from '{words}'")).note(
            "change that in the text, or a parameter by its slider; places that are plain numbers can be dragged",
        ))
    }

    /// All that is drawn.
    pub fn json(&self) -> Value {
        let Some(model) = &self.model else {
            return json!({ "planar": self.dimensions == 2, "length": [self.length.unit, self.length.ratio()], "bodies": [], "joints": [], "drivers": [], "couplings": [], "forces": [] });
        };
        let bodies: Vec<Value> = (model.bodies.iter())
            .map(|b| {
                let points = b
                    .points
                    .iter()
                    .map(|(name, p)| json!({ "name": name, "at": self.told(to_place(b.X_WB.apply(*p))) }));
                json!({ "name": b.name, "points": points.collect::<Vec<_>>(), "keys": self.keys("bodies", &b.name) })
            })
            .collect();
        let joints: Vec<Value> = (model.joints.iter().enumerate())
            .map(|(k, j)| {
                let along = |k: usize| to_place(self.pose(j.bodies[0]).rotation.apply(j.frames[0].rotation.axes[k]));
                let axis = |key, k| j.kind.keys().contains(&key).then(|| along(k));
                // In a plane only what slides has a direction.
                let axis1 = axis(Key::Axis, 2).filter(|a| self.dimensions == 3 || a[0].hypot(a[1]) > 0.5).map(|a| self.told(a));
                let axis2 = axis(Key::Axis2, 0).map(|a| self.told(a));
                json!({
                    "name": j.name, "type": j.kind.keyword(), "bodies": j.bodies.map(|b| self.body_name(b)), "at": self.joint_places(k).map(|p| self.told(p)),
                    "axis": axis1, "axis2": axis2, "keys": self.keys("joints", &j.name),
                })
            })
            .collect();
        let forces: Vec<Value> = (model.loads.iter())
            .map(|load| {
                let ends: Vec<(usize, Vec3)> = match &load.law {
                    Law::Force { body, p_B, .. } => vec![(*body, *p_B)],
                    Law::Between { ends, .. } => ends.to_vec(),
                    _ => Vec::new(),
                };
                let at = ends.iter().map(|(b, p)| self.told(to_place(self.pose(*b).apply(*p)))).collect::<Vec<_>>();
                let value = self.sheet.get(&["forces", &load.name, "value"]).and_then(|node| match &node.value {
                    Word::List(list) => Some(list.iter().map(force_number).collect::<Vec<_>>()),
                    _ => None,
                });
                json!({
                    "name": load.name, "bodies": ends.iter().map(|(b, _)| self.body_name(*b)).collect::<Vec<_>>(), "at": at,
                    "value": value, "keys": self.keys("forces", &load.name),
                })
            })
            .collect();
        let named = |section: &str| -> Vec<Value> {
            let names = self.sheet.names(&[section]);
            names.iter().map(|name| json!({ "name": name, "keys": self.keys(section, name) })).collect()
        };
        json!({
            "planar": self.dimensions == 2, "length": [self.length.unit, self.length.ratio()],
            "bodies": bodies, "joints": joints, "forces": forces,
            "drivers": named("drivers"), "couplings": named("couplings"),
        })
    }

    /// What the text says of an element: keys with their values as they stand; null where the text has no such element.
    fn keys(&self, section: &str, name: &str) -> Value {
        if self.sheet.get(&[section, name]).is_none() {
            return Value::Null;
        }
        let text = |key: &str| {
            let span = self.sheet.get(&[section, name, key])?.span.clone()?;
            self.sheet.text().get(span.range).map(str::to_string)
        };
        let keys = self.sheet.names(&[section, name]);
        keys.iter().filter_map(|key| Some(json!([key, text(key)?]))).collect()
    }
}

/// A component of a force as far as it is a plain number, whatever its unit: arrows show directions.
fn force_number(node: &Node) -> Option<f64> {
    match &node.value {
        Word::Integer(n) => Some(*n as f64),
        Word::Number(x) => Some(*x),
        Word::Text(words) => words.split_whitespace().next()?.parse().ok(),
        _ => None,
    }
}

/// `12.5 mm` as a number and its unit of length.
fn with_unit(words: &str) -> Option<(f64, Scale)> {
    let (x, unit) = words.trim().split_once(' ')?;
    Some((x.parse().ok()?, Scale::to_written(Kind::Known(Dimension::LENGTH), unit.trim())?))
}

fn is_list(node: Option<&Node>) -> bool {
    node.is_some_and(|n| matches!(&n.value, Word::List(list) if !list.is_empty()))
}

/// A number as a person would write it.
pub(super) fn tidy(x: f64) -> String {
    significant(x, DIGITS)
}

/// The same as a value.
pub(super) fn number(x: f64) -> Node {
    let x: f64 = tidy(x).parse().unwrap_or(x);
    const WHOLE: f64 = 1e15; // Below this every whole number is one of 64 bits.
    match x == x.trunc() && x.abs() < WHOLE {
        true => Node::new(Word::Integer(x as i64)),
        false => Node::from(x),
    }
}
