//! Masses of what is drawn: who gives a link nothing but a mass means a uniform one, a rod between two ends or a sheet between more; and it
//! stays so when its ends are moved.

use super::place::{apart, to_place, Place};
use super::sketch::{number, Sketch};
use super::spots::spots;
use biela::error::Result;
use biela::math::Elementary;
use biela::text::tree::Node;
use serde_json::Value;

/// Part of a length or moment within which two are the same: what is drawn is written to nine digits.
const SAME: f64 = 1e-6;

/// A mass centre in the drawing, and the moment of inertia of one kilogram about it.
type Uniform = (Place, f64);

/// `{"do": "mass", "body", "value"}`: gives a body a mass as somebody typed it, and with it a centre and a moment of inertia where it has none.
pub(super) fn give(drawing: &mut Sketch, asked: &Value) -> Result<()> {
    let name = asked["body"].as_str().unwrap_or("").to_string();
    let was = uniform(drawing).contains(&name);
    super::alter::set(drawing, &serde_json::json!({ "path": ["bodies", name, "mass"], "value": asked["value"] }))?;
    let says = |drawing: &Sketch, key: &str| drawing.sheet.get(&["bodies", &name, key]).is_some();
    if !says(drawing, "mass") {
        // What belonged to the mass goes with it.
        for key in ["com", "inertia"].into_iter().filter(|_| was) {
            drawing.sheet.remove(&["bodies", &name, key])?;
        }
        return Ok(());
    }
    let alone = !says(drawing, "com") && !says(drawing, "inertia") && !says(drawing, "shape");
    if drawing.dimensions == 2 && (alone || was) {
        drawing.again()?;
        write(drawing, &name)?;
    }
    Ok(())
}

/// Bodies that are uniform, by name.
pub(super) fn uniform(drawing: &Sketch) -> Vec<String> {
    let Some(model) = drawing.model.as_ref().filter(|_| drawing.dimensions == 2) else { return Vec::new() };
    let is = |k: &usize| {
        let body = &model.bodies[*k];
        let says = |key: &str| drawing.sheet.get(&["bodies", &body.name, key]).is_some();
        let (Some(mass), Some((centre, moment))) = (&body.mass, form(drawing, *k)) else { return false };
        let here = to_place(body.X_WB.apply(mass.com));
        let own = mass.inertia.about(biela::math::Vec3::new(0.0, 0.0, 1.0));
        says("com")
            && says("inertia")
            && apart(here, centre) <= SAME * drawing.size()
            && (own - mass.mass * moment).abs() <= SAME * (mass.mass * moment).max(own)
    };
    (1..model.bodies.len()).filter(is).map(|k| model.bodies[k].name.clone()).collect()
}

/// Makes them uniform again, after their ends have moved.
pub(super) fn keep(drawing: &mut Sketch, names: &[String]) -> Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    drawing.again()?;
    names.iter().try_for_each(|name| write(drawing, name))
}

fn write(drawing: &mut Sketch, name: &str) -> Result<()> {
    let k = drawing.body(name)?;
    let Some((centre, moment)) = form(drawing, k) else { return Ok(()) };
    let Some(mass) = drawing.model.as_ref().and_then(|m| m.bodies[k].mass.as_ref()).map(|m| m.mass) else {
        return Ok(());
    };
    let own = to_place(drawing.pose(k).apply_inverse(centre.into()));
    let com: Node = drawing.place(own);
    drawing.sheet.set(&["bodies", name, "com"], &com)?;
    drawing.sheet.set(&["bodies", name, "inertia"], &number(mass * moment))
}

/// A point, a rod, or a sheet whose corners are the places of a body.
fn form(drawing: &Sketch, body: usize) -> Option<Uniform> {
    let mut corners: Vec<Place> = Vec::new();
    for spot in spots(drawing).iter().filter(|s| s.bodies.contains(&body) && !s.is_traced()) {
        if !corners.iter().any(|c| apart(*c, spot.world) <= 1e-7 * drawing.size()) {
            corners.push(spot.world);
        }
    }
    match corners[..] {
        [] => None,
        [p] => Some((p, 0.0)),
        [p, q] => Some(([0, 1, 2].map(|k| 0.5 * (p[k] + q[k])), apart(p, q) * apart(p, q) / 12.0)),
        _ => Some(sheet(&outline(corners))),
    }
}

/// The convex outline, anticlockwise.
fn outline(mut points: Vec<Place>) -> Vec<Place> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let turn = |o: Place, a: Place, b: Place| (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
    let half = |list: &mut dyn Iterator<Item = Place>| {
        let mut out: Vec<Place> = Vec::new();
        for p in list {
            while out.len() > 1 && turn(out[out.len() - 2], out[out.len() - 1], p) <= 0.0 {
                out.pop();
            }
            out.push(p);
        }
        out.pop();
        out
    };
    let mut found = half(&mut points.iter().copied());
    found.extend(half(&mut points.iter().rev().copied()));
    found
}

/// Centre and moment of a uniform sheet, triangle by triangle; corners in one line are a rod.
fn sheet(corners: &[Place]) -> Uniform {
    let o = corners[0];
    let (mut area, mut first, mut second) = (0.0, [0.0; 2], 0.0);
    for pair in corners.windows(2).skip(1) {
        let [a, b] = [0, 1].map(|k| [pair[k][0] - o[0], pair[k][1] - o[1]]);
        let double = a[0] * b[1] - a[1] * b[0];
        area += 0.5 * double;
        for k in 0..2 {
            first[k] += double * (a[k] + b[k]) / 6.0;
            second += double * (a[k] * a[k] + a[k] * b[k] + b[k] * b[k]) / 12.0;
        }
    }
    let far = corners.iter().map(|p| (p[0] - o[0]).hypotenuse(p[1] - o[1])).fold(0.0, f64::max);
    if area <= 1e-9 * far * far {
        let end = corners.iter().copied().max_by(|p, q| apart(*p, o).total_cmp(&apart(*q, o))).unwrap_or(o);
        return ([0, 1, 2].map(|k| 0.5 * (o[k] + end[k])), far * far / 12.0);
    }
    let c = first.map(|x| x / area);
    ([o[0] + c[0], o[1] + c[1], 0.0], second / area - c[0] * c[0] - c[1] * c[1])
}
