//! The range of a driver: how far its value can go, both ways from the assembled position, and what ends it.
//!
//! The driver's law makes way for a value that rises, or falls, steadily; the other drivers hold theirs. The motion is followed with the
//! stepper of every run, which stays on its branch, until the loops no longer close (a dead centre of the driven link), until a joint limit is
//! passed, or until an angle has turned all the way round and everything is back where it was. Where motions cross (a change point) the value
//! can go on, and the motion goes straight on there.
//!
//! A limit is found in the step that passes it: where its slack changes sign, or where the slack has its least value inside the step.

mod dead_centre;
mod four_bar;

use crate::assembly_modes;
use crate::couplings::CoordinateRef;
use crate::display_units::DisplayUnits;
use crate::drivers::{Attitude, Driver, Target};
use crate::error::{Error, ErrorKind, Result};
use crate::expr::{Expression, Name};
use crate::manual_pose::{self, Posture};
use crate::math::{Pose, Vec3};
use crate::model::{Model, Singular};
use crate::motion::Motion;
use crate::results::{quantity_in_words, significant};
use crate::signal::{coordinate_elements, Element};
use crate::solve::motion::{Follower, LimitWatch, AT_LIMIT};
use crate::system::System;
pub use four_bar::{class, class_of, Class};
use serde_json::{json, Value};
use std::f64::consts::TAU;

/// What ends a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// A singular position: the loops do not close beyond.
    Singular,
    /// A limit of the driven coordinate or of another joint.
    Limit,
    /// Nothing.
    None,
}

impl Reason {
    /// The word that names it.
    pub fn word(self) -> &'static str {
        match self {
            Reason::Singular => "singular",
            Reason::Limit => "limit",
            Reason::None => "none",
        }
    }
}

/// One end of a range.
#[derive(Debug, Clone, PartialEq)]
pub struct Bound {
    /// The last value; `None` where there is no end.
    pub value: Option<f64>,
    /// What ends it.
    pub reason: Reason,
    /// The joint at its limit, or what a singular position leaves undecided, in words.
    pub detail: String,
}

/// The range of a driver.
#[derive(Debug, Clone, PartialEq)]
pub struct Range {
    /// Name of the driver, or of the coordinate that was asked for in its place.
    pub driver: String,
    /// What it prescribes, such as `O.angle`.
    pub coordinate: String,
    /// True for an angle, in radians; else metres.
    pub angle: bool,
    /// Its value in the assembled position.
    pub here: f64,
    /// The least value.
    pub lower: Bound,
    /// The greatest.
    pub upper: Bound,
    /// Whether an angle goes round without end.
    pub full_turn: bool,
    /// Grashof's class of the four-bar that the driven pivot belongs to.
    pub class: Option<Class>,
}

/// Largest stride between two looks at limits, in radians or sizes of the mechanism.
const STRIDE: f64 = 0.05;
/// Least step, in the same: what a singular position is known to.
const LEAST: f64 = 1e-12;
/// Turns after which an angle that comes back nowhere counts as endless …
const MOST_TURNS: usize = 100;
/// … and the sizes of the mechanism after which a length does.
const FARTHEST: f64 = 200.0;
/// Joint points (in sizes) and limited coordinates nearer than this are back where they were.
const BACK: f64 = 1e-6;

/// The range of the driver of that name (or of a joint or its coordinate, `O` or `O.angle`, which is driven in place of the model's one
/// driver); of the only driver there is, where none is named.
///
/// # Errors
/// Where there is no such driver or no single one, where the mechanism cannot be assembled or has other freedoms, and where it is beyond a
/// limit from the start.
pub fn range(model: &Model, name: Option<&str>) -> Result<Range> {
    let in_mode = assembly_modes::chosen(model)?;
    let model = in_mode.as_ref().unwrap_or(model);
    match from_here(model, name) {
        // The value stands at its own extreme, which is an end of the range: the mechanism is led a little away from it first.
        Err(error) if error.kind() == ErrorKind::Drive => dead_centre::from_beside(model, name).ok_or(error),
        found => found,
    }
}

/// The range both ways from the assembled position.
fn from_here(model: &Model, name: Option<&str>) -> Result<Range> {
    let chosen = Chosen::find(model, name)?;
    let near = model.near();
    let shifted = Chosen::find(near.as_ref().unwrap_or(model), name)?;
    // Far from the ground's origin points are counted from nearby, and so is a driver of one: ways are the same.
    let [up, down] = [1.0, -1.0].map(|sense| shifted.walk(sense));
    let (up, down) = (up?, down?);
    let bound = |walk: &Walk, sense: f64| Bound {
        value: walk.reached.map(|x| chosen.here + sense * x),
        reason: walk.reason,
        detail: walk.detail.clone(),
    };
    Ok(Range {
        driver: chosen.name.clone(),
        coordinate: chosen.coordinate.clone(),
        angle: chosen.angle,
        here: chosen.here,
        lower: bound(&down, -1.0),
        upper: bound(&up, 1.0),
        full_turn: chosen.angle && up.reached.is_none() && down.reached.is_none(),
        class: chosen.joint.and_then(|joint| class(model, joint)),
    })
}

/// A driver whose range is asked for, with what moves besides it held.
struct Chosen<'m> {
    model: &'m Model,
    name: String,
    coordinate: String,
    angle: bool,
    /// The joint whose first or only coordinate it drives.
    joint: Option<usize>,
    of: Option<CoordinateRef>,
    /// Its value at the start.
    here: f64,
    target: Target,
    /// The other drivers, held.
    others: Vec<Driver>,
    /// The assembled position.
    poses: Vec<Pose>,
}

impl<'m> Chosen<'m> {
    fn find(model: &'m Model, name: Option<&str>) -> Result<Chosen<'m>> {
        let place = match name {
            Some(name) => model.drivers.iter().position(|d| d.name == name).or_else(|| driver_of(model, name)),
            None if model.drivers.len() == 1 => Some(0),
            None => return Err(which(model)),
        };
        let t = model.study.start;
        let assembled = manual_pose::assembled(model, t)?;
        let named = |k: usize| name.map_or_else(|| model.drivers[k].name.clone(), str::to_string);
        let (name, target, here, left) = match (place, name) {
            (Some(k), _) => {
                let driver = &model.drivers[k];
                let here = value(&driver.target, t).ok_or_else(|| {
                    Error::new("an orientation has no single value")
                        .of(format!("driver '{}'", driver.name))
                        .at_opt(driver.span.as_ref())
                        .note("ask for the range of a driver of a joint or a point")
                })?;
                (named(k), driver.target.clone(), here, Some(k))
            }
            (None, name) => {
                let (of, here) = undriven(model, name.unwrap_or_default(), &assembled)?;
                let target = Target::Coordinate { of, value: Motion::Constant(here) };
                (name.unwrap_or_default().to_string(), target, here, (!model.drivers.is_empty()).then_some(0))
            }
        };
        let others = model.drivers.iter().enumerate().filter(|(k, _)| Some(*k) != left);
        let others = others.map(|(_, d)| Driver { target: held(&d.target, t), ..d.clone() }).collect();
        let of = if let Target::Coordinate { of, .. } = &target { Some(*of) } else { None };
        let coordinate = of.map_or_else(|| name.clone(), |of| Element::Coordinate(of.joint, of.coordinate).name(model));
        let angle = match &target {
            Target::Coordinate { of, .. } => {
                model.joints[of.joint].kind.coordinates().get(of.coordinate).is_none_or(|c| c.angle)
            }
            Target::Rotor { .. } | Target::Measure { length: false, .. } => true,
            _ => false,
        };
        Ok(Chosen {
            model,
            name,
            coordinate,
            angle,
            joint: of.map(|of| of.joint),
            of,
            here,
            target,
            others,
            poses: assembled.poses,
        })
    }

    /// How far the value goes in one sense.
    fn walk(&self, sense: f64) -> Result<Walk> {
        let line = Expression::parse(if sense > 0.0 { "t" } else { "-t" }, &[("t", Name::Variable(0))]);
        let law = line.map(|line| Motion::Expression(line).less(-self.here));
        let law = law.map_err(|e| Error::new(e.to_string()))?;
        let moved =
            Driver { name: self.name.clone(), target: with_law(&self.target, law), effort: Vec::new(), span: None };
        let case = self
            .model
            .with_guess(&self.poses)
            .with_drivers(self.others.iter().cloned().chain([moved]).collect::<Vec<_>>());
        let system = System::new(&case, "absolute")?;
        let mut follower = Follower::new(&system, 0.0, 1.0)?;
        refuse_clocks(&system)?;
        follower.at_singular(Singular::Pass);
        let unit = if self.angle { 1.0 } else { follower.stepper.ws.size };
        follower.finest(LEAST * unit);
        // A limit of the driven coordinate itself is known.
        let driven = |joint: usize, c: usize| self.of.is_some_and(|of| of.joint == joint && of.coordinate == c);
        let limits = LimitWatch::new(&system, |joint, c| !driven(joint, c));
        let own = self.own_limit(sense)?;
        refuse_beyond(&limits, &system, &follower)?;
        let start = marks(&system, &follower, &limits);
        let most = if self.angle { TAU * MOST_TURNS as f64 } else { FARTHEST * unit };
        let mut turns = 0;
        loop {
            let from = follower.stepper.state.t;
            let mut to = own.map_or(from + STRIDE * unit, |own| own.min(from + STRIDE * unit));
            let turn = TAU * (turns + 1) as f64;
            if self.angle {
                to = to.min(turn);
            }
            let before = limits.slacks(&system, &follower);
            let ended = if to > from { follower.advance(to).err() } else { None };
            if let Some(error) = ended.as_ref().filter(|e| !matches!(e.kind(), ErrorKind::Motion | ErrorKind::Singular))
            {
                return Err(error.clone());
            }
            if let Some((x, detail)) = limits.passed(&system, &mut follower, from, &before) {
                let detail = limits.list[detail].words(self.model);
                return Ok(Walk { reached: Some(x), reason: Reason::Limit, detail });
            }
            let here = follower.stepper.state.t;
            if let Some(error) = ended {
                let reached = error.time().filter(|t| *t > here).unwrap_or(here);
                let detail = error.notes().iter().find(|n| n.contains("singularity)")).cloned();
                let detail = detail.and_then(|n| n.split(" at t").next().map(str::to_string)).unwrap_or_default();
                return Ok(Walk { reached: Some(reached), reason: Reason::Singular, detail });
            }
            if own.is_some_and(|own| here >= own) {
                return Ok(Walk {
                    reached: own,
                    reason: Reason::Limit,
                    detail: format!("limit of {}", self.coordinate),
                });
            }
            if self.angle && here >= turn {
                turns += 1;
                let back =
                    || marks(&system, &follower, &limits).iter().zip(&start).all(|(a, b)| (*a - *b).norm() < BACK);
                if own.is_none() && back() {
                    return Ok(Walk::ENDLESS);
                }
            }
            if own.is_none() && here >= most {
                return Ok(Walk::ENDLESS);
            }
        }
    }

    /// How far the driven coordinate's own limit is.
    fn own_limit(&self, sense: f64) -> Result<Option<f64>> {
        let Some(of) = self.of else { return Ok(None) };
        let limits = self.model.joints[of.joint].limits_of(of.coordinate);
        let limit = if sense > 0.0 { limits.upper } else { limits.lower };
        let Some(away) = limit.map(|limit| (limit - self.here) * sense) else { return Ok(None) };
        match away < -AT_LIMIT {
            true => Err(beyond(self.model, of.joint, self.here, limit.unwrap_or(0.0))),
            false => Ok(Some(away.max(0.0))),
        }
    }
}

/// How far a value goes, and what ends it.
struct Walk {
    reached: Option<f64>,
    reason: Reason,
    detail: String,
}

impl Walk {
    const ENDLESS: Walk = Walk { reached: None, reason: Reason::None, detail: String::new() };
}

/// The driver that prescribes the coordinate of that name: a joint's first, or `JOINT.COORDINATE`.
fn driver_of(model: &Model, name: &str) -> Option<usize> {
    let of = coordinate(model, name)?;
    model.drivers.iter().position(|d| {
        matches!(&d.target, Target::Coordinate { of: own, .. } if own.joint == of.joint && own.coordinate == of.coordinate)
    })
}

fn coordinate(model: &Model, name: &str) -> Option<CoordinateRef> {
    let all = || coordinate_elements(model);
    let whole = all().find(|(j, c)| Element::Coordinate(*j, *c).name(model) == name);
    let (joint, coordinate) = whole.or_else(|| all().find(|(j, _)| model.joints[*j].name == name))?;
    Some(CoordinateRef { joint, coordinate })
}

/// A coordinate that no driver prescribes, with its value as assembled.
fn undriven(model: &Model, name: &str, assembled: &Posture) -> Result<(CoordinateRef, f64)> {
    let known: Vec<String> = model.drivers.iter().map(|d| d.name.clone()).collect();
    let coordinates = coordinate_elements(model).map(|(j, c)| Element::Coordinate(j, c).name(model));
    let known: Vec<String> = known.into_iter().chain(coordinates).collect();
    let of = coordinate(model, name).ok_or_else(|| {
        Error::new(format!("no driver and no joint coordinate '{name}'"))
            .suggest(name, known.iter().map(String::as_str))
    })?;
    if model.drivers.len() > 1 {
        return Err(which(model).note(format!("{name} has no driver, and could take the place of any of these")));
    }
    let name = Element::Coordinate(of.joint, of.coordinate).name(model);
    let here = assembled.coordinates.iter().find(|c| c.0 == name).map_or(0.0, |c| c.1);
    Ok((of, here))
}

fn which(model: &Model) -> Error {
    let names: Vec<&str> = model.drivers.iter().map(|d| d.name.as_str()).collect();
    match names.is_empty() {
        true => Error::new("the model has no driver whose range could be found")
            .note("name a joint, such as --driver JOINT, or give --drive JOINT=EXPRESSION"),
        false => {
            Error::new(format!("which driver? There are {}", names.join(", "))).note("choose one with --driver NAME")
        }
    }
}

fn beyond(model: &Model, joint: usize, value: f64, limit: f64) -> Error {
    let coordinate = Element::Coordinate(joint, 0);
    let unit = coordinate.signals(model).next().map_or("1", |s| s.unit());
    let [value, limit] = [value, limit].map(|x| quantity_in_words(&model.study.units, x, unit, 6));
    Error::new(format!("{} = {value} lies beyond its limit {limit} from the start", coordinate.name(model)))
        .of(format!("joint '{}'", model.joints[joint].name))
        .note("draw the mechanism within its limits, or change the driver's value at the start")
}

/// The one value of a target at a time.
fn value(target: &Target, t: f64) -> Option<f64> {
    match target {
        Target::Coordinate { value, .. }
        | Target::Rotor { value, .. }
        | Target::Point { value, .. }
        | Target::Measure { value, .. } => Some(value.jet(t).v),
        Target::Orientation { .. } => None,
    }
}

fn with_law(target: &Target, law: Motion) -> Target {
    let mut target = target.clone();
    match &mut target {
        Target::Coordinate { value, .. }
        | Target::Rotor { value, .. }
        | Target::Point { value, .. }
        | Target::Measure { value, .. } => *value = law,
        Target::Orientation { .. } => {}
    }
    target
}

/// A target that stays at its value of a time.
fn held(target: &Target, t: f64) -> Target {
    let still = |motion: &Motion| Motion::Constant(motion.jet(t).v);
    match target {
        Target::Orientation { body, attitude } => {
            let attitude = match attitude {
                Attitude::Rpy(parts) => Attitude::Rpy(Box::new(parts.each_ref().map(still))),
                Attitude::Euler(parts) => Attitude::Euler(Box::new(parts.each_ref().map(still))),
            };
            Target::Orientation { body: *body, attitude }
        }
        other => with_law(other, Motion::Constant(value(other, t).unwrap_or(0.0))),
    }
}

/// Constraints that move by themselves leave no range of a driver alone.
fn refuse_clocks(system: &System) -> Result<()> {
    for row in 0..system.constraints.undriven() {
        if system.constraints.law(row).is_some() {
            let owner = system.owner_name(system.constraints.owner(row));
            return Err(Error::new("it changes with time by itself, so no driver has a range of its own")
                .of(owner)
                .note("give it a constant value"));
        }
    }
    Ok(())
}

/// Joint points of all bodies, in sizes, and limited coordinates: what is back after a turn.
fn marks(system: &System, follower: &Follower, limits: &LimitWatch) -> Vec<Vec3> {
    let ws = &follower.stepper.ws;
    let place = |body: usize, origin: Vec3| ws.cache.bodies[body].pose.apply(origin) * (1.0 / ws.size);
    let joints = system.model.joints.iter();
    let points = joints.flat_map(|j| [0, 1].map(|side| place(j.bodies[side], j.frames[side].origin)));
    let values = limits.list.iter().map(|l| Vec3::X * system.constraints.value(l.measure, &ws.evaluation));
    points.chain(values).collect()
}

/// An error where the assembled position lies beyond a limit.
fn refuse_beyond(limits: &LimitWatch, system: &System, follower: &Follower) -> Result<()> {
    let slacks = limits.slacks(system, follower);
    match slacks.iter().zip(&limits.list).find(|(slack, _)| slack.0 < -AT_LIMIT) {
        Some((slack, limit)) => {
            let value = limit.limit + limit.sign * slack.0;
            Err(beyond(system.model, limit.joint, value, limit.limit))
        }
        None => Ok(()),
    }
}

impl Range {
    /// For people, in their units; angles in degrees unless these say otherwise.
    pub fn text(&self, units: &DisplayUnits) -> String {
        let scale = units.scale(if self.angle { "rad" } else { "m" });
        // Ends are known to 1e-9 of the largest; less is no figure.
        let all = [Some(self.here), self.lower.value, self.upper.value];
        let least = 1e-10 * all.iter().flatten().fold(0.0f64, |m, x| m.max(x.abs()));
        let figure = |x: f64| if x.abs() < least { 0.0 } else { x };
        let value = |x: f64| match scale.unit.as_str() {
            "rad" | "deg" => format!("{:.9} deg", figure(x).to_degrees()),
            unit => format!("{} {unit}", significant(scale.shown(figure(x)), 12)),
        };
        let mut out = format!("{} is {} in the assembled position\n", self.coordinate, value(self.here));
        if self.full_turn {
            out += "it turns all the way round, without end\n";
        } else {
            for (word, bound) in [("least", &self.lower), ("greatest", &self.upper)] {
                let end = bound.value.map_or("none".to_string(), value);
                let why = match bound.reason {
                    Reason::None => String::new(),
                    Reason::Singular if bound.detail.is_empty() => ", singular position".to_string(),
                    _ => format!(", {}", bound.detail),
                };
                out += &format!("{word} value {end}{why}\n");
            }
        }
        if let Some(class) = self.class {
            out += &format!("the four-bar at this pivot is a {} (Grashof)\n", class.word());
        }
        out
    }

    /// For programs.
    pub fn json(&self) -> Value {
        json!({
            "driver": self.driver,
            "lower": self.lower.value,
            "upper": self.upper.value,
            "lower_reason": self.lower.reason.word(),
            "upper_reason": self.upper.reason.word(),
            "full_turn": self.full_turn,
            "class": self.class.map(Class::word),
        })
    }
}
