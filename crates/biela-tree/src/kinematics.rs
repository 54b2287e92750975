//! Forward kinematics, velocities, accelerations and Jacobians.
//!
//! Poses are those of the nodes' frames K in the ground; [`body_pose`] gives a body's own. Jacobians follow from the
//! nodes' axes in ground axes: column j is the motion of the ground's origin, carried along, for a unit velocity j.

#![allow(non_snake_case)]

use super::joint_frame::{attitude_excess, carried, given, origin, rotation};
use super::scalar::Scalar;
use super::spatial::{M3, V3};
use super::wide::Kernel;
use super::workspace::{dispatch, kernel, Frame, Inner, Work, Workspace};
use super::{NodeKind, Tree, ROOT};
use biela_math::{Pose, Rotation, Vec3};

/// Poses of all nodes in the ground, left in the workspace.
pub fn fk(tree: &Tree, workspace: &mut Workspace, q: &[f64]) {
    dispatch!(tree, workspace, Fk { q });
}

/// Spatial velocities and accelerations (without gravity) of all nodes in their own frames, left in the workspace.
pub fn fk_vel_acc(tree: &Tree, workspace: &mut Workspace, q: &[f64], v: &[f64], a: &[f64]) {
    dispatch!(tree, workspace, FkVelAcc { q, v, a });
}

/// Columns of all nodes, 6 × nv row by row: velocity of the point at the ground's origin, then angular velocity.
pub fn joint_jacobians(tree: &Tree, workspace: &mut Workspace, q: &[f64], J: &mut [f64]) {
    dispatch!(tree, workspace, Jacobians { q, J });
}

kernel! {
    Fk<'t> { q: &'t [f64] } by poses
}

kernel! {
    /// Forward kinematics whose result is the origin of the last node.
    FkTip<'t> { q: &'t [f64], p: &'t mut [f64] }
}

impl<S: Scalar> Kernel for FkTip<'_, S> {
    #[inline(always)]
    fn run(self) {
        let FkTip { tree, work, q, p } = self;
        Fk { tree, work, q }.run();
        if let Some(frame) = work.frames.last() {
            for (k, x) in [frame.p.x, frame.p.y, frame.p.z].into_iter().enumerate() {
                x.store(p, k);
            }
        }
    }
}

/// Numbers of a homogeneous matrix.
pub const MATRIX: usize = 16;

/// A frame fixed to a node's frame, or to the ground where the node is [`ROOT`].
#[derive(Debug, Clone, Copy)]
pub struct Placed {
    /// The node.
    pub node: usize,
    /// The frame in the node's.
    pub X_KF: Pose,
}

impl Placed {
    /// A frame of a body.
    pub fn on_body(tree: &Tree, body: usize, X_BF: Pose) -> Placed {
        let body = &tree.bodies[body];
        Placed { node: body.node, X_KF: body.X_KB * X_BF }
    }
}

kernel! {
    /// Forward kinematics whose results are homogeneous matrices of frames, row by row.
    FkBodies<'t> { q: &'t [f64], bodies: &'t [Placed], out: &'t mut [f64] }
}

impl<S: Scalar> Kernel for FkBodies<'_, S> {
    #[inline(always)]
    fn run(self) {
        let FkBodies { tree, work, q, bodies, out } = self;
        Fk { tree, work, q }.run();
        for (k, Placed { node, X_KF }) in bodies.iter().enumerate() {
            let X = X_KF.rotation.axes.map(|axis| V3::splat(&axis.to_array()));
            let p = V3::splat(&X_KF.origin.to_array());
            let ([x, y, z], p) = match work.frames.get(*node) {
                Some(frame) => (X.map(|axis| frame.R.mul(axis)), frame.R.mul_add(p, frame.p)),
                None => (X, p),
            };
            let (o, one) = (S::zero(), S::splat(1.0));
            let rows = [x.x, y.x, z.x, p.x, x.y, y.y, z.y, p.y, x.z, y.z, z.z, p.z, o, o, o, one];
            for (at, number) in rows.into_iter().enumerate() {
                number.store(out, MATRIX * k + at);
            }
        }
    }
}

/// Homogeneous matrices of frames at q, 4 × 4 each, row by row.
pub fn matrices(tree: &Tree, workspace: &mut Workspace, q: &[f64], bodies: &[Placed], out: &mut [f64]) {
    dispatch!(tree, workspace, FkBodies { q, bodies, out });
}

#[inline(always)]
pub(super) fn poses<S: Scalar, const REVOLUTE: bool>(tree: &Tree, work: &mut Work<S>, q: &[f64]) {
    work.angles::<REVOLUTE>(tree, q);
    let n = tree.nodes.len();
    let (frames, sin, cos, slide) = (&mut work.frames[..n], &work.sin[..n], &work.cos[..n], &work.slide[..n]);
    // The node before, kept at hand: in a chain it is the parent.
    let mut last = (M3::zero(), V3::zero());
    for (i, node) in tree.nodes.iter().enumerate() {
        if node.parent.wrapping_add(1) != i && node.parent != ROOT {
            last = (frames[node.parent].R, frames[node.parent].p);
        }
        last = carried::<S, REVOLUTE>(node, &last, (sin[i], cos[i]), slide, i, q);
        (frames[i].R, frames[i].p) = last;
    }
}

kernel! {
    FkVelAcc<'t> { q: &'t [f64], v: &'t [f64], a: &'t [f64] } by motion
}

#[inline(always)]
fn motion<S: Scalar, const REVOLUTE: bool>(tree: &Tree, work: &mut Work<S>, q: &[f64], v: &[f64], a: &[f64]) {
    work.angles::<REVOLUTE>(tree, q);
    let n = tree.nodes.len();
    let (frames, sin, cos, slide) = (&mut work.frames[..n], &work.sin[..n], &work.cos[..n], &work.slide[..n]);
    let o = S::zero();
    let z = V3::zero();
    let mut last = Frame { R: M3::zero(), p: z, w: z, v: z, al: z, a: z };
    for (i, node) in tree.nodes.iter().enumerate() {
        let R = rotation::<S, REVOLUTE>(node, sin[i], cos[i], q);
        let p = origin::<S, REVOLUTE>(node, slide, i);
        let (rate, accel) = (given::<S>(v, node.v), given::<S>(a, node.v));
        let (turn, lead) = (S::splat(node.turn), S::splat(node.lead));
        let (rw, aw) = if REVOLUTE { (rate, accel) } else { (turn * rate, turn * accel) };
        let (rv, av) = if REVOLUTE { (o, o) } else { (lead * rate, lead * accel) };
        let (mut w, mut vel, mut al, mut acc);
        let (RW, pW);
        if node.parent == ROOT {
            (RW, pW) = (R, p);
            (w, vel, al, acc) = (V3::zero(), V3::zero(), V3::zero(), V3::zero());
        } else {
            if node.parent + 1 != i {
                last = frames[node.parent];
            }
            RW = last.R.times(&R);
            pW = last.p + last.R.mul(p);
            w = R.tmul(last.w);
            vel = R.tmul(last.v + last.w.cross(p));
            al = R.tmul(last.al);
            acc = R.tmul(last.a + last.al.cross(p));
        }
        // V × S v̇: the node's own part of V is along S and drops out.
        al = V3::new(w.y.fma(rw, al.x), w.x.fnma(rw, al.y), al.z + aw);
        acc = V3::new(vel.y.fma(rw, acc.x), vel.x.fnma(rw, acc.y), acc.z);
        if !REVOLUTE {
            acc = V3::new(w.y.fma(rv, acc.x), w.x.fnma(rv, acc.y), acc.z + av);
            if node.kind == NodeKind::AttitudeZ {
                al = al - attitude_excess(v, node.v);
            }
            vel.z = vel.z + rv;
        }
        w.z = w.z + rw;
        last = Frame { R: RW, p: pW, w, v: vel, al, a: acc };
        frames[i] = last;
    }
}

kernel! {
    Jacobians<'t> { q: &'t [f64], J: &'t mut [f64] } by columns
}

#[inline(always)]
fn columns<S: Scalar, const REVOLUTE: bool>(tree: &Tree, work: &mut Work<S>, q: &[f64], J: &mut [f64]) {
    poses::<S, REVOLUTE>(tree, work, q);
    let n = tree.nodes.len();
    for (node, frame) in tree.nodes.iter().zip(&work.frames) {
        let z = frame.R.c;
        let (mut lin, mut ang) = (frame.p.cross(z), z);
        if !REVOLUTE {
            lin = z.fma(S::splat(node.lead), lin.scale(S::splat(node.turn)));
            ang = z.scale(S::splat(node.turn));
        }
        for (row, x) in [lin.x, lin.y, lin.z, ang.x, ang.y, ang.z].into_iter().enumerate() {
            x.store(J, row * n + node.v);
        }
    }
}

/// A node's frame as plain numbers.
pub(super) fn frame(workspace: &Workspace, i: usize) -> Frame<f64> {
    match &workspace.inner {
        Inner::Portable(work) => work.frames[i],
        Inner::Fused(work) => work.frames[i].plain(),
    }
}

impl<S: Scalar> Frame<S> {
    /// The first lane as plain numbers.
    pub(super) fn plain(&self) -> Frame<f64> {
        let x = |s: S| {
            let mut lanes = [0.0; 8];
            s.store(&mut lanes, 0);
            lanes[0]
        };
        let v = |v: V3<S>| V3::new(x(v.x), x(v.y), x(v.z));
        let R = super::spatial::M3 { a: v(self.R.a), b: v(self.R.b), c: v(self.R.c) };
        Frame { R, p: v(self.p), w: v(self.w), v: v(self.v), al: v(self.al), a: v(self.a) }
    }
}

pub(super) fn vec3(v: V3<f64>) -> Vec3 {
    Vec3::new(v.x, v.y, v.z)
}

/// Pose of a node's frame in the ground, after [`fk`] or [`fk_vel_acc`].
pub fn node_pose(workspace: &Workspace, i: usize) -> Pose {
    if i == ROOT {
        return Pose::IDENTITY;
    }
    let f = frame(workspace, i);
    Pose::new(Rotation { axes: [vec3(f.R.a), vec3(f.R.b), vec3(f.R.c)] }, vec3(f.p))
}

/// Pose of a body in the ground, after [`fk`] or [`fk_vel_acc`].
pub fn body_pose(tree: &Tree, workspace: &Workspace, body: usize) -> Pose {
    let body = &tree.bodies[body];
    node_pose(workspace, body.node) * body.X_KB
}

/// Angular velocity and velocity of a body's origin, then their spatial accelerations, all in the body's own frame; after
/// [`fk_vel_acc`].
pub fn body_motion(tree: &Tree, workspace: &Workspace, body: usize) -> [Vec3; 4] {
    let body = &tree.bodies[body];
    if body.node == ROOT {
        return [Vec3::ZERO; 4];
    }
    let f = frame(workspace, body.node);
    let (R, p) = (&body.X_KB.rotation, body.X_KB.origin);
    let [w, v, al, a] = [vec3(f.w), vec3(f.v), vec3(f.al), vec3(f.a)];
    [w, v + w.cross(p), al, a + al.cross(p)].map(|x| R.apply_transposed(x))
}

/// Jacobian of the point `p_B` of a body in ground axes, 6 × nv row by row: velocity of the point, then angular velocity.
pub fn body_jacobian(tree: &Tree, workspace: &mut Workspace, q: &[f64], body: usize, p_B: Vec3, J: &mut [f64]) {
    fk(tree, workspace, q);
    J[..6 * tree.nv].fill(0.0);
    let point = body_pose(tree, workspace, body).apply(p_B);
    let mut i = tree.bodies[body].node;
    while let Some(node) = tree.nodes.get(i) {
        let f = frame(workspace, i);
        let (z, o) = (vec3(f.R.c), vec3(f.p));
        let (ang, lin) = (z * node.turn, z * node.lead + z.cross(point - o) * node.turn);
        for (row, x) in lin.to_array().into_iter().chain(ang.to_array()).enumerate() {
            J[row * tree.nv + node.v] = x;
        }
        i = node.parent;
    }
}

/// Time derivative of [`body_jacobian`] at velocity `v`.
// Many: states and results of one formula, a slice each.
pub fn body_jacobian_rate(
    tree: &Tree,
    workspace: &mut Workspace,
    q: &[f64],
    v: &[f64],
    body: usize,
    p_B: Vec3,
    rate: &mut [f64],
) {
    fk_vel_acc(tree, workspace, q, v, &[]);
    rate[..6 * tree.nv].fill(0.0);
    let X_WB = body_pose(tree, workspace, body);
    let point = X_WB.apply(p_B);
    let [w_B, v_B, ..] = body_motion(tree, workspace, body);
    let v_point = X_WB.rotation.apply(v_B + w_B.cross(p_B));
    let mut i = tree.bodies[body].node;
    while let Some(node) = tree.nodes.get(i) {
        let f = frame(workspace, i);
        let X_WK = node_pose(workspace, i);
        let (z, o) = (X_WK.rotation.axes[2], X_WK.origin);
        // The axis is fixed in the frame that carries it: for a spherical joint, that of its last node.
        let tip = frame(workspace, node.tip);
        let w = node_pose(workspace, node.tip).rotation.apply(vec3(tip.w));
        let z_rate = w.cross(z);
        let v_o = X_WK.rotation.apply(vec3(f.v));
        let lin = z_rate * node.lead + (z_rate.cross(point - o) + z.cross(v_point - v_o)) * node.turn;
        for (row, x) in lin.to_array().into_iter().chain((z_rate * node.turn).to_array()).enumerate() {
            rate[row * tree.nv + node.v] = x;
        }
        i = node.parent;
    }
}
