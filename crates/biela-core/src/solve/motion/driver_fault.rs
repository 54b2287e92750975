//! What may be wrong with a driver: no finite value, or a jump.

use crate::drivers::{Driver, Target};
use crate::error::{Error, ErrorKind, Reason, Result};
use crate::motion::Motion;
use crate::results::significant;
use crate::system::System;

/// Refuses drivers without a finite value, rate and acceleration at time `t`.
pub fn check_drivers(system: &System, t: f64) -> Result<()> {
    match system.model.drivers.iter().find_map(|d| driver_fault(d, t, t)) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// The law of a driver, where it may jump. Euler parameters may change their sign without meaning another orientation.
pub fn law_of(driver: &Driver) -> Option<&Motion> {
    match &driver.target {
        Target::Coordinate { value, .. }
        | Target::Rotor { value, .. }
        | Target::Point { value, .. }
        | Target::Measure { value, .. } => Some(value),
        Target::Orientation { .. } => None,
    }
}

/// By how much a driver's value changes between `before` and `t` beyond what its rates explain. A continuous law that is
/// taken for a jump passes once the step is short enough.
pub(super) fn jump(driver: &Driver, before: f64, t: f64) -> Option<f64> {
    /// Simpson's rule on the rates is off by more than this fraction where a law jumps; at a kink it is off by a third of
    /// the change in rate at most.
    const FRACTION: f64 = 0.5;
    /// Roundings of the law's value.
    const ROUNDING: f64 = 1e-12;
    let law = law_of(driver)?;
    let (then, now) = (law.jet(before), law.jet(t));
    if t <= before || (now.v - then.v).abs() <= ROUNDING * then.v.abs().max(now.v.abs()) {
        return None;
    }
    let middle = law.jet(before + 0.5 * (t - before));
    let explained = (t - before) * (then.d + 4.0 * middle.d + now.d) / 6.0;
    let most = (t - before) * then.d.abs().max(middle.d.abs()).max(now.d.abs());
    let change = (now.v - then.v - explained).abs();
    (change > FRACTION * most + ROUNDING * then.v.abs().max(now.v.abs())).then_some(change)
}

/// A driver whose law has no finite value at `t`, or jumps between `before` and `t`.
pub(super) fn driver_fault(driver: &Driver, before: f64, t: f64) -> Option<Error> {
    let law = law_of(driver)?;
    let name = format!("driver '{}'", driver.name);
    let now = law.jet(t);
    if !(now.v.is_finite() && now.d.is_finite() && now.dd.is_finite()) {
        let mut error = ErrorKind::Drive
            .error(format!("has no finite value, rate and acceleration at t = {t:.9} s"))
            .because(Reason::NotFinite)
            .at_time(t);
        if let Some((low, high)) = law.range() {
            error = error.note(format!("its table covers t = {low} s to {high} s"));
        }
        return Some(error.of(name).at_opt(driver.span.as_ref()));
    }
    let change = jump(driver, before, t)?;
    let error = ErrorKind::Drive
        .error(format!("jumps by {} at t = {t:.9} s", significant(change, 4)))
        .because(Reason::Jump)
        .at_time(t)
        .of(name)
        .at_opt(driver.span.as_ref());
    Some(
        error.note(
            "a driven coordinate must move continuously; an angle that goes on turning is not brought back by 2*pi",
        ),
    )
}
