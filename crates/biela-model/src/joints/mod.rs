//! Joints: one file each, and the registry: [`JOINTS`] of this library, and what programs [`register`] besides.
//!
//! A joint connects a frame F of its first body with a frame M of its second; both have their origin at the joint point,
//! z along the joint axis and x along the reference direction. Each kind is described twice in its file: as constraint
//! rows made of measures ([`JointKind::rows`]) and, where it can carry a tree, as a hinge ([`Hinge`]) that gives the pose
//! X_FM and its motion from joint coordinates. Its elementary freedoms ([`JointKind::freedoms`]) tell the rest: nodes of tree algorithms,
//! screws of chains, sides of loops, freer types, and whether it moves in a plane. What does not follow from them is a small method with a default, so
//! that a type which says no more than rows works everywhere.

#![allow(non_snake_case)] // Frames are capital letters: X_BF, R_FM (docs/notation.md).

mod freedoms;
mod friction;
pub mod hinge;
mod plane;
pub mod primitive;
mod registry;
mod space;
mod stop;

mod actuator;
mod bushing;
mod coordinate;
mod cylindrical;
mod distance;
mod dot1;
mod dot2;
mod fixed;
mod free;
mod gauge;
mod perpendicular;
mod planar;
mod point_on_line;
mod point_on_plane;
mod prismatic;
mod revolute;
mod screw;
mod spherical;
mod universal;

use crate::math::{Pose, Vec3};
use crate::motion::Motion;
use crate::source::Span;
pub use biela_tree::freedom::{Axis, Freedom, Motion as Movement};
pub use freedoms::{Glyph, Offer};
pub use friction::{Friction, Pressed, Rubbing, FRICTION};
pub use hinge::{Hinge, Serial};
pub use plane::in_plane;
pub use primitive::{Form, Marker, Measure, Row};
pub use registry::{all, kind, register};
pub use space::{InPlane, Space, NORMAL};
pub use stop::{Impact, Restitution, Stop};

/// The joint that turns about one axis.
pub static REVOLUTE: &dyn JointKind = &revolute::Revolute;
/// The joint that slides along one axis.
pub static PRISMATIC: &dyn JointKind = &prismatic::Prismatic;
/// The joint that turns about an axis and slides along it.
pub static CYLINDRICAL: &dyn JointKind = &cylindrical::Cylindrical;
/// The joint that advances along its axis as it turns.
pub static SCREW: &dyn JointKind = &screw::Screw;
/// The joint that turns about two axes that cross.
pub static UNIVERSAL: &dyn JointKind = &universal::Universal;
/// The joint that turns about a point.
pub static SPHERICAL: &dyn JointKind = &spherical::Spherical;
/// The joint that moves in a plane.
pub static PLANAR: &dyn JointKind = &planar::Planar;
/// The joint that welds.
pub static FIXED: &dyn JointKind = &fixed::Fixed;
/// The joint that constrains nothing.
pub static FREE: &dyn JointKind = &free::Free;
/// The joint that keeps the distance of two points.
pub static DISTANCE: &dyn JointKind = &distance::Distance;
/// The same by the word `rod`.
pub static ROD: &dyn JointKind = &distance::Rod;
/// The joint whose length is a coordinate.
pub static ACTUATOR: &dyn JointKind = &actuator::Actuator;
/// The joint that keeps a point on a line.
pub static POINT_ON_LINE: &dyn JointKind = &point_on_line::PointOnLine;
/// The joint that keeps a point in a plane.
pub static POINT_ON_PLANE: &dyn JointKind = &point_on_plane::PointOnPlane;

/// Every joint type of this library, in the order help lists them; [`all`] knows those of programs too.
pub static JOINTS: &[&dyn JointKind] = &[
    &revolute::Revolute,
    &prismatic::Prismatic,
    &cylindrical::Cylindrical,
    &screw::Screw,
    &universal::Universal,
    &spherical::Spherical,
    &planar::Planar,
    &fixed::Fixed,
    &free::Free,
    &distance::Distance,
    &distance::Rod,
    &actuator::Actuator,
    &gauge::Gauge,
    &gauge::AngleGauge,
    &bushing::Bushing,
    &point_on_line::PointOnLine,
    &point_on_plane::PointOnPlane,
    &dot1::Dot1,
    &dot2::Dot2,
    &coordinate::Coordinate,
    &perpendicular::Perpendicular1,
    &perpendicular::Perpendicular2,
];

/// What a joint type is.
pub trait JointKind: Sync + std::fmt::Debug {
    /// The word after `type =`.
    fn keyword(&self) -> &'static str;
    /// One sentence for help, palette and documentation.
    fn help(&self) -> &'static str;
    /// The keys it reads besides `type`, `bodies`, `limits` and `friction`.
    fn keys(&self) -> &'static [Key];
    /// The coordinates it offers to drivers and outputs.
    fn coordinates(&self) -> &'static [CoordinateName] {
        &[]
    }
    /// Its constraint equations.
    fn rows(&self, joint: &Joint) -> Vec<Row>;
    /// Its coordinate number `k` as a measure. `k` counts [`JointKind::coordinates`].
    fn coordinate(&self, joint: &Joint, k: usize) -> Option<Measure> {
        let _ = (joint, k);
        None
    }
    /// Measures that are positive in the assembly meant, where the rows alone also admit the reversed one.
    fn positive(&self, joint: &Joint) -> Vec<Measure> {
        let _ = joint;
        Vec::new()
    }
    /// Whether it locks relative orientation as drawn when no reference direction is given (`prismatic`, `fixed`).
    fn locks_orientation(&self) -> bool {
        false
    }
    /// Its description by joint coordinates, where it can carry a tree. [`Serial`] is one of any freedoms.
    fn hinge(&self) -> Option<&'static dyn Hinge> {
        None
    }
    /// Its elementary freedoms in the order of their transforms from F to M; `None` where it is not made of such. Freedoms that are
    /// coordinates have their names. Without them tree algorithms refuse the joint, and closed forms leave its mechanism to Newton.
    fn freedoms(&self, joint: &Joint) -> Option<Vec<Freedom>> {
        let _ = joint;
        None
    }
    /// Other programs' words for it, which a message then translates.
    fn aliases(&self) -> &'static [&'static str] {
        &[]
    }
    /// In whose place it may be suggested where equations are redundant. `None`: of every type whose freedoms are some of its own.
    fn offers(&self) -> Option<&'static [Offer]> {
        None
    }
    /// What a picture shows of it.
    fn glyph(&self) -> Glyph {
        Glyph::Plain
    }
    /// Whether the joint point is a point of the first and of the second body that a picture draws them by: what slides along a body
    /// is none of it.
    fn drawn_points(&self) -> [bool; 2] {
        [true; 2]
    }
    /// Whether it pulls and pushes along the line of its two points alone, so that a tension is told of it.
    fn is_axial(&self) -> bool {
        false
    }
    /// Its coordinates along which springs and dampers of its own stand in for rows, so that a reaction is told of them.
    fn compliant(&self, space: Space) -> &'static [usize] {
        let _ = space;
        &[]
    }
    /// Whether `at` may be left out, besides where it is no key at all.
    fn point_is_optional(&self) -> bool {
        false
    }
    /// How it is used in a mechanism that stays in a plane. `None`: as its freedoms say.
    fn in_plane(&self) -> Option<InPlane> {
        None
    }
    /// Where its parts rub. `None`: it takes no `friction`.
    fn rubbing(&self) -> Option<Rubbing> {
        None
    }
    /// Number of coordinates along which it rubs: those that results tell, and those by which friction alone knows how it slides.
    fn rubs_along(&self) -> usize {
        self.coordinates().len().min(1)
    }
    /// Points and directions of the body on one side, in its frame, that its rows act on and no coordinate tells of: a body that turns without
    /// moving them turns idly.
    fn acts_on(&self, joint: &Joint, side: usize) -> [Vec<Vec3>; 2] {
        freedoms::marked(joint, side)
    }
}

/// A key of a joint table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// `at`: the joint point, a pair or single.
    At,
    /// `axis`: a pair or single, required; with it the optional `x` and `zero`.
    Axis,
    /// `axis` where it may be absent (`fixed`).
    OptionalAxis,
    /// `axis2`: the universal joint's axis in the second body, read in the drawing.
    Axis2,
    /// `pitch`: length per turn.
    Pitch,
    /// `length` or `value`: a distance, which may depend on time.
    Length,
    /// `value`: a pure number that may depend on time.
    Value,
    /// `value`: a length that may depend on time.
    LengthValue,
    /// `a`: directions, a pair or single.
    APair,
    /// `a`: one direction, in the first body.
    A,
    /// `stiffness`, `damping` and `preload`: a value for each of [`JointKind::compliant`].
    Compliance,
    /// `along`: `"x"`, `"y"`, `"z"` or a vector, in ground axes.
    Along,
}

/// A coordinate that a joint offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoordinateName {
    /// Its name in signals and drivers.
    pub name: &'static str,
    /// True for an angle in radians, false for a length in metres.
    pub angle: bool,
}

/// The coordinate `angle`.
pub const ANGLE: CoordinateName = CoordinateName { name: "angle", angle: true };
/// The coordinate `slide`.
pub const SLIDE: CoordinateName = CoordinateName { name: "slide", angle: false };

/// A turn about z by the first coordinate, `angle`.
const TURN: Freedom = Freedom::turn(Axis::Z, 0, &["angle"]);
/// A slide along z by the first coordinate, `slide`.
const ALONG: Freedom = Freedom::slide(Axis::Z, 0, &["slide"]);

/// A joint of a model.
#[derive(Debug, Clone)]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: &'static dyn JointKind,
    /// What its bodies move in.
    pub space: Space,
    /// First and second body, as indices into the model's bodies; 0 is ground.
    pub bodies: [usize; 2],
    /// X_BF of the first body and X_BM of the second: origin at the joint point, z along the axis, x the reference.
    pub frames: [Pose; 2],
    /// `a` of the primitives, in the first and second body; `along` (ground axes) in the first place.
    pub directions: [Vec3; 2],
    /// Length per turn of a screw.
    pub pitch: f64,
    /// `length` or `value`.
    pub value: Motion,
    /// Limits of its first coordinate.
    pub limits: Limits,
    /// Those of its other coordinates, by their numbers.
    pub other_limits: Vec<(usize, Limits)>,
    /// What resists its first coordinate.
    pub friction: Option<Friction>,
    /// Where the model says so.
    pub span: Option<Span>,
}

/// Limits of a joint coordinate; what is `None` is not limited.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Limits {
    /// Least coordinate.
    pub lower: Option<f64>,
    /// Greatest coordinate.
    pub upper: Option<f64>,
    /// Greatest rate.
    pub velocity: Option<f64>,
    /// Greatest force or torque.
    pub effort: Option<f64>,
    /// What stands at the least and the greatest coordinate.
    pub stop: Stop,
}

impl Joint {
    /// The limits of a coordinate.
    pub fn limits_of(&self, coordinate: usize) -> Limits {
        match coordinate {
            0 => self.limits,
            _ => {
                self.other_limits.iter().find(|other| other.0 == coordinate).map_or(Limits::default(), |other| other.1)
            }
        }
    }

    /// The limits of all coordinates that have any, the first one's first.
    pub fn all_limits(&self) -> impl Iterator<Item = (usize, Limits)> + '_ {
        std::iter::once((0, self.limits)).chain(self.other_limits.iter().copied())
    }

    /// A joint by its frames on both bodies, with nothing else given.
    pub fn new(name: &str, kind: &'static dyn JointKind, bodies: [usize; 2], frames: [Pose; 2]) -> Joint {
        Joint {
            name: name.to_string(),
            kind,
            space: Space::default(),
            bodies,
            frames,
            directions: [Vec3::Z, Vec3::X],
            pitch: 0.0,
            value: Motion::Constant(0.0),
            limits: Limits::default(),
            other_limits: Vec::new(),
            friction: None,
            span: None,
        }
    }

    /// Point of the joint on body `side` (0 first, 1 second).
    pub fn point(&self, side: usize) -> Marker {
        Marker::Point { body: self.bodies[side], p_B: self.frames[side].origin }
    }

    /// Axis `k` (0 x, 1 y, 2 z) of the joint frame on body `side`.
    pub fn direction(&self, side: usize, k: usize) -> Marker {
        Marker::Direction { body: self.bodies[side], u_B: self.frames[side].rotation.axes[k] }
    }

    /// The index of the coordinate of that name.
    pub fn coordinate_index(&self, name: &str) -> Option<usize> {
        self.kind.coordinates().iter().position(|c| c.name == name)
    }

    /// The vector from the first joint point to the second, along axis `k` of F.
    pub fn offset(&self, k: usize) -> Measure {
        Measure::Along { a: self.direction(0, k), from: self.point(0), to: self.point(1) }
    }

    /// Angle of M's x axis about F's z axis.
    pub fn angle(&self) -> Measure {
        Measure::Angle { x: self.direction(0, 0), y: self.direction(0, 1), m: self.direction(1, 0) }
    }

    /// The two points coincide: three CD rows.
    pub fn coincide(&self) -> Vec<Row> {
        let rows = [(Vec3::X, "fx"), (Vec3::Y, "fy"), (Vec3::Z, "fz")];
        rows.map(|(u_B, component)| {
            let a = Marker::Direction { body: 0, u_B };
            Row::zero_length(Measure::Along { a, from: self.point(0), to: self.point(1) }, component)
        })
        .into()
    }

    /// The second point stays on F's z axis: two DP2 rows.
    pub fn on_axis(&self) -> Vec<Row> {
        vec![Row::zero_length(self.offset(0), "fx"), Row::zero_length(self.offset(1), "fy")]
    }

    /// The z axes are parallel: two DP1 rows.
    pub fn parallel(&self) -> Vec<Row> {
        let z_M = self.direction(1, 2);
        vec![
            Row::zero(Measure::Dot(self.direction(0, 1), z_M), "mx"),
            Row::zero(Measure::Dot(self.direction(0, 0), z_M), "my"),
        ]
    }

    /// No rotation about z: one DP1 row.
    pub fn locked(&self) -> Row {
        Row::zero(Measure::Dot(self.direction(0, 0), self.direction(1, 1)), "mz")
    }

    /// The z axes point the same way.
    pub fn same_sense(&self) -> Measure {
        Measure::Dot(self.direction(0, 2), self.direction(1, 2))
    }
}
