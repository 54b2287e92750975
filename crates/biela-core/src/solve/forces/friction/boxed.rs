//! Which coordinates at rest stay there: efforts between bounds that leave as little acceleration as they can.
//!
//! With accelerations c̈ = a + G τ of the coordinates at rest (G is symmetric and not negative), friction holds |τ| between its bounds, and a coordinate
//! moves only against a bound: c̈ > 0 where τ is the least, c̈ < 0 where it is the greatest. That is the minimum of ½ τᵀGτ + aᵀτ in a box [Stewart 2000];
//! c̈ is unique though τ need not be.

use super::answer::eliminate;

/// Sweeps before the bounds that are reached are taken for known; a few dozen do for a handful of joints.
const SWEEPS: usize = 2000;
/// Pivots below this fraction of the largest are rounding: such coordinates move with the others.
const DEPENDENT: f64 = 1e-9;

/// Two efforts that are bounded together: (τ/w) of both is a vector no longer than the radius.
#[derive(Debug, Clone, Copy)]
pub struct Disc {
    /// Their places.
    pub of: [usize; 2],
    /// Their weights.
    pub weights: [f64; 2],
    /// The bound.
    pub radius: f64,
}

impl Disc {
    /// Brings both nearer to the minimum, the others held: within the disc, or on its rim against the slope.
    fn settle(&self, g: &[f64], n: usize, slopes: [f64; 2], tau: &mut [f64]) -> bool {
        /// A determinant, of the square of the largest eigenvalue, from which on the two are one.
        const DEPENDENT: f64 = 1e-12;
        let ([k, l], [v, w]) = (self.of, self.weights);
        let (a, b, c) = (v * v * g[k * n + k], v * w * g[k * n + l], w * w * g[l * n + l]);
        let largest = 0.5 * (a + c) + (0.25 * (a - c) * (a - c) + b * b).sqrt();
        if largest <= 0.0 {
            return false;
        }
        let (x, y) = (v * slopes[0], w * slopes[1]);
        let determinant = a * c - b * b;
        let step = match determinant > DEPENDENT * largest * largest {
            true => [(c * x - b * y) / determinant, (a * y - b * x) / determinant],
            false => [x / largest, y / largest],
        };
        let from = [tau[k] / v, tau[l] / w];
        let mut found = [from[0] - step[0], from[1] - step[1]];
        if length(found) > self.radius {
            // Both by the same measure, so that what comes to rest on the rim is against the slope.
            found = [from[0] - x / largest, from[1] - y / largest];
            let long = length(found);
            if long > self.radius {
                found = found.map(|x| x * self.radius / long);
            }
        }
        let moved = length([found[0] - from[0], found[1] - from[1]]) > f64::EPSILON * length(found);
        (tau[k], tau[l]) = (found[0] * v, found[1] * w);
        moved
    }

    /// Whether it holds both with something to spare.
    fn spares(&self, tau: &[f64]) -> bool {
        /// Roundings of a length.
        const RIM: f64 = 1e-12;
        length([tau[self.of[0]] / self.weights[0], tau[self.of[1]] / self.weights[1]]) < self.radius * (1.0 - RIM)
    }
}

fn length(x: [f64; 2]) -> f64 {
    (x[0] * x[0] + x[1] * x[1]).sqrt()
}

/// The minimum of ½ τᵀGτ + aᵀτ between bounds, from the τ given.
pub fn settle_box(g: &[f64], a: &[f64], bounds: &[(f64, f64)], tau: &mut [f64]) {
    settle(g, a, bounds, &[], tau);
}

/// The same where some are bounded two by two.
pub fn settle(g: &[f64], a: &[f64], bounds: &[(f64, f64)], discs: &[Disc], tau: &mut [f64]) {
    let n = a.len();
    let slope = |tau: &[f64], k: usize| a[k] + (0..n).map(|j| g[k * n + j] * tau[j]).sum::<f64>();
    let disc = |k: usize| discs.iter().find(|disc| disc.of.contains(&k));
    for _ in 0..SWEEPS {
        let mut moved = false;
        for k in 0..n {
            if let Some(disc) = disc(k) {
                let slopes = disc.of.map(|k| slope(tau, k));
                moved |= disc.of[0] == k && disc.settle(g, n, slopes, tau);
                continue;
            }
            let own = g[k * n + k];
            let (low, high) = bounds[k];
            let wanted = if own > 0.0 { tau[k] - slope(tau, k) / own } else { tau[k] };
            let value = wanted.clamp(low, high.max(low));
            moved |= (value - tau[k]).abs() > f64::EPSILON * value.abs();
            tau[k] = value;
        }
        if !moved {
            break;
        }
    }
    // Those between their bounds, to the last digits.
    let free = |k: usize| match disc(k) {
        Some(disc) => disc.spares(tau),
        None => tau[k] > bounds[k].0 && tau[k] < bounds[k].1,
    };
    let inside: Vec<usize> = (0..n).filter(|k| free(*k)).collect();
    let chosen = independent(g, n, &inside);
    let mut matrix = vec![0.0; chosen.len() * chosen.len()];
    let mut side: Vec<f64> = chosen.iter().map(|k| -slope(tau, *k)).collect();
    for (i, k) in chosen.iter().enumerate() {
        for (j, l) in chosen.iter().enumerate() {
            matrix[i * chosen.len() + j] = g[k * n + l];
        }
    }
    if eliminate(&mut matrix, &mut side).is_some() {
        for (k, more) in chosen.iter().zip(&side) {
            tau[*k] = (tau[*k] + more).clamp(bounds[*k].0, bounds[*k].1.max(bounds[*k].0));
        }
    }
}

/// Those of some coordinates that are independent of each other: the best pivots of a Cholesky factorisation, in their order.
pub fn independent(g: &[f64], n: usize, among: &[usize]) -> Vec<usize> {
    let m = among.len();
    let mut rest: Vec<f64> = among.iter().flat_map(|k| among.iter().map(move |l| g[k * n + l])).collect();
    // Torques and forces do not compare: each pivot against its own first value.
    let first: Vec<f64> = (0..m).map(|i| rest[i * m + i]).collect();
    let mut left: Vec<usize> = (0..m).collect();
    let mut chosen = Vec::new();
    while let Some(place) = (0..left.len()).max_by(|x, y| {
        let share = |i: usize| if first[i] > 0.0 { rest[i * m + i] / first[i] } else { 0.0 };
        // The first of equals.
        share(left[*x]).total_cmp(&share(left[*y])).then(y.cmp(x))
    }) {
        let p = left.remove(place);
        let pivot = rest[p * m + p];
        if pivot <= DEPENDENT * first[p] || pivot.is_nan() {
            break;
        }
        chosen.push(among[p]);
        for i in 0..m {
            let factor = rest[i * m + p] / pivot;
            for j in 0..m {
                if i != p && j != p {
                    rest[i * m + j] -= factor * rest[p * m + j];
                }
            }
        }
    }
    chosen.sort_unstable();
    chosen
}

/// The least share ρ of their bounds with which efforts of several coordinates can together bear what the holds of a few must: efforts t of these, to
/// which effort k adds `ways[k]` (one for each of the few). Above one they cannot. Returns ρ and the efforts.
pub fn hold_share(t: &[f64], ways: &[Vec<f64>], bounds: &[(f64, f64)]) -> (f64, Vec<f64>) {
    /// Halvings of the share: to rounding.
    const HALVINGS: usize = 50;
    let (few, n) = (t.len(), ways.len());
    if let [t] = t {
        // One hold: all at the same share of their bounds, each in the sense that helps.
        let helps = |k: usize| if t * ways[k][0] < 0.0 { bounds[k].0 } else { bounds[k].1 };
        let most: f64 = (0..n).map(|k| (ways[k][0] * helps(k)).abs()).sum();
        let share = if *t == 0.0 { 0.0 } else { t.abs() / most };
        // Without any bound nothing is borne but by the hold itself.
        return match share.is_finite() {
            true => (share, (0..n).map(|k| if ways[k][0] == 0.0 { 0.0 } else { share * helps(k) }).collect()),
            false => (f64::MAX, vec![0.0; n]),
        };
    }
    // Borne as least squares in a box: G = W Wᵀ, a = −W t, with parts of t measured by what can bear them.
    let size: Vec<f64> = (0..few)
        .map(|i| (0..n).map(|k| ways[k][i].abs() * bounds[k].1.max(-bounds[k].0)).sum::<f64>().max(t[i].abs()))
        .map(|size| if size > 0.0 { size } else { 1.0 })
        .collect();
    let way = |k: usize, i: usize| ways[k][i] / size[i];
    let g: Vec<f64> = (0..n * n).map(|e| (0..few).map(|i| way(e / n, i) * way(e % n, i)).sum()).collect();
    let a: Vec<f64> = (0..n).map(|k| -(0..few).map(|i| way(k, i) * t[i] / size[i]).sum::<f64>()).collect();
    let borne = |share: f64| {
        let scaled: Vec<(f64, f64)> = bounds.iter().map(|(low, high)| (share * low, share * high)).collect();
        let mut tau = vec![0.0; n];
        settle_box(&g, &a, &scaled, &mut tau);
        let off = (0..few).map(|i| ((0..n).map(|k| way(k, i) * tau[k]).sum::<f64>() - t[i] / size[i]).abs());
        (off.fold(0.0, f64::max) <= 1e-12, tau)
    };
    let (mut low, mut high) = (0.0, 1.0);
    let mut found = borne(high);
    while !found.0 && high < 1e6 {
        (low, high) = (high, 2.0 * high);
        found = borne(high);
    }
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        let now = borne(middle);
        if now.0 {
            (high, found) = (middle, now);
        } else {
            low = middle;
        }
    }
    (high, found.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Roundings of a few operations.
    const ROUNDING: f64 = 1e-12;

    /// Two coordinates that are one: the box holds as much as both together, and the acceleration left is the same whichever order.
    #[test]
    fn joints_of_one_freedom_bear_together() {
        let g = [1.0, 2.0, 2.0, 4.0];
        for (a, left) in [([2.5, 5.0], 0.0), ([4.0, 8.0], 1.0)] {
            let mut tau = [0.0; 2];
            settle_box(&g, &a, &[(-1.0, 1.0); 2], &mut tau);
            let rest = a[0] + g[0] * tau[0] + g[1] * tau[1];
            assert!((rest - left).abs() < ROUNDING, "{rest} where {left} is due");
        }
        assert_eq!(independent(&g, 2, &[0, 1]).len(), 1);
        let (share, _) = hold_share(&[1.5], &[vec![1.0], vec![2.0]], &[(-1.0, 1.0); 2]);
        assert!((share - 0.5).abs() < 1e-9, "{share}");
    }
}
