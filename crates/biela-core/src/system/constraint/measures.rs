//! Measures: values, rates, accelerations and gradients, from markers in place.

#![allow(non_snake_case)] // p_B: a point in its body's frame (docs/notation.md).

use super::{Cache, Compiled, Constraints, Evaluation};
use crate::joints::hinge::nearest_turn;
use crate::joints::Marker;
use crate::math::Elementary;
use crate::math::Vec3;
use crate::system::formulation::{rigid_rate, rigid_value};

impl Constraints {
    /// Value of measure `k` from marker values.
    pub fn value(&self, k: usize, e: &Evaluation) -> f64 {
        let m = &e.value;
        match self.measures[k] {
            Compiled::Dot(a, b) => m[a].dot(m[b]),
            Compiled::Along(a, from, to) => m[a].dot(m[to] - m[from]),
            Compiled::DistanceSquared(from, to) => {
                let d = m[to] - m[from];
                d.dot(d)
            }
            Compiled::Distance(from, to) => (m[to] - m[from]).norm(),
            Compiled::Elevation(n, u) => m[n].dot(m[u]).arctangent2(m[n].cross(m[u]).norm()),
            Compiled::Angle(x, y, u) => nearest_turn(m[y].dot(m[u]).arctangent2(m[x].dot(m[u])), e.near[k]),
        }
    }

    /// Rate of measure `k` from marker values and rates.
    pub fn rate(&self, k: usize, e: &Evaluation) -> f64 {
        let (m, r) = (&e.value, &e.rate);
        match self.measures[k] {
            Compiled::Dot(a, b) => r[a].dot(m[b]) + m[a].dot(r[b]),
            Compiled::Along(a, from, to) => r[a].dot(m[to] - m[from]) + m[a].dot(r[to] - r[from]),
            Compiled::DistanceSquared(from, to) => 2.0 * (m[to] - m[from]).dot(r[to] - r[from]),
            Compiled::Distance(from, to) => direction(m[to] - m[from]).dot(r[to] - r[from]),
            Compiled::Elevation(n, u) => {
                let (s, s1) = (m[n].dot(m[u]), r[n].dot(m[u]) + m[n].dot(r[u]));
                let (w, w1) = (m[n].cross(m[u]), r[n].cross(m[u]) + m[n].cross(r[u]));
                let c = w.norm();
                (c * s1 - s * w.dot(w1) / c) / (c * c + s * s)
            }
            Compiled::Angle(x, y, u) => {
                let (c, s) = (m[x].dot(m[u]), m[y].dot(m[u]));
                let (c1, s1) = (r[x].dot(m[u]) + m[x].dot(r[u]), r[y].dot(m[u]) + m[y].dot(r[u]));
                (c * s1 - s * c1) / (c * c + s * s)
            }
        }
    }

    /// Second derivative of measure `k` from marker values, rates and accelerations.
    pub fn acceleration(&self, k: usize, e: &Evaluation) -> f64 {
        let (m, r, a) = (&e.value, &e.rate, &e.acceleration);
        let dot2 = |p: usize, q: usize| a[p].dot(m[q]) + 2.0 * r[p].dot(r[q]) + m[p].dot(a[q]);
        match self.measures[k] {
            Compiled::Dot(p, q) => dot2(p, q),
            Compiled::Along(u, from, to) => {
                let (d, d1, d2) = (m[to] - m[from], r[to] - r[from], a[to] - a[from]);
                a[u].dot(d) + 2.0 * r[u].dot(d1) + m[u].dot(d2)
            }
            Compiled::DistanceSquared(from, to) => {
                let (d, d1, d2) = (m[to] - m[from], r[to] - r[from], a[to] - a[from]);
                2.0 * (d.dot(d2) + d1.dot(d1))
            }
            Compiled::Distance(from, to) => {
                let (d, d1, d2) = (m[to] - m[from], r[to] - r[from], a[to] - a[from]);
                // u·d̈ and the turning of the line: (ḋ² − (u·ḋ)²)/|d|.
                let u = direction(d);
                let along = u.dot(d1);
                let across = d1 - u * along;
                let turning = if u == Vec3::ZERO { 0.0 } else { across.dot(across) / d.norm() };
                u.dot(d2) + turning
            }
            Compiled::Elevation(n, u) => {
                let (s, s1, s2) = (m[n].dot(m[u]), r[n].dot(m[u]) + m[n].dot(r[u]), dot2(n, u));
                let (w, w1) = (m[n].cross(m[u]), r[n].cross(m[u]) + m[n].cross(r[u]));
                let w2 = a[n].cross(m[u]) + r[n].cross(r[u]) * 2.0 + m[n].cross(a[u]);
                let c = w.norm();
                let c1 = w.dot(w1) / c;
                let c2 = (w1.dot(w1) + w.dot(w2) - c1 * c1) / c;
                let square = c * c + s * s;
                (c * s2 - s * c2) / square - 2.0 * (c * c1 + s * s1) * (c * s1 - s * c1) / (square * square)
            }
            Compiled::Angle(x, y, u) => {
                let (c, s) = (m[x].dot(m[u]), m[y].dot(m[u]));
                let (c1, s1) = (r[x].dot(m[u]) + m[x].dot(r[u]), r[y].dot(m[u]) + m[y].dot(r[u]));
                let (c2, s2) = (dot2(x, u), dot2(y, u));
                let square = c * c + s * s;
                (c * s2 - s * c2) / square - 2.0 * (c * c1 + s * s1) * (c * s1 - s * c1) / (square * square)
            }
        }
    }

    /// Gradients of measure `k` with respect to its markers, in the order of [`Measure::markers`].
    #[inline]
    pub(super) fn gradient(&self, k: usize, e: &Evaluation) -> ([usize; 3], [Vec3; 3], usize) {
        let m = &e.value;
        match self.measures[k] {
            Compiled::Dot(a, b) => ([a, b, 0], [m[b], m[a], Vec3::ZERO], 2),
            Compiled::Along(a, from, to) => ([a, from, to], [m[to] - m[from], -m[a], m[a]], 3),
            Compiled::DistanceSquared(from, to) => {
                let d = (m[to] - m[from]) * 2.0;
                ([from, to, 0], [-d, d, Vec3::ZERO], 2)
            }
            Compiled::Distance(from, to) => {
                let u = direction(m[to] - m[from]);
                ([from, to, 0], [-u, u, Vec3::ZERO], 2)
            }
            Compiled::Elevation(n, u) => {
                let (s, w) = (m[n].dot(m[u]), m[n].cross(m[u]));
                let (c, across) = (w.norm(), direction(w));
                let f = 1.0 / (c * c + s * s);
                let [to_n, to_u] = [m[u].cross(across), across.cross(m[n])];
                ([n, u, 0], [(m[u] * c - to_n * s) * f, (m[n] * c - to_u * s) * f, Vec3::ZERO], 2)
            }
            Compiled::Angle(x, y, u) => {
                let (c, s) = (m[x].dot(m[u]), m[y].dot(m[u]));
                let f = 1.0 / (c * c + s * s);
                ([x, y, u], [m[u] * (-s * f), m[u] * (c * f), (m[y] * c - m[x] * s) * f], 3)
            }
        }
    }

    /// Places and moves the markers of measure `k` with their bodies, where no other marker is needed.
    pub fn realize_measure(&self, k: usize, cache: &Cache, e: &mut Evaluation) {
        let (markers, count) = match self.measures[k] {
            Compiled::Along(a, b, c) | Compiled::Angle(a, b, c) => ([a, b, c], 3),
            Compiled::Dot(a, b)
            | Compiled::DistanceSquared(a, b)
            | Compiled::Distance(a, b)
            | Compiled::Elevation(a, b) => ([a, b, 0], 2),
        };
        for m in &markers[..count] {
            e.value[*m] = rigid_value(&self.markers[*m], &cache.bodies);
            e.rate[*m] = rigid_rate(&self.markers[*m], e.value[*m], &cache.bodies);
        }
    }

    /// Markers of measure `k`, their values, and the gradient with respect to each.
    pub fn measure_gradient(&self, k: usize, e: &Evaluation) -> [Option<(Marker, Vec3, Vec3)>; 3] {
        let (markers, gradients, count) = self.gradient(k, e);
        [0, 1, 2].map(|p| (p < count).then(|| (self.markers[markers[p]], e.value[markers[p]], gradients[p])))
    }
}

/// The unit vector along a line; a line of no length has no direction.
#[inline]
fn direction(d: Vec3) -> Vec3 {
    d.unit().unwrap_or(Vec3::ZERO)
}
