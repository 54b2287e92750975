//! Output singularities along a run: where the drivers move and the output does not.
//!
//! The drivers' rates ḟ (k of them) determine the motion, and with it the rates of an output, ẏ = S ḟ: S = ∂y/∂f has one
//! column for each driver, found by solving Φ_v x = e for a unit rate of that driver. An **output singularity** is a
//! position in which Φ_v is regular and S loses rank: some motion of the drivers leaves the output at rest. With one driver
//! that is a dead centre of the output (the rocker or the piston of a driven crank turns back); with several it is an arm
//! that is stretched or folded. The motion goes on undisturbed, so no policy applies; the positions are located and listed.
//!
//! Outputs are those that the run names, else the natural ones: with one driver, every coordinate without driver of a joint
//! to the ground, each by itself; where there are none, or with several drivers, the body farthest from the ground by
//! joints: its last point if it names one, else its farthest joint, or its whole motion where a point is not enough to show
//! k independent rates.
//!
//! From one step to the next det(SᵀS') keeps its sign unless S has lost rank between. The root is found by following the
//! motion once more within that step.

#![allow(non_snake_case)] // p_B: a point in its body's frame (docs/notation.md).

use super::stepper::{Snapshot, Stepper};
use crate::error::{Error, Result};
use crate::math::dense::Matrix;
use crate::math::Vec3;
use crate::model::Model;
use crate::signal::{Element, Signal};
use crate::signal_name;
use crate::solve::vectors::{dot, max_abs, norm};
use crate::system::System;
use biela_base::sorting::sort_by;

/// An output at rest while the drivers move.
#[derive(Debug, Clone)]
pub struct Still {
    /// When.
    pub t: f64,
    /// Which output.
    pub output: String,
}

/// What an output consists of.
#[derive(Debug, Clone, Copy)]
enum Rates {
    /// A measure; true for angles.
    Coordinate(usize, bool),
    Point(usize, Vec3),
    Body(usize),
}

/// An output with what the last step has shown of it.
#[derive(Debug, Clone)]
struct Output {
    name: String,
    rates: Rates,
    /// S of the last step in which it was regular, by columns; empty columns where there was none.
    last: Vec<Vec<f64>>,
    /// S of this step.
    now: Vec<Vec<f64>>,
    /// Largest S seen: what counts as zero is measured against it.
    most: f64,
    /// Steps at rest since, and the time of the first.
    still: usize,
    since: f64,
}

/// The outputs of a run, watched step by step.
#[derive(Debug, Clone)]
pub struct Outputs {
    outputs: Vec<Output>,
    /// Rows of the drivers.
    drivers: std::ops::Range<usize>,
    /// Every output at rest found so far, in order of time.
    pub found: Vec<Still>,
    /// The state before the step.
    start: Option<Snapshot>,
}

/// Rates below this, against the largest seen, are zero.
const ZERO: f64 = 1e-11;
/// … or against this, where nothing larger was seen yet.
const SLIGHT: f64 = 1e-3;
/// Least singular value of S, against those at the ends of the step, that counts as lost rank where the root was found.
const LOST: f64 = 1e-5;
/// With more drivers, or velocities where several drivers are watched, outputs are not.
const MOST: (usize, usize) = (12, 300);
/// No more outputs at rest than this are listed.
const LISTED: usize = 10_000;

impl Outputs {
    /// The outputs of a run from the stepper's first state; none where nothing is driven.
    pub fn new(stepper: &mut Stepper) -> Result<Option<Outputs>> {
        let system = stepper.system;
        let (undriven, rows) = (system.constraints.undriven(), system.constraints.len());
        let k = rows - undriven;
        let mut made = Outputs { outputs: Vec::new(), drivers: undriven..rows, found: Vec::new(), start: None };
        for name in &system.model.study.outputs {
            made.outputs.extend(by_name(system, name)?.map(|rates| Output::new(name.clone(), rates, k)));
        }
        if k == 0 || k > MOST.0 || (k > 1 && system.formulation.nv() > MOST.1) {
            return Ok(None);
        }
        if made.outputs.is_empty() {
            made.outputs = if k == 1 { to_ground(system) } else { Vec::new() };
        }
        if made.outputs.is_empty() && system.formulation.nv() <= MOST.1 {
            made.outputs.extend(farthest(stepper, &made.drivers));
        }
        if made.outputs.is_empty() {
            return Ok(None);
        }
        made.look(stepper);
        Ok(Some(made))
    }

    /// Keeps the stepper's present state, from which the next step starts.
    pub(super) fn before(&mut self, stepper: &Stepper) {
        self.start = Some(stepper.stored(self.start.take()));
    }

    /// Looks at the stepper's present state, one step after the last one looked at.
    pub(super) fn look(&mut self, stepper: &mut Stepper) {
        let t = stepper.state.t;
        let slow = self.drivers.len() > 1 || self.outputs.iter().any(|o| !matches!(o.rates, Rates::Coordinate(..)));
        let driven = stepper.ws.evaluation.nu[self.drivers.start];
        if !slow && driven.abs() < 1e-12 {
            // At rest; what turns back here turns back with its driver.
            return;
        }
        if slow {
            sensitivities(stepper, &mut self.outputs, &self.drivers);
        } else {
            // One driver: rates at hand tell the same.
            self.outputs.iter_mut().for_each(|o| rates(stepper, o.rates, 1.0 / driven, &mut o.now[0]));
        }
        for i in 0..self.outputs.len() {
            let output = &mut self.outputs[i];
            output.most = output.most.max(greatest(&output.now)).max(SLIGHT);
            if is_lost(&output.now, ZERO * output.most) {
                if output.still == 0 {
                    output.since = t;
                }
                output.still += 1;
                continue;
            }
            let turned = overlap(&output.last, &output.now) < 0.0;
            let (still, since) = (output.still, output.since);
            output.still = 0;
            let root = match still {
                // Two steps at rest are a dwell, which has no time of its own.
                1 => Some(since),
                0 if turned => locate(stepper, output, self.start.as_ref(), &self.drivers),
                _ => None,
            };
            std::mem::swap(&mut output.last, &mut output.now);
            if let Some(t) = root.filter(|_| self.found.len() < LISTED) {
                self.found.push(Still { t, output: output.name.clone() });
            }
        }
    }

    /// Forgets the last step: what comes is no continuation of it.
    pub(super) fn interrupt(&mut self) {
        for output in &mut self.outputs {
            output.last.iter_mut().flatten().for_each(|x| *x = 0.0);
            output.still = 0;
        }
    }

    /// Everything found, an output at rest at the very end included.
    pub fn finish(mut self) -> Vec<Still> {
        for output in &self.outputs {
            if output.still == 1 {
                self.found.push(Still { t: output.since, output: output.name.clone() });
            }
        }
        sort_by(&mut self.found, |a, b| a.t.total_cmp(&b.t));
        self.found
    }
}

/// When an output lost rank within the last step, which began at `start`; `None` where it merely turned. The stepper is left
/// as it was.
fn locate(
    stepper: &mut Stepper,
    output: &Output,
    start: Option<&Snapshot>,
    drivers: &std::ops::Range<usize>,
) -> Option<f64> {
    /// Width of the interval that holds the root, in lengths of the step.
    const WIDTH: f64 = 1e-13;
    let start = start?;
    let here = stepper.snapshot();
    let (t0, t1) = (start.place().0, here.place().0);
    let mut one = [output.clone()];
    let before = &output.last;
    // False position with the idle end's value halved (Illinois).
    let (mut a, mut b) = ((t0, overlap(before, before)), (t1, overlap(before, &output.now)));
    let mut lost = None;
    for _ in 0..60 {
        let t = (a.0 * b.1 - b.0 * a.1) / (b.1 - a.1);
        let t = if t > a.0.min(b.0) && t < a.0.max(b.0) { t } else { 0.5 * (a.0 + b.0) };
        stepper.restore_snapshot(start);
        if !stepper.lead_to(t) {
            break;
        }
        sensitivities(stepper, &mut one, drivers);
        let value = overlap(before, &one[0].now);
        if value * b.1 < 0.0 {
            a = b;
        } else {
            a.1 *= 0.5;
        }
        let moved = (t - b.0).abs();
        b = (t, value);
        if value == 0.0 || moved <= WIDTH * (t1 - t0) || (a.0 - b.0).abs() <= WIDTH * (t1 - t0) {
            // Next to a singular position of the drivers S grows beyond bounds and changes its sign there, but loses nothing.
            lost = (least(&one[0].now) <= LOST * least(before).max(least(&output.now))).then_some(t);
            break;
        }
    }
    stepper.restore_snapshot(&here);
    lost
}

impl Output {
    /// An output watched with this many drivers.
    fn new(name: String, rates: Rates, drivers: usize) -> Output {
        let size = match rates {
            Rates::Coordinate(..) => 1,
            Rates::Point(..) => 3,
            Rates::Body(_) => 6,
        };
        let empty = vec![vec![0.0; size]; drivers];
        Output { name, rates, last: empty.clone(), now: empty, most: 0.0, still: 0, since: 0.0 }
    }
}

/// The output of that name: a joint's coordinate, a body's point, or a body. `None` for any other signal, which is drawn but not watched.
fn by_name(system: &System, name: &str) -> Result<Option<Rates>> {
    let model = system.model;
    for (j, c, measure) in system.constraints.named_coordinates() {
        let coordinate = model.joints[*j].kind.coordinates()[*c];
        if name == Element::Coordinate(*j, *c).name(model) {
            return Ok(Some(Rates::Coordinate(*measure, coordinate.angle)));
        }
    }
    for (k, body) in model.bodies.iter().enumerate().skip(1) {
        if name == body.name {
            return Ok(Some(Rates::Body(k)));
        }
        if let Some((_, p_B)) = body.points.iter().find(|p| signal_name::leaf(name, &body.name) == Some(p.0.as_str())) {
            return Ok(Some(Rates::Point(k, *p_B)));
        }
    }
    if Signal::parse(model, name).is_some() {
        return Ok(None);
    }
    let coordinates = system.constraints.named_coordinates().iter().map(|(j, c, _)| Element::Coordinate(*j, *c));
    let bodies = 1..model.bodies.len();
    let points = bodies.clone().flat_map(|k| (0..model.bodies[k].points.len()).map(move |p| Element::Point(k, p)));
    let known: Vec<String> =
        coordinates.chain(points).chain(bodies.map(Element::Body)).map(|element| element.name(model)).collect();
    Err(Error::new(format!("[run] outputs: there is no signal, point or body '{name}'"))
        .suggest(name, known.iter().map(String::as_str)))
}

/// Coordinates without driver of joints to the ground.
fn to_ground(system: &System) -> Vec<Output> {
    let model = system.model;
    let driven = |j: usize, c: usize| {
        model.drivers.iter().any(|d| {
            matches!(&d.target, crate::drivers::Target::Coordinate { of, .. } if of.joint == j && of.coordinate == c)
        })
    };
    let chosen = system
        .constraints
        .coordinates()
        .iter()
        .filter(|(j, c, _)| model.joints[*j].bodies.contains(&0) && !driven(*j, *c));
    let made = chosen.map(|(j, c, measure)| {
        let coordinate = model.joints[*j].kind.coordinates()[*c];
        Output::new(Element::Coordinate(*j, *c).name(model), Rates::Coordinate(*measure, coordinate.angle), 1)
    });
    made.collect()
}

/// The body farthest from the ground, by a point of it or as a whole; none where neither shows as many rates as there are
/// drivers.
fn farthest(stepper: &mut Stepper, drivers: &std::ops::Range<usize>) -> Option<Output> {
    /// Independent enough to be watched.
    const REGULAR: f64 = 1e-6;
    let (model, k) = (stepper.system.model, drivers.len());
    let far = distances(model);
    let body = (1..far.len()).rev().max_by_key(|b| far[*b])?;
    let name = &model.bodies[body].name;
    let mut tried = Vec::new();
    match model.bodies[body].points.last() {
        Some((point, p_B)) => tried.push(Output::new(signal_name::join(name, point), Rates::Point(body, *p_B), k)),
        None => {
            let beyond = |j: &&crate::joints::Joint| j.bodies.contains(&body);
            let other = |j: &crate::joints::Joint| j.bodies[usize::from(j.bodies[0] == body)];
            let joint = model.joints.iter().filter(beyond).rev().max_by_key(|j| far[other(j)])?;
            let p_B = joint.frames[usize::from(joint.bodies[1] == body)].origin;
            tried.push(Output::new(format!("{name} at {}", joint.name), Rates::Point(body, p_B), k));
        }
    }
    tried.push(Output::new(name.clone(), Rates::Body(body), k));
    sensitivities(stepper, &mut tried, drivers);
    tried.into_iter().find(|o| least(&o.now) > REGULAR * greatest(&o.now))
}

/// Joints between each body and the ground, at least.
fn distances(model: &Model) -> Vec<usize> {
    let mut far = vec![usize::MAX; model.bodies.len()];
    far[0] = 0;
    let mut front = vec![0];
    while !front.is_empty() {
        let mut next = Vec::new();
        for body in front {
            for joint in model.joints.iter().filter(|j| j.bodies.contains(&body)) {
                let other = joint.bodies[usize::from(joint.bodies[0] == body)];
                if far[other] == usize::MAX {
                    far[other] = far[body] + 1;
                    next.push(other);
                }
            }
        }
        front = next;
    }
    far.iter_mut().filter(|d| **d == usize::MAX).for_each(|d| *d = 0);
    far
}

/// Rates of an output as realised, times a factor; lengths in sizes.
fn rates(stepper: &Stepper, of: Rates, factor: f64, out: &mut [f64]) {
    let (system, ws) = (stepper.system, &stepper.ws);
    let length = factor / ws.size;
    match of {
        Rates::Coordinate(measure, angle) => {
            out[0] = system.constraints.rate(measure, &ws.evaluation) * if angle { factor } else { length };
        }
        Rates::Point(body, p_B) => {
            let state = &ws.cache.bodies[body];
            let v = state.velocity_at(state.pose.rotation.apply(p_B));
            out.copy_from_slice(&(v * length).to_array());
        }
        Rates::Body(body) => {
            let state = &ws.cache.bodies[body];
            out[..3].copy_from_slice(&(state.v * length).to_array());
            out[3..].copy_from_slice(&(state.w * factor).to_array());
        }
    }
}

/// S of each output at the stepper's state, by columns: one for each driver.
fn sensitivities(stepper: &mut Stepper, outputs: &mut [Output], drivers: &std::ops::Range<usize>) {
    let system = stepper.system;
    let mut v = vec![0.0; system.formulation.nv()];
    let t = stepper.state.t;
    // Joint coordinates are told by markers, all else by bodies alone.
    let marked = outputs.iter().any(|output| matches!(output.rates, Rates::Coordinate(..)));
    for (k, row) in drivers.clone().enumerate() {
        stepper.ws.unit_rates(system, row, &mut v);
        match marked {
            true => stepper.ws.realize_velocity(system, t, &v),
            false => system.formulation.velocities(&v, &mut stepper.ws.cache),
        }
        for output in outputs.iter_mut() {
            rates(stepper, output.rates, 1.0, &mut output.now[k]);
        }
    }
    let ws = &mut stepper.ws;
    ws.realize_velocity(system, t, &stepper.state.v);
    ws.realize_acceleration(system, t, &stepper.state.vdot);
}

/// Whether the least singular value is at most `zero`.
fn is_lost(columns: &[Vec<f64>], zero: f64) -> bool {
    /// Products of singular values below this share of what they may be are not told from rounding by a determinant.
    const CLEAR: f64 = 1e-4;
    let k = columns.len();
    if k > 1 {
        // The product of all is √det(SᵀS), that of all but the least at most the (k − 1)-th power of their mean square's root: mostly that is answer enough.
        let squares: f64 = columns.iter().map(|column| dot(column, column)).sum();
        let mean = (squares / (k - 1) as f64).sqrt();
        let others = (1..k).fold(1.0, |product, _| product * mean);
        let product = overlap(columns, columns).max(0.0).sqrt();
        if product > CLEAR * others * mean && product > 2.0 * zero * others {
            return false;
        }
    }
    least(columns) <= zero
}

/// det(AᵀB).
fn overlap(a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
    let k = a.len();
    if let ([a], [b]) = (a, b) {
        return dot(a, b);
    }
    let mut rows: Vec<Vec<f64>> = a.iter().map(|x| b.iter().map(|y| dot(x, y)).collect()).collect();
    let mut value = 1.0;
    for i in 0..k {
        let Some(p) = (i..k).max_by(|p, q| rows[*p][i].abs().total_cmp(&rows[*q][i].abs())) else { return 0.0 };
        if rows[p][i] == 0.0 {
            return 0.0;
        }
        if p != i {
            rows.swap(p, i);
            value = -value;
        }
        value *= rows[i][i];
        let (head, tail) = rows.split_at_mut(i + 1);
        for row in tail {
            let factor = row[i] / head[i][i];
            row.iter_mut().zip(&head[i]).for_each(|(x, y)| *x -= factor * y);
        }
    }
    value
}

fn singular_values(columns: &[Vec<f64>]) -> Vec<f64> {
    let mut matrix = Matrix::zeros(columns.len(), columns.first().map_or(0, Vec::len));
    for (i, column) in columns.iter().enumerate() {
        matrix.row_mut(i).copy_from_slice(column);
    }
    matrix.singular_values()
}

/// The least singular value; 0 where there are fewer rates than drivers.
fn least(columns: &[Vec<f64>]) -> f64 {
    match columns {
        [one] => norm(one),
        _ => singular_values(columns).get(columns.len().wrapping_sub(1)).copied().unwrap_or(0.0),
    }
}

fn greatest(columns: &[Vec<f64>]) -> f64 {
    columns.iter().map(|c| max_abs(c)).fold(0.0, f64::max)
}
