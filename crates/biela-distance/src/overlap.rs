//! Two convex solids that overlap: the expanding polytope. From a simplex around the origin the boundary of the difference A − B is approached face by face,
//! nearest first; the nearest face of the boundary tells the least way out.

use crate::convex::{Corner, Supports};
use biela_math::Vec3;

/// Faces at most, after which round solids are met well enough.
const FACES: usize = 400;
/// What a face may be pushed out by, of the size of the solids, and count as one of the boundary.
const FLAT: f64 = 1e-13;

struct Face {
    corners: [usize; 3],
    normal: Vec3,
    distance: f64,
}

/// How deep two solids overlap, and the direction out of the first along which they part soonest.
pub(crate) fn depth(supports: &Supports, mut simplex: Vec<Corner>) -> (f64, Vec3) {
    let size = simplex.iter().map(|c| c.a.norm().max(c.b.norm())).fold(f64::MIN_POSITIVE, f64::max);
    if !blow_up(supports, &mut simplex, size) {
        return (0.0, flat_normal(supports, &simplex));
    }
    let mut points: Vec<Vec3> = simplex.iter().map(Corner::difference).collect();
    let middle = points.iter().fold(Vec3::ZERO, |s, p| s + *p) * 0.25;
    let mut faces: Vec<Face> =
        [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]].iter().filter_map(|c| face(&points, *c, middle)).collect();
    let mut best = (0.0, Vec3::X);
    while let Some(k) = (0..faces.len()).min_by(|i, j| faces[*i].distance.total_cmp(&faces[*j].distance)) {
        let (normal, distance) = (faces[k].normal, faces[k].distance);
        best = (distance.max(0.0), normal);
        let p = supports.corner(normal).difference();
        if p.dot(normal) - distance <= FLAT * size || faces.len() > FACES || points.contains(&p) {
            break;
        }
        points.push(p);
        let new = points.len() - 1;
        // What the new corner sees is taken away; its rim is closed towards it.
        let mut rim: Vec<[usize; 2]> = Vec::new();
        faces.retain(|f| {
            let seen = f.normal.dot(p) > f.distance + FLAT * size * 0.1;
            if seen {
                let [a, b, c] = f.corners;
                for edge in [[a, b], [b, c], [c, a]] {
                    match rim.iter().position(|r| *r == [edge[1], edge[0]] || *r == edge) {
                        Some(at) => {
                            rim.swap_remove(at);
                        }
                        None => rim.push(edge),
                    }
                }
            }
            !seen
        });
        faces.extend(rim.iter().filter_map(|[a, b]| face(&points, [*a, *b, new], middle)));
    }
    // To bring the origin onto that face of A − B, B moves by so much along its normal.
    best
}

fn face(points: &[Vec3], corners: [usize; 3], middle: Vec3) -> Option<Face> {
    let [a, b, c] = corners.map(|k| points[k]);
    let normal = (b - a).cross(c - a).unit()?;
    let normal = if normal.dot(a - middle) < 0.0 { -normal } else { normal };
    Some(Face { corners, normal, distance: normal.dot(a) })
}

/// Fills a simplex up to a tetrahedron with some volume; whether the difference has any.
fn blow_up(supports: &Supports, simplex: &mut Vec<Corner>, size: f64) -> bool {
    /// Volume, of the cube of the solids' size, that is none: roundings.
    const THIN: f64 = 1e-12;
    simplex.truncate(4);
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    loop {
        let p: Vec<Vec3> = simplex.iter().map(Corner::difference).collect();
        let directions: Vec<Vec3> = match p.len() {
            0 | 1 => axes.to_vec(),
            2 => axes.iter().map(|axis| axis.cross(p[1] - p[0])).collect(),
            3 => vec![(p[1] - p[0]).cross(p[2] - p[0])],
            _ => {
                let volume = (p[1] - p[0]).cross(p[2] - p[0]).dot(p[3] - p[0]).abs();
                if volume > THIN * size * size * size {
                    return true;
                }
                simplex.truncate(3);
                continue;
            }
        };
        let spread = |corner: &Corner| {
            let q = corner.difference();
            match p.len() {
                0 => size,
                1 => (q - p[0]).norm(),
                2 => (p[1] - p[0]).cross(q - p[0]).norm() / size,
                _ => (p[1] - p[0]).cross(p[2] - p[0]).dot(q - p[0]).abs() / (size * size),
            }
        };
        let found = directions.iter().flat_map(|d| [supports.corner(*d), supports.corner(-*d)]);
        let best = found.max_by(|a, b| spread(a).total_cmp(&spread(b)));
        match best {
            Some(corner) if spread(&corner) > THIN * size => simplex.push(corner),
            _ => return false,
        }
    }
}

/// The normal of a difference without volume, along which the solids part at once.
fn flat_normal(supports: &Supports, simplex: &[Corner]) -> Vec3 {
    let p: Vec<Vec3> = simplex.iter().map(Corner::difference).collect();
    let normal = match p[..] {
        [a, b, c, ..] => (b - a).cross(c - a).unit(),
        [a, b] => (b - a).unit().map(Vec3::any_perpendicular),
        _ => None,
    };
    let normal = normal.unwrap_or(Vec3::Z);
    // Out of the first, towards where the second lies.
    match supports.corner(normal).difference().dot(normal) <= supports.corner(-normal).difference().dot(-normal) {
        true => normal,
        false => -normal,
    }
}
