//! Projections onto what rows of a matrix leave free, and small products.

#![allow(non_snake_case)] // J: a matrix of the mathematics.

use crate::math::dense::Matrix;
use crate::solve::vectors::{dot, norm, take_out};

/// Singular values below this fraction of the greatest count as none.
pub(super) const RANK: f64 = 1e-9;

/// Projection onto what is perpendicular to the rows of a matrix.
pub struct Projector {
    basis: Vec<Vec<f64>>,
}

impl Projector {
    /// Perpendicular to these rows, of which those that depend on others count once.
    pub fn new(rows: &Matrix) -> Projector {
        let mut left: Vec<Vec<f64>> = (0..rows.rows).map(|i| rows.row(i).to_vec()).collect();
        let greatest = left.iter().fold(0.0f64, |m, v| m.max(norm(v)));
        let mut basis: Vec<Vec<f64>> = Vec::new();
        while let Some(at) = (0..left.len()).max_by(|a, b| norm(&left[*a]).total_cmp(&norm(&left[*b]))) {
            let mut v = left.swap_remove(at);
            take_out(&basis, &mut v);
            let length = norm(&v);
            if length <= RANK * greatest {
                break;
            }
            v.iter_mut().for_each(|x| *x /= length);
            for other in &mut left {
                take_out(std::slice::from_ref(&v), other);
            }
            basis.push(v);
        }
        Projector { basis }
    }

    /// Number of independent rows.
    pub fn rank(&self) -> usize {
        self.basis.len()
    }

    /// An orthonormal basis of what is perpendicular, of vectors of this length.
    pub fn rest(&self, length: usize) -> Vec<Vec<f64>> {
        let mut units = Matrix::zeros(length, length);
        for k in 0..length {
            units.row_mut(k)[k] = 1.0;
            self.project(units.row_mut(k));
        }
        // Vectors of which nothing but rounding is left are none.
        Projector::new(&units).basis
    }

    /// Takes out of `v` what is along the rows.
    pub fn project(&self, v: &mut [f64]) {
        take_out(&self.basis, v);
    }
}

pub(super) fn split(J: &Matrix, hard: usize) -> (Matrix, Matrix) {
    let at = hard * J.columns;
    let part = |entries: &[f64], rows: usize| Matrix { rows, columns: J.columns, entries: entries.to_vec() };
    (part(&J.entries[..at], hard), part(&J.entries[at..], J.rows - hard))
}

pub(super) fn multiply(a: &Matrix, x: &[f64]) -> Vec<f64> {
    (0..a.rows).map(|i| dot(a.row(i), x)).collect()
}

pub(super) fn transposed(a: &Matrix) -> Matrix {
    let mut t = Matrix::zeros(a.columns, a.rows);
    for i in 0..a.rows {
        for (k, x) in a.row(i).iter().enumerate() {
            t.row_mut(k)[i] = *x;
        }
    }
    t
}

pub(super) fn misses(a: &Matrix, x: &[f64], b: &[f64]) -> f64 {
    multiply(a, x).iter().zip(b).fold(0.0f64, |m, (p, b)| m.max((p - b).abs()))
}

pub(super) fn rank(a: &Matrix) -> usize {
    let values = a.singular_values();
    let greatest = values.first().copied().unwrap_or(0.0);
    values.iter().filter(|s| **s > RANK * greatest).count()
}
