//! What a body looks like.

use super::Mesh;
use crate::math::{Elementary, Pose, Vec3};
use crate::motion::Spline;
use std::f64::consts::PI;
use std::sync::Arc;

/// A drawn solid or flat form, with its place in the body's frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// What solid.
    pub solid: Solid,
    /// Its frame in the body's frame.
    pub pose: Pose,
    /// Its own red, green, blue; none where it has its body's colour.
    pub colour: Option<[u8; 3]>,
}

/// Solids a body may be drawn with; each is centred on its frame, with its length along that frame's own axis. Flat forms lie in x and y
/// of the frame.
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
    /// A cylinder along z with a half ball beyond each end.
    Capsule {
        /// Radius.
        radius: f64,
        /// Length of the cylinder alone.
        length: f64,
    },
    /// A sphere.
    Sphere {
        /// Radius.
        radius: f64,
    },
    /// Everything below a plane through the frame's origin.
    Plane {
        /// Unit vector out of the solid, in the frame's axes.
        normal: Vec3,
    },
    /// A disc.
    Circle {
        /// Radius.
        radius: f64,
        /// How thick it is, where that is told.
        thickness: Option<f64>,
    },
    /// A part of a circle's rim, anticlockwise.
    Arc {
        /// Radius.
        radius: f64,
        /// Angle from x where it begins.
        from: f64,
        /// Angle where it ends, greater than that.
        to: f64,
    },
    /// What straight lines through points enclose.
    Polygon {
        /// Corners, anticlockwise.
        points: Vec<[f64; 2]>,
        /// How thick it is, where that is told.
        thickness: Option<f64>,
    },
    /// A cubic spline through points, by the lengths of its chords.
    Spline {
        /// The points.
        points: Vec<[f64; 2]>,
        /// Whether it goes on from the last point to the first, and encloses a form.
        closed: bool,
        /// How thick that is, where it is told.
        thickness: Option<f64>,
    },
    /// A mesh from a file.
    Mesh {
        /// The file, as the model names it.
        file: String,
        /// Its triangles, scaled.
        mesh: Arc<Mesh>,
    },
}

/// A curve in x and y as points close to each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// The points, anticlockwise where it is closed.
    pub points: Vec<[f64; 2]>,
    /// Whether it goes on from the last to the first, and encloses a form.
    pub closed: bool,
}

/// Points on a full circle, between two points of a spline, and on all of one at most.
const AROUND: f64 = 96.0;
const BETWEEN: usize = 24;
const MOST: usize = 960;

impl Solid {
    /// The curve of a flat form; none for others, and where no spline goes through the points.
    pub fn curve(&self) -> Option<Curve> {
        let arc = |radius: f64, from: f64, to: f64, closed: bool| {
            let count = ((to - from) / (2.0 * PI) * AROUND).ceil().max(8.0) as usize;
            let angle = |k: usize| from + (to - from) * k as f64 / count as f64;
            let point = |k: usize| [radius * angle(k).cosine(), radius * angle(k).sine()];
            Curve { points: (0..count + usize::from(!closed)).map(point).collect(), closed }
        };
        match self {
            Solid::Circle { radius, .. } => Some(arc(*radius, 0.0, 2.0 * PI, true)),
            Solid::Arc { radius, from, to } => Some(arc(*radius, *from, *to, false)),
            Solid::Polygon { points, .. } => Some(Curve { points: points.clone(), closed: true }),
            Solid::Spline { points, closed, .. } => spline(points, *closed),
            _ => None,
        }
    }

    /// How thick a flat form is, where that is told.
    pub fn thickness(&self) -> Option<f64> {
        match self {
            Solid::Circle { thickness, .. } | Solid::Polygon { thickness, .. } | Solid::Spline { thickness, .. } => {
                *thickness
            }
            _ => None,
        }
    }
}

/// The spline through points, its parameter the sum of chords.
fn spline(points: &[[f64; 2]], closed: bool) -> Option<Curve> {
    let mut nodes = points.to_vec();
    if closed {
        nodes.push(*points.first()?);
    }
    let along = chords(&nodes);
    let make = if closed { Spline::periodic } else { Spline::new };
    let part = |k: usize| make(&along, &nodes.iter().map(|p| p[k]).collect::<Vec<_>>()).ok();
    let (x, y) = (part(0)?, part(1)?);
    let spans = nodes.len() - 1;
    let each = (MOST / spans).clamp(2, BETWEEN);
    let mut found = Vec::with_capacity(spans * each + 1);
    for k in 0..spans {
        for i in 0..each {
            let s = along[k] + (along[k + 1] - along[k]) * i as f64 / each as f64;
            found.push([x.jet(s).v, y.jet(s).v]);
        }
    }
    if !closed {
        found.push(nodes[spans]);
    } else if area(&found) < 0.0 {
        found.reverse();
    }
    Some(Curve { points: found, closed })
}

/// Sums of the chords between points, from 0.
pub(super) fn chords(nodes: &[[f64; 2]]) -> Vec<f64> {
    let mut along = vec![0.0];
    for pair in nodes.windows(2) {
        along.push(along[along.len() - 1] + (pair[1][0] - pair[0][0]).hypotenuse(pair[1][1] - pair[0][1]));
    }
    along
}

/// The area of a polygon, positive where it runs anticlockwise.
pub fn area(points: &[[f64; 2]]) -> f64 {
    let next = |k: usize| points[(k + 1) % points.len()];
    points.iter().enumerate().map(|(k, p)| 0.5 * (p[0] * next(k)[1] - next(k)[0] * p[1])).sum()
}
