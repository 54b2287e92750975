//! Exact partial derivatives of inverse and forward dynamics of trees with rotors, and with joints written outer body first.
//!
//! With u = G v and u̇ = G v̇ + Ġ v the motion of the extended tree and τ = Gᵀ τ_e, along a velocity coordinate j:
//! ∂τ/∂q_j = (∂_j G)ᵀ τ_e + Gᵀ (∂τ_e/∂x G_j + ∂τ_e/∂u ∂_j u + M_e ∂_j u̇), ∂τ/∂v_j = Gᵀ (∂τ_e/∂u G_j + M_e ∂u̇/∂v_j),
//! ∂τ/∂v̇ = Gᵀ M_e G. A rotor's angle gives ∂_j of its rate and second rate, third derivatives of F_t among them, as slopes
//! ([`crate::math::Slope`]); joints written outer body first have theirs in closed form.

#![allow(non_snake_case)]

use super::algorithms::CRBA;
use super::derivatives::{aba_derivatives, rnea_derivatives};
use super::rnea::rnea;
use super::rotors::{Coupled, CoupledWorkspace};
use crate::error::Result;
use crate::math::{Jet, Slope};

impl Coupled {
    /// ∂τ/∂q, ∂τ/∂v and ∂τ/∂v̇ = M of inverse dynamics, nv × nv each, row by row.
    pub fn rnea_derivatives(&self, w: &mut CoupledWorkspace, [q, v, a]: [&[f64]; 3], [dq, dv, da]: [&mut [f64]; 3]) {
        let tree = &self.extended;
        if self.is_plain() {
            return rnea_derivatives(tree, &mut w.inner, [q, v, a], [dq, dv, da]);
        }
        self.extend(w, q, v, a);
        rnea(tree, &mut w.inner, &w.q, &w.v, &w.a, &mut w.tau);
        let p = &mut w.partials;
        let by = [&mut p.by_q[..], &mut p.by_v, &mut p.by_a];
        rnea_derivatives(tree, &mut w.inner, [&w.q, &w.v, &w.a], by);
        let (n, e) = (self.nv, tree.nv);
        for j in 0..n {
            self.change(j, w, q, v, a);
            let (p, G) = (&mut w.partials, &w.G);
            for i in 0..e {
                let row = i * e..(i + 1) * e;
                let (by_q, by_v, by_a) = (&p.by_q[row.clone()], &p.by_v[row.clone()], &p.by_a[row]);
                let mut sums = [0.0; 3];
                for k in 0..e {
                    let g = G[k * n + j];
                    sums[0] += by_q[k] * g + by_v[k] * p.u[k] + by_a[k] * p.a[k];
                    sums[1] += by_v[k] * g + by_a[k] * p.a_by_v[k];
                    sums[2] += by_a[k] * g;
                }
                for (load, sum) in p.loads.iter_mut().zip(sums) {
                    load[i] = sum;
                }
            }
            for k in 0..n {
                let pulled = |load: &[f64]| (0..e).map(|i| G[i * n + k] * load[i]).sum::<f64>();
                dq[k * n + j] = p.tau[k] + pulled(&p.loads[0]);
                dv[k * n + j] = pulled(&p.loads[1]);
                da[k * n + j] = pulled(&p.loads[2]);
            }
        }
    }

    /// ∂v̇/∂q, ∂v̇/∂v and ∂v̇/∂τ = M⁻¹ of forward dynamics, nv × nv each, row by row.
    pub fn aba_derivatives(
        &self,
        w: &mut CoupledWorkspace,
        [q, v, tau]: [&[f64]; 3],
        [dq, dv, dtau]: [&mut [f64]; 3],
    ) -> Result<()> {
        if self.is_plain() {
            aba_derivatives(&self.extended, &mut w.inner, [q, v, tau], [dq, dv, dtau]);
            return Ok(());
        }
        let n = self.nv;
        let (mut M, mut bias, mut a) = (vec![0.0; n * n], vec![0.0; n], vec![0.0; n]);
        self.forward(&CRBA, w, q, v, tau, &mut M, &mut bias, &mut a)?;
        let (mut tau_q, mut tau_v) = (vec![0.0; n * n], vec![0.0; n * n]);
        self.rnea_derivatives(w, [q, v, &a], [&mut tau_q, &mut tau_v, &mut M]);
        let inverse = self.inverse(&M)?;
        for i in 0..n {
            for j in 0..n {
                let solved = |by: &[f64]| -(0..n).map(|k| inverse[i * n + k] * by[k * n + j]).sum::<f64>();
                dq[i * n + j] = solved(&tau_q);
                dv[i * n + j] = solved(&tau_v);
                dtau[i * n + j] = inverse[i * n + j];
            }
        }
        Ok(())
    }

    /// How u, u̇ and G change along velocity coordinate `j`, into `w.partials`.
    fn change(&self, j: usize, w: &mut CoupledWorkspace, q: &[f64], v: &[f64], a: &[f64]) {
        let n = self.nv;
        let p = &mut w.partials;
        for part in [&mut p.u, &mut p.a, &mut p.a_by_v, &mut p.tau] {
            part.fill(0.0);
        }
        for joint in &self.swapped {
            if (joint.v..joint.v + joint.freedoms()).contains(&j) {
                let change = joint.change(j - joint.v, q, v, a, &w.tau);
                let parts = [
                    (&mut p.u, change.u),
                    (&mut p.a, change.a),
                    (&mut p.a_by_v, change.a_by_v),
                    (&mut p.tau, change.tau),
                ];
                for (to, [angular, linear]) in parts {
                    let numbers = angular.to_array().into_iter().chain(linear.to_array());
                    for (to, x) in to[joint.v..].iter_mut().zip(numbers).take(joint.freedoms()) {
                        *to = x;
                    }
                }
            }
        }
        let at = |x: &[f64], k: usize| x.get(k).copied().unwrap_or(0.0);
        for (t, drive) in self.drives.iter().enumerate() {
            if !drive.coordinates.iter().any(|(_, iv)| *iv == j) {
                continue;
            }
            let environment = &mut p.environment[..=drive.coordinates.len()];
            let along = |iv: usize| Jet::constant(if iv == j { 1.0 } else { 0.0 });
            for (slot, &(iq, iv)) in environment[1..].iter_mut().zip(&drive.coordinates) {
                *slot = Slope::new(Jet::new(q[iq], at(v, iv), at(a, iv)), along(iv));
            }
            let change = drive.angle.slope(environment).e;
            (p.u[n + t], p.a[n + t], p.a_by_v[n + t]) = (change.d, change.dd, 2.0 * change.d);
            for (k, &(_, ivk)) in drive.coordinates.iter().enumerate() {
                for (slot, &(iq, iv)) in environment[1..].iter_mut().zip(&drive.coordinates) {
                    *slot = Slope::new(Jet::constant(q[iq]), along(iv));
                }
                environment[k + 1].x.d = 1.0;
                p.tau[ivk] += drive.angle.slope(environment).e.d * w.tau[n + t];
            }
        }
    }
}
