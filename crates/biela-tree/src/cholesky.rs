//! M = Lᵀ D L of an inertia matrix, which keeps the zeros between branches (Featherstone 2008, section 6.5).
//!
//! Matrices are in node order, row by row, with rows of [`stride`] numbers: whole chunks. Row i of L has entries only at the
//! nodes between i and the ground; so inner loops run over [`super::Node::runs`], a few stretches of
//! consecutive columns, chunk by chunk. What chunks hold beyond a stretch is never looked at, or zero.

#![allow(non_snake_case)]

use super::scalar::Scalar;
use super::Tree;

/// Length of a row.
#[inline(always)]
pub(super) const fn stride<S: Scalar>(n: usize) -> usize {
    n.div_ceil(S::CHUNK) * S::CHUNK
}

/// target −= factor · row on stretches of columns, in whole chunks, none of them twice.
#[inline(always)]
fn subtract<S: Scalar>(factor: S, row: &[S], target: &mut [S], runs: &[(usize, usize)]) {
    let factor = factor.spread();
    let mut j = 0;
    for &(from, to) in runs {
        j = j.max(from / S::CHUNK * S::CHUNK);
        while j < to {
            S::put(factor.fnma(S::chunk(row, j), S::chunk(target, j)), target, j);
            j += S::CHUNK;
        }
    }
}

/// Factorises in place: the strict lower part becomes L, the diagonal 1/D. Only the lower part is read.
#[inline(always)]
pub(super) fn factorise<S: Scalar>(tree: &Tree, M: &mut [S]) {
    let n = tree.nodes.len();
    let ns = stride::<S>(n);
    for k in (0..n).rev() {
        let (above, rest) = M.split_at_mut(k * ns);
        let row = &mut rest[..ns];
        let inverse = row[k].recip();
        row[k] = inverse;
        let mut i = tree.nodes[k].parent;
        while let Some(node) = tree.nodes.get(i) {
            let factor = row[i] * inverse;
            let target = &mut above[i * ns..(i + 1) * ns];
            subtract(factor, row, target, &node.runs);
            // The entry itself was needed unscaled until now.
            row[i] = factor;
            i = node.parent;
        }
    }
}

/// Solves M x = b in place with the factors.
#[inline(always)]
pub(super) fn solve<S: Scalar>(tree: &Tree, L: &[S], x: &mut [S]) {
    let n = tree.nodes.len();
    let ns = stride::<S>(n);
    for k in (0..n).rev() {
        let xk = x[k];
        let mut i = tree.nodes[k].parent;
        while let Some(node) = tree.nodes.get(i) {
            x[i] = L[k * ns + i].fnma(xk, x[i]);
            i = node.parent;
        }
    }
    for k in 0..n {
        let mut xk = x[k] * L[k * ns + k];
        let mut i = tree.nodes[k].parent;
        while let Some(node) = tree.nodes.get(i) {
            xk = L[k * ns + i].fnma(x[i], xk);
            i = node.parent;
        }
        x[k] = xk;
    }
}
