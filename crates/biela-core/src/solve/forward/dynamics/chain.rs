//! Open chains and trees in joint coordinates: no rows, and no matrix of the whole.

use super::super::open::{OpenChain, Torques};
use super::super::{Point, Rates};
use super::context::Context;
use super::equations::Equations;
use crate::error::{Error, Result};
use crate::system::generalised::GeneralisedForces;
use crate::system::System;

/// An open chain with its loads.
#[derive(Debug)]
pub struct Chain {
    open: OpenChain,
    generalised: GeneralisedForces,
}

impl Chain {
    /// For a chain of the system.
    pub fn new(system: &System, open: OpenChain) -> Chain {
        Chain { open, generalised: GeneralisedForces::new(system) }
    }

    /// v̇ and power, with bodies placed and moved where loads need them.
    fn accelerate(&mut self, context: &mut Context, point: &Point, vdot: &mut [f64]) -> Result<f64> {
        let (system, t) = (context.system, point.t);
        context.evaluations += 1;
        let loaded = !context.is_unloaded();
        if loaded {
            context.applied.evaluate(system, &context.ws, t);
            context.give(t);
            context.loads_only.clone_from(&context.applied.wrenches);
            self.generalised.generalised(system, &context.ws, &context.applied.wrenches, &mut context.h);
            context.h.iter_mut().zip(&context.scale).for_each(|(h, scale)| *h /= scale);
        }
        let h = loaded.then_some(context.h.as_slice());
        let power = match self.open.accelerate(t, &point.q, &point.v, h, vdot) {
            Ok(power) => power,
            Err(_) if !context.h.iter().chain(&point.q).chain(&point.v).all(|x| x.is_finite()) => {
                return Err(context.not_finite(t));
            }
            Err(error) => return Err(at_time(error, t)),
        };
        Ok(power + if loaded { context.load_power() } else { 0.0 })
    }
}

impl Equations for Chain {
    fn evaluate(&mut self, context: &mut Context, point: &Point, vdot: &mut [f64]) -> Result<f64> {
        context.move_bodies(point);
        self.accelerate(context, point, vdot)
    }

    fn stage(&mut self, context: &mut Context, point: &Point, rates: &mut Rates) -> Result<()> {
        if !context.is_unloaded() {
            context.ws.realize_position(context.system, point.t, &point.q);
            context.move_bodies(point);
        }
        rates.power = self.accelerate(context, point, &mut rates.v)?;
        context.system.formulation.rates(&point.q, &point.v, &mut rates.q);
        Ok(())
    }

    fn arrive(&mut self, context: &mut Context, point: &mut Point, rates: &mut Rates, _exact: bool) -> Result<f64> {
        context.system.formulation.normalise(&mut point.q);
        self.stage(context, point, rates)?;
        Ok(0.0)
    }

    fn project(&mut self, context: &mut Context, point: &mut Point) -> Result<f64> {
        let system = context.system;
        system.formulation.normalise(&mut point.q);
        context.ws.realize_position(system, point.t, &point.q);
        context.ws.realize_jacobian(system, point.t);
        Ok(0.0)
    }

    fn algorithm(&self) -> Option<&'static str> {
        Some(self.open.algorithm.keyword)
    }

    fn push(&mut self, torques: Torques) -> Result<()> {
        self.open.push(torques);
        Ok(())
    }
}

fn at_time(error: Error, t: f64) -> Error {
    error.note(format!("at t = {t:.9} s"))
}
