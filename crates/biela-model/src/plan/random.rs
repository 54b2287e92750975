//! Numbers that depend on a key and a counter alone: sample `i` gets the same values on any thread, shard or machine.

use crate::math::random::mix;

/// The key of a stream of numbers, from a seed and a name.
pub fn key(seed: u64, name: &str) -> u64 {
    name.bytes().fold(mix(seed), |key, byte| mix(key ^ u64::from(byte)))
}

/// Number `counter` of a stream, evenly spread over the open interval (0, 1).
pub fn uniform(key: u64, counter: u64) -> f64 {
    // The middle of one of 2^53 equal parts: neither 0 nor 1 can come out.
    ((mix(key ^ mix(counter)) >> 11) as f64 + 0.5) * (1.0 / (1u64 << 53) as f64)
}

/// Where `index` goes in a permutation of `0..count` that `key` chooses, found without the rest of it.
///
/// A Feistel network permutes the numbers of just enough bits; one that falls outside is sent round again until it does
/// not, which happens less than four times on average ([Black, Rogaway 2002]).
pub fn permuted(key: u64, count: u64, index: u64) -> u64 {
    const ROUNDS: u64 = 6;
    if count < 2 {
        return 0;
    }
    let half = (64 - (count - 1).leading_zeros()).div_ceil(2);
    let mask = (1u64 << half) - 1;
    let mut x = index;
    loop {
        let (mut left, mut right) = (x >> half, x & mask);
        for round in 0..ROUNDS {
            let next = left ^ (mix(key ^ mix(right | round << 56)) & mask);
            (left, right) = (right, next);
        }
        x = left << half | right;
        if x < count {
            return x;
        }
    }
}

/// A hash of bytes (FNV-1a), to tell texts apart.
pub fn hash(bytes: &[u8]) -> u64 {
    mix(bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_permutation_hits_everything_once() {
        for count in [1, 2, 3, 7, 64, 1000, 4097] {
            let mut hit = vec![false; count as usize];
            for k in 0..count {
                assert!(!std::mem::replace(&mut hit[permuted(11, count, k) as usize], true), "{count}");
            }
        }
        let moved = (0..1000).filter(|k| permuted(5, 1000, *k) != *k).count();
        assert!(moved > 980, "{moved}");
    }

    #[test]
    fn streams_are_even_and_not_alike() {
        const COUNT: u64 = 100_000;
        let (a, b) = (key(1, "crank"), key(1, "rod"));
        let (mut mean, mut product, mut bins) = (0.0, 0.0, [0u32; 16]);
        for k in 0..COUNT {
            let (x, y) = (uniform(a, k), uniform(b, k));
            mean += x;
            product += (x - 0.5) * (y - 0.5);
            bins[(16.0 * x) as usize] += 1;
        }
        let count = COUNT as f64;
        // Five deviations of a mean of uniform numbers, and of their products.
        assert!((mean / count - 0.5).abs() < 5.0 * (1.0 / 12.0 / count).sqrt());
        assert!((product / count).abs() < 5.0 / 12.0 / count.sqrt());
        let expected = count / 16.0;
        let chi: f64 = bins.iter().map(|n| (f64::from(*n) - expected).powi(2) / expected).sum();
        // The 99.99 % point of chi-square with 15 freedoms.
        assert!(chi < 44.3, "{chi}");
    }
}
