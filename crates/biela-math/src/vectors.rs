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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_lengths_and_largest_entries() {
        assert_eq!(dot(&[1.0, -2.0, 3.0], &[4.0, 5.0, 6.0]), 12.0);
        assert_eq!(norm(&[3.0, 0.0, -4.0]), 5.0);
        assert_eq!(max_abs(&[1.0, -7.0, f64::NAN, 2.0]), 7.0);
        assert_eq!((dot(&[], &[]), max_abs(&[])), (0.0, 0.0));
    }

    #[test]
    fn bases_are_orthonormal_and_drop_what_depends() {
        let mut vectors = vec![vec![2.0, 0.0, 0.0], vec![5.0, 0.0, 0.0], vec![1.0, 3.0, 4.0], vec![9.0, -3.0, -4.0]];
        orthonormalise(&mut vectors);
        assert_eq!(vectors, [[1.0, 0.0, 0.0], [0.0, 0.6, 0.8]]);
        let mut v = vec![1.0, 3.0, -1.0];
        take_out(&vectors, &mut v);
        assert!(vectors.iter().all(|b| dot(b, &v).abs() < 1e-15) && (norm(&v) - 3.0).abs() < 1e-15, "{v:?}");
    }
}
