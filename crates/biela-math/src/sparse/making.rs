//! Factors while their pivots are chosen: what each pivot row holds besides, and which pivots it needs. Both are the patterns that the rows
//! have at that moment, so that nothing is left to find out afterwards.

use super::choice::Entry;
use super::{Elimination, Order};

const NONE: u32 = u32::MAX;

pub(super) struct Making {
    columns: usize,
    pivot_rows: Vec<u32>,
    pivot_columns: Vec<u32>,
    /// Rows that depend on others, in the order in which they were found.
    pub(super) dependent_rows: Vec<usize>,
    l_starts: Vec<usize>,
    l_index: Vec<u32>,
    u_starts: Vec<usize>,
    u_index: Vec<u32>,
    /// Pivots that rows need so far: each with the place of the one before of the same row, and for each row the last.
    needed: Vec<(u32, u32)>,
    last: Vec<u32>,
}

impl Making {
    pub(super) fn new(columns: usize, rows: usize) -> Making {
        Making {
            columns,
            pivot_rows: Vec::with_capacity(rows.min(columns)),
            pivot_columns: Vec::with_capacity(rows.min(columns)),
            dependent_rows: Vec::new(),
            l_starts: vec![0],
            l_index: Vec::new(),
            u_starts: vec![0],
            u_index: Vec::new(),
            needed: Vec::new(),
            last: vec![NONE; rows],
        }
    }

    /// The next pivot: a row as it is now, and the column.
    pub(super) fn pivot(&mut self, row: usize, column: usize, entries: &[Entry]) {
        self.u_index.extend(entries.iter().map(|e| e.0).filter(|c| *c as usize != column));
        self.u_starts.push(self.u_index.len());
        let own = self.l_index.len();
        let mut place = self.last[row];
        while place != NONE {
            let (pivot, before) = self.needed[place as usize];
            self.l_index.push(pivot);
            place = before;
        }
        self.l_index[own..].reverse();
        self.l_starts.push(self.l_index.len());
        self.pivot_rows.push(row as u32);
        self.pivot_columns.push(column as u32);
    }

    /// The last pivot is taken out of this row.
    pub(super) fn needs(&mut self, row: usize) {
        let pivot = self.pivot_rows.len() as u32 - 1;
        self.needed.push((pivot, self.last[row]));
        self.last[row] = self.needed.len() as u32 - 1;
    }

    /// The factors, without numbers.
    pub(super) fn done(mut self) -> Elimination {
        self.dependent_rows.sort_unstable();
        (self.needed, self.last) = (Vec::new(), Vec::new());
        self.l_index.shrink_to_fit();
        self.u_index.shrink_to_fit();
        let mut has_pivot = vec![false; self.columns];
        self.pivot_columns.iter().for_each(|c| has_pivot[*c as usize] = true);
        let order = Order {
            columns: self.columns,
            free_columns: (0..self.columns).filter(|c| !has_pivot[*c]).collect(),
            pivot_rows: self.pivot_rows,
            pivot_columns: self.pivot_columns,
            dependent_rows: self.dependent_rows,
            l_starts: self.l_starts,
            l_index: self.l_index,
            u_starts: self.u_starts,
            u_index: self.u_index,
        };
        Elimination { factors: order.factors(), order }
    }
}
