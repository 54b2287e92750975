//! Dry and viscous friction of a joint: what resists its first coordinate, and how much it holds at rest.
//!
//! A joint slides or sticks. What resists a slide of sense σ at the rate v is Q = m(v) + c |v| against σ, where the dry part m falls from the static
//! value m_s at rest to the kinetic value m_k as m(v) = m_k + (m_s − m_k) exp(−(v/v_s)²); without a Stribeck rate v_s a slide resists with m_k at once. At
//! rest anything up to m_s is held. The dry part is a constant besides what the joint's own reaction presses out of it:
//!
//! | rubbing | pressed by | m |
//! |---|---|---|
//! | pin | radial force R, thrust A | μ (r R + r_c |A|) |
//! | guide, groove | force N across the direction of slide | μ N |
//! | thread | thrust A | μ r |A| (1 + τ²)/(1 − ε σ μ τ) + μ r_c |A|, with τ = pitch/(2π r) and ε the sign of A |
//! | sleeve | radial force R | μ r R, against a slip in which turn and slide are one: its direction is that of (θ̇, ż/r) |
//! | plate | thrust A | μ |A|, against the slip in the plane |
//! | seal | nothing | 0 |
//!
//! A guide, pin or sleeve of length l bears a moment M across its axis at its two ends too: R is then |R/2 + a × M/l| + |R/2 − a × M/l|, with the axis a.
//!
//! The thread's law is that of the square thread: friction along the helix has a part along the axis, which the reaction as it is told (an
//! effort of friction about the axis alone) takes over.

#![allow(non_snake_case)] // R_WF: a rotation between frames (docs/notation.md).

use super::Joint;
use crate::math::{Elementary, Vec3};
use std::f64::consts::TAU;

/// The key that says it of a joint, and what its effort is called in results.
pub const FRICTION: &str = "friction";

/// Where the parts of a joint rub, and so which of its reactions presses them together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rubbing {
    /// A pin in its bearing, with a collar that bears thrust.
    Pin,
    /// A slider on its guide.
    Guide,
    /// A point in a groove.
    Groove,
    /// A nut on its screw, with a collar.
    Thread,
    /// A rod that turns and slides in a sleeve.
    Sleeve,
    /// A point on a plate.
    Plate,
    /// What is pressed by nothing that the mechanism does: a piston's seal.
    Seal,
}

/// Friction of a joint, as `friction = { … }` says it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Friction {
    /// μ while it slides.
    pub coefficient: f64,
    /// μ at rest.
    pub static_coefficient: f64,
    /// Radius of the pin, or mean radius of the thread.
    pub radius: f64,
    /// Mean radius of the collar that bears thrust.
    pub collar: f64,
    /// Length over which a guide, pin or sleeve bears moments across its axis; where none is given they press nothing.
    pub length: f64,
    /// Resistance whatever presses, while it slides: a torque, or a force where the coordinate is a length.
    pub torque: f64,
    /// The same at rest.
    pub static_torque: f64,
    /// Rate over which resistance falls from its static to its kinetic value; none where it does so at once.
    pub stribeck: Option<f64>,
    /// Resistance per rate.
    pub viscous: f64,
}

/// A reaction as friction sees it: the resultant across, and the part along the joint axis, on the second body.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pressed {
    /// Force across the joint axis.
    pub across: Vec3,
    /// Force along it.
    pub along: f64,
    /// Moment across it, turned by a right angle about it: over a length, the force of a couple.
    pub couple: Vec3,
}

impl Friction {
    /// Whether the joint's reaction has a part in it.
    pub fn is_pressed(&self) -> bool {
        self.coefficient > 0.0 || self.static_coefficient > 0.0
    }

    /// Whether anything resists besides viscosity, so that the joint can stick.
    pub fn is_dry(&self) -> bool {
        self.is_pressed() || self.torque > 0.0 || self.static_torque > 0.0
    }

    /// How far the dry part at a rate is on its way from the static to the kinetic value: 1 at rest.
    fn at_rest(&self, rate: f64) -> f64 {
        match self.stribeck {
            Some(stribeck) => {
                let x = rate / stribeck;
                (-x * x).exponential()
            }
            None => 0.0,
        }
    }

    /// Resistance to a slide of that sense at a rate of at least zero.
    pub fn kinetic(&self, joint: &Joint, pressed: Pressed, sense: f64, rate: f64) -> f64 {
        let share = self.at_rest(rate);
        let mu = self.coefficient + share * (self.static_coefficient - self.coefficient);
        let torque = self.torque + share * (self.static_torque - self.torque);
        torque + self.press(joint, mu, pressed, sense) + self.viscous * rate
    }

    /// The most that it holds at rest against a slide of that sense.
    pub fn hold(&self, joint: &Joint, pressed: Pressed, sense: f64) -> f64 {
        self.static_torque + self.press(joint, self.static_coefficient, pressed, sense)
    }

    /// What a reaction presses out of the joint.
    fn press(&self, joint: &Joint, mu: f64, pressed: Pressed, sense: f64) -> f64 {
        if mu == 0.0 {
            return 0.0;
        }
        let thrust = pressed.along.abs();
        match joint.kind.rubbing() {
            Some(Rubbing::Pin) => mu * (self.radius * self.radial(pressed) + self.collar * thrust),
            Some(Rubbing::Guide | Rubbing::Groove) => mu * self.radial(pressed),
            Some(Rubbing::Sleeve) => mu * self.radius * self.radial(pressed),
            Some(Rubbing::Plate) => mu * thrust,
            Some(Rubbing::Thread) => {
                let slope = self.slope(joint);
                let sign = if pressed.along < 0.0 { -1.0 } else { 1.0 };
                let along = 1.0 - sign * sense * mu * slope;
                mu * self.radius * thrust * (1.0 + slope * slope) / along + mu * self.collar * thrust
            }
            Some(Rubbing::Seal) | None => 0.0,
        }
    }

    /// What presses across the axis: at both ends, where there is a length.
    fn radial(&self, pressed: Pressed) -> f64 {
        if self.length == 0.0 {
            return pressed.across.norm();
        }
        let (half, couple) = (pressed.across * 0.5, pressed.couple * (1.0 / self.length));
        (half + couple).norm() + (half - couple).norm()
    }

    /// What a slip along coordinate `k` counts for in the slip of all of them together, in rates of the first; none where friction does not act along it.
    pub fn share(&self, joint: &Joint, k: usize) -> Option<f64> {
        match (joint.kind.rubbing()?, k) {
            (_, 0) => Some(1.0),
            (Rubbing::Plate, 1) => Some(1.0),
            (Rubbing::Sleeve, 1) if self.radius > 0.0 => Some(1.0 / self.radius),
            _ => None,
        }
    }

    /// Tangent of a thread's lead angle.
    pub fn slope(&self, joint: &Joint) -> f64 {
        joint.pitch / (TAU * self.radius)
    }

    /// Which components of the reaction in the first body's joint frame it needs: forces across the axis, the one along it, moments across it.
    pub fn needs(&self, joint: &Joint) -> [bool; 3] {
        if !self.is_pressed() {
            return [false; 3];
        }
        let long = self.length > 0.0;
        match joint.kind.rubbing() {
            Some(Rubbing::Pin) => [self.radius > 0.0, self.collar > 0.0, self.radius > 0.0 && long],
            Some(Rubbing::Guide | Rubbing::Groove | Rubbing::Sleeve) => [true, false, long],
            Some(Rubbing::Thread | Rubbing::Plate) => [false, true, false],
            Some(Rubbing::Seal) | None => [false; 3],
        }
    }
}

impl Pressed {
    /// From the force and the moment on the second body, and the joint axis, all in ground axes.
    pub fn new(force: Vec3, moment: Vec3, axis: Vec3) -> Pressed {
        let along = force.dot(axis);
        Pressed { across: force - axis * along, along, couple: axis.cross(moment) }
    }

    /// The same with `factor` times another.
    pub fn plus(self, factor: f64, other: Pressed) -> Pressed {
        Pressed {
            across: self.across + other.across * factor,
            along: self.along + factor * other.along,
            couple: self.couple + other.couple * factor,
        }
    }
}
