//! Interference: how near bodies come to each other over a motion, where and when.
//!
//! The motion is run, and between two samples each body is on the polynomial of degree five through place, velocity and acceleration at both: its
//! origin, and its Euler parameters, which are brought back to length one. Whether that is the motion is measured on samples in between, and
//! there are twice as many until it is.
//!
//! The distance of two forms changes no faster than the point of one that is nearest to the other moves against that other's body: with a ball around
//! the smaller form, of middle c and radius r, |ḋ| ≤ |v(c) − v′(c)| + r |ω − ω′| =: V. So between two times, h apart, at which the distance is d and e
//! it is at least (d + e − V h)/2. Parts of the motion in which that lies above the least distance known are passed over, others are halved; V over a part is what it is
//! at three places of it, and what it can change by with twice the accelerations found at the samples beside. Where a part is short, the place
//! at which the distance no longer falls is bisected.

mod track;

use crate::display_units::DisplayUnits;
use crate::error::{Error, Result};
use crate::math::{Pose, Vec3};
use crate::model::{Contact, Model, Study, Touching};
use crate::results::{quantity_in_words, significant};
use crate::run::run_as_far;
use crate::solve::newton::Method;
use serde_json::{json, Value};
use track::Track;

/// How near two bodies come.
#[derive(Debug, Clone, PartialEq)]
pub struct Nearest {
    /// The bodies, by their names.
    pub bodies: [String; 2],
    /// The least distance; negative by the depth of an overlap.
    pub distance: f64,
    /// When.
    pub t: f64,
    /// The nearest points there.
    pub points: [Vec3; 2],
}

/// What is found.
#[derive(Debug, Clone)]
pub struct Interference {
    /// How near each two bodies come, the nearest first.
    pub pairs: Vec<Nearest>,
    /// Start and end of the motion that was looked at.
    pub span: [f64; 2],
    /// Why it ended before its time.
    pub ended: Option<Error>,
    /// How far bodies may be from where they are taken to be between samples, where that is more than it should be.
    pub doubt: Option<f64>,
}

/// What a body may be off between samples, of the size of the shapes: the least distance is then known to as much.
const OFF: f64 = 1e-9;
/// Parts of the whole motion that are not halved: in shorter ones the distance turns once at most.
const SHORT: f64 = 1e-7;
/// What the distance may change by in a part that is not halved, of the size of the shapes.
const FLAT: f64 = 1e-4;
/// Samples of a motion at most …
const MOST_STEPS: usize = 50_000;
/// … and parts that are looked at for two shapes.
const MOST_PARTS: usize = 200_000;

/// How near bodies come over the motion of a model: those of its contacts, else all with shapes that no joint joins.
///
/// # Errors
/// Where no two bodies have shapes, and where there is no motion.
pub fn interference(model: &Model, formulation: &str, method: &'static dyn Method) -> Result<Interference> {
    let touching = pairs(model)?;
    let mut steps = model.study.steps.clamp(8, MOST_STEPS);
    let mut coarse: Option<Vec<Track>> = None;
    loop {
        let study = Study { steps, outputs: Vec::new(), filled: None, every: false, ..model.study.clone() };
        let outcome = run_as_far(&model.with_study(study), formulation, method, |_, _| true)?;
        let tracks = Track::all(model, &outcome.results)?;
        let reach = touching.iter().flat_map(|t| t.pair.forms()).map(|form| form.around.1);
        let size = reach.filter(|r| r.is_finite()).fold(f64::MIN_POSITIVE, f64::max);
        let off = coarse.as_ref().map(|coarse| Track::differ(coarse, &tracks, size));
        let doubt = off.filter(|off| *off > OFF * size);
        let done = off.is_some() && (doubt.is_none() || 2 * steps > MOST_STEPS);
        if done || tracks[0].times.len() < 2 {
            let times = &tracks[0].times;
            let span = [times[0], times[times.len() - 1]];
            let mut search = Search { tracks: &tracks, touching: &touching };
            let pairs = search.all(model, size);
            return Ok(Interference { pairs, span, ended: outcome.ended, doubt });
        }
        coarse = Some(tracks);
        steps *= 2;
    }
}

/// Shapes that are looked at.
fn pairs(model: &Model) -> Result<Vec<Touching>> {
    if !model.contacts.is_empty() {
        return Ok(model.contacts.iter().flat_map(|contact| contact.touching.iter().cloned()).collect());
    }
    let joined = |a: usize, b: usize| {
        model.joints.iter().any(|joint| joint.bears() && (joint.bodies == [a, b] || joint.bodies == [b, a]))
    };
    let shaped: Vec<usize> = (0..model.bodies.len()).filter(|k| !model.bodies[*k].shapes.is_empty()).collect();
    let mut all = Contact::new("", [0, 0]);
    let two = shaped.iter().enumerate().flat_map(|(k, a)| shaped[k + 1..].iter().map(|b| [*a, *b]));
    all.bodies = two.filter(|[a, b]| !joined(*a, *b)).collect();
    // Of several pairs those that cannot touch are left out; of one alone it is told why.
    all.place(&model.bodies, model.space).map_err(|unfit| {
        Error::new(unfit.message).of(format!("body '{}'", model.bodies[unfit.body].name)).note(unfit.advice)
    })?;
    if all.touching.is_empty() {
        return Err(Error::new("no two bodies have shapes whose distance could be told")
            .note("give bodies a 'shape'; bodies that a joint joins are left out, unless [contacts.NAME] names them"));
    }
    Ok(all.touching.to_vec())
}

/// What is searched.
struct Search<'a> {
    tracks: &'a [Track],
    touching: &'a [Touching],
}

/// A part of the motion: its ends, and the distance there.
#[derive(Clone, Copy)]
struct Part {
    from: f64,
    to: f64,
    distances: [f64; 2],
}

impl Search<'_> {
    /// The least distance of every two bodies.
    fn all(&mut self, model: &Model, size: f64) -> Vec<Nearest> {
        let mut found: Vec<([usize; 2], Nearest)> = Vec::new();
        for touching in self.touching {
            let (t, distance) = self.least(touching, size);
            let poses = touching.bodies.map(|k| self.tracks[k].at(t).pose);
            let touch = touching.pair.least([&poses[0], &poses[1]]);
            let names = touching.bodies.map(|k| model.bodies[k].name.clone());
            // Told in the ground's own coordinates, as tracks are.
            let nearest = Nearest { bodies: names, distance, t, points: touch.points };
            match found.iter_mut().find(|(bodies, _)| *bodies == touching.bodies) {
                Some((_, known)) if known.distance <= distance => {}
                Some((_, known)) => *known = nearest,
                None => found.push((touching.bodies, nearest)),
            }
        }
        let mut pairs: Vec<Nearest> = found.into_iter().map(|(_, nearest)| nearest).collect();
        crate::sorting::sort_by(&mut pairs, |a, b| a.distance.total_cmp(&b.distance));
        pairs
    }

    fn distance(&self, touching: &Touching, t: f64) -> f64 {
        let poses = touching.bodies.map(|k| self.tracks[k].at(t).pose);
        touching.pair.least([&poses[0], &poses[1]]).gap
    }

    /// When two forms are nearest, and how near.
    fn least(&self, touching: &Touching, size: f64) -> (f64, f64) {
        let times = &self.tracks[0].times;
        let mut best = (times[0], self.distance(touching, times[0]));
        let mut note = |t: f64, d: f64| {
            if d < best.1 {
                best = (t, d);
            }
            best.1
        };
        let whole = times[times.len() - 1] - times[0];
        let mut parts: Vec<Part> = Vec::new();
        let mut before = (times[0], self.distance(touching, times[0]));
        for t in &times[1..] {
            let d = self.distance(touching, *t);
            note(*t, d);
            parts.push(Part { from: before.0, to: *t, distances: [before.1, d] });
            before = (*t, d);
        }
        parts.reverse();
        let mut looked = parts.len();
        while let Some(part) = parts.pop() {
            let h = part.to - part.from;
            let speed = self.speed(touching, part.from, part.to);
            let bound = 0.5 * (part.distances[0] + part.distances[1] - speed * h);
            let known = note(part.from, part.distances[0]);
            if bound >= known {
                continue;
            }
            let short = h <= SHORT * whole || speed * h <= FLAT * size || looked >= MOST_PARTS;
            if short {
                if let Some(t) = self.turn(touching, part.from, part.to) {
                    note(t, self.distance(touching, t));
                }
                continue;
            }
            let middle = 0.5 * (part.from + part.to);
            let d = self.distance(touching, middle);
            note(middle, d);
            looked += 1;
            parts.push(Part { from: middle, to: part.to, distances: [d, part.distances[1]] });
            parts.push(Part { from: part.from, to: middle, distances: [part.distances[0], d] });
        }
        best
    }

    /// No less than the rate of their distance anywhere between two times.
    fn speed(&self, touching: &Touching, from: f64, to: f64) -> f64 {
        let [one, two] = touching.pair.forms();
        let small = usize::from(two.around.1 < one.around.1);
        let form = &touching.pair.forms()[small];
        let [own, other] = [touching.bodies[small], touching.bodies[1 - small]].map(|k| &self.tracks[k]);
        let (at, r) = form.around;
        let at_time = |t: f64| {
            let (a, b) = (own.at(t), other.at(t));
            let s = a.pose.rotation.apply(at);
            let p = a.pose.origin + s;
            let arm = p - b.pose.origin;
            let v = a.v + a.w.cross(s) - b.v - b.w.cross(arm);
            let grows = own.grows(t, s.norm() + r) + other.grows(t, arm.norm() + r);
            (v.norm() + (a.w - b.w).norm() * r, grows)
        };
        let places = [from, 0.5 * (from + to), to].map(at_time);
        let (speed, grows) = places.iter().fold((0.0f64, 0.0f64), |(v, a), x| (v.max(x.0), a.max(x.1)));
        /// Accelerations between samples against those at them: samples are as close as the polynomials between them need.
        const MORE: f64 = 2.0;
        speed + MORE * grows * 0.25 * (to - from)
    }

    /// Rate of the distance.
    fn rate(&self, touching: &Touching, t: f64) -> f64 {
        let states = touching.bodies.map(|k| self.tracks[k].at(t));
        let touch = touching.pair.least([&states[0].pose, &states[1].pose]);
        let speed = |k: usize| states[k].v + states[k].w.cross(touch.points[k] - states[k].pose.origin);
        touch.normal.dot(speed(1) - speed(0))
    }

    /// Where the distance no longer falls, within a part at whose ends it falls and rises.
    fn turn(&self, touching: &Touching, mut low: f64, mut high: f64) -> Option<f64> {
        if self.rate(touching, low) >= 0.0 || self.rate(touching, high) <= 0.0 {
            return None;
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            match self.rate(touching, middle) < 0.0 {
                true => low = middle,
                false => high = middle,
            }
        }
        Some(0.5 * (low + high))
    }
}

impl Interference {
    /// The nearest of all.
    pub fn least(&self) -> Option<&Nearest> {
        self.pairs.first()
    }

    /// As JSON, in SI.
    pub fn json(&self) -> Value {
        let point = |p: &Vec3| json!(p.to_array());
        let told = |n: &Nearest| json!({ "distance": n.distance, "bodies": n.bodies, "t": n.t, "points": n.points.iter().map(point).collect::<Vec<_>>() });
        json!({
            "least": self.least().map(told),
            "pairs": self.pairs.iter().map(told).collect::<Vec<_>>(),
            "from": self.span[0],
            "to": self.span[1],
            "complete": self.ended.is_none(),
        })
    }

    /// In words.
    pub fn text(&self, units: &DisplayUnits) -> String {
        let length = |x: f64| quantity_in_words(units, x, "m", 6);
        let mut lines = Vec::new();
        for (k, n) in self.pairs.iter().enumerate() {
            let what = match n.distance < 0.0 {
                true => format!("overlap by {}", length(-n.distance)),
                false => length(n.distance),
            };
            let mark = if k == 0 { "nearest: " } else { "         " };
            lines.push(format!("{mark}{} and {}: {what} at t = {} s", n.bodies[0], n.bodies[1], significant(n.t, 9)));
        }
        if let Some(error) = &self.ended {
            lines.push(format!("the motion ended at t = {} s: {}", significant(self.span[1], 9), error.message()));
        }
        if let Some(doubt) = self.doubt {
            lines.push(format!("between samples bodies are known to {}; more steps tell more", length(doubt)));
        }
        lines.join("\n")
    }
}

/// A body's place and velocity.
#[derive(Debug, Clone, Copy)]
struct Placed {
    pose: Pose,
    v: Vec3,
    w: Vec3,
}
