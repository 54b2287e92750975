//! Joint reactions of a tree in motion, fixed joints included.

#![allow(non_snake_case)]

use super::kinematics::{body_motion, body_pose, fk_vel_acc};
use super::workspace::Workspace;
use super::Tree;
use biela_math::Vec3;

/// What a body's joint exerts on it: everything from the side of its parent, motors included.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Wrench {
    /// Force in ground axes.
    pub force: Vec3,
    /// Moment about the joint's point on the body, in ground axes.
    pub moment: Vec3,
}

/// The wrench on every body (index as described; the ground's is what it exerts on all) from its joint.
pub fn reactions(tree: &Tree, workspace: &mut Workspace, q: &[f64], v: &[f64], a: &[f64], out: &mut [Wrench]) {
    fk_vel_acc(tree, workspace, q, v, a);
    out.fill(Wrench::default());
    // Forces with moments about the ground's origin first, children into parents; moved to the joints' points after.
    for &k in tree.body_order.iter().rev() {
        let body = &tree.bodies[k];
        let X = body_pose(tree, workspace, k);
        let [w, vel, al, acc] = body_motion(tree, workspace, k);
        let c = body.mass.com;
        let up = X.rotation.apply_transposed(-tree.gravity);
        // From spatial to ordinary acceleration of the mass centre.
        let a_c = acc + w.cross(vel) + al.cross(c) + w.cross(w.cross(c)) + up;
        let I = |u: Vec3| body.mass.inertia.apply(u);
        let force = X.rotation.apply(a_c * body.mass.mass);
        let moment = X.rotation.apply(I(al) + w.cross(I(w)));
        let sum = &mut out[k];
        sum.force += force;
        sum.moment += moment + X.apply(c).cross(force);
        let carried = *sum;
        let parent = &mut out[body.parent];
        parent.force += carried.force;
        parent.moment += carried.moment;
    }
    for &k in &tree.body_order {
        let point = body_pose(tree, workspace, k).apply(tree.bodies[k].p_BJ);
        let wrench = &mut out[k];
        wrench.moment -= point.cross(wrench.force);
    }
}
