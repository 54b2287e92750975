//! Many contacts: steps of a fixed length with impulses in place of efforts, whatever happens within a step [Moreau 1988; Jean 1999].
//!
//! A step of length h goes half of it with the velocities v⁻ at its beginning, finds what loads, inertia and joints do there, v = v⁻ + h v̇, then the impulses Λ of
//! all that is near, v⁺ = v + M⁻¹ Wᵀ Λ, and goes the other half with v⁺. Along a normal Λ ≥ 0 and the rate u⁺ is no less than what is wanted, and just
//! that where Λ > 0:
//! - −e u⁻ where it touches, or would before the step is over;
//! - −2 g/h with e = 0 where there is a gap g in the middle: it closes just at the end of the step.
//!
//! Across the normal friction is at most μ Λ, against the slip that is left. Impulses are found contact after contact, over and over, from those of the last step.
//! Contacts and partings are neither located nor told one by one. Under constant forces a step keeps the balance of energy; contacts only take out.

use super::super::dynamics::{Line, Touches};
use super::super::gaps::contacts::Place;
use super::super::{Control, Dynamics, Integrator, Point};
use super::crowd::Crowd;
use super::Unilateral;
use crate::error::Result;
use crate::math::Vec3;
use crate::model::{Integration, Model};
use crate::system::wrench::Wrench;
use crate::system::Workspace;
use std::any::Any;
use std::collections::BTreeMap;

/// Pairs of shapes in rigid contacts from which on a run goes by steps.
const MANY: usize = 200;
/// The same of places of these that may touch: balls, corners, edges.
const MANY_PLACES: usize = 1000;
/// Part of the time in which the smallest body falls by itself, that a step lasts where none is given.
const PART: f64 = 0.01;
/// Sweeps over all contacts of a step.
const SWEEPS: usize = 400;
/// Change of an impulse, of the largest, that is none.
const SETTLED: f64 = 1e-9;

/// The method.
#[derive(Debug)]
pub struct TimeStepping;

/// What the steps of a run keep.
#[derive(Debug)]
pub struct Stepping {
    crowd: Crowd,
    /// Impulses last found: of contact, pair, source.
    last: BTreeMap<(usize, usize, usize), [f64; 3]>,
    /// The deepest overlap so far, and sweeps that did not settle.
    pub deepest: f64,
    pub unsettled: usize,
}

/// A contact that is near.
#[derive(Debug)]
struct Close {
    place: Place,
    key: (usize, usize, usize),
    lines: Vec<Line>,
    /// What impulses along its own directions do along them.
    own: [[f64; 3]; 3],
    wanted: f64,
    impulse: [f64; 3],
    /// Rates along its directions before the step, and at its end without impulses.
    before: [f64; 3],
    free: [f64; 3],
}

/// Whether a model has so many contacts that a run goes by steps.
pub fn is_crowded(model: &Model) -> bool {
    let rigid = model.contacts.iter().filter(|contact| contact.is_rigid());
    let pairs = || rigid.clone().flat_map(|contact| contact.touching.iter());
    let places = || pairs().map(|touching| touching.pair.sources().len()).sum::<usize>();
    !model.rubs() && !model.has_stops() && (pairs().count() > MANY || places() > MANY_PLACES)
}

impl Stepping {
    /// For a model.
    pub fn new(model: &Model) -> Stepping {
        Stepping { crowd: Crowd::new(model), last: BTreeMap::new(), deepest: 0.0, unsettled: 0 }
    }

    /// The length of a step: that asked for, or about a part of the time in which the smallest body falls by itself, so that samples lie where steps end.
    pub fn length(&self, model: &Model) -> f64 {
        let study = &model.study;
        let gravity = model.gravity.map(|g| g.norm()).filter(|g| *g > 0.0).unwrap_or(9.81);
        let falls = self.crowd.least_reach().map_or(0.1, |reach| PART * (reach / gravity).sqrt());
        let apart = (study.end - study.start).abs() / study.steps.max(1) as f64;
        study.step.unwrap_or(apart / (apart / falls).ceil().max(1.0)).min(apart)
    }

    /// What is to be told of a run.
    pub fn told(&self, step: f64) -> String {
        let unsettled = match self.unsettled {
            0 => String::new(),
            n => format!("; the impulses of {n} steps are good to fewer digits"),
        };
        format!(
            "so many contacts are followed by steps of {step:.3e} s without looking for the instants in them; bodies overlap by up to {:.3e} m{unsettled}",
            self.deepest
        )
    }

    /// Contacts that are near at the position realised and factored, with velocities v⁻ and those without impulses.
    fn close(&mut self, dynamics: &mut Dynamics, (v, free): (&[f64], &[f64]), h: f64) -> Vec<Close> {
        let model = dynamics.system.model;
        let margin = h * fastest(&dynamics.ws);
        let near = self.crowd.near(model, &dynamics.ws.cache.bodies, margin);
        let mut found = Vec::new();
        let mut on: Vec<(usize, Wrench)> = Vec::with_capacity(2);
        for (contact, pair) in near {
            for source in 0..model.contacts[contact].touching[pair].pair.sources().len() {
                let place = Place::of(model, (contact, pair, source), String::new());
                let gap = place.gap(dynamics.system, &dynamics.ws);
                if gap > margin {
                    continue;
                }
                self.deepest = self.deepest.max(-gap);
                let mut line = |k: usize| {
                    on.clear();
                    place.wrenches(k, dynamics.system, &dynamics.ws, &mut |body, wrench| on.push((body, wrench)));
                    dynamics.line(&on)
                };
                let lines: Vec<Line> = (0..=place.tangents()).map(&mut line).collect();
                let mut own = [[0.0; 3]; 3];
                for (row, one) in own.iter_mut().zip(&lines) {
                    row.iter_mut().zip(&lines).for_each(|(entry, two)| *entry = product(&one.read, &two.push));
                }
                let (mut before, mut rates) = ([0.0; 3], [0.0; 3]);
                before.iter_mut().zip(&lines).for_each(|(x, line)| *x = sum(&line.force, v));
                rates.iter_mut().zip(&lines).for_each(|(x, line)| *x = sum(&line.force, free));
                let (e, closes) = (place.restitution().coefficient, gap + 0.5 * h * rates[0] < 0.0);
                let wanted = match (gap > 0.0, e > 0.0 && closes && before[0] < 0.0) {
                    (_, true) => -e * before[0],
                    (true, false) => -2.0 * gap / h,
                    (false, false) => 0.0,
                };
                let key = (contact, pair, source);
                let impulse = self.last.get(&key).copied().unwrap_or([0.0; 3]);
                found.push(Close { place, key, lines, own, wanted, impulse, before, free: rates });
            }
        }
        found
    }

    /// Impulses of all.
    fn settle(&mut self, close: &mut [Close]) {
        // What all impulses do, as directions push and read it.
        let last = |line: &Line| line.push.last().map_or(0, |entry| entry.0 + 1);
        let size = close.iter().flat_map(|contact| &contact.lines).map(last).max().unwrap_or(0);
        let mut u = vec![0.0; size];
        for contact in close.iter() {
            for (line, impulse) in contact.lines.iter().zip(contact.impulse) {
                line.push.iter().for_each(|(k, x)| u[*k] += impulse * x);
            }
        }
        for _ in 0..SWEEPS {
            let (mut change, mut largest) = (0.0f64, 0.0f64);
            for contact in close.iter_mut() {
                let step = contact.relax(&u);
                for (line, step) in contact.lines.iter().zip(step).filter(|(_, step)| *step != 0.0) {
                    line.push.iter().for_each(|(k, x)| u[*k] += step * x);
                    change = change.max(step.abs());
                }
                largest = largest.max(contact.impulse[0]);
            }
            if change <= SETTLED * largest {
                return;
            }
        }
        self.unsettled += 1;
    }
}

/// A sparse list times what it counts in.
fn sum(list: &[(usize, f64)], of: &[f64]) -> f64 {
    list.iter().map(|(k, x)| x * of[*k]).sum()
}

/// The product of two lists in ascending order.
fn product(a: &[(usize, f64)], b: &[(usize, f64)]) -> f64 {
    let (mut sum, mut b) = (0.0, b.iter().peekable());
    for (k, x) in a {
        while b.next_if(|(l, _)| l < k).is_some() {}
        if let Some((_, y)) = b.next_if(|(l, _)| l == k) {
            sum += x * y;
        }
    }
    sum
}

impl Close {
    /// Brings its impulses to where its own conditions hold, or nearer; the change.
    fn relax(&mut self, u: &[f64]) -> [f64; 3] {
        let before = self.impulse;
        let mut rates = self.free;
        rates.iter_mut().zip(&self.lines).for_each(|(rate, line)| *rate += sum(&line.read, u));
        let own = &self.own;
        if own[0][0] <= 0.0 {
            return [0.0; 3];
        }
        self.impulse[0] = (before[0] - (rates[0] - self.wanted) / own[0][0]).max(0.0);
        let pressed = self.impulse[0] - before[0];
        if self.lines.len() > 1 {
            let most = self.place.friction()[0] * self.impulse[0];
            let (x, y) = (rates[1] + own[1][0] * pressed, rates[2] + own[2][0] * pressed);
            let y = if self.lines.len() > 2 { y } else { 0.0 };
            let (a, b) = (own[1][1], own[1][2]);
            let c = if self.lines.len() > 2 { own[2][2] } else { a };
            let largest = 0.5 * (a + c) + (0.25 * (a - c) * (a - c) + b * b).sqrt();
            let determinant = a * c - b * b;
            let from = [before[1], before[2]];
            let step = [(c * x - b * y) / determinant, (a * y - b * x) / determinant];
            let mut now = [from[0] - step[0], from[1] - step[1]];
            let size = |x: [f64; 2]| (x[0] * x[0] + x[1] * x[1]).sqrt();
            if determinant <= 0.0 || size(now) > most || !size(now).is_finite() {
                // Both tangents by the same measure, so that what comes to rest at the bound is against the slip.
                now = if largest > 0.0 { [from[0] - x / largest, from[1] - y / largest] } else { [0.0; 2] };
                let long = size(now);
                now = if long > most { now.map(|x| x * most / long) } else { now };
            }
            (self.impulse[1], self.impulse[2]) = (now[0], now[1]);
        }
        [0, 1, 2].map(|k| self.impulse[k] - before[k])
    }
}

/// The greatest speed of a point of a body with a shape, roughly: that of its origin, and of the mechanism's size turned.
fn fastest(ws: &Workspace) -> f64 {
    ws.cache.bodies.iter().map(|body| body.v.norm()).fold(0.0, f64::max)
}

impl Touches for Stepping {
    fn press(&mut self, _: &mut Dynamics, _: &Point) -> Result<()> {
        // What the last step pressed with stands.
        Ok(())
    }
    fn hold(&self, _: &mut Dynamics, _: &mut Point) -> Result<()> {
        Ok(())
    }
    fn bears(&self) -> bool {
        false
    }
    fn read(&self, _: &Dynamics, _: &mut [f64]) {}
    fn clearance(&self, _: usize, _: &Dynamics) -> Option<(f64, f64)> {
        None
    }
    fn alone(&self, _: usize, _: &Dynamics) -> Option<f64> {
        None
    }
    fn whose(&self, margin: usize) -> usize {
        margin
    }
}

impl Stepping {
    /// What equations of motion gave back.
    pub fn back(given: Box<dyn Touches>) -> Option<Box<Stepping>> {
        (given as Box<dyn Any>).downcast().ok()
    }

    /// One step of a length to a time; the state is realised in the middle.
    fn step(&mut self, dynamics: &mut Dynamics, point: &Point, (h, to): (f64, f64)) -> Result<Point> {
        let system = dynamics.system;
        let half = |v: &[f64]| v.iter().map(|v| 0.5 * h * v).collect::<Vec<f64>>();
        let mut middle = point.clone();
        middle.t = 0.5 * (point.t + to);
        system.formulation.step(&mut middle.q, &half(&point.v));
        dynamics.given.touching.clear();
        let mut vdot = vec![0.0; point.v.len()];
        let power = dynamics.evaluate_open(&middle, &mut vdot)?;
        let free: Vec<f64> = point.v.iter().zip(&vdot).map(|(v, a)| v + h * a).collect();
        let mut close = self.close(dynamics, (&point.v, &free), h);
        let mut next = Point { t: to, q: middle.q, v: free, work: point.work + h * power };
        self.settle(&mut close);
        let (mut force, mut moved) = (vec![0.0; next.v.len()], vec![0.0; next.v.len()]);
        for contact in &close {
            for (line, impulse) in contact.lines.iter().zip(contact.impulse) {
                line.force.iter().for_each(|(k, x)| force[*k] += impulse * x);
            }
        }
        dynamics.answer(&force, &mut moved);
        next.v.iter_mut().zip(&moved).for_each(|(v, change)| *v += change);
        system.formulation.step(&mut next.q, &half(&next.v));
        self.last.clear();
        for contact in close.iter().filter(|contact| contact.impulse[0] > 0.0) {
            self.last.insert(contact.key, contact.impulse);
            for (k, line) in contact.lines.iter().enumerate() {
                let now = sum(&line.force, &next.v);
                next.work += 0.5 * contact.impulse[k] * (now + contact.before[k]);
            }
            contact.give(dynamics, h);
        }
        Ok(next)
    }
}

impl Close {
    /// What it presses with on the average of a step, for samples.
    fn give(&self, dynamics: &mut Dynamics, h: f64) {
        let mut rubs = Vec3::ZERO;
        let mut on: Vec<(usize, Wrench)> = Vec::new();
        for k in 0..self.lines.len() {
            let effort = self.impulse[k] / h;
            self.place.wrenches(k, dynamics.system, &dynamics.ws, &mut |body, wrench| {
                on.push((body, Wrench { force: wrench.force * effort, moment: wrench.moment * effort }));
            });
            if k > 0 {
                rubs += self.place.direction(k, dynamics.system, &dynamics.ws) * effort;
            }
        }
        let touching = &mut dynamics.given.touching;
        touching.wrenches.extend(on);
        touching.pressed.push((self.key.0, self.impulse[0] / h, rubs));
    }
}

impl Integrator for TimeStepping {
    fn which(&self) -> Integration {
        Integration::Rk4
    }
    fn word(&self) -> &'static str {
        "time-stepping"
    }
    fn help(&self) -> &'static str {
        "impulses over fixed steps, for many contacts"
    }
    fn balance(&self, _: f64) -> f64 {
        // A step is of first order where forces change; more than this shows that it is too long.
        2e-2
    }
    fn nodes(&self) -> &'static [f64] {
        &[0.5]
    }
    fn step(&self, dynamics: &mut Dynamics, point: &mut Point, end: f64, control: &mut Control) -> Result<()> {
        let h = control.fixed_step(point.t, end);
        let to = if point.t + h >= end { end } else { point.t + h };
        let Some(mut held) = dynamics.held.take().and_then(Stepping::back) else { return Ok(()) };
        let next = held.step(dynamics, point, (to - point.t, to));
        dynamics.held = Some(held as Box<dyn Touches>);
        control.next.copy(&next?);
        control.make_room(2, point);
        control.residual = dynamics.project(&mut control.next)?;
        control.dense.from_rates.make_room(point);
        control.dense.to_rates.make_room(point);
        control.dense.bulge.clear();
        control.dense.from.copy(point);
        control.dense.to.copy(&control.next);
        point.copy(&control.next);
        control.accepted += 1;
        control.dense.straighten();
        Ok(())
    }
}
