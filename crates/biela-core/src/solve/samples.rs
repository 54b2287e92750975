//! The samples of a run: how many, and when.

use crate::error::{Error, ErrorKind};
use crate::model::Model;

/// Number of samples of a run; one where it has no duration.
pub fn samples(model: &Model) -> usize {
    if model.study.end > model.study.start {
        model.study.steps + 1
    } else {
        1
    }
}

/// Time of sample `k`.
pub fn time(model: &Model, k: usize) -> f64 {
    let study = &model.study;
    // The last sample falls on the end exactly, whatever rounding does.
    if k == study.steps {
        study.end
    } else {
        study.start + (study.end - study.start) * k as f64 / study.steps as f64
    }
}

/// A run that the user has ended after `k` samples.
pub fn stopped(k: usize, samples: usize) -> Error {
    ErrorKind::Stopped.error(format!("stopped by the user after {k} of {samples} samples"))
}
