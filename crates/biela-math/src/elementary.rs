//! Elementary functions of jets, with exact first and second derivatives.
//!
//! Where a derivative does not exist (a corner of `abs`, `min`, `hypot`), the one towards increasing time is given: at
//! a corner the function is followed in the direction in which its argument moves.

use super::Jet;
use crate::Elementary;
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
    #[inline]
    pub fn sqrt(self) -> Jet {
        let f = self.v.sqrt();
        let f1 = 0.5 / f;
        self.chain(f, f1, -0.5 * f1 / self.v)
    }

    /// Magnitude.
    #[inline]
    pub fn abs(self) -> Jet {
        if self.is_below(Jet::constant(0.0)) {
            -self
        } else {
            Jet::new(self.v.abs(), self.d, self.dd)
        }
    }

    /// The smaller of two; at a tie, the one that is smaller right after.
    #[inline]
    pub fn min(self, o: Jet) -> Jet {
        if o.is_below(self) || o.v.is_nan() {
            o
        } else {
            self
        }
    }

    /// The larger of two; at a tie, the one that is larger right after.
    #[inline]
    pub fn max(self, o: Jet) -> Jet {
        if self.is_below(o) || o.v.is_nan() {
            o
        } else {
            self
        }
    }

    #[inline]
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
    #[test]
    fn derivatives_agree_with_differences_of_values() {
        /// First differences with steps of 1e-4: h²/6 of third derivatives below 100. Second: rounding 1e-16/h² besides.
        const LEFT: f64 = 1e-6;
        const H: f64 = 1e-4;
        // Two motions, neither straight.
        let (x, y) = (Jet::new(0.4, 0.7, -0.6), Jet::new(1.3, -0.5, 0.8));
        let at = |j: Jet, t: f64| j.v + t * (j.d + 0.5 * t * j.dd);
        let check = |name: &str, found: Jet, f: &dyn Fn(f64, f64) -> f64| {
            let at = |t: f64| f(at(x, t), at(y, t));
            let (before, here, after) = (at(-H), at(0.0), at(H));
            assert!((found.v - here).abs() < 1e-15, "{name}: {found:?}, {here}");
            let (d, dd) = ((after - before) / (2.0 * H), (after - 2.0 * here + before) / (H * H));
            assert!((found.d - d).abs() < LEFT && (found.dd - dd).abs() < LEFT, "{name}: {found:?}, {d}, {dd}");
        };
        macro_rules! check {
            ($($name:ident),*) => { $(check(stringify!($name), x.$name(), &|x, _| x.$name());)* };
        }
        check!(sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, exp, ln, log10, sqrt, abs);
        check("abs of what is negative", (-x).abs(), &|x, _| x);
        check("atan2", x.atan2(-y), &|x, y| x.atan2(-y));
        check("hypot", x.hypot(y), &|x, y| x.hypot(y));
        check("min", y.min(x), &|x, _| x);
        check("min", x.min(y), &|x, _| x);
        check("max", y.max(x), &|_, y| y);
        check("max", x.max(y), &|_, y| y);
        check("a constant power", x.powf(2.6), &|x, _| x.powf(2.6));
        check("a power", x.pow(y), &|x, y| x.powf(y));
        // Only the exponent's second rate: 1.3 + 0.4 t², with t from x's own motion.
        let t = |x: f64| (0.7 - (0.49 - 1.2 * (x - 0.4)).sqrt()) / 0.6;
        check("a power that starts to change", x.pow(Jet::new(1.3, 0.0, 0.8)), &|x, _| x.powf(1.3 + 0.4 * t(x) * t(x)));
        check("modulo", y.modulo(x), &|x, y| y - 3.0 * x);
        // Between moving ends: s = (0.9 − x)/(y − x).
        let s = |x: f64, y: f64| (0.9 - x) / (y - x);
        let step = |s: f64| s * s * s * (10.0 - 15.0 * s + 6.0 * s * s);
        check("smoothstep", Jet::constant(0.9).smoothstep(x, y), &|x, y| step(s(x, y)));
        check("smoothstep downwards", Jet::constant(0.9).smoothstep(y, x), &|x, y| step(1.0 - s(x, y)));
    }

    #[test]
    fn steps_end_where_they_are_told() {
        let (a, b) = (Jet::constant(2.0), Jet::constant(4.0));
        for (x, value) in [(1.0, 0.0), (2.0, 0.0), (4.0, 1.0), (5.0, 1.0)] {
            assert_eq!(Jet::variable(x).smoothstep(a, b), Jet::constant(value), "{x}");
        }
        // A step of no width jumps; at the jump it is up.
        for (x, value) in [(1.9, 0.0), (2.0, 1.0), (2.1, 1.0)] {
            assert_eq!(Jet::variable(x).smoothstep(a, a), Jet::constant(value), "{x}");
        }
        assert!(Jet::constant(f64::NAN).smoothstep(a, a).v.is_nan());
    }

    #[test]
    fn what_is_not_a_number_stays_visible() {
        let (nan, one) = (Jet::constant(f64::NAN), Jet::constant(1.0));
        for found in [nan.min(one), one.min(nan), nan.max(one), one.max(nan), nan.abs()] {
            assert!(found.v.is_nan());
        }
        // Zero is no negative number, and a direction that stays nowhere does not turn.
        assert!(Jet::constant(0.0).abs().v.is_sign_positive());
        assert_eq!(Jet::constant(0.0).atan2(Jet::constant(0.0)), Jet::constant(0.0));
        assert!(Jet::variable(0.0).atan2(Jet::constant(0.0)).d.is_nan());
        // √((3t + t²)² + (4t + 2t²)²) = 5t + 11/5 t² + …
        assert_eq!(Jet::new(0.0, 3.0, 2.0).hypot(Jet::new(0.0, 4.0, 4.0)), Jet::new(0.0, 5.0, 4.4));
        // 0 to a power that changes, and a base below zero with one that does not.
        assert_eq!(Jet::constant(0.0).pow(Jet::variable(2.0)), Jet::constant(0.0));
        assert_eq!(Jet::variable(-2.0).pow(Jet::constant(3.0)), Jet::new(-8.0, 12.0, -12.0));
    }
}
