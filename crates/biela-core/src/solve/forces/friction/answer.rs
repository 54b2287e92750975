//! Efforts of joints that slide, where friction presses itself: τ_k = g_k(p_k), with pressings p affine in all τ.
//!
//! |g_k(p + d) − g_k(p)| is at most what d alone would press, c_kj for a unit of τ_j. Where the spectral radius of C = (c_kj) is below one, the answer is
//! unique and a fixed point finds it; that is so just where (I − C) x = 1 has a positive solution. Elsewhere there may be none or several
//! (Painlevé's case). The one that grows out of the frictionless motion as friction is raised from nothing is followed by Newton's method; where that way
//! ends, there is none.

use super::Rub;
use crate::joints::Pressed;

/// What presses joints, as a function of efforts of friction.
#[derive(Debug, Clone, Default)]
pub struct Presses {
    /// Without friction.
    pub base: Vec<Pressed>,
    /// What a unit of effort j adds to pressing k: `[k][j]`.
    pub unit: Vec<Vec<Pressed>>,
}

impl Presses {
    /// What presses joint `k` under these efforts.
    pub fn at(&self, k: usize, tau: &[f64]) -> Pressed {
        self.unit[k].iter().zip(tau).fold(self.base[k], |sum, (unit, tau)| sum.plus(*tau, *unit))
    }
}

/// How sure an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// There is no other.
    Unique,
    /// It grows out of the frictionless one; others are not excluded.
    Grown,
    /// None was found.
    None,
}

/// Rounds of a fixed point: contractions of 0.99 come to rounding in a third of them.
const ROUNDS: usize = 10_000;
/// Change that is rounding.
const ROUNDING: f64 = 1e-15;
/// Steps in which friction is raised from nothing.
const STEPS: usize = 64;

/// Finds τ = g(τ); `law(k, pressed)` is g_k.
pub fn answer(rubs: &[Rub], presses: &Presses, law: &dyn Fn(usize, Pressed) -> f64, tau: &mut [f64]) -> Answer {
    let n = tau.len();
    let next = |tau: &[f64], k: usize| law(k, presses.at(k, tau));
    if is_contraction(rubs, presses) {
        for _ in 0..ROUNDS {
            let mut change = 0.0f64;
            for k in 0..n {
                let value = next(tau, k);
                change = change.max((value - tau[k]).abs() / value.abs().max(tau[k].abs()).max(f64::MIN_POSITIVE));
                tau[k] = value;
            }
            if change <= ROUNDING {
                break;
            }
        }
        return if tau.iter().all(|x| x.is_finite()) { Answer::Unique } else { Answer::None };
    }
    let scale: Vec<f64> = (0..n).map(|k| next(&vec![0.0; n], k).abs().max(f64::MIN_POSITIVE)).collect();
    tau.fill(0.0);
    for step in 1..=STEPS {
        let share = step as f64 / STEPS as f64;
        if !newton(share, &next, &scale, tau) {
            return Answer::None;
        }
    }
    Answer::Grown
}

/// Whether friction changes what presses it by less than itself.
pub fn is_contraction(rubs: &[Rub], presses: &Presses) -> bool {
    let n = rubs.len();
    let mut matrix = vec![0.0; n * n];
    for (k, rub) in rubs.iter().enumerate() {
        for j in 0..n {
            let unit = presses.unit[k][j];
            let bare = crate::joints::Friction { static_torque: 0.0, ..rub.friction };
            let most = [1.0, -1.0].map(|sense| bare.hold(rub.joint, unit, sense).abs());
            matrix[k * n + j] = if k == j { 1.0 } else { 0.0 } - rub.weight * most[0].max(most[1]);
        }
    }
    let mut x = vec![1.0; n];
    eliminate(&mut matrix, &mut x).is_some_and(|_| x.iter().all(|x| *x > 0.0))
}

/// Newton's method for τ − share · g(τ) = 0; false where it finds nothing, or the way turns back (a determinant that is not positive). Differences
/// only steer it.
fn newton(share: f64, next: &dyn Fn(&[f64], usize) -> f64, scale: &[f64], tau: &mut [f64]) -> bool {
    /// Of an effort, for a difference.
    const DIFFERENCE: f64 = 1e-7;
    /// Of the efforts: what is left over is rounding.
    const LEFT: f64 = 1e-13;
    let n = tau.len();
    for _ in 0..50 {
        let value: Vec<f64> = (0..n).map(|k| share * next(tau, k)).collect();
        let mut off: Vec<f64> = tau.iter().zip(&value).map(|(t, v)| v - t).collect();
        let size = |k: usize| scale[k].max(tau[k].abs());
        let settled = (0..n).all(|k| off[k].abs() <= LEFT * size(k));
        let mut matrix = vec![0.0; n * n];
        for j in 0..n {
            let step = DIFFERENCE * size(j);
            let mut moved = tau.to_vec();
            moved[j] += step;
            for k in 0..n {
                let slope = (share * next(&moved, k) - value[k]) / step;
                matrix[k * n + j] = if k == j { 1.0 } else { 0.0 } - slope;
            }
        }
        match eliminate(&mut matrix, &mut off) {
            Some(determinant) if determinant > 0.0 => {}
            _ => return false,
        }
        tau.iter_mut().zip(&off).for_each(|(t, d)| *t += d);
        if !tau.iter().all(|x| x.is_finite()) {
            return false;
        }
        if settled {
            return true;
        }
    }
    false
}

/// Solves a small dense system in place, with rows exchanged; its determinant, or none where it is singular.
pub fn eliminate(a: &mut [f64], b: &mut [f64]) -> Option<f64> {
    let n = b.len();
    let mut determinant = 1.0;
    for p in 0..n {
        let best = (p..n).max_by(|i, j| a[i * n + p].abs().total_cmp(&a[j * n + p].abs()))?;
        if a[best * n + p] == 0.0 || !a[best * n + p].is_finite() {
            return None;
        }
        if best != p {
            (0..n).for_each(|c| a.swap(p * n + c, best * n + c));
            b.swap(p, best);
            determinant = -determinant;
        }
        determinant *= a[p * n + p];
        for r in p + 1..n {
            let factor = a[r * n + p] / a[p * n + p];
            (p..n).for_each(|c| a[r * n + c] -= factor * a[p * n + c]);
            b[r] -= factor * b[p];
        }
    }
    for p in (0..n).rev() {
        let known: f64 = (p + 1..n).map(|c| a[p * n + c] * b[c]).sum();
        b[p] = (b[p] - known) / a[p * n + p];
    }
    Some(determinant)
}
