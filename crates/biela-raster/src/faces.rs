//! The faces of a surface: triangles that lie beside each other in one plane, put together as far as they stay convex. A row of
//! pixels is cut out of a face once, not once for each of its triangles.

use biela_math::Vec3;

/// Triangles with a normal at each corner.
#[derive(Debug, Clone, Copy)]
pub struct Triangles<'t> {
    /// Corners.
    pub points: &'t [Vec3],
    /// Unit normal at each corner.
    pub normals: &'t [Vec3],
    /// Three corners each, anticlockwise seen from outside.
    pub triangles: &'t [[u32; 3]],
}

/// A convex piece of a surface over which its normal changes evenly or not at all.
pub struct Face {
    /// Its corners in turn.
    pub corners: Vec<u32>,
    /// Whether it has one normal.
    pub flat: bool,
}

impl Face {
    /// Three corners that lie well apart.
    pub fn spread(&self) -> [usize; 3] {
        let count = self.corners.len();
        [0, count / 3, 2 * count / 3].map(|k| self.corners[k] as usize)
    }
}

/// Faces of a surface, in the order of its triangles.
pub fn faces(surface: Triangles) -> Vec<Face> {
    let mut found: Vec<Face> = Vec::new();
    for triangle in surface.triangles {
        let longer = found.last().and_then(|face| joined(surface, face, triangle));
        match (longer, found.last_mut()) {
            (Some(corners), Some(face)) => face.corners = corners,
            _ => found.push(Face { corners: triangle.to_vec(), flat: is_flat(surface, triangle) }),
        }
    }
    found
}

fn is_flat(surface: Triangles, corners: &[u32]) -> bool {
    let normal = |k: u32| surface.normals[k as usize];
    corners.iter().all(|k| normal(*k) == normal(corners[0]))
}

/// The corners of a face and a triangle beside it, where they are one face.
fn joined(surface: Triangles, face: &Face, triangle: &[u32; 3]) -> Option<Vec<u32>> {
    let count = face.corners.len();
    let first = face.corners[0];
    let [_, next, last] = (0..3).map(|k| [k, k + 1, k + 2].map(|i| triangle[i % 3])).find(|t| t[0] == first)?;
    let mut corners = face.corners.clone();
    if next == face.corners[count - 1] {
        corners.push(last);
    } else if last == face.corners[1] {
        corners.insert(1, next);
    } else {
        return None;
    }
    let one = match face.flat {
        true => is_flat(surface, &corners) && is_convex(surface, &corners),
        false => is_even(surface, &corners),
    };
    one.then_some(corners)
}

/// Whether a polygon in a plane turns one way at all of its corners.
fn is_convex(surface: Triangles, corners: &[u32]) -> bool {
    let (count, normal) = (corners.len(), surface.normals[corners[0] as usize]);
    let at = |k: usize| surface.points[corners[k % count] as usize];
    (0..count).all(|k| {
        let (before, after) = (at(k + 1) - at(k), at(k + 2) - at(k + 1));
        let size = before.norm() * after.norm();
        before.cross(after).dot(normal) >= -1e-9 * size && (at(k) - at(0)).dot(normal).abs() <= 1e-9 * size.sqrt()
    })
}

/// Whether four corners are a parallelogram over which the normal changes as evenly as the place.
fn is_even(surface: Triangles, corners: &[u32]) -> bool {
    let is_parallelogram = |values: &[Vec3]| {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| values[corners[k] as usize]);
        (a - b + c - d).norm() <= 1e-9 * ((b - a).norm() + (d - a).norm())
    };
    corners.len() == 4 && is_parallelogram(surface.points) && is_parallelogram(surface.normals)
}
