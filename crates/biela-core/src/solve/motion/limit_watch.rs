//! Joint limits along a prescribed motion: where it first passes one. A limit is found in the step that passes it: where its slack changes sign,
//! or where the slack has its least value inside the step. A run ends at a hard stop, the range of a driver at any limit.

use super::lead::{leading, led_by, LIMIT};
use super::stepper::Stepper;
use super::Follower;
use crate::error::{Error, ErrorKind, Reason, Result};
use crate::model::Model;
use crate::results::{quantity_in_words, significant};
use crate::signal::Element;
use crate::system::System;

/// What counts as at a limit, in radians or metres.
pub const AT_LIMIT: f64 = 1e-9;
/// Largest stride between two looks at stops, in radians or sizes of the mechanism.
const STRIDE: f64 = 0.05;
/// Looks between two samples, at most.
const LOOKS: f64 = 64.0;

/// A limit of a coordinate.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// The joint.
    pub joint: usize,
    /// Its coordinate as a measure of the system.
    pub measure: usize,
    /// Its value.
    pub limit: f64,
    /// 1 where values lie above it, −1 where below.
    pub sign: f64,
}

impl Limit {
    /// What it is, in words.
    pub fn words(&self, model: &Model) -> String {
        let which = if self.sign > 0.0 { "lower" } else { "upper" };
        format!("{which} limit of {}", Element::Coordinate(self.joint, 0).name(model))
    }
}

/// Limits that are watched.
#[derive(Debug)]
pub struct LimitWatch {
    /// All of them.
    pub list: Vec<Limit>,
}

impl LimitWatch {
    /// Those of the joints' coordinates that `keep` names.
    pub fn new(system: &System, keep: impl Fn(usize, usize) -> bool) -> LimitWatch {
        let mut list = Vec::new();
        for (joint, c, measure) in system.constraints.named_coordinates().iter().copied() {
            if !keep(joint, c) {
                continue;
            }
            let limits = system.model.joints[joint].limits_of(c);
            list.extend(limits.lower.map(|limit| Limit { joint, measure, limit, sign: 1.0 }));
            list.extend(limits.upper.map(|limit| Limit { joint, measure, limit, sign: -1.0 }));
        }
        LimitWatch { list }
    }

    /// Hard stops; none where there are none.
    pub fn of_stops(system: &System) -> Option<LimitWatch> {
        let model = system.model;
        let watch = LimitWatch::new(system, |joint, c| model.joints[joint].limits_of(c).stop.restitution().is_some());
        (!watch.list.is_empty()).then_some(watch)
    }

    /// How far within each limit the present position is, and how fast that changes.
    pub fn slacks(&self, system: &System, follower: &Follower) -> Vec<(f64, f64)> {
        let (rows, at) = (&system.constraints, &follower.stepper.ws.evaluation);
        let slack = |l: &Limit| (l.sign * (rows.value(l.measure, at) - l.limit), l.sign * rows.rate(l.measure, at));
        self.list.iter().map(slack).collect()
    }

    /// The first limit that was passed since `from`, where slacks were `before`: where that was, and its number.
    pub fn passed(
        &self,
        system: &System,
        follower: &mut Follower,
        from: f64,
        before: &[(f64, f64)],
    ) -> Option<(f64, usize)> {
        let (to, after) = (follower.stepper.state.t, self.slacks(system, follower));
        let mut first: Option<(f64, usize)> = None;
        for k in 0..self.list.len() {
            let (a, b) = (before[k], after[k]);
            let mut slack = |t: f64| follower.go_to(t).then(|| self.slacks(system, follower)[k]);
            let x = if a.0 <= AT_LIMIT && a.1 < 0.0 {
                // At the limit already, and on the way beyond.
                Some(from)
            } else if b.0 < 0.0 {
                root([(from, a.0), (to, b.0)], |t| slack(t).map(|s| s.0))
            } else if a.1 < 0.0 && b.1 > 0.0 {
                let lowest = root([(from, a.1), (to, b.1)], |t| slack(t).map(|s| s.1));
                let depth = lowest.and_then(|t| Some((t, slack(t)?.0))).filter(|(_, depth)| *depth < 0.0);
                depth.and_then(|end| root([(from, a.0), end], |t| slack(t).map(|s| s.0)))
            } else {
                None
            };
            if let Some(x) = x.filter(|x| first.is_none_or(|f| *x < f.0)) {
                first = Some((x, k));
            }
        }
        if follower.stepper.state.t != to {
            follower.go_to(to);
        }
        first
    }

    /// Carries a motion on to time `t`, or to a stop that it is led beyond, which is an error.
    pub fn advance(&self, follower: &mut Follower, t: f64) -> Result<()> {
        let system = follower.stepper.system;
        let left = t - follower.stepper.state.t;
        let looks = (left * follower.stepper.speed() / STRIDE).ceil().clamp(1.0, LOOKS);
        let first = follower.stepper.state.t;
        follower.stepper.settle();
        for look in 1..=looks as usize {
            let (from, before) = (follower.stepper.state.t, self.slacks(system, follower));
            let to = if look as f64 == looks { t } else { first + left * look as f64 / looks };
            let outcome = follower.advance(to);
            let reached = follower.stepper.state.t;
            if reached > from {
                follower.stepper.settle();
                // What is led exactly to a stop stays there.
                let after = self.slacks(system, follower);
                if after.iter().zip(&before).any(|(after, before)| after.0 < -AT_LIMIT || before.1 * after.1 < 0.0) {
                    if let Some((at, k)) = self.passed(system, follower, from, &before) {
                        return Err(self.stopped(&mut follower.stepper, at, k));
                    }
                }
            }
            outcome?;
        }
        Ok(())
    }

    /// An error where a motion starts beyond a stop.
    pub fn refuse_beyond(&self, follower: &mut Follower) -> Result<()> {
        follower.stepper.settle();
        let slacks = self.slacks(follower.stepper.system, follower);
        match slacks.iter().position(|slack| slack.0 < -AT_LIMIT) {
            Some(k) => {
                let t = follower.stepper.state.t;
                Err(self.stopped(&mut follower.stepper, t, k))
            }
            None => Ok(()),
        }
    }

    /// Why a motion ends at a stop.
    fn stopped(&self, stepper: &mut Stepper, t: f64, k: usize) -> Error {
        let (system, limit) = (stepper.system, &self.list[k]);
        let model = system.model;
        let unit = Element::Coordinate(limit.joint, 0).signals(model).next().map_or("1", |signal| signal.unit());
        let value = quantity_in_words(&model.study.units, limit.limit, unit, 6);
        let error = ErrorKind::Drive
            .error(format!("drivers lead it beyond its stop at {value} at t = {} s", significant(t, 9)))
            .because(Reason::LimitPassed)
            .at_time(t)
            .of(format!("joint '{}'", model.joints[limit.joint].name))
            .at_opt(model.joints[limit.joint].span.as_ref())
            .note(
                "a hard stop ends a prescribed motion; drive it less far, move the limit, or leave stop = \"hard\" out",
            );
        let driver = leading(stepper);
        led_by(error, system, driver, LIMIT)
    }
}

/// Where a function changes its sign between two places with their values: false position, the idle end's value halved (Illinois). The
/// straight line's answer where the function cannot be told.
fn root([mut a, mut b]: [(f64, f64); 2], mut f: impl FnMut(f64) -> Option<f64>) -> Option<f64> {
    /// Width of the interval that holds it, against its place.
    const WIDTH: f64 = 1e-14;
    for _ in 0..80 {
        let x = (a.0 * b.1 - b.0 * a.1) / (b.1 - a.1);
        let x = if x > a.0.min(b.0) && x < a.0.max(b.0) { x } else { 0.5 * (a.0 + b.0) };
        let Some(y) = f(x) else { return Some(x) };
        if y * b.1 < 0.0 {
            a = b;
        } else {
            a.1 *= 0.5;
        }
        let moved = (x - b.0).abs();
        b = (x, y);
        if y == 0.0 || moved <= WIDTH * x.abs().max(1.0) || (a.0 - b.0).abs() <= WIDTH * x.abs().max(1.0) {
            break;
        }
    }
    Some(b.0)
}
