//! The space of configurations: which coordinates are numbers, which close on themselves, which are attitudes.
//!
//! Slides and screws are numbers, turns are numbers or points of a circle, attitudes are unit quaternions. A displacement has the
//! coordinates of a velocity: [`integrate`] goes along it, [`difference`] is the shortest one between two configurations, so that
//! integrate(q, difference(q, p)) is p, but for whole turns and the sign of a quaternion. Slides of a planar or floating body are along
//! the axes of the frame that carries it, so they are numbers too.
//!
//! Slices may be shorter than the tree's: nodes beyond their ends are left out.

use super::{NodeKind, Tree};
use biela_math::random::Random;
use biela_math::{Elementary, EulerParameters};
use std::f64::consts::{PI, TAU};

/// The configuration after a displacement `dv` from `q`.
pub fn integrate(tree: &Tree, q: &[f64], dv: &[f64], out: &mut [f64]) {
    out.copy_from_slice(q);
    tree.step(out, dv);
}

/// The shortest displacement from `from` to `to`. `closed` says of each velocity whether whole turns lead back.
pub fn difference(tree: &Tree, from: &[f64], to: &[f64], closed: &[bool], dv: &mut [f64]) {
    let nv = dv.len();
    for node in tree.nodes.iter().filter(|node| node.v < nv) {
        match node.kind {
            NodeKind::Axis => {
                let d = to[node.q] - from[node.q];
                dv[node.v] = if closed[node.v] { wrapped(d) } else { d };
            }
            NodeKind::AttitudeX => {
                let between = attitude(from, node.q).conjugate().times(&attitude(to, node.q));
                dv[node.v..node.v + 3].copy_from_slice(&between.normalised().rotation_vector().to_array());
            }
            NodeKind::AttitudeY | NodeKind::AttitudeZ => {}
        }
    }
}

/// A configuration drawn evenly: within `limits` (of each velocity) where there are both, else turns from −π to π, slides from −1 to 1;
/// attitudes evenly over all of them (Shoemake 1992).
pub fn random(tree: &Tree, random: &mut Random, limits: &[[Option<f64>; 2]], q: &mut [f64]) {
    for node in tree.nodes.iter().filter(|node| node.v < limits.len()) {
        match node.kind {
            NodeKind::Axis => {
                let reach = if node.turn != 0.0 { PI } else { 1.0 };
                let (low, high) = match limits[node.v] {
                    [Some(low), Some(high)] => (low, high),
                    [Some(low), None] => (low, low + 2.0 * reach),
                    [None, Some(high)] => (high - 2.0 * reach, high),
                    [None, None] => (-reach, reach),
                };
                q[node.q] = low + (high - low) * random.unit();
            }
            NodeKind::AttitudeX => {
                let (u, a, b) = (random.unit(), TAU * random.unit(), TAU * random.unit());
                let (r, s) = ((1.0 - u).sqrt(), u.sqrt());
                let drawn = [r * a.sine(), r * a.cosine(), s * b.sine(), s * b.cosine()];
                q[node.q..node.q + 4].copy_from_slice(&drawn);
            }
            NodeKind::AttitudeY | NodeKind::AttitudeZ => {}
        }
    }
}

/// The same angle in [−π, π].
fn wrapped(angle: f64) -> f64 {
    angle - TAU * (angle / TAU).round()
}

fn attitude(q: &[f64], at: usize) -> EulerParameters {
    EulerParameters([q[at], q[at + 1], q[at + 2], q[at + 3]])
}
