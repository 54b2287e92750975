//! Bodies on their tree joints, in joint coordinates: one design, or several side by side.
//!
//! Each joint is the product of its elementary freedoms. All motions are told at one point of the ground, O: a body moves with [ω; v_O], a unit of
//! velocity k moves what lies beyond it by the screw s_k, and what lies beyond accelerates by s_k v̇_k + V × s_k v_k where V is the motion of the
//! frame that carries the screw's axis, and V × s the product of motions [ω × s_ω; ω × s_v + v_O × s_ω].

#![allow(non_snake_case)] // Frames are capital letters: R_WB, p_WoBo (docs/notation.md).

use crate::joints::{Joint, Movement, Space, FREE};
use crate::math::triple::{cross, dot, less, sum, times, Triple};
use crate::math::{horner, sines_cosines, Number, Pose};
use crate::model::graph::Forest;
use crate::model::Model;

/// A motion or a screw: angular part, and velocity at O.
pub(super) type Screw<N> = [Triple<N>; 2];

/// A rotation by its axes.
pub(super) type Turn<N> = [Triple<N>; 3];

/// Numbers of a pose.
pub(super) const POSE: usize = 12;

/// A body on its tree joint.
#[derive(Debug)]
struct Branch {
    body: usize,
    parent: usize,
    joint: Option<usize>,
    /// The parent is the joint's second body.
    reversed: bool,
    /// Its freedoms in the order in which the child is reached.
    moves: Vec<Move>,
}

/// An elementary freedom: its place among coordinates and velocities.
#[derive(Debug, Clone, Copy)]
struct Move {
    of: Movement,
    q: usize,
    v: usize,
}

/// The tree of a mechanism.
#[derive(Debug)]
pub(super) struct Tree {
    branches: Vec<Branch>,
    pub bodies: usize,
    pub nq: usize,
    pub nv: usize,
}

/// A body's place and motion.
#[derive(Debug, Clone, Copy)]
pub(super) struct Body<N> {
    pub R: Turn<N>,
    /// Its origin from O.
    pub p: Triple<N>,
    pub motion: Screw<N>,
    /// How it accelerates where v̇ = 0, and as it does.
    pub bias: Screw<N>,
    pub acceleration: Screw<N>,
}

impl<N: Number> Body<N> {
    pub fn still() -> Body<N> {
        let (o, i) = (N::splat(0.0), N::splat(1.0));
        let none = [[o; 3]; 2];
        Body { R: [[i, o, o], [o, i, o], [o, o, i]], p: [o; 3], motion: none, bias: none, acceleration: none }
    }

    /// The body of one lane.
    pub fn lane(&self, lane: usize) -> Body<f64> {
        let of = |t: Triple<N>| t.map(|x| x.lane(lane));
        let both = |s: Screw<N>| s.map(of);
        Body {
            R: self.R.map(of),
            p: of(self.p),
            motion: both(self.motion),
            bias: both(self.bias),
            acceleration: both(self.acceleration),
        }
    }

    /// A vector of the body in ground axes.
    #[inline(always)]
    pub fn turned(&self, u: Triple<N>) -> Triple<N> {
        turned(&self.R, u)
    }

    /// A point of the body from O.
    #[inline(always)]
    pub fn point(&self, p_B: Triple<N>) -> Triple<N> {
        sum(self.p, self.turned(p_B))
    }

    /// Velocity of the body's point at `p` from O.
    #[inline(always)]
    pub fn velocity(&self, p: Triple<N>) -> Triple<N> {
        sum(self.motion[1], cross(self.motion[0], p))
    }

    /// Acceleration of that point, whose velocity is known, by one of the body's accelerations.
    #[inline(always)]
    pub fn accelerates(&self, [alpha, a]: Screw<N>, p: Triple<N>, v: Triple<N>) -> Triple<N> {
        sum(sum(a, cross(alpha, p)), cross(self.motion[0], v))
    }
}

#[inline(always)]
pub(super) fn turned<N: Number>(R: &Turn<N>, u: Triple<N>) -> Triple<N> {
    sum(sum(times(R[0], u[0]), times(R[1], u[1])), times(R[2], u[2]))
}

/// V × s.
#[inline(always)]
fn moved<N: Number>(V: &Screw<N>, s: &Screw<N>) -> Screw<N> {
    [cross(V[0], s[0]), sum(cross(V[0], s[1]), cross(V[1], s[0]))]
}

#[inline(always)]
fn plus<N: Number>(a: &Screw<N>, b: &Screw<N>) -> Screw<N> {
    [sum(a[0], b[0]), sum(a[1], b[1])]
}

/// The rotation of four Euler parameters of unit length.
#[inline(always)]
fn attitude<N: Number>(e: &[N]) -> Turn<N> {
    let two = N::splat(2.0);
    let [a, b, c, d] = [e[0], e[1], e[2], e[3]];
    let s = two * a * a - N::splat(1.0);
    [
        [s + two * b * b, two * (b * c + a * d), two * (b * d - a * c)],
        [two * (b * c - a * d), s + two * c * c, two * (c * d + a * b)],
        [two * (b * d + a * c), two * (c * d - a * b), s + two * d * d],
    ]
}

/// Adds the numbers of a pose to a list.
pub(super) fn put(pose: &Pose, list: &mut Vec<f64>) {
    pose.rotation.axes.iter().for_each(|axis| list.extend(axis.to_array()));
    list.extend(pose.origin.to_array());
}

/// A pose among numbers.
#[inline(always)]
pub(super) fn pose<N: Number>(n: &[N]) -> (Turn<N>, Triple<N>) {
    ([[n[0], n[1], n[2]], [n[3], n[4], n[5]], [n[6], n[7], n[8]]], [n[9], n[10], n[11]])
}

impl Tree {
    /// The spanning tree in which joint coordinates are counted; `None` where a joint of it is no product of turns, slides and attitudes.
    pub fn new(model: &Model) -> Option<Tree> {
        let mut made = Tree { branches: Vec::new(), bodies: model.bodies.len(), nq: 0, nv: 0 };
        for branch in Forest::new(model).branches {
            let floating = floating(model.space);
            let joint = branch.joint.map_or(&floating, |k| &model.joints[k]);
            let (hinge, freedoms) = (joint.hinge()?, joint.freedoms()?);
            let screws = freedoms.iter().any(|f| f.turning().is_some_and(|(_, lead)| lead != 0.0));
            if screws || freedoms.iter().map(|f| f.rates.len()).sum::<usize>() != hinge.nv() {
                return None;
            }
            let place = |f: &crate::joints::Freedom| Move { of: f.motion, q: made.nq + f.q, v: made.nv + f.v };
            let mut moves: Vec<Move> = freedoms.iter().map(place).collect();
            if branch.reversed {
                moves.reverse();
            }
            let (body, parent) = (branch.body, branch.parent);
            made.branches.push(Branch { body, parent, joint: branch.joint, reversed: branch.reversed, moves });
            made.nq += hinge.nq();
            made.nv += hinge.nv();
        }
        Some(made)
    }

    /// Numbers of a design: frames of tree joints on parents and children.
    pub fn number(&self, model: &Model, list: &mut Vec<f64>) {
        for branch in &self.branches {
            let [near, far] = match branch.joint {
                Some(joint) => {
                    let [a, b] = model.joints[joint].frames;
                    if branch.reversed {
                        [b, a]
                    } else {
                        [a, b]
                    }
                }
                None => [Pose::IDENTITY; 2],
            };
            put(&near, list);
            put(&far.inverse(), list);
        }
    }

    /// How many these are.
    pub fn numbers(&self) -> usize {
        2 * POSE * self.branches.len()
    }

    /// Places all bodies and screws; the ground stands.
    #[inline(always)]
    pub fn place<N: Number>(&self, n: &[N], q: &[N], bodies: &mut [Body<N>], screws: &mut [Screw<N>]) {
        let mut at = 0;
        for branch in &self.branches {
            let ((near, near_p), (far, far_p)) = (pose(&n[at..]), pose(&n[at + POSE..]));
            at += 2 * POSE;
            let parent = &bodies[branch.parent];
            let mut R = near.map(|axis| parent.turned(axis));
            let mut p = parent.point(near_p);
            let sense = N::splat(if branch.reversed { -1.0 } else { 1.0 });
            let zero = [N::splat(0.0); 3];
            for m in &branch.moves {
                match m.of {
                    Movement::Turn { axis, .. } => {
                        let (a, b, c) = (axis.index(), (axis.index() + 1) % 3, (axis.index() + 2) % 3);
                        let u = times(R[a], sense);
                        screws[m.v] = [u, cross(p, u)];
                        let (s, c1) = sines_cosines(q[m.q]);
                        let s = s * sense;
                        (R[b], R[c]) = (sum(times(R[b], c1), times(R[c], s)), less(times(R[c], c1), times(R[b], s)));
                    }
                    Movement::Slide { axis } => {
                        let u = times(R[axis.index()], sense);
                        screws[m.v] = [zero, u];
                        p = sum(p, times(u, q[m.q]));
                    }
                    Movement::Attitude => {
                        let E = attitude(&q[m.q..m.q + 4]);
                        let before = R;
                        R = match branch.reversed {
                            false => E.map(|axis| turned(&before, axis)),
                            true => [0, 1, 2].map(|k| turned(&before, [E[0][k], E[1][k], E[2][k]])),
                        };
                        let axes = if branch.reversed { before } else { R };
                        for (k, axis) in axes.into_iter().enumerate() {
                            let u = times(axis, sense);
                            screws[m.v + k] = [u, cross(p, u)];
                        }
                    }
                }
            }
            let body = &mut bodies[branch.body];
            body.R = far.map(|axis| turned(&R, axis));
            body.p = sum(p, turned(&R, far_p));
        }
    }

    /// Moves all bodies; how they accelerate where v̇ = 0.
    #[inline(always)]
    pub fn moves<N: Number>(&self, v: &[N], screws: &[Screw<N>], bodies: &mut [Body<N>]) {
        for branch in &self.branches {
            let Body { mut motion, mut bias, .. } = bodies[branch.parent];
            for m in &branch.moves {
                let own = self.total(m, v, screws);
                bias = plus(&bias, &moved(&motion, &own));
                motion = plus(&motion, &own);
            }
            let body = &mut bodies[branch.body];
            (body.motion, body.bias) = (motion, bias);
        }
    }

    /// Accelerates all bodies.
    #[inline(always)]
    pub fn accelerates<N: Number>(&self, vdot: &[N], screws: &[Screw<N>], bodies: &mut [Body<N>]) {
        for branch in &self.branches {
            let parent = &bodies[branch.parent];
            // What the parent has gained over its bias, and what the joint adds.
            let mut gained: Screw<N> = [0, 1].map(|k| less(parent.acceleration[k], parent.bias[k]));
            for m in &branch.moves {
                gained = plus(&gained, &self.total(m, vdot, screws));
            }
            let body = &mut bodies[branch.body];
            body.acceleration = plus(&body.bias, &gained);
        }
    }

    /// Powers of wrenches on bodies for a unit of each velocity. The wrenches, force and moment about O, are those on all that a body carries then.
    #[inline(always)]
    pub fn gather<N: Number>(&self, on: &mut [[Triple<N>; 2]], screws: &[Screw<N>], out: &mut [N]) {
        for branch in self.branches.iter().rev() {
            let [f, m] = on[branch.body];
            for of in &branch.moves {
                let rates = if of.of == Movement::Attitude { 3 } else { 1 };
                for k in of.v..of.v + rates {
                    out[k] = dot(f, screws[k][1]) + dot(m, screws[k][0]);
                }
            }
            on[branch.parent] = plus(&on[branch.parent], &[f, m]);
        }
    }

    /// Gathers wrenches on bodies from the leaves on. `joint` hears of each joint of the tree what acts on all that it carries, and whether that is on
    /// the side of its first body.
    #[inline(always)]
    pub fn balance<N: Number>(&self, on: &mut [[Triple<N>; 2]], mut joint: impl FnMut(usize, [Triple<N>; 2], bool)) {
        for branch in self.branches.iter().rev() {
            let carried = on[branch.body];
            if let Some(k) = branch.joint {
                joint(k, carried, branch.reversed);
            }
            on[branch.parent] = plus(&on[branch.parent], &carried);
        }
    }

    /// The motion that its velocities give to what a freedom carries.
    #[inline(always)]
    fn total<N: Number>(&self, m: &Move, v: &[N], screws: &[Screw<N>]) -> Screw<N> {
        let one = |k: usize| screws[m.v + k].map(|part| times(part, v[m.v + k]));
        match m.of {
            Movement::Turn { .. } | Movement::Slide { .. } => one(0),
            Movement::Attitude => plus(&plus(&one(0), &one(1)), &one(2)),
        }
    }

    /// Coordinates after a displacement in the velocities of at most a radian.
    #[inline(always)]
    pub fn step<N: Number>(&self, q: &mut [N], dv: &[N]) {
        for m in self.branches.iter().flat_map(|branch| &branch.moves) {
            match m.of {
                Movement::Turn { .. } | Movement::Slide { .. } => q[m.q] = q[m.q] + dv[m.v],
                Movement::Attitude => turn_attitude(&mut q[m.q..m.q + 4], [dv[m.v], dv[m.v + 1], dv[m.v + 2]]),
            }
        }
    }

    /// Where the angular velocities of attitudes begin among the velocities.
    pub fn attitudes(&self) -> impl Iterator<Item = usize> + '_ {
        let all = self.branches.iter().flat_map(|branch| &branch.moves);
        all.filter(|m| m.of == Movement::Attitude).map(|m| m.v)
    }
}

/// The joint by which a floating body hangs on the ground.
fn floating(space: Space) -> Joint {
    Joint { space, ..Joint::new("", FREE, [0, 0], [Pose::IDENTITY; 2]) }
}

/// Euler parameters turned by a rotation vector of at most a radian, given in the turned frame.
#[inline(always)]
fn turn_attitude<N: Number>(e: &mut [N], w: Triple<N>) {
    /// Taylor's coefficients of (sin x)/x and cos x in x², to 1e-19 for half a radian.
    const SINE: [f64; 8] = [
        1.0,
        -1.0 / 6.0,
        1.0 / 120.0,
        -1.0 / 5040.0,
        1.0 / 362_880.0,
        -1.0 / 39_916_800.0,
        1.0 / 6_227_020_800.0,
        -1.0 / 1_307_674_368_000.0,
    ];
    const COSINE: [f64; 8] = [
        1.0,
        -1.0 / 2.0,
        1.0 / 24.0,
        -1.0 / 720.0,
        1.0 / 40_320.0,
        -1.0 / 3_628_800.0,
        1.0 / 479_001_600.0,
        -1.0 / 87_178_291_200.0,
    ];
    let h = times(w, N::splat(0.5));
    let z = h[0] * h[0] + h[1] * h[1] + h[2] * h[2];
    let f = times(h, horner(&SINE, z));
    let (a, b, c, d) = (e[0], e[1], e[2], e[3]);
    let g = horner(&COSINE, z);
    let turned = [
        a * g - b * f[0] - c * f[1] - d * f[2],
        a * f[0] + b * g + c * f[2] - d * f[1],
        a * f[1] - b * f[2] + c * g + d * f[0],
        a * f[2] + b * f[1] - c * f[0] + d * g,
    ];
    let square = turned.iter().fold(N::splat(0.0), |sum, x| sum + *x * *x);
    let inverse = N::splat(1.0) / square.sqrt();
    e.iter_mut().zip(turned).for_each(|(e, x)| *e = x * inverse);
}
