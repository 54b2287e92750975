//! Following one root while t moves: a prediction by Padé approximants of the path's Taylor series, with steps from where its
//! nearest singularity and its error are estimated, and Newton's method to correct it ([Telen 2020], [Timme 2021]).

use crate::complex::{length, Complex};
use crate::homotopy::{Evaluation, Homotopy};
use crate::lu::Lu;
use crate::row::ORDER;
use biela_math::Elementary;

/// Share of the distance to the nearest singularity that a step may take.
const REACH: f64 = 0.6;
/// Relative size of a correction after which Newton's method has nothing left to correct.
const SETTLED: f64 = 1e-8;
/// Share of the tolerance below which the last term of a series is nothing.
const NOTHING: f64 = 1e-4;
/// Relative motion that is rounding.
const STILL: f64 = 1e-13;
/// Corrections after which a step is too long.
const CORRECTIONS: usize = 4;
/// Relative size of a first correction that is never taken.
const FARTHEST: f64 = 0.03;
/// Share of a point's length below which a coordinate is taken for this large when changes are told relative to it.
const LITTLE: f64 = 1e-8;
/// Least step against the distance to go.
const LEAST: f64 = 1e-13;

/// How carefully paths are followed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Care {
    /// Relative error that a prediction aims at.
    pub tolerance: f64,
    /// How much smaller each correction must be than the one before.
    pub contraction: f64,
    /// Steps after which a path is given up.
    pub steps: usize,
    /// Whether singular ends must fulfil the equations to rounding, and not only to their own error.
    pub exact: bool,
}

impl Care {
    /// Levels of care: each after the first is for paths that met at the one before.
    pub fn level(k: i32) -> Care {
        let finer = 10f64.powi(-2 * k);
        Care { tolerance: 1e-3 * finer, contraction: 0.1 / f64::from(1 + 3 * k), steps: 4000 << k, exact: k > 0 }
    }
}

/// Why a path could not be followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lost {
    /// Steps became too small: a singularity.
    Singular,
    /// More steps than are allowed.
    Long,
}

/// Follows paths of one homotopy.
#[derive(Debug)]
pub(crate) struct Tracker<'h> {
    pub homotopy: &'h Homotopy,
    pub evaluation: Evaluation,
    pub care: Care,
    /// Steps taken since the path began.
    pub steps: usize,
    lu: Lu,
    value: Vec<Complex>,
    predicted: Vec<Complex>,
    series: Vec<Vec<Complex>>,
}

impl<'h> Tracker<'h> {
    pub fn new(homotopy: &'h Homotopy, care: Care) -> Tracker<'h> {
        let n = homotopy.n;
        let zeros = vec![Complex::ZERO; n];
        Tracker {
            homotopy,
            evaluation: Evaluation::new(homotopy),
            care,
            steps: 0,
            lu: Lu::new(n),
            value: zeros.clone(),
            predicted: zeros.clone(),
            series: vec![zeros; ORDER + 1],
        }
    }

    /// Follows `x` from one t to another along a line, or to where it is lost: `t` is then where it was last. Where `renormalise`
    /// is set the scale of `x` is chosen anew at every step.
    pub fn follow(&mut self, x: &mut [Complex], t: &mut Complex, to: Complex, renormalise: bool) -> Result<(), Lost> {
        let mut most = f64::INFINITY;
        while *t != to {
            let distance = (to - *t).norm();
            let direction = (to - *t).times(1.0 / distance);
            if renormalise {
                self.evaluation.normalise(self.homotopy, x);
            }
            let reach = self.expand(x, *t, direction).ok_or(Lost::Singular)?;
            let mut step = self.length(x, reach).min(most).min(distance);
            loop {
                self.steps += 1;
                if self.steps > self.care.steps {
                    return Err(Lost::Long);
                }
                if step.is_nan() || step <= LEAST * t.norm().max(1e-3) {
                    return Err(Lost::Singular);
                }
                // A remainder that is a tenth of a step is not left over.
                let last = step >= 0.9 * distance;
                let there = if last { to } else { *t + direction.times(step) };
                self.predict(if last { distance } else { step });
                let mut guess = std::mem::take(&mut self.predicted);
                let corrected = self.correct(&mut guess, there);
                if corrected {
                    x.copy_from_slice(&guess);
                    *t = there;
                }
                self.predicted = guess;
                if corrected {
                    most = 3.0 * step;
                    break;
                }
                step *= 0.4;
            }
        }
        Ok(())
    }

    /// The path's series at a point, and how far away its nearest singularity seems.
    pub fn expand(&mut self, x: &[Complex], t: Complex, direction: Complex) -> Option<f64> {
        self.series[0].copy_from_slice(x);
        self.evaluation.evaluate(self.homotopy, x, t, &mut self.value, self.lu.matrix());
        if self.lu.factor() == 0.0 {
            return None;
        }
        let lu = &mut self.lu;
        self.evaluation.taylor(self.homotopy, (t, direction), &mut self.series, |right| lu.solve(right));
        let size = |k: usize| length(&self.series[k]);
        let last = size(ORDER);
        // Ratios of coefficients tend to the distance of the nearest singularity (Fabry); the second looks past a small one.
        Some((size(ORDER - 1) / last).min((size(ORDER - 2) / last).sqrt()))
            .filter(|r| !r.is_nan())
            .or(Some(f64::INFINITY))
    }

    /// Whether the path, whose series is known, moves by no more than rounding within a distance.
    pub fn is_still(&self, distance: f64) -> bool {
        let moved = (1..=ORDER).map(|k| length(&self.series[k]) * distance.powi(k as i32)).sum::<f64>();
        moved < STILL * length(&self.series[0])
    }

    /// Length of the next step.
    fn length(&self, x: &[Complex], reach: f64) -> f64 {
        let root = |x: f64, degree: usize| match x.is_finite() {
            true => x.power(1.0 / degree as f64),
            false => f64::INFINITY,
        };
        let last = length(&self.series[ORDER]) / length(x);
        let by_error = root(self.care.tolerance * reach / last, ORDER + 1);
        // Terms that are rounding alone tell nothing of singularities.
        let settled = root(NOTHING * self.care.tolerance / last, ORDER);
        by_error.min(REACH * reach).max(settled)
    }

    /// The point of the path at a distance, by the approximant with one pole of each coordinate.
    fn predict(&mut self, s: f64) {
        const K: usize = ORDER;
        for i in 0..self.homotopy.n {
            let a = |k: usize| self.series[k][i];
            let plain = (0..K - 1).rev().fold(Complex::ZERO, |sum, k| sum.times(s) + a(k));
            let (last, next) = (a(K - 1), a(K));
            let power = s.powi(K as i32 - 1);
            let pole = last - next.times(s);
            // Where the pole is near or the last term nothing, the series as it stands.
            let tail = match next.norm() * s < 0.9 * last.norm() {
                true => last * last / pole,
                false => last + next.times(s),
            };
            self.predicted[i] = plain + tail.times(power);
        }
    }

    /// Newton's method; false where it does not converge as it should so near to a root.
    fn correct(&mut self, x: &mut [Complex], t: Complex) -> bool {
        let mut before = f64::INFINITY;
        for k in 0..CORRECTIONS {
            let Some(correction) = self.newton(x, t) else { return false };
            // A correction far above what the prediction aimed at tells of another path.
            let most =
                if k == 0 { (100.0 * self.care.tolerance).min(FARTHEST) } else { self.care.contraction * before };
            if correction > most.max(1e-13) {
                return false;
            }
            if correction <= SETTLED {
                return true;
            }
            before = correction;
        }
        false
    }

    /// One correction: its length against that of x.
    pub fn newton(&mut self, x: &mut [Complex], t: Complex) -> Option<f64> {
        self.evaluation.evaluate(self.homotopy, x, t, &mut self.value, self.lu.matrix());
        if self.lu.factor() == 0.0 {
            return None;
        }
        self.lu.solve(&mut self.value);
        x.iter_mut().zip(&self.value).for_each(|(x, d)| *x -= *d);
        Some(length(&self.value) / length(x)).filter(|c| c.is_finite())
    }

    /// Largest residual of a point at t = 0, its groups scaled to length one.
    pub fn residual(&mut self, x: &[Complex]) -> f64 {
        let mut x = x.to_vec();
        let kept = self.evaluation.patch.clone();
        self.evaluation.normalise(self.homotopy, &mut x);
        self.evaluation.evaluate(self.homotopy, &x, Complex::ZERO, &mut self.value, self.lu.matrix());
        self.evaluation.patch = kept;
        self.value.iter().map(|v| v.norm()).fold(0.0, f64::max)
    }

    /// How small the least pivot of the Jacobian at a point is against the greatest. Rows of circuits are divided by how large they would be if nothing
    /// in them cancelled, and columns belong to relative changes: what is small only because coordinates are is not singular.
    pub fn pivots(&mut self, x: &[Complex], t: Complex) -> f64 {
        self.evaluation.evaluate(self.homotopy, x, t, &mut self.value, self.lu.matrix());
        if let Some(sizes) = self.evaluation.sizes(self.homotopy, x, t) {
            let n = self.homotopy.n;
            for (i, row) in self.lu.matrix().chunks_exact_mut(n).enumerate() {
                let size = sizes.get(i).copied().unwrap_or(1.0);
                row.iter_mut().zip(x).for_each(|(c, x)| *c = c.times(x.norm().max(LITTLE) / size));
            }
        }
        self.lu.factor()
    }
}
