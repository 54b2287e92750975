//! Hydraulic cylinders: a tube on one end, a rod that goes into it on the other.

#![allow(non_snake_case)] // p_B: a point in its body's frame (docs/notation.md).

use super::build::{along, Builder};
use super::scene::{Form, Tint};
use super::telescope::{lengths, ROD, TUBE};
use biela_core::joints::Joint;
use biela_core::model::GROUND;
use biela_math::{Elementary, Pose, Vec3};

/// Points this near to the axis, in half widths of a link, lie on it.
const ON_AXIS: f64 = 0.3;

/// Draws a slide between two bodies that hang on points of its own line as a cylinder; false where it is none.
pub(super) fn ram(builder: &mut Builder, joint: &Joint) -> bool {
    let [a, b] = joint.bodies;
    let shaped = |body: usize| body == GROUND || !builder.model.bodies[body].shapes.is_empty();
    // What hangs on more than one eye is a lever with a slot.
    let eyes = |body: usize| builder.model.joints.iter().filter(|j| j.bodies.contains(&body)).count() - 1;
    if shaped(a) || shaped(b) || eyes(a) > 1 || eyes(b) > 1 {
        return false;
    }
    let (frames, r) = (joint.frames, builder.r);
    // Places along the axis of all points of a body, if they lie on it.
    let places = |side: usize| {
        let frame = frames[side];
        let own = builder.points[joint.bodies[side]].iter().map(|p| frame.apply_inverse(*p));
        let on: Option<Vec<f64>> = own.map(|p| (p.x.hypotenuse(p.y) < ON_AXIS * r).then_some(p.z)).collect();
        on.filter(|list| !list.is_empty())
    };
    let (Some(of_a), Some(of_b)) = (places(0), places(1)) else { return false };
    let (least, most) = builder.travel(joint);
    // The tube hangs on the point of its body that is farthest from the other.
    let middle = 0.5 * (least + most);
    let pin = |list: &[f64], from: f64| {
        list.iter().copied().fold(from, |m, s| if (s - from).abs() > (m - from).abs() { s } else { m })
    };
    let base = pin(&of_a, middle);
    let tip = pin(&of_b, 0.0);
    let sense = (middle + tip - base).signum();
    let (near, far) = (sense * (least + tip - base), sense * (most + tip - base));
    let (near, far) = (near.min(far), near.max(far));
    if near <= 2.0 * r || (of_a.len() > 1 && of_a.iter().any(|s| (s - base).abs() > 0.9 * far)) {
        return false;
    }
    let [tube, rod] = lengths((near, far));
    for (body, side, from, length, radius, tint) in
        [(a, 0, base, sense * tube, TUBE, Tint::Body), (b, 1, tip, -sense * rod, ROD, Tint::Steel)]
    {
        let frame = frames[side];
        let u = frame.rotation.axes[2];
        // The rod is in the tube: both lie in the tube's layer.
        let eye = lifted(builder, body, a, frame.origin + u * from);
        builder.put(body, Form::Cylinder(radius * r, length.abs()), along(eye + u * (0.5 * length), u), tint);
        builder.put(
            body,
            Form::Sphere(if side == 0 { TUBE } else { 0.9 } * r),
            Pose::translation(eye),
            if side == 0 { Tint::Body } else { Tint::Steel },
        );
        if side == 0 {
            // The gland that the rod goes through.
            builder.cylinder(body, eye + u * length, u, (1.25 * TUBE * r, 0.7 * r), Tint::Shade);
        }
        builder.drawn[body] = true;
    }
    true
}

/// A point of a body in the layer of another, where there are layers.
fn lifted(builder: &Builder, body: usize, layer: usize, p: Vec3) -> Vec3 {
    if !builder.planar {
        return p;
    }
    let lift = builder.height(layer) - builder.start(body).apply(p).dot(builder.front);
    p + builder.seen_from(body, builder.front) * lift
}
