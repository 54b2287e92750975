//! A circuit whose parameters move along lines: values, derivatives and Taylor series of its rows.

use crate::circuit::{Circuit, Magnitude, Operation};
use crate::complex::Complex;
use crate::row::ORDER;
use std::sync::Arc;

/// A circuit with parameters from those at t = 1 to those at t = 0. Its last coordinate makes it homogeneous.
#[derive(Debug)]
pub(crate) struct Along {
    pub circuit: Arc<Circuit>,
    pub from: Vec<Complex>,
    pub to: Vec<Complex>,
}

impl Along {
    pub fn coordinates(&self) -> usize {
        self.circuit.coordinates()
    }

    /// How large each row would be if nothing in it cancelled.
    pub fn sizes(&self, x: &[Complex], t: Complex) -> Vec<f64> {
        let mut values = Vec::new();
        let given = x.iter().copied().chain(self.parameters(t)).map(|z| Magnitude(z.norm()));
        self.circuit.forward(given, &mut values);
        self.circuit.ends().map(|end| values[end].0.max(f64::MIN_POSITIVE)).collect()
    }

    fn parameters(&self, t: Complex) -> impl Iterator<Item = Complex> + '_ {
        self.from.iter().zip(&self.to).map(move |(from, to)| *to + (*from - *to) * t)
    }
}

/// What is computed of all nodes.
#[derive(Debug)]
pub(crate) struct Values {
    values: Vec<Complex>,
    adjoint: Vec<Complex>,
    series: Vec<[Complex; ORDER + 1]>,
    change: Vec<Complex>,
}

impl Values {
    pub fn new(along: &Along) -> Values {
        let nodes = along.circuit.operations.len();
        let zeros = vec![Complex::ZERO; nodes];
        let series = vec![[Complex::ZERO; ORDER + 1]; nodes];
        Values { values: zeros.clone(), adjoint: zeros.clone(), series, change: zeros }
    }

    /// Rows at a point and their Jacobian.
    pub fn evaluate(
        &mut self,
        along: &Along,
        x: &[Complex],
        t: Complex,
        value: &mut [Complex],
        jacobian: &mut [Complex],
    ) {
        let (circuit, n) = (&along.circuit, along.coordinates());
        circuit.forward(x.iter().copied().chain(along.parameters(t)), &mut self.values);
        for (row, end) in circuit.ends().enumerate() {
            value[row] = self.values[end];
            circuit.backward(row, &self.values, &mut self.adjoint, |k, d| jacobian[row * n + k] = d);
        }
    }

    /// Coefficients of the series of x(t + s·direction) in s, given `series[0]`; `solve` solves with the Jacobian there.
    pub fn taylor(
        &mut self,
        along: &Along,
        (t, direction): (Complex, Complex),
        series: &mut [Vec<Complex>],
        mut solve: impl FnMut(&mut [Complex]),
    ) {
        let (circuit, n) = (&along.circuit, along.coordinates());
        let given = n + circuit.parameters();
        let s = &mut self.series;
        for (k, x) in series[0].iter().enumerate() {
            s[k] = [Complex::ZERO; ORDER + 1];
            s[k][0] = *x;
        }
        for (k, (from, to)) in along.from.iter().zip(&along.to).enumerate() {
            s[n + k] = [Complex::ZERO; ORDER + 1];
            s[n + k][0] = *to + (*from - *to) * t;
            s[n + k][1] = (*from - *to) * direction;
        }
        for order in 0..=ORDER {
            // What this order has of lower ones: that of x itself is not known yet, and taken for zero.
            for (k, operation) in circuit.operations.iter().enumerate().skip(given) {
                s[k][order] = match *operation {
                    Operation::Given => Complex::ZERO,
                    Operation::Product(a, b) => {
                        let (a, b) = (&s[a as usize], &s[b as usize]);
                        (0..=order).map(|j| a[j] * b[order - j]).sum()
                    }
                    Operation::Sum(from, to) => circuit.summands[from as usize..to as usize]
                        .iter()
                        .map(|(w, i)| s[*i as usize][order].times(*w))
                        .sum(),
                };
            }
            if order == 0 {
                continue;
            }
            let right = &mut series[order];
            right.iter_mut().for_each(|r| *r = Complex::ZERO);
            circuit.ends().enumerate().for_each(|(row, end)| right[row] = -s[end][order]);
            solve(right);
            self.change.iter_mut().for_each(|c| *c = Complex::ZERO);
            for (k, r) in right.iter().enumerate() {
                s[k][order] = *r;
                self.change[k] = *r;
            }
            for (k, operation) in circuit.operations.iter().enumerate().skip(given) {
                let change = match *operation {
                    Operation::Given => Complex::ZERO,
                    Operation::Product(a, b) => {
                        let (a, b) = (a as usize, b as usize);
                        s[a][0] * self.change[b] + self.change[a] * s[b][0]
                    }
                    Operation::Sum(from, to) => circuit.summands[from as usize..to as usize]
                        .iter()
                        .map(|(w, i)| self.change[*i as usize].times(*w))
                        .sum(),
                };
                self.change[k] = change;
                s[k][order] += change;
            }
        }
    }
}
