//! What an optimisation is after, as data: parameters between bounds, curves to be met, numbers to be made small, limits to be
//! kept.

use super::{Plan, Wanted};

/// Starts that are refined where no number is given.
pub const USUAL_STARTS: u64 = 10;
/// Designs that are looked at for good starts where no number is given.
pub const USUAL_DESIGNS: u64 = 500;
/// Most starts: more would outlast their purpose.
pub const MOST_STARTS: u64 = 100_000;
/// Corrections of one start, at most, where no number is given.
pub const USUAL_ITERATIONS: usize = 200;

/// What an optimisation is after.
#[derive(Debug, Clone)]
pub struct Goal {
    /// The parameters, uniform between their bounds, and the designs among which starts are chosen: a Latin hypercube.
    pub plan: Plan,
    /// Least and greatest value of each.
    pub bounds: Vec<(f64, f64)>,
    /// How many designs are refined, the model's own among them.
    pub starts: u64,
    /// Corrections of one start, at most.
    pub iterations: usize,
    /// Curves to be met.
    pub fits: Vec<Fit>,
    /// Measures to be made small.
    pub minimise: Vec<Wanted>,
    /// Measures to be kept within limits.
    pub limits: Vec<Limit>,
}

/// A curve to be met, in one or several signals at once.
#[derive(Debug, Clone)]
pub struct Fit {
    /// Its name.
    pub name: String,
    /// Expressions of signals and parameters.
    pub signals: Vec<Wanted>,
    /// What they are to be.
    pub target: Target,
    /// Factor of its squared differences.
    pub weight: f64,
}

/// What signals are to be.
#[derive(Debug, Clone)]
pub enum Target {
    /// These values at these times.
    Timed(Vec<f64>, Vec<Vec<f64>>),
    /// These values at any times that follow each other, forwards or backwards.
    Untimed(Vec<Vec<f64>>),
    /// These expressions of time and parameters, one for each signal, at every sample of the run.
    Curve(Vec<Wanted>),
}

impl Target {
    /// Number of points, where that is known without a run.
    pub fn points(&self) -> Option<usize> {
        match self {
            Target::Timed(_, rows) | Target::Untimed(rows) => Some(rows.len()),
            Target::Curve(_) => None,
        }
    }
}

/// A measure to be kept within limits.
#[derive(Debug, Clone)]
pub struct Limit {
    /// What is measured.
    pub measure: Wanted,
    /// Least value allowed.
    pub lower: Option<f64>,
    /// Greatest value allowed.
    pub upper: Option<f64>,
}
