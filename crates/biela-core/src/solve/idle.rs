//! Idle spins: freedoms of one body alone that nothing feels.
//!
//! A body between others may be free to turn about a line though every joint is closed, as a rod between two spherical joints is. The
//! turn is **idle** where nothing that a user can name moves with it: no joint coordinate, no point on which a joint, a driver, a
//! spring or a force acts, no named point, no torque with a part along the line, no rotor. Any other freedom is a real one: it
//! needs a driver, or the loads settle it.
//!
//! With the twist (v, ω) of the body, lengths in sizes, the body's own columns of Φ_v (drivers included) hold all but a few
//! directions; what is watched adds rows: v + ω × r for points, ω × d for directions, u·ω for torques, the gradient of a joint
//! coordinate. An idle spin is the one rotation about a line that both leave.
//!
//! Masses add no rows. Where the centre of mass lies off the line its weight and inertia leave a moment that nothing balances, and the
//! force analysis says so; a body whose joints all lead to one neighbour hangs there like a gate, and then the spin is a freedom.

#![allow(non_snake_case)] // p_B, u_B: points and directions in a body's frame (docs/notation.md).

use crate::drivers::Target;
use crate::expr::Expression;
use crate::joints::Marker;
use crate::loads::Law;
use crate::math::sparse::{Elimination, Pattern};
use crate::math::{Pose, Vec3};
use crate::model::Model;
use crate::solve::newton::RANK_TOLERANCE;
use crate::system::{Absolute, BodyState, Cache, Constraints, Evaluation, IdleSpin, Stage};

/// Motion of what is watched, in radians or sizes for a turn of one radian, that counts as none: drawings are written to six digits.
const UNMOVED: f64 = 1e-6;

/// Idle spins at time `t` of bodies that stand as given; lengths are divided by `size`.
pub fn idle_spins(model: &Model, t: f64, bodies: &[BodyState], size: f64) -> Vec<IdleSpin> {
    let held = held(model, size);
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); model.bodies.len()];
    for joint in &model.joints {
        let [i, j] = joint.bodies;
        neighbours[i].push(j);
        neighbours[j].push(i);
    }
    // One joint alone carries a body that swings or turns in it.
    let may_spin = |body: usize| !held[body] && neighbours[body].len() >= 2;
    let bodies_that_may: Vec<usize> = (1..model.bodies.len()).filter(|body| may_spin(*body)).collect();
    if bodies_that_may.is_empty() {
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
        let mut last = usize::MAX;
        for c in &constraints.pattern.index[constraints.pattern.range(i)] {
            if c / 6 + 1 != last {
                last = c / 6 + 1;
                rows_of_body[last].push(i);
            }
        }
    }
    let mut spins = Vec::new();
    for body in bodies_that_may {
        let mut rows = Rows::new(bodies[body].pose, size);
        if model.space.is_planar() {
            rows.keep_to_plane();
        }
        for i in &rows_of_body[body] {
            let mut row = [0.0; 6];
            for k in constraints.pattern.range(*i) {
                let c = constraints.pattern.index[k];
                if c / 6 + 1 == body {
                    row[c % 6] = evaluation.phi_v[k];
                }
            }
            rows.push(row, evaluation.weight[*i]);
        }
        if rows.rank() == 6 {
            continue;
        }
        watch(model, body, &constraints, &evaluation, &mut rows);
        let Some((u, p)) = rows.lone_rotation() else { continue };
        neighbours[body].sort_unstable();
        neighbours[body].dedup();
        if neighbours[body].len() < 2 && !balanced(model, body, &bodies[body].pose, u, p, size) {
            continue;
        }
        spins.push(IdleSpin { body, u_B: bodies[body].pose.rotation.apply_transposed(u) });
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
            let Some(freedoms) = joint.freedoms() else { continue };
            if freedoms.iter().all(|f| f.sliding().is_some()) {
                held[body] = true;
            }
            if joint.is_pivot() {
                let (at, along) = (frame.origin, frame.rotation.apply(Vec3::Z));
                match pivot[body] {
                    None => pivot[body] = Some((at, along)),
                    Some((first, axis)) => {
                        let turned = axis.cross(along).norm() > APART;
                        held[body] |= turned || (at - first).cross(axis).norm() > APART * size;
                    }
                }
            }
        }
    }
    held
}

/// True where a body has mass and its centre lies on the line of direction `u` through `p`.
fn balanced(model: &Model, body: usize, pose: &Pose, u: Vec3, p: Vec3, size: f64) -> bool {
    let centre = model.bodies[body].mass.filter(|m| m.mass > 0.0).map(|m| pose.apply(m.com));
    centre.is_some_and(|c| (c - p).cross(u).norm() <= UNMOVED * size)
}

/// Adds rows for everything on a body that a user can name or that a load acts on.
fn watch(model: &Model, body: usize, constraints: &Constraints, evaluation: &Evaluation, rows: &mut Rows) {
    for (j, c, measure) in constraints.named_coordinates() {
        let joint = &model.joints[*j];
        if joint.bodies.contains(&body) {
            let scale = if joint.kind.coordinates()[*c].angle { 1.0 } else { 1.0 / rows.size };
            let gradient = constraints.measure_gradient(*measure, evaluation);
            rows.coordinate(body, gradient.into_iter().flatten(), scale);
        }
    }
    for joint in &model.joints {
        for side in [0, 1] {
            if joint.bodies[side] == body {
                let [points, directions] = joint.kind.acts_on(joint, side);
                points.into_iter().for_each(|p_B| rows.point(p_B));
                directions.into_iter().for_each(|u_B| rows.direction(u_B));
            }
        }
    }
    model.bodies[body].points.iter().for_each(|(_, p_B)| rows.point(*p_B));
    for driver in model.drivers.iter() {
        match &driver.target {
            Target::Point { body: on, p_B, .. } if *on == body => rows.point(*p_B),
            Target::Measure { measure, .. } => measure.markers().iter().for_each(|marker| match *marker {
                Marker::Point { body: on, p_B } if on == body => rows.point(p_B),
                Marker::Direction { body: on, u_B } if on == body => rows.direction(u_B),
                _ => {}
            }),
            _ => {}
        }
    }
    for load in &model.loads {
        match &load.law {
            Law::Force { body: on, p_B, value, in_body } if *on == body => {
                rows.point(*p_B);
                // A force in ground axes keeps its direction, one in the body's axes turns with it.
                if *in_body {
                    components(value).for_each(|f_B| rows.direction(f_B));
                }
            }
            Law::Torque { body: on, value, in_body } if *on == body => {
                components(value).for_each(|m| rows.torque(m, *in_body));
            }
            Law::Between { ends, .. } => {
                ends.iter().filter(|end| end.0 == body).for_each(|end| rows.point(end.1));
            }
            // Loads on coordinates are seen by these, those on rotors below.
            _ => {}
        }
    }
    // What touches turns a body about any axis.
    let touches = model.contacts.iter().any(|contact| contact.bodies.iter().any(|pair| pair.contains(&body)));
    if touches {
        [Vec3::X, Vec3::Y, Vec3::Z].into_iter().for_each(|axis| rows.torque(axis, false));
    }
    // The motor of a rotor turns it against the body, about an axis that moves with the body or is the line.
    if model.rotors.iter().any(|r| r.body == body) {
        [Vec3::X, Vec3::Y, Vec3::Z].into_iter().for_each(|axis| rows.torque(axis, false));
    }
}

/// Vectors that a load can have: the sum of its constant components, and each component that changes.
fn components(value: &[Expression; 3]) -> impl Iterator<Item = Vec3> + '_ {
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    let mut steady = Vec3::ZERO;
    for (x, axis) in value.iter().zip(axes) {
        steady += axis * x.as_constant().unwrap_or(0.0);
    }
    let changing = value.iter().zip(axes).filter(|(x, _)| x.as_constant().is_none()).map(|(_, axis)| axis);
    steady.unit().into_iter().chain(changing)
}

/// Equations on the twist of one body: velocity of its origin in sizes, angular velocity.
struct Rows {
    pose: Pose,
    size: f64,
    pattern: Pattern,
    entries: Vec<f64>,
    weights: Vec<f64>,
}

impl Rows {
    fn new(pose: Pose, size: f64) -> Rows {
        Rows { pose, size, pattern: Pattern::new(6), entries: Vec::new(), weights: Vec::new() }
    }

    /// No velocity along the normal, no rotation across it.
    fn keep_to_plane(&mut self) {
        for k in [2, 3, 4] {
            self.push(std::array::from_fn(|c| if c == k { 1.0 } else { 0.0 }), 1.0);
        }
    }

    fn push(&mut self, row: [f64; 6], weight: f64) {
        self.pattern.push_row(&[0, 1, 2, 3, 4, 5]);
        self.entries.extend(row);
        self.weights.push(weight);
    }

    /// A row of what is watched: below [`UNMOVED`] it does not move.
    fn watch(&mut self, velocity: Vec3, spin: Vec3) {
        let ([a, b, c], [d, e, f]) = (velocity.to_array(), spin.to_array());
        self.push([a, b, c, d, e, f], UNMOVED / RANK_TOLERANCE);
    }

    /// Three rows v + ω × r.
    fn point(&mut self, p_B: Vec3) {
        let r = self.pose.rotation.apply(p_B) * (1.0 / self.size);
        [Vec3::X, Vec3::Y, Vec3::Z].into_iter().for_each(|axis| self.watch(axis, r.cross(axis)));
    }

    /// Three rows ω × d.
    fn direction(&mut self, u_B: Vec3) {
        let d = self.pose.rotation.apply(u_B);
        [Vec3::X, Vec3::Y, Vec3::Z].into_iter().for_each(|axis| self.watch(Vec3::ZERO, d.cross(axis)));
    }

    /// One row: the rate of work of a torque.
    fn torque(&mut self, m: Vec3, in_body: bool) {
        let m = if in_body { self.pose.rotation.apply(m) } else { m };
        self.watch(Vec3::ZERO, m);
    }

    /// The rate of a joint coordinate by its gradient with respect to markers, those of other bodies at rest.
    fn coordinate(&mut self, body: usize, gradient: impl Iterator<Item = (Marker, Vec3, Vec3)>, scale: f64) {
        let (mut velocity, mut spin) = (Vec3::ZERO, Vec3::ZERO);
        for (marker, value, g) in gradient {
            match marker {
                Marker::Point { body: on, .. } if on == body => {
                    velocity += g * (scale * self.size);
                    spin += (value - self.pose.origin).cross(g) * scale;
                }
                Marker::Direction { body: on, .. } if on == body => spin += value.cross(g) * scale,
                _ => {}
            }
        }
        self.watch(velocity, spin);
    }

    fn factor(&self) -> Elimination {
        let mut elimination =
            Elimination::analyse_weighted(&self.pattern, &self.entries, &self.weights, RANK_TOLERANCE, &[]);
        let _ = elimination.refactor(&self.pattern, &self.entries);
        elimination
    }

    fn rank(&self) -> usize {
        self.factor().rank()
    }

    /// Direction and a point of the line about which the rows leave a rotation, if that is all they leave.
    fn lone_rotation(&self) -> Option<(Vec3, Vec3)> {
        let null = self.factor().null_space();
        let [x] = null.as_slice() else { return None };
        let (v, w) = (Vec3::new(x[0], x[1], x[2]), Vec3::new(x[3], x[4], x[5]));
        // A rotation about a line moves the origin at right angles to it; anything along it would be a screw or a slide.
        if w.norm() <= 1e-6 * v.norm() || v.dot(w).abs() > 1e-6 * w.dot(w) {
            return None;
        }
        Some((w.unit()?, self.pose.origin + w.cross(v) * (self.size / w.dot(w))))
    }
}
