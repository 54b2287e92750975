//! N numbers of each node, laid out for loops over nodes: one array per component where several nodes stand side by side in a
//! register, node by node where every number is wide already.

#![allow(clippy::manual_memcpy)] // A few registers' worth of numbers: written out they stay in registers.

use super::scalar::Scalar;

/// N numbers of each node.
#[derive(Debug)]
pub(super) struct Columns<S, const N: usize> {
    data: Vec<S>,
    stride: usize,
}

impl<S: Scalar, const N: usize> Columns<S, N> {
    pub fn new(n: usize) -> Columns<S, N> {
        // Loops run over whole chunks.
        let stride = n + S::CHUNK;
        Columns { data: vec![S::zero(); N * stride], stride }
    }
    /// To look at nodes in a loop.
    #[inline(always)]
    pub fn view(&self) -> View<'_, S, N> {
        let mut parts = [&self.data[..]; N];
        if S::CHUNK > 1 {
            for c in 0..N {
                parts[c] = &self.data[c * self.stride..][..self.stride];
            }
        }
        View { parts }
    }
    /// To change nodes in a loop.
    #[inline(always)]
    pub fn open(&mut self) -> Open<'_, S, N> {
        let mut parts: [&mut [S]; N] = [(); N].map(|()| Default::default());
        let mut rest = &mut self.data[..];
        if S::CHUNK == 1 {
            parts[0] = rest;
        } else {
            for c in 0..N {
                (parts[c], rest) = std::mem::take(&mut rest).split_at_mut(self.stride);
            }
        }
        Open { parts }
    }
    /// Numbers of node `i`.
    #[inline(always)]
    pub fn numbers(&self, i: usize) -> [S; N] {
        self.view().numbers(i)
    }
    /// Puts the numbers of node `i`.
    #[inline(always)]
    pub fn put(&mut self, i: usize, x: [S; N]) {
        if S::CHUNK == 1 {
            self.data[i * N..i * N + N].copy_from_slice(&x);
        } else {
            for c in 0..N {
                self.data[c * self.stride + i] = x[c];
            }
        }
    }
    /// Numbers of nodes `i`, `i + 1`, …
    #[inline(always)]
    pub fn chunk(&self, i: usize) -> [S::Chunk; N] {
        self.view().chunk(i)
    }
}

/// Columns that do not change in a loop: their places in memory stay at hand.
#[derive(Clone, Copy)]
pub(super) struct View<'c, S, const N: usize> {
    parts: [&'c [S]; N],
}

impl<S: Scalar, const N: usize> View<'_, S, N> {
    /// Numbers of node `i`.
    #[inline(always)]
    pub fn numbers(&self, i: usize) -> [S; N] {
        let mut out = [S::zero(); N];
        if S::CHUNK == 1 {
            let node = &self.parts[0][i * N..i * N + N];
            for c in 0..N {
                out[c] = node[c];
            }
        } else {
            for c in 0..N {
                out[c] = self.parts[c][i];
            }
        }
        out
    }
    /// Numbers of nodes `i`, `i + 1`, …
    #[inline(always)]
    pub fn chunk(&self, i: usize) -> [S::Chunk; N] {
        let mut out = [S::Chunk::zero(); N];
        if S::CHUNK == 1 {
            let node = &self.parts[0][i * N..i * N + N];
            for c in 0..N {
                out[c] = S::chunk(node, c);
            }
        } else {
            for c in 0..N {
                out[c] = S::chunk(self.parts[c], i);
            }
        }
        out
    }
}

/// Columns that change in a loop, likewise.
pub(super) struct Open<'c, S, const N: usize> {
    parts: [&'c mut [S]; N],
}

impl<S: Scalar, const N: usize> Open<'_, S, N> {
    /// As they are now.
    #[inline(always)]
    pub fn view(&self) -> View<'_, S, N> {
        let mut parts: [&[S]; N] = [&[]; N];
        for c in 0..N {
            parts[c] = &*self.parts[c];
        }
        View { parts }
    }
    /// Puts the numbers of node `i`.
    #[inline(always)]
    pub fn put(&mut self, i: usize, x: [S; N]) {
        if S::CHUNK == 1 {
            let node = &mut self.parts[0][i * N..i * N + N];
            for c in 0..N {
                node[c] = x[c];
            }
        } else {
            for c in 0..N {
                self.parts[c][i] = x[c];
            }
        }
    }
    /// Puts the numbers of nodes `i`, `i + 1`, …
    #[inline(always)]
    pub fn put_chunk(&mut self, i: usize, x: [S::Chunk; N]) {
        if S::CHUNK == 1 {
            let node = &mut self.parts[0][i * N..i * N + N];
            for c in 0..N {
                S::put(x[c], node, c);
            }
        } else {
            for c in 0..N {
                S::put(x[c], self.parts[c], i);
            }
        }
    }
}
