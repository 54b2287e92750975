//! Taylor coefficients of functions of one variable, each enclosed by an interval.
//!
//! Where the variable stands for a whole interval X, coefficient k encloses f⁽ᵏ⁾(ξ)/k! for every ξ in X; where it stands for a
//! point, the coefficients are those of the expansion there. Together they bound f on X to any order [Moore, Kearfott, Cloud 2009,
//! chapter 9]. The recurrences are those of automatic differentiation [Griewank, Walther 2008, chapter 13].
//! Functions with corners keep the two coefficients that a corner leaves bounded, functions with jumps the value alone.

use super::Interval;
use std::f64::consts::{FRAC_PI_2, LN_10, PI};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// The first K coefficients.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Series<const K: usize>(pub [Interval; K]);

impl<const K: usize> Series<K> {
    /// A number.
    pub fn constant(x: f64) -> Series<K> {
        Series::of(Interval::point(x))
    }

    /// One out of an interval, the same everywhere.
    pub fn of(x: Interval) -> Series<K> {
        let mut c = [Interval::ZERO; K];
        c[0] = x;
        Series(c)
    }

    /// The variable itself, within `x`, times a rate.
    pub fn line(x: Interval, rate: f64) -> Series<K> {
        let mut s = Series::of(x);
        if K > 1 {
            s.0[1] = Interval::point(rate);
        }
        s
    }

    /// A value that may jump: nothing is known of its derivatives.
    pub fn jumping(x: Interval) -> Series<K> {
        let mut c = [Interval::ENTIRE; K];
        c[0] = x;
        Series(c)
    }

    /// Either of two that join without a jump where they change places.
    fn cornered(self, o: Series<K>, value: Interval) -> Series<K> {
        let mut s = Series::jumping(value);
        if K > 1 {
            s.0[1] = self.0[1].hull(o.0[1]);
        }
        s
    }

    /// Either of two.
    pub fn either(self, o: Series<K>) -> Series<K> {
        match self == o {
            true => self,
            false => Series::jumping(self.0[0].hull(o.0[0])),
        }
    }

    /// Coefficients from the one before on: c_k = `next`(k, coefficients up to k − 1).
    fn grown(first: Interval, next: impl Fn(usize, &[Interval; K]) -> Interval) -> Series<K> {
        let mut c = [Interval::ZERO; K];
        c[0] = first;
        for k in 1..K {
            c[k] = next(k, &c);
        }
        Series(c)
    }

    /// Σ j a_j b_{k−j} / k over j = 1 … k: coefficient k of ∫ a′ b.
    fn linked(&self, b: &[Interval; K], k: usize) -> Interval {
        let a = &self.0;
        let terms = (1..=k).map(|j| Interval::point(j as f64) * a[j] * b[k - j]);
        terms.fold(Interval::ZERO, |sum, x| sum + x) / Interval::point(k as f64)
    }

    /// The function whose value is `first` and whose derivative is that of `self` times `b`.
    fn chain(&self, first: Interval, b: &Series<K>) -> Series<K> {
        Series::grown(first, |k, _| self.linked(&b.0, k))
    }

    /// A pair with f′ = a′ g and g′ = `sign` a′ f.
    fn pair(&self, f: Interval, g: Interval, sign: f64) -> (Series<K>, Series<K>) {
        let (mut s, mut c) = ([Interval::ZERO; K], [Interval::ZERO; K]);
        (s[0], c[0]) = (f, g);
        for k in 1..K {
            s[k] = self.linked(&c, k);
            c[k] = Interval::point(sign) * self.linked(&s, k);
        }
        (Series(s), Series(c))
    }

    /// Sine and cosine.
    pub fn sin_cos(self) -> (Series<K>, Series<K>) {
        self.pair(self.0[0].sin(), self.0[0].cos(), -1.0)
    }

    /// Tangent.
    pub fn tan(self) -> Series<K> {
        let (s, c) = self.sin_cos();
        s / c
    }

    /// Hyperbolic sine and cosine.
    pub fn sinh_cosh(self) -> (Series<K>, Series<K>) {
        self.pair(self.0[0].sinh(), self.0[0].cosh(), 1.0)
    }

    /// Hyperbolic tangent: y′ = a′ w with w = 1 − y², whose value 1/cosh² keeps its digits far out.
    pub fn tanh(self) -> Series<K> {
        let (mut y, mut w) = ([Interval::ZERO; K], [Interval::ZERO; K]);
        let cosh = self.0[0].cosh();
        y[0] = self.0[0].tanh();
        w[0] = match cosh.high.is_finite() {
            true => Interval::point(1.0) / cosh.square(),
            false => Interval::between(0.0, 1.0 / cosh.low / cosh.low),
        };
        for k in 1..K {
            y[k] = self.linked(&w, k);
            w[k] = (0..=k).fold(Interval::ZERO, |sum, i| sum - y[i] * y[k - i]);
        }
        Series(y)
    }

    /// Exponential function.
    pub fn exp(self) -> Series<K> {
        Series::grown(self.0[0].exp(), |k, e| self.linked(e, k))
    }

    /// Natural logarithm.
    pub fn ln(self) -> Series<K> {
        let inverse = Series::constant(1.0) / self;
        self.chain(self.0[0].ln(), &inverse)
    }

    /// Logarithm to base ten.
    pub fn log10(self) -> Series<K> {
        self.ln() / Series::constant(LN_10)
    }

    /// Inverse tangent.
    pub fn atan(self) -> Series<K> {
        let slope = Series::constant(1.0) / (Series::constant(1.0) + self.whole_power(2));
        self.chain(self.0[0].atan(), &slope)
    }

    /// Inverse sine.
    pub fn asin(self) -> Series<K> {
        let slope = Series::constant(1.0) / (Series::constant(1.0) - self.whole_power(2)).sqrt();
        self.chain(self.0[0].asin(), &slope)
    }

    /// Inverse cosine.
    pub fn acos(self) -> Series<K> {
        Series::constant(FRAC_PI_2) - self.asin()
    }

    /// Angle of the direction (x, self).
    pub fn atan2(self, x: Series<K>) -> Series<K> {
        let y = self;
        if x.0[0].low > 0.0 {
            (y / x).atan()
        } else if y.0[0].low > 0.0 {
            Series::constant(FRAC_PI_2) - (x / y).atan()
        } else if y.0[0].high < 0.0 {
            Series::constant(-FRAC_PI_2) - (x / y).atan()
        } else {
            Series::jumping(Interval::between(-PI, PI))
        }
    }

    /// Square root.
    pub fn sqrt(self) -> Series<K> {
        let mut s = self.real_power(0.5);
        s.0[0] = self.0[0].sqrt();
        s
    }

    /// √(self² + o²).
    pub fn hypot(self, o: Series<K>) -> Series<K> {
        (self.whole_power(2) + o.whole_power(2)).sqrt()
    }

    /// Magnitude.
    pub fn abs(self) -> Series<K> {
        match (self.0[0].low >= 0.0, self.0[0].high < 0.0) {
            (true, _) => self,
            (_, true) => -self,
            _ => self.cornered(-self, self.0[0].abs()),
        }
    }

    /// The smaller of two.
    pub fn min(self, o: Series<K>) -> Series<K> {
        let (a, b) = (self.0[0], o.0[0]);
        match (a.high < b.low, b.high < a.low) {
            (true, _) => self,
            (_, true) => o,
            _ => self.cornered(o, Interval { low: a.low.min(b.low), high: a.high.min(b.high) }),
        }
    }

    /// The larger of two.
    pub fn max(self, o: Series<K>) -> Series<K> {
        -((-self).min(-o))
    }

    /// A whole power, by squares, or where zero is far by the recurrence.
    pub fn whole_power(self, n: u32) -> Series<K> {
        /// Below this squares are quicker.
        const LARGE: u32 = 4;
        if n > LARGE && self.0[0].low > 0.0 {
            return self.real_power(f64::from(n));
        }
        if n > LARGE && self.0[0].high < 0.0 {
            let power = (-self).real_power(f64::from(n));
            return if n % 2 == 0 { power } else { -power };
        }
        let (mut power, mut square, mut left) = (Series::constant(1.0), self, n);
        while left > 0 {
            if left % 2 == 1 {
                power = power * square;
            }
            left /= 2;
            if left > 0 {
                square = square * square;
            }
        }
        // Of the value alone a tighter bound is known: squares are not negative.
        power.0[0] = self.0[0].whole_power(n);
        power
    }

    /// A constant real power: k a_0 p_k = Σ (j (r + 1) − k) a_j p_{k−j} over j = 1 … k.
    fn real_power(self, r: f64) -> Series<K> {
        let a = &self.0;
        if a[0].low <= 0.0 {
            return Series::jumping(a[0].power(r));
        }
        Series::grown(a[0].power(r), |k, p| {
            // As j r + (j − k): a power close to zero would be lost in r + 1.
            let whole = |n: usize| Interval::point(n as f64);
            let factor = |j: usize| whole(j) * Interval::point(r) - whole(k - j);
            let sum = (1..=k).fold(Interval::ZERO, |sum, j| sum + factor(j) * a[j] * p[k - j]);
            sum / (Interval::point(k as f64) * a[0])
        })
    }

    /// Any power.
    pub fn pow(self, exponent: Series<K>) -> Series<K> {
        /// Larger whole powers are taken as real ones.
        const LARGEST: f64 = 1e6;
        let still = exponent.0[1..].iter().all(|c| *c == Interval::ZERO);
        let n = exponent.0[0].low;
        let negative = self.0[0].low < 0.0;
        if !still || n != exponent.0[0].high {
            // A negative base has a value at whole exponents alone.
            return if negative { Series::jumping(Interval::ENTIRE) } else { (exponent * self.ln()).exp() };
        }
        if n != n.floor() {
            return self.real_power(n);
        }
        if n.abs() > LARGEST && n.is_finite() && self.0[0].high < 0.0 {
            let power = (-self).real_power(n);
            return if n % 2.0 == 0.0 { power } else { -power };
        }
        if n.abs() > LARGEST {
            return if negative { Series::jumping(Interval::ENTIRE) } else { self.real_power(n) };
        }
        let power = self.whole_power(n.abs() as u32);
        if n < 0.0 {
            Series::constant(1.0) / power
        } else {
            power
        }
    }

    /// q with q o = self: q_k = (a_k − Σ o_i q_{k−i} over i = 1 … k) / o_0.
    fn quotient(&self, o: &Series<K>) -> Series<K> {
        Series::grown(self.0[0] / o.0[0], |k, q| {
            let taken = (1..=k).fold(Interval::ZERO, |sum, i| sum + o.0[i] * q[k - i]);
            (self.0[k] - taken) / o.0[0]
        })
    }

    /// Remainder of a division rounded down, where the quotient passes no whole number; else anything between.
    pub fn modulo(self, m: Series<K>) -> Series<K> {
        let turns = self.0[0] / m.0[0];
        if m.0[0].has_zero() {
            return Series::jumping(Interval::ENTIRE);
        }
        match turns.low.floor() == turns.high.floor() && turns.is_bounded() {
            true => self - m * Series::constant(turns.low.floor()),
            false => Series::jumping(Interval::ZERO.hull(m.0[0])),
        }
    }

    /// 0 below `a`, 1 above `b`, 6s⁵ − 15s⁴ + 10s³ between.
    pub fn smoothstep(self, a: Series<K>, b: Series<K>) -> Series<K> {
        let s = (self - a) / (b - a);
        let x = s.0[0];
        if x.high <= 0.0 {
            return Series::constant(0.0);
        }
        if x.low >= 1.0 {
            return Series::constant(1.0);
        }
        let c = Series::constant;
        let rise = s * s * s * (c(10.0) + s * (c(6.0) * s - c(15.0)));
        let end = |x: f64| {
            let x = x.clamp(0.0, 1.0);
            x * x * x * (10.0 + x * (6.0 * x - 15.0))
        };
        let value = match x.is_bounded() {
            // It grows from end to end, but for a few roundings of terms up to fifteen.
            true => Interval { low: (end(x.low) - 1e-14).max(0.0), high: (end(x.high) + 1e-14).min(1.0) },
            false => Interval::between(0.0, 1.0),
        };
        if x.low >= 0.0 && x.high <= 1.0 {
            let mut rise = rise;
            rise.0[0] = value;
            return rise;
        }
        match x.is_bounded() {
            true => rise.cornered(c(0.0), value),
            false => Series::jumping(value),
        }
    }
}

impl<const K: usize> Neg for Series<K> {
    type Output = Series<K>;
    fn neg(self) -> Series<K> {
        Series(self.0.map(|c| -c))
    }
}

impl<const K: usize> Add for Series<K> {
    type Output = Series<K>;
    fn add(self, o: Series<K>) -> Series<K> {
        Series(std::array::from_fn(|k| self.0[k] + o.0[k]))
    }
}

impl<const K: usize> Sub for Series<K> {
    type Output = Series<K>;
    fn sub(self, o: Series<K>) -> Series<K> {
        self + -o
    }
}

impl<const K: usize> Mul for Series<K> {
    type Output = Series<K>;
    fn mul(self, o: Series<K>) -> Series<K> {
        let term = |k: usize, i: usize| self.0[i] * o.0[k - i];
        Series(std::array::from_fn(|k| (0..=k).fold(Interval::ZERO, |sum, i| sum + term(k, i))))
    }
}

impl<const K: usize> Div for Series<K> {
    type Output = Series<K>;
    fn div(self, o: Series<K>) -> Series<K> {
        self.quotient(&o)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Elementary, Jet};

    type S = Series<7>;

    /// Value, first and half the second derivative lie in the first three coefficients, and tightly at a point.
    fn held(what: &str, found: S, jet: Jet) {
        /// A few dozen roundings of numbers below a hundred.
        const TIGHT: f64 = 1e-12;
        for (c, x) in found.0.iter().zip([jet.v, jet.d, 0.5 * jet.dd]) {
            assert!(c.low - TIGHT <= x && x <= c.high + TIGHT, "{what}: {c:?} {x}");
            assert!(c.high - c.low < TIGHT * (1.0 + x.abs()), "{what}: {c:?}");
        }
    }

    #[test]
    fn coefficients_are_those_of_jets() {
        let (x, t) = (S::line(Interval::point(0.4), 1.0), Jet::variable(0.4));
        let (two, w) = (S::constant(2.0), Jet::constant(2.0));
        held("sin", x.sin_cos().0, t.sin());
        held("cos", x.sin_cos().1, t.cos());
        held("tan", x.tan(), t.tan());
        held("asin", x.asin(), t.asin());
        held("acos", x.acos(), t.acos());
        held("atan", x.atan(), t.atan());
        held("sinh", x.sinh_cosh().0, t.sinh());
        held("cosh", x.sinh_cosh().1, t.cosh());
        held("tanh", x.tanh(), t.tanh());
        held("exp", x.exp(), t.exp());
        held("ln", x.ln(), t.ln());
        held("log10", x.log10(), t.log10());
        held("sqrt", x.sqrt(), t.sqrt());
        held("hypot", x.hypot(two), t.hypot(w));
        held("atan2", x.atan2(-two), t.atan2(-w));
        held("atan2 below", (-x).atan2(-two), (-t).atan2(-w));
        held("a power", x.pow(S::constant(2.6)), t.powf(2.6));
        held("a whole power", x.pow(S::constant(5.0)), t.powf(5.0));
        held("an odd power", (-x).pow(S::constant(7.0)), (-t).powf(7.0));
        held("an even power", (-x).pow(S::constant(6.0)), (-t).powf(6.0));
        held("a small power", (-x).pow(S::constant(3.0)), (-t).powf(3.0));
        held("an inverse power", x.pow(S::constant(-3.0)), t.powf(-3.0));
        held("a moving power", two.pow(x), w.pow(t));
        held("abs", (-x).abs(), (-t).abs());
        held("min", x.min(two), t.min(w));
        held("max", x.max(two), t.max(w));
        held("modulo", (x + two).modulo(S::constant(0.7)), (t + w).modulo(Jet::constant(0.7)));
        held("smoothstep", x.smoothstep(-two, two), t.smoothstep(-w, w));
        // A power that one more would swallow.
        let (tiny, large) = (1e-16, 1e16);
        let jet = t.pow(Jet::constant(tiny)) * Jet::constant(large);
        // Of an endless power of a base below zero nothing is known; of a large one, its sign.
        assert_eq!((-two).pow(S::constant(f64::INFINITY)).0[0], Interval::ENTIRE);
        let odd = (-x).pow(S::constant(1e7 + 1.0)).0[0];
        assert!(odd.low <= 0.0 && odd.high <= 0.0, "{odd:?}");
        held("tiny power", x.pow(S::constant(tiny)) * S::constant(large), jet);
    }

    #[test]
    fn coefficient_six_of_known_functions() {
        let x = S::line(Interval::point(0.3), 1.0);
        for (c, exact) in [
            (x.exp().0[6], 0.3f64.exponential() / 720.0),
            (x.sin_cos().0 .0[6], -0.3f64.sine() / 720.0),
            (x.ln().0[6], -1.0 / (6.0 * 0.3f64.powi(6))),
            ((S::constant(1.0) / x).0[6], 1.0 / 0.3f64.powi(7)),
            (x.whole_power(6).0[6], 1.0),
            (x.whole_power(5).0[6], 0.0),
        ] {
            assert!((c.low..=c.high).contains(&exact) && c.high - c.low < 1e-10 * exact.abs() + 1e-15, "{c:?} {exact}");
        }
    }

    #[test]
    fn corners_and_jumps_leave_what_stays_bounded() {
        let x = S::line(Interval::between(-1.0, 2.0), 1.0);
        let a = x.abs().0;
        assert_eq!((a[0], a[1]), (Interval::between(0.0, 2.0), Interval::between(-1.0, 1.0)));
        assert_eq!(a[2], Interval::ENTIRE);
        assert_eq!(x.modulo(S::constant(1.5)).0[0], Interval::between(0.0, 1.5));
        assert_eq!(x.sqrt().0[1], Interval::ENTIRE);
        let s = x.smoothstep(S::constant(0.0), S::constant(1.0)).0;
        assert!(s[0] == Interval::between(0.0, 1.0) && s[1].is_bounded());
        assert_eq!(S::constant(1.0).either(S::constant(1.0)), S::constant(1.0));
    }
}
