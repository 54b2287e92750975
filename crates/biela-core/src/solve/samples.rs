//! The samples of a run: how many, and when.

use crate::error::{Error, ErrorKind};
use crate::model::Model;

/// Number of samples of a run; one where it has no duration.
pub fn samples(model: &Model) -> usize {
    if model.run.end > model.run.start {
        model.run.steps + 1
    } else {
        1
    }
}

/// Time of sample `k`.
pub fn time(model: &Model, k: usize) -> f64 {
    let run = &model.run;
    // The last sample falls on the end exactly, whatever rounding does.
    if k == run.steps {
        run.end
    } else {
        run.start + (run.end - run.start) * k as f64 / run.steps as f64
    }
}

/// A run that the user has ended after `k` samples.
pub fn stopped(k: usize, samples: usize) -> Error {
    ErrorKind::Stopped.error(format!("stopped by the user after {k} of {samples} samples"))
}
