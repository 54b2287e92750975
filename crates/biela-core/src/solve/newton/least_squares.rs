//! Gauss-Newton: the correction minimises |Φ_v δ + Φ|² over all rows, redundant ones included, by the normal equations
//! (Φ_vᵀ Φ_v) δ = −Φ_vᵀ Φ (equation 1.16 of the thesis in its right form; least squares of the natural-coordinates chapter).

use super::{Memory, Method};
use crate::system::{System, Workspace};

#[derive(Debug)]
pub(super) struct LeastSquares;

impl Method for LeastSquares {
    fn keyword(&self) -> &'static str {
        "least-squares"
    }
    fn help(&self) -> &'static str {
        "Gauss-Newton on all rows, redundant ones included"
    }
    fn correct(&self, system: &System, ws: &mut Workspace, t: f64, q: &mut [f64], memory: &mut Memory) {
        ws.realize_jacobian(system, t);
        let (matrix, side) = ws.dense();
        // Where the normal equations are singular the least damping that rounding lets through makes them solvable.
        const LEAST: f64 = 1e-14;
        let x = matrix.damped_least_squares(&side, 0.0).or_else(|| matrix.damped_least_squares(&side, LEAST));
        match x {
            Some(x) => ws.x.copy_from_slice(&x),
            None => ws.x.fill(f64::NAN),
        }
        memory.step(system, ws, q);
    }
}
