//! What a way of solving the equations of motion does for those who hold it.

use super::super::open::Torques;
use super::super::{Point, Rates};
use super::context::Context;
use crate::error::{Error, Result};
use crate::system::wrench::Wrench;

/// What is watched along a run, found without placing all bodies.
#[derive(Debug, Clone, Copy)]
pub struct Glance {
    /// Kinetic and potential energy.
    pub energies: (f64, f64),
    /// Largest angular velocity of a body.
    pub spin: f64,
    /// Largest turn of a body since turns were last kept.
    pub turned: f64,
}

/// A direction along which something pushes: its generalised force, and what efforts along it do to rates along other such directions. Of many
/// together each touches few numbers: with u = Σ Λ `push` the rate along one changes by `read`·u.
#[derive(Debug, Default)]
pub struct Line {
    /// Velocity and entry.
    pub force: Vec<(usize, f64)>,
    pub push: Vec<(usize, f64)>,
    pub read: Vec<(usize, f64)>,
}

/// The equations of motion M v̇ + Φ_vᵀ λ = h, Φ_v v̇ = γ, by one of the ways to solve them.
pub trait Equations: std::fmt::Debug {
    /// v̇ at a point whose position and Φ_v are realised, to the last digits; returns the power of everything that has no potential.
    fn evaluate(&mut self, context: &mut Context, point: &Point, vdot: &mut [f64]) -> Result<f64>;

    /// Rates at a stage of a step; bodies are placed only where they are needed.
    fn stage(&mut self, context: &mut Context, point: &Point, rates: &mut Rates) -> Result<()>;

    /// Brings a point back onto the constraints and finds the rates there; `exact` where a step ends, so that the choice of rows may be
    /// made anew. Returns the largest residual left.
    fn arrive(&mut self, context: &mut Context, point: &mut Point, rates: &mut Rates, exact: bool) -> Result<f64>;

    /// Brings position and velocity back onto the constraints, with position and Φ_v realised there. Returns the largest residual left.
    fn project(&mut self, context: &mut Context, point: &mut Point) -> Result<f64>;

    /// Wrenches on all bodies as generalised forces, and the change of the velocities that they cause as impulses, where the position is realised and
    /// factored. Only equations with rows or masses written out are asked.
    fn respond(&mut self, _context: &mut Context, _wrenches: &[Wrench], force: &mut [f64], moved: &mut [f64]) {
        force.fill(0.0);
        moved.fill(0.0);
    }

    /// A direction along which wrenches on a few bodies push, where the position is realised and factored. Of equations with rows or masses written out.
    fn line(&mut self, _context: &mut Context, _on: &[(usize, Wrench)]) -> Line {
        Line::default()
    }

    /// The change of the velocities that a generalised force causes as an impulse; likewise.
    fn answer(&mut self, _context: &mut Context, _force: &[f64], moved: &mut [f64]) {
        moved.fill(0.0);
    }

    /// Energies, speeds and turns at a point, where they can be had without placing all bodies.
    fn glance(&mut self, _context: &mut Context, _point: &Point) -> Option<Glance> {
        None
    }

    /// Counts turns from the point last glanced at.
    fn keep_turns(&mut self) {}

    /// True where the position last factored lies near one in which rows become dependent.
    fn is_near_singular(&self) -> bool {
        false
    }

    /// How far the position last factored is from one in which rows become dependent: a measure that falls to zero linearly, one where
    /// they are as independent as can be.
    fn independence(&self) -> f64 {
        1.0
    }

    /// The algorithm of trees that it is, if it is one.
    fn algorithm(&self) -> Option<&'static str> {
        None
    }

    /// Takes generalised forces besides those of the model's loads.
    fn push(&mut self, _torques: Torques) -> Result<()> {
        Err(Error::new("torques can be given to open chains and trees in joint coordinates"))
    }
}
