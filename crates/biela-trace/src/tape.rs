//! What was done with numbers: each operation once, in the order in which it was first needed.

use std::collections::HashMap;

/// A step of a program; its operands are places of earlier ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// A number, by its bits.
    Constant(u64),
    /// An input, by its number.
    Input(u32),
    /// Sum.
    Add(u32, u32),
    /// Difference.
    Sub(u32, u32),
    /// Product.
    Mul(u32, u32),
    /// The opposite.
    Neg(u32),
    /// 1 / x.
    Recip(u32),
    /// Square root.
    Sqrt(u32),
    /// Sine.
    Sin(u32),
    /// Cosine.
    Cos(u32),
}

impl Operation {
    /// A constant.
    pub fn constant(x: f64) -> Operation {
        Operation::Constant(x.to_bits())
    }

    /// Its operands.
    pub fn operands(self) -> impl Iterator<Item = u32> {
        use Operation::*;
        let (a, b) = match self {
            Constant(_) | Input(_) => (None, None),
            Add(a, b) | Sub(a, b) | Mul(a, b) => (Some(a), Some(b)),
            Neg(a) | Recip(a) | Sqrt(a) | Sin(a) | Cos(a) => (Some(a), None),
        };
        a.into_iter().chain(b)
    }

    /// The same with other operands.
    pub fn with(self, place: impl Fn(u32) -> u32) -> Operation {
        use Operation::*;
        match self {
            Constant(_) | Input(_) => self,
            Add(a, b) => Add(place(a), place(b)),
            Sub(a, b) => Sub(place(a), place(b)),
            Mul(a, b) => Mul(place(a), place(b)),
            Neg(a) => Neg(place(a)),
            Recip(a) => Recip(place(a)),
            Sqrt(a) => Sqrt(place(a)),
            Sin(a) => Sin(place(a)),
            Cos(a) => Cos(place(a)),
        }
    }
}

/// Operations done, or left in a program.
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

/// A list of operations in which nothing stands twice. Place 0 is the number 0, place 1 the number 1.
#[derive(Debug, Default)]
pub struct Tape {
    operations: Vec<Operation>,
    places: HashMap<Operation, u32>,
}

impl Tape {
    /// An empty one.
    pub fn new() -> Tape {
        let mut tape = Tape::default();
        tape.number(0.0);
        tape.number(1.0);
        tape
    }

    /// What it holds, operands before those that need them.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// The place of an operation that is taken as it is.
    fn keep(&mut self, operation: Operation) -> u32 {
        let next = self.operations.len() as u32; // A list of four thousand million would not fit into memory before.
        let operations = &mut self.operations;
        *self.places.entry(operation).or_insert_with(|| {
            operations.push(operation);
            next
        })
    }

    /// A number.
    pub fn number(&mut self, x: f64) -> u32 {
        // One zero: what is left out of sums has no sign.
        self.keep(Operation::constant(if x == 0.0 { 0.0 } else { x }))
    }

    /// An input.
    pub fn input(&mut self, number: u32) -> u32 {
        self.keep(Operation::Input(number))
    }

    /// The number at a place, where it is one.
    pub fn known(&self, place: u32) -> Option<f64> {
        match self.operations[place as usize] {
            Operation::Constant(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    /// What a place is the opposite of.
    fn opposite(&self, place: u32) -> Option<u32> {
        match self.operations[place as usize] {
            Operation::Neg(a) => Some(a),
            _ => None,
        }
    }

    /// Puts an operation down: computed where its operands are numbers, left out where it changes nothing, otherwise once.
    pub fn put(&mut self, operation: Operation) -> u32 {
        use Operation::*;
        match operation {
            Constant(bits) => self.number(f64::from_bits(bits)),
            Input(_) => self.keep(operation),
            Add(a, b) => self.add(a, b),
            Sub(a, b) => self.sub(a, b),
            Mul(a, b) => self.mul(a, b),
            Neg(a) => self.neg(a),
            Recip(a) => self.of_one(a, |x| 1.0 / x, operation),
            Sqrt(a) => self.of_one(a, f64::sqrt, operation),
            Sin(a) => self.angle(a, true),
            Cos(a) => self.angle(a, false),
        }
    }

    fn of_one(&mut self, a: u32, f: impl Fn(f64) -> f64, operation: Operation) -> u32 {
        match self.known(a) {
            Some(x) => self.number(f(x)),
            None => self.keep(operation),
        }
    }

    fn add(&mut self, a: u32, b: u32) -> u32 {
        match (self.known(a), self.known(b)) {
            (Some(x), Some(y)) => return self.number(x + y),
            (Some(0.0), _) => return b,
            (_, Some(0.0)) => return a,
            _ => {}
        }
        match (self.opposite(a), self.opposite(b)) {
            (Some(a), Some(b)) => {
                let sum = self.add(a, b);
                self.neg(sum)
            }
            (Some(a), None) => self.sub(b, a),
            (None, Some(b)) => self.sub(a, b),
            (None, None) => self.keep(Operation::Add(a.min(b), a.max(b))),
        }
    }

    fn sub(&mut self, a: u32, b: u32) -> u32 {
        match (self.known(a), self.known(b)) {
            (Some(x), Some(y)) => return self.number(x - y),
            (Some(0.0), _) => return self.neg(b),
            (_, Some(0.0)) => return a,
            _ if a == b => return 0,
            _ => {}
        }
        match (self.opposite(a), self.opposite(b)) {
            (Some(a), Some(b)) => self.sub(b, a),
            (Some(a), None) => {
                let sum = self.add(a, b);
                self.neg(sum)
            }
            (None, Some(b)) => self.add(a, b),
            // One of a − b and b − a stands in the list; the other is its opposite.
            (None, None) => match self.places.get(&Operation::Sub(b, a)) {
                Some(&found) => self.neg(found),
                None => self.keep(Operation::Sub(a, b)),
            },
        }
    }

    fn neg(&mut self, a: u32) -> u32 {
        if let Some(x) = self.known(a) {
            return self.number(-x);
        }
        self.opposite(a).unwrap_or_else(|| self.keep(Operation::Neg(a)))
    }

    fn mul(&mut self, a: u32, b: u32) -> u32 {
        match (self.known(a), self.known(b)) {
            (Some(x), Some(y)) => self.number(x * y),
            (Some(x), None) => self.scaled(x, b),
            (None, Some(y)) => self.scaled(y, a),
            (None, None) => {
                let negative = self.opposite(a).is_some() != self.opposite(b).is_some();
                let (a, b) = (self.opposite(a).unwrap_or(a), self.opposite(b).unwrap_or(b));
                // A number stands in front of a product, where others meet it.
                for (p, q) in [(a, b), (b, a)] {
                    if let Operation::Mul(c, rest) = self.operations[p as usize] {
                        if let Some(x) = self.known(c) {
                            let product = self.mul(rest, q);
                            return self.scaled(if negative { -x } else { x }, product);
                        }
                    }
                }
                let product = self.keep(Operation::Mul(a.min(b), a.max(b)));
                if negative {
                    self.neg(product)
                } else {
                    product
                }
            }
        }
    }

    /// A number times what stands at a place.
    fn scaled(&mut self, x: f64, a: u32) -> u32 {
        if x == 0.0 {
            return 0;
        }
        if x == 1.0 {
            return a;
        }
        if x == -1.0 {
            return self.neg(a);
        }
        if let Some(a) = self.opposite(a) {
            return self.scaled(-x, a);
        }
        if let Operation::Mul(c, rest) = self.operations[a as usize] {
            if let Some(y) = self.known(c) {
                return self.scaled(x * y, rest);
            }
        }
        // Numbers of one size and either sign share a product.
        let size = self.number(x.abs());
        let product = self.keep(Operation::Mul(size, a));
        if x < 0.0 {
            self.neg(product)
        } else {
            product
        }
    }

    /// Sine or cosine: of an angle that differs from another by quarter turns it is the other's, or its opposite.
    fn angle(&mut self, a: u32, sine: bool) -> u32 {
        use biela_math::Elementary;
        if let Some(x) = self.known(a) {
            let (sin, cos) = x.sine_cosine();
            return self.number(if sine { sin } else { cos });
        }
        if let Some(a) = self.opposite(a) {
            let found = self.angle(a, sine);
            return if sine { self.neg(found) } else { found };
        }
        let (of, quarters) = self.quarters(a);
        let keep = |tape: &mut Tape, sine: bool| tape.keep(if sine { Operation::Sin(of) } else { Operation::Cos(of) });
        // sin(x + π/2) = cos x, cos(x + π/2) = −sin x.
        match (quarters.rem_euclid(4), sine) {
            (0, sine) => keep(self, sine),
            (1, true) | (3, false) => keep(self, !sine),
            (2, sine) => {
                let found = keep(self, sine);
                self.neg(found)
            }
            _ => {
                let found = keep(self, !sine);
                self.neg(found)
            }
        }
    }

    /// An angle as another and quarter turns that were added to it.
    fn quarters(&self, a: u32) -> (u32, i64) {
        /// A rounding of the largest sums of quarter turns that drawings have.
        const ROUNDING: f64 = 1e-15;
        let (sum, sign) = match self.operations[a as usize] {
            Operation::Add(p, q) => ([(p, q), (q, p)], 1),
            Operation::Sub(p, q) => ([(p, q), (p, q)], -1),
            _ => return (a, 0),
        };
        for (of, added) in sum {
            if let Some(x) = self.known(added) {
                let turns = (x / std::f64::consts::FRAC_PI_2).round();
                if (x - turns * std::f64::consts::FRAC_PI_2).abs() <= ROUNDING * x.abs() {
                    return (of, sign * turns as i64);
                }
            }
        }
        (a, 0)
    }
}
