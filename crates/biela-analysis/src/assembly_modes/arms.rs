//! Every posture that brings a tool where it is to be: in closed form where there is one, by search elsewhere.

#![allow(non_snake_case)] // p_B: docs/notation.md.

use super::polynomial::{self, Closure};
use super::{all_from, Mode, Modes, NOT_PROVEN};
use crate::error::{Error, Result};
use crate::ik::chain::{Chain, Correction, Goal};
use crate::ik::{away, beyond, beyond_links, coordinates, left, search, told, Redundancy, Solver, Task, REACHED};
use crate::joints::Axis;
use crate::math::{Pose, Vec3};
use crate::model::Model;
use crate::results::significant;
use crate::signal::Signal;
use crate::solve::assemble::assemble;
use crate::system::{System, Workspace};
use biela_base::sorting::sort_by_key;

/// Radians, or lengths, by which a correction may move the posture of a root: far above rounding.
const STAYS: f64 = 1e-4;
/// Bodies up to which an arm is looked at for parts that close in closed form.
const SMALL: usize = 60;

/// Every posture that brings a tool where it is to be at time `t`. `swapped` is the model with the tool's drivers.
pub fn postures(model: &Model, swapped: &Model, task: &Task, keep: &[String], t: f64) -> Result<Modes> {
    let loose = swapped.with_drivers(&swapped.drivers[..keep.len()]);
    let free = System::new(&loose, "relative")?;
    let mut ws = Workspace::new(&free);
    let q = assemble(&free, &mut ws, t)?;
    ws.realize_position(&free, t, &q);
    let prescribed = Goal::of(task, t, ws.size).rows() > 0;
    match Chain::new(model, task.body).filter(|chain| prescribed && keep.is_empty() && !chain.is_empty()) {
        Some(chain) => {
            let from = coordinates(&chain, &free, &ws);
            let found = of_chain(model, swapped, &chain, (task, t), &from, ws.size);
            let in_parts =
                found.modes.first().filter(|_| !found.complete && model.bodies.len() <= SMALL).and_then(|mode| {
                    let poses = chain.poses(model, &mode.coordinates)?;
                    let plan = super::dyads::Plan::new(swapped, &poses, ws.size)?;
                    plan.closed(&poses)?;
                    all_from(swapped, t, Some(&poses)).ok().filter(|m| m.complete)
                });
            Ok(in_parts.unwrap_or(found))
        }
        None => {
            let system = System::new(swapped, "relative")?;
            let mut solver = Solver::new(&system, free.constraints.len(), ws.size, Redundancy::MinimumNorm, 0.0);
            solver.start(t, &q, |solver| left(solver, task))?;
            let (distance, turn) = away(&mut solver, task);
            if (distance / ws.size).max(turn) > 10.0 * REACHED {
                return Err(Error::new(format!(
                    "no posture found at t = {t} s: the nearest stays {} m and {} rad away",
                    significant(distance, 6),
                    significant(turn, 6)
                )));
            }
            let poses: Vec<Pose> = solver.ws.cache.bodies.iter().map(|b| b.pose).collect();
            all_from(swapped, t, Some(&poses))
        }
    }
}

/// Postures of a serial chain.
fn of_chain(model: &Model, swapped: &Model, chain: &Chain, task: (&Task, f64), from: &[f64], size: f64) -> Modes {
    let goal = Goal::of(task.0, task.1, size);
    let mut found = in_closed_form(chain, &goal);
    if found.as_ref().is_none_or(|f| f.0.is_empty()) {
        // Nothing in closed form: the search has the last word, as it knows no special cases.
        let searched = by_search(chain, &goal, from);
        if found.is_none() || !searched.0.is_empty() {
            found = Some(searched);
        }
    }
    let (mut list, mut complete, mut proof) = found.unwrap_or_default();
    let (mut complex, mut counted) = (None, None);
    let known = list.first().filter(|_| !complete && model.bodies.len() <= SMALL);
    if let Some((all, told)) = known.and_then(|q| by_roots(swapped, chain, &goal, q, size)) {
        (list, complete, proof) = (all, true, format!("complete ({})", told.words));
        (complex, counted) = (Some(told.complex), Some(told.counted));
    }
    let name = |axis: &crate::ik::chain::Axis| {
        let signal = Signal::of_coordinate(model, axis.joint, axis.coordinate);
        (signal.name(model), signal.unit())
    };
    let mode = |coordinates: Vec<f64>| {
        let identity = beyond(model, chain, &coordinates).map_or(String::new(), |w| format!("{}{w}", Mode::OUTSIDE));
        Mode { coordinates, poses: Vec::new(), number: 0.0, identity }
    };
    let mut modes: Vec<Mode> = list.into_iter().map(mode).collect();
    // Those within the limits come first.
    sort_by_key(&mut modes, Mode::is_outside);
    Modes { names: chain.axes().iter().map(name).collect(), modes, complete, proof, complex, counted, numbered: false }
}

/// Postures in closed form, where the chain is of that sort: the list, whether it is complete, and why.
fn in_closed_form(chain: &Chain, goal: &Goal) -> Option<(Vec<Vec<f64>>, bool, String)> {
    let [Some(x), Some(y), Some(z)] = goal.place else { return None };
    let point = Vec3::new(x, y, z);
    let (found, kind) = match goal.rotation {
        Some(rotation) if chain.len() == 6 => {
            let target = Pose::new(rotation, point - rotation.apply(goal.p_B));
            (chain.reach_pose(&target)?, "six axes with a wrist: at most 8")
        }
        None if chain.len() == 3 => (chain.reach_point(goal.p_B, point)?, "three axes: at most 4"),
        _ => return None,
    };
    let mut correction = Correction::default();
    let mut list = Vec::new();
    for mut q in found.angles {
        if correction.correct(chain, goal, &mut q) <= REACHED {
            list.push(chain.wrapped(&q));
        }
    }
    let proof = match found.isolated {
        true => format!("complete ({kind}, in closed form)"),
        false => "each singular one standing for infinitely many".into(),
    };
    Some((list, found.isolated, proof))
}

/// Postures as certified roots, told from one that is known; `None` where it is not proved that they are all.
fn by_roots(swapped: &Model, chain: &Chain, goal: &Goal, known: &[f64], size: f64) -> Option<(Vec<Vec<f64>>, Closure)> {
    let found = polynomial::all(swapped, &chain.poses(swapped, known)?, size).ok().filter(|found| found.complete)?;
    let mut correction = Correction::default();
    let mut list = Vec::new();
    for poses in &found.poses {
        let mut q = Vec::new();
        for axis in chain.axes() {
            let joint = &swapped.joints[axis.joint];
            let [first, second] = [0, 1].map(|side| poses[joint.bodies[side]] * joint.frames[side]);
            let X_FM = first.inverse() * second;
            let freedom = joint.freedom_of(axis.coordinate)?;
            q.push(match (freedom.turning(), freedom.sliding()) {
                (Some((Axis::Z, _)), _) => X_FM.rotation.about_z(),
                (_, Some(Axis::Z)) => X_FM.origin.z,
                _ => return None,
            });
        }
        // Two roots never lead to one posture: what is corrected stays where it was.
        let before = q.clone();
        let off = correction.correct(chain, goal, &mut q);
        let moved = q.iter().zip(&before).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        if off > REACHED || moved > STAYS {
            return None;
        }
        list.push(chain.wrapped(&q));
    }
    Some((list, found))
}

/// Postures by search.
fn by_search(chain: &Chain, goal: &Goal, from: &[f64]) -> (Vec<Vec<f64>>, bool, String) {
    if beyond_links(chain, goal).is_some() {
        return (Vec::new(), true, format!("complete: {}", told(chain, goal, 0)));
    }
    let found = search::postures(chain, goal, from, false);
    let mut proof = match (found.postures.is_empty(), found.freedoms) {
        (true, _) => format!("{NOT_PROVEN}: {}", told(chain, goal, found.starts)),
        (_, 0) => format!("{NOT_PROVEN} (from {} starts)", found.starts),
        (_, 1) => "some of infinitely many: the tool leaves 1 freedom".into(),
        (_, n) => format!("some of infinitely many: the tool leaves {n} freedoms"),
    };
    if found.singular && found.freedoms == 0 {
        proof += "; singular ones may stand for infinitely many";
    }
    if let Some(nearest) = found.nearest.filter(|_| found.postures.is_empty()) {
        let (distance, turn) = goal.away(&chain.pose(&nearest));
        proof += &format!("; the nearest stays {} m and {} rad away", significant(distance, 6), significant(turn, 6));
    }
    (found.postures, false, proof)
}
