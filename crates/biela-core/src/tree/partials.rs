//! Scratch of the derivatives of trees with rotors (`coupled_derivatives.rs`).

use crate::math::Slope;

/// Scratch of derivatives of trees with rotors.
#[derive(Debug)]
pub(super) struct Partials {
    /// ∂τ_e/∂x, ∂τ_e/∂u and M_e.
    pub by_q: Vec<f64>,
    pub by_v: Vec<f64>,
    pub by_a: Vec<f64>,
    /// ∂u, ∂u̇ and ∂u̇/∂v along one coordinate, and (∂G)ᵀ τ_e.
    pub u: Vec<f64>,
    pub a: Vec<f64>,
    pub a_by_v: Vec<f64>,
    pub tau: Vec<f64>,
    /// What Gᵀ is applied to.
    pub loads: [Vec<f64>; 3],
    pub environment: Vec<Slope>,
}

impl Partials {
    /// For a tree of `n` velocities, `e` with rotors, whose angles depend on `most` coordinates.
    pub fn new(n: usize, e: usize, most: usize) -> Partials {
        let (vector, square) = (vec![0.0; e], vec![0.0; e * e]);
        Partials {
            by_q: square.clone(),
            by_v: square.clone(),
            by_a: square,
            u: vector.clone(),
            a: vector.clone(),
            a_by_v: vector.clone(),
            tau: vec![0.0; n],
            loads: [vector.clone(), vector.clone(), vector],
            environment: vec![Slope::default(); most + 1],
        }
    }
}
