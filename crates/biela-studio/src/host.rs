//! What the calls need of the machine that they are answered on: a clock, and somewhere to do work that takes a while. A server has
//! threads; a page's worker has neither and brings its own clock.

use biela::error::Result;
use std::fmt::Debug;

/// A machine as the calls see it.
pub trait Host: Debug + Send + Sync {
    /// Seconds since some moment that stays the same.
    fn seconds(&self) -> f64;

    /// Does the work: aside where it can, else at once.
    fn begin(&self, name: String, work: Box<dyn FnOnce() + Send>) -> Result<()>;

    /// Hears how far a run is: so many samples of so many.
    fn progress(&self, _done: usize, _all: usize) {}
}
