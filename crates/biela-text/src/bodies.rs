//! `[bodies]`: mass properties, points, the pose in the drawing, and the shape.

use super::context::Context;
use super::reader::{check_name, section, Reader};
use super::shapes;
use super::tree::{Entry, Node, Value};
use super::values::{self, describe, wrong};
use super::vectors;
use biela_base::error::{some_of, Error, Result};
use biela_base::signal_name;
use biela_base::source::Span;
use biela_base::units::Dimension;
use biela_core::blueprint::{BodyPlan, Direction, PointPlan, PosePlan, Quantity, ShapePlan, Turn, Varying, Vector};
use biela_core::joints::NORMAL;
use biela_core::model::Body;
use std::collections::HashMap;

/// The fixed body's name.
pub(super) const GROUND_NAME: &str = "ground";

/// Bodies with an index by name.
pub(super) struct Bodies {
    pub list: Vec<Body>,
    /// What each was made of.
    pub plans: Vec<Varying<BodyPlan>>,
    index: HashMap<String, usize>,
    /// Places of the points of each body, by name.
    points: Vec<HashMap<String, usize>>,
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
        let none = context.form("[0, 0, 0]", "0");
        let message = format!("{message}; inertia = {none} says that this is meant");
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
    pub fn point(&self, reader: &Reader, what: &str, node: &Node, body: usize) -> Result<PointPlan> {
        let (known, body) = (&self.points[body], &self.list[body]);
        match &node.value {
            Value::Text(name) => match known.get(name) {
                Some(k) => Ok(PointPlan::Named(*k)),
                None => {
                    let known: Vec<&str> = body.points.iter().map(|(name, _)| name.as_str()).collect();
                    let message = format!("body '{}' has no point '{name}'", body.name);
                    let error = reader.blame(wrong(node, message));
                    Err(match known.is_empty() {
                        true => error.note(format!(
                            "it has no points; add points = {{ {name} = {} }} to [bodies.{}]",
                            reader.context.form("[0, 0, 0]", "[0, 0]"),
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
                let p = vectors::vector(node, what, Some(Dimension::LENGTH), reader.context);
                p.map(PointPlan::At).map_err(|e| reader.blame(e))
            }
            _ => {
                let message = format!("{what} is a vector or the name of a point, not {}", describe(node));
                Err(reader.blame(wrong(node, message)))
            }
        }
    }

    /// The body and point that a string such as `arm.tip` names.
    pub fn dotted_point(&self, reader: &Reader, key: &str) -> Result<(usize, PointPlan)> {
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

pub(super) const KEYS: &[&str] = &["mass", "com", "inertia", "points", "pose", "shape", "colour", "unphysical"];
pub(super) const GROUND_KEYS: &[&str] = &["points", "shape", "colour"];
pub(super) const POSE_KEYS: &[&str] = &["at", "angle", "axis", "rpy", "euler"];

/// Reads `[bodies]`; the ground comes first.
pub(super) fn read(root: &Reader) -> Result<Bodies> {
    let binding = &root.context.binding;
    let make = |plan: BodyPlan, plans: &mut Vec<Varying<BodyPlan>>| {
        root.context.make(BodyPlan { space: root.context.space, ..plan }, plans, |plan| plan.build(binding))
    };
    let entries = section(root, "bodies", "[bodies.crank]")?;
    let (mut plans, mut list) = (Vec::new(), Vec::with_capacity(entries.len() + 1));
    list.push(make(BodyPlan { name: GROUND_NAME.into(), ..BodyPlan::default() }, &mut plans)?);
    for entry in entries {
        check_name("body", entry)?;
        if entry.key == GROUND_NAME {
            let mut own = Vec::new();
            list[0] = make(read_ground(root.context, entry)?, &mut own)?;
            plans.splice(..own.len(), own);
        } else {
            list.push(make(read_body(root.context, entry)?, &mut plans)?);
        }
    }
    if list.len() == 1 {
        return Err(Error::new("the model has no bodies")
            .at_opt(entries.first().and_then(|e| e.key_span.as_ref()))
            .note("describe each moving part by a table, such as [bodies.crank]; 'ground' is always there"));
    }
    let index = list.iter().enumerate().map(|(k, b)| (b.name.clone(), k)).collect();
    let places = |b: &Body| b.points.iter().enumerate().map(|(k, p)| (p.0.clone(), k)).collect();
    let points = list.iter().map(places).collect();
    let point_masses: Vec<&Entry> = entries.iter().filter(|e| is_point_mass(e)).collect();
    Ok(Bodies {
        list,
        plans,
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

fn read_ground(context: &Context, entry: &Entry) -> Result<BodyPlan> {
    let reader = Reader::of_entry(context, "body 'ground'".into(), entry)?;
    reader
        .allow(GROUND_KEYS)
        .map_err(|e| e.note("the ground is fixed and has no mass: it gives points, shapes and a colour"))?;
    Ok(BodyPlan {
        name: GROUND_NAME.into(),
        points: read_points(&reader)?,
        shapes: read_ground_shapes(&reader)?,
        colour: shapes::read_colour(&reader)?,
        place: reader.place(),
        ..BodyPlan::default()
    })
}

/// The ground's shapes are drawn, and weigh nothing.
fn read_ground_shapes(reader: &Reader) -> Result<Vec<ShapePlan>> {
    let mut read = shapes::read(reader)?;
    if read.iter_mut().filter_map(|shape| shape.density.take()).count() > 0 {
        reader
            .context
            .warn(&reader.wrong_value("shape", "'shape.density' has no effect on the ground, which has no mass"));
    }
    Ok(read)
}

fn read_body(context: &Context, entry: &Entry) -> Result<BodyPlan> {
    let reader = Reader::of_entry(context, format!("body '{}'", entry.key), entry)?;
    reader.allow(KEYS)?;
    let points = read_points(&reader)?;
    let pose = match reader.inner("pose", "pose.")? {
        Some(pose) => read_pose(&pose)?,
        None => PosePlan::default(),
    };
    let plan = BodyPlan {
        name: entry.key.clone(),
        points,
        pose,
        mass: reader.quantity("mass", Dimension::MASS)?,
        com: reader.vector("com", Dimension::LENGTH)?,
        inertia: read_inertia(&reader)?,
        unphysical: reader.bool("unphysical")?.unwrap_or(false) || context.options.unphysical,
        shapes: shapes::read(&reader)?,
        colour: shapes::read_colour(&reader)?,
        place: reader.place(),
        ..BodyPlan::default()
    };
    check_mass_keys(&reader, &plan)?;
    Ok(plan)
}

/// Refuses keys of mass that do not go together.
fn check_mass_keys(reader: &Reader, plan: &BodyPlan) -> Result<()> {
    if plan.shapes.iter().any(|shape| shape.density.is_some()) {
        if let Some(key) = ["mass", "com", "inertia"].into_iter().find(|key| reader.has(key)) {
            return Err(reader
                .wrong_value(key, format!("'{key}' is given, but follows from the shape's density already"))
                .note(format!("remove '{key}' or 'density'")));
        }
    } else if plan.mass.is_none() {
        if plan.inertia.is_some() {
            return Err(reader.wrong_value("inertia", "'inertia' needs 'mass' beside it").note("such as mass = 1.5"));
        }
        if plan.com.is_some() {
            reader.context.warn(&reader.wrong_value("com", "'com' has no effect without 'mass'"));
        }
    }
    Ok(())
}

fn read_points(reader: &Reader) -> Result<Vec<(String, Vector)>> {
    let Some(inner) = reader.inner("points", "points.")? else { return Ok(Vec::new()) };
    let mut points = Vec::with_capacity(inner.table().entries.len());
    for entry in &inner.table().entries {
        check_name("point", entry).map_err(|e| reader.blame(e))?;
        // Straight from the entry: to look its key up again would take the square of their number.
        let point = vectors::vector(&entry.node, &inner.name(&entry.key), Some(Dimension::LENGTH), inner.context);
        points.push((entry.key.clone(), point.map_err(|e| inner.blame(e))?));
    }
    Ok(points)
}

/// `pose = { at, angle + axis | rpy | euler }`.
fn read_pose(reader: &Reader) -> Result<PosePlan> {
    if reader.context.is_planar() {
        return read_plane_pose(reader);
    }
    reader.allow(POSE_KEYS)?;
    let at = reader.vector("at", Dimension::LENGTH)?;
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
    let turn = match given.first() {
        Some(&"angle") => {
            let angle = reader.quantity("angle", Dimension::ANGLE)?.unwrap_or(Quantity::Number(0.0));
            let axis = reader
                .direction("axis")?
                .ok_or_else(|| reader.missing("axis", "'angle' turns about an axis, such as axis = [0, 0, 1]"))?;
            Turn::About(angle, axis)
        }
        Some(&"rpy") => reader.vector("rpy", Dimension::ANGLE)?.map_or(Turn::None, Turn::Rpy),
        Some(key) => read_euler(reader, key)?,
        None => Turn::None,
    };
    Ok(PosePlan { at, turn, place: reader.place() })
}

/// `pose = { at, angle }` in a plane.
fn read_plane_pose(reader: &Reader) -> Result<PosePlan> {
    if let Some(key) = ["axis", "rpy", "euler"].into_iter().find(|key| reader.has(key)) {
        let message = format!("{} has no place in a planar model, where bodies turn about z", reader.name(key));
        return Err(reader.wrong_value(key, message).note("such as pose = { at = [0.1, 0.2], angle = \"30 deg\" }"));
    }
    reader.allow_for("a pose in a planar model", &["at", "angle"])?;
    let at = reader.vector("at", Dimension::LENGTH)?;
    let turn = reader.quantity("angle", Dimension::ANGLE)?.map_or(Turn::None, |angle| Turn::About(angle, normal()));
    Ok(PosePlan { at, turn, place: reader.place() })
}

/// The normal of the plane, which axes of planar models are without saying.
pub(super) fn normal() -> Direction {
    let components = NORMAL.to_array().map(Quantity::Number);
    Direction { components, what: "z".to_string(), span: None }
}

fn read_euler(reader: &Reader, key: &str) -> Result<Turn> {
    let Some(node) = reader.get(key) else { return Ok(Turn::None) };
    let e = values::quantities::<4>(node, &reader.name(key), Some(Dimension::NUMBER), reader.context);
    e.map(Turn::Euler).map_err(|e| reader.blame(e))
}

/// `[xx, yy, zz]` or `[xx, yy, zz, xy, xz, yz]`.
fn read_inertia(reader: &Reader) -> Result<Option<[Quantity; 6]>> {
    let Some(node) = reader.get("inertia") else { return Ok(None) };
    if reader.context.is_planar() {
        return read_moment(reader, node).map(Some);
    }
    moments(reader, node)
        .map(Some)
        .map_err(|e| e.note("[xx, yy, zz] or [xx, yy, zz, xy, xz, yz], about the centre of mass in body axes"))
}

/// One moment of inertia, about z through the centre of mass. About the other axes nothing turns.
fn read_moment(reader: &Reader, node: &Node) -> Result<[Quantity; 6]> {
    let about_z = values::quantity(node, "'inertia'", Some(Dimension::INERTIA), reader.context).map_err(|e| {
        let error =
            reader.blame(e).note("in a planar model it is one number, the moment about z through the centre of mass");
        match &node.value {
            Value::List(list) if list.len() == 3 || list.len() == 6 => {
                error.note("of [xx, yy, zz] it is the third entry")
            }
            _ => error,
        }
    })?;
    let none = || Quantity::Number(0.0);
    Ok([about_z.clone(), about_z.clone(), about_z, none(), none(), none()])
}

/// Three or six entries of an inertia tensor.
pub(super) fn moments(reader: &Reader, node: &Node) -> Result<[Quantity; 6]> {
    let list = values::items(node, "'inertia'", &[3, 6]).map_err(|e| reader.blame(e))?;
    let mut moments = [const { Quantity::Number(0.0) }; 6];
    for (slot, item) in moments.iter_mut().zip(list) {
        *slot = values::quantity(item, "'inertia'", Some(Dimension::INERTIA), reader.context)
            .map_err(|e| reader.blame(e))?;
    }
    Ok(moments)
}
