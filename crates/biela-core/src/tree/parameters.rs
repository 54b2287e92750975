//! Exact derivatives of inverse and forward dynamics by the parameters of a tree: inertial ones of bodies
//! ([`biela_tree::parameters`]), geometric ones of a mechanism's joints.
//!
//! A small displacement of a joint's frame on the body that carries it is the motion of a joint at rest put there; so columns of ∂τ/∂π are
//! columns of ∂τ/∂q of the tree with six such joints in series (exact, [`super::derivatives`]).

use super::derivatives::rnea_derivatives;
use super::{Tree, Workspace};
use crate::error::Result;
use crate::joints::{Joint, PRISMATIC, REVOLUTE};
use crate::math::{Pose, Rotation, Vec3};
use crate::model::graph::Forest;
use crate::model::{Body, Mechanism};
pub use biela_tree::parameters::*;

/// Geometric parameters of a joint: displacements of its frame on the body that carries it along and about its own axes (m, rad).
pub const GEOMETRIC: [&str; 6] = ["x", "y", "z", "rx", "ry", "rz"];

/// ∂τ/∂π of inverse dynamics at q, v, a by the six geometric parameters of a joint of the mechanism (fixed ones too), six rows of
/// nv.
pub fn rnea_by_geometric(
    mechanism: &Mechanism,
    tree: &Tree,
    joint: usize,
    q: &[f64],
    v: &[f64],
    a: &[f64],
) -> Result<Vec<f64>> {
    let (n, more) = (tree.nv, Tree::new(&displaceable(mechanism, joint))?);
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
    let added = more.joints.iter().filter(|j| j.joint.is_some_and(|k| k >= mechanism.joints.len()));
    Ok(added.flat_map(|j| velocities.iter().map(|row| dq[row * e + j.v]).collect::<Vec<_>>()).collect())
}

/// The mechanism with six massless bodies in series between a joint and the body that carries it, on slides and hinges along the
/// axes of the joint's frame there, in the order of [`GEOMETRIC`].
fn displaceable(of: &Mechanism, joint: usize) -> Mechanism {
    let forest = Forest::new(of);
    let branch = forest.branches.iter().find(|b| b.joint == Some(joint));
    let near = usize::from(branch.is_some_and(|b| b.reversed));
    let (mut bodies, mut joints) = (of.bodies.clone(), of.joints.clone());
    let mut carrier = joints[joint].bodies[near];
    let mut place = joints[joint].frames[near];
    for (k, name) in GEOMETRIC.into_iter().enumerate() {
        let kind = if k < 3 { PRISMATIC } else { REVOLUTE };
        let z = [Vec3::X, Vec3::Y, Vec3::Z][k % 3];
        let x = z.any_perpendicular();
        let along = Pose::new(Rotation { axes: [x, z.cross(x), z] }, Vec3::ZERO);
        let body = bodies.len();
        bodies.push(Body {
            name: name.to_string(),
            mass: None,
            points: Vec::new(),
            X_WB: Pose::IDENTITY,
            shapes: Vec::new(),
            colour: None,
            span: None,
        });
        joints.push(Joint::new(name, kind, [carrier, body], [place * along, along]));
        (carrier, place) = (body, Pose::IDENTITY);
    }
    joints[joint].bodies[near] = carrier;
    joints[joint].frames[near] = Pose::IDENTITY;
    let (couplings, rotors) = (of.couplings.clone(), of.rotors.clone());
    Mechanism { gravity: of.gravity, bodies, joints, couplings, rotors, ..Mechanism::default() }
}
