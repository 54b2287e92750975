//! Wrenches of gravity and of the model's loads on the bodies.

#![allow(non_snake_case)] // p_B: a point in its body's frame (docs/notation.md).

use crate::error::{Error, ErrorKind, Reason};
use crate::loads::Law;
use crate::math::Vec3;
use crate::solve::forces::contact;
use crate::system::inertia::inertia_wrench;
use crate::system::wrench::Wrench;
use crate::system::{inertia, rotor, System, Workspace};

/// Efforts of what touches, which whoever integrates a motion finds.
#[derive(Debug, Clone, Default)]
pub struct Touching {
    /// Wrenches on bodies, about their frames' origins in ground axes.
    pub wrenches: Vec<(usize, Wrench)>,
    /// What these push along joint coordinates: number, effort.
    pub pushes: Vec<(usize, f64)>,
    /// Contacts that press: which, normal effort, friction in ground axes.
    pub pressed: Vec<(usize, f64, Vec3)>,
}

impl Touching {
    /// Forgets all of it.
    pub fn clear(&mut self) {
        self.wrenches.clear();
        self.pushes.clear();
        self.pressed.clear();
    }
}

/// Evaluates loads; scratch is made once.
#[derive(Debug)]
pub struct Applied {
    /// t, then each joint coordinate and its rate.
    env: Vec<f64>,
    /// Wrench on each body, ground first, about its frame's origin.
    pub wrenches: Vec<Wrench>,
    /// What loads exert along each joint coordinate.
    pub efforts: Vec<f64>,
}

impl Applied {
    /// Scratch for a system.
    pub fn new(system: &System) -> Applied {
        Applied {
            env: vec![0.0; 1 + 2 * system.constraints.named_coordinates().len()],
            wrenches: vec![Wrench::ZERO; system.model.bodies.len()],
            efforts: vec![0.0; system.constraints.coordinates().len()],
        }
    }

    /// Gravity and loads at the position and velocity realised in the workspace.
    pub fn evaluate(&mut self, system: &System, ws: &Workspace, t: f64) {
        self.wrenches.fill(Wrench::ZERO);
        self.efforts.fill(0.0);
        let model = system.model;
        if let Some(gravity) = model.gravity {
            for (k, body) in model.bodies.iter().enumerate().skip(1) {
                if let Some(mass) = &body.mass {
                    let arm = ws.cache.bodies[k].pose.rotation.apply(mass.com);
                    self.wrenches[k].add(Wrench::of_force(gravity * mass.mass, arm));
                }
            }
            for (r, rotor) in model.rotors.iter().enumerate() {
                let arm = rotor::state(system, ws, r).pose.rotation.apply(rotor.mass.com);
                self.add_to_rotor(system, ws, r, Wrench::of_force(gravity * rotor.mass.mass, arm));
            }
        }
        if model.loads.is_empty() {
            return;
        }
        self.set_environment(system, ws, t, 0..system.constraints.named_coordinates().len());
        for load in &model.loads {
            self.load(system, ws, &load.law);
        }
    }

    /// Loads alone, where the bodies that they act on are placed and moved, and these joint coordinates, the only ones that they read.
    pub fn evaluate_loads(&mut self, system: &System, ws: &Workspace, t: f64, coordinates: &[usize]) {
        self.wrenches.fill(Wrench::ZERO);
        self.efforts.fill(0.0);
        self.set_environment(system, ws, t, coordinates.iter().copied());
        for load in &system.model.loads {
            self.load(system, ws, &load.law);
        }
    }

    /// The load that has no finite value at the position and velocity realised, if one has none, and the body it acts on.
    pub fn fault(system: &System, ws: &Workspace, t: f64) -> Option<Error> {
        let model = system.model;
        let mut alone = Applied::new(system);
        alone.set_environment(system, ws, t, 0..system.constraints.named_coordinates().len());
        model.loads.iter().find_map(|load| {
            alone.wrenches.fill(Wrench::ZERO);
            alone.load(system, ws, &load.law);
            // Of two bodies, the one that moves is told.
            let k = alone.wrenches.iter().rposition(|w| !(w.force.is_finite() && w.moment.is_finite()))?;
            let error = ErrorKind::Integration
                .error(format!("has no finite value at t = {t:.9} s"))
                .because(Reason::NotFinite)
                .at_time(t);
            let acts = format!("it acts on body '{}'", model.bodies[k].name);
            Some(error.of(format!("force '{}'", load.name)).at_opt(load.span.as_ref()).note(acts))
        })
    }

    /// Adds a change `by` of one component of a load, which bears no other.
    pub fn add_change(&mut self, system: &System, ws: &Workspace, law: &Law, component: usize, by: f64) {
        let axis = [Vec3::X, Vec3::Y, Vec3::Z][component.min(2)] * by;
        let turned = |in_body: bool, body: usize| match in_body {
            true => ws.cache.bodies[body].pose.rotation.apply(axis),
            false => axis,
        };
        match law {
            Law::Force { body, p_B, in_body, .. } => self.add_force(ws, (*body, *p_B, turned(*in_body, *body))),
            Law::Torque { body, in_body, .. } => self.wrenches[*body].add(Wrench::of_moment(turned(*in_body, *body))),
            Law::Between { ends, .. } => {
                let end = |(body, p_B): (usize, Vec3)| {
                    let pose = &ws.cache.bodies[body].pose;
                    pose.origin + pose.rotation.apply(p_B)
                };
                if let Some(u) = (end(ends[1]) - end(ends[0])).unit() {
                    self.add_force(ws, (ends[0].0, ends[0].1, u * by));
                    self.add_force(ws, (ends[1].0, ends[1].1, u * -by));
                }
            }
            Law::Coordinate { of, .. } => {
                if let Some(k) = system.constraints.coordinate_number(of.joint, of.coordinate) {
                    self.add_effort(system, ws, k, by);
                }
            }
            Law::Rotor { rotor, .. } => self.add_torque(system, ws, *rotor, by),
            Law::Contact(_) => {}
        }
    }

    fn set_environment(&mut self, system: &System, ws: &Workspace, t: f64, coordinates: impl Iterator<Item = usize>) {
        self.env[0] = t;
        for k in coordinates {
            let (_, _, measure) = system.constraints.coordinates()[k];
            self.env[2 * k + 1] = system.constraints.value(measure, &ws.evaluation);
            self.env[2 * k + 2] = system.constraints.rate(measure, &ws.evaluation);
        }
    }

    fn load(&mut self, system: &System, ws: &Workspace, law: &Law) {
        let bodies = &ws.cache.bodies;
        let vector = |value: &[crate::expr::Expression; 3], in_body: bool, body: usize, env: &[f64]| {
            let v = Vec3::new(value[0].eval(env), value[1].eval(env), value[2].eval(env));
            if in_body {
                bodies[body].pose.rotation.apply(v)
            } else {
                v
            }
        };
        match law {
            Law::Force { body, p_B, value, in_body } => {
                let force = vector(value, *in_body, *body, &self.env);
                let arm = bodies[*body].pose.rotation.apply(*p_B);
                self.wrenches[*body].add(Wrench::of_force(force, arm));
            }
            Law::Torque { body, value, in_body } => {
                let moment = vector(value, *in_body, *body, &self.env);
                self.wrenches[*body].add(Wrench::of_moment(moment));
            }
            Law::Between { ends, effort } => {
                let end = |(body, p_B): (usize, Vec3)| {
                    let b = &bodies[body];
                    let s = b.pose.rotation.apply(p_B);
                    (b.pose.origin + s, b.velocity_at(s), s)
                };
                let ((p, v, s), (q, w, r)) = (end(ends[0]), end(ends[1]));
                let d = q - p;
                // A spring of no length pulls in no direction.
                let Some(u) = d.unit() else { return };
                let rate = u.dot(w - v);
                let pull = -effort.value(d.norm(), rate, &self.env);
                self.wrenches[ends[0].0].add(Wrench::of_force(u * pull, s));
                self.wrenches[ends[1].0].add(Wrench::of_force(u * -pull, r));
            }
            Law::Coordinate { of, effort } => {
                let Some(k) = system.constraints.coordinate_number(of.joint, of.coordinate) else { return };
                let effort = effort.value(self.env[2 * k + 1], self.env[2 * k + 2], &self.env);
                self.efforts[k] += effort;
                self.add_effort(system, ws, k, effort);
            }
            Law::Rotor { rotor, effort } => {
                let p = rotor::turn(system, ws, *rotor);
                let torque = effort.value(p.v, p.d, &self.env);
                self.add_torque(system, ws, *rotor, torque);
            }
            Law::Contact(k) => contact::pushes(&system.model.contacts[*k], bodies, |push| {
                for (body, force) in push.bodies.into_iter().zip([-push.force, push.force]) {
                    self.wrenches[body].add(Wrench::of_force(force, push.at - bodies[body].pose.origin));
                }
            }),
        }
    }

    /// Adds a torque about the axis of a rotor, which its body withstands.
    fn add_torque(&mut self, system: &System, ws: &Workspace, r: usize, torque: f64) {
        for (k, of) in system.model.rotors[r].coordinates.iter().enumerate() {
            if let Some(number) = rotor::coordinate_number(system, *of) {
                self.add_effort(system, ws, number, torque * rotor::sensitivity(system, ws, r, k));
            }
        }
    }

    /// Adds a wrench on a rotor, about its own origin.
    fn add_to_rotor(&mut self, system: &System, ws: &Workspace, r: usize, wrench: Wrench) {
        let rotor = &system.model.rotors[r];
        let rotation = &ws.cache.bodies[rotor.body].pose.rotation;
        self.wrenches[rotor.body].add(wrench.about(-rotation.apply(rotor.at)));
        self.add_torque(system, ws, r, wrench.moment.dot(rotation.apply(rotor.axis)));
    }

    /// Adds a force in ground axes on a point of a body.
    pub fn add_force(&mut self, ws: &Workspace, (body, p_B, force): (usize, Vec3, Vec3)) {
        let arm = ws.cache.bodies[body].pose.rotation.apply(p_B);
        self.wrenches[body].add(Wrench::of_force(force, arm));
    }

    /// Adds an effort along the joint coordinate of that number.
    pub fn add_effort(&mut self, system: &System, ws: &Workspace, coordinate: usize, effort: f64) {
        wrenches_along(system, ws, coordinate, effort, &mut |body, wrench| self.wrenches[body].add(wrench));
    }

    /// Adds what touches.
    pub fn add_touching(&mut self, touching: &Touching) {
        touching.wrenches.iter().for_each(|(body, wrench)| self.wrenches[*body].add(*wrench));
        touching.pushes.iter().for_each(|(coordinate, effort)| self.efforts[*coordinate] += effort);
    }

    /// Adds the inertia of all bodies, accelerating as realised in the workspace.
    pub fn add_inertia(&mut self, system: &System, ws: &Workspace) {
        for (k, body) in system.model.bodies.iter().enumerate().skip(1) {
            if let Some(mass) = &body.mass {
                self.wrenches[k].add(inertia_wrench(mass, &ws.cache.bodies[k]));
            }
        }
        self.add_rotor_inertia(system, ws);
    }

    /// Adds the inertia of rotors alone.
    pub fn add_rotor_inertia(&mut self, system: &System, ws: &Workspace) {
        for (r, rotor) in system.model.rotors.iter().enumerate() {
            let wrench = inertia_wrench(&rotor.mass, &rotor::state(system, ws, r));
            self.add_to_rotor(system, ws, r, wrench);
        }
    }
}

/// The wrenches on bodies of an effort along the joint coordinate of that number.
pub fn wrenches_along(
    system: &System,
    ws: &Workspace,
    coordinate: usize,
    effort: f64,
    push: &mut dyn FnMut(usize, Wrench),
) {
    let Some((_, _, measure)) = system.constraints.coordinates().get(coordinate) else { return };
    let gradient = system.constraints.measure_gradient(*measure, &ws.evaluation);
    for (marker, value, g) in gradient.iter().flatten() {
        if let Some((body, wrench)) = marker_wrench(marker, *value, *g * effort, ws) {
            push(body, wrench);
        }
    }
}

/// The body that a marker belongs to, and the wrench on it (about its origin) of a generalised force `g` on the marker.
pub(super) fn marker_wrench(
    marker: &crate::joints::Marker,
    value: Vec3,
    g: Vec3,
    ws: &Workspace,
) -> Option<(usize, Wrench)> {
    use crate::joints::Marker;
    match *marker {
        Marker::Point { body, .. } => Some((body, Wrench::of_force(g, value - ws.cache.bodies[body].pose.origin))),
        Marker::Direction { body, .. } => Some((body, Wrench::of_moment(value.cross(g)))),
        Marker::Prescribed { .. } | Marker::Own { .. } => None,
    }
}

/// Kinetic energy of all bodies and rotors, moving as realised in the workspace.
pub fn kinetic_energy(system: &System, ws: &Workspace) -> f64 {
    let model = system.model;
    let masses = model.bodies.iter().zip(&ws.cache.bodies).skip(1);
    let bodies: f64 = masses.filter_map(|(b, s)| b.mass.as_ref().map(|m| inertia::kinetic_energy(m, s))).sum();
    let rotors = model.rotors.iter().enumerate();
    bodies + rotors.map(|(r, rotor)| inertia::kinetic_energy(&rotor.mass, &rotor::state(system, ws, r))).sum::<f64>()
}

/// −Σ m g·r of mass centres from the ground's origin, plus the energy of springs with constant stiffness.
pub fn potential_energy(system: &System, ws: &Workspace) -> f64 {
    let model = system.model;
    let mut energy = 0.0;
    if let Some(gravity) = model.gravity {
        for (body, state) in model.bodies.iter().zip(&ws.cache.bodies).skip(1) {
            if let Some(mass) = &body.mass {
                energy -= mass.mass * gravity.dot(state.pose.apply(mass.com));
            }
        }
        for (r, rotor) in model.rotors.iter().enumerate() {
            energy -= rotor.mass.mass * gravity.dot(rotor::state(system, ws, r).pose.apply(rotor.mass.com));
        }
    }
    energy + spring_energy(system, ws)
}

/// Energy of springs with constant stiffness, where the bodies and coordinates that they lie between are placed.
pub fn spring_energy(system: &System, ws: &Workspace) -> f64 {
    let mut energy = 0.0;
    for load in &system.model.loads {
        match &load.law {
            Law::Between { ends, effort } => {
                let point = |(body, p_B): (usize, Vec3)| ws.cache.bodies[body].pose.apply(p_B);
                if let Some((k, free)) = effort.elastic() {
                    let stretch = (point(ends[1]) - point(ends[0])).norm() - free;
                    energy += 0.5 * k * stretch * stretch;
                }
            }
            Law::Coordinate { of, effort } => {
                let found = system.constraints.coordinates().iter().find(|c| (c.0, c.1) == (of.joint, of.coordinate));
                if let (Some((k, rest)), Some(c)) = (effort.elastic(), found) {
                    let stretch = system.constraints.value(c.2, &ws.evaluation) - rest;
                    energy += 0.5 * k * stretch * stretch;
                }
            }
            Law::Contact(k) => {
                contact::pushes(&system.model.contacts[*k], &ws.cache.bodies, |push| energy += push.stored[0]);
            }
            _ => {}
        }
    }
    energy
}
