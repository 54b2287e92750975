//! Eigenvalues of a small real matrix, by reduction to Hessenberg form and the QR algorithm with double shifts.

use super::dense::Matrix;
use crate::math::Elementary;

/// The eigenvalues as (real, imaginary) pairs; `None` where the iteration does not end or an entry is not finite.
pub fn eigenvalues(matrix: &Matrix) -> Option<Vec<(f64, f64)>> {
    let n = matrix.columns;
    if !matrix.entries.iter().all(|x| x.is_finite()) {
        return None;
    }
    let mut a: Vec<Vec<f64>> = (0..n).map(|i| matrix.row(i).to_vec()).collect();
    balance(&mut a);
    hessenberg(&mut a);
    shifted_qr(a)
}

/// Scales rows and columns by powers of two until they are of like size [Parlett, Reinsch 1969].
fn balance(a: &mut [Vec<f64>]) {
    let n = a.len();
    loop {
        let mut done = true;
        for i in 0..n {
            let column: f64 = (0..n).filter(|j| *j != i).map(|j| a[j][i].abs()).sum();
            let row: f64 = (0..n).filter(|j| *j != i).map(|j| a[i][j].abs()).sum();
            if column == 0.0 || row == 0.0 {
                continue;
            }
            let factor = 2f64.powi((0.5 * (row / column).logarithm2()).round() as i32);
            if (column * factor + row / factor) < 0.95 * (column + row) {
                done = false;
                (0..n).for_each(|j| a[i][j] /= factor);
                (0..n).for_each(|j| a[j][i] *= factor);
            }
        }
        if done {
            return;
        }
    }
}

/// Gaussian similarity transformations to upper Hessenberg form.
fn hessenberg(a: &mut [Vec<f64>]) {
    let n = a.len();
    for m in 1..n.saturating_sub(1) {
        let Some(pivot) = (m..n).max_by(|i, j| a[*i][m - 1].abs().total_cmp(&a[*j][m - 1].abs())) else { return };
        if a[pivot][m - 1] == 0.0 {
            continue;
        }
        a.swap(pivot, m);
        a.iter_mut().for_each(|row| row.swap(pivot, m));
        for i in m + 1..n {
            let factor = a[i][m - 1] / a[m][m - 1];
            if factor == 0.0 {
                continue;
            }
            for j in 0..n {
                let y = a[m][j];
                a[i][j] -= factor * y;
            }
            for row in a.iter_mut() {
                row[m] += factor * row[i];
            }
        }
    }
    for i in 2..n {
        a[i][..i - 1].fill(0.0);
    }
}

/// Francis's double-shift steps with deflation on an upper Hessenberg matrix.
fn shifted_qr(mut a: Vec<Vec<f64>>) -> Option<Vec<(f64, f64)>> {
    const MOST: usize = 60;
    let n = a.len();
    let norm: f64 = a.iter().flatten().map(|x| x.abs()).sum::<f64>().max(f64::MIN_POSITIVE);
    let mut found = vec![(0.0, 0.0); n];
    let mut high = n as isize - 1;
    let mut shift = 0.0;
    while high >= 0 {
        let mut iterations = 0;
        loop {
            let h = high as usize;
            // The lowest small entry below the diagonal splits the matrix.
            let mut low = h;
            while low > 0 {
                let scale = a[low - 1][low - 1].abs() + a[low][low].abs();
                let scale = if scale == 0.0 { norm } else { scale };
                if a[low][low - 1].abs() <= f64::EPSILON * scale {
                    a[low][low - 1] = 0.0;
                    break;
                }
                low -= 1;
            }
            let x = a[h][h];
            if low == h {
                found[h] = (x + shift, 0.0);
                high -= 1;
                break;
            }
            let (y, w) = (a[h - 1][h - 1], a[h][h - 1] * a[h - 1][h]);
            if low == h - 1 {
                let p = 0.5 * (y - x);
                let q = p * p + w;
                let z = q.abs().sqrt();
                let x = x + shift;
                if q >= 0.0 {
                    let z = p + z.copysign(p);
                    found[h - 1] = (x + z, 0.0);
                    found[h] = (if z != 0.0 { x - w / z } else { x + z }, 0.0);
                } else {
                    found[h - 1] = (x + p, z);
                    found[h] = (x + p, -z);
                }
                high -= 2;
                break;
            }
            if iterations == MOST {
                return None;
            }
            let (mut x, mut y, mut w) = (x, y, w);
            if iterations % 10 == 9 {
                // An exceptional shift.
                shift += x;
                (0..=h).for_each(|i| a[i][i] -= x);
                let s = a[h][h - 1].abs() + a[h - 1][h - 2].abs();
                (x, y) = (0.75 * s, 0.75 * s);
                w = -0.4375 * s * s;
            }
            iterations += 1;
            double_step(&mut a, low, h, x, y, w);
        }
    }
    Some(found)
}

/// One double-shift step on rows and columns `low` to `h`.
fn double_step(a: &mut [Vec<f64>], low: usize, h: usize, x: f64, y: f64, w: f64) {
    // Two small entries in a row allow a later start.
    let mut m = h - 2;
    let (mut p, mut q, mut r);
    loop {
        let z = a[m][m];
        let (rr, ss) = (x - z, y - z);
        p = (rr * ss - w) / a[m + 1][m] + a[m][m + 1];
        q = a[m + 1][m + 1] - z - rr - ss;
        r = a[m + 2][m + 1];
        let s = p.abs() + q.abs() + r.abs();
        (p, q, r) = (p / s, q / s, r / s);
        if m == low {
            break;
        }
        let u = a[m][m - 1].abs() * (q.abs() + r.abs());
        let v = p.abs() * (a[m - 1][m - 1].abs() + z.abs() + a[m + 1][m + 1].abs());
        if u <= f64::EPSILON * v {
            break;
        }
        m -= 1;
    }
    for i in m + 2..=h {
        a[i][i - 2] = 0.0;
        if i != m + 2 {
            a[i][i - 3] = 0.0;
        }
    }
    let n = a.len();
    for k in m..h {
        let last = k == h - 1;
        let mut scale = 0.0;
        if k != m {
            p = a[k][k - 1];
            q = a[k + 1][k - 1];
            r = if last { 0.0 } else { a[k + 2][k - 1] };
            scale = p.abs() + q.abs() + r.abs();
            if scale != 0.0 {
                (p, q, r) = (p / scale, q / scale, r / scale);
            }
        }
        let s = (p * p + q * q + r * r).sqrt().copysign(p);
        if s == 0.0 {
            continue;
        }
        if k == m {
            if low != m {
                a[k][k - 1] = -a[k][k - 1];
            }
        } else {
            a[k][k - 1] = -s * scale;
        }
        p += s;
        let (x, y, z) = (p / s, q / s, r / s);
        (q, r) = (q / p, r / p);
        for j in k..n {
            let mut sum = a[k][j] + q * a[k + 1][j];
            if !last {
                sum += r * a[k + 2][j];
                a[k + 2][j] -= sum * z;
            }
            a[k + 1][j] -= sum * y;
            a[k][j] -= sum * x;
        }
        let most = if h < k + 3 { h } else { k + 3 };
        for row in a.iter_mut().take(most + 1) {
            let mut sum = x * row[k] + y * row[k + 1];
            if !last {
                sum += z * row[k + 2];
                row[k + 2] -= sum * r;
            }
            row[k + 1] -= sum * q;
            row[k] -= sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Roundings of eigenvalues well apart.
    const ROUNDING: f64 = 1e-10;

    fn sorted(matrix: &Matrix) -> Vec<(f64, f64)> {
        let mut found = eigenvalues(matrix).unwrap();
        found.sort_by(|a, b| a.partial_cmp(b).unwrap());
        found
    }

    #[test]
    fn companion_matrices_give_the_roots_of_their_polynomials() {
        // (x − 1)(x − 2)(x + 3)(x² + 4): x⁵ + 0x⁴ − 3x³ + 6x² − 28x + 24.
        let coefficients = [24.0, -28.0, 6.0, -3.0, 0.0];
        let n = coefficients.len();
        let mut matrix = Matrix::zeros(n, n);
        for i in 0..n {
            if i + 1 < n {
                matrix.row_mut(i)[i + 1] = 1.0;
            }
            matrix.row_mut(n - 1)[i] = -coefficients[i];
        }
        let expected = [(-3.0, 0.0), (0.0, -2.0), (0.0, 2.0), (1.0, 0.0), (2.0, 0.0)];
        for (found, expected) in sorted(&matrix).iter().zip(expected) {
            assert!((found.0 - expected.0).hypot(found.1 - expected.1) < ROUNDING, "{found:?} for {expected:?}");
        }
    }

    #[test]
    fn a_chain_of_springs_has_the_known_frequencies() {
        // Tridiagonal −1, 2, −1: 2 − 2 cos(k π/(n + 1)).
        let n = 30;
        let mut matrix = Matrix::zeros(n, n);
        for i in 0..n {
            matrix.row_mut(i)[i] = 2.0;
            if i > 0 {
                matrix.row_mut(i)[i - 1] = -1.0;
                matrix.row_mut(i - 1)[i] = -1.0;
            }
        }
        for (k, found) in sorted(&matrix).iter().enumerate() {
            let expected = 2.0 - 2.0 * ((k + 1) as f64 * std::f64::consts::PI / (n + 1) as f64).cos();
            assert!((found.0 - expected).abs() < ROUNDING && found.1.abs() < ROUNDING, "{k}: {found:?}");
        }
    }
}
