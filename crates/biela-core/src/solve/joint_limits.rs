//! Joint limits that samples overstep.

use crate::drivers::Target;
use crate::joints::{Joint, Limits};
use crate::model::Model;
use crate::results::{quantity_in_words, significant, Results};
use crate::signal::{Element, Level, Signal};

/// Whether a joint limits a coordinate, at that level.
pub(super) fn has_limit(joint: &Joint, coordinate: usize, level: Option<Level>) -> bool {
    let limits = joint.limits_of(coordinate);
    match level {
        Some(Level::Position) => limits.lower.is_some() || limits.upper.is_some(),
        Some(Level::Velocity) => limits.velocity.is_some(),
        _ => false,
    }
}

/// Limits of a joint's coordinates that the samples overstep, in words.
pub fn overstepped(model: &Model, joint: usize, results: &Results) -> Vec<String> {
    if model.joints[joint].kind.coordinates().is_empty() {
        return Vec::new();
    }
    let all = model.joints[joint].all_limits();
    all.flat_map(|(coordinate, limits)| of_coordinate(model, (joint, coordinate), &limits, results)).collect()
}

fn of_coordinate(model: &Model, (joint, of): (usize, usize), limits: &Limits, results: &Results) -> Vec<String> {
    let mut found = Vec::new();
    for signal in Element::Coordinate(joint, of).signals(model) {
        let (lower, upper) = match signal.level() {
            Some(Level::Position) => (limits.lower, limits.upper),
            _ => (limits.velocity.map(|v| -v), limits.velocity),
        };
        if !has_limit(&model.joints[joint], of, signal.level()) {
            continue;
        }
        let name = signal.name(model);
        let Some(range) = results.extremes(&name) else { continue };
        let shown = |x: f64| quantity_in_words(&model.study.units, x, signal.unit(), 6);
        // A limit driven to exactly is kept.
        let slack = 1e-9 * range.greatest.abs().max(range.least.abs());
        if let Some(lower) = lower.filter(|l| range.least < l - slack) {
            let (value, t) = (shown(range.least), significant(range.t_least, 6));
            found.push(format!("{name} falls to {value} at t = {t} s, below its limit {}", shown(lower)));
        }
        if let Some(upper) = upper.filter(|u| range.greatest > u + slack) {
            let (value, t) = (shown(range.greatest), significant(range.t_greatest, 6));
            found.push(format!("{name} rises to {value} at t = {t} s, above its limit {}", shown(upper)));
        }
    }
    if let Some(most) = limits.effort {
        found.extend(
            efforts(model, (joint, of)).filter_map(|signal| beyond_effort((model, joint), signal, most, results)),
        );
    }
    found
}

/// Efforts along a joint's coordinate: those of drivers that prescribe it, and what it bears for others.
fn efforts(model: &Model, along: (usize, usize)) -> impl Iterator<Item = Signal> + '_ {
    let drives =
        move |target: &Target| matches!(target, Target::Coordinate { of, .. } if (of.joint, of.coordinate) == along);
    let drivers =
        model.drivers.iter().enumerate().filter(move |(_, d)| drives(&d.target)).map(|(k, _)| Element::Driver(k));
    drivers.chain([Element::Borne(along.0, along.1)]).flat_map(|element| element.signals(model).take(1))
}

/// What is said of an effort that is more than the joint's motor can give.
fn beyond_effort((model, joint): (&Model, usize), signal: Signal, most: f64, results: &Results) -> Option<String> {
    let name = signal.name(model);
    let range = results.extremes(&name)?;
    let (peak, t) = match range.greatest.abs() >= range.least.abs() {
        true => (range.greatest, range.t_greatest),
        false => (range.least, range.t_least),
    };
    let shown = |x: f64| quantity_in_words(&model.study.units, x, signal.unit(), 6);
    // A limit reached exactly is kept.
    (peak.abs() > most * (1.0 + 1e-9)).then(|| {
        let (value, t) = (shown(peak), significant(t, 6));
        format!(
            "{name} comes to {value} at t = {t} s, beyond the limit {} of joint '{}'",
            shown(most),
            model.joints[joint].name
        )
    })
}
