//! `[joints]`: types from the registry, bodies, frames, and the keys of each type.

use super::bodies::Bodies;
use super::context::Variables;
use super::frames::{read_at, read_directions, Geometry, Given};
use super::motions;
use super::reader::{check_name, section, Reader};
use super::tree::{Entry, Value};
use super::values::{describe, shown, wrong};
use biela_base::error::{nearest, Error, Result};
use biela_base::units::Dimension;
use biela_core::couplings::COUPLINGS;
use biela_core::joints::{self, Joint, JointKind, Key, Limits};
use biela_core::motion::Motion;
use biela_math::{Pose, Vec3};
use std::collections::HashMap;

/// Joints with an index by name.
pub(super) struct Joints {
    pub list: Vec<Joint>,
    index: HashMap<String, usize>,
}

impl Joints {
    pub fn find(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }

    pub fn names(&self) -> Vec<&str> {
        self.list.iter().map(|j| j.name.as_str()).collect()
    }
}

/// Reads the joints of `[joints]`; its couplings are left for later, in the second place.
pub(super) fn read<'a>(root: &Reader<'a>, bodies: &Bodies) -> Result<(Joints, Vec<&'a Entry>)> {
    let mut list = Vec::new();
    let mut couplings = Vec::new();
    for entry in section(root, "joints", "[joints.A]")? {
        check_name("joint", entry)?;
        let reader = Reader::of_entry(root.context, format!("joint '{}'", entry.key), entry)?;
        let word = reader.required_text("type", "such as type = \"revolute\"").map_err(|e| {
            e.note(format!("types: {}", joints::all().iter().map(|k| k.keyword()).collect::<Vec<_>>().join(", ")))
        })?;
        match joints::kind(word) {
            Some(kind) => list.push(read_joint(&reader, entry, kind, bodies)?),
            None if biela_core::couplings::kind(word).is_some() => couplings.push(entry),
            None => return Err(unknown_type(&reader, word)),
        }
    }
    let index = list.iter().enumerate().map(|(k, j): (usize, &Joint)| (j.name.clone(), k)).collect();
    Ok((Joints { list, index }, couplings))
}

fn unknown_type(reader: &Reader, word: &str) -> Error {
    let kinds = joints::all();
    let joints: Vec<&str> = kinds.iter().map(|k| k.keyword()).collect();
    let couplings: Vec<&str> = COUPLINGS.iter().map(|k| k.keyword()).collect();
    let all = [joints.as_slice(), couplings.as_slice()].concat();
    let error = reader.wrong_value("type", format!("there is no joint type '{word}'"));
    let error = error.note(format!("joints: {}", joints.join(", ")));
    let error = error.note(format!("couplings: {}", couplings.join(", ")));
    let translated = |k: &&&'static dyn JointKind| k.aliases().iter().any(|other| other.eq_ignore_ascii_case(word));
    let synonym = kinds.iter().find(translated).map(|k| k.keyword());
    match synonym.or_else(|| nearest(word, &all)) {
        Some(near) => error.note(format!("did you mean '{near}'?")),
        None => error,
    }
}

/// Keys of a joint type, in the order messages list them.
fn allowed(kind: &dyn JointKind) -> Vec<&'static str> {
    let mut keys = vec!["type", "bodies"];
    let own = kind.keys();
    let has = |key: Key| own.contains(&key);
    for key in own {
        match key {
            Key::At => keys.push("at"),
            Key::Axis | Key::OptionalAxis => keys.push("axis"),
            Key::Axis2 => keys.push("axis2"),
            Key::Pitch => keys.push("pitch"),
            Key::Length => keys.extend(["length", "value"]),
            Key::Value | Key::LengthValue => keys.push("value"),
            Key::APair | Key::A => keys.push("a"),
            Key::Along => keys.push("along"),
        }
    }
    if !has(Key::At) {
        keys.push("at");
    }
    if may_be_oriented(kind) && !has(Key::OptionalAxis) {
        keys.push("axis");
    }
    if (has(Key::Axis) && !has(Key::Axis2)) || may_be_oriented(kind) {
        keys.extend(["x", "zero"]);
    }
    keys.push("limits");
    keys
}

/// Joints without an axis of their own whose frames may still be turned by `axis` and `x`.
fn may_be_oriented(kind: &dyn JointKind) -> bool {
    kind.hinge().is_some() && !kind.keys().contains(&Key::Axis)
}

/// Whether the joint point may be left out.
fn at_is_optional(kind: &dyn JointKind) -> bool {
    !kind.keys().contains(&Key::At) || kind.point_is_optional()
}

fn read_joint(reader: &Reader, entry: &Entry, kind: &'static dyn JointKind, bodies: &Bodies) -> Result<Joint> {
    reader.allow_for(&format!("a {} joint", kind.keyword()), &allowed(kind))?;
    let pair = read_bodies(reader, bodies)?;
    let at = read_at(reader, bodies, pair)?;
    if at.is_none() && !at_is_optional(kind) {
        return Err(reader.missing(
            "at",
            "the joint point: one per body, such as at = [\"A\", [0, 0, 0]], or one vector of the drawing",
        ));
    }
    let drawing = pair.map(|k| bodies.list[k].X_WB);
    let geometry = Geometry { reader, kind, drawing, at };
    let mut joint = Joint {
        name: entry.key.clone(),
        kind,
        bodies: pair,
        frames: read_frames(&geometry)?,
        directions: [Vec3::ZERO; 2],
        pitch: 0.0,
        value: Motion::Constant(0.0),
        limits: read_limits(reader, kind)?,
        span: reader.span().cloned(),
    };
    let time = Variables::time(reader.context.parameters);
    let motion = |key: &str, wanted: Dimension| motions::read(reader, key, Dimension::TIME, wanted, &time);
    for key in kind.keys() {
        match key {
            Key::At | Key::Axis | Key::OptionalAxis | Key::Axis2 => {}
            Key::Pitch => {
                joint.pitch = reader.required_number("pitch", Dimension::LENGTH, "the advance per turn, a length")?;
            }
            Key::Length => joint.value = read_length(reader, &motion)?,
            Key::Value => joint.value = motion("value", Dimension::NUMBER)?,
            Key::LengthValue => joint.value = motion("value", Dimension::LENGTH)?,
            Key::APair => {
                let a = read_directions(reader, "a")?;
                let a = a.ok_or_else(|| {
                    reader.missing("a", "a direction of each body, such as a = [[1, 0, 0], [0, 1, 0]]")
                })?;
                joint.directions = a.directions(&drawing);
            }
            Key::A => {
                let meaning = "one direction in the first body's frame, such as a = [1, 0, 0]";
                match read_directions(reader, "a")? {
                    Some(Given::Single(a)) => joint.directions[0] = a,
                    Some(Given::Pair(_)) => {
                        let message = "'a' is one vector here, in the first body's frame";
                        return Err(reader.wrong_value("a", message).note("such as a = [1, 0, 0]"));
                    }
                    None => return Err(reader.missing("a", meaning)),
                }
            }
            Key::Along => {
                let along = reader.direction("along")?;
                let along = along
                    .ok_or_else(|| reader.missing("along", "a direction in ground axes, such as along = \"x\""))?;
                joint.directions[0] = along;
            }
        }
    }
    Ok(joint)
}

/// `bodies = ["crank", "rod"]`: two different ones.
pub(super) fn read_bodies(reader: &Reader, bodies: &Bodies) -> Result<[usize; 2]> {
    const FORM: &str = "such as bodies = [\"ground\", \"crank\"]; the motion of the second is measured from the first";
    let node = reader.required("bodies", FORM)?;
    let list = match &node.value {
        Value::List(list) if list.len() == 2 => list,
        Value::List(list) => {
            let message = format!("'bodies' names two bodies; this list has {}", list.len());
            return Err(reader.blame(wrong(node, message)).note(FORM));
        }
        _ => {
            let message = format!("'bodies' is a list of two names, not {}", describe(node));
            return Err(reader.blame(wrong(node, message)).note(FORM));
        }
    };
    let pair = [bodies.named(reader, "bodies", &list[0])?, bodies.named(reader, "bodies", &list[1])?];
    if pair[0] == pair[1] {
        let name = &bodies.list[pair[0]].name;
        let message = format!("it connects '{name}' with itself; two different bodies are needed");
        return Err(reader.blame(wrong(&list[1], message)));
    }
    Ok(pair)
}

fn read_frames(geometry: &Geometry) -> Result<[Pose; 2]> {
    let (reader, kind) = (geometry.reader, geometry.kind);
    let keys = kind.keys();
    let missing = || reader.missing("axis", "the direction of the joint, such as axis = [0, 0, 1]");
    if keys.contains(&Key::Axis2) {
        let single = |key: &str, meaning: &str| match read_directions(reader, key)? {
            Some(Given::Single(v)) => Ok(v),
            Some(Given::Pair(_)) => Err(reader
                .wrong_value(key, format!("'{key}' of a universal joint is one vector, read in the drawing"))
                .note("'axis' is fixed in the first body, 'axis2' in the second")),
            None => Err(reader.missing(key, meaning)),
        };
        let axis = single("axis", "the axis fixed in the first body, read in the drawing, such as axis = [1, 0, 0]")?;
        let axis2 =
            single("axis2", "the axis fixed in the second body, read in the drawing, such as axis2 = [0, 1, 0]")?;
        return geometry.universal_frames(axis, axis2);
    }
    if keys.contains(&Key::Axis) {
        let axis = read_directions(reader, "axis")?.ok_or_else(missing)?;
        return geometry.frames(Some(axis));
    }
    if may_be_oriented(kind) {
        return geometry.frames(read_directions(reader, "axis")?);
    }
    if keys.contains(&Key::Length) && matches!(geometry.at, Some(Given::Single(_))) {
        return Err(reader
            .wrong_value("at", "'at' is a pair here: the two points whose distance is kept")
            .note("such as at = [\"A\", \"B\"]"));
    }
    Ok(geometry.points().map(Pose::translation))
}

fn read_length(reader: &Reader, motion: &dyn Fn(&str, Dimension) -> Result<Motion>) -> Result<Motion> {
    let key = match (reader.has("length"), reader.has("value")) {
        (true, true) => {
            let message = "'length' and 'value' both give the distance";
            return Err(reader.wrong_value("value", message).note("keep one of them"));
        }
        (false, true) => "value",
        (true, false) => "length",
        (false, false) => return Err(reader.missing("length", "the distance between the two points")),
    };
    let found = motion(key, Dimension::LENGTH)?;
    match found {
        Motion::Constant(length) if length <= 0.0 => Err(reader
            .wrong_value(key, format!("a distance is greater than zero; this is {length} m"))
            .note("where two points coincide, use a spherical joint")),
        _ => Ok(found),
    }
}

fn read_limits(reader: &Reader, kind: &dyn JointKind) -> Result<Limits> {
    let Some(limits) = reader.inner("limits", "limits.")? else { return Ok(Limits::default()) };
    limits.allow(&["lower", "upper", "velocity", "effort"])?;
    if kind.coordinates().is_empty() {
        let message = format!("a {} joint offers no coordinate that limits could bound", kind.keyword());
        return Err(reader.wrong_value("limits", message).note("remove 'limits'"));
    }
    let dimensions = match kind.coordinates().first().map(|c| c.angle) {
        Some(true) => [Some(Dimension::ANGLE), Some(Dimension::ANGULAR_VELOCITY), Some(Dimension::TORQUE)],
        Some(false) => [Some(Dimension::LENGTH), Some(Dimension::VELOCITY), Some(Dimension::FORCE)],
        None => [None; 3],
    };
    let found = Limits {
        lower: limits.number_of_any("lower", dimensions[0])?,
        upper: limits.number_of_any("upper", dimensions[0])?,
        velocity: limits.number_of_any("velocity", dimensions[1])?,
        effort: limits.number_of_any("effort", dimensions[2])?,
    };
    if let (Some(lower), Some(upper)) = (found.lower, found.upper) {
        if lower > upper {
            return Err(limits.wrong_value(
                "upper",
                format!("the upper limit {} lies below the lower limit {}", shown(upper), shown(lower)),
            ));
        }
    }
    for (key, value) in [("velocity", found.velocity), ("effort", found.effort)] {
        if value.is_some_and(|v| v < 0.0) {
            return Err(limits.wrong_value(key, format!("{} cannot be negative", limits.name(key))));
        }
    }
    Ok(found)
}
