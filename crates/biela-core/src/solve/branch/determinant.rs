//! The sign of det Φ_v, which two assembly modes that meet nowhere need not share.

use crate::solve::mobility;
use crate::system::{System, Workspace};

/// Systems with more velocities are not looked at: the determinant is dense.
const LARGEST: usize = 400;

/// Independent rows chosen at one position, whose determinant is looked at in others.
#[derive(Debug, Clone)]
pub struct ChosenRows {
    rows: Vec<usize>,
    t: f64,
}

impl ChosenRows {
    /// Chooses them at the position realised.
    pub fn new(system: &System, ws: &mut Workspace, t: f64) -> ChosenRows {
        ws.realize_jacobian(system, t);
        let all = mobility::factor_rows(&system.constraints.pattern, &ws.evaluation, system.constraints.len());
        let dependent = all.dependent_rows();
        let rows = (0..system.constraints.len()).filter(|i| dependent.binary_search(i).is_err()).collect();
        ChosenRows { rows, t }
    }

    /// Whether there are as many as velocities, so that there is a determinant.
    pub fn are_square(&self, system: &System) -> bool {
        self.rows.len() == system.formulation.nv()
    }

    /// Sign of their determinant at the position realised, columns in their order.
    pub fn sign(&self, system: &System, ws: &Workspace) -> i8 {
        let n = system.formulation.nv();
        if !self.are_square(system) || n > LARGEST {
            return 0;
        }
        let pattern = &system.constraints.pattern;
        let mut evaluation = ws.evaluation.clone();
        system.constraints.jacobian(system.at(self.t), ws.size, &ws.cache, &mut evaluation);
        let dense = |i: &usize| {
            let mut row = vec![0.0; n];
            pattern.range(*i).for_each(|k| row[pattern.index[k]] = evaluation.phi_v[k]);
            row
        };
        determinant_sign(&mut self.rows.iter().map(dense).collect::<Vec<_>>())
    }
}

/// Sign of a determinant by elimination with row exchanges; 0 where a pivot vanishes.
fn determinant_sign(rows: &mut [Vec<f64>]) -> i8 {
    let (n, mut sign) = (rows.len(), 1i8);
    for k in 0..n {
        let Some(p) = (k..n).max_by(|a, b| rows[*a][k].abs().total_cmp(&rows[*b][k].abs())) else { return sign };
        if rows[p][k].abs() < 1e-13 {
            return 0;
        }
        if p != k {
            rows.swap(p, k);
            sign = -sign;
        }
        if rows[k][k] < 0.0 {
            sign = -sign;
        }
        let (head, tail) = rows.split_at_mut(k + 1);
        let pivot = &head[k];
        for row in tail {
            let factor = row[k] / pivot[k];
            if factor != 0.0 {
                row.iter_mut().zip(pivot).skip(k).for_each(|(a, b)| *a -= factor * b);
            }
        }
    }
    sign
}
