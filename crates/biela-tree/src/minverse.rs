//! M⁻¹ by articulated bodies, and forward dynamics through the factorised inertia matrix.

#![allow(non_snake_case)]

use super::derivatives::forward;
use super::forward_derivatives;
use super::scalar::Scalar;
use super::wide::Kernel;
use super::workspace::{dispatch, kernel, Workspace};
use super::world::{place, place_and_move};
use super::Tree;

/// M⁻¹(q), nv × nv, row by row.
pub fn minverse(tree: &Tree, workspace: &mut Workspace, q: &[f64], inverse: &mut [f64]) {
    dispatch!(tree, workspace, Minverse { q, inverse });
}

/// Accelerations under the generalised forces τ by M = Lᵀ D L and two triangular solutions.
pub fn forward_by_cholesky(tree: &Tree, workspace: &mut Workspace, q: &[f64], v: &[f64], tau: &[f64], a: &mut [f64]) {
    dispatch!(tree, workspace, Forward { q, v, tau, a });
}

kernel! {
    Minverse<'t> { q: &'t [f64], inverse: &'t mut [f64] }
}

impl<S: Scalar> Kernel for Minverse<'_, S> {
    const MORE_REGISTERS: bool = false;

    #[inline(always)]
    fn run(self) {
        let Minverse { tree, work, q, inverse } = self;
        place(tree, work, q);
        forward_derivatives::articulate::<S, false>(tree, work, &[]);
        forward_derivatives::matrices::<S, false, 1>(tree, work, [inverse]);
    }
}

kernel! {
    Forward<'t> { q: &'t [f64], v: &'t [f64], tau: &'t [f64], a: &'t mut [f64] }
}

impl<S: Scalar> Kernel for Forward<'_, S> {
    const MORE_REGISTERS: bool = false;

    #[inline(always)]
    fn run(self) {
        let Forward { tree, work, q, v, tau, a } = self;
        place_and_move(tree, work, q, v, &[]);
        forward(tree, work, tau);
        for (node, x) in tree.nodes.iter().zip(&work.x) {
            x.store(a, node.v);
        }
    }
}
