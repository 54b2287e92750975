//! Two forms: what of them may touch, and how far it is from that.
//!
//! | forms | sources |
//! |---|---|
//! | a ball and anything | the ball |
//! | anything and a half space | balls at a capsule's ends, corners, the rims of a cylinder, a curve |
//! | in a plane: chains and capsules | corners and ends of each against the other, curves |
//! | two solids with flat faces | corners of each against the other, edges |
//! | other solids | where they are nearest |

use crate::chain::{rest, Chain, Piece};
use crate::convex::{self, Found, Near, Supports};
use crate::foot::{Core, Ends, Foot, SMOOTH};
use crate::form::{Form, Placed};
use crate::overlap;
use biela_math::{Pose, Vec3};
use std::sync::Arc;

/// Two forms and what of them may touch.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    forms: [Arc<Placed>; 2],
    sources: Vec<Source>,
    /// Whether the nearest places need a search among convex solids.
    solids: bool,
}

/// Something of one form that may touch the other.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// A ball, or with radius 0 a corner, in its body's frame.
    Ball {
        /// Whose it is.
        side: usize,
        /// Its middle.
        at: Vec3,
        /// Its radius.
        radius: f64,
        /// Of a corner, unit vectors in the body's frame along what begins there.
        own: Vec<Vec3>,
        /// The part of the other form, between two hollow corners, that it may touch; none where there is one alone.
        run: Option<usize>,
    },
    /// The rim of a cylinder against a half space.
    Rim {
        /// Whose it is.
        side: usize,
        /// Its middle in the body's frame.
        at: Vec3,
        /// Unit vector along the axis there.
        axis: Vec3,
        /// Its radius.
        radius: f64,
        /// A fixed point of it, by a unit vector in the body's frame, on which it rests where it stands flat; none for the lowest.
        out: Option<Vec3>,
    },
    /// A curve against what is nearest of the other form.
    Curve {
        /// Whose it is.
        side: usize,
    },
    /// Two solids where they are nearest; of those with corners of their own, edges alone.
    Solids {
        /// Whether corners are sources of their own.
        edges: bool,
    },
}

/// How far a source is from touching, and where.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// Distance; negative by the depth of an overlap, infinite where nothing of the source faces the other form.
    pub gap: f64,
    /// Unit vector out of the first form towards the second, in ground axes.
    pub normal: Vec3,
    /// The nearest points of both, in the ground.
    pub points: [Vec3; 2],
    /// What both are like there, each in its body's frame.
    pub cores: [Core; 2],
    /// Of a corner, where what it touches ends: how far that is, and which way the second body goes against the first to get there, in ground axes.
    pub ends: Ends,
    /// How near to such an end a corner counts as on it, and how far beyond it still touches.
    pub skin: f64,
}

/// Why two forms are no pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unmatched {
    /// Neither of two half spaces ends anywhere.
    HalfSpaces,
    /// A curve lies in a plane, and the other form in space.
    OutOfPlane,
}

/// Sine of the lean below which a rim has no lowest point: there the points of its own are as low but for 1e-7 of the radius.
const FLAT: f64 = 1e-6;
/// Sine of the lean up to which it rests on points of its own: from there on they are higher by up to 1e-4 of the radius.
const LEANS: f64 = 1e-3;

/// Cosine of the angle between a curve and the other form's normal that is none: where it is bisected it is a rounding, in front of a corner of order one.
const AT_REST: f64 = 1e-6;

const NOTHING: Touch = Touch {
    gap: f64::INFINITY,
    normal: Vec3::X,
    points: [Vec3::ZERO; 2],
    cores: [Core::Point { at: Vec3::ZERO, radius: 0.0 }; 2],
    ends: SMOOTH,
    skin: 0.0,
};

/// How near to a corner another counts as in it, and as far beyond an edge it still touches, in sizes of the form: well above roundings of places, and far below what
/// may overlap.
const SKIN: f64 = 1e-10;

impl Pair {
    /// Two forms, in a plane or in space.
    pub fn new<P: Into<Arc<Placed>>>(forms: [P; 2], planar: bool) -> Result<Pair, Unmatched> {
        let forms = forms.map(Into::into);
        let [a, b] = [&forms[0].form, &forms[1].form];
        let is_chain = |form: &Form| matches!(form, Form::Chain(_));
        if !planar && (is_chain(a) || is_chain(b)) {
            return Err(Unmatched::OutOfPlane);
        }
        let mut sources = Vec::new();
        let mut solids = false;
        match (a, b) {
            (Form::HalfSpace { .. }, Form::HalfSpace { .. }) => return Err(Unmatched::HalfSpaces),
            (Form::HalfSpace { .. }, _) => against_plane(&forms, 1, &mut sources),
            (_, Form::HalfSpace { .. }) => against_plane(&forms, 0, &mut sources),
            (Form::Ball { radius }, _) => balls(&forms, 0, (Vec3::ZERO, *radius), &[], &mut sources),
            (_, Form::Ball { radius }) => balls(&forms, 1, (Vec3::ZERO, *radius), &[], &mut sources),
            _ if planar => in_plane(&forms, &mut sources),
            _ => {
                let flat = |form: &Form| matches!(form, Form::Box { .. } | Form::Hull { .. });
                let edges = flat(a) && flat(b);
                for side in (0..2).filter(|_| edges) {
                    corners(&forms, side, &mut sources);
                }
                sources.push(Source::Solids { edges });
                solids = true;
            }
        }
        Ok(Pair { forms, sources, solids })
    }

    /// What of them may touch.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// The forms.
    pub fn forms(&self) -> &[Arc<Placed>; 2] {
        &self.forms
    }

    /// No more than their distance, from balls around them.
    pub fn at_least(&self, poses: [&Pose; 2]) -> f64 {
        let [(a, r), (b, s)] = [0, 1].map(|k| (poses[k].apply(self.forms[k].around.0), self.forms[k].around.1));
        (b - a).norm() - r - s
    }

    /// How far source `k` is from touching, with both bodies at these poses.
    pub fn touch(&self, k: usize, poses: [&Pose; 2]) -> Touch {
        match &self.sources[k] {
            Source::Ball { side, at, radius, own, run } => self.of_ball(poses, *side, (*at, *radius), (own, *run)),
            Source::Rim { side, at, axis, radius, out } => self.of_rim(poses, *side, (*at, *axis, *radius), *out),
            Source::Curve { side } => self.of_curve(poses, *side),
            Source::Solids { edges } => self.of_solids(poses, *edges),
        }
    }

    /// What the gap of source `k` is not below: it changes no faster than the bodies move.
    pub fn apart(&self, k: usize, poses: [&Pose; 2]) -> f64 {
        match &self.sources[k] {
            Source::Ball { side, at, radius, .. } => {
                self.foot(poses, 1 - side, poses[*side].apply(*at)).0.distance - radius
            }
            _ => self.least(poses).gap,
        }
    }

    /// Where the two forms are nearest.
    pub fn least(&self, poses: [&Pose; 2]) -> Touch {
        if self.solids {
            return self.of_solids(poses, false);
        }
        let mut least = NOTHING;
        for k in 0..self.sources.len() {
            let touch = self.touch(k, poses);
            if touch.gap < least.gap {
                least = touch;
            }
        }
        match (&self.forms[0].form, &self.forms[1].form) {
            (Form::Chain(a), Form::Chain(b)) if least.gap > 0.0 => self.crossed(poses, [a, b], least),
            _ => least,
        }
    }

    /// The form's frame in the ground.
    fn frame(&self, poses: [&Pose; 2], side: usize) -> Pose {
        *poses[side] * self.forms[side].X_BS
    }

    /// The place of a form that is nearest to a point of the ground, and that form's normal in ground axes.
    fn foot(&self, poses: [&Pose; 2], side: usize, p: Vec3) -> (Foot, Vec3) {
        let frame = self.frame(poses, side);
        let foot = self.forms[side].form.foot(frame.apply_inverse(p));
        (foot, frame.rotation.apply(foot.normal))
    }

    fn of_ball(
        &self,
        poses: [&Pose; 2],
        side: usize,
        (at, radius): (Vec3, f64),
        (own, run): (&[Vec3], Option<usize>),
    ) -> Touch {
        let middle = poses[side].apply(at);
        let (frame, other) = (self.frame(poses, 1 - side), &self.forms[1 - side]);
        let p = frame.apply_inverse(middle);
        let mut foot = other.form.foot_of_run(p, run);
        let skin = SKIN * other.around.1;
        let sharp = |foot: &Foot| foot.ends.iter().flatten().any(|end| end.0 <= skin);
        if radius == 0.0 && foot.distance.abs() <= skin && sharp(&foot) {
            let turned = |way: &Vec3| frame.rotation.apply_transposed(poses[side].rotation.apply(*way));
            let own: Vec<Vec3> = own.iter().map(turned).collect();
            foot = other.form.side_below(p, skin, &own).unwrap_or(foot);
        }
        if foot.distance == f64::INFINITY {
            return NOTHING;
        }
        let normal = frame.rotation.apply(foot.normal);
        let points = [middle - normal * radius, middle - normal * foot.distance];
        let cores = [Core::Point { at, radius }, self.core(1 - side, foot.core)];
        let sense = if side == 0 { -1.0 } else { 1.0 };
        let ends = match radius == 0.0 {
            true => foot.ends.map(|end| end.map(|(room, way)| (room, frame.rotation.apply(way) * sense))),
            false => SMOOTH,
        };
        Touch { ends, skin, ..told(foot.distance - radius, side, normal, points, cores) }
    }

    fn of_rim(
        &self,
        poses: [&Pose; 2],
        side: usize,
        (at, axis, radius): (Vec3, Vec3, f64),
        out_B: Option<Vec3>,
    ) -> Touch {
        let (middle, along) = (poses[side].apply(at), poses[side].rotation.apply(axis));
        let (_, normal) = self.foot(poses, 1 - side, middle);
        let across = along * normal.dot(along) - normal;
        let lean = across.norm();
        let (out, own) = match out_B {
            // The lowest point of the rim, which is none where all are.
            None if lean >= FLAT => (across * (1.0 / lean), Core::Rim { at, axis, radius }),
            Some(out_B) if lean < LEANS => {
                (poses[side].rotation.apply(out_B), Core::Point { at: at + out_B * radius, radius: 0.0 })
            }
            _ => return NOTHING,
        };
        let lowest = middle + out * radius;
        let (foot, normal) = self.foot(poses, 1 - side, lowest);
        let cores = [own, self.core(1 - side, foot.core)];
        told(foot.distance, side, normal, [lowest, lowest - normal * foot.distance], cores)
    }

    fn of_curve(&self, poses: [&Pose; 2], side: usize) -> Touch {
        let Form::Chain(chain) = &self.forms[side].form else { return NOTHING };
        let frame = self.frame(poses, side);
        let mut best: Option<(f64, &Piece, f64)> = None;
        for piece in chain.pieces().iter().filter(|piece| !matches!(piece, Piece::Segment(_))) {
            let point = |u: f64| frame.apply(piece.at(u)[0]);
            let places = match piece {
                Piece::Arc { .. } => 24,
                _ => 6,
            };
            let place = |k: usize| k as f64 / places as f64;
            let far: Vec<f64> = (0..=places).map(|k| self.foot(poses, 1 - side, point(place(k))).0.distance).collect();
            for k in 0..=places {
                let lower = |j: usize| far[j] < far[k];
                if (k > 0 && lower(k - 1)) || (k < places && lower(k + 1)) {
                    continue;
                }
                let slope = |u: f64| {
                    let [p, along, _] = piece.at(u);
                    self.foot(poses, 1 - side, frame.apply(p)).1.dot(frame.rotation.apply(along))
                };
                let u = rest(slope, place(k.saturating_sub(1)), place((k + 1).min(places)));
                let found = self.foot(poses, 1 - side, point(u)).0.distance;
                if best.is_none_or(|b| found < b.0) {
                    best = Some((found, piece, u));
                }
            }
        }
        let Some((_, piece, u)) = best else { return NOTHING };
        let [p, along, bend] = piece.at(u);
        let at = frame.apply(p);
        let (foot, normal) = self.foot(poses, 1 - side, at);
        // A corner is a source of its own; in front of one, within the curve, the nearest side changes without a place of rest.
        let rests = normal.dot(frame.rotation.apply(along)).abs() <= AT_REST * along.norm();
        let end = u == 0.0 || u == 1.0;
        if !(rests || end) || matches!(foot.core, Core::Point { radius: 0.0, .. }) {
            return NOTHING;
        }
        // The curve's own circle there, its middle within where it bulges towards the other form.
        let out = frame.rotation.apply_transposed(-normal);
        let speed = along.norm();
        let curvature = -bend.dot(out) / (speed * speed);
        let own = match curvature == 0.0 {
            true => Core::Plane { at: p, normal: out },
            false => Core::Point { at: p - out * (1.0 / curvature), radius: 1.0 / curvature },
        };
        let cores = [self.core(side, own), self.core(1 - side, foot.core)];
        told(foot.distance, side, normal, [at, at - normal * foot.distance], cores)
    }

    fn of_solids(&self, poses: [&Pose; 2], edges: bool) -> Touch {
        let (first, second) = (self.frame(poses, 0), self.frame(poses, 1));
        let [a, b] = [&self.forms[0].form, &self.forms[1].form];
        // In the axes of the first form, about its origin.
        let support_a = |along: Vec3| a.support(along);
        let across = first.inverse() * second;
        let support_b = |along: Vec3| across.apply(b.support(across.rotation.apply_transposed(along)));
        let supports = Supports { a: &support_a, b: &support_b };
        let rounding = [a.rounding(), b.rounding()];
        let (normal, apart, near) = match convex::apart(&supports) {
            Found::Apart(near) => {
                let d = near.b - near.a;
                (d.unit().unwrap_or(Vec3::X), d.norm(), *near)
            }
            Found::Overlap(simplex) => {
                let (depth, normal) = overlap::depth(&supports, simplex);
                let on_a = support_a(normal);
                // Where the second reaches deepest into the first.
                let deepest = support_b(-normal);
                let near = Near {
                    a: deepest + normal * depth,
                    b: deepest,
                    corners_a: [Some(on_a), None, None],
                    corners_b: [Some(deepest), None, None],
                };
                (normal, -depth, near)
            }
        };
        let count = |corners: &[Option<Vec3>; 3]| corners.iter().flatten().count();
        if edges && !(apart > 0.0 && count(&near.corners_a) == 2 && count(&near.corners_b) == 2) {
            return NOTHING;
        }
        let place = |X: &Pose, p: Vec3| X.apply_inverse(first.apply(p));
        let core = |side: usize, corners: &[Option<Vec3>; 3], p: Vec3| {
            let X = poses[side];
            match corners {
                [Some(p), Some(q), None] => {
                    let (p, q) = (place(X, *p), place(X, *q));
                    Core::Line { at: p, along: (q - p).unit().unwrap_or(Vec3::X), radius: rounding[side] }
                }
                [Some(_), Some(_), Some(_)] => {
                    let sense = if side == 0 { 1.0 } else { -1.0 };
                    let out = X.rotation.apply_transposed(first.rotation.apply(normal * sense));
                    Core::Plane { at: place(X, p), normal: out }
                }
                _ => Core::Point { at: place(X, p), radius: rounding[side] },
            }
        };
        let cores = [core(0, &near.corners_a, near.a), core(1, &near.corners_b, near.b)];
        let points = [near.a + normal * rounding[0], near.b - normal * rounding[1]].map(|p| first.apply(p));
        Touch { gap: apart - rounding[0] - rounding[1], normal: first.rotation.apply(normal), points, cores, ..NOTHING }
    }

    /// Two chains of which no corner lies in the other may cross all the same.
    fn crossed(&self, poses: [&Pose; 2], chains: [&Chain; 2], least: Touch) -> Touch {
        if self.at_least(poses) > 0.0 {
            return least;
        }
        let across = self.frame(poses, 0).inverse() * self.frame(poses, 1);
        let lines = |chain: &Chain, X: &Pose| -> Vec<[Vec3; 2]> {
            let line = |piece: &Piece| match piece {
                Piece::Segment(ends) => Some(ends.map(|p| X.apply(p))),
                _ => None,
            };
            chain.pieces().iter().filter_map(line).collect()
        };
        let (own, other) = (lines(chains[0], &Pose::IDENTITY), lines(chains[1], &across));
        let beside = |[a, b]: [Vec3; 2], p: Vec3| (b - a).cross(p - a).z / (b - a).norm();
        let mut depth = 0.0f64;
        for one in &own {
            for two in &other {
                let (p, q) = (two.map(|p| beside(*one, p)), one.map(|p| beside(*two, p)));
                if p[0] * p[1] < 0.0 && q[0] * q[1] < 0.0 {
                    let least = p.into_iter().chain(q).map(f64::abs).fold(f64::INFINITY, f64::min);
                    depth = depth.max(least);
                }
            }
        }
        if depth > 0.0 {
            Touch { gap: -depth, ..least }
        } else {
            least
        }
    }

    /// What a form is like somewhere, from its own frame to its body's.
    fn core(&self, side: usize, core: Core) -> Core {
        let X = &self.forms[side].X_BS;
        let turned = |v: Vec3| X.rotation.apply(v);
        match core {
            Core::Point { at, radius } => Core::Point { at: X.apply(at), radius },
            Core::Line { at, along, radius } => Core::Line { at: X.apply(at), along: turned(along), radius },
            Core::Plane { at, normal } => Core::Plane { at: X.apply(at), normal: turned(normal) },
            Core::Rim { at, axis, radius } => Core::Rim { at: X.apply(at), axis: turned(axis), radius },
        }
    }
}

/// A touch of something of one side, with the normal out of the other form; points and cores are those of this side first.
fn told(gap: f64, side: usize, normal: Vec3, [own, other]: [Vec3; 2], cores: [Core; 2]) -> Touch {
    let [mine, its] = cores;
    match side {
        0 => Touch { gap, normal: -normal, points: [own, other], cores: [mine, its], ..NOTHING },
        _ => Touch { gap, normal, points: [other, own], cores: [its, mine], ..NOTHING },
    }
}

/// A ball, or a corner, of one form against the other: against each of its runs.
fn balls(forms: &[Arc<Placed>; 2], side: usize, (at, radius): (Vec3, f64), own: &[Vec3], sources: &mut Vec<Source>) {
    let X = &forms[side].X_BS;
    let own: Vec<Vec3> = own.iter().map(|way| X.rotation.apply(*way)).collect();
    let ball = |run: Option<usize>| Source::Ball { side, at: X.apply(at), radius, own: own.clone(), run };
    match forms[1 - side].form.runs() {
        0 => sources.push(ball(None)),
        count => sources.extend((0..count).map(|run| ball(Some(run)))),
    }
}

fn corners(forms: &[Arc<Placed>; 2], side: usize, sources: &mut Vec<Source>) {
    for (at, own) in forms[side].form.corners() {
        balls(forms, side, (at, 0.0), &own, sources);
    }
}

fn against_plane(forms: &[Arc<Placed>; 2], side: usize, sources: &mut Vec<Source>) {
    let placed = &forms[side];
    match &placed.form {
        Form::Ball { radius } => balls(forms, side, (Vec3::ZERO, *radius), &[], sources),
        Form::Capsule { half, radius } => ends(forms, side, (*half, *radius), sources),
        Form::Cylinder { half, radius } => {
            let axis = placed.X_BS.rotation.apply(Vec3::Z);
            for end in [-1.0, 1.0] {
                let at = placed.X_BS.apply(Vec3::Z * (end * half));
                let rim = |out: Option<Vec3>| Source::Rim { side, at, axis, radius: *radius, out };
                sources.push(rim(None));
                let half = 0.5f64.sqrt();
                for (x, y) in [(1.0, 0.0), (half, half), (0.0, 1.0), (-half, half)] {
                    let out = placed.X_BS.rotation.apply(Vec3::new(x, y, 0.0));
                    sources.extend([rim(Some(out)), rim(Some(-out))]);
                }
            }
        }
        Form::Chain(chain) => {
            corners(forms, side, sources);
            chain.is_curved().then(|| sources.push(Source::Curve { side }));
        }
        _ => corners(forms, side, sources),
    }
}

fn ends(forms: &[Arc<Placed>; 2], side: usize, (half, radius): (f64, f64), sources: &mut Vec<Source>) {
    [-half, half].into_iter().for_each(|z| balls(forms, side, (Vec3::Z * z, radius), &[], sources));
}

/// Chains and capsules in a plane.
fn in_plane(forms: &[Arc<Placed>; 2], sources: &mut Vec<Source>) {
    let curved = |side: usize| matches!(&forms[side].form, Form::Chain(chain) if chain.is_curved());
    for (side, placed) in forms.iter().enumerate() {
        match &placed.form {
            Form::Capsule { half, radius } => ends(forms, side, (*half, *radius), sources),
            _ => corners(forms, side, sources),
        }
    }
    if let Some(side) = (0..2).find(|side| curved(*side)) {
        sources.push(Source::Curve { side });
    }
}
