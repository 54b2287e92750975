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

/// How a joint's part of u = G v and of u̇ changes along one of its velocities.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Change {
    /// ∂u.
    pub u: [Vec3; 2],
    /// ∂u̇.
    pub a: [Vec3; 2],
    /// ∂u̇/∂v.
    pub a_by_v: [Vec3; 2],
    /// (∂G)ᵀ τ.
    pub tau: [Vec3; 2],
}

impl Swapped {
    /// Velocities it has.
    pub fn freedoms(&self) -> usize {
        if self.free {
            6
        } else {
            3
        }
    }

    /// Change along its velocity `j`, at the model's coordinates, velocities and accelerations; `tau`: the tree's forces.
    pub fn change(&self, j: usize, q: &[f64], v: &[f64], a: &[f64], tau: &[f64]) -> Change {
        let R = EulerParameters([q[self.q], q[self.q + 1], q[self.q + 2], q[self.q + 3]]).normalised().rotation();
        let at = |x: &[f64], k: usize| match x.get(k..k + 3) {
            Some(x) => Vec3::new(x[0], x[1], x[2]),
            None => Vec3::ZERO,
        };
        let axes = [Vec3::X, Vec3::Y, Vec3::Z];
        let (w, al, moment) = (at(v, self.v), at(a, self.v), at(tau, self.v));
        // A small rotation of M about its own axes, or a small displacement seen in F.
        let (turn, slide) = if j < 3 { (axes[j], Vec3::ZERO) } else { (Vec3::ZERO, axes[j - 3]) };
        let mut change = Change::default();
        change.u[0] = -R.apply(turn.cross(w));
        change.a[0] = -R.apply(turn.cross(al));
        let by_turn = axes.map(|axis| -moment.dot(R.apply(turn.cross(axis))));
        change.tau[0] = Vec3::from(by_turn);
        if !self.free {
            return change;
        }
        let m = self.v + 3;
        let p = -R.apply_transposed(at(q, self.q + 4));
        let (s, ds, force) = (R.apply_transposed(at(v, m)), R.apply_transposed(at(a, m)), at(tau, m));
        let slide = R.apply_transposed(slide);
        let dp = p.cross(turn) - slide;
        change.u[1] = dp.cross(w) - s.cross(turn);
        change.a[1] = w.cross(s.cross(turn)) * 2.0 + dp.cross(w).cross(w) + dp.cross(al) - ds.cross(turn);
        change.a_by_v[1] = turn.cross(s) * 2.0 + p.cross(turn).cross(w) + p.cross(w).cross(turn) + w.cross(slide) * 2.0;
        change.tau[0] += Vec3::from(axes.map(|axis| force.dot(dp.cross(axis))));
        change.tau[1] = Vec3::from(axes.map(|axis| -force.dot(R.apply_transposed(axis).cross(turn))));
        change
    }
}

fn put(x: &mut [f64], k: usize, v: Vec3) {
    x[k..k + 3].copy_from_slice(&v.to_array());
}
