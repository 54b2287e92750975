//! Designs of a model side by side, by whichever way there is: dyad by dyad in closed form, or loops of any kind in joint coordinates.

use super::assur::{self, Assur};
use super::loops::{self, Loops};
use super::newton::Method;
use crate::model::Model;
use crate::results::Results;
use biela_tree::wide::Level;

/// How designs of a model stand side by side.
#[derive(Debug)]
pub enum Designs {
    /// A linkage that closes dyad by dyad.
    Dyads(Box<Assur>),
    /// Any other that joint coordinates describe.
    Loops(Box<Loops>),
}

impl Designs {
    /// For runs of designs of a model, as its study asks for them; `None` where each is to be run alone.
    pub fn of_runs(model: &Model, formulation: &str, method: &'static dyn Method) -> Option<Designs> {
        let dyads = Assur::of_runs(model, formulation, method).map(|plan| Designs::Dyads(Box::new(plan)));
        dyads.or_else(|| Some(Designs::Loops(Box::new(Loops::of_runs(model, method)?))))
    }

    /// For the motions of all bodies at these times, in ascending order: [`super::many::NUMBERS`] of each.
    pub fn of_bodies(model: &Model, formulation: &str, method: &'static dyn Method, times: &[f64]) -> Option<Designs> {
        let dyads = Assur::of_bodies(model, formulation, method, times).map(|plan| Designs::Dyads(Box::new(plan)));
        dyads.or_else(|| Some(Designs::Loops(Box::new(Loops::of_bodies(model, method, times)?))))
    }

    /// A table for the columns of one design, each at its place in a run; those that are not kept have neither name nor values.
    pub fn table(&self) -> Results {
        match self {
            Designs::Dyads(plan) => plan.table(),
            Designs::Loops(plan) => plan.table(),
        }
    }
}

/// A group of designs, as many as registers have lanes.
#[derive(Debug)]
pub enum Group<'p> {
    /// Of a linkage that closes dyad by dyad.
    Dyads(Box<assur::Group<'p>>),
    /// Of any other.
    Loops(loops::Group<'p>),
}

/// The same for either way.
macro_rules! either {
    ($group:expr, $of:ident => $what:expr) => {
        match $group {
            Group::Dyads($of) => $what,
            Group::Loops($of) => $what,
        }
    };
}

impl<'p> Group<'p> {
    /// A group as wide as these registers allow.
    pub fn new(plan: &'p Designs, level: Level) -> Group<'p> {
        match plan {
            Designs::Dyads(plan) => Group::Dyads(Box::new(assur::Group::new(plan, level))),
            Designs::Loops(plan) => Group::Loops(loops::Group::new(plan, level)),
        }
    }

    /// How many designs it holds.
    pub fn width(&self) -> usize {
        either!(self, group => group.width())
    }

    /// Puts a design into a lane; false where it is none of this kind, and is to be run alone.
    pub fn seat(&mut self, lane: usize, design: &Model) -> bool {
        either!(self, group => group.seat(lane, design))
    }

    /// Follows all designs that are seated.
    pub fn run(&mut self) {
        either!(self, group => group.run());
    }

    /// The same, with the numbers of each lane put into a row: those of the first time, then those of the next. There are as many rows as designs are
    /// seated in the first lanes, each as long as all its numbers.
    pub fn run_into(&mut self, rows: &mut [&mut [f64]]) {
        either!(self, group => group.run_into(rows));
    }

    /// Whether a design has come to its end; if not, it is to be run alone.
    pub fn is_whole(&self, lane: usize) -> bool {
        either!(self, group => group.is_whole(lane))
    }

    /// Fills the [table](Designs::table) of a design.
    pub fn fill(&self, lane: usize, table: &mut Results) {
        either!(self, group => group.fill(lane, table));
    }
}
