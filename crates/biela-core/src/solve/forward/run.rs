//! A run of forward dynamics from start to end.

use super::energy_monitor::{longest_at, longest_step, EnergyMonitor};
use super::events::Events;
use super::initial::{start, Start};
use super::open::Torques;
use super::sample_forces::SampleForces;
use super::timeline::Timeline;
use super::{integrator, Control, Dynamics, Point};
use crate::error::{Error, ErrorKind, Reason, Result};
use crate::model::{Integration, Model, Study};
use crate::results::{significant, Results};
use crate::signal::{Extent, Signals};
use crate::solve::assemble::misfit_warning;
use crate::solve::branch::Identity;
use crate::solve::finite_mobility;
use crate::solve::mobility;
use crate::solve::motion::{check_drivers, led};
use crate::solve::outcome::{ended, Outcome};
use crate::solve::recorder::{Balance, Recorder, Sample};
use crate::solve::samples::{samples, stopped, time};
use crate::system::{IdleSpin, System};

/// Turn of a body, in radians, up to which attitudes and angles are not yet counted on: with two bodies and a step more, each of a radian at most, still
/// less than half a turn.
const FEW: f64 = 0.5;

/// Integrates `model` by the formulation of that keyword. `progress` is that of [`crate::solve::kinematics::run`].
pub fn run(model: &Model, formulation: &str, progress: impl FnMut(usize, usize) -> bool) -> Result<Results> {
    run_under(model, formulation, None, progress)
}

/// The same under generalised forces besides the model's loads, for open chains and trees in joint coordinates.
pub fn run_under(
    model: &Model,
    formulation: &str,
    torques: Option<Torques>,
    mut progress: impl FnMut(usize, usize) -> bool,
) -> Result<Results> {
    integrate(model, formulation, torques, &mut progress)?.whole()
}

/// As far as the motion goes.
pub fn run_as_far(model: &Model, formulation: &str, progress: &mut dyn FnMut(usize, usize) -> bool) -> Result<Outcome> {
    integrate(model, formulation, None, progress)
}

/// The work itself, compiled once, whoever hears of its progress.
// Long: the loop of a run, whose steps and samples share everything that changes.
fn integrate(
    model: &Model,
    formulation: &str,
    torques: Option<Torques>,
    progress: &mut dyn FnMut(usize, usize) -> bool,
) -> Result<Outcome> {
    let near = model.near();
    let model = near.as_ref().unwrap_or(model);
    let study = &model.study;
    let system = System::new(model, formulation)?;
    let integrator = integrator(study.method);
    // What the algorithm cannot do is better heard of before the work than after.
    Dynamics::check_algorithm(&system)?;
    check_drivers(&system, study.start)?;
    let mut told = SampleForces::new(&system)?;
    let (mut dynamics, mut point, at_rest) = begin(&system, torques)?;
    let mut control = Control::new(first_step(study)?, study.tolerance);
    control.longest = longest_step(&dynamics);
    let samples = samples(model);
    let mut recorder = Recorder::new(&system, samples, Signals::with(model, Extent::of(study)))?;
    let identity = Identity::new(&system, &mut dynamics.ws, point.t);
    let mode = identity.words.clone();
    recorder.carry(identity);
    let mut watch = EnergyMonitor::new(integrator, study.tolerance, &dynamics);
    control.energy = watch.at_play();
    let mut end = study.end;

    let mut events = Events::new(&system)?;
    events.start(&mut dynamics, &point);
    let mut vdot = vec![0.0; point.v.len()];
    let mut timeline = Timeline::new(&system, integrator);
    let mut done = 0;
    let mut at = point.clone();
    let mut spent = 0;
    let mut passed = 0;
    // What one sample after the other asks for; an error ends the run there.
    let mut follow = || -> Result<()> {
        while done < samples {
            let due = time(model, done);
            let last = due >= end;
            let t = if last { end } else { due };
            if t > point.t {
                refuse_long_step(&control, study, &point)?;
                refuse_endless(&control, study, &point, spent, t)?;
                let (breaks, accepted) = (timeline.breaks, control.accepted);
                timeline
                    .advance(&mut dynamics, &mut point, study.end, &mut control)
                    .map_err(|e| e.of(format!("mechanism '{}'", model.name)))?;
                if timeline.breaks > breaks {
                    // A train of pulses makes headway from pulse to pulse.
                    spent = control.accepted + control.refused;
                    refuse_trains(timeline.breaks - passed, &point)?;
                }
                let glance = if events.is_empty() { dynamics.glance(&point) } else { None };
                let energies = match glance.filter(|glance| glance.turned < FEW) {
                    Some(glance) => {
                        control.longest = longest_at(glance.spin);
                        glance.energies
                    }
                    None => {
                        dynamics.keep(&point);
                        control.longest = longest_step(&dynamics);
                        dynamics.energies()
                    }
                };
                watch.look(energies, &point, &control).map_err(|e| e.of(format!("mechanism '{}'", model.name)))?;
                control.energy = watch.at_play();
                // A break at the very end makes no step.
                if control.accepted > accepted {
                    let found = events.look(&mut dynamics, &control.dense, &mut at);
                    if let Some(t) = found.map_err(|e| e.of(format!("mechanism '{}'", model.name)))? {
                        // Samples up to the event are still to come from this step.
                        end = t;
                    }
                }
                continue;
            }
            match control.accepted > 0 && t < control.dense.to.t {
                true => control.dense.at(t, &mut at),
                false => at.copy(&point),
            }
            // Right after a break the state is that of a few roundings later.
            at.t = t;
            let residual = dynamics.project(&mut at)?;
            // What a sample needs is not counted: evaluations are those of the integration.
            let evaluations = dynamics.evaluations;
            dynamics.evaluate_projected(&at, &mut vdot)?;
            dynamics.evaluations = evaluations;
            dynamics.ws.realize_acceleration(&system, t, &vdot);
            let forces = told.evaluate(&mut dynamics, t, recorder.asked())?;
            let balance = Balance { work: at.work, drift: forces.kinetic + forces.potential - at.work - watch.energy };
            let sample = Sample { system: &system, ws: &dynamics.ws, t, residual };
            recorder.record(&sample, Some(forces), Some(balance))?;
            done += 1;
            spent = control.accepted + control.refused;
            passed = timeline.breaks;
            if last {
                break;
            }
            if done < samples && !progress(done, samples) {
                return Err(stopped(done, samples));
            }
        }
        Ok(())
    };
    let outcome = follow();
    let ended = ended(outcome, recorder.done())?.err().map(|e| led(e, &system, point.t));
    let mut results = recorder.finish(model);
    let mut notes = told.notes(&system);
    notes.extend(timeline.blindness().map(|text| ("warning".into(), text)));
    let (control, dynamics, watch, events) = (&control, &dynamics, &watch, &events);
    let formulation = system.formulation.name();
    Ended { formulation, control, dynamics, watch, events, notes, mode, at_rest, end }.tell(study, &mut results);
    Ok(Outcome::new(results, ended))
}

/// The equations of motion and the state to start from, with the coordinates that nobody has given a rate.
fn begin<'s>(system: &'s System<'s>, torques: Option<Torques>) -> Result<(Dynamics<'s>, Point, Vec<String>)> {
    let Start { mut point, mut ws, at_rest } = start(system)?;
    let counted = mobility::count(system, &mut ws, point.t);
    finite_mobility::refuse_fixed(system, &ws, point.t, &counted)?;
    // An idle spin is a motion like any other here, unless nothing resists it.
    let held: Vec<_> = counted.idle.into_iter().filter(|spin| !has_axial_inertia(system.model, spin)).collect();
    if !held.is_empty() {
        ws.hold_spins(system, held);
    }
    let mut dynamics = Dynamics::new(system, ws, point.t, &point.q)?;
    if let Some(torques) = torques {
        dynamics.push(torques)?;
    }
    dynamics.project(&mut point)?;
    dynamics.realize(&point);
    Ok((dynamics, point, at_rest))
}

/// What a run has come to.
struct Ended<'a, 's> {
    formulation: &'a str,
    control: &'a Control,
    dynamics: &'a Dynamics<'s>,
    watch: &'a EnergyMonitor,
    events: &'a Events<'s>,
    /// What forces leave to be said.
    notes: Vec<(String, String)>,
    mode: String,
    at_rest: Vec<String>,
    end: f64,
}

impl Ended<'_, '_> {
    fn tell(self, study: &Study, results: &mut Results) {
        let model = self.dynamics.system.model;
        let word = Integration::ALL.iter().find(|m| m.1 == study.method).map_or("", |m| m.0);
        for (key, value) in [
            ("model", model.name.clone()),
            ("formulation", self.formulation.to_string()),
            ("method", word.to_string()),
            ("steps", self.control.accepted.to_string()),
            ("refused steps", self.control.refused.to_string()),
            ("evaluations", self.dynamics.evaluations.to_string()),
            ("energy drift", significant(self.watch.worst, 3)),
            ("mode", self.mode.clone()),
        ] {
            results.tell(key, value);
        }
        results.notes.extend(self.notes);
        let largest = results.extremes("residual").map_or(0.0, |r| r.greatest);
        results.notes.extend(misfit_warning(&self.dynamics.ws, largest));
        if self.watch.damped > 0.0 {
            results.tell("damped by the method", format!("{} J", significant(self.watch.damped, 3)));
        }
        if let Some(algorithm) = self.dynamics.algorithm() {
            results.tell("algorithm", algorithm);
        }
        for (what, t) in &self.events.happened {
            results.tell("event", format!("{what} at t = {t:.9} s"));
        }
        if self.end < study.end {
            results.tell("stopped at", format!("{:.9}", self.end));
        }
        if !self.at_rest.is_empty() {
            results.tell("started at rest", self.at_rest.join(", "));
        }
    }
}

/// True where a body's spin about its line has inertia; a rod drawn as a line has none.
fn has_axial_inertia(model: &Model, spin: &IdleSpin) -> bool {
    /// Inertia about the line, against that across it, that is rounding.
    const NOTHING: f64 = 1e-12;
    let Some(mass) = model.bodies[spin.body].mass else { return false };
    mass.inertia.about(spin.u_B) > NOTHING * mass.inertia.trace()
}

/// Length of the first step.
pub fn first_step(study: &Study) -> Result<f64> {
    /// More steps than anyone waits for.
    const MOST: f64 = 1e9;
    let span = study.end - study.start;
    let step = match study.method {
        Integration::Rk45 => return Ok(1e-3 * span),
        _ => study.step.ok_or_else(|| Error::new("a fixed step is needed: [run] step"))?,
    };
    match span > MOST * step {
        true => Err(Error::new(format!("a step of {step:e} s makes more than {MOST:e} steps"))
            .note("make [run] step larger, or end earlier")),
        false => Ok(step),
    }
}

/// An adaptive method that makes no headway towards the sample due at `due` ends: forces that grow without bound would keep it for
/// ever.
fn refuse_endless(control: &Control, study: &Study, point: &Point, spent: usize, due: f64) -> Result<()> {
    const MOST: usize = 40_000;
    // Fewer where they have become so short that a million more would not do.
    const MANY: usize = 8_000;
    let hopeless = due - point.t > 1e6 * control.step;
    let most = if hopeless { MANY } else { MOST };
    if study.method != Integration::Rk45 || control.accepted + control.refused - spent < most {
        return Ok(());
    }
    let message = format!(
        "more than {most} steps since the last sample at t = {:.9} s: they are down to {} s",
        point.t,
        significant(control.step, 3)
    );
    Err(ErrorKind::Integration
        .error(message)
        .because(Reason::StepTooShort)
        .at_time(point.t)
        .note("forces grow too fast or are too stiff for this method: try method = \"alpha\"")
        .note("where so many steps are meant, give [run] more steps, so that samples lie closer"))
}

/// Loads and drivers that change their formula more often than anyone samples them.
fn refuse_trains(breaks: usize, point: &Point) -> Result<()> {
    const MOST: usize = 1_000_000;
    if breaks <= MOST {
        return Ok(());
    }
    let message = format!(
        "loads or drivers change their formula more than {MOST} times since the last sample, up to t = {:.9} s",
        point.t
    );
    Err(ErrorKind::Capacity
        .error(message)
        .because(Reason::TooFast)
        .at_time(point.t)
        .note("give [run] more steps, so that samples lie closer, or end earlier"))
}

/// A fixed step in which a body turns so far that turns could be miscounted is no step.
fn refuse_long_step(control: &Control, study: &Study, point: &Point) -> Result<()> {
    if study.method == Integration::Rk45 || control.step <= control.longest {
        return Ok(());
    }
    let message = format!(
        "the step of {} s is too long at t = {:.9} s: a body turns by more than a radian in it",
        significant(control.step, 3),
        point.t
    );
    Err(ErrorKind::Integration
        .error(message)
        .because(Reason::StepTooLong)
        .at_time(point.t)
        .note(format!("make [run] step smaller than {} s", significant(control.longest, 3))))
}
