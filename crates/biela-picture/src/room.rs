//! The room that points take, and cells of it.

use biela_math::Vec3;

/// Least and greatest corner of the box around points.
pub(super) fn around(points: impl Iterator<Item = Vec3>) -> [Vec3; 2] {
    let mut bounds: Option<[Vec3; 2]> = None;
    for p in points.filter(|p| p.is_finite()) {
        let [least, most] = bounds.unwrap_or([p, p]);
        let each = |pick: fn(f64, f64) -> f64, a: Vec3| Vec3::new(pick(a.x, p.x), pick(a.y, p.y), pick(a.z, p.z));
        bounds = Some([each(f64::min, least), each(f64::max, most)]);
    }
    bounds.unwrap_or([Vec3::ZERO; 2])
}

/// A cell of a grid with the 26 that touch it; the outermost touch themselves.
pub(super) fn touching([x, y, z]: [i64; 3]) -> impl Iterator<Item = [i64; 3]> {
    let beside = |x: i64, k: i64| x.saturating_add(k % 3 - 1);
    (0..27).map(move |k| [beside(x, k), beside(y, k / 3), beside(z, k / 9)])
}
