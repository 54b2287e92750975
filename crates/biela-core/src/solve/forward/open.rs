//! Accelerations of open chains and trees by the tree algorithm of choice (registry [`ALGORITHMS`]).
//!
//! In the relative formulation a model without loops, couplings and drivers has no constraint rows. Its coordinates are those
//! of the tree in another order, so v̇ follows from them and the generalised forces, and no matrix of the whole is factored.

#![allow(non_snake_case)] // M: the inertia matrix.

use crate::error::{Error, Result};
use crate::math::Vec3;
use crate::model::Model;
use crate::system::System;
use crate::tree::rotors::{Coupled, CoupledWorkspace};
use crate::tree::{algorithm, Algorithm, ALGORITHMS};

/// An open chain or tree with its algorithm.
#[derive(Debug)]
pub struct OpenChain {
    /// The algorithm.
    pub algorithm: &'static Algorithm,
    coupled: Coupled,
    work: CoupledWorkspace,
    /// Place among the system's coordinates of each of the tree's: positions, velocities.
    places: [Vec<usize>; 2],
    q: Vec<f64>,
    v: Vec<f64>,
    tau: Vec<f64>,
    a: Vec<f64>,
    M: Vec<f64>,
    bias: Vec<f64>,
    gravity: Vec3,
    torques: Option<Torques>,
}

/// Generalised forces as a function of time, in the order of the tree's velocities, besides those of the model's loads.
pub struct Torques(pub Box<Law>);

/// Fills generalised forces at a time.
type Law = dyn FnMut(f64, &mut [f64]);

impl std::fmt::Debug for Torques {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Torques")
    }
}

impl OpenChain {
    /// The algorithm that the model asks for, or the fastest one where it asks for none; none where the system has constraint
    /// rows.
    pub fn new(system: &System, rows: usize) -> Result<Option<OpenChain>> {
        let model = system.model;
        let asked = model.study.algorithm.as_deref();
        let open = if rows == 0 { Self::build(system)? } else { None };
        if let (None, Some(word)) = (&open, asked) {
            return Err(unfit(model, word)?);
        }
        Ok(open)
    }

    fn build(system: &System) -> Result<Option<OpenChain>> {
        let model = system.model;
        let by = match model.study.algorithm.as_deref() {
            Some(word) => find(word)?,
            None => ALGORITHMS[0],
        };
        let Ok(coupled) = Coupled::new(model) else { return Ok(None) };
        let mut places = [vec![0; coupled.nq], vec![0; coupled.nv]];
        for joint in coupled.extended.joints.iter().filter(|j| j.v < coupled.nv) {
            let Some(theirs) = system.formulation.joint_places(joint.body) else { return Ok(None) };
            let counts = [joint.q_names.len().max(1), joint.v_names.len().max(1)];
            for ((list, theirs), (first, count)) in
                places.iter_mut().zip(theirs).zip([joint.q, joint.v].into_iter().zip(counts))
            {
                if theirs.len() != count {
                    return Ok(None);
                }
                list.iter_mut().skip(first).zip(theirs).for_each(|(place, k)| *place = k);
            }
        }
        let n = coupled.nv;
        let work = coupled.workspace();
        let q = vec![0.0; coupled.nq];
        let [v, tau, a, bias] = [(); 4].map(|()| vec![0.0; n]);
        Ok(Some(OpenChain {
            algorithm: by,
            work,
            places,
            q,
            v,
            tau,
            a,
            M: vec![0.0; if coupled.needs_matrix(by) { n * n } else { 0 }],
            bias,
            gravity: coupled.extended.gravity,
            torques: None,
            coupled,
        }))
    }

    /// Generalised forces to be added from now on.
    pub fn push(&mut self, torques: Torques) {
        self.torques = Some(torques);
    }

    /// v̇ at q, v under the generalised forces h, weight among them, all in the system's order; without h under
    /// weight alone. Returns the power of the torques given.
    pub fn accelerate(&mut self, t: f64, q: &[f64], v: &[f64], h: Option<&[f64]>, vdot: &mut [f64]) -> Result<f64> {
        let [positions, velocities] = &self.places;
        self.q.iter_mut().zip(positions).for_each(|(x, k)| *x = q[*k]);
        self.v.iter_mut().zip(velocities).for_each(|(x, k)| *x = v[*k]);
        self.coupled.extended.gravity = if h.is_some() { Vec3::ZERO } else { self.gravity };
        match h {
            Some(h) => self.tau.iter_mut().zip(velocities).for_each(|(x, k)| *x = h[*k]),
            None => self.tau.fill(0.0),
        }
        let mut power = 0.0;
        if let Some(Torques(torques)) = &mut self.torques {
            // The bias is not needed yet.
            self.bias.fill(0.0);
            torques(t, &mut self.bias);
            for ((tau, more), v) in self.tau.iter_mut().zip(&self.bias).zip(&self.v) {
                *tau += more;
                power += more * v;
            }
        }
        let OpenChain { algorithm, coupled, work, q, v, tau, a, M, bias, .. } = self;
        coupled.forward(algorithm, work, q, v, tau, M, bias, a)?;
        a.iter().zip(velocities).for_each(|(x, k)| vdot[*k] = *x);
        Ok(power)
    }
}

fn find(word: &str) -> Result<&'static Algorithm> {
    let unknown = || Error::new(format!("no algorithm '{word}'")).suggest(word, ALGORITHMS.iter().map(|a| a.keyword));
    algorithm(word).ok_or_else(unknown)
}

/// Why an algorithm of trees cannot be had.
fn unfit(model: &Model, word: &str) -> Result<Error> {
    find(word)?;
    if let Err(error) = Coupled::new(model) {
        return Ok(error.note(format!("the algorithm '{word}' is one of open chains and trees")));
    }
    let error = Error::new(format!("the algorithm '{word}' is one of open chains and trees in joint coordinates"));
    Ok(match model.drivers.first() {
        Some(driver) => error
            .of(format!("driver '{}'", driver.name))
            .at_opt(driver.span.as_ref())
            .note("a driver prescribes motion: give torques and forces instead, or leave the algorithm out"),
        None => error.note("choose the relative formulation, or leave the algorithm out"),
    })
}
