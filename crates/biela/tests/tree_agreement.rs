//! Every tree algorithm against every other on random trees, and against the joints' own description by hinges.
#![allow(non_snake_case)]

mod common;

use biela::tree::batch::Batch;
use biela::tree::{aba, crba, derivatives, energy, gibbs_appell, lagrange_dh, minverse, rnea, Level, Tree, Workspace};
use common::record::{held, OTHER};
use common::trees::{plain_inverse_dynamics, random_state, random_tree, KINDS};
use common::{difference, Stream};

/// Rounding of sums over up to 60 bodies, relative to the largest entry.
const AGREEMENT: f64 = 1e-9;

struct Worst(Vec<(&'static str, f64)>);

impl Worst {
    fn note(&mut self, what: &'static str, found: f64, seed: u64) {
        held(OTHER, what, AGREEMENT, found, format_args!("tree {seed}"));
        match self.0.iter_mut().find(|w| w.0 == what) {
            Some(worst) => worst.1 = worst.1.max(found),
            None => self.0.push((what, found)),
        }
    }
}

#[test]
fn all_algorithms_agree_on_1000_random_trees() {
    let mut worst = Worst(Vec::new());
    for seed in 0..1000u64 {
        let size = 3 + (seed as usize * 7) % 58;
        // Every third tree has turning joints alone and takes the paths made for them.
        let kinds: &[&str] = if seed % 3 == 0 { &["revolute"] } else { &KINDS };
        let reach = [1, 3, 60][seed as usize % 3];
        let model = random_tree(seed, size, kinds, reach);
        let mut tree = Tree::new(&model).expect("a tree");
        if seed % 5 == 0 {
            tree.level = Level::Portable;
        }
        let n = tree.nv;
        if n == 0 {
            continue;
        }
        let mut ws = Workspace::new(&tree);
        let [q, v, a, force] = random_state(&tree, &mut Stream(seed ^ 0xABCD));
        let (mut tau, mut x, mut y) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        let (mut M, mut D, mut A) = (vec![0.0; n * n], vec![0.0; n * n], vec![0.0; n * n]);

        rnea::rnea(&tree, &mut ws, &q, &v, &a, &mut tau);
        worst.note("rnea and hinges", difference(&tau, &plain_inverse_dynamics(&model, &tree, &q, &v, &a)), seed);
        aba::aba(&tree, &mut ws, &q, &v, &tau, &mut x);
        let exact = condition_free(&x, &a, &tau, |x, tau| rnea::rnea(&tree, &mut ws, &q, &v, x, tau));
        worst.note("rnea of aba", exact, seed);
        aba::aba(&tree, &mut ws, &q, &v, &force, &mut x);
        rnea::rnea(&tree, &mut ws, &q, &v, &x, &mut y);
        worst.note("rnea of aba, any force", difference_to(&y, &force, &x), seed);
        minverse::forward_by_cholesky(&tree, &mut ws, &q, &v, &force, &mut y);
        worst.note("cholesky and aba", difference(&x, &y), seed);
        gibbs_appell::forward(&tree, &mut ws, &q, &v, &force, &mut y);
        worst.note("gah and aba", difference(&x, &y), seed);

        crba::crba(&tree, &mut ws, &q, &mut M);
        gibbs_appell::hessian(&tree, &mut ws, &q, &mut D);
        worst.note("gah and crba", difference(&M, &D), seed);
        rnea::bias(&tree, &mut ws, &q, &v, &mut x);
        gibbs_appell::bias(&tree, &mut ws, &q, &v, &mut y);
        worst.note("gah bias and rnea", difference(&x, &y), seed);
        let by_matrix: Vec<f64> = (0..n).map(|i| x[i] + (0..n).map(|j| M[i * n + j] * a[j]).sum::<f64>()).collect();
        worst.note("crba and rnea", difference(&tau, &by_matrix), seed);
        if n <= 60 {
            lagrange_dh::lagrange(&tree, &mut ws, &q, &v, &mut A, &mut y);
            worst.note("lagrange A and crba", difference(&M, &A), seed);
            worst.note("lagrange C and rnea", difference(&x, &y), seed);
        }
        minverse::minverse(&tree, &mut ws, &q, &mut D);
        let product: Vec<f64> = (0..n * n)
            .map(|k| (0..n).map(|j| M[k / n * n + j] * D[j * n + k % n]).sum::<f64>() - f64::from(k / n == k % n))
            .collect();
        let size = norm(&M) * norm(&D);
        worst.note("M times its inverse", product.iter().fold(0.0_f64, |m, x| m.max(x.abs())) / size, seed);
        let totals = energy::totals(&tree, &mut ws, &q, &v);
        let by_matrix = 0.5 * (0..n * n).map(|k| v[k / n] * M[k] * v[k % n]).sum::<f64>();
        worst.note("kinetic energy", (totals.kinetic - by_matrix).abs() / by_matrix, seed);
    }
    for (what, found) in worst.0 {
        println!("{what:<26} {found:.1e}");
    }
}

fn norm(M: &[f64]) -> f64 {
    M.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// τ of the accelerations found against τ given: the accelerations themselves suffer from an ill-conditioned M.
fn condition_free(found: &[f64], wanted: &[f64], tau: &[f64], mut inverse: impl FnMut(&[f64], &mut [f64])) -> f64 {
    let mut back = vec![0.0; tau.len()];
    inverse(found, &mut back);
    let _ = wanted;
    difference(&back, tau)
}

/// Forces come back as differences of larger ones that belong to the accelerations `a`.
fn difference_to(found: &[f64], force: &[f64], a: &[f64]) -> f64 {
    let scale = a.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    found.iter().zip(force).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs())) / scale
}

#[test]
fn batches_equal_single_states() {
    for seed in 0..60u64 {
        let kinds: &[&str] = if seed % 2 == 0 { &["revolute"] } else { &KINDS };
        let model = random_tree(seed, 3 + seed as usize % 20, kinds, 3);
        let tree = Tree::new(&model).expect("a tree");
        let n = tree.nv;
        if n == 0 {
            continue;
        }
        let mut ws = Workspace::new(&tree);
        let mut s = Stream(seed);
        let states: Vec<[Vec<f64>; 4]> = (0..11).map(|_| random_state(&tree, &mut s)).collect();
        for most in [1, 4, 8] {
            let mut batch = Batch::new(&tree, most);
            let join = |k: usize| states.iter().flat_map(|s| s[k].clone()).collect::<Vec<f64>>();
            let (q, v) = (batch.pack(&join(0), tree.nq), batch.pack(&join(1), n));
            let (a, f) = (batch.pack(&join(2), n), batch.pack(&join(3), n));
            let blocks = states.len().div_ceil(batch.lanes()) * batch.lanes();
            let (mut tau, mut acc, mut M) = (vec![0.0; blocks * n], vec![0.0; blocks * n], vec![0.0; blocks * n * n]);
            batch.rnea(&tree, &q, &v, &a, &mut tau);
            let mut by_rows = vec![0.0; states.len() * n];
            batch.rnea_rows(&tree, &join(0), &join(1), &join(2), &mut by_rows);
            batch.aba(&tree, &q, &v, &f, &mut acc);
            batch.crba(&tree, &q, &mut M);
            let [mut L, mut by_q, mut by_v, mut by_force] = [(); 4].map(|()| vec![0.0; blocks * n * n]);
            batch.crba_lower(&tree, &q, &mut L);
            batch.aba_derivatives(&tree, [&q, &v, &f], [&mut by_q, &mut by_v, &mut by_force]);
            for (k, state) in states.iter().enumerate() {
                let (mut x, mut y) = (vec![0.0; n], vec![0.0; n]);
                rnea::rnea(&tree, &mut ws, &state[0], &state[1], &state[2], &mut x);
                batch.state(&tau, n, k, &mut y);
                assert!(difference(&x, &y) < AGREEMENT);
                assert_eq!(y, by_rows[k * n..(k + 1) * n], "rows are packed as blocks are");
                aba::aba(&tree, &mut ws, &state[0], &state[1], &state[3], &mut x);
                batch.state(&acc, n, k, &mut y);
                assert!(difference(&x, &y) < AGREEMENT);
                let (mut x, mut y) = (vec![0.0; n * n], vec![0.0; n * n]);
                crba::crba(&tree, &mut ws, &state[0], &mut x);
                batch.state(&M, n * n, k, &mut y);
                assert!(difference(&x, &y) < AGREEMENT);
                let lower = |m: &[f64]| (0..n * n).filter(|e| e % n <= e / n).map(|e| m[e]).collect::<Vec<f64>>();
                batch.state(&L, n * n, k, &mut y);
                assert!(difference(&lower(&x), &lower(&y)) < AGREEMENT);
                y.fill(0.0);
                crba::crba_lower(&tree, &mut ws, &state[0], &mut y);
                assert!(difference(&lower(&x), &lower(&y)) < AGREEMENT);
                let [mut dq, mut dv, mut dtau] = [(); 3].map(|()| vec![0.0; n * n]);
                let given = [&state[0][..], &state[1], &state[3]];
                derivatives::aba_derivatives(&tree, &mut ws, given, [&mut dq, &mut dv, &mut dtau]);
                for (single, all) in [(&dq, &by_q), (&dv, &by_v), (&dtau, &by_force)] {
                    batch.state(all, n * n, k, &mut y);
                    assert!(difference(single, &y) < AGREEMENT);
                }
            }
        }
    }
}
