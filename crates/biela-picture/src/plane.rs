//! Whether a mechanism moves in parallel planes, which way is up, and from where it is looked at.

#![allow(non_snake_case)] // R_WB: a body's orientation in the ground (docs/notation.md).

use super::Animation;
use biela_core::joints::{Axis, Freedom, NORMAL};
use biela_core::model::Model;
use biela_math::Vec3;

/// Samples looked at.
const SAMPLES: usize = 40;
/// Motion out of the plane that no eye sees, in parts of the size, and as an angle.
const FLAT: f64 = 1e-6;
/// A stack of parallel planes deeper than this, in parts of the size, is better seen from the side too.
const SHALLOW: f64 = 0.12;

/// How a mechanism is looked at.
pub(super) struct Outlook {
    pub planar: bool,
    pub front: Vec3,
    pub up: Vec3,
}

impl Outlook {
    pub fn new(model: &Model, motion: &Animation, size: f64) -> Outlook {
        let normal = normal(model, motion, size);
        let gravity_up = model.gravity.and_then(Vec3::unit).map(|g| -g);
        match normal {
            Some(n) => {
                let natural = if n.z.abs() > 0.9 { Vec3::Y } else { Vec3::Z };
                // Where gravity has a part in the plane, up is against it.
                let in_plane = |v: Vec3| Some(v - n * v.dot(n)).filter(|p| p.norm() > 0.5)?.unit();
                let up = gravity_up.and_then(in_plane).or_else(|| in_plane(natural)).unwrap_or(natural);
                Outlook { planar: true, front: n, up }
            }
            None => {
                let up = gravity_up.map_or(Vec3::Z, nearest_axis);
                let front = if up.z.abs() > 0.9 { -Vec3::Y } else { up.cross(Vec3::X).unit().unwrap_or(Vec3::Z) };
                Outlook { planar: false, front, up }
            }
        }
    }
}

/// A direction close to an axis as that axis: a floor that is a little askew looks like a mistake.
fn nearest_axis(v: Vec3) -> Vec3 {
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    let near = axes.into_iter().find(|a| a.dot(v).abs() > 0.999);
    near.map_or(v, |a| a * a.dot(v).signum())
}

/// The normal of the planes that everything moves in, towards the viewer.
fn normal(model: &Model, motion: &Animation, size: f64) -> Option<Vec3> {
    if model.space.is_planar() {
        return Some(NORMAL);
    }
    let first_axis = model.joints.iter().find(|j| j.is_pivot()).map(|j| {
        let body = j.bodies[0];
        nearest_axis(motion.pose(body, 0).rotation.apply(j.frames[0].rotation.axes[2]))
    });
    let candidates = first_axis.into_iter().chain([Vec3::Z, Vec3::Y, Vec3::X]);
    let n = candidates.into_iter().find(|n| is_planar(model, motion, *n, size))?;
    // Seen from the front as engineers draw: x to the right, z (or y) up.
    let towards = [n.z, -n.y, n.x].into_iter().find(|c| c.abs() > 0.3).unwrap_or(1.0);
    Some(n * towards.signum())
}

fn is_planar(model: &Model, motion: &Animation, n: Vec3, size: f64) -> bool {
    for joint in &model.joints {
        let Some(freedoms) = joint.freedoms() else { continue };
        if matches!(freedoms[..], [only] if only.is_attitude()) {
            return false;
        }
        let along = |axis: Axis| {
            let own = joint.frames[0].rotation.axes[axis.index()];
            motion.pose(joint.bodies[0], 0).rotation.apply(own).dot(n).abs()
        };
        let across = |axis: Axis| along(axis) < FLAT.sqrt();
        // Coordinates turn about the normal and slide across it; what has no name is for the motion to show.
        let fits = |f: &Freedom| match (f.turning(), f.sliding()) {
            (Some((axis, lead)), _) => along(axis) > 1.0 - FLAT && lead == 0.0,
            (_, Some(axis)) => across(axis),
            _ => true,
        };
        if !freedoms.iter().filter(|f| joint.coordinate_of(f).is_some()).all(fits) {
            return false;
        }
    }
    let heights = model.joints.iter().map(|j| motion.pose(j.bodies[0], 0).apply(j.frames[0].origin).dot(n));
    let (least, most) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), h| (a.min(h), b.max(h)));
    if most - least > SHALLOW * size {
        return false;
    }
    (1..motion.bodies()).all(|body| {
        let start = motion.pose(body, 0);
        motion.some(SAMPLES).all(|k| {
            let now = motion.pose(body, k);
            let turned = now.rotation.apply_transposed(n) - start.rotation.apply_transposed(n);
            turned.norm() < FLAT.sqrt() && (now.origin - start.origin).dot(n).abs() < FLAT.sqrt() * size
        })
    })
}
