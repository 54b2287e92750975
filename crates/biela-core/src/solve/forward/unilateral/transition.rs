//! What happens at an event: impacts of what approaches, and who stays closed from then on.
//!
//! **Accumulation.** A bouncing body makes infinitely many impacts in a finite time. With the rate v after an impact and the acceleration −b of
//! its gap the next flight rises v²/2b and lasts 2v/b, and all that follow 2v/b/(1 − e). Where the rise is less than [`FLAT`] of the
//! mechanism, it stays closed from here on, and the run tells the end of that series as the time at which it comes to rest.

use super::super::friction::{Decider, State};
use super::super::Point;
use super::compliance::Compliance;
use super::held::{Contact, Held, Mode};
use super::{decide, impact, rough};
use crate::error::{Error, ErrorKind, Reason, Result};
use crate::results::quantity_in_words;

/// Rise of a flight, in sizes or radians, below which impacts accumulate.
const FLAT: f64 = 1e-10;
/// The same of shapes that part so slowly that their places' roundings would throw them up again and again.
const LOW: f64 = 1e-13;
/// A gap at the start below minus this, in sizes or radians, overlaps.
const OVERLAP: f64 = 1e-9;
/// A slip below which one begins, in m/s.
const SLOW: f64 = 1e-5;
/// Rounds in which stick, slip and closure are decided upon each other.
const ROUNDS: usize = 60;

/// What a transition is told of the run.
pub struct Setting<'a> {
    /// Numbers of the constraints whose margins are spent.
    pub met: &'a [usize],
    /// Joints that begin to slip, each with its sense; and places of joints that stop.
    pub slips: &'a [(usize, f64)],
    /// See `slips`.
    pub stops: &'a [usize],
    /// Energies at play.
    pub energy: f64,
    /// Part of rates that is none.
    pub rest: f64,
    /// Number of the first hold of joints that stick.
    pub first: usize,
    /// Whether impacts are to be without restitution, since they crowd.
    pub plastic: bool,
    /// Whether the run begins.
    pub start: bool,
}

/// What a transition leaves to be told.
#[derive(Debug, Default)]
pub struct Told {
    /// In words, and when: since the last leg.
    events: Vec<(String, f64)>,
    /// How many there have been in all.
    count: usize,
    /// How many are not told one by one.
    more: usize,
    /// What the user is to know; of each kind the first.
    notes: Vec<(&'static str, String)>,
}

impl Told {
    /// Hands over what has happened, up to so many in all.
    pub fn hand_over(&mut self, most: usize, happened: &mut Vec<(String, f64)>) {
        for event in self.events.drain(..) {
            self.count += 1;
            match self.count > most {
                true => self.more += 1,
                false => happened.push(event),
            }
        }
    }

    /// Hands over what else is to be told.
    pub fn finish(&mut self, notes: &mut Vec<(String, String)>) {
        notes.extend(self.notes.drain(..).map(|(_, text)| ("warning".into(), text)));
        if self.more > 0 {
            notes.push(("event".into(), format!("{} more impacts and partings", self.more)));
        }
    }

    fn note(&mut self, kind: &'static str, text: String) {
        if self.notes.iter().all(|note| note.0 != kind) {
            self.notes.push((kind, text));
        }
    }
}

/// What flights after impacts come to.
struct Flights {
    /// Those whose impacts accumulate, and when they end: the last of the flights still to come.
    plastic: Vec<usize>,
    ends: Vec<(usize, f64)>,
    /// Speeds of impact after which flights are too low to be followed, of all.
    flat: Vec<f64>,
    /// Speeds of parting that are none.
    low: Vec<f64>,
}

impl Held {
    /// Strikes what approaches at a point and decides who stays closed and which joints stick.
    pub fn transition(
        &mut self,
        decider: &mut Decider,
        point: &mut Point,
        setting: &Setting,
        told: &mut Told,
    ) -> Result<Vec<State>> {
        decider.dynamics.realize(point);
        self.seat(false, &decider.dynamics);
        self.note_spent(setting.met, &decider.dynamics);
        let touching = self.touching(decider, point.t, setting)?;
        let before: Vec<Mode> = self.list.iter().map(|contact| contact.mode).collect();
        let all: Vec<(usize, usize)> =
            touching.iter().flat_map(|i| (0..=self.list[*i].of.tangents()).map(move |k| (*i, k))).collect();
        self.list.iter_mut().for_each(|contact| contact.mode = Mode::Open);
        let met: Vec<(usize, usize)> =
            all.iter().copied().filter(|(i, k)| *k == 0 && (before[*i].bears() || setting.met.contains(i))).collect();
        self.close(&mut decider.dynamics, point, &met)?;
        decider.dynamics.realize(point);
        let list = self.bare();
        let compliance = Compliance::new(&mut decider.dynamics, &list, all);
        let (system, ws) = (decider.dynamics.system, &decider.dynamics.ws);
        let mut rates: Vec<f64> = compliance.of.iter().map(|(i, k)| list[*i].rate(*k, system, ws)).collect();
        let mut rest = vec![0.0; self.list.len()];
        for (p, (i, _)) in compliance.of.iter().enumerate().filter(|(_, d)| d.1 == 0) {
            rest[*i] = setting.rest * (2.0 * compliance.at(p, p).max(0.0) * setting.energy).sqrt();
        }
        let low = self.strike(decider, point, setting, (&compliance, &mut rates, &rest), told)?;
        // Those that neither approach nor part.
        let still = (0..compliance.len()).filter(|p| compliance.of[*p].1 == 0);
        let still: Vec<usize> =
            still.filter(|p| rates[*p] <= rest[compliance.of[*p].0].max(low[compliance.of[*p].0])).collect();
        let still = still.iter().map(|p| compliance.of[*p].0).collect();
        let states = self.settle(decider, point, setting, still)?;
        decider.dynamics.realize(point);
        self.seat(true, &decider.dynamics);
        for (i, contact) in self.list.iter_mut().enumerate() {
            if before[i].bears() && !contact.mode.bears() && contact.mode != Mode::Carried {
                contact.strikes = 0;
                told.events.push((format!("{} is left", contact.of.name()), point.t));
            }
        }
        Ok(states)
    }

    /// Those that touch.
    fn touching(&self, decider: &Decider, t: f64, setting: &Setting) -> Result<Vec<usize>> {
        let (system, ws) = (decider.dynamics.system, &decider.dynamics.ws);
        let mut found = Vec::new();
        for (i, contact) in self.list.iter().enumerate() {
            let gap = contact.of.gap(system, ws);
            if setting.start && gap < -OVERLAP * contact.size() {
                return Err(self.overlap(decider, t));
            }
            let touches = gap <= contact.touch || contact.mode.bears() || setting.met.contains(&i);
            if touches && !contact.of.passes(system, ws) {
                found.push(i);
            }
        }
        Ok(found)
    }

    /// Why a run does not start: who is deepest in what it should only touch, and where.
    fn overlap(&self, decider: &Decider, t: f64) -> Error {
        let (system, ws) = (decider.dynamics.system, &decider.dynamics.ws);
        let units = &system.model.study.units;
        let part = |contact: &&Contact| contact.of.gap(system, ws) / contact.size();
        let Some(deepest) = self.list.iter().min_by(|a, b| part(a).total_cmp(&part(b))) else { return self.paradox(t) };
        let depth = quantity_in_words(units, -deepest.of.gap(system, ws), deepest.of.unit(), 6);
        let said = |text: String| ErrorKind::Input.error(text).because(Reason::LimitPassed).at_time(t);
        let Some((at, bodies)) = deepest.of.place(system, ws) else {
            return said(format!("it starts {depth} beyond it"))
                .of(deepest.of.name().to_string())
                .note("start within, by [initial] or another pose, or move the limit");
        };
        let count = if system.model.space.is_planar() { 2 } else { 3 };
        let at: Vec<String> = (0..count).map(|k| quantity_in_words(units, at[k], "m", 4)).collect();
        let [a, b] = bodies.map(|k| system.model.bodies[k].name.as_str());
        let error = said(format!("'{a}' and '{b}' overlap by {depth} at the start, at ({})", at.join(", ")));
        let error = match deepest.of.contact() {
            Some(number) => error.of(format!("contact '{}'", system.model.contacts[number].name)),
            None => error,
        };
        error.note("move them apart, by their poses or by [initial]").note(
            "bodies that are to lie in each other are left out by 'except', and what may give way takes 'stiffness'",
        )
    }

    /// Impacts of those that approach.
    fn strike(
        &mut self,
        decider: &mut Decider,
        point: &mut Point,
        setting: &Setting,
        (compliance, rates, rest): (&Compliance, &mut Vec<f64>, &[f64]),
        told: &mut Told,
    ) -> Result<Vec<f64>> {
        if compliance.of.iter().zip(rates.iter()).all(|((i, k), rate)| *k > 0 || *rate >= -rest[*i]) {
            return Ok(vec![0.0; self.list.len()]);
        }
        let (kinetic, _) = decider.dynamics.energies();
        let Flights { plastic, ends, flat, low } =
            self.accumulating(decider, point, setting, (compliance, rates, rest))?;
        let (impulses, struck) = impact::strike(self, compliance, rates, (rest, &plastic, &flat));
        compliance.add(&impulses, &mut point.v);
        decider.dynamics.realize(point);
        point.work += decider.dynamics.energies().0 - kinetic;
        let units = &decider.dynamics.system.model.study.units;
        for (i, speed) in struck.who {
            let contact = &mut self.list[i];
            contact.strikes += 1;
            let unit = if contact.of.unit() == "m" { "m/s" } else { "rad/s" };
            let speed = quantity_in_words(units, speed, unit, 6);
            match ends.iter().find(|end| end.0 == i) {
                Some((_, end)) if contact.strikes > 1 => {
                    let times = contact.strikes - 1;
                    told.events.push((format!("{} is struck at {speed}", contact.of.name()), point.t));
                    let text = format!(
                        "impacts on {} accumulate, {times} were followed; it comes to rest there",
                        contact.of.name()
                    );
                    told.events.push((text, *end));
                }
                _ => told.events.push((format!("{} is struck at {speed}", contact.of.name()), point.t)),
            }
        }
        if struck.set_aside {
            let text = format!(
                "the law of restitution asked for would have added energy in an impact at t = {:.9} s; the energetic law was taken there",
                point.t
            );
            told.note("law", text);
        }
        if struck.cut || setting.plastic {
            let text = format!(
                "impacts follow upon each other without end at t = {:.9} s; those left were taken without restitution",
                point.t
            );
            told.note("cut", text);
        }
        Ok(low)
    }

    /// Those whose impacts accumulate, and when they end: the last of the flights still to come.
    fn accumulating(
        &mut self,
        decider: &mut Decider,
        point: &Point,
        setting: &Setting,
        (compliance, rates, rest): (&Compliance, &[f64], &[f64]),
    ) -> Result<Flights> {
        let (mut plastic, mut ends) = (Vec::new(), Vec::new());
        let approaches = |p: &usize| compliance.of[*p].1 == 0 && rates[*p] < -rest[compliance.of[*p].0];
        let struck: Vec<usize> = (0..compliance.len()).filter(approaches).collect();
        self.realize(&mut decider.dynamics, point)?;
        let (system, ws) = (decider.dynamics.system, &decider.dynamics.ws);
        // Others are struck by these: of a box that settles, corner by corner.
        let mut flat = vec![0.0; self.list.len()];
        let mut low = flat.clone();
        for (i, _) in compliance.of.iter().filter(|(i, k)| *k == 0 && self.list[*i].of.contact().is_some()) {
            let contact = &self.list[*i];
            let (e, b) = (contact.of.restitution().coefficient, -contact.of.acceleration(0, system, ws));
            low[*i] = (2.0 * b.max(0.0) * LOW * contact.size()).sqrt();
            if e > 0.0 && b > 0.0 {
                flat[*i] = (2.0 * b * FLAT * contact.size()).sqrt() / e;
            }
        }
        for p in struck {
            let i = compliance.of[p].0;
            let contact = &self.list[i];
            let e = contact.of.restitution().coefficient;
            let (v, b) = (-e * rates[p], -contact.of.acceleration(0, system, ws));
            if setting.plastic {
                plastic.push(i);
            } else if e > 0.0 && e < 1.0 && b > 0.0 && 0.5 * v * v / b <= FLAT * contact.size() {
                plastic.push(i);
                ends.push((i, point.t + 2.0 * v / b / (1.0 - e)));
            }
        }
        decider.dynamics.realize(point);
        Ok(Flights { plastic, ends, flat, low })
    }

    /// What contacts of which some rub do, from accelerations and rates along all directions.
    fn rough(
        &self,
        t: f64,
        setting: &Setting,
        (compliance, a, rates): (&Compliance, &[f64], Vec<f64>),
        still: &[usize],
    ) -> Result<Vec<Mode>> {
        let mut places = rough::places(self, compliance, still);
        for place in &mut places {
            let slide: Vec<f64> = place.tangents.iter().map(|p| rates[*p]).collect();
            let speed = slide.iter().map(|s| s * s).sum::<f64>().sqrt();
            let contact = self.list[place.of].of.contact().unwrap_or(usize::MAX);
            if let Some((_, way)) = self.begun.iter().find(|begun| begun.0 == place.of && place.slide.is_none()) {
                place.slide = Some(*way);
            }
            place.spent = self.spent.contains(&place.of).then_some(contact);
            let ease = place.tangents.iter().map(|p| compliance.at(*p, *p)).fold(0.0, f64::max);
            if speed > setting.rest * (2.0 * ease * setting.energy).sqrt() {
                let part = |k: usize| slide.get(k).map_or(0.0, |s| s / speed);
                place.slide = Some([part(0), part(1)]);
                place.mu = self.list[place.of].of.friction()[0];
            }
        }
        if let Some((i, which)) = rough::paradox(compliance, a, &places) {
            return Err(self.jammed(i, t, which));
        }
        rough::modes(compliance, a, &places).ok_or_else(|| self.paradox(t))
    }

    /// Why a run ends in Painlevé's paradox.
    fn jammed(&self, i: usize, t: f64, which: rough::Paradox) -> crate::error::Error {
        let what = match which {
            rough::Paradox::None => "no effort keeps it from closing",
            rough::Paradox::Several => "it may part or press, and rigid bodies do not decide which",
        };
        ErrorKind::Integration
            .error(format!("{what} at t = {t:.9} s: friction jams it (Painleve's paradox)"))
            .because(Reason::Jammed)
            .at_time(t)
            .of(self.list[i].of.name().to_string())
            .note("rigid bodies with this much friction have no motion there, or several; lower the coefficient, or give the contact stiffness")
    }

    /// Which joints stick and slide, where what touches does what it does now.
    fn decide_friction(&mut self, decider: &mut Decider, point: &Point, setting: &Setting) -> Result<Vec<State>> {
        if decider.is_idle() {
            return Ok(Vec::new());
        }
        decider.dynamics.held = Some(Box::new(std::mem::take(self)));
        let given = ((setting.slips, setting.stops), (setting.energy, setting.rest));
        let found = decider.decide(point, given.0, given.1, setting.first);
        if let Some(back) = decider.dynamics.held.take().and_then(Held::back) {
            *self = *back;
        }
        found
    }

    /// Who of those at rest stays closed; joints that rub are decided with them.
    fn settle(
        &mut self,
        decider: &mut Decider,
        point: &Point,
        setting: &Setting,
        still: Vec<usize>,
    ) -> Result<Vec<State>> {
        for _ in 0..ROUNDS {
            let modes: Vec<Mode> = self.list.iter().map(|contact| contact.mode).collect();
            let states = self.decide_friction(decider, point, setting)?;
            if still.is_empty() {
                return Ok(states);
            }
            // Without efforts, under the friction found.
            self.list.iter_mut().for_each(|contact| contact.mode = Mode::Open);
            self.realize(&mut decider.dynamics, point)?;
            let list = self.bare();
            let of = still.iter().flat_map(|i| (0..=list[*i].tangents()).map(move |k| (*i, k))).collect();
            let compliance = Compliance::new(&mut decider.dynamics, &list, of);
            let (system, ws) = (decider.dynamics.system, &decider.dynamics.ws);
            let a: Vec<f64> = compliance.of.iter().map(|(i, k)| list[*i].acceleration(*k, system, ws)).collect();
            let found = match compliance.of.iter().any(|(_, k)| *k > 0) {
                false => decide::smooth(&compliance, &a),
                true => {
                    let slides = compliance.of.iter().map(|(i, k)| list[*i].rate(*k, system, ws)).collect();
                    self.rough(point.t, setting, (&compliance, &a, slides), &still)?
                }
            };
            let list = self.bare();
            let (system, ws) = (decider.dynamics.system, &decider.dynamics.ws);
            let speed =
                |i: usize| (1..=list[i].tangents()).map(|k| list[i].rate(k, system, ws)).map(|s| s * s).sum::<f64>();
            let slow: Vec<f64> = still.iter().map(|i| if speed(*i) < SLOW * SLOW { SLOW } else { 0.0 }).collect();
            for ((i, mode), slow) in still.iter().zip(found).zip(slow) {
                (self.list[*i].mode, self.list[*i].slow) = (mode, slow);
            }
            if states.is_empty() || self.list.iter().map(|contact| contact.mode).eq(modes) {
                return Ok(states);
            }
        }
        Err(self.paradox(point.t))
    }
}
