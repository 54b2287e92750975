//! The room that points take.

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
