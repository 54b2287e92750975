//! Exact derivatives of inverse and forward dynamics by the inertial parameters of a tree's bodies.
//!
//! τ is linear in mass, first moments and inertias about the origin of each body, so a column of ∂τ/∂π is the τ of a tree in
//! which that one parameter is 1 and all others are 0. Forward dynamics: ∂v̇/∂π = −M⁻¹ ∂τ/∂π at the accelerations found.

#![allow(non_snake_case)]

use super::aba::aba;
use super::minverse::minverse;
use super::rnea::rnea;
use super::{Tree, Workspace, ROOT};
use biela_math::{Inertia, MassProperties, Pose, Vec3};

/// Inertial parameters of a body, in the order of the derivatives: mass, first moments m·c, then the inertia about the
/// origin of the body's frame (in the order of [`Inertia::NAMES`]), all in body axes.
pub const INERTIAL: [&str; 10] = ["m", "mx", "my", "mz", "xx", "yy", "zz", "xy", "xz", "yz"];

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
        (node.m, node.h, node.I) = (0.0, [0.0; 3], Inertia::ZERO);
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

/// Mass, first moment and inertia about K's origin of a unit of parameter k of a body at X_KB.
fn unit(k: usize, X_KB: &Pose) -> (f64, [f64; 3], Inertia) {
    let mut x = [0.0; 10];
    x[k] = 1.0;
    let [m, hx, hy, hz, xx, yy, zz, xy, xz, yz] = x;
    let (R, p) = (&X_KB.rotation, X_KB.origin);
    let h = R.apply(Vec3::new(hx, hy, hz));
    let inertia = Inertia { xx, yy, zz, xy, xz, yz };
    // About K's origin: R I Rᵀ v − p × (h × v) − h × (p × v) − m p × (p × v).
    let times = |v: Vec3| inertia.apply_in(R, v) - p.cross(h.cross(v)) - h.cross(p.cross(v)) - p.cross(p.cross(v)) * m;
    (m, (h + p * m).to_array(), Inertia::from_map(times))
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
    let (h, [xx, yy, zz, xy, xz, yz]) =
        (mass.com * mass.mass, mass.inertia.moved_from_centre(mass.mass, mass.com).entries());
    [mass.mass, h.x, h.y, h.z, xx, yy, zz, xy, xz, yz]
}
