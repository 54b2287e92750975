//! Accompanying elements in motion.
//!
//! A rotor turns on its body b about an axis a by p = F(c), a function of joint coordinates c, so that ω = ω_b + ṗ a with
//! ṗ = Σ F_k ċ_k. A wrench on it works on b as if it were held fast there, and the wrench's moment about the axis works on each
//! coordinate besides, with the factor F_k = ∂F/∂c_k.

use super::{BodyState, System, Workspace};
use crate::couplings::CoordinateRef;
use crate::math::{Jet, Pose, Rotation};

/// Coordinates that an angle may depend on without an array of their own.
const FEW: usize = 8;

/// Number among the system's joint coordinates of one that a model names.
pub fn coordinate_number(system: &System, of: CoordinateRef) -> Option<usize> {
    system.constraints.coordinate_number(of.joint, of.coordinate)
}

/// Angle of rotor `r` with coordinates as `jet` makes them from their place among the rotor's own and their measure.
fn angle(system: &System, r: usize, jet: impl Fn(usize, usize) -> Jet) -> Jet {
    let rotor = &system.model.rotors[r];
    let count = rotor.coordinates.len() + 1;
    let (mut few, mut many) = ([Jet::default(); FEW], Vec::new());
    let environment = if count <= FEW {
        &mut few[..count]
    } else {
        many.resize(count, Jet::default());
        &mut many[..]
    };
    for (k, (slot, of)) in environment[1..].iter_mut().zip(&rotor.coordinates).enumerate() {
        if let Some(c) = coordinate_number(system, *of) {
            *slot = jet(k, system.constraints.coordinates()[c].2);
        }
    }
    rotor.angle.jet(environment)
}

/// Angle, rate and acceleration of rotor `r`, as far as the workspace's stages are realised.
pub fn turn(system: &System, ws: &Workspace, r: usize) -> Jet {
    let (all, e) = (&system.constraints, &ws.evaluation);
    angle(system, r, |_, m| Jet::new(all.value(m, e), all.rate(m, e), all.acceleration(m, e)))
}

/// ∂F/∂c of the `k`-th coordinate that rotor `r` depends on.
pub fn sensitivity(system: &System, ws: &Workspace, r: usize, k: usize) -> f64 {
    let value = |m| system.constraints.value(m, &ws.evaluation);
    let jet = |i, m| if i == k { Jet::variable(value(m)) } else { Jet::constant(value(m)) };
    angle(system, r, jet).d
}

/// Pose and motion of rotor `r`, its frame's origin on its axis, as far as the workspace's stages are realised.
pub fn state(system: &System, ws: &Workspace, r: usize) -> BodyState {
    let rotor = &system.model.rotors[r];
    let carrier = &ws.cache.bodies[rotor.body];
    let p = turn(system, ws, r);
    let s = carrier.pose.rotation.apply(rotor.at);
    let axis = carrier.pose.rotation.apply(rotor.axis);
    let own = Pose::new(Rotation::about(rotor.axis, p.v), rotor.at);
    let (w, alpha) = (carrier.w, carrier.alpha);
    BodyState {
        v: carrier.velocity_at(s),
        w: w + axis * p.d,
        a: carrier.acceleration_at(s),
        alpha: alpha + axis * p.dd + w.cross(axis) * p.d,
        ..BodyState::at_rest(carrier.pose * own)
    }
}
