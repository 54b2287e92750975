//! `[drivers]`: motions of joint coordinates, points and orientations.

use super::bearers;
use super::bodies::Bodies;
use super::context::Variables;
use super::couplings::{coordinate_name, unknown_coordinate};
use super::joints::Joints;
use super::motions;
use super::reader::{check_name, section, Reader};
use super::rotors;
use super::values;
use biela_base::error::{Error, Result};
use biela_base::signal_name;
use biela_base::units::Dimension;
use biela_core::blueprint::{DriverPlan, MotionPlan, Varying};
use biela_core::couplings::CoordinateRef;
use biela_core::drivers::{self, BodyAngle, Driver, DriverKey, DriverKind, Target};
use biela_core::model::{Rotor, GROUND};
use biela_core::signal::HEADING;
use std::collections::HashMap;

/// Reads `[drivers]`.
pub(super) fn read(
    root: &Reader,
    bodies: &Bodies,
    joints: &Joints,
    rotors: &[Rotor],
) -> Result<(Vec<Varying<DriverPlan>>, Vec<Driver>)> {
    let binding = &root.context.binding;
    let entries = section(root, "drivers", "[drivers.motor]")?;
    let (mut plans, mut list, mut places) = (Vec::new(), Vec::with_capacity(entries.len()), Vec::new());
    let mut driven: HashMap<(usize, usize), String> = HashMap::new();
    for entry in entries {
        check_name("driver", entry)?;
        let reader = Reader::of_entry(root.context, format!("driver '{}'", entry.key), entry)?;
        let kind = select(&reader)?;
        let of = format!("a driver of a {}", kind.key());
        reader.allow_for(&of, &allowed(kind))?;
        let mut plan = DriverPlan::new(&entry.key, kind, reader.place());
        read_keys(&reader, &mut plan, &Elements { bodies, joints, rotors })?;
        plan.effort = bearers::read(&reader, joints)?;
        places.push(reader.get(EFFORT).and_then(|node| node.span.clone()));
        let build = |plan: &DriverPlan| plan.build(binding, &bodies.list, rotors);
        let driver = root.context.make(plan, &mut plans, build)?;
        if let Target::Coordinate { of, .. } = &driver.target {
            if let Some(other) = driven.insert((of.joint, of.coordinate), entry.key.clone()) {
                return Err(twice(&reader, joints, *of, &other));
            }
        }
        list.push(driver);
    }
    bearers::check(&list, &places, joints)?;
    Ok((plans, list))
}

/// Keys of a driver, in the order messages list them.
pub(super) fn allowed(kind: &dyn DriverKind) -> Vec<&'static str> {
    [vec![kind.key()], kind.others(true), kind.others(false), vec![EFFORT]].concat()
}

/// The key that every driver may have: joints that bear it.
const EFFORT: &str = "effort";

/// How the angle of a body is driven in a plane.
const PLANE_ANGLE: &str = "drive its one angle: angle = \"BODY\" and value";

/// What a driver may move.
struct Elements<'a> {
    bodies: &'a Bodies,
    joints: &'a Joints,
    rotors: &'a [Rotor],
}

fn read_keys(reader: &Reader, plan: &mut DriverPlan, elements: &Elements) -> Result<()> {
    let Elements { bodies, joints, rotors } = *elements;
    let time = Variables::time(reader.context.parameters);
    let motion = |key: &str, wanted: Dimension| motions::read(reader, key, Dimension::TIME, wanted, &time);
    let mut of_coordinate = Dimension::ANGLE;
    for key in plan.kind.keys() {
        if !key.required && !reader.has(key.name) {
            continue;
        }
        match key.takes {
            DriverKey::Joint => match rotors::named(reader, joints, rotors)? {
                Some(k) => plan.rotor = Some(k),
                None => {
                    let of = joint_coordinate(reader, joints)?;
                    let offered = joints.list[of.joint].kind.coordinates();
                    if !offered.get(of.coordinate).is_some_and(|c| c.angle) {
                        of_coordinate = Dimension::LENGTH;
                    }
                    plan.coordinate = Some(of);
                }
            },
            // Read together with the joint.
            DriverKey::Coordinate => {}
            DriverKey::OfCoordinate => plan.motions.push(motion(key.name, of_coordinate)?),
            DriverKey::Motion(wanted) => plan.motions.push(motion(key.name, wanted)?),
            DriverKey::Point | DriverKey::AnyPoint => {
                let (body, point) = bodies.dotted_point(reader, key.name)?;
                if matches!(key.takes, DriverKey::Point) {
                    refuse_ground(reader, body, key.name)?;
                }
                plan.points.push((body, point));
            }
            DriverKey::Direction => {
                let missing = || reader.missing(key.name, "a direction in ground axes, such as along = \"x\"");
                plan.direction = Some(reader.direction(key.name)?.ok_or_else(missing)?);
            }
            DriverKey::Body => {
                let node = reader.required(key.name, "the name of a body")?;
                let body = bodies.named(reader, key.name, node)?;
                refuse_ground(reader, body, key.name)?;
                plan.body = Some(body);
            }
            DriverKey::Angle => {
                let (body, which) = body_angle(reader, key.name, bodies)?;
                (plan.body, plan.angle) = (Some(body), Some(which));
            }
            DriverKey::Orientation if reader.context.is_planar() => {
                let message = "an orientation has no place in a planar model, where a body has one angle";
                return Err(reader.wrong_value(key.name, message).note(PLANE_ANGLE));
            }
            DriverKey::Orientation => plan.attitude = read_orientation(reader, key.name)?,
        }
    }
    Ok(())
}

/// The driver type whose key is there.
fn select(reader: &Reader) -> Result<&'static dyn DriverKind> {
    let drivers = drivers::all();
    let given: Vec<&'static dyn DriverKind> = drivers.iter().copied().filter(|d| reader.has(d.key())).collect();
    match given[..] {
        [one] => Ok(one),
        [] => {
            // A misspelt key explains why nothing was found.
            let all: Vec<&str> =
                (drivers.iter()).flat_map(|d| [vec![d.key()], d.others(true), d.others(false)].concat()).collect();
            let all = [all, vec![EFFORT]].concat();
            let mut allowed: Vec<&str> = Vec::new();
            for key in all {
                if !allowed.contains(&key) {
                    allowed.push(key);
                }
            }
            reader.allow(&allowed)?;
            let error = reader.error("nothing is driven");
            let line = |d: &dyn DriverKind| format!("{} + {}: {}", d.key(), d.others(true).join(" + "), d.help());
            Err(drivers.iter().fold(error, |e, d| e.note(line(*d))))
        }
        [first, second, ..] => Err(reader
            .wrong_value(second.key(), format!("'{}' and '{}' exclude each other", first.key(), second.key()))
            .note("a driver moves one thing; write a second driver for the other")),
    }
}

fn twice(reader: &Reader, joints: &Joints, of: CoordinateRef, other: &str) -> Error {
    let name = coordinate_name(joints, of);
    reader
        .wrong_value("joint", format!("'{name}' is driven already by driver '{other}'"))
        .note("a coordinate can follow one driver; remove one or drive another coordinate")
}

/// `joint` with `coordinate`, which may be left out where the joint has only one; `"J.angle"` names both.
pub(super) fn joint_coordinate(reader: &Reader, joints: &Joints) -> Result<CoordinateRef> {
    let node = reader.required("joint", "the name of a joint")?;
    let text = reader.text("joint")?.unwrap_or_default();
    let (name, dotted) = match joints.find(text) {
        Some(_) => (text, None),
        None => signal_name::split(text).map_or((text, None), |(joint, coordinate)| (joint, Some(coordinate))),
    };
    let Some(index) = joints.find(name) else {
        return Err(reader.unknown_name(node, "joint", name, "joints", &joints.names()));
    };
    let joint = &joints.list[index];
    let offered: Vec<&str> = joint.kind.coordinates().iter().map(|c| c.name).collect();
    let (chosen, place) = match (reader.text("coordinate")?, dotted) {
        (Some(_), Some(_)) => {
            return Err(reader.wrong_value("coordinate", format!("'{text}' names the coordinate already")))
        }
        (Some(word), None) => (Some(word), reader.get("coordinate").unwrap_or(node)),
        (None, dotted) => (dotted, node),
    };
    let coordinate = match (chosen, offered.len()) {
        (Some(word), _) => {
            joint.coordinate_index(word).ok_or_else(|| unknown_coordinate(reader, place, joint, word))?
        }
        (None, 0) => {
            let error = unknown_coordinate(reader, node, joint, "");
            return Err(error.note("drive a point (point, along, value) or an orientation (body, orientation)"));
        }
        (None, 1) => 0,
        (None, _) => {
            let kind = joint.kind.keyword();
            return Err(reader
                .wrong_value(
                    "joint",
                    format!("joint '{name}' is {kind} and has several coordinates; 'coordinate' must say which"),
                )
                .note(format!("such as coordinate = \"{}\"; it offers {}", offered[0], offered.join(", "))));
        }
    };
    Ok(CoordinateRef { joint: index, coordinate })
}

/// `body.yaw`; in a plane the body, or `body.angle`, as its signal is called.
fn body_angle(reader: &Reader, key: &str, bodies: &Bodies) -> Result<(usize, BodyAngle)> {
    let planar = reader.context.is_planar();
    let form = reader.context.form(
        "a body and one of its angles, such as \"arm.yaw\"; angles are roll, pitch, yaw",
        "a body, such as \"arm\": its angle about z",
    );
    let node = reader.required(key, form)?;
    let text = reader.text(key)?.unwrap_or_default();
    let word = |name: &str| BodyAngle::ALL.into_iter().find(|(word, _)| *word == name && !planar).map(|a| a.1);
    let word = |name: &str| word(name).or((planar && name == HEADING).then_some(BodyAngle::Yaw));
    let found = match bodies.find(text).filter(|_| planar) {
        Some(body) => Some((body, BodyAngle::Yaw)),
        None => signal_name::splits(text).find_map(|(body, name)| Some((bodies.find(body)?, word(name)?))),
    };
    let Some((body, which)) = found else {
        let body = signal_name::splits(text).map(|(body, _)| body).find(|body| bodies.find(body).is_some());
        let whole = bodies.find(text).map(|_| text);
        let Some(body) = body.or(whole) else {
            let name = signal_name::split(text).map_or(text, |(body, _)| body);
            return Err(reader.unknown_name(node, "body", name, "bodies", &bodies.names()).note(form));
        };
        let message = format!("'{text}' names no angle of body '{body}'");
        return Err(reader.wrong_value(key, message).note(form));
    };
    refuse_ground(reader, body, key)?;
    Ok((body, which))
}

fn refuse_ground(reader: &Reader, body: usize, key: &str) -> Result<()> {
    match body == GROUND {
        true => Err(reader.wrong_value(key, "the ground does not move")),
        false => Ok(()),
    }
}

fn read_orientation(reader: &Reader, key: &str) -> Result<Vec<MotionPlan>> {
    const MEANING: &str = "four Euler parameters [e0, e1, e2, e3] or three angles [roll, pitch, yaw], expressions of t";
    let node = reader.required(key, MEANING)?;
    let list = values::items(node, "'orientation'", &[3, 4]).map_err(|e| reader.blame(e).note(MEANING))?;
    let time = Variables::time(reader.context.parameters);
    let wanted = if list.len() == 4 { Dimension::NUMBER } else { Dimension::ANGLE };
    let read = |item| motions::of_node(item, "'orientation'", wanted, &time).map_err(|e| reader.blame(e));
    list.iter().map(read).collect()
}
