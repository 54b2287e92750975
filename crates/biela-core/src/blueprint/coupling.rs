//! Couplings: ratios, offsets, profiles and expressions of joint coordinates.

use super::motion::MotionPlan;
use super::place::Place;
use super::quantity::{Binding, Quantity};
use crate::couplings::{CoordinateRef, Coupling, CouplingKind};
use crate::error::Result;
use crate::expr::Expression;

/// A coupling as it is described.
#[derive(Debug, Clone)]
pub struct CouplingPlan {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: &'static dyn CouplingKind,
    /// The coordinates it connects.
    pub coordinates: Vec<CoordinateRef>,
    /// `ratio` or `radius`.
    pub ratio: Option<Quantity>,
    /// `offset`.
    pub offset: Option<Quantity>,
    /// `profile`.
    pub profile: Option<MotionPlan>,
    /// Period with which a tabulated profile repeats.
    pub period: Option<f64>,
    /// `value`.
    pub value: Option<Expression>,
    /// Where it is described.
    pub place: Place,
}

impl CouplingPlan {
    /// The coupling.
    pub fn build(&self, binding: &Binding) -> Result<Coupling> {
        let mut coupling = Coupling {
            name: self.name.clone(),
            kind: self.kind,
            coordinates: self.coordinates.clone(),
            ratio: 1.0,
            offset: 0.0,
            profile: None,
            period: self.period,
            value: self.value.clone(),
            span: self.place.span.clone(),
        };
        self.bind(binding, &mut coupling)?;
        Ok(coupling)
    }

    /// Puts the values into the coupling made before.
    pub fn bind(&self, binding: &Binding, coupling: &mut Coupling) -> Result<()> {
        let blame = |e| self.place.blame(e);
        if let Some(ratio) = &self.ratio {
            coupling.ratio = ratio.value(binding).map_err(blame)?;
        }
        if let Some(offset) = &self.offset {
            coupling.offset = offset.value(binding).map_err(blame)?;
        }
        if let Some(profile) = &self.profile {
            match &mut coupling.profile {
                Some(motion) => profile.bind(binding, motion).map_err(blame)?,
                none => *none = Some(profile.build(binding).map_err(blame)?),
            }
        }
        if let Some(value) = &mut coupling.value {
            binding.bind(value);
        }
        Ok(())
    }
}
