//! Frames of a joint from `at`, `axis`, `x`, `zero` and the drawing.
//!
//! F (first body) and M (second body) have z along the axis and x along the reference direction. What is given in pairs
//! is in the bodies' own frames; what is given once is in the drawing and carried into each body through its pose.

#![allow(non_snake_case)] // Frames are capital letters: X_BF, R_WM (docs/notation.md).

use super::place::Place;
use super::quantity::{Binding, Direction, Vector};
use crate::error::Result;
use crate::joints::{Axis, JointKind, Space, NORMAL};
use crate::math::{Elementary, Pose, Rotation, Vec3};
use crate::model::Body;

/// Something given once for both bodies or once for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Given<T> {
    /// In the drawing.
    Single(T),
    /// In the first and second body's own frame.
    Pair([T; 2]),
}

impl<T> Given<T> {
    /// Whether it is given for each body.
    pub fn is_pair(&self) -> bool {
        matches!(self, Given::Pair(_))
    }
}

impl Given<Vec3> {
    /// As directions of the two bodies.
    pub fn directions(self, drawing: &[Pose; 2]) -> [Vec3; 2] {
        match self {
            Given::Pair(pair) => pair,
            Given::Single(v) => [0, 1].map(|k| drawing[k].rotation.apply_transposed(v)),
        }
    }

    /// As points of the two bodies.
    fn points(self, drawing: &[Pose; 2]) -> [Vec3; 2] {
        match self {
            Given::Pair(pair) => pair,
            Given::Single(p) => [0, 1].map(|k| drawing[k].apply_inverse(p)),
        }
    }
}

impl Given<Direction> {
    /// The directions.
    pub fn value(&self, binding: &Binding) -> Result<Given<Vec3>> {
        Ok(match self {
            Given::Single(v) => Given::Single(v.value(binding)?),
            Given::Pair([a, b]) => Given::Pair([a.value(binding)?, b.value(binding)?]),
        })
    }
}

/// A point of a body: one that it names, or one by its coordinates.
#[derive(Debug, Clone)]
pub enum PointPlan {
    /// By its place among the points of the body.
    Named(usize),
    /// By its coordinates in the body's frame.
    At(Vector),
}

impl PointPlan {
    /// The point in the frame of its body.
    pub fn value(&self, binding: &Binding, body: &Body) -> Result<Vec3> {
        match self {
            PointPlan::Named(k) => Ok(body.points.get(*k).map_or(Vec3::ZERO, |p| p.1)),
            PointPlan::At(v) => binding.vector(v),
        }
    }
}

/// Joint points as they are described.
#[derive(Debug, Clone)]
pub enum At {
    /// One point of the drawing.
    Drawn(Vector),
    /// A point of each body.
    Points([PointPlan; 2]),
}

impl At {
    /// The points.
    pub fn value(&self, binding: &Binding, pair: [&Body; 2]) -> Result<Given<Vec3>> {
        Ok(match self {
            At::Drawn(p) => Given::Single(binding.vector(p)?),
            At::Points([a, b]) => Given::Pair([a.value(binding, pair[0])?, b.value(binding, pair[1])?]),
        })
    }

    /// Whether a point of each body is given.
    pub fn is_pair(&self) -> bool {
        matches!(self, At::Points(_))
    }
}

/// Which configuration has coordinates zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zero {
    /// Reference directions aligned, points at the same place.
    Axes,
    /// The drawing.
    Drawing,
}

/// What the joint's keys say, before frames are made of it.
pub(super) struct Geometry<'a> {
    pub place: &'a Place,
    pub kind: &'static dyn JointKind,
    pub space: Space,
    /// X_WB of both bodies.
    pub drawing: [Pose; 2],
    pub at: Option<Given<Vec3>>,
    pub x: Option<Given<Vec3>>,
    pub zero: Option<Zero>,
    /// Axes of the first frame along which the joint slides.
    pub slides: &'a [Axis],
}

impl Geometry<'_> {
    /// The frames of a joint that may have an axis.
    pub fn frames(&self, binding: &Binding, axis: Option<Given<Vec3>>) -> Result<[Pose; 2]> {
        let (x, zero) = (self.x, self.zero());
        if x.is_some() && axis.is_none() {
            return Err(self.place.wrong_value("x", "'x' is a direction normal to 'axis', which is missing"));
        }
        let locks = self.kind.locks_orientation();
        // Where a joint slides across its axis, the first body's reference is where that counts.
        let unused = zero == Zero::Drawing && !locks && !self.slides.iter().any(|axis| *axis != Axis::Z);
        if unused && x.is_some_and(|x| x.is_pair()) {
            binding.warn(self.place.wrong_value(
                "x",
                "the reference directions 'x' are not used, since angles count from the drawing; add zero = \"axes\" to count from them",
            ));
        }
        let [first, second] = self.drawing;
        // A direction of the first body as the second sees it in the drawing.
        let carried = |v: Vec3| second.rotation.apply_transposed(first.rotation.apply(v));
        let R_F = match axis {
            None => Rotation::IDENTITY,
            Some(axis) => self.frame(axis, x, 0)?,
        };
        let as_drawn = || Rotation { axes: R_F.axes.map(carried) };
        let R_M = match (axis, zero) {
            (Some(axis), _) if locks && (x.is_some() || axis.is_pair()) => self.frame(axis, x, 1)?,
            _ if locks => as_drawn(),
            (None, Zero::Axes) => Rotation::IDENTITY,
            (None, Zero::Drawing) => as_drawn(),
            (Some(axis), Zero::Axes) => self.frame(axis, x, 1)?,
            (Some(axis), Zero::Drawing) => {
                let z = axis.directions(&self.drawing)[1];
                match Rotation::from_z_x(z, carried(R_F.axes[0])) {
                    Some(R_M) => R_M,
                    // The axes of the pair are a quarter turn apart in the drawing.
                    None => self.frame(axis, None, 1)?,
                }
            }
        };
        let points = self.points();
        let mut X_BF = Pose::new(R_F, points[0]);
        let X_BM = Pose::new(R_M, points[1]);
        if zero == Zero::Drawing {
            X_BF.origin = self.origin_as_drawn(&X_BF, &X_BM);
        }
        Ok([X_BF, X_BM])
    }

    /// The frames of a universal joint: z along `axis`, x along `axis2`, both as drawn.
    pub fn universal_frames(&self, axis: Vec3, axis2: Vec3) -> Result<[Pose; 2]> {
        /// Perpendicular but for the digits in which a direction is written.
        const COSINE: f64 = 1e-6;
        let cosine = axis.unit().zip(axis2.unit()).map_or(1.0, |(a, b)| a.dot(b));
        let frame = Rotation::from_z_x(axis, axis2).filter(|_| cosine.abs() <= COSINE);
        let Some(R_W) = frame else {
            let angle = cosine.clamp(-1.0, 1.0).arccosine().to_degrees();
            return Err(self.place.wrong_value(
                "axis2",
                format!("'axis2' must be perpendicular to 'axis'; the angle between them is {angle:.4} deg"),
            ));
        };
        let points = self.points();
        Ok([0, 1].map(|k| Pose::new(self.drawing[k].rotation.transposed() * R_W, points[k])))
    }

    /// Joint points; where none are given, the bodies' origins, or for what is locked as drawn the second's origin.
    pub fn points(&self) -> [Vec3; 2] {
        match self.at {
            Some(at) => at.points(&self.drawing),
            None if self.kind.locks_orientation() => Given::Single(self.drawing[1].origin).points(&self.drawing),
            None => [Vec3::ZERO; 2],
        }
    }

    fn zero(&self) -> Zero {
        match self.zero {
            Some(zero) => zero,
            None if self.at.is_some_and(|at| !at.is_pair()) => Zero::Drawing,
            None => Zero::Axes,
        }
    }

    /// The joint frame on body `side`: z along the axis, x along the reference made normal to it.
    fn frame(&self, axis: Given<Vec3>, x: Option<Given<Vec3>>, side: usize) -> Result<Rotation> {
        let z = axis.directions(&self.drawing)[side];
        match x {
            None if self.space.is_planar() => Ok(planar_frame(z)),
            None => Ok(default_frame(z)),
            Some(x) => Rotation::from_z_x(z, x.directions(&self.drawing)[side]).ok_or_else(|| {
                let body = ["first", "second"][side];
                self.place
                    .wrong_value("x", format!("the reference direction 'x' is parallel to 'axis' in the {body} body"))
                    .note("angles are measured from 'x', so it must not lie along the axis")
            }),
        }
    }

    /// F's origin moved to where the drawing has slide (or planar x and y) zero; the constraint does not change.
    fn origin_as_drawn(&self, X_BF: &Pose, X_BM: &Pose) -> Vec3 {
        let X_WF = self.drawing[0] * *X_BF;
        let X_WM = self.drawing[1] * *X_BM;
        let d_W = X_WM.origin - X_WF.origin;
        self.slides
            .iter()
            .map(|axis| axis.index())
            .fold(X_BF.origin, |p, k| p + X_BF.rotation.axes[k] * X_WF.rotation.axes[k].dot(d_W))
    }
}

/// z along `z`; where that lies in the plane y is its normal, so that frames of two bodies which differ by a turn in the plane can be one.
fn planar_frame(z: Vec3) -> Rotation {
    Rotation::from_z_x(z, NORMAL.cross(z)).unwrap_or_else(|| default_frame(z))
}

/// z along `z`, x along the body's x axis or the next one that is not parallel to z.
pub fn default_frame(z: Vec3) -> Rotation {
    /// An axis nearer than this to z (in radians) counts as parallel: it would be lost in rounding.
    const PARALLEL: f64 = 1e-6;
    // What most axes of planar mechanisms are.
    if z.x == 0.0 && z.y == 0.0 && z.z > 0.0 {
        return Rotation::IDENTITY;
    }
    let unit = z.unit().unwrap_or(Vec3::Z);
    let reference = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().find(|axis| unit.cross(*axis).norm() > PARALLEL);
    Rotation::from_z_x(unit, reference.unwrap_or(Vec3::X)).unwrap_or(Rotation::IDENTITY)
}
