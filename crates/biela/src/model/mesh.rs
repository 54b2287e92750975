//! Surfaces made of triangles.

use crate::math::Vec3;

/// Triangles over shared corners; the order of a triangle's corners is anticlockwise seen from outside.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mesh {
    /// Corners.
    pub points: Vec<Vec3>,
    /// Three corners each, as indices into `points`.
    pub triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// The corners of a triangle.
    pub fn corners(&self, triangle: [u32; 3]) -> [Vec3; 3] {
        triangle.map(|k| self.points[k as usize])
    }

    /// Twice the triangle's area along its outward normal.
    pub fn normal(&self, triangle: [u32; 3]) -> Vec3 {
        let [a, b, c] = self.corners(triangle);
        (b - a).cross(c - a)
    }

    /// Turns the triangles of a closed surface round where, taken together, they face inwards; whether it did.
    pub fn turn_outwards(&mut self) -> bool {
        let from = self.points.first().copied().unwrap_or(Vec3::ZERO);
        let part = |t: &[u32; 3]| {
            let [a, b, c] = self.corners(*t).map(|p| p - from);
            a.dot(b.cross(c))
        };
        let inwards = self.triangles.iter().map(part).sum::<f64>() < 0.0;
        if inwards {
            self.triangles.iter_mut().for_each(|[_, b, c]| std::mem::swap(b, c));
        }
        inwards
    }

    /// Whether every edge is shared by two triangles that run along it in opposite senses, as a solid's surface has it.
    pub fn is_closed(&self) -> bool {
        let mut edges: Vec<(u32, u32)> = Vec::with_capacity(3 * self.triangles.len());
        for [a, b, c] in &self.triangles {
            edges.extend([(*a, *b), (*b, *c), (*c, *a)]);
        }
        let mut back: Vec<(u32, u32)> = edges.iter().map(|(a, b)| (*b, *a)).collect();
        edges.sort_unstable();
        back.sort_unstable();
        edges == back && edges.windows(2).all(|pair| pair[0] != pair[1])
    }
}
