//! Times at which a curve comes nearest to points that follow each other on it, where no times are prescribed.

use crate::plan::reduction::at;

/// A sampled curve: times, and one list of values for each of its coordinates.
#[derive(Debug, Clone)]
pub(super) struct Sampled {
    pub t: Vec<f64>,
    pub values: Vec<Vec<f64>>,
}

impl Sampled {
    fn distance(&self, k: usize, point: &[f64]) -> f64 {
        self.values.iter().zip(point).map(|(x, p)| (x[k] - p).powi(2)).sum()
    }

    /// Whether the curve ends where it began, to a small share of its extent.
    pub fn is_closed(&self) -> bool {
        const SAME: f64 = 1e-6;
        let extent = |x: &Vec<f64>| {
            let least = x.iter().copied().fold(f64::INFINITY, f64::min);
            x.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least
        };
        let gap = |x: &Vec<f64>| x.last().zip(x.first()).map_or(f64::INFINITY, |(a, b)| (a - b).abs());
        let largest = self.values.iter().map(extent).fold(0.0, f64::max);
        self.t.len() > 3 && self.values.iter().all(|x| gap(x) <= SAME * largest)
    }

    /// The curve with a few samples of the next and the last turn at its ends, so that nothing ends there.
    fn wrapped(&self) -> Sampled {
        const MORE: usize = 3;
        let n = self.t.len();
        let turn = self.t[n - 1] - self.t[0];
        let round = |x: &[f64], by: f64| -> Vec<f64> {
            let before = x[n - 1 - MORE..n - 1].iter().map(|x| x - by);
            let after = x[1..=MORE].iter().map(|x| x + by);
            before.chain(x.iter().copied()).chain(after).collect()
        };
        Sampled { t: round(&self.t, turn), values: self.values.iter().map(|x| round(x, 0.0)).collect() }
    }

    /// The time near sample `k` at which the curve, by cubics through its samples, is nearest to a point.
    fn refined(&self, k: usize, point: &[f64]) -> f64 {
        /// Shrinks the interval to the root of the rounding, which is all that a least value can be told by.
        const STEPS: usize = 40;
        const GOLDEN: f64 = 0.618_033_988_749_894_9;
        let distance =
            |t: f64| self.values.iter().zip(point).map(|(x, p)| (at(&self.t, x, t) - p).powi(2)).sum::<f64>();
        let (mut a, mut b) = (self.t[k.saturating_sub(1)], self.t[(k + 1).min(self.t.len() - 1)]);
        let (mut c, mut d) = (b - GOLDEN * (b - a), a + GOLDEN * (b - a));
        let (mut at_c, mut at_d) = (distance(c), distance(d));
        for _ in 0..STEPS {
            if at_c < at_d {
                (b, d, at_d) = (d, c, at_c);
                c = b - GOLDEN * (b - a);
                at_c = distance(c);
            } else {
                (a, c, at_c) = (c, d, at_d);
                d = a + GOLDEN * (b - a);
                at_d = distance(d);
            }
        }
        0.5 * (a + b)
    }

    /// Times of the points, in their order, such that they follow each other along the curve, forwards or backwards, and the
    /// squared distances are least in all.
    pub fn times(&self, points: &[Vec<f64>]) -> Vec<f64> {
        let closed = self.is_closed();
        // On a closed curve the last sample is the first.
        let count = self.t.len() - usize::from(closed);
        let costs: Vec<Vec<f64>> = points.iter().map(|p| (0..count).map(|k| self.distance(k, p)).collect()).collect();
        let backwards: Vec<Vec<f64>> = costs.iter().rev().cloned().collect();
        let (forth, back) = (assigned(&costs, closed), assigned(&backwards, closed));
        let places = match back.0 < forth.0 {
            true => back.1.into_iter().rev().collect(),
            false => forth.1,
        };
        let (curve, shift) = if closed { (self.wrapped(), 3) } else { (self.clone(), 0) };
        let (start, end) = (self.t[0], self.t[self.t.len() - 1]);
        let time = |(k, point): (&usize, &Vec<f64>)| {
            let t = curve.refined(k + shift, point);
            match closed {
                true if t < start => t + (end - start),
                true if t > end => t - (end - start),
                _ => t.clamp(start, end),
            }
        };
        places.iter().zip(points).map(time).collect()
    }
}

/// The sum of costs, least of all, and the places, for points that follow each other; round the end where the curve is closed.
/// There the first point is taken to lie where the curve comes nearer to it than before and after.
fn assigned(costs: &[Vec<f64>], closed: bool) -> (f64, Vec<usize>) {
    let count = costs[0].len();
    if !closed {
        return from(costs, 0, count);
    }
    let first = &costs[0];
    let is_least = |k: &usize| first[*k] <= first[(k + count - 1) % count] && first[*k] <= first[(k + 1) % count];
    let mut best = (f64::INFINITY, Vec::new());
    for start in (0..count).filter(is_least) {
        let found = from(costs, start, 1);
        if found.0 < best.0 {
            best = found;
        }
    }
    best
}

/// The same from sample `start` on, round the end, with the first point at one of the first `room` samples.
fn from(costs: &[Vec<f64>], start: usize, room: usize) -> (f64, Vec<usize>) {
    let count = costs[0].len();
    let place = |k: usize| (start + k) % count;
    // best[i][k]: least sum of the points up to i with the last of them at k; came[i][k]: where the one before then is.
    let mut best: Vec<f64> = (0..count).map(|k| if k < room { costs[0][place(k)] } else { f64::INFINITY }).collect();
    let mut came: Vec<Vec<usize>> = Vec::with_capacity(costs.len());
    for cost in &costs[1..] {
        let (mut least, mut from) = (f64::INFINITY, 0);
        let mut origin = Vec::with_capacity(count);
        let mut next = Vec::with_capacity(count);
        for k in 0..count {
            if best[k] < least {
                (least, from) = (best[k], k);
            }
            origin.push(from);
            next.push(least + cost[place(k)]);
        }
        best = next;
        came.push(origin);
    }
    let mut k = (0..count).min_by(|a, b| best[*a].total_cmp(&best[*b])).unwrap_or(0);
    let sum = best[k];
    let mut places = vec![place(k)];
    for origin in came.iter().rev() {
        k = origin[k];
        places.push(place(k));
    }
    places.reverse();
    (sum, places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    fn circle(samples: usize) -> Sampled {
        let t: Vec<f64> = (0..=samples).map(|k| TAU * k as f64 / samples as f64).collect();
        let values = vec![t.iter().map(|t| t.cos()).collect(), t.iter().map(|t| t.sin()).collect()];
        Sampled { t, values }
    }

    fn point(angle: f64, radius: f64) -> Vec<f64> {
        vec![radius * angle.cos(), radius * angle.sin()]
    }

    #[test]
    fn points_on_a_circle_are_found_round_its_end_and_backwards() {
        /// The cubic through samples h = 5° apart has slopes off by up to h³/12; seen from a point 0.3 off the circle they shift
        /// the foot by 0.3/1.3 of that, and the cubic's own error, 3h⁴/128, by less.
        const TOLERANCE: f64 = 1.5e-5;
        for angles in [[5.9, 6.2, 0.3, 1.0], [1.0, 0.3, 6.2, 5.9]] {
            let points: Vec<Vec<f64>> = angles.iter().map(|a| point(*a, 1.3)).collect();
            for (t, due) in circle(72).times(&points).iter().zip(angles) {
                assert!((t - due).abs() < TOLERANCE, "{t} {due}");
            }
        }
    }

    #[test]
    fn points_out_of_order_are_not_taken_one_by_one() {
        // The second point lies back of the first by a little: in order, both share a place between.
        let points = [point(1.0, 1.0), point(0.9, 1.0), point(2.0, 1.0), point(3.0, 1.0)];
        let t = circle(720).times(&points);
        // Refinement looks one sample to each side.
        assert!((t[0] - t[1]).abs() < 0.03 && t[2] > t[1] && t[3] > t[2], "{t:?}");
    }

    #[test]
    fn an_open_curve_has_ends() {
        let t: Vec<f64> = (0..=10).map(f64::from).collect();
        let line = Sampled { values: vec![t.clone(), vec![0.0; 11]], t };
        let found = line.times(&[vec![-3.0, 1.0], vec![2.25, 1.0], vec![12.0, 0.0]]);
        assert!(found[0].abs() < 1e-6 && (found[1] - 2.25).abs() < 1e-6 && (found[2] - 10.0).abs() < 1e-6, "{found:?}");
    }
}
