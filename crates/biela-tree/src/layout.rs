//! Nodes of a tree laid out for its algorithms: frames turned so that products vanish, blocks, constants.

#![allow(non_snake_case)]

use super::{Node, NodeKind, Tree, ROOT};
use biela_math::Elementary;
use biela_math::{MassProperties, Pose, Rotation, Vec3};

/// Turns every frame about its own axis so that x is the common normal of its axis and the first one it carries.
pub(super) fn align(tree: &mut Tree) {
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
pub(super) fn turn(tree: &mut Tree, i: usize, delta: f64) {
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
pub(super) fn blocks(nodes: &[Node]) -> Vec<(usize, usize)> {
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
pub(super) fn exact(v: Vec3) -> Vec3 {
    /// A few roundings of an entry of unit size: a quarter turn computed by sine and cosine.
    const ROUNDING: f64 = 1e-15;
    let round = |x: f64| if (x - x.round()).abs() < ROUNDING { x.round() } else { x };
    Vec3::new(round(v.x), round(v.y), round(v.z))
}

impl Node {
    /// [`CONSTANTS`] from mass, first moment and inertia; principal axes from there.
    pub(super) fn find_constants(&mut self) {
        let c = if self.m > 0.0 { Vec3::from(self.h) * (1.0 / self.m) } else { Vec3::ZERO };
        let (moments, axes) = self.I.moved_to_centre(self.m, c).principal_axes();
        let moments = [moments[0] - moments[2], moments[1] - moments[2], moments[2]];
        let parts: [&[f64]; 6] = [&[self.m], &c.to_array(), &axes[0], &axes[1], &moments, &[self.turn, self.lead]];
        for (constant, x) in self.constants.iter_mut().zip(parts.into_iter().flatten()) {
            *constant = *x;
        }
    }

    /// Fixes a body to the node's frame.
    pub(super) fn carry(&mut self, mass: &MassProperties, X_KB: &Pose) {
        let (h, I) = mass.about_origin(X_KB);
        self.m += mass.mass;
        for (sum, x) in self.h.iter_mut().zip(h.to_array()) {
            *sum += x;
        }
        self.I += I;
    }
}
