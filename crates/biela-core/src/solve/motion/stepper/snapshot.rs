//! A state to come back to.

use super::Stepper;
use crate::math::EulerParameters;
use crate::system::{State, Turns};

/// A state with what is needed to go on from it.
#[derive(Debug, Clone)]
pub(in crate::solve::motion) struct Snapshot {
    pub(in crate::solve::motion) state: State,
    near: Vec<f64>,
    kept: Vec<EulerParameters>,
    headings: Vec<f64>,
}

impl Snapshot {
    /// Time and coordinates.
    pub(in crate::solve::motion) fn place(&self) -> (f64, &[f64]) {
        (self.state.t, &self.state.q)
    }
}

impl Stepper<'_> {
    /// Counts turns on from those of an earlier part of the motion, which ended in the present position.
    pub fn count_on(&mut self, turns: &Turns) {
        let mut here = self.snapshot();
        here.near.iter_mut().zip(&turns.near).for_each(|(near, counted)| *near = *counted);
        here.kept.clone_from(&turns.attitudes);
        here.headings.clone_from(&turns.headings);
        self.restore_snapshot(&here);
        self.system.constraints.keep_turns(&mut self.ws.evaluation);
        self.ws.cache.keep_attitudes();
    }

    /// The present state.
    pub(in crate::solve::motion) fn snapshot(&self) -> Snapshot {
        let (near, kept) = (self.ws.evaluation.near.clone(), self.ws.cache.kept.clone());
        Snapshot { state: self.state.clone(), near, kept, headings: self.ws.cache.headings.clone() }
    }

    /// Keeps the present state to go back to; what is kept already gives its room.
    pub(in crate::solve::motion) fn remember(&mut self) {
        let good = self.good.take();
        self.good = Some(self.stored(good));
    }

    /// The present state, in the room of an earlier one where there is any.
    pub(in crate::solve::motion) fn stored(&self, room: Option<Snapshot>) -> Snapshot {
        let Some(mut room) = room else { return self.snapshot() };
        room.state.t = self.state.t;
        room.state.q.clone_from(&self.state.q);
        room.state.v.clone_from(&self.state.v);
        room.state.vdot.clone_from(&self.state.vdot);
        room.near.clone_from(&self.ws.evaluation.near);
        room.kept.clone_from(&self.ws.cache.kept);
        room.headings.clone_from(&self.ws.cache.headings);
        room
    }

    /// Goes to a state known before, with its velocities and accelerations realised.
    pub(in crate::solve::motion) fn restore_snapshot(&mut self, snapshot: &Snapshot) {
        let system = self.system;
        self.quick.forget();
        self.state.clone_from(&snapshot.state);
        self.ws.evaluation.near.clone_from(&snapshot.near);
        self.ws.cache.kept.clone_from(&snapshot.kept);
        self.ws.cache.headings.clone_from(&snapshot.headings);
        let t = self.state.t;
        self.residual = self.ws.realize_position(system, t, &self.state.q);
        self.ws.realize_jacobian(system, t);
        self.ws.analyse(&[]);
        self.ws.realize_velocity(system, t, &self.state.v);
        self.ws.realize_acceleration(system, t, &self.state.vdot);
        self.keep_sign();
        self.before = None;
        self.keep_spins();
    }
}
