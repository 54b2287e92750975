//! Planar mechanisms in joint coordinates: rows, masses and forces by recursions along the tree, in two dimensions.
//!
//! Where every joint of the spanning tree turns about the normal of one plane or slides in it, so do all bodies for good: axes that are parallel in
//! one position are so in all. [`PlanarTree::new`] reads the tree off one position realised, and is none where anything is not of this kind;
//! what it then computes is what the formulation and the constraints compute for any mechanism, to rounding, in a tenth of the time.
//! `kernel` has the bodies, `rows` what ties them together.

#![allow(non_snake_case)] // p_B: a point in its body's frame (docs/notation.md).

mod kernel;
mod rows;

use super::constraint::{Evaluation, Products, Sum};
use super::{System, Workspace};
use crate::joints::Marker;
use crate::math::sparse::Pattern;
use crate::math::{Rotation, Vec3};
use crate::model::graph::Forest;
use crate::model::MassProperties;
use crate::system::wrench::Wrench;
use biela_tree::Level;
use kernel::{State, Tree};
use rows::Rows;
use std::collections::BTreeMap;
use std::ops::{Add, Mul, Sub};

/// Least part of a unit vector that counts: beyond a few roundings.
const NOTHING: f64 = 1e-12;

/// A vector in the plane.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Vec2 {
    x: f64,
    y: f64,
}

impl Vec2 {
    const ZERO: Vec2 = Vec2 { x: 0.0, y: 0.0 };

    #[inline]
    fn dot(self, o: Vec2) -> f64 {
        self.x * o.x + self.y * o.y
    }

    #[inline]
    fn cross(self, o: Vec2) -> f64 {
        self.x * o.y - self.y * o.x
    }

    /// Turned by a quarter.
    #[inline]
    fn across(self) -> Vec2 {
        Vec2 { x: -self.y, y: self.x }
    }
}

impl Add for Vec2 {
    type Output = Vec2;
    #[inline]
    fn add(self, o: Vec2) -> Vec2 {
        Vec2 { x: self.x + o.x, y: self.y + o.y }
    }
}

impl Sub for Vec2 {
    type Output = Vec2;
    #[inline]
    fn sub(self, o: Vec2) -> Vec2 {
        Vec2 { x: self.x - o.x, y: self.y - o.y }
    }
}

impl Mul<f64> for Vec2 {
    type Output = Vec2;
    #[inline]
    fn mul(self, a: f64) -> Vec2 {
        Vec2 { x: a * self.x, y: a * self.y }
    }
}

/// The plane: two unit vectors that span it, and its normal.
#[derive(Debug, Clone, Copy)]
struct Plane([Vec3; 3]);

impl Plane {
    fn flat(&self, a: Vec3) -> Vec2 {
        Vec2 { x: self.0[0].dot(a), y: self.0[1].dot(a) }
    }

    fn height(&self, a: Vec3) -> f64 {
        self.0[2].dot(a)
    }

    fn raised(&self, a: Vec2) -> Vec3 {
        self.0[0] * a.x + self.0[1] * a.y
    }
}

/// A planar mechanism, and its numbers at the position and velocity last given.
#[derive(Debug)]
pub struct PlanarTree {
    tree: Tree,
    state: State,
    rows: Rows,
    plane: Plane,
    /// For each entry of M on or below the diagonal: its places, the joint, and one that carries it.
    masses: Vec<([u32; 2], u32, u32)>,
    /// For each body of the model: the joint that carries it, its origin from the hub, its rotation and the height of its origin, all at the reference position.
    bodies: Vec<(u32, Vec2, Rotation, f64)>,
    /// Number and largest residual of rows that no motion in the plane changes.
    still_rows: usize,
    still: f64,
    /// Angles from which turns are counted.
    kept: Vec<f64>,
    /// Energy of weight at the plane's origin and out of the plane.
    lift: f64,
}

/// Energies and speeds of a state.
#[derive(Debug, Clone, Copy)]
pub struct Motion {
    /// Kinetic energy.
    pub kinetic: f64,
    /// Energy of weight.
    pub weight: f64,
    /// Largest angular velocity.
    pub spin: f64,
    /// Largest turn since turns were last kept.
    pub turned: f64,
}

impl PlanarTree {
    /// For the position q realised in `ws`, with Φ_v; `None` where joints, rows or masses are not of this kind.
    pub fn new(system: &System, ws: &Workspace, masses: &Pattern, q: &[f64]) -> Option<PlanarTree> {
        let model = system.model;
        if !model.rotors.is_empty() || !ws.idle().is_empty() || ws.cache.bodies.len() != model.bodies.len() {
            return None;
        }
        let plane = plane(ws)?;
        let mut made = PlanarTree::hang(system, ws, plane, q)?;
        made.carry(system, ws);
        made.masses = made.mass_places(masses)?;
        made.tie(system, ws)?;
        made.rows.make_room();
        made.state = State::new(&made.tree);
        made.place(q);
        let (_, weight) = made.state.energies(&made.tree);
        made.lift = made.weight_of(system, ws) - weight;
        made.agrees(system, q).then_some(made)
    }

    /// The tree of joints with one coordinate, in the order of the forest; bodies welded to others are carried by their joints.
    fn hang(system: &System, ws: &Workspace, plane: Plane, q: &[f64]) -> Option<PlanarTree> {
        let model = system.model;
        let gravity = plane.flat(model.gravity.unwrap_or(Vec3::ZERO));
        let mut tree = Tree {
            parent: vec![0],
            turn: vec![0.0],
            slide: vec![Vec2::ZERO],
            arm: vec![Vec2::ZERO],
            reference: vec![0.0],
            scaling: vec![1.0],
            place: vec![[0; 2]],
            mass: vec![0.0],
            moment: vec![Vec2::ZERO],
            inertia: vec![0.0],
            gravity,
            level: Level::detect(),
        };
        let ground = &ws.cache.bodies[0].pose;
        let mut bodies =
            vec![(0, plane.flat(ground.origin), ground.rotation, plane.height(ground.origin)); model.bodies.len()];
        let mut hubs = vec![Vec2::ZERO];
        for (k, branch) in Forest::new(model).branches.iter().enumerate() {
            let [at, moved] = system.formulation.joint_places(branch.body)?;
            let parent = bodies[branch.parent].0;
            let carrier = match (at.len(), moved.len()) {
                (0, 0) => parent,
                (1, 1) => {
                    let (unit, hub) = (ws.cache.twists[moved.start], plane.flat(ws.cache.hubs[k]));
                    let scale = system.formulation.scale(moved.start, ws.size);
                    tree.parent.push(parent);
                    tree.turn.push(plane.height(unit.angular) * scale);
                    tree.slide.push(plane.flat(unit.linear) * scale);
                    tree.arm.push(hub - hubs[parent as usize]);
                    tree.reference.push(q[at.start]);
                    tree.scaling.push(1.0 / scale);
                    tree.place.push([at.start as u32, moved.start as u32]);
                    tree.mass.push(0.0);
                    tree.moment.push(Vec2::ZERO);
                    tree.inertia.push(0.0);
                    hubs.push(hub);
                    (hubs.len() - 1) as u32
                }
                _ => return None,
            };
            let pose = &ws.cache.bodies[branch.body].pose;
            let origin = plane.flat(pose.origin) - hubs[carrier as usize];
            bodies[branch.body] = (carrier, origin, pose.rotation, plane.height(pose.origin));
        }
        let all =
            tree.parent.len() == 1 + system.formulation.nv() && system.formulation.nq() == system.formulation.nv();
        let state = State::new(&tree);
        let kept = state.angle.clone();
        let (rows, masses) = (Rows::default(), Vec::new());
        let made = PlanarTree { tree, state, rows, plane, masses, bodies, still_rows: 0, still: 0.0, kept, lift: 0.0 };
        all.then_some(made)
    }

    /// Gives the joints the masses that they carry.
    fn carry(&mut self, system: &System, ws: &Workspace) {
        for (k, body) in system.model.bodies.iter().enumerate().skip(1) {
            let Some(MassProperties { mass, com, inertia, .. }) = &body.mass else { continue };
            let (carrier, origin, rotation, _) = self.bodies[k];
            let carrier = carrier as usize;
            let from_hub = origin + self.plane.flat(rotation.apply(*com));
            let about = inertia.about(ws.cache.bodies[k].pose.rotation.apply_transposed(self.plane.0[2]));
            self.tree.mass[carrier] += mass;
            self.tree.moment[carrier] = self.tree.moment[carrier] + from_hub * *mass;
            self.tree.inertia[carrier] += about + mass * from_hub.dot(from_hub);
        }
    }

    /// True where the first joint is the second or carries it.
    fn carries(&self, first: u32, mut second: u32) -> bool {
        while second > first {
            second = self.tree.parent[second as usize];
        }
        first == second
    }

    fn mass_places(&self, pattern: &Pattern) -> Option<Vec<([u32; 2], u32, u32)>> {
        let mut joint_of = vec![0; self.tree.place.len()];
        for (k, [_, v]) in self.tree.place.iter().enumerate().skip(1) {
            joint_of[*v as usize] = k as u32;
        }
        let mut places = Vec::new();
        for i in 0..pattern.rows() {
            let row = pattern.range(i);
            for (place, j) in row.clone().zip(&pattern.index[row]).filter(|(_, j)| **j <= i) {
                let other = pattern.range(*j);
                let mirrored = other.start + pattern.index[other].binary_search(&i).ok()?;
                let (a, b) = (joint_of[i], joint_of[*j]);
                let (outer, inner) = (a.max(b), a.min(b));
                if !self.carries(inner, outer) {
                    return None;
                }
                places.push(([place as u32, mirrored as u32], outer, inner));
            }
        }
        Some(places)
    }

    /// Rows that motion in the plane changes.
    fn tie(&mut self, system: &System, ws: &Workspace) -> Option<()> {
        let mut ends = Ends::default();
        ends.number((0, Vec2::ZERO, false));
        self.rows.starts.push(0);
        self.rows.bundles.push(0);
        let mut joint_of: BTreeMap<usize, u32> = BTreeMap::new();
        joint_of.extend(self.tree.place.iter().enumerate().skip(1).map(|(k, [_, v])| (*v as usize, k as u32)));
        for i in 0..system.constraints.len() {
            let Products { terms, target, scale } = system.constraints.products(i, ws.size)?;
            let mut added = -target * scale;
            let mut pulls: Vec<(u32, u32, f64)> = Vec::new();
            let first = self.rows.products.len();
            for (weight, [f, g]) in &terms {
                let weight = weight * scale;
                let [(f, up_f), (g, up_g)] = [self.vector(f, ws, &mut ends)?, self.vector(g, ws, &mut ends)?];
                added += weight * up_f * up_g;
                // A vector along the normal has no part in the plane.
                if f == (0, 0) || g == (0, 0) {
                    continue;
                }
                let [f, g] = [ends.vector(f), ends.vector(g)];
                self.rows.products.push((f, g, weight));
                for (of, along) in [(f, g), (g, f)] {
                    let (to, from) = ends.vectors[of as usize];
                    pulls.extend([(to, along, weight), (from, along, -weight)]);
                }
            }
            if self.rows.products.len() == first {
                self.still_rows += 1;
                self.still = self.still.max(ws.evaluation.phi[i].abs());
                continue;
            }
            self.rows.numbers.push(i as u32);
            self.rows.added.push(added);
            self.rows.starts.push(self.rows.products.len() as u32);
            let mut bundles: BTreeMap<Vec<bool>, u32> = BTreeMap::new();
            for place in ws.pattern.range(i) {
                let joint = *joint_of.get(&ws.pattern.index[place])?;
                let beyond: Vec<bool> =
                    pulls.iter().map(|(end, ..)| self.carries(joint, ends.list[*end as usize].0)).collect();
                let rows = &mut self.rows;
                let bundle = *bundles.entry(beyond.clone()).or_insert_with(|| {
                    rows.pulls.extend(pulls.iter().zip(&beyond).filter(|(_, beyond)| **beyond).map(|(pull, _)| *pull));
                    rows.bundles.push(rows.pulls.len() as u32);
                    (rows.bundles.len() - 2) as u32
                });
                self.rows.entries.push((place as u32, joint, bundle));
            }
        }
        (self.rows.ends, self.rows.vectors) = (ends.list, ends.vectors);
        Some(())
    }

    /// A sum of markers as a vector between two ends, and its height.
    fn vector(&self, sum: &Sum, ws: &Workspace, ends: &mut Ends) -> Option<((u32, u32), f64)> {
        let (mut pair, mut height) = ((0, 0), 0.0);
        let points = sum.iter().filter(|(marker, _)| matches!(marker, Marker::Point { .. })).count();
        // Points come in differences alone, which weight and the plane's origin do not know.
        if sum.len() > 2 || points == 1 {
            return None;
        }
        for (marker, sign) in sum {
            let (end, up) = match *marker {
                Marker::Point { body, p_B } => {
                    let (carrier, origin, rotation, level) = self.bodies[body];
                    let arm = rotation.apply(p_B);
                    ((carrier, origin + self.plane.flat(arm), true), level + self.plane.height(arm))
                }
                Marker::Direction { body, u_B } => {
                    let u = ws.cache.bodies[body].pose.rotation.apply(u_B);
                    let flat = self.plane.flat(u);
                    let flat = if flat.dot(flat) < NOTHING * NOTHING { Vec2::ZERO } else { flat };
                    ((self.bodies[body].0, flat, false), self.plane.height(u))
                }
                Marker::Prescribed { .. } | Marker::Own { .. } => return None,
            };
            height += sign * up;
            let number = if end.1 == Vec2::ZERO && !end.2 { 0 } else { ends.number(end) };
            match (*sign == 1.0, *sign == -1.0) {
                (true, _) if pair.0 == 0 => pair.0 = number,
                (_, true) if pair.1 == 0 => pair.1 = number,
                _ => return None,
            }
        }
        Some((pair, height))
    }

    fn weight_of(&self, system: &System, ws: &Workspace) -> f64 {
        let gravity = system.model.gravity.unwrap_or(Vec3::ZERO);
        let bodies = system.model.bodies.iter().zip(&ws.cache.bodies).skip(1);
        let weights = bodies.filter_map(|(body, state)| body.mass.as_ref().map(|m| (m, state)));
        -weights.map(|(m, state)| m.mass * gravity.dot(state.pose.apply(m.com))).sum::<f64>()
    }

    /// True where bodies stand where the formulation places them in another position as well: where turns and slides are all that joints do.
    fn agrees(&mut self, system: &System, q: &[f64]) -> bool {
        /// Roundings along a tree, against its reach.
        const ROUNDING: f64 = 1e-9;
        let mut cache = system.formulation.cache(system.model);
        let elsewhere: Vec<f64> = q.iter().enumerate().map(|(k, q)| q + 0.3 + 0.1 * (k % 7) as f64).collect();
        system.formulation.positions(&elsewhere, &mut cache);
        self.place(&elsewhere);
        let reach = cache.bodies.iter().map(|b| b.pose.origin.norm()).fold(1.0, f64::max);
        let agrees = (1..self.bodies.len()).all(|body| {
            let (origin, rotation) = self.pose(body);
            let there = &cache.bodies[body].pose;
            let axes = rotation.axes.iter().zip(&there.rotation.axes);
            (there.origin - origin).norm() < ROUNDING * reach
                && axes.into_iter().all(|(a, b)| (*a - *b).norm() < ROUNDING)
        });
        self.place(q);
        agrees
    }

    fn pose(&self, body: usize) -> (Vec3, Rotation) {
        let (carrier, origin, rotation, height) = self.bodies[body];
        let carrier = carrier as usize;
        let flat = self.state.hub[carrier] + self.state.turned(carrier, origin);
        let turned = |a: Vec3| {
            let level = self.plane.0[2] * self.plane.height(a);
            self.plane.raised(self.state.turned(carrier, self.plane.flat(a))) + level
        };
        let axes = rotation.axes.map(turned);
        (self.plane.raised(flat) + self.plane.0[2] * height, Rotation { axes })
    }

    /// Positions at q.
    pub fn place(&mut self, q: &[f64]) {
        self.state.place(&self.tree, q);
        self.rows.place(&self.state);
    }

    /// Residuals where bodies were last placed. Returns the largest.
    pub fn residuals(&self, e: &mut Evaluation) -> f64 {
        self.rows.residuals(&e.relief, &mut e.phi).max(self.still)
    }

    /// Entries of Φ_v there.
    pub fn jacobian(&mut self, e: &mut Evaluation) {
        self.rows.jacobian(&self.tree, &self.state, &mut e.phi_v);
    }

    /// Entries of M there.
    pub fn weigh(&mut self, entries: &mut [f64]) {
        self.state.weigh(&self.tree, &self.masses, entries);
    }

    /// Velocities where bodies were last placed.
    pub fn travel(&mut self, v: &[f64]) {
        self.state.travel(&self.tree, v);
    }

    /// Velocities, and γ.
    pub fn acceleration_side(&mut self, v: &[f64], e: &mut Evaluation) {
        self.travel(v);
        self.rows.acceleration_side(&self.state, &mut e.gamma);
    }

    /// Places and moves bodies in the workspace as they last were here.
    pub fn show(&self, bodies: &[usize], ws: &mut Workspace) {
        for body in bodies {
            let (origin, rotation) = self.pose(*body);
            let (carrier, from_hub, ..) = self.bodies[*body];
            let carrier = carrier as usize;
            let spin = self.state.spin[carrier];
            let velocity = self.state.velocity[carrier] + self.state.turned(carrier, from_hub).across() * spin;
            let shown = &mut ws.cache.bodies[*body];
            (shown.pose.origin, shown.pose.rotation) = (origin, rotation);
            (shown.v, shown.w) = (self.plane.raised(velocity), self.plane.0[2] * spin);
        }
    }

    /// Generalised forces of wrenches on these bodies, of weight, and of what velocities ask for.
    pub fn forces(&mut self, bodies: &[usize], wrenches: &[Wrench], h: &mut [f64]) {
        for body in bodies {
            let carrier = self.bodies[*body].0 as usize;
            (self.state.force[carrier], self.state.torque[carrier]) = (Vec2::ZERO, 0.0);
        }
        for body in bodies {
            let (carrier, from_hub, ..) = self.bodies[*body];
            let carrier = carrier as usize;
            let Wrench { force, moment } = wrenches[*body];
            let force = self.plane.flat(force);
            self.state.force[carrier] = self.state.force[carrier] + force;
            self.state.torque[carrier] += self.plane.height(moment) + self.state.turned(carrier, from_hub).cross(force);
        }
        self.state.push(&self.tree, h);
    }

    /// Energies and speeds where bodies were last placed and moved.
    pub fn motion(&self) -> Motion {
        let (kinetic, weight) = self.state.energies(&self.tree);
        let most = |list: &mut dyn Iterator<Item = f64>| list.fold(0.0f64, |most, x| most.max(x.abs()));
        let spin = most(&mut self.state.spin.iter().copied());
        let turned = most(&mut self.state.angle.iter().zip(&self.kept).map(|(a, b)| a - b));
        Motion { kinetic, weight: weight + self.lift, spin, turned }
    }

    /// Counts turns from where bodies were last placed.
    pub fn keep(&mut self) {
        self.kept.clone_from(&self.state.angle);
    }

    /// Number of rows that no motion in the plane changes.
    pub fn still_rows(&self) -> usize {
        self.still_rows
    }
}

/// Ends and vectors gathered so far.
#[derive(Default)]
struct Ends {
    list: Vec<(u32, Vec2, bool)>,
    known: BTreeMap<(u32, u64, u64, bool), u32>,
    vectors: Vec<(u32, u32)>,
    known_vectors: BTreeMap<(u32, u32), u32>,
}

impl Ends {
    fn number(&mut self, end: (u32, Vec2, bool)) -> u32 {
        let list = &mut self.list;
        *self.known.entry((end.0, end.1.x.to_bits(), end.1.y.to_bits(), end.2)).or_insert_with(|| {
            list.push(end);
            (list.len() - 1) as u32
        })
    }

    fn vector(&mut self, pair: (u32, u32)) -> u32 {
        let vectors = &mut self.vectors;
        *self.known_vectors.entry(pair).or_insert_with(|| {
            vectors.push(pair);
            (vectors.len() - 1) as u32
        })
    }
}

/// The plane in which all joints of the tree turn and slide at the position realised.
fn plane(ws: &Workspace) -> Option<Plane> {
    let normal = ws.cache.twists.iter().find(|unit| unit.angular != Vec3::ZERO)?.angular.unit()?;
    // A normal along a ground axis is meant to be that axis; which way round does not matter.
    let along = |axis: &Vec3| axis.cross(normal).norm() < NOTHING;
    let normal = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().find(along).unwrap_or(normal);
    let first = if normal == Vec3::Z { Vec3::X } else { normal.any_perpendicular().unit()? };
    let turns = |a: Vec3| a.cross(normal).norm() <= NOTHING * a.norm();
    let slides = |a: Vec3| a.dot(normal).abs() <= NOTHING * a.norm();
    let fits = ws.cache.twists.iter().all(|unit| match unit.angular == Vec3::ZERO {
        true => slides(unit.linear),
        false => turns(unit.angular) && unit.linear == Vec3::ZERO,
    });
    fits.then_some(Plane([first, normal.cross(first), normal]))
}
