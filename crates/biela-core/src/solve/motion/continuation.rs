//! Continuation in arc length: the curve of positions in (q, t), followed where time is a poor guide.
//!
//! Positions near a state A are written y = (δ, τ): the displacement δ from A in scaled velocities, and time τ in units of
//! the mechanism's own pace, so that both count alike. The curve is Φ(y) = 0; its tangent T spans the null space of
//! [Φ_v  −ν/pace]. A step predicts y + s T and corrects on Φ = 0 together with T·(y' − y) = s (Keller's pseudo-arclength).
//! At a crossing of two curves each keeps its own tangent: a step over the crossing stays on the curve it came from if the
//! tangents of its two ends agree, and is shortened if they do not.

use super::stepper::Stepper;
use crate::math::dense::Matrix;
use crate::solve::newton::{ACCEPTED, ROUNDING};
use crate::solve::vectors::{dot, norm};
use crate::system::State;

/// Tangents of the two ends of a step must agree to this cosine.
const AGREES: f64 = 0.97;
/// A correction beyond this fraction of the step leads to another curve.
const CORRECTION: f64 = 0.2;
/// Shortenings of one step before giving up.
const SHORTEST: usize = 8;
/// Steps in all.
const MOST_STEPS: usize = 200;
/// Systems with more velocities are extrapolated instead.
pub(super) const LARGEST: usize = 400;

/// A point of the curve near A: displacement and time, with the curve's direction there.
struct Arc {
    y: Vec<f64>,
    tangent: Vec<f64>,
    pace: f64,
}

/// Follows the curve from the present state until time `t`, in steps of the arc that lasts `h` here. The displacement
/// from here in velocities times time; `None` where the curve turns back in time or is lost.
pub(super) fn follow_arc(stepper: &mut Stepper, h: f64, t: f64) -> Option<Vec<f64>> {
    let a = stepper.state.clone();
    let n = a.v.len();
    let scales: Vec<f64> = (0..n).map(|k| stepper.system.formulation.scale(k, stepper.ws.size)).collect();
    let pace = a.v.iter().zip(&scales).fold(0.0f64, |m, (v, s)| m.max((v / s).abs())).max(1e-12);
    let mut tangent: Vec<f64> = a.v.iter().zip(&scales).map(|(v, s)| v / s / pace).collect();
    tangent.push(1.0);
    let whole = norm(&tangent);
    tangent.iter_mut().for_each(|x| *x /= whole);
    let mut arc = Arc { y: vec![0.0; n + 1], tangent, pace };
    let stride = h * pace * whole;
    let mut steps = 0;
    while a.t + arc.y[n] / pace < t {
        let mut s = stride;
        let mut shortened = 0;
        while !arc_step(stepper, &a, &mut arc, s) {
            // Not halved: a halving might land on the crossing itself.
            s *= 0.37;
            shortened += 1;
            if shortened > SHORTEST {
                return None;
            }
        }
        steps += 1;
        if steps > MOST_STEPS || arc.tangent[n] <= 0.0 {
            return None;
        }
    }
    // From the nearest point of the curve to the very time.
    let past = (t - a.t) * pace - arc.y[n];
    let along = past / arc.tangent[n];
    let mut y: Vec<f64> = arc.y.iter().zip(&arc.tangent).map(|(y, x)| y + along * x).collect();
    let mut time = vec![0.0; n + 1];
    time[n] = 1.0;
    arc_correct(stepper, &a, &mut y, &time, (t - a.t) * pace, pace)?;
    y.truncate(n);
    Some(y.iter().zip(&scales).map(|(y, s)| y * s).collect())
}

/// One step of length `s` along the curve; false, with nothing changed, where it does not stay on it.
fn arc_step(stepper: &mut Stepper, a: &State, arc: &mut Arc, s: f64) -> bool {
    let n = arc.y.len() - 1;
    let mut y: Vec<f64> = arc.y.iter().zip(&arc.tangent).map(|(y, x)| y + s * x).collect();
    let predicted = y.clone();
    let aim = dot(&arc.tangent, &y);
    if arc_correct(stepper, a, &mut y, &arc.tangent, aim, arc.pace).is_none() {
        return false;
    }
    let moved: Vec<f64> = y.iter().zip(&predicted).map(|(a, b)| a - b).collect();
    let matrix = arc_matrix(stepper, a.t + y[n] / arc.pace, arc.pace, &arc.tangent);
    let mut side = vec![0.0; matrix.rows];
    side[matrix.rows - 1] = 1.0;
    let Some(mut next) = matrix.least_squares(&side) else { return false };
    let length = norm(&next);
    next.iter_mut().for_each(|x| *x /= length);
    if norm(&moved) > CORRECTION * s || dot(&next, &arc.tangent).is_nan() || dot(&next, &arc.tangent) < AGREES {
        return false;
    }
    (arc.y, arc.tangent) = (y, next);
    true
}

/// Corrects `y` onto the curve, in the plane `normal` · y = `aim`. The position is realised.
fn arc_correct(stepper: &mut Stepper, a: &State, y: &mut [f64], normal: &[f64], aim: f64, pace: f64) -> Option<()> {
    const MOST: usize = 25;
    let (system, n) = (stepper.system, y.len() - 1);
    let mut before = f64::INFINITY;
    for _ in 0..MOST {
        let t = a.t + y[n] / pace;
        let dv: Vec<f64> = (0..n).map(|k| y[k] * system.formulation.scale(k, stepper.ws.size)).collect();
        let q = &mut stepper.trial.q;
        q.copy_from_slice(&a.q);
        system.formulation.step(q, &dv);
        stepper.trial.t = t;
        let residual = stepper.ws.realize_position(system, t, q);
        let gap = dot(normal, y) - aim;
        if residual <= ROUNDING || (residual <= ACCEPTED && residual >= 0.5 * before) {
            return Some(());
        }
        before = residual;
        let matrix = arc_matrix(stepper, t, pace, normal);
        let mut side: Vec<f64> = stepper.ws.evaluation.phi.iter().map(|x| -x).collect();
        side.resize(matrix.rows - 1, 0.0);
        side.push(-gap);
        let x = matrix.least_squares(&side)?;
        y.iter_mut().zip(&x).for_each(|(y, x)| *y += x);
        if !norm(y).is_finite() {
            return None;
        }
    }
    None
}

/// [Φ_v  −ν/pace] at the position realised, bordered by a row.
fn arc_matrix(stepper: &mut Stepper, t: f64, pace: f64, border: &[f64]) -> Matrix {
    let system = stepper.system;
    stepper.ws.realize_jacobian(system, t);
    system.constraints.velocity_side(system.at(t), stepper.ws.size, &mut stepper.ws.evaluation);
    let (rows, n) = (stepper.ws.pattern.rows(), border.len() - 1);
    let mut matrix = Matrix::zeros(rows + 1, n + 1);
    for i in 0..rows {
        let row = matrix.row_mut(i);
        for k in stepper.ws.pattern.range(i) {
            row[stepper.ws.pattern.index[k]] = stepper.ws.evaluation.phi_v[k];
        }
        row[n] = -stepper.ws.evaluation.nu.get(i).copied().unwrap_or(0.0) / pace;
    }
    matrix.row_mut(rows).copy_from_slice(border);
    matrix
}
