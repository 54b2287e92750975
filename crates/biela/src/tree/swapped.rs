//! Spherical and free joints written from the outer body to the inner one.
//!
//! A tree node's attitude is that of the carried frame in the carrying one. Where the carrier is the joint's second body, the
//! tree holds X_MF in place of the joint's own X_FM(e, p): e' is the conjugate of e, p' = −Rᵀ p, and with ω = ω_FM in M and
//! s = Rᵀ ṗ the velocities are ω' = −R ω, ṗ' = −s + p' × ω; so u = G v with G orthogonal for spherical joints.

#![allow(non_snake_case)]

use crate::math::{EulerParameters, Vec3};

/// Where such a joint's coordinates lie, among q and among v.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Swapped {
    pub q: usize,
    pub v: usize,
    pub free: bool,
}

/// A block of the matrix G between velocities, with its rate, in a matrix of `columns` columns.
pub(super) struct Block<'m> {
    pub G: &'m mut [f64],
    pub rate: &'m mut [f64],
    pub columns: usize,
}

impl Swapped {
    /// Turns coordinates, velocities and accelerations of the joint into the tree's, in place, and fills the block of G.
    pub fn apply(&self, q: &mut [f64], v: &mut [f64], a: &mut [f64], block: Block) {
        let e = EulerParameters([q[self.q], q[self.q + 1], q[self.q + 2], q[self.q + 3]]).normalised();
        let R = e.rotation();
        let [e0, e1, e2, e3] = e.0;
        q[self.q..self.q + 4].copy_from_slice(&[e0, -e1, -e2, -e3]);
        let at = |x: &[f64], k: usize| Vec3::new(x[k], x[k + 1], x[k + 2]);
        let (w, al) = (at(v, self.v), at(a, self.v));
        put(v, self.v, -R.apply(w));
        put(a, self.v, -R.apply(al));
        let Block { G, rate, columns } = block;
        let mut set = |i: usize, j: usize, column: Vec3, change: Vec3| {
            for (r, (x, dx)) in column.to_array().into_iter().zip(change.to_array()).enumerate() {
                G[(self.v + i + r) * columns + self.v + j] = x;
                rate[(self.v + i + r) * columns + self.v + j] = dx;
            }
        };
        for (j, axis) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
            set(0, j, -R.apply(axis), -R.apply(w.cross(axis)));
        }
        if !self.free {
            return;
        }
        let (k, m) = (self.q + 4, self.v + 3);
        let p = -R.apply_transposed(at(q, k));
        let (s, ds) = (R.apply_transposed(at(v, m)), R.apply_transposed(at(a, m)));
        let dp = p.cross(w) - s;
        put(q, k, p);
        put(v, m, dp);
        put(a, m, w.cross(s) * 2.0 + p.cross(w).cross(w) + p.cross(al) - ds);
        for (j, axis) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
            set(3, j, p.cross(axis), dp.cross(axis));
            let carried = R.apply_transposed(axis);
            set(3, 3 + j, -carried, w.cross(carried));
        }
    }
}

fn put(x: &mut [f64], k: usize, v: Vec3) {
    x[k..k + 3].copy_from_slice(&v.to_array());
}
