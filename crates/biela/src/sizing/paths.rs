//! How far and how fast named points go.

use super::{magnitudes, peak, Run};
use crate::model::{Model, GROUND};
use crate::plan::reduction::over_time;
use crate::signal_name::join;
use serde_json::{json, Value};

/// The path of a named point.
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    /// The point, as signals name it.
    pub point: String,
    /// Least and greatest of each coordinate; two in a planar model.
    pub ranges: Vec<[f64; 2]>,
    /// Way that it goes.
    pub length: f64,
    /// Whether it ends where it begins.
    pub closed: bool,
    /// Greatest speed.
    pub speed: f64,
    /// Greatest acceleration.
    pub acceleration: f64,
}

impl Path {
    /// As JSON.
    pub fn json(&self) -> Value {
        let mut told = json!({
            "point": self.point, "length": self.length, "closed": self.closed, "speed": self.speed,
            "acceleration": self.acceleration,
        });
        for (axis, range) in ["x", "y", "z"].iter().zip(&self.ranges) {
            told[*axis] = json!(range);
        }
        told
    }
}

/// Of every named point that moves.
pub(super) fn paths(model: &Model, found: &Run) -> Vec<Path> {
    let points = |(k, body): (usize, &crate::model::Body)| {
        let name = body.name.clone();
        body.points.iter().map(move |p| (k, join(&name, &p.0))).collect::<Vec<_>>()
    };
    let points = model.bodies.iter().enumerate().filter(|(k, _)| *k != GROUND).flat_map(points);
    points.filter_map(|(_, name)| path(model, found, name)).collect()
}

fn path(model: &Model, found: &Run, name: String) -> Option<Path> {
    /// Of the path's extent: ends that are nearer than this are one.
    const ENDS: f64 = 1e-9;
    let axes = if model.space.is_planar() { &["x", "y"][..] } else { &["x", "y", "z"] };
    let names = |letter: &str| axes.iter().map(|a| join(&name, &format!("{letter}{a}"))).collect::<Vec<_>>();
    let columns: Vec<&[f64]> = names("").iter().filter_map(|n| found.get(n)).map(|c| c.data.as_slice()).collect();
    if columns.len() < axes.len() || found.len() < 2 {
        return None;
    }
    let range =
        |c: &&[f64]| c.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(*x), high.max(*x)]);
    let ranges: Vec<[f64; 2]> = columns.iter().map(range).collect();
    let extent = ranges.iter().map(|[low, high]| (high - low).powi(2)).sum::<f64>().sqrt();
    let gap = columns.iter().map(|c| (c[c.len() - 1] - c[0]).powi(2)).sum::<f64>().sqrt();
    if extent == 0.0 {
        return None;
    }
    let times = found.times();
    let speeds = magnitudes(found, &names("v"));
    let chords = || {
        let step = |i: usize| columns.iter().map(|c| (c[i] - c[i - 1]).powi(2)).sum::<f64>().sqrt();
        (1..found.len()).map(step).sum::<f64>()
    };
    let length = match &speeds {
        Some(v) if v.iter().any(|v| *v > 0.0) => (times[times.len() - 1] - times[0]) * over_time(times, v, |x| x),
        _ => chords(),
    };
    let most = |data: Option<Vec<f64>>| data.and_then(|d| peak(times, &d)).map_or(0.0, |p| p[0]);
    Some(Path {
        ranges,
        length,
        closed: gap <= ENDS * extent,
        speed: most(speeds),
        acceleration: most(magnitudes(found, &names("a"))),
        point: name,
    })
}
