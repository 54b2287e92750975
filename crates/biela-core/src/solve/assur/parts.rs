//! What a mechanism is closed by, part after part: joints that drivers lead, and dyads; and the numbers that a design has in them.
//!
//! A dyad is two bodies a and b between bodies that are placed already, by three joints. In the plane, with pivots (R) and slides (P): RRR, where two
//! circles meet; RRP, a circle and a line; RPR, where a slide makes the distance of two pivots right. Each closes in two senses: those of
//! (q − p) × (m − p), (m − p)·u and (q − p)·u, with p and q the outer pivots, m the middle one, u the direction of the slide.

use super::plane::{back, cross, dot, less, sum, turned, Pair};
use crate::joints::Joint;
use crate::math::{Pose, Vec3};
use crate::model::Model;

/// Sines of angles, and axes, that differ by less are the same: rounding of a drawing.
pub(super) const SAME: f64 = 1e-12;
/// A drawing shows the sense of a part where the sine or cosine that tells it is larger.
const SHOWN: f64 = 1e-2;

/// A part, by the numbers of bodies and joints.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Part {
    /// A pivot that a driver leads: joint, driver, placed body, next body, sense of the turn.
    Turn { joint: usize, driver: usize, parent: usize, child: usize, sign: f64 },
    /// A slide that a driver leads.
    Slide { joint: usize, driver: usize, parent: usize, child: usize, sign: f64 },
    /// Two circles: joints, placed bodies, bodies a and b, sense.
    Rrr(Dyad),
    /// A circle about a pivot, and the line along a slide.
    Rrp(Dyad),
    /// A slide between two pivots.
    Rpr(Dyad),
}

/// Joints known–a, a–b, b–known; the known bodies; a and b; the sense.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Dyad {
    pub joints: [usize; 3],
    pub known: [usize; 2],
    pub bodies: [usize; 2],
    pub sense: f64,
}

/// What a joint does in the plane: `Some(true)` for a pivot, `Some(false)` for a slide.
pub(super) fn is_pivot(joint: &Joint) -> Option<bool> {
    let freedoms = joint.freedoms()?;
    let [only] = freedoms.as_slice() else { return None };
    match (only.turning(), only.sliding()) {
        (Some((crate::joints::Axis::Z, 0.0)), _) => Some(true),
        (_, Some(crate::joints::Axis::Z)) => Some(false),
        _ => None,
    }
}

pub(super) fn flat(v: Vec3) -> Pair<f64> {
    [v.x, v.y]
}

/// The side of a joint that a body is on.
fn side(joint: &Joint, body: usize) -> usize {
    usize::from(joint.bodies[1] == body)
}

/// The sense in which a pivot's axis points along z, in both its bodies; `None` where it does not.
#[inline(never)]
pub(super) fn upright(joint: &Joint) -> Option<f64> {
    let [a, b] = joint.frames.map(|f| f.rotation.axes[2]);
    let sign = a.z.signum();
    let along = |u: Vec3| (u - Vec3::Z * sign).norm() <= SAME;
    (along(a) && along(b)).then_some(sign)
}

/// The turn from one body's frame to the other's that a slide keeps, from the body on side `from`; `None` where it is none in the plane.
#[inline(never)]
fn kept(joint: &Joint, from: usize) -> Option<Pair<f64>> {
    let [f, g] = [&joint.frames[from].rotation, &joint.frames[1 - from].rotation];
    let image = |u: Vec3| f.apply(g.apply_transposed(u));
    let level = |k: usize| joint.frames[k].rotation.axes[2].z.abs() <= SAME;
    (level(0) && level(1) && (image(Vec3::Z) - Vec3::Z).norm() <= SAME).then(|| flat(image(Vec3::X)))
}

/// Numbers of a design, gathered part by part.
pub(super) struct Numbers<'a> {
    pub model: &'a Model,
    pub size: f64,
    pub list: &'a mut Vec<f64>,
    /// Heights of the bodies' origins.
    pub heights: &'a mut Vec<f64>,
}

impl Numbers<'_> {
    #[inline(never)]
    fn pair(&mut self, [x, y]: Pair<f64>) {
        self.list.extend([x, y]);
    }

    /// A joint's point on a body.
    #[inline(never)]
    fn point(&self, joint: usize, body: usize) -> Pair<f64> {
        let joint = &self.model.joints[joint];
        flat(joint.frames[side(joint, body)].origin)
    }

    /// The height at which a body's joint lies, from its origin.
    #[inline(never)]
    fn height(&self, joint: usize, body: usize) -> f64 {
        let joint = &self.model.joints[joint];
        joint.frames[side(joint, body)].origin.z
    }

    fn raise(&mut self, joint: usize, parent: usize, child: usize) {
        self.heights[child] = self.heights[parent] + self.height(joint, parent) - self.height(joint, child);
    }

    /// Whether two bodies meet in a joint at one height.
    fn is_level(&self, joint: usize, [a, b]: [usize; 2]) -> bool {
        let gap = self.heights[a] + self.height(joint, a) - self.heights[b] - self.height(joint, b);
        gap.abs() <= SAME * self.size
    }

    /// The vector between two points of a body as what divides by it, and its square.
    #[inline(never)]
    fn inverse(&mut self, z: Pair<f64>) -> Option<f64> {
        let square = dot(z, z);
        self.pair([z[0] / square, -z[1] / square]);
        (square > (SAME * self.size).powi(2)).then_some(square)
    }

    /// Adds the numbers of a part; `None` where the design is none of this kind, or drawn in another sense.
    pub fn add(&mut self, part: &Part) -> Option<()> {
        match part {
            Part::Turn { joint, parent, child, sign, .. } => {
                let of = &self.model.joints[*joint];
                let (p, c) = (side(of, *parent), side(of, *child));
                let along = upright(of)? * if p == 0 { 1.0 } else { -1.0 };
                let [own, other] = [p, c].map(|k| flat(of.frames[k].rotation.axes[0]));
                self.pair(turned(own, back(other)));
                self.pair(self.point(*joint, *parent));
                self.pair(self.point(*joint, *child));
                self.raise(*joint, *parent, *child);
                (along == *sign).then_some(())
            }
            Part::Slide { joint, parent, child, .. } => {
                let of = &self.model.joints[*joint];
                let p = side(of, *parent);
                self.pair(kept(of, p)?);
                self.pair(flat(of.frames[p].rotation.axes[2]));
                self.pair(self.point(*joint, *parent));
                self.pair(self.point(*joint, *child));
                self.raise(*joint, *parent, *child);
                Some(())
            }
            Part::Rrr(dyad) => self.rrr(dyad),
            Part::Rrp(dyad) => self.rrp(dyad),
            Part::Rpr(dyad) => self.rpr(dyad),
        }
    }

    fn rrr(&mut self, Dyad { joints: [i, k, j], known, bodies: [a, b], .. }: &Dyad) -> Option<()> {
        upright(&self.model.joints[*i]).and(upright(&self.model.joints[*k])).and(upright(&self.model.joints[*j]))?;
        for (outer, body, known) in [(*i, *a, known[0]), (*j, *b, known[1])] {
            let (own, middle) = (self.point(outer, body), self.point(*k, body));
            self.pair(self.point(outer, known));
            self.pair(own);
            let square = self.inverse(less(middle, own))?;
            self.list.push(square);
            self.raise(outer, known, body);
        }
        self.is_level(*k, [*a, *b]).then_some(())
    }

    fn rrp(&mut self, Dyad { joints: [i, k, j], known, bodies: [a, b], .. }: &Dyad) -> Option<()> {
        upright(&self.model.joints[*i]).and(upright(&self.model.joints[*k]))?;
        let (own, middle) = (self.point(*i, *a), self.point(*k, *a));
        self.pair(self.point(*i, known[0]));
        self.pair(own);
        let square = self.inverse(less(middle, own))?;
        self.list.push(square);
        let slide = &self.model.joints[*j];
        let from = side(slide, known[1]);
        let (keep, u) = (kept(slide, from)?, flat(slide.frames[from].rotation.axes[2]));
        let pin = self.point(*k, *b);
        let start = sum(self.point(*j, known[1]), turned(keep, less(pin, self.point(*j, *b))));
        [start, u, keep, pin].into_iter().for_each(|pair| self.pair(pair));
        self.raise(*i, known[0], *a);
        self.raise(*j, known[1], *b);
        self.is_level(*k, [*a, *b]).then_some(())
    }

    fn rpr(&mut self, Dyad { joints: [i, k, j], known, bodies: [a, b], .. }: &Dyad) -> Option<()> {
        upright(&self.model.joints[*i]).and(upright(&self.model.joints[*j]))?;
        let slide = &self.model.joints[*k];
        let from = side(slide, *a);
        let (keep, u) = (kept(slide, from)?, flat(slide.frames[from].rotation.axes[2]));
        let (own, far) = (self.point(*i, *a), self.point(*j, *b));
        let start = less(sum(self.point(*k, *a), turned(keep, less(far, self.point(*k, *b)))), own);
        let outer = [self.point(*i, known[0]), self.point(*j, known[1])];
        [outer[0], outer[1], own, u, keep, far].into_iter().for_each(|pair| self.pair(pair));
        self.list.push(cross(u, start));
        self.raise(*i, known[0], *a);
        self.raise(*j, known[1], *b);
        self.is_level(*k, [*a, *b]).then_some(())
    }
}

/// The sense in which a dyad of that kind is closed, or drawn, at these poses; zero where it is not shown clearly.
pub(super) fn sense(model: &Model, part: &Part, poses: &[Pose]) -> f64 {
    let at = |joint: usize, body: usize| {
        let joint = &model.joints[joint];
        flat(poses[body].apply(joint.frames[side(joint, body)].origin))
    };
    let along = |joint: usize, body: usize| {
        let joint = &model.joints[joint];
        flat(poses[body].rotation.apply(joint.frames[side(joint, body)].rotation.axes[2]))
    };
    let (shown, scale) = match part {
        Part::Rrr(Dyad { joints: [i, k, j], bodies: [a, b], .. }) => {
            let p = at(*i, *a);
            let (d, e) = (less(at(*j, *b), p), less(at(*k, *a), p));
            (cross(d, e), dot(d, d) * dot(e, e))
        }
        Part::Rrp(Dyad { joints: [i, k, j], bodies: [a, b], .. }) => {
            let (e, u) = (less(at(*k, *a), at(*i, *a)), along(*j, *b));
            (dot(e, u), dot(e, e) * dot(u, u))
        }
        Part::Rpr(Dyad { joints: [i, k, j], bodies: [a, b], .. }) => {
            let (e, u) = (less(at(*j, *b), at(*i, *a)), along(*k, *a));
            (dot(e, u), dot(e, e) * dot(u, u))
        }
        Part::Turn { .. } | Part::Slide { .. } => return 1.0,
    };
    match shown.abs() > SHOWN * scale.sqrt() {
        true => shown.signum(),
        false => 0.0,
    }
}
