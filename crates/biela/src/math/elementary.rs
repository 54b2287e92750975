//! Elementary functions of jets, with exact first and second derivatives.
//!
//! Where a derivative does not exist (a corner of `abs`, `min`, `hypot`), the one towards increasing time is given: at
//! a corner the function is followed in the direction in which its argument moves.

use super::Jet;
use crate::math::Elementary;
use std::f64::consts::LN_10;

impl Jet {
    /// Sine.
    pub fn sin(self) -> Jet {
        let (s, c) = self.v.sine_cosine();
        self.chain(s, c, -s)
    }

    /// Cosine.
    pub fn cos(self) -> Jet {
        let (s, c) = self.v.sine_cosine();
        self.chain(c, -s, -c)
    }

    /// Tangent.
    pub fn tan(self) -> Jet {
        let f = self.v.tangent();
        let f1 = 1.0 + f * f;
        self.chain(f, f1, 2.0 * f * f1)
    }

    /// Inverse sine.
    pub fn asin(self) -> Jet {
        let f1 = ((1.0 - self.v) * (1.0 + self.v)).sqrt().recip();
        self.chain(self.v.arcsine(), f1, self.v * f1 * f1 * f1)
    }

    /// Inverse cosine.
    pub fn acos(self) -> Jet {
        let f1 = -((1.0 - self.v) * (1.0 + self.v)).sqrt().recip();
        self.chain(self.v.arccosine(), f1, self.v * f1 * f1 * f1)
    }

    /// Inverse tangent.
    pub fn atan(self) -> Jet {
        let f1 = (1.0 + self.v * self.v).recip();
        self.chain(self.v.arctangent(), f1, -2.0 * self.v * f1 * f1)
    }

    /// Angle of the direction (x, `self`), in (−π, π].
    pub fn atan2(self, x: Jet) -> Jet {
        let y = self;
        // Scaling keeps the squares in range; an angle does not care.
        let r = x.v.hypotenuse(y.v);
        let (cos, sin) = (x.v / r, y.v / r);
        let d = (cos * y.d - sin * x.d) / r;
        let r_d = cos * x.d + sin * y.d;
        let dd = (cos * y.dd - sin * x.dd - 2.0 * d * r_d) / r;
        let rest = |value: f64| if [x.d, x.dd, y.d, y.dd].iter().all(|c| *c == 0.0) { 0.0 } else { value };
        Jet::new(y.v.arctangent2(x.v), rest(d), rest(dd))
    }

    /// Hyperbolic sine.
    pub fn sinh(self) -> Jet {
        let (s, c) = (self.v.hyperbolic_sine(), self.v.hyperbolic_cosine());
        self.chain(s, c, s)
    }

    /// Hyperbolic cosine.
    pub fn cosh(self) -> Jet {
        let (s, c) = (self.v.hyperbolic_sine(), self.v.hyperbolic_cosine());
        self.chain(c, s, c)
    }

    /// Hyperbolic tangent.
    pub fn tanh(self) -> Jet {
        let f = self.v.hyperbolic_tangent();
        // 1 − f² would lose all digits for large arguments.
        let f1 = self.v.hyperbolic_cosine().powi(-2);
        self.chain(f, f1, -2.0 * f * f1)
    }

    /// Exponential function.
    pub fn exp(self) -> Jet {
        let f = self.v.exponential();
        self.chain(f, f, f)
    }

    /// Natural logarithm.
    pub fn ln(self) -> Jet {
        let f1 = self.v.recip();
        self.chain(self.v.logarithm(), f1, -f1 * f1)
    }

    /// Logarithm to base ten.
    pub fn log10(self) -> Jet {
        let f1 = self.v.recip();
        self.chain(self.v.logarithm10(), f1 / LN_10, -f1 * f1 / LN_10)
    }

    /// Square root.
    pub fn sqrt(self) -> Jet {
        let f = self.v.sqrt();
        let f1 = 0.5 / f;
        self.chain(f, f1, -0.5 * f1 / self.v)
    }

    /// Magnitude.
    pub fn abs(self) -> Jet {
        if self.is_below(Jet::constant(0.0)) {
            -self
        } else {
            Jet::new(self.v.abs(), self.d, self.dd)
        }
    }

    /// The smaller of two; at a tie, the one that is smaller right after.
    pub fn min(self, o: Jet) -> Jet {
        if o.is_below(self) || o.v.is_nan() {
            o
        } else {
            self
        }
    }

    /// The larger of two; at a tie, the one that is larger right after.
    pub fn max(self, o: Jet) -> Jet {
        if self.is_below(o) || o.v.is_nan() {
            o
        } else {
            self
        }
    }

    fn is_below(self, o: Jet) -> bool {
        (self.v, self.d, self.dd) < (o.v, o.d, o.dd)
    }

    /// √(self² + o²).
    pub fn hypot(self, o: Jet) -> Jet {
        let r = self.v.hypotenuse(o.v);
        if r > 0.0 {
            let (a, b) = (self.v / r, o.v / r);
            let d = a * self.d + b * o.d;
            // The part of the rate across the radius bends it outwards.
            let across = a * o.d - b * self.d;
            return Jet::new(r, d, a * self.dd + b * o.dd + across * across / r);
        }
        let speed = self.d.hypotenuse(o.d);
        let dd = match speed > 0.0 {
            true => (self.d * self.dd + o.d * o.dd) / speed,
            false => self.dd.hypotenuse(o.dd),
        };
        Jet::new(r, speed, dd)
    }

    /// `self` to a constant power; a negative base is fine where the exponent is whole.
    pub fn powf(self, n: f64) -> Jet {
        let x = self.v;
        let term = |factor: f64, exponent: f64| if factor == 0.0 { 0.0 } else { factor * x.power(exponent) };
        self.chain(x.power(n), term(n, n - 1.0), term(n * (n - 1.0), n - 2.0))
    }

    /// `self` to a power that may change too; a base that is not positive then asks for a constant exponent.
    pub fn pow(self, exponent: Jet) -> Jet {
        if (exponent.d == 0.0 && exponent.dd == 0.0) || self.v == 0.0 {
            return self.powf(exponent.v);
        }
        let log = exponent * self.ln();
        let v = self.v.power(exponent.v);
        Jet::new(v, v * log.d, v * (log.dd + log.d * log.d))
    }

    /// Remainder of a division rounded down: in [0, m) for positive m.
    pub fn modulo(self, m: Jet) -> Jet {
        let v = modulo(self.v, m.v);
        let turns = ((self.v - v) / m.v).round();
        // Whole turns do not change between jumps, and a constant divisor takes no part.
        let part = |rate: f64| if rate == 0.0 { 0.0 } else { turns * rate };
        Jet::new(v, self.d - part(m.d), self.dd - part(m.dd))
    }

    /// 0 below `a`, 1 above `b`, and 6s⁵ − 15s⁴ + 10s³ between them, which has two continuous derivatives.
    pub fn smoothstep(self, a: Jet, b: Jet) -> Jet {
        if a.v == b.v && !self.v.is_nan() {
            return Jet::constant(if self.v < a.v { 0.0 } else { 1.0 });
        }
        let s = (self - a) / (b - a);
        if s.v <= 0.0 || s.v >= 1.0 {
            return Jet::constant(if s.v <= 0.0 { 0.0 } else { 1.0 });
        }
        let x = s.v;
        let f1 = 30.0 * x * x * (1.0 - x) * (1.0 - x);
        s.chain(x * x * x * (10.0 + x * (6.0 * x - 15.0)), f1, 60.0 * x * (1.0 - x) * (1.0 - 2.0 * x))
    }
}

/// Remainder of a division rounded down; has the sign of the divisor.
pub fn modulo(x: f64, m: f64) -> f64 {
    let r = x % m;
    if r != 0.0 && (r < 0.0) != (m < 0.0) {
        r + m
    } else {
        r
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_are_followed_forward_in_time() {
        let t = Jet::variable(0.0);
        assert_eq!(t.abs(), Jet::new(0.0, 1.0, 0.0));
        assert_eq!((-t).abs(), Jet::new(0.0, 1.0, 0.0));
        assert_eq!(t.min(-t).d, -1.0);
        assert_eq!(t.max(-t).d, 1.0);
        assert_eq!((t * Jet::constant(3.0)).hypot(t * Jet::constant(4.0)), Jet::new(0.0, 5.0, 0.0));
        assert_eq!((t * t * Jet::constant(3.0)).hypot(t * t * Jet::constant(4.0)), Jet::new(0.0, 0.0, 10.0));
    }

    #[test]
    fn powers_at_and_below_zero() {
        let t = Jet::variable(0.0);
        assert_eq!(t.powf(0.0), Jet::constant(1.0));
        assert_eq!(t.powf(1.0), Jet::new(0.0, 1.0, 0.0));
        assert_eq!(t.powf(2.0), Jet::new(0.0, 0.0, 2.0));
        assert_eq!(t.powf(3.0), Jet::constant(0.0));
        assert_eq!(Jet::variable(-2.0).powf(3.0), Jet::new(-8.0, 12.0, -12.0));
        assert_eq!(Jet::variable(-2.0).powf(-1.0), Jet::new(-0.5, -0.25, -0.25));
        assert!(Jet::variable(-2.0).powf(0.5).v.is_nan());
        assert_eq!(Jet::constant(0.0).sqrt(), Jet::constant(0.0));
    }

    #[test]
    fn remainders_take_the_sign_of_the_divisor() {
        for (x, m, r) in [(7.0, 3.0, 1.0), (-7.0, 3.0, 2.0), (7.0, -3.0, -2.0), (-7.0, -3.0, -1.0), (-6.0, 3.0, 0.0)] {
            assert_eq!(modulo(x, m), r);
            assert_eq!(Jet::variable(x).modulo(Jet::constant(m)), Jet::new(r, 1.0, 0.0));
        }
        // x mod (x/3) with x = 10: three whole turns, so the rate is 1 − 3·(1/3).
        let x = Jet::variable(10.5);
        let m = x * Jet::constant(0.3);
        assert!((x.modulo(m).d - (1.0 - 3.0 * 0.3)).abs() < 1e-15);
    }
}
