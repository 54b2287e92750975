//! Helpers shared by the integration tests, each of which uses a part of them.
#![allow(dead_code, non_snake_case, unused_imports)]

pub mod cases;
pub mod flat;
pub mod forward;
pub mod machines;
pub mod random;
pub mod record;
pub mod trees;

use biela::joints::{Joint, JointKind, Limits};
use biela::math::random::Random;
use biela::math::{EulerParameters, Pose, Vec3};
use biela::model::{Body, Mechanism, Model, Study};
use biela::motion::Motion;
use biela::results::Results;
use biela::source::Source;
use biela::text::{Document, Options};

/// The model that a text describes.
pub fn parse(text: &str) -> Model {
    let document = Document::from_toml(&Source::new("test.toml", text));
    document.and_then(|d| d.model(&Options::default())).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// A signal's samples.
pub fn column<'r>(results: &'r Results, name: &str) -> &'r [f64] {
    &results.get(name).unwrap_or_else(|| panic!("no signal '{name}'")).data
}

/// Largest difference of two lists, relative to the largest magnitude in them.
pub fn difference(a: &[f64], b: &[f64]) -> f64 {
    let size = a.iter().chain(b).fold(1e-300_f64, |m, x| m.max(x.abs()));
    a.iter().zip(b).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs())) / size
}

/// A repeatable stream of numbers.
pub struct Stream(pub u64);

impl Stream {
    /// A number in [−1, 1).
    pub fn next(&mut self) -> f64 {
        let mut random = Random(self.0);
        let number = random.signed();
        self.0 = random.0;
        number
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
    Body { name: name.into(), mass: None, points: Vec::new(), X_WB, shapes: Vec::new(), colour: None, span: None }
}

/// A joint with these frames.
pub fn joint(name: &str, kind: &'static dyn JointKind, bodies: [usize; 2], frames: [Pose; 2]) -> Joint {
    Joint {
        directions: [frames[0].rotation.axes[2], frames[1].rotation.axes[0]],
        pitch: 0.3,
        ..Joint::new(name, kind, bodies, frames)
    }
}

/// A model of bodies (the ground is added) and joints.
pub fn model(bodies: Vec<Body>, joints: Vec<Joint>) -> Model {
    let ground = body("ground", Pose::IDENTITY);
    let bodies = std::iter::once(ground).chain(bodies).collect();
    Model::new(Mechanism { name: "test".into(), bodies, joints, ..Mechanism::default() }, [], Study::default())
}
