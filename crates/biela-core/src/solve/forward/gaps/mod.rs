//! What may touch and part, and never penetrates: hard stops of joints and contacts of bodies.
//!
//! A [`Unilateral`] tells its gap g, which is never negative, and the wrenches on bodies of a unit of effort along each of its directions: the
//! normal one, number 0, opens the gap; tangents, if it has friction, are 1 and 2. The rates along these directions are the powers of the same
//! wrenches, so no formulation is asked for a gradient.
//!
//! | file | source |
//! |---|---|
//! | `stops` | hard limits of joints and actuators |
//! | `contacts` | rigid contacts of bodies |
//!
//! **A new source** is one file with a [`Source`] and a line in [`SOURCES`]. It tells gap, wrenches and accelerations at the state realised in the
//! workspace (bodies: `ws.cache.bodies`, with pose, v, w, and a, alpha where accelerations are asked for); everything else follows.

pub(super) mod contacts;
mod stops;

use crate::error::Result;
use crate::joints::Restitution;
use crate::math::Vec3;
use crate::model::Model;
use crate::system::wrench::Wrench;
use crate::system::{System, Workspace};

/// Most directions of one: the normal and two tangents.
pub(super) const DIRECTIONS: usize = 3;

/// Takes a wrench on a body, about its frame's origin in ground axes.
pub(super) type Push<'a> = &'a mut dyn FnMut(usize, Wrench);

/// What may touch and part.
pub(super) trait Unilateral: std::fmt::Debug {
    /// What it is in messages and events: `upper stop 30 deg of O.angle`.
    fn name(&self) -> &str;

    /// The unit of the gap: `m`, or `rad`.
    fn unit(&self) -> &'static str {
        "m"
    }

    /// The gap at the position realised; negative where it penetrates.
    fn gap(&self, system: &System, ws: &Workspace) -> f64;

    /// The wrenches of a unit of effort along direction `k` at the position realised. A normal effort opens the gap: its power is ġ.
    fn wrenches(&self, k: usize, system: &System, ws: &Workspace, push: Push);

    /// Second derivative of the gap (`k` = 0), or the rate of change of the slide along tangent `k`, at the state and accelerations realised.
    fn acceleration(&self, k: usize, system: &System, ws: &Workspace) -> f64;

    /// Rate along direction `k` at the velocities realised.
    fn rate(&self, k: usize, system: &System, ws: &Workspace) -> f64 {
        let mut power = 0.0;
        self.wrenches(k, system, ws, &mut |body, wrench| {
            let state = &ws.cache.bodies[body];
            power += wrench.force.dot(state.v) + wrench.moment.dot(state.w);
        });
        power
    }

    /// Number of its tangents: none without friction, one in a plane, two in space.
    fn tangents(&self) -> usize {
        0
    }

    /// Coefficients of friction: sliding, and at rest.
    fn friction(&self) -> [f64; 2] {
        [0.0; 2]
    }

    /// How it leaves after an impact.
    fn restitution(&self) -> Restitution;

    /// Where its gap need not be smooth: a distance that it is not below, which changes no faster than by the second of these at the velocities realised.
    fn clearance(&self, system: &System, ws: &Workspace) -> Option<(f64, f64)> {
        let _ = (system, ws);
        None
    }

    /// Fixes what it touches for as long as it bears, at the position realised: what ends sharply goes on beyond. Not so where it bears no longer.
    fn seat(&mut self, bears: bool, system: &System, ws: &Workspace) {
        let _ = (bears, system, ws);
    }

    /// How far it is from where what it bears on ends sharply, so that it is left there; none of what goes on smoothly.
    fn room(&self, ws: &Workspace) -> Option<f64> {
        let _ = ws;
        None
    }

    /// Whether it goes beyond such an end, at the velocities realised.
    fn passes(&self, system: &System, ws: &Workspace) -> bool {
        let _ = (system, ws);
        false
    }

    /// The contact of bodies that it is a place of, where it is one.
    fn contact(&self) -> Option<usize> {
        None
    }

    /// Where it is, and between which bodies, where it is a place of a contact.
    fn place(&self, system: &System, ws: &Workspace) -> Option<(Vec3, [usize; 2])> {
        let _ = (system, ws);
        None
    }

    /// Direction `k` in ground axes, where it is one of a contact.
    fn direction(&self, k: usize, system: &System, ws: &Workspace) -> Vec3 {
        let _ = (k, system, ws);
        Vec3::ZERO
    }

    /// The joint coordinate along which it pushes, with the sign in which, where it is one: its effort counts to what acts there.
    fn along(&self) -> Option<(usize, f64)> {
        None
    }
}

/// What makes unilateral constraints of a model.
pub(super) trait Source: Sync {
    /// Whether there are any.
    fn any(&self, model: &Model) -> bool;
    /// Adds all of them.
    fn add(&self, system: &System, list: &mut Vec<Box<dyn Unilateral>>) -> Result<()>;
}

/// Every source.
pub(super) static SOURCES: &[&dyn Source] = &[&stops::Stops, &contacts::Contacts];

/// Whether a model has any.
pub(super) fn any(model: &Model) -> bool {
    SOURCES.iter().any(|source| source.any(model))
}
