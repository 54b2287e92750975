//! Strokes, and the time ratio of a quick return: how much of one turn of the input an output takes out, and how much back.

use crate::linkage::input;
use crate::model::Model;
use crate::results::Results;
use crate::signal::Element;
use std::f64::consts::TAU;

/// An output that one turn of the input leads out and back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuickReturn {
    /// Its least and greatest value.
    pub ends: [f64; 2],
    /// The input's angle where it has them.
    pub at: [f64; 2],
    /// Part of the turn in which it rises, as an angle; the rest it falls.
    pub rise: f64,
    /// The longer part over the shorter one: at a steady rate, the ratio of times.
    pub ratio: f64,
}

/// Rates below this part of the largest are roundings.
const STILL: f64 = 1e-11;

/// The quick return of a coordinate; `None` where the input makes no whole turn, or the output turns round with it or goes out and back
/// more than once.
pub(super) fn of(model: &Model, motion: &Results, element: Element) -> Option<QuickReturn> {
    let driven = input(model)?;
    let driven = Element::Coordinate(driven.joint, driven.coordinate);
    if driven.leaves(model)[0].unit != "rad" {
        return None;
    }
    let columns = |element: Element| -> Option<Vec<&[f64]>> {
        element.signals(model).map(|s| Some(motion.get(&s.name(model))?.data.as_slice())).collect()
    };
    let (theta, x, t) = (columns(driven)?, columns(element)?, motion.times());
    let first = *theta[0].first()?;
    // The first sample after a whole turn, but for rounding.
    let turn = theta[0].iter().position(|a| (a - first).abs() >= TAU - 1e-9)?;
    let steady = theta[0][..=turn].windows(2).all(|w| (w[1] - w[0]) * (theta[0][turn] - first) > 0.0);
    let fastest = x[1][..=turn].iter().fold(0.0f64, |m, v| m.max(v.abs()));
    if !steady || fastest == 0.0 || (x[0][turn] - x[0][0]).abs() > 1e-6 * fastest * (t[turn] - t[0]) {
        return None;
    }
    let sign = |k: usize| if x[1][k].abs() <= STILL * fastest { 0.0 } else { x[1][k].signum() };
    // Places of the extremes: the input's angle, the value, and whether it is a greatest one.
    let mut found: Vec<(f64, f64, bool)> = Vec::new();
    for k in 0..turn {
        let next = if k + 1 == turn { 1 } else { k + 2 };
        if sign(k) * sign(k + 1) < 0.0 {
            let h = t[k + 1] - t[k];
            let s = root(|s| hermite(s, h, [x[1][k], x[1][k + 1]], [x[2][k], x[2][k + 1]]), sign(k));
            let at = |c: &[&[f64]]| hermite(s, h, [c[0][k], c[0][k + 1]], [c[1][k], c[1][k + 1]]);
            found.push((at(&theta), at(&x), sign(k) > 0.0));
        } else if sign(k + 1) == 0.0 && sign(k) * sign(next) < 0.0 {
            found.push((theta[0][k + 1], x[0][k + 1], sign(k) > 0.0));
        }
    }
    let [a, b] = found.try_into().ok()?;
    let (low, high) = match (a.2, b.2) {
        (false, true) => (a, b),
        (true, false) => (b, a),
        _ => return None,
    };
    let rise = ((high.0 - low.0) * (theta[0][turn] - first).signum()).rem_euclid(TAU);
    let fall = TAU - rise;
    Some(QuickReturn { ends: [low.1, high.1], at: [low.0, high.0], rise, ratio: rise.max(fall) / rise.min(fall) })
}

/// The cubic with values and slopes at both ends of a step `h`, at the part `s` of it.
fn hermite(s: f64, h: f64, [a, b]: [f64; 2], [da, db]: [f64; 2]) -> f64 {
    let r = 1.0 - s;
    a * (1.0 + 2.0 * s) * r * r + b * s * s * (3.0 - 2.0 * s) + h * (da * s * r * r - db * s * s * r)
}

/// Where a function of [0, 1] that begins with that sign changes it, by halves.
fn root(f: impl Fn(f64) -> f64, sign: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        match f(middle) * sign > 0.0 {
            true => low = middle,
            false => high = middle,
        }
    }
    0.5 * (low + high)
}
