//! Drivers: motions that the user prescribes. One file each, and the registry: [`DRIVERS`] of this library, and what programs
//! [`register`] besides. A type says which keys it reads and what they prescribe together: one of a few general targets ([`Target`]).

#![allow(non_snake_case)] // p_B: a point in its body's frame (docs/notation.md).

mod angle;
mod attitude;
mod body_angle;
mod joint;
mod keys;
mod orientation;
mod point;
mod registry;

use crate::couplings::CoordinateRef;
use crate::expr::Expression;
use crate::joints::{Form, Joint, Measure, Row};
use crate::math::Vec3;
use crate::motion::Motion;
use crate::source::Span;
pub use attitude::{Attitude, AttitudeJet};
pub use body_angle::BodyAngle;
pub use keys::{optional, required, DriverKey, DriverKeySpec, DriverKeys};
pub use registry::{all, register};

/// Every driver type of this library, in the order help lists them; [`all`] knows those of programs too.
pub static DRIVERS: &[&dyn DriverKind] = &[&joint::OfJoint, &point::OfPoint, &angle::OfAngle, &orientation::OfBody];

/// A way of prescribing motion.
pub trait DriverKind: Sync + std::fmt::Debug {
    /// One sentence for help and documentation.
    fn help(&self) -> &'static str;
    /// The keys it reads, in this order. The presence of the first selects it.
    fn keys(&self) -> &'static [DriverKeySpec];
    /// What it prescribes; `None` where something it needs is missing.
    fn target(&self, keys: DriverKeys) -> Option<Target>;

    /// The key whose presence selects it.
    fn key(&self) -> &'static str {
        self.keys().first().map_or("", |key| key.name)
    }
    /// Keys beside it that must be there, or that may.
    fn others(&self, required: bool) -> Vec<&'static str> {
        self.keys().iter().skip(1).filter(|key| key.required == required).map(|key| key.name).collect()
    }
}

/// A driver of a model.
#[derive(Debug, Clone)]
pub struct Driver {
    /// Its name.
    pub name: String,
    /// What it prescribes.
    pub target: Target,
    /// Joint coordinates that bear its effort in its place; none where it bears it itself.
    pub effort: Vec<CoordinateRef>,
    /// Where the model says so.
    pub span: Option<Span>,
}

/// What a driver prescribes.
#[derive(Debug, Clone)]
pub enum Target {
    /// A joint coordinate.
    Coordinate {
        /// Which one.
        of: CoordinateRef,
        /// Its value over time.
        value: Motion,
    },
    /// The angle of a rotor.
    Rotor {
        /// The angle as a function of joint coordinates, which take the slots 1…
        angle: Expression,
        /// These coordinates.
        coordinates: Vec<CoordinateRef>,
        /// Its value over time.
        value: Motion,
    },
    /// A point's position along a ground direction, from the ground's origin.
    Point {
        /// The body.
        body: usize,
        /// The point in its frame.
        p_B: Vec3,
        /// Unit vector in ground axes.
        along: Vec3,
        /// The value over time.
        value: Motion,
    },
    /// Any scalar between bodies.
    Measure {
        /// What is measured.
        measure: Measure,
        /// True where the value is a length (or the root of the measure), false for an angle or a number.
        length: bool,
        /// True where the measure is the square of the value, as that of a distance is.
        squared: bool,
        /// The value over time.
        value: Motion,
    },
    /// A body's orientation.
    Orientation {
        /// The body.
        body: usize,
        /// Its orientation over time.
        attitude: Attitude,
    },
}

/// Time of a whole turn of the driver that turns steadily from `t` on, the slowest of several; `None` where none does.
pub fn whole_turn(drivers: &[Driver], joints: &[Joint], t: f64) -> Option<f64> {
    let turn = |driver: &Driver| match &driver.target {
        Target::Coordinate { of, value } => {
            let angle = joints.get(of.joint)?.kind.coordinates().get(of.coordinate)?.angle;
            value.turn(t).filter(|_| angle)
        }
        Target::Rotor { value, .. } | Target::Measure { value, length: false, .. } => value.turn(t),
        _ => None,
    };
    drivers.iter().filter_map(turn).max_by(f64::total_cmp)
}

impl Target {
    /// The angle of a body about z.
    pub fn heading(body: usize, value: Motion) -> Target {
        Target::angle(body, BodyAngle::Yaw, value)
    }
}

impl Driver {
    /// A driver that bears its effort itself.
    pub fn new(name: &str, target: Target) -> Driver {
        Driver { name: name.to_string(), target, effort: Vec::new(), span: None }
    }

    /// Its constraint equations; `index` is its own place in the model.
    pub fn rows(&self, index: usize, joints: &[Joint]) -> Vec<Row> {
        match &self.target {
            Target::Coordinate { of, value } => joint::rows(&joints[of.joint], of.coordinate, value),
            Target::Rotor { angle, coordinates, value } => joint::rotor_rows(angle, coordinates, joints, value),
            Target::Point { body, p_B, along, value } => point::rows(*body, *p_B, *along, value),
            Target::Measure { measure, length, squared, value } => vec![Row {
                form: Form::Linear(vec![(1.0, *measure)]),
                target: value.clone(),
                squared: *squared,
                length: *length,
                component: "effort",
            }],
            Target::Orientation { body, .. } => orientation::rows(*body, index),
        }
    }

    /// Change of its row per change of its value at time `t`: an effort is what works on the value.
    pub fn row_slope(&self, t: f64) -> f64 {
        match &self.target {
            Target::Measure { squared: true, value, .. } => 2.0 * value.jet(t).v,
            _ => 1.0,
        }
    }

    /// Measures that are positive where the rows hold in the sense meant.
    pub fn positive(&self, index: usize) -> Vec<Measure> {
        match &self.target {
            Target::Orientation { body, .. } => orientation::positive(*body, index),
            _ => Vec::new(),
        }
    }
}
