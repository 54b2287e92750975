//! A family of square systems in homogeneous coordinates, one for each t: rows that are sums of monomials whose coefficients are
//! polynomials in t ([`Sparse`]), or what a [`Circuit`](crate::Circuit) computes while its parameters move along lines ([`Along`]).

use crate::along::{Along, Values};
use crate::complex::Complex;
use crate::row::Row;
use crate::sparse::{Sparse, Sums};

/// A system for each t. Rows that fix the scale of each group of coordinates come last; they belong to the path (see [`Evaluation`]).
#[derive(Debug)]
pub(crate) struct Homotopy {
    /// Coordinates.
    pub n: usize,
    /// Groups of coordinates, each homogeneous by itself.
    pub groups: Vec<Vec<usize>>,
    form: Form,
}

#[derive(Debug)]
enum Form {
    Sparse(Sparse),
    Along(Along),
}

impl Homotopy {
    /// Of rows in `n` coordinates. As many rows as coordinates, less the groups.
    pub fn new(n: usize, groups: Vec<Vec<usize>>, rows: &[Row]) -> Homotopy {
        Homotopy { n, groups, form: Form::Sparse(Sparse::new(n, rows)) }
    }

    /// Of a circuit whose coordinates are all in one group.
    pub fn along(along: Along) -> Homotopy {
        let n = along.coordinates();
        Homotopy { n, groups: vec![(0..n).collect()], form: Form::Along(along) }
    }
}

/// What is computed of a homotopy along one path.
#[derive(Debug)]
pub(crate) struct Evaluation {
    /// For each coordinate, its factor in the row that fixes the scale of its group to one.
    pub patch: Vec<Complex>,
    work: Work,
}

#[derive(Debug)]
enum Work {
    Sums(Sums),
    Values(Values),
}

impl Evaluation {
    pub fn new(h: &Homotopy) -> Evaluation {
        let work = match &h.form {
            Form::Sparse(sparse) => Work::Sums(Sums::new(sparse)),
            Form::Along(along) => Work::Values(Values::new(along)),
        };
        Evaluation { patch: vec![Complex::ZERO; h.n], work }
    }

    /// Scales every group of `x` to length one and fixes its scale there.
    pub fn normalise(&mut self, h: &Homotopy, x: &mut [Complex]) {
        for group in &h.groups {
            let scale = 1.0 / group.iter().map(|k| x[*k].norm2()).sum::<f64>().sqrt();
            for k in group {
                x[*k] = x[*k].times(scale);
                self.patch[*k] = x[*k].conjugate();
            }
        }
    }

    /// Rows at a point and their Jacobian.
    pub fn evaluate(
        &mut self,
        h: &Homotopy,
        x: &[Complex],
        t: Complex,
        value: &mut [Complex],
        jacobian: &mut [Complex],
    ) {
        value.iter_mut().for_each(|v| *v = Complex::ZERO);
        jacobian.iter_mut().for_each(|v| *v = Complex::ZERO);
        match (&mut self.work, &h.form) {
            (Work::Sums(sums), Form::Sparse(sparse)) => sums.evaluate(sparse, x, t, value, jacobian),
            (Work::Values(values), Form::Along(along)) => values.evaluate(along, x, t, value, jacobian),
            _ => unreachable!("made for one homotopy"),
        }
        for (g, group) in h.groups.iter().enumerate() {
            let row = h.n - h.groups.len() + g;
            let mut sum = -Complex::ONE;
            for k in group {
                sum += self.patch[*k] * x[*k];
                jacobian[row * h.n + k] = self.patch[*k];
            }
            value[row] = sum;
        }
    }

    /// How large each row would be at a point if nothing in it cancelled, where rows are those of a circuit: others have coefficients of order one.
    pub fn sizes(&self, h: &Homotopy, x: &[Complex], t: Complex) -> Option<Vec<f64>> {
        match &h.form {
            Form::Sparse(_) => None,
            Form::Along(along) => Some(along.sizes(x, t)),
        }
    }

    /// Coefficients of the series of x(t + s·direction) in s, given `series[0]`; `solve` solves with the Jacobian there.
    pub fn taylor(
        &mut self,
        h: &Homotopy,
        (t, direction): (Complex, Complex),
        series: &mut [Vec<Complex>],
        solve: impl FnMut(&mut [Complex]),
    ) {
        match (&mut self.work, &h.form) {
            (Work::Sums(sums), Form::Sparse(sparse)) => sums.taylor(sparse, (t, direction), series, solve),
            (Work::Values(values), Form::Along(along)) => values.taylor(along, (t, direction), series, solve),
            _ => unreachable!("made for one homotopy"),
        }
    }
}
