//! Pseudo-inverse: δ = −Φ_v⁺ Φ by the singular value decomposition, small singular values left out. Redundant rows and missing
//! ones are both met by the shortest correction.

use super::{Memory, Method};
use crate::system::{System, Workspace};

#[derive(Debug)]
pub(super) struct PseudoInverse;

impl Method for PseudoInverse {
    fn keyword(&self) -> &'static str {
        "pseudo-inverse"
    }
    fn help(&self) -> &'static str {
        "Newton by the pseudo-inverse (singular value decomposition)"
    }
    fn correct(&self, system: &System, ws: &mut Workspace, t: f64, q: &mut [f64], memory: &mut Memory) {
        ws.realize_jacobian(system, t);
        let (matrix, side) = ws.dense();
        // Away from the solution redundant rows look almost, not quite, dependent; what is this small is left out.
        const SMALL: f64 = 1e-6;
        ws.x.copy_from_slice(&matrix.pseudo_solve(&side, SMALL));
        memory.step(system, ws, q);
    }
}
