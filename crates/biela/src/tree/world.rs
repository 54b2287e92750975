//! All nodes in ground axes about the ground's origin: motions, composite inertias, and what derivatives are made of.
//!
//! With V = (ω, v) the spatial velocity of a node, S its axis, I = (m, g, J) the inertia of what it carries, and b the
//! node before its joint: ψ̇ = V_b × S, ψ̈ = A_b × S + V_b × ψ̇, Ṡ = V × S. The matrix of velocity products of a body,
//! 2B = V×* I − I V× + (I V)×̄*, acts on the angular part alone: 2B x = −2 (E x_ω, F × x_ω) with the momentum F and
//! E = ω̃ P + v gᵀ − (g·v) 1, P = ½ tr(J) 1 − J (Singh, Russo, Wensing 2022, worked out for rigid bodies).
//! Quantities that pair loops read lie as one array per component, so that the loops run in wide registers.

#![allow(non_snake_case)]

use super::kinematics::step;
use super::rnea::{given, origin, rotation};
use super::scalar::Scalar;
use super::spatial::{M3, V3, Y3};
use super::workspace::Work;
use super::{NodeKind, Tree};

/// A node in ground axes.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct WorldNode<S> {
    pub w: V3<S>,
    pub v: V3<S>,
    pub al: V3<S>,
    pub a: V3<S>,
    pub m: S,
    pub g: V3<S>,
    pub J: Y3<S>,
    pub E: M3<S>,
    pub F: V3<S>,
    pub f: V3<S>,
    pub n: V3<S>,
}

/// A spatial vector.
pub(super) type Pair<S> = (V3<S>, V3<S>);

/// Motion vectors of all nodes, one array per component: angular x, y, z, linear x, y, z.
#[derive(Debug)]
pub(super) struct Motions<S>(pub [Vec<S>; 6]);

impl<S: Scalar> Motions<S> {
    pub fn new(n: usize) -> Motions<S> {
        // Loops run over whole chunks.
        Motions([(); 6].map(|()| vec![S::zero(); n + S::CHUNK]))
    }
    #[inline(always)]
    pub fn get(&self, i: usize) -> Pair<S> {
        let c = &self.0;
        (V3::new(c[0][i], c[1][i], c[2][i]), V3::new(c[3][i], c[4][i], c[5][i]))
    }
    #[inline(always)]
    pub fn set(&mut self, i: usize, (w, v): Pair<S>) {
        for (array, x) in self.0.iter_mut().zip([w.x, w.y, w.z, v.x, v.y, v.z]) {
            array[i] = x;
        }
    }
}

/// V × X of motion vectors.
#[inline(always)]
pub(super) fn cross<S: Scalar>((w, v): Pair<S>, (xw, xv): Pair<S>) -> Pair<S> {
    (w.cross(xw), w.cross_add(xv, v.cross(xw)))
}

/// Mass, first moment and inertia about the ground's origin.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct Mass<S> {
    pub m: S,
    pub g: V3<S>,
    pub J: Y3<S>,
}

impl<S: Scalar> Mass<S> {
    /// I X.
    #[inline(always)]
    pub fn times(&self, (xw, xv): Pair<S>) -> Pair<S> {
        (self.J.mul(xw) + self.g.cross(xv), xw.cross_add(self.g, xv.scale(self.m)))
    }
    #[inline(always)]
    pub fn add(&mut self, o: &Mass<S>) {
        self.m = self.m + o.m;
        self.g = self.g + o.g;
        self.J = self.J.plus(&o.J);
    }
}

/// I X of a node's own inertia.
#[inline(always)]
fn inertia<S: Scalar>(b: &WorldNode<S>, x: Pair<S>) -> Pair<S> {
    b.mass().times(x)
}

/// Axes and inertias of all nodes in ground axes.
#[inline(always)]
pub(super) fn place<S: Scalar>(tree: &Tree, work: &mut Work<S>, q: &[f64]) {
    if tree.revolute {
        positions::<S, true, true>(tree, work, q);
    } else {
        positions::<S, false, true>(tree, work, q);
    }
}

/// Axes and inertias of all nodes in `work.s` and `work.totals` alone.
#[inline(always)]
pub(super) fn place_totals<S: Scalar>(tree: &Tree, work: &mut Work<S>, q: &[f64]) {
    if tree.revolute {
        positions::<S, true, false>(tree, work, q);
    } else {
        positions::<S, false, false>(tree, work, q);
    }
}

/// [`place`], then velocities and what follows from them.
#[inline(always)]
pub(super) fn place_and_move<S: Scalar>(tree: &Tree, work: &mut Work<S>, q: &[f64], v: &[f64], a: &[f64]) {
    place(tree, work, q);
    if tree.revolute {
        motions::<S, true>(tree, work, v, a);
    } else {
        motions::<S, false>(tree, work, v, a);
    }
}

/// Axes and inertias of all nodes; `work.totals` holds each node's own, to be summed towards the ground, and `work.world` too
/// (`NODES`).
#[inline(always)]
fn positions<S: Scalar, const REVOLUTE: bool, const NODES: bool>(tree: &Tree, work: &mut Work<S>, q: &[f64]) {
    work.angles::<REVOLUTE>(tree, q);
    let n = tree.nodes.len();
    let (frames, sin, cos, slide) = (&mut work.frames[..n], &work.sin[..n], &work.cos[..n], &work.slide[..n]);
    let (nodes, totals) = (&mut work.world[..n], &mut work.totals[..n]);
    // The node before, kept at hand: in a chain it is the parent.
    let mut last = (M3::zero(), V3::zero());
    for (i, node) in tree.nodes.iter().enumerate() {
        let turn = rotation::<S, REVOLUTE>(node, sin[i], cos[i], q);
        let p = origin::<S, REVOLUTE>(node, slide, i);
        last = step(frames, node.parent, i, &last, turn, p);
        let (R, o) = (&last.0, last.1);
        if NODES || tree.branched {
            (frames[i].R, frames[i].p) = last;
        }
        let z = R.c;
        let (mut sw, mut sv) = (z, o.cross(z));
        if !REVOLUTE {
            sv = z.fma(S::splat(node.lead), sv.scale(S::splat(node.turn)));
            sw = z.scale(S::splat(node.turn));
        }
        work.s.set(i, (sw, sv));
        let m = S::splat(node.m);
        let c = o + R.mul(V3::splat(&node.c));
        let g = c.scale(m);
        // Σ moment · axis axisᵀ of two principal axes, less the third moment, and what the mass centre adds.
        let (a, b) = (R.mul(V3::splat(&node.axes[0])), R.mul(V3::splat(&node.axes[1])));
        let (u, v) = (a.scale(S::splat(node.moments[0])), b.scale(S::splat(node.moments[1])));
        let t = c.dot_add(g, S::splat(node.moments[2]));
        let J = Y3 {
            xx: u.x.fma(a.x, v.x.fma(b.x, g.x.fnma(c.x, t))),
            yy: u.y.fma(a.y, v.y.fma(b.y, g.y.fnma(c.y, t))),
            zz: u.z.fma(a.z, v.z.fma(b.z, g.z.fnma(c.z, t))),
            xy: u.x.fma(a.y, v.x.fma(b.y, -(g.x * c.y))),
            xz: u.x.fma(a.z, v.x.fma(b.z, -(g.x * c.z))),
            yz: u.y.fma(a.z, v.y.fma(b.z, -(g.y * c.z))),
        };
        if NODES {
            let body = &mut nodes[i];
            (body.m, body.g, body.J) = (m, g, J);
        }
        totals[i] = Mass { m, g, J };
    }
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
    let ground = ground(tree);
    // The node before, kept at hand: in a chain it is the parent.
    let mut last = ground;
    for (i, node) in tree.nodes.iter().enumerate() {
        let axis = work.s.get(i);
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
        work.psi.set(i, psi);
        work.psi2.set(i, (x.0 + y.0, x.1 + y.1));
        work.rate.set(i, (psi.0 + psi.0, psi.1 + psi.1));
        let body = &mut nodes[i];
        (body.w, body.v, body.al, body.a) = (w, lin, al, acc);
        let (J, g) = (body.J, body.g);
        let F = w.cross(g) + lin.scale(body.m);
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
        let (n, f) = inertia(body, (al, acc));
        let N = J.mul(w) + g.cross(lin);
        body.f = w.cross(F) + f;
        body.n = w.cross_add(N, lin.cross(F)) + n;
        if !REVOLUTE && node.kind == NodeKind::AttitudeZ {
            // The three axes are fixed in the frame that the joint moves as a whole.
            for k in i - 2..=i {
                let (psi, rate) = (work.psi.get(k), cross((w, lin), work.s.get(k)));
                work.rate.set(k, (psi.0 + rate.0, psi.1 + rate.1));
            }
        }
    }
}

impl<S: Scalar> WorldNode<S> {
    pub fn zero() -> WorldNode<S> {
        let (v, o) = (V3::zero(), S::zero());
        WorldNode { w: v, v, al: v, a: v, m: o, g: v, J: Y3::zero(), E: M3::zero(), F: v, f: v, n: v }
    }
    /// Its own inertia.
    #[inline(always)]
    pub fn mass(&self) -> Mass<S> {
        Mass { m: self.m, g: self.g, J: self.J }
    }
    #[inline(always)]
    pub fn add_products(&mut self, child: &WorldNode<S>) {
        self.E = self.E.plus(&child.E);
        self.F = self.F + child.F;
    }
    #[inline(always)]
    pub fn add_force(&mut self, child: &WorldNode<S>) {
        self.f = self.f + child.f;
        self.n = self.n + child.n;
    }
}
