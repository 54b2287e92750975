//! Back onto the constraints: position and velocity corrected by the least that masses allow.

use super::context::Context;
use super::rows::Rows;
use crate::error::{ErrorKind, Reason, Result};
use crate::solve::forward::Point;
use crate::solve::newton::ACCEPTED;

/// Largest scaled residual at which iterating on gains nothing.
const ROUNDING: f64 = 1e-14;
/// Largest scaled residual of a projected position.
const HELD: f64 = 1e-11;
/// Violation of a row beyond which the constraints cannot be held.
const LOST: f64 = 1e-9;

impl Rows {
    /// Leads a position back onto the constraints with the factors at hand, which are renewed where they lead too slowly.
    pub(super) fn project_position(&mut self, context: &mut Context, point: &mut Point) -> Result<f64> {
        context.system.formulation.normalise(&mut point.q);
        let mut residual = self.correct(context, point)?;
        let solved = self.solved_residual(context);
        if residual > HELD.max(context.ws.accepted) && solved < 0.1 * residual {
            // Rows that were redundant where the rows were chosen are so no longer.
            context.ws.realize_position(context.system, point.t, &point.q);
            context.ws.realize_jacobian(context.system, point.t);
            self.mass.evaluate(context.system, &context.ws);
            self.kkt.choose_rows(&context.system.constraints, &context.ws, &self.mass, residual, true);
            residual = self.correct(context, point)?;
        }
        if residual > LOST.max(10.0 * context.ws.accepted) {
            return Err(ErrorKind::Integration
                .error(format!("the constraints cannot be held at t = {:.9} s", point.t))
                .because(Reason::ConstraintsLost)
                .at_time(point.t)
                .with_residual(residual)
                .note(format!("the largest residual left is {residual:.1e}"))
                .note("the step may be too long, or the mechanism may meet a position where it can go several ways"));
        }
        Ok(residual)
    }

    /// Largest residual of the rows solved for, as realised.
    fn solved_residual(&self, context: &Context) -> f64 {
        let phi = &context.ws.evaluation.phi;
        self.kkt.rows.iter().filter_map(|i| phi.get(*i)).fold(0.0f64, |most, x| most.max(x.abs()))
    }

    fn correct(&mut self, context: &mut Context, point: &mut Point) -> Result<f64> {
        const MOST: usize = 20;
        let (system, t, nv) = (context.system, point.t, context.h.len());
        let (mut before, mut fresh) = (f64::INFINITY, false);
        for _ in 0..MOST {
            let now = self.realize_rows(context, t, &point.q);
            if !now.is_finite() {
                return Err(ErrorKind::Integration
                    .error(format!("the motion has no finite values at t = {t:.9} s"))
                    .because(Reason::NotFinite)
                    .at_time(t)
                    .note("the step is too long"));
            }
            // What is left of a residual weighs the more the nearer such a position is.
            // Redundant rows that do not fit the others keep what they are off by.
            let all = now;
            let now = if context.ws.accepted > ACCEPTED { self.solved_residual(context) } else { now };
            if (now <= ROUNDING && !self.kkt.soft) || now <= f64::EPSILON || (fresh && now > 0.5 * before) {
                return Ok(all);
            }
            // Near positions where rows become dependent, factors of another position may lead the wrong way.
            if self.kkt.soft || !fresh && now > 0.1 * before {
                self.realize_entries(context, t);
                self.factor(context, t, &point.q, false)?;
                fresh = true;
            }
            before = now;
            self.kkt.side.fill(0.0);
            for (side, i) in self.kkt.side[nv..].iter_mut().zip(&self.kkt.rows) {
                *side = -context.ws.evaluation.phi.get(*i).copied().unwrap_or(0.0);
            }
            self.kkt.solve();
            for ((dv, x), scale) in self.dv.iter_mut().zip(&self.kkt.x).zip(&context.scale) {
                *dv = x * scale;
            }
            system.formulation.step(&mut point.q, &self.dv);
        }
        Ok(self.realize_rows(context, t, &point.q))
    }

    /// Corrects the velocity at the position realised and factored.
    pub(super) fn project_velocity(&mut self, context: &mut Context, point: &mut Point) {
        let (system, nv) = (context.system, context.h.len());
        let ws = &mut context.ws;
        if context.moving {
            system.constraints.velocity_side(system.at(point.t), ws.size, &mut ws.evaluation);
        }
        self.kkt.side.fill(0.0);
        for (side, i) in self.kkt.side[nv..].iter_mut().zip(&self.kkt.rows) {
            let nu = ws.evaluation.nu.get(*i).copied().unwrap_or(0.0);
            let range = ws.pattern.range(*i);
            let entries = ws.pattern.index[range.clone()].iter().zip(&ws.evaluation.phi_v[range]);
            *side = nu - entries.map(|(c, a)| a * point.v[*c] / context.scale[*c]).sum::<f64>();
        }
        self.kkt.solve();
        for ((v, x), scale) in point.v.iter_mut().zip(&self.kkt.x).zip(&context.scale) {
            *v += x * scale;
        }
    }
}
