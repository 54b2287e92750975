//! The linear algebra written here against that of `nalgebra`, over random matrices and nasty ones.
//!
//! The library keeps its own for the same bits on every processor and for what it says of rank; what it computes is held to a second program.

use biela_math::dense::Matrix;
use biela_math::eigen::eigenvalues;
use biela_math::ldl::Ldl;
use biela_math::principal::diagonalise;
use biela_math::random::Random;
use biela_math::sparse::{Elimination, Pattern};
use nalgebra::{Complex, DMatrix, DVector};

/// What a backward stable algorithm loses on a matrix with sides up to `n`, of the greatest singular value: n roundings in every sum, and
/// as many steps as there are sweeps or shifts. Two programs are compared, so twice.
fn roundings(n: usize) -> f64 {
    2.0 * 16.0 * n as f64 * f64::EPSILON
}

/// Conditions beyond which a solution has no digits left that two programs could share.
const HOPELESS: f64 = 1e14;

fn matrix(rows: usize, columns: usize, mut entry: impl FnMut(usize, usize) -> f64) -> Matrix {
    Matrix { rows, columns, entries: (0..rows * columns).map(|k| entry(k / columns, k % columns)).collect() }
}

fn theirs(a: &Matrix) -> DMatrix<f64> {
    DMatrix::from_row_slice(a.rows, a.columns, &a.entries)
}

fn times(a: &Matrix, b: &Matrix) -> Matrix {
    matrix(a.rows, b.columns, |i, j| (0..a.columns).map(|k| a.row(i)[k] * b.row(k)[j]).sum())
}

/// Matrices of the sizes asked for, each with a name: without structure, and those on which such programs have failed.
fn collection(sizes: &[(usize, usize)]) -> Vec<(String, Matrix)> {
    let mut all: Vec<(String, Matrix)> = Vec::new();
    for (k, &(m, n)) in sizes.iter().enumerate() {
        let mut random = Random(1000 + k as u64);
        let full = matrix(m, n, |_, _| random.signed());
        let mut add = |name: &str, a: Matrix| all.push((format!("{name} {m}×{n}"), a));
        add("zeros", Matrix::zeros(m, n));
        // Rows from 1e-8 to 1e8, columns likewise.
        let grade = |i: usize, of: usize| 10f64.powf(16.0 * i as f64 / of as f64 - 8.0);
        add("graded rows", matrix(m, n, |i, j| full.row(i)[j] * grade(i, m)));
        add("graded columns", matrix(m, n, |i, j| full.row(i)[j] * grade(j, n)));
        // Near overflow and underflow of squares.
        add("huge", matrix(m, n, |i, j| full.row(i)[j] * 1e140));
        add("tiny", matrix(m, n, |i, j| full.row(i)[j] * 1e-140));
        // Conditions that grow by a digit and a half with each row.
        add("Hilbert", matrix(m, n, |i, j| 1.0 / (i + j + 1) as f64));
        add("Vandermonde", matrix(m, n, |i, j| ((i + 1) as f64 / m as f64).powi(j as i32)));
        // Triangular, with pivots that tell nothing of how near it is to being singular.
        add(
            "Kahan",
            matrix(m, n, |i, j| 0.6f64.powi(i as i32) * [0.0, 1.0, -0.8][(j + 1).min(i + 2).saturating_sub(i)]),
        );
        // One row and one column that depend on others, to the last bit and but for 1e-9.
        let last = |i: usize, j: usize| if i + 1 == m { full.row(0)[j] } else { full.row(i)[j] };
        add("row twice", matrix(m, n, last));
        add("nearly a row twice", matrix(m, n, |i, j| last(i, j) + if i + 1 == m && j == 0 { 1e-9 } else { 0.0 }));
        add("column of zeros", matrix(m, n, |i, j| if j == n / 2 { 0.0 } else { full.row(i)[j] }));
        // Few entries, as Jacobians have them.
        let mut random = Random(2000 + k as u64);
        add("sparse", matrix(m, n, |_, _| if random.unit() < 0.3 { random.signed() } else { 0.0 }));
        // Growth of pivots by two with each row under partial pivoting (Wilkinson).
        add("growing", matrix(m, n, |i, j| if j + 1 == n || i == j { 1.0 } else { -f64::from(u8::from(i > j)) }));
        add("cyclic", matrix(m, n, |i, j| f64::from(u8::from((j + 1) % n == i))));
        add("random", full);
    }
    all
}

const SQUARE: &[(usize, usize)] = &[(1, 1), (2, 2), (3, 3), (5, 5), (8, 8), (13, 13)];
const OTHER: &[(usize, usize)] = &[(1, 4), (4, 1), (3, 7), (9, 4), (6, 12), (14, 11)];

#[test]
fn singular_values() {
    for (name, a) in collection(&[SQUARE, OTHER].concat()) {
        let (found, due) = (a.singular_values(), theirs(&a).singular_values());
        let most = roundings(a.rows.max(a.columns)) * due[0];
        assert_eq!(found.len(), due.len(), "{name}");
        for (k, (found, due)) in found.iter().zip(due.iter()).enumerate() {
            assert!((found - due).abs() <= most, "{name}, value {k}: {found:e} instead of {due:e}");
            let (first, this) = a.extreme_singular_values(k + 1).expect("finite");
            assert!((first - theirs(&a).singular_values()[0]).abs() <= most, "{name}: greatest {first:e}");
            assert!((this - due).abs() <= most, "{name}, value {k} alone: {this:e} instead of {due:e}");
        }
    }
}

/// |A x − b| against what roundings of the factors leave, by their growth.
fn backward_error(a: &DMatrix<f64>, x: &DVector<f64>, b: &DVector<f64>) -> f64 {
    (a * x - b).norm() / (a.norm() * x.norm() + b.norm())
}

#[test]
fn solutions_by_lu() {
    let mut compared = 0;
    for (name, a) in collection(SQUARE) {
        let n = a.rows;
        let (mut random, other) = (Random(7), theirs(&a));
        let b = DVector::from_fn(n, |_, _| random.signed());
        let values = other.singular_values();
        let condition = values[0] / values[n - 1];
        let Some(lu) = a.clone().lu() else {
            assert!(condition.is_nan() || condition >= HOPELESS, "{name}: refused at a condition of {condition:e}");
            continue;
        };
        let mut x = b.as_slice().to_vec();
        lu.solve(&mut x);
        let x = DVector::from_vec(x);
        // Pivots of the growing matrix double with each row, and with them what is lost.
        let growth = if name.starts_with("growing") { 2f64.powi(n as i32 - 1) } else { 1.0 };
        let most = growth * roundings(n);
        assert!(
            (condition.is_nan() || condition >= HOPELESS) || backward_error(&other, &x, &b) <= most,
            "{name}: residual"
        );
        if most * condition < 0.1 {
            let due = other.lu().solve(&b).expect("far from singular");
            assert!((&x - &due).norm() <= most * condition * due.norm(), "{name}: {x} instead of {due}");
            compared += 1;
        }
    }
    assert!(compared > 50, "{compared} compared");
}

#[test]
fn least_squares_and_what_is_positive_by_cholesky() {
    for (name, a) in collection(&[SQUARE, OTHER].concat()) {
        let (mut random, other) = (Random(8), theirs(&a));
        let b = DVector::from_fn(a.rows, |_, _| random.signed());
        let greatest = other.singular_values()[0];
        // Damping makes the normal equations positive for certain; squares of tiny and huge numbers stay numbers.
        for part in [1e-2, 1e-6] {
            let damping = part * greatest * greatest;
            let Some(found) = a.damped_least_squares(b.as_slice(), damping) else {
                assert!(damping == 0.0, "{name}: refused with damping {part}");
                continue;
            };
            let normal = other.transpose() * &other + DMatrix::identity(a.columns, a.columns) * damping;
            let due = normal.cholesky().expect("positive").solve(&(other.transpose() * &b));
            // The condition of the normal equations is at most 1 + 1/part.
            let most = roundings(a.rows.max(a.columns)) * (1.0 + 1.0 / part);
            let off = (DVector::from_vec(found) - &due).norm();
            // |x| is at most |Aᵀb| / damping, whatever the matrix.
            assert!(
                off <= most * due.norm().max((other.transpose() * &b).norm() / (greatest * greatest)),
                "{name}: {off:e}"
            );
        }
    }
    // A symmetric matrix is taken where it is positive, and only there.
    for seed in 0..60 {
        let mut random = Random(3000 + seed);
        let n = 2 + seed as usize % 7;
        let half = matrix(n, n, |_, _| random.signed());
        let shift = random.signed() * 2.0;
        let symmetric = matrix(n, n, |i, j| 0.5 * (half.row(i)[j] + half.row(j)[i]) + if i == j { shift } else { 0.0 });
        let least = theirs(&symmetric).symmetric_eigenvalues().min();
        assert!(least.abs() > 1e-6, "seed {seed} says nothing");
        assert_eq!(symmetric.clone().cholesky_solve(&mut vec![1.0; n]).is_some(), least > 0.0, "seed {seed}: {least}");
    }
}

#[test]
fn shortest_solutions_by_the_pseudo_inverse() {
    let mut compared = 0;
    for (name, a) in collection(&[SQUARE, OTHER].concat()) {
        const SMALL: f64 = 1e-7;
        let (mut random, other) = (Random(9), theirs(&a));
        let b = DVector::from_fn(a.rows, |_, _| random.signed());
        let values = other.singular_values();
        // Values near the limit may be left out by one program and taken by the other.
        let near = |s: &f64| *s > 1e-3 * SMALL * values[0] && *s < 1e3 * SMALL * values[0];
        if values[0] == 0.0 || values.iter().any(near) {
            continue;
        }
        let due = other.svd(true, true).solve(&b, SMALL * values[0]).expect("both sides");
        let least = values.iter().copied().filter(|s| *s > SMALL * values[0]).fold(f64::INFINITY, f64::min);
        // Where b does not fit, its remainder is lost with the square of the condition.
        let most = roundings(a.rows.max(a.columns)) * (values[0] / least).powi(2) * b.norm() / values[0];
        let off = (DVector::from_vec(a.pseudo_solve(b.as_slice(), SMALL)) - due).norm();
        assert!(off <= most, "{name}: off by {off:e}, allowed {most:e}");
        compared += 1;
    }
    assert!(compared > 80, "{compared} compared");
}

/// Smallest singular value of A − λ: how much A must change so that λ is an eigenvalue. It does not grow where eigenvalues are sensitive.
fn distance(a: &DMatrix<f64>, (real, imaginary): (f64, f64)) -> f64 {
    let shifted =
        a.map(|x| Complex::new(x, 0.0)) - DMatrix::identity(a.nrows(), a.nrows()) * Complex::new(real, imaginary);
    shifted.singular_values().min()
}

#[test]
fn eigenvalues_of_any_matrix() {
    let mut matched = 0;
    for (name, a) in collection(SQUARE) {
        let (n, other) = (a.rows, theirs(&a));
        let found = eigenvalues(&a).unwrap_or_else(|| panic!("{name}: none"));
        // Entries of the balanced matrix are what roundings are of; where rows are graded that is less than this.
        let most = roundings(n) * other.norm();
        for &value in &found {
            assert!(distance(&other, value) <= most, "{name}: {value:?} is off by {:e}", distance(&other, value));
        }
        let sum: f64 = found.iter().map(|e| e.0).sum();
        assert!((sum - other.trace()).abs() <= n as f64 * most, "{name}: trace {sum:e}");
        assert!(found.iter().map(|e| e.1).sum::<f64>().abs() <= most, "{name}: pairs");
        if name.starts_with("random") || name.starts_with("sparse") {
            // Eigenvalues of these are sensitive by some thousands at most.
            let mut left = found.clone();
            for due in other.complex_eigenvalues().iter() {
                let off = |e: &(f64, f64)| (e.0 - due.re).hypot(e.1 - due.im);
                let k = (0..left.len()).min_by(|i, j| off(&left[*i]).total_cmp(&off(&left[*j]))).expect("one left");
                assert!(off(&left.swap_remove(k)) <= 1e4 * most, "{name}: no {due} in {found:?}");
                matched += 1;
            }
        }
    }
    assert!(matched > 50, "{matched} matched");
}

#[test]
fn principal_axes_of_symmetric_matrices() {
    for (name, a) in collection(SQUARE) {
        let n = a.rows;
        let symmetric: Vec<Vec<f64>> =
            (0..n).map(|i| (0..n).map(|j| 0.5 * (a.row(i)[j] + a.row(j)[i])).collect()).collect();
        let other = DMatrix::from_fn(n, n, |i, j| symmetric[i][j]);
        let (mut diagonal, mut axes) = (symmetric.clone(), vec![vec![0.0; n]; n]);
        (0..n).for_each(|k| axes[k][k] = 1.0);
        diagonalise(&mut diagonal, &mut axes);
        let mut due: Vec<f64> = other.clone().symmetric_eigenvalues().iter().copied().collect();
        let mut found: Vec<f64> = (0..n).map(|k| diagonal[k][k]).collect();
        [&mut due, &mut found].into_iter().for_each(|list| list.sort_by(f64::total_cmp));
        let most = roundings(n) * other.norm();
        assert!(found.iter().zip(&due).all(|(a, b)| (a - b).abs() <= most), "{name}: {found:?} instead of {due:?}");
        // Rows of Q are the axes: Q Qᵀ = 1 and Qᵀ D Q is the matrix.
        let q = DMatrix::from_fn(n, n, |i, j| axes[i][j]);
        assert!((&q * q.transpose() - DMatrix::identity(n, n)).norm() <= roundings(n) * n as f64, "{name}: axes");
        let d = DMatrix::from_fn(n, n, |i, j| if i == j { diagonal[i][i] } else { 0.0 });
        assert!((q.transpose() * d * &q - other).norm() <= n as f64 * most, "{name}: not the matrix");
    }
}

fn pattern(a: &Matrix) -> (Pattern, Vec<f64>) {
    let (mut pattern, mut values) = (Pattern::new(a.columns), Vec::new());
    for i in 0..a.rows {
        let columns: Vec<usize> = (0..a.columns).filter(|j| a.row(i)[*j] != 0.0).collect();
        values.extend(columns.iter().map(|j| a.row(i)[*j]));
        pattern.push_row(&columns);
    }
    (pattern, values)
}

#[test]
fn rank_null_space_and_solutions_by_sparse_elimination() {
    // Rows and columns of one size, as constraints have them, of every rank: products of a tall and a flat matrix, thinned out.
    let mut checked = 0;
    for seed in 0..200 {
        let mut random = Random(4000 + seed);
        let mut number = |most: usize| 1 + (random.unit() * most as f64) as usize;
        let (m, n) = (number(12), number(12));
        let rank = number(m.min(n));
        let mut random = Random(5000 + seed);
        let mut thin = |_, _| if random.unit() < 0.6 { random.signed() } else { 0.0 };
        let (left, right) = (matrix(m, rank, &mut thin), matrix(rank, n, &mut thin));
        let a = times(&left, &right);
        let other = theirs(&a);
        let values = other.singular_values();
        const SMALL: f64 = 1e-9;
        // Only where the rank is beyond doubt: no value between rounding and a clear one.
        let clear = values.iter().filter(|s| **s > 1e-3).count();
        if clear == 0 || values.iter().any(|s| *s <= 1e-3 && *s > 1e-13) {
            continue;
        }
        checked += 1;
        let (pattern, entries) = pattern(&a);
        let mut found = Elimination::analyse(&pattern, &entries, SMALL, &[]);
        found.refactor(&pattern, &entries).expect("pivots that were just chosen");
        assert_eq!(found.rank(), clear, "seed {seed}: {values}");
        assert_eq!((found.dependent_rows().len(), found.free_columns().len()), (m - clear, n - clear));
        // Conditions of at most 1e5 in these.
        let most = roundings(m.max(n)) * 1e5;
        for vector in found.null_space() {
            let vector = DVector::from_vec(vector);
            assert!((&other * &vector).norm() <= most * vector.norm(), "seed {seed}: null space");
        }
        // A right-hand side that fits, and one of forces that rows can take up.
        let b = &other * DVector::from_fn(n, |_, _| random.signed());
        let (mut x, mut y) = (vec![0.0; n], vec![0.0; m.max(n)]);
        found.solve(b.as_slice(), &mut x, &mut y);
        let x = DVector::from_vec(x);
        assert!((&other * &x - &b).norm() <= most * x.norm().max(1.0), "seed {seed}: solution");
        let f = other.transpose() * DVector::from_fn(m, |_, _| random.signed());
        let (mut lambda, mut work) = (vec![0.0; m], vec![0.0; m.max(n)]);
        found.solve_transposed(f.as_slice(), &mut lambda, &mut work);
        let lambda = DVector::from_vec(lambda);
        assert!((other.transpose() * &lambda - f).norm() <= most * lambda.norm().max(1.0), "seed {seed}: forces");
    }
    assert!(checked > 100, "{checked} of 200 checked");
}

#[test]
fn saddle_points_by_sparse_factors() {
    for seed in 0..60 {
        let mut random = Random(6000 + seed);
        let (n, rows) = (3 + seed as usize % 9, 1 + seed as usize % 3);
        let size = n + rows;
        // M = B Bᵀ + 1 with masses over four decades; rows with one entry of their own each, so that none depends on the others.
        let b = matrix(n, n, |_, _| if random.unit() < 0.3 { random.signed() } else { 0.0 });
        let scale: Vec<f64> = (0..n).map(|_| 10f64.powf(2.0 * random.signed())).collect();
        let mut whole = Matrix::zeros(size, size);
        for i in 0..n {
            for j in 0..n {
                let product: f64 = (0..n).map(|k| b.row(i)[k] * b.row(j)[k]).sum::<f64>() + f64::from(u8::from(i == j));
                whole.row_mut(i)[j] = scale[i] * product * scale[j];
            }
        }
        for r in 0..rows {
            for j in 0..n {
                let entry = if j == r {
                    1.0
                } else if j >= rows && random.unit() < 0.5 {
                    random.signed()
                } else {
                    0.0
                };
                (whole.row_mut(n + r)[j], whole.row_mut(j)[n + r]) = (entry, entry);
            }
        }
        let pairs = || {
            (0..size * size)
                .map(|k| (k / size, k % size))
                .filter(|(i, j)| j <= i && (i == j || whole.row(*i)[*j] != 0.0))
        };
        let mut ldl = Ldl::new(size, n, pairs());
        for (i, j) in pairs() {
            let place = ldl.entry(i, j);
            ldl.entries[place] = whole.row(i)[j];
        }
        assert!(ldl.factor(1e-14), "seed {seed}");
        let side = DVector::from_fn(size, |_, _| random.signed());
        let (mut x, mut y) = (vec![0.0; size], vec![0.0; size]);
        ldl.solve(side.as_slice(), &mut x, &mut y);
        let (other, x) = (theirs(&whole), DVector::from_vec(x));
        let due = other.clone().lu().solve(&side).expect("rows that do not depend on each other");
        let values = other.singular_values();
        let condition = values[0] / values[size - 1];
        // No pivoting: what it loses is that of the condition of M besides, which the scales make at most 1e8.
        assert!(backward_error(&other, &x, &side) <= roundings(size) * 10.0, "seed {seed}: residual");
        assert!((&x - &due).norm() <= 10.0 * roundings(size) * condition * due.norm(), "seed {seed}: solution");
    }
}
