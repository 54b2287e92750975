//! Velocities at the start of bodies that nothing joins: of each by itself, so that thousands of them need no matrix of them all.

use super::{Added, Basis, Given};
use crate::math::Vec3;
use crate::solve::convert;
use crate::system::{BodyState, System, Workspace};

/// Freedoms of a body: three of its origin, three of turning.
const FREEDOMS: usize = 6;

/// Velocities in the system's own numbers, and bodies of which something rests that nothing was said about; none where bodies are joined, driven or
/// coupled, where nothing is given, or where values contradict each other, which others tell.
pub(super) fn velocities(
    system: &System,
    ws: &mut Workspace,
    t: f64,
    given: &[(String, Given, f64)],
) -> Option<(Vec<f64>, Vec<String>)> {
    let model = system.model;
    let joined = !(model.joints.is_empty() && model.couplings.is_empty() && model.drivers.is_empty());
    if joined || given.is_empty() || !model.rotors.is_empty() || model.study.nearest {
        return None;
    }
    let mut bodies: Vec<BodyState> = ws.cache.bodies.clone();
    let mut at_rest = Vec::new();
    let body_of = |given: &Given| match given {
        Given::PointVelocity(body, ..) | Given::AngularVelocity(body, _) => Some(*body),
        _ => None,
    };
    let mut of_body: Vec<Vec<(&Given, f64)>> = vec![Vec::new(); model.bodies.len()];
    for (_, signal, value) in given {
        of_body.get_mut(body_of(signal)?)?.push((signal, *value));
    }
    for (number, given) in of_body.iter().enumerate().skip(1) {
        let state = &mut bodies[number];
        (state.v, state.w) = (Vec3::ZERO, Vec3::ZERO);
        let body = &model.bodies[number];
        if given.is_empty() {
            at_rest.push(body.name.clone());
            continue;
        }
        // The six numbers are the origin's velocity and the size times the angular one; in a plane three of them are zero.
        let components = model.space.components();
        let unit = |k: usize| (0..FREEDOMS).map(|i| f64::from(u8::from(i == k))).collect::<Vec<f64>>();
        let mut basis = Basis {
            particular: vec![0.0; FREEDOMS],
            freedoms: components.iter().map(|k| unit(*k)).collect(),
            rows: Vec::new(),
        };
        let turn = state.pose.rotation;
        let row = |signal: &Given| -> Vec<f64> {
            let (force, moment) = match signal {
                Given::PointVelocity(_, p, axis) => (*axis, turn.apply(*p).cross(*axis)),
                Given::AngularVelocity(_, axis) => (Vec3::ZERO, *axis),
                _ => (Vec3::ZERO, Vec3::ZERO),
            };
            force.to_array().into_iter().chain((moment * (1.0 / ws.size)).to_array()).collect()
        };
        for (signal, value) in given {
            if matches!(basis.add(&row(signal), *value), Added::Conflict) {
                return None;
            }
        }
        let centre = body.mass.map_or(Vec3::ZERO, |m| m.com);
        let axes = [Vec3::X, Vec3::Y, Vec3::Z];
        let turning = axes.map(|axis| Given::AngularVelocity(number, axis));
        let moving = axes.map(|axis| Given::PointVelocity(number, centre, axis));
        let mut rests = false;
        for signal in turning.iter().chain(&moving) {
            rests |= matches!(basis.add(&row(signal), 0.0), Added::Independent);
        }
        if rests {
            at_rest.push(body.name.clone());
        }
        let found = basis.solution();
        state.v = Vec3::new(found[0], found[1], found[2]);
        state.w = Vec3::new(found[3], found[4], found[5]) * (1.0 / ws.size);
    }
    let found = convert::velocities(&bodies, t, system, ws).ok()?;
    Some((found, at_rest))
}
