//! What is told of bodies that are placed: columns of a run, for all lanes at once.

use super::parts::{is_pivot, upright, Numbers};
use super::place::Lead;
use super::plane::{back, dot, less, quarter, times, turned, Frame, Moving, Pair};
use crate::drivers::{Driver, Target};
use crate::math::{directions, whole, EulerParameters, Number};
use crate::model::Model;
use crate::signal::{Cost, Element, Signal};
use crate::solve::kept::Kept;
use std::f64::consts::TAU;

/// Most numbers that an element has.
const MOST: usize = 19;
/// A half turn reads +π, though rounding may have made it −π.
const TIE: f64 = 1e-9;

/// An element of which something is told.
#[derive(Debug, Clone)]
pub(super) struct Told {
    what: What,
    /// Numbers of it that are kept, each with its place among all that are.
    kept: Vec<(usize, usize)>,
    /// Where loads read a joint coordinate and its rate.
    read: Option<usize>,
}

/// Columns of a run.
#[derive(Debug, Default)]
pub(super) struct Columns {
    pub told: Vec<Told>,
    /// Elements that forces act in: numbers of each that are kept, with their places.
    pub forces: Vec<(Element, Vec<(usize, usize)>)>,
    /// Places in a run of all that is kept.
    pub places: Vec<usize>,
}

#[derive(Debug, Clone, Copy)]
enum What {
    /// The angle of a pivot between these bodies, and the driver that leads it.
    Angle {
        joint: usize,
        bodies: [usize; 2],
        sign: f64,
        driver: Option<usize>,
    },
    /// The way of a slide.
    Slide {
        joint: usize,
        bodies: [usize; 2],
    },
    /// A point of a body, and its speed and acceleration alone.
    Point {
        body: usize,
        point: usize,
    },
    Speeds {
        body: usize,
        point: Option<usize>,
    },
    Body {
        body: usize,
    },
}

impl Told {
    /// Columns of those signals that are filled; `None` where one is told otherwise. Time, which all share, is none of them.
    pub fn columns(model: &Model, signals: &[Signal], filled: &dyn Fn(usize) -> bool) -> Option<Columns> {
        let Kept { elements, places } = Kept::new(signals, filled);
        let mut made = Columns { places, ..Columns::default() };
        for (element, cost, kept) in elements {
            if cost == Cost::Forces {
                made.forces.push((element, kept));
                continue;
            }
            let what = What::of(model, element)?;
            // Attitudes as angles are left to others.
            if matches!(what, What::Speeds { .. }) && kept.iter().any(|(leaf, _)| *leaf > 1) {
                return None;
            }
            made.told.push(Told { what, kept, read: None });
        }
        Some(made)
    }

    /// All bodies that move, with all their numbers in space.
    pub fn bodies(model: &Model) -> Vec<Told> {
        let told = |body: usize| Told {
            what: What::Body { body },
            kept: (0..MOST).map(|k| (k, (body - 1) * MOST + k)).collect(),
            read: None,
        };
        (1..model.bodies.len()).map(told).collect()
    }

    /// A joint coordinate that loads read in that place.
    pub fn read(model: &Model, joint: usize, place: usize) -> Option<Told> {
        let what = What::of(model, Element::Coordinate(joint, 0))?;
        Some(Told { what, kept: Vec::new(), read: Some(place) })
    }
}

impl What {
    fn of(model: &Model, element: Element) -> Option<What> {
        Some(match element {
            Element::Coordinate(joint, 0) => {
                let of = &model.joints[joint];
                match is_pivot(of)? {
                    true => {
                        let leads =
                            |d: &Driver| matches!(&d.target, Target::Coordinate { of, .. } if of.joint == joint);
                        let driver = model.drivers.iter().position(leads);
                        What::Angle { joint, bodies: of.bodies, sign: upright(of)?, driver }
                    }
                    false => What::Slide { joint, bodies: of.bodies },
                }
            }
            Element::Point(body, point) if body > 0 => What::Point { body, point },
            Element::PointFigures(body, point) if body > 0 => What::Speeds { body, point: Some(point) },
            Element::Body(body) if body > 0 => What::Body { body },
            Element::BodyFigures(body) if body > 0 => What::Speeds { body, point: None },
            _ => return None,
        })
    }
}

impl Numbers<'_> {
    /// Adds what a design's columns need; `None` where its joints are none of this kind.
    pub fn tell(&mut self, told: &Told) -> Option<()> {
        let model = self.model;
        match told.what {
            What::Angle { joint, sign, .. } => {
                let joint = &model.joints[joint];
                joint.frames.iter().for_each(|f| self.list.extend([f.rotation.axes[0].x, f.rotation.axes[0].y]));
                return (upright(joint)? == sign).then_some(());
            }
            What::Slide { joint, .. } => {
                let [a, b] = &model.joints[joint].frames;
                let u = a.rotation.axes[2];
                self.list.extend([a.origin.x, a.origin.y, b.origin.x, b.origin.y, u.x, u.y]);
            }
            What::Point { body, point } => {
                let p = model.bodies[body].points[point].1;
                self.list.extend([p.x, p.y, self.heights[body] + p.z]);
            }
            What::Speeds { body, point } => {
                let p = point.map_or([0.0; 2], |k| {
                    let p = model.bodies[body].points[k].1;
                    [p.x, p.y]
                });
                self.list.extend(p);
            }
            What::Body { body } => {
                let EulerParameters(drawn) = model.guess().poses()[body].rotation.euler_parameters();
                self.list.extend([self.heights[body], drawn[0], drawn[3]]);
            }
        }
        Some(())
    }
}

/// What is told at one time.
pub(super) struct Telling<'a, N> {
    pub told: &'a [Told],
    pub frames: &'a [Frame<N>],
    pub leads: &'a [Lead<N>],
    /// Numbers of what is told, in its order.
    pub numbers: &'a [N],
    pub planar: bool,
    pub first: bool,
    /// Angles and attitudes of the last time.
    pub last: &'a mut [[N; 2]],
    /// Joint coordinates that loads read.
    pub coordinates: &'a mut [[N; 2]],
}

impl<N: Number> Telling<'_, N> {
    /// Hands all numbers that are kept to `keep`, each with its place.
    #[inline(always)]
    pub fn all(&mut self, mut keep: impl FnMut(usize, N)) {
        let mut at = 0;
        for (k, Told { what, kept, read }) in self.told.iter().enumerate() {
            let n = &self.numbers[at..];
            let mut tell = |values: &[N]| kept.iter().for_each(|(leaf, place)| keep(*place, values[*leaf]));
            at += match *what {
                What::Angle { bodies, sign, driver, .. } => {
                    let values = self.angle(k, bodies, N::splat(sign), driver, n);
                    tell(&values);
                    self.hand_on(*read, &values);
                    4
                }
                What::Slide { bodies, .. } => {
                    let values = self.slide(bodies, n);
                    tell(&values);
                    self.hand_on(*read, &values);
                    6
                }
                What::Point { body, .. } => {
                    let (zero, height) = (N::splat(0.0), n[2]);
                    let Moving { p, v, a } = self.frames[body].point([n[0], n[1]]);
                    match self.planar {
                        true => tell(&[p[0], p[1], v[0], v[1], a[0], a[1]]),
                        false => tell(&[p[0], p[1], height, v[0], v[1], zero, a[0], a[1], zero]),
                    }
                    3
                }
                What::Speeds { body, .. } => {
                    let at = self.frames[body].point([n[0], n[1]]);
                    tell(&[length(at.v), length(at.a)]);
                    2
                }
                What::Body { body } if self.planar => {
                    tell(&self.body_in_plane(k, body));
                    3
                }
                What::Body { body } => {
                    tell(&self.body(k, body, n));
                    3
                }
            };
        }
    }

    #[inline(always)]
    fn hand_on(&mut self, place: Option<usize>, values: &[N; 3]) {
        if let Some(slot) = place.and_then(|k| self.coordinates.get_mut(k)) {
            *slot = [values[0], values[1]];
        }
    }

    #[inline(always)]
    fn angle(&mut self, k: usize, [a, b]: [usize; 2], sign: N, driver: Option<usize>, n: &[N]) -> [N; 3] {
        let [a, b] = [&self.frames[a], &self.frames[b]];
        let turn = turned(back(turned(a.turn, [n[0], n[1]])), turned(b.turn, [n[2], n[3]]));
        let near = match driver {
            Some(driver) => self.leads[driver].v,
            None => self.near(k),
        };
        let angle = counted(sign * directions(turn[1], turn[0]), near);
        self.last[k][0] = angle;
        [angle, sign * (b.w - a.w), sign * (b.alpha - a.alpha)]
    }

    #[inline(always)]
    fn slide(&self, [a, b]: [usize; 2], n: &[N]) -> [N; 3] {
        let [a, b] = [&self.frames[a], &self.frames[b]];
        let (from, to) = (a.point([n[0], n[1]]), b.point([n[2], n[3]]));
        let u = turned(a.turn, [n[4], n[5]]);
        let [d, v, accel] = [less(to.p, from.p), less(to.v, from.v), less(to.a, from.a)];
        // u̇ = ω × u, ü = α × u − ω² u.
        let (u1, two) = (times(quarter(u), a.w), N::splat(2.0));
        let u2 = less(times(quarter(u), a.alpha), times(u, a.w * a.w));
        [dot(d, u), dot(v, u) + dot(d, u1), dot(accel, u) + two * dot(v, u1) + dot(d, u2)]
    }

    #[inline(always)]
    fn body_in_plane(&mut self, k: usize, body: usize) -> [N; 9] {
        let Frame { origin: Moving { p, v, a }, turn, w, alpha } = &self.frames[body];
        let angle = counted(directions(turn[1], turn[0]), self.near(k));
        self.last[k][0] = angle;
        [p[0], p[1], angle, v[0], v[1], *w, a[0], a[1], *alpha]
    }

    #[inline(always)]
    fn body(&mut self, k: usize, body: usize, n: &[N]) -> [N; MOST] {
        let Frame { origin: Moving { p, v, a }, turn, w, alpha } = &self.frames[body];
        let (o, half) = (N::splat(0.0), N::splat(0.5));
        // The larger of cos ½θ and sin ½θ by a root, the other by sin θ = 2 sin ½θ cos ½θ.
        let large = (half + half * turn[0].abs()).sqrt();
        let small = half * turn[1] / large;
        let right = turn[0].map(|c| if c >= 0.0 { 1.0 } else { 0.0 });
        let left = N::splat(1.0) - right;
        let now = [right * large + left * small, right * small + left * large];
        let last = if self.first { [n[1], n[2]] } else { self.last[k] };
        let sense = dot(now, last).map(|x| if x < 0.0 { -1.0 } else { 1.0 });
        let e = times(now, sense);
        self.last[k] = e;
        [p[0], p[1], n[0], e[0], o, o, e[1], v[0], v[1], o, o, o, *w, a[0], a[1], o, o, o, *alpha]
    }

    /// What an angle is counted from: the last one, and at first what lies within half a turn of zero.
    #[inline(always)]
    fn near(&self, k: usize) -> N {
        if self.first {
            N::splat(TIE)
        } else {
            self.last[k][0]
        }
    }
}

/// The angle plus whole turns that lies nearest to another.
#[inline(always)]
fn counted<N: Number>(angle: N, near: N) -> N {
    angle + N::splat(TAU) * whole((near - angle) * N::splat(1.0 / TAU))
}

#[inline(always)]
fn length<N: Number>(v: Pair<N>) -> N {
    dot(v, v).sqrt()
}
