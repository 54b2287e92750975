//! Which joints stick and which slide, decided at the level of accelerations where joints that rub stand still.
//!
//! Without holds, accelerations of the coordinates and what presses the joints are affine in the efforts of friction. Those that stand still take efforts
//! between their bounds (`settle_box`), those that slide their kinetic ones; bounds follow what presses, in rounds. Who cannot be held slides from then on
//! with its kinetic friction, and the rest is decided again.

use super::super::sample_forces::SampleForces;
use super::super::{Dynamics, Point};
use super::sliding::{give, under};
use super::State;
use crate::error::{Error, ErrorKind, Reason, Result};
use crate::joints::Pressed;
use crate::solve::forces::{independent, is_contraction, settle, Disc, Presses, Rub};

/// Decides at a state, by equations of motion in which nothing is held.
#[derive(Debug)]
pub struct Decider<'m> {
    /// These equations.
    pub dynamics: Dynamics<'m>,
    told: SampleForces<'m>,
    rubs: Vec<Rub<'m>>,
    vdot: Vec<f64>,
    /// When what was decided was first not the only answer for certain.
    pub grown: Option<f64>,
}

/// What is known of a joint before it is decided.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Known {
    Slides(f64),
    Led,
    Still,
}

/// Accelerations and pressings as functions of efforts.
struct Affine {
    base: Vec<f64>,
    /// [row][column], by rows.
    unit: Vec<f64>,
    presses: Presses,
}

impl Affine {
    /// The acceleration along coordinate `k` under these efforts, and whether it is more than rounding.
    fn left(&self, k: usize, tau: &[f64]) -> (f64, bool) {
        let n = self.base.len();
        let terms = (0..n).map(|j| self.unit[k * n + j] * tau[j]);
        let (sum, size) = terms.fold((self.base[k], self.base[k].abs()), |(s, a), x| (s + x, a + x.abs()));
        (sum, sum.abs() > NOTHING.0 * size + NOTHING.1)
    }
}

/// Rounds in which bounds follow what presses.
const ROUNDS: usize = 2000;
/// Change of an effort, relative, that decides nothing: efforts of joints of one freedom are known to the roundings of an almost singular system.
const SETTLED: f64 = 1e-10;
/// An acceleration below this fraction of the terms that it is the sum of is none, for efforts settled like that, and so is one below that outright,
/// in m/s² or rad/s².
const NOTHING: (f64, f64) = (1e-9, 1e-13);
/// An effort moves nothing where a body of the whole mass would have to be this many times heavier to be moved as little.
const IMMOVABLE: f64 = 1e10;

impl<'m> Decider<'m> {
    /// With equations of motion in which nothing is held.
    pub fn new(dynamics: Dynamics<'m>) -> Result<Decider<'m>> {
        let system = dynamics.system;
        Ok(Decider {
            told: SampleForces::new(system)?,
            rubs: Rub::all(system),
            vdot: vec![0.0; system.formulation.nv()],
            dynamics,
            grown: None,
        })
    }

    /// States at a point: joints in `slips` begin to slide in that sense; those in `stops` stand still, and so do those whose part of the energies at
    /// play, `energy`, is rounding (`rest` is that of rates). The holds of those that stick are numbered from `first` on.
    pub fn decide(
        &mut self,
        point: &Point,
        (slips, stops): (&[(usize, f64)], &[usize]),
        (energy, rest): (f64, f64),
        first: usize,
    ) -> Result<Vec<State>> {
        let n = self.rubs.len();
        let affine = self.affine(point)?;
        self.dynamics.realize(point);
        let rates: Vec<f64> = self.rubs.iter().map(|rub| rub.rate(self.dynamics.system, &self.dynamics.ws)).collect();
        let mut known: Vec<Known> = (0..n)
            .map(|k| {
                let ease = affine.unit[k * n + k];
                let (slow, sense) = self.is_slow(k, &affine, &rates, rest * (2.0 * energy).sqrt());
                let slow = slow || stops.contains(&k);
                match slips.iter().find(|slip| slip.0 == k) {
                    _ if !self.rubs[k].friction.is_dry() || self.is_led(k, ease) => Known::Led,
                    Some((_, sense)) => Known::Slides(*sense),
                    None if slow => Known::Still,
                    None => Known::Slides(sense),
                }
            })
            .collect();
        if !is_contraction(&self.rubs, &affine.presses) {
            self.grown.get_or_insert(point.t);
        }
        let tau = loop {
            let tau = self.settle(point, &affine, &known, &rates)?;
            let mut broken = false;
            for k in (0..n).filter(|k| known[*k] == Known::Still).collect::<Vec<_>>() {
                let left = |k: usize| affine.left(k, &tau);
                if left(k).1 && known[k] == Known::Still {
                    self.begins(k, &mut known, left);
                    broken = true;
                }
            }
            if !broken {
                break tau;
            }
        };
        // What touches is decided under the efforts found.
        give(&mut self.dynamics, &self.rubs, &tau);
        let still: Vec<usize> = (0..n).filter(|k| known[*k] == Known::Still).collect();
        let holds = independent(&affine.unit, n, &still);
        let state = |k: usize| match known[k] {
            Known::Slides(sense) => State::Slides(sense),
            Known::Led => State::Led,
            Known::Still => match holds.iter().position(|h| *h == k) {
                Some(place) => State::Stuck(first + place),
                None => State::Carried,
            },
        };
        Ok((0..n).map(state).collect())
    }

    /// Whether no joint rubs, so that nothing is to be decided.
    pub fn is_idle(&self) -> bool {
        self.rubs.is_empty()
    }

    /// Places of the joints whose coordinates have these numbers.
    pub fn places(&self, coordinates: &[usize]) -> Vec<usize> {
        let places = self.rubs.iter().enumerate().filter(|(_, rub)| coordinates.contains(&rub.coordinate));
        places.map(|(k, _)| k).collect()
    }

    /// Whether a joint stands still along coordinate `k`, with the other one of a pair, and the sense or the component of its slip if not. `rest` is a
    /// rate that is none where a unit of effort gives a unit of acceleration.
    fn is_slow(&self, k: usize, affine: &Affine, rates: &[f64], rest: f64) -> (bool, f64) {
        let n = self.rubs.len();
        let ease = |k: usize| affine.unit[k * n + k].max(0.0);
        let Some(other) = self.rubs[k].other else {
            return (rates[k].abs() <= rest * ease(k).sqrt(), rates[k].signum());
        };
        let along = [k, other].map(|k| (self.rubs[k].weight, rates[k], ease(k)));
        let [own, across] = along.map(|(weight, rate, _)| weight * rate);
        let speed = (own * own + across * across).sqrt();
        let ease = along.iter().map(|(weight, _, ease)| weight * weight * ease).fold(0.0, f64::max);
        (speed <= rest * ease.sqrt(), if speed > 0.0 { own / speed } else { 0.0 })
    }

    /// Notes that a joint slides which nothing holds, along what is left of its accelerations.
    fn begins(&self, k: usize, known: &mut [Known], left: impl Fn(usize) -> (f64, bool)) {
        let other = self.rubs[k].other.filter(|other| known[*other] == Known::Still);
        let Some(other) = other else {
            known[k] = Known::Slides(left(k).0.signum());
            return;
        };
        let of = [k, other].map(|k| self.rubs[k].weight * left(k).0);
        let size = (of[0] * of[0] + of[1] * of[1]).sqrt();
        known[k] = Known::Slides(of[0] / size);
        known[other] = Known::Slides(of[1] / size);
    }

    /// Whether drivers alone move a coordinate, of which a unit of effort gives that acceleration.
    fn is_led(&self, k: usize, ease: f64) -> bool {
        let model = self.dynamics.system.model;
        let masses = model.bodies.iter().filter_map(|b| b.mass.as_ref()).chain(model.rotors.iter().map(|r| &r.mass));
        let size = self.dynamics.ws.size;
        let angle = self.rubs[k].joint.kind.coordinates().first().is_some_and(|c| c.angle);
        let inertia: f64 = match angle {
            true => masses.map(|m| m.mass * size * size + m.inertia.trace()).sum(),
            false => masses.map(|m| m.mass).sum(),
        };
        let moved = ease * inertia * IMMOVABLE;
        moved <= 1.0 || moved.is_nan()
    }

    /// Efforts for what is known: bounds and kinetic friction follow what presses.
    fn settle(&mut self, point: &Point, affine: &Affine, known: &[Known], rates: &[f64]) -> Result<Vec<f64>> {
        let n = known.len();
        let still: Vec<usize> = (0..n).filter(|k| known[*k] == Known::Still).collect();
        let m = still.len();
        let stands = |k: usize| match known[k] {
            Known::Slides(sense) => Some(sense),
            Known::Led if rates[k] != 0.0 => None,
            _ => Some(0.0),
        };
        let slips = Rub::slips(&self.rubs, rates, stands);
        let g: Vec<f64> = still.iter().flat_map(|k| still.iter().map(move |l| affine.unit[k * n + l])).collect();
        let (mut tau, mut inner) = (vec![0.0; n], vec![0.0; m]);
        for _ in 0..ROUNDS {
            let before = tau.clone();
            let pressed: Vec<Pressed> = (0..n).map(|k| affine.presses.at(k, &before)).collect();
            for k in 0..n {
                if known[k] != Known::Still {
                    tau[k] = self.rubs[k].kinetic(pressed[k], slips[k]);
                }
            }
            let free = |k: usize| {
                let others = (0..n).filter(|j| known[*j] != Known::Still);
                affine.base[k] + others.map(|j| affine.unit[k * n + j] * tau[j]).sum::<f64>()
            };
            let a: Vec<f64> = still.iter().map(|k| free(*k)).collect();
            let bounds: Vec<(f64, f64)> = still.iter().map(|k| self.rubs[*k].bounds(pressed[*k])).collect();
            // From nothing each time: efforts that are not unique would wander from round to round.
            inner.fill(0.0);
            settle(&g, &a, &bounds, &self.discs(&still, &bounds), &mut inner);
            still.iter().zip(&inner).for_each(|(k, x)| tau[*k] = *x);
            let size = tau.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            let change = tau.iter().zip(&before).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
            if change <= SETTLED * size {
                return Ok(tau);
            }
            if !size.is_finite() {
                break;
            }
        }
        Err(self.undecided(point.t))
    }

    /// Pairs among those that stand still.
    fn discs(&self, still: &[usize], bounds: &[(f64, f64)]) -> Vec<Disc> {
        let pair = |(place, k): (usize, &usize)| {
            let other = self.rubs[*k].other.filter(|other| other > k)?;
            let beside = still.iter().position(|k| *k == other)?;
            let weights = [self.rubs[*k].weight, self.rubs[other].weight];
            Some(Disc { of: [place, beside], weights, radius: bounds[place].1 / weights[0] })
        };
        still.iter().enumerate().filter_map(pair).collect()
    }

    /// Accelerations and pressings without friction, and what a unit of each effort adds.
    fn affine(&mut self, point: &Point) -> Result<Affine> {
        let n = self.rubs.len();
        let mut tau = vec![0.0; n];
        let (base, pressed) = self.found(point, &tau)?;
        let mut affine = Affine {
            unit: vec![0.0; n * n],
            presses: Presses { base: pressed, unit: vec![vec![Pressed::default(); n]; n] },
            base,
        };
        for j in 0..n {
            let (low, high) = self.rubs[j].bounds(affine.presses.base[j]);
            let unit = if high - low > 0.0 && (high - low).is_finite() { high - low } else { 1.0 };
            tau[j] = unit;
            let (with, pressed) = self.found(point, &tau)?;
            tau[j] = 0.0;
            for k in 0..n {
                affine.unit[k * n + j] = (with[k] - affine.base[k]) / unit;
                affine.presses.unit[k][j] =
                    Pressed::default().plus(1.0 / unit, pressed[k]).plus(-1.0 / unit, affine.presses.base[k]);
            }
        }
        Ok(affine)
    }

    fn found(&mut self, point: &Point, tau: &[f64]) -> Result<(Vec<f64>, Vec<Pressed>)> {
        under(&mut self.dynamics, &mut self.told, point, (&self.rubs, tau), &mut self.vdot)?;
        let (system, ws) = (self.dynamics.system, &self.dynamics.ws);
        let reactions = &self.told.latest().reactions;
        let accelerations =
            self.rubs.iter().map(|rub| system.constraints.acceleration(rub.measure, &ws.evaluation)).collect();
        Ok((accelerations, self.rubs.iter().map(|rub| rub.pressed(ws, reactions)).collect()))
    }

    /// Friction that presses itself may have no answer at all.
    pub fn undecided(&self, t: f64) -> Error {
        let pressed = self.rubs.iter().find(|rub| rub.friction.is_pressed());
        pressed.or(self.rubs.first()).map_or_else(
            || Error::new("nothing rubs"),
            |rub| {
                ErrorKind::Integration
                    .error(format!("its friction has no answer or several at t = {t:.9} s: it neither sticks nor slides"))
                    .because(Reason::Jammed)
                    .at_time(t)
                    .of(format!("joint '{}'", rub.joint.name))
                    .at_opt(rub.joint.span.as_ref())
                    .note("friction this strong presses itself there (Painleve's case), which rigid bodies do not decide; lower the coefficient")
            },
        )
    }
}
