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

    /// Whether a part of a closed surface that hangs together by its corners faces inwards and is no hollow of another part.
    pub fn has_part_inside_out(&self) -> bool {
        let part_of = self.parts();
        // Six times the volume of each part, and the box around it.
        let mut volume = vec![0.0; self.points.len()];
        let mut least = self.points.clone();
        let mut most = self.points.clone();
        for triangle in &self.triangles {
            let part = part_of[triangle[0] as usize];
            let from = self.points[part];
            let [a, b, c] = self.corners(*triangle);
            volume[part] += (a - from).dot((b - from).cross(c - from));
            for p in [a, b, c] {
                for k in 0..3 {
                    least[part][k] = least[part][k].min(p[k]);
                    most[part][k] = most[part][k].max(p[k]);
                }
            }
        }
        let holds = |outer: usize, inner: usize| {
            volume[outer] > 0.0
                && (0..3).all(|k| least[outer][k] <= least[inner][k] && most[inner][k] <= most[outer][k])
        };
        let solid: Vec<usize> = (0..volume.len()).filter(|part| volume[*part] > 0.0).collect();
        let hollow: Vec<usize> = (0..volume.len()).filter(|part| volume[*part] < 0.0).collect();
        // Nobody draws so many; each is looked for in every solid.
        const MOST: usize = 1000;
        hollow.len() > MOST || hollow.iter().any(|inner| !solid.iter().any(|outer| holds(*outer, *inner)))
    }

    /// For each corner the first of those that it hangs together with.
    fn parts(&self) -> Vec<usize> {
        let mut first: Vec<usize> = (0..self.points.len()).collect();
        fn root(first: &mut [usize], mut k: usize) -> usize {
            while first[k] != k {
                first[k] = first[first[k]];
                k = first[k];
            }
            k
        }
        for [a, b, c] in &self.triangles {
            for other in [b, c] {
                let (one, other) = (root(&mut first, *a as usize), root(&mut first, *other as usize));
                first[one.max(other)] = one.min(other);
            }
        }
        (0..first.len()).map(|k| root(&mut first, k)).collect()
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
