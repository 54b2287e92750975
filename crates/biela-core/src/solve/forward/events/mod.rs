//! Events: expressions that cross zero and joint limits that are reached, located within a step on its dense output.
//!
//! Over a step every joint coordinate and its rate, and every other signal that is watched, is a polynomial of degree four in time, through the dense output at five places;
//! how far it is off is measured at two more (nothing where the coordinate is one of the state: the dense output itself is such a
//! polynomial). With it an event is a function of s from 0 to 1 that can be enclosed together with its derivative: a part of the
//! step whose enclosure has no zero holds none; one in which the derivative has no zero holds one at most, which shows in the
//! signs at its ends; others are divided. So a pair of zeros cannot slip through. Signs, and the place of each zero by bisection
//! down to rounding, are those of the dense output itself. What touches zero without a change of sign, or passes it and returns
//! within [`LEAST`] of the step, is no event.

mod curve;
mod search;

use super::sample_forces::SampleForces;
use super::{Dense, Dynamics, Point};
use crate::error::{Error, Result};
use crate::expr::{Enclosed, Expression};
use crate::math::{Interval, Series};
use crate::model::Model;
use crate::results::quantity_in_words;
use crate::signal::{Asked, Element};
use crate::solve::forces::ForceAnalysis;
use crate::solve::observer::Observer;
use crate::system::System;
use biela_base::sorting::sort_by;
use curve::Curve;
use search::Search;

/// Part of a step that is not divided further: extrema are flat to rounding in it.
const LEAST: f64 = 1.0 / (1u64 << 27) as f64;
/// Parts that are looked at for one event in one step, and zeros in one step that are too many.
const MOST: usize = 20_000;
const MANY: usize = 1000;
/// Where within a step coordinates are read: the polynomials go through the first five.
const PLACES: [f64; 7] = [0.0, 0.25, 0.5, 0.75, 1.0, 0.125, 0.875];

/// What is watched.
#[derive(Debug)]
enum Watched<'m> {
    Expression(&'m Expression),
    /// A joint coordinate by its number, and the limit it may reach.
    Limit(usize, f64),
    /// A joint that slides may stop: the slot of its speed the way it slides, and its number among those that slide.
    Stop(usize, usize),
    /// A joint that is stuck may slip: the slot of its margin.
    Slip(usize),
    /// What touches may part, and what is apart may touch: the slot of its margin, and the number of the margin.
    Touch(usize, usize),
}

impl Watched<'_> {
    fn value(&self, env: &[f64]) -> f64 {
        match self {
            Watched::Expression(when) => when.eval(env),
            Watched::Limit(k, limit) => env[2 * k + 1] - limit,
            Watched::Slip(slot) | Watched::Touch(slot, _) | Watched::Stop(slot, _) => env[*slot],
        }
    }

    /// True where it depends on more than time.
    fn needs_state(&self) -> bool {
        match self {
            Watched::Expression(when) => when.variables().iter().any(|slot| *slot != 0),
            Watched::Limit(..) | Watched::Stop(..) | Watched::Slip(_) | Watched::Touch(..) => true,
        }
    }

    /// Whether only a fall through zero counts.
    fn falls(&self) -> bool {
        matches!(self, Watched::Stop(..) | Watched::Slip(_) | Watched::Touch(..))
    }

    /// Whether going from one value to another is an event: to zero and beyond, not from it on or back, by which it was noted already.
    fn crosses(&self, then: f64, now: f64) -> bool {
        match self.falls() {
            true => then > 0.0 && now <= 0.0,
            false => then != 0.0 && (now == 0.0 || (then < 0.0) != (now < 0.0)),
        }
    }
}

/// Coordinates along which a joint slides, by their numbers, each with the sense or the share in its speed.
pub type Slide = Vec<(usize, f64)>;

/// Joints that are stuck, and how far they are from slipping.
pub trait Holds: std::fmt::Debug {
    /// How many margins there are.
    fn len(&self) -> usize;
    /// Whether joints share what they bear.
    fn shares(&self) -> bool;
    /// Joints that slip where margin `k` is spent, each with the sense of its slip, at the point last looked at.
    fn slipping(&self, k: usize, dynamics: &Dynamics) -> Vec<(usize, f64)>;
    /// Margins at a point: positive where friction holds.
    fn look(&mut self, dynamics: &mut Dynamics, point: &Point, margins: &mut [f64]) -> Result<()>;
}

/// An event that ends the run, or one after which it goes on otherwise.
#[derive(Debug, Clone, PartialEq)]
pub struct Turning {
    /// When.
    pub t: f64,
    /// Whether the run goes on.
    pub turns: bool,
    /// Joints that slip, each with the sense of its slide.
    pub slips: Vec<(usize, f64)>,
    /// Coordinates that stop, by their numbers.
    pub stops: Vec<usize>,
    /// Numbers of what touches or parts.
    pub met: Vec<usize>,
}

impl Turning {
    /// One at a time.
    pub fn at(t: f64, turns: bool) -> Turning {
        Turning { t, turns, slips: Vec::new(), stops: Vec::new(), met: Vec::new() }
    }
}

/// Everything that may happen in a run.
#[derive(Debug)]
pub struct Events<'m> {
    watched: Vec<(String, Watched<'m>, bool)>,
    /// t, then each joint coordinate and its rate, then other signals that are watched.
    env: Vec<f64>,
    others: Option<Observer>,
    /// Accelerations and forces, where they are watched.
    deep: Option<Deep<'m>>,
    /// What stuck joints bear.
    stuck: Option<Box<dyn Holds + 'm>>,
    /// Joints that slide, each by the coordinates along which it does, with the sense or the share in its speed; and the slot of the first.
    slides: Vec<Slide>,
    sliding: usize,
    /// Slots of margins of what may touch, and whether they need efforts.
    touching: std::ops::Range<usize>,
    touched: bool,
    /// The same where the last step ended …
    env_before: Vec<f64>,
    /// … and where the step at hand begins: forces jump where loads change their formula.
    env_first: Vec<f64>,
    curves: Vec<Curve>,
    /// Why forces could not be told somewhere.
    fault: Option<Error>,
    /// What has happened: in words, when.
    pub happened: Vec<(String, f64)>,
}

impl<'m> Events<'m> {
    /// The events and limits of a model.
    ///
    /// # Errors
    /// Where events watch a signal that cannot be watched.
    pub fn new(system: &System<'m>) -> Result<Events<'m>> {
        let model: &'m Model = system.model;
        let mut watched: Vec<_> = model
            .study
            .events
            .iter()
            .map(|e| (format!("event '{}'", e.name), Watched::Expression(&e.when), e.stop))
            .collect();
        for (k, (j, c, _)) in system.constraints.named_coordinates().iter().enumerate() {
            let limits = model.joints[*j].limits_of(*c);
            if limits.stop.restitution().is_some() && !model.study.stop_at_limits {
                // It is struck, and not passed.
                continue;
            }
            for (which, limit) in [("lower", limits.lower), ("upper", limits.upper)] {
                if let Some(limit) = limit {
                    let coordinate = Element::Coordinate(*j, *c);
                    let unit = coordinate.signals(model).next().map_or("1", |s| s.unit());
                    let shown = quantity_in_words(&model.study.units, limit, unit, 6);
                    let name = format!("{which} limit {shown} of {}", coordinate.name(model));
                    watched.push((name, Watched::Limit(k, limit), model.study.stop_at_limits));
                }
            }
        }
        let others = match model.study.watched.is_empty() {
            true => None,
            false => Some(Observer::new(system, &model.study.watched)?),
        };
        let deep = match others.as_ref().and_then(Observer::asked) {
            Some(asked) => {
                Some(Deep { told: SampleForces::new(system)?, asked, vdot: vec![0.0; system.formulation.nv()] })
            }
            None => None,
        };
        let slots = 1 + 2 * system.constraints.named_coordinates().len() + model.study.watched.len();
        Ok(Events {
            watched,
            others,
            deep,
            stuck: None,
            slides: Vec::new(),
            sliding: 0,
            touching: 0..0,
            touched: false,
            fault: None,
            env: vec![0.0; slots],
            env_before: vec![0.0; slots],
            env_first: vec![0.0; slots],
            curves: vec![Curve::default(); slots],
            happened: Vec::new(),
        })
    }

    /// Watches joints that rub besides: those that slide may stop, and joints that are stuck may slip.
    pub fn watch_friction(&mut self, slides: Vec<Slide>, stuck: Option<Box<dyn Holds + 'm>>) {
        self.sliding = self.env.len();
        for k in 0..slides.len() {
            self.watched.push((String::new(), Watched::Stop(self.sliding + k, k), true));
        }
        let first = self.sliding + slides.len();
        self.slides = slides;
        let margins = stuck.as_ref().map_or(0, |stuck| stuck.len());
        for k in 0..margins {
            self.watched.push((String::new(), Watched::Slip(first + k), true));
        }
        self.stuck = stuck;
        self.make_room(first + margins);
    }

    fn make_room(&mut self, slots: usize) {
        [&mut self.env, &mut self.env_before, &mut self.env_first].into_iter().for_each(|env| env.resize(slots, 0.0));
        self.curves.resize(slots, Curve::default());
    }

    /// Watches margins of what may touch, before joints that rub; some need efforts (`deep`).
    pub fn watch_touching(&mut self, margins: usize, deep: bool) {
        let first = self.env.len();
        self.touching = first..first + margins;
        self.touched = deep;
        self.watched.extend((0..margins).map(|k| (String::new(), Watched::Touch(first + k, k), true)));
        self.make_room(first + margins);
    }

    /// Shares what joints bear that are stuck together, for a sample.
    pub fn share(&mut self, dynamics: &mut Dynamics, point: &Point) -> Result<()> {
        match self.stuck.as_ref().is_some_and(|stuck| stuck.shares()) {
            true => self.look_at_stuck(dynamics, point),
            false => Ok(()),
        }
    }

    fn look_at_stuck(&mut self, dynamics: &mut Dynamics, point: &Point) -> Result<()> {
        match &mut self.stuck {
            Some(stuck) => {
                let first = self.env.len() - stuck.len();
                stuck.look(dynamics, point, &mut self.env[first..])
            }
            None => Ok(()),
        }
    }

    /// Reads what is watched at a point that is realised.
    fn fill(&mut self, dynamics: &mut Dynamics, point: &Point) {
        let (system, t) = (dynamics.system, point.t);
        if let Err(error) = self.look_at_stuck(dynamics, point) {
            self.fault.get_or_insert(error);
        }
        let forces = self.deep.as_mut().map(|deep| deep.at(dynamics, point)).transpose();
        let forces = forces.unwrap_or_else(|error| {
            self.fault.get_or_insert(error);
            None
        });
        if !self.touching.is_empty() {
            if let Err(error) = dynamics.margins(point, &mut self.env[self.touching.clone()]) {
                self.fault.get_or_insert(error);
            }
        }
        let ws = &dynamics.ws;
        for (slide, speed) in self.slides.iter().zip(&mut self.env[self.sliding..]) {
            let rate = |k: usize| system.constraints.rate(system.constraints.coordinates()[k].2, &ws.evaluation);
            *speed = slide.iter().map(|(coordinate, share)| share * rate(*coordinate)).sum();
        }
        self.env[0] = t;
        for (k, (_, _, measure)) in system.constraints.named_coordinates().iter().enumerate() {
            self.env[2 * k + 1] = system.constraints.value(*measure, &ws.evaluation);
            self.env[2 * k + 2] = system.constraints.rate(*measure, &ws.evaluation);
        }
        if let Some(others) = &mut self.others {
            let first = 1 + 2 * system.constraints.named_coordinates().len();
            others.look((system, ws), forces, t, &mut self.env[first..]);
        }
    }

    /// Takes the state realised as the one that nothing has happened before.
    pub fn start(&mut self, dynamics: &mut Dynamics, point: &Point) {
        self.fill(dynamics, point);
        self.env_before.clone_from(&self.env);
    }

    /// True where nothing is watched.
    pub fn is_empty(&self) -> bool {
        self.watched.is_empty()
    }

    /// Looks for events in the step just made, whose end is realised. Notes those that happened, and gives the time of the
    /// first that ends the run or the leg; the state realised may be another afterwards.
    pub fn look(&mut self, dynamics: &mut Dynamics, dense: &Dense, at: &mut Point) -> Result<Option<Turning>> {
        if self.watched.is_empty() {
            return Ok(None);
        }
        self.fill(dynamics, &dense.to);
        let end = self.env.clone();
        self.env_first.clone_from(&self.env_before);
        if self.deep.is_some() || self.stuck.is_some() || self.touched {
            self.realize(0.0, dynamics, dense, at);
            self.env_first.clone_from(&self.env);
        }
        if self.watched.iter().any(|w| w.1.needs_state()) {
            self.draw_curves(dynamics, dense, at, &end);
        }
        let mut found: Vec<(f64, usize)> = Vec::new();
        for k in 0..self.watched.len() {
            let mut search = Search { events: self, k, dynamics, dense, at };
            search.zeros(&end, &mut found)?;
        }
        self.env_before = end;
        if let Some(error) = self.fault.take() {
            return Err(error);
        }
        sort_by(&mut found, |a, b| a.0.total_cmp(&b.0));
        for (t, k) in found {
            if self.watched[k].1.falls() {
                return Ok(Some(self.turning(t, k, dynamics, dense, at)));
            }
            self.happened.push((self.watched[k].0.clone(), t));
            if self.watched[k].2 {
                return Ok(Some(Turning::at(t, false)));
            }
        }
        Ok(None)
    }

    /// Joint friction that changes its state at a time.
    fn turning(&mut self, t: f64, k: usize, dynamics: &mut Dynamics, dense: &Dense, at: &mut Point) -> Turning {
        dense.at(t, at);
        dynamics.realize(at);
        self.fill(dynamics, at);
        let mut met = Turning::at(t, true);
        match (&self.watched[k].1, &self.stuck) {
            (Watched::Stop(_, slide), _) => met.stops.extend(self.slides[*slide].iter().map(|of| of.0)),
            (Watched::Touch(_, margin), _) => met.met.extend(dynamics.whose(*margin)),
            (Watched::Slip(slot), Some(stuck)) => {
                met.slips = stuck.slipping(slot + stuck.len() - self.env.len(), dynamics);
            }
            _ => {}
        }
        met
    }

    /// Coordinates and rates over the step, from the state before it, the dense output within, and the state at its end.
    fn draw_curves(&mut self, dynamics: &mut Dynamics, dense: &Dense, at: &mut Point, end: &[f64]) {
        let mut read = vec![[0.0; PLACES.len()]; self.env.len()];
        for (place, s) in PLACES.into_iter().enumerate() {
            if s == 0.0 {
                self.env.clone_from(&self.env_first);
            } else if s == 1.0 {
                self.env.copy_from_slice(end);
            } else {
                self.realize(s, dynamics, dense, at);
            }
            read.iter_mut().zip(&self.env).for_each(|(row, x)| row[place] = *x);
        }
        self.curves.iter_mut().zip(&read).for_each(|(curve, row)| *curve = Curve::through(row));
    }

    /// Reads time, coordinates and rates at s.
    fn realize(&mut self, s: f64, dynamics: &mut Dynamics, dense: &Dense, at: &mut Point) {
        let t = dense.from.t + s * (dense.to.t - dense.from.t);
        dense.at(t, at);
        dynamics.realize(at);
        self.fill(dynamics, at);
    }

    /// Value, derivative and half the second derivative of watched function `k` over a part of the step, enclosed.
    fn over(&self, k: usize, (from, h): (f64, f64), s: Interval) -> Series<3> {
        let t = Interval::point(from) + Interval::point(h) * s;
        match &self.watched[k].1 {
            Watched::Limit(c, limit) => self.curves[2 * c + 1].over(s) - Series::constant(*limit),
            Watched::Slip(slot) | Watched::Touch(slot, _) | Watched::Stop(slot, _) => self.curves[*slot].over(s),
            Watched::Expression(when) => {
                let settled = |series: Series<3>, middle: f64| Enclosed { middle, series, settled: false };
                let mut env = vec![settled(Series::line(t, h), from + 0.5 * h)];
                if self.watched[k].1.needs_state() {
                    env.extend(self.curves[1..].iter().map(|curve| settled(curve.over(s), 0.0)));
                }
                when.enclosed(&env)
            }
        }
    }
}

/// Accelerations and forces wherever events look.
#[derive(Debug)]
struct Deep<'m> {
    told: SampleForces<'m>,
    asked: Asked,
    vdot: Vec<f64>,
}

impl Deep<'_> {
    /// At a point that is realised; evaluations counted are those of the integration.
    fn at(&mut self, dynamics: &mut Dynamics, point: &Point) -> Result<&ForceAnalysis> {
        let evaluations = dynamics.evaluations;
        let found = dynamics.evaluate(point, &mut self.vdot);
        dynamics.evaluations = evaluations;
        found?;
        let system = dynamics.system;
        dynamics.ws.realize_acceleration(system, point.t, &self.vdot);
        self.told.evaluate(dynamics, point.t, self.asked)
    }
}
