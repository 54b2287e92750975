//! Through and around singular positions: what a run does there if it is not to stop.
//!
//! **Pass.** At a change point, or where a driver turns back at a dead centre, curves of positions cross. The motion is
//! taken back to a state A a time δ before the crossing t*, where its velocities are still good, and continued along its own
//! curve by arc length (`continuation.rs`) in steps that straddle the crossing, to B at t* + δ. Samples between A and B come from the quintic that takes both ends' positions, velocities and accelerations; its error is
//! of the order δ⁶.
//!
//! **Damp.** Where curves cross, the same. Elsewhere joints hold exactly, drivers as well as they can: each sample is the position nearest to what they ask.

use super::continuation;
use super::follow::{Follower, Refusal};
use super::ik::Solver;
use super::newton::{self, ACCEPTED};
use super::singularity::{self, Kind};
use crate::error::Result;
use crate::math::EulerParameters;
use crate::system::State;

/// Displacement, in radians or sizes, from A to the crossing: large enough for velocities to have their digits, small enough
/// for the errors above to vanish in rounding.
const APPROACH: f64 = 1e-2;
/// Disagreement of B with the derivatives at A and B, against the displacement, beyond which B is on another curve.
const STRAIGHT: f64 = 1e-3;

/// A state with what is needed to go on from it.
#[derive(Debug, Clone)]
pub(super) struct Snapshot {
    state: State,
    near: Vec<f64>,
    kept: Vec<EulerParameters>,
}

/// The two sides of a crossing.
#[derive(Debug, Clone)]
pub(super) struct Bridge {
    a: Snapshot,
    b: Snapshot,
    /// Displacement from A to B, in velocities times time.
    d: Vec<f64>,
}

/// A singular position that a run met.
#[derive(Debug, Clone)]
pub struct Met {
    /// When.
    pub t: f64,
    /// Of what type.
    pub kind: Kind,
    /// Whether motions go on beyond it, crossing there; else the motion ends there.
    pub crossing: bool,
    /// Joint coordinates it leaves undecided.
    pub loose: Vec<String>,
    /// Whether drivers give way there; else the motion goes straight on.
    pub damped: bool,
    /// The last time well away from it, and the distance to singularity then.
    pub approached: Option<(f64, f64)>,
}

impl Snapshot {
    /// Time and coordinates.
    pub(super) fn place(&self) -> (f64, &[f64]) {
        (self.state.t, &self.state.q)
    }
}

impl Follower<'_> {
    pub(super) fn snapshot(&self) -> Snapshot {
        let (near, kept) = (self.ws.evaluation.near.clone(), self.ws.cache.kept.clone());
        Snapshot { state: self.state.clone(), near, kept }
    }

    /// Keeps the present state to go back to; what is kept already gives its room.
    pub(super) fn remember(&mut self) {
        let good = self.good.take();
        self.good = Some(self.stored(good));
    }

    /// The present state, in the room of an earlier one where there is any.
    pub(super) fn stored(&self, room: Option<Snapshot>) -> Snapshot {
        let Some(mut room) = room else { return self.snapshot() };
        room.state.t = self.state.t;
        room.state.q.clone_from(&self.state.q);
        room.state.v.clone_from(&self.state.v);
        room.state.vdot.clone_from(&self.state.vdot);
        room.near.clone_from(&self.ws.evaluation.near);
        room.kept.clone_from(&self.ws.cache.kept);
        room
    }

    /// Goes to a state known before, with its velocities and accelerations realised.
    pub(super) fn restore_snapshot(&mut self, snapshot: &Snapshot) {
        let system = self.system;
        self.state.clone_from(&snapshot.state);
        self.ws.evaluation.near.clone_from(&snapshot.near);
        self.ws.cache.kept.clone_from(&snapshot.kept);
        let t = self.state.t;
        self.residual = self.ws.realize_position(system, t, &self.state.q);
        self.ws.realize_jacobian(system, t);
        self.ws.analyse(&[]);
        self.ws.realize_velocity(system, t, &self.state.v);
        self.ws.realize_acceleration(system, t, &self.state.vdot);
        self.sign = self.sign_here();
        self.before = None;
        self.keep_spins();
    }

    fn speed(&self) -> f64 {
        let scale = |k: usize| self.system.formulation.scale(k, self.ws.size);
        self.state.v.iter().enumerate().fold(0.0f64, |m, (k, v)| m.max(v.abs() / scale(k)))
    }

    /// Type and time of the singular position just ahead of the present state.
    pub(super) fn locate(&mut self, refusal: Refusal) -> Option<Met> {
        /// Farther than this from singular, something else ended the motion.
        const AHEAD: f64 = 1e-3;
        let (system, t) = (self.system, self.state.t);
        self.place(false);
        self.ws.analyse(&[]);
        let here = singularity::distance(system, &self.ws);
        if here > AHEAD {
            return None;
        }
        let kind = singularity::kind(system, &self.ws, self.usual_rank);
        let loose = singularity::loose(system, &mut self.ws, t);
        let mut met = Met { t, kind, crossing: false, loose, damped: false, approached: None };
        let failed = self.snapshot();
        if let Some(good) = self.good.clone() {
            self.restore_snapshot(&good);
            met.approached = Some((self.state.t, singularity::distance(system, &self.ws)));
            self.restore_snapshot(&failed);
        }
        if matches!(refusal, Refusal::Singular | Refusal::LargeCorrection) && here > 0.0 {
            if let Some(crossing) = self.crossing(t) {
                (met.t, met.crossing) = (crossing, true);
            }
        }
        self.restore_snapshot(&failed);
        Some(met)
    }

    /// When the distance to singularity vanishes, where curves cross: it falls in proportion to the time left, so three of its
    /// values a little before tell when. (Nearer to the crossing positions lose their digits.)
    fn crossing(&mut self, near: f64) -> Option<f64> {
        /// Displacement between the places looked at.
        const APART: f64 = 2e-4;
        let good = self.good.clone()?;
        self.restore_snapshot(&good);
        let step = APART / self.speed().max(1e-12);
        let mut found = [0.0; 3];
        for (k, found) in found.iter_mut().enumerate() {
            if !self.lead_to(near - (3 - k) as f64 * step) {
                return None;
            }
            self.place(false);
            *found = singularity::distance(self.system, &self.ws);
        }
        // The parabola through the three, x steps after the last; its root is near x = 1.
        let [a, b, c] = found;
        let (curve, slope) = (0.5 * (a - 2.0 * b + c), 0.5 * (a - 4.0 * b + 3.0 * c));
        let mut x = 1.0;
        for _ in 0..20 {
            let (value, rate) = (c + slope * x + curve * x * x, slope + 2.0 * curve * x);
            if rate == 0.0 {
                return None;
            }
            x -= value / rate;
        }
        // Anything else than a straight fall to zero at about that time is no crossing.
        ((x - 1.0).abs() < 0.1).then_some(near - step + x * step)
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
        true
    }

    /// Goes straight on beyond a singular position. False where no smooth continuation is found.
    pub(super) fn pass(&mut self, met: &Met) -> bool {
        let (failed, Some(good)) = (self.snapshot(), self.good.clone()) else { return false };
        self.restore_snapshot(&good);
        let reach = APPROACH / self.speed().max(1e-12);
        if !self.lead_to(met.t - reach) {
            self.restore_snapshot(&failed);
            return false;
        }
        let a = self.snapshot();
        let delta = met.t - self.state.t;
        let crossed = self.cross(2.0 * delta, met.t + delta);
        match crossed {
            Some(d) => {
                let b = self.snapshot();
                self.bridge = Some(Bridge { a, b, d });
                true
            }
            None => {
                self.restore_snapshot(&failed);
                false
            }
        }
    }

    /// One step over the crossing; the displacement where it stays on the smooth curve.
    fn cross(&mut self, h: f64, t: f64) -> Option<Vec<f64>> {
        let system = self.system;
        /// Steps of the arc from A to B: an odd number, so that none ends on the crossing.
        const STEPS: f64 = 5.0;
        let n = self.state.v.len();
        let followed = if n <= continuation::LARGEST { Some(self.follow_arc(h / STEPS, t)?) } else { None };
        match &followed {
            Some(d) => self.dv.copy_from_slice(d),
            None => _ = self.predict(h),
        }
        self.predicted.copy_from_slice(&self.dv);
        self.trial.t = t;
        self.trial.q.copy_from_slice(&self.state.q);
        system.formulation.step(&mut self.trial.q, &self.dv);
        // Pivots chosen on this side may be poor on the other.
        self.ws.realize_position(system, t, &self.trial.q);
        self.ws.realize_jacobian(system, t);
        self.ws.elimination = None;
        let newton = self.newton().ok()?;
        self.ws.elimination = None;
        self.realize(newton).ok()?;
        let mut d = self.predicted.clone();
        let (mut displacement, mut off) = (0.0f64, 0.0f64);
        for (k, d) in d.iter_mut().enumerate() {
            let scale = system.formulation.scale(k, self.ws.size);
            *d += scale * self.memory.sum[k];
            let (here, there) = (&self.state, &self.trial);
            let rule = 0.5 * h * (here.v[k] + there.v[k]) + h * h / 12.0 * (here.vdot[k] - there.vdot[k]);
            displacement = displacement.max(d.abs() / scale);
            off = off.max((*d - rule).abs() / scale);
        }
        if off > STRAIGHT * displacement {
            return None;
        }
        self.before = None;
        self.accept();
        self.sign = self.sign_here();
        self.identify();
        // From here on signs compare with this side.
        self.remember();
        Some(d)
    }

    /// Places the state inside a crossing, or at its far side. True where time `t` lies inside.
    pub(super) fn on_bridge(&mut self, t: f64) -> bool {
        let Some(bridge) = self.bridge.take() else { return false };
        if t >= bridge.b.state.t {
            self.restore_snapshot(&bridge.b);
            return false;
        }
        let system = self.system;
        let (a, b) = (&bridge.a.state, &bridge.b.state);
        let h = b.t - a.t;
        let x = (t - a.t) / h;
        // Quintic with displacement, velocity and acceleration given at both ends, in x = 0 … 1.
        let (x2, x3, x4, x5) = (x * x, x.powi(3), x.powi(4), x.powi(5));
        let mut s = vec![0.0; bridge.d.len()];
        self.state.t = t;
        for (k, s) in s.iter_mut().enumerate() {
            let (v0, v1) = (h * a.v[k], h * b.v[k]);
            let (a0, a1) = (h * h * a.vdot[k], h * h * b.vdot[k]);
            let rest = bridge.d[k] - v0 - 0.5 * a0;
            let (dv, da) = (v1 - v0 - a0, a1 - a0);
            let c3 = 10.0 * rest - 4.0 * dv + 0.5 * da;
            let c4 = -15.0 * rest + 7.0 * dv - da;
            let c5 = 6.0 * rest - 3.0 * dv + 0.5 * da;
            *s = v0 * x + 0.5 * a0 * x2 + c3 * x3 + c4 * x4 + c5 * x5;
            self.state.v[k] = (v0 + a0 * x + 3.0 * c3 * x2 + 4.0 * c4 * x3 + 5.0 * c5 * x4) / h;
            self.state.vdot[k] = (a0 + 6.0 * c3 * x + 12.0 * c4 * x2 + 20.0 * c5 * x3) / (h * h);
        }
        let mut q = a.q.clone();
        system.formulation.step(&mut q, &s);
        // The quintic leaves rounding at most; the shortest correction removes what it leaves.
        if let Some(method) = newton::method("pseudo-inverse") {
            let mut corrected = q.clone();
            if self.ws.newton(method, system, t, &mut corrected, &mut self.memory).is_ok() {
                q = corrected;
            }
        }
        self.state.q = q;
        self.residual = self.ws.realize_position(system, t, &self.state.q);
        self.ws.realize_jacobian(system, t);
        self.ws.realize_velocity(system, t, &self.state.v);
        self.ws.realize_acceleration(system, t, &self.state.vdot);
        system.constraints.keep_turns(&mut self.ws.evaluation);
        self.ws.cache.keep_attitudes();
        self.keep_spins();
        self.bridge = Some(bridge);
        true
    }

    /// The position nearest to what the drivers ask at time `t`; their rows give way, no others.
    pub(super) fn damp(&mut self, t: f64) -> Result<()> {
        let system = self.system;
        let mut solver = Solver::new(system, system.constraints.undriven(), self.ws.size, Default::default(), 0.0);
        solver.ws.evaluation.near.clone_from(&self.ws.evaluation.near);
        solver.resume(self.state.t, &self.state.q);
        if solver.inside.is_none() {
            solver.inside = self.good.as_ref().map(|good| good.place().1.to_vec());
        }
        solver.advance(t)?;
        let (v, vdot) = solver.damped_rates();
        self.state = State { t, q: solver.q.clone(), v, vdot };
        self.ws.realize_position(system, t, &self.state.q);
        self.residual = solver.closure();
        self.lag = solver.lag();
        self.ws.realize_jacobian(system, t);
        self.ws.elimination = None;
        self.ws.realize_velocity(system, t, &self.state.v);
        self.ws.realize_acceleration(system, t, &self.state.vdot);
        system.constraints.keep_turns(&mut self.ws.evaluation);
        self.ws.cache.keep_attitudes();
        self.keep_spins();
        self.before = None;
        // Back on the drivers' path and away from the singular position, the run goes on as usual.
        self.ws.factor(true);
        let regular = singularity::distance(system, &self.ws) > singularity::NEAR;
        if self.lag <= ACCEPTED && regular {
            self.trial.clone_from(&self.state);
            let newton = self.newton();
            if newton.is_ok_and(|newton| self.realize(newton).is_ok()) {
                self.damped = false;
                self.sign = self.sign_here();
                self.identify();
                self.accept();
                self.remember();
            }
        }
        Ok(())
    }
}
