//! Natural, absolute and relative formulations side by side: time per sample of four-bar, slider-crank, Stewart platform and
//! N-four-bar, with a fit of the growth with N. Prints the tables of docs/performance.md.

use biela::model::Model;
use biela::solve::motion::Follower;
use biela::system::{formulations, System, FORMULATIONS};
use biela_benches::{four_bars, least_times, model};
use std::hint::black_box;

const ROUNDS: usize = 5;
/// Numbers of loops of the N-four-bar, and the samples of each round: the same for all, since longer steps ask for more
/// corrections.
const LOOPS: [(usize, usize); 4] = [(1, 50), (10, 50), (100, 50), (1000, 50)];

fn main() {
    let every = std::env::args().any(|a| a == "--all");
    let words: Vec<&'static str> = if every {
        formulations().map(|f| f.keyword).collect()
    } else {
        FORMULATIONS.iter().map(|f| f.keyword).collect()
    };
    println!("microseconds per sample, position to acceleration, least of {ROUNDS} interleaved rounds\n");
    println!("| mechanism | samples | {} |", words.join(" | "));
    println!("|---|---|{}", "---|".repeat(words.len()));
    for (name, samples) in [("four-bar", 2000), ("slider-crank", 2000), ("stewart-platform", 1000)] {
        let model = model(name);
        let times = times(&model, &words, samples);
        println!("| {name} | {samples} | {} |", cells(&times));
    }
    let mut by_loops: Vec<Vec<Option<Timed>>> = Vec::new();
    for (count, samples) in LOOPS {
        let model = four_bars(count);
        let times = times(&model, &words, samples);
        println!("| N-four-bar, N = {count} | {samples} | {} |", cells(&times));
        by_loops.push(times);
    }
    println!("\nfit of time = c N^k over N = 10, 100, 1000 (k = 1 is linear), and time per loop\n");
    println!("| | {} |", words.join(" | "));
    println!("|---|{}", "---|".repeat(words.len()));
    let exponent = |f: usize| {
        let points =
            LOOPS.iter().zip(&by_loops).skip(1).filter_map(|((n, _), t)| Some(((*n as f64).ln(), t[f]?.seconds.ln())));
        slope(&points.collect::<Vec<_>>())
    };
    let fits: Vec<String> = (0..words.len()).map(|f| exponent(f).map_or("-".into(), |k| format!("{k:.2}"))).collect();
    println!("| exponent k | {} |", fits.join(" | "));
    for (row, (count, _)) in LOOPS.iter().enumerate() {
        let per_loop = by_loops[row].iter().map(|t| t.map(|t| Timed { seconds: t.seconds / *count as f64, ..t }));
        println!("| µs per loop, N = {count} | {} |", cells(&per_loop.collect::<Vec<_>>()));
    }
    for (row, (count, _)) in LOOPS.iter().enumerate() {
        let entries = by_loops[row].iter().map(|t| t.map_or("-".into(), |t| t.entries.to_string()));
        println!("| entries of the factors, N = {count} | {} |", entries.collect::<Vec<_>>().join(" | "));
    }
}

/// What one formulation took.
#[derive(Clone, Copy)]
struct Timed {
    /// Seconds per sample.
    seconds: f64,
    /// Entries of the factors of Φ_v.
    entries: usize,
}

/// Each formulation on a model; `None` where it cannot.
fn times(model: &Model, words: &[&'static str], samples: usize) -> Vec<Option<Timed>> {
    let systems: Vec<System> = words.iter().filter_map(|f| System::new(model, f).ok()).collect();
    let (start, span) = (model.study.start, model.study.end - model.study.start);
    // A new turn for every round, so that assembly stays outside the clock.
    let mut followers: Vec<Option<Follower>> = systems
        .iter()
        .map(|system| match Follower::new(system, start, span) {
            Ok(follower) => Some(follower),
            Err(error) => {
                eprintln!("{}: {error}", system.formulation.name());
                None
            }
        })
        .collect();
    let mut least = vec![f64::INFINITY; followers.len()];
    for round in 0..ROUNDS {
        for (follower, least) in followers.iter_mut().zip(&mut least) {
            let Some(follower) = follower else { continue };
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
    let entries = followers.iter().map(|f| f.as_ref().map_or(0, Follower::factor_entries));
    let found = least.into_iter().zip(entries);
    found.map(|(seconds, entries)| seconds.is_finite().then_some(Timed { seconds, entries })).collect()
}

fn cells(times: &[Option<Timed>]) -> String {
    let cell = |t: &Option<Timed>| t.map_or("-".to_string(), |t| format!("{:.1}", 1e6 * t.seconds));
    times.iter().map(cell).collect::<Vec<_>>().join(" | ")
}

/// Slope of the line through points that fits best.
fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let n = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |m, p| (m.0 + p.0 / n, m.1 + p.1 / n));
    let (xy, xx) = points.iter().fold((0.0, 0.0), |m, p| (m.0 + (p.0 - x) * (p.1 - y), m.1 + (p.0 - x).powi(2)));
    (points.len() > 1 && xx > 0.0).then_some(xy / xx)
}
