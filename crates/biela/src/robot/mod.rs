//! A robot: an open chain or tree with all that is asked of one, at coordinates q, velocities v and accelerations.
//!
//! | file | idea |
//! |---|---|
//! | `configuration` | neutral and random configurations, limits, displacements between configurations |
//! | `frames` | frames by name; poses, Jacobians and their rates, in three choices of axes |
//! | `dynamics` | forces, accelerations, matrices and their derivatives |
//! | `inertial` | forces as a linear map of the inertial parameters; base parameters |
//! | `momentum` | centre of mass, energies, momentum about the centre of mass and its derivatives |
//! | `ik` | postures for a pose: the nearest, all, along a path |
//! | `compose` | joints locked, robots put together |
//!
//! Vectors of space have their linear part first: v then ω, force then moment. Derivatives by q are along velocity coordinates. Joints that
//! follow others (`<mimic>`) and rotors are part of everything, and have no coordinates of their own.
//! ```
//! use biela::robot::{Axes, Robot};
//!
//! let arm = Robot::new(&biela::model(r#"
//!     gravity = [0, 0, -9.81]
//!     bodies.arm  = { mass = 3, com = [0.2, 0, 0], inertia = [0.01, 0.05, 0.05] }
//!     bodies.fore = { mass = 1, com = [0.1, 0, 0], inertia = [0.01, 0.02, 0.02], pose = { at = [0.4, 0, 0] }, points = { tip = [0.3, 0, 0] } }
//!     joints.shoulder = { type = "revolute", bodies = ["ground", "arm"], at = [0, 0, 0], axis = "y" }
//!     joints.elbow    = { type = "revolute", bodies = ["arm", "fore"], at = [[0.4, 0, 0], [0, 0, 0]], axis = "y" }
//! "#)?)?;
//! let (q, v) = ([0.3, -0.7], [1.0, 0.5]);
//! let mut work = arm.workspace();
//! let tip = arm.frame("fore.tip")?;
//! let mut J = [0.0; 12];
//! arm.jacobian(&mut work, &q, &tip, Axes::Aligned, &mut J);
//! let velocity: Vec<f64> = J.chunks(2).map(|row| row[0] * v[0] + row[1] * v[1]).collect();
//! assert!((velocity[4] - 1.5).abs() < 1e-12, "both joints turn about y");
//! # Ok::<(), biela::Error>(())
//! ```

#![allow(non_snake_case)] // M, J, X_WF as in the theory (docs/notation.md).

mod compose;
mod configuration;
mod dynamics;
mod frames;
mod ik;
mod inertial;
mod momentum;

pub use frames::{Axes, Frame};
pub use ik::Posture;
pub use inertial::BaseParameters;
pub use momentum::Centroidal;

use crate::error::Result;
use crate::math::{Pose, Vec3};
use crate::model::Model;
use crate::text::{Document, Options};
use crate::tree::rotors::{Coupled, CoupledWorkspace};
use std::collections::HashMap;
use std::path::Path;

/// Scratch of a robot's calls.
pub type Workspace = CoupledWorkspace;

/// An open chain or tree with its names.
#[derive(Debug)]
pub struct Robot {
    model: Model,
    tree: Coupled,
    names: HashMap<String, Frame>,
    limits: Vec<Limit>,
}

/// What bounds one velocity coordinate.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Limit {
    /// Least and greatest position.
    position: [Option<f64>; 2],
    /// Greatest rate.
    velocity: Option<f64>,
    /// Greatest force or torque.
    effort: Option<f64>,
    /// Whether whole turns lead back to the same configuration.
    closed: bool,
}

impl Robot {
    /// The robot that a model describes: an error names a joint that closes a loop.
    pub fn new(model: &Model) -> Result<Robot> {
        let tree = Coupled::with_followers(model)?;
        let names = frames::names(model);
        let limits = configuration::limits(model, &tree);
        Ok(Robot { model: model.released(), tree, names, limits })
    }

    /// The robot in a file of any format.
    pub fn read(path: impl AsRef<Path>, options: &Options) -> Result<Robot> {
        Robot::new(&Document::read(path.as_ref(), options)?.model(options)?)
    }

    /// The same under another gravity, in ground axes.
    pub fn with_gravity(&self, gravity: Vec3) -> Result<Robot> {
        let mut model = self.model.released();
        model.change_mechanism(|mechanism| mechanism.gravity = Some(gravity));
        Robot::new(&model)
    }

    /// Its model, without drivers.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Its tree with joints that follow others and rotors.
    pub fn tree(&self) -> &Coupled {
        &self.tree
    }

    /// Gravity in ground axes, where it is stated.
    pub fn gravity(&self) -> Option<Vec3> {
        self.model.gravity
    }

    /// Number of position coordinates.
    pub fn nq(&self) -> usize {
        self.tree.nq
    }

    /// Number of velocities.
    pub fn nv(&self) -> usize {
        self.tree.nv
    }

    /// A workspace.
    pub fn workspace(&self) -> Workspace {
        self.tree.workspace()
    }

    /// Names of the bodies, without the ground, in their order.
    pub fn bodies(&self) -> impl Iterator<Item = &str> {
        self.model.bodies.iter().skip(1).map(|b| b.name.as_str())
    }

    /// The joints that have coordinates: name, first position and number of them, first velocity and number of them.
    pub fn joints(&self) -> impl Iterator<Item = (&str, [usize; 2], [usize; 2])> {
        let own = self.tree.extended.joints.iter().filter(|j| j.v < self.tree.nv);
        own.map(|j| (j.name.as_str(), [j.q, j.q_names.len().max(1)], [j.v, j.v_names.len().max(1)]))
    }

    /// Names of the velocities, in their order.
    pub fn velocities(&self) -> Vec<String> {
        (0..self.nv()).map(|k| self.tree.extended.velocity_name(k)).collect()
    }

    /// Names of the position coordinates, in their order.
    pub fn positions(&self) -> Vec<String> {
        let mut names = vec![String::new(); self.nq()];
        for joint in self.tree.extended.joints.iter().filter(|j| j.v < self.tree.nv) {
            match &joint.q_names[..] {
                [] => names[joint.q] = joint.name.clone(),
                list => {
                    for (k, name) in list.iter().enumerate() {
                        names[joint.q + k] = crate::signal_name::join(&joint.name, name);
                    }
                }
            }
        }
        names
    }

    /// Poses of all bodies, ground first.
    pub fn poses(&self, work: &mut Workspace, q: &[f64]) -> Vec<Pose> {
        (0..self.model.bodies.len()).map(|body| self.pose(work, q, &Frame { body, X_BF: Pose::IDENTITY })).collect()
    }
}
