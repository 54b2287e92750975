//! Forms as triangles: the one place where a form becomes a surface, for every renderer and file format.

#![allow(non_snake_case)] // X_BS: a solid's pose in its body (docs/notation.md).

use super::room::around;
use super::scene::{Band, Form, Part};
use biela_math::Elementary;
use biela_math::{Pose, Vec3};
use biela_raster::Triangles;
use std::f64::consts::PI;

/// Triangles with a normal at each corner; flat faces do not share corners.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Surface {
    /// Corners.
    pub points: Vec<Vec3>,
    /// Unit normal at each corner.
    pub normals: Vec<Vec3>,
    /// Three corners each, anticlockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// A surface of the library in [`Library::surfaces`], stretched and placed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placed {
    /// Index of the surface.
    pub surface: usize,
    /// Factors along the surface's axes.
    pub scale: Vec3,
    /// Its frame in the body's.
    pub X_BS: Pose,
}

impl Placed {
    /// Corners and normals in the frame in which the body has that pose.
    pub fn apply(&self, surface: &Surface, pose: &Pose) -> (Vec<Vec3>, Vec<Vec3>) {
        let (whole, s) = (*pose * self.X_BS, self.scale);
        let points = surface.points.iter().map(|p| whole.apply(Vec3::new(p.x * s.x, p.y * s.y, p.z * s.z))).collect();
        // Normals of a stretched surface shrink where it grows.
        let turned =
            |n: &Vec3| whole.rotation.apply(Vec3::new(n.x / s.x, n.y / s.y, n.z / s.z)).unit().unwrap_or(Vec3::Z);
        (points, surface.normals.iter().map(turned).collect())
    }
}

/// Surfaces in use, each once.
#[derive(Debug, Default)]
pub struct Library {
    /// The surfaces.
    pub surfaces: Vec<Surface>,
    forms: Vec<Form>,
    coarse: bool,
}

impl Library {
    /// A library of surfaces with few corners, or with many.
    pub fn new(coarse: bool) -> Library {
        Library { coarse, ..Library::default() }
    }

    /// The surfaces that make up a part.
    pub fn place(&mut self, part: &Part) -> Vec<Placed> {
        let X_BS = part.X_BS;
        let end = |z: f64| X_BS * Pose::translation(Vec3::Z * z);
        let even = |r: f64| Vec3::new(r, r, r);
        let unit_cylinder = Form::Cylinder(1.0, 1.0);
        match &part.form {
            Form::Box(size) => vec![self.one(&Form::Box(even(1.0)), *size, X_BS)],
            Form::Sphere(r) => vec![self.one(&Form::Sphere(1.0), even(*r), X_BS)],
            Form::Cylinder(r, length) => vec![self.one(&unit_cylinder, Vec3::new(*r, *r, *length), X_BS)],
            Form::Capsule(r, length) => vec![
                self.one(&unit_cylinder, Vec3::new(*r, *r, *length), X_BS),
                self.one(&Form::Sphere(1.0), even(*r), end(0.5 * length)),
                self.one(&Form::Sphere(1.0), even(*r), end(-0.5 * length)),
            ],
            form => vec![self.one(form, even(1.0), X_BS)],
        }
    }

    fn one(&mut self, form: &Form, scale: Vec3, X_BS: Pose) -> Placed {
        let known = self.forms.iter().position(|f| same(f, form));
        let surface = known.unwrap_or_else(|| {
            self.forms.push(form.clone());
            self.surfaces.push(surface(form, self.coarse));
            self.forms.len() - 1
        });
        Placed { surface, scale, X_BS }
    }
}

/// Whether two forms look the same: numbers of equal links differ by rounding.
fn same(a: &Form, b: &Form) -> bool {
    match (a, b) {
        (Form::Plate(a, s), Form::Plate(b, t)) => {
            let near = |x: f64, y: f64| (x - y).abs() <= 1e-9 * (x.abs() + y.abs()) + 1e-12 * s;
            a.len() == b.len() && near(*s, *t) && a.iter().zip(b).all(|(p, q)| near(p[0], q[0]) && near(p[1], q[1]))
        }
        _ => a == b,
    }
}

/// Least and greatest corner of the box around a form, in its own frame.
pub(super) fn reach(form: &Form) -> [Vec3; 2] {
    let even = |half: Vec3| [-half, half];
    match form {
        Form::Box(size) => even(*size * 0.5),
        Form::Cylinder(r, length) => even(Vec3::new(*r, *r, 0.5 * length)),
        Form::Capsule(r, length) => even(Vec3::new(*r, *r, 0.5 * length + r)),
        Form::Sphere(r) => even(Vec3::new(*r, *r, *r)),
        Form::Coil(r, wire) => even(Vec3::new(r + wire, r + wire, 0.5)),
        Form::Plate(outline, t) => {
            let [least, most] = around(outline.iter().map(|p| Vec3::new(p[0], p[1], 0.0)));
            [least - Vec3::Z * (0.5 * t), most + Vec3::Z * (0.5 * t)]
        }
        Form::Band(band) => {
            let rims = band.inner.iter().chain(&band.outer);
            let [least, most] = around(rims.map(|p| Vec3::new(p[0], p[1], 0.0)));
            [least - Vec3::Z * (0.5 * band.thickness), most + Vec3::Z * (0.5 * band.thickness)]
        }
        Form::Mesh(mesh) => around(mesh.points.iter().copied()),
    }
}

/// The surface of a form.
pub fn surface(form: &Form, coarse: bool) -> Surface {
    match form {
        Form::Box(size) => cuboid(*size),
        Form::Cylinder(r, length) => {
            let count = if coarse { 8 } else { 28 };
            let ring = |k: usize| 2.0 * PI * k as f64 / count as f64;
            let outline: Vec<[f64; 2]> = (0..count).map(|k| [r * ring(k).cosine(), r * ring(k).sine()]).collect();
            prism(&outline, *length, 0.0)
        }
        Form::Sphere(r) => sphere(*r, if coarse { (6, 8) } else { (14, 22) }),
        Form::Coil(r, wire) => coil(*r, *wire),
        Form::Band(made) => band(made),
        Form::Plate(outline, thickness) => prism(outline, *thickness, if coarse { 0.0 } else { CHAMFER * thickness }),
        Form::Mesh(mesh) => {
            let mut out = Surface::default();
            for triangle in &mesh.triangles {
                let normal = mesh.normal(*triangle).unit().unwrap_or(Vec3::Z);
                out.face(&mesh.corners(*triangle), normal);
            }
            out
        }
        // Made of its parts by the library.
        Form::Capsule(..) => Surface::default(),
    }
}

impl Surface {
    /// Its triangles, to be drawn.
    pub(super) fn as_triangles(&self) -> Triangles<'_> {
        Triangles { points: &self.points, normals: &self.normals, triangles: &self.triangles }
    }

    /// Adds a flat convex face.
    fn face(&mut self, corners: &[Vec3], normal: Vec3) {
        let start = self.points.len() as u32;
        self.points.extend(corners);
        self.normals.extend(corners.iter().map(|_| normal));
        self.triangles.extend((2..corners.len() as u32).map(|k| [start, start + k - 1, start + k]));
    }
}

fn cuboid(size: Vec3) -> Surface {
    let mut out = Surface::default();
    let half = size * 0.5;
    for (n, u, v) in [(Vec3::X, Vec3::Y, Vec3::Z), (Vec3::Y, Vec3::Z, Vec3::X), (Vec3::Z, Vec3::X, Vec3::Y)] {
        for side in [1.0, -1.0] {
            let at = |a: f64, b: f64| {
                let p = n * side + u * (a * side) + v * b;
                Vec3::new(p.x * half.x, p.y * half.y, p.z * half.z)
            };
            out.face(&[at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0), at(-1.0, 1.0)], n * side);
        }
    }
    out
}

fn sphere(r: f64, (rings, around): (u32, u32)) -> Surface {
    let mut out = Surface::default();
    for i in 0..=rings {
        let polar = PI * f64::from(i) / f64::from(rings);
        for k in 0..=around {
            let angle = 2.0 * PI * f64::from(k) / f64::from(around);
            let n = Vec3::new(polar.sine() * angle.cosine(), polar.sine() * angle.sine(), polar.cosine());
            out.points.push(n * r);
            out.normals.push(n);
        }
    }
    for i in 0..rings {
        for k in 0..around {
            let (a, b) = (i * (around + 1) + k, (i + 1) * (around + 1) + k);
            if i > 0 {
                out.triangles.push([a, b, a + 1]);
            }
            if i + 1 < rings {
                out.triangles.push([a + 1, b, b + 1]);
            }
        }
    }
    out
}

/// A helix of eight turns with straight ends on the axis; its wire is flattened when the coil is stretched.
fn coil(r: f64, wire: f64) -> Surface {
    const TURNS: f64 = 8.0;
    let (along, around) = (160u32, 8u32);
    let centre = |k: u32| {
        let s = f64::from(k) / f64::from(along);
        // The ends of the coil run in to the axis.
        let out = r * (10.0 * s.min(1.0 - s) - 0.5).clamp(0.0, 1.0);
        let angle = 2.0 * PI * TURNS * s;
        Vec3::new(out * angle.cosine(), out * angle.sine(), s - 0.5)
    };
    let mut surface = Surface::default();
    for k in 0..=along {
        let angle = 2.0 * PI * TURNS * f64::from(k) / f64::from(along);
        let radial = Vec3::new(angle.cosine(), angle.sine(), 0.0);
        for i in 0..=around {
            let turn = 2.0 * PI * f64::from(i) / f64::from(around);
            let n = radial * turn.cosine() + Vec3::Z * turn.sine();
            // Across a unit length the wire is as thick as on a coil as long as ten radii.
            let offset = radial * (wire * turn.cosine()) + Vec3::Z * (0.018 * turn.sine());
            surface.points.push(centre(k) + offset);
            surface.normals.push(n);
        }
    }
    for k in 0..along {
        for i in 0..around {
            let (a, b) = (k * (around + 1) + i, (k + 1) * (around + 1) + i);
            surface.triangles.extend([[a, a + 1, b], [a + 1, b + 1, b]]);
        }
    }
    surface
}

/// Chamfer of plates, in parts of their thickness.
const CHAMFER: f64 = 0.14;
/// Sides that meet at a smaller angle than this are one round side.
const ROUND: f64 = 0.8;

/// A plate with this outline, its rims cut at 45 degrees.
fn prism(outline: &[[f64; 2]], thickness: f64, chamfer: f64) -> Surface {
    let mut out = Surface::default();
    let (count, half) = (outline.len(), 0.5 * thickness);
    if count < 3 {
        return out;
    }
    let side = |k: usize| {
        let (a, b) = (outline[k % count], outline[(k + 1) % count]);
        Vec3::new(b[1] - a[1], a[0] - b[0], 0.0).unit().unwrap_or(Vec3::X)
    };
    let sides: Vec<Vec3> = (0..count).map(side).collect();
    let before = |k: usize| sides[(k + count - 1) % count];
    let rim = |k: usize, z: f64| Vec3::new(outline[k % count][0], outline[k % count][1], z);
    // A corner moved inwards by the chamfer from both of its sides.
    let inner = |k: usize, z: f64| {
        let (a, b) = (before(k % count), sides[k % count]);
        let inwards = (a + b) * (1.0 / (1.0 + a.dot(b)).max(0.3));
        rim(k, z) - inwards * chamfer
    };
    for k in 0..count {
        let own = sides[k];
        let meet = |other: Vec3| match own.dot(other).clamp(-1.0, 1.0).arccosine() < ROUND {
            true => (own + other).unit().unwrap_or(own),
            false => own,
        };
        let (from, to) = (meet(before(k)), meet(sides[(k + 1) % count]));
        let mut band = |corners: [Vec3; 4], tilt: Vec3| {
            let start = out.points.len() as u32;
            out.points.extend(corners);
            out.normals.extend([from, to, to, from].map(|n| (n + tilt).unit().unwrap_or(n)));
            out.triangles.extend([[start, start + 1, start + 2], [start, start + 2, start + 3]]);
        };
        let z = half - chamfer;
        band([rim(k, -z), rim(k + 1, -z), rim(k + 1, z), rim(k, z)], Vec3::ZERO);
        if chamfer > 0.0 {
            band([rim(k, z), rim(k + 1, z), inner(k + 1, half), inner(k, half)], Vec3::Z);
            band([inner(k, -half), inner(k + 1, -half), rim(k + 1, -z), rim(k, -z)], -Vec3::Z);
        }
    }
    let ears = clip_ears(outline);
    for (z, n) in [(half, Vec3::Z), (-half, -Vec3::Z)] {
        let start = out.points.len() as u32;
        out.points.extend((0..count).map(|k| inner(k, z)));
        out.normals.extend((0..count).map(|_| n));
        out.triangles.extend(ears.iter().map(|[a, b, c]| match z > 0.0 {
            true => [start + a, start + b, start + c],
            false => [start + a, start + c, start + b],
        }));
    }
    out
}

/// A band: two faces, two walls, and two ends where it is open.
fn band(made: &Band) -> Surface {
    let mut out = Surface::default();
    let (count, half) = (made.inner.len(), 0.5 * made.thickness);
    let spans = if made.closed { count } else { count.saturating_sub(1) };
    let at = |rim: &[[f64; 2]], k: usize, z: f64| Vec3::new(rim[k % count][0], rim[k % count][1], z);
    for k in 0..spans {
        for z in [half, -half] {
            let corners =
                [at(&made.inner, k, z), at(&made.outer, k, z), at(&made.outer, k + 1, z), at(&made.inner, k + 1, z)];
            let mut corners = corners;
            if z < 0.0 {
                corners.reverse();
            }
            out.face(&corners, Vec3::Z * z.signum());
        }
    }
    for (rim, sign) in [(&made.inner, -1.0), (&made.outer, 1.0)] {
        let side = |k: usize| {
            let along = at(rim, k + 1, 0.0) - at(rim, k, 0.0);
            (Vec3::new(along.y, -along.x, 0.0) * sign).unit().unwrap_or(Vec3::X)
        };
        for k in 0..spans {
            let own = side(k);
            // Round where the next side goes on at a small angle.
            let meet = |other: Option<usize>| match other.map(side) {
                Some(next) if own.dot(next).clamp(-1.0, 1.0).arccosine() < ROUND => (own + next).unit().unwrap_or(own),
                _ => own,
            };
            let (before, after) = match made.closed {
                true => (Some((k + count - 1) % count), Some((k + 1) % count)),
                false => (k.checked_sub(1), Some(k + 1).filter(|k| *k < spans)),
            };
            let (from, to) = (meet(before), meet(after));
            let start = out.points.len() as u32;
            out.points.extend([at(rim, k, -half), at(rim, k + 1, -half), at(rim, k + 1, half), at(rim, k, half)]);
            out.normals.extend([from, to, to, from]);
            let turned = [[start, start + 1, start + 2], [start, start + 2, start + 3]];
            out.triangles.extend(turned.map(|[a, b, c]| if sign > 0.0 { [a, b, c] } else { [a, c, b] }));
        }
    }
    if !made.closed && count > 1 {
        for (k, sign) in [(0, -1.0), (count - 1, 1.0)] {
            let (a, b) = (at(&made.inner, k, 0.0), at(&made.outer, k, 0.0));
            let across = b - a;
            let n = Vec3::new(-across.y, across.x, 0.0).unit().unwrap_or(Vec3::X) * sign;
            let up = Vec3::Z * half;
            let mut corners = [a - up, a + up, b + up, b - up];
            if sign < 0.0 {
                corners.reverse();
            }
            out.face(&corners, n);
        }
    }
    out
}

/// Triangles of a simple polygon, by cutting off ears.
fn clip_ears(outline: &[[f64; 2]]) -> Vec<[u32; 3]> {
    let turn = |a: usize, b: usize, c: usize| {
        let (a, b, c) = (outline[a], outline[b], outline[c]);
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    };
    let mut left: Vec<usize> = (0..outline.len()).collect();
    let mut out = Vec::new();
    while left.len() > 3 {
        let count = left.len();
        let ear = (0..count).find(|k| {
            let (a, b, c) = (left[(k + count - 1) % count], left[*k], left[(k + 1) % count]);
            let inside = |p: usize| turn(a, b, p) >= 0.0 && turn(b, c, p) >= 0.0 && turn(c, a, p) >= 0.0;
            turn(a, b, c) > 0.0 && !left.iter().any(|p| ![a, b, c].contains(p) && inside(*p))
        });
        // No ear: the outline crosses itself, or what is left has no area.
        let Some(k) = ear
            .or((0..count)
                .find(|k| turn(left[(k + count - 1) % count], left[*k], left[(k + 1) % count]).abs() < 1e-300))
        else {
            break;
        };
        out.push([left[(k + count - 1) % count], left[k], left[(k + 1) % count]].map(|i| i as u32));
        left.remove(k);
    }
    if let [a, b, c] = left[..] {
        out.push([a, b, c].map(|i| i as u32));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use biela_core::model::Mesh;

    /// Volume by the divergence theorem: right only where every triangle faces outwards and none is missing.
    fn volume(surface: &Surface) -> f64 {
        let mesh = Mesh { points: surface.points.clone(), triangles: surface.triangles.clone() };
        let part = |t: &[u32; 3]| mesh.corners(*t);
        mesh.triangles.iter().map(part).map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
    }

    #[test]
    fn surfaces_face_outwards_and_are_whole() {
        // An L, which is not convex.
        let l = vec![[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
        let ring = |k: u32| 2.0 * PI * f64::from(k) / 64.0;
        let circle: Vec<[f64; 2]> = (0..64).map(|k| [ring(k).cosine(), ring(k).sine()]).collect();
        // Chords take away up to four parts in a hundred of round forms.
        for (form, due, slack) in [
            (Form::Box(Vec3::new(1.0, 2.0, 3.0)), 6.0, 1e-12),
            (Form::Cylinder(1.0, 2.0), 2.0 * PI, 0.06),
            (Form::Sphere(1.0), 4.0 / 3.0 * PI, 0.17),
            // Its rims are cut: perimeter 8, two rims, half the square of a chamfer of 0.07, corners aside.
            (Form::Plate(l, 0.5), 1.5 - 8.0 * 0.07 * 0.07, 0.002),
            (Form::Band(Band::along(&circle, true, 0.2, 0.5)), 2.0 * PI * 0.1, 0.002),
            (Form::Band(Band::along(&circle[..17], false, 0.2, 0.5)), PI * 0.05, 0.002),
        ] {
            let surface = surface(&form, false);
            let found = volume(&surface);
            assert!((found - due).abs() < slack && found < due + slack.min(0.002), "{form:?}: {found} for {due}");
            assert!(surface.normals.iter().all(|n| (n.norm() - 1.0).abs() < 1e-12));
        }
    }
}
