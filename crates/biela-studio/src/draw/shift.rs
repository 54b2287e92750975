//! Places that a hand moves, and what goes along: what meets there, lengths of rods, mass centres.

#![allow(non_snake_case)] // R_WB: a body's orientation in the drawing (docs/notation.md).

use super::ends::{is, item};
use super::mass;
use super::place::{apart, place_of, to_place, Place};
use super::sketch::Sketch;
use super::spots::{spots, together, write, Spot};
use biela::error::{Error, Result};
use biela::joints::{ACTUATOR, DISTANCE, ROD};
use biela::text::edit::Step;
use biela::text::tree::Value as Word;
use serde_json::Value;

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
    let (rods, uniform) = (lengths(drawing), mass::uniform(drawing));
    write(drawing, &all, &moving, |p| [0, 1, 2].map(|k| p[k] + by[k]))?;
    // A whole body takes its mass centre along.
    for body in what.iter().filter(|w| w["point"].is_null()).filter_map(|w| w["body"].as_str()) {
        shift_centre(drawing, body, by)?;
    }
    stretch(drawing, &rods)?;
    mass::keep(drawing, &uniform)
}

fn shift_centre(drawing: &mut Sketch, body: &str, by: Place) -> Result<()> {
    let R_WB = drawing.pose(drawing.body(body)?).rotation;
    let own = to_place(R_WB.apply_transposed(by.into()));
    for k in 0..drawing.dimensions {
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
        (model.joints[k].name.clone(), apart(a, b))
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
