//! Parts and markers: where frames are, masses, and what is drawn.

#![allow(non_snake_case)] // Frames are capital letters: X_WB (docs/notation.md).

use super::deck::Statement;
use super::units::Units;
use super::{identifier, number, numbers, triple, Writer};
use crate::foreign::{set_mass, Told};
use crate::nodes::{self, placed, push, vector};
use crate::reader::plain_name;
use crate::tree::{Node, Table};
use biela_base::error::{Error, Result};
use biela_base::signal_name;
use biela_base::source::Span;
use biela_math::{Inertia, Pose, Rotation, Vec3};
use std::collections::{HashMap, HashSet};
use std::f64::consts::PI;

pub(super) struct Part {
    pub name: String,
    /// Where its frame is in the drawing.
    pub X_WB: Pose,
    /// Which statement it is; none for a ground that is not written down.
    statement: Option<usize>,
}

/// A frame of a part.
#[derive(Debug, Clone)]
pub(super) struct Marker {
    /// 0 for the global frame.
    pub id: i64,
    pub name: String,
    /// Which of the parts; 0 is the ground.
    pub part: usize,
    pub X_BM: Pose,
    pub span: Option<Span>,
}

pub(super) struct Parts {
    /// The ground first.
    pub list: Vec<Part>,
    markers: HashMap<i64, Marker>,
    /// Markers in the order of the deck.
    order: Vec<i64>,
}

/// The name of an element: its label without dots, else its word and number.
pub(super) fn name(statement: &Statement, names: &mut HashSet<String>) -> String {
    let plain = |text: &str| plain_name(text).replace(|c: char| !c.is_ascii_alphanumeric() && c != '_', "_");
    let wish = match statement.label.as_deref().map(plain).filter(|l| !l.is_empty()) {
        Some(label) if label.starts_with(|c: char| c.is_ascii_digit()) => format!("_{label}"),
        Some(label) => label,
        None => format!("{}_{}", statement.kind.word, statement.id).replace('-', "_"),
    };
    nodes::unused(&wish, names)
}

pub(super) fn read(
    statements: &[Statement],
    units: &Units,
    told: &mut Told,
    names: &mut HashSet<String>,
) -> Result<Parts> {
    let mut list = vec![Part { name: "ground".into(), X_WB: Pose::IDENTITY, statement: None }];
    let (mut part_of, mut mass_of): (HashMap<i64, usize>, HashMap<i64, usize>) = (HashMap::new(), HashMap::new());
    let of = |s: &Statement| s.shown();
    for (k, s) in statements.iter().enumerate().filter(|(_, s)| ["PART", "POINT_MASS"].contains(&s.kind.word)) {
        let index = if s.has("GROUND") { 0 } else { list.len() };
        let map = if s.kind.word == "PART" { &mut part_of } else { &mut mass_of };
        if map.insert(s.id, index).is_some() {
            return Err(Error::new("a second statement with this number").of(of(s)).at(&s.span));
        }
        if index == 0 {
            list[0].statement = Some(k);
            continue;
        }
        let label = s.label.as_deref().is_some_and(|l| l == "ground");
        let called = name(s, names);
        if label {
            let error = Error::new("a part called 'ground' moves").of(of(s)).at(&s.span);
            told.doubt(error, &format!("called '{called}' here"))?;
        }
        let X_WB = frame(s, ["QG", "ZG", "XG"], units).map_err(|e| super::about(e, s))?;
        list.push(Part { name: called, X_WB, statement: Some(k) });
    }
    let (mut markers, mut order, mut last) = (HashMap::new(), Vec::new(), None);
    let mut point_names: Vec<HashSet<String>> = list.iter().map(|_| HashSet::new()).collect();
    for s in statements {
        match s.kind.word {
            "PART" => last = part_of.get(&s.id).copied(),
            "POINT_MASS" => last = mass_of.get(&s.id).copied(),
            "MARKER" => {
                let part = match (s.get("PART"), s.get("POINT_MASS")) {
                    (Some(a), _) => part_of.get(&identifier(a)?).copied(),
                    (_, Some(a)) => mass_of.get(&identifier(a)?).copied(),
                    _ => last,
                };
                let missing = || Error::new("its part is not there").of(of(s)).at(&s.span);
                let part = match part {
                    Some(part) => part,
                    None if s.has("FLEX_BODY") => {
                        told.doubt(Error::new("a marker of a flexible body").of(of(s)).at(&s.span), "not read")?;
                        continue;
                    }
                    None => return Err(missing()),
                };
                let X_BM = frame(s, ["QP", "ZP", "XP"], units).map_err(|e| super::about(e, s))?;
                let marker =
                    Marker { id: s.id, name: name(s, &mut point_names[part]), part, X_BM, span: Some(s.span.clone()) };
                if markers.insert(s.id, marker).is_some() {
                    return Err(Error::new("a second marker with this number").of(of(s)).at(&s.span));
                }
                order.push(s.id);
            }
            _ => {}
        }
    }
    Ok(Parts { list, markers, order })
}

/// The frame that a statement gives: its origin, and Euler angles about z, x, z or points on its axes.
fn frame(s: &Statement, [q, z, x]: [&str; 3], units: &Units) -> Result<Pose> {
    let scaled = |key| Ok(triple(s, key)?.map(|v| v * units.length));
    let origin: Vec3 = scaled(q)?.unwrap_or(Vec3::ZERO);
    let turned =
        |v: Vec3| Rotation::about(Vec3::Z, v.x) * Rotation::about(Vec3::X, v.y) * Rotation::about(Vec3::Z, v.z);
    if let Some(angles) = triple(s, "REULER")? {
        return Ok(Pose::new(turned(angles), origin));
    }
    if let (Some(angles), Some(argument)) = (triple(s, "EULER")?, s.get("EULER")) {
        // Degrees, with and without a D, which is taken off already.
        let mut radians = angles;
        for (k, _) in argument.values.iter().enumerate().filter(|(_, v)| !v.text.ends_with(['d', 'D'])) {
            radians[k] = angles[k] * (PI / 180.0);
        }
        return Ok(Pose::new(turned(radians), origin));
    }
    let (z, x): (Option<Vec3>, Option<Vec3>) =
        (scaled(z)?.map(|p: Vec3| p - origin), scaled(x)?.map(|p: Vec3| p - origin));
    let far = |v: Vec3| v.unit().ok_or_else(|| Error::new("a point on an axis lies at the origin of the frame"));
    let rotation = match (z, x) {
        (None, None) => Rotation::IDENTITY,
        // The point in the plane of x and z tells the sense of x; without one any direction normal to z is as good.
        (Some(z), None) => Rotation::from_z_x(far(z)?, z.any_perpendicular()).unwrap_or(Rotation::IDENTITY),
        (z, Some(x)) if s.has("USEXP") || z.is_none() => {
            let (x, z) = (far(x)?, z.unwrap_or(if x.cross(Vec3::Z).norm() > 0.0 { Vec3::Z } else { Vec3::Y }));
            let y = z.cross(x);
            Rotation::from_z_x(x.cross(y), x).ok_or_else(|| Error::new("the points on its axes lie on one line"))?
        }
        (Some(z), Some(x)) => {
            Rotation::from_z_x(far(z)?, x).ok_or_else(|| Error::new("the points on its axes lie on one line"))?
        }
        (None, Some(_)) => Rotation::IDENTITY,
    };
    Ok(Pose::new(rotation, origin))
}

impl Parts {
    /// The marker of that number; 0 is the global frame.
    pub fn marker(&self, id: i64, span: &Span) -> Result<Marker> {
        if id == 0 {
            return Ok(Marker { id: 0, name: String::new(), part: 0, X_BM: Pose::IDENTITY, span: None });
        }
        self.markers.get(&id).cloned().ok_or_else(|| Error::new(format!("there is no marker {id}")).at(span))
    }

    /// Where a marker is in the drawing.
    pub fn drawn(&self, marker: &Marker) -> Pose {
        self.list[marker.part].X_WB * marker.X_BM
    }

    /// The bodies of the document.
    pub fn bodies(&self, statements: &[Statement], units: &Units, told: &mut Told) -> Result<Table> {
        let mut shapes: Vec<Vec<Node>> = self.list.iter().map(|_| Vec::new()).collect();
        for s in statements.iter().filter(|s| s.kind.word == "GRAPHICS") {
            match self.shape(s, units) {
                Ok(Some((part, shape))) => shapes[part].push(shape),
                _ => told.unused(&s.span, "GRAPHICS other than boxes, cylinders and balls are not drawn"),
            }
        }
        let mut points: Vec<Table> = self.list.iter().map(|_| Table::default()).collect();
        for marker in self.order.iter().filter_map(|id| self.markers.get(id)) {
            push(
                &mut points[marker.part],
                &marker.name,
                marker.span.as_ref(),
                placed(vector(marker.X_BM.origin), marker.span.as_ref()),
            );
        }
        let mut bodies = Table::default();
        for ((part, points), shapes) in self.list.iter().zip(points).zip(shapes) {
            let mut body = Table::default();
            let statement = part.statement.and_then(|k| statements.get(k));
            if let Some(s) = statement.filter(|_| part.name != "ground") {
                self.mass(&mut body, s, units, told).map_err(|e| super::about(e, s))?;
                if let Some(pose) = nodes::pose(&part.X_WB) {
                    body.set("pose", pose);
                }
            }
            if !points.entries.is_empty() {
                body.set("points", points);
            }
            if !shapes.is_empty() {
                body.set("shape", shapes);
            }
            if part.name != "ground" || !body.entries.is_empty() {
                let span = statement.map(|s| &s.span);
                push(&mut bodies, &part.name, span, placed(body.into(), span));
            }
        }
        Ok(bodies)
    }

    /// Mass, its centre, and the inertia about it in the part's axes.
    fn mass(&self, body: &mut Table, s: &Statement, units: &Units, told: &mut Told) -> Result<()> {
        let Some(mass) = number(s, "MASS")?.map(|m| m * units.mass) else { return Ok(()) };
        let marker = |key: &str| s.get(key).map(|a| self.marker(identifier(a)?, &a.span)).transpose();
        let centre = marker("CM")?;
        if centre.is_none() {
            let error = Error::new("a mass without CM").of(s.shown()).at(&s.span);
            told.doubt(error, "its centre is taken at the part's origin")?;
        }
        let cm = centre.as_ref().map_or(Pose::IDENTITY, |m| m.X_BM);
        let given = s.get("IP").map(numbers).transpose()?.unwrap_or_default();
        let scale = units.mass * units.length * units.length;
        let entry = |k: usize| given.get(k).copied().unwrap_or(0.0) * scale;
        // The deck's products of inertia are integrals of xy, whose negatives stand in the matrix.
        let own = Inertia::from_entries([entry(0), entry(1), entry(2), -entry(3), -entry(4), -entry(5)]);
        let frame = marker("IM")?.map_or(cm, |m| m.X_BM);
        let turned = own.turned(&frame.rotation);
        let about = match frame.origin == cm.origin {
            true => turned,
            false => turned.moved_to_centre(mass, cm.origin - frame.origin),
        };
        set_mass(body, (mass, cm.origin, about), told, (&s.shown(), &s.span))
    }

    fn shape(&self, s: &Statement, units: &Units) -> Result<Option<(usize, Node)>> {
        let size = |key: &str| Ok(number(s, key)?.unwrap_or(0.0) * units.length);
        let at = |key: &str| self.marker(identifier(s.get(key).ok_or_else(|| Error::new("no marker"))?)?, &s.span);
        let mut table = Table::default();
        let (marker, centre) = if s.has("CYLINDER") && s.has("CM") {
            let (length, radius) = (size("LENGTH")?, size("RADIUS")?);
            table.set("type", "cylinder");
            table.set("radius", radius);
            table.set("length", length.abs());
            (at("CM")?, Vec3::Z * (length / 2.0))
        } else if s.has("BOX") && s.has("CORNER") {
            let edges: [f64; 3] = [size("X")?, size("Y")?, size("Z")?];
            table.set("type", "box");
            table.set("size", nodes::numbers(edges.map(f64::abs)));
            (at("CORNER")?, Vec3::from(edges) * 0.5)
        } else if s.has("ELLIPSOID") && s.has("CM") {
            let axes: [f64; 3] = [size("XSCALE")?, size("YSCALE")?, size("ZSCALE")?];
            if axes[0] != axes[1] || axes[1] != axes[2] {
                return Ok(None);
            }
            table.set("type", "sphere");
            table.set("radius", axes[0] / 2.0);
            (at("CM")?, Vec3::ZERO)
        } else {
            return Ok(None);
        };
        let flat =
            |key: &str| matches!(table.get(key).map(|n| &n.value), Some(crate::tree::Value::Number(x)) if *x <= 0.0);
        let empty = |n: &Node| matches!(&n.value, crate::tree::Value::List(l) if l.iter().any(|n| matches!(n.value, crate::tree::Value::Number(x) if x <= 0.0)));
        if flat("radius") || flat("length") || table.get("size").is_some_and(empty) {
            return Ok(None);
        }
        table.set("at", vector(marker.X_BM.apply(centre)));
        table.set("rpy", nodes::numbers(marker.X_BM.rotation.to_rpy()));
        Ok(Some((marker.part, placed(table.into(), Some(&s.span)))))
    }
}

impl Writer<'_> {
    /// Initial velocities of parts, and what keeps a point mass from turning.
    pub fn velocities(&mut self, statements: &[Statement]) -> Result<()> {
        for (k, part) in self.parts.list.iter().enumerate().skip(1) {
            let Some(s) = part.statement.and_then(|k| statements.get(k)) else { continue };
            self.velocity(k, s).map_err(|e| super::about(e, s))?;
            if s.kind.word == "POINT_MASS" {
                let axes = [("x", Vec3::X, Vec3::Y), ("y", Vec3::Y, Vec3::Z), ("z", Vec3::Z, Vec3::X)];
                for (letter, a, b) in axes {
                    let name = nodes::unused(&format!("{}_upright_{letter}", part.name), &mut self.names);
                    let pair = nodes::pair(vector(part.X_WB.rotation.apply(a)), vector(b));
                    let bodies = nodes::pair("ground".into(), part.name.as_str().into());
                    super::add(
                        &mut self.elements,
                        &name,
                        s,
                        vec![("type", "perpendicular1".into()), ("bodies", bodies), ("a", pair)],
                    );
                }
            }
        }
        Ok(())
    }

    fn velocity(&mut self, k: usize, s: &Statement) -> Result<()> {
        let part = &self.parts.list[k];
        let marker = |key: &str| s.get(key).map(|a| self.parts.marker(identifier(a)?, &a.span)).transpose();
        let centre = marker("CM")?;
        let v = [number(s, "VX")?, number(s, "VY")?, number(s, "VZ")?]
            .map(|v| v.map(|v| v * self.units.length / self.units.time));
        let w = [number(s, "WX")?, number(s, "WY")?, number(s, "WZ")?].map(|w| w.map(|w| w / self.units.time));
        // Velocities are given along the global axes, or those of VM; angular velocities about those of the centre of mass, or of WM.
        let along = marker("VM")?.map(|m| self.parts.drawn(&m).rotation);
        let about = marker("WM")?.or(centre.clone()).map(|m| self.parts.drawn(&m).rotation);
        let place = match &centre {
            Some(m) => signal_name::join(&part.name, &m.name),
            None => part.name.clone(),
        };
        let mut set = |to: &str, given: [Option<f64>; 3], axes: Option<Rotation>, leaves: [&str; 3]| {
            if given.iter().all(Option::is_none) {
                return;
            }
            let whole = Vec3::from(given.map(|x| x.unwrap_or(0.0)));
            let turned = axes.map_or(whole, |R| tidy(R.apply(whole)));
            for (j, leaf) in leaves.into_iter().enumerate() {
                if axes.is_some() || given[j].is_some() {
                    push(
                        &mut self.initial,
                        &signal_name::join(to, leaf),
                        Some(&s.span),
                        Node::from(turned[j]).at(&s.span),
                    );
                }
            }
        };
        set(&place, v, along, ["vx", "vy", "vz"]);
        set(&part.name, w, about.or(Some(part.X_WB.rotation)), ["wx", "wy", "wz"]);
        Ok(())
    }
}

/// A vector whose components that are rounding beside the others are zero.
fn tidy(v: Vec3) -> Vec3 {
    const ROUNDING: f64 = 1e-15;
    let least = ROUNDING * v.norm();
    Vec3::from(v.to_array().map(|c| if c.abs() <= least { 0.0 } else { c }))
}
