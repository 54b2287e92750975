//! How a joint turns the body that it carries.

#![allow(non_snake_case)] // Frames are capital letters: X_WB, R_WF (docs/notation.md).

use crate::joints::Joint;
use crate::math::{Pose, Vec3};

/// How a joint turns the child.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Turning {
    /// Not at all.
    Nothing,
    /// About one axis, fixed in the child, by the velocity of that place among the joint's own.
    One { at: usize, axis_B: Vec3 },
    /// In any other way.
    More,
}

impl Turning {
    /// That of a joint whose far frame the body has at `X_KB`.
    pub(super) fn of(joint: &Joint, X_KB: &Pose) -> Turning {
        let Some(freedoms) = joint.kind.freedoms(joint) else { return Turning::More };
        let mut turns = freedoms.iter().filter(|f| f.sliding().is_none());
        match (turns.next(), turns.next()) {
            (None, _) => Turning::Nothing,
            (Some(turn), None) => turn.turning().map_or(Turning::More, |(axis, _)| Turning::One {
                at: turn.v,
                axis_B: X_KB.rotation.apply_transposed(axis.unit()),
            }),
            _ => Turning::More,
        }
    }
}
