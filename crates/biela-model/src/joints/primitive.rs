//! Scalars measured between two bodies, from which every constraint, driver and joint coordinate is made.
//!
//! A **marker** is a point or a unit vector that moves with a body. A **measure** is a scalar made of markers by dot
//! products: the thesis's DP1 (`Dot`), DP2 and CD (`Along`, with the vector on a body or on the ground), D
//! (`DistanceSquared`, and its root `Distance` where a length itself is a coordinate), the angle whose sine and cosine are two such products
//! (`Angle`) and the height of one above a plane (`Elevation`). No measure knows in which coordinates a formulation describes a body, so one
//! piece of code evaluates them for all.

use crate::expr::Expression;
use crate::math::Vec3;
use crate::motion::Motion;

/// A point or direction fixed in a body, in that body's frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Marker {
    /// A point of the body.
    Point {
        /// Index of the body in the model; 0 is ground.
        body: usize,
        /// Position in the body's frame.
        p_B: Vec3,
    },
    /// A unit vector fixed in the body.
    Direction {
        /// Index of the body in the model; 0 is ground.
        body: usize,
        /// Components in the body's frame.
        u_B: Vec3,
    },
    /// A unit vector that a driver turns: axis `axis` of the frame prescribed by driver number `driver`.
    Prescribed {
        /// Index of the driver in the model.
        driver: usize,
        /// 0, 1 or 2: which axis of the prescribed frame.
        axis: usize,
    },
    /// A point or vector that a formulation keeps among its own coordinates.
    Own {
        /// Its number there.
        index: usize,
    },
}

impl Marker {
    /// The body that it moves with.
    pub fn body(&self) -> Option<usize> {
        match *self {
            Marker::Point { body, .. } | Marker::Direction { body, .. } => Some(body),
            Marker::Prescribed { .. } | Marker::Own { .. } => None,
        }
    }
}

/// A scalar made of markers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Measure {
    /// a · b of two directions.
    Dot(Marker, Marker),
    /// a · (to − from): how far a point lies from another along a direction.
    Along {
        /// The direction.
        a: Marker,
        /// The point measured from.
        from: Marker,
        /// The point measured to.
        to: Marker,
    },
    /// (to − from)².
    DistanceSquared {
        /// One point.
        from: Marker,
        /// The other point.
        to: Marker,
    },
    /// |to − from|.
    Distance {
        /// One point.
        from: Marker,
        /// The other point.
        to: Marker,
    },
    /// The angle by which `u` rises above the plane whose normal is `n`: atan2(n·u, |n × u|), within a quarter turn.
    Elevation {
        /// The normal.
        n: Marker,
        /// The direction.
        u: Marker,
    },
    /// The angle of `m` in the plane of `x` and `y`: atan2(y·m, x·m), counted over full turns.
    Angle {
        /// Direction of angle zero.
        x: Marker,
        /// Direction of angle π/2.
        y: Marker,
        /// The direction whose angle is measured.
        m: Marker,
    },
}

impl Measure {
    /// Lets each of its markers be changed.
    pub fn each_marker(&mut self, change: impl FnMut(&mut Marker)) {
        match self {
            Measure::Dot(a, b) => [a, b].into_iter().for_each(change),
            Measure::Along { a, from, to } => [a, from, to].into_iter().for_each(change),
            Measure::DistanceSquared { from, to } | Measure::Distance { from, to } => {
                [from, to].into_iter().for_each(change);
            }
            Measure::Elevation { n, u } => [n, u].into_iter().for_each(change),
            Measure::Angle { x, y, m } => [x, y, m].into_iter().for_each(change),
        }
    }

    /// The markers it is made of.
    pub fn markers(&self) -> Markers {
        let (all, count) = match *self {
            Measure::Dot(a, b) => ([a, b, b], 2),
            Measure::Along { a, from, to } => ([a, from, to], 3),
            Measure::DistanceSquared { from, to } | Measure::Distance { from, to } => ([from, to, to], 2),
            Measure::Elevation { n, u } => ([n, u, u], 2),
            Measure::Angle { x, y, m } => ([x, y, m], 3),
        };
        Markers { all, count }
    }
}

/// Two or three markers of a measure.
#[derive(Debug, Clone, Copy)]
pub struct Markers {
    /// The last stands twice where there are two.
    all: [Marker; 3],
    count: usize,
}

impl std::ops::Deref for Markers {
    type Target = [Marker];

    fn deref(&self) -> &[Marker] {
        &self.all[..self.count]
    }
}

impl IntoIterator for Markers {
    type Item = Marker;
    type IntoIter = std::iter::Take<std::array::IntoIter<Marker, 3>>;

    fn into_iter(self) -> Self::IntoIter {
        self.all.into_iter().take(self.count)
    }
}

/// Left-hand side of a constraint equation.
#[derive(Debug, Clone)]
pub enum Form {
    /// Σ coefficient · measure.
    Linear(Vec<(f64, Measure)>),
    /// An expression whose slot 0 is t and whose slots 1… are the measures.
    Expression(Box<Expression>, Vec<Measure>),
    /// `measure[0] − profile(measure[1])`.
    Profile(Box<Motion>, Box<[Measure; 2]>, Option<f64>),
}

/// One scalar constraint equation: form − target(t) = 0.
#[derive(Debug, Clone)]
pub struct Row {
    /// The left-hand side.
    pub form: Form,
    /// The right-hand side.
    pub target: Motion,
    /// True where the right-hand side is target² (distances, so that the equation stays a polynomial).
    pub squared: bool,
    /// True where the equation is a length (or a length squared): its residual is divided by the mechanism's size.
    pub length: bool,
    /// The force or moment component this row withholds, among fx … mz, `effort`.
    pub component: &'static str,
}

impl Row {
    /// measure = 0, a pure number.
    pub fn zero(measure: Measure, component: &'static str) -> Row {
        Row {
            form: Form::Linear(vec![(1.0, measure)]),
            target: Motion::Constant(0.0),
            squared: false,
            length: false,
            component,
        }
    }

    /// measure = 0, a length.
    pub fn zero_length(measure: Measure, component: &'static str) -> Row {
        Row { length: true, ..Row::zero(measure, component) }
    }
}
