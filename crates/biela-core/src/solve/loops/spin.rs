//! Bodies that may spin idly about a line, as a rod between balls does, and how they stand about it.
//!
//! Nothing feels the spin, and it is held: no angular velocity along the line. How a body stands follows from where it stood before, and in the first
//! position from its drawing, by the shortest turn that brings the line there. A group of designs begins elsewhere, and its steps leave a little spin; what
//! that comes to is a turn Q about the line: R Q is how the body stands, if R is how the group has it.

#![allow(non_snake_case)] // R_WB: of a body (docs/notation.md).

use super::tree::{turned, Body, Turn};
use crate::math::triple::{cross, dot, less, sum, times, Triple};
use crate::math::{directions, Elementary, Rotation, Vec3};
use crate::model::Model;

/// The line about which a body may spin idly, in its frame: a point and a direction, through all that joints act on and all that has a name. `None` where
/// these lie on no line.
pub(super) fn line(model: &Model, body: usize, size: f64) -> Option<[Vec3; 2]> {
    /// Distances from the line, in sizes, that count as none: drawings are written to six digits.
    const OFF: f64 = 1e-6;
    let mut points: Vec<Vec3> = model.bodies[body].points.iter().map(|p| p.1).collect();
    let mut directions = Vec::new();
    for joint in &model.joints {
        for side in (0..2).filter(|side| joint.bodies[*side] == body) {
            let [on, along] = joint.kind.acts_on(joint, side);
            points.extend(on);
            directions.extend(along);
        }
    }
    let first = *points.first()?;
    let far = |a: &Vec3, b: &Vec3| (*a - first).norm().total_cmp(&(*b - first).norm());
    let last = points.iter().copied().max_by(far)?;
    let u = (last - first).unit().filter(|_| (last - first).norm() > OFF * size)?;
    let on_line = points.iter().all(|p| (*p - first).cross(u).norm() <= OFF * size);
    (on_line && directions.iter().all(|d| d.cross(u).norm() <= OFF)).then_some([first, u])
}

/// The angle of the turn about the line along `u` after which a body that stands as `R` stands as its drawing does after the shortest turn that brings the
/// line from there to here. `None` where that turn is more than a little: a run comes from its drawing by corrections of all coordinates together, and the spin
/// that these make of it is of the second power.
pub(super) fn angle(drawn: &Rotation, R: &Turn<f64>, u: Triple<f64>) -> Option<f64> {
    /// Radians whose square is about what two ways to follow a motion differ by.
    const LITTLE: f64 = 1e-4;
    // Of vectors across the line the one farthest from it.
    let least = (0..3).min_by(|a, b| u[*a].abs().total_cmp(&u[*b].abs())).unwrap_or(0);
    let mut axis = [0.0; 3];
    axis[least] = 1.0;
    let w = cross(u, axis);
    let of_drawing = |x: Triple<f64>| drawn.apply(Vec3::from(x)).to_array();
    let (from, to) = (of_drawing(u), turned(R, u));
    let (k, cosine) = (cross(from, to), dot(from, to));
    if !(dot(k, k) <= LITTLE * LITTLE && cosine > 0.0) {
        return None;
    }
    let x = of_drawing(w);
    // The shortest turn: x cos + k × x + k (k · x)/(1 + cos).
    let due = sum(sum(times(x, cosine), cross(k, x)), times(k, dot(k, x) / (1.0 + cosine)));
    let here = turned(R, w);
    Some(directions(dot(due, cross(to, here)), dot(due, here)))
}

/// A body turned about the line through `c` along `u`, both in its frame.
pub(super) fn about(body: Body<f64>, [c, u]: [Triple<f64>; 2], angle: f64) -> Body<f64> {
    let (s, c1) = angle.sine_cosine();
    let Q = |x: Triple<f64>| sum(sum(times(x, c1), times(cross(u, x), s)), times(u, (1.0 - c1) * dot(u, x)));
    let R = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|axis| body.turned(Q(axis)));
    let p = body.point(less(c, Q(c)));
    Body { R, p, ..body }
}
