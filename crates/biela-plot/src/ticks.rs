//! Axes: range, ticks at round numbers or fractions of pi, and a common power of ten.

use std::f64::consts::PI;

/// Values beyond this are drawn as gaps: differences of them would overflow.
pub(super) const LARGEST: f64 = 1e300;
/// Ranges below this are drawn as if they were zero: their powers of ten are no longer exact.
const SMALLEST: f64 = 1e-290;

/// An axis ready to be drawn.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Axis {
    pub lo: f64,
    pub hi: f64,
    pub ticks: Vec<Tick>,
    /// `×10⁻⁶`, where the texts of the ticks are to be read with such a factor.
    pub factor: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    pub at: f64,
    pub text: String,
}

impl Axis {
    /// Place of a value along the axis: 0 at its lower end, 1 at the upper.
    pub(super) fn place(&self, value: f64) -> f64 {
        (value - self.lo) / (self.hi - self.lo)
    }
}

/// Whether a value can be drawn.
pub(super) fn drawable(value: f64) -> bool {
    value.abs() < LARGEST
}

/// Range that shows values from `lo` to `hi` with a margin of the given part of their span. What is constant but for
/// rounding gets a range about it in which it reads as a flat line; no values at all, the range 0 to 1.
pub(super) fn range(values: impl Iterator<Item = f64>, margin: f64) -> (f64, f64) {
    /// Relative span below which variation is rounding.
    const FLAT: f64 = 1e-12;
    let none = (f64::INFINITY, f64::NEG_INFINITY);
    let (lo, hi) = values.filter(|value| drawable(*value)).fold(none, |(lo, hi), value| (value.min(lo), value.max(hi)));
    if lo > hi {
        return (0.0, 1.0);
    }
    let size = lo.abs().max(hi.abs());
    if size < SMALLEST {
        return (-1.0, 1.0);
    }
    if hi - lo <= FLAT * size {
        return (lo - 0.1 * size, hi + 0.1 * size);
    }
    let margin = margin * (hi - lo);
    (lo - margin, hi + margin)
}

/// What besides round numbers an axis may have its ticks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ticks {
    Round,
    /// Fractions of pi.
    Radians,
    /// Parts of a right angle.
    Degrees,
}

/// An axis over a range with at most about `most` steps.
pub(super) fn axis((lo, hi): (f64, f64), most: usize, ticks: Ticks) -> Axis {
    let most = most.max(2) as f64;
    if ticks == Ticks::Radians {
        if let Some(ticks) = fractions_of_pi(lo, hi, most) {
            return Axis { lo, hi, ticks, factor: None };
        }
    }
    let least = (hi - lo) / most;
    let right = [15.0, 30.0, 45.0, 90.0, 180.0, 360.0].into_iter().find(|step| *step >= least);
    let step = match right {
        Some(step) if ticks == Ticks::Degrees && least > 10.0 => step,
        _ => round_step(least),
    };
    let power = common_power(lo.abs().max(hi.abs()));
    let scale = 10f64.powi(power);
    let decimals = (-(step / scale * (1.0 + 1e-9)).log10().floor()).clamp(0.0, 15.0) as usize;
    let tick = |k: f64| {
        let text = format!("{:.decimals$}", k * step / scale);
        // A zero has no sign, however it was rounded.
        let text = if text.trim_start_matches('-').bytes().all(|b| matches!(b, b'0' | b'.')) {
            text.trim_start_matches('-').to_owned()
        } else {
            text
        };
        Tick { at: k * step, text: text.replace('-', "\u{2212}") }
    };
    Axis {
        lo,
        hi,
        ticks: multiples(lo, hi, step).map(tick).collect(),
        factor: (power != 0).then(|| format!("\u{d7}10{}", superscript(power))),
    }
}

/// The whole numbers k for which k·step lies in the range.
fn multiples(lo: f64, hi: f64, step: f64) -> impl Iterator<Item = f64> {
    /// Part of a step by which a tick may miss the end of the range through rounding.
    const SLIP: f64 = 1e-6;
    const MOST: usize = 100;
    let first = (lo / step - SLIP).ceil();
    let last = (hi / step + SLIP).floor();
    (0..MOST).map(move |k| first + k as f64).take_while(move |k| *k <= last)
}

/// The least of 1, 2, 5 times a power of ten that is not below `least`.
fn round_step(least: f64) -> f64 {
    let power = least.log10().floor();
    let base = 10f64.powf(power);
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * base >= least * (1.0 - 1e-9)).unwrap_or(10.0);
    // Through the decimal text, so that the step is the double nearest to its decimal value.
    let (digit, power) = if factor == 10.0 { (1.0, power + 1.0) } else { (factor, power) };
    format!("{digit}e{power}").parse().unwrap_or(factor * base)
}

/// Power of ten, a multiple of three, taken out of numbers of this size; 0 where they read well as they are.
fn common_power(size: f64) -> i32 {
    let power = size.log10().floor() as i32;
    if (-3..5).contains(&power) {
        0
    } else {
        3 * power.div_euclid(3)
    }
}

fn superscript(power: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digit = |c: char| c.to_digit(10).map_or('⁻', |d| DIGITS[d as usize]);
    power.to_string().chars().map(digit).collect()
}

/// Ticks at multiples of pi/4, pi/2, pi, …; none where the range is too small or too large for them.
fn fractions_of_pi(lo: f64, hi: f64, most: f64) -> Option<Vec<Tick>> {
    const QUARTER: f64 = PI / 4.0;
    const STEPS: [f64; 8] = [1.0, 2.0, 4.0, 8.0, 16.0, 40.0, 80.0, 200.0];
    /// Ranges below this show too few such ticks.
    const LEAST: f64 = 0.75 * PI;
    if hi - lo < LEAST {
        return None;
    }
    let quarters = STEPS.into_iter().find(|step| (hi - lo) / (step * QUARTER) <= most * 1.05)?;
    let step = quarters * QUARTER;
    let tick = |k: f64| Tick { at: k * step, text: of_pi((k * quarters) as i64) };
    let ticks: Vec<Tick> = multiples(lo, hi, step).map(tick).collect();
    (ticks.len() >= 2).then_some(ticks)
}

/// So many quarters of pi, as text.
fn of_pi(quarters: i64) -> String {
    let (mut over, mut under) = (quarters.unsigned_abs(), 4);
    while under > 1 && over % 2 == 0 {
        over /= 2;
        under /= 2;
    }
    let sign = if quarters < 0 { "\u{2212}" } else { "" };
    match (over, under) {
        (0, _) => "0".into(),
        (1, 1) => format!("{sign}π"),
        (_, 1) => format!("{sign}{over}π"),
        (1, _) => format!("{sign}π/{under}"),
        _ => format!("{sign}{over}π/{under}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(lo: f64, hi: f64, most: usize, in_rad: bool) -> String {
        let axis = axis((lo, hi), most, if in_rad { Ticks::Radians } else { Ticks::Round });
        let texts: Vec<_> = axis.ticks.iter().map(|tick| tick.text.as_str()).collect();
        texts.join(" ") + &axis.factor.map(|factor| format!(" | {factor}")).unwrap_or_default()
    }

    #[test]
    fn ticks_are_round_and_within() {
        assert_eq!(texts(0.0, 1.0, 5, false), "0.0 0.2 0.4 0.6 0.8 1.0");
        assert_eq!(texts(-0.3, 0.31, 6, false), "−0.2 0.0 0.2");
        assert_eq!(texts(-13.0, 57.0, 7, false), "−10 0 10 20 30 40 50");
        assert_eq!(texts(1000.0001, 1000.0002, 2, false), "1000.00010 1000.00015 1000.00020");
        assert_eq!(texts(0.0, 3.2e-6, 4, false), "0 1 2 3 | ×10⁻⁶");
        assert_eq!(texts(-2.5e7, 2.5e7, 5, false), "−20 −10 0 10 20 | ×10⁶");
    }

    #[test]
    fn angles_are_told_in_fractions_of_pi() {
        assert_eq!(texts(0.0, 2.0 * PI, 5, true), "0 π/2 π 3π/2 2π");
        assert_eq!(texts(-PI, PI, 8, true), "−π −3π/4 −π/2 −π/4 0 π/4 π/2 3π/4 π");
        assert_eq!(texts(0.0, 1.0, 5, true), "0.0 0.2 0.4 0.6 0.8 1.0");
        assert_eq!(texts(0.0, 1e6, 5, true), "0.0 0.2 0.4 0.6 0.8 1.0 | ×10⁶");
    }

    #[test]
    fn degrees_are_told_in_parts_of_a_right_angle() {
        let texts = |lo: f64, hi: f64| {
            let axis = axis((lo, hi), 6, Ticks::Degrees);
            axis.ticks.iter().map(|tick| tick.text.clone()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(texts(0.0, 360.0), "0 90 180 270 360");
        assert_eq!(texts(-3.0, 172.0), "0 30 60 90 120 150");
        assert_eq!(texts(0.0, 10.0), "0 2 4 6 8 10");
        assert_eq!(texts(0.0, 14400.0), "0 5000 10000");
    }

    #[test]
    fn every_range_gives_some_ticks_and_not_too_many() {
        for lo in [-1e299, -3.7, -1e-9, 0.0, 1e-280, 2.5, 1e12] {
            for span in [1e-289, 1e-12, 0.3, 7.0, 1e10, 1e299] {
                let (lo, hi) = range([lo, lo + span].into_iter(), 0.04);
                for ticks in [Ticks::Round, Ticks::Radians, Ticks::Degrees] {
                    let axis = axis((lo, hi), 6, ticks);
                    assert!((2..=8).contains(&axis.ticks.len()), "{lo} {hi} {axis:?}");
                    assert!(axis.ticks.iter().all(|tick| (-1e-6..1.000001).contains(&axis.place(tick.at))));
                    let mut texts: Vec<_> = axis.ticks.iter().map(|tick| &tick.text).collect();
                    texts.dedup();
                    assert_eq!(texts.len(), axis.ticks.len(), "{axis:?}");
                }
            }
        }
    }

    #[test]
    fn constant_and_missing_values_have_a_range() {
        assert_eq!(range([0.0, 0.0].into_iter(), 0.04), (-1.0, 1.0));
        assert_eq!(range([f64::NAN, f64::INFINITY].into_iter(), 0.04), (0.0, 1.0));
        let (lo, hi) = range([3.5, 3.5 + 1e-15].into_iter(), 0.04);
        assert!(lo < 3.2 && hi > 3.8);
    }
}
