//! Measures of a tube with a rod that goes into it.

use super::Animation;
use biela_math::Vec3;

/// Radius of a tube and of a rod, in half widths of a link.
pub(super) const TUBE: f64 = 1.15;
pub(super) const ROD: f64 = 0.55;

/// Least and greatest distance of two points over a motion.
pub(super) fn reach(motion: &Animation, ends: [(usize, Vec3); 2]) -> (f64, f64) {
    let distances = motion.some(200).map(|k| {
        let [a, b] = ends.map(|(body, p)| motion.pose(body, k).apply(p));
        (b - a).norm()
    });
    distances.fold((f64::INFINITY, 0.0), |(a, b), d| (a.min(d), b.max(d)))
}

/// Lengths of tube and rod for ends between so far apart: the tube has room for the rod, which does not leave it.
pub(super) fn lengths((least, most): (f64, f64)) -> [f64; 2] {
    if most - least < 1e-6 * most {
        // At rest: as if it had a third of its stroke in it.
        return [0.62 * most, 0.62 * most];
    }
    let tube = (0.88 * least).max(0.55 * most);
    [tube, (most - 0.8 * tube).max(0.9 * least.min(most - 0.1 * tube))]
}
