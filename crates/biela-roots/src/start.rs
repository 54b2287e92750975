//! Systems to begin with: products of linear forms, whose roots are found by elimination, or roots of unity.

use crate::complex::Complex;
use crate::lu::Lu;
use crate::polynomial::{Monomial, Polynomial};
use crate::row::Row;
use crate::structure::Structure;
use crate::system::{Refusal, System};
use biela_math::random::Random;
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// A system with the structure of another, and its roots by number.
pub(crate) struct Start {
    /// Unknowns, and groups: coordinates `n` and on are the homogenising ones of the groups.
    n: usize,
    groups: usize,
    /// Its equations, homogeneous.
    pub polynomials: Vec<Polynomial>,
    roots: Roots,
}

enum Roots {
    /// Degree d and number u of xᵢ^d − u^d: numbers are drawn, so that no root that is meant is one of these.
    Unity(Vec<(u32, Complex)>),
    /// Forms of each equation, and the choices that have a root.
    Forms { forms: Vec<Vec<Vec<Complex>>>, choices: Vec<Vec<u16>> },
}

impl Start {
    /// A system of a structure, with factors from a stream.
    pub fn new(structure: &Structure, most: u64, random: &mut Random) -> Result<Start, Refusal> {
        let n = structure.factors.len();
        let groups = structure.groups.len();
        let count = structure.count();
        if count.is_none_or(|count| count > most) {
            return Err(Refusal::Paths(count));
        }
        if groups == 1 && structure.is_plain() {
            let degrees: Vec<(u32, Complex)> =
                structure.factors.iter().map(|f| (f.len() as u32, Complex::random(random))).collect();
            let of = |(k, (d, u)): (usize, &(u32, Complex))| {
                let power = |v: usize, c: Complex| Polynomial::term(Monomial::power(v, *d), c);
                power(k, Complex::ONE) - power(n, u.power(*d))
            };
            let polynomials = degrees.iter().enumerate().map(of).collect();
            return Ok(Start { n, groups, polynomials, roots: Roots::Unity(degrees) });
        }
        let choices = structure.choices(most).ok_or(Refusal::Paths(None))?;
        let mut form = |factor: &crate::structure::Factor| {
            let mut form = vec![Complex::ZERO; n + groups];
            for v in factor.variables.iter().copied().chain([n + factor.group]) {
                form[v] = Complex::random(random);
            }
            form
        };
        let forms: Vec<Vec<Vec<Complex>>> =
            structure.factors.iter().map(|factors| factors.iter().map(&mut form).collect()).collect();
        let product = |forms: &Vec<Vec<Complex>>| {
            let linear = |form: &Vec<Complex>| {
                let mut sum = Polynomial::default();
                for (v, c) in form.iter().enumerate().filter(|(_, c)| **c != Complex::ZERO) {
                    sum.add_term(Monomial::power(v, 1), *c);
                }
                sum
            };
            forms.iter().map(linear).fold(Polynomial::constant(1.0), |a, b| a * b)
        };
        let polynomials = forms.iter().map(product).collect();
        Ok(Start { n, groups, polynomials, roots: Roots::Forms { forms, choices } })
    }

    /// How many roots it has.
    pub fn len(&self) -> usize {
        match &self.roots {
            Roots::Unity(degrees) => degrees.iter().map(|d| d.0 as usize).product(),
            Roots::Forms { choices, .. } => choices.len(),
        }
    }

    /// A root, in homogeneous coordinates.
    pub fn root(&self, number: usize) -> Vec<Complex> {
        let mut x = vec![Complex::ONE; self.n + self.groups];
        match &self.roots {
            Roots::Unity(degrees) => {
                let mut rest = number;
                for (x, (d, u)) in x.iter_mut().zip(degrees) {
                    let d = *d as usize;
                    *x = *u * Complex::unit(TAU * (rest % d) as f64 / d as f64);
                    rest /= d;
                }
            }
            Roots::Forms { forms, choices } => {
                let n = self.n;
                let mut lu = Lu::new(n);
                let mut right = vec![Complex::ZERO; n];
                for (e, (forms, choice)) in forms.iter().zip(&choices[number]).enumerate() {
                    let form = &forms[usize::from(*choice)];
                    lu.matrix()[e * n..(e + 1) * n].copy_from_slice(&form[..n]);
                    right[e] = -form[n..].iter().copied().sum::<Complex>();
                }
                lu.factor();
                lu.solve(&mut right);
                x[..n].copy_from_slice(&right);
            }
        }
        x
    }
}

/// Equations made homogeneous in each group to the degree of its product.
pub(crate) fn homogeneous(system: &System, structure: &Structure) -> Vec<Polynomial> {
    let n = system.len();
    let of = |(p, factors): (&Polynomial, &Vec<crate::structure::Factor>)| {
        let scale = 1.0 / p.size();
        let mut made = Polynomial::default();
        for (monomial, c) in p.terms() {
            let mut whole = monomial.clone();
            for (g, group) in structure.groups.iter().enumerate() {
                let degree = factors.iter().filter(|f| f.group == g).count() as u32;
                let missing = degree.saturating_sub(monomial.degree_in(group));
                whole = whole.times(&Monomial::power(n + g, missing));
            }
            made.add_term(whole, c.times(scale));
        }
        made
    };
    system.polynomials().iter().zip(&structure.factors).map(of).collect()
}

/// Rows of t·start + (1 − t)·end.
pub(crate) fn between(end: &[Polynomial], start: &[Polynomial]) -> Vec<Row> {
    let row = |(end, start): (&Polynomial, &Polynomial)| {
        let mut terms: BTreeMap<Monomial, [Complex; 2]> = BTreeMap::new();
        for (k, p) in [end, start].into_iter().enumerate() {
            for (m, c) in p.terms() {
                terms.entry(m.clone()).or_default()[k] = c;
            }
        }
        terms.into_iter().map(|(m, [a, b])| (m, vec![a, b - a])).collect()
    };
    end.iter().zip(start).map(row).collect()
}
