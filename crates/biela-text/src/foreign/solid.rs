//! Masses of solids, from which formats let inertias follow.

use biela_core::model::Mesh;
use biela_math::{Inertia, Vec3};
use std::f64::consts::PI;

/// How the volume of a mesh is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Filling {
    /// As it is.
    Exact,
    /// By the pyramids over its triangles from their middle, each counted as positive: what MuJoCo does unless told otherwise.
    Overcounted,
}

/// A solid of constant density.
pub(crate) enum Solid {
    Sphere(f64),
    Capsule(f64, f64),
    Cylinder(f64, f64),
    Box([f64; 3]),
    Ellipsoid([f64; 3]),
    Mesh(Mesh, Filling),
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
            Solid::Mesh(mesh, filling) => mesh_moments(mesh, *filling),
        }
    }
}

/// Sums over the tetrahedra that triangles form with a point.
fn mesh_moments(mesh: &Mesh, filling: Filling) -> (f64, Vec3, Inertia) {
    let sized = |v: f64| if filling == Filling::Overcounted { v.abs() } else { v };
    let corners = |about: Vec3| mesh.triangles.iter().map(move |t| mesh.corners(*t).map(|p| p - about));
    let (mut area, mut middle) = (0.0, Vec3::ZERO);
    for [a, b, c] in corners(Vec3::ZERO) {
        let twice = (b - a).cross(c - a).norm();
        area += twice;
        middle += (a + b + c) * (twice / 3.0);
    }
    let apex = if area == 0.0 { Vec3::ZERO } else { middle * (1.0 / area) };
    let (mut volume, mut first) = (0.0, Vec3::ZERO);
    for [a, b, c] in corners(apex) {
        let v = sized(a.dot(b.cross(c)) / 6.0);
        volume += v;
        first += (a + b + c) * (v / 4.0);
    }
    let centre = if volume == 0.0 { apex } else { apex + first * (1.0 / volume) };
    // Counted anew about the centre, which changes nothing but what is overcounted.
    let (mut volume, mut second) = (0.0, [[0.0; 3]; 3]);
    for [a, b, c] in corners(centre) {
        let v = sized(a.dot(b.cross(c)) / 6.0);
        let sum = a + b + c;
        volume += v;
        for (i, row) in second.iter_mut().enumerate() {
            for (j, entry) in row.iter_mut().enumerate() {
                *entry += v / 20.0 * (sum[i] * sum[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]);
            }
        }
    }
    (volume, centre, Inertia::from_second_moments(|i, j| second[i][j]))
}
