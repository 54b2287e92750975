//! Exact partial derivatives of inverse and forward dynamics, by recursion (Singh, Russo, Wensing 2022).
//!
//! For j between i and the ground, with composite inertia I, velocity products B and force f of what i carries:
//! ∂τ_i/∂q_j = Sᵢᵀ (2B ψ̇_j + I ψ̈_j), ∂τ_j/∂q_i = S_jᵀ (2B ψ̇_i + I ψ̈_i + Sᵢ ×* f), ∂τ_i/∂v_j = Sᵢᵀ (2B S_j + I (ψ̇_j + Ṡ_j)),
//! ∂τ_j/∂v_i = S_jᵀ (2B S_i + I (ψ̇_i + Ṡ_i)). Derivatives by q are along velocity coordinates: for Euler parameters, by a
//! small rotation about M's axes. Those of forward dynamics, ∂v̇/∂x = −M⁻¹ ∂τ/∂x at the accelerations found, are computed
//! without either factor by `response.rs`.

#![allow(non_snake_case)]

use super::cholesky::{self, stride};
use super::columns::View;
use super::entries::Entries;
use super::forward_derivatives;
use super::scalar::Scalar;
use super::spatial::V3;
use super::wide::Kernel;
use super::workspace::{dispatch, kernel, Work, Workspace};
use super::world::place_and_move;
use super::world_nodes::{add_mass, dot, motion, spread, Mass, Pair, WorldNode};
use super::{NodeKind, Tree};

/// ∂τ/∂q, ∂τ/∂v and ∂τ/∂v̇ = M of inverse dynamics, nv × nv each, row by row.
pub fn rnea_derivatives(tree: &Tree, workspace: &mut Workspace, [q, v, a]: [&[f64]; 3], [dq, dv, da]: [&mut [f64]; 3]) {
    dispatch!(tree, workspace, RneaDerivatives { q, v, a, dq, dv, da });
}

/// ∂v̇/∂q, ∂v̇/∂v and ∂v̇/∂τ = M⁻¹ of forward dynamics, nv × nv each, row by row.
pub fn aba_derivatives(
    tree: &Tree,
    workspace: &mut Workspace,
    [q, v, tau]: [&[f64]; 3],
    [dq, dv, dtau]: [&mut [f64]; 3],
) {
    dispatch!(tree, workspace, AbaDerivatives { q, v, tau, dq, dv, dtau });
}

kernel! {
    RneaDerivatives<'t> { q: &'t [f64], v: &'t [f64], a: &'t [f64], dq: &'t mut [f64], dv: &'t mut [f64], da: &'t mut [f64] }
}

impl<S: Scalar> Kernel for RneaDerivatives<'_, S> {
    const MORE_REGISTERS: bool = false;

    #[inline(always)]
    fn run(self) {
        let RneaDerivatives { tree, work, q, v, a, dq, dv, da } = self;
        place_and_move(tree, work, q, v, a);
        let [dq, dv, da] = [dq, dv, da].map(|out| Entries::new::<S>(tree, out));
        pairs(tree, work, dq, dv, da);
    }
}

kernel! {
    AbaDerivatives<'t> { q: &'t [f64], v: &'t [f64], tau: &'t [f64], dq: &'t mut [f64], dv: &'t mut [f64], dtau: &'t mut [f64] }
}

impl<S: Scalar> Kernel for AbaDerivatives<'_, S> {
    const MORE_REGISTERS: bool = false;

    #[inline(always)]
    fn run(self) {
        let AbaDerivatives { tree, work, q, v, tau, dq, dv, dtau } = self;
        place_and_move(tree, work, q, v, &[]);
        forward_derivatives::articulate::<S, true>(tree, work, tau);
        forward_derivatives::accelerate(tree, work);
        forward_derivatives::matrices::<S, true, 3>(tree, work, [dtau, dq, dv]);
    }
}

/// Accelerations into `work.x` and the factors of M into `work.M`, after positions and motions at zero accelerations.
/// `work.totals` become composite.
#[inline(always)]
pub(super) fn forward<S: Scalar>(tree: &Tree, work: &mut Work<S>, tau: &[f64]) {
    let n = tree.nodes.len();
    work.make_matrix(n);
    let ns = stride::<S>(n);
    // What the node before passes on, kept at hand: in a chain it is the child.
    let mut carried = None;
    for i in (0..n).rev() {
        let node = &tree.nodes[i];
        let axis = work.s.get(i);
        let (mut total, body) = (work.totals.get(i), &work.world[i]);
        let (mut f, mut moment) = (body.f, body.n);
        if let Some((child, load)) = carried.take() {
            let (child, load): (Mass<S>, Pair<S>) = (child, load);
            total.add(&child);
            (f, moment) = (f + load.0, moment + load.1);
        }
        work.totals.set(i, &total);
        work.x[i] = S::load(tau, node.v) - axis.0.dot_add(moment, axis.1.dot(f));
        if node.parent.wrapping_add(1) == i {
            carried = Some((total, (f, moment)));
        } else if let Some(parent) = work.world.get_mut(node.parent) {
            parent.f = parent.f + f;
            parent.n = parent.n + moment;
            add_mass(&mut work.totals.open(), node.parent, &total);
        }
        let (moment, force) = total.times(axis);
        row(work.s.view(), &node.runs, moment, force, &mut work.row);
        for &(from, to) in &node.runs {
            work.M[i * ns + from..i * ns + to].copy_from_slice(&work.row[from..to]);
        }
    }
    cholesky::factorise(tree, &mut work.M);
    cholesky::solve(tree, &work.M, &mut work.x);
}

/// u·s_j for every j between a node and the ground, itself included; chunks may write beyond the runs' ends.
#[inline(always)]
fn row<S: Scalar>(s: View<S, 6>, runs: &[(usize, usize)], uw: V3<S>, uv: V3<S>, out: &mut [S]) {
    let u = spread((uw, uv));
    for &(from, to) in runs {
        let mut j = from;
        while j < to {
            S::put(dot(&u, &s.chunk(j)), out, j);
            j += S::CHUNK;
        }
    }
}

/// 2B x + (n, f) with the angular part x.
#[inline(always)]
pub(super) fn products<S: Scalar>(body: &WorldNode<S>, x: V3<S>, (n, f): Pair<S>) -> Pair<S> {
    let two = S::splat(-2.0);
    (body.E.mul(x).fma(two, n), body.F.cross(x).fma(two, f))
}

/// ∂τ/∂q, ∂τ/∂v and M, from the tips to the ground.
#[inline(always)]
fn pairs<S: Scalar>(tree: &Tree, work: &mut Work<S>, mut dq: Entries, mut dv: Entries, mut da: Entries) {
    let n = tree.nodes.len();
    let (axes, all_psi, all_psi2, rates) = (work.s.view(), work.psi.view(), work.psi2.view(), work.rate.view());
    let (world, mut totals) = (&mut work.world[..n], work.totals.open());
    let mut carried = None;
    for i in (0..n).rev() {
        let node = &tree.nodes[i];
        let (axis, psi) = (motion(axes.numbers(i)), motion(all_psi.numbers(i)));
        let (psi2, rate) = (motion(all_psi2.numbers(i)), motion(rates.numbers(i)));
        let (mut body, mut total) = (world[i], Mass::from(totals.view().numbers(i)));
        if let Some((child, mass)) = carried.take() {
            body.add_products(&child);
            body.add_force(&child);
            total.add(&mass);
        }
        if node.parent.wrapping_add(1) == i {
            carried = Some((body, total));
        } else if let Some(parent) = world.get_mut(node.parent) {
            parent.add_products(&body);
            parent.add_force(&body);
            add_mass(&mut totals, node.parent, &total);
        }
        let body = &body;
        let (sw, sv) = axis;
        let u = total.times(axis);
        let g = body.F.cross(sv) - body.E.tmul(sw);
        let g = g + g;
        let turned = forward_derivatives::turned(axis, body);
        let by_q = products(body, psi.0, total.times(psi2));
        let by_q = (by_q.0 + turned.0, by_q.1 + turned.1);
        let by_v = products(body, sw, total.times(rate));
        let (u, by_q, by_v) = (spread(u), spread(by_q), spread(by_v));
        let g = [g.x.spread(), g.y.spread(), g.z.spread()];
        // Views made anew leave more registers to what comes before.
        let (s, psi, psi2, rate) = (work.s.view(), work.psi.view(), work.psi2.view(), work.rate.view());
        for &(from, to) in &node.runs {
            let mut j = from;
            while j < to {
                let count = to - j;
                let x = s.chunk(j);
                // The diagonal comes out of both formulas alike.
                dq.column::<S>(j, i, count, dot(&by_q, &x));
                dv.column::<S>(j, i, count, dot(&by_v, &x));
                let m = dot(&u, &x);
                da.column::<S>(j, i, count, m);
                da.row::<S>(i, j, count, m);
                let turning = g[0].fma(x[0], g[1].fma(x[1], g[2] * x[2]));
                dv.row::<S>(i, j, count, turning + dot(&u, &rate.chunk(j)));
                let p = psi.chunk(j);
                let turning = g[0].fma(p[0], g[1].fma(p[1], g[2] * p[2]));
                dq.row::<S>(i, j, count, turning + dot(&u, &psi2.chunk(j)));
                j += S::CHUNK;
            }
        }
        if tree.branched {
            dq.gaps::<S>(i, &node.runs);
            dv.gaps::<S>(i, &node.runs);
            da.gaps::<S>(i, &node.runs);
        }
        // Axes of one spherical joint turn together: the force does not turn against them.
        let group = match node.kind {
            NodeKind::AttitudeY => 1,
            NodeKind::AttitudeZ => 2,
            _ => 0,
        };
        for j in i - group..i {
            let (a, b) = motion(axes.numbers(j));
            let x = dq.one::<S>(j, i) - a.dot_add(turned.0, b.dot(turned.1));
            dq.set(j, i, x);
        }
    }
}
