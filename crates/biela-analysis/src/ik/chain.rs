//! A serial chain by its screws: where its last body is, how far a tool is from its goal, and corrections that bring it there.
//!
//! With all coordinates at zero the last body is at X_0, and coordinate k moves what it carries about (along) the axis (o_k, u_k):
//! X(q) = E_1(q_1) … E_n(q_n) X_0, where E_k turns by `turn`·q_k and advances by `advance`·q_k. What is left of the goal is
//! e = (p* − p)/L and φ, the rotation vector of R* Rᵀ: unlike the skew part of R* Rᵀ it vanishes at no half turn. Under a turn ω of
//! the body φ changes by −J_r⁻¹(φ) ω, J_r⁻¹ = 1 + ½ φ× + (1/θ² − (1 + cos θ)/(2 θ sin θ)) φ×φ×. So corrections are steps of
//! Levenberg and Marquardt down the square of (e, φ), from anywhere.

#![allow(non_snake_case)] // X_WB, p_B, J: docs/notation.md.

use super::Task;
use crate::joints::{Freedom, Joint};
use crate::math::dense::Matrix;
use crate::math::{Elementary, Pose, Rotation, Vec3};
use crate::model::Model;
use crate::solve::vectors::max_abs;
use std::f64::consts::{PI, TAU};

/// A coordinate of the chain as a screw, with all coordinates at zero.
#[derive(Debug, Clone, Copy)]
pub struct Axis {
    /// The joint, by its index.
    pub joint: usize,
    /// The coordinate among those of the joint.
    pub coordinate: usize,
    /// The body that the joint carries.
    pub body: usize,
    pub(super) origin: Vec3,
    pub(super) u: Vec3,
    /// −1 where the chain enters the joint by its second body.
    pub(super) sense: f64,
    /// Turn and advance per unit of the coordinate: 1, 0 of an angle; 0, 1 of a slide; 1, pitch/2π of a screw.
    pub(super) turn: f64,
    pub(super) advance: f64,
    /// Least and greatest coordinate.
    pub limits: [Option<f64>; 2],
}

impl Axis {
    /// True where whole turns lead back.
    pub fn returns(&self) -> bool {
        self.turn != 0.0 && self.advance == 0.0
    }

    /// The motion of what it carries at coordinate `x`, in the joint's own sense.
    pub(super) fn moved(&self, x: f64) -> Pose {
        let x = self.sense * x;
        let rotation = if self.turn == 0.0 { Rotation::IDENTITY } else { Rotation::about(self.u, self.turn * x) };
        Pose::new(rotation, self.origin - rotation.apply(self.origin) + self.u * (self.advance * x))
    }

    /// The same coordinate on the turn nearest to zero, or within the limits where some turn is.
    pub fn wrapped(&self, x: f64) -> f64 {
        if !self.returns() {
            return x;
        }
        let x = wrapped(x);
        if self.within(x) {
            return x;
        }
        let nearest = |limit: f64, up: f64| x + TAU * ((limit - x) / TAU * up).ceil() * up;
        let tried = [self.limits[0].map(|low| nearest(low, 1.0)), self.limits[1].map(|high| nearest(high, -1.0))];
        tried.into_iter().flatten().find(|x| self.within(*x)).unwrap_or(x)
    }

    /// Whether a coordinate keeps the limits; one that is met to rounding is kept.
    pub fn within(&self, x: f64) -> bool {
        let slack = LIMIT_SLACK * x.abs().max(1.0);
        self.limits[0].is_none_or(|low| x >= low - slack) && self.limits[1].is_none_or(|high| x <= high + slack)
    }
}

/// A coordinate this near to its limit, against its size, is on it.
const LIMIT_SLACK: f64 = 1e-9;

/// A serial chain from the ground to a body.
#[derive(Debug, Clone)]
pub struct Chain {
    pub(super) axes: Vec<Axis>,
    /// Pose of the last body with all coordinates at zero.
    pub(super) home: Pose,
}

/// Axes of a joint's coordinates in its first frame, in the order of its freedoms: coordinate, direction, turn, advance. `None` where the
/// chain cannot take the joint.
fn screws(joint: &Joint) -> Option<Vec<(usize, Vec3, f64, f64)>> {
    let screw = |f: &Freedom| {
        let coordinate = joint.coordinate_of(f)?;
        match (f.turning(), f.sliding()) {
            (Some((axis, lead)), _) => Some((coordinate, axis.unit(), 1.0, lead)),
            (_, Some(axis)) => Some((coordinate, axis.unit(), 0.0, 1.0)),
            _ => None,
        }
    };
    joint.freedoms()?.iter().map(screw).collect()
}

impl Chain {
    /// The chain that carries a body, if it is serial and made of joints with angles and slides alone.
    pub fn new(model: &Model, body: usize) -> Option<Chain> {
        if !model.couplings.is_empty() {
            return None;
        }
        let mut path = Vec::new();
        let (mut at, mut came) = (body, usize::MAX);
        while at != 0 {
            // Towards the ground there must be one way only; bodies beyond the tool do not matter.
            let mut ways = (0..model.joints.len()).filter(|j| *j != came && model.joints[*j].bodies.contains(&at));
            let ways: Vec<usize> = ways.by_ref().filter(|j| leads_to_ground(model, at, *j)).collect();
            let [joint] = ways[..] else { return None };
            let reversed = model.joints[joint].bodies[0] == at;
            path.push((joint, reversed));
            at = model.joints[joint].bodies[usize::from(reversed)];
            came = joint;
            if path.len() > model.bodies.len() {
                return None;
            }
        }
        let mut home = Pose::IDENTITY;
        let mut axes = Vec::new();
        for (k, reversed) in path.into_iter().rev() {
            let joint = &model.joints[k];
            let (near, far) = if reversed { (1, 0) } else { (0, 1) };
            let frame = home * joint.frames[near];
            let mut own = screws(joint)?;
            if reversed {
                own.reverse();
            }
            for (coordinate, u, turn, advance) in own {
                let limits = joint.limits_of(coordinate);
                let limits = [limits.lower, limits.upper];
                axes.push(Axis {
                    joint: k,
                    coordinate,
                    body: joint.bodies[far],
                    origin: frame.origin,
                    u: frame.rotation.apply(u),
                    sense: if reversed { -1.0 } else { 1.0 },
                    turn,
                    advance,
                    limits,
                });
            }
            home = frame * joint.frames[far].inverse();
        }
        Some(Chain { axes, home })
    }

    /// Number of coordinates.
    pub fn len(&self) -> usize {
        self.axes.len()
    }

    /// True where the body does not move at all.
    pub fn is_empty(&self) -> bool {
        self.axes.is_empty()
    }

    /// The coordinates, from the ground on.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// True where all coordinates are angles of turning joints.
    pub fn is_turning(&self) -> bool {
        self.axes.iter().all(Axis::returns)
    }

    /// Pose of the last body for given coordinates (in the joints' own senses).
    pub fn pose(&self, q: &[f64]) -> Pose {
        self.axes.iter().zip(q).rev().fold(self.home, |pose, (axis, x)| axis.moved(*x) * pose)
    }

    /// Poses of all bodies, ground first, for given coordinates; `None` where the model has bodies beside the chain.
    pub fn poses(&self, model: &Model, q: &[f64]) -> Option<Vec<Pose>> {
        let mut poses: Vec<Option<Pose>> = vec![None; model.bodies.len()];
        poses[0] = Some(Pose::IDENTITY);
        // Each body is where the chain that ends at it says.
        for body in 1..model.bodies.len() {
            let part = Chain::new(model, body)?;
            let own =
                |axis: &Axis| self.axes.iter().position(|a| (a.joint, a.coordinate) == (axis.joint, axis.coordinate));
            let coordinates: Option<Vec<f64>> = part.axes.iter().map(|axis| Some(q[own(axis)?])).collect();
            poses[body] = Some(part.pose(&coordinates?));
        }
        poses.into_iter().collect()
    }

    /// How far the chain reaches from its first axis with all slides at zero; never zero.
    pub fn reach(&self) -> f64 {
        let mut from = self.axes.first().map_or(Vec3::ZERO, |a| a.origin);
        let mut sum = 0.0;
        for point in self.axes.iter().skip(1).map(|a| a.origin).chain([self.home.origin]) {
            sum += (point - from).norm();
            from = point;
        }
        sum.max(1e-12)
    }

    /// Coordinates on the turn nearest to zero, or within the limits where some turn is.
    pub fn wrapped(&self, q: &[f64]) -> Vec<f64> {
        self.axes.iter().zip(q).map(|(axis, x)| axis.wrapped(*x)).collect()
    }

    /// The first coordinate beyond its limits.
    pub fn outside(&self, q: &[f64]) -> Option<usize> {
        (0..self.len()).find(|k| !self.axes[*k].within(q[*k]))
    }

    /// True where some coordinate is limited.
    pub fn is_limited(&self) -> bool {
        self.axes.iter().any(|a| a.limits.iter().any(Option::is_some))
    }

    /// Largest difference of two postures: angles as they are, slides in lengths `size`.
    pub fn apart(&self, a: &[f64], b: &[f64], size: f64) -> f64 {
        let off = |(axis, (a, b)): (&Axis, (&f64, &f64))| match (axis.returns(), axis.turn == 0.0) {
            (true, _) => wrapped(a - b).abs(),
            (_, true) => (a - b).abs() / size,
            _ => (a - b).abs(),
        };
        self.axes.iter().zip(a.iter().zip(b)).map(off).fold(0.0, f64::max)
    }
}

/// Where a tool is to be: some coordinates of a point, an orientation, or both.
#[derive(Debug, Clone)]
pub struct Goal {
    /// The point in the last body's frame.
    pub p_B: Vec3,
    /// Its coordinates, where prescribed.
    pub place: [Option<f64>; 3],
    /// The body's orientation, where prescribed.
    pub rotation: Option<Rotation>,
    /// The length that counts as much as a radian.
    pub size: f64,
}

impl Goal {
    /// The goal of a task at time `t`, with lengths counted in `size`.
    pub fn of(task: &Task, t: f64, size: f64) -> Goal {
        Goal {
            p_B: task.p_B,
            place: [0, 1, 2].map(|k| task.place[k].as_ref().map(|m| m.jet(t).v)),
            rotation: task.attitude.as_ref().map(|a| a.euler_parameters(t).rotation()),
            size,
        }
    }

    /// Number of equations.
    pub fn rows(&self) -> usize {
        self.place.iter().flatten().count() + if self.rotation.is_some() { 3 } else { 0 }
    }

    /// What is left of it at a pose: lengths in sizes, then the rotation vector.
    pub fn left(&self, pose: &Pose, e: &mut Vec<f64>) {
        e.clear();
        let p = pose.apply(self.p_B);
        e.extend((0..3).filter_map(|k| self.place[k].map(|x| (x - p[k]) / self.size)));
        if let Some(R) = &self.rotation {
            let phi = (*R * pose.rotation.transposed()).euler_parameters().rotation_vector();
            e.extend(phi.to_array());
        }
    }

    /// How far a pose is from it: metres, radians.
    pub fn away(&self, pose: &Pose) -> (f64, f64) {
        let p = pose.apply(self.p_B);
        let square = (0..3).filter_map(|k| self.place[k].map(|x| (x - p[k]) * (x - p[k]))).sum::<f64>();
        let turn = |R: &Rotation| (*R * pose.rotation.transposed()).euler_parameters().rotation_vector().norm();
        (square.sqrt(), self.rotation.as_ref().map_or(0.0, turn))
    }
}

/// Largest part of one step, in radians or sizes.
const LARGEST: f64 = 1.0;
/// Steps of one correction.
const MOST: usize = 80;
/// What is left is rounding.
const ROUNDING: f64 = 1e-15;
/// A correction that takes less than this part off in so many steps has come to a nearest pose.
const SLOW: (f64, usize) = (0.02, 6);

/// Scratch of corrections.
#[derive(Debug, Default)]
pub struct Correction {
    e: Vec<f64>,
    J: Matrix,
    frames: Vec<Pose>,
}

impl Correction {
    /// Moves `q` down the square of what is left of the goal. Returns the largest part left.
    pub fn correct(&mut self, chain: &Chain, goal: &Goal, q: &mut [f64]) -> f64 {
        let square = |e: &[f64]| e.iter().map(|x| x * x).sum::<f64>();
        goal.left(&chain.pose(q), &mut self.e);
        let (mut now, mut damping, mut slow) = (square(&self.e), 1e-3, 0);
        let mut trial = q.to_vec();
        for _ in 0..MOST {
            if max_abs(&self.e) <= ROUNDING || !now.is_finite() {
                break;
            }
            self.slopes(chain, goal, q);
            let e = self.e.clone();
            let mut improved = false;
            while damping < 1e8 {
                // Towards the end the damping falls with what is left, so that steps become Newton's.
                let Some(mut d) = step(&self.J, &e, damping * now.min(1.0)) else {
                    damping = damping.max(1e-12) * 10.0;
                    continue;
                };
                let largest = max_abs(&d);
                if largest > LARGEST {
                    d.iter_mut().for_each(|x| *x *= LARGEST / largest);
                }
                for (k, axis) in chain.axes.iter().enumerate() {
                    trial[k] = q[k] + d[k] * if axis.turn == 0.0 { goal.size } else { 1.0 };
                }
                goal.left(&chain.pose(&trial), &mut self.e);
                let next = square(&self.e);
                if next < now {
                    slow = if next > (1.0 - SLOW.0) * now { slow + 1 } else { 0 };
                    improved = slow < SLOW.1;
                    q.copy_from_slice(&trial);
                    now = next;
                    damping *= 0.1;
                    break;
                }
                damping = damping.max(1e-9) * 8.0;
                if largest < 1e-15 {
                    break;
                }
            }
            if !improved {
                break;
            }
        }
        self.polish(chain, goal, q);
        max_abs(&self.e)
    }

    /// Newton steps by singular values as long as they take something off.
    fn polish(&mut self, chain: &Chain, goal: &Goal, q: &mut [f64]) {
        const FEW: usize = 4;
        /// Beyond this Newton's steps mean nothing.
        const NEAR: f64 = 1e-4;
        /// Singular values below this, against the greatest, are left out: along them the goal does not tell where to go.
        const RANK: f64 = 1e-9;
        goal.left(&chain.pose(q), &mut self.e);
        for _ in 0..FEW {
            let now = max_abs(&self.e);
            if !(ROUNDING..NEAR).contains(&now) {
                return;
            }
            self.slopes(chain, goal, q);
            let d = self.J.pseudo_solve(&self.e, RANK);
            let scaled = chain.axes.iter().map(|a| if a.turn == 0.0 { goal.size } else { 1.0 });
            let trial: Vec<f64> = q.iter().zip(d.iter().zip(scaled)).map(|(q, (d, s))| q + d * s).collect();
            goal.left(&chain.pose(&trial), &mut self.e);
            if max_abs(&self.e) >= now {
                goal.left(&chain.pose(q), &mut self.e);
                return;
            }
            q.copy_from_slice(&trial);
        }
    }

    /// −∂(e, φ)/∂q, slides in sizes.
    fn slopes(&mut self, chain: &Chain, goal: &Goal, q: &[f64]) {
        let n = chain.len();
        self.frames.clear();
        let mut carried = Pose::IDENTITY;
        for (axis, x) in chain.axes.iter().zip(q) {
            self.frames.push(carried);
            carried = carried * axis.moved(*x);
        }
        let pose = carried * chain.home;
        let p = pose.apply(goal.p_B);
        self.J.rows = goal.rows();
        self.J.columns = n;
        self.J.entries.clear();
        self.J.entries.resize(self.J.rows * n, 0.0);
        let bent = goal.rotation.as_ref().map(|R| {
            let phi = (*R * pose.rotation.transposed()).euler_parameters().rotation_vector();
            (phi, bending(phi.norm()))
        });
        for (k, axis) in chain.axes.iter().enumerate() {
            let frame = &self.frames[k];
            let (u, o) = (frame.rotation.apply(axis.u) * axis.sense, frame.apply(axis.origin));
            let unit = if axis.turn == 0.0 { goal.size } else { 1.0 };
            let v = (u.cross(p - o) * axis.turn + u * axis.advance) * (unit / goal.size);
            let mut i = 0;
            for c in (0..3).filter(|c| goal.place[*c].is_some()) {
                self.J.entries[i * n + k] = v[c];
                i += 1;
            }
            if let Some((phi, bending)) = bent {
                let w = u * axis.turn;
                let once = phi.cross(w);
                let w = w + once * 0.5 + phi.cross(once) * bending;
                for x in w.to_array() {
                    self.J.entries[i * n + k] = x;
                    i += 1;
                }
            }
        }
    }

    /// Singular values of the slopes at a posture, the greatest first.
    pub fn singular_values(&mut self, chain: &Chain, goal: &Goal, q: &[f64]) -> Vec<f64> {
        self.slopes(chain, goal, q);
        self.J.singular_values()
    }
}

/// 1/θ² − (1 + cos θ)/(2 θ sin θ).
fn bending(theta: f64) -> f64 {
    // The series where the quotient would lose digits.
    if theta < 1e-2 {
        return 1.0 / 12.0 + theta * theta / 720.0;
    }
    let half = 0.5 * theta;
    (1.0 - half * half.cosine() / half.sine()) / (theta * theta)
}

/// (JᵀJ + damping)⁻¹ Jᵀ e, by the smaller of the two equivalent systems.
fn step(J: &Matrix, e: &[f64], damping: f64) -> Option<Vec<f64>> {
    if J.columns < J.rows {
        return J.damped_least_squares(e, damping);
    }
    let m = J.rows;
    let mut normal = Matrix::zeros(m, m);
    for i in 0..m {
        for k in 0..=i {
            normal.entries[i * m + k] = J.row(i).iter().zip(J.row(k)).map(|(a, b)| a * b).sum();
        }
        normal.entries[i * m + i] += damping;
    }
    let mut y = e.to_vec();
    normal.cholesky_solve(&mut y)?;
    let mut d = vec![0.0; J.columns];
    for (i, y) in y.iter().enumerate() {
        d.iter_mut().zip(J.row(i)).for_each(|(d, j)| *d += y * j);
    }
    Some(d)
}

/// The angle in (−π, π].
pub(super) fn wrapped(angle: f64) -> f64 {
    let angle = angle.rem_euclid(TAU);
    if angle > PI {
        angle - TAU
    } else {
        angle
    }
}

/// True where the ground can be reached from `body` through `joint` first.
fn leads_to_ground(model: &Model, body: usize, joint: usize) -> bool {
    let mut seen = vec![false; model.bodies.len()];
    seen[body] = true;
    let mut waiting: Vec<usize> = model.joints[joint].bodies.iter().copied().filter(|b| *b != body).collect();
    while let Some(at) = waiting.pop() {
        if at == 0 {
            return true;
        }
        if !std::mem::replace(&mut seen[at], true) {
            let next = model.joints.iter().filter(|j| j.bodies.contains(&at)).flat_map(|j| j.bodies);
            waiting.extend(next.filter(|b| !seen[*b]));
        }
    }
    false
}
