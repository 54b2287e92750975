//! Rows as sums of monomials whose coefficients are polynomials in t.
//!
//! All monomials and all that divides them stand in one straight line, each made of one before it times a coordinate. Values,
//! derivatives and Taylor series of every row are sums over that line.

use crate::complex::Complex;
use crate::polynomial::Monomial;
use crate::row::{Row, ORDER};
use std::collections::{BTreeMap, HashMap};

/// Rows of a system for each t.
#[derive(Debug)]
pub(crate) struct Sparse {
    /// Highest power of t, and one more.
    powers: usize,
    /// Each monomial but the first, which is one: what comes before it, and the coordinate it is multiplied by.
    line: Vec<(u32, u32)>,
    /// Monomial and coefficient of each term, row after row, and where each row ends.
    terms: Vec<(u32, u32)>,
    rows: Vec<u32>,
    /// The same of each derivative of a term, and each place in the Jacobian with where its derivatives end.
    slopes: Vec<(u32, u32)>,
    places: Vec<(u32, u32)>,
    /// Powers of t of each.
    coefficients: Vec<Complex>,
}

impl Sparse {
    /// Of rows in `n` coordinates.
    pub fn new(n: usize, rows: &[Row]) -> Sparse {
        let powers = rows.iter().flatten().map(|t| t.1.len()).max().unwrap_or(1).max(1);
        let mut made = Sparse {
            powers,
            line: vec![(0, 0)],
            terms: Vec::new(),
            rows: Vec::new(),
            slopes: Vec::new(),
            places: Vec::new(),
            coefficients: Vec::new(),
        };
        let mut places = HashMap::from([(Monomial::ONE, 0u32)]);
        let mut slopes: BTreeMap<u32, Vec<(u32, u32)>> = BTreeMap::new();
        for (r, row) in rows.iter().enumerate() {
            for (monomial, coefficient) in row {
                let whole = made.coefficient(coefficient, 1);
                let place = made.place(monomial, &mut places);
                made.terms.push((place, whole));
                for (v, e) in monomial.powers() {
                    let quotient = made.place(&monomial.over(v), &mut places);
                    let c = if e == 1 { whole } else { made.coefficient(coefficient, e) };
                    slopes.entry((r * n + v) as u32).or_default().push((quotient, c));
                }
            }
            made.rows.push(made.terms.len() as u32);
        }
        for (place, list) in slopes {
            made.slopes.extend(list);
            made.places.push((place, made.slopes.len() as u32));
        }
        made
    }

    /// Puts down a coefficient times a whole number.
    fn coefficient(&mut self, powers: &[Complex], times: u32) -> u32 {
        let number = (self.coefficients.len() / self.powers) as u32;
        let own = (0..self.powers).map(|k| powers.get(k).copied().unwrap_or_default().times(f64::from(times)));
        self.coefficients.extend(own);
        number
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
    /// The series of each coordinate.
    x: Vec<[Complex; ORDER + 1]>,
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
            x: Vec::new(),
        }
    }

    /// Rows at a point and their Jacobian, of which other places are to be zero.
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
        let sum = |list: &[(u32, u32)]| -> Complex {
            list.iter().map(|(place, c)| self.coefficients[*c as usize] * m[*place as usize][0]).sum()
        };
        let mut from = 0;
        for (value, to) in value.iter_mut().zip(&h.rows) {
            *value = sum(&h.terms[from..*to as usize]);
            from = *to as usize;
        }
        from = 0;
        for (place, to) in &h.places {
            jacobian[*place as usize] = sum(&h.slopes[from..*to as usize]);
            from = *to as usize;
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
        self.x.resize(series[0].len(), [Complex::ZERO; ORDER + 1]);
        self.x.iter_mut().zip(&series[0]).for_each(|(x, s)| x[0] = *s);
        let m = &mut self.monomials;
        m[0] = [Complex::ZERO; ORDER + 1];
        m[0][0] = Complex::ONE;
        for (k, (before, v)) in h.line.iter().enumerate().skip(1) {
            m[k][0] = m[*before as usize][0] * series[0][*v as usize];
        }
        for order in 1..=ORDER {
            for (k, (before, v)) in h.line.iter().enumerate().skip(1) {
                // What this order has of lower ones: that of x itself is not known yet, and taken for zero.
                let (done, rest) = m.split_at_mut(k);
                let (before, x) = (&done[*before as usize], &self.x[*v as usize]);
                rest[0][order] = (1..=order).map(|j| before[j] * x[order - j]).sum();
            }
            let right = &mut series[order];
            right.iter_mut().for_each(|r| *r = Complex::ZERO);
            // Rows that fix the scale do not change.
            right.iter_mut().for_each(|r| *r = Complex::ZERO);
            let reach = p.min(order + 1);
            let mut from = 0;
            for (right, to) in right.iter_mut().zip(&h.rows) {
                let mut sum = Complex::ZERO;
                for (place, c) in &h.terms[from..*to as usize] {
                    let a = &self.along[*c as usize * p..][..reach];
                    let v = &m[*place as usize];
                    for (j, a) in a.iter().enumerate() {
                        sum += *a * v[order - j];
                    }
                }
                *right = -sum;
                from = *to as usize;
            }
            solve(right);
            self.x.iter_mut().zip(right.iter()).for_each(|(x, r)| x[order] = *r);
            for (k, (before, v)) in h.line.iter().enumerate().skip(1) {
                let v = *v as usize;
                let change = self.correction[*before as usize] * self.x[v][0] + m[*before as usize][0] * right[v];
                self.correction[k] = change;
                m[k][order] += change;
            }
        }
    }
}
