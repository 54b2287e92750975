//! Shapes as forms whose distance is told. In a plane a solid is what the plane cuts out of it.

use super::{Shape, Solid};
use crate::joints::Space;
use crate::math::{Pose, Rotation, Vec3};
use crate::motion::Spline;
use biela_distance::{Chain, Form, Hermite, Piece, Placed};

/// Why a shape takes no part in a contact.
#[derive(Debug, Clone, PartialEq)]
pub struct Unfit {
    /// Whose it is.
    pub body: usize,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub advice: &'static str,
}

/// Components of a direction that count as none: roundings of angles that are printed with nine digits.
const NONE: f64 = 1e-9;

/// The form of a shape.
pub fn form(shape: &Shape, space: Space) -> Result<Placed, Unfit> {
    let put = |form: Form| Ok(Placed::new(form, shape.pose));
    match space {
        Space::Planar => planar(shape),
        Space::Spatial => match &shape.solid {
            Solid::Rod { length, radius } => {
                // Along x from the origin; cylinders lie along z about their middle.
                let turned = Rotation::from_z_x(Vec3::X, Vec3::Y).unwrap_or(Rotation::IDENTITY);
                let along = shape.pose * Pose::new(turned, Vec3::X * (0.5 * length));
                Ok(Placed::new(Form::Cylinder { half: 0.5 * length, radius: *radius }, along))
            }
            Solid::Box { size } => put(Form::Box { half: *size * 0.5 }),
            Solid::Cylinder { radius, length } => put(Form::Cylinder { half: 0.5 * length, radius: *radius }),
            Solid::Capsule { radius, length } => put(Form::Capsule { half: 0.5 * length, radius: *radius }),
            Solid::Sphere { radius } => put(Form::Ball { radius: *radius }),
            Solid::Plane { normal } => put(Form::HalfSpace { normal: *normal }),
            Solid::Mesh { mesh, .. } if mesh.points.is_empty() => {
                Err(unfit("its mesh is empty", "give a mesh with triangles"))
            }
            Solid::Mesh { mesh, .. } => put(Form::Hull { points: mesh.points.clone() }),
            Solid::Circle { .. } | Solid::Arc { .. } | Solid::Polygon { .. } | Solid::Spline { .. } => Err(unfit(
                "its flat shape touches nothing in space",
                "give it a sphere, capsule, box, cylinder, rod, plane or convex mesh, or write planar = true",
            )),
        },
    }
}

fn unfit(message: &str, advice: &'static str) -> Unfit {
    Unfit { body: 0, message: message.into(), advice }
}

/// What the plane cuts out of a shape.
fn planar(shape: &Shape) -> Result<Placed, Unfit> {
    let put = |form: Form| Ok(Placed::new(form, shape.pose));
    let axes = shape.pose.rotation.axes;
    let across = |axis: Vec3| axis.x.abs() < NONE && axis.y.abs() < NONE;
    let within = |axis: Vec3| axis.z.abs() < NONE;
    let rectangle = |pose: Pose, half: [f64; 2]| {
        let [x, y] = half;
        let corners = [[-x, -y], [x, -y], [x, y], [-x, y]].map(|[x, y]| Vec3::new(x, y, 0.0));
        Ok(Placed::new(Form::Chain(Chain::polygon(&corners)), pose))
    };
    // A frame with x along a direction of the plane.
    let along = |axis: Vec3, origin: Vec3| {
        let rotation = Rotation::from_z_x(Vec3::Z, axis).unwrap_or(Rotation::IDENTITY);
        Pose::new(rotation, Vec3::new(origin.x, origin.y, 0.0))
    };
    let tilted =
        || Err(unfit("its shape stands askew in the plane", "turn it about z alone: 'angle' in place of 'rpy'"));
    match &shape.solid {
        Solid::Sphere { radius } | Solid::Circle { radius, .. } => put(Form::Ball { radius: *radius }),
        Solid::Capsule { radius, length } if within(axes[2]) => {
            put(Form::Capsule { half: 0.5 * length, radius: *radius })
        }
        Solid::Cylinder { radius, .. } | Solid::Capsule { radius, .. } if across(axes[2]) => {
            put(Form::Ball { radius: *radius })
        }
        Solid::Cylinder { radius, length } if within(axes[2]) => {
            rectangle(along(axes[2], shape.pose.origin), [0.5 * length, *radius])
        }
        Solid::Rod { radius, length } if within(axes[0]) => {
            let middle = shape.pose.apply(Vec3::X * (0.5 * length));
            rectangle(along(axes[0], middle), [0.5 * length, *radius])
        }
        Solid::Box { size } if across(axes[2]) => {
            rectangle(along(axes[0], shape.pose.origin), [0.5 * size.x, 0.5 * size.y])
        }
        Solid::Plane { normal } if within(shape.pose.rotation.apply(*normal)) => {
            put(Form::HalfSpace { normal: *normal })
        }
        Solid::Mesh { .. } => {
            Err(unfit("its mesh touches nothing in a planar model", "give it a polygon, circle or spline besides"))
        }
        Solid::Arc { radius, from, to } if across(axes[2]) => {
            let arc = Piece::Arc { middle: Vec3::ZERO, radius: *radius, from: *from, sweep: to - from };
            put(Form::Chain(Chain::new(vec![arc], false)))
        }
        Solid::Polygon { points, .. } if across(axes[2]) => {
            let corners: Vec<Vec3> = points.iter().map(|[x, y]| Vec3::new(*x, *y, 0.0)).collect();
            put(Form::Chain(Chain::polygon(&corners)))
        }
        Solid::Spline { points, closed, .. } if across(axes[2]) => match cubics(points, *closed) {
            Some(chain) => put(Form::Chain(chain)),
            None => Err(unfit("no smooth curve goes through its points", "give it other points")),
        },
        _ => tilted(),
    }
}

/// The spline through points as cubics, anticlockwise where it is closed.
fn cubics(points: &[[f64; 2]], closed: bool) -> Option<Chain> {
    let mut nodes = points.to_vec();
    if closed {
        nodes.push(*points.first()?);
        if super::polygon_area(points) < 0.0 {
            nodes.reverse();
        }
    }
    let along = super::shape::chords(&nodes);
    let make = if closed { Spline::periodic } else { Spline::new };
    let part = |k: usize| make(&along, &nodes.iter().map(|p| p[k]).collect::<Vec<_>>()).ok();
    let (x, y) = (part(0)?, part(1)?);
    let at = |s: f64| {
        let (x, y) = (x.jet(s), y.jet(s));
        (Vec3::new(x.v, y.v, 0.0), Vec3::new(x.d, y.d, 0.0))
    };
    let piece = |pair: &[f64]| {
        let ((a, p), (b, q)) = (at(pair[0]), at(pair[1]));
        let h = pair[1] - pair[0];
        Piece::Cubic(Hermite { ends: [a, b], slopes: [p * h, q * h] })
    };
    Some(Chain::new(along.windows(2).map(piece).collect(), closed))
}
