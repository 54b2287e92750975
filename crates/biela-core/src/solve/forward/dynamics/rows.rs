//! Systems with constraint rows: M v̇ + Φ_vᵀ λ = h and Φ_v v̇ = γ.
//!
//! They are solved together by sparse elimination ([`Kkt`]), or in the reduced form of the natural orthogonal complement ([`Reduced`]).
//! The factors of the last stage of a step lead positions back onto the constraints; the factors at the position reached correct the
//! velocity and give the acceleration there, so that projection costs no factorisation of its own.

use super::super::kkt::{Factored, Kkt};
use super::super::mass::MassMatrix;
use super::super::reduced::{Posed, Reduced};
use super::super::{Point, Rates};
use super::context::{Context, Probe};
use super::equations::{Equations, Glance, Line};
use super::planar::PlanarLoops;
use crate::error::{Error, Reason, Result};
use crate::model::Reduction;
use crate::system::wrench::Wrench;
use crate::system::{Quadratic, System};

/// Tolerance of the integration below which what softness takes off accelerations would be felt.
const FINE: f64 = 1e-9;

/// Most velocities on which a body may depend where masses are written out: the factors grow with the cube, to some gigabytes here.
const LONGEST: usize = 1000;

/// Masses, rows and factors.
#[derive(Debug)]
pub struct Rows {
    pub(super) mass: MassMatrix,
    pub(super) kkt: Kkt,
    /// The rows as polynomials, where they are.
    quadratic: Option<Quadratic>,
    /// Everything by recursions in a plane, where it can be had.
    planar: Option<PlanarLoops>,
    /// The reduced form, where accelerations are found by it.
    reduced: Option<Reduced>,
    pub(super) dv: Vec<f64>,
}

impl Rows {
    /// For the position realised, of that largest residual, with Φ_v; the independent rows are chosen there.
    pub fn new(context: &mut Context, t: f64, q: &[f64], residual: f64) -> Result<Rows> {
        let (system, study) = (context.system, &context.system.model.study);
        if is_too_long(system) {
            return Err(Error::new(format!(
                "chains of more than {LONGEST} joints with drivers, couplings or loops are too long for the {} formulation",
                system.formulation.name()
            ))
            .note("it couples all velocities of a chain with each other: use --formulation absolute"));
        }
        let mass = MassMatrix::new(system, &context.ws);
        let mut rows = Rows {
            quadratic: mass.linear.then(|| Quadratic::new(system, &context.ws)).flatten(),
            planar: PlanarLoops::new(context, &mass, q),
            mass,
            kkt: Kkt::default(),
            reduced: (study.reduction == Reduction::NullSpace).then(Reduced::default),
            dv: vec![0.0; system.formulation.nv()],
        };
        rows.mass.evaluate(system, &context.ws);
        rows.kkt.thorough = study.tolerance < FINE;
        rows.kkt.choose_rows(&system.constraints, &context.ws, &rows.mass, residual, false);
        rows.factor(context, t, q, true)?;
        Ok(rows)
    }

    /// True where bodies need not be placed: rows and constant masses alone make the equations, or recursions in a plane.
    fn is_lean(&self, context: &Context) -> bool {
        self.is_constant(context) || self.by_planar(context).is_some()
    }

    /// True where rows and constant masses alone make the equations.
    fn is_constant(&self, context: &Context) -> bool {
        self.mass.constant && context.is_unloaded() && context.ws.idle().is_empty()
    }

    /// The recursions in a plane, where they know all that acts.
    fn by_planar(&self, context: &Context) -> Option<&PlanarLoops> {
        self.planar.as_ref().filter(|_| !context.is_given())
    }

    /// Factors the whole matrix at the position realised. At positions that hold the constraints (`exact`) redundant rows are
    /// chosen anew where the choice has become poor.
    pub(super) fn factor(&mut self, context: &mut Context, t: f64, q: &[f64], exact: bool) -> Result<()> {
        let system = context.system;
        if !self.mass.constant {
            match self.planar.as_mut().filter(|_| !context.is_given()) {
                Some(planar) => planar.tree.weigh(&mut self.mass.entries),
                None => self.mass.evaluate(system, &context.ws),
            }
            self.kkt.take_mass(&self.mass);
        }
        let mut factored = self.kkt.factor(&self.mass, &context.ws.evaluation.phi_v);
        // Rows that no motion in the plane changes never take the place of others.
        let idle = self.planar.as_ref().map_or(0, |planar| planar.tree.still_rows());
        if factored == Factored::Fresh && exact && self.kkt.dropped > idle {
            context.ws.realize_rows(system, t, q);
            context.ws.realize_jacobian(system, t);
            let mut before = self.kkt.clone();
            self.kkt.choose_rows(&context.system.constraints, &context.ws, &self.mass, 0.0, true);
            factored = self.kkt.factor(&self.mass, &context.ws.evaluation.phi_v);
            if !self.kkt.is_better_than(&mut before) {
                self.kkt = before;
                factored = Factored::Same;
            }
        }
        match factored {
            Factored::Singular => Err(massless(context.system)),
            _ => Ok(()),
        }
    }

    /// Residuals at (q, t), and what entries of Φ_v need. Returns the largest.
    pub(super) fn realize_rows(&mut self, context: &mut Context, t: f64, q: &[f64]) -> f64 {
        match (&mut self.quadratic, &mut self.planar) {
            (Some(rows), _) => rows.residuals(q, &mut context.ws.evaluation),
            (None, Some(planar)) if !context.is_given() => {
                planar.tree.place(q);
                planar.tree.residuals(&mut context.ws.evaluation)
            }
            _ => context.ws.realize_rows(context.system, t, q),
        }
    }

    /// Entries of Φ_v where the rows were last realised.
    pub(super) fn realize_entries(&mut self, context: &mut Context, t: f64) {
        match (&self.quadratic, &mut self.planar) {
            (Some(rows), _) => rows.jacobian(&mut context.ws.evaluation),
            (None, Some(planar)) if !context.is_given() => planar.tree.jacobian(&mut context.ws.evaluation),
            _ => context.ws.realize_entries(context.system, t),
        }
    }

    fn rates(&mut self, context: &mut Context, point: &Point, rates: &mut Rates, lean: bool) -> Result<()> {
        rates.power = self.accelerate(context, point, &mut rates.v, lean)?;
        context.system.formulation.rates(&point.q, &point.v, &mut rates.q);
        Ok(())
    }

    /// v̇ and power, with the position realised and factored.
    fn accelerate(&mut self, context: &mut Context, point: &Point, vdot: &mut [f64], lean: bool) -> Result<f64> {
        let (system, t) = (context.system, point.t);
        context.evaluations += 1;
        if let (true, Some(planar)) = (lean, &mut self.planar) {
            planar.push(context, t, &point.v);
            return self.finish(context, t, vdot, lean);
        }
        let (cache, evaluation, size) = (&mut context.ws.cache, &mut context.ws.evaluation, context.ws.size);
        if let (true, Some(rows)) = (lean, &mut self.quadratic) {
            rows.acceleration_side(&point.v, evaluation);
        } else if lean {
            system.formulation.marker_velocities(&point.v, &system.constraints.row_bodies, cache);
            system.formulation.marker_bias(cache);
            system.constraints.move_row_markers(system.at(t), cache, evaluation);
        } else {
            system.formulation.velocities(&point.v, cache);
            system.constraints.move_markers(system.at(t), cache, evaluation);
            system.formulation.accelerations(None, cache);
            system.constraints.accelerate_markers(system.at(t), cache, evaluation);
        }
        if !lean || self.quadratic.is_none() {
            system.constraints.acceleration_side(t, size, evaluation);
        }
        if context.moving {
            system.constraints.velocity_side(system.at(t), size, evaluation);
        }
        if self.is_constant(context) {
            context.h.copy_from_slice(&self.mass.weight);
        } else {
            if self.mass.constant {
                self.mass.evaluate(system, &context.ws);
            }
            context.applied.evaluate(system, &context.ws, t);
            context.give(t);
            context.loads_only.clone_from(&context.applied.wrenches);
            match self.mass.linear {
                true => context.applied.add_rotor_inertia(system, &context.ws),
                false => context.applied.add_inertia(system, &context.ws),
            }
            self.mass.generalised(system, &context.ws, &context.applied.wrenches, &mut context.h);
        }
        self.finish(context, t, vdot, lean)
    }

    /// v̇ and power for the generalised forces and the side γ found.
    fn finish(&mut self, context: &mut Context, t: f64, vdot: &mut [f64], lean: bool) -> Result<f64> {
        if let Some((Probe::Row(i), by)) = context.probe {
            let scale = context.system.constraints.scale(i, t, context.ws.size);
            if let Some(gamma) = context.ws.evaluation.gamma.get_mut(i) {
                *gamma += scale * by;
            }
        }
        self.solve_accelerations(context);
        let mut finite = true;
        for ((vdot, x), scale) in vdot.iter_mut().zip(&self.kkt.x).zip(&context.scale) {
            *vdot = x * scale;
            finite &= vdot.is_finite();
        }
        if !finite {
            return Err(context.not_finite(t));
        }
        let loads = match &self.planar {
            _ if self.is_constant(context) => 0.0,
            Some(planar) if lean => planar.power(context),
            _ => context.load_power(),
        };
        Ok(loads + if context.moving { context.driver_power() } else { 0.0 })
    }

    /// Scaled accelerations and multipliers for the generalised forces h and the side γ.
    fn solve_accelerations(&mut self, context: &mut Context) {
        let nv = context.h.len();
        if let Some(reduced) = &mut self.reduced {
            let posed = Posed { ws: &context.ws, mass: &self.mass, rows: &self.kkt.rows, h: &context.h };
            reduced.solve(&posed, &mut self.kkt.x[..nv], &mut context.lambda);
            return;
        }
        for (side, h) in self.kkt.side.iter_mut().zip(&context.h) {
            *side = self.kkt.weight * h;
        }
        for (side, i) in self.kkt.side[nv..].iter_mut().zip(&self.kkt.rows) {
            *side = context.ws.gamma(*i);
        }
        self.kkt.solve();
        context.lambda.fill(0.0);
        for (x, i) in self.kkt.x[nv..].iter().zip(&self.kkt.rows) {
            context.lambda[*i] = x / self.kkt.weight;
        }
        if self.kkt.rows.len() == nv {
            // Nothing is free: rows alone say how it moves, and what forces would add is rounding, which in a long time leads far.
            self.kkt.side[..nv].fill(0.0);
            self.kkt.solve();
        }
    }
}

impl Equations for Rows {
    fn evaluate(&mut self, context: &mut Context, point: &Point, vdot: &mut [f64]) -> Result<f64> {
        let planar = self.by_planar(context).is_some();
        if let (true, Some(by)) = (planar, &mut self.planar) {
            by.tree.place(&point.q);
            context.move_bodies(point);
        }
        self.factor(context, point.t, &point.q, false)?;
        // What is told of a state is told to its last digits.
        let thorough = std::mem::replace(&mut self.kkt.thorough, true);
        let power = self.accelerate(context, point, vdot, planar);
        self.kkt.thorough = thorough;
        power
    }

    fn stage(&mut self, context: &mut Context, point: &Point, rates: &mut Rates) -> Result<()> {
        let lean = self.is_lean(context);
        match (lean, &mut self.planar) {
            (true, Some(planar)) => {
                planar.tree.place(&point.q);
                planar.tree.jacobian(&mut context.ws.evaluation);
            }
            (true, None) => {
                self.realize_rows(context, point.t, &point.q);
                self.realize_entries(context, point.t);
            }
            (false, _) => {
                context.ws.realize_position(context.system, point.t, &point.q);
                context.ws.realize_entries(context.system, point.t);
            }
        };
        self.factor(context, point.t, &point.q, false)?;
        self.rates(context, point, rates, lean)
    }

    fn arrive(&mut self, context: &mut Context, point: &mut Point, rates: &mut Rates, exact: bool) -> Result<f64> {
        let residual = self.project_position(context, point)?;
        let lean = self.is_lean(context);
        if !lean {
            context.ws.realize_position(context.system, point.t, &point.q);
        }
        self.realize_entries(context, point.t);
        self.factor(context, point.t, &point.q, exact)?;
        self.project_velocity(context, point);
        self.rates(context, point, rates, lean)?;
        Ok(residual)
    }

    fn project(&mut self, context: &mut Context, point: &mut Point) -> Result<f64> {
        let residual = self.project_position(context, point)?;
        context.ws.realize_position(context.system, point.t, &point.q);
        context.ws.realize_jacobian(context.system, point.t);
        self.factor(context, point.t, &point.q, true)?;
        self.project_velocity(context, point);
        Ok(residual)
    }

    fn respond(&mut self, context: &mut Context, wrenches: &[Wrench], force: &mut [f64], moved: &mut [f64]) {
        let system = context.system;
        if self.mass.constant {
            // Jacobians of the bodies, which nothing else asked for.
            self.mass.evaluate(system, &context.ws);
        }
        self.mass.generalised(system, &context.ws, wrenches, force);
        force.iter_mut().zip(&context.scale).for_each(|(force, scale)| *force /= scale);
        self.answer(context, force, moved);
    }

    fn line(&mut self, context: &mut Context, on: &[(usize, Wrench)]) -> Line {
        let mut force = Vec::new();
        for (body, wrench) in on {
            self.mass.of_body(context.system, &context.ws, (*body, wrench), &mut force);
        }
        if let Some([push, read]) = self.kkt.halves(force.iter().map(|(k, x)| (*k, x * context.scale[*k]))) {
            return Line { force, push, read };
        }
        // With pivots: the whole answer.
        let (mut all, mut moved) = (vec![0.0; self.dv.len()], vec![0.0; self.dv.len()]);
        force.iter().for_each(|(k, x)| all[*k] += x);
        self.answer(context, &all, &mut moved);
        let some = |of: &[f64]| of.iter().copied().enumerate().filter(|(_, x)| *x != 0.0).collect::<Vec<_>>();
        Line { push: some(&moved), read: some(&all), force }
    }

    fn answer(&mut self, context: &mut Context, force: &[f64], moved: &mut [f64]) {
        self.kkt.side.fill(0.0);
        for ((side, force), scale) in self.kkt.side.iter_mut().zip(force).zip(&context.scale) {
            *side = self.kkt.weight * force * scale;
        }
        let thorough = std::mem::replace(&mut self.kkt.thorough, true);
        self.kkt.solve();
        self.kkt.thorough = thorough;
        for ((moved, x), scale) in moved.iter_mut().zip(&self.kkt.x).zip(&context.scale) {
            *moved = x * scale;
        }
    }

    fn glance(&mut self, context: &mut Context, point: &Point) -> Option<Glance> {
        let planar = self.planar.as_mut().filter(|_| !context.is_given())?;
        Some(planar.glance(context, point))
    }

    fn keep_turns(&mut self) {
        if let Some(planar) = &mut self.planar {
            planar.tree.keep();
        }
    }

    fn is_near_singular(&self) -> bool {
        self.kkt.soft
    }

    fn independence(&self) -> f64 {
        self.kkt.independence()
    }
}

fn massless(system: &System) -> Error {
    let bodies = &system.model.bodies;
    let names: Vec<&str> = bodies.iter().skip(1).filter(|b| b.mass.is_none()).map(|b| b.name.as_str()).collect();
    match names.as_slice() {
        [] => Error::new("the equations of motion are singular: a freedom has neither mass nor driver")
            .note("a moment of inertia may be zero about an axis that nothing holds"),
        names => Error::new(format!("the motion of massless bodies is not determined: {}", names.join(", ")))
            .note("give them mass and inertia (or a shape with density), or fix their freedoms by joints or drivers"),
    }
    .because(Reason::Massless)
}

fn is_too_long(system: &System) -> bool {
    (1..system.model.bodies.len()).any(|body| system.formulation.spin_columns(body).len() > LONGEST)
}
