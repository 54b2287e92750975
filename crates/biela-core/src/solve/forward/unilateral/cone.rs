//! One contact that rubs, by itself: the efforts or impulses with which its own conditions hold, where all others stand.
//!
//! With u = f + G Λ along the normal and one or two tangents it is open (Λ = 0 where f_n is enough), sticks (u_n as wanted, u_t = 0, and |T| ≤ μ N), or slips with
//! T = −μ N d against a slip u_t along d, whose direction is found between places of a circle. Opening goes before sticking, and that before slipping, where more than one
//! of them would do.

use crate::solve::forces::eliminate;

/// What a contact does by itself.
#[derive(Debug, Clone, Copy)]
pub struct Cone {
    /// G of the normal and of the tangents.
    pub own: [[f64; 3]; 3],
    /// Number of tangents, 1 or 2.
    pub tangents: usize,
    /// Coefficient of friction.
    pub mu: f64,
    /// The least rate along the normal.
    pub wanted: f64,
}

/// Places of the circle of directions that are looked at before one is found between two of them.
const PLACES: usize = 48;
/// Halvings, to rounding.
const HALVINGS: usize = 60;
/// A part of the bound by which what sticks may overstep it: roundings.
const BOUND: f64 = 1e-14;

impl Cone {
    /// Efforts from the rates without any of its own; none where no place of the circle has an answer.
    pub fn settle(&self, free: [f64; 3]) -> Option<[f64; 3]> {
        if free[0] >= self.wanted {
            return Some([0.0; 3]);
        }
        self.sticks(free).or_else(|| match self.tangents {
            1 => [1.0, -1.0].into_iter().find_map(|d| self.slips(free, [d, 0.0]).filter(|x| x.1 >= 0.0).map(|x| x.0)),
            _ => self.turned(free),
        })
    }

    fn sticks(&self, free: [f64; 3]) -> Option<[f64; 3]> {
        let n = 1 + self.tangents;
        let mut matrix: Vec<f64> = (0..n * n).map(|e| self.own[e / n][e % n]).collect();
        let mut side: Vec<f64> = (0..n).map(|k| if k == 0 { self.wanted - free[0] } else { -free[k] }).collect();
        let determinant = eliminate(&mut matrix, &mut side)?;
        let scale: f64 = (0..n).map(|k| self.own[k][k]).product();
        let found = [side[0], side[1], side.get(2).copied().unwrap_or(0.0)];
        let rubs = (found[1] * found[1] + found[2] * found[2]).sqrt();
        let sound = determinant > 1e-12 * scale && found.iter().all(|x| x.is_finite());
        (sound && found[0] >= 0.0 && rubs <= self.mu * found[0] * (1.0 + BOUND)).then_some(found)
    }

    /// Efforts of a slip along a direction, and the rate along it that is left, and across.
    fn slips(&self, free: [f64; 3], d: [f64; 2]) -> Option<([f64; 3], f64, f64)> {
        let own = &self.own;
        let stiff = own[0][0] - self.mu * (own[0][1] * d[0] + own[0][2] * d[1]);
        let normal = (self.wanted - free[0]) / stiff;
        if stiff <= 0.0 || normal < 0.0 || !normal.is_finite() {
            return None;
        }
        let found = [normal, -self.mu * normal * d[0], -self.mu * normal * d[1]];
        let rate = |k: usize| free[k] + (0..3).map(|l| own[k][l] * found[l]).sum::<f64>();
        let left = [rate(1), rate(2)];
        Some((found, d[0] * left[0] + d[1] * left[1], d[0] * left[1] - d[1] * left[0]))
    }

    /// The direction of a slip in which nothing is left across.
    fn turned(&self, free: [f64; 3]) -> Option<[f64; 3]> {
        // Places on a square, so that no angle's sine is asked for: from them directions of length one.
        let direction = |s: f64| {
            let (side, along) = ((4.0 * s).floor() as usize % 4, 8.0 * s - 2.0 * (4.0 * s).floor() - 1.0);
            let (x, y) = [(1.0, along), (-along, 1.0), (-1.0, -along), (along, -1.0)][side];
            let long = (x * x + y * y).sqrt();
            [x / long, y / long]
        };
        let look = |s: f64| self.slips(free, direction(s));
        let place = |k: usize| k as f64 / PLACES as f64;
        let mut before = look(0.0);
        for k in 1..=PLACES {
            let now = look(place(k));
            let (Some(a), Some(b)) = (before, now) else {
                before = now;
                continue;
            };
            before = now;
            if (a.2 <= 0.0) == (b.2 <= 0.0) || a.1.max(b.1) < 0.0 {
                continue;
            }
            let (mut low, mut high) = (place(k - 1), place(k));
            for _ in 0..HALVINGS {
                let middle = 0.5 * (low + high);
                match look(middle) {
                    Some(m) if (m.2 <= 0.0) == (a.2 <= 0.0) => low = middle,
                    _ => high = middle,
                }
            }
            if let Some(found) = look(0.5 * (low + high)).filter(|found| found.1 >= 0.0) {
                return Some(found.0);
            }
        }
        None
    }
}
