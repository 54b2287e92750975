//! Why a loop cannot close: the dimension at fault.
//!
//! In a loop of pivots and balls each body is a side: the distance of its two joint points. A joint that a driver holds makes
//! one side of its two bodies. Sides close only if the longest is not longer than all others together.

#![allow(non_snake_case)] // X: a pose between bodies (docs/notation.md).

use crate::drivers::Target;
use crate::math::{Pose, Vec3};
use crate::model::graph::Forest;
use crate::model::Model;
use crate::results::significant;

/// A side of a loop: the joints at its ends and its length.
struct Side {
    ends: [usize; 2],
    length: f64,
}

/// Loops whose sides cannot meet at time `t`, in words such as `BC + CD = 380 mm < 412 mm = DB`.
pub fn faults(model: &Model, t: f64) -> Vec<String> {
    let forest = Forest::new(model);
    let mut up: Vec<Option<(usize, usize)>> = vec![None; model.bodies.len()];
    for branch in &forest.branches {
        up[branch.body] = branch.joint.map(|joint| (branch.parent, joint));
    }
    let to_ground = |mut body: usize| {
        let mut path = vec![(body, usize::MAX)];
        while let Some((parent, joint)) = up[body] {
            path.push((parent, joint));
            body = parent;
        }
        path
    };
    let mut found = Vec::new();
    for cut in &forest.cut {
        let [a, b] = model.joints[*cut].bodies;
        let (left, right) = (to_ground(a), to_ground(b));
        let Some((i, j)) =
            left.iter().enumerate().find_map(|(i, x)| right.iter().position(|y| y.0 == x.0).map(|j| (i, j)))
        else {
            continue;
        };
        // Bodies and joints round the loop: joints[k] leads from bodies[k] to bodies[k + 1].
        let mut bodies: Vec<usize> = left[..=i].iter().rev().map(|x| x.0).collect();
        let mut joints: Vec<usize> = left[1..=i].iter().rev().map(|x| x.1).collect();
        joints.push(*cut);
        bodies.extend(right[..j].iter().map(|x| x.0));
        joints.extend(right[1..=j].iter().map(|x| x.1));
        if let Some(text) = sides(model, &bodies, &joints, t).and_then(|sides| fault(model, &sides)) {
            if !found.contains(&text) {
                found.push(text);
            }
        }
    }
    found
}

/// The sides of a loop; `None` where it has a joint that is no pivot.
fn sides(model: &Model, bodies: &[usize], joints: &[usize], t: f64) -> Option<Vec<Side>> {
    let n = bodies.len();
    if joints.len() != n {
        return None;
    }
    let held = |joint: usize| {
        model.drivers.iter().find_map(|d| match &d.target {
            Target::Coordinate { of, value } if of.joint == joint => Some(value.jet(t).v),
            _ => None,
        })
    };
    let side_of = |joint: usize, body: usize| usize::from(model.joints[joint].bodies[1] == body);
    let free: Vec<usize> = (0..n).filter(|k| held(joints[*k]).is_none()).collect();
    let pivots = |k: &usize| matches!(model.joints[joints[*k]].kind.keyword(), "revolute" | "spherical" | "universal");
    if free.len() < 2 || !free.iter().all(pivots) {
        return None;
    }
    let mut made = Vec::new();
    for (at, from) in free.iter().enumerate() {
        // From the joint `from` into the body after it, through joints that are held, to the next free one.
        let to = free[(at + 1) % free.len()];
        let first = bodies[(from + 1) % n];
        let start = model.joints[joints[*from]].frames[side_of(joints[*from], first)].origin;
        let mut X = Pose::IDENTITY;
        let mut k = (from + 1) % n;
        while k != to {
            let joint = &model.joints[joints[k]];
            let (near, far) = (side_of(joints[k], bodies[k]), side_of(joints[k], bodies[(k + 1) % n]));
            let (value, hinge) = (held(joints[k])?, joint.kind.hinge()?);
            if hinge.nq() != 1 {
                return None;
            }
            let motion = hinge.pose(joint, &[value]);
            let motion = if near == 0 { motion } else { motion.inverse() };
            X = X * joint.frames[near] * motion * joint.frames[far].inverse();
            k = (k + 1) % n;
        }
        let end: Vec3 = X.apply(model.joints[joints[to]].frames[side_of(joints[to], bodies[to])].origin);
        made.push(Side { ends: [joints[*from], joints[to]], length: (end - start).norm() });
    }
    Some(made)
}

fn fault(model: &Model, sides: &[Side]) -> Option<String> {
    /// What rounding of the dimensions may leave open.
    const ROUNDING: f64 = 1e-9;
    let longest = (0..sides.len()).max_by(|a, b| sides[*a].length.total_cmp(&sides[*b].length))?;
    let rest: f64 = sides.iter().enumerate().filter(|(k, _)| *k != longest).map(|(_, s)| s.length).sum();
    let length = sides[longest].length;
    if !(length.is_finite() && rest < length * (1.0 - ROUNDING)) {
        return None;
    }
    let name = |side: &Side| {
        let [a, b] = side.ends.map(|j| model.joints[j].name.as_str());
        let short = a.chars().count() == 1 && b.chars().count() == 1;
        if short {
            format!("{a}{b}")
        } else {
            format!("{a}\u{2013}{b}")
        }
    };
    let others: Vec<String> = (0..sides.len()).filter(|k| *k != longest).map(|k| name(&sides[k])).collect();
    let (factor, unit) = if length < 1.0 { (1e3, "mm") } else { (1.0, "m") };
    Some(format!(
        "{} = {} {unit} < {} {unit} = {}",
        others.join(" + "),
        significant(factor * rest, 6),
        significant(factor * length, 6),
        name(&sides[longest])
    ))
}
