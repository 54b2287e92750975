//! Equations of motion by Lagrange with homogeneous 4 × 4 matrices: A(q) q̈ + C(q, q̇) = M (reference 001).
//!
//! W_i is the pose of node i, B_i its pseudo-inertia. U_ij = ∂W_i/∂q_j = Δ_j W_i and U_ijk = ∂²W_i/∂q_j∂q_k = Δ_j Δ_k W_i for j
//! nearer to the ground than k, where Δ_j is the operator matrix Θ of axis j seen in the ground. Then A_lj = Σ_i tr(U_ij B_i
//! U_ilᵀ) and C_l = Σ_i tr(Σ_jk U_ijk q̇_j q̇_k B_i U_ilᵀ) − Σ_i m_i gᵀ U_il r_i. Products U_ij and U_ij B_i are stored and used
//! again. The last rows of all these matrices are zero and not stored. Two axes of one spherical joint turn together:
//! their product is the symmetric one.

#![allow(non_snake_case)]

use super::affine::Affine;
use super::cholesky::stride;
use super::entries::store_symmetric;
use super::scalar::Scalar;
use super::spatial::{M3, V3};
use super::wide::Kernel;
use super::workspace::{dispatch, kernel, Workspace};
use super::world::place;
use super::Tree;

/// A and C, nv × nv row by row and nv; with v̇ = A⁻¹ (τ − C).
pub fn lagrange(tree: &Tree, workspace: &mut Workspace, q: &[f64], v: &[f64], A: &mut [f64], C: &mut [f64]) {
    dispatch!(tree, workspace, Lagrange { q, v, A, C });
}

/// X B with the pseudo-inertia B = ((P, h), (hᵀ, m)) of a node.
#[inline(always)]
fn weighted<S: Scalar>(X: &Affine<S>, P: &M3<S>, h: V3<S>, m: S) -> Affine<S> {
    let R = X.R.times(P);
    let outer = M3 { a: X.p.scale(h.x), b: X.p.scale(h.y), c: X.p.scale(h.z) };
    Affine { R: R.plus(&outer), p: X.R.mul_add(h, X.p.scale(m)) }
}

kernel! {
    Lagrange<'t> { q: &'t [f64], v: &'t [f64], A: &'t mut [f64], C: &'t mut [f64] }
}

impl<S: Scalar> Kernel for Lagrange<'_, S> {
    #[inline(always)]
    fn run(self) {
        let Lagrange { tree, work, q, v, A, C } = self;
        place(tree, work, q);
        let n = tree.nodes.len();
        let ns = stride::<S>(n);
        work.make_matrix(n);
        work.M[..n * ns].fill(S::zero());
        work.x[..n].fill(S::zero());
        let (one, o) = (S::splat(1.0), S::zero());
        let gravity = V3::<S>::splat(&tree.gravity.to_array());
        for (i, node) in tree.nodes.iter().enumerate() {
            let (R, p) = work.placed.get(i);
            let W = Affine { R, p };
            let [a, b, c] = node.I.second_moments().map(|column| V3::<S>::splat(&column));
            let P = M3 { a, b, c };
            let (h, m) = (V3::splat(&node.h), S::splat(node.m));
            let mut second = Affine::zero();
            for &(from, to) in &node.runs {
                for k in from..to {
                    let (w, l) = work.s.get(k);
                    let U = W.operated(w, l, one);
                    work.U[k] = U;
                    work.UB[k] = weighted(&U, &P, h, m);
                    let rate = S::load(v, tree.nodes[k].v);
                    second = U.operated(w, l, o).fma(rate * rate, &second);
                    let twice = rate + rate;
                    let mut j = tree.nodes[k].parent;
                    while let Some(above) = tree.nodes.get(j) {
                        let (wj, lj) = work.s.get(j);
                        let coefficient = twice * S::load(v, above.v);
                        if above.tip == tree.nodes[k].tip {
                            // ½ (Δ_j Δ_k + Δ_k Δ_j), twice.
                            let half = S::splat(0.5) * coefficient;
                            second = work.U[j].operated(w, l, o).fma(half, &second);
                            second = U.operated(wj, lj, o).fma(half, &second);
                        } else {
                            second = U.operated(wj, lj, o).fma(coefficient, &second);
                        }
                        j = above.parent;
                    }
                }
            }
            let second = weighted(&second, &P, h, m);
            for &(from, to) in &node.runs {
                for l in from..to {
                    let U = work.U[l];
                    let weight = gravity.dot(U.R.mul_add(h, U.p.scale(m)));
                    work.x[l] = work.x[l] + (second.trace(&U) - weight);
                }
            }
            let mut l = i;
            while let Some(row) = tree.nodes.get(l) {
                for &(from, to) in &row.runs {
                    for j in from..to {
                        let sum = work.M[l * ns + j] + work.UB[j].trace(&work.U[l]);
                        work.M[l * ns + j] = sum;
                    }
                }
                l = row.parent;
            }
        }
        store_symmetric(tree, &work.M, A);
        for (node, x) in tree.nodes.iter().zip(&work.x) {
            x.store(C, node.v);
        }
    }
}
