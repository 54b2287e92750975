//! What a picture or film is to be: which sample, how wide, how fast.

use super::look::Look;

/// What to write beside the scene and its motion.
#[derive(Clone, Copy)]
pub struct Choice<'a> {
    /// Sample of a still picture.
    pub sample: usize,
    /// Width of a picture in pixels.
    pub width: usize,
    /// What a picture shows, and from where.
    pub look: &'a Look,
    /// How fast a film runs.
    pub pace: Pace,
    /// Hears how many frames of how many are done; a film ends where it says no.
    pub told: &'a (dyn Fn(usize, usize) -> bool + Sync),
}

impl<'a> Choice<'a> {
    /// The usual picture of a sample, with that look.
    pub fn new(sample: usize, width: usize, look: &'a Look) -> Choice<'a> {
        Choice { sample, width, look, pace: Pace::default(), told: &|_, _| true }
    }
}

/// How fast a film runs, and how long.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    /// Frames a second.
    pub fps: f64,
    /// Seconds of the film. If not given each sample is shown a 25th of a second, and at most 121 are.
    pub seconds: Option<f64>,
}

impl Pace {
    /// Frames a second where nothing is said of them.
    pub const USUAL: f64 = 25.0;
}

impl Default for Pace {
    fn default() -> Pace {
        Pace { fps: Pace::USUAL, seconds: None }
    }
}
