//! Small dense matrices: singular values, and least squares with damping.

/// A dense matrix by rows.
#[derive(Debug, Clone, Default)]
pub struct Matrix {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Entries, row after row.
    pub entries: Vec<f64>,
}

impl Matrix {
    /// A matrix of zeros.
    #[inline]
    pub fn zeros(rows: usize, columns: usize) -> Matrix {
        Matrix { rows, columns, entries: vec![0.0; rows * columns] }
    }

    /// Row `i`.
    #[inline]
    pub fn row(&self, i: usize) -> &[f64] {
        &self.entries[i * self.columns..(i + 1) * self.columns]
    }

    /// Row `i`, to change.
    #[inline]
    pub fn row_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.entries[i * self.columns..(i + 1) * self.columns]
    }

    /// The singular values, greatest first, by one-sided Jacobi rotations (accurate also for the small ones).
    pub fn singular_values(&self) -> Vec<f64> {
        // Orthogonalise along the shorter side: the same singular values with less work.
        let (count, length) = (self.rows.min(self.columns), self.rows.max(self.columns));
        let entry = |a: usize, b: usize| if self.rows <= self.columns { self.row(a)[b] } else { self.row(b)[a] };
        let mut vectors: Vec<Vec<f64>> = (0..count).map(|a| (0..length).map(|b| entry(a, b)).collect()).collect();
        make_orthogonal(&mut vectors, length);
        let mut values: Vec<f64> = vectors.iter().map(|v| dot(v, v).sqrt()).collect();
        values.sort_by(|a, b| b.total_cmp(a));
        values
    }

    /// The greatest and the `rank`-th singular value, by Householder reflections to two diagonals and bisection: less work
    /// than [`Matrix::singular_values`], errors of roundings of the greatest.
    pub fn extreme_singular_values(&self, rank: usize) -> Option<(f64, f64)> {
        let (m, n) = (self.rows.max(self.columns), self.rows.min(self.columns));
        if rank == 0 || rank > n {
            return None;
        }
        // By columns, each as long as the longer side.
        let entry = |i: usize, j: usize| if self.rows >= self.columns { self.row(i)[j] } else { self.row(j)[i] };
        let mut a: Vec<Vec<f64>> = (0..n).map(|j| (0..m).map(|i| entry(i, j)).collect()).collect();
        // Off-diagonals of the symmetric matrix with zero diagonal whose eigenvalues are ± the singular values.
        let mut off = Vec::with_capacity(2 * n);
        for k in 0..n {
            let (head, tail) = a.split_at_mut(k + 1);
            let column = &mut head[k][k..];
            let diagonal = reflector(column);
            for other in tail.iter_mut() {
                let product = 2.0 * dot(column, &other[k..]);
                other[k..].iter_mut().zip(&*column).for_each(|(x, u)| *x -= product * u);
            }
            off.push(diagonal);
            if k + 1 < n {
                let mut row: Vec<f64> = tail.iter().map(|c| c[k]).collect();
                off.push(reflector(&mut row));
                let mut products = vec![0.0; m - k - 1];
                for (c, u) in tail.iter().zip(&row).filter(|p| *p.1 != 0.0) {
                    products.iter_mut().zip(&c[k + 1..]).for_each(|(p, x)| *p += 2.0 * u * x);
                }
                for (c, u) in tail.iter_mut().zip(&row).filter(|p| *p.1 != 0.0) {
                    c[k + 1..].iter_mut().zip(&products).for_each(|(x, p)| *x -= u * p);
                }
            }
        }
        let bound = 2.0 * off.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        if !bound.is_finite() {
            return None;
        }
        // Eigenvalues above x are the positive pivots of the matrix less x; the first is none, since x is not negative.
        let above = |x: f64| {
            let (mut count, mut pivot) = (0, -x);
            for b in &off {
                // A pivot of zero counts as not positive, so it must act as a negative one on the next.
                let safe = if pivot == 0.0 { -f64::MIN_POSITIVE } else { pivot };
                pivot = -x - b * b / safe;
                count += usize::from(pivot > 0.0);
            }
            count
        };
        let value = |k: usize| {
            let (mut low, mut high) = (0.0, bound);
            while high - low > f64::EPSILON * high.max(1e-18 * bound) && low < 0.5 * (low + high) {
                let middle = 0.5 * (low + high);
                (low, high) = if above(middle) >= k { (middle, high) } else { (low, middle) };
            }
            0.5 * (low + high)
        };
        Some((value(1), value(rank)))
    }

    /// The shortest x that minimises |A x − b|, singular values below `small` times the greatest left out.
    pub fn pseudo_solve(&self, b: &[f64], small: f64) -> Vec<f64> {
        let (m, n) = (self.rows, self.columns);
        let vectors = self.principal_columns();
        let squares: Vec<f64> = vectors.iter().map(|v| dot(&v[..m], &v[..m])).collect();
        let least = small * small * squares.iter().fold(0.0f64, |a, b| a.max(*b));
        let mut x = vec![0.0; n];
        for (vector, square) in vectors.iter().zip(&squares).filter(|(_, s)| **s > least) {
            let factor = dot(&vector[..m], b) / square;
            for (x, v) in x.iter_mut().zip(&vector[m..]) {
                *x += factor * v;
            }
        }
        x
    }

    /// For each singular value s with its vectors u and v: s u, and v after it.
    pub(crate) fn principal_columns(&self) -> Vec<Vec<f64>> {
        // Columns of A with the unit matrix below: the rotations that make the former orthogonal turn the latter into V.
        let (m, n) = (self.rows, self.columns);
        let mut vectors = vec![vec![0.0; m + n]; n];
        for (c, vector) in vectors.iter_mut().enumerate() {
            for (i, entry) in vector[..m].iter_mut().enumerate() {
                *entry = self.row(i)[c];
            }
            vector[m + c] = 1.0;
        }
        make_orthogonal(&mut vectors, m);
        vectors
    }

    /// x that minimises |A x − b|² + damping |x|², by Cholesky on the normal equations; `None` where they are singular.
    pub fn damped_least_squares(&self, b: &[f64], damping: f64) -> Option<Vec<f64>> {
        let (mut normal, mut x) = self.normal_equations(b);
        for p in 0..self.columns {
            normal.row_mut(p)[p] += damping;
        }
        normal.cholesky_solve(&mut x)?;
        Some(x)
    }

    /// x that minimises |A x − b|²; `None` where that does not determine it.
    pub fn least_squares(&self, b: &[f64]) -> Option<Vec<f64>> {
        self.damped_least_squares(b, 0.0)
    }

    /// AᵀA (its lower triangle) and Aᵀb.
    pub fn normal_equations(&self, b: &[f64]) -> (Matrix, Vec<f64>) {
        let n = self.columns;
        let mut normal = Matrix::zeros(n, n);
        let mut side = vec![0.0; n];
        for i in 0..self.rows {
            let row = self.row(i);
            for (p, a) in row.iter().enumerate().filter(|(_, a)| **a != 0.0) {
                side[p] += a * b[i];
                for (q, c) in row.iter().enumerate().take(p + 1) {
                    normal.entries[p * n + q] += a * c;
                }
            }
        }
        (normal, side)
    }

    /// Turns `x` from the right-hand side into the solution of a symmetric positive system, of which the lower triangle is
    /// read and overwritten by its Cholesky factor; `None` where it is not positive.
    pub fn cholesky_solve(&mut self, x: &mut [f64]) -> Option<()> {
        let n = self.columns;
        for p in 0..n {
            for q in 0..=p {
                let (head, _) = self.entries.split_at(p * n + q);
                let sum: f64 = dot(&head[q * n..q * n + q], &self.entries[p * n..p * n + q]);
                let value = self.entries[p * n + q] - sum;
                self.entries[p * n + q] = if p == q {
                    if !(value > 0.0 && value.is_finite()) {
                        return None;
                    }
                    value.sqrt()
                } else {
                    value / self.entries[q * n + q]
                };
            }
        }
        for p in 0..n {
            let sum = dot(&self.row(p)[..p], &x[..p]);
            x[p] = (x[p] - sum) / self.entries[p * n + p];
        }
        for p in (0..n).rev() {
            let sum: f64 = (p + 1..n).map(|q| self.entries[q * n + p] * x[q]).sum();
            x[p] = (x[p] - sum) / self.entries[p * n + p];
        }
        Some(())
    }
}

/// Factors of a square matrix, with rows exchanged for the sake of large pivots.
#[derive(Debug, Clone)]
pub struct Lu {
    factors: Matrix,
    order: Vec<usize>,
}

impl Matrix {
    /// Factors of a square matrix; `None` where it is singular.
    pub fn lu(mut self) -> Option<Lu> {
        let n = self.columns;
        let mut order: Vec<usize> = (0..n).collect();
        for p in 0..n {
            let best = (p..n).max_by(|a, b| self.row(*a)[p].abs().total_cmp(&self.row(*b)[p].abs()))?;
            if best != p {
                order.swap(p, best);
                (0..n).for_each(|c| self.entries.swap(p * n + c, best * n + c));
            }
            let pivot = self.row(p)[p];
            if !(pivot.abs() > 0.0 && pivot.is_finite()) {
                return None;
            }
            let (head, tail) = self.entries.split_at_mut((p + 1) * n);
            let row = &head[p * n..];
            for target in tail.chunks_exact_mut(n) {
                let factor = target[p] / pivot;
                target[p] = factor;
                if factor != 0.0 {
                    target[p + 1..].iter_mut().zip(&row[p + 1..]).for_each(|(t, r)| *t -= factor * r);
                }
            }
        }
        Some(Lu { factors: self, order })
    }
}

impl Lu {
    /// Turns `x` from the right-hand side into the solution.
    #[inline]
    pub fn solve(&self, x: &mut [f64]) {
        let n = self.order.len();
        let side: Vec<f64> = self.order.iter().map(|k| x[*k]).collect();
        x.copy_from_slice(&side);
        for p in 0..n {
            x[p] -= dot(&self.factors.row(p)[..p], &x[..p]);
        }
        for p in (0..n).rev() {
            let row = self.factors.row(p);
            x[p] = (x[p] - dot(&row[p + 1..], &x[p + 1..])) / row[p];
        }
    }
}

#[inline]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Turns `x` into the unit vector u whose reflection x − 2 (u·x) u leaves only the first component, which is returned.
fn reflector(x: &mut [f64]) -> f64 {
    let norm = dot(x, x).sqrt();
    let Some(first) = x.first_mut().filter(|_| norm > 0.0) else {
        x.fill(0.0);
        return 0.0;
    };
    let left = -norm.copysign(*first);
    *first -= left;
    let length = dot(x, x).sqrt();
    x.iter_mut().for_each(|x| *x /= length);
    left
}

/// Turns vectors in pairs until the first `length` components of all are perpendicular to each other.
fn make_orthogonal(vectors: &mut [Vec<f64>], length: usize) {
    const SWEEPS: usize = 60;
    for _ in 0..SWEEPS {
        let mut turned = false;
        for j in 1..vectors.len() {
            let (head, tail) = vectors.split_at_mut(j);
            for a in head.iter_mut() {
                turned |= orthogonalise(a, &mut tail[0], length);
            }
        }
        if !turned {
            break;
        }
    }
}

/// Turns two vectors in their plane until their first `length` components are perpendicular; false where they are already.
fn orthogonalise(a: &mut [f64], b: &mut [f64], length: usize) -> bool {
    /// Cosine of vectors that are perpendicular but for the rounding of their product.
    const ORTHOGONAL: f64 = 1e-15;
    let (p, q) = (&a[..length], &b[..length]);
    let (aa, bb, ab) = (dot(p, p), dot(q, q), dot(p, q));
    // A product of squares overflows long before the numbers do.
    let lengths = if (aa * bb).is_finite() { (aa * bb).sqrt() } else { aa.sqrt() * bb.sqrt() };
    if ab.abs() <= ORTHOGONAL * lengths || ab == 0.0 {
        return false;
    }
    let tau = (bb - aa) / (2.0 * ab);
    let t = if tau == 0.0 { 1.0 } else { tau.signum() / (tau.abs() + (1.0 + tau * tau).sqrt()) };
    let c = 1.0 / (1.0 + t * t).sqrt();
    let s = c * t;
    for (x, y) in a.iter_mut().zip(b.iter_mut()) {
        (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Roundings of a 3×3 computation.
    const ROUNDING: f64 = 1e-14;

    #[test]
    fn singular_values_of_a_known_matrix() {
        // [[3, 0], [4, 5]]: singular values √45 and √5 (A Aᵀ has trace 50 and determinant 225).
        let a = Matrix { rows: 2, columns: 2, entries: vec![3.0, 0.0, 4.0, 5.0] };
        let s = a.singular_values();
        assert!((s[0] - 45f64.sqrt()).abs() < ROUNDING && (s[1] - 5f64.sqrt()).abs() < ROUNDING);
    }

    #[test]
    fn a_rank_one_matrix_has_one_singular_value() {
        let a = Matrix { rows: 3, columns: 2, entries: vec![1.0, 2.0, 2.0, 4.0, 3.0, 6.0] };
        let s = a.singular_values();
        assert!((s[0] - 70f64.sqrt()).abs() < ROUNDING && s[1] < ROUNDING);
    }

    #[test]
    fn a_pivot_of_exactly_zero_is_counted_right() {
        // Two blocks with singular values 2 and 1: bisection from 4 tries 2 itself, and 1.
        let a = Matrix { rows: 2, columns: 2, entries: vec![2.0, 0.0, 0.0, 1.0] };
        let (first, second) = a.extreme_singular_values(2).unwrap();
        assert!((first - 2.0).abs() < ROUNDING && (second - 1.0).abs() < ROUNDING, "{first} {second}");
        // The greatest lies just above an off-diagonal entry of the reduced matrix, at which a pivot vanishes.
        let a = Matrix { rows: 3, columns: 3, entries: vec![1.0, 0.0, 0.0, 0.0, 2.0, 0.1, 0.0, 0.0, 1.5] };
        let values = a.singular_values();
        assert!((a.extreme_singular_values(3).unwrap().0 - values[0]).abs() < ROUNDING);
    }

    #[test]
    fn extreme_singular_values_are_those_of_the_rotations() {
        // Entries without structure, two columns that depend on the others; 9 rows and 7 columns, and turned over.
        let value = |i: usize, j: usize| ((3 * i * i + 7 * j + i * j) as f64).sin();
        let mut a = Matrix::zeros(9, 7);
        for i in 0..9 {
            for j in 0..5 {
                a.row_mut(i)[j] = value(i, j);
            }
            a.row_mut(i)[5] = value(i, 0) - 2.0 * value(i, 1);
            a.row_mut(i)[6] = value(i, 2) + value(i, 4);
        }
        let mut turned = Matrix::zeros(7, 9);
        for i in 0..9 {
            for j in 0..7 {
                turned.row_mut(j)[i] = a.row(i)[j];
            }
        }
        let all = a.singular_values();
        for matrix in [&a, &turned] {
            let (first, fifth) = matrix.extreme_singular_values(5).unwrap();
            assert!((first - all[0]).abs() < 10.0 * ROUNDING && (fifth - all[4]).abs() < 10.0 * ROUNDING);
            let (_, sixth) = matrix.extreme_singular_values(6).unwrap();
            assert!(sixth < 10.0 * ROUNDING);
        }
    }

    /// U Σ V with reflections U and V: a full matrix whose singular values are known.
    fn with_singular_values(rows: usize, columns: usize, values: &[f64]) -> Matrix {
        let mut random = Random((rows * 31 + columns) as u64);
        let mut reflection = |n: usize| {
            let u: Vec<f64> = (0..n).map(|_| random.signed() + 0.2).collect();
            let square = dot(&u, &u);
            move |i: usize, j: usize| f64::from(u8::from(i == j)) - 2.0 * u[i] * u[j] / square
        };
        let (left, right) = (reflection(rows), reflection(columns));
        let entry = |i: usize, j: usize| (0..values.len()).map(|k| left(i, k) * values[k] * right(k, j)).sum();
        Matrix { rows, columns, entries: (0..rows * columns).map(|k| entry(k / columns, k % columns)).collect() }
    }

    #[test]
    fn singular_values_are_those_a_matrix_was_made_with() {
        let values = [7.0, 4.0, 2.5, 0.8, 0.03];
        // Also far from one: the greatest value is the only measure there is.
        for unit in [1.0, 1e-6, 1e6] {
            let values = values.map(|s| s * unit);
            let off = |a: f64, b: f64| (a - b).abs() / values[0];
            for (rows, columns) in [(5, 5), (8, 5), (5, 9), (6, 6)] {
                let a = with_singular_values(rows, columns, &values);
                let found = a.singular_values();
                assert_eq!(found.len(), rows.min(columns));
                for (k, found) in found.iter().enumerate() {
                    let expected = values.get(k).copied().unwrap_or(0.0);
                    assert!(off(*found, expected) < ROUNDING, "{found} for {expected}");
                    let (first, this) = a.extreme_singular_values(k + 1).unwrap();
                    assert!(off(first, values[0]) < ROUNDING && off(this, expected) < ROUNDING, "{first} {this}");
                }
            }
        }
    }

    #[test]
    fn singular_values_where_there_is_nothing_to_find() {
        let a = with_singular_values(3, 4, &[2.0, 1.0, 0.5]);
        assert_eq!(a.extreme_singular_values(0), None);
        assert_eq!(a.extreme_singular_values(4), None);
        assert_eq!(Matrix::zeros(3, 2).extreme_singular_values(2), Some((0.0, 0.0)));
        assert_eq!(Matrix::zeros(3, 2).singular_values(), [0.0, 0.0]);
        let bad = Matrix { rows: 1, columns: 2, entries: vec![f64::INFINITY, 1.0] };
        assert_eq!(bad.extreme_singular_values(1), None);
    }

    #[test]
    fn small_singular_values_come_out_to_their_own_digits() {
        // Columns of very different lengths, nearly perpendicular: A = B D has the singular values of D to first order, and the
        // product of all is the determinant, 1e-12 · det B exactly.
        let a = Matrix { rows: 2, columns: 2, entries: vec![1.0, 1e-12, 0.5, 3e-12] };
        let s = a.singular_values();
        assert!((s[0] * s[1] - 2.5e-12).abs() < ROUNDING * 2.5e-12, "{s:?}");
    }

    #[test]
    fn the_pseudo_inverse_gives_the_shortest_solution() {
        // x + y = 2 twice (a redundant row): the shortest solution is (1, 1, 0), with nothing in the column of zeros.
        let a = Matrix { rows: 2, columns: 3, entries: vec![1.0, 1.0, 0.0, 2.0, 2.0, 0.0] };
        let x = a.pseudo_solve(&[2.0, 4.0], 1e-9);
        assert!((x[0] - 1.0).abs() < ROUNDING && (x[1] - 1.0).abs() < ROUNDING && x[2].abs() < ROUNDING);
    }

    #[test]
    fn the_pseudo_inverse_leaves_out_what_is_small_beside_the_greatest() {
        // 100 x = 100, 0.1 y = 0.1: the second singular value is a thousandth of the first.
        let a = Matrix { rows: 2, columns: 2, entries: vec![100.0, 0.0, 0.0, 0.1] };
        for (small, y) in [(0.9e-3, 1.0), (1.1e-3, 0.0)] {
            let x = a.pseudo_solve(&[100.0, 0.1], small);
            assert!((x[0] - 1.0).abs() < ROUNDING && (x[1] - y).abs() < ROUNDING, "{small}: {x:?}");
        }
        // Of a full matrix: A⁺ A is the projection on its row space, whose trace is the rank, and A A⁺ A = A.
        let a = with_singular_values(4, 6, &[3.0, 1.0, 0.2]);
        for c in 0..6 {
            let column: Vec<f64> = (0..4).map(|i| a.row(i)[c]).collect();
            let x = a.pseudo_solve(&column, 1e-6);
            for i in 0..4 {
                assert!((dot(a.row(i), &x) - column[i]).abs() < 10.0 * ROUNDING);
            }
        }
        let column = |c: usize| a.pseudo_solve(&(0..4).map(|i| a.row(i)[c]).collect::<Vec<f64>>(), 1e-6);
        let trace: f64 = (0..6).map(|c| column(c)[c]).sum();
        assert!((trace - 3.0).abs() < 100.0 * ROUNDING, "{trace}");
    }

    #[test]
    fn factors_solve_their_equation() {
        // A zero on the diagonal asks for an exchange of rows.
        let a = Matrix { rows: 3, columns: 3, entries: vec![0.0, 2.0, 1.0, 1.0, 1.0, 0.0, 2.0, 0.0, 3.0] };
        let mut x = [7.0, 3.0, 11.0];
        a.lu().unwrap().solve(&mut x);
        assert!(x.iter().zip([1.0, 2.0, 3.0]).all(|(x, e)| (x - e).abs() < ROUNDING), "{x:?}");
        // A pivot of 1e-18 would leave nothing of the solution (1, 1).
        let mut x = [1.0, 2.0];
        Matrix { rows: 2, columns: 2, entries: vec![1e-18, 1.0, 1.0, 1.0] }.lu().unwrap().solve(&mut x);
        assert!(x.iter().all(|x| (x - 1.0).abs() < ROUNDING), "{x:?}");
        for singular in [[1.0, 2.0, 2.0, 4.0], [0.0; 4], [f64::INFINITY, 1.0, 1.0, 1.0], [f64::NAN, 1.0, 1.0, 1.0]] {
            assert!(Matrix { rows: 2, columns: 2, entries: singular.to_vec() }.lu().is_none());
        }
    }

    #[test]
    fn larger_systems_are_solved_by_all_means_alike() {
        // Condition 20: a few tens of roundings.
        let n = 7;
        let a = with_singular_values(n, n, &[2.0, 1.7, 1.1, 0.9, 0.4, 0.2, 0.1]);
        let exact: Vec<f64> = (0..n).map(|k| (k as f64 + 1.0).sin()).collect();
        let b: Vec<f64> = (0..n).map(|i| dot(a.row(i), &exact)).collect();
        let close = |x: &[f64]| x.iter().zip(&exact).all(|(x, e)| (x - e).abs() < 1e-12);
        let mut x = b.clone();
        a.clone().lu().unwrap().solve(&mut x);
        assert!(close(&x) && close(&a.pseudo_solve(&b, 1e-9)) && close(&a.least_squares(&b).unwrap()));
    }

    #[test]
    fn least_squares_fits_a_line() {
        // y = 1 + 2 x through (0, 1), (1, 3), (2, 5).
        let a = Matrix { rows: 3, columns: 2, entries: vec![1.0, 0.0, 1.0, 1.0, 1.0, 2.0] };
        for x in [a.damped_least_squares(&[1.0, 3.0, 5.0], 0.0).unwrap(), a.least_squares(&[1.0, 3.0, 5.0]).unwrap()] {
            assert!((x[0] - 1.0).abs() < ROUNDING && (x[1] - 2.0).abs() < ROUNDING);
        }
        let (normal, side) = a.normal_equations(&[1.0, 3.0, 5.0]);
        assert_eq!((normal.row(0)[0], normal.row(1), side), (3.0, [3.0, 5.0].as_slice(), vec![9.0, 13.0]));
        // Two equal columns do not determine their factors, unless damping prefers short ones: 4 (x + y) = 8 − d x.
        let twice = Matrix { rows: 4, columns: 2, entries: vec![1.0; 8] };
        assert_eq!(twice.least_squares(&[2.0; 4]), None);
        let x = twice.damped_least_squares(&[2.0; 4], 0.5).unwrap();
        assert!(x.iter().all(|x| (x - 8.0 / 8.5).abs() < ROUNDING), "{x:?}");
    }

    #[test]
    fn matrices_that_are_not_positive_are_refused() {
        for entries in [[1.0, 0.0, 2.0, 1.0], [-1.0, 0.0, 0.0, 1.0], [f64::INFINITY, 0.0, 0.0, 1.0]] {
            let mut a = Matrix { rows: 2, columns: 2, entries: entries.to_vec() };
            assert_eq!(a.cholesky_solve(&mut [1.0, 1.0]), None);
        }
    }
}
