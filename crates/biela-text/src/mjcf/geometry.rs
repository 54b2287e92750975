//! Frames, and masses of geoms.

#![allow(non_snake_case)] // Frames are capital letters: X_BG (docs/notation.md).

use super::Compiler;
use crate::foreign::Element;
use biela_base::error::Result;
use biela_core::model::Mesh;
use biela_math::{Elementary, EulerParameters, Inertia, Pose, Rotation, Vec3};
use std::f64::consts::PI;

impl Compiler {
    /// An angle of the file in radians.
    pub fn angle(&self, x: f64) -> f64 {
        if self.degrees {
            x * (PI / 180.0)
        } else {
            x
        }
    }

    /// `pos` and one of the ways to give a rotation.
    pub fn pose(&self, e: &Element) -> Result<Pose> {
        Ok(Pose::new(self.rotation(e)?, e.vector("pos")?.unwrap_or(Vec3::ZERO)))
    }

    fn rotation(&self, e: &Element) -> Result<Rotation> {
        let list = |name: &str, count: usize| match e.numbers(name)? {
            Some(list) if list.len() == count => Ok(Some(list)),
            Some(list) => Err(e.error(format!("'{name}' has {count} numbers; these are {}", list.len()))),
            None => Ok(None),
        };
        let zero = || e.error("a direction of zero length gives no rotation");
        if let Some(q) = list("quat", 4)? {
            let q = EulerParameters([q[0], q[1], q[2], q[3]]);
            return if q.norm() > 0.0 { Ok(q.normalised().rotation()) } else { Err(zero()) };
        }
        if let Some(a) = list("axisangle", 4)? {
            return Ok(Rotation::about(Vec3::new(a[0], a[1], a[2]).unit().ok_or_else(zero)?, self.angle(a[3])));
        }
        if let Some(angles) = list("euler", 3)? {
            let mut R = Rotation::IDENTITY;
            for (letter, angle) in self.sequence.iter().zip(angles) {
                let axis = [Vec3::X, Vec3::Y, Vec3::Z][usize::from(letter.to_ascii_lowercase() - b'x') % 3];
                let turn = Rotation::about(axis, self.angle(angle));
                // Small letters turn about axes that turn along, capitals about those of the parent.
                R = if letter.is_ascii_lowercase() { R * turn } else { turn * R };
            }
            return Ok(R);
        }
        if let Some(a) = list("xyaxes", 6)? {
            let (x, y) = (Vec3::new(a[0], a[1], a[2]), Vec3::new(a[3], a[4], a[5]));
            return Rotation::from_z_x(x.cross(y), x).ok_or_else(zero);
        }
        match e.vector("zaxis")? {
            Some(z) => shortest(z).ok_or_else(zero),
            None => Ok(Rotation::IDENTITY),
        }
    }
}

/// The shortest rotation that brings z to a direction.
pub(super) fn shortest(z: Vec3) -> Option<Rotation> {
    let z = z.unit()?;
    let normal = Vec3::Z.cross(z);
    let angle = normal.norm().arctangent2(z.z);
    Some(Rotation::about(normal.unit().unwrap_or(Vec3::X), angle))
}

/// A solid that a geom is.
pub(super) enum Solid {
    Sphere(f64),
    Capsule(f64, f64),
    Cylinder(f64, f64),
    Box([f64; 3]),
    Ellipsoid([f64; 3]),
    Mesh(Mesh),
}

impl Solid {
    /// Volume, centre, and inertia about the centre of a density of one.
    pub fn moments(&self) -> (f64, Vec3, Inertia) {
        let ball = |r: f64| 4.0 / 3.0 * PI * r * r * r;
        let spread = |m: f64, [a, b, c]: [f64; 3]| Inertia::diagonal([m * (b + c), m * (a + c), m * (a + b)]);
        match self {
            Solid::Sphere(r) => (ball(*r), Vec3::ZERO, spread(ball(*r), [r * r / 5.0; 3])),
            Solid::Box([a, b, c]) => {
                let m = 8.0 * a * b * c;
                (m, Vec3::ZERO, spread(m, [a * a / 3.0, b * b / 3.0, c * c / 3.0]))
            }
            Solid::Ellipsoid([a, b, c]) => {
                let m = 4.0 / 3.0 * PI * a * b * c;
                (m, Vec3::ZERO, spread(m, [a * a / 5.0, b * b / 5.0, c * c / 5.0]))
            }
            Solid::Cylinder(r, h) => {
                let m = 2.0 * PI * r * r * h;
                (m, Vec3::ZERO, spread(m, [r * r / 4.0, r * r / 4.0, h * h / 3.0]))
            }
            Solid::Capsule(r, h) => {
                let (tube, ends) = (2.0 * PI * r * r * h, ball(*r));
                let across = tube * r * r / 4.0 + ends * r * r / 5.0;
                // Each half ball has its centre 3/8 of the radius beyond the tube's end.
                let along = tube * h * h / 3.0 + ends * (r * r / 5.0 + h * h + 0.75 * h * r);
                (tube + ends, Vec3::ZERO, Inertia::diagonal([across + along, across + along, 2.0 * across]))
            }
            Solid::Mesh(mesh) => mesh_moments(mesh),
        }
    }
}

/// Sums over the tetrahedra that triangles form with the origin.
fn mesh_moments(mesh: &Mesh) -> (f64, Vec3, Inertia) {
    let (mut volume, mut first, mut second) = (0.0, Vec3::ZERO, [[0.0; 3]; 3]);
    for triangle in &mesh.triangles {
        let [a, b, c] = mesh.corners(*triangle);
        let v = a.dot(b.cross(c)) / 6.0;
        let sum = a + b + c;
        volume += v;
        first += sum * (v / 4.0);
        for (i, row) in second.iter_mut().enumerate() {
            for (j, entry) in row.iter_mut().enumerate() {
                *entry += v / 20.0 * (sum[i] * sum[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]);
            }
        }
    }
    let centre = if volume == 0.0 { Vec3::ZERO } else { first * (1.0 / volume) };
    let about = |i: usize, j: usize| second[i][j] - volume * centre[i] * centre[j];
    (volume, centre, Inertia::from_second_moments(about))
}
