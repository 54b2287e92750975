//! The force analysis of one sample after another.

use super::{potential_energy, Applied, Multipliers, Reactions, Shares};
use crate::error::{Error, Result};
use crate::system::wrench::{generalised, kinetic_energy};
use crate::system::{System, Workspace};

/// Loads, multipliers and reactions of a system, with all scratch.
#[derive(Debug)]
pub struct ForceAnalysis {
    applied: Applied,
    multipliers: Multipliers,
    shares: Shares,
    side: Vec<f64>,
    /// True where inertia counts.
    inertia: bool,
    /// What joints, couplings and drivers exert in the sample last evaluated.
    pub reactions: Reactions,
    /// Kinetic energy of the sample last evaluated.
    pub kinetic: f64,
    /// Potential energy of the sample last evaluated.
    pub potential: f64,
    /// Largest moment about an idle body's own line that nothing balances, over all samples.
    pub unbalanced: f64,
}

impl ForceAnalysis {
    /// For a system, with or without inertia. Gravity must be stated.
    pub fn new(system: &System, inertia: bool) -> Result<ForceAnalysis> {
        if system.model.gravity.is_none() {
            return Err(Error::new("the model does not say what gravity is")
                .note("write gravity = [0, -9.81, 0], or [0, 0, 0] for none; or give --gravity 0,0,-9.81"));
        }
        Ok(ForceAnalysis {
            applied: Applied::new(system),
            multipliers: Multipliers::default(),
            shares: Shares::new(system)?,
            side: vec![0.0; system.formulation.nv()],
            inertia,
            reactions: Reactions::new(system),
            kinetic: 0.0,
            potential: 0.0,
            unbalanced: 0.0,
        })
    }

    /// Forces at the position, velocity and acceleration realised in the workspace, with Φ_v factored there.
    pub fn evaluate(&mut self, system: &System, ws: &mut Workspace, t: f64) {
        self.applied.evaluate(system, ws, t);
        if self.inertia {
            self.applied.add_inertia(system.model, ws);
        }
        generalised(system, ws, &self.applied.wrenches, &mut self.side);
        self.multipliers.solve(ws, &self.side);
        let rows = system.constraints.len();
        for idle in &self.multipliers.lambda[rows..] {
            self.unbalanced = self.unbalanced.max(idle.abs());
        }
        let lambda = &self.multipliers.lambda[..rows];
        self.reactions.find(system, &self.shares, ws, t, lambda, &self.applied.wrenches);
        let masses = system.model.bodies.iter().zip(&ws.cache.bodies).skip(1);
        self.kinetic = masses.filter_map(|(b, s)| b.mass.as_ref().map(|m| kinetic_energy(m, s))).sum();
        self.potential = potential_energy(system, ws);
    }
}
