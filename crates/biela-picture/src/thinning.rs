//! Meshes of many triangles, thinned for pictures by clustering their corners.
//!
//! Corners in one cell of a grid become one, their mean, and triangles that lose a corner are left out (Rossignac and Borrel 1993). The
//! model keeps the whole mesh: what follows from it is not touched.

use biela_core::model::{Mesh, Model, Solid};
use biela_math::Vec3;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Triangles of all meshes of a picture together, more or less: a page of them has some megabytes.
const ENOUGH: usize = 60_000;
/// A mesh keeps that many, however many there are of others.
const LEAST: usize = 400;
/// Grids that are tried until one is coarse enough.
const TRIES: usize = 8;

/// The mesh as a picture of its model shows it.
pub(super) fn shown(model: &Model, mesh: &Arc<Mesh>) -> Arc<Mesh> {
    let of = |solid: &Solid| match solid {
        Solid::Mesh { mesh, .. } => mesh.triangles.len(),
        _ => 0,
    };
    let all: usize = model.bodies.iter().flat_map(|b| &b.shapes).map(|s| of(&s.solid)).sum();
    let count = mesh.triangles.len();
    let share = (count as f64 * ENOUGH as f64 / all.max(1) as f64) as usize;
    if all <= ENOUGH || count <= share.max(LEAST) {
        return mesh.clone();
    }
    Arc::new(thin(mesh, share.max(LEAST)))
}

/// The mesh with about so many triangles, or fewer.
fn thin(mesh: &Mesh, wanted: usize) -> Mesh {
    let Some(first) = mesh.points.first() else { return mesh.clone() };
    let (mut least, mut most) = (*first, *first);
    for p in &mesh.points {
        for k in 0..3 {
            least[k] = least[k].min(p[k]);
            most[k] = most[k].max(p[k]);
        }
    }
    let size = (most - least).to_array().into_iter().fold(0.0, f64::max);
    if size <= 0.0 {
        return mesh.clone();
    }
    // A surface has about twice as many triangles as cells, and a box six sides.
    let mut cells = (wanted as f64 / 4.0).sqrt().max(2.0);
    let mut found = clustered(mesh, least, size / cells);
    for _ in 0..TRIES {
        if found.triangles.len() <= wanted || cells <= 2.0 {
            break;
        }
        cells = (0.95 * cells * (wanted as f64 / found.triangles.len() as f64).sqrt()).max(2.0);
        found = clustered(mesh, least, size / cells);
    }
    // A form so thin that nothing is left of it is shown as it is.
    match found.triangles.is_empty() {
        true => mesh.clone(),
        false => found,
    }
}

fn clustered(mesh: &Mesh, least: Vec3, cell: f64) -> Mesh {
    let mut places: HashMap<[u32; 3], u32> = HashMap::new();
    let mut sums: Vec<(Vec3, f64)> = Vec::new();
    let place: Vec<u32> = (mesh.points.iter())
        .map(|p| {
            let key = [0, 1, 2].map(|k| ((p[k] - least[k]) / cell) as u32);
            let at = *places.entry(key).or_insert_with(|| {
                sums.push((Vec3::ZERO, 0.0));
                sums.len() as u32 - 1
            });
            let sum = &mut sums[at as usize];
            *sum = (sum.0 + *p, sum.1 + 1.0);
            at
        })
        .collect();
    let mut seen = HashSet::new();
    let mut triangles = Vec::new();
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|k| place[k as usize]);
        let mut sorted = [a, b, c];
        sorted.sort_unstable();
        if a != b && b != c && c != a && seen.insert(sorted) {
            triangles.push([a, b, c]);
        }
    }
    Mesh { points: sums.into_iter().map(|(sum, n)| sum * (1.0 / n)).collect(), triangles }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ball of 2 n² triangles.
    fn ball(n: u32) -> Mesh {
        let angle = |k: u32| std::f64::consts::PI * f64::from(k) / f64::from(n);
        let point = |i: u32, j: u32| {
            let ((s, c), (t, d)) = (angle(i).sin_cos(), (2.0 * angle(j)).sin_cos());
            Vec3::new(s * d, s * t, c)
        };
        let points = (0..=n).flat_map(|i| (0..n).map(move |j| point(i, j))).collect();
        let at = |i: u32, j: u32| i * n + j % n;
        let quads = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
        let triangles = quads
            .flat_map(|(i, j)| [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]])
            .collect();
        Mesh { points, triangles }
    }

    #[test]
    fn a_thinned_ball_is_still_round() {
        let whole = ball(200);
        let thinned = thin(&whole, 2000);
        assert!((500..=2000).contains(&thinned.triangles.len()), "{}", thinned.triangles.len());
        // A cell of a grid of this many triangles is a tenth of the radius, and a mean lies a little inside.
        assert!(thinned.points.iter().all(|p| (0.97..=1.001).contains(&p.norm())));
        let area = |m: &Mesh| m.triangles.iter().map(|t| 0.5 * m.normal(*t).norm()).sum::<f64>();
        let sphere = 4.0 * std::f64::consts::PI;
        assert!((area(&thinned) / sphere - 1.0).abs() < 0.1, "{}", area(&thinned) / sphere);
    }
}
