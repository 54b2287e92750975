//! Inertia matrix by composite bodies (Walker, Orin 1982; Featherstone 2008, chapter 6).
//!
//! Each node's composite inertia is summed towards the ground in the frames themselves; the force that a unit
//! acceleration of node i needs is then carried from frame to frame towards the ground, and each axis on the way takes its
//! part of it. Trees of [`WORLD_SIZE`] nodes and more are summed in ground axes, where nothing needs to be carried.

#![allow(non_snake_case)]

use super::derivatives::{row, store_symmetric};
use super::rnea::{origin, rotation};
use super::scalar::Scalar;
use super::spatial::{V3, Y3};
use super::wide::Kernel;
use super::workspace::{dispatch, Composite, Work, Workspace};
use super::world::{inertia, positions};
use super::{Node, Tree};

/// Trees of at least this many nodes are summed in ground axes.
pub const WORLD_SIZE: usize = 12;

/// Inertia matrix M(q), nv × nv, row by row.
pub fn crba(tree: &Tree, workspace: &mut Workspace, q: &[f64], M: &mut [f64]) {
    dispatch!(tree, workspace, Crba { q, M });
}

pub(super) struct Crba<'t, S> {
    pub tree: &'t Tree,
    pub work: &'t mut Work<S>,
    pub q: &'t [f64],
    pub M: &'t mut [f64],
}

impl<S: Scalar> Kernel for Crba<'_, S> {
    #[inline(always)]
    fn run(self) {
        if self.tree.nodes.len() >= WORLD_SIZE {
            world_matrix(self.tree, self.work, self.q);
            store_symmetric(self.tree, &self.work.M, self.M);
        } else if self.tree.revolute {
            pass::<S, true>(self.tree, self.work, self.q, self.M);
        } else {
            pass::<S, false>(self.tree, self.work, self.q, self.M);
        }
    }
}

/// The lower part of M in node order into `work.M`, by ground axes.
#[inline(always)]
pub(super) fn world_matrix<S: Scalar>(tree: &Tree, work: &mut Work<S>, q: &[f64]) {
    if tree.revolute {
        positions::<S, true>(tree, work, q);
    } else {
        positions::<S, false>(tree, work, q);
    }
    let n = tree.nodes.len();
    if tree.branched {
        work.M[..n * n].fill(S::zero());
    }
    for i in (0..n).rev() {
        let node = &tree.nodes[i];
        let (before, rest) = work.world[..n].split_at_mut(i);
        let (moment, force) = inertia(&rest[0], work.s.get(i));
        row(&work.s.0, &node.runs, moment, force, &mut work.M[i * n..(i + 1) * n]);
        if let Some(parent) = before.get_mut(node.parent) {
            parent.add_inertia(&rest[0]);
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
fn pass<S: Scalar, const REVOLUTE: bool>(tree: &Tree, work: &mut Work<S>, q: &[f64], M: &mut [f64]) {
    work.angles::<REVOLUTE>(tree, q);
    let n = tree.nodes.len();
    let (bodies, sin, cos, slide) = (&mut work.composites[..n], &work.sin[..n], &work.cos[..n], &work.slide[..n]);
    for (i, node) in tree.nodes.iter().enumerate() {
        bodies[i] = Composite {
            R: rotation::<S, REVOLUTE>(node, sin[i], cos[i], q),
            p: origin::<S, REVOLUTE>(node, slide, i),
            m: S::splat(node.m),
            h: V3::splat(&node.h),
            J: Y3::splat(&node.I),
        };
    }
    if tree.branched {
        M[..n * n * S::LANES].fill(0.0);
    }
    for i in (0..n).rev() {
        let node = &tree.nodes[i];
        let body = bodies[i];
        let (mut nn, mut ff) = column::<S, REVOLUTE>(node, &body);
        let own = if REVOLUTE { nn.z } else { S::splat(node.turn).fma(nn.z, S::splat(node.lead) * ff.z) };
        own.store(M, node.v * n + node.v);
        let mut j = i;
        let mut here = &tree.nodes[i];
        while let Some(parent) = tree.nodes.get(here.parent) {
            let at = &bodies[j];
            ff = at.R.mul(ff);
            let p = if REVOLUTE { V3::splat(&here.p) } else { at.p };
            nn = at.R.mul_add(nn, p.cross(ff));
            let part = if REVOLUTE { nn.z } else { S::splat(parent.turn).fma(nn.z, S::splat(parent.lead) * ff.z) };
            part.store(M, parent.v * n + node.v);
            part.store(M, node.v * n + parent.v);
            j = here.parent;
            here = parent;
        }
        if let Some(parent) = bodies[..i].get_mut(node.parent) {
            let d = if REVOLUTE { V3::splat(&node.p) } else { body.p };
            parent.add(&body, d);
        }
    }
}

impl<S: Scalar> Composite<S> {
    /// Adds a child's composite, rotated and shifted by `d`.
    #[inline(always)]
    pub(super) fn add(&mut self, child: &Composite<S>, d: V3<S>) {
        let h = child.R.mul(child.h);
        let J = child.J.rotated(&child.R);
        // First moment about the parent's origin; the inertia grows by (d·h + d·g) 1 − (d hᵀ + g dᵀ).
        let g = d.fma(child.m, h);
        let t = d.dot_add(h, d.dot(g));
        let P = &mut self.J;
        P.xx = P.xx + d.x.fnma(h.x, g.x.fnma(d.x, J.xx + t));
        P.yy = P.yy + d.y.fnma(h.y, g.y.fnma(d.y, J.yy + t));
        P.zz = P.zz + d.z.fnma(h.z, g.z.fnma(d.z, J.zz + t));
        P.xy = P.xy + d.x.fnma(h.y, g.x.fnma(d.y, J.xy));
        P.xz = P.xz + d.x.fnma(h.z, g.x.fnma(d.z, J.xz));
        P.yz = P.yz + d.y.fnma(h.z, g.y.fnma(d.z, J.yz));
        self.h = self.h + g;
        self.m = self.m + child.m;
    }
}
