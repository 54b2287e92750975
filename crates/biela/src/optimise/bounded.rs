//! Downhill within limits by sequential quadratic programming (SLSQP, [Kraft 1988]), by the crate `slsqp`: measures to be made
//! small are no squares, and what bends them is learnt on the way.

use super::design::Outcome;
use super::way::Way;
use slsqp::{minimize, FailStatus, Func, StopTols, SuccessStatus};
use std::cell::RefCell;

/// Changes of what is made small, and of parameters as shares of their ranges, below which a descent ends.
const TOLERANCE: f64 = 1e-12;

/// Goes downhill and tells why it ended.
pub(super) fn descend(way: &Way, start: &[f64]) -> &'static str {
    let bounds = &way.of.goal.bounds;
    let place = |s: &[f64]| -> Vec<f64> {
        s.iter()
            .zip(bounds)
            .map(|(s, (least, greatest))| (least + s * (greatest - least)).clamp(*least, *greatest))
            .collect()
    };
    let width = |k: usize| bounds[k].1 - bounds[k].0;
    // What is made small and each limit are asked for one after the other at the same place.
    let last: RefCell<Option<(Vec<f64>, Option<Outcome>)>> = RefCell::new(None);
    let look = |s: &[f64], slopes: bool| -> Option<Outcome> {
        let mut last = last.borrow_mut();
        let known = last.as_ref().filter(|l| l.0 == s);
        if let Some((_, outcome)) = known.filter(|l| l.1.as_ref().is_none_or(|o| !slopes || !o.slopes.is_empty())) {
            return outcome.clone();
        }
        let outcome = if (way.go_on)() { way.look(&place(s), slopes) } else { None };
        *last = Some((s.to_vec(), outcome.clone()));
        outcome
    };
    let aim = |s: &[f64], gradient: Option<&mut [f64]>, _: &mut ()| -> f64 {
        // A design that cannot be has no value: the step is halved.
        let Some(outcome) = look(s, gradient.is_some()) else { return f64::INFINITY };
        for (k, slot) in gradient.into_iter().flatten().enumerate() {
            let slopes = &outcome.slopes[k];
            let squares: f64 = outcome.differences.iter().zip(&slopes.differences).map(|(d, s)| 2.0 * d * s).sum();
            *slot = width(k) * (squares + slopes.ratios.iter().sum::<f64>());
        }
        outcome.error()
    };
    let count =
        way.of.goal.limits.iter().map(|l| usize::from(l.lower.is_some()) + usize::from(l.upper.is_some())).sum();
    let limits: Vec<_> = (0..count)
        .map(|n: usize| {
            let look = &look;
            move |s: &[f64], gradient: Option<&mut [f64]>, _: &mut ()| -> f64 {
                let Some(outcome) = look(s, gradient.is_some()) else { return 1.0 };
                let (over, limit, factor) = way.of.overstepped(&outcome)[n];
                for (k, slot) in gradient.into_iter().flatten().enumerate() {
                    *slot = width(k) * factor * outcome.slopes[k].limited[limit];
                }
                over
            }
        })
        .collect();
    let limits: Vec<&dyn Func<()>> = limits.iter().map(|limit| limit as &dyn Func<()>).collect();
    let from: Vec<f64> = start
        .iter()
        .zip(bounds)
        .map(|(x, (least, greatest))| ((x - least) / (greatest - least)).clamp(0.0, 1.0))
        .collect();
    let tolerances = StopTols { ftol_rel: TOLERANCE, xtol_abs: vec![TOLERANCE; from.len()], ..StopTols::default() };
    let most = way.of.goal.iterations.min(i32::MAX as usize);
    match minimize(aim, &from, &vec![(0.0, 1.0); from.len()], &limits, (), most, Some(tolerances)) {
        Ok((SuccessStatus::MaxEvalReached | SuccessStatus::MaxTimeReached, ..)) => "iterations spent",
        Ok(_) => "converged",
        Err((FailStatus::RoundoffLimited, ..)) => "converged to rounding",
        Err(_) => "ended early",
    }
}
