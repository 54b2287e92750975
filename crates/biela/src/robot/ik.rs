//! Postures of a robot for the pose of a frame: the nearest, all, along a path.
//!
//! What is left of a pose is e = ((p* − p)/L, φ) with φ the rotation vector of R* Rᵀ and L the robot's reach. Corrections go down |e|² by
//! Levenberg's and Marquardt's steps on the space of configurations; coordinates on a limit that a step would leave are held there. Serial
//! chains are searched for all their postures ([`crate::solve::ik::search`]); other trees are tried from random configurations.

use super::{Axes, Frame, Robot, Workspace};
use crate::error::{Error, Result};
use crate::math::dense::Matrix;
use crate::math::random::Random;
use crate::math::Pose;
use crate::solve::ik::chain::{Chain, Goal};
use crate::solve::ik::{search, REACHED};
use std::f64::consts::TAU;

/// A posture with what it leaves of the pose asked for.
#[derive(Debug, Clone)]
pub struct Posture {
    /// Its coordinates.
    pub q: Vec<f64>,
    /// How far the frame's origin is from where it should be.
    pub distance: f64,
    /// The angle by which its orientation differs.
    pub turn: f64,
}

/// Steps of a correction.
const STEPS: usize = 200;
/// Random configurations to start from where the given one does not lead to the pose.
const STARTS: usize = 100;
/// Largest part of a step, in radians or reaches.
const LARGEST: f64 = 0.5;
/// Seed of these configurations: the same in every run.
const SEED: u64 = 1;

/// What is asked of a posture.
struct Aim<'r> {
    robot: &'r Robot,
    frame: Frame,
    target: Pose,
    /// Whether the orientation counts.
    turned: bool,
    /// Whether limits are kept.
    limited: bool,
    /// The length that counts as much as a radian.
    size: f64,
}

impl Robot {
    /// The posture nearest to `from` that brings a frame to a pose: within the limits where `limited`. Without `turned` the place of its
    /// origin alone counts. An error says how near the nearest posture found comes.
    pub fn ik(&self, frame: &Frame, target: &Pose, from: &[f64], turned: bool, limited: bool) -> Result<Posture> {
        let aim = self.aim(frame, target, turned, limited);
        let mut work = self.workspace();
        if let Some(chain) = self.chain(frame) {
            let found = search::postures(&chain, &aim.goal(), &self.posture_of(&chain, from), true);
            let inside = found.postures.iter().find(|p| !limited || chain.outside(p).is_none());
            if let Some(posture) = inside {
                return Ok(aim.judged(&mut work, self.written(&chain, from, posture, limited)));
            }
        }
        aim.tried(&mut work, from)
    }

    /// All postures of a serial chain that bring a frame to a pose, nearest to `from` first; some of them where there are infinitely many.
    pub fn ik_all(
        &self,
        frame: &Frame,
        target: &Pose,
        from: &[f64],
        turned: bool,
        limited: bool,
    ) -> Result<Vec<Posture>> {
        let aim = self.aim(frame, target, turned, limited);
        let chain = self.chain(frame).ok_or_else(|| {
            Error::new("all postures are found of serial chains whose joints turn and slide")
                .note("ik() finds the nearest posture of any tree")
        })?;
        let found = search::postures(&chain, &aim.goal(), &self.posture_of(&chain, from), false);
        let mut work = self.workspace();
        let inside = found.postures.iter().filter(|p| !limited || chain.outside(p).is_none());
        Ok(inside.map(|p| aim.judged(&mut work, self.written(&chain, from, p, limited))).collect())
    }

    /// Postures along poses, each next to the one before it: the first is the nearest to `from`. An error names the first pose that cannot be
    /// reached without a jump.
    pub fn ik_path(
        &self,
        frame: &Frame,
        targets: &[Pose],
        from: &[f64],
        turned: bool,
        limited: bool,
    ) -> Result<Vec<Posture>> {
        let mut list: Vec<Posture> = Vec::with_capacity(targets.len());
        let mut work = self.workspace();
        for (k, target) in targets.iter().enumerate() {
            let aim = self.aim(frame, target, turned, limited);
            let posture = match list.last() {
                None => self.ik(frame, target, from, turned, limited)?,
                Some(last) => aim.corrected(&mut work, last.q.clone()),
            };
            if !aim.met(&posture) {
                return Err(aim.missed(&posture).note(format!("at pose {} of {}", k + 1, targets.len())));
            }
            list.push(posture);
        }
        Ok(list)
    }

    fn aim(&self, frame: &Frame, target: &Pose, turned: bool, limited: bool) -> Aim<'_> {
        let size = match self.chain(frame) {
            Some(chain) => chain.reach(),
            None => target.origin.norm().max(1.0),
        };
        Aim { robot: self, frame: *frame, target: *target, turned, limited, size }
    }

    /// The serial chain that carries a frame, where there is one.
    fn chain(&self, frame: &Frame) -> Option<Chain> {
        let chain = Chain::new(&self.model, frame.body).filter(|chain| !chain.is_empty())?;
        chain.axes().iter().all(|axis| self.place(axis.joint, axis.coordinate).is_some()).then_some(chain)
    }

    /// The place among positions of a joint's coordinate.
    fn place(&self, joint: usize, coordinate: usize) -> Option<usize> {
        let name = &self.model.joints.get(joint)?.name;
        self.joints().find(|j| j.0 == name).map(|(_, [q, _], _)| q + coordinate)
    }

    fn posture_of(&self, chain: &Chain, q: &[f64]) -> Vec<f64> {
        chain.axes().iter().filter_map(|axis| self.place(axis.joint, axis.coordinate)).map(|at| q[at]).collect()
    }

    /// q with the coordinates of a posture in place of the chain's, each on the turn nearest to its own where limits let it be.
    fn written(&self, chain: &Chain, q: &[f64], posture: &[f64], limited: bool) -> Vec<f64> {
        let mut q = q.to_vec();
        for (axis, x) in chain.axes().iter().zip(posture) {
            let Some(at) = self.place(axis.joint, axis.coordinate) else { continue };
            let near = x + TAU * ((q[at] - x) / TAU).round();
            q[at] = if axis.returns() && (!limited || axis.within(near)) { near } else { *x };
        }
        q
    }
}

impl Aim<'_> {
    /// The same for the search of a chain, whose goal is that of the body.
    fn goal(&self) -> Goal {
        let X_WB = self.target * self.frame.X_BF.inverse();
        Goal {
            p_B: self.frame.X_BF.origin,
            place: self.target.origin.to_array().map(Some),
            rotation: self.turned.then_some(X_WB.rotation),
            size: self.size,
        }
    }

    fn met(&self, posture: &Posture) -> bool {
        /// Rounding of a chain's poses, in reaches and radians.
        const MET: f64 = 10.0 * REACHED;
        let within = !self.limited || self.robot.beyond_limits(&posture.q).is_none();
        within && posture.distance <= MET * self.size && posture.turn <= MET
    }

    fn missed(&self, posture: &Posture) -> Error {
        let words = match self.limited && self.robot.beyond_limits(&posture.q).is_some() {
            true => "no posture within the joint limits reaches the pose".to_string(),
            false => format!(
                "no posture found reaches the pose: the nearest stays {:.3e} m and {:.3e} rad away",
                posture.distance, posture.turn
            ),
        };
        Error::new(words)
    }

    /// What is left of the pose: in reaches, then radians.
    fn left(&self, X_WF: &Pose) -> Vec<f64> {
        let mut e: Vec<f64> = ((self.target.origin - X_WF.origin) * (1.0 / self.size)).to_array().to_vec();
        if self.turned {
            let between = self.target.rotation * X_WF.rotation.transposed();
            e.extend(between.euler_parameters().rotation_vector().to_array());
        }
        e
    }

    fn judged(&self, work: &mut Workspace, q: Vec<f64>) -> Posture {
        let X_WF = self.robot.pose(work, &q, &self.frame);
        let e = self.left(&X_WF);
        let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
        Posture { q, distance: self.size * norm(&e[..3]), turn: norm(&e[3..]) }
    }

    /// The posture that corrections from `from`, or else from random configurations, lead to.
    fn tried(&self, work: &mut Workspace, from: &[f64]) -> Result<Posture> {
        let mut best = self.corrected(work, from.to_vec());
        let mut random = Random(SEED);
        let off = |p: &Posture| p.distance / self.size + p.turn;
        for _ in 0..STARTS {
            if self.met(&best) {
                return Ok(best);
            }
            let found = self.corrected(work, self.robot.random(&mut random));
            if off(&found) < off(&best) {
                best = found;
            }
        }
        if self.met(&best) {
            Ok(best)
        } else {
            Err(self.missed(&best))
        }
    }

    /// Moves `q` down what is left of the pose.
    fn corrected(&self, work: &mut Workspace, mut q: Vec<f64>) -> Posture {
        let (robot, n) = (self.robot, self.robot.nv());
        if self.limited {
            self.clamp(&mut q);
        }
        let square = |e: &[f64]| e.iter().map(|x| x * x).sum::<f64>();
        let rows = if self.turned { 6 } else { 3 };
        let mut J = vec![0.0; 6 * n];
        let (mut damping, mut trial) = (1e-3, q.clone());
        for _ in 0..STEPS {
            robot.jacobian(work, &q, &self.frame, Axes::Aligned, &mut J);
            let e = self.left(&robot.pose(work, &q, &self.frame));
            let now = square(&e);
            /// What rounding leaves.
            const DONE: f64 = 1e-28;
            if now <= DONE || !now.is_finite() {
                break;
            }
            let mut moved = false;
            while !moved && damping < 1e12 {
                let Some(mut step) = self.step(&q, &J, &e, rows, damping * now.max(1e-12)) else {
                    damping *= 10.0;
                    continue;
                };
                let largest = step.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
                if largest > LARGEST {
                    step.iter_mut().for_each(|x| *x *= LARGEST / largest);
                }
                robot.integrate(&q, &step, &mut trial);
                if self.limited {
                    self.clamp(&mut trial);
                }
                let after = square(&self.left(&robot.pose(work, &trial, &self.frame)));
                moved = after < now;
                damping = if moved { (damping / 5.0).max(1e-9) } else { damping * 10.0 };
            }
            if !moved {
                break;
            }
            q.copy_from_slice(&trial);
        }
        self.judged(work, q)
    }

    /// A damped step; coordinates that it would take beyond a limit that they are on are held, and it is found again.
    fn step(&self, q: &[f64], J: &[f64], e: &[f64], rows: usize, damping: f64) -> Option<Vec<f64>> {
        let n = self.robot.nv();
        let mut held = vec![false; n];
        loop {
            let mut A = Matrix::zeros(rows, n);
            for r in 0..rows {
                let scale = if r < 3 { 1.0 / self.size } else { 1.0 };
                for k in (0..n).filter(|k| !held[*k]) {
                    A.row_mut(r)[k] = scale * J[r * n + k];
                }
            }
            let step = A.damped_least_squares(e, damping)?;
            let leaves = |k: usize| {
                let [low, high, ..] = self.robot.limits(k);
                let x = self.robot.position_of(k).map(|at| q[at]);
                x.is_some_and(|x| (x <= low && step[k] < 0.0) || (x >= high && step[k] > 0.0))
            };
            match (0..n).find(|k| self.limited && !held[*k] && leaves(*k)) {
                Some(k) => held[k] = true,
                None => return Some(step),
            }
        }
    }

    fn clamp(&self, q: &mut [f64]) {
        for k in 0..self.robot.nv() {
            let [low, high, ..] = self.robot.limits(k);
            if let Some(at) = self.robot.position_of(k) {
                q[at] = q[at].max(low).min(high);
            }
        }
    }
}
