//! A run on its way from start to end, in one leg or several: steps, samples, what is watched, what is told at the end.

use super::checkpoint::Checkpoint;
use super::energy_monitor::{longest_at, longest_step, EnergyMonitor};
use super::events::{Events, Turning};
use super::initial::{start, Said, Start};
use super::open::Torques;
use super::sample_forces::SampleForces;
use super::timeline::Timeline;
use super::{integrator, Control, Dynamics, Integrator, Point};
use crate::error::{Error, ErrorKind, Reason, Result};
use crate::model::{Integration, Model, Study};
use crate::results::{significant, Results};
use crate::signal::{Extent, Signals};
use crate::solve::assemble::misfit_warning;
use crate::solve::branch::Identity;
use crate::solve::finite_mobility;
use crate::solve::mobility;
use crate::solve::motion::led;
use crate::solve::outcome::{ended, Outcome};
use crate::solve::recorder::{Balance, Recorder, Sample};
use crate::solve::samples::{samples, stopped, time};
use crate::system::{IdleSpin, System, Workspace};

/// Turn of a body, in radians, up to which attitudes and angles are not yet counted on: with two bodies and a step more, each of a radian at most, still
/// less than half a turn.
const FEW: f64 = 0.5;

/// A run on its way: what goes on from leg to leg where it has several.
pub(super) struct Journey<'m> {
    model: &'m Model,
    integrator: &'static dyn Integrator,
    /// Where it is.
    pub point: Point,
    control: Control,
    recorder: Recorder,
    pub watch: EnergyMonitor,
    mode: String,
    said: Said,
    samples: usize,
    done: usize,
    /// Steps when the last sample was made.
    spent: usize,
    /// Where the run ends.
    end: f64,
    evaluations: usize,
    /// What has happened: in words, when.
    pub happened: Vec<(String, f64)>,
    /// What is to be told besides.
    pub notes: Vec<(String, String)>,
}

impl<'m> Journey<'m> {
    /// From a point whose state is realised.
    pub fn new(dynamics: &mut Dynamics<'m>, point: Point, said: Said) -> Result<Journey<'m>> {
        let model = dynamics.system.model;
        let study = &model.study;
        let integrator = integrator(study.method);
        let samples = samples(model);
        let mut recorder = Recorder::new(dynamics.system, samples, Signals::with(model, Extent::of(study)))?;
        let identity = Identity::new(dynamics.system, &mut dynamics.ws, point.t);
        let mode = identity.words.clone();
        recorder.carry(identity);
        Ok(Journey {
            model,
            integrator,
            control: Control::new(first_step(study)?, study.tolerance),
            recorder,
            watch: EnergyMonitor::new(integrator, study.tolerance, dynamics),
            mode,
            said,
            samples,
            done: 0,
            spent: 0,
            end: study.end,
            evaluations: dynamics.evaluations,
            happened: Vec::new(),
            notes: Vec::new(),
            point,
        })
    }

    /// Goes on as an earlier run would have gone on from where it was left.
    pub fn take_up(&mut self, from: Option<&Checkpoint>) {
        let Some(from) = from else { return };
        self.watch.take_up(self.point.work, from.at_play);
        if self.model.study.method == Integration::Rk45 {
            // What was left to the end of a part may have been next to nothing.
            self.control.step = self.control.step.max(from.step);
        }
    }

    /// Where it is, for a run that goes on from here; turns are counted in the arrays.
    pub fn checkpoint(&self, ws: &Workspace) -> Checkpoint {
        Checkpoint::new(&self.point, ws, (self.watch.at_play(), self.control.step))
    }

    /// Goes on by another method, with steps of this length.
    pub fn change(&mut self, integrator: &'static dyn Integrator, step: f64, dynamics: &mut Dynamics) {
        self.integrator = integrator;
        self.control.step = step;
        self.watch = EnergyMonitor::new(integrator, self.model.study.tolerance, dynamics);
        self.watch.take_up(self.point.work, 0.0);
    }

    /// Travels on by equations of motion whose state is realised, to the end of the run, or up to an event that ends the leg: which one, and when.
    // Long: the loop of a run, whose steps and samples share everything that changes.
    pub fn travel<'s>(
        &mut self,
        dynamics: &mut Dynamics<'s>,
        (events, told): (&mut Events, &mut SampleForces),
        progress: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Result<Option<Turning>> {
        let (system, study) = (dynamics.system, &self.model.study);
        let named = |e: Error| e.of(format!("mechanism '{}'", system.model.name));
        let mut control = Control::new(self.control.step, study.tolerance);
        (control.accepted, control.refused) = (self.control.accepted, self.control.refused);
        control.work_unknown = self.control.work_unknown;
        control.longest = longest_step(dynamics);
        control.energy = self.watch.at_play();
        let before = dynamics.evaluations;
        events.start(dynamics, &self.point);
        self.recorder.rebase(system);
        let mut vdot = vec![0.0; self.point.v.len()];
        let mut timeline = Timeline::new(system, self.integrator);
        let mut at = self.point.clone();
        let mut passed = 0;
        let mut turning = None;
        let first = control.accepted;
        // What one sample after the other asks for; an error ends the run there.
        let mut follow = || -> Result<()> {
            while self.done < self.samples {
                let due = time(self.model, self.done);
                if turning.as_ref().is_some_and(|turning: &Turning| due > turning.t) {
                    break;
                }
                let last = due >= self.end;
                let t = if last { self.end } else { due };
                if t > self.point.t {
                    refuse_long_step(&control, study, &self.point)?;
                    refuse_endless(&control, study, &self.point, self.spent, t)?;
                    let (breaks, accepted) = (timeline.breaks, control.accepted);
                    timeline.advance(dynamics, &mut self.point, study.end, &mut control).map_err(named)?;
                    if timeline.breaks > breaks {
                        // A train of pulses makes headway from pulse to pulse.
                        self.spent = control.accepted + control.refused;
                        refuse_trains(timeline.breaks - passed, &self.point)?;
                    }
                    let glance = if events.is_empty() { dynamics.glance(&self.point) } else { None };
                    let energies = match glance.filter(|glance| glance.turned < FEW) {
                        Some(glance) => {
                            control.longest = longest_at(glance.spin);
                            glance.energies
                        }
                        None => {
                            dynamics.keep(&self.point);
                            control.longest = longest_step(dynamics);
                            dynamics.energies()
                        }
                    };
                    self.watch.look(energies, &self.point, &control).map_err(named)?;
                    control.energy = self.watch.at_play();
                    // A break at the very end makes no step.
                    if control.accepted > accepted {
                        match events.look(dynamics, &control.dense, &mut at).map_err(named)? {
                            // Samples up to the event are still to come from this step.
                            Some(met) if met.turns => {
                                control.dense.at(met.t, &mut at);
                                self.point.copy(&at);
                                turning = Some(met);
                            }
                            Some(met) => self.end = met.t,
                            None => {}
                        }
                    }
                    continue;
                }
                match control.accepted > first && t < control.dense.to.t {
                    true => control.dense.at(t, &mut at),
                    false => at.copy(&self.point),
                }
                // Right after a break the state is that of a few roundings later.
                at.t = t;
                let residual = dynamics.project(&mut at)?;
                // What a sample needs is not counted: evaluations are those of the integration.
                let evaluations = dynamics.evaluations;
                events.share(dynamics, &at)?;
                dynamics.evaluate_projected(&at, &mut vdot)?;
                dynamics.evaluations = evaluations;
                dynamics.ws.realize_acceleration(system, t, &vdot);
                let forces = told.evaluate(dynamics, t, self.recorder.asked())?;
                let drift = forces.kinetic + forces.potential - at.work - self.watch.energy;
                let sample = Sample { system, ws: &dynamics.ws, t, residual };
                self.recorder.record(&sample, Some(forces), Some(Balance { work: at.work, drift }))?;
                self.done += 1;
                self.spent = control.accepted + control.refused;
                passed = timeline.breaks;
                if last {
                    self.done = self.samples;
                    break;
                }
                if self.done < self.samples && !progress(self.done, self.samples) {
                    return Err(stopped(self.done, self.samples));
                }
            }
            Ok(())
        };
        let outcome = follow();
        self.notes.extend(timeline.blindness().map(|text| ("warning".into(), text)));
        self.evaluations += dynamics.evaluations - before;
        self.control = control;
        outcome.map(|()| turning)
    }

    /// Whether every sample is made.
    pub fn is_done(&self) -> bool {
        self.done >= self.samples
    }

    /// What the run has come to.
    pub fn finish(self, outcome: Result<()>, dynamics: &Dynamics) -> Result<Outcome> {
        let Journey { model, integrator, point, control, recorder, watch, mode, said, end, happened, notes, .. } = self;
        let word = integrator.word();
        let system = dynamics.system;
        let ended = ended(outcome, recorder.done())?.err().map(|e| led(e, system, point.t));
        let mut results = recorder.finish(model);
        let (control, watch) = (&control, &watch);
        let told =
            Ended { dynamics, word, control, watch, evaluations: self.evaluations, notes, happened, mode, said, end };
        told.tell(&model.study, &mut results);
        Ok(Outcome::new(results, ended))
    }
}

/// The equations of motion and the state to start from, with what is told of it.
pub(super) fn begin<'s>(
    system: &'s System<'s>,
    torques: Option<Torques>,
    from: Option<&Checkpoint>,
) -> Result<(Dynamics<'s>, Point, Said)> {
    let Start { mut point, mut ws, said } = match from {
        Some(checkpoint) => checkpoint.start(system)?,
        None => start(system)?,
    };
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
    Ok((dynamics, point, said))
}

/// What a run has come to.
struct Ended<'a, 's> {
    /// The method.
    word: &'static str,
    control: &'a Control,
    dynamics: &'a Dynamics<'s>,
    watch: &'a EnergyMonitor,
    evaluations: usize,
    /// What forces leave to be said.
    notes: Vec<(String, String)>,
    happened: Vec<(String, f64)>,
    mode: String,
    said: Said,
    end: f64,
}

impl Ended<'_, '_> {
    fn tell(self, study: &Study, results: &mut Results) {
        let model = self.dynamics.system.model;
        for (key, value) in [
            ("model", model.name.clone()),
            ("formulation", self.dynamics.system.formulation.name().to_string()),
            ("method", self.word.to_string()),
            ("steps", self.control.accepted.to_string()),
            ("refused steps", self.control.refused.to_string()),
            ("evaluations", self.evaluations.to_string()),
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
        for (what, t) in &self.happened {
            results.tell("event", format!("{what} at t = {t:.9} s"));
        }
        if self.end < study.end {
            results.tell("stopped at", format!("{:.9}", self.end));
        }
        results.notes.extend(self.said);
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
