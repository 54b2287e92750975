//! What the mass of a moving body amounts to: forces of inertia, momentum, kinetic energy.

#![allow(non_snake_case)] // w_B: an angular velocity in the body's axes (docs/notation.md).

use super::formulation::BodyState;
use super::wrench::Wrench;
use crate::math::Vec3;
use crate::model::MassProperties;

/// The wrench of d'Alembert: minus the rate of momentum of a body moving as `state` says, about its frame's origin.
pub fn inertia_wrench(mass: &MassProperties, state: &BodyState) -> Wrench {
    let rotation = &state.pose.rotation;
    let c = rotation.apply(mass.com);
    let (w, alpha) = (state.w, state.alpha);
    let a_com = state.acceleration_at(c);
    let inertia = |u: Vec3| mass.inertia.apply_in(rotation, u);
    let force = a_com * -mass.mass;
    let moment = -(inertia(alpha) + w.cross(inertia(w)));
    Wrench { force, moment: moment + c.cross(force) }
}

/// Momentum of a body, and its angular momentum about its frame's origin.
pub fn momentum(mass: &MassProperties, state: &BodyState) -> [Vec3; 2] {
    let rotation = &state.pose.rotation;
    let c = rotation.apply(mass.com);
    let p = state.velocity_at(c) * mass.mass;
    [p, mass.inertia.apply_in(rotation, state.w) + c.cross(p)]
}

/// Kinetic energy of a body.
pub fn kinetic_energy(mass: &MassProperties, state: &BodyState) -> f64 {
    let rotation = &state.pose.rotation;
    let v = state.velocity_at(rotation.apply(mass.com));
    let w_B = rotation.apply_transposed(state.w);
    0.5 * (mass.mass * v.dot(v) + w_B.dot(mass.inertia.apply(w_B)))
}
