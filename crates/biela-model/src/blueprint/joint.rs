//! Joints: frames, directions, pitch, values over time and limits.

#![allow(non_snake_case)] // X_WB: a body's pose in the ground (docs/notation.md).

use super::frames::{At, Geometry, Given, Zero};
use super::friction::FrictionPlan;
use super::motion::MotionPlan;
use super::place::Place;
use super::quantity::{shown, Binding, Direction, Quantity};
use crate::error::Result;
use crate::joints::{Axis, Joint, JointKind, Key, Limits, Restitution, Space, Stop};
use crate::math::{Pose, Vec3};
use crate::model::Body;
use crate::motion::Motion;

/// A joint as it is described: all that its type needs is there.
#[derive(Debug, Clone)]
pub struct JointPlan {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: &'static dyn JointKind,
    /// What its bodies move in.
    pub space: Space,
    /// First and second body.
    pub bodies: [usize; 2],
    /// `at`.
    pub at: Option<At>,
    /// `axis`.
    pub axis: Option<Given<Direction>>,
    /// `axis2`.
    pub axis2: Option<Direction>,
    /// `x`.
    pub x: Option<Given<Direction>>,
    /// `zero`.
    pub zero: Option<Zero>,
    /// `pitch`.
    pub pitch: Option<Quantity>,
    /// `length` or `value`, and which of the words was used.
    pub value: Option<(&'static str, MotionPlan)>,
    /// `a`, or `along` in the place of what is given once.
    pub a: Option<Given<Direction>>,
    /// `limits`.
    pub limits: LimitsPlan,
    /// Those of other coordinates than the first, by their numbers.
    pub other_limits: Vec<(usize, LimitsPlan)>,
    /// `friction`.
    pub friction: Option<FrictionPlan>,
    /// Where it is described.
    pub place: Place,
    slides: Vec<Axis>,
}

/// Limits as they are described.
#[derive(Debug, Clone, Default)]
pub struct LimitsPlan {
    /// `lower`.
    pub lower: Option<Quantity>,
    /// `upper`.
    pub upper: Option<Quantity>,
    /// `velocity`.
    pub velocity: Option<Quantity>,
    /// `effort`.
    pub effort: Option<Quantity>,
    /// `stop`; a hard one has the coefficient that `restitution` says.
    pub stop: Stop,
    /// `restitution`.
    pub restitution: Option<Quantity>,
    /// Where they are described.
    pub place: Place,
}

/// Joints without an axis of their own whose frames may still be turned by `axis` and `x`.
pub fn may_be_oriented(kind: &dyn JointKind) -> bool {
    kind.keys().contains(&Key::OptionalAxis) || (kind.hinge().is_some() && !kind.keys().contains(&Key::Axis))
}

impl JointPlan {
    /// A joint of which no more is said than its type and bodies.
    pub fn new(name: &str, kind: &'static dyn JointKind, bodies: [usize; 2], place: Place) -> JointPlan {
        JointPlan {
            name: name.to_string(),
            kind,
            space: Space::default(),
            bodies,
            at: None,
            axis: None,
            axis2: None,
            x: None,
            zero: None,
            pitch: None,
            value: None,
            a: None,
            limits: LimitsPlan::default(),
            other_limits: Vec::new(),
            friction: None,
            place,
            slides: Joint::example(kind).slides_in_first(),
        }
    }

    /// The joint between bodies that have their values.
    pub fn build(&self, binding: &Binding, bodies: &[Body]) -> Result<Joint> {
        let mut joint = Joint {
            name: self.name.clone(),
            kind: self.kind,
            space: self.space,
            bodies: self.bodies,
            frames: [Pose::IDENTITY; 2],
            directions: [Vec3::ZERO; 2],
            pitch: 0.0,
            value: Motion::Constant(0.0),
            limits: Limits::default(),
            other_limits: Vec::new(),
            friction: None,
            span: self.place.span.clone(),
        };
        self.bind(binding, bodies, &mut joint)?;
        Ok(joint)
    }

    /// Puts the values into the joint made before.
    pub fn bind(&self, binding: &Binding, bodies: &[Body], joint: &mut Joint) -> Result<()> {
        let blame = |e| self.place.blame(e);
        let pair = self.bodies.map(|k| &bodies[k]);
        let drawing = pair.map(|body| body.X_WB);
        joint.frames = self.frames(binding, pair, drawing)?;
        if let Some(pitch) = &self.pitch {
            joint.pitch = pitch.value(binding).map_err(blame)?;
        }
        if let Some((key, value)) = &self.value {
            value.bind(binding, &mut joint.value).map_err(blame)?;
            if let (Motion::Constant(length), true) = (&joint.value, self.kind.keys().contains(&Key::Length)) {
                if *length <= 0.0 {
                    return Err(self
                        .place
                        .wrong_value(key, format!("a distance is greater than zero; this is {length} m"))
                        .note("where two points coincide, use a spherical joint"));
                }
            }
        }
        if let Some(a) = &self.a {
            let given = a.value(binding).map_err(blame)?;
            match (given, self.kind.keys().contains(&Key::APair)) {
                (given, true) => joint.directions = given.directions(&drawing),
                (Given::Single(a) | Given::Pair([a, _]), false) => joint.directions[0] = a,
            }
        }
        joint.limits = self.limits.value(binding).map_err(blame)?;
        let other = |(coordinate, plan): &(usize, LimitsPlan)| Ok((*coordinate, plan.value(binding).map_err(blame)?));
        joint.other_limits = self.other_limits.iter().map(other).collect::<Result<_>>()?;
        joint.friction = self.friction.as_ref().map(|friction| friction.value(binding, joint)).transpose()?;
        Ok(())
    }

    fn frames(&self, binding: &Binding, pair: [&Body; 2], drawing: [Pose; 2]) -> Result<[Pose; 2]> {
        let blame = |e| self.place.blame(e);
        let value = |given: &Option<Given<Direction>>| {
            given.as_ref().map(|given| given.value(binding).map_err(blame)).transpose()
        };
        let at = self.at.as_ref().map(|at| at.value(binding, pair).map_err(blame)).transpose()?;
        let geometry = Geometry {
            place: &self.place,
            kind: self.kind,
            space: self.space,
            drawing,
            at,
            x: value(&self.x)?,
            zero: self.zero,
            slides: &self.slides,
        };
        let axis = value(&self.axis)?;
        match (axis, &self.axis2) {
            (Some(Given::Single(axis)), Some(axis2)) => {
                geometry.universal_frames(axis, axis2.value(binding).map_err(blame)?)
            }
            _ if self.kind.keys().contains(&Key::Axis) || may_be_oriented(self.kind) => geometry.frames(binding, axis),
            _ => Ok(geometry.points().map(Pose::translation)),
        }
    }
}

impl LimitsPlan {
    /// The stop, with its coefficient of restitution.
    fn stop_with(&self, restitution: Option<f64>) -> Result<Stop> {
        let Stop::Hard(hard) = self.stop else { return Ok(self.stop) };
        let coefficient = restitution.unwrap_or(0.0);
        if !(0.0..=1.0).contains(&coefficient) {
            return Err(self
                .place
                .wrong_value(
                    "restitution",
                    format!("'limits.restitution' is {}, and lies between 0 and 1", shown(coefficient)),
                )
                .note("0: what strikes the stop stays there; 1: it leaves as fast as it came"));
        }
        Ok(Stop::Hard(Restitution { coefficient, ..hard }))
    }

    fn value(&self, binding: &Binding) -> Result<Limits> {
        let number = |quantity: &Option<Quantity>| quantity.as_ref().map(|q| q.value(binding)).transpose();
        let found = Limits {
            lower: number(&self.lower)?,
            upper: number(&self.upper)?,
            velocity: number(&self.velocity)?,
            effort: number(&self.effort)?,
            stop: self.stop_with(number(&self.restitution)?)?,
        };
        if let (Some(lower), Some(upper)) = (found.lower, found.upper) {
            if lower > upper {
                return Err(self.place.wrong_value(
                    "upper",
                    format!("the upper limit {} lies below the lower limit {}", shown(upper), shown(lower)),
                ));
            }
        }
        for (key, value) in [("velocity", found.velocity), ("effort", found.effort)] {
            if value.is_some_and(|v| v < 0.0) {
                return Err(self.place.wrong_value(key, format!("'limits.{key}' cannot be negative")));
            }
        }
        Ok(found)
    }
}
