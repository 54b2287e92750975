//! A matrix that is given out, in the order of velocities, filled by chunks of entries in node order, each entry once.

use super::cholesky::stride;
use super::scalar::Scalar;
use super::Tree;

/// Factors that keep the first numbers of a chunk.
const ONES_THEN_ZEROS: [f64; 16] = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];

/// A matrix being filled.
pub(super) struct Entries<'m> {
    n: usize,
    velocities: &'m [usize],
    in_order: bool,
    out: &'m mut [f64],
}

impl<'m> Entries<'m> {
    #[inline(always)]
    pub fn new<S: Scalar>(tree: &'m Tree, out: &'m mut [f64]) -> Entries<'m> {
        let n = tree.nodes.len();
        Entries { n, velocities: &tree.velocities[..n], in_order: tree.in_order, out: &mut out[..n * n * S::LANES] }
    }
    /// Place of entry (i, j).
    #[inline(always)]
    fn at(&self, i: usize, j: usize) -> usize {
        if self.in_order {
            i * self.n + j
        } else {
            self.velocities[i] * self.n + self.velocities[j]
        }
    }
    /// Entries (i, j), (i, j + 1), …, `count` of a chunk.
    #[inline(always)]
    pub fn row<S: Scalar>(&mut self, i: usize, j: usize, count: usize, x: S::Chunk) {
        if S::CHUNK == 1 {
            let at = self.at(i, j);
            x.store(self.out, at);
        } else if self.in_order && count >= S::CHUNK {
            x.store(&mut self.out[i * self.n + j..][..S::CHUNK], 0);
        } else {
            let mut places = [0.0; 8];
            x.store(&mut places, 0);
            for (k, x) in places.iter().enumerate().take(count.min(S::CHUNK)) {
                let at = self.at(i, j + k);
                self.out[at] = *x;
            }
        }
    }
    /// The same where those that follow in the row may become zero.
    #[inline(always)]
    pub fn row_over<S: Scalar>(&mut self, i: usize, j: usize, count: usize, x: S::Chunk) {
        if S::CHUNK > 1 && self.in_order && count < S::CHUNK && j + S::CHUNK <= self.n {
            let kept = x * S::Chunk::load(&ONES_THEN_ZEROS[8 - count..][..8], 0);
            kept.store(&mut self.out[i * self.n + j..][..S::CHUNK], 0);
        } else {
            self.row::<S>(i, j, count, x);
        }
    }
    /// Entries (j, i), (j + 1, i), …, `count` of a chunk.
    #[inline(always)]
    pub fn column<S: Scalar>(&mut self, j: usize, i: usize, count: usize, x: S::Chunk) {
        if S::CHUNK == 1 {
            let at = self.at(j, i);
            x.store(self.out, at);
            return;
        }
        let mut places = [0.0; 8];
        x.store(&mut places, 0);
        if self.in_order && count >= S::CHUNK {
            let below = &mut self.out[j * self.n + i..][..(S::CHUNK - 1) * self.n + 1];
            for (k, x) in places.iter().enumerate().take(S::CHUNK) {
                below[k * self.n] = *x;
            }
        } else {
            for (k, x) in places.iter().enumerate().take(count.min(S::CHUNK)) {
                let at = self.at(j + k, i);
                self.out[at] = *x;
            }
        }
    }
    /// Zeros at (i, j) and (j, i) for all j < i that do not carry i; `runs` are the nodes that do.
    #[inline(always)]
    pub fn gaps<S: Scalar>(&mut self, i: usize, runs: &[(usize, usize)]) {
        let mut done = 0;
        for &(from, to) in runs {
            if self.in_order {
                let row = i * self.n;
                self.out[(row + done) * S::LANES..(row + from) * S::LANES].fill(0.0);
            }
            for j in done..from {
                if !self.in_order {
                    self.set(i, j, S::zero());
                }
                self.set(j, i, S::zero());
            }
            done = to;
        }
    }
    /// Entry (i, j).
    #[inline(always)]
    pub fn one<S: Scalar>(&self, i: usize, j: usize) -> S {
        S::load(self.out, self.at(i, j))
    }
    /// Puts entry (i, j).
    #[inline(always)]
    pub fn set<S: Scalar>(&mut self, i: usize, j: usize, x: S) {
        let at = self.at(i, j);
        x.store(self.out, at);
    }
    /// Entries (i, j), (i, j + 1), … of a chunk, where chunks hold one number.
    #[inline(always)]
    pub fn read<S: Scalar>(&self, i: usize, j: usize) -> S::Chunk {
        S::Chunk::load(self.out, self.at(i, j))
    }
}

/// A symmetric matrix known by its lower part in node order to one in the order of velocities.
#[inline(always)]
pub(super) fn store_symmetric<S: Scalar>(tree: &Tree, from: &[S], to: &mut [f64]) {
    let n = tree.nodes.len();
    let ns = stride::<S>(n);
    if tree.branched {
        to[..n * n * S::LANES].fill(0.0);
    }
    for (i, node) in tree.nodes.iter().enumerate() {
        for &(first, end) in &node.runs {
            for j in first..end {
                let x = from[i * ns + j];
                x.store(to, node.v * n + tree.velocities[j]);
                x.store(to, tree.velocities[j] * n + node.v);
            }
        }
    }
}
