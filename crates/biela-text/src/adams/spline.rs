//! SPLINE: curves through points, as piecewise polynomials that can be evaluated, integrated and written as one sum.
//!
//! Over its whole range a curve is c + Σ pₖ(sₖ), where sₖ is how far x has gone through piece k, between 0 and its width, and pₖ(0) = 0. The first and
//! the last piece have no end. So it is written without branches, and its integrals and continuous derivatives have the same form.

use super::deck::Statement;
use super::numbers;
use biela_base::error::{Error, Result};
use std::sync::Arc;

/// How a function takes a curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    /// AKISPL: cubics with Akima's slopes.
    Akima,
    /// CUBSPL: cubics with a continuous second derivative.
    Cubic,
}

/// A curve: what it is at its first point, and its pieces, each with its end points and coefficients of the powers from the first on.
#[derive(Debug, Clone)]
pub(super) struct Curve {
    start: f64,
    pieces: Vec<Piece>,
}

#[derive(Debug, Clone)]
struct Piece {
    /// Where it begins and how far it goes; the first runs backwards from the first point, and that and the last without end.
    from: f64,
    width: f64,
    powers: Vec<f64>,
}

/// Points at most; a longer curve makes a longer text than any function may have.
const MOST: usize = 300;

impl Curve {
    /// The curve of a statement.
    pub fn read(s: &Statement, method: Method) -> Result<Arc<Curve>> {
        let list = |key: &str| s.get(key).map(numbers).transpose().map(Option::unwrap_or_default);
        if s.arguments.iter().filter(|a| a.key == "Y").count() > 1 {
            return Err(Error::new("a spline of several curves is not read"));
        }
        let (x, y) = (list("X")?, list("Y")?);
        if x.len() != y.len() || x.len() < 4 || x.len() > MOST {
            return Err(Error::new(format!(
                "a spline has as many values of Y as of X, at least 4 and at most {MOST}; these are {} and {}",
                x.len(),
                y.len()
            )));
        }
        if x.windows(2).any(|w| w[1] <= w[0]) {
            return Err(Error::new("values of X increase"));
        }
        let slopes = match method {
            Method::Akima => akima(&x, &y),
            Method::Cubic => cubic(&x, &y),
        };
        Ok(Arc::new(Curve::through(&x, &y, &slopes, s.has("LINEAR_EXTRAPOLATE"))))
    }

    /// Cubics between points, and beyond them the line through the last two or the parabola through the last three.
    fn through(x: &[f64], y: &[f64], slopes: &[f64], straight: bool) -> Curve {
        let n = x.len();
        let beyond = |a: usize, b: usize, c: usize| {
            let first = (y[b] - y[a]) / (x[b] - x[a]);
            let second = ((y[c] - y[b]) / (x[c] - x[b]) - first) / (x[c] - x[a]);
            match straight {
                true => vec![first],
                false => vec![first + second * (x[a] - x[b]), second],
            }
        };
        let mut pieces = vec![Piece { from: x[0], width: f64::NEG_INFINITY, powers: beyond(0, 1, 2) }];
        for k in 0..n - 1 {
            let h = x[k + 1] - x[k];
            let rise = (y[k + 1] - y[k]) / h;
            let c = (3.0 * rise - 2.0 * slopes[k] - slopes[k + 1]) / h;
            let d = (slopes[k] + slopes[k + 1] - 2.0 * rise) / (h * h);
            pieces.push(Piece { from: x[k], width: h, powers: vec![slopes[k], c, d] });
        }
        pieces.push(Piece { from: x[n - 1], width: f64::INFINITY, powers: beyond(n - 1, n - 2, n - 3) });
        Curve { start: y[0], pieces }
    }

    pub fn value(&self, x: f64) -> f64 {
        self.start + self.pieces.iter().map(|p| p.rise(p.gone(x))).sum::<f64>()
    }

    /// The curve whose slope this one is, 0 at the first point.
    pub fn integrated(&self) -> Curve {
        let mut at = self.start;
        let mut pieces = Vec::new();
        for piece in &self.pieces {
            let mut powers = vec![if piece.width < 0.0 { self.start } else { at }];
            powers.extend(piece.powers.iter().enumerate().map(|(k, c)| c / (k + 2) as f64));
            if piece.width.is_finite() {
                at += piece.rise(piece.width);
            }
            pieces.push(Piece { powers, ..*piece });
        }
        Curve { start: 0.0, pieces }
    }

    /// Its slope, which has no jumps within the range; at its ends that of the range goes on.
    pub fn slope(&self) -> Curve {
        let first = |p: &Piece| p.powers.first().copied().unwrap_or(0.0);
        let pieces = self.pieces.iter().map(|p| {
            let powers = p.powers.iter().enumerate().skip(1).map(|(k, c)| c * (k + 1) as f64).collect();
            Piece { powers, ..*p }
        });
        Curve { start: self.pieces.get(1).map_or(0.0, first), pieces: pieces.collect() }
    }

    /// The curve of an expression `x` of the model file.
    pub fn written(&self, x: &str) -> String {
        let mut sum = format!("({:?}", self.start);
        for p in self.pieces.iter().filter(|p| p.powers.iter().any(|c| *c != 0.0)) {
            let s = match p.width {
                w if w == f64::NEG_INFINITY => format!("min({x} - ({:?}), 0)", p.from),
                w if w == f64::INFINITY => format!("max({x} - ({:?}), 0)", p.from),
                w => format!("min(max({x} - ({:?}), 0), {w:?})", p.from),
            };
            for (k, c) in p.powers.iter().enumerate().filter(|(_, c)| **c != 0.0) {
                sum += &format!(" + ({c:?})*{s}^{}", k + 1);
            }
        }
        sum + ")"
    }
}

impl Piece {
    fn gone(&self, x: f64) -> f64 {
        match self.width < 0.0 {
            true => (x - self.from).min(0.0),
            false => (x - self.from).clamp(0.0, self.width),
        }
    }

    fn rise(&self, s: f64) -> f64 {
        self.powers.iter().rev().fold(0.0, |sum, c| (sum + c) * s)
    }
}

/// Akima's slopes: means of the chords on both sides, each weighted by how much those beyond the other bend.
fn akima(x: &[f64], y: &[f64]) -> Vec<f64> {
    let mut m: Vec<f64> = x.windows(2).zip(y.windows(2)).map(|(x, y)| (y[1] - y[0]) / (x[1] - x[0])).collect();
    let n = m.len();
    let (a, b) = (2.0 * m[0] - m[1], 2.0 * m[n - 1] - m[n - 2]);
    let (before, after) = ([2.0 * a - m[0], a], [b, 2.0 * b - m[n - 1]]);
    m = before.into_iter().chain(m).chain(after).collect();
    (0..x.len())
        .map(|k| {
            let (left, right) = ((m[k + 3] - m[k + 2]).abs(), (m[k + 1] - m[k]).abs());
            match left + right {
                0.0 => (m[k + 1] + m[k + 2]) / 2.0,
                sum => (left * m[k + 1] + right * m[k + 2]) / sum,
            }
        })
        .collect()
}

/// Slopes with which second derivatives are continuous, and third ones at the second and the last but one point, so that a cubic is itself.
fn cubic(x: &[f64], y: &[f64]) -> Vec<f64> {
    let n = x.len();
    let h: Vec<f64> = x.windows(2).map(|x| x[1] - x[0]).collect();
    let m: Vec<f64> = y.windows(2).zip(&h).map(|(y, h)| (y[1] - y[0]) / h).collect();
    // Rows of a tridiagonal system: below, on and above the diagonal, and the right side.
    let mut rows: Vec<[f64; 4]> = (1..n - 1)
        .map(|k| [h[k], 2.0 * (h[k - 1] + h[k]), h[k - 1], 3.0 * (h[k] * m[k - 1] + h[k - 1] * m[k])])
        .collect();
    let end = |h0: f64, h1: f64, m0: f64, m1: f64| {
        let sum = h0 + h1;
        [h1, sum, ((h0 + 2.0 * sum) * h1 * m0 + h0 * h0 * m1) / sum]
    };
    let [on, above, right] = end(h[0], h[1], m[0], m[1]);
    rows.insert(0, [0.0, on, above, right]);
    let [on, below, right] = end(h[n - 2], h[n - 3], m[n - 2], m[n - 3]);
    rows.push([below, on, 0.0, right]);
    for k in 1..n {
        let factor = rows[k][0] / rows[k - 1][1];
        rows[k][1] -= factor * rows[k - 1][2];
        rows[k][3] -= factor * rows[k - 1][3];
    }
    let mut slopes = vec![0.0; n];
    for k in (0..n).rev() {
        let next = slopes.get(k + 1).copied().unwrap_or(0.0);
        slopes[k] = (rows[k][3] - rows[k][2] * next) / rows[k][1];
    }
    slopes
}
