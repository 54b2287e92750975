//! Articulated bodies in ground axes: inertias, joints and compliances of all nodes, and the arithmetic between them.

#![allow(non_snake_case)]

use super::scalar::Scalar;
use super::spatial::{M3, V3, Y3};
use super::world_nodes::{Mass, Motions, Pair, WorldNode};

/// What a node passes on to the node that carries it: articulated inertia, velocity products, and bias force.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct Load<S> {
    pub J: Y3<S>,
    pub H: M3<S>,
    pub M: Y3<S>,
    pub Qn: M3<S>,
    pub Qf: M3<S>,
    pub n: V3<S>,
    pub f: V3<S>,
}

/// A node's articulated joint: U/D, 1/D, c, and the acceleration that is left without the parent's.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct Hinge<S> {
    pub g: Pair<S>,
    pub resist: S,
    pub c: V3<S>,
    pub free: S,
}

/// Ω: motion of a node for a force on it, angular, mixed and linear part.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct Compliance<S> {
    pub A: Y3<S>,
    pub B: M3<S>,
    pub C: Y3<S>,
}

/// What a row of the matrices needs: S, −U/D, −c, −G.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct Row<S> {
    pub s: Pair<S>,
    pub g: Pair<S>,
    pub c: V3<S>,
    pub Gq: Pair<S>,
    pub Gv: Pair<S>,
}

/// Scratch of this module, one entry per node or per column.
#[derive(Debug)]
pub(super) struct Answers<S> {
    pub loads: Vec<Load<S>>,
    pub sums: Vec<Load<S>>,
    pub hinges: Vec<Hinge<S>>,
    pub compliances: Vec<Compliance<S>>,
    pub rows: Vec<Row<S>>,
    /// P of the columns of M⁻¹, R of those by q and by v, where they begin.
    pub by_force: Motions<S>,
    pub by_q: Motions<S>,
    pub by_v: Motions<S>,
    /// Angular parts of ψ̇ and S.
    pub turning: Motions<S>,
    /// Ones, then zeros.
    pub started: Vec<S>,
}

/// The matrix of a × x.
#[inline(always)]
pub(super) fn skew<S: Scalar>(a: V3<S>) -> M3<S> {
    let o = S::zero();
    M3 { a: V3::new(o, a.z, -a.y), b: V3::new(-a.z, o, a.x), c: V3::new(a.y, -a.x, o) }
}

/// A − u vᵀ.
#[inline(always)]
pub(super) fn less<S: Scalar>(A: &M3<S>, u: V3<S>, v: V3<S>) -> M3<S> {
    M3 { a: u.fnma(v.x, A.a), b: u.fnma(v.y, A.b), c: u.fnma(v.z, A.c) }
}

/// Y − g uᵀ where that is symmetric.
#[inline(always)]
pub(super) fn less_symmetric<S: Scalar>(Y: &Y3<S>, g: V3<S>, u: V3<S>) -> Y3<S> {
    Y3 {
        xx: g.x.fnma(u.x, Y.xx),
        xy: g.x.fnma(u.y, Y.xy),
        xz: g.x.fnma(u.z, Y.xz),
        yy: g.y.fnma(u.y, Y.yy),
        yz: g.y.fnma(u.z, Y.yz),
        zz: g.z.fnma(u.z, Y.zz),
    }
}

/// Y + a bᵀ + b aᵀ.
#[inline(always)]
pub(super) fn more<S: Scalar>(Y: &Y3<S>, a: V3<S>, b: V3<S>) -> Y3<S> {
    Y3 {
        xx: a.x.fma(b.x, b.x.fma(a.x, Y.xx)),
        xy: a.x.fma(b.y, b.x.fma(a.y, Y.xy)),
        xz: a.x.fma(b.z, b.x.fma(a.z, Y.xz)),
        yy: a.y.fma(b.y, b.y.fma(a.y, Y.yy)),
        yz: a.y.fma(b.z, b.y.fma(a.z, Y.yz)),
        zz: a.z.fma(b.z, b.z.fma(a.z, Y.zz)),
    }
}

#[inline(always)]
pub(super) fn scalar_product<S: Scalar>(a: Pair<S>, b: Pair<S>) -> S {
    a.0.dot(b.0) + a.1.dot(b.1)
}

/// a + k s.
#[inline(always)]
pub(super) fn along<S: Scalar>(s: Pair<S>, k: S, a: Pair<S>) -> Pair<S> {
    (s.0.fma(k, a.0), s.1.fma(k, a.1))
}

#[inline(always)]
pub(super) fn plus<S: Scalar>(a: Pair<S>, b: Pair<S>) -> Pair<S> {
    (a.0 + b.0, a.1 + b.1)
}

#[inline(always)]
pub(super) fn minus<S: Scalar>(a: Pair<S>, b: Pair<S>) -> Pair<S> {
    (a.0 - b.0, a.1 - b.1)
}

#[inline(always)]
pub(super) fn negative<S: Scalar>(a: Pair<S>) -> Pair<S> {
    (-a.0, -a.1)
}

impl<S: Scalar> Load<S> {
    #[inline(always)]
    pub fn zero() -> Load<S> {
        let (v, m, y) = (V3::zero(), M3::zero(), Y3::zero());
        Load { J: y, H: m, M: y, Qn: m, Qf: m, n: v, f: v }
    }
    /// A node's own and what a child passes on; `FULL`: with velocity products and bias.
    #[inline(always)]
    pub fn begin<const FULL: bool>(&mut self, own: &Mass<S>, body: &WorldNode<S>, child: &Load<S>) {
        let m = own.m;
        self.J = own.J.plus(&child.J);
        self.H = skew(own.g).plus(&child.H);
        self.M = Y3 { xx: child.M.xx + m, yy: child.M.yy + m, zz: child.M.zz + m, ..child.M };
        if FULL {
            let two = S::splat(-2.0);
            let (E, Q) = (&body.E, &child.Qn);
            self.Qn = M3 { a: E.a.fma(two, Q.a), b: E.b.fma(two, Q.b), c: E.c.fma(two, Q.c) };
            self.Qf = skew(body.F.scale(two)).plus(&child.Qf);
            (self.n, self.f) = (body.n + child.n, body.f + child.f);
        }
    }
    #[inline(always)]
    pub fn add<const FULL: bool>(&mut self, o: &Load<S>) {
        (self.J, self.H, self.M) = (self.J.plus(&o.J), self.H.plus(&o.H), self.M.plus(&o.M));
        if FULL {
            (self.Qn, self.Qf) = (self.Qn.plus(&o.Qn), self.Qf.plus(&o.Qf));
            (self.n, self.f) = (self.n + o.n, self.f + o.f);
        }
    }
    /// I′ a + Q′ x.
    #[inline(always)]
    pub fn answer(&self, (al, a): Pair<S>, x: V3<S>) -> Pair<S> {
        let moment = self.Qn.mul(x) + self.H.mul_add(a, self.J.mul(al));
        let force = self.Qf.mul(x) + self.M.mul_add(a, self.H.tmul(al));
        (moment, force)
    }
}

impl<S: Scalar> Compliance<S> {
    #[inline(always)]
    pub fn zero() -> Compliance<S> {
        Compliance { A: Y3::zero(), B: M3::zero(), C: Y3::zero() }
    }
    #[inline(always)]
    pub fn times(&self, (n, f): Pair<S>) -> Pair<S> {
        (self.B.mul_add(f, self.A.mul(n)), self.C.mul_add(f, self.B.tmul(n)))
    }
    /// Ω + S kᵀ + k Sᵀ.
    #[inline(always)]
    pub fn with(&self, s: Pair<S>, k: Pair<S>) -> Compliance<S> {
        let B = less(&less(&self.B, -s.0, k.1), -k.0, s.1);
        Compliance { A: more(&self.A, s.0, k.0), B, C: more(&self.C, s.1, k.1) }
    }
}

impl<S: Scalar> Answers<S> {
    pub fn new(n: usize) -> Answers<S> {
        let (o, v) = (S::zero(), V3::zero());
        Answers {
            loads: vec![Load::zero(); n],
            sums: vec![Load::zero(); n],
            hinges: vec![Hinge { g: (v, v), resist: o, c: v, free: o }; n],
            compliances: vec![Compliance::zero(); n],
            by_force: Motions::new(n),
            by_q: Motions::new(n),
            by_v: Motions::new(n),
            rows: vec![Row { s: (v, v), g: (v, v), c: v, Gq: (v, v), Gv: (v, v) }; n],
            turning: Motions::new(n),
            started: (0..2 * S::CHUNK).map(|k| S::splat(if k < S::CHUNK { 1.0 } else { 0.0 })).collect(),
        }
    }
}
