//! A state in one formulation as a state in another: the bodies stand and move as before.
//!
//! Coordinates follow from the bodies' poses. Where several name the same pose (turns of an angle, the sign of Euler
//! parameters), those nearest to a state before are taken, so that a converted motion is as continuous as the motion itself.
//! Velocities follow from those of the bodies, which are linear in them, together with what the coordinates owe to
//! themselves and to the joints: as many independent equations as there are velocities are solved, and all are tested.
//! Accelerations likewise.

#![allow(non_snake_case)] // p_B: a point in its body's frame (docs/notation.md).

use crate::error::{Error, Result};
use crate::joints::Marker;
use crate::math::sparse::{Elimination, Pattern};
use crate::math::{Pose, Vec3};
use crate::solve::newton::RANK_TOLERANCE;
use crate::system::{BodyState, State, System, Workspace};

/// Largest violation of an equation, relative to the largest, of a motion that the other coordinates can have.
const REPRESENTED: f64 = 1e-8;

/// The motion of the bodies realised in `from` as a state of `to` at time `t`, realised in `ws`. `near` are coordinates of
/// `to` just before, where there are any.
pub fn convert(
    from: (&System, &Workspace),
    t: f64,
    to: &System,
    ws: &mut Workspace,
    near: Option<&[f64]>,
) -> Result<State> {
    let (source, given) = from;
    let bodies = &given.cache.bodies[..to.model.bodies.len().min(given.cache.bodies.len())];
    ws.size = given.size;
    // Attitudes and turns are named on from what they are in the source.
    let turns: Vec<(usize, usize, f64)> = (source.constraints.coordinates().iter())
        .map(|(j, c, measure)| (*j, *c, source.constraints.value(*measure, &given.evaluation)))
        .collect();
    for (kept, body) in ws.cache.kept.iter_mut().zip(bodies) {
        *kept = body.attitude;
    }
    for (body, kept) in ws.cache.headings.iter_mut().enumerate().take(bodies.len()) {
        *kept = given.cache.heading(body);
    }
    for (j, c, measure) in to.constraints.coordinates() {
        if let Some(found) = turns.iter().find(|k| (k.0, k.1) == (*j, *c)) {
            ws.evaluation.near[*measure] = found.2;
        }
    }
    let poses: Vec<Pose> = bodies.iter().map(|b| b.pose).collect();
    let mut q = vec![0.0; to.formulation.nq()];
    to.formulation.coordinates(&poses, &mut q);
    to.formulation.choose_turns(&turns, &mut q);
    if let Some(near) = near.filter(|near| near.len() == q.len()) {
        to.formulation.continue_from(near, &mut q);
    }
    ws.evaluation.relief.fill(0.0);
    ws.realize_position(to, t, &q);
    let size = ws.size;
    let reached = &ws.cache.bodies;
    let off = bodies.iter().zip(reached).map(|(a, b)| pose_difference(&a.pose, &b.pose, size)).fold(0.0, f64::max);
    if off.is_nan() || off > REPRESENTED {
        return Err(unreachable(to, "position", off));
    }

    let rates = Rates::new(to, ws, t)?;
    let v = rates.velocities(bodies, t, to, ws)?;
    ws.realize_velocity(to, t, &v);

    to.formulation.accelerations(None, &mut ws.cache);
    to.constraints.accelerate_markers(to.at(t), &ws.cache, &mut ws.evaluation);
    to.constraints.acceleration_side(t, ws.size, &mut ws.evaluation);
    let bias: Vec<BodyState> = ws.cache.bodies.clone();
    let wanted = bodies.iter().zip(&bias).map(|(b, bias)| (b.a - bias.a, b.alpha - bias.alpha));
    let vdot =
        rates.solve(ws.size, wanted, &ws.evaluation.gamma).map_err(|off| unreachable(to, "acceleration", off))?;
    ws.realize_acceleration(to, t, &vdot);
    to.constraints.keep_turns(&mut ws.evaluation);
    ws.cache.keep_attitudes();
    Ok(State { t, q, v, vdot })
}

/// Velocities of `to`, at the position realised in `ws`, with which its bodies move as these do.
pub fn velocities(bodies: &[BodyState], t: f64, to: &System, ws: &mut Workspace) -> Result<Vec<f64>> {
    Rates::new(to, ws, t)?.velocities(bodies, t, to, ws)
}

fn pose_difference(a: &Pose, b: &Pose, size: f64) -> f64 {
    let axes = (0..3).map(|k| (a.rotation.axes[k] - b.rotation.axes[k]).norm()).fold(0.0, f64::max);
    axes.max((a.origin - b.origin).norm() / size)
}

fn unreachable(to: &System, what: &str, off: f64) -> Error {
    let name = to.formulation.name();
    Error::new(format!("the {what} given is none that the {name} formulation can have: it is off by {off:.1e}"))
        .note("the bodies must stand and move as the joints allow")
}

/// Velocities of all bodies, and the rows of joints and couplings, as linear equations in the velocities of a system.
struct Rates {
    pattern: Pattern,
    entries: Vec<f64>,
    elimination: Elimination,
    lengths: Vec<bool>,
    bodies: usize,
}

impl Rates {
    /// At the position realised in the workspace.
    fn new(system: &System, ws: &mut Workspace, t: f64) -> Result<Rates> {
        let formulation = &*system.formulation;
        let (nv, bodies) = (formulation.nv(), system.model.bodies.len());
        let lengths: Vec<bool> = (0..nv).map(|c| formulation.length_column(c)).collect();
        let (mut pattern, mut entries) = (Pattern::new(nv), Vec::new());
        for body in 1..bodies {
            let origin = Marker::Point { body, p_B: Vec3::ZERO };
            for k in 0..6 {
                let axis = [Vec3::X, Vec3::Y, Vec3::Z][k % 3];
                let needed = if k < 3 { formulation.columns(&origin) } else { formulation.spin_columns(body) };
                let mut columns = needed.clone();
                columns.sort_unstable();
                columns.dedup();
                let slots: Vec<usize> = needed.iter().map(|c| columns.binary_search(c).unwrap_or(0)).collect();
                let mut row = vec![0.0; columns.len()];
                if k < 3 {
                    formulation.scatter(&origin, axis * (1.0 / ws.size), &ws.cache, &slots, &mut row);
                } else {
                    formulation.scatter_spin(body, axis, &ws.cache, &slots, &mut row);
                }
                for (entry, c) in row.iter_mut().zip(&columns) {
                    if lengths[*c] {
                        *entry *= ws.size;
                    }
                }
                pattern.push_row(&columns);
                entries.extend(row);
            }
        }
        ws.realize_jacobian(system, t);
        for i in 0..system.constraints.undriven() {
            let range = system.constraints.pattern.range(i);
            pattern.push_row(&system.constraints.pattern.index[range.clone()]);
            entries.extend_from_slice(&ws.evaluation.phi_v[range]);
        }
        // What cancels within a row is rounding beside the terms it was added up from.
        let mut weights = vec![1.0; pattern.rows() - system.constraints.undriven()];
        weights.extend_from_slice(&ws.evaluation.weight[..system.constraints.undriven()]);
        let mut elimination = Elimination::analyse_weighted(&pattern, &entries, &weights, RANK_TOLERANCE, &[]);
        let _ = elimination.refactor(&pattern, &entries);
        if elimination.rank() < nv {
            let left = nv - elimination.rank();
            let message =
                format!("the bodies' motion leaves {left} velocities of the {} formulation open", formulation.name());
            return Err(Error::new(message).note("this position is singular in those coordinates"));
        }
        Ok(Rates { pattern, entries, elimination, lengths, bodies })
    }

    fn velocities(&self, bodies: &[BodyState], t: f64, to: &System, ws: &mut Workspace) -> Result<Vec<f64>> {
        to.constraints.velocity_side(to.at(t), ws.size, &mut ws.evaluation);
        let wanted = bodies.iter().map(|b| (b.v, b.w));
        self.solve(ws.size, wanted, &ws.evaluation.nu).map_err(|off| unreachable(to, "velocity", off))
    }

    /// Velocities (or their rates) that give the bodies these, linear and angular, and the rows theirs; or by how much they
    /// fail to.
    fn solve(
        &self,
        size: f64,
        wanted: impl Iterator<Item = (Vec3, Vec3)>,
        rows: &[f64],
    ) -> std::result::Result<Vec<f64>, f64> {
        let mut side = Vec::with_capacity(self.pattern.rows());
        for (linear, angular) in wanted.skip(1) {
            side.extend((linear * (1.0 / size)).to_array());
            side.extend(angular.to_array());
        }
        side.resize(6 * self.bodies.saturating_sub(1), 0.0);
        side.extend_from_slice(&rows[..self.pattern.rows() - side.len()]);
        let (nv, count) = (self.lengths.len(), self.pattern.rows());
        let (mut x, mut y) = (vec![0.0; nv], vec![0.0; nv.max(count)]);
        self.elimination.solve(&side, &mut x, &mut y);
        let mut product = vec![0.0; count];
        self.pattern.multiply(&self.entries, &x, &mut product);
        let scale = side.iter().fold(1.0f64, |most, s| most.max(s.abs()));
        let off = product.iter().zip(&side).fold(0.0f64, |most, (p, s)| most.max((p - s).abs())) / scale;
        if off.is_nan() || off > REPRESENTED {
            return Err(off);
        }
        let lengths = x.iter_mut().zip(&self.lengths).filter(|(_, length)| **length);
        lengths.for_each(|(x, _)| *x *= size);
        Ok(x)
    }
}
