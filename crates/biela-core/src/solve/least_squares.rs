//! Damped least squares on constraint rows: steps of the Levenberg-Marquardt iterations by which mechanisms are assembled.

use crate::math::dense::Matrix;
use crate::math::ldl::Ldl;
use crate::math::sparse::Pattern;

/// Beyond this many velocities the normal equations are solved sparsely.
const DENSE_LIMIT: usize = 40;

/// Damped least squares on the first rows of a sparse matrix, dense for small systems and sparse for large ones.
pub(super) struct LeastSquares {
    rows: usize,
    columns: usize,
    sparse: Option<Augmented>,
}

/// The normal equations AᵀA x + μ x = Aᵀb as [I A; Aᵀ −μ] [y; x] = [b; 0], whose factors stay as long as a chain of loops is. Where
/// few rows are long, as [μ Aᵀ; A −I] [x; −y] = [0; b], whose unknowns are eliminated first.
struct Augmented {
    ldl: Ldl,
    rows_first: bool,
    /// Where the entries of A lie, in their order.
    places: Vec<usize>,
    damping: Vec<usize>,
    side: Vec<f64>,
    x: Vec<f64>,
    y: Vec<f64>,
}

impl Augmented {
    fn new(pattern: &Pattern, rows: usize) -> Augmented {
        let (columns, size) = (pattern.columns, rows + pattern.columns);
        // What elimination ties together: all unknowns of a row, or all rows of an unknown.
        let mut of_column = vec![0usize; columns];
        let of_row = |i: usize| pattern.range(i).len().pow(2);
        (0..rows).flat_map(|i| pattern.range(i)).for_each(|k| of_column[pattern.index[k]] += 1);
        let rows_first = (0..rows).map(of_row).sum::<usize>() <= 10 * of_column.iter().map(|n| n * n).sum::<usize>();
        let (row, column, first) = if rows_first { (0, rows, rows) } else { (columns, 0, columns) };
        let entries = || (0..rows).flat_map(|i| pattern.range(i).map(move |k| (row + i, column + pattern.index[k])));
        let mut ldl = Ldl::new(size, first, entries());
        let places = entries().map(|(i, c)| ldl.entry(i, c)).collect();
        let damping = (0..columns).map(|c| ldl.entry(column + c, column + c)).collect();
        for i in row..row + rows {
            let place = ldl.entry(i, i);
            ldl.entries[place] = if rows_first { 1.0 } else { -1.0 };
        }
        Augmented { ldl, rows_first, places, damping, side: vec![0.0; size], x: vec![0.0; size], y: vec![0.0; size] }
    }

    fn solve(&mut self, entries: &[f64], side: &[f64], damping: f64) -> Option<Vec<f64>> {
        /// Least damping that stands clear of rounding where it is what is divided by.
        const CLEAR: f64 = 1e-10;
        for (place, entry) in self.places.iter().zip(entries) {
            self.ldl.entries[*place] = *entry;
        }
        let damping = if self.rows_first { -damping } else { damping.max(CLEAR) };
        self.damping.iter().for_each(|place| self.ldl.entries[*place] = damping);
        if !self.ldl.factor(0.0) {
            return None;
        }
        let (rows, columns) = (side.len(), self.damping.len());
        let (row, column) = if self.rows_first { (0, rows) } else { (columns, 0) };
        self.side[row..row + rows].copy_from_slice(side);
        self.ldl.solve(&self.side, &mut self.x, &mut self.y);
        let x = &self.x[column..column + columns];
        x.iter().all(|x| x.is_finite()).then(|| x.to_vec())
    }
}

impl LeastSquares {
    /// For the first rows of matrices of this pattern.
    pub(super) fn new(pattern: &Pattern, rows: usize) -> LeastSquares {
        let columns = pattern.columns;
        let sparse = (columns > DENSE_LIMIT).then(|| Augmented::new(pattern, rows));
        LeastSquares { rows, columns, sparse }
    }

    /// x that minimises |A x − side|² + damping |x|² for the entries of A in its pattern.
    pub(super) fn solve(&mut self, of: &Pattern, entries: &[f64], side: &[f64], damping: f64) -> Option<Vec<f64>> {
        if let Some(sparse) = &mut self.sparse {
            return sparse.solve(entries, side, damping);
        }
        let mut matrix = Matrix::zeros(self.rows, self.columns);
        for i in 0..self.rows {
            for k in of.range(i) {
                matrix.row_mut(i)[of.index[k]] = entries[k];
            }
        }
        matrix.damped_least_squares(side, damping)
    }
}
