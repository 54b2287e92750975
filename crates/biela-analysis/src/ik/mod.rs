//! Inverse kinematics: a tool's path is given, the joint coordinates with their rates and accelerations are found.
//!
//! The model's own drivers give way to drivers of the tool point and of its body's orientation; the problem is solved in
//! relative coordinates, by steps of two ranks ([`biela_core::solve::priority`]): joints, couplings and drivers kept hold exactly,
//! the tool's rows as well as those allow. So a target out of reach gets the nearest pose.

#![allow(non_snake_case)] // p_B: a point in its body's frame (docs/notation.md).

mod arm;
pub mod chain;
mod eliminate;
pub mod search;
pub mod serial;
pub mod task;

use crate::drivers::{Attitude, Driver, Target};
use crate::error::{Error, Result};
use crate::math::Vec3;
use crate::model::Model;
use crate::motion::Motion;
use crate::results::{check_room, Column, Results};
use crate::signal::Element;
use crate::signal_name;
use crate::solve::assemble::assemble;
use crate::solve::joint_limits::overstepped;
pub(crate) use crate::solve::priority::Solver;
pub use crate::solve::priority::{Redundancy, REACHED};
use crate::system::{System, Workspace};
pub(crate) use arm::{beyond, beyond_links, coordinates, told};
use arm::{Arm, Reach};

/// What the tool is to do.
#[derive(Debug, Clone)]
pub struct Task {
    /// The body that carries the tool.
    pub body: usize,
    /// The tool's point in that body's frame.
    pub p_B: Vec3,
    /// Where the point is to be, in ground axes; `None` where that coordinate is free.
    pub place: [Option<Motion>; 3],
    /// The body's orientation, where prescribed.
    pub attitude: Option<Attitude>,
    /// Times of the samples, ascending.
    pub times: Vec<f64>,
}

/// The body and point that `link.point`, or `link` alone for its origin, names.
pub fn tool(model: &Model, name: &str) -> Result<(usize, Vec3)> {
    if let Some(body) = model.body(name).filter(|b| *b > 0) {
        return Ok((body, Vec3::ZERO));
    }
    let wrong = |what: String| Error::new(what).of(format!("tool '{name}'"));
    // Names may hold dots themselves, so every place to split is tried.
    for (link, point) in signal_name::splits(name) {
        if let Some(body) = model.body(link).filter(|b| *b > 0) {
            let points = &model.bodies[body].points;
            let found = points.iter().find(|p| p.0 == point).map(|p| p.1);
            return found.map(|p| (body, p)).ok_or_else(|| {
                wrong(format!("body '{link}' has no point '{point}'"))
                    .suggest(point, points.iter().map(|p| p.0.as_str()))
            });
        }
    }
    let link = signal_name::first(name);
    Err(wrong(format!("no moving body '{link}'")).suggest(link, model.bodies.iter().skip(1).map(|b| b.name.as_str())))
}

/// The model with its drivers, except those kept, replaced by drivers of the tool.
pub fn with_tool(model: &Model, task: &Task, keep: &[String]) -> Result<Model> {
    for name in keep {
        if !model.drivers.iter().any(|d| d.name == *name) {
            let known = model.drivers.iter().map(|d| d.name.as_str());
            return Err(Error::new(format!("no driver '{name}' to keep")).suggest(name, known));
        }
    }
    let mut drivers: Vec<Driver> = model.drivers.iter().filter(|d| keep.contains(&d.name)).cloned().collect();
    for (k, value) in task.place.iter().enumerate() {
        if let Some(value) = value {
            let along = [Vec3::X, Vec3::Y, Vec3::Z][k];
            let target = Target::Point { body: task.body, p_B: task.p_B, along, value: value.clone() };
            drivers.push(Driver {
                name: format!("tool {}", ["x", "y", "z"][k]),
                target,
                effort: Vec::new(),
                span: None,
            });
        }
    }
    if let Some(attitude) = &task.attitude {
        let target = match attitude {
            Attitude::Rpy(angles) if model.space.is_planar() => Target::heading(task.body, angles[2].clone()),
            _ => Target::Orientation { body: task.body, attitude: attitude.clone() },
        };
        drivers.push(Driver { name: "tool orientation".into(), target, effort: Vec::new(), span: None });
    }
    Ok(model.with_drivers(drivers))
}

/// Joint coordinates, rates and accelerations along the tool's path.
///
/// The columns `distance` and `turn` say how far, in metres and radians, the tool stays from its target. Rates and
/// accelerations are NaN where the target is out of reach or its motion cannot be followed.
pub fn run(model: &Model, task: &Task, keep: &[String], redundancy: Redundancy) -> Result<Results> {
    let Some(start) = task.times.first().copied() else { return Err(Error::new("the tool's path has no sample")) };
    if !task.times.windows(2).all(|w| w[0] < w[1]) {
        return Err(Error::new("the times of the tool's path do not ascend"));
    }
    let swapped = with_tool(model, task, keep)?;
    if swapped.drivers.len() == keep.len() {
        return Err(Error::new("the tool's path prescribes nothing").note("give x, y, z or an orientation"));
    }
    let system = System::new(&swapped, "relative")?;
    let free = swapped.with_drivers(&swapped.drivers[..keep.len()]);
    let free = System::new(&free, "relative")?;
    let mut loose = Workspace::new(&free);
    let q = assemble(&free, &mut loose, start)?;
    let hard = free.constraints.len();
    let span = task.times.last().copied().unwrap_or(start) - start;
    let mut solver = Solver::new(&system, hard, loose.size, redundancy, span);
    let arm = Arm::new(model, &system, task).filter(|_| keep.is_empty());
    let mut reach = Reach::default();
    match &arm {
        Some(arm) => reach = arm::start(&mut solver, arm, task, model, start, &q),
        None => solver.start(start, &q, |solver| left(solver, task))?,
    }
    let mut rows = Rows::new(&system, task.times.len())?;
    let mut jumps = Vec::new();
    for (k, t) in task.times.iter().enumerate() {
        let mut smooth = k == 0 || solver.advance(*t)?;
        if let Some(arm) = arm.as_ref().filter(|_| k > 0) {
            smooth &= !arm::recover(&mut solver, arm, task, &mut reach);
        }
        if !smooth {
            jumps.push(*t);
        }
        rows.record(&mut solver, task)?;
    }
    let mut results = rows.finish();
    let warnings: Vec<String> = (0..model.joints.len()).flat_map(|j| overstepped(model, j, &results)).collect();
    results.notes.extend(warnings.into_iter().map(|text| ("warning".into(), text)));
    results.tell("model", model.name.clone());
    results.tell("formulation", "relative");
    if let Some(text) = reach.outside {
        results.tell("outside limits", text);
    }
    if let Some(text) = reach.unreached {
        results.tell("out of reach", text);
    }
    if let Some(t) = jumps.first() {
        let text = format!("{} (first at t = {t} s): the joints jump there", jumps.len());
        results.tell("jumps", text);
    }
    Ok(results)
}

/// How far the tool is from its target at the position realised: metres, radians.
fn apart(solver: &Solver, task: &Task) -> (f64, f64) {
    chain::Goal::of(task, solver.t, solver.ws.size).away(&solver.ws.cache.bodies[task.body].pose)
}

/// The same, as the larger of lengths in sizes and radians.
pub(crate) fn left(solver: &Solver, task: &Task) -> f64 {
    let (distance, turn) = apart(solver, task);
    (distance / solver.ws.size).max(turn)
}

/// How far the tool is from its target at the present position: metres, radians.
pub(crate) fn away(solver: &mut Solver, task: &Task) -> (f64, f64) {
    solver.ws.realize_position(solver.system, solver.t, &solver.q);
    apart(solver, task)
}

/// Columns of the answer.
struct Rows {
    columns: Vec<Column>,
}

impl Rows {
    fn new(system: &System, samples: usize) -> Result<Rows> {
        let mut columns = vec![Column::new("t", "s", Vec::with_capacity(samples))];
        for (j, c, _) in system.constraints.named_coordinates() {
            let signals = Element::Coordinate(*j, *c).signals(system.model);
            columns.extend(signals.map(|s| Column::new(s.name(system.model), s.unit(), Vec::new())));
        }
        columns.push(Column::new("distance", "m", Vec::new()));
        columns.push(Column::new("turn", "rad", Vec::new()));
        columns.push(Column::new("residual", "1", Vec::new()));
        check_room(columns.len(), samples, system.model.study.room)?;
        Ok(Rows { columns })
    }

    fn record(&mut self, solver: &mut Solver, task: &Task) -> Result<()> {
        let (distance, turn) = away(solver, task);
        let exact = solver.rates();
        let (system, ws) = (solver.system, &solver.ws);
        let mut values = vec![solver.t];
        for (_, _, measure) in system.constraints.named_coordinates() {
            let (constraints, e) = (&system.constraints, &ws.evaluation);
            values.push(constraints.value(*measure, e));
            values.push(if exact { constraints.rate(*measure, e) } else { f64::NAN });
            values.push(if exact { constraints.acceleration(*measure, e) } else { f64::NAN });
        }
        values.extend([distance, turn, solver.closure()]);
        if !values[1..].iter().any(|x| x.is_finite()) {
            return Err(Error::new(format!("the joints have no finite coordinates at t = {} s", solver.t)));
        }
        self.columns.iter_mut().zip(values).for_each(|(column, x)| column.data.push(x));
        Ok(())
    }

    fn finish(self) -> Results {
        Results { columns: self.columns, ..Results::default() }
    }
}
