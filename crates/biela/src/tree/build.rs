//! From a model to a tree.

#![allow(non_snake_case)]

use super::{Level, Node, NodeKind, Tree, TreeBody, TreeJoint, CONSTANTS, ROOT};
use crate::error::{Error, Result};
use crate::math::Elementary;
use crate::math::{Pose, Rotation, Vec3};
use crate::model::graph::Forest;
use crate::model::principal::diagonalise;
use crate::model::{MassProperties, Model, GROUND};
use std::collections::BinaryHeap;

/// Numbers in the widest register.
const ROOM: usize = 8;

/// Which axis of the joint frame an element moves along.
#[derive(Clone, Copy)]
enum Axis {
    X,
    Y,
    Z,
}

/// One freedom of a joint, in the order of its transforms.
struct Element {
    kind: NodeKind,
    axis: Axis,
    turn: f64,
    angle: f64,
    lead: f64,
    q: usize,
    v: usize,
}

const fn turning(axis: Axis, k: usize) -> Element {
    Element { kind: NodeKind::Axis, axis, turn: 1.0, angle: 1.0, lead: 0.0, q: k, v: k }
}

const fn sliding(axis: Axis, q: usize, v: usize) -> Element {
    Element { kind: NodeKind::Axis, axis, turn: 0.0, angle: 0.0, lead: 1.0, q, v }
}

const fn attitude(kind: NodeKind, axis: Axis, v: usize) -> Element {
    Element { kind, axis, turn: 1.0, angle: 0.0, lead: 0.0, q: 0, v }
}

/// The freedoms of a joint type.
fn elements(keyword: &str, pitch: f64) -> Vec<Element> {
    let spherical = || {
        [
            attitude(NodeKind::AttitudeX, Axis::X, 0),
            attitude(NodeKind::AttitudeY, Axis::Y, 1),
            attitude(NodeKind::AttitudeZ, Axis::Z, 2),
        ]
    };
    match keyword {
        "revolute" => vec![turning(Axis::Z, 0)],
        "prismatic" => vec![sliding(Axis::Z, 0, 0)],
        "screw" => vec![Element { lead: pitch / std::f64::consts::TAU, ..turning(Axis::Z, 0) }],
        "cylindrical" => vec![turning(Axis::Z, 0), sliding(Axis::Z, 1, 1)],
        "universal" => vec![turning(Axis::Z, 0), turning(Axis::X, 1)],
        "planar" => vec![sliding(Axis::X, 0, 0), sliding(Axis::Y, 1, 1), turning(Axis::Z, 2)],
        "spherical" => spherical().into(),
        "free" => [sliding(Axis::X, 4, 3), sliding(Axis::Y, 5, 4), sliding(Axis::Z, 6, 5)]
            .into_iter()
            .chain(spherical())
            .collect(),
        _ => Vec::new(),
    }
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

const NO_MASS: MassProperties = MassProperties { mass: 0.0, com: Vec3::ZERO, inertia: [0.0; 6] };

impl Tree {
    /// The tree of a model; an error names a joint that closes a loop. Couplings are an error too.
    pub fn new(model: &Model) -> Result<Tree> {
        let forest = Forest::new(model);
        if let Some(k) = forest.cut.first() {
            let joint = &model.joints[*k];
            return Err(Error::new("closes a loop (or has no coordinates of its own): this is no open chain or tree")
                .of(format!("joint '{}'", joint.name))
                .at_opt(joint.span.as_ref())
                .note("tree algorithms take open chains and trees; loops are solved by run and verify"));
        }
        if let Some(coupling) = model.couplings.first() {
            return Err(Error::new("couplings tie joint coordinates together: this is no open chain or tree")
                .of(format!("coupling '{}'", coupling.name))
                .at_opt(coupling.span.as_ref()));
        }
        if let Some(rotor) = model.rotors.first() {
            return Err(Error::new("rotors move with the joints: this takes the tree with its rotors")
                .of(format!("rotor '{}'", rotor.name))
                .at_opt(rotor.span.as_ref()));
        }
        let mut builder = Builder::new(model, &forest);
        // Joints are taken in the model's order as far as parents come before children.
        let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); model.bodies.len()];
        for (k, branch) in forest.branches.iter().enumerate() {
            waiting[branch.parent].push(k);
        }
        let key = |k: usize| std::cmp::Reverse((forest.branches[k].joint.unwrap_or(usize::MAX), k));
        let mut ready: BinaryHeap<_> = waiting[GROUND].iter().map(|k| key(*k)).collect();
        while let Some(std::cmp::Reverse((_, k))) = ready.pop() {
            builder.add(k)?;
            ready.extend(waiting[forest.branches[k].body].iter().map(|k| key(*k)));
        }
        Ok(builder.finish())
    }
}

struct Builder<'m> {
    model: &'m Model,
    forest: &'m Forest,
    tree: Tree,
    /// Place of each branch's joint among `tree.joints`; none for fixed joints.
    slots: Vec<Option<usize>>,
}

impl<'m> Builder<'m> {
    fn new(model: &'m Model, forest: &'m Forest) -> Builder<'m> {
        let bodies = model.bodies.iter().map(|body| TreeBody {
            name: body.name.clone(),
            node: ROOT,
            X_KB: Pose::IDENTITY,
            parent: GROUND,
            joint: None,
            p_BJ: Vec3::ZERO,
            mass: body.mass.unwrap_or(NO_MASS),
        });
        let mut tree = Tree {
            nodes: Vec::new(),
            joints: Vec::new(),
            bodies: bodies.collect(),
            body_order: Vec::new(),
            gravity: model.gravity.unwrap_or(Vec3::ZERO),
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
        let mut order: Vec<usize> = (0..forest.branches.len()).collect();
        order.sort_by_key(|k| (forest.branches[*k].joint.unwrap_or(usize::MAX), *k));
        let mut slots = vec![None; forest.branches.len()];
        for k in order {
            let branch = &forest.branches[k];
            let (name, keyword) = match branch.joint {
                Some(j) => (model.joints[j].name.clone(), model.joints[j].kind.keyword()),
                None => (model.bodies[branch.body].name.clone(), "free"),
            };
            let (q_names, v_names): (&[&str], &[&str]) = match keyword {
                "fixed" => continue,
                "cylindrical" => (&["angle", "slide"], &["angle", "slide"]),
                "universal" => (&["angle1", "angle2"], &["angle1", "angle2"]),
                "planar" => (&["x", "y", "angle"], &["x", "y", "angle"]),
                "spherical" => (&["e0", "e1", "e2", "e3"], &["wx", "wy", "wz"]),
                "free" => (&["e0", "e1", "e2", "e3", "x", "y", "z"], &["wx", "wy", "wz", "vx", "vy", "vz"]),
                _ => (&[], &[]),
            };
            slots[k] = Some(tree.joints.len());
            tree.joints.push(TreeJoint {
                name,
                joint: branch.joint,
                body: branch.body,
                swapped: false,
                q_names: q_names.into(),
                v_names: v_names.into(),
                q: tree.nq,
                v: tree.nv,
            });
            tree.nq += q_names.len().max(1);
            tree.nv += v_names.len().max(1);
        }
        Builder { model, forest, tree, slots }
    }

    /// Hangs a body on its parent.
    fn add(&mut self, k: usize) -> Result<()> {
        let branch = self.forest.branches[k];
        let joint = branch.joint.map(|j| &self.model.joints[j]);
        // A body that no joint reaches floats freely from the ground's frame.
        let frames = joint.map_or([Pose::IDENTITY; 2], |j| j.frames);
        let mut freedoms = joint.map_or_else(|| elements("free", 0.0), |j| elements(j.kind.keyword(), j.pitch));
        let (near, far) = if branch.reversed { (1, 0) } else { (0, 1) };
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
        let mut place = parent.X_KB * frames[near];
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
                I: [0.0; 6],
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
        let X_KB = place * frames[far].inverse();
        let X_KB = Pose::new(Rotation { axes: X_KB.rotation.axes.map(exact) }, X_KB.origin);
        let body = &mut self.tree.bodies[branch.body];
        body.node = carrier;
        body.X_KB = X_KB;
        body.parent = branch.parent;
        body.joint = branch.joint;
        body.p_BJ = frames[far].origin;
        self.tree.body_order.push(branch.body);
        Ok(())
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

/// Turns every frame about its own axis so that x is the common normal of its axis and the first one it carries.
fn align(tree: &mut Tree) {
    for i in 0..tree.nodes.len() {
        let node = &tree.nodes[i];
        if node.kind != NodeKind::Axis {
            continue;
        }
        // Seen in the carrier as it stands now; its first child decides how it is turned.
        let first = tree.nodes[..i].iter().all(|other| other.parent != node.parent);
        let free = tree.nodes.get(node.parent).is_some_and(|parent| first && parent.kind == NodeKind::Axis);
        let z = Vec3::from(node.z);
        if free && z.x.abs() > ALIGNED {
            turn(tree, tree.nodes[i].parent, (-z.x).arctangent2(z.y));
        }
        let node = &mut tree.nodes[i];
        let (x, y, z) = (Vec3::from(node.x), Vec3::from(node.y), Vec3::from(node.z));
        if node.parent == ROOT || z.x.abs() > ALIGNED {
            continue;
        }
        // Rx(α) Rz(β) with β given to the angle.
        let beta = (-y.x).arctangent2(x.x);
        let (sin, cos) = (-z.y, z.z);
        let norm = sin.hypotenuse(cos);
        let (sin, cos) = (sin / norm, cos / norm);
        (node.x, node.y) = ([1.0, 0.0, 0.0], exact(Vec3::new(0.0, cos, sin)).to_array());
        node.z = exact(Vec3::new(0.0, -sin, cos)).to_array();
        node.offset += beta;
    }
}

/// What rounding leaves of the sine between axes that are parallel.
const ALIGNED: f64 = 1e-14;

/// Turns a node's frame about its axis; what it carries stays where it is.
fn turn(tree: &mut Tree, i: usize, delta: f64) {
    let back = Rotation::about(Vec3::Z, -delta);
    tree.nodes[i].offset += delta;
    for node in tree.nodes.iter_mut().filter(|node| node.parent == i) {
        for column in [&mut node.x, &mut node.y, &mut node.z, &mut node.p] {
            *column = exact(back.apply(Vec3::from(*column))).to_array();
        }
    }
    for body in tree.bodies.iter_mut().filter(|body| body.node == i) {
        let X_KB = Pose::new(back, Vec3::ZERO) * body.X_KB;
        body.X_KB = Pose::new(Rotation { axes: X_KB.rotation.axes.map(exact) }, X_KB.origin);
    }
}

/// Stretches of nodes without a node between them and the ground in common, joined where they overlap.
fn blocks(nodes: &[Node]) -> Vec<(usize, usize)> {
    let mut list: Vec<(usize, usize)> = Vec::new();
    for (i, node) in nodes.iter().enumerate() {
        let root = node.runs.first().map_or(i, |run| run.0);
        if root == i {
            list.push((i, i + 1));
            continue;
        }
        // Everything from the root's stretch on belongs together now.
        while list.len() > 1 && list[list.len() - 1].0 > root {
            list.pop();
        }
        if let Some(last) = list.last_mut() {
            last.1 = i + 1;
        }
    }
    list
}

/// Entries of a rotation that are zero or one but for rounding, made so.
fn exact(v: Vec3) -> Vec3 {
    const ROUNDING: f64 = 1e-15;
    let round = |x: f64| if (x - x.round()).abs() < ROUNDING { x.round() } else { x };
    Vec3::new(round(v.x), round(v.y), round(v.z))
}

impl Node {
    /// [`CONSTANTS`] from mass, first moment and inertia; principal axes from there.
    fn find_constants(&mut self) {
        let c = if self.m > 0.0 { Vec3::from(self.h) * (1.0 / self.m) } else { Vec3::ZERO };
        let [xx, xy, xz, yy, yz, zz] = self.I;
        let t = self.m * c.dot(c);
        let entry = |I: f64, a: f64, b: f64| I + self.m * a * b;
        let (xy, xz, yz) = (entry(xy, c.x, c.y), entry(xz, c.x, c.z), entry(yz, c.y, c.z));
        let (xx, yy, zz) = (entry(xx, c.x, c.x) - t, entry(yy, c.y, c.y) - t, entry(zz, c.z, c.z) - t);
        let mut a = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
        let mut axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        diagonalise(&mut a, &mut axes);
        let moments = [a[0][0] - a[2][2], a[1][1] - a[2][2], a[2][2]];
        let parts: [&[f64]; 6] = [&[self.m], &c.to_array(), &axes[0], &axes[1], &moments, &[self.turn, self.lead]];
        for (constant, x) in self.constants.iter_mut().zip(parts.into_iter().flatten()) {
            *constant = *x;
        }
    }

    /// Fixes a body to the node's frame.
    pub(super) fn carry(&mut self, mass: &MassProperties, X_KB: &Pose) {
        let c = X_KB.apply(mass.com);
        let [xx, yy, zz, xy, xz, yz] = mass.inertia;
        let columns = [Vec3::new(xx, xy, xz), Vec3::new(xy, yy, yz), Vec3::new(xz, yz, zz)];
        let R = &X_KB.rotation;
        let times = |v: Vec3| {
            let v = R.apply_transposed(v);
            R.apply(columns[0] * v.x + columns[1] * v.y + columns[2] * v.z)
        };
        let about_origin = |v: Vec3| times(v) - c.cross(c.cross(v)) * mass.mass;
        let [a, b, d] = [about_origin(Vec3::X), about_origin(Vec3::Y), about_origin(Vec3::Z)];
        self.m += mass.mass;
        for (sum, x) in self.h.iter_mut().zip((c * mass.mass).to_array()) {
            *sum += x;
        }
        for (sum, x) in self.I.iter_mut().zip([a.x, a.y, a.z, b.y, b.z, d.z]) {
            *sum += x;
        }
    }
}
