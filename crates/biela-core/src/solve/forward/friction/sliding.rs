//! Friction of joints that slide, as efforts at every stage of a step.
//!
//! Where no reaction presses, the effort follows from the rate. Else accelerations and reactions are affine in the efforts: they are found once
//! without friction and once for a unit of each, and the efforts that press themselves follow ([`answer`]).

use super::super::dynamics::Slides;
use super::super::sample_forces::SampleForces;
use super::super::{Dynamics, Point};
use super::State;
use crate::error::Result;
use crate::joints::Pressed;
use crate::signal::Asked;
use crate::solve::forces::{answer, Answer, Presses, Rub, Rubbed};
use crate::system::System;

/// Reactions and nothing else.
pub(super) const FORCES: Asked = Asked { forces: true, energies: false };

/// Joints that rub, each in its state.
#[derive(Debug)]
pub struct Sliding<'m> {
    /// All that rubs.
    pub rubs: Vec<Rub<'m>>,
    /// What each does.
    pub states: Vec<State>,
    /// Efforts last found; nothing for those stuck.
    pub tau: Vec<f64>,
    /// Tells reactions, where any presses a joint that slides.
    told: Option<SampleForces<'m>>,
    /// Speeds up to which a pair that began to slip from rest goes the way in which it began; none are known before the first point.
    slow: Vec<f64>,
    vdot: Vec<f64>,
    /// When an answer was first found beside which others are not excluded.
    pub grown: Option<f64>,
}

impl<'m> Sliding<'m> {
    /// For a system in which the states' drivers hold what is stuck.
    pub fn new(system: &System<'m>, states: Vec<State>) -> Result<Sliding<'m>> {
        let rubs = Rub::all(system);
        let mut sliding = Sliding {
            tau: vec![0.0; rubs.len()],
            rubs,
            states,
            told: None,
            slow: Vec::new(),
            vdot: vec![0.0; system.formulation.nv()],
            grown: None,
        };
        if (0..sliding.rubs.len()).any(|k| sliding.presses(k)) {
            sliding.told = Some(SampleForces::new(system)?);
        }
        Ok(sliding)
    }

    /// Whether a reaction has a part in the effort of joint `k`.
    fn presses(&self, k: usize) -> bool {
        !self.states[k].is_stuck() && self.rubs[k].friction.is_pressed()
    }

    /// How each slides: as its state says, or as it is led.
    fn slips(&self, rates: &[f64]) -> Vec<(f64, f64)> {
        let stands = |k: usize| match self.states[k] {
            State::Slides(sense) => Some(sense),
            State::Led => None,
            _ => Some(0.0),
        };
        Rub::slips_from(&self.rubs, rates, stands, &self.slow)
    }

    /// Which pairs begin to slip from rest where the leg begins.
    fn begin(&mut self, rates: &[f64]) {
        /// In m/s; of a pair whose first coordinate is an angle, at the radius of the other one.
        const SLOW: f64 = 1e-5;
        let slow = |k: usize| {
            let Some(other) = self.rubs[k].other else { return 0.0 };
            let speed = (self.rubs[k].weight * rates[k]).abs() + (self.rubs[other].weight * rates[other]).abs();
            let least = SLOW * self.rubs[k].weight.max(self.rubs[other].weight);
            if speed < least {
                least
            } else {
                0.0
            }
        };
        self.slow = (0..self.rubs.len()).map(slow).collect();
    }

    /// Efforts of those that reactions press.
    fn press(&mut self, dynamics: &mut Dynamics, point: &Point, free: &[usize], slips: &[(f64, f64)]) -> Result<()> {
        let rubs: Vec<Rub> = free.iter().map(|k| self.rubs[*k]).collect();
        let mut tau = self.tau.clone();
        free.iter().for_each(|k| tau[*k] = 0.0);
        let base = self.pressed(dynamics, point, &tau, free)?;
        let mut presses = Presses { base, unit: vec![vec![Pressed::default(); free.len()]; free.len()] };
        for (j, of) in free.iter().enumerate() {
            // As large as the effort may be, so that differences keep their digits.
            let law = rubs[j].kinetic(presses.base[j], slips[*of]).abs();
            let unit = if law > 0.0 && law.is_finite() { law } else { 1.0 };
            tau[*of] = unit;
            let with = self.pressed(dynamics, point, &tau, free)?;
            tau[*of] = 0.0;
            for (k, with) in with.into_iter().enumerate() {
                presses.unit[k][j] = Pressed::default().plus(1.0 / unit, with).plus(-1.0 / unit, presses.base[k]);
            }
        }
        let law = |k: usize, pressed: Pressed| rubs[k].kinetic(pressed, slips[free[k]]);
        let mut found = vec![0.0; free.len()];
        match answer(&rubs, &presses, &law, &mut found) {
            Answer::Unique => {}
            Answer::Grown => {
                self.grown.get_or_insert(point.t);
            }
            Answer::None => return Err(rubs[0].jammed(point.t)),
        }
        free.iter().zip(&found).for_each(|(k, tau)| self.tau[*k] = *tau);
        Ok(())
    }

    /// What presses some joints under these efforts.
    fn pressed(&mut self, dynamics: &mut Dynamics, point: &Point, tau: &[f64], of: &[usize]) -> Result<Vec<Pressed>> {
        let Some(told) = &mut self.told else { return Ok(vec![Pressed::default(); of.len()]) };
        under(dynamics, told, point, (&self.rubs, tau), &mut self.vdot)?;
        let reactions = &told.latest().reactions;
        Ok(of.iter().map(|k| self.rubs[*k].pressed(&dynamics.ws, reactions)).collect())
    }
}

impl Slides for Sliding<'_> {
    /// Tells what joints exert, and which are stuck.
    fn tell(&self, rubbed: &mut Rubbed) {
        rubbed.tau.copy_from_slice(&self.tau);
        for (k, state) in self.states.iter().enumerate() {
            rubbed.stuck[k] = state.is_stuck();
            rubbed.held_by[k] = match state {
                State::Stuck(driver) => Some(*driver),
                _ => None,
            };
        }
    }

    /// Finds the efforts at a point and hands them to the equations of motion.
    fn settle(&mut self, dynamics: &mut Dynamics, point: &Point) -> Result<()> {
        dynamics.realize(point);
        let n = self.rubs.len();
        let rates: Vec<f64> = self.rubs.iter().map(|rub| rub.rate(dynamics.system, &dynamics.ws)).collect();
        if self.slow.len() < n {
            self.begin(&rates);
        }
        let slips = self.slips(&rates);
        let free: Vec<usize> = (0..n).filter(|k| self.presses(*k) && slips[*k].0 != 0.0).collect();
        // What those carried bear is shared out where holds are looked at.
        for k in (0..n).filter(|k| self.states[*k] != State::Carried) {
            self.tau[k] = self.rubs[k].kinetic(Pressed::default(), slips[k]);
        }
        if !free.is_empty() {
            self.press(dynamics, point, &free, &slips)?;
        }
        give(dynamics, &self.rubs, &self.tau);
        Ok(())
    }

    fn tau(&mut self) -> &mut [f64] {
        &mut self.tau
    }

    fn grown(&self) -> Option<f64> {
        self.grown
    }
}

/// Gives efforts of friction to the equations of motion, those that are nothing too.
pub(super) fn give(dynamics: &mut Dynamics, rubs: &[Rub], tau: &[f64]) {
    let efforts = &mut dynamics.given.efforts;
    efforts.clear();
    efforts.extend(rubs.iter().zip(tau).map(|(rub, tau)| (rub.coordinate, *tau)));
}

/// Accelerations and reactions at a point under these efforts; an error where redundant constraints leave open what presses a joint.
pub(super) fn under(
    dynamics: &mut Dynamics,
    told: &mut SampleForces,
    point: &Point,
    (rubs, tau): (&[Rub], &[f64]),
    vdot: &mut [f64],
) -> Result<()> {
    give(dynamics, rubs, tau);
    dynamics.evaluate_bare(point, vdot)?;
    let system = dynamics.system;
    dynamics.ws.realize_acceleration(system, point.t, vdot);
    if let Some(rubbed) = told.rubbed_mut() {
        rubbed.tau.copy_from_slice(tau);
    }
    told.evaluate(dynamics, point.t, FORCES)?;
    Ok(())
}
