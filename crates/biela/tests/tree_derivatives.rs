//! Partial derivatives of inverse and forward dynamics against central differences.
#![allow(non_snake_case)]

mod common;

use biela::model::Model;
use biela::tree::algorithms::CRBA;
use biela::tree::rotors::Coupled;
use biela::tree::{aba, derivatives, kinematics, rnea, Tree, Workspace};
use common::trees::{random_state, random_tree, random_tree_either_way, KINDS};
use common::{parse, Stream};

/// Step of the differences, and what truncation and rounding leave of them relative to the largest entry.
const STEP: f64 = 1e-5;
const LEFT: f64 = 3e-7;

/// Column k of the central difference of `f`, which takes a displacement along velocity `k`.
fn differences(n: usize, mut f: impl FnMut(&[f64], &mut [f64])) -> Vec<f64> {
    let mut D = vec![0.0; n * n];
    let (mut up, mut down, mut dv) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    for k in 0..n {
        dv[k] = STEP;
        f(&dv, &mut up);
        dv[k] = -STEP;
        f(&dv, &mut down);
        dv[k] = 0.0;
        for i in 0..n {
            D[i * n + k] = (up[i] - down[i]) / (2.0 * STEP);
        }
    }
    D
}

fn compare(what: &str, seed: u64, exact: &[f64], found: &[f64]) {
    // Trees of unit masses and lengths have entries of order one, unless all of them vanish.
    let size = exact.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    let worst = exact.iter().zip(found).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs())) / size;
    assert!(worst < LEFT, "{what} of tree {seed}: {worst:e}");
}

fn plus(x: &[f64], dv: &[f64]) -> Vec<f64> {
    x.iter().zip(dv).map(|(x, d)| x + d).collect()
}

#[test]
fn derivatives_agree_with_differences() {
    for seed in 0..150u64 {
        let kinds: &[&str] = if seed % 3 == 0 { &["revolute"] } else { &KINDS };
        let model = random_tree(seed, 2 + seed as usize % 9, kinds, 3);
        let tree = Tree::new(&model).expect("a tree");
        let n = tree.nv;
        if n == 0 {
            continue;
        }
        let mut ws = Workspace::new(&tree);
        let [q, v, a, tau] = random_state(&tree, &mut Stream(seed ^ 77));
        let (mut dq, mut dv, mut da) = (vec![0.0; n * n], vec![0.0; n * n], vec![0.0; n * n]);
        let moved = |d: &[f64]| {
            let mut q = q.clone();
            tree.step(&mut q, d);
            q
        };
        derivatives::rnea_derivatives(&tree, &mut ws, [&q, &v, &a], [&mut dq, &mut dv, &mut da]);
        let by_q = differences(n, |d, out| rnea::rnea(&tree, &mut ws, &moved(d), &v, &a, out));
        compare("∂τ/∂q", seed, &dq, &by_q);
        let by_v = differences(n, |d, out| rnea::rnea(&tree, &mut ws, &q, &plus(&v, d), &a, out));
        compare("∂τ/∂v", seed, &dv, &by_v);
        let by_a = differences(n, |d, out| rnea::rnea(&tree, &mut ws, &q, &v, &plus(&a, d), out));
        compare("∂τ/∂a", seed, &da, &by_a);

        derivatives::aba_derivatives(&tree, &mut ws, [&q, &v, &tau], [&mut dq, &mut dv, &mut da]);
        let by_q = differences(n, |d, out| aba::aba(&tree, &mut ws, &moved(d), &v, &tau, out));
        compare("∂a/∂q", seed, &dq, &by_q);
        let by_v = differences(n, |d, out| aba::aba(&tree, &mut ws, &q, &plus(&v, d), &tau, out));
        compare("∂a/∂v", seed, &dv, &by_v);
        let by_tau = differences(n, |d, out| aba::aba(&tree, &mut ws, &q, &v, &plus(&tau, d), out));
        compare("∂a/∂τ", seed, &da, &by_tau);
    }
}

#[test]
fn jacobians_and_their_rates_agree_with_differences() {
    for seed in 0..60u64 {
        let model = random_tree(seed, 3 + seed as usize % 9, &KINDS, 2);
        let tree = Tree::new(&model).expect("a tree");
        let n = tree.nv;
        let mut ws = Workspace::new(&tree);
        let mut s = Stream(seed ^ 5);
        let [q, v, ..] = random_state(&tree, &mut s);
        let (body, p) = (model.bodies.len() - 1, s.vector());
        let (mut J, mut rate, mut J1, mut J2) =
            (vec![0.0; 6 * n], vec![0.0; 6 * n], vec![0.0; 6 * n], vec![0.0; 6 * n]);
        let step = |h: f64| {
            let mut q = q.clone();
            tree.step(&mut q, &v.iter().map(|v| h * v).collect::<Vec<f64>>());
            q
        };
        kinematics::body_jacobian(&tree, &mut ws, &q, body, p, &mut J);
        kinematics::body_jacobian_rate(&tree, &mut ws, &q, &v, body, p, &mut rate);
        kinematics::body_jacobian(&tree, &mut ws, &step(STEP), body, p, &mut J1);
        kinematics::body_jacobian(&tree, &mut ws, &step(-STEP), body, p, &mut J2);
        let by_time: Vec<f64> = J1.iter().zip(&J2).map(|(a, b)| (a - b) / (2.0 * STEP)).collect();
        if n > 0 {
            compare("rate of the Jacobian", seed, &rate, &by_time);
        }
        kinematics::fk(&tree, &mut ws, &step(STEP));
        let after = kinematics::body_pose(&tree, &ws, body).apply(p);
        kinematics::fk(&tree, &mut ws, &step(-STEP));
        let before = kinematics::body_pose(&tree, &ws, body).apply(p);
        let velocity = ((after - before) * (0.5 / STEP)).to_array();
        for row in 0..3 {
            let by_J: f64 = (0..n).map(|k| J[row * n + k] * v[k]).sum();
            assert!((by_J - velocity[row]).abs() < LEFT * (1.0 + by_J.abs()), "tree {seed}");
        }
    }
}

/// Derivatives of a model in its own coordinates against differences of its own dynamics.
fn check_coupled(model: &Model, seed: u64) {
    let coupled = Coupled::new(model).expect("a tree");
    let (n, nq, tree) = (coupled.nv, coupled.nq, &coupled.extended);
    let mut w = coupled.workspace();
    let [q, v, a, tau] = random_state(tree, &mut Stream(seed ^ 0x5eed));
    let (q, v, a, tau) = (&q[..nq], &v[..n], &a[..n], &tau[..n]);
    let moved = |d: &[f64]| {
        let (mut q, mut d) = (q.to_vec(), d.to_vec());
        q.resize(tree.nq, 0.0);
        d.resize(tree.nv, 0.0);
        tree.step(&mut q, &d);
        q.truncate(nq);
        q
    };
    let (mut dq, mut dv, mut da) = (vec![0.0; n * n], vec![0.0; n * n], vec![0.0; n * n]);
    coupled.rnea_derivatives(&mut w, [q, v, a], [&mut dq, &mut dv, &mut da]);
    compare("∂τ/∂q", seed, &dq, &differences(n, |d, out| coupled.rnea(&mut w, &moved(d), v, a, out)));
    compare("∂τ/∂v", seed, &dv, &differences(n, |d, out| coupled.rnea(&mut w, q, &plus(v, d), a, out)));
    compare("∂τ/∂a", seed, &da, &differences(n, |d, out| coupled.rnea(&mut w, q, v, &plus(a, d), out)));
    coupled.aba_derivatives(&mut w, [q, v, tau], [&mut dq, &mut dv, &mut da]).expect("derivatives");
    let (mut M, mut bias) = (vec![0.0; n * n], vec![0.0; n]);
    let mut forward = |q: &[f64], v: &[f64], tau: &[f64], out: &mut [f64]| {
        coupled.forward(&CRBA, &mut w, q, v, tau, &mut M, &mut bias, out).expect("accelerations");
    };
    compare("∂a/∂q", seed, &dq, &differences(n, |d, out| forward(&moved(d), v, tau, out)));
    compare("∂a/∂v", seed, &dv, &differences(n, |d, out| forward(q, &plus(v, d), tau, out)));
    compare("∂a/∂τ", seed, &da, &differences(n, |d, out| forward(q, v, &plus(tau, d), out)));
}

#[test]
fn derivatives_of_joints_written_outer_body_first_agree_with_differences() {
    let mut swapped = 0;
    for seed in 0..60 {
        let model = random_tree_either_way(seed, 3 + seed as usize % 6, &["spherical", "free", "revolute"], 2);
        swapped += usize::from(Coupled::new(&model).expect("a tree").first_swapped().is_some());
        check_coupled(&model, seed);
    }
    assert!(swapped > 20, "only {swapped} trees have such a joint");
}

/// An arm with a ball joint written outer body first and two rotors, whose angles are no linear functions and depend on two
/// joints each.
const GEARED: &str = r#"
    gravity = [0.3, -0.4, -9.81]
    [bodies.base]
    mass = 2
    com = [0.1, 0.2, 0.3]
    inertia = [0.2, 0.3, 0.4]
    [bodies.arm]
    mass = 1.5
    com = [0.4, 0.1, 0]
    inertia = [0.02, 0.2, 0.21]
    pose = { at = [0, 0, 0.5] }
    [bodies.ball]
    mass = 0.8
    com = [0, 0.1, 0.2]
    inertia = [0.05, 0.06, 0.04]
    pose = { at = [1, 0, 0.5] }
    [joints.turn]
    type = "revolute"
    bodies = ["ground", "base"]
    at = [0, 0, 0]
    axis = [0, 0.2, 1]
    [joints.elbow]
    type = "revolute"
    bodies = ["base", "arm"]
    at = [0, 0, 0.5]
    axis = [0, 1, 0.1]
    [joints.wrist]
    type = "spherical"
    bodies = ["ball", "arm"]
    at = [1, 0, 0.5]
    [rotors.first]
    body = "base"
    axis = [1, 2, 3]
    at = [0.1, 0, 0.2]
    mass = 0.3
    com = [0.02, 0.01, 0]
    inertia = [0.002, 0.003, 0.004]
    angle = "5*elbow.angle + 0.5*sin(turn.angle)*elbow.angle^2"
    [rotors.second]
    body = "arm"
    axis = [1, 0, 0.5]
    at = [0.3, 0, 0.1]
    mass = 0.2
    com = [0, 0.01, 0.02]
    inertia = [0.001, 0.002, 0.0015]
    angle = "exp(0.3*turn.angle)*cos(elbow.angle) - 7*turn.angle"
"#;

#[test]
fn derivatives_with_rotors_agree_with_differences() {
    let model = parse(GEARED);
    assert!(!Coupled::new(&model).expect("a tree").is_plain());
    for seed in 0..20 {
        check_coupled(&model, seed);
    }
}
