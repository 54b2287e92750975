//! The frame that a joint carries, in that of its parent and in the ground's.

#![allow(non_snake_case)]

use super::scalar::Scalar;
use super::spatial::{M3, V3};
use super::{Node, NodeKind, ROOT};

/// Rotation of a node's frame in its parent's.
#[inline(always)]
pub(super) fn rotation<S: Scalar, const REVOLUTE: bool>(node: &Node, s: S, c: S, q: &[f64]) -> M3<S> {
    let (x, y, z) = (V3::splat(&node.x), V3::splat(&node.y), V3::splat(&node.z));
    if !REVOLUTE && node.kind == NodeKind::AttitudeX {
        return attitude(M3 { a: x, b: y, c: z }, node.q, q);
    }
    M3 { a: x.fma(c, y.scale(s)), b: x.fnma(s, y.scale(c)), c: z }
}

/// R₀ · A(e) with its columns in the order y, z, x: the first node of a spherical joint turns about x.
#[inline(always)]
fn attitude<S: Scalar>(R0: M3<S>, k: usize, q: &[f64]) -> M3<S> {
    let [a, b, c, d] = [0, 1, 2, 3].map(|j| S::load(q, k + j));
    let two = S::splat(2.0);
    // Dividing by the squared length makes the matrix a rotation for parameters of any length.
    let t = two * d.fma(d, c.fma(c, b.fma(b, a * a))).recip();
    let one = S::splat(1.0);
    let A = M3 {
        a: V3::new(one - t * (c * c + d * d), t * (b * c + a * d), t * (b * d - a * c)),
        b: V3::new(t * (b * c - a * d), one - t * (b * b + d * d), t * (c * d + a * b)),
        c: V3::new(t * (b * d + a * c), t * (c * d - a * b), one - t * (b * b + c * c)),
    };
    let R = R0.times(&A);
    M3 { a: R.b, b: R.c, c: R.a }
}

/// Origin of a node's frame in its parent's.
#[inline(always)]
pub(super) fn origin<S: Scalar, const REVOLUTE: bool>(node: &Node, slide: &[S], i: usize) -> V3<S> {
    let p = V3::splat(&node.p);
    if REVOLUTE {
        p
    } else {
        V3::splat(&node.z).fma(slide[i], p)
    }
}

/// What velocity products of a spherical joint's three nodes hold too much: they share one frame, whereas nodes that
/// followed each other would each turn the next. s₁×s₂ v₁v₂ + s₁×s₃ v₁v₃ + s₂×s₃ v₂v₃ in M.
#[inline(always)]
pub(super) fn attitude_excess<S: Scalar>(v: &[f64], k: usize) -> V3<S> {
    if v.is_empty() {
        return V3::zero();
    }
    let [a, b, c] = [2, 1, 0].map(|back| S::load(v, k - back));
    V3::new(b * c, -(a * c), a * b)
}

/// Component k, or zero where nothing is given.
#[inline(always)]
pub(super) fn given<S: Scalar>(block: &[f64], k: usize) -> S {
    if block.is_empty() {
        S::zero()
    } else {
        S::load(block, k)
    }
}

/// Pose of node i in the ground from that of the node that carries it, with sine and cosine of its angle.
#[inline(always)]
pub(super) fn carried<S: Scalar, const REVOLUTE: bool>(
    node: &Node,
    on: &(M3<S>, V3<S>),
    (s, c): (S, S),
    slide: &[S],
    i: usize,
    q: &[f64],
) -> (M3<S>, V3<S>) {
    let p = origin::<S, REVOLUTE>(node, slide, i);
    if node.parent == ROOT {
        return (rotation::<S, REVOLUTE>(node, s, c, q), p);
    }
    let (R, o) = (&on.0, on.0.mul_add(p, on.1));
    if !node.aligned {
        return (R.times(&rotation::<S, REVOLUTE>(node, s, c, q)), o);
    }
    // A turn about x, then one about z.
    let (sa, ca) = (S::splat(-node.z[1]), S::splat(node.z[2]));
    let (y, z) = (R.c.fma(sa, R.b.scale(ca)), R.b.fnma(sa, R.c.scale(ca)));
    (M3 { a: y.fma(s, R.a.scale(c)), b: R.a.fnma(s, y.scale(c)), c: z }, o)
}
