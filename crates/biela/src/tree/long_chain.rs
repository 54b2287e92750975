//! M⁻¹ of long chains, and M⁻¹ times a matrix, by articulated bodies in ground axes: n² operations where factors of M take n³.
//!
//! With U_i = I_i S_i of the articulated body i and D_i = S_iᵀ U_i, a column b of the right-hand side gives, from the tip to
//! the ground, u_i = (b_i − S_iᵀ F) / D_i, F += U_i u_i, and back, x_i = u_i − U_iᵀ P / D_i, P += S_i x_i (Featherstone 1983;
//! Carpentier 2018). In ground axes nothing is carried from frame to frame, so F and P of a few columns stay at hand.

#![allow(non_snake_case)]

use super::cholesky::stride;
use super::scalar::Scalar;
use super::spatial::{M3, V3, Y3};
use super::workspace::Work;
use super::world::Motions;
use super::Tree;

/// Chains of at least this many nodes are inverted so.
pub(super) const LONG: usize = 24;
/// Chains of at least this many nodes have M⁻¹ applied so.
pub(super) const VERY_LONG: usize = 48;

/// U_i into `work.handles` and 1/D_i into `work.resist`, from the nodes' own inertias in `work.totals` and their axes.
#[inline(always)]
pub(super) fn articulate<S: Scalar>(tree: &Tree, work: &mut Work<S>) {
    let o = S::zero();
    let (mut J, mut H, mut M) = (Y3::zero(), M3::zero(), Y3::zero());
    for i in (0..tree.nodes.len()).rev() {
        let own = work.totals[i];
        let (m, g) = (own.m, own.g);
        J = J.plus(&own.J);
        H = H.plus(&M3 { a: V3::new(o, g.z, -g.y), b: V3::new(-g.z, o, g.x), c: V3::new(g.y, -g.x, o) });
        (M.xx, M.yy, M.zz) = (M.xx + m, M.yy + m, M.zz + m);
        let (sw, sv) = work.s.get(i);
        let (n, f) = (H.mul_add(sv, J.mul(sw)), M.mul_add(sv, H.tmul(sw)));
        let inverse = sw.dot_add(n, sv.dot(f)).recip();
        work.handles.set(i, (n, f));
        work.resist[i] = inverse;
        let (gn, gf) = (n.scale(inverse), f.scale(inverse));
        J = without(&J, gn, n);
        M = without(&M, gf, f);
        H = M3 { a: gn.fnma(f.x, H.a), b: gn.fnma(f.y, H.b), c: gn.fnma(f.z, H.c) };
    }
}

/// Y − g uᵀ, which is symmetric.
#[inline(always)]
fn without<S: Scalar>(Y: &Y3<S>, g: V3<S>, u: V3<S>) -> Y3<S> {
    Y3 {
        xx: g.x.fnma(u.x, Y.xx),
        xy: g.x.fnma(u.y, Y.xy),
        xz: g.x.fnma(u.z, Y.xz),
        yy: g.y.fnma(u.y, Y.yy),
        yz: g.y.fnma(u.z, Y.yz),
        zz: g.z.fnma(u.z, Y.zz),
    }
}

/// X becomes M⁻¹ X (`MINUS`: −M⁻¹ X), after [`articulate`]; `UPPER`: nothing below its diagonal.
#[inline(always)]
pub(super) fn apply<S: Scalar, const MINUS: bool, const UPPER: bool>(
    n: usize,
    s: &Motions<S>,
    handles: &Motions<S>,
    resist: &[S],
    X: &mut [S],
) {
    let ns = stride::<S>(n);
    let (s, u) = (&s.0, &handles.0);
    let o = S::Chunk::zero();
    let mut c = 0;
    while c < ns {
        // Two chunks of columns at a time; at the end the last one may be done twice.
        let next = if c + S::CHUNK < ns { c + S::CHUNK } else { c };
        let last = if UPPER { (next + S::CHUNK).min(n) } else { n };
        let mut F = [[o; 2]; 6];
        for i in (0..last).rev() {
            let at = i * ns;
            let mut x = [S::chunk(X, at + c), S::chunk(X, at + next)];
            if MINUS {
                x = [-x[0], -x[1]];
            }
            let (a, b) = (product(s, i, &F, 0), product(s, i, &F, 1));
            let d = resist[i].spread();
            x = [d * (x[0] - a), d * (x[1] - b)];
            for k in 0..6 {
                let u = u[k][i].spread();
                F[k] = [u.fma(x[0], F[k][0]), u.fma(x[1], F[k][1])];
            }
            S::put(x[0], X, at + c);
            S::put(x[1], X, at + next);
        }
        let mut P = [[o; 2]; 6];
        for i in 0..n {
            let at = i * ns;
            let (a, b) = (product(u, i, &P, 0), product(u, i, &P, 1));
            let d = resist[i].spread();
            let x = [d.fnma(a, S::chunk(X, at + c)), d.fnma(b, S::chunk(X, at + next))];
            for k in 0..6 {
                let s = s[k][i].spread();
                P[k] = [s.fma(x[0], P[k][0]), s.fma(x[1], P[k][1])];
            }
            S::put(x[0], X, at + c);
            S::put(x[1], X, at + next);
        }
        c += 2 * S::CHUNK;
    }
}

/// The product of vector i with the columns of a chunk, in two sums that do not wait for each other.
#[inline(always)]
fn product<S: Scalar>(s: &[Vec<S>; 6], i: usize, F: &[[S::Chunk; 2]; 6], half: usize) -> S::Chunk {
    let at = |k: usize| s[k][i].spread();
    let angular = at(2).fma(F[2][half], at(1).fma(F[1][half], at(0) * F[0][half]));
    let linear = at(5).fma(F[5][half], at(4).fma(F[4][half], at(3) * F[3][half]));
    angular + linear
}

/// M⁻¹ in node order into `work.inverse`, after [`articulate`].
#[inline(always)]
pub(super) fn inverse<S: Scalar>(tree: &Tree, work: &mut Work<S>) {
    let n = tree.nodes.len();
    let ns = stride::<S>(n);
    let X = &mut work.inverse[..n * ns];
    X.fill(S::zero());
    for i in 0..n {
        X[i * ns + i] = S::splat(1.0);
    }
    apply::<S, false, true>(n, &work.s, &work.handles, &work.resist, X);
}
