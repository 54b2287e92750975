//! What moves a mechanism that its drivers leave free: joint coordinates that together determine the position, and the equations by which
//! the rest follows, in a form that a page can solve by itself.
//!
//! Coordinates are taken where their gradient is independent of all equations and of the coordinates before them: those that drivers lead
//! first, then those that machines are mostly moved by (pivots on the ground; cylinders, where there are several freedoms), then the rest.
//! So an open chain has all of its coordinates, and a loop as many as it has freedoms.

use crate::couplings::CoordinateRef;
use crate::drivers::{Driver, Target};
use crate::error::Result;
use crate::joints::Measure;
use crate::math::Pose;
use crate::model::{Model, GROUND};
use crate::motion::Motion;
use crate::signal::Element;
use crate::solve::mobility::{self, factor_rows};
use crate::system::{Owner, System, Workspace};
use biela_base::sorting::sort_by_key;

/// Coordinates that are looked at, at most.
const MOST: usize = 200;

/// A joint coordinate in a position.
#[derive(Debug, Clone)]
pub struct Coordinate {
    /// Which one.
    pub of: CoordinateRef,
    /// Its name, such as `A.angle`.
    pub name: String,
    /// How it is measured.
    pub measure: Measure,
    /// Its value, turns counted.
    pub value: f64,
    /// Whether it is an angle; else it is a length.
    pub angle: bool,
    /// Least and greatest value, where the joint has limits.
    pub limits: [Option<f64>; 2],
    /// Whether it is one of those that determine the position.
    pub independent: bool,
}

/// Σ coefficient · measure = target.
#[derive(Debug, Clone)]
pub struct Equation {
    /// Coefficients and measures, with the values that these have, turns counted.
    pub terms: Vec<(f64, Measure, f64)>,
    /// The right-hand side.
    pub target: f64,
    /// The power of a length that it is: 0, 1 or 2.
    pub power: i32,
}

/// A mechanism with freedoms that no driver leads.
#[derive(Debug, Clone)]
pub struct Loose {
    /// All joint coordinates.
    pub coordinates: Vec<Coordinate>,
    /// The equations of joints and couplings; none where a coupling is no sum of coordinates.
    pub equations: std::result::Result<Vec<Equation>, String>,
    /// Diagonal of the box of all joint points.
    pub size: f64,
    /// Freedoms that no joint coordinate tells, idle ones not counted: those of balls.
    pub unnamed: usize,
}

/// The freedoms that drivers leave, at these poses and at time `t`, which fulfil the equations; none where they leave none.
pub fn loose(model: &Model, poses: &[Pose], t: f64) -> Result<Option<Loose>> {
    let own = model.with_guess(poses);
    if undriven(&own, poses, t)? == 0 {
        return Ok(None);
    }
    let free = own.released();
    let system = System::new(&free, "absolute")?;
    let mut ws = realized(&system, poses, t);
    let total = mobility::count(&system, &mut ws, t).undriven;
    let chosen = independent(&own, poses, t, total)?;
    let coordinates = system.constraints.named_coordinates().iter().map(|(joint, coordinate, measure)| {
        let (of, owner) = (CoordinateRef { joint: *joint, coordinate: *coordinate }, &free.joints[*joint]);
        Some(Coordinate {
            of,
            name: Element::Coordinate(*joint, *coordinate).name(&free),
            measure: owner.kind.coordinate(owner, *coordinate)?,
            value: system.constraints.value(*measure, &ws.evaluation),
            angle: owner.kind.coordinates()[*coordinate].angle,
            limits: [owner.limits_of(*coordinate).lower, owner.limits_of(*coordinate).upper],
            independent: chosen.contains(&of),
        })
    });
    let coordinates: Vec<Coordinate> = coordinates.flatten().collect();
    let unnamed = total.saturating_sub(chosen.len());
    Ok(Some(Loose { equations: equations(&system, &ws, t), coordinates, size: ws.size, unnamed }))
}

/// Freedoms without a driver, idle ones not counted.
fn undriven(model: &Model, poses: &[Pose], t: f64) -> Result<usize> {
    let system = System::new(model, "absolute")?;
    let mut ws = realized(&system, poses, t);
    Ok(mobility::count(&system, &mut ws, t).undriven)
}

fn realized(system: &System, poses: &[Pose], t: f64) -> Workspace {
    let mut ws = Workspace::new(system);
    let mut q = vec![0.0; system.formulation.nq()];
    system.formulation.coordinates(poses, &mut q);
    ws.realize_position(system, t, &q);
    ws
}

/// Coordinates that determine the position together.
fn independent(model: &Model, poses: &[Pose], t: f64, freedoms: usize) -> Result<Vec<CoordinateRef>> {
    let driven = model.drivers.iter().filter_map(|d| match &d.target {
        Target::Coordinate { of, .. } => Some(*of),
        _ => None,
    });
    let offered = model.joints.iter().enumerate().flat_map(|(joint, j)| {
        let told = move |coordinate: &usize| j.kind.coordinate(j, *coordinate).is_some();
        (0..j.kind.coordinates().len()).filter(told).map(move |coordinate| CoordinateRef { joint, coordinate })
    });
    // What machines are moved by: cylinders between two bodies, cranks on the ground, sledges on the ground.
    let rank = |of: &CoordinateRef| {
        let joint = &model.joints[of.joint];
        let (angle, on_ground) = (joint.kind.coordinates()[of.coordinate].angle, joint.bodies.contains(&GROUND));
        match (angle, on_ground) {
            (false, false) if freedoms > 1 => 0,
            (true, true) if joint.is_pivot() => 1,
            (false, true) => 2,
            _ => 3,
        }
    };
    let mut offered: Vec<CoordinateRef> = offered.collect();
    sort_by_key(&mut offered, rank);
    let mut order: Vec<CoordinateRef> = Vec::new();
    for of in driven.chain(offered) {
        if !order.contains(&of) && order.len() < MOST {
            order.push(of);
        }
    }
    let held = model.with_drivers(order.iter().map(|of| held(*of, 0.0)).collect::<Vec<_>>());
    let system = System::new(&held, "absolute")?;
    let mut ws = realized(&system, poses, t);
    ws.realize_jacobian(&system, t);
    let base = system.constraints.undriven();
    let rank = |more: usize| factor_rows(&system.constraints.pattern, &ws.evaluation, base + more).rank();
    let mut before = rank(0);
    let mut chosen = Vec::new();
    for (k, of) in order.iter().enumerate() {
        let now = rank(k + 1);
        if now > before {
            chosen.push(*of);
        }
        before = now;
    }
    Ok(chosen)
}

/// A driver that holds a coordinate at a value.
pub fn held(of: CoordinateRef, value: f64) -> Driver {
    Driver {
        name: String::new(),
        target: Target::Coordinate { of, value: Motion::Constant(value) },
        effort: Vec::new(),
        span: None,
    }
}

fn equations(system: &System, ws: &Workspace, t: f64) -> std::result::Result<Vec<Equation>, String> {
    let mut found = Vec::new();
    for i in 0..system.constraints.len() {
        let rows = &system.constraints;
        let owner = rows.owner(i);
        if !matches!(owner, Owner::Joint(_) | Owner::Coupling(_)) {
            continue;
        }
        let Some(factors) = rows.factors(i) else { return Err(system.owner_name(owner)) };
        let term = |(c, k): (&f64, &usize)| (*c, rows.measure_of(*k), rows.value(*k, &ws.evaluation));
        let terms: Vec<_> = factors.iter().zip(rows.measures_of(i)).map(term).collect();
        let squared = terms.iter().any(|(_, m, _)| matches!(m, Measure::DistanceSquared { .. }));
        found.push(Equation {
            target: rows.target(i, t).v,
            power: i32::from(rows.is_length(i)) * if squared { 2 } else { 1 },
            terms,
        });
    }
    Ok(found)
}
