//! Many states at once: four or eight side by side in the lanes of wide registers, on one core.
//!
//! States stand in blocks of [`Batch::lanes`]; within a block, coordinate k of lane l is at `k * lanes + l`. Matrices of many states fill
//! more than a cache holds: a caller who uses them up calls a block at a time and has each written over the one before.

#![allow(non_snake_case)]

use super::aba::Aba;
use super::crba::{Crba, CrbaLower};
use super::derivatives::{AbaDerivatives, RneaDerivatives};
use super::kinematics::{FkBodies, FkTip, Placed, MATRIX};
use super::rnea::Rnea;
#[cfg(target_arch = "x86_64")]
use super::workspace::Work;
use super::workspace::{dispatch, Workspace};
use super::Tree;

/// States in the blocks of one stretch, per lane.
const STRETCH: usize = 32;

/// Workspace of batches.
#[derive(Debug)]
pub struct Batch {
    lanes: usize,
    inner: Inner,
}

#[derive(Debug)]
enum Inner {
    /// One after the other.
    One(Box<Workspace>),
    #[cfg(target_arch = "x86_64")]
    Four(Box<Work<super::wide::Lanes4>>),
    #[cfg(target_arch = "x86_64")]
    Eight(Box<Work<super::wide::Lanes8>>),
}

macro_rules! blocks {
    ($tree:expr, $batch:expr, $count:expr, $block:ident, $kernel:ident { $($field:ident : $value:expr),* }) => {
        match &mut $batch.inner {
            Inner::One(workspace) => for $block in 0..$count {
                $(let $field = $value;)*
                dispatch!($tree, workspace, $kernel { $($field),* });
            },
            #[cfg(target_arch = "x86_64")]
            Inner::Four(work) => for $block in 0..$count {
                super::wide::run_four($tree.level, $kernel { tree: $tree, work, $($field: $value),* });
            },
            #[cfg(target_arch = "x86_64")]
            Inner::Eight(work) => for $block in 0..$count {
                super::wide::run_eight($tree.level, $kernel { tree: $tree, work, $($field: $value),* });
            },
        }
    };
}

/// Part `block` of an array in blocks of `size`.
fn part(all: &[f64], block: usize, size: usize) -> &[f64] {
    &all[block * size..(block + 1) * size]
}

fn part_mut(all: &mut [f64], block: usize, size: usize) -> &mut [f64] {
    &mut all[block * size..(block + 1) * size]
}

impl Batch {
    /// A workspace for a tree, with as many lanes as the processor has, or at most `most`.
    pub fn new(tree: &Tree, most: usize) -> Batch {
        let lanes = tree.level.lanes().min(most);
        let inner = match lanes {
            #[cfg(target_arch = "x86_64")]
            8.. => Inner::Eight(Box::new(Work::new(tree))),
            #[cfg(target_arch = "x86_64")]
            4..8 => Inner::Four(Box::new(Work::new(tree))),
            _ => Inner::One(Box::new(Workspace::new(tree))),
        };
        let lanes = match inner {
            Inner::One(_) => 1,
            #[cfg(target_arch = "x86_64")]
            Inner::Four(_) => 4,
            #[cfg(target_arch = "x86_64")]
            Inner::Eight(_) => 8,
        };
        Batch { lanes, inner }
    }

    /// States side by side.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// State by state (`n` coordinates each) into blocks; the last block repeats the last state.
    pub fn pack(&self, states: &[f64], n: usize) -> Vec<f64> {
        let count = states.len().checked_div(n).unwrap_or(0);
        let mut packed = vec![0.0; count.div_ceil(self.lanes) * self.lanes * n];
        if count > 0 {
            self.pack_into(states, n, &mut packed);
        }
        packed
    }

    fn pack_into(&self, states: &[f64], n: usize, packed: &mut [f64]) {
        match self.lanes {
            4 => pack::<4>(states, n, packed),
            8 => pack::<8>(states, n, packed),
            _ => packed.copy_from_slice(states),
        }
    }

    /// States, as many as fit into `states`, out of blocks: the way back from [`Batch::pack`].
    pub fn unpack(&self, packed: &[f64], n: usize, states: &mut [f64]) {
        match self.lanes {
            4 => unpack::<4>(packed, n, states),
            8 => unpack::<8>(packed, n, states),
            _ => states.copy_from_slice(&packed[..states.len()]),
        }
    }

    /// State `s` of an array in blocks.
    pub fn state(&self, packed: &[f64], n: usize, s: usize, out: &mut [f64]) {
        for (k, out) in out.iter_mut().enumerate().take(n) {
            *out = packed[(s / self.lanes * n + k) * self.lanes + s % self.lanes];
        }
    }

    /// Runs `kernel` over `count` states that stand state by state, in stretches that stay in the cache while they are packed,
    /// computed and unpacked. `inputs` are arrays with their width; an empty one is zero.
    pub fn rows(
        &mut self,
        count: usize,
        inputs: [(&[f64], usize); 3],
        (out, width): (&mut [f64], usize),
        mut kernel: impl FnMut(&mut Batch, [&[f64]; 3], &mut [f64]),
    ) {
        let stretch = STRETCH * self.lanes;
        let mut packed_out = vec![0.0; stretch * width];
        let mut packed = inputs.map(|(_, width)| vec![0.0; stretch * width]);
        let mut first = 0;
        while first < count {
            let n = stretch.min(count - first);
            let blocks = n.div_ceil(self.lanes) * self.lanes;
            for (packed, (data, width)) in packed.iter_mut().zip(inputs) {
                packed.truncate(blocks * width);
                if !data.is_empty() {
                    self.pack_into(&data[first * width..(first + n) * width], width, packed);
                }
            }
            let packed_out = &mut packed_out[..blocks * width];
            kernel(self, [&packed[0], &packed[1], &packed[2]], packed_out);
            self.unpack(packed_out, width, &mut out[first * width..(first + n) * width]);
            first += n;
        }
    }

    /// Generalised forces of states that stand state by state.
    pub fn rnea_rows(&mut self, tree: &Tree, q: &[f64], v: &[f64], a: &[f64], tau: &mut [f64]) {
        let count = q.len().checked_div(tree.nq).unwrap_or(0);
        let inputs = [(q, tree.nq), (v, tree.nv), (a, tree.nv)];
        self.rows(count, inputs, (tau, tree.nv), |batch, [q, v, a], tau| batch.rnea(tree, q, v, a, tau));
    }

    /// Homogeneous matrices of frames (4 × 4 each, row by row) of states that stand state by state.
    pub fn fk_rows(&mut self, tree: &Tree, count: usize, q: &[f64], frames: &[Placed], out: &mut [f64]) {
        let width = MATRIX * frames.len();
        let inputs = [(q, tree.nq), (&[][..], 0), (&[][..], 0)];
        self.rows(count, inputs, (out, width), |batch, [q, ..], out| {
            let (sq, sp) = (tree.nq * batch.lanes, width * batch.lanes);
            let count = q.len() / sq.max(1);
            blocks!(tree, batch, count, k, FkBodies { q: part(q, k, sq), bodies: frames, out: part_mut(out, k, sp) });
        });
    }

    /// Positions of the last node's origin (3 per state).
    pub fn fk(&mut self, tree: &Tree, q: &[f64], p: &mut [f64]) {
        let (sq, sp) = (tree.nq * self.lanes, 3 * self.lanes);
        blocks!(tree, self, q.len() / sq.max(1), k, FkTip { q: part(q, k, sq), p: part_mut(p, k, sp) });
    }

    /// Generalised forces of all states.
    pub fn rnea(&mut self, tree: &Tree, q: &[f64], v: &[f64], a: &[f64], tau: &mut [f64]) {
        let (sq, sv) = (tree.nq * self.lanes, tree.nv * self.lanes);
        blocks!(
            tree,
            self,
            q.len() / sq.max(1),
            k,
            Rnea { q: part(q, k, sq), v: part(v, k, sv), a: part(a, k, sv), tau: part_mut(tau, k, sv) }
        );
    }

    /// Inertia matrices of all states.
    pub fn crba(&mut self, tree: &Tree, q: &[f64], M: &mut [f64]) {
        let (sq, sm) = (tree.nq * self.lanes, tree.nv * tree.nv * self.lanes);
        blocks!(tree, self, q.len() / sq.max(1), k, Crba { q: part(q, k, sq), M: part_mut(M, k, sm) });
    }

    /// Lower triangles of the inertia matrices of all states, as [`super::crba::crba_lower`].
    pub fn crba_lower(&mut self, tree: &Tree, q: &[f64], M: &mut [f64]) {
        if !tree.in_order {
            return self.crba(tree, q, M);
        }
        let (sq, sm) = (tree.nq * self.lanes, tree.nv * tree.nv * self.lanes);
        blocks!(tree, self, q.len() / sq.max(1), k, CrbaLower { q: part(q, k, sq), M: part_mut(M, k, sm) });
    }

    /// Accelerations of all states.
    pub fn aba(&mut self, tree: &Tree, q: &[f64], v: &[f64], tau: &[f64], a: &mut [f64]) {
        let (sq, sv) = (tree.nq * self.lanes, tree.nv * self.lanes);
        blocks!(
            tree,
            self,
            q.len() / sq.max(1),
            k,
            Aba { q: part(q, k, sq), v: part(v, k, sv), tau: part(tau, k, sv), a: part_mut(a, k, sv) }
        );
    }

    /// Three matrices of `width` numbers each for states that stand state by state, by a kernel of blocks.
    pub fn matrix_rows(
        &mut self,
        count: usize,
        inputs: [(&[f64], usize); 3],
        (out, width): ([&mut [f64]; 3], usize),
        mut kernel: impl FnMut(&mut Batch, [&[f64]; 3], [&mut [f64]; 3]),
    ) {
        let lanes = self.lanes;
        let mut packed = inputs.map(|(_, width)| vec![0.0; lanes * width]);
        let mut matrices = [(); 3].map(|()| vec![0.0; lanes * width]);
        for first in (0..count).step_by(lanes) {
            let n = lanes.min(count - first);
            for (packed, (data, width)) in packed.iter_mut().zip(inputs) {
                if !data.is_empty() {
                    self.pack_into(&data[first * width..(first + n) * width], width, packed);
                }
            }
            kernel(self, packed.each_ref().map(|x| &x[..]), matrices.each_mut().map(|x| &mut x[..]));
            for k in 0..3 {
                self.unpack(&matrices[k], width, &mut out[k][first * width..(first + n) * width]);
            }
        }
    }

    /// ∂τ/∂q, ∂τ/∂v and M of all states.
    pub fn rnea_derivatives(&mut self, tree: &Tree, [q, v, a]: [&[f64]; 3], [dq, dv, da]: [&mut [f64]; 3]) {
        let (sq, sv, sm) = (tree.nq * self.lanes, tree.nv * self.lanes, tree.nv * tree.nv * self.lanes);
        blocks!(
            tree,
            self,
            q.len() / sq.max(1),
            k,
            RneaDerivatives {
                q: part(q, k, sq),
                v: part(v, k, sv),
                a: part(a, k, sv),
                dq: part_mut(dq, k, sm),
                dv: part_mut(dv, k, sm),
                da: part_mut(da, k, sm)
            }
        );
    }

    /// ∂v̇/∂q, ∂v̇/∂v and M⁻¹ of all states.
    pub fn aba_derivatives(&mut self, tree: &Tree, [q, v, tau]: [&[f64]; 3], [dq, dv, dtau]: [&mut [f64]; 3]) {
        let (sq, sv, sm) = (tree.nq * self.lanes, tree.nv * self.lanes, tree.nv * tree.nv * self.lanes);
        blocks!(
            tree,
            self,
            q.len() / sq.max(1),
            k,
            AbaDerivatives {
                q: part(q, k, sq),
                v: part(v, k, sv),
                tau: part(tau, k, sv),
                dq: part_mut(dq, k, sm),
                dv: part_mut(dv, k, sm),
                dtau: part_mut(dtau, k, sm)
            }
        );
    }
}

/// States into blocks of a number of lanes that the compiler knows.
fn pack<const LANES: usize>(states: &[f64], n: usize, packed: &mut [f64]) {
    for (block, out) in packed.chunks_exact_mut(LANES * n).enumerate() {
        let states = &states[block * LANES * n..];
        let last = states.len() / n - 1;
        let rows: [&[f64]; LANES] = std::array::from_fn(|l| &states[l.min(last) * n..][..n]);
        for (k, out) in out.chunks_exact_mut(LANES).enumerate() {
            for l in 0..LANES {
                out[l] = rows[l][k];
            }
        }
    }
}

/// The way back.
fn unpack<const LANES: usize>(packed: &[f64], n: usize, states: &mut [f64]) {
    for (rows, packed) in states.chunks_mut(LANES * n).zip(packed.chunks_exact(LANES * n)) {
        for (l, row) in rows.chunks_exact_mut(n).enumerate() {
            for (k, x) in row.iter_mut().enumerate() {
                *x = packed[k * LANES + l];
            }
        }
    }
}
