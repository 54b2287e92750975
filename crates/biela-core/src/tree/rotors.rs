//! Accompanying elements: motor rotors, gear wheels and anything else that moves with the joints and adds no freedom.
//!
//! A rotor t turns on its body by p_t = F_t(q). It becomes one more body on a revolute joint of an extended tree; with
//! G = (1; ∂F/∂q), exact first and second derivatives, and extended quantities marked e: τ = Gᵀ τ_e(q, F; v, Ḟ; v̇, F̈),
//! M = Gᵀ M_e G, and F̈ = (∂F/∂q) v̇ + vᵀ (∂²F/∂q²) v (reference 001, section 3, corrected). So rotor and arm are coupled
//! in full: gyroscopic moments, and the joint that turns the rotor's body, which the shortcut N² J leaves out. Joints whose
//! coordinates are not the tree's own (`swapped`) are a block of G in the same way, and joints that follow others
//! ([`super::followers`]) are rows of it as rotors are.

#![allow(non_snake_case)]

use super::followers::{self, Follower};
use super::partials::Partials;
use super::swapped::{Block, Swapped};
use super::{rnea, Algorithm, Tree, Workspace};
use crate::error::{Error, Reason, Result};
use crate::expr::Expression;
use crate::joints::{self, Joint, JointKind};
use crate::math::{Jet, Pose, Rotation, Vec3};
use crate::model::{Body, Mechanism, Rotor};

/// A tree with its rotors.
#[derive(Debug)]
pub struct Coupled {
    /// The tree with a body and a joint more for each rotor, those last.
    pub extended: Tree,
    /// Number of position coordinates without rotors.
    pub nq: usize,
    /// Number of velocities without rotors.
    pub nv: usize,
    pub(super) drives: Vec<Drive>,
    pub(super) swapped: Vec<Swapped>,
    /// Joints that follow others; the first of the drives are theirs.
    pub followers: Vec<Follower>,
}

/// How a rotor, or a joint that follows another, follows the joints.
#[derive(Debug)]
pub(super) struct Drive {
    pub(super) name: String,
    pub(super) angle: Expression,
    /// Position and velocity index of each coordinate the angle depends on, in the order of its slots 1…
    pub(super) coordinates: Vec<(usize, usize)>,
}

/// Scratch of a coupled tree.
#[derive(Debug)]
pub struct CoupledWorkspace {
    /// Of the extended tree.
    pub inner: Workspace,
    pub(super) q: Vec<f64>,
    pub(super) v: Vec<f64>,
    pub(super) a: Vec<f64>,
    pub(super) tau: Vec<f64>,
    /// Extended matrix, and Gᵀ M_e.
    M: Vec<f64>,
    GM: Vec<f64>,
    /// G = ∂u/∂v between the velocities v of the model and u of the extended tree, and its rate where it is known.
    pub(super) G: Vec<f64>,
    rate: Vec<f64>,
    factors: Vec<f64>,
    environment: Vec<Jet>,
    pub(super) partials: Partials,
}

impl Coupled {
    /// The tree of a mechanism and its rotors.
    pub fn new(mechanism: &Mechanism) -> Result<Coupled> {
        Coupled::build(mechanism, true, Vec::new())
    }

    /// The same where gears and racks tie joints of the tree: its coordinates are those of the joints that follow no other.
    pub fn with_followers(mechanism: &Mechanism) -> Result<Coupled> {
        Coupled::build(mechanism, true, followers::followers(mechanism)?)
    }

    /// The same with every rotor held fast on its body: what the shortcut N² J starts from.
    pub fn with_rotors_fixed(mechanism: &Mechanism) -> Result<Coupled> {
        Coupled::build(mechanism, false, followers::followers(mechanism)?)
    }

    fn build(mechanism: &Mechanism, turning: bool, mut follow: Vec<Follower>) -> Result<Coupled> {
        let (plain, places) = followers::plain(mechanism, &follow);
        let own = Tree::new(&plain)?;
        followers::place(&mut follow, &own, &places)?;
        let mut drives = Vec::new();
        for f in &follow {
            drives.push(Drive { name: f.name.clone(), angle: f.expression()?, coordinates: vec![f.place] });
        }
        // Coordinates of joints that follow come last.
        let (nq, nv) = (own.nq - follow.len(), own.nv - follow.len());
        for rotor in &mechanism.rotors {
            let place = |c: &crate::couplings::CoordinateRef| {
                let joint = own.joints.iter().find(|j| j.joint == Some(places[c.joint]) && j.v < nv);
                joint.map(|j| (j.q + c.coordinate, j.v + c.coordinate))
            };
            let coordinates: Option<Vec<_>> = rotor.coordinates.iter().map(place).collect();
            // That of a joint which follows another turns with the other.
            let followed = match rotor.coordinates[..] {
                [c] => follow.iter().find(|f| f.joint == c.joint),
                _ => None,
            };
            let drive = match (coordinates, followed) {
                (Some(coordinates), _) => Some((rotor.angle.clone(), coordinates)),
                (None, Some(f)) => f.through(&rotor.angle).map(|angle| (angle, vec![f.place])),
                (None, None) => None,
            };
            let Some((angle, coordinates)) = drive else {
                return Err(Error::new("its angle uses a joint that is not part of the tree, or follows another")
                    .of(format!("rotor '{}'", rotor.name))
                    .at_opt(rotor.span.as_ref()));
            };
            if turning {
                drives.push(Drive { name: rotor.name.clone(), angle, coordinates });
            }
        }
        let attitudes = own.joints.iter().filter(|j| j.swapped);
        let swapped = attitudes.map(|j| Swapped { q: j.q, v: j.v, free: j.v_names.len() > 3 }).collect();
        let kind = if turning { joints::REVOLUTE } else { joints::FIXED };
        let extended = Tree::new(&with_rotors_as_bodies(plain, &mechanism.rotors, kind))?;
        Ok(Coupled { extended, nq, nv, drives, swapped, followers: follow })
    }

    /// A workspace.
    pub fn workspace(&self) -> CoupledWorkspace {
        let e = self.extended.nv;
        // Trees without rotors need no matrices here.
        let n = if self.is_plain() { 0 } else { self.nv };
        let mut G = vec![0.0; e * n];
        (0..n).for_each(|k| G[k * n + k] = 1.0);
        let most = self.drives.iter().map(|d| d.coordinates.len()).max().unwrap_or(0);
        CoupledWorkspace {
            inner: Workspace::new(&self.extended),
            q: vec![0.0; self.extended.nq],
            v: vec![0.0; e],
            a: vec![0.0; e],
            tau: vec![0.0; e],
            M: vec![0.0; if self.is_plain() { 0 } else { e * e }],
            GM: vec![0.0; n * e],
            G,
            rate: vec![0.0; e * n],
            factors: Vec::new(),
            environment: vec![Jet::default(); most + 1],
            partials: if self.is_plain() { Partials::new(0, 0, 0) } else { Partials::new(self.nv, e, most) },
        }
    }

    /// Names of the rotors.
    pub fn rotors(&self) -> impl Iterator<Item = &str> {
        self.drives.iter().skip(self.followers.len()).map(|d| d.name.as_str())
    }

    /// True where the model's coordinates are those of the tree.
    pub fn is_plain(&self) -> bool {
        self.drives.is_empty() && self.swapped.is_empty()
    }

    /// A joint with coordinates that are not the tree's own.
    pub fn first_swapped(&self) -> Option<&str> {
        self.extended.joints.iter().find(|j| j.swapped).map(|j| j.name.as_str())
    }

    /// ∂F_t/∂q of rotor `t`, as the last call left it.
    pub fn gradient<'w>(&self, w: &'w CoupledWorkspace, t: usize) -> &'w [f64] {
        let row = self.nv + self.followers.len() + t;
        &w.G[row * self.nv..(row + 1) * self.nv]
    }

    /// Coordinates, velocities and accelerations of the extended tree.
    pub fn extended_state<'w>(
        &self,
        w: &'w mut CoupledWorkspace,
        q: &[f64],
        v: &[f64],
        a: &[f64],
    ) -> (&'w [f64], &'w [f64], &'w [f64], &'w mut Workspace) {
        self.extend(w, q, v, a);
        (&w.q, &w.v, &w.a, &mut w.inner)
    }

    /// Rows over the extended tree's velocities as rows over the model's, after [`Coupled::extended_state`].
    pub fn pull(&self, w: &CoupledWorkspace, rows: &[f64]) -> Vec<f64> {
        if self.is_plain() {
            return rows.to_vec();
        }
        self.multiplied(&w.G, rows)
    }

    /// What the rate of G adds to the rate of such rows.
    pub fn pull_rate(&self, w: &CoupledWorkspace, rows: &[f64]) -> Vec<f64> {
        if self.is_plain() {
            return vec![0.0; rows.len()];
        }
        self.multiplied(&w.rate, rows)
    }

    fn multiplied(&self, G: &[f64], rows: &[f64]) -> Vec<f64> {
        let (n, e) = (self.nv, self.extended.nv);
        let entry = |row: &[f64], k: usize| row.iter().enumerate().map(|(i, x)| x * G[i * n + k]).sum();
        rows.chunks(e.max(1)).flat_map(|row| (0..n).map(move |k| entry(row, k))).collect()
    }

    /// G = ∂u/∂v and its rate, row by row, after [`Coupled::extended_state`]: with u the extended tree's velocities, u = G v. The rows that
    /// belong to rotors and followers have the rate that [`Coupled::rates`] left.
    pub fn map<'w>(&self, w: &'w CoupledWorkspace) -> (&'w [f64], &'w [f64]) {
        (&w.G, &w.rate)
    }

    /// Rates of the rows of G that belong to rotors and joints that follow others, after [`Coupled::extended_state`]: F″ v, by
    /// polarisation of vᵀ F″ v, which jets give exactly.
    pub fn rates(&self, w: &mut CoupledWorkspace, q: &[f64], v: &[f64]) {
        let n = self.nv;
        let at = |x: &[f64], k: usize| x.get(k).copied().unwrap_or(0.0);
        for (t, drive) in self.drives.iter().enumerate() {
            let environment = &mut w.environment[..=drive.coordinates.len()];
            let row = &mut w.rate[(n + t) * n..(n + t + 1) * n];
            row.fill(0.0);
            for (k, &(_, ivk)) in drive.coordinates.iter().enumerate() {
                let mut form = |sign: f64| {
                    for (slot, &(iq, iv)) in environment[1..].iter_mut().zip(&drive.coordinates) {
                        *slot = Jet::new(q[iq], at(v, iv), 0.0);
                    }
                    environment[k + 1].d += sign;
                    drive.angle.jet(environment).dd
                };
                row[ivk] = 0.25 * (form(1.0) - form(-1.0));
            }
        }
    }

    /// Fills the extended tree's coordinates, velocities and accelerations, and G.
    pub(super) fn extend(&self, w: &mut CoupledWorkspace, q: &[f64], v: &[f64], a: &[f64]) {
        let n = self.nv;
        let at = |x: &[f64], k: usize| x.get(k).copied().unwrap_or(0.0);
        w.q[..self.nq].copy_from_slice(q);
        for k in 0..n {
            w.v[k] = at(v, k);
            w.a[k] = at(a, k);
        }
        for joint in &self.swapped {
            let block = Block { G: &mut w.G, rate: &mut w.rate, columns: n };
            joint.apply(&mut w.q, &mut w.v, &mut w.a, block);
        }
        for (t, drive) in self.drives.iter().enumerate() {
            let environment = &mut w.environment[..=drive.coordinates.len()];
            for (slot, &(iq, iv)) in environment[1..].iter_mut().zip(&drive.coordinates) {
                *slot = Jet::new(q[iq], at(v, iv), at(a, iv));
            }
            let p = drive.angle.jet(environment);
            (w.q[self.nq + t], w.v[n + t], w.a[n + t]) = (p.v, p.d, p.dd);
            let row = &mut w.G[(n + t) * n..(n + t + 1) * n];
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

    /// Gᵀ τ_e: generalised forces of the model's coordinates.
    fn project(&self, w: &CoupledWorkspace, tau: &mut [f64]) {
        let (n, e) = (self.nv, self.extended.nv);
        if self.is_plain() {
            return tau[..n].copy_from_slice(&w.tau);
        }
        for (k, tau) in tau.iter_mut().enumerate().take(n) {
            *tau = (0..e).map(|i| w.G[i * n + k] * w.tau[i]).sum();
        }
    }

    /// Generalised forces of the motion q, v, a; an empty slice is zero.
    pub fn rnea(&self, w: &mut CoupledWorkspace, q: &[f64], v: &[f64], a: &[f64], tau: &mut [f64]) {
        if self.is_plain() {
            return rnea::rnea(&self.extended, &mut w.inner, q, v, a, tau);
        }
        self.extend(w, q, v, a);
        rnea::rnea(&self.extended, &mut w.inner, &w.q, &w.v, &w.a, &mut w.tau);
        self.project(w, tau);
    }

    /// Generalised forces μ of torques on the rotors (motors).
    pub fn motors(&self, w: &mut CoupledWorkspace, q: &[f64], torques: &[f64], tau: &mut [f64]) {
        self.extend(w, q, &[], &[]);
        w.tau.fill(0.0);
        let first = self.nv + self.followers.len();
        w.tau[first..].copy_from_slice(&torques[..self.drives.len() - self.followers.len()]);
        self.project(w, tau);
    }

    /// Inertia matrix and bias by an algorithm.
    // Many: states and results of one formula, a slice each, as the algorithms of trees take them.
    pub fn equations(
        &self,
        by: &Algorithm,
        w: &mut CoupledWorkspace,
        q: &[f64],
        v: &[f64],
        M: &mut [f64],
        bias: &mut [f64],
    ) {
        if self.is_plain() {
            return (by.equations)(&self.extended, &mut w.inner, q, v, M, bias);
        }
        self.extend(w, q, v, &[]);
        let (n, e) = (self.nv, self.extended.nv);
        (by.equations)(&self.extended, &mut w.inner, &w.q, &w.v, &mut w.M, &mut w.tau);
        // At v̇ = 0 the tree's accelerations are Ġ v.
        for i in 0..e {
            w.tau[i] += (0..e).map(|j| w.M[i * e + j] * w.a[j]).sum::<f64>();
        }
        self.project(w, bias);
        for i in 0..n {
            for j in 0..e {
                w.GM[i * e + j] = (0..e).map(|k| w.G[k * n + i] * w.M[k * e + j]).sum();
            }
        }
        for i in 0..n {
            for j in 0..n {
                M[i * n + j] = (0..e).map(|k| w.GM[i * e + k] * w.G[k * n + j]).sum();
            }
        }
    }

    /// True where [`Coupled::forward`] by that algorithm makes the matrix.
    pub fn needs_matrix(&self, by: &Algorithm) -> bool {
        by.direct.is_none() || !self.is_plain()
    }

    /// Accelerations under generalised forces; `M` and `bias` are filled where the algorithm makes them.
    #[allow(clippy::too_many_arguments)]
    // Many: states and results of one formula, a slice each, as the algorithms of trees take them.
    pub fn forward(
        &self,
        by: &Algorithm,
        w: &mut CoupledWorkspace,
        q: &[f64],
        v: &[f64],
        tau: &[f64],
        M: &mut [f64],
        bias: &mut [f64],
        a: &mut [f64],
    ) -> Result<()> {
        match by.direct.filter(|_| !self.needs_matrix(by)) {
            Some(direct) => direct(&self.extended, &mut w.inner, q, v, tau, a),
            None => {
                self.equations(by, w, q, v, M, bias);
                for (a, (tau, bias)) in a.iter_mut().zip(tau.iter().zip(bias.iter())) {
                    *a = tau - bias;
                }
                w.factors.clear();
                w.factors.extend_from_slice(&M[..self.nv * self.nv]);
                solve(self.nv, &mut w.factors, a).map_err(|k| self.massless(k))?;
            }
        }
        match (0..self.nv).find(|k| !a[*k].is_finite()) {
            Some(k) => Err(self.massless(k)),
            None => Ok(()),
        }
    }

    /// M⁻¹ from the inertia matrix, row by row.
    pub fn inverse(&self, M: &[f64]) -> Result<Vec<f64>> {
        let n = self.nv;
        let mut inverse = vec![0.0; n * n];
        for (k, row) in inverse.chunks_mut(n.max(1)).enumerate() {
            row[k] = 1.0;
            solve(n, &mut M.to_vec(), row).map_err(|k| self.massless(k))?;
        }
        Ok(inverse)
    }

    fn massless(&self, k: usize) -> Error {
        Error::new("nothing with mass or inertia resists this motion, so its acceleration is not determined")
            .because(Reason::Massless)
            .of(format!("joint '{}'", self.extended.velocity_name(k)))
            .note("give the bodies it carries mass and inertia")
    }
}

/// A mechanism with a body on a joint of that kind more for each rotor, those last.
fn with_rotors_as_bodies(mut plain: Mechanism, rotors: &[Rotor], kind: &'static dyn JointKind) -> Mechanism {
    for rotor in rotors {
        // The rotor's frame has z along its axis and its origin on it.
        let x = rotor.axis.any_perpendicular();
        let R = Rotation { axes: [x, rotor.axis.cross(x), rotor.axis] };
        let child = plain.bodies.len();
        plain.bodies.push(Body {
            name: rotor.name.clone(),
            mass: Some(rotor.mass),
            points: Vec::new(),
            X_WB: Pose::IDENTITY,
            shapes: Vec::new(),
            colour: None,
            span: rotor.span.clone(),
        });
        let frames = [Pose::new(R, rotor.at), Pose::new(R, Vec3::ZERO)];
        plain.joints.push(Joint::new(&rotor.name, kind, [rotor.body, child], frames));
    }
    plain
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
