//! What joins two bodies where they meet: in a plane a pin, in space a joint of some kind with its axes.

use super::ends::add_joint;
use super::place::{length, place_of, Place};
use super::sketch::Sketch;
use biela::error::{Error, Result};
use biela::joints::{JointKind, Key, JOINTS, REVOLUTE};
use biela::math::Vec3;
use serde_json::Value;

/// A kind of joint, with a direction where it has one.
pub(super) struct Fastening {
    kind: &'static dyn JointKind,
    axis: Option<Place>,
    axis2: Option<Place>,
}

impl Fastening {
    /// That of an edit: `{"joint": {"type", "axis", "axis2"}}`. Without it a pin, in space about the vertical.
    pub fn read(drawing: &Sketch, asked: &Value) -> Result<Fastening> {
        if drawing.dimensions == 2 {
            return Ok(Fastening { kind: REVOLUTE, axis: None, axis2: None });
        }
        let asked = &asked["joint"];
        let word = asked["type"].as_str().unwrap_or(REVOLUTE.keyword());
        let kind = JOINTS.iter().copied().find(|kind| kind.keyword() == word);
        let drawn = |kind: &&dyn JointKind| kind.keys().iter().all(|key| DRAWN.contains(key));
        let kind = kind.filter(drawn).ok_or_else(|| {
            let names: Vec<_> = JOINTS.iter().copied().filter(drawn).map(|kind| kind.keyword()).collect();
            Error::new(format!("a joint of type '{word}' is not drawn"))
                .note(format!("those that are: {}", names.join(", ")))
        })?;
        let given = |key: &str| match &asked[key] {
            Value::Null => Ok(None),
            other => place_of(other).map(Some),
        };
        let axis = match given("axis")? {
            Some(axis) if length(axis) <= 0.0 => return Err(Error::new("a joint's axis needs a direction")),
            axis => axis.unwrap_or([0.0, 0.0, 1.0]),
        };
        let axis2 = given("axis2")?.and_then(|other| across(axis, other)).unwrap_or_else(|| beside(axis));
        let has = |key| kind.keys().contains(&key);
        Ok(Fastening { kind, axis: has(Key::Axis).then_some(axis), axis2: has(Key::Axis2).then_some(axis2) })
    }

    /// Joins two bodies at a place.
    pub fn join(&self, drawing: &mut Sketch, name: &str, bodies: [&str; 2], at: Place) -> Result<()> {
        let mut keys = vec![("at", drawing.place(at))];
        keys.extend(self.axis.map(|axis| ("axis", drawing.direction(axis))));
        keys.extend(self.axis2.map(|axis| ("axis2", drawing.direction(axis))));
        add_joint(drawing, name, self.kind, bodies, keys)
    }
}

/// What a joint that is drawn is told.
const DRAWN: [Key; 4] = [Key::At, Key::Axis, Key::OptionalAxis, Key::Axis2];

/// The part of a direction that is across another.
fn across(axis: Place, other: Place) -> Option<Place> {
    const LEAST: f64 = 1e-6; // Below this two directions are one for any hand.
    let (a, b) = (Vec3::from(axis) * (1.0 / length(axis)), Vec3::from(other));
    let rest = b - a * a.dot(b);
    (rest.norm() > LEAST * b.norm()).then(|| rest.to_array())
}

/// Some direction across another: the first of x, y and z that is far from it.
fn beside(axis: Place) -> Place {
    let far = |k: &usize| axis[*k].abs() < 0.6 * length(axis);
    let k = (0..3).find(far).unwrap_or(0);
    let mut other = [0.0; 3];
    other[k] = 1.0;
    across(axis, other).unwrap_or(other)
}

/// Makes a joint one of another kind, or turns its axis.
pub(super) fn change(drawing: &mut Sketch, asked: &Value) -> Result<()> {
    let name = asked["name"].as_str().unwrap_or("");
    drawing.joint(name)?;
    if drawing.dimensions == 2 {
        return Err(Error::new("in a plane a pin is a pin").note("take it away and draw a slider"));
    }
    let new = Fastening::read(drawing, asked)?;
    drawing.sheet.set(&["joints", name, "type"], &new.kind.keyword().into())?;
    for (key, axis) in [("axis", new.axis), ("axis2", new.axis2)] {
        match axis {
            Some(axis) => {
                let direction = drawing.direction(axis);
                drawing.sheet.set(&["joints", name, key], &direction)?;
            }
            None if key == "axis" && new.kind.keys().contains(&Key::OptionalAxis) => {}
            None => drawing.sheet.remove(&["joints", name, key])?,
        }
    }
    Ok(())
}
