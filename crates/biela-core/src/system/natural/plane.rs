//! Planar mechanisms: every body is held to one plane's direction by joints that turn about its normal or slide across it.

use super::sharing::{Sharing, SAME};
use crate::joints::NORMAL;
use crate::math::Elementary;
use crate::math::Vec3;
use crate::model::Model;

/// The plane of motion.
#[derive(Debug)]
pub(super) struct Plane {
    /// Its normal in ground axes.
    pub normal: Vec3,
    /// Two unit vectors that span it: x and y of the ground where the normal is its z.
    pub axes: [Vec3; 2],
    /// The normal in each body's frame.
    pub normal_B: Vec<Vec3>,
    /// Height of each body's origin along the normal, which never changes.
    pub height: Vec<f64>,
}

impl Plane {
    /// The plane of a model, if it has one: each body hangs on the ground by joints that keep it parallel to the plane and
    /// at one height. What other joints there are does not matter. A planar model says itself that it has one.
    pub fn of(model: &Model, sharing: &Sharing) -> Option<Plane> {
        let count = model.bodies.len();
        if model.space.is_planar() {
            return Some(Plane {
                normal: NORMAL,
                axes: [Vec3::X, Vec3::Y],
                normal_B: vec![NORMAL; count],
                height: vec![0.0; count],
            });
        }
        let normal = model.joints.iter().zip(&sharing.ties).find_map(|(joint, ties)| {
            let side = (0..2).find(|side| sharing.groups.of_body[joint.bodies[*side]] == 0)?;
            let other = sharing.groups.of_body[joint.bodies[1 - side]];
            let axis = joint.frames[side].rotation.axes[2];
            let u_G = sharing.groups.direction(joint.bodies[side], axis);
            (ties.parallel && other != 0 && (ties.coincide || ties.in_plane)).then_some(u_G)
        })?;
        let ground = model.bodies.first()?.X_WB;
        let normal = ground.rotation.apply(normal);
        // A normal drawn along a ground axis is meant to be that axis.
        let normal = [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z]
            .into_iter()
            .find(|axis| (*axis - normal).norm() < SAME)
            .unwrap_or(normal);
        let mut seen: Vec<Option<(Vec3, f64)>> = vec![None; count];
        seen[0] = Some((ground.rotation.apply_transposed(normal), ground.origin.dot(normal)));
        let mut joints_of: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (k, joint) in model.joints.iter().enumerate() {
            joints_of[joint.bodies[0]].push(k);
            joints_of[joint.bodies[1]].push(k);
        }
        let (mut waiting, mut next) = (vec![0], 0);
        while let Some(&body) = waiting.get(next) {
            next += 1;
            let (n_B, height) = seen[body]?;
            for k in &joints_of[body] {
                let joint = &model.joints[*k];
                let side = usize::from(joint.bodies[0] != body);
                let other = joint.bodies[1 - side];
                let Some(n_other) = carried(model, sharing, *k, side, n_B) else { continue };
                let h = height + n_B.dot(joint.frames[side].origin) - n_other.dot(joint.frames[1 - side].origin);
                match seen[other] {
                    Some((n, known)) => {
                        if (n - n_other).norm() > 10.0 * SAME || (h - known).abs() > 10.0 * SAME * sharing.reach {
                            return None;
                        }
                    }
                    None => {
                        seen[other] = Some((n_other, h));
                        waiting.push(other);
                    }
                }
            }
        }
        let (normal_B, height) = seen.into_iter().collect::<Option<Vec<_>>>()?.into_iter().unzip();
        let first = if normal.z.abs() > 0.9 { Vec3::X } else { normal.any_perpendicular() };
        let first = (first - normal * normal.dot(first)).unit()?;
        Some(Plane { normal, axes: [first, normal.cross(first)], normal_B, height })
    }

    /// Height of a point of a body.
    pub fn height_of(&self, body: usize, p_B: Vec3) -> f64 {
        self.height[body] + self.normal_B[body].dot(p_B)
    }
}

/// The normal in the frame of the body on the other side of joint `k`, where the joint keeps the two bodies parallel to
/// the plane and at one height.
fn carried(model: &Model, sharing: &Sharing, k: usize, side: usize, n_B: Vec3) -> Option<Vec3> {
    let (joint, ties) = (&model.joints[k], &sharing.ties[k]);
    let n_F = joint.frames[side].rotation.apply_transposed(n_B);
    let along = (n_F.z.abs() - 1.0).abs() < SAME && n_F.x.hypotenuse(n_F.y) < SAME;
    let across = n_F.z.abs() < SAME;
    let level = ties.coincide || (along && ties.in_plane) || (across && ties.on_axis);
    let kept = ties.locked || (along && ties.parallel);
    (level && kept).then(|| joint.frames[1 - side].rotation.apply(n_F))
}
