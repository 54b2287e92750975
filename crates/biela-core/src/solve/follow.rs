//! Following a driven motion in time: predict, correct, refuse to jump.
//!
//! From a known position, velocity and acceleration the next position is predicted and Newton corrects it. A step is refused,
//! and halved, where Newton fails, where the correction is large compared with the step, or where the determinant of Φ_v
//! changes sign: two assembly modes meet only where it vanishes, so a motion that keeps its sign keeps its branch.

use crate::drivers::Driver;
use crate::error::{some_of, Error, Result};
use crate::math::sparse::Elimination;
use crate::math::Pose;
use crate::solve::assemble::assemble;
use crate::solve::excursion::step_without;
use crate::solve::finite;
use crate::solve::lost::{check_drivers, driver_fault, jump};
use crate::solve::mobility;
use crate::solve::modes::dyads::Plan;
use crate::solve::newton::{Converged, Memory, Method, METHODS};
use crate::solve::outputs::Outputs;
use crate::solve::passage::{Bridge, Met, Snapshot};
use crate::solve::singularity::{self, Policy};
use crate::solve::spin::Moment;
use crate::solve::vectors::max_abs;
use crate::system::{State, System, Workspace};

/// Largest predicted displacement of one step: radians, or lengths in sizes. Well under the half turn beyond which turns
/// could not be counted.
const LARGEST_STEP: f64 = 0.5;
/// Steps between two samples, beyond which the motion is thousands of turns ahead of its samples.
pub(super) const MOST_STEPS: usize = 60_000;
/// Largest correction as a fraction of the predicted displacement …
const CORRECTION: f64 = 0.3;
/// … or outright, for motions that start from rest, where nothing can be predicted.
const FREE_CORRECTION: f64 = 0.1;
/// How far a step's displacement may differ from what the velocities and accelerations at its ends make of it, as a
/// fraction of it …
const DISAGREEMENT: f64 = 0.1;
/// … and outright, so that laws with sudden changes of velocity or acceleration can be followed.
const FREE_DISAGREEMENT: f64 = 0.01;
/// … but near a singular position no more than rounding.
const NEAR_DISAGREEMENT: f64 = 1e-7;
/// Largest turn of a body in one step, beyond which its attitude and the joints' turns might be miscounted.
const LARGEST_TURN: f64 = 1.5;
/// Weakest pivot below which the distance to singularity is looked at …
const DOUBTFUL: f64 = 1e-3;
/// … and distance below which a position does not determine its rates.
const BLIND: f64 = 1e-6;
/// Rates times distance, against those of the drivers, above which rates grow as the distance falls.
const GROWING: f64 = 1e-3;
/// Up to this many bodies the senses of the mechanism's parts are watched besides the determinant.
const MONITORED: usize = 60;
/// Violation of a redundant row, in velocity or acceleration, that shows it to contradict the others.
const CONTRADICTION: f64 = 1e-7;
/// Pivots below this, against their rows, mean a singular position. There two solutions lie so close together that a position
/// is known to half the digits only, rates not at all, and the sign of a determinant means nothing.
const SINGULAR: f64 = 1e-8;
/// Violation of a redundant row beyond which the rows solved for are chosen anew: far above the roundings of a good choice,
/// far below what a result would show.
const POOR_CHOICE: f64 = 1e-12;

/// A driven mechanism at one time of its motion.
#[derive(Debug)]
pub struct Follower<'s> {
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
    /// v̇ one step before, and how long before.
    pub(super) before: Option<f64>,
    vdot_before: Vec<f64>,
    pub(super) trial: State,
    pub(super) dv: Vec<f64>,
    /// How positions are corrected.
    method: &'static dyn Method,
    pub(super) memory: Memory,
    /// Idle bodies of the present state, and its time.
    pub(super) spins: Vec<(f64, Moment)>,
    /// Sign of det Φ_v at the last state well away from singular positions, and the choice of pivots it belongs to.
    pub(super) sign: (i8, usize),
    /// Displacement predicted for the step tried.
    pub(super) predicted: Vec<f64>,
    /// Step that the last success suggests.
    stride: f64,
    /// Least step, below which a failure is final.
    least: f64,
    /// Violation that the rows last chosen left where they were chosen.
    settled: f64,
    /// What to do at singular positions.
    pub(super) policy: Policy,
    /// Singular positions met on the way.
    pub met: Vec<Met>,
    /// Least distance to singularity at any sample so far, and its time; kept where asked for.
    pub nearest: Option<(f64, f64)>,
    /// How far the drivers are from what they ask, where they give way.
    pub lag: f64,
    /// Rank of the rows without drivers, idle ones included, where the motion began.
    pub(super) usual_rank: usize,
    /// The last state well away from singular positions.
    pub(super) good: Option<Snapshot>,
    /// The weakest pivot of the trial, against its row, and what counts as well away in this mechanism.
    weakness: f64,
    well_away: f64,
    /// The weakest pivot of the present state.
    weakness_here: f64,
    pub(super) bridge: Option<Bridge>,
    /// Outputs that are watched.
    pub outputs: Option<Outputs>,
    /// True while drivers give way.
    pub(super) damped: bool,
    /// What the assembly mode is known by, and its number on this branch.
    pub(super) identity: Option<(Plan, u64)>,
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

impl<'s> Follower<'s> {
    /// Assembles at time `start` and finds velocities and accelerations there. `span` is the length of time to be followed.
    pub fn new(system: &'s System<'s>, start: f64, span: f64) -> Result<Follower<'s>> {
        Follower::with_method(system, start, span, METHODS[0])
    }

    /// The same, with positions corrected by a method of one's choice.
    pub fn with_method(
        system: &'s System<'s>,
        start: f64,
        span: f64,
        method: &'static dyn Method,
    ) -> Result<Follower<'s>> {
        check_drivers(system, start)?;
        let mut ws = Workspace::new(system);
        let q = assemble(system, &mut ws, start)?;
        let nv = system.formulation.nv();
        let state = State { t: start, q, v: vec![0.0; nv], vdot: vec![0.0; nv] };
        let mut follower = Follower {
            system,
            ws,
            trial: state.clone(),
            state,
            residual: 0.0,
            iterations: 0,
            steps: 0,
            before: None,
            vdot_before: vec![0.0; nv],
            dv: vec![0.0; nv],
            method,
            memory: Memory::new(nv),
            spins: Vec::new(),
            sign: (0, 0),
            predicted: vec![0.0; nv],
            stride: f64::INFINITY,
            least: 1e-11 * span.abs().max(1e-3),
            settled: f64::INFINITY,
            policy: Policy::Stop,
            met: Vec::new(),
            nearest: None,
            lag: 0.0,
            usual_rank: 0,
            good: None,
            weakness: 0.0,
            well_away: f64::INFINITY,
            weakness_here: f64::INFINITY,
            bridge: None,
            outputs: None,
            damped: false,
            identity: None,
        };
        follower.start()?;
        Ok(follower)
    }

    /// Checks that drivers and freedoms match and solves velocity and acceleration at the assembled position.
    fn start(&mut self) -> Result<()> {
        let (system, t) = (self.system, self.state.t);
        self.ws.realize_position(system, t, &self.state.q);
        let mobility = mobility::count(system, &mut self.ws, t);
        self.ws.hold_spins(system, mobility.idle.clone());
        self.usual_rank = mobility.rank + mobility.idle.len();
        if mobility.overdriven > 0 {
            return Err(mobility::overdriven(system, &mut self.ws, t, &mobility));
        }
        if mobility.undriven > 0 {
            finite::refuse_fixed(system, &self.ws, t, &mobility)?;
            let loose = mobility::loose_joints(system, &mut self.ws, t);
            let (free, all) = (mobility.undriven, mobility.freedoms);
            let error = Error::new(format!("under-driven at t = {t} s: {free} of {all} freedom(s) have no driver"));
            self.ws.realize_position(system, t, &self.state.q);
            let error = match finite::finite_mobility(system, &self.ws, t, &mobility) {
                Some(finite) if finite < all => error.note(format!("of these {}", finite::trembling(all - finite))),
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
            finite::refuse_fixed(system, &self.ws, t, &mobility)?;
            return Err(self.failure(t, refusal));
        }
        self.sign = self.sign_here();
        self.accept();
        if system.model.bodies.len() <= MONITORED {
            let poses: Vec<Pose> = self.ws.cache.bodies.iter().map(|b| b.pose).collect();
            let plan = Plan::new(system.model, &poses, self.ws.size).filter(Plan::is_simple);
            self.identity = plan.map(|plan| (plan, 0));
            self.identify();
        }
        Ok(())
    }

    /// Takes the bodies as they stand for the branch to keep to.
    pub(super) fn identify(&mut self) {
        if let Some((plan, number)) = &mut self.identity {
            *number = plan.number(&|body| self.ws.cache.bodies[body].pose);
        }
    }

    /// True where a part of the mechanism is closed in the other sense than on this branch. The signs of determinants tell the
    /// same, but of redundant rows a choice may turn dependent at the very place where the mechanism does.
    fn mode_changed(&self) -> bool {
        let differs = |(plan, number): &(Plan, u64)| plan.number(&|body| self.ws.cache.bodies[body].pose) != *number;
        self.identity.as_ref().is_some_and(differs)
    }

    /// Chooses what to do at singular positions.
    pub fn at_singular(&mut self, policy: Policy) {
        self.policy = policy;
    }

    /// The distance to singularity, where the results ask for it or where the factors show weak pivots.
    pub fn watch(&mut self) -> Option<f64> {
        /// Pivots below this, against their rows, deserve a closer look.
        const WEAK: f64 = 1e-2;
        let weakest =
            |e: &Elimination| e.weakest(&self.ws.pattern, &self.ws.evaluation.phi_v, &self.ws.evaluation.weight);
        let weak = || self.ws.elimination.as_ref().is_some_and(|e| weakest(e) < WEAK);
        (self.system.model.run.singularity || weak()).then(|| self.distance())
    }

    /// Distance to singularity at the present state ([`singularity::distance`]), which is noted if it is the least so far.
    pub fn distance(&mut self) -> f64 {
        let (system, t) = (self.system, self.state.t);
        let distance = singularity::distance(system, &self.ws);
        if self.nearest.is_none_or(|n| distance < n.0) {
            self.nearest = Some((distance, t));
        }
        distance
    }

    pub(super) fn newton(&mut self) -> std::result::Result<Converged, Refusal> {
        let t = self.trial.t;
        let converged = self.ws.newton(self.method, self.system, t, &mut self.trial.q, &mut self.memory);
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
        self.weakness = weakest(&self.ws);
        // So near to where motions cross rates are rounding, and with them the judgement which branch a step leads to. (Where
        // a motion ends instead, rates grow as the distance falls.)
        let near = self.weakness < DOUBTFUL && system.formulation.nv() <= singularity::DENSE;
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
        std::mem::swap(&mut self.state, &mut self.trial);
        self.system.constraints.keep_turns(&mut self.ws.evaluation);
        self.ws.cache.keep_attitudes();
        self.keep_spins();
        self.steps += 1;
        self.weakness_here = self.weakness;
        if self.good.is_none() {
            /// Pivots above this, or above a tenth of what they are at the start, are well away from singular.
            const WELL_AWAY: f64 = 1e-2;
            self.well_away = WELL_AWAY.min(0.1 * self.weakness);
        }
        if self.weakness >= self.well_away {
            self.remember();
        }
    }

    /// How often pivots have been chosen anew since the start, which is all that allocates.
    pub fn analyses(&self) -> usize {
        self.ws.analyses
    }

    /// Number of entries of the factors of Φ_v.
    pub fn factor_entries(&self) -> usize {
        self.ws.elimination.as_ref().map_or(0, |e| e.entries())
    }

    /// Carries the motion on to time `t`.
    pub fn advance(&mut self, t: f64) -> Result<()> {
        if self.on_bridge(t) {
            return Ok(());
        }
        let before = self.steps;
        while self.state.t < t {
            if self.steps - before > MOST_STEPS {
                return Err(self.endless());
            }
            if self.damped {
                self.interrupt_outputs();
                return self.damp(t);
            }
            self.before_outputs();
            let left = t - self.state.t;
            let mut h = left.min(self.stride);
            h = h.min(self.allowed_step(h));
            h = step_without(self.system, self.ws.size, self.state.t, h, LARGEST_STEP, self.least);
            loop {
                match self.try_step(h, if h == left { t } else { self.state.t + h }) {
                    Ok(()) => {
                        self.look_at_outputs();
                        break;
                    }
                    Err(refusal) => {
                        h *= 0.5;
                        // The failed trial may have chosen its rows at a singular or senseless position.
                        self.place(false);
                        self.ws.analyse(&[]);
                        if h < self.least {
                            if self.policy != Policy::Stop && self.go_on(refusal) {
                                self.interrupt_outputs();
                                if self.on_bridge(t) {
                                    return Ok(());
                                }
                                break;
                            }
                            return Err(self.failure(self.state.t + h, refusal));
                        }
                    }
                }
            }
            // Beyond a singular position steps begin anew.
            self.stride = match h < self.least {
                true => f64::INFINITY,
                false if h < left => 2.0 * h,
                false => self.stride.max(2.0 * h),
            };
        }
        Ok(())
    }

    fn before_outputs(&mut self) {
        if let Some(mut outputs) = self.outputs.take() {
            outputs.before = Some(self.stored(outputs.before.take()));
            self.outputs = Some(outputs);
        }
    }

    fn look_at_outputs(&mut self) {
        if let Some(mut outputs) = self.outputs.take() {
            outputs.look(self);
            self.outputs = Some(outputs);
        }
    }

    fn interrupt_outputs(&mut self) {
        if let Some(outputs) = &mut self.outputs {
            outputs.interrupt();
        }
    }

    /// Passes the singular position ahead, or lets the drivers give way, as the policy says. False where neither can be done.
    fn go_on(&mut self, refusal: Refusal) -> bool {
        let faulty = |d: &Driver| driver_fault(d, self.state.t, self.trial.t).is_some();
        if self.system.model.drivers.iter().any(faulty) {
            return false;
        }
        let Some(mut met) = self.locate(refusal) else { return false };
        let done = match self.policy {
            Policy::Stop => false,
            Policy::Pass => self.pass(&met),
            // Where curves cross drivers need not give way; giving way there would leave the branch to chance.
            Policy::Damp => {
                self.damped = !(met.crossing && self.pass(&met));
                true
            }
        };
        met.damped = self.damped;
        if done {
            self.met.push(met);
        }
        done
    }

    /// The largest part of `h` whose predicted displacement stays within bounds.
    pub(super) fn allowed_step(&self, h: f64) -> f64 {
        let mut allowed = h;
        for k in 0..self.state.v.len() {
            let scale = self.system.formulation.scale(k, self.ws.size);
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

    /// Predicts the displacement over `h` into `dv` and `predicted`. Returns its largest component, lengths in sizes.
    pub(super) fn predict(&mut self, h: f64) -> f64 {
        let mut largest = 0.0f64;
        for k in 0..self.dv.len() {
            let jerk = self.before.map_or(0.0, |dt| (self.state.vdot[k] - self.vdot_before[k]) / dt);
            let d = h * (self.state.v[k] + 0.5 * h * (self.state.vdot[k] + h / 3.0 * jerk));
            self.dv[k] = d;
            self.predicted[k] = d;
            let scale = self.system.formulation.scale(k, self.ws.size);
            largest = largest.max(d.abs() / scale);
        }
        largest
    }

    pub(super) fn try_step(&mut self, h: f64, t: f64) -> std::result::Result<(), Refusal> {
        let system = self.system;
        let predicted = self.predict(h);
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
        if self.mode_changed() || self.sign_changed() {
            return Err(Refusal::Singular);
        }
        if !self.is_smooth(h) {
            return Err(Refusal::LargeCorrection);
        }
        self.unspin(h)?;
        std::mem::swap(&mut self.vdot_before, &mut self.state.vdot);
        self.before = Some(h);
        // After the swap in `accept` the old state becomes the next trial, so its v̇ may hold anything.
        self.accept();
        Ok(())
    }

    /// True where the displacement of the step agrees with the velocities and accelerations at its two ends, by the rule
    /// ½ h (v₀ + v₁) + h²/12 (v̇₀ − v̇₁). A solution on another branch has velocities of its own and fails this.
    fn is_smooth(&self, h: f64) -> bool {
        let (mut displacement, mut disagreement) = (0.0f64, 0.0f64);
        for k in 0..self.dv.len() {
            let scale = self.system.formulation.scale(k, self.ws.size);
            let (here, there) = (&self.state, &self.trial);
            let rule = 0.5 * h * (here.v[k] + there.v[k]) + h * h / 12.0 * (here.vdot[k] - there.vdot[k]);
            let moved = self.predicted[k] / scale + self.memory.sum[k];
            displacement = displacement.max(moved.abs());
            disagreement = disagreement.max((moved - rule / scale).abs());
        }
        // Near a singular position a corner of the motion leads to another branch, however small the step over it.
        let near = self.weakness.min(self.weakness_here) < self.well_away;
        let free = if near { NEAR_DISAGREEMENT } else { FREE_DISAGREEMENT };
        disagreement <= free + DISAGREEMENT * displacement
    }

    /// True where det Φ_v has opposite signs at the present state and at the trial, which is realised and factored.
    ///
    /// The independent rows are one choice among several where constraints are redundant, and a choice may become dependent
    /// by itself in between; so a change counts only if rows chosen at the trial position show it as well.
    fn sign_changed(&mut self) -> bool {
        let there = self.sign_here();
        if self.sign.1 == there.1 && self.sign.0 == there.0 {
            return false;
        }
        if self.sign.1 != there.1 && self.sign_before() == there.0 {
            return self.restore(there);
        }
        self.place(true);
        self.ws.analyse(&[]);
        let there = self.sign_here();
        if self.sign_before() == there.0 {
            return self.restore(there);
        }
        true
    }

    /// Sign of det Φ_v as last factored, with the choice of pivots it belongs to.
    pub(super) fn sign_here(&self) -> (i8, usize) {
        (self.ws.elimination.as_ref().map_or(0, |e| e.sign()), self.ws.analyses)
    }

    /// Sign of det Φ_v by the elimination at hand at the last state well away from singular positions, mostly the present one:
    /// very near to a singular position the sign is rounding.
    fn sign_before(&mut self) -> i8 {
        match self.good.take() {
            Some(good) => {
                let (t, q) = good.place();
                self.ws.realize_position(self.system, t, q);
                self.ws.realize_jacobian(self.system, t);
                self.good = Some(good);
            }
            None => self.place(false),
        }
        let Some(elimination) = self.ws.elimination.as_mut() else { return 0 };
        let _ = elimination.refactor(&self.ws.pattern, &self.ws.evaluation.phi_v);
        elimination.sign()
    }

    /// Realises the trial again after a look at the present state; false, since no sign has changed.
    fn restore(&mut self, sign: (i8, usize)) -> bool {
        let (system, t) = (self.system, self.trial.t);
        self.place(true);
        if let Some(elimination) = self.ws.elimination.as_mut() {
            let _ = elimination.refactor(&self.ws.pattern, &self.ws.evaluation.phi_v);
        }
        self.ws.realize_velocity(system, t, &self.trial.v);
        self.ws.realize_acceleration(system, t, &self.trial.vdot);
        self.sign = sign;
        false
    }

    /// Realises position and Jacobian of the present state or of the trial.
    pub(super) fn place(&mut self, trial: bool) {
        let state = if trial { &self.trial } else { &self.state };
        self.ws.realize_position(self.system, state.t, &state.q);
        self.ws.realize_jacobian(self.system, state.t);
    }
}
