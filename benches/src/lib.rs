//! What the benches share: loading a shipped model and timing in interleaved rounds.

pub mod mobility;

use biela::model::Model;
use biela::text::{Document, Options};
use std::path::PathBuf;
use std::time::Instant;

/// A shipped model, by its file name without ending.
pub fn model(name: &str) -> Model {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../models")).join(format!("{name}.toml"));
    let options = Options::default();
    let document = Document::read(&path, &options).unwrap_or_else(|e| panic!("{e}"));
    document.model(&options).unwrap_or_else(|e| panic!("{e}"))
}

/// Least wall time in seconds of each job over interleaved rounds, so that all see the same state of the machine.
pub fn least_times(rounds: usize, jobs: &mut [&mut dyn FnMut()]) -> Vec<f64> {
    let mut least = vec![f64::INFINITY; jobs.len()];
    for _ in 0..rounds {
        for (job, least) in jobs.iter_mut().zip(&mut least) {
            let start = Instant::now();
            job();
            *least = least.min(start.elapsed().as_secs_f64());
        }
    }
    least
}
