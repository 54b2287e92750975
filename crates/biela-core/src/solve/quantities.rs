//! Signals of linkages at a sample: instant centres, inflection circles, the bend of paths, transmission angles, ratios and advantages.
//!
//! With v and ω the velocity of a body's origin and its angular velocity against another body, their instant centre P lies at
//! ω × v/ω² from the origin. The point of the body at P has an acceleration a_P across the tangent of the pole curves, and the circle over
//! the diameter from P to the inflection pole W = P + a_P/ω² holds all points whose paths are straight to second order (Euler and Savary). A
//! point of velocity v and acceleration a has the curvature |v × a|/|v|³. None of these depends on how fast the mechanism moves.
//!
//! What lies at infinity is told as infinite; what nothing determines, because it stands still, is no number.

use crate::joints::Joint;
use crate::linkage::{self, input, Force, Hold, Moving, Pair, Pin, Tie, Transmission, FAR, NOWHERE, STILL};
use crate::math::{Elementary, Vec3};
use crate::signal::Element;
use crate::system::{BodyState, System, Workspace};

/// Values of an element; how many they are.
pub fn values(at: (&System, &Workspace), element: Element, values: &mut [f64]) -> usize {
    let planar = at.0.model.space.is_planar();
    let mut count = 0;
    let mut put = |x: f64| {
        values[count] = x;
        count += 1;
    };
    let place = |p: Vec3, put: &mut dyn FnMut(f64)| {
        let of_plane = if planar { 2 } else { 3 };
        p.to_array()[..of_plane].iter().for_each(|x| put(*x));
    };
    match element {
        Element::Centre(pair) => {
            let centre = centre(at, pair);
            let [own, ..] = origin(at.0, at.1, pair.bodies[1]);
            let told = centre + at.0.model.ground_reference();
            let local = match centre.is_finite() {
                true => at.1.cache.bodies[pair.bodies[1]].pose.rotation.apply_transposed(told - own),
                false => centre,
            };
            place(told, &mut put);
            place(local, &mut put);
        }
        Element::Inflection(body) => {
            let (diameter, pole) = inflection(at, body);
            put(diameter);
            place(pole + at.0.model.ground_reference(), &mut put);
        }
        Element::Bend(body, point) => {
            let (curvature, centre) = bend(at, body, at.0.model.bodies[body].points[point].1);
            put(curvature);
            put(1.0 / curvature.abs());
            place(centre + at.0.model.ground_reference(), &mut put);
        }
        Element::Transmission(t) => put(transmission(at, t)),
        Element::Advantage(joint, coordinate) => ratio(at, joint, coordinate).into_iter().for_each(put),
        _ => {}
    }
    count
}

/// Position, velocity and acceleration of a body's own origin, counted from the ground's.
pub fn origin(system: &System, ws: &Workspace, body: usize) -> [Vec3; 3] {
    let state = &ws.cache.bodies[body];
    if system.model.reference.is_none() {
        return [state.pose.origin, state.v, state.a];
    }
    let arm = state.pose.rotation.apply(system.model.origin_of(body));
    let p = state.pose.origin + arm + system.model.ground_reference();
    [p, state.velocity_at(arm), state.acceleration_at(arm)]
}

/// The fastest rate in the mechanism, in radians or sizes per second.
fn fastest(ws: &Workspace) -> f64 {
    ws.cache.bodies.iter().fold(0.0, |most: f64, b| most.max(b.w.norm()).max(b.v.norm() / ws.size))
}

/// The instant centre of two links, at the height of the second one's origin.
fn centre((system, ws): (&System, &Workspace), Pair { bodies: [a, b], tie }: Pair) -> Vec3 {
    let (first, second) = (&ws.cache.bodies[a], &ws.cache.bodies[b]);
    match tie {
        Tie::Pivot(joint) => {
            let joint = &system.model.joints[joint];
            let side = usize::from(joint.bodies[1] == b);
            second.pose.apply(joint.frames[side].origin)
        }
        Tie::Slide(_) => FAR,
        Tie::Apart => {
            let moving = |state: &BodyState| Moving { at: state.pose.origin, v: state.v, w: state.w };
            linkage::centre(moving(first), moving(second), fastest(ws), ws.size)
        }
    }
}

/// Diameter and inflection pole of a body that moves against the ground.
fn inflection(at: (&System, &Workspace), body: usize) -> (f64, Vec3) {
    let state: &BodyState = &at.1.cache.bodies[body];
    let pole = centre(at, Pair { bodies: [0, body], tie: Tie::Apart });
    if !pole.is_finite() {
        return (pole.x, pole);
    }
    let to = state.acceleration_at(pole - state.pose.origin) * (1.0 / state.w.dot(state.w));
    (to.norm(), pole + to)
}

/// Curvature of a point's path, positive to the left where the model is planar, and the centre of curvature.
fn bend((system, ws): (&System, &Workspace), body: usize, point: Vec3) -> (f64, Vec3) {
    let state = &ws.cache.bodies[body];
    let arm = state.pose.rotation.apply(point);
    let (v, a) = (state.velocity_at(arm), state.acceleration_at(arm));
    let (speed, fastest) = (v.norm(), fastest(ws));
    if speed <= STILL * fastest * ws.size {
        return (f64::NAN, NOWHERE);
    }
    let across = v.cross(a);
    // Roundings of accelerations are parts of what the fastest body has.
    if across.norm() <= STILL * speed * (a.norm() + fastest * fastest * ws.size) {
        return (0.0, FAR);
    }
    let sign = if system.model.space.is_planar() { across.z.signum() } else { 1.0 };
    let towards = a - v * (v.dot(a) / (speed * speed));
    let centre = state.pose.origin + arm + towards * (speed * speed / towards.dot(towards));
    (sign * across.norm() / (speed * speed * speed), centre)
}

/// The angle between a force and the normal of the way that its point can go: acute, a right angle at best.
fn transmission((system, ws): (&System, &Workspace), t: Transmission) -> f64 {
    let joint = |k: usize| -> &Joint { &system.model.joints[k] };
    let pose = |pin: Pin| ws.cache.bodies[joint(pin.joint).bodies[pin.side]].pose;
    let point = |pin: Pin| pose(pin).apply(joint(pin.joint).frames[pin.side].origin);
    let axis = |pin: Pin| pose(pin).rotation.apply(joint(pin.joint).frames[pin.side].rotation.axes[2]);
    let along = |k: usize| axis(Pin { joint: k, side: 0 });
    let at = point(t.at);
    // Pins of links that lie behind one another differ in height.
    let normal = match t.hold {
        Hold::Pivot(pin) => Some(axis(pin)),
        Hold::Slide(_) => match t.force {
            Force::Towards(pin) if !joint(pin.joint).kind.is_axial() => Some(axis(pin)),
            _ => None,
        },
    };
    let flat = |v: Vec3| normal.map_or(v, |n| v - n * n.dot(v)).unit().unwrap_or(NOWHERE);
    // A turn by a right angle of both changes nothing, so that what is across may stand for what is along.
    let (force, force_is_across) = match t.force {
        Force::Towards(pin) => (flat(point(pin) - at), false),
        Force::Across(slide) => (flat(along(slide)), true),
    };
    let (way, way_is_across) = match t.hold {
        Hold::Pivot(pin) => (flat(at - point(pin)), true),
        Hold::Slide(slide) => (flat(along(slide)), false),
    };
    let (cosine, sine) = (force.dot(way).abs(), force.cross(way).norm());
    match force_is_across == way_is_across {
        true => cosine.arctangent2(sine),
        false => sine.arctangent2(cosine),
    }
}

/// Rate of a coordinate against that of the driven one, and the reverse: by how much a force or torque grows.
fn ratio((system, ws): (&System, &Workspace), joint: usize, coordinate: usize) -> [f64; 2] {
    let Some(input) = input(system.model) else { return [f64::NAN; 2] };
    let rate = |joint: usize, coordinate: usize| {
        let measures = system.constraints.coordinates();
        let found = measures.iter().find(|(j, c, _)| (*j, *c) == (joint, coordinate));
        let Some((.., measure)) = found else { return (f64::NAN, true) };
        let rate = system.constraints.rate(*measure, &ws.evaluation);
        let size = if system.constraints.is_angle(*measure) { 1.0 } else { ws.size };
        (rate, rate.abs() <= STILL * size * fastest(ws))
    };
    match (rate(joint, coordinate), rate(input.joint, input.coordinate)) {
        (_, (_, true)) => [f64::NAN; 2],
        ((_, true), _) => [0.0, f64::INFINITY],
        ((output, _), (input, _)) => [output / input, input / output],
    }
}
