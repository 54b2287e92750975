//! What the joint of each pair of bodies bears.
//!
//! A load that changes wears a rolling bearing as its equivalent does, P = (∫ Fᵖ dn / ∫ dn)^(1/p): p = 3 of ball bearings, 10/3 of roller
//! bearings, weighted by the rotation of one body against the other (ISO 281). A joint that does not turn but slides is weighted by its
//! travel, one that does neither by time.

use super::{magnitudes, peak, Run};
use crate::joints::Joint;
use crate::math::Elementary;
use crate::model::Model;
use crate::plan::reduction::over_time;
use crate::signal::Element;
use crate::signal_name::{join, local, rate};
use crate::tree::freedom::Motion;

use serde_json::{json, Value};

/// Exponent of ball bearings.
pub const BALL: f64 = 3.0;
/// Exponent of roller bearings.
pub const ROLLER: f64 = 10.0 / 3.0;

/// What the shares of an equivalent load are weighted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// Rotation of the second body against the first.
    Rotation,
    /// Travel along the joint's slide.
    Travel,
    /// Time.
    Time,
}

impl Weight {
    /// In one word.
    pub fn word(self) -> &'static str {
        match self {
            Weight::Rotation => "rotation",
            Weight::Travel => "travel",
            Weight::Time => "time",
        }
    }
}

/// What a joint bears over the run.
#[derive(Debug, Clone, PartialEq)]
pub struct Bearing {
    /// The joint.
    pub joint: String,
    /// Its type.
    pub kind: &'static str,
    /// Names of its bodies.
    pub bodies: [String; 2],
    /// Greatest resultant force, with its time.
    pub max: [f64; 2],
    /// Mean over time of the resultant force.
    pub mean: f64,
    /// Equivalent load of a ball bearing.
    pub ball: f64,
    /// Equivalent load of a roller bearing.
    pub roller: f64,
    /// What these are weighted by.
    pub weight: Weight,
    /// All of that over the run: an angle, a length or a time.
    pub total: f64,
    /// Greatest force along the axis of a joint with one axis of turning, in space.
    pub axial: Option<f64>,
    /// Greatest resultant moment, with its time.
    pub moment: [f64; 2],
    /// Greatest angular speed of one body against the other.
    pub speed: f64,
    /// Components of its force that rigid bodies alone do not determine: the shortest choice stands for them.
    pub open: Vec<String>,
}

impl Bearing {
    /// As JSON.
    pub fn json(&self) -> Value {
        json!({
            "joint": self.joint,
            "type": self.kind,
            "bodies": self.bodies,
            "max": self.max[0],
            "max_time": self.max[1],
            "mean": self.mean,
            "equivalent": { "ball": self.ball, "roller": self.roller },
            "weighted_by": self.weight.word(),
            "total": self.total,
            "axial": self.axial,
            "moment": self.moment[0],
            "moment_time": self.moment[1],
            "speed": self.speed,
            "not_unique": self.open,
        })
    }
}

/// Of one joint; `None` where no forces are known or it has none to bear. Rates below `still` are rounding.
pub(super) fn bearing(model: &Model, found: &Run, k: usize, still: f64) -> Option<Bearing> {
    let joint = &model.joints[k];
    let names = |unit: &str| -> Vec<String> {
        Element::Reaction(k).signals(model).filter(|s| s.unit() == unit).map(|s| s.name(model)).collect()
    };
    let times = found.times();
    let force = magnitudes(found, &names("N"))?;
    let moment = magnitudes(found, &names("N*m")).unwrap_or_else(|| vec![0.0; force.len()]);
    let (max, most) = (peak(times, &force)?, peak(times, &moment)?);
    if max[0] == 0.0 && most[0] == 0.0 {
        return None;
    }
    let open = names("N").into_iter().filter(|name| found.open.contains(name.as_str())).collect();
    let turning = turning(model, found, joint);
    let (weight, weights) = weights(model, found, (joint, k), (&turning, still));
    let total = match weight {
        Weight::Time => times.last().zip(times.first()).map_or(0.0, |(b, a)| b - a),
        _ => times.last().zip(times.first()).map_or(0.0, |(b, a)| b - a) * over_time(times, &weights, |x| x),
    };
    Some(Bearing {
        joint: joint.name.clone(),
        kind: joint.kind.keyword(),
        bodies: joint.bodies.map(|b| model.bodies[b].name.clone()),
        max,
        mean: over_time(times, &force, |x| x),
        ball: equivalent(times, &force, &weights, BALL),
        roller: equivalent(times, &force, &weights, ROLLER),
        weight,
        total,
        axial: axial(model, found, joint).and_then(|a| peak(times, &a)).map(|p| p[0].abs()),
        moment: most,
        speed: peak(times, &turning).map_or(0.0, |p| p[0]),
        open,
    })
}

/// (∫ Fᵖ w dt / ∫ w dt)^(1/p), by trapezia; the load itself where it is constant.
fn equivalent(times: &[f64], force: &[f64], weights: &[f64], p: f64) -> f64 {
    let most = force.iter().copied().fold(0.0, f64::max);
    if most == 0.0 {
        return 0.0;
    }
    let shares: Vec<f64> = force.iter().zip(weights).map(|(f, w)| (f / most).power(p) * w).collect();
    let all = over_time(times, weights, |x| x);
    most * (over_time(times, &shares, |x| x) / all).power(1.0 / p)
}

/// Angular speed of the second body against the first, at each sample; zeros where rates are not known.
fn turning(model: &Model, found: &Run, joint: &Joint) -> Vec<f64> {
    let leaves: &[&str] = if model.space.is_planar() { &["w"] } else { &["wx", "wy", "wz"] };
    let [a, b] = joint.bodies;
    let of = |body: usize, leaf: &str| found.get(&join(&model.bodies[body].name, leaf)).map(|c| c.data.as_slice());
    let mut squares = vec![0.0; found.len()];
    for leaf in leaves {
        let [first, second] = [of(a, leaf), of(b, leaf)];
        // The ground, and what is not known, rests.
        for (i, square) in squares.iter_mut().enumerate() {
            let difference = second.map_or(0.0, |c| c[i]) - first.map_or(0.0, |c| c[i]);
            *square += difference * difference;
        }
    }
    squares.into_iter().map(f64::sqrt).collect()
}

/// What a joint's shares are weighted by, and how much at each sample.
fn weights(
    model: &Model,
    found: &Run,
    (joint, k): (&Joint, usize),
    (turning, still): (&[f64], f64),
) -> (Weight, Vec<f64>) {
    // The difference of two rates, each known to `still`.
    if found.len() > 1 && turning.iter().any(|w| *w > 2.0 * still) {
        return (Weight::Rotation, turning.to_vec());
    }
    let slides = joint.kind.coordinates().iter().enumerate().filter(|c| !c.1.angle);
    let rates: Vec<String> = slides.map(|(c, _)| rate(&Element::Coordinate(k, c).name(model))).collect();
    match magnitudes(found, &rates) {
        Some(v) if found.len() > 1 && v.iter().any(|v| *v > 0.0) => (Weight::Travel, v),
        _ => (Weight::Time, vec![1.0; found.len()]),
    }
}

/// The force along the axis, of a joint in space whose only turn is about one.
fn axial(model: &Model, found: &Run, joint: &Joint) -> Option<Vec<f64>> {
    if model.space.is_planar() {
        return None;
    }
    let freedoms = joint.kind.freedoms(joint)?;
    let mut turns = freedoms.iter().filter(|f| !matches!(f.motion, Motion::Slide { .. }));
    let (Some(Motion::Turn { axis, .. }), None) = (turns.next().map(|f| f.motion), turns.next()) else { return None };
    let along = joint.frames[1].rotation.apply(axis.unit()).to_array();
    let own = local(&joint.name);
    let columns: Vec<&[f64]> =
        ["fx", "fy", "fz"].iter().filter_map(|leaf| found.get(&join(&own, leaf))).map(|c| c.data.as_slice()).collect();
    let [x, y, z] = columns[..] else { return None };
    Some((0..found.len()).map(|i| along[0] * x[i] + along[1] * y[i] + along[2] * z[i]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    #[test]
    fn the_equivalent_of_a_constant_load_is_the_load() {
        let times: Vec<f64> = (0..=50).map(|k| f64::from(k) * 0.02).collect();
        let weights: Vec<f64> = times.iter().map(|t| 3.0 + (TAU * t).sin()).collect();
        for p in [BALL, ROLLER] {
            assert!((equivalent(&times, &[70.0; 51], &weights, p) / 70.0 - 1.0).abs() < 1e-15);
        }
        assert_eq!(equivalent(&times, &[0.0; 51], &weights, BALL), 0.0);
        assert_eq!(equivalent(&[0.0], &[70.0], &[1.0], BALL), 70.0);
    }

    /// F = a + b cos t over a period, p = 3: the mean of F³ is a³ + 3/2 a b². Weighted by F alone: (a⁴ + 3 a² b² + 3/8 b⁴)/a.
    #[test]
    fn the_cubic_mean_of_a_cosine() {
        let times: Vec<f64> = (0..=40).map(|k| TAU * f64::from(k) / 40.0).collect();
        let force: Vec<f64> = times.iter().map(|t| 5.0 + 2.0 * t.cos()).collect();
        let cube = |p: f64| p.powi(3);
        let even = equivalent(&times, &force, &[1.0; 41], BALL);
        assert!((cube(even) - (125.0 + 1.5 * 5.0 * 4.0)).abs() < 1e-11);
        let weighted = equivalent(&times, &force, &force, BALL);
        assert!((cube(weighted) - (625.0 + 3.0 * 25.0 * 4.0 + 0.375 * 16.0) / 5.0).abs() < 1e-11);
    }
}
