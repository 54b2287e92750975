//! A tree from numbers: bodies with their masses, and the joint by which each hangs on another.

#![allow(non_snake_case)]

use super::freedom::{self, Axis, Freedom, Motion, FLOATING};
use super::layout::{align, blocks, exact};
use super::{Level, Node, NodeKind, Tree, TreeBody, TreeJoint, CONSTANTS, GROUND, ROOT};
use biela_math::{Inertia, MassProperties, Pose, Rotation, Vec3};
use std::collections::BinaryHeap;
use std::fmt;

/// Numbers in the widest register.
const ROOM: usize = 8;

/// What can be taken for a tree.
pub trait Description {
    /// Why it cannot.
    type Error;
    /// The tree.
    fn tree(&self) -> Result<Tree, Self::Error>;
}

/// A node that a freedom becomes.
struct Element {
    kind: NodeKind,
    axis: Axis,
    turn: f64,
    angle: f64,
    lead: f64,
    q: usize,
    v: usize,
}

/// The nodes of a joint's freedoms, in the order of their transforms.
fn elements(freedoms: &[Freedom]) -> Vec<Element> {
    let attitudes = [(NodeKind::AttitudeX, Axis::X), (NodeKind::AttitudeY, Axis::Y), (NodeKind::AttitudeZ, Axis::Z)];
    let mut list = Vec::new();
    for &Freedom { motion, q, v, .. } in freedoms {
        match motion {
            Motion::Turn { axis, lead } => {
                list.push(Element { kind: NodeKind::Axis, axis, turn: 1.0, angle: 1.0, lead, q, v });
            }
            Motion::Slide { axis } => {
                list.push(Element { kind: NodeKind::Axis, axis, turn: 0.0, angle: 0.0, lead: 1.0, q, v });
            }
            Motion::Attitude => list.extend(attitudes.into_iter().enumerate().map(|(k, (kind, axis))| Element {
                kind,
                axis,
                turn: 1.0,
                angle: 0.0,
                lead: 0.0,
                q,
                v: v + k,
            })),
        }
    }
    list
}

/// Rotation whose z axis is the given one.
fn aligned(axis: Axis) -> Rotation {
    match axis {
        Axis::X => Rotation { axes: [Vec3::Y, Vec3::Z, Vec3::X] },
        Axis::Y => Rotation { axes: [Vec3::Z, Vec3::X, Vec3::Y] },
        Axis::Z => Rotation::IDENTITY,
    }
}

/// Half a turn about x: what moves along z then moves along minus z.
const FLIP: Rotation = Rotation { axes: [Vec3::X, Vec3::new(0.0, -1.0, 0.0), Vec3::new(0.0, 0.0, -1.0)] };

/// A body hung on the one that carries it.
#[derive(Debug, Clone)]
pub struct Branch {
    /// Name of the joint.
    pub name: String,
    /// What the joint lets the body do, in the order of the transforms from the first frame to the second.
    pub freedoms: Vec<Freedom>,
    /// The body that carries.
    pub parent: usize,
    /// The body carried.
    pub body: usize,
    /// Frames of the joint: on the body that carries, and on the one carried.
    pub frames: [Pose; 2],
    /// Whether the joint counts its coordinates from the body carried to the one that carries it.
    pub reversed: bool,
}

/// Bodies and joints, as numbers, before they become a [`Tree`].
///
/// Coordinates stand in the order in which joints are added; bodies that none of them carries float freely, after these.
///
/// A double pendulum, whose inverse dynamics are known in closed form:
/// ```
/// use biela_math::{Inertia, MassProperties, Pose, Rotation, Vec3};
/// use biela_tree::{aba::aba, rnea::rnea, Axis, Builder, Freedom, Tree, Workspace, GROUND};
///
/// // Point masses at the ends of two rods; they turn about z, gravity pulls along -y.
/// let (m, l, g) = ([2.0, 0.5], [0.7, 0.4], 9.81);
/// let at = |x: f64| Pose::new(Rotation::IDENTITY, Vec3::new(x, 0.0, 0.0));
/// let rod = |k: usize| MassProperties { mass: m[k], com: Vec3::new(l[k], 0.0, 0.0), inertia: Inertia::ZERO };
/// let mut pendulum = Builder::new();
/// pendulum.gravity(Vec3::new(0.0, -g, 0.0));
/// let upper = pendulum.body("upper", rod(0));
/// let lower = pendulum.body("lower", rod(1));
/// let revolute = [Freedom::turn(Axis::Z, 0, &["angle"])];
/// pendulum.joint("shoulder", &revolute, [GROUND, upper], [Pose::IDENTITY, Pose::IDENTITY]);
/// pendulum.joint("elbow", &revolute, [upper, lower], [at(l[0]), Pose::IDENTITY]);
/// let tree = Tree::new(&pendulum)?;
///
/// let (q, v, a) = ([0.3, -1.1], [0.4, 2.0], [1.5, -0.6]);
/// let mut workspace = Workspace::new(&tree);
/// let mut tau = [0.0; 2];
/// rnea(&tree, &mut workspace, &q, &v, &a, &mut tau);
///
/// // Lagrange's equations by hand.
/// let (c, s) = (m[1] * l[0] * l[1] * q[1].cos(), m[1] * l[0] * l[1] * q[1].sin());
/// let (j1, j2) = ((m[0] + m[1]) * l[0] * l[0], m[1] * l[1] * l[1]);
/// let (g1, g2) = ((m[0] + m[1]) * g * l[0] * q[0].cos(), m[1] * g * l[1] * (q[0] + q[1]).cos());
/// let due = [
///     (j1 + j2 + 2.0 * c) * a[0] + (j2 + c) * a[1] - s * (2.0 * v[0] + v[1]) * v[1] + g1 + g2,
///     (j2 + c) * a[0] + j2 * a[1] + s * v[0] * v[0] + g2,
/// ];
/// assert!(tau.iter().zip(due).all(|(found, due)| (found - due).abs() < 1e-13));
///
/// // Forward dynamics gives the accelerations back.
/// let mut found = [0.0; 2];
/// aba(&tree, &mut workspace, &q, &v, &tau, &mut found);
/// assert!(found.iter().zip(a).all(|(found, a)| (found - a).abs() < 1e-12));
/// # Ok::<(), biela_tree::NoTree>(())
/// ```
#[derive(Debug, Clone)]
pub struct Builder {
    bodies: Vec<TreeBody>,
    branches: Vec<Branch>,
    gravity: Vec3,
    /// What bodies do that no joint carries.
    floating: Vec<Freedom>,
}

/// Why bodies and joints are no tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoTree {
    /// A joint names a body that there is not.
    NoBody {
        /// The joint.
        joint: String,
        /// Its body.
        body: usize,
    },
    /// A joint carries a body that another one carries, or the ground.
    CarriedTwice {
        /// The joint.
        joint: String,
        /// Name of the body.
        body: String,
    },
    /// Bodies hang on each other and not on the ground.
    Circle {
        /// Name of one of them.
        body: String,
    },
}

impl fmt::Display for NoTree {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            NoTree::NoBody { joint, body } => write!(f, "joint '{joint}': there is no body {body}"),
            NoTree::CarriedTwice { joint, body } => {
                write!(f, "joint '{joint}': body '{body}' is carried already: this is no open chain or tree")
            }
            NoTree::Circle { body } => write!(f, "body '{body}' hangs on itself by way of others"),
        }
    }
}

impl std::error::Error for NoTree {}

impl Default for Builder {
    fn default() -> Builder {
        Builder::new()
    }
}

impl Builder {
    /// The ground alone, without gravity.
    pub fn new() -> Builder {
        let mut builder =
            Builder { bodies: Vec::new(), branches: Vec::new(), gravity: Vec3::ZERO, floating: FLOATING.to_vec() };
        builder.body("ground", MassProperties::ZERO);
        builder
    }

    /// Acceleration of gravity, in ground axes.
    pub fn gravity(&mut self, gravity: Vec3) {
        self.gravity = gravity;
    }

    /// What bodies do that no joint carries: they have all freedoms of space, unless a description keeps them to some.
    pub fn floating(&mut self, freedoms: &[Freedom]) {
        self.floating = freedoms.to_vec();
    }

    /// A body more; its number is returned. The ground is [`GROUND`].
    pub fn body(&mut self, name: impl Into<String>, mass: MassProperties) -> usize {
        self.bodies.push(TreeBody {
            name: name.into(),
            node: ROOT,
            X_KB: Pose::IDENTITY,
            parent: GROUND,
            joint: None,
            p_BJ: Vec3::ZERO,
            mass,
        });
        self.bodies.len() - 1
    }

    /// Hangs `body` on `parent` by a joint with a frame on each; one without freedoms welds them.
    pub fn joint(
        &mut self,
        name: impl Into<String>,
        freedoms: &[Freedom],
        [parent, body]: [usize; 2],
        frames: [Pose; 2],
    ) -> &mut Branch {
        let at = self.branches.len();
        let freedoms = freedoms.to_vec();
        self.branches.push(Branch { name: name.into(), freedoms, parent, body, frames, reversed: false });
        &mut self.branches[at]
    }
}

impl Description for Builder {
    type Error = NoTree;

    fn tree(&self) -> Result<Tree, NoTree> {
        let mut carried = vec![false; self.bodies.len()];
        carried[GROUND] = true;
        for branch in &self.branches {
            let joint = || branch.name.clone();
            if let Some(body) = [branch.parent, branch.body].into_iter().find(|b| *b >= self.bodies.len()) {
                return Err(NoTree::NoBody { joint: joint(), body });
            }
            if std::mem::replace(&mut carried[branch.body], true) {
                return Err(NoTree::CarriedTwice { joint: joint(), body: self.bodies[branch.body].name.clone() });
            }
        }
        // A body that no joint reaches floats freely from the ground's frame.
        let mut branches: Vec<(Option<usize>, Branch)> =
            self.branches.iter().enumerate().map(|(k, b)| (Some(k), b.clone())).collect();
        for (body, _) in carried.iter().enumerate().filter(|(_, carried)| !**carried) {
            let (name, freedoms, frames) = (self.bodies[body].name.clone(), self.floating.clone(), [Pose::IDENTITY; 2]);
            branches.push((None, Branch { name, freedoms, parent: GROUND, body, frames, reversed: false }));
        }
        let mut growth = Growth::new(self, &branches);
        // Joints are taken in their order as far as parents come before children.
        let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); self.bodies.len()];
        for (k, (_, branch)) in branches.iter().enumerate() {
            waiting[branch.parent].push(k);
        }
        let mut ready: BinaryHeap<_> = waiting[GROUND].iter().map(|k| std::cmp::Reverse(*k)).collect();
        let mut left = vec![true; branches.len()];
        while let Some(std::cmp::Reverse(k)) = ready.pop() {
            growth.add(k);
            left[k] = false;
            ready.extend(waiting[branches[k].1.body].iter().map(|k| std::cmp::Reverse(*k)));
        }
        if let Some(k) = left.iter().position(|left| *left) {
            return Err(NoTree::Circle { body: self.bodies[branches[k].1.body].name.clone() });
        }
        Ok(growth.finish())
    }
}

impl Tree {
    /// The tree of a description: of a [`Builder`], or of whatever else is [described](Description).
    pub fn new<D: Description>(description: &D) -> Result<Tree, D::Error> {
        description.tree()
    }
}

/// A tree that grows.
struct Growth<'b> {
    branches: &'b [(Option<usize>, Branch)],
    tree: Tree,
    /// Place of each branch's joint among `tree.joints`; none for fixed joints.
    slots: Vec<Option<usize>>,
}

impl<'b> Growth<'b> {
    fn new(builder: &Builder, branches: &'b [(Option<usize>, Branch)]) -> Growth<'b> {
        let mut tree = Tree {
            nodes: Vec::new(),
            joints: Vec::new(),
            bodies: builder.bodies.clone(),
            body_order: Vec::new(),
            gravity: builder.gravity,
            nq: 0,
            nv: 0,
            revolute: true,
            aligned: false,
            attitudes: false,
            constants: Vec::new(),
            blocks: Vec::new(),
            velocities: Vec::new(),
            in_order: true,
            branched: false,
            level: Level::detect(),
        };
        let mut slots = vec![None; branches.len()];
        for ((joint, branch), slot) in branches.iter().zip(&mut slots) {
            if branch.freedoms.is_empty() {
                continue;
            }
            let [q_names, v_names] = freedom::names(&branch.freedoms);
            *slot = Some(tree.joints.len());
            tree.joints.push(TreeJoint {
                name: branch.name.clone(),
                joint: *joint,
                body: branch.body,
                swapped: false,
                q_names,
                v_names,
                q: tree.nq,
                v: tree.nv,
            });
            tree.nq += freedom::nq(&branch.freedoms);
            tree.nv += freedom::nv(&branch.freedoms);
        }
        Growth { branches, tree, slots }
    }

    /// Hangs a body on its parent.
    fn add(&mut self, k: usize) {
        let (joint, branch) = &self.branches[k];
        let mut freedoms = elements(&branch.freedoms);
        // An attitude is that of the carried frame in the carrying one, whichever way the joint is written.
        let swapped = branch.reversed && freedoms.iter().any(|e| e.kind != NodeKind::Axis);
        let backwards = branch.reversed && !swapped;
        if backwards {
            freedoms.reverse();
        }
        if let Some(slot) = self.slots[k] {
            self.tree.joints[slot].swapped = swapped;
        }
        let parent = &self.tree.bodies[branch.parent];
        let mut carrier = parent.node;
        // Where the next node's frame J is, in the frame of its carrier.
        let mut place = parent.X_KB * branch.frames[0];
        let base = carrier;
        let slot = self.slots[k].map(|s| (self.tree.joints[s].q, self.tree.joints[s].v));
        let mut first_attitude = None;
        for element in &freedoms {
            let (q, v) = slot.unwrap_or((0, 0));
            let mut turn = aligned(element.axis);
            if backwards {
                turn = turn * FLIP;
            }
            let i = self.tree.nodes.len();
            // The attitude itself stands between the joint's frame and the first node's alignment.
            let X_PJ = match element.kind {
                NodeKind::AttitudeX => place,
                _ => place * Pose::new(turn, Vec3::ZERO),
            };
            if element.kind == NodeKind::AttitudeX {
                first_attitude = Some(carrier);
                self.tree.attitudes = true;
            }
            self.tree.revolute &= element.kind == NodeKind::Axis && element.turn == 1.0 && element.lead == 0.0;
            self.tree.in_order &= v + element.v == i;
            let [x, y, z] = X_PJ.rotation.axes.map(|c| exact(c).to_array());
            self.tree.nodes.push(Node {
                parent: carrier,
                kind: element.kind,
                q: q + element.q,
                v: v + element.v,
                x,
                y,
                z,
                p: X_PJ.origin.to_array(),
                turn: element.turn,
                angle: element.angle,
                offset: 0.0,
                lead: element.lead,
                m: 0.0,
                h: [0.0; 3],
                I: Inertia::ZERO,
                constants: [0.0; CONSTANTS],
                aligned: false,
                runs: Vec::new(),
                base: if element.kind == NodeKind::Axis { carrier } else { first_attitude.unwrap_or(base) },
                tip: match element.kind {
                    NodeKind::AttitudeX => i + 2,
                    NodeKind::AttitudeY => i + 1,
                    _ => i,
                },
            });
            let runs = self.runs(i);
            self.tree.nodes[i].runs = runs;
            carrier = i;
            place = Pose::new(turn.transposed(), Vec3::ZERO);
        }
        let X_KB = place * branch.frames[1].inverse();
        let X_KB = Pose::new(Rotation { axes: X_KB.rotation.axes.map(exact) }, X_KB.origin);
        let body = &mut self.tree.bodies[branch.body];
        body.node = carrier;
        body.X_KB = X_KB;
        body.parent = branch.parent;
        body.joint = *joint;
        body.p_BJ = branch.frames[1].origin;
        self.tree.body_order.push(branch.body);
    }

    /// The nodes from the ground to node `i`, as runs of consecutive indices.
    fn runs(&self, i: usize) -> Vec<(usize, usize)> {
        let mut runs: Vec<(usize, usize)> = match self.tree.nodes.get(self.tree.nodes[i].parent) {
            Some(parent) => parent.runs.clone(),
            None => Vec::new(),
        };
        match runs.last_mut() {
            Some(last) if last.1 == i => last.1 = i + 1,
            _ => runs.push((i, i + 1)),
        }
        runs
    }

    fn finish(mut self) -> Tree {
        self.tree.velocities = self.tree.nodes.iter().map(|node| node.v).collect();
        align(&mut self.tree);
        for body in &self.tree.bodies {
            if let Some(node) = self.tree.nodes.get_mut(body.node) {
                node.carry(&body.mass, &body.X_KB);
            }
        }
        for node in &mut self.tree.nodes {
            node.find_constants();
            node.aligned = node.parent != ROOT && node.kind == NodeKind::Axis && node.x == [1.0, 0.0, 0.0];
        }
        // Whole registers of constants are read from any node on.
        let stride = self.tree.nodes.len() + ROOM;
        self.tree.constants = vec![0.0; stride * CONSTANTS];
        for (i, node) in self.tree.nodes.iter().enumerate() {
            for (c, x) in node.constants.iter().enumerate() {
                self.tree.constants[c * stride + i] = *x;
            }
        }
        self.tree.blocks = blocks(&self.tree.nodes);
        self.tree.branched = self.tree.nodes.iter().enumerate().any(|(i, node)| node.parent != i.wrapping_sub(1));
        self.tree.aligned =
            self.tree.revolute && !self.tree.branched && self.tree.nodes.iter().skip(1).all(|node| node.aligned);
        self.tree
    }
}
