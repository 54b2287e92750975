//! Loads: what their keys say, with expressions and points that may depend on parameters.

use super::frames::PointPlan;
use super::place::Place;
use super::quantity::{fault_of_value, shown, Binding};
use crate::couplings::CoordinateRef;
use crate::error::{Error, Result};
use crate::expr::Expression;
use crate::loads::{Complaint, Keys, Load, LoadKey, LoadKind};
use crate::model::Body;

/// A load as it is described.
#[derive(Debug, Clone)]
pub struct LoadPlan {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: &'static dyn LoadKind,
    /// `body`.
    pub body: Option<usize>,
    /// `bodies`.
    pub bodies: Option<[usize; 2]>,
    /// A point of the body.
    pub point: Option<PointPlan>,
    /// A point of each of the bodies.
    pub points: Option<[PointPlan; 2]>,
    /// `joint`, with its coordinate.
    pub coordinate: Option<CoordinateRef>,
    /// `joint`, where it names a rotor.
    pub rotor: Option<usize>,
    /// Whether a word chose the body's axes.
    pub in_body: bool,
    /// Components of a vector.
    pub vector: Option<Box<[Expression; 3]>>,
    /// Scalars by the names of their keys.
    pub scalars: Vec<(&'static str, Expression)>,
    /// Where it is described.
    pub place: Place,
}

impl LoadPlan {
    /// A load of which no more is said than its type.
    pub fn new(name: &str, kind: &'static dyn LoadKind, place: Place) -> LoadPlan {
        LoadPlan {
            name: name.to_string(),
            kind,
            body: None,
            bodies: None,
            point: None,
            points: None,
            coordinate: None,
            rotor: None,
            in_body: false,
            vector: None,
            scalars: Vec::new(),
            place,
        }
    }

    /// An error from what a load type says against its keys.
    pub fn refused(&self, complaint: Complaint) -> Error {
        match complaint.key {
            Some(key) => self.place.wrong_value(key, complaint.message).note(complaint.advice),
            None => self.place.error(complaint.message).note(complaint.advice),
        }
    }

    /// The load on bodies that have their values.
    pub fn build(&self, binding: &Binding, bodies: &[Body]) -> Result<Load> {
        let keys = self.keys(binding, bodies).map_err(|e| self.place.blame(e))?;
        self.check_signs(&keys)?;
        if let Some(complaint) = self.kind.check(&keys) {
            return Err(self.refused(complaint));
        }
        let law = self.kind.law(keys).ok_or_else(|| self.place.error("not all that this load needs is given"))?;
        Ok(Load { name: self.name.clone(), law, span: self.place.span.clone() })
    }

    fn keys(&self, binding: &Binding, bodies: &[Body]) -> Result<Keys> {
        let expression = |e: &Expression, key: &str| {
            let bound = binding.expression(e);
            match bound.as_constant().and_then(|x| fault_of_value(bound.text(), x)) {
                None => Ok(bound),
                Some(fault) => Err(fault.at_opt(self.place.of_key(key))),
            }
        };
        let mut keys = Keys {
            body: self.body,
            bodies: self.bodies,
            coordinate: self.coordinate,
            rotor: self.rotor,
            in_body: self.in_body,
            ..Keys::default()
        };
        if let Some(point) = &self.point {
            keys.point = Some(point.value(binding, &bodies[self.body.unwrap_or(0)])?);
        }
        if let (Some([p, q]), Some([a, b])) = (&self.points, self.bodies) {
            keys.points = Some([p.value(binding, &bodies[a])?, q.value(binding, &bodies[b])?]);
        }
        if let Some(vector) = &self.vector {
            let [x, y, z] = &**vector;
            let own = self.kind.keys().iter().find(|key| matches!(key.takes, LoadKey::Vector(_)));
            let part = |e: &Expression| expression(e, own.map_or("", |key| key.name));
            keys.vector = Some(Box::new([part(x)?, part(y)?, part(z)?]));
        }
        for (key, scalar) in &self.scalars {
            keys.scalars.push((key, expression(scalar, key)?));
        }
        Ok(keys)
    }

    /// Refuses constants whose sign no device has. A stiffness may be negative: so behaves an over-centre device near its dead point.
    fn check_signs(&self, keys: &Keys) -> Result<()> {
        for spec in self.kind.keys() {
            let Some((message, advice)) = spec.not_negative else { continue };
            if let Some(x) = keys.constant(spec.name).filter(|x| *x < 0.0) {
                let message = format!("{message}; '{}' is {}", spec.name, shown(x));
                return Err(self.place.wrong_value(spec.name, message).note(advice));
            }
        }
        Ok(())
    }
}
