//! Eigenvalues of a small real matrix, by reduction to Hessenberg form and the QR algorithm with double shifts.

use super::dense::Matrix;
use crate::Elementary;

/// The eigenvalues as (real, imaginary) pairs; `None` where the iteration does not end or an entry is not finite.
pub fn eigenvalues(matrix: &Matrix) -> Option<Vec<(f64, f64)>> {
    let n = matrix.columns;
    if !matrix.entries.iter().all(|x| x.is_finite()) {
        return None;
    }
    let mut a: Vec<Vec<f64>> = (0..n).map(|i| matrix.row(i).to_vec()).collect();
    balance(&mut a);
    hessenberg(&mut a);
    shifted_qr(a, STEPS * n)
}

/// Steps allowed for each eigenvalue, on average; two or three are usual.
const STEPS: usize = 60;

/// Scales rows and columns by powers of two until they are of like size [Parlett, Reinsch 1969].
fn balance(a: &mut [Vec<f64>]) {
    /// A few passes do; what is left after these costs digits, not correctness.
    const PASSES: usize = 100;
    let n = a.len();
    for _ in 0..PASSES {
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

/// Francis's double-shift steps with deflation on an upper Hessenberg matrix; `None` where they are more than `most`.
fn shifted_qr(mut a: Vec<Vec<f64>>, most: usize) -> Option<Vec<(f64, f64)>> {
    let n = a.len();
    let norm: f64 = a.iter().flatten().map(|x| x.abs()).sum::<f64>().max(f64::MIN_POSITIVE);
    let mut found = vec![(0.0, 0.0); n];
    let mut high = n as isize - 1;
    let mut shift = 0.0;
    let mut steps = 0;
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
                    found[h] = (if z != 0.0 { x - w / z } else { x }, 0.0);
                } else {
                    found[h - 1] = (x + p, z);
                    found[h] = (x + p, -z);
                }
                high -= 2;
                break;
            }
            if steps == most {
                return None;
            }
            steps += 1;
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
    use crate::random::Random;

    /// Roundings of eigenvalues well apart, of matrices whose entries are of order ten.
    const ROUNDING: f64 = 1e-10;

    fn matrix(n: usize, entry: impl Fn(usize, usize) -> f64) -> Matrix {
        Matrix { rows: n, columns: n, entries: (0..n * n).map(|k| entry(k / n, k % n)).collect() }
    }

    /// Each expected eigenvalue is among those found, each of which is used once.
    fn check(found: Vec<(f64, f64)>, expected: &[(f64, f64)], tolerance: f64) {
        let mut left = found.clone();
        assert_eq!(left.len(), expected.len());
        for e in expected {
            let off = |f: &(f64, f64)| (f.0 - e.0).hypot(f.1 - e.1);
            let nearest = (0..left.len()).min_by(|i, j| off(&left[*i]).total_cmp(&off(&left[*j]))).unwrap();
            assert!(off(&left.swap_remove(nearest)) <= tolerance, "no {e:?} among {found:?}");
        }
    }

    /// Q T Q with T block triangular and Q a reflection: full, without symmetry, eigenvalues known from the blocks, some
    /// of which are complex pairs.
    fn full(n: usize, seed: u64) -> (Matrix, Vec<(f64, f64)>) {
        let mut random = Random(seed);
        let mut t = matrix(n, |_, _| 0.0);
        let mut expected = Vec::new();
        for i in 0..n {
            (i..n).for_each(|j| t.row_mut(i)[j] = random.signed());
        }
        let mut i = 0;
        while i < n {
            // Real parts one apart, so that no eigenvalue is sensitive.
            let real = i as f64 - 3.0 + 0.3 * random.signed();
            if i % 4 == 2 && i + 1 < n {
                let (b, c) = (1.0 + random.unit(), 1.0 + random.unit());
                (t.row_mut(i)[i], t.row_mut(i)[i + 1]) = (real, b);
                (t.row_mut(i + 1)[i], t.row_mut(i + 1)[i + 1]) = (-c, real);
                expected.extend([(real, (b * c).sqrt()), (real, -(b * c).sqrt())]);
                i += 2;
            } else {
                t.row_mut(i)[i] = real;
                expected.push((real, 0.0));
                i += 1;
            }
        }
        let u: Vec<f64> = (0..n).map(|_| random.signed() + 0.1).collect();
        let square: f64 = u.iter().map(|x| x * x).sum();
        let q = |i: usize, j: usize| f64::from(u8::from(i == j)) - 2.0 * u[i] * u[j] / square;
        let product = matrix(n, |i, j| (0..n).map(|k| q(i, k) * t.row(k)[j]).sum());
        (matrix(n, |i, j| (0..n).map(|k| product.row(i)[k] * q(k, j)).sum()), expected)
    }

    #[test]
    fn full_matrices_without_symmetry_have_the_eigenvalues_they_were_made_with() {
        for n in 1..=14 {
            for seed in 0..4 {
                let (a, expected) = full(n, 100 * n as u64 + seed);
                // In any unit: multiples have multiples.
                for unit in [1.0, 1e-20, 1e20] {
                    let a = matrix(n, |i, j| a.row(i)[j] * unit);
                    let found = eigenvalues(&a).unwrap().iter().map(|e| (e.0 / unit, e.1 / unit)).collect();
                    check(found, &expected, ROUNDING);
                }
            }
        }
    }

    #[test]
    fn scales_of_coordinates_do_not_matter() {
        // D⁻¹ A D with powers of two in D: the same matrix in other units, without any rounding. Unbalanced, entries of 2¹⁰⁰
        // would leave no digit of eigenvalues of order one.
        for (n, exponents) in [(5, [100, -80, 0, 60, -30, 0, 0]), (7, [-90, 4, 3, 70, 0, -20, 90])] {
            let (a, expected) = full(n, 7);
            let factor = |i: usize, j: usize| 2f64.powi(exponents[j] - exponents[i]);
            let scaled = matrix(n, |i, j| a.row(i)[j] * factor(i, j));
            check(eigenvalues(&scaled).unwrap(), &expected, ROUNDING);
            let mut rows: Vec<Vec<f64>> = (0..n).map(|i| scaled.row(i).to_vec()).collect();
            balance(&mut rows);
            for i in 0..n {
                let others = || (0..n).filter(|j| *j != i);
                let row: f64 = others().map(|j| rows[i][j].abs()).sum();
                let column: f64 = others().map(|j| rows[j][i].abs()).sum();
                // A factor of two would help less than 5 % where the ratio is below 7/3.
                assert!(row / column < 2.34 && column / row < 2.34, "{row} {column}");
                // It is still the same matrix in other units: products along closed paths stay.
                for j in 0..n {
                    let k = (j + 1) % n;
                    let path = |a: &dyn Fn(usize, usize) -> f64| a(i, j) * a(j, k) * a(k, i);
                    let (before, after) = (path(&|i, j| a.row(i)[j]), path(&|i, j| rows[i][j]));
                    assert!((before - after).abs() <= 1e-15 * before.abs(), "{before} {after}");
                }
            }
        }
    }

    #[test]
    fn balance_ends_whatever_the_numbers() {
        let mut random = Random(3);
        for _ in 0..200 {
            // Exponents over the whole range, denormals among them.
            let mut number = || random.signed() * 2f64.powi((random.signed() * 1074.0) as i32);
            let entries: Vec<f64> = (0..25).map(|_| number()).collect();
            let mut a: Vec<Vec<f64>> = entries.chunks(5).map(<[f64]>::to_vec).collect();
            balance(&mut a);
        }
    }

    #[test]
    fn cyclic_permutations_have_the_roots_of_unity() {
        // Their steps with ordinary shifts go round in circles: only an exceptional shift gets them out. The part 0.7 on the
        // diagonal moves all eigenvalues, and makes these shifts add up to something.
        for n in 2..=9 {
            let a = matrix(n, |i, j| f64::from(u8::from((j + 1) % n == i)) + if i == j { 0.7 } else { 0.0 });
            let angle = |k: usize| std::f64::consts::TAU * k as f64 / n as f64;
            let expected: Vec<(f64, f64)> = (0..n).map(|k| (0.7 + angle(k).cos(), angle(k).sin())).collect();
            check(eigenvalues(&a).unwrap(), &expected, ROUNDING);
            // Ten steps in circles, then as quick as any.
            let rows = (0..n).map(|i| a.row(i).to_vec()).collect();
            check(shifted_qr(rows, 10 + 4 * n).unwrap(), &expected, ROUNDING);
        }
    }

    #[test]
    fn the_iteration_is_as_quick_as_double_shifts_are() {
        // Convergence is quadratic: two or three steps for each eigenvalue, where wrong shifts take many more.
        for n in [6, 10, 14] {
            for seed in 0..6 {
                let (a, expected) = full(n, 1000 * n as u64 + seed);
                let mut rows: Vec<Vec<f64>> = (0..n).map(|i| a.row(i).to_vec()).collect();
                hessenberg(&mut rows);
                assert!((2..n).all(|i| rows[i][..i - 1].iter().all(|x| *x == 0.0)));
                check(shifted_qr(rows.clone(), 3 * n).unwrap(), &expected, ROUNDING);
                assert!(shifted_qr(rows, 2).is_none(), "a limit is a limit");
            }
        }
    }

    #[test]
    fn blocks_of_two_in_all_their_cases() {
        let two = |a: [f64; 4], expected: [(f64, f64); 2]| {
            check(eigenvalues(&matrix(2, |i, j| a[2 * i + j])).unwrap(), &expected, 1e-15);
        };
        // Real: trace 4, determinant 3, the larger diagonal entry first, last, and both equal.
        two([3.0, 0.0, 5.0, 1.0], [(1.0, 0.0), (3.0, 0.0)]);
        two([2.5, 0.75, 1.0, 1.5], [(1.0, 0.0), (3.0, 0.0)]);
        two([1.5, 0.75, 1.0, 2.5], [(1.0, 0.0), (3.0, 0.0)]);
        two([2.0, 1.0, 1.0, 2.0], [(1.0, 0.0), (3.0, 0.0)]);
        // Double ones: zero above the diagonal, and a discriminant of zero.
        two([2.0, 0.0, 1.0, 2.0], [(2.0, 0.0), (2.0, 0.0)]);
        two([3.0, 1.0, -1.0, 1.0], [(2.0, 0.0), (2.0, 0.0)]);
        // Complex: 2 ± i and 2 ± √3/2 i.
        two([2.0, 1.0, -1.0, 2.0], [(2.0, 1.0), (2.0, -1.0)]);
        two([2.5, 1.0, -1.0, 1.5], [(2.0, 0.75f64.sqrt()), (2.0, -(0.75f64.sqrt()))]);
        two([0.0; 4], [(0.0, 0.0), (0.0, 0.0)]);
    }

    #[test]
    fn small_eigenvalues_beside_large_ones_keep_their_digits() {
        // Two blocks apart: [[1, 2], [3, 4]] times 1e-9 and times 1e9, eigenvalues (5 ± √33)/2 of each.
        let block = [[1.0, 2.0], [3.0, 4.0]];
        let a = matrix(4, |i, j| if i / 2 == j / 2 { block[i % 2][j % 2] * [1e9, 1e-9][i / 2] } else { 0.0 });
        let mut found = eigenvalues(&a).unwrap();
        found.sort_by(|a, b| a.0.abs().total_cmp(&b.0.abs()));
        let root = 33f64.sqrt();
        let expected = [(5.0 - root) * 0.5e-9, (5.0 + root) * 0.5e-9, (5.0 - root) * 0.5e9, (5.0 + root) * 0.5e9];
        for (found, expected) in found.iter().zip(expected) {
            assert!((found.0 - expected).abs() < 1e-14 * expected.abs() && found.1 == 0.0, "{found:?} {expected}");
        }
    }

    #[test]
    fn singular_matrices_have_zeros_among_their_eigenvalues() {
        // 1 … 9 and 1 … 16 by rows, of rank two: λ² − 15 λ − 18 = 0 and λ² − 34 λ − 80 = 0 from trace and minors.
        for (n, trace, minors) in [(3usize, 15.0, -18.0), (4, 34.0, -80.0)] {
            let a = matrix(n, |i, j| (n * i + j + 1) as f64);
            let root = f64::sqrt(trace * trace / 4.0 - minors);
            let mut expected = vec![(0.0, 0.0); n];
            (expected[0].0, expected[1].0) = (trace / 2.0 + root, trace / 2.0 - root);
            check(eigenvalues(&a).unwrap(), &expected, 1e-13);
        }
    }

    #[test]
    fn reduction_keeps_traces_of_powers_whatever_the_pivots() {
        // The entry below the first diagonal entry is tiny: as a pivot it would let numbers grow to 1e13.
        let mut random = Random(11);
        let mut a: Vec<Vec<f64>> = (0..6).map(|_| (0..6).map(|_| random.signed()).collect()).collect();
        a[1][0] = 1e-13;
        let traces = |a: &[Vec<f64>]| {
            let square = |i: usize, j: usize| -> f64 { (0..6).map(|k| a[i][k] * a[k][j]).sum() };
            let all = || (0..6).flat_map(|i| (0..6).map(move |j| (i, j)));
            let cube: f64 = all().map(|(i, j)| square(i, j) * a[j][i]).sum();
            [(0..6).map(|i| a[i][i]).sum(), (0..6).map(|i| square(i, i)).sum(), cube]
        };
        let before: [f64; 3] = traces(&a);
        hessenberg(&mut a);
        for (before, after) in before.into_iter().zip(traces(&a)) {
            assert!((before - after).abs() < 1e-12, "{before} {after}");
        }
    }

    #[test]
    fn a_threefold_eigenvalue_is_found_to_a_third_of_the_digits() {
        // One Jordan block, turned: roundings of 1e-16 move a threefold root by their cube root.
        let jordan = [[2.0, 1.0, 0.0], [0.0, 2.0, 1.0], [0.0, 0.0, 2.0]];
        let q = |i: usize, j: usize| f64::from(u8::from(i == j)) - 2.0 / 3.0;
        let product = matrix(3, |i, j| (0..3).map(|k| q(i, k) * jordan[k][j]).sum());
        let a = matrix(3, |i, j| (0..3).map(|k| product.row(i)[k] * q(k, j)).sum());
        check(eigenvalues(&a).unwrap(), &[(2.0, 0.0); 3], 1e-4);
    }

    #[test]
    fn nothing_and_numbers_that_are_none() {
        assert_eq!(eigenvalues(&Matrix::zeros(0, 0)), Some(Vec::new()));
        assert_eq!(eigenvalues(&Matrix::zeros(3, 3)), Some(vec![(0.0, 0.0); 3]));
        for bad in [f64::NAN, f64::INFINITY] {
            assert_eq!(eigenvalues(&matrix(2, |i, j| if i < j { bad } else { 1.0 })), None);
        }
    }

    #[test]
    fn companion_matrices_give_the_roots_of_their_polynomials() {
        // (x − 1)(x − 2)(x + 3)(x² + 4): x⁵ + 0x⁴ − 3x³ + 6x² − 28x + 24.
        let last = [-24.0, 28.0, -6.0, 3.0, 0.0];
        let a = matrix(5, |i, j| if i == 4 { last[j] } else { f64::from(u8::from(j == i + 1)) });
        check(eigenvalues(&a).unwrap(), &[(-3.0, 0.0), (0.0, -2.0), (0.0, 2.0), (1.0, 0.0), (2.0, 0.0)], ROUNDING);
    }

    #[test]
    fn a_chain_of_springs_has_the_known_frequencies() {
        // Tridiagonal −1, 2, −1: 2 − 2 cos(k π/(n + 1)).
        let n = 30;
        let a = matrix(n, |i, j| [2.0, -1.0, 0.0][i.abs_diff(j).min(2)]);
        let angle = |k: usize| (k + 1) as f64 * std::f64::consts::PI / (n + 1) as f64;
        let expected: Vec<(f64, f64)> = (0..n).map(|k| (2.0 - 2.0 * angle(k).cos(), 0.0)).collect();
        check(eigenvalues(&a).unwrap(), &expected, ROUNDING);
    }
}
