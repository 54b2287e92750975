//! The same machines in space and in the plane: time per sample in each formulation, and their ratio. Prints a table of docs/performance.md.

use biela::model::Model;
use biela::solve::motion::Follower;
use biela::source::Source;
use biela::system::{System, FORMULATIONS};
use biela::text::{Document, Options};
use biela_benches::flat::flat;
use biela_benches::{document, four_bars_text, least_times};
use std::hint::black_box;

/// Short rounds, and many: what else runs on the machine then leaves some of them alone.
const ROUNDS: usize = 60;

fn main() {
    let words: Vec<&str> = FORMULATIONS.iter().map(|f| f.keyword).collect();
    println!("microseconds per sample in space / in the plane (ratio), least of {ROUNDS} interleaved rounds\n");
    println!("| mechanism | {} |", words.join(" | "));
    println!("|---|{}", "---|".repeat(words.len()));
    for name in ["four-bar", "slider-crank", "watt-six-bar", "peaucellier", "quick-return"] {
        row(name, &document(name), &words, 100);
    }
    for count in [10, 100] {
        let name = format!("N-four-bar, N = {count}");
        let text = four_bars_text(count);
        row(&name, &Document::from_toml(&Source::new("n-four-bar.toml", text)).expect("a text"), &words, 5);
    }
}

fn row(name: &str, document: &Document, words: &[&str], samples: usize) {
    let compiled = |document: &Document| document.model(&Options::default()).unwrap_or_else(|e| panic!("{e}"));
    let planar = flat(document).unwrap_or_else(|| panic!("{name} leaves the plane"));
    let models = [compiled(document), compiled(&planar)];
    let cell = |word: &&str| {
        let [space, plane] = times(&models, word, samples).map(|seconds| 1e6 * seconds);
        format!("{space:.2} / {plane:.2} ({:.2})", space / plane)
    };
    println!("| {name} | {} |", words.iter().map(cell).collect::<Vec<_>>().join(" | "));
}

/// Seconds per sample of both models, in turns.
fn times(models: &[Model; 2], word: &str, samples: usize) -> [f64; 2] {
    let systems = models.each_ref().map(|model| System::new(model, word).unwrap_or_else(|e| panic!("{e}")));
    let span = |model: &Model| (model.study.start, model.study.end - model.study.start);
    let mut followers = systems.each_ref().map(|system| {
        let (start, span) = span(system.model);
        Follower::new(system, start, span).unwrap_or_else(|e| panic!("{e}"))
    });
    let mut least = [f64::INFINITY; 2];
    for round in 0..ROUNDS {
        for ((follower, model), least) in followers.iter_mut().zip(models).zip(&mut least) {
            let (start, span) = span(model);
            // A new part of the motion for every round, so that assembly stays outside the clock.
            let mut sweep = || {
                for k in 1..=samples {
                    let part = (round * samples + k) as f64 / (ROUNDS * samples) as f64;
                    follower.advance(start + span * part).unwrap_or_else(|e| panic!("{e}"));
                    black_box(&follower.stepper.ws.cache.bodies);
                }
            };
            *least = least.min(least_times(1, &mut [&mut sweep])[0] / samples as f64);
        }
    }
    least
}
