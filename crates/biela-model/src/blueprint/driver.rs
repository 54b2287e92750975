//! Drivers: what their keys say, with motions and points that may depend on parameters.

use super::frames::PointPlan;
use super::motion::MotionPlan;
use super::place::Place;
use super::quantity::{Binding, Direction};
use crate::couplings::CoordinateRef;
use crate::drivers::{Attitude, BodyAngle, Driver, DriverKeys, DriverKind};
use crate::error::Result;
use crate::math::Vec3;
use crate::model::{Body, Rotor};
use crate::motion::Motion;

/// A driver as it is described.
#[derive(Debug, Clone)]
pub struct DriverPlan {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: &'static dyn DriverKind,
    /// The coordinate of the joint.
    pub coordinate: Option<CoordinateRef>,
    /// The rotor.
    pub rotor: Option<usize>,
    /// Points with their bodies.
    pub points: Vec<(usize, PointPlan)>,
    /// A direction in ground axes.
    pub direction: Option<Direction>,
    /// Quantities over time.
    pub motions: Vec<MotionPlan>,
    /// The body.
    pub body: Option<usize>,
    /// Its orientation over time: four Euler parameters, or roll, pitch and yaw.
    pub attitude: Vec<MotionPlan>,
    /// Which of its angles.
    pub angle: Option<BodyAngle>,
    /// Joint coordinates that bear its effort.
    pub effort: Vec<CoordinateRef>,
    /// Where it is described.
    pub place: Place,
}

impl DriverPlan {
    /// A driver of which no more is said than its type.
    pub fn new(name: &str, kind: &'static dyn DriverKind, place: Place) -> DriverPlan {
        DriverPlan {
            name: name.to_string(),
            kind,
            coordinate: None,
            rotor: None,
            points: Vec::new(),
            direction: None,
            motions: Vec::new(),
            body: None,
            attitude: Vec::new(),
            angle: None,
            effort: Vec::new(),
            place,
        }
    }

    /// The driver of bodies and rotors that have their values.
    pub fn build(&self, binding: &Binding, bodies: &[Body], rotors: &[Rotor]) -> Result<Driver> {
        let keys = self.keys(binding, bodies, rotors).map_err(|e| self.place.blame(e))?;
        let target = self.kind.target(keys);
        let target = target.ok_or_else(|| self.place.error("not all that this driver needs is given"))?;
        let (name, effort) = (self.name.clone(), self.effort.clone());
        Ok(Driver { name, target, effort, span: self.place.span.clone() })
    }

    fn keys(&self, binding: &Binding, bodies: &[Body], rotors: &[Rotor]) -> Result<DriverKeys> {
        let motions = |plans: &[MotionPlan]| plans.iter().map(|m| m.build(binding)).collect::<Result<Vec<_>>>();
        let mut keys = DriverKeys {
            coordinate: self.coordinate,
            body: self.body,
            angle: self.angle,
            motions: motions(&self.motions)?,
            ..DriverKeys::default()
        };
        if let Some(rotor) = self.rotor.and_then(|k| rotors.get(k)) {
            if rotor.angle.has_parameters() {
                binding.depends();
            }
            keys.rotor = Some((rotor.angle.clone(), rotor.coordinates.clone()));
        }
        for (body, point) in &self.points {
            keys.points.push((*body, point.value(binding, &bodies[*body])?));
        }
        if let Some(direction) = &self.direction {
            keys.direction = Some(direction.value(binding)?.unit().unwrap_or(Vec3::X));
        }
        let parts = motions(&self.attitude)?;
        keys.attitude = match <[_; 4]>::try_from(parts) {
            Ok(four) if four.iter().all(|m| matches!(m, Motion::Constant(x) if *x == 0.0)) => {
                return Err(self.place.wrong_value("orientation", "Euler parameters cannot all be zero"))
            }
            Ok(four) => Some(Attitude::Euler(Box::new(four))),
            Err(parts) => <[_; 3]>::try_from(parts).ok().map(|three| Attitude::Rpy(Box::new(three))),
        };
        Ok(keys)
    }
}
