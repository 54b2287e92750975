//! Base parameters: the combinations of inertial parameters that motions and forces at the joints can tell (Gautier, Khalil 1990).
//!
//! Rows of the regressor at many states are eliminated column by column (Gram and Schmidt, twice). A column that the ones before it make up is a
//! dependent parameter: Y_d = Y_b K, so Y π = Y_b (π_b + K π_d), and only π_b + K π_d can be identified. Columns are taken body by body from the
//! ground on, inertias first and the mass last: so a mass is told by inertias and moments of the bodies that carry it, as is usual.

#![allow(non_snake_case)]

use super::regressor::PER_BODY;

/// Which combinations of parameters can be told.
#[derive(Debug, Clone, Default)]
pub struct BaseParameters {
    /// Places of the independent parameters among all; each heads one combination.
    pub independent: Vec<usize>,
    /// The combinations, one row each over all parameters.
    pub combinations: Vec<f64>,
    /// Number of all parameters.
    pub parameters: usize,
}

/// What is left of a column, against the largest column, when those before it make it up: rounding of some hundred states.
const DEPENDENT: f64 = 1e-9;

/// The base parameters of rows of a regressor, `width` parameters each, ten of a body.
pub fn base_parameters(rows: &[f64], width: usize) -> BaseParameters {
    let first = |k: &usize| (k / PER_BODY, if k % PER_BODY > 3 { 0 } else { 4 - k % PER_BODY });
    let mut order: Vec<usize> = (0..width).collect();
    order.sort_by_key(first);
    let count = rows.len().checked_div(width).unwrap_or(0);
    let column = |k: usize| -> Vec<f64> { (0..count).map(|r| rows[r * width + k]).collect() };
    let norms: Vec<f64> = (0..width).map(|k| norm(&column(k))).collect();
    let largest = norms.iter().fold(0.0_f64, |m, x| m.max(*x));
    let mut basis: Vec<Vec<f64>> = Vec::new();
    let mut independent: Vec<usize> = Vec::new();
    // Of each column: its parts along the basis, R of Y = Q R.
    let mut parts: Vec<Vec<f64>> = vec![Vec::new(); width];
    for k in order {
        let mut y = column(k);
        let mut along = vec![0.0; basis.len()];
        for _ in 0..2 {
            for (b, sum) in basis.iter().zip(&mut along) {
                let x: f64 = b.iter().zip(&y).map(|(b, y)| b * y).sum();
                y.iter_mut().zip(b).for_each(|(y, b)| *y -= x * b);
                *sum += x;
            }
        }
        let left = norm(&y);
        if left > DEPENDENT * norms[k] && norms[k] > DEPENDENT * largest {
            along.push(left);
            basis.push(y.iter().map(|y| y / left).collect());
            independent.push(k);
        }
        parts[k] = along;
    }
    let rank = independent.len();
    let mut combinations = vec![0.0; rank * width];
    for (k, along) in parts.iter().enumerate() {
        // R_b x = the column's parts, from the last one up.
        let mut x = along.clone();
        x.resize(rank, 0.0);
        for i in (0..rank).rev() {
            x[i] /= parts[independent[i]][i];
            for above in 0..i {
                x[above] -= parts[independent[i]][above] * x[i];
            }
            combinations[i * width + k] = if x[i].abs() > DEPENDENT { x[i] } else { 0.0 };
        }
    }
    BaseParameters { independent, combinations, parameters: width }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
