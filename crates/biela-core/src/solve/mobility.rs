//! Counting freedoms: ranks, redundant rows, and drivers against freedoms.

use crate::drivers::{Driver, Target};
use crate::error::{Error, ErrorKind, Reason};
use crate::math::dense::Matrix;
use crate::math::random::Random;
use crate::math::sparse::{Elimination, Pattern};
use crate::signal::Element;
use crate::solve::idle::idle_spins;
use crate::solve::newton::RANK_TOLERANCE;
use crate::solve::vectors::max_abs;
use crate::system::{BodyState, Evaluation, IdleSpin, Owner, System, Workspace};

/// Freedoms and redundancies in one position.
#[derive(Debug, Clone)]
pub struct Mobility {
    /// Rank of the rows without drivers.
    pub rank: usize,
    /// Rank of all rows.
    pub driven_rank: usize,
    /// Rows (without drivers) that depend on the others.
    pub redundant_rows: Vec<usize>,
    /// Freedoms left without drivers.
    pub freedoms: usize,
    /// Freedoms that no driver moves, idle spins not counted.
    pub undriven: usize,
    /// Drivers' rows that prescribe what others fix already.
    pub overdriven: usize,
    /// Idle spins.
    pub idle: Vec<IdleSpin>,
}

/// Factors of Φ_v at the position counted in.
#[derive(Debug)]
pub struct Factors {
    /// Those of the rows without drivers; `None` where all rows are independent, which these are then too.
    pub free: Option<Elimination>,
    /// Those of all rows.
    pub all: Elimination,
}

impl Factors {
    /// At the position realised in the workspace, Φ_v included.
    pub fn new(system: &System, ws: &Workspace) -> Factors {
        let constraints = &system.constraints;
        let all = factor_rows(&constraints.pattern, &ws.evaluation, constraints.len());
        let free = match (all.dependent_rows().is_empty(), constraints.undriven()) {
            (true, _) => None,
            (false, rows) if rows == constraints.len() => Some(all.clone()),
            (false, rows) => Some(factor_rows(&constraints.pattern, &ws.evaluation, rows)),
        };
        Factors { free, all }
    }
}

/// Counts at the position realised in the workspace (bodies and markers placed at time `t`).
pub fn count(system: &System, ws: &mut Workspace, t: f64) -> Mobility {
    count_by_factors(system, ws, t).0
}

/// The same, with the factors.
pub fn count_by_factors(system: &System, ws: &mut Workspace, t: f64) -> (Mobility, Factors) {
    ws.realize_jacobian(system, t);
    let factors = Factors::new(system, ws);
    let constraints = &system.constraints;
    let undriven_rows = constraints.undriven();
    let (rank, driven_rank) = (factors.free.as_ref().map_or(undriven_rows, Elimination::rank), factors.all.rank());
    let nv = system.formulation.nv();
    let idle = idle_spins(system.model, t, &ws.cache.bodies, ws.size);
    let mobility = Mobility {
        rank,
        driven_rank,
        redundant_rows: factors.free.as_ref().map_or(Vec::new(), |free| free.dependent_rows().to_vec()),
        freedoms: nv - rank,
        undriven: (nv - driven_rank).saturating_sub(idle.len()),
        overdriven: constraints.len() - undriven_rows - (driven_rank - rank),
        idle,
    };
    (mobility, factors)
}

/// Factors of the first `rows` rows.
pub fn factor_rows(pattern: &Pattern, evaluation: &Evaluation, rows: usize) -> Elimination {
    let Evaluation { phi_v, weight, .. } = evaluation;
    let part = pattern.up_to(rows);
    let mut elimination = Elimination::analyse_weighted(&part, phi_v, weight, RANK_TOLERANCE, &[]);
    let _ = elimination.refactor(&part, phi_v);
    elimination
}

/// Names of joint coordinates (or joints) that still move in the null space of all rows, for messages.
pub fn loose_joints(system: &System, ws: &mut Workspace, t: f64) -> Vec<String> {
    ws.realize_jacobian(system, t);
    let all = factor_rows(&ws.pattern, &ws.evaluation, ws.pattern.rows());
    // What moves in some direction of the null space moves in a random one.
    let mut random = Random(1);
    let mut v = vec![0.0; ws.pattern.columns];
    all.free_columns().iter().for_each(|c| v[*c] = random.signed());
    all.complete(&mut v);
    let largest = max_abs(&v);
    if largest == 0.0 {
        return Vec::new();
    }
    for (k, x) in v.iter_mut().enumerate() {
        *x *= system.formulation.scale(k, ws.size) / largest;
    }
    system.formulation.velocities(&v, &mut ws.cache);
    system.constraints.move_markers(system.at(t), &ws.cache, &mut ws.evaluation);
    let mut names: Vec<String> = Vec::new();
    for (j, c, measure) in system.constraints.named_coordinates() {
        let joint = &system.model.joints[*j];
        let coordinate = joint.kind.coordinates()[*c];
        let rate = system.constraints.rate(*measure, &ws.evaluation);
        let scaled = if coordinate.angle { rate } else { rate / ws.size };
        if scaled.abs() > 1e-6 {
            names.push(Element::Coordinate(*j, *c).name(system.model));
        }
    }
    if names.is_empty() {
        let moves = |state: &BodyState| state.w.norm() > 1e-6 || state.v.norm() > 1e-6 * ws.size;
        let first = system.model.bodies.iter().zip(&ws.cache.bodies).skip(1).find(|(_, state)| moves(state));
        names.extend(first.map(|(body, _)| format!("body {}", body.name)));
    }
    names
}

/// Drivers each of which could be left out without freeing anything.
pub fn idle_drivers(system: &System, ws: &mut Workspace, t: f64) -> Vec<usize> {
    const MOST: usize = 200;
    ws.realize_jacobian(system, t);
    let constraints = &system.constraints;
    let rank = factor_rows(&constraints.pattern, &ws.evaluation, constraints.len()).rank();
    let superfluous = |driver: &usize| {
        let skip: Vec<usize> =
            (0..constraints.len()).filter(|i| constraints.owner(*i) == Owner::Driver(*driver)).collect();
        let Evaluation { phi_v, weight, .. } = &ws.evaluation;
        Elimination::analyse_weighted(&constraints.pattern, phi_v, weight, RANK_TOLERANCE, &skip).rank() == rank
    };
    (0..system.model.drivers.len()).take(MOST).filter(superfluous).collect()
}

/// Says which drivers are too many.
pub fn overdriven(system: &System, ws: &mut Workspace, t: f64, counted: &Mobility) -> Error {
    let names: Vec<String> =
        idle_drivers(system, ws, t).iter().map(|k| format!("'{}'", system.model.drivers[*k].name)).collect();
    let (over, freedoms) = (counted.overdriven, counted.freedoms);
    let error = ErrorKind::Drive
        .error(format!("over-driven at t = {t} s: {over} driver equation(s) too many for {freedoms} freedom(s)"))
        .because(Reason::OverDriven)
        .at_time(t);
    if !names.is_empty() {
        return error.note(format!("any of these drivers could be left out: {}", names.join(", ")));
    }
    // None can go as a whole: one of them asks for several things at once.
    let orientation = |d: &&Driver| matches!(d.target, Target::Orientation { .. });
    let several: Vec<String> =
        system.model.drivers.iter().filter(orientation).map(|d| format!("'{}'", d.name)).collect();
    error.note(format!(
        "an orientation is three equations at once ({}); drive joint coordinates instead",
        several.join(", ")
    ))
}

/// Condition of the independent part of Φ_v (all rows), for systems small enough; greatest over least singular value.
pub fn condition(system: &System, ws: &mut Workspace, t: f64, rank: usize) -> Option<f64> {
    const DENSE_LIMIT: usize = 600;
    let nv = system.formulation.nv();
    if nv > DENSE_LIMIT || rank == 0 {
        return None;
    }
    ws.realize_jacobian(system, t);
    let pattern = &system.constraints.pattern;
    let mut matrix = Matrix::zeros(pattern.rows(), nv);
    for i in 0..pattern.rows() {
        for k in pattern.range(i) {
            matrix.row_mut(i)[pattern.index[k]] = ws.evaluation.phi_v[k];
        }
    }
    let (greatest, least) = matrix.extreme_singular_values(rank)?;
    Some(greatest / least)
}
