//! The plan of a sweep: which parameters vary and how, which samples are taken, what is measured in each.
//!
//! | file | idea |
//! |---|---|
//! | `distribution` | how a parameter spreads: registry [`DISTRIBUTIONS`] |
//! | `sampling` | which values belong to sample i: registry [`SAMPLINGS`] |
//! | `reduction` | one number out of a signal: registry [`REDUCTIONS`] |
//! | `measure` | one number out of a run, a curve out of a run |
//! | `measures` | those of a single run |
//! | `drawn` | what a plot shows of a run, expressions among it |
//! | `goal` | what an optimisation is after |
//! | `random`, `normal` | numbers from key and counter; the normal distribution |

pub mod distribution;
pub mod drawn;
pub mod goal;
pub mod measure;
mod measures;
pub mod normal;
pub mod random;
pub mod reduction;
pub mod sampling;

pub use distribution::{distribution, Distribution, Spread, DISTRIBUTIONS};
pub use goal::{Fit, Goal, Limit, Target};
pub use measure::{Curve, Measure};
pub use measures::{Measured, Measures};
pub use reduction::REDUCTIONS;
pub use sampling::{sampling, Sampling, SAMPLINGS};

use crate::error::{Error, Result};
use crate::source::Span;
use sampling::Place;

/// Most samples of a plan: more would outlast their purpose, and indices stay exact as doubles.
pub const MOST_SAMPLES: u64 = 1_000_000_000_000;
/// Samples of a random sampling where no number is given.
pub const USUAL_SAMPLES: u64 = 1000;
/// Most samples of a chunk: small enough that a kill loses little, large enough that files stay few.
const LARGEST_CHUNK: u64 = 1024;
/// Least samples of a chunk.
const SMALLEST_CHUNK: u64 = 16;

/// A parameter that varies.
#[derive(Debug, Clone)]
pub struct Variation {
    /// The parameter.
    pub name: String,
    /// Its unit in ASCII, where it is known; `1` else.
    pub unit: String,
    /// The values it takes.
    pub spread: Spread,
}

/// Something to be measured in each run: its name, its expression and where that stands.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// Name of the column.
    pub name: String,
    /// The expression, such as `max(piston.x) - min(piston.x)`.
    pub text: String,
    /// Where it stands.
    pub span: Option<Span>,
}

/// What varies, how, and what is measured.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The parameters that vary.
    pub variations: Vec<Variation>,
    /// How samples are chosen.
    pub sampling: &'static Sampling,
    /// How many.
    pub samples: u64,
    /// Seed of the random numbers.
    pub seed: u64,
    /// What is measured in each run; a few signals' extremes where empty.
    pub measures: Vec<Wanted>,
    /// Signals kept whole in place of measures: one row for each sample and time.
    pub series: Vec<String>,
}

impl Plan {
    /// A plan from its parts. `sampling` and `samples` follow from the variations where they are not given.
    pub fn new(
        variations: Vec<Variation>,
        sampling: Option<&'static Sampling>,
        samples: Option<u64>,
        seed: u64,
    ) -> Result<Plan> {
        const FORM: &str = "such as --vary crank=1:2:1000 or --vary 'rod=normal(3.5, 1 mm)', or vary.crank in [sweep]";
        if variations.is_empty() {
            return Err(Error::new("no parameter varies").note(FORM));
        }
        for (k, variation) in variations.iter().enumerate() {
            if variations[..k].iter().any(|v| v.name == variation.name) {
                return Err(Error::new(format!("parameter '{}' varies twice", variation.name)));
            }
        }
        let countable = variations.iter().all(|v| v.spread.levels().is_some());
        let sampling = sampling.unwrap_or(&SAMPLINGS[usize::from(!countable || samples.is_some())]);
        let samples = match sampling.every {
            false => samples.unwrap_or(USUAL_SAMPLES),
            true => {
                if let Some(variation) = variations.iter().find(|v| v.spread.levels().is_none()) {
                    let words = variation.spread.words();
                    let message = format!("a grid needs values to count, but '{}' is {words}", variation.name);
                    return Err(Error::new(message).note("give it a range such as 1:2:100, or choose another sampling"));
                }
                let product = variations.iter().try_fold(1u64, |all, v| all.checked_mul(v.spread.levels()?));
                let all = product.unwrap_or(u64::MAX);
                if samples.is_some_and(|asked| asked != all) {
                    return Err(Error::new(format!("this grid has {all} samples; another number cannot be asked for"))
                        .note("leave 'samples' out, or choose another sampling"));
                }
                all
            }
        };
        if samples == 0 || samples > MOST_SAMPLES {
            return Err(Error::new(format!("a sweep has from 1 to {MOST_SAMPLES} samples; this one has {samples}")));
        }
        Ok(Plan { variations, sampling, samples, seed, measures: Vec::new(), series: Vec::new() })
    }

    /// Values of the varied parameters in sample `sample`, in their order.
    pub fn values(&self, sample: u64, values: &mut Vec<f64>) {
        values.clear();
        let mut stride = if self.sampling.every { self.samples } else { 1 };
        for Variation { name, spread, .. } in &self.variations {
            stride /= spread.levels().filter(|_| self.sampling.every).unwrap_or(1).max(1);
            let place = Place { seed: self.seed, name, spread, sample, samples: self.samples, stride };
            values.push((self.sampling.value)(&place));
        }
    }

    /// Samples of one chunk: fixed by the number of samples, so that parts of a sweep fit together wherever they were made.
    pub fn chunk(&self) -> u64 {
        const CHUNKS: u64 = 64;
        (self.samples / CHUNKS).next_power_of_two().clamp(SMALLEST_CHUNK, LARGEST_CHUNK)
    }

    /// Number of chunks.
    pub fn chunks(&self) -> u64 {
        self.samples.div_ceil(self.chunk())
    }

    /// Numbers of the samples of a chunk.
    pub fn samples_of(&self, chunk: u64) -> std::ops::Range<u64> {
        let start = chunk.saturating_mul(self.chunk()).min(self.samples);
        start..(start + self.chunk()).min(self.samples)
    }

    /// All that decides the result, as a text.
    pub fn words(&self) -> String {
        let mut text = format!("{} {} seed {}\n", self.sampling.keyword, self.samples, self.seed);
        for variation in &self.variations {
            text += &format!("vary {} = {}\n", variation.name, variation.spread.words());
        }
        for measure in &self.measures {
            text += &format!("measure {} = {}\n", measure.name, measure.text);
        }
        for signal in &self.series {
            text += &format!("series {signal}\n");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vary(name: &str, spread: Spread) -> Variation {
        Variation { name: name.into(), unit: "m".into(), spread }
    }

    fn uniform(name: &str) -> Variation {
        vary(name, Spread::of(distribution("uniform").unwrap(), vec![0.0, 1.0]).unwrap())
    }

    #[test]
    fn a_grid_has_every_combination_once() {
        let values = |n: &[f64]| Spread::Values(n.to_vec());
        let plan = Plan::new(
            vec![vary("a", values(&[1.0, 2.0])), vary("b", Spread::Range { from: 0.0, to: 1.0, count: 3 })],
            None,
            None,
            0,
        )
        .unwrap();
        let mut row = Vec::new();
        let rows: Vec<Vec<f64>> = (0..plan.samples).map(|k| (plan.values(k, &mut row), row.clone()).1).collect();
        assert_eq!(rows, [[1.0, 0.0], [1.0, 0.5], [1.0, 1.0], [2.0, 0.0], [2.0, 0.5], [2.0, 1.0]].map(|r| r.to_vec()));
    }

    #[test]
    fn a_latin_hypercube_has_one_draw_in_every_part() {
        for samples in [1, 2, 10, 1000, 1537] {
            let plan =
                Plan::new(vec![uniform("a"), uniform("b")], sampling("latin-hypercube"), Some(samples), 3).unwrap();
            let mut row = Vec::new();
            let mut hit = vec![[false; 2]; samples as usize];
            let mut same = 0;
            for k in 0..samples {
                plan.values(k, &mut row);
                let parts = [0, 1].map(|j| (row[j] * samples as f64) as usize);
                same += usize::from(parts[0] == parts[1]);
                for j in 0..2 {
                    assert!(!std::mem::replace(&mut hit[parts[j]][j], true), "{samples}: part {} twice", parts[j]);
                }
            }
            // Two permutations agree in one place on average: they are not the same one.
            assert!(samples < 10 || same < 8, "{same}");
        }
    }

    #[test]
    fn seeds_and_names_choose_the_values() {
        let row = |seed, name: &str, sample| {
            let plan = Plan::new(vec![uniform(name)], None, Some(10), seed).unwrap();
            let mut row = Vec::new();
            plan.values(sample, &mut row);
            row[0]
        };
        assert_eq!(row(1, "a", 4), row(1, "a", 4));
        assert_ne!(row(1, "a", 4), row(2, "a", 4));
        assert_ne!(row(1, "a", 4), row(1, "b", 4));
        assert_ne!(row(1, "a", 4), row(1, "a", 5));
    }

    #[test]
    fn chunks_cover_the_samples() {
        for samples in [1, 15, 17, 1000, 70_000, 1_000_001] {
            let plan = Plan::new(vec![uniform("a")], None, Some(samples), 0).unwrap();
            let ends: Vec<_> = (0..plan.chunks()).map(|k| plan.samples_of(k)).collect();
            assert_eq!((ends[0].start, ends.last().unwrap().end), (0, samples));
            assert!(ends.windows(2).all(|w| w[0].end == w[1].start && w[0].end - w[0].start == plan.chunk()));
        }
    }

    #[test]
    fn impossible_plans_are_told() {
        let told = |v, s, n| Plan::new(v, s, n, 0).unwrap_err().to_string();
        assert!(told(vec![], None, None).contains("no parameter varies"));
        assert!(told(vec![uniform("a")], sampling("grid"), None).contains("a grid needs values to count"));
        assert!(told(vec![uniform("a"), uniform("a")], None, None).contains("twice"));
        assert!(told(vec![uniform("a")], None, Some(0)).contains("from 1 to"));
        let range = vary("a", Spread::Range { from: 0.0, to: 1.0, count: 3 });
        assert!(told(vec![range.clone()], sampling("grid"), Some(4)).contains("this grid has 3 samples"));
        let huge = vary("b", Spread::Range { from: 0.0, to: 1.0, count: 1 << 60 });
        assert!(told(vec![range, huge], None, None).contains("from 1 to"));
    }
}
