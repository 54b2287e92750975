//! Toothed wheels, rings with inner teeth and racks, in mesh all along the motion.

#![allow(non_snake_case)] // p_B: a point in its body's frame (docs/notation.md).

use super::build::Builder;
use super::meshes::{find, Found, Rack};
use super::scene::{Band, Form, Tint};
use biela_base::sorting::sort_by;
use biela_core::model::{Solid, GROUND};
use biela_math::Elementary;
use biela_math::{Pose, Rotation, Vec3};
use std::f64::consts::PI;

/// Teeth of the smallest wheel of a train, about.
const TEETH: u32 = 16;
/// Wheels that need more teeth are drawn without.
const MOST: u32 = 240;
/// Teeth of a rack at most.
const RACK: f64 = 400.0;
/// A tooth as (part of the pitch, height in depths): outwards by 0.9, inwards by 1.15.
const TOOTH: [(f64, f64); 4] = [(-0.30, -1.15), (-0.15, 0.9), (0.15, 0.9), (0.30, -1.15)];

/// How a train is drawn: numbers of teeth of its wheels, and where each has one, as an angle from x.
struct Cut {
    teeth: Option<Vec<u32>>,
    phases: Vec<f64>,
}

/// Draws every wheel and rack that couplings tell of.
pub(super) fn wheels(builder: &mut Builder) {
    for found in find(builder) {
        let x = found.axis.any_perpendicular();
        for train in found.trains() {
            draw(builder, &found, &train, x);
        }
    }
}

fn draw(builder: &mut Builder, found: &Found, train: &[usize], x: Vec3) {
    let angle = |v: Vec3| v.dot(found.axis.cross(x)).arctangent2(v.dot(x));
    let cut = cut(found, train, angle);
    let (level, thick) = plane_of(builder, found, train);
    for (n, k) in train.iter().enumerate() {
        let wheel = &found.wheels[*k];
        let teeth = cut.teeth.as_ref().map(|t| t[n]);
        let form = match wheel.inner {
            true => ring(wheel.radius, teeth, cut.phases[n], thick),
            false => Form::Plate(outline(wheel.radius, teeth, cut.phases[n]), thick),
        };
        let lifted = wheel.centre + found.axis * (level - wheel.centre.dot(found.axis));
        let frame_W = Pose::new(Rotation::from_z_x(found.axis, x).unwrap_or(Rotation::IDENTITY), lifted);
        let X_BS = builder.start(wheel.body).inverse() * frame_W;
        builder.put(wheel.body, form, X_BS, Tint::Body);
        if !wheel.inner {
            let hub = (0.32 * wheel.radius, 1.35 * thick);
            builder.cylinder(wheel.body, X_BS.origin, X_BS.rotation.axes[2], hub, Tint::Shade);
            builder.covered[wheel.body] = true;
        }
        for rack in found.racks.iter().filter(|r| r.wheel == *k) {
            put_rack(
                builder,
                rack,
                (lifted, wheel.radius),
                (teeth.unwrap_or(TEETH), cut.phases[n] - angle(rack.reach)),
                thick,
            );
        }
    }
}

/// Where a train lies along its axis, and how thick it is: by its layer, else as a drawn cylinder in whose place a wheel stands.
fn plane_of(builder: &mut Builder, found: &Found, train: &[usize]) -> (f64, f64) {
    let mut given = None;
    for k in train {
        let wheel = &found.wheels[*k];
        let X_WB = builder.start(wheel.body);
        for (n, shape) in builder.model.bodies[wheel.body].shapes.iter().enumerate() {
            let Solid::Cylinder { radius, length } = shape.solid else { continue };
            let frame = X_WB * shape.pose;
            let off = frame.origin - wheel.centre;
            let centred = (off - found.axis * off.dot(found.axis)).norm() < 0.02 * radius;
            let along = frame.rotation.axes[2].dot(found.axis).abs() > 0.999;
            // The pitch circle, or the tips of the teeth.
            if centred && along && (0.97..1.25).contains(&(radius / wheel.radius)) && !wheel.inner {
                builder.replaced.push((wheel.body, n));
                given = given.or(Some((frame.origin.dot(found.axis), length)));
            }
        }
    }
    let bodies = train.iter().map(|k| found.wheels[*k].body);
    let first = bodies.filter(|b| *b != GROUND).min();
    let lying = builder.planar && found.axis.dot(builder.front).abs() > 0.999;
    match first.filter(|_| lying) {
        Some(body) => (builder.height(body) * found.axis.dot(builder.front).signum(), builder.flat()),
        None => given.unwrap_or((found.wheels[train[0]].centre.dot(found.axis), 2.0 * builder.r)),
    }
}

/// Numbers of teeth for a train, and where they stand so that teeth meet gaps.
fn cut(found: &Found, train: &[usize], angle: impl Fn(Vec3) -> f64) -> Cut {
    let radii: Vec<f64> = train.iter().map(|k| found.wheels[*k].radius).collect();
    let hints: Vec<Option<u32>> = train.iter().map(|k| found.wheels[*k].hint).collect();
    let teeth = teeth(&radii, &hints);
    let mut phases: Vec<Option<f64>> = vec![None; train.len()];
    phases[0] = Some(0.0);
    let place = |wheel: usize| train.iter().position(|k| *k == wheel);
    // Wheels of a train are listed so that each but the first touches one before it.
    for _ in 0..train.len() {
        for mesh in &found.meshes {
            let [Some(i), Some(j)] = mesh.wheels.map(place) else { continue };
            let (from, to) = match (phases[i], phases[j]) {
                (Some(_), None) => (i, j),
                (None, Some(_)) => (j, i),
                _ => continue,
            };
            let count = teeth.as_ref().map_or(1, |t| t[to]);
            let half = PI / f64::from(count);
            let (a, b) = (&found.wheels[train[from]], &found.wheels[train[to]]);
            let apart = b.centre - a.centre;
            let phase = phases[from].unwrap_or(0.0);
            phases[to] = Some(if a.inner || b.inner {
                // Both have the place where they touch on the same side, outwards from the ring's centre.
                let touch = angle(if b.inner { -apart } else { apart });
                touch - half + (phase - touch) * a.radius / b.radius
            } else {
                let touch = angle(apart);
                touch + PI - half - (phase - touch) * a.radius / b.radius
            });
        }
    }
    Cut { teeth, phases: phases.into_iter().map(|p| p.unwrap_or(0.0)).collect() }
}

/// Numbers of teeth in the ratio of the radii: those that the model is written with, else the smallest near [`TEETH`].
fn teeth(radii: &[f64], hints: &[Option<u32>]) -> Option<Vec<u32>> {
    let whole = |pitch: f64| -> Option<Vec<u32>> {
        let count = |r: &f64| {
            let z = r / pitch;
            let fits = (z - z.round()).abs() < 1e-6 * z && (5.0..=f64::from(MOST)).contains(&z.round());
            fits.then(|| z.round() as u32)
        };
        radii.iter().map(count).collect()
    };
    let hinted = radii.iter().zip(hints).filter_map(|(r, hint)| whole(r / f64::from((*hint)?)));
    if let Some(found) = hinted.into_iter().next() {
        return Some(found);
    }
    let least = radii.iter().copied().fold(f64::INFINITY, f64::min);
    let mut tried: Vec<u32> = (8..=MOST).collect();
    sort_by(&mut tried, |a, b| (a.abs_diff(TEETH), *a).cmp(&(b.abs_diff(TEETH), *b)));
    tried.into_iter().find_map(|z| whole(least / f64::from(z)))
}

/// Height of a tooth of a wheel.
fn depth(radius: f64, count: u32) -> f64 {
    1.1 * radius / f64::from(count)
}

/// A wheel with a tooth at the angle `phase`; round where it has none.
fn outline(radius: f64, count: Option<u32>, phase: f64) -> Vec<[f64; 2]> {
    rim(radius, count, phase, 1.0).into_iter().map(|(r, a)| [r * a.cosine(), r * a.sine()]).collect()
}

/// A ring with inner teeth, one at the angle `phase`.
fn ring(radius: f64, count: Option<u32>, phase: f64, thickness: f64) -> Form {
    let rim = rim(radius, count, phase, -1.0);
    let far = radius + 3.4 * depth(radius, count.unwrap_or(40));
    let at = |r: f64, a: f64| [r * a.cosine(), r * a.sine()];
    let inner = rim.iter().map(|(r, a)| at(*r, *a)).collect();
    let outer = rim.iter().map(|(_, a)| at(far, *a)).collect();
    Form::Band(Band { inner, outer, closed: true, thickness })
}

/// Radius and angle of the corners of a toothed rim; teeth point outwards, or inwards for −1.
fn rim(radius: f64, count: Option<u32>, phase: f64, outwards: f64) -> Vec<(f64, f64)> {
    let Some(count) = count else { return (0..96).map(|k| (radius, 2.0 * PI * f64::from(k) / 96.0)).collect() };
    let (pitch, depth) = (2.0 * PI / f64::from(count), depth(radius, count));
    let corner =
        |k: u32| TOOTH.map(|(part, out)| (radius + outwards * out * depth, phase + pitch * (f64::from(k) + part)));
    (0..count).flat_map(corner).collect()
}

/// A toothed bar as long as the motion needs. `phase` is the angle from the place where they touch to a tooth of the wheel.
fn put_rack(builder: &mut Builder, rack: &Rack, (centre, radius): (Vec3, f64), (count, phase): (u32, f64), thick: f64) {
    let (pitch, depth) = (2.0 * PI * radius / f64::from(count), depth(radius, count));
    let joint = &builder.model.joints[rack.joint];
    let (least, most) = builder.travel(joint);
    let first = (builder.start(joint.bodies[0]) * joint.frames[0])
        .apply_inverse(builder.start(joint.bodies[1]).apply(joint.frames[1].origin))
        .z;
    // Where they touch, along the rack from where they do at first: opposite to its own way.
    let (from, to) = if rack.first { (least - first, most - first) } else { (first - most, first - least) };
    let margin = 3.0 * pitch;
    let tooth = phase * radius * if rack.forwards { 1.0 } else { -1.0 } + 0.5 * pitch;
    let (low, high) = (((from - margin - tooth) / pitch).floor(), ((to + margin - tooth) / pitch).ceil());
    if !(high - low).is_finite() || high - low > RACK {
        return;
    }
    let mut corners = Vec::new();
    for k in low as i64..=high as i64 {
        corners.extend(TOOTH.map(|(part, out)| [tooth + pitch * (k as f64 + part), out * depth]));
    }
    let (start, end) = (corners[0][0] - 0.2 * pitch, corners[corners.len() - 1][0] + 0.2 * pitch);
    let (root, back) = (-1.15 * depth, -1.15 * depth - 1.6 * depth.max(0.4 * builder.r));
    corners.insert(0, [start, root]);
    corners.extend([[end, root], [end, back], [start, back]]);
    corners.reverse();
    // y towards the wheel.
    let Some(y) = (-rack.reach).unit() else { return };
    let frame_W = Pose::new(Rotation { axes: [rack.along, y, rack.along.cross(y)] }, centre + rack.reach);
    let X_BS = builder.start(rack.body).inverse() * frame_W;
    builder.put(rack.body, Form::Plate(corners, thick), X_BS, Tint::Body);
    builder.covered[rack.body] = true;
}

#[cfg(test)]
mod tests {
    use super::teeth;

    #[test]
    fn teeth_keep_the_ratio() {
        for (ratio, due) in [(0.5, [16, 32]), (1.0 / 3.0, [16, 48]), (3.0, [48, 16]), (20.0 / 37.0, [20, 37])] {
            assert_eq!(teeth(&[ratio, 1.0], &[None; 2]), Some(due.to_vec()));
        }
        assert_eq!(teeth(&[std::f64::consts::PI, 1.0], &[None; 2]), None);
        // Sun, planet and ring as they are written.
        assert_eq!(teeth(&[0.024, 0.018, 0.06], &[Some(24), Some(18), None]), Some(vec![24, 18, 60]));
    }
}
