//! `[rotors]`: accompanying elements, whose angle is an expression of joint coordinates.

use super::bodies::Bodies;
use super::context::Variables;
use super::couplings::of_coordinates;
use super::joints::Joints;
use super::mass;
use super::reader::{check_name, section, Reader};
use super::tree::{Entry, Value};
use super::values;
use biela_base::error::Result;
use biela_base::units::Dimension;
use biela_core::model::{MassProperties, Rotor};
use biela_math::{Inertia, Vec3};

/// Reads all rotors.
pub(super) fn read(root: &Reader, bodies: &Bodies, joints: &Joints) -> Result<Vec<Rotor>> {
    let mut list = Vec::new();
    for entry in section(root, "rotors", "[rotors.motor]")? {
        check_name("rotor", entry)?;
        list.push(read_rotor(root, entry, bodies, joints)?);
    }
    Ok(list)
}

fn read_rotor(root: &Reader, entry: &Entry, bodies: &Bodies, joints: &Joints) -> Result<Rotor> {
    let reader = Reader::of_entry(root.context, format!("rotor '{}'", entry.key), entry)?;
    reader.allow(&["body", "axis", "at", "mass", "com", "inertia", "angle"])?;
    let body = bodies.named(&reader, "body", reader.required("body", "the body it is mounted on")?)?;
    let axis = reader.direction("axis")?.and_then(Vec3::unit);
    let axis = axis.ok_or_else(|| reader.missing("axis", "the direction it turns about, in the body's frame"))?;
    let at = match reader.get("at") {
        Some(at) => bodies.point(&reader, "'at'", at, body)?,
        None => Vec3::ZERO,
    };
    let mass = reader.number("mass", Dimension::MASS)?.unwrap_or(0.0);
    if mass < 0.0 {
        return Err(reader.wrong_value("mass", "a mass cannot be negative"));
    }
    let com = reader.vector("com", Dimension::LENGTH)?.unwrap_or(Vec3::ZERO);
    let inertia = reader.required("inertia", "its moment of inertia about the axis, or a list of 3 or 6 entries")?;
    let number = |node| values::number(node, "'inertia'", Some(Dimension::INERTIA), reader.context);
    let inertia = match &inertia.value {
        Value::List(_) => {
            let list = values::items(inertia, "'inertia'", &[3, 6]).map_err(|e| reader.blame(e))?;
            let mut entries = [0.0; 6];
            for (entry, node) in entries.iter_mut().zip(list) {
                *entry = number(node).map_err(|e| reader.blame(e))?;
            }
            Inertia::from_entries(entries)
        }
        // A moment about the axis alone: what it has across the axis counts with the body.
        _ => Inertia::about_line(number(inertia).map_err(|e| reader.blame(e))?, axis),
    };
    if inertia.principal_moments()[0] < 0.0
        && mass::unphysical(inertia).is_some_and(|e| e.message().contains("negative"))
    {
        return Err(reader.wrong_value("inertia", "a moment of inertia cannot be negative"));
    }
    const MEANING: &str = "an expression of joint coordinates, such as angle = \"100*elbow.angle\"";
    let (angle, coordinates) =
        of_coordinates(&reader, joints, "angle", MEANING, Some(Dimension::ANGLE), Variables::new).map_err(
            |e| match e.message().contains("is a length") {
                true => e.note(
                    "a slide turns a rotor through a radius: \"guide.slide/(20 mm)\", or \"50 rad/m*guide.slide\"",
                ),
                false => e,
            },
        )?;
    let mass = MassProperties { mass, com, inertia };
    Ok(Rotor { name: entry.key.clone(), body, axis, at, mass, angle, coordinates, span: reader.span().cloned() })
}

/// The rotor that `joint = "motor"` (or `"motor.angle"`) names where no joint has that name.
pub(super) fn named(reader: &Reader, joints: &Joints, rotors: &[Rotor]) -> Result<Option<usize>> {
    let Some(text) = reader.text("joint")? else { return Ok(None) };
    let name = text.strip_suffix(".angle").unwrap_or(text);
    if joints.find(text).is_some() || joints.find(name).is_some() {
        return Ok(None);
    }
    let found = rotors.iter().position(|r| r.name == name);
    if found.is_some() && reader.text("coordinate")?.is_some_and(|c| c != "angle") {
        return Err(reader.wrong_value("coordinate", format!("'{name}' is a rotor: it has an angle alone")));
    }
    Ok(found)
}
