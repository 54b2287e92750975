//! Sparse rank-revealing elimination for constraint Jacobians.
//!
//! Jacobians of mechanisms are small and sparse or large and very sparse, often have redundant rows, and keep their pattern
//! while the numbers change. [`Elimination::analyse`] chooses pivots once, by Markowitz's rule among the entries that are
//! large enough in their row, and so finds the rank, an independent set of rows and the pattern of the factors.
//! [`Elimination::refactor`] then redoes only the arithmetic for new numbers, without allocating. A pivot that has become
//! small compared with its row is reported, and the caller analyses anew.

mod choice;
mod straight;
#[path = "sparse_transposed.rs"]
mod transposed;

use super::Elementary;
pub(crate) use choice::Waiting;
use choice::{largest, merge, ShortColumns};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
pub use straight::{Factors, Straight};
pub use transposed::SparseTransposed;

/// Pattern of a sparse matrix by rows.
#[derive(Debug, Clone, Default)]
pub struct Pattern {
    /// Number of columns.
    pub columns: usize,
    /// Where each row starts in `index`; one entry more than there are rows.
    pub starts: Vec<usize>,
    /// Column of each entry, ascending within a row.
    pub index: Vec<usize>,
}

impl Pattern {
    /// A pattern with no rows.
    pub fn new(columns: usize) -> Pattern {
        Pattern { columns, starts: vec![0], index: Vec::new() }
    }

    /// Appends a row with these columns (ascending).
    pub fn push_row(&mut self, columns: &[usize]) {
        self.index.extend_from_slice(columns);
        self.starts.push(self.index.len());
    }

    /// The pattern of the first rows alone.
    pub fn first(&self, rows: usize) -> Pattern {
        let starts = self.starts[..=rows].to_vec();
        Pattern { columns: self.columns, index: self.index[..self.starts[rows]].to_vec(), starts }
    }

    /// Number of rows.
    #[inline]
    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// Range of row `i`'s entries.
    #[inline]
    pub fn range(&self, i: usize) -> std::ops::Range<usize> {
        self.starts[i]..self.starts[i + 1]
    }

    /// y = A x.
    #[inline]
    pub fn multiply(&self, values: &[f64], x: &[f64], y: &mut [f64]) {
        for (i, y) in y.iter_mut().enumerate() {
            *y = self.range(i).map(|k| values[k] * x[self.index[k]]).sum();
        }
    }
}

/// Row-wise LU factors of the independent rows, with everything needed to redo them for new numbers.
#[derive(Debug, Clone)]
pub struct Elimination {
    columns: usize,
    /// Pivot rows in order of elimination.
    pivot_rows: Vec<usize>,
    /// Pivot column of each pivot row.
    pivot_columns: Vec<usize>,
    /// Rows found to depend on the pivot rows, ascending.
    dependent_rows: Vec<usize>,
    /// Columns without pivot, ascending.
    free_columns: Vec<usize>,
    /// L by rows: pivot numbers j < k that row k needs, and the multipliers.
    l_starts: Vec<usize>,
    l_index: Vec<usize>,
    l_values: Vec<f64>,
    /// U by rows: columns other than the pivot's, and the values.
    u_starts: Vec<usize>,
    u_index: Vec<usize>,
    u_values: Vec<f64>,
    inverse_pivots: Vec<f64>,
    /// Sizes of the pivots for the numbers they were chosen for; empty until then.
    chosen_pivots: Vec<f64>,
    work: Vec<f64>,
}

/// A pivot too small for its row: the order of elimination no longer suits the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SmallPivot;

/// Entries at least this fraction of the largest in their row may become pivots.
const THRESHOLD: f64 = 0.1;
/// A row that elimination has left with less than this fraction of itself is used only where no better one remains.
const WEAK: f64 = 0.1;
/// The same where independence matters more than sparsity.
const CAREFULLY_WEAK: f64 = 0.5;
/// Rows beyond which sparsity counts among weak ones.
const MANY: usize = 1000;
/// A reused pivot below this fraction of the largest entry in its row asks for a new analysis.
const REUSE_THRESHOLD: f64 = 1e-4;
/// So does one that has fallen below this fraction of what it was when it was chosen: other rows may serve better by now.
const SHRUNK: f64 = 0.1;

impl Elimination {
    /// Chooses pivots for these numbers. A row whose entries all fall below `tolerance` times its largest original entry
    /// counts as dependent, as do the rows in `skip` (ascending).
    pub fn analyse(pattern: &Pattern, values: &[f64], tolerance: f64, skip: &[usize]) -> Elimination {
        Elimination::analyse_weighted(pattern, values, &[], tolerance, skip)
    }

    /// The same where the size of each row's terms before they were added up is known: a row whose terms cancel holds
    /// nothing but rounding, and that is not to be taken for an equation. Rows without a weight are judged by their entries.
    pub fn analyse_weighted(
        pattern: &Pattern,
        values: &[f64],
        weights: &[f64],
        tolerance: f64,
        skip: &[usize],
    ) -> Elimination {
        Elimination::choose(pattern, values, weights, tolerance, skip, WEAK)
    }

    /// The same with the most independent rows preferred to the shortest: for redundant rows of which the usual choice comes
    /// out nearly dependent.
    pub fn analyse_carefully(pattern: &Pattern, values: &[f64], weights: &[f64], tolerance: f64) -> Elimination {
        Elimination::choose(pattern, values, weights, tolerance, &[], CAREFULLY_WEAK)
    }

    // Long: one pivot of Markowitz and its exceptions, which share what has been looked at.
    fn choose(
        pattern: &Pattern,
        values: &[f64],
        weights: &[f64],
        tolerance: f64,
        skip: &[usize],
        weakness: f64,
    ) -> Elimination {
        let rows = pattern.rows();
        let mut active: Vec<Vec<(usize, f64)>> =
            (0..rows).map(|i| pattern.range(i).map(|k| (pattern.index[k], values[k])).collect()).collect();
        let weight = |i: usize| weights.get(i).copied().unwrap_or(0.0);
        let scale: Vec<f64> = active.iter().enumerate().map(|(i, row)| largest(row).max(weight(i))).collect();
        let mut counts = vec![0; pattern.columns];
        pattern.index.iter().for_each(|c| counts[*c] += 1);
        let mut in_column: Vec<Vec<usize>> = counts.into_iter().map(Vec::with_capacity).collect();
        for (i, row) in active.iter().enumerate() {
            for (c, _) in row {
                in_column[*c].push(i);
            }
        }
        // Rows wait by their number of entries; the shortest is eliminated next, unless a column with one or two entries
        // costs less. At the open end of a chain that keeps the factors as sparse as the rows.
        let mut queue = Waiting::new(rows);
        for (i, row) in active.iter_mut().enumerate() {
            if skip.binary_search(&i).is_ok() {
                for (c, _) in row.drain(..) {
                    in_column[c].retain(|r| *r != i);
                }
            }
            queue.put(i, row.len());
        }
        let mut short = ShortColumns::new(&in_column);
        let mut pivot_rows = Vec::new();
        let mut pivot_columns = Vec::new();
        let mut dependent_rows = Vec::new();
        let mut merged = Vec::new();
        // Rows with little left wait until no better ones remain; then those with most come first. Where they may be many, the
        // shortest of those with about as much: in any other order a long chain would fill in.
        let level = |row: &[(usize, f64)], i: usize| {
            let share = largest(row) / scale[i];
            let level = if rows > MANY { -share.logarithm10() as i64 } else { -(share.to_bits() as i64) };
            (level, row.len(), i)
        };
        let mut weak = std::collections::BTreeSet::new();
        let mut is_weak = vec![false; rows];
        loop {
            let strong = |r: usize| !is_weak[r] && largest(&active[r]) >= weakness * scale[r];
            let single = short.single(&in_column, &active, strong);
            let next = if single.is_none() { queue.first() } else { None };
            let (i, chosen) = match (single, next) {
                (Some((i, column)), _) => (i, Some(column)),
                (None, Some((length, i))) => {
                    let least = |(c, _): &(usize, f64)| in_column[*c].len() - 1;
                    let cost = (length.max(1) - 1) * active[i].iter().map(least).min().unwrap_or(0);
                    short.double(&in_column, &active, strong, cost).map_or((i, None), |(i, c)| (i, Some(c)))
                }
                (None, None) => match weak.pop_first() {
                    Some((_, _, i)) => (i, None),
                    None => break,
                },
            };
            queue.take(i);
            let big = largest(&active[i]);
            if big.is_nan() || big <= tolerance * scale[i] {
                for (c, _) in &active[i] {
                    in_column[*c].retain(|r| *r != i);
                    short.note(*c, in_column[*c].len());
                }
                dependent_rows.push(i);
                continue;
            }
            if big < weakness * scale[i] && !is_weak[i] {
                is_weak[i] = true;
                weak.insert(level(&active[i], i));
                continue;
            }
            let row = std::mem::take(&mut active[i]);
            let cheapest = |row: &[(usize, f64)]| {
                let large = row.iter().filter(|(_, a)| a.abs() >= THRESHOLD * big);
                let least = large.min_by(|(c, a), (d, b)| {
                    (in_column[*c].len(), -a.abs(), *c)
                        .partial_cmp(&(in_column[*d].len(), -b.abs(), *d))
                        .unwrap_or(std::cmp::Ordering::Equal)
                });
                least.copied().unwrap_or(row[0])
            };
            let at = |column: usize| row.binary_search_by_key(&column, |e| e.0).map(|k| row[k]);
            let (column, pivot) = chosen.and_then(|column| at(column).ok()).unwrap_or_else(|| cheapest(&row));
            for (c, _) in &row {
                in_column[*c].retain(|r| *r != i);
                short.note(*c, in_column[*c].len());
            }
            for r in std::mem::take(&mut in_column[column]) {
                if is_weak[r] {
                    weak.remove(&level(&active[r], r));
                }
                let factor = active[r].iter().find(|e| e.0 == column).map_or(0.0, |e| e.1) / pivot;
                merged.clear();
                merge(&active[r], &row, column, factor, &mut merged, |c| in_column[c].push(r));
                std::mem::swap(&mut active[r], &mut merged);
                if is_weak[r] {
                    weak.insert(level(&active[r], r));
                } else {
                    queue.put(r, active[r].len());
                }
            }
            pivot_rows.push(i);
            pivot_columns.push(column);
        }
        dependent_rows.sort_unstable();
        Elimination::symbolic(pattern, pivot_rows, pivot_columns, dependent_rows)
    }

    /// The factors' pattern for a given order of pivots.
    fn symbolic(
        pattern: &Pattern,
        pivot_rows: Vec<usize>,
        pivot_columns: Vec<usize>,
        dependent_rows: Vec<usize>,
    ) -> Elimination {
        let rank = pivot_rows.len();
        const NONE: usize = usize::MAX;
        let mut pivot_of_column = vec![NONE; pattern.columns];
        for (k, c) in pivot_columns.iter().enumerate() {
            pivot_of_column[*c] = k;
        }
        let (mut l_starts, mut l_index) = (vec![0], Vec::new());
        let (mut u_starts, mut u_index) = (vec![0], Vec::<usize>::new());
        let mut seen = vec![NONE; pattern.columns];
        // Rows of U reached through earlier pivots, lowest first, fill in row k.
        let mut pending = BinaryHeap::new();
        for k in 0..rank {
            let own = u_index.len();
            let mut visit = |c: usize, pending: &mut BinaryHeap<Reverse<usize>>, u_index: &mut Vec<usize>| {
                if seen[c] == k {
                    return;
                }
                seen[c] = k;
                if pivot_of_column[c] < k {
                    pending.push(Reverse(pivot_of_column[c]));
                } else if c != pivot_columns[k] {
                    u_index.push(c);
                }
            };
            for e in pattern.range(pivot_rows[k]) {
                visit(pattern.index[e], &mut pending, &mut u_index);
            }
            while let Some(Reverse(j)) = pending.pop() {
                l_index.push(j);
                for e in u_starts[j]..u_starts[j + 1] {
                    visit(u_index[e], &mut pending, &mut u_index);
                }
            }
            u_index[own..].sort_unstable();
            l_starts.push(l_index.len());
            u_starts.push(u_index.len());
        }
        let free_columns = (0..pattern.columns).filter(|c| pivot_of_column[*c] == NONE).collect();
        Elimination {
            columns: pattern.columns,
            l_values: vec![0.0; l_index.len()],
            u_values: vec![0.0; u_index.len()],
            inverse_pivots: vec![0.0; rank],
            chosen_pivots: Vec::new(),
            work: vec![0.0; pattern.columns],
            pivot_rows,
            pivot_columns,
            dependent_rows,
            free_columns,
            l_starts,
            l_index,
            u_starts,
            u_index,
        }
    }

    /// Number of independent rows.
    #[inline]
    pub fn rank(&self) -> usize {
        self.pivot_rows.len()
    }

    /// Number of entries of the factors, pivots included: the work of a solve.
    #[inline]
    pub fn entries(&self) -> usize {
        self.pivot_rows.len() + self.l_index.len() + self.u_index.len()
    }

    /// Rows that depend on the others.
    #[inline]
    pub fn dependent_rows(&self) -> &[usize] {
        &self.dependent_rows
    }

    /// Columns left free.
    #[inline]
    pub fn free_columns(&self) -> &[usize] {
        &self.free_columns
    }

    /// Sizes of the pivots for the numbers they were chosen for.
    #[inline]
    pub fn chosen_pivots(&self) -> &[f64] {
        &self.chosen_pivots
    }

    /// Redoes the arithmetic for new numbers of the same pattern.
    ///
    /// On [`SmallPivot`] the factors are complete all the same (unless a pivot is exactly zero), but not to be trusted.
    pub fn refactor(&mut self, pattern: &Pattern, values: &[f64]) -> Result<(), SmallPivot> {
        let mut sound = true;
        let work = &mut self.work[..];
        for k in 0..self.pivot_rows.len() {
            let (l, u) = (self.l_starts[k]..self.l_starts[k + 1], self.u_starts[k]..self.u_starts[k + 1]);
            // `work` is zero here, and is left so: numbers are taken out of it.
            for e in pattern.range(self.pivot_rows[k]) {
                work[pattern.index[e]] = values[e];
            }
            for (j, l) in self.l_index[l.clone()].iter().zip(&mut self.l_values[l]) {
                let multiplier = std::mem::take(&mut work[self.pivot_columns[*j]]) * self.inverse_pivots[*j];
                *l = multiplier;
                if multiplier != 0.0 {
                    let range = self.u_starts[*j]..self.u_starts[j + 1];
                    for (c, a) in self.u_index[range.clone()].iter().zip(&self.u_values[range]) {
                        work[*c] -= multiplier * a;
                    }
                }
            }
            let pivot = std::mem::take(&mut work[self.pivot_columns[k]]);
            let mut big = 0.0f64;
            for (c, u) in self.u_index[u.clone()].iter().zip(&mut self.u_values[u]) {
                let a = std::mem::take(&mut work[*c]);
                *u = a;
                big = big.max(a.abs());
            }
            let chosen = self.chosen_pivots.get(k).copied().unwrap_or(0.0);
            sound &= pivot.abs() > (REUSE_THRESHOLD * big).max(SHRUNK * chosen) && pivot.is_finite();
            self.inverse_pivots[k] = if pivot != 0.0 { 1.0 / pivot } else { 0.0 };
        }
        if self.chosen_pivots.is_empty() {
            self.chosen_pivots =
                self.inverse_pivots.iter().map(|p| if *p == 0.0 { 0.0 } else { p.abs().recip() }).collect();
        }
        if sound {
            Ok(())
        } else {
            Err(SmallPivot)
        }
    }

    /// x with A x = b on the independent rows and zero in the free columns.
    pub fn solve(&self, b: &[f64], x: &mut [f64], y: &mut [f64]) {
        let rank = self.rank();
        for k in 0..rank {
            let range = self.l_starts[k]..self.l_starts[k + 1];
            let sum: f64 = self.l_index[range.clone()].iter().zip(&self.l_values[range]).map(|(j, l)| l * y[*j]).sum();
            y[k] = b[self.pivot_rows[k]] - sum;
        }
        for c in &self.free_columns {
            x[*c] = 0.0;
        }
        self.back_substitute(x, y);
    }

    /// Completes x, whose free columns are set, to a vector of the null space.
    #[inline]
    pub fn complete(&self, x: &mut [f64]) {
        self.back_substitute(x, &vec![0.0; self.rank()]);
    }

    /// Completes x, whose free columns are set, from U x = y.
    #[inline]
    fn back_substitute(&self, x: &mut [f64], y: &[f64]) {
        for k in (0..self.rank()).rev() {
            let range = self.u_starts[k]..self.u_starts[k + 1];
            let sum: f64 = self.u_index[range.clone()].iter().zip(&self.u_values[range]).map(|(c, u)| u * x[*c]).sum();
            x[self.pivot_columns[k]] = (y[k] - sum) * self.inverse_pivots[k];
        }
    }

    /// λ (one per row, zero for dependent rows) with Aᵀ λ = f; exact where f lies in the row space.
    pub fn solve_transposed(&self, f: &[f64], lambda: &mut [f64], work: &mut [f64]) {
        // Uᵀ z = f forwards, Lᵀ λ = z backwards; z_k takes the place of f in the pivot column of row k.
        let rank = self.rank();
        work[..self.columns].copy_from_slice(&f[..self.columns]);
        lambda.fill(0.0);
        for k in 0..rank {
            let z = work[self.pivot_columns[k]] * self.inverse_pivots[k];
            work[self.pivot_columns[k]] = z;
            if z == 0.0 {
                continue;
            }
            for e in self.u_starts[k]..self.u_starts[k + 1] {
                work[self.u_index[e]] -= self.u_values[e] * z;
            }
        }
        for k in (0..rank).rev() {
            let z = work[self.pivot_columns[k]];
            if z == 0.0 {
                continue;
            }
            for e in self.l_starts[k]..self.l_starts[k + 1] {
                work[self.pivot_columns[self.l_index[e]]] -= self.l_values[e] * z;
            }
        }
        for (row, column) in self.pivot_rows.iter().zip(&self.pivot_columns) {
            lambda[*row] = work[*column];
        }
    }

    /// One vector of the null space for each free column: that column 1, the other free ones 0.
    pub fn null_space(&self) -> Vec<Vec<f64>> {
        let y = vec![0.0; self.rank()];
        let vector = |free: &usize| {
            let mut x = vec![0.0; self.columns];
            x[*free] = 1.0;
            self.back_substitute(&mut x, &y);
            x
        };
        self.free_columns.iter().map(vector).collect()
    }

    /// The smallest pivot as last factored, against the largest entry of its row before elimination (or a tenth of the row's
    /// weight, where all its entries vanish together): how near the rows are to being dependent.
    pub fn weakest(&self, pattern: &Pattern, values: &[f64], weights: &[f64]) -> f64 {
        // The largest reciprocal: 1/x falls as x grows, so the smallest strength has the same bits.
        let mut weakest = 0.0f64;
        for (row, inverse) in self.pivot_rows.iter().zip(&self.inverse_pivots) {
            let mut scale = 0.1 * weights.get(*row).copied().unwrap_or(0.0);
            for a in &values[pattern.range(*row)] {
                if a.abs() > scale {
                    scale = a.abs();
                }
            }
            if *inverse == 0.0 {
                return 0.0;
            }
            weakest = weakest.max(inverse.abs() * scale);
        }
        1.0 / weakest
    }

    /// Sign of the product of pivots (+1, −1; 0 where one is zero): up to a constant of this elimination, the sign of the
    /// determinant of the independent rows and pivot columns.
    pub fn sign(&self) -> i8 {
        self.inverse_pivots.iter().fold(1, |sign, p| match *p {
            p if p > 0.0 => sign,
            p if p < 0.0 => -sign,
            _ => 0,
        })
    }
}

#[cfg(test)]
#[path = "sparse_tests.rs"]
mod tests;
