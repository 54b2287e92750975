//! The door to the equations of motion: who integrates, watches, linearises or tells forces holds a [`Dynamics`] and does not know by
//! which of the ways below accelerations are found.
//!
//! | file | way | where |
//! |---|---|---|
//! | `chain` | an algorithm of trees, of order n where it is `aba` | no rows, and the coordinates are those of the joints |
//! | `rows` | M v̇ + Φ_vᵀ λ = h, Φ_v v̇ = γ by sparse elimination of both together | all others |
//! | `planar` | M, h, Φ_v and γ of the same by recursions along the tree | within `rows`, where all moves in one plane in joint coordinates |
//! | `rows` | the same multiplied by a basis of the null space of Φ_v | `reduction = "null-space"` |
//!
//! The rule stands in [`Dynamics::new`] and nowhere else. `context` is what they share, `equations` what they do, `projection` the way back
//! onto the constraints.

mod chain;
mod context;
mod equations;
mod planar;
mod projection;
mod rows;

pub(super) use context::{length_weight, Probe};
pub use context::{Context, Given, GivenLaw};

use super::gaps;
use super::open::{OpenChain, Torques};
use super::{Point, Rates};
use crate::error::Result;
use crate::model::Reduction;
use crate::solve::forces::Rubbed;
use crate::system::wrench::Wrench;
use crate::system::{System, Workspace};
use chain::Chain;
pub(super) use equations::Line;
use equations::{Equations, Glance};
use rows::Rows;
use std::any::Any;
use std::ops::{Deref, DerefMut};

/// Friction of joints that slide: efforts that depend on the state, and on what they do themselves.
pub(super) trait Slides: std::fmt::Debug {
    /// Finds the efforts at a point and hands them to the equations of motion.
    fn settle(&mut self, dynamics: &mut Dynamics, point: &Point) -> Result<()>;
    /// Tells what joints exert, and which are stuck.
    fn tell(&self, rubbed: &mut Rubbed);
    /// Efforts last found.
    fn tau(&mut self) -> &mut [f64];
    /// When an answer was first found beside which others are not excluded.
    fn grown(&self) -> Option<f64>;
}

/// What touches and is held closed: efforts that depend on the state and on all that acts.
pub(super) trait Touches: Any + std::fmt::Debug {
    /// Finds the efforts at a point and hands them to the equations of motion.
    fn press(&mut self, dynamics: &mut Dynamics, point: &Point) -> Result<()>;
    /// Leads a point back to where those that are closed touch, and to velocities with which they stay so.
    fn hold(&self, dynamics: &mut Dynamics, point: &mut Point) -> Result<()>;
    /// Whether any is closed and bears.
    fn bears(&self) -> bool;
    /// How far each is from doing something else, at the efforts last found.
    fn read(&self, dynamics: &Dynamics, margins: &mut [f64]);
    /// What bounds a margin, where it is a gap that need not be smooth: a distance that it is not below, and how fast that falls at most.
    fn clearance(&self, margin: usize, dynamics: &Dynamics) -> Option<(f64, f64)>;
    /// A margin that is the gap of what is open, at the position realised, without looking at any other.
    fn alone(&self, margin: usize, dynamics: &Dynamics) -> Option<f64>;
    /// Whose margin that is.
    fn whose(&self, margin: usize) -> usize;
}

/// Solves the equations of motion of a system. Its [`Context`] is had through it: the system, the arrays last realised, the forces given.
#[derive(Debug)]
pub struct Dynamics<'s> {
    context: Context<'s>,
    equations: Box<dyn Equations>,
    /// Friction of joints that slide, where any does.
    pub(super) sliding: Option<Box<dyn Slides + 's>>,
    /// What may touch, where anything does.
    pub(super) held: Option<Box<dyn Touches>>,
}

impl<'s> Deref for Dynamics<'s> {
    type Target = Context<'s>;

    fn deref(&self) -> &Context<'s> {
        &self.context
    }
}

impl DerefMut for Dynamics<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.context
    }
}

impl<'s> Dynamics<'s> {
    /// For a system assembled at (t, q) in `ws`. The reduced form where it is asked for; else an algorithm of trees where there are no
    /// rows, that of the model or the fastest; else rows and masses together. An algorithm asked for that does not fit is an error.
    pub fn new(system: &'s System<'s>, mut ws: Workspace, t: f64, q: &[f64]) -> Result<Dynamics<'s>> {
        let residual = ws.realize_position(system, t, q);
        ws.realize_jacobian(system, t);
        let mut context = Context::new(system, ws, q);
        let open = match system.model.study.reduction {
            Reduction::NullSpace => None,
            // Efforts of what touches are found with the factors of rows and masses.
            _ if gaps::any(system.model) => None,
            _ => OpenChain::new(system, context.ws.pattern.rows())?,
        };
        let equations: Box<dyn Equations> = match open {
            Some(open) => Box::new(Chain::new(system, open)),
            None => Box::new(Rows::new(&mut context, t, q, residual)?),
        };
        Ok(Dynamics { context, equations, sliding: None, held: None })
    }

    /// Refuses an algorithm that the system cannot have, before any other work.
    pub fn check_algorithm(system: &System) -> Result<()> {
        match system.model.study.algorithm {
            Some(_) => OpenChain::new(system, Workspace::new(system).pattern.rows()).map(|_| ()),
            None => Ok(()),
        }
    }

    /// Takes generalised forces besides those of the model's loads; an error where no algorithm of trees takes them.
    pub fn push(&mut self, torques: Torques) -> Result<()> {
        self.equations.push(torques)
    }

    /// The algorithm of trees in use, if it is one.
    pub fn algorithm(&self) -> Option<&'static str> {
        self.equations.algorithm()
    }

    /// v̇ at a point, with all stages realised there, and the power of everything that has no potential.
    pub fn evaluate(&mut self, point: &Point, vdot: &mut [f64]) -> Result<f64> {
        self.rub(point)?;
        self.evaluate_bare(point, vdot)
    }

    /// Finds what friction of joints exerts at a point.
    fn rub(&mut self, point: &Point) -> Result<()> {
        let Some(mut sliding) = self.sliding.take() else { return Ok(()) };
        let found = sliding.settle(self, point);
        self.sliding = Some(sliding);
        found
    }

    /// v̇ under the efforts of friction that are given already.
    pub(super) fn evaluate_bare(&mut self, point: &Point, vdot: &mut [f64]) -> Result<f64> {
        self.press(point)?;
        self.evaluate_open(point, vdot)
    }

    /// Finds what holds those closed that touch, at a point.
    fn press(&mut self, point: &Point) -> Result<()> {
        let Some(mut held) = self.held.take() else { return Ok(()) };
        let found = held.press(self, point);
        self.held = Some(held);
        found
    }

    /// Margins of what may touch, at a point.
    pub(super) fn margins(&mut self, point: &Point, margins: &mut [f64]) -> Result<()> {
        let Some(held) = &self.held else { return Ok(()) };
        if held.bears() {
            let evaluations = self.context.evaluations;
            let mut vdot = vec![0.0; point.v.len()];
            let found = self.evaluate(point, &mut vdot);
            self.context.evaluations = evaluations;
            found?;
        }
        if let Some(held) = &self.held {
            held.read(self, margins);
        }
        Ok(())
    }

    /// What bounds a margin of what may touch, at the state realised.
    pub(super) fn clearance(&self, margin: usize) -> Option<(f64, f64)> {
        self.held.as_ref()?.clearance(margin, self)
    }

    /// A margin that is the gap of what is open, at the position realised.
    pub(super) fn alone(&self, margin: usize) -> Option<f64> {
        self.held.as_ref()?.alone(margin, self)
    }

    /// Who of those that may touch has that margin.
    pub(super) fn whose(&self, margin: usize) -> Option<usize> {
        self.held.as_ref().map(|held| held.whose(margin))
    }

    /// What wrenches on all bodies are as generalised forces, and the change of the velocities that they cause as impulses, at the position realised
    /// and factored: M⁻¹ with all rows held.
    pub(super) fn respond(&mut self, wrenches: &[Wrench], force: &mut [f64], moved: &mut [f64]) {
        self.equations.respond(&mut self.context, wrenches, force, moved);
    }

    /// The direction along which wrenches on a few bodies push, at the position realised and factored.
    pub(super) fn line(&mut self, on: &[(usize, Wrench)]) -> Line {
        self.equations.line(&mut self.context, on)
    }

    /// The change of the velocities that a generalised force causes as an impulse, there.
    pub(super) fn answer(&mut self, force: &[f64], moved: &mut [f64]) {
        self.equations.answer(&mut self.context, force, moved);
    }

    /// v̇ under what is given, whatever touches.
    pub(super) fn evaluate_open(&mut self, point: &Point, vdot: &mut [f64]) -> Result<f64> {
        let context = &mut self.context;
        context.ws.realize_position(context.system, point.t, &point.q);
        context.ws.realize_jacobian(context.system, point.t);
        self.equations.evaluate(context, point, vdot)
    }

    /// The same at a point just projected, whose position and Φ_v are realised.
    pub(super) fn evaluate_projected(&mut self, point: &Point, vdot: &mut [f64]) -> Result<f64> {
        match self.sliding.is_some() || self.held.is_some() {
            true => self.evaluate(point, vdot),
            false => self.equations.evaluate(&mut self.context, point, vdot),
        }
    }

    /// Energies, speeds and turns at a point, where they can be had without placing all bodies.
    pub(super) fn glance(&mut self, point: &Point) -> Option<Glance> {
        self.equations.glance(&mut self.context, point)
    }

    /// Places and moves all bodies of a point where a step ends, and counts turns of angles and attitudes on from there.
    pub(super) fn keep(&mut self, point: &Point) {
        self.realize(point);
        let Context { system, ws, .. } = &mut self.context;
        system.constraints.keep_turns(&mut ws.evaluation);
        ws.cache.keep_attitudes();
        self.equations.keep_turns();
    }

    /// Rates at a stage of a step; bodies are placed only where they are needed.
    pub fn stage(&mut self, point: &Point, rates: &mut Rates) -> Result<()> {
        self.rub(point)?;
        self.press(point)?;
        self.equations.stage(&mut self.context, point, rates)
    }

    /// True where the position last factored lies near one in which rows become dependent.
    pub fn is_near_singular(&self) -> bool {
        self.equations.is_near_singular()
    }

    /// How far the position last factored is from one in which rows become dependent: a measure that falls to zero linearly,
    /// one where they are as independent as can be.
    pub fn independence(&self) -> f64 {
        self.equations.independence()
    }

    /// Rates at a stage near positions where rows become dependent. There accelerations blow up what a stage is off the
    /// constraints, so it is led back onto them first. Rates of the projected point are those of another differential equation
    /// with the same solutions, so the method keeps its order.
    pub fn held_stage(&mut self, point: &mut Point, rates: &mut Rates) -> Result<()> {
        self.arrive(point, rates, false).map(|_| ())
    }

    /// Brings a point back onto the constraints and finds the rates there. Returns the largest residual left.
    pub fn settle(&mut self, point: &mut Point, rates: &mut Rates) -> Result<f64> {
        self.arrive(point, rates, true)
    }

    fn arrive(&mut self, point: &mut Point, rates: &mut Rates, exact: bool) -> Result<f64> {
        let residual = self.equations.arrive(&mut self.context, point, rates, exact)?;
        self.hold(point)?;
        if self.sliding.is_some() || self.held.is_some() {
            // Friction, and what holds closed, is that of the point arrived at.
            self.stage(point, rates)?;
        }
        Ok(residual)
    }

    /// Brings position and velocity back onto the constraints, the shortest way in the metric of M. Returns the largest
    /// residual left.
    pub fn project(&mut self, point: &mut Point) -> Result<f64> {
        let residual = self.equations.project(&mut self.context, point)?;
        self.hold(point)?;
        Ok(residual)
    }

    /// The same for the rows alone.
    pub(super) fn project_rows(&mut self, point: &mut Point) -> Result<f64> {
        self.equations.project(&mut self.context, point)
    }

    /// Leads a projected point back to where what is closed touches.
    fn hold(&mut self, point: &mut Point) -> Result<()> {
        let Some(held) = self.held.take() else { return Ok(()) };
        let found = held.hold(self, point);
        self.held = Some(held);
        found
    }

    /// Rates at a point with something changed by `by`.
    pub(super) fn probed(&mut self, point: &Point, probe: Probe, by: f64, rates: &mut Rates) -> Result<()> {
        self.probe = Some((probe, by));
        let found = self.stage(point, rates);
        self.probe = None;
        found
    }
}
