//! Measures between bodies by their markers: what rows, joint coordinates and efforts along them are made of, of one design or of several side by side.

use super::tree::{Body, Screw};
use crate::joints::{Marker, Measure};
use crate::math::triple::{cross, dot, less, sum, times, Triple};
use crate::math::Number;

/// What a measure is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Dot,
    Along,
    Square,
    Distance,
    Angle,
}

/// A measure: its kind, and its markers by number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Gauge {
    pub kind: Kind,
    pub markers: [usize; 3],
}

/// A point or direction of a body; its three numbers stand among those of a design.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Place {
    pub body: usize,
    pub point: bool,
}

impl Place {
    /// Where it is, or points, by its three numbers.
    #[inline(always)]
    pub fn value<N: Number>(&self, bodies: &[Body<N>], n: &[N]) -> Triple<N> {
        let n = [n[0], n[1], n[2]];
        match self.point {
            true => bodies[self.body].point(n),
            false => bodies[self.body].turned(n),
        }
    }

    /// The wrench of a generalised force `g` on it where it has that value: force, and moment about O.
    #[inline(always)]
    pub fn wrench<N: Number>(&self, value: Triple<N>, g: Triple<N>) -> [Triple<N>; 2] {
        let force = if self.point { g } else { [N::splat(0.0); 3] };
        [force, cross(value, g)]
    }
}

/// A measure with its markers; `None` for one that is not told here.
pub(super) fn gauge(measure: &Measure, mut marker: impl FnMut(&Marker) -> Option<usize>) -> Option<Gauge> {
    let (kind, a, b, c) = match measure {
        Measure::Dot(a, b) => (Kind::Dot, a, b, None),
        Measure::Along { a, from, to } => (Kind::Along, a, from, Some(to)),
        Measure::DistanceSquared { from, to } => (Kind::Square, from, to, None),
        Measure::Distance { from, to } => (Kind::Distance, from, to, None),
        Measure::Angle { x, y, m } => (Kind::Angle, x, y, Some(m)),
        Measure::Elevation { .. } => return None,
    };
    let (a, b) = (marker(a)?, marker(b)?);
    Some(Gauge { kind, markers: [a, b, c.map_or(Some(b), marker)?] })
}

/// A marker as a place and its numbers; `None` for one that moves otherwise.
pub(super) fn place(marker: &Marker) -> Option<(Place, [f64; 3])> {
    match *marker {
        Marker::Point { body, p_B } => Some((Place { body, point: true }, p_B.to_array())),
        Marker::Direction { body, u_B } => Some((Place { body, point: false }, u_B.to_array())),
        Marker::Prescribed { .. } | Marker::Own { .. } => None,
    }
}

impl Gauge {
    /// What the sine and the cosine of an angle are proportional to.
    #[inline(always)]
    pub fn sine_cosine<N: Number>(&self, value: &[Triple<N>]) -> (N, N) {
        let [x, y, m] = self.markers.map(|k| value[k]);
        (dot(y, m), dot(x, m))
    }

    /// Its value where it is no angle.
    #[inline(always)]
    pub fn value<N: Number>(&self, value: &[Triple<N>]) -> N {
        let [a, b, c] = self.markers.map(|k| value[k]);
        match self.kind {
            Kind::Dot => dot(a, b),
            Kind::Along => dot(a, less(c, b)),
            Kind::Square => dot(less(b, a), less(b, a)),
            Kind::Distance => dot(less(b, a), less(b, a)).sqrt(),
            Kind::Angle => N::splat(0.0),
        }
    }

    /// Its gradients with respect to its markers, times a factor; how many there are.
    #[inline(always)]
    pub fn gradients<N: Number>(&self, value: &[Triple<N>], factor: N) -> ([Triple<N>; 3], usize) {
        let [a, b, c] = self.markers.map(|k| value[k]);
        let zero = [N::splat(0.0); 3];
        let by = |v: Triple<N>| times(v, factor);
        match self.kind {
            Kind::Dot => ([by(b), by(a), zero], 2),
            Kind::Along => ([by(less(c, b)), times(a, -factor), by(a)], 3),
            Kind::Square => {
                let d = times(less(b, a), N::splat(2.0) * factor);
                ([times(d, N::splat(-1.0)), d, zero], 2)
            }
            Kind::Distance => {
                let d = less(b, a);
                let d = times(d, factor / dot(d, d).sqrt());
                ([times(d, N::splat(-1.0)), d, zero], 2)
            }
            Kind::Angle => {
                let (s, k) = (dot(b, c), dot(a, c));
                let f = factor / (k * k + s * s);
                ([times(c, -(s * f)), times(c, k * f), times(less(times(b, k), times(a, s)), f)], 3)
            }
        }
    }

    /// Rate and second rate of it, from values, rates and accelerations of its markers.
    #[inline(always)]
    pub fn rates<N: Number>(&self, value: &[Triple<N>], rate: &[Triple<N>], second: &[Triple<N>]) -> [N; 2] {
        let two = N::splat(2.0);
        let [(a, a1, a2), (b, b1, b2), (c, c1, c2)] = self.markers.map(|k| (value[k], rate[k], second[k]));
        match self.kind {
            Kind::Dot => [dot(a1, b) + dot(a, b1), dot(a2, b) + two * dot(a1, b1) + dot(a, b2)],
            Kind::Along => {
                let (d, d1, d2) = (less(c, b), less(c1, b1), less(c2, b2));
                [dot(a1, d) + dot(a, d1), dot(a2, d) + two * dot(a1, d1) + dot(a, d2)]
            }
            Kind::Square => {
                let (d, d1, d2) = (less(b, a), less(b1, a1), less(b2, a2));
                [two * dot(d, d1), two * (dot(d, d2) + dot(d1, d1))]
            }
            Kind::Distance => {
                let (d, d1, d2) = (less(b, a), less(b1, a1), less(b2, a2));
                let length = dot(d, d).sqrt();
                let rate = dot(d, d1) / length;
                [rate, (dot(d, d2) + dot(d1, d1) - rate * rate) / length]
            }
            Kind::Angle => {
                let product = |x: [Triple<N>; 3]| {
                    let [p, p1, p2] = x;
                    (dot(p, c), dot(p1, c) + dot(p, c1), dot(p2, c) + two * dot(p1, c1) + dot(p, c2))
                };
                let ((k, k1, k2), (s, s1, s2)) = (product([a, a1, a2]), product([b, b1, b2]));
                let square = k * k + s * s;
                let rate = (k * s1 - s * k1) / square;
                [rate, (k * s2 - s * k2) / square - two * (k * k1 + s * s1) * rate / square]
            }
        }
    }
}

/// Rate and acceleration of a body's marker, whose value is known.
#[inline(always)]
pub(super) fn carried<N: Number>(
    body: &Body<N>,
    acceleration: Screw<N>,
    point: bool,
    value: Triple<N>,
) -> (Triple<N>, Triple<N>) {
    if point {
        let rate = body.velocity(value);
        return (rate, body.accelerates(acceleration, value, rate));
    }
    let rate = cross(body.motion[0], value);
    (rate, sum(cross(acceleration[0], value), cross(body.motion[0], rate)))
}

/// A measure with the places of its markers, whose numbers stand among those of a design.
#[derive(Debug, Clone)]
pub(super) struct Reading {
    pub gauge: Gauge,
    pub places: Vec<Place>,
}

impl Reading {
    /// A measure; `None` for one that is not told here.
    pub fn new(measure: &Measure) -> Option<Reading> {
        let mut places = Vec::new();
        let gauge = gauge(measure, |marker| {
            places.push(place(marker)?.0);
            Some(places.len() - 1)
        })?;
        Some(Reading { gauge, places })
    }

    /// How many numbers of a design it needs.
    pub fn numbers(&self) -> usize {
        3 * self.places.len()
    }

    /// Adds these; `None` where the design's measure is another.
    pub fn number(&self, measure: &Measure, list: &mut Vec<f64>) -> Option<()> {
        let mut count = 0;
        let same = gauge(measure, |marker| {
            let (place, numbers) = place(marker)?;
            list.extend(numbers);
            count += 1;
            (self.places.get(count - 1) == Some(&place)).then_some(count - 1)
        })?;
        (same == self.gauge && count == self.places.len()).then_some(())
    }

    /// Values of its markers, by its numbers.
    #[inline(always)]
    pub fn values<N: Number>(&self, n: &[N], bodies: &[Body<N>]) -> [Triple<N>; 3] {
        let mut values = [[N::splat(0.0); 3]; 3];
        for ((value, place), n) in values.iter_mut().zip(&self.places).zip(n.chunks_exact(3)) {
            *value = place.value(bodies, n);
        }
        values
    }

    /// What an effort along it exerts, marker by marker: body, force and moment about O.
    #[inline(always)]
    pub fn exert<N: Number>(&self, n: &[N], bodies: &[Body<N>], effort: N, mut on: impl FnMut(usize, [Triple<N>; 2])) {
        let values = self.values(n, bodies);
        let (gradients, count) = self.gauge.gradients(&values, effort);
        for (marker, g) in self.gauge.markers.into_iter().zip(gradients).take(count) {
            let place = self.places[marker];
            on(place.body, place.wrench(values[marker], g));
        }
    }
}
