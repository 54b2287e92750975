//! What waits while pivots are chosen: rows by their length, columns that have become short, and how one row is taken from another.

use super::THRESHOLD;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Rows that wait, the shortest first and of these the first. What has become of a row since it was put in is seen when it comes up.
pub(crate) struct Waiting {
    heap: BinaryHeap<Reverse<(u32, u32)>>,
    /// Length under which each row waits; none where it does not.
    length: Vec<u32>,
}

const GONE: u32 = u32::MAX;

impl Waiting {
    pub(crate) fn new(rows: usize) -> Waiting {
        Waiting { heap: BinaryHeap::with_capacity(rows), length: vec![GONE; rows] }
    }

    /// Puts a row in, or moves it to where a row of that length stands.
    pub(crate) fn put(&mut self, row: usize, length: usize) {
        let length = length as u32;
        if std::mem::replace(&mut self.length[row], length) != length {
            self.heap.push(Reverse((length, row as u32)));
        }
    }

    /// Takes a row out.
    pub(crate) fn take(&mut self, row: usize) {
        self.length[row] = GONE;
    }

    /// Length and number of the row that is next.
    pub(crate) fn first(&mut self) -> Option<(usize, usize)> {
        while let Some(Reverse((length, row))) = self.heap.peek().copied() {
            if self.length[row as usize] == length {
                return Some((length as usize, row as usize));
            }
            self.heap.pop();
        }
        None
    }
}

/// Columns that hold one or two entries: pivots there fill in nothing, or one row.
pub(super) struct ShortColumns {
    /// Columns that had one entry, and two, when they were last seen; that may have changed since.
    singles: Vec<usize>,
    doubles: Vec<usize>,
}

impl ShortColumns {
    pub(super) fn new(in_column: &[Vec<usize>]) -> ShortColumns {
        let mut short = ShortColumns { singles: Vec::new(), doubles: Vec::new() };
        in_column.iter().enumerate().rev().for_each(|(c, rows)| short.note(c, rows.len()));
        short
    }

    /// Hears how many entries a column has now.
    pub(super) fn note(&mut self, column: usize, entries: usize) {
        match entries {
            1 => self.singles.push(column),
            2 => self.doubles.push(column),
            _ => {}
        }
    }

    /// A row and its only entry in a column, large enough for a pivot.
    pub(super) fn single(
        &mut self,
        in_column: &[Vec<usize>],
        active: &[Vec<(usize, f64)>],
        strong: impl Fn(usize) -> bool,
    ) -> Option<(usize, usize)> {
        while let Some(column) = self.singles.pop() {
            if let [row] = in_column[column][..] {
                if strong(row) && may_be_pivot(&active[row], column) {
                    return Some((row, column));
                }
            }
        }
        None
    }

    /// The shorter of two rows in a column, where that costs less than `cost`.
    pub(super) fn double(
        &mut self,
        in_column: &[Vec<usize>],
        active: &[Vec<(usize, f64)>],
        strong: impl Fn(usize) -> bool,
        cost: usize,
    ) -> Option<(usize, usize)> {
        while let Some(column) = self.doubles.pop() {
            if let [a, b] = in_column[column][..] {
                let fits = |row: &usize| strong(*row) && may_be_pivot(&active[*row], column);
                let shorter = [a, b].into_iter().filter(fits).min_by_key(|row| (active[*row].len(), *row));
                match shorter {
                    Some(row) if active[row].len() - 1 < cost => return Some((row, column)),
                    Some(_) => {
                        self.doubles.push(column);
                        return None;
                    }
                    None => {}
                }
            }
        }
        None
    }
}

/// Whether a row's entry in a column is large enough for a pivot.
#[inline]
fn may_be_pivot(row: &[(usize, f64)], column: usize) -> bool {
    let entry = row.binary_search_by_key(&column, |e| e.0).map_or(0.0, |k| row[k].1.abs());
    entry > 0.0 && entry >= THRESHOLD * largest(row)
}

#[inline]
pub(super) fn largest(row: &[(usize, f64)]) -> f64 {
    row.iter().map(|e| e.1.abs()).fold(0.0, f64::max)
}

/// target − factor · pivot row, without the pivot column; `filled` hears of each new entry.
pub(super) fn merge(
    target: &[(usize, f64)],
    pivot: &[(usize, f64)],
    column: usize,
    factor: f64,
    out: &mut Vec<(usize, f64)>,
    mut filled: impl FnMut(usize),
) {
    let (mut i, mut j) = (0, 0);
    while i < target.len() || j < pivot.len() {
        let c = target.get(i).map_or(usize::MAX, |e| e.0);
        let d = pivot.get(j).map_or(usize::MAX, |e| e.0);
        let entry = if c < d {
            i += 1;
            target[i - 1]
        } else if d < c {
            j += 1;
            if d != column {
                filled(d);
            }
            (d, -factor * pivot[j - 1].1)
        } else {
            i += 1;
            j += 1;
            (c, target[i - 1].1 - factor * pivot[j - 1].1)
        };
        if entry.0 != column {
            out.push(entry);
        }
    }
}
