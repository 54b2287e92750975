//! Velocities of the last three states, even steps apart, carried on: the polynomial of fifth degree through velocities and accelerations.
//! Over a thousandth of a turn it is right to rounding, and enlarges no rounding: displacements, which are small differences of large
//! coordinates, do not enter.

use crate::math::Number;

/// Steps whose lengths differ by less, relatively, are even: times of samples are rounded.
const EVEN: f64 = 1e-9;

/// A prediction by three states is taken where it differs from that by two by no more than this, lengths in sizes: where rates change faster, as near
/// singular positions, a polynomial of a higher degree runs away farther.
const AGREED: f64 = 1e-8;

/// v and h v̇ now, a step before and two steps before.
pub(in crate::solve) type Known<N> = [[N; 2]; 3];

/// Whether a step before was as long as this one.
pub(in crate::solve) fn is_even(h: f64, before: Option<f64>) -> bool {
    before.is_some_and(|before| (before / h - 1.0).abs() <= EVEN)
}

/// Whether predictions by three states and by two agree, where `scale` turns a scaled displacement into one like these.
#[inline(always)]
pub(in crate::solve) fn agree(three: f64, two: f64, scale: f64) -> bool {
    (three - two).abs() <= AGREED * scale
}

/// ∫v over the next step, in steps.
#[inline(always)]
pub(in crate::solve) fn displacement<N: Number>(known: &Known<N>) -> N {
    weighed(known, [[-949.0 / 240.0, 637.0 / 240.0], [38.0 / 15.0, 4.5], [581.0 / 240.0, 173.0 / 240.0]])
}

/// h² v̈ and h³ v⃛ now.
#[inline(always)]
pub(in crate::solve) fn further<N: Number>(known: &Known<N>) -> [N; 2] {
    [weighed(known, [[-11.5, 6.0], [8.0, 8.0], [3.5, 1.0]]), weighed(known, [[-49.5, 19.5], [24.0, 48.0], [25.5, 7.5]])]
}

#[inline(always)]
fn weighed<N: Number>(known: &Known<N>, weights: Known<f64>) -> N {
    let at = |k: usize| N::splat(weights[k][0]) * known[k][0] + N::splat(weights[k][1]) * known[k][1];
    at(0) + at(1) + at(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums of six products of numbers up to a thousand.
    const ROUNDING: f64 = 1e-12;

    #[test]
    fn polynomials_of_fifth_degree_go_on_exactly() {
        for degree in 0..6 {
            let power = |t: f64, k: i32| if k < 0 { 0.0 } else { t.powi(k) };
            let n = f64::from(degree);
            let known = [0.0, -1.0, -2.0].map(|t| [power(t, degree), n * power(t, degree - 1)]);
            let second = if degree == 2 { 2.0 } else { 0.0 };
            let third = if degree == 3 { 6.0 } else { 0.0 };
            assert!((displacement(&known) - 1.0 / (n + 1.0)).abs() < ROUNDING, "{degree}");
            let found = further(&known);
            assert!((found[0] - second).abs() + (found[1] - third).abs() < ROUNDING, "{degree}: {found:?}");
        }
    }
}
