//! Through and around singular positions: what a run does there if it is not to stop.
//!
//! **Pass.** At a change point, or where a driver turns back at a dead centre, curves of positions cross. The motion is
//! taken back to a state A a time δ before the crossing t*, where its velocities are still good, and continued along its own
//! curve by arc length (`continuation.rs`) in steps that straddle the crossing, to B at t* + δ. Samples between A and B come from the quintic that takes both ends' positions, velocities and accelerations; its error is
//! of the order δ⁶.
//!
//! **Damp.** Where curves cross, the same. Elsewhere joints hold exactly, drivers as well as they can: each sample is the position nearest to what they ask.

use super::continuation::{self, follow_arc};
use super::stepper::{Refusal, Snapshot, Stepper};
use crate::error::Result;
use crate::solve::newton::{self, ACCEPTED};
use crate::solve::priority::Solver;
use crate::solve::singularity::{self, Kind};
use crate::system::State;

/// Displacement, in radians or sizes, from A to the crossing: large enough for velocities to have their digits, small enough
/// for the errors above to vanish in rounding.
const APPROACH: f64 = 1e-2;
/// Disagreement of B with the derivatives at A and B, against the displacement, beyond which B is on another curve.
const STRAIGHT: f64 = 1e-3;

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

/// Type and time of the singular position just ahead of the present state.
pub(super) fn locate(stepper: &mut Stepper, refusal: Refusal) -> Option<Met> {
    /// Farther than this from singular, something else ended the motion.
    const AHEAD: f64 = 1e-3;
    let (system, t) = (stepper.system, stepper.state.t);
    stepper.place(false);
    stepper.ws.analyse(&[]);
    let here = singularity::distance(system, &stepper.ws);
    if here > AHEAD {
        return None;
    }
    let kind = singularity::kind(system, &stepper.ws, stepper.usual_rank, None);
    let loose = singularity::loose(system, &mut stepper.ws, t);
    let mut met = Met { t, kind, crossing: false, loose, damped: false, approached: None };
    let failed = stepper.snapshot();
    if let Some(good) = stepper.good.clone() {
        stepper.restore_snapshot(&good);
        met.approached = Some((stepper.state.t, singularity::distance(system, &stepper.ws)));
        stepper.restore_snapshot(&failed);
    }
    if matches!(refusal, Refusal::Singular | Refusal::LargeCorrection) && here > 0.0 {
        if let Some(crossing) = crossing(stepper, t) {
            (met.t, met.crossing) = (crossing, true);
        }
    }
    stepper.restore_snapshot(&failed);
    Some(met)
}

/// When the distance to singularity vanishes, where curves cross: it falls in proportion to the time left, so three of its
/// values a little before tell when. (Nearer to the crossing positions lose their digits.)
fn crossing(stepper: &mut Stepper, near: f64) -> Option<f64> {
    /// Displacement between the places looked at.
    const APART: f64 = 2e-4;
    let good = stepper.good.clone()?;
    stepper.restore_snapshot(&good);
    let step = APART / stepper.speed().max(1e-12);
    let mut found = [0.0; 3];
    for (k, found) in found.iter_mut().enumerate() {
        if !stepper.lead_to(near - (3 - k) as f64 * step) {
            return None;
        }
        stepper.place(false);
        *found = singularity::distance(stepper.system, &stepper.ws);
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

/// Goes straight on beyond a singular position; `None`, with nothing changed, where no smooth continuation is found.
pub(super) fn pass(stepper: &mut Stepper, met: &Met) -> Option<Bridge> {
    let (failed, good) = (stepper.snapshot(), stepper.good.clone()?);
    stepper.restore_snapshot(&good);
    let reach = APPROACH / stepper.speed().max(1e-12);
    if !stepper.lead_to(met.t - reach) {
        stepper.restore_snapshot(&failed);
        return None;
    }
    let a = stepper.snapshot();
    let delta = met.t - stepper.state.t;
    match cross(stepper, 2.0 * delta, met.t + delta) {
        Some(d) => Some(Bridge { a, b: stepper.snapshot(), d }),
        None => {
            stepper.restore_snapshot(&failed);
            None
        }
    }
}

/// One step over the crossing; the displacement where it stays on the smooth curve.
fn cross(stepper: &mut Stepper, h: f64, t: f64) -> Option<Vec<f64>> {
    let system = stepper.system;
    /// Steps of the arc from A to B: an odd number, so that none ends on the crossing.
    const STEPS: f64 = 5.0;
    let n = stepper.state.v.len();
    let followed = if n <= continuation::LARGEST { Some(follow_arc(stepper, h / STEPS, t)?) } else { None };
    match &followed {
        Some(d) => stepper.dv.copy_from_slice(d),
        None => _ = stepper.predict(h, false),
    }
    stepper.predicted.copy_from_slice(&stepper.dv);
    stepper.trial.t = t;
    stepper.trial.q.copy_from_slice(&stepper.state.q);
    system.formulation.step(&mut stepper.trial.q, &stepper.dv);
    // Pivots chosen on this side may be poor on the other.
    stepper.ws.realize_position(system, t, &stepper.trial.q);
    stepper.ws.realize_jacobian(system, t);
    stepper.ws.elimination = None;
    let newton = stepper.newton().ok()?;
    stepper.ws.elimination = None;
    stepper.realize(newton).ok()?;
    let mut d = stepper.predicted.clone();
    let (mut displacement, mut off) = (0.0f64, 0.0f64);
    for (k, d) in d.iter_mut().enumerate() {
        let scale = system.formulation.scale(k, stepper.ws.size);
        *d += scale * stepper.memory.sum[k];
        let (here, there) = (&stepper.state, &stepper.trial);
        let rule = 0.5 * h * (here.v[k] + there.v[k]) + h * h / 12.0 * (here.vdot[k] - there.vdot[k]);
        displacement = displacement.max(d.abs() / scale);
        off = off.max((*d - rule).abs() / scale);
    }
    if off > STRAIGHT * displacement {
        return None;
    }
    stepper.before = None;
    stepper.accept();
    stepper.keep_sign();
    stepper.identify();
    // From here on signs compare with this side.
    stepper.remember();
    Some(d)
}

impl Bridge {
    /// Places the state inside the crossing, or at its far side. True where time `t` lies inside.
    pub(super) fn place(&self, stepper: &mut Stepper, t: f64) -> bool {
        if t >= self.b.state.t {
            stepper.restore_snapshot(&self.b);
            return false;
        }
        let system = stepper.system;
        let (a, b) = (&self.a.state, &self.b.state);
        let h = b.t - a.t;
        let x = (t - a.t) / h;
        // Quintic with displacement, velocity and acceleration given at both ends, in x = 0 … 1.
        let (x2, x3, x4, x5) = (x * x, x.powi(3), x.powi(4), x.powi(5));
        let mut s = vec![0.0; self.d.len()];
        stepper.state.t = t;
        for (k, s) in s.iter_mut().enumerate() {
            let (v0, v1) = (h * a.v[k], h * b.v[k]);
            let (a0, a1) = (h * h * a.vdot[k], h * h * b.vdot[k]);
            let rest = self.d[k] - v0 - 0.5 * a0;
            let (dv, da) = (v1 - v0 - a0, a1 - a0);
            let c3 = 10.0 * rest - 4.0 * dv + 0.5 * da;
            let c4 = -15.0 * rest + 7.0 * dv - da;
            let c5 = 6.0 * rest - 3.0 * dv + 0.5 * da;
            *s = v0 * x + 0.5 * a0 * x2 + c3 * x3 + c4 * x4 + c5 * x5;
            stepper.state.v[k] = (v0 + a0 * x + 3.0 * c3 * x2 + 4.0 * c4 * x3 + 5.0 * c5 * x4) / h;
            stepper.state.vdot[k] = (a0 + 6.0 * c3 * x + 12.0 * c4 * x2 + 20.0 * c5 * x3) / (h * h);
        }
        let mut q = a.q.clone();
        system.formulation.step(&mut q, &s);
        // The quintic leaves rounding at most; the shortest correction removes what it leaves.
        if let Some(method) = newton::method("pseudo-inverse") {
            let mut corrected = q.clone();
            if stepper.ws.newton(method, system, t, &mut corrected, &mut stepper.memory).is_ok() {
                q = corrected;
            }
        }
        stepper.state.q = q;
        stepper.residual = stepper.ws.realize_position(system, t, &stepper.state.q);
        stepper.ws.realize_jacobian(system, t);
        stepper.ws.realize_velocity(system, t, &stepper.state.v);
        stepper.ws.realize_acceleration(system, t, &stepper.state.vdot);
        system.constraints.keep_turns(&mut stepper.ws.evaluation);
        stepper.ws.cache.keep_attitudes();
        stepper.keep_spins();
        true
    }
}

/// How drivers have given way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lag {
    /// How far they are from what they ask.
    pub lag: f64,
    /// Whether they need not any more.
    pub ends: bool,
}

/// Goes to the position nearest to what the drivers ask at time `t`; their rows give way, no others.
pub(super) fn give_way(stepper: &mut Stepper, t: f64) -> Result<Lag> {
    let system = stepper.system;
    let mut solver = Solver::new(system, system.constraints.undriven(), stepper.ws.size, Default::default(), 0.0);
    solver.ws.evaluation.near.clone_from(&stepper.ws.evaluation.near);
    solver.resume(stepper.state.t, &stepper.state.q);
    if solver.inside.is_none() {
        solver.inside = stepper.good.as_ref().map(|good| good.place().1.to_vec());
    }
    solver.advance(t)?;
    let (v, vdot) = solver.damped_rates();
    stepper.state = State { t, q: solver.q.clone(), v, vdot };
    stepper.ws.realize_position(system, t, &stepper.state.q);
    stepper.residual = solver.closure();
    stepper.ws.realize_jacobian(system, t);
    stepper.ws.elimination = None;
    stepper.ws.realize_velocity(system, t, &stepper.state.v);
    stepper.ws.realize_acceleration(system, t, &stepper.state.vdot);
    system.constraints.keep_turns(&mut stepper.ws.evaluation);
    stepper.ws.cache.keep_attitudes();
    stepper.keep_spins();
    stepper.before = None;
    // Back on the drivers' path and away from the singular position, the run goes on as usual.
    stepper.ws.factor(true);
    let regular = singularity::distance(system, &stepper.ws) > singularity::NEAR;
    let (lag, mut ends) = (solver.lag(), false);
    if lag <= ACCEPTED && regular {
        stepper.trial.clone_from(&stepper.state);
        let newton = stepper.newton();
        if newton.is_ok_and(|newton| stepper.realize(newton).is_ok()) {
            ends = true;
            stepper.keep_sign();
            stepper.identify();
            stepper.accept();
            stepper.remember();
        }
    }
    Ok(Lag { lag, ends })
}
