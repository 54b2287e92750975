//! Complex numbers enclosed in rectangles, by intervals that are rounded outward.

use crate::complex::Complex;
use crate::polynomial::Polynomial;
use biela_math::Interval;
use std::ops::{Add, Mul, Sub};

/// All complex numbers with real and imaginary parts between bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rectangle {
    pub re: Interval,
    pub im: Interval,
}

impl Rectangle {
    pub const ZERO: Rectangle = Rectangle { re: Interval::ZERO, im: Interval::ZERO };

    /// One number.
    pub fn point(z: Complex) -> Rectangle {
        Rectangle { re: Interval::point(z.re), im: Interval::point(z.im) }
    }

    /// The square about a number, with half its side.
    pub fn about(z: Complex, radius: f64) -> Rectangle {
        let side = |x: f64| Interval { low: (x - radius).next_down(), high: (x + radius).next_up() };
        Rectangle { re: side(z.re), im: side(z.im) }
    }

    /// Largest magnitude of a part.
    pub fn magnitude(self) -> f64 {
        self.re.magnitude().max(self.im.magnitude())
    }

    /// True where all of it lies inside another, not on its border.
    pub fn inside(self, o: Rectangle) -> bool {
        let within = |a: Interval, b: Interval| b.low < a.low && a.high < b.high;
        within(self.re, o.re) && within(self.im, o.im)
    }

    /// True where no number is in both.
    pub fn apart(self, o: Rectangle) -> bool {
        let apart = |a: Interval, b: Interval| a.high < b.low || b.high < a.low;
        apart(self.re, o.re) || apart(self.im, o.im)
    }

    /// Times a real number.
    pub fn times(self, s: f64) -> Rectangle {
        let s = Interval::point(s);
        Rectangle { re: self.re * s, im: self.im * s }
    }

    fn power(self, n: u32) -> Rectangle {
        (1..n).fold(self, |product, _| product * self)
    }
}

impl Add for Rectangle {
    type Output = Rectangle;
    fn add(self, o: Rectangle) -> Rectangle {
        Rectangle { re: self.re + o.re, im: self.im + o.im }
    }
}

impl Sub for Rectangle {
    type Output = Rectangle;
    fn sub(self, o: Rectangle) -> Rectangle {
        Rectangle { re: self.re - o.re, im: self.im - o.im }
    }
}

impl Mul for Rectangle {
    type Output = Rectangle;
    fn mul(self, o: Rectangle) -> Rectangle {
        Rectangle { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re }
    }
}

/// What holds a polynomial's values over a box.
pub(crate) fn value(p: &Polynomial, x: &[Rectangle]) -> Rectangle {
    let mut sum = Rectangle::ZERO;
    for (monomial, c) in p.terms() {
        sum = sum + monomial.powers().fold(Rectangle::point(c), |product, (v, e)| product * x[v].power(e));
    }
    sum
}

/// What holds its derivative by a variable over a box.
pub(crate) fn slope(p: &Polynomial, variable: usize, x: &[Rectangle]) -> Rectangle {
    let mut sum = Rectangle::ZERO;
    for (monomial, c) in p.terms() {
        let Some((_, exponent)) = monomial.powers().find(|(v, _)| *v == variable) else { continue };
        let factor = Rectangle::point(Complex::from(f64::from(exponent))) * Rectangle::point(c);
        let quotient = monomial.over(variable);
        sum = sum + quotient.powers().fold(factor, |product, (v, e)| product * x[v].power(e));
    }
    sum
}
