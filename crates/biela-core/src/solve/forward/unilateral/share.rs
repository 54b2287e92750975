//! What several contacts that stick bear together where more than one distribution holds, as in a gripper with two pads: each in proportion to what it can.
//!
//! Efforts that change no acceleration are shifted among them until Σ (T/μN)² + Σ (ΔN/N)² is least, over friction T and changes ΔN of normal efforts.

use super::compliance::Direction;
use crate::solve::forces::eliminate;

/// A tangent along which others keep a contact from sliding.
#[derive(Debug)]
pub struct Idle {
    /// Which.
    pub of: Direction,
    /// Rates along the directions that bear, of a unit of effort along it.
    pub column: Vec<f64>,
    /// What it can bear.
    pub capacity: f64,
}

/// A direction that bears.
#[derive(Debug, Clone, Copy)]
pub struct Bearing {
    /// What it can bear; of a normal, what it does.
    pub capacity: f64,
    /// Whether it is a tangent.
    pub rubs: bool,
}

/// Shifts efforts `y` of those that bear onto idle ones, from the matrix that gives their rates; returns those of the idle ones.
pub fn spread(matrix: &[f64], y: &mut [f64], bearing: &[Bearing], idle: &[Idle]) -> Vec<f64> {
    let m = idle.len();
    let instead = |idle: &Idle| {
        let mut x = idle.column.clone();
        eliminate(&mut matrix.to_vec(), &mut x).map(|_| x)
    };
    let Some(shifts) = idle.iter().map(instead).collect::<Option<Vec<Vec<f64>>>>() else { return vec![0.0; m] };
    let weigh = |a: &[f64], b: &[f64]| -> f64 {
        a.iter().zip(b).zip(bearing).map(|((a, b), of)| a * b / (of.capacity * of.capacity)).sum()
    };
    let rubs: Vec<f64> = y.iter().zip(bearing).map(|(y, of)| if of.rubs { *y } else { 0.0 }).collect();
    let mut normal: Vec<f64> = shifts.iter().flat_map(|a| shifts.iter().map(|b| weigh(a, b))).collect();
    for (k, of) in idle.iter().enumerate() {
        normal[k * m + k] += 1.0 / (of.capacity * of.capacity);
    }
    let mut found: Vec<f64> = shifts.iter().map(|shift| weigh(shift, &rubs)).collect();
    if eliminate(&mut normal, &mut found).is_none() || found.iter().any(|x| !x.is_finite()) {
        return vec![0.0; m];
    }
    for (shift, size) in shifts.iter().zip(&found) {
        y.iter_mut().zip(shift).for_each(|(y, x)| *y -= size * x);
    }
    found
}
