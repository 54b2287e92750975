//! Numbers side by side: the same arithmetic for one number and for several at once.
//!
//! Work that many cases share (the same steps with other numbers) is written once over [`Number`]. With `f64` it is one case; with [`Lanes`] it
//! is as many as a wide register holds, each with the bits that it has alone: products and sums are rounded one by one, and never fused.

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number, or several side by side.
pub trait Number:
    Copy
    + Debug
    + PartialEq
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// How many stand side by side.
    const LANES: usize;
    /// The same number everywhere.
    fn splat(x: f64) -> Self;
    /// The number in lane `k`.
    fn lane(&self, k: usize) -> f64;
    /// Changes the number in lane `k`.
    fn set(&mut self, k: usize, x: f64);
    /// Each number by a function.
    fn map(self, f: impl Fn(f64) -> f64) -> Self;
    /// Each pair of numbers by a function.
    fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self;
    /// Sizes.
    #[inline(always)]
    fn abs(self) -> Self {
        self.map(f64::abs)
    }
    /// Square roots.
    #[inline(always)]
    fn sqrt(self) -> Self {
        self.map(f64::sqrt)
    }
    /// The greater of each two; what is no number is the greatest.
    #[inline(always)]
    fn most(self, other: Self) -> Self {
        self.zip(other, |a, b| if b <= a { a } else { b })
    }
    /// True where it holds in every lane.
    #[inline(always)]
    fn all(&self, holds: impl Fn(f64) -> bool) -> bool {
        (0..Self::LANES).all(|k| holds(self.lane(k)))
    }
}

impl Number for f64 {
    const LANES: usize = 1;
    #[inline(always)]
    fn splat(x: f64) -> f64 {
        x
    }
    #[inline(always)]
    fn lane(&self, _: usize) -> f64 {
        *self
    }
    #[inline(always)]
    fn set(&mut self, _: usize, x: f64) {
        *self = x;
    }
    #[inline(always)]
    fn map(self, f: impl Fn(f64) -> f64) -> f64 {
        f(self)
    }
    #[inline(always)]
    fn zip(self, other: f64, f: impl Fn(f64, f64) -> f64) -> f64 {
        f(self, other)
    }
}

/// `N` numbers side by side.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(32))]
pub struct Lanes<const N: usize>(pub [f64; N]);

macro_rules! operation {
    ($trait:ident, $name:ident, $op:tt) => {
        impl<const N: usize> $trait for Lanes<N> {
            type Output = Lanes<N>;
            #[inline(always)]
            fn $name(mut self, other: Lanes<N>) -> Lanes<N> {
                for k in 0..N {
                    self.0[k] $op other.0[k];
                }
                self
            }
        }
    };
}
operation!(Add, add, +=);
operation!(Sub, sub, -=);
operation!(Mul, mul, *=);
operation!(Div, div, /=);

impl<const N: usize> Neg for Lanes<N> {
    type Output = Lanes<N>;
    #[inline(always)]
    fn neg(self) -> Lanes<N> {
        self.map(|x| -x)
    }
}

impl<const N: usize> Number for Lanes<N> {
    const LANES: usize = N;
    #[inline(always)]
    fn splat(x: f64) -> Lanes<N> {
        Lanes([x; N])
    }
    #[inline(always)]
    fn lane(&self, k: usize) -> f64 {
        self.0[k]
    }
    #[inline(always)]
    fn set(&mut self, k: usize, x: f64) {
        self.0[k] = x;
    }
    #[inline(always)]
    fn map(mut self, f: impl Fn(f64) -> f64) -> Lanes<N> {
        for x in &mut self.0 {
            *x = f(*x);
        }
        self
    }
    #[inline(always)]
    fn zip(mut self, other: Lanes<N>, f: impl Fn(f64, f64) -> f64) -> Lanes<N> {
        for k in 0..N {
            self.0[k] = f(self.0[k], other.0[k]);
        }
        self
    }
}
