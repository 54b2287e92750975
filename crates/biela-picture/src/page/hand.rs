//! What a page needs to let the freedoms of a mechanism be moved by hand: coordinates, and the equations by which the rest follows.
//!
//! A measure is `[kind, marker …]` with kind 0 a·b, 1 a·(to − from), 2 (to − from)², 3 an angle, 4 |to − from|, 5 the angle above a plane; a
//! marker is `[body, x, y, z]`.

use crate::Scene;
use biela_analysis::loose_coordinates::{Coordinate, Loose};
use biela_core::joints::{Marker, Measure};
use serde_json::{json, Value};
use std::f64::consts::PI;

/// Equations that a page solves at most while a slider is moved.
const MOST: usize = 300;

pub(super) fn data(scene: &Scene, loose: &Loose) -> Value {
    let coordinates: Vec<Value> = loose.coordinates.iter().map(|c| coordinate(scene, c)).collect();
    let (equations, why) = match &loose.equations {
        Ok(list) if list.len() <= MOST => {
            let row = |e: &biela_analysis::loose_coordinates::Equation| {
                let terms: Vec<Value> = e.terms.iter().map(|(c, m, v)| json!([c, measure(m), v])).collect();
                json!([terms, e.target, e.power])
            };
            (list.iter().map(row).collect(), None)
        }
        Ok(list) => (Value::Null, Some(format!("{} equations are too many for a page to solve", list.len()))),
        Err(owner) => {
            (Value::Null, Some(format!("{owner} is no sum of joint coordinates, and a page cannot solve it")))
        }
    };
    json!({ "coordinates": coordinates, "equations": equations, "why": why, "unnamed": loose.unnamed })
}

fn coordinate(scene: &Scene, c: &Coordinate) -> Value {
    let scale = scene.units.scale(if c.angle { "rad" } else { "m" });
    let wide = if c.angle { PI } else { 0.5 * scene.size };
    let [low, high] = [c.limits[0].unwrap_or(c.value - wide), c.limits[1].unwrap_or(c.value + wide)];
    json!({
        "name": c.name, "measure": measure(&c.measure), "value": c.value, "angle": c.angle, "low": low, "high": high,
        "shown": scale.unit, "ratio": scale.ratio(), "independent": c.independent,
    })
}

fn measure(m: &Measure) -> Value {
    let kind = match m {
        Measure::Dot(..) => 0,
        Measure::Along { .. } => 1,
        Measure::DistanceSquared { .. } => 2,
        Measure::Angle { .. } => 3,
        Measure::Distance { .. } => 4,
        Measure::Elevation { .. } => 5,
    };
    let marker = |m: Marker| match m {
        Marker::Point { body, p_B: p } | Marker::Direction { body, u_B: p } => json!([body, p.x, p.y, p.z]),
        // Neither stands in rows of joints by absolute coordinates.
        Marker::Prescribed { .. } | Marker::Own { .. } => Value::Null,
    };
    let markers = m.markers().into_iter().map(marker);
    std::iter::once(json!(kind)).chain(markers).collect()
}
