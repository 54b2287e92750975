//! Aᵀ λ = f where f has few entries: only pivots that these reach are touched, so that a right-hand side costs what its own part of a
//! large matrix costs.

use super::Elimination;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Arrays for such solutions with one set of factors.
#[derive(Debug)]
pub struct SparseTransposed {
    /// Number of the pivot in each column; the number of pivots where it has none.
    pivot_of_column: Vec<usize>,
    /// Zero between two solutions.
    work: Vec<f64>,
    seen: Vec<bool>,
}

impl SparseTransposed {
    /// For these factors.
    pub fn new(factors: &Elimination) -> SparseTransposed {
        let mut pivot_of_column = vec![factors.rank(); factors.order.columns];
        for (k, column) in factors.order.pivot_columns.iter().enumerate() {
            pivot_of_column[*column as usize] = k;
        }
        SparseTransposed {
            pivot_of_column,
            work: vec![0.0; factors.order.columns],
            seen: vec![false; factors.order.columns],
        }
    }

    /// Rows with their λ, in no order, the same numbers as [`Elimination::solve_transposed`] gives; all others are zero. `f` names columns,
    /// each once.
    pub fn solve(&mut self, factors: &Elimination, f: impl Iterator<Item = (usize, f64)>) -> Vec<(usize, f64)> {
        let SparseTransposed { pivot_of_column, work, seen } = self;
        let rank = factors.rank();
        let mut touched: Vec<usize> = Vec::new();
        // Uᵀ z = f forwards: a pivot reaches later ones alone.
        let mut ahead: BinaryHeap<Reverse<usize>> = BinaryHeap::new();
        for (column, value) in f {
            work[column] = value;
            seen[column] = true;
            touched.push(column);
            if pivot_of_column[column] < rank {
                ahead.push(Reverse(pivot_of_column[column]));
            }
        }
        while let Some(Reverse(k)) = ahead.pop() {
            let own = factors.order.pivot_columns[k] as usize;
            let z = work[own] * factors.factors.inverse_pivots[k];
            work[own] = z;
            if z == 0.0 {
                continue;
            }
            for e in factors.order.u_starts[k]..factors.order.u_starts[k + 1] {
                let column = factors.order.u_index[e] as usize;
                if !std::mem::replace(&mut seen[column], true) {
                    touched.push(column);
                    if pivot_of_column[column] < rank {
                        ahead.push(Reverse(pivot_of_column[column]));
                    }
                }
                work[column] -= factors.factors.u_values[e] * z;
            }
        }
        // Lᵀ λ = z backwards: a pivot reaches earlier ones alone.
        let mut behind: BinaryHeap<usize> =
            touched.iter().map(|column| pivot_of_column[*column]).filter(|k| *k < rank).collect();
        while let Some(k) = behind.pop() {
            let z = work[factors.order.pivot_columns[k] as usize];
            if z == 0.0 {
                continue;
            }
            for e in factors.order.l_starts[k]..factors.order.l_starts[k + 1] {
                let j = factors.order.l_index[e] as usize;
                let column = factors.order.pivot_columns[j] as usize;
                if !std::mem::replace(&mut seen[column], true) {
                    touched.push(column);
                    behind.push(j);
                }
                work[column] -= factors.factors.l_values[e] * z;
            }
        }
        let mut found = Vec::with_capacity(touched.len());
        for column in touched {
            let value = std::mem::take(&mut work[column]);
            seen[column] = false;
            if pivot_of_column[column] < rank && value != 0.0 {
                found.push((factors.order.pivot_rows[pivot_of_column[column]] as usize, value));
            }
        }
        found
    }
}
