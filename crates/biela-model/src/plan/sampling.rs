//! Which values belong to sample `i`. Registry [`SAMPLINGS`]. Latin hypercubes are those of [McKay 1979].
//!
//! Each sampling answers for one sample and one parameter alone, from the seed and the parameter's name, so that samples can
//! be computed in any order and anywhere.

use super::distribution::Spread;
use super::random::{key, permuted, uniform};

/// What a sampling is asked for: one parameter of one sample.
#[derive(Debug)]
pub struct Place<'a> {
    /// Seed of the plan.
    pub seed: u64,
    /// The parameter's name.
    pub name: &'a str,
    /// Its spread.
    pub spread: &'a Spread,
    /// Number of the sample.
    pub sample: u64,
    /// Number of samples in all.
    pub samples: u64,
    /// Of a grid: how many samples in a row share this parameter's value.
    pub stride: u64,
}

/// A way of choosing samples.
#[derive(Debug)]
pub struct Sampling {
    /// The word that names it.
    pub keyword: &'static str,
    /// One line for the manual.
    pub help: &'static str,
    /// True where every combination of values is a sample, so that their number follows.
    pub every: bool,
    /// The parameter's value.
    pub value: fn(&Place) -> f64,
}

/// Every sampling; the first is taken where all parameters have values to count, the second otherwise.
pub static SAMPLINGS: &[Sampling] = &[
    Sampling {
        keyword: "grid",
        help: "every combination of values; the last parameter changes fastest",
        every: true,
        value: |place| {
            place.spread.level(place.sample / place.stride.max(1) % place.spread.levels().unwrap_or(1).max(1))
        },
    },
    Sampling {
        keyword: "monte-carlo",
        help: "independent draws",
        every: false,
        value: |place| place.spread.quantile(uniform(key(place.seed, place.name), place.sample)),
    },
    Sampling {
        keyword: "latin-hypercube",
        help: "one draw in each of as many equally likely parts as there are samples, paired at random",
        every: false,
        value: |place| {
            let key = key(place.seed, place.name);
            let part = permuted(key, place.samples, place.sample);
            // Rounding must not lift a draw from the last part to a share of 1.
            let share =
                ((part as f64 + uniform(key, place.sample)) / place.samples as f64).min(1.0 - f64::EPSILON / 2.0);
            place.spread.quantile(share)
        },
    },
];

/// The sampling of that word.
pub fn sampling(keyword: &str) -> Option<&'static Sampling> {
    SAMPLINGS.iter().find(|s| s.keyword == keyword)
}
