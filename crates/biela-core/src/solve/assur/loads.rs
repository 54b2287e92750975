//! What acts on the bodies of a linkage in its plane: gravity, inertia, and the model's loads, for all lanes at once.

use super::parts::{flat, is_pivot, upright, Numbers, SAME};
use super::plane::{cross, dot, less, sum, times, turned, Frame, Pair};
use crate::expr::Expression;
use crate::loads::Law;
use crate::math::{Number, Vec3};
use crate::model::Model;
use crate::solve::load_laws::{Laws, Live, Strength};

/// A force and its moment about the ground's origin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wrench<N> {
    pub f: Pair<N>,
    pub m: N,
}

impl<N: Number> Wrench<N> {
    #[inline(always)]
    pub fn zero() -> Wrench<N> {
        Wrench { f: [N::splat(0.0); 2], m: N::splat(0.0) }
    }

    /// A force at a point.
    #[inline(always)]
    pub fn at(p: Pair<N>, f: Pair<N>) -> Wrench<N> {
        Wrench { f, m: cross(p, f) }
    }

    #[inline(always)]
    pub fn of_moment(m: N) -> Wrench<N> {
        Wrench { m, ..Wrench::zero() }
    }

    #[inline(always)]
    pub fn negated(self) -> Wrench<N> {
        Wrench { f: [-self.f[0], -self.f[1]], m: -self.m }
    }

    #[inline(always)]
    pub fn add(&mut self, o: Wrench<N>) {
        self.f = sum(self.f, o.f);
        self.m = self.m + o.m;
    }

    #[inline(always)]
    pub fn take(&mut self, o: Wrench<N>) {
        self.f = less(self.f, o.f);
        self.m = self.m - o.m;
    }

    /// The moment about a point.
    #[inline(always)]
    pub fn about(&self, p: Pair<N>) -> N {
        self.m - cross(p, self.f)
    }
}

/// A load by what it acts on.
#[derive(Debug, Clone, Copy)]
enum Act {
    Force {
        body: usize,
        in_body: bool,
    },
    Torque {
        body: usize,
    },
    /// A force along the line between points of two bodies.
    Between {
        bodies: [usize; 2],
    },
    /// An effort along a joint coordinate, which is read in that place; the sense of a pivot's axis, zero for a slide.
    Coordinate {
        joint: usize,
        bodies: [usize; 2],
        sense: f64,
        read: usize,
    },
}

/// The loads of a model.
#[derive(Debug)]
pub(super) struct Loads {
    loads: Vec<(Act, Strength)>,
    /// What they are computed by; a joint has one coordinate, so that its number is the joint's.
    pub laws: Laws,
}

/// Numbers of gravity and of each body.
const OF_BODY: usize = 4;

impl Loads {
    /// Those of a model; `None` where one is of another kind.
    pub fn new(model: &Model) -> Option<Loads> {
        let mut loads = Loads { loads: Vec::new(), laws: Laws::new(model.joints.len()) };
        if !model.joints.iter().all(|joint| joint.kind.coordinates().len() == 1) {
            return None;
        }
        for (k, load) in model.loads.iter().enumerate() {
            let strength = loads.laws.strength(k, &load.law);
            let act = match &load.law {
                Law::Force { body, in_body, .. } => Act::Force { body: *body, in_body: *in_body },
                Law::Torque { body, .. } => Act::Torque { body: *body },
                Law::Between { ends, .. } => Act::Between { bodies: [ends[0].0, ends[1].0] },
                Law::Coordinate { of, .. } => {
                    let joint = model.joints.get(of.joint)?;
                    let sense = if is_pivot(joint)? { upright(joint)? } else { 0.0 };
                    Act::Coordinate { joint: of.joint, bodies: joint.bodies, sense, read: loads.laws.place(of.joint) }
                }
                Law::Rotor { .. } | Law::Contact(_) => return None,
            };
            loads.loads.push((act, strength));
        }
        Some(loads)
    }

    /// Adds a design's numbers; `None` where its loads are of another kind.
    pub fn number(&self, numbers: &mut Numbers) -> Option<()> {
        let (model, heights) = (numbers.model, &*numbers.heights);
        let list = &mut *numbers.list;
        let gravity = model.gravity?;
        list.extend([gravity.x, gravity.y]);
        for body in &model.bodies[1..] {
            let mass = body.mass.as_ref();
            list.extend(mass.map_or([0.0; OF_BODY], |m| [m.mass, m.com.x, m.com.y, m.inertia.apply(Vec3::Z).z]));
        }
        if model.loads.len() != self.loads.len() {
            return None;
        }
        for ((act, meant), load) in self.loads.iter().zip(&model.loads) {
            match (&load.law, act) {
                (Law::Force { body, p_B, in_body, .. }, Act::Force { body: own, in_body: turns }) => {
                    list.extend(flat(*p_B));
                    (body == own && in_body == turns).then_some(())?;
                }
                (Law::Torque { body, .. }, Act::Torque { body: own }) => (body == own).then_some(())?,
                (Law::Between { ends: [(a, p), (b, q)], .. }, Act::Between { bodies }) => {
                    list.extend([p.x, p.y, q.x, q.y, heights[*b] + q.z - heights[*a] - p.z]);
                    ([*a, *b] == *bodies).then_some(())?;
                }
                (Law::Coordinate { of, .. }, Act::Coordinate { joint, .. }) => (of.joint == *joint).then_some(())?,
                _ => return None,
            }
            let components = if matches!(act, Act::Torque { .. }) { 2..3 } else { 0..2 };
            meant.constants(&load.law, components, list)?;
        }
        Some(())
    }

    /// Whether all that acts on a design lies in one plane, at one height, so that nothing out of it is borne.
    pub fn is_level(&self, model: &Model, heights: &[f64], size: f64) -> bool {
        let joints = model.joints.iter().flat_map(|j| [0, 1].map(|side| (j.bodies[side], j.frames[side].origin.z)));
        let masses = model.bodies.iter().enumerate().filter_map(|(k, b)| Some((k, b.mass.as_ref()?)));
        let heavy = masses.clone().filter(|(_, m)| m.mass != 0.0).map(|(k, m)| (k, m.com.z));
        let ends = model.loads.iter().flat_map(|load| match &load.law {
            Law::Force { body, p_B, .. } => vec![(*body, p_B.z)],
            Law::Between { ends, .. } => ends.iter().map(|(body, p)| (*body, p.z)).collect(),
            _ => Vec::new(),
        });
        let mut all = joints.chain(heavy).chain(ends).map(|(body, z)| heights[body] + z);
        let Some(first) = all.next() else { return false };
        let none = |e: &Expression| e.as_constant() == Some(0.0);
        let flat = |law: &Law| match law {
            Law::Force { value, .. } => none(&value[2]),
            Law::Torque { value, .. } => none(&value[0]) && none(&value[1]),
            _ => true,
        };
        let upright = |m: &crate::model::MassProperties| {
            let [x, y, z] = m.inertia.apply(Vec3::Z).to_array();
            x.abs().max(y.abs()) <= SAME * z.abs()
        };
        all.all(|z| (z - first).abs() <= SAME * size)
            && model.gravity.is_some_and(|g| g.z == 0.0)
            && masses.into_iter().all(|(_, m)| upright(m))
            && model.loads.iter().all(|load| flat(&load.law))
    }
}

/// What loads are evaluated with at one time.
pub(super) struct Loading<'a, N> {
    pub frames: &'a [Frame<N>],
    pub numbers: &'a [N],
    /// Points of joints on their second bodies, and directions of slides.
    pub joints: &'a [(Pair<N>, Pair<N>)],
    pub live: Live<'a, N>,
}

impl<N: Number> Loading<'_, N> {
    /// Gravity, inertia where it counts, and loads, on all bodies.
    #[inline(always)]
    pub fn all(&mut self, loads: &Loads, inertia: bool, on: &mut [Wrench<N>]) {
        let [gravity, mut at] = [0, 2];
        let g = [self.numbers[gravity], self.numbers[gravity + 1]];
        on.iter_mut().for_each(|w| *w = Wrench::zero());
        let counts = N::splat(if inertia { 1.0 } else { 0.0 });
        for (frame, on) in self.frames[1..].iter().zip(&mut on[1..]) {
            let n = &self.numbers[at..at + OF_BODY];
            at += OF_BODY;
            let com = frame.point([n[1], n[2]]);
            let f = times(less(g, times(com.a, counts)), n[0]);
            on.add(Wrench { f, m: cross(com.p, f) - counts * n[3] * frame.alpha });
        }
        for (act, strength) in &loads.loads {
            at += self.load(*act, *strength, at, on);
        }
    }

    /// One load; how many numbers it has.
    #[inline(always)]
    fn load(&mut self, act: Act, strength: Strength, at: usize, on: &mut [Wrench<N>]) -> usize {
        let n = &self.numbers[at..];
        match act {
            Act::Force { body, in_body } => {
                let frame = &self.frames[body];
                let (value, used) = match strength {
                    Strength::Live(law) => ([0, 1].map(|k| self.live.component(law, k)), 2),
                    _ => ([n[2], n[3]], 4),
                };
                let f = if in_body { turned(frame.turn, value) } else { value };
                on[body].add(Wrench::at(sum(frame.origin.p, turned(frame.turn, [n[0], n[1]])), f));
                used
            }
            Act::Torque { body } => {
                let (m, used) = match strength {
                    Strength::Live(law) => (self.live.component(law, 2), 0),
                    _ => (n[0], 1),
                };
                on[body].add(Wrench::of_moment(m));
                used
            }
            Act::Between { bodies } => {
                let [p, q] = [self.frames[bodies[0]].point([n[0], n[1]]), self.frames[bodies[1]].point([n[2], n[3]])];
                let (d, high) = (less(q.p, p.p), n[4]);
                let length = (dot(d, d) + high * high).sqrt();
                // A spring of no length pulls in no direction.
                let over = length.map(|l| if l > 0.0 { 1.0 / l } else { 0.0 });
                let u = times(d, over);
                let (push, used) = self.live.effort(strength, &n[5..], [length, dot(u, less(q.v, p.v))]);
                let f = times(u, push);
                on[bodies[1]].add(Wrench::at(q.p, f));
                on[bodies[0]].take(Wrench::at(p.p, f));
                5 + used
            }
            Act::Coordinate { joint, bodies, sense, read } => {
                let (effort, used) = self.live.effort(strength, n, self.live.coordinates[read]);
                let (p, u) = self.joints[joint];
                let wrench = match sense == 0.0 {
                    true => Wrench::at(p, times(u, effort)),
                    false => Wrench::of_moment(N::splat(sense) * effort),
                };
                on[bodies[1]].add(wrench);
                on[bodies[0]].take(wrench);
                used
            }
        }
    }
}
