//! How far a point is from a form, and what the form is like there: to second order a point, a line, a plane or the rim of a disc, with a radius
//! around.

use crate::convex;
use crate::overlap;
use biela_math::Vec3;

/// The place of a form that is nearest to a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Foot {
    /// How far it is; negative by the depth of a point within.
    pub distance: f64,
    /// Unit vector out of the form.
    pub normal: Vec3,
    /// What the form is like there.
    pub core: Core,
    /// Where it ends sharply.
    pub ends: Ends,
}

/// How far a place is from where its form turns away sharply, negative beyond, and the unit vector that leads there: in as many ways as there are. Zero
/// where the way is not known.
pub type Ends = [Option<(f64, Vec3)>; 2];

/// Of what is smooth as far as it goes.
pub(crate) const SMOOTH: Ends = [None; 2];

/// What a form is to second order where something is near to it, in its own frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Core {
    /// A ball; with a negative radius, all outside of one.
    Point {
        /// Its middle.
        at: Vec3,
        /// Its radius.
        radius: f64,
    },
    /// A cylinder about a line.
    Line {
        /// A point of the line.
        at: Vec3,
        /// Unit vector along it.
        along: Vec3,
        /// Its radius.
        radius: f64,
    },
    /// A plane.
    Plane {
        /// A point of it.
        at: Vec3,
        /// Unit vector out of the form.
        normal: Vec3,
    },
    /// The rim of a disc.
    Rim {
        /// Its middle.
        at: Vec3,
        /// Unit vector along its axis.
        axis: Vec3,
        /// Its radius.
        radius: f64,
    },
}

pub(crate) fn of_point(p: Vec3, at: Vec3, radius: f64) -> Foot {
    let d = p - at;
    let normal = d.unit().unwrap_or(Vec3::X);
    Foot { distance: d.norm() - radius, normal, core: Core::Point { at, radius }, ends: SMOOTH }
}

pub(crate) fn of_half_space(p: Vec3, normal: Vec3) -> Foot {
    Foot { distance: p.dot(normal), normal, core: Core::Plane { at: Vec3::ZERO, normal }, ends: SMOOTH }
}

pub(crate) fn of_capsule(p: Vec3, half: f64, radius: f64) -> Foot {
    if p.z.abs() > half {
        let at = Vec3::Z * if p.z < 0.0 { -half } else { half };
        return of_point(p, at, radius);
    }
    let d = Vec3::new(p.x, p.y, 0.0);
    let core = Core::Line { at: Vec3::ZERO, along: Vec3::Z, radius };
    Foot { distance: d.norm() - radius, normal: d.unit().unwrap_or(Vec3::X), core, ends: SMOOTH }
}

pub(crate) fn of_cylinder(p: Vec3, half: f64, radius: f64) -> Foot {
    let d = Vec3::new(p.x, p.y, 0.0);
    let out = d.unit().unwrap_or(Vec3::X);
    let up = Vec3::Z * if p.z < 0.0 { -1.0 } else { 1.0 };
    let (beside, above) = (d.norm() - radius, p.z.abs() - half);
    if beside > 0.0 && above > 0.0 {
        let distance = (beside * beside + above * above).sqrt();
        let normal = (out * beside + up * above) * (1.0 / distance);
        return Foot { distance, normal, core: Core::Rim { at: up * half, axis: Vec3::Z, radius }, ends: SMOOTH };
    }
    match above > beside {
        true => Foot { distance: above, normal: up, core: Core::Plane { at: up * half, normal: up }, ends: SMOOTH },
        false => {
            let core = Core::Line { at: Vec3::ZERO, along: Vec3::Z, radius };
            Foot { distance: beside, normal: out, core, ends: SMOOTH }
        }
    }
}

pub(crate) fn of_box(p: Vec3, half: Vec3) -> Foot {
    let side = |k: usize| if p[k] < 0.0 { -1.0 } else { 1.0 };
    let beyond = [0, 1, 2].map(|k| p[k].abs() - half[k]);
    let outside = beyond.iter().filter(|x| **x > 0.0).count();
    let mut corner = p;
    let mut from = Vec3::ZERO;
    for k in (0..3).filter(|k| beyond[*k] > 0.0) {
        corner[k] = side(k) * half[k];
        from[k] = side(k) * beyond[k];
    }
    match outside {
        0 | 1 => {
            let k = (0..3).fold(0, |best, k| if beyond[k] > beyond[best] { k } else { best });
            face_of_box(p, half, k)
        }
        2 => {
            let k = (0..3).find(|k| beyond[*k] <= 0.0).unwrap_or(0);
            let mut along = Vec3::ZERO;
            along[k] = 1.0;
            let core = Core::Line { at: corner, along, radius: 0.0 };
            past(from, core)
        }
        _ => past(from, Core::Point { at: corner, radius: 0.0 }),
    }
}

/// The foot on an edge or a corner, at the end of a vector from there.
fn past(from: Vec3, core: Core) -> Foot {
    let (distance, normal) = (from.norm(), from.unit().unwrap_or(Vec3::X));
    Foot { distance, normal, core, ends: [Some((-distance, normal)), None] }
}

/// A face of a box across axis `k`, on the side of a point, as if it went on for ever.
pub(crate) fn face_of_box(p: Vec3, half: Vec3, k: usize) -> Foot {
    let axis = |k: usize| {
        let mut way = Vec3::ZERO;
        way[k] = if p[k] < 0.0 { -1.0 } else { 1.0 };
        way
    };
    let end = |j: usize| Some((half[j] - p[j].abs(), axis(j)));
    let normal = axis(k);
    let core = Core::Plane { at: normal * half[k], normal };
    Foot { distance: p[k].abs() - half[k], normal, core, ends: [end((k + 1) % 3), end((k + 2) % 3)] }
}

pub(crate) fn of_hull(p: Vec3, points: &[Vec3]) -> Foot {
    let further = |along: Vec3| {
        let (mut best, mut most) = (Vec3::ZERO, f64::NEG_INFINITY);
        for q in points {
            let d = q.dot(along);
            if d > most {
                (best, most) = (*q, d);
            }
        }
        best
    };
    let supports = convex::Supports { a: &further, b: &|_| p };
    match convex::apart(&supports) {
        convex::Found::Apart(near) => {
            let normal = (near.b - near.a).unit().unwrap_or(Vec3::X);
            let core = match near.corners_a {
                [at, None, _] => Core::Point { at: at.unwrap_or(near.a), radius: 0.0 },
                [Some(a), Some(b), None] => Core::Line { at: a, along: (b - a).unit().unwrap_or(Vec3::X), radius: 0.0 },
                _ => Core::Plane { at: near.a, normal },
            };
            // Edges and corners of a hull tell no way.
            let ends = match core {
                Core::Plane { .. } => SMOOTH,
                _ => [Some((-1.0, Vec3::ZERO)), None],
            };
            Foot { distance: (near.b - near.a).norm(), normal, core, ends }
        }
        convex::Found::Overlap(simplex) => {
            let (depth, normal) = overlap::depth(&supports, simplex);
            Foot { distance: -depth, normal, core: Core::Plane { at: p + normal * depth, normal }, ends: SMOOTH }
        }
    }
}
