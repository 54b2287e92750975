//! Random mechanisms that close by construction: poses are made first, along a tree at random joint coordinates, and
//! loops are closed by joints whose frames are read off those poses.

use super::{body, joint, model, Stream};
use biela::couplings::{self, CoordinateRef, Coupling};
use biela::drivers::{Attitude, Driver, Target};
use biela::expr::{Expression, Name};
use biela::joints::{self, JointKind};
use biela::math::{Pose, Rotation, Vec3};
use biela::model::{Model, Study};
use biela::motion::Motion;
use biela::solve::mobility;
use biela::system::{System, Workspace};

/// A mechanism under construction.
pub struct Builder {
    pub s: Stream,
    /// Poses of the bodies, ground first.
    pub poses: Vec<Pose>,
    pub joints: Vec<joints::Joint>,
    /// Joint coordinates of the drawn position.
    pub q: Vec<Vec<f64>>,
    pub couplings: Vec<Coupling>,
    pub drivers: Vec<Driver>,
    /// Amplitude of drivers, in radians; lengths have half of it.
    pub swing: f64,
    /// Steady rate of drivers, in radians per second.
    pub rate: f64,
}

impl Builder {
    pub fn new(seed: u64) -> Builder {
        Builder {
            s: Stream(seed),
            poses: vec![Pose::IDENTITY],
            joints: Vec::new(),
            q: Vec::new(),
            couplings: Vec::new(),
            drivers: Vec::new(),
            swing: 0.3,
            rate: 0.0,
        }
    }

    /// A whole number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (((self.s.next() + 1.0) * 0.5 * n as f64) as usize).min(n - 1)
    }

    /// Random coordinates of a joint type, angles and lengths within `reach`.
    pub fn coordinates(&mut self, kind: &'static dyn JointKind, reach: f64) -> Vec<f64> {
        let hinge = kind.hinge().expect("a joint with a hinge");
        let mut q: Vec<f64> = (0..hinge.nq()).map(|_| reach * self.s.next()).collect();
        if hinge.nq() > hinge.nv() {
            q[..4].copy_from_slice(&self.s.attitude().0);
        }
        q
    }

    fn add_joint(&mut self, kind: &'static dyn JointKind, bodies: [usize; 2], frames: [Pose; 2], q: Vec<f64>) {
        let name = format!("j{}", self.joints.len());
        self.joints.push(joint(&name, kind, bodies, frames));
        self.q.push(q);
    }

    /// A new body carried by `parent`; the joint names either of them first.
    pub fn carry(&mut self, kind: &str, parent: usize, on_parent: Pose, on_child: Pose, q: Vec<f64>) -> usize {
        let kind = joints::kind(kind).expect("a joint type");
        let child = self.poses.len();
        let reversed = self.s.next() > 0.0;
        let (bodies, frames) =
            if reversed { ([child, parent], [on_child, on_parent]) } else { ([parent, child], [on_parent, on_child]) };
        self.add_joint(kind, bodies, frames, q.clone());
        let made = &self.joints[self.joints.len() - 1];
        let X_FM = kind.hinge().expect("a hinge").pose(made, &q);
        let X_JK = if reversed { X_FM.inverse() } else { X_FM };
        let mut pose = self.poses[parent] * on_parent * X_JK * on_child.inverse();
        // Frames are read off poses by their transposes, which would double any lack of orthogonality from body to body.
        pose.rotation = pose.rotation.euler_parameters().rotation();
        self.poses.push(pose);
        child
    }

    /// A new body with the joint's frames at random places.
    pub fn carry_anyhow(&mut self, kind: &str, parent: usize) -> usize {
        let (on_parent, on_child) = (self.s.pose(), self.s.pose());
        let q = self.coordinates(joints::kind(kind).expect("a joint type"), 1.0);
        self.carry(kind, parent, on_parent, on_child, q)
    }

    /// A joint between two bodies as they stand, with its first frame at `X_WF`.
    pub fn close(&mut self, kind: &str, bodies: [usize; 2], X_WF: Pose, reach: f64) {
        let kind = joints::kind(kind).expect("a joint type");
        let q = self.coordinates(kind, reach);
        let probe = joint("probe", kind, bodies, [Pose::IDENTITY; 2]);
        let X_FM = kind.hinge().expect("a hinge").pose(&probe, &q);
        let frames = [self.poses[bodies[0]].inverse() * X_WF, self.poses[bodies[1]].inverse() * X_WF * X_FM];
        self.add_joint(kind, bodies, frames, q);
    }

    /// A body pinned at `at` with its frame there, aligned with the ground: for mechanisms drawn in a sketch.
    pub fn pin(&mut self, kind: &str, parent: usize, X_WF: Pose) -> usize {
        let on_parent = self.poses[parent].inverse() * X_WF;
        let on_child = Pose::new(self.s.attitude().rotation(), Vec3::ZERO);
        let q = self.coordinates(joints::kind(kind).expect("a joint type"), 0.8);
        self.carry(kind, parent, on_parent, on_child, q)
    }

    /// A smooth law that starts from `start`.
    fn law(&mut self, start: f64, amplitude: f64, rate: f64) -> Motion {
        let (w, phase) = (3.0 + 1.5 * self.s.next(), 3.0 * self.s.next());
        let a = amplitude * (0.6 + 0.4 * self.s.next());
        let text = format!("({start:?}) + ({a:?})*(sin({w:?}*t + ({phase:?})) - sin({phase:?})) + ({rate:?})*t");
        Motion::Expression(Expression::parse(&text, &[("t", Name::Variable(0))]).expect("an expression"))
    }

    /// Drives a joint coordinate.
    pub fn drive(&mut self, joint: usize, coordinate: usize) {
        let angle = self.joints[joint].kind.coordinates()[coordinate].angle;
        let start = self.q[joint][coordinate];
        let (swing, rate) = (self.swing, self.rate);
        let value = if angle { self.law(start, swing, rate) } else { self.law(start, 0.5 * swing, 0.0) };
        let target = Target::Coordinate { of: CoordinateRef { joint, coordinate }, value };
        self.add_driver(target);
    }

    fn add_driver(&mut self, target: Target) {
        let name = format!("d{}", self.drivers.len());
        self.drivers.push(Driver { name, target, effort: Vec::new(), span: None });
    }

    /// Drives a body's orientation in the ground.
    pub fn drive_orientation(&mut self, body: usize) {
        let rpy = self.poses[body].rotation.to_rpy();
        let swing = self.swing;
        let attitude = Attitude::Rpy(Box::new(rpy.map(|angle| self.law(angle, swing, 0.0))));
        self.add_driver(Target::Orientation { body, attitude });
    }

    /// Drives a body's origin in the ground.
    pub fn drive_origin(&mut self, body: usize) {
        let origin = self.poses[body].origin;
        for along in [Vec3::X, Vec3::Y, Vec3::Z] {
            let value = self.law(origin.dot(along), 0.5 * self.swing, 0.0);
            self.add_driver(Target::Point { body, p_B: Vec3::ZERO, along, value });
        }
    }

    /// Couples two joint coordinates of the same sort by a ratio.
    pub fn gear(&mut self, first: CoordinateRef, second: CoordinateRef, ratio: f64) {
        let value = |c: CoordinateRef| self.q[c.joint][c.coordinate];
        let offset = value(second) - ratio * value(first);
        self.couplings.push(Coupling {
            name: format!("g{}", self.couplings.len()),
            kind: couplings::kind("gear").expect("gear"),
            coordinates: vec![first, second],
            ratio,
            offset,
            train: None,
            profile: None,
            period: None,
            value: None,
            span: None,
        });
    }

    /// The model as it stands.
    pub fn model(&mut self) -> Model {
        let bodies = self.poses[1..].iter().enumerate().map(|(k, pose)| body(&format!("b{}", k + 1), *pose)).collect();
        let mut made = model(bodies, self.joints.clone());
        made.change_mechanism(|mechanism| {
            for (k, body) in mechanism.bodies.iter_mut().enumerate().skip(1) {
                let point = self.s.vector();
                // A named point off the line of a rod between two balls would show its spin, which nothing drives.
                let ends = self
                    .joints
                    .iter()
                    .flat_map(|j| [0, 1].map(|side| (j, side)))
                    .filter(|(j, side)| j.bodies[*side] == k);
                let ends: Vec<_> = ends.map(|(j, side)| (j.kind.keyword(), j.frames[side].origin)).collect();
                let point = match ends.as_slice() {
                    [("spherical", a), ("spherical", b)] => *a + (*b - *a) * point.x,
                    _ => point,
                };
                body.points.push(("P".into(), point));
            }
            mechanism.couplings = self.couplings.clone();
        });
        made.drivers = self.drivers.as_slice().into();
        made.study = Study { end: 0.6, steps: 20, ..Study::default() };
        made
    }

    /// Drives joint coordinates, chosen at random, until nothing is free; `None` where that cannot be done or the drawn
    /// position is nearly singular.
    pub fn driven(mut self) -> Option<Model> {
        let mut candidates: Vec<(usize, usize)> = Vec::new();
        for (j, joint) in self.joints.iter().enumerate() {
            candidates.extend((0..joint.kind.coordinates().len()).map(|c| (j, c)));
        }
        loop {
            let model = self.model();
            let (undriven, overdriven, condition) = standing(&model);
            if overdriven > 0 {
                self.drivers.pop();
            } else if undriven == 0 {
                /// Beyond this a small swing may reach a singular position.
                const NEARLY_SINGULAR: f64 = 300.0;
                return (condition < NEARLY_SINGULAR).then_some(model);
            }
            if candidates.is_empty() {
                return None;
            }
            let pick = self.below(candidates.len());
            let (j, c) = candidates.swap_remove(pick);
            self.drive(j, c);
        }
    }
}

/// Undriven and overdriven freedoms and the condition at the drawn position.
fn standing(model: &Model) -> (usize, usize, f64) {
    let system = System::new(model, "absolute").expect("the absolute formulation");
    let mut ws = Workspace::new(&system);
    let mut q = vec![0.0; system.formulation.nq()];
    let poses: Vec<Pose> = model.bodies.iter().map(|b| b.X_WB).collect();
    system.formulation.coordinates(&poses, &mut q);
    ws.realize_position(&system, 0.0, &q);
    let count = mobility::count(&system, &mut ws, 0.0);
    let condition = mobility::condition(&system, &mut ws, 0.0, count.driven_rank).unwrap_or(1.0);
    (count.undriven, count.overdriven, condition)
}

/// A frame at `at` with its z axis along `axis`.
pub fn frame(at: Vec3, axis: Vec3) -> Pose {
    let rotation = Rotation::from_z_x(axis, axis.any_perpendicular()).unwrap_or(Rotation::IDENTITY);
    Pose::new(rotation, at)
}
