//! Two convex solids apart: Gilbert, Johnson and Keerthi's search for the point of their difference A − B that is nearest to the origin.
//!
//! The difference is known by its support: the point of A furthest one way less that of B furthest the other way. A simplex of such points comes
//! nearer in every round, and ends on the face, edge or corner that holds the nearest point: for solids with flat faces after finitely
//! many rounds, exactly; for round ones when a round brings nothing beyond rounding.

use biela_math::Vec3;

/// The supports of two solids: points furthest along a direction, in one frame.
pub(crate) struct Supports<'a> {
    pub a: &'a dyn Fn(Vec3) -> Vec3,
    pub b: &'a dyn Fn(Vec3) -> Vec3,
}

/// A corner of the simplex: a point of each solid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Corner {
    pub a: Vec3,
    pub b: Vec3,
}

impl Corner {
    pub(crate) fn difference(&self) -> Vec3 {
        self.a - self.b
    }
}

impl Supports<'_> {
    /// The corner of the difference that lies furthest along a direction.
    pub(crate) fn corner(&self, along: Vec3) -> Corner {
        Corner { a: (self.a)(along), b: (self.b)(-along) }
    }
}

/// Where two solids are nearest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Near {
    /// The point of each.
    pub a: Vec3,
    pub b: Vec3,
    /// Different corners of each that carry it.
    pub corners_a: [Option<Vec3>; 3],
    pub corners_b: [Option<Vec3>; 3],
}

/// What the search finds.
#[derive(Debug)]
pub(crate) enum Found {
    /// They are apart.
    Apart(Box<Near>),
    /// They overlap or touch: the simplex, whose hull holds the origin or comes as near to it as rounding.
    Overlap(Vec<Corner>),
}

/// Rounds at most; flat solids take a few, round ones some tens.
const ROUNDS: usize = 120;
/// What a round must bring, of the distance's square: a few roundings.
const GAIN: f64 = 1e-15;
/// A distance, of the corners' own size, that is none: roundings of their differences.
const NONE: f64 = 1e-14;

pub(crate) fn apart(supports: &Supports) -> Found {
    let mut simplex = vec![supports.corner(Vec3::X)];
    let mut weights = [1.0, 0.0, 0.0, 0.0];
    let mut v = simplex[0].difference();
    for _ in 0..ROUNDS {
        let size = simplex.iter().map(|c| c.a.norm().max(c.b.norm())).fold(0.0, f64::max);
        if v.norm() <= NONE * size {
            return Found::Overlap(simplex);
        }
        let next = supports.corner(-v);
        let w = next.difference();
        let gain = v.dot(v) - v.dot(w);
        if gain <= GAIN * v.dot(v) || simplex.contains(&next) {
            break;
        }
        let mut larger = simplex.clone();
        larger.push(next);
        let differences: Vec<Vec3> = larger.iter().map(Corner::difference).collect();
        let Some(found) = nearest(&differences) else { return Found::Overlap(larger) };
        let (kept, new) = found;
        let nearer = kept.iter().zip(new).fold(Vec3::ZERO, |s, (k, x)| s + differences[*k] * x);
        if nearer.norm() >= v.norm() {
            break;
        }
        v = nearer;
        simplex = kept.iter().map(|k| larger[*k]).collect();
        weights = new;
    }
    let sum = |of: fn(&Corner) -> Vec3| simplex.iter().zip(weights).fold(Vec3::ZERO, |s, (c, x)| s + of(c) * x);
    let different = |of: fn(&Corner) -> Vec3| {
        let mut found = [None; 3];
        let mut count = 0;
        for corner in &simplex {
            let p = of(corner);
            if count < 3 && !found[..count].contains(&Some(p)) {
                found[count] = Some(p);
                count += 1;
            }
        }
        found
    };
    Found::Apart(Box::new(Near {
        a: sum(|c| c.a),
        b: sum(|c| c.b),
        corners_a: different(|c| c.a),
        corners_b: different(|c| c.b),
    }))
}

/// The corners and weights of the point of a simplex that is nearest to the origin; none where the simplex holds the origin.
fn nearest(p: &[Vec3]) -> Option<(Vec<usize>, [f64; 4])> {
    match p.len() {
        1 => Some((vec![0], [1.0, 0.0, 0.0, 0.0])),
        2 => Some(of_edge(p, [0, 1])),
        3 => Some(of_triangle(p, [0, 1, 2])),
        _ => of_tetrahedron(p),
    }
}

fn of_edge(p: &[Vec3], [i, j]: [usize; 2]) -> (Vec<usize>, [f64; 4]) {
    let d = p[j] - p[i];
    let (along, length) = (-p[i].dot(d), d.dot(d));
    if along <= 0.0 || length == 0.0 {
        return (vec![i], [1.0, 0.0, 0.0, 0.0]);
    }
    if along >= length {
        return (vec![j], [1.0, 0.0, 0.0, 0.0]);
    }
    let x = along / length;
    (vec![i, j], [1.0 - x, x, 0.0, 0.0])
}

fn of_triangle(p: &[Vec3], [i, j, k]: [usize; 3]) -> (Vec<usize>, [f64; 4]) {
    let (a, b, c) = (p[i], p[j], p[k]);
    let n = (b - a).cross(c - a);
    let area = n.dot(n);
    // Signed areas of the parts opposite to each corner.
    let parts = [n.dot(b.cross(c)), n.dot(c.cross(a)), n.dot(a.cross(b))];
    if area > 0.0 && parts.iter().all(|x| *x > 0.0) {
        return (vec![i, j, k], [parts[0] / area, parts[1] / area, parts[2] / area, 0.0]);
    }
    let edges = [of_edge(p, [i, j]), of_edge(p, [j, k]), of_edge(p, [k, i])];
    shortest(p, edges.into())
}

fn of_tetrahedron(p: &[Vec3]) -> Option<(Vec<usize>, [f64; 4])> {
    let faces = [[0, 1, 2, 3], [0, 1, 3, 2], [0, 2, 3, 1], [1, 2, 3, 0]];
    let outside = |[i, j, k, inner]: &[usize; 4]| {
        let n = (p[*j] - p[*i]).cross(p[*k] - p[*i]);
        // A face whose fourth corner lies in it hides nothing.
        n.dot(p[*inner] - p[*i]) * n.dot(-p[*i]) <= 0.0
    };
    let seen: Vec<_> =
        faces.iter().filter(|face| outside(face)).map(|[i, j, k, _]| of_triangle(p, [*i, *j, *k])).collect();
    match seen.is_empty() {
        true => None,
        false => Some(shortest(p, seen)),
    }
}

fn shortest(p: &[Vec3], of: Vec<(Vec<usize>, [f64; 4])>) -> (Vec<usize>, [f64; 4]) {
    let square = |(kept, weights): &(Vec<usize>, [f64; 4])| {
        let v = kept.iter().zip(weights).fold(Vec3::ZERO, |s, (k, x)| s + p[*k] * *x);
        v.dot(v)
    };
    let mut best = (vec![0], [1.0, 0.0, 0.0, 0.0]);
    let mut least = f64::INFINITY;
    for found in of {
        let size = square(&found);
        if size < least {
            (best, least) = (found, size);
        }
    }
    best
}
