//! Contacts: bodies whose shapes may touch, and what happens where they do.

use crate::joints::Impact;
use crate::source::Span;
use biela_distance::Pair;
use std::sync::Arc;

/// Bodies that may touch.
#[derive(Debug, Clone)]
pub struct Contact {
    /// Its name.
    pub name: String,
    /// The bodies: one pair, or each of several bodies with each other.
    pub bodies: Vec<[usize; 2]>,
    /// Their shapes, each with each: filled by [`Contact::place`].
    pub touching: Arc<[Touching]>,
    /// Coefficient of friction.
    pub friction: f64,
    /// How much of an impact comes back, from 0 to 1.
    pub restitution: f64,
    /// What that is a ratio of.
    pub impact: Impact,
    /// What gives way, where the contact is no rigid one.
    pub compliance: Option<Compliance>,
    /// Where the model says so.
    pub span: Option<Span>,
}

/// A contact that gives way: its normal force is stiffness · depth + damping · rate of depth where that presses, and 0 elsewhere.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Compliance {
    /// Force per depth.
    pub stiffness: f64,
    /// Force per rate of depth.
    pub damping: f64,
    /// Rate of slip over which friction comes up.
    pub slip: f64,
}

/// A shape of one body and one of another.
#[derive(Debug, Clone)]
pub struct Touching {
    /// The bodies.
    pub bodies: [usize; 2],
    /// The shapes.
    pub pair: Pair,
}

impl Contact {
    /// A rigid contact of two bodies, without friction or restitution.
    pub fn new(name: &str, bodies: [usize; 2]) -> Contact {
        Contact {
            name: name.to_string(),
            bodies: vec![bodies],
            touching: Arc::new([]),
            friction: 0.0,
            restitution: 0.0,
            impact: Impact::default(),
            compliance: None,
            span: None,
        }
    }

    /// Whether it is solved with the impacts of rigid bodies.
    pub fn is_rigid(&self) -> bool {
        self.compliance.is_none()
    }
}
