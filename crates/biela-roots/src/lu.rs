//! Small dense complex systems: elimination with row exchanges.

use crate::complex::Complex;

/// A square matrix, factored in place.
#[derive(Debug, Clone)]
pub(crate) struct Lu {
    n: usize,
    a: Vec<Complex>,
    rows: Vec<usize>,
    /// Reciprocals of the pivots.
    inverse: Vec<Complex>,
    work: Vec<Complex>,
}

impl Lu {
    pub fn new(n: usize) -> Lu {
        let zeros = vec![Complex::ZERO; n];
        Lu { n, a: vec![Complex::ZERO; n * n], rows: vec![0; n], inverse: zeros.clone(), work: zeros }
    }

    /// The matrix, to be written before it is factored: row after row.
    pub fn matrix(&mut self) -> &mut [Complex] {
        &mut self.a
    }

    /// Factors what was written; how small the smallest pivot is against the largest (0: singular).
    pub fn factor(&mut self) -> f64 {
        let n = self.n;
        let (mut least, mut most) = (f64::INFINITY, 0.0f64);
        for k in 0..n {
            self.rows[k] = k;
            let size = |i: usize| self.a[i * n + k].norm2();
            let (mut best, mut largest) = (k, size(k));
            for i in k + 1..n {
                if size(i) > largest {
                    (best, largest) = (i, size(i));
                }
            }
            if largest == 0.0 || !largest.is_finite() {
                return 0.0;
            }
            least = least.min(largest);
            most = most.max(largest);
            self.rows[k] = best;
            if best != k {
                let (above, below) = self.a.split_at_mut(best * n);
                above[k * n..k * n + n].swap_with_slice(&mut below[..n]);
            }
            let inverse = self.a[k * n + k].inverse();
            self.inverse[k] = inverse;
            let (above, below) = self.a.split_at_mut((k + 1) * n);
            let pivot = &above[k * n..];
            for row in below.chunks_exact_mut(n) {
                if row[k] == Complex::ZERO {
                    continue;
                }
                let factor = row[k] * inverse;
                row[k] = factor;
                for (x, p) in row[k + 1..].iter_mut().zip(&pivot[k + 1..]) {
                    *x -= factor * *p;
                }
            }
        }
        (least / most).sqrt()
    }

    /// Solves for a right side in place.
    pub fn solve(&mut self, x: &mut [Complex]) {
        let n = self.n;
        for k in 0..n {
            x.swap(k, self.rows[k]);
        }
        for i in 1..n {
            let row = &self.a[i * n..i * n + i];
            let sum: Complex = row.iter().zip(&x[..i]).map(|(a, b)| *a * *b).sum();
            x[i] -= sum;
        }
        for i in (0..n).rev() {
            let row = &self.a[i * n + i + 1..(i + 1) * n];
            let sum: Complex = row.iter().zip(&x[i + 1..n]).map(|(a, b)| *a * *b).sum();
            x[i] = (x[i] - sum) * self.inverse[i];
        }
    }

    /// The inverse, row after row.
    pub fn inverted(&mut self) -> Vec<Complex> {
        let n = self.n;
        let mut inverse = vec![Complex::ZERO; n * n];
        let mut column = std::mem::take(&mut self.work);
        for j in 0..n {
            column.iter_mut().for_each(|x| *x = Complex::ZERO);
            column[j] = Complex::ONE;
            self.solve(&mut column);
            for i in 0..n {
                inverse[i * n + j] = column[i];
            }
        }
        self.work = column;
        inverse
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use biela_math::random::Random;

    /// A few hundred operations on numbers of order one, and conditions below a thousand.
    const ROUNDING: f64 = 1e-11;

    #[test]
    fn solutions_fulfil_their_equations() {
        let mut random = Random(3);
        for n in 1..12 {
            let a: Vec<Complex> = (0..n * n).map(|_| Complex::new(random.signed(), random.signed())).collect();
            let x: Vec<Complex> = (0..n).map(|_| Complex::new(random.signed(), random.signed())).collect();
            let mut b: Vec<Complex> = (0..n).map(|i| (0..n).map(|j| a[i * n + j] * x[j]).sum()).collect();
            let mut lu = Lu::new(n);
            lu.matrix().copy_from_slice(&a);
            assert!(lu.factor() > 0.0);
            lu.solve(&mut b);
            assert!(crate::complex::distance(&b, &x) < ROUNDING, "{n}");
            let inverse = lu.inverted();
            for i in 0..n {
                for j in 0..n {
                    let sum: Complex = (0..n).map(|k| a[i * n + k] * inverse[k * n + j]).sum();
                    let meant = if i == j { Complex::ONE } else { Complex::ZERO };
                    assert!((sum - meant).norm() < ROUNDING);
                }
            }
        }
        // A matrix of rank one.
        let mut lu = Lu::new(2);
        lu.matrix().copy_from_slice(&[Complex::ONE, Complex::ONE, Complex::ONE, Complex::ONE]);
        assert_eq!(lu.factor(), 0.0);
    }
}
