//! Links: what a body looks like between its joints.

#![allow(non_snake_case)] // p_B: a point in its body's frame (docs/notation.md).

use super::build::{along, Builder};
use super::scene::{Form, Tint};
use super::shapes;
use biela_base::sorting::sort_by;
use biela_core::model::{Solid, GROUND};
use biela_math::Elementary;
use biela_math::{Pose, Rotation, Vec3};

/// Corners of a quarter of a round end, and where bodies are many.
const QUARTER: usize = 6;
const COARSE: usize = 2;
/// Points within this of a line or plane, in half widths of a link, lie on it.
const STRAIGHT: f64 = 0.5;

/// Half widths of a link that a rod to a mass centre has at least.
const LEAST_ROD: f64 = 4.0;

/// Draws a body: by its given shape, else by a link through its points.
pub(super) fn body(builder: &mut Builder, body: usize) {
    let r = builder.r;
    if builder.drawn[body] {
        return;
    }
    let thin = builder.planar && builder.points[body].len() >= 2;
    let mut given = 0;
    for (n, shape) in builder.model.bodies[body].shapes.iter().enumerate() {
        if builder.replaced.contains(&(body, n)) {
            given += 1;
            continue;
        }
        // A thin rod in a planar mechanism stands for its mass; it is drawn as the link that it is.
        if !(thin && matches!(shape.solid, Solid::Rod { radius, .. } if radius < 1.2 * r)) {
            shapes::put(builder, body, shape);
            given += 1;
        }
    }
    if given > 0 && given == builder.model.bodies[body].shapes.len() {
        return;
    }
    if body == GROUND || (given == 0 && builder.is_dressed(body)) {
        return;
    }
    let mut points = builder.points[body].clone();
    points.extend(bob(builder, body));
    if points.len() < 2 {
        if !builder.covered[body] {
            lone(builder, body, points.first().copied().unwrap_or(Vec3::ZERO));
        }
        return;
    }
    if builder.planar {
        flat(builder, body, &points);
    } else {
        round(builder, body, &points);
    }
}

/// The mass centre of a body with one point, where it is far from that: a pendulum's end.
fn bob(builder: &Builder, body: usize) -> Option<Vec3> {
    let [only] = builder.points[body][..] else { return None };
    let com = builder.model.bodies[body].mass.as_ref()?.com;
    ((com - only).norm() > LEAST_ROD * builder.r && !builder.covered[body]).then_some(com)
}

/// A body with one point: a disc, or a ball.
fn lone(builder: &mut Builder, body: usize, p: Vec3) {
    if builder.planar {
        let pose = builder.in_layer(body, p, builder.seen_from(body, builder.up));
        // Not quite round, so that its turning shows.
        let r = builder.r;
        let outline = rounded(&[[0.0, 0.0], [2.2 * r, 0.0]], r, builder.coarse);
        builder.put(body, Form::Plate(outline, builder.flat()), pose, Tint::Body);
    } else {
        builder.put(body, Form::Sphere(1.15 * builder.r), Pose::translation(p), Tint::Body);
    }
}

/// A flat link in the body's layer.
fn flat(builder: &mut Builder, body: usize, points: &[Vec3]) {
    let longest =
        points.iter().fold(Vec3::ZERO, |m, p| if (*p - points[0]).norm() > m.norm() { *p - points[0] } else { m });
    let pose = builder.in_layer(body, points[0], longest);
    let flattened: Vec<[f64; 2]> = points.iter().map(|p| pose.apply_inverse(*p)).map(|p| [p.x, p.y]).collect();
    let form = Form::Plate(rounded(&hull(&flattened), builder.r, builder.coarse), builder.flat());
    builder.put(body, form, pose, Tint::Body);
}

/// A link in space: a rod, a plate where more points lie in a plane, else a star of rods.
fn round(builder: &mut Builder, body: usize, points: &[Vec3]) {
    let r = builder.r;
    let far = |from: Vec3| {
        points.iter().copied().fold(from, |m, p| if (p - from).norm() > (m - from).norm() { p } else { m })
    };
    let a = far(points[0]);
    let b = far(a);
    let Some(u) = (b - a).unit() else { return };
    let off = |p: &Vec3| (*p - a - u * (*p - a).dot(u)).norm();
    let widest = points.iter().max_by(|p, q| off(p).total_cmp(&off(q))).copied().unwrap_or(a);
    if off(&widest) < STRAIGHT * r {
        return rod(builder, body, a, b, 0.72 * r);
    }
    let Some(n) = u.cross(widest - a).unit() else { return };
    if points.len() > 3 && points.iter().all(|p| (*p - a).dot(n).abs() < STRAIGHT * r) {
        let pose = Pose::new(Rotation::from_z_x(n, u).unwrap_or(Rotation::IDENTITY), a);
        let flattened: Vec<[f64; 2]> = points.iter().map(|p| pose.apply_inverse(*p)).map(|p| [p.x, p.y]).collect();
        builder.put(body, Form::Plate(rounded(&hull(&flattened), 1.3 * r, builder.coarse), 0.8 * r), pose, Tint::Body);
        return;
    }
    if points.len() == 3 {
        // The third point hangs on the rod between the other two.
        rod(builder, body, a, b, 0.72 * r);
        let foot = a + u * (widest - a).dot(u).clamp(0.0, (b - a).norm());
        return rod(builder, body, foot, widest, 0.6 * r);
    }
    let middle = points.iter().fold(Vec3::ZERO, |s, p| s + *p) * (1.0 / points.len() as f64);
    for p in points {
        rod(builder, body, middle, *p, 0.72 * r);
    }
}

fn rod(builder: &mut Builder, body: usize, a: Vec3, b: Vec3, radius: f64) {
    let length = (b - a).norm();
    if length > 0.0 {
        builder.put(body, Form::Capsule(radius, length), along((a + b) * 0.5, b - a), Tint::Body);
    }
}

/// The convex hull of points, anticlockwise; two points where all lie in a line.
fn hull(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut sorted = points.to_vec();
    sort_by(&mut sorted, |a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let scale = sorted.iter().flatten().fold(0.0f64, |m, x| m.max(x.abs()));
    let turns = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| {
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 1e-9 * scale * scale
    };
    let half = |points: &mut dyn Iterator<Item = [f64; 2]>| {
        let mut chain: Vec<[f64; 2]> = Vec::new();
        for p in points {
            while chain.len() > 1 && !turns(chain[chain.len() - 2], chain[chain.len() - 1], p) {
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        chain
    };
    let mut found = half(&mut sorted.iter().copied());
    found.extend(half(&mut sorted.iter().rev().copied()));
    found
}

/// The outline at distance `r` around a convex polygon (or a line of two points), anticlockwise.
pub(super) fn rounded(corners: &[[f64; 2]], r: f64, coarse: bool) -> Vec<[f64; 2]> {
    let quarter = if coarse { COARSE } else { QUARTER };
    let count = corners.len();
    let mut outline = Vec::new();
    for (k, p) in corners.iter().enumerate() {
        let (before, after) = (corners[(k + count - 1) % count], corners[(k + 1) % count]);
        let normal = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).arctangent2(b[1] - a[1]);
        let (from, mut to) = (normal(before, *p), normal(*p, after));
        if to < from {
            to += 2.0 * std::f64::consts::PI;
        }
        let steps = (((to - from) / (0.5 * std::f64::consts::PI) * quarter as f64).ceil() as usize).max(1);
        for i in 0..=steps {
            let angle = from + (to - from) * i as f64 / steps as f64;
            outline.push([p[0] + r * angle.cosine(), p[1] + r * angle.sine()]);
        }
    }
    outline
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(outline: &[[f64; 2]]) -> f64 {
        let next = |k: usize| outline[(k + 1) % outline.len()];
        outline.iter().enumerate().map(|(k, p)| 0.5 * (p[0] * next(k)[1] - next(k)[0] * p[1])).sum()
    }

    #[test]
    fn a_rounded_outline_has_the_area_of_steiner() {
        // Area + perimeter · r + π r², less what chords cut off the arcs.
        let square = hull(&[[0.0, 0.0], [1.0, 0.0], [0.5, 0.5], [1.0, 1.0], [0.0, 1.0], [0.5, 0.0]]);
        assert_eq!(square.len(), 4);
        for (corners, core, perimeter) in [(square, 1.0, 4.0), (hull(&[[0.0, 0.0], [1.0, 0.0], [3.0, 0.0]]), 0.0, 6.0)]
        {
            let found = area(&rounded(&corners, 0.1, false));
            let due = core + 0.1 * perimeter + std::f64::consts::PI * 0.01;
            assert!(found < due && found > due - 0.001, "{found} {due}");
        }
    }
}
