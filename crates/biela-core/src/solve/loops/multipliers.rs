//! Multipliers of wrenches on bodies that are in place, by the factors of the step.

use super::loads::Wrench;
use super::step::Stepping;
use super::Loops;
use crate::math::Number;

/// What multipliers are found by, where bodies are.
pub(super) struct Solving<'a, N> {
    pub plan: &'a Loops,
    pub stepping: &'a Stepping<N>,
    pub on: &'a mut [Wrench<N>],
    pub side: &'a mut [N],
    pub work: &'a mut [N],
}

impl<N: Number> Solving<'_, N> {
    /// The multipliers of wrenches on bodies.
    #[inline(always)]
    pub fn multipliers(&mut self, wrenches: &[Wrench<N>], lambda: &mut [N]) {
        let Solving { plan, stepping, on, side, work } = self;
        on.copy_from_slice(wrenches);
        plan.tree.gather(on, stepping.screws(), side);
        side.iter_mut().zip(&plan.scales).for_each(|(side, scale)| *side = *side * N::splat(*scale));
        plan.order.solve_transposed(stepping.factors(), side, lambda, work);
    }
}
