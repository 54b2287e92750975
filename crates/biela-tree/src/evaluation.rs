//! Algorithms by name over numbers of any kind: what counts their operations and what records them.

use super::aba::Aba;
use super::crba::Crba;
use super::derivatives::{AbaDerivatives, RneaDerivatives};
use super::gibbs_appell;
use super::kinematics::{Fk, FkBodies, Jacobians, Placed};
use super::lagrange_dh::Lagrange;
use super::minverse::{Forward, Minverse};
use super::rnea::Rnea;
use super::wide::Kernel;
use super::workspace::Work;
use super::{Scalar, Tree};

/// An algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evaluation {
    /// Poses of all nodes, left in the scratch arrays.
    Fk,
    /// Homogeneous matrices of frames, 16 numbers each.
    Frames,
    /// Columns of all nodes, 6 × n: velocity of the point at the ground's origin, angular velocity.
    Jacobians,
    /// Forces of q, v, a.
    Rnea,
    /// Inertia matrix.
    Crba,
    /// Accelerations under forces.
    Aba,
    /// Inverse of the inertia matrix.
    Minverse,
    /// Accelerations by Cholesky's factors of the inertia matrix.
    Cholesky,
    /// Inertia matrix as the Hessian of the Gibbs function.
    GahMatrix,
    /// Bias by Gibbs and Appell.
    GahBias,
    /// Accelerations by both.
    Gah,
    /// Matrix and bias by Lagrange with homogeneous matrices.
    Lagrange,
    /// Partial derivatives of forces by q, v and a.
    RneaDerivatives,
    /// Partial derivatives of accelerations by q, v and forces.
    AbaDerivatives,
}

/// Algorithms whose operations are told, with their names.
pub const COUNTED: &[(Evaluation, &str)] = &[
    (Evaluation::Fk, "fk"),
    (Evaluation::Rnea, "rnea"),
    (Evaluation::Crba, "crba"),
    (Evaluation::Aba, "aba"),
    (Evaluation::Minverse, "minverse"),
    (Evaluation::Cholesky, "crba_cholesky_fd"),
    (Evaluation::GahMatrix, "gah matrix"),
    (Evaluation::GahBias, "gah bias"),
    (Evaluation::Gah, "gah"),
    (Evaluation::Lagrange, "lagrange"),
    (Evaluation::RneaDerivatives, "rnea_derivatives"),
    (Evaluation::AbaDerivatives, "aba_derivatives"),
];

/// Scratch arrays over one kind of numbers.
#[derive(Debug)]
pub struct Scratch<S>(Work<S>);

impl<S: Scalar> Scratch<S> {
    /// For a tree.
    pub fn new(tree: &Tree) -> Scratch<S> {
        Scratch(Work::new(tree))
    }
}

/// What an algorithm takes.
#[derive(Debug, Clone, Copy)]
pub struct Given<'g> {
    /// Coordinates.
    pub q: &'g [f64],
    /// Velocities; empty: at rest.
    pub v: &'g [f64],
    /// Accelerations or forces, whichever the algorithm takes; empty: none, where it takes accelerations.
    pub x: &'g [f64],
    /// Frames asked for.
    pub frames: &'g [Placed],
}

/// Evaluates an algorithm into `out`: as many arrays as it has results, made as long as they are and zero where it writes nothing.
pub fn evaluate<S: Scalar>(
    tree: &Tree,
    scratch: &mut Scratch<S>,
    what: Evaluation,
    given: Given,
    out: &mut [Vec<f64>; 3],
) {
    let (n, work) = (tree.nv, &mut scratch.0);
    let Given { q, v, x, frames } = given;
    let sizes = match what {
        Evaluation::Fk => [0, 0, 0],
        Evaluation::Frames => [super::kinematics::MATRIX * frames.len(), 0, 0],
        Evaluation::Jacobians => [6 * n, 0, 0],
        Evaluation::Rnea | Evaluation::Aba | Evaluation::Cholesky | Evaluation::GahBias | Evaluation::Gah => [n, 0, 0],
        Evaluation::Crba | Evaluation::Minverse | Evaluation::GahMatrix => [n * n, 0, 0],
        Evaluation::Lagrange => [n * n, n, 0],
        Evaluation::RneaDerivatives | Evaluation::AbaDerivatives => [n * n; 3],
    };
    for (list, size) in out.iter_mut().zip(sizes) {
        list.clear();
        list.resize(size, 0.0);
    }
    let [a, b, c] = out;
    match what {
        Evaluation::Fk => Fk { tree, work, q }.run(),
        Evaluation::Frames => FkBodies { tree, work, q, bodies: frames, out: a }.run(),
        Evaluation::Jacobians => Jacobians { tree, work, q, J: a }.run(),
        Evaluation::Rnea => Rnea { tree, work, q, v, a: x, tau: a }.run(),
        Evaluation::Crba => Crba { tree, work, q, M: a }.run(),
        Evaluation::Aba => Aba { tree, work, q, v, tau: x, a }.run(),
        Evaluation::Minverse => Minverse { tree, work, q, inverse: a }.run(),
        Evaluation::Cholesky => Forward { tree, work, q, v, tau: x, a }.run(),
        Evaluation::GahMatrix => gibbs_appell::Hessian { tree, work, q, D: a }.run(),
        Evaluation::GahBias => gibbs_appell::Bias { tree, work, q, v, tau: a }.run(),
        Evaluation::Gah => gibbs_appell::Forward { tree, work, q, v, tau: x, a }.run(),
        Evaluation::Lagrange => Lagrange { tree, work, q, v, A: a, C: b }.run(),
        Evaluation::RneaDerivatives => RneaDerivatives { tree, work, q, v, a: x, dq: a, dv: b, da: c }.run(),
        Evaluation::AbaDerivatives => AbaDerivatives { tree, work, q, v, tau: x, dq: a, dv: b, dtau: c }.run(),
    }
}
