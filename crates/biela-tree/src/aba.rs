//! Forward dynamics by articulated bodies (Featherstone 1983), in time linear in the nodes.
//!
//! A node with everything it carries answers an acceleration (α, a) of its frame with n = J α + H a + n₀, f = Hᵀ α + M a
//! + f₀. Eliminating the node's own freedom gives the same form for its parent.

#![allow(non_snake_case)]

use super::joint_frame::{attitude_excess, origin, rotation};
use super::scalar::Scalar;
use super::spatial::{M3, V3, Y3};
use super::workspace::{dispatch, kernel, Articulated, Work, Workspace};
use super::{NodeKind, Tree};

/// Accelerations v̇ under the generalised forces τ.
pub fn aba(tree: &Tree, workspace: &mut Workspace, q: &[f64], v: &[f64], tau: &[f64], a: &mut [f64]) {
    dispatch!(tree, workspace, Aba { q, v, tau, a });
}

kernel! {
    Aba<'t> { q: &'t [f64], v: &'t [f64], tau: &'t [f64], a: &'t mut [f64] } by pass { const MORE_REGISTERS: bool = false; }
}

#[inline(always)]
// Long: one walk out and back whose numbers stay in registers.
fn pass<S: Scalar, const REVOLUTE: bool>(
    tree: &Tree,
    work: &mut Work<S>,
    q: &[f64],
    v: &[f64],
    tau: &[f64],
    a: &mut [f64],
) {
    work.angles::<REVOLUTE>(tree, q);
    let n = tree.nodes.len();
    let (bodies, sin, cos, slide) = (&mut work.articulated[..n], &work.sin[..n], &work.cos[..n], &work.slide[..n]);
    let o = S::zero();
    for (i, node) in tree.nodes.iter().enumerate() {
        let R = rotation::<S, REVOLUTE>(node, sin[i], cos[i], q);
        let p = origin::<S, REVOLUTE>(node, slide, i);
        let rate = S::load(v, node.v);
        let rate_w = if REVOLUTE { rate } else { S::splat(node.turn) * rate };
        let (w, mut cw, mut cv);
        if let Some(parent) = bodies.get(node.parent).filter(|_| node.parent < i) {
            let wr = R.tmul(parent.w);
            w = V3::new(wr.x, wr.y, wr.z + rate_w);
            cw = V3::new(wr.y * rate_w, -(wr.x * rate_w), o);
            cv = R.tmul(parent.w.cross(parent.w.cross(p)));
            if !REVOLUTE {
                let twice = S::splat(2.0 * node.lead) * rate;
                cv = V3::new(wr.y.fma(twice, cv.x), wr.x.fnma(twice, cv.y), cv.z);
            }
        } else {
            w = V3::new(o, o, rate_w);
            (cw, cv) = (V3::zero(), V3::zero());
        }
        if !REVOLUTE && node.kind == NodeKind::AttitudeZ {
            cw = cw - attitude_excess(v, node.v);
        }
        let (h, I, m) = (V3::splat(&node.h), Y3::splat(&node.I), S::splat(node.m));
        let body = &mut bodies[i];
        body.R = R;
        body.p = p;
        body.w = w;
        body.cw = cw;
        body.cv = cv;
        body.n = w.cross(I.mul(w));
        body.f = w.cross(w.cross(h));
        body.J = I;
        body.H = M3 { a: V3::new(o, h.z, -h.y), b: V3::new(-h.z, o, h.x), c: V3::new(h.y, -h.x, o) };
        body.M = Y3 { xx: m, xy: o, xz: o, yy: m, yz: o, zz: m };
    }
    for i in (0..n).rev() {
        let node = &tree.nodes[i];
        let (before, rest) = bodies.split_at_mut(i);
        let body = &mut rest[0];
        eliminate::<S, REVOLUTE>(body, node.turn, node.lead, S::load(tau, node.v));
        if let Some(parent) = before.get_mut(node.parent) {
            let d = if REVOLUTE { V3::splat(&node.p) } else { body.p };
            reduce::<S, REVOLUTE>(body, parent, d);
        }
    }
    let up = V3::splat(&(-tree.gravity).to_array());
    for (i, node) in tree.nodes.iter().enumerate() {
        let (before, rest) = bodies.split_at_mut(i);
        let body = &mut rest[0];
        let (mut al, mut acc);
        if let Some(parent) = before.get(node.parent) {
            let d = if REVOLUTE { V3::splat(&node.p) } else { body.p };
            // The accelerations take the places of the parent's own bias.
            al = body.R.tmul_add(parent.cw, body.cw);
            acc = body.R.tmul_add(parent.cw.cross_add(d, parent.cv), body.cv);
        } else {
            al = body.cw;
            acc = body.R.tmul_add(up, body.cv);
        }
        let x = body.D * (body.u - body.Un.dot(al) - body.Uf.dot(acc));
        x.store(a, node.v);
        if REVOLUTE {
            al.z = al.z + x;
        } else {
            al.z = S::splat(node.turn).fma(x, al.z);
            acc.z = S::splat(node.lead).fma(x, acc.z);
        }
        body.cw = al;
        body.cv = acc;
    }
}

/// U = I S, 1/D and u = τ − S·p of a node.
#[inline(always)]
fn eliminate<S: Scalar, const REVOLUTE: bool>(body: &mut Articulated<S>, turn: f64, lead: f64, tau: S) {
    let (J, H, M) = (&body.J, &body.H, &body.M);
    let (Un, Uf) = (V3::new(J.xz, J.yz, J.zz), V3::new(H.a.z, H.b.z, H.c.z));
    if REVOLUTE {
        body.Un = Un;
        body.Uf = Uf;
        body.D = Un.z.recip();
        body.u = tau - body.n.z;
        return;
    }
    let (turn, lead) = (S::splat(turn), S::splat(lead));
    body.Un = Un.fma(turn, H.c.scale(lead));
    body.Uf = Uf.fma(turn, V3::new(M.xz, M.yz, M.zz).scale(lead));
    body.D = turn.fma(body.Un.z, lead * body.Uf.z).recip();
    body.u = tau - turn.fma(body.n.z, lead * body.f.z);
}

/// The node's articulated body as its parent feels it, added to the parent's.
#[inline(always)]
fn reduce<S: Scalar, const REVOLUTE: bool>(body: &Articulated<S>, parent: &mut Articulated<S>, d: V3<S>) {
    let (J, H, M, Un, Uf, R) = (&body.J, &body.H, &body.M, body.Un, body.Uf, &body.R);
    let (gn, gf) = (Un.scale(body.D), Uf.scale(body.D));
    let Ma = Y3 {
        xx: gf.x.fnma(Uf.x, M.xx),
        xy: gf.x.fnma(Uf.y, M.xy),
        xz: gf.x.fnma(Uf.z, M.xz),
        yy: gf.y.fnma(Uf.y, M.yy),
        yz: gf.y.fnma(Uf.z, M.yz),
        zz: gf.z.fnma(Uf.z, M.zz),
    };
    let (cw, cv) = (body.cw, body.cv);
    let (mut pn, mut pf) = (gn.fma(body.u, body.n), gf.fma(body.u, body.f));
    pf = Ma.mul_add(cv, pf);
    let (Jr, Hr);
    if REVOLUTE {
        // A freely turning axis passes no moment about itself: the third row and column vanish.
        let (xx, xy, yy) = (gn.x.fnma(Un.x, J.xx), gn.x.fnma(Un.y, J.xy), gn.y.fnma(Un.y, J.yy));
        let ax = gn.x.fnma(Uf.x, H.a.x);
        let ay = gn.y.fnma(Uf.x, H.a.y);
        let bx = gn.x.fnma(Uf.y, H.b.x);
        let by = gn.y.fnma(Uf.y, H.b.y);
        let cx = gn.x.fnma(Uf.z, H.c.x);
        let cy = gn.y.fnma(Uf.z, H.c.y);
        pn.x = xx.fma(cw.x, xy.fma(cw.y, ax.fma(cv.x, bx.fma(cv.y, cx.fma(cv.z, pn.x)))));
        pn.y = xy.fma(cw.x, yy.fma(cw.y, ay.fma(cv.x, by.fma(cv.y, cy.fma(cv.z, pn.y)))));
        pf.x = ax.fma(cw.x, ay.fma(cw.y, pf.x));
        pf.y = bx.fma(cw.x, by.fma(cw.y, pf.y));
        pf.z = cx.fma(cw.x, cy.fma(cw.y, pf.z));
        let (rx, ry) = (R.a, R.b);
        let (t1, t2) = (rx.fma(xx, ry.scale(xy)), rx.fma(xy, ry.scale(yy)));
        Jr = Y3 {
            xx: t1.x.fma(rx.x, t2.x * ry.x),
            xy: t1.x.fma(rx.y, t2.x * ry.y),
            xz: t1.x.fma(rx.z, t2.x * ry.z),
            yy: t1.y.fma(rx.y, t2.y * ry.y),
            yz: t1.y.fma(rx.z, t2.y * ry.z),
            zz: t1.z.fma(rx.z, t2.z * ry.z),
        };
        let HR = M3 { a: rx.fma(ax, ry.scale(ay)), b: rx.fma(bx, ry.scale(by)), c: rx.fma(cx, ry.scale(cy)) };
        Hr = HR.times(&R.transposed());
    } else {
        let Ja = Y3 {
            xx: gn.x.fnma(Un.x, J.xx),
            xy: gn.x.fnma(Un.y, J.xy),
            xz: gn.x.fnma(Un.z, J.xz),
            yy: gn.y.fnma(Un.y, J.yy),
            yz: gn.y.fnma(Un.z, J.yz),
            zz: gn.z.fnma(Un.z, J.zz),
        };
        let Ha = M3 { a: gn.fnma(Uf.x, H.a), b: gn.fnma(Uf.y, H.b), c: gn.fnma(Uf.z, H.c) };
        pn = Ja.mul_add(cw, Ha.mul_add(cv, pn));
        pf = Ha.tmul_add(cw, pf);
        Jr = Ja.rotated(R);
        Hr = R.times(&Ha).times(&R.transposed());
    }
    let Mr = Ma.rotated(R);
    let Mc = Mr.columns();
    let Hs = M3 { a: d.cross_add(Mc.a, Hr.a), b: d.cross_add(Mc.b, Hr.b), c: d.cross_add(Mc.c, Hr.c) };
    // J' = Jr − Hs d̃ + d̃ Hrᵀ; row i of −Hs d̃ is d × (row i of Hs), column j of d̃ Hrᵀ is d × (row j of Hr).
    let (hs, hr) = (Hs.transposed(), Hr.transposed());
    let P = &mut parent.J;
    P.xx = P.xx + minor(d.y, d.z, hs.a.z + hr.a.z, hs.a.y + hr.a.y, Jr.xx);
    P.xy = P.xy + minor(d.z, d.x, hs.a.x, hs.a.z, minor(d.y, d.z, hr.b.z, hr.b.y, Jr.xy));
    P.xz = P.xz + minor(d.x, d.y, hs.a.y, hs.a.x, minor(d.y, d.z, hr.c.z, hr.c.y, Jr.xz));
    P.yy = P.yy + minor(d.z, d.x, hs.b.x + hr.b.x, hs.b.z + hr.b.z, Jr.yy);
    P.yz = P.yz + minor(d.x, d.y, hs.b.y, hs.b.x, minor(d.z, d.x, hr.c.x, hr.c.z, Jr.yz));
    P.zz = P.zz + minor(d.x, d.y, hs.c.y + hr.c.y, hs.c.x + hr.c.x, Jr.zz);
    parent.H = parent.H.plus(&Hs);
    parent.M = parent.M.plus(&Mr);
    let f = R.mul(pf);
    parent.f = parent.f + f;
    parent.n = R.mul_add(pn, d.cross_add(f, parent.n));
}

/// a c − b d + e: a component of a vector product and a number more.
#[inline(always)]
fn minor<S: Scalar>(a: S, b: S, c: S, d: S, e: S) -> S {
    b.fnma(d, a.fma(c, e))
}
