//! What changes while pivots are chosen: lists of rows and columns, columns that have become short, and how one row is taken from another.
//!
//! Rows and columns change their length at every pivot. All of one sort share a piece of memory, since a list of its own for each would be
//! most of the work.

use super::THRESHOLD;

/// Lists that grow and shrink in one piece of memory: one that outgrows its room moves to the end.
pub(super) struct Lists<T> {
    entries: Vec<T>,
    places: Vec<Place>,
}

/// Where a list starts, how long it is and how long it may become there.
#[derive(Clone, Copy)]
struct Place {
    start: usize,
    length: u32,
    room: u32,
}

impl<T: Copy> Lists<T> {
    /// Lists of these lengths, one entry for each place in turn.
    pub(super) fn new(lengths: impl Iterator<Item = usize>, entries: Vec<T>) -> Lists<T> {
        let mut start = 0;
        let place = |length: usize| {
            let place = Place { start, length: length as u32, room: length as u32 };
            start += length;
            place
        };
        Lists { places: lengths.map(place).collect(), entries }
    }

    /// Empty lists with room for so many entries each; `filler` stands where nothing does yet.
    pub(super) fn with_room(rooms: impl Iterator<Item = usize>, filler: T) -> Lists<T> {
        let mut lists = Lists::new(rooms, Vec::new());
        lists.entries.resize(lists.places.last().map_or(0, |p| p.start + p.room as usize), filler);
        lists.places.iter_mut().for_each(|place| place.length = 0);
        lists
    }

    /// Number of lists.
    pub(super) fn count(&self) -> usize {
        self.places.len()
    }

    #[inline]
    pub(super) fn len(&self, k: usize) -> usize {
        self.places[k].length as usize
    }

    #[inline]
    pub(super) fn of(&self, k: usize) -> &[T] {
        let Place { start, length, .. } = self.places[k];
        &self.entries[start..start + length as usize]
    }

    #[inline]
    pub(super) fn clear(&mut self, k: usize) {
        self.places[k].length = 0;
    }

    #[inline]
    pub(super) fn push(&mut self, k: usize, entry: T) {
        let Place { start, length, room } = self.places[k];
        if length == room {
            self.places[k].start = self.entries.len();
            self.places[k].room = 2 * room + 2;
            self.entries.extend_from_within(start..start + length as usize);
            self.entries.resize(self.places[k].start + self.places[k].room as usize, entry);
        }
        let place = &mut self.places[k];
        self.entries[place.start + length as usize] = entry;
        place.length += 1;
    }

    /// Puts other entries in a list's place.
    #[inline]
    pub(super) fn replace(&mut self, k: usize, list: &[T]) {
        let place = &mut self.places[k];
        if list.len() > place.room as usize {
            // Those that grow once mostly grow again.
            let room = list.len() + list.len() / 2;
            *place = Place { start: self.entries.len(), length: 0, room: room as u32 };
            self.entries.resize(place.start + room, list[0]);
        }
        place.length = list.len() as u32;
        self.entries[place.start..place.start + list.len()].copy_from_slice(list);
    }
}

impl Lists<u32> {
    /// Takes a number out of a list whose order means nothing.
    #[inline]
    pub(super) fn remove(&mut self, k: usize, number: usize) {
        let Place { start, length, .. } = self.places[k];
        let list = &mut self.entries[start..start + length as usize];
        if let Some(at) = list.iter().position(|n| *n as usize == number) {
            list[at] = list[list.len() - 1];
            self.places[k].length -= 1;
        }
    }
}

/// A row's entry: its column and its value.
pub(super) type Entry = (u32, f64);

/// Columns that hold one or two entries: pivots there fill in nothing, or one row.
pub(super) struct ShortColumns {
    /// Columns that had one entry, and two, when they were last seen; that may have changed since.
    singles: Vec<usize>,
    doubles: Vec<usize>,
}

impl ShortColumns {
    pub(super) fn new(in_column: &Lists<u32>) -> ShortColumns {
        let mut short = ShortColumns { singles: Vec::new(), doubles: Vec::new() };
        (0..in_column.count()).rev().for_each(|c| short.note(c, in_column.len(c)));
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
        in_column: &Lists<u32>,
        active: &Lists<Entry>,
        strong: impl Fn(usize) -> bool,
    ) -> Option<(usize, usize)> {
        while let Some(column) = self.singles.pop() {
            if let [row] = *in_column.of(column) {
                let row = row as usize;
                if strong(row) && may_be_pivot(active.of(row), column) {
                    return Some((row, column));
                }
            }
        }
        None
    }

    /// The shorter of two rows in a column, where that costs less than `cost`.
    pub(super) fn double(
        &mut self,
        in_column: &Lists<u32>,
        active: &Lists<Entry>,
        strong: impl Fn(usize) -> bool,
        cost: usize,
    ) -> Option<(usize, usize)> {
        while let Some(column) = self.doubles.pop() {
            if let [a, b] = *in_column.of(column) {
                let fits = |row: &usize| strong(*row) && may_be_pivot(active.of(*row), column);
                let both = [a as usize, b as usize];
                let shorter = both.into_iter().filter(fits).min_by_key(|row| (active.len(*row), *row));
                match shorter {
                    Some(row) if active.len(row) - 1 < cost => return Some((row, column)),
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
fn may_be_pivot(row: &[Entry], column: usize) -> bool {
    let entry = entry_at(row, column).map_or(0.0, |entry| entry.1.abs());
    entry > 0.0 && entry >= THRESHOLD * largest(row)
}

/// A row's entry in a column.
#[inline]
pub(super) fn entry_at(row: &[Entry], column: usize) -> Option<Entry> {
    row.binary_search_by_key(&column, |e| e.0 as usize).ok().map(|k| row[k])
}

#[inline]
pub(super) fn largest(row: &[Entry]) -> f64 {
    row.iter().map(|e| e.1.abs()).fold(0.0, f64::max)
}

/// target − factor · pivot row, without the pivot column; `filled` hears of each new entry.
#[inline]
pub(super) fn merge(
    target: &[Entry],
    pivot: &[Entry],
    column: usize,
    factor: f64,
    out: &mut Vec<Entry>,
    mut filled: impl FnMut(usize),
) {
    let column = column as u32;
    out.clear();
    let mut rest = target.iter().peekable();
    for (d, p) in pivot {
        while let Some(entry) = rest.next_if(|e| e.0 < *d) {
            out.push(*entry);
        }
        let own = rest.next_if(|e| e.0 == *d);
        if *d == column {
            continue;
        }
        match own {
            Some((_, a)) => out.push((*d, a - factor * p)),
            None => {
                filled(*d as usize);
                out.push((*d, -factor * p));
            }
        }
    }
    out.extend(rest);
}
