//! Signals on request: magnitudes, tensions, powers, what the ground bears, the mechanism as a whole, quantities of linkages.

use crate::joints::Space;
use crate::math::Vec3;
use crate::signal::Element;
use crate::solve::forces::ForceAnalysis;
use crate::solve::quantities::{self, origin};
use crate::system::{inertia, rotor, System, Workspace};
use std::f64::consts::{PI, TAU};

/// Whether an element's values are made here.
pub fn is_made(element: Element) -> bool {
    use Element::{
        Axial, BodyFigures, BornePower, CamFigures, Efficiency, Friction, Ground, Hold, PointFigures, Power, Resultant,
        System,
    };
    let figures = matches!(element, BodyFigures(_) | PointFigures(..) | CamFigures(_) | Resultant(_) | Axial(_));
    let rubbed = matches!(element, Friction(_) | Efficiency(_) | Hold(_));
    figures || rubbed || matches!(element, Power(_) | BornePower(..) | Ground | System) || element.is_of_linkage()
}

/// Values of an element; how many they are. What forces tell is left out where there are none.
pub fn values(
    (system, ws): (&System, &Workspace),
    forces: Option<&ForceAnalysis>,
    element: Element,
    values: &mut [f64],
) -> usize {
    if element.is_of_linkage() {
        return quantities::values((system, ws), element, values);
    }
    let model = system.model;
    let planar = model.space.is_planar();
    let mut put = |from: &[f64]| {
        values[..from.len()].copy_from_slice(from);
        from.len()
    };
    match (element, forces) {
        (Element::BodyFigures(k), _) => {
            let [_, v, a] = origin(system, ws, k);
            if planar {
                return put(&[v.norm(), a.norm()]);
            }
            let [roll, pitch, yaw] = ws.cache.bodies[k].pose.rotation.to_rpy();
            put(&[v.norm(), a.norm(), half_open(roll), pitch, half_open(yaw)])
        }
        (Element::PointFigures(k, p), _) => {
            let state = &ws.cache.bodies[k];
            let s = state.pose.rotation.apply(model.bodies[k].points[p].1);
            put(&[state.velocity_at(s).norm(), state.acceleration_at(s).norm()])
        }
        (Element::CamFigures(k), _) => {
            let coupling = &model.couplings[k];
            let number = coupling.coordinates.first().and_then(|cam| rotor::coordinate_number(system, *cam));
            let Some((number, follower)) = number.zip(coupling.follower) else { return 0 };
            let angle = system.constraints.value(system.constraints.coordinates()[number].2, &ws.evaluation);
            let contact = follower.contact(coupling.lift(angle));
            put(&[contact.radius, contact.pressure_angle, contact.curvature_radius])
        }
        (Element::System, _) if planar => {
            let [com, p, l] = whole(system, ws);
            put(&[com.x, com.y, p.x, p.y, l.z])
        }
        (Element::System, _) => put(whole(system, ws).map(Vec3::to_array).as_flattened()),
        (Element::Resultant(k), Some(forces)) if !model.joints[k].bears() => put(&[forces.push(system, k).abs()]),
        (Element::Resultant(k), Some(forces)) => put(&[forces.reactions.joints[k].force.norm()]),
        // What drives its ends apart presses it.
        (Element::Axial(k), Some(forces)) if model.joints[k].is_free() => put(&[-forces.push(system, k)]),
        (Element::Axial(k), Some(forces)) => put(&[-along(system, ws, k).dot(forces.reactions.joints[k].force)]),
        (Element::Friction(k), Some(forces)) => {
            let place = forces.rubbed().and_then(|rubbed| Some((rubbed, rubbed.place(k)?)));
            place.map_or(0, |(rubbed, k)| put(&[rubbed.tau[k], if rubbed.stuck[k] { 1.0 } else { 0.0 }]))
        }
        (Element::Efficiency(k), Some(forces)) => {
            let (effort, power) = (forces.reactions.drivers[k].x, forces.reactions.power[k]);
            forces.rubbed().map_or(0, |rubbed| put(&[rubbed.efficiency(k, effort, power)]))
        }
        (Element::Hold(k), Some(forces)) => forces.rubbed().map_or(0, |rubbed| put(&rubbed.hold[k])),
        (Element::Power(k), Some(forces)) => put(&[forces.reactions.power[k]]),
        (Element::BornePower(j, c), Some(forces)) => {
            let measure = system.constraints.coordinates().iter().find(|x| (x.0, x.1) == (j, c)).map(|x| x.2);
            let rate = measure.map_or(0.0, |m| system.constraints.rate(m, &ws.evaluation));
            put(&[forces.borne(j, c) * rate])
        }
        (Element::Ground, Some(forces)) => {
            let wrench = forces.on_ground(ws).about(model.study.moment_point - model.ground_reference());
            match model.space {
                Space::Spatial => put([wrench.force, wrench.moment].map(Vec3::to_array).as_flattened()),
                Space::Planar => put(&[wrench.force.x, wrench.force.y, wrench.moment.z]),
            }
        }
        _ => 0,
    }
}

/// An angle in (−π, π]; what rounding puts beside −π is π.
fn half_open(angle: f64) -> f64 {
    /// Roundings of a rotation are a few 1e-16; a position is known to 1e-12 or better.
    const BESIDE: f64 = 1e-12;
    if angle <= BESIDE - PI {
        angle + TAU
    } else {
        angle
    }
}

/// The direction from a joint's point of the first body to that of the second; zero where they meet.
fn along(system: &System, ws: &Workspace, joint: usize) -> Vec3 {
    let joint = &system.model.joints[joint];
    let point = |side: usize| ws.cache.bodies[joint.bodies[side]].pose.apply(joint.frames[side].origin);
    (point(1) - point(0)).unit().unwrap_or(Vec3::ZERO)
}

/// Mass centre, momentum, and angular momentum about the ground's origin, of all bodies and rotors.
fn whole(system: &System, ws: &Workspace) -> [Vec3; 3] {
    let model = system.model;
    let (mut mass, mut first, mut p, mut l) = (0.0, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
    let mut add = |m: &crate::math::MassProperties, state: &crate::system::BodyState| {
        let [own, spin] = inertia::momentum(m, state);
        mass += m.mass;
        first += state.pose.apply(m.com) * m.mass;
        p += own;
        l += spin + state.pose.origin.cross(own);
    };
    let bodies = model.bodies.iter().zip(&ws.cache.bodies).skip(1);
    bodies.filter_map(|(body, state)| Some((body.mass.as_ref()?, state))).for_each(|(m, state)| add(m, state));
    for (r, rotor) in model.rotors.iter().enumerate() {
        add(&rotor.mass, &rotor::state(system, ws, r));
    }
    // Told from the ground's own origin.
    let reference = model.ground_reference();
    [first * (1.0 / mass) + reference, p, l + reference.cross(p)]
}
