//! Configurations of a robot.

use super::{Limit, Robot};
use crate::math::random::Random;
use crate::model::Model;
use crate::tree::configuration;
use crate::tree::rotors::Coupled;
use crate::tree::NodeKind;

/// What bounds each velocity coordinate: a joint's limits are those of its first one.
pub(super) fn limits(model: &Model, tree: &Coupled) -> Vec<Limit> {
    let mut list = vec![Limit { position: [None; 2], velocity: None, effort: None, closed: false }; tree.nv];
    for joint in tree.extended.joints.iter().filter(|j| j.v < tree.nv && j.q_names.len() == j.v_names.len()) {
        let Some(k) = model.joint(&joint.name) else { continue };
        let given = model.joints[k].limits;
        let own = &mut list[joint.v];
        (own.position, own.velocity, own.effort) = ([given.lower, given.upper], given.velocity, given.effort);
    }
    for node in tree.extended.nodes.iter().filter(|node| node.v < tree.nv) {
        let turns = node.kind == NodeKind::Axis && node.angle != 0.0 && node.lead == 0.0;
        let own = &mut list[node.v];
        own.closed = turns && own.position == [None; 2];
    }
    // A whole turn does not lead back where another joint follows by a part of it.
    for joint in tree.extended.joints.iter().filter(|j| j.v < tree.nv) {
        if tree.followers.iter().any(|f| f.leader == joint.name && f.ratio.fract() != 0.0) {
            list[joint.v..joint.v + joint.v_names.len().max(1)].iter_mut().for_each(|own| own.closed = false);
        }
    }
    list
}

impl Robot {
    /// Coordinates at zero, with attitudes at the identity.
    pub fn neutral(&self) -> Vec<f64> {
        let mut q = self.tree.extended.neutral();
        q.truncate(self.nq());
        q
    }

    /// A configuration drawn evenly: within limits where there are some, else turns from −π to π and slides from −1 to 1.
    pub fn random(&self, random: &mut Random) -> Vec<f64> {
        let limits: Vec<[Option<f64>; 2]> = self.limits.iter().map(|l| l.position).collect();
        let mut q = self.neutral();
        configuration::random(&self.tree.extended, random, &limits, &mut q);
        q
    }

    /// The configuration after a displacement `dv`, in velocity coordinates, from `q`.
    pub fn integrate(&self, q: &[f64], dv: &[f64], out: &mut [f64]) {
        configuration::integrate(&self.tree.extended, q, dv, out);
    }

    /// The shortest displacement from one configuration to another, in velocity coordinates.
    pub fn difference(&self, from: &[f64], to: &[f64], dv: &mut [f64]) {
        let closed: Vec<bool> = self.limits.iter().map(|l| l.closed).collect();
        configuration::difference(&self.tree.extended, from, to, &closed, dv);
    }

    /// Least and greatest position, greatest rate and greatest effort of velocity coordinate `k`; infinite where nothing bounds it.
    pub fn limits(&self, k: usize) -> [f64; 4] {
        let Limit { position: [low, high], velocity, effort, .. } = self.limits[k];
        let all = f64::INFINITY;
        [low.unwrap_or(-all), high.unwrap_or(all), velocity.unwrap_or(all), effort.unwrap_or(all)]
    }

    /// The place among positions of velocity coordinate `k`, where it is the rate of a position.
    pub(super) fn position_of(&self, k: usize) -> Option<usize> {
        self.tree.extended.nodes.iter().find(|n| n.v == k && n.kind == NodeKind::Axis).map(|n| n.q)
    }

    /// The first coordinate of a configuration beyond its limits.
    pub fn beyond_limits(&self, q: &[f64]) -> Option<usize> {
        /// A coordinate this near to its limit, against its size, is on it.
        const SLACK: f64 = 1e-9;
        (0..self.nv()).find(|k| {
            let Some(x) = self.position_of(*k).map(|at| q[at]) else { return false };
            let slack = SLACK * x.abs().max(1.0);
            let [low, high, ..] = self.limits(*k);
            x < low - slack || x > high + slack
        })
    }
}
