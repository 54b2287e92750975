//! All nodes in ground axes about the ground's origin: motions, composite inertias, and what derivatives are made of.
//!
//! With V = (ω, v) the spatial velocity of a node, S its axis, I = (m, g, J) the inertia of what it carries, and b the
//! node before its joint: ψ̇ = V_b × S, ψ̈ = A_b × S + V_b × ψ̇, Ṡ = V × S. The matrix of velocity products of a body,
//! 2B = V×* I − I V× + (I V)×̄*, acts on the angular part alone: 2B x = −2 (E x_ω, F × x_ω) with the momentum F and
//! E = ω̃ P + v gᵀ − (g·v) 1, P = ½ tr(J) 1 − J (Singh, Russo, Wensing 2022, worked out for rigid bodies).
//! Quantities that pair loops read lie as one array per component, so that the loops run in wide registers.

#![allow(non_snake_case)]

use super::kinematics::poses;
use super::rnea::given;
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
        Motions([(); 6].map(|()| vec![S::zero(); n]))
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

/// I X of an inertia.
#[inline(always)]
pub(super) fn inertia<S: Scalar>(b: &WorldNode<S>, (xw, xv): Pair<S>) -> Pair<S> {
    (b.J.mul_add(xw, b.g.cross(xv)), xw.cross_add(b.g, xv.scale(b.m)))
}

/// Axes and inertias of all nodes.
#[inline(always)]
pub(super) fn positions<S: Scalar, const REVOLUTE: bool>(tree: &Tree, work: &mut Work<S>, q: &[f64]) {
    poses::<S, REVOLUTE>(tree, work, q);
    let n = tree.nodes.len();
    let (frames, nodes) = (&work.frames[..n], &mut work.world[..n]);
    for (i, node) in tree.nodes.iter().enumerate() {
        let (R, o) = (&frames[i].R, frames[i].p);
        let z = R.c;
        let (mut sw, mut sv) = (z, o.cross(z));
        if !REVOLUTE {
            sv = z.fma(S::splat(node.lead), sv.scale(S::splat(node.turn)));
            sw = z.scale(S::splat(node.turn));
        }
        work.s.set(i, (sw, sv));
        let m = S::splat(node.m);
        let h = R.mul(V3::splat(&node.h));
        let J = Y3::splat(&node.I).rotated(R);
        let g = o.fma(m, h);
        let t = o.dot_add(h, o.dot(g));
        let body = &mut nodes[i];
        body.m = m;
        body.g = g;
        body.J = Y3 {
            xx: o.x.fnma(h.x, g.x.fnma(o.x, J.xx + t)),
            yy: o.y.fnma(h.y, g.y.fnma(o.y, J.yy + t)),
            zz: o.z.fnma(h.z, g.z.fnma(o.z, J.zz + t)),
            xy: o.x.fnma(h.y, g.x.fnma(o.y, J.xy)),
            xz: o.x.fnma(h.z, g.x.fnma(o.z, J.xz)),
            yz: o.y.fnma(h.z, g.y.fnma(o.z, J.yz)),
        };
    }
}

/// Velocities, ψ̇, ψ̇ + Ṡ, momenta and E of all nodes.
#[inline(always)]
pub(super) fn velocities<S: Scalar, const REVOLUTE: bool>(tree: &Tree, work: &mut Work<S>, v: &[f64]) {
    let n = tree.nodes.len();
    let nodes = &mut work.world[..n];
    for (i, node) in tree.nodes.iter().enumerate() {
        let axis = work.s.get(i);
        let rate = given::<S>(v, node.v);
        let zero = (V3::zero(), V3::zero());
        let velocity = |k: usize, nodes: &[WorldNode<S>]| nodes.get(k).map_or(zero, |b| (b.w, b.v));
        let parent = velocity(node.parent, nodes);
        let psi = cross(velocity(node.base, nodes), axis);
        let (w, lin) = (axis.0.fma(rate, parent.0), axis.1.fma(rate, parent.1));
        work.psi.set(i, psi);
        work.rate.set(i, (psi.0 + psi.0, psi.1 + psi.1));
        let body = &mut nodes[i];
        body.w = w;
        body.v = lin;
        body.F = w.cross_add(body.g, lin.scale(body.m));
        let (J, g) = (&body.J, body.g);
        let half = S::splat(0.5) * (J.xx + J.yy + J.zz);
        let gv = g.dot(lin);
        let column = |p: V3<S>, gx: S| w.cross_add(p, lin.scale(gx));
        let mut E = M3 {
            a: column(V3::new(half - J.xx, -J.xy, -J.xz), g.x),
            b: column(V3::new(-J.xy, half - J.yy, -J.yz), g.y),
            c: column(V3::new(-J.xz, -J.yz, half - J.zz), g.z),
        };
        E.a.x = E.a.x - gv;
        E.b.y = E.b.y - gv;
        E.c.z = E.c.z - gv;
        body.E = E;
        if !REVOLUTE && node.kind == NodeKind::AttitudeZ {
            // The three axes are fixed in the frame that the joint moves as a whole.
            for k in i - 2..=i {
                let (psi, rate) = (work.psi.get(k), cross((w, lin), work.s.get(k)));
                work.rate.set(k, (psi.0 + rate.0, psi.1 + rate.1));
            }
        }
    }
}

/// Accelerations, ψ̈ and forces of all nodes; gravity as an acceleration of the ground upwards.
#[inline(always)]
pub(super) fn accelerations<S: Scalar>(tree: &Tree, work: &mut Work<S>, v: &[f64], a: impl Fn(usize, usize) -> S) {
    let n = tree.nodes.len();
    let nodes = &mut work.world[..n];
    let up = (V3::zero(), V3::splat(&(-tree.gravity).to_array()));
    for (i, node) in tree.nodes.iter().enumerate() {
        let (axis, psi) = (work.s.get(i), work.psi.get(i));
        let (rate, accel) = (given::<S>(v, node.v), a(i, node.v));
        let acceleration = |k: usize| nodes.get(k).map_or(up, |b| (b.al, b.a));
        let parent = acceleration(node.parent);
        let base = acceleration(node.base);
        let velocity = nodes.get(node.base).map_or((V3::zero(), V3::zero()), |b| (b.w, b.v));
        let (x, y) = (cross(base, axis), cross(velocity, psi));
        work.psi2.set(i, (x.0 + y.0, x.1 + y.1));
        let al = psi.0.fma(rate, axis.0.fma(accel, parent.0));
        let acc = psi.1.fma(rate, axis.1.fma(accel, parent.1));
        let body = &mut nodes[i];
        body.al = al;
        body.a = acc;
        let (n, f) = inertia(body, (al, acc));
        let N = body.J.mul_add(body.w, body.g.cross(body.v));
        body.f = body.w.cross_add(body.F, f);
        body.n = body.w.cross_add(N, body.v.cross_add(body.F, n));
    }
}

impl<S: Scalar> WorldNode<S> {
    pub fn zero() -> WorldNode<S> {
        let (v, o) = (V3::zero(), S::zero());
        WorldNode { w: v, v, al: v, a: v, m: o, g: v, J: Y3::zero(), E: M3::zero(), F: v, f: v, n: v }
    }
    #[inline(always)]
    pub fn add_inertia(&mut self, child: &WorldNode<S>) {
        self.m = self.m + child.m;
        self.g = self.g + child.g;
        self.J = self.J.plus(&child.J);
    }
    #[inline(always)]
    pub fn subtract_inertia(&mut self, child: &WorldNode<S>) {
        self.m = self.m - child.m;
        self.g = self.g - child.g;
        let (P, C) = (&mut self.J, &child.J);
        *P =
            Y3 { xx: P.xx - C.xx, xy: P.xy - C.xy, xz: P.xz - C.xz, yy: P.yy - C.yy, yz: P.yz - C.yz, zz: P.zz - C.zz };
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
