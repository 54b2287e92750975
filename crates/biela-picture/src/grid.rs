//! A grid of round lengths behind or below a scene, in the units in which people read it.

use super::camera::Camera;
use super::shade::Shade;
use super::Scene;
use biela_base::display_units::Scale;
use biela_base::sorting::sort_by_key;
use biela_math::Vec3;

/// The least that two lines of the grid are apart, in parts of the page's width.
const APART: f64 = 1.0 / 16.0;
/// Lines at most, either way.
const MOST: i64 = 200;

/// A grid whose lines run through multiples of its step from the ground's origin.
pub(super) struct Grid {
    /// From line to line.
    pub step: f64,
    /// That length as people read it.
    pub label: String,
    /// Whether the grid lies in the plane of the page, so that the step can be measured anywhere on it.
    pub flat: bool,
    /// Ends of each line on the page, and whether it runs through the origin.
    pub lines: Vec<([Vec3; 2], bool)>,
}

impl Grid {
    pub fn new(scene: &Scene, camera: &Camera) -> Grid {
        let shade = Shade::new(scene);
        let [right, up, towards] = camera.axes();
        let facing = shade.normal.dot(towards).abs();
        let flat = !(0.1..=0.999).contains(&facing);
        // Seen edge-on a floor shows nothing: then the grid hangs behind the scene.
        let (x, y, normal, level) = match facing < 0.1 {
            true => (right, up, towards, 0.0),
            false => {
                let x = scene.right();
                (x, shade.normal.cross(x), shade.normal, shade.level)
            }
        };
        let scale = scene.units.scale("m");
        let (step, label) = round_length(APART * camera.width / camera.scale, &scale);
        let range = |axis: Vec3| {
            let places = scene.outermost.iter().map(|p| p.dot(axis));
            places.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)))
        };
        let ((left, far), (low, high)) = match flat {
            // The whole page.
            true => {
                let corner = |dx: f64, dy: f64| camera.point_at(dx * camera.width, dy * camera.height);
                let ends = |axis: Vec3| {
                    let places = [corner(0.0, 0.0), corner(1.0, 0.0), corner(0.0, 1.0), corner(1.0, 1.0)];
                    places
                        .iter()
                        .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), p| (a.min(p.dot(axis)), b.max(p.dot(axis))))
                };
                (ends(x), ends(y))
            }
            false => {
                let (a, b) = (range(x), range(y));
                let more = 0.12 * (a.1 - a.0).max(b.1 - b.0);
                ((a.0 - more, a.1 + more), (b.0 - more, b.1 + more))
            }
        };
        let at = |u: f64, v: f64| camera.see(x * u + y * v + normal * level);
        let numbers = |from: f64, to: f64| {
            let (a, b) = ((from / step).ceil(), (to / step).floor());
            let whole = a.abs() < 1e15 && b.abs() < 1e15;
            let (a, b) = if whole { (a as i64, b as i64) } else { (1, 0) };
            a..=b.min(a.saturating_add(MOST))
        };
        // Lines on a floor end where the outermost cross.
        let ends = |range: (f64, f64)| match flat {
            true => range,
            false => ((range.0 / step).ceil() * step, (range.1 / step).floor() * step),
        };
        let ((left_end, far_end), (low_end, high_end)) = (ends((left, far)), ends((low, high)));
        let mut lines = Vec::new();
        for k in numbers(left, far) {
            lines.push(([at(k as f64 * step, low_end), at(k as f64 * step, high_end)], k == 0));
        }
        for k in numbers(low, high) {
            lines.push(([at(left_end, k as f64 * step), at(far_end, k as f64 * step)], k == 0));
        }
        // Lines through the origin lie over the others.
        sort_by_key(&mut lines, |line| line.1);
        Grid { step, label, flat, lines }
    }
}

/// The least length of 1, 2 or 5 times a power of ten, in the unit shown, that is no less than this; and its name.
pub(super) fn round_length(least: f64, scale: &Scale) -> (f64, String) {
    let (number, text) = round_number(scale.shown(least));
    (scale.back(number), format!("{text} {}", scale.unit))
}

/// The least number of 1, 2 or 5 times a power of ten that is no less than this, and its digits.
pub(super) fn round_number(least: f64) -> (f64, String) {
    // Its first digit and its power are told by its decimal form.
    let text = format!("{:e}", if least.is_finite() && least > 0.0 { least } else { 1.0 });
    let (mantissa, power) = text.split_once('e').unwrap_or(("1", "0"));
    let (mantissa, power): (f64, i32) = (mantissa.parse().unwrap_or(1.0), power.parse().unwrap_or(0));
    let (digit, power) = match mantissa {
        m if m <= 1.0 => (1, power),
        m if m <= 2.0 => (2, power),
        m if m <= 5.0 => (5, power),
        _ => (1, power + 1),
    };
    let number: f64 = format!("{digit}e{power}").parse().unwrap_or(1.0);
    let shown = if (-4..6).contains(&power) { format!("{number}") } else { format!("{digit}e{power}") };
    (number, shown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use biela_base::display_units::DisplayUnits;

    #[test]
    fn steps_are_round_in_the_units_shown() {
        let mm = DisplayUnits::parse("mm", None).expect("a unit").scale("m");
        let inch = DisplayUnits::parse("in", None).expect("a unit").scale("m");
        for (least, scale, step, label) in [
            (0.013, &mm, 0.02, "20 mm"),
            (0.2, &mm, 0.2, "200 mm"),
            (0.03, &Scale::unchanged("m"), 0.05, "0.05 m"),
            (0.0761, &inch, 0.127, "5 in"),
            (6.0e7, &Scale::unchanged("m"), 1.0e8, "1e8 m"),
            (f64::NAN, &Scale::unchanged("m"), 1.0, "1 m"),
        ] {
            let (found, text) = round_length(least, scale);
            assert!((found - step).abs() < 1e-12 * step && text == label, "{least}: {found} {text}");
        }
    }
}
