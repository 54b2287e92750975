//! Parts closed: where their bodies can be, given those already placed.

#![allow(non_snake_case)] // X: displacement of a body from the assembled configuration (docs/notation.md).

use super::{Part, Plan, Sort, SMALL};
use crate::math::Elementary;
use crate::math::{Pose, Rotation, Vec3};

impl Plan {
    /// Poses of all bodies in every configuration; `None` where a part has infinitely many answers.
    pub fn closed(&self, poses: &[Pose]) -> Option<Vec<Vec<Pose>>> {
        const MOST: usize = 4096;
        // Displacements of the groups from the assembled configuration.
        let mut states: Vec<Vec<Pose>> = vec![vec![Pose::IDENTITY; self.group.len()]];
        for part in &self.parts {
            let mut next = Vec::new();
            for state in &states {
                for placed in self.answers(part, state)? {
                    let mut state = state.clone();
                    placed.into_iter().for_each(|(g, X)| state[g] = X);
                    next.push(state);
                }
            }
            states = next;
            if states.len() > MOST {
                return None;
            }
        }
        let place = |state: &Vec<Pose>| poses.iter().zip(&self.group).map(|(pose, g)| state[*g] * *pose).collect();
        Some(states.iter().map(place).collect())
    }

    /// Where the placed side of a link is, and its axis.
    fn known(&self, k: usize, moving: usize, state: &[Pose]) -> (Vec3, Vec3) {
        let link = &self.links[k];
        let side = usize::from(link.groups[0] == moving);
        let X = state[link.groups[side]];
        (X.apply(link.points[side]), X.rotation.apply(link.u))
    }

    fn placed_group(&self, k: usize, moving: usize) -> usize {
        let [a, b] = self.links[k].groups;
        if a == moving {
            b
        } else {
            a
        }
    }

    fn answers(&self, part: &Part, state: &[Pose]) -> Option<Vec<Vec<(usize, Pose)>>> {
        match part {
            Part::Dyad(links, groups) => self.dyad(links, groups, state),
            Part::Cones(links, groups) => self.cones(links, groups, state),
            Part::Rod(joint, balls, moving, rod) => self.rod(*joint, balls, *moving, *rod, state),
            Part::Lone(links, g) => {
                let n = self.normal?;
                let (p, q) = (self.known(links[0], *g, state).0, self.known(links[1], *g, state).0);
                let X = carry([self.own(links[0], *g), self.own(links[1], *g)], [p, q], n)?;
                Some(vec![vec![(*g, X)]])
            }
        }
    }

    fn dyad(&self, links: &[usize; 3], groups: &[usize; 2], state: &[Pose]) -> Option<Vec<Vec<(usize, Pose)>>> {
        let n = self.normal?;
        let flat = |v: Vec3| v - n * v.dot(n);
        let [i, k, j] = *links;
        let [a, b] = *groups;
        let sorts = links.map(|x| self.links[x].sort);
        let (p, u1) = self.known(i, a, state);
        let (q, u3) = self.known(j, b, state);
        let (p0, q0) = (self.own(i, a), self.own(j, b));
        let m0 = self.own(k, a);
        let mut found = Vec::new();
        match sorts {
            [Sort::Pivot, Sort::Pivot, Sort::Pivot] => {
                let (r, s) = (flat(m0 - p0).norm(), flat(m0 - q0).norm());
                let d = flat(q - p);
                let length = d.norm();
                if length < SMALL * self.size {
                    return if (r - s).abs() < SMALL * self.size { None } else { Some(Vec::new()) };
                }
                let along = (length * length + r * r - s * s) / (2.0 * length);
                let height = r * r - along * along;
                for h in both(height, self.size) {
                    let e = d * (1.0 / length);
                    let m = p + e * along + n.cross(e) * h;
                    if let (Some(X), Some(Y)) = (carry([p0, m0], [p, m], n), carry([q0, m0], [q, m], n)) {
                        found.push(vec![(a, X), (b, Y)]);
                    }
                }
            }
            [Sort::Pivot, Sort::Pivot, Sort::Slide] => {
                let K = state[self.placed_group(j, b)];
                let start = K.apply(m0);
                let d = flat(start - p);
                let r = flat(m0 - p0).norm();
                let half = d.dot(u3);
                for root in both(half * half - d.dot(d) + r * r, self.size) {
                    let Y = Pose::new(K.rotation, K.origin + u3 * (root - half));
                    let m = Y.apply(m0);
                    if let Some(X) = carry([p0, m0], [p, m], n) {
                        found.push(vec![(a, X), (b, Y)]);
                    }
                }
            }
            [Sort::Pivot, Sort::Slide, Sort::Pivot] => {
                // Both bodies turn alike; the slide makes the distance of the pivots right.
                let u = flat(self.links[k].u);
                let (d0, d) = (flat(q0 - p0), flat(q - p));
                let half = d0.dot(u);
                for root in both(half * half - d0.dot(d0) + d.dot(d), self.size) {
                    let shifted = d0 + u * (root - half);
                    if shifted.norm() < SMALL * self.size {
                        return None;
                    }
                    let angle = n.dot(shifted.cross(d)).arctangent2(shifted.dot(d));
                    let R = Rotation::about(n, angle);
                    found.push(vec![(a, Pose::new(R, p - R.apply(p0))), (b, Pose::new(R, q - R.apply(q0)))]);
                }
            }
            [Sort::Slide, Sort::Pivot, Sort::Slide] => {
                let (K, L) = (state[self.placed_group(i, a)], state[self.placed_group(j, b)]);
                let gap = flat(L.apply(m0) - K.apply(m0));
                let determinant = n.dot(u1.cross(u3));
                if determinant.abs() < SMALL {
                    return None;
                }
                let (s, t) = (n.dot(gap.cross(u3)) / determinant, n.dot(gap.cross(u1)) / determinant);
                let X = Pose::new(K.rotation, K.origin + u1 * s);
                found.push(vec![(a, X), (b, Pose::new(L.rotation, L.origin + u3 * t))]);
            }
            _ => return None,
        }
        Some(found)
    }

    fn cones(&self, links: &[usize; 3], groups: &[usize; 2], state: &[Pose]) -> Option<Vec<Vec<(usize, Pose)>>> {
        let [i, k, j] = *links;
        let [a, b] = *groups;
        let (A, B) = (state[self.placed_group(i, a)].rotation, state[self.placed_group(j, b)].rotation);
        let (v1, v2, v3) = (self.links[i].u, self.links[k].u, self.links[j].u);
        let (p, u1) = self.known(i, a, state);
        let (q, u3) = self.known(j, b, state);
        // The middle axis x: x·u₁ and x·u₃ as assembled, |x| = 1.
        let (c1, c3) = (v2.dot(v1), v2.dot(v3));
        let c = u1.dot(u3);
        let n = u1.cross(u3);
        let square = n.dot(n);
        if square < SMALL * SMALL {
            return None;
        }
        let base = u1 * ((c1 - c3 * c) / square) + u3 * ((c3 - c1 * c) / square);
        let mut found = Vec::new();
        for h in both((1.0 - base.dot(base)) / square, 1.0) {
            let x = base + n * h;
            let turn = |u: Vec3, from: Vec3, to: Vec3| {
                let off = |v: Vec3| v - u * v.dot(u);
                let (from, to) = (off(from), off(to));
                Rotation::about(u, u.dot(from.cross(to)).arctangent2(from.dot(to)))
            };
            let (R, S) = (turn(u1, A.apply(v2), x) * A, turn(u3, B.apply(v2), x) * B);
            // The middle joint's points on both sides meet up to the slides: s₁u₁ + s₂x − s₃u₃ = gap.
            let (m0, w0) = (self.own(k, a), self.own(k, b));
            let gap = (q + S.apply(w0 - self.own(j, b))) - (p + R.apply(m0 - self.own(i, a)));
            let determinant = u1.dot(x.cross(u3));
            let cylinders = self.links[k].sort == Sort::Cylinder;
            let (s1, s3) = if cylinders && determinant.abs() > SMALL {
                (gap.dot(x.cross(u3)) / determinant, -u1.dot(x.cross(gap)) / determinant)
            } else if cylinders {
                return None;
            } else {
                (0.0, 0.0)
            };
            let X = Pose::new(R, p + u1 * s1 - R.apply(self.own(i, a)));
            let Y = Pose::new(S, q + u3 * s3 - S.apply(self.own(j, b)));
            found.push(vec![(a, X), (b, Y)]);
        }
        Some(found)
    }

    fn rod(
        &self,
        joint: usize,
        balls: &[usize; 2],
        moving: usize,
        rod: Option<usize>,
        state: &[Pose],
    ) -> Option<Vec<Vec<(usize, Pose)>>> {
        let (o, u) = self.known(joint, moving, state);
        let K = state[self.placed_group(joint, moving)];
        let carrier = rod.unwrap_or(moving);
        let centre = self.known(balls[0], carrier, state).0;
        let own = self.own(balls[1], moving);
        let length = match rod {
            Some(rod) => (self.own(balls[0], rod) - self.own(balls[1], rod)).norm(),
            None => (self.links[balls[0]].points[0] - self.links[balls[0]].points[1]).norm(),
        };
        let start = K.apply(own);
        let mut found = Vec::new();
        let mut keep = |X: Pose| {
            let mut placed = vec![(moving, X)];
            if let Some(rod) = rod {
                let (from, to) = (self.own(balls[1], rod) - self.own(balls[0], rod), X.apply(own) - centre);
                let R = shortest(from, to);
                placed.push((rod, Pose::new(R, centre - R.apply(self.own(balls[0], rod)))));
            }
            found.push(placed);
        };
        if self.links[joint].sort == Sort::Slide {
            let d = start - centre;
            let half = d.dot(u);
            for root in both(half * half - d.dot(d) + length * length, self.size) {
                keep(Pose::new(K.rotation, K.origin + u * (root - half)));
            }
        } else {
            // |o + along + c e + s f − centre|² = length².
            let r = start - o;
            let middle = o + u * r.dot(u) - centre;
            let e = r - u * r.dot(u);
            let f = u.cross(e);
            let (x, y) = (2.0 * middle.dot(e), 2.0 * middle.dot(f));
            let z = length * length - middle.dot(middle) - e.dot(e);
            let amplitude = x.hypotenuse(y);
            if amplitude < SMALL * self.size * self.size {
                return None;
            }
            for root in both(amplitude * amplitude - z * z, self.size * self.size) {
                let angle = (y * z + x * root).arctangent2(x * z - y * root);
                let R = Rotation::about(u, angle);
                keep(Pose::new(R * K.rotation, o + R.apply(K.origin - o)));
            }
        }
        Some(found)
    }
}

/// ± the root; one value where it vanishes, none where there is none.
fn both(square: f64, scale: f64) -> Vec<f64> {
    let small = SMALL * scale * scale;
    if square < -small {
        Vec::new()
    } else if square <= small * SMALL {
        vec![0.0]
    } else {
        vec![square.sqrt(), -square.sqrt()]
    }
}

/// The displacement about `n` that carries two points to two others at the same distance; `None` where they coincide.
fn carry(from: [Vec3; 2], to: [Vec3; 2], n: Vec3) -> Option<Pose> {
    let flat = |v: Vec3| v - n * v.dot(n);
    let (d, e) = (flat(from[1] - from[0]), flat(to[1] - to[0]));
    if d.norm() == 0.0 {
        return None;
    }
    let R = Rotation::about(n, n.dot(d.cross(e)).arctangent2(d.dot(e)));
    Some(Pose::new(R, to[0] - R.apply(from[0])))
}

/// The shortest turn of one direction into another.
fn shortest(from: Vec3, to: Vec3) -> Rotation {
    let axis = from.cross(to);
    let angle = axis.norm().arctangent2(from.dot(to));
    let axis = axis.unit().unwrap_or_else(|| if from.norm() > 0.0 { from.any_perpendicular() } else { Vec3::Z });
    Rotation::about(axis, angle)
}
