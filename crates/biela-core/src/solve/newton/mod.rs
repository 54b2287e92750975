//! Newton's method on the constraint equations and its relatives, as named methods: one file each, registry [`METHODS`].
//!
//! All share one loop: evaluate the residuals, stop where they are down to rounding, else correct. Convergence is judged on
//! all rows, redundant ones included. The methods differ in how a correction follows from Φ and Φ_v.

mod bfgs;
mod damped;
mod full;
mod least_squares;
mod modified;
mod pseudo_inverse;
mod transpose;

use crate::math::dense::Matrix;
use crate::math::sparse::Elimination;
use crate::solve::vectors::max_abs;
pub use crate::system::ACCEPTED;
use crate::system::{Evaluation, System, Workspace};

/// Scaled residual at which iterating on gains nothing: a few roundings.
pub const ROUNDING: f64 = 2e-15;
/// Corrections one after the other that leave no less than one before them, but other roundings, after which there is nothing to gain.
const TOSSED: usize = 6;
/// Rows whose entries fall below this fraction during elimination count as dependent. Positions are accurate to about
/// 1e-14, so dependence shows up far below it, and a mechanism this close to singular has lost half its digits.
pub const RANK_TOLERANCE: f64 = 1e-9;

/// Every method, the default first.
pub static METHODS: &[&dyn Method] = &[
    &modified::Modified,
    &full::Full,
    &least_squares::LeastSquares,
    &damped::Damped,
    &transpose::Transpose,
    &pseudo_inverse::PseudoInverse,
    &bfgs::Bfgs,
];

/// A way of correcting a position.
pub trait Method: Sync + std::fmt::Debug {
    /// The word after `--newton`.
    fn keyword(&self) -> &'static str;
    /// One sentence for help and documentation.
    fn help(&self) -> &'static str;
    /// Corrections after which it gives up.
    fn most(&self) -> usize {
        30
    }
    /// Whether factors of a position nearby serve as well as those where Newton starts.
    fn keeps_factors(&self) -> bool {
        false
    }
    /// Makes one correction of `q`; residuals are realised there.
    fn correct(&self, system: &System, ws: &mut Workspace, t: f64, q: &mut [f64], memory: &mut Memory);
}

/// The method of that keyword.
pub fn method(keyword: &str) -> Option<&'static dyn Method> {
    METHODS.iter().copied().find(|m| m.keyword() == keyword)
}

/// What a method remembers from one correction to the next, and scratch. Made once for many solves.
#[derive(Debug, Clone)]
pub struct Memory {
    /// Corrections made in this solve.
    pub iteration: usize,
    /// Largest residual now, and before the last correction.
    pub residual: f64,
    /// Largest residual before the last correction.
    pub previous: f64,
    /// Sum of the corrections, in scaled velocities.
    pub sum: Vec<f64>,
    /// The correction in velocities (scratch).
    dv: Vec<f64>,
    /// Approximate inverse Hessian, and the gradient it was last updated at (quasi-Newton).
    hessian: Option<(Matrix, Vec<f64>)>,
}

impl Memory {
    /// For `nv` velocities.
    pub fn new(nv: usize) -> Memory {
        Memory {
            iteration: 0,
            residual: f64::INFINITY,
            previous: f64::INFINITY,
            sum: vec![0.0; nv],
            dv: vec![0.0; nv],
            hessian: None,
        }
    }

    fn restart(&mut self) {
        self.iteration = 0;
        self.previous = f64::INFINITY;
        self.sum.fill(0.0);
        self.hessian = None;
    }

    /// Steps `q` by the correction in `ws.x` and adds it up.
    fn step(&mut self, system: &System, ws: &Workspace, q: &mut [f64]) {
        for (k, (dv, x)) in self.dv.iter_mut().zip(&ws.x).enumerate() {
            *dv = x * system.formulation.scale(k, ws.size);
        }
        system.formulation.step(q, &self.dv);
        for (sum, x) in self.sum.iter_mut().zip(&ws.x) {
            *sum += x;
        }
    }
}

/// How a solve ended well.
#[derive(Debug, Clone, Copy, Default)]
pub struct Converged {
    /// Number of corrections made.
    pub iterations: usize,
    /// Largest component of the sum of corrections, lengths divided by the size.
    pub moved: f64,
    /// Largest residual left.
    pub residual: f64,
}

/// How a solve failed.
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
        let Some(elimination) = &mut self.elimination else {
            self.analyse(&[]);
            self.chosen_exactly = exact;
            return;
        };
        let sound = elimination.refactor(&self.pattern, &self.evaluation.phi_v).is_ok();
        // Rows chosen under way, without those that were redundant before, are chosen again where ranks can be judged.
        if sound && (self.chosen_exactly || !exact) {
            return;
        }
        // Away from the constraints redundant rows look independent; those known to be redundant are kept out, unless the
        // others no longer suffice without them.
        let skip = if exact { Vec::new() } else { elimination.dependent_rows().to_vec() };
        let rank = elimination.rank();
        self.analyse(&skip);
        if !skip.is_empty() && self.elimination.as_ref().is_some_and(|e| e.rank() < rank) {
            self.analyse(&[]);
        }
        self.chosen_exactly = exact;
    }

    /// Chooses pivots anew for Φ_v as realised, at a position that satisfies the constraints.
    pub fn analyse(&mut self, skip: &[usize]) {
        let Evaluation { phi_v, weight, .. } = &self.evaluation;
        let fresh = Elimination::analyse_weighted(&self.pattern, phi_v, weight, RANK_TOLERANCE, skip);
        self.take(fresh);
    }

    /// The same with the most independent rows preferred, where the usual choice is poor.
    pub fn analyse_carefully(&mut self) {
        let Evaluation { phi_v, weight, .. } = &self.evaluation;
        self.take(Elimination::analyse_carefully(&self.pattern, phi_v, weight, RANK_TOLERANCE));
    }

    fn take(&mut self, mut fresh: Elimination) {
        // Fresh pivots suit these numbers by construction; a small one here only means a nearly singular position.
        let _ = fresh.refactor(&self.pattern, &self.evaluation.phi_v);
        self.elimination = Some(fresh);
        self.analyses += 1;
        self.chosen_exactly = true;
    }

    /// Moves `q` onto the constraints at time `t`.
    pub fn newton(
        &mut self,
        method: &dyn Method,
        system: &System,
        t: f64,
        q: &mut [f64],
        memory: &mut Memory,
    ) -> Result<Converged, Failure> {
        memory.restart();
        let (mut least, mut tossed) = (f64::INFINITY, 0);
        for iterations in 0..=method.most() {
            let residual = self.realize_position(system, t, q);
            let stalled = residual > 0.3 * memory.previous;
            tossed = if residual >= least && self.is_rounding(residual) { tossed + 1 } else { 0 };
            least = least.min(residual);
            if residual <= ROUNDING || (residual <= self.accepted && stalled) {
                let moved = max_abs(&memory.sum);
                return Ok(Converged { iterations, moved, residual });
            }
            if !residual.is_finite()
                || residual > 1e3 * memory.previous.max(1.0)
                || iterations == method.most()
                || tossed == TOSSED
            {
                return Err(Failure { iterations, residual });
            }
            (memory.iteration, memory.residual) = (iterations, residual);
            method.correct(system, self, t, q, memory);
            memory.previous = residual;
        }
        Err(Failure { iterations: method.most(), residual: memory.residual })
    }

    /// True where a residual is more than what is accepted by no more than rounding explains, of coordinates that are large beside what they tell.
    pub fn is_rounding(&self, residual: f64) -> bool {
        /// Roundings of coordinates that far away, in what is accepted.
        const ROUNDINGS: f64 = 100.0;
        residual <= ROUNDINGS * self.accepted
    }

    /// Φ_v as realised (idle rows included) as a dense matrix, and −Φ beside it.
    fn dense(&self) -> (Matrix, Vec<f64>) {
        let mut matrix = Matrix::zeros(self.pattern.rows(), self.pattern.columns);
        for i in 0..self.pattern.rows() {
            for k in self.pattern.range(i) {
                matrix.row_mut(i)[self.pattern.index[k]] = self.evaluation.phi_v[k];
            }
        }
        let mut side = vec![0.0; self.pattern.rows()];
        for (side, phi) in side.iter_mut().zip(&self.evaluation.phi) {
            *side = -phi;
        }
        (matrix, side)
    }

    /// Φ_vᵀ Φ: the gradient of ½ |Φ|² in scaled velocities.
    fn gradient(&self) -> Vec<f64> {
        let mut gradient = vec![0.0; self.pattern.columns];
        for (i, phi) in self.evaluation.phi.iter().enumerate() {
            for k in self.pattern.range(i) {
                gradient[self.pattern.index[k]] += self.evaluation.phi_v[k] * phi;
            }
        }
        gradient
    }
}
