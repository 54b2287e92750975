//! A run of forward dynamics from start to end.

use super::initial::{start, Start};
use super::{Control, Dynamics, Integrator, INTEGRATORS};
use crate::error::{Error, Result};
use crate::model::{Integration, Model};
use crate::results::{significant, Results};
use crate::solve::follow::check_drivers;
use crate::solve::forces::ForceAnalysis;
use crate::solve::signals::{Balance, Recorder, Sample};
use crate::system::System;

/// Integrates `model` by the formulation of that keyword. `progress` is that of [`crate::solve::kinematics::run`].
pub fn run(model: &Model, formulation: &str, mut progress: impl FnMut(usize, usize) -> bool) -> Result<Results> {
    let run = &model.run;
    let system = System::new(model, formulation)?;
    let integrator = integrator(run.method)?;
    check_drivers(&system, run.start)?;
    let mut forces = ForceAnalysis::new(&system, true)?;
    let Start { mut point, ws, at_rest } = start(&system)?;
    let mut dynamics = Dynamics::new(&system, ws, point.t, &point.q)?;
    dynamics.project(&mut point)?;
    let span = run.end - run.start;
    let step = match run.method {
        Integration::Rk45 => 1e-3 * span,
        _ => run.step.ok_or_else(|| Error::new("a fixed step is needed: [run] step"))?,
    };
    let mut control = Control { step, tolerance: run.tolerance, accepted: 0, refused: 0, first: None };
    let samples = run.steps + 1;
    let mut recorder = Recorder::for_dynamics(&system, samples);
    let mut watch = Watch::new(integrator.balance(run.tolerance));
    let time = |k: usize| if k == run.steps { run.end } else { run.start + span * k as f64 / run.steps as f64 };

    let mut vdot = vec![0.0; point.v.len()];
    let mut done = 0;
    let mut at = point.clone();
    let mut dense: Option<super::Dense> = None;
    while done < samples {
        let t = time(done);
        if t > point.t {
            let step = integrator
                .step(&mut dynamics, &mut point, run.end, &mut control)
                .map_err(|e| e.of(format!("mechanism '{}'", model.name)))?;
            system.constraints.keep_turns(&mut dynamics.ws.evaluation);
            dynamics.ws.cache.keep_attitudes();
            watch.look(&dynamics, &point)?;
            dense = Some(step);
            continue;
        }
        match &dense {
            Some(step) if t < step.to.t => step.at(t, &mut at),
            _ => at.clone_from(&point),
        }
        let residual = dynamics.project(&mut at)?;
        dynamics.evaluate(&at, &mut vdot)?;
        dynamics.ws.realize_acceleration(&system, t, &vdot);
        dynamics.ws.factor(true);
        forces.evaluate(&system, &mut dynamics.ws, t);
        watch.start(forces.kinetic + forces.potential, forces.potential);
        let balance = Balance { work: at.work, drift: forces.kinetic + forces.potential - at.work - watch.energy };
        let sample = Sample { system: &system, ws: &dynamics.ws, t, residual };
        recorder.record(&sample, Some(&forces), Some(balance))?;
        done += 1;
        if done < samples && !progress(done, samples) {
            return Err(Error::new(format!("stopped by the user after {done} of {samples} samples")));
        }
    }
    let mut results = recorder.finish(model);
    let word = Integration::ALL.iter().find(|m| m.1 == run.method).map_or("", |m| m.0);
    for (key, value) in [
        ("model", model.name.clone()),
        ("formulation", formulation.to_string()),
        ("method", word.to_string()),
        ("steps", control.accepted.to_string()),
        ("refused steps", control.refused.to_string()),
        ("evaluations", dynamics.evaluations.to_string()),
        ("energy drift", significant(watch.worst, 3)),
    ] {
        results.notes.push((key.into(), value));
    }
    if !at_rest.is_empty() {
        results.notes.push(("started at rest".into(), at_rest.join(", ")));
    }
    Ok(results)
}

fn integrator(which: Integration) -> Result<&'static dyn Integrator> {
    INTEGRATORS.iter().copied().find(|i| i.which() == which).ok_or_else(|| {
        let word = Integration::ALL.iter().find(|m| m.1 == which).map_or("", |m| m.0);
        Error::new(format!("the method '{word}' is not part of this version")).note("use rk45 or rk4")
    })
}

/// Watches the balance of energy and work.
struct Watch {
    bound: f64,
    energy: f64,
    potential: f64,
    started: bool,
    /// Largest energies at play so far.
    scale: f64,
    /// Largest drift so far as a fraction of them.
    worst: f64,
}

impl Watch {
    fn new(bound: f64) -> Watch {
        Watch { bound, energy: 0.0, potential: 0.0, started: false, scale: 0.0, worst: 0.0 }
    }

    fn start(&mut self, energy: f64, potential: f64) {
        if !self.started {
            (self.energy, self.potential, self.started) = (energy, potential, true);
        }
    }

    fn look(&mut self, dynamics: &Dynamics, point: &super::Point) -> Result<()> {
        let (kinetic, potential) = dynamics.energies();
        let drift = (kinetic + potential - point.work - self.energy).abs();
        self.scale = self.scale.max(kinetic + (potential - self.potential).abs() + point.work.abs());
        // Rounding of large energies that hardly change is no drift.
        let rounding = 1e-12 * (kinetic.abs() + potential.abs() + self.energy.abs());
        if self.scale > 0.0 && drift > rounding {
            self.worst = self.worst.max(drift / self.scale);
        }
        if !drift.is_finite() || drift > self.bound * self.scale + rounding {
            return Err(Error::new(format!(
                "energy is not conserved: at t = {:.9} s the balance is off by {} J, {} % of the energies at play",
                point.t,
                significant(drift, 3),
                significant(100.0 * drift / self.scale, 3)
            ))
            .note("the step is too long, or the tolerance too wide: make [run] step or tolerance smaller"));
        }
        Ok(())
    }
}
