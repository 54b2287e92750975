//! Excursions of drivers: how far a prescribed motion may stray, within a step, from the straight line between the step's ends.
//!
//! A follower sees a driver where its steps end. A pulse out and back in between would pass unseen, and with it turns, dead centres
//! and positions that cannot be reached. So each driver is enclosed over the step: |f − chord| ≤ max|f″| h²/8, or the width of what
//! f may be, whichever is less. A motion law rises from end to end and strays nowhere.

use super::driver_fault::jump;
use super::stepper::LARGEST_STEP;
use crate::drivers::{Attitude, Driver, Target};
use crate::expr::Enclosed;
use crate::math::{Interval, Series};
use crate::model::Model;
use crate::motion::Motion;

/// The longest step up to `h` from `t` in which no driver strays by more than `most` (radians, or sizes of the mechanism), but no
/// shorter than `least`.
fn step_without(model: &Model, size: f64, t: f64, h: f64, (most, least): (f64, f64)) -> f64 {
    let mut h = h;
    each_driver(model, size, |motion, unit| {
        while h > least && stray(motion, t, h) > most * unit {
            h *= 0.5;
        }
    });
    h
}

/// A stretch of time in which no step up to some length strays.
#[derive(Debug, Default)]
pub(super) struct Calm {
    from: f64,
    to: f64,
    longest: f64,
}

impl Calm {
    /// The longest step up to `h` from `t` in which no driver strays by more than `most` (radians, or sizes of the mechanism), but no shorter
    /// than `least`: (most, least). Drivers are enclosed over many steps at once, and step by step where that is too wide.
    pub(super) fn step(&mut self, model: &Model, size: f64, t: f64, h: f64, bounds: (f64, f64)) -> f64 {
        /// Steps looked at together.
        const TOGETHER: f64 = 64.0;
        if h > 0.0 && self.from <= t && t + h <= self.to && h <= self.longest {
            return h;
        }
        let stretch = TOGETHER * h;
        let mut calm = h > 0.0;
        each_driver(model, size, |motion, unit| calm = calm && bow(motion, t, stretch, h) <= bounds.0 * unit);
        if calm {
            *self = Calm { from: t, to: t + stretch, longest: h };
            return h;
        }
        step_without(model, size, t, h, bounds)
    }
}

/// Whether steps that end at these times, in ascending order, show each driver's way: none strays or jumps in between.
pub(in crate::solve) fn is_even(model: &Model, size: f64, times: &[f64]) -> bool {
    let mut calm = Calm::default();
    times.windows(2).all(|pair| {
        let (t, h) = (pair[0], pair[1] - pair[0]);
        let jumps = || model.drivers.iter().any(|d| jump(d, t, pair[1]).is_some());
        calm.step(model, size, t, h, (LARGEST_STEP, 0.0)) == h && !jumps()
    })
}

/// Each law of a driver, with the unit that its excursions are measured by.
fn each_driver(model: &Model, size: f64, mut keep: impl FnMut(&Motion, f64)) {
    for Driver { target, .. } in model.drivers.iter() {
        match target {
            Target::Coordinate { of, value } => {
                let angle = model.joints[of.joint].kind.coordinates().get(of.coordinate).is_none_or(|c| c.angle);
                keep(value, if angle { 1.0 } else { size });
            }
            Target::Rotor { value, .. } => keep(value, 1.0),
            Target::Point { value, .. } => keep(value, size),
            Target::Measure { value, length, .. } => keep(value, if *length { size } else { 1.0 }),
            Target::Orientation { attitude: Attitude::Rpy(parts), .. } => parts.iter().for_each(|m| keep(m, 1.0)),
            // Euler parameters are scaled to unit length; half of a turn is a change by one.
            Target::Orientation { attitude: Attitude::Euler(parts), .. } => parts.iter().for_each(|m| keep(m, 0.5)),
        }
    }
}

/// Largest distance from the chord in any step of length `h` within a stretch, or more.
fn bow(motion: &Motion, t: f64, stretch: f64, h: f64) -> f64 {
    match motion {
        Motion::Expression(value) => {
            let series = Series::<3>::line(Interval::between(t, t + stretch), h);
            let time = Enclosed { middle: t + 0.5 * stretch, series, settled: false };
            let [_, _, bend] = value.enclosed(&[time]).0;
            let off = 0.25 * bend.magnitude();
            if off.is_finite() {
                off
            } else {
                f64::INFINITY
            }
        }
        // Knots are looked at step by step.
        Motion::Table(_) => f64::INFINITY,
        Motion::Constant(_) | Motion::Law(_) | Motion::Segments(_) => 0.0,
    }
}

/// Largest distance from the chord over a step, or more.
fn stray(motion: &Motion, t: f64, h: f64) -> f64 {
    match motion {
        Motion::Constant(_) | Motion::Law(_) | Motion::Segments(_) => 0.0,
        Motion::Table(spline) => {
            let (a, b) = (motion.jet(t).v, motion.jet(t + h).v);
            let knots = spline.kinks_after(t).take_while(|(knot, _)| *knot < t + h);
            let off = knots.map(|(knot, _)| (motion.jet(knot).v - a - (b - a) * (knot - t) / h).abs());
            off.fold(0.0, f64::max)
        }
        Motion::Expression(value) => {
            let series = Series::<3>::line(Interval::between(t, t + h), h);
            let time = Enclosed { middle: t + 0.5 * h, series, settled: false };
            let [value, _, bend] = value.enclosed(&[time]).0;
            let off = (0.25 * bend.magnitude()).min(value.high - value.low);
            // Where no bound can be given, the follower's own checks are left.
            if off.is_finite() {
                off
            } else {
                0.0
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{Expression, Name};
    use crate::motion::Spline;

    #[test]
    fn pulses_stray_and_steady_turning_does_not() {
        let of = |text: &str| Motion::Expression(Expression::parse(text, &[("t", Name::Variable(0))]).unwrap());
        assert_eq!(stray(&of("3 + 1000*t"), 2.0, 5.0), 0.0);
        // A bow of ½ a h²/4.
        assert!((stray(&of("0.5*t^2"), 0.0, 2.0) - 0.5).abs() < 1e-12);
        assert!(stray(&of("exp(-((t - 3)/0.01)^2)"), 2.0, 2.0) >= 1.0);
        assert!(stray(&of("exp(-((t - 3)/0.01)^2)"), 0.0, 2.0) < 1e-300);
        assert!(stray(&of("if(abs(t - 3) < 0.1, 2, 0)"), 2.0, 2.0) >= 2.0);
        let table = Motion::Table(Spline::new(&[0.0, 1.0, 2.0, 3.0, 4.0], &[0.0, 0.0, 2.0, 0.0, 0.0]).unwrap());
        // Not-a-knot: up to the middle x (x − 1) (4 − 1.5 x), which is −0.8125 at 0.5; the rest is its mirror image.
        assert!((stray(&table, 0.5, 3.0) - 2.8125).abs() < 1e-12);
    }
}
