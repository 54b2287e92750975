//! The way downhill: designs looked at, and the best of them.

use super::design::Outcome;
use super::Optimisation;
use std::cell::{Cell, RefCell};

/// Limits overstepped by no more than this share count as kept.
pub(super) const KEPT: f64 = 1e-6;

/// Less is better: those that keep the limits first.
pub(super) fn rank(error: f64, violation: f64) -> (f64, f64) {
    match violation <= KEPT {
        true => (0.0, error),
        false => (violation, error),
    }
}

/// Designs on the way down: how many, and the best of them.
pub(super) struct Way<'a, 'd> {
    pub of: &'a Optimisation<'d>,
    /// False ends the descent.
    pub go_on: &'a dyn Fn() -> bool,
    evaluations: Cell<usize>,
    best: RefCell<Option<(Vec<f64>, Outcome)>>,
}

impl<'a, 'd> Way<'a, 'd> {
    /// Nothing looked at yet.
    pub fn new(of: &'a Optimisation<'d>, go_on: &'a dyn Fn() -> bool) -> Way<'a, 'd> {
        Way { of, go_on, evaluations: Cell::new(0), best: RefCell::new(None) }
    }

    /// Designs looked at, and the best of them.
    pub fn end(self) -> (usize, Option<(Vec<f64>, Outcome)>) {
        (self.evaluations.get(), self.best.into_inner())
    }

    /// The outcome of a design; none where it cannot be.
    pub fn look(&self, values: &[f64], slopes: bool) -> Option<Outcome> {
        self.evaluations.set(self.evaluations.get() + 1);
        let outcome = self.of.evaluate(values, slopes).ok()?;
        let rank = |o: &Outcome| rank(o.error(), self.of.violation(o));
        let mut best = self.best.borrow_mut();
        if best.as_ref().is_none_or(|b| rank(&outcome) < rank(&b.1)) {
            *best = Some((values.to_vec(), outcome.clone()));
        }
        Some(outcome)
    }

    /// The least error so far.
    pub fn least(&self) -> Option<f64> {
        self.best.borrow().as_ref().map(|b| b.1.error())
    }
}

impl Optimisation<'_> {
    /// Amounts by which limits are overstepped (negative: kept), as shares of the limits; which limit each belongs to, and the
    /// factor of its slope.
    pub(super) fn overstepped(&self, outcome: &Outcome) -> Vec<(f64, usize, f64)> {
        let mut found = Vec::new();
        for (k, (limit, value)) in self.goal.limits.iter().zip(&outcome.limited).enumerate() {
            let scale = |x: f64| if x == 0.0 { 1.0 } else { x.abs() };
            if let Some(upper) = limit.upper {
                found.push(((value - upper) / scale(upper), k, 1.0 / scale(upper)));
            }
            if let Some(lower) = limit.lower {
                found.push(((lower - value) / scale(lower), k, -1.0 / scale(lower)));
            }
        }
        found
    }

    /// The largest of them, 0 where all limits are kept.
    pub(super) fn violation(&self, outcome: &Outcome) -> f64 {
        self.overstepped(outcome).iter().fold(0.0, |most, c| most.max(c.0))
    }
}
