//! Joint limits that samples overstep.

use crate::joints::Joint;
use crate::model::Model;
use crate::results::{significant, Results};
use crate::signal::{Element, Level};

/// Whether a joint limits its first coordinate, at that level.
pub(super) fn has_limit(joint: &Joint, level: Option<Level>) -> bool {
    match level {
        Some(Level::Position) => joint.limits.lower.is_some() || joint.limits.upper.is_some(),
        Some(Level::Velocity) => joint.limits.velocity.is_some(),
        _ => false,
    }
}

/// Limits of a joint's first coordinate that the samples overstep, in words.
pub fn overstepped(model: &Model, joint: usize, results: &Results) -> Vec<String> {
    let limits = &model.joints[joint].limits;
    let mut found = Vec::new();
    if model.joints[joint].kind.coordinates().is_empty() {
        return found;
    }
    for signal in Element::Coordinate(joint, 0).signals(model) {
        let (lower, upper) = match signal.level() {
            Some(Level::Position) => (limits.lower, limits.upper),
            _ => (limits.velocity.map(|v| -v), limits.velocity),
        };
        if !has_limit(&model.joints[joint], signal.level()) {
            continue;
        }
        let name = signal.name(model);
        let Some(range) = results.extremes(&name) else { continue };
        let scale = model.study.units.scale(signal.unit());
        let shown = |x: f64| match scale.is_unchanged() {
            true => significant(x, 6),
            false => format!("{} {}", significant(scale.shown(x), 6), scale.unit),
        };
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
    found
}
