//! The equations of motion at one position and velocity.
//!
//! [ M  Φ_vᵀ ] [ v̇ ]   [ h ]
//! [ Φ_v  0  ] [ λ ] = [ γ ]
//!
//! solved by sparse elimination with the independent constraint rows; redundant ones, consistent with the others, are left
//! out. The same factors project positions and velocities onto the constraints.

use super::mass::MassMatrix;
use super::Point;
use crate::error::{Error, Result};
use crate::loads::{Effort, Law};
use crate::math::sparse::{Elimination, Pattern};
use crate::solve::forces::{potential_energy, Applied};
use crate::solve::newton::RANK_TOLERANCE;
use crate::system::wrench::{generalised, kinetic_energy, Wrench};
use crate::system::{Evaluation, System, Workspace};

/// Solves the equations of motion of a system.
#[derive(Debug)]
pub struct Dynamics<'s> {
    /// The system.
    pub system: &'s System<'s>,
    /// Arrays; bodies and markers are those last realised.
    pub ws: Workspace,
    mass: MassMatrix,
    applied: Applied,
    loads_only: Vec<Wrench>,
    /// Constraint rows in the solve, ascending.
    rows: Vec<usize>,
    /// Pattern of the whole matrix, and where each of its entries comes from.
    pattern: Pattern,
    from: Vec<From>,
    values: Vec<f64>,
    elimination: Option<Elimination>,
    side: Vec<f64>,
    x: Vec<f64>,
    y: Vec<f64>,
    h: Vec<f64>,
    /// Factor on M that brings its entries near those of Φ_v.
    weight: f64,
    /// Multipliers of all rows (zero for those left out), for the scaled rows.
    pub lambda: Vec<f64>,
    /// Evaluations of v̇ so far.
    pub evaluations: usize,
}

#[derive(Debug, Clone, Copy)]
enum From {
    Mass(usize),
    Row(usize),
}

impl<'s> Dynamics<'s> {
    /// For a system assembled at (t, q) in `ws`; the independent rows are chosen there.
    pub fn new(system: &'s System<'s>, mut ws: Workspace, t: f64, q: &[f64]) -> Result<Dynamics<'s>> {
        ws.realize_position(system, t, q);
        ws.realize_jacobian(system, t);
        let nv = system.formulation.nv();
        let mut dynamics = Dynamics {
            mass: MassMatrix::new(system),
            applied: Applied::new(system),
            loads_only: Vec::new(),
            rows: Vec::new(),
            pattern: Pattern::default(),
            from: Vec::new(),
            values: Vec::new(),
            elimination: None,
            side: Vec::new(),
            x: Vec::new(),
            y: Vec::new(),
            h: vec![0.0; nv],
            weight: 1.0,
            lambda: vec![0.0; ws.pattern.rows()],
            evaluations: 0,
            system,
            ws,
        };
        dynamics.choose_rows();
        dynamics.mass.evaluate(system, &dynamics.ws);
        dynamics.factor()?;
        Ok(dynamics)
    }

    /// Chooses independent rows at the position realised and lays out the whole matrix for them.
    fn choose_rows(&mut self) {
        let ws = &self.ws;
        let Evaluation { phi_v, weight, .. } = &ws.evaluation;
        let chosen = Elimination::analyse_weighted(&ws.pattern, phi_v, weight, RANK_TOLERANCE, &[]);
        let dependent = chosen.dependent_rows();
        self.rows = (0..ws.pattern.rows()).filter(|i| dependent.binary_search(i).is_err()).collect();
        let nv = ws.pattern.columns;
        let mut by_column: Vec<Vec<(usize, usize)>> = vec![Vec::new(); nv];
        for (r, i) in self.rows.iter().enumerate() {
            for k in ws.pattern.range(*i) {
                by_column[ws.pattern.index[k]].push((nv + r, k));
            }
        }
        let size = nv + self.rows.len();
        self.pattern = Pattern::new(size);
        self.from.clear();
        let mut columns = Vec::new();
        for c in 0..nv {
            columns.clear();
            for k in self.mass.pattern.range(c) {
                columns.push(self.mass.pattern.index[k]);
                self.from.push(From::Mass(k));
            }
            for (r, k) in &by_column[c] {
                columns.push(*r);
                self.from.push(From::Row(*k));
            }
            self.pattern.push_row(&columns);
        }
        for i in &self.rows {
            let range = ws.pattern.range(*i);
            self.from.extend(range.clone().map(From::Row));
            self.pattern.push_row(&ws.pattern.index[range]);
        }
        self.values = vec![0.0; self.from.len()];
        self.side = vec![0.0; size];
        self.x = vec![0.0; size];
        self.y = vec![0.0; size];
        self.elimination = None;
    }

    /// Factors the whole matrix as realised; an error names massless bodies that nothing holds.
    fn factor(&mut self) -> Result<()> {
        let largest = self.mass.entries.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        self.weight = if largest > 0.0 { 1.0 / largest } else { 1.0 };
        for (value, from) in self.values.iter_mut().zip(&self.from) {
            *value = match from {
                From::Mass(k) => self.weight * self.mass.entries[*k],
                From::Row(k) => self.ws.evaluation.phi_v[*k],
            };
        }
        if let Some(elimination) = &mut self.elimination {
            if elimination.refactor(&self.pattern, &self.values).is_ok() {
                return Ok(());
            }
        }
        // A mass matrix may span many orders of magnitude; only what is zero but for rounding is missing.
        const SINGULAR: f64 = 1e-15;
        let mut fresh = Elimination::analyse(&self.pattern, &self.values, SINGULAR, &[]);
        let _ = fresh.refactor(&self.pattern, &self.values);
        if fresh.rank() < self.pattern.columns {
            return Err(self.massless());
        }
        self.elimination = Some(fresh);
        Ok(())
    }

    fn massless(&self) -> Error {
        let bodies = &self.system.model.bodies;
        let names: Vec<&str> = bodies.iter().skip(1).filter(|b| b.mass.is_none()).map(|b| b.name.as_str()).collect();
        match names.as_slice() {
            [] => Error::new("the equations of motion are singular: a freedom has neither mass nor driver")
                .note("a moment of inertia may be zero about an axis that nothing holds"),
            names => Error::new(format!("the motion of massless bodies is not determined: {}", names.join(", "))).note(
                "give them mass and inertia (or a shape with density), or fix their freedoms by joints or drivers",
            ),
        }
    }

    /// v̇ at a point, with all stages realised there, and the power of everything that has no potential.
    pub fn evaluate(&mut self, point: &Point, vdot: &mut [f64]) -> Result<f64> {
        let (system, t) = (self.system, point.t);
        self.evaluations += 1;
        self.ws.realize_position(system, t, &point.q);
        self.ws.realize_jacobian(system, t);
        self.mass.evaluate(system, &self.ws);
        self.factor()?;
        self.ws.realize_velocity(system, t, &point.v);
        system.formulation.accelerations(None, &mut self.ws.cache);
        let (cache, evaluation, size) = (&self.ws.cache, &mut self.ws.evaluation, self.ws.size);
        system.constraints.accelerate_markers(system.at(t), cache, evaluation);
        system.constraints.acceleration_side(t, size, evaluation);
        system.constraints.velocity_side(system.at(t), size, evaluation);
        self.applied.evaluate(system, &self.ws, t);
        self.loads_only.clone_from(&self.applied.wrenches);
        self.applied.add_inertia(system.model, &self.ws);
        generalised(system, &self.ws, &self.applied.wrenches, &mut self.h);
        let nv = self.h.len();
        for (side, h) in self.side.iter_mut().zip(&self.h) {
            *side = self.weight * h;
        }
        for (r, i) in self.rows.iter().enumerate() {
            self.side[nv + r] = self.ws.evaluation.gamma.get(*i).copied().unwrap_or(0.0);
        }
        self.solve();
        for (k, (vdot, x)) in vdot.iter_mut().zip(&self.x).enumerate() {
            *vdot = if system.formulation.length_column(k) { x * self.ws.size } else { *x };
        }
        self.lambda.fill(0.0);
        for (r, i) in self.rows.iter().enumerate() {
            self.lambda[*i] = self.x[nv + r] / self.weight;
        }
        Ok(self.power())
    }

    fn solve(&mut self) {
        if let Some(elimination) = &self.elimination {
            elimination.solve(&self.side, &mut self.x, &mut self.y);
        }
    }

    /// Power of loads without potential and of drivers, at the state last evaluated.
    fn power(&self) -> f64 {
        let (system, ws) = (self.system, &self.ws);
        let mut power = 0.0;
        for (k, (wrench, state)) in self.loads_only.iter().zip(&ws.cache.bodies).enumerate().skip(1) {
            let mut wrench = *wrench;
            if let (Some(gravity), Some(mass)) = (system.model.gravity, &system.model.bodies[k].mass) {
                let arm = state.pose.rotation.apply(mass.com);
                wrench.add(Wrench::of_force(gravity * -mass.mass, arm));
            }
            power += wrench.force.dot(state.v) + wrench.moment.dot(state.w);
        }
        power += self.spring_rate();
        let rows = self.lambda.iter().zip(&ws.evaluation.nu);
        power - rows.map(|(lambda, nu)| lambda * nu).sum::<f64>()
    }

    /// Rate of the springs' potential energy, as [`potential_energy`] counts it.
    fn spring_rate(&self) -> f64 {
        let (system, ws) = (self.system, &self.ws);
        let mut rate = 0.0;
        for load in &system.model.loads {
            match &load.law {
                Law::Spring { ends, stiffness, length, .. } => {
                    let (Some(k), Some(free)) = (stiffness.as_constant(), length.as_constant()) else { continue };
                    let end = |(body, p): (usize, crate::math::Vec3)| {
                        let b = &ws.cache.bodies[body];
                        let s = b.pose.rotation.apply(p);
                        (b.pose.origin + s, b.v + b.w.cross(s))
                    };
                    let ((p, v), (q, w)) = (end(ends[0]), end(ends[1]));
                    let d = q - p;
                    if let Some(u) = d.unit() {
                        rate += k * (d.norm() - free) * u.dot(w - v);
                    }
                }
                Law::Coordinate { of, effort: Effort::Spring { stiffness, rest, .. } } => {
                    let (Some(k), Some(rest)) = (stiffness.as_constant(), rest.as_constant()) else { continue };
                    let found =
                        system.constraints.coordinates().iter().find(|c| (c.0, c.1) == (of.joint, of.coordinate));
                    if let Some((_, _, m)) = found {
                        let stretch = system.constraints.value(*m, &ws.evaluation) - rest;
                        rate += k * stretch * system.constraints.rate(*m, &ws.evaluation);
                    }
                }
                _ => {}
            }
        }
        rate
    }

    /// Brings position and velocity back onto the constraints, the shortest way in the metric of M. Returns the largest
    /// residual left.
    pub fn project(&mut self, point: &mut Point) -> Result<f64> {
        let (system, t) = (self.system, point.t);
        let nv = self.h.len();
        system.formulation.normalise(&mut point.q);
        let mut residual = f64::INFINITY;
        let mut dv = vec![0.0; nv];
        const MOST: usize = 12;
        for _ in 0..MOST {
            let now = self.ws.realize_position(system, t, &point.q);
            if now <= 1e-14 || now > 0.5 * residual {
                residual = now;
                break;
            }
            residual = now;
            self.ws.realize_jacobian(system, t);
            self.mass.evaluate(system, &self.ws);
            self.factor()?;
            self.side.fill(0.0);
            for (r, i) in self.rows.iter().enumerate() {
                self.side[nv + r] = -self.ws.evaluation.phi.get(*i).copied().unwrap_or(0.0);
            }
            self.solve();
            for (k, (dv, x)) in dv.iter_mut().zip(&self.x).enumerate() {
                *dv = if system.formulation.length_column(k) { x * self.ws.size } else { *x };
            }
            system.formulation.step(&mut point.q, &dv);
        }
        self.ws.realize_position(system, t, &point.q);
        self.ws.realize_jacobian(system, t);
        self.mass.evaluate(system, &self.ws);
        self.factor()?;
        system.constraints.velocity_side(system.at(t), self.ws.size, &mut self.ws.evaluation);
        self.side.fill(0.0);
        for (r, i) in self.rows.iter().enumerate() {
            let nu = self.ws.evaluation.nu.get(*i).copied().unwrap_or(0.0);
            let product: f64 = (self.ws.pattern.range(*i))
                .map(|k| {
                    let c = self.ws.pattern.index[k];
                    let scale = if system.formulation.length_column(c) { self.ws.size } else { 1.0 };
                    self.ws.evaluation.phi_v[k] * point.v[c] / scale
                })
                .sum();
            self.side[nv + r] = nu - product;
        }
        self.solve();
        for (k, (v, x)) in point.v.iter_mut().zip(&self.x).enumerate() {
            *v += if system.formulation.length_column(k) { x * self.ws.size } else { *x };
        }
        Ok(residual)
    }

    /// Kinetic and potential energy of the state last realised.
    pub fn energies(&self) -> (f64, f64) {
        let masses = self.system.model.bodies.iter().zip(&self.ws.cache.bodies).skip(1);
        let kinetic = masses.filter_map(|(b, s)| b.mass.as_ref().map(|m| kinetic_energy(m, s))).sum();
        (kinetic, potential_energy(self.system, &self.ws))
    }
}
