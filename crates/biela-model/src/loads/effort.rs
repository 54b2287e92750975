//! Efforts: how strong a load along a coordinate or a distance is. Expressions see what [`super::law`] says.

use crate::error::{Error, Result};
use crate::expr::{Enclosed, Expression, Name};
use crate::math::{Elementary, Series};

/// A force or torque along a joint coordinate, a rotor's angle or a distance, positive where it drives it on.
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
    /// Anything else.
    Formula(Formula),
}

/// An effort as a function of the coordinate, its rate and the values of keys.
#[derive(Debug, Clone)]
pub struct Formula {
    /// Slot 0 is the coordinate, slot 1 its rate, slots 2… the values of [`Formula::keys`].
    value: Expression,
    /// Expressions as the module says.
    keys: Vec<Expression>,
}

impl Formula {
    /// Keys that a formula may have at most.
    pub const MOST: usize = 8;

    /// A formula of `x`, `rate` and keys by their names; an error where it is none, or has too many keys.
    pub fn new(text: &str, keys: Vec<(&'static str, Expression)>) -> Result<Formula> {
        if keys.len() > Formula::MOST {
            return Err(Error::new(format!("{} keys are more than {} in '{text}'", keys.len(), Formula::MOST)));
        }
        let mut names = [("", Name::Variable(0)); Formula::MOST + 2];
        let all = ["x", "rate"].into_iter().chain(keys.iter().map(|key| key.0)).enumerate();
        names.iter_mut().zip(all).for_each(|(slot, (k, name))| *slot = (name, Name::Variable(k)));
        let value = Expression::parse(text, &names).map_err(|e| Error::new(e.message))?;
        Ok(Formula { value, keys: keys.into_iter().map(|key| key.1).collect() })
    }

    fn value(&self, coordinate: f64, rate: f64, env: &[f64]) -> f64 {
        let mut slots = [0.0; Formula::MOST + 2];
        (slots[0], slots[1]) = (coordinate, rate);
        slots[2..].iter_mut().zip(&self.keys).for_each(|(slot, key)| *slot = key.eval(env));
        self.value.eval(&slots)
    }

    /// The expressions of its keys.
    pub fn keys(&self) -> impl Iterator<Item = &Expression> {
        self.keys.iter()
    }

    /// The same with Taylor coefficients, all enclosed.
    pub fn enclosed<const K: usize>(&self, own: [Enclosed<K>; 2], env: &[Enclosed<K>]) -> Series<K> {
        let keys = self.keys.iter().map(|key| key.enclosing(env));
        self.value.enclosed(&own.into_iter().chain(keys).collect::<Vec<_>>())
    }
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
            Effort::Formula(formula) => formula.value(coordinate, rate, env),
        }
    }

    /// Stiffness and coordinate without effort, where both are constant: what has a potential.
    pub fn elastic(&self) -> Option<(f64, f64)> {
        match self {
            Effort::Spring { stiffness, rest, .. } => stiffness.as_constant().zip(rest.as_constant()),
            _ => None,
        }
    }
}
