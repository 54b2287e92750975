//! Tables of numbers and names by a hash of a few instructions. The standard one takes as long as all else that is done for an element of a
//! large model. Where a table's seeds are is not to be foretold either: they are drawn for each.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};

/// A table whose keys are hashed by [`Folding`].
pub type QuickMap<K, V> = HashMap<K, V, Folding>;

/// Makes hashes of one table, from a seed of its own.
#[derive(Debug, Clone)]
pub struct Folding(u64);

impl Default for Folding {
    fn default() -> Folding {
        Folding(RandomState::new().hash_one(0u8))
    }
}

impl BuildHasher for Folding {
    type Hasher = Folded;

    #[inline]
    fn build_hasher(&self) -> Folded {
        Folded(self.0)
    }
}

/// A hash under way: each word is multiplied in, and both halves of the product are kept.
#[derive(Debug)]
pub struct Folded(u64);

impl Folded {
    #[inline]
    fn fold(&mut self, word: u64) {
        /// Digits of the golden section: odd, with ones and zeros in no order.
        const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
        let product = u128::from(self.0 ^ word) * u128::from(FACTOR);
        // A state that happens to be the word would forget all before it.
        self.0 = (product as u64 ^ (product >> 64) as u64).wrapping_add(self.0.rotate_left(23));
    }
}

impl Hasher for Folded {
    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        const WORD: usize = 8;
        let (words, rest) = bytes.as_chunks::<WORD>();
        words.iter().for_each(|word| self.fold(u64::from_le_bytes(*word)));
        let mut last = [0; WORD];
        last[..rest.len()].copy_from_slice(rest);
        // The length tells the last word's zeros from bytes that are zero.
        self.fold(u64::from_le_bytes(last) ^ (bytes.len() as u64) << 56);
    }

    #[inline]
    fn write_u8(&mut self, n: u8) {
        self.fold(u64::from(n));
    }

    #[inline]
    fn write_u32(&mut self, n: u32) {
        self.fold(u64::from(n));
    }

    #[inline]
    fn write_u64(&mut self, n: u64) {
        self.fold(n);
    }

    #[inline]
    fn write_usize(&mut self, n: usize) {
        self.fold(n as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Neighbours, numbers that are round and names alike but for a letter: no two have the same hash, and the bits that tables look at
    /// are as mixed as chance would have them.
    #[test]
    fn what_is_alike_is_told_apart() {
        const COUNT: usize = 4096;
        let table = Folding::default();
        let spread = |hashes: Vec<u64>| {
            let all: HashSet<u64> = hashes.iter().copied().collect();
            assert_eq!(all.len(), COUNT);
            let low: HashSet<u64> = hashes.iter().map(|h| h % COUNT as u64).collect();
            let high: HashSet<u64> = hashes.iter().map(|h| h >> 52).collect();
            // Chance leaves a share of 1/e of as many places empty.
            for found in [low.len(), high.len()] {
                assert!(found > COUNT / 2, "{found} places of {COUNT}");
            }
        };
        spread((0..COUNT).map(|k| table.hash_one(k)).collect());
        spread((0..COUNT).map(|k| table.hash_one((0.125 * k as f64).to_bits())).collect());
        spread((0..COUNT).map(|k| table.hash_one((1u8, 7usize, [0, k as u64, 0]))).collect());
        spread((0..COUNT).map(|k| table.hash_one(format!("link{k}"))).collect());
    }
}
