//! Generalised forces of wrenches on bodies.

#![allow(non_snake_case)] // p_B: a point in its body's frame (docs/notation.md).

use super::formulation::Formulation;
use super::wrench::Wrench;
use super::{System, Workspace};
use crate::joints::Marker;
use crate::math::Vec3;

/// Turns wrenches on bodies into generalised forces. Made once for a system.
#[derive(Debug)]
pub struct GeneralisedForces {
    /// Velocities that move each body's origin, and those that turn it; none where coordinates gather wrenches themselves.
    columns: Vec<[Vec<usize>; 2]>,
    /// Wrenches on their way towards the ground (scratch).
    carried: Vec<Wrench>,
}

impl GeneralisedForces {
    /// For a system.
    pub fn new(system: &System) -> GeneralisedForces {
        let formulation: &dyn Formulation = &*system.formulation;
        let of = |body| [formulation.columns(&Marker::Point { body, p_B: Vec3::ZERO }), formulation.spin_columns(body)];
        let bodies = if formulation.gathers() { 0 } else { system.model.bodies.len() };
        GeneralisedForces { columns: (0..bodies).map(of).collect(), carried: Vec::new() }
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
