//! Energies, momentum, centre of mass and generalised gravity of a tree.

#![allow(non_snake_case)]

use super::kinematics::{body_pose, fk, frame, node_pose, vec3};
use super::rnea::bias;
use super::workspace::Workspace;
use super::{kinematics, Tree};
use biela_math::Vec3;

/// Energies and momenta of all bodies.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Totals {
    /// Kinetic energy.
    pub kinetic: f64,
    /// Potential energy −Σ m g·r, zero at the ground's origin.
    pub potential: f64,
    /// Mass of all moving bodies.
    pub mass: f64,
    /// Centre of mass in ground axes.
    pub com: Vec3,
    /// Velocity of the centre of mass.
    pub com_velocity: Vec3,
    /// Linear momentum.
    pub momentum: Vec3,
    /// Angular momentum about the centre of mass.
    pub angular_momentum: Vec3,
}

/// Energies, centre of mass and centroidal momentum.
pub fn totals(tree: &Tree, workspace: &mut Workspace, q: &[f64], v: &[f64]) -> Totals {
    kinematics::fk_vel_acc(tree, workspace, q, v, &[]);
    let mut total = Totals::default();
    let (mut first, mut about_origin) = (Vec3::ZERO, Vec3::ZERO);
    for (i, node) in tree.nodes.iter().enumerate() {
        let f = frame(workspace, i);
        let X = node_pose(workspace, i);
        let (w, v, h) = (vec3(f.w), vec3(f.v), Vec3::from(node.h));
        let (n, p) = (node.I.apply(w) + h.cross(v), v * node.m + w.cross(h));
        total.kinetic += 0.5 * (n.dot(w) + p.dot(v));
        let (n, p) = (X.rotation.apply(n), X.rotation.apply(p));
        total.mass += node.m;
        total.momentum += p;
        about_origin += n + X.origin.cross(p);
        first += X.rotation.apply(h) + X.origin * node.m;
    }
    total.potential = -first.dot(tree.gravity);
    if total.mass > 0.0 {
        total.com = first * (1.0 / total.mass);
        total.com_velocity = total.momentum * (1.0 / total.mass);
    }
    total.angular_momentum = about_origin - total.com.cross(total.momentum);
    total
}

/// Generalised gravity: the forces that hold the tree at rest.
pub fn gravity(tree: &Tree, workspace: &mut Workspace, q: &[f64], tau: &mut [f64]) {
    bias(tree, workspace, q, &[], tau);
}

/// Jacobian of the centre of mass, 3 × nv row by row; zero where nothing has mass.
pub fn com_jacobian(tree: &Tree, workspace: &mut Workspace, q: &[f64], J: &mut [f64]) {
    fk(tree, workspace, q);
    J[..3 * tree.nv].fill(0.0);
    let mass: f64 = tree.nodes.iter().map(|node| node.m).sum();
    if mass <= 0.0 {
        return;
    }
    for (body, b) in tree.bodies.iter().enumerate() {
        let m = b.mass.mass / mass;
        if m == 0.0 {
            continue;
        }
        let point = body_pose(tree, workspace, body).apply(b.mass.com);
        let mut i = b.node;
        while let Some(node) = tree.nodes.get(i) {
            let X = node_pose(workspace, i);
            let z = X.rotation.axes[2];
            let lin = z * node.lead + z.cross(point - X.origin) * node.turn;
            for (row, x) in lin.to_array().into_iter().enumerate() {
                J[row * tree.nv + node.v] += m * x;
            }
            i = node.parent;
        }
    }
}
