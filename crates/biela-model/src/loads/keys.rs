//! What the keys of a load say, once read.

use super::{Effort, Law};
use crate::couplings::CoordinateRef;
use crate::expr::Expression;
use crate::math::Vec3;

/// What the keys of a load say.
#[derive(Debug, Default)]
pub struct Keys {
    /// `body`.
    pub body: Option<usize>,
    /// `bodies`.
    pub bodies: Option<[usize; 2]>,
    /// A point of the body.
    pub point: Option<Vec3>,
    /// A point of each of the bodies.
    pub points: Option<[Vec3; 2]>,
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
}

impl Keys {
    /// Takes a scalar out.
    pub fn take(&mut self, key: &str) -> Option<Expression> {
        let k = self.scalars.iter().position(|s| s.0 == key)?;
        Some(self.scalars.swap_remove(k).1)
    }

    /// The same; zero where it is not given.
    pub fn take_or_zero(&mut self, key: &str) -> Expression {
        self.take(key).unwrap_or_else(|| Expression::constant(0.0))
    }

    /// A scalar that is a constant.
    pub fn constant(&self, key: &str) -> Option<f64> {
        self.scalars.iter().find(|s| s.0 == key).and_then(|s| s.1.as_constant())
    }

    /// The law of an effort between the points of two bodies.
    pub fn between(&self, effort: Effort) -> Option<Law> {
        let ([first, second], [p, q]) = (self.bodies?, self.points?);
        Some(Law::Between { ends: [(first, p), (second, q)], effort })
    }

    /// The law of an effort along the joint coordinate, or about the rotor.
    pub fn along(&self, effort: Effort) -> Option<Law> {
        match self.rotor {
            Some(rotor) => Some(Law::Rotor { rotor, effort }),
            None => Some(Law::Coordinate { of: self.coordinate?, effort }),
        }
    }
}

/// What is wrong with a load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// The key at fault, if it is one.
    pub key: Option<&'static str>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub advice: &'static str,
}
