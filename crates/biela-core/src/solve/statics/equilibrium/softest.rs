//! How stiff a position is in its softest direction, by a full stiffness.

use super::{Rest, MANY};
use crate::math::dense::Matrix;
use crate::model::principal::diagonalise;
use crate::solve::vectors::{dot, norm};

/// Eigenvalues of the symmetric part of a matrix, and their directions.
fn principal(k: &Matrix) -> Vec<(f64, Vec<f64>)> {
    let n = k.rows;
    let mut a: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| 0.5 * (k.row(i)[j] + k.row(j)[i])).collect()).collect();
    let mut axes: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    diagonalise(&mut a, &mut axes);
    axes.into_iter().enumerate().map(|(i, axis)| (a[i][i], axis)).collect()
}

/// The least eigenvalue of the symmetric part and its direction; of many freedoms no more than that it lies above `slack`, where it does.
pub(super) fn softest(k: &Matrix, slack: f64) -> (f64, Vec<f64>) {
    if k.rows > MANY {
        return softest_of_many(k, slack);
    }
    principal(k).into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, Vec::new()))
}

/// The same by triangular factors, whose work is a small part of that of all eigenvalues: they exist where what is factored is positive, and
/// inverse iteration leads to the eigenvalue next to a shift.
fn softest_of_many(k: &Matrix, slack: f64) -> (f64, Vec<f64>) {
    const ROUNDS: usize = 60;
    let n = k.rows;
    let shifted = |shift: f64| {
        let mut matrix = Matrix::zeros(n, n);
        for i in 0..n {
            for (j, entry) in matrix.row_mut(i).iter_mut().enumerate() {
                *entry = 0.5 * (k.row(i)[j] + k.row(j)[i]);
            }
            matrix.row_mut(i)[i] += shift;
        }
        matrix
    };
    let is_positive = |shift: f64| shifted(shift).cholesky_solve(&mut vec![0.0; n]).is_some();
    if is_positive(-slack) {
        return (f64::INFINITY, Vec::new());
    }
    let mut shift = slack.max(f64::MIN_POSITIVE);
    while !is_positive(shift) && shift.is_finite() {
        shift *= 4.0;
    }
    let mut x: Vec<f64> = (0..n).map(|i| 1.0 + 0.1 * (i % 7) as f64).collect();
    let Some(factors) = shifted(shift).lu() else { return (-shift, x) };
    for _ in 0..ROUNDS {
        factors.solve(&mut x);
        let length = norm(&x);
        x.iter_mut().for_each(|x| *x /= length);
    }
    let least = (0..n).map(|i| x[i] * dot(k.row(i), &x)).sum();
    (least, x)
}

/// How a position of equilibrium with this stiffness rests; `slack` is no stiffness.
pub(super) fn rest(k: &Matrix, slack: f64) -> Rest {
    let values: Vec<f64> = principal(k).into_iter().map(|p| p.0).collect();
    match values.iter().filter(|x| **x < -slack).count() {
        0 if values.iter().all(|x| *x > slack) => Rest::Stable,
        0 => Rest::Indifferent,
        ways => Rest::Unstable(ways),
    }
}
