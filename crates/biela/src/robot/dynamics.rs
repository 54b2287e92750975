//! Dynamics of a robot. Empty slices stand for zero.
//!
//! With u = G v the velocities of the tree that joints which follow others and rotors belong to: M = Gᵀ M_e G and
//! C = Gᵀ (C_e G + M_e Ġ), so that Ṁ − 2 C stays skew.

use super::{Robot, Workspace};
use crate::error::Result;
use crate::tree::algorithms::{ABA, CRBA};
use crate::tree::{coriolis, crba, minverse};

impl Robot {
    /// Generalised forces of the motion q, v, a.
    pub fn rnea(&self, work: &mut Workspace, q: &[f64], v: &[f64], a: &[f64], tau: &mut [f64]) {
        self.tree.rnea(work, q, v, a, tau);
    }

    /// Inertia matrix, nv × nv.
    pub fn crba(&self, work: &mut Workspace, q: &[f64], M: &mut [f64]) {
        if self.tree.is_plain() {
            return crba::crba(&self.tree.extended, &mut work.inner, q, M);
        }
        let mut bias = vec![0.0; self.nv()];
        self.tree.equations(&CRBA, work, q, &[], M, &mut bias);
    }

    /// Accelerations under the generalised forces tau.
    pub fn aba(&self, work: &mut Workspace, q: &[f64], v: &[f64], tau: &[f64], a: &mut [f64]) -> Result<()> {
        let n = self.nv();
        let zero = if v.is_empty() || tau.is_empty() { vec![0.0; n] } else { Vec::new() };
        let v = if v.is_empty() { &zero[..] } else { v };
        let tau = if tau.is_empty() { &zero[..] } else { tau };
        let room = if self.tree.is_plain() { 0 } else { n };
        let (mut M, mut bias) = (vec![0.0; room * room], vec![0.0; room]);
        self.tree.forward(&ABA, work, q, v, tau, &mut M, &mut bias, a)
    }

    /// Inverse of the inertia matrix, nv × nv.
    pub fn minverse(&self, work: &mut Workspace, q: &[f64], inverse: &mut [f64]) -> Result<()> {
        if self.tree.is_plain() {
            minverse::minverse(&self.tree.extended, &mut work.inner, q, inverse);
            return Ok(());
        }
        let n = self.nv();
        let mut M = vec![0.0; n * n];
        self.crba(work, q, &mut M);
        inverse[..n * n].copy_from_slice(&self.tree.inverse(&M)?);
        Ok(())
    }

    /// A matrix C of velocity products, nv × nv: C v are the forces of velocities alone, and Ṁ − 2 C is skew.
    pub fn coriolis(&self, work: &mut Workspace, q: &[f64], v: &[f64], C: &mut [f64]) {
        let (tree, n, e) = (&self.tree.extended, self.nv(), self.tree.extended.nv);
        if self.tree.is_plain() {
            return coriolis::coriolis(tree, &mut work.inner, q, v, C);
        }
        let (mut wide, mut M) = (vec![0.0; e * e], vec![0.0; e * e]);
        let (eq, ev, _, inner) = self.tree.extended_state(work, q, v, &[]);
        coriolis::coriolis(tree, inner, eq, ev, &mut wide);
        crba::crba(tree, inner, eq, &mut M);
        self.tree.rates(work, q, v);
        let (G, rate) = self.tree.map(work);
        let mut carried = vec![0.0; e * n];
        for i in 0..e {
            for j in 0..n {
                let entry = |k: usize| wide[i * e + k] * G[k * n + j] + M[i * e + k] * rate[k * n + j];
                carried[i * n + j] = (0..e).map(entry).sum();
            }
        }
        for i in 0..n {
            for j in 0..n {
                C[i * n + j] = (0..e).map(|k| G[k * n + i] * carried[k * n + j]).sum();
            }
        }
    }

    /// ∂τ/∂q, ∂τ/∂v and ∂τ/∂v̇ = M, nv × nv each.
    pub fn rnea_derivatives(&self, work: &mut Workspace, at: [&[f64]; 3], by: [&mut [f64]; 3]) {
        self.tree.rnea_derivatives(work, at, by);
    }

    /// ∂v̇/∂q, ∂v̇/∂v and ∂v̇/∂τ = M⁻¹, nv × nv each.
    pub fn aba_derivatives(&self, work: &mut Workspace, at: [&[f64]; 3], by: [&mut [f64]; 3]) -> Result<()> {
        self.tree.aba_derivatives(work, at, by)
    }
}
