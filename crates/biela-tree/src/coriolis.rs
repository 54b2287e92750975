//! A matrix C(q, v) of velocity products with C v = bias − gravity and Ṁ − 2 C skew.
//!
//! With J_k the Jacobian of body k, M = Σ J_kᵀ I_k J_k and C = Σ J_kᵀ (I_k J̇_k + B_k J_k), B = ½ (V×* I − I V× + (I V)×̄*), whose
//! symmetric part is half of İ (Echeandia, Wensing 2021). With composite sums, for j between i and the ground:
//! C_ij = Sᵢᵀ (I Ṡ_j + B S_j), C_ji = S_jᵀ (I Ṡᵢ + B Sᵢ).

#![allow(non_snake_case)]

use super::articulated::{minus, scalar_product};
use super::entries::Entries;
use super::scalar::Scalar;
use super::spatial::V3;
use super::wide::Kernel;
use super::workspace::{dispatch, kernel, Workspace};
use super::world::place_and_move;
use super::world_nodes::{add_mass, motion, Mass, Pair, WorldNode};
use super::Tree;

/// C(q, v), nv × nv, row by row.
pub fn coriolis(tree: &Tree, workspace: &mut Workspace, q: &[f64], v: &[f64], C: &mut [f64]) {
    C[..tree.nv * tree.nv].fill(0.0);
    dispatch!(tree, workspace, Coriolis { q, v, C });
}

kernel! {
    Coriolis<'t> { q: &'t [f64], v: &'t [f64], C: &'t mut [f64] }
}

impl<S: Scalar> Kernel for Coriolis<'_, S> {
    const MORE_REGISTERS: bool = false;

    #[inline(always)]
    fn run(self) {
        let Coriolis { tree, work, q, v, C } = self;
        place_and_move(tree, work, q, v, &[]);
        let mut C = Entries::new::<S>(tree, C);
        let n = tree.nodes.len();
        let (axes, psis, rates) = (work.s.view(), work.psi.view(), work.rate.view());
        let (world, mut totals) = (&mut work.world[..n], work.totals.open());
        for i in (0..n).rev() {
            let node = &tree.nodes[i];
            let (body, total) = (world[i], Mass::from(totals.view().numbers(i)));
            if let Some(parent) = world.get_mut(node.parent) {
                parent.add_products(&body);
                add_mass(&mut totals, node.parent, &total);
            }
            // ψ̇ + Ṡ is at hand.
            let turning = |j: usize| minus(motion(rates.numbers(j)), motion(psis.numbers(j)));
            let own = motion(axes.numbers(i));
            let load = products(&body, own.0, total.times(turning(i)));
            for &(from, to) in &node.runs {
                for j in from..to {
                    let axis = motion(axes.numbers(j));
                    let there = products(&body, axis.0, total.times(turning(j)));
                    C.set(i, j, scalar_product(own, there));
                    C.set(j, i, scalar_product(axis, load));
                }
            }
        }
    }
}

/// B x + (n, f) with the angular part x.
#[inline(always)]
fn products<S: Scalar>(body: &WorldNode<S>, x: V3<S>, (n, f): Pair<S>) -> Pair<S> {
    (n - body.E.mul(x), f - body.F.cross(x))
}
