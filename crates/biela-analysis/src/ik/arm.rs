//! A tool on a serial chain: the search for postures where following the path does not lead to its poses, or leads beyond joint limits.

#![allow(non_snake_case)] // p_B: a point in its body's frame (docs/notation.md).

use super::chain::{Chain, Goal};
use super::{away, search, Solver, Task, REACHED};
use crate::model::Model;
use crate::results::significant;
use crate::signal::Element;
use crate::system::{System, Workspace};

/// A serial chain that carries the tool, with the places of its coordinates in a system.
pub(super) struct Arm {
    pub chain: Chain,
    /// Of each coordinate: place among q, and measure.
    places: Vec<(usize, usize)>,
}

/// Searches in vain along one path: each takes up to some tenths of a second.
const SEARCHES: usize = 24;

impl Arm {
    /// The arm that carries a task's tool, where the mechanism is one.
    pub fn new(model: &Model, system: &System, task: &Task) -> Option<Arm> {
        let chain = Chain::new(model, task.body)?;
        let place = |axis: &super::chain::Axis| {
            let [q, _] = system.formulation.joint_places(axis.body)?;
            let of = |c: &&(usize, usize, usize)| c.0 == axis.joint && c.1 == axis.coordinate;
            let measure = system.constraints.coordinates().iter().find(of)?.2;
            (axis.coordinate < q.len()).then_some((q.start + axis.coordinate, measure))
        };
        let places = chain.axes().iter().map(place).collect::<Option<Vec<_>>>()?;
        Some(Arm { chain, places })
    }

    /// The chain's coordinates among q.
    fn read(&self, q: &[f64]) -> Vec<f64> {
        self.places.iter().map(|(at, _)| q[*at]).collect()
    }

    /// q with the chain's coordinates replaced.
    fn written(&self, q: &[f64], posture: &[f64]) -> Vec<f64> {
        let mut q = q.to_vec();
        self.places.iter().zip(posture).for_each(|((at, _), x)| q[*at] = *x);
        q
    }

    /// Coordinates beyond their limits, in words.
    pub fn beyond(&self, model: &Model, posture: &[f64]) -> Option<String> {
        beyond(model, &self.chain, posture)
    }
}

/// Coordinates of a posture that are beyond their limits, in words.
pub fn beyond(model: &Model, chain: &Chain, posture: &[f64]) -> Option<String> {
    let word = |(axis, x): (&super::chain::Axis, &f64)| {
        if axis.within(*x) {
            return None;
        }
        let limit = axis.limits.iter().flatten().find(|l| (**l > *x) == (axis.limits[0] == Some(**l)))?;
        let side = if x < limit { "below" } else { "above" };
        let name = Element::Coordinate(axis.joint, axis.coordinate).name(model);
        Some(format!("{name} = {} {side} its limit {}", significant(*x, 6), significant(*limit, 6)))
    };
    let words: Vec<String> = chain.axes().iter().zip(posture).filter_map(word).collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// What is told about poses that following alone does not reach.
#[derive(Default)]
pub(super) struct Reach {
    /// Why the first pose that is not reached is taken to be out of reach.
    pub unreached: Option<String>,
    /// What is beyond its limits at the first pose.
    pub outside: Option<String>,
    vain: usize,
    /// Poses out of reach one after the other, and at which of them the next search is made.
    stretch: usize,
    next: usize,
}

/// Brings an arm's tool to its first target: from the position `q`, and if that fails or leads beyond limits, by search.
pub(super) fn start(solver: &mut Solver, arm: &Arm, task: &Task, model: &Model, t: f64, q: &[f64]) -> Reach {
    let mut reach = Reach { next: 1, ..Reach::default() };
    let local = solver.near(t, q).is_ok() && met(solver, task);
    let here = arm.chain.wrapped(&arm.read(&solver.q));
    if local && arm.chain.outside(&here).is_none() {
        if arm.chain.is_limited() {
            go_to(solver, arm, t, &arm.written(&solver.q, &here));
        }
        return reach;
    }
    let goal = Goal::of(task, t, solver.ws.size);
    let found = search::postures(&arm.chain, &goal, &arm.read(q), true);
    let inside = found.postures.iter().find(|p| arm.chain.outside(p).is_none());
    match inside.or(found.postures.first().filter(|_| !local)) {
        Some(posture) => go_to(solver, arm, t, &arm.written(q, posture)),
        None if local => {}
        None => {
            nearest_of(solver, arm, task, t, q, &found);
            reach.unreached = Some(told(&arm.chain, &goal, found.starts));
        }
    }
    if met(solver, task) {
        // No posture within the limits: either there is none, or none was found.
        reach.outside = arm.beyond(model, &arm.read(&solver.q));
    }
    reach
}

/// Looks for another posture where the path has led away from its pose. True where the arm jumps to it.
pub(super) fn recover(solver: &mut Solver, arm: &Arm, task: &Task, reach: &mut Reach) -> bool {
    if met(solver, task) {
        (reach.stretch, reach.next) = (0, 1);
        return false;
    }
    reach.stretch += 1;
    // Neighbouring poses are much alike: searches are made ever less often.
    if reach.stretch < reach.next || reach.vain >= SEARCHES {
        return false;
    }
    reach.next = 2 * reach.stretch;
    let (t, q) = (solver.t, solver.q.clone());
    let goal = Goal::of(task, t, solver.ws.size);
    let found = search::postures(&arm.chain, &goal, &arm.read(&q), true);
    let within = found.postures.iter().find(|p| arm.chain.outside(p).is_none());
    if let Some(posture) = within.or(found.postures.first()) {
        go_to(solver, arm, t, &arm.written(&q, posture));
        return true;
    }
    reach.vain += 1;
    reach.unreached.get_or_insert_with(|| told(&arm.chain, &goal, found.starts));
    false
}

/// Whether the tool is where it should be, which rows of an orientation do not tell by themselves: they vanish at half turns too.
fn met(solver: &mut Solver, task: &Task) -> bool {
    let (distance, turn) = away(solver, task);
    distance <= REACHED * solver.ws.size * 10.0 && turn <= REACHED * 10.0
}

/// Goes on from a posture, on the turns that it names.
fn go_to(solver: &mut Solver, arm: &Arm, t: f64, q: &[f64]) {
    solver.ws.realize_position(solver.system, t, q);
    let given: Vec<(usize, f64)> = arm.places.iter().map(|(at, measure)| (*measure, q[*at])).collect();
    solver.system.constraints.choose_turns(t, &given, &mut solver.ws.evaluation);
    solver.resume(t, q);
}

/// Of the position that following leads to and the nearest that the search has found the nearer one.
fn nearest_of(solver: &mut Solver, arm: &Arm, task: &Task, t: f64, q: &[f64], found: &search::Found) {
    let size = solver.ws.size;
    let nearest = |solver: &mut Solver, t: f64, q: &[f64]| {
        if solver.near(t, q).is_err() {
            return None;
        }
        let (distance, turn) = away(solver, task);
        Some((distance / size + turn, solver.q.clone()))
    };
    let mut best = nearest(solver, t, q);
    if let Some(posture) = &found.nearest {
        let there = arm.written(q, posture);
        let raw = {
            go_to(solver, arm, t, &there);
            let (distance, turn) = away(solver, task);
            (distance / size + turn, there.clone())
        };
        for other in [Some(raw), nearest(solver, t, &there)].into_iter().flatten() {
            if best.as_ref().is_none_or(|b| other.0 < b.0) {
                best = Some(other);
            }
        }
    }
    if let Some((_, q)) = best {
        go_to(solver, arm, t, &q);
    }
}

/// Why a goal is taken to be out of reach.
pub fn told(chain: &Chain, goal: &Goal, starts: usize) -> String {
    match beyond_links(chain, goal) {
        Some((gap, reach)) => format!(
            "it is at least {} m from the first axis, and the links together reach {} m",
            significant(gap, 6),
            significant(reach, 6)
        ),
        None => format!("no posture found from {starts} starts spread over all joint coordinates"),
    }
}

/// Distance of the goal from the first axis's point, and the sum of all lengths, where the former is greater.
pub fn beyond_links(chain: &Chain, goal: &Goal) -> Option<(f64, f64)> {
    let first = chain.axes().first()?.origin;
    let mut reach = (chain.home.apply(goal.p_B) - chain.axes().last()?.origin).norm();
    for pair in chain.axes().windows(2) {
        reach += (pair[1].origin - pair[0].origin).norm();
    }
    for axis in chain.axes().iter().filter(|a| a.advance != 0.0) {
        let [low, high] = [axis.limits[0]?, axis.limits[1]?];
        reach += axis.advance.abs() * low.abs().max(high.abs());
    }
    let gap = (0..3).filter_map(|k| goal.place[k].map(|x| x - first[k])).map(|x| x * x).sum::<f64>().sqrt();
    (gap > reach * (1.0 + 1e-9)).then_some((gap, reach))
}

/// Coordinates of the chain in a position realised.
pub fn coordinates(chain: &Chain, system: &System, ws: &Workspace) -> Vec<f64> {
    let value = |axis: &super::chain::Axis| {
        let of = |c: &&(usize, usize, usize)| c.0 == axis.joint && c.1 == axis.coordinate;
        let measure = system.constraints.coordinates().iter().find(of);
        measure.map_or(0.0, |c| system.constraints.value(c.2, &ws.evaluation))
    };
    chain.axes().iter().map(value).collect()
}
