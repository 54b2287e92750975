//! `[rotors]`: accompanying elements, whose angle is an expression of joint coordinates.

use super::bodies::{moments, normal, Bodies};
use super::context::Variables;
use super::couplings::of_coordinates;
use super::joints::Joints;
use super::reader::{check_name, section, Reader};
use super::tree::{Entry, Value};
use super::values;
use biela_base::error::Result;
use biela_base::units::Dimension;
use biela_core::blueprint::{Direction, Moments, RotorPlan, Varying};
use biela_core::model::Rotor;

pub(super) const KEYS: &[&str] = &["body", "axis", "at", "mass", "com", "inertia", "angle"];

/// Reads all rotors.
pub(super) fn read(root: &Reader, bodies: &Bodies, joints: &Joints) -> Result<(Vec<Varying<RotorPlan>>, Vec<Rotor>)> {
    let binding = &root.context.binding;
    let (mut plans, mut list) = (Vec::new(), Vec::new());
    for entry in section(root, "rotors", "[rotors.motor]")? {
        check_name("rotor", entry)?;
        let plan = read_rotor(root, entry, bodies, joints)?;
        let rotor = root.context.make(plan, &mut plans, |plan| plan.build(binding, &bodies.list))?;
        list.push(rotor);
    }
    Ok((plans, list))
}

fn read_rotor(root: &Reader, entry: &Entry, bodies: &Bodies, joints: &Joints) -> Result<RotorPlan> {
    let reader = Reader::of_entry(root.context, format!("rotor '{}'", entry.key), entry)?;
    reader.allow(KEYS)?;
    let body = bodies.named(&reader, "body", reader.required("body", "the body it is mounted on")?)?;
    let axis = match reader.context.is_planar() {
        true => plane_axis(&reader)?,
        false => reader
            .direction("axis")?
            .ok_or_else(|| reader.missing("axis", "the direction it turns about, in the body's frame"))?,
    };
    let at = reader.get("at").map(|at| bodies.point(&reader, "'at'", at, body)).transpose()?;
    let mass = reader.quantity("mass", Dimension::MASS)?;
    let com = reader.vector("com", Dimension::LENGTH)?;
    let inertia = reader.required("inertia", "its moment of inertia about the axis, or a list of 3 or 6 entries")?;
    let inertia = match &inertia.value {
        Value::List(_) if !reader.context.is_planar() => Moments::All(moments(&reader, inertia)?),
        _ => {
            let about = values::quantity(inertia, "'inertia'", Some(Dimension::INERTIA), reader.context);
            Moments::About(about.map_err(|e| reader.blame(e))?)
        }
    };
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
    let (name, place) = (entry.key.clone(), reader.place());
    Ok(RotorPlan { name, body, axis, at, mass, com, inertia, angle, coordinates, place })
}

/// The axis of a rotor in a plane: z, which goes without saying.
fn plane_axis(reader: &Reader) -> Result<Direction> {
    match reader.get("axis").map(|node| &node.value) {
        None => Ok(normal()),
        Some(Value::Text(name)) if name.trim() == "z" => Ok(normal()),
        _ => Err(reader
            .wrong_value("axis", "in a planar model the axis of a rotor is z, and goes without saying")
            .note("leave 'axis' out")),
    }
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
