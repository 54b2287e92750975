//! A model in one choice of coordinates, and the numbers of solving it.
//!
//! [`System`] is immutable. [`Workspace`] holds every array that changes, allocated once; its methods realise the stages
//! position → velocity → acceleration, each needing the one before.

#![allow(non_snake_case)] // u_B: a direction in its body's frame (docs/notation.md).

mod absolute;
mod auto;
pub mod composite;
pub mod constraint;
mod counted;
pub mod flat;
pub mod formulation;
pub mod generalised;
pub mod inertia;
pub mod natural;
mod planar;
mod planar_tree;
mod quadratic;
mod registry;
mod relative;
pub mod rotor;
mod ties;
mod turns;
pub mod wrench;

use crate::error::{Error, Result};
use crate::joints::Space;
use crate::math::sparse::{Elimination, Order, Pattern};
use crate::math::Vec3;
use crate::model::Model;
pub use absolute::Absolute;
pub use auto::{hopeless, resolve, AUTO};
pub use constraint::{Constraints, Evaluation, Owner, Stage};
pub use counted::Turns;
pub use flat::Flat;
pub use formulation::{BodyState, Cache, Formulation};
pub use natural::Natural;
pub use planar::PlanarAbsolute;
pub use planar_tree::{Motion as PlanarMotion, PlanarTree};
pub use quadratic::Quadratic;
pub use registry::{formulation_words, formulations, register};
pub use relative::{Relative, Variant};
use std::sync::Arc;

/// A way of choosing coordinates: its word, one sentence, and its constructor.
pub struct FormulationType {
    /// The word after `--formulation`.
    pub keyword: &'static str,
    /// One sentence for help and documentation.
    pub help: &'static str,
    /// Makes it for a model.
    pub build: fn(&Model) -> Box<dyn Formulation>,
}

/// The principal formulations, which verification compares; counts are in the first.
pub static FORMULATIONS: &[FormulationType] = &[
    FormulationType {
        keyword: "absolute",
        help: "position and Euler parameters of each body; in a plane x, y and an angle",
        build: |model| match model.space {
            Space::Spatial => Box::new(Absolute::new(model.bodies.len())),
            Space::Planar => Box::new(PlanarAbsolute::new(model.bodies.len())),
        },
    },
    FormulationType {
        keyword: "natural",
        help: "points and unit vectors that bodies share",
        build: |model| Box::new(Natural::new(model)),
    },
    FormulationType {
        keyword: "relative",
        help: "joint coordinates along a spanning tree; equations only where loops are cut",
        build: |model| Box::new(Relative::new(model, Variant::PLAIN)),
    },
];

/// Further ways of the relative formulation, to choose and to compare.
pub static VARIANTS: &[FormulationType] = &[
    FormulationType {
        keyword: Variant::EULER.keyword,
        help: "relative, with Euler parameters in place of angles",
        build: |model| Box::new(Relative::new(model, Variant::EULER)),
    },
    FormulationType {
        keyword: Variant::MATRIX.keyword,
        help: "relative, with loops closed by the twelve entries of their matrix equation",
        build: |model| Box::new(Relative::new(model, Variant::MATRIX)),
    },
    FormulationType {
        keyword: Variant::THESIS.keyword,
        help: "relative with Euler parameters, matrix loop equations, and rates by the operators D and B",
        build: |model| Box::new(Relative::new(model, Variant::THESIS)),
    },
];

/// A model in one choice of coordinates.
#[derive(Debug)]
pub struct System<'m> {
    /// The model.
    pub model: &'m Model,
    /// The coordinates.
    pub formulation: Box<dyn Formulation>,
    /// The constraint rows.
    pub constraints: Constraints,
}

impl<'m> System<'m> {
    /// The model by the formulation of that keyword, or by that which the rule of `auto` takes.
    pub fn new(model: &'m Model, formulation: &str) -> Result<System<'m>> {
        let formulation = resolve(model, formulation);
        let known = formulations().find(|f| f.keyword == formulation).ok_or_else(|| {
            Error::new(format!("no formulation '{formulation}'")).suggest(formulation, formulation_words())
        })?;
        let formulation = (known.build)(model);
        let constraints = Constraints::new(model, &*formulation);
        Ok(System { model, formulation, constraints })
    }

    /// What a message calls the owner of a row.
    pub fn owner_name(&self, owner: Owner) -> String {
        match owner {
            Owner::Joint(k) => format!("joint '{}'", self.model.joints[k].name),
            Owner::Coupling(k) => format!("coupling '{}'", self.model.couplings[k].name),
            Owner::Driver(k) => format!("driver '{}'", self.model.drivers[k].name),
            Owner::Body(k) => format!("rigidity of body '{}'", self.model.bodies[k].name),
        }
    }

    /// What evaluation at time `t` needs.
    pub fn at(&self, t: f64) -> Stage<'_> {
        Stage { model: self.model, formulation: &*self.formulation, t }
    }
}

/// Largest scaled residual of an accepted position.
pub const ACCEPTED: f64 = 1e-12;

/// A freedom that moves one body alone: its spin about a line fixed in it, which is held.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IdleSpin {
    /// The body.
    pub body: usize,
    /// The line's direction in the body's frame.
    pub u_B: Vec3,
}

/// Position, velocity and acceleration in a system's coordinates.
#[derive(Debug, Clone)]
pub struct State {
    /// Time.
    pub t: f64,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// Their rates.
    pub vdot: Vec<f64>,
}

/// Every array that changes while a system is solved.
#[derive(Debug)]
pub struct Workspace {
    /// Length by which lengths are divided: the diagonal of the box of all joint points as assembled.
    pub size: f64,
    /// Largest scaled residual of an accepted position: [`ACCEPTED`], more where redundant constraints do not fit each other exactly.
    pub accepted: f64,
    /// Bodies and what the formulation remembers of them (filled by each stage).
    pub cache: Cache,
    /// Markers, residuals, Jacobian entries and right-hand sides (filled by each stage).
    pub evaluation: Evaluation,
    /// Idle spins, held by rows after the constraints'.
    idle: Vec<IdleSpin>,
    /// Pattern of Φ_v with the idle rows.
    pub pattern: Arc<Pattern>,
    /// Factors of Φ_v, once chosen.
    pub elimination: Option<Elimination>,
    /// How often pivots have been chosen: signs of determinants compare only within one choice.
    pub analyses: usize,
    /// True where the factors' rows were chosen at a position that satisfies the constraints.
    pub chosen_exactly: bool,
    /// Right-hand side, one per row of `pattern`.
    pub side: Vec<f64>,
    /// Solution in scaled velocities.
    pub x: Vec<f64>,
    /// Scratch of the triangular solves.
    y: Vec<f64>,
    /// 0, 1, 2 …: a row's entries in their own order.
    own_slots: Vec<usize>,
    /// How often residuals and Jacobians have been evaluated.
    pub evaluations: Evaluations,
}

/// Counts of evaluations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Evaluations {
    /// Of the residuals.
    pub residuals: usize,
    /// Of the Jacobian.
    pub jacobians: usize,
}

impl Workspace {
    /// Arrays for a system, with the size taken from the drawing.
    pub fn new(system: &System) -> Workspace {
        let pattern = Arc::clone(&system.constraints.pattern);
        let (rows, nv) = (pattern.rows(), system.formulation.nv());
        let mut workspace = Workspace {
            size: 1.0,
            accepted: ACCEPTED,
            cache: system.formulation.cache(system.model),
            evaluation: system.constraints.evaluation(),
            idle: Vec::new(),
            pattern,
            elimination: None,
            analyses: 0,
            chosen_exactly: false,
            side: vec![0.0; rows],
            x: vec![0.0; nv],
            y: vec![0.0; nv.max(rows)],
            own_slots: (0..nv).collect(),
            evaluations: Evaluations::default(),
        };
        workspace.measure_size(system);
        workspace
    }

    /// Takes the size from the bodies as they stand: the diagonal of the box of all joint points.
    pub fn measure_size(&mut self, system: &System) {
        let (mut low, mut high) = (Vec3::ZERO, Vec3::ZERO);
        let mut points = system.model.joints.iter().flat_map(|joint| {
            [0, 1].map(|side| self.cache.bodies[joint.bodies[side]].pose.apply(joint.frames[side].origin))
        });
        if let Some(first) = points.next() {
            (low, high) = (first, first);
        }
        for p in points {
            for k in 0..3 {
                low[k] = low[k].min(p[k]);
                high[k] = high[k].max(p[k]);
            }
        }
        let diagonal = (high - low).norm();
        // A single joint, or all at one point: any length serves, and a metre is the unit.
        self.size = if diagonal > 1e-12 && diagonal.is_finite() { diagonal } else { 1.0 };
    }

    /// Holds these spins from now on.
    pub fn hold_spins(&mut self, system: &System, idle: Vec<IdleSpin>) {
        self.pattern = Arc::clone(&system.constraints.pattern);
        if !idle.is_empty() {
            let mut pattern = Pattern::clone(&self.pattern);
            idle.iter().for_each(|spin| pattern.push_row(&system.formulation.spin_columns(spin.body)));
            self.pattern = Arc::new(pattern);
        }
        self.idle = idle;
        let rows = self.pattern.rows();
        self.side = vec![0.0; rows];
        self.y = vec![0.0; system.formulation.nv().max(rows)];
        self.elimination = None;
    }

    /// The spins held.
    pub fn idle(&self) -> &[IdleSpin] {
        &self.idle
    }

    /// Position stage: bodies, markers and residuals at (q, t). Returns the largest residual.
    pub fn realize_position(&mut self, system: &System, t: f64, q: &[f64]) -> f64 {
        self.evaluations.residuals += 1;
        system.formulation.positions(q, &mut self.cache);
        system.constraints.place_markers(system.at(t), &self.cache, &mut self.evaluation);
        system.constraints.residuals(t, self.size, &mut self.evaluation);
        self.largest_residual(system.constraints.len())
    }

    /// Largest residual of the first rows; one that is not a number is the largest.
    pub fn largest_residual(&self, rows: usize) -> f64 {
        self.evaluation.phi[..rows].iter().fold(0.0, |most, phi| if phi.abs() <= most { most } else { phi.abs() })
    }

    /// Residuals and row markers alone at (q, t): enough for the rows, without the bodies. Returns the largest residual.
    pub fn realize_rows(&mut self, system: &System, t: f64, q: &[f64]) -> f64 {
        system.formulation.marker_positions(q, &system.constraints.row_bodies, &mut self.cache);
        system.constraints.place_row_markers(system.at(t), &self.cache, &mut self.evaluation);
        system.constraints.residuals(t, self.size, &mut self.evaluation);
        self.largest_residual(system.constraints.len())
    }

    /// Entries of Φ_v at the position realised, where no spins are held and nothing is to be judged by the sizes of terms.
    pub fn realize_entries(&mut self, system: &System, t: f64) {
        if self.idle.is_empty() {
            system.constraints.jacobian_entries(system.at(t), self.size, &self.cache, &mut self.evaluation);
        } else {
            self.realize_jacobian(system, t);
        }
    }

    /// Entries of Φ_v at the position realised, idle rows included.
    pub fn realize_jacobian(&mut self, system: &System, t: f64) {
        self.evaluations.jacobians += 1;
        let entries = system.constraints.pattern.index.len();
        self.evaluation.phi_v.truncate(entries);
        system.constraints.jacobian(system.at(t), self.size, &self.cache, &mut self.evaluation);
        self.evaluation.phi_v.resize(self.pattern.index.len(), 0.0);
        // Idle rows are unit vectors.
        self.evaluation.weight.resize(self.pattern.rows(), 1.0);
        self.spin_entries(system);
    }

    /// Entries of the idle rows.
    pub(crate) fn spin_entries(&mut self, system: &System) {
        for (k, spin) in self.idle.iter().enumerate() {
            let u = self.cache.bodies[spin.body].pose.rotation.apply(spin.u_B);
            let range = self.pattern.range(system.constraints.len() + k);
            let row = &mut self.evaluation.phi_v[range.clone()];
            row.fill(0.0);
            system.formulation.scatter_spin(spin.body, u, &self.cache, &self.own_slots[..row.len()], row);
            for (entry, c) in row.iter_mut().zip(&self.pattern.index[range]) {
                *entry *= system.formulation.scale(*c, self.size);
            }
        }
    }

    /// True where there are factors of as many independent rows as there are velocities.
    pub(crate) fn has_factors(&self, velocities: usize) -> bool {
        self.chosen_exactly && self.elimination.as_ref().is_some_and(|e| e.rank() == velocities)
    }

    /// Factors Φ_v as realised by the pivots at hand; false where these no longer suit it.
    pub(crate) fn refactor(&mut self) -> bool {
        let Workspace { elimination, pattern, evaluation, .. } = self;
        elimination.as_mut().is_some_and(|e| e.refactor(pattern, &evaluation.phi_v).is_ok())
    }

    /// The order of the factors at hand.
    pub(crate) fn order(&self) -> Option<&Order> {
        self.elimination.as_ref().map(Elimination::order)
    }

    /// Sizes of the pivots for the numbers they were chosen for.
    pub(crate) fn chosen_pivots(&self) -> &[f64] {
        self.elimination.as_ref().map_or(&[], |e| e.chosen_pivots())
    }

    /// The weakest pivot, against its row.
    pub(crate) fn weakest_pivot(&self) -> f64 {
        let Evaluation { phi_v, weight, .. } = &self.evaluation;
        self.elimination.as_ref().map_or(0.0, |e| e.weakest(&self.pattern, phi_v, weight))
    }

    /// Solves Φ_v x = side, in scaled velocities.
    pub(crate) fn solve_side(&mut self) {
        if let Some(elimination) = &self.elimination {
            elimination.solve(&self.side, &mut self.x, &mut self.y);
        }
    }

    /// Largest |Φ_v x − side| of the rows that are not solved for, against the largest side or term among them (or 1).
    pub(crate) fn redundant_violation(&self) -> f64 {
        let rows = self.elimination.as_ref().map_or(&[][..], |e| e.dependent_rows());
        self.violation_of(rows.iter().copied())
    }

    /// Right-hand side γ for velocities v, by the rows' own markers; bodies move with v.
    pub(crate) fn bias_side(&mut self, system: &System, t: f64, v: &[f64]) {
        system.formulation.velocities(v, &mut self.cache);
        system.formulation.accelerations(None, &mut self.cache);
        system.constraints.move_row_markers(system.at(t), &self.cache, &mut self.evaluation);
        system.constraints.acceleration_side(t, self.size, &mut self.evaluation);
    }

    /// Solves Φ_v x = side with the factors at hand and turns x back into velocities.
    fn solve_into(&mut self, system: &System, out: &mut [f64]) {
        if let Some(elimination) = &self.elimination {
            elimination.solve(&self.side, &mut self.x, &mut self.y);
        }
        for (k, (out, x)) in out.iter_mut().zip(&self.x).enumerate() {
            *out = x * system.formulation.scale(k, self.size);
        }
    }

    /// The displacement that cancels the residuals to first order.
    pub fn solve_position(&mut self, system: &System, dv: &mut [f64]) {
        self.side.fill(0.0);
        for (side, phi) in self.side.iter_mut().zip(&self.evaluation.phi) {
            *side = -phi;
        }
        self.solve_into(system, dv);
    }

    /// Takes ν for the right-hand side; idle bodies do not spin.
    pub(crate) fn take_nu(&mut self) {
        self.side.fill(0.0);
        self.side[..self.evaluation.nu.len()].copy_from_slice(&self.evaluation.nu);
    }

    /// Velocity stage: v from Φ_v v = ν; bodies and markers moving. Returns the largest violation of any row.
    pub fn solve_velocity(&mut self, system: &System, t: f64, v: &mut [f64]) -> f64 {
        system.constraints.velocity_side(system.at(t), self.size, &mut self.evaluation);
        self.take_nu();
        self.solve_into(system, v);
        self.realize_velocity(system, t, v);
        self.violation()
    }

    /// The velocities of a unit rate of row `row` alone, by the factors at hand; nothing is realised.
    pub fn unit_rates(&mut self, system: &System, row: usize, v: &mut [f64]) {
        self.side.fill(0.0);
        self.side[row] = 1.0;
        self.solve_into(system, v);
    }

    /// Bodies and markers moving with v.
    pub fn realize_velocity(&mut self, system: &System, t: f64, v: &[f64]) {
        system.formulation.velocities(v, &mut self.cache);
        system.constraints.move_markers(system.at(t), &self.cache, &mut self.evaluation);
    }

    /// Right-hand side of row `i` of the accelerations, idle rows included, where bodies accelerate as they do for v̇ = 0.
    pub fn gamma(&self, i: usize) -> f64 {
        let gamma = &self.evaluation.gamma;
        match (gamma.get(i), self.idle.get(i.wrapping_sub(gamma.len()))) {
            (Some(gamma), _) => *gamma,
            // Idle spins have α·u = 0 in all; what v̇ = 0 leaves of it is to be cancelled.
            (None, Some(spin)) => {
                let body = &self.cache.bodies[spin.body];
                -body.alpha.dot(body.pose.rotation.apply(spin.u_B))
            }
            (None, None) => 0.0,
        }
    }

    /// Takes γ for the right-hand side, where bodies accelerate as they do for v̇ = 0.
    pub(crate) fn take_gamma(&mut self) {
        for i in 0..self.side.len() {
            self.side[i] = self.gamma(i);
        }
    }

    /// Acceleration stage: v̇ from Φ_v v̇ = γ; bodies and markers accelerating. Returns the largest violation of any row.
    pub fn solve_acceleration(&mut self, system: &System, t: f64, vdot: &mut [f64]) -> f64 {
        system.formulation.accelerations(None, &mut self.cache);
        system.constraints.accelerate_markers(system.at(t), &self.cache, &mut self.evaluation);
        system.constraints.acceleration_side(t, self.size, &mut self.evaluation);
        self.take_gamma();
        self.solve_into(system, vdot);
        let violation = self.violation();
        self.realize_acceleration(system, t, vdot);
        violation
    }

    /// Bodies and markers accelerating with v̇.
    pub fn realize_acceleration(&mut self, system: &System, t: f64, vdot: &[f64]) {
        system.formulation.accelerations(Some(vdot), &mut self.cache);
        system.constraints.accelerate_markers(system.at(t), &self.cache, &mut self.evaluation);
    }

    /// Largest |Φ_v x − side| over all rows, redundant ones included, against the largest side or term (or 1).
    fn violation(&self) -> f64 {
        self.violation_of(0..self.pattern.rows())
    }

    fn violation_of(&self, rows: impl Iterator<Item = usize>) -> f64 {
        let (mut worst, mut scale) = (0.0f64, 1.0f64);
        for i in rows {
            let mut product = 0.0;
            for k in self.pattern.range(i) {
                let term = self.evaluation.phi_v[k] * self.x[self.pattern.index[k]];
                product += term;
                scale = scale.max(term.abs());
            }
            worst = worst.max((product - self.side[i]).abs());
            scale = scale.max(self.side[i].abs());
        }
        worst / scale
    }

    /// The row most violated by the velocities or accelerations last solved for.
    pub fn worst_row(&self) -> usize {
        let error = |i: usize| {
            let range = self.pattern.range(i);
            let product: f64 = range.map(|k| self.evaluation.phi_v[k] * self.x[self.pattern.index[k]]).sum();
            (product - self.side[i]).abs()
        };
        (0..self.pattern.rows()).max_by(|a, b| error(*a).total_cmp(&error(*b))).unwrap_or(0)
    }
}
