//! The multipliers λ of Φ_vᵀ λ = b, the shortest where they are not unique.
//!
//! Rows that depend on others span a left null space: for each such row d the combination y of pivot rows that equals it gives
//! the null vector e_d − y. A particular λ from the factors is freed of its part in that space.

use crate::math::dense::Matrix;
use crate::system::Workspace;

/// Solves for multipliers; scratch is made once.
#[derive(Debug, Default)]
pub struct Multipliers {
    /// One for each row of the workspace's pattern (idle rows last), for the scaled rows.
    pub lambda: Vec<f64>,
    work: Vec<f64>,
    row: Vec<f64>,
}

impl Multipliers {
    /// λ for the generalised forces `b` (scaled as Φ_v's columns), with Φ_v factored in the workspace.
    pub fn solve(&mut self, ws: &Workspace, b: &[f64]) {
        let (rows, columns) = (ws.pattern.rows(), ws.pattern.columns);
        self.lambda.resize(rows, 0.0);
        self.work.resize(columns, 0.0);
        self.row.resize(columns, 0.0);
        let Some(elimination) = &ws.elimination else { return };
        elimination.solve_transposed(b, &mut self.lambda, &mut self.work);
        let dependent = elimination.dependent_rows();
        if dependent.is_empty() {
            return;
        }
        let mut null = Vec::with_capacity(dependent.len());
        for d in dependent {
            self.row.fill(0.0);
            for k in ws.pattern.range(*d) {
                self.row[ws.pattern.index[k]] = ws.evaluation.phi_v[k];
            }
            let mut vector = vec![0.0; rows];
            elimination.solve_transposed(&self.row, &mut vector, &mut self.work);
            for x in &mut vector {
                *x = -*x;
            }
            vector[*d] += 1.0;
            null.push(vector);
        }
        // (NᵀN) c = Nᵀλ, then λ − N c.
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let mut gram = Matrix::zeros(null.len(), null.len());
        let mut c: Vec<f64> = null.iter().map(|n| dot(n, &self.lambda)).collect();
        for (i, a) in null.iter().enumerate() {
            for (j, b) in null.iter().enumerate().take(i + 1) {
                gram.row_mut(i)[j] = dot(a, b);
            }
        }
        if gram.cholesky_solve(&mut c).is_some() {
            for (n, c) in null.iter().zip(&c) {
                for (lambda, n) in self.lambda.iter_mut().zip(n) {
                    *lambda -= c * n;
                }
            }
        }
    }
}
