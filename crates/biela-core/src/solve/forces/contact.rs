//! Contacts where bodies are placed: how far they are from touching, and what presses in those that give way.
//!
//! Every source of a contact (a ball, a corner, a curve, an edge) that lies in the other form by a depth δ presses with N = k δ + c δ̇ where that is
//! positive, and rubs with μ N against its slip, fully from slips well above the contact's own on.

#![allow(non_snake_case)] // X_WB: a body's pose in the ground (docs/notation.md).

use crate::math::Vec3;
use crate::model::{Compliance, Contact, Touching};
use crate::system::BodyState;
use biela_distance::{Moving, Touch};

/// What a contact exerts in all.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Pressure {
    /// Sum of what its points are pressed by.
    pub normal: f64,
    /// Size of what they rub with together.
    pub tangent: f64,
}

/// A force on the second body of a touch, at a point of the ground, and what it is made of.
#[derive(Debug, Clone, Copy)]
pub struct Push {
    /// The bodies.
    pub bodies: [usize; 2],
    /// Where it acts.
    pub at: Vec3,
    /// On the second body.
    pub force: Vec3,
    /// Its part along the normal.
    pub normal: f64,
    /// Its part across.
    pub friction: Vec3,
    /// Energy stored in it, and the rate of that.
    pub stored: [f64; 2],
}

/// The least gap of a contact.
pub fn gap(contact: &Contact, bodies: &[BodyState]) -> f64 {
    let mut least = f64::INFINITY;
    for touching in contact.touching.iter() {
        let poses = touching.bodies.map(|k| &bodies[k].pose);
        if touching.pair.at_least(poses) < least {
            least = least.min(touching.pair.least(poses).gap);
        }
    }
    least
}

/// Calls for every push in a contact that gives way.
pub fn pushes(contact: &Contact, bodies: &[BodyState], mut each: impl FnMut(Push)) {
    let Some(compliance) = contact.compliance else { return };
    for touching in contact.touching.iter() {
        let poses = touching.bodies.map(|k| &bodies[k].pose);
        if touching.pair.at_least(poses) >= 0.0 {
            continue;
        }
        for k in 0..touching.pair.sources().len() {
            let touch = touching.pair.touch(k, poses);
            if touch.gap < 0.0 {
                each(push(contact, &compliance, touching, &touch, bodies));
            }
        }
    }
}

fn push(contact: &Contact, compliance: &Compliance, touching: &Touching, touch: &Touch, bodies: &[BodyState]) -> Push {
    // In the middle between the two surfaces.
    let at = (touch.points[0] + touch.points[1]) * 0.5;
    let [v, w] = touching.bodies.map(|k| bodies[k].velocity_at(at - bodies[k].pose.origin));
    let slip = w - v;
    let (depth, sinking) = (-touch.gap, -slip.dot(touch.normal));
    let elastic = compliance.stiffness * depth;
    let normal = (elastic + compliance.damping * sinking).max(0.0);
    let across = slip + touch.normal * sinking;
    let speed = (across.dot(across) + compliance.slip * compliance.slip).sqrt();
    let friction = across * (-contact.friction * normal / speed);
    Push {
        bodies: touching.bodies,
        at,
        force: touch.normal * normal + friction,
        normal,
        friction,
        stored: [0.5 * elastic * depth, elastic * sinking],
    }
}

/// What a rigid contact exerts in all, of places that press.
pub fn pressed(contact: usize, places: &[(usize, f64, Vec3)]) -> Pressure {
    let own = places.iter().filter(|place| place.0 == contact);
    let (normal, rubs) = own.fold((0.0, Vec3::ZERO), |(n, t), (_, normal, rubs)| (n + normal, t + *rubs));
    Pressure { normal, tangent: rubs.norm() }
}

/// A body as distances see it move.
pub fn moving(body: &BodyState) -> Moving {
    Moving { pose: body.pose, v: [body.v, body.w], a: [body.a, body.alpha] }
}

/// What a contact that gives way exerts in all.
pub fn pressure(contact: &Contact, bodies: &[BodyState]) -> Pressure {
    let (mut normal, mut rubs) = (0.0, Vec3::ZERO);
    pushes(contact, bodies, |push| {
        normal += push.normal;
        rubs += push.friction;
    });
    Pressure { normal, tangent: rubs.norm() }
}
