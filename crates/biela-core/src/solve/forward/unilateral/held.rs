//! Closed constraints within a leg: efforts at every stage that keep g̈ = 0, and the way back onto g = ġ = 0 after every step.
//!
//! At a state the accelerations are affine in the efforts: they are found once without any, and what efforts add is G ([`Compliance`]). A closed
//! one without friction asks for g̈ = 0; one that sticks besides for no change of its slide; one that slides has the tangential effort μ N against
//! the slide. Efforts of redundant ones are not unique: independent ones bear, the others are carried along.

use super::super::dynamics::Touches;
use super::super::{Dynamics, Point};
use super::compliance::Compliance;
use super::share::{spread, Bearing, Idle};
use super::{Unilateral, DIRECTIONS, SOURCES};
use crate::error::{ErrorKind, Reason, Result};
use crate::math::{Elementary, Vec3};
use crate::solve::forces::eliminate;
use crate::system::wrench::Wrench;
use crate::system::{System, Workspace};
use std::any::Any;

/// What one does in a leg.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Mode {
    /// It is open, or touches and parts.
    Open,
    /// It touches and bears nothing: others keep it closed.
    Carried,
    /// It touches and bears nothing: nothing moves it.
    Touches,
    /// It is closed; without friction, or with friction that cannot matter.
    Closed,
    /// It is closed, and friction keeps it from sliding.
    Sticks,
    /// It is closed and slides, at first in that direction of its tangents.
    Slides([f64; 2]),
}

impl Mode {
    /// Whether it bears efforts.
    pub fn bears(self) -> bool {
        matches!(self, Mode::Closed | Mode::Sticks | Mode::Slides(_))
    }
}

/// A constraint with what it does.
#[derive(Debug)]
pub struct Contact {
    /// The constraint.
    pub of: Box<dyn Unilateral>,
    /// What it does in this leg.
    pub mode: Mode,
    /// Efforts last found.
    pub effort: [f64; DIRECTIONS],
    /// The gap at which it counts as closed: roundings of its position.
    pub touch: f64,
    /// Speed well above which it slides its own way and below which the way in which it began: none where it slid already.
    pub slow: f64,
    /// Times it has been struck since it was last open for longer than it takes to accumulate.
    pub strikes: usize,
}

impl Contact {
    /// The size of the mechanism, or a radian: what its gap is measured by.
    pub fn size(&self) -> f64 {
        self.touch / TOUCH
    }

    /// How far it is from closing, where it is open.
    fn open_margin(&self, system: &System, ws: &Workspace) -> f64 {
        // Of shapes that leave each other slowly the gap is rounding at first.
        let noise = if self.of.contact().is_some() { NOISE * self.size() } else { 0.0 };
        self.of.gap(system, ws) + noise
    }
}

/// All unilateral constraints of a run.
#[derive(Debug, Default)]
pub struct Held {
    /// All of them.
    pub list: Vec<Contact>,
    /// Those that have stuck and can hold no more, where a transition begins.
    pub spent: Vec<usize>,
    /// Those that have begun to slide from rest and go on, with the way in which they do.
    pub begun: Vec<(usize, [f64; 2])>,
    /// Those that bear on something that ends sharply.
    seated: Vec<usize>,
    vdot: Vec<f64>,
}

/// Gaps below this are closed, in sizes of the mechanism or radians: events are found to a few roundings of the coordinates.
const TOUCH: f64 = 1e-11;
/// A gap that is rounding.
const ROUNDING: f64 = 1e-15;
/// The gap of two shapes, in sizes of the mechanism, that is rounding of their places.
const NOISE: f64 = 5e-15;
/// Cosine of the angle between normals that are one, less than 1: roundings of directions.
const PARALLEL: f64 = 1e-9;
/// An effort below this fraction of the largest is none.
const PULL: f64 = 1e-11;

impl Touches for Held {
    fn press(&mut self, dynamics: &mut Dynamics, point: &Point) -> Result<()> {
        Held::press(self, dynamics, point)
    }
    fn hold(&self, dynamics: &mut Dynamics, point: &mut Point) -> Result<()> {
        Held::hold(self, dynamics, point)
    }
    fn bears(&self) -> bool {
        Held::bears(self)
    }
    fn read(&self, dynamics: &Dynamics, margins: &mut [f64]) {
        Held::read(self, dynamics, margins);
    }
    fn clearance(&self, margin: usize, dynamics: &Dynamics) -> Option<(f64, f64)> {
        Held::clearance(self, margin, dynamics)
    }
    fn alone(&self, margin: usize, dynamics: &Dynamics) -> Option<f64> {
        self.open(margin).map(|contact| contact.open_margin(dynamics.system, &dynamics.ws))
    }
    fn whose(&self, margin: usize) -> usize {
        match margin.checked_sub(2 * self.list.len()) {
            Some(k) => self.seated.get(k).copied().unwrap_or(0),
            None => margin / 2,
        }
    }
}

impl Held {
    /// What equations of motion gave back.
    pub fn back(given: Box<dyn Touches>) -> Option<Box<Held>> {
        (given as Box<dyn Any>).downcast().ok()
    }

    /// All of a system's; none where it has none.
    pub fn new(system: &System, size: f64) -> Result<Option<Box<Held>>> {
        let mut list = Vec::new();
        for source in SOURCES {
            source.add(system, &mut list)?;
        }
        let contact = |of: Box<dyn Unilateral>| {
            let touch = if of.unit() == "m" { TOUCH * size } else { TOUCH };
            Contact { of, mode: Mode::Open, effort: [0.0; DIRECTIONS], touch, slow: 0.0, strikes: 0 }
        };
        let list: Vec<Contact> = list.into_iter().map(contact).collect();
        Ok((!list.is_empty()).then(|| Box::new(Held { list, ..Held::default() })))
    }

    /// The constraints alone.
    pub fn bare(&self) -> Vec<&dyn Unilateral> {
        self.list.iter().map(|contact| &*contact.of).collect()
    }

    /// Whether any is closed and bears.
    pub fn bears(&self) -> bool {
        self.list.iter().any(|contact| contact.mode.bears())
    }

    /// Directions whose efforts are to be found: normals, and tangents of those that stick.
    fn unknown(&self) -> Vec<(usize, usize)> {
        let of = |(i, contact): (usize, &Contact)| {
            let last = match contact.mode {
                Mode::Sticks => contact.of.tangents(),
                _ => 0,
            };
            (0..=last).map(move |k| (i, k))
        };
        self.list.iter().enumerate().filter(|(_, c)| c.mode.bears()).flat_map(of).collect()
    }

    /// Finds the efforts at a point and hands them to the equations of motion.
    pub fn press(&mut self, dynamics: &mut Dynamics, point: &Point) -> Result<()> {
        dynamics.given.touching.clear();
        self.list.iter_mut().for_each(|contact| contact.effort = [0.0; DIRECTIONS]);
        if !self.bears() {
            return Ok(());
        }
        self.realize(dynamics, point)?;
        let unknown = self.unknown();
        let sliding = |i: usize| matches!(self.list[i].mode, Mode::Slides(_));
        let mut of = unknown.clone();
        for (i, _) in unknown.iter().filter(|(i, _)| sliding(*i)) {
            of.extend((1..=self.list[*i].of.tangents()).map(|k| (*i, k)));
        }
        let list = self.bare();
        let compliance = Compliance::new(dynamics, &list, of);
        let (compliance, unknown, idle) = self.without_idle(compliance, unknown);
        let n = unknown.len();
        // Efforts along all directions that a unit of each unknown means.
        let mut shares = vec![vec![0.0; compliance.len()]; n];
        for (c, (i, k)) in unknown.iter().enumerate() {
            shares[c][c] = 1.0;
            if *k == 0 && sliding(*i) {
                let against = self.against(*i, dynamics);
                for (place, (j, l)) in compliance.of.iter().enumerate().skip(n).filter(|(_, d)| d.0 == *i) {
                    debug_assert!(j == i);
                    shares[c][place] = against[l - 1];
                }
            }
        }
        let mut matrix = vec![0.0; n * n];
        for r in 0..n {
            for c in 0..n {
                let terms = shares[c].iter().enumerate().filter(|(_, s)| **s != 0.0);
                matrix[r * n + c] = terms.map(|(place, s)| s * compliance.at(r, place)).sum();
            }
        }
        let (system, ws) = (dynamics.system, &dynamics.ws);
        let mut side: Vec<f64> = unknown.iter().map(|(i, k)| -list[*i].acceleration(*k, system, ws)).collect();
        let kept = if idle.is_empty() { Vec::new() } else { matrix.clone() };
        let sound = eliminate(&mut matrix, &mut side).is_some_and(|determinant| determinant > 0.0);
        if !sound || side.iter().any(|x| !x.is_finite()) {
            return Err(self.paradox(point.t));
        }
        let mut efforts = vec![[0.0; DIRECTIONS]; self.list.len()];
        if !idle.is_empty() {
            self.share((&kept, &mut side), &unknown, idle, &mut efforts);
        }
        for (share, effort) in shares.iter().zip(&side) {
            for ((i, k), s) in compliance.of.iter().zip(share) {
                efforts[*i][*k] += s * effort;
            }
        }
        self.give(dynamics, &efforts);
        Ok(())
    }

    /// Shares what those bear that keep others from sliding with these.
    fn share(
        &self,
        (matrix, side): (&[f64], &mut [f64]),
        unknown: &[(usize, usize)],
        mut idle: Vec<Idle>,
        efforts: &mut [[f64; DIRECTIONS]],
    ) {
        /// Of the largest effort: what bears less than this counts as bearing this.
        const LEAST: f64 = 1e-6;
        let pressed = |i: usize| unknown.iter().position(|d| *d == (i, 0)).map_or(0.0, |p| side[p].abs());
        let largest = unknown.iter().map(|d| pressed(d.0)).fold(0.0, f64::max);
        let capacity = |(i, k): (usize, usize)| {
            let part = if k > 0 { self.list[i].of.friction()[1] } else { 1.0 };
            part * pressed(i).max(LEAST * largest)
        };
        if largest == 0.0 {
            return;
        }
        idle.iter_mut().for_each(|idle| idle.capacity = capacity(idle.of));
        let bearing: Vec<Bearing> = unknown.iter().map(|d| Bearing { capacity: capacity(*d), rubs: d.1 > 0 }).collect();
        for (idle, effort) in idle.iter().zip(spread(matrix, side, &bearing, &idle)) {
            efforts[idle.of.0][idle.of.1] += effort;
        }
    }

    /// Leaves out tangents of contacts that stick where others keep them from sliding.
    fn without_idle(
        &self,
        compliance: Compliance,
        unknown: Vec<(usize, usize)>,
    ) -> (Compliance, Vec<(usize, usize)>, Vec<Idle>) {
        if unknown.iter().all(|(_, k)| *k == 0) {
            return (compliance, unknown, Vec::new());
        }
        let (normals, tangents): (Vec<usize>, Vec<usize>) = (0..unknown.len()).partition(|p| unknown[*p].1 == 0);
        let mut kept = compliance.independent(&normals, &tangents);
        kept.sort_unstable();
        let left: Vec<(usize, usize)> = kept.iter().map(|p| unknown[*p]).collect();
        let out = (0..unknown.len()).filter(|p| !kept.contains(p));
        let column = |p: usize| kept.iter().map(|r| compliance.at(*r, p)).collect();
        let idle = out.map(|p| Idle { of: unknown[p], column: column(p), capacity: 1.0 }).collect();
        kept.extend(unknown.len()..compliance.len());
        (compliance.part(&kept), left, idle)
    }

    /// Accelerations without any efforts, realised.
    pub fn realize(&mut self, dynamics: &mut Dynamics, point: &Point) -> Result<()> {
        self.vdot.resize(point.v.len(), 0.0);
        dynamics.given.touching.wrenches.clear();
        let evaluations = dynamics.evaluations;
        let found = dynamics.evaluate_open(point, &mut self.vdot);
        dynamics.evaluations = evaluations;
        found?;
        let system = dynamics.system;
        dynamics.ws.realize_acceleration(system, point.t, &self.vdot);
        Ok(())
    }

    /// Hands efforts to the equations of motion.
    pub fn give(&mut self, dynamics: &mut Dynamics, efforts: &[[f64; DIRECTIONS]]) {
        let mut wrenches: Vec<(usize, Wrench)> = Vec::new();
        for (contact, effort) in self.list.iter_mut().zip(efforts) {
            contact.effort = *effort;
            for (k, size) in effort.iter().enumerate().filter(|(_, size)| **size != 0.0) {
                contact.of.wrenches(k, dynamics.system, &dynamics.ws, &mut |body, wrench| {
                    let scaled = Wrench { force: wrench.force * *size, moment: wrench.moment * *size };
                    wrenches.push((body, scaled));
                });
            }
            if let Some(number) = contact.of.contact().filter(|_| effort[0] != 0.0) {
                let way = |k: usize| contact.of.direction(k, dynamics.system, &dynamics.ws) * effort[k];
                let rubs = (1..DIRECTIONS).filter(|k| effort[*k] != 0.0).fold(Vec3::ZERO, |sum, k| sum + way(k));
                dynamics.given.touching.pressed.push((number, effort[0], rubs));
            }
            if let Some((coordinate, sign)) = contact.of.along() {
                dynamics.given.touching.pushes.push((coordinate, sign * effort[0]));
            }
        }
        dynamics.given.touching.wrenches = wrenches;
    }

    /// Tangential efforts of one that slides, for a unit of normal effort, at the velocities realised.
    fn against(&self, i: usize, dynamics: &Dynamics) -> [f64; 2] {
        let contact = &self.list[i];
        let Mode::Slides(first) = contact.mode else { return [0.0; 2] };
        let mu = contact.of.friction()[0];
        let along = match contact.of.tangents() {
            2 => {
                let slide = [1, 2].map(|k| contact.of.rate(k, dynamics.system, &dynamics.ws));
                let length = |x: [f64; 2]| (x[0] * x[0] + x[1] * x[1]).sqrt();
                // The direction of a small slip that begins would turn faster than any step.
                let part = match contact.slow > 0.0 {
                    true => {
                        contact.slow * (-(length(slide) / contact.slow) * (length(slide) / contact.slow)).exponential()
                    }
                    false => 0.0,
                };
                let slide = [0, 1].map(|k| slide[k] + part * first[k]);
                let size = length(slide);
                let ahead = slide[0] * first[0] + slide[1] * first[1];
                // Beyond the place where it stops it goes on straight, so that the event is found on a smooth way.
                match size > 0.0 && ahead != 0.0 {
                    true => slide.map(|s| ahead.signum() * s / size),
                    false => first,
                }
            }
            _ => first,
        };
        along.map(|s| -mu * s)
    }

    /// Why a run ends where closed ones have no efforts.
    pub fn paradox(&self, t: f64) -> crate::error::Error {
        let slides = self.list.iter().find(|contact| matches!(contact.mode, Mode::Slides(_)));
        let named = slides.or(self.list.iter().find(|contact| contact.mode.bears()));
        let error = ErrorKind::Integration
            .error(format!("no effort holds what touches at t = {t:.9} s: friction jams it (Painleve's paradox)"))
            .because(Reason::Jammed)
            .at_time(t)
            .note("rigid bodies with this much friction have no motion there, or several; lower the coefficient");
        match named {
            Some(contact) => error.of(contact.of.name().to_string()),
            None => error,
        }
    }

    /// Why a run ends where changes follow upon each other in no time.
    pub fn undecided(&self, t: f64) -> crate::error::Error {
        ErrorKind::Integration
            .error(format!("what touches changes without end at t = {t:.9} s: it neither stays nor parts"))
            .because(Reason::Jammed)
            .at_time(t)
            .note("give stops some softness there: stop = \"soft\"")
    }

    /// Leads a point back to where those that are closed touch, and to velocities with which they stay so.
    pub fn hold(&self, dynamics: &mut Dynamics, point: &mut Point) -> Result<()> {
        let closed: Vec<(usize, usize)> =
            (0..self.list.len()).filter(|i| self.list[*i].mode.bears()).map(|i| (i, 0)).collect();
        self.close(dynamics, point, &closed)?;
        let unknown = self.unknown();
        if unknown.is_empty() {
            return Ok(());
        }
        dynamics.realize(point);
        let list = self.bare();
        let compliance = Compliance::new(dynamics, &list, unknown);
        let (system, ws) = (dynamics.system, &dynamics.ws);
        let off: Vec<f64> = compliance.of.iter().map(|(i, k)| -list[*i].rate(*k, system, ws)).collect();
        compliance.add(&compliance.impulses(&off), &mut point.v);
        Ok(())
    }

    /// Leads a position to where the gaps of these directions are zero; the constraints hold there.
    pub fn close(&self, dynamics: &mut Dynamics, point: &mut Point, of: &[(usize, usize)]) -> Result<()> {
        const MOST: usize = 6;
        if of.is_empty() {
            return Ok(());
        }
        let list = self.bare();
        let mut before = f64::INFINITY;
        for _ in 0..MOST {
            dynamics.realize(point);
            let (system, ws) = (dynamics.system, &dynamics.ws);
            let off: Vec<f64> = of.iter().map(|(i, _)| -list[*i].gap(system, ws)).collect();
            let parts = of.iter().zip(&off).map(|((i, _), off)| off.abs() / self.list[*i].size());
            let largest = parts.fold(0.0, f64::max);
            if largest <= ROUNDING || largest > 0.5 * before {
                break;
            }
            before = largest;
            let compliance = Compliance::new(dynamics, &list, of.to_vec());
            let mut dq = vec![0.0; point.v.len()];
            compliance.add(&compliance.impulses(&off), &mut dq);
            dynamics.system.formulation.step(&mut point.q, &dq);
            dynamics.project_rows(point)?;
        }
        Ok(())
    }

    /// What presses and rubs in all places of one contact that stick on the same plane: none of them slides alone.
    fn together(
        &self,
        contact: &Contact,
        (system, ws): (&System, &Workspace),
        (normal, rubs): (f64, [f64; 2]),
    ) -> (f64, f64) {
        let Some(number) = contact.of.contact() else {
            return (normal, (rubs[0] * rubs[0] + rubs[1] * rubs[1]).sqrt());
        };
        let up = contact.of.direction(0, system, ws);
        let same = |other: &&Contact| {
            other.mode == Mode::Sticks
                && other.of.contact() == Some(number)
                && other.of.direction(0, system, ws).dot(up) > 1.0 - PARALLEL
        };
        let (mut all, mut across) = (0.0, Vec3::ZERO);
        for other in self.list.iter().filter(same) {
            all += other.effort[0];
            across += other.of.direction(1, system, ws) * other.effort[1];
            if other.of.tangents() > 1 {
                across += other.of.direction(2, system, ws) * other.effort[2];
            }
        }
        (all, across.norm())
    }

    /// What bounds the gap that a margin is, where it is one of a contact that is open ([`Unilateral::clearance`]).
    pub fn clearance(&self, margin: usize, dynamics: &Dynamics) -> Option<(f64, f64)> {
        self.open(margin)?.of.clearance(dynamics.system, &dynamics.ws)
    }

    /// The constraint whose gap that margin is, where it is open.
    fn open(&self, margin: usize) -> Option<&Contact> {
        self.list.get(margin / 2).filter(|contact| contact.mode == Mode::Open && margin % 2 == 0)
    }

    /// Whether two places of one contact face the same way, so that neither slides alone.
    fn is_beside(&self, i: usize, j: usize, dynamics: &Dynamics) -> bool {
        let (one, two) = (&self.list[i].of, &self.list[j].of);
        let way = |of: &dyn Unilateral| of.direction(0, dynamics.system, &dynamics.ws);
        i == j
            || (one.contact().is_some()
                && one.contact() == two.contact()
                && way(&**one).dot(way(&**two)) > 1.0 - PARALLEL)
    }

    /// Notes which of those that stick are spent, with those beside them: of the constraints whose margins are.
    pub fn note_spent(&mut self, met: &[usize], dynamics: &Dynamics) {
        let count = self.list.len();
        // Those that only touch beside others may bear in their place from now on.
        let idle = |i: usize| matches!(self.list[i].mode, Mode::Carried | Mode::Touches);
        let sticks = |i: usize| self.list[i].mode == Mode::Sticks;
        let spent: Vec<usize> = met.iter().copied().filter(|i| sticks(*i)).collect();
        let with = |i: usize| (sticks(i) || idle(i)) && spent.iter().any(|j| self.is_beside(i, *j, dynamics));
        self.spent = (0..count).filter(|i| with(*i)).collect();
        let begun = |i: usize| match self.list[i].mode {
            Mode::Slides(way) if self.list[i].slow > 0.0 && !met.contains(&i) => Some((i, way)),
            _ => None,
        };
        let mut slide: Vec<(usize, [f64; 2])> = (0..count).filter_map(begun).collect();
        let beside = |i: usize| slide.iter().find(|(j, _)| self.is_beside(i, *j, dynamics)).map(|(_, way)| (i, *way));
        let more: Vec<(usize, [f64; 2])> = (0..count).filter(|i| idle(*i)).filter_map(beside).collect();
        slide.extend(more);
        self.begun = slide;
    }

    /// Fixes what those that bear touch from here on, at the position realised; `bears` is false where a leg has ended.
    pub fn seat(&mut self, bears: bool, dynamics: &Dynamics) {
        let (system, ws) = (dynamics.system, &dynamics.ws);
        self.seated.clear();
        for (i, contact) in self.list.iter_mut().enumerate() {
            contact.of.seat(bears && contact.mode.bears(), system, ws);
            if contact.of.room(ws).is_some() {
                self.seated.push(i);
            }
        }
    }

    /// Number of margins: two for each, and one for each that bears on what ends.
    pub fn margins(&self) -> usize {
        2 * self.list.len() + self.seated.len()
    }

    /// Margins where efforts are found and the state is realised: positive as long as each does what it does in this leg.
    pub fn read(&self, dynamics: &Dynamics, margins: &mut [f64]) {
        let largest = self.list.iter().map(|c| c.effort[0].abs()).fold(0.0, f64::max);
        let (margins, ends) = margins.split_at_mut(2 * self.list.len());
        for (i, end) in self.seated.iter().zip(ends) {
            *end = self.list[*i].of.room(&dynamics.ws).unwrap_or(1.0);
        }
        for (contact, margins) in self.list.iter().zip(margins.chunks_exact_mut(2)) {
            let (system, ws) = (dynamics.system, &dynamics.ws);
            let slack = PULL * largest;
            let [normal, first, second] = contact.effort;
            margins[1] = 1.0;
            margins[0] = match contact.mode {
                Mode::Open => contact.open_margin(system, ws),
                Mode::Carried | Mode::Touches => contact.of.gap(system, ws) + contact.touch,
                _ => normal + slack,
            };
            match contact.mode {
                Mode::Sticks => {
                    let (most, rubs) = self.together(contact, (system, ws), (normal, [first, second]));
                    margins[1] = contact.of.friction()[1] * most * (1.0 + PULL) + slack - rubs;
                }
                Mode::Slides(along) => {
                    let slide = (1..=contact.of.tangents()).map(|k| contact.of.rate(k, system, ws) * along[k - 1]);
                    margins[1] = slide.sum();
                }
                _ => {}
            }
        }
    }
}
