//! M = Lᵀ D L of an inertia matrix, which keeps the zeros between branches (Featherstone 2008, section 6.5).
//!
//! Matrices are in node order, row by row, with rows of [`stride`] numbers: whole chunks. Row i of L has entries only at the
//! nodes between i and the ground, its inverse likewise; so inner loops run over [`super::Node::runs`], a few stretches of
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

/// M⁻¹ = W D⁻¹ Wᵀ with W = L⁻¹, from the factors; `W` and `T` are scratch matrices. Only blocks are written.
#[inline(always)]
pub(super) fn inverse<S: Scalar>(tree: &Tree, L: &[S], W: &mut [S], T: &mut [S], inverse: &mut [S]) {
    let n = tree.nodes.len();
    let ns = stride::<S>(n);
    let o = S::zero();
    W[..n * ns].fill(o);
    T[..n * ns].fill(o);
    for i in 0..n {
        let (above, rest) = W.split_at_mut(i * ns);
        let row = &mut rest[..ns];
        row[i] = S::splat(1.0);
        let mut j = tree.nodes[i].parent;
        while let Some(node) = tree.nodes.get(j) {
            subtract(L[i * ns + j], &above[j * ns..(j + 1) * ns], row, &node.runs);
            j = node.parent;
        }
        for &(from, to) in &tree.nodes[i].runs {
            for k in from..to {
                T[k * ns + i] = row[k];
            }
        }
    }
    for i in 0..n {
        for &(from, to) in &tree.nodes[i].runs {
            for k in from..to {
                W[i * ns + k] = W[i * ns + k] * L[k * ns + k];
            }
        }
    }
    product::<S, true, false>(tree, W, T, inverse);
}

/// C = A B (`MINUS`: −A B) on the blocks of the tree; `LOWER`: A has nothing right of its diagonal.
#[inline(always)]
pub(super) fn product<S: Scalar, const LOWER: bool, const MINUS: bool>(tree: &Tree, A: &[S], B: &[S], C: &mut [S]) {
    let ns = stride::<S>(tree.nodes.len());
    for &(from, to) in &tree.blocks {
        let mut i = from;
        while i < to {
            // Four rows by two chunks at a time; at the end of the block some are done twice.
            let rows = [i, (i + 1).min(to - 1), (i + 2).min(to - 1), (i + 3).min(to - 1)];
            let end = if LOWER { rows[3] + 1 } else { to };
            let mut j = from / S::CHUNK * S::CHUNK;
            while j < to {
                let next = if j + S::CHUNK < to { j + S::CHUNK } else { j };
                let o = S::Chunk::zero();
                let mut sum = [[o; 2]; 4];
                for k in from..end {
                    let (x, y) = (S::chunk(B, k * ns + j), S::chunk(B, k * ns + next));
                    for r in 0..4 {
                        let a = A[rows[r] * ns + k].spread();
                        if MINUS {
                            sum[r] = [a.fnma(x, sum[r][0]), a.fnma(y, sum[r][1])];
                        } else {
                            sum[r] = [a.fma(x, sum[r][0]), a.fma(y, sum[r][1])];
                        }
                    }
                }
                for r in 0..4 {
                    S::put(sum[r][0], C, rows[r] * ns + j);
                    S::put(sum[r][1], C, rows[r] * ns + next);
                }
                j += 2 * S::CHUNK;
            }
            i += 4;
        }
    }
}
