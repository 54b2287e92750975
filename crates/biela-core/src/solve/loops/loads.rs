//! What acts on the bodies of a mechanism: gravity, inertia, and the model's loads, for all lanes at once. A wrench is a force with its moment about O.

#![allow(non_snake_case)] // p_B, R_WB: in a body's frame, of a body (docs/notation.md).

use super::gauge::Reading;
use super::tree::{turned, Body};
use crate::loads::Law;
use crate::math::triple::{cross, dot, less, sum, times, Triple};
use crate::math::Number;
use crate::model::Model;
use crate::solve::load_laws::{Laws, Live, Strength};

/// A force and its moment about O.
pub(super) type Wrench<N> = [Triple<N>; 2];

/// No force.
#[inline(always)]
pub(super) fn none<N: Number>() -> Wrench<N> {
    [[N::splat(0.0); 3]; 2]
}

/// A force at a point.
#[inline(always)]
pub(super) fn at<N: Number>(p: Triple<N>, f: Triple<N>) -> Wrench<N> {
    [f, cross(p, f)]
}

/// Adds a wrench.
#[inline(always)]
pub(super) fn add<N: Number>(to: &mut Wrench<N>, [f, m]: Wrench<N>) {
    *to = [sum(to[0], f), sum(to[1], m)];
}

#[inline(always)]
pub(super) fn negated<N: Number>([f, m]: Wrench<N>) -> Wrench<N> {
    [f.map(|x| -x), m.map(|x| -x)]
}

/// The moment of a wrench about a point.
#[inline(always)]
pub(super) fn about<N: Number>([f, m]: Wrench<N>, p: Triple<N>) -> Triple<N> {
    less(m, cross(p, f))
}

/// A load by what it acts on.
#[derive(Debug)]
enum Act {
    Force {
        body: usize,
        in_body: bool,
    },
    Torque {
        body: usize,
        in_body: bool,
    },
    /// A force along the line between points of two bodies.
    Between {
        bodies: [usize; 2],
    },
    /// An effort along a joint coordinate, which is read in that place.
    Coordinate {
        joint: usize,
        coordinate: usize,
        of: Reading,
        read: usize,
    },
}

/// The masses and loads of a model.
#[derive(Debug)]
pub(super) struct Loads {
    /// Bodies with masses.
    masses: Vec<usize>,
    loads: Vec<(Act, Strength)>,
    pub laws: Laws,
}

/// Numbers of a body with a mass: mass, mass centre, inertia about it.
const OF_BODY: usize = 10;

impl Loads {
    /// Those of a model, whose joint coordinates are these in their order; `None` where one is of another kind.
    pub fn new(model: &Model, coordinates: &[(usize, usize)]) -> Option<Loads> {
        let masses = (1..model.bodies.len()).filter(|k| model.bodies[*k].mass.is_some()).collect();
        let mut made = Loads { masses, loads: Vec::new(), laws: Laws::new(coordinates.len()) };
        for (k, load) in model.loads.iter().enumerate() {
            let strength = made.laws.strength(k, &load.law);
            let act = match &load.law {
                Law::Force { body, in_body, .. } => Act::Force { body: *body, in_body: *in_body },
                Law::Torque { body, in_body, .. } => Act::Torque { body: *body, in_body: *in_body },
                Law::Between { ends, .. } => Act::Between { bodies: [ends[0].0, ends[1].0] },
                Law::Coordinate { of, .. } => {
                    let joint = model.joints.get(of.joint)?;
                    let measure = Reading::new(&joint.kind.coordinate(joint, of.coordinate)?)?;
                    let number = coordinates.iter().position(|c| *c == (of.joint, of.coordinate))?;
                    let read = made.laws.place(number);
                    Act::Coordinate { joint: of.joint, coordinate: of.coordinate, of: measure, read }
                }
                Law::Rotor { .. } | Law::Contact(_) => return None,
            };
            made.loads.push((act, strength));
        }
        Some(made)
    }

    /// Joints whose coordinates are read or act, these being all coordinates.
    pub fn joints<'a>(&'a self, coordinates: &'a [(usize, usize)]) -> impl Iterator<Item = usize> + 'a {
        self.laws.read.iter().map(|k| coordinates[*k].0)
    }

    /// Adds a design's numbers; `None` where its masses or loads are of another kind.
    pub fn number(&self, model: &Model, list: &mut Vec<f64>) -> Option<()> {
        list.extend(model.gravity?.to_array());
        let mut masses = self.masses.iter();
        for (k, body) in model.bodies.iter().enumerate().skip(1) {
            let Some(mass) = &body.mass else { continue };
            (masses.next()? == &k).then_some(())?;
            let i = &mass.inertia;
            list.push(mass.mass);
            list.extend(mass.com.to_array());
            list.extend([i.xx, i.yy, i.zz, i.xy, i.xz, i.yz]);
        }
        if masses.next().is_some() || model.loads.len() != self.loads.len() {
            return None;
        }
        for ((act, strength), load) in self.loads.iter().zip(&model.loads) {
            let same = match (&load.law, act) {
                (Law::Force { body, p_B, in_body, .. }, Act::Force { body: own, in_body: turns }) => {
                    list.extend(p_B.to_array());
                    body == own && in_body == turns
                }
                (Law::Torque { body, in_body, .. }, Act::Torque { body: own, in_body: turns }) => {
                    body == own && in_body == turns
                }
                (Law::Between { ends: [(a, p), (b, q)], .. }, Act::Between { bodies }) => {
                    list.extend([p.to_array(), q.to_array()].as_flattened());
                    [*a, *b] == *bodies
                }
                (Law::Coordinate { of, .. }, Act::Coordinate { joint, coordinate, of: own, .. }) => {
                    let design = model.joints.get(*joint)?;
                    own.number(&design.kind.coordinate(design, *coordinate)?, list)?;
                    (of.joint, of.coordinate) == (*joint, *coordinate)
                }
                _ => false,
            };
            same.then_some(())?;
            strength.constants(&load.law, 0..3, list)?;
        }
        Some(())
    }
}

/// What loads are evaluated with at one time.
pub(super) struct Loading<'a, N> {
    pub bodies: &'a [Body<N>],
    pub numbers: &'a [N],
    pub live: Live<'a, N>,
}

impl<'a, N: Number> Loading<'a, N> {
    /// Gravity, inertia where it counts, and loads, on all bodies. How many numbers they have.
    #[inline(always)]
    pub fn all(&mut self, loads: &Loads, inertia: bool, on: &mut [Wrench<N>]) -> usize {
        on.fill(none());
        let gravity = self.three(0);
        let mut at = 3;
        for body in &loads.masses {
            let (n, state) = (&self.numbers[at..at + OF_BODY], &self.bodies[*body]);
            at += OF_BODY;
            on[*body] = weight(state, n, gravity, inertia);
        }
        for (act, strength) in &loads.loads {
            at += self.load(act, *strength, at, on);
        }
        at
    }

    #[inline(always)]
    fn three(&self, at: usize) -> Triple<N> {
        [self.numbers[at], self.numbers[at + 1], self.numbers[at + 2]]
    }

    /// One load; how many numbers it has.
    #[inline(always)]
    fn load(&mut self, act: &Act, strength: Strength, from: usize, on: &mut [Wrench<N>]) -> usize {
        let n: &'a [N] = &self.numbers[from..];
        match act {
            Act::Force { body, in_body } => {
                let (value, used) = self.vector(strength, &n[3..]);
                let state = &self.bodies[*body];
                let f = if *in_body { state.turned(value) } else { value };
                add(&mut on[*body], at(state.point([n[0], n[1], n[2]]), f));
                3 + used
            }
            Act::Torque { body, in_body } => {
                let (value, used) = self.vector(strength, n);
                let m = if *in_body { self.bodies[*body].turned(value) } else { value };
                add(&mut on[*body], [[N::splat(0.0); 3], m]);
                used
            }
            Act::Between { bodies: [a, b] } => {
                let (first, second) = (&self.bodies[*a], &self.bodies[*b]);
                let (p, q) = (first.point([n[0], n[1], n[2]]), second.point([n[3], n[4], n[5]]));
                let d = less(q, p);
                let length = dot(d, d).sqrt();
                // A spring of no length pulls in no direction.
                let u = times(d, length.map(|l| if l > 0.0 { 1.0 / l } else { 0.0 }));
                let rate = dot(u, less(second.velocity(q), first.velocity(p)));
                let (push, used) = self.live.effort(strength, &n[6..], [length, rate]);
                let f = times(u, push);
                add(&mut on[*b], at(q, f));
                add(&mut on[*a], negated(at(p, f)));
                6 + used
            }
            Act::Coordinate { of, read, .. } => {
                let own = of.numbers();
                let (effort, used) = self.live.effort(strength, &n[own..], self.live.coordinates[*read]);
                of.exert(n, self.bodies, effort, |body, wrench| add(&mut on[body], wrench));
                own + used
            }
        }
    }

    /// A force or torque as it is given; how many numbers it has.
    #[inline(always)]
    fn vector(&mut self, strength: Strength, n: &[N]) -> (Triple<N>, usize) {
        match strength {
            Strength::Live(law) => ([0, 1, 2].map(|k| self.live.component(law, k)), 0),
            _ => ([n[0], n[1], n[2]], 3),
        }
    }
}

/// Gravity and, where it counts, inertia of a body.
#[inline(always)]
fn weight<N: Number>(body: &Body<N>, n: &[N], gravity: Triple<N>, inertia: bool) -> Wrench<N> {
    let c = body.point([n[1], n[2], n[3]]);
    if !inertia {
        return at(c, times(gravity, n[0]));
    }
    let ([w, _], [alpha, _]) = (body.motion, body.acceleration);
    let [xx, yy, zz, xy, xz, yz] = [n[4], n[5], n[6], n[7], n[8], n[9]];
    let spun = |u: Triple<N>| {
        let own = body.R.map(|axis| dot(axis, u));
        turned(&body.R, [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]].map(|row| dot(row, own)))
    };
    let a = body.accelerates(body.acceleration, c, body.velocity(c));
    let [f, m] = at(c, times(less(gravity, a), n[0]));
    [f, less(m, sum(spun(alpha), cross(w, spun(w))))]
}
