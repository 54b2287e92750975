//! Vectors, matrices and symmetric matrices of three, over any [`Scalar`].

use super::scalar::Scalar;
use biela_math::Inertia;
use std::ops::{Add, Neg, Sub};

/// A vector.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct V3<S> {
    /// First component.
    pub x: S,
    /// Second component.
    pub y: S,
    /// Third component.
    pub z: S,
}

/// A matrix by its columns.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct M3<S> {
    /// First column.
    pub a: V3<S>,
    /// Second column.
    pub b: V3<S>,
    /// Third column.
    pub c: V3<S>,
}

/// A symmetric matrix.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
#[allow(missing_docs)] // The entries are named by their place.
pub struct Y3<S> {
    pub xx: S,
    pub xy: S,
    pub xz: S,
    pub yy: S,
    pub yz: S,
    pub zz: S,
}

impl<S: Scalar> Add for V3<S> {
    type Output = V3<S>;
    #[inline(always)]
    fn add(self, o: V3<S>) -> V3<S> {
        V3 { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z }
    }
}
impl<S: Scalar> Sub for V3<S> {
    type Output = V3<S>;
    #[inline(always)]
    fn sub(self, o: V3<S>) -> V3<S> {
        V3 { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z }
    }
}
impl<S: Scalar> Neg for V3<S> {
    type Output = V3<S>;
    #[inline(always)]
    fn neg(self) -> V3<S> {
        V3 { x: -self.x, y: -self.y, z: -self.z }
    }
}

impl<S: Scalar> V3<S> {
    /// A vector from its components.
    #[inline(always)]
    pub fn new(x: S, y: S, z: S) -> V3<S> {
        V3 { x, y, z }
    }
    /// The zero vector.
    #[inline(always)]
    pub fn zero() -> V3<S> {
        V3::new(S::zero(), S::zero(), S::zero())
    }
    /// The same constant vector in every lane.
    #[inline(always)]
    pub fn splat(c: &[f64; 3]) -> V3<S> {
        V3::new(S::splat(c[0]), S::splat(c[1]), S::splat(c[2]))
    }
    /// `k` times the vector.
    #[inline(always)]
    pub fn scale(self, k: S) -> V3<S> {
        V3::new(k * self.x, k * self.y, k * self.z)
    }
    /// `k * self + c`.
    #[inline(always)]
    pub fn fma(self, k: S, c: V3<S>) -> V3<S> {
        V3::new(k.fma(self.x, c.x), k.fma(self.y, c.y), k.fma(self.z, c.z))
    }
    /// `c - k * self`.
    #[inline(always)]
    pub fn fnma(self, k: S, c: V3<S>) -> V3<S> {
        V3::new(k.fnma(self.x, c.x), k.fnma(self.y, c.y), k.fnma(self.z, c.z))
    }
    /// Scalar product.
    #[inline(always)]
    pub fn dot(self, o: V3<S>) -> S {
        self.z.fma(o.z, self.y.fma(o.y, self.x * o.x))
    }
    /// Scalar product and a number more.
    #[inline(always)]
    pub fn dot_add(self, o: V3<S>, c: S) -> S {
        self.z.fma(o.z, self.y.fma(o.y, self.x.fma(o.x, c)))
    }
    /// Vector product.
    #[inline(always)]
    pub fn cross(self, o: V3<S>) -> V3<S> {
        V3::new(self.z.fnma(o.y, self.y * o.z), self.x.fnma(o.z, self.z * o.x), self.y.fnma(o.x, self.x * o.y))
    }
    /// Vector product and a vector more.
    #[inline(always)]
    pub fn cross_add(self, o: V3<S>, c: V3<S>) -> V3<S> {
        V3::new(
            self.z.fnma(o.y, self.y.fma(o.z, c.x)),
            self.x.fnma(o.z, self.z.fma(o.x, c.y)),
            self.y.fnma(o.x, self.x.fma(o.y, c.z)),
        )
    }
}

impl<S: Scalar> M3<S> {
    /// The zero matrix.
    #[inline(always)]
    pub fn zero() -> M3<S> {
        M3 { a: V3::zero(), b: V3::zero(), c: V3::zero() }
    }
    /// The matrix times a vector.
    #[inline(always)]
    pub fn mul(&self, v: V3<S>) -> V3<S> {
        self.c.fma(v.z, self.b.fma(v.y, self.a.scale(v.x)))
    }
    /// The matrix times a vector, and a vector more.
    #[inline(always)]
    pub fn mul_add(&self, v: V3<S>, c: V3<S>) -> V3<S> {
        self.c.fma(v.z, self.b.fma(v.y, self.a.fma(v.x, c)))
    }
    /// The transposed matrix times a vector.
    #[inline(always)]
    pub fn tmul(&self, v: V3<S>) -> V3<S> {
        V3::new(self.a.dot(v), self.b.dot(v), self.c.dot(v))
    }
    /// The transposed matrix times a vector, and a vector more.
    #[inline(always)]
    pub fn tmul_add(&self, v: V3<S>, c: V3<S>) -> V3<S> {
        V3::new(self.a.dot_add(v, c.x), self.b.dot_add(v, c.y), self.c.dot_add(v, c.z))
    }
    /// The product of two matrices.
    #[inline(always)]
    pub fn times(&self, o: &M3<S>) -> M3<S> {
        M3 { a: self.mul(o.a), b: self.mul(o.b), c: self.mul(o.c) }
    }
    /// The transposed matrix.
    #[inline(always)]
    pub fn transposed(&self) -> M3<S> {
        M3 {
            a: V3::new(self.a.x, self.b.x, self.c.x),
            b: V3::new(self.a.y, self.b.y, self.c.y),
            c: V3::new(self.a.z, self.b.z, self.c.z),
        }
    }
    /// The sum of two matrices.
    #[inline(always)]
    pub fn plus(&self, o: &M3<S>) -> M3<S> {
        M3 { a: self.a + o.a, b: self.b + o.b, c: self.c + o.c }
    }
}

impl<S: Scalar> Y3<S> {
    /// The zero matrix.
    #[inline(always)]
    pub fn zero() -> Y3<S> {
        let o = S::zero();
        Y3 { xx: o, xy: o, xz: o, yy: o, yz: o, zz: o }
    }
    /// The same constant tensor in every lane.
    #[inline(always)]
    pub fn splat(c: &Inertia) -> Y3<S> {
        Y3 {
            xx: S::splat(c.xx),
            xy: S::splat(c.xy),
            xz: S::splat(c.xz),
            yy: S::splat(c.yy),
            yz: S::splat(c.yz),
            zz: S::splat(c.zz),
        }
    }
    /// The matrix times a vector.
    #[inline(always)]
    pub fn mul(&self, v: V3<S>) -> V3<S> {
        V3::new(
            self.xz.fma(v.z, self.xy.fma(v.y, self.xx * v.x)),
            self.yz.fma(v.z, self.yy.fma(v.y, self.xy * v.x)),
            self.zz.fma(v.z, self.yz.fma(v.y, self.xz * v.x)),
        )
    }
    /// The matrix times a vector, and a vector more.
    #[inline(always)]
    pub fn mul_add(&self, v: V3<S>, c: V3<S>) -> V3<S> {
        V3::new(
            self.xz.fma(v.z, self.xy.fma(v.y, self.xx.fma(v.x, c.x))),
            self.yz.fma(v.z, self.yy.fma(v.y, self.xy.fma(v.x, c.y))),
            self.zz.fma(v.z, self.yz.fma(v.y, self.xz.fma(v.x, c.z))),
        )
    }
    /// Its columns.
    #[inline(always)]
    pub fn columns(&self) -> M3<S> {
        M3 {
            a: V3::new(self.xx, self.xy, self.xz),
            b: V3::new(self.xy, self.yy, self.yz),
            c: V3::new(self.xz, self.yz, self.zz),
        }
    }
    /// The sum of two matrices.
    #[inline(always)]
    pub fn plus(&self, o: &Y3<S>) -> Y3<S> {
        Y3 {
            xx: self.xx + o.xx,
            xy: self.xy + o.xy,
            xz: self.xz + o.xz,
            yy: self.yy + o.yy,
            yz: self.yz + o.yz,
            zz: self.zz + o.zz,
        }
    }
    /// R Y Rᵀ.
    #[inline(always)]
    pub fn rotated(&self, R: &M3<S>) -> Y3<S> {
        let T = R.times(&self.columns());
        #[inline(always)]
        fn dot<S: Scalar>(x: S, y: S, z: S, u: S, v: S, w: S) -> S {
            z.fma(w, y.fma(v, x * u))
        }
        Y3 {
            xx: dot(T.a.x, T.b.x, T.c.x, R.a.x, R.b.x, R.c.x),
            xy: dot(T.a.x, T.b.x, T.c.x, R.a.y, R.b.y, R.c.y),
            xz: dot(T.a.x, T.b.x, T.c.x, R.a.z, R.b.z, R.c.z),
            yy: dot(T.a.y, T.b.y, T.c.y, R.a.y, R.b.y, R.c.y),
            yz: dot(T.a.y, T.b.y, T.c.y, R.a.z, R.b.z, R.c.z),
            zz: dot(T.a.z, T.b.z, T.c.z, R.a.z, R.b.z, R.c.z),
        }
    }
}

/// The turn from a frame to the one that carries it where both are aligned: Rx(α) Rz(θ), by sines and cosines.
#[derive(Debug, Clone, Copy)]
pub struct Turn<S> {
    /// Of θ.
    pub s: S,
    /// Of θ.
    pub c: S,
    /// Of α.
    pub sa: S,
    /// Of α.
    pub ca: S,
}

impl<S: Scalar> Turn<S> {
    /// A vector of the carried frame, seen in the carrying one.
    #[inline(always)]
    pub fn up(&self, v: V3<S>) -> V3<S> {
        let (x, y) = (self.s.fnma(v.y, self.c * v.x), self.c.fma(v.y, self.s * v.x));
        V3::new(x, self.sa.fnma(v.z, self.ca * y), self.ca.fma(v.z, self.sa * y))
    }
    /// The third component of [`Turn::up`].
    #[inline(always)]
    pub fn up_z(&self, v: V3<S>) -> S {
        self.ca.fma(v.z, self.sa * self.c.fma(v.y, self.s * v.x))
    }
    /// A vector of the carrying frame, seen in the carried one.
    #[inline(always)]
    pub fn down(&self, v: V3<S>) -> V3<S> {
        let (y, z) = (self.sa.fma(v.z, self.ca * v.y), self.sa.fnma(v.y, self.ca * v.z));
        V3::new(self.s.fma(y, self.c * v.x), self.s.fnma(v.x, self.c * y), z)
    }
    /// A symmetric matrix of the carried frame, seen in the carrying one: two turns in a plane each.
    #[inline(always)]
    pub fn up_matrix(&self, Y: &Y3<S>) -> Y3<S> {
        let (xx, xy, yy) = planar(self.s, self.c, Y.xx, Y.xy, Y.yy);
        let (xz, yz) = (self.s.fnma(Y.yz, self.c * Y.xz), self.c.fma(Y.yz, self.s * Y.xz));
        let (yy, yz, zz) = planar(self.sa, self.ca, yy, yz, Y.zz);
        Y3 { xx, xy: self.sa.fnma(xz, self.ca * xy), xz: self.ca.fma(xz, self.sa * xy), yy, yz, zz }
    }
}

/// The symmetric matrix ((p, r), (r, q)) turned by an angle: with d = p − q, p and q change by s (s d + 2 c r) against each
/// other, r by s (c d − 2 s r).
#[inline(always)]
fn planar<S: Scalar>(s: S, c: S, p: S, r: S, q: S) -> (S, S, S) {
    let (d, twice) = (p - q, r + r);
    let (u, w) = (c.fma(twice, s * d), s.fnma(twice, c * d));
    (s.fnma(u, p), s.fma(w, r), s.fma(u, q))
}
