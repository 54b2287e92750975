//! Back onto the constraints: position and velocity corrected by the least that masses allow.

use super::{Dynamics, Result, HELD, LOST, ROUNDING};
use crate::error::{ErrorKind, Reason};
use crate::solve::forward::Point;
use crate::solve::newton::ACCEPTED;

impl Dynamics<'_> {
    /// Brings position and velocity back onto the constraints, the shortest way in the metric of M. Returns the largest
    /// residual left.
    pub fn project(&mut self, point: &mut Point) -> Result<f64> {
        if self.open.is_some() {
            self.system.formulation.normalise(&mut point.q);
            self.ws.realize_position(self.system, point.t, &point.q);
            self.ws.realize_jacobian(self.system, point.t);
            return Ok(0.0);
        }
        let residual = self.project_position(point)?;
        self.ws.realize_position(self.system, point.t, &point.q);
        self.ws.realize_jacobian(self.system, point.t);
        self.factor(point.t, &point.q, true)?;
        self.project_velocity(point);
        Ok(residual)
    }

    /// Leads a position back onto the constraints with the factors at hand, which are renewed where they lead too slowly.
    pub(super) fn project_position(&mut self, point: &mut Point) -> Result<f64> {
        self.system.formulation.normalise(&mut point.q);
        let mut residual = self.correct(point)?;
        let solved = self.solved_residual();
        if residual > HELD.max(self.ws.accepted) && solved < 0.1 * residual {
            // Rows that were redundant where the rows were chosen are so no longer.
            self.ws.realize_position(self.system, point.t, &point.q);
            self.ws.realize_jacobian(self.system, point.t);
            self.mass.evaluate(self.system, &self.ws);
            self.kkt.choose_rows(&self.system.constraints, &self.ws, &self.mass, residual, true);
            residual = self.correct(point)?;
        }
        if residual > LOST.max(10.0 * self.ws.accepted) {
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
    fn solved_residual(&self) -> f64 {
        let phi = &self.ws.evaluation.phi;
        self.kkt.rows.iter().filter_map(|i| phi.get(*i)).fold(0.0f64, |most, x| most.max(x.abs()))
    }

    fn correct(&mut self, point: &mut Point) -> Result<f64> {
        const MOST: usize = 20;
        let (system, t, nv) = (self.system, point.t, self.h.len());
        let (mut before, mut fresh) = (f64::INFINITY, false);
        for _ in 0..MOST {
            let now = self.realize_rows(t, &point.q);
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
            let now = if self.ws.accepted > ACCEPTED { self.solved_residual() } else { now };
            if (now <= ROUNDING && !self.kkt.soft) || now <= f64::EPSILON || (fresh && now > 0.5 * before) {
                return Ok(all);
            }
            // Near positions where rows become dependent, factors of another position may lead the wrong way.
            if self.kkt.soft || !fresh && now > 0.1 * before {
                self.realize_entries(t);
                self.factor(t, &point.q, false)?;
                fresh = true;
            }
            before = now;
            self.kkt.side.fill(0.0);
            for (side, i) in self.kkt.side[nv..].iter_mut().zip(&self.kkt.rows) {
                *side = -self.ws.evaluation.phi.get(*i).copied().unwrap_or(0.0);
            }
            self.kkt.solve();
            for ((dv, x), scale) in self.dv.iter_mut().zip(&self.kkt.x).zip(&self.scale) {
                *dv = x * scale;
            }
            system.formulation.step(&mut point.q, &self.dv);
        }
        Ok(self.realize_rows(t, &point.q))
    }

    /// Corrects the velocity at the position realised and factored.
    pub(super) fn project_velocity(&mut self, point: &mut Point) {
        let (system, nv) = (self.system, self.h.len());
        let ws = &mut self.ws;
        if self.moving {
            system.constraints.velocity_side(system.at(point.t), ws.size, &mut ws.evaluation);
        }
        self.kkt.side.fill(0.0);
        for (side, i) in self.kkt.side[nv..].iter_mut().zip(&self.kkt.rows) {
            let nu = ws.evaluation.nu.get(*i).copied().unwrap_or(0.0);
            let range = ws.pattern.range(*i);
            let entries = ws.pattern.index[range.clone()].iter().zip(&ws.evaluation.phi_v[range]);
            *side = nu - entries.map(|(c, a)| a * point.v[*c] / self.scale[*c]).sum::<f64>();
        }
        self.kkt.solve();
        for ((v, x), scale) in point.v.iter_mut().zip(&self.kkt.x).zip(&self.scale) {
            *v += x * scale;
        }
    }
}
