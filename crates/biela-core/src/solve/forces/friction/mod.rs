//! Friction of joints: which coordinates rub, what presses them, and the efforts that follow.
//!
//! Friction of joint k is an effort τ_k along the joint's first coordinate. What presses the joint depends on all of them: reactions are affine
//! in τ. `answer` finds τ where every joint slides, `boxed` which of those at rest stay there. Who knows how reactions follow (of a
//! prescribed motion: `prescribed`; of one under forces: [`crate::solve::forward`]) gives the affine map.

mod answer;
mod boxed;
mod prescribed;

pub use answer::{answer, is_contraction, Answer, Presses};
pub use boxed::{hold_share, independent, settle_box};
pub use prescribed::{Rubbed, Rule};

use super::{Marks, Reactions};
use crate::error::{Error, ErrorKind, Reason};
use crate::joints::{Friction, Joint, Pressed};
use crate::system::{System, Workspace};

/// A coordinate that rubs.
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
}

impl<'m> Rub<'m> {
    /// All that rubs in a system.
    pub fn all(system: &System<'m>) -> Vec<Rub<'m>> {
        let model = system.model;
        let joints = model.joints.iter().enumerate();
        joints
            .filter_map(|(number, joint)| {
                let friction = joint.friction?;
                let coordinate = system.constraints.coordinate_number(number, 0)?;
                let measure = system.constraints.coordinates()[coordinate].2;
                Some(Rub { number, joint, friction, coordinate, measure })
            })
            .collect()
    }

    /// Rate of the coordinate at the state realised.
    pub fn rate(&self, system: &System, ws: &Workspace) -> f64 {
        system.constraints.rate(self.measure, &ws.evaluation)
    }

    /// What presses it, of reactions just found.
    pub fn pressed(&self, ws: &Workspace, reactions: &Reactions) -> Pressed {
        let axis = ws.cache.bodies[self.joint.bodies[0]].pose.rotation.apply(self.joint.frames[0].rotation.axes[2]);
        Pressed::new(reactions.joints[self.number].force, axis)
    }

    /// The effort along the coordinate of a slide of that sense.
    pub fn kinetic(&self, pressed: Pressed, sense: f64, rate: f64) -> f64 {
        match sense == 0.0 {
            true => 0.0,
            false => -sense * self.friction.kinetic(self.joint, pressed, sense, (sense * rate).max(0.0)),
        }
    }

    /// Least and greatest effort that it holds with at rest.
    pub fn bounds(&self, pressed: Pressed) -> (f64, f64) {
        let hold = |sense| self.friction.hold(self.joint, pressed, sense);
        (-hold(1.0), hold(-1.0))
    }

    /// Whether redundant constraints leave open what presses it, as components of its reaction were found not to be unique.
    pub fn is_open(&self, marks: &Marks) -> bool {
        let [across, along] = self.friction.needs(self.joint);
        if !(across || along) {
            return false;
        }
        // Marks stand for components in the second body's axes too: those of the joint axis there.
        let marked = &marks.joints[self.number];
        let axis = self.joint.frames[1].rotation.axes[2];
        (0..3).any(|k| {
            let lies_along = axis.to_array()[k].abs() > 1.0 - ALIGNED;
            let lies_across = axis.to_array()[k].abs() < ALIGNED;
            marked[6 + k] && ((along && !lies_across) || (across && !lies_along))
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
