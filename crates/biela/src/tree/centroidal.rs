//! Centroidal momentum matrix: h_G = A_G(q) v, the momentum about the centre of mass (Orin, Goswami, Lee 2013).

#![allow(non_snake_case)]

use super::crba::crba;
use super::energy::totals;
use super::workspace::Workspace;
use super::Tree;

/// Momentum about the centre of mass per unit velocity, 6 × nv row by row: angular, then linear, in ground axes; `unit` is
/// scratch of nv numbers.
pub fn centroidal_matrix(tree: &Tree, workspace: &mut Workspace, q: &[f64], unit: &mut [f64], A: &mut [f64]) {
    for k in 0..tree.nv {
        unit[..tree.nv].fill(0.0);
        unit[k] = 1.0;
        // Momentum is linear in the velocities: a unit velocity gives a column.
        let column = totals(tree, workspace, q, unit);
        let parts = column.angular_momentum.to_array().into_iter().chain(column.momentum.to_array());
        for (row, x) in parts.enumerate() {
            A[row * tree.nv + k] = x;
        }
    }
}

/// Kinetic energy ½ vᵀ M v by the inertia matrix: an oracle for [`totals`].
pub fn kinetic_by_matrix(tree: &Tree, workspace: &mut Workspace, q: &[f64], v: &[f64], M: &mut [f64]) -> f64 {
    crba(tree, workspace, q, M);
    let n = tree.nv;
    (0..n).map(|i| (0..n).map(|j| 0.5 * v[i] * M[i * n + j] * v[j]).sum::<f64>()).sum()
}
