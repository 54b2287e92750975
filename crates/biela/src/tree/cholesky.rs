//! M = Lᵀ D L of an inertia matrix, which keeps the zeros between branches (Featherstone 2008, section 6.5).
//!
//! Matrices are n × n row by row in node order. Row i of L has entries only at the nodes between i and the ground, its
//! inverse likewise; so every inner loop runs over [`super::Node::runs`], a few stretches of consecutive columns.

#![allow(non_snake_case)]

use super::scalar::Scalar;
use super::Tree;

/// Factorises in place: the strict lower part becomes L, the diagonal 1/D. Only the lower part is read.
#[inline(always)]
pub(super) fn factorise<S: Scalar>(tree: &Tree, M: &mut [S]) {
    let n = tree.nodes.len();
    for k in (0..n).rev() {
        let (above, rest) = M.split_at_mut(k * n);
        let row = &mut rest[..n];
        let inverse = row[k].recip();
        row[k] = inverse;
        let mut i = tree.nodes[k].parent;
        while let Some(node) = tree.nodes.get(i) {
            let factor = row[i] * inverse;
            let target = &mut above[i * n..(i + 1) * n];
            for &(from, to) in &node.runs {
                for (t, x) in target[from..to].iter_mut().zip(&row[from..to]) {
                    *t = factor.fnma(*x, *t);
                }
            }
            // The entry itself is needed unscaled by ancestors nearer to the ground, which come later.
            row[i] = factor;
            i = node.parent;
        }
    }
}

/// Solves M x = b in place with the factors.
#[inline(always)]
pub(super) fn solve<S: Scalar>(tree: &Tree, L: &[S], x: &mut [S]) {
    let n = tree.nodes.len();
    for k in (0..n).rev() {
        let xk = x[k];
        let mut i = tree.nodes[k].parent;
        while let Some(node) = tree.nodes.get(i) {
            x[i] = L[k * n + i].fnma(xk, x[i]);
            i = node.parent;
        }
    }
    for k in 0..n {
        let mut xk = x[k] * L[k * n + k];
        let mut i = tree.nodes[k].parent;
        while let Some(node) = tree.nodes.get(i) {
            xk = L[k * n + i].fnma(x[i], xk);
            i = node.parent;
        }
        x[k] = xk;
    }
}

/// M⁻¹ = W D⁻¹ Wᵀ with W = L⁻¹, from the factors; `W` and `T` are scratch matrices.
#[inline(always)]
pub(super) fn inverse<S: Scalar>(tree: &Tree, L: &[S], W: &mut [S], T: &mut [S], inverse: &mut [S]) {
    let n = tree.nodes.len();
    let o = S::zero();
    W[..n * n].fill(o);
    T[..n * n].fill(o);
    for i in 0..n {
        let (above, rest) = W.split_at_mut(i * n);
        let row = &mut rest[..n];
        row[i] = S::splat(1.0);
        let mut j = tree.nodes[i].parent;
        while let Some(node) = tree.nodes.get(j) {
            let factor = L[i * n + j];
            for &(from, to) in &node.runs {
                for (r, x) in row[from..to].iter_mut().zip(&above[j * n + from..j * n + to]) {
                    *r = factor.fnma(*x, *r);
                }
            }
            j = node.parent;
        }
        for &(from, to) in &tree.nodes[i].runs {
            for k in from..to {
                T[k * n + i] = row[k];
            }
        }
    }
    for i in 0..n {
        let out = &mut inverse[i * n..(i + 1) * n];
        out[..=i].fill(o);
        for &(from, to) in &tree.nodes[i].runs {
            for k in from..to {
                let factor = W[i * n + k] * L[k * n + k];
                for (r, x) in out[k..=i].iter_mut().zip(&T[k * n + k..k * n + i + 1]) {
                    *r = factor.fma(*x, *r);
                }
            }
        }
    }
    for i in 0..n {
        for j in i + 1..n {
            inverse[i * n + j] = inverse[j * n + i];
        }
    }
}

/// C = −A B.
#[inline(always)]
pub(super) fn negative_product<S: Scalar>(n: usize, A: &[S], B: &[S], C: &mut [S]) {
    for i in 0..n {
        let out = &mut C[i * n..(i + 1) * n];
        out.fill(S::zero());
        let a = &A[i * n..(i + 1) * n];
        let mut k = 0;
        while k + 4 <= n {
            let (b0, b1) = (&B[k * n..(k + 1) * n], &B[(k + 1) * n..(k + 2) * n]);
            let (b2, b3) = (&B[(k + 2) * n..(k + 3) * n], &B[(k + 3) * n..(k + 4) * n]);
            for j in 0..n {
                out[j] = a[k].fnma(b0[j], a[k + 1].fnma(b1[j], a[k + 2].fnma(b2[j], a[k + 3].fnma(b3[j], out[j]))));
            }
            k += 4;
        }
        while k < n {
            let b = &B[k * n..(k + 1) * n];
            for j in 0..n {
                out[j] = a[k].fnma(b[j], out[j]);
            }
            k += 1;
        }
    }
}
