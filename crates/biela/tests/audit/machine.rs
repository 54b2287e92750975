//! A machine as the audit knows it: what was written into its text, in SI units and in numbers of the audit's own.

use crate::vector::*;

/// c + a (sin(ω t + φ) − sin φ): a smooth motion that starts at c.
#[derive(Debug, Clone, Copy)]
pub struct Wave {
    pub start: f64,
    pub swing: f64,
    pub omega: f64,
    pub phase: f64,
}

impl Wave {
    pub fn constant(start: f64) -> Wave {
        Wave { start, swing: 0.0, omega: 0.0, phase: 0.0 }
    }

    pub fn at(&self, t: f64) -> f64 {
        self.start + self.swing * ((self.omega * t + self.phase).sin() - self.phase.sin())
    }

    pub fn rate(&self, t: f64) -> f64 {
        self.swing * self.omega * (self.omega * t + self.phase).cos()
    }
}

/// A body; the first of a machine is the ground.
#[derive(Debug, Clone)]
pub struct Body {
    pub name: String,
    /// Mass, centre, inertia [xx, yy, zz, xy, xz, yz].
    pub mass: Option<(f64, V, [f64; 6])>,
    pub points: Vec<V>,
    /// Where it is drawn: Euler parameters and place.
    pub e: Q,
    pub p: V,
}

/// A joint: points, axes and references in the frames of its two bodies.
#[derive(Debug, Clone)]
pub struct Joint {
    pub name: String,
    pub kind: &'static str,
    pub bodies: [usize; 2],
    pub at: [V; 2],
    pub axis: [V; 2],
    pub x: [V; 2],
    pub pitch: f64,
    /// Right-hand side of primitive constraints.
    pub value: Wave,
    /// Written by one point and one axis of the drawing.
    pub drawn: bool,
}

/// Name of each coordinate of a joint type, and whether it is an angle.
pub fn coordinates(kind: &str) -> &'static [(&'static str, bool)] {
    match kind {
        "revolute" | "screw" => &[("angle", true)],
        "prismatic" | "point-on-line" => &[("slide", false)],
        "cylindrical" => &[("angle", true), ("slide", false)],
        "universal" => &[("angle1", true), ("angle2", true)],
        "planar" => &[("x", false), ("y", false), ("angle", true)],
        _ => &[],
    }
}

impl Joint {
    pub fn coordinate(&self, c: usize) -> String {
        format!("{}.{}", self.name, coordinates(self.kind)[c].0)
    }
}

/// What a driver prescribes.
#[derive(Debug, Clone)]
pub enum Target {
    Coordinate {
        joint: usize,
        c: usize,
        value: Wave,
    },
    /// Along a unit vector of the ground.
    Point {
        body: usize,
        point: usize,
        along: V,
        value: Wave,
    },
    /// Roll, pitch, yaw.
    Angles {
        body: usize,
        value: [Wave; 3],
    },
    /// A turn by a wave about a ground direction, from an attitude.
    Turn {
        body: usize,
        axis: V,
        from: Q,
        value: Wave,
    },
}

#[derive(Debug, Clone)]
pub struct Driver {
    pub name: String,
    pub target: Target,
}

/// second = g(first), g(q) = ratio q + swing sin(q) + offset.
#[derive(Debug, Clone)]
pub struct Coupling {
    pub name: String,
    pub kind: &'static str,
    /// Joint and coordinate.
    pub first: (usize, usize),
    pub second: (usize, usize),
    pub ratio: f64,
    pub swing: f64,
    pub offset: f64,
}

/// A load.
#[derive(Debug, Clone)]
pub enum Load {
    Force { body: usize, point: V, value: [Wave; 3], in_body: bool },
    Torque { body: usize, value: [Wave; 3], in_body: bool },
    Spring { kind: &'static str, bodies: [usize; 2], at: [V; 2], stiffness: f64, damping: f64, length: f64 },
    JointSpring { joint: usize, c: usize, stiffness: f64, damping: f64, rest: f64 },
    JointTorque { joint: usize, c: usize, value: Wave },
    Friction { joint: usize, c: usize, viscous: f64, coulomb: f64 },
    Motor { joint: usize, c: usize, stall: f64, speed: f64 },
}

/// A machine.
#[derive(Debug, Clone)]
pub struct Machine {
    pub gravity: V,
    pub bodies: Vec<Body>,
    pub joints: Vec<Joint>,
    pub couplings: Vec<Coupling>,
    pub drivers: Vec<Driver>,
    pub loads: Vec<Load>,
    /// Lines of `[initial]`.
    pub initial: Vec<(String, f64)>,
    pub analysis: &'static str,
}
