//! Absolute coordinates of mechanisms that stay in a plane: x, y and an angle for each moving body.
//!
//! Nothing is owed to the coordinates themselves: no normalisations, no redundant directions. Velocities are their rates.

use super::formulation::{Cache, Formulation};
use crate::joints::hinge::nearest_turn;
use crate::joints::{Marker, NORMAL};
use crate::math::{Elementary, EulerParameters, Pose, Rotation, Vec3};

/// The absolute formulation of a planar model with that many bodies, ground included.
#[derive(Debug)]
pub struct PlanarAbsolute {
    moving: usize,
}

impl PlanarAbsolute {
    /// For `bodies` bodies, the ground counted.
    pub fn new(bodies: usize) -> PlanarAbsolute {
        PlanarAbsolute { moving: bodies.saturating_sub(1) }
    }
}

/// n × u: u turned by a quarter.
#[inline]
fn quarter(u: Vec3) -> Vec3 {
    Vec3::new(-u.y, u.x, 0.0)
}

impl Formulation for PlanarAbsolute {
    fn name(&self) -> &'static str {
        "absolute"
    }
    fn nq(&self) -> usize {
        3 * self.moving
    }
    fn nv(&self) -> usize {
        3 * self.moving
    }
    fn implicit_equations(&self) -> usize {
        0
    }

    fn columns(&self, marker: &Marker) -> Vec<usize> {
        match *marker {
            Marker::Point { body, .. } if body > 0 => (3 * body - 3..3 * body).collect(),
            Marker::Direction { body, .. } => self.spin_columns(body),
            _ => Vec::new(),
        }
    }

    fn length_column(&self, column: usize) -> bool {
        column % 3 < 2
    }

    fn coordinates(&self, poses: &[Pose], q: &mut [f64]) {
        for (pose, q) in poses.iter().skip(1).zip(q.chunks_exact_mut(3)) {
            q.copy_from_slice(&[pose.origin.x, pose.origin.y, pose.rotation.about_z()]);
        }
    }

    fn continue_from(&self, near: &[f64], q: &mut [f64]) {
        for (near, q) in near.chunks_exact(3).zip(q.chunks_exact_mut(3)) {
            q[2] = nearest_turn(q[2], near[2]);
        }
    }

    fn step(&self, q: &mut [f64], dv: &[f64]) {
        for (q, dv) in q.iter_mut().zip(dv) {
            *q += dv;
        }
    }

    fn unwind(&self, q: &mut [f64]) {
        /// Angles beyond this, in radians, have made many turns.
        const MANY: f64 = 1e3;
        for q in q.chunks_exact_mut(3).filter(|q| q[2].abs() > MANY) {
            q[2] = nearest_turn(q[2], 0.0);
        }
    }

    fn positions(&self, q: &[f64], cache: &mut Cache) {
        for ((q, body), kept) in q.chunks_exact(3).zip(&mut cache.bodies[1..]).zip(&cache.kept[1..]) {
            let (s, c) = (0.5 * q[2]).sine_cosine();
            let x = Vec3::new(c * c - s * s, 2.0 * s * c, 0.0);
            body.pose = Pose::new(Rotation { axes: [x, quarter(x), NORMAL] }, Vec3::new(q[0], q[1], 0.0));
            body.attitude = EulerParameters([c, 0.0, 0.0, s]).near(kept);
        }
    }

    fn velocities(&self, v: &[f64], cache: &mut Cache) {
        for (v, body) in v.chunks_exact(3).zip(&mut cache.bodies[1..]) {
            (body.v, body.w) = (Vec3::new(v[0], v[1], 0.0), NORMAL * v[2]);
        }
    }

    fn accelerations(&self, vdot: Option<&[f64]>, cache: &mut Cache) {
        match vdot {
            Some(vdot) => {
                for (vdot, body) in vdot.chunks_exact(3).zip(&mut cache.bodies[1..]) {
                    (body.a, body.alpha) = (Vec3::new(vdot[0], vdot[1], 0.0), NORMAL * vdot[2]);
                }
            }
            None => cache.bodies[1..].iter_mut().for_each(|body| (body.a, body.alpha) = (Vec3::ZERO, Vec3::ZERO)),
        }
    }

    /// δp = (δx, δy) + n × s δθ for a point at s from its body's origin, δu = n × u δθ for a direction.
    fn scatter(&self, marker: &Marker, g: Vec3, cache: &Cache, slots: &[usize], out: &mut [f64]) {
        match *marker {
            Marker::Point { body, p_B } if body > 0 => {
                out[slots[0]] += g.x;
                out[slots[1]] += g.y;
                out[slots[2]] += quarter(cache.bodies[body].pose.rotation.apply(p_B)).dot(g);
            }
            Marker::Direction { body, u_B } if body > 0 => {
                out[slots[0]] += quarter(cache.bodies[body].pose.rotation.apply(u_B)).dot(g);
            }
            _ => {}
        }
    }

    fn scatter_spin(&self, _: usize, u: Vec3, _: &Cache, slots: &[usize], out: &mut [f64]) {
        slots.iter().for_each(|slot| out[*slot] += u.z);
    }

    fn spin_columns(&self, body: usize) -> Vec<usize> {
        // The ground has none.
        (3 * body).checked_sub(1).into_iter().collect()
    }
}
