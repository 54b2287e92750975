//! What joints look like: pins, sleeves, balls, blocks on rails, and the supports that carry them on the ground.

#![allow(non_snake_case)] // p_B: a point in its body's frame (docs/notation.md).

use super::build::{along, Builder};
use super::cylinders;
use super::scene::{Form, Tint};
use biela_core::joints::{Glyph, Joint};
use biela_core::model::GROUND;
use biela_math::Elementary;
use biela_math::{Pose, Rotation, Vec3};

/// Draws joint number `k`.
pub(super) fn joint(builder: &mut Builder, k: usize) {
    let model = builder.model;
    let joint = &model.joints[k];
    let r = builder.r;
    let [a, b] = joint.bodies;
    if builder.is_dressed(a) && builder.is_dressed(b) {
        // Meshes show their own pins and bearings.
        return;
    }
    let [at_a, at_b] = [joint.frames[0].origin, joint.frames[1].origin];
    let axes = [0, 1].map(|side| joint.frames[side].rotation.axes);
    match joint.kind.glyph() {
        Glyph::Pin if builder.planar => pin(builder, joint),
        Glyph::Pin => {
            builder.cylinder(a, at_a, axes[0][2], (1.25 * r, 2.6 * r), Tint::Shade);
            builder.cylinder(b, at_b, axes[1][2], (0.7 * r, 4.0 * r), Tint::Steel);
            support(builder, joint);
        }
        Glyph::Sleeve { threaded } => {
            // The shaft reaches to where it is fixed.
            let (least, most) = builder.travel(joint);
            let (least, most) = (least.min(0.0), most.max(0.0));
            let length = most - least + 9.0 * r;
            let middle = at_a + axes[0][2] * (0.5 * (least + most));
            builder.cylinder(a, middle, axes[0][2], (0.7 * r, length), Tint::Steel);
            builder.cylinder(b, at_b, axes[1][2], (1.35 * r, 3.6 * r), Tint::Shade);
            if threaded {
                thread(builder, a, (middle, axes[0][2]), length);
            }
            builder.covered[b] = true;
            support(builder, joint);
        }
        Glyph::Block if cylinders::ram(builder, joint) => {}
        Glyph::Block | Glyph::Follower => slide(builder, joint),
        Glyph::Ball => {
            let form = Form::Sphere(if builder.planar { 0.9 * r } else { 1.1 * r });
            builder.put(b, form, Pose::translation(at_b), Tint::Steel);
            support(builder, joint);
        }
        Glyph::Cross => {
            builder.cylinder(a, at_a, axes[0][2], (0.5 * r, 4.2 * r), Tint::Steel);
            builder.cylinder(b, at_b, axes[1][0], (0.5 * r, 4.2 * r), Tint::Steel);
            builder.put(b, Form::Sphere(0.95 * r), Pose::translation(at_b), Tint::Steel);
            support(builder, joint);
        }
        Glyph::Plate => {
            let size = Vec3::new(10.0 * r, 10.0 * r, 0.3 * r);
            let below = joint.frames[0] * Pose::translation(Vec3::Z * (-0.5 * r));
            builder.put(a, Form::Box(size), below, Tint::Shade);
            builder.put(b, Form::Sphere(0.7 * r), Pose::translation(at_b), Tint::Steel);
        }
        Glyph::Rod | Glyph::Cylinder => {
            for (body, at) in [(a, at_a), (b, at_b)] {
                builder.put(body, Form::Sphere(0.8 * r), Pose::translation(at), Tint::Steel);
            }
            support(builder, joint);
        }
        Glyph::Plain => {
            builder.put(b, Form::Sphere(0.9 * r), Pose::translation(at_b), Tint::Steel);
            support(builder, joint);
        }
        Glyph::Nothing => {}
    }
}

/// The pin of a planar mechanism, from the hindmost of its links through the foremost.
fn pin(builder: &mut Builder, joint: &Joint) {
    let (r, flat) = (builder.r, builder.flat());
    let [a, b] = joint.bodies;
    let body = if a == GROUND { b } else { a };
    let side = usize::from(body == b);
    let p = joint.frames[side].origin;
    let n = builder.seen_from(body, builder.front);
    let (low, high) = {
        let (h, k) = (builder.height(a), builder.height(b));
        (h.min(k) - 0.5 * flat, h.max(k) + 0.5 * flat)
    };
    let here = builder.start(body).apply(p).dot(builder.front);
    let middle = |from: f64, to: f64| p + n * (0.5 * (from + to) - here);
    builder.cylinder(body, middle(low, high + 0.3 * flat), n, (0.46 * r, high - low + 0.3 * flat), Tint::Steel);
    if !builder.coarse {
        builder.cylinder(body, middle(high, high + 0.18 * flat), n, (0.66 * r, 0.18 * flat), Tint::Shade);
    }
    if let Some(side) = joint.bodies.iter().position(|b| *b == GROUND) {
        bracket(builder, joint.frames[side].origin);
    }
}

/// A flat pedestal under a pivot on the ground, with hatching below.
fn bracket(builder: &mut Builder, p: Vec3) {
    let (r, flat) = (builder.r, builder.flat());
    let pose = builder.in_layer(GROUND, p, builder.up.cross(builder.front));
    // Around the pin, then down to a wide foot.
    let steps = if builder.coarse { 4 } else { 16 };
    let mut outline: Vec<[f64; 2]> = (0..=steps)
        .map(|k| -0.35 + (std::f64::consts::PI + 0.7) * f64::from(k) / f64::from(steps))
        .map(|angle| [1.2 * r * angle.cosine(), 1.2 * r * angle.sine()])
        .collect();
    outline.extend([[-2.0 * r, -2.9 * r], [2.0 * r, -2.9 * r]]);
    builder.put(GROUND, Form::Plate(outline, flat), pose, Tint::Ground);
    hatch(builder, &(pose * Pose::translation(Vec3::Y * (-2.9 * r))), 5.6 * r);
}

/// A line of ground along x of the frame, with short strokes below it.
pub(super) fn hatch(builder: &mut Builder, frame: &Pose, width: f64) {
    let (r, flat) = (builder.r, builder.flat());
    let bar = Vec3::new(width, 0.22 * r, flat);
    builder.put(GROUND, Form::Box(bar), *frame * Pose::translation(Vec3::Y * (-0.11 * r)), Tint::Steel);
    if builder.coarse {
        return;
    }
    // So many strokes at most, however long the ground is.
    let count = ((width / (0.85 * r)) as usize).clamp(2, 60);
    for k in 0..count {
        let x = width * ((k as f64 + 0.5) / count as f64 - 0.5);
        let turned = Pose::new(Rotation::about(Vec3::Z, -0.9), Vec3::new(x - 0.22 * r, -0.5 * r, 0.0));
        builder.put(GROUND, Form::Box(Vec3::new(0.1 * r, 0.85 * r, 0.6 * flat)), *frame * turned, Tint::Steel);
    }
}

/// A column and a foot under a joint on the ground.
fn support(builder: &mut Builder, joint: &Joint) {
    let Some(side) = joint.bodies.iter().position(|b| *b == GROUND) else { return };
    if !builder.model.bodies[GROUND].shapes.is_empty() {
        return;
    }
    let (r, down) = (builder.r, -builder.up);
    let (p, axis) = (joint.frames[side].origin, joint.frames[side].rotation.axes[2]);
    let foot = Form::Cylinder(2.3 * r, 0.5 * r);
    let glyph = joint.kind.glyph();
    let (reach, on_axis) = (3.0 * r, matches!(glyph, Glyph::Pin | Glyph::Sleeve { .. }));
    if on_axis && axis.dot(down).abs() > 0.7 {
        // The axis stands up: a foot below the sleeve, across the axis.
        let axis = axis * axis.dot(down).signum();
        // Below the sleeve, or at the end of the shaft.
        let below = if glyph == Glyph::Pin { 1.6 * r } else { 4.5 * r };
        let (least, most) = if glyph == Glyph::Pin { (0.0, 0.0) } else { builder.travel(joint) };
        let ends = [least.min(0.0), most.max(0.0)].map(|s| s * axis.dot(joint.frames[side].rotation.axes[2]));
        builder.put(GROUND, foot, along(p + axis * (ends[0].max(ends[1]) + below), axis), Tint::Ground);
        return;
    }
    builder.put(GROUND, Form::Cylinder(0.62 * r, reach), along(p + down * (0.5 * reach), down), Tint::Ground);
    builder.put(GROUND, foot, along(p + down * reach, down), Tint::Ground);
}

/// A block on a rail. The rail belongs to the first body, unless only the second has room for it.
fn slide(builder: &mut Builder, joint: &Joint) {
    let r = builder.r;
    let [a, b] = joint.bodies;
    let shaped = |body: usize| body != GROUND && !builder.model.bodies[body].shapes.is_empty();
    let (least, most) = builder.travel(joint);
    // Where the model draws both parts, only the rod between them is added: as long as the shortest stroke has room for.
    if shaped(a) && shaped(b) {
        if least > 0.0 {
            let (at, axis) = (joint.frames[1].origin, joint.frames[1].rotation.axes[2]);
            builder.cylinder(b, at - axis * (0.5 * least), axis, (0.3 * r, least), Tint::Steel);
        }
        return;
    }
    // The line of a point on a line is the first body's.
    let line = joint.kind.glyph() == Glyph::Follower;
    let swap = !line && (b == GROUND || a != GROUND && builder.points[b].len() > builder.points[a].len());
    let (rail, block, rail_side) = if swap { (b, a, 1) } else { (a, b, 0) };
    let (from, to) = if swap { (-most, -least) } else { (least, most) };
    let length = to - from + 7.0 * r;
    let (frame, block_frame) = (joint.frames[rail_side], joint.frames[1 - rail_side]);
    let u = frame.rotation.axes[2];
    let middle = frame.origin + u * (0.5 * (from + to));
    let v = block_frame.rotation.axes[2];
    builder.covered[block] |= !line;
    if builder.planar {
        let flat = builder.flat();
        if rail != GROUND {
            let pose = builder.in_layer(rail, middle, u);
            builder.put(rail, Form::Box(Vec3::new(length, 0.9 * r, 0.98 * flat)), pose, Tint::Shade);
        } else {
            let pose = builder.in_layer(GROUND, middle, u);
            builder.put(GROUND, Form::Box(Vec3::new(length, 3.0 * r, 0.5 * flat)), pose, Tint::Ground);
            // Hatching on the side that is down, or left of an upright guide.
            let side = if frame.rotation.axes[2].dot(builder.up).abs() > 0.7 {
                builder.up.cross(builder.front)
            } else {
                builder.up
            };
            let flip = if pose.rotation.axes[1].dot(side) < 0.0 { std::f64::consts::PI } else { 0.0 };
            let below =
                pose * Pose::new(Rotation::about(Vec3::Z, flip), Vec3::ZERO) * Pose::translation(Vec3::Y * (-1.5 * r));
            hatch(builder, &below, length);
        }
        let pose = builder.in_layer(block, block_frame.origin, v);
        builder.put(block, Form::Box(Vec3::new(4.2 * r, 2.5 * r, 1.02 * flat)), pose, Tint::Body);
        return;
    }
    let rotation = |axis: Vec3, up: Vec3| {
        let across = (up - axis * up.dot(axis)).unit().unwrap_or_else(|| axis.any_perpendicular());
        Rotation::from_z_x(axis, across).unwrap_or(Rotation::IDENTITY)
    };
    let rail_turn = rotation(u, builder.seen_from(rail, builder.up));
    builder.put(rail, Form::Box(Vec3::new(1.0 * r, 1.0 * r, length)), Pose::new(rail_turn, middle), Tint::Steel);
    if line {
        builder.put(block, Form::Sphere(1.2 * r), Pose::translation(block_frame.origin), Tint::Body);
    } else {
        let turn = rotation(v, builder.seen_from(block, builder.up));
        builder.put(
            block,
            Form::Box(Vec3::new(2.4 * r, 2.4 * r, 4.2 * r)),
            Pose::new(turn, block_frame.origin),
            Tint::Body,
        );
    }
    if rail == GROUND {
        for end in [-0.5, 0.5] {
            let foot = Pose::new(rail_turn, middle + u * (end * length));
            builder.put(GROUND, Form::Box(Vec3::new(2.6 * r, 2.6 * r, 0.7 * r)), foot, Tint::Ground);
        }
    }
}

/// Rings along a spindle.
fn thread(builder: &mut Builder, body: usize, (middle, axis): (Vec3, Vec3), length: f64) {
    let r = builder.r;
    let count = ((length / (0.55 * r)) as usize).clamp(3, 80);
    for k in 0..count {
        let at = middle + axis * (length * ((k as f64 + 0.5) / count as f64 - 0.5));
        builder.cylinder(body, at, axis, (0.9 * r, 0.22 * r), Tint::Steel);
    }
}
