//! Frames by name, their poses, Jacobians and the rates of these.
//!
//! A name is that of a body, of a point of one (`link.point`: the body's axes there), or of a joint (its frame on the body that it carries).
//! With J the motion of the frame's origin in ground axes, (v; ω): in the frame's own axes it is Rᵀ J, and the motion of the body's point at
//! the ground's origin has v + p × ω in place of v. Rates follow by the product rule, with Ṙ = ω × R and ṗ the velocity of the origin.

use super::{Robot, Workspace};
use crate::error::{Error, Result};
use crate::math::{Pose, Vec3};
use crate::model::Model;
use crate::tree::kinematics::{self, Placed};
use std::collections::HashMap;

/// A frame fixed to a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// The body, ground first.
    pub body: usize,
    /// The frame in the body's.
    pub X_BF: Pose,
}

/// In which axes, and of which point, motion is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Axes {
    /// Of the frame's origin, in ground axes.
    #[default]
    Aligned,
    /// Of the frame's origin, in the frame's own axes.
    Local,
    /// Of the body's point at the ground's origin, in ground axes.
    World,
}

impl Axes {
    /// Every choice with the words that name it; the first of them is ours.
    pub const ALL: [(&'static [&'static str], Axes); 3] =
        [(&["aligned", "local_world_aligned"], Axes::Aligned), (&["local"], Axes::Local), (&["world"], Axes::World)];

    /// The choice of that name, in any case of letters.
    pub fn parse(word: &str) -> Result<Axes> {
        let named = |(words, _): &&(&[&str], Axes)| words.iter().any(|w| w.eq_ignore_ascii_case(word));
        let found = Axes::ALL.iter().find(named).map(|(_, axes)| *axes);
        found.ok_or_else(|| {
            Error::new(format!("no axes '{word}'")).suggest(&word.to_lowercase(), Axes::ALL.map(|(words, _)| words[0]))
        })
    }
}

/// Frames of all names; a body's goes before a joint's of the same name.
pub(super) fn names(model: &Model) -> HashMap<String, Frame> {
    let mut names = HashMap::new();
    for (body, b) in model.bodies.iter().enumerate() {
        names.insert(b.name.clone(), Frame { body, X_BF: Pose::IDENTITY });
    }
    for (body, b) in model.bodies.iter().enumerate() {
        for (point, p_B) in &b.points {
            let name = crate::signal_name::join(&b.name, point);
            names.entry(name).or_insert(Frame { body, X_BF: Pose::translation(*p_B) });
        }
    }
    let forest = crate::model::graph::Forest::new(model);
    for branch in &forest.branches {
        let Some(joint) = branch.joint.map(|k| &model.joints[k]) else { continue };
        let X_BF = joint.frames[if branch.reversed { 0 } else { 1 }];
        names.entry(joint.name.clone()).or_insert(Frame { body: branch.body, X_BF });
    }
    names
}

impl Robot {
    /// The frame of a name: `link`, `link.point` or a joint.
    pub fn frame(&self, name: &str) -> Result<Frame> {
        self.names.get(name).copied().ok_or_else(|| {
            Error::new(format!("no frame '{name}'"))
                .suggest(name, self.frames().iter().map(String::as_str))
                .note("frames are bodies, points of theirs (link.point) and joints")
        })
    }

    /// Names of all frames, in alphabetical order.
    pub fn frames(&self) -> Vec<String> {
        let mut names: Vec<String> = self.names.keys().cloned().collect();
        names.sort();
        names
    }

    /// A frame as kernels of the tree take it.
    pub fn placed(&self, frame: &Frame) -> Placed {
        Placed::on_body(&self.tree.extended, frame.body, frame.X_BF)
    }

    /// Pose of a frame in the ground.
    pub fn pose(&self, work: &mut Workspace, q: &[f64], frame: &Frame) -> Pose {
        let (q, _, _, inner) = self.tree.extended_state(work, q, &[], &[]);
        kinematics::fk(&self.tree.extended, inner, q);
        kinematics::body_pose(&self.tree.extended, inner, frame.body) * frame.X_BF
    }

    /// Homogeneous matrices of frames, 4 × 4 each, row by row.
    pub fn matrices(&self, work: &mut Workspace, q: &[f64], frames: &[Placed], out: &mut [f64]) {
        if self.tree.is_plain() {
            return kinematics::matrices(&self.tree.extended, &mut work.inner, q, frames, out);
        }
        let (q, _, _, inner) = self.tree.extended_state(work, q, &[], &[]);
        kinematics::matrices(&self.tree.extended, inner, q, frames, out);
    }

    /// Jacobian of a frame, 6 × nv row by row: velocity, then angular velocity.
    pub fn jacobian(&self, work: &mut Workspace, q: &[f64], frame: &Frame, axes: Axes, J: &mut [f64]) {
        let X_WF = self.origin_jacobian(work, q, frame, J);
        turned(axes, &X_WF, self.nv(), J);
    }

    /// Jacobian of the frame's origin in ground axes; the frame's pose.
    fn origin_jacobian(&self, work: &mut Workspace, q: &[f64], frame: &Frame, J: &mut [f64]) -> Pose {
        let (tree, point) = (&self.tree.extended, frame.X_BF.origin);
        if self.tree.is_plain() {
            kinematics::body_jacobian(tree, &mut work.inner, q, frame.body, point, J);
        } else {
            let mut wide = vec![0.0; 6 * tree.nv];
            let (q, _, _, inner) = self.tree.extended_state(work, q, &[], &[]);
            kinematics::body_jacobian(tree, inner, q, frame.body, point, &mut wide);
            J[..6 * self.nv()].copy_from_slice(&self.tree.pull(work, &wide));
        }
        kinematics::body_pose(tree, &work.inner, frame.body) * frame.X_BF
    }

    /// Time derivative of [`Robot::jacobian`] at velocities v, in components.
    pub fn jacobian_rate(&self, work: &mut Workspace, q: &[f64], v: &[f64], of: (&Frame, Axes), rate: &mut [f64]) {
        let ((frame, axes), tree, n) = (of, &self.tree.extended, self.nv());
        let (mut wide, mut wide_rate) = (vec![0.0; 6 * tree.nv], vec![0.0; 6 * tree.nv]);
        let (eq, ev, _, inner) = self.tree.extended_state(work, q, v, &[]);
        kinematics::body_jacobian(tree, inner, eq, frame.body, frame.X_BF.origin, &mut wide);
        kinematics::body_jacobian_rate(tree, inner, eq, ev, frame.body, frame.X_BF.origin, &mut wide_rate);
        let X_WF = kinematics::body_pose(tree, inner, frame.body) * frame.X_BF;
        self.tree.rates(work, q, v);
        let (J, mut own) = (self.tree.pull(work, &wide), self.tree.pull(work, &wide_rate));
        own.iter_mut().zip(self.tree.pull_rate(work, &wide)).for_each(|(x, more)| *x += more);
        let motion: Vec<f64> = J.chunks(n.max(1)).map(|row| row.iter().zip(v).map(|(j, v)| j * v).sum()).collect();
        let at = |k: usize| motion.get(k).copied().unwrap_or(0.0);
        let (p_rate, w) = (Vec3::new(at(0), at(1), at(2)), Vec3::new(at(3), at(4), at(5)));
        for k in 0..n {
            let (lin, ang) = column(&J, n, k);
            let (mut lin_rate, mut ang_rate) = column(&own, n, k);
            match axes {
                Axes::Aligned => {}
                Axes::Local => {
                    lin_rate = X_WF.rotation.apply_transposed(lin_rate - w.cross(lin));
                    ang_rate = X_WF.rotation.apply_transposed(ang_rate - w.cross(ang));
                }
                Axes::World => lin_rate += p_rate.cross(ang) + X_WF.origin.cross(ang_rate),
            }
            put(rate, n, k, lin_rate, ang_rate);
        }
    }
}

/// A Jacobian of a frame's origin in ground axes, told in others.
fn turned(axes: Axes, X_WF: &Pose, n: usize, J: &mut [f64]) {
    if axes == Axes::Aligned {
        return;
    }
    for k in 0..n {
        let (lin, ang) = column(J, n, k);
        match axes {
            Axes::World => put(J, n, k, lin + X_WF.origin.cross(ang), ang),
            _ => put(J, n, k, X_WF.rotation.apply_transposed(lin), X_WF.rotation.apply_transposed(ang)),
        }
    }
}

fn column(J: &[f64], n: usize, k: usize) -> (Vec3, Vec3) {
    let at = |row: usize| J[row * n + k];
    (Vec3::new(at(0), at(1), at(2)), Vec3::new(at(3), at(4), at(5)))
}

fn put(J: &mut [f64], n: usize, k: usize, lin: Vec3, ang: Vec3) {
    for (row, x) in lin.to_array().into_iter().chain(ang.to_array()).enumerate() {
        J[row * n + k] = x;
    }
}
