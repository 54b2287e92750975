//! Downhill on a sum of squares ([`crate::math::levenberg_marquardt`]). Bounds are kept by p = mid + half·sin u.

use super::way::Way;
use crate::math::dense::Matrix;
use crate::math::levenberg_marquardt::{Ended, LevenbergMarquardt, Squares};
use crate::math::Elementary;

/// Share of the range from its ends that a start keeps: at the very end the sine gives no way.
const MARGIN: f64 = 1e-3;
/// Changes of error and parameters below which a descent ends.
const TOLERANCE: f64 = 1e-13;
/// First step, against the start: starts are guesses, but valleys are narrow.
const STRIDE: f64 = 1.0;

/// Goes downhill and tells why it ended.
pub(super) fn descend(way: &Way, start: &[f64]) -> &'static str {
    let inverse = |(x, (least, greatest)): (&f64, &(f64, f64))| {
        let share = 2.0 * (x - least) / (greatest - least) - 1.0;
        share.clamp(MARGIN - 1.0, 1.0 - MARGIN).arcsine()
    };
    let mut u: Vec<f64> = start.iter().zip(&way.of.goal.bounds).map(inverse).collect();
    let rounds = way.of.goal.iterations.div_ceil(start.len() + 1).max(1);
    let method = LevenbergMarquardt { tolerance: TOLERANCE, stride: STRIDE, evaluations: rounds * (start.len() + 1) };
    match method.descend(&mut Problem { way, count: 0 }, &mut u) {
        Ended::Exact => "met exactly",
        Ended::Converged => "converged",
        Ended::Rounding => "converged to rounding",
        Ended::Spent => "iterations spent",
        Ended::Stopped => "ended early",
    }
}

/// The sum of squares in unbounded variables u.
struct Problem<'w, 'a, 'd> {
    way: &'w Way<'a, 'd>,
    /// Number of differences, once known.
    count: usize,
}

impl Problem<'_, '_, '_> {
    fn values(&self, u: &[f64]) -> Vec<f64> {
        let value = |(u, (least, greatest)): (&f64, &(f64, f64))| {
            let value = least + 0.5 * (greatest - least) * (1.0 + u.sine());
            value.clamp(*least, *greatest)
        };
        u.iter().zip(&self.way.of.goal.bounds).map(value).collect()
    }
}

impl Squares for Problem<'_, '_, '_> {
    fn differences(&mut self, u: &[f64]) -> Option<Vec<f64>> {
        if !(self.way.go_on)() {
            return None;
        }
        match self.way.look(&self.values(u), false) {
            Some(outcome) => {
                self.count = outcome.differences.len();
                Some(outcome.differences)
            }
            // A design that cannot be is far worse than the best so far: the step is refused and a shorter one tried.
            None => {
                let each = 10.0 * (self.way.least()? / self.count.max(1) as f64).sqrt().max(1e-150);
                (self.count > 0).then(|| vec![each; self.count])
            }
        }
    }

    fn slopes(&mut self, u: &[f64]) -> Option<Matrix> {
        let outcome = self.way.look(&self.values(u), true)?;
        let mut matrix = Matrix::zeros(outcome.differences.len(), u.len());
        for (j, slopes) in outcome.slopes.iter().enumerate() {
            let (least, greatest) = self.way.of.goal.bounds[j];
            let inner = 0.5 * (greatest - least) * u[j].cosine();
            for (i, slope) in slopes.differences.iter().enumerate() {
                matrix.row_mut(i)[j] = slope * inner;
            }
        }
        Some(matrix)
    }
}
