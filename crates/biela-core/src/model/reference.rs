//! Reference points: a mechanism far from the origin, described from a point near to it.
//!
//! Coordinates of 10⁶ m hold lengths to 10⁻¹⁰ m, and differences of such coordinates no better. So where the joint points lie further
//! from the ground's origin than [`FAR`] sizes of the mechanism, the ground's points are counted from their middle c, and the same
//! is done in every body whose own joint points lie that far from its frame's origin (a sketch in map coordinates, with all frames at
//! the origin): p′ = p − b. The pose of such a body becomes r′ = r + R b − c. Both are exact but for the rounding of what was given.
//! Whoever writes positions adds c again, and takes a body's origin for its point −b.

use super::{Model, GROUND};
use crate::drivers::Target;
use crate::joints::Marker;
use crate::loads::Law;
use crate::math::Vec3;

/// Distance, in sizes of the mechanism, beyond which reference points are moved: there rounding of positions, against the size, comes
/// near the largest residual accepted.
const FAR: f64 = 1e3;

/// Where a model's reference points lie, as the user's own coordinates tell.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    /// In the ground.
    pub ground: Vec3,
    /// In each body's own frame; zero where it has not been moved. The first is the ground's.
    pub bodies: Vec<Vec3>,
}

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
                Around::add(&mut all, self.bodies[body].X_WB.apply(frame.origin));
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
        Some(self.counted_from(Reference { ground, bodies }))
    }

    /// The same mechanism, its points counted from reference points.
    fn counted_from(&self, reference: Reference) -> Model {
        let mut near = self.clone();
        let (ground, shift) =
            (reference.ground, |body: usize| reference.bodies.get(body).copied().unwrap_or(Vec3::ZERO));
        for (k, body) in near.bodies.iter_mut().enumerate() {
            let b = shift(k);
            body.points.iter_mut().for_each(|(_, p)| *p -= b);
            if let Some(mass) = &mut body.mass {
                mass.com -= b;
            }
            if let Some(shape) = &mut body.shape {
                shape.pose.origin -= b;
            }
            if k != GROUND {
                // In this order: where both are far, they cancel.
                body.X_WB.origin = body.X_WB.origin + body.X_WB.rotation.apply(b) - ground;
            }
        }
        for joint in &mut near.joints {
            for side in [0, 1] {
                joint.frames[side].origin -= shift(joint.bodies[side]);
            }
        }
        for rotor in &mut near.rotors {
            rotor.at -= shift(rotor.body);
        }
        for driver in &mut near.drivers {
            match &mut driver.target {
                Target::Point { body, p_B, along, value } => {
                    *p_B -= shift(*body);
                    *value = value.less(along.dot(ground));
                }
                Target::Measure { measure, .. } => measure.each_marker(|marker| {
                    if let Marker::Point { body, p_B } = marker {
                        *p_B -= shift(*body);
                    }
                }),
                _ => {}
            }
        }
        for load in &mut near.loads {
            match &mut load.law {
                Law::Force { body, p_B, .. } => *p_B -= shift(*body),
                Law::Between { ends, .. } => ends.iter_mut().for_each(|(body, p)| *p -= shift(*body)),
                Law::Torque { .. } | Law::Coordinate { .. } | Law::Rotor { .. } => {}
            }
        }
        near.reference = Some(Box::new(reference));
        near
    }

    /// The ground's reference point, as the user's coordinates tell it.
    pub fn ground_reference(&self) -> Vec3 {
        self.reference.as_ref().map_or(Vec3::ZERO, |r| r.ground)
    }

    /// The origin of a body's frame as the user gave it, in the frame in use.
    pub fn origin_of(&self, body: usize) -> Vec3 {
        self.reference.as_ref().and_then(|r| r.bodies.get(body)).map_or(Vec3::ZERO, |b| -*b)
    }
}
