//! Intervals that enclose: whatever real numbers the operands hold, the result holds what becomes of them.
//!
//! Sums, products and quotients are rounded outward by one unit in the last place; elementary functions, whose bits are those of
//! [`super::functions`] and off by less than one unit, by `SLACK` of their size. What has no bound, or no value somewhere, is
//! [`Interval::ENTIRE`]. Zero times anything is zero: numbers enclosed are finite.

use super::Elementary;
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Outward slack of elementary functions against their size: four units in the last place.
const SLACK: f64 = 4.0 * f64::EPSILON;

/// All numbers from `low` to `high`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Least number.
    pub low: f64,
    /// Greatest number.
    pub high: f64,
}

impl Interval {
    /// Every number.
    pub const ENTIRE: Interval = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };
    /// Zero alone.
    pub const ZERO: Interval = Interval { low: 0.0, high: 0.0 };

    /// The numbers between two, in any order; everything where one is no number.
    #[inline]
    pub fn between(a: f64, b: f64) -> Interval {
        match a.is_nan() || b.is_nan() {
            true => Interval::ENTIRE,
            false => Interval { low: a.min(b), high: a.max(b) },
        }
    }

    /// One number.
    #[inline]
    pub fn point(x: f64) -> Interval {
        Interval::between(x, x)
    }

    /// Greatest magnitude.
    #[inline]
    pub fn magnitude(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    /// True where zero is among them.
    #[inline]
    pub fn has_zero(self) -> bool {
        self.low <= 0.0 && self.high >= 0.0
    }

    /// True where both ends are finite.
    #[inline]
    pub fn is_bounded(self) -> bool {
        self.low.is_finite() && self.high.is_finite()
    }

    /// The least interval that holds both.
    #[inline]
    pub fn hull(self, o: Interval) -> Interval {
        Interval { low: self.low.min(o.low), high: self.high.max(o.high) }
    }

    /// Rounded outward by a unit in the last place.
    #[inline]
    fn outward(low: f64, high: f64) -> Interval {
        match low.is_nan() || high.is_nan() {
            true => Interval::ENTIRE,
            false => Interval { low: low.next_down(), high: high.next_up() },
        }
    }

    /// Ends of an elementary function, with its slack.
    #[inline]
    fn slack(low: f64, high: f64) -> Interval {
        Interval::outward(low - SLACK * low.abs(), high + SLACK * high.abs())
    }

    /// A function that grows everywhere.
    fn growing(self, f: impl Fn(f64) -> f64) -> Interval {
        Interval::slack(f(self.low), f(self.high))
    }

    /// What lies within the numbers where a function is defined; none where some lie outside by more than rounding.
    fn within(self, low: f64, high: f64) -> Option<Interval> {
        /// By how much enclosures of what is exactly at a border may reach over it.
        const ROUNDING: f64 = 1e-12;
        let part = Interval { low: self.low.max(low), high: self.high.min(high) };
        let inside = self.low >= low - ROUNDING && self.high <= high + ROUNDING;
        (inside && part.low <= part.high).then_some(part)
    }

    /// The square.
    #[inline]
    pub fn square(self) -> Interval {
        self.whole_power(2)
    }

    /// A whole power.
    pub fn whole_power(self, n: u32) -> Interval {
        let power = |x: f64| x.power(f64::from(n));
        let (a, b) = (power(self.low), power(self.high));
        if self == Interval::ZERO && n > 0 {
            return self;
        }
        if n % 2 == 1 || self.low >= 0.0 {
            return Interval::slack(a, b).clipped(if self.low >= 0.0 { 0.0 } else { f64::NEG_INFINITY });
        }
        let least = if self.has_zero() { 0.0 } else { a.min(b) };
        Interval::slack(least, a.max(b)).clipped(0.0)
    }

    /// What is known to be no less than `low`.
    fn clipped(self, low: f64) -> Interval {
        Interval { low: self.low.max(low), high: self.high.max(low) }
    }

    /// A constant real power of numbers that are not negative.
    pub fn power(self, exponent: f64) -> Interval {
        let Some(x) = self.within(0.0, f64::INFINITY) else { return Interval::ENTIRE };
        let (a, b) = (x.low.power(exponent), x.high.power(exponent));
        Interval::slack(a.min(b), a.max(b)).clipped(0.0)
    }

    /// Sine.
    pub fn sin(self) -> Interval {
        self.wave(FRAC_PI_2, f64::sine)
    }

    /// Cosine.
    pub fn cos(self) -> Interval {
        self.wave(0.0, f64::cosine)
    }

    /// A wave of period 2π whose crest lies at `crest`.
    fn wave(self, crest: f64, f: impl Fn(f64) -> f64) -> Interval {
        /// Beyond this, where a crest lies is no longer known well enough.
        const FAR: f64 = 1e12;
        let whole = Interval { low: -1.0, high: 1.0 };
        if !(self.magnitude() < FAR && self.high - self.low < TAU) {
            return whole;
        }
        // Crests and troughs are taken for inside where they lie within rounding of the ends.
        let near = 1e-14 * (1.0 + self.magnitude());
        let has = |at: f64| ((self.high + near - at) / TAU).floor() >= ((self.low - near - at) / TAU).ceil();
        let ends = Interval::between(f(self.low), f(self.high));
        let low = if has(crest + PI) { -1.0 } else { ends.low };
        let high = if has(crest) { 1.0 } else { ends.high };
        let wide = Interval::slack(low, high);
        Interval { low: wide.low.max(-1.0), high: wide.high.min(1.0) }
    }

    /// Exponential function.
    pub fn exp(self) -> Interval {
        self.growing(f64::exponential).clipped(0.0)
    }

    /// Natural logarithm of what is positive.
    pub fn ln(self) -> Interval {
        self.within(0.0, f64::INFINITY).map_or(Interval::ENTIRE, |x| x.growing(f64::logarithm))
    }

    /// Square root of what is not negative.
    pub fn sqrt(self) -> Interval {
        let root = self.within(0.0, f64::INFINITY).map(|x| x.growing(f64::sqrt).clipped(0.0));
        root.unwrap_or(Interval::ENTIRE)
    }

    /// Inverse tangent.
    pub fn atan(self) -> Interval {
        self.growing(f64::arctangent)
    }

    /// Inverse sine.
    pub fn asin(self) -> Interval {
        self.within(-1.0, 1.0).map_or(Interval::ENTIRE, |x| x.growing(f64::arcsine))
    }

    /// Hyperbolic sine.
    pub fn sinh(self) -> Interval {
        self.growing(f64::hyperbolic_sine)
    }

    /// Hyperbolic cosine.
    pub fn cosh(self) -> Interval {
        let (a, b) = (self.low.hyperbolic_cosine(), self.high.hyperbolic_cosine());
        let least = if self.has_zero() { 1.0 } else { a.min(b) };
        Interval::slack(least, a.max(b)).clipped(1.0)
    }

    /// Hyperbolic tangent.
    pub fn tanh(self) -> Interval {
        let wide = self.growing(f64::hyperbolic_tangent);
        Interval { low: wide.low.max(-1.0), high: wide.high.min(1.0) }
    }

    /// Magnitudes.
    #[inline]
    pub fn abs(self) -> Interval {
        let least = if self.has_zero() { 0.0 } else { self.low.abs().min(self.high.abs()) };
        Interval { low: least, high: self.magnitude() }
    }
}

impl Neg for Interval {
    type Output = Interval;
    #[inline]
    fn neg(self) -> Interval {
        Interval { low: -self.high, high: -self.low }
    }
}

impl Add for Interval {
    type Output = Interval;
    #[inline]
    fn add(self, o: Interval) -> Interval {
        match (self == Interval::ZERO, o == Interval::ZERO) {
            (true, _) => o,
            (_, true) => self,
            _ => Interval::outward(self.low + o.low, self.high + o.high),
        }
    }
}

impl Sub for Interval {
    type Output = Interval;
    #[inline]
    fn sub(self, o: Interval) -> Interval {
        self + -o
    }
}

impl Mul for Interval {
    type Output = Interval;
    #[inline]
    fn mul(self, o: Interval) -> Interval {
        if self == Interval::ZERO || o == Interval::ZERO {
            return Interval::ZERO;
        }
        let product = |a: f64, b: f64| if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
        let [a, b] = [product(self.low, o.low), product(self.low, o.high)];
        let [c, d] = [product(self.high, o.low), product(self.high, o.high)];
        Interval::outward(a.min(b).min(c.min(d)), a.max(b).max(c.max(d)))
    }
}

impl Div for Interval {
    type Output = Interval;
    #[inline]
    fn div(self, o: Interval) -> Interval {
        if self == Interval::ZERO && !o.has_zero() {
            return Interval::ZERO;
        }
        if o.has_zero() || !o.is_bounded() || !self.is_bounded() {
            return match o.has_zero() || !self.is_bounded() {
                true => Interval::ENTIRE,
                // The divisor may be as large as it likes: towards zero.
                false => self * Interval::outward(1.0 / o.high, 1.0 / o.low),
            };
        }
        let [a, b, c, d] = [self.low / o.low, self.low / o.high, self.high / o.low, self.high / o.high];
        Interval::outward(a.min(b).min(c.min(d)), a.max(b).max(c.max(d)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn functions_hold_what_they_enclose() {
        let mut random = Random(7);
        let mut uniform = |low: f64, high: f64| low + (high - low) * random.unit();
        for _ in 0..4000 {
            let a = uniform(-4.0, 4.0);
            let x = Interval::between(a, a + uniform(0.0, 1.0).power(4.0) * 8.0);
            let y = Interval::between(uniform(-2.0, 2.0), uniform(-2.0, 2.0));
            let at = |i: Interval, s: f64| (i.low + s * (i.high - i.low)).clamp(i.low, i.high);
            let (p, q) = (at(x, uniform(0.0, 1.0)), at(y, uniform(0.0, 1.0)));
            let cases: [(Interval, f64); 18] = [
                (x + y, p + q),
                (x - y, p - q),
                (x * y, p * q),
                (x / y, p / q),
                (x.square(), p * p),
                (x.whole_power(3), p * p * p),
                (x.sin(), p.sine()),
                (x.cos(), p.cosine()),
                (x.exp(), p.exponential()),
                (x.ln(), p.logarithm()),
                (x.sqrt(), p.sqrt()),
                (x.atan(), p.arctangent()),
                (x.asin(), p.arcsine()),
                (x.sinh(), p.hyperbolic_sine()),
                (x.cosh(), p.hyperbolic_cosine()),
                (x.tanh(), p.hyperbolic_tangent()),
                (x.power(1.7), p.power(1.7)),
                (x.abs(), p.abs()),
            ];
            for (k, (held, value)) in cases.into_iter().enumerate() {
                assert!(value.is_nan() || (held.low <= value && value <= held.high), "{k}: {held:?} {value} of {x:?}");
            }
        }
    }

    #[test]
    fn enclosures_are_no_wider_than_they_must_be() {
        let unit = Interval::between(0.0, 1.0);
        for (held, low, high) in [
            (unit.sin(), 0.0, 1f64.sine()),
            (Interval::between(1.0, 2.0).sin(), 1f64.sine(), 1.0),
            (Interval::between(3.0, 4.0).cos(), -1.0, 4f64.cosine()),
            (Interval::between(-2.0, 1.0).square(), 0.0, 4.0),
            (Interval::between(-2.0, 1.0).abs(), 0.0, 2.0),
            (Interval::between(-2.0, 1.0).cosh(), 1.0, 2f64.hyperbolic_cosine()),
            (Interval::ZERO * Interval::ENTIRE, 0.0, 0.0),
        ] {
            assert!((held.low - low).abs() < 1e-14 && (held.high - high).abs() < 1e-14, "{held:?}");
        }
        assert_eq!(unit / unit, Interval::ENTIRE);
        assert!(unit.is_bounded() && !Interval { low: 0.0, high: f64::INFINITY }.is_bounded());
        assert_eq!(Interval::ZERO / Interval::between(1.0, 2.0), Interval::ZERO);
        assert_eq!(Interval::ZERO / Interval::between(-1.0, 2.0), Interval::ENTIRE);
        // What nothing raises to the power of nothing is one; a divisor without end leaves what lies towards zero.
        assert!(Interval::ZERO.whole_power(0).low >= 1.0 - 1e-14);
        let endless = Interval { low: 2.0, high: f64::INFINITY };
        let part = Interval::between(1.0, 4.0) / endless;
        assert!(part.low.abs() < 1e-14 && (part.high - 2.0).abs() < 1e-14, "{part:?}");
        // Beyond the border by rounding is within; beyond it by more is not. Far out, and over a turn, waves are all they can be.
        assert_ne!(Interval::between(0.5, 1.0 + 1e-13).asin(), Interval::ENTIRE);
        assert_eq!(Interval::between(0.5, 1.1).asin(), Interval::ENTIRE);
        let whole = Interval { low: -1.0, high: 1.0 };
        assert_eq!(Interval::between(2e12, 2e12 + 0.5).sin(), whole);
        assert_eq!(Interval::between(0.0, 7.0).sin(), whole);
        assert_eq!(Interval::between(-2.0, -1.0).ln(), Interval::ENTIRE);
        assert_eq!(Interval::point(f64::NAN), Interval::ENTIRE);
    }
}
