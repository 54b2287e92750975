//! Wheels on a carrier: gears by their teeth, belts by their radii.
//!
//! Seen from the body that carries both axes, wheels roll on each other whatever that body does (Willis): ρ is the second wheel's turn per turn
//! of the first, each about its own axis, and r₂ = ρ r₁. A joint between wheel and carrier tells r as it stands; where a joint joins the wheel
//! to another body, the carrier's own turn against that body is taken off, told by the joint about a parallel axis between the two.
//!
//! Wheels in outer mesh turn against each other where their axes point the same way; axes that cross, as of bevel gears, are taken to point both
//! from the crossing to their wheels, or both from the wheels to it.

#![allow(non_snake_case)] // u_B: a direction in a body's frame (docs/notation.md).

use super::CoordinateRef;
use crate::joints::{Axis, Joint};
use crate::math::Vec3;

/// Two wheels on a carrier.
#[derive(Debug, Clone, PartialEq)]
pub struct Train {
    /// Teeth or radii, where the ratio follows from them.
    pub sizes: Option<[f64; 2]>,
    /// Whether the second wheel lies around the first or within it; of a belt, whether it runs open.
    pub internal: bool,
    /// The body that carries both axes.
    pub carrier: usize,
    /// The bodies that are the wheels, or that they are part of.
    pub wheels: [usize; 2],
    /// What the second coordinate turns per turn of those between it and the first.
    pub arms: Vec<f64>,
}

/// A wheel seen from its carrier.
#[derive(Debug, Clone, PartialEq)]
pub struct Wheel {
    /// The body that is the wheel, or that it is part of.
    pub body: usize,
    /// Its axis in the carrier's frame.
    pub u_B: Vec3,
    /// Its turn about the axis: coordinates with their weights, that of its joint first.
    pub turn: Vec<(CoordinateRef, f64)>,
}

/// Why a wheel cannot be seen from a carrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unseen {
    /// Its joint does not turn about one axis.
    NoWheel,
    /// No joint tells how the carrier turns about that axis.
    NoArm,
}

/// Sine of the angle up to which axes are parallel: frames of joints are exact to rounding, drawings of hundreds of parts nearly so.
const PARALLEL: f64 = 1e-6;

/// The sense of `v` along `u`: 1 or −1 where both are parallel.
pub fn parallel(u: Vec3, v: Vec3) -> Option<f64> {
    (u.cross(v).norm() <= PARALLEL).then(|| u.dot(v).signum())
}

/// The coordinate by which a joint turns about its axis, if it turns about no other.
pub fn turn_of(joint: &Joint) -> Option<usize> {
    let freedoms = joint.freedoms()?;
    let mut turns = freedoms.iter().filter(|f| f.sliding().is_none());
    let turn = turns.next().filter(|_| turns.next().is_none())?;
    turn.turning().filter(|(axis, _)| *axis == Axis::Z)?;
    joint.coordinate_of(turn)
}

impl Wheel {
    /// The wheel whose joint coordinate this is, seen from `carrier`.
    pub fn seen(joints: &[Joint], of: CoordinateRef, carrier: usize) -> Result<Wheel, Unseen> {
        let joint = &joints[of.joint];
        if turn_of(joint) != Some(of.coordinate) {
            return Err(Unseen::NoWheel);
        }
        let axis = |joint: &Joint, side: usize| joint.frames[side].rotation.axes[2];
        let [first, second] = joint.bodies;
        if first == carrier {
            return Ok(Wheel { body: second, u_B: axis(joint, 0), turn: vec![(of, 1.0)] });
        }
        if second == carrier {
            return Ok(Wheel { body: first, u_B: axis(joint, 1), turn: vec![(of, -1.0)] });
        }
        // Of the joint's bodies one is the wheel, and the carrier turns against the other.
        for (body, base, side, sign) in [(second, first, 0, 1.0), (first, second, 1, -1.0)] {
            for (k, arm) in joints.iter().enumerate().filter(|(k, _)| *k != of.joint) {
                let Some(near) = arm.bodies.iter().position(|b| *b == base) else { continue };
                if arm.bodies[1 - near] != carrier {
                    continue;
                }
                let sense = parallel(axis(joint, side), axis(arm, near));
                let (Some(coordinate), Some(sense)) = (turn_of(arm), sense) else { continue };
                let forth = if near == 0 { sense } else { -sense };
                let arm_turn = (CoordinateRef { joint: k, coordinate }, -forth);
                return Ok(Wheel { body, u_B: axis(arm, 1 - near) * sense, turn: vec![(of, sign), arm_turn] });
            }
        }
        Err(Unseen::NoArm)
    }
}

/// r₂ = ρ r₁ solved for the second coordinate: all coordinates, the first wheel's first and the second wheel's last, and what the last turns per
/// turn of each of the others. `None` where the last does not turn at all.
pub fn solved(wheels: &[Wheel; 2], ratio: f64) -> Option<(Vec<CoordinateRef>, Vec<f64>)> {
    let mut sum: Vec<(CoordinateRef, f64)> = Vec::new();
    let terms = wheels[0].turn.iter().map(|(c, w)| (*c, -ratio * w)).chain(wheels[1].turn.iter().copied());
    for (of, weight) in terms {
        match sum.iter_mut().find(|(c, _)| *c == of) {
            Some((_, total)) => *total += weight,
            None => sum.push((of, weight)),
        }
    }
    let last = wheels[1].turn[0].0;
    let at = sum.iter().position(|(c, _)| *c == last)?;
    let (_, own) = sum.remove(at);
    if own == 0.0 {
        return None;
    }
    let weights = sum.iter().map(|(_, weight)| -weight / own).collect();
    Some((sum.into_iter().map(|(c, _)| c).chain([last]).collect(), weights))
}
