//! A number that writes down what is done with it.

use super::tape::{Count, Operation, Tape};
use biela_tree::Scalar;
use std::cell::RefCell;
use std::ops::{Add, Mul, Neg, Sub};

thread_local! {
    static RECORD: RefCell<Record> = RefCell::new(Record::default());
}

/// What a thread records.
#[derive(Default)]
struct Record {
    tape: Tape,
    general: Count,
    customised: Count,
}

/// A number that writes down what is done with it: a place on the tape of its thread. Arrays that algorithms read and write hold the places
/// as plain numbers, so that an array of zeros holds zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Traced(u32);

impl Traced {
    /// Records what a function does, on a tape of its own, and gives its answer with the tape.
    pub fn record<T>(f: impl FnOnce() -> T) -> (T, Tape) {
        let empty = Record { tape: Tape::new(), ..Record::default() };
        let outer = RECORD.replace(empty);
        let answer = f();
        (answer, RECORD.replace(outer).tape)
    }

    /// An input of the program.
    pub fn input(number: u32) -> Traced {
        RECORD.with_borrow_mut(|r| Traced(r.tape.input(number)))
    }

    /// What an array holds at an entry.
    pub fn at(entry: f64) -> Traced {
        Traced(entry as u32)
    }

    /// What an array holds that has this number at an entry.
    pub fn entry(self) -> f64 {
        f64::from(self.0)
    }

    /// Its place on the tape.
    pub fn place(self) -> u32 {
        self.0
    }

    /// The number, where it follows from constants alone.
    pub fn known(self) -> Option<f64> {
        RECORD.with_borrow(|r| r.tape.known(self.0))
    }

    /// Operations counted since the last call: every operation of the general recursion, and those left where what the tree's constants
    /// make known is computed beforehand and multiplying by 0, 1 or −1 and adding 0 is free. A fused multiply-add counts as one of each, a
    /// change of sign is free.
    pub(crate) fn take_counts() -> (Count, Count) {
        RECORD.with_borrow_mut(|r| (std::mem::take(&mut r.general), std::mem::take(&mut r.customised)))
    }

    // Never inlined, like the others: recording need not be fast, and thousands of copies took a third of the library's build.
    #[inline(never)]
    fn did(operation: Operation) -> Traced {
        RECORD.with_borrow_mut(|r| {
            r.count(operation);
            Traced(r.tape.put(operation))
        })
    }
}

impl Record {
    /// Counts an operation, in both ways.
    fn count(&mut self, operation: Operation) {
        use Operation::*;
        let known = |place: u32| self.tape.known(place);
        let is = |place: u32, x: f64| known(place) == Some(x);
        let all_known = operation.operands().all(|place| known(place).is_some());
        let (free, field): (bool, fn(&mut Count) -> &mut u64) = match operation {
            Add(a, b) | Sub(a, b) => (is(a, 0.0) || is(b, 0.0), |c| &mut c.additions),
            Mul(a, b) => {
                let idle = |place| is(place, 0.0) || is(place, 1.0) || is(place, -1.0);
                (idle(a) || idle(b), |c| &mut c.multiplications)
            }
            Recip(_) | Sqrt(_) => (false, |c| &mut c.divisions),
            // Its cosine comes with it.
            Sin(_) => (false, |c| &mut c.angles),
            Constant(_) | Input(_) | Neg(_) | Cos(_) => return,
        };
        *field(&mut self.general) += 1;
        if !free && !all_known {
            *field(&mut self.customised) += 1;
        }
    }
}

impl Add for Traced {
    type Output = Traced;
    #[inline(never)]
    fn add(self, o: Traced) -> Traced {
        Traced::did(Operation::Add(self.0, o.0))
    }
}
impl Sub for Traced {
    type Output = Traced;
    #[inline(never)]
    fn sub(self, o: Traced) -> Traced {
        Traced::did(Operation::Sub(self.0, o.0))
    }
}
impl Mul for Traced {
    type Output = Traced;
    #[inline(never)]
    fn mul(self, o: Traced) -> Traced {
        Traced::did(Operation::Mul(self.0, o.0))
    }
}
impl Neg for Traced {
    type Output = Traced;
    #[inline(never)]
    fn neg(self) -> Traced {
        Traced::did(Operation::Neg(self.0))
    }
}

impl Scalar for Traced {
    type Chunk = Self;
    const LANES: usize = 1;
    #[inline(never)]
    fn splat(x: f64) -> Traced {
        Traced::did(Operation::constant(x))
    }
    #[inline(never)]
    fn fma(self, b: Traced, c: Traced) -> Traced {
        self * b + c
    }
    #[inline(never)]
    fn fnma(self, b: Traced, c: Traced) -> Traced {
        c - self * b
    }
    #[inline(never)]
    fn recip(self) -> Traced {
        Traced::did(Operation::Recip(self.0))
    }
    #[inline(never)]
    fn sqrt(self) -> Traced {
        Traced::did(Operation::Sqrt(self.0))
    }
    #[inline(never)]
    fn load(block: &[f64], k: usize) -> Traced {
        Traced::at(block[k])
    }
    #[inline(never)]
    fn store(self, block: &mut [f64], k: usize) {
        block[k] = self.entry();
    }
    #[inline(never)]
    fn sin_cos(angles: &[Traced], sin: &mut [Traced], cos: &mut [Traced]) {
        for ((a, s), c) in angles.iter().zip(sin).zip(cos) {
            *s = Traced::did(Operation::Sin(a.0));
            *c = Traced::did(Operation::Cos(a.0));
        }
    }
}
