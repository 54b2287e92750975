//! The mechanism moved by hand: a driver at a value, or a point drawn somewhere.

use crate::given::{Given, Last};
use biela::error::{Error, Result};
use biela::math::{EulerParameters, Pose, Vec3};
use biela::model::Model;
use biela::results::significant;
use biela::signal::Signal;
use biela::solve::manual_pose::{drawn_to, driven, held_at};
use serde_json::{json, Value};

pub(crate) fn pose(given: &Given, last: &Last, asked: &Value) -> Result<Value> {
    let model = given.drawn(last)?.model;
    let t = asked["t"].as_f64().filter(|t| t.is_finite()).unwrap_or(model.study.start);
    let mut from: Vec<Pose> =
        asked["poses"].as_array().into_iter().flatten().map(read_pose).collect::<Option<_>>().ok_or_else(wrong)?;
    if from.len() != model.bodies.len() {
        from = model.guess().poses().to_vec();
    }
    let found = match asked["point"].as_object() {
        Some(point) => {
            let body = point.get("body").and_then(Value::as_u64).ok_or_else(wrong)? as usize;
            let vector = |key: &str| point.get(key).and_then(numbers::<3>).map(|[x, y, z]| Vec3::new(x, y, z));
            drawn_to(&model, &from, body, vector("at").ok_or_else(wrong)?, vector("to").ok_or_else(wrong)?, t)?
        }
        None => {
            let values = asked["drive"].as_object().into_iter().flatten();
            let values: Vec<(String, f64)> =
                values.filter_map(|(n, v)| Some((n.clone(), v.as_f64().filter(|x| x.is_finite())?))).collect();
            // Names of drivers lead these; else they are joint coordinates that no driver leads.
            let is_driver = |v: &(String, f64)| model.drivers.iter().any(|d| d.name == v.0);
            match values.iter().any(|v| !is_driver(v)) {
                true => held_at(&model, &from, &values, t)?,
                false => driven(&model, &from, &values, t)?,
            }
        }
    };
    let poses: Vec<Value> = found
        .poses
        .iter()
        .map(|p| {
            let ([x, y, z], [e0, e1, e2, e3]) = (p.origin.to_array(), p.rotation.euler_parameters().0);
            json!([x, y, z, e0, e1, e2, e3])
        })
        .collect();
    let coordinates: serde_json::Map<String, Value> =
        found.coordinates.iter().map(|(n, v)| (n.clone(), json!(v))).collect();
    // In words, for people; numbers are SI.
    const TOLD: usize = 4;
    let word = |(name, value): &(String, f64)| {
        let unit = Signal::parse(&model, name).map_or("1", |signal| signal.unit());
        format!("{name} = {}", shown(&model, *value, unit))
    };
    let words = found.coordinates.iter().take(TOLD).map(word).collect::<Vec<_>>().join(", ");
    let away = shown(&model, found.distance, "m");
    Ok(json!({"poses": poses, "coordinates": coordinates, "distance": found.distance, "words": words, "away": away}))
}

/// A number with its unit, as the model's reader has it.
fn shown(model: &Model, x: f64, unit: &str) -> String {
    let scale = model.study.units.scale(unit);
    format!("{} {}", significant(scale.shown(x), 4), scale.unit)
}

fn wrong() -> Error {
    Error::new("the position is not one")
}

fn numbers<const N: usize>(value: &Value) -> Option<[f64; N]> {
    let found: Vec<f64> = value.as_array()?.iter().map(Value::as_f64).collect::<Option<_>>()?;
    <[f64; N]>::try_from(found).ok().filter(|a| a.iter().all(|x| x.is_finite()))
}

/// Position and Euler parameters.
fn read_pose(value: &Value) -> Option<Pose> {
    let [x, y, z, e0, e1, e2, e3] = numbers::<7>(value)?;
    let length = (e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3).sqrt();
    let rotation = (length > 1e-6).then(|| EulerParameters([e0, e1, e2, e3]).normalised().rotation())?;
    Some(Pose::new(rotation, Vec3::new(x, y, z)))
}
