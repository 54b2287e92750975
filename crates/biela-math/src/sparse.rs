//! Sparse rank-revealing elimination for constraint Jacobians.
//!
//! Jacobians of mechanisms are small and sparse or large and very sparse, often have redundant rows, and keep their pattern
//! while the numbers change. [`Elimination::analyse`] chooses pivots once, by Markowitz's rule among the entries that are
//! large enough in their row, and so finds the rank, an independent set of rows and the pattern of the factors.
//! [`Elimination::refactor`] then redoes only the arithmetic for new numbers, without allocating. A pivot that has become
//! small compared with its row is reported, and the caller analyses anew.

mod choice;
mod factors;
mod making;
#[path = "sparse_transposed.rs"]
mod transposed;
mod waiting;

use super::Elementary;
use choice::{entry_at, largest, merge, Entry, Lists, ShortColumns};
pub use factors::{Factors, Order};
use making::Making;
use std::borrow::Cow;
pub use transposed::SparseTransposed;
pub(crate) use waiting::Waiting;

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

    /// The same, where it is all of them without a copy.
    pub fn up_to(&self, rows: usize) -> Cow<'_, Pattern> {
        match rows == self.rows() {
            true => Cow::Borrowed(self),
            false => Cow::Owned(self.first(rows)),
        }
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
    order: Order,
    factors: Factors<f64>,
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
        let entries = pattern.index.iter().zip(values).map(|(c, a)| (*c as u32, *a)).collect();
        let mut active = Lists::new((0..rows).map(|i| pattern.range(i).len()), entries);
        let weight = |i: usize| weights.get(i).copied().unwrap_or(0.0);
        let scale: Vec<f64> = (0..rows).map(|i| largest(active.of(i)).max(weight(i))).collect();
        let mut counts = vec![0; pattern.columns];
        pattern.index.iter().for_each(|c| counts[*c] += 1);
        let mut in_column = Lists::with_room(counts.into_iter(), 0u32);
        // Rows wait by their number of entries; the shortest is eliminated next, unless a column with one or two entries
        // costs less. At the open end of a chain that keeps the factors as sparse as the rows.
        let mut queue = Waiting::new(rows);
        for i in 0..rows {
            if skip.binary_search(&i).is_ok() {
                active.clear(i);
            }
            active.of(i).iter().for_each(|(c, _)| in_column.push(*c as usize, i as u32));
            queue.put(i, active.len(i));
        }
        let mut short = ShortColumns::new(&in_column);
        let mut made = Making::new(pattern.columns, rows);
        let mut merged = Vec::new();
        let mut row = Vec::new();
        let mut holders = Vec::new();
        // Rows with little left wait until no better ones remain; then those with most come first. Where they may be many, the
        // shortest of those with about as much: in any other order a long chain would fill in.
        let level = |row: &[Entry], i: usize| {
            let share = largest(row) / scale[i];
            let level = if rows > MANY { -share.logarithm10() as i64 } else { -(share.to_bits() as i64) };
            (level, row.len(), i)
        };
        let mut weak = std::collections::BTreeSet::new();
        let mut is_weak = vec![false; rows];
        loop {
            let strong = |r: usize| !is_weak[r] && largest(active.of(r)) >= weakness * scale[r];
            let single = short.single(&in_column, &active, strong);
            let next = if single.is_none() { queue.first() } else { None };
            let (i, chosen) = match (single, next) {
                (Some((i, column)), _) => (i, Some(column)),
                (None, Some((length, i))) => {
                    let least = |(c, _): &Entry| in_column.len(*c as usize) - 1;
                    let cost = (length.max(1) - 1) * active.of(i).iter().map(least).min().unwrap_or(0);
                    short.double(&in_column, &active, strong, cost).map_or((i, None), |(i, c)| (i, Some(c)))
                }
                (None, None) => match weak.pop_first() {
                    Some((_, _, i)) => (i, None),
                    None => break,
                },
            };
            queue.take(i);
            let big = largest(active.of(i));
            if big.is_nan() || big <= tolerance * scale[i] {
                for (c, _) in active.of(i) {
                    in_column.remove(*c as usize, i);
                    short.note(*c as usize, in_column.len(*c as usize));
                }
                made.dependent_rows.push(i);
                continue;
            }
            if big < weakness * scale[i] && !is_weak[i] {
                is_weak[i] = true;
                weak.insert(level(active.of(i), i));
                continue;
            }
            row.clear();
            row.extend_from_slice(active.of(i));
            active.clear(i);
            let cheapest = |row: &[Entry]| {
                let large = row.iter().filter(|(_, a)| a.abs() >= THRESHOLD * big);
                let least = large.min_by(|(c, a), (d, b)| {
                    (in_column.len(*c as usize), -a.abs(), *c)
                        .partial_cmp(&(in_column.len(*d as usize), -b.abs(), *d))
                        .unwrap_or(std::cmp::Ordering::Equal)
                });
                least.copied().unwrap_or(row[0])
            };
            let (column, pivot) = chosen.and_then(|column| entry_at(&row, column)).unwrap_or_else(|| cheapest(&row));
            let column = column as usize;
            for (c, _) in &row {
                in_column.remove(*c as usize, i);
                short.note(*c as usize, in_column.len(*c as usize));
            }
            made.pivot(i, column, &row);
            holders.clear();
            holders.extend_from_slice(in_column.of(column));
            in_column.clear(column);
            for r in holders.iter().map(|r| *r as usize) {
                if is_weak[r] {
                    weak.remove(&level(active.of(r), r));
                }
                let factor = entry_at(active.of(r), column).map_or(0.0, |e| e.1) / pivot;
                merge(active.of(r), &row, column, factor, &mut merged, |c| in_column.push(c, r as u32));
                active.replace(r, &merged);
                made.needs(r);
                if is_weak[r] {
                    weak.insert(level(active.of(r), r));
                } else {
                    queue.put(r, active.len(r));
                }
            }
        }
        // What has been looked at gives room to the factors.
        drop((active, in_column, queue, short));
        made.done()
    }

    /// The order of elimination alone.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// Number of independent rows.
    #[inline]
    pub fn rank(&self) -> usize {
        self.order.pivot_rows.len()
    }

    /// Number of entries of the factors, pivots included: the work of a solve.
    #[inline]
    pub fn entries(&self) -> usize {
        self.order.pivot_rows.len() + self.order.l_index.len() + self.order.u_index.len()
    }

    /// Rows that depend on the others.
    #[inline]
    pub fn dependent_rows(&self) -> &[usize] {
        &self.order.dependent_rows
    }

    /// Columns left free.
    #[inline]
    pub fn free_columns(&self) -> &[usize] {
        &self.order.free_columns
    }

    /// Sizes of the pivots for the numbers they were chosen for.
    #[inline]
    pub fn chosen_pivots(&self) -> &[f64] {
        &self.factors.chosen_pivots
    }

    /// Redoes the arithmetic for new numbers of the same pattern.
    ///
    /// On [`SmallPivot`] the factors are complete all the same (unless a pivot is exactly zero), but not to be trusted.
    pub fn refactor(&mut self, pattern: &Pattern, values: &[f64]) -> Result<(), SmallPivot> {
        let Elimination { order, factors } = self;
        let sound = order.factor(pattern, values, factors) == 1.0;
        if factors.chosen_pivots.is_empty() {
            let size = |p: &f64| if *p == 0.0 { 0.0 } else { p.abs().recip() };
            factors.chosen_pivots = factors.inverse_pivots.iter().map(size).collect();
        }
        if sound {
            Ok(())
        } else {
            Err(SmallPivot)
        }
    }

    /// x with A x = b on the independent rows and zero in the free columns.
    pub fn solve(&self, b: &[f64], x: &mut [f64], y: &mut [f64]) {
        self.order.solve(&self.factors, b, x, y);
    }

    /// Completes x, whose free columns are set, to a vector of the null space.
    #[inline]
    pub fn complete(&self, x: &mut [f64]) {
        self.order.back_substitute(&self.factors, x, &vec![0.0; self.rank()]);
    }

    /// λ (one per row, zero for dependent rows) with Aᵀ λ = f; exact where f lies in the row space.
    pub fn solve_transposed(&self, f: &[f64], lambda: &mut [f64], work: &mut [f64]) {
        self.order.solve_transposed(&self.factors, f, lambda, work);
    }

    /// One vector of the null space for each free column: that column 1, the other free ones 0.
    pub fn null_space(&self) -> Vec<Vec<f64>> {
        let y = vec![0.0; self.rank()];
        let vector = |free: &usize| {
            let mut x = vec![0.0; self.order.columns];
            x[*free] = 1.0;
            self.order.back_substitute(&self.factors, &mut x, &y);
            x
        };
        self.order.free_columns.iter().map(vector).collect()
    }

    /// The smallest pivot as last factored, against the largest entry of its row before elimination (or a tenth of the row's
    /// weight, where all its entries vanish together): how near the rows are to being dependent.
    pub fn weakest(&self, pattern: &Pattern, values: &[f64], weights: &[f64]) -> f64 {
        let least = |row: usize| 0.1 * weights.get(row).copied().unwrap_or(0.0);
        self.order.weakest(pattern, values, &self.factors, least)
    }

    /// Sign of the product of pivots (+1, −1; 0 where one is zero): up to a constant of this elimination, the sign of the
    /// determinant of the independent rows and pivot columns.
    pub fn sign(&self) -> i8 {
        self.factors.sign() as i8
    }
}

#[cfg(test)]
#[path = "sparse_tests.rs"]
mod tests;
