//! `shape`: one or a list, what a body is drawn with and, with `density`, what it weighs.

use super::colours;
use super::mesh::Painted;
use super::reader::Reader;
use super::tree::{Node, Value};
use super::values::{self, describe, wrong};
use biela_base::error::{Error, Result};
use biela_base::units::Dimension;
use biela_core::blueprint::{Quantity, ShapePlan, SolidPlan, Vector};
use biela_math::Vec3;
use std::sync::Arc;

const TYPES: &[&str] =
    &["rod", "box", "cylinder", "capsule", "sphere", "mesh", "plane", "circle", "arc", "polygon", "spline"];
const POSITIVE: &str = "a length greater than zero";
/// Corners of an outline at most.
const MOST_POINTS: usize = 2000;

/// The shapes of a body, each with its density where one is given.
pub(super) fn read(reader: &Reader) -> Result<Vec<ShapePlan>> {
    let mut shapes = Vec::new();
    for shape in reader.inner_list("shape", "shape.")?.iter() {
        match is_mesh(shape) {
            true => shapes.extend(read_meshes(shape)?),
            false => shapes.push(read_shape(shape, None)?),
        }
    }
    Ok(shapes)
}

fn is_mesh(shape: &Reader) -> bool {
    matches!(shape.get("type").map(|node| &node.value), Some(Value::Text(kind)) if kind == "mesh")
}

/// A mesh as one shape for each colour of its file; one alone where it weighs something. Of a model that another program wrote, a mesh that
/// cannot be read is told, and left out.
fn read_meshes(shape: &Reader) -> Result<Vec<ShapePlan>> {
    let context = shape.context;
    if context.foreign && context.options.undrawn {
        return Ok(Vec::new());
    }
    let (file, painted) = match read_mesh(shape) {
        Ok(read) => read,
        Err(error) if context.foreign && !context.options.strict => {
            context.warn(&Error::new(format!("a mesh is not drawn: {}", error.message())).at_opt(error.span()));
            return Ok(Vec::new());
        }
        Err(error) => return Err(error),
    };
    // What the model says itself stands before what a file says.
    let whole = shape.has("density") || (shape.has("colour") && !context.foreign);
    let parts = if whole { vec![(None, painted.mesh)] } else { painted.parts() };
    let mut plans = Vec::new();
    for (colour, mesh) in parts {
        let plan = read_shape(shape, Some(SolidPlan::Mesh(file.clone(), Arc::new(mesh))))?;
        plans.push(ShapePlan { colour: colour.or(plan.colour), ..plan });
    }
    Ok(plans)
}

/// The colour of a body.
pub(super) fn read_colour(reader: &Reader) -> Result<Option<[u8; 3]>> {
    let read = reader.get("colour").map(|node| colours::read(node, &reader.name("colour")));
    read.transpose().map_err(|e| reader.blame(e))
}

fn read_shape(shape: &Reader, mesh: Option<SolidPlan>) -> Result<ShapePlan> {
    let Some(kind) = shape.choice("type", TYPES)? else {
        return Err(shape.missing("type", &format!("one of {}", TYPES.join(", "))));
    };
    let own: &[&str] = match kind {
        "rod" | "cylinder" | "capsule" => &["length", "radius"],
        "box" => &["size"],
        "sphere" => &["radius"],
        "plane" => &["normal"],
        "circle" => &["radius", "thickness"],
        "arc" => &["radius", "from", "to"],
        "polygon" => &["points", "thickness"],
        "spline" => &["points", "closed", "thickness"],
        _ => &["file", "scale"],
    };
    let turned: &[&str] = if shape.context.is_planar() { &["at", "angle", "rpy"] } else { &["at", "rpy"] };
    shape
        .allow_for(&format!("a shape of type '{kind}'"), &[&["type"], own, &["density", "colour"], turned].concat())?;
    let solid = match mesh {
        Some(mesh) => mesh,
        None => read_solid(shape, kind)?,
    };
    let plan = ShapePlan {
        rpy: read_turn(shape, &solid)?,
        solid,
        at: shape.vector("at", Dimension::LENGTH)?,
        density: shape.quantity("density", Dimension::DENSITY)?,
        colour: read_colour(shape)?,
        place: shape.place(),
    };
    if plan.density.is_some() {
        check_volume(shape, kind, &plan.solid)?;
    }
    Ok(plan)
}

fn read_solid(shape: &Reader, kind: &str) -> Result<SolidPlan> {
    let length = |key: &str| shape.required_quantity(key, Dimension::LENGTH, POSITIVE);
    let angle = |key: &str| {
        let meaning = "an angle from x, such as from = 0, to = \"90 deg\"";
        shape.required_quantity(key, Dimension::ANGLE, meaning)
    };
    let thickness = || shape.quantity("thickness", Dimension::LENGTH);
    Ok(match kind {
        "rod" => SolidPlan::Rod(length("length")?, length("radius")?),
        "cylinder" => SolidPlan::Cylinder(length("radius")?, length("length")?),
        "capsule" => SolidPlan::Capsule(length("radius")?, length("length")?),
        "sphere" => SolidPlan::Sphere(length("radius")?),
        "box" => {
            let size = shape.triple("size", Dimension::LENGTH)?;
            let missing = || shape.missing("size", "the three edges, such as size = [0.1, 0.2, 0.3]");
            SolidPlan::Box(size.ok_or_else(missing)?)
        }
        "plane" => {
            let example = shape.context.form("normal = [0, 0, 1]", "normal = [0, 1]");
            let meaning = format!("the direction out of the ground, such as {example}");
            SolidPlan::Plane(shape.direction("normal")?.ok_or_else(|| shape.missing("normal", &meaning))?)
        }
        "circle" => SolidPlan::Circle(length("radius")?, thickness()?),
        "arc" => SolidPlan::Arc(length("radius")?, [angle("from")?, angle("to")?]),
        "polygon" => SolidPlan::Polygon(read_points(shape, kind, 3)?, thickness()?),
        "spline" => {
            let closed = shape.bool("closed")?.unwrap_or(false);
            SolidPlan::Spline(read_points(shape, kind, if closed { 3 } else { 2 })?, closed, thickness()?)
        }
        _ => {
            let (file, painted) = read_mesh(shape)?;
            SolidPlan::Mesh(file, Arc::new(painted.mesh))
        }
    })
}

/// Points in the plane of the shape.
fn read_points(shape: &Reader, kind: &str, least: usize) -> Result<Vec<[Quantity; 2]>> {
    const FORM: &str = "such as points = [[0, 0], [0.2, 0], [0, 0.1]]";
    let node = shape.required("points", FORM)?;
    let Value::List(list) = &node.value else {
        let message = format!("'shape.points' is a list of points [x, y], not {}", describe(node));
        return Err(shape.blame(wrong(node, message)).note(FORM));
    };
    if !(least..=MOST_POINTS).contains(&list.len()) {
        let message = format!("a {kind} has {least} to {MOST_POINTS} points; this one has {}", list.len());
        return Err(shape.blame(wrong(node, message)).note(FORM));
    }
    let point = |item: &Node| {
        let found = values::quantities::<2>(item, "a point of 'shape.points'", Some(Dimension::LENGTH), shape.context);
        found.map_err(|e| match &item.value {
            Value::List(list) if list.len() == 3 => shape
                .blame(e)
                .note("it lies in the plane of the shape: [x, y]; 'at' and 'rpy' place that plane in the body"),
            _ => shape.blame(e),
        })
    };
    list.iter().map(point).collect()
}

/// Refuses a density of what has no volume.
fn check_volume(shape: &Reader, kind: &str, solid: &SolidPlan) -> Result<()> {
    let refuse = |message: String, advice: &str| Err(shape.wrong_value("density", message).note(advice));
    match solid {
        SolidPlan::Mesh(_, mesh) if !mesh.is_closed() => refuse(
            "the mesh is not closed, so it holds no volume".into(),
            "repair the mesh, or give mass, com and inertia on the body",
        ),
        SolidPlan::Circle(_, None) | SolidPlan::Polygon(_, None) | SolidPlan::Spline(_, true, None) => refuse(
            format!("a {kind} is flat: without 'shape.thickness' it holds no volume"),
            "such as thickness = \"5 mm\", or give mass, com and inertia on the body",
        ),
        SolidPlan::Plane(_) | SolidPlan::Arc(..) | SolidPlan::Spline(_, false, _) => refuse(
            format!("{} holds no volume", if kind == "spline" { "an open spline".into() } else { with_article(kind) }),
            "leave 'density' out, and give mass, com and inertia on the body",
        ),
        _ => Ok(()),
    }
}

fn with_article(kind: &str) -> String {
    let article = if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {kind}")
}

/// How a shape stands in its body: `rpy`, or in a plane `angle`.
fn read_turn(shape: &Reader, solid: &SolidPlan) -> Result<Option<Vector>> {
    let angle = shape.quantity("angle", Dimension::ANGLE)?;
    if angle.is_some() && shape.has("rpy") {
        let message = "'shape.rpy' and 'shape.angle' both turn the shape";
        return Err(shape.wrong_value("rpy", message).note("keep one of them"));
    }
    // In a plane a capsule lies along x.
    let lies = shape.context.is_planar() && matches!(solid, SolidPlan::Capsule(..)) && !shape.has("rpy");
    let pitch = Quantity::Number(if lies { 0.5 * std::f64::consts::PI } else { 0.0 });
    match angle {
        Some(angle) => Ok(Some([Quantity::Number(0.0), pitch, angle])),
        None if lies => Ok(Some([Quantity::Number(0.0), pitch, Quantity::Number(0.0)])),
        None => shape.triple("rpy", Dimension::ANGLE),
    }
}

fn read_mesh(shape: &Reader) -> Result<(String, Painted)> {
    let file = shape.required_text("file", "the mesh, such as file = \"crank.stl\"")?.to_string();
    let scale = read_scale(shape)?;
    let read = shape.context.mesh_path(&file).and_then(|path| super::mesh::read(&path, scale));
    let mut painted = read.map_err(|e| shape.wrong_value("file", e.to_string()))?;
    if painted.mesh.is_closed() && painted.mesh.turn_outwards() && !shape.context.foreign {
        let message = format!("the triangles of the mesh '{file}' faced inwards; they are turned round");
        shape.context.warn(&shape.wrong_value("file", message));
    }
    Ok((file, painted))
}

/// `scale`: one number, or one for each axis, of which some may mirror.
fn read_scale(shape: &Reader) -> Result<Vec3> {
    if let Some(Value::List(_)) = shape.get("scale").map(|node| &node.value) {
        let scale = shape.triple("scale", Dimension::NUMBER)?.map(|s| shape.context.binding.vector(&s)).transpose();
        let scale = scale.map_err(|e| shape.blame(e))?.unwrap_or(Vec3::new(1.0, 1.0, 1.0));
        if scale.to_array().contains(&0.0) {
            return Err(shape.wrong_value("scale", "'shape.scale' must not be zero along an axis"));
        }
        return Ok(scale);
    }
    let scale = shape.number("scale", Dimension::NUMBER)?.unwrap_or(1.0);
    if scale <= 0.0 {
        return Err(shape.wrong_value("scale", "'shape.scale' must be greater than zero"));
    }
    Ok(Vec3::new(scale, scale, scale))
}
