//! What is told of bodies in place: columns of a run, lane by lane. It is little beside a step, and would be much to compile for every width.

use super::rows::{carried, gauge, place, rates, Aim, Gauge, Kind, Place};
use super::tree::Body;
use crate::drivers::Target;
use crate::joints::Measure;
use crate::math::triple::{dot, less, sum, Triple};
use crate::math::{directions, whole, EulerParameters, Number, Rotation, Vec3};
use crate::model::Model;
use crate::signal::Element;
use crate::solve::kept::Numbers;
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
}

#[derive(Debug, Clone)]
enum What {
    /// A joint coordinate, and the place of the driver that leads it among right-hand sides.
    Coordinate {
        joint: usize,
        coordinate: usize,
        gauge: Gauge,
        places: Vec<Place>,
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
    Body {
        body: usize,
    },
}

impl Told {
    /// An element of which these numbers are kept; `None` where it is told otherwise. Of bodies that may spin idly nothing is told that the spin
    /// changes: it is what the way to a position leaves.
    pub fn new(model: &Model, element: Element, kept: Numbers, idle: &[usize]) -> Option<Told> {
        /// Numbers of a body that say how it turns.
        const RATES: [std::ops::Range<usize>; 2] = [10..13, 16..19];
        let what = match element {
            Element::Coordinate(joint, coordinate) => What::coordinate(model, joint, coordinate)?,
            Element::Point(body, point) if body > 0 => What::Point { body, point },
            Element::PointFigures(body, point) if body > 0 => What::Speeds { body, point: Some(point) },
            Element::Body(body) if body > 0 => What::Body { body },
            Element::BodyFigures(body) if body > 0 => What::Speeds { body, point: None },
            _ => return None,
        };
        let told = match &what {
            // Attitudes as angles are left to others.
            What::Speeds { body, point } => {
                kept.iter().all(|(leaf, _)| *leaf < 2) && (point.is_some() || !idle.contains(body))
            }
            What::Body { body } if idle.contains(body) => {
                kept.iter().all(|(leaf, _)| RATES.iter().any(|rates| rates.contains(leaf)))
            }
            _ => true,
        };
        told.then_some(Told { what, kept })
    }

    /// All bodies that move, with all their numbers in space.
    pub fn bodies(model: &Model) -> impl Iterator<Item = (Element, Numbers)> {
        let kept = |body: usize| (0..MOST).map(|k| (k, (body - 1) * MOST + k)).collect();
        (1..model.bodies.len()).map(move |body| (Element::Body(body), kept(body)))
    }

    /// How many numbers of a design it needs.
    pub fn numbers(&self) -> usize {
        match &self.what {
            What::Coordinate { places, .. } => 3 * places.len(),
            What::Point { .. } | What::Speeds { .. } => 3,
            What::Body { .. } => 4,
        }
    }

    /// Adds these; `None` where the design's element is another.
    pub fn number(&self, model: &Model, list: &mut Vec<f64>) -> Option<()> {
        let start = list.len();
        match &self.what {
            What::Coordinate { joint, coordinate, gauge: own, places, .. } => {
                let joint = &model.joints[*joint];
                let mut count = 0;
                let same = gauge(&joint.kind.coordinate(joint, *coordinate)?, |marker| {
                    let (place, numbers) = place(marker)?;
                    list.extend(numbers);
                    count += 1;
                    (places.get(count - 1) == Some(&place)).then_some(count - 1)
                })?;
                if same != *own {
                    return None;
                }
            }
            What::Point { body, point } => list.extend(model.bodies[*body].points[*point].1.to_array()),
            What::Speeds { body, point } => {
                list.extend(point.map_or(Vec3::ZERO, |k| model.bodies[*body].points[k].1).to_array());
            }
            What::Body { body } => list.extend(model.guess().poses()[*body].rotation.euler_parameters().0),
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
        let mut places = Vec::new();
        let gauge = gauge(&measure, |marker| {
            places.push(place(marker)?.0);
            Some(places.len() - 1)
        })?;
        let leads = |target: &Target| matches!(target, Target::Coordinate { of, .. } if (of.joint, of.coordinate) == (joint, coordinate));
        let aim = match gauge.kind {
            // Rows of angles are told for each time, and so are those of all drivers that move: each counts.
            Kind::Angle => model.drivers.iter().position(|driver| leads(&driver.target)),
            _ => None,
        };
        Some(What::Coordinate { joint, coordinate, gauge, places, aim })
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
    /// Angles and attitudes of the last time.
    pub last: &'a mut [[f64; 4]],
}

impl<N: Number> Telling<'_, N> {
    /// Hands all numbers that are kept to `keep`, each with its place.
    pub fn all(&mut self, keep: &mut dyn FnMut(usize, f64)) {
        let mut at = 0;
        for (k, Told { what, kept }) in self.told.iter().enumerate() {
            let n: &[N] = &self.numbers[at..];
            // A zero has one sign.
            let mut tell = |values: &[f64]| kept.iter().for_each(|(leaf, place)| keep(*place, values[*leaf] + 0.0));
            match what {
                What::Coordinate { gauge, places, aim, .. } => tell(&self.coordinate(k, gauge, places, *aim, n)),
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
                What::Body { body } if self.planar => tell(&self.body_in_plane(k, *body)),
                What::Body { body } => tell(&self.body(k, *body, n)),
            }
            at += self.told[k].numbers();
        }
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
        let body = self.of(body);
        let p = body.point(p_B);
        let v = body.velocity(p);
        [sum(p, self.origin), v, body.accelerates(body.acceleration, p, v)]
    }

    fn coordinate(&mut self, k: usize, gauge: &Gauge, places: &[Place], aim: Option<usize>, n: &[N]) -> [f64; 3] {
        let zero = [0.0; 3];
        let (mut value, mut rate, mut second) = ([zero; 3], [zero; 3], [zero; 3]);
        for (j, place) in places.iter().enumerate() {
            let body = self.of(place.body);
            let own = self.three(n, 3 * j);
            value[j] = if place.point { body.point(own) } else { body.turned(own) };
            (rate[j], second[j]) = carried(&body, body.acceleration, place.point, value[j]);
        }
        let [v, a] = rates(gauge, &value, &rate, &second);
        let [x, y, m] = gauge.markers.map(|j| value[j]);
        let found = match gauge.kind {
            Kind::Angle => {
                let near = match aim {
                    Some(aim) => self.aims[aim].v.lane(self.lane),
                    None => self.near(k),
                };
                counted(directions(dot(y, m), dot(x, m)), near)
            }
            Kind::Along => dot(x, less(m, y)),
            Kind::Dot => dot(x, y),
            Kind::Square => dot(less(y, x), less(y, x)),
            Kind::Distance => dot(less(y, x), less(y, x)).sqrt(),
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

    fn body(&mut self, k: usize, body: usize, n: &[N]) -> [f64; MOST] {
        let [p, v, a] = self.point(body, [0.0; 3]);
        let Body { R, motion: [w, _], acceleration: [alpha, _], .. } = self.of(body);
        let last = if self.first { [0, 1, 2, 3].map(|k| n[k].lane(self.lane)) } else { self.last[k] };
        let rotation = Rotation { axes: R.map(Vec3::from) };
        let EulerParameters(e) = rotation.euler_parameters().near(&EulerParameters(last));
        self.last[k] = e;
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
