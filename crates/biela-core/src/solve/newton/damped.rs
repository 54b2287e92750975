//! Damped least squares: (Φ_vᵀ Φ_v + λ² I) δ = −Φ_vᵀ Φ (equations 1.17 to 1.20 of the thesis). The damping follows the residual,
//! so that it keeps steps short far away and fades near the solution.

use super::{Memory, Method};
use crate::system::{System, Workspace};

#[derive(Debug)]
pub(super) struct Damped;

impl Method for Damped {
    fn keyword(&self) -> &'static str {
        "damped"
    }
    fn help(&self) -> &'static str {
        "damped least squares, the damping proportional to the residual"
    }
    fn most(&self) -> usize {
        200
    }
    fn correct(&self, system: &System, ws: &mut Workspace, t: f64, q: &mut [f64], memory: &mut Memory) {
        ws.realize_jacobian(system, t);
        let (matrix, side) = ws.dense();
        let damping = (0.1 * memory.residual.min(1.0)).max(1e-14);
        match matrix.damped_least_squares(&side, damping) {
            Some(x) => ws.x.copy_from_slice(&x),
            None => ws.x.fill(f64::NAN),
        }
        memory.step(system, ws, q);
    }
}
