//! Downhill on a sum of squares by Levenberg-Marquardt ([Levenberg 1944], [Marquardt 1963], as in MINPACK [Moré 1978]), by the
//! crate `levenberg-marquardt`. Bounds are kept by p = mid + half·sin u.

use super::way::Way;
use crate::math::Elementary;
use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt, TerminationReason};
use nalgebra::{DMatrix, DVector, Dyn, Owned};
use std::cell::Cell;

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
    let u = DVector::from_iterator(start.len(), start.iter().zip(&way.of.goal.bounds).map(inverse));
    let problem = Problem { way, u, count: Cell::new(0) };
    let method = LevenbergMarquardt::new()
        .with_ftol(TOLERANCE)
        .with_xtol(TOLERANCE)
        .with_gtol(0.0)
        .with_stepbound(STRIDE)
        .with_patience(way.of.goal.iterations.div_ceil(start.len() + 1).max(1));
    match method.minimize(problem).1.termination {
        TerminationReason::ResidualsZero => "met exactly",
        TerminationReason::Orthogonal | TerminationReason::Converged { .. } => "converged",
        TerminationReason::NoImprovementPossible(_) => "converged to rounding",
        TerminationReason::LostPatience => "iterations spent",
        _ => "ended early",
    }
}

/// The sum of squares in unbounded variables u.
struct Problem<'w, 'a, 'd> {
    way: &'w Way<'a, 'd>,
    u: DVector<f64>,
    /// Number of differences, once known.
    count: Cell<usize>,
}

impl Problem<'_, '_, '_> {
    fn values(&self) -> Vec<f64> {
        let value = |(u, (least, greatest)): (&f64, &(f64, f64))| {
            let value = least + 0.5 * (greatest - least) * (1.0 + u.sine());
            value.clamp(*least, *greatest)
        };
        self.u.iter().zip(&self.way.of.goal.bounds).map(value).collect()
    }
}

impl LeastSquaresProblem<f64, Dyn, Dyn> for Problem<'_, '_, '_> {
    type ResidualStorage = Owned<f64, Dyn>;
    type JacobianStorage = Owned<f64, Dyn, Dyn>;
    type ParameterStorage = Owned<f64, Dyn>;

    fn set_params(&mut self, u: &DVector<f64>) {
        self.u.copy_from(u);
    }

    fn params(&self) -> DVector<f64> {
        self.u.clone()
    }

    fn residuals(&self) -> Option<DVector<f64>> {
        if !(self.way.go_on)() {
            return None;
        }
        match self.way.look(&self.values(), false) {
            Some(outcome) => {
                self.count.set(outcome.differences.len());
                Some(DVector::from_vec(outcome.differences))
            }
            // A design that cannot be is far worse than the best so far: the step is refused and a shorter one tried.
            None => {
                let count = self.count.get();
                let each = 10.0 * (self.way.least()? / count.max(1) as f64).sqrt().max(1e-150);
                (count > 0).then(|| DVector::from_element(count, each))
            }
        }
    }

    fn jacobian(&self) -> Option<DMatrix<f64>> {
        let outcome = self.way.look(&self.values(), true)?;
        let mut matrix = DMatrix::zeros(outcome.differences.len(), self.u.len());
        for (j, slopes) in outcome.slopes.iter().enumerate() {
            let (least, greatest) = self.way.of.goal.bounds[j];
            let inner = 0.5 * (greatest - least) * self.u[j].cosine();
            for (i, slope) in slopes.differences.iter().enumerate() {
                matrix[(i, j)] = slope * inner;
            }
        }
        Some(matrix)
    }
}
