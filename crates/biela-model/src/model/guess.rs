//! The guess: where an assembly starts from.

use super::{Mechanism, GROUND};
use crate::math::Pose;
use std::sync::Arc;

/// A pose for each body, from which loops are closed: the drawing at first, or a position found before. The ground is where it is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Guess {
    poses: Arc<[Pose]>,
}

impl Guess {
    /// The drawing.
    pub fn drawn(mechanism: &Mechanism) -> Guess {
        Guess { poses: mechanism.bodies.iter().map(|b| b.X_WB).collect() }
    }

    /// Makes it the drawing.
    pub(super) fn draw(&mut self, mechanism: &Mechanism) {
        match Arc::get_mut(&mut self.poses).filter(|own| own.len() == mechanism.bodies.len()) {
            Some(own) => own.iter_mut().zip(&mechanism.bodies).for_each(|(pose, body)| *pose = body.X_WB),
            None => *self = Guess::drawn(mechanism),
        }
    }

    /// The poses of all bodies.
    pub fn poses(&self) -> &[Pose] {
        &self.poses
    }

    /// This guess with moving bodies at these poses, ground first; bodies beyond the end of the list stay.
    pub(super) fn moved(&self, poses: &[Pose]) -> Guess {
        let own = self.poses.iter().enumerate();
        let pose = |(body, own): (usize, &Pose)| *poses.get(body).filter(|_| body != GROUND).unwrap_or(own);
        Guess { poses: own.map(pose).collect() }
    }
}
