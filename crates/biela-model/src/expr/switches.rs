//! Where an expression changes its formula: the zeros in time of the conditions in it.
//!
//! Every comparison, corner and jump of an expression has a function σ at whose zeros (`floor`, `ceil`, `mod`: whole values) it
//! changes its formula. Where σ depends on time alone, the first change after a given time is found by bisection: a part of time
//! over which the enclosure of σ has no zero holds none; one over which the enclosure of σ′ has none holds one at most, which
//! then is located between two neighbouring numbers. Changes are searched for on demand, so a wave costs no more memory than a
//! single step. What touches zero without passing it changes nothing.

use super::functions::Code;
use super::machine::{self, Op};
use super::Enclosed;
use crate::math::{Interval, Series};

/// A change of formula: the last time before it and the first after it, a few roundings apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Break {
    /// Up to here the old formula holds.
    pub before: f64,
    /// From here on the new one does.
    pub after: f64,
}

/// What a search has found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Found {
    /// Nothing changes.
    Nothing,
    /// The first change.
    At(Break),
    /// Too much may happen to be told apart; nothing does before this time.
    Unclear(f64),
}

/// A function of time at whose zeros, or whole values, a formula changes.
#[derive(Debug, Clone)]
pub struct Switch {
    program: Vec<Op>,
    depth: usize,
    whole: bool,
}

/// All switches of a program that depend on slot 0 alone, innermost first.
pub(super) fn switches(program: &[Op]) -> Vec<Switch> {
    let mut found = Vec::new();
    let mut starts: Vec<usize> = Vec::new();
    for (i, op) in program.iter().enumerate() {
        let first = starts.len() - op.takes().min(starts.len());
        let mut bounds = starts.split_off(first);
        starts.push(bounds.first().copied().unwrap_or(i));
        bounds.push(i);
        let part = |k: usize| &program[bounds[k]..bounds[k + 1]];
        let mut add = |parts: &[&[Op]], join: &[Op], whole: bool| {
            let program: Vec<Op> = parts.iter().copied().chain([join]).flatten().copied().collect();
            let timely = |op: &Op| !matches!(op, Op::Variable(slot) if *slot != 0);
            if program.contains(&Op::Variable(0)) && program.iter().all(timely) {
                let depth = machine::stack_needed(&program);
                found.push(Switch { program, depth, whole });
            }
        };
        match op {
            Op::Compare(_) | Op::Call(Code::Min | Code::Max) => add(&[part(0), part(1)], &[Op::Subtract], false),
            Op::Call(Code::Abs | Code::Sign | Code::Step | Code::Sqrt) => add(&[part(0)], &[], false),
            // Comparisons have switches of their own.
            Op::Call(Code::If) if !matches!(part(0).last(), Some(Op::Compare(_))) => add(&[part(0)], &[], false),
            Op::Call(Code::Floor | Code::Ceil) => add(&[part(0)], &[], true),
            Op::Call(Code::Mod) => add(&[part(0), part(1)], &[Op::Divide], true),
            Op::Call(Code::Smoothstep) => {
                add(&[part(0), part(1)], &[Op::Subtract], false);
                add(&[part(0), part(2)], &[Op::Subtract], false);
                add(&[part(1), part(2)], &[Op::Subtract], false);
            }
            Op::Call(Code::Atan2 | Code::Hypot) => {
                add(&[part(0)], &[], false);
                add(&[part(1)], &[], false);
            }
            // A power that is not whole ends at zero.
            Op::Power if !matches!(part(1), [Op::Constant(n)] if *n == n.floor()) => add(&[part(0)], &[], false),
            _ => {}
        }
    }
    found
}

impl Switch {
    fn value(&self, t: f64) -> f64 {
        machine::run(&self.program, self.depth, &[t])
    }

    /// The side on which a time lies: a sign, or the whole number below.
    fn side(&self, t: f64) -> f64 {
        let x = self.value(t);
        match self.whole {
            true => x.floor(),
            false if x == 0.0 => 0.0,
            false => x.signum(),
        }
    }

    /// σ and σ′ over a part of time in which the switches within σ keep their sides.
    fn over(&self, a: f64, b: f64) -> [Interval; 2] {
        let series = Series::<2>::line(Interval::between(a, b), 1.0);
        let t = Enclosed { middle: 0.5 * (a + b), series, settled: true };
        machine::run(&self.program, self.depth, &[t]).series.0
    }

    /// The first change after `from` up to `to`, where the switches within this one keep their sides. Times closer than
    /// `rounding` count as one.
    pub fn first(&self, from: f64, to: f64, rounding: f64) -> Found {
        /// Parts looked at in one search.
        const MOST: usize = 400;
        /// Least part of the search in which a change and its reversal are told from a touch.
        const LEAST: f64 = 1e-12;
        let least = (LEAST * (to - from)).max(rounding);
        let mut parts = vec![(from, to)];
        let mut looked = 0;
        while let Some((a, b)) = parts.pop() {
            looked += 1;
            if looked > MOST {
                return Found::Unclear(a);
            }
            let [value, slope] = self.over(a, b);
            let quiet = match self.whole {
                true => value.is_bounded() && value.low.floor() == value.high.floor(),
                false => !value.has_zero() || value == Interval::ZERO,
            };
            if quiet {
                continue;
            }
            let monotone = !slope.has_zero();
            if monotone || b - a <= least {
                if let Some(found) = self.between(a, b, rounding) {
                    return Found::At(found);
                }
                continue;
            }
            let middle = 0.5 * (a + b);
            parts.push((middle, b));
            parts.push((a, middle));
        }
        Found::Nothing
    }

    /// The change between two times on different sides.
    fn between(&self, a: f64, b: f64, rounding: f64) -> Option<Break> {
        let (here, there) = (self.side(a), self.side(b));
        if here == there || here.is_nan() || there.is_nan() || (here == 0.0 && !self.whole) {
            return None;
        }
        let (before, mut after) = self.last_on(here, a, b);
        if !self.whole && self.side(after) == 0.0 && there != 0.0 {
            after = self.last_on(0.0, after, b).1;
        }
        Some(Break { before: before - rounding, after: after + rounding })
    }

    /// Neighbouring numbers, of which the first is on this side, as `a` is, and the second is not, as `b` is not.
    fn last_on(&self, side: f64, a: f64, b: f64) -> (f64, f64) {
        let (mut low, mut high) = (a, b);
        loop {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                return (low, high);
            }
            if self.side(middle) == side {
                low = middle;
            } else {
                high = middle;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Expression, Name};
    use super::*;

    /// Breaks of an expression of t up to an end, as the integration finds them: after each the search begins anew.
    fn breaks(text: &str, end: f64) -> Vec<f64> {
        let expression = Expression::parse(text, &[("t", Name::Variable(0)), ("x", Name::Variable(1))]).unwrap();
        let switches = expression.switches();
        let (mut t, mut all) = (0.0, Vec::new());
        while t < end && all.len() < 1000 {
            let (mut to, mut next) = (end, None);
            for switch in &switches {
                match switch.first(t, to, 1e-15 * end) {
                    Found::At(found) => (to, next) = (found.before, Some(found)),
                    Found::Nothing => {}
                    Found::Unclear(t) => panic!("{text}: unclear from {t}"),
                }
            }
            let Some(next) = next else { break };
            assert!(next.before <= next.after && next.after - next.before < 1e-13 * end, "{text}: {next:?}");
            all.push(0.5 * (next.before + next.after));
            t = next.after;
        }
        all
    }

    fn close(text: &str, end: f64, wanted: &[f64]) {
        let found = breaks(text, end);
        assert_eq!(found.len(), wanted.len(), "{text}: {found:?}");
        for (a, b) in found.iter().zip(wanted) {
            assert!((a - b).abs() < 1e-13 * end, "{text}: {a} {b}");
        }
    }

    #[test]
    fn pulses_begin_and_end() {
        close("if(t > 3, if(t < 3.5, 5, 0), 0)", 10.0, &[3.0, 3.5]);
        close("5*step(t - 3)*step(3.5 - t)", 10.0, &[3.0, 3.5]);
        close("5*(step(t - 3) - step(t - 3.000001))", 10.0, &[3.0, 3.000001]);
        close("if((t - 3)^2 < 1e-10, 1, 0)", 10.0, &[3.0 - 1e-5, 3.0 + 1e-5]);
        close("if(abs(t - 3) < 1e-9, 1, 0)", 10.0, &[3.0 - 1e-9, 3.0, 3.0 + 1e-9]);
        close("smoothstep(t, 1, 2)", 10.0, &[1.0, 2.0]);
        close("max(0, t - 3)", 10.0, &[3.0]);
        close("if(max(0, t - 3), 5, 0)", 10.0, &[3.0]);
        close("(t > 1)*(t <= 2)*sin(t)", 10.0, &[1.0, 2.0]);
        close("if(t == 3, 5, 0)", 10.0, &[3.0]);
        close("sqrt(t - 2)", 10.0, &[2.0]);
    }

    #[test]
    fn trains_are_found_one_by_one() {
        let pi = std::f64::consts::PI;
        let zeros: Vec<f64> = (1..=31).map(|k| f64::from(k) * pi / 10.0).collect();
        close("sign(sin(10*t))", 10.0, &zeros);
        close("floor(t)", 4.5, &[1.0, 2.0, 3.0, 4.0]);
        close("if(mod(t, 0.5) < 0.1, 5, 0)", 1.2, &[0.1, 0.5, 0.6, 1.0, 1.1]);
        assert_eq!(breaks("sign(sin(500*t))", 6.0).len(), 954);
    }

    #[test]
    fn what_only_touches_or_depends_on_more_is_no_break() {
        close("if(sin(t)^2 >= 0, 1, 0)", 10.0, &[]);
        close("abs(t + 1)", 10.0, &[]);
        close("if(x > t, 1, 0) + abs(x)", 10.0, &[]);
        close("exp(-((t - 3)/0.01)^2)", 10.0, &[]);
        close("if(0*t > 0, 1, 0)", 10.0, &[]);
    }

    #[test]
    fn what_cannot_be_told_apart_is_called_unclear() {
        let expression = Expression::parse("step(sin(t)^2 + cos(t)^2 - 1)", &[("t", Name::Variable(0))]).unwrap();
        let found = expression.switches()[0].first(0.0, 10.0, 1e-14);
        assert!(matches!(found, Found::Unclear(_) | Found::At(_)), "{found:?}");
    }
}
