//! Forward dynamics by the Hessian of the Gibbs function (Provenzano, Mata: reference 004).
//!
//! The Gibbs function G = ½ Σ (m a_G·a_G + α·I α) + … is quadratic in the joint accelerations; its Hessian is the inertia
//! matrix D. With M_i, φ_i and Ψ_i the mass, first moment and inertia about O_i of all that joint i carries (steps 1, 4, 5),
//! r_kj from O_k to O_j and z_k seen in frame j (steps 2, 3), D_jk = z_kᵀ (Ψ_j − r̃_kj φ̃_j) z_j (step 6, indices
//! corrected: docs/references.md). The bias comes from the same function without the accelerations, in O(n).

#![allow(non_snake_case)]

use super::cholesky::{self, stride};
use super::crba::{column, turn, Carried};
use super::entries::store_symmetric;
use super::joint_frame::{attitude_excess, given, origin, rotation};
use super::kinematics::poses;
use super::scalar::Scalar;
use super::spatial::{Turn, M3, V3, Y3};
use super::wide::Kernel;
use super::workspace::{dispatch, kernel, Composite, Work, Workspace};
use super::{Node, NodeKind, Tree};
use biela_math::{Inertia, Vec3};

/// Inertia matrix D as Hessian of the Gibbs function, nv × nv, row by row.
pub fn hessian(tree: &Tree, workspace: &mut Workspace, q: &[f64], D: &mut [f64]) {
    dispatch!(tree, workspace, Hessian { q, D });
}

/// Bias forces by the Gibbs-Appell equations at zero joint accelerations.
pub fn bias(tree: &Tree, workspace: &mut Workspace, q: &[f64], v: &[f64], tau: &mut [f64]) {
    dispatch!(tree, workspace, Bias { q, v, tau });
}

/// Accelerations under the generalised forces τ: Hessian, bias, factorisation.
pub fn forward(tree: &Tree, workspace: &mut Workspace, q: &[f64], v: &[f64], tau: &[f64], a: &mut [f64]) {
    dispatch!(tree, workspace, Forward { q, v, tau, a });
}

kernel! {
    Hessian<'t> { q: &'t [f64], D: &'t mut [f64] }
}

impl<S: Scalar> Kernel for Hessian<'_, S> {
    const MORE_REGISTERS: bool = false;

    #[inline(always)]
    fn run(self) {
        matrix(self.tree, self.work, self.q);
        store_symmetric(self.tree, &self.work.M, self.D);
    }
}

kernel! {
    Bias<'t> { q: &'t [f64], v: &'t [f64], tau: &'t mut [f64] }
}

impl<S: Scalar> Kernel for Bias<'_, S> {
    const MORE_REGISTERS: bool = false;

    #[inline(always)]
    fn run(self) {
        products(self.tree, self.work, self.q, self.v);
        for (node, x) in self.tree.nodes.iter().zip(&self.work.x) {
            x.store(self.tau, node.v);
        }
    }
}

kernel! {
    Forward<'t> { q: &'t [f64], v: &'t [f64], tau: &'t [f64], a: &'t mut [f64] }
}

impl<S: Scalar> Kernel for Forward<'_, S> {
    const MORE_REGISTERS: bool = false;

    #[inline(always)]
    fn run(self) {
        let Forward { tree, work, q, v, tau, a } = self;
        matrix(tree, work, q);
        products(tree, work, q, v);
        for (node, x) in tree.nodes.iter().zip(work.x.iter_mut()) {
            *x = S::load(tau, node.v) - *x;
        }
        cholesky::factorise(tree, &mut work.M);
        cholesky::solve(tree, &work.M, &mut work.x);
        for (node, x) in tree.nodes.iter().zip(&work.x) {
            x.store(a, node.v);
        }
    }
}

#[inline(always)]
fn matrix<S: Scalar>(tree: &Tree, work: &mut Work<S>, q: &[f64]) {
    work.make_matrix(tree.nodes.len());
    work.make_arms(tree.nodes.len());
    if tree.aligned {
        chain(tree, work, q);
    } else if tree.turns_apart::<S>() {
        recursion::<S, true>(tree, work, q);
    } else {
        recursion::<S, false>(tree, work, q);
    }
}

/// Steps 1 to 6: the lower part of D in node order into `work.M`.
#[inline(always)]
fn recursion<S: Scalar, const REVOLUTE: bool>(tree: &Tree, work: &mut Work<S>, q: &[f64]) {
    work.angles::<REVOLUTE>(tree, q);
    let n = tree.nodes.len();
    let ns = stride::<S>(n);
    for (i, node) in tree.nodes.iter().enumerate() {
        work.composites[i] = Composite {
            R: rotation::<S, REVOLUTE>(node, work.sin[i], work.cos[i], q),
            p: origin::<S, REVOLUTE>(node, &work.slide, i),
            m: S::splat(node.m),
            h: V3::splat(&node.h),
            J: Y3::splat(&node.I),
        };
    }
    for i in (0..n).rev() {
        let child = work.composites[i];
        if let Some(parent) = work.composites.get_mut(tree.nodes[i].parent) {
            parent.add(&child, child.p);
        }
    }
    // Axes and arms of all nodes between j and the ground, seen in frame j: row j of a triangle, made from its parent's.
    for (j, node) in tree.nodes.iter().enumerate() {
        let body = work.composites[j];
        let (moment, force) = column::<S, REVOLUTE>(node, &body);
        let own = if REVOLUTE { moment.z } else { S::splat(node.turn).fma(moment.z, S::splat(node.lead) * force.z) };
        work.M[j * ns + j] = own;
        let mut k = node.parent;
        while let Some(above) = tree.nodes.get(k) {
            let (z, r) = if k == node.parent {
                (V3::new(body.R.a.z, body.R.b.z, body.R.c.z), body.R.tmul(body.p))
            } else {
                let (z, r) = (work.axes[node.parent * n + k], work.arms[node.parent * n + k]);
                (body.R.tmul(z), body.R.tmul(r + body.p))
            };
            work.axes[j * n + k] = z;
            work.arms[j * n + k] = r;
            let turning = z.dot(r.cross_add(force, moment));
            work.M[j * ns + k] =
                if REVOLUTE { turning } else { S::splat(above.turn).fma(turning, S::splat(above.lead) * z.dot(force)) };
            k = above.parent;
        }
    }
}

/// The same for an aligned chain: frames follow from each other by two planar turns, and what does not depend on the angles
/// (γ_i, E_i: a link with all beyond it as a mass at the next origin) is found beforehand.
#[inline(always)]
fn chain<S: Scalar>(tree: &Tree, work: &mut Work<S>, q: &[f64]) {
    work.angles::<true>(tree, q);
    let n = tree.nodes.len();
    let ns = stride::<S>(n);
    let Some(last) = tree.nodes.last() else { return };
    // Ψ_i and φ_i: steps 1, 4, 5. Their third columns are kept for step 6.
    let mut total = Carried::<S>::of(last);
    let mut beyond = last.m;
    for i in (0..n).rev() {
        let body = &mut work.composites[i];
        (body.h, body.J) = (total.h, total.J);
        if i > 0 {
            let (node, carrier) = (&tree.nodes[i], &tree.nodes[i - 1]);
            let d = V3::<S>::splat(&node.p);
            let h = turn(node, work.sin[i], work.cos[i]).up(total.h);
            let J = turn(node, work.sin[i], work.cos[i]).up_matrix(&total.J);
            let (gamma, E) = lumped(carrier, node.p, beyond);
            total = Carried { m: total.m, h: V3::splat(&gamma) + h, J: composed(&Y3::splat(&E), &J, d, h) };
            beyond += carrier.m;
        }
    }
    for (j, node) in tree.nodes.iter().enumerate() {
        let (moment, phi) = {
            let body = &work.composites[j];
            (V3::new(body.J.xz, body.J.yz, body.J.zz), body.h)
        };
        work.M[j * ns + j] = moment.z;
        if j == 0 {
            continue;
        }
        let down = turn(node, work.sin[j], work.cos[j]);
        let p = V3::<S>::splat(&node.p);
        for k in (0..j).rev() {
            let (z, r) = if k + 1 == j {
                (V3::new(down.sa * down.s, down.sa * down.c, down.ca), down.down(p))
            } else {
                (down.down(work.axes[(j - 1) * n + k]), down.down(work.arms[(j - 1) * n + k] + p))
            };
            work.axes[j * n + k] = z;
            work.arms[j * n + k] = r;
            // Third column of Ψ_j − r̃ φ̃.
            let y =
                V3::new(r.z.fnma(phi.x, moment.x), r.z.fnma(phi.y, moment.y), r.y.fma(phi.y, r.x.fma(phi.x, moment.z)));
            work.M[j * ns + k] = z.dot(y);
        }
    }
}

/// γ and E of a link with a mass at the origin of the next: first moment, and inertia about its own origin.
fn lumped(node: &Node, p: [f64; 3], m: f64) -> ([f64; 3], Inertia) {
    let [x, y, z] = p;
    let [hx, hy, hz] = node.h;
    let gamma = [hx + m * x, hy + m * y, hz + m * z];
    (gamma, node.I.moved_from_centre(m, Vec3::from(p)))
}

/// E + J − d̃ h̃ − (d̃ h̃)ᵀ.
#[inline(always)]
fn composed<S: Scalar>(E: &Y3<S>, J: &Y3<S>, d: V3<S>, h: V3<S>) -> Y3<S> {
    let (x, y, z) = (d.x * h.x, d.y * h.y, d.z * h.z);
    let (yz, xz, xy) = (y + z, x + z, x + y);
    Y3 {
        xx: E.xx + (J.xx + (yz + yz)),
        yy: E.yy + (J.yy + (xz + xz)),
        zz: E.zz + (J.zz + (xy + xy)),
        xy: E.xy + d.y.fnma(h.x, d.x.fnma(h.y, J.xy)),
        xz: E.xz + d.z.fnma(h.x, d.x.fnma(h.z, J.xz)),
        yz: E.yz + d.z.fnma(h.y, d.y.fnma(h.z, J.yz)),
    }
}

/// Bias in node order into `work.x`.
#[inline(always)]
fn products<S: Scalar>(tree: &Tree, work: &mut Work<S>, q: &[f64], v: &[f64]) {
    if tree.aligned && !v.is_empty() {
        chain_products(tree, work, q, v);
    } else {
        tree_products(tree, work, q, v);
    }
}

/// The bias of an aligned chain, link by link in its own axes, with the tensor Ω = α̃ + ω̃ ω̃ of each (Balafoutis, Patel 1991):
/// 96 products and 83 sums for a link in the middle. The products of ω serve Ω and the moment alike.
#[inline(always)]
fn chain_products<S: Scalar>(tree: &Tree, work: &mut Work<S>, q: &[f64], v: &[f64]) {
    work.angles::<true>(tree, q);
    let (o, n) = (S::zero(), tree.nodes.len());
    let (links, sin, cos) = (&mut work.links[..n], &work.sin[..n], &work.cos[..n]);
    let (mut w, mut al, mut acc, mut Omega) = (V3::zero(), V3::zero(), V3::zero(), M3::zero());
    for (i, node) in tree.nodes.iter().enumerate() {
        let rate = S::load(v, node.v);
        let h = V3::<S>::splat(&node.h);
        if i == 0 {
            let up = -tree.gravity;
            let [x, y, z] = [node.x, node.y, node.z].map(|axis| S::splat(Vec3::from(axis).dot(up)));
            let turn = Turn { s: sin[0], c: cos[0], sa: o, ca: S::splat(1.0) };
            (w, acc) = (V3::new(o, o, rate), turn.down(V3::new(x, y, z)));
            let square = rate * rate;
            Omega = M3 { a: V3::new(-square, o, o), b: V3::new(o, -square, o), c: V3::zero() };
            // Beyond the first axis nothing is asked for.
            links[0].n = V3::new(o, o, h.y.fnma(acc.x, h.x * acc.y));
            continue;
        }
        let down = turn(node, sin[i], cos[i]);
        acc = down.down(Omega.mul_add(V3::splat(&node.p), acc));
        (w, al) = (down.down(w), down.down(al));
        al = V3::new(w.y.fma(rate, al.x), w.x.fnma(rate, al.y), al.z);
        w.z = w.z + rate;
        let (xx, yy, zz) = (w.x * w.x, w.y * w.y, w.z * w.z);
        let (xy, xz, yz) = (w.x * w.y, w.x * w.z, w.y * w.z);
        Omega = M3 {
            a: V3::new(-(yy + zz), xy + al.z, xz - al.y),
            b: V3::new(xy - al.z, -(xx + zz), yz + al.x),
            c: V3::new(xz + al.y, yz - al.x, -(xx + yy)),
        };
        let I = Y3::<S>::splat(&node.I);
        let [ix, iy, iz] = [node.I.zz - node.I.yy, node.I.xx - node.I.zz, node.I.yy - node.I.xx].map(S::splat);
        // I α + ω × I ω, entry by entry of the inertia.
        let own = V3::new(
            I.yz.fma(yy - zz, I.xz.fma(Omega.a.y, I.xy.fnma(Omega.a.z, ix.fma(yz, I.xx * al.x)))),
            I.xz.fma(zz - xx, I.xy.fma(Omega.b.z, I.yz.fnma(Omega.b.x, iy.fma(xz, I.yy * al.y)))),
            I.xy.fma(xx - yy, I.yz.fma(Omega.c.x, I.xz.fnma(Omega.c.y, iz.fma(xy, I.zz * al.z)))),
        );
        links[i].f = Omega.mul_add(h, acc.scale(S::splat(node.m)));
        links[i].n = own + h.cross(acc);
    }
    for i in (0..n).rev() {
        let (f, moment) = (links[i].f, links[i].n);
        work.x[i] = moment.z;
        if i == 0 {
            break;
        }
        let (up, p) = (turn(&tree.nodes[i], sin[i], cos[i]), V3::<S>::splat(&tree.nodes[i].p));
        let force = up.up(f);
        let carrier = &mut links[i - 1];
        if i == 1 {
            carrier.n.z = carrier.n.z + (up.up_z(moment) + p.y.fnma(force.x, p.x * force.y));
        } else {
            carrier.f = carrier.f + force;
            carrier.n = carrier.n + (up.up(moment) + p.cross(force));
        }
    }
}

/// The bias of any tree: accelerations in ground axes at rest of the joint accelerations, then forces and moments about the
/// ground's origin summed towards the ground.
#[inline(always)]
fn tree_products<S: Scalar>(tree: &Tree, work: &mut Work<S>, q: &[f64], v: &[f64]) {
    if tree.turns_apart::<S>() {
        poses::<S, true>(tree, work, q);
    } else {
        poses::<S, false>(tree, work, q);
    }
    let n = tree.nodes.len();
    let up = V3::splat(&(-tree.gravity).to_array());
    for (i, node) in tree.nodes.iter().enumerate() {
        let (R, o, z) = (work.frames[i].R, work.frames[i].p, work.frames[i].R.c);
        let rate = given::<S>(v, node.v);
        let (rw, rv) = (S::splat(node.turn) * rate, S::splat(node.lead) * rate);
        let (wp, alp, ap, arm) = match work.frames.get(node.parent) {
            Some(f) => (f.w, f.al, f.a, o - f.p),
            None => (V3::zero(), V3::zero(), up, o),
        };
        let turned = wp.cross(z);
        let w = z.fma(rw, wp);
        let mut al = turned.fma(rw, alp);
        if node.kind == NodeKind::AttitudeZ {
            al = al - R.mul(attitude_excess(v, node.v));
        }
        let a = turned.fma(rv + rv, wp.cross_add(wp.cross(arm), alp.cross_add(arm, ap)));
        let (h, I) = (V3::splat(&node.h), Y3::splat(&node.I));
        let (wl, all, accl) = (R.tmul(w), R.tmul(al), R.tmul(a));
        let f = R.mul(wl.cross_add(wl.cross(h), all.cross_add(h, accl.scale(S::splat(node.m)))));
        let moment = R.mul(h.cross_add(accl, wl.cross_add(I.mul(wl), I.mul(all))));
        let frame = &mut work.frames[i];
        (frame.w, frame.al, frame.a) = (w, al, a);
        let body = &mut work.world[i];
        body.f = f;
        body.n = o.cross_add(f, moment);
    }
    for i in (0..n).rev() {
        let node = &tree.nodes[i];
        let (before, rest) = work.world[..n].split_at_mut(i);
        let (z, o) = (work.frames[i].R.c, work.frames[i].p);
        let about = rest[0].f.cross_add(o, rest[0].n);
        work.x[i] = S::splat(node.turn).fma(z.dot(about), S::splat(node.lead) * z.dot(rest[0].f));
        if let Some(parent) = before.get_mut(node.parent) {
            parent.add_force(&rest[0]);
        }
    }
}
