//! A straight-line program: inputs, operations, outputs.

use super::tape::{Count, Operation, Tape};
use biela_math::Elementary;

/// Numbers that a program takes or gives under one name.
#[derive(Debug, Clone, PartialEq)]
pub struct Argument {
    /// Its name.
    pub name: String,
    /// How many numbers.
    pub size: usize,
    /// What they are, for who calls it.
    pub help: String,
}

impl Argument {
    /// An argument.
    pub fn new(name: &str, size: usize, help: impl Into<String>) -> Argument {
        Argument { name: name.into(), size, help: help.into() }
    }
}

/// A straight-line program. Inputs are numbered through all arguments in their order.
#[derive(Debug, Clone)]
pub struct Program {
    /// What it takes.
    pub inputs: Vec<Argument>,
    /// What it gives.
    pub outputs: Vec<Argument>,
    /// Operations, operands before those that need them; each is needed by an output.
    pub operations: Vec<Operation>,
    /// Where the numbers of the outputs are found, through all of them in their order.
    pub results: Vec<u32>,
}

impl Program {
    /// What of a tape leads to the results, in the order in which it was recorded: algorithms pass from joint to joint, so that few numbers are
    /// needed at a time. (In the order in which results ask for them a graphics card does half as many evaluations.)
    pub fn new(tape: &Tape, inputs: Vec<Argument>, outputs: Vec<Argument>, results: &[u32]) -> Program {
        let recorded = tape.operations();
        let mut needed = vec![false; recorded.len()];
        results.iter().for_each(|result| needed[*result as usize] = true);
        for place in (0..recorded.len()).rev() {
            if needed[place] {
                recorded[place].operands().for_each(|operand| needed[operand as usize] = true);
            }
        }
        let (mut operations, mut places) = (Vec::new(), vec![0; recorded.len()]);
        for (place, operation) in recorded.iter().enumerate().filter(|(place, _)| needed[*place]) {
            places[place] = operations.len() as u32;
            operations.push(operation.with(|operand| places[operand as usize]));
        }
        let results = results.iter().map(|result| places[*result as usize]).collect();
        Program { inputs, outputs, operations, results }
    }

    /// Operations in it.
    pub fn count(&self) -> Count {
        let mut count = Count::default();
        let mut angles = std::collections::HashSet::new();
        for operation in &self.operations {
            match *operation {
                Operation::Add(..) | Operation::Sub(..) => count.additions += 1,
                Operation::Mul(..) => count.multiplications += 1,
                Operation::Recip(_) | Operation::Sqrt(_) => count.divisions += 1,
                // A sine and a cosine of one angle are found together.
                Operation::Sin(a) | Operation::Cos(a) => count.angles += u64::from(angles.insert(a)),
                Operation::Constant(_) | Operation::Input(_) | Operation::Neg(_) => {}
            }
        }
        count
    }

    /// Its results at given inputs.
    pub fn evaluate(&self, inputs: &[f64]) -> Vec<f64> {
        let mut values: Vec<f64> = Vec::with_capacity(self.operations.len());
        for operation in &self.operations {
            let at = |place: u32| values[place as usize];
            let value = match *operation {
                Operation::Constant(bits) => f64::from_bits(bits),
                Operation::Input(k) => inputs[k as usize],
                Operation::Add(a, b) => at(a) + at(b),
                Operation::Sub(a, b) => at(a) - at(b),
                Operation::Mul(a, b) => at(a) * at(b),
                Operation::Neg(a) => -at(a),
                Operation::Recip(a) => 1.0 / at(a),
                Operation::Sqrt(a) => at(a).sqrt(),
                Operation::Sin(a) => at(a).sine_cosine().0,
                Operation::Cos(a) => at(a).sine_cosine().1,
            };
            values.push(value);
        }
        self.results.iter().map(|&place| values[place as usize]).collect()
    }

    /// A result that is no number whatever the inputs, if there is one: a constant that is infinite or undefined is on its way.
    pub fn undefined(&self) -> bool {
        let infinite = |o: &Operation| matches!(o, Operation::Constant(bits) if !f64::from_bits(*bits).is_finite());
        self.operations.iter().any(infinite)
    }

    /// The program that gives the partial derivatives of all results by some inputs, row by row: one row for each result.
    pub fn derivative(&self, by: std::ops::Range<usize>, output: Argument) -> Program {
        let mut tape = Tape::new();
        let places: Vec<u32> = {
            let mut places = Vec::with_capacity(self.operations.len());
            for operation in &self.operations {
                let place = tape.put(operation.with(|p| places[p as usize]));
                places.push(place);
            }
            places
        };
        let mut columns = Vec::with_capacity(by.len());
        for input in by {
            columns.push(self.column(&mut tape, &places, input as u32));
        }
        let entries = (0..self.results.len()).flat_map(|row| columns.iter().map(move |column: &Vec<u32>| column[row]));
        Program::new(&tape, self.inputs.clone(), vec![output], &entries.collect::<Vec<_>>())
    }

    /// Places of the derivatives of all results by one input.
    fn column(&self, tape: &mut Tape, places: &[u32], input: u32) -> Vec<u32> {
        let mut slopes: Vec<u32> = Vec::with_capacity(self.operations.len());
        for (k, operation) in self.operations.iter().enumerate() {
            let (value, slope) = (|p: u32| places[p as usize], |p: u32| slopes[p as usize]);
            let mut put = |o: Operation| tape.put(o);
            let found = match *operation {
                Operation::Constant(_) => 0,
                Operation::Input(number) => u32::from(number == input),
                Operation::Add(a, b) => put(Operation::Add(slope(a), slope(b))),
                Operation::Sub(a, b) => put(Operation::Sub(slope(a), slope(b))),
                Operation::Mul(a, b) => {
                    let left = put(Operation::Mul(slope(a), value(b)));
                    let right = put(Operation::Mul(value(a), slope(b)));
                    put(Operation::Add(left, right))
                }
                Operation::Neg(a) => put(Operation::Neg(slope(a))),
                Operation::Recip(a) => {
                    let square = put(Operation::Mul(places[k], places[k]));
                    let down = put(Operation::Mul(square, slope(a)));
                    put(Operation::Neg(down))
                }
                Operation::Sqrt(a) => {
                    let twice = put(Operation::Add(places[k], places[k]));
                    let inverse = put(Operation::Recip(twice));
                    put(Operation::Mul(inverse, slope(a)))
                }
                Operation::Sin(a) => {
                    let cos = put(Operation::Cos(value(a)));
                    put(Operation::Mul(cos, slope(a)))
                }
                Operation::Cos(a) => {
                    let sin = put(Operation::Sin(value(a)));
                    let down = put(Operation::Mul(sin, slope(a)));
                    put(Operation::Neg(down))
                }
            };
            slopes.push(found);
        }
        self.results.iter().map(|&place| slopes[place as usize]).collect()
    }
}
