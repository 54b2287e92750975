//! Helpers of the tests of motion under forces.

pub use super::machines::*;
pub use super::{column, parse};
use biela::results::Results;
use biela::solve::forward;

/// Runs a text's dynamics by one formulation.
pub fn run(text: &str, formulation: &str) -> Results {
    try_run(text, formulation).unwrap_or_else(|e| panic!("{formulation}: {e}"))
}

/// The same where it may fail; the message.
pub fn try_run(text: &str, formulation: &str) -> Result<Results, String> {
    forward::run(&parse(text), formulation, |_, _| true).map_err(|e| e.to_string())
}

/// A signal's last value.
pub fn last(results: &Results, name: &str) -> f64 {
    column(results, name)[results.len() - 1]
}

/// Largest magnitude.
pub fn largest(data: &[f64]) -> f64 {
    data.iter().fold(0.0, |m, x| m.max(x.abs()))
}

/// A note, as a number.
pub fn note(results: &Results, key: &str) -> f64 {
    let found = results.note(key).unwrap_or_else(|| panic!("no note {key}"));
    found.parse().unwrap_or_else(|_| panic!("{key} = {found}"))
}

/// The arithmetic-geometric mean, by which complete elliptic integrals are had: K(k) = π / 2 agm(1, √(1 − k²)).
pub fn agm(mut a: f64, mut b: f64) -> f64 {
    for _ in 0..60 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    a
}
