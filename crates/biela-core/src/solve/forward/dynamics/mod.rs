//! The equations of motion at one position and velocity, and the way back onto the constraints.
//!
//! M v̇ + Φ_vᵀ λ = h and Φ_v v̇ = γ are solved together by sparse elimination ([`Kkt`]), or in the reduced form of the natural
//! orthogonal complement ([`Reduced`]). The factors of the last stage of a step lead positions back onto the constraints; the
//! factors at the position reached correct the velocity and give the acceleration there, so that projection costs no
//! factorisation of its own.

mod projection;

use super::kkt::{Factored, Kkt};
use super::mass::MassMatrix;
use super::open::OpenChain;
use super::reduced::Reduced;
use super::{Point, Rates};
use crate::error::{Error, ErrorKind, Reason, Result};
use crate::math::Vec3;
use crate::model::Reduction;
use crate::results::significant;
use crate::solve::forces::Applied;
use crate::solve::motion::check_drivers;
use crate::system::formulation::BodyState;
use crate::system::generalised::GeneralisedForces;
use crate::system::wrench::Wrench;
use crate::system::{Quadratic, System, Workspace};

/// Largest scaled residual at which iterating on gains nothing.
const ROUNDING: f64 = 1e-14;
/// Largest scaled residual of a projected position.
const HELD: f64 = 1e-11;
/// Violation of a row beyond which the constraints cannot be held.
const LOST: f64 = 1e-9;

/// Tolerance of the integration below which what softness takes off accelerations would be felt.
const FINE: f64 = 1e-9;

/// Most velocities on which a body may depend where masses are written out: the factors grow with the cube, to some gigabytes here.
const LONGEST: usize = 1000;

/// Efforts and forces besides those of a model's loads.
#[derive(Debug, Clone, Default)]
pub struct Given {
    /// Along joint coordinates: number among the system's joint coordinates, effort.
    pub efforts: Vec<(usize, f64)>,
    /// On points of bodies: body, point in its frame, force in ground axes.
    pub forces: Vec<(usize, Vec3, Vec3)>,
}

impl Given {
    fn is_empty(&self) -> bool {
        self.efforts.is_empty() && self.forces.is_empty()
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
pub(super) enum Probe {
    /// A component of a load.
    Load(usize, usize),
    /// The right-hand side of a row, differentiated twice.
    Row(usize),
}

/// Solves the equations of motion of a system.
#[derive(Debug)]
pub struct Dynamics<'s> {
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
    pub(super) mass: MassMatrix,
    pub(super) loads_only: Vec<Wrench>,
    applied: Applied,
    /// Loads of open chains; others use the bodies' Jacobians that make up M.
    generalised: Option<GeneralisedForces>,
    kkt: Kkt,
    /// The rows as polynomials, where they are.
    quadratic: Option<Quadratic>,
    reduced: Option<Reduced>,
    /// Open chains and trees in joint coordinates, which have no rows.
    pub(super) open: Option<OpenChain>,
    h: Vec<f64>,
    dv: Vec<f64>,
    /// Factor that scales each velocity.
    scale: Vec<f64>,
    /// What errors of each coordinate and of each velocity are judged against, at least: 1, or [`length_weight`] for lengths.
    pub(super) unit: [Vec<f64>; 2],
    /// True where some row moves with time by itself.
    pub(super) moving: bool,
    /// What is changed at the moment, and by how much.
    probe: Option<(Probe, f64)>,
}

impl<'s> Dynamics<'s> {
    /// For a system assembled at (t, q) in `ws`; the independent rows are chosen there.
    pub fn new(system: &'s System<'s>, mut ws: Workspace, t: f64, q: &[f64]) -> Result<Dynamics<'s>> {
        let residual = ws.realize_position(system, t, q);
        ws.realize_jacobian(system, t);
        let nv = system.formulation.nv();
        let reduced = (system.model.study.reduction == Reduction::NullSpace).then(Reduced::default);
        let open = match reduced {
            None => OpenChain::new(system, ws.pattern.rows())?,
            Some(_) => None,
        };
        let mass = match open {
            Some(_) => MassMatrix::default(),
            None if is_too_long(system) => {
                return Err(Error::new(format!(
                    "chains of more than {LONGEST} joints with drivers, couplings or loops are too long for the {} formulation",
                    system.formulation.name()
                ))
                .note("it couples all velocities of a chain with each other: use --formulation absolute"))
            }
            None => MassMatrix::new(system, &ws),
        };
        let mut dynamics = Dynamics {
            generalised: open.as_ref().map(|_| GeneralisedForces::new(system)),
            open,
            quadratic: mass.linear.then(|| Quadratic::new(system, &ws)).flatten(),
            mass,
            applied: Applied::new(system),
            loads_only: Vec::new(),
            given: Given::default(),
            law: None,
            kkt: Kkt::default(),
            reduced,
            h: vec![0.0; nv],
            dv: vec![0.0; nv],
            scale: (0..nv).map(|k| system.formulation.scale(k, ws.size)).collect(),
            lambda: vec![0.0; ws.pattern.rows()],
            evaluations: 0,
            unit: units(system, &ws, q),
            moving: system.constraints.is_moving(),
            probe: None,
            system,
            ws,
        };
        if dynamics.open.is_some() {
            return Ok(dynamics);
        }
        dynamics.mass.evaluate(system, &dynamics.ws);
        dynamics.kkt.thorough = system.model.study.tolerance < FINE;
        dynamics.kkt.choose_rows(&system.constraints, &dynamics.ws, &dynamics.mass, residual, false);
        dynamics.factor(t, q, true)?;
        Ok(dynamics)
    }

    /// True where rows and constant masses alone make the equations, so that bodies need not be placed.
    fn is_lean(&self) -> bool {
        self.mass.constant && self.is_unloaded() && self.ws.idle().is_empty()
    }

    /// Factors the whole matrix at the position realised. At positions that hold the constraints (`exact`) redundant rows are
    /// chosen anew where the choice has become poor.
    fn factor(&mut self, t: f64, q: &[f64], exact: bool) -> Result<()> {
        let system = self.system;
        if !self.mass.constant {
            self.mass.evaluate(system, &self.ws);
            self.kkt.take_mass(&self.mass);
        }
        let mut factored = self.kkt.factor(&self.mass, &self.ws.evaluation.phi_v);
        if factored == Factored::Fresh && exact && self.kkt.dropped > 0 {
            self.ws.realize_rows(system, t, q);
            self.ws.realize_jacobian(system, t);
            let mut before = self.kkt.clone();
            self.kkt.choose_rows(&self.system.constraints, &self.ws, &self.mass, 0.0, true);
            factored = self.kkt.factor(&self.mass, &self.ws.evaluation.phi_v);
            if !self.kkt.is_better_than(&mut before) {
                self.kkt = before;
                factored = Factored::Same;
            }
        }
        match factored {
            Factored::Singular => Err(self.massless()),
            _ => Ok(()),
        }
    }

    fn massless(&self) -> Error {
        let bodies = &self.system.model.bodies;
        let names: Vec<&str> = bodies.iter().skip(1).filter(|b| b.mass.is_none()).map(|b| b.name.as_str()).collect();
        match names.as_slice() {
            [] => Error::new("the equations of motion are singular: a freedom has neither mass nor driver")
                .note("a moment of inertia may be zero about an axis that nothing holds"),
            names => Error::new(format!("the motion of massless bodies is not determined: {}", names.join(", "))).note(
                "give them mass and inertia (or a shape with density), or fix their freedoms by joints or drivers",
            ),
        }
        .because(Reason::Massless)
    }

    /// v̇ at a point, with all stages realised there, and the power of everything that has no potential.
    pub fn evaluate(&mut self, point: &Point, vdot: &mut [f64]) -> Result<f64> {
        self.ws.realize_position(self.system, point.t, &point.q);
        self.ws.realize_jacobian(self.system, point.t);
        if self.open.is_some() {
            self.move_bodies(point);
            return self.accelerate_open(point, vdot);
        }
        self.factor(point.t, &point.q, false)?;
        // What is told of a state is told to its last digits.
        let thorough = std::mem::replace(&mut self.kkt.thorough, true);
        let power = self.accelerate(point, vdot, false);
        self.kkt.thorough = thorough;
        power
    }

    /// Rates at a stage of a step; bodies are placed only where they are needed.
    pub fn stage(&mut self, point: &Point, rates: &mut Rates) -> Result<()> {
        if self.open.is_some() {
            return self.open_rates(point, rates);
        }
        let lean = self.is_lean();
        match lean {
            true => {
                self.realize_rows(point.t, &point.q);
                self.realize_entries(point.t);
            }
            false => {
                self.ws.realize_position(self.system, point.t, &point.q);
                self.ws.realize_entries(self.system, point.t);
            }
        };
        self.factor(point.t, &point.q, false)?;
        self.rates(point, rates, lean)
    }

    /// True where some row moves with time by itself.
    pub fn is_moving(&self) -> bool {
        self.moving
    }

    /// True where the position last factored lies near one in which rows become dependent.
    pub fn is_near_singular(&self) -> bool {
        self.kkt.soft
    }

    /// How far the position last factored is from one in which rows become dependent: a measure that falls to zero linearly,
    /// one where they are as independent as can be.
    pub fn independence(&self) -> f64 {
        self.kkt.independence()
    }

    /// Rates at a stage near positions where rows become dependent. There accelerations blow up what a stage is off the
    /// constraints, so it is led back onto them first. Rates of the projected point are those of another differential equation
    /// with the same solutions, so the method keeps its order.
    pub fn held_stage(&mut self, point: &mut Point, rates: &mut Rates) -> Result<()> {
        self.arrive(point, rates, false).map(|_| ())
    }

    /// Brings a point back onto the constraints and finds the rates there. Returns the largest residual left.
    pub fn settle(&mut self, point: &mut Point, rates: &mut Rates) -> Result<f64> {
        self.arrive(point, rates, true)
    }

    fn arrive(&mut self, point: &mut Point, rates: &mut Rates, exact: bool) -> Result<f64> {
        if self.open.is_some() {
            self.system.formulation.normalise(&mut point.q);
            self.open_rates(point, rates)?;
            return Ok(0.0);
        }
        let residual = self.project_position(point)?;
        let lean = self.is_lean();
        if !lean {
            self.ws.realize_position(self.system, point.t, &point.q);
        }
        self.realize_entries(point.t);
        self.factor(point.t, &point.q, exact)?;
        self.project_velocity(point);
        self.rates(point, rates, lean)?;
        Ok(residual)
    }

    /// Residuals at (q, t), and what entries of Φ_v need. Returns the largest.
    fn realize_rows(&mut self, t: f64, q: &[f64]) -> f64 {
        match &mut self.quadratic {
            Some(rows) => rows.residuals(q, &mut self.ws.evaluation),
            None => self.ws.realize_rows(self.system, t, q),
        }
    }

    /// Entries of Φ_v where the rows were last realised.
    fn realize_entries(&mut self, t: f64) {
        match &self.quadratic {
            Some(rows) => rows.jacobian(&mut self.ws.evaluation),
            None => self.ws.realize_entries(self.system, t),
        }
    }

    /// Places bodies and markers of a point and moves them.
    pub fn realize(&mut self, point: &Point) {
        self.ws.realize_position(self.system, point.t, &point.q);
        self.ws.realize_velocity(self.system, point.t, &point.v);
    }

    fn rates(&mut self, point: &Point, rates: &mut Rates, lean: bool) -> Result<()> {
        rates.power = self.accelerate(point, &mut rates.v, lean)?;
        self.system.formulation.rates(&point.q, &point.v, &mut rates.q);
        Ok(())
    }

    /// Rates of an open chain; bodies are placed only where loads need them.
    fn open_rates(&mut self, point: &Point, rates: &mut Rates) -> Result<()> {
        if !self.is_unloaded() {
            self.ws.realize_position(self.system, point.t, &point.q);
            self.move_bodies(point);
        }
        rates.power = self.accelerate_open(point, &mut rates.v)?;
        self.system.formulation.rates(&point.q, &point.v, &mut rates.q);
        Ok(())
    }

    fn is_unloaded(&self) -> bool {
        self.system.model.loads.is_empty() && self.given.is_empty() && self.law.is_none()
    }

    /// Rates at a point with something changed by `by`.
    pub(super) fn probed(&mut self, point: &Point, probe: Probe, by: f64, rates: &mut Rates) -> Result<()> {
        self.probe = Some((probe, by));
        let found = self.stage(point, rates);
        self.probe = None;
        found
    }

    /// Adds what is given besides the model's loads.
    fn give(&mut self, t: f64) {
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
    }

    fn move_bodies(&mut self, point: &Point) {
        let (system, t) = (self.system, point.t);
        system.formulation.velocities(&point.v, &mut self.ws.cache);
        system.constraints.move_markers(system.at(t), &self.ws.cache, &mut self.ws.evaluation);
    }

    /// v̇ and power of an open chain, with bodies placed and moved where loads need them.
    fn accelerate_open(&mut self, point: &Point, vdot: &mut [f64]) -> Result<f64> {
        let (system, t) = (self.system, point.t);
        self.evaluations += 1;
        let loaded = !self.is_unloaded();
        if loaded {
            self.applied.evaluate(system, &self.ws, t);
            self.give(t);
            self.loads_only.clone_from(&self.applied.wrenches);
            if let Some(generalised) = &mut self.generalised {
                generalised.generalised(system, &self.ws, &self.applied.wrenches, &mut self.h);
            }
            self.h.iter_mut().zip(&self.scale).for_each(|(h, scale)| *h /= scale);
        }
        let Some(open) = &mut self.open else { return Ok(0.0) };
        let h = loaded.then_some(self.h.as_slice());
        let power = match open.accelerate(t, &point.q, &point.v, h, vdot) {
            Ok(power) => power,
            Err(_) if !self.h.iter().chain(&point.q).chain(&point.v).all(|x| x.is_finite()) => {
                return Err(self.not_finite(t));
            }
            Err(error) => return Err(at_time(error, t)),
        };
        Ok(power + if loaded { self.load_power() } else { 0.0 })
    }

    /// v̇ and power, with the position realised and factored.
    fn accelerate(&mut self, point: &Point, vdot: &mut [f64], lean: bool) -> Result<f64> {
        let (system, t) = (self.system, point.t);
        self.evaluations += 1;
        let (cache, evaluation, size) = (&mut self.ws.cache, &mut self.ws.evaluation, self.ws.size);
        if let (true, Some(rows)) = (lean, &mut self.quadratic) {
            rows.acceleration_side(&point.v, evaluation);
        } else if lean {
            system.formulation.marker_velocities(&point.v, &system.constraints.row_bodies, cache);
            system.formulation.marker_bias(cache);
            system.constraints.move_row_markers(system.at(t), cache, evaluation);
        } else {
            system.formulation.velocities(&point.v, cache);
            system.constraints.move_markers(system.at(t), cache, evaluation);
            system.formulation.accelerations(None, cache);
            system.constraints.accelerate_markers(system.at(t), cache, evaluation);
        }
        if !lean || self.quadratic.is_none() {
            system.constraints.acceleration_side(t, size, evaluation);
        }
        if self.moving {
            system.constraints.velocity_side(system.at(t), size, evaluation);
        }
        if self.is_lean() {
            self.h.copy_from_slice(&self.mass.weight);
        } else {
            if self.mass.constant {
                self.mass.evaluate(system, &self.ws);
            }
            self.applied.evaluate(system, &self.ws, t);
            self.give(t);
            self.loads_only.clone_from(&self.applied.wrenches);
            match self.mass.linear {
                true => self.applied.add_rotor_inertia(system, &self.ws),
                false => self.applied.add_inertia(system, &self.ws),
            }
            self.mass.generalised(&self.applied.wrenches, &mut self.h);
        }
        if let Some((Probe::Row(i), by)) = self.probe {
            let scale = system.constraints.scale(i, t, size);
            if let Some(gamma) = self.ws.evaluation.gamma.get_mut(i) {
                *gamma += scale * by;
            }
        }
        self.solve_accelerations();
        let mut finite = true;
        for ((vdot, x), scale) in vdot.iter_mut().zip(&self.kkt.x).zip(&self.scale) {
            *vdot = x * scale;
            finite &= vdot.is_finite();
        }
        if !finite {
            return Err(self.not_finite(t));
        }
        let loads = if self.is_lean() { 0.0 } else { self.load_power() };
        Ok(loads + if self.moving { self.driver_power() } else { 0.0 })
    }

    /// Why accelerations have no finite values: by the name of a load or a driver that has none, else of the fastest body.
    fn not_finite(&self, t: f64) -> Error {
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

    /// Scaled accelerations and multipliers for the generalised forces h and the side γ.
    fn solve_accelerations(&mut self) {
        let nv = self.h.len();
        if let Some(reduced) = &mut self.reduced {
            reduced.solve(&self.ws, &self.mass, &self.kkt.rows, &self.h, &mut self.kkt.x[..nv], &mut self.lambda);
            return;
        }
        for (side, h) in self.kkt.side.iter_mut().zip(&self.h) {
            *side = self.kkt.weight * h;
        }
        for (side, i) in self.kkt.side[nv..].iter_mut().zip(&self.kkt.rows) {
            *side = self.ws.gamma(*i);
        }
        self.kkt.solve();
        self.lambda.fill(0.0);
        for (x, i) in self.kkt.x[nv..].iter().zip(&self.kkt.rows) {
            self.lambda[*i] = x / self.kkt.weight;
        }
    }
}

/// [`Dynamics::unit`] of each coordinate and velocity: a coordinate is a length where velocities that are lengths move it.
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

fn is_too_long(system: &System) -> bool {
    (1..system.model.bodies.len()).any(|body| system.formulation.spin_columns(body).len() > LONGEST)
}

fn at_time(error: Error, t: f64) -> Error {
    error.note(format!("at t = {t:.9} s"))
}

/// Length that errors of lengths are judged against, at least: a metre, less where the mechanism is smaller by far.
pub fn length_weight(size: f64) -> f64 {
    /// Sizes that make a metre.
    const SIZES: f64 = 100.0;
    (SIZES * size).min(1.0)
}
