//! Equilibrium within joint limits.
//!
//! A coordinate that the loads press beyond a limit is held at the limit, and let go again where the limit would have to pull: the
//! active set. A limit holds along the whole run or not at all; where it is reached on the way the run ends with the time.

use super::equilibrium::Equilibrium;
use crate::couplings::CoordinateRef;
use crate::drivers::{Driver, Target};
use crate::error::{End, ErrorKind, Reason, Result};
use crate::model::{Model, Study};
use crate::motion::Motion;
use crate::results::{quantity_in_words, significant, Results};
use crate::signal::Element;
use crate::signal_name;
use crate::solve::kinematics;
use crate::solve::motion::LIMIT;
use crate::solve::newton::Method;
use crate::solve::outcome::Outcome;
use crate::solve::vectors::max_abs;
use crate::system::System;

/// Beyond a limit by less than this (radians or metres) is at it.
const AT_LIMIT: f64 = 1e-9;

/// A limit of a joint's first coordinate.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bound {
    joint: usize,
    limit: f64,
    /// 1 where values lie above it, −1 where below.
    sign: f64,
}

impl Bound {
    fn all(model: &Model) -> Vec<Bound> {
        let mut found = Vec::new();
        for (k, joint) in model.joints.iter().enumerate() {
            let driven =
                |d: &Driver| matches!(&d.target, Target::Coordinate { of, .. } if of.joint == k && of.coordinate == 0);
            if joint.kind.coordinates().is_empty() || model.drivers.iter().any(driven) {
                continue;
            }
            found.extend(joint.limits.lower.map(|limit| Bound { joint: k, limit, sign: 1.0 }));
            found.extend(joint.limits.upper.map(|limit| Bound { joint: k, limit, sign: -1.0 }));
        }
        found
    }

    fn driver(&self, model: &Model) -> Driver {
        let of = CoordinateRef { joint: self.joint, coordinate: 0 };
        let target = Target::Coordinate { of, value: Motion::Constant(self.limit) };
        Driver { name: Element::Limit(self.joint).name(model), target, effort: Vec::new(), span: None }
    }

    fn coordinate(&self, model: &Model) -> String {
        Element::Coordinate(self.joint, 0).name(model)
    }

    /// A value of its coordinate as people read it.
    fn shown(&self, model: &Model, x: f64) -> String {
        let unit = Element::Coordinate(self.joint, 0).signals(model).next().map_or("1", |s| s.unit());
        quantity_in_words(&model.study.units, x, unit, 6)
    }

    fn words(&self, model: &Model) -> String {
        let which = if self.sign > 0.0 { "lower" } else { "upper" };
        format!("the {which} limit {} of {}", self.shown(model, self.limit), self.coordinate(model))
    }
}

/// An error where a value of a joint's first coordinate lies beyond its limits; `value` tells it for a joint.
pub fn refuse_beyond(model: &Model, value: impl Fn(usize) -> Option<f64>) -> Result<()> {
    for bound in Bound::all(model) {
        let Some(x) = value(bound.joint) else { continue };
        if (bound.limit - x) * bound.sign > AT_LIMIT {
            let reason = if bound.sign > 0.0 { Reason::BelowLimit } else { Reason::AboveLimit };
            return Err(ErrorKind::Equilibrium.error(format!("the equilibrium lies beyond {}", bound.words(model)))
                .because(reason)
                .of(format!("joint '{}'", model.joints[bound.joint].name))
                .note(format!("it would be at {}", bound.shown(model, x)))
                .note("a mechanism that rests against a limit has no small vibrations; analysis = \"statics\" finds where it rests"));
        }
    }
    Ok(())
}

/// The equilibrium of a model with freedoms for the loads to settle, within its limits.
pub(super) fn run(
    model: &Model,
    formulation: &str,
    method: &'static dyn Method,
    progress: &mut dyn FnMut(usize, usize) -> bool,
) -> Result<Outcome> {
    let bounds = Bound::all(model);
    let mut held: Vec<Bound> = Vec::new();
    // Coordinates and efforts of all limits are read here, whoever asks for what.
    let whole = match bounds.is_empty() {
        true => model.study.clone(),
        false => Study { filled: None, silent: false, ..model.study.clone() },
    };
    let whole = model.with_study(whole);
    for _ in 0..=2 * bounds.len() {
        let with = whole.with_more_drivers(held.iter().map(|b| b.driver(model)));
        let system = System::new(&with, formulation)?;
        let Outcome { mut results, ended } = match Equilibrium::new(&system, model.study.start)? {
            Some(search) => search.follow(&mut *progress)?,
            None => held_fast(&with, formulation, method, &mut *progress)?,
        };
        let column = |name: &str| results.get(name).map_or(&[][..], |c| c.data.as_slice());
        // How far beyond each limit at most, how far within at most, and when that is seen first.
        let beyond = |b: &Bound| {
            let over = column(&b.coordinate(model)).iter().map(|x| (b.limit - x) * b.sign);
            over.fold((f64::NEG_INFINITY, f64::INFINITY), |(most, least), x| (most.max(x), least.min(x)))
        };
        let free = bounds.iter().filter(|b| !held.iter().any(|h| h.joint == b.joint));
        let worst = free.map(|b| (*b, beyond(b))).max_by(|a, b| a.1 .0.total_cmp(&b.1 .0));
        if let Some((bound, (most, least))) = worst.filter(|w| w.1 .0 > AT_LIMIT) {
            if least <= 0.0 && results.len() > 1 {
                return on_the_way(model, &bound, results, most);
            }
            held.push(bound);
            continue;
        }
        let pulls = |b: &Bound| {
            let efforts = column(&signal_name::effort(&Element::Limit(b.joint).name(model)));
            let size = max_abs(efforts);
            efforts.iter().any(|x| x * b.sign < -AT_LIMIT * size)
        };
        if let Some(k) = held.iter().position(pulls) {
            held.remove(k);
            continue;
        }
        let told: Vec<String> = held.iter().map(|b| format!("{} is reached", b.words(model))).collect();
        results.notes.extend(told.into_iter().map(|text| ("event".into(), text)));
        if model.study.filled.is_some() {
            results.columns.retain(|c| !signal_name::is_limit_effort(&c.name));
        }
        return Ok(Outcome { results, ended });
    }
    Err(ErrorKind::Equilibrium
        .error("no set of joint limits balances the loads")
        .because(Reason::LimitsUnbalanced)
        .of(format!("mechanism '{}'", model.name))
        .note("draw the mechanism nearer to where it rests"))
}

/// Limits and drivers leave nothing to settle.
fn held_fast(
    model: &Model,
    formulation: &str,
    method: &'static dyn Method,
    progress: &mut dyn FnMut(usize, usize) -> bool,
) -> Result<Outcome> {
    let mut outcome = kinematics::follow(model, formulation, method, progress)?;
    outcome.results.tell("equilibrium", "stable");
    Ok(outcome)
}

/// The samples before a limit is passed on the way.
fn on_the_way(model: &Model, bound: &Bound, mut results: Results, most: f64) -> Result<Outcome> {
    let name = bound.coordinate(model);
    let column = |name: &str| results.get(name).map_or(&[][..], |c| c.data.as_slice());
    let first = column(&name).iter().position(|x| (bound.limit - x) * bound.sign > AT_LIMIT);
    let t = first.and_then(|k| column("t").get(k)).copied().unwrap_or(model.study.start);
    let error = ErrorKind::Equilibrium
        .error(format!("{} is passed on the way, at t = {} s", bound.words(model), significant(t, 6)))
        .because(Reason::LimitPassed)
        .at_time(t)
        .of(format!("joint '{}'", model.joints[bound.joint].name))
        .ending(End { reason: LIMIT, driver: None, value: None })
        .note(format!("the loads press it {} beyond", bound.shown(model, most)))
        .note("statics holds a limit along the whole run or not at all: run the two parts apart");
    let kept = first.unwrap_or(0);
    if kept == 0 {
        return Err(error);
    }
    results.columns.iter_mut().for_each(|column| column.data.truncate(kept));
    Ok(Outcome::new(results, Some(error)))
}
