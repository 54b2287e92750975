//! Laws of drivers from numbers, and studies of parts of a motion.

use crate::ports;
use biela::drivers::Driver;
use biela::expr::{Expression, Name};
use biela::joints::Stop;
use biela::math::Jet;
use biela::model::{Analysis, Model, Study};
use biela::motion::Motion;
use biela::units::Kind;
use std::sync::Arc;

/// A study of a motion of which nothing is read.
pub(crate) fn quiet(study: &mut Study, (start, end): (f64, f64)) {
    study.analysis = Analysis::Kinematics;
    study.silent = true;
    study.filled = Some(Arc::from([true]));
    study.every = false;
    study.derived = Arc::from([]);
    (study.start, study.end, study.steps) = (start, end, 1);
}

/// The value of a driver's law.
pub(crate) fn value(driver: &Driver, t: f64) -> f64 {
    ports::law(&driver.target).map_or(0.0, |law| law.jet(t).v)
}

/// The parabola with these derivatives at a time.
pub(crate) fn law_of(jet: Jet, t: f64) -> Motion {
    if jet.d == 0.0 && jet.dd == 0.0 {
        return Motion::Constant(jet.v);
    }
    let number = |x: f64| Name::Constant(x, Kind::Pure);
    let names = [
        ("t", Name::Variable(0)),
        ("u0", number(jet.v)),
        ("u1", number(jet.d)),
        ("u2", number(0.5 * jet.dd)),
        ("t0", number(t)),
    ];
    match Expression::parse("u0 + (u1 + u2*(t - t0))*(t - t0)", &names) {
        Ok(law) => Motion::Expression(law),
        Err(_) => Motion::Constant(jet.v),
    }
}

/// Slope and bend of the curve through the last points, at the last.
pub(crate) fn rates(past: &[(f64, f64)]) -> Option<(f64, f64)> {
    let slope = |a: (f64, f64), b: (f64, f64)| (b.1 - a.1) / (b.0 - a.0);
    match *past {
        [a, b] => Some((slope(a, b), 0.0)),
        [a, b, c] => {
            let bend = (slope(b, c) - slope(a, b)) / (c.0 - a.0);
            Some((slope(b, c) + bend * (c.0 - b.0), 2.0 * bend))
        }
        _ => None,
    }
}

/// The same without hard stops: solvers try positions beyond, before they know when a stop is struck.
pub(crate) fn unstopped(mut case: Model) -> Model {
    if case.has_stops() {
        case.change_mechanism(|mechanism| mechanism.joints.iter_mut().for_each(|joint| joint.limits.stop = Stop::None));
    }
    case
}
