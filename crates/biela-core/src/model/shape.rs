//! What a body looks like.

use super::Mesh;
use crate::math::{Pose, Vec3};
use std::sync::Arc;

/// A drawn solid, with its place in the body's frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// What solid.
    pub solid: Solid,
    /// Its frame in the body's frame.
    pub pose: Pose,
}

/// Solids a body may be drawn with; each is centred on its frame, with its length along that frame's own axis.
#[derive(Debug, Clone, PartialEq)]
pub enum Solid {
    /// A cylinder of that length along x, starting at the frame's origin.
    Rod {
        /// Length.
        length: f64,
        /// Radius.
        radius: f64,
    },
    /// A box with these edges along x, y, z.
    Box {
        /// Edges.
        size: Vec3,
    },
    /// A cylinder along z.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Length.
        length: f64,
    },
    /// A sphere.
    Sphere {
        /// Radius.
        radius: f64,
    },
    /// A mesh from a file.
    Mesh {
        /// The file, as the model names it.
        file: String,
        /// Its triangles, scaled.
        mesh: Arc<Mesh>,
    },
}
