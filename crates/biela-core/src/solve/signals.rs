//! Columns of a result: which there are, and how each follows from a state.

#![allow(non_snake_case)] // p_B: a point in its body's frame (docs/notation.md).

use crate::couplings::CoordinateRef;
use crate::drivers::Target;
use crate::error::{ErrorKind, Result};
use crate::joints::Joint;
use crate::model::{Model, Run, Singular};
use crate::results::{check_room, Column, Results};
use crate::solve::branch::Identity;
use crate::solve::forces::{Applied, ForceAnalysis};
use crate::solve::joint_limits::overstepped;
use crate::system::{System, Workspace};
use std::sync::Arc;

/// A sample to be recorded: everything is realised in the workspace.
pub struct Sample<'a, 's> {
    /// The system.
    pub system: &'a System<'s>,
    /// Its arrays.
    pub ws: &'a Workspace,
    /// Time.
    pub t: f64,
    /// Largest residual.
    pub residual: f64,
}

/// The balance of energy and work in a motion under forces.
#[derive(Debug, Clone, Copy)]
pub struct Balance {
    /// Work done so far by everything that has no potential.
    pub work: f64,
    /// Energy now, less that work, less the energy at the start.
    pub drift: f64,
}

/// Gathers samples into columns.
#[derive(Debug)]
pub struct Recorder {
    columns: Vec<Column>,
    /// Which of them are filled; all where none is said.
    filled: Option<Arc<[bool]>>,
    /// What the assembly mode is known by.
    identity: Option<Identity>,
    /// Distance to singularity and lag of the sample to come, where asked for.
    told: Vec<f64>,
}

const BODY: [(&str, &str); 19] = [
    ("x", "m"),
    ("y", "m"),
    ("z", "m"),
    ("e0", "1"),
    ("e1", "1"),
    ("e2", "1"),
    ("e3", "1"),
    ("vx", "m/s"),
    ("vy", "m/s"),
    ("vz", "m/s"),
    ("wx", "rad/s"),
    ("wy", "rad/s"),
    ("wz", "rad/s"),
    ("ax", "m/s^2"),
    ("ay", "m/s^2"),
    ("az", "m/s^2"),
    ("alx", "rad/s^2"),
    ("aly", "rad/s^2"),
    ("alz", "rad/s^2"),
];

const POINT: [(&str, &str); 9] = [
    ("x", "m"),
    ("y", "m"),
    ("z", "m"),
    ("vx", "m/s"),
    ("vy", "m/s"),
    ("vz", "m/s"),
    ("ax", "m/s^2"),
    ("ay", "m/s^2"),
    ("az", "m/s^2"),
];

const ANGLE: [(&str, &str); 3] = [("", "rad"), (".rate", "rad/s"), (".accel", "rad/s^2")];
const SLIDE: [(&str, &str); 3] = [("", "m"), (".rate", "m/s"), (".accel", "m/s^2")];

const WRENCH: [(&str, &str); 6] = [("fx", "N"), ("fy", "N"), ("fz", "N"), ("mx", "N*m"), ("my", "N*m"), ("mz", "N*m")];

/// Whether column `k` is filled; the first, time, always is.
fn is_filled(filled: Option<&[bool]>, k: usize) -> bool {
    k == 0 || filled.is_none_or(|filled| filled.get(k).copied().unwrap_or(false))
}

/// Joints that carry anything.
fn model_joints<'m>(system: &System<'m>) -> impl Iterator<Item = &'m Joint> {
    system.model.joints.iter().filter(|j| !j.kind.rows(j).is_empty())
}

/// Unit of the effort along a joint coordinate.
fn effort_unit(system: &System, of: Option<&CoordinateRef>) -> &'static str {
    let angle =
        of.and_then(|c| system.model.joints[c.joint].kind.coordinates().get(c.coordinate)).is_some_and(|c| c.angle);
    if angle {
        "N*m"
    } else {
        "N"
    }
}

/// Reactions in ground axes and in the second body's, efforts and energies.
fn put_forces(system: &System, ws: &Workspace, forces: &ForceAnalysis, put: &mut impl FnMut(f64)) {
    let reactions = &forces.reactions;
    for (joint, wrench) in system.model.joints.iter().zip(&reactions.joints) {
        if joint.kind.rows(joint).is_empty() {
            continue;
        }
        let rotation = &ws.cache.bodies[joint.bodies[1]].pose.rotation;
        let parts = [wrench.force, wrench.moment];
        for part in parts.into_iter().chain(parts.map(|p| rotation.apply_transposed(p))) {
            part.to_array().into_iter().for_each(&mut *put);
        }
    }
    reactions.couplings.iter().for_each(|x| put(*x));
    for (driver, effort) in system.model.drivers.iter().zip(&reactions.drivers) {
        match driver.target {
            Target::Orientation { .. } => effort.to_array().into_iter().for_each(&mut *put),
            _ => put(effort.x),
        }
    }
    // Potential energy is told from the ground's own origin.
    let masses =
        system.model.bodies.iter().filter_map(|b| b.mass.as_ref()).chain(system.model.rotors.iter().map(|r| &r.mass));
    let weight = system.model.gravity.map_or(0.0, |g| g.dot(system.model.ground_reference()));
    let potential = forces.potential - weight * masses.map(|m| m.mass).sum::<f64>();
    put(forces.kinetic);
    put(potential);
    put(forces.kinetic + potential);
}

impl Recorder {
    /// Columns for a system, with room for `samples`; those of forces where asked for.
    pub fn new(system: &System, samples: usize, forces: bool) -> Result<Recorder> {
        Recorder::build(system, samples, forces, false)
    }

    /// Columns for a motion under forces.
    pub fn for_dynamics(system: &System, samples: usize) -> Result<Recorder> {
        Recorder::build(system, samples, true, true)
    }

    fn build(system: &System, samples: usize, forces: bool, balance: bool) -> Result<Recorder> {
        let mut columns = Vec::new();
        let filled = system.model.run.filled.clone();
        let mut add = |name: &dyn Fn() -> String, unit: &'static str| {
            columns.push(match is_filled(filled.as_deref(), columns.len()) {
                true => Column { name: name(), unit, data: Vec::new() },
                false => Column { name: String::new(), unit, data: Vec::new() },
            });
        };
        add(&|| "t".into(), "s");
        for body in &system.model.bodies[1..] {
            for (leaf, unit) in BODY {
                add(&|| format!("{}.{leaf}", body.name), unit);
            }
            for (point, _) in &body.points {
                for (leaf, unit) in POINT {
                    add(&|| format!("{}.{point}.{leaf}", body.name), unit);
                }
            }
        }
        for (j, c, _) in system.constraints.coordinates() {
            let joint = &system.model.joints[*j];
            let coordinate = joint.kind.coordinates()[*c];
            for (leaf, unit) in if coordinate.angle { ANGLE } else { SLIDE } {
                add(&|| format!("{}.{}{leaf}", joint.name, coordinate.name), unit);
            }
        }
        if forces {
            for joint in model_joints(system) {
                for local in ["", "local."] {
                    for (leaf, unit) in WRENCH {
                        add(&|| format!("{}.{local}{leaf}", joint.name), unit);
                    }
                }
            }
            for coupling in &system.model.couplings {
                add(&|| format!("{}.effort", coupling.name), effort_unit(system, coupling.coordinates.last()));
            }
            for driver in &system.model.drivers {
                match &driver.target {
                    Target::Coordinate { of, .. } => {
                        add(&|| format!("{}.effort", driver.name), effort_unit(system, Some(of)));
                    }
                    Target::Rotor { .. } => add(&|| format!("{}.effort", driver.name), "N*m"),
                    Target::Point { .. } => add(&|| format!("{}.effort", driver.name), "N"),
                    Target::Measure { length, .. } => {
                        add(&|| format!("{}.effort", driver.name), if *length { "N" } else { "N*m" })
                    }
                    Target::Orientation { .. } => {
                        for axis in ["x", "y", "z"] {
                            add(&|| format!("{}.effort.{axis}", driver.name), "N*m");
                        }
                    }
                }
            }
            for energy in ["kinetic", "potential", "total"] {
                add(&|| format!("energy.{energy}"), "J");
            }
        }
        if balance {
            add(&|| "energy.work".into(), "J");
            add(&|| "energy.drift".into(), "J");
        }
        add(&|| "residual".into(), "1");
        let kept = |k: usize| is_filled(filled.as_deref(), k);
        let count = (0..columns.len()).filter(|k| kept(*k)).count();
        check_room(count, samples, system.model.run.room)?;
        columns
            .iter_mut()
            .enumerate()
            .filter(|(k, _)| kept(*k))
            .for_each(|(_, column)| column.data.reserve_exact(samples));
        Ok(Recorder { columns, filled, identity: None, told: Vec::new() })
    }

    /// Whether any column after those that there are already is to be filled.
    pub fn wants_more(&self) -> bool {
        self.filled.as_deref().is_none_or(|filled| filled.iter().skip(self.columns.len()).any(|wanted| *wanted))
    }

    /// Adds the column of the assembly mode, told by `identity`.
    pub fn carry(&mut self, identity: Identity) {
        self.identity = Some(identity);
        self.columns.push(Column::new("mode", "1", Vec::new()));
    }

    /// Adds the columns that a driven run asks for besides its mode.
    pub fn ask(&mut self, model: &Model) {
        let mut add = |name: &str| self.columns.push(Column::new(name, "1", Vec::new()));
        if model.run.singularity {
            add("singularity");
        }
        if model.run.singular == Singular::Damp {
            add("lag");
        }
    }

    /// Distance to singularity and lag of the sample to come.
    pub fn tell(&mut self, distance: Option<f64>, lag: f64, run: &Run) {
        self.told.clear();
        self.told.extend(distance.filter(|_| run.singularity));
        self.told.extend((run.singular == Singular::Damp).then_some(lag));
    }

    /// Adds a sample.
    pub fn record(&mut self, sample: &Sample, forces: Option<&ForceAnalysis>, balance: Option<Balance>) -> Result<()> {
        let Sample { system, ws, .. } = sample;
        let mut columns = self.columns.iter_mut().enumerate();
        let filled = self.filled.as_deref();
        let (mut count, mut unsound) = (0, None);
        let mut put = |x: f64| {
            if !x.is_finite() {
                unsound.get_or_insert(count);
            }
            count += 1;
            if let Some((_, column)) = columns.next().filter(|(k, _)| is_filled(filled, *k)) {
                column.data.push(x);
            }
        };
        let mut fault = None;
        put(sample.t);
        let ground = system.model.ground_reference();
        for (k, (body, state)) in system.model.bodies.iter().zip(&ws.cache.bodies).enumerate().skip(1) {
            let (mut p, mut origin, mut v, mut a) = (state.pose.origin, state.pose.origin, state.v, state.a);
            if system.model.reference.is_some() {
                let arm = state.pose.rotation.apply(system.model.origin_of(k));
                (p, origin) = (p + ground, p + arm + ground);
                (v, a) = (state.velocity_at(arm), state.acceleration_at(arm));
            }
            let parts = [origin, v, state.w, a, state.alpha];
            if !parts.iter().all(|x| x.is_finite()) {
                fault.get_or_insert_with(|| body.name.clone());
            }
            origin.to_array().into_iter().for_each(&mut put);
            state.attitude.0.into_iter().for_each(&mut put);
            for part in [v, state.w, a, state.alpha] {
                part.to_array().into_iter().for_each(&mut put);
            }
            for (_, p_B) in &body.points {
                let s = state.pose.rotation.apply(*p_B);
                for part in [p + s, state.velocity_at(s), state.acceleration_at(s)] {
                    part.to_array().into_iter().for_each(&mut put);
                }
            }
        }
        for (_, _, measure) in system.constraints.coordinates() {
            put(system.constraints.value(*measure, &ws.evaluation));
            put(system.constraints.rate(*measure, &ws.evaluation));
            put(system.constraints.acceleration(*measure, &ws.evaluation));
        }
        if let Some(forces) = forces {
            put_forces(system, ws, forces, &mut put);
        }
        if let Some(balance) = balance {
            put(balance.work);
            put(balance.drift);
        }
        put(sample.residual);
        if let Some(identity) = &self.identity {
            put(identity.mode(&ws.cache.bodies));
            self.told.iter().for_each(|x| put(*x));
        }
        if let Some(body) = fault {
            return Err(
                ErrorKind::Integration.error(format!("body '{body}' has no finite motion at t = {:.9} s", sample.t))
            );
        }
        // The last columns tell about the motion and may be unbounded.
        let telling = self.identity.as_ref().map_or(0, |_| 1 + self.told.len());
        let Some(k) = unsound.filter(|k| k + telling < self.columns.len()) else { return Ok(()) };
        Err(Applied::fault(system, ws, sample.t).unwrap_or_else(|| {
            let name = self.columns.get(k).map_or("", |c| c.name.as_str());
            ErrorKind::Integration.error(format!("signal '{name}' has no finite value at t = {:.9} s", sample.t))
        }))
    }

    /// The samples as results, with a warning for every joint limit that the motion oversteps.
    pub fn finish(self, model: &Model) -> Results {
        let mut results = Results { columns: self.columns, notes: Vec::new() };
        if self.filled.is_some() {
            return results;
        }
        let warnings: Vec<String> = model.joints.iter().flat_map(|j| overstepped(j, &results)).collect();
        results.notes.extend(warnings.into_iter().map(|text| ("warning".into(), text)));
        results
    }
}
