//! M⁻¹, and forward dynamics through the factorised inertia matrix.

#![allow(non_snake_case)]

use super::cholesky;
use super::crba::world_matrix;
use super::derivatives::{forward, store};
use super::scalar::Scalar;
use super::wide::Kernel;
use super::workspace::{dispatch, Work, Workspace};
use super::world::{motions, positions};
use super::Tree;

/// M⁻¹(q), nv × nv, row by row.
pub fn minverse(tree: &Tree, workspace: &mut Workspace, q: &[f64], inverse: &mut [f64]) {
    dispatch!(tree, workspace, Minverse { q, inverse });
}

/// Accelerations under the generalised forces τ by M = Lᵀ D L and two triangular solutions.
pub fn forward_by_cholesky(tree: &Tree, workspace: &mut Workspace, q: &[f64], v: &[f64], tau: &[f64], a: &mut [f64]) {
    dispatch!(tree, workspace, Forward { q, v, tau, a });
}

struct Minverse<'t, S> {
    tree: &'t Tree,
    work: &'t mut Work<S>,
    q: &'t [f64],
    inverse: &'t mut [f64],
}

impl<S: Scalar> Kernel for Minverse<'_, S> {
    #[inline(always)]
    fn run(self) {
        let Minverse { tree, work, q, inverse } = self;
        world_matrix(tree, work, q);
        cholesky::factorise(tree, &mut work.M);
        cholesky::inverse(tree, &work.M, &mut work.W, &mut work.T, &mut work.inverse);
        store(tree, &work.inverse, inverse);
    }
}

pub(super) struct Forward<'t, S> {
    pub tree: &'t Tree,
    pub work: &'t mut Work<S>,
    pub q: &'t [f64],
    pub v: &'t [f64],
    pub tau: &'t [f64],
    pub a: &'t mut [f64],
}

impl<S: Scalar> Kernel for Forward<'_, S> {
    #[inline(always)]
    fn run(self) {
        let Forward { tree, work, q, v, tau, a } = self;
        if tree.revolute {
            positions::<S, true>(tree, work, q);
            motions::<S, true>(tree, work, v, &[]);
        } else {
            positions::<S, false>(tree, work, q);
            motions::<S, false>(tree, work, v, &[]);
        }
        forward(tree, work, tau);
        for (node, x) in tree.nodes.iter().zip(&work.x) {
            x.store(a, node.v);
        }
    }
}
