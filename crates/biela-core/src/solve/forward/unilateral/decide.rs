//! Who stays closed: complementarity of gaps' accelerations and efforts.
//!
//! Of those that touch and neither approach nor part, g̈ = a + G N with N ≥ 0, g̈ ≥ 0 and N g̈ = 0. Without friction that is the minimum of
//! ½ NᵀGN + aᵀN over N ≥ 0, so accelerations are unique; efforts are not where constraints are redundant, and a basis of them bears.

use super::compliance::Compliance;
use super::held::Mode;
use crate::solve::forces::{independent, settle_box};

/// An acceleration below this fraction of the terms that it is the sum of is none.
const NOTHING: f64 = 1e-10;

/// Modes of constraints without friction; `a` are the accelerations of their gaps without efforts.
pub fn smooth(compliance: &Compliance, a: &[f64]) -> Vec<Mode> {
    let n = compliance.len();
    let bounds = vec![(0.0, f64::INFINITY); n];
    let mut efforts = vec![0.0; n];
    settle_box(&compliance.matrix, a, &bounds, &mut efforts);
    let bearing: Vec<usize> = (0..n).filter(|k| efforts[*k] > 0.0).collect();
    let basis = independent(&compliance.matrix, n, &bearing);
    let mode = |k: usize| {
        if basis.contains(&k) {
            return Mode::Closed;
        }
        let terms = (0..n).map(|j| compliance.at(k, j) * efforts[j]);
        let (sum, size) = terms.fold((a[k], a[k].abs()), |(sum, size), x| (sum + x, size + x.abs()));
        match sum <= NOTHING * size {
            true if size > a[k].abs() => Mode::Carried,
            true => Mode::Touches,
            false => Mode::Open,
        }
    };
    (0..n).map(mode).collect()
}
