//! Rigid contacts of bodies: each ball, corner, rim, edge or curve of a shape that may touch another.

#![allow(non_snake_case)] // p_B: a point in its body's frame (docs/notation.md).

use super::{Push, Unilateral};
use crate::error::Result;
use crate::joints::Restitution;
use crate::math::Vec3;
use crate::model::Model;
use crate::solve::forces::contact::moving;
use crate::system::wrench::Wrench;
use crate::system::{System, Workspace};
use biela_distance::{Seat, Touch};

/// The rigid contacts of a model.
pub(super) struct Contacts;

/// One place of one of them.
#[derive(Debug)]
pub struct Place {
    name: String,
    /// The contact, its two shapes, and what of them may touch.
    contact: usize,
    shapes: usize,
    source: usize,
    bodies: [usize; 2],
    friction: f64,
    restitution: Restitution,
    tangents: usize,
    /// The side that its corner bears on, where that ends sharply.
    seat: Option<Seat>,
}

/// What is told as the gap of what does not face the other shape at all, in sizes of the mechanism.
const FAR: f64 = 10.0;

impl Place {
    /// Of a contact by its number, a pair of its shapes, and what of them may touch.
    pub fn of(model: &Model, (contact, shapes, source): (usize, usize, usize), name: String) -> Place {
        let of = &model.contacts[contact];
        Place {
            name,
            contact,
            shapes,
            source,
            bodies: of.touching[shapes].bodies,
            friction: of.friction,
            restitution: Restitution { coefficient: of.restitution, law: of.impact },
            tangents: if model.space.is_planar() { 1 } else { 2 },
            seat: None,
        }
    }

    fn touch(&self, system: &System, ws: &Workspace) -> Touch {
        let touching = &system.model.contacts[self.contact].touching[self.shapes];
        let poses = self.bodies.map(|k| &ws.cache.bodies[k].pose);
        match &self.seat {
            Some(seat) => seat.touch(poses),
            None => touching.pair.touch(self.source, poses),
        }
    }

    /// The direction of that number: the normal out of the first body, then tangents.
    fn way(&self, k: usize, touch: &Touch) -> Vec3 {
        let n = touch.normal;
        match (k, self.tangents) {
            (0, _) => n,
            (_, 1) => Vec3::new(-n.y, n.x, 0.0),
            (1, _) => n.any_perpendicular(),
            _ => n.cross(n.any_perpendicular()),
        }
    }
}

impl Unilateral for Place {
    fn name(&self) -> &str {
        &self.name
    }
    fn gap(&self, system: &System, ws: &Workspace) -> f64 {
        self.touch(system, ws).gap.min(FAR * ws.size)
    }
    fn wrenches(&self, k: usize, system: &System, ws: &Workspace, push: Push) {
        let touch = self.touch(system, ws);
        let direction = self.way(k, &touch);
        let at = (touch.points[0] + touch.points[1]) * 0.5;
        for (body, force) in self.bodies.into_iter().zip([-direction, direction]) {
            push(body, Wrench::of_force(force, at - ws.cache.bodies[body].pose.origin));
        }
    }
    fn acceleration(&self, k: usize, system: &System, ws: &Workspace) -> f64 {
        let touch = self.touch(system, ws);
        let [one, two] = self.bodies.map(|k| moving(&ws.cache.bodies[k]));
        let change = touch.change([&one, &two]);
        match k {
            0 => change.gap[1],
            _ => change.slide[1].dot(self.way(k, &touch)),
        }
    }
    fn tangents(&self) -> usize {
        match self.friction > 0.0 {
            true => self.tangents,
            false => 0,
        }
    }
    fn friction(&self) -> [f64; 2] {
        [self.friction; 2]
    }
    fn restitution(&self) -> Restitution {
        self.restitution
    }
    /// The witnesses of a distance move no faster than their bodies' outermost points.
    fn clearance(&self, system: &System, ws: &Workspace) -> Option<(f64, f64)> {
        let pair = &system.model.contacts[self.contact].touching[self.shapes].pair;
        let states = self.bodies.map(|k| &ws.cache.bodies[k]);
        let poses = states.map(|state| &state.pose);
        let apart = pair.apart(self.source, poses);
        let reach = [0, 1].map(|k| pair.forms()[k].around.0.norm() + pair.forms()[k].around.1);
        let across = (poses[1].origin - poses[0].origin).norm();
        let speed = |k: usize| {
            // Of what has no end, there where the other one is.
            let reach = if reach[k].is_finite() { reach[k] } else { across + reach[1 - k] + apart.abs() };
            states[k].v.norm() + states[k].w.norm() * reach
        };
        Some((apart, speed(0) + speed(1)))
    }
    fn contact(&self) -> Option<usize> {
        Some(self.contact)
    }
    fn seat(&mut self, bears: bool, system: &System, ws: &Workspace) {
        self.seat = None;
        if bears {
            self.seat = Seat::of(&self.touch(system, ws), self.bodies.map(|k| &ws.cache.bodies[k].pose));
        }
    }
    fn room(&self, ws: &Workspace) -> Option<f64> {
        let touch = self.seat.as_ref()?.touch(self.bodies.map(|k| &ws.cache.bodies[k].pose));
        // Half of the skin beyond its end it is left.
        touch.ends.iter().flatten().map(|end| end.0 + 0.5 * touch.skin).reduce(f64::min)
    }
    fn passes(&self, system: &System, ws: &Workspace) -> bool {
        let touch = self.touch(system, ws);
        let at = (touch.points[0] + touch.points[1]) * 0.5;
        let [v, w] = self.bodies.map(|k| {
            let body = &ws.cache.bodies[k];
            body.velocity_at(at - body.pose.origin)
        });
        let beyond =
            |(room, way): &(f64, Vec3)| *room < -0.25 * touch.skin && (*way == Vec3::ZERO || (w - v).dot(*way) > 0.0);
        touch.ends.iter().flatten().any(beyond)
    }
    fn place(&self, system: &System, ws: &Workspace) -> Option<(Vec3, [usize; 2])> {
        let touch = self.touch(system, ws);
        Some(((touch.points[0] + touch.points[1]) * 0.5, self.bodies))
    }
    fn direction(&self, k: usize, system: &System, ws: &Workspace) -> Vec3 {
        self.way(k, &self.touch(system, ws))
    }
}

impl super::Source for Contacts {
    fn any(&self, model: &Model) -> bool {
        model.contacts.iter().any(|contact| contact.is_rigid())
    }

    fn add(&self, system: &System, list: &mut Vec<Box<dyn Unilateral>>) -> Result<()> {
        let model = system.model;
        for (number, contact) in model.contacts.iter().enumerate().filter(|(_, c)| c.is_rigid()) {
            let places = contact.touching.iter().map(|t| t.pair.sources().len()).sum::<usize>();
            for (shapes, touching) in contact.touching.iter().enumerate() {
                for source in 0..touching.pair.sources().len() {
                    let [a, b] = touching.bodies.map(|k| model.bodies[k].name.as_str());
                    let name = match places {
                        1 => format!("contact '{}'", contact.name),
                        _ if contact.bodies.len() == 1 => {
                            format!("contact '{}' (place {})", contact.name, list.len() + 1)
                        }
                        _ => format!("contact '{}' of '{a}' and '{b}' (place {})", contact.name, source + 1),
                    };
                    list.push(Box::new(Place::of(model, (number, shapes, source), name)));
                }
            }
        }
        Ok(())
    }
}
