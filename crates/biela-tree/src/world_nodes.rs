//! Nodes in ground axes: motion vectors, poses and inertias, laid out for wide registers.

#![allow(non_snake_case)]

use super::columns::{Columns, Open};
use super::scalar::Scalar;
use super::spatial::{M3, V3, Y3};

/// A node in ground axes.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct WorldNode<S> {
    pub w: V3<S>,
    pub v: V3<S>,
    pub al: V3<S>,
    pub a: V3<S>,
    pub E: M3<S>,
    pub F: V3<S>,
    pub f: V3<S>,
    pub n: V3<S>,
}

/// A spatial vector.
pub(super) type Pair<S> = (V3<S>, V3<S>);

/// Motion vectors of all nodes: angular x, y, z, linear x, y, z.
pub(super) type Motions<S> = Columns<S, 6>;

impl<S: Scalar> Motions<S> {
    #[inline(always)]
    pub fn get(&self, i: usize) -> Pair<S> {
        motion(self.numbers(i))
    }
}

#[inline(always)]
pub(super) fn motion<S: Scalar>([a, b, c, d, e, f]: [S; 6]) -> Pair<S> {
    (V3::new(a, b, c), V3::new(d, e, f))
}

#[inline(always)]
pub(super) fn numbers<S: Scalar>((w, v): Pair<S>) -> [S; 6] {
    [w.x, w.y, w.z, v.x, v.y, v.z]
}

/// Poses of all nodes: columns of the rotation, then the origin.
pub(super) type Poses<S> = Columns<S, 12>;

impl<S: Scalar> Poses<S> {
    #[inline(always)]
    pub fn get(&self, i: usize) -> (M3<S>, V3<S>) {
        pose(self.numbers(i))
    }
}

#[inline(always)]
pub(super) fn pose<C: Scalar>(x: [C; 12]) -> (M3<C>, V3<C>) {
    (M3 { a: three(&x, 0), b: three(&x, 3), c: three(&x, 6) }, three(&x, 9))
}

#[inline(always)]
pub(super) fn three<C: Scalar>(x: &[C], k: usize) -> V3<C> {
    V3::new(x[k], x[k + 1], x[k + 2])
}

/// Inertias of all nodes about the ground's origin.
pub(super) type Masses<S> = Columns<S, 10>;

impl<S: Scalar> Masses<S> {
    #[inline(always)]
    pub fn get(&self, i: usize) -> Mass<S> {
        Mass::from(self.numbers(i))
    }
    #[inline(always)]
    pub fn set(&mut self, i: usize, x: &Mass<S>) {
        self.put(i, x.numbers());
    }
}

/// Adds to the inertia of node `i`.
#[inline(always)]
pub(super) fn add_mass<S: Scalar>(totals: &mut Open<S, 10>, i: usize, x: &Mass<S>) {
    let mut sum = Mass::from(totals.view().numbers(i));
    sum.add(x);
    totals.put(i, sum.numbers());
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
    #[inline(always)]
    pub fn from([m, gx, gy, gz, xx, xy, xz, yy, yz, zz]: [S; 10]) -> Mass<S> {
        Mass { m, g: V3::new(gx, gy, gz), J: Y3 { xx, xy, xz, yy, yz, zz } }
    }
    #[inline(always)]
    pub fn numbers(&self) -> [S; 10] {
        let (g, J) = (self.g, &self.J);
        [self.m, g.x, g.y, g.z, J.xx, J.xy, J.xz, J.yy, J.yz, J.zz]
    }
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

impl<S: Scalar> WorldNode<S> {
    pub fn zero() -> WorldNode<S> {
        let v = V3::zero();
        WorldNode { w: v, v, al: v, a: v, E: M3::zero(), F: v, f: v, n: v }
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

/// u·x for a chunk of motion vectors x.
#[inline(always)]
pub(super) fn dot<C: Scalar>(u: &[C; 6], x: &[C; 6]) -> C {
    let angular = u[0].fma(x[0], u[1].fma(x[1], u[2] * x[2]));
    let linear = u[3].fma(x[3], u[4].fma(x[4], u[5] * x[5]));
    angular + linear
}

#[inline(always)]
pub(super) fn spread<S: Scalar>((w, v): Pair<S>) -> [S::Chunk; 6] {
    [w.x.spread(), w.y.spread(), w.z.spread(), v.x.spread(), v.y.spread(), v.z.spread()]
}
