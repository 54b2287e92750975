//! Dynamics of open chains and trees in joint coordinates: free functions, each other's oracle.
//!
//! A [`Tree`] is a mechanism whose joints form no loop ([`Builder`] makes one from numbers), cut into single-axis nodes that lie
//! in a flat array, parents before children. Node i carries a frame K with z along its axis; X_PK = X_PJ · Rz(angle) · Tz(slide),
//! with X_PJ constant. Of all
//! frames that do, K has x along the common normal to the first axis it carries, which makes X_PJ a turn about x. Its
//! motion is S = (turn·z, lead·z): turn is 1 or 0, lead the slide per unit of its velocity. So revolute (1, 0), prismatic
//! (0, 1) and screw (1, pitch/2π) are one case without branches. Joints of several freedoms are chains of nodes whose
//! inner bodies have no mass: cylindrical = revolute, prismatic; universal = revolute z, x; planar = prismatic x, y,
//! revolute; free = prismatic x, y, z, then spherical. A spherical joint is three nodes at one point that share the
//! attitude of its Euler parameters: their velocities are ω_FM in M, so the frame does not turn from node to node
//! ([`NodeKind`]). Fixed joints are folded into the body that carries them.
//!
//! Every algorithm is written once over [`Scalar`] and called as `algorithm(&tree, &mut workspace, q, v, …)`. Coordinates
//! stand in the order of the joints. Nothing is allocated after the workspace exists.

#![allow(non_snake_case)] // Frames and matrices are capital letters: X_KB, R, M (docs/notation.md).

pub mod aba;
mod affine;
pub mod algorithms;
pub mod angles;
mod articulated;
pub mod base_parameters;
pub mod batch;
pub mod build;
pub mod centroidal;
mod cholesky;
mod columns;
pub mod configuration;
pub mod coriolis;
pub mod crba;
pub mod derivatives;
pub mod energy;
mod entries;
pub mod evaluation;
mod forward_derivatives;
pub mod freedom;
pub mod gibbs_appell;
mod joint_frame;
pub mod kinematics;
pub mod lagrange_dh;
mod layout;
pub mod minverse;
pub mod parameters;
pub mod reactions;
pub mod regressor;
pub mod rnea;
pub mod scalar;
pub mod spatial;
pub mod wide;
pub mod workspace;
mod world;
mod world_nodes;

pub use algorithms::{algorithm, Algorithm, ALGORITHMS};
use biela_math::{Inertia, MassProperties, Pose, Vec3};
pub use build::{Branch, Builder, Description, NoTree};
pub use freedom::{Axis, Freedom};
pub use scalar::Scalar;
pub use wide::Level;
pub use workspace::Workspace;

/// Number of the ground among bodies.
pub const GROUND: usize = 0;

/// No parent: the node hangs on the ground.
pub const ROOT: usize = usize::MAX;

/// Numbers of a node that ground axes take: mass; mass centre in K; two principal axes of the inertia about it, in K;
/// principal moments about those two less the third one, and the third one; turn and lead.
pub const CONSTANTS: usize = 15;

/// What a node's coordinates are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// Turns, slides or both by one coordinate.
    Axis,
    /// First node of a spherical joint: its frame follows the Euler parameters; velocity about x.
    AttitudeX,
    /// Second node of a spherical joint: velocity about y.
    AttitudeY,
    /// Third node of a spherical joint: velocity about z; it carries the body.
    AttitudeZ,
}

/// A single-axis node of a tree.
#[derive(Debug, Clone)]
pub struct Node {
    /// The node that carries it, or [`ROOT`].
    pub parent: usize,
    /// What its coordinates are.
    pub kind: NodeKind,
    /// Index of its position coordinate (the first of four Euler parameters for an attitude).
    pub q: usize,
    /// Index of its velocity.
    pub v: usize,
    /// Columns of the rotation of X_PJ.
    pub x: [f64; 3],
    /// Second column.
    pub y: [f64; 3],
    /// Third column, along the axis.
    pub z: [f64; 3],
    /// Origin of X_PJ.
    pub p: [f64; 3],
    /// 1 where its velocity turns, else 0.
    pub turn: f64,
    /// 1 where its position coordinate is an angle, else 0.
    pub angle: f64,
    /// What is added to the angle: the frame's own turn about its axis against the joint's.
    pub offset: f64,
    /// Slide per unit velocity.
    pub lead: f64,
    /// Mass of all that is fixed to its frame.
    pub m: f64,
    /// First moment of mass in K.
    pub h: [f64; 3],
    /// Inertia about K's origin in K.
    pub I: Inertia,
    /// What ground axes take of its inertia and axis: see [`CONSTANTS`].
    pub constants: [f64; CONSTANTS],
    /// Whether its frame follows from its carrier's by a turn about x and one about z.
    pub aligned: bool,
    /// Nodes strictly between it and the ground, as runs of consecutive indices, and itself at the end of the last run.
    pub runs: Vec<(usize, usize)>,
    /// The node before the joint it belongs to, or [`ROOT`]: its parent but for spherical joints.
    pub base: usize,
    /// The last node of the joint's attitude: itself but for spherical joints.
    pub tip: usize,
}

/// A joint of the tree, with its place among the coordinates.
#[derive(Debug, Clone)]
pub struct TreeJoint {
    /// Its name; for a floating body without a joint, the body's.
    pub name: String,
    /// Its number among the joints described; none for a floating body.
    pub joint: Option<usize>,
    /// The body it carries.
    pub body: usize,
    /// Whether its coordinates are those of X_MF, the inverse of what the joint described has: a spherical or free joint whose
    /// second body carries the first. Who describes the tree may take and give the joint's own.
    pub swapped: bool,
    /// Names of its position coordinates; empty for a joint with a single one.
    pub q_names: Vec<&'static str>,
    /// Names of its velocities; empty for a joint with a single one.
    pub v_names: Vec<&'static str>,
    /// First position coordinate.
    pub q: usize,
    /// First velocity.
    pub v: usize,
}

/// A body on the tree.
#[derive(Debug, Clone)]
pub struct TreeBody {
    /// Its name.
    pub name: String,
    /// The node whose frame it is fixed to, or [`ROOT`].
    pub node: usize,
    /// Its frame in that node's frame (or in the ground).
    pub X_KB: Pose,
    /// The body that carries it.
    pub parent: usize,
    /// The joint between them.
    pub joint: Option<usize>,
    /// The joint's point on this body.
    pub p_BJ: Vec3,
    /// Its mass properties.
    pub mass: MassProperties,
}

/// A mechanism without loops as flat arrays.
#[derive(Debug, Clone)]
pub struct Tree {
    /// Nodes, parents before children.
    pub nodes: Vec<Node>,
    /// Joints with freedoms, in the order of their coordinates.
    pub joints: Vec<TreeJoint>,
    /// Bodies in the order described, ground first.
    pub bodies: Vec<TreeBody>,
    /// Bodies in an order with parents first, without the ground.
    pub body_order: Vec<usize>,
    /// Gravity in ground axes.
    pub gravity: Vec3,
    /// Number of position coordinates.
    pub nq: usize,
    /// Number of velocities, and of nodes.
    pub nv: usize,
    /// Whether every node turns about its axis and nothing else.
    pub revolute: bool,
    /// Whether it is a chain of turning joints in which x of each frame is the common normal of its axis and the next one, so
    /// that every frame follows from the one before by a turn about x and a turn about z (Denavit, Hartenberg 1955).
    pub aligned: bool,
    /// Whether any joint is spherical or free.
    pub attitudes: bool,
    /// [`Node::constants`] of all nodes, one array per constant, with room for whole registers.
    pub constants: Vec<f64>,
    /// Stretches of nodes that hang on the ground apart from all others.
    pub blocks: Vec<(usize, usize)>,
    /// Velocity of each node.
    pub velocities: Vec<usize>,
    /// Whether node i has velocity i: matrices need no reordering.
    pub in_order: bool,
    /// Whether some node carries more than one, or several hang on the ground.
    pub branched: bool,
    /// What kernels may use.
    pub level: Level,
}

impl Tree {
    /// Name of velocity `k`: the joint's, with the coordinate's where the joint has several.
    pub fn velocity_name(&self, k: usize) -> String {
        self.joints
            .iter()
            .rev()
            .find(|j| j.v <= k)
            .map(|j| match j.v_names.get(k - j.v) {
                Some(name) => format!("{}.{name}", j.name),
                None => j.name.clone(),
            })
            .unwrap_or_default()
    }

    /// Coordinates at zero, with attitudes at the identity.
    pub fn neutral(&self) -> Vec<f64> {
        let mut q = vec![0.0; self.nq];
        for node in &self.nodes {
            if node.kind == NodeKind::AttitudeX {
                q[node.q] = 1.0;
            }
        }
        q
    }

    /// The coordinates after a displacement `dv` in velocity coordinates. Nodes beyond its end stay.
    pub fn step(&self, q: &mut [f64], dv: &[f64]) {
        use biela_math::EulerParameters;
        for node in self.nodes.iter().filter(|node| node.v < dv.len()) {
            match node.kind {
                NodeKind::Axis => q[node.q] += dv[node.v],
                NodeKind::AttitudeX => {
                    let w = Vec3::new(dv[node.v], dv[node.v + 1], dv[node.v + 2]);
                    let p = EulerParameters([q[node.q], q[node.q + 1], q[node.q + 2], q[node.q + 3]]);
                    let turned = p.times(&EulerParameters::from_rotation_vector(w)).normalised();
                    q[node.q..node.q + 4].copy_from_slice(&turned.0);
                }
                NodeKind::AttitudeY | NodeKind::AttitudeZ => {}
            }
        }
    }
}
