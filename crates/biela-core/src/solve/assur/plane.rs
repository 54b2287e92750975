//! Vectors, turns and frames of the plane over [`Number`]: one design, or several side by side.

#![allow(non_snake_case)] // p_B: a point in its body's frame (docs/notation.md).

use crate::math::Number;

/// A vector of the plane, or a turn as cosine and sine.
pub(super) type Pair<N> = [N; 2];

#[inline(always)]
pub(super) fn sum<N: Number>(a: Pair<N>, b: Pair<N>) -> Pair<N> {
    [a[0] + b[0], a[1] + b[1]]
}

#[inline(always)]
pub(super) fn less<N: Number>(a: Pair<N>, b: Pair<N>) -> Pair<N> {
    [a[0] - b[0], a[1] - b[1]]
}

#[inline(always)]
pub(super) fn times<N: Number>(a: Pair<N>, x: N) -> Pair<N> {
    [a[0] * x, a[1] * x]
}

#[inline(always)]
pub(super) fn dot<N: Number>(a: Pair<N>, b: Pair<N>) -> N {
    a[0] * b[0] + a[1] * b[1]
}

/// The third component of a × b.
#[inline(always)]
pub(super) fn cross<N: Number>(a: Pair<N>, b: Pair<N>) -> N {
    a[0] * b[1] - a[1] * b[0]
}

/// Turned by a quarter.
#[inline(always)]
pub(super) fn quarter<N: Number>(a: Pair<N>) -> Pair<N> {
    [-a[1], a[0]]
}

/// A vector turned, or one turn after another.
#[inline(always)]
pub(super) fn turned<N: Number>(r: Pair<N>, a: Pair<N>) -> Pair<N> {
    [r[0] * a[0] - r[1] * a[1], r[0] * a[1] + r[1] * a[0]]
}

/// The turn back.
#[inline(always)]
pub(super) fn back<N: Number>(r: Pair<N>) -> Pair<N> {
    [r[0], -r[1]]
}

/// A point with its velocity and acceleration.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moving<N> {
    pub p: Pair<N>,
    pub v: Pair<N>,
    pub a: Pair<N>,
}

/// A body's frame: origin, turn, and their rates.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame<N> {
    pub origin: Moving<N>,
    pub turn: Pair<N>,
    pub w: N,
    pub alpha: N,
}

impl<N: Number> Frame<N> {
    /// Where the ground's frame is.
    pub fn still(origin: [f64; 2], turn: [f64; 2]) -> Frame<N> {
        let zero = N::splat(0.0);
        let origin = Moving { p: origin.map(N::splat), v: [zero; 2], a: [zero; 2] };
        Frame { origin, turn: turn.map(N::splat), w: zero, alpha: zero }
    }

    /// A point at `s` from the origin, in ground axes.
    #[inline(always)]
    pub fn beside(&self, s: Pair<N>) -> Moving<N> {
        let Moving { p, v, a } = self.origin;
        let across = quarter(s);
        let drawn_in = times(s, self.w * self.w);
        Moving { p: sum(p, s), v: sum(v, times(across, self.w)), a: less(sum(a, times(across, self.alpha)), drawn_in) }
    }

    /// A point of the body.
    #[inline(always)]
    pub fn point(&self, p_B: Pair<N>) -> Moving<N> {
        self.beside(turned(self.turn, p_B))
    }

    /// Makes it the frame of this turn whose point `p_B` moves like that.
    #[inline(always)]
    pub fn pass_through(&mut self, at: &Moving<N>, p_B: Pair<N>, turn: Pair<N>, [w, alpha]: [N; 2]) {
        // Field by field: a frame of eight lanes is better not moved as a whole.
        let s = turned(turn, p_B);
        let across = quarter(s);
        self.origin.p = less(at.p, s);
        self.origin.v = less(at.v, times(across, w));
        self.origin.a = sum(less(at.a, times(across, alpha)), times(s, w * w));
        self.turn = turn;
        self.w = w;
        self.alpha = alpha;
    }
}
