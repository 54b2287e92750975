//! The state a motion under forces starts from.
//!
//! Given positions hold exactly: they act as drivers which are led to their values from the position assembled without them, in joint
//! coordinates, so that joints nothing is said about stay as they are. Given velocities hold exactly, the constraints fix what they
//! can, and what is left starts at rest: joint rates first, then the bodies' own, at their mass centres. Where velocities need only be met as nearly
//! as the constraints allow (`Study::nearest`), the least sum of squares of what is left of them decides.

#![allow(non_snake_case)] // p_B: a point in its body's frame (docs/notation.md).

mod loose;

use super::Point;
use crate::couplings::CoordinateRef;
use crate::drivers::{Attitude, Driver, Target};
use crate::error::{Error, Reason, Result};
use crate::joints::{Marker, NORMAL};
use crate::math::{Pose, Vec3};
use crate::model::Model;
use crate::motion::Motion;
use crate::results::significant;
use crate::signal::{Element, Level, Signal, HEADING};
use crate::solve::assemble::{assemble, led_from, MISFIT};
use crate::solve::convert;
use crate::solve::mobility;
use crate::solve::newton::ACCEPTED;
use crate::solve::vectors::{dot, norm, orthonormalise};
use crate::system::{System, Workspace};

/// What is told of something, as notes of results: a key and its text.
pub type Said = Vec<(String, String)>;

/// The start of a motion: the point, the workspace with turns counted there, and the freedoms put to rest by default.
#[derive(Debug)]
pub struct Start {
    /// Position and velocity.
    pub point: Point,
    /// Arrays, with size and turns as at the start.
    pub ws: Workspace,
    /// What is told of it, as notes of results: freedoms that nothing given says anything about, velocities that did not fit.
    pub said: Said,
}

/// A signal that `[initial]` may name.
enum Given {
    Position(Target),
    JointRate(usize, usize),
    PointVelocity(usize, Vec3, Vec3),
    AngularVelocity(usize, Vec3),
    EulerParameter(usize, usize),
}

/// Assembles and finds velocities.
pub fn start(system: &System) -> Result<Start> {
    let model = system.model;
    let t = model.study.start;
    let mut drivers: Vec<Driver> = model.drivers.to_vec();
    let mut rates: Vec<(String, Given, f64)> = Vec::new();
    let mut attitudes: Vec<(usize, [Option<f64>; 4])> = Vec::new();
    for (name, value) in &model.study.initial {
        match signal(model, name, *value)? {
            Given::Position(target) => {
                drivers.push(Driver { name: name.clone(), target, effort: Vec::new(), span: None })
            }
            Given::EulerParameter(body, k) => {
                let index = attitudes.iter().position(|a| a.0 == body).unwrap_or_else(|| {
                    attitudes.push((body, [None; 4]));
                    attitudes.len() - 1
                });
                attitudes[index].1[k] = Some(*value);
            }
            rate => rates.push((name.clone(), rate, *value)),
        }
    }
    for (body, parts) in attitudes {
        let [Some(a), Some(b), Some(c), Some(d)] = parts else {
            return Err(Error::new("an orientation at the start needs all four of e0, e1, e2, e3")
                .of(format!("body '{}'", model.bodies[body].name)));
        };
        let attitude = Attitude::Euler(Box::new([a, b, c, d].map(Motion::Constant)));
        drivers.push(Driver {
            name: format!("{} e0 … e3", model.bodies[body].name),
            target: Target::Orientation { body, attitude },
            effort: Vec::new(),
            span: None,
        });
    }
    let poses = assembled(model, &model.with_drivers(drivers), t)?;
    let mut ws = Workspace::new(system);
    let mut q = vec![0.0; system.formulation.nq()];
    system.formulation.coordinates(&poses, &mut q);
    let mut given = Vec::new();
    for (name, value) in &model.study.initial {
        if let Ok(Given::Position(Target::Coordinate { of, .. })) = signal(model, name, *value) {
            let coordinates = system.constraints.named_coordinates();
            if let Some((_, _, k)) = coordinates.iter().find(|c| (c.0, c.1) == (of.joint, of.coordinate)) {
                given.push((*k, *value));
            }
        }
    }
    ws.realize_position(system, t, &q);
    system.constraints.choose_turns(t, &given, &mut ws.evaluation);
    ws.realize_position(system, t, &q);
    ws.measure_size(system);
    if ws.realize_position(system, t, &q) > ACCEPTED {
        // As assembled: redundant constraints that do not fit each other exactly.
        ws.accepted = MISFIT;
    }
    system.constraints.start_turns(&mut ws.evaluation);
    ws.cache.start_attitudes();
    if !model.drivers.is_empty() {
        let counted = mobility::count(system, &mut ws, t);
        if counted.overdriven > 0 {
            return Err(mobility::overdriven(system, &mut ws, t, &counted));
        }
    }
    ws.realize_jacobian(system, t);
    let mut said = Vec::new();
    let (v, at_rest) = velocities(system, &mut ws, t, &rates, &mut said)?;
    if !at_rest.is_empty() {
        said.push(("started at rest".into(), at_rest.join(", ")));
    }
    Ok(Start { point: Point { t, q, v, work: 0.0 }, ws, said })
}

/// Body poses of the model assembled with the given positions held. What is not given stays where the model is assembled without
/// them: joint coordinates, as far as the loops let them.
fn assembled(model: &Model, held: &Model, t: f64) -> Result<Vec<Pose>> {
    if held.drivers.len() > model.drivers.len() {
        let led = || {
            let held = held.with_guess(&position(model, t).ok()?);
            let system = System::new(&held, "relative").ok()?;
            let mut ws = Workspace::new(&system);
            led_from(&system, &mut ws, t, held.guess().poses())?;
            Some(ws.cache.bodies.iter().map(|b| b.pose).collect())
        };
        if let Some(poses) = led() {
            return Ok(poses);
        }
    }
    position(held, t).map_err(|e| {
        if held.study.initial.is_empty() {
            e
        } else {
            e.note("the values in [initial] are held here")
        }
    })
}

/// Body poses of a model as assembled.
fn position(model: &Model, t: f64) -> Result<Vec<Pose>> {
    let system = System::new(model, "absolute")?;
    let mut ws = Workspace::new(&system);
    let q = assemble(&system, &mut ws, t)?;
    ws.realize_position(&system, t, &q);
    Ok(ws.cache.bodies.iter().map(|b| b.pose).collect())
}

/// What a signal name means.
fn signal(model: &Model, name: &str, value: f64) -> Result<Given> {
    let unknown = || Error::new(format!("'{name}' cannot be given at the start")).of("[initial]");
    let Signal { element, leaf } = Signal::parse(model, name).ok_or_else(unknown)?;
    let (body, p_B) = match element {
        Element::Coordinate(joint, coordinate) => {
            return match leaf.level {
                Some(Level::Position) => {
                    let of = CoordinateRef { joint, coordinate };
                    Ok(Given::Position(Target::Coordinate { of, value: Motion::Constant(value) }))
                }
                Some(Level::Velocity) => Ok(Given::JointRate(joint, coordinate)),
                _ => Err(unknown()),
            };
        }
        Element::Body(body) => (body, model.origin_of(body)),
        Element::Point(body, point) => (body, model.bodies[body].points[point].1),
        _ => return Err(unknown()),
    };
    let axis =
        [Vec3::X, Vec3::Y, Vec3::Z][usize::from(leaf.word.ends_with('y')) + 2 * usize::from(leaf.word.ends_with('z'))];
    match leaf.word {
        "x" | "y" | "z" => {
            let value = Motion::Constant(value - axis.dot(model.ground_reference()));
            Ok(Given::Position(Target::Point { body, p_B, along: axis, value }))
        }
        HEADING => Ok(Given::Position(Target::heading(body, Motion::Constant(value)))),
        "w" => Ok(Given::AngularVelocity(body, NORMAL)),
        "vx" | "vy" | "vz" => Ok(Given::PointVelocity(body, p_B, axis)),
        "wx" | "wy" | "wz" => Ok(Given::AngularVelocity(body, axis)),
        "e0" | "e1" | "e2" | "e3" => {
            Ok(Given::EulerParameter(body, usize::from(leaf.word.as_bytes()[1].saturating_sub(b'0'))))
        }
        _ => Err(unknown()),
    }
}

/// Velocities that meet the constraints and the given rates, everything else at rest.
fn velocities(
    system: &System,
    ws: &mut Workspace,
    t: f64,
    given: &[(String, Given, f64)],
    said: &mut Said,
) -> Result<(Vec<f64>, Vec<String>)> {
    let nv = system.formulation.nv();
    system.constraints.velocity_side(system.at(t), ws.size, &mut ws.evaluation);
    let moving = ws.evaluation.nu.iter().any(|nu| *nu != 0.0) || !given.is_empty();
    /// Where all is at rest, freedoms are listed if that takes no more products than this.
    const LISTED: usize = 100_000_000;
    if let Some(found) = tree_velocities(system, ws, t, given).or_else(|| loose::velocities(system, ws, t, given)) {
        return Ok(found);
    }
    // Velocities that meet the constraints, and the freedoms left: few, whatever the size of the mechanism.
    let mut v = vec![0.0; nv];
    ws.factor(true);
    ws.solve_velocity(system, t, &mut v);
    let free = ws.elimination.as_ref().map_or(0, |e| nv - e.rank());
    if !moving && free * free * nv > LISTED {
        return Ok((vec![0.0; nv], Vec::new()));
    }
    let mut basis = Basis { particular: ws.x.clone(), freedoms: orthonormal(ws), rows: Vec::new() };
    let rows: Vec<Vec<f64>> = given.iter().map(|g| signal_row(system, ws, &g.1)).collect();
    let values = match system.model.study.nearest {
        true => basis.nearest(&rows, given, said),
        false => given.iter().map(|g| g.2).collect(),
    };
    for (((name, ..), row), value) in given.iter().zip(&rows).zip(values) {
        if let Added::Conflict = basis.add(row, value) {
            return Err(Error::new(format!("'{name}' = {value} contradicts the constraints or other values given"))
                .because(Reason::Contradiction)
                .of("[initial]"));
        }
    }
    let mut at_rest = Vec::new();
    for (j, c, _) in system.constraints.named_coordinates() {
        if basis.is_complete() {
            break;
        }
        // What measures and holds nothing is no freedom of its own.
        let joint = &system.model.joints[*j];
        if joint.hinge().is_none() && !joint.is_compliant() && joint.rows().is_empty() {
            continue;
        }
        let row = signal_row(system, ws, &Given::JointRate(*j, *c));
        if let Added::Independent = basis.add(&row, 0.0) {
            at_rest.push(Element::Coordinate(*j, *c).name(system.model));
        }
    }
    for (body, of) in system.model.bodies.iter().enumerate().skip(1) {
        if basis.is_complete() {
            break;
        }
        let mut loose = false;
        let centre = of.mass.map_or(Vec3::ZERO, |m| m.com);
        // Turning first: what a pivot holds then rests as a whole.
        let axes = [Vec3::X, Vec3::Y, Vec3::Z];
        let turning = axes.map(|axis| Given::AngularVelocity(body, axis));
        let moving = axes.map(|axis| Given::PointVelocity(body, centre, axis));
        for signal in turning.into_iter().chain(moving) {
            loose |= matches!(basis.add(&signal_row(system, ws, &signal), 0.0), Added::Independent);
        }
        if loose {
            at_rest.push(of.name.clone());
        }
    }
    v = basis.solution();
    system.formulation.unscale(&mut v, ws.size);
    Ok((v, at_rest))
}

/// Velocities of an open chain or tree, where nothing but joint rates is given: by way of joint coordinates, where each is told by
/// itself, so that thousands of freedoms need no matrix of them all.
fn tree_velocities(
    system: &System,
    ws: &mut Workspace,
    t: f64,
    given: &[(String, Given, f64)],
) -> Option<(Vec<f64>, Vec<String>)> {
    if !given.iter().all(|g| matches!(g.1, Given::JointRate(..))) {
        return None;
    }
    if system.constraints.named_coordinates().len() == system.formulation.nv() {
        return joint_velocities(system, ws, given);
    }
    let joints = System::new(system.model, "relative").ok()?;
    let mut own = Workspace::new(&joints);
    let poses: Vec<Pose> = ws.cache.bodies.iter().map(|b| b.pose).collect();
    let mut q = vec![0.0; joints.formulation.nq()];
    joints.formulation.coordinates(&poses, &mut q);
    own.realize_position(&joints, t, &q);
    own.realize_jacobian(&joints, t);
    joints.constraints.velocity_side(joints.at(t), own.size, &mut own.evaluation);
    let (v, at_rest) = joint_velocities(&joints, &own, given)?;
    own.realize_velocity(&joints, t, &v);
    let found = convert::velocities(&own.cache.bodies, t, system, ws).ok()?;
    Some((found, at_rest))
}

/// Joint rates of a system in joint coordinates without loops: given, driven, or zero.
fn joint_velocities(
    joints: &System,
    ws: &Workspace,
    given: &[(String, Given, f64)],
) -> Option<(Vec<f64>, Vec<String>)> {
    let (coordinates, nv) = (joints.constraints.named_coordinates(), joints.formulation.nv());
    if coordinates.len() != nv {
        return None;
    }
    let (mut v, mut told) = (vec![0.0; nv], vec![false; nv]);
    let mut tell = |place: usize, value: f64| {
        v[place] = value;
        // Twice: whether they agree is for others to say.
        !std::mem::replace(&mut told[place], true)
    };
    for i in 0..ws.pattern.rows() {
        let range = ws.pattern.range(i);
        let [place] = ws.pattern.index[range.clone()] else { return None };
        let scale = if joints.formulation.length_column(place) { ws.size } else { 1.0 };
        let rate = scale * ws.evaluation.nu[i] / ws.evaluation.phi_v[range.start];
        if !rate.is_finite() || !tell(place, rate) {
            return None;
        }
    }
    for (_, signal, value) in given {
        let Given::JointRate(joint, _) = signal else { return None };
        if !tell(joints.formulation.joint_place(*joint)?.1, *value) {
            return None;
        }
    }
    let mut at_rest = Vec::new();
    for (j, c, _) in coordinates {
        if !told[joints.formulation.joint_place(*j)?.1] {
            at_rest.push(Element::Coordinate(*j, *c).name(joints.model));
        }
    }
    Some((v, at_rest))
}

/// The row whose product with the scaled velocities is the signal.
fn signal_row(system: &System, ws: &Workspace, signal: &Given) -> Vec<f64> {
    let formulation = &*system.formulation;
    let mut row = vec![0.0; formulation.nv()];
    let mut add = |marker: &Marker, g: Vec3| {
        let columns = formulation.columns(marker);
        formulation.scatter(marker, g, &ws.cache, &columns, &mut row);
    };
    match signal {
        Given::JointRate(joint, coordinate) => {
            let found = system.constraints.named_coordinates().iter().find(|c| (c.0, c.1) == (*joint, *coordinate));
            if let Some((_, _, measure)) = found {
                for (marker, _, g) in
                    system.constraints.measure_gradient(*measure, &ws.evaluation).into_iter().flatten()
                {
                    add(&marker, g);
                }
            }
        }
        Given::PointVelocity(body, p_B, axis) => add(&Marker::Point { body: *body, p_B: *p_B }, *axis),
        Given::AngularVelocity(body, axis) => {
            let columns = formulation.spin_columns(*body);
            formulation.scatter_spin(*body, *axis, &ws.cache, &columns, &mut row);
        }
        Given::Position(_) | Given::EulerParameter(..) => {}
    }
    formulation.unscale(&mut row, ws.size);
    row
}

/// An orthonormal basis of the velocities that the constraints, factored, leave free.
fn orthonormal(ws: &Workspace) -> Vec<Vec<f64>> {
    let mut basis = ws.elimination.as_ref().map(|e| e.null_space()).unwrap_or_default();
    orthonormalise(&mut basis);
    basis
}

/// Equations on the freedoms: orthonormal rows with their right-hand sides.
struct Basis {
    particular: Vec<f64>,
    freedoms: Vec<Vec<f64>>,
    rows: Vec<(Vec<f64>, f64)>,
}

enum Added {
    Independent,
    Dependent,
    Conflict,
}

impl Basis {
    fn is_complete(&self) -> bool {
        self.rows.len() == self.freedoms.len()
    }

    /// Values that the constraints allow, nearest to the given ones in the sum of squares; what had to give way is told.
    fn nearest(&self, rows: &[Vec<f64>], given: &[(String, Given, f64)], said: &mut Said) -> Vec<f64> {
        let offsets: Vec<f64> = rows.iter().map(|row| dot(row, &self.particular)).collect();
        // How the freedoms move all of them: the values that are possible, less the offsets, are sums of these columns.
        let mut columns: Vec<Vec<f64>> =
            self.freedoms.iter().map(|u| rows.iter().map(|row| dot(row, u)).collect()).collect();
        orthonormalise(&mut columns);
        let wanted: Vec<f64> = given.iter().zip(&offsets).map(|(g, offset)| g.2 - offset).collect();
        let mut found = offsets;
        for column in &columns {
            let share = dot(column, &wanted);
            found.iter_mut().zip(column).for_each(|(f, c)| *f += share * c);
        }
        // What printed digits leave is not worth a word.
        const PRINTED: f64 = 1e-6;
        let largest = given.iter().fold(0.0_f64, |m, g| m.max(g.2.abs()));
        let changed: Vec<String> = given
            .iter()
            .zip(&found)
            .filter(|(g, f)| (g.2 - **f).abs() > PRINTED * largest)
            .map(|(g, f)| format!("{} = {} became {}", g.0, significant(g.2, 6), significant(*f, 6)))
            .collect();
        if !changed.is_empty() {
            let text = "velocities given at the start do not fit the joints, the nearest that do are taken";
            said.push(("warning".into(), format!("{text}: {}", changed.join(", "))));
        }
        found
    }

    /// Adds the equation that `row` times the velocities is `value`.
    fn add(&mut self, row: &[f64], value: f64) -> Added {
        let (whole, given) = (norm(row), value.abs());
        let mut value = value - dot(row, &self.particular);
        let mut row: Vec<f64> = self.freedoms.iter().map(|u| dot(row, u)).collect();
        for _ in 0..2 {
            for (e, y) in &self.rows {
                let along = dot(&row, e);
                row.iter_mut().zip(e).for_each(|(r, e)| *r -= along * e);
                value -= along * y;
            }
        }
        let left = norm(&row);
        if left > 1e-9 * whole && left > 0.0 {
            row.iter_mut().for_each(|r| *r /= left);
            self.rows.push((row, value / left));
            Added::Independent
        } else if value.abs() > 1e-9 * given.max(1e-3) {
            Added::Conflict
        } else {
            Added::Dependent
        }
    }

    fn solution(self) -> Vec<f64> {
        let mut v = self.particular;
        for (e, y) in &self.rows {
            for (u, e) in self.freedoms.iter().zip(e) {
                v.iter_mut().zip(u).for_each(|(v, u)| *v += y * e * u);
            }
        }
        v
    }
}
