//! Cams with their rollers, as the profile and the follower's sizes say.

#![allow(non_snake_case)] // R_FS: axes of a drawn solid in a joint's frame (docs/notation.md).

use super::build::{along, Builder};
use super::scene::{Form, Tint};
use biela_core::couplings::{CoordinateRef, Coupling, Follower};
use biela_core::joints::Joint;
use biela_math::{Pose, Rotation, Vec3};
use std::f64::consts::TAU;

/// Corners of a profile, and where bodies are many.
const CORNERS: usize = 360;
const COARSE: usize = 90;

/// Draws the cam and the roller of every coupling that tells their sizes.
pub(super) fn outlines(builder: &mut Builder) {
    let model = builder.model;
    for coupling in &model.couplings {
        if let Some((contact, follower)) = Contact::of(&model.joints, coupling).zip(coupling.follower) {
            draw(builder, coupling, &contact, follower);
        }
    }
}

/// Where a cam and its follower are, as seen from the body that carries both.
struct Contact {
    cam: Side,
    guide: Side,
    /// Axis of the cam and direction of the follower in the carrier.
    z: Vec3,
    u: Vec3,
    centre: Vec3,
}

/// A joint's frames on the carrier and on the other body.
struct Side {
    body: usize,
    frames: [Pose; 2],
}

impl Contact {
    /// Of a cam and a follower that move on one carrier.
    fn of(joints: &[Joint], coupling: &Coupling) -> Option<Contact> {
        let [cam, follower] = coupling.coordinates[..] else { return None };
        let (first, second) = (&joints[cam.joint], &joints[follower.joint]);
        let carrier = first.bodies.into_iter().find(|body| second.bodies.contains(body))?;
        // The coordinate is that of the second body; where the carrier is the second, the other moves the opposite way.
        let side = |joint: &Joint, of: CoordinateRef| {
            let own = usize::from(joint.bodies[0] == carrier);
            let frames = [joint.frames[1 - own], joint.frames[own]];
            let freedom = joint.freedom_of(of.coordinate)?;
            let axis = freedom.sliding().or(freedom.turning().map(|t| t.0))?.index();
            let sign = if own == 1 { 1.0 } else { -1.0 };
            Some((Side { body: joint.bodies[own], frames }, frames[0].rotation.axes[axis] * sign))
        };
        let ((cam, z), (guide, u)) = (side(first, cam)?, side(second, follower)?);
        // They touch in a plane normal to the cam's axis.
        (z.dot(u).abs() < 1e-6).then_some(Contact { centre: cam.frames[0].origin, cam, guide, z, u })
    }
}

fn draw(builder: &mut Builder, coupling: &Coupling, contact: &Contact, follower: Follower) {
    let Some(profile) = &coupling.profile else { return };
    let Contact { cam, guide, z, u, centre } = contact;
    let x = u.cross(*z);
    // A frame of the carrier as the other body has it where the joint's coordinate is zero: there both of its frames agree.
    let carried = |side: &Side, v: Vec3| side.frames[1].rotation.apply(side.frames[0].rotation.apply_transposed(v));
    let thick = if builder.planar { builder.flat() } else { 2.0 * builder.r };
    let lift = |builder: &Builder, body: usize, p: Vec3| {
        if !builder.planar {
            return Vec3::ZERO;
        }
        let n = builder.seen_from(body, builder.front);
        n * (builder.height(cam.body.min(guide.body)) - builder.start(body).apply(p).dot(builder.front))
    };
    let corners = if builder.coarse { COARSE } else { CORNERS };
    let (start, _) = profile.range().unwrap_or((0.0, TAU));
    // The profile runs clockwise; a plate is anticlockwise.
    let angles = (0..corners).rev().map(|k| start + TAU * k as f64 / corners as f64);
    let outline: Vec<[f64; 2]> = angles.map(|angle| follower.profile(profile, angle)).collect();
    if outline.iter().flatten().any(|c| !c.is_finite()) {
        return;
    }
    let axes = [x, *u, *z].map(|v| carried(cam, v));
    let rotation = Rotation::from_z_x(axes[2], axes[0]).unwrap_or(Rotation::IDENTITY);
    let at = cam.frames[1].origin + lift(builder, cam.body, cam.frames[1].origin);
    builder.put(cam.body, Form::Plate(outline, thick), Pose::new(rotation, at), Tint::Body);
    builder.cylinder(cam.body, at, axes[2], (0.3 * follower.base, 1.35 * thick), Tint::Shade);
    builder.covered[cam.body] = true;
    // The roller's centre where the follower's coordinate is zero, from the guide's point of the follower.
    let away = *centre + x * follower.eccentricity + *u * follower.height(0.0) - guide.frames[0].origin;
    // A guide in the plane of another layer is no farther from the roller.
    let away = away - *z * away.dot(*z);
    let p = guide.frames[1].origin + carried(guide, away);
    let at = p + lift(builder, guide.body, p);
    let roller = follower.roller.max(0.35 * builder.r);
    builder.cylinder(guide.body, at, carried(guide, *z), (roller, thick), Tint::Shade);
    builder.cylinder(guide.body, at, carried(guide, *z), (0.3 * roller, 1.3 * thick), Tint::Steel);
    let stem = guide.frames[1].origin + lift(builder, guide.body, guide.frames[1].origin);
    let length = (stem - at).norm();
    if length > roller {
        let form = Form::Capsule(0.4 * builder.r, length);
        builder.put(guide.body, form, along((stem + at) * 0.5, stem - at), Tint::Body);
    }
}
