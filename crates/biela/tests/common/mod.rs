//! Helpers shared by the integration tests.
#![allow(dead_code, non_snake_case)]

pub mod cases;
pub mod forward;
pub mod random;
pub mod record;
pub mod trees;

use biela::joints::{Joint, JointKind, Limits};
use biela::math::{EulerParameters, Pose, Vec3};
use biela::model::{Body, Model, Run};
use biela::motion::Motion;

/// A repeatable stream of numbers.
pub struct Stream(pub u64);

impl Stream {
    /// A number in [−1, 1): splitmix64.
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }

    pub fn attitude(&mut self) -> EulerParameters {
        EulerParameters([self.next(), self.next(), self.next(), self.next()]).normalised()
    }

    pub fn pose(&mut self) -> Pose {
        Pose::new(self.attitude().rotation(), self.vector())
    }
}

/// A body at a pose, without mass.
pub fn body(name: &str, X_WB: Pose) -> Body {
    Body { name: name.into(), mass: None, points: Vec::new(), X_WB, shape: None, span: None }
}

/// A joint with these frames.
pub fn joint(name: &str, kind: &'static dyn JointKind, bodies: [usize; 2], frames: [Pose; 2]) -> Joint {
    Joint {
        name: name.into(),
        kind,
        bodies,
        frames,
        directions: [frames[0].rotation.axes[2], frames[1].rotation.axes[0]],
        pitch: 0.3,
        value: Motion::Constant(0.0),
        limits: Limits::default(),
        span: None,
    }
}

/// A model of bodies (the ground is added) and joints.
pub fn model(bodies: Vec<Body>, joints: Vec<Joint>) -> Model {
    let ground = body("ground", Pose::IDENTITY);
    Model {
        name: "test".into(),
        about: String::new(),
        gravity: None,
        parameters: Vec::new(),
        bodies: std::iter::once(ground).chain(bodies).collect(),
        joints,
        couplings: Vec::new(),
        drivers: Vec::new(),
        rotors: Vec::new(),
        loads: Vec::new(),
        initial: Vec::new(),
        events: Vec::new(),
        run: Run::default(),
    }
}
