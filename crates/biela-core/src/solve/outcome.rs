//! What a run has come to: its samples, and what ended it before its time.

use crate::error::{Error, ErrorKind, Result};
use crate::results::{Ended, Results};

/// The samples of a run up to where it ended.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The samples, at least one; marked where they are not all.
    pub results: Results,
    /// Why there are no more; `None` where the run came to its end.
    pub ended: Option<Error>,
}

impl Outcome {
    /// The samples, with what ended them.
    pub fn new(mut results: Results, ended: Option<Error>) -> Outcome {
        let last = results.times().last().copied().unwrap_or(0.0);
        results.ended = ended.as_ref().map(|error| Ended::of(error, last));
        Outcome { results, ended }
    }

    /// All samples, or else what ended them.
    pub fn whole(self) -> Result<Results> {
        match self.ended {
            None => Ok(self.results),
            Some(error) => Err(error),
        }
    }
}

/// Sorts the outcome of a sample's work: an error after `done` samples ends the run, which keeps them. One before the first sample, or
/// the user's own, leaves nothing.
pub fn ended<T>(outcome: Result<T>, done: usize) -> Result<std::result::Result<T, Error>> {
    match outcome {
        Ok(found) => Ok(Ok(found)),
        Err(error) if done == 0 || error.kind() == ErrorKind::Stopped => Err(error),
        Err(error) => Ok(Err(error)),
    }
}
