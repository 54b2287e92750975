//! Motions of many designs: position, velocity and acceleration of all bodies at the same times, several designs side by side where their rows can be
//! written out flat ([`Abreast`]), one after the other elsewhere. A design that needs more than the common step is run alone, from its start; either
//! way it has the same bits.

use crate::error::{Error, Result};
use crate::math::{EulerParameters, Lanes, Number};
use crate::solve::motion::{Abreast, Follower};
use crate::system::{BodyState, System};
use biela_tree::wide::{run_portable, Kernel, Level};

/// Numbers of a body at one time: origin, Euler parameters, velocity, angular velocity, acceleration, angular acceleration, in the order of its
/// columns.
pub const NUMBERS: usize = 19;

/// What is found of a design: time by time, moving body by moving body, [`NUMBERS`] each.
pub type Motion = Result<Vec<f64>>;

/// The motions of these systems at ascending times, each in its own place of the answer.
pub fn motions(systems: &[System], times: &[f64]) -> Vec<Motion> {
    motions_at(Level::detect(), systems, times)
}

/// The same by registers of a chosen width.
pub fn motions_at(level: Level, systems: &[System], times: &[f64]) -> Vec<Motion> {
    if times.is_empty() {
        return systems.iter().map(|_| Ok(Vec::new())).collect();
    }
    let lanes = level.lanes();
    let group = |systems: &[System]| match lanes {
        8 => group::<Lanes<8>>(level, systems, times),
        4 => group::<Lanes<4>>(level, systems, times),
        _ => systems.iter().map(|system| alone(system, times)).collect(),
    };
    systems.chunks(lanes).flat_map(group).collect()
}

/// One design by its own follower.
fn alone(system: &System, times: &[f64]) -> Motion {
    let span = times[times.len() - 1] - times[0];
    let mut follower = Follower::new(system, times[0], span)?;
    let mut found = Vec::with_capacity(times.len() * NUMBERS * (system.model.bodies.len() - 1));
    for t in times {
        if !t.is_finite() || *t < follower.stepper.state.t {
            return Err(Error::new(format!("times must ascend: {t} s comes after {} s", follower.stepper.state.t)));
        }
        follower.advance_bodies(*t)?;
        follower.stepper.ws.cache.bodies[1..system.model.bodies.len()].iter().for_each(|body| put(body, &mut found));
    }
    Ok(found)
}

/// Several designs, no more than there are lanes.
fn group<N: Number>(level: Level, systems: &[System], times: &[f64]) -> Vec<Motion> {
    let ascending = times.windows(2).all(|pair| pair[0] < pair[1]) && times.iter().all(|t| t.is_finite());
    match abreast::<N>(level, systems, times) {
        Some(found) if ascending => {
            let finish = |(found, system): (Option<Vec<f64>>, &System)| found.map_or_else(|| alone(system, times), Ok);
            found.into_iter().zip(systems).map(finish).collect()
        }
        _ => systems.iter().map(|system| alone(system, times)).collect(),
    }
}

/// The same in lanes: `None` for a design that is to be run alone, and for all where they do not go together.
fn abreast<N: Number>(level: Level, systems: &[System], times: &[f64]) -> Option<Vec<Option<Vec<f64>>>> {
    let span = times[times.len() - 1] - times[0];
    let started: Vec<Option<Follower>> = systems.iter().map(|s| Follower::new(s, times[0], span).ok()).collect();
    let mut seated: Vec<(usize, Follower)> =
        started.into_iter().enumerate().filter_map(|(k, follower)| Some((k, follower?))).collect();
    let mut engine = Abreast::<N>::new(&seated.iter().map(|(_, f)| &f.stepper).collect::<Vec<_>>())?;
    let mut found: Vec<Option<Vec<f64>>> = systems.iter().map(|_| None).collect();
    let mut present: Vec<Vec<BodyState>> = Vec::new();
    for (k, follower) in &seated {
        let bodies = follower.stepper.ws.cache.bodies[1..systems[*k].model.bodies.len()].to_vec();
        let mut first = Vec::with_capacity(times.len() * NUMBERS * bodies.len());
        bodies.iter().for_each(|body| put(body, &mut first));
        found[*k] = Some(first);
        present.push(bodies);
    }
    for pair in times.windows(2) {
        let (from, t) = (pair[0], pair[1]);
        for (lane, (k, follower)) in seated.iter_mut().enumerate() {
            if found[*k].is_some() && !follower.is_calm(from, t - from) {
                found[*k] = None;
            }
            engine.aim(lane, |row| systems[*k].constraints.target(row, t));
        }
        let mut good = N::splat(0.0);
        run(level, Step { engine: &mut engine, t: N::splat(t), good: &mut good });
        for (lane, (k, _)) in seated.iter().enumerate() {
            if good.lane(lane) != 1.0 {
                found[*k] = None;
            }
            if let Some(numbers) = &mut found[*k] {
                tell(&engine, lane, &mut present[lane], numbers);
            }
        }
        if found.iter().all(Option::is_none) {
            break;
        }
    }
    Some(found)
}

/// One step, compiled for the registers there are.
struct Step<'a, N> {
    engine: &'a mut Abreast<N>,
    t: N,
    good: &'a mut N,
}

impl<N: Number> Kernel for Step<'_, N> {
    #[inline(always)]
    fn run(self) {
        *self.good = self.engine.step(self.t);
    }
}

fn run<N: Number>(level: Level, step: Step<N>) {
    #[cfg(target_arch = "x86_64")]
    match N::LANES {
        8 if level >= Level::Avx512 => {
            biela_tree::wide::run_eight(level, step);
            return;
        }
        4 if level >= Level::Avx2 => {
            biela_tree::wide::run_four(level, step);
            return;
        }
        _ => {}
    }
    let _ = level;
    run_portable(step);
}

/// Adds the bodies of a lane as they stand after a step.
fn tell<N: Number>(engine: &Abreast<N>, lane: usize, present: &mut [BodyState], numbers: &mut Vec<f64>) {
    for (k, state) in present.iter_mut().enumerate() {
        let Some(forms) = engine.body(k) else { return };
        let [[ox, oy, x, y], [vx, vy, dx, dy], [ax, ay, ddx, ddy]] = forms.map(|of| of.map(|n| n.lane(lane)));
        let length = 1.0 / (x * x + y * y).sqrt();
        state.attitude = EulerParameters::about_z(x * length, y * length).near(&state.attitude);
        let [e0, e1, e2, e3] = state.attitude.0;
        let z = state.pose.origin.z;
        let motion = [vx, vy, 0.0, 0.0, 0.0, x * dy - y * dx, ax, ay, 0.0, 0.0, 0.0, x * ddy - y * ddx];
        numbers.extend_from_slice(&[ox, oy, z, e0, e1, e2, e3]);
        numbers.extend_from_slice(&motion);
    }
}

/// Adds a body.
fn put(body: &BodyState, numbers: &mut Vec<f64>) {
    numbers.extend_from_slice(&body.pose.origin.to_array());
    numbers.extend_from_slice(&body.attitude.0);
    for part in [body.v, body.w, body.a, body.alpha] {
        numbers.extend_from_slice(&part.to_array());
    }
}
