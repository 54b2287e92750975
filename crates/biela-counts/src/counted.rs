//! A number that counts what is done with it.

use biela_math::Elementary;
use biela_tree::Scalar;
use std::cell::Cell;
use std::ops::{Add, Mul, Neg, Sub};

thread_local! {
    static GENERAL: Cell<Count> = const { Cell::new(Count::ZERO) };
    static CUSTOMISED: Cell<Count> = const { Cell::new(Count::ZERO) };
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
    const ZERO: Count = Count { multiplications: 0, additions: 0, divisions: 0, angles: 0 };

    /// Sets the counters of this thread to zero.
    pub fn start() {
        GENERAL.with(|c| c.set(Count::ZERO));
        CUSTOMISED.with(|c| c.set(Count::ZERO));
    }

    /// What was counted on this thread: every operation of the general recursion.
    pub fn read() -> Count {
        GENERAL.with(Cell::get)
    }

    /// What was counted on this thread, customised for the tree: without operations whose result is known beforehand.
    pub fn read_customised() -> Count {
        CUSTOMISED.with(Cell::get)
    }
}

/// A number that counts what is done with it, in two ways at once. In general a fused multiply-add counts as one of each, a
/// change of sign is free, and a factor that happens to be 0 or 1 counts all the same. Customised, what depends on the tree's
/// constants alone is computed beforehand, and multiplying by 0, 1 or −1 and adding 0 is free.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Counted {
    /// The number.
    pub x: f64,
    /// Whether it follows from the tree's constants alone.
    pub known: bool,
}

/// Counts an operation; `free`: not in the customised way.
fn tick(free: bool, change: impl Fn(&mut Count)) {
    let add = |c: &Cell<Count>| {
        let mut count = c.get();
        change(&mut count);
        c.set(count);
    };
    GENERAL.with(add);
    if !free {
        CUSTOMISED.with(add);
    }
}

impl Counted {
    fn is(self, x: f64) -> bool {
        self.known && self.x == x
    }
    // Never inlined, like the product: counting need not be fast, and thousands of copies took a third of the library's build.
    #[inline(never)]
    fn sum(self, o: Counted, x: f64) -> Counted {
        let known = self.known && o.known;
        tick(known || self.is(0.0) || o.is(0.0), |c| c.additions += 1);
        Counted { x, known }
    }
}

impl Add for Counted {
    type Output = Counted;
    fn add(self, o: Counted) -> Counted {
        self.sum(o, self.x + o.x)
    }
}
impl Sub for Counted {
    type Output = Counted;
    fn sub(self, o: Counted) -> Counted {
        self.sum(o, self.x - o.x)
    }
}
impl Mul for Counted {
    type Output = Counted;
    #[inline(never)]
    fn mul(self, o: Counted) -> Counted {
        let known = (self.known && o.known) || self.is(0.0) || o.is(0.0);
        let unit = |s: Counted| s.is(1.0) || s.is(-1.0);
        tick(known || unit(self) || unit(o), |c| c.multiplications += 1);
        Counted { x: self.x * o.x, known }
    }
}
impl Neg for Counted {
    type Output = Counted;
    fn neg(self) -> Counted {
        Counted { x: -self.x, known: self.known }
    }
}

impl Scalar for Counted {
    type Chunk = Self;
    const LANES: usize = 1;
    fn splat(x: f64) -> Counted {
        Counted { x, known: true }
    }
    fn fma(self, b: Counted, c: Counted) -> Counted {
        self * b + c
    }
    fn fnma(self, b: Counted, c: Counted) -> Counted {
        c - self * b
    }
    fn recip(self) -> Counted {
        tick(self.known, |c| c.divisions += 1);
        Counted { x: 1.0 / self.x, known: self.known }
    }
    fn sqrt(self) -> Counted {
        tick(self.known, |c| c.divisions += 1);
        Counted { x: self.x.sqrt(), known: self.known }
    }
    fn load(block: &[f64], k: usize) -> Counted {
        Counted { x: block[k], known: false }
    }
    fn store(self, block: &mut [f64], k: usize) {
        block[k] = self.x;
    }
    fn sin_cos(angles: &[Counted], sin: &mut [Counted], cos: &mut [Counted]) {
        for ((a, s), c) in angles.iter().zip(sin).zip(cos) {
            tick(a.known, |c| c.angles += 1);
            let (sin, cos) = a.x.sine_cosine();
            (*s, *c) = (Counted { x: sin, known: a.known }, Counted { x: cos, known: a.known });
        }
    }
}
