//! Two links, and what lies between them.

use crate::joints::{Axis, Joint};
use crate::model::{Mechanism, GROUND};
use std::collections::BTreeMap;

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

/// What lies between the bodies of a mechanism, found once.
#[derive(Debug)]
pub struct Ties(BTreeMap<[usize; 2], Tie>);

impl Ties {
    /// Those of a mechanism.
    pub fn of(mechanism: &Mechanism) -> Ties {
        let mut ties = BTreeMap::new();
        for (k, joint) in mechanism.joints.iter().enumerate() {
            let Some(pivot) = pivots(joint) else { continue };
            let [a, b] = joint.bodies;
            let slot = ties.entry([a.min(b), a.max(b)]).or_insert(Tie::Apart);
            *slot = match (*slot, pivot) {
                (Tie::Pivot(_), _) | (Tie::Slide(_), false) => *slot,
                (_, true) => Tie::Pivot(k),
                (_, false) => Tie::Slide(k),
            };
        }
        Ties(ties)
    }

    /// What lies between two bodies.
    pub fn between(&self, a: usize, b: usize) -> Tie {
        self.0.get(&[a.min(b), a.max(b)]).copied().unwrap_or(Tie::Apart)
    }
}

/// Every pair of links whose instant centre is told, in the order of the model.
pub fn pairs(mechanism: &Mechanism) -> Vec<Pair> {
    let (count, ties) = (mechanism.bodies.len(), Ties::of(mechanism));
    let told = |a: usize, b: usize| Pair { bodies: [a, b], tie: ties.between(a, b) };
    if count <= MANY {
        return (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))).map(|(a, b)| told(a, b)).collect();
    }
    let grounded = (1..count).map(|b| told(GROUND, b));
    let touching = ties.0.keys().filter(|bodies| bodies[0] != GROUND).map(|[a, b]| told(*a, *b));
    grounded.chain(touching).collect()
}

/// The pair of these two, in the order of the model.
pub fn pair(mechanism: &Mechanism, a: usize, b: usize) -> Option<Pair> {
    let tie = tie(mechanism, a, b);
    let told = mechanism.bodies.len() <= MANY || a == GROUND || tie != Tie::Apart;
    (a < b && told).then_some(Pair { bodies: [a, b], tie })
}

/// What lies between two bodies.
pub fn tie(mechanism: &Mechanism, a: usize, b: usize) -> Tie {
    let between = |j: &Joint| j.bodies == [a, b] || j.bodies == [b, a];
    let found = |pivot: bool| mechanism.joints.iter().position(|j| between(j) && pivots(j) == Some(pivot));
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
