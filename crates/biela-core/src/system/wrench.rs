//! Forces and moments on bodies.

use super::formulation::{BodyState, Formulation};
use super::{System, Workspace};
use crate::joints::Marker;
use crate::math::Vec3;
use crate::model::MassProperties;

/// A force and a moment on a body, in ground axes; the moment is about the body frame's origin unless said otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Wrench {
    /// Force.
    pub force: Vec3,
    /// Moment.
    pub moment: Vec3,
}

impl Wrench {
    /// No force, no moment.
    pub const ZERO: Wrench = Wrench { force: Vec3::ZERO, moment: Vec3::ZERO };

    /// A force through a point that lies `arm` away from the reference point.
    pub fn of_force(force: Vec3, arm: Vec3) -> Wrench {
        Wrench { force, moment: arm.cross(force) }
    }

    /// A moment alone.
    pub fn of_moment(moment: Vec3) -> Wrench {
        Wrench { force: Vec3::ZERO, moment }
    }

    /// Adds another wrench about the same point.
    pub fn add(&mut self, other: Wrench) {
        self.force += other.force;
        self.moment += other.moment;
    }

    /// The opposite wrench.
    pub fn negated(self) -> Wrench {
        Wrench { force: -self.force, moment: -self.moment }
    }

    /// The same wrench about a point that lies `arm` away from the present one.
    pub fn about(self, arm: Vec3) -> Wrench {
        Wrench { force: self.force, moment: self.moment - arm.cross(self.force) }
    }
}

/// The wrench of d'Alembert: minus the rate of momentum of a body moving as `state` says, about its frame's origin.
pub fn inertia_wrench(mass: &MassProperties, state: &BodyState) -> Wrench {
    let rotation = &state.pose.rotation;
    let c = rotation.apply(mass.com);
    let (w, alpha) = (state.w, state.alpha);
    let a_com = state.acceleration_at(c);
    let inertia = |u: Vec3| rotation.apply(tensor_times(&mass.inertia, rotation.apply_transposed(u)));
    let force = a_com * -mass.mass;
    let moment = -(inertia(alpha) + w.cross(inertia(w)));
    Wrench { force, moment: moment + c.cross(force) }
}

/// Symmetric tensor (xx, yy, zz, xy, xz, yz) times a vector.
pub fn tensor_times(t: &[f64; 6], u: Vec3) -> Vec3 {
    Vec3::new(
        t[0] * u.x + t[3] * u.y + t[4] * u.z,
        t[3] * u.x + t[1] * u.y + t[5] * u.z,
        t[4] * u.x + t[5] * u.y + t[2] * u.z,
    )
}

/// Kinetic energy of a body.
pub fn kinetic_energy(mass: &MassProperties, state: &BodyState) -> f64 {
    let rotation = &state.pose.rotation;
    let v = state.velocity_at(rotation.apply(mass.com));
    let w_B = rotation.apply_transposed(state.w);
    0.5 * (mass.mass * v.dot(v) + w_B.dot(tensor_times(&mass.inertia, w_B)))
}

/// Turns wrenches on bodies into generalised forces. Made once for a system.
#[derive(Debug)]
pub struct Generaliser {
    /// Velocities that move each body's origin, and those that turn it; none where coordinates gather wrenches themselves.
    columns: Vec<[Vec<usize>; 2]>,
    /// Wrenches on their way towards the ground (scratch).
    carried: Vec<Wrench>,
}

impl Generaliser {
    /// For a system.
    pub fn new(system: &System) -> Generaliser {
        let formulation: &dyn Formulation = &*system.formulation;
        let of = |body| [formulation.columns(&Marker::Point { body, p_B: Vec3::ZERO }), formulation.spin_columns(body)];
        let bodies = if formulation.gathers() { 0 } else { system.model.bodies.len() };
        Generaliser { columns: (0..bodies).map(of).collect(), carried: Vec::new() }
    }

    /// Generalised forces of wrenches on the bodies (ground first): `out[k]` is their power for a unit of velocity k, lengths of
    /// velocity counted in sizes.
    pub fn generalised(&mut self, system: &System, ws: &Workspace, wrenches: &[Wrench], out: &mut [f64]) {
        out.fill(0.0);
        let formulation: &dyn Formulation = &*system.formulation;
        if formulation.gathers() {
            self.carried.clear();
            self.carried.extend_from_slice(wrenches);
            self.carried.resize(ws.cache.bodies.len(), Wrench::ZERO);
            formulation.gather(&mut self.carried, &ws.cache, out);
        }
        for (body, (wrench, [linear, angular])) in wrenches.iter().zip(&self.columns).enumerate().skip(1) {
            if *wrench != Wrench::ZERO {
                let origin = Marker::Point { body, p_B: Vec3::ZERO };
                formulation.scatter(&origin, wrench.force, &ws.cache, linear, out);
                formulation.scatter_spin(body, wrench.moment, &ws.cache, angular, out);
            }
        }
        formulation.unscale(out, ws.size);
    }
}
