//! Steps that pass a position in which rows become dependent.
//!
//! At a distance x from such a position rounding in the accelerations grows as 1/x². No stage may come too near, and shorter
//! steps only bring more of them there. So a step is placed such that the position falls into the widest gap between its stages.

use super::dormand_prince::C;

/// Where in the step the singular position should lie: in the middle of the gap between the stages at 0.3 and 0.8.
const PLACE: f64 = 0.55;
/// Nearest a stage may come, in lengths of the step.
const NEAR: f64 = 0.15;
/// Largest error of a step that is taken for rounding.
const MOST: f64 = 1e-9;
/// Steps this much longer than the one asked for are still made.
const LONGER: f64 = 1.1;

/// A step near a singular position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crossing {
    /// Where in the step the position lies, in lengths of the step; may be outside.
    at: f64,
    /// Least independence of rows at a stage, and its change over the step.
    least: f64,
    slope: f64,
}

impl Crossing {
    /// From the independence of rows found at the stages: the absolute value of a linear function that vanishes at the singular
    /// position; `None` where it is nothing like it.
    pub fn find(values: &[f64]) -> Option<Crossing> {
        /// Largest misfit, against the largest value.
        const MISFIT: f64 = 0.1;
        let nodes = &C[..6];
        let n = nodes.len() as f64;
        let (least, most) = values.iter().fold((f64::INFINITY, 0.0f64), |(a, b), x| (a.min(*x), b.max(*x)));
        let mut best = (MISFIT * most, None);
        // Stages from `turn` on lie beyond the position.
        for turn in 1..=nodes.len() {
            let signed = |k: usize| if k < turn { values[k] } else { -values[k] };
            let (mut c, mut y, mut cc, mut cy) = (0.0, 0.0, 0.0, 0.0);
            for (k, node) in nodes.iter().enumerate() {
                c += node / n;
                y += signed(k) / n;
                cc += node * node / n;
                cy += node * signed(k) / n;
            }
            let slope = (cy - c * y) / (cc - c * c);
            let misfit = (0..nodes.len()).map(|k| (signed(k) - y - slope * (nodes[k] - c)).abs()).fold(0.0, f64::max);
            if misfit < best.0 {
                best = (misfit, Some(Crossing { at: c - y / slope, least, slope: slope.abs() }));
            }
        }
        best.1
    }

    /// Lengths of this step and of the next one where a step of length h has a stage too near the singular position.
    pub fn place(&self, h: f64) -> Option<(f64, Option<f64>)> {
        let nearest = C.iter().map(|c| (c - self.at).abs()).fold(f64::INFINITY, f64::min);
        if nearest.is_nan() || nearest > NEAR || self.at < NEAR {
            return None;
        }
        let length = self.at * h / PLACE;
        if length <= LONGER * h {
            return Some((length, None));
        }
        Some(((self.at - PLACE) * h, Some(h)))
    }

    /// Error of a step of length h by rounding alone: what rows are off by, ε, lets the position be off by ε/x where x is
    /// their independence, and the acceleration by 2 ε ẋ²/x³.
    pub fn rounding(&self, h: f64) -> f64 {
        /// Roundings in a row, and share of a stage in the estimate of the error.
        const FEW: f64 = 20.0 * f64::EPSILON * 0.05;
        (FEW * 2.0 * self.slope * self.slope / (self.least.powi(3) * h)).min(MOST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crossing_of_a_line_is_found_and_moved_into_the_gap() {
        for at in [0.16, 0.25, 0.31, 0.7, 0.8, 0.95, 1.1] {
            let values = C.map(|c| 3.0 * (c - at).abs());
            let crossing = Crossing::find(&values).unwrap();
            assert!((crossing.at - at).abs() < 1e-9, "{at}");
            let (h, next) = crossing.place(2.0).unwrap();
            let begins = if next.is_some() { h } else { 0.0 };
            let step = next.unwrap_or(h);
            assert!(((2.0 * at - begins) / step - PLACE).abs() < 1e-9, "{at}: {h}, {next:?}");
        }
        let none = |f: fn(f64) -> f64| Crossing::find(&C.map(f)).and_then(|p| p.place(1.0)).is_none();
        assert!(none(|c| (c - 0.5).abs()));
        assert!(none(|c| 2.0 - c));
        assert!(none(|c| 1.0 + c));
        assert!(none(|_| 1.0));
    }
}
