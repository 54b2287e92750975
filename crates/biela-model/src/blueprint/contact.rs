//! Contacts: what their keys say, and what is wrong with their values.

use super::place::Place;
use super::quantity::{shown, Binding, Quantity};
use crate::error::{Error, Result};
use crate::joints::{Impact, Space};
use crate::loads::{Law, Load};
use crate::model::{Body, Compliance, Contact};
use std::sync::Arc;

/// A contact as it is described.
#[derive(Debug, Clone, Default)]
pub struct ContactPlan {
    /// Its name.
    pub name: String,
    /// The bodies: one pair, or each of several with each other.
    pub bodies: Vec<[usize; 2]>,
    /// What they move in.
    pub space: Space,
    /// `friction`.
    pub friction: Option<Quantity>,
    /// `restitution`.
    pub restitution: Option<Quantity>,
    /// `impact`.
    pub impact: Impact,
    /// `stiffness`.
    pub stiffness: Option<Quantity>,
    /// `damping`.
    pub damping: Option<Quantity>,
    /// `slip`.
    pub slip: Option<Quantity>,
    /// Where it is described.
    pub place: Place,
}

/// Rate of slip, in m/s, over which friction of a contact that gives way comes up where none is given: unseen in machines, and no stiffer than their contacts.
const SLIP: f64 = 1e-3;

impl ContactPlan {
    /// The contact, on bodies that have their values.
    pub fn build(&self, binding: &Binding, bodies: &[Body]) -> Result<Contact> {
        let number = |key: &str, quantity: &Option<Quantity>| -> Result<Option<f64>> {
            let value = quantity.as_ref().map(|q| q.value(binding)).transpose().map_err(|e| self.place.blame(e))?;
            match value {
                Some(x) if x < 0.0 => Err(self.negative(key, x)),
                value => Ok(value),
            }
        };
        let friction = number("friction", &self.friction)?.unwrap_or(0.0);
        let restitution = number("restitution", &self.restitution)?.unwrap_or(0.0);
        if restitution > 1.0 {
            let message = format!("'restitution' is at most 1; this is {}", shown(restitution));
            return Err(self
                .place
                .wrong_value("restitution", message)
                .note("1 gives all of the speed back, 0 none of it"));
        }
        let positive = |key: &str, value: Option<f64>| match value {
            Some(0.0) => Err(self.place.wrong_value(key, format!("'{key}' must be greater than zero"))),
            value => Ok(value),
        };
        let stiffness = positive("stiffness", number("stiffness", &self.stiffness)?)?;
        let damping = number("damping", &self.damping)?.unwrap_or(0.0);
        let slip = positive("slip", number("slip", &self.slip)?)?.unwrap_or(SLIP);
        let mut contact = Contact {
            name: self.name.clone(),
            bodies: self.bodies.clone(),
            touching: Arc::new([]),
            friction,
            restitution,
            impact: self.impact,
            compliance: stiffness.map(|stiffness| Compliance { stiffness, damping, slip }),
            span: self.place.span.clone(),
        };
        contact.place(bodies, self.space).map_err(|unfit| {
            let body = &bodies[unfit.body].name;
            let error = self.place.wrong_value("bodies", format!("body '{body}' cannot touch: {}", unfit.message));
            error.note(unfit.advice)
        })?;
        Ok(contact)
    }

    /// What presses in it where it gives way.
    pub fn load(&self, number: usize, contact: &Contact) -> Option<Load> {
        let load = || Load { name: contact.name.clone(), law: Law::Contact(number), span: contact.span.clone() };
        contact.compliance.map(|_| load())
    }

    fn negative(&self, key: &str, value: f64) -> Error {
        let error = self.place.wrong_value(key, format!("'{key}' is negative: {}", shown(value)));
        error.note(match key {
            "friction" => "friction acts against the slip by itself; give the size alone",
            _ => "give a value of zero or more",
        })
    }
}
