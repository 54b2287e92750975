//! Rows as sums of monomials whose coefficients are polynomials in t.
//!
//! All monomials and all that divides them stand in one straight line, each made of one before it times a coordinate. Values,
//! derivatives and Taylor series of every row are sums over that line.

use crate::complex::Complex;
use crate::polynomial::Monomial;
use crate::row::{Row, ORDER};
use std::collections::HashMap;

/// Rows of a system for each t.
#[derive(Debug)]
pub(crate) struct Sparse {
    /// Highest power of t, and one more.
    powers: usize,
    /// Each monomial but the first, which is one: what comes before it, and the coordinate it is multiplied by.
    line: Vec<(u32, u32)>,
    /// Row, monomial and coefficient of each term.
    terms: Vec<(u32, u32, u32)>,
    /// Place in the Jacobian, coefficient, monomial and exponent of each derivative of a term.
    slopes: Vec<(u32, u32, u32, f64)>,
    coefficients: Vec<Complex>,
}

impl Sparse {
    /// Of rows in `n` coordinates.
    pub fn new(n: usize, rows: &[Row]) -> Sparse {
        let powers = rows.iter().flatten().map(|t| t.1.len()).max().unwrap_or(1).max(1);
        let mut made =
            Sparse { powers, line: vec![(0, 0)], terms: Vec::new(), slopes: Vec::new(), coefficients: Vec::new() };
        let mut places = HashMap::from([(Monomial::ONE, 0u32)]);
        for (r, row) in rows.iter().enumerate() {
            for (monomial, coefficient) in row {
                let c = (made.coefficients.len() / powers) as u32;
                made.coefficients.extend((0..powers).map(|k| coefficient.get(k).copied().unwrap_or_default()));
                let place = made.place(monomial, &mut places);
                made.terms.push((r as u32, place, c));
                for (v, e) in monomial.powers() {
                    let quotient = made.place(&monomial.over(v), &mut places);
                    made.slopes.push(((r * n + v) as u32, c, quotient, f64::from(e)));
                }
            }
        }
        made
    }

    /// Where a monomial stands in the line; it is put there with what it is made of.
    fn place(&mut self, monomial: &Monomial, places: &mut HashMap<Monomial, u32>) -> u32 {
        if let Some(place) = places.get(monomial) {
            return *place;
        }
        let last = monomial.powers().last().map_or(0, |p| p.0);
        let before = self.place(&monomial.over(last), places);
        self.line.push((before, last as u32));
        let place = (self.line.len() - 1) as u32;
        places.insert(monomial.clone(), place);
        place
    }
}

/// What is computed of the rows along one path.
#[derive(Debug)]
pub(crate) struct Sums {
    coefficients: Vec<Complex>,
    at: Option<Complex>,
    monomials: Vec<[Complex; ORDER + 1]>,
    /// Coefficients along a line of t: powers of the step.
    along: Vec<Complex>,
    correction: Vec<Complex>,
}

impl Sums {
    pub fn new(h: &Sparse) -> Sums {
        let count = h.coefficients.len() / h.powers;
        Sums {
            coefficients: vec![Complex::ZERO; count],
            at: None,
            monomials: vec![[Complex::ZERO; ORDER + 1]; h.line.len()],
            along: vec![Complex::ZERO; count * h.powers],
            correction: vec![Complex::ZERO; h.line.len()],
        }
    }

    /// Adds rows at a point and their Jacobian.
    pub fn evaluate(&mut self, h: &Sparse, x: &[Complex], t: Complex, value: &mut [Complex], jacobian: &mut [Complex]) {
        if self.at != Some(t) {
            for (c, powers) in self.coefficients.iter_mut().zip(h.coefficients.chunks_exact(h.powers)) {
                *c = powers[1..].iter().rev().fold(Complex::ZERO, |sum, p| (sum + *p) * t) + powers[0];
            }
            self.at = Some(t);
        }
        let m = &mut self.monomials;
        m[0][0] = Complex::ONE;
        for (k, (before, v)) in h.line.iter().enumerate().skip(1) {
            m[k][0] = m[*before as usize][0] * x[*v as usize];
        }
        for (row, monomial, c) in &h.terms {
            value[*row as usize] += self.coefficients[*c as usize] * m[*monomial as usize][0];
        }
        for (place, c, monomial, times) in &h.slopes {
            jacobian[*place as usize] += (self.coefficients[*c as usize] * m[*monomial as usize][0]).times(*times);
        }
    }

    /// Coefficients of the series of x(t + s·direction) in s, given `series[0]`; `solve` solves with the Jacobian there.
    pub fn taylor(
        &mut self,
        h: &Sparse,
        (t, direction): (Complex, Complex),
        series: &mut [Vec<Complex>],
        mut solve: impl FnMut(&mut [Complex]),
    ) {
        let p = h.powers;
        for (along, powers) in self.along.chunks_exact_mut(p).zip(h.coefficients.chunks_exact(p)) {
            along.copy_from_slice(powers);
            // The polynomial's expansion about t by repeated synthetic division.
            for k in 0..p {
                for j in (k..p - 1).rev() {
                    along[j] += along[j + 1] * t;
                }
            }
            let mut scale = Complex::ONE;
            for a in along.iter_mut() {
                *a *= scale;
                scale *= direction;
            }
        }
        let m = &mut self.monomials;
        m[0] = [Complex::ZERO; ORDER + 1];
        m[0][0] = Complex::ONE;
        for (k, (before, v)) in h.line.iter().enumerate().skip(1) {
            m[k][0] = m[*before as usize][0] * series[0][*v as usize];
        }
        for order in 1..=ORDER {
            for (k, (before, v)) in h.line.iter().enumerate().skip(1) {
                // What this order has of lower ones: that of x itself is not known yet, and taken for zero.
                let before = m[*before as usize];
                m[k][order] = (1..=order).map(|j| before[j] * series[order - j][*v as usize]).sum();
            }
            let (known, rest) = series.split_at_mut(order);
            let right = &mut rest[0];
            right.iter_mut().for_each(|r| *r = Complex::ZERO);
            for (row, monomial, c) in &h.terms {
                let a = &self.along[*c as usize * p..(*c as usize + 1) * p];
                let v = &m[*monomial as usize];
                let sum: Complex = a.iter().enumerate().take(order + 1).map(|(j, a)| *a * v[order - j]).sum();
                right[*row as usize] -= sum;
            }
            solve(right);
            for (k, (before, v)) in h.line.iter().enumerate().skip(1) {
                let v = *v as usize;
                let change = self.correction[*before as usize] * known[0][v] + m[*before as usize][0] * right[v];
                self.correction[k] = change;
                m[k][order] += change;
            }
        }
    }
}
