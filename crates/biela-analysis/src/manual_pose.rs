//! A mechanism held in a position by hand: its drivers at values of one's choice, or a point drawn towards a place.

#![allow(non_snake_case)] // p_B: a point in its body's frame (docs/notation.md).

use crate::assembly_modes;
use crate::couplings::CoordinateRef;
use crate::drivers::{Driver, Target};
use crate::error::{Error, Reason, Result};
use crate::ik::{away, with_tool, Redundancy, Solver, Task};
use crate::joints::Space;
use crate::loose_coordinates::held;
use crate::math::{EulerParameters, Pose, Vec3};
use crate::model::Model;
use crate::motion::Motion;
use crate::results::{Column, Results};
use crate::signal::Element;
use crate::solve::assemble::assemble;
use crate::solve::outcome::Outcome;
use crate::system::{System, Workspace};

/// A position: poses of all bodies, ground first, and the joint coordinates by name.
#[derive(Debug, Clone)]
pub struct Posture {
    /// Poses.
    pub poses: Vec<Pose>,
    /// Joint coordinates, such as `A.angle`.
    pub coordinates: Vec<(String, f64)>,
    /// How far a point that was drawn stays from where it should be.
    pub distance: f64,
}

/// The position with drivers of these names at these values, the others at theirs of time `t`, next to the poses `from`.
pub fn driven(model: &Model, from: &[Pose], values: &[(String, f64)], t: f64) -> Result<Posture> {
    let mut drivers: Vec<Driver> = model.drivers.to_vec();
    for (name, given) in values {
        let known = model.drivers.iter().map(|d| d.name.as_str());
        let driver = drivers.iter_mut().find(|d| d.name == *name);
        let driver = driver.ok_or_else(|| Error::new(format!("no driver '{name}'")).suggest(name, known))?;
        match &mut driver.target {
            Target::Coordinate { value, .. }
            | Target::Rotor { value, .. }
            | Target::Point { value, .. }
            | Target::Measure { value, .. } => *value = Motion::Constant(*given),
            Target::Orientation { .. } => {
                return Err(Error::new("an orientation has no single value").of(format!("driver '{name}'")))
            }
        }
    }
    let held = model.with_guess(from).with_drivers(drivers);
    let system = System::new(&held, "absolute")?;
    let mut ws = Workspace::new(&system);
    let q = assemble(&system, &mut ws, t)?;
    ws.realize_position(&system, t, &q);
    Ok(posture(&system, &ws, 0.0))
}

/// The position with joint coordinates of these names at these values, drivers let go, next to the poses `from`. The way there is
/// taken in small steps, so that it stays on its branch.
pub fn held_at(model: &Model, from: &[Pose], values: &[(String, f64)], t: f64) -> Result<Posture> {
    // Steps of an angle, and of a length in parts of the size.
    const STEP: f64 = 0.15;
    const MOST: f64 = 64.0;
    let mut here = driven(&model.released(), from, &[], t)?;
    let mut wanted = Vec::new();
    for (name, value) in values {
        let known = here.coordinates.iter().map(|c| c.0.as_str());
        let Some(now) = here.coordinates.iter().find(|c| c.0 == *name) else {
            return Err(Error::new(format!("no driver or joint coordinate '{name}'")).suggest(name, known));
        };
        let place = (0..model.joints.len()).flat_map(|joint| {
            (0..model.joints[joint].kind.coordinates().len()).map(move |coordinate| CoordinateRef { joint, coordinate })
        });
        let of = place.into_iter().find(|of| Element::Coordinate(of.joint, of.coordinate).name(model) == *name);
        let of = of.ok_or_else(|| Error::new(format!("no joint coordinate '{name}'")))?;
        let angle = model.joints[of.joint].kind.coordinates()[of.coordinate].angle;
        wanted.push((of, now.1, *value, angle));
    }
    let system = System::new(model, "absolute")?;
    let size = Workspace::new(&system).size;
    let far = wanted.iter().map(|(_, a, b, angle)| (b - a).abs() / if *angle { 1.0 } else { size });
    let steps = (far.fold(0.0, f64::max) / STEP).ceil().clamp(1.0, MOST);
    for k in 1..=steps as usize {
        let part = k as f64 / steps;
        let drivers: Vec<Driver> = wanted.iter().map(|(of, a, b, _)| held(*of, a + (b - a) * part)).collect();
        here = driven(&model.with_drivers(drivers), &here.poses, &[], t)?;
    }
    Ok(here)
}

/// The position in which a body's point comes as near to `place` as joints and couplings allow, drivers let go, from the
/// poses `from`.
pub fn drawn_to(model: &Model, from: &[Pose], body: usize, p_B: Vec3, place: Vec3, t: f64) -> Result<Posture> {
    if body == 0 || body >= model.bodies.len() {
        return Err(Error::new("only points of moving bodies can be drawn"));
    }
    let place = place.to_array().map(|x| Some(Motion::Constant(x)));
    let task = Task { body, p_B, place, attitude: None, times: vec![t] };
    let model = model.with_guess(from);
    let swapped = with_tool(&model, &task, &[])?;
    let system = System::new(&swapped, "relative")?;
    let loose = model.released();
    let free = System::new(&loose, "relative")?;
    let mut ws = Workspace::new(&free);
    let q = assemble(&free, &mut ws, t)?;
    let mut solver = Solver::new(&system, free.constraints.len(), ws.size, Redundancy::MinimumNorm, 0.0);
    solver.near(t, &q)?;
    let (distance, _) = away(&mut solver, &task);
    // Coordinates are read in the model as it is, so that angles are those which its drivers mean.
    let poses: Vec<Pose> = solver.ws.cache.bodies.iter().map(|b| b.pose).collect();
    let system = System::new(&model, "absolute")?;
    let mut ws = Workspace::new(&system);
    let mut q = vec![0.0; system.formulation.nq()];
    system.formulation.coordinates(&poses, &mut q);
    ws.realize_position(&system, t, &q);
    Ok(posture(&system, &ws, distance))
}

fn posture(system: &System, ws: &Workspace, distance: f64) -> Posture {
    let value = |(j, c, measure): &(usize, usize, usize)| {
        (Element::Coordinate(*j, *c).name(system.model), system.constraints.value(*measure, &ws.evaluation))
    };
    Posture {
        poses: ws.cache.bodies.iter().map(|b| b.pose).collect(),
        coordinates: system.constraints.named_coordinates().iter().map(value).collect(),
        distance,
    }
}

/// The assembled position at time `t`.
pub fn assembled(model: &Model, t: f64) -> Result<Posture> {
    let chosen = assembly_modes::chosen(model)?;
    let model = chosen.as_ref().unwrap_or(model);
    driven(model, model.guess().poses(), &[], t)
}

/// A run for a picture: where freedoms have no driver there is no motion, but a position, from which they can be moved by hand; with it
/// comes the error that says which.
pub fn or_at_rest(
    model: Model,
    run: impl FnOnce(Model) -> Result<(Model, Outcome)>,
) -> Result<(Model, Outcome, Option<Error>)> {
    match run(model.with_study(model.study.clone())) {
        Ok((model, outcome)) => Ok((model, outcome, None)),
        Err(error) if error.reason() == Some(Reason::UnderDriven) => {
            let t = model.study.start;
            let found = assembled(&model, t)?;
            let results = results(&model, &found.poses, t);
            Ok((model, Outcome { results, ended: None }, Some(error)))
        }
        Err(error) => Err(error),
    }
}

/// One position as results of a run with one sample, for pictures.
pub fn results(model: &Model, poses: &[Pose], t: f64) -> Results {
    shown(model, &[(t, poses.to_vec())])
}

/// Positions with their times as results of a run, for pictures. Angles and Euler parameters go on from one to the next.
pub fn shown(model: &Model, positions: &[(f64, Vec<Pose>)]) -> Results {
    let mut columns = vec![Column::new("t", "s", positions.iter().map(|p| p.0).collect())];
    for k in 1..model.bodies.len() {
        let mut values: Vec<Vec<f64>> = Vec::new();
        let mut kept: Option<EulerParameters> = None;
        for pose in positions.iter().filter_map(|p| p.1.get(k)) {
            // A body's first signals are its pose.
            let row: Vec<f64> = match model.space {
                Space::Spatial => {
                    let own = pose.rotation.euler_parameters();
                    let own = kept.map_or(own, |kept| own.near(&kept));
                    kept = Some(own);
                    pose.origin.to_array().into_iter().chain(own.0).collect()
                }
                Space::Planar => {
                    let (angle, turn) = (pose.rotation.about_z(), std::f64::consts::TAU);
                    let before = values.get(2).and_then(|column| column.last()).copied();
                    let turns = before.map_or(0.0, |before| ((before - angle) / turn).round());
                    vec![pose.origin.x, pose.origin.y, angle + turns * turn]
                }
            };
            values.resize(row.len(), Vec::new());
            values.iter_mut().zip(row).for_each(|(column, x)| column.push(x));
        }
        let signals = Element::Body(k).signals(model).zip(values);
        columns.extend(signals.map(|(signal, data)| Column::new(signal.name(model), signal.unit(), data)));
    }
    Results { columns, notes: vec![("model".into(), model.name.clone())], ended: None }
}
