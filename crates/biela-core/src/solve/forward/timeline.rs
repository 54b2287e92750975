//! Steps that see what loads and drivers do in time.
//!
//! - A step ends where a formula of time changes (a [`Break`]): `if`, `step`, `abs`, `mod` and the like, knots of motion laws. The
//!   next one begins right after it, a few roundings later, so that both see one formula alone, whichever side the break itself
//!   belongs to; in between the state moves on by its rates.
//! - A step is no longer than the nodes of its method can see ([`Nodes`]): what a load or a driver's acceleration does between
//!   them changes no velocity by more than the tolerance. Terms of time alone are looked at before the step; those that depend on
//!   the state too afterwards, on the straight way between its ends, and the step is taken back where too much was not seen.
//! - Tables: d³f/dt³ jumps by J_k at the knots. A step over knots is off by Σ|J_k| h²/8 in a velocity at most, else it ends at one.
//! - The rise of a motion law takes eight steps at least.
//! - No step of an adaptive method is longer than the distance of two samples.

use super::sight::{Nodes, Sight};
use super::terms::Terms;
use super::{Control, Dynamics, Integrator, Point};
use crate::error::Result;
use crate::expr::{Break, Found};
use crate::model::Integration;
use crate::system::System;

/// Breaks that follow upon each other in no time before they are taken for roundings.
const CROWD: usize = 1000;
/// Times closer than this many roundings are one.
const ONE_TIME: f64 = 64.0;

/// Leads a method of integration along the times that matter.
#[derive(Debug)]
pub struct Timeline<'m> {
    integrator: &'static dyn Integrator,
    terms: Terms<'m>,
    nodes: Nodes,
    /// Longest step.
    spacing: f64,
    tolerance: f64,
    /// Length of time on which roundings are measured.
    span: f64,
    /// Steps since the terms were weighed; none yet at first.
    weighed: Option<usize>,
    /// Length of the last step that had to be shortened, to begin with.
    short: f64,
    /// True where formulas have been found to change faster than time can be told apart: breaks are no longer looked for.
    noise: bool,
    /// Steps, more than others, that are short because enclosures told nothing …
    stuck: usize,
    /// … and since when there were so many that nothing more is asked of enclosures, which then tell nothing: of 1/(1 + (t/0)^2), for one.
    blind: Option<f64>,
    /// The break last passed, and how many have followed upon each other in no time.
    last: f64,
    crowd: usize,
    /// How far ahead breaks are looked for first.
    near: f64,
    /// Breaks passed so far.
    pub breaks: usize,
    before: Point,
}

impl<'m> Timeline<'m> {
    /// For a run of a system.
    pub fn new(system: &'m System<'m>, integrator: &'static dyn Integrator) -> Timeline<'m> {
        let study = &system.model.study;
        let span = (study.end - study.start).abs();
        let spacing = match integrator.which() {
            Integration::Rk45 => span / study.steps.max(1) as f64,
            _ => f64::INFINITY,
        };
        Timeline {
            integrator,
            terms: Terms::new(system),
            nodes: Nodes::new(integrator.nodes()),
            spacing,
            tolerance: study.tolerance,
            span,
            weighed: None,
            short: f64::INFINITY,
            noise: false,
            stuck: 0,
            blind: None,
            last: f64::NEG_INFINITY,
            crowd: 0,
            near: f64::INFINITY,
            breaks: 0,
            before: Point::default(),
        }
    }

    /// Makes one step towards `end`.
    pub fn advance(
        &mut self,
        dynamics: &mut Dynamics,
        point: &mut Point,
        end: f64,
        control: &mut Control,
    ) -> Result<()> {
        /// Breaks at one time, beyond which formulas change faster than time can be told apart.
        const MOST: usize = 100;
        /// Where a step may be made longer to pass a singular position, breaks matter this many times as far ahead.
        const AHEAD: f64 = 4.0;
        if self.integrator.which() == Integration::Rk45 {
            control.step = control.step.min(self.spacing);
        }
        if self.terms.is_empty() {
            return self.integrator.step(dynamics, point, end, control);
        }
        let mut passed = 0;
        let (to, mut limit) = loop {
            let to = self.wanted(control, point.t, end);
            let limit = end.min(point.t + AHEAD * (to - point.t));
            match self.next_break(point.t, limit) {
                None => break (to, limit),
                _ if passed > MOST => {
                    self.noise = true;
                    break (to, limit);
                }
                Some(next) if next.before - point.t > self.one_time(point.t) => {
                    break (to.min(next.before), next.before);
                }
                Some(next) => {
                    passed += 1;
                    self.pass(dynamics, point, next.after.min(end), control)?;
                    if point.t >= end {
                        return Ok(());
                    }
                }
            }
        };
        if self.weighed.is_none_or(|steps| steps >= self.terms.renewed()) {
            self.weigh(dynamics, point);
        }
        let seen = self.seen(dynamics, point, to);
        if seen < to {
            limit = seen;
        }
        let mixed = self.terms.list.iter().any(|term| term.mixed);
        if mixed {
            self.before.copy(point);
            dynamics.realize(point);
        }
        let states = self.states(dynamics, mixed);
        let memory = if mixed { control.alpha.accelerations() } else { Vec::new() };
        loop {
            self.integrator.step(dynamics, point, limit, control)?;
            self.weighed = self.weighed.map(|steps| steps + 1);
            let h = point.t - self.before.t;
            if !mixed || h <= self.least(point.t) || self.saw(dynamics, point, &states) {
                return Ok(());
            }
            limit = self.before.t + 0.5 * h;
            point.copy(&self.before);
            (control.known, control.after, control.leap) = (false, None, false);
            control.alpha.recall(&memory);
            control.accepted -= 1;
            control.refused += 1;
            self.short = 0.5 * h;
        }
    }

    /// Where the next step would end by itself; what is left to the end by a rounding is no step of its own.
    fn wanted(&self, control: &Control, t: f64, end: f64) -> f64 {
        let step = match self.integrator.which() {
            Integration::Rk45 => control.step.min(control.longest).min(self.spacing),
            _ => control.step,
        };
        if end - t <= step * (1.0 + 1e-9) {
            end
        } else {
            t + step
        }
    }

    fn one_time(&self, t: f64) -> f64 {
        ONE_TIME * f64::EPSILON * t.abs().max(self.span)
    }

    /// Steps this short are not shortened for the sake of terms.
    fn least(&self, t: f64) -> f64 {
        self.one_time(t).max(1e-12 * self.span)
    }

    fn weigh(&mut self, dynamics: &mut Dynamics, point: &Point) {
        self.terms.weigh(dynamics, point);
        self.weighed = Some(0);
    }

    /// The first break after `from` up to `to`: looked for nearby first, further and further off, since it is near in a train.
    fn next_break(&mut self, from: f64, to: f64) -> Option<Break> {
        if self.noise {
            return None;
        }
        // A break at the start itself lies a rounding ahead.
        let mut a = from - 2.0 * f64::EPSILON * from.abs().max(self.span);
        let mut width = self.near.min(to - a);
        loop {
            let b = if to - a <= width { to } else { a + width };
            if let Some(found) = self.first_break(a, b) {
                self.near = (4.0 * (found.after - from)).max(self.one_time(from));
                return Some(found);
            }
            if b >= to {
                self.near = (4.0 * (to - from)).max(self.one_time(from));
                return None;
            }
            (a, width) = (b, 4.0 * width);
        }
    }

    fn first_break(&self, from: f64, to: f64) -> Option<Break> {
        let rounding = 4.0 * f64::EPSILON * from.abs().max(self.span);
        let (mut next, mut until) = (None, to);
        for list in &self.terms.switches {
            // Outer switches are looked at where inner ones keep their sides.
            for switch in list {
                // What cannot be told apart is left to the step's own error.
                if let Found::At(found) = switch.first(from, until, rounding) {
                    (next, until) = (Some(found), found.before.max(from));
                }
            }
        }
        for law in &self.terms.laws {
            if let Some(t) = law.changes().find(|t| *t > from && *t <= until) {
                next = Some(Break { before: t - rounding, after: t + rounding });
                until = t - rounding;
            }
        }
        next
    }

    /// Passes a break: the state moves on by its rates for a few roundings of time. Velocities that drivers change at once change
    /// with the work that it takes.
    fn pass(&mut self, dynamics: &mut Dynamics, point: &mut Point, after: f64, control: &mut Control) -> Result<()> {
        control.make_room(2, point);
        if !control.known {
            dynamics.stage(point, &mut control.stages[0])?;
        }
        let Control { at, stages, .. } = control;
        at.advance(point, after, after - point.t, &[1.0], stages);
        std::mem::swap(point, at);
        if dynamics.moving {
            dynamics.realize(point);
            let (before, _) = dynamics.energies();
            dynamics.project(point)?;
            dynamics.realize(point);
            point.work += dynamics.energies().0 - before;
        }
        control.known = false;
        control.alpha.forget();
        self.breaks += 1;
        // Thousands of breaks in no time are roundings of a condition that is zero all along.
        self.crowd = if point.t - self.last <= 1e-9 * self.span { self.crowd + 1 } else { 0 };
        self.last = point.t;
        self.noise |= self.crowd > CROWD;
        Ok(())
    }

    /// What is to be told where steps could not be watched to the end.
    pub(super) fn blindness(&self) -> Option<String> {
        self.blind.map(|t| {
            format!(
                "no bounds can be given on how loads change with time: from t = {t:.6} s on steps were judged by their own error alone, \
                 so that a short pulse may have gone unseen; look for a division by zero in their expressions"
            )
        })
    }

    /// The end, `to` or earlier, of a step in which nothing goes unseen that depends on time alone.
    fn seen(&mut self, dynamics: &mut Dynamics, point: &Point, to: f64) -> f64 {
        let (t, whole) = (point.t, to - point.t);
        let mut h = whole.min(4.0 * self.short);
        for law in &self.terms.laws {
            if t < law.end && t + h > law.start {
                h = h.min(0.125 * (law.end - law.start));
            }
        }
        h = self.table_step(t, h);
        /// How many steps more than others, and how short against the run, are so because enclosures tell nothing. A jump that is none of its formula's is
        /// passed in a few dozen.
        const STUCK: (usize, f64) = (300, 1e-4);
        let least = self.least(t);
        let mut unknown = false;
        while h > least {
            match self.sees(t, h) {
                Sight::Seen => break,
                _ if self.weighed != Some(0) => self.weigh(dynamics, point),
                sight => {
                    unknown = sight == Sight::Unknown;
                    h *= 0.5;
                }
            }
        }
        // A sample is reached by a step that may be shorter still, and seen.
        self.stuck = if unknown && h < STUCK.1 * self.span { self.stuck + 1 } else { self.stuck.saturating_sub(1) };
        if self.stuck > STUCK.0 {
            self.blind.get_or_insert(t);
        }
        self.short = if h < whole { h } else { f64::INFINITY };
        if h < whole {
            t + h
        } else {
            to
        }
    }

    /// What a step of length h sees of the terms that depend on time alone: of the first that it does not see.
    fn sees(&self, t: f64, h: f64) -> Sight {
        let terms = self.terms.list.iter().filter(|term| !term.mixed && term.weight > 0.0 && self.blind.is_none());
        let mut sights = terms.map(|term| {
            let allowed = self.allowed(term.weight, h);
            self.nodes.see(&term.over(t, h, [&[], &[]]), allowed)
        });
        sights.find(|sight| *sight != Sight::Seen).unwrap_or(Sight::Seen)
    }

    /// Mean deviation of a term that may go unseen in a step of length h.
    fn allowed(&self, weight: f64, h: f64) -> f64 {
        self.sight() / (weight * h * h.max(1.0))
    }

    fn sight(&self) -> f64 {
        self.integrator.sight(self.tolerance)
    }

    /// The longest step up to h over knots of tables whose corners go unnoticed, or else to the next knot.
    fn table_step(&self, t: f64, h: f64) -> f64 {
        let mut h = h;
        for (spline, _, weight) in &self.terms.tables {
            let mut knots = spline.kinks_after(t + self.one_time(t)).peekable();
            let mut corners = 0.0;
            while let Some((knot, jump)) = knots.next().filter(|(knot, _)| knot - t < h) {
                let beyond = knots.peek().map_or(h, |(next, _)| h.min(next - t));
                corners += jump.abs();
                if weight * corners * beyond * beyond * 0.125 > self.sight() {
                    h = knot - t;
                }
            }
        }
        h
    }

    /// States of all mixed terms at the state realised.
    fn states(&self, dynamics: &Dynamics, mixed: bool) -> Vec<Vec<f64>> {
        let terms = self.terms.list.iter().filter(|term| mixed && term.mixed);
        terms.map(|term| term.state(dynamics.system, &dynamics.ws)).collect()
    }

    /// Looks at the step just made to `point`: whether its nodes saw the terms that depend on the state too.
    fn saw(&mut self, dynamics: &mut Dynamics, point: &Point, before: &[Vec<f64>]) -> bool {
        dynamics.realize(point);
        let after = self.states(dynamics, true);
        let (t, h) = (self.before.t, point.t - self.before.t);
        let terms = self.terms.list.iter().filter(|term| term.mixed);
        let mut terms = terms.zip(before.iter().zip(&after)).filter(|(term, _)| term.weight > 0.0);
        terms.all(|(term, (from, to))| {
            self.nodes.see(&term.over(t, h, [from, to]), self.allowed(term.weight, h)) == Sight::Seen
        })
    }
}
