//! Explicit Runge-Kutta 5(4) of Dormand and Prince, adaptive, with projection after every accepted step.

use super::dormand_prince::{A, C, E};
use super::singular::Crossing;
use super::{Control, Dynamics, Integrator, Point};
use crate::error::{ErrorKind, Reason, Result};
use crate::math::Elementary;
use crate::model::Integration;

#[derive(Debug)]
pub(super) struct Rk45;

/// Weights of the stages in the dense output of order 4 [Hairer, Nørsett, Wanner 1993].
const D: [f64; 7] = [
    -12715105075.0 / 11282082432.0,
    0.0,
    87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0,
];

impl Integrator for Rk45 {
    fn which(&self) -> Integration {
        Integration::Rk45
    }
    fn help(&self) -> &'static str {
        "explicit Runge-Kutta 5(4), adaptive"
    }
    fn balance(&self, tolerance: f64) -> f64 {
        // Errors of single steps add up over a long run; a sound one stays far below this.
        (1e5 * tolerance).clamp(1e-6, 1e-2)
    }
    fn nodes(&self) -> &'static [f64] {
        &C[..6]
    }
    fn sight(&self, tolerance: f64) -> f64 {
        // The other half is for the step's own error.
        0.5 * tolerance
    }
    // Long: a step is made again and again, and every reason to refuse it knows of the others.
    fn step(&self, dynamics: &mut Dynamics, point: &mut Point, end: f64, control: &mut Control) -> Result<()> {
        let span = (end - point.t).abs().max(f64::MIN_POSITIVE);
        /// Largest movement by projection, in tolerances, and outright: below that lies rounding near singular positions.
        const FAR: (f64, f64) = (1e2, 1e-10);
        /// The same on the way over a position with bars in line, where positions have half of their digits.
        const FAR_IN_CROSSING: f64 = 1e-7;
        let mut fault = None;
        // Movement by projection before the step was shortened for its sake, and the step then: shorter ones do not help against
        // rounding.
        let (mut before, mut longest) = (f64::INFINITY, 0.0f64);
        let mut placed = false;
        loop {
            let h = control.step.min(control.longest).min(end - point.t);
            if h < (1e-13 * span.min(1.0)).max(16.0 * f64::EPSILON * point.t.abs()) {
                return Err(fault.unwrap_or_else(|| {
                    ErrorKind::Integration
                        .error(format!("the step has shrunk to {h:.1e} s at t = {:.9} s", point.t))
                        .because(Reason::StepTooShort)
                        .at_time(point.t)
                        .note("the motion meets something sudden there, or forces too stiff for this method")
                }));
            }
            let (mut error, mut allowed, mut shorter) = (f64::NAN, 1.0, 0.1);
            // How far projection moved the point that the step leads to, where that is known already.
            let mut moved = None;
            let mut far = FAR.0.max(FAR.1 / control.tolerance);
            match find_next(dynamics, point, h, end, control) {
                Ok(held) => {
                    let crossing = if held { Crossing::find(&control.independence) } else { None };
                    if let Some((length, next)) = crossing.filter(|_| !placed).and_then(|p| p.place(h)) {
                        placed = true;
                        control.refused += 1;
                        (control.step, control.after) = (length, next);
                        control.leap = next.is_none();
                        continue;
                    }
                    if end - control.next.t < 1e-12 * span {
                        control.next.t = end;
                    }
                    // The rates there are the last stage: projection moves it by less than the step is off. Held stages have their own.
                    if !held {
                        match control.settle(dynamics) {
                            Ok(by) => moved = Some(by),
                            Err(error) => {
                                (fault, shorter, longest) = (Some(error), 0.5, longest.max(h));
                            }
                        }
                    }
                    if held || moved.is_some() {
                        error = error_norm(dynamics, point, h, control);
                    }
                    if crossing.is_some() {
                        // What a crossing leaves in the direction in which rows are weak, projection takes away.
                        far = far.max(FAR_IN_CROSSING / control.tolerance);
                    }
                    allowed = crossing.map_or(1.0, |p| (p.rounding(h) / control.tolerance).max(1.0));
                }
                Err(error) => fault = Some(error),
            }
            if !error.is_finite() || error > allowed {
                control.refused += 1;
                (control.after, control.leap, placed) = (None, false, false);
                control.step = h * if error.is_finite() { (0.9 * error.power(-0.2)).clamp(0.1, 0.9) } else { shorter };
                continue;
            }
            let factor = growth(error);
            // A step cut short by the end of the run says nothing against the longer one before it.
            control.step = if h < control.step { control.step.max(h * factor) } else { h * factor };
            keep_bulge(h, point, control);
            // What the estimate does not see: near positions where rows become dependent, projection moves far.
            match moved.map_or_else(|| control.settle(dynamics), Ok) {
                Ok(moved) if moved <= far || moved > 0.5 * before => {
                    // A step shortened in vain says nothing against a longer one.
                    control.step = control.step.max(longest);
                }
                settled => {
                    (before, longest) = (settled.as_ref().map_or(f64::INFINITY, |m| *m), longest.max(h));
                    fault = settled.err();
                    (control.after, control.leap) = (None, false);
                    control.refused += 1;
                    control.step = 0.5 * h;
                    continue;
                }
            }
            // The step after next was placed to leap over the position: its stages are held, though none comes near.
            control.leap = control.after.is_some();
            control.step = control.after.take().unwrap_or(control.step);
            return control.move_on(point);
        }
    }
}

/// Factor on a step that was off by that much, in tolerances, for the next one.
fn growth(error: f64) -> f64 {
    match error {
        error if error > 1.0 => 1.0,
        error if error > 0.0 => (0.9 * error.power(-0.2)).clamp(0.2, 5.0),
        _ => 5.0,
    }
}

/// What the stages add to the cubic through the ends of the step.
fn keep_bulge(h: f64, point: &Point, control: &mut Control) {
    let bulge = &mut control.dense.bulge;
    bulge.make_room(point);
    bulge.clear();
    for (d, stage) in D.iter().zip(&control.stages).filter(|(d, _)| **d != 0.0) {
        bulge.add(h * d, stage);
    }
}

/// The stages of a step of length h, and the point it leads to; true where the stages are held on the constraints. The last stage is that point's: it
/// is found here where they are held.
fn find_next(dynamics: &mut Dynamics, point: &Point, h: f64, end: f64, control: &mut Control) -> Result<bool> {
    // What changes right after the end must not be met by a rounding.
    let to = if h >= end - point.t { end } else { point.t + h };
    control.make_room(C.len(), point);
    let (nodes, weights) = (std::array::from_fn::<_, 6, _>(|k| C[k]), std::array::from_fn::<_, 6, _>(|k| A[k]));
    let held = control.find_stages(dynamics, point, (h, to), &nodes, &weights)?;
    control.next.advance(point, to, h, A[6], &control.stages);
    if held {
        control.at.copy(&control.next);
        dynamics.held_stage(&mut control.at, &mut control.stages[6])?;
    }
    Ok(held)
}

/// Largest estimated error over its weight tolerance · max(u, |y|), where u is that of the coordinate or velocity ([`super::Context`]); the work, which steers nothing but the
/// balance, counts against the energies at play.
fn error_norm(dynamics: &Dynamics, from: &Point, h: f64, control: &Control) -> f64 {
    /// Tolerances by which the work of a step may be off.
    const WORK: f64 = 1e2;
    let Control { next, stages, tolerance, energy, .. } = control;
    let mut worst = 0.0f64;
    let mut widen = |error: f64, weight: f64| {
        let scaled = (h * error).abs() / (tolerance * weight);
        worst = if scaled.is_nan() || worst.is_nan() { f64::NAN } else { worst.max(scaled) };
    };
    for k in 0..from.q.len() {
        let error = E.iter().zip(stages).map(|(e, s)| e * s.q[k]).sum();
        widen(error, from.q[k].abs().max(next.q[k].abs()).max(dynamics.unit[0][k]));
    }
    for k in 0..from.v.len() {
        let error = E.iter().zip(stages).map(|(e, s)| e * s.v[k]).sum();
        widen(error, from.v[k].abs().max(next.v[k].abs()).max(dynamics.unit[1][k]));
    }
    if *energy > 0.0 {
        widen(E.iter().zip(stages).map(|(e, s)| e * s.power).sum(), WORK * energy);
    }
    worst
}
