//! `[joints]`: types from the registry, bodies, frames, and the keys of each type.

use super::bodies::{normal, Bodies};
use super::context::Variables;
use super::frames::{read_at, read_directions};
use super::joint_friction;
use super::motions;
use super::reader::{check_name, section, Reader};
use super::stops;
use super::tree::{Entry, Node, Value};
use super::values::{describe, wrong};
use biela_base::error::{nearest, Error, Result};
use biela_base::units::Dimension;
use biela_core::blueprint::{may_be_oriented, At, Direction, Given, JointPlan, LimitsPlan, MotionPlan, Varying, Zero};
use biela_core::couplings::COUPLINGS;
use biela_core::joints::{self, in_plane, InPlane, Joint, JointKind, Key, Space, FRICTION};
use std::collections::HashMap;

/// Joints with an index by name.
pub(super) struct Joints {
    pub list: Vec<Joint>,
    /// What each was made of.
    pub plans: Vec<Varying<JointPlan>>,
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
    let entries = section(root, "joints", "[joints.A]")?;
    let (mut list, mut plans) = (Vec::with_capacity(entries.len()), Vec::new());
    let mut couplings = Vec::new();
    let binding = &root.context.binding;
    for entry in entries {
        check_name("joint", entry)?;
        let reader = Reader::of_entry(root.context, format!("joint '{}'", entry.key), entry)?;
        let word = reader.required_text("type", "such as type = \"revolute\"").map_err(|e| {
            e.note(format!("types: {}", joints::all().iter().map(|k| k.keyword()).collect::<Vec<_>>().join(", ")))
        })?;
        match joints::kind(word) {
            Some(kind) => {
                let plan = read_joint(&reader, entry, kind, bodies)?;
                let joint = root.context.make(plan, &mut plans, |plan| plan.build(binding, &bodies.list))?;
                list.push(joint);
            }
            None if biela_core::couplings::kind(word).is_some() => couplings.push(entry),
            None => return Err(unknown_type(&reader, word)),
        }
    }
    let index = list.iter().enumerate().map(|(k, j): (usize, &Joint)| (j.name.clone(), k)).collect();
    Ok((Joints { list, plans, index }, couplings))
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

/// Keys of `limits`.
pub(super) const LIMITS_KEYS: &[&str] =
    &["coordinate", "lower", "upper", "velocity", "effort", "stop", "restitution", "impact", "stiffness", "damping"];

/// Keys of joints that are made of springs.
const COMPLIANCE_KEYS: [&str; 3] = ["stiffness", "damping", "preload"];

/// Keys of a joint type, in the order messages list them.
pub(super) fn allowed(kind: &'static dyn JointKind, space: Space) -> Vec<&'static str> {
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
            Key::Compliance => keys.extend(COMPLIANCE_KEYS),
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
    if space.is_planar() && in_plane(kind) == InPlane::Along {
        // A direction of the plane says by itself what is normal to it.
        keys.retain(|key| *key != "x");
    }
    keys.extend(["limits", FRICTION]);
    keys
}

/// Whether the joint point may be left out.
fn at_is_optional(kind: &dyn JointKind) -> bool {
    !kind.keys().contains(&Key::At) || kind.point_is_optional()
}

fn read_joint(reader: &Reader, entry: &Entry, kind: &'static dyn JointKind, bodies: &Bodies) -> Result<JointPlan> {
    let space = reader.context.space;
    refuse_leaving(reader, kind)?;
    if space.is_planar() && in_plane(kind) == InPlane::Along && reader.has("x") {
        return Err(reader
            .wrong_value("x", "'x' has no use in a planar model, where 'axis' says by itself what is normal to it")
            .note("leave 'x' out"));
    }
    if kind.is_axial() && kind.coordinates().iter().any(|c| reader.has(c.name)) {
        let driver = format!("such as [drivers.pump], joint = \"{}\", value = \"0.5 m + 0.1 m/s * t\"", entry.key);
        return Err(reader
            .wrong_value("length", "the length of an actuator is a coordinate: a driver prescribes it")
            .note(driver)
            .note("a rod that keeps its length is type = \"rod\""));
    }
    let article = if kind.keyword().starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
    reader.allow_for(&format!("{article} {} joint", kind.keyword()), &allowed(kind, space))?;
    let pair = read_bodies(reader, bodies)?;
    let mut plan = JointPlan::new(&entry.key, kind, pair, reader.place());
    plan.space = space;
    plan.at = read_at(reader, bodies, pair)?;
    if plan.at.is_none() && !at_is_optional(kind) {
        return Err(reader.missing(
            "at",
            reader.context.form(
                "the joint point: one per body, such as at = [\"A\", [0, 0, 0]], or one vector of the drawing",
                "the joint point: one place of the drawing, such as at = [0.1, 0.2], or one point per body",
            ),
        ));
    }
    read_frames(reader, &mut plan)?;
    (plan.limits, plan.other_limits) = read_limits(reader, kind)?;
    plan.friction = joint_friction::read(reader, kind)?;
    let time = Variables::time(reader.context.parameters);
    let motion = |key: &'static str, wanted: Dimension| {
        motions::read(reader, key, Dimension::TIME, wanted, &time).map(|motion| Some((key, motion)))
    };
    for key in kind.keys() {
        match key {
            Key::At | Key::Axis | Key::OptionalAxis | Key::Axis2 => {}
            // Loads, read with all others.
            Key::Compliance => {}
            Key::Pitch => {
                let meaning = "the advance per turn, a length";
                plan.pitch = Some(reader.required_quantity("pitch", Dimension::LENGTH, meaning)?);
            }
            Key::Length => plan.value = read_length(reader, &motion)?,
            Key::Value => plan.value = motion("value", Dimension::NUMBER)?,
            Key::LengthValue => plan.value = motion("value", Dimension::LENGTH)?,
            Key::APair => {
                let a = read_directions(reader, "a")?;
                plan.a = Some(a.ok_or_else(|| {
                    let example = reader.context.form("[[1, 0, 0], [0, 1, 0]]", "[[1, 0], [0, 1]]");
                    reader.missing("a", &format!("a direction of each body, such as a = {example}"))
                })?);
            }
            Key::A => {
                let example = reader.context.form("[1, 0, 0]", "[1, 0]");
                let meaning = &format!("one direction in the first body's frame, such as a = {example}");
                plan.a = match read_directions(reader, "a")? {
                    Some(Given::Pair(_)) => {
                        let message = "'a' is one vector here, in the first body's frame";
                        return Err(reader.wrong_value("a", message).note(format!("such as a = {example}")));
                    }
                    Some(single) => Some(single),
                    None => return Err(reader.missing("a", meaning)),
                };
            }
            Key::Along => {
                let along = reader.direction("along")?;
                let along = along
                    .ok_or_else(|| reader.missing("along", "a direction in ground axes, such as along = \"x\""))?;
                plan.a = Some(Given::Single(along));
            }
        }
    }
    Ok(plan)
}

/// Refuses a joint that leads out of the plane of a planar model.
fn refuse_leaving(reader: &Reader, kind: &'static dyn JointKind) -> Result<()> {
    let InPlane::Leaves(advice) = in_plane(kind) else { return Ok(()) };
    if !reader.context.is_planar() {
        return Ok(());
    }
    let stays = |k: &&'static dyn JointKind| !matches!(in_plane(*k), InPlane::Leaves(_));
    let others: Vec<&str> = joints::all().into_iter().filter(stays).map(|k| k.keyword()).collect();
    Err(reader
        .wrong_value("type", format!("a {} joint leaves the plane, which planar = true keeps to", kind.keyword()))
        .note(advice)
        .note(format!("joints of planar models: {}", others.join(", "))))
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

/// `axis`, `axis2`, `x` and `zero`, as far as the type has them.
fn read_frames(reader: &Reader, plan: &mut JointPlan) -> Result<()> {
    let keys = plan.kind.keys();
    if keys.contains(&Key::Axis2) {
        let single = |key: &str, meaning: &str| match read_directions(reader, key)? {
            Some(Given::Single(v)) => Ok(v),
            Some(Given::Pair(_)) => Err(reader
                .wrong_value(key, format!("'{key}' of a universal joint is one vector, read in the drawing"))
                .note("'axis' is fixed in the first body, 'axis2' in the second")),
            None => Err(reader.missing(key, meaning)),
        };
        let meaning = "the axis fixed in the first body, read in the drawing, such as axis = [1, 0, 0]";
        plan.axis = Some(Given::Single(single("axis", meaning)?));
        let meaning = "the axis fixed in the second body, read in the drawing, such as axis2 = [0, 1, 0]";
        plan.axis2 = Some(single("axis2", meaning)?);
    } else if keys.contains(&Key::Axis) || may_be_oriented(plan.kind) {
        plan.axis = match reader.context.is_planar() && in_plane(plan.kind) == InPlane::Normal {
            true => Some(read_normal(reader, plan.kind)?),
            false => read_directions(reader, "axis")?,
        };
        if plan.axis.is_none() && keys.contains(&Key::Axis) {
            let example = reader.context.form("[0, 0, 1]", "[1, 0]");
            return Err(reader.missing("axis", &format!("the direction of the joint, such as axis = {example}")));
        }
        plan.x = read_directions(reader, "x")?;
        plan.zero = reader.choice("zero", &["axes", "drawing"])?.map(|word| match word {
            "axes" => Zero::Axes,
            _ => Zero::Drawing,
        });
    } else if (keys.contains(&Key::Length) || plan.kind.is_axial()) && matches!(plan.at, Some(At::Drawn(_))) {
        let message = match keys.contains(&Key::Length) {
            true => "'at' is a pair here: the two points whose distance is kept",
            false => "'at' is a pair here: the two points that it acts between",
        };
        return Err(reader.wrong_value("at", message).note("such as at = [\"A\", \"B\"]"));
    }
    Ok(())
}

/// The axis of a joint that turns in the plane: it is z without saying, and may be said.
fn read_normal(reader: &Reader, kind: &dyn JointKind) -> Result<Given<Direction>> {
    let z = |node: &Node| matches!(&node.value, Value::Text(name) if name.trim() == "z");
    match reader.get("axis") {
        Some(node) if !z(node) => {
            let message =
                format!("in a planar model the axis of a {} joint is z, and goes without saying", kind.keyword());
            Err(reader
                .blame(wrong(node, message))
                .note("leave 'axis' out; x and y as axes would lead out of the plane"))
        }
        _ => Ok(Given::Single(normal())),
    }
}

/// A motion under a key, with the key.
type Valued = Option<(&'static str, MotionPlan)>;

fn read_length(reader: &Reader, motion: &dyn Fn(&'static str, Dimension) -> Result<Valued>) -> Result<Valued> {
    let key = match (reader.has("length"), reader.has("value")) {
        (true, true) => {
            let message = "'length' and 'value' both give the distance";
            return Err(reader.wrong_value("value", message).note("keep one of them"));
        }
        (false, true) => "value",
        (true, false) => "length",
        (false, false) => return Err(reader.missing("length", "the distance between the two points")),
    };
    motion(key, Dimension::LENGTH)
}

/// `limits`, a table or a list of them: of the first coordinate, and of others with their numbers.
fn read_limits(reader: &Reader, kind: &dyn JointKind) -> Result<(LimitsPlan, Vec<(usize, LimitsPlan)>)> {
    let mut found: Vec<(usize, LimitsPlan)> = Vec::new();
    for limits in reader.inner_list("limits", "limits.")? {
        limits.allow(LIMITS_KEYS)?;
        if kind.coordinates().is_empty() {
            let message = format!("a {} joint offers no coordinate that limits could bound", kind.keyword());
            return Err(reader.wrong_value("limits", message).note("remove 'limits'"));
        }
        let coordinate = limited_coordinate(&limits, kind)?;
        if found.iter().any(|other| other.0 == coordinate) {
            let name = kind.coordinates()[coordinate].name;
            return Err(limits
                .wrong_value("lower", format!("'{name}' has limits already"))
                .note("say coordinate = \"…\" in each, or put them together"));
        }
        let dimensions = match kind.coordinates().get(coordinate).map(|c| c.angle) {
            Some(true) => [Some(Dimension::ANGLE), Some(Dimension::ANGULAR_VELOCITY), Some(Dimension::TORQUE)],
            Some(false) => [Some(Dimension::LENGTH), Some(Dimension::VELOCITY), Some(Dimension::FORCE)],
            None => [None; 3],
        };
        let stop = stops::read(&limits)?;
        let plan = LimitsPlan {
            lower: limits.quantity_of_any("lower", dimensions[0])?,
            upper: limits.quantity_of_any("upper", dimensions[0])?,
            velocity: limits.quantity_of_any("velocity", dimensions[1])?,
            effort: limits.quantity_of_any("effort", dimensions[2])?,
            stop,
            restitution: limits.quantity_of_any("restitution", Some(Dimension::NUMBER))?,
            place: limits.place(),
        };
        found.push((coordinate, plan));
    }
    let first = found.iter().position(|of| of.0 == 0).map(|k| found.swap_remove(k).1);
    Ok((first.unwrap_or_default(), found))
}

/// The coordinate that limits are those of: the first, where they do not say which.
pub(super) fn limited_coordinate(limits: &Reader, kind: &dyn JointKind) -> Result<usize> {
    let Some(word) = limits.text("coordinate")? else { return Ok(0) };
    let offered: Vec<&str> = kind.coordinates().iter().map(|c| c.name).collect();
    offered.iter().position(|name| *name == word).ok_or_else(|| {
        let error = limits.wrong_value("coordinate", format!("a {} joint has no coordinate '{word}'", kind.keyword()));
        let error = error.note(format!("coordinates: {}", offered.join(", ")));
        match nearest(word, &offered) {
            Some(near) => error.note(format!("did you mean '{near}'?")),
            None => error,
        }
    })
}
