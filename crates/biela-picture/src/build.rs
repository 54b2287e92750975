//! What all parts of a scene are made with: measures that they share, and what they are gathered in.
//!
//! A planar mechanism is drawn as flat links in layers, one behind the other as on a real machine, so that none cuts another;
//! seen from the front every point is where the model has it. In space links are round.

#![allow(non_snake_case)] // X_WB: a body's pose in the ground (docs/notation.md).

use super::plane::Outlook;
use super::room::{around, touching};
use super::scene::{DriverMark, Figure, Form, JointMark, Part, PointMark, Scene, Strut, StrutKind, Tint};
use super::{telescope, Animation};
use biela_base::quick_hash::QuickMap;
use biela_base::sorting::sort_by;
use biela_core::drivers::Target;
use biela_core::joints::{Glyph, Joint, Key, Marker};
use biela_core::linkage::{pairs, plane};
use biela_core::loads::Law;
use biela_core::model::{Body, Model, Solid, GROUND};
use biela_core::solve::headline::first_drawn;
use biela_math::{Pose, Rotation, Vec3};
use biela_plot::body_colour;
use std::collections::VecDeque;

/// Half the width of a link, in parts of the room that joints take and of the longest link at most.
const OF_SIZE: f64 = 0.024;
const OF_LINK: f64 = 0.11;
/// With more moving bodies than this some share a layer.
const OWN_LAYERS: usize = 10;
/// With more bodies than this they are small in any picture, and drawn with fewer corners.
const MANY: usize = 60;
/// Samples that tell the room a motion takes.
const SAMPLES: usize = 60;
/// Colour of the ground.
const GREY: [u8; 3] = [163, 171, 181];

/// What all parts are made with.
pub(super) struct Builder<'a> {
    pub model: &'a Model,
    pub motion: &'a Animation<'a>,
    pub planar: bool,
    pub front: Vec3,
    pub up: Vec3,
    /// Half the width of a link.
    pub r: f64,
    pub size: f64,
    /// The middle of the room that joint points take, and how wide it is.
    pub room: (Vec3, f64),
    /// Whether round things get few corners.
    pub coarse: bool,
    /// Whether any body looks as it is by a mesh.
    meshed: bool,
    /// Layer of each body in a planar mechanism; the ground is behind all.
    layers: Vec<f64>,
    /// Place along `front` of layer 0.
    base: f64,
    /// Joint points and named points of each body, in its frame, each once.
    pub points: Vec<Vec<Vec3>>,
    /// Bodies whose form is a block on a rail, so that a lone point needs no disc.
    pub covered: Vec<bool>,
    /// Bodies that are drawn already, and shapes (body and number) in whose place something else is.
    pub drawn: Vec<bool>,
    pub replaced: Vec<(usize, usize)>,
    pub figures: Vec<Figure>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(model: &'a Model, motion: &'a Animation<'a>) -> Builder<'a> {
        let joint_points = |sample: usize| {
            let poses = motion.frame(sample);
            model.joints.iter().flat_map(move |j| {
                let poses = &poses;
                [0, 1].map(|side| poses[j.bodies[side]].apply(j.frames[side].origin)).into_iter().collect::<Vec<_>>()
            })
        };
        let [least, most] = around(joint_points(0));
        let mut size = (most - least).norm();
        let points = own_points(model, size);
        let mut lengths: Vec<f64> = points.iter().skip(1).map(|p| span(p)).filter(|l| *l > 1e-9 * size).collect();
        sort_by(&mut lengths, f64::total_cmp);
        let longest = lengths.last().copied();
        if !(size > 0.0 && size.is_finite()) {
            // One joint alone: as large as the body on it, or a metre.
            size = longest.unwrap_or(1.0).max(1e-9);
        }
        // What slides far needs a rail that is long, and thick enough to be seen.
        let [low, high] = around(motion.some(SAMPLES).flat_map(joint_points));
        let extent = (high - low).norm().max(size);
        let r = (OF_SIZE * extent).min(OF_LINK * longest.unwrap_or(extent).max(0.2 * (extent - size)));
        let outlook = Outlook::new(model, motion, size);
        let heights: Vec<f64> = joint_points(0).map(|p| p.dot(outlook.front)).collect();
        let middle = heights.iter().sum::<f64>() / heights.len().max(1) as f64;
        let layers = layers(model);
        let top = layers.iter().fold(0.0f64, |m, l| m.max(*l));
        let usual = |k: usize| if k == GROUND { GREY } else { body_colour(k - 1) };
        let colour = |k: usize| model.bodies[k].colour.unwrap_or_else(|| usual(k));
        let figures = model.bodies.iter().enumerate();
        let figures = figures.map(|(k, body)| Figure {
            name: body.name.clone(),
            colour: colour(k),
            parts: Vec::new(),
            label: centre(&points[k]),
        });
        let mut builder = Builder {
            model,
            motion,
            planar: outlook.planar,
            front: outlook.front,
            up: outlook.up,
            r,
            size,
            room: ((low + high) * 0.5, extent),
            coarse: model.bodies.len() > MANY,
            meshed: model.bodies.iter().any(has_mesh),
            layers,
            base: 0.0,
            figures: figures.collect(),
            covered: vec![false; model.bodies.len()],
            drawn: vec![false; model.bodies.len()],
            replaced: Vec::new(),
            points,
        };
        builder.base = middle - 0.5 * top * builder.pitch();
        builder
    }

    /// Whether a body looks as it is: by a mesh, or, in a model that has meshes, by nothing since it is but a frame.
    pub fn is_dressed(&self, body: usize) -> bool {
        let own = &self.model.bodies[body];
        let frame = own.shapes.is_empty() && own.mass.is_none_or(|m| m.mass == 0.0);
        has_mesh(own) || (frame && self.meshed)
    }

    /// Thickness of a flat link.
    pub fn flat(&self) -> f64 {
        0.7 * self.r
    }

    /// Distance of two layers.
    fn pitch(&self) -> f64 {
        1.08 * self.flat()
    }

    /// Where the layer of a body lies along `front`.
    pub fn height(&self, body: usize) -> f64 {
        self.base + self.layers[body] * self.pitch()
    }

    /// Pose of a body at the first sample.
    pub fn start(&self, body: usize) -> Pose {
        self.motion.pose(body, 0)
    }

    /// A ground direction in a body's frame.
    pub fn seen_from(&self, body: usize, v_W: Vec3) -> Vec3 {
        self.start(body).rotation.apply_transposed(v_W)
    }

    /// The frame in a body whose x and y lie in its layer and whose origin is below or above point `p_B`; x along `x_B`.
    pub fn in_layer(&self, body: usize, p_B: Vec3, x_B: Vec3) -> Pose {
        let n = self.seen_from(body, self.front);
        let lift = self.height(body) - self.start(body).apply(p_B).dot(self.front);
        let rotation = Rotation::from_z_x(n, x_B).unwrap_or(Rotation::IDENTITY);
        Pose::new(rotation, p_B + n * lift)
    }

    /// Adds a part to a body.
    pub fn put(&mut self, body: usize, form: Form, X_BS: Pose, tint: Tint) {
        let finite = X_BS.origin.is_finite();
        if finite {
            let own = matches!(tint, Tint::Steel | Tint::Own(_));
            let tint = if body == GROUND && !own { Tint::Ground } else { tint };
            self.figures[body].parts.push(Part { form, X_BS, tint });
        }
    }

    /// Adds a cylinder about `axis` with its middle at `at`.
    pub fn cylinder(&mut self, body: usize, at: Vec3, axis: Vec3, (radius, length): (f64, f64), tint: Tint) {
        self.put(body, Form::Cylinder(radius, length), along(at, axis), tint);
    }

    /// Least and greatest slide of the second body's point along the first body's axis.
    pub fn travel(&self, joint: &Joint) -> (f64, f64) {
        let slides = self.motion.some(200).map(|k| {
            let p_W = self.motion.pose(joint.bodies[1], k).apply(joint.frames[1].origin);
            (self.motion.pose(joint.bodies[0], k) * joint.frames[0]).apply_inverse(p_W).z
        });
        let (least, most) = slides.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), s| (a.min(s), b.max(s)));
        if least.is_finite() && most.is_finite() {
            (least, most)
        } else {
            (0.0, 0.0)
        }
    }

    pub(super) fn finish(self) -> Scene {
        let Builder { model, motion, .. } = self;
        let marks = model.joints.iter().map(|j| JointMark {
            name: j.name.clone(),
            kind: j.kind.keyword(),
            bodies: j.bodies,
            at: [j.frames[0].origin, j.frames[1].origin],
            axis: j.kind.keys().contains(&Key::Axis).then(|| [0, 1].map(|side| j.frames[side].rotation.axes[2])),
        });
        let mut points: Vec<PointMark> = Vec::new();
        for (body, figure) in model.bodies.iter().enumerate().skip(1) {
            let named = figure.points.iter().map(|(name, at)| PointMark { body, name: name.clone(), at: *at });
            points.extend(named);
            if figure.points.is_empty() {
                points.push(PointMark { body, name: String::new(), at: Vec3::ZERO });
            }
        }
        let mut scene = Scene {
            name: model.name.clone(),
            about: model.about.clone(),
            units: model.study.units.clone(),
            joints: marks.collect(),
            struts: struts(model, motion, self.r),
            points,
            drivers: drivers(model),
            size: self.size,
            thickness: self.r,
            planar: self.planar,
            coarse: self.coarse,
            front: self.front,
            up: self.up,
            lift: self.layers.iter().fold(0.0f64, |m, l| m.max(*l)) * 0.5 * self.pitch() + 0.5 * self.flat(),
            plots: first_drawn(model, &|name| motion.signal(name).map(|c| c.data.as_slice())),
            loose: None,
            outermost: Vec::new(),
            links: if self.planar && plane(model).is_some() { pairs(model) } else { Vec::new() },
            figures: self.figures,
        };
        scene.outermost = outermost(&scene, motion);
        scene
    }
}

/// The outermost points of all parts over the motion, in directions spread over a sphere.
fn outermost(scene: &Scene, motion: &Animation) -> Vec<Vec3> {
    // A box has eight corners; of a long motion so many samples tell enough.
    let samples: Vec<usize> = motion.some((200_000 / (8 * scene.figures.len().max(1))).clamp(2, SAMPLES)).collect();
    let steps = [-1.0, -0.5, 0.0, 0.5, 1.0];
    let all = steps.iter().flat_map(|x| steps.iter().flat_map(move |y| steps.map(|z| Vec3::new(*x, *y, z))));
    let directions: Vec<Vec3> = all.filter_map(Vec3::unit).collect();
    let mut found: Vec<Option<(f64, Vec3)>> = vec![None; directions.len()];
    // Points about a middle, none of which is farther from it than the radius: where that cannot reach beyond what is known, none is looked at.
    let mut hear = |middle: Vec3, radius: f64, points: &[Vec3]| {
        for (slot, direction) in found.iter_mut().zip(&directions) {
            let within = |best: f64| direction.dot(middle) + radius <= best;
            if slot.is_some_and(|(best, _)| within(best)) {
                continue;
            }
            for p in points.iter().filter(|p| p.is_finite()) {
                let reach = direction.dot(*p);
                if slot.is_none_or(|(best, _)| reach > best) {
                    *slot = Some((reach, *p));
                }
            }
        }
    };
    for (figure, body) in scene.figures.iter().zip(0..) {
        for part in &figure.parts {
            let box_ = super::surface::reach(&part.form);
            // A little more, for the rounding of what is turned.
            let (centre, radius) = ((box_[0] + box_[1]) * 0.5, 0.5 * (box_[1] - box_[0]).norm() * (1.0 + 1e-9));
            // What is fixed to the ground stays where it is.
            let count = if body == GROUND { 1 } else { samples.len() };
            for sample in &samples[..count] {
                let pose = motion.pose(body, *sample) * part.X_BS;
                let pick = |k: usize, i: usize| box_[k >> i & 1][i];
                let corners: [Vec3; 8] =
                    std::array::from_fn(|k| pose.apply(Vec3::new(pick(k, 0), pick(k, 1), pick(k, 2))));
                hear(pose.apply(centre), radius, &corners);
            }
        }
    }
    for sample in samples {
        let poses = motion.frame(sample);
        let mut lone = |body: usize, at: Vec3| {
            let p = poses[body].apply(at);
            hear(p, 0.0, &[p]);
        };
        scene.points.iter().for_each(|p| lone(p.body, p.at));
        scene.joints.iter().for_each(|j| lone(j.bodies[0], j.at[0]));
        scene.struts.iter().flat_map(|s| s.ends).for_each(|(body, at)| lone(body, at));
    }
    let mut points: Vec<Vec3> = Vec::new();
    for (_, p) in found.into_iter().flatten() {
        if !points.contains(&p) {
            points.push(p);
        }
    }
    points
}

fn has_mesh(body: &Body) -> bool {
    body.shapes.iter().any(|s| matches!(s.solid, Solid::Mesh { .. }))
}

/// A frame at `at` with z along `axis`.
pub(super) fn along(at: Vec3, axis: Vec3) -> Pose {
    let rotation = Rotation::from_z_x(axis, axis.any_perpendicular()).unwrap_or(Rotation::IDENTITY);
    Pose::new(rotation, at)
}

/// The mean of points.
fn centre(points: &[Vec3]) -> Vec3 {
    points.iter().fold(Vec3::ZERO, |s, p| s + *p) * (1.0 / points.len().max(1) as f64)
}

/// The largest distance between two of the points.
fn span(points: &[Vec3]) -> f64 {
    let pairs = points.iter().enumerate().flat_map(|(k, a)| points[k + 1..].iter().map(move |b| (*a - *b).norm()));
    pairs.fold(0.0, f64::max)
}

/// Joint points and named points of each body, each place once. What slides along a body is no point of it.
fn own_points(model: &Model, size: f64) -> Vec<Vec<Vec3>> {
    let mut points = vec![Vec::new(); model.bodies.len()];
    for j in model.joints.iter().filter(|j| j.kind.drawn_points() == [true; 2]) {
        (0..2).for_each(|side| points[j.bodies[side]].push(j.frames[side].origin));
    }
    for j in &model.joints {
        if let Some(side) = [[true, false], [false, true]].iter().position(|drawn| *drawn == j.kind.drawn_points()) {
            points[j.bodies[side]].push(j.frames[side].origin);
        }
    }
    for (points, body) in points.iter_mut().zip(&model.bodies).skip(1) {
        points.extend(body.points.iter().map(|p| p.1));
    }
    // Points closer than this are one.
    points.into_iter().map(|of| once(of, 1e-6 * size)).collect()
}

/// Those of the points that lie farther than `near` from all before them that do.
fn once(points: Vec<Vec3>, near: f64) -> Vec<Vec3> {
    /// Beyond so many, as the ground of a large machine has, only those in cells around are looked at.
    const MANY: usize = 64;
    let mut kept: Vec<Vec3> = Vec::new();
    let cells = points.len() > MANY && near > 0.0 && near.is_finite();
    let cell = |p: &Vec3| p.to_array().map(|x| (0.5 * x / near).floor() as i64);
    let mut within: QuickMap<[i64; 3], Vec<usize>> = QuickMap::default();
    for p in points {
        let apart = |q: &Vec3| (*q - p).norm() > near;
        let alone = if cells {
            touching(cell(&p)).filter_map(|cell| within.get(&cell)).flatten().all(|k| apart(&kept[*k]))
        } else {
            kept.iter().all(apart)
        };
        if alone {
            if cells {
                within.entry(cell(&p)).or_default().push(kept.len());
            }
            kept.push(p);
        }
    }
    kept
}

/// Layers of a planar mechanism: in the order in which joints lead from the ground to the bodies.
fn layers(model: &Model) -> Vec<f64> {
    let count = model.bodies.len();
    let mut neighbours = vec![Vec::new(); count];
    for joint in &model.joints {
        let [a, b] = joint.bodies;
        neighbours[a].push(b);
        neighbours[b].push(a);
    }
    let mut layer: Vec<Option<usize>> = vec![None; count];
    let mut next = 0;
    for root in 0..count {
        let mut queue = VecDeque::from([root]);
        while let Some(body) = queue.pop_front() {
            if layer[body].is_some() {
                continue;
            }
            let free = |l: &usize| neighbours[body].iter().all(|n| *n == GROUND || layer[*n] != Some(*l));
            layer[body] = match body {
                GROUND => Some(0),
                _ if count - 1 <= OWN_LAYERS => Some(next),
                _ => (0..count).find(free),
            };
            next += usize::from(body != GROUND);
            queue.extend(neighbours[body].iter().filter(|n| layer[**n].is_none()));
        }
    }
    layer.iter().enumerate().map(|(k, l)| if k == GROUND { -1.15 } else { l.unwrap_or(0) as f64 }).collect()
}

fn struts(model: &Model, motion: &Animation, r: f64) -> Vec<Strut> {
    let ends = |j: &Joint| [0, 1].map(|side| (j.bodies[side], j.frames[side].origin));
    let mut found = Vec::new();
    for joint in &model.joints {
        let strut = |kind: StrutKind, radius: f64| Strut { name: joint.name.clone(), ends: ends(joint), kind, radius };
        match joint.kind.glyph() {
            Glyph::Rod => found.push(strut(StrutKind::Rod, 0.5 * r)),
            Glyph::Cylinder => {
                let [tube, rod] = telescope::lengths(telescope::reach(motion, ends(joint)));
                found.push(strut(StrutKind::From(0, tube), telescope::TUBE * r));
                found.push(strut(StrutKind::From(1, rod), telescope::ROD * r));
            }
            _ => {}
        }
    }
    found.extend(model.loads.iter().filter_map(|load| match &load.law {
        Law::Between { ends, .. } => {
            Some(Strut { name: load.name.clone(), ends: *ends, kind: StrutKind::Spring, radius: 1.1 * r })
        }
        _ => None,
    }));
    found
}

fn drivers(model: &Model) -> Vec<DriverMark> {
    let mark = |driver: &biela_core::drivers::Driver| {
        let (body, at, along, torque, in_ground) = match &driver.target {
            Target::Coordinate { of, .. } => {
                let joint = &model.joints[of.joint];
                let coordinate = joint.kind.coordinates().get(of.coordinate);
                let axes = joint.frames[1].rotation.axes;
                let own = joint.freedom_of(of.coordinate).and_then(|f| f.sliding().or(f.turning().map(|t| t.0)));
                let axis = axes[own.map_or(2, |axis| axis.index())];
                (joint.bodies[1], joint.frames[1].origin, Some(axis), coordinate.is_some_and(|c| c.angle), false)
            }
            // It stands at the first joint that turns with it.
            Target::Rotor { coordinates, .. } => {
                let joint = coordinates.first().map(|of| &model.joints[of.joint])?;
                (joint.bodies[1], joint.frames[1].origin, Some(joint.frames[1].rotation.axes[2]), true, false)
            }
            Target::Point { body, p_B, along, .. } => (*body, *p_B, Some(*along), false, true),
            // It stands at the last point that it is measured to.
            Target::Measure { measure, length, .. } => {
                let point = |marker: &Marker| match *marker {
                    Marker::Point { body, p_B } => Some((body, p_B)),
                    _ => None,
                };
                let (body, p_B) = measure.markers().iter().rev().find_map(point)?;
                (body, p_B, None, !length, true)
            }
            Target::Orientation { body, .. } => (*body, Vec3::ZERO, None, true, true),
        };
        Some(DriverMark { name: driver.name.clone(), body, at, along, torque, in_ground })
    };
    model.drivers.iter().filter_map(mark).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use biela_math::random::Random;

    #[test]
    fn of_many_points_the_same_are_kept_as_of_few() {
        let mut random = Random(1);
        // Clusters about as wide as what is one point.
        let mut points: Vec<Vec3> = Vec::new();
        for _ in 0..300 {
            let centre = Vec3::new(random.signed(), random.signed(), random.signed());
            points.extend((0..5).map(|_| centre + Vec3::new(random.signed(), random.signed(), random.signed()) * 1e-3));
        }
        let mut few: Vec<Vec3> = Vec::new();
        for p in &points {
            if few.iter().all(|q| (*q - *p).norm() > 1e-3) {
                few.push(*p);
            }
        }
        assert!(few.len() < points.len());
        assert_eq!(once(points, 1e-3), few);
    }
}
