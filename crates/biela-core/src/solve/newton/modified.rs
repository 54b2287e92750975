//! Modified Newton: the Jacobian is factored where Newton starts and kept while it contracts; it is refreshed as soon as a
//! correction gains less than a digit.

use super::{Memory, Method};
use crate::system::{System, Workspace};

#[derive(Debug)]
pub(super) struct Modified;

impl Method for Modified {
    fn keyword(&self) -> &'static str {
        "modified"
    }
    fn help(&self) -> &'static str {
        "Newton with the Jacobian kept while it contracts"
    }
    fn keeps_factors(&self) -> bool {
        true
    }
    fn correct(&self, system: &System, ws: &mut Workspace, t: f64, q: &mut [f64], memory: &mut Memory) {
        if memory.iteration == 0 || memory.residual > 0.1 * memory.previous {
            ws.realize_jacobian(system, t);
            ws.factor(false);
        }
        ws.solve_position(system, &mut memory.dv);
        memory.step(system, ws, q);
    }
}
