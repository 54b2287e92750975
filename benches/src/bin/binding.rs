//! What it takes to put other values of parameters into a model: by binding, and by reading its text.
//!
//! `cargo run --release -p biela-benches --bin binding [MODEL]`: microseconds of each, the least of several rounds taken in turn.

use biela::text::{Document, Options, Parametric};
use std::path::PathBuf;
use std::time::Instant;

/// Rounds, of which the quickest counts.
const ROUNDS: usize = 30;
/// Models made in a round.
const MODELS: usize = 200;

fn main() -> biela::Result<()> {
    let shipped = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../models/four-bar.toml"));
    let path = std::env::args_os().nth(1).map_or_else(shipped, PathBuf::from);
    let options = Options::default();
    let document = Document::read(&path, &options)?;
    let own = document.parameter_values(&options)?;
    let names = || own.iter().map(|p| p.0.clone());
    let mut parametric = Parametric::new(&document, &options, names());
    let mut least = [f64::INFINITY; 2];
    for round in 0..ROUNDS {
        // Other values in every model, so that nothing can be kept.
        let values =
            |k: usize| -> Vec<f64> { own.iter().map(|p| p.1 * (1.0 + 1e-6 * (round * MODELS + k) as f64)).collect() };
        let all: Vec<Vec<f64>> = (0..MODELS).map(values).collect();
        let started = Instant::now();
        for values in &all {
            std::hint::black_box(parametric.bind(values)?);
        }
        least[0] = least[0].min(started.elapsed().as_secs_f64());
        let started = Instant::now();
        for values in &all {
            let values = names().zip(values.iter().copied()).collect();
            std::hint::black_box(document.model(&Options { values, ..Options::default() })?);
        }
        least[1] = least[1].min(started.elapsed().as_secs_f64());
    }
    let [bound, read] = least.map(|s| s * 1e6 / MODELS as f64);
    println!("{}: {} parameters, all changed", path.display(), own.len());
    println!("binding {bound:8.2} us\nreading {read:8.2} us, {:.0} times as long", read / bound);
    Ok(())
}
