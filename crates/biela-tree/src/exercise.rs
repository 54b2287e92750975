//! Every algorithm once, over numbers of any kind.

use super::aba::Aba;
use super::crba::Crba;
use super::derivatives::{AbaDerivatives, RneaDerivatives};
use super::gibbs_appell;
use super::kinematics::Fk;
use super::lagrange_dh::Lagrange;
use super::minverse::{Forward, Minverse};
use super::rnea::Rnea;
use super::wide::Kernel;
use super::workspace::Work;
use super::{Scalar, Tree};

/// Evaluates each algorithm once, at the tree's neutral position with velocities of 0.5 and forces of 1. `before` is called ahead
/// of each, `after` with its name behind it.
pub fn exercise<S: Scalar>(tree: &Tree, before: impl Fn(), mut after: impl FnMut(&'static str)) {
    let (n, q) = (tree.nv, tree.neutral());
    let (v, tau) = (vec![0.5; n], vec![1.0; n]);
    let (v, a, q, tau): (&[f64], &[f64], &[f64], &[f64]) = (&v, &v, &q, &tau);
    let mut work = Work::<S>::new(tree);
    let work = &mut work;
    let (mut x, mut m1, mut m2, mut m3) = (vec![0.0; n], vec![0.0; n * n], vec![0.0; n * n], vec![0.0; n * n]);
    macro_rules! once {
        ($name:literal, $kernel:expr) => {
            before();
            $kernel.run();
            after($name);
        };
    }
    once!("fk", Fk { tree, work, q });
    once!("rnea", Rnea { tree, work, q, v, a, tau: &mut x });
    once!("crba", Crba { tree, work, q, M: &mut m1 });
    once!("aba", Aba { tree, work, q, v, tau, a: &mut x });
    once!("minverse", Minverse { tree, work, q, inverse: &mut m1 });
    once!("crba_cholesky_fd", Forward { tree, work, q, v, tau, a: &mut x });
    once!("gah matrix", gibbs_appell::Hessian { tree, work, q, D: &mut m1 });
    once!("gah bias", gibbs_appell::Bias { tree, work, q, v, tau: &mut x });
    once!("gah", gibbs_appell::Forward { tree, work, q, v, tau, a: &mut x });
    once!("lagrange", Lagrange { tree, work, q, v, A: &mut m1, C: &mut x });
    once!("rnea_derivatives", RneaDerivatives { tree, work, q, v, a, dq: &mut m1, dv: &mut m2, da: &mut m3 });
    once!("aba_derivatives", AbaDerivatives { tree, work, q, v, tau, dq: &mut m1, dv: &mut m2, dtau: &mut m3 });
}
