//! Forces at the samples of a motion: by the formulation at hand, or in absolute coordinates where it cannot tell them all.

use super::Dynamics;
use crate::error::Result;
use crate::signal::Asked;
use crate::solve::forces::{ForceAnalysis, Rubbed, Rule};
use crate::system::{BodyState, System, Workspace};

/// Tells forces at samples.
#[derive(Debug)]
pub enum SampleForces<'m> {
    /// By the formulation at hand.
    Own(Box<ForceAnalysis>),
    /// By a second system in absolute coordinates.
    Twin(Box<Twin<'m>>),
}

/// The same mechanism in absolute coordinates.
#[derive(Debug)]
pub struct Twin<'m> {
    system: System<'m>,
    ws: Workspace,
    forces: ForceAnalysis,
    q: Vec<f64>,
    v: Vec<f64>,
    vdot: Vec<f64>,
}

impl<'m> SampleForces<'m> {
    /// For a system.
    pub fn new(system: &System<'m>) -> Result<SampleForces<'m>> {
        match ForceAnalysis::new(system, true) {
            Ok(own) => Ok(SampleForces::Own(Box::new(own))),
            Err(error) if system.model.gravity.is_none() => Err(error),
            Err(_) => {
                let system = System::new(system.model, "absolute")?;
                let forces = ForceAnalysis::new(&system, true)?;
                let ws = Workspace::new(&system);
                let (nq, nv) = (system.formulation.nq(), system.formulation.nv());
                let (q, v, vdot) = (vec![0.0; nq], vec![0.0; nv], vec![0.0; nv]);
                Ok(SampleForces::Twin(Box::new(Twin { system, ws, forces, q, v, vdot })))
            }
        }
    }

    /// What is asked for of the forces at time `t` of the state realised in `dynamics`, accelerations included.
    pub fn evaluate(&mut self, dynamics: &mut Dynamics, t: f64, asked: Asked) -> Result<&ForceAnalysis> {
        if let Some((sliding, rubbed)) = dynamics.sliding.as_ref().zip(self.rubbed_mut()) {
            sliding.tell(rubbed);
        }
        let forces = match self {
            SampleForces::Own(forces) => forces,
            SampleForces::Twin(twin) => &mut twin.forces,
        };
        forces.touching.clone_from(&dynamics.given.touching);
        match self {
            SampleForces::Own(forces) => {
                // Asked for or not: a motion goes on with the pivots chosen here, and must be the same to the last bit.
                dynamics.ws.factor(true);
                forces.evaluate_asked(asked, dynamics.system, &mut dynamics.ws, t)?;
                Ok(forces)
            }
            SampleForces::Twin(twin) => {
                if asked.forces || asked.energies {
                    twin.evaluate(dynamics, t)?;
                }
                Ok(&twin.forces)
            }
        }
    }
}

impl SampleForces<'_> {
    /// The forces last told.
    pub fn latest(&self) -> &ForceAnalysis {
        match self {
            SampleForces::Own(forces) => forces,
            SampleForces::Twin(twin) => &twin.forces,
        }
    }

    /// Friction, which the motion gives.
    pub fn rubbed_mut(&mut self) -> Option<&mut Rubbed> {
        let rubbed = match self {
            SampleForces::Own(forces) => forces.rubbed_mut(),
            SampleForces::Twin(twin) => twin.forces.rubbed_mut(),
        }?;
        rubbed.rule = Rule::Given;
        Some(rubbed)
    }

    /// What a user should know of the forces told so far.
    pub fn notes(&self, system: &System) -> Vec<(String, String)> {
        match self {
            SampleForces::Own(forces) => forces.notes(system),
            SampleForces::Twin(twin) => twin.forces.notes(&twin.system),
        }
    }
}

impl Twin<'_> {
    fn evaluate(&mut self, dynamics: &Dynamics, t: f64) -> Result<()> {
        let Twin { system, ws, forces, q, v, vdot } = self;
        // Beyond the model's bodies stand those that a formulation has added to close its loops by.
        let bodies = &dynamics.ws.cache.bodies[..system.model.bodies.len()];
        let poses: Vec<_> = bodies.iter().map(|b| b.pose).collect();
        system.formulation.coordinates(&poses, q);
        for (k, (v, vdot)) in v.iter_mut().zip(vdot.iter_mut()).enumerate() {
            let (body, component) = system.model.space.twist(k);
            let BodyState { v: linear, w, a, alpha, .. } = &bodies[body];
            (*v, *vdot) = match component {
                0..3 => (linear[component], a[component]),
                _ => (w[component - 3], alpha[component - 3]),
            };
        }
        ws.size = dynamics.ws.size;
        let (ours, theirs) = (system.constraints.coordinates(), dynamics.system.constraints.coordinates());
        for ((_, _, here), (_, _, there)) in ours.iter().zip(theirs) {
            ws.evaluation.near[*here] = dynamics.system.constraints.value(*there, &dynamics.ws.evaluation);
        }
        ws.realize_position(system, t, q);
        ws.realize_jacobian(system, t);
        ws.realize_velocity(system, t, v);
        ws.realize_acceleration(system, t, vdot);
        ws.factor(true);
        forces.evaluate(system, ws, t)
    }
}
