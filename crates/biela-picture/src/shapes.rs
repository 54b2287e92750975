//! Shapes that the model gives, as forms of a picture.

#![allow(non_snake_case)] // X_BS: a solid's pose in its body (docs/notation.md).

use super::build::Builder;
use super::hardware::hatch;
use super::scene::{Band, Form, Tint};
use super::thinning;
use biela_core::joints::Glyph;
use biela_core::model::{Shape, Solid, GROUND};
use biela_math::{Pose, Rotation, Vec3};

/// How wide a line is drawn, in half widths of a link.
const LINE: f64 = 0.5;
/// How far a plane is drawn, in widths of the room that joints take.
const PLANE: f64 = 1.5;

/// Draws a shape of a body.
pub(super) fn put(builder: &mut Builder, body: usize, shape: &Shape) {
    let r = builder.r;
    let tint = shape.colour.map_or(Tint::Body, Tint::Own);
    let plain = |form: Form| (form, shape.pose);
    let (form, X_BS) = match &shape.solid {
        Solid::Rod { length, radius } => {
            // Of two rods that slide in each other the second is the thinner.
            let inner = builder.model.joints.iter().any(|j| j.kind.glyph() == Glyph::Block && j.bodies[1] == body);
            let thinnest = if inner { 0.34 * r } else { 0.45 * r };
            let middle = shape.pose * Pose::translation(Vec3::X * (0.5 * length));
            let turn = Rotation::from_z_x(Vec3::X, Vec3::Y).unwrap_or(Rotation::IDENTITY);
            (Form::Cylinder(radius.max(thinnest), *length), middle * Pose::new(turn, Vec3::ZERO))
        }
        Solid::Box { size } => plain(Form::Box(*size)),
        Solid::Cylinder { radius, length } => plain(Form::Cylinder(*radius, *length)),
        Solid::Capsule { radius, length } => plain(Form::Capsule(*radius, *length)),
        Solid::Sphere { radius } => plain(Form::Sphere(*radius)),
        Solid::Mesh { mesh, .. } => plain(Form::Mesh(thinning::shown(builder.model, mesh))),
        Solid::Plane { normal } => return plane(builder, body, (shape.pose, *normal), tint),
        Solid::Circle { .. } | Solid::Arc { .. } | Solid::Polygon { .. } | Solid::Spline { .. } => {
            let Some(curve) = shape.solid.curve() else { return };
            let thickness = shape.solid.thickness().unwrap_or(builder.flat());
            let form = match curve.closed {
                true => Form::Plate(curve.points, thickness),
                false => Form::Band(Band::along(&curve.points, false, LINE * r, thickness)),
            };
            (form, flat_pose(builder, body, shape.pose))
        }
    };
    builder.put(body, form, X_BS, tint);
}

/// A flat form of a planar mechanism lies in the layer of its body.
fn flat_pose(builder: &Builder, body: usize, X_BS: Pose) -> Pose {
    let n = builder.seen_from(body, builder.front);
    if !builder.planar || X_BS.rotation.axes[2].dot(n).abs() < 0.999 {
        return X_BS;
    }
    let lift = builder.height(body) - builder.start(body).apply(X_BS.origin).dot(builder.front);
    Pose::new(X_BS.rotation, X_BS.origin + n * lift)
}

/// A plane without end, as far as the mechanism goes: a line with strokes below it, or a slab.
fn plane(builder: &mut Builder, body: usize, (X_BS, normal): (Pose, Vec3), tint: Tint) {
    let (r, flat) = (builder.r, builder.flat());
    let (middle, extent) = builder.room;
    let X_WB = builder.start(body);
    let (at, n) = (X_WB.apply(X_BS.origin), X_WB.rotation.apply(X_BS.rotation.apply(normal)));
    // Its part nearest to the mechanism.
    let near_W = middle - n * (middle - at).dot(n);
    let near = X_WB.apply_inverse(near_W);
    let width = PLANE * extent;
    let n_B = builder.seen_from(body, n);
    if builder.planar && n.dot(builder.front).abs() < 1e-3 {
        let pose = builder.in_layer(body, near, n_B.cross(builder.seen_from(body, builder.front)));
        if body == GROUND && tint == Tint::Body {
            return hatch(builder, &pose, width);
        }
        let below = pose * Pose::translation(Vec3::Y * (-0.5 * LINE * r));
        return builder.put(body, Form::Box(Vec3::new(width, LINE * r, flat)), below, tint);
    }
    let rotation = Rotation::from_z_x(n_B, n_B.any_perpendicular()).unwrap_or(Rotation::IDENTITY);
    let slab = Vec3::new(width, width, 0.25 * r);
    builder.put(body, Form::Box(slab), Pose::new(rotation, near - n_B * (0.125 * r)), tint);
}
