//! Numbers and formulas that a program puts together: the arithmetic of [`Builder`](super::Builder).

use super::tree::{Node, Value};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number in SI, or a formula of parameters, time and joint coordinates.
#[derive(Debug, Clone, PartialEq)]
pub enum Scalar {
    /// A number.
    Number(f64),
    /// A formula, as a model text has it.
    Formula(String),
}

impl Scalar {
    /// The time.
    pub fn time() -> Scalar {
        Scalar::Formula("t".into())
    }

    /// Its sine.
    pub fn sin(&self) -> Scalar {
        self.call("sin")
    }

    /// Its cosine.
    pub fn cos(&self) -> Scalar {
        self.call("cos")
    }

    /// Its square root.
    pub fn sqrt(&self) -> Scalar {
        self.call("sqrt")
    }

    /// A function of it that expressions know by this name.
    pub fn call(&self, function: &str) -> Scalar {
        Scalar::Formula(format!("{function}({})", self.text()))
    }

    fn text(&self) -> String {
        match self {
            // Digits that give the same number when read.
            Scalar::Number(x) => format!("{x:?}"),
            Scalar::Formula(text) => text.clone(),
        }
    }

    /// Its text as a part of a longer one.
    fn part(&self) -> String {
        let text = self.text();
        match text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.') {
            true => text,
            false => format!("({text})"),
        }
    }

    fn combined(&self, sign: char, other: &Scalar) -> Scalar {
        Scalar::Formula(format!("{} {sign} {}", self.part(), other.part()))
    }
}

impl From<f64> for Scalar {
    fn from(x: f64) -> Scalar {
        Scalar::Number(x)
    }
}

impl From<i32> for Scalar {
    fn from(n: i32) -> Scalar {
        Scalar::Number(f64::from(n))
    }
}

/// An expression as a model text has it, such as `"30 deg"`.
impl From<&str> for Scalar {
    fn from(text: &str) -> Scalar {
        Scalar::Formula(text.into())
    }
}

impl From<&Scalar> for Scalar {
    fn from(scalar: &Scalar) -> Scalar {
        scalar.clone()
    }
}

impl From<Scalar> for Node {
    fn from(scalar: Scalar) -> Node {
        Node::new(match scalar {
            Scalar::Number(x) => Value::Number(x),
            Scalar::Formula(text) => Value::Text(text),
        })
    }
}

/// The four operations, between scalars and with numbers on either side.
macro_rules! operation {
    ($trait:ident, $method:ident, $sign:literal) => {
        impl<T: Into<Scalar>> $trait<T> for &Scalar {
            type Output = Scalar;
            fn $method(self, other: T) -> Scalar {
                self.combined($sign, &other.into())
            }
        }
        impl<T: Into<Scalar>> $trait<T> for Scalar {
            type Output = Scalar;
            fn $method(self, other: T) -> Scalar {
                self.combined($sign, &other.into())
            }
        }
        impl $trait<Scalar> for f64 {
            type Output = Scalar;
            fn $method(self, other: Scalar) -> Scalar {
                Scalar::Number(self).combined($sign, &other)
            }
        }
        impl $trait<Scalar> for &str {
            type Output = Scalar;
            fn $method(self, other: Scalar) -> Scalar {
                Scalar::from(self).combined($sign, &other)
            }
        }
        impl $trait<&Scalar> for f64 {
            type Output = Scalar;
            fn $method(self, other: &Scalar) -> Scalar {
                Scalar::Number(self).combined($sign, other)
            }
        }
    };
}

operation!(Add, add, '+');
operation!(Sub, sub, '-');
operation!(Mul, mul, '*');
operation!(Div, div, '/');

impl Neg for &Scalar {
    type Output = Scalar;
    fn neg(self) -> Scalar {
        Scalar::Formula(format!("-{}", self.part()))
    }
}

impl Neg for Scalar {
    type Output = Scalar;
    fn neg(self) -> Scalar {
        -&self
    }
}

/// Three components, or two in a planar model: a tuple of numbers and scalars, or an array of one of them.
#[derive(Debug, Clone)]
pub struct Triple(Vec<Scalar>);

impl<A: Into<Scalar>, B: Into<Scalar>> From<(A, B)> for Triple {
    fn from((a, b): (A, B)) -> Triple {
        Triple(vec![a.into(), b.into()])
    }
}

impl<T: Into<Scalar>> From<[T; 2]> for Triple {
    fn from(list: [T; 2]) -> Triple {
        Triple(list.map(Into::into).into())
    }
}

impl<A: Into<Scalar>, B: Into<Scalar>, C: Into<Scalar>> From<(A, B, C)> for Triple {
    fn from((a, b, c): (A, B, C)) -> Triple {
        Triple(vec![a.into(), b.into(), c.into()])
    }
}

impl<T: Into<Scalar>> From<[T; 3]> for Triple {
    fn from(list: [T; 3]) -> Triple {
        Triple(list.map(Into::into).into())
    }
}

impl From<Triple> for Node {
    fn from(triple: Triple) -> Node {
        Node::from(triple.0)
    }
}

/// A point of a body: its name there, or its coordinates in the body's frame.
#[derive(Debug, Clone)]
pub enum Point {
    /// By its name.
    Named(String),
    /// By its coordinates.
    At(Triple),
}

impl From<&str> for Point {
    fn from(name: &str) -> Point {
        Point::Named(name.into())
    }
}

impl<A: Into<Scalar>, B: Into<Scalar>, C: Into<Scalar>> From<(A, B, C)> for Point {
    fn from(triple: (A, B, C)) -> Point {
        Point::At(triple.into())
    }
}

impl<A: Into<Scalar>, B: Into<Scalar>> From<(A, B)> for Point {
    fn from(pair: (A, B)) -> Point {
        Point::At(pair.into())
    }
}

impl<T: Into<Scalar>> From<[T; 2]> for Point {
    fn from(list: [T; 2]) -> Point {
        Point::At(list.into())
    }
}

impl<T: Into<Scalar>> From<[T; 3]> for Point {
    fn from(list: [T; 3]) -> Point {
        Point::At(list.into())
    }
}

impl From<Point> for Node {
    fn from(point: Point) -> Node {
        match point {
            Point::Named(name) => Node::from(name),
            Point::At(triple) => triple.into(),
        }
    }
}
