//! Which components of reactions the balance of forces determines.
//!
//! Redundant rows let self-balanced forces into a mechanism: any vector n with Φ_vᵀ n = 0 may be added to the multipliers. A
//! component is unique where no such n moves it. One n without any special place in that space shows them all.

use super::{Reactions, Shares};
use crate::math::Vec3;
use crate::signal::Element;
use crate::solve::vectors::max_abs;
use crate::system::{System, Workspace};

/// Components found not to be unique, over all samples looked at.
#[derive(Debug)]
pub struct Marks {
    /// For each joint: fx … mz in ground axes, then in the second body's.
    pub joints: Vec<[bool; 12]>,
    /// For each coupling.
    pub couplings: Vec<bool>,
    /// What the null vector makes of the reactions (scratch).
    probe: Reactions,
    /// Where a null vector has been seen.
    pub redundant: bool,
}

/// Components of a self-balanced set of forces below this fraction of the largest are rounding.
const ROUNDING: f64 = 1e-8;

impl Marks {
    /// Nothing marked yet.
    pub fn new(system: &System) -> Marks {
        Marks {
            joints: vec![[false; 12]; system.model.joints.len()],
            couplings: vec![false; system.model.couplings.len()],
            probe: Reactions::new(system),
            redundant: false,
        }
    }

    /// Marks what the null vector `n` moves at the position realised.
    pub fn look(&mut self, system: &System, shares: &Shares, ws: &mut Workspace, t: f64, n: &[f64]) {
        if n.iter().all(|x| *x == 0.0) {
            return;
        }
        self.redundant = true;
        self.probe.find(system, shares, ws, t, n, &[]);
        let probe = &self.probe;
        // Forces are compared with moments by the size of the mechanism.
        let size = ws.size;
        let mut largest = max_abs(&probe.couplings);
        for wrench in &probe.joints {
            largest = largest.max(wrench.force.norm() * size).max(wrench.moment.norm());
        }
        let least = ROUNDING * largest;
        for ((marks, wrench), joint) in self.joints.iter_mut().zip(&probe.joints).zip(&system.model.joints) {
            let rotation = &ws.cache.bodies[joint.bodies[1]].pose.rotation;
            let (f, m) = (wrench.force * size, wrench.moment);
            let parts: [Vec3; 4] = [f, m, rotation.apply_transposed(f), rotation.apply_transposed(m)];
            for (mark, x) in marks.iter_mut().zip(parts.iter().flat_map(|p| p.to_array())) {
                *mark |= x.abs() > least;
            }
        }
        for (mark, x) in self.couplings.iter_mut().zip(&probe.couplings) {
            *mark |= x.abs() > least;
        }
    }

    /// Names of the signals that are not unique.
    pub fn names(&self, system: &System) -> Vec<String> {
        let model = system.model;
        let joints = (0..self.joints.len()).flat_map(|k| [Element::Reaction(k), Element::LocalReaction(k)]);
        let couplings = (0..self.couplings.len()).map(Element::Coupling);
        let marks = self.joints.iter().flatten().chain(&self.couplings);
        let signals = joints.chain(couplings).flat_map(|element| element.signals(model)).zip(marks);
        signals.filter(|(_, mark)| **mark).map(|(signal, _)| signal.name(model)).collect()
    }
}
