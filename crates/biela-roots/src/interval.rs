//! Complex numbers enclosed in rectangles, by intervals that are rounded outward.

use crate::complex::Complex;
use biela_math::Interval;

/// All complex numbers with real and imaginary parts between bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rectangle {
    pub re: Interval,
    pub im: Interval,
}

impl Rectangle {
    /// The square about a number, with half its side.
    pub fn about(z: Complex, radius: f64) -> Rectangle {
        let side = |x: f64| Interval { low: (x - radius).next_down(), high: (x + radius).next_up() };
        Rectangle { re: side(z.re), im: side(z.im) }
    }

    /// True where no number is in both.
    pub fn apart(self, o: Rectangle) -> bool {
        let apart = |a: Interval, b: Interval| a.high < b.low || b.high < a.low;
        apart(self.re, o.re) || apart(self.im, o.im)
    }
}
