//! What the theory of machines reads off a planar linkage, at a position and over its motion: Grashof's class, transmission angles, ratios and
//! advantages, time ratios, instant centres and pole curves, inflection circles, velocities and accelerations of its points.
//!
//! Values are those of the signals of the same names; strokes and time ratios are found between samples by the cubic through rates and
//! accelerations at both ends.

mod quick_return;
mod tell;

use crate::drivers::{Driver, Target};
use crate::error::{Error, Result};
use crate::expr::{Expression, Name};
use crate::joints::Space;
use crate::linkage::{input, not_planar, pairs, plane, transmissions, Tie};
use crate::math::{EulerParameters, Pose, Rotation, Vec3};
use crate::model::{Analysis, Model, Study, GROUND};
use crate::motion::Motion;
use crate::range::{class_of, Class};
use crate::results::Results;
use crate::run::{formulation_of, run_as_far};
use crate::signal::{Element, Signal, Signals};
use crate::solve::newton::METHODS;
use crate::system::BodyState;
pub use quick_return::QuickReturn;

/// A place or a vector in the plane of motion.
pub type Planar = [f64; 2];

/// A planar linkage at a position and over its motion. Coordinates are along the two axes of the plane.
#[derive(Debug, Clone)]
pub struct Linkage {
    /// Name of the model.
    pub model: String,
    /// Names of the bodies, the ground first.
    pub bodies: Vec<String>,
    /// Time of the position.
    pub t: f64,
    /// Names of the two axes of the plane.
    pub axes: [&'static str; 2],
    /// What drives it, where that is one joint coordinate.
    pub input: Option<Input>,
    /// Grashof's class, of a four-bar.
    pub class: Option<Class>,
    /// Transmission angles.
    pub transmissions: Vec<TransmissionAngle>,
    /// Coordinates that lead to the ground, other than the input.
    pub outputs: Vec<Output>,
    /// Instant centres.
    pub centres: Vec<InstantCentre>,
    /// Inflection circles.
    pub circles: Vec<InflectionCircle>,
    /// Pole curves of the bodies that neither turn about a fixed point nor slide along a line.
    pub pole_curves: Vec<PoleCurves>,
    /// Joint points and named points of moving bodies.
    pub points: Vec<MovingPoint>,
    /// Where joints stand on the ground.
    pub fixed: Vec<(String, Planar)>,
    /// Why the motion ended before its time.
    pub ended: Option<String>,
    units: crate::display_units::DisplayUnits,
}

/// What drives a linkage.
#[derive(Debug, Clone)]
pub struct Input {
    /// Name of the driver.
    pub driver: String,
    /// The coordinate that it prescribes.
    pub coordinate: String,
    /// Its unit: rad or m.
    pub unit: &'static str,
    /// Its value.
    pub value: f64,
    /// Its rate; one where the driver itself stands still there.
    pub rate: f64,
    /// Whether the driver stands still, so that the rate is assumed.
    pub assumed: bool,
}

/// The transmission angle of a joint.
#[derive(Debug, Clone)]
pub struct TransmissionAngle {
    /// The joint.
    pub joint: String,
    /// At the position.
    pub angle: f64,
    /// The least over the motion, and when that is.
    pub least: f64,
    /// Time of the least.
    pub t_least: f64,
}

/// A coordinate that follows the input.
#[derive(Debug, Clone)]
pub struct Output {
    /// Its name.
    pub coordinate: String,
    /// Its unit: rad or m.
    pub unit: &'static str,
    /// Its value.
    pub value: f64,
    /// Its rate against that of the input.
    pub ratio: f64,
    /// The reverse.
    pub advantage: f64,
    /// Units of both.
    pub units: [&'static str; 2],
    /// Stroke and time ratio, where one turn of the input leads it out and back.
    pub quick_return: Option<QuickReturn>,
}

/// The instant centre of two bodies.
#[derive(Debug, Clone)]
pub struct InstantCentre {
    /// The bodies.
    pub bodies: [usize; 2],
    /// Where it is: infinite where it is at infinity, no number where nothing determines it.
    pub at: Planar,
    /// The joint that it lies in, where it does.
    pub joint: Option<String>,
}

/// The inflection circle of a body.
#[derive(Debug, Clone)]
pub struct InflectionCircle {
    /// The body.
    pub body: usize,
    /// Its instant centre with the ground.
    pub pole: Planar,
    /// The inflection pole, opposite.
    pub opposite: Planar,
    /// The diameter.
    pub diameter: f64,
}

/// Pole curves of a body.
#[derive(Debug, Clone)]
pub struct PoleCurves {
    /// The body.
    pub body: usize,
    /// The fixed one, where the pole is in the ground over the motion.
    pub fixed: Vec<Planar>,
    /// The moving one, carried by the body, as it lies at the position.
    pub moving: Vec<Planar>,
}

/// A point of a body with its motion.
#[derive(Debug, Clone)]
pub struct MovingPoint {
    /// Joint or point.
    pub name: String,
    /// Its body.
    pub body: usize,
    /// Whether it is a named point, else that of a joint.
    pub named: bool,
    /// Where it is.
    pub at: Planar,
    /// Its velocity.
    pub v: Planar,
    /// Its acceleration.
    pub a: Planar,
    /// Curvature of its path, of named points.
    pub curvature: Option<f64>,
}

/// Samples over the motion at least, so that what lies between them is found to ten digits.
const SAMPLES: usize = 720;

/// Reads a linkage at time `at`, or at the start.
///
/// # Errors
/// Where the mechanism is not planar, where nothing drives it or the drivers do not determine its motion, and where the time lies outside
/// of the motion.
pub fn linkage(model: &Model, at: Option<f64>) -> Result<Linkage> {
    let normal = plane(model).ok_or_else(|| not_planar(model))?;
    if model.drivers.is_empty() {
        return Err(Error::new("nothing drives the linkage, so that it has no motion to read")
            .note("write a driver, or give --drive JOINT=t"));
    }
    let span = model.study.end - model.study.start;
    let study = |end: f64, steps: usize| Study {
        analysis: Analysis::Kinematics,
        every: true,
        filled: None,
        verify: false,
        derived: Default::default(),
        end,
        steps,
        ..model.study.clone()
    };
    let whole = model.with_study(study(model.study.end, model.study.steps.max(SAMPLES)));
    let run = |model: &Model| run_as_far(model, formulation_of(model), METHODS[0], |_, _| true);
    let motion = run(&whole)?;
    let t = at.unwrap_or(model.study.start);
    if !(model.study.start..=model.study.end).contains(&t) {
        let (first, last) = (model.study.start, model.study.end);
        return Err(Error::new(format!("the motion runs from t = {first} s to {last} s; {t} s lies outside"))
            .of("--at")
            .note("choose a time within the motion, or a longer one with --end"));
    }
    let position = match t > model.study.start {
        true => {
            let steps = (SAMPLES as f64 * (t - model.study.start) / span).ceil().max(1.0) as usize;
            run(&model.with_study(study(t, steps)))?.whole()?
        }
        false => motion.results.clone(),
    };
    let row = if t > model.study.start { position.len().saturating_sub(1) } else { 0 };
    let here = View { model: &whole, results: &position, row, frame: axes_of(normal) };
    let mut found = Linkage::read(&here, &motion.results, t);
    found.ended = motion.ended.map(|e| e.message().to_string());
    // A driver that stands still moves on by itself: what is asked for depends on the position alone.
    if here.is_still() {
        if let Some((case, results)) = stirred(&here) {
            let moved = View { model: &case, results: &results, row: 0, ..here };
            let over = std::mem::replace(&mut found, Linkage::read(&moved, &motion.results, t));
            found.ended = over.ended;
            if let (Some(input), Some(own)) = (&mut found.input, over.input) {
                (input.driver, input.assumed) = (own.driver, true);
            }
        }
    }
    Ok(found)
}

/// Two axes that span the plane, as engineers draw it: x to the right, y or z up.
fn axes_of(normal: Vec3) -> Frame {
    let axes = match normal.to_array().map(|x| x.abs() > 0.9) {
        [_, _, true] => ([Vec3::X, Vec3::Y], ["x", "y"]),
        [_, true, _] => ([Vec3::X, Vec3::Z], ["x", "z"]),
        [true, ..] => ([Vec3::Y, Vec3::Z], ["y", "z"]),
        _ => {
            let first = normal.any_perpendicular();
            ([first, normal.cross(first)], ["1", "2"])
        }
    };
    Frame { axes: axes.0, names: axes.1 }
}

/// The axes of the plane.
#[derive(Clone, Copy)]
struct Frame {
    axes: [Vec3; 2],
    names: [&'static str; 2],
}

impl Frame {
    /// A vector in the plane. What is infinite stays so.
    fn of(&self, v: Vec3) -> Planar {
        match v.is_finite() {
            true => self.axes.map(|axis| axis.dot(v)),
            false => [v.x; 2],
        }
    }
}

/// One sample of results.
#[derive(Clone, Copy)]
struct View<'a> {
    model: &'a Model,
    results: &'a Results,
    row: usize,
    frame: Frame,
}

impl View<'_> {
    /// Values of an element; none where the run tells nothing of it.
    fn values(&self, element: Element) -> Vec<f64> {
        let column = |s: Signal| self.results.get(&s.name(self.model));
        element.signals(self.model).filter_map(|s| column(s)?.data.get(self.row).copied()).collect()
    }

    /// The vector that begins at place `k` of an element's values.
    fn vector(&self, values: &[f64], k: usize) -> Vec3 {
        let at = |i: usize| values.get(k + i).copied().unwrap_or(f64::NAN);
        match self.model.space {
            Space::Spatial => Vec3::new(at(0), at(1), at(2)),
            Space::Planar if at(0).is_finite() => Vec3::new(at(0), at(1), 0.0),
            Space::Planar => Vec3::new(at(0), at(0), at(0)),
        }
    }

    /// Pose and motion of a body.
    fn body(&self, body: usize) -> BodyState {
        if body == GROUND {
            return BodyState::at_rest(Pose::IDENTITY);
        }
        let own = self.values(Element::Body(body));
        let at = |k: usize| own.get(k).copied().unwrap_or(f64::NAN);
        match self.model.space {
            Space::Spatial => {
                let attitude = EulerParameters([at(3), at(4), at(5), at(6)]);
                let [v, w, a, alpha] = [7, 10, 13, 16].map(|k| self.vector(&own, k));
                BodyState { pose: Pose::new(attitude.rotation(), self.vector(&own, 0)), attitude, v, w, a, alpha }
            }
            Space::Planar => {
                let rotation = Rotation::about(Vec3::Z, at(2));
                let [p, v, a] = [0, 3, 6].map(|k| self.vector(&own, k));
                let (w, alpha) = (Vec3::Z * at(5), Vec3::Z * at(8));
                BodyState { pose: Pose::new(rotation, p), attitude: rotation.euler_parameters(), v, w, a, alpha }
            }
        }
    }

    fn is_still(&self) -> bool {
        let moves = |s: BodyState| s.v.norm() > 0.0 || s.w.norm() > 0.0;
        !(1..self.model.bodies.len()).any(|k| moves(self.body(k)))
    }
}

/// The same position with its only driver moving at unit rate.
fn stirred(here: &View) -> Option<(Model, Results)> {
    let of = input(here.model)?;
    let value = here.values(Element::Coordinate(of.joint, of.coordinate)).first().copied()?;
    let law = Motion::Expression(Expression::parse("t", &[("t", Name::Variable(0))]).ok()?).less(-value);
    let driver = Driver { target: Target::Coordinate { of, value: law }, ..here.model.drivers[0].clone() };
    let poses: Vec<Pose> = (0..here.model.bodies.len()).map(|k| here.body(k).pose).collect();
    let study = Study { start: 0.0, end: 0.0, mode: None, ..here.model.study.clone() };
    let case = here.model.with_guess(&poses).with_drivers(vec![driver]).with_study(study);
    let results = run_as_far(&case, formulation_of(&case), METHODS[0], |_, _| true).ok()?.results;
    Some((case, results))
}

impl Linkage {
    fn read(here: &View, motion: &Results, t: f64) -> Linkage {
        let View { model, frame, .. } = *here;
        let over = View { results: motion, ..*here };
        Linkage {
            model: model.name.clone(),
            bodies: model.bodies.iter().map(|b| b.name.clone()).collect(),
            t,
            axes: frame.names,
            input: driving(here),
            class: class_of(model),
            transmissions: angles(here, motion),
            outputs: outputs(here, motion),
            centres: centres(here),
            circles: circles(here),
            pole_curves: pole_curves(here, &over),
            points: points(here),
            fixed: fixed(here),
            ended: None,
            units: model.study.units.clone(),
        }
    }
}

fn driving(here: &View) -> Option<Input> {
    let model = here.model;
    let of = input(model)?;
    let element = Element::Coordinate(of.joint, of.coordinate);
    let values = here.values(element);
    Some(Input {
        driver: model.drivers[0].name.clone(),
        coordinate: element.name(model),
        unit: element.leaves(model)[0].unit,
        value: *values.first()?,
        rate: *values.get(1)?,
        assumed: false,
    })
}

fn angles(here: &View, motion: &Results) -> Vec<TransmissionAngle> {
    let told = |t| {
        let element = Element::Transmission(t);
        let signal = element.signals(here.model).next()?;
        let column = motion.get(&signal.name(here.model))?;
        let least = (0..column.data.len()).filter(|k| column.data[*k].is_finite());
        let least = least.min_by(|a, b| column.data[*a].total_cmp(&column.data[*b]))?;
        Some(TransmissionAngle {
            joint: here.model.joints[t.joint].name.clone(),
            angle: *here.values(element).first()?,
            least: column.data[least],
            t_least: *motion.times().get(least)?,
        })
    };
    transmissions(here.model).into_iter().filter_map(told).collect()
}

fn outputs(here: &View, motion: &Results) -> Vec<Output> {
    let model = here.model;
    let signals = Signals::of(model);
    let mut elements: Vec<Element> = signals.on_request().iter().map(|s| s.element).collect();
    elements.dedup();
    let told = |element: Element| {
        let Element::Advantage(j, c) = element else { return None };
        if !model.joints[j].bodies.contains(&GROUND) {
            return None;
        }
        let coordinate = Element::Coordinate(j, c);
        let own = here.values(element);
        let leaves = element.leaves(model);
        Some(Output {
            coordinate: coordinate.name(model),
            unit: coordinate.leaves(model)[0].unit,
            value: *here.values(coordinate).first()?,
            ratio: *own.first()?,
            advantage: *own.get(1)?,
            units: [leaves[0].unit, leaves[1].unit],
            quick_return: quick_return::of(model, motion, coordinate),
        })
    };
    elements.into_iter().filter_map(told).collect()
}

fn centres(here: &View) -> Vec<InstantCentre> {
    let told = |pair: crate::linkage::Pair| {
        let values = here.values(Element::Centre(pair));
        let joint = match pair.tie {
            Tie::Pivot(joint) | Tie::Slide(joint) => Some(here.model.joints[joint].name.clone()),
            Tie::Apart => None,
        };
        InstantCentre { bodies: pair.bodies, at: here.frame.of(here.vector(&values, 0)), joint }
    };
    pairs(here.model).into_iter().map(told).collect()
}

/// Bodies that neither turn about a fixed point nor slide along a line, with what their pole is.
fn rolling(model: &Model) -> impl Iterator<Item = crate::linkage::Pair> {
    pairs(model).into_iter().filter(|pair| pair.bodies[0] == GROUND && pair.tie == Tie::Apart)
}

fn circles(here: &View) -> Vec<InflectionCircle> {
    let told = |pair: crate::linkage::Pair| {
        let body = pair.bodies[1];
        let values = here.values(Element::Inflection(body));
        Some(InflectionCircle {
            body,
            pole: here.frame.of(here.vector(&here.values(Element::Centre(pair)), 0)),
            opposite: here.frame.of(here.vector(&values, 1)),
            diameter: *values.first()?,
        })
    };
    rolling(here.model).filter_map(told).collect()
}

fn pole_curves(here: &View, over: &View) -> Vec<PoleCurves> {
    let told = |pair: crate::linkage::Pair| {
        let body = pair.bodies[1];
        let now = here.body(body).pose;
        let local = if here.model.space.is_planar() { 2 } else { 3 };
        let at = |row: usize| {
            let values = View { row, ..*over }.values(Element::Centre(pair));
            let [fixed, moving] = [0, local].map(|k| over.vector(&values, k));
            let moving = if moving.is_finite() { now.apply(moving) } else { moving };
            [fixed, moving].map(|p| here.frame.of(p))
        };
        let both: Vec<[Planar; 2]> = (0..over.results.len()).map(at).collect();
        let one = |k: usize| both.iter().map(|b| b[k]).collect();
        PoleCurves { body, fixed: one(0), moving: one(1) }
    };
    rolling(here.model).map(told).collect()
}

/// Points of joints on moving bodies, then named points that lie in none of them.
fn points(here: &View) -> Vec<MovingPoint> {
    /// Points nearer than this, in metres, are one.
    const SAME: f64 = 1e-9;
    let model = here.model;
    let mut found = Vec::new();
    for body in 1..model.bodies.len() {
        let state = here.body(body);
        let mut own: Vec<Vec3> = Vec::new();
        let mut add = |name: &str, p: Vec3, curvature: Option<f64>| {
            let arm = state.pose.rotation.apply(p);
            let [at, v, a] = [state.pose.origin + arm, state.velocity_at(arm), state.acceleration_at(arm)];
            let [at, v, a] = [at, v, a].map(|x| here.frame.of(x));
            let named = curvature.is_some();
            found.push(MovingPoint { name: name.to_string(), body, named, at, v, a, curvature });
        };
        for joint in model.joints.iter().filter(|j| j.bodies.contains(&body)) {
            let p = joint.frames[usize::from(joint.bodies[1] == body)].origin;
            if own.iter().all(|other| (*other - p).norm() > SAME) {
                add(&joint.name, p, None);
                own.push(p);
            }
        }
        for (k, (name, p)) in model.bodies[body].points.iter().enumerate() {
            let curvature = here.values(Element::Bend(body, k)).first().copied().unwrap_or(f64::NAN);
            add(name, *p, Some(curvature));
        }
    }
    found
}

fn fixed(here: &View) -> Vec<(String, Planar)> {
    let stands = here.model.joints.iter().filter(|j| j.bodies.contains(&GROUND));
    let place = |j: &crate::joints::Joint| {
        let side = usize::from(j.bodies[1] == GROUND);
        (j.name.clone(), here.frame.of(j.frames[side].origin))
    };
    stands.map(place).collect()
}
