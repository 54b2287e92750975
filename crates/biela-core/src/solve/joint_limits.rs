//! Joint limits that samples overstep.

use crate::joints::Joint;
use crate::results::{significant, Results};

/// Limits of a joint's first coordinate that the samples overstep, in words.
pub(super) fn overstepped(joint: &Joint, results: &Results) -> Vec<String> {
    let Some(coordinate) = joint.kind.coordinates().first() else { return Vec::new() };
    let name = format!("{}.{}", joint.name, coordinate.name);
    let mut found = Vec::new();
    let mut look = |signal: &str, lower: Option<f64>, upper: Option<f64>| {
        if lower.is_none() && upper.is_none() {
            return;
        }
        let Some(range) = results.extremes(signal) else { return };
        // A limit driven to exactly is kept.
        let slack = 1e-9 * range.greatest.abs().max(range.least.abs());
        if let Some(lower) = lower.filter(|l| range.least < l - slack) {
            let (value, t) = (significant(range.least, 6), significant(range.t_least, 6));
            found.push(format!("{signal} falls to {value} at t = {t} s, below its limit {}", significant(lower, 6)));
        }
        if let Some(upper) = upper.filter(|u| range.greatest > u + slack) {
            let (value, t) = (significant(range.greatest, 6), significant(range.t_greatest, 6));
            found.push(format!("{signal} rises to {value} at t = {t} s, above its limit {}", significant(upper, 6)));
        }
    };
    look(&name, joint.limits.lower, joint.limits.upper);
    look(&format!("{name}.rate"), joint.limits.velocity.map(|v| -v), joint.limits.velocity);
    found
}
