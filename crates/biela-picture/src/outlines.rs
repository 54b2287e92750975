//! A scene as a drawing: lines, arcs, circles and polygons, from the farthest to the nearest.
//!
//! Every solid becomes the outlines that a draughtsman would draw of it. Coordinates are those of the mechanism seen along the
//! lines of sight: x to the right, y up, at true size.

#![allow(non_snake_case)] // X_WS: a solid's pose in the ground (docs/notation.md).

use super::arcs::{contour, Contour, Piece, Place};
use super::camera::Camera;
use super::room::touching;
use super::scene::{Band, Form, Part, Scene};
use super::theme::Theme;
use biela_base::quick_hash::QuickMap;
use biela_base::sorting::{sort_by, sort_by_key};
use biela_core::model::{Mesh, GROUND};
use biela_math::{Elementary, Pose, Vec3};
use std::f64::consts::PI;

/// Cosines of angles at which a face is seen straight on, or edge-on.
const STRAIGHT: f64 = 1.0 - 1e-6;
const EDGE_ON: f64 = 1e-3;
/// Turns of a spring.
const COILS: usize = 8;

/// One thing that is drawn.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    pub outline: Outline,
    /// What it is filled with; an open line is not filled.
    pub colour: [u8; 3],
    /// The name of its body, rod or spring.
    pub owner: usize,
    depth: f64,
    /// The line and the radius of what is round along it.
    round: Option<(Vec3, Vec3, f64)>,
}

/// The form of a shape.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Outline {
    Circle(Place, f64),
    /// Centre and two semi-axes at right angles.
    Ellipse(Place, Place, Place),
    /// Filled contours, drawn with their edges.
    Faces(Vec<Contour>),
    /// A fill without an edge.
    Bare(Vec<Contour>),
    /// Lines alone, with their width.
    Lines(Vec<Contour>, f64),
}

/// Draws all parts of a scene.
pub(super) struct Shapes<'a> {
    scene: &'a Scene,
    camera: &'a Camera,
    theme: Theme,
    found: Vec<Shape>,
}

impl<'a> Shapes<'a> {
    /// The shapes of a scene with bodies at these poses, the farthest first. Owners are bodies, then struts.
    pub fn of(scene: &'a Scene, camera: &'a Camera, theme: Theme, poses: &[Pose]) -> Vec<Shape> {
        let mut shapes = Shapes { scene, camera, theme, found: Vec::new() };
        for (body, figure) in scene.figures.iter().enumerate() {
            for part in &figure.parts {
                let colour = scene.colour(body, part.tint);
                shapes.part(part, poses[body] * part.X_BS, colour, body);
            }
        }
        for (k, strut) in scene.struts.iter().enumerate() {
            let (pose, length) = strut.place(poses);
            let part = strut.part();
            let form = match part.form {
                Form::Cylinder(r, _) => Form::Cylinder(r, length),
                Form::Coil(r, wire) => {
                    shapes.spring(&pose, length, (r, wire), scene.figures.len() + k);
                    continue;
                }
                other => other,
            };
            let part = Part { form, ..part };
            shapes.part(&part, pose, scene.colour(GROUND, part.tint), scene.figures.len() + k);
        }
        let mut found = shapes.found;
        join_coaxial(&mut found);
        let radius = |s: &Shape| s.round.map_or(0.0, |r| r.2);
        sort_by(&mut found, |a, b| a.depth.total_cmp(&b.depth).then(radius(a).total_cmp(&radius(b))));
        found
    }

    fn part(&mut self, part: &Part, X_WS: Pose, colour: [u8; 3], owner: usize) {
        let colour = self.theme.tone(colour);
        match &part.form {
            Form::Sphere(r) => {
                let p = self.camera.project(X_WS.origin);
                let lit = self.lit(colour, self.camera.axes()[2]);
                self.put(Outline::Circle([p.x, p.y], *r), lit, owner, p.z + r);
            }
            Form::Capsule(r, length) => {
                let since = self.found.len();
                self.capsule(&X_WS, (*r, *length), colour, owner);
                self.turned(since, &X_WS, *r);
            }
            Form::Cylinder(r, length) => {
                let since = self.found.len();
                self.cylinder(&X_WS, (*r, *length), colour, owner);
                // What points at the viewer hides by its nearest face.
                if X_WS.rotation.axes[2].dot(self.camera.axes()[2]).abs() < STRAIGHT {
                    self.turned(since, &X_WS, *r);
                }
            }
            Form::Box(size) => {
                let half = *size * 0.5;
                let outline = [[-half.x, -half.y], [half.x, -half.y], [half.x, half.y], [-half.x, half.y]];
                self.prism(&X_WS, (&outline, size.z), colour, owner);
            }
            Form::Plate(outline, thickness) => self.prism(&X_WS, (outline, *thickness), colour, owner),
            Form::Band(band) => self.band(&X_WS, band, colour, owner),
            Form::Coil(r, wire) => self.spring(&X_WS, 1.0, (*r, *wire), owner),
            Form::Mesh(mesh) => self.mesh(&X_WS, mesh, colour, owner),
        }
    }

    fn put(&mut self, outline: Outline, colour: [u8; 3], owner: usize, depth: f64) {
        self.found.push(Shape { outline, colour, owner, depth, round: None });
    }

    /// The shapes put since there were so many are of one thing that is round along the z axis of a frame.
    fn turned(&mut self, since: usize, X: &Pose, r: f64) {
        for shape in &mut self.found[since..] {
            shape.round = Some((X.origin, X.rotation.axes[2], r));
        }
    }

    fn lit(&self, colour: [u8; 3], normal: Vec3) -> [u8; 3] {
        self.camera.lit(colour, normal)
    }

    /// Where a point is on the drawing.
    fn place(&self, p: Vec3) -> Place {
        let p = self.camera.project(p);
        [p.x, p.y]
    }

    /// The normal across an axis that is turned most to the viewer.
    fn across(&self, axis: Vec3) -> Vec3 {
        let towards = self.camera.axes()[2];
        (towards - axis * axis.dot(towards)).unit().unwrap_or(towards)
    }

    /// Two half circles and the lines between them.
    fn capsule(&mut self, X: &Pose, (r, length): (f64, f64), colour: [u8; 3], owner: usize) {
        let axis = X.rotation.axes[2];
        let [a, b] = [-0.5, 0.5].map(|s| self.camera.project(X.origin + axis * (s * length)));
        let lit = self.lit(colour, self.across(axis));
        let (dx, dy) = (b.x - a.x, b.y - a.y);
        let far = (dx * dx + dy * dy).sqrt();
        let depth = 0.5 * (a.z + b.z);
        if far < 1e-6 * r {
            return self.put(Outline::Circle([a.x, a.y], r), lit, owner, depth + r);
        }
        let n = [-r * dy / far, r * dx / far];
        let turn = |centre: Vec3, from: f64| Piece::Arc {
            to: [centre.x + from * n[0], centre.y + from * n[1]],
            centre: [centre.x, centre.y],
            radius: r,
            ccw: true,
        };
        let outline = Contour {
            start: [a.x - n[0], a.y - n[1]],
            pieces: vec![
                Piece::Line([b.x - n[0], b.y - n[1]]),
                turn(b, 1.0),
                Piece::Line([a.x + n[0], a.y + n[1]]),
                turn(a, -1.0),
            ],
            closed: true,
        };
        self.put(Outline::Faces(vec![outline]), lit, owner, depth);
    }

    fn cylinder(&mut self, X: &Pose, (r, length): (f64, f64), colour: [u8; 3], owner: usize) {
        let axis = X.rotation.axes[2];
        let towards = self.camera.axes()[2];
        let tilt = axis.dot(towards);
        let near = axis * tilt.signum();
        let [far_end, near_end] = [-0.5, 0.5].map(|s| self.camera.project(X.origin + near * (s * length)));
        let cap = self.lit(colour, near);
        if tilt.abs() > STRAIGHT {
            return self.put(Outline::Circle([near_end.x, near_end.y], r), cap, owner, near_end.z);
        }
        // The rims are ellipses: as wide as the cylinder across the axis, narrowed along it.
        let (dx, dy) = (near_end.x - far_end.x, near_end.y - far_end.y);
        let run = (dx * dx + dy * dy).sqrt().max(f64::MIN_POSITIVE);
        let along = [dx / run, dy / run];
        let (u, v) = ([-r * along[1], r * along[0]], [along[0] * r * tilt.abs(), along[1] * r * tilt.abs()]);
        let side = self.lit(colour, self.across(axis));
        let depth = 0.5 * (far_end.z + near_end.z);
        let rim = |end: Vec3, s: f64| [end.x + s * u[0], end.y + s * u[1]];
        let half = |centre: Vec3, s: f64| match tilt.abs() > EDGE_ON {
            true => {
                Piece::Half { centre: [centre.x, centre.y], from: [s * u[0], s * u[1]], over: [s * v[0], s * v[1]] }
            }
            false => Piece::Line(rim(centre, -s)),
        };
        // From the far rim's left to the near rim's, over it, and back.
        let body = Contour {
            start: rim(far_end, 1.0),
            pieces: vec![
                Piece::Line(rim(near_end, 1.0)),
                half(near_end, 1.0),
                Piece::Line(rim(far_end, -1.0)),
                half(far_end, -1.0),
            ],
            closed: true,
        };
        self.put(Outline::Faces(vec![body]), side, owner, depth);
        if tilt.abs() > EDGE_ON {
            self.put(Outline::Ellipse([near_end.x, near_end.y], u, v), cap, owner, depth);
        }
    }

    /// A plate or box: the face that is seen, and its sides where they are.
    fn prism(&mut self, X: &Pose, (outline, thickness): (&[[f64; 2]], f64), colour: [u8; 3], owner: usize) {
        let axis = X.rotation.axes[2];
        let towards = self.camera.axes()[2];
        let tilt = axis.dot(towards);
        let sign = if tilt < 0.0 { -1.0 } else { 1.0 };
        let at = |p: &[f64; 2], s: f64| X.apply(Vec3::new(p[0], p[1], 0.5 * s * thickness));
        let rim = |s: f64| -> Vec<Place> { outline.iter().map(|p| self.place(at(p, s))).collect() };
        let middle = outline.iter().fold(Vec3::ZERO, |m, p| m + at(p, sign)) * (1.0 / outline.len().max(1) as f64);
        let (near_depth, depth) =
            (self.camera.project(middle).z, self.camera.project(middle - axis * (0.5 * sign * thickness)).z);
        let face = self.lit(colour, axis * sign);
        if tilt.abs() > STRAIGHT {
            return self.put(Outline::Faces(vec![contour(&rim(sign), true)]), face, owner, near_depth);
        }
        let near = rim(sign);
        self.sides(X, (outline, thickness), colour, (owner, depth));
        if tilt.abs() > EDGE_ON {
            self.put(Outline::Faces(vec![contour(&near, true)]), face, owner, depth);
        }
    }

    /// A ring or an open strip: the face that is seen, with its hole, and the sides of both lines.
    fn band(&mut self, X: &Pose, band: &Band, colour: [u8; 3], owner: usize) {
        let back: Vec<[f64; 2]> = band.inner.iter().rev().copied().collect();
        if !band.closed {
            let around: Vec<[f64; 2]> = band.outer.iter().chain(&back).copied().collect();
            return self.prism(X, (&around, band.thickness), colour, owner);
        }
        let axis = X.rotation.axes[2];
        let tilt = axis.dot(self.camera.axes()[2]);
        let sign = if tilt < 0.0 { -1.0 } else { 1.0 };
        let straight = tilt.abs() > STRAIGHT;
        let lift = X.origin + axis * (0.5 * sign * band.thickness);
        let depth = self.camera.project(if straight { lift } else { X.origin }).z;
        if !straight {
            self.sides(X, (&band.outer, band.thickness), colour, (owner, depth));
            self.sides(X, (&back, band.thickness), colour, (owner, depth));
        }
        if tilt.abs() > EDGE_ON {
            let at = |p: &[f64; 2]| self.place(X.apply(Vec3::new(p[0], p[1], 0.5 * sign * band.thickness)));
            let [outer, hole] =
                [&band.outer, &back].map(|line| contour(&line.iter().map(at).collect::<Vec<_>>(), true));
            let face = self.lit(colour, axis * sign);
            self.put(Outline::Faces(vec![outer, hole]), face, owner, depth);
        }
    }

    /// Sides of a plate that are turned to the viewer, neighbours of one light together.
    fn sides(
        &mut self,
        X: &Pose,
        (outline, thickness): (&[[f64; 2]], f64),
        colour: [u8; 3],
        (owner, depth): (usize, f64),
    ) {
        let towards = self.camera.axes()[2];
        let rim = |s: f64| -> Vec<Place> {
            outline.iter().map(|p| self.place(X.apply(Vec3::new(p[0], p[1], 0.5 * s * thickness)))).collect()
        };
        let sign = if X.rotation.axes[2].dot(towards) < 0.0 { -1.0 } else { 1.0 };
        let (near, far) = (rim(sign), rim(-sign));
        let count = outline.len();
        let mut sides: Vec<([u8; 3], Vec<usize>)> = Vec::new();
        for k in 0..count {
            let (a, b) = (outline[k], outline[(k + 1) % count]);
            let normal = X.rotation.apply(Vec3::new(b[1] - a[1], a[0] - b[0], 0.0));
            let Some(normal) = normal.unit().filter(|n| n.dot(towards) > EDGE_ON) else { continue };
            let lit = self.lit(colour, normal);
            let close = |c: &[u8; 3]| (0..3).all(|i| c[i].abs_diff(lit[i]) < 14);
            match sides.last_mut().filter(|(c, ks)| close(c) && ks.last().is_some_and(|last| last + 1 == k)) {
                Some((_, own)) => own.push(k),
                None => sides.push((lit, vec![k])),
            }
        }
        for (lit, ks) in sides {
            let (first, last) = (ks[0], ks[ks.len() - 1] + 1);
            let mut ring: Vec<Place> = (first..=last).map(|k| near[k % count]).collect();
            ring.extend((first..=last).rev().map(|k| far[k % count]));
            self.put(Outline::Faces(vec![contour(&ring, true)]), lit, owner, depth);
        }
    }

    /// A spring as a line to and fro.
    fn spring(&mut self, X: &Pose, length: f64, (r, wire): (f64, f64), owner: usize) {
        let axis = X.rotation.axes[2];
        let side = axis.cross(self.camera.axes()[2]).unit().unwrap_or(X.rotation.axes[0]);
        let end = 0.08;
        let turns = 2 * COILS;
        let mut points = vec![X.origin - axis * (0.5 * length), X.origin - axis * ((0.5 - end) * length)];
        for k in 0..turns {
            let s = end + (1.0 - 2.0 * end) * (k as f64 + 0.5) / turns as f64 - 0.5;
            points.push(X.origin + axis * (s * length) + side * (if k % 2 == 0 { r } else { -r }));
        }
        points.extend([X.origin + axis * ((0.5 - end) * length), X.origin + axis * (0.5 * length)]);
        let line: Vec<Place> = points.iter().map(|p| self.place(*p)).collect();
        let colour = self.theme.tone(self.scene.colour(GROUND, super::scene::Tint::Steel));
        let depth = self.camera.project(X.origin).z;
        self.put(Outline::Lines(vec![contour(&line, false)], 2.0 * wire), colour, owner, depth);
    }

    /// A mesh: its faces of one light together, and the edges where it ends or bends.
    fn mesh(&mut self, X: &Pose, mesh: &Mesh, colour: [u8; 3], owner: usize) {
        let points: Vec<Vec3> = mesh.points.iter().map(|p| self.camera.project(X.apply(*p))).collect();
        let towards = self.camera.axes()[2];
        let depth = self.camera.project(X.origin).z;
        let mut fills: Vec<([u8; 3], Vec<Contour>)> = Vec::new();
        let mut edges: Vec<([u32; 2], Vec3)> = Vec::new();
        for triangle in &mesh.triangles {
            let Some(normal) = X.rotation.apply(mesh.normal(*triangle)).unit() else { continue };
            for k in 0..3 {
                let (a, b) = (triangle[k], triangle[(k + 1) % 3]);
                edges.push(([a.min(b), a.max(b)], normal));
            }
            if normal.dot(towards) <= 0.0 {
                continue;
            }
            let lit = self.lit(colour, normal).map(|c| c & 0xF8);
            let face = contour(&triangle.map(|k| [points[k as usize].x, points[k as usize].y]), true);
            match fills.iter_mut().find(|f| f.0 == lit) {
                Some(fill) => fill.1.push(face),
                None => fills.push((lit, vec![face])),
            }
        }
        fills.into_iter().for_each(|(lit, faces)| self.put(Outline::Bare(faces), lit, owner, depth));
        sort_by_key(&mut edges, |e| e.0);
        let mut lines = Vec::new();
        for group in edges.chunk_by(|a, b| a.0 == b.0) {
            let seen = group.iter().filter(|e| e.1.dot(towards) > 0.0).count();
            // It bends by more than 30 degrees, or what is behind it is turned away.
            let bends = matches!(group, [a, b] if a.1.dot(b.1) < 0.866) && seen > 0;
            if bends || seen > 0 && (seen < group.len() || group.len() == 1) {
                let [a, b] = group[0].0.map(|k| points[k as usize]);
                lines.push(contour(&[[a.x, a.y], [b.x, b.y]], false));
            }
        }
        if !lines.is_empty() {
            let edge = self.theme.edge(colour);
            self.put(Outline::Lines(lines, 0.0), edge, owner, depth);
        }
    }
}

/// Rods that lie in each other, as those of a cylinder do, are drawn together: the thinner first, which is inside.
fn join_coaxial(shapes: &mut [Shape]) {
    /// The sine of the angle between lines of one direction, and how far they may be apart, in radii of the thinner.
    const PARALLEL: f64 = 1e-6;
    const APART: f64 = 1e-3;
    let rounds = || shapes.iter().filter_map(|s| s.round);
    let Some((middle, _, _)) = rounds().next() else { return };
    let (far, thick) =
        rounds().fold((0.0f64, 0.0f64), |(far, thick), (p, _, r)| (far.max((p - middle).norm()), thick.max(r)));
    // The foot of the perpendicular on a line: those of lines that lie in each other are no farther apart than an edge of a cell.
    let edge = APART * thick + 2.0 * PARALLEL * far;
    let cell = |(p, u, _): (Vec3, Vec3, f64)| {
        let out = p - middle;
        (out - u * out.dot(u)).to_array().map(|x| (x / edge).floor() as i64)
    };
    let mut within: QuickMap<[i64; 3], Vec<usize>> = QuickMap::default();
    for k in 0..shapes.len() {
        let Some((p, u, r)) = shapes[k].round else { continue };
        let along = |s: &Shape| {
            s.round.is_some_and(|(q, v, t)| {
                let apart = p - q;
                let off = (apart - u * apart.dot(u)).norm();
                u.cross(v).norm() < PARALLEL && off < APART * r.min(t) && r != t
            })
        };
        let own = cell((p, u, r));
        let near = touching(own).filter_map(|cell| within.get(&cell));
        let first = near.filter_map(|list| list.iter().copied().find(|j| along(&shapes[*j]))).min();
        if let Some(first) = first {
            shapes[k].depth = shapes[first].depth;
        }
        within.entry(own).or_default().push(k);
    }
}

impl Outline {
    /// Its contours, ellipses as polygons: for formats that have none.
    pub fn contours(&self) -> Vec<Contour> {
        match self {
            Outline::Circle(..) => Vec::new(),
            Outline::Ellipse(c, u, v) => {
                const CORNERS: usize = 72;
                let corner = |k: usize| {
                    let angle = 2.0 * PI * k as f64 / CORNERS as f64;
                    [0, 1].map(|i| c[i] + u[i] * angle.cosine() + v[i] * angle.sine())
                };
                let corners: Vec<Place> = (0..CORNERS).map(corner).collect();
                vec![Contour::polygon(&corners, true)]
            }
            Outline::Faces(contours) | Outline::Bare(contours) | Outline::Lines(contours, _) => contours.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use biela_math::random::Random;

    #[test]
    fn rods_that_lie_in_each_other_are_found_by_cells_as_among_all() {
        let mut random = Random(7);
        let mut shapes: Vec<Shape> = Vec::new();
        for k in 0..60 {
            // Four rods along one line far from the others, the last a little off it.
            let mut vector = |size: f64| Vec3::new(random.signed(), random.signed(), random.signed()) * size;
            let (p, u) = (vector(1000.0), vector(1.0).unit().unwrap_or(Vec3::X));
            for (n, aside) in [0.0, 0.0, 5e-4, 4e-3].into_iter().enumerate() {
                let at = p + u * (n as f64 * 3.0) + u.any_perpendicular() * aside;
                let round = Some((at, u, 1.0 + 0.25 * n as f64));
                let outline = Outline::Circle([0.0; 2], 1.0);
                shapes.push(Shape { outline, colour: [0; 3], owner: k, depth: (4 * k + n) as f64, round });
            }
        }
        // Those of one line far apart in the list.
        shapes = (0..4).flat_map(|n| shapes.iter().skip(n).step_by(4).cloned().collect::<Vec<_>>()).collect();
        let mut found = shapes.clone();
        join_coaxial(&mut found);
        for k in 1..shapes.len() {
            let (p, u, r) = shapes[k].round.unwrap();
            let in_line = |s: &Shape| {
                let (q, v, t) = s.round.unwrap();
                let apart = p - q;
                u.cross(v).norm() < 1e-6 && (apart - u * apart.dot(u)).norm() < 1e-3 * r.min(t) && r != t
            };
            if let Some(depth) = shapes[..k].iter().find(|s| in_line(s)).map(|s| s.depth) {
                shapes[k].depth = depth;
            }
        }
        let depths = |of: &[Shape]| of.iter().map(|s| s.depth).collect::<Vec<_>>();
        assert_eq!(depths(&found), depths(&shapes));
        // Two of each line lie in its first.
        let own = |s: &&Shape| s.depth % 4.0 == 0.0;
        assert_eq!(found.iter().filter(own).count(), 3 * 60);
    }
}
