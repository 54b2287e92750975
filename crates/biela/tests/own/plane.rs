//! Coordinates for mechanisms that move in the plane z = 0 or parallel to it: x, y and an angle for each body.

#![allow(non_snake_case)] // X_WB: a pose between frames (docs/notation.md).

use biela::joints::hinge::nearest_turn;
use biela::joints::Marker;
use biela::math::{Elementary, Pose, Rotation, Vec3};
use biela::system::{Cache, Formulation, FormulationType};

pub static PLANE: FormulationType = FormulationType {
    keyword: "plane",
    help: "x, y and an angle for each body, for mechanisms that move in the plane z = 0 or parallel to it",
    build: |model| Box::new(Plane { drawn: model.bodies.iter().map(|body| body.X_WB).collect() }),
};

/// Bodies keep the height and the tilt in which they are drawn; the angle of each counts from there.
#[derive(Debug)]
struct Plane {
    drawn: Vec<Pose>,
}

impl Formulation for Plane {
    fn name(&self) -> &'static str {
        "plane"
    }
    fn nq(&self) -> usize {
        3 * (self.drawn.len() - 1)
    }
    fn nv(&self) -> usize {
        self.nq()
    }
    fn implicit_equations(&self) -> usize {
        0
    }
    /// The ground is body 0 and has no coordinates.
    fn columns(&self, marker: &Marker) -> Vec<usize> {
        match *marker {
            Marker::Point { body, .. } if body > 0 => (3 * body - 3..3 * body).collect(),
            Marker::Direction { body, .. } => self.spin_columns(body),
            _ => Vec::new(),
        }
    }
    fn spin_columns(&self, body: usize) -> Vec<usize> {
        (3 * body).checked_sub(1).into_iter().collect()
    }
    fn length_column(&self, column: usize) -> bool {
        column % 3 < 2
    }
    fn coordinates(&self, poses: &[Pose], q: &mut [f64]) {
        for ((X_WB, drawn), q) in poses.iter().zip(&self.drawn).skip(1).zip(q.chunks_exact_mut(3)) {
            let turned = X_WB.rotation.apply(drawn.rotation.apply_transposed(Vec3::X));
            q.copy_from_slice(&[X_WB.origin.x, X_WB.origin.y, turned.y.arctangent2(turned.x)]);
        }
    }
    fn continue_from(&self, near: &[f64], q: &mut [f64]) {
        for (near, q) in near.chunks_exact(3).zip(q.chunks_exact_mut(3)) {
            q[2] = nearest_turn(q[2], near[2]);
        }
    }
    fn step(&self, q: &mut [f64], dv: &[f64]) {
        q.iter_mut().zip(dv).for_each(|(q, dv)| *q += dv);
    }
    fn positions(&self, q: &[f64], cache: &mut Cache) {
        let drawn = self.drawn.iter().skip(1);
        for (((q, body), drawn), kept) in q.chunks_exact(3).zip(&mut cache.bodies[1..]).zip(drawn).zip(&cache.kept[1..])
        {
            let rotation = Rotation::about(Vec3::Z, q[2]) * drawn.rotation;
            body.pose = Pose::new(rotation, Vec3::new(q[0], q[1], drawn.origin.z));
            body.attitude = rotation.euler_parameters().near(kept);
        }
    }
    fn velocities(&self, v: &[f64], cache: &mut Cache) {
        for (v, body) in v.chunks_exact(3).zip(&mut cache.bodies[1..]) {
            (body.v, body.w) = (Vec3::new(v[0], v[1], 0.0), Vec3::Z * v[2]);
        }
    }
    fn accelerations(&self, vdot: Option<&[f64]>, cache: &mut Cache) {
        for (k, body) in cache.bodies[1..].iter_mut().enumerate() {
            let [x, y, angle] = [0, 1, 2].map(|i| vdot.map_or(0.0, |vdot| vdot[3 * k + i]));
            (body.a, body.alpha) = (Vec3::new(x, y, 0.0), Vec3::Z * angle);
        }
    }
    /// δp = (δx, δy, 0) + z × s δθ for a point at s from its body's origin, δu = z × u δθ for a direction.
    fn scatter(&self, marker: &Marker, g: Vec3, cache: &Cache, slots: &[usize], out: &mut [f64]) {
        match *marker {
            Marker::Point { body, p_B } if body > 0 => {
                let s = cache.bodies[body].pose.rotation.apply(p_B);
                let parts = [g.x, g.y, Vec3::Z.cross(s).dot(g)];
                slots.iter().zip(parts).for_each(|(slot, part)| out[*slot] += part);
            }
            Marker::Direction { body, u_B } if body > 0 => {
                out[slots[0]] += Vec3::Z.cross(cache.bodies[body].pose.rotation.apply(u_B)).dot(g);
            }
            _ => {}
        }
    }
    fn scatter_spin(&self, _: usize, u: Vec3, _: &Cache, slots: &[usize], out: &mut [f64]) {
        slots.iter().for_each(|slot| out[*slot] += u.z);
    }
    /// Forces across the plane do no work on these coordinates.
    fn tells_forces(&self) -> bool {
        false
    }
}
