//! Homogeneous matrices of poses and of their derivatives.

#![allow(non_snake_case)]

use super::scalar::Scalar;
use super::spatial::{M3, V3};

/// Three rows of a 4 × 4 matrix, by columns.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct Affine<S> {
    pub R: M3<S>,
    pub p: V3<S>,
}

impl<S: Scalar> Affine<S> {
    pub fn zero() -> Affine<S> {
        Affine { R: M3::zero(), p: V3::zero() }
    }
    /// Δ X with Δ = (ω̃, v): an operator on a pose, or on a derivative (last row zero).
    #[inline(always)]
    pub fn operated(&self, w: V3<S>, v: V3<S>, last: S) -> Affine<S> {
        let R = M3 { a: w.cross(self.R.a), b: w.cross(self.R.b), c: w.cross(self.R.c) };
        Affine { R, p: w.cross_add(self.p, v.scale(last)) }
    }
    #[inline(always)]
    pub fn fma(&self, k: S, c: &Affine<S>) -> Affine<S> {
        let R = M3 { a: self.R.a.fma(k, c.R.a), b: self.R.b.fma(k, c.R.b), c: self.R.c.fma(k, c.R.c) };
        Affine { R, p: self.p.fma(k, c.p) }
    }
    /// tr(X Yᵀ).
    #[inline(always)]
    pub fn trace(&self, o: &Affine<S>) -> S {
        self.R.a.dot_add(o.R.a, self.R.b.dot_add(o.R.b, self.R.c.dot_add(o.R.c, self.p.dot(o.p))))
    }
}
