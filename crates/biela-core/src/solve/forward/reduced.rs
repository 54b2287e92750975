//! The reduced form by the natural orthogonal complement.
//!
//! The columns of R span the null space of Φ_v, so that v̇ = p + R a with Φ_v p = γ; multiplying the equations of motion by Rᵀ
//! removes the constraint forces: (Rᵀ M R) a = Rᵀ (h − M p), one equation for each freedom. What then is missing in the balance
//! are the constraint forces, Φ_vᵀ λ = h − M v̇ [Angeles, Lee 1988].

use super::mass::MassMatrix;
use crate::math::dense::Matrix;
use crate::math::sparse::{Elimination, Pattern};
use crate::solve::newton::RANK_TOLERANCE;
use crate::solve::vectors::dot;
use crate::system::Workspace;

/// Factors of the independent rows, and scratch.
#[derive(Debug, Default)]
pub struct Reduced {
    rows: Vec<usize>,
    pattern: Pattern,
    values: Vec<f64>,
    elimination: Option<Elimination>,
    y: Vec<f64>,
    side: Vec<f64>,
    force: Vec<f64>,
}

/// The equations at one position and velocity: M v̇ + Φ_vᵀ λ = h, Φ_v v̇ = γ.
#[derive(Debug)]
pub struct Posed<'a> {
    /// Φ_v and γ, realised.
    pub ws: &'a Workspace,
    /// M.
    pub mass: &'a MassMatrix,
    /// Numbers of the independent rows.
    pub rows: &'a [usize],
    /// Generalised forces.
    pub h: &'a [f64],
}

impl Reduced {
    /// Scaled accelerations `x` and multipliers of all rows (zero for those not among the independent ones).
    pub fn solve(&mut self, posed: &Posed, x: &mut [f64], lambda: &mut [f64]) {
        let Posed { ws, mass, rows, h } = *posed;
        let nv = x.len();
        if self.rows != rows || self.pattern.columns != nv {
            self.rows = rows.to_vec();
            self.pattern = Pattern::new(nv);
            for i in rows {
                self.pattern.push_row(&ws.pattern.index[ws.pattern.range(*i)]);
            }
            self.elimination = None;
            self.side = vec![0.0; rows.len()];
            self.y = vec![0.0; nv.max(rows.len())];
            self.force = vec![0.0; nv];
        }
        self.values.clear();
        for i in rows {
            self.values.extend_from_slice(&ws.evaluation.phi_v[ws.pattern.range(*i)]);
        }
        let sound = self.elimination.as_mut().is_some_and(|e| e.refactor(&self.pattern, &self.values).is_ok());
        if !sound {
            let mut fresh = Elimination::analyse(&self.pattern, &self.values, RANK_TOLERANCE * 1e-4, &[]);
            let _ = fresh.refactor(&self.pattern, &self.values);
            self.elimination = Some(fresh);
        }
        let Some(elimination) = &self.elimination else { return };
        for (side, i) in self.side.iter_mut().zip(rows) {
            *side = ws.gamma(*i);
        }
        elimination.solve(&self.side, x, &mut self.y);
        let null = elimination.null_space();
        mass.pattern.multiply(&mass.entries, x, &mut self.force);
        self.force.iter_mut().zip(h).for_each(|(f, h)| *f = h - *f);
        let mut reduced = Matrix::zeros(null.len(), null.len());
        let mut a: Vec<f64> = null.iter().map(|r| dot(r, &self.force)).collect();
        let mut moved = vec![0.0; nv];
        for (i, r) in null.iter().enumerate() {
            mass.pattern.multiply(&mass.entries, r, &mut moved);
            for (j, s) in null.iter().enumerate().take(i + 1) {
                reduced.row_mut(i)[j] = dot(s, &moved);
            }
        }
        if reduced.cholesky_solve(&mut a).is_none() {
            a.fill(f64::NAN);
        }
        for (r, a) in null.iter().zip(&a) {
            x.iter_mut().zip(r).for_each(|(x, r)| *x += a * r);
        }
        mass.pattern.multiply(&mass.entries, x, &mut self.force);
        self.force.iter_mut().zip(h).for_each(|(f, h)| *f = h - *f);
        let mut found = vec![0.0; rows.len()];
        elimination.solve_transposed(&self.force, &mut found, &mut self.y);
        lambda.fill(0.0);
        for (i, value) in rows.iter().zip(&found) {
            lambda[*i] = *value;
        }
    }
}
