//! Whether a step sees a function of time: how far the function strays, between the nodes at which the step looks at it, from the
//! polynomial through its values there.
//!
//! Over the whole step |f − p| ≤ |c_n| max|Π (s − s_i)| with c_n the enclosure of f⁽ⁿ⁾/n! for n nodes s_i. Where that is too wide,
//! the step is divided: on a part around m of half-width r
//!     |f − p| ≤ Σ_{k<j} |f_k(m) − p_k(m)| r^k + |f_j − p_j| r^j  for any order j,
//! with Taylor coefficients at m and, in the last term, enclosed over the part. Parts are divided, the worst first, until the sum of
//! width × bound is small enough, or cannot become so.

use crate::math::{Interval, Series};

/// Orders of the Taylor coefficients in use.
pub(super) const ORDERS: usize = 7;
/// Most nodes of a method.
const MOST_NODES: usize = 6;

/// A function over a step, s from 0 to 1.
pub(super) trait Seen {
    /// Its value at s.
    fn value(&self, s: f64) -> f64;
    /// Taylor coefficients in s over a part of the step.
    fn series(&self, s: Interval) -> Series<ORDERS>;
}

/// The nodes of a method, and the greatest |Π (s − s_i)|.
#[derive(Debug)]
pub(super) struct Nodes {
    at: &'static [f64],
    crest: f64,
}

/// Coefficients of a polynomial in powers of s.
type Polynomial = [f64; MOST_NODES];

/// What a step sees of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sight {
    /// It is known to stray by no more than is allowed.
    Seen,
    /// It is known to stray by more.
    Unseen,
    /// Its enclosures are too wide to tell.
    Unknown,
}

impl Nodes {
    pub(super) fn new(at: &'static [f64]) -> Nodes {
        let at = &at[..at.len().min(MOST_NODES)];
        let product = |s: f64| at.iter().map(|c| s - c).product::<f64>().abs();
        // A polynomial of degree six at most: between two of these points it grows by a hundredth at most.
        let crest = (0..=200).map(|k| product(f64::from(k) / 200.0)).fold(0.0, f64::max);
        Nodes { at, crest: 1.01 * crest }
    }

    /// Whether the mean of |f − p| over the step is at most `allowed`.
    pub(super) fn see(&self, f: &impl Seen, allowed: f64) -> Sight {
        /// Parts that a step is divided into.
        const MOST: usize = 120;
        /// Parts this narrow in which no bound can be given are left to the step's own error.
        const LEAST: f64 = 1e-12;
        /// Roundings of f and of the polynomial through its values.
        const ROUNDING: f64 = 1e-12;
        let n = self.at.len();
        let whole = f.series(Interval::between(0.0, 1.0));
        let order = whole.0[n].magnitude();
        if order * self.crest <= allowed {
            return Sight::Seen;
        }
        let mut values = [0.0; MOST_NODES];
        values.iter_mut().zip(self.at).for_each(|(y, s)| *y = f.value(*s));
        if !values.iter().all(|y| y.is_finite()) {
            // The evaluation at that node says what is wrong.
            return Sight::Seen;
        }
        let largest = values.iter().fold(0.0f64, |m, y| m.max(y.abs()));
        let allowed = allowed.max(ROUNDING * largest);
        let p = self.through(values);
        let mut parts = vec![Part::new(f, &p, 0.0, 1.0)];
        loop {
            let total = |bound: fn(&Part) -> f64| parts.iter().map(|part| part.width * bound(part)).sum::<f64>();
            if total(|part| part.upper) <= allowed {
                return Sight::Seen;
            }
            if total(|part| part.lower) > allowed {
                return Sight::Unseen;
            }
            if parts.len() >= MOST {
                return Sight::Unknown;
            }
            let weight = |part: &Part| part.width * part.upper;
            let Some(worst) = (0..parts.len()).max_by(|a, b| weight(&parts[*a]).total_cmp(&weight(&parts[*b]))) else {
                return Sight::Seen;
            };
            let part = parts.swap_remove(worst);
            if part.width < LEAST {
                parts.push(Part { upper: 0.0, lower: 0.0, ..part });
                continue;
            }
            let half = 0.5 * part.width;
            parts.push(Part::new(f, &p, part.start, half));
            parts.push(Part::new(f, &p, part.start + half, half));
        }
    }

    /// The polynomial through values at the nodes, by divided differences.
    fn through(&self, mut d: Polynomial) -> Polynomial {
        let (s, n) = (self.at, self.at.len());
        for level in 1..n {
            for i in (level..n).rev() {
                d[i] = (d[i] - d[i - 1]) / (s[i] - s[i - level]);
            }
        }
        let mut p = [0.0; MOST_NODES];
        for i in (0..n).rev() {
            // p ← p (s − s_i) + d_i
            for k in (0..MOST_NODES).rev() {
                p[k] = if k > 0 { p[k - 1] } else { 0.0 } - s[i] * p[k];
            }
            p[0] += d[i];
        }
        p
    }
}

/// Taylor coefficients of a polynomial at m.
fn shifted(p: &Polynomial, m: f64) -> Polynomial {
    let mut q = *p;
    for k in 0..MOST_NODES {
        for i in (k..MOST_NODES - 1).rev() {
            q[i] += m * q[i + 1];
        }
    }
    q
}

/// A part of a step, and what is known of |f − p| there.
#[derive(Debug, Clone, Copy)]
struct Part {
    start: f64,
    width: f64,
    upper: f64,
    lower: f64,
}

impl Part {
    fn new(f: &impl Seen, p: &Polynomial, start: f64, width: f64) -> Part {
        let r = 0.5 * width;
        let m = start + r;
        let (here, over) = (f.series(Interval::point(m)).0, f.series(Interval::between(start, start + width)).0);
        let p = shifted(p, m);
        let at = |k: usize| p.get(k).copied().unwrap_or(0.0);
        let (mut upper, mut around_middle, mut head, mut power) = (f64::INFINITY, f64::INFINITY, 0.0, 1.0);
        for j in 0..ORDERS {
            // p_j over the part: Σ C(k, j) p_k (s − m)^(k − j).
            let (mut around, mut binomial, mut reach) = (0.0, 1.0, 1.0);
            for k in j + 1..MOST_NODES {
                binomial *= k as f64 / (k - j) as f64;
                reach *= r;
                around += binomial * at(k).abs() * reach;
            }
            let tail = (over[j] - Interval::between(at(j) - around, at(j) + around)).magnitude();
            let bound = head + tail * power;
            if bound < upper {
                upper = bound;
            }
            // With j > 0 the bound is the value in the middle and what f − p may change by around it.
            if j > 0 && bound < around_middle {
                around_middle = bound;
            }
            head += (here[j] - Interval::point(at(j))).magnitude() * power;
            power *= r;
        }
        let middle = (here[0] - Interval::point(at(0))).abs().low;
        let lower = if around_middle.is_finite() { (2.0 * middle - around_middle).max(0.0) } else { 0.0 };
        Part { start, width, upper, lower }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{Enclosed, Expression, Name};

    struct OfTime<'a>(&'a Expression, f64, f64);

    impl Seen for OfTime<'_> {
        fn value(&self, s: f64) -> f64 {
            self.0.eval(&[self.1 + s * self.2])
        }
        fn series(&self, s: Interval) -> Series<ORDERS> {
            let t = Interval::point(self.1) + Interval::point(self.2) * s;
            let middle = self.1 + 0.5 * self.2;
            self.0.enclosed(&[Enclosed { middle, series: Series::line(t, self.2), settled: false }])
        }
    }

    const RK45: &[f64] = &[0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0];

    fn sees(text: &str, from: f64, to: f64, allowed: f64) -> bool {
        let f = Expression::parse(text, &[("t", Name::Variable(0))]).unwrap();
        Nodes::new(RK45).see(&OfTime(&f, from, to - from), allowed) == Sight::Seen
    }

    #[test]
    fn pulses_between_nodes_are_not_seen() {
        for pulse in [
            "5*exp(-((t - 3)/0.01)^2)",
            "5*exp(-((t - 3)/1e-6)^2)",
            "5/(1 + ((t - 3)/0.001)^2)",
            "tanh((t - 3)/1e-3) - tanh((t - 3.001)/1e-3)",
            "cos(t - 3)^100000",
            "sin(2*t) + 1e-3*exp(-((t - 3)/0.001)^2)",
            "if(abs(t - 3) < 1e-3, 1, 0)",
        ] {
            assert!(!sees(pulse, 2.5, 3.5, 1e-9), "{pulse}");
        }
    }

    #[test]
    fn what_lies_before_or_after_and_what_is_smooth_is_seen() {
        for (text, from, to) in [
            ("5*exp(-((t - 3)/0.01)^2)", 0.0, 2.9),
            ("5*exp(-((t - 3)/0.01)^2)", 3.2, 1000.0),
            ("5*exp(-((t - 3)/0.01)^2)", 3.0, 3.0002),
            ("sin(2*t)", 0.0, 0.1),
            ("100*sin(50*t) + t^3", 0.0, 0.001),
            ("t^5 - 3*t^2 + 7", 0.0, 100.0),
            ("tanh((t - 3)/1e-3)", 0.0, 2.98),
            ("if(t > 3, 5, 0)", 3.5, 10.0),
            ("sqrt(t)", 1.0, 1.1),
            ("1e9", 0.0, 1e3),
        ] {
            assert!(sees(text, from, to, 1e-9), "{text}");
        }
        // No bound near zero, where the part without one is too short to matter.
        assert!(sees("log(t)", 0.0, 1e-12, 1e3));
    }

    #[test]
    fn what_strays_by_little_is_seen_where_little_is_asked() {
        // Impulse √π 0.01 · 5 over one second.
        let pulse = "5*exp(-((t - 3)/0.01)^2)";
        assert!(!sees(pulse, 2.5, 3.5, 0.05) && sees(pulse, 2.5, 3.5, 0.2));
    }
}
