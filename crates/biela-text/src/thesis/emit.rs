//! Rows written in the vocabulary of the model file.

use super::rows::{DriverRow, End, JointRow, Row, Type};
use super::{General, Placement};
use crate::foreign::Told;
use crate::imported::Imported;
use crate::nodes::{numbers, pair, placed, push, vector};
use crate::tree::{Node, Table, Value};
use biela_base::error::{Error, Result};
use biela_base::signal_name;
use biela_math::Elementary;
use biela_math::{Rotation, Vec3};
use std::collections::HashMap;

pub(super) fn document(
    general: &General,
    placements: &[Placement],
    joint_rows: &[JointRow],
    driver_rows: &[DriverRow],
) -> Result<Imported> {
    let mut writer = Writer { placements, joints: Table::default(), told: Told::default() };
    // What a driver of an angle or slide may refer to: the joint's name and its row.
    let mut named: Vec<(String, &Row)> = Vec::new();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for (k, joint) in joint_rows.iter().enumerate() {
        let number = counts.entry(joint.row.code).and_modify(|n| *n += 1).or_insert(1);
        let name = format!("{}{number}", joint.row.code);
        let value = Node::from(joint.value).at(&joint.value_span);
        let element = format!("joint {} ({name})", k + 1);
        check_value(joint).and_then(|()| writer.joint(&name, &joint.row, value)).map_err(|e| e.of(element))?;
        named.push((name, &joint.row));
    }
    let mut drivers = Table::default();
    let mut points: Vec<Vec<(String, Node, Vec3)>> = placements.iter().map(|_| Vec::new()).collect();
    for (k, driver) in driver_rows.iter().enumerate() {
        let name = format!("driver{}", k + 1);
        let written =
            writer.driver(&name, driver, &named, &mut points).map_err(|e| e.of(format!("driver {}", k + 1)))?;
        if let Some(table) = written {
            let span = &driver.row.span;
            push(&mut drivers, &name, Some(span), placed(table.into(), Some(span)));
        }
    }
    let mut bodies = Table::default();
    for (k, placement) in placements.iter().enumerate().skip(1) {
        let mut body = Table::default();
        if !points[k].is_empty() {
            let mut table = Table::default();
            for (name, node, _) in points[k].drain(..) {
                table.set(name, node);
            }
            body.set("points", table);
        }
        let mut pose = Table::default();
        pose.set("at", vector(placement.pose.origin));
        pose.set("euler", numbers(placement.parameters.0));
        body.set("pose", pose);
        push(&mut bodies, &body_name(k), Some(&placement.span), placed(body.into(), Some(&placement.span)));
    }
    let mut run = Table::default();
    run.set("analysis", "kinematics");
    run.set("end", Node::from(general.time).at(&general.spans[1]));
    run.set("steps", Node::new(Value::Integer(general.intervals as i64)).at(&general.spans[2]));
    let mut tree = Table::default();
    for (key, table) in [("bodies", bodies), ("joints", writer.joints), ("drivers", drivers), ("run", run)] {
        if !table.entries.is_empty() {
            tree.set(key, table);
        }
    }
    Ok(Imported { tree, warnings: writer.told.finish() })
}

fn body_name(k: usize) -> String {
    match k {
        0 => "ground".to_string(),
        k => format!("body{}", k + 1),
    }
}

/// A value in column 22 that the joint type has no use for must be zero.
fn check_value(joint: &JointRow) -> Result<()> {
    let uses =
        matches!(joint.row.kind, Type::Dot1 | Type::Dot2 | Type::Distance | Type::Coordinate(_) | Type::Translational);
    if joint.value != 0.0 && !uses {
        let message = format!("column 22 is {}, but a joint {} has no value", joint.value, joint.row.code);
        return Err(Error::new(message).at(&joint.value_span));
    }
    if joint.row.kind == Type::Distance && joint.value <= 0.0 {
        return Err(Error::new("the distance in column 22 must be greater than zero").at(&joint.value_span));
    }
    Ok(())
}

struct Writer<'p> {
    placements: &'p [Placement],
    joints: Table,
    told: Told,
}

impl Writer<'_> {
    /// A direction of body k as it stands in the initial position.
    fn drawn(&self, body: usize, v: Vec3) -> Vec3 {
        self.placements[body].pose.rotation.apply(v)
    }

    fn push(&mut self, name: &str, row: &Row, kind: &str, fields: Vec<(&str, Node)>) {
        let mut table = Table::default();
        table.set("type", Node::from(kind).at(&row.kind_span));
        let body = |side: usize| Node::from(body_name(row.bodies[side])).at(&row.body_spans[side]);
        table.set("bodies", pair(body(0), body(1)));
        for (key, node) in fields {
            table.set(key, node);
        }
        push(&mut self.joints, name, Some(&row.span), placed(table.into(), Some(&row.span)));
    }

    /// Writes a joint, or several where the thesis's one is made of several primitives.
    fn joint(&mut self, name: &str, row: &Row, value: Node) -> Result<()> {
        let [i, j] = &row.ends;
        let at = || ("at", pair(placed(vector(i.p), Some(&i.span)), placed(vector(j.p), Some(&j.span))));
        let directions = |key: &'static str, first: Vec3, second: Vec3| {
            (key, pair(placed(vector(first), Some(&i.span)), placed(vector(second), Some(&j.span))))
        };
        match row.kind {
            Type::Dot1 => {
                let a = directions("a", some(i, "Q", i.first())?, some(j, "Q", j.first())?);
                self.push(name, row, "dot1", vec![a, ("value", value)]);
            }
            Type::Dot2 => {
                let a = ("a", placed(vector(some(i, "Q", i.first())?), Some(&i.span)));
                self.push(name, row, "dot2", vec![at(), a, ("value", value)]);
            }
            Type::Distance => self.push(name, row, "distance", vec![at(), ("length", value)]),
            Type::Coordinate(axis) => {
                let along = match axis {
                    Some(k) => Node::from(["x", "y", "z"][k.min(2)]),
                    None => vector(some(i, "Q", i.first())?),
                };
                self.push(name, row, "coordinate", vec![at(), ("along", along), ("value", value)]);
            }
            Type::Perpendicular1 => {
                let (a, b) = plane(i)?;
                let c = some(j, "Q", j.first())?;
                for (letter, v) in [("a", a), ("b", b)] {
                    self.push(&format!("{name}{letter}"), row, "perpendicular1", vec![directions("a", v, c)]);
                }
            }
            Type::Perpendicular2 => {
                let (a, b) = plane(i)?;
                for (letter, v) in [("a", a), ("b", b)] {
                    let a = ("a", placed(vector(v), Some(&i.span)));
                    self.push(&format!("{name}{letter}"), row, "perpendicular2", vec![at(), a]);
                }
            }
            Type::Spherical => self.push(name, row, "spherical", vec![at()]),
            Type::Universal => {
                let (a, b) = (some(i, "Q", i.first())?, some(j, "Q", j.first())?);
                let drawn = [self.drawn(row.bodies[0], a), self.drawn(row.bodies[1], b)];
                // A universal joint is drawn with its axes perpendicular; a rough first guess seldom has them so.
                const COSINE: f64 = 1e-9;
                let cosine = drawn[0].unit().unwrap_or(Vec3::X).dot(drawn[1].unit().unwrap_or(Vec3::Y));
                if cosine.abs() < COSINE {
                    let fields = vec![at(), ("axis", vector(drawn[0])), ("axis2", vector(drawn[1]))];
                    self.push(name, row, "universal", fields);
                } else {
                    let message = "the axes of this universal joint are not perpendicular in q0: it is written as \
                                   spherical and perpendicular1, which offer no angles";
                    self.told.unused(&row.span, message);
                    self.push(name, row, "spherical", vec![at()]);
                    self.push(&format!("{name}a"), row, "perpendicular1", vec![directions("a", a, b)]);
                }
            }
            Type::Revolute | Type::Cylindrical => {
                let (axis_i, axis_j) = self.axes(row)?;
                let kind = if row.kind == Type::Revolute { "revolute" } else { "cylindrical" };
                self.push(name, row, kind, vec![at(), directions("axis", axis_i, axis_j)]);
            }
            Type::Translational => {
                let (axis_i, axis_j) = self.axes(row)?;
                let (x_i, x_j) = self.locked(row, axis_i, axis_j, &value)?;
                let fields = vec![at(), directions("axis", axis_i, axis_j), directions("x", x_i, x_j)];
                self.push(name, row, "prismatic", fields);
            }
        }
        Ok(())
    }

    /// The axis in body i, normal to its plane, and in body j, c_j. The plane leaves the sense of the first open: it is
    /// the one that agrees with c_j in the initial position.
    fn axes(&self, row: &Row) -> Result<(Vec3, Vec3)> {
        let [i, j] = &row.ends;
        let (a, b) = plane(i)?;
        let c = some(j, "Q", j.first())?;
        let normal = a.cross(b).unit().unwrap_or(Vec3::Z);
        let agree = self.drawn(row.bodies[0], normal).dot(self.drawn(row.bodies[1], c));
        Ok((if agree < 0.0 { -normal } else { normal }, c))
    }

    /// Directions that a translational joint keeps aligned: a_i turned about the axis by the angle whose cosine the
    /// value prescribes (a_i · a_j = value), to the side that q0 shows, and a_j.
    fn locked(&self, row: &Row, axis_i: Vec3, axis_j: Vec3, value: &Node) -> Result<(Vec3, Vec3)> {
        let [i, j] = &row.ends;
        let a_i = some(i, "Q", i.first())?;
        let a_j = some(j, "R", j.second())?;
        let z = axis_j.unit().unwrap_or(Vec3::Z);
        let a_j = a_j - z * a_j.dot(z);
        // Below this part of the axis the vector's normal component is rounding.
        const LEAST_SINE: f64 = 1e-9;
        if a_j.norm() <= LEAST_SINE * j.second().norm() {
            return Err(Error::new("R - P of body j is parallel to the axis Q - P").at(&j.span));
        }
        let product = if let Value::Number(x) = value.value { x } else { 0.0 };
        let cosine = product / (a_i.norm() * a_j.norm());
        // A product that just reaches the vectors' lengths may exceed them by rounding.
        const ROUNDING: f64 = 1e-12;
        if cosine.abs() > 1.0 + ROUNDING {
            let message = format!("a_i · a_j cannot be {product}: the vectors are too short");
            return Err(Error::new(message).at_opt(value.span.as_ref()));
        }
        let cosine = cosine.clamp(-1.0, 1.0);
        let turned = |angle: f64| Rotation::about(axis_i, angle).apply(a_i);
        let (left, right) = (turned(cosine.arccosine()), turned(-cosine.arccosine()));
        let target = self.drawn(row.bodies[1], a_j);
        let nearer = |v: Vec3| self.drawn(row.bodies[0], v).dot(target);
        Ok((if nearer(right) > nearer(left) { right } else { left }, a_j))
    }

    /// Writes a driver: an entry for `drivers` where the model file has such a one, else a primitive joint whose value
    /// is the law.
    fn driver(
        &mut self,
        name: &str,
        driver: &DriverRow,
        named: &[(String, &Row)],
        points: &mut [Vec<(String, Node, Vec3)>],
    ) -> Result<Option<Table>> {
        let row = &driver.row;
        let law = Node::from(driver.law.text.as_str()).at(&driver.law.span);
        let mut table = Table::default();
        match row.kind {
            Type::Revolute | Type::Translational => {
                let (coordinate, types) = match row.kind {
                    Type::Revolute => ("angle", [Type::Revolute, Type::Cylindrical]),
                    _ => ("slide", [Type::Translational, Type::Cylindrical]),
                };
                let (joint, kind, forward) = driven_joint(row, named, types, coordinate)?;
                table.set("joint", joint);
                if kind == Type::Cylindrical {
                    table.set("coordinate", coordinate);
                }
                let reversed = || Node::from(format!("-({})", driver.law.text)).at(&driver.law.span);
                table.set("value", if forward { law } else { reversed() });
                Ok(Some(table))
            }
            // Seen from the ground, a coordinate is that of a point.
            Type::Coordinate(Some(axis)) if row.bodies[0] == 0 => {
                let end = &row.ends[1];
                let body = row.bodies[1];
                let known = &mut points[body];
                let point = match known.iter().find(|(_, _, p)| *p == end.p) {
                    Some((point, _, _)) => point.clone(),
                    None => {
                        let point = format!("P{}", known.len() + 1);
                        known.push((point.clone(), placed(vector(end.p), Some(&end.span)), end.p));
                        point
                    }
                };
                table.set("point", signal_name::join(&body_name(body), &point));
                table.set("along", ["x", "y", "z"][axis.min(2)]);
                let from = row.ends[0].p[axis];
                let value = match from == 0.0 {
                    true => law,
                    false => Node::from(format!("({}) + ({from})", driver.law.text)).at(&driver.law.span),
                };
                table.set("value", value);
                Ok(Some(table))
            }
            Type::Dot1 | Type::Dot2 | Type::Distance | Type::Coordinate(_) => {
                self.joint(name, row, law)?;
                Ok(None)
            }
            _ => {
                let error = Error::new(format!("a joint {} cannot be a driver", row.code)).at(&row.kind_span);
                Err(error.note("drivers are DP1, DP2, D, CD, and RJ or TJ for the angle or slide of a joint"))
            }
        }
    }
}

/// The joint between the driver's bodies that has the coordinate: its name, its type, and whether it runs from i to j.
fn driven_joint(row: &Row, named: &[(String, &Row)], types: [Type; 2], coordinate: &str) -> Result<(Node, Type, bool)> {
    let [i, j] = row.bodies;
    let fits = |other: &Row| types.contains(&other.kind) && (other.bodies == [i, j] || other.bodies == [j, i]);
    let mut found = named.iter().filter(|(_, other)| fits(other));
    match (found.next(), found.next()) {
        (Some((name, joint)), None) => {
            Ok((Node::from(name.as_str()).at(&row.kind_span), joint.kind, joint.bodies == [i, j]))
        }
        (Some((one, _)), Some((two, _))) => {
            let message = format!("joints {one} and {two} both have this {coordinate}");
            Err(Error::new(message).at(&row.span))
        }
        (None, _) => {
            let message = format!("no joint with an {coordinate} between bodies {} and {}", i + 1, j + 1);
            Err(Error::new(message.replace("an slide", "a slide")).at(&row.span))
        }
    }
}

/// A vector of a body, which must not be zero.
fn some(end: &End, point: &str, v: Vec3) -> Result<Vec3> {
    if v.unit().is_some() {
        return Ok(v);
    }
    Err(Error::new(format!("points P and {point} coincide, so their vector has no direction")).at(&end.span))
}

/// The two vectors that span the plane in body i.
fn plane(end: &End) -> Result<(Vec3, Vec3)> {
    let (a, b) = (some(end, "Q", end.first())?, some(end, "R", end.second())?);
    // Below this sine the normal of the plane is mostly rounding.
    const LEAST_SINE: f64 = 1e-9;
    let sine = a.unit().unwrap_or(Vec3::X).cross(b.unit().unwrap_or(Vec3::X)).norm();
    if sine < LEAST_SINE {
        return Err(Error::new("points P, Q, R stand on a line, so they span no plane").at(&end.span));
    }
    Ok((a, b))
}
