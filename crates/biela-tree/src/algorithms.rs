//! Ways to the accelerations of a tree under generalised forces: the registry [`ALGORITHMS`], one line each.

#![allow(non_snake_case)]

use super::{aba, crba, gibbs_appell, lagrange_dh, rnea, Tree, Workspace};

/// An algorithm of forward dynamics.
#[derive(Debug)]
pub struct Algorithm {
    /// The word that names it.
    pub keyword: &'static str,
    /// One sentence for help and documentation.
    pub help: &'static str,
    /// Inertia matrix and bias at q, v.
    pub equations: Equations,
    /// Accelerations at q, v under τ, where they are found without the matrix.
    pub direct: Option<Direct>,
}

/// Inertia matrix and bias at q, v.
pub type Equations = fn(&Tree, &mut Workspace, &[f64], &[f64], &mut [f64], &mut [f64]);
/// Accelerations at q, v under τ.
pub type Direct = fn(&Tree, &mut Workspace, &[f64], &[f64], &[f64], &mut [f64]);

/// Articulated bodies; with rotors as [`CRBA`].
pub static ABA: Algorithm = Algorithm {
    keyword: "aba",
    help: "articulated bodies, in time linear in the joints",
    equations: composites,
    direct: Some(aba::aba),
};

/// Composite bodies for the matrix, recursive Newton-Euler for the bias.
pub static CRBA: Algorithm = Algorithm {
    keyword: "crba",
    help: "inertia matrix by composite bodies, bias by Newton-Euler, Cholesky",
    equations: composites,
    direct: None,
};

/// Hessian of the Gibbs function.
pub static GAH: Algorithm = Algorithm {
    keyword: "gah",
    help: "inertia matrix as the Hessian of the Gibbs function, bias by Gibbs-Appell, Cholesky",
    equations: |tree, workspace, q, v, M, bias| {
        gibbs_appell::hessian(tree, workspace, q, M);
        gibbs_appell::bias(tree, workspace, q, v, bias);
    },
    direct: None,
};

/// Lagrange with homogeneous matrices.
pub static LAGRANGE: Algorithm = Algorithm {
    keyword: "lagrange",
    help: "A and C by Lagrange with 4 x 4 matrices, Cholesky",
    equations: lagrange_dh::lagrange,
    direct: None,
};

/// Every algorithm.
pub static ALGORITHMS: &[&Algorithm] = &[&ABA, &CRBA, &GAH, &LAGRANGE];

/// The algorithm of that keyword.
pub fn algorithm(keyword: &str) -> Option<&'static Algorithm> {
    ALGORITHMS.iter().copied().find(|a| a.keyword == keyword)
}

fn composites(tree: &Tree, workspace: &mut Workspace, q: &[f64], v: &[f64], M: &mut [f64], bias: &mut [f64]) {
    crba::crba(tree, workspace, q, M);
    rnea::bias(tree, workspace, q, v, bias);
}
