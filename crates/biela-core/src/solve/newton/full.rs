//! Full Newton-Raphson: a fresh Jacobian for every correction, redundant rows left out of the solve.

use super::{Memory, Method};
use crate::system::{System, Workspace};

#[derive(Debug)]
pub(super) struct Full;

impl Method for Full {
    fn keyword(&self) -> &'static str {
        "full"
    }
    fn help(&self) -> &'static str {
        "Newton-Raphson with a fresh Jacobian for every correction"
    }
    fn correct(&self, system: &System, ws: &mut Workspace, t: f64, q: &mut [f64], memory: &mut Memory) {
        ws.realize_jacobian(system, t);
        ws.factor(false);
        ws.solve_position(system, &mut memory.dv);
        memory.step(system, ws, q);
    }
}
