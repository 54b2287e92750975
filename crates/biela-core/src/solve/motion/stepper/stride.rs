//! A step of any length, where drivers lead every velocity of a tree by itself: its position is a function of time alone, and there is no other branch to come
//! to. Angles along a chain add up: a thousandth of a turn in each of 100 000 joints is a hundred turns of the last link, and as many steps if its turns
//! were to be seen as they pass. Here they follow from the joints': how far each driver leads its coordinate says how far the body is turned.
//!
//! What the usual steps ask of each law is asked here as well: it strays nowhere between the ends ([`super::super::excursion`]), and its displacement is that which
//! its rates at both ends explain. Whatever does not fulfil that is left to the usual steps.

use super::{Stepper, FREE_DISAGREEMENT};

impl Stepper<'_> {
    /// Whether each velocity is led by a driver of its own, so that a step may be of any length.
    pub(in crate::solve::motion) fn is_led(&self) -> bool {
        self.quick.led
    }

    /// Tries a step of length `h` to time `t`; false, with nothing changed, where the usual ones are to be taken.
    pub(in crate::solve::motion) fn stride(&mut self, h: f64, t: f64) -> bool {
        if !self.quick.led || !self.ws.has_factors(self.state.v.len()) {
            return false;
        }
        self.settle();
        self.lead(t);
        let done = self.correct(t) && self.quick_rates(t) && self.is_explained(h) && !self.mode_changed();
        if !done {
            let (here, system) = (self.state.t, self.system);
            system.constraints.turn_as_led(here, &mut self.ws.evaluation);
            self.place(false);
            self.realize_present();
            return false;
        }
        let Stepper { system, ws, dv, predicted, memory, scales, .. } = self;
        for (k, dv) in dv.iter_mut().enumerate() {
            *dv = predicted[k] + memory.sum[k] * scales[k];
        }
        system.formulation.carry_turns(dv, &mut ws.cache);
        self.quick_bodies(h);
        self.take_trial(h);
        self.settle();
        true
    }

    /// The displacement to time `t` that drivers ask for, in `dv` and as predicted; angles are counted from there.
    fn lead(&mut self, t: f64) {
        let Stepper { system, ws, state, dv, predicted, scales, .. } = self;
        let rows = &system.constraints;
        rows.aim(state.t, &mut ws.evaluation);
        predicted.iter_mut().enumerate().for_each(|(i, from)| *from = rows.aimed(i, &ws.evaluation).v);
        rows.turn_as_led(t, &mut ws.evaluation);
        for (i, from) in predicted.iter().enumerate() {
            ws.side[i] = (rows.aimed(i, &ws.evaluation).v - from) * rows.scale(i, t, ws.size);
        }
        ws.solve_side();
        dv.iter_mut().zip(&ws.x).zip(scales.iter()).for_each(|((dv, x), scale)| *dv = x * scale);
        predicted.copy_from_slice(dv);
    }

    /// True where rates at both ends explain the displacement of each coordinate, whatever others do: by the rule of [`Stepper::is_smooth`], so that no jump passes
    /// for motion.
    fn is_explained(&self, h: f64) -> bool {
        let (here, there) = (&self.state, &self.trial);
        (0..self.scales.len()).all(|k| {
            let rule = 0.5 * h * (here.v[k] + there.v[k]) + h * h / 12.0 * (here.vdot[k] - there.vdot[k]);
            let moved = self.predicted[k] + self.memory.sum[k] * self.scales[k];
            (moved - rule).abs() <= FREE_DISAGREEMENT * self.scales[k]
        })
    }
}
