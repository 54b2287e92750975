//! The one trait of numbers that tree algorithms are written over.
//!
//! With `f64` it is the algorithm; with the lanes of [`super::wide`] it evaluates several states at once; with numbers that
//! count (the crate `biela-trace`) it counts operations. Inputs and outputs are plain `f64` slices in which coordinate `k` of lane `l` of one block of
//! states stands at `k * LANES + l`.

use biela_math::Elementary;
use std::fmt::Debug;
use std::ops::{Add, Mul, Neg, Sub};

/// A number, or several numbers side by side.
pub trait Scalar:
    Copy + Debug + 'static + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    /// Numbers side by side.
    const LANES: usize;
    /// The same number in every lane.
    fn splat(x: f64) -> Self;
    /// `self * b + c`.
    fn fma(self, b: Self, c: Self) -> Self;
    /// `c - self * b`.
    fn fnma(self, b: Self, c: Self) -> Self;
    /// `1 / self`.
    fn recip(self) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// Coordinate `k` of a block.
    fn load(block: &[f64], k: usize) -> Self;
    /// Puts coordinate `k` into a block.
    fn store(self, block: &mut [f64], k: usize);
    /// Sines and cosines of many angles; the three slices have one length, a multiple of four.
    fn sin_cos(angles: &[Self], sin: &mut [Self], cos: &mut [Self]);
    /// Several of these side by side, for loops over arrays; the number itself where it is wide already.
    type Chunk: Chunk<Self>;
    /// How many stand side by side in a chunk.
    const CHUNK: usize = Self::Chunk::COUNT;
    /// The chunk that begins at `k` of an array.
    #[inline(always)]
    fn chunk(array: &[Self], k: usize) -> Self::Chunk {
        Self::Chunk::of(array, k)
    }
    /// Puts a chunk at `k` of an array.
    #[inline(always)]
    fn put(chunk: Self::Chunk, array: &mut [Self], k: usize) {
        chunk.put_into(array, k);
    }
    /// The same number in all places of a chunk.
    #[inline(always)]
    fn spread(self) -> Self::Chunk {
        Self::Chunk::all(self)
    }
    /// Zero.
    #[inline(always)]
    fn zero() -> Self {
        Self::splat(0.0)
    }
}

/// Numbers `S` of an array, several at once.
pub trait Chunk<S>: Scalar {
    /// How many stand side by side.
    const COUNT: usize;
    /// Those from `k` on.
    fn of(array: &[S], k: usize) -> Self;
    /// Puts them at `k` and after it.
    fn put_into(self, array: &mut [S], k: usize);
    /// The same number in all places.
    fn all(x: S) -> Self;
}

/// A number alone.
impl<S: Scalar> Chunk<S> for S {
    const COUNT: usize = 1;
    #[inline(always)]
    fn of(array: &[S], k: usize) -> S {
        array[k]
    }
    #[inline(always)]
    fn put_into(self, array: &mut [S], k: usize) {
        array[k] = self;
    }
    #[inline(always)]
    fn all(x: S) -> S {
        x
    }
}

impl Scalar for f64 {
    type Chunk = Self;
    const LANES: usize = 1;
    #[inline(always)]
    fn splat(x: f64) -> f64 {
        x
    }
    // Rounded once, as wide registers do: the same bits on every processor, at the cost of time on those without the
    // instruction.
    #[inline(always)]
    fn fma(self, b: f64, c: f64) -> f64 {
        self.mul_add(b, c)
    }
    #[inline(always)]
    fn fnma(self, b: f64, c: f64) -> f64 {
        (-self).mul_add(b, c)
    }
    #[inline(always)]
    fn recip(self) -> f64 {
        1.0 / self
    }
    #[inline(always)]
    fn sqrt(self) -> f64 {
        self.sqrt()
    }
    #[inline(always)]
    fn load(block: &[f64], k: usize) -> f64 {
        block[k]
    }
    #[inline(always)]
    fn store(self, block: &mut [f64], k: usize) {
        block[k] = self;
    }
    #[inline(always)]
    fn sin_cos(angles: &[f64], sin: &mut [f64], cos: &mut [f64]) {
        for ((a, s), c) in angles.iter().zip(sin).zip(cos) {
            (*s, *c) = sin_cos(*a);
        }
    }
}

/// Beyond this the quotient by π/2 has too few digits left for the two-term reduction.
pub(super) const LARGEST_ANGLE: f64 = 1e8;
/// What is left of π/2 beyond its nearest number.
pub(super) const REST_OF_HALF_PI: f64 = 6.123_233_995_736_766e-17;
/// Minimax polynomial of the sine on [-π/4, π/4], highest power first, in powers of the squared angle.
pub const SINE: [f64; 6] = [
    1.591_798_897_939_743_3e-10,
    -2.505_112_989_645_018_6e-8,
    2.755_731_609_319_840_5e-6,
    -0.000_198_412_698_367_405_32,
    0.008_333_333_333_330_937,
    -0.166_666_666_666_666_65,
];
/// The same of the cosine.
pub const COSINE: [f64; 6] = [
    -1.138_254_464_534_925e-11,
    2.087_614_504_941_318e-9,
    -2.755_731_726_587_808e-7,
    0.000_024_801_587_298_754_4,
    -0.001_388_888_888_888_738_9,
    0.041_666_666_666_666_664,
];

/// Sine and cosine by the steps that wide registers take, in the same order and with the same roundings.
pub(super) fn sin_cos(x: f64) -> (f64, f64) {
    if x.is_nan() || x.abs() >= LARGEST_ANGLE {
        return x.sine_cosine();
    }
    let n = (x * std::f64::consts::FRAC_2_PI).round_ties_even();
    let r = (-n).mul_add(std::f64::consts::FRAC_PI_2, x);
    let r = (-n).mul_add(REST_OF_HALF_PI, r);
    let z = r * r;
    let polynomial = |c: &[f64; 6]| c[1..].iter().fold(c[0], |sum, c| sum.mul_add(z, *c));
    let s = (polynomial(&SINE) * z).mul_add(r, r);
    let c = polynomial(&COSINE).mul_add(z * z, (-0.5f64).mul_add(z, 1.0));
    // The quadrant says which is which, and the signs.
    match (n as i64).rem_euclid(4) {
        0 => (s, c),
        1 => (c, -s),
        2 => (-s, -c),
        _ => (-c, s),
    }
}
