//! Inverse dynamics as a linear map of the inertial parameters: τ = Y(q, v, v̇) π.
//!
//! π lists ten parameters of each moving body, [`INERTIAL`]: mass m, first moments h = m c and inertia J about the body's origin, in body
//! axes. With the body's ω, α and a, the acceleration of its origin less gravity, the force on it is m a + α × h + ω × (ω × h) and its
//! moment about the origin J α + ω × J ω + h × a: linear in each. A column of Y is the load of one parameter on every axis between the body
//! and the ground.

#![allow(non_snake_case)]

use super::kinematics::{body_motion, body_pose, fk_vel_acc, frame, vec3};
use super::parameters::INERTIAL;
use super::{Tree, Workspace, ROOT};
use biela_math::{Inertia, Vec3};

/// Parameters of a body.
pub const PER_BODY: usize = INERTIAL.len();

/// Y at q, v, v̇, nv × 10 (bodies − 1), row by row: bodies in the order of the tree's, without the ground. Empty slices are zero.
pub fn regressor(tree: &Tree, workspace: &mut Workspace, q: &[f64], v: &[f64], a: &[f64], Y: &mut [f64]) {
    fk_vel_acc(tree, workspace, q, v, a);
    let width = PER_BODY * tree.bodies.len().saturating_sub(1);
    Y[..tree.nv * width].fill(0.0);
    for (b, body) in tree.bodies.iter().enumerate().skip(1) {
        if body.node == ROOT {
            continue;
        }
        let X_WB = body_pose(tree, workspace, b);
        let [w, v_B, al, a_B] = body_motion(tree, workspace, b);
        let acc = a_B + w.cross(v_B) - X_WB.rotation.apply_transposed(tree.gravity);
        let loads: [(Vec3, Vec3); PER_BODY] = std::array::from_fn(|k| {
            let (n, f) = load(k, w, al, acc);
            let (n, f) = (X_WB.rotation.apply(n), X_WB.rotation.apply(f));
            (n + X_WB.origin.cross(f), f)
        });
        let mut i = body.node;
        while let Some(node) = tree.nodes.get(i) {
            let axis = frame(workspace, i);
            let (z, o) = (vec3(axis.R.c), vec3(axis.p));
            let (ang, lin) = (z * node.turn, z * node.lead + o.cross(z) * node.turn);
            let at = node.v * width + PER_BODY * (b - 1);
            for (y, (n, f)) in Y[at..at + PER_BODY].iter_mut().zip(&loads) {
                *y = ang.dot(*n) + lin.dot(*f);
            }
            i = node.parent;
        }
    }
}

/// Moment and force of a unit of parameter k, in body axes about the body's origin.
fn load(k: usize, w: Vec3, al: Vec3, acc: Vec3) -> (Vec3, Vec3) {
    match k {
        0 => (Vec3::ZERO, acc),
        1..=3 => {
            let h = [Vec3::X, Vec3::Y, Vec3::Z][k - 1];
            (h.cross(acc), al.cross(h) + w.cross(w.cross(h)))
        }
        _ => {
            let mut x = [0.0; 6];
            x[k - 4] = 1.0;
            let [xx, yy, zz, xy, xz, yz] = x;
            let J = Inertia { xx, yy, zz, xy, xz, yz };
            (J.apply(al) + w.cross(J.apply(w)), Vec3::ZERO)
        }
    }
}
