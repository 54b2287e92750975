//! The zeros of what is watched, in one step.

use super::super::{Dense, Dynamics, Point};
use super::{Events, Watched, LEAST, MANY, MOST, PLACES};
use crate::error::{Error, ErrorKind, Reason, Result};
use crate::math::Interval;

/// The search for the zeros of one watched function in one step.
pub(super) struct Search<'a, 'm, 'd, 's> {
    pub(super) events: &'a mut Events<'m>,
    pub(super) k: usize,
    pub(super) dynamics: &'d mut Dynamics<'s>,
    pub(super) dense: &'a Dense,
    pub(super) at: &'a mut Point,
}

impl Search<'_, '_, '_, '_> {
    /// Adds the times of all zeros, in order.
    pub(super) fn zeros(&mut self, end: &[f64], found: &mut Vec<(f64, usize)>) -> Result<()> {
        let (from, h) = (self.dense.from.t, self.dense.to.t - self.dense.from.t);
        if let Watched::Touch(slot, margin) = self.events.watched[self.k].1 {
            if self.events.curves[slot].is_rough(self.dynamics.ws.size) && self.touches(margin, end, found) {
                return Ok(());
            }
        }
        let watched = &self.events.watched[self.k].1;
        let before = watched.value(&self.events.env_before);
        self.events.env.clone_from(&self.events.env_first);
        self.events.env[0] = from;
        let watched = &self.events.watched[self.k].1;
        let first = watched.value(&self.events.env);
        let last = watched.value(end);
        // Where loads change their formula, events of time alone may do so too.
        if self.crosses(before, first) {
            found.push((from, self.k));
        }
        let mut then = first;
        let mut parts = vec![(0.0, 1.0)];
        let mut looked = 0;
        while let Some((a, b)) = parts.pop() {
            looked += 1;
            if looked > MOST && found.len() > MANY {
                return Err(self.endless());
            }
            if looked > MOST {
                // Zero all along, but for rounding: what is left is the change from end to end.
                break;
            }
            let [value, slope, _] = self.events.over(self.k, (from, h), Interval::between(a, b)).0;
            if value.low > 0.0 || value.high < 0.0 {
                let now = if value.low > 0.0 { 1.0 } else { -1.0 };
                if self.crosses(then, now) {
                    found.push((from + a * h, self.k));
                }
                then = now;
                continue;
            }
            if value == Interval::ZERO {
                then = 0.0;
                continue;
            }
            if slope.has_zero() && b - a > LEAST {
                let middle = 0.5 * (a + b);
                parts.push((middle, b));
                parts.push((a, middle));
                continue;
            }
            let now = if b == 1.0 { last } else { self.value(b) };
            if self.crosses(then, now) {
                found.push((self.locate(then, a, b), self.k));
            }
            then = now;
        }
        if self.crosses(then, last) {
            found.push((self.locate(then, 0.0, 1.0), self.k));
        }
        // What was to begin and goes the other way instead.
        if self.events.watched[self.k].1.falls() && first <= 0.0 && last < 0.0 && found.iter().all(|f| f.1 != self.k) {
            found.push((from, self.k));
        }
        Ok(())
    }

    /// Adds the first time at which a gap closes that no polynomial follows; false where it is none of these. A part of the step in whose middle it is
    /// wider than it can close up to its ends holds none; others are divided.
    fn touches(&mut self, margin: usize, end: &[f64], found: &mut Vec<(f64, usize)>) -> bool {
        let h = self.dense.to.t - self.dense.from.t;
        let mut closes = Vec::new();
        for s in PLACES {
            self.go(s);
            let Some((_, speed)) = self.dynamics.clearance(margin) else { return false };
            closes.push(speed);
        }
        // Between these places it may be faster by as much as it changes from one to the next.
        let [least, most] = [f64::min, f64::max].map(|f| closes.iter().copied().reduce(f).unwrap_or(0.0));
        let reach = h * (2.0 * most - least);
        let mut then = self.alone(margin, 0.0);
        let mut parts = vec![(0.0, 1.0)];
        let mut looked = 0;
        while let Some((a, b)) = parts.pop() {
            looked += 1;
            let middle = 0.5 * (a + b);
            let now = self.alone(margin, middle);
            if self.crosses(then, now) {
                found.push((self.locate(then, a, middle), self.k));
                return true;
            }
            let apart = self.dynamics.clearance(margin).map_or(0.0, |bound| bound.0);
            then = if now > 0.0 { now } else { then };
            if apart > 0.5 * (b - a) * reach {
                continue;
            }
            if b - a > LEAST && looked < MOST {
                parts.push((middle, b));
                parts.push((a, middle));
            }
        }
        let last = self.events.watched[self.k].1.value(end);
        if self.crosses(then, last) {
            found.push((self.locate(then, 0.0, 1.0), self.k));
        }
        true
    }

    /// Realises the position at s on the dense output, and nothing else.
    fn go(&mut self, s: f64) {
        let Dense { from, to, .. } = self.dense;
        self.dense.at(from.t + s * (to.t - from.t), self.at);
        self.dynamics.realize(self.at);
    }

    /// A margin at s that is a gap, by itself.
    fn alone(&mut self, margin: usize, s: f64) -> f64 {
        self.go(s);
        self.dynamics.alone(margin).unwrap_or(f64::INFINITY)
    }

    fn crosses(&self, then: f64, now: f64) -> bool {
        self.events.watched[self.k].1.crosses(then, now)
    }

    /// More zeros than anyone reads.
    fn endless(&self) -> Error {
        let Dense { from, to, .. } = self.dense;
        let name = &self.events.watched[self.k].0;
        ErrorKind::Capacity
            .error(format!("{name} has thousands of zeros between t = {:.9} s and {:.9} s", from.t, to.t))
            .because(Reason::TooFast)
            .at_time(from.t)
            .note("give [run] more steps, so that steps are shorter, or watch something slower")
    }

    /// Its value at s on the dense output.
    fn value(&mut self, s: f64) -> f64 {
        let watched = &self.events.watched[self.k].1;
        match watched.needs_state() {
            true => self.events.realize(s, self.dynamics, self.dense, self.at),
            false => self.events.env[0] = self.dense.from.t + s * (self.dense.to.t - self.dense.from.t),
        }
        self.events.watched[self.k].1.value(&self.events.env)
    }

    /// Time of the zero between two places of the step, by bisection to rounding.
    fn locate(&mut self, then: f64, a: f64, b: f64) -> f64 {
        let (mut low, mut high) = (a, b);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            let now = self.value(middle);
            if now != 0.0 && (now < 0.0) == (then < 0.0) {
                low = middle;
            } else {
                high = middle;
            }
        }
        let dense = self.dense;
        if high == 1.0 {
            dense.to.t
        } else {
            dense.from.t + high * (dense.to.t - dense.from.t)
        }
    }
}
