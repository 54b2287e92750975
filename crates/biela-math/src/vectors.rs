//! Lists of numbers as vectors: products, lengths, largest entries, orthonormal bases.

/// Scalar product.
#[inline]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Length.
#[inline]
pub fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// Largest magnitude of an entry; what is not a number does not count.
#[inline]
pub fn max_abs(a: &[f64]) -> f64 {
    a.iter().fold(0.0, |most, x| most.max(x.abs()))
}

/// Takes what lies along orthonormal vectors out of `v`.
#[inline]
pub fn take_out(basis: &[Vec<f64>], v: &mut [f64]) {
    for b in basis {
        let along = dot(b, v);
        v.iter_mut().zip(b).for_each(|(x, b)| *x -= along * b);
    }
}

/// Makes vectors perpendicular to each other and of unit length; those that depend on the ones before are dropped.
#[inline]
pub fn orthonormalise(vectors: &mut Vec<Vec<f64>>) {
    let mut done: Vec<Vec<f64>> = Vec::with_capacity(vectors.len());
    for mut v in vectors.drain(..) {
        let before = norm(&v);
        // Twice, since one pass of Gram and Schmidt leaves rounding that a second removes.
        take_out(&done, &mut v);
        take_out(&done, &mut v);
        let left = norm(&v);
        if left > 1e-10 * before {
            v.iter_mut().for_each(|x| *x /= left);
            done.push(v);
        }
    }
    *vectors = done;
}
