//! How a gap changes: its first and second rate where both bodies move, and how the slide of what touches does.
//!
//! To second order the shapes are what a touch calls their cores, fixed in their bodies: the distance of these is an explicit function
//! of points and directions, of which value, rate and second rate are carried along.

use crate::foot::Core;
use crate::pair::Touch;
use biela_math::{Jet, Pose, Vec3};

/// A body in motion: its frame, and the velocities and accelerations of that, in ground axes.
#[derive(Debug, Clone, Copy)]
pub struct Moving {
    /// Its frame in the ground.
    pub pose: Pose,
    /// Velocity of its origin, and angular velocity.
    pub v: [Vec3; 2],
    /// Acceleration of its origin, and angular acceleration.
    pub a: [Vec3; 2],
}

/// A vector with its first and second rate.
#[derive(Debug, Clone, Copy)]
struct Path([Vec3; 3]);

/// Lengths, of the numbers they are made of, below which they have no direction: all of it is rounding.
const NONE: f64 = 1e-12;

impl Moving {
    /// A point of the body.
    fn point(&self, p_B: Vec3) -> Path {
        let s = self.direction(p_B);
        Path([self.pose.origin + s.0[0], self.v[0] + s.0[1], self.a[0] + s.0[2]])
    }

    /// A vector fixed in the body.
    fn direction(&self, u_B: Vec3) -> Path {
        let u = self.pose.rotation.apply(u_B);
        let rate = self.v[1].cross(u);
        Path([u, rate, self.a[1].cross(u) + self.v[1].cross(rate)])
    }

    /// Velocity of a point of the ground that moves with the body.
    fn velocity(&self, p: Vec3) -> Vec3 {
        self.v[0] + self.v[1].cross(p - self.pose.origin)
    }

    /// How the velocity of the body changes at a place that moves at a velocity of its own.
    fn change(&self, p: Vec3, moves: Vec3) -> Vec3 {
        let s = p - self.pose.origin;
        self.a[0] + self.a[1].cross(s) + self.v[1].cross(moves - self.v[0])
    }
}

impl Path {
    fn plus(self, factor: f64, o: Path) -> Path {
        Path([0, 1, 2].map(|k| self.0[k] + o.0[k] * factor))
    }

    fn dot(self, o: Path) -> Jet {
        let ([a, b, c], [x, y, z]) = (self.0, o.0);
        Jet { v: a.dot(x), d: b.dot(x) + a.dot(y), dd: c.dot(x) + 2.0 * b.dot(y) + a.dot(z) }
    }

    fn cross(self, o: Path) -> Path {
        let ([a, b, c], [x, y, z]) = (self.0, o.0);
        Path([a.cross(x), b.cross(x) + a.cross(y), c.cross(x) + b.cross(y) * 2.0 + a.cross(z)])
    }

    fn times(self, s: Jet) -> Path {
        let [a, b, c] = self.0;
        Path([a * s.v, b * s.v + a * s.d, c * s.v + b * (2.0 * s.d) + a * s.dd])
    }

    /// Its part across a unit vector.
    fn across(self, along: Path) -> Path {
        self.plus(-1.0, along.times(self.dot(along)))
    }

    /// Its length; none where it is as good as zero beside a size.
    fn norm(self, size: f64) -> Option<Jet> {
        let square = self.dot(self);
        (square.v.sqrt() > NONE * size).then(|| root(square))
    }

    fn unit(self, size: f64) -> Option<Path> {
        let n = self.norm(size)?;
        Some(self.times(n.chain(1.0 / n.v, -1.0 / (n.v * n.v), 2.0 / (n.v * n.v * n.v))))
    }
}

fn root(x: Jet) -> Jet {
    let r = x.v.sqrt();
    x.chain(r, 0.5 / r, -0.25 / (r * x.v))
}

/// How a touch changes.
#[derive(Debug, Clone, Copy)]
pub struct Change {
    /// Rate of the gap, and its second rate.
    pub gap: [f64; 2],
    /// Velocity of the second body against the first where they are nearest, and how that changes along with the place.
    pub slide: [Vec3; 2],
}

impl Touch {
    /// How it changes where its bodies move so.
    pub fn change(&self, bodies: [&Moving; 2]) -> Change {
        let (gap, place) =
            self.between_cores(bodies).unwrap_or_else(|| self.of_point(bodies, self.points[0], self.points[1]));
        // Of the two places that of the gap's middle: they are one where it counts.
        let middle = (self.points[0] + self.points[1]) * 0.5;
        let [one, two] = bodies;
        let slide = two.velocity(middle) - one.velocity(middle);
        let changes = two.change(middle, place) - one.change(middle, place);
        Change { gap: [gap.d, gap.dd], slide: [slide, changes] }
    }

    /// The gap, and the velocity of the place of contact.
    fn between_cores(&self, bodies: [&Moving; 2]) -> Option<(Jet, Vec3)> {
        let [one, two] = bodies;
        match self.cores {
            [Core::Point { at, radius }, Core::Point { at: b, radius: s }] => {
                let d = two.point(b).plus(-1.0, one.point(at));
                let size = radius.abs().max(s.abs()).max(d.0[0].norm());
                let length = d.norm(size)?;
                let sense = if d.0[0].dot(self.normal) < 0.0 { -1.0 } else { 1.0 };
                let u = d.unit(size)?.times(Jet { v: sense, d: 0.0, dd: 0.0 });
                let gap = scaled(length, sense);
                // The middle of the first, and its radius along the normal.
                Some((gap, one.point(at).0[1] + u.0[1] * radius))
            }
            [Core::Point { at, radius }, other] => of_ball(one, (at, radius), two, other),
            [other, Core::Point { at, radius }] => of_ball(two, (at, radius), one, other),
            [Core::Line { at, along, .. }, Core::Line { at: b, along: v, .. }] => {
                let normal = one.direction(along).cross(two.direction(v)).unit(1.0)?;
                let sense = if normal.0[0].dot(self.normal) < 0.0 { -1.0 } else { 1.0 };
                let d = two.point(b).plus(-1.0, one.point(at));
                let [p, q] = self.points;
                Some((scaled(normal.dot(d), sense), (one.velocity(p) + two.velocity(q)) * 0.5))
            }
            [Core::Rim { at, axis, radius }, Core::Plane { at: p, normal }] => {
                rim(one, (at, axis, radius), two, (p, normal))
            }
            [Core::Plane { at: p, normal }, Core::Rim { at, axis, radius }] => {
                rim(two, (at, axis, radius), one, (p, normal))
            }
            _ => None,
        }
    }

    /// The gap as that of a point of the first body from the plane of the second across the normal.
    fn of_point(&self, [one, two]: [&Moving; 2], p: Vec3, q: Vec3) -> (Jet, Vec3) {
        let own = one.point(one.pose.apply_inverse(p));
        let at = two.point(two.pose.apply_inverse(q));
        let normal = two.direction(two.pose.rotation.apply_transposed(self.normal));
        (normal.dot(at.plus(-1.0, own)), own.0[1])
    }
}

fn scaled(x: Jet, by: f64) -> Jet {
    Jet { v: x.v * by, d: x.d * by, dd: x.dd * by }
}

/// A ball of one body against a core of another.
fn of_ball(ball: &Moving, (at, radius): (Vec3, f64), other: &Moving, core: Core) -> Option<(Jet, Vec3)> {
    let middle = ball.point(at);
    // Normals lead from the other to the ball.
    let told = |gap: Jet, normal: Path| Some((gap, middle.0[1] - normal.0[1] * radius));
    match core {
        Core::Plane { at, normal } => {
            let normal = other.direction(normal);
            told(normal.dot(middle.plus(-1.0, other.point(at))), normal)
        }
        Core::Line { at, along, radius: r } => {
            let d = middle.plus(-1.0, other.point(at)).across(other.direction(along));
            let size = radius.abs().max(r.abs()).max(d.0[0].norm());
            told(d.norm(size)?, d.unit(size)?)
        }
        Core::Rim { at, axis, radius: r } => {
            let axis = other.direction(axis);
            let d = middle.plus(-1.0, other.point(at));
            let out = d.across(axis).unit(r)?;
            // From the point of the rim that is nearest.
            let from = d.plus(-r, out);
            told(from.norm(r)?, from.unit(r)?)
        }
        Core::Point { .. } => None,
    }
}

fn rim(
    cylinder: &Moving,
    (at, axis, radius): (Vec3, Vec3, f64),
    other: &Moving,
    (p, normal): (Vec3, Vec3),
) -> Option<(Jet, Vec3)> {
    let normal = other.direction(normal);
    let middle = cylinder.point(at);
    let across = normal.across(cylinder.direction(axis));
    let lean = across.norm(1.0)?;
    let lowest = middle.plus(-radius, across.unit(1.0)?);
    let height = normal.dot(middle.plus(-1.0, other.point(p)));
    Some((
        Jet { v: height.v - radius * lean.v, d: height.d - radius * lean.d, dd: height.dd - radius * lean.dd },
        lowest.0[1],
    ))
}
