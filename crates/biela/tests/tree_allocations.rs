//! Tree algorithms allocate nothing once the workspace exists, and recursions cost the same for every further node.
#![allow(non_snake_case)]

mod common;
#[path = "common/meter.rs"]
mod meter;

use biela::tree::batch::Batch;
use biela::tree::{aba, counts, crba, derivatives, gibbs_appell, kinematics, lagrange_dh, minverse, rnea};
use biela::tree::{Tree, Workspace};
use common::trees::{random_state, random_tree, KINDS};
use common::Stream;

/// One test: another one running beside it would allocate.
#[test]
fn nothing_is_allocated_and_recursions_are_linear() {
    for kinds in [&["revolute"][..], &KINDS] {
        let model = random_tree(3, 20, kinds, 3);
        let tree = Tree::new(&model).expect("a tree");
        let n = tree.nv;
        let mut ws = Workspace::new(&tree);
        let mut batch = Batch::new(&tree, 8);
        let [q, v, a, tau] = random_state(&tree, &mut Stream(1));
        let (mut x, mut J) = (vec![0.0; n], vec![0.0; 6 * n]);
        let (mut m1, mut m2, mut m3) = (vec![0.0; n * n], vec![0.0; n * n], vec![0.0; n * n]);
        let [pq, pv, pa] = [(&q, tree.nq), (&v, n), (&a, n)].map(|(x, n)| batch.pack(x, n));
        let mut packed = vec![0.0; batch.lanes() * n];
        // Matrices are made by the first call that needs them.
        let mut before = 0;
        for _ in 0..2 {
            before = meter::calls();
            kinematics::fk(&tree, &mut ws, &q);
            kinematics::fk_vel_acc(&tree, &mut ws, &q, &v, &a);
            kinematics::joint_jacobians(&tree, &mut ws, &q, &mut J);
            rnea::rnea(&tree, &mut ws, &q, &v, &a, &mut x);
            crba::crba(&tree, &mut ws, &q, &mut m1);
            aba::aba(&tree, &mut ws, &q, &v, &tau, &mut x);
            minverse::minverse(&tree, &mut ws, &q, &mut m1);
            minverse::forward_by_cholesky(&tree, &mut ws, &q, &v, &tau, &mut x);
            gibbs_appell::forward(&tree, &mut ws, &q, &v, &tau, &mut x);
            lagrange_dh::lagrange(&tree, &mut ws, &q, &v, &mut m1, &mut x);
            derivatives::rnea_derivatives(&tree, &mut ws, [&q, &v, &a], [&mut m1, &mut m2, &mut m3]);
            derivatives::aba_derivatives(&tree, &mut ws, [&q, &v, &tau], [&mut m1, &mut m2, &mut m3]);
            batch.rnea(&tree, &pq, &pv, &pa, &mut packed);
        }
        assert_eq!(meter::calls() - before, 0, "an algorithm allocates");
    }
    // Operations of chains of 5, 25 and 45 links: every twenty more cost the same.
    let of = |bodies: usize, name: &str| {
        let tree = Tree::new(&random_tree(9, bodies, &["revolute"], 1)).expect("a chain");
        let found = counts::counts(&tree).into_iter().find(|c| c.name == name).expect("a count");
        found.general.multiplications + found.general.additions
    };
    for name in ["rnea", "aba", "fk", "gah bias"] {
        let [a, b, c] = [5, 25, 45].map(|n| of(n, name));
        assert_eq!(b - a, c - b, "{name}");
    }
}
