//! One step of a driven motion: predict, correct, refuse to jump.
//!
//! From a known position, velocity and acceleration the next position is predicted and Newton corrects it. A step is refused
//! where Newton fails, where the correction is large compared with the step, or where the branch changes (`branch.rs`).

mod branch;
pub(in crate::solve) mod lookback;
mod quick;
mod snapshot;
mod spin;
mod stride;

use super::driver_fault::jump;
use crate::error::{some_of, ErrorKind, Reason, Result};
use crate::math::{Number, Vec3};
use crate::solve::assemble::assemble;
use crate::solve::finite_mobility;
use crate::solve::mobility;
use crate::solve::newton::{Converged, Memory, Method};
use crate::solve::singularity;
use crate::solve::vectors::max_abs;
use crate::system::{BodyState, Flat, State, System, Workspace};
use branch::Branch;
use quick::Quick;
pub(super) use snapshot::Snapshot;
pub(in crate::solve) use spin::{spun, Moment};

/// Largest predicted displacement of one step: radians, or lengths in sizes. Well under the half turn beyond which turns
/// could not be counted.
pub(in crate::solve) const LARGEST_STEP: f64 = 0.5;
/// Largest correction as a fraction of the predicted displacement …
pub(in crate::solve) const CORRECTION: f64 = 0.3;
/// … or outright, for motions that start from rest, where nothing can be predicted.
pub(in crate::solve) const FREE_CORRECTION: f64 = 0.1;
/// How far a step's displacement may differ from what the velocities and accelerations at its ends make of it, as a
/// fraction of it …
pub(in crate::solve) const DISAGREEMENT: f64 = 0.1;
/// … and outright, so that laws with sudden changes of velocity or acceleration can be followed.
pub(in crate::solve) const FREE_DISAGREEMENT: f64 = 0.01;
/// … but near a singular position no more than rounding.
const NEAR_DISAGREEMENT: f64 = 1e-7;
/// Largest turn of a body in one step, beyond which its attitude and the joints' turns might be miscounted.
const LARGEST_TURN: f64 = 1.5;
/// Weakest pivot below which the distance to singularity is looked at …
pub(in crate::solve) const DOUBTFUL: f64 = 1e-3;
/// … and distance below which a position does not determine its rates.
const BLIND: f64 = 1e-6;
/// Rates times distance, against those of the drivers, above which rates grow as the distance falls.
const GROWING: f64 = 1e-3;
/// Violation of a redundant row, in velocity or acceleration, that shows it to contradict the others.
const CONTRADICTION: f64 = 1e-7;
/// Pivots below this, against their rows, mean a singular position. There two solutions lie so close together that a position
/// is known to half the digits only, rates not at all, and the sign of a determinant means nothing.
const SINGULAR: f64 = 1e-8;
/// Violation of a redundant row beyond which the rows solved for are chosen anew: far above the roundings of a good choice,
/// far below what a result would show.
const POOR_CHOICE: f64 = 1e-12;

/// A driven mechanism at one time of its motion, and the step tried from there.
#[derive(Debug)]
pub struct Stepper<'s> {
    /// The system followed.
    pub system: &'s System<'s>,
    /// Arrays; bodies and markers are those of the present state.
    pub ws: Workspace,
    /// The present state.
    pub state: State,
    /// Largest residual of the present position.
    pub residual: f64,
    /// Newton corrections made so far.
    pub iterations: usize,
    /// Steps taken so far.
    pub steps: usize,
    /// Rank of the rows without drivers, idle ones included, where the motion began.
    pub(super) usual_rank: usize,
    /// How long before the state there was another, and v̇ then.
    pub(super) before: Option<f64>,
    v_before: Vec<f64>,
    vdot_before: Vec<f64>,
    /// The same of the state before that one.
    pub(super) before_that: Option<f64>,
    v_before_that: Vec<f64>,
    vdot_before_that: Vec<f64>,
    /// Displacement of the last step.
    moved_before: Vec<f64>,
    pub(super) trial: State,
    /// Displacement in velocities times time: scratch, and as predicted for the step tried.
    pub(super) dv: Vec<f64>,
    pub(super) predicted: Vec<f64>,
    /// How positions are corrected.
    method: &'static dyn Method,
    pub(super) memory: Memory,
    /// Violation that the rows last chosen left where they were chosen.
    settled: f64,
    /// Idle bodies of the present state, and its time.
    spins: Vec<(f64, Moment)>,
    /// By how much these have spun in the last step, slightly.
    spun: Vec<f64>,
    branch: Branch,
    /// The last state well away from singular positions.
    pub(super) good: Option<Snapshot>,
    pivots: Pivots,
    /// What turns each scaled velocity into the velocity itself.
    scales: Vec<f64>,
    quick: Quick,
    residual_of_trial: f64,
    /// Residual that Newton left where the trial did not converge; none where it did.
    left: Option<f64>,
}

/// Weakest pivots, against their rows.
#[derive(Debug)]
struct Pivots {
    /// That of the trial, and that of the present state.
    trial: f64,
    here: f64,
    /// What counts as well away from singular in this mechanism.
    well_away: f64,
}

/// How a step's displacement follows from what is known of this state and the one before, in steps of its length `before` then: by the polynomial
/// of fourth degree for the velocity through both ends' velocities and accelerations and the displacement between them, or, where that is not
/// known, of third degree.
#[derive(Debug, Clone, Copy)]
pub(in crate::solve) struct Past {
    /// The length of the step before, and this one's in its units.
    before: f64,
    r: f64,
    /// Whether the displacement counts.
    displaced: bool,
}

impl Past {
    pub(in crate::solve) fn of(h: f64, before: f64, displaced: bool) -> Past {
        let r = h / before;
        // Beyond these the polynomial runs away from its points.
        Past { before, r, displaced: displaced && (0.2..=1.5).contains(&r) }
    }

    #[inline(always)]
    pub(in crate::solve) fn displacement<N: Number>(
        &self,
        [v, vdot]: [N; 2],
        [v_before, vdot_before]: [N; 2],
        moved: N,
    ) -> N {
        let Past { before, r, displaced } = *self;
        let n = N::splat;
        let slope = vdot * n(before);
        if !(0.2..=1.5).contains(&r) {
            let jerk = slope - vdot_before * n(before);
            return n(before * r) * (v + n(0.5 * r) * (slope + n(r / 3.0) * jerk));
        }
        // v(τ) = v + slope τ + b τ² + c τ³ + e τ⁴ with τ = −1 at the state before.
        let (x, y) = (v_before - v + slope, vdot_before * n(before) - slope);
        let e = match displaced {
            true => n(30.0) * (moved / n(before) - v + n(0.5) * slope) - n(2.5) * y - n(15.0) * x,
            false => n(0.0),
        };
        let (b, c) = (y + n(3.0) * x + e, y + n(2.0) * x + n(2.0) * e);
        n(before * r) * (v + n(r) * (n(0.5) * slope + n(r) * (b / n(3.0) + n(r) * (n(0.25) * c + n(r * 0.2) * e))))
    }
}

/// Why a step was refused.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Refusal {
    NoConvergence,
    LargeCorrection,
    Singular,
    Contradiction,
    Jump,
}

impl<'s> Stepper<'s> {
    /// Assembles at time `t`; rates are not known yet.
    pub(super) fn new(system: &'s System<'s>, t: f64, method: &'static dyn Method) -> Result<Stepper<'s>> {
        let mut ws = Workspace::new(system);
        let q = assemble(system, &mut ws, t)?;
        let nv = system.formulation.nv();
        let state = State { t, q, v: vec![0.0; nv], vdot: vec![0.0; nv] };
        let scales = (0..nv).map(|k| system.formulation.scale(k, ws.size)).collect();
        Ok(Stepper {
            system,
            ws,
            trial: state.clone(),
            state,
            residual: 0.0,
            iterations: 0,
            steps: 0,
            usual_rank: 0,
            before: None,
            v_before: vec![0.0; nv],
            vdot_before: vec![0.0; nv],
            before_that: None,
            v_before_that: vec![0.0; nv],
            vdot_before_that: vec![0.0; nv],
            moved_before: vec![0.0; nv],
            dv: vec![0.0; nv],
            predicted: vec![0.0; nv],
            method,
            memory: Memory::new(nv),
            settled: f64::INFINITY,
            spins: Vec::new(),
            spun: Vec::new(),
            branch: Branch::default(),
            good: None,
            pivots: Pivots { trial: 0.0, here: f64::INFINITY, well_away: f64::INFINITY },
            scales,
            quick: Quick::default(),
            residual_of_trial: 0.0,
            left: None,
        })
    }

    /// Checks that drivers and freedoms match and solves velocity and acceleration at the assembled position; the reason where the
    /// rates cannot be found is handed back.
    pub(super) fn start(&mut self) -> Result<Option<Refusal>> {
        let (system, t) = (self.system, self.state.t);
        self.ws.realize_position(system, t, &self.state.q);
        let mobility = mobility::count(system, &mut self.ws, t);
        self.ws.hold_spins(system, mobility.idle.clone());
        self.usual_rank = mobility.rank + mobility.idle.len();
        if mobility.overdriven > 0 {
            return Err(mobility::overdriven(system, &mut self.ws, t, &mobility));
        }
        if mobility.undriven > 0 {
            finite_mobility::refuse_fixed(system, &self.ws, t, &mobility)?;
            let loose = mobility::loose_joints(system, &mut self.ws, t);
            let (free, all) = (mobility.undriven, mobility.freedoms);
            let error = ErrorKind::Drive
                .error(format!("under-driven at t = {t} s: {free} of {all} freedom(s) have no driver"))
                .because(Reason::UnderDriven)
                .at_time(t);
            self.ws.realize_position(system, t, &self.state.q);
            let error = match finite_mobility::finite_mobility(system, &self.ws, t, &mobility) {
                Some(finite) if finite < all => {
                    error.note(format!("of these {}", finite_mobility::trembling(all - finite)))
                }
                _ => error,
            };
            return Err(error
                .note(format!("{free} more driver(s) needed, on any of: {}", some_of(&loose)))
                .note("write them in the model or give --drive JOINT=EXPRESSION; at a dead centre, start elsewhere"));
        }
        self.trial.clone_from(&self.state);
        let realized = self.newton().and_then(|newton| {
            self.ws.elimination = None;
            self.realize(newton)
        });
        if let Err(refusal) = realized {
            finite_mobility::refuse_fixed(system, &self.ws, t, &mobility)?;
            return Ok(Some(refusal));
        }
        self.keep_sign();
        self.accept();
        self.watch_branch();
        self.prepare_quick();
        Ok(None)
    }
    pub(super) fn newton(&mut self) -> std::result::Result<Converged, Refusal> {
        let t = self.trial.t;
        let converged = self.ws.newton(self.method, self.system, t, &mut self.trial.q, &mut self.memory);
        self.left = converged.as_ref().err().map(|failure| failure.residual);
        match converged {
            Ok(converged) => {
                self.iterations += converged.iterations;
                Ok(converged)
            }
            Err(failure) => {
                self.iterations += failure.iterations;
                Err(Refusal::NoConvergence)
            }
        }
    }

    /// True where Newton has come as near to the trial as rounding lets it, but not to what is accepted: of a mechanism whose parts are small
    /// beside the distance between them.
    pub(super) fn is_rounding(&self) -> bool {
        self.left.is_some_and(|left| self.ws.is_rounding(left))
    }

    /// Velocity and acceleration at the trial position, which satisfies the constraints.
    pub(super) fn realize(&mut self, newton: Converged) -> std::result::Result<(), Refusal> {
        let (system, t) = (self.system, self.trial.t);
        self.ws.realize_jacobian(system, t);
        self.ws.factor(true);
        let weakest = |ws: &Workspace| {
            let full = ws.elimination.as_ref().filter(|e| e.rank() == system.formulation.nv());
            full.map_or(0.0, |e| e.weakest(&ws.pattern, &ws.evaluation.phi_v, &ws.evaluation.weight))
        };
        let full = |ws: &Workspace| weakest(ws) > SINGULAR;
        if !full(&self.ws) {
            // What a shorter or longer step has left behind may be a poor choice for this position.
            self.ws.analyse(&[]);
        }
        if !full(&self.ws) {
            return Err(Refusal::Singular);
        }
        let mut violation = self.rates();
        // Of redundant rows those solved for may become nearly dependent by themselves, though all rows together are not;
        // the rows left out then show it.
        if self.settled.is_infinite() {
            self.settled = violation;
        }
        if violation > POOR_CHOICE.max(100.0 * self.settled) {
            self.ws.analyse_carefully();
            if !full(&self.ws) {
                return Err(Refusal::Singular);
            }
            violation = self.rates();
            self.settled = violation;
        }
        if violation > CONTRADICTION {
            return Err(Refusal::Contradiction);
        }
        let finite = |x: &[f64]| x.iter().all(|x| x.is_finite());
        if !(finite(&self.trial.v) && finite(&self.trial.vdot)) {
            return Err(Refusal::NoConvergence);
        }
        self.residual = newton.residual;
        self.pivots.trial = weakest(&self.ws);
        // So near to where motions cross rates are rounding, and with them the judgement which branch a step leads to. (Where
        // a motion ends instead, rates grow as the distance falls.)
        let near = self.pivots.trial < DOUBTFUL && system.formulation.nv() <= singularity::DENSE;
        if near {
            let distance = singularity::distance(system, &self.ws);
            let scale = |k: usize| system.formulation.scale(k, self.ws.size);
            let fastest = self.trial.v.iter().enumerate().fold(0.0f64, |m, (k, v)| m.max(v.abs() / scale(k)));
            let driven = max_abs(&self.ws.evaluation.nu);
            if distance < BLIND && fastest * distance < GROWING * driven {
                return Err(Refusal::Singular);
            }
        }
        Ok(())
    }

    /// Velocity and acceleration at the trial by the factors at hand. Returns the largest violation of any row.
    fn rates(&mut self) -> f64 {
        let (system, t) = (self.system, self.trial.t);
        let velocity = self.ws.solve_velocity(system, t, &mut self.trial.v);
        velocity.max(self.ws.solve_acceleration(system, t, &mut self.trial.vdot))
    }

    pub(super) fn accept(&mut self) {
        self.quick.forget();
        std::mem::swap(&mut self.state, &mut self.trial);
        self.system.constraints.keep_turns(&mut self.ws.evaluation);
        self.ws.cache.keep_attitudes();
        self.keep_spins();
        self.steps += 1;
        self.pivots.here = self.pivots.trial;
        if self.good.is_none() {
            /// Pivots above this, or above a tenth of what they are at the start, are well away from singular.
            const WELL_AWAY: f64 = 1e-2;
            self.pivots.well_away = WELL_AWAY.min(0.1 * self.pivots.trial);
        }
        if self.pivots.trial >= self.pivots.well_away {
            self.remember();
        }
    }

    /// The largest part of `h` whose predicted displacement stays within bounds.
    pub(super) fn allowed_step(&self, h: f64) -> f64 {
        if self.is_short(h) {
            return h;
        }
        let mut allowed = h;
        for k in 0..self.state.v.len() {
            let scale = self.scales[k];
            let (v, a) = (self.state.v[k].abs() / scale, self.state.vdot[k].abs() / scale);
            // v h + ½ a h² ≤ LARGEST_STEP holds if each part takes half.
            if v * allowed > 0.5 * LARGEST_STEP {
                allowed = 0.5 * LARGEST_STEP / v;
            }
            if 0.5 * a * allowed * allowed > 0.5 * LARGEST_STEP {
                allowed = (LARGEST_STEP / a).sqrt();
            }
        }
        // Bodies, too, keep within the bound: joint angles along a chain add up.
        for body in &self.ws.cache.bodies {
            for (v, a) in [(body.w, body.alpha), (body.v * (1.0 / self.ws.size), body.a * (1.0 / self.ws.size))] {
                let (v, a) = (v.norm(), a.norm());
                if v * allowed > LARGEST_STEP {
                    allowed = LARGEST_STEP / v;
                }
                if 0.5 * a * allowed * allowed > LARGEST_STEP {
                    allowed = (2.0 * LARGEST_STEP / a).sqrt();
                }
            }
        }
        allowed
    }

    /// Whether a step of length `h` stays within bounds as a whole.
    fn is_short(&self, h: f64) -> bool {
        let (half, size) = (0.5 * h * h, 1.0 / self.ws.size);
        let rates = self.state.v.iter().zip(&self.state.vdot).zip(&self.scales);
        let short =
            |((v, a), scale): ((&f64, &f64), &f64)| (v * h).abs().max((a * half).abs()) <= 0.5 * LARGEST_STEP * scale;
        let most = LARGEST_STEP * LARGEST_STEP;
        let within = |x: Vec3, factor: f64| x.dot(x) * (factor * factor) <= most;
        let body = |b: &BodyState| {
            within(b.w, h) && within(b.alpha, half) && within(b.v, h * size) && within(b.a, half * size)
        };
        rates.into_iter().all(short) && self.ws.cache.bodies.iter().all(body)
    }

    /// Predicts the displacement over `h` into `dv` and `predicted`, by the rates of three states where `far` and steps are even, of two where they are not, else by those of
    /// this one and its jerk, which runs away less where rates change fast. Returns its largest component, lengths in sizes.
    pub(super) fn predict(&mut self, h: f64, far: bool) -> f64 {
        self.carry_on(h, far);
        if far && lookback::is_even(h, self.before) && lookback::is_even(h, self.before_that) {
            self.look_back(h);
        }
        if far && self.before.is_some() {
            self.take_back_spins();
        }
        self.predicted.copy_from_slice(&self.dv);
        self.dv.iter().zip(&self.scales).fold(0.0f64, |most, (d, scale)| most.max(d.abs() / scale))
    }

    /// The same by the rates of three states, even steps apart, where that agrees.
    fn look_back(&mut self, h: f64) {
        let (here, there) = (&self.state, [&self.v_before, &self.v_before_that]);
        let rates = [&here.vdot, &self.vdot_before, &self.vdot_before_that];
        let known =
            |k: usize| [[here.v[k], h * rates[0][k]], [there[0][k], h * rates[1][k]], [there[1][k], h * rates[2][k]]];
        self.predicted.iter_mut().enumerate().for_each(|(k, d)| *d = h * lookback::displacement(&known(k)));
        let rates = |k: usize| {
            let [second, third] = lookback::further(&known(k));
            [here.v[k], here.vdot[k], second / (h * h), third / (h * h * h)]
        };
        self.system.formulation.bend(h, &rates, &mut self.predicted);
        let mut all = self.predicted.iter().zip(&self.dv).zip(&self.scales);
        if all.all(|((three, two), scale)| lookback::agree(*three, *two, *scale)) {
            self.dv.copy_from_slice(&self.predicted);
        }
    }

    /// By the rates of this state and the one before, if there was one.
    fn carry_on(&mut self, h: f64, far: bool) {
        let past = self.before.filter(|_| far).map(|dt| Past::of(h, dt, self.quick.is_additive()));
        for (k, d) in self.dv.iter_mut().enumerate() {
            let (v, vdot) = (self.state.v[k], self.state.vdot[k]);
            *d = match &past {
                Some(past) => {
                    past.displacement([v, vdot], [self.v_before[k], self.vdot_before[k]], self.moved_before[k])
                }
                None => {
                    let jerk = self.before.map_or(0.0, |dt| (vdot - self.vdot_before[k]) / dt);
                    h * (v + 0.5 * h * (vdot + h / 3.0 * jerk))
                }
            };
        }
        if let Some(dt) = self.before.filter(|_| far) {
            let (here, before) = (&self.state, [&self.v_before, &self.vdot_before]);
            // Second and third derivative of the polynomial of third degree.
            let rates = |k: usize| {
                let (v, a) = (here.v[k], here.vdot[k] * dt);
                let (change, a_before) = (before[0][k] - v, before[1][k] * dt);
                let second = 2.0 * (3.0 * change + a_before + 2.0 * a);
                let third = 6.0 * (2.0 * change + a_before + a);
                [v, here.vdot[k], second / (dt * dt), third / (dt * dt * dt)]
            };
            self.system.formulation.bend(h, &rates, &mut self.dv);
        }
    }

    pub(super) fn try_step(&mut self, h: f64, t: f64) -> std::result::Result<(), Refusal> {
        if self.quick_step(h, t) {
            return Ok(());
        }
        let system = self.system;
        let predicted = self.predict(h, false);
        self.trial.t = t;
        self.trial.q.copy_from_slice(&self.state.q);
        system.formulation.step(&mut self.trial.q, &self.dv);
        system.formulation.unwind(&mut self.trial.q);
        let newton = self.newton()?;
        if newton.moved > CORRECTION * predicted {
            // A jump too small to be refused for its size must not pass for motion.
            if system.model.drivers.iter().any(|d| jump(d, self.state.t, t).is_some()) {
                return Err(Refusal::Jump);
            }
            if newton.moved > FREE_CORRECTION {
                return Err(Refusal::LargeCorrection);
            }
        }
        if self.ws.cache.turned_beyond(LARGEST_TURN) {
            return Err(Refusal::LargeCorrection);
        }
        self.realize(newton)?;
        if self.branch_changed() {
            return Err(Refusal::Singular);
        }
        if !self.is_smooth(h) {
            return Err(Refusal::LargeCorrection);
        }
        self.keep_history(h);
        if let Err(refusal) = self.unspin(h) {
            // What was before the present state is forgotten by now.
            self.before = None;
            return Err(refusal);
        }
        self.accept();
        Ok(())
    }

    /// Keeps the present state's rates and the displacement of the step tried, for predictions to come.
    fn keep_history(&mut self, h: f64) {
        std::mem::swap(&mut self.v_before, &mut self.v_before_that);
        std::mem::swap(&mut self.vdot_before, &mut self.vdot_before_that);
        self.v_before.copy_from_slice(&self.state.v);
        self.vdot_before.copy_from_slice(&self.state.vdot);
        self.before_that = self.before;
        for (k, moved) in self.moved_before.iter_mut().enumerate() {
            *moved = self.predicted[k] + self.memory.sum[k] * self.scales[k];
        }
        self.before = Some(h);
    }

    /// True where the displacement of the step agrees with the velocities and accelerations at its two ends, by the rule
    /// ½ h (v₀ + v₁) + h²/12 (v̇₀ − v̇₁). A solution on another branch has velocities of its own and fails this.
    fn is_smooth(&self, h: f64) -> bool {
        let (mut displacement, mut disagreement) = (0.0f64, 0.0f64);
        for k in 0..self.dv.len() {
            let scale = self.scales[k];
            let (here, there) = (&self.state, &self.trial);
            let rule = 0.5 * h * (here.v[k] + there.v[k]) + h * h / 12.0 * (here.vdot[k] - there.vdot[k]);
            let moved = self.predicted[k] / scale + self.memory.sum[k];
            displacement = displacement.max(moved.abs());
            disagreement = disagreement.max((moved - rule / scale).abs());
        }
        // Near a singular position a corner of the motion leads to another branch, however small the step over it.
        let near = self.pivots.trial.min(self.pivots.here) < self.pivots.well_away;
        let free = if near { NEAR_DISAGREEMENT } else { FREE_DISAGREEMENT };
        disagreement <= free + DISAGREEMENT * displacement
    }

    /// What turns each scaled velocity into the velocity itself.
    pub(super) fn scales(&self) -> &[f64] {
        &self.scales
    }

    /// Velocities and accelerations before the present state and the displacement from there; velocities and accelerations before that.
    pub(super) fn past(&self) -> [&[f64]; 5] {
        let that = [&self.v_before_that, &self.vdot_before_that];
        [&self.v_before, &self.vdot_before, &self.moved_before, that[0], that[1]]
    }

    /// What counts as well away from singular in this mechanism.
    pub(super) fn well_away(&self) -> f64 {
        self.pivots.well_away
    }

    /// The rows written out flat, where they can be.
    pub(super) fn flat(&self) -> Option<&Flat<f64>> {
        self.quick.flat()
    }

    /// Realises position and Jacobian of the present state or of the trial.
    pub fn place(&mut self, trial: bool) {
        self.quick.forget();
        let state = if trial { &self.trial } else { &self.state };
        self.ws.realize_position(self.system, state.t, &state.q);
        self.ws.realize_jacobian(self.system, state.t);
    }

    /// Largest velocity, lengths in sizes.
    pub(super) fn speed(&self) -> f64 {
        let scale = |k: usize| self.system.formulation.scale(k, self.ws.size);
        self.state.v.iter().enumerate().fold(0.0f64, |m, (k, v)| m.max(v.abs() / scale(k)))
    }

    /// Steps of ordinary size to time `t`, which may lie before the present state. False where one fails.
    pub(super) fn lead_to(&mut self, t: f64) -> bool {
        while self.state.t != t {
            let left = t - self.state.t;
            let mut h = self.allowed_step(left.abs()).copysign(left);
            while self.try_step(h, if h.abs() >= left.abs() { t } else { self.state.t + h }).is_err() {
                h *= 0.5;
                self.place(false);
                self.ws.analyse(&[]);
                if h.abs() < 1e-6 * left.abs() || self.state.t + h == self.state.t {
                    return false;
                }
            }
        }
        self.settle();
        true
    }
}
