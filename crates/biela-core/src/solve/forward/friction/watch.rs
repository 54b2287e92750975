//! How far joints that are stuck are from slipping: what they bear against what they hold.

use super::super::events::Holds;
use super::super::sample_forces::SampleForces;
use super::super::{Dynamics, Point};
use super::sliding::FORCES;
use super::State;
use crate::error::Result;
use crate::joints::Pressed;
use crate::solve::forces::{hold_share, Rub};
use crate::system::System;

/// Stuck joints of a leg.
#[derive(Debug)]
pub struct Watch<'m> {
    told: SampleForces<'m>,
    rubs: Vec<Rub<'m>>,
    vdot: Vec<f64>,
    /// Places of those that drivers hold, and these drivers; places of those that are held with them.
    held: Vec<(usize, usize)>,
    carried: Vec<usize>,
}

/// By how much a bound may be overstepped, as a fraction of it, and of the largest reaction: roundings of both.
const BOUND: (f64, f64) = (1e-10, 1e-13);
/// Change of an effort, relative, that is as good as none beside the bounds above.
const SHARED: f64 = 1e-11;
/// Rounds in which several joints share what they bear while it presses them.
const ROUNDS: usize = 40;

impl<'m> Watch<'m> {
    /// For the joints that are stuck; none where none is.
    pub fn new(system: &System<'m>, states: &[State]) -> Result<Option<Watch<'m>>> {
        let places = || states.iter().enumerate();
        let held: Vec<_> = places()
            .filter_map(|(k, state)| match state {
                State::Stuck(driver) => Some((k, *driver)),
                _ => None,
            })
            .collect();
        if held.is_empty() {
            return Ok(None);
        }
        let carried = places().filter(|(_, state)| **state == State::Carried).map(|(k, _)| k).collect();
        let vdot = vec![0.0; system.formulation.nv()];
        Ok(Some(Watch { told: SampleForces::new(system)?, rubs: Rub::all(system), vdot, held, carried }))
    }

    /// What holds bear at a point, and what presses every joint.
    fn borne(&mut self, dynamics: &mut Dynamics, point: &Point) -> Result<(Vec<f64>, Vec<Pressed>)> {
        dynamics.evaluate(point, &mut self.vdot)?;
        let system = dynamics.system;
        dynamics.ws.realize_acceleration(system, point.t, &self.vdot);
        self.told.evaluate(dynamics, point.t, FORCES)?;
        let reactions = &self.told.latest().reactions;
        let efforts = self.held.iter().map(|(_, driver)| reactions.drivers[*driver].x).collect();
        let rubs = &self.rubs;
        Ok((efforts, rubs.iter().map(|rub| rub.pressed(&dynamics.ws, reactions)).collect()))
    }

    /// What a unit of effort of each joint, held ones first, takes off the holds.
    fn ways(&mut self, dynamics: &mut Dynamics, point: &Point, efforts: &[f64]) -> Result<Vec<Vec<f64>>> {
        let few = self.held.len();
        let mut ways: Vec<Vec<f64>> =
            (0..few).map(|k| (0..few).map(|i| if i == k { 1.0 } else { 0.0 }).collect()).collect();
        for k in 0..self.carried.len() {
            let place = self.carried[k];
            push(dynamics, place, 1.0);
            let found = self.borne(dynamics, point);
            push(dynamics, place, -1.0);
            ways.push(found?.0.iter().zip(efforts).map(|(with, without)| without - with).collect());
        }
        Ok(ways)
    }
}

impl Holds for Watch<'_> {
    /// How many margins there are.
    fn len(&self) -> usize {
        if self.carried.is_empty() {
            self.held.len()
        } else {
            1
        }
    }

    /// Whether joints share what they bear.
    fn shares(&self) -> bool {
        !self.carried.is_empty()
    }

    /// Places of the joints that slip where margin `k` is spent, each with the sense of its slip, at the point last looked at.
    fn slipping(&self, k: usize, dynamics: &Dynamics) -> Vec<(usize, f64)> {
        /// Of a bound: joints that share bear the same part of theirs, to rounding.
        const AT_BOUND: f64 = 1e-6;
        let rubs = &self.rubs;
        let rubbed = self.told.latest().rubbed();
        let reactions = &self.told.latest().reactions;
        let tau = |place: usize| rubbed.map_or(0.0, |rubbed| rubbed.tau[place]);
        let spent = |place: usize| {
            let (borne, bound) = bears(rubs, place, rubs[place].pressed(&dynamics.ws, reactions), &tau);
            borne >= bound * (1.0 - AT_BOUND)
        };
        // Of a pair the components of the direction in which it begins to slip.
        let slips = |place: usize| -> Vec<(usize, f64)> {
            let Some(other) = rubs[place].other else { return vec![(place, -tau(place).signum())] };
            let size = rubs[place].together(tau(place), (&rubs[other], tau(other)));
            [place, other].map(|k| (k, -tau(k) / rubs[k].weight / size)).to_vec()
        };
        match self.carried.is_empty() {
            true => slips(self.held[k].0),
            false => {
                let all = self.held.iter().map(|h| h.0).chain(self.carried.iter().copied());
                all.filter(|place| spent(*place)).flat_map(slips).collect()
            }
        }
    }

    /// Margins at a point: positive where friction holds.
    fn look(&mut self, dynamics: &mut Dynamics, point: &Point, margins: &mut [f64]) -> Result<()> {
        let (mut efforts, mut pressed) = self.borne(dynamics, point)?;
        let largest = self.told.latest().reactions.joints.iter().map(|w| w.force.norm()).fold(0.0, f64::max);
        let rubs = self.rubs.clone();
        if self.carried.is_empty() {
            let tau = |place: usize| self.held.iter().position(|held| held.0 == place).map_or(0.0, |k| efforts[k]);
            for (margin, (place, _)) in margins.iter_mut().zip(&self.held) {
                let (borne, bound) = bears(&rubs, *place, pressed[*place], &tau);
                *margin = bound * (1.0 + BOUND.0) + largest * BOUND.1 - borne;
            }
            return Ok(());
        }
        let places: Vec<usize> = self.held.iter().map(|h| h.0).chain(self.carried.iter().copied()).collect();
        let few = self.held.len();
        let (mut share, mut most) = (0.0, 0.0);
        for _ in 0..ROUNDS {
            let ways = self.ways(dynamics, point, &efforts)?;
            // What the holds bear in all, if those carried bore nothing.
            let carried: Vec<f64> = self.carried.iter().map(|c| tau_of(dynamics, *c)).collect();
            let borne = |k: usize| carried.iter().zip(&ways[few..]).map(|(tau, way)| tau * way[k]).sum::<f64>();
            let whole: Vec<f64> = (0..few).map(|k| efforts[k] + borne(k)).collect();
            let more = |bound: f64| bound * (1.0 + BOUND.0) + largest * BOUND.1;
            let now: Vec<f64> = efforts.iter().copied().chain(carried.iter().copied()).collect();
            let tau = |place: usize| places.iter().position(|k| *k == place).map_or(0.0, |k| now[k]);
            let bounds = places.iter().map(|k| within(&rubs, *k, pressed[*k], &tau));
            let bounds: Vec<(f64, f64)> = bounds.map(|(low, high)| (-more(-low), more(high))).collect();
            let (found, tau) = hold_share(&whole, &ways, &bounds);
            share = found;
            let bears = |(way, bound): (&Vec<f64>, &(f64, f64))| {
                way.iter().map(|way| way.abs()).sum::<f64>() * bound.1.max(-bound.0)
            };
            most = ways.iter().zip(&bounds).map(bears).sum::<f64>();
            let mut change = 0.0f64;
            if let Some(sliding) = &mut dynamics.sliding {
                for (place, tau) in self.carried.iter().zip(&tau[few..]) {
                    change = change.max((sliding.tau()[*place] - tau).abs() / tau.abs().max(f64::MIN_POSITIVE));
                    sliding.tau()[*place] = *tau;
                }
            }
            (efforts, pressed) = self.borne(dynamics, point)?;
            if change <= SHARED {
                break;
            }
        }
        if let Some(first) = margins.first_mut() {
            // In efforts, so that it changes evenly where load and bound grow together.
            *first = if most > 0.0 { (1.0 - share) * most } else { 0.0 - share };
        }
        Ok(())
    }
}

/// What a joint that is stuck bears along a coordinate, with the other one of a pair, and what it holds there.
fn bears(rubs: &[Rub], place: usize, pressed: Pressed, tau: &dyn Fn(usize) -> f64) -> (f64, f64) {
    let rub = &rubs[place];
    let (low, high) = rub.bounds(pressed);
    match rub.other {
        Some(other) => (rub.together(tau(place), (&rubs[other], tau(other))), high / rub.weight),
        None if tau(place) < 0.0 => (tau(place).abs(), -low),
        None => (tau(place).abs(), high),
    }
}

/// Bounds of a joint that shares what it bears with others; of a pair its part in the direction in which both bear now.
fn within(rubs: &[Rub], place: usize, pressed: Pressed, tau: &dyn Fn(usize) -> f64) -> (f64, f64) {
    let rub = &rubs[place];
    let (low, high) = rub.bounds(pressed);
    let Some(other) = rub.other else { return (low, high) };
    let all = rub.together(tau(place), (&rubs[other], tau(other)));
    let part = if all > 0.0 { (tau(place) / rub.weight).abs() / all } else { 0.5f64.sqrt() };
    (low * part, high * part)
}

fn tau_of(dynamics: &mut Dynamics, place: usize) -> f64 {
    dynamics.sliding.as_mut().map_or(0.0, |sliding| sliding.tau()[place])
}

fn push(dynamics: &mut Dynamics, place: usize, by: f64) {
    if let Some(sliding) = &mut dynamics.sliding {
        sliding.tau()[place] += by;
    }
}
