//! Functions of time for drivers (and of an angle for cams): value with exact first and second derivatives.

pub mod laws;
pub mod segments;
pub mod spline;

pub use laws::{Law, LawType, LAWS};
pub use segments::Segments;
pub use spline::Spline;

use crate::expr::{Enclosed, Expression};
use crate::math::{Interval, Jet, Series};

/// A function of one variable, time mostly.
#[derive(Debug, Clone, PartialEq)]
pub enum Motion {
    /// Always the same value.
    Constant(f64),
    /// An expression whose slot 0 is the variable.
    Expression(Expression),
    /// A table, interpolated.
    Table(Spline),
    /// A rise between two dwells.
    Law(Law),
    /// Rises, returns and dwells over one turn.
    Segments(Segments),
}

impl Motion {
    /// Value and the first two derivatives at `t`; NaN outside of [`Motion::range`].
    pub fn jet(&self, t: f64) -> Jet {
        self.of(Jet::variable(t))
    }

    /// The same of an argument that moves itself, such as the angle of a cam.
    pub fn of(&self, x: Jet) -> Jet {
        match self {
            Motion::Constant(value) => Jet::constant(*value),
            Motion::Expression(expression) => expression.jet(&[x]),
            Motion::Table(spline) => spline.of(x),
            Motion::Law(law) => law.of(x),
            Motion::Segments(segments) => segments.of(x),
        }
    }

    /// Whether it is the same function, with the values of parameters that both have.
    pub fn is_same(&self, other: &Motion) -> bool {
        match (self, other) {
            (Motion::Expression(a), Motion::Expression(b)) => a.computes_as(b),
            _ => self == other,
        }
    }

    /// The same function less a constant.
    pub fn less(&self, constant: f64) -> Motion {
        match self {
            Motion::Constant(value) => Motion::Constant(value - constant),
            Motion::Expression(expression) => Motion::Expression(expression.less(constant)),
            Motion::Table(spline) => Motion::Table(spline.less(constant)),
            Motion::Law(law) => Motion::Law(Law { from: law.from - constant, to: law.to - constant, ..law.clone() }),
            Motion::Segments(segments) => Motion::Segments(segments.less(constant)),
        }
    }

    /// Time of a whole turn from `t` on, where the function is an angle that rises or falls steadily all the while.
    pub fn turn(&self, t: f64) -> Option<f64> {
        let Motion::Expression(value) = self else { return None };
        let rate = self.jet(t).d;
        let turn = std::f64::consts::TAU / rate.abs();
        if !(turn.is_finite() && turn > 0.0) {
            return None;
        }
        let series = Series::<3>::line(Interval::between(t, t + turn), turn);
        let [_, _, bend] = value.enclosed(&[Enclosed { middle: t + 0.5 * turn, series, settled: false }]).0;
        (bend.magnitude() == 0.0 && self.jet(t + turn).d == rate).then_some(turn)
    }

    /// First and last argument, where the function does not go on for ever.
    pub fn range(&self) -> Option<(f64, f64)> {
        match self {
            Motion::Table(spline) => Some(spline.range()),
            Motion::Segments(segments) => Some(segments.range()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Name;

    #[test]
    fn steady_turning_is_known_from_everything_else() {
        let of = |text: &str| Motion::Expression(Expression::parse(text, &[("t", Name::Variable(0))]).unwrap());
        let tau = std::f64::consts::TAU;
        assert_eq!(of("0.3 + 2*pi*t").turn(0.0), Some(1.0));
        assert_eq!(of("1 - 4*(t - 2)").turn(5.0), Some(tau / 4.0));
        for text in ["0.5", "t^2", "sin(t)", "if(t < 3, t, 3)", "abs(t - 1)", "t + 1e-9*sin(t)"] {
            assert_eq!(of(text).turn(0.0), None, "{text}");
        }
        assert_eq!(Motion::Constant(1.0).turn(0.0), None);
    }

    #[test]
    fn every_kind_answers() {
        let text = "3 + 2*t^2";
        let expression = Expression::parse(text, &[("t", Name::Variable(0))]).unwrap();
        assert_eq!(Motion::Constant(4.0).jet(1.0), Jet::constant(4.0));
        assert_eq!(Motion::Expression(expression).jet(2.0), Jet::new(11.0, 8.0, 4.0));
        let line = Motion::Table(Spline::new(&[0.0, 2.0], &[1.0, 5.0]).unwrap());
        assert_eq!(line.jet(1.0), Jet::new(3.0, 2.0, 0.0));
        assert_eq!(line.range(), Some((0.0, 2.0)));
        let rise = Motion::Law(Law::new(&laws::LAWS[0], 1.0, 3.0, 0.5, 2.0).unwrap());
        let text = Motion::Expression(Expression::parse("3 + 2*t^2", &[("t", Name::Variable(0))]).unwrap());
        for motion in [Motion::Constant(4.0), text, line.clone(), rise] {
            for t in [0.0, 0.7, 1.9] {
                let (whole, less) = (motion.jet(t), motion.less(2.5).jet(t));
                assert!(
                    (whole.v - less.v - 2.5).abs() < 1e-14 && (whole.d, whole.dd) == (less.d, less.dd),
                    "{motion:?}"
                );
            }
        }
        // The chain rule: 1 + 2 x with x = 0.5 + 3 t + t²/2 and so on.
        assert_eq!(line.of(Jet::new(0.5, 3.0, 1.0)), Jet::new(2.0, 6.0, 2.0));
    }
}
