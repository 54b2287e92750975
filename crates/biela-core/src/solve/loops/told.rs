//! What is told of bodies in place: columns of a run, lane by lane. It is little beside a step, and would be much to compile for every width.

use super::gauge::{carried, Kind, Reading};
use super::rows::Aim;
use super::spin::{about, angle, line};
use super::tree::Body;
use crate::drivers::Target;
use crate::joints::Measure;
use crate::math::triple::{dot, sum, Triple};
use crate::math::{directions, whole, EulerParameters, Number, Rotation, Vec3};
use crate::model::Model;
use crate::signal::Element;
use crate::solve::kept::Numbers;
use crate::solve::motion::{spun, Moment};
use std::f64::consts::TAU;

/// Numbers of a body in space.
const MOST: usize = 19;
/// A half turn reads +π, though rounding may have made it −π.
const TIE: f64 = 1e-9;

/// An element of which something is told.
#[derive(Debug, Clone)]
pub(super) struct Told {
    what: What,
    /// Numbers of it that are kept, each with its place among all that are.
    kept: Numbers,
    /// Where loads read a joint coordinate and its rate.
    read: Option<usize>,
}

#[derive(Debug, Clone)]
enum What {
    /// A joint coordinate, and the place of the driver that leads it among right-hand sides.
    Coordinate {
        joint: usize,
        coordinate: usize,
        of: Reading,
        aim: Option<usize>,
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
    /// A body, and whether it may spin idly about a line that its numbers tell.
    Body {
        body: usize,
        spins: bool,
    },
}

impl Told {
    /// An element of which these numbers are kept; `None` where it is told otherwise. Of bodies that may spin idly nothing is told that the spin
    /// changes, but where `spins`: it is what the way to a position leaves.
    pub fn new(model: &Model, element: Element, kept: Numbers, idle: &[usize], spins: bool) -> Option<Told> {
        /// Numbers of a body that say how it turns.
        const RATES: [std::ops::Range<usize>; 2] = [10..13, 16..19];
        let what = match element {
            Element::Coordinate(joint, coordinate) => What::coordinate(model, joint, coordinate)?,
            Element::Point(body, point) if body > 0 => What::Point { body, point },
            Element::PointFigures(body, point) if body > 0 => What::Speeds { body, point: Some(point) },
            Element::Body(body) if body > 0 => What::Body { body, spins: spins && idle.contains(&body) },
            Element::BodyFigures(body) if body > 0 => What::Speeds { body, point: None },
            _ => return None,
        };
        let told = match &what {
            // Attitudes as angles are left to others.
            What::Speeds { body, point } => {
                kept.iter().all(|(leaf, _)| *leaf < 2) && (point.is_some() || !idle.contains(body))
            }
            What::Body { body, spins: false } if idle.contains(body) => {
                kept.iter().all(|(leaf, _)| RATES.iter().any(|rates| rates.contains(leaf)))
            }
            _ => true,
        };
        told.then_some(Told { what, kept, read: None })
    }

    /// A joint coordinate that loads read in that place.
    pub fn read(model: &Model, (joint, coordinate): (usize, usize), place: usize) -> Option<Told> {
        Some(Told { what: What::coordinate(model, joint, coordinate)?, kept: Numbers::new(), read: Some(place) })
    }

    /// All bodies that move, with all their numbers in space.
    pub fn bodies(model: &Model) -> impl Iterator<Item = (Element, Numbers)> {
        let kept = |body: usize| (0..MOST).map(|k| (k, (body - 1) * MOST + k)).collect();
        (1..model.bodies.len()).map(move |body| (Element::Body(body), kept(body)))
    }

    /// Whether it is a body that may spin idly.
    pub fn spins(&self) -> bool {
        matches!(self.what, What::Body { spins: true, .. })
    }

    /// How many numbers of a design it needs.
    pub fn numbers(&self) -> usize {
        match &self.what {
            What::Coordinate { of, .. } => of.numbers(),
            What::Point { .. } | What::Speeds { .. } => 3,
            What::Body { spins: false, .. } => 4,
            What::Body { spins: true, .. } => 10,
        }
    }

    /// Adds these; `None` where the design's element is another.
    pub fn number(&self, model: &Model, size: f64, list: &mut Vec<f64>) -> Option<()> {
        let start = list.len();
        match &self.what {
            What::Coordinate { joint, coordinate, of, .. } => {
                let joint = &model.joints[*joint];
                of.number(&joint.kind.coordinate(joint, *coordinate)?, list)?;
            }
            What::Point { body, point } => list.extend(model.bodies[*body].points[*point].1.to_array()),
            What::Speeds { body, point } => {
                list.extend(point.map_or(Vec3::ZERO, |k| model.bodies[*body].points[k].1).to_array());
            }
            What::Body { body, spins } => {
                list.extend(model.guess().poses()[*body].rotation.euler_parameters().0);
                if *spins {
                    list.extend(line(model, *body, size)?.map(Vec3::to_array).as_flattened());
                }
            }
        }
        (list.len() - start == self.numbers()).then_some(())
    }
}

impl What {
    fn coordinate(model: &Model, joint: usize, coordinate: usize) -> Option<What> {
        let of = &model.joints[joint];
        let measure = of.kind.coordinate(of, coordinate)?;
        if matches!(measure, Measure::Dot(..) | Measure::DistanceSquared { .. }) {
            return None;
        }
        let of = Reading::new(&measure)?;
        let leads = |target: &Target| matches!(target, Target::Coordinate { of, .. } if (of.joint, of.coordinate) == (joint, coordinate));
        let aim = match of.gauge.kind {
            // Rows of angles are told for each time, and so are those of all drivers that move: each counts.
            Kind::Angle => model.drivers.iter().position(|driver| leads(&driver.target)),
            _ => None,
        };
        Some(What::Coordinate { joint, coordinate, of, aim })
    }

    /// The driver that leads the coordinate.
    fn driver(&mut self) -> Option<&mut Option<usize>> {
        match self {
            What::Coordinate { aim, .. } => Some(aim),
            _ => None,
        }
    }
}

impl Told {
    /// Puts the place among right-hand sides in the place of a driver's number.
    pub fn aim_at(&mut self, place: impl Fn(usize) -> Option<usize>) {
        if let Some(aim) = self.what.driver() {
            *aim = aim.and_then(place);
        }
    }
}

/// What is told of one lane at one time.
pub(super) struct Telling<'a, N> {
    pub lane: usize,
    pub told: &'a [Told],
    pub bodies: &'a [Body<N>],
    pub aims: &'a [Aim<N>],
    /// Numbers of what is told, in its order.
    pub numbers: &'a [N],
    /// What stands between the point at which motions are told and the ground's origin.
    pub origin: Triple<f64>,
    pub planar: bool,
    pub first: bool,
    /// Angles and attitudes of the last time; behind an attitude the turn about its line of a body that may spin idly.
    pub last: &'a mut [[f64; 5]],
    /// Joint coordinates that loads read, with their rates.
    pub coordinates: &'a mut [[N; 2]],
}

impl<N: Number> Telling<'_, N> {
    /// Hands all numbers that are kept to `keep`, each with its place.
    pub fn all(&mut self, keep: &mut dyn FnMut(usize, f64)) {
        let mut at = 0;
        for (k, Told { what, kept, read }) in self.told.iter().enumerate() {
            let n: &[N] = &self.numbers[at..];
            // A zero has one sign.
            let mut tell = |values: &[f64]| kept.iter().for_each(|(leaf, place)| keep(*place, values[*leaf] + 0.0));
            match what {
                What::Coordinate { of, aim, .. } => {
                    let values = self.coordinate(k, of, *aim, n);
                    tell(&values);
                    if let Some(slot) = read.and_then(|place| self.coordinates.get_mut(place)) {
                        slot.iter_mut().zip(values).for_each(|(slot, x)| slot.set(self.lane, x));
                    }
                }
                What::Point { body, .. } => {
                    let [p, v, a] = self.point(*body, self.three(n, 0));
                    match self.planar {
                        true => tell(&[p[0], p[1], v[0], v[1], a[0], a[1]]),
                        false => tell(&[p[0], p[1], p[2], v[0], v[1], v[2], a[0], a[1], a[2]]),
                    }
                }
                What::Speeds { body, .. } => {
                    let [_, v, a] = self.point(*body, self.three(n, 0));
                    tell(&[dot(v, v).sqrt(), dot(a, a).sqrt()]);
                }
                What::Body { body, .. } if self.planar => tell(&self.body_in_plane(k, *body)),
                What::Body { body, spins } => tell(&self.body(k, (*body, *spins), n)),
            }
            at += self.told[k].numbers();
        }
    }

    /// Follows bodies that may spin idly over a step of length `h` from the moments before it: what they have spun is taken back. False where they begin too
    /// far from their drawing.
    pub fn spin(&mut self, h: f64, moments: &mut [Option<Moment>]) -> bool {
        let (mut at, mut near) = (0, true);
        for ((k, told), before) in self.told.iter().enumerate().zip(moments) {
            let n = &self.numbers[at..];
            at += told.numbers();
            let What::Body { body, spins: true } = told.what else { continue };
            let Body { R, motion: [w, _], acceleration: [alpha, _], .. } = self.of(body);
            let (u, axes) = (self.three(n, 7), R.map(Vec3::from));
            let here = Moment::new(&Rotation { axes }, [w, alpha].map(Vec3::from), Vec3::from(u));
            match before {
                Some(before) if !self.first => self.last[k][4] -= spun(before, &here, h),
                _ => {
                    let drawn = [0, 1, 2, 3].map(|k| n[k].lane(self.lane));
                    let found = angle(&EulerParameters(drawn).rotation(), &R, u);
                    self.last[k][4] = found.unwrap_or(0.0);
                    near &= found.is_some();
                }
            }
            *before = Some(here);
        }
        near
    }

    /// A body of the lane.
    fn of(&self, body: usize) -> Body<f64> {
        self.bodies[body].lane(self.lane)
    }

    fn three(&self, n: &[N], at: usize) -> Triple<f64> {
        [0, 1, 2].map(|k| n[at + k].lane(self.lane))
    }

    /// A point of a body in the ground, with its velocity and acceleration.
    fn point(&self, body: usize, p_B: Triple<f64>) -> [Triple<f64>; 3] {
        self.point_of(&self.of(body), p_B)
    }

    fn point_of(&self, body: &Body<f64>, p_B: Triple<f64>) -> [Triple<f64>; 3] {
        let p = body.point(p_B);
        let v = body.velocity(p);
        [sum(p, self.origin), v, body.accelerates(body.acceleration, p, v)]
    }

    fn coordinate(&mut self, k: usize, Reading { gauge, places }: &Reading, aim: Option<usize>, n: &[N]) -> [f64; 3] {
        let zero = [0.0; 3];
        let (mut value, mut rate, mut second) = ([zero; 3], [zero; 3], [zero; 3]);
        for (j, place) in places.iter().enumerate() {
            let body = self.of(place.body);
            let own = self.three(n, 3 * j);
            value[j] = if place.point { body.point(own) } else { body.turned(own) };
            (rate[j], second[j]) = carried(&body, body.acceleration, place.point, value[j]);
        }
        let [v, a] = gauge.rates(&value, &rate, &second);
        let found = match gauge.kind {
            Kind::Angle => {
                let near = match aim {
                    Some(aim) => self.aims[aim].v.lane(self.lane),
                    None => self.near(k),
                };
                let (s, c) = gauge.sine_cosine(&value);
                counted(directions(s, c), near)
            }
            _ => gauge.value(&value),
        };
        self.last[k][0] = found;
        [found, v, a]
    }

    fn body_in_plane(&mut self, k: usize, body: usize) -> [f64; 9] {
        let [p, v, a] = self.point(body, [0.0; 3]);
        let Body { R, motion, acceleration, .. } = self.of(body);
        let angle = counted(directions(R[0][1], R[0][0]), self.near(k));
        self.last[k][0] = angle;
        [p[0], p[1], angle, v[0], v[1], motion[0][2], a[0], a[1], acceleration[0][2]]
    }

    fn body(&mut self, k: usize, (body, spins): (usize, bool), n: &[N]) -> [f64; MOST] {
        let mut state = self.of(body);
        let drawn = [0, 1, 2, 3].map(|k| n[k].lane(self.lane));
        if spins {
            state = about(state, [self.three(n, 4), self.three(n, 7)], self.last[k][4]);
        }
        let [p, v, a] = self.point_of(&state, [0.0; 3]);
        let Body { R, motion: [w, _], acceleration: [alpha, _], .. } = state;
        let [e0, e1, e2, e3, _] = self.last[k];
        let last = if self.first { drawn } else { [e0, e1, e2, e3] };
        let rotation = Rotation { axes: R.map(Vec3::from) };
        let EulerParameters(e) = rotation.euler_parameters().near(&EulerParameters(last));
        self.last[k][..4].copy_from_slice(&e);
        let mut all = [0.0; MOST];
        let parts = [&p[..], &e, &v, &w, &a, &alpha];
        all.iter_mut().zip(parts.into_iter().flatten()).for_each(|(to, x)| *to = *x);
        all
    }

    /// What an angle is counted from: the last one, and at first what lies within half a turn of zero.
    fn near(&self, k: usize) -> f64 {
        if self.first {
            TIE
        } else {
            self.last[k][0]
        }
    }
}

/// The angle plus whole turns that lies nearest to another.
#[inline(always)]
fn counted(angle: f64, near: f64) -> f64 {
    angle + TAU * whole((near - angle) * (1.0 / TAU))
}
