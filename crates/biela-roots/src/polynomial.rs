//! Sparse polynomials in several variables with complex coefficients, and the arithmetic by which equations are written down.

use crate::complex::Complex;
use std::collections::BTreeMap;
use std::ops::{Add, Mul, Neg, Sub};

/// A product of powers of variables: pairs of a variable and its exponent, in the order of the variables. Empty, it is one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub struct Monomial(Vec<(u32, u32)>);

impl Monomial {
    /// One.
    pub const ONE: Monomial = Monomial(Vec::new());

    /// A variable to a power.
    pub fn power(variable: usize, exponent: u32) -> Monomial {
        Monomial(if exponent == 0 { Vec::new() } else { vec![(variable as u32, exponent)] })
    }

    /// Pairs of a variable and its exponent.
    pub fn powers(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        self.0.iter().map(|(v, e)| (*v as usize, *e))
    }

    /// Sum of the exponents.
    pub fn degree(&self) -> u32 {
        self.0.iter().map(|p| p.1).sum()
    }

    /// Sum of the exponents of some variables.
    pub fn degree_in(&self, group: &[usize]) -> u32 {
        self.powers().filter(|(v, _)| group.contains(v)).map(|p| p.1).sum()
    }

    /// The product of two.
    pub fn times(&self, o: &Monomial) -> Monomial {
        let mut list: BTreeMap<u32, u32> = self.0.iter().copied().collect();
        for (v, e) in &o.0 {
            *list.entry(*v).or_insert(0) += e;
        }
        Monomial(list.into_iter().collect())
    }

    /// Without one power of a variable that is in it.
    pub(crate) fn over(&self, variable: usize) -> Monomial {
        let less = self.0.iter().map(|(v, e)| (*v, if *v as usize == variable { e.saturating_sub(1) } else { *e }));
        Monomial(less.filter(|p| p.1 > 0).collect())
    }

    /// Those of its variables below `n`, and the others with `n` taken off their numbers.
    pub(crate) fn split(&self, n: usize) -> (Monomial, Monomial) {
        let (low, high): (Vec<_>, Vec<_>) = self.0.iter().copied().partition(|(v, _)| (*v as usize) < n);
        (Monomial(low), Monomial(high.into_iter().map(|(v, e)| (v - n as u32, e)).collect()))
    }
}

/// A polynomial: monomials and what they are multiplied by.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Polynomial {
    terms: BTreeMap<Monomial, Complex>,
}

impl Polynomial {
    /// A variable.
    pub fn variable(k: usize) -> Polynomial {
        Polynomial::term(Monomial::power(k, 1), Complex::ONE)
    }

    /// A number.
    pub fn constant(value: impl Into<Complex>) -> Polynomial {
        Polynomial::term(Monomial::ONE, value.into())
    }

    /// One term.
    pub fn term(monomial: Monomial, coefficient: Complex) -> Polynomial {
        let mut made = Polynomial::default();
        made.add_term(monomial, coefficient);
        made
    }

    /// Adds one term.
    pub fn add_term(&mut self, monomial: Monomial, coefficient: Complex) {
        let sum = self.terms.entry(monomial);
        let sum = sum.or_default();
        *sum += coefficient;
    }

    /// Monomials with their coefficients, in a fixed order.
    pub fn terms(&self) -> impl Iterator<Item = (&Monomial, Complex)> {
        self.terms.iter().map(|(m, c)| (m, *c)).filter(|t| t.1 != Complex::ZERO)
    }

    /// True where nothing is left of it.
    pub fn is_zero(&self) -> bool {
        self.terms().next().is_none()
    }

    /// Largest sum of exponents.
    pub fn degree(&self) -> u32 {
        self.terms().map(|t| t.0.degree()).max().unwrap_or(0)
    }

    /// Largest sum of exponents of some variables.
    pub fn degree_in(&self, group: &[usize]) -> u32 {
        self.terms().map(|t| t.0.degree_in(group)).max().unwrap_or(0)
    }

    /// Largest magnitude of a coefficient.
    pub fn size(&self) -> f64 {
        self.terms().map(|t| t.1.norm()).fold(0.0, f64::max)
    }

    /// Largest variable that it names, and one more.
    pub fn variables(&self) -> usize {
        self.terms().flat_map(|t| t.0.powers().map(|p| p.0 + 1).collect::<Vec<_>>()).max().unwrap_or(0)
    }

    /// Times a number.
    pub fn scaled(&self, s: impl Into<Complex>) -> Polynomial {
        let s = s.into();
        Polynomial { terms: self.terms.iter().map(|(m, c)| (m.clone(), *c * s)).collect() }
    }

    /// Its square.
    pub fn square(&self) -> Polynomial {
        self * self
    }

    /// Without terms smaller than `least` times the largest: what should cancel and does not for rounding.
    pub fn trimmed(&self, least: f64) -> Polynomial {
        let least = least * self.size();
        Polynomial {
            terms: self.terms.iter().filter(|(_, c)| c.norm() > least).map(|(m, c)| (m.clone(), *c)).collect(),
        }
    }

    /// Its derivative by a variable.
    pub fn derivative(&self, variable: usize) -> Polynomial {
        let mut made = Polynomial::default();
        for (monomial, c) in self.terms() {
            if let Some((_, exponent)) = monomial.powers().find(|p| p.0 == variable) {
                made.add_term(monomial.over(variable), c.times(f64::from(exponent)));
            }
        }
        made
    }

    /// Its value at a point.
    pub fn value(&self, x: &[Complex]) -> Complex {
        self.terms().map(|(m, c)| m.powers().fold(c, |product, (v, e)| product * x[v].power(e))).sum()
    }

    /// What becomes of it where every variable is replaced by a polynomial.
    pub fn substituted(&self, by: &[Polynomial]) -> Polynomial {
        let mut sum = Polynomial::default();
        for (monomial, c) in self.terms() {
            let mut product = Polynomial::constant(c);
            for (v, e) in monomial.powers() {
                for _ in 0..e {
                    product = &product * &by[v];
                }
            }
            sum = &sum + &product;
        }
        sum
    }
}

impl Add for &Polynomial {
    type Output = Polynomial;
    fn add(self, o: &Polynomial) -> Polynomial {
        let mut sum = self.clone();
        for (m, c) in &o.terms {
            sum.add_term(m.clone(), *c);
        }
        sum
    }
}

impl Sub for &Polynomial {
    type Output = Polynomial;
    fn sub(self, o: &Polynomial) -> Polynomial {
        self + &o.scaled(-1.0)
    }
}

impl Mul for &Polynomial {
    type Output = Polynomial;
    fn mul(self, o: &Polynomial) -> Polynomial {
        let mut product = Polynomial::default();
        for (m, c) in self.terms() {
            for (n, d) in o.terms() {
                product.add_term(m.times(n), c * d);
            }
        }
        product
    }
}

impl Neg for &Polynomial {
    type Output = Polynomial;
    fn neg(self) -> Polynomial {
        self.scaled(-1.0)
    }
}

macro_rules! owned {
    ($($operator:ident $name:ident),*) => { $(
        impl $operator for Polynomial {
            type Output = Polynomial;
            fn $name(self, o: Polynomial) -> Polynomial { (&self).$name(&o) }
        }
    )* };
}
owned!(Add add, Sub sub, Mul mul);
