//! Newton's method on the constraint equations, with redundant rows kept out of the solve.
//!
//! The Jacobian is factored where Newton starts and kept while it contracts (modified Newton); it is refreshed as soon as
//! an iteration gains less than a digit. Convergence is judged on all rows, redundant ones included.

use crate::math::sparse::Elimination;
use crate::system::{System, Workspace};

/// Scaled residual at which iterating on gains nothing: a few roundings.
pub const ROUNDING: f64 = 2e-15;
/// Largest scaled residual of an accepted position.
pub const ACCEPTED: f64 = 1e-12;
/// Rows whose entries fall below this fraction during elimination count as dependent. Positions are accurate to about
/// 1e-14, so dependence shows up far below it, and a mechanism this close to singular has lost half its digits.
pub const RANK_TOLERANCE: f64 = 1e-9;
const MOST_ITERATIONS: usize = 30;

/// How Newton ended well.
#[derive(Debug, Clone, Copy, Default)]
pub struct Converged {
    /// Number of corrections made.
    pub iterations: usize,
    /// Largest component of the sum of corrections, lengths divided by the size.
    pub moved: f64,
    /// Largest residual left.
    pub residual: f64,
}

/// How Newton failed.
#[derive(Debug, Clone, Copy)]
pub struct Failure {
    /// Number of corrections made.
    pub iterations: usize,
    /// Largest residual left.
    pub residual: f64,
}

impl Workspace {
    /// Factors Φ_v as realised. `exact` says that the position satisfies the constraints, so that ranks can be judged.
    pub fn factor(&mut self, exact: bool) {
        let full = |e: &Elimination| e.rank() == self.pattern.columns;
        if let Some(elimination) = &mut self.elimination {
            let sound = elimination.refactor(&self.pattern, &self.evaluation.phi_v).is_ok();
            // A deficient rank found away from the constraints is not to be believed.
            if sound && (full(elimination) || !exact || self.judged) {
                return;
            }
        }
        // Away from the constraints redundant rows look independent; keep those known to be redundant out. Where the rows
        // determine everything this is not needed, as the strongest are chosen, and another choice may be called for.
        let skip = match &self.elimination {
            Some(elimination) if !exact && !full(elimination) => elimination.dependent_rows().to_vec(),
            _ => Vec::new(),
        };
        self.analyse(&skip);
        self.judged = exact;
    }

    /// Chooses pivots anew for Φ_v as realised.
    pub fn analyse(&mut self, skip: &[usize]) {
        let mut fresh = Elimination::analyse(&self.pattern, &self.evaluation.phi_v, RANK_TOLERANCE, skip);
        // Fresh pivots suit these numbers by construction; a small one here only means a nearly singular position.
        let _ = fresh.refactor(&self.pattern, &self.evaluation.phi_v);
        self.elimination = Some(fresh);
        self.analyses += 1;
        self.judged = false;
    }

    /// Moves q onto the constraints at time `t`. `dv` and `sum` are scratch of the velocities' size.
    pub fn newton(
        &mut self,
        system: &System,
        t: f64,
        q: &mut [f64],
        dv: &mut [f64],
        sum: &mut [f64],
    ) -> Result<Converged, Failure> {
        sum.fill(0.0);
        let mut previous = f64::INFINITY;
        for iterations in 0..MOST_ITERATIONS {
            let residual = self.realize_position(system, t, q);
            let stalled = residual > 0.3 * previous;
            if residual <= ROUNDING || (residual <= ACCEPTED && stalled) {
                let moved = sum.iter().fold(0.0f64, |most, x| most.max(x.abs()));
                return Ok(Converged { iterations, moved, residual });
            }
            if !residual.is_finite() || residual > 1e3 * previous.max(1.0) {
                return Err(Failure { iterations, residual });
            }
            if iterations == 0 || residual > 0.1 * previous {
                self.realize_jacobian(system, t);
                self.factor(false);
            }
            self.solve_position(system, dv);
            system.formulation.step(q, dv);
            for (sum, x) in sum.iter_mut().zip(&self.x) {
                *sum += x;
            }
            previous = residual;
        }
        let residual = self.realize_position(system, t, q);
        Err(Failure { iterations: MOST_ITERATIONS, residual })
    }
}
