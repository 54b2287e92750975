//! Toothed wheels of gear couplings, in mesh all along the motion.

#![allow(non_snake_case)] // p_B: a point in its body's frame (docs/notation.md).

use super::build::Builder;
use super::scene::{Form, Tint};
use biela_core::couplings::Coupling;
use biela_core::joints::Joint;
use biela_math::Elementary;
use biela_math::{Pose, Rotation, Vec3};

/// Teeth of the smaller wheel, about.
const TEETH: f64 = 16.0;
/// Ratios of greater numbers of teeth are drawn without teeth.
const MOST: u32 = 240;

/// Draws both wheels of every pair of outer gears with parallel axes on one carrier.
pub(super) fn wheels(builder: &mut Builder) {
    let model = builder.model;
    // By their teeth where they have some: which way joints count is not how wheels turn.
    let outer = |c: &&Coupling| c.train.as_ref().map_or(c.ratio < 0.0, |train| !train.internal);
    for coupling in model.couplings.iter().filter(|c| c.kind.keyword() == "gear").filter(outer) {
        let [first, second] = coupling.coordinates[..] else { continue };
        let [first, second] = [first, second].map(|c| &model.joints[c.joint]);
        let carrier = first.bodies.iter().find(|b| second.bodies.contains(b));
        let (Some(carrier), true) = (carrier.copied(), first.is_pivot() && second.is_pivot()) else { continue };
        let place = |j: &Joint| {
            let side = usize::from(j.bodies[0] == carrier);
            let frame = builder.start(j.bodies[side]) * j.frames[side];
            (j.bodies[side], j.frames[side], frame)
        };
        let ((body_a, frame_a, world_a), (body_b, frame_b, world_b)) = (place(first), place(second));
        let axis = world_a.rotation.axes[2];
        let apart = world_b.origin - world_a.origin;
        let apart = apart - axis * apart.dot(axis);
        let Some(u) = apart.unit().filter(|_| axis.dot(world_b.rotation.axes[2]).abs() > 0.999) else { continue };
        let ratio = coupling.ratio.abs();
        let (r_b, r_a) = (apart.norm() / (1.0 + ratio), apart.norm() * ratio / (1.0 + ratio));
        let Some((z_a, z_b)) = teeth(ratio) else { continue };
        let depth = 1.1 * r_a / f64::from(z_a);
        for (body, frame, towards, radius, z, gap) in
            [(body_a, frame_a, u, r_a, z_a, false), (body_b, frame_b, -u, r_b, z_b, true)]
        {
            let x = builder.seen_from(body, towards);
            let rotation = Rotation::from_z_x(frame.rotation.axes[2], x).unwrap_or(Rotation::IDENTITY);
            // Both wheels of a pair lie in one plane, that of the body that comes first.
            let lift = if builder.planar {
                let n = builder.seen_from(body, builder.front);
                let level = builder.height(body_a.min(body_b));
                n * (level - builder.start(body).apply(frame.origin).dot(builder.front))
            } else {
                Vec3::ZERO
            };
            let thick = if builder.planar { builder.flat() } else { 2.0 * builder.r };
            let form = Form::Plate(outline(radius, depth, z, gap), thick);
            builder.put(body, form, Pose::new(rotation, frame.origin + lift), Tint::Body);
            builder.cylinder(
                body,
                frame.origin + lift,
                frame.rotation.axes[2],
                (0.32 * radius, 1.35 * thick),
                Tint::Shade,
            );
            builder.covered[body] = true;
        }
    }
}

/// Numbers of teeth in this ratio (first to second), the smaller near [`TEETH`].
fn teeth(ratio: f64) -> Option<(u32, u32)> {
    let exact = |q: u32| {
        let p = ratio * f64::from(q);
        (p.round() >= 1.0 && (p - p.round()).abs() < 1e-6 * p).then_some((p.round() as u32, q))
    };
    let (p, q) = (1..=MOST).find_map(exact)?;
    let times = (TEETH / f64::from(p.min(q))).round().max(1.0) as u32;
    (times * p.max(q) <= MOST).then_some((times * p, times * q))
}

/// A wheel with `count` teeth, a tooth (or a gap) on the x axis.
fn outline(radius: f64, depth: f64, count: u32, gap: bool) -> Vec<[f64; 2]> {
    let pitch = 2.0 * std::f64::consts::PI / f64::from(count);
    let start = if gap { 0.5 * pitch } else { 0.0 };
    let tooth = [(-0.30, -1.15), (-0.15, 0.9), (0.15, 0.9), (0.30, -1.15)];
    let corners = (0..count).flat_map(|k| {
        tooth.map(|(part, out)| {
            let (angle, at) = (start + pitch * (f64::from(k) + part), radius + out * depth);
            [at * angle.cosine(), at * angle.sine()]
        })
    });
    corners.collect()
}

#[cfg(test)]
mod tests {
    use super::teeth;

    #[test]
    fn teeth_keep_the_ratio() {
        for (ratio, due) in [(0.5, (16, 32)), (1.0 / 3.0, (16, 48)), (3.0, (48, 16)), (20.0 / 37.0, (20, 37))] {
            assert_eq!(teeth(ratio), Some(due));
        }
        assert_eq!(teeth(std::f64::consts::PI), None);
    }
}
