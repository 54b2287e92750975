//! Enclosures of expressions: what a program gives over a whole interval of its variables, with Taylor coefficients.
//!
//! Where it is known that a condition keeps its side all over the interval, the side is read off at the middle ("settled"): else
//! both sides count where the enclosure of the condition cannot tell.

use super::lexer::Comparison;
use super::machine::{compare, Number};
use crate::math::{Interval, Jet, Series};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number of an enclosing evaluation.
#[derive(Debug, Clone, Copy)]
pub struct Enclosed<const K: usize> {
    /// Value in the middle.
    pub middle: f64,
    /// Taylor coefficients all over the interval.
    pub series: Series<K>,
    /// True where conditions that depend on this alone keep their side.
    pub settled: bool,
}

impl<const K: usize> Enclosed<K> {
    fn with(self, middle: f64, series: Series<K>) -> Self {
        Enclosed { middle, series, settled: self.settled }
    }

    fn both(self, o: Self, middle: f64, series: Series<K>) -> Self {
        Enclosed { middle, series, settled: self.settled && o.settled }
    }
}

impl<const K: usize> Neg for Enclosed<K> {
    type Output = Self;
    fn neg(self) -> Self {
        self.with(-self.middle, -self.series)
    }
}

macro_rules! operators {
    ($($trait:ident $name:ident),*) => {
        $(impl<const K: usize> $trait for Enclosed<K> {
            type Output = Self;
            fn $name(self, o: Self) -> Self {
                self.both(o, self.middle.$name(o.middle), self.series.$name(o.series))
            }
        })*
    };
}
operators!(Add add, Sub sub, Mul mul, Div div);

/// Smooth functions of one number: their name as the machine knows it, and what the series does.
macro_rules! smooth {
    ($($name:ident => $series:expr),*) => {
        $(fn $name(self) -> Self {
            let f: fn(Series<K>) -> Series<K> = $series;
            self.with(Number::$name(self.middle), f(self.series))
        })*
    };
}

impl<const K: usize> Number for Enclosed<K> {
    fn constant(value: f64) -> Self {
        Enclosed { middle: value, series: Series::constant(value), settled: true }
    }
    fn value(self) -> f64 {
        self.middle
    }
    fn compare(self, c: Comparison, o: Self) -> Self {
        let middle = f64::from(compare(c, self.middle, o.middle));
        let (a, b) = (self.series.0[0], o.series.0[0]);
        let below = (a.high < b.low, a.high <= b.low);
        let above = (a.low > b.high, a.low >= b.high);
        let known = match c {
            _ if self.settled && o.settled => Some(middle),
            Comparison::Less if below.0 => Some(1.0),
            Comparison::Less if above.1 => Some(0.0),
            Comparison::LessEqual if below.1 => Some(1.0),
            Comparison::LessEqual if above.0 => Some(0.0),
            Comparison::Greater if above.0 => Some(1.0),
            Comparison::Greater if below.1 => Some(0.0),
            Comparison::GreaterEqual if above.1 => Some(1.0),
            Comparison::GreaterEqual if below.0 => Some(0.0),
            Comparison::Equal if below.0 || above.0 => Some(0.0),
            Comparison::NotEqual if below.0 || above.0 => Some(1.0),
            _ => None,
        };
        let series = known.map_or(Series::jumping(Interval::between(0.0, 1.0)), Series::constant);
        self.both(o, middle, series)
    }
    fn flat(self, f: fn(f64) -> f64) -> Self {
        let middle = f(self.middle);
        let value = self.series.0[0];
        let held = Interval::between(f(value.low), f(value.high));
        let series = match self.settled || held.low == held.high {
            true => Series::constant(if self.settled { middle } else { held.low }),
            false => Series::jumping(held),
        };
        self.with(middle, series)
    }
    fn choose(self, a: Self, b: Self) -> Self {
        let condition = self.series.0[0];
        let middle = if self.middle != 0.0 { a.middle } else { b.middle };
        let series = if self.settled {
            if self.middle != 0.0 {
                a.series
            } else {
                b.series
            }
        } else if !condition.has_zero() {
            a.series
        } else if condition == Interval::ZERO {
            b.series
        } else {
            a.series.either(b.series)
        };
        Enclosed { middle, series, settled: self.settled && a.settled && b.settled }
    }
    smooth!(sin => |s| s.sin_cos().0, cos => |s| s.sin_cos().1, tan => |s| s.tan(), asin => |s| s.asin());
    smooth!(acos => |s| s.acos(), atan => |s| s.atan(), sinh => |s| s.sinh_cosh().0, cosh => |s| s.sinh_cosh().1);
    smooth!(tanh => |s| s.tanh(), exp => |s| s.exp(), ln => |s| s.ln(), log10 => |s| s.log10(), sqrt => |s| s.sqrt());
    fn abs(self) -> Self {
        let series = match self.settled {
            true if self.middle < 0.0 => -self.series,
            true => self.series,
            false => self.series.abs(),
        };
        self.with(self.middle.abs(), series)
    }
    fn atan2(self, x: Self) -> Self {
        self.both(x, Number::atan2(self.middle, x.middle), self.series.atan2(x.series))
    }
    fn min(self, o: Self) -> Self {
        let series = match self.settled && o.settled {
            true if o.middle < self.middle => o.series,
            true => self.series,
            false => self.series.min(o.series),
        };
        self.both(o, Number::min(self.middle, o.middle), series)
    }
    fn max(self, o: Self) -> Self {
        -((-self).min(-o))
    }
    fn hypot(self, o: Self) -> Self {
        self.both(o, Number::hypot(self.middle, o.middle), self.series.hypot(o.series))
    }
    fn modulo(self, m: Self) -> Self {
        let series = match self.settled && m.settled {
            true => self.series - m.series * Series::constant((self.middle / m.middle).floor()),
            false => self.series.modulo(m.series),
        };
        self.both(m, Number::modulo(self.middle, m.middle), series)
    }
    fn pow(self, exponent: Self) -> Self {
        self.both(exponent, Number::pow(self.middle, exponent.middle), self.series.pow(exponent.series))
    }
    fn smoothstep(self, a: Self, b: Self) -> Self {
        let [x, y, z] = [self.middle, a.middle, b.middle].map(Jet::constant);
        let middle = x.smoothstep(y, z).v;
        let settled = self.settled && a.settled && b.settled;
        let series = match settled {
            true if middle <= 0.0 || middle >= 1.0 => Series::constant(middle),
            true => {
                let s = (self.series - a.series) / (b.series - a.series);
                let c = Series::constant;
                s * s * s * (c(10.0) + s * (c(6.0) * s - c(15.0)))
            }
            false => self.series.smoothstep(a.series, b.series),
        };
        Enclosed { middle, series, settled }
    }
}
