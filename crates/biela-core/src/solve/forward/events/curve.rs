//! What is watched over a step: a polynomial through values at a few places, and how far it may be off.

use super::PLACES;
use crate::math::{Interval, Series};

/// A coordinate or rate over a step: a polynomial in s, and how far it may be off.
#[derive(Debug, Clone, Default)]
pub(super) struct Curve {
    powers: [f64; 5],
    off: f64,
}

impl Curve {
    /// Through values at the first five places; off by a multiple of what it is off at the others.
    pub(super) fn through(values: &[f64; PLACES.len()]) -> Curve {
        /// The largest error of such a polynomial is less than twice that at these two places, were it a power alone.
        const SAFETY: f64 = 4.0;
        /// Of a value, by the ten operations of the polynomial.
        const ROUNDING: f64 = 1e-14;
        let mut d = [0.0; 5];
        d.copy_from_slice(&values[..5]);
        for level in 1..5 {
            for i in (level..5).rev() {
                d[i] = (d[i] - d[i - 1]) / (PLACES[i] - PLACES[i - level]);
            }
        }
        let mut powers = [0.0; 5];
        for i in (0..5).rev() {
            for k in (0..5).rev() {
                powers[k] = if k > 0 { powers[k - 1] } else { 0.0 } - PLACES[i] * powers[k];
            }
            powers[0] += d[i];
        }
        let at = |s: f64| powers.iter().rev().fold(0.0, |sum, c| sum * s + c);
        let off = |place: usize| (at(PLACES[place]) - values[place]).abs();
        let size = values.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        Curve { powers, off: SAFETY * off(5).max(off(6)) + ROUNDING * size }
    }

    /// Whether it is off by more than a smooth function is: gaps of shapes change their course where other places become the nearest.
    pub(super) fn is_rough(&self, mechanism: f64) -> bool {
        /// Of the largest value, and of the mechanism.
        const SMOOTH: (f64, f64) = (1e-6, 1e-9);
        let size = self.powers.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        self.off > (SMOOTH.0 * size).max(SMOOTH.1 * mechanism)
    }

    /// Taylor coefficients over a part of the step.
    pub(super) fn over(&self, s: Interval) -> Series<3> {
        let m = 0.5 * (s.low + s.high);
        let mut q = self.powers;
        for k in 0..5 {
            for i in (k..4).rev() {
                q[i] += m * q[i + 1];
            }
        }
        // About the middle the powers of what is left are small.
        let x = Series::line(s - Interval::point(m), 1.0);
        let value = q.iter().rev().fold(Series::constant(0.0), |sum: Series<3>, c| sum * x + Series::constant(*c));
        // An error that goes through zero at five places changes its slope by a few dozen times its size.
        let around = |factor: f64| Interval::between(-factor * self.off, factor * self.off);
        value + Series([around(1.0), around(40.0), around(400.0)])
    }
}
