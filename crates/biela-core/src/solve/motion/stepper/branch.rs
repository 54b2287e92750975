//! The branch of the motion: the sign of det Φ_v, and the senses in which the mechanism's parts are closed.
//!
//! Two assembly modes meet only where the determinant vanishes, so a motion that keeps its sign keeps its branch.

use super::Stepper;
use crate::math::Pose;
use crate::solve::branch::dyads::Plan;
use crate::system::Workspace;

/// Up to this many bodies the senses of the mechanism's parts are watched besides the determinant.
const MONITORED: usize = 60;

/// What the branch of a motion is known by.
#[derive(Debug, Default)]
pub(super) struct Branch {
    /// Sign of det Φ_v at the last state well away from singular positions, and the choice of pivots it belongs to.
    sign: (i8, usize),
    /// The mechanism's parts, and the number of the senses in which they are closed.
    parts: Option<(Plan, u64)>,
}

impl Branch {
    /// True where the factors at hand have the sign of the branch, by the same choice of pivots.
    pub(super) fn has_sign(&self, ws: &Workspace) -> bool {
        self.sign == (ws.elimination.as_ref().map_or(0, |e| e.sign()), ws.analyses)
    }
}

impl Stepper<'_> {
    /// Takes the determinant as last factored for that of the branch.
    pub(in crate::solve::motion) fn keep_sign(&mut self) {
        self.branch.sign = self.sign_here();
    }

    /// Watches the senses of the parts from the present state on, where there are few enough.
    pub(super) fn watch_branch(&mut self) {
        let system = self.system;
        if system.model.bodies.len() <= MONITORED {
            let poses: Vec<Pose> = self.ws.cache.bodies.iter().map(|b| b.pose).collect();
            let plan = Plan::new(system.model, &poses, self.ws.size).filter(Plan::is_simple);
            self.branch.parts = plan.map(|plan| (plan, 0));
            self.identify();
        }
    }

    /// True where the trial, which is realised and factored, lies on another branch than the present state.
    pub(super) fn branch_changed(&mut self) -> bool {
        self.mode_changed() || self.sign_changed()
    }

    /// Takes the bodies as they stand for the branch to keep to.
    pub(in crate::solve::motion) fn identify(&mut self) {
        if let Some((plan, number)) = &mut self.branch.parts {
            *number = plan.number(&|body| self.ws.cache.bodies[body].pose);
        }
    }

    /// True where a part of the mechanism is closed in the other sense than on this branch. The signs of determinants tell the
    /// same, but of redundant rows a choice may turn dependent at the very place where the mechanism does.
    pub(super) fn mode_changed(&self) -> bool {
        let differs = |(plan, number): &(Plan, u64)| plan.number(&|body| self.ws.cache.bodies[body].pose) != *number;
        self.branch.parts.as_ref().is_some_and(differs)
    }

    /// True where det Φ_v has opposite signs at the present state and at the trial, which is realised and factored.
    ///
    /// The independent rows are one choice among several where constraints are redundant, and a choice may become dependent
    /// by itself in between; so a change counts only if rows chosen at the trial position show it as well.
    fn sign_changed(&mut self) -> bool {
        let there = self.sign_here();
        if self.branch.sign.1 == there.1 && self.branch.sign.0 == there.0 {
            return false;
        }
        if self.branch.sign.1 != there.1 && self.sign_before() == there.0 {
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
    fn sign_here(&self) -> (i8, usize) {
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
        self.branch.sign = sign;
        false
    }
}
