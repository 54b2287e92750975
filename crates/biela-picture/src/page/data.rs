//! The data of a page as JSON: the scene as it stands, numbers that change with time as base64.

#![allow(non_snake_case)] // X_BS: a solid's pose in its body (docs/notation.md).

use super::blob::Blob;
use super::{base64, hand, linkage};
use crate::look::{point_name, Look};
use crate::scene::{DriverMark, JointMark, PointMark, StrutKind};
use crate::surface::{Library, Surface};
use crate::{Animation, Scene};
use biela_base::signal_name;
use biela_math::{Pose, Vec3};
use biela_plot::COLOURS;
use biela_results::Column;
use serde_json::{json, Value};
use std::borrow::Cow;
use std::collections::HashMap;

/// Poses of more bytes than this are stored in 16 bits a number, over the range of each: finer than a pixel.
const POSES_AS_FLOATS: usize = 2 << 20;
/// Bytes that signals may take; what does not fit is left out and counted.
const SIGNALS: usize = 2_600_000;
/// The same for each of many motions.
const SHORT: usize = 16_000;

/// What tells of the run itself.
const OF_THE_RUN: [&str; 4] = [signal_name::RESIDUAL, "mode", "singularity", "lag"];

/// How much of the signals is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// As many as there is room for.
    Whole,
    /// Those that people look at first.
    Short,
}

/// The data of a page.
pub fn data(scene: &Scene, motion: &Animation) -> String {
    data_with(scene, motion, &Look::default())
}

/// The data of a page that opens with that look.
pub fn data_with(scene: &Scene, motion: &Animation, look: &Look) -> String {
    told(scene, motion, look, Extent::Whole, &[])
}

/// The surfaces of a scene as the page reads them.
pub(super) fn surfaces(scene: &Scene) -> Vec<Value> {
    let mut library = Library::new(scene.coarse);
    (0..scene.figures.len()).for_each(|k| drop(figure(scene, k, &mut library)));
    scene.struts.iter().for_each(|s| drop(library.place(&s.part())));
    library.surfaces.iter().map(surface).collect()
}

/// A surface without what it has in common with that of another picture.
fn less(mut own: Value, other: Option<&Value>) -> Value {
    let Some(other) = other else { return own };
    if own == *other {
        return Value::Null;
    }
    for key in ["normals", "triangles"] {
        if own[key] == other[key] {
            own[key] = Value::Null;
        }
    }
    own
}

/// The same, with so much of the signals, and of surfaces what those of another picture do not have.
pub(super) fn told(scene: &Scene, motion: &Animation, look: &Look, extent: Extent, base: &[Value]) -> String {
    let mut blob = Blob::default();
    let floats = extent == Extent::Whole && motion.bodies() * 7 * motion.len() * 4 <= POSES_AS_FLOATS;
    let times = blob.channel(motion.times, true);
    let poses: Vec<Value> = (0..motion.bodies())
        .map(|b| match motion.channels(b) {
            Some(channels) => channels.iter().map(|c| blob.channel(c, floats)).collect(),
            None => Value::Null,
        })
        .collect();
    let signals = Signals::choose(scene, motion, extent);
    let stored: Vec<Value> = signals
        .columns
        .iter()
        .map(|c| {
            let scale = scene.units.scale(c.unit);
            let shown: Cow<[f64]> = match scale.is_unchanged() {
                true => Cow::Borrowed(&c.data),
                false => c.data.iter().map(|x| scale.shown(*x)).collect(),
            };
            json!({ "name": c.name, "unit": scale.unit, "data": blob.channel(&shown, signals.floats) })
        })
        .collect();
    let time = scene.units.scale("s");
    let [centres, circles] = linkage::marks(scene, motion, &mut blob);
    let mut library = Library::new(scene.coarse);
    let figures: Vec<Value> = (0..scene.figures.len()).map(|k| figure(scene, k, &mut library)).collect();
    let joints: Vec<Value> = scene.joints.iter().map(|j| joint(j, &signals)).collect();
    let points: Vec<Value> = scene.points.iter().map(|p| point(scene, p, &signals)).collect();
    let drivers: Vec<Value> = scene.drivers.iter().map(|d| driver(d, &signals)).collect();
    let struts: Vec<Value> = scene
        .struts
        .iter()
        .map(|s| {
            let ends = s.ends.map(|(body, at)| json!({ "body": body, "at": vector(at) }));
            let part = s.part();
            let placed = library.place(&part).first().map(|p| (p.surface, p.scale)).unwrap_or((0, Vec3::ZERO));
            // Where it stands on the line between its ends: 0.5 in the middle and stretched, else at an end with its own length.
            let from = if let StrutKind::From(end, _) = s.kind { end as f64 } else { 0.5 };
            json!({ "name": s.name, "ends": ends, "s": placed.0, "scale": vector(placed.1), "from": from, "colour": scene.colour(0, part.tint) })
        })
        .collect();
    // So many of the unit that people read lengths in are a metre.
    let length = scene.units.scale("m");
    let value = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "name": scene.name,
        "about": scene.about,
        "size": scene.size,
        "length": [length.unit, length.ratio()],
        "thickness": scene.thickness,
        "planar": scene.planar,
        "front": vector(scene.front),
        "up": vector(scene.up),
        "lift": scene.lift,
        "outermost": scene.outermost.iter().map(|p| vector(*p)).collect::<Vec<_>>(),
        "colours": COLOURS,
        "surfaces": library.surfaces.iter().enumerate().map(|(k, s)| less(surface(s), base.get(k))).collect::<Vec<_>>(),
        "bodies": figures,
        "joints": joints,
        "points": points,
        "drivers": drivers,
        "struts": struts,
        "hand": scene.loose.as_ref().map(|loose| hand::data(scene, loose)),
        "samples": motion.len(),
        "ended": motion.ended.as_ref().map(|(words, t, asked)| json!({ "words": words, "t": t, "asked": asked })),
        "times": times,
        "time": { "unit": time.unit, "ratio": time.ratio() },
        "poses": poses,
        "signals": stored,
        "untold": signals.untold,
        "plots": signals.plots,
        "mode": motion.signal("mode").and_then(|c| c.data.first().copied()),
        "centres": centres,
        "circles": circles,
        "look": first_look(look),
        "blob": base64(&blob.bytes),
    });
    safe(&value.to_string())
}

/// JSON inside a page, where no text may look like a tag; U+2028 and U+2029 are safe in JSON that is parsed as JSON.
pub(super) fn safe(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// What the page shows first, where that is not what it always does.
fn first_look(look: &Look) -> Value {
    if *look == Look::default() {
        return Value::Null;
    }
    json!({
        "traces": look.traces,
        "names": !look.names.is_empty(),
        "arrows": look.arrows.iter().map(|a| a.word()).collect::<Vec<_>>(),
        "dark": look.dark,
        "grid": look.grid,
        "view": look.view.map(|v| json!({ "yaw": v.azimuth, "pitch": v.elevation, "zoom": v.zoom })),
    })
}

/// The signals that a page holds.
struct Signals<'r> {
    columns: Vec<&'r Column>,
    index: HashMap<&'r str, usize>,
    untold: usize,
    floats: bool,
    plots: Vec<String>,
    /// Whether what has no z stays in a plane.
    planar: bool,
}

impl<'r> Signals<'r> {
    /// Those that people look at first, then the rest as far as there is room.
    fn choose(scene: &Scene, motion: &Animation<'r>, extent: Extent) -> Signals<'r> {
        let all = motion.signals();
        let wanted = all.iter().filter(told_one).count();
        let most = if extent == Extent::Whole { SIGNALS } else { SHORT };
        let floats = extent == Extent::Whole && wanted * motion.len() * 4 <= most;
        let room = most / (motion.len().max(1) * if floats { 4 } else { 2 });
        let mut found = Signals {
            columns: Vec::new(),
            index: HashMap::new(),
            untold: 0,
            floats,
            plots: scene.plots.clone(),
            planar: scene.planar,
        };
        let mut add = |column: Option<&'r Column>| {
            let Some(column) = column.filter(told_one) else { return };
            if found.columns.len() < room && !found.index.contains_key(column.name.as_str()) {
                found.index.insert(&column.name, found.columns.len());
                found.columns.push(column);
            }
        };
        scene.plots.iter().filter(|_| extent == Extent::Short).for_each(|name| add(motion.signal(name)));
        for driver in &scene.drivers {
            add(motion.signal(&signal_name::effort(&driver.name)));
            signal_name::efforts(&driver.name).iter().for_each(|name| add(motion.signal(name)));
        }
        // Names without an element are those that the model makes of others.
        let own = |c: &&Column| signal_name::split(&c.name).is_none() && !OF_THE_RUN.contains(&c.name.as_str());
        all.iter().filter(own).for_each(|c| add(Some(c)));
        all.iter().filter(|c| signal_name::is_of(&c.name, signal_name::ENERGY)).for_each(|c| add(Some(c)));
        for level in [str::to_string, signal_name::rate, signal_name::accel] {
            for joint in &scene.joints {
                for leaf in ["angle", "slide", "angle1", "angle2", "x", "y"] {
                    add(motion.signal(&level(&signal_name::join(&joint.name, leaf))));
                }
            }
        }
        for leaf in ["x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az"] {
            scene.points.iter().for_each(|p| add(motion.signal(&signal_name::join(&point_name(scene, p), leaf))));
        }
        all.iter().for_each(|c| add(Some(c)));
        found.untold = wanted - found.columns.len();
        found
    }

    /// Places of an element's signals, or null where one of them is not there.
    fn places(&self, element: &str, leaves: [&str; 3]) -> Value {
        self.places_of(leaves.map(|leaf| signal_name::join(element, leaf)))
    }

    fn places_of(&self, names: [String; 3]) -> Value {
        match names.map(|name| self.index.get(name.as_str())) {
            [Some(x), Some(y), Some(z)] => json!([x, y, z]),
            [Some(x), Some(y), None] if self.planar => json!([x, y, null]),
            _ => Value::Null,
        }
    }
}

/// Whether a column is worth a place: time is told apart, local axes repeat what ground axes say.
fn told_one(c: &&Column) -> bool {
    // Columns that nobody asked for have no name.
    !c.name.is_empty() && c.name != signal_name::TIME && !signal_name::is_local(&c.name)
}

fn figure(scene: &Scene, k: usize, library: &mut Library) -> Value {
    let figure = &scene.figures[k];
    let parts: Vec<Value> = figure
        .parts
        .iter()
        .flat_map(|part| {
            let colour = scene.colour(k, part.tint);
            let placed = library.place(part);
            placed.into_iter().map(
                move |p| json!({ "s": p.surface, "scale": vector(p.scale), "pose": pose(&p.X_BS), "colour": colour }),
            )
        })
        .collect();
    json!({ "name": figure.name, "colour": figure.colour, "label": vector(figure.label), "parts": parts })
}

fn joint(joint: &JointMark, signals: &Signals) -> Value {
    json!({
        "name": joint.name,
        "type": joint.kind,
        "bodies": joint.bodies,
        "at": joint.at.map(vector),
        "axis": joint.axis.map(|a| a.map(vector)),
        "force": signals.places(&joint.name, ["fx", "fy", "fz"]),
        "moment": signals.places(&joint.name, ["mx", "my", "mz"]),
    })
}

fn point(scene: &Scene, point: &PointMark, signals: &Signals) -> Value {
    let name = point_name(scene, point);
    json!({
        "name": name,
        "short": point.name,
        "body": point.body,
        "at": vector(point.at),
        "v": signals.places(&name, ["vx", "vy", "vz"]),
        "a": signals.places(&name, ["ax", "ay", "az"]),
    })
}

fn driver(driver: &DriverMark, signals: &Signals) -> Value {
    let effort = signals.index.get(signal_name::effort(&driver.name).as_str());
    json!({
        "name": driver.name,
        "body": driver.body,
        "at": vector(driver.at),
        "along": driver.along.map(vector),
        "torque": driver.torque,
        "inGround": driver.in_ground,
        "effort": effort,
        "efforts": signals.places_of(signal_name::efforts(&driver.name)),
    })
}

fn surface(surface: &Surface) -> Value {
    let bytes = |values: &mut dyn Iterator<Item = f64>| -> String {
        base64(&values.flat_map(|x| (x as f32).to_le_bytes()).collect::<Vec<u8>>())
    };
    let normals: Vec<u8> =
        surface.normals.iter().flat_map(|n| n.to_array().map(|x| (x * 127.0).round() as i8 as u8)).collect();
    let corners: Vec<u8> = surface.triangles.iter().flatten().flat_map(|k| k.to_le_bytes()).collect();
    json!({
        "points": bytes(&mut surface.points.iter().flat_map(|p| p.to_array())),
        "normals": base64(&normals),
        "triangles": base64(&corners),
    })
}

/// Position, then Euler parameters.
fn pose(pose: &Pose) -> Value {
    let [x, y, z] = pose.origin.to_array().map(short);
    let [e0, e1, e2, e3] = pose.rotation.euler_parameters().0.map(short);
    json!([x, y, z, e0, e1, e2, e3])
}

fn vector(v: Vec3) -> Value {
    json!(v.to_array().map(short))
}

/// A number to six digits, enough for a picture.
fn short(x: f64) -> f64 {
    format!("{x:.6e}").parse().unwrap_or(0.0)
}
