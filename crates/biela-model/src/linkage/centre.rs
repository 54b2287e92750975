//! Instant centres: the axis about which one body turns against another.
//!
//! With v and ω the velocity of the second body's origin and its angular velocity against the first, the centre lies at ω × v/ω² from that origin.

use crate::math::Vec3;

/// How a body moves: a point of it, that point's velocity, and the angular velocity.
#[derive(Debug, Clone, Copy)]
pub struct Moving {
    /// The point.
    pub at: Vec3,
    /// Its velocity.
    pub v: Vec3,
    /// Angular velocity.
    pub w: Vec3,
}

/// Rates below this part of the fastest in the mechanism are roundings: what has them stands still.
pub const STILL: f64 = 1e-11;

/// What nothing determines.
pub const NOWHERE: Vec3 = Vec3::new(f64::NAN, f64::NAN, f64::NAN);
/// What lies at infinity.
pub const FAR: Vec3 = Vec3::new(f64::INFINITY, f64::INFINITY, f64::INFINITY);

/// The instant centre of two bodies, at the height of the second one's point; infinite where they do not turn against each other, no number
/// where they do not move. `fastest` is the fastest rate in a mechanism of that size, in radians or sizes per second.
pub fn centre(first: Moving, second: Moving, fastest: f64, size: f64) -> Vec3 {
    let w = second.w - first.w;
    let v = second.v - first.v - first.w.cross(second.at - first.at);
    let still = STILL * fastest;
    match (w.norm() <= still, v.norm() <= still * size) {
        (true, true) => NOWHERE,
        (true, false) => FAR,
        _ => second.at + w.cross(v) * (1.0 / w.dot(w)),
    }
}
