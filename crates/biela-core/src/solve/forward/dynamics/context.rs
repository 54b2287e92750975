//! What every way of solving the equations of motion works with: the system, its arrays, and the forces that act.

use super::super::Point;
use crate::error::{Error, ErrorKind, Reason};
use crate::math::Vec3;
use crate::results::significant;
use crate::solve::forces::{Applied, Touching};
use crate::solve::motion::check_drivers;
use crate::system::formulation::BodyState;
use crate::system::wrench::Wrench;
use crate::system::{System, Workspace};

/// Efforts and forces besides those of a model's loads.
#[derive(Debug, Clone, Default)]
pub struct Given {
    /// Along joint coordinates: number among the system's joint coordinates, effort.
    pub efforts: Vec<(usize, f64)>,
    /// On points of bodies: body, point in its frame, force in ground axes.
    pub forces: Vec<(usize, Vec3, Vec3)>,
    /// Efforts of what touches: wrenches, and what they push along joint coordinates, which is told.
    pub touching: Touching,
}

impl Given {
    fn is_empty(&self) -> bool {
        self.efforts.is_empty() && self.forces.is_empty() && self.touching.wrenches.is_empty()
    }
}

/// What is given as a function of time.
pub struct GivenLaw(pub Box<Fill>);

/// Fills what is given at a time.
type Fill = dyn FnMut(f64, &mut Given);

impl std::fmt::Debug for GivenLaw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("GivenLaw")
    }
}

/// Something that the accelerations depend on in proportion, changed to see by how much.
#[derive(Debug, Clone, Copy)]
pub(in crate::solve::forward) enum Probe {
    /// A component of a load.
    Load(usize, usize),
    /// The right-hand side of a row, differentiated twice.
    Row(usize),
}

/// The system, its arrays, and the forces that act.
#[derive(Debug)]
pub struct Context<'s> {
    /// The system.
    pub system: &'s System<'s>,
    /// Arrays; bodies and markers are those last realised.
    pub ws: Workspace,
    /// Efforts and forces besides the model's loads, and how they change with time.
    pub given: Given,
    /// Renews them at every evaluation.
    pub law: Option<GivenLaw>,
    /// Multipliers of all rows (zero for those left out), for the scaled rows.
    pub lambda: Vec<f64>,
    /// Evaluations of v̇ so far.
    pub evaluations: usize,
    /// Wrenches on bodies, as last evaluated, and those of loads and weight alone.
    pub(in crate::solve::forward) applied: Applied,
    pub(in crate::solve::forward) loads_only: Vec<Wrench>,
    /// Generalised forces.
    pub(super) h: Vec<f64>,
    /// Factor that scales each velocity.
    pub(super) scale: Vec<f64>,
    /// What errors of each coordinate and of each velocity are judged against, at least: 1, or [`length_weight`] for lengths.
    pub(in crate::solve::forward) unit: [Vec<f64>; 2],
    /// True where some row moves with time by itself.
    pub(in crate::solve::forward) moving: bool,
    /// What is changed at the moment, and by how much.
    pub(super) probe: Option<(Probe, f64)>,
}

impl<'s> Context<'s> {
    /// For a system assembled at q in `ws`.
    pub(super) fn new(system: &'s System<'s>, ws: Workspace, q: &[f64]) -> Context<'s> {
        let nv = system.formulation.nv();
        Context {
            given: Given::default(),
            law: None,
            lambda: vec![0.0; ws.pattern.rows()],
            evaluations: 0,
            applied: Applied::new(system),
            loads_only: Vec::new(),
            h: vec![0.0; nv],
            scale: (0..nv).map(|k| system.formulation.scale(k, ws.size)).collect(),
            unit: units(system, &ws, q),
            moving: system.constraints.is_moving(),
            probe: None,
            system,
            ws,
        }
    }

    /// True where some row moves with time by itself.
    pub fn is_moving(&self) -> bool {
        self.moving
    }

    /// Places bodies and markers of a point and moves them.
    pub fn realize(&mut self, point: &Point) {
        self.ws.realize_position(self.system, point.t, &point.q);
        self.ws.realize_velocity(self.system, point.t, &point.v);
    }

    pub(super) fn is_unloaded(&self) -> bool {
        self.system.model.loads.is_empty() && !self.is_given()
    }

    /// True where anything acts besides the model's loads.
    pub(super) fn is_given(&self) -> bool {
        !self.given.is_empty() || self.law.is_some()
    }

    /// Adds what is given besides the model's loads.
    pub(super) fn give(&mut self, t: f64) {
        if let Some((Probe::Load(load, component), by)) = self.probe {
            if let Some(load) = self.system.model.loads.get(load) {
                self.applied.add_change(self.system, &self.ws, &load.law, component, by);
            }
        }
        if let Some(GivenLaw(law)) = &mut self.law {
            law(t, &mut self.given);
        }
        for (k, effort) in &self.given.efforts {
            self.applied.add_effort(self.system, &self.ws, *k, *effort);
        }
        for force in &self.given.forces {
            self.applied.add_force(&self.ws, *force);
        }
        for (body, wrench) in &self.given.touching.wrenches {
            self.applied.wrenches[*body].add(*wrench);
        }
    }

    /// Moves bodies and markers where they are placed.
    pub(super) fn move_bodies(&mut self, point: &Point) {
        let (system, t) = (self.system, point.t);
        system.formulation.velocities(&point.v, &mut self.ws.cache);
        system.constraints.move_markers(system.at(t), &self.ws.cache, &mut self.ws.evaluation);
    }

    /// Why accelerations have no finite values: by the name of a load or a driver that has none, else of the fastest body.
    pub(super) fn not_finite(&self, t: f64) -> Error {
        let (system, ws) = (self.system, &self.ws);
        if let Some(error) = check_drivers(system, t).err().or_else(|| Applied::fault(system, ws, t)) {
            return error;
        }
        let speed = |b: &BodyState| (b.v.dot(b.v) + b.w.dot(b.w)).sqrt();
        // What is not a number counts as faster than anything.
        let faster = |a: f64, b: f64| a.is_nan() || a > b;
        let mut worst = (1, 0.0);
        for (k, body) in ws.cache.bodies.iter().take(system.model.bodies.len()).enumerate().skip(1) {
            if faster(speed(body), worst.1) {
                worst = (k, speed(body));
            }
        }
        let name = system.model.bodies.get(worst.0).map_or("", |b| b.name.as_str());
        ErrorKind::Integration
            .error(format!("accelerations have no finite values at t = {t:.9} s"))
            .because(Reason::NotFinite)
            .at_time(t)
            .note(format!("body '{name}' is the fastest there, with {} m/s or rad/s", significant(worst.1, 3)))
            .note("forces or speeds exceed what numbers hold")
    }
}

/// [`Context::unit`] of each coordinate and velocity: a coordinate is a length where velocities that are lengths move it.
fn units(system: &System, ws: &Workspace, q: &[f64]) -> [Vec<f64>; 2] {
    let nv = system.formulation.nv();
    let is_length = |k: usize| system.formulation.length_column(k);
    // No two alike, so that none cancel.
    let lengths: Vec<f64> = (0..nv).map(|k| if is_length(k) { 1.0 + 1.0 / (k + 2) as f64 } else { 0.0 }).collect();
    let mut rates = vec![0.0; q.len()];
    system.formulation.rates(q, &lengths, &mut rates);
    let unit = |length: bool| if length { length_weight(ws.size) } else { 1.0 };
    [rates.iter().map(|r| unit(*r != 0.0)).collect(), (0..nv).map(|k| unit(is_length(k))).collect()]
}

/// Length that errors of lengths are judged against, at least: a metre, less where the mechanism is smaller by far.
pub fn length_weight(size: f64) -> f64 {
    /// Sizes that make a metre.
    const SIZES: f64 = 100.0;
    (SIZES * size).min(1.0)
}
