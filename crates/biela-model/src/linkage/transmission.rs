//! Where a link passes its force on to one that the ground holds, and how: what the transmission angle is measured between.
//!
//! A link without load that is held at two points pulls or pushes along the line through them, one that slides on another across the slide. The
//! link that it acts on turns about its pivot on the ground, or slides there. The angle between the force and the way that its point can go is
//! the pressure angle; what it lacks of a right angle is the transmission angle (Alt 1932). In a four-bar it is that between coupler and
//! rocker, in a slider-crank that between the rod and the normal of the guide.

use super::{Tie, Ties};
use crate::drivers::Target;
use crate::joints::Joint;
use crate::model::{Model, GROUND};

/// One side of a joint: its point on that body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pin {
    /// The joint.
    pub joint: usize,
    /// 0 for its first body, 1 for its second.
    pub side: usize,
}

/// How a joint passes force on to a link that the ground holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transmission {
    /// The joint.
    pub joint: usize,
    /// Where the force acts.
    pub at: Pin,
    /// Its direction.
    pub force: Force,
    /// What holds the link that it acts on.
    pub hold: Hold,
}

/// The direction of a force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Force {
    /// Towards a pin.
    Towards(Pin),
    /// Across the axis of a slide.
    Across(usize),
}

/// What holds a link to the ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// A pivot.
    Pivot(Pin),
    /// A slide.
    Slide(usize),
}

/// The transmission of a joint; `None` where it passes nothing on to a link that the ground holds, or to one that is driven.
pub fn transmission(model: &Model, joint: usize) -> Option<Transmission> {
    transmissions(model).into_iter().find(|t| t.joint == joint)
}

/// Every transmission of a planar linkage.
pub fn transmissions(model: &Model) -> Vec<Transmission> {
    let driven = driven(model);
    let joints = joints_of(model);
    let far = distances(model, &driven, &joints);
    let ties = Ties::of(model);
    let mut found = Vec::new();
    for (k, joint) in model.joints.iter().enumerate().filter(|(_, j)| !j.bodies.contains(&GROUND)) {
        // Either body may be the one that is led; the second, mostly.
        let led = [1, 0].into_iter().find_map(|side| {
            let (link, from) = (joint.bodies[side], joint.bodies[1 - side]);
            // Force goes the way that leads away from the driver.
            let led = !driven[link] && (far[from] < far[link] || far[from] == usize::MAX);
            let hold = hold(model, &ties, link).filter(|_| led)?;
            let (at, force) = force((model, &ties), (k, joint), (side, from, &joints[from]), &far)?;
            Some(Transmission { joint: k, at, force, hold })
        });
        found.extend(led);
    }
    found
}

/// The joints of each body, in ascending order, and none of the ground's.
fn joints_of(model: &Model) -> Vec<Vec<usize>> {
    let mut joints = vec![Vec::new(); model.bodies.len()];
    for (k, joint) in model.joints.iter().enumerate() {
        joint.bodies.iter().filter(|b| **b != GROUND).for_each(|b| joints[*b].push(k));
    }
    joints
}

/// The force that body `from`, which has these joints, exerts at a joint on the body of that side: where, and in which direction.
fn force(
    (model, ties): (&Model, &Ties),
    (k, joint): (usize, &Joint),
    (side, from, joints): (usize, usize, &[usize]),
    far: &[usize],
) -> Option<(Pin, Force)> {
    let at = Pin { joint: k, side };
    if joint.kind.is_axial() {
        return Some((at, Force::Towards(Pin { joint: k, side: 1 - side })));
    }
    // A link that the ground holds itself bears a part of the force there.
    if hold(model, ties, from).is_some() {
        return None;
    }
    let pin = |joint: usize| Pin { joint, side: usize::from(model.joints[joint].bodies[1] == from) };
    let others = || joints.iter().filter(|j| **j != k).map(|j| pin(*j));
    // Of several joints the one that leads to the driver.
    let beyond = |pin: &Pin| far[model.joints[pin.joint].bodies[1 - pin.side]];
    let other = match others().count() {
        0 => return None,
        1 => others().next()?,
        _ => others().min_by_key(beyond).filter(|pin| beyond(pin) < usize::MAX)?,
    };
    let kind = |pin: Pin| {
        let [a, b] = model.joints[pin.joint].bodies;
        match ties.between(a, b) {
            _ if model.joints[pin.joint].kind.is_axial() => Some(true),
            Tie::Pivot(j) if j == pin.joint => Some(true),
            Tie::Slide(j) if j == pin.joint => Some(false),
            _ => None,
        }
    };
    match (kind(at)?, kind(other)?) {
        (true, true) => Some((at, Force::Towards(other))),
        (true, false) => Some((at, Force::Across(other.joint))),
        (false, true) => Some((other, Force::Across(k))),
        (false, false) => None,
    }
}

/// What holds a body to the ground, where that is one pivot or one slide.
fn hold(model: &Model, ties: &Ties, body: usize) -> Option<Hold> {
    match ties.between(GROUND, body) {
        Tie::Pivot(joint) => Some(Hold::Pivot(Pin { joint, side: usize::from(model.joints[joint].bodies[1] == body) })),
        Tie::Slide(joint) => Some(Hold::Slide(joint)),
        Tie::Apart => None,
    }
}

/// Bodies that drivers move against the ground.
fn driven(model: &Model) -> Vec<bool> {
    let mut driven = vec![false; model.bodies.len()];
    for driver in model.drivers.iter() {
        if let Target::Coordinate { of, .. } = &driver.target {
            let bodies = model.joints[of.joint].bodies;
            if bodies.contains(&GROUND) {
                bodies.iter().for_each(|b| driven[*b] = *b != GROUND);
            }
        }
    }
    driven
}

/// How many joints away from a driven body each body is, the ground left out.
fn distances(model: &Model, driven: &[bool], joints: &[Vec<usize>]) -> Vec<usize> {
    let mut far: Vec<usize> = driven.iter().map(|d| if *d { 0 } else { usize::MAX }).collect();
    let mut reached: Vec<usize> = (0..far.len()).filter(|body| driven[*body]).collect();
    let mut next = 0;
    while let Some(body) = reached.get(next).copied() {
        next += 1;
        for other in joints[body].iter().flat_map(|j| model.joints[*j].bodies) {
            if other != GROUND && far[other] == usize::MAX {
                far[other] = far[body] + 1;
                reached.push(other);
            }
        }
    }
    far
}
