//! Where a motion under forces was left, so that another run can go on from there as if there had been one.

use super::initial::Start;
use super::Point;
use crate::error::{Error, Result};
use crate::math::EulerParameters;
use crate::system::{System, Turns, Workspace};

/// The state at a time: all that a motion needs to go on.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    /// Time.
    pub t: f64,
    /// Coordinates, in the formulation of the run.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// Work done since the start by everything that has no potential.
    pub work: f64,
    /// Turns counted.
    pub turns: Turns,
    /// Length by which lengths are divided, and the largest residual that counts as closed.
    size: f64,
    accepted: f64,
    /// Energies at play so far.
    pub(super) at_play: f64,
    /// Length of the next step.
    pub(super) step: f64,
}

/// Numbers of a checkpoint besides its lists.
const PLAIN: usize = 6;

impl Checkpoint {
    /// Of a point whose turns are counted in the arrays.
    pub(super) fn new(point: &Point, ws: &Workspace, (at_play, step): (f64, f64)) -> Checkpoint {
        Checkpoint {
            t: point.t,
            q: point.q.clone(),
            v: point.v.clone(),
            work: point.work,
            turns: Turns::of(ws),
            size: ws.size,
            accepted: ws.accepted,
            at_play,
            step,
        }
    }

    /// The start of a run that goes on from here.
    pub(super) fn start(&self, system: &System) -> Result<Start> {
        let mut ws = Workspace::new(system);
        let formulation = &system.formulation;
        if self.q.len() != formulation.nq() || self.v.len() != formulation.nv() || !self.turns.fit(system) {
            return Err(Error::new("the state to go on from is one of another mechanism or formulation"));
        }
        (ws.size, ws.accepted) = (self.size, self.accepted);
        self.turns.count_on(&mut ws);
        ws.realize_position(system, self.t, &self.q);
        ws.realize_jacobian(system, self.t);
        let point = Point { t: self.t, q: self.q.clone(), v: self.v.clone(), work: self.work };
        Ok(Start { point, ws, said: Vec::new() })
    }

    /// All of it as numbers, to be kept outside.
    pub fn numbers(&self) -> Vec<f64> {
        let Turns { near, attitudes, headings } = &self.turns;
        let lists = [&self.q, &self.v, near, headings];
        let mut numbers = vec![self.t, self.work, self.size, self.accepted, self.at_play, self.step];
        numbers.extend(lists.iter().map(|list| list.len() as f64));
        numbers.push(attitudes.len() as f64);
        lists.iter().for_each(|list| numbers.extend_from_slice(list));
        attitudes.iter().for_each(|e| numbers.extend(e.0));
        numbers
    }

    /// What [`Checkpoint::numbers`] gave; `None` for anything else.
    pub fn from_numbers(numbers: &[f64]) -> Option<Checkpoint> {
        let (plain, rest) = numbers.split_at_checked(PLAIN)?;
        let (lengths, mut rest) = rest.split_at_checked(5)?;
        let whole = |x: &f64| (x.fract() == 0.0 && (0.0..=numbers.len() as f64).contains(x)).then_some(*x as usize);
        let lengths: Vec<usize> = lengths.iter().map(whole).collect::<Option<_>>()?;
        let mut take = |count: usize| {
            let (list, left) = rest.split_at_checked(count)?;
            rest = left;
            Some(list.to_vec())
        };
        let [q, v, near, headings] = [take(lengths[0])?, take(lengths[1])?, take(lengths[2])?, take(lengths[3])?];
        let attitudes = take(4 * lengths[4])?;
        let attitudes = attitudes.chunks_exact(4).map(|e| EulerParameters([e[0], e[1], e[2], e[3]])).collect();
        let turns = Turns { near, attitudes, headings };
        if !rest.is_empty() || numbers.iter().any(|x| x.is_nan()) {
            return None;
        }
        let [t, work, size, accepted, at_play, step] = *plain else { return None };
        Some(Checkpoint { t, q, v, work, turns, size, accepted, at_play, step })
    }
}
