//! Accompanying elements: motor rotors, gear wheels and anything else that moves with the joints and adds no freedom.
//!
//! A rotor t turns on its body by p_t = F_t(q). It becomes one more body on a revolute joint of an extended tree; with
//! G = (1; ∂F/∂q), exact first and second derivatives, and extended quantities marked e: τ = Gᵀ τ_e(q, F; v, Ḟ; v̇, F̈),
//! M = Gᵀ M_e G, and F̈ = (∂F/∂q) v̇ + vᵀ (∂²F/∂q²) v (reference 001, section 3, corrected). So rotor and arm are coupled
//! in full: gyroscopic moments, and the joint that turns the rotor's body, which the shortcut N² J leaves out.

#![allow(non_snake_case)]

use super::{aba, crba, gibbs_appell, lagrange_dh, rnea, Tree, Workspace};
use crate::error::{Error, Result};
use crate::expr::Expression;
use crate::joints::{self, Joint, Limits};
use crate::math::{Jet, Pose, Rotation, Vec3};
use crate::model::{Body, Model};
use crate::motion::Motion;

/// Which algorithm makes the inertia matrix and the bias.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// Articulated bodies (with rotors: as `Crba`).
    Aba,
    /// Composite bodies, recursive Newton-Euler.
    Crba,
    /// Hessian of the Gibbs function.
    Gah,
    /// Lagrange with homogeneous matrices.
    Lagrange,
}

impl Algorithm {
    /// Every algorithm with the word that names it.
    pub const ALL: [(&'static str, Algorithm); 4] = [
        ("aba", Algorithm::Aba),
        ("crba", Algorithm::Crba),
        ("gah", Algorithm::Gah),
        ("lagrange", Algorithm::Lagrange),
    ];
}

/// A tree with its rotors.
#[derive(Debug)]
pub struct Coupled {
    /// The tree with a body and a joint more for each rotor, those last.
    pub extended: Tree,
    /// Number of position coordinates without rotors.
    pub nq: usize,
    /// Number of velocities without rotors.
    pub nv: usize,
    drives: Vec<Drive>,
}

/// How a rotor follows the joints.
#[derive(Debug)]
struct Drive {
    name: String,
    angle: Expression,
    /// Position and velocity index of each coordinate the angle depends on, in the order of its slots 1…
    coordinates: Vec<(usize, usize)>,
}

/// Scratch of a coupled tree.
#[derive(Debug)]
pub struct CoupledWorkspace {
    /// Of the extended tree.
    pub inner: Workspace,
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    tau: Vec<f64>,
    /// Extended matrix, and Gᵀ M_e.
    M: Vec<f64>,
    GM: Vec<f64>,
    /// ∂F/∂q, one row per rotor.
    gradient: Vec<f64>,
    factors: Vec<f64>,
    environment: Vec<Jet>,
}

impl Coupled {
    /// The tree of a model and its rotors.
    pub fn new(model: &Model) -> Result<Coupled> {
        Coupled::build(model, "revolute")
    }

    /// The same with every rotor held fast on its body: what the shortcut N² J starts from.
    pub fn with_rotors_fixed(model: &Model) -> Result<Coupled> {
        Coupled::build(model, "fixed")
    }

    fn build(model: &Model, keyword: &str) -> Result<Coupled> {
        let mut plain = model.clone();
        plain.rotors.clear();
        let own = Tree::new(&plain)?;
        let kind = joints::kind(keyword).ok_or_else(|| Error::new(format!("no joint type '{keyword}'")))?;
        let mut drives = Vec::new();
        for rotor in &model.rotors {
            // The rotor's frame has z along its axis and its origin on it.
            let x = rotor.axis.any_perpendicular();
            let R = Rotation { axes: [x, rotor.axis.cross(x), rotor.axis] };
            let child = plain.bodies.len();
            plain.bodies.push(Body {
                name: rotor.name.clone(),
                mass: Some(rotor.mass),
                points: Vec::new(),
                X_WB: Pose::IDENTITY,
                shape: None,
                span: rotor.span.clone(),
            });
            plain.joints.push(Joint {
                name: rotor.name.clone(),
                kind,
                bodies: [rotor.body, child],
                frames: [Pose::new(R, rotor.at), Pose::new(R, Vec3::ZERO)],
                directions: [Vec3::Z, Vec3::X],
                pitch: 0.0,
                value: Motion::Constant(0.0),
                limits: Limits::default(),
                span: rotor.span.clone(),
            });
            let place = |c: &crate::couplings::CoordinateRef| {
                let joint = own.joints.iter().find(|j| j.joint == Some(c.joint));
                joint.map(|j| (j.q + c.coordinate, j.v + c.coordinate))
            };
            let coordinates: Option<Vec<_>> = rotor.coordinates.iter().map(place).collect();
            let Some(coordinates) = coordinates else {
                return Err(Error::new("its angle uses a joint that is not part of the tree")
                    .of(format!("rotor '{}'", rotor.name))
                    .at_opt(rotor.span.as_ref()));
            };
            if keyword != "fixed" {
                drives.push(Drive { name: rotor.name.clone(), angle: rotor.angle.clone(), coordinates });
            }
        }
        Ok(Coupled { extended: Tree::new(&plain)?, nq: own.nq, nv: own.nv, drives })
    }

    /// A workspace.
    pub fn workspace(&self) -> CoupledWorkspace {
        let (n, e, m) = (self.nv, self.extended.nv, self.drives.len());
        let most = self.drives.iter().map(|d| d.coordinates.len()).max().unwrap_or(0);
        CoupledWorkspace {
            inner: Workspace::new(&self.extended),
            q: vec![0.0; self.extended.nq],
            v: vec![0.0; e],
            a: vec![0.0; e],
            tau: vec![0.0; e],
            M: vec![0.0; e * e],
            GM: vec![0.0; n * e],
            gradient: vec![0.0; m * n],
            factors: vec![0.0; n * n],
            environment: vec![Jet::default(); most + 1],
        }
    }

    /// Names of the rotors.
    pub fn rotors(&self) -> impl Iterator<Item = &str> {
        self.drives.iter().map(|d| d.name.as_str())
    }

    /// ∂F_t/∂q of rotor `t`, as the last call left it.
    pub fn gradient<'w>(&self, w: &'w CoupledWorkspace, t: usize) -> &'w [f64] {
        &w.gradient[t * self.nv..(t + 1) * self.nv]
    }

    /// Joint coordinates with those of the rotors behind them, rates and accelerations too, and the gradient.
    fn extend(&self, w: &mut CoupledWorkspace, q: &[f64], v: &[f64], a: &[f64]) {
        let at = |x: &[f64], k: usize| x.get(k).copied().unwrap_or(0.0);
        w.q[..self.nq].copy_from_slice(q);
        for k in 0..self.nv {
            w.v[k] = at(v, k);
            w.a[k] = at(a, k);
        }
        for (t, drive) in self.drives.iter().enumerate() {
            let environment = &mut w.environment[..=drive.coordinates.len()];
            for (slot, &(iq, iv)) in environment[1..].iter_mut().zip(&drive.coordinates) {
                *slot = Jet::new(q[iq], at(v, iv), at(a, iv));
            }
            let p = drive.angle.jet(environment);
            (w.q[self.nq + t], w.v[self.nv + t], w.a[self.nv + t]) = (p.v, p.d, p.dd);
            let row = &mut w.gradient[t * self.nv..(t + 1) * self.nv];
            row.fill(0.0);
            for (k, &(_, iv)) in drive.coordinates.iter().enumerate() {
                for (slot, &(iq, _)) in environment[1..].iter_mut().zip(&drive.coordinates) {
                    *slot = Jet::constant(q[iq]);
                }
                environment[k + 1].d = 1.0;
                row[iv] = drive.angle.jet(environment).d;
            }
        }
    }

    /// Adds Gᵀ of the rotors' part to the joints' part: generalised forces.
    fn project(&self, w: &CoupledWorkspace, tau: &mut [f64]) {
        tau[..self.nv].copy_from_slice(&w.tau[..self.nv]);
        for t in 0..self.drives.len() {
            for k in 0..self.nv {
                tau[k] += w.gradient[t * self.nv + k] * w.tau[self.nv + t];
            }
        }
    }

    /// Generalised forces of the motion q, v, a.
    pub fn rnea(&self, w: &mut CoupledWorkspace, q: &[f64], v: &[f64], a: &[f64], tau: &mut [f64]) {
        self.extend(w, q, v, a);
        rnea::rnea(&self.extended, &mut w.inner, &w.q, &w.v, &w.a, &mut w.tau);
        self.project(w, tau);
    }

    /// Generalised forces μ of torques on the rotors (motors).
    pub fn motors(&self, w: &mut CoupledWorkspace, q: &[f64], torques: &[f64], tau: &mut [f64]) {
        self.extend(w, q, &[], &[]);
        w.tau.fill(0.0);
        w.tau[self.nv..].copy_from_slice(&torques[..self.drives.len()]);
        self.project(w, tau);
    }

    /// Inertia matrix and bias by an algorithm.
    pub fn equations(
        &self,
        by: Algorithm,
        w: &mut CoupledWorkspace,
        q: &[f64],
        v: &[f64],
        M: &mut [f64],
        bias: &mut [f64],
    ) {
        self.extend(w, q, v, &[]);
        let (n, e) = (self.nv, self.extended.nv);
        let (tree, inner) = (&self.extended, &mut w.inner);
        match by {
            Algorithm::Aba | Algorithm::Crba => {
                crba::crba(tree, inner, &w.q, &mut w.M);
                rnea::bias(tree, inner, &w.q, &w.v, &mut w.tau);
            }
            Algorithm::Gah => {
                gibbs_appell::hessian(tree, inner, &w.q, &mut w.M);
                gibbs_appell::bias(tree, inner, &w.q, &w.v, &mut w.tau);
            }
            Algorithm::Lagrange => lagrange_dh::lagrange(tree, inner, &w.q, &w.v, &mut w.M, &mut w.tau),
        }
        // The rotors' accelerations at v̇ = 0 are vᵀ F″ v.
        for i in 0..e {
            for t in n..e {
                w.tau[i] += w.M[i * e + t] * w.a[t];
            }
        }
        self.project(w, bias);
        for i in 0..n {
            for j in 0..e {
                let rotors = (n..e).map(|t| w.gradient[(t - n) * n + i] * w.M[t * e + j]);
                w.GM[i * e + j] = w.M[i * e + j] + rotors.sum::<f64>();
            }
        }
        for i in 0..n {
            for j in 0..n {
                let rotors = (n..e).map(|t| w.GM[i * e + t] * w.gradient[(t - n) * n + j]);
                M[i * n + j] = w.GM[i * e + j] + rotors.sum::<f64>();
            }
        }
    }

    /// Accelerations under generalised forces; `M` and `bias` are filled but for `Aba` without rotors.
    #[allow(clippy::too_many_arguments)]
    pub fn forward(
        &self,
        by: Algorithm,
        w: &mut CoupledWorkspace,
        q: &[f64],
        v: &[f64],
        tau: &[f64],
        M: &mut [f64],
        bias: &mut [f64],
        a: &mut [f64],
    ) -> Result<()> {
        if by == Algorithm::Aba && self.drives.is_empty() {
            aba::aba(&self.extended, &mut w.inner, q, v, tau, a);
        } else {
            self.equations(by, w, q, v, M, bias);
            let n = self.nv;
            for k in 0..n {
                a[k] = tau[k] - bias[k];
            }
            w.factors.copy_from_slice(&M[..n * n]);
            if let Err(k) = solve(n, &mut w.factors, a) {
                return Err(self.massless(k));
            }
        }
        match (0..self.nv).find(|k| !a[*k].is_finite()) {
            Some(k) => Err(self.massless(k)),
            None => Ok(()),
        }
    }

    fn massless(&self, k: usize) -> Error {
        Error::new("nothing with mass or inertia resists this motion, so its acceleration is not determined")
            .of(format!("joint '{}'", self.extended.velocity_name(k)))
            .note("give the bodies it carries mass and inertia")
    }
}

/// Solves a symmetric positive definite system in place; the index of a pivot that is not positive otherwise.
fn solve(n: usize, A: &mut [f64], x: &mut [f64]) -> std::result::Result<(), usize> {
    let largest = (0..n).fold(0.0_f64, |m, k| m.max(A[k * n + k]));
    for k in 0..n {
        for j in 0..k {
            let l = A[k * n + j];
            for i in k..n {
                A[i * n + k] -= A[i * n + j] * l;
            }
        }
        let pivot = A[k * n + k];
        // A pivot this small is what rounding leaves of zero.
        const SMALLEST: f64 = 1e-14;
        if pivot.is_nan() || pivot <= SMALLEST * largest {
            return Err(k);
        }
        let scale = 1.0 / pivot.sqrt();
        for i in k..n {
            A[i * n + k] *= scale;
        }
    }
    for k in 0..n {
        for j in 0..k {
            x[k] -= A[k * n + j] * x[j];
        }
        x[k] /= A[k * n + k];
    }
    for k in (0..n).rev() {
        for i in k + 1..n {
            x[k] -= A[i * n + k] * x[i];
        }
        x[k] /= A[k * n + k];
    }
    Ok(())
}
