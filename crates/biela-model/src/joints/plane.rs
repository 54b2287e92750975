//! Mechanisms that stay in a plane: x and y of the ground span it, z is its normal, and z of every body is z of the ground.
//!
//! Joints are written for space. In a plane only those of their rows are equations that something within the plane can break: heights
//! above it and tilts out of it hold by themselves. So a revolute joint keeps two of its five rows, a prismatic joint two, a fixed one
//! three, and a body has three freedoms.

#![allow(non_snake_case)] // u_B: a direction in its body's frame (docs/notation.md).

use super::hinge::Hinge;
use super::space::InPlane;
use super::{planar, Axis, Form, Freedom, Joint, JointKind, Key, Marker, Measure, Row};

/// How a type is used in a plane.
pub fn in_plane(kind: &'static dyn JointKind) -> InPlane {
    kind.in_plane().unwrap_or_else(|| by_freedoms(kind))
}

/// The same of a type that says nothing of it itself: by its freedoms, where it has an axis.
fn by_freedoms(kind: &'static dyn JointKind) -> InPlane {
    if !kind.keys().contains(&Key::Axis) {
        return InPlane::Normal;
    }
    let freedoms = Joint::example(kind).freedoms().unwrap_or_default();
    let normal = |f: &Freedom| f.turning() == Some((Axis::Z, 0.0)) || matches!(f.sliding(), Some(Axis::X | Axis::Y));
    let along = |f: &Freedom| f.sliding() == Some(Axis::Z);
    match (freedoms.is_empty(), freedoms.iter().all(along), freedoms.iter().all(normal)) {
        (true, ..) | (_, true, _) => InPlane::Along,
        (.., true) => InPlane::Normal,
        _ => InPlane::Leaves("some of its freedoms lead out of the plane"),
    }
}

/// A direction whose components in the plane are no more than this is the normal: frames of planar models are exact.
const ROUNDING: f64 = 1e-12;

impl Marker {
    /// Whether it is the normal of the plane, which stands still in every body.
    fn is_normal(&self) -> bool {
        matches!(self, Marker::Direction { u_B, .. } if u_B.x.abs() <= ROUNDING && u_B.y.abs() <= ROUNDING)
    }
}

impl Row {
    /// Whether anything within the plane can break it.
    pub fn lies_in_plane(&self) -> bool {
        let moves = |measure: &Measure| match measure {
            Measure::Dot(a, b) => !a.is_normal() && !b.is_normal(),
            Measure::Along { a, .. } => !a.is_normal(),
            Measure::DistanceSquared { .. }
            | Measure::Distance { .. }
            | Measure::Elevation { .. }
            | Measure::Angle { .. } => true,
        };
        match &self.form {
            Form::Linear(terms) => terms.iter().any(|(_, measure)| moves(measure)),
            Form::Expression(..) | Form::Profile(..) => true,
        }
    }
}

impl Joint {
    /// Its constraint equations: those of its type that its space leaves.
    pub fn rows(&self) -> Vec<Row> {
        let mut rows = self.kind.rows(self);
        if self.space.is_planar() {
            rows.retain(Row::lies_in_plane);
        }
        rows
    }

    /// Whether it constrains nothing in its space.
    pub fn is_free(&self) -> bool {
        self.rows().is_empty()
    }

    /// Whether it exerts forces of its own: by rows, or by the loads that make it.
    pub fn bears(&self) -> bool {
        self.is_compliant() || !self.is_free()
    }

    /// Whether it is made of springs and dampers.
    pub fn is_compliant(&self) -> bool {
        !self.kind.compliant(self.space).is_empty()
    }

    /// Its description by joint coordinates, where it can carry a tree.
    pub fn hinge(&self) -> Option<&'static dyn Hinge> {
        match self.floats_in_plane() {
            true => Some(&planar::Planar),
            false => self.kind.hinge(),
        }
    }

    /// Its elementary freedoms, where it is made of such.
    pub fn freedoms(&self) -> Option<Vec<Freedom>> {
        match self.floats_in_plane() {
            true => Some(planar::FREEDOMS.to_vec()),
            false => self.kind.freedoms(self),
        }
    }

    /// Whether it lets a body float, which it does in the plane.
    fn floats_in_plane(&self) -> bool {
        self.space.is_planar() && self.kind.hinge().is_some() && self.kind.rows(self).is_empty()
    }
}
