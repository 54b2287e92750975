//! Exact derivatives of inverse and forward dynamics by the parameters of a tree: inertial ones of bodies, geometric ones of
//! joints.
//!
//! τ is linear in mass, first moments and inertias about the origin of each body, so a column of ∂τ/∂π is the τ of a tree in
//! which that one parameter is 1 and all others are 0. A small displacement of a joint's frame on the body that carries it
//! is the motion of a joint at rest put there; so those columns are columns of ∂τ/∂q of the tree with six such joints in
//! series (exact, [`super::derivatives`]). Forward dynamics: ∂v̇/∂π = −M⁻¹ ∂τ/∂π at the accelerations found.

#![allow(non_snake_case)]

use super::aba::aba;
use super::derivatives::rnea_derivatives;
use super::minverse::minverse;
use super::rnea::rnea;
use super::{Tree, Workspace, ROOT};
use crate::error::{Error, Result};
use crate::joints::{self, Joint};
use crate::math::{Pose, Rotation, Vec3};
use crate::model::graph::Forest;
use crate::model::{Body, MassProperties, Model};

/// Inertial parameters of a body, in the order of the derivatives: mass, first moments m·c, then the inertia about the
/// origin of the body's frame (entries of the matrix), all in body axes.
pub const INERTIAL: [&str; 10] = ["m", "mx", "my", "mz", "xx", "yy", "zz", "xy", "xz", "yz"];

/// Geometric parameters of a joint: displacements of its frame on the body that carries it along and about its own axes (m, rad).
pub const GEOMETRIC: [&str; 6] = ["x", "y", "z", "rx", "ry", "rz"];

/// ∂τ/∂π of inverse dynamics at q, v, a by the ten inertial parameters of a body, ten rows of nv.
pub fn rnea_by_inertial(tree: &Tree, body: usize, q: &[f64], v: &[f64], a: &[f64]) -> Vec<f64> {
    let n = tree.nv;
    let mut rows = vec![0.0; 10 * n];
    let (node, X_KB) = (tree.bodies[body].node, tree.bodies[body].X_KB);
    if node == ROOT {
        return rows;
    }
    let mut alone = tree.clone();
    for node in &mut alone.nodes {
        (node.m, node.h, node.I) = (0.0, [0.0; 3], [0.0; 6]);
    }
    let mut ws = Workspace::new(tree);
    for (k, row) in rows.chunks_mut(n).enumerate() {
        let (m, h, I) = unit(k, &X_KB);
        let carrier = &mut alone.nodes[node];
        (carrier.m, carrier.h, carrier.I) = (m, h, I);
        rnea(&alone, &mut ws, q, v, a, row);
    }
    rows
}

/// Mass, first moment and inertia about K's origin (xx, xy, xz, yy, yz, zz) of a unit of parameter k of a body at X_KB.
fn unit(k: usize, X_KB: &Pose) -> (f64, [f64; 3], [f64; 6]) {
    let mut x = [0.0; 10];
    x[k] = 1.0;
    let [m, hx, hy, hz, xx, yy, zz, xy, xz, yz] = x;
    let (R, p) = (&X_KB.rotation, X_KB.origin);
    let h = R.apply(Vec3::new(hx, hy, hz));
    let columns = [Vec3::new(xx, xy, xz), Vec3::new(xy, yy, yz), Vec3::new(xz, yz, zz)];
    // About K's origin: R I Rᵀ v − p × (h × v) − h × (p × v) − m p × (p × v).
    let times = |v: Vec3| {
        let l = R.apply_transposed(v);
        let turned = R.apply(columns[0] * l.x + columns[1] * l.y + columns[2] * l.z);
        turned - p.cross(h.cross(v)) - h.cross(p.cross(v)) - p.cross(p.cross(v)) * m
    };
    let [a, b, c] = [times(Vec3::X), times(Vec3::Y), times(Vec3::Z)];
    (m, (h + p * m).to_array(), [a.x, a.y, a.z, b.y, b.z, c.z])
}

/// ∂τ/∂π of inverse dynamics at q, v, a by the six geometric parameters of a joint of the model (fixed ones too), six rows of
/// nv.
pub fn rnea_by_geometric(
    model: &Model,
    tree: &Tree,
    joint: usize,
    q: &[f64],
    v: &[f64],
    a: &[f64],
) -> Result<Vec<f64>> {
    let (n, more) = (tree.nv, Tree::new(&displaceable(model, joint)?)?);
    let e = more.nv;
    // Where the joints' own coordinates lie now: positions, velocities.
    let (mut positions, mut velocities) = (vec![0; tree.nq], vec![0; n]);
    for own in &tree.joints {
        let Some(now) =
            more.joints.iter().find(|j| j.joint == own.joint && (own.joint.is_some() || j.body == own.body))
        else {
            continue;
        };
        positions[own.q..].iter_mut().take(own.q_names.len().max(1)).enumerate().for_each(|(k, p)| *p = now.q + k);
        velocities[own.v..].iter_mut().take(own.v_names.len().max(1)).enumerate().for_each(|(k, p)| *p = now.v + k);
    }
    let placed = |x: &[f64], places: &[usize], size: usize| {
        let mut all = vec![0.0; size];
        places.iter().zip(x).for_each(|(place, x)| all[*place] = *x);
        all
    };
    let (q, v, a) = (placed(q, &positions, more.nq), placed(v, &velocities, e), placed(a, &velocities, e));
    let [mut dq, mut dv, mut da] = [(); 3].map(|()| vec![0.0; e * e]);
    rnea_derivatives(&more, &mut Workspace::new(&more), [&q, &v, &a], [&mut dq, &mut dv, &mut da]);
    let added = more.joints.iter().filter(|j| j.joint.is_some_and(|k| k >= model.joints.len()));
    Ok(added.flat_map(|j| velocities.iter().map(|row| dq[row * e + j.v]).collect::<Vec<_>>()).collect())
}

/// The model with six massless bodies in series between a joint and the body that carries it, on slides and hinges along the
/// axes of the joint's frame there, in the order of [`GEOMETRIC`].
fn displaceable(model: &Model, joint: usize) -> Result<Model> {
    let forest = Forest::new(model);
    let branch = forest.branches.iter().find(|b| b.joint == Some(joint));
    let near = usize::from(branch.is_some_and(|b| b.reversed));
    let mut made = model.clone();
    let mut carrier = model.joints[joint].bodies[near];
    let mut place = model.joints[joint].frames[near];
    for (k, name) in GEOMETRIC.into_iter().enumerate() {
        let keyword = if k < 3 { "prismatic" } else { "revolute" };
        let kind = joints::kind(keyword).ok_or_else(|| Error::new(format!("no joint type '{keyword}'")))?;
        let z = [Vec3::X, Vec3::Y, Vec3::Z][k % 3];
        let x = z.any_perpendicular();
        let along = Pose::new(Rotation { axes: [x, z.cross(x), z] }, Vec3::ZERO);
        let body = made.bodies.len();
        made.bodies.push(Body {
            name: name.to_string(),
            mass: None,
            points: Vec::new(),
            X_WB: Pose::IDENTITY,
            shape: None,
            span: None,
        });
        made.joints.push(Joint::new(name, kind, [carrier, body], [place * along, along]));
        (carrier, place) = (body, Pose::IDENTITY);
    }
    made.joints[joint].bodies[near] = carrier;
    made.joints[joint].frames[near] = Pose::IDENTITY;
    Ok(made)
}

/// ∂v̇/∂π = −M⁻¹ ∂τ/∂π for rows of ∂τ/∂π taken at the accelerations of [`accelerations`].
pub fn forward_rows(tree: &Tree, workspace: &mut Workspace, q: &[f64], rows: &[f64]) -> Vec<f64> {
    let n = tree.nv;
    let mut inverse = vec![0.0; n * n];
    minverse(tree, workspace, q, &mut inverse);
    let entry = |row: &[f64], k: usize| -> f64 { -(0..n).map(|j| inverse[k * n + j] * row[j]).sum::<f64>() };
    rows.chunks(n.max(1)).flat_map(|row| (0..n).map(|k| entry(row, k)).collect::<Vec<_>>()).collect()
}

/// Accelerations under τ.
pub fn accelerations(tree: &Tree, workspace: &mut Workspace, q: &[f64], v: &[f64], tau: &[f64]) -> Vec<f64> {
    let mut a = vec![0.0; tree.nv];
    aba(tree, workspace, q, v, tau, &mut a);
    a
}

/// Inertial parameters of a body as [`INERTIAL`] lists them.
pub fn inertial(mass: &MassProperties) -> [f64; 10] {
    let (m, c) = (mass.mass, mass.com);
    let [xx, yy, zz, xy, xz, yz] = mass.inertia;
    let h = c * m;
    [
        m,
        h.x,
        h.y,
        h.z,
        xx + h.y * c.y + h.z * c.z,
        yy + h.x * c.x + h.z * c.z,
        zz + h.x * c.x + h.y * c.y,
        xy - h.x * c.y,
        xz - h.x * c.z,
        yz - h.y * c.z,
    ]
}
