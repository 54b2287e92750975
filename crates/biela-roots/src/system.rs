//! Square systems of polynomial equations.

use crate::complex::Complex;
use crate::polynomial::{Monomial, Polynomial};
use std::fmt;

/// As many polynomials as variables, each to be zero.
#[derive(Debug, Clone, PartialEq)]
pub struct System {
    polynomials: Vec<Polynomial>,
    /// The variable that each one's conjugate stands for.
    conjugates: Vec<usize>,
    real: bool,
}

/// Why roots cannot be looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// Other than as many equations as unknowns: equations, and unknowns.
    NotSquare(usize, usize),
    /// An equation, counted from 0, that is a constant, or not a finite number.
    Constant(usize),
    /// An equation, counted from 0, that has a term which the structure told of it cannot have.
    Structure(usize),
    /// More paths than are allowed: how many there are, where they could be counted.
    Paths(Option<u64>),
    /// It was told to stop.
    Cancelled,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Refusal::NotSquare(equations, unknowns) => write!(f, "{equations} equations for {unknowns} unknowns"),
            Refusal::Constant(k) => {
                write!(f, "equation {} has no unknown in it, or a coefficient that is no number", k + 1)
            }
            Refusal::Structure(k) => write!(f, "equation {} has a term that its structure does not allow", k + 1),
            Refusal::Paths(Some(count)) => write!(f, "{count} paths would have to be followed, more than are allowed"),
            Refusal::Paths(None) => write!(f, "more paths would have to be followed than can be counted"),
            Refusal::Cancelled => write!(f, "stopped"),
        }
    }
}

impl std::error::Error for Refusal {}

impl System {
    /// The system of these equations.
    ///
    /// # Errors
    /// Where there are not as many as variables, or one is a constant.
    pub fn new(polynomials: Vec<Polynomial>) -> Result<System, Refusal> {
        let unknowns = polynomials.iter().map(Polynomial::variables).max().unwrap_or(0);
        if unknowns != polynomials.len() {
            return Err(Refusal::NotSquare(polynomials.len(), unknowns));
        }
        let bad = |p: &Polynomial| p.degree() == 0 || p.terms().any(|t| !t.1.is_finite());
        match polynomials.iter().position(bad) {
            Some(k) => Err(Refusal::Constant(k)),
            None => {
                let real = polynomials.iter().all(|p| p.terms().all(|t| t.1.im == 0.0));
                Ok(System { polynomials, conjugates: (0..unknowns).collect(), real })
            }
        }
    }

    /// The system read so that a point is real where each variable is the conjugate of another, or of itself: `conjugates[k]` is the
    /// one whose conjugate `k` is. So are x + iy and x − iy where both are variables.
    pub fn with_conjugates(self, conjugates: Vec<usize>) -> System {
        let n = self.len();
        let pairs = conjugates.len() == n && (0..n).all(|k| conjugates.get(conjugates[k]) == Some(&k));
        let mirrored = |p: &Polynomial| {
            let mut made = Polynomial::default();
            for (monomial, c) in p.terms() {
                let swapped = monomial.powers().map(|(v, e)| Monomial::power(conjugates[v], e));
                made.add_term(swapped.fold(Monomial::ONE, |m, o| m.times(&o)), c.conjugate());
            }
            made
        };
        // Every equation is its own mirror image, bit by bit: then mirror images of roots are roots.
        let real = pairs && self.polynomials.iter().all(|p| mirrored(p).terms().eq(p.terms()));
        System { real, conjugates: if pairs { conjugates } else { (0..n).collect() }, ..self }
    }

    /// The mirror image of a point: itself where it is real.
    pub fn mirrored(&self, x: &[Complex]) -> Vec<Complex> {
        self.conjugates.iter().map(|k| x.get(*k).copied().unwrap_or_default().conjugate()).collect()
    }

    /// How many equations and unknowns.
    pub fn len(&self) -> usize {
        self.polynomials.len()
    }

    /// True of the system without equations.
    pub fn is_empty(&self) -> bool {
        self.polynomials.is_empty()
    }

    /// Its equations.
    pub fn polynomials(&self) -> &[Polynomial] {
        &self.polynomials
    }

    /// Values of all equations at a point.
    pub fn value(&self, x: &[Complex]) -> Vec<Complex> {
        self.polynomials.iter().map(|p| p.value(x)).collect()
    }

    /// True where the mirror image of every root is a root: all coefficients are real, or the equations are their own mirror images.
    pub fn is_real(&self) -> bool {
        self.real
    }
}
