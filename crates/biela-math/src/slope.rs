//! A jet with its derivative along a second direction: value, rate and second rate, and how all three change.

use super::Jet;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A jet `x` and its change `e` along another direction: F(x), Ḟ, F̈, then ∂F, ∂Ḟ, ∂F̈, all exact.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Slope {
    /// The jet.
    pub x: Jet,
    /// Its change.
    pub e: Jet,
}

impl Slope {
    /// A jet and its change.
    #[inline]
    pub const fn new(x: Jet, e: Jet) -> Slope {
        Slope { x, e }
    }

    /// A value that does not change.
    #[inline]
    pub const fn constant(v: f64) -> Slope {
        Slope::new(Jet::constant(v), Jet::constant(0.0))
    }

    /// `f` of it, with the derivative `f1` there, both as jets.
    #[inline]
    fn chain(self, f: Jet, f1: Jet) -> Slope {
        // What does not change must not meet a derivative that is infinite.
        let still = self.e == Jet::constant(0.0);
        Slope::new(f, if still { self.e } else { f1 * self.e })
    }

    /// Sine.
    pub fn sin(self) -> Slope {
        self.chain(self.x.sin(), self.x.cos())
    }

    /// Cosine.
    pub fn cos(self) -> Slope {
        self.chain(self.x.cos(), -self.x.sin())
    }

    /// Tangent.
    pub fn tan(self) -> Slope {
        let f = self.x.tan();
        self.chain(f, ONE + f * f)
    }

    /// Inverse sine.
    pub fn asin(self) -> Slope {
        self.chain(self.x.asin(), ONE / (ONE - self.x * self.x).sqrt())
    }

    /// Inverse cosine.
    pub fn acos(self) -> Slope {
        self.chain(self.x.acos(), -(ONE / (ONE - self.x * self.x).sqrt()))
    }

    /// Inverse tangent.
    pub fn atan(self) -> Slope {
        self.chain(self.x.atan(), ONE / (ONE + self.x * self.x))
    }

    /// Angle of the direction (x, `self`), in (−π, π].
    pub fn atan2(self, x: Slope) -> Slope {
        let square = self.x * self.x + x.x * x.x;
        Slope::new(self.x.atan2(x.x), (x.x * self.e - self.x * x.e) / square)
    }

    /// Hyperbolic sine.
    pub fn sinh(self) -> Slope {
        self.chain(self.x.sinh(), self.x.cosh())
    }

    /// Hyperbolic cosine.
    pub fn cosh(self) -> Slope {
        self.chain(self.x.cosh(), self.x.sinh())
    }

    /// Hyperbolic tangent.
    pub fn tanh(self) -> Slope {
        let c = self.x.cosh();
        self.chain(self.x.tanh(), ONE / (c * c))
    }

    /// Exponential function.
    pub fn exp(self) -> Slope {
        let f = self.x.exp();
        self.chain(f, f)
    }

    /// Natural logarithm.
    pub fn ln(self) -> Slope {
        self.chain(self.x.ln(), ONE / self.x)
    }

    /// Logarithm to base ten.
    pub fn log10(self) -> Slope {
        self.chain(self.x.log10(), Jet::constant(std::f64::consts::LN_10.recip()) / self.x)
    }

    /// Square root.
    pub fn sqrt(self) -> Slope {
        let f = self.x.sqrt();
        self.chain(f, Jet::constant(0.5) / f)
    }

    /// Magnitude.
    pub fn abs(self) -> Slope {
        let f = self.x.abs();
        // At a corner the jet goes on forward in time, and its change with it.
        Slope::new(f, if f == self.x { self.e } else { -self.e })
    }

    /// The smaller of two.
    pub fn min(self, o: Slope) -> Slope {
        if self.x.min(o.x) == self.x {
            self
        } else {
            o
        }
    }

    /// The larger of two.
    pub fn max(self, o: Slope) -> Slope {
        if self.x.max(o.x) == self.x {
            self
        } else {
            o
        }
    }

    /// √(self² + o²).
    pub fn hypot(self, o: Slope) -> Slope {
        let r = self.x.hypot(o.x);
        Slope::new(r, (self.x * self.e + o.x * o.e) / r)
    }

    /// `self` to a power that may change too.
    pub fn pow(self, exponent: Slope) -> Slope {
        let n = exponent.x;
        if exponent == Slope::constant(n.v) {
            return self.chain(self.x.powf(n.v), Jet::constant(n.v) * self.x.powf(n.v - 1.0));
        }
        (exponent * self.ln()).exp()
    }

    /// Remainder of a division rounded down.
    pub fn modulo(self, m: Slope) -> Slope {
        let f = self.x.modulo(m.x);
        let turns = ((self.x.v - f.v) / m.x.v).round();
        Slope::new(f, self.e - Jet::constant(turns) * m.e)
    }

    /// 0 below `a`, 1 above `b`, and 6s⁵ − 15s⁴ + 10s³ between them.
    pub fn smoothstep(self, a: Slope, b: Slope) -> Slope {
        let f = self.x.smoothstep(a.x, b.x);
        let s = (self - a) / (b - a);
        if !(s.x.v > 0.0 && s.x.v < 1.0) {
            return Slope::new(f, Jet::constant(0.0));
        }
        let rest = ONE - s.x;
        s.chain(f, Jet::constant(30.0) * s.x * s.x * rest * rest)
    }
}

const ONE: Jet = Jet::constant(1.0);

impl Add for Slope {
    type Output = Slope;
    #[inline]
    fn add(self, o: Slope) -> Slope {
        Slope::new(self.x + o.x, self.e + o.e)
    }
}

impl Sub for Slope {
    type Output = Slope;
    #[inline]
    fn sub(self, o: Slope) -> Slope {
        Slope::new(self.x - o.x, self.e - o.e)
    }
}

impl Mul for Slope {
    type Output = Slope;
    #[inline]
    fn mul(self, o: Slope) -> Slope {
        Slope::new(self.x * o.x, self.e * o.x + self.x * o.e)
    }
}

impl Div for Slope {
    type Output = Slope;
    #[inline]
    fn div(self, o: Slope) -> Slope {
        let f = self.x / o.x;
        Slope::new(f, (self.e - f * o.e) / o.x)
    }
}

impl Neg for Slope {
    type Output = Slope;
    #[inline]
    fn neg(self) -> Slope {
        Slope::new(-self.x, -self.e)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Central differences of step 1e-6: truncation 1e-13 of fifth derivatives up to some thousands, rounding 1e-9.
    const LEFT: f64 = 1e-8;
    const STEP: f64 = 1e-6;

    fn compare(name: &str, by_slope: impl Fn(Slope, Slope) -> Slope, by_jet: impl Fn(Jet, Jet) -> Jet) {
        let (x, y) = (Jet::new(0.4, 0.7, -0.3), Jet::new(0.6, -0.2, 0.5));
        let (dx, dy) = (Jet::new(0.9, 0.4, -0.8), Jet::new(-0.5, 0.3, 0.6));
        let found = by_slope(Slope::new(x, dx), Slope::new(y, dy));
        let at = |h: f64| by_jet(x + Jet::constant(h) * dx, y + Jet::constant(h) * dy);
        let difference = (at(STEP) - at(-STEP)) / Jet::constant(2.0 * STEP);
        let off = found.e - difference;
        let worst = off.v.abs().max(off.d.abs()).max(off.dd.abs());
        assert!(found.x == by_jet(x, y) && worst < LEFT, "{name}: {found:?}, {difference:?}");
    }

    #[test]
    fn changes_of_jets_agree_with_differences() {
        macro_rules! check {
            ($($name:ident),*) => { $(compare(stringify!($name), |x, _| x.$name(), |x, _| x.$name());)* };
        }
        check!(sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, exp, ln, log10, sqrt, abs);
        macro_rules! check_two {
            ($($name:ident),*) => { $(compare(stringify!($name), |x, y| x.$name(y), |x, y| x.$name(y));)* };
        }
        check_two!(atan2, min, max, hypot, modulo, add, sub, mul, div);
        compare("a power", |x, _| x.pow(Slope::constant(2.5)), |x, _| x.powf(2.5));
        compare("abs of what is negative", |x, _| (-x).abs(), |x, _| (-x).abs());
        let (low, high) = (-0.3, 1.1);
        let step = |x: Slope, _| x.smoothstep(Slope::constant(low), Slope::constant(high));
        compare("smoothstep", step, |x, _| x.smoothstep(Jet::constant(low), Jet::constant(high)));
    }

    #[test]
    fn powers_with_changing_exponents_agree_with_differences() {
        let (x, y) = (Jet::constant(0.4), Jet::constant(0.6));
        let found = Slope::new(x, Jet::constant(0.9)).pow(Slope::new(y, Jet::constant(-0.5)));
        let at = |h: f64| (0.4 + 0.9 * h).powf(0.6 - 0.5 * h);
        assert!((found.e.v - (at(STEP) - at(-STEP)) / (2.0 * STEP)).abs() < LEFT);
        assert!((found.x.v - at(0.0)).abs() < 1e-14);
    }
    #[test]
    fn powers_and_remainders_of_moving_jets_agree_with_differences() {
        let (x, y) = (Jet::new(0.4, 0.7, -0.3), Jet::new(1.6, -0.2, 0.5));
        let (dx, dy) = (Jet::new(0.9, 0.4, -0.8), Jet::new(-0.5, 0.3, 0.6));
        let check = |found: Slope, f: &dyn Fn(Jet, Jet) -> Jet| {
            let at = |h: f64| f(x + Jet::constant(h) * dx, y + Jet::constant(h) * dy);
            let off = found.e - (at(STEP) - at(-STEP)) / Jet::constant(2.0 * STEP);
            let here = found.x - at(0.0);
            assert!([off.v, off.d, off.dd].iter().all(|x| x.abs() < LEFT), "{found:?}");
            assert!([here.v, here.d, here.dd].iter().all(|x| x.abs() < 1e-14), "{found:?}");
        };
        let (sx, sy) = (Slope::new(x, dx), Slope::new(y, dy));
        check(sx.pow(sy), &|x, y| x.pow(y));
        // Exponents that only move, or only change.
        check(sx.pow(Slope::new(y, Jet::constant(0.0))), &|x, _| x.pow(y));
        check(sx.pow(Slope::new(Jet::constant(1.6), dy)), &|x, y2| x.pow(Jet::constant(1.6) + (y2 - y)));
        // Four turns lie between.
        check(sy.modulo(sx), &|x, y| y - Jet::constant(4.0) * x);
        // Ends that move.
        let middle = Slope::constant(0.9);
        check(middle.smoothstep(sx, sy), &|x, y| Jet::constant(0.9).smoothstep(x, y));
    }

    #[test]
    fn choices_are_made_by_value_and_follow_their_own_change() {
        let (a, b) =
            (Slope::new(Jet::constant(1.0), Jet::constant(5.0)), Slope::new(Jet::constant(2.0), Jet::constant(7.0)));
        assert_eq!((a.min(b), b.min(a), a.max(b), b.max(a)), (a, a, b, b));
        let c = Slope::new(Jet::constant(-2.0), Jet::constant(7.0));
        assert_eq!((b.abs(), c.abs()), (b, -c));
        // Outside a step, and at its ends, nothing changes.
        let x = |v: f64| Slope::new(Jet::constant(v), Jet::constant(1.0));
        for (v, value) in [(0.5, 0.0), (1.0, 0.0), (2.0, 1.0), (2.5, 1.0)] {
            assert_eq!(x(v).smoothstep(Slope::constant(1.0), Slope::constant(2.0)), Slope::constant(value));
        }
        // A root of zero does not change where zero does not.
        assert_eq!(Slope::constant(0.0).sqrt(), Slope::constant(0.0));
    }
}
