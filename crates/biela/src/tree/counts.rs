//! Operation counts of every algorithm for a tree, by running it on numbers that count.

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
use super::{Count, Counted, Tree};

/// Operations of an algorithm, counted in two ways ([`Counted`]).
#[derive(Debug, Clone, Copy)]
pub struct Operations {
    /// The algorithm.
    pub name: &'static str,
    /// Every operation of the general recursion.
    pub general: Count,
    /// Without those that this tree's constants spare.
    pub customised: Count,
}

/// Operations of each algorithm, one evaluation.
pub fn counts(tree: &Tree) -> Vec<Operations> {
    let (n, q) = (tree.nv, tree.neutral());
    let (v, tau) = (vec![0.5; n], vec![1.0; n]);
    let (v, a, q, tau): (&[f64], &[f64], &[f64], &[f64]) = (&v, &v, &q, &tau);
    let mut work = Work::<Counted>::new(tree);
    let work = &mut work;
    let (mut x, mut m1, mut m2, mut m3) = (vec![0.0; n], vec![0.0; n * n], vec![0.0; n * n], vec![0.0; n * n]);
    let mut list = Vec::new();
    macro_rules! count {
        ($name:literal, $kernel:expr) => {
            Count::start();
            $kernel.run();
            let (general, customised) = (Count::read(), Count::read_customised());
            list.push(Operations { name: $name, general, customised });
        };
    }
    count!("fk", Fk { tree, work, q });
    count!("rnea", Rnea { tree, work, q, v, a, tau: &mut x });
    count!("crba", Crba { tree, work, q, M: &mut m1 });
    count!("aba", Aba { tree, work, q, v, tau, a: &mut x });
    count!("minverse", Minverse { tree, work, q, inverse: &mut m1 });
    count!("crba_cholesky_fd", Forward { tree, work, q, v, tau, a: &mut x });
    count!("gah matrix", gibbs_appell::Hessian { tree, work, q, D: &mut m1 });
    count!("gah bias", gibbs_appell::Bias { tree, work, q, v, tau: &mut x });
    count!("gah", gibbs_appell::Forward { tree, work, q, v, tau, a: &mut x });
    count!("lagrange", Lagrange { tree, work, q, v, A: &mut m1, C: &mut x });
    count!("rnea_derivatives", RneaDerivatives { tree, work, q, v, a, dq: &mut m1, dv: &mut m2, da: &mut m3 });
    count!("aba_derivatives", AbaDerivatives { tree, work, q, v, tau, dq: &mut m1, dv: &mut m2, dtau: &mut m3 });
    list
}
