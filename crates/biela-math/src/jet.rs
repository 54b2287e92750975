//! A value with its first and second derivative along one direction (time, mostly), carried exactly.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// Value, first and second derivative.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Jet {
    /// Value.
    pub v: f64,
    /// First derivative.
    pub d: f64,
    /// Second derivative.
    pub dd: f64,
}

impl Jet {
    /// A jet from its three parts.
    #[inline]
    pub const fn new(v: f64, d: f64, dd: f64) -> Jet {
        Jet { v, d, dd }
    }

    /// A value that does not change.
    #[inline]
    pub const fn constant(v: f64) -> Jet {
        Jet::new(v, 0.0, 0.0)
    }

    /// The independent variable itself.
    #[inline]
    pub const fn variable(v: f64) -> Jet {
        Jet::new(v, 1.0, 0.0)
    }

    /// `f(self)` from the value and the first two derivatives of `f` at `self.v`.
    #[inline]
    pub fn chain(self, f: f64, f1: f64, f2: f64) -> Jet {
        // A zero rate must stay zero even where a derivative of f is infinite (sqrt at 0 of a constant).
        let times = |a: f64, b: f64| if b == 0.0 { 0.0 } else { a * b };
        Jet::new(f, times(f1, self.d), times(f1, self.dd) + times(f2, self.d * self.d))
    }
}

impl Add for Jet {
    type Output = Jet;
    #[inline]
    fn add(self, o: Jet) -> Jet {
        Jet::new(self.v + o.v, self.d + o.d, self.dd + o.dd)
    }
}

impl Sub for Jet {
    type Output = Jet;
    #[inline]
    fn sub(self, o: Jet) -> Jet {
        Jet::new(self.v - o.v, self.d - o.d, self.dd - o.dd)
    }
}

impl Mul for Jet {
    type Output = Jet;
    #[inline]
    fn mul(self, o: Jet) -> Jet {
        Jet::new(self.v * o.v, self.d * o.v + self.v * o.d, self.dd * o.v + 2.0 * self.d * o.d + self.v * o.dd)
    }
}

impl Div for Jet {
    type Output = Jet;
    #[inline]
    fn div(self, o: Jet) -> Jet {
        let v = self.v / o.v;
        let d = (self.d - v * o.d) / o.v;
        Jet::new(v, d, (self.dd - 2.0 * d * o.d - v * o.dd) / o.v)
    }
}

impl Neg for Jet {
    type Output = Jet;
    #[inline]
    fn neg(self) -> Jet {
        Jet::new(-self.v, -self.d, -self.dd)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values, first and second derivatives of polynomials a + b t + c t² at t = 0, exact.
    fn polynomial([a, b, c]: [f64; 3]) -> Jet {
        Jet::new(a, b, 2.0 * c)
    }

    #[test]
    fn arithmetic_is_that_of_truncated_polynomials() {
        let (x, y) = ([2.0, 3.0, 5.0], [4.0, -7.0, 0.5]);
        let by_term = |f: fn(f64, f64) -> f64| polynomial([f(x[0], y[0]), f(x[1], y[1]), f(x[2], y[2])]);
        let (a, b) = (polynomial(x), polynomial(y));
        assert_eq!(a + b, by_term(|x, y| x + y));
        assert_eq!(a - b, by_term(|x, y| x - y));
        assert_eq!(-a, polynomial([-2.0, -3.0, -5.0]));
        // (2 + 3t + 5t²)(4 − 7t + t²/2), up to t².
        let product = polynomial([8.0, -14.0 + 12.0, 1.0 - 21.0 + 20.0]);
        assert_eq!(a * b, product);
        // Division takes a product apart again; with 4 as divisor nothing is rounded.
        assert_eq!(product / b, a);
        assert_eq!((a / b) * b, a);
    }

    #[test]
    fn a_function_of_a_jet_follows_the_chain_rule() {
        // f(x) = x³ at 2 + 3t + 5t²: 8 + 36 t + (60 + 54) t².
        assert_eq!(polynomial([2.0, 3.0, 5.0]).chain(8.0, 12.0, 12.0), polynomial([8.0, 36.0, 114.0]));
        assert_eq!(Jet::variable(3.0), Jet::new(3.0, 1.0, 0.0));
        // What stands still keeps still where derivatives are infinite.
        assert_eq!(Jet::constant(0.0).chain(0.0, f64::INFINITY, f64::NEG_INFINITY), Jet::constant(0.0));
    }
}
