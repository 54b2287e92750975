//! Jacobian transpose: δ = −α Φ_vᵀ Φ with the step α that minimises |Φ + Φ_v δ| (equations 1.12 and 1.13 of the thesis). It solves
//! no system, and converges linearly.

use super::{Memory, Method};
use crate::system::{System, Workspace};

#[derive(Debug)]
pub(super) struct Transpose;

impl Method for Transpose {
    fn keyword(&self) -> &'static str {
        "transpose"
    }
    fn help(&self) -> &'static str {
        "Jacobian transpose with the optimal step"
    }
    fn most(&self) -> usize {
        100_000
    }
    fn correct(&self, system: &System, ws: &mut Workspace, t: f64, q: &mut [f64], memory: &mut Memory) {
        ws.realize_jacobian(system, t);
        let gradient = ws.gradient();
        let mut product = vec![0.0; ws.pattern.rows()];
        ws.pattern.multiply(&ws.evaluation.phi_v, &gradient, &mut product);
        let dot: f64 = product.iter().zip(&ws.evaluation.phi).map(|(p, phi)| p * phi).sum();
        let square: f64 = product.iter().map(|p| p * p).sum();
        let alpha = if square > 0.0 { dot / square } else { 0.0 };
        for (x, g) in ws.x.iter_mut().zip(&gradient) {
            *x = -alpha * g;
        }
        memory.step(system, ws, q);
    }
}
