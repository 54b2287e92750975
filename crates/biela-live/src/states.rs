//! Independent coordinates and their rates as states, for solvers from outside: model exchange.
//!
//! The freedoms of a motion under forces are joint coordinates that determine the position together, chosen where the motion begins. Given their
//! values and rates, all others follow: the coordinates are led there, on the branch that the mechanism is on. Where the choice comes near to failing
//! (two bars in line), others are chosen, and the states have other values: an event. Events of the model are functions whose signs are watched.

use crate::freedom::{Cause, Effect, Freedom};
use crate::laws::{law_of, quiet, unstopped};
use crate::live::{Live, Stand};
use biela::drivers::{Driver, Target};
use biela::error::{Error, Result};
use biela::math::Jet;
use biela::model::Analysis;
use biela::motion::Motion;
use biela::signal::{coordinate_elements, Element};
use biela::signal_name;
use biela::solve::forward::Checkpoint;
use biela::solve::kinematics;
use biela::solve::loose_coordinates::loose;
use biela::system::{System, Workspace};

/// Distance to where the choice fails, below which another is made.
const NEAR: f64 = 0.05;
/// Coordinates that have moved by less are found without being led.
const SLIGHT: f64 = 1e-2;
/// Change by which differences are made, against values of order one: its square is the error of a central difference, rounding of 1e-15 in 1e-5 the other.
const CHANGE: f64 = 1e-5;

impl Live {
    /// Independent coordinates: those of a motion under forces. None where drivers prescribe all.
    pub fn freedoms(&self) -> &[Freedom] {
        &self.freedoms
    }

    /// Why there are no states, where a motion has freedoms that no joint coordinate tells.
    pub fn without_states(&self) -> Option<String> {
        if let Some(contact) = self.model.contacts.iter().find(|contact| contact.is_rigid()) {
            return Some(format!("what touches at contact '{}' is rigid, and decided in steps", contact.name));
        }
        (self.unnamed > 0).then(|| {
            format!(
                "{} freedom(s) are told by no joint coordinate: those of balls and of bodies without a joint",
                self.unnamed
            )
        })
    }

    /// Names of all that is read besides outputs: of each joint coordinate its value, rate and acceleration, then what events look at.
    pub(crate) fn watched(&self) -> Vec<String> {
        let model = &self.model;
        if model.study.analysis != Analysis::Dynamics {
            return Vec::new();
        }
        let mut names = Vec::new();
        for (joint, coordinate) in coordinate_elements(model) {
            let name = Element::Coordinate(joint, coordinate).name(model);
            let (rate, accel) = (signal_name::rate(&name), signal_name::accel(&name));
            names.extend([name, rate, accel]);
        }
        names.extend(model.study.watched.iter().cloned());
        names.extend(model.contacts.iter().filter(|c| c.is_rigid()).map(|c| signal_name::join(&c.name, "gap")));
        names
    }

    /// Chooses independent coordinates at the present state; whether they are others than before.
    pub(crate) fn choose_freedoms(&mut self) -> Result<bool> {
        let Stand::Free(checkpoint) = self.state.stand.clone() else { return Ok(false) };
        let (poses, _) = self.placed(&checkpoint)?;
        let t = self.state.t;
        let case = self.case((t, t), None);
        let found = loose(&case, &poses, t)?;
        let mut chosen = Vec::new();
        self.unnamed = 0;
        if let Some(loose) = found {
            self.unnamed = loose.unnamed;
            let independent = loose.coordinates.into_iter().filter(|c| c.independent);
            chosen.extend(independent.map(|c| Freedom::new(&self.model, (c.of.joint, c.of.coordinate))));
        }
        if self.unnamed > 0 {
            chosen.clear();
        }
        let changed = chosen != self.freedoms;
        self.state.chosen = chosen.iter().map(|freedom| (freedom.of.joint, freedom.of.coordinate)).collect();
        self.freedoms = chosen;
        self.distance = 1.0;
        Ok(changed)
    }

    /// Chooses others where the present ones come near to failing. True where the states are others from now on.
    pub fn choose_anew(&mut self) -> Result<bool> {
        self.look()?;
        match self.is_doubtful() {
            true => self.choose_freedoms(),
            false => Ok(false),
        }
    }

    /// Whether the independent coordinates come near to failing.
    pub fn is_doubtful(&self) -> bool {
        self.distance < NEAR && !self.freedoms.is_empty()
    }

    /// The states: coordinates, then rates.
    pub fn states(&mut self) -> Result<Vec<f64>> {
        if let Some(asked) = &self.state.asked {
            return Ok(asked.clone());
        }
        self.look()?;
        Ok(self.read(0).into_iter().chain(self.read(1)).collect())
    }

    /// Their rates: rates of coordinates, then accelerations.
    pub fn rates(&mut self) -> Result<Vec<f64>> {
        self.look()?;
        Ok(self.read(1).into_iter().chain(self.read(2)).collect())
    }

    /// Values, rates or accelerations of the independent coordinates as last seen.
    fn read(&self, order: usize) -> Vec<f64> {
        let seen = self.seen.as_ref();
        let of = |freedom: &Freedom| {
            let place = self.besides.iter().position(|name| *name == freedom.name);
            place.and_then(|k| seen?.besides.get(k + order).copied()).unwrap_or(f64::NAN)
        };
        self.freedoms.iter().map(of).collect()
    }

    /// Asks for a time and states; others follow when something is read.
    pub fn ask(&mut self, t: Option<f64>, states: Option<&[f64]>) -> Result<()> {
        let n = 2 * self.freedoms.len();
        if let Some(states) = states {
            if states.len() != n || !states.iter().all(|x| x.is_finite()) {
                return Err(Error::new(format!("{n} finite states are needed, not {}", states.len())));
            }
        }
        if states.is_none() && self.state.asked.is_none() && n > 0 && t.is_some_and(|t| t != self.state.t) {
            self.state.asked = Some(self.states()?);
        }
        if let Some(states) = states {
            self.state.asked = Some(states.to_vec());
        }
        self.state.t = t.unwrap_or(self.state.t);
        self.seen = None;
        Ok(())
    }

    /// Leads the independent coordinates to values and rates, and all others with them.
    pub(crate) fn hold(&mut self, asked: &[f64]) -> Result<()> {
        let Stand::Free(checkpoint) = self.state.stand.clone() else { return Ok(()) };
        let n = self.freedoms.len();
        let t = self.state.t;
        let (mut poses, old) = self.placed(&checkpoint)?;
        // With the coordinates as drivers there are other measures, whose turns are those that the drivers mean.
        let drivers = |law: &dyn Fn(usize) -> Motion| -> Vec<Driver> {
            let of = |(k, freedom): (usize, &Freedom)| {
                Driver::new(&freedom.name, Target::Coordinate { of: freedom.of, value: law(k) })
            };
            self.freedoms.iter().enumerate().map(of).collect()
        };
        let moved = (0..n).fold(0.0, |most: f64, k| most.max((asked[k] - old[k]).abs()));
        if moved > SLIGHT {
            let given = self.driven(t);
            let whole = |own: &[f64]| given.iter().chain(own).copied().collect::<Vec<f64>>();
            let still = drivers(&|k| Motion::Constant(old[k]));
            poses = self.lead((&poses, None), (&whole(&old), &whole(&asked[..n])), &still)?.poses;
        }
        let more = drivers(&|k| law_of(Jet::new(asked[k], asked[n + k], 0.0), t));
        let mut case = unstopped(self.case((t, t), Some(more))).with_guess(&poses);
        quiet(&mut case.study, (t, t));
        let (_, held) = kinematics::go_on(&case, &self.formulation, None)?;
        self.distance = held.distance;
        let mut checkpoint = checkpoint;
        (checkpoint.t, checkpoint.q, checkpoint.v) = (t, held.q, held.v);
        self.state.stand = Stand::Free(checkpoint);
        Ok(())
    }

    /// Poses and values of the independent coordinates at a checkpoint.
    fn placed(&self, checkpoint: &Checkpoint) -> Result<(Vec<biela::math::Pose>, Vec<f64>)> {
        let system = System::new(&self.model, &self.formulation)?;
        let mut ws = Workspace::new(&system);
        checkpoint.turns.count_on(&mut ws);
        ws.realize_position(&system, checkpoint.t, &checkpoint.q);
        let value = |freedom: &Freedom| {
            let named = system.constraints.named_coordinates().iter();
            let mut found = named.filter(|c| (c.0, c.1) == (freedom.of.joint, freedom.of.coordinate));
            found.next().map_or(f64::NAN, |c| system.constraints.value(c.2, &ws.evaluation))
        };
        let values = self.freedoms.iter().map(value).collect();
        Ok((ws.cache.bodies.iter().map(|body| body.pose).collect(), values))
    }

    /// How many functions are watched for events.
    pub fn indicator_count(&self) -> usize {
        let model = &self.model;
        if model.study.analysis != Analysis::Dynamics {
            return 0;
        }
        let rigid = model.contacts.iter().filter(|c| c.is_rigid()).count();
        usize::from(!self.freedoms.is_empty()) + model.study.events.len() + self.limits().len() + rigid
    }

    /// Functions whose change of sign is an event: the choice of coordinates, expressions of `[events]`, limits that stop, gaps.
    pub fn indicators(&mut self) -> Result<Vec<f64>> {
        self.look()?;
        let model = &self.model;
        if model.study.analysis != Analysis::Dynamics {
            return Ok(Vec::new());
        }
        let besides = self.seen.as_ref().map_or(&[][..], |seen| &seen.besides);
        let coordinates = coordinate_elements(model).count();
        let (moving, others) = besides.split_at((3 * coordinates).min(besides.len()));
        let mut env = vec![self.state.t];
        env.extend(moving.chunks_exact(3).flat_map(|c| [c[0], c[1]]));
        env.extend(others.iter().take(model.study.watched.len()));
        let mut found = Vec::new();
        if !self.freedoms.is_empty() {
            found.push(self.distance - NEAR);
        }
        found.extend(model.study.events.iter().map(|event| event.when.eval(&env)));
        let value = |k: usize| moving.get(3 * k).copied().unwrap_or(f64::NAN);
        found.extend(self.limits().into_iter().map(|(k, limit, sense)| sense * (value(k) - limit)));
        found.extend(others.iter().skip(model.study.watched.len()));
        Ok(found)
    }

    /// Limits that stop: the number of the coordinate, the limit, and the sense in which there is room.
    fn limits(&self) -> Vec<(usize, f64, f64)> {
        let model = &self.model;
        let mut limits = Vec::new();
        for (k, (joint, coordinate)) in coordinate_elements(model).enumerate().filter(|(_, c)| c.1 == 0) {
            debug_assert_eq!(coordinate, 0);
            let of = &model.joints[joint].limits;
            if of.stop.restitution().is_some() || model.study.stop_at_limits {
                limits.extend(of.lower.map(|limit| (k, limit, 1.0)));
                limits.extend(of.upper.map(|limit| (k, limit, -1.0)));
            }
        }
        limits
    }

    /// Whether an event of the model ends the motion here: one of `[events]` that stops, or a limit where limits do.
    pub fn is_over(&mut self) -> Result<bool> {
        let found = self.indicators()?;
        let study = &self.model.study;
        let first = usize::from(!self.freedoms.is_empty());
        let events = study.events.len();
        let ends = |k: usize| match k.checked_sub(first) {
            Some(k) if k < events => study.events[k].stop,
            Some(k) => study.stop_at_limits && k < events + self.limits().len(),
            None => false,
        };
        let over = (first..found.len()).any(|k| {
            let before = self.state.sides.get(k).copied().unwrap_or(0.0);
            ends(k) && before != 0.0 && found[k] * before <= 0.0
        });
        Ok(over)
    }

    /// Notes on which sides of their zeros functions watched are: a step has been accepted. Turns are counted on from here.
    pub fn count_on(&mut self) {
        let doubtful = self.indicators().unwrap_or_default();
        for (k, x) in doubtful.iter().enumerate() {
            match self.state.sides.get_mut(k) {
                Some(side) if *side == 0.0 => *side = *x,
                Some(_) => {}
                None => self.state.sides.push(*x),
            }
        }
    }

    /// What an event comes to: impacts and what holds from here on. True where the states have other values afterwards.
    pub fn decide(&mut self) -> Result<bool> {
        let before = self.states()?;
        self.settle_free()?;
        let changed = self.choose_anew()?;
        let after = self.states()?;
        Ok(changed || before != after)
    }

    /// Change of effects along changes of causes, by central differences.
    pub fn slope(&mut self, effects: &[Effect], causes: &[(Cause, f64)]) -> Result<Vec<f64>> {
        let (state, size) = (self.state(), causes.iter().fold(0.0, |most: f64, cause| most.max(cause.1.abs())));
        if size == 0.0 {
            return Ok(vec![0.0; effects.len()]);
        }
        let step = CHANGE / size;
        let forward = self.displaced(effects, causes, step);
        self.put_back(state.clone());
        let back = self.displaced(effects, causes, -step);
        self.put_back(state);
        let (forward, back) = (forward?, back?);
        Ok(forward.iter().zip(&back).map(|(a, b)| (a - b) / (2.0 * step)).collect())
    }

    fn displaced(&mut self, effects: &[Effect], causes: &[(Cause, f64)], step: f64) -> Result<Vec<f64>> {
        let mut states = self.states()?;
        for (cause, seed) in causes {
            match *cause {
                Cause::State(k) => states[k] += step * seed,
                Cause::Input(k) => {
                    let now = self.input_now(k);
                    self.set_input(k, now + step * seed)?;
                }
            }
        }
        if !self.freedoms.is_empty() {
            self.ask(None, Some(&states))?;
        }
        let rates = self.rates()?;
        let values = self.values()?;
        let value = |effect: &Effect| match *effect {
            Effect::Output(k) => values.get(k).copied().unwrap_or(f64::NAN),
            Effect::Rate(k) => rates.get(k).copied().unwrap_or(f64::NAN),
        };
        Ok(effects.iter().map(value).collect())
    }
}
