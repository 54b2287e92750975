//! Energies of a state, and the power of everything that has no potential.

use super::dynamics::Context;
use crate::loads::Law;
use crate::math::Vec3;
use crate::solve::forces::{contact, kinetic_energy, potential_energy};
use crate::system::rotor;
use crate::system::wrench::Wrench;

impl Context<'_> {
    /// Kinetic and potential energy of the state last realised with all bodies.
    pub fn energies(&self) -> (f64, f64) {
        (kinetic_energy(self.system, &self.ws), potential_energy(self.system, &self.ws))
    }

    /// Power of loads without potential, at the state last realised with all bodies.
    pub(super) fn load_power(&self) -> f64 {
        let (system, ws) = (self.system, &self.ws);
        let mut power = 0.0;
        for (k, (wrench, state)) in self.loads_only.iter().zip(&ws.cache.bodies).enumerate().skip(1) {
            let mut wrench = *wrench;
            if let (Some(gravity), Some(mass)) = (system.model.gravity, &system.model.bodies[k].mass) {
                let arm = state.pose.rotation.apply(mass.com);
                wrench.add(Wrench::of_force(gravity * -mass.mass, arm));
            }
            power += wrench.force.dot(state.v) + wrench.moment.dot(state.w);
        }
        if let Some(gravity) = system.model.gravity {
            for (r, rotor) in system.model.rotors.iter().enumerate() {
                let state = rotor::state(system, ws, r);
                let velocity = state.velocity_at(state.pose.rotation.apply(rotor.mass.com));
                power -= rotor.mass.mass * gravity.dot(velocity);
            }
        }
        power + self.spring_rate()
    }

    /// The same where loads alone were evaluated, and the bodies that they act on alone are placed and moved.
    pub(super) fn power_of_loads(&self, bodies: &[usize]) -> f64 {
        let power = |k: &usize| {
            let (wrench, state) = (&self.loads_only[*k], &self.ws.cache.bodies[*k]);
            wrench.force.dot(state.v) + wrench.moment.dot(state.w)
        };
        bodies.iter().map(power).sum::<f64>() + self.spring_rate()
    }

    /// Power of drivers and other moving constraints: −λ·ν.
    pub(super) fn driver_power(&self) -> f64 {
        -self.lambda.iter().zip(&self.ws.evaluation.nu).map(|(lambda, nu)| lambda * nu).sum::<f64>()
    }

    /// Rate of the springs' potential energy, as [`potential_energy`] counts it.
    fn spring_rate(&self) -> f64 {
        let (system, ws) = (self.system, &self.ws);
        let mut rate = 0.0;
        for load in &system.model.loads {
            match &load.law {
                Law::Between { ends, effort } => {
                    let Some((k, free)) = effort.elastic() else { continue };
                    let end = |(body, p): (usize, Vec3)| {
                        let b = &ws.cache.bodies[body];
                        let s = b.pose.rotation.apply(p);
                        (b.pose.origin + s, b.velocity_at(s))
                    };
                    let ((p, v), (q, w)) = (end(ends[0]), end(ends[1]));
                    let d = q - p;
                    if let Some(u) = d.unit() {
                        rate += k * (d.norm() - free) * u.dot(w - v);
                    }
                }
                Law::Coordinate { of, effort } => {
                    let Some((k, rest)) = effort.elastic() else { continue };
                    let coordinates = system.constraints.coordinates();
                    if let Some((_, _, m)) = coordinates.iter().find(|c| (c.0, c.1) == (of.joint, of.coordinate)) {
                        let stretch = system.constraints.value(*m, &ws.evaluation) - rest;
                        rate += k * stretch * system.constraints.rate(*m, &ws.evaluation);
                    }
                }
                Law::Contact(k) => {
                    contact::pushes(&system.model.contacts[*k], &ws.cache.bodies, |push| rate += push.stored[1]);
                }
                _ => {}
            }
        }
        rate
    }
}
