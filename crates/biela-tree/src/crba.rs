//! Inertia matrix by composite bodies (Walker, Orin 1982; Featherstone 2008, chapter 6).
//!
//! Each node's composite inertia is summed towards the ground in the frames themselves; the force that a unit
//! acceleration of node i needs is then carried from frame to frame towards the ground, and each axis on the way takes its
//! part of it. Large trees ([`WORLD_SIZE`]) are summed in ground axes, where nothing needs to be carried. In aligned chains
//! vectors and inertias are carried by two planar turns.

#![allow(non_snake_case)]

use super::entries::Entries;
use super::joint_frame::{origin, rotation};
use super::scalar::Scalar;
use super::spatial::{Turn, V3, Y3};
use super::wide::Kernel;
use super::workspace::{dispatch, kernel, Composite, Work, Workspace};
use super::world::place;
use super::world_nodes::{add_mass, dot, motion, spread, Mass};
use super::{Node, Tree, ROOT};

/// Trees of at least this many nodes are summed in ground axes.
pub const WORLD_SIZE: usize = 12;
/// Aligned chains, whose turns are cheap, from this many on.
const CHAIN_SIZE: usize = 16;

/// Inertia matrix M(q), nv × nv, row by row.
pub fn crba(tree: &Tree, workspace: &mut Workspace, q: &[f64], M: &mut [f64]) {
    dispatch!(tree, workspace, Crba { q, M });
}

/// The lower triangle of M(q), nv × nv, row by row. Entries between branches become zero or stay as they were; those above the
/// diagonal are of no use.
pub fn crba_lower(tree: &Tree, workspace: &mut Workspace, q: &[f64], M: &mut [f64]) {
    if tree.in_order {
        dispatch!(tree, workspace, CrbaLower { q, M });
    } else {
        crba(tree, workspace, q, M);
    }
}

kernel! {
    Crba<'t> { q: &'t [f64], M: &'t mut [f64] }
}

kernel! {
    /// The lower triangle alone, of trees in order: in another order of coordinates the lower triangle of nodes is no triangle.
    CrbaLower<'t> { q: &'t [f64], M: &'t mut [f64] }
}

impl<S: Scalar> Kernel for CrbaLower<'_, S> {
    #[inline(always)]
    fn run(self) {
        matrix::<S, true>(self.tree, self.work, self.q, self.M);
    }
}

impl<S: Scalar> Kernel for Crba<'_, S> {
    #[inline(always)]
    fn run(self) {
        matrix::<S, false>(self.tree, self.work, self.q, self.M);
    }
}

/// The matrix, or its lower triangle alone (`LOWER`, for trees in order).
#[inline(always)]
fn matrix<S: Scalar, const LOWER: bool>(tree: &Tree, work: &mut Work<S>, q: &[f64], M: &mut [f64]) {
    // A triangle of one state is written in whole chunks.
    let limit = if tree.aligned && !(LOWER && S::CHUNK > 1) { CHAIN_SIZE } else { WORLD_SIZE };
    if tree.nodes.len() >= limit {
        world_rows::<S, LOWER>(tree, work, q, Entries::new::<S>(tree, M));
    } else if tree.aligned {
        chain::<S, LOWER>(tree, work, q, M);
    } else if tree.turns_apart::<S>() {
        pass::<S, true, LOWER>(tree, work, q, M);
    } else {
        pass::<S, false, LOWER>(tree, work, q, M);
    }
}

/// The matrix by ground axes, from the tips to the ground: M_ij = S_j · (I_i S_i) of the composite inertia of i, for j between
/// i and the ground.
#[inline(always)]
fn world_rows<S: Scalar, const LOWER: bool>(tree: &Tree, work: &mut Work<S>, q: &[f64], mut out: Entries) {
    place(tree, work, q);
    let n = tree.nodes.len();
    let (s, mut totals) = (work.s.view(), work.totals.open());
    // What the node before passes on, kept at hand: in a chain it is the child.
    let mut carried = None;
    for i in (0..n).rev() {
        let node = &tree.nodes[i];
        let mut total = Mass::from(totals.view().numbers(i));
        if let Some(child) = carried.take() {
            total.add(&child);
        }
        if node.parent.wrapping_add(1) == i {
            carried = Some(total);
        } else if node.parent != ROOT {
            add_mass(&mut totals, node.parent, &total);
        }
        let u = spread(total.times(motion(s.numbers(i))));
        for &(from, to) in &node.runs {
            let mut j = from;
            while j < to {
                let x = dot(&u, &s.chunk(j));
                if LOWER {
                    out.row_over::<S>(i, j, to - j, x);
                } else {
                    out.row::<S>(i, j, to - j, x);
                    out.column::<S>(j, i, to - j, x);
                }
                j += S::CHUNK;
            }
        }
        if tree.branched && !LOWER {
            out.gaps::<S>(i, &node.runs);
        }
    }
}

/// Moment and force at a node's origin for a unit acceleration along its own axis.
#[inline(always)]
pub(super) fn column<S: Scalar, const REVOLUTE: bool>(node: &Node, c: &Composite<S>) -> (V3<S>, V3<S>) {
    let o = S::zero();
    let (n, f) = (V3::new(c.J.xz, c.J.yz, c.J.zz), V3::new(-c.h.y, c.h.x, o));
    if REVOLUTE {
        return (n, f);
    }
    let (turn, lead) = (S::splat(node.turn), S::splat(node.lead));
    let slide_n = V3::new(c.h.y, -c.h.x, o);
    (n.fma(turn, slide_n.scale(lead)), f.fma(turn, V3::new(o, o, c.m * lead)))
}

#[inline(always)]
fn pass<S: Scalar, const REVOLUTE: bool, const LOWER: bool>(tree: &Tree, work: &mut Work<S>, q: &[f64], M: &mut [f64]) {
    work.angles::<REVOLUTE>(tree, q);
    let n = tree.nodes.len();
    let (bodies, sin, cos, slide) = (&mut work.composites[..n], &work.sin[..n], &work.cos[..n], &work.slide[..n]);
    for (i, node) in tree.nodes.iter().enumerate() {
        let body = &mut bodies[i];
        body.R = rotation::<S, REVOLUTE>(node, sin[i], cos[i], q);
        if !REVOLUTE {
            body.p = origin::<S, REVOLUTE>(node, slide, i);
        }
        if tree.branched {
            (body.m, body.h, body.J) = (S::splat(node.m), V3::splat(&node.h), Y3::splat(&node.I));
        }
    }
    if tree.branched && !LOWER {
        M[..n * n * S::LANES].fill(0.0);
    }
    // What the node before passes on, kept at hand: in a chain it is the child.
    let mut carried = None;
    for i in (0..n).rev() {
        let node = &tree.nodes[i];
        let mut body = bodies[i];
        if !tree.branched {
            (body.m, body.h, body.J) = (S::splat(node.m), V3::splat(&node.h), Y3::splat(&node.I));
        }
        if let Some((child, d)) = carried.take() {
            body.add(&child, d);
        }
        let (mut nn, mut ff) = column::<S, REVOLUTE>(node, &body);
        let own = if REVOLUTE { nn.z } else { S::splat(node.turn).fma(nn.z, S::splat(node.lead) * ff.z) };
        own.store(M, node.v * n + node.v);
        let mut j = i;
        let mut here = &tree.nodes[i];
        while let Some(parent) = tree.nodes.get(here.parent) {
            let at = &bodies[j];
            let up = at.R.mul(ff);
            let p = if REVOLUTE { V3::splat(&here.p) } else { at.p };
            nn = at.R.mul(nn) + p.cross(up);
            ff = up;
            let part = if REVOLUTE { nn.z } else { S::splat(parent.turn).fma(nn.z, S::splat(parent.lead) * ff.z) };
            if !LOWER {
                part.store(M, parent.v * n + node.v);
            }
            part.store(M, node.v * n + parent.v);
            j = here.parent;
            here = parent;
        }
        if node.parent != ROOT {
            let d = if REVOLUTE { V3::splat(&node.p) } else { body.p };
            if node.parent + 1 == i {
                carried = Some((body, d));
            } else {
                bodies[node.parent].add(&body, d);
            }
        }
    }
}

/// The turn of a node of an aligned chain.
#[inline(always)]
pub(super) fn turn<S: Scalar>(node: &Node, s: S, c: S) -> Turn<S> {
    Turn { s, c, sa: S::splat(-node.z[1]), ca: S::splat(node.z[2]) }
}

/// An aligned chain: frames follow from each other by two planar turns.
#[inline(always)]
fn chain<S: Scalar, const LOWER: bool>(tree: &Tree, work: &mut Work<S>, q: &[f64], M: &mut [f64]) {
    work.angles::<true>(tree, q);
    let n = tree.nodes.len();
    let (nodes, sin, cos) = (&tree.nodes[..n], &work.sin[..n], &work.cos[..n]);
    let Some(last) = nodes.last() else { return };
    let mut total = Carried::<S>::of(last);
    for i in (0..n).rev() {
        let (J, h) = (&total.J, total.h);
        let (mut moment, mut force) = (V3::new(J.xz, J.yz, J.zz), V3::new(-h.y, h.x, S::zero()));
        let vi = nodes[i].v;
        moment.z.store(M, vi * n + vi);
        if i == 0 {
            break;
        }
        for j in (1..=i).rev() {
            let (node, vj) = (&nodes[j], nodes[j - 1].v);
            let (up, p) = (turn(node, sin[j], cos[j]), V3::splat(&node.p));
            force = up.up(force);
            moment = if j > 1 {
                p.cross_add(force, up.up(moment))
            } else {
                // Beyond the first axis nothing is asked for.
                V3::new(S::zero(), S::zero(), p.y.fnma(force.x, p.x.fma(force.y, up.up_z(moment))))
            };
            moment.z.store(M, vi * n + vj);
            if !LOWER {
                moment.z.store(M, vj * n + vi);
            }
        }
        let mut next = Carried::of(&nodes[i - 1]);
        next.add(&total, &turn(&nodes[i], sin[i], cos[i]), V3::splat(&nodes[i].p));
        total = next;
    }
}

/// Mass, first moment and inertia of all that a node of an aligned chain carries.
#[derive(Clone, Copy)]
pub(super) struct Carried<S> {
    pub m: S,
    pub h: V3<S>,
    pub J: Y3<S>,
}

impl<S: Scalar> Carried<S> {
    /// Of the node alone.
    #[inline(always)]
    pub fn of(node: &Node) -> Carried<S> {
        Carried { m: S::splat(node.m), h: V3::splat(&node.h), J: Y3::splat(&node.I) }
    }
    /// Adds what the next node carries, turned and shifted by `d`.
    #[inline(always)]
    pub fn add(&mut self, child: &Carried<S>, turn: &Turn<S>, d: V3<S>) {
        let h = turn.up(child.h);
        let J = turn.up_matrix(&child.J);
        (self.m, self.h, self.J) = shifted(self.m, self.h, &self.J, (child.m, h, J), d);
    }
}

/// Mass, first moment and inertia with those of a child added: its own about its origin, at `d`, in the same axes.
#[inline(always)]
fn shifted<S: Scalar>(m: S, h0: V3<S>, P: &Y3<S>, child: (S, V3<S>, Y3<S>), d: V3<S>) -> (S, V3<S>, Y3<S>) {
    let (mass, h, J) = child;
    // First moment about the parent's origin; the inertia grows by (d·h + d·g) 1 − (d hᵀ + g dᵀ).
    let g = d.fma(mass, h);
    let t = d.dot_add(h, d.dot(g));
    let sum = Y3 {
        xx: P.xx + d.x.fnma(h.x, g.x.fnma(d.x, J.xx + t)),
        yy: P.yy + d.y.fnma(h.y, g.y.fnma(d.y, J.yy + t)),
        zz: P.zz + d.z.fnma(h.z, g.z.fnma(d.z, J.zz + t)),
        xy: P.xy + d.x.fnma(h.y, g.x.fnma(d.y, J.xy)),
        xz: P.xz + d.x.fnma(h.z, g.x.fnma(d.z, J.xz)),
        yz: P.yz + d.y.fnma(h.z, g.y.fnma(d.z, J.yz)),
    };
    (m + mass, h0 + g, sum)
}

impl<S: Scalar> Composite<S> {
    /// Adds a child's composite, rotated and shifted by `d`.
    #[inline(always)]
    pub(super) fn add(&mut self, child: &Composite<S>, d: V3<S>) {
        let h = child.R.mul(child.h);
        let J = child.J.rotated(&child.R);
        (self.m, self.h, self.J) = shifted(self.m, self.h, &self.J, (child.m, h, J), d);
    }
}
