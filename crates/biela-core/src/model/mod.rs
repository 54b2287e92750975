//! The mechanism as the user described it: validated, immutable, with every number evaluated.

#![allow(non_snake_case)] // X_WB: a body's pose in the ground (docs/notation.md).

pub mod graph;
mod mesh;
mod reference;

use crate::couplings::{CoordinateRef, Coupling};
use crate::drivers::Driver;
use crate::expr::Expression;
use crate::joints::Joint;
use crate::loads::Load;
pub use crate::math::{principal, Inertia, MassProperties};
use crate::math::{Pose, Vec3};
use crate::source::Span;
pub use mesh::Mesh;
pub use reference::Reference;
use std::sync::Arc;

/// A mechanism.
#[derive(Debug, Clone)]
pub struct Model {
    /// Its name.
    pub name: String,
    /// What it is, in the user's words.
    pub about: String,
    /// Acceleration of gravity in ground axes, if stated.
    pub gravity: Option<Vec3>,
    /// Parameters with the values in force.
    pub parameters: Vec<(String, f64)>,
    /// Bodies; the first is the ground.
    pub bodies: Vec<Body>,
    /// Joints.
    pub joints: Vec<Joint>,
    /// Couplings.
    pub couplings: Vec<Coupling>,
    /// Drivers.
    pub drivers: Vec<Driver>,
    /// Accompanying elements: motor rotors, gear wheels.
    pub rotors: Vec<Rotor>,
    /// Loads besides gravity.
    pub loads: Vec<Load>,
    /// Values given for the start of a motion under forces: signal and value.
    pub initial: Vec<(String, f64)>,
    /// What a motion under forces is watched for.
    pub events: Vec<Event>,
    /// What `run` does.
    pub run: Run,
    /// Where its points are counted from, if not from the origins the user chose.
    pub reference: Option<Box<Reference>>,
}

/// An expression whose zero ends a run, or is reported.
#[derive(Debug, Clone)]
pub struct Event {
    /// Its name.
    pub name: String,
    /// The expression; slot 0 is t, then each joint coordinate and its rate.
    pub when: Expression,
    /// True where it ends the run.
    pub stop: bool,
}

/// An accompanying element: it turns on a body by an angle that joint coordinates prescribe, and adds no freedom.
#[derive(Debug, Clone)]
pub struct Rotor {
    /// Its name.
    pub name: String,
    /// The body it is mounted on.
    pub body: usize,
    /// Its axis in the body's frame, of unit length.
    pub axis: Vec3,
    /// A point of its axis in the body's frame.
    pub at: Vec3,
    /// Mass properties at angle zero, in the body's axes, from the point `at`.
    pub mass: MassProperties,
    /// Its angle as a function of the coordinates, which take the slots 1…
    pub angle: Expression,
    /// The coordinates that the angle depends on.
    pub coordinates: Vec<CoordinateRef>,
    /// Where the model says so.
    pub span: Option<Span>,
}

/// A rigid body.
#[derive(Debug, Clone)]
pub struct Body {
    /// Its name.
    pub name: String,
    /// Mass properties, where the model gives any.
    pub mass: Option<MassProperties>,
    /// Named points, in the body's frame.
    pub points: Vec<(String, Vec3)>,
    /// Where the frame is in the drawing.
    pub X_WB: Pose,
    /// What it looks like, if the model says so.
    pub shape: Option<Shape>,
    /// Where the model says so.
    pub span: Option<Span>,
}

/// A drawn solid, with its place in the body's frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// What solid.
    pub solid: Solid,
    /// Its frame in the body's frame.
    pub pose: Pose,
}

/// Solids a body may be drawn with; each is centred on its frame, with its length along that frame's own axis.
#[derive(Debug, Clone, PartialEq)]
pub enum Solid {
    /// A cylinder of that length along x, starting at the frame's origin.
    Rod {
        /// Length.
        length: f64,
        /// Radius.
        radius: f64,
    },
    /// A box with these edges along x, y, z.
    Box {
        /// Edges.
        size: Vec3,
    },
    /// A cylinder along z.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Length.
        length: f64,
    },
    /// A sphere.
    Sphere {
        /// Radius.
        radius: f64,
    },
    /// A mesh from a file.
    Mesh {
        /// The file, as the model names it.
        file: String,
        /// Its triangles, scaled.
        mesh: Arc<Mesh>,
    },
}

/// What `[run]` says.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Which analysis.
    pub analysis: Analysis,
    /// Time of the first sample.
    pub start: f64,
    /// Time of the last sample.
    pub end: f64,
    /// Number of intervals; one sample more.
    pub steps: usize,
    /// Whether to solve by every formulation and state the largest difference.
    pub verify: bool,
    /// Formulation to solve by, where the model asks for one.
    pub formulation: Option<String>,
    /// What to do at a singular position.
    pub singular: Singular,
    /// Whether the distance to singularity is a column of the results.
    pub singularity: bool,
    /// Outputs whose standstill is to be told, where the model names them.
    pub outputs: Vec<String>,
    /// Signals to keep, where the model names them.
    pub signals: Vec<String>,
    /// Which columns of the results are filled, in their order; all where nobody says. The others keep their place, without
    /// name and values, and what they alone need is not computed.
    pub filled: Option<Arc<[bool]>>,
    /// Whether nobody reads what a run tells besides its columns. A sweep asks for few of them, many times over.
    pub silent: bool,
    /// Bytes that the table of results may take: more is refused before the work.
    pub room: u64,
    /// Relative tolerance of the adaptive method.
    pub tolerance: f64,
    /// Method of integration.
    pub method: Integration,
    /// Step of the methods with one size of step, where given.
    pub step: Option<f64>,
    /// Whether a joint limit that is reached ends the run; otherwise it is reported.
    pub stop_at_limits: bool,
    /// Form in which the equations of motion are solved.
    pub reduction: Reduction,
    /// Algorithm for the accelerations of open chains and trees, where the model asks for one.
    pub algorithm: Option<String>,
}

/// Forms of the equations of motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reduction {
    /// Accelerations and multipliers together.
    None,
    /// Independent accelerations alone, by the natural orthogonal complement.
    NullSpace,
}

impl Reduction {
    /// Every form with the word that names it.
    pub const ALL: [(&'static str, Reduction); 2] = [("none", Reduction::None), ("null-space", Reduction::NullSpace)];

    /// One sentence for documentation.
    pub fn help(self) -> &'static str {
        match self {
            Reduction::None => "accelerations and multipliers together",
            Reduction::NullSpace => "independent accelerations alone, by the natural orthogonal complement",
        }
    }
}

/// Methods of integrating a motion under forces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Integration {
    /// Explicit Runge-Kutta 5(4), adaptive.
    Rk45,
    /// Explicit Runge-Kutta of order 4, fixed step.
    Rk4,
    /// Generalised-α, implicit, fixed step.
    Alpha,
}

impl Integration {
    /// Every method with the word that names it.
    pub const ALL: [(&'static str, Integration); 3] =
        [("rk45", Integration::Rk45), ("rk4", Integration::Rk4), ("alpha", Integration::Alpha)];
}

impl Run {
    /// Bytes of a table of results at most, where nobody says less: columns × samples × 8.
    pub const ROOM: u64 = 1 << 30;
    /// The same for each of many runs at a time, in sweeps and optimisations.
    pub const ROOM_OF_MANY: u64 = 1 << 27;
}

impl Default for Run {
    fn default() -> Run {
        Run {
            analysis: Analysis::Kinematics,
            start: 0.0,
            end: 1.0,
            steps: 100,
            verify: false,
            formulation: None,
            singular: Singular::Stop,
            singularity: false,
            outputs: Vec::new(),
            signals: Vec::new(),
            filled: None,
            silent: false,
            room: Run::ROOM,
            tolerance: 1e-8,
            method: Integration::Rk45,
            step: None,
            stop_at_limits: false,
            reduction: Reduction::None,
            algorithm: None,
        }
    }
}

/// What a run does at a singular position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Singular {
    /// It ends, with the position's time and type.
    #[default]
    Stop,
    /// It goes straight on along the curve of the motion, keeping its branch.
    Pass,
    /// Drivers give way: the mechanism comes as near to what they ask as it can.
    Damp,
}

impl Singular {
    /// Every policy with the word that names it.
    pub const ALL: [(&'static str, Singular); 3] =
        [("stop", Singular::Stop), ("pass", Singular::Pass), ("damp", Singular::Damp)];

    /// One sentence for documentation.
    pub fn help(self) -> &'static str {
        match self {
            Singular::Stop => "ends the run with the position's time, its type and what it leaves undecided",
            Singular::Pass => "goes straight on along the curve of the motion, on its branch",
            Singular::Damp => {
                "lets drivers give way where they ask for more than the mechanism can do (column `lag`); goes straight on where motions cross"
            }
        }
    }
}

/// Analyses a run may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Analysis {
    /// Motion from drivers.
    Kinematics,
    /// Forces from motion.
    InverseDynamics,
    /// Forces without inertia.
    Statics,
    /// Motion from forces.
    Dynamics,
    /// Natural modes about an equilibrium.
    Modes,
    /// State-space matrices along a motion.
    StateSpace,
}

impl Analysis {
    /// Every analysis with the word that names it.
    pub const ALL: [(&'static str, Analysis); 6] = [
        ("kinematics", Analysis::Kinematics),
        ("inverse-dynamics", Analysis::InverseDynamics),
        ("statics", Analysis::Statics),
        ("dynamics", Analysis::Dynamics),
        ("modes", Analysis::Modes),
        ("state-space", Analysis::StateSpace),
    ];

    /// One sentence for documentation.
    pub fn help(self) -> &'static str {
        match self {
            Analysis::Kinematics => "motion from drivers",
            Analysis::InverseDynamics => "motion from drivers, and the forces that go with it",
            Analysis::Statics => "forces without inertia; freedoms without driver are settled by the loads",
            Analysis::Dynamics => "motion from forces",
            Analysis::Modes => "natural vibrations about the equilibrium next to the start",
            Analysis::StateSpace => "matrix of small deviations at each sample of a motion, prescribed or under forces",
        }
    }
}

/// Index of the ground among a model's bodies.
pub const GROUND: usize = 0;

impl Model {
    /// Index of the body of that name.
    pub fn body(&self, name: &str) -> Option<usize> {
        self.bodies.iter().position(|b| b.name == name)
    }

    /// Index of the joint of that name.
    pub fn joint(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|j| j.name == name)
    }
}
