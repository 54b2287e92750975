//! Linkages that pass points or poses, or turn their output as a function of their input: all of them.
//!
//! ```text
//! Synthesis ──► equations of a pair of pins, or of a coupler curve ──► all roots, certified ──► linkages ──► judged, refused, ranked
//! ```
//! | file | idea |
//! |---|---|
//! | `dyads` | two pins a fixed distance apart in all positions |
//! | `function`, `motion`, `path`, `spherical` | a task as such pairs; paths without timing by coupler curves |
//! | `curves` | coupler curves through points, of which some dimensions may be given |
//! | `linkage` | what was found: a linkage in each of its positions |
//! | `judge` | its class, defects and transmission angle; which are refused; ranks |
//! | `told` | the outcome for people and for programs |
//! | `written` | a design as the text of a model |

mod curves;
mod dyads;
mod function;
mod judge;
mod linkage;
mod motion;
mod path;
mod spherical;
mod told;
mod written;

pub use judge::Judged;
pub use linkage::{Carried, Linkage, Shape};

use crate::error::{Error, Result};
use crate::task::{Family, Synthesis, Task};
pub use biela_roots::Complex;
use biela_roots::{Options, Refusal};
use std::sync::atomic::AtomicBool;

/// What a synthesis may use.
#[derive(Debug, Clone, Copy)]
pub struct Work<'a> {
    /// Threads.
    pub threads: usize,
    /// Set by somebody else, it ends the work.
    pub stop: Option<&'a AtomicBool>,
}

impl<'a> Work<'a> {
    fn options(&self) -> Options<'a> {
        Options { threads: self.threads, stop: self.stop, ..Options::default() }
    }
}

/// A linkage that fulfils the task.
#[derive(Debug, Clone)]
pub struct Design {
    /// Number of the solution it belongs to, from 1; cognates have the same.
    pub curve: usize,
    /// The linkage.
    pub linkage: Linkage,
    /// What is to be said of it.
    pub judged: Judged,
    /// Its dimensions by name, SI.
    pub parameters: Vec<(&'static str, f64)>,
    /// The text of its model.
    pub model: String,
}

/// What was found.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// All roots of the equations.
    pub roots: usize,
    /// Solutions, with those that are not real.
    pub complex: usize,
    /// Real ones.
    pub real: usize,
    /// Whether these are proved to be all.
    pub complete: bool,
    /// Whether roots are multiple or lie on curves.
    pub singular: bool,
    /// On what that rests, or why it is not so.
    pub proof: String,
    /// Designs, the best first.
    pub designs: Vec<Design>,
    /// Designs that the limits refuse.
    pub refused: usize,
    /// Curves on which pivots lie: centre points, and circle points in the first position.
    pub curves: [Vec<[f64; 2]>; 2],
}

/// What the solver of a task hands on.
#[derive(Debug, Default)]
pub(crate) struct Found {
    outcome: Outcome,
    linkages: Vec<(usize, Linkage)>,
}

/// All linkages of the family that fulfil the task.
///
/// # Errors
/// Where dimensions are given that contradict each other or too many, or it was told to stop.
pub fn synthesise(asked: &Synthesis, work: &Work) -> Result<Outcome> {
    let found = match (&asked.task, asked.family) {
        (Task::Path(points, None), _) => curves::through(points, asked, work)?,
        (Task::Path(points, Some(timing)), _) => path::timed(points, timing, asked, work)?,
        (Task::Function(pairs), Family::SixBar) => function::six_bar(pairs, asked, work)?,
        (Task::Function(pairs), Family::Spherical) => spherical::function(pairs, asked, work)?,
        (Task::Function(pairs), Family::SliderCrank) => function::slider_crank(pairs, asked, work)?,
        (Task::Function(pairs), Family::FourBar) => function::four_bar(pairs, asked, work)?,
        (Task::Motion(poses), _) => motion::through(poses, asked, work)?,
        (Task::Orientations(list), _) => spherical::motion(list, asked, work)?,
    };
    let Found { mut outcome, linkages } = found;
    let mut designs = Vec::new();
    for (curve, linkage) in linkages {
        let (linkage, judged) = judge::best(linkage);
        if judge::refused(&linkage, &judged, &asked.limits) {
            outcome.refused += 1;
            continue;
        }
        designs.push((curve, linkage, judged));
    }
    designs.sort_by(|a, b| judge::rank(&a.1, &a.2).total_cmp(&judge::rank(&b.1, &b.2)));
    outcome.designs = designs
        .into_iter()
        .enumerate()
        .map(|(k, (curve, linkage, judged))| {
            let title = format!("{} {}", asked.name, k + 1);
            let (parameters, model) = written::model(&title, &linkage, &judged, &asked.task);
            Design { curve, linkage, judged, parameters, model }
        })
        .collect();
    Ok(outcome)
}

/// A refusal of the solver in words.
fn refusal(refused: Refusal) -> Error {
    match refused {
        Refusal::Cancelled => Error::new("stopped"),
        other => Error::new(format!("the equations of this task cannot be solved: {other}")).note(
            "positions that repeat each other, or lie on one line with nothing turning, leave infinitely many linkages",
        ),
    }
}

fn point(p: [f64; 2]) -> Complex {
    Complex::new(p[0], p[1])
}

/// z as a point.
fn place(z: Complex) -> [f64; 2] {
    [z.re, z.im]
}

/// The direction of a vector.
fn angle(z: Complex) -> f64 {
    use crate::math::Elementary;
    z.im.arctangent2(z.re)
}

/// Part of a product across: positive where b lies counterclockwise of a.
fn cross(a: Complex, b: Complex) -> f64 {
    a.re * b.im - a.im * b.re
}
