//! Equations as they are computed: sums and products of what was computed before, from coordinates and parameters.
//!
//! Equations that were found by elimination have thousands of terms where a hundred products compute them. Derivatives of a row are found from
//! its end backwards ([Griewank 2008]).

use crate::complex::Complex;
use crate::polynomial::Polynomial;
use std::ops::Add;

/// Something that a circuit computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node(pub(crate) u32);

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Operation {
    /// One of what is given: coordinates first, then parameters.
    Given,
    Product(u32, u32),
    /// Summands from one place to another.
    Sum(u32, u32),
}

/// Rows computed from coordinates and parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Circuit {
    coordinates: usize,
    parameters: usize,
    pub(crate) operations: Vec<Operation>,
    pub(crate) summands: Vec<(f64, u32)>,
    /// For each row what it is made of and depends on coordinates, itself last.
    pub(crate) rows: Vec<Vec<u32>>,
    /// Whether each node depends on coordinates.
    moving: Vec<bool>,
}

/// What a circuit can compute with.
pub(crate) trait Ring: Clone + Add<Output = Self> {
    fn zero() -> Self;
    fn one() -> Self;
    fn product(&self, o: &Self) -> Self;
    fn scaled(&self, s: f64) -> Self;
}

impl Ring for Complex {
    fn zero() -> Complex {
        Complex::ZERO
    }
    fn one() -> Complex {
        Complex::ONE
    }
    #[inline]
    fn product(&self, o: &Complex) -> Complex {
        *self * *o
    }
    #[inline]
    fn scaled(&self, s: f64) -> Complex {
        self.times(s)
    }
}

/// The magnitude of a number, added up as if nothing cancelled.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Magnitude(pub f64);

impl Add for Magnitude {
    type Output = Magnitude;
    fn add(self, o: Magnitude) -> Magnitude {
        Magnitude(self.0 + o.0)
    }
}

impl Ring for Magnitude {
    fn zero() -> Magnitude {
        Magnitude(0.0)
    }
    fn one() -> Magnitude {
        Magnitude(1.0)
    }
    fn product(&self, o: &Magnitude) -> Magnitude {
        Magnitude(self.0 * o.0)
    }
    fn scaled(&self, s: f64) -> Magnitude {
        Magnitude(self.0 * s.abs())
    }
}

impl Ring for Polynomial {
    fn zero() -> Polynomial {
        Polynomial::default()
    }
    fn one() -> Polynomial {
        Polynomial::constant(1.0)
    }
    fn product(&self, o: &Polynomial) -> Polynomial {
        self * o
    }
    fn scaled(&self, s: f64) -> Polynomial {
        Polynomial::scaled(self, s)
    }
}

impl Circuit {
    /// One without rows.
    pub fn new(coordinates: usize, parameters: usize) -> Circuit {
        let given = coordinates + parameters;
        Circuit {
            coordinates,
            parameters,
            operations: vec![Operation::Given; given],
            summands: Vec::new(),
            rows: Vec::new(),
            moving: (0..given).map(|k| k < coordinates).collect(),
        }
    }

    /// How many coordinates it has.
    pub fn coordinates(&self) -> usize {
        self.coordinates
    }

    /// How many parameters it has.
    pub fn parameters(&self) -> usize {
        self.parameters
    }

    /// A coordinate.
    pub fn coordinate(&self, k: usize) -> Node {
        Node(k as u32)
    }

    /// A parameter.
    pub fn parameter(&self, k: usize) -> Node {
        Node((self.coordinates + k) as u32)
    }

    /// The product of two nodes.
    pub fn product(&mut self, a: Node, b: Node) -> Node {
        self.moving.push(self.moving[a.0 as usize] || self.moving[b.0 as usize]);
        self.operations.push(Operation::Product(a.0, b.0));
        Node(self.operations.len() as u32 - 1)
    }

    /// The sum of nodes, each times a number.
    pub fn sum(&mut self, list: &[(f64, Node)]) -> Node {
        let from = self.summands.len() as u32;
        self.summands.extend(list.iter().map(|(w, n)| (*w, n.0)));
        self.moving.push(list.iter().any(|(_, n)| self.moving[n.0 as usize]));
        self.operations.push(Operation::Sum(from, self.summands.len() as u32));
        Node(self.operations.len() as u32 - 1)
    }

    /// a d − b c.
    pub fn determinant(&mut self, [a, b, c, d]: [Node; 4]) -> Node {
        let (first, second) = (self.product(a, d), self.product(b, c));
        self.sum(&[(1.0, first), (-1.0, second)])
    }

    /// What is to be zero.
    pub fn row(&mut self, node: Node) {
        let mut wanted = vec![false; node.0 as usize + 1];
        wanted[node.0 as usize] = true;
        for k in (0..wanted.len()).rev().filter(|k| self.moving[*k]) {
            if wanted[k] {
                self.inputs(k).for_each(|i| wanted[i as usize] = true);
            }
        }
        self.rows.push((0..=node.0).filter(|k| wanted[*k as usize] && self.moving[*k as usize]).collect());
    }

    fn inputs(&self, k: usize) -> impl Iterator<Item = u32> + use<> {
        let list: Vec<u32> = match self.operations[k] {
            Operation::Given => Vec::new(),
            Operation::Product(a, b) => vec![a, b],
            Operation::Sum(from, to) => self.summands[from as usize..to as usize].iter().map(|s| s.1).collect(),
        };
        list.into_iter()
    }

    /// All nodes from what is given.
    pub(crate) fn forward<T: Ring>(&self, given: impl Iterator<Item = T>, values: &mut Vec<T>) {
        values.clear();
        values.extend(given);
        for operation in &self.operations[self.coordinates + self.parameters..] {
            values.push(match *operation {
                Operation::Given => T::zero(),
                Operation::Product(a, b) => values[a as usize].product(&values[b as usize]),
                Operation::Sum(from, to) => self.summands[from as usize..to as usize]
                    .iter()
                    .fold(T::zero(), |sum, (w, k)| sum + times(&values[*k as usize], *w)),
            });
        }
    }

    /// Derivatives of a row by the coordinates, from the values of all nodes; `adjoint` is room for as many numbers as there are nodes.
    pub(crate) fn backward<T: Ring>(
        &self,
        row: usize,
        values: &[T],
        adjoint: &mut [T],
        mut give: impl FnMut(usize, T),
    ) {
        let list = &self.rows[row];
        list.iter().for_each(|k| adjoint[*k as usize] = T::zero());
        if let Some(last) = list.last() {
            adjoint[*last as usize] = T::one();
        }
        for k in list.iter().rev() {
            let own = adjoint[*k as usize].clone();
            let mut add = |to: u32, what: T| {
                if self.moving[to as usize] {
                    adjoint[to as usize] = adjoint[to as usize].clone() + what;
                }
            };
            match self.operations[*k as usize] {
                Operation::Given => give(*k as usize, own),
                Operation::Product(a, b) => {
                    add(a, own.product(&values[b as usize]));
                    add(b, own.product(&values[a as usize]));
                }
                Operation::Sum(from, to) => {
                    self.summands[from as usize..to as usize].iter().for_each(|(w, i)| add(*i, times(&own, *w)));
                }
            }
        }
    }

    /// The rows themselves among the values of all nodes.
    pub(crate) fn ends(&self) -> impl Iterator<Item = usize> + '_ {
        self.rows.iter().map(|row| row.last().map_or(0, |k| *k as usize))
    }
}

#[inline]
fn times<T: Ring>(x: &T, w: f64) -> T {
    if w == 1.0 {
        x.clone()
    } else {
        x.scaled(w)
    }
}
