//! What a load does: its law with every key evaluated.
//!
//! Expressions see t in slot 0 and joint coordinate k (all joints' coordinates in the model's order) in slot 2k + 1, its rate
//! in slot 2k + 2.

#![allow(non_snake_case)] // p_B: a point in its body's frame (docs/notation.md).

use crate::couplings::CoordinateRef;
use crate::expr::Expression;
use crate::math::Elementary;
use crate::math::Vec3;
use crate::source::Span;

/// A load of a model.
#[derive(Debug, Clone)]
pub struct Load {
    /// Its name.
    pub name: String,
    /// What it does.
    pub law: Law,
    /// Where the model says so.
    pub span: Option<Span>,
}

/// What a load does.
#[derive(Debug, Clone)]
pub enum Law {
    /// A force on a point of a body.
    Force {
        /// The body.
        body: usize,
        /// The point in its frame.
        p_B: Vec3,
        /// Components.
        value: Box<[Expression; 3]>,
        /// True where they are in the body's axes, false for ground axes.
        in_body: bool,
    },
    /// A torque on a body.
    Torque {
        /// The body.
        body: usize,
        /// Components.
        value: Box<[Expression; 3]>,
        /// True where they are in the body's axes, false for ground axes.
        in_body: bool,
    },
    /// A spring and damper between two points.
    Spring {
        /// The bodies and the points in their frames.
        ends: [(usize, Vec3); 2],
        /// Force per length.
        stiffness: Expression,
        /// Force per speed.
        damping: Expression,
        /// Free length.
        length: Expression,
    },
    /// A force or torque along a joint coordinate.
    Coordinate {
        /// The coordinate.
        of: CoordinateRef,
        /// The law of its effort.
        effort: Effort,
    },
    /// A torque about the axis of a rotor, between it and the body it is mounted on.
    Rotor {
        /// The rotor.
        rotor: usize,
        /// The law of the torque.
        effort: Effort,
    },
}

/// A force or torque along a joint coordinate, positive where it drives the coordinate on.
#[derive(Debug, Clone)]
pub enum Effort {
    /// As given.
    Value(Expression),
    /// −stiffness · (coordinate − rest) − damping · rate.
    Spring {
        /// Effort per coordinate.
        stiffness: Expression,
        /// Effort per rate.
        damping: Expression,
        /// Coordinate without effort.
        rest: Expression,
    },
    /// −viscous · rate − coulomb · tanh(rate / [`Effort::TRANSITION`]).
    Friction {
        /// Effort per rate.
        viscous: Expression,
        /// Effort against the sense of motion.
        coulomb: Expression,
    },
    /// stall · (1 − rate / speed).
    Motor {
        /// Effort at rest.
        stall: Expression,
        /// Rate without effort.
        speed: Expression,
    },
}

impl Effort {
    /// Rate over which Coulomb friction changes its sense smoothly: slow beside any motion of interest, fast enough not to
    /// make the equations needlessly stiff.
    pub const TRANSITION: f64 = 1e-3;

    /// The effort for a coordinate and its rate; `env` as the module says.
    pub fn value(&self, coordinate: f64, rate: f64, env: &[f64]) -> f64 {
        match self {
            Effort::Value(value) => value.eval(env),
            Effort::Spring { stiffness, damping, rest } => {
                -stiffness.eval(env) * (coordinate - rest.eval(env)) - damping.eval(env) * rate
            }
            Effort::Friction { viscous, coulomb } => {
                -viscous.eval(env) * rate - coulomb.eval(env) * (rate / Effort::TRANSITION).hyperbolic_tangent()
            }
            Effort::Motor { stall, speed } => stall.eval(env) * (1.0 - rate / speed.eval(env)),
        }
    }
}
