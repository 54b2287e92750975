//! `[drivers]`: motions of joint coordinates, points and orientations.

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
use biela_core::couplings::CoordinateRef;
use biela_core::drivers::{Attitude, Driver, DriverType, Target, DRIVERS};
use biela_core::model::{Rotor, GROUND};
use biela_core::motion::Motion;
use biela_math::Vec3;
use std::collections::HashMap;

/// Reads `[drivers]`.
pub(super) fn read(root: &Reader, bodies: &Bodies, joints: &Joints, rotors: &[Rotor]) -> Result<Vec<Driver>> {
    let mut list: Vec<Driver> = Vec::new();
    let mut driven: HashMap<(usize, usize), String> = HashMap::new();
    for entry in section(root, "drivers", "[drivers.motor]")? {
        check_name("driver", entry)?;
        let reader = Reader::of_entry(root.context, format!("driver '{}'", entry.key), entry)?;
        let kind = select(&reader)?;
        let of = format!("a driver of a {}", kind.key);
        reader.allow_for(&of, &[&[kind.key], kind.required, kind.optional].concat())?;
        let target = match kind.key {
            "joint" => {
                let target = read_coordinate(&reader, joints, rotors)?;
                if let Target::Coordinate { of, .. } = &target {
                    if let Some(other) = driven.insert((of.joint, of.coordinate), entry.key.clone()) {
                        return Err(twice(&reader, joints, *of, &other));
                    }
                }
                target
            }
            "point" => read_point(&reader, bodies)?,
            _ => read_orientation(&reader, bodies)?,
        };
        list.push(Driver { name: entry.key.clone(), target, span: reader.span().cloned() });
    }
    Ok(list)
}

/// The driver type whose key is there.
fn select(reader: &Reader) -> Result<&'static DriverType> {
    let given: Vec<&DriverType> = DRIVERS.iter().filter(|d| reader.has(d.key)).collect();
    match given[..] {
        [one] => Ok(one),
        [] => {
            // A misspelt key explains why nothing was found.
            let all: Vec<&str> = DRIVERS.iter().flat_map(|d| [&[d.key], d.required, d.optional].concat()).collect();
            let mut allowed: Vec<&str> = Vec::new();
            for key in all {
                if !allowed.contains(&key) {
                    allowed.push(key);
                }
            }
            reader.allow(&allowed)?;
            let error = reader.error("nothing is driven");
            Err(DRIVERS
                .iter()
                .fold(error, |e, d| e.note(format!("{} + {}: {}", d.key, d.required.join(" + "), d.help))))
        }
        [first, second, ..] => Err(reader
            .wrong_value(second.key, format!("'{}' and '{}' exclude each other", first.key, second.key))
            .note("a driver moves one thing; write a second driver for the other")),
    }
}

fn twice(reader: &Reader, joints: &Joints, of: CoordinateRef, other: &str) -> Error {
    let name = coordinate_name(joints, of);
    reader
        .wrong_value("joint", format!("'{name}' is driven already by driver '{other}'"))
        .note("a coordinate can follow one driver; remove one or drive another coordinate")
}

fn read_coordinate(reader: &Reader, joints: &Joints, rotors: &[Rotor]) -> Result<Target> {
    let time = Variables::time(reader.context.parameters);
    if let Some(k) = rotors::named(reader, joints, rotors)? {
        let Rotor { angle, coordinates, .. } = rotors[k].clone();
        return Ok(Target::Rotor {
            angle,
            coordinates,
            value: motions::read(reader, "value", Dimension::TIME, Dimension::ANGLE, &time)?,
        });
    }
    let of = joint_coordinate(reader, joints)?;
    let angle = joints.list[of.joint].kind.coordinates().get(of.coordinate).is_some_and(|c| c.angle);
    let wanted = if angle { Dimension::ANGLE } else { Dimension::LENGTH };
    Ok(Target::Coordinate { of, value: motions::read(reader, "value", Dimension::TIME, wanted, &time)? })
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

fn read_point(reader: &Reader, bodies: &Bodies) -> Result<Target> {
    let (body, point) = bodies.dotted_point(reader, "point")?;
    refuse_ground(reader, body, "point")?;
    let along = reader.direction("along")?;
    let along = along.ok_or_else(|| reader.missing("along", "a direction in ground axes, such as along = \"x\""))?;
    let time = Variables::time(reader.context.parameters);
    let value = motions::read(reader, "value", Dimension::TIME, Dimension::LENGTH, &time)?;
    Ok(Target::Point { body, p_B: point, along: along.unit().unwrap_or(Vec3::X), value })
}

fn refuse_ground(reader: &Reader, body: usize, key: &str) -> Result<()> {
    match body == GROUND {
        true => Err(reader.wrong_value(key, "the ground does not move")),
        false => Ok(()),
    }
}

fn read_orientation(reader: &Reader, bodies: &Bodies) -> Result<Target> {
    const MEANING: &str = "four Euler parameters [e0, e1, e2, e3] or three angles [roll, pitch, yaw], expressions of t";
    let body = bodies.named(reader, "body", reader.required("body", "the name of a body")?)?;
    refuse_ground(reader, body, "body")?;
    let node = reader.required("orientation", MEANING)?;
    let list = values::items(node, "'orientation'", &[3, 4]).map_err(|e| reader.blame(e).note(MEANING))?;
    let time = Variables::time(reader.context.parameters);
    let wanted = if list.len() == 4 { Dimension::NUMBER } else { Dimension::ANGLE };
    let read = |item| motions::of_node(item, "'orientation'", wanted, &time).map_err(|e| reader.blame(e));
    let parts: Vec<Motion> = list.iter().map(read).collect::<Result<_>>()?;
    let attitude = match <[Motion; 4]>::try_from(parts) {
        Ok(four) => {
            check_length(reader, &four)?;
            Attitude::Euler(Box::new(four))
        }
        Err(parts) => match <[Motion; 3]>::try_from(parts) {
            Ok(three) => Attitude::Rpy(Box::new(three)),
            Err(_) => return Err(reader.wrong_value("orientation", MEANING)),
        },
    };
    Ok(Target::Orientation { body, attitude })
}

/// Constant Euler parameters that are all zero name no orientation.
fn check_length(reader: &Reader, parts: &[Motion; 4]) -> Result<()> {
    match parts.iter().all(|m| matches!(m, Motion::Constant(x) if *x == 0.0)) {
        true => Err(reader.wrong_value("orientation", "Euler parameters cannot all be zero")),
        false => Ok(()),
    }
}
