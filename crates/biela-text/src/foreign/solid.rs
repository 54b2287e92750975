//! Masses of solids, from which formats let inertias follow.

use biela_core::model::Mesh;
use biela_math::{Inertia, Vec3};
use std::f64::consts::PI;

/// A solid of constant density.
pub(crate) enum Solid {
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
