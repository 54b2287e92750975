//! Positions of a driven mechanism at given times, and those of its neighbours: the same mechanism with slightly other
//! dimensions, or at slightly other times.
//!
//! With Φ(q, p, t) = 0 solved at q, a neighbour p + δp has the residual Φ(q, p + δp, t) = Φ_p δp + O(δp²), and
//! ```text
//! Φ_v δv = −Φ(q, p + δp, t)        δv = (dq/dp) δp + O(δp²)
//! ```
//! is solved with the factors that the position has left. Half the difference of the neighbours at ±δp is then the derivative
//! by the implicit function theorem, without a second solution of the position: terms of second order cancel. (The rows are
//! polynomials of low degree in lengths and frames; of what remains, δp³ and rounding over δp, a step of 1e-5 leaves about
//! 1e-9 of the derivative.)

use crate::error::Result;
use crate::model::Model;
use crate::results::Results;
use crate::signal::{Element, Extent, Level, Signal, Signals};
use crate::solve::motion::Follower;
use crate::solve::newton::Method;
use crate::solve::recorder::{Recorder, Sample};
use crate::system::System;

/// A mechanism near another: its dimensions, and how much later it is looked at.
#[derive(Debug, Clone, Copy)]
pub struct Neighbour<'m> {
    /// The same mechanism, up to its numbers.
    pub model: &'m Model,
    /// Shift of time.
    pub later: f64,
}

/// Follows `model` from its start through ascending `times` and records its positions there, and those of its neighbours to
/// first order. Of the columns those of positions are filled; rates of neighbours mean nothing.
pub fn positions(
    model: &Model,
    neighbours: &[Neighbour],
    formulation: &str,
    method: &'static dyn Method,
    times: &[f64],
) -> Result<(Results, Vec<Results>)> {
    let system = System::new(model, formulation)?;
    let near: Vec<System> =
        neighbours.iter().map(|n| System::new(n.model, system.formulation.name())).collect::<Result<_>>()?;
    let (start, end) = (model.study.start, times.last().copied().unwrap_or(model.study.start));
    let mut follower = Follower::with_method(&system, start, end - start, method)?;
    follower.at_singular(model.study.singular);
    let recorder = |system| Recorder::new(system, times.len(), Signals::with(model, Extent::default()));
    let mut here = recorder(&system)?;
    let mut there: Vec<Recorder> = near.iter().map(recorder).collect::<Result<_>>()?;
    let mut dv = vec![0.0; system.formulation.nv()];
    let mut q = follower.stepper.state.q.clone();
    for t in times {
        follower.advance(*t)?;
        let residual = follower.stepper.residual;
        here.record(&Sample { system: &system, ws: &follower.stepper.ws, t: *t, residual }, None, None)?;
        for ((neighbour, system), recorder) in neighbours.iter().zip(&near).zip(&mut there) {
            let (t, ws) = (*t + neighbour.later, &mut follower.stepper.ws);
            ws.realize_position(system, t, &follower.stepper.state.q);
            ws.solve_position(system, &mut dv);
            q.clone_from(&follower.stepper.state.q);
            system.formulation.step(&mut q, &dv);
            ws.realize_position(system, t, &q);
            recorder.record(&Sample { system, ws, t, residual }, None, None)?;
        }
        if !near.is_empty() {
            follower.stepper.place(false);
        }
    }
    Ok((here.finish(model), there.into_iter().zip(neighbours).map(|(r, n)| r.finish(n.model)).collect()))
}

/// Whether a column of a run is a matter of positions, which all driven analyses share.
pub fn is_position(model: &Model, name: &str) -> bool {
    // Signals that are made of others stand behind columns that this analysis leaves out.
    let has_place = |s: &Signal| matches!(s.element, Element::Body(_) | Element::Point(..) | Element::Coordinate(..));
    let is = |s: Signal| s.element == Element::Time || has_place(&s) && s.level() == Some(Level::Position);
    Signal::parse(model, name).is_some_and(is)
}
