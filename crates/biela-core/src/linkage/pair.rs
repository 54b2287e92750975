//! Two links, and what lies between them.

use crate::joints::{Axis, Joint};
use crate::model::{Mechanism, GROUND};

/// Two links of a planar linkage. The first comes first in the model; the ground before all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// The bodies.
    pub bodies: [usize; 2],
    /// What lies between them.
    pub tie: Tie,
}

/// What lies between two links: by this their instant centre is known, or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tie {
    /// A joint about a point, which is the centre.
    Pivot(usize),
    /// A joint that slides alone: the centre is at infinity.
    Slide(usize),
    /// None of these: the centre follows from the motion.
    Apart,
}

/// Linkages of more bodies tell the centres of links that touch, and of each with the ground, alone: n bodies have n(n − 1)/2.
const MANY: usize = 16;

/// Every pair of links whose instant centre is told.
pub fn pairs(mechanism: &Mechanism) -> Vec<Pair> {
    let count = mechanism.bodies.len();
    let ties: Vec<(Option<bool>, [usize; 2])> = mechanism.joints.iter().map(|j| (pivots(j), j.bodies)).collect();
    let mut found = Vec::new();
    for a in 0..count {
        for b in a + 1..count {
            let tie = tie_of(&ties, a, b);
            if count <= MANY || a == GROUND || tie != Tie::Apart {
                found.push(Pair { bodies: [a, b], tie });
            }
        }
    }
    found
}

/// The pair of these two, in the order of the model.
pub fn pair(mechanism: &Mechanism, a: usize, b: usize) -> Option<Pair> {
    let tie = tie(mechanism, a, b);
    let told = mechanism.bodies.len() <= MANY || a == GROUND || tie != Tie::Apart;
    (a < b && told).then_some(Pair { bodies: [a, b], tie })
}

/// What lies between two bodies.
pub fn tie(mechanism: &Mechanism, a: usize, b: usize) -> Tie {
    let ties: Vec<(Option<bool>, [usize; 2])> = mechanism
        .joints
        .iter()
        .map(|j| (if is_between(j.bodies, a, b) { pivots(j) } else { None }, j.bodies))
        .collect();
    tie_of(&ties, a, b)
}

fn is_between(bodies: [usize; 2], a: usize, b: usize) -> bool {
    bodies == [a, b] || bodies == [b, a]
}

fn tie_of(ties: &[(Option<bool>, [usize; 2])], a: usize, b: usize) -> Tie {
    let found = |pivot: bool| ties.iter().position(|(own, bodies)| *own == Some(pivot) && is_between(*bodies, a, b));
    found(true).map(Tie::Pivot).or_else(|| found(false).map(Tie::Slide)).unwrap_or(Tie::Apart)
}

/// Whether a joint of a planar linkage turns about a point (true), or slides alone (false); `None` for any other.
fn pivots(joint: &Joint) -> Option<bool> {
    let list = joint.freedoms()?;
    let turn = list.iter().find_map(|f| f.turning()).map(|t| t.0);
    let turns = list.iter().any(|f| f.turning().is_some() || f.is_attitude());
    let along = |axis: Axis| turn == Some(axis);
    match (turns, list.len()) {
        (_, 0) => None,
        (true, _) => list.iter().all(|f| f.sliding().is_none_or(along)).then_some(true),
        (false, 1) => Some(false),
        (false, _) => None,
    }
}
