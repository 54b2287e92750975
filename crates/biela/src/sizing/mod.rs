//! Sizing: what motors must give, what bearings bear, how much moves and how far, out of one run of a model.
//!
//! | file | idea |
//! |---|---|
//! | `mod` | all of it together, and as JSON |
//! | `motors` | peak, effective value, power and speed of each driver; the flywheel |
//! | `bearings` | largest, mean and equivalent load of each joint |
//! | `paths` | how far and how fast named points go |
//!
//! Numbers are SI. Forces that are rounding alone are zero ([`crate::solve::noise`]).

mod bearings;
mod motors;
mod paths;

pub use bearings::{Bearing, Weight, BALL, ROLLER};
pub use motors::{Flywheel, Motor};
pub use paths::Path;

use crate::model::{Model, GROUND};
use crate::results::{Column, Results};
use crate::solve::forces::NOT_UNIQUE;
use crate::solve::noise::Noise;
use biela_base::quick_hash::QuickMap;
use serde_json::{json, Value};
use std::collections::HashSet;
use std::ops::Deref;

/// A wanted coefficient of fluctuation where nobody says: machine tools and pumps are content with it.
pub const USUAL_FLUCTUATION: f64 = 0.05;

/// What a machine is built by.
#[derive(Debug, Clone, PartialEq)]
pub struct Sizing {
    /// Mass of all bodies.
    pub mass: f64,
    /// What each body weighs.
    pub masses: Vec<Mass>,
    /// One for each driver.
    pub motors: Vec<Motor>,
    /// One for each joint that bears something.
    pub bearings: Vec<Bearing>,
    /// One for each named point that moves.
    pub paths: Vec<Path>,
    /// The least force and the least moment that are more than rounding.
    pub noise: [f64; 2],
}

/// Mass properties of a body, as the user counts them.
#[derive(Debug, Clone, PartialEq)]
pub struct Mass {
    /// The body.
    pub body: String,
    /// Its mass.
    pub mass: f64,
    /// Centre of mass in the body's frame; two entries in a planar model.
    pub com: Vec<f64>,
    /// Inertia about it in body axes: xx, yy, zz, xy, xz, yz; one entry in a planar model.
    pub inertia: Vec<f64>,
}

impl Sizing {
    /// Of a run of a model, in SI, for a wanted coefficient of fluctuation (ω_max − ω_min)/ω_mean.
    pub fn of(model: &Model, found: &Results, fluctuation: f64) -> Sizing {
        let noise = Noise::of(model, found);
        let mut quiet = found.clone();
        noise.hush(model, &mut quiet);
        let masses = masses(model);
        let quiet = Run::of(&quiet);
        Sizing {
            mass: masses.iter().map(|m| m.mass).sum(),
            masses,
            motors: (0..model.drivers.len())
                .filter_map(|k| motors::motor(model, &quiet, &noise, k, fluctuation))
                .collect(),
            bearings: (0..model.joints.len())
                .filter_map(|k| bearings::bearing(model, &quiet, k, noise.floor("rad/s")))
                .collect(),
            paths: paths::paths(model, &quiet),
            noise: ["N", "N*m"].map(|unit| noise.floor(unit)),
        }
    }

    /// All of it as JSON, in SI.
    pub fn json(&self) -> Value {
        json!({
            "mass": self.mass,
            "masses": self.masses.iter().map(|m| {
                json!({ "body": m.body, "mass": m.mass, "com": m.com, "inertia": m.inertia })
            }).collect::<Vec<_>>(),
            "motors": self.motors.iter().map(Motor::json).collect::<Vec<_>>(),
            "bearings": self.bearings.iter().map(Bearing::json).collect::<Vec<_>>(),
            "paths": self.paths.iter().map(Path::json).collect::<Vec<_>>(),
            "noise": { "force": self.noise[0], "moment": self.noise[1] },
        })
    }
}

/// Results whose columns, and forces that are open, are looked up by name many times.
struct Run<'r> {
    results: &'r Results,
    places: QuickMap<&'r str, usize>,
    /// Forces that rigid bodies alone do not determine.
    open: HashSet<&'r str>,
}

impl<'r> Run<'r> {
    fn of(results: &'r Results) -> Run<'r> {
        let open = results.notes_of(NOT_UNIQUE).flat_map(|names| names.split(", ")).collect();
        Run { results, places: results.places(), open }
    }

    /// The column of that name.
    fn get(&self, name: &str) -> Option<&'r Column> {
        self.places.get(name).map(|k| &self.results.columns[*k])
    }
}

impl Deref for Run<'_> {
    type Target = Results;

    fn deref(&self) -> &Results {
        self.results
    }
}

fn masses(model: &Model) -> Vec<Mass> {
    let planar = model.space.is_planar();
    let of = |(k, body): (usize, &crate::model::Body)| {
        let m = body.mass.as_ref().filter(|m| m.mass > 0.0)?;
        let com = (m.com - model.origin_of(k)).to_array();
        let i = &m.inertia;
        Some(Mass {
            body: body.name.clone(),
            mass: m.mass,
            com: com[..if planar { 2 } else { 3 }].to_vec(),
            inertia: if planar { vec![i.zz] } else { vec![i.xx, i.yy, i.zz, i.xy, i.xz, i.yz] },
        })
    };
    model.bodies.iter().enumerate().skip(GROUND + 1).filter_map(of).collect()
}

/// The value of largest magnitude and its time, the first of equals.
fn peak(times: &[f64], data: &[f64]) -> Option<[f64; 2]> {
    let mut found: Option<[f64; 2]> = None;
    for (k, x) in data.iter().enumerate().filter(|x| x.1.is_finite()) {
        if found.is_none_or(|f| x.abs() > f[0].abs()) {
            found = Some([*x, times.get(k).copied().unwrap_or(0.0)]);
        }
    }
    found
}

/// Magnitudes of vectors whose components are columns; those that are not there are none.
fn magnitudes(found: &Run, names: &[String]) -> Option<Vec<f64>> {
    let columns: Vec<&[f64]> = names.iter().filter_map(|n| found.get(n)).map(|c| c.data.as_slice()).collect();
    if columns.is_empty() {
        return None;
    }
    Some((0..found.len()).map(|i| columns.iter().map(|c| c[i] * c[i]).sum::<f64>().sqrt()).collect())
}
