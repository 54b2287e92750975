//! Rows that wait to be eliminated, by their length.
//!
//! A heap of all rows of a large mechanism is larger than the caches, and each row taken out goes through all of it. Rows are mostly short, so those
//! of each short length are bits of a few words, with a bit for each word that has any above them, and above these in turn.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Lengths below this have a set of their own.
const SHORT: usize = 64;

/// Rows that wait, the shortest first and of these the first.
pub(crate) struct Waiting {
    rows: usize,
    /// Those of each short length, where any has been.
    short: Vec<Option<Set>>,
    /// A bit for each short length that has rows.
    some: u64,
    /// Longer ones. What has become of a row since it was put in is seen when it comes up.
    long: BinaryHeap<Reverse<(u32, u32)>>,
    /// Length under which each row waits; none where it does not.
    length: Vec<u32>,
}

const GONE: u32 = u32::MAX;

impl Waiting {
    pub(crate) fn new(rows: usize) -> Waiting {
        Waiting { rows, short: Vec::new(), some: 0, long: BinaryHeap::new(), length: vec![GONE; rows] }
    }

    /// Puts a row in, or moves it to where a row of that length stands.
    pub(crate) fn put(&mut self, row: usize, length: usize) {
        let before = std::mem::replace(&mut self.length[row], length as u32);
        if before == length as u32 {
            return;
        }
        self.leave(row, before);
        if length < SHORT {
            if self.short.len() <= length {
                self.short.resize_with(length + 1, || None);
            }
            self.short[length].get_or_insert_with(|| Set::new(self.rows)).put(row);
            self.some |= 1 << length;
        } else {
            self.long.push(Reverse((length as u32, row as u32)));
        }
    }

    /// Takes a row out.
    pub(crate) fn take(&mut self, row: usize) {
        let before = std::mem::replace(&mut self.length[row], GONE);
        self.leave(row, before);
    }

    fn leave(&mut self, row: usize, length: u32) {
        let length = length as usize;
        if let Some(Some(set)) = self.short.get_mut(length) {
            if !set.take(row) {
                self.some &= !(1 << length);
            }
        }
    }

    /// Length and number of the row that is next.
    pub(crate) fn first(&mut self) -> Option<(usize, usize)> {
        if self.some != 0 {
            let length = self.some.trailing_zeros() as usize;
            let set = self.short[length].as_ref()?;
            return Some((length, set.first()));
        }
        while let Some(Reverse((length, row))) = self.long.peek().copied() {
            if self.length[row as usize] == length {
                return Some((length as usize, row as usize));
            }
            self.long.pop();
        }
        None
    }
}

/// A set of small numbers.
struct Set {
    /// Words of all levels, the lowest first: a bit for each number, then one for each word below that is not zero.
    words: Vec<u64>,
    /// Where each level starts; the highest has one word.
    starts: Vec<usize>,
}

impl Set {
    fn new(count: usize) -> Set {
        let (mut starts, mut words, mut level) = (Vec::new(), 0, count);
        loop {
            level = level.div_ceil(64).max(1);
            starts.push(words);
            words += level;
            if level == 1 {
                return Set { words: vec![0; words], starts };
            }
        }
    }

    fn put(&mut self, mut number: usize) {
        for start in &self.starts {
            let word = &mut self.words[start + number / 64];
            let before = std::mem::replace(word, *word | 1 << (number % 64));
            if before != 0 {
                return;
            }
            number /= 64;
        }
    }

    /// Takes a number out; false where none is left.
    fn take(&mut self, mut number: usize) -> bool {
        for start in &self.starts {
            let word = &mut self.words[start + number / 64];
            *word &= !(1 << (number % 64));
            if *word != 0 {
                return true;
            }
            number /= 64;
        }
        false
    }

    /// The least; the set is not empty.
    fn first(&self) -> usize {
        self.starts.iter().rev().fold(0, |word, start| 64 * word + self.words[start + word].trailing_zeros() as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use std::collections::BTreeSet;

    #[test]
    fn the_shortest_comes_first_and_of_these_the_first() {
        for rows in [1, 63, 64, 65, 5000, 300_000] {
            let mut random = Random(rows as u64);
            let (mut queue, mut known) = (Waiting::new(rows), BTreeSet::new());
            let mut lengths = vec![None; rows];
            for _ in 0..4000 {
                let row = (random.bits() % rows as u64) as usize;
                if let Some(length) = lengths[row].take() {
                    known.remove(&(length, row));
                }
                if random.bits() % 3 == 0 {
                    queue.take(row);
                } else {
                    let length = (random.bits() % 90) as usize;
                    queue.put(row, length);
                    known.insert((length, row));
                    lengths[row] = Some(length);
                }
                assert_eq!(queue.first(), known.first().copied());
            }
            while let Some((_, row)) = known.pop_first() {
                assert_eq!(queue.first().map(|first| first.1), Some(row));
                queue.take(row);
            }
            assert_eq!(queue.first(), None);
        }
    }
}
