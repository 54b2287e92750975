//! Reference points: a mechanism far from the origin, described from a point near to it.
//!
//! Coordinates of 10⁶ m hold lengths to 10⁻¹⁰ m, and differences of such coordinates no better. So where the joint points lie further
//! from the ground's origin than [`FAR`] sizes of the mechanism, the ground's points are counted from their middle c, and the same
//! is done in every body whose own joint points lie that far from its frame's origin (a sketch in map coordinates, with all frames at
//! the origin): p′ = p − b. The pose of such a body becomes r′ = r + R b − c. Both are exact but for the rounding of what was given.
//! Whoever writes positions adds c again, and takes a body's origin for its point −b.

#![allow(non_snake_case)] // X_WB: a body's pose in the ground (docs/notation.md).

use super::{Mechanism, Model, Reference, GROUND};
use crate::drivers::{Driver, Target};
use crate::joints::Marker;
use crate::loads::Law;
use crate::math::{Pose, Vec3};
use std::sync::Arc;

/// Distance, in sizes of the mechanism, beyond which reference points are moved: there rounding of positions, against the size, comes
/// near the largest residual accepted.
const FAR: f64 = 1e3;

/// A box around points.
#[derive(Clone, Copy)]
struct Around {
    low: Vec3,
    high: Vec3,
}

impl Around {
    fn add(around: &mut Option<Around>, p: Vec3) {
        let Around { low, high } = around.get_or_insert(Around { low: p, high: p });
        for k in 0..3 {
            low[k] = low[k].min(p[k]);
            high[k] = high[k].max(p[k]);
        }
    }

    fn middle(self) -> Vec3 {
        self.low + (self.high - self.low) * 0.5
    }
}

impl Model {
    /// The same mechanism with its reference points near to it; `None` where they are.
    pub fn near(&self) -> Option<Model> {
        let mut own: Vec<Option<Around>> = vec![None; self.bodies.len()];
        let mut all = None;
        for joint in &self.joints {
            for (body, frame) in joint.bodies.into_iter().zip(&joint.frames) {
                Around::add(own.get_mut(body)?, frame.origin);
                Around::add(&mut all, self.guess().poses()[body].apply(frame.origin));
            }
        }
        let all = all?;
        let diagonal = (all.high - all.low).norm();
        // As the size is measured: where all joints share one point, a metre.
        let size = if diagonal > 1e-12 { diagonal } else { 1.0 };
        let is_far = |p: Vec3| p.norm() > FAR * size && p.is_finite();
        let centre = all.middle();
        let mut bodies: Vec<Vec3> = own.iter().map(|o| o.map_or(Vec3::ZERO, Around::middle)).collect();
        bodies.iter_mut().filter(|b| !is_far(**b)).for_each(|b| *b = Vec3::ZERO);
        let ground = if is_far(centre) { centre } else { Vec3::ZERO };
        bodies[GROUND] = ground;
        if bodies.iter().all(|b| *b == Vec3::ZERO) {
            return None;
        }
        let reference = Reference { ground, bodies };
        let poses: Vec<Pose> = (self.guess().poses().iter().enumerate()).map(|(k, X)| reference.pose(k, X)).collect();
        let drivers: Arc<[Driver]> = self.drivers.iter().map(|driver| reference.driver(driver)).collect();
        let near = Model::new(reference.mechanism(self), drivers, self.study.clone());
        Some(near.with_guess(&poses))
    }
}

/// The same parts, their points counted from the reference points.
impl Reference {
    /// What is taken from points of a body.
    fn shift(&self, body: usize) -> Vec3 {
        self.bodies.get(body).copied().unwrap_or(Vec3::ZERO)
    }

    fn pose(&self, body: usize, X_WB: &Pose) -> Pose {
        if body == GROUND {
            return *X_WB;
        }
        // In this order: where both are far, they cancel.
        Pose::new(X_WB.rotation, X_WB.origin + X_WB.rotation.apply(self.shift(body)) - self.ground)
    }

    fn mechanism(self, of: &Mechanism) -> Mechanism {
        let mut near = of.copied();
        for (k, body) in near.bodies.iter_mut().enumerate() {
            let b = self.shift(k);
            body.points.iter_mut().for_each(|(_, p)| *p -= b);
            if let Some(mass) = &mut body.mass {
                mass.com -= b;
            }
            for shape in &mut body.shapes {
                shape.pose.origin -= b;
            }
            body.X_WB = self.pose(k, &body.X_WB);
        }
        for joint in &mut near.joints {
            for side in [0, 1] {
                joint.frames[side].origin -= self.shift(joint.bodies[side]);
            }
        }
        for rotor in &mut near.rotors {
            rotor.at -= self.shift(rotor.body);
        }
        for load in &mut near.loads {
            match &mut load.law {
                Law::Force { body, p_B, .. } => *p_B -= self.shift(*body),
                Law::Between { ends, .. } => ends.iter_mut().for_each(|(body, p)| *p -= self.shift(*body)),
                Law::Torque { .. } | Law::Coordinate { .. } | Law::Rotor { .. } | Law::Contact(_) => {}
            }
        }
        let Mechanism { contacts, bodies, space, .. } = &mut near;
        for contact in contacts {
            // The same shapes as before, which took part then.
            let _ = contact.place(bodies, *space);
        }
        near.reference = Some(Box::new(self));
        near
    }

    fn driver(&self, of: &Driver) -> Driver {
        let mut driver = of.clone();
        match &mut driver.target {
            Target::Point { body, p_B, along, value } => {
                *p_B -= self.shift(*body);
                *value = value.less(along.dot(self.ground));
            }
            Target::Measure { measure, .. } => measure.each_marker(|marker| {
                if let Marker::Point { body, p_B } = marker {
                    *p_B -= self.shift(*body);
                }
            }),
            _ => {}
        }
        driver
    }
}
