//! What follows from a joint's freedoms, and what a type says beside them.

#![allow(non_snake_case)] // p_B, u_B: points and directions in a body's frame (docs/notation.md).

use super::{Axis, Form, Freedom, Joint, JointKind, Marker, Measure};
use crate::math::{Pose, Vec3};
use crate::motion::Motion;

/// What a picture shows of a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Glyph {
    /// A ball that marks the place.
    Plain,
    /// A pin through both bodies, along z.
    Pin,
    /// A sleeve on a shaft along z.
    Sleeve {
        /// Whether the shaft is a spindle.
        threaded: bool,
    },
    /// A block on a rail along z.
    Block,
    /// A ball on a rail along z of the first body.
    Follower,
    /// A ball in its socket.
    Ball,
    /// A cross of two axes: z of the first frame, x of the second.
    Cross,
    /// A ball on a plate across z.
    Plate,
    /// A rod between the two joint points.
    Rod,
    /// A tube on the first joint point and a rod on the second, one in the other.
    Cylinder,
    /// Nothing.
    Nothing,
}

/// A type in whose place another may be suggested.
#[derive(Debug, Clone, Copy)]
pub struct Offer {
    /// The freedoms that the type in use has: turns and slides, by their axes.
    pub of: &'static [Freedom],
    /// Where the new type needs a direction that the old one has no key for: this axis of the joint frame. It is `axis2` where the new
    /// type has one, else `axis`.
    pub along: Option<Axis>,
    /// What it costs in simplicity.
    pub cost: u32,
}

impl Offer {
    /// In place of these freedoms, at a cost.
    pub const fn new(of: &'static [Freedom], cost: u32) -> Offer {
        Offer { of, along: None, cost }
    }

    /// The same with a direction along an axis of the joint frame.
    pub const fn along(self, axis: Axis) -> Offer {
        Offer { along: Some(axis), ..self }
    }

    /// Whether these are its freedoms.
    pub fn is_of(&self, freedoms: &[Freedom]) -> bool {
        self.of.len() == freedoms.len() && self.of.iter().zip(freedoms).all(|(a, b)| a.motion == b.motion)
    }
}

impl Joint {
    /// Any joint of a type: at the origin, with a pitch of one length.
    pub fn example(kind: &'static dyn JointKind) -> Joint {
        Joint { pitch: 1.0, ..Joint::new("", kind, [0, 1], [Pose::IDENTITY; 2]) }
    }

    /// Whether it turns about z and does nothing else.
    pub fn is_pivot(&self) -> bool {
        self.freedoms().is_some_and(|list| matches!(list[..], [f] if f.turning() == Some((Axis::Z, 0.0))))
    }

    /// Whether it turns about a point in two directions or more, and does nothing else.
    pub fn is_ball_or_cross(&self) -> bool {
        self.freedoms().is_some_and(|list| {
            let turns = |f: &Freedom| f.is_attitude() || f.turning().is_some_and(|(_, lead)| lead == 0.0);
            list.iter().all(turns) && list.iter().map(|f| f.rates.len()).sum::<usize>() > 1
        })
    }

    /// The length over time of a rod between its two points, if that is all it is.
    pub fn rod(&self) -> Option<Motion> {
        let rows = self.rows();
        let [row] = rows.as_slice() else { return None };
        let Form::Linear(terms) = &row.form else { return None };
        let between = matches!(terms[..], [(one, Measure::DistanceSquared { .. })] if one == 1.0);
        (between && row.squared).then(|| row.target.clone())
    }

    /// Number of the coordinate that a freedom is.
    pub fn coordinate_of(&self, freedom: &Freedom) -> Option<usize> {
        freedom.names.first().and_then(|name| self.coordinate_index(name))
    }

    /// The freedom that is coordinate `k`.
    pub fn freedom_of(&self, k: usize) -> Option<Freedom> {
        self.freedoms()?.into_iter().find(|f| self.coordinate_of(f) == Some(k))
    }

    /// Axes of F along which it slides by its coordinates, wherever it stands otherwise: moving F along them changes no equation but
    /// where the coordinate counts from.
    pub fn slides_in_first(&self) -> Vec<Axis> {
        let (mut found, mut turned): (Vec<Axis>, Vec<Axis>) = (Vec::new(), Vec::new());
        for f in self.freedoms().unwrap_or_default() {
            let axis = match (f.turning(), f.sliding()) {
                (Some((axis, lead)), _) => Some(axis).filter(|_| lead != 0.0),
                (_, slide) => slide,
            };
            let fixed = |axis: &Axis| turned.iter().all(|t| t == axis) && self.coordinate_of(&f).is_some();
            found.extend(axis.filter(fixed));
            match f.turning() {
                Some((axis, _)) => turned.push(axis),
                None if f.is_attitude() => turned.extend([Axis::X, Axis::Y, Axis::Z]),
                None => {}
            }
        }
        found
    }
}

/// Points and directions on one side of a joint that its rows are made of; none where it has coordinates, which tell of them.
pub(super) fn marked(joint: &Joint, side: usize) -> [Vec<Vec3>; 2] {
    let mut marks = [Vec::new(), Vec::new()];
    if !joint.kind.coordinates().is_empty() {
        return marks;
    }
    for row in joint.rows() {
        let measures: Vec<Measure> = match row.form {
            Form::Linear(terms) => terms.into_iter().map(|(_, measure)| measure).collect(),
            Form::Expression(_, measures) => measures,
            Form::Profile(_, measures, _) => measures.to_vec(),
        };
        for marker in measures.iter().flat_map(Measure::markers) {
            let (list, mark) = match marker {
                Marker::Point { body, p_B } if body == joint.bodies[side] => (0, p_B),
                Marker::Direction { body, u_B } if body == joint.bodies[side] => (1, u_B),
                _ => continue,
            };
            if !marks[list].contains(&mark) {
                marks[list].push(mark);
            }
        }
    }
    marks
}
