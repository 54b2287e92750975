//! The places that a text writes: a joint's, a named point's, a force's. What lies at one place of bodies that meet there moves together.

#![allow(non_snake_case)] // R_WB: a body's orientation in the drawing (docs/notation.md).

use super::ends::{is, item};
use super::place::{near, place_of, P2};
use super::sketch::{flat, Sketch};
use biela::error::{Error, Result};
use biela::joints::{ACTUATOR, DISTANCE, ROD};
use biela::loads::Law;
use biela::math::Vec3;
use biela::text::edit::Step;
use biela::text::tree::Value as Word;
use serde_json::Value;

/// A place as it is written.
#[derive(Debug, Clone)]
pub(super) struct Spot {
    /// Section, element and key, then the entry of a pair where it is one.
    path: Vec<String>,
    entry: Option<usize>,
    /// The bodies that have it.
    pub bodies: Vec<usize>,
    pub world: P2,
    /// The body in whose frame it is written; the ground for one that is read in the drawing.
    frame: usize,
}

impl Spot {
    fn steps(&self) -> Vec<Step<'_>> {
        self.path.iter().map(|k| Step::Key(k)).chain(self.entry.map(Step::Item)).collect()
    }

    pub fn is(&self, section: &str, name: &str) -> bool {
        self.path[0] == section && self.path[1] == name
    }

    /// The element's name, where it is of that section.
    pub fn named(&self, section: &str) -> Option<&str> {
        (self.path[0] == section).then(|| self.path[1].as_str())
    }

    fn is_point(&self, body: &str, point: &str) -> bool {
        self.is("bodies", body) && self.path.get(3).is_some_and(|p| p == point)
    }
}

/// All places that the text writes as vectors.
pub(super) fn spots(drawing: &Sketch) -> Vec<Spot> {
    let Some(model) = &drawing.model else { return Vec::new() };
    let words = |path: &[&str]| -> Vec<String> { path.iter().map(|s| s.to_string()).collect() };
    let is_list = |path: &[Step]| drawing.sheet.node(path).is_some_and(|n| matches!(n.value, Word::List(_)));
    let mut found = Vec::new();
    for (k, joint) in model.joints.iter().enumerate() {
        let at = ["joints", &joint.name, "at"];
        let worlds = drawing.joint_places(k);
        let pair = (0..2).any(|side| is_list(&item(&at, side)));
        if !pair {
            // Two names of points are places of their bodies.
            let named = |side: usize| {
                let own = &model.bodies[joint.bodies[side]].points;
                drawing
                    .sheet
                    .node(&item(&at, side))
                    .is_some_and(|n| matches!(&n.value, Word::Text(w) if own.iter().any(|(name, _)| name == w)))
            };
            if drawing.sheet.get(&at).is_some_and(|n| matches!(n.value, Word::List(_))) && !(named(0) && named(1)) {
                found.push(Spot {
                    path: words(&at),
                    entry: None,
                    bodies: joint.bodies.to_vec(),
                    world: worlds[0],
                    frame: 0,
                });
            }
            continue;
        }
        for side in 0..2 {
            if is_list(&item(&at, side)) {
                let body = joint.bodies[side];
                found.push(Spot {
                    path: words(&at),
                    entry: Some(side),
                    bodies: vec![body],
                    world: worlds[side],
                    frame: body,
                });
            }
        }
    }
    for (k, body) in model.bodies.iter().enumerate() {
        for (name, p) in &body.points {
            if drawing.sheet.get(&["bodies", &body.name, "points", name]).is_some() {
                let path = words(&["bodies", &body.name, "points", name]);
                found.push(Spot { path, entry: None, bodies: vec![k], world: flat(body.X_WB.apply(*p)), frame: k });
            }
        }
    }
    for load in &model.loads {
        let at = ["forces", &load.name, "at"];
        let ends: Vec<(usize, Vec3)> = match &load.law {
            Law::Force { body, p_B, .. } => vec![(*body, *p_B)],
            Law::Between { ends, .. } => ends.to_vec(),
            _ => continue,
        };
        for (side, (body, p)) in ends.iter().enumerate() {
            let entry = Some(side).filter(|_| ends.len() == 2);
            let path = entry.map_or_else(|| at.iter().map(|k| Step::Key(k)).collect(), |k| item(&at, k));
            if is_list(&path) {
                let world = flat(drawing.pose(*body).apply(*p));
                found.push(Spot { path: words(&at), entry, bodies: vec![*body], world, frame: *body });
            }
        }
    }
    found
}

/// Those that have to go with some of them, because they lie at the same place of a body that has it.
fn together(all: &[Spot], mut chosen: Vec<bool>, size: f64) -> Vec<bool> {
    loop {
        let before = chosen.iter().filter(|c| **c).count();
        for k in 0..all.len() {
            let meets = |j: usize| {
                chosen[j]
                    && near(all[j].world, all[k].world, size)
                    && all[j].bodies.iter().any(|b| all[k].bodies.contains(b))
            };
            if !chosen[k] && (0..all.len()).any(meets) {
                chosen[k] = true;
            }
        }
        if chosen.iter().filter(|c| **c).count() == before {
            return chosen;
        }
    }
}

/// Writes places anew: each chosen one where `to` has it.
pub(super) fn write(drawing: &mut Sketch, all: &[Spot], chosen: &[bool], to: impl Fn(P2) -> P2) -> Result<()> {
    for (spot, _) in all.iter().zip(chosen).filter(|(_, chosen)| **chosen) {
        let goal = to(spot.world);
        let by = Vec3::new(goal[0] - spot.world[0], goal[1] - spot.world[1], 0.0);
        let R_WB = drawing.pose(spot.frame).rotation;
        let own = flat(R_WB.apply_transposed(by));
        for k in 0..2 {
            let mut path = spot.steps();
            path.push(Step::Item(k));
            if own[k].abs() <= f64::EPSILON * drawing.size() {
                continue;
            }
            let old = drawing.sheet.node(&path).and_then(|n| drawing.read_length(n));
            match old {
                Some(x) => drawing.write_length(&path, x + own[k])?,
                None => drawing.write_length(&path, own[k])?,
            }
        }
    }
    Ok(())
}

/// Places that an edit names: `{"joint"}`, `{"body", "point"}`, `{"force", "end"}`, or all of a `{"body"}`.
fn chosen(all: &[Spot], drawing: &Sketch, what: &[Value]) -> Result<Vec<bool>> {
    let mut found = vec![false; all.len()];
    for one in what {
        let word = |key: &str| one[key].as_str();
        let bodies = word("body").map(|b| drawing.body(b)).transpose()?;
        for (k, spot) in all.iter().enumerate() {
            let end = one["end"].as_u64().map(|k| k as usize);
            found[k] |= match (word("joint"), word("force"), word("point"), bodies) {
                (Some(joint), ..) => spot.is("joints", joint) && (end.is_none() || spot.entry == end),
                (_, Some(force), ..) => {
                    spot.is("forces", force) && (end.is_none() || spot.entry == end || spot.entry.is_none())
                }
                (_, _, Some(point), Some(body)) => spot.is_point(drawing.body_name(body), point),
                (_, _, None, Some(body)) => spot.bodies.contains(&body),
                _ => false,
            };
        }
    }
    match found.iter().any(|f| *f) {
        true => Ok(found),
        false => Err(Error::new("the text says nowhere where this lies, so it cannot be dragged")
            .note("places made by [[repeat]] or by others' dimensions change in the text")),
    }
}

/// Moves what is named, and what it meets, by a displacement.
pub(super) fn shift(drawing: &mut Sketch, asked: &Value) -> Result<()> {
    let by = place_of(&asked["by"])?;
    let what = asked["what"].as_array().cloned().unwrap_or_default();
    let all = spots(drawing);
    let moving = together(&all, chosen(&all, drawing, &what)?, drawing.size());
    let rods = lengths(drawing);
    write(drawing, &all, &moving, |p| [p[0] + by[0], p[1] + by[1]])?;
    // A whole body takes its mass centre along.
    for body in what.iter().filter(|w| w["point"].is_null()).filter_map(|w| w["body"].as_str()) {
        shift_centre(drawing, body, by)?;
    }
    stretch(drawing, &rods)
}

fn shift_centre(drawing: &mut Sketch, body: &str, by: P2) -> Result<()> {
    let R_WB = drawing.pose(drawing.body(body)?).rotation;
    let own = flat(R_WB.apply_transposed(Vec3::new(by[0], by[1], 0.0)));
    for k in 0..2 {
        let path = item(&["bodies", body, "com"], k);
        let old = drawing.sheet.node(&path).and_then(|n| drawing.read_length(n));
        if let Some(x) = old.filter(|_| own[k] != 0.0) {
            drawing.write_length(&path, x + own[k])?;
        }
    }
    Ok(())
}

/// Joints between two places whose distance the text writes down.
fn lengths(drawing: &Sketch) -> Vec<(String, f64)> {
    let Some(model) = &drawing.model else { return Vec::new() };
    let measured = |k: usize| {
        let [a, b] = drawing.joint_places(k);
        (model.joints[k].name.clone(), (a[0] - b[0]).hypot(a[1] - b[1]))
    };
    let kinds = [ROD, DISTANCE, ACTUATOR];
    (0..model.joints.len()).filter(|k| kinds.iter().any(|kind| is(&model.joints[*k], *kind))).map(measured).collect()
}

/// Rods that were as long as they are drawn stay so, and actuators begin at the length that they are drawn with.
fn stretch(drawing: &mut Sketch, before: &[(String, f64)]) -> Result<()> {
    if before.is_empty() {
        return Ok(());
    }
    drawing.again()?;
    let same = |a: f64, b: f64| (a - b).abs() <= 1e-6 * b.abs(); // What a hand draws is written to nine digits.
    for (name, now) in lengths(drawing) {
        let Some((_, old)) = before.iter().find(|(n, _)| *n == name) else { continue };
        if same(now, *old) {
            continue;
        }
        let path = [Step::Key("joints"), Step::Key(name.as_str()), Step::Key("length")];
        let written = drawing.sheet.node(&path).and_then(|n| drawing.read_length(n));
        if written.is_some_and(|x| same(x, *old)) {
            drawing.write_length(&path, now)?;
        }
        for driver in drawing.sheet.names(&["drivers"]) {
            let text = |key: &str| match drawing.sheet.get(&["drivers", &driver, key]).map(|n| &n.value) {
                Some(Word::Text(words)) => Some(words.clone()),
                _ => None,
            };
            let (Some(joint), Some(value)) = (text("joint"), text("value")) else { continue };
            let Some((first, rest)) = value.split_once(" + ") else { continue };
            let Some(x) = drawing.read_length(&first.into()).or_else(|| first.trim().parse().ok()) else { continue };
            if joint == name && same(x, *old) {
                let head = super::add::written(drawing, now);
                drawing.sheet.set(&["drivers", &driver, "value"], &format!("{head} + {rest}").into())?;
            }
        }
    }
    Ok(())
}
