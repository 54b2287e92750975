//! Shapes of bodies: what was said of them, and what it must be to be drawn and weighed.

use super::place::Place;
use super::quantity::{shown, Binding, Direction, Quantity, Vector};
use crate::error::{Error, Result};
use crate::math::{Pose, Rotation, Vec3};
use crate::model::{polygon_area, Mesh, Shape, Solid};
use std::f64::consts::PI;
use std::sync::Arc;

/// A shape as it is described.
#[derive(Debug, Clone)]
pub struct ShapePlan {
    /// The solid.
    pub solid: SolidPlan,
    /// Its frame in the body: roll, pitch and yaw …
    pub rpy: Option<Vector>,
    /// … and origin.
    pub at: Option<Vector>,
    /// Density, where mass follows from it.
    pub density: Option<Quantity>,
    /// Its own red, green, blue.
    pub colour: Option<[u8; 3]>,
    /// Where it is described.
    pub place: Place,
}

/// A solid as it is described.
#[derive(Debug, Clone)]
pub enum SolidPlan {
    /// Length and radius.
    Rod(Quantity, Quantity),
    /// Radius and length.
    Cylinder(Quantity, Quantity),
    /// Radius and length.
    Capsule(Quantity, Quantity),
    /// Radius.
    Sphere(Quantity),
    /// Edges.
    Box(Vector),
    /// Normal.
    Plane(Direction),
    /// Radius and thickness.
    Circle(Quantity, Option<Quantity>),
    /// Radius, first and last angle.
    Arc(Quantity, [Quantity; 2]),
    /// Corners and thickness.
    Polygon(Vec<[Quantity; 2]>, Option<Quantity>),
    /// Points, whether closed, thickness.
    Spline(Vec<[Quantity; 2]>, bool, Option<Quantity>),
    /// A mesh from a file, already scaled.
    Mesh(String, Arc<Mesh>),
}

impl ShapePlan {
    /// The shape.
    pub fn value(&self, binding: &Binding) -> Result<Shape> {
        let place = &self.place;
        let length = |quantity: &Quantity, key: &str| positive(binding, quantity, place, key);
        let thickness = |quantity: &Option<Quantity>| {
            quantity.as_ref().map(|t| positive(binding, t, place, "thickness")).transpose()
        };
        let solid = match &self.solid {
            SolidPlan::Rod(l, r) => Solid::Rod { length: length(l, "length")?, radius: length(r, "radius")? },
            SolidPlan::Cylinder(r, l) => Solid::Cylinder { radius: length(r, "radius")?, length: length(l, "length")? },
            SolidPlan::Capsule(r, l) => Solid::Capsule { radius: length(r, "radius")?, length: length(l, "length")? },
            SolidPlan::Sphere(r) => Solid::Sphere { radius: length(r, "radius")? },
            SolidPlan::Box(edges) => {
                let size = binding.vector(edges).map_err(|e| place.blame(e))?;
                if size.to_array().iter().any(|edge| *edge <= 0.0) {
                    return Err(place.wrong_value("size", "the edges of a box are greater than zero"));
                }
                Solid::Box { size }
            }
            SolidPlan::Plane(normal) => {
                let normal = normal.value(binding).map_err(|e| place.blame(e))?;
                Solid::Plane { normal: normal.unit().unwrap_or(Vec3::Z) }
            }
            SolidPlan::Circle(r, t) => Solid::Circle { radius: length(r, "radius")?, thickness: thickness(t)? },
            SolidPlan::Arc(r, ends) => {
                let [from, to] = binding.numbers(ends).map_err(|e| place.blame(e))?;
                check_arc(place, from, to)?;
                Solid::Arc { radius: length(r, "radius")?, from, to }
            }
            SolidPlan::Polygon(points, t) => {
                let mut points = self.points(points, binding)?;
                check_polygon(&points).map_err(|e| self.of_points(e))?;
                if polygon_area(&points) < 0.0 {
                    points.reverse();
                }
                Solid::Polygon { points, thickness: thickness(t)? }
            }
            SolidPlan::Spline(points, closed, t) => {
                let points = self.points(points, binding)?;
                let solid = Solid::Spline { points, closed: *closed, thickness: thickness(t)? };
                match solid.curve() {
                    Some(_) => solid,
                    None => return Err(self.of_points(Error::new("no smooth curve goes through these points"))),
                }
            }
            SolidPlan::Mesh(file, mesh) => Solid::Mesh { file: file.clone(), mesh: mesh.clone() },
        };
        let vector =
            |v: &Option<Vector>| v.as_ref().map_or(Ok(Vec3::ZERO), |v| binding.vector(v).map_err(|e| place.blame(e)));
        let [roll, pitch, yaw] = vector(&self.rpy)?.to_array();
        let pose = Pose::new(Rotation::from_rpy(roll, pitch, yaw), vector(&self.at)?);
        Ok(Shape { solid, pose, colour: self.colour })
    }

    /// Points in the plane of the shape, no two neighbours in one place.
    fn points(&self, points: &[[Quantity; 2]], binding: &Binding) -> Result<Vec<[f64; 2]>> {
        let closed = !matches!(self.solid, SolidPlan::Spline(_, false, _));
        let found: Vec<[f64; 2]> =
            points.iter().map(|p| binding.numbers(p)).collect::<Result<_>>().map_err(|e| self.place.blame(e))?;
        let count = found.len();
        for k in 0..if closed { count } else { count - 1 } {
            let next = (k + 1) % count;
            if found[k] == found[next] {
                let [x, y] = found[k].map(shown);
                let message = format!("points {} and {} are both [{x}, {y}]", k + 1, next + 1);
                let error = self.of_points(Error::new(message));
                return Err(match next {
                    0 => error.note("it is closed without repeating the first point: leave the last one out"),
                    _ => error.note("leave one of them out"),
                });
            }
        }
        Ok(found)
    }

    fn of_points(&self, error: Error) -> Error {
        self.place.blame(error.at_opt(self.place.of_key("points")))
    }
}

fn check_arc(place: &Place, from: f64, to: f64) -> Result<()> {
    let degrees = |angle: f64| format!("{} deg", shown(angle * 180.0 / PI));
    if to <= from {
        let message = format!("an arc runs anticlockwise: 'shape.to' ({}) must exceed 'shape.from'", degrees(to));
        let turn = degrees(to + 2.0 * PI);
        return Err(place
            .wrong_value("to", message)
            .note(format!("exchange them, or write {turn} for the other way round")));
    }
    if to - from > 2.0 * PI * (1.0 + 1e-12) {
        let message = format!("an arc is a full turn at most; this is {}", degrees(to - from));
        return Err(place.wrong_value("to", message).note("a whole circle is type = \"circle\""));
    }
    Ok(())
}

/// Refuses corners that enclose nothing, and sides that cross.
fn check_polygon(points: &[[f64; 2]]) -> Result<()> {
    let count = points.len();
    let turn = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    for i in 0..count {
        let (a, b) = (points[i], points[(i + 1) % count]);
        for j in i + 2..count {
            if i == 0 && j == count - 1 {
                continue;
            }
            let (c, d) = (points[j], points[(j + 1) % count]);
            if turn(a, b, c) * turn(a, b, d) < 0.0 && turn(c, d, a) * turn(c, d, b) < 0.0 {
                let name = |k: usize| k % count + 1;
                let (p, q, r, s) = (name(i), name(i + 1), name(j), name(j + 1));
                let message = format!("the sides from point {p} to {q} and from {r} to {s} cross each other");
                return Err(
                    Error::new(message).note("name the corners in the order in which the rim runs through them")
                );
            }
        }
    }
    let most = points.iter().flatten().fold(0.0f64, |m, x| m.max(x.abs()));
    match polygon_area(points).abs() > 1e-12 * most * most {
        true => Ok(()),
        false => Err(Error::new("these points lie in one line and enclose nothing")),
    }
}

/// A number of a shape that is greater than zero.
pub(super) fn positive(binding: &Binding, quantity: &Quantity, place: &Place, key: &str) -> Result<f64> {
    let value = quantity.value(binding).map_err(|e| place.blame(e))?;
    match value > 0.0 {
        true => Ok(value),
        false => Err(place.wrong_value(key, format!("'shape.{key}' must be greater than zero; this is {value}"))),
    }
}
