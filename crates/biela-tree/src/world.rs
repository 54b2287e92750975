//! All nodes in ground axes about the ground's origin: motions, composite inertias, and what derivatives are made of.
//!
//! With V = (ω, v) the spatial velocity of a node, S its axis, I = (m, g, J) the inertia of what it carries, and b the
//! node before its joint: ψ̇ = V_b × S, ψ̈ = A_b × S + V_b × ψ̇, Ṡ = V × S. The matrix of velocity products of a body,
//! 2B = V×* I − I V× + (I V)×̄*, acts on the angular part alone: 2B x = −2 (E x_ω, F × x_ω) with the momentum F and
//! E = ω̃ P + v gᵀ − (g·v) 1, P = ½ tr(J) 1 − J (Singh, Russo, Wensing 2022, worked out for rigid bodies).
//! What follows from one node alone is computed for several nodes side by side ([`Columns`]); only poses, motions and sums
//! go from node to node.

#![allow(non_snake_case)]

use super::columns::Open;
use super::joint_frame::{carried, given};
use super::scalar::Scalar;
use super::spatial::{M3, V3, Y3};
use super::workspace::Work;
use super::world_nodes::{cross, motion, numbers, pose, three, Mass, Pair, WorldNode};
use super::{NodeKind, Tree, CONSTANTS, ROOT};

/// Poses, axes and inertias of all nodes in ground axes; `work.totals` holds each node's own, to be summed towards the ground.
#[inline(always)]
pub(super) fn place<S: Scalar>(tree: &Tree, work: &mut Work<S>, q: &[f64]) {
    if tree.turns_apart::<S>() {
        positions::<S, true>(tree, work, q);
    } else {
        positions::<S, false>(tree, work, q);
    }
}

/// [`place`], then velocities and what follows from them.
#[inline(always)]
pub(super) fn place_and_move<S: Scalar>(tree: &Tree, work: &mut Work<S>, q: &[f64], v: &[f64], a: &[f64]) {
    place(tree, work, q);
    if tree.turns_apart::<S>() {
        motions::<S, true>(tree, work, v, a);
    } else {
        motions::<S, false>(tree, work, v, a);
    }
}

#[inline(always)]
fn positions<S: Scalar, const REVOLUTE: bool>(tree: &Tree, work: &mut Work<S>, q: &[f64]) {
    work.angles::<REVOLUTE>(tree, q);
    let n = tree.nodes.len();
    let (sin, cos, slide) = (&work.sin[..n], &work.cos[..n], &work.slide[..n]);
    let (mut placed, mut axes, mut totals) = (work.placed.open(), work.s.open(), work.totals.open());
    // The node before, kept at hand: in a chain it is the parent.
    let mut last = (M3::zero(), V3::zero());
    for (i, node) in tree.nodes.iter().enumerate() {
        if node.parent.wrapping_add(1) != i && node.parent != ROOT {
            last = pose(placed.view().numbers(node.parent));
        }
        last = carried::<S, REVOLUTE>(node, &last, (sin[i], cos[i]), slide, i, q);
        let (a, b, c, o) = (last.0.a, last.0.b, last.0.c, last.1);
        placed.put(i, [a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, o.x, o.y, o.z]);
        if S::CHUNK == 1 {
            settle::<S, REVOLUTE>(tree, i, placed.view().chunk(i), &mut axes, &mut totals);
        }
    }
    if S::CHUNK > 1 {
        let placed = placed.view();
        for i in (0..n).step_by(S::CHUNK) {
            settle::<S, REVOLUTE>(tree, i, placed.chunk(i), &mut axes, &mut totals);
        }
    }
}

/// Axes and inertias of the nodes of a chunk from their poses.
#[inline(always)]
fn settle<S: Scalar, const REVOLUTE: bool>(
    tree: &Tree,
    i: usize,
    placed: [S::Chunk; 12],
    axes: &mut Open<S, 6>,
    totals: &mut Open<S, 10>,
) {
    let (R, o) = pose(placed);
    let k = constants::<S>(tree, i);
    let z = R.c;
    let (mut sw, mut sv) = (z, o.cross(z));
    if !REVOLUTE {
        sv = z.fma(k[14], sv.scale(k[13]));
        sw = z.scale(k[13]);
    }
    axes.put_chunk(i, [sw.x, sw.y, sw.z, sv.x, sv.y, sv.z]);
    let m = k[0];
    let c = R.mul_add(three(&k, 1), o);
    let g = c.scale(m);
    // Σ moment · axis axisᵀ of two principal axes, less the third moment, and what the mass centre adds.
    let (a, b) = (R.mul(three(&k, 4)), R.mul(three(&k, 7)));
    let (u, v) = (a.scale(k[10]), b.scale(k[11]));
    let t = c.dot_add(g, k[12]);
    let J = Y3 {
        xx: u.x.fma(a.x, v.x.fma(b.x, g.x.fnma(c.x, t))),
        yy: u.y.fma(a.y, v.y.fma(b.y, g.y.fnma(c.y, t))),
        zz: u.z.fma(a.z, v.z.fma(b.z, g.z.fnma(c.z, t))),
        xy: u.x.fma(a.y, v.x.fma(b.y, -(g.x * c.y))),
        xz: u.x.fma(a.z, v.x.fma(b.z, -(g.x * c.z))),
        yz: u.y.fma(a.z, v.y.fma(b.z, -(g.y * c.z))),
    };
    totals.put_chunk(i, Mass { m, g, J }.numbers());
}

/// [`super::CONSTANTS`] of the nodes of a chunk.
#[inline(always)]
fn constants<S: Scalar>(tree: &Tree, i: usize) -> [S::Chunk; CONSTANTS] {
    let mut out = [S::Chunk::zero(); CONSTANTS];
    if S::CHUNK == 1 {
        for c in 0..CONSTANTS {
            out[c] = S::Chunk::splat(tree.nodes[i].constants[c]);
        }
    } else {
        let stride = tree.constants.len() / CONSTANTS;
        for c in 0..CONSTANTS {
            out[c] = S::Chunk::load(&tree.constants[c * stride + i..][..S::CHUNK], 0);
        }
    }
    out
}

/// Velocity and acceleration of a node.
type State<S> = (Pair<S>, Pair<S>);

#[inline(always)]
fn state<S: Scalar>(nodes: &[WorldNode<S>], k: usize, ground: State<S>) -> State<S> {
    match nodes.get(k) {
        Some(b) => ((b.w, b.v), (b.al, b.a)),
        None => ground,
    }
}

/// The ground: at rest, gravity as an acceleration of it upwards.
#[inline(always)]
fn ground<S: Scalar>(tree: &Tree) -> State<S> {
    let rest = (V3::zero(), V3::zero());
    (rest, (V3::zero(), V3::splat(&(-tree.gravity).to_array())))
}

/// Velocities, ψ̇, ψ̈, ψ̇ + Ṡ, momenta, E and forces of all nodes, for accelerations `a` (none: zero).
#[inline(always)]
fn motions<S: Scalar, const REVOLUTE: bool>(tree: &Tree, work: &mut Work<S>, v: &[f64], a: &[f64]) {
    let n = tree.nodes.len();
    let nodes = &mut work.world[..n];
    let (axes, own) = (work.s.view(), work.totals.view());
    let (mut psis, mut psi2s, mut rates) = (work.psi.open(), work.psi2.open(), work.rate.open());
    let ground = ground(tree);
    // The node before, kept at hand: in a chain it is the parent.
    let mut last = ground;
    for (i, node) in tree.nodes.iter().enumerate() {
        let axis = motion(axes.numbers(i));
        let (rate, accel) = (given::<S>(v, node.v), given::<S>(a, node.v));
        if node.parent.wrapping_add(1) != i || i == 0 {
            last = state(nodes, node.parent, ground);
        }
        let base = if REVOLUTE || node.base == node.parent { last } else { state(nodes, node.base, ground) };
        let psi = cross(base.0, axis);
        let (x, y) = (cross(base.1, axis), cross(base.0, psi));
        let (w, lin) = (axis.0.fma(rate, last.0 .0), axis.1.fma(rate, last.0 .1));
        let al = psi.0.fma(rate, axis.0.fma(accel, last.1 .0));
        let acc = psi.1.fma(rate, axis.1.fma(accel, last.1 .1));
        last = ((w, lin), (al, acc));
        psis.put(i, numbers(psi));
        psi2s.put(i, numbers((x.0 + y.0, x.1 + y.1)));
        rates.put(i, numbers((psi.0 + psi.0, psi.1 + psi.1)));
        let body = &mut nodes[i];
        (body.w, body.v, body.al, body.a) = (w, lin, al, acc);
        let own = Mass::from(own.numbers(i));
        let (J, g) = (own.J, own.g);
        let F = w.cross(g) + lin.scale(own.m);
        let half = S::splat(0.5) * (J.xx + J.yy + J.zz);
        let gv = g.dot(lin);
        // ω̃ P + v gᵀ − (g·v) 1, column by column.
        let mut E = M3 {
            a: w.cross_add(V3::new(half - J.xx, -J.xy, -J.xz), lin.scale(g.x)),
            b: w.cross_add(V3::new(-J.xy, half - J.yy, -J.yz), lin.scale(g.y)),
            c: w.cross_add(V3::new(-J.xz, -J.yz, half - J.zz), lin.scale(g.z)),
        };
        E.a.x = E.a.x - gv;
        E.b.y = E.b.y - gv;
        E.c.z = E.c.z - gv;
        body.E = E;
        body.F = F;
        let (n, f) = own.times((al, acc));
        let N = J.mul(w) + g.cross(lin);
        body.f = w.cross(F) + f;
        body.n = w.cross_add(N, lin.cross(F)) + n;
        if !REVOLUTE && node.kind == NodeKind::AttitudeZ {
            // The three axes are fixed in the frame that the joint moves as a whole.
            for k in i - 2..=i {
                let psi = motion(psis.view().numbers(k));
                let rate = cross((w, lin), motion(axes.numbers(k)));
                rates.put(k, numbers((psi.0 + rate.0, psi.1 + rate.1)));
            }
        }
    }
}
