//! Where a path ends as t goes to zero.
//!
//! A path whose nearest singularity is farther than t = 0 is followed there. Elsewhere its end is a point about which it winds: in
//! homogeneous coordinates it is a series in t^(1/w), whose first coefficient is the mean over w turns about zero (Cauchy's formula
//! with the trapezoidal rule, [Morgan 1991]). Radii become smaller until two agree.

use crate::complex::{distance, length, Complex};
use crate::homotopy::Homotopy;
use crate::tracker::{Lost, Tracker};

/// Where the endgame begins.
const BEGINNING: f64 = 0.1;
/// Factor from one radius to the next.
const SHRINK: f64 = 0.125;
/// Radii that are tried.
const RADII: usize = 14;
/// The first of them round which paths are followed.
const FIRST: usize = 2;
/// Share of the homogenising coordinate, and difference of ends found at two radii, below which these are at infinity.
const FAR: f64 = 1e-6;
/// Points of a turn.
const POINTS: usize = 8;
/// Most turns after which a path closes.
const TURNS: usize = 12;
/// Difference of ends found at two radii below which both are right …
const AGREE: f64 = 1e-9;
/// … and below which the last is, where smaller radii cannot be reached.
const NEARLY: f64 = 1e-5;
/// Residual of an end, whose coefficients are of order one, above which it is only the middle of several that are near.
const EXACT: f64 = 3e-14;
/// Distance of a path's points, against the width of its way about zero, below which it is closed.
const CLOSED: f64 = 1e-4;
/// The same against its length, where the way is no wider than rounding.
const ROUNDING: f64 = 1e-13;
/// Least pivot against the greatest below which a Jacobian is singular.
const SINGULAR: f64 = 1e-10;
/// The same above which corrections that do not become smaller are rounding: at a multiple root pivots are no larger than corrections.
const WELL: f64 = 1e-7;
/// Relative size of a correction that can be rounding alone there.
const ROUNDED: f64 = 1e-8;

/// How large the homogenising coordinates, the last of their groups, are against the lengths of these: the least.
pub(crate) fn finiteness(homotopy: &Homotopy, x: &[Complex]) -> f64 {
    let of = |group: &Vec<usize>| {
        let size = group.iter().map(|k| x[*k].norm2()).sum::<f64>().sqrt();
        group.last().map_or(0.0, |own| x[*own].norm() / size)
    };
    homotopy.groups.iter().map(of).fold(f64::INFINITY, f64::min)
}

/// The end of a path, in homogeneous coordinates.
#[derive(Debug, Clone)]
pub(crate) struct End {
    pub x: Vec<Complex>,
    /// How it ended.
    pub kind: EndKind,
    /// By how much the end may be off, against its length.
    pub error: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EndKind {
    /// At a regular root.
    Regular,
    /// At a singular one, after so many turns.
    Singular(usize),
    /// It was not found where.
    Lost,
}

/// Follows a path from t = 1 to its end.
pub(crate) fn run(tracker: &mut Tracker, mut x: Vec<Complex>) -> End {
    tracker.steps = 0;
    let mut t = Complex::ONE;
    if tracker.follow(&mut x, &mut t, Complex::new(BEGINNING, 0.0), true).is_err() {
        return End { x, kind: EndKind::Lost, error: f64::INFINITY };
    }
    tracker.evaluation.normalise(tracker.homotopy, &mut x);
    let mut best = End { x: x.clone(), kind: EndKind::Lost, error: f64::INFINITY };
    let mut before: Option<(Vec<Complex>, usize)> = None;
    let mut radius = BEGINNING;
    let slack = if tracker.care.exact { 0.0 } else { 1.0 };
    for k in 0..RADII {
        let reach = tracker.expand(&x, t, -Complex::ONE).unwrap_or(0.0);
        if reach > 1.5 * radius || tracker.is_still(radius) {
            if let Some(end) = straight(tracker, &x, t) {
                return end;
            }
        }
        if k >= FIRST {
            // At large radii a path that does not close soon winds about other singularities too.
            if let Ok((mean, turns)) = around(tracker, &x, radius, TURNS.min(4 << (k - FIRST))) {
                if let Some((other, same)) = &before {
                    let error = distance(&mean, other) / length(&mean);
                    if *same == turns && error < best.error && tracker.residual(&mean) < EXACT.max(slack * error) {
                        best = End { x: mean.clone(), kind: EndKind::Singular(turns), error };
                    }
                    let infinite = finiteness(tracker.homotopy, &best.x) < FAR;
                    if best.error < if infinite { FAR } else { AGREE } {
                        return best;
                    }
                }
                before = Some((mean, turns));
            }
        }
        radius *= SHRINK;
        if tracker.follow(&mut x, &mut t, Complex::new(radius, 0.0), false).is_err() {
            break;
        }
    }
    if best.error.is_nan() || best.error >= NEARLY {
        return End { x, kind: EndKind::Lost, error: f64::INFINITY };
    }
    best
}

/// Straight to t = 0, where the root there is regular.
fn straight(tracker: &mut Tracker, x: &[Complex], mut t: Complex) -> Option<End> {
    let mut end = x.to_vec();
    tracker.follow(&mut end, &mut t, Complex::ZERO, false).ok()?;
    let first = tracker.newton(&mut end, Complex::ZERO)?;
    let error = tracker.newton(&mut end, Complex::ZERO)?;
    let pivots = tracker.pivots(&end, Complex::ZERO);
    // At a multiple root each correction is a fixed share of the one before; at a regular one the next is nothing, or rounding.
    let settles = error <= 0.1 * first && pivots > SINGULAR || error < ROUNDED && pivots > WELL;
    (settles && error < NEARLY).then_some(End { x: end, kind: EndKind::Regular, error })
}

/// Round about zero until the path closes: its mean, and the turns it took.
fn around(tracker: &mut Tracker, x: &[Complex], radius: f64, most: usize) -> Result<(Vec<Complex>, usize), Lost> {
    let begin = x.to_vec();
    let mut mean = vec![Complex::ZERO; x.len()];
    let mut here = begin.clone();
    let mut spread = 0.0f64;
    let mut t = Complex::new(radius, 0.0);
    for turn in 1..=most {
        for k in 1..=POINTS {
            let to = match k == POINTS {
                true => Complex::new(radius, 0.0),
                false => Complex::unit(std::f64::consts::TAU * k as f64 / POINTS as f64).times(radius),
            };
            tracker.follow(&mut here, &mut t, to, false)?;
            mean.iter_mut().zip(&here).for_each(|(m, h)| *m += *h);
            spread = spread.max(distance(&here, &begin));
        }
        if distance(&here, &begin) < (CLOSED * spread).max(ROUNDING * length(&begin)) {
            let count = (turn * POINTS) as f64;
            return Ok((mean.iter().map(|m| m.times(1.0 / count)).collect(), turn));
        }
    }
    Err(Lost::Long)
}
