//! State-space matrices along a motion.
//!
//! At each sample of a motion the freedoms z (joint coordinates, chosen at the start and kept) deviate from it by δz̈ = K δz + D δż, so
//! that A = [0 1; K D] leads small deviations on. In a motion under forces the loads are what they are; where drivers prescribe the
//! whole motion they are let go, and their efforts held: A then tells how the mechanism leaves the motion by itself.

use crate::couplings::CoordinateRef;
use crate::drivers::Target;
use crate::error::{Error, Result};
use crate::model::Model;
use crate::results::{check_room, Column, Results};
use crate::signal::{bearers, Element};
use crate::solve::forces::ForceAnalysis;
use crate::solve::forward::{first_step, integrator, longest_step, start, Timeline};
use crate::solve::forward::{Control, Dynamics, Given, Point, Start};
use crate::solve::mobility;
use crate::solve::motion::{led, Follower};
use crate::solve::outcome::{ended, Outcome};
use crate::solve::samples::{samples, stopped, time};
use crate::system::{rotor, System};
use crate::vibration::{state_space, states, Near};

/// The matrices at every sample: a column for each entry `A.1.1` …, the states' names among the notes. Joint coordinates are used
/// whatever the formulation; `progress` is that of [`crate::solve::kinematics::run`].
pub fn run(model: &Model, formulation: &str, mut progress: impl FnMut(usize, usize) -> bool) -> Result<Results> {
    run_as_far(model, formulation, &mut progress)?.whole()
}

/// The same as far as the motion goes.
pub fn run_as_far(model: &Model, formulation: &str, progress: &mut dyn FnMut(usize, usize) -> bool) -> Result<Outcome> {
    if model.gravity.is_none() {
        return Err(model.gravity_unsaid());
    }
    let formulation = if formulation.starts_with("relative-euler") { formulation } else { "relative" };
    let near = model.near();
    let model = near.as_ref().unwrap_or(model);
    let system = System::new(model, formulation)?;
    if model.drivers.is_empty() {
        return along_free(&system, progress);
    }
    let mut ws = crate::system::Workspace::new(&system);
    crate::solve::assemble::assemble(&system, &mut ws, model.study.start)?;
    match mobility::count(&system, &mut ws, model.study.start).undriven {
        0 => along_driven(&system, progress),
        _ => along_free(&system, progress),
    }
}

/// Collects the matrices.
struct Table {
    t: Vec<f64>,
    entries: Vec<Vec<f64>>,
    states: Vec<String>,
}

impl Table {
    /// Takes the matrix at the present point of a mechanism.
    fn take(&mut self, near: &mut Near) -> Result<()> {
        near.moving = true;
        match self.t.is_empty() {
            true => {
                near.choose_freedoms();
                if near.free.is_empty() {
                    return Err(Error::new("nothing is free to deviate from this motion"));
                }
                self.states = states(&near.coordinates(), near.free.len());
            }
            false => near.keep_freedoms()?,
        }
        let a = state_space(&near.stiffness()?, &near.damping()?);
        if self.t.is_empty() {
            let model = near.dynamics.system.model;
            check_room(a.entries.len() + 1, samples(model), model.study.room)?;
        }
        self.entries.resize(a.entries.len(), Vec::new());
        self.entries.iter_mut().zip(&a.entries).for_each(|(column, x)| column.push(*x));
        self.t.push(near.point.t);
        Ok(())
    }

    fn results(self, model: &Model, formulation: &str) -> Results {
        let n = self.states.len();
        let entries = (0..self.entries.len()).map(|k| Element::StateMatrix(k / n, k % n));
        let elements = std::iter::once(Element::Time).chain(entries);
        let data = std::iter::once(self.t).chain(self.entries);
        let columns = elements.flat_map(|e| e.signals(model)).zip(data);
        let columns = columns.map(|(s, data)| Column::new(s.name(model), s.unit(), data)).collect();
        let notes = vec![
            ("model".into(), model.name.clone()),
            ("formulation".into(), formulation.to_string()),
            ("states".into(), self.states.join(", ")),
        ];
        Results { columns, notes, ended: None }
    }
}

fn along_free(system: &System, progress: &mut dyn FnMut(usize, usize) -> bool) -> Result<Outcome> {
    let model = system.model;
    let study = &model.study;
    let Start { mut point, ws, .. } = start(system)?;
    let mut dynamics = Dynamics::new(system, ws, point.t, &point.q)?;
    dynamics.project(&mut point)?;
    dynamics.realize(&point);
    let mut control = Control::new(first_step(study)?, study.tolerance);
    let mut near = Near::new(dynamics, point);
    let mut timeline = Timeline::new(system, integrator(study.method));
    let mut table = Table { t: Vec::new(), entries: Vec::new(), states: Vec::new() };
    let (all, mut end) = (samples(model), None);
    for k in 0..all {
        if k > 0 && !progress(k, all) {
            return Err(stopped(k, all));
        }
        let until = time(model, k);
        let mut sample = || {
            let Near { dynamics, point, .. } = &mut near;
            while point.t < until {
                dynamics.realize(point);
                control.longest = longest_step(dynamics);
                timeline.advance(dynamics, point, until, &mut control)?;
                dynamics.realize(point);
                system.constraints.keep_turns(&mut dynamics.ws.evaluation);
                dynamics.ws.cache.keep_attitudes();
            }
            table.take(&mut near)
        };
        if let Err(error) = ended(sample(), k)? {
            end = Some(led(error, system, near.point.t));
            break;
        }
    }
    Ok(Outcome::new(table.results(model, system.formulation.name()), end))
}

fn along_driven(system: &System, progress: &mut dyn FnMut(usize, usize) -> bool) -> Result<Outcome> {
    let model = system.model;
    let mut follower = Follower::new(system, model.study.start, model.study.end - model.study.start)?;
    let mut forces = ForceAnalysis::new(system, true)?;
    let freed = model.released();
    let free = System::new(&freed, system.formulation.name())?;
    let mut near: Option<Near> = None;
    let mut table = Table { t: Vec::new(), entries: Vec::new(), states: Vec::new() };
    let (all, mut end) = (samples(model), None);
    for k in 0..all {
        if k > 0 && !progress(k, all) {
            return Err(stopped(k, all));
        }
        let mut sample = || {
            follower.advance(time(model, k))?;
            let state = &follower.stepper.state;
            let point = Point { t: state.t, q: state.q.clone(), v: state.v.clone(), work: 0.0 };
            forces.evaluate(system, &mut follower.stepper.ws, point.t)?;
            let mut ws = crate::system::Workspace::new(&free);
            ws.size = follower.stepper.ws.size;
            let theirs = system.constraints.coordinates();
            for ((_, _, ours), (_, _, other)) in free.constraints.coordinates().iter().zip(theirs) {
                ws.evaluation.near[*ours] = system.constraints.value(*other, &follower.stepper.ws.evaluation);
            }
            let mut dynamics = Dynamics::new(&free, ws, point.t, &point.q)?;
            dynamics.given = efforts(system, &forces)?;
            let chosen = near.take().map(|n| n.free);
            let mut here = Near::new(dynamics, point);
            here.free = chosen.unwrap_or_default();
            table.take(&mut here)?;
            near = Some(here);
            Ok(())
        };
        if let Err(error) = ended(sample(), k)? {
            end = Some(led(error, system, follower.stepper.state.t));
            break;
        }
    }
    Ok(Outcome::new(table.results(model, system.formulation.name()), end))
}

/// What the drivers supply at the sample evaluated, as efforts and forces.
fn efforts(system: &System, forces: &ForceAnalysis) -> Result<Given> {
    let mut given = Given::default();
    for (joint, coordinate) in bearers(&system.model.drivers) {
        let number = rotor::coordinate_number(system, CoordinateRef { joint, coordinate });
        given.efforts.extend(number.map(|k| (k, forces.borne(joint, coordinate))));
    }
    let own = system.model.drivers.iter().zip(&forces.reactions.drivers).filter(|(d, _)| d.effort.is_empty());
    for (driver, effort) in own {
        match &driver.target {
            Target::Coordinate { of, .. } => {
                given.efforts.extend(rotor::coordinate_number(system, *of).map(|k| (k, effort.x)));
            }
            Target::Point { body, p_B, along, .. } => given.forces.push((*body, *p_B, *along * effort.x)),
            Target::Rotor { .. } | Target::Measure { .. } | Target::Orientation { .. } => {
                return Err(Error::new("a motion that is driven so cannot be linearised")
                    .of(format!("driver '{}'", driver.name))
                    .at_opt(driver.span.as_ref())
                    .note("drive joint coordinates or points instead"))
            }
        }
    }
    Ok(given)
}
