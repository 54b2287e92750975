//! Random trees, and inverse dynamics of a tree by the joints' own hinges and d'Alembert's principle: slow and plain.

use super::{body, joint, model, Stream};
use biela::joints::hinge::Twist;
use biela::joints::{self};
use biela::math::{Inertia, Pose, Vec3};
use biela::model::graph::Forest;
use biela::model::{MassProperties, Model};
use biela::tree::Tree;

/// Joint types that can carry a tree.
pub const KINDS: [&str; 9] =
    ["revolute", "prismatic", "screw", "cylindrical", "universal", "spherical", "planar", "free", "fixed"];

/// A tree of `bodies` bodies with joints of these types; each hangs on one of the `reach` bodies before it. Joints with a
/// single axis are written either way round, those whose velocity belongs to the second body outwards.
pub fn random_tree(seed: u64, bodies: usize, kinds: &[&str], reach: usize) -> Model {
    written(seed, bodies, kinds, reach, |keyword| matches!(keyword, "spherical" | "free"))
}

/// The same with every joint written either way round.
pub fn random_tree_either_way(seed: u64, bodies: usize, kinds: &[&str], reach: usize) -> Model {
    written(seed, bodies, kinds, reach, |_| false)
}

fn written(seed: u64, bodies: usize, kinds: &[&str], reach: usize, outward: impl Fn(&str) -> bool) -> Model {
    let mut s = Stream(seed);
    let mut below = |n: usize| ((s.next() + 1.0) * 0.5 * n as f64) as usize % n;
    let mut list = Vec::new();
    let mut joints_made = Vec::new();
    let choices: Vec<(usize, usize, bool)> =
        (1..=bodies).map(|k| (k - 1 - below(reach.min(k)), below(kinds.len()), below(4) == 0)).collect();
    for (k, (parent, kind, reversed)) in choices.into_iter().enumerate() {
        let child = k + 1;
        let mut b = body(&format!("b{child}"), Pose::IDENTITY);
        let R = s.attitude().rotation();
        // Principal moments of a box, turned: no two axes agree and every inertia is physical.
        let (x, y, z) = (1.0 + 0.5 * s.next(), 1.0 + 0.5 * s.next(), 1.0 + 0.5 * s.next());
        let mass = 1.0 + 0.5 * s.next();
        let moments = [mass * (y * y + z * z) / 12.0, mass * (x * x + z * z) / 12.0, mass * (x * x + y * y) / 12.0];
        let column = |v: Vec3| {
            let l = R.apply_transposed(v);
            R.apply(Vec3::new(moments[0] * l.x, moments[1] * l.y, moments[2] * l.z))
        };
        b.mass = Some(MassProperties { mass, com: s.vector() * 0.3, inertia: Inertia::from_map(column) });
        list.push(b);
        let kind = joints::kind(kinds[kind]).expect("a joint type");
        let (bodies, frames) = if reversed && !outward(kind.keyword()) {
            ([child, parent], [s.pose(), s.pose()])
        } else {
            ([parent, child], [s.pose(), s.pose()])
        };
        joints_made.push(joint(&format!("j{child}"), kind, bodies, frames));
    }
    let mut made = model(list, joints_made);
    made.change_mechanism(|mechanism| mechanism.gravity = Some(Vec3::new(0.3, -2.0, -9.0)));
    made
}

/// Random coordinates, velocities and one more vector.
pub fn random_state(tree: &Tree, s: &mut Stream) -> [Vec<f64>; 4] {
    let mut q: Vec<f64> = (0..tree.nq).map(|_| 2.0 * s.next()).collect();
    for node in &tree.nodes {
        if node.kind == biela::tree::NodeKind::AttitudeX {
            q[node.q..node.q + 4].copy_from_slice(&s.attitude().0);
        }
    }
    let mut more = || (0..tree.nv).map(|_| s.next()).collect::<Vec<f64>>();
    [q, more(), more(), more()]
}

/// A body's pose, motion and the motions it has for unit velocities, in ground axes.
#[derive(Clone)]
struct Moving {
    pose: Pose,
    w: Vec3,
    v: Vec3,
    al: Vec3,
    a: Vec3,
    /// Velocity of its origin and angular velocity per unit of each velocity.
    units: Vec<(Vec3, Vec3)>,
}

/// Generalised forces by d'Alembert's principle: Σ m (a_G − g)·∂v_G/∂v_k + (I α + ω × I ω)·∂ω/∂v_k.
pub fn plain_inverse_dynamics(model: &Model, tree: &Tree, q: &[f64], v: &[f64], a: &[f64]) -> Vec<f64> {
    let still = Moving {
        pose: Pose::IDENTITY,
        w: Vec3::ZERO,
        v: Vec3::ZERO,
        al: Vec3::ZERO,
        a: Vec3::ZERO,
        units: vec![(Vec3::ZERO, Vec3::ZERO); tree.nv],
    };
    let mut bodies = vec![still; model.bodies.len()];
    for branch in Forest::new(model).branches {
        let k = branch.joint.expect("every body has a joint");
        let joint = &model.joints[k];
        let hinge = joint.kind.hinge().expect("a hinge");
        let (q0, v0) = tree.joints.iter().find(|j| j.joint == Some(k)).map_or((0, 0), |j| (j.q, j.v));
        let q = &q[q0..q0 + hinge.nq()];
        let (near, far) = if branch.reversed { (1, 0) } else { (0, 1) };
        let parent = bodies[branch.parent].clone();
        let X_FM = hinge.pose(joint, q);
        let X_JK = if branch.reversed { X_FM.inverse() } else { X_FM };
        let pose = parent.pose * joint.frames[near] * X_JK * joint.frames[far].inverse();
        let F_body = if branch.reversed { pose } else { parent.pose };
        let R_WF = (F_body * joint.frames[0]).rotation;
        let hub =
            if branch.reversed { (parent.pose * joint.frames[1]).origin } else { (pose * joint.frames[1]).origin };
        let sense = if branch.reversed { -1.0 } else { 1.0 };
        let turned = |t: Twist| (R_WF.apply(t.angular) * sense, R_WF.apply(t.linear) * sense);
        let (mut rw, mut rv, mut aw, mut av) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
        let mut units = parent.units.clone();
        for unit in &mut units {
            unit.0 += unit.1.cross(pose.origin - parent.pose.origin);
        }
        for c in 0..hinge.nv() {
            let (w, l) = turned(hinge.column(joint, q, c));
            rw += w * v[v0 + c];
            rv += l * v[v0 + c];
            aw += w * a[v0 + c];
            av += l * a[v0 + c];
            units[v0 + c] = (l + w.cross(pose.origin - hub), w);
        }
        let (bw, bl) = turned(hinge.bias(joint, q, &v[v0..v0 + hinge.nv()]));
        let w = parent.w + rw;
        let w_F = if branch.reversed { w } else { parent.w };
        let s = hub - parent.pose.origin;
        let v_hub = parent.v + parent.w.cross(s) + rv;
        let a_hub = parent.a + parent.al.cross(s) + parent.w.cross(parent.w.cross(s)) + w_F.cross(rv) * 2.0 + av + bl;
        let al = parent.al + w_F.cross(rw) + aw + bw;
        let s = pose.origin - hub;
        let acc = a_hub + al.cross(s) + w.cross(w.cross(s));
        bodies[branch.body] = Moving { pose, w, v: v_hub + w.cross(s), al, a: acc, units };
    }
    let mut tau = vec![0.0; tree.nv];
    for (b, body) in model.bodies.iter().zip(&bodies).filter_map(|(b, m)| b.mass.map(|x| (x, m))) {
        let c = body.pose.rotation.apply(b.com);
        let a_c = body.a + body.al.cross(c) + body.w.cross(body.w.cross(c)) - model.gravity.unwrap_or(Vec3::ZERO);
        let [xx, yy, zz, xy, xz, yz] = b.inertia.entries();
        let I = |x: Vec3| {
            let l = body.pose.rotation.apply_transposed(x);
            body.pose.rotation.apply(Vec3::new(
                xx * l.x + xy * l.y + xz * l.z,
                xy * l.x + yy * l.y + yz * l.z,
                xz * l.x + yz * l.y + zz * l.z,
            ))
        };
        let n = I(body.al) + body.w.cross(I(body.w));
        for (tau, (l, w)) in tau.iter_mut().zip(&body.units) {
            *tau += (a_c * b.mass).dot(*l + w.cross(c)) + n.dot(*w);
        }
    }
    tau
}
