//! Derivatives of tree dynamics by inertial and geometric parameters, against models in which the parameter is another.
#![allow(non_snake_case)]

mod common;

use biela::math::{Inertia, Pose, Rotation, Vec3};
use biela::model::{MassProperties, Model};
use biela::tree::parameters::{accelerations, forward_rows, inertial, rnea_by_geometric, rnea_by_inertial};
use biela::tree::{rnea, Tree, Workspace};
use common::trees::{random_state, random_tree, KINDS};
use common::Stream;

/// Central differences with a step of 1e-5 over sums of some tens of bodies, relative to the largest entry.
const DIFFERENCES: f64 = 1e-7;

fn torques(model: &Model, q: &[f64], v: &[f64], a: &[f64]) -> Vec<f64> {
    let tree = Tree::new(model).expect("a tree");
    let mut tau = vec![0.0; tree.nv];
    rnea::rnea(&tree, &mut Workspace::new(&tree), q, v, a, &mut tau);
    tau
}

fn motion(model: &Model, q: &[f64], v: &[f64], tau: &[f64]) -> Vec<f64> {
    let tree = Tree::new(model).expect("a tree");
    accelerations(&tree, &mut Workspace::new(&tree), q, v, tau)
}

fn close(what: &str, found: &[f64], plus: &[f64], minus: &[f64], step: f64) {
    let slope: Vec<f64> = plus.iter().zip(minus).map(|(a, b)| (a - b) / (2.0 * step)).collect();
    // Rounding of the values differenced counts too.
    let size = plus.iter().chain(found).fold(1.0_f64, |m, x| m.max(x.abs()));
    let worst = found.iter().zip(&slope).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs())) / size;
    assert!(worst < DIFFERENCES, "{what}: {worst:e}");
}

/// Mass properties with those inertial parameters.
fn of_inertial(x: [f64; 10]) -> MassProperties {
    let [m, hx, hy, hz, xx, yy, zz, xy, xz, yz] = x;
    let c = Vec3::new(hx, hy, hz) * (1.0 / m);
    let inertia = Inertia::from_entries([
        xx - m * (c.y * c.y + c.z * c.z),
        yy - m * (c.x * c.x + c.z * c.z),
        zz - m * (c.x * c.x + c.y * c.y),
        xy + m * c.x * c.y,
        xz + m * c.x * c.z,
        yz + m * c.y * c.z,
    ]);
    MassProperties { mass: m, com: c, inertia }
}

#[test]
fn derivatives_by_parameters_agree_with_differences() {
    let step = 1e-5;
    for seed in 0..12 {
        let model = random_tree(seed, 3 + seed as usize % 5, &KINDS, 2);
        let tree = Tree::new(&model).expect("a tree");
        let n = tree.nv;
        if n == 0 {
            continue;
        }
        let mut ws = Workspace::new(&tree);
        let [q, v, a, tau] = random_state(&tree, &mut Stream(seed ^ 0x55));
        let found = accelerations(&tree, &mut ws, &q, &v, &tau);
        for body in 1..model.bodies.len() {
            let rows = rnea_by_inertial(&tree, body, &q, &v, &a);
            let forward = forward_rows(&tree, &mut ws, &q, &rnea_by_inertial(&tree, body, &q, &v, &found));
            for k in 0..10 {
                let with = |sign: f64| {
                    let mut other = model.clone();
                    let mut x = inertial(&model.bodies[body].mass.expect("mass"));
                    x[k] += sign * step;
                    other.change_mechanism(|m| m.bodies[body].mass = Some(of_inertial(x)));
                    other
                };
                let (plus, minus) = (with(1.0), with(-1.0));
                let what = format!("tree {seed}, body {body}, parameter {k}");
                let (a1, a2) = (torques(&plus, &q, &v, &a), torques(&minus, &q, &v, &a));
                close(&what, &rows[k * n..(k + 1) * n], &a1, &a2, step);
                let (a1, a2) = (motion(&plus, &q, &v, &tau), motion(&minus, &q, &v, &tau));
                close(&format!("{what}, forward"), &forward[k * n..(k + 1) * n], &a1, &a2, step);
            }
        }
        for joint in 0..model.joints.len() {
            let rows = rnea_by_geometric(&model, &tree, joint, &q, &v, &a).expect("rows");
            let at = rnea_by_geometric(&model, &tree, joint, &q, &v, &found).expect("rows");
            let forward = forward_rows(&tree, &mut ws, &q, &at);
            // The body with the smaller number carries: random trees are made so.
            let near = usize::from(model.joints[joint].bodies[1] < model.joints[joint].bodies[0]);
            for k in 0..6 {
                let with = |sign: f64| {
                    let mut other = model.clone();
                    let axis = [Vec3::X, Vec3::Y, Vec3::Z][k % 3];
                    let moved = match k {
                        0..3 => Pose::new(Rotation::IDENTITY, axis * (sign * step)),
                        _ => Pose::new(Rotation::about(axis, sign * step), Vec3::ZERO),
                    };
                    other.change_mechanism(|m| {
                        let frame = &mut m.joints[joint].frames[near];
                        *frame = *frame * moved;
                    });
                    other
                };
                let (plus, minus) = (with(1.0), with(-1.0));
                let what = format!("tree {seed}, joint {joint}, displacement {k}");
                let (a1, a2) = (torques(&plus, &q, &v, &a), torques(&minus, &q, &v, &a));
                close(&what, &rows[k * n..(k + 1) * n], &a1, &a2, step);
                let (a1, a2) = (motion(&plus, &q, &v, &tau), motion(&minus, &q, &v, &tau));
                close(&format!("{what}, forward"), &forward[k * n..(k + 1) * n], &a1, &a2, step);
            }
        }
    }
}
