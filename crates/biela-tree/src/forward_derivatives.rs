//! How accelerations answer to forces and to changes of state: M⁻¹ and the derivatives of forward dynamics, n² operations.
//!
//! Everything is in ground axes, so nothing is carried from frame to frame. From the tips to the ground: the articulated
//! inertia I of each node, U = I S, D = Sᵀ U, and likewise the articulated form Q of velocity products, 2B own summed as
//! Q_p += Q − U cᵀ, c = Qᵀ S / D (Featherstone 1983). A change of q_i loads what i carries with 2B ψ̇_i + I ψ̈_i and turns the
//! force f_i that i passes on (Singh, Russo, Wensing 2022). What reaches the parent p of i is then
//! G_i = I′ ψ̈_i + Q′ ψ̇_i + S_i ×* f_i, with I′ and Q′ those that i passes on.
//!
//! From the ground to the tips, with Ω_p the inverse inertia felt by a force on p, and P_p the acceleration of p for a unit
//! torque at j: M⁻¹_ij = −Uᵢᵀ P_p / D_i for j < i, and P_i = P_p + Sᵢ M⁻¹_ij; by reciprocity G_i answers at j with G_iᵀ P_p.
//! Below i the change acts as an acceleration of the whole: with R_i = ψ̈_i − P_i, ∂v̇_k/∂q_i = −(c_kᵀ ψ̇_i + U_kᵀ R_p / D_k)
//! and R_k = R_p + S_k ∂v̇_k/∂q_i. Derivatives by v likewise with S for ψ̇, ψ̇ + Ṡ for ψ̈ and without the turned force.
//! A few columns at a time run through all rows side by side.

#![allow(non_snake_case)]

use super::articulated::{
    along, less, less_symmetric, minus, negative, plus, scalar_product, Answers, Compliance, Hinge, Load,
};
use super::cholesky::stride;
use super::entries::Entries;
use super::scalar::Scalar;
use super::spatial::V3;
use super::workspace::Work;
use super::world_nodes::{cross, dot, motion, numbers, spread, Mass, Motions, Pair, WorldNode};
use super::{NodeKind, Tree};

/// Articulated bodies from the tips to the ground, after `place` (`FULL`: `place_and_move` at zero accelerations).
#[inline(always)]
pub(super) fn articulate<S: Scalar, const FULL: bool>(tree: &Tree, work: &mut Work<S>, tau: &[f64]) {
    let n = tree.nodes.len();
    let Answers { loads, sums, hinges, .. } = &mut work.answers;
    let (loads, sums, hinges, world) = (&mut loads[..n], &mut sums[..n], &mut hinges[..n], &work.world[..n]);
    let (axes, masses) = (work.s.view(), work.totals.view());
    if tree.branched {
        sums.fill(Load::zero());
    }
    for i in (0..n).rev() {
        let node = &tree.nodes[i];
        let (s, own) = (motion(axes.numbers(i)), Mass::from(masses.numbers(i)));
        let (here, after) = loads.split_at_mut(i + 1);
        let load = &mut here[i];
        match after.first().filter(|_| tree.nodes[i + 1].parent == i) {
            Some(child) => load.begin::<FULL>(&own, &world[i], child),
            None => load.begin::<FULL>(&own, &world[i], &Load::zero()),
        }
        if tree.branched {
            load.add::<FULL>(&sums[i]);
        }
        let (Un, Uf) = (load.H.mul_add(s.1, load.J.mul(s.0)), load.M.mul_add(s.1, load.H.tmul(s.0)));
        let resist = scalar_product(s, (Un, Uf)).recip();
        let g = (Un.scale(resist), Uf.scale(resist));
        load.J = less_symmetric(&load.J, g.0, Un);
        load.M = less_symmetric(&load.M, g.1, Uf);
        load.H = less(&load.H, g.0, Uf);
        let hinge = &mut hinges[i];
        (hinge.g, hinge.resist) = (g, resist);
        if FULL {
            let c = (load.Qn.tmul(s.0) + load.Qf.tmul(s.1)).scale(resist);
            load.Qn = less(&load.Qn, Un, c);
            load.Qf = less(&load.Qf, Uf, c);
            let left = S::load(tau, node.v) - scalar_product(s, (load.n, load.f));
            let free = left * resist;
            (load.n, load.f) = along((Un, Uf), free, (load.n, load.f));
            (hinge.c, hinge.free) = (c, free);
        }
        if node.parent.wrapping_add(1) != i {
            if let Some(parent) = sums.get_mut(node.parent) {
                parent.add::<FULL>(load);
            }
        }
    }
}

/// Accelerations under the forces given to [`articulate`]: ψ̈ and the nodes' forces become those of them, forces composite.
#[inline(always)]
pub(super) fn accelerate<S: Scalar>(tree: &Tree, work: &mut Work<S>) {
    let n = tree.nodes.len();
    let (nodes, hinges) = (&mut work.world[..n], &work.answers.hinges[..n]);
    let (axes, masses, mut psi2) = (work.s.view(), work.totals.view(), work.psi2.open());
    let mut last: Pair<S> = (V3::zero(), V3::zero());
    for (i, node) in tree.nodes.iter().enumerate() {
        if node.parent.wrapping_add(1) != i || i == 0 {
            last = change(nodes, node.parent);
        }
        let base = if node.base == node.parent { last } else { change(nodes, node.base) };
        let s = motion(axes.numbers(i));
        psi2.put(i, numbers(plus(motion(psi2.view().numbers(i)), cross(base, s))));
        let a = hinges[i].free - scalar_product(hinges[i].g, last);
        last = along(s, a, last);
        let body = &mut nodes[i];
        (body.al, body.a) = last;
        let (moment, force) = Mass::from(masses.numbers(i)).times(last);
        (body.n, body.f) = (body.n + moment, body.f + force);
    }
    for i in (1..n).rev() {
        let (carrying, carried) = nodes.split_at_mut(i);
        if let Some(parent) = carrying.get_mut(tree.nodes[i].parent) {
            parent.add_force(&carried[0]);
        }
    }
}

/// What a node's acceleration differs by from that at v̇ = 0.
#[inline(always)]
fn change<S: Scalar>(nodes: &[WorldNode<S>], k: usize) -> Pair<S> {
    match nodes.get(k) {
        Some(body) => (body.al, body.a),
        None => (V3::zero(), V3::zero()),
    }
}

/// Three matrices in the making: M⁻¹, ∂v̇/∂q, ∂v̇/∂v.
pub(super) trait Table<S: Scalar> {
    /// Entries (i, j), (i, j + 1), … of one chunk. Those beyond the diagonal are put right later.
    fn row(&mut self, of: usize, i: usize, j: usize, x: S::Chunk);
    /// Entries (j, i), (j + 1, i), … likewise.
    fn column(&mut self, of: usize, j: usize, i: usize, x: S::Chunk);
    /// Entries (i, j), (i, j + 1), … of one chunk.
    fn read(&self, of: usize, i: usize, j: usize) -> S::Chunk;
    /// One entry.
    fn one(&self, of: usize, i: usize, j: usize) -> S;
    /// Puts one entry.
    fn set(&mut self, of: usize, i: usize, j: usize, x: S);
}

/// Matrices in node order with rows of whole chunks and some room at the end.
pub(super) struct Kept<'m, S, const COUNT: usize> {
    pub matrices: [&'m mut [S]; COUNT],
    pub stride: usize,
}

impl<S: Scalar, const COUNT: usize> Table<S> for Kept<'_, S, COUNT> {
    #[inline(always)]
    fn row(&mut self, of: usize, i: usize, j: usize, x: S::Chunk) {
        S::put(x, self.matrices[of], i * self.stride + j);
    }
    #[inline(always)]
    fn column(&mut self, of: usize, j: usize, i: usize, x: S::Chunk) {
        let mut places = [S::zero(); 8];
        S::put(x, &mut places, 0);
        let below = &mut self.matrices[of][j * self.stride + i..(j + S::CHUNK - 1) * self.stride + i + 1];
        for (k, place) in places.iter().enumerate().take(S::CHUNK) {
            below[k * self.stride] = *place;
        }
    }
    #[inline(always)]
    fn read(&self, of: usize, i: usize, j: usize) -> S::Chunk {
        S::chunk(self.matrices[of], i * self.stride + j)
    }
    #[inline(always)]
    fn one(&self, of: usize, i: usize, j: usize) -> S {
        self.matrices[of][i * self.stride + j]
    }
    #[inline(always)]
    fn set(&mut self, of: usize, i: usize, j: usize, x: S) {
        self.matrices[of][i * self.stride + j] = x;
    }
}

/// Matrices that are given out, for numbers that stand alone in their chunks.
impl<S: Scalar, const COUNT: usize> Table<S> for [Entries<'_>; COUNT] {
    #[inline(always)]
    fn row(&mut self, of: usize, i: usize, j: usize, x: S::Chunk) {
        self[of].row::<S>(i, j, 1, x);
    }
    #[inline(always)]
    fn column(&mut self, of: usize, j: usize, i: usize, x: S::Chunk) {
        self[of].column::<S>(j, i, 1, x);
    }
    #[inline(always)]
    fn read(&self, of: usize, i: usize, j: usize) -> S::Chunk {
        self[of].read::<S>(i, j)
    }
    #[inline(always)]
    fn one(&self, of: usize, i: usize, j: usize) -> S {
        self[of].one(i, j)
    }
    #[inline(always)]
    fn set(&mut self, of: usize, i: usize, j: usize, x: S) {
        self[of].set(i, j, x);
    }
}

/// From the ground to the tips, after [`articulate`] (`FULL`: and [`accelerate`]): what rows and columns start from.
#[inline(always)]
fn starts<S: Scalar, const FULL: bool, T: Table<S>>(tree: &Tree, work: &mut Work<S>, out: &mut T) {
    let n = tree.nodes.len();
    let Work { world, s: axes, psi, psi2, rate, answers, .. } = work;
    let Answers { loads, hinges, compliances, rows, by_force, by_q, by_v, turning, .. } = answers;
    let (world, loads, hinges, compliances) = (&world[..n], &loads[..n], &hinges[..n], &mut compliances[..n]);
    let (axes, psi, psi2, rate) = (axes.view(), psi.view(), psi2.view(), rate.view());
    let (mut by_force, mut by_q, mut by_v) = (by_force.open(), by_q.open(), by_v.open());
    let mut turning = turning.open();
    let mut last = Compliance::zero();
    for (i, node) in tree.nodes.iter().enumerate() {
        let (s, Hinge { g, resist, c, free: _ }) = (motion(axes.numbers(i)), hinges[i]);
        if i == 0 || node.parent.wrapping_add(1) != i {
            last = match compliances.get(node.parent) {
                Some(parent) => *parent,
                None => Compliance::zero(),
            };
        }
        let t = last.times(g);
        let own = scalar_product(g, t) + resist;
        by_force.put(i, numbers(minus((s.0.scale(own), s.1.scale(own)), t)));
        out.set(0, i, i, own);
        let row = &mut rows[i];
        (row.s, row.g) = (s, negative(g));
        if FULL {
            let turn = motion(psi.numbers(i)).0;
            let (a, b) = (motion(psi2.numbers(i)), motion(rate.numbers(i)));
            let Gq = plus(loads[i].answer(a, turn), turned(s, &world[i]));
            let Gv = loads[i].answer(b, s.0);
            let (Pq, Pv) = (last.times(Gq), last.times(Gv));
            let xq = scalar_product(g, minus(a, Pq)) + c.dot(turn);
            let xv = scalar_product(g, minus(b, Pv)) + c.dot(s.0);
            by_q.put(i, numbers(minus(a, along(s, xq, Pq))));
            by_v.put(i, numbers(minus(b, along(s, xv, Pv))));
            turning.put(i, numbers((turn, s.0)));
            (row.c, row.Gq, row.Gv) = (-c, negative(Gq), negative(Gv));
            out.set(1, i, i, -xq);
            out.set(2, i, i, -xv);
        }
        let half = S::splat(0.5) * own;
        last = last.with(s, minus((s.0.scale(half), s.1.scale(half)), t));
        if tree.branched {
            compliances[i] = last;
        }
    }
}

/// Column by column, in chunks: P and R of a chunk stay at hand from row to row.
#[inline(always)]
// Long: one walk over all columns whose numbers stay in registers.
fn sweep<S: Scalar, const FULL: bool, T: Table<S>>(tree: &Tree, work: &mut Work<S>, out: &mut T) {
    let n = tree.nodes.len();
    let Work { world, s: axes, psi2, rate, answers, .. } = work;
    let Answers { rows, by_force, by_q, by_v, turning, started, .. } = answers;
    let rows = &rows[..n];
    for &(first, end) in &tree.blocks {
        let mut j = first;
        while j < end {
            let mut P = by_force.chunk(j);
            let (mut Rq, mut Rv) = (P, P);
            let mut turn = [S::Chunk::zero(); 6];
            if FULL {
                (Rq, Rv) = (by_q.chunk(j), by_v.chunk(j));
                turn = turning.chunk(j);
            }
            for i in j + 1..end {
                let row = &rows[i];
                let parent = tree.nodes[i].parent;
                if parent.wrapping_add(1) != i {
                    let begun = i - j;
                    P = begin::<S>(sum::<S, T>(tree, parent, 0, j, axes, out), by_force, j, begun);
                    if FULL {
                        let here = carrying::<S>(tree, parent, j);
                        Rq = sum::<S, T>(tree, parent, 1, j, axes, out);
                        Rv = sum::<S, T>(tree, parent, 2, j, axes, out);
                        let (a, b) = (psi2.chunk(j), rate.chunk(j));
                        let full = turning.chunk(j);
                        for k in 0..6 {
                            (Rq[k], Rv[k]) = (here.fma(a[k], Rq[k]), here.fma(b[k], Rv[k]));
                        }
                        for (turn, x) in turn.iter_mut().zip(full) {
                            *turn = here * x;
                        }
                        (Rq, Rv) = (begin::<S>(Rq, by_q, j, begun), begin::<S>(Rv, by_v, j, begun));
                        turn = begin::<S>(turn, turning, j, begun);
                    }
                }
                let (g, s): ([S::Chunk; 6], [S::Chunk; 6]) = (spread::<S>(row.g), spread::<S>(row.s));
                let mut x = [dot(&g, &P), S::Chunk::zero(), S::Chunk::zero()];
                // Chunks run over the diagonal.
                let over = i < j + S::CHUNK;
                let mut diagonal = [S::zero(); 3];
                if over {
                    for of in 0..if FULL { 3 } else { 1 } {
                        diagonal[of] = out.one(of, i, i);
                    }
                }
                if FULL {
                    out.column(1, j, i, dot(&spread::<S>(row.Gq), &P));
                    out.column(2, j, i, dot(&spread::<S>(row.Gv), &P));
                    let c = [row.c.x.spread(), row.c.y.spread(), row.c.z.spread()];
                    x[1] = c[0].fma(turn[0], c[1].fma(turn[1], c[2].fma(turn[2], dot(&g, &Rq))));
                    x[2] = c[0].fma(turn[3], c[1].fma(turn[4], c[2].fma(turn[5], dot(&g, &Rv))));
                }
                if over {
                    // Columns of this chunk that have not begun yet stay as they are.
                    let begun = S::chunk(started, S::CHUNK + j - i);
                    x = [begun * x[0], begun * x[1], begun * x[2]];
                }
                out.row(0, i, j, x[0]);
                out.column(0, j, i, x[0]);
                for k in 0..6 {
                    P[k] = s[k].fma(x[0], P[k]);
                }
                if FULL {
                    out.row(1, i, j, x[1]);
                    out.row(2, i, j, x[2]);
                    for k in 0..6 {
                        (Rq[k], Rv[k]) = (s[k].fma(x[1], Rq[k]), s[k].fma(x[2], Rv[k]));
                    }
                }
                if over {
                    for of in 0..if FULL { 3 } else { 1 } {
                        out.set(of, i, i, diagonal[of]);
                    }
                }
            }
            j += S::CHUNK;
        }
    }
    if FULL && tree.attitudes {
        attitudes(tree, world, axes, out);
    }
}

/// Columns at a node whose child is next though others came between: Σ S x over the nodes that carry it.
#[inline(always)]
fn sum<S: Scalar, T: Table<S>>(
    tree: &Tree,
    node: usize,
    of: usize,
    j: usize,
    s: &Motions<S>,
    out: &T,
) -> [S::Chunk; 6] {
    let mut p = [S::Chunk::zero(); 6];
    for &(from, to) in carriers(tree, node) {
        for k in from..to {
            let x = out.read(of, k, j);
            let s = spread::<S>(s.get(k));
            for k in 0..6 {
                p[k] = s[k].fma(x, p[k]);
            }
        }
    }
    p
}

/// Columns of a chunk of which only the first `begun` have begun: the others as they begin.
#[inline(always)]
fn begin<S: Scalar>(mut x: [S::Chunk; 6], begins: &Motions<S>, j: usize, begun: usize) -> [S::Chunk; 6] {
    if begun < S::CHUNK {
        for (x, begins) in x.iter_mut().zip(begins.chunk(j)) {
            let (mut places, mut new) = ([S::zero(); 8], [S::zero(); 8]);
            S::put(*x, &mut places, 0);
            S::put(begins, &mut new, 0);
            places[begun..S::CHUNK].copy_from_slice(&new[begun..S::CHUNK]);
            *x = S::chunk(&places, 0);
        }
    }
    x
}

/// A node and those that carry it, as runs; none for the ground.
#[inline(always)]
fn carriers(tree: &Tree, node: usize) -> &[(usize, usize)] {
    match tree.nodes.get(node) {
        Some(node) => &node.runs,
        None => &[],
    }
}

/// 1 for columns whose nodes carry a node or are it, else 0.
#[inline(always)]
fn carrying<S: Scalar>(tree: &Tree, node: usize, j: usize) -> S::Chunk {
    let mut here = [S::zero(); 8];
    for &(from, to) in carriers(tree, node) {
        for k in from.max(j)..to.min(j + S::CHUNK) {
            here[k - j] = S::splat(1.0);
        }
    }
    S::chunk(&here, 0)
}

/// Force that turns with the axis of a node: S ×* f.
#[inline(always)]
pub(super) fn turned<S: Scalar>(s: Pair<S>, body: &WorldNode<S>) -> Pair<S> {
    (s.0.cross_add(body.n, s.1.cross(body.f)), s.0.cross(body.f))
}

/// Axes of one spherical joint turn together: the force does not turn against them.
#[inline(always)]
fn attitudes<S: Scalar, T: Table<S>>(tree: &Tree, world: &[WorldNode<S>], s: &Motions<S>, out: &mut T) {
    for &(first, end) in &tree.blocks {
        for i in first..end {
            let group = match tree.nodes[i].kind {
                NodeKind::AttitudeY => 1,
                NodeKind::AttitudeZ => 2,
                NodeKind::Axis | NodeKind::AttitudeX => 0,
            };
            for j in i - group..i {
                let excess = scalar_product(s.get(j), turned(s.get(i), &world[i]));
                for k in first..end {
                    let x = out.one(0, k, j).fma(excess, out.one(1, k, i));
                    out.set(1, k, i, x);
                }
            }
        }
    }
}

/// All rows into matrices in the order of velocities: M⁻¹ alone, or ∂v̇/∂q and ∂v̇/∂v after it.
#[inline(always)]
pub(super) fn matrices<S: Scalar, const FULL: bool, const COUNT: usize>(
    tree: &Tree,
    work: &mut Work<S>,
    mut out: [&mut [f64]; COUNT],
) {
    let n = tree.nodes.len();
    if tree.blocks.len() > 1 {
        for matrix in &mut out {
            matrix[..n * n * S::LANES].fill(0.0);
        }
    }
    if S::CHUNK == 1 {
        let mut out = out.map(|out| Entries::new::<S>(tree, out));
        starts::<S, FULL, _>(tree, work, &mut out);
        sweep::<S, FULL, _>(tree, work, &mut out);
        return;
    }
    work.make_kept(n);
    let mut kept = std::mem::take(&mut work.kept);
    {
        let mut rest = kept.iter_mut();
        let matrices = [(); COUNT].map(|()| rest.next().map_or(&mut [][..], |m| &mut m[..]));
        let mut out = Kept { matrices, stride: stride::<S>(n) };
        starts::<S, FULL, _>(tree, work, &mut out);
        sweep::<S, FULL, _>(tree, work, &mut out);
    }
    for (from, to) in kept.iter().zip(out) {
        store(tree, from, to);
    }
    work.kept = kept;
}

/// A matrix that is known on the blocks, in node order, to one in the order of velocities.
#[inline(always)]
fn store<S: Scalar>(tree: &Tree, from: &[S], to: &mut [f64]) {
    let n = tree.nodes.len();
    let ns = stride::<S>(n);
    for &(first, end) in &tree.blocks {
        let columns = &tree.velocities[first..end];
        for i in first..end {
            let row = &from[i * ns + first..i * ns + end];
            let to = &mut to[tree.velocities[i] * n * S::LANES..][..n * S::LANES];
            if tree.in_order {
                let to = &mut to[first * S::LANES..end * S::LANES];
                for (x, to) in row.iter().zip(to.chunks_exact_mut(S::LANES)) {
                    x.store(to, 0);
                }
            } else {
                for (x, column) in row.iter().zip(columns) {
                    x.store(to, *column);
                }
            }
        }
    }
}
