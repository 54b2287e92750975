//! Couplings: ratios, offsets, profiles and expressions of joint coordinates.

use super::motion::MotionPlan;
use super::place::Place;
use super::quantity::{shown, Binding, Quantity};
use crate::couplings::{CoordinateRef, Coupling, CouplingKind, Follower};
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
    /// `base`, `roller` and `eccentricity`.
    pub follower: Option<[Quantity; 3]>,
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
            follower: None,
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
        if let Some(sizes) = &self.follower {
            coupling.follower = Some(self.roller(sizes, binding, coupling)?);
        }
        if let Some(value) = &mut coupling.value {
            binding.bind(value);
        }
        Ok(())
    }

    /// The follower, checked against the profile that it is to run on.
    fn roller(&self, sizes: &[Quantity; 3], binding: &Binding, coupling: &Coupling) -> Result<Follower> {
        let [base, roller, eccentricity] = binding.numbers(sizes).map_err(|e| self.place.blame(e))?;
        if base <= 0.0 {
            return Err(self
                .place
                .wrong_value("base", format!("a base circle has a radius above zero, not {}", shown(base))));
        }
        if roller < 0.0 {
            return Err(self
                .place
                .wrong_value("roller", format!("a roller has no negative radius: {}", shown(roller))));
        }
        if eccentricity.abs() >= base + roller {
            let message = format!(
                "the follower's line passes the cam's axis at {}, outside of base and roller together",
                shown(eccentricity.abs())
            );
            return Err(self.place.wrong_value("eccentricity", message));
        }
        let follower = Follower { base, roller, eccentricity };
        let Some(profile) = &coupling.profile else { return Ok(follower) };
        if let Some(angle) = follower.passes_axis(profile) {
            let message = format!("at {} deg the follower would pass the cam's axis", shown(angle.to_degrees()));
            let error = self.place.wrong_value("base", message);
            return Err(error.note(
                "the roller stands on the base circle where the follower's coordinate is zero; take a larger 'base'",
            ));
        }
        if let Some(cut) = follower.undercut(profile) {
            let message = format!(
                "the profile is undercut from {} to {} deg: there the path of the roller's centre bends with a radius of {} m, and the roller has {} m",
                shown(cut.from.to_degrees()),
                shown(cut.to.to_degrees()),
                shown(cut.radius),
                shown(roller)
            );
            let warning =
                self.place.wrong_value(if self.place.of_key("roller").is_some() { "roller" } else { "base" }, message);
            binding.warn(
                warning.note(
                    "no cam moves the follower so; take a larger 'base', a smaller 'roller', or more of the turn",
                ),
            );
        }
        Ok(follower)
    }
}
