//! A number that counts what is done with it.

use biela_math::Elementary;
use biela_tree::Scalar;
use std::cell::{Cell, RefCell};
use std::ops::{Add, Mul, Neg, Sub};

thread_local! {
    static GENERAL: Cell<Count> = const { Cell::new(Count::ZERO) };
    static CUSTOMISED: Cell<Count> = const { Cell::new(Count::ZERO) };
    static NUMBERS: RefCell<Vec<Number>> = const { RefCell::new(Vec::new()) };
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
///
/// It is a place in a list of numbers, kept by the thread until [`Counted::forget`]: all algorithms are written out over it unoptimised, and
/// one word takes half the code that a pair would.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Counted(u32);

/// What a [`Counted`] stands for.
#[derive(Debug, Clone, Copy)]
struct Number {
    x: f64,
    /// Whether it follows from the tree's constants alone.
    known: bool,
}

impl Number {
    fn is(self, x: f64) -> bool {
        self.known && self.x == x
    }

    /// Puts it into the list. (A list of four thousand million numbers would not fit into memory before.)
    fn keep(self) -> Counted {
        NUMBERS.with_borrow_mut(|list| {
            list.push(self);
            Counted((list.len() - 1) as u32)
        })
    }
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
    /// Forgets all numbers of this thread.
    pub fn forget() {
        NUMBERS.with_borrow_mut(Vec::clear);
    }

    fn number(self) -> Number {
        NUMBERS.with_borrow(|list| list[self.0 as usize])
    }

    // Never inlined, like the others: counting need not be fast, and thousands of copies took a third of the library's build.
    #[inline(never)]
    fn sum(self, o: Counted, sign: f64) -> Counted {
        let (a, b) = (self.number(), o.number());
        let known = a.known && b.known;
        tick(known || a.is(0.0) || b.is(0.0), |c| c.additions += 1);
        Number { x: a.x + sign * b.x, known }.keep()
    }
}

impl Add for Counted {
    type Output = Counted;
    #[inline(never)]
    fn add(self, o: Counted) -> Counted {
        self.sum(o, 1.0)
    }
}
impl Sub for Counted {
    type Output = Counted;
    #[inline(never)]
    fn sub(self, o: Counted) -> Counted {
        self.sum(o, -1.0)
    }
}
impl Mul for Counted {
    type Output = Counted;
    #[inline(never)]
    fn mul(self, o: Counted) -> Counted {
        let (a, b) = (self.number(), o.number());
        let known = (a.known && b.known) || a.is(0.0) || b.is(0.0);
        let unit = |s: Number| s.is(1.0) || s.is(-1.0);
        tick(known || unit(a) || unit(b), |c| c.multiplications += 1);
        Number { x: a.x * b.x, known }.keep()
    }
}
impl Neg for Counted {
    type Output = Counted;
    #[inline(never)]
    fn neg(self) -> Counted {
        let a = self.number();
        Number { x: -a.x, ..a }.keep()
    }
}

impl Scalar for Counted {
    type Chunk = Self;
    const LANES: usize = 1;
    #[inline(never)]
    fn splat(x: f64) -> Counted {
        Number { x, known: true }.keep()
    }
    #[inline(never)]
    fn fma(self, b: Counted, c: Counted) -> Counted {
        self * b + c
    }
    #[inline(never)]
    fn fnma(self, b: Counted, c: Counted) -> Counted {
        c - self * b
    }
    #[inline(never)]
    fn recip(self) -> Counted {
        let a = self.number();
        tick(a.known, |c| c.divisions += 1);
        Number { x: 1.0 / a.x, ..a }.keep()
    }
    #[inline(never)]
    fn sqrt(self) -> Counted {
        let a = self.number();
        tick(a.known, |c| c.divisions += 1);
        Number { x: a.x.sqrt(), ..a }.keep()
    }
    #[inline(never)]
    fn load(block: &[f64], k: usize) -> Counted {
        Number { x: block[k], known: false }.keep()
    }
    #[inline(never)]
    fn store(self, block: &mut [f64], k: usize) {
        block[k] = self.number().x;
    }
    #[inline(never)]
    fn sin_cos(angles: &[Counted], sin: &mut [Counted], cos: &mut [Counted]) {
        for ((a, s), c) in angles.iter().zip(sin).zip(cos) {
            let a = a.number();
            tick(a.known, |c| c.angles += 1);
            let (sin, cos) = a.x.sine_cosine();
            (*s, *c) = (Number { x: sin, ..a }.keep(), Number { x: cos, ..a }.keep());
        }
    }
}
