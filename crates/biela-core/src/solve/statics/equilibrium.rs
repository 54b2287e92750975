//! Equilibrium under the loads: where a mechanism comes to rest in the freedoms that no driver holds.
//!
//! With Z a basis of the null space of Φ_v the position is one of equilibrium where the loads' generalised forces b do no work on
//! any motion: F = Zᵀ b = 0. From the drawing the search goes with the forces, d = (K + μ)⁻¹ F, where K = −∂F/∂y is found by
//! differences of the balance with the constraints' forces held, and μ makes it positive; so it runs down the potential where there is one, and settles where
//! K is positive: in a stable position. From an unstable one it starts with a nudge. Near the end μ vanishes, and the steps are
//! Newton's. A step is accepted where the forces have worked along it (the mean of F at its ends, times d).
//!
//! Which of several equilibria that leads to depends on what a step's length means, and so on the coordinates. The first search is
//! therefore made in absolute coordinates whatever the formulation, which takes the position over and finds it at rest.
//!
//! Natural modes are those of the equilibrium that was drawn, stable or not: where the loads balance in the drawing but for
//! `DRAWN` of them, Newton's steps lead there without regard to K's sign. The negative eigenvalues of K are the ways it can fall.

mod softest;
mod wide;

use crate::error::{some_of, Error, ErrorKind, Reason, Result};
use crate::math::dense::Matrix;
use crate::math::Pose;
use crate::results::significant;
use crate::signal::{Extent, Signals};
use crate::solve::assemble::assemble;
use crate::solve::branch::Identity;
use crate::solve::finite_mobility;
use crate::solve::forces::{Applied, ForceAnalysis};
use crate::solve::mobility;
use crate::solve::motion::{check_drivers, led};
use crate::solve::newton::{Memory, METHODS};
use crate::solve::outcome::{ended, Outcome};
use crate::solve::recorder::{Recorder, Sample};
use crate::solve::samples::{samples, stopped, time};
use crate::solve::singularity::distance_in_rank;
use crate::solve::vectors::{dot, max_abs, norm, orthonormalise};
use crate::system::generalised::GeneralisedForces;
use crate::system::{System, Workspace};
use softest::{rest, softest};

/// Largest step, in radians or sizes: turns are counted on along it, and no other equilibrium is jumped to.
const LARGEST: f64 = 0.25;
/// Displacement for differences: their error, of its square, only slows the last steps.
const DIFFERENCE: f64 = 1e-5;
/// Steps before giving up; a long way down takes tens.
const MOST: usize = 400;
/// Unbalanced forces below this, against the largest that act, are zero: a few roundings of their sums.
const BALANCED: f64 = 1e-12;
/// What is accepted where rounding lets steps get no nearer.
const ACCEPTED: f64 = 1e-9;
/// Stiffness below this fraction of the forces is none.
const SLACK: f64 = 1e-7;
/// First displacement away from an unstable position.
const NUDGE: f64 = 1e-2;
/// Freedoms beyond which triangular factors take the place of singular values and eigenvalues, and equilibria are searched for without a full
/// stiffness.
const MANY: usize = 30;
/// Unbalanced forces, against the largest that act, of a drawing that means an equilibrium: it is good to three digits.
const DRAWN: f64 = 1e-3;

/// A mechanism with freedoms that the loads must settle.
#[derive(Debug)]
pub struct Equilibrium<'s> {
    system: &'s System<'s>,
    ws: Workspace,
    applied: Applied,
    generalised: GeneralisedForces,
    memory: Memory,
    /// The present position.
    q: Vec<f64>,
    zeros: Vec<f64>,
    /// Generalised forces of the loads (scratch).
    b: Vec<f64>,
    /// Largest force that acts, as counted in `b`.
    scale: f64,
    residual: f64,
    t: f64,
    iterations: usize,
    /// Freedoms for the loads to settle, as counted at the start.
    freedoms: usize,
}

/// How a position rests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    /// Every small displacement is driven back.
    Stable,
    /// Some displacement is neither driven back nor on.
    Indifferent,
    /// So many independent displacements are driven on.
    Unstable(usize),
}

impl Rest {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Rest::Stable => "stable",
            Rest::Indifferent => "indifferent",
            Rest::Unstable(_) => "unstable",
        }
    }
}

/// Where bodies stand, and the values of all joint coordinates with their turns.
#[derive(Debug, Clone)]
pub struct Stand {
    /// Pose of every body, ground first.
    pub poses: Vec<Pose>,
    /// Joint coordinates in the order of the system's.
    pub coordinates: Vec<f64>,
}

impl Stand {
    /// As realised in a workspace.
    pub fn of(system: &System, ws: &Workspace) -> Stand {
        let value = |c: &(usize, usize, usize)| system.constraints.value(c.2, &ws.evaluation);
        Stand {
            poses: ws.cache.bodies.iter().map(|b| b.pose).collect(),
            coordinates: system.constraints.coordinates().iter().map(value).collect(),
        }
    }

    /// The coordinates of a formulation that stands so, realised in its workspace with turns counted.
    pub fn take(&self, system: &System, ws: &mut Workspace, t: f64) -> Vec<f64> {
        let mut q = vec![0.0; system.formulation.nq()];
        system.formulation.coordinates(&self.poses, &mut q);
        for ((_, _, measure), value) in system.constraints.coordinates().iter().zip(&self.coordinates) {
            ws.evaluation.near[*measure] = *value;
        }
        ws.realize_position(system, t, &q);
        ws.cache.keep_attitudes();
        q
    }
}

impl<'s> Equilibrium<'s> {
    /// Assembles at time `t`; `None` where drivers hold every freedom.
    pub fn new(system: &'s System<'s>, t: f64) -> Result<Option<Equilibrium<'s>>> {
        check_drivers(system, t)?;
        let mut ws = Workspace::new(system);
        let q = assemble(system, &mut ws, t)?;
        Equilibrium::at(system, ws, t, q)
    }

    /// From an assembled position; `None` where drivers hold every freedom.
    pub fn at(system: &'s System<'s>, mut ws: Workspace, t: f64, q: Vec<f64>) -> Result<Option<Equilibrium<'s>>> {
        ws.realize_position(system, t, &q);
        let mobility = mobility::count(system, &mut ws, t);
        if mobility.overdriven > 0 {
            return Err(mobility::overdriven(system, &mut ws, t, &mobility));
        }
        if mobility.undriven == 0 {
            return Ok(None);
        }
        finite_mobility::refuse_fixed(system, &ws, t, &mobility)?;
        let freedoms = mobility.undriven;
        ws.hold_spins(system, mobility.idle);
        let nv = system.formulation.nv();
        let zeros = vec![0.0; nv];
        let (memory, applied, generalised) = (Memory::new(nv), Applied::new(system), GeneralisedForces::new(system));
        let b = zeros.clone();
        let (scale, residual, iterations) = (0.0, 0.0, 0);
        Ok(Some(Equilibrium {
            system,
            ws,
            applied,
            generalised,
            memory,
            q,
            zeros,
            b,
            scale,
            residual,
            t,
            iterations,
            freedoms,
        }))
    }

    /// The equilibrium at every sample of the run, each from the one before, as far as there are any.
    pub fn follow(mut self, progress: &mut dyn FnMut(usize, usize) -> bool) -> Result<Outcome> {
        let system = self.system;
        let samples = samples(system.model);
        let mut forces = ForceAnalysis::new(system, false)?;
        let told = Extent { forces: true, mode: true, ..Extent::default() };
        let mut recorder = Recorder::new(system, samples, Signals::with(system.model, told))?;
        self.ws.realize_position(system, self.t, &self.q);
        let identity = Identity::new(system, &mut self.ws, self.t);
        let mode = identity.words.clone();
        recorder.carry(identity);
        let (mut rest, mut end) = (Rest::Stable, None);
        let wide = self.freedoms > MANY;
        let absolute = match wide && system.formulation.name() != "absolute" {
            true => Some(System::new(system.model, "absolute")?),
            false => None,
        };
        let mut other = absolute.as_ref().map_or(Ok(None), |absolute| Equilibrium::new(absolute, self.t))?;
        if !wide {
            self.start_from_absolute();
        }
        for k in 0..samples {
            if k > 0 && !progress(k, samples) {
                return Err(stopped(k, samples));
            }
            self.t = time(system.model, k);
            let mut sample = || {
                let found = match (wide, &mut other) {
                    (false, _) => self.find()?,
                    (true, None) => self.find_wide()?,
                    (true, Some(other)) => self.find_as(other)?,
                };
                if found == Rest::Indifferent {
                    rest = Rest::Indifferent;
                }
                forces.evaluate_asked(recorder.asked(), system, &mut self.ws, self.t)?;
                let sample = Sample { system, ws: &self.ws, t: self.t, residual: self.residual };
                recorder.record(&sample, Some(&forces), None)
            };
            if let Err(error) = ended(sample(), k)? {
                end = Some(led(error, system, self.t));
                break;
            }
        }
        let mut results = recorder.finish(system.model);
        for (key, text) in [
            ("model", system.model.name.clone()),
            ("formulation", system.formulation.name().into()),
            ("newton", METHODS[0].keyword().into()),
            ("newton iterations", self.iterations.to_string()),
            ("equilibrium", rest.word().into()),
            ("mode", mode),
        ] {
            results.tell(key, text);
        }
        results.notes.extend(forces.notes(system));
        Ok(Outcome::new(results, end))
    }

    /// Where the first search, in absolute coordinates, has come to rest; nothing changes where it finds no rest.
    fn start_from_absolute(&mut self) {
        if self.system.formulation.name() == "absolute" {
            return;
        }
        let found = || -> Option<Stand> {
            let system = System::new(self.system.model, "absolute").ok()?;
            let mut search = Equilibrium::new(&system, self.t).ok()??;
            search.find().ok()?;
            Some(Stand::of(&system, &search.ws))
        };
        if let Some(stand) = found() {
            self.q = stand.take(self.system, &mut self.ws, self.t);
        }
    }

    /// Moves to the equilibrium that was drawn, or from there down to a stable one. The bodies as they stand there. A singular
    /// position is an error: where motions cross there are no small vibrations of either.
    pub fn drawn_or_below(mut self) -> Result<(Rest, Stand)> {
        /// Distance to singularity of a position that is one: equilibria are known to the root of rounding where it is.
        const SINGULAR: f64 = 1e-5;
        let rest = match self.drawn() {
            Some(rest) => rest,
            None => self.find()?,
        };
        let rank = self.zeros.len().saturating_sub(self.freedoms);
        let distance = distance_in_rank(self.system, &self.ws, self.system.constraints.len(), rank);
        if distance.is_some_and(|d| d < SINGULAR) {
            return Err(ErrorKind::Equilibrium
                .error("the equilibrium is a singular position, in which the mechanism can move several ways")
                .because(Reason::SeveralWays)
                .of(format!("mechanism '{}'", self.system.model.name))
                .note("small vibrations about it are not determined; change a dimension or a load"));
        }
        Ok((rest, Stand::of(self.system, &self.ws)))
    }

    /// Newton's steps to an equilibrium of any kind next to the present position, where the loads nearly balance; `None`, with
    /// nothing changed, where they do not or where the steps lead away.
    fn drawn(&mut self) -> Option<Rest> {
        const MOST: usize = 20;
        /// Steps of a drawing good to three digits are not longer, in radians or sizes.
        const SHORT: f64 = 0.05;
        let start = self.q.clone();
        let mut q = start.clone();
        let mut before = f64::INFINITY;
        for round in 0..MOST {
            if !self.project(&mut q) {
                break;
            }
            self.q = q;
            let basis = self.settle();
            let f = self.forces(&basis);
            let k = self.stiffness(&basis);
            let scale = self.scale + max_abs(&k.entries);
            let size = norm(&f);
            if !(size <= DRAWN * scale || round > 0 && size < before) {
                break;
            }
            let stalled = size > 0.5 * before && size <= ACCEPTED * scale;
            if size <= BALANCED * scale || stalled {
                self.settle();
                return Some(rest(&k, SLACK * scale));
            }
            before = size;
            let d = k.pseudo_solve(&f, SLACK);
            if norm(&d) > SHORT {
                break;
            }
            let Some(next) = self.moved(&basis, &d) else { break };
            q = next;
        }
        self.q = start;
        self.scale = 0.0;
        None
    }

    /// Moves to the equilibrium near the present position, which is left realised, at rest, with Φ_v factored.
    fn find(&mut self) -> Result<Rest> {
        let mut q = self.q.clone();
        if !self.project(&mut q) {
            return Err(self.failure(Reason::LoopsOpen, "the loops no longer close"));
        }
        self.q = q;
        let mut nudged = false;
        for _ in 0..MOST {
            self.iterations += 1;
            let basis = self.settle();
            let f = self.forces(&basis);
            let size = norm(&f);
            if !size.is_finite() {
                return Err(self.failure(Reason::NotFinite, "the loads are not finite"));
            }
            let k = self.stiffness(&basis);
            // Forces of a unit displacement count beside those that act, which may all cancel where the search starts.
            let scale = self.scale + max_abs(&k.entries);
            let slack = SLACK * scale;
            let (least, softest) = softest(&k, slack);
            if size <= BALANCED * scale {
                if least >= -slack {
                    self.settle();
                    return Ok(if least > slack { Rest::Stable } else { Rest::Indifferent });
                }
                // At rest on a summit: whichever way the last digits lean, one has to be chosen.
                let d: Vec<f64> = softest.iter().map(|x| x * NUDGE).collect();
                let Some(q) = self.moved(&basis, &d) else {
                    return Err(self.failure(Reason::Immobile, "it cannot move"));
                };
                self.q = q;
                nudged = true;
                continue;
            }
            if !self.step(&basis, &f, &k, least, scale) {
                if size <= ACCEPTED * scale && least >= -slack {
                    self.settle();
                    return Ok(if least > slack { Rest::Stable } else { Rest::Indifferent });
                }
                return Err(match nudged {
                    true => self.failure(Reason::Unstable, "it leaves an unstable position and finds no other"),
                    false => self.failure(Reason::NoDescent, "no step goes with the forces"),
                });
            }
        }
        Err(self.failure(Reason::Unsettled, &format!("{MOST} steps with the forces have not come to an end")))
    }

    /// One step with the forces; false where none is any good.
    fn step(&mut self, basis: &[Vec<f64>], f: &[f64], k: &Matrix, least: f64, scale: f64) -> bool {
        let n = f.len();
        let slack = SLACK * scale;
        let mut shift = if least > slack { 0.0 } else { slack.max(f64::MIN_POSITIVE) - 2.0 * least.min(0.0) };
        for _ in 0..60 {
            let mut matrix = Matrix::zeros(n, n);
            for i in 0..n {
                for j in 0..=i {
                    matrix.row_mut(i)[j] = 0.5 * (k.row(i)[j] + k.row(j)[i]);
                }
                matrix.row_mut(i)[i] += shift;
            }
            let mut d = f.to_vec();
            if matrix.cholesky_solve(&mut d).is_some() {
                let length = norm(&d);
                if length > LARGEST {
                    d.iter_mut().for_each(|x| *x *= LARGEST / length);
                }
                let here = dot(f, &d);
                if let Some(q) = self.moved(basis, &d) {
                    if let Some(there) = self.forces_along(basis).map(|f| dot(&f, &d)) {
                        // The forces work along the step, and at its end do not push back harder than they pushed.
                        if here + there > 0.0 && there > -0.9 * here {
                            self.q = q;
                            return true;
                        }
                        // Steps so short that forces are rounding end here.
                        if here <= 4.0 * f64::EPSILON * scale * length {
                            return false;
                        }
                    }
                }
            }
            shift = 4.0 * shift.max(0.25 * norm(f)).max(max_abs(&k.entries) * 0.1).max(f64::MIN_POSITIVE);
        }
        false
    }

    /// Realises the present position at rest, with Φ_v factored. Returns an orthonormal basis of the motions left free.
    fn settle(&mut self) -> Vec<Vec<f64>> {
        self.ws.elimination = None;
        self.place();
        let mut null = self.ws.elimination.as_ref().map(|e| e.null_space()).unwrap_or_default();
        orthonormalise(&mut null);
        null
    }

    /// Realises the present position at rest, with Φ_v factored.
    fn place(&mut self) {
        let system = self.system;
        self.residual = self.ws.realize_position(system, self.t, &self.q);
        system.constraints.keep_turns(&mut self.ws.evaluation);
        self.ws.cache.keep_attitudes();
        self.rest();
        self.ws.factor(true);
    }

    /// Velocities and accelerations of zero, and Φ_v, at the position realised.
    fn rest(&mut self) {
        let (system, t) = (self.system, self.t);
        self.ws.realize_velocity(system, t, &self.zeros);
        self.ws.realize_acceleration(system, t, &self.zeros);
        self.ws.realize_jacobian(system, t);
    }

    /// Brings `q` onto the constraints; false where it cannot be.
    fn project(&mut self, q: &mut [f64]) -> bool {
        let (system, t) = (self.system, self.t);
        self.ws.newton(METHODS[0], system, t, q, &mut self.memory).is_ok()
    }

    /// The position after a displacement d along the basis, on the constraints, and realised.
    fn moved(&mut self, basis: &[Vec<f64>], d: &[f64]) -> Option<Vec<f64>> {
        let mut dv = vec![0.0; self.zeros.len()];
        for (z, d) in basis.iter().zip(d) {
            for (dv, z) in dv.iter_mut().zip(z) {
                *dv += d * z;
            }
        }
        let mut q = self.displaced(dv);
        self.project(&mut q).then_some(q)
    }

    /// The position after a displacement in scaled velocities, not yet on the constraints.
    fn displaced(&self, mut dv: Vec<f64>) -> Vec<f64> {
        let formulation = &self.system.formulation;
        formulation.unscale(&mut dv, self.ws.size);
        let mut q = self.q.clone();
        formulation.step(&mut q, &dv);
        q
    }

    /// The loads' generalised forces b at the position realised.
    fn act(&mut self) {
        self.applied.evaluate(self.system, &self.ws, self.t);
        self.generalised.generalised(self.system, &self.ws, &self.applied.wrenches, &mut self.b);
    }

    /// The same, and the largest of them.
    fn weigh(&mut self) {
        self.act();
        let size = self.ws.size;
        let wrench = |w: &crate::system::wrench::Wrench| (w.force.norm() * size).max(w.moment.norm());
        self.scale = self.applied.wrenches.iter().map(wrench).fold(self.scale.max(max_abs(&self.b)), f64::max);
    }

    /// Zᵀ b at the position realised.
    fn forces(&mut self, basis: &[Vec<f64>]) -> Vec<f64> {
        self.weigh();
        basis.iter().map(|z| dot(z, &self.b)).collect()
    }

    /// The same at another position realised, for the motions there that have the same parts along `basis`.
    fn forces_along(&mut self, basis: &[Vec<f64>]) -> Option<Vec<f64>> {
        self.rest();
        self.ws.factor(true);
        let null = self.ws.elimination.as_ref()?.null_space();
        let n = basis.len();
        if null.len() != n {
            return None;
        }
        let f = self.forces(&null);
        // Motions Z X with Bᵀ Z X = 1: their forces are Xᵀ f, from (Bᵀ Z)ᵀ g = f.
        let mut matrix = Matrix::zeros(n, n);
        for (i, z) in null.iter().enumerate() {
            for (j, b) in basis.iter().enumerate() {
                matrix.row_mut(i)[j] = dot(b, z);
            }
        }
        let g = match n > MANY {
            true => {
                let mut g = f;
                matrix.lu()?.solve(&mut g);
                g
            }
            false => matrix.pseudo_solve(&f, 1e-13),
        };
        g.iter().all(|x| x.is_finite()).then_some(g)
    }

    /// Takes g = b − Φ_vᵀ λ after a displacement in scaled velocities, times `sign`, from the sum of such.
    fn take_away(&mut self, sign: f64, dv: Vec<f64>, lambda: &[f64], sum: &mut [f64]) {
        let q = self.displaced(dv);
        self.ws.realize_position(self.system, self.t, &q);
        self.rest();
        self.act();
        sum.iter_mut().zip(&self.b).for_each(|(g, b)| *g -= sign * b);
        let Workspace { pattern, evaluation, .. } = &self.ws;
        for (i, lambda) in lambda.iter().enumerate().filter(|(_, lambda)| **lambda != 0.0) {
            for e in pattern.range(i) {
                sum[pattern.index[e]] += sign * lambda * evaluation.phi_v[e];
            }
        }
    }

    /// −∂F/∂y at the position realised, with its factors at hand.
    ///
    /// Rows do no work on what they allow, so that F is as well that of g = b − Φ_vᵀ λ with λ held; with the λ that leaves of b what lies
    /// along the basis, g has no part across it, and what the constraints bend a motion by does no work: ∂F/∂y = Zᵀ ∂g/∂q Z. So no
    /// displaced position is brought onto the constraints, and none has a basis of its own.
    fn stiffness(&mut self, basis: &[Vec<f64>]) -> Matrix {
        let n = basis.len();
        let mut k = Matrix::zeros(n, n);
        let f = self.forces(basis);
        let mut across = self.b.clone();
        for (z, f) in basis.iter().zip(&f) {
            across.iter_mut().zip(z).for_each(|(b, z)| *b -= f * z);
        }
        let rows = self.ws.pattern.rows();
        let (mut lambda, mut work) = (vec![0.0; rows], vec![0.0; rows.max(across.len())]);
        if let Some(factors) = &self.ws.elimination {
            factors.solve_transposed(&across, &mut lambda, &mut work);
        }
        let mut difference = across;
        for j in 0..n {
            difference.fill(0.0);
            for sign in [-1.0, 1.0] {
                let dv = basis[j].iter().map(|z| sign * DIFFERENCE * z).collect();
                self.take_away(sign, dv, &lambda, &mut difference);
            }
            for (i, z) in basis.iter().enumerate() {
                k.row_mut(i)[j] = dot(z, &difference) / (2.0 * DIFFERENCE);
            }
        }
        k
    }

    fn failure(&mut self, reason: Reason, why: &str) -> Error {
        let (system, t) = (self.system, self.t);
        self.ws.realize_position(system, t, &self.q);
        let loose = mobility::loose_joints(system, &mut self.ws, t);
        ErrorKind::Equilibrium
            .error(format!("no equilibrium found at t = {} s: {why}", significant(t, 9)))
            .because(reason)
            .at_time(t)
            .of(format!("mechanism '{}'", system.model.name))
            .note(format!("the loads must settle: {}", some_of(&loose)))
            .note("hold these by springs or drivers, or draw the mechanism nearer to where it rests")
    }
}
