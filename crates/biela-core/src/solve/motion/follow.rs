//! Following a driven motion in time: steps, halved where one is refused, with monitors beside them.
//!
//! The [`Stepper`] takes single steps and keeps to its branch. Beside it a [`Follower`] watches outputs at rest, and says what is done at a
//! singular position: the motion ends there, goes straight on, or drivers give way ([`Policy`]).

use super::crossing::{give_way, locate, pass, Bridge, Met};
use super::driver_fault::{check_drivers, driver_fault};
use super::excursion::Calm;
use super::failure::{endless, failure};
use super::outputs::Outputs;
use super::stepper::{Refusal, Stepper, LARGEST_STEP};
use crate::drivers::Driver;
use crate::error::Result;
use crate::math::sparse::Elimination;
use crate::solve::newton::{Method, METHODS};
use crate::solve::singularity::{self, Policy};
use crate::system::System;

/// Steps between two samples, beyond which the motion is thousands of turns ahead of its samples.
const MOST_STEPS: usize = 60_000;

/// Steps that rounding alone refuses, with none between them that is taken at once, after which it refuses all.
const ROUNDED: usize = 4;

/// A driven mechanism on its way.
#[derive(Debug)]
pub struct Follower<'s> {
    /// The mechanism at the present time.
    pub stepper: Stepper<'s>,
    /// Outputs that are watched.
    pub outputs: Option<Outputs>,
    /// Singular positions met on the way.
    pub met: Vec<Met>,
    /// Least distance to singularity at any sample so far, and its time; kept where asked for.
    pub nearest: Option<(f64, f64)>,
    /// How far the drivers are from what they ask, where they give way.
    pub lag: f64,
    /// What to do at singular positions.
    policy: Policy,
    /// The crossing that the motion is on, if it is.
    bridge: Option<Bridge>,
    /// True while drivers give way.
    damped: bool,
    /// Step that the last success suggests.
    stride: f64,
    /// Least step, below which a failure is final.
    least: f64,
    calm: Calm,
    /// Steps that rounding has refused since one was taken at once.
    rounded: usize,
    /// Up to when steps of the usual length are to be taken, since a longer one has been refused.
    short_until: f64,
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
        let mut stepper = Stepper::new(system, start, method)?;
        if let Some(refusal) = stepper.start()? {
            return Err(failure(&mut stepper, start, refusal, Policy::Stop));
        }
        Ok(Follower {
            stepper,
            outputs: None,
            met: Vec::new(),
            nearest: None,
            lag: 0.0,
            policy: Policy::Stop,
            bridge: None,
            damped: false,
            stride: f64::INFINITY,
            least: 1e-11 * span.abs().max(1e-3),
            calm: Calm::default(),
            rounded: 0,
            short_until: f64::NEG_INFINITY,
        })
    }

    /// Chooses what to do at singular positions.
    pub fn at_singular(&mut self, policy: Policy) {
        self.policy = policy;
    }

    /// Sets the least step, below which a failure is final.
    pub fn finest(&mut self, least: f64) {
        self.least = least;
    }

    /// Goes to the position of time `t`, before or after the present one, from where the motion is well away from singular. False, somewhere
    /// on the way, where it is not reached.
    pub fn go_to(&mut self, t: f64) -> bool {
        if let Some(good) = self.stepper.good.clone() {
            self.stepper.restore_snapshot(&good);
        }
        self.bridge = None;
        self.stepper.lead_to(t)
    }

    /// Watches the outputs from the present state on.
    ///
    /// # Errors
    /// Where the run names an output that there is not.
    pub fn watch_outputs(&mut self) -> Result<()> {
        self.outputs = Outputs::new(&mut self.stepper)?;
        Ok(())
    }

    /// The distance to singularity, where the results ask for it or where the factors show weak pivots.
    pub fn watch(&mut self) -> Option<f64> {
        /// Pivots below this, against their rows, deserve a closer look.
        const WEAK: f64 = 1e-2;
        let Stepper { system, ws, .. } = &self.stepper;
        let weakest = |e: &Elimination| e.weakest(&ws.pattern, &ws.evaluation.phi_v, &ws.evaluation.weight);
        let weak = || ws.elimination.as_ref().is_some_and(|e| weakest(e) < WEAK);
        (system.model.study.singularity || weak()).then(|| self.distance())
    }

    /// Distance to singularity at the present state ([`singularity::distance`]), which is noted if it is the least so far.
    pub fn distance(&mut self) -> f64 {
        let distance = singularity::distance(self.stepper.system, &self.stepper.ws);
        if self.nearest.is_none_or(|n| distance < n.0) {
            self.nearest = Some((distance, self.stepper.state.t));
        }
        distance
    }

    /// How often pivots have been chosen anew since the start, which is all that allocates.
    pub fn analyses(&self) -> usize {
        self.stepper.ws.analyses
    }

    /// Number of entries of the factors of Φ_v.
    pub fn factor_entries(&self) -> usize {
        self.stepper.ws.elimination.as_ref().map_or(0, |e| e.entries())
    }

    /// Carries the motion on to time `t`.
    pub fn advance(&mut self, t: f64) -> Result<()> {
        self.advance_bodies(t)?;
        self.stepper.settle();
        Ok(())
    }

    /// The same with bodies alone: joint coordinates are told after [`Stepper::settle`].
    pub fn advance_bodies(&mut self, t: f64) -> Result<()> {
        if self.on_bridge(t) {
            return Ok(());
        }
        let before = self.stepper.steps;
        while self.stepper.state.t < t {
            if self.stepper.steps - before > MOST_STEPS {
                return Err(endless(&self.stepper, MOST_STEPS));
            }
            if self.damped {
                self.interrupt_outputs();
                return self.give_way(t);
            }
            if self.step_towards(t)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// One step, halved until it succeeds or a singular position is passed. True where that leads to a crossing within which `t` lies.
    fn step_towards(&mut self, t: f64) -> Result<bool> {
        if self.outputs.is_none() && self.stride_to(t) {
            return Ok(false);
        }
        if let Some(outputs) = &mut self.outputs {
            outputs.before(&self.stepper);
        }
        let stepper = &mut self.stepper;
        let left = t - stepper.state.t;
        let mut h = left.min(self.stride);
        h = h.min(stepper.allowed_step(h));
        h = self.calm.step(stepper.system.model, stepper.ws.size, stepper.state.t, h, (LARGEST_STEP, self.least));
        let mut refused = false;
        loop {
            let stepper = &mut self.stepper;
            let to = if h == left { t } else { stepper.state.t + h };
            let Err(refusal) = stepper.try_step(h, to) else {
                if let Some(outputs) = &mut self.outputs {
                    stepper.settle();
                    outputs.look(stepper);
                }
                break;
            };
            h *= 0.5;
            refused = true;
            self.rounded = if stepper.is_rounding() { self.rounded + 1 } else { 0 };
            if self.rounded == ROUNDED {
                // Shorter steps would be rounded as much.
                h = h.min(0.5 * self.least);
            }
            // The failed trial may have chosen its rows at a singular or senseless position.
            stepper.place(false);
            stepper.ws.analyse(&[]);
            if h < self.least {
                if self.policy != Policy::Stop && self.go_on(refusal) {
                    self.interrupt_outputs();
                    if self.on_bridge(t) {
                        return Ok(true);
                    }
                    break;
                }
                let t = self.stepper.state.t + h;
                return Err(failure(&mut self.stepper, t, refusal, self.policy));
            }
        }
        if !refused {
            self.rounded = 0;
        }
        // Beyond a singular position steps begin anew.
        self.stride = match h < self.least {
            true => f64::INFINITY,
            false if h < left => 2.0 * h,
            false => self.stride.max(2.0 * h),
        };
        Ok(false)
    }

    /// One step straight to `t` where the usual ones would be many and none of them is needed.
    fn stride_to(&mut self, t: f64) -> bool {
        let (from, left) = (self.stepper.state.t, t - self.stepper.state.t);
        if !self.stepper.is_led() || from < self.short_until || self.stepper.allowed_step(left) >= left {
            return false;
        }
        let done = self.is_calm(from, left) && self.stepper.stride(left, t);
        if !done {
            self.short_until = t;
        }
        done
    }

    /// Whether no driver strays within a step of length `h` from `t`, between its ends.
    pub(in crate::solve) fn is_calm(&mut self, t: f64, h: f64) -> bool {
        let Stepper { system, ws, .. } = &self.stepper;
        self.calm.step(system.model, ws.size, t, h, (LARGEST_STEP, self.least)) == h
    }

    fn interrupt_outputs(&mut self) {
        if let Some(outputs) = &mut self.outputs {
            outputs.interrupt();
        }
    }

    /// Places the state on the crossing that it is on, if `t` lies within it.
    fn on_bridge(&mut self, t: f64) -> bool {
        let Some(bridge) = self.bridge.take() else { return false };
        let within = bridge.place(&mut self.stepper, t);
        self.bridge = within.then_some(bridge);
        within
    }

    fn give_way(&mut self, t: f64) -> Result<()> {
        let lag = give_way(&mut self.stepper, t)?;
        (self.lag, self.damped) = (lag.lag, !lag.ends);
        Ok(())
    }

    /// Passes the singular position ahead, or lets the drivers give way, as the policy says. False where neither can be done.
    fn go_on(&mut self, refusal: Refusal) -> bool {
        let stepper = &mut self.stepper;
        let faulty = |d: &Driver| driver_fault(d, stepper.state.t, stepper.trial.t).is_some();
        if stepper.system.model.drivers.iter().any(faulty) {
            return false;
        }
        let Some(mut met) = locate(stepper, refusal) else { return false };
        let done = match self.policy {
            Policy::Stop => false,
            Policy::Pass => {
                self.bridge = pass(stepper, &met);
                self.bridge.is_some()
            }
            // Where curves cross drivers need not give way; giving way there would leave the branch to chance.
            Policy::Damp => {
                self.bridge = if met.crossing { pass(stepper, &met) } else { None };
                self.damped = self.bridge.is_none();
                true
            }
        };
        met.damped = self.damped;
        if done {
            self.met.push(met);
        }
        done
    }
}
