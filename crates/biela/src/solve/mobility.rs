//! Counting freedoms: ranks, redundant rows, idle spins, and drivers against freedoms.

use crate::error::Error;
use crate::math::dense::Matrix;
use crate::math::random::Random;
use crate::math::sparse::{Elimination, Pattern};
use crate::math::Vec3;
use crate::model::Model;
use crate::solve::newton::RANK_TOLERANCE;
use crate::solve::vectors::max_abs;
use crate::system::{Absolute, BodyState, Cache, Constraints, Evaluation, IdleSpin, Owner, Stage, System, Workspace};

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

/// Counts at the position realised in the workspace (bodies and markers placed at time `t`).
pub fn count(system: &System, ws: &mut Workspace, t: f64) -> Mobility {
    ws.realize_jacobian(system, t);
    let constraints = &system.constraints;
    let undriven_rows = constraints.undriven();
    let free = factor_rows(&constraints.pattern, &ws.evaluation, undriven_rows);
    let all = factor_rows(&constraints.pattern, &ws.evaluation, constraints.len());
    let nv = system.formulation.nv();
    let idle = idle_spins(system.model, t, &ws.cache.bodies, ws.size);
    Mobility {
        rank: free.rank(),
        driven_rank: all.rank(),
        redundant_rows: free.dependent_rows().to_vec(),
        freedoms: nv - free.rank(),
        undriven: (nv - all.rank()).saturating_sub(idle.len()),
        overdriven: constraints.len() - undriven_rows - (all.rank() - free.rank()),
        idle,
    }
}

/// Factors of the first `rows` rows.
pub(crate) fn factor_rows(pattern: &Pattern, evaluation: &Evaluation, rows: usize) -> Elimination {
    let Evaluation { phi_v, weight, .. } = evaluation;
    let mut part = Pattern::new(pattern.columns);
    for i in 0..rows {
        part.push_row(&pattern.index[pattern.range(i)]);
    }
    let mut elimination = Elimination::analyse_weighted(&part, phi_v, weight, RANK_TOLERANCE, &[]);
    let _ = elimination.refactor(&part, phi_v);
    elimination
}

/// Spins of single bodies about a line that no row resists, where the body sits between at least two others (so that the
/// spin carries nothing, as that of a rod between two spherical joints).
pub fn idle_spins(model: &Model, t: f64, bodies: &[BodyState], size: f64) -> Vec<IdleSpin> {
    let held = held(model, size);
    if held.iter().skip(1).all(|held| *held) {
        return Vec::new();
    }
    let formulation = Absolute::new(model.bodies.len());
    let constraints = Constraints::new(model, &formulation);
    let mut evaluation: Evaluation = constraints.evaluation();
    let stage = Stage { model, formulation: &formulation, t };
    let cache = Cache { bodies: bodies.to_vec(), ..Cache::new(model) };
    constraints.place_markers(stage, &cache, &mut evaluation);
    constraints.jacobian(stage, size, &cache, &mut evaluation);
    let mut rows_of_body: Vec<Vec<usize>> = vec![Vec::new(); model.bodies.len()];
    for i in 0..constraints.len() {
        let range = constraints.pattern.range(i);
        let mut last = usize::MAX;
        for c in &constraints.pattern.index[range] {
            if c / 6 + 1 != last {
                last = c / 6 + 1;
                rows_of_body[last].push(i);
            }
        }
    }
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); model.bodies.len()];
    for joint in &model.joints {
        let [i, j] = joint.bodies;
        neighbours[i].push(j);
        neighbours[j].push(i);
    }
    let mut spins = Vec::new();
    for body in 1..model.bodies.len() {
        neighbours[body].sort_unstable();
        neighbours[body].dedup();
        if neighbours[body].len() < 2 || held[body] {
            continue;
        }
        let mut own = Matrix::zeros(rows_of_body[body].len(), 6);
        let weights: Vec<f64> = rows_of_body[body].iter().map(|i| evaluation.weight[*i]).collect();
        for (r, i) in rows_of_body[body].iter().enumerate() {
            for k in constraints.pattern.range(*i) {
                let c = constraints.pattern.index[k];
                if c / 6 + 1 == body {
                    own.row_mut(r)[c % 6] = evaluation.phi_v[k];
                }
            }
        }
        if let Some(u) = lone_rotation(&own, &weights) {
            spins.push(IdleSpin { body, u_B: bodies[body].pose.rotation.apply_transposed(u) });
        }
    }
    spins
}

/// Bodies that cannot spin alone by the look of their joints: those with one that allows no rotation, and those whose pivots
/// do not lie on one line. It spares most mechanisms the search.
fn held(model: &Model, size: f64) -> Vec<bool> {
    /// Lines that differ by more, in radians or sizes, are not one; what differs by less is left to the ranks.
    const APART: f64 = 1e-6;
    let mut held = vec![false; model.bodies.len()];
    let mut pivot: Vec<Option<(Vec3, Vec3)>> = vec![None; model.bodies.len()];
    for joint in &model.joints {
        for (body, frame) in joint.bodies.into_iter().zip(&joint.frames) {
            match joint.kind.keyword() {
                "fixed" | "prismatic" => held[body] = true,
                "revolute" => {
                    let (at, along) = (frame.origin, frame.rotation.apply(Vec3::Z));
                    match pivot[body] {
                        None => pivot[body] = Some((at, along)),
                        Some((first, axis)) => {
                            let turned = axis.cross(along).norm() > APART;
                            held[body] |= turned || (at - first).cross(axis).norm() > APART * size;
                        }
                    }
                }
                _ => {}
            }
        }
    }
    held
}

/// The direction of the one rotation about a line that a body's own six columns leave free, if that is all they leave.
fn lone_rotation(own: &Matrix, weights: &[f64]) -> Option<Vec3> {
    let mut pattern = Pattern::new(6);
    for _ in 0..own.rows {
        pattern.push_row(&[0, 1, 2, 3, 4, 5]);
    }
    let mut elimination = Elimination::analyse_weighted(&pattern, &own.entries, weights, RANK_TOLERANCE, &[]);
    let _ = elimination.refactor(&pattern, &own.entries);
    let null = elimination.null_space();
    let [x] = null.as_slice() else { return None };
    let (v, w) = (Vec3::new(x[0], x[1], x[2]), Vec3::new(x[3], x[4], x[5]));
    // A rotation about a line moves the origin at right angles to it; anything along it would be a screw or a slide.
    (w.norm() > 1e-6 * v.norm() && v.dot(w).abs() <= 1e-6 * w.dot(w)).then(|| w.unit()).flatten()
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
    for (j, c, measure) in system.constraints.coordinates() {
        let joint = &system.model.joints[*j];
        let coordinate = joint.kind.coordinates()[*c];
        let rate = system.constraints.rate(*measure, &ws.evaluation);
        let scaled = if coordinate.angle { rate } else { rate / ws.size };
        if scaled.abs() > 1e-6 {
            names.push(format!("{}.{}", joint.name, coordinate.name));
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
    Error::new(format!("over-driven at t = {t} s: {over} driver equation(s) too many for {freedoms} freedom(s)"))
        .note(format!("any of these drivers could be left out: {}", names.join(", ")))
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
