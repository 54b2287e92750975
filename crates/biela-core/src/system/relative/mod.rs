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
//!
//! [`Variant`] chooses among the thesis's ways: one-axis turns by angles or by relative Euler parameters; cut joints closed by
//! their primitives or by the matrix equation of the loop; rates by the recursion of motions or by the operators D and B.

#![allow(non_snake_case)] // Frames are capital letters: X_WB, R_WF (docs/notation.md).

mod masses;
mod node;
mod operators;
mod parameters;
mod paths;
mod turning;
mod turns;

use super::composite::Composite;
use super::formulation::{continue_sign, rigid_acceleration, rigid_rate, rigid_value, Cache, Formulation};
use super::wrench::Wrench;
use crate::joints::hinge::{nearest_turn, Twist};
use crate::joints::{self, Form, Joint, Marker, Measure, Row, Space};
use crate::math::homogeneous::Homogeneous;
use crate::math::Elementary;
use crate::math::{Pose, Vec3};
use crate::model::graph::Forest;
use crate::model::{MassProperties, Model};
use crate::motion::Motion;
use node::{neutral, total, Node};
use parameters::Parameters;
use paths::Stem;
use turning::Turning;

/// Which of the thesis's ways a relative formulation takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variant {
    /// The word after `--formulation`.
    pub keyword: &'static str,
    /// One-axis turns by relative Euler parameters, with their normalisations among the rows.
    pub parameters: bool,
    /// Cut joints closed by the matrix equation of the loop: twelve entries, the joint's own coordinates among the unknowns.
    pub matrix: bool,
    /// Velocities and accelerations by the operators D and B.
    pub operators: bool,
}

impl Variant {
    /// Angles, primitives, recursion of motions.
    pub const PLAIN: Variant = Variant { keyword: "relative", parameters: false, matrix: false, operators: false };
    /// Relative Euler parameters.
    pub const EULER: Variant = Variant { keyword: "relative-euler", parameters: true, ..Variant::PLAIN };
    /// The matrix equation of the loop.
    pub const MATRIX: Variant = Variant { keyword: "relative-matrix", matrix: true, ..Variant::PLAIN };
    /// The thesis throughout: relative Euler parameters, the matrix equation of the loop, D and B.
    pub const THESIS: Variant = Variant { keyword: "homogeneous", parameters: true, matrix: true, operators: true };
}

/// The relative formulation of a model.
#[derive(Debug)]
pub struct Relative {
    variant: Variant,
    /// Moving bodies with their tree joints, parents before children.
    nodes: Vec<Node>,
    /// Node of each body; none for the ground.
    node_of: Vec<Option<usize>>,
    /// Node of each joint; none for joints closed by primitives.
    node_of_joint: Vec<Option<usize>>,
    /// Parent and velocities of each body, for the ways to the ground.
    stems: Vec<Stem>,
    /// Number of the model's bodies; those beyond are twins.
    bodies: usize,
    /// Equations of each joint closed by its loop's matrix equation.
    closures: Vec<Option<Vec<Row>>>,
    /// Pairs (p0, p) of relative Euler parameters: body, place in q, place in v.
    pairs: Vec<(usize, usize, usize)>,
    /// Whether each velocity is a length per time.
    lengths: Vec<bool>,
    /// Coordinates that are the same after a full turn.
    periodic: Vec<usize>,
    nq: usize,
}

impl Relative {
    /// The model in joint coordinates along its spanning forest.
    pub fn new(model: &Model, variant: Variant) -> Relative {
        let forest = Forest::new(model);
        let mut made = Relative {
            variant,
            nodes: Vec::with_capacity(forest.branches.len()),
            node_of: vec![None; model.bodies.len()],
            node_of_joint: vec![None; model.joints.len()],
            stems: vec![Stem::default(); model.bodies.len()],
            bodies: model.bodies.len(),
            closures: vec![None; model.joints.len()],
            pairs: Vec::new(),
            lengths: Vec::new(),
            periodic: Vec::new(),
            nq: 0,
        };
        for branch in &forest.branches {
            let joint = match branch.joint {
                Some(k) => model.joints[k].clone(),
                None => floating(branch.body, model.space),
            };
            made.hang(joint, branch.joint, branch.body, branch.parent, branch.reversed);
        }
        if variant.matrix {
            for k in forest.cut {
                made.close(model, k);
            }
        }
        made
    }

    /// Whether rows of a joint close a loop.
    pub fn closes(&self, joint: usize) -> bool {
        self.node_of_joint[joint].is_none()
    }

    /// Hangs a body, or a twin of one, on its parent by a joint.
    fn hang(&mut self, joint: Joint, number: Option<usize>, body: usize, parent: usize, reversed: bool) {
        let Some(hinge) = joint.hinge() else { return };
        let k = self.nodes.len();
        self.node_of[body] = Some(k);
        if let Some(number) = number {
            self.node_of_joint[number] = Some(k);
        }
        let parameters = if self.variant.parameters { Parameters::of(&joint, hinge) } else { Parameters::default() };
        let (near, far) = if reversed { (1, 0) } else { (0, 1) };
        let first = self.lengths.len();
        let (nq, nv) = (hinge.nq() + parameters.count(), hinge.nv() + parameters.count());
        self.pairs.extend(parameters.pairs().map(|at| (body, self.nq + at, first + at)));
        let X_KB = joint.frames[far].inverse();
        let node = Node {
            body,
            parent,
            depth: 1 + self.depth(parent),
            X_PJ: joint.frames[near],
            X_KB,
            turning: if parameters.is_empty() { Turning::of(&joint, &X_KB) } else { Turning::More },
            original: if body < self.bodies { body } else { joint.bodies[1] },
            joint,
            hinge,
            parameters,
            reversed,
            q: self.nq..self.nq + nq,
            v: first..first + nv,
        };
        let still = node.neutral();
        self.periodic.extend(node.periodic().iter().map(|c| node.q.start + c));
        self.lengths.extend((0..nv).map(|c| node.column(&still, c).angular == Vec3::ZERO && !node.is_parameter(c)));
        self.stems.resize(self.node_of.len(), Stem::default());
        self.stems[body] = Stem { parent, first, count: nv };
        self.nodes.push(node);
        self.nq += nq;
    }

    /// Closes a cut joint by the equation of its loop: along one way round, over the joint itself, its second body is reached
    /// as a twin; the twin's frame must be the body's. Of the twelve entries, as seen from the body that carries the whole
    /// loop, at most six are independent; in a plane the entries within it alone are equations.
    fn close(&mut self, model: &Model, k: usize) {
        let joint = &model.joints[k];
        if joint.hinge().is_none() || joint.is_free() {
            return;
        }
        let [first, second] = joint.bodies;
        let twin = self.node_of.len();
        self.node_of.push(None);
        self.hang(joint.clone(), Some(k), twin, first, false);
        let base = self.common(first, second);
        let frame = joint.frames[1];
        let axis = |a: usize| Marker::Direction { body: base, u_B: [Vec3::X, Vec3::Y, Vec3::Z][a] };
        let point = |body: usize| Marker::Point { body, p_B: frame.origin };
        let direction = |body: usize, k: usize| Marker::Direction { body, u_B: frame.rotation.axes[k] };
        let mut rows = Vec::with_capacity(12);
        for (a, component) in ["fx", "fy", "fz"].into_iter().enumerate() {
            let gap = Measure::Along { a: axis(a), from: point(second), to: point(twin) };
            rows.push(Row::zero_length(gap, component));
        }
        for (a, component) in ["mx", "my", "mz"].into_iter().enumerate() {
            for k in 0..3 {
                let of = |body: usize| Measure::Dot(axis(a), direction(body, k));
                let form = Form::Linear(vec![(1.0, of(twin)), (-1.0, of(second))]);
                rows.push(Row { form, ..Row::zero(of(twin), component) });
            }
        }
        if model.space.is_planar() {
            rows.retain(Row::lies_in_plane);
        }
        self.closures[k] = Some(rows);
    }
}

/// The joint by which a floating body hangs on the ground.
fn floating(body: usize, space: Space) -> Joint {
    Joint { space, ..Joint::new("", joints::FREE, [0, body], [Pose::IDENTITY; 2]) }
}

fn body_of(marker: &Marker) -> usize {
    marker.body().unwrap_or(0)
}

impl Formulation for Relative {
    fn name(&self) -> &'static str {
        self.variant.keyword
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
        let mut cache = Cache::new(model);
        let twins = self.nodes.iter().filter(|n| n.body >= self.bodies).map(|n| cache.bodies[n.original]);
        let twins: Vec<_> = twins.collect();
        cache.kept.extend(twins.iter().map(|t| t.attitude));
        cache.bodies.extend(twins);
        let bodies = cache.bodies.len();
        let matrices = if self.variant.operators { bodies } else { 0 };
        Cache {
            chain: vec![[Homogeneous::ZERO; 3]; matrices],
            own: [0, 1, 2].map(|_| vec![Vec3::ZERO; self.pairs.len()]),
            twists: vec![Twist::default(); self.lengths.len()],
            screws: vec![Twist::default(); self.lengths.len()],
            gained: vec![Twist::default(); bodies],
            hubs: vec![Vec3::ZERO; self.nodes.len()],
            q: vec![0.0; self.nq],
            v: vec![0.0; self.lengths.len()],
            ..cache
        }
    }
    /// p0² + p² = 1 for each pair of relative Euler parameters.
    fn own_rows(&self) -> Vec<(usize, Row)> {
        let row = |(index, (body, ..)): (usize, &(usize, usize, usize))| {
            let own = Marker::Own { index };
            let body = if *body < self.bodies { *body } else { self.node(*body).map_or(0, |n| n.original) };
            (body, Row { target: Motion::Constant(1.0), ..Row::zero(Measure::Dot(own, own), "mz") })
        };
        self.pairs.iter().enumerate().map(row).collect()
    }
    fn closure(&self, joint: usize) -> Option<Vec<Row>> {
        self.closures[joint].clone()
    }
    fn needs(&self, joint: usize, _: &Row) -> bool {
        self.node_of_joint[joint].is_none()
    }
    /// Points that coincide do so along any three axes. Along F's, what carries the whole loop drops out of the rows, which
    /// then know only the joints of the loop; along the ground's they would know all joints down to the ground.
    fn adapt(&self, joint: &Joint, mut row: Row) -> Row {
        if let (Some(_), Form::Linear(terms)) = (joint.hinge(), &mut row.form) {
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
        match *marker {
            Marker::Own { index } => self.pairs.get(index).map_or(Vec::new(), |(_, _, v)| vec![*v, *v + 1]),
            _ => self.columns_between(body_of(marker), 0),
        }
    }
    fn measure_columns(&self, markers: &[Marker]) -> Vec<Vec<usize>> {
        if markers.iter().any(|m| matches!(m, Marker::Own { .. })) {
            return markers.iter().map(|m| self.columns(m)).collect();
        }
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
        placed.resize(self.node_of.len(), Pose::IDENTITY);
        for node in &self.nodes {
            // A twin is sought where its body has been placed.
            let sought = if node.body < self.bodies { poses[node.body] } else { placed[node.original] };
            let X_JK = (placed[node.parent] * node.X_PJ).inverse() * (sought * node.X_KB.inverse());
            let X_FM = if node.reversed { X_JK.inverse() } else { X_JK };
            let near = neutral(node.hinge);
            let q = &mut q[node.q.clone()];
            if node.parameters.is_empty() {
                node.hinge.coordinates(&node.joint, &X_FM, &near, q);
            } else {
                let mut angles = near.clone();
                node.hinge.coordinates(&node.joint, &X_FM, &near, &mut angles);
                node.parameters.store(&angles, q);
            }
            placed[node.body] = node.place(&placed[node.parent], q, &mut vec![Twist::default(); node.v.len()]).0;
        }
    }

    fn choose_turns(&self, near: &[(usize, usize, f64)], q: &mut [f64]) {
        for (joint, coordinate, near) in near {
            let Some(node) = self.node_of_joint[*joint].map(|k| &self.nodes[k]) else { continue };
            // Parameters know no turns.
            if !node.parameters.is_empty() {
                continue;
            }
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

    fn joint_places(&self, body: usize) -> Option<[std::ops::Range<usize>; 2]> {
        let node = self.node(body).filter(|node| node.parameters.is_empty())?;
        Some([node.q.clone(), node.v.clone()])
    }

    fn continue_from(&self, near: &[f64], q: &mut [f64]) {
        for (_, at, _) in &self.pairs {
            continue_sign(&near[*at..at + 2], &mut q[*at..at + 2]);
        }
        for node in self.nodes.iter().filter(|n| n.parameters.is_empty()) {
            let (near, q) = (&near[node.q.clone()], &mut q[node.q.clone()]);
            if node.hinge.nq() > node.hinge.nv() {
                continue_sign(&near[..4], &mut q[..4]);
                continue;
            }
            // The advance of a screw tells its turn already.
            let returns = Parameters::of(&node.joint, node.hinge);
            for k in returns.pairs().enumerate().map(|(k, at)| at - k) {
                q[k] = nearest_turn(q[k], near[k]);
            }
        }
    }

    fn step(&self, q: &mut [f64], dv: &[f64]) {
        for node in &self.nodes {
            if node.parameters.is_empty() {
                node.hinge.step(&mut q[node.q.clone()], &dv[node.v.clone()]);
            } else {
                for (q, dv) in q[node.q.clone()].iter_mut().zip(&dv[node.v.clone()]) {
                    *q += dv;
                }
            }
        }
    }

    fn unwind(&self, q: &mut [f64]) {
        /// Angles beyond this, in radians, have made many turns.
        const MANY: f64 = 1e3;
        for k in &self.periodic {
            if q[*k].abs() > MANY {
                q[*k] = nearest_turn(q[*k], 0.0);
            }
        }
    }

    fn rates(&self, q: &[f64], v: &[f64], qdot: &mut [f64]) {
        for node in &self.nodes {
            let (v, qdot) = (&v[node.v.clone()], &mut qdot[node.q.clone()]);
            if node.parameters.is_empty() {
                node.hinge.rates(&q[node.q.clone()], v, qdot);
            } else {
                qdot.copy_from_slice(v);
            }
        }
    }

    fn normalise(&self, q: &mut [f64]) {
        for node in self.nodes.iter().filter(|n| n.parameters.is_empty()) {
            node.hinge.normalise(&mut q[node.q.clone()]);
        }
        for (_, at, _) in &self.pairs {
            let norm = q[*at].hypotenuse(q[at + 1]);
            if norm > 0.0 {
                q[*at..at + 2].iter_mut().for_each(|x| *x /= norm);
            }
        }
    }

    fn positions(&self, q: &[f64], cache: &mut Cache) {
        self.poses(q, cache);
        self.attitudes(cache);
    }

    fn attitudes(&self, cache: &mut Cache) {
        for node in &self.nodes {
            let body = &mut cache.bodies[node.body];
            body.attitude = body.pose.rotation.euler_parameters().near(&cache.kept[node.body]);
        }
    }

    fn poses(&self, q: &[f64], cache: &mut Cache) {
        cache.q.copy_from_slice(q);
        for (own, (_, at, _)) in cache.own[0].iter_mut().zip(&self.pairs) {
            *own = parameters::as_vector(&q[*at..]);
        }
        for (k, node) in self.nodes.iter().enumerate() {
            let twists = &mut cache.twists[node.v.clone()];
            let (X_WB, hub) = node.place(&cache.bodies[node.parent].pose, &q[node.q.clone()], twists);
            if k == 0 {
                cache.reference = hub;
            }
            for (screw, twist) in cache.screws[node.v.clone()].iter_mut().zip(twists) {
                *screw = Twist::new(twist.angular, twist.linear - twist.angular.cross(hub - cache.reference));
            }
            cache.bodies[node.body].pose = X_WB;
            cache.hubs[k] = hub;
        }
    }

    fn velocities(&self, v: &[f64], cache: &mut Cache) {
        cache.v.copy_from_slice(v);
        for (own, (_, _, at)) in cache.own[1].iter_mut().zip(&self.pairs) {
            *own = parameters::as_vector(&v[*at..]);
        }
        if self.variant.operators {
            return self.velocities_by_operators(cache);
        }
        for (k, node) in self.nodes.iter().enumerate() {
            let parent = cache.bodies[node.parent];
            let hub = cache.hubs[k];
            let joint = total(&cache.twists[node.v.clone()], &v[node.v.clone()]);
            let child = &mut cache.bodies[node.body];
            child.w = parent.w + joint.angular;
            let v_hub = parent.velocity_at(hub - parent.pose.origin) + joint.linear;
            child.v = v_hub + child.w.cross(child.pose.origin - hub);
        }
    }

    /// With F the joint frame in which the hinge is described and r the motion of the child against the parent:
    /// α = α_P + ω_F × ω_r + α_r and, at the hub, a = a_P + 2 ω_F × v_r + a_r, whichever of the two carries F.
    fn accelerations(&self, vdot: Option<&[f64]>, cache: &mut Cache) {
        for (own, (_, _, at)) in cache.own[2].iter_mut().zip(&self.pairs) {
            *own = vdot.map_or(Vec3::ZERO, |vdot| parameters::as_vector(&vdot[*at..]));
        }
        if self.variant.operators {
            return self.accelerations_by_operators(vdot, cache);
        }
        for (k, node) in self.nodes.iter().enumerate() {
            let (parent, child) = (cache.bodies[node.parent], cache.bodies[node.body]);
            let (hub, v) = (cache.hubs[k], &cache.v[node.v.clone()]);
            let twists = &cache.twists[node.v.clone()];
            let rate = total(twists, v);
            let on_F = if node.reversed { &child } else { &parent };
            let bias = node.bias(&cache.q[node.q.clone()], v);
            let change = vdot.map_or(Twist::default(), |vdot| total(twists, &vdot[node.v.clone()]));
            let (mut alpha_r, mut a_r) = (change.angular, change.linear);
            if bias.angular != Vec3::ZERO || bias.linear != Vec3::ZERO {
                let frame = node.joint.frames[0].rotation;
                let in_ground = |x: Vec3| on_F.pose.rotation.apply(frame.apply(x)) * node.sense();
                alpha_r += in_ground(bias.angular);
                a_r += in_ground(bias.linear);
            }
            let a_P = parent.acceleration_at(hub - parent.pose.origin);
            let a_hub = a_P + on_F.w.cross(rate.linear) * 2.0 + a_r;
            let alpha = parent.alpha + on_F.w.cross(rate.angular) + alpha_r;
            let s = child.pose.origin - hub;
            let child = &mut cache.bodies[node.body];
            child.alpha = alpha;
            child.a = a_hub + alpha.cross(s) + child.w.cross(child.w.cross(s));
        }
    }

    fn add_accelerations(&self, vdot: &[f64], cache: &mut Cache) {
        if self.variant != Variant::PLAIN {
            return self.accelerations(Some(vdot), cache);
        }
        for (k, node) in self.nodes.iter().enumerate() {
            let (parent, hub) = (cache.gained[node.parent], cache.hubs[k]);
            let own = total(&cache.twists[node.v.clone()], &vdot[node.v.clone()]);
            let [from, to] = [node.parent, node.body].map(|body| cache.bodies[body].pose.origin);
            let angular = parent.angular + own.angular;
            let linear = parent.linear + parent.angular.cross(hub - from) + own.linear + angular.cross(to - hub);
            cache.gained[node.body] = Twist::new(angular, linear);
            cache.bodies[node.body].alpha += angular;
            cache.bodies[node.body].a += linear;
        }
    }

    fn carries_turns(&self) -> bool {
        self.turns_one_by_one()
    }

    fn carry_turns(&self, dv: &[f64], cache: &mut Cache) {
        self.carry(dv, cache);
    }
    fn bend(&self, h: f64, rates: &dyn Fn(usize) -> [f64; 4], dv: &mut [f64]) {
        self.bend_attitudes(h, rates, dv);
    }

    fn place_markers(&self, markers: &[Marker], cache: &Cache, value: &mut [Vec3]) {
        for (marker, value) in markers.iter().zip(value) {
            *value = match *marker {
                Marker::Own { index } => cache.own[0][index],
                _ => rigid_value(marker, &cache.bodies),
            };
        }
    }

    fn move_markers(&self, markers: &[Marker], cache: &Cache, value: &[Vec3], rate: &mut [Vec3]) {
        for ((marker, value), rate) in markers.iter().zip(value).zip(rate) {
            *rate = match *marker {
                Marker::Own { index } => cache.own[1][index],
                _ => rigid_rate(marker, *value, &cache.bodies),
            };
        }
    }

    fn accelerate_markers(&self, markers: &[Marker], cache: &Cache, value: &[Vec3], acceleration: &mut [Vec3]) {
        for ((marker, value), acceleration) in markers.iter().zip(value).zip(acceleration) {
            *acceleration = match *marker {
                Marker::Own { index } => cache.own[2][index],
                _ => rigid_acceleration(marker, *value, &cache.bodies),
            };
        }
    }

    #[inline]
    fn scatter(&self, marker: &Marker, g: Vec3, cache: &Cache, slots: &[usize], out: &mut [f64]) {
        match *marker {
            Marker::Point { body, p_B } => {
                let p = cache.bodies[body].pose.apply(p_B);
                let m = (p - cache.reference).cross(g);
                self.scatter_path(body, cache, slots, out, |unit| g.dot(unit.linear) + m.dot(unit.angular));
            }
            Marker::Direction { body, u_B } => {
                let m = cache.bodies[body].pose.rotation.apply(u_B).cross(g);
                self.scatter_path(body, cache, slots, out, |unit| m.dot(unit.angular));
            }
            Marker::Own { .. } => {
                for (slot, g) in slots.iter().zip([g.x, g.y]) {
                    out[*slot] += g;
                }
            }
            Marker::Prescribed { .. } => {}
        }
    }

    fn has_screws(&self) -> bool {
        true
    }

    fn scatter_spin(&self, body: usize, u: Vec3, cache: &Cache, slots: &[usize], out: &mut [f64]) {
        self.scatter_path(body, cache, slots, out, |unit| u.dot(unit.angular));
    }

    fn spin_columns(&self, body: usize) -> Vec<usize> {
        self.columns_between(body, 0)
    }

    fn gathers(&self) -> bool {
        true
    }

    fn mass_pairs(&self) -> Vec<(usize, usize)> {
        self.tree_pairs()
    }

    fn weigh(&self, masses: &[Option<MassProperties>], cache: &Cache, room: &mut [Composite], out: &mut [f64]) {
        self.weigh_tree(masses, cache, room, out);
    }

    fn gather(&self, wrenches: &mut [Wrench], cache: &Cache, out: &mut [f64]) {
        for (k, node) in self.nodes.iter().enumerate().rev() {
            let [child, parent] = [node.body, node.parent].map(|body| cache.bodies[body].pose.origin);
            let wrench = wrenches[node.body];
            let at_hub = wrench.about(cache.hubs[k] - child);
            for (unit, out) in cache.twists[node.v.clone()].iter().zip(&mut out[node.v.clone()]) {
                *out += unit.linear.dot(at_hub.force) + unit.angular.dot(at_hub.moment);
            }
            wrenches[node.parent].add(wrench.about(parent - child));
        }
    }
}
