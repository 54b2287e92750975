//! The numbers of a study that may depend on parameters: its times, step and tolerance, the point of moments.

use super::place::Place;
use super::quantity::{Binding, Quantity, Vector};
use crate::drivers::{whole_turn, Driver};
use crate::error::{Error, Result};
use crate::joints::Joint;
use crate::model::Study;

/// What became of a binding.
#[derive(Debug, Clone)]
pub enum Bound {
    /// The model has the values. What they deserve to be warned of, for [`super::Blueprint::warnings`].
    Whole(Vec<(usize, Error)>),
    /// A parameter decides more than numbers, so that the description must be read again with these values.
    ReadAgain,
}

/// Times, step, tolerance and point of moments as they are described; what is `None` is what the model was made with.
#[derive(Debug, Clone, Default)]
pub struct StudyPlan {
    /// `start`.
    pub start: Option<Quantity>,
    /// `end`.
    pub end: Option<Quantity>,
    /// Whether nothing says when it ends: after a whole turn of a driver that turns steadily, or at the start.
    pub one_turn: bool,
    /// `step`.
    pub step: Option<Quantity>,
    /// `tolerance`.
    pub tolerance: Option<Quantity>,
    /// `moment_point`.
    pub moment_point: Option<Vector>,
    /// Where it is described.
    pub place: Place,
}

impl StudyPlan {
    /// Puts the values in. Whether there is one sample or more decides more than times: that needs reading again, and then this is false.
    pub fn bind(&self, binding: &Binding, drivers: &[Driver], joints: &[Joint], study: &mut Study) -> Result<bool> {
        let blame = |e| self.place.blame(e);
        let single = study.end == study.start;
        for (quantity, slot) in [(&self.start, &mut study.start), (&self.end, &mut study.end)] {
            if let Some(quantity) = quantity {
                *slot = quantity.value(binding).map_err(blame)?;
            }
        }
        if self.one_turn {
            study.end = StudyPlan::turned(drivers, joints, study.start);
        }
        // What is wrong with the times is told where they are read.
        if single != (study.end == study.start) || study.end < study.start {
            return Ok(false);
        }
        self.set_step(binding, study)?;
        Ok(true)
    }

    /// The end of a run of which nothing says when it ends.
    pub fn turned(drivers: &[Driver], joints: &[Joint], start: f64) -> f64 {
        whole_turn(drivers, joints, start).map_or(start, |turn| start + turn)
    }

    /// Puts step, tolerance and the point of moments in.
    pub fn set_step(&self, binding: &Binding, study: &mut Study) -> Result<()> {
        if let Some(step) = &self.step {
            study.step = Some(self.positive(binding, step, "step")?);
        }
        if let Some(tolerance) = &self.tolerance {
            study.tolerance = self.positive(binding, tolerance, "tolerance")?;
        }
        if let Some(point) = &self.moment_point {
            study.moment_point = binding.vector(point).map_err(|e| self.place.blame(e))?;
        }
        Ok(())
    }

    fn positive(&self, binding: &Binding, quantity: &Quantity, key: &str) -> Result<f64> {
        let value = quantity.value(binding).map_err(|e| self.place.blame(e))?;
        match value > 0.0 {
            true => Ok(value),
            false => Err(self.place.wrong_value(key, format!("'{key}' must be greater than zero; this is {value}"))),
        }
    }
}
