//! Forces in a linkage of dyads whose motion is known: what joints bear and drivers supply, part by part from the last one placed to the first.
//!
//! A part is statically determinate once nothing after it is left. With wrenches on its bodies a and b summed over loads, inertia and what later
//! parts have handed on, moments M about a pivot, and F what b exerts on a at their common joint:
//! ```text
//! RRR   (m − p) × F = −M_a(p),   (m − q) × F = M_b(q)
//! RRP   (m − p) × F = −M_a(p),   u · F = u · f_b
//! RPR   (q − p) × F_q = −M_a(p) − M_b(p),   u · F_q = −u · f_b
//! ```
//! with p, q the outer pivots, m the middle one, u the direction of the slide. The other joints follow from the balance of each body, and what a driver
//! supplies is what its joint cannot bear: the moment about a pivot, the force along a slide.

use super::loads::{Loading, Loads, Wrench};
use super::parts::{flat, is_pivot, Dyad, Numbers, Part};
use super::place::Lead;
use super::plane::{back, cross, dot, less, quarter, sum, times, turned, Frame, Pair};
use crate::loads::Law;
use crate::math::Number;
use crate::model::{Analysis, Model};
use crate::signal::Element;
use crate::solve::load_laws::Live;

/// Which forces of a linkage are told, and what they come from.
#[derive(Debug)]
pub(super) struct Kinetostatics {
    pub loads: Loads,
    inertia: bool,
    /// Joints: their bodies, and whether they are pivots.
    joints: Vec<([usize; 2], bool)>,
    /// The driver that leads each.
    driver: Vec<Option<usize>>,
    told: Vec<(Borne, Vec<(usize, usize)>)>,
    /// Whether anything is told that vanishes only where all lies in one plane.
    whole: bool,
    planar: bool,
}

/// What forces are told of.
#[derive(Debug, Clone, Copy)]
enum Borne {
    /// What a joint's first body exerts on its second, in ground axes.
    Reaction(usize),
    /// The same in the second body's axes.
    Local(usize),
    /// The size of its force.
    Resultant(usize),
    /// What a driver supplies, and the power.
    Driver(usize),
    Power(usize),
    /// What the ground bears.
    Ground,
}

/// Most numbers that an element has.
const MOST: usize = 6;
/// Numbers of a joint.
const OF_JOINT: usize = 4;

impl Kinetostatics {
    /// For these elements, each with the numbers of it that are kept and their places; `None` where a force is told otherwise.
    pub fn new(model: &Model, asked: &[(Element, Vec<(usize, usize)>)]) -> Option<Kinetostatics> {
        let inertia = match model.study.analysis {
            Analysis::InverseDynamics => true,
            Analysis::Statics => false,
            _ => return None,
        };
        if model.gravity.is_none() || !model.drivers.iter().all(|driver| driver.effort.is_empty()) {
            return None;
        }
        let planar = model.space.is_planar();
        let (mut told, mut whole) = (Vec::new(), false);
        for (element, kept) in asked {
            // In space three components of six are those of the plane.
            let outside = !planar && kept.iter().any(|(leaf, _)| ![0, 1, 5].contains(leaf));
            told.push((
                match *element {
                    Element::Reaction(k) => Borne::Reaction(k),
                    Element::LocalReaction(k) => Borne::Local(k),
                    Element::Resultant(k) if !model.joints[k].is_free() => Borne::Resultant(k),
                    Element::Driver(k) => Borne::Driver(k),
                    Element::Power(k) => Borne::Power(k),
                    Element::Ground if !outside => Borne::Ground,
                    _ => return None,
                },
                kept.clone(),
            ));
            whole |= outside || (!planar && matches!(element, Element::Resultant(_)));
        }
        let joints = model.joints.iter().map(|j| Some((j.bodies, is_pivot(j)?))).collect::<Option<Vec<_>>>()?;
        let led: Vec<usize> = super::driven(model).collect();
        let driver = (0..joints.len()).map(|joint| led.iter().position(|k| *k == joint)).collect();
        if model.rubs() {
            return None;
        }
        Some(Kinetostatics { loads: Loads::new(model)?, inertia, joints, driver, told, whole, planar })
    }

    /// Adds a design's numbers, behind all others; `None` where its loads are of another kind.
    pub fn number(&self, numbers: &mut Numbers) -> Option<()> {
        let model = numbers.model;
        if self.whole && !self.loads.is_level(model, numbers.heights, numbers.size) {
            return None;
        }
        for joint in &model.joints {
            numbers.list.extend(flat(joint.frames[1].origin));
            numbers.list.extend(flat(joint.frames[0].rotation.axes[2]));
        }
        numbers.list.extend(flat(model.bodies[0].X_WB.origin + model.study.moment_point));
        self.loads.number(numbers)
    }
}

/// Forces of designs side by side, at one time.
#[derive(Debug)]
pub(super) struct Balance<N> {
    /// What acts on each body.
    on: Vec<Wrench<N>>,
    /// What each joint's first body exerts on its second, drivers included.
    joints: Vec<Wrench<N>>,
    /// Points of joints on their second bodies, directions of slides.
    places: Vec<(Pair<N>, Pair<N>)>,
    efforts: Vec<N>,
    ground: Wrench<N>,
    /// Joint coordinates that loads read, with their rates.
    pub coordinates: Vec<[N; 2]>,
    /// Lane by lane, laws of loads that are a design's own.
    pub own: Vec<Vec<Option<Law>>>,
    env: Vec<f64>,
}

impl<N: Number> Balance<N> {
    pub fn new(plan: &Kinetostatics, bodies: usize) -> Balance<N> {
        let zero = [N::splat(0.0); 2];
        Balance {
            on: vec![Wrench::zero(); bodies],
            joints: vec![Wrench::zero(); plan.joints.len()],
            places: vec![(zero, zero); plan.joints.len()],
            efforts: vec![zero[0]; plan.driver.iter().flatten().count()],
            ground: Wrench::zero(),
            coordinates: vec![zero; plan.loads.laws.read.len()],
            own: vec![Vec::new(); N::LANES],
            env: vec![0.0; plan.loads.laws.slots()],
        }
    }

    /// All forces at one time, of bodies that are placed; one in each lane where they are finite.
    #[inline(always)]
    pub fn find(&mut self, plan: &Kinetostatics, parts: &[Part], frames: &[Frame<N>], numbers: &[N], t: f64) -> N {
        let places = self.places.iter_mut().zip(&plan.joints).zip(numbers.chunks_exact(OF_JOINT));
        for ((place, (bodies, _)), n) in places {
            let [first, second] = bodies.map(|k| &frames[k]);
            let arm = turned(second.turn, [n[0], n[1]]);
            *place = (sum(second.origin.p, arm), turned(first.turn, [n[2], n[3]]));
        }
        let rest = &numbers[plan.joints.len() * OF_JOINT..];
        let Balance { on, coordinates, own, env, places, .. } = self;
        let live = Live { laws: &plan.loads.laws, coordinates, t, own, env };
        let mut loading = Loading { frames, numbers: &rest[2..], joints: places, live };
        loading.all(&plan.loads, plan.inertia, on);
        let mut ground = Wrench::zero();
        self.on.iter().for_each(|wrench| ground.add(*wrench));
        self.ground = Wrench { m: ground.about([rest[0], rest[1]]), ..ground };
        for part in parts.iter().rev() {
            match part {
                Part::Turn { joint, driver, parent, child, sign } => {
                    let wrench = self.on[*child].negated();
                    self.efforts[*driver] = N::splat(*sign) * wrench.about(self.places[*joint].0);
                    self.give(plan, *joint, [*child, *parent], wrench);
                }
                Part::Slide { joint, driver, parent, child, .. } => {
                    let wrench = self.on[*child].negated();
                    self.give(plan, *joint, [*child, *parent], wrench);
                    self.efforts[*driver] = dot(self.joints[*joint].f, self.places[*joint].1);
                }
                Part::Rrr(dyad) => self.rrr(plan, dyad),
                Part::Rrp(dyad) => self.rrp(plan, dyad),
                Part::Rpr(dyad) => self.rpr(plan, dyad),
            }
        }
        let finite = |x: N| x.map(|x| if x.is_finite() { 1.0 } else { 0.0 });
        self.joints.iter().fold(N::splat(1.0), |all, w| all * finite(w.f[0]) * finite(w.f[1]) * finite(w.m))
    }

    /// What the second of these bodies exerts on the first in a joint.
    #[inline(always)]
    fn give(&mut self, plan: &Kinetostatics, joint: usize, [onto, from]: [usize; 2], wrench: Wrench<N>) {
        self.on[onto].add(wrench);
        self.on[from].take(wrench);
        self.joints[joint] = if plan.joints[joint].0[1] == onto { wrench } else { wrench.negated() };
    }

    /// What is missing in the balance of a body.
    #[inline(always)]
    fn rest(&mut self, plan: &Kinetostatics, joint: usize, bodies: [usize; 2]) {
        let missing = self.on[bodies[0]].negated();
        self.give(plan, joint, bodies, missing);
    }

    #[inline(always)]
    fn rrr(&mut self, plan: &Kinetostatics, Dyad { joints: [i, k, j], known, bodies: [a, b], .. }: &Dyad) {
        let [p, m, q] = [i, k, j].map(|joint| self.places[*joint].0);
        let (u, w) = (less(m, p), less(m, q));
        let (on_a, on_b) = (self.on[*a].about(p), self.on[*b].about(q));
        let over = N::splat(-1.0) / cross(u, w);
        let f = sum(times(w, on_a * over), times(u, on_b * over));
        self.give(plan, *k, [*a, *b], Wrench::at(m, f));
        self.rest(plan, *i, [*a, known[0]]);
        self.rest(plan, *j, [*b, known[1]]);
    }

    #[inline(always)]
    fn rrp(&mut self, plan: &Kinetostatics, Dyad { joints: [i, k, j], known, bodies: [a, b], .. }: &Dyad) {
        let (p, m, u) = (self.places[*i].0, self.places[*k].0, self.places[*j].1);
        let f = between(less(m, p), u, -self.on[*a].about(p), dot(u, self.on[*b].f));
        self.give(plan, *k, [*a, *b], Wrench::at(m, f));
        self.rest(plan, *i, [*a, known[0]]);
        self.rest(plan, *j, [*b, known[1]]);
    }

    #[inline(always)]
    fn rpr(&mut self, plan: &Kinetostatics, Dyad { joints: [i, k, j], known, bodies: [a, b], .. }: &Dyad) {
        let (p, q, u) = (self.places[*i].0, self.places[*j].0, self.places[*k].1);
        let moment = -(self.on[*a].about(p) + self.on[*b].about(p));
        let f = between(less(q, p), u, moment, -dot(u, self.on[*b].f));
        self.give(plan, *j, [*b, known[1]], Wrench::at(q, f));
        self.rest(plan, *k, [*b, *a]);
        self.rest(plan, *i, [*a, known[0]]);
    }

    /// Hands all numbers that are kept to `keep`, each with its place.
    #[inline(always)]
    pub fn tell(&self, plan: &Kinetostatics, frames: &[Frame<N>], leads: &[Lead<N>], mut keep: impl FnMut(usize, N)) {
        let o = N::splat(0.0);
        for (what, kept) in &plan.told {
            let mut told = [o; MOST];
            let put = |told: &mut [N; MOST], f: Pair<N>, m: N| match plan.planar {
                true => told[..3].copy_from_slice(&[f[0], f[1], m]),
                false => *told = [f[0], f[1], o, o, o, m],
            };
            match *what {
                Borne::Reaction(k) => {
                    let (f, m) = self.reaction(plan, k);
                    put(&mut told, f, m);
                }
                Borne::Local(k) => {
                    let (f, m) = self.reaction(plan, k);
                    let [_, second] = plan.joints[k].0;
                    put(&mut told, turned(back(frames[second].turn), f), m);
                }
                Borne::Resultant(k) => {
                    let (f, _) = self.reaction(plan, k);
                    told[0] = dot(f, f).sqrt();
                }
                Borne::Driver(k) => told[0] = self.efforts[k],
                Borne::Power(k) => told[0] = self.efforts[k] * leads[k].d,
                Borne::Ground => put(&mut told, self.ground.f, self.ground.m),
            }
            kept.iter().for_each(|(leaf, place)| keep(*place, told[*leaf]));
        }
    }

    /// What a joint bears, without its driver: force, and moment about its point.
    #[inline(always)]
    fn reaction(&self, plan: &Kinetostatics, joint: usize) -> (Pair<N>, N) {
        let (wrench, (p, u)) = (&self.joints[joint], self.places[joint]);
        match (plan.joints[joint].1, plan.driver[joint]) {
            (true, _) => (wrench.f, N::splat(0.0)),
            (false, None) => (wrench.f, wrench.about(p)),
            (false, Some(driver)) => (less(wrench.f, times(u, self.efforts[driver])), wrench.about(p)),
        }
    }
}

/// The force F with e × F and u · F as given.
#[inline(always)]
fn between<N: Number>(e: Pair<N>, u: Pair<N>, moment: N, along: N) -> Pair<N> {
    let over = N::splat(1.0) / dot(u, e);
    sum(times(e, along * over), times(quarter(u), moment * over))
}
