//! Frames of a joint from `at`, `axis`, `x`, `zero` and the drawing.
//!
//! F (first body) and M (second body) have z along the axis and x along the reference direction. What is given in pairs
//! is in the bodies' own frames; what is given once is in the drawing and carried into each body through its pose.

#![allow(non_snake_case)] // Frames are capital letters: X_BF, R_WM (docs/notation.md).

use super::bodies::Bodies;
use super::reader::Reader;
use super::tree::{Node, Value};
use super::values::{self, describe, wrong};
use biela_base::error::Result;
use biela_core::joints::{Axis, Joint, JointKind};
use biela_math::Elementary;
use biela_math::{Pose, Rotation, Vec3};

/// Something given once for both bodies or once for each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Given {
    /// In the drawing.
    Single(Vec3),
    /// In the first and second body's own frame.
    Pair([Vec3; 2]),
}

impl Given {
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

    fn is_pair(self) -> bool {
        matches!(self, Given::Pair(_))
    }
}

/// Which configuration has coordinates zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Zero {
    /// Reference directions aligned, points at the same place.
    Axes,
    /// The drawing.
    Drawing,
}

/// What the joint's keys say, before frames are made of it.
pub(super) struct Geometry<'a> {
    pub reader: &'a Reader<'a>,
    pub kind: &'static dyn JointKind,
    /// X_WB of both bodies.
    pub drawing: [Pose; 2],
    pub at: Option<Given>,
}

/// `at`: a pair of points or vectors, or one vector of the drawing.
pub(super) fn read_at(reader: &Reader, bodies: &Bodies, pair: [usize; 2]) -> Result<Option<Given>> {
    let Some(node) = reader.get("at") else { return Ok(None) };
    const FORM: &str = "'at' is a pair, one point per body, such as [\"A\", [0, 0, 0]], or one vector of the drawing";
    match &node.value {
        Value::List(list) if list.len() == 2 => {
            if list.iter().all(|n| matches!(n.value, Value::Integer(_) | Value::Number(_))) {
                let error = reader.blame(wrong(node, "a vector has three components; this one has 2")).note(FORM);
                return Err(error.note("in a plane drawing the third component is 0"));
            }
            let first = bodies.point(reader, "the first point of 'at'", &list[0], pair[0])?;
            let second = bodies.point(reader, "the second point of 'at'", &list[1], pair[1])?;
            Ok(Some(Given::Pair([first, second])))
        }
        Value::List(list) if list.len() == 3 && !list.iter().any(is_list) => {
            let what = "'at'";
            let p = values::vector(node, what, Some(biela_base::units::Dimension::LENGTH), reader.context);
            p.map(|p| Some(Given::Single(p))).map_err(|e| reader.blame(e).note(FORM))
        }
        Value::Text(name) => {
            let message = format!("'at' needs to know which body has the point '{name}'");
            Err(reader.blame(wrong(node, message)).note(FORM))
        }
        _ => Err(reader.blame(wrong(node, format!("'at' cannot be {}", describe(node)))).note(FORM)),
    }
}

/// A pair of directions or one direction of the drawing.
pub(super) fn read_directions(reader: &Reader, key: &str) -> Result<Option<Given>> {
    let Some(node) = reader.get(key) else { return Ok(None) };
    let is_direction = |n: &Node| is_list(n) || matches!(&n.value, Value::Text(t) if values::named_axis(t).is_some());
    match &node.value {
        Value::List(list) if list.len() == 2 && list.iter().all(is_direction) => {
            let read =
                |k: usize| values::direction(&list[k], &reader.name(key), reader.context).map_err(|e| reader.blame(e));
            Ok(Some(Given::Pair([read(0)?, read(1)?])))
        }
        Value::List(list) if list.iter().any(is_list) => {
            let message = format!("'{key}' is one vector or a pair of vectors, not a list of {}", list.len());
            Err(reader
                .blame(wrong(node, message))
                .note(format!("such as {key} = [0, 0, 1] or {key} = [[0, 0, 1], [0, 0, 1]]")))
        }
        _ => reader.direction(key).map(|v| v.map(Given::Single)),
    }
}

fn is_list(node: &Node) -> bool {
    matches!(node.value, Value::List(_))
}

impl Geometry<'_> {
    /// The frames of a joint that may have an axis.
    pub fn frames(&self, axis: Option<Given>) -> Result<[Pose; 2]> {
        let reader = self.reader;
        let x = read_directions(reader, "x")?;
        let zero = self.zero()?;
        if x.is_some() && axis.is_none() {
            return Err(reader.wrong_value("x", "'x' is a direction normal to 'axis', which is missing"));
        }
        let locks = self.kind.locks_orientation();
        // Where a joint slides across its axis, the first body's reference is where that counts.
        let across = Joint::example(self.kind).slides_in_first().iter().any(|axis| *axis != Axis::Z);
        let unused = zero == Zero::Drawing && !locks && !across;
        if unused && x.is_some_and(Given::is_pair) {
            reader.context.warn(&reader.wrong_value(
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
        let as_drawn = Rotation { axes: R_F.axes.map(carried) };
        let R_M = match (axis, zero) {
            (Some(axis), _) if locks && (x.is_some() || axis.is_pair()) => self.frame(axis, x, 1)?,
            _ if locks => as_drawn,
            (None, Zero::Axes) => Rotation::IDENTITY,
            (None, Zero::Drawing) => as_drawn,
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
            return Err(self.reader.wrong_value(
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

    fn zero(&self) -> Result<Zero> {
        Ok(match self.reader.choice("zero", &["axes", "drawing"])? {
            Some("axes") => Zero::Axes,
            Some(_) => Zero::Drawing,
            None if self.at.is_some_and(|at| !at.is_pair()) => Zero::Drawing,
            None => Zero::Axes,
        })
    }

    /// The joint frame on body `side`: z along the axis, x along the reference made normal to it.
    fn frame(&self, axis: Given, x: Option<Given>, side: usize) -> Result<Rotation> {
        let z = axis.directions(&self.drawing)[side];
        match x {
            None => Ok(default_frame(z)),
            Some(x) => Rotation::from_z_x(z, x.directions(&self.drawing)[side]).ok_or_else(|| {
                let body = ["first", "second"][side];
                self.reader
                    .wrong_value("x", format!("the reference direction 'x' is parallel to 'axis' in the {body} body"))
                    .note("angles are measured from 'x', so it must not lie along the axis")
            }),
        }
    }

    /// F's origin moved to where the drawing has slide (or planar x and y) zero; the constraint does not change.
    fn origin_as_drawn(&self, X_BF: &Pose, X_BM: &Pose) -> Vec3 {
        let X_WF = self.drawing[0] * *X_BF;
        let X_WM = self.drawing[1] * *X_BM;
        let free = Joint::example(self.kind).slides_in_first();
        let d_W = X_WM.origin - X_WF.origin;
        free.iter()
            .map(|axis| axis.index())
            .fold(X_BF.origin, |p, k| p + X_BF.rotation.axes[k] * X_WF.rotation.axes[k].dot(d_W))
    }
}

/// z along `z`, x along the body's x axis or the next one that is not parallel to z.
pub(super) fn default_frame(z: Vec3) -> Rotation {
    /// An axis nearer than this to z (in radians) counts as parallel: it would be lost in rounding.
    const PARALLEL: f64 = 1e-6;
    let unit = z.unit().unwrap_or(Vec3::Z);
    let reference = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().find(|axis| unit.cross(*axis).norm() > PARALLEL);
    Rotation::from_z_x(unit, reference.unwrap_or(Vec3::X)).unwrap_or(Rotation::IDENTITY)
}
