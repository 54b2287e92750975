//! Complex numbers as discs about numbers of twice the precision of doubles: values at points at which equations of high degree nearly cancel.
//!
//! Sums and products of pairs of doubles are those of [Dekker 1971], off by less than `ROUNDING` of what they are made of.

use crate::circuit::Ring;
use crate::complex::Complex;
use crate::disc::{Disc, LEAST, UP};
use std::ops::Add;

/// Relative error of a sum or a product of pairs: their bounds are a few units of 2⁻¹⁰⁴.
const ROUNDING: f64 = 1e-30;
/// The same of the few operations of a complex one.
const COMPLEX: f64 = 8.0 * ROUNDING;
/// The sum of two doubles, the second below the rounding of the first.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Pair {
    high: f64,
    low: f64,
}

impl Pair {
    const fn new(x: f64) -> Pair {
        Pair { high: x, low: 0.0 }
    }

    fn sum(a: f64, b: f64) -> Pair {
        let high = a + b;
        let rest = high - a;
        Pair { high, low: (a - (high - rest)) + (b - rest) }
    }

    fn product(a: f64, b: f64) -> Pair {
        let split = |x: f64| {
            let wide = x * 134_217_729.0; // 2²⁷ + 1
            let high = wide - (wide - x);
            (high, x - high)
        };
        let high = a * b;
        let ((ah, al), (bh, bl)) = (split(a), split(b));
        Pair { high, low: ((ah * bh - high) + ah * bl + al * bh) + al * bl }
    }

    fn plus(self, o: Pair) -> Pair {
        let (s, t) = (Pair::sum(self.high, o.high), Pair::sum(self.low, o.low));
        let s = Pair::sum(s.high, s.low + t.high);
        Pair::sum(s.high, s.low + t.low)
    }

    fn times(self, o: Pair) -> Pair {
        let p = Pair::product(self.high, o.high);
        Pair::sum(p.high, p.low + (self.high * o.low + self.low * o.high))
    }

    fn negative(self) -> Pair {
        Pair { high: -self.high, low: -self.low }
    }
}

/// All complex numbers whose parts are no farther than a radius from those of a middle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ball {
    re: Pair,
    im: Pair,
    radius: f64,
}

impl Ball {
    pub fn point(z: Complex) -> Ball {
        Ball { re: Pair::new(z.re), im: Pair::new(z.im), radius: 0.0 }
    }

    pub fn middle(self) -> Complex {
        Complex::new(self.re.high, self.im.high)
    }

    /// More than the magnitudes of the middle's parts together.
    fn size(self) -> f64 {
        (self.re.high.abs() + self.im.high.abs()) * UP
    }

    /// A disc about a double that holds it.
    pub fn disc(self) -> Disc {
        let low = (self.re.low.abs() + self.im.low.abs() + self.radius) * UP + LEAST;
        Disc { middle: self.middle(), radius: low }
    }
}

impl Add for Ball {
    type Output = Ball;
    fn add(self, o: Ball) -> Ball {
        let radius = (self.radius + o.radius + COMPLEX * (self.size() + o.size()) + LEAST) * UP;
        Ball { re: self.re.plus(o.re), im: self.im.plus(o.im), radius }
    }
}

impl Ring for Ball {
    fn zero() -> Ball {
        Ball::point(Complex::ZERO)
    }

    fn one() -> Ball {
        Ball::point(Complex::ONE)
    }

    fn product(&self, o: &Ball) -> Ball {
        let (a, b) = (self.size(), o.size());
        // Parts of a product hold two products of parts: twice what each may be off.
        let spread = 2.0 * (a * o.radius + b * self.radius + self.radius * o.radius);
        let radius = (spread + COMPLEX * a * b + LEAST) * UP;
        let re = self.re.times(o.re).plus(self.im.times(o.im).negative());
        let im = self.re.times(o.im).plus(self.im.times(o.re));
        Ball { re, im, radius }
    }

    fn scaled(&self, s: f64) -> Ball {
        self.product(&Ball::point(Complex::from(s)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disc::{size, UNIT};
    use biela_math::random::Random;

    #[test]
    fn what_cancels_in_doubles_is_held_in_small_discs() {
        // (a + b)(a − b) − a a + b b is zero whatever a and b are.
        let mut random = Random(2);
        for _ in 0..200 {
            let mut number = || Ball::point(Complex::new(1e3 * random.signed(), random.signed()));
            let (a, b) = (number(), number());
            let minus = |x: Ball| x.scaled(-1.0);
            let nothing = (a + b).product(&(a + minus(b))) + minus(a.product(&a)) + b.product(&b);
            let held = nothing.disc();
            assert!(held.middle.norm() <= held.radius);
            // Three products of numbers of size 10³: far below the 1e-10 that doubles leave.
            assert!(held.radius < 1e-20, "{held:?}");
        }
    }

    #[test]
    fn discs_hold_what_twice_the_digits_tell() {
        let mut random = Random(4);
        for _ in 0..500 {
            let mut number = || Complex::new(random.signed(), random.signed());
            let given = [number(), number(), number().times(1e8), number().times(1e-8)];
            // A polynomial in which much cancels.
            fn of<T: Ring>(x: &[T; 4]) -> T {
                let whole = (x[0].clone() + x[2].clone()).product(&(x[1].clone() + x[2].scaled(-1.0)));
                let square = x[2].product(&x[2]);
                whole + square + x[3].product(&x[0]).scaled(3.0)
            }
            let disc = of(&given.map(Disc::point));
            let exact = of(&given.map(Ball::point)).disc();
            assert!((disc.middle - exact.middle).norm() <= disc.radius + exact.radius);
            // What is left is the rounding of the middle to doubles.
            assert!(exact.radius <= 2.0 * UNIT * size(exact.middle), "{exact:?} {disc:?}");
            assert!(exact.radius < 1e-6 * disc.radius, "{exact:?} {disc:?}");
        }
    }
}
