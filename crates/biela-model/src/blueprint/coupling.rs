//! Couplings: ratios, teeth, radii, offsets, profiles and expressions of joint coordinates.

use super::motion::MotionPlan;
use super::place::Place;
use super::quantity::{shown, Binding, Quantity};
use crate::couplings::train::{parallel, solved, Unseen, Wheel};
use crate::couplings::{CoordinateRef, Coupling, CouplingKind, Follower, Train};
use crate::error::{Error, Result};
use crate::expr::Expression;
use crate::joints::Joint;
use crate::model::Body;

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
    /// Wheels on a carrier.
    pub train: Option<TrainPlan>,
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

/// Wheels on a carrier as they are described.
#[derive(Debug, Clone)]
pub struct TrainPlan {
    /// `teeth` or `radii`, with the key; `None` where `ratio` is given.
    pub sizes: Option<(&'static str, [Quantity; 2])>,
    /// Whether the wheels turn in the same sense where their axes do: `internal`, or a belt that is not `crossed`.
    pub same_sense: bool,
    /// Whether their axes must be parallel.
    pub parallel: bool,
    /// The body that carries both.
    pub carrier: usize,
}

impl CouplingPlan {
    /// The coupling between joints and bodies that have their values.
    pub fn build(&self, binding: &Binding, bodies: &[Body], joints: &[Joint]) -> Result<Coupling> {
        let mut coupling = Coupling {
            name: self.name.clone(),
            kind: self.kind,
            coordinates: self.coordinates.clone(),
            ratio: 1.0,
            offset: 0.0,
            train: None,
            profile: None,
            period: self.period,
            follower: None,
            value: self.value.clone(),
            span: self.place.span.clone(),
        };
        self.bind(binding, bodies, joints, &mut coupling)?;
        Ok(coupling)
    }

    /// Puts the values into the coupling made before.
    pub fn bind(&self, binding: &Binding, bodies: &[Body], joints: &[Joint], coupling: &mut Coupling) -> Result<()> {
        let blame = |e| self.place.blame(e);
        if let Some(ratio) = &self.ratio {
            coupling.ratio = ratio.value(binding).map_err(blame)?;
        }
        if let Some(offset) = &self.offset {
            coupling.offset = offset.value(binding).map_err(blame)?;
        }
        if let Some(train) = &self.train {
            self.bind_train(train, binding, bodies, joints, coupling)?;
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

    /// Ratio and coordinates of wheels, seen from their carrier.
    fn bind_train(
        &self,
        train: &TrainPlan,
        binding: &Binding,
        bodies: &[Body],
        joints: &[Joint],
        coupling: &mut Coupling,
    ) -> Result<()> {
        let [Some(first), Some(second)] = [0, 1].map(|k| self.coordinates.get(k).copied()) else { return Ok(()) };
        let see = |of: CoordinateRef| {
            Wheel::seen(joints, of, train.carrier).map_err(|why| self.unseen(why, &joints[of.joint], train, bodies))
        };
        let wheels = [see(first)?, see(second)?];
        let sense = parallel(wheels[0].u_B, wheels[1].u_B);
        if train.parallel && sense.is_none() {
            let message = format!("a {} runs between parallel axes; these are not", self.kind.keyword());
            return Err(self
                .place
                .wrong_value("joints", message)
                .note("for wheels on axes that cross, use a gear with teeth"));
        }
        let sizes = match &train.sizes {
            Some((key, sizes)) => Some(self.sizes(key, sizes, binding)?),
            None => None,
        };
        let ratio = match sizes {
            Some([a, b]) => a / b * sense.unwrap_or(1.0) * if train.same_sense { 1.0 } else { -1.0 },
            None => coupling.ratio,
        };
        let Some((coordinates, mut weights)) = solved(&wheels, ratio) else {
            let message = "these wheels do not turn the second joint, whatever the first does";
            return Err(self.place.wrong_value("joints", message).note("check 'joints' and 'carrier'"));
        };
        coupling.ratio = weights.remove(0);
        coupling.coordinates = coordinates;
        let wheels = wheels.map(|wheel| wheel.body);
        let (internal, carrier) = (train.same_sense, train.carrier);
        coupling.train = Some(Train { sizes, internal, carrier, wheels, arms: weights });
        Ok(())
    }

    /// Teeth, which are counted, or radii.
    fn sizes(&self, key: &str, sizes: &[Quantity; 2], binding: &Binding) -> Result<[f64; 2]> {
        /// Numbers of teeth that follow from others by division.
        const WHOLE: f64 = 1e-9;
        let value = |q: &Quantity| q.value(binding).map_err(|e| self.place.blame(e));
        let found = [value(&sizes[0])?, value(&sizes[1])?];
        let counted = key == "teeth";
        for x in found {
            if !(x > 0.0 && x.is_finite()) {
                let what = if counted { "a number of teeth" } else { "a radius" };
                return Err(self.place.wrong_value(key, format!("{what} is greater than zero; this is {}", shown(x))));
            }
            if counted && (x - x.round()).abs() > WHOLE * x {
                let message = format!("teeth are counted; {} is no whole number", shown(x));
                return Err(self.place.wrong_value(key, message).note("for any other proportion use 'ratio'"));
            }
        }
        Ok(found)
    }

    /// Why a wheel cannot be seen from its carrier, and what to do.
    fn unseen(&self, why: Unseen, joint: &Joint, train: &TrainPlan, bodies: &[Body]) -> Error {
        let (name, kind) = (&joint.name, joint.kind.keyword());
        match why {
            Unseen::NoWheel => self
                .place
                .wrong_value(
                    "joints",
                    format!("joint '{name}' is {kind} and does not turn about one axis, as a wheel does"),
                )
                .note("wheels hang in revolute or cylindrical joints; a wheel and a slide are a rack"),
            Unseen::NoArm => {
                let [carrier, a, b] = [train.carrier, joint.bodies[0], joint.bodies[1]].map(|k| &bodies[k].name);
                self.place
                    .wrong_value(
                        "carrier",
                        format!("no joint tells how carrier '{carrier}' turns about the axis of '{name}'"),
                    )
                    .note(format!("join '{carrier}' to '{a}' or '{b}' by a revolute joint about a parallel axis"))
            }
        }
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
