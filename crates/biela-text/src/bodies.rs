//! `[bodies]`: mass properties, points, the pose in the drawing, and the shape.

#![allow(non_snake_case)] // X_WB: a body's pose in the ground (docs/notation.md).

use super::context::Context;
use super::mass;
use super::reader::{check_name, section, Reader};
use super::tree::{Entry, Node, Value};
use super::values::{self, describe, wrong};
use biela_base::error::{some_of, Error, Result};
use biela_base::signal_name;
use biela_base::source::Span;
use biela_base::units::Dimension;
use biela_core::model::{Body, MassProperties, Shape, Solid};
use biela_math::{EulerParameters, Inertia, Pose, Rotation, Vec3};
use std::collections::HashMap;
use std::sync::Arc;

/// The fixed body's name.
pub(super) const GROUND_NAME: &str = "ground";

/// Bodies with an index by name.
pub(super) struct Bodies {
    pub list: Vec<Body>,
    index: HashMap<String, usize>,
    /// The points of each body, by name.
    points: Vec<HashMap<String, Vec3>>,
    /// Bodies with a mass and no inertia, and where the first stands.
    point_masses: Vec<String>,
    first_point_mass: Option<Span>,
}

impl Bodies {
    pub fn find(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }

    pub fn names(&self) -> Vec<&str> {
        self.list.iter().map(|b| b.name.as_str()).collect()
    }

    /// Whether body `k` has a point of that name.
    pub fn has_point(&self, k: usize, point: &str) -> bool {
        self.points.get(k).is_some_and(|points| points.contains_key(point))
    }

    /// Tells which bodies are point masses because no inertia is given.
    pub fn tell_point_masses(&self, context: &Context) {
        let names: Vec<String> = self.point_masses.iter().map(|name| format!("'{name}'")).collect();
        let message = match &names[..] {
            [] => return,
            [one] => format!("body {one} has mass but no inertia: taken as a point mass at com"),
            _ => format!("bodies {} have mass but no inertia: taken as point masses at com", some_of(&names)),
        };
        let message = format!("{message}; inertia = [0, 0, 0] says that this is meant");
        context.warn(&Error::new(message).at_opt(self.first_point_mass.as_ref()));
    }

    /// The body that a node names.
    pub fn named(&self, reader: &Reader, key: &str, node: &Node) -> Result<usize> {
        let Value::Text(name) = &node.value else {
            let message = format!("{} takes the name of a body, not {}", reader.name(key), describe(node));
            return Err(reader.blame(wrong(node, message)));
        };
        self.find(name).ok_or_else(|| reader.unknown_name(node, "body", name, "bodies", &self.names()))
    }

    /// The point that a node names (`tip`) or gives by its coordinates, in the frame of `body`.
    pub fn point(&self, reader: &Reader, what: &str, node: &Node, body: usize) -> Result<Vec3> {
        let (known, body) = (&self.points[body], &self.list[body]);
        match &node.value {
            Value::Text(name) => match known.get(name) {
                Some(p) => Ok(*p),
                None => {
                    let known: Vec<&str> = body.points.iter().map(|(name, _)| name.as_str()).collect();
                    let message = format!("body '{}' has no point '{name}'", body.name);
                    let error = reader.blame(wrong(node, message));
                    Err(match known.is_empty() {
                        true => error.note(format!(
                            "it has no points; add points = {{ {name} = [0, 0, 0] }} to [bodies.{}]",
                            body.name
                        )),
                        false => {
                            let error = error.note(format!(
                                "points of '{}': {}",
                                body.name,
                                biela_base::error::listing(&known)
                            ));
                            match biela_base::error::nearest(name, &known) {
                                Some(near) => error.note(format!("did you mean '{near}'?")),
                                None => error,
                            }
                        }
                    })
                }
            },
            Value::List(_) => {
                values::vector(node, what, Some(Dimension::LENGTH), reader.context).map_err(|e| reader.blame(e))
            }
            _ => {
                let message = format!("{what} is a vector or the name of a point, not {}", describe(node));
                Err(reader.blame(wrong(node, message)))
            }
        }
    }

    /// The body and point that a string such as `arm.tip` names.
    pub fn dotted_point(&self, reader: &Reader, key: &str) -> Result<(usize, Vec3)> {
        const FORM: &str = "body.point, such as \"arm.tip\"";
        let node = reader.required(key, &format!("it names a {FORM}"))?;
        let text = reader.text(key)?.unwrap_or_default();
        // Names may hold dots themselves, so every dot may be the one between body and point.
        let splits = || signal_name::splits(text);
        let has_both = |(body, point): &(&str, &str)| self.find(body).is_some_and(|k| self.has_point(k, point));
        let known_body = |(body, _): &(&str, &str)| self.find(body).is_some();
        let best = splits().find(has_both).or_else(|| splits().find(known_body)).or_else(|| splits().next());
        let Some((body, point)) = best else {
            let error = reader.wrong_value(key, format!("{} names a {FORM}; '{text}' has no dot", reader.name(key)));
            return Err(match self.find(text) {
                Some(k) => {
                    let points: Vec<&str> = self.list[k].points.iter().map(|(n, _)| n.as_str()).collect();
                    error.note(format!("points of '{text}': {}", biela_base::error::listing(&points)))
                }
                None => error,
            });
        };
        let place = values::text_place(node, text);
        let part = |text: &str, start: usize| Node {
            value: Value::Text(text.to_string()),
            span: place.as_ref().map(|s| s.inner(start..start + text.len())),
        };
        let body_index = self.named(reader, key, &part(body, 0))?;
        let p = self.point(reader, &reader.name(key), &part(point, body.len() + 1), body_index)?;
        Ok((body_index, p))
    }
}

const KEYS: &[&str] = &["mass", "com", "inertia", "points", "pose", "shape", "unphysical"];
const GROUND_KEYS: &[&str] = &["points", "shape"];

/// Reads `[bodies]`; the ground comes first.
pub(super) fn read(root: &Reader) -> Result<Bodies> {
    let ground = Body {
        name: GROUND_NAME.into(),
        mass: None,
        points: Vec::new(),
        X_WB: Pose::IDENTITY,
        shape: None,
        span: None,
    };
    let mut list = vec![ground];
    let entries = section(root, "bodies", "[bodies.crank]")?;
    for entry in entries {
        check_name("body", entry)?;
        if entry.key == GROUND_NAME {
            list[0] = read_ground(root.context, entry)?;
        } else {
            list.push(read_body(root.context, entry)?);
        }
    }
    if list.len() == 1 {
        return Err(Error::new("the model has no bodies")
            .at_opt(entries.first().and_then(|e| e.key_span.as_ref()))
            .note("describe each moving part by a table, such as [bodies.crank]; 'ground' is always there"));
    }
    let index = list.iter().enumerate().map(|(k, b)| (b.name.clone(), k)).collect();
    let points = list.iter().map(|b| b.points.iter().cloned().collect()).collect();
    let point_masses: Vec<&Entry> = entries.iter().filter(|e| is_point_mass(e)).collect();
    Ok(Bodies {
        list,
        index,
        points,
        point_masses: point_masses.iter().map(|e| e.key.clone()).collect(),
        first_point_mass: point_masses.first().and_then(|e| e.key_span.clone()),
    })
}

/// Whether a body gives a mass other than zero and no inertia.
fn is_point_mass(entry: &Entry) -> bool {
    let Value::Table(table) = &entry.node.value else { return false };
    let weightless = |node: &Node| matches!(node.value, Value::Integer(0)) || matches!(node.value, Value::Number(0.0));
    table.get("mass").is_some_and(|mass| !weightless(mass)) && table.get("inertia").is_none()
}

fn read_ground(context: &Context, entry: &Entry) -> Result<Body> {
    let reader = Reader::of_entry(context, "body 'ground'".into(), entry)?;
    reader
        .allow(GROUND_KEYS)
        .map_err(|e| e.note("the ground is fixed and has no mass: it gives points and a shape"))?;
    Ok(Body {
        name: GROUND_NAME.into(),
        mass: None,
        points: read_points(&reader)?,
        X_WB: Pose::IDENTITY,
        shape: read_ground_shape(&reader)?,
        span: reader.span().cloned(),
    })
}

/// The ground's shape is drawn, and weighs nothing.
fn read_ground_shape(reader: &Reader) -> Result<Option<Shape>> {
    let shape = read_shape(reader)?;
    if let Some((_, Some(_))) = shape {
        reader
            .context
            .warn(&reader.wrong_value("shape", "'shape.density' has no effect on the ground, which has no mass"));
    }
    Ok(shape.map(|(shape, _)| shape))
}

fn read_body(context: &Context, entry: &Entry) -> Result<Body> {
    let reader = Reader::of_entry(context, format!("body '{}'", entry.key), entry)?;
    reader.allow(KEYS)?;
    let points = read_points(&reader)?;
    let X_WB = match reader.inner("pose", "pose.")? {
        Some(pose) => read_pose(&pose)?,
        None => Pose::IDENTITY,
    };
    let shape = read_shape(&reader)?;
    let mass = read_mass(&reader, shape.as_ref())?;
    let shape = shape.map(|(shape, _)| shape);
    Ok(Body { name: entry.key.clone(), mass, points, X_WB, shape, span: reader.span().cloned() })
}

fn read_points(reader: &Reader) -> Result<Vec<(String, Vec3)>> {
    let Some(inner) = reader.inner("points", "points.")? else { return Ok(Vec::new()) };
    let mut points = Vec::with_capacity(inner.table().entries.len());
    for entry in &inner.table().entries {
        check_name("point", entry).map_err(|e| reader.blame(e))?;
        // Straight from the entry: to look its key up again would take the square of their number.
        let point = values::vector(&entry.node, &inner.name(&entry.key), Some(Dimension::LENGTH), inner.context);
        points.push((entry.key.clone(), point.map_err(|e| inner.blame(e))?));
    }
    Ok(points)
}

/// `pose = { at, angle + axis | rpy | euler }`.
fn read_pose(reader: &Reader) -> Result<Pose> {
    reader.allow(&["at", "angle", "axis", "rpy", "euler"])?;
    let origin = reader.vector("at", Dimension::LENGTH)?.unwrap_or(Vec3::ZERO);
    let given: Vec<&str> = ["angle", "rpy", "euler"].into_iter().filter(|key| reader.has(key)).collect();
    if let [first, second, ..] = given[..] {
        let message =
            format!("the orientation is given twice, by {} and by {}", reader.name(first), reader.name(second));
        return Err(reader.wrong_value(second, message).note("keep one of them"));
    }
    if reader.has("axis") && !reader.has("angle") {
        return Err(reader
            .wrong_value("axis", "'pose.axis' needs 'pose.angle' beside it")
            .note("such as pose = { angle = \"30 deg\", axis = [0, 0, 1] }"));
    }
    let rotation = match given.first() {
        Some(&"angle") => {
            let angle = reader.number("angle", Dimension::ANGLE)?.unwrap_or(0.0);
            let axis = reader
                .direction("axis")?
                .ok_or_else(|| reader.missing("axis", "'angle' turns about an axis, such as axis = [0, 0, 1]"))?;
            Rotation::about(axis, angle)
        }
        Some(&"rpy") => read_rpy(reader)?,
        Some(_) => read_euler(reader)?,
        None => Rotation::IDENTITY,
    };
    Ok(Pose::new(rotation, origin))
}

fn read_rpy(reader: &Reader) -> Result<Rotation> {
    let [roll, pitch, yaw] = reader.vector("rpy", Dimension::ANGLE)?.unwrap_or(Vec3::ZERO).to_array();
    Ok(Rotation::from_rpy(roll, pitch, yaw))
}

fn read_euler(reader: &Reader) -> Result<Rotation> {
    /// Euler parameters printed with few digits are still meant as a rotation.
    const UNIT_TOLERANCE: f64 = 0.01;
    let Some(node) = reader.get("euler") else { return Ok(Rotation::IDENTITY) };
    let e = values::numbers::<4>(node, &reader.name("euler"), Some(Dimension::NUMBER), reader.context)
        .map_err(|e| reader.blame(e))?;
    let p = EulerParameters(e);
    if (p.norm() - 1.0).abs() > UNIT_TOLERANCE {
        return Err(reader
            .wrong_value(
                "euler",
                format!("Euler parameters have length 1; these have length {}", values::shown(p.norm())),
            )
            .note("they are e0 = cos(angle/2), then the axis times sin(angle/2)"));
    }
    Ok(p.normalised().rotation())
}

/// A shape with its density, where one is given.
fn read_shape(reader: &Reader) -> Result<Option<(Shape, Option<f64>)>> {
    const TYPES: &[&str] = &["rod", "box", "cylinder", "sphere", "mesh"];
    const POSITIVE: &str = "a length greater than zero";
    let Some(shape) = reader.inner("shape", "shape.")? else { return Ok(None) };
    let Some(kind) = shape.choice("type", TYPES)? else {
        return Err(shape.missing("type", &format!("one of {}", TYPES.join(", "))));
    };
    let own: &[&str] = match kind {
        "rod" | "cylinder" => &["length", "radius"],
        "box" => &["size"],
        "sphere" => &["radius"],
        _ => &["file", "scale"],
    };
    shape.allow(&[&["type"], own, &["density", "at", "rpy"]].concat())?;
    let solid = match kind {
        "rod" => Solid::Rod {
            length: shape.positive("length", Dimension::LENGTH, POSITIVE)?,
            radius: shape.positive("radius", Dimension::LENGTH, POSITIVE)?,
        },
        "cylinder" => Solid::Cylinder {
            radius: shape.positive("radius", Dimension::LENGTH, POSITIVE)?,
            length: shape.positive("length", Dimension::LENGTH, POSITIVE)?,
        },
        "sphere" => Solid::Sphere { radius: shape.positive("radius", Dimension::LENGTH, POSITIVE)? },
        "box" => {
            let size = shape.vector("size", Dimension::LENGTH)?;
            let size = size.ok_or_else(|| shape.missing("size", "the three edges, such as size = [0.1, 0.2, 0.3]"))?;
            if size.to_array().iter().any(|edge| *edge <= 0.0) {
                return Err(shape.wrong_value("size", "the edges of a box are greater than zero"));
            }
            Solid::Box { size }
        }
        _ => {
            let file = shape.required_text("file", "the mesh, such as file = \"crank.stl\"")?.to_string();
            let scale = shape.number("scale", Dimension::NUMBER)?.unwrap_or(1.0);
            if scale <= 0.0 {
                return Err(shape.wrong_value("scale", "'shape.scale' must be greater than zero"));
            }
            let mesh = shape.context.path(&file).and_then(|path| super::mesh::read(&path, scale));
            let mut mesh = mesh.map_err(|e| shape.wrong_value("file", e.to_string()))?;
            if mesh.is_closed() && mesh.turn_outwards() {
                let message = format!("the triangles of the mesh '{file}' faced inwards; they are turned round");
                shape.context.warn(&shape.wrong_value("file", message));
            }
            Solid::Mesh { file, mesh: Arc::new(mesh) }
        }
    };
    let rotation = read_rpy(&shape)?;
    let origin = shape.vector("at", Dimension::LENGTH)?.unwrap_or(Vec3::ZERO);
    let density = match shape.has("density") {
        true => Some(shape.positive("density", Dimension::DENSITY, "")?),
        false => None,
    };
    if let (Some(_), Solid::Mesh { mesh, .. }) = (density, &solid) {
        if !mesh.is_closed() {
            return Err(shape
                .wrong_value("density", "the mesh is not closed, so it holds no volume")
                .note("repair the mesh, or give mass, com and inertia on the body"));
        }
    }
    Ok(Some((Shape { solid, pose: Pose::new(rotation, origin) }, density)))
}

fn read_mass(reader: &Reader, shape: Option<&(Shape, Option<f64>)>) -> Result<Option<MassProperties>> {
    let density = shape.and_then(|(shape, density)| density.map(|d| (shape, d)));
    let mass = reader.number("mass", Dimension::MASS)?;
    let com = reader.vector("com", Dimension::LENGTH)?;
    let inertia = read_inertia(reader)?;
    if let Some((shape, density)) = density {
        if let Some(key) = ["mass", "com", "inertia"].into_iter().find(|key| reader.has(key)) {
            return Err(reader
                .wrong_value(key, format!("'{key}' is given, but follows from the shape's density already"))
                .note(format!("remove '{key}' or 'density'")));
        }
        let found = mass::of_solid(&shape.solid, &shape.pose, density);
        return match mass::is_of_a_solid(&found, shape) {
            true => Ok(Some(found)),
            false => Err(reader
                .wrong_value("shape", "the mesh bounds no solid: some of its parts face inwards, or it holds no volume")
                .note("repair the mesh, or give mass, com and inertia on the body")),
        };
    }
    let Some(mass) = mass else {
        if inertia.is_some() {
            return Err(reader.wrong_value("inertia", "'inertia' needs 'mass' beside it").note("such as mass = 1.5"));
        }
        if com.is_some() {
            let error = reader.wrong_value("com", "'com' has no effect without 'mass'");
            reader.context.warn(&error);
        }
        return Ok(None);
    };
    if mass < 0.0 {
        return Err(reader.wrong_value("mass", format!("a mass cannot be negative; this is {mass} kg")));
    }
    let inertia = inertia.unwrap_or(Inertia::ZERO);
    if mass == 0.0 && inertia != Inertia::ZERO {
        return Err(reader
            .wrong_value("mass", "the mass is zero, but the body has an inertia")
            .note("leave out both for a body without mass"));
    }
    if let Some(error) = mass::unphysical(inertia) {
        let span = reader.get("inertia").and_then(|n| n.span.as_ref());
        let error = reader.blame(error.at_opt(span));
        if !reader.bool("unphysical")?.unwrap_or(false) && !reader.context.options.unphysical {
            return Err(
                error.note("if these numbers must stand, add unphysical = true to the body, or run with --unphysical")
            );
        }
        reader.context.warn(&error);
    }
    Ok(Some(MassProperties { mass, com: com.unwrap_or(Vec3::ZERO), inertia }))
}

/// `[xx, yy, zz]` or `[xx, yy, zz, xy, xz, yz]`.
fn read_inertia(reader: &Reader) -> Result<Option<Inertia>> {
    let Some(node) = reader.get("inertia") else { return Ok(None) };
    const FORM: &str = "[xx, yy, zz] or [xx, yy, zz, xy, xz, yz], about the centre of mass in body axes";
    let list = values::items(node, "'inertia'", &[3, 6]).map_err(|e| reader.blame(e).note(FORM))?;
    let mut entries = [0.0; 6];
    for (slot, item) in entries.iter_mut().zip(list) {
        *slot = values::number(item, "'inertia'", Some(Dimension::INERTIA), reader.context)
            .map_err(|e| reader.blame(e).note(FORM))?;
    }
    Ok(Some(Inertia::from_entries(entries)))
}
