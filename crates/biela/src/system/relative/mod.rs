//! Relative coordinates: those of the joints along a spanning forest, by homogeneous transforms (thesis 002, chapters 2, 3).
//!
//! A body B hangs on its parent P by a tree joint with frames F and M: X_WB = X_WP · X_PF · X_FM(q) · X_MB, with the
//! inverse of X_FM where the parent is the joint's second body. The equations of tree joints hold by construction; only
//! those of cut joints, couplings and drivers are solved. q holds angles, lengths and, for joints that turn about a point,
//! relative Euler parameters; v holds the joint velocities.
//!
//! Each column of v has a unit motion: angular velocity and velocity of the hub (the origin of M), in ground axes. It moves
//! every body beyond its joint, so a marker's row of Φ_v is found by walking from its body towards the ground. Motions that
//! carry all markers of a measure together drop out of it; the walk ends at the last body they have in common.

#![allow(non_snake_case)] // Frames are capital letters: X_WB, R_WF (docs/notation.md).

use super::formulation::{Cache, Formulation};
use crate::joints::hinge::{nearest_turn, Twist};
use crate::joints::{self, Form, Hinge, Joint, Limits, Marker, Measure, Row};
use crate::math::{Pose, Vec3};
use crate::model::graph::Forest;
use crate::model::Model;
use crate::motion::Motion;

/// The relative formulation of a model.
#[derive(Debug)]
pub struct Relative {
    /// Moving bodies with their tree joints, parents before children.
    nodes: Vec<Node>,
    /// Node of each body; none for the ground.
    node_of: Vec<Option<usize>>,
    /// Node of each joint; none for cut joints.
    node_of_joint: Vec<Option<usize>>,
    /// Whether each velocity is a length per time.
    lengths: Vec<bool>,
    nq: usize,
}

/// A body on its tree joint.
#[derive(Debug)]
struct Node {
    body: usize,
    parent: usize,
    /// Number of joints between the body and the ground.
    depth: usize,
    joint: Joint,
    hinge: &'static dyn Hinge,
    /// The parent is the joint's second body: the child carries F.
    reversed: bool,
    /// Frame of the joint on the parent, and the child's body in its own frame of the joint.
    X_PJ: Pose,
    X_KB: Pose,
    q: std::ops::Range<usize>,
    v: std::ops::Range<usize>,
}

impl Relative {
    /// The model in joint coordinates along its spanning forest.
    pub fn new(model: &Model) -> Relative {
        let forest = Forest::new(model);
        let mut made = Relative {
            nodes: Vec::with_capacity(forest.branches.len()),
            node_of: vec![None; model.bodies.len()],
            node_of_joint: vec![None; model.joints.len()],
            lengths: Vec::new(),
            nq: 0,
        };
        for branch in forest.branches {
            let joint = match branch.joint {
                Some(k) => model.joints[k].clone(),
                None => floating(branch.body),
            };
            let Some(hinge) = joint.kind.hinge() else { continue };
            let k = made.nodes.len();
            made.node_of[branch.body] = Some(k);
            if let Some(joint) = branch.joint {
                made.node_of_joint[joint] = Some(k);
            }
            let (near, far) = if branch.reversed { (1, 0) } else { (0, 1) };
            let first = made.lengths.len();
            let still = neutral(hinge);
            made.lengths.extend((0..hinge.nv()).map(|c| hinge.column(&joint, &still, c).angular == Vec3::ZERO));
            made.nodes.push(Node {
                body: branch.body,
                parent: branch.parent,
                depth: 1 + made.node_of[branch.parent].map_or(0, |p| made.nodes[p].depth),
                X_PJ: joint.frames[near],
                X_KB: joint.frames[far].inverse(),
                joint,
                hinge,
                reversed: branch.reversed,
                q: made.nq..made.nq + hinge.nq(),
                v: first..first + hinge.nv(),
            });
            made.nq += hinge.nq();
        }
        made
    }

    fn node(&self, body: usize) -> Option<&Node> {
        self.node_of.get(body).copied().flatten().map(|k| &self.nodes[k])
    }

    fn depth(&self, body: usize) -> usize {
        self.node(body).map_or(0, |n| n.depth)
    }

    /// The last body through which both hang on the ground.
    fn common(&self, mut a: usize, mut b: usize) -> usize {
        while a != b {
            let deeper = if self.depth(a) >= self.depth(b) { &mut a } else { &mut b };
            *deeper = self.node(*deeper).map_or(0, |n| n.parent);
        }
        a
    }

    /// Columns that move `body` against `base`, which carries it.
    fn columns_between(&self, body: usize, base: usize) -> Vec<usize> {
        let mut columns = Vec::new();
        let mut body = body;
        while body != base {
            let Some(node) = self.node(body) else { break };
            columns.extend(node.v.clone().rev());
            body = node.parent;
        }
        columns.reverse();
        columns
    }

    /// Adds to `out[slots]` what `entry` says of each column from `body` towards the ground, as far as the slots go.
    #[inline]
    fn scatter_path(
        &self,
        body: usize,
        cache: &Cache,
        slots: &[usize],
        out: &mut [f64],
        entry: impl Fn(&Twist, Vec3) -> f64,
    ) {
        let mut slots = slots.iter().rev();
        let mut body = body;
        while let Some(k) = self.node_of[body] {
            let node = &self.nodes[k];
            for c in node.v.clone().rev() {
                let Some(slot) = slots.next() else { return };
                out[*slot] += entry(&cache.twists[c], cache.hubs[k]);
            }
            body = node.parent;
        }
    }
}

impl Node {
    /// Sign of the child's motion against the parent, in terms of M's against F.
    fn sense(&self) -> f64 {
        if self.reversed {
            -1.0
        } else {
            1.0
        }
    }

    /// Poses of the child and of F, and the origin of M, for a parent's pose and the joint's coordinates.
    #[inline]
    fn child_pose(&self, X_WP: &Pose, q: &[f64]) -> (Pose, Pose, Vec3) {
        let X_FM = self.hinge.pose(&self.joint, q);
        let X_WJ = *X_WP * self.X_PJ;
        if self.reversed {
            let X_WF = X_WJ * X_FM.inverse();
            (X_WF * self.X_KB, X_WF, X_WJ.origin)
        } else {
            let X_WM = X_WJ * X_FM;
            (X_WM * self.X_KB, X_WJ, X_WM.origin)
        }
    }
}

/// The motion that velocities give to a body by their unit motions.
#[inline]
fn total(units: &[Twist], v: &[f64]) -> Twist {
    let mut sum = Twist::default();
    for (unit, v) in units.iter().zip(v) {
        sum.angular += unit.angular * *v;
        sum.linear += unit.linear * *v;
    }
    sum
}

/// The joint by which a floating body hangs on the ground.
fn floating(body: usize) -> Joint {
    let frames = [Pose::IDENTITY; 2];
    // The registry holds `free`; should it not, the first joint with a hinge keeps the numbering whole.
    let kind = joints::kind("free").unwrap_or(joints::JOINTS[0]);
    Joint {
        name: String::new(),
        kind,
        bodies: [0, body],
        frames,
        directions: [Vec3::Z, Vec3::X],
        pitch: 0.0,
        value: Motion::Constant(0.0),
        limits: Limits::default(),
        span: None,
    }
}

/// Coordinates of a joint in its zero position: zeros, and the identity where four of them are Euler parameters.
fn neutral(hinge: &dyn Hinge) -> Vec<f64> {
    let mut q = vec![0.0; hinge.nq()];
    if hinge.nq() > hinge.nv() {
        q[0] = 1.0;
    }
    q
}

fn body_of(marker: &Marker) -> usize {
    match *marker {
        Marker::Point { body, .. } | Marker::Direction { body, .. } => body,
        Marker::Prescribed { .. } | Marker::Own { .. } => 0,
    }
}

impl Formulation for Relative {
    fn name(&self) -> &'static str {
        "relative"
    }
    fn nq(&self) -> usize {
        self.nq
    }
    fn nv(&self) -> usize {
        self.lengths.len()
    }
    /// One normalisation for each joint with relative Euler parameters.
    fn implicit_equations(&self) -> usize {
        self.nq - self.lengths.len()
    }
    fn cache(&self, model: &Model) -> Cache {
        Cache {
            twists: vec![Twist::default(); self.lengths.len()],
            hubs: vec![Vec3::ZERO; self.nodes.len()],
            q: vec![0.0; self.nq],
            v: vec![0.0; self.lengths.len()],
            ..Cache::new(model)
        }
    }
    fn needs(&self, joint: usize, _: &Row) -> bool {
        self.node_of_joint[joint].is_none()
    }
    /// Points that coincide do so along any three axes. Along F's, what carries the whole loop drops out of the rows, which
    /// then know only the joints of the loop; along the ground's they would know all joints down to the ground.
    fn adapt(&self, joint: &Joint, mut row: Row) -> Row {
        if let (Some(_), Form::Linear(terms)) = (joint.kind.hinge(), &mut row.form) {
            for (_, measure) in terms {
                if let Measure::Along { a: a @ Marker::Direction { body: 0, .. }, .. } = measure {
                    let Marker::Direction { u_B, .. } = *a else { continue };
                    // The axis of the same name, x for x.
                    if let Some(k) = [Vec3::X, Vec3::Y, Vec3::Z].iter().position(|axis| *axis == u_B) {
                        if joint.bodies[0] != 0 {
                            *a = joint.direction(0, k);
                        }
                    }
                }
            }
        }
        row
    }
    fn columns(&self, marker: &Marker) -> Vec<usize> {
        self.columns_between(body_of(marker), 0)
    }
    fn measure_columns(&self, markers: &[Marker]) -> Vec<Vec<usize>> {
        let bodies = markers.iter().map(body_of);
        let base = bodies.clone().reduce(|a, b| self.common(a, b)).unwrap_or(0);
        bodies.map(|body| self.columns_between(body, base)).collect()
    }
    fn length_column(&self, column: usize) -> bool {
        self.lengths[column]
    }

    /// Each joint takes the coordinates that bring its body nearest to the given pose, the parent standing where its own
    /// joint has put it; so errors of a rough drawing do not add up along a chain.
    fn coordinates(&self, poses: &[Pose], q: &mut [f64]) {
        let mut placed = poses.to_vec();
        for node in &self.nodes {
            let X_JK = (placed[node.parent] * node.X_PJ).inverse() * (poses[node.body] * node.X_KB.inverse());
            let X_FM = if node.reversed { X_JK.inverse() } else { X_JK };
            let near = neutral(node.hinge);
            let q = &mut q[node.q.clone()];
            node.hinge.coordinates(&node.joint, &X_FM, &near, q);
            placed[node.body] = node.child_pose(&placed[node.parent], q).0;
        }
    }

    fn choose_turns(&self, near: &[(usize, usize, f64)], q: &mut [f64]) {
        for (joint, coordinate, near) in near {
            let Some(node) = self.node_of_joint[*joint].map(|k| &self.nodes[k]) else { continue };
            // Joint angles stand among q in the order in which the joint names its coordinates.
            if node.joint.kind.coordinates().get(*coordinate).is_some_and(|c| c.angle) {
                let q = &mut q[node.q.start + coordinate];
                *q = nearest_turn(*q, *near);
            }
        }
    }

    fn joint_place(&self, joint: usize) -> Option<(usize, usize)> {
        let node = &self.nodes[self.node_of_joint.get(joint).copied().flatten()?];
        (node.q.len() == 1 && node.v.len() == 1).then_some((node.q.start, node.v.start))
    }

    fn step(&self, q: &mut [f64], dv: &[f64]) {
        for node in &self.nodes {
            node.hinge.step(&mut q[node.q.clone()], &dv[node.v.clone()]);
        }
    }

    fn positions(&self, q: &[f64], cache: &mut Cache) {
        cache.q.copy_from_slice(q);
        for (k, node) in self.nodes.iter().enumerate() {
            let q = &q[node.q.clone()];
            let (X_WB, X_WF, hub) = node.child_pose(&cache.bodies[node.parent].pose, q);
            let body = &mut cache.bodies[node.body];
            body.pose = X_WB;
            body.attitude = X_WB.rotation.euler_parameters().near(&cache.kept[node.body]);
            cache.hubs[k] = hub;
            for (c, twist) in cache.twists[node.v.clone()].iter_mut().enumerate() {
                let unit = node.hinge.column(&node.joint, q, c);
                twist.angular = X_WF.rotation.apply(unit.angular) * node.sense();
                twist.linear = X_WF.rotation.apply(unit.linear) * node.sense();
            }
        }
    }

    fn velocities(&self, v: &[f64], cache: &mut Cache) {
        cache.v.copy_from_slice(v);
        for (k, node) in self.nodes.iter().enumerate() {
            let parent = cache.bodies[node.parent];
            let hub = cache.hubs[k];
            let joint = total(&cache.twists[node.v.clone()], &v[node.v.clone()]);
            let child = &mut cache.bodies[node.body];
            child.w = parent.w + joint.angular;
            let v_hub = parent.v + parent.w.cross(hub - parent.pose.origin) + joint.linear;
            child.v = v_hub + child.w.cross(child.pose.origin - hub);
        }
    }

    /// With F the joint frame in which the hinge is described and r the motion of the child against the parent:
    /// α = α_P + ω_F × ω_r + α_r and, at the hub, a = a_P + 2 ω_F × v_r + a_r, whichever of the two carries F.
    fn accelerations(&self, vdot: Option<&[f64]>, cache: &mut Cache) {
        for (k, node) in self.nodes.iter().enumerate() {
            let (parent, child) = (cache.bodies[node.parent], cache.bodies[node.body]);
            let (hub, v) = (cache.hubs[k], &cache.v[node.v.clone()]);
            let twists = &cache.twists[node.v.clone()];
            let rate = total(twists, v);
            let on_F = if node.reversed { &child } else { &parent };
            let R_WF = on_F.pose.rotation * node.joint.frames[0].rotation;
            let bias = node.hinge.bias(&node.joint, &cache.q[node.q.clone()], v);
            let change = vdot.map_or(Twist::default(), |vdot| total(twists, &vdot[node.v.clone()]));
            let alpha_r = R_WF.apply(bias.angular) * node.sense() + change.angular;
            let a_r = R_WF.apply(bias.linear) * node.sense() + change.linear;
            let s = hub - parent.pose.origin;
            let a_P = parent.a + parent.alpha.cross(s) + parent.w.cross(parent.w.cross(s));
            let a_hub = a_P + on_F.w.cross(rate.linear) * 2.0 + a_r;
            let alpha = parent.alpha + on_F.w.cross(rate.angular) + alpha_r;
            let s = child.pose.origin - hub;
            let child = &mut cache.bodies[node.body];
            child.alpha = alpha;
            child.a = a_hub + alpha.cross(s) + child.w.cross(child.w.cross(s));
        }
    }

    #[inline]
    fn scatter(&self, marker: &Marker, g: Vec3, cache: &Cache, slots: &[usize], out: &mut [f64]) {
        match *marker {
            Marker::Point { body, p_B } => {
                let p = cache.bodies[body].pose.apply(p_B);
                let entry = |unit: &Twist, hub: Vec3| g.dot(unit.linear + unit.angular.cross(p - hub));
                self.scatter_path(body, cache, slots, out, entry);
            }
            Marker::Direction { body, u_B } => {
                let m = cache.bodies[body].pose.rotation.apply(u_B).cross(g);
                self.scatter_path(body, cache, slots, out, |unit, _| m.dot(unit.angular));
            }
            Marker::Prescribed { .. } | Marker::Own { .. } => {}
        }
    }

    fn scatter_spin(&self, body: usize, u: Vec3, cache: &Cache, slots: &[usize], out: &mut [f64]) {
        self.scatter_path(body, cache, slots, out, |unit, _| u.dot(unit.angular));
    }

    fn spin_columns(&self, body: usize) -> Vec<usize> {
        self.columns_between(body, 0)
    }
}
