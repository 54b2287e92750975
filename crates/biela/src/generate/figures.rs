//! What the general algorithms give at random states: what generated code is held to.

use crate::error::Result;
use crate::math::random::Random;
use crate::math::Vec3;
use crate::model::GROUND;
use crate::tree::algorithms::{ABA, CRBA};
use crate::tree::rotors::{Coupled, CoupledWorkspace};
use crate::tree::{configuration, kinematics};
use std::cell::RefCell;

/// A state of a tree, and the general algorithms at it.
pub(super) struct State<'t> {
    coupled: &'t Coupled,
    bodies: usize,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    /// Accelerations or forces.
    pub x: Vec<f64>,
    work: RefCell<CoupledWorkspace>,
}

impl State<'_> {
    /// The state of a number.
    pub fn random(coupled: &Coupled, bodies: usize, number: u64) -> State<'_> {
        let mut random = Random(number);
        let mut q = coupled.extended.neutral();
        configuration::random(&coupled.extended, &mut random, &vec![[None; 2]; coupled.extended.nv], &mut q);
        q.truncate(coupled.nq);
        let mut list = || (0..coupled.nv).map(|_| random.signed()).collect::<Vec<f64>>();
        let (v, x) = (list(), list());
        State { coupled, bodies, q, v, x, work: RefCell::new(coupled.workspace()) }
    }

    fn vector(&self) -> Vec<f64> {
        vec![0.0; self.coupled.nv]
    }

    fn square(&self) -> Vec<f64> {
        vec![0.0; self.coupled.nv * self.coupled.nv]
    }

    pub fn forces(&self, v: &[f64], a: &[f64]) -> Vec<f64> {
        let mut tau = self.vector();
        self.coupled.rnea(&mut self.work.borrow_mut(), &self.q, v, a, &mut tau);
        tau
    }

    pub fn matrix(&self) -> Vec<f64> {
        let (mut M, mut bias) = (self.square(), self.vector());
        self.coupled.equations(&CRBA, &mut self.work.borrow_mut(), &self.q, &self.v, &mut M, &mut bias);
        M
    }

    pub fn inverse(&self) -> Result<Vec<f64>> {
        self.coupled.inverse(&self.matrix())
    }

    pub fn accelerations(&self) -> Result<Vec<f64>> {
        let (mut M, mut bias, mut a) = (self.square(), self.vector(), self.vector());
        let work = &mut self.work.borrow_mut();
        self.coupled.forward(&ABA, work, &self.q, &self.v, &self.x, &mut M, &mut bias, &mut a)?;
        Ok(a)
    }

    pub fn derivatives(&self) -> Vec<Vec<f64>> {
        let mut of = [self.square(), self.square(), self.square()];
        let [dq, dv, da] = &mut of;
        self.coupled.rnea_derivatives(&mut self.work.borrow_mut(), [&self.q, &self.v, &self.x], [dq, dv, da]);
        of.into()
    }

    pub fn forward_derivatives(&self) -> Result<Vec<Vec<f64>>> {
        let mut of = [self.square(), self.square(), self.square()];
        let [dq, dv, dtau] = &mut of;
        self.coupled.aba_derivatives(&mut self.work.borrow_mut(), [&self.q, &self.v, &self.x], [dq, dv, dtau])?;
        Ok(of.into())
    }

    pub fn poses(&self) -> Vec<f64> {
        let work = &mut self.work.borrow_mut();
        let (q, _, _, inner) = self.coupled.extended_state(work, &self.q, &[], &[]);
        kinematics::fk(&self.coupled.extended, inner, q);
        let pose = |k: usize| {
            let X = kinematics::body_pose(&self.coupled.extended, inner, k);
            let (rows, p) = (X.rotation.rows(), X.origin.to_array());
            rows.into_iter().zip(p).flat_map(|([x, y, z], p)| [x, y, z, p]).collect::<Vec<f64>>()
        };
        (GROUND + 1..self.bodies).flat_map(pose).collect()
    }

    pub fn jacobians(&self) -> Vec<f64> {
        let work = &mut self.work.borrow_mut();
        let mut J = vec![0.0; 6 * self.coupled.extended.nv];
        let mut list = Vec::new();
        for k in GROUND + 1..self.bodies {
            let (q, _, _, inner) = self.coupled.extended_state(work, &self.q, &[], &[]);
            kinematics::body_jacobian(&self.coupled.extended, inner, q, k, Vec3::ZERO, &mut J);
            list.extend(self.coupled.pull(work, &J));
        }
        list
    }
}
