//! Absolute coordinates: position of the frame's origin and Euler parameters, seven for each moving body.
//!
//! Velocities are six per body: velocity of the origin and angular velocity, in ground axes. A step turns the Euler
//! parameters by the rotation vector of the displacement and normalises them, so the thesis's normalisation rows pᵀp = 1
//! hold by construction; they are counted, not solved.

use super::formulation::{continue_sign, Cache, Formulation};
use crate::joints::Marker;
use crate::math::{EulerParameters, Pose, Vec3};

/// The absolute formulation of a model with that many bodies, ground included.
#[derive(Debug)]
pub struct Absolute {
    moving: usize,
}

impl Absolute {
    /// For `bodies` bodies, the ground counted.
    pub fn new(bodies: usize) -> Absolute {
        Absolute { moving: bodies.saturating_sub(1) }
    }
}

fn vector(x: &[f64]) -> Vec3 {
    Vec3::new(x[0], x[1], x[2])
}

impl Formulation for Absolute {
    fn name(&self) -> &'static str {
        "absolute"
    }
    fn nq(&self) -> usize {
        7 * self.moving
    }
    fn nv(&self) -> usize {
        6 * self.moving
    }
    fn implicit_equations(&self) -> usize {
        self.moving
    }

    fn columns(&self, marker: &Marker) -> Vec<usize> {
        match *marker {
            Marker::Point { body, .. } if body > 0 => (6 * body - 6..6 * body).collect(),
            Marker::Direction { body, .. } if body > 0 =>
            // The ground has none.
            {
                ((6 * body).saturating_sub(3)..6 * body).collect()
            }
            _ => Vec::new(),
        }
    }

    fn length_column(&self, column: usize) -> bool {
        column % 6 < 3
    }

    fn coordinates(&self, poses: &[Pose], q: &mut [f64]) {
        for (pose, q) in poses.iter().skip(1).zip(q.chunks_exact_mut(7)) {
            q[..3].copy_from_slice(&pose.origin.to_array());
            q[3..].copy_from_slice(&pose.rotation.euler_parameters().0);
        }
    }

    fn continue_from(&self, near: &[f64], q: &mut [f64]) {
        for (near, q) in near.chunks_exact(7).zip(q.chunks_exact_mut(7)) {
            continue_sign(&near[3..], &mut q[3..]);
        }
    }

    fn step(&self, q: &mut [f64], dv: &[f64]) {
        for (q, dv) in q.chunks_exact_mut(7).zip(dv.chunks_exact(6)) {
            for k in 0..3 {
                q[k] += dv[k];
            }
            let p = EulerParameters([q[3], q[4], q[5], q[6]]);
            let turned = EulerParameters::from_rotation_vector(vector(&dv[3..])).times(&p).normalised();
            q[3..].copy_from_slice(&turned.0);
        }
    }

    fn rates(&self, q: &[f64], v: &[f64], qdot: &mut [f64]) {
        for ((q, v), qdot) in q.chunks_exact(7).zip(v.chunks_exact(6)).zip(qdot.chunks_exact_mut(7)) {
            qdot[..3].copy_from_slice(&v[..3]);
            let p = EulerParameters([q[3], q[4], q[5], q[6]]);
            qdot[3..].copy_from_slice(&p.rate(vector(&v[3..])).0);
        }
    }

    fn normalise(&self, q: &mut [f64]) {
        for q in q.chunks_exact_mut(7) {
            let p = EulerParameters([q[3], q[4], q[5], q[6]]).normalised();
            q[3..].copy_from_slice(&p.0);
        }
    }

    fn positions(&self, q: &[f64], cache: &mut Cache) {
        for ((q, body), kept) in q.chunks_exact(7).zip(&mut cache.bodies[1..]).zip(&cache.kept[1..]) {
            body.attitude = EulerParameters([q[3], q[4], q[5], q[6]]).near(kept);
            body.pose = Pose::new(body.attitude.rotation(), vector(q));
        }
    }

    fn velocities(&self, v: &[f64], cache: &mut Cache) {
        for (v, body) in v.chunks_exact(6).zip(&mut cache.bodies[1..]) {
            (body.v, body.w) = (vector(v), vector(&v[3..]));
        }
    }

    fn accelerations(&self, vdot: Option<&[f64]>, cache: &mut Cache) {
        match vdot {
            Some(vdot) => {
                for (a, body) in vdot.chunks_exact(6).zip(&mut cache.bodies[1..]) {
                    (body.a, body.alpha) = (vector(a), vector(&a[3..]));
                }
            }
            None => {
                for body in &mut cache.bodies[1..] {
                    (body.a, body.alpha) = (Vec3::ZERO, Vec3::ZERO);
                }
            }
        }
    }

    #[inline]
    fn scatter(&self, marker: &Marker, g: Vec3, cache: &Cache, slots: &[usize], out: &mut [f64]) {
        // δ(point) = δr + δθ × s gives g·δr + (s × g)·δθ; δ(direction) = δθ × u gives (u × g)·δθ.
        let add = |slots: &[usize], g: Vec3, out: &mut [f64]| {
            for (slot, g) in slots.iter().zip(g.to_array()) {
                out[*slot] += g;
            }
        };
        match *marker {
            Marker::Point { body, p_B } if body > 0 => {
                add(&slots[..3], g, out);
                add(&slots[3..], cache.bodies[body].pose.rotation.apply(p_B).cross(g), out);
            }
            Marker::Direction { body, u_B } if body > 0 => {
                add(slots, cache.bodies[body].pose.rotation.apply(u_B).cross(g), out);
            }
            _ => {}
        }
    }

    fn scatter_spin(&self, _: usize, u: Vec3, _: &Cache, slots: &[usize], out: &mut [f64]) {
        for (slot, u) in slots.iter().zip(u.to_array()) {
            out[*slot] += u;
        }
    }

    fn spin_columns(&self, body: usize) -> Vec<usize> {
        // The ground has none.
        ((6 * body).saturating_sub(3)..6 * body).collect()
    }
}
