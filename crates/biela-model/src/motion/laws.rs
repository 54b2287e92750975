//! Motion laws: normalised rises s(τ) from 0 to 1 for τ in [0, 1], with s' and s''.
//!
//! All but the double harmonic are point-symmetric about (1/2, 1/2); a fall by that one is its rise backwards. The cam laws with sine, constant and cosine pieces of acceleration follow
//! R. L. Norton, Design of Machinery, chapter on cams (the "SCCA family").

use crate::error::{Error, Result};
use crate::math::Elementary;
use crate::math::Jet;
use std::f64::consts::PI;

/// A rise law: one line of the registry.
#[derive(Debug, Clone, Copy)]
pub struct LawType {
    /// As it is written in a model.
    pub keyword: &'static str,
    /// One line for the manual.
    pub help: &'static str,
    /// s, s' and s'' at τ in [0, 1].
    pub function: fn(f64) -> Jet,
    /// Where within (0, 1) the formula of s changes.
    pub knots: &'static [f64],
    /// Whether it is point-symmetric about (1/2, 1/2). Where it is not, a fall is the rise backwards.
    pub symmetric: bool,
}

impl PartialEq for LawType {
    fn eq(&self, o: &LawType) -> bool {
        self.keyword == o.keyword
    }
}

/// Every motion law.
pub const LAWS: &[LawType] = &[
    LawType { keyword: "linear", help: "constant velocity; jumps at both ends", function: linear, knots: &[], symmetric: true },
    LawType {
        keyword: "parabolic",
        help: "constant acceleration, then the same deceleration",
        function: parabolic,
        knots: &[0.5],
        symmetric: true,
    },
    LawType {
        keyword: "harmonic",
        help: "half a cosine; acceleration jumps at both ends",
        function: harmonic,
        knots: &[],
        symmetric: true,
    },
    LawType { keyword: "cycloidal", help: "one sine wave of acceleration; no jumps", function: cycloidal, knots: &[], symmetric: true },
    LawType {
        keyword: "poly345",
        help: "polynomial 10τ³ − 15τ⁴ + 6τ⁵; acceleration 0 at both ends",
        function: poly345,
        knots: &[],
        symmetric: true,
    },
    LawType {
        keyword: "poly4567",
        help: "polynomial 35τ⁴ − 84τ⁵ + 70τ⁶ − 20τ⁷; acceleration and jerk 0 at both ends",
        function: poly4567,
        knots: &[],
        symmetric: true,
    },
    LawType {
        keyword: "modified-trapezoid",
        help: "trapezoid of acceleration with sine flanks; low peak acceleration",
        function: modified_trapezoid,
        knots: &[0.125, 0.375, 0.625, 0.875],
        symmetric: true,
    },
    LawType {
        keyword: "modified-sine",
        help: "quick and slow sine of acceleration; low peak velocity",
        function: modified_sine,
        knots: &[0.125, 0.875],
        symmetric: true,
    },
    LawType {
        keyword: "scurve",
        help: "limited jerk: seven equal segments of jerk +, 0, −, 0 (cruise), −, 0, +",
        function: scurve,
        knots: &[1.0 / 7.0, 2.0 / 7.0, 3.0 / 7.0, 4.0 / 7.0, 5.0 / 7.0, 6.0 / 7.0],
        symmetric: true,
    },
    LawType {
        keyword: "sine-constant-cosine",
        help: "sine flanks, constant acceleration and cosine middle in equal shares",
        function: sine_constant_cosine,
        knots: &[1.0 / 6.0, 1.0 / 3.0, 2.0 / 3.0, 5.0 / 6.0],
        symmetric: true,
    },
    LawType {
        keyword: "double-harmonic",
        help: "cosine less a quarter of its second harmonic; slow at its low end, for a rise and return without a dwell on top",
        function: double_harmonic,
        knots: &[],
        symmetric: false,
    },
];

/// The law of this keyword.
pub fn law_type(keyword: &str) -> Result<&'static LawType> {
    LAWS.iter().find(|law| law.keyword == keyword).ok_or_else(|| {
        Error::new(format!("unknown motion law '{keyword}'")).suggest(keyword, LAWS.iter().map(|law| law.keyword))
    })
}

/// A rise from one value to another between two times, with dwells before and after.
#[derive(Debug, Clone, PartialEq)]
pub struct Law {
    /// Shape of the rise.
    pub kind: &'static LawType,
    /// Value up to `start`.
    pub from: f64,
    /// Value from `end` on.
    pub to: f64,
    /// When the rise begins.
    pub start: f64,
    /// When the rise ends.
    pub end: f64,
}

impl Law {
    /// A law; `end` must come after `start`.
    pub fn new(kind: &'static LawType, from: f64, to: f64, start: f64, end: f64) -> Result<Law> {
        if ![from, to, start, end].iter().all(|x| x.is_finite()) {
            return Err(Error::new(format!("law '{}': from, to, start and end must be finite", kind.keyword)));
        }
        if end <= start {
            return Err(Error::new(format!("law '{}': end {end} must come after start {start}", kind.keyword)));
        }
        Ok(Law { kind, from, to, start, end })
    }

    /// Value and the first two derivatives. At `start` and `end` themselves the derivatives are those of the rise.
    pub fn jet(&self, t: f64) -> Jet {
        if t < self.start {
            return Jet::constant(self.from);
        }
        if t > self.end {
            return Jet::constant(self.to);
        }
        let duration = self.end - self.start;
        let rise = self.to - self.from;
        let tau = (t - self.start) / duration;
        let s = match self.kind.symmetric || rise >= 0.0 {
            true => (self.kind.function)(tau),
            false => reflected((self.kind.function)(1.0 - tau)),
        };
        // The last value must be `to` to the last bit.
        let v = if t == self.end { self.to } else { self.from + rise * s.v };
        Jet::new(v, rise * s.d / duration, rise * s.dd / (duration * duration))
    }

    /// The same of an argument that moves itself.
    pub fn of(&self, x: Jet) -> Jet {
        let f = self.jet(x.v);
        x.chain(f.v, f.d, f.dd)
    }

    /// Arguments at which the formula changes: where the rise begins, its own knots, where it ends.
    pub fn changes(&self) -> impl Iterator<Item = f64> + '_ {
        let knots = self.kind.knots.iter().map(|k| self.start + k * (self.end - self.start));
        std::iter::once(self.start).chain(knots).chain(std::iter::once(self.end))
    }
}

/// Completes a first half by point symmetry.
fn symmetric(tau: f64, half: impl Fn(f64) -> Jet) -> Jet {
    if tau <= 0.5 {
        return half(tau);
    }
    reflected(half(1.0 - tau))
}

/// What s(1 − τ) is seen from (1, 1) backwards: 1 − s, with its derivatives to τ.
fn reflected(s: Jet) -> Jet {
    Jet::new(1.0 - s.v, s.d, -s.dd)
}

fn linear(tau: f64) -> Jet {
    Jet::new(tau, 1.0, 0.0)
}

fn parabolic(tau: f64) -> Jet {
    symmetric(tau, |x| Jet::new(2.0 * x * x, 4.0 * x, 4.0))
}

fn harmonic(tau: f64) -> Jet {
    let (sin, cos) = (PI * tau).sine_cosine();
    Jet::new(0.5 * (1.0 - cos), 0.5 * PI * sin, 0.5 * PI * PI * cos)
}

fn double_harmonic(tau: f64) -> Jet {
    let (sin, cos) = (PI * tau).sine_cosine();
    let (sin2, cos2) = (2.0 * PI * tau).sine_cosine();
    let v = 0.5 * ((1.0 - cos) - 0.25 * (1.0 - cos2));
    Jet::new(v, 0.5 * PI * (sin - 0.5 * sin2), 0.5 * PI * PI * (cos - cos2))
}

fn cycloidal(tau: f64) -> Jet {
    let w = 2.0 * PI;
    let (sin, cos) = (w * tau).sine_cosine();
    Jet::new(tau - sin / w, 1.0 - cos, w * sin)
}

fn poly345(tau: f64) -> Jet {
    symmetric(tau, |x| {
        let y = 1.0 - x;
        Jet::new(x * x * x * (10.0 + x * (6.0 * x - 15.0)), 30.0 * x * x * y * y, 60.0 * x * y * (1.0 - 2.0 * x))
    })
}

fn poly4567(tau: f64) -> Jet {
    symmetric(tau, |x| {
        let (x2, y) = (x * x, 1.0 - x);
        let v = x2 * x2 * (35.0 + x * (-84.0 + x * (70.0 - 20.0 * x)));
        Jet::new(v, 140.0 * x2 * x * y * y * y, 420.0 * x2 * y * y * (1.0 - 2.0 * x))
    })
}

fn modified_trapezoid(tau: f64) -> Jet {
    scca(tau, 0.25, 0.5)
}

fn modified_sine(tau: f64) -> Jet {
    scca(tau, 0.25, 0.0)
}

fn sine_constant_cosine(tau: f64) -> Jet {
    scca(tau, 1.0 / 3.0, 1.0 / 3.0)
}

/// Acceleration that rises as a quarter sine over `b`/2, stays constant over `c`/2, and falls to zero at τ = 1/2 as a quarter
/// cosine over d/2, with b + c + d = 1.
fn scca(tau: f64, b: f64, c: f64) -> Jet {
    // Three pieces, each started from where the one before ended; w are the circular frequencies.
    let (d, w_b) = (1.0 - b - c, PI / b);
    let w_d = PI / d;
    let sine = |u: f64| {
        let (sin, cos) = (w_b * u).sine_cosine();
        Jet::new((u - sin / w_b) / w_b, (1.0 - cos) / w_b, sin)
    };
    let constant = |s: Jet, u: f64| Jet::new(s.v + s.d * u + 0.5 * u * u, s.d + u, 1.0);
    let cosine = |s: Jet, u: f64| {
        let (sin, cos) = (w_d * u).sine_cosine();
        Jet::new(s.v + s.d * u + (1.0 - cos) / (w_d * w_d), s.d + sin / w_d, cos)
    };
    let at_b = if b > 0.0 { sine(0.5 * b) } else { Jet::constant(0.0) };
    let at_c = constant(at_b, 0.5 * c);
    let middle = if d > 0.0 { cosine(at_c, 0.5 * d) } else { at_c };
    let scale = Jet::constant(0.5 / middle.v);
    symmetric(tau, |x| {
        let piece = if x < 0.5 * b {
            sine(x)
        } else if x < 0.5 * (b + c) || d <= 0.0 {
            constant(at_b, x - 0.5 * b)
        } else {
            cosine(at_c, x - 0.5 * (b + c))
        };
        piece * scale
    })
}

/// Seven segments of 1/7 each. With jerk J: peak acceleration J/7, peak velocity 2 J/49, rise 8 J/343 = 1.
fn scurve(tau: f64) -> Jet {
    const J: f64 = 343.0 / 8.0;
    const H: f64 = 1.0 / 7.0;
    symmetric(tau, |x| {
        let advance = |s: Jet, jerk: f64, u: f64| {
            let v = s.v + u * (s.d + u * (s.dd / 2.0 + u * jerk / 6.0));
            Jet::new(v, s.d + u * (s.dd + u * jerk / 2.0), s.dd + u * jerk)
        };
        let mut s = Jet::constant(0.0);
        for (k, jerk) in [J, 0.0, -J].into_iter().enumerate() {
            let begin = k as f64 * H;
            if x <= begin + H {
                return advance(s, jerk, x - begin);
            }
            s = advance(s, jerk, H);
        }
        advance(Jet::new(s.v, s.d, 0.0), 0.0, x - 3.0 * H)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums of a few terms of size one.
    const ROUNDING: f64 = 1e-14;
    /// Step h of central differences: error h² s''' / 6 with |s'''| < 120 … (accelerations below 8), and ε/h of rounding.
    const STEP: f64 = 1e-5;
    const DIFFERENCE: f64 = 2e-8;

    fn close(a: f64, b: f64, tolerance: f64, what: &str) {
        assert!((a - b).abs() <= tolerance, "{what}: {a} against {b}");
    }

    #[test]
    fn every_law_rises_smoothly_from_0_to_1() {
        for law in LAWS {
            let f = law.function;
            close(f(0.0).v, 0.0, ROUNDING, law.keyword);
            close(f(1.0).v, 1.0, ROUNDING, law.keyword);
            if law.symmetric {
                close(f(0.5).v, 0.5, ROUNDING, law.keyword);
            }
            let mut before = 0.0;
            for k in 1..1000 {
                // An irrational offset keeps the samples away from the joints of the pieces.
                let tau = f64::from(k) / 1000.0 - 0.000271828;
                let (here, low, high) = (f(tau), f(tau - STEP), f(tau + STEP));
                assert!(here.v > before, "{} falls at {tau}", law.keyword);
                before = here.v;
                close(here.d, (high.v - low.v) / (2.0 * STEP), DIFFERENCE, law.keyword);
                close(here.dd, (high.d - low.d) / (2.0 * STEP), DIFFERENCE, law.keyword);
                let mirrored = f(1.0 - tau);
                if law.symmetric {
                    close(here.v + mirrored.v, 1.0, ROUNDING, law.keyword);
                }
            }
            assert!(!law.help.is_empty());
        }
    }

    #[test]
    fn peaks_are_those_of_the_textbook() {
        // Norton, Design of Machinery, chapter on cams: peak velocity and acceleration of a unit rise in unit time.
        for (keyword, velocity, acceleration) in [
            ("parabolic", 2.0, 4.0),
            ("harmonic", PI / 2.0, PI * PI / 2.0),
            ("cycloidal", 2.0, 2.0 * PI),
            ("poly345", 1.875, 5.7735),
            ("poly4567", 2.1875, 7.5132),
            ("modified-trapezoid", 2.0, 4.8881),
            ("modified-sine", 1.7596, 5.5280),
            ("scurve", 1.75, 6.125),
        ] {
            let f = law_type(keyword).unwrap().function;
            let samples = || (0..=20_000).map(|k| f(f64::from(k) / 20_000.0));
            // The table has five digits.
            close(samples().map(|s| s.d).fold(0.0, f64::max), velocity, 6e-5, keyword);
            close(samples().map(|s| s.dd).fold(0.0, f64::max), acceleration, 6e-5, keyword);
        }
    }

    #[test]
    fn a_double_harmonic_returns_as_it_rose() {
        // Norton's table of the double harmonic: rise s = ½[(1 − cos πτ) − ¼(1 − cos 2πτ)], fall s = ½[(1 + cos πτ) − ¼(1 − cos 2πτ)].
        let kind = law_type("double-harmonic").unwrap();
        let (up, down) = (Law::new(kind, 0.0, 2.0, 0.0, 3.0).unwrap(), Law::new(kind, 2.0, 0.0, 3.0, 6.0).unwrap());
        for k in 0..=60 {
            let tau = f64::from(k) / 60.0;
            let (rise, fall) = (up.jet(3.0 * tau), down.jet(3.0 + 3.0 * tau));
            let second = 0.25 * (1.0 - (2.0 * PI * tau).cos());
            close(rise.v, 1.0 - (PI * tau).cos() - second, ROUNDING, "rise");
            close(fall.v, 1.0 + (PI * tau).cos() - second, ROUNDING, "fall");
            let back = up.jet(3.0 - 3.0 * tau);
            close(fall.d, -back.d, ROUNDING, "rate");
            close(fall.dd, back.dd, ROUNDING, "acceleration");
        }
        // On top neither velocity nor acceleration jumps; at the bottom both vanish.
        close(up.jet(3.0).dd, down.jet(3.0).dd, ROUNDING, "top");
        close(up.jet(0.0).dd, 0.0, ROUNDING, "bottom");
    }

    #[test]
    fn the_family_contains_its_relatives() {
        for k in 0..=100 {
            let tau = f64::from(k) / 100.0;
            for (b, c, f) in [(0.5, 0.0, cycloidal as fn(f64) -> Jet), (0.0, 0.0, harmonic), (0.0, 1.0, parabolic)] {
                let (a, e) = (scca(tau, b, c), f(tau));
                close(a.v, e.v, ROUNDING, "value");
                close(a.d, e.d, ROUNDING, "rate");
                close(a.dd, e.dd, ROUNDING, "acceleration");
            }
        }
    }

    #[test]
    fn formulas_change_at_the_knots_and_nowhere_else() {
        /// Third differences over steps of 1/4200: of smooth laws below 2000 h, at knots where s''' jumps far above.
        const H: f64 = 1.0 / 4200.0;
        for law in LAWS {
            for k in 2..4198 {
                let tau = f64::from(k) * H;
                let dd = |n: f64| (law.function)(tau + n * H).dd;
                let bend = (dd(1.5) - 3.0 * dd(0.5) + 3.0 * dd(-0.5) - dd(-1.5)).abs();
                let near = law.knots.iter().any(|x| (x - tau).abs() < 2.5 * H);
                assert!(near || bend < 2000.0 * H * H, "{} at {tau}: {bend}", law.keyword);
            }
        }
        let law = Law::new(law_type("parabolic").unwrap(), 0.0, 1.0, 2.0, 5.0).unwrap();
        assert_eq!(law.changes().collect::<Vec<_>>(), [2.0, 3.5, 5.0]);
    }

    #[test]
    fn a_law_dwells_outside() {
        let law = Law::new(law_type("poly345").unwrap(), 0.1, 0.7, 2.0, 5.0).unwrap();
        assert_eq!(law.jet(1.9), Jet::constant(0.1));
        assert_eq!(law.jet(5.1), Jet::constant(0.7));
        assert_eq!(law.jet(5.0), Jet::constant(0.7));
        let middle = law.jet(3.5);
        close(middle.v, 0.4, ROUNDING, "value");
        close(middle.d, 0.6 * 1.875 / 3.0, ROUNDING, "rate");
        assert!(Law::new(law_type("linear").unwrap(), 0.0, 1.0, 1.0, 1.0).is_err());
        assert!(Law::new(law_type("linear").unwrap(), 0.0, f64::NAN, 0.0, 1.0).is_err());
        let error = law_type("cycloid").unwrap_err().to_string();
        assert!(error.contains("did you mean 'cycloidal'?"), "{error}");
    }
}
