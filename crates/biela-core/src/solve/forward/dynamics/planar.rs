//! Mechanisms in one plane, in joint coordinates: masses, forces and rows by recursions along the tree ([`PlanarTree`]); of the bodies only those
//! that loads act on are placed.

use super::super::mass::MassMatrix;
use super::super::Point;
use super::context::Context;
use super::equations::Glance;
use crate::loads::Law;
use crate::solve::forces::spring_energy;
use crate::system::{PlanarMotion, PlanarTree};

/// The recursions, and what loads need besides.
#[derive(Debug)]
pub struct PlanarLoops {
    pub tree: PlanarTree,
    /// Joint coordinates that loads read, and bodies that these lie between or loads act on.
    coordinates: Vec<usize>,
    bodies: Vec<usize>,
}

impl PlanarLoops {
    /// At the position q realised, with Φ_v, where all moves in one plane and rows do not move by themselves.
    pub fn new(context: &Context, mass: &MassMatrix, q: &[f64]) -> Option<PlanarLoops> {
        let system = context.system;
        if mass.linear || context.moving {
            return None;
        }
        let tree = PlanarTree::new(system, &context.ws, &mass.pattern, q)?;
        let (mut coordinates, mut bodies) = (Vec::new(), Vec::new());
        for load in &system.model.loads {
            // Slot 0 is the time; then each coordinate and its rate.
            let read = load.law.expressions().into_iter().flat_map(|e| e.variables()).filter(|slot| **slot > 0);
            coordinates.extend(read.map(|slot| (slot - 1) / 2));
            match &load.law {
                Law::Force { body, .. } | Law::Torque { body, .. } => bodies.push(*body),
                Law::Between { ends, .. } => bodies.extend(ends.iter().map(|end| end.0)),
                Law::Coordinate { of, .. } => {
                    coordinates.extend(system.constraints.coordinate_number(of.joint, of.coordinate));
                }
                Law::Contact(k) => bodies.extend(system.model.contacts[*k].bodies.iter().flatten()),
                Law::Rotor { .. } => return None,
            }
        }
        for list in [&mut coordinates, &mut bodies] {
            list.sort_unstable();
            list.dedup();
        }
        coordinates.retain(|k| *k < system.constraints.coordinates().len());
        for k in &coordinates {
            let (_, _, measure) = system.constraints.coordinates()[*k];
            let markers = system.constraints.measure_gradient(measure, &context.ws.evaluation);
            bodies.extend(markers.into_iter().flatten().filter_map(|(marker, ..)| marker.body()));
        }
        bodies.sort_unstable();
        bodies.dedup();
        bodies.retain(|body| *body > 0);
        Some(PlanarLoops { tree, coordinates, bodies })
    }

    /// Places and moves what loads act on and read.
    fn show(&self, context: &mut Context) {
        let system = context.system;
        self.tree.show(&self.bodies, &mut context.ws);
        for k in &self.coordinates {
            let (_, _, measure) = system.constraints.coordinates()[*k];
            system.constraints.realize_measure(measure, &context.ws.cache, &mut context.ws.evaluation);
        }
    }

    /// Generalised forces and γ for velocities v where bodies were last placed.
    pub fn push(&mut self, context: &mut Context, t: f64, v: &[f64]) {
        let system = context.system;
        self.tree.acceleration_side(v, &mut context.ws.evaluation);
        if !system.model.loads.is_empty() {
            self.show(context);
            context.applied.evaluate_loads(system, &context.ws, t, &self.coordinates);
            context.give(t);
            context.loads_only.clone_from(&context.applied.wrenches);
        }
        self.tree.forces(&self.bodies, &context.applied.wrenches, &mut context.h);
    }

    /// Energies, speeds and turns at a point.
    pub fn glance(&mut self, context: &mut Context, point: &Point) -> Glance {
        self.tree.place(&point.q);
        self.tree.travel(&point.v);
        let PlanarMotion { kinetic, weight, spin, turned } = self.tree.motion();
        let springs = match context.system.model.loads.is_empty() {
            true => 0.0,
            false => {
                self.show(context);
                spring_energy(context.system, &context.ws)
            }
        };
        Glance { energies: (kinetic, weight + springs), spin, turned }
    }

    /// Power of loads without potential where forces were last found.
    pub fn power(&self, context: &Context) -> f64 {
        match context.system.model.loads.is_empty() {
            true => 0.0,
            false => context.power_of_loads(&self.bodies),
        }
    }
}
