//! Inverse dynamics by the recursive Newton-Euler algorithm: τ = M(q) v̇ + bias(q, v), in time linear in the nodes.
//!
//! Forward: ω, α and the acceleration of each frame's origin (gravity as an acceleration of the ground upwards), in the
//! node's own frame. Backward: force and moment about the origin, summed towards the ground (Luh, Walker, Paul 1980).

#![allow(non_snake_case)]

use super::joint_frame::{attitude_excess, given, origin, rotation};
use super::scalar::Scalar;
use super::spatial::{V3, Y3};
use super::workspace::{dispatch, kernel, Work, Workspace};
use super::{NodeKind, Tree, ROOT};

/// Generalised forces τ for the motion q, v, a.
pub fn rnea(tree: &Tree, workspace: &mut Workspace, q: &[f64], v: &[f64], a: &[f64], tau: &mut [f64]) {
    dispatch!(tree, workspace, Rnea { q, v, a, tau });
}

/// Bias forces: gravity, Coriolis and centrifugal (τ at v̇ = 0).
pub fn bias(tree: &Tree, workspace: &mut Workspace, q: &[f64], v: &[f64], tau: &mut [f64]) {
    let a: &[f64] = &[];
    dispatch!(tree, workspace, Rnea { q, v, a, tau });
}

kernel! {
    /// The kernel; an empty `a` means zero acceleration, an empty `v` rest.
    Rnea<'t> { q: &'t [f64], v: &'t [f64], a: &'t [f64], tau: &'t mut [f64] } by pass
}

#[inline(always)]
// Long: one walk out and back whose numbers stay in registers.
fn pass<S: Scalar, const REVOLUTE: bool>(
    tree: &Tree,
    work: &mut Work<S>,
    q: &[f64],
    v: &[f64],
    a: &[f64],
    tau: &mut [f64],
) {
    work.angles::<REVOLUTE>(tree, q);
    let n = tree.nodes.len();
    let (links, sin, cos, slide) = (&mut work.links[..n], &work.sin[..n], &work.cos[..n], &work.slide[..n]);
    let up = V3::splat(&(-tree.gravity).to_array());
    let o = S::zero();
    // The node before, kept at hand: in a chain it is the parent.
    let mut last = (V3::zero(), V3::zero(), up);
    for (i, node) in tree.nodes.iter().enumerate() {
        let R = rotation::<S, REVOLUTE>(node, sin[i], cos[i], q);
        let p = origin::<S, REVOLUTE>(node, slide, i);
        let (rate, accel) = (given::<S>(v, node.v), given::<S>(a, node.v));
        let (turn, lead) = (S::splat(node.turn), S::splat(node.lead));
        let (rate_w, accel_w) = if REVOLUTE { (rate, accel) } else { (turn * rate, turn * accel) };
        let (mut w, mut al, mut acc);
        if node.parent == ROOT {
            w = V3::new(o, o, rate_w);
            al = V3::new(o, o, accel_w);
            acc = R.tmul(up);
            if !REVOLUTE {
                acc.z = lead.fma(accel, acc.z);
            }
        } else {
            if node.parent + 1 != i {
                let parent = &links[node.parent];
                last = (parent.w, parent.al, parent.a);
            }
            let (wp, alp, ap) = last;
            // Sums are grouped so that few operations stand between one node's values and the next one's.
            let by_turning = wp.cross_add(wp.cross(p), alp.cross(p));
            acc = R.tmul(ap + by_turning);
            w = R.tmul(wp);
            al = R.tmul(alp);
            al = V3::new(w.y.fma(rate_w, al.x), w.x.fnma(rate_w, al.y), al.z + accel_w);
            if !REVOLUTE {
                let twice = S::splat(2.0) * lead * rate;
                acc = V3::new(w.y.fma(twice, acc.x), w.x.fnma(twice, acc.y), lead.fma(accel, acc.z));
            }
            w.z = w.z + rate_w;
        }
        if !REVOLUTE && node.kind == NodeKind::AttitudeZ {
            al = al - attitude_excess(v, node.v);
        }
        last = (w, al, acc);
        let h = V3::splat(&node.h);
        let I = Y3::splat(&node.I);
        let f = w.cross_add(w.cross(h), al.cross(h)) + acc.scale(S::splat(node.m));
        let moment = w.cross_add(I.mul(w), I.mul(al)) + h.cross(acc);
        let link = &mut links[i];
        link.R = R;
        link.f = f;
        link.n = moment;
        if !REVOLUTE {
            link.p = p;
        }
        if tree.branched {
            (link.w, link.al, link.a) = last;
        }
    }
    // What the node before passes on, kept at hand: in a chain it is the child.
    let mut carried = (V3::zero(), V3::zero());
    for i in (0..n).rev() {
        let node = &tree.nodes[i];
        let link = &links[i];
        let (f, moment) = (link.f + carried.0, link.n + carried.1);
        let effort = if REVOLUTE { moment.z } else { S::splat(node.turn).fma(moment.z, S::splat(node.lead) * f.z) };
        effort.store(tau, node.v);
        carried = (V3::zero(), V3::zero());
        if node.parent != ROOT {
            let p = if REVOLUTE { V3::splat(&node.p) } else { link.p };
            let up = link.R.mul(f);
            let passed = (up, p.cross(up) + link.R.mul(moment));
            if node.parent + 1 == i {
                carried = passed;
            } else {
                let parent = &mut links[node.parent];
                parent.f = parent.f + passed.0;
                parent.n = parent.n + passed.1;
            }
        }
    }
}
