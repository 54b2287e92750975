//! Friction of joints: which coordinates rub, what presses them, and the efforts that follow.
//!
//! Friction of joint k is an effort τ_k along the joint's first coordinate. What presses the joint depends on all of them: reactions are affine
//! in τ. `answer` finds τ where every joint slides, `boxed` which of those at rest stay there. Who knows how reactions follow (of a
//! prescribed motion: `prescribed`; of one under forces: [`crate::solve::forward`]) gives the affine map.
//!
//! A rod that turns and slides in its sleeve, and a point on a plate, rub along two coordinates at once: two [`Rub`]s that are a pair. Their slip is
//! the vector of their rates times their weights, its size the speed in rates of the first, and friction acts against its direction. What they do is
//! told for each, with the component of that direction in the place of a sense.

mod answer;
mod boxed;
mod prescribed;

pub use answer::{answer, eliminate, is_contraction, Answer, Presses};
pub use boxed::{hold_share, independent, settle, settle_box, Disc};
pub use prescribed::{Rubbed, Rule};

use super::{Marks, Reactions};
use crate::error::{Error, ErrorKind, Reason};
use crate::joints::{Friction, Joint, Pressed};
use crate::math::Elementary;
use crate::system::{System, Workspace};

/// A coordinate that rubs, alone or with another one of its joint.
#[derive(Debug, Clone, Copy)]
pub struct Rub<'m> {
    /// Number of the joint.
    pub number: usize,
    /// The joint.
    pub joint: &'m Joint,
    /// Its friction.
    pub friction: Friction,
    /// Number of the coordinate among all of the system, and its measure.
    pub coordinate: usize,
    /// See `coordinate`.
    pub measure: usize,
    /// How much of a rate along it is one of the joint's first coordinate.
    pub weight: f64,
    /// Place among all of the other one of a pair.
    pub other: Option<usize>,
}

impl<'m> Rub<'m> {
    /// All that rubs in a system.
    pub fn all(system: &System<'m>) -> Vec<Rub<'m>> {
        let model = system.model;
        let mut all: Vec<Rub> = Vec::new();
        for (number, joint) in model.joints.iter().enumerate() {
            let Some(friction) = joint.friction else { continue };
            let first = all.len();
            for k in 0..joint.kind.rubs_along() {
                let found = system.constraints.coordinate_number(number, k).zip(friction.share(joint, k));
                let Some((coordinate, weight)) = found else { continue };
                let measure = system.constraints.coordinates()[coordinate].2;
                all.push(Rub { number, joint, friction, coordinate, measure, weight, other: None });
            }
            if let [one, two] = &mut all[first..] {
                (one.other, two.other) = (Some(first + 1), Some(first));
            }
        }
        all
    }

    /// Of each: the sense of its slide, or of a pair the component of its direction, and the speed. `given` are senses that stand; none is that of the rate.
    pub fn slips(rubs: &[Rub], rates: &[f64], given: impl Fn(usize) -> Option<f64>) -> Vec<(f64, f64)> {
        Rub::slips_from(rubs, rates, given, &[])
    }

    /// The same where some have begun to slip from rest, each with a speed well above which it goes its own way and below which it goes the way given:
    /// there the direction of so small a slip would turn faster than any step.
    pub fn slips_from(
        rubs: &[Rub],
        rates: &[f64],
        given: impl Fn(usize) -> Option<f64>,
        slow: &[f64],
    ) -> Vec<(f64, f64)> {
        let along = |k: usize, speed: f64| {
            let most = slow.get(k).copied().unwrap_or(0.0);
            let part = if most > 0.0 { most * (-(speed / most) * (speed / most)).exponential() } else { 0.0 };
            part * given(k).unwrap_or(0.0)
        };
        let slip = |k: usize| {
            let own = rubs[k].weight * rates[k];
            let Some(other) = rubs[k].other else {
                let sense = given(k).unwrap_or(if own == 0.0 { 0.0 } else { own.signum() });
                return (sense, (sense * own).max(0.0));
            };
            let across = rubs[other].weight * rates[other];
            let speed = (own * own + across * across).sqrt();
            let (own, across) = (own + along(k, speed), across + along(other, speed));
            let speed = (own * own + across * across).sqrt();
            match given(k).zip(given(other)) {
                // Beyond the place where it stops it goes on straight, so that the event is found on a smooth way.
                Some((sense, beside)) if speed > 0.0 && sense * own + beside * across > 0.0 => (own / speed, speed),
                Some((sense, beside)) if speed > 0.0 && sense * own + beside * across < 0.0 => (-own / speed, 0.0),
                Some((sense, _)) => (sense, 0.0),
                None if speed > 0.0 => (own / speed, speed),
                None => (0.0, 0.0),
            }
        };
        (0..rubs.len()).map(slip).collect()
    }

    /// Rate of the coordinate at the state realised.
    pub fn rate(&self, system: &System, ws: &Workspace) -> f64 {
        system.constraints.rate(self.measure, &ws.evaluation)
    }

    /// What presses it, of reactions just found.
    pub fn pressed(&self, ws: &Workspace, reactions: &Reactions) -> Pressed {
        let axis = ws.cache.bodies[self.joint.bodies[0]].pose.rotation.apply(self.joint.frames[0].rotation.axes[2]);
        let on = &reactions.joints[self.number];
        Pressed::new(on.force, on.moment, axis)
    }

    /// The effort along the coordinate of a slip ([`Rub::slips`]).
    pub fn kinetic(&self, pressed: Pressed, (sense, speed): (f64, f64)) -> f64 {
        match sense == 0.0 {
            true => 0.0,
            false => -sense * self.weight * self.friction.kinetic(self.joint, pressed, sense, speed),
        }
    }

    /// Least and greatest effort that it holds with at rest; of a pair each alone.
    pub fn bounds(&self, pressed: Pressed) -> (f64, f64) {
        let hold = |sense| self.weight * self.friction.hold(self.joint, pressed, sense);
        (-hold(1.0), hold(-1.0))
    }

    /// What two of a pair bear together, in efforts along the first.
    pub fn together(&self, own: f64, (other, of): (&Rub, f64)) -> f64 {
        let (x, y) = (own / self.weight, of / other.weight);
        (x * x + y * y).sqrt()
    }

    /// Whether redundant constraints leave open what presses it, as components of its reaction were found not to be unique.
    pub fn is_open(&self, marks: &Marks) -> bool {
        let [across, along, bends] = self.friction.needs(self.joint);
        if !(across || along || bends) {
            return false;
        }
        // Marks stand for components in the second body's axes too: those of the joint axis there.
        let marked = &marks.joints[self.number];
        let axis = self.joint.frames[1].rotation.axes[2];
        (0..3).any(|k| {
            let lies_along = axis.to_array()[k].abs() > 1.0 - ALIGNED;
            let lies_across = axis.to_array()[k].abs() < ALIGNED;
            (marked[6 + k] && ((along && !lies_across) || (across && !lies_along)))
                || (marked[9 + k] && bends && !lies_along)
        })
    }
}

impl Rub<'_> {
    /// Why a run ends where redundant constraints leave open what presses the joint.
    pub fn open(&self, t: f64) -> Error {
        ErrorKind::Drive
            .error(format!(
                "its friction needs a reaction that is not unique at t = {t:.9} s: redundant constraints share it out"
            ))
            .because(Reason::ReactionsOpen)
            .at_time(t)
            .of(format!("joint '{}'", self.joint.name))
            .at_opt(self.joint.span.as_ref())
            .note("free a constraint (biela check names the redundant ones, and freer joints in their place)")
            .note("or say what friction is without the reaction: friction = { torque = … }")
    }

    /// Why a run ends where friction that presses itself has no answer.
    pub fn jammed(&self, t: f64) -> Error {
        ErrorKind::Drive
            .error(format!("its friction presses itself so that no effort answers the motion at t = {t:.9} s: it jams"))
            .because(Reason::Jammed)
            .at_time(t)
            .of(format!("joint '{}'", self.joint.name))
            .at_opt(self.joint.span.as_ref())
            .note("with this coefficient the mechanism locks itself there; lower it, or move it another way")
    }
}

/// A component of an axis below this is none: frames are exact to rounding.
const ALIGNED: f64 = 1e-9;
