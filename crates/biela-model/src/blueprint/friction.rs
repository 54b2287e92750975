//! Friction of joints as it is described, and what is wrong with its values.

use super::place::Place;
use super::quantity::{shown, Binding, Quantity};
use crate::error::{Error, Result};
use crate::joints::{Friction, Joint, Rubbing};

/// `friction = { … }` of a joint.
#[derive(Debug, Clone, Default)]
pub struct FrictionPlan {
    /// `coefficient`.
    pub coefficient: Option<Quantity>,
    /// `static`: of the coefficient where there is one, else of the torque.
    pub at_rest: Option<Quantity>,
    /// `radius`.
    pub radius: Option<Quantity>,
    /// `collar`.
    pub collar: Option<Quantity>,
    /// `length`.
    pub length: Option<Quantity>,
    /// `torque`.
    pub torque: Option<Quantity>,
    /// `stribeck`.
    pub stribeck: Option<Quantity>,
    /// `viscous`.
    pub viscous: Option<Quantity>,
    /// Where it is described.
    pub place: Place,
}

impl FrictionPlan {
    /// The values, for the joint that they belong to.
    pub fn value(&self, binding: &Binding, joint: &Joint) -> Result<Friction> {
        let number = |key: &str, quantity: &Option<Quantity>| -> Result<Option<f64>> {
            let Some(quantity) = quantity else { return Ok(None) };
            let value = quantity.value(binding).map_err(|e| self.place.blame(e))?;
            match value < 0.0 {
                true => Err(self
                    .place
                    .wrong_value(key, format!("'friction.{key}' is negative: {}", shown(value)))
                    .note("friction acts against the motion by itself; give the size alone")),
                false => Ok(Some(value)),
            }
        };
        let coefficient = number("coefficient", &self.coefficient)?;
        let at_rest = number("static", &self.at_rest)?;
        let torque = number("torque", &self.torque)?;
        let kinetic = coefficient.or(torque).unwrap_or(0.0);
        if let Some(at_rest) = at_rest.filter(|at_rest| *at_rest < kinetic) {
            let (which, other) =
                if coefficient.is_some() { ("coefficient", "coefficient") } else { ("torque", "torque") };
            let message = format!(
                "static friction {} is less than the {which} {} while it slides",
                shown(at_rest),
                shown(kinetic)
            );
            let advice =
                format!("at rest friction holds no less than it resists a slide: raise 'static' or lower '{other}'");
            return Err(self.place.wrong_value("static", message).note(advice));
        }
        let stribeck = number("stribeck", &self.stribeck)?;
        if stribeck == Some(0.0) {
            let error = self.place.wrong_value("stribeck", "'friction.stribeck' is zero");
            return Err(error.note("leave it out where friction falls to its kinetic value at once"));
        }
        let coefficient_given = coefficient.is_some();
        let (coefficient, torque) = (coefficient.unwrap_or(0.0), torque.unwrap_or(0.0));
        let found = Friction {
            coefficient,
            static_coefficient: at_rest.filter(|_| coefficient_given).unwrap_or(coefficient),
            radius: number("radius", &self.radius)?.unwrap_or(0.0),
            collar: number("collar", &self.collar)?.unwrap_or(0.0),
            length: number("length", &self.length)?.unwrap_or(0.0),
            torque,
            static_torque: at_rest.filter(|_| !coefficient_given).unwrap_or(torque),
            stribeck,
            viscous: number("viscous", &self.viscous)?.unwrap_or(0.0),
        };
        if self.length.is_some() && found.length == 0.0 {
            let error = self.place.wrong_value("length", "'friction.length' is zero: no couple holds a moment over it");
            return Err(
                error.note("give the length of the guide or bearing, or leave it out where moments press nothing")
            );
        }
        match joint.kind.rubbing() {
            Some(Rubbing::Thread) if coefficient_given => self.check_thread(&found, joint)?,
            Some(Rubbing::Pin | Rubbing::Sleeve) if coefficient_given && found.radius == 0.0 && found.collar == 0.0 => {
                return Err(self.zero_radius());
            }
            _ => {}
        }
        Ok(found)
    }

    fn zero_radius(&self) -> Error {
        self.place
            .wrong_value("radius", "'friction.radius' is zero: nothing rubs at any distance from the axis")
            .note("give the radius at which it rubs, or leave 'coefficient' out")
    }

    /// A thread whose friction angle and lead angle make a right angle or more can be turned by nothing.
    fn check_thread(&self, friction: &Friction, joint: &Joint) -> Result<()> {
        if friction.radius == 0.0 {
            return Err(self.zero_radius());
        }
        let product = friction.static_coefficient * friction.slope(joint).abs();
        if product < 1.0 {
            return Ok(());
        }
        let message = format!(
            "a thread this steep and this rough jams: coefficient times pitch/(2 pi radius) is {}, and must be less than 1",
            shown(product)
        );
        Err(self
            .place
            .wrong_value("coefficient", message)
            .note("lower the coefficient or the pitch, or enlarge the radius"))
    }
}
