//! The least sum of squares by Levenberg and Marquardt ([Levenberg 1944], [Marquardt 1963]) with the trust region of [Moré 1978],
//! as in MINPACK.
//!
//! At x with differences r and slopes J, the step p minimises |r + J p|² among those with |D p| ≤ Δ; D are the greatest lengths of
//! J's columns so far. With J D⁻¹ = U S Vᵀ it is D p = −Σ vₖ gₖ/(sₖ² + λ), gₖ = sₖ uₖ·r, and λ ≥ 0 is found so that its
//! length is Δ to a tenth. What a step brings against what the slopes promised decides about the step and about the next Δ.

use crate::dense::{dot, Matrix};

/// Differences whose squares are summed, and their slopes; `None` ends the descent.
pub trait Squares {
    /// The differences at `x`.
    fn differences(&mut self, x: &[f64]) -> Option<Vec<f64>>;
    /// How each difference (a row) changes with each entry of `x` (a column).
    fn slopes(&mut self, x: &[f64]) -> Option<Matrix>;
}

/// Why a descent ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ended {
    /// All differences are zero.
    Exact,
    /// No way leads down, or what is left to gain is below the tolerance.
    Converged,
    /// What is left to gain is below rounding.
    Rounding,
    /// The evaluations are spent.
    Spent,
    /// Differences or slopes are not to be had.
    Stopped,
}

/// How to go downhill.
#[derive(Debug, Clone, Copy)]
pub struct LevenbergMarquardt {
    /// Changes of the sum and of x, against themselves, below which a descent ends.
    pub tolerance: f64,
    /// The first Δ against |D x|.
    pub stride: f64,
    /// How often differences may be asked for.
    pub evaluations: usize,
}

/// Share of what was promised that a step must bring to be taken.
const LEAST_GAIN: f64 = 1e-4;
/// How far from Δ the length of a step may be, against Δ.
const SLACK: f64 = 0.1;

impl LevenbergMarquardt {
    /// Goes downhill from `x`, which is then the best that was found.
    pub fn descend(&self, of: &mut impl Squares, x: &mut [f64]) -> Ended {
        let Some(mut differences) = of.differences(x) else { return Ended::Stopped };
        let mut left = self.evaluations.saturating_sub(1);
        let mut scale = vec![0.0f64; x.len()];
        let (mut radius, mut damping) = (None, 0.0);
        loop {
            let length = dot(&differences, &differences).sqrt();
            if length == 0.0 {
                return Ended::Exact;
            }
            let Some(slopes) = of.slopes(x) else { return Ended::Stopped };
            widen(&mut scale, &slopes);
            let axes = Axes::new(&slopes, &scale, &differences);
            if !length.is_finite() || axes.steepness.is_nan() {
                return Ended::Stopped;
            }
            if axes.steepness <= f64::EPSILON * length {
                return Ended::Converged;
            }
            let size = weighted(&scale, x);
            let first = radius.is_none();
            let mut trust = radius.unwrap_or(if size == 0.0 { self.stride } else { self.stride * size });
            loop {
                damping = axes.damping(trust, damping);
                let step = axes.step(damping);
                let reach = dot(&step, &step).sqrt();
                if first {
                    trust = trust.min(reach);
                }
                let trial: Vec<f64> = x.iter().zip(&step).zip(&scale).map(|((x, p), d)| x + p / d).collect();
                if left == 0 {
                    return Ended::Spent;
                }
                left -= 1;
                let Some(found) = of.differences(&trial) else { return Ended::Stopped };
                let ratio = dot(&found, &found).sqrt() / length;
                let gain = if 0.1 * ratio < 1.0 { 1.0 - ratio * ratio } else { -1.0 };
                let (straight, damped) = (axes.straight(damping) / length.powi(2), damping * (reach / length).powi(2));
                let promise = straight + 2.0 * damped;
                let worth = if promise == 0.0 { 0.0 } else { gain / promise };
                if worth <= 0.25 {
                    let slope = -(straight + damped);
                    let shrink = if gain >= 0.0 { 0.5 } else { 0.5 * slope / (slope + 0.5 * gain) };
                    let shrink = if 0.1 * ratio >= 1.0 || shrink.is_nan() { 0.1 } else { shrink.max(0.1) };
                    trust = shrink * trust.min(10.0 * reach);
                    damping /= shrink;
                } else if damping == 0.0 || worth >= 0.75 {
                    trust = 2.0 * reach;
                    damping *= 0.5;
                }
                radius = Some(trust);
                let taken = worth >= LEAST_GAIN;
                if taken {
                    x.copy_from_slice(&trial);
                    differences = found;
                }
                let size = weighted(&scale, x);
                let below =
                    |bound: f64| gain.abs() <= bound && promise <= bound && worth <= 2.0 || trust <= bound * size;
                if below(self.tolerance) {
                    return Ended::Converged;
                }
                if below(f64::EPSILON) {
                    return Ended::Rounding;
                }
                if taken {
                    break;
                }
            }
        }
    }
}

/// Makes each scale at least the length of its column; one that is still nothing is 1.
fn widen(scale: &mut [f64], slopes: &Matrix) {
    for (j, scale) in scale.iter_mut().enumerate() {
        let square: f64 = (0..slopes.rows).map(|i| slopes.row(i)[j].powi(2)).sum();
        *scale = scale.max(square.sqrt());
        if *scale == 0.0 {
            *scale = 1.0;
        }
    }
}

/// |D x|.
fn weighted(scale: &[f64], x: &[f64]) -> f64 {
    scale.iter().zip(x).map(|(d, x)| (d * x).powi(2)).sum::<f64>().sqrt()
}

/// The scaled slopes by their principal axes.
struct Axes {
    /// sₖ², gₖ and vₖ of those that are not nothing beside the greatest.
    all: Vec<(f64, f64, Vec<f64>)>,
    /// |D⁻¹ Jᵀ r|.
    steepness: f64,
    count: usize,
}

impl Axes {
    fn new(slopes: &Matrix, scale: &[f64], differences: &[f64]) -> Axes {
        let (rows, count) = (slopes.rows, scale.len());
        let mut scaled = slopes.clone();
        for i in 0..rows {
            scaled.row_mut(i).iter_mut().zip(scale).for_each(|(entry, d)| *entry /= d);
        }
        let of = |vector: Vec<f64>| {
            let (u, v) = vector.split_at(rows);
            (dot(u, u), dot(u, differences), v.to_vec())
        };
        let mut all: Vec<_> = scaled.principal_columns().into_iter().map(of).collect();
        let steepness = all.iter().map(|axis| axis.1 * axis.1).sum::<f64>().sqrt();
        let greatest = all.iter().fold(0.0f64, |most, axis| most.max(axis.0));
        let least = greatest * (f64::EPSILON * count as f64).powi(2);
        all.retain(|axis| axis.0 > least);
        Axes { all, steepness, count }
    }

    /// D p for a damping λ.
    fn step(&self, damping: f64) -> Vec<f64> {
        let mut step = vec![0.0; self.count];
        for (s, g, v) in &self.all {
            let factor = g / (s + damping);
            step.iter_mut().zip(v).for_each(|(p, v)| *p -= factor * v);
        }
        step
    }

    /// |J p|².
    fn straight(&self, damping: f64) -> f64 {
        self.all.iter().map(|(s, g, _)| s * (g / (s + damping)).powi(2)).sum()
    }

    /// |D p| and −|D p| d|D p|/dλ.
    fn reach(&self, damping: f64) -> (f64, f64) {
        let square = |(s, g, _): &(f64, f64, Vec<f64>)| (g / (s + damping)).powi(2);
        let squares: f64 = self.all.iter().map(square).sum();
        let fall: f64 = self.all.iter().map(|axis| square(axis) / (axis.0 + damping)).sum();
        (squares.sqrt(), fall)
    }

    /// λ for which |D p| is Δ to a tenth, or 0 where the whole step is not longer; `guess` is the last one.
    fn damping(&self, trust: f64, guess: f64) -> f64 {
        let (reach, fall) = self.reach(0.0);
        if reach - trust <= SLACK * trust {
            return 0.0;
        }
        let mut low = if self.all.len() == self.count { (reach - trust) / trust * reach * reach / fall } else { 0.0 };
        let mut high = (self.steepness / trust).max(f64::MIN_POSITIVE);
        let mut damping = guess.clamp(low.min(high), high);
        if damping == 0.0 {
            damping = self.steepness / reach;
        }
        // Newton's method on a function nearly straight in λ: [Moré 1978] finds two steps enough on the average.
        for _ in 0..10 {
            let (reach, fall) = self.reach(damping);
            let excess = reach - trust;
            if excess.abs() <= SLACK * trust {
                break;
            }
            if excess > 0.0 {
                low = low.max(damping);
            } else {
                high = high.min(damping);
            }
            damping = (damping + excess / trust * reach * reach / fall).max(low);
        }
        damping
    }
}
