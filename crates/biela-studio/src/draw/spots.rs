//! The places that a text writes: a joint's, a named point's, a force's. What lies at one place of bodies that meet there moves together.

#![allow(non_snake_case)] // R_WB: a body's orientation in the drawing (docs/notation.md).

use super::ends::item;
use super::place::{near, to_place, Place};
use super::sketch::Sketch;
use biela::error::Result;
use biela::loads::Law;
use biela::math::Vec3;
use biela::text::edit::Step;
use biela::text::tree::Value as Word;

/// A place as it is written.
#[derive(Debug, Clone)]
pub(super) struct Spot {
    /// Section, element and key, then the entry of a pair where it is one.
    path: Vec<String>,
    pub entry: Option<usize>,
    /// The bodies that have it.
    pub bodies: Vec<usize>,
    pub world: Place,
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

    pub fn is_point(&self, body: &str, point: &str) -> bool {
        self.is("bodies", body) && self.path.get(3).is_some_and(|p| p == point)
    }

    /// Whether it is a point that is traced, and no end.
    pub fn is_traced(&self) -> bool {
        let own = self.path.get(3).and_then(|name| name.strip_prefix('T'));
        self.path[0] == "bodies" && own.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()))
    }

    /// Whether its numbers are written as such.
    pub fn is_plain(&self, drawing: &Sketch) -> bool {
        (0..drawing.dimensions).all(|k| {
            let mut path = self.steps();
            path.push(Step::Item(k));
            drawing.sheet.node(&path).is_some_and(|node| match &node.value {
                Word::Text(words) => {
                    drawing.sheet.get(&["parameters", words.trim()]).is_none() && drawing.read_length(node).is_some()
                }
                _ => drawing.read_length(node).is_some(),
            })
        })
    }

    /// Writes it in the plane as moved by two parameters, along x and y of the drawing.
    pub fn displaced(&self, drawing: &mut Sketch, by: &[String; 2]) -> Result<()> {
        let R_WB = drawing.pose(self.frame).rotation;
        let [along, across] =
            [Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0)].map(|u| to_place(R_WB.apply_transposed(u)));
        for k in 0..drawing.dimensions {
            let mut path = self.steps();
            path.push(Step::Item(k));
            let x = drawing.sheet.node(&path).and_then(|n| drawing.read_length(n)).unwrap_or(0.0);
            let words = format!("{x:?} + {:?}*{} + {:?}*{}", along[k], by[0], across[k], by[1]);
            drawing.sheet.replace(&path, &words.into())?;
        }
        Ok(())
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
                found.push(Spot { path, entry: None, bodies: vec![k], world: to_place(body.X_WB.apply(*p)), frame: k });
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
                let world = to_place(drawing.pose(*body).apply(*p));
                found.push(Spot { path: words(&at), entry, bodies: vec![*body], world, frame: *body });
            }
        }
    }
    found
}

/// Those that have to go with some of them, because they lie at the same place of a body that has it.
pub(super) fn together(all: &[Spot], mut chosen: Vec<bool>, size: f64) -> Vec<bool> {
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
pub(super) fn write(drawing: &mut Sketch, all: &[Spot], chosen: &[bool], to: impl Fn(Place) -> Place) -> Result<()> {
    for (spot, _) in all.iter().zip(chosen).filter(|(_, chosen)| **chosen) {
        let goal = to(spot.world);
        let by = Vec3::from([0, 1, 2].map(|k| goal[k] - spot.world[k]));
        let R_WB = drawing.pose(spot.frame).rotation;
        let own = to_place(R_WB.apply_transposed(by));
        for k in 0..drawing.dimensions {
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
