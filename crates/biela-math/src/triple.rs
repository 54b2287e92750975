//! Vectors of space over [`Number`]: one, or several side by side.

use super::Number;

/// A vector's components.
pub type Triple<N> = [N; 3];

/// a + b.
#[inline(always)]
pub fn sum<N: Number>(a: Triple<N>, b: Triple<N>) -> Triple<N> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// a − b.
#[inline(always)]
pub fn less<N: Number>(a: Triple<N>, b: Triple<N>) -> Triple<N> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// a x.
#[inline(always)]
pub fn times<N: Number>(a: Triple<N>, x: N) -> Triple<N> {
    [a[0] * x, a[1] * x, a[2] * x]
}

/// a · b.
#[inline(always)]
pub fn dot<N: Number>(a: Triple<N>, b: Triple<N>) -> N {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a × b.
#[inline(always)]
pub fn cross<N: Number>(a: Triple<N>, b: Triple<N>) -> Triple<N> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// What the rotation vector after a time `h` is beyond the integral of the angular velocity, to the fifth order (Magnus), from angular velocity in the
/// moving frame and its first three derivatives.
#[inline(always)]
pub fn bent<N: Number>(h: f64, [w, a, j, s]: [Triple<N>; 4]) -> Triple<N> {
    let by = |v: Triple<N>, x: f64| times(v, N::splat(x));
    let (wa, wj) = (cross(w, a), cross(w, j));
    let fifth = sum(
        less(sum(by(cross(w, s), 1.0 / 16.0), by(cross(a, j), 1.0 / 24.0)), by(cross(a, wa), 1.0 / 48.0)),
        by(cross(w, sum(wj, cross(wa, w))), 1.0 / 144.0),
    );
    by(sum(by(wa, 1.0 / 12.0), by(sum(by(wj, 1.0 / 24.0), by(fifth, 0.2 * h)), h)), h * h * h)
}
