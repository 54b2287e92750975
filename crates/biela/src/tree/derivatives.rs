//! Exact partial derivatives of inverse and forward dynamics, by recursion (Singh, Russo, Wensing 2022).
//!
//! For j between i and the ground, with composite inertia I, velocity products B and force f of what i carries:
//! ∂τ_i/∂q_j = Sᵢᵀ (2B ψ̇_j + I ψ̈_j), ∂τ_j/∂q_i = S_jᵀ (2B ψ̇_i + I ψ̈_i + Sᵢ ×* f), ∂τ_i/∂v_j = Sᵢᵀ (2B S_j + I (ψ̇_j + Ṡ_j)),
//! ∂τ_j/∂v_i = S_jᵀ (2B S_i + I (ψ̇_i + Ṡ_i)). Derivatives by q are along velocity coordinates: for Euler parameters, by a
//! small rotation about M's axes. Those of forward dynamics follow: ∂v̇/∂x = −M⁻¹ ∂τ/∂x at the accelerations found.

#![allow(non_snake_case)]

use super::cholesky;
use super::scalar::Scalar;
use super::spatial::V3;
use super::wide::Kernel;
use super::workspace::{dispatch, Work, Workspace};
use super::world::{accelerations, inertia, positions, velocities, Pair};
use super::{NodeKind, Tree};

/// ∂τ/∂q, ∂τ/∂v and ∂τ/∂v̇ = M of inverse dynamics, nv × nv each, row by row.
#[allow(clippy::too_many_arguments)]
pub fn rnea_derivatives(
    tree: &Tree,
    workspace: &mut Workspace,
    q: &[f64],
    v: &[f64],
    a: &[f64],
    dq: &mut [f64],
    dv: &mut [f64],
    da: &mut [f64],
) {
    dispatch!(tree, workspace, RneaDerivatives { q, v, a, dq, dv, da });
}

/// ∂v̇/∂q, ∂v̇/∂v and ∂v̇/∂τ = M⁻¹ of forward dynamics, nv × nv each, row by row.
#[allow(clippy::too_many_arguments)]
pub fn aba_derivatives(
    tree: &Tree,
    workspace: &mut Workspace,
    q: &[f64],
    v: &[f64],
    tau: &[f64],
    dq: &mut [f64],
    dv: &mut [f64],
    dtau: &mut [f64],
) {
    dispatch!(tree, workspace, AbaDerivatives { q, v, tau, dq, dv, dtau });
}

pub(super) struct RneaDerivatives<'t, S> {
    pub tree: &'t Tree,
    pub work: &'t mut Work<S>,
    pub q: &'t [f64],
    pub v: &'t [f64],
    pub a: &'t [f64],
    pub dq: &'t mut [f64],
    pub dv: &'t mut [f64],
    pub da: &'t mut [f64],
}

impl<S: Scalar> Kernel for RneaDerivatives<'_, S> {
    #[inline(always)]
    fn run(self) {
        let RneaDerivatives { tree, work, q, v, a, dq, dv, da } = self;
        if tree.revolute {
            positions::<S, true>(tree, work, q);
            velocities::<S, true>(tree, work, v);
        } else {
            positions::<S, false>(tree, work, q);
            velocities::<S, false>(tree, work, v);
        }
        accelerations(tree, work, v, |_, k| S::load(a, k));
        pairs::<S, true>(tree, work);
        store(tree, &work.dq, dq);
        store(tree, &work.dv, dv);
        store_symmetric(tree, &work.M, da);
    }
}

pub(super) struct AbaDerivatives<'t, S> {
    pub tree: &'t Tree,
    pub work: &'t mut Work<S>,
    pub q: &'t [f64],
    pub v: &'t [f64],
    pub tau: &'t [f64],
    pub dq: &'t mut [f64],
    pub dv: &'t mut [f64],
    pub dtau: &'t mut [f64],
}

impl<S: Scalar> Kernel for AbaDerivatives<'_, S> {
    #[inline(always)]
    fn run(self) {
        let AbaDerivatives { tree, work, q, v, tau, dq, dv, dtau } = self;
        if tree.revolute {
            positions::<S, true>(tree, work, q);
            velocities::<S, true>(tree, work, v);
        } else {
            positions::<S, false>(tree, work, q);
            velocities::<S, false>(tree, work, v);
        }
        forward(tree, work, v, tau);
        let n = tree.nodes.len();
        cholesky::inverse(tree, &work.M, &mut work.W, &mut work.T, &mut work.inverse);
        let x = std::mem::take(&mut work.x);
        accelerations(tree, work, v, |i, _| x[i]);
        work.x = x;
        pairs::<S, false>(tree, work);
        cholesky::negative_product(n, &work.inverse, &work.dq, &mut work.W);
        cholesky::negative_product(n, &work.inverse, &work.dv, &mut work.T);
        store(tree, &work.W, dq);
        store(tree, &work.T, dv);
        store(tree, &work.inverse, dtau);
    }
}

/// Accelerations into `work.x` and the factors of M into `work.M`, after positions and velocities. The inertias become
/// composite.
#[inline(always)]
pub(super) fn forward<S: Scalar>(tree: &Tree, work: &mut Work<S>, v: &[f64], tau: &[f64]) {
    let n = tree.nodes.len();
    accelerations(tree, work, v, |_, _| S::zero());
    for i in (0..n).rev() {
        let node = &tree.nodes[i];
        let axis = work.s.get(i);
        let (before, rest) = work.world[..n].split_at_mut(i);
        let body = &rest[0];
        let (moment, force) = inertia(body, axis);
        row(&work.s.0, &node.runs, moment, force, &mut work.M[i * n..(i + 1) * n]);
        work.x[i] = S::load(tau, node.v) - axis.0.dot_add(body.n, axis.1.dot(body.f));
        if let Some(parent) = before.get_mut(node.parent) {
            parent.add_inertia(body);
            parent.add_force(body);
        }
    }
    cholesky::factorise(tree, &mut work.M);
    cholesky::solve(tree, &work.M, &mut work.x);
    // The bodies' own inertias again, for the forces at the accelerations found.
    for i in 0..n {
        let node = &tree.nodes[i];
        let (before, rest) = work.world[..n].split_at_mut(i);
        if let Some(parent) = before.get_mut(node.parent) {
            parent.subtract_inertia(&rest[0]);
        }
    }
}

/// u·s_j for every j between a node and the ground, itself included.
#[inline(always)]
pub(super) fn row<S: Scalar>(s: &[Vec<S>; 6], runs: &[(usize, usize)], uw: V3<S>, uv: V3<S>, out: &mut [S]) {
    for &(from, to) in runs {
        let [a, b, c, d, e, f] = s.each_ref().map(|x| &x[from..to]);
        for (j, out) in out[from..to].iter_mut().enumerate() {
            *out = uw.x.fma(a[j], uw.y.fma(b[j], uw.z.fma(c[j], uv.x.fma(d[j], uv.y.fma(e[j], uv.z * f[j])))));
        }
    }
}

/// g·x_j + u·y_j for every j between a node and the ground, with the angular parts of x.
#[inline(always)]
fn row_two<S: Scalar>(
    x: &[Vec<S>; 6],
    y: &[Vec<S>; 6],
    runs: &[(usize, usize)],
    g: V3<S>,
    (uw, uv): Pair<S>,
    out: &mut [S],
) {
    for &(from, to) in runs {
        let [k, l, m] = [0, 1, 2].map(|c| &x[c][from..to]);
        let [a, b, c, d, e, f] = y.each_ref().map(|x| &x[from..to]);
        for (j, out) in out[from..to].iter_mut().enumerate() {
            let first = g.x.fma(k[j], g.y.fma(l[j], g.z * m[j]));
            let angular = uw.x.fma(a[j], uw.y.fma(b[j], uw.z.fma(c[j], first)));
            *out = uv.x.fma(d[j], uv.y.fma(e[j], uv.z.fma(f[j], angular)));
        }
    }
}

/// ∂τ/∂q, ∂τ/∂v and the lower part of M, in node order.
#[inline(always)]
fn pairs<S: Scalar, const INERTIA: bool>(tree: &Tree, work: &mut Work<S>) {
    let n = tree.nodes.len();
    if tree.branched {
        work.dq[..n * n].fill(S::zero());
        work.dv[..n * n].fill(S::zero());
        if INERTIA {
            work.M[..n * n].fill(S::zero());
        }
    }
    let minus_two = S::splat(-2.0);
    for i in (0..n).rev() {
        let node = &tree.nodes[i];
        let (axis, psi, psi2, rate) = (work.s.get(i), work.psi.get(i), work.psi2.get(i), work.rate.get(i));
        let (before, rest) = work.world[..n].split_at_mut(i);
        let body = &rest[0];
        let (sw, sv) = axis;
        let u = inertia(body, axis);
        let g = body.E.tmul(sw).scale(minus_two) + body.F.cross(sv).scale(S::splat(2.0));
        let products = |x: V3<S>, (n, f): Pair<S>| (body.E.mul(x).fma(minus_two, n), body.F.cross(x).fma(minus_two, f));
        let turned = (sw.cross_add(body.n, sv.cross(body.f)), sw.cross(body.f));
        let mut by_q = products(psi.0, inertia(body, psi2));
        by_q = (by_q.0 + turned.0, by_q.1 + turned.1);
        let by_v = products(sw, inertia(body, rate));
        // Columns first: what stands on the diagonal is written again by the rows.
        let runs = &node.runs;
        row(&work.s.0, runs, by_q.0, by_q.1, &mut work.row);
        for &(from, to) in runs {
            for j in from..to {
                work.dq[j * n + i] = work.row[j];
            }
        }
        row(&work.s.0, runs, by_v.0, by_v.1, &mut work.row);
        for &(from, to) in runs {
            for j in from..to {
                work.dv[j * n + i] = work.row[j];
            }
        }
        row_two(&work.psi.0, &work.psi2.0, runs, g, u, &mut work.dq[i * n..(i + 1) * n]);
        row_two(&work.s.0, &work.rate.0, runs, g, u, &mut work.dv[i * n..(i + 1) * n]);
        if INERTIA {
            row(&work.s.0, runs, u.0, u.1, &mut work.M[i * n..(i + 1) * n]);
        }
        // Axes of one spherical joint turn together: the force does not turn against them.
        let group = match node.kind {
            NodeKind::AttitudeY => 1,
            NodeKind::AttitudeZ => 2,
            _ => 0,
        };
        for j in i - group..i {
            let (a, b) = work.s.get(j);
            work.dq[j * n + i] = work.dq[j * n + i] - a.dot_add(turned.0, b.dot(turned.1));
        }
        if let Some(parent) = before.get_mut(node.parent) {
            parent.add_inertia(body);
            parent.add_products(body);
            parent.add_force(body);
        }
    }
}

/// A matrix in node order to one in the order of velocities.
#[inline(always)]
pub(super) fn store<S: Scalar>(tree: &Tree, from: &[S], to: &mut [f64]) {
    let n = tree.nodes.len();
    if tree.in_order {
        for (k, x) in from[..n * n].iter().enumerate() {
            x.store(to, k);
        }
        return;
    }
    for (i, row) in tree.nodes.iter().enumerate() {
        for (j, column) in tree.nodes.iter().enumerate() {
            from[i * n + j].store(to, row.v * n + column.v);
        }
    }
}

/// A symmetric matrix known by its lower part in node order to one in the order of velocities.
#[inline(always)]
pub(super) fn store_symmetric<S: Scalar>(tree: &Tree, from: &[S], to: &mut [f64]) {
    let n = tree.nodes.len();
    for (i, row) in tree.nodes.iter().enumerate() {
        for j in 0..=i {
            let x = from[i * n + j];
            let column = tree.nodes[j].v;
            x.store(to, row.v * n + column);
            x.store(to, column * n + row.v);
        }
    }
}
