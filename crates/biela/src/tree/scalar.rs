//! The one trait of numbers that tree algorithms are written over.
//!
//! With `f64` it is the algorithm; with the lanes of [`super::wide`] it evaluates several states at once; with [`Counted`]
//! it counts operations. Inputs and outputs are plain `f64` slices in which coordinate `k` of lane `l` of one block of
//! states stands at `k * LANES + l`.

use std::cell::Cell;
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
    type Chunk: Scalar;
    /// How many stand side by side in a chunk.
    const CHUNK: usize;
    /// The chunk that begins at `k` of an array.
    fn chunk(array: &[Self], k: usize) -> Self::Chunk;
    /// Puts a chunk at `k` of an array.
    fn put(chunk: Self::Chunk, array: &mut [Self], k: usize);
    /// The same number in all places of a chunk.
    fn spread(self) -> Self::Chunk;
    /// Zero.
    #[inline(always)]
    fn zero() -> Self {
        Self::splat(0.0)
    }
}

impl Scalar for f64 {
    type Chunk = Self;
    const CHUNK: usize = 1;
    #[inline(always)]
    fn chunk(array: &[Self], k: usize) -> Self {
        array[k]
    }
    #[inline(always)]
    fn put(chunk: Self, array: &mut [Self], k: usize) {
        array[k] = chunk;
    }
    #[inline(always)]
    fn spread(self) -> Self {
        self
    }
    const LANES: usize = 1;
    #[inline(always)]
    fn splat(x: f64) -> f64 {
        x
    }
    #[inline(always)]
    fn fma(self, b: f64, c: f64) -> f64 {
        self * b + c
    }
    #[inline(always)]
    fn fnma(self, b: f64, c: f64) -> f64 {
        c - self * b
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
            (*s, *c) = a.sin_cos();
        }
    }
}

thread_local! {
    static MULTIPLICATIONS: Cell<u64> = const { Cell::new(0) };
    static ADDITIONS: Cell<u64> = const { Cell::new(0) };
    static DIVISIONS: Cell<u64> = const { Cell::new(0) };
    static ANGLES: Cell<u64> = const { Cell::new(0) };
}

/// Operations done since the last [`Count::start`] on this thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Count {
    /// Multiplications.
    pub multiplications: u64,
    /// Additions and subtractions.
    pub additions: u64,
    /// Divisions and square roots.
    pub divisions: u64,
    /// Pairs of a sine and a cosine.
    pub angles: u64,
}

impl Count {
    /// Sets the counters of this thread to zero.
    pub fn start() {
        for counter in [&MULTIPLICATIONS, &ADDITIONS, &DIVISIONS, &ANGLES] {
            counter.with(|c| c.set(0));
        }
    }

    /// What was counted on this thread.
    pub fn read() -> Count {
        Count {
            multiplications: MULTIPLICATIONS.with(Cell::get),
            additions: ADDITIONS.with(Cell::get),
            divisions: DIVISIONS.with(Cell::get),
            angles: ANGLES.with(Cell::get),
        }
    }
}

/// A number that counts what is done with it. A fused multiply-add counts as one of each; a change of sign is free; a
/// factor that is exactly zero or plus or minus one at build time counts all the same.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Counted(pub f64);

fn tick(counter: &'static std::thread::LocalKey<Cell<u64>>) {
    counter.with(|c| c.set(c.get() + 1));
}

impl Add for Counted {
    type Output = Counted;
    fn add(self, o: Counted) -> Counted {
        tick(&ADDITIONS);
        Counted(self.0 + o.0)
    }
}
impl Sub for Counted {
    type Output = Counted;
    fn sub(self, o: Counted) -> Counted {
        tick(&ADDITIONS);
        Counted(self.0 - o.0)
    }
}
impl Mul for Counted {
    type Output = Counted;
    fn mul(self, o: Counted) -> Counted {
        tick(&MULTIPLICATIONS);
        Counted(self.0 * o.0)
    }
}
impl Neg for Counted {
    type Output = Counted;
    fn neg(self) -> Counted {
        Counted(-self.0)
    }
}

impl Scalar for Counted {
    type Chunk = Self;
    const CHUNK: usize = 1;
    #[inline(always)]
    fn chunk(array: &[Self], k: usize) -> Self {
        array[k]
    }
    #[inline(always)]
    fn put(chunk: Self, array: &mut [Self], k: usize) {
        array[k] = chunk;
    }
    #[inline(always)]
    fn spread(self) -> Self {
        self
    }
    const LANES: usize = 1;
    fn splat(x: f64) -> Counted {
        Counted(x)
    }
    fn fma(self, b: Counted, c: Counted) -> Counted {
        self * b + c
    }
    fn fnma(self, b: Counted, c: Counted) -> Counted {
        c - self * b
    }
    fn recip(self) -> Counted {
        tick(&DIVISIONS);
        Counted(1.0 / self.0)
    }
    fn sqrt(self) -> Counted {
        tick(&DIVISIONS);
        Counted(self.0.sqrt())
    }
    fn load(block: &[f64], k: usize) -> Counted {
        Counted(block[k])
    }
    fn store(self, block: &mut [f64], k: usize) {
        block[k] = self.0;
    }
    fn sin_cos(angles: &[Counted], sin: &mut [Counted], cos: &mut [Counted]) {
        for ((a, s), c) in angles.iter().zip(sin).zip(cos) {
            tick(&ANGLES);
            (s.0, c.0) = a.0.sin_cos();
        }
    }
}
