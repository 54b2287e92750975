//! The plane of a linkage, told from its joints: every body is kept parallel to it and at one height by joints with bodies that are.
//!
//! A joint keeps its bodies parallel to the plane where it turns about the normal alone, and at one height where nothing of it slides along
//! the normal. One joint may do the first and another the second: a rod between a cylindrical joint and a ball stays in its plane.

#![allow(non_snake_case)] // n_B, n_F: the normal in a body's frame, in a joint frame (docs/notation.md).

use crate::error::Error;
use crate::joints::{Freedom, Joint, NORMAL};
use crate::math::Vec3;
use crate::model::{Mechanism, GROUND};

/// Directions that differ by less are the same: what a drawing of ten digits says.
const SAME: f64 = 1e-9;

/// The normal of the plane that everything moves in, in ground axes; `None` where there is none.
pub fn plane(mechanism: &Mechanism) -> Option<Vec3> {
    if mechanism.space.is_planar() {
        return Some(NORMAL);
    }
    normals(mechanism).into_iter().find(|n| loose(mechanism, *n).is_none())
}

/// The error for a mechanism that has none.
pub fn not_planar(mechanism: &Mechanism) -> Error {
    let error = Error::new("no planar linkage: this is told of mechanisms that move in parallel planes");
    let body = normals(mechanism).into_iter().find_map(|n| loose(mechanism, n)).map(|b| &mechanism.bodies[b]);
    let error = match body {
        Some(body) => error.note(format!("no joints keep body '{}' to the plane of the others", body.name)),
        None => error.note("no joint turns about an axis"),
    };
    error.note("a plane's joints are revolute about its normal, prismatic along it, planar; or write planar = true")
}

/// Directions that pivots turn about in the drawing. A plane has one; a mechanism of many axes has none.
fn normals(mechanism: &Mechanism) -> Vec<Vec3> {
    const MOST: usize = 6;
    let mut found: Vec<Vec3> = Vec::new();
    for joint in mechanism.joints.iter() {
        for freedom in joint.freedoms().unwrap_or_default() {
            let Some((axis, _)) = freedom.turning() else { continue };
            // The ground's side is exact; other bodies are drawn by hand.
            let side = usize::from(joint.bodies[1] == GROUND);
            let drawn = mechanism.bodies[joint.bodies[side]].X_WB.rotation;
            let n = nearest_axis(drawn.apply(joint.frames[side].rotation.axes[axis.index()]));
            if found.iter().all(|other| other.cross(n).norm() > SAME) {
                found.push(n);
            }
        }
        if found.len() >= MOST {
            break;
        }
    }
    found
}

/// A direction that is drawn along an axis of the ground is that axis.
fn nearest_axis(n: Vec3) -> Vec3 {
    [Vec3::X, Vec3::Y, Vec3::Z].into_iter().find(|axis| axis.cross(n).norm() < SAME).unwrap_or(n)
}

/// The first body that joints do not keep to the plane of normal `n`.
fn loose(mechanism: &Mechanism, n: Vec3) -> Option<usize> {
    let mut normal: Vec<Option<Vec3>> = vec![None; mechanism.bodies.len()];
    normal[GROUND] = Some(mechanism.bodies[GROUND].X_WB.rotation.apply_transposed(n));
    let freedoms: Vec<Option<Vec<Freedom>>> = mechanism.joints.iter().map(Joint::freedoms).collect();
    let mut joints_of: Vec<Vec<usize>> = vec![Vec::new(); mechanism.bodies.len()];
    for (k, joint) in mechanism.joints.iter().enumerate() {
        joint.bodies.iter().for_each(|body| joints_of[*body].push(k));
    }
    // A body is looked at whenever a neighbour is found to be kept.
    let (mut waiting, mut next) = (vec![GROUND], 0);
    while let Some(&kept) = waiting.get(next) {
        next += 1;
        for k in &joints_of[kept] {
            let [a, b] = mechanism.joints[*k].bodies;
            let body = if a == kept { b } else { a };
            if normal[body].is_some() {
                continue;
            }
            let (mut own, mut level) = (None, false);
            for (joint, list) in joints_of[body].iter().map(|k| (&mechanism.joints[*k], &freedoms[*k])) {
                let side = usize::from(joint.bodies[0] == body);
                let (Some(n_B), Some(list)) = (normal[joint.bodies[side]], list) else { continue };
                let n_F = joint.frames[side].rotation.apply_transposed(n_B);
                let parallel = list.iter().all(|f| keeps_parallel(f, n_F));
                level |= list.iter().all(|f| f.is_attitude() || keeps_level(f, n_F, parallel));
                if parallel && own.is_none() {
                    own = Some(joint.frames[1 - side].rotation.apply(n_F));
                }
            }
            normal[body] = own.filter(|_| level);
            if normal[body].is_some() {
                waiting.push(body);
            }
        }
    }
    normal.iter().position(Option::is_none)
}

/// Whether a freedom turns about the normal, or not at all.
fn keeps_parallel(f: &Freedom, n_F: Vec3) -> bool {
    match f.turning() {
        Some((axis, _)) => axis.unit().cross(n_F).norm() < SAME,
        None => f.sliding().is_some(),
    }
}

/// Whether a freedom moves nothing along the normal. Where others tilt the joint a slide leads anywhere.
fn keeps_level(f: &Freedom, n_F: Vec3, parallel: bool) -> bool {
    match (f.turning(), f.sliding()) {
        (Some((_, lead)), _) => lead == 0.0,
        (_, Some(axis)) => parallel && axis.unit().dot(n_F).abs() < SAME,
        _ => false,
    }
}
