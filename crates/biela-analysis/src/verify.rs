//! The same motion by every formulation, and the largest disagreement between them.
//!
//! Differences are relative: divided by the signal's largest magnitude in the run. A signal that stays small beside others of
//! its unit is divided by a thousandth of the largest of those instead, since its own magnitude may be rounding alone; and
//! where a whole level rests (no acceleration at constant speed), by what the level below makes of itself over the run.
//!
//! Forces are compared where the run asks for them, and where the model states gravity and masses: the joint reactions that
//! the balance determines, and all efforts. Natural coordinates share points between bodies and cannot tell a joint's force.

use crate::assembly_modes;
use crate::error::{Error, Result};
use crate::model::{Analysis, Model, Study};
use crate::results::{significant, Column, Results};
use crate::run;
pub use crate::signal::Level;
use crate::signal::{self, Element, Index, Signal, ATTITUDE, HEADING};
use crate::signal_name;
use crate::solve::forces::{Shares, NOT_UNIQUE};
use crate::solve::motion::Follower;
use crate::solve::newton::Method;
use crate::solve::outcome::Outcome;
use crate::solve::vectors::max_abs;
use crate::system::{hopeless, FormulationType, System, FORMULATIONS};
use biela_base::quick_hash::QuickMap;
use serde_json::{json, Value};
use std::collections::HashSet;

/// Fraction of the largest signal of the same unit below which a signal's own magnitude no longer counts.
const SMALL: f64 = 1e-3;

/// The largest disagreement of one level.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Relative difference.
    pub difference: f64,
    /// The signal it occurs in.
    pub signal: String,
    /// When.
    pub t: f64,
    /// By which two formulations.
    pub between: (&'static str, &'static str),
}

/// What comparing the formulations gave.
#[derive(Debug, Clone)]
pub struct Verification {
    /// Formulations that solved the model.
    pub solved: Vec<&'static str>,
    /// Formulations that could not, and why.
    pub failed: Vec<(&'static str, String)>,
    /// Formulations that told the motion alone where forces were asked for, and why.
    pub without_forces: Vec<(&'static str, String)>,
    /// Largest differences of position, velocity, acceleration and forces.
    pub largest: Vec<(Level, Difference)>,
    /// Condition of Φ_v at the start, by the first formulation.
    pub condition: Option<f64>,
}

/// Solves `model` by the principal formulations and compares all signals. `method` and `progress` are those of
/// [`run::run`].
pub fn verify(
    model: &Model,
    method: &'static dyn Method,
    progress: impl FnMut(usize, usize) -> bool,
) -> Result<Verification> {
    verify_by(FORMULATIONS.iter(), model, method, progress)
}

/// The same by formulations of one's choice; the first is what the others are compared with.
pub fn verify_by(
    formulations: impl Iterator<Item = &'static FormulationType>,
    model: &Model,
    method: &'static dyn Method,
    mut progress: impl FnMut(usize, usize) -> bool,
) -> Result<Verification> {
    let chosen = assembly_modes::chosen(model)?;
    solve_all(formulations.collect(), chosen.as_ref().unwrap_or(model), method, &mut progress)
}

fn solve_all(
    formulations: Vec<&'static FormulationType>,
    model: &Model,
    method: &'static dyn Method,
    progress: &mut dyn FnMut(usize, usize) -> bool,
) -> Result<Verification> {
    let mut runs: Vec<(&'static str, Results)> = Vec::new();
    let (mut failed, mut without_forces) = (Vec::new(), Vec::new());
    let mut first_error = None;
    let mut study = model.study.clone();
    // All are kept until they are compared.
    study.room /= formulations.len().max(1) as u64;
    let massive = model.gravity.is_some() && model.bodies.iter().any(|b| b.mass.is_some());
    if study.analysis == Analysis::Kinematics && massive {
        study.analysis = Analysis::InverseDynamics;
    }
    let motion_alone = model.with_study(Study { analysis: Analysis::Kinematics, ..study.clone() });
    let model = model.with_study(study);
    for formulation in formulations {
        let mut model = &model;
        if let Some(why) = hopeless(model, formulation.keyword) {
            failed.push((formulation.keyword, why));
            continue;
        }
        if matches!(model.study.analysis, Analysis::InverseDynamics | Analysis::Statics) {
            let system = System::new(model, formulation.keyword)?;
            if let Err(error) = Shares::new(&system) {
                without_forces.push((formulation.keyword, error.message().to_string()));
                model = &motion_alone;
            }
        }
        match run::solve(model, formulation.keyword, method, &mut *progress).and_then(Outcome::whole) {
            Ok(results) => runs.push((formulation.keyword, results)),
            Err(error) => {
                failed.push((formulation.keyword, error.message().to_string()));
                first_error.get_or_insert(error);
            }
        }
    }
    if runs.is_empty() {
        return Err(first_error.unwrap_or_else(|| Error::new("there is no formulation to solve by")));
    }
    let condition = crate::check::condition(&model, FORMULATIONS[0].keyword);
    let undetermined = undetermined_signals(&model)?;
    let largest = compare(&model, &runs, &undetermined);
    Ok(Verification { solved: runs.iter().map(|r| r.0).collect(), failed, without_forces, largest, condition })
}

/// Signals that an idle spin leaves undetermined: the attitude of the body, and what lies off its line.
fn undetermined_signals(model: &Model) -> Result<HashSet<String>> {
    let system = System::new(model, FORMULATIONS[0].keyword)?;
    let mut open: HashSet<String> = HashSet::new();
    // Loads that settle what drivers do not hold settle attitudes as well.
    let Ok(follower) = Follower::new(&system, model.study.start, model.study.end - model.study.start) else {
        return Ok(open);
    };
    let ws = &follower.stepper.ws;
    for spin in ws.idle() {
        let body = &model.bodies[spin.body];
        // Joint points of an idle body all lie on its line.
        let on_line = model.joints.iter().find_map(|j| {
            let side = j.bodies.iter().position(|b| *b == spin.body)?;
            Some(j.frames[side].origin)
        });
        let Some(on_line) = on_line else { continue };
        let mut leave = |element: Element| open.extend(element.signals(model).map(|s| s.name(model)));
        let second = model.joints.iter().enumerate().filter(|(_, j)| j.bodies[1] == spin.body);
        second.for_each(|(k, _)| leave(Element::LocalReaction(k)));
        let off = |p: crate::math::Vec3| (p - on_line).cross(spin.u_B).norm() > 1e-9 * ws.size;
        let whole = off(crate::math::Vec3::ZERO);
        let points = body.points.iter().enumerate().filter(|(_, p)| whole || off(p.1));
        points.for_each(|(k, _)| leave(Element::Point(spin.body, k)));
        if whole {
            leave(Element::Body(spin.body));
            continue;
        }
        let attitude =
            ATTITUDE.iter().chain(&[HEADING]).filter_map(|leaf| Element::Body(spin.body).signal(model, leaf));
        open.extend(attitude.map(|s| s.name(model)));
    }
    Ok(open)
}

/// Largest relative difference of each level between the first run and each other.
fn compare(
    model: &Model,
    runs: &[(&'static str, Results)],
    undetermined: &HashSet<String>,
) -> Vec<(Level, Difference)> {
    let (base_name, base) = &runs[0];
    let times = base.times().to_vec();
    let magnitude = |c: &Column| max_abs(&c.data);
    let duration = times.last().zip(times.first()).map_or(1.0, |(last, first)| (last - first).abs().max(1e-9));
    let level_scale = |units: [&str; 3]| {
        let of = |unit: &str| base.columns.iter().filter(|c| c.unit == unit).map(magnitude).fold(0.0f64, f64::max);
        let position = of(units[0]);
        let velocity = of(units[1]).max(position / duration);
        let acceleration = of(units[2]).max(velocity / duration);
        [position, velocity, acceleration]
    };
    let (lengths, angles) = (level_scale(["m", "m/s", "m/s^2"]), level_scale(["rad", "rad/s", "rad/s^2"]));
    let strongest = |unit: &str| base.columns.iter().filter(|c| c.unit == unit).map(magnitude).fold(0.0f64, f64::max);
    // Moments are sums of forces times lengths, so either may be the other's rounding.
    let (force, moment) = (strongest("N"), strongest("N*m"));
    let moment = moment.max(force * lengths[0]);
    let force = if lengths[0] > 0.0 { force.max(moment / lengths[0]) } else { force };
    let unit_scale = |column: &Column, level: Level| match column.unit {
        "1" => 1.0,
        "N" => force,
        "N*m" => moment,
        "W" => force * lengths[1] + moment * angles[1],
        unit if unit.starts_with("rad") => angles.get(level as usize).copied().unwrap_or(0.0),
        _ => lengths.get(level as usize).copied().unwrap_or(0.0),
    };
    let mut largest: Vec<(Level, Difference)> = Vec::new();
    let index = Index::new(model);
    let tables: Vec<Table> = runs.iter().map(|run| Table::of(&run.1)).collect();
    for column in &base.columns {
        let Some(signal) = index.parse(&column.name) else { continue };
        let Some(level) = signal::level(model, signal) else { continue };
        // What is made of others is as open as they are.
        let made_of: Vec<String> = match signal.element {
            Element::Derived(_) => stands_on(model, signal),
            _ => vec![column.name.clone()],
        };
        // Euler parameters may have the opposite signs in another run.
        let opposite = matches!(signal.element, Element::Derived(_))
            && signal::basis(model, signal).iter().any(|s| ATTITUDE.contains(&s.leaf.word));
        if opposite || made_of.iter().any(|name| undetermined.contains(name)) {
            continue;
        }
        let scale = magnitude(column).max(SMALL * unit_scale(column, level));
        if scale == 0.0 {
            continue;
        }
        for ((name, _), other) in runs.iter().zip(&tables).skip(1) {
            let is_open = |table: &Table| made_of.iter().any(|name| table.open.contains(name.as_str()));
            if level == Level::Reaction && [&tables[0], other].into_iter().any(is_open) {
                continue;
            }
            let Some(same) = other.get(&column.name) else { continue };
            let sign = attitude_sign(&column.name, &tables[0], other);
            for (k, (a, b)) in column.data.iter().zip(&same.data).enumerate() {
                let difference = (a - sign * b).abs() / scale;
                let entry = largest.iter().position(|l| l.0 == level);
                if entry.is_some_and(|e| !(difference > largest[e].1.difference || difference.is_nan())) {
                    continue;
                }
                let found = Difference {
                    difference,
                    signal: column.name.clone(),
                    t: times.get(k).copied().unwrap_or(f64::NAN),
                    between: (base_name, name),
                };
                match entry {
                    Some(e) => largest[e].1 = found,
                    None => largest.push((level, found)),
                }
            }
        }
    }
    largest
}

/// Names of the columns of a full run that a derived signal stands on; a resultant stands on its components.
fn stands_on(model: &Model, derived: Signal) -> Vec<String> {
    let full = |signal: Signal| -> Vec<Signal> {
        match signal.element {
            Element::Resultant(k) | Element::Axial(k) => Element::Reaction(k).signals(model).collect(),
            Element::BodyFigures(k) => {
                Element::Body(k).signals(model).filter(|s| s.leaf.level == signal.leaf.level).collect()
            }
            Element::PointFigures(k, p) => Element::Point(k, p).signals(model).collect(),
            _ => vec![signal],
        }
    };
    signal::basis(model, derived).into_iter().flat_map(full).map(|s| s.name(model)).collect()
}

/// A run's columns by their names, and the forces that redundant constraints leave open in it.
struct Table<'r> {
    results: &'r Results,
    places: QuickMap<&'r str, usize>,
    open: HashSet<&'r str>,
}

impl<'r> Table<'r> {
    fn of(results: &'r Results) -> Table<'r> {
        let open = results.notes_of(NOT_UNIQUE).flat_map(|names| names.split(", ")).collect();
        Table { results, places: results.places(), open }
    }

    fn get(&self, name: &str) -> Option<&'r Column> {
        self.places.get(name).map(|k| &self.results.columns[*k])
    }
}

/// −1 for an Euler parameter whose body's attitude starts with the opposite sign in the other run, else 1.
fn attitude_sign(signal: &str, base: &Table, other: &Table) -> f64 {
    let Some((body, _)) = signal_name::split(signal).filter(|(_, leaf)| ATTITUDE.contains(leaf)) else { return 1.0 };
    let first =
        |table: &Table, leaf: &str| table.get(&signal_name::join(body, leaf)).and_then(|c| c.data.first()).copied();
    let dot: f64 = ATTITUDE.iter().filter_map(|leaf| Some(first(base, leaf)? * first(other, leaf)?)).sum();
    if dot < 0.0 {
        -1.0
    } else {
        1.0
    }
}

impl Verification {
    /// The report with the keys of the user's contract.
    pub fn json(&self) -> Value {
        let level = |wanted: Level| match self.largest.iter().find(|l| l.0 == wanted) {
            Some((_, d)) => {
                json!({"difference": d.difference, "signal": d.signal, "t": d.t, "between": [d.between.0, d.between.1]})
            }
            None => Value::Null,
        };
        let reasons = |list: &[(&str, String)]| {
            list.iter().map(|(f, why)| json!({"formulation": f, "reason": why})).collect::<Vec<Value>>()
        };
        json!({
            "formulations": self.solved,
            "failed": reasons(&self.failed),
            "position": level(Level::Position),
            "velocity": level(Level::Velocity),
            "acceleration": level(Level::Acceleration),
            "reaction": level(Level::Reaction),
            "without_forces": reasons(&self.without_forces),
            "condition": self.condition,
        })
    }

    /// The report in words.
    pub fn text(&self) -> String {
        use std::fmt::Write;
        let mut out = format!("solved by {}\n", self.solved.join(", "));
        for (formulation, why) in &self.failed {
            let _ = writeln!(out, "not by {formulation}: {why}");
        }
        for (formulation, why) in &self.without_forces {
            let _ = writeln!(out, "motion alone by {formulation}: {why}");
        }
        if self.solved.len() < 2 {
            out.push_str("one formulation alone verifies nothing\n");
        }
        for (level, name) in Level::ALL {
            if let Some((_, d)) = self.largest.iter().find(|l| l.0 == level) {
                let _ = writeln!(
                    out,
                    "{name:<13} {:8.1e} relative, in {} at t = {} s ({} against {})",
                    d.difference,
                    d.signal,
                    significant(d.t, 9),
                    d.between.0,
                    d.between.1
                );
            }
        }
        if let Some(condition) = self.condition {
            let _ = writeln!(out, "condition     {condition:8.1e} at the start");
        }
        out
    }

    /// One line for summaries and result files.
    pub fn figure(&self) -> String {
        let part = |(level, name): &(Level, &str)| {
            let found = self.largest.iter().find(|l| l.0 == *level)?;
            Some(format!("{name} {:.1e} ({})", found.1.difference, found.1.signal))
        };
        let parts: Vec<String> = Level::ALL.iter().filter_map(part).collect();
        format!("{}: {}", self.solved.join(", "), parts.join(", "))
    }
}
