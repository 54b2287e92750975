//! Tables of (t, y), interpolated by a cubic spline with the not-a-knot end condition.
//!
//! Between two points the spline is a cubic; value, slope and curvature are continuous; the first two cubics are one, and
//! so are the last two ("not a knot"). A cubic is therefore reproduced exactly. With three points it is the parabola
//! through them, with two the straight line. Unknowns are the second derivatives m_k at the points:
//! h_{k-1} m_{k-1} + 2 (h_{k-1} + h_k) m_k + h_k m_{k+1} = 6 (s_k − s_{k-1}),
//! with the steps h_k and the slopes s_k of the chords [de Boor, A Practical Guide to Splines, chapter IV].
//!
//! A periodic spline ([`Spline::periodic`]) has no ends: the same rows hold at every point with indices that go round, so value,
//! slope and curvature are continuous across the seam too.

use crate::error::{counted, Error, Result};
use crate::math::Jet;
use crate::source::{Source, Span};
use std::sync::Arc;

/// Beyond its ends by this fraction of its length the table still answers: times are sums of rounded steps.
const END_TOLERANCE: f64 = 1e-9;

/// A cubic spline through given points.
#[derive(Debug, Clone, PartialEq)]
pub struct Spline {
    x: Vec<f64>,
    y: Vec<f64>,
    /// Second derivatives at the points.
    m: Vec<f64>,
}

impl Spline {
    /// The spline through the points (x_k, y_k); the x must ascend.
    pub fn new(x: &[f64], y: &[f64]) -> Result<Spline> {
        if x.len() != y.len() {
            return Err(Error::new(format!("a table with {} times and {} values", x.len(), y.len())));
        }
        if x.len() < 2 {
            return Err(
                Error::new(format!("a table of {} point(s) gives no curve", x.len())).note("two are needed at least")
            );
        }
        for k in 0..x.len() {
            if let Some(fault) = fault(x.get(k.wrapping_sub(1)).copied(), x[k], y[k]) {
                return Err(Error::new(format!("point {} of the table: {fault}", k + 1)));
            }
        }
        Spline::with(x, y, second_derivatives)
    }

    /// The periodic spline through the points (x_k, y_k): after the last x, where y is taken as the first y, it repeats.
    pub fn periodic(x: &[f64], y: &[f64]) -> Result<Spline> {
        let mut y = y.to_vec();
        if let (Some(first), Some(last)) = (y.first().copied(), y.last_mut()) {
            *last = first;
        }
        // Everything else that a table must be is checked there.
        Spline::new(x, &y)?;
        Spline::with(x, &y, periodic_second_derivatives)
    }

    fn with(x: &[f64], y: &[f64], bend: fn(&[f64], &[f64]) -> Vec<f64>) -> Result<Spline> {
        let spline = Spline { m: bend(x, y), x: x.to_vec(), y: y.to_vec() };
        match spline.m.iter().all(|m| m.is_finite()) {
            true => Ok(spline),
            false => Err(Error::new("the table's numbers are too large or too close for a curve through them")),
        }
    }

    /// The same curve, lower by a constant.
    pub fn less(&self, constant: f64) -> Spline {
        Spline { y: self.y.iter().map(|y| y - constant).collect(), ..self.clone() }
    }

    /// First and last x.
    pub fn range(&self) -> (f64, f64) {
        (self.x[0], self.x[self.x.len() - 1])
    }

    /// The points it was made from.
    pub fn points(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.x.iter().copied().zip(self.y.iter().copied())
    }

    /// Value and the first two derivatives at `x`; NaN outside of the range.
    pub fn jet(&self, x: f64) -> Jet {
        let (first, last) = self.range();
        let slack = END_TOLERANCE * (last - first);
        if !(x >= first - slack && x <= last + slack) {
            return Jet::new(f64::NAN, f64::NAN, f64::NAN);
        }
        let k = self.x.partition_point(|p| *p <= x).clamp(1, self.x.len() - 1) - 1;
        let h = self.x[k + 1] - self.x[k];
        let (a, b) = ((self.x[k + 1] - x) / h, (x - self.x[k]) / h);
        let (m0, m1) = (self.m[k], self.m[k + 1]);
        let bend = (a * a * a - a) * m0 + (b * b * b - b) * m1;
        let slope = (3.0 * b * b - 1.0) * m1 - (3.0 * a * a - 1.0) * m0;
        Jet::new(
            a * self.y[k] + b * self.y[k + 1] + bend * h * h / 6.0,
            (self.y[k + 1] - self.y[k]) / h + slope * h / 6.0,
            a * m0 + b * m1,
        )
    }

    /// Points after `x` at which two cubics meet, and by how much the third derivative jumps there.
    pub fn kinks_after(&self, x: f64) -> impl Iterator<Item = (f64, f64)> + '_ {
        let last = self.x.len() - 1;
        let third = |k: usize| (self.m[k + 1] - self.m[k]) / (self.x[k + 1] - self.x[k]);
        let first = self.x.partition_point(|p| *p <= x).max(1);
        (first..last).map(move |k| (self.x[k], third(k) - third(k - 1)))
    }

    /// The same of an argument that moves itself.
    pub fn of(&self, x: Jet) -> Jet {
        let f = self.jet(x.v);
        x.chain(f.v, f.d, f.dd)
    }
}

/// What is wrong with a point that follows one at `before`.
fn fault(before: Option<f64>, x: f64, y: f64) -> Option<String> {
    if !x.is_finite() || !y.is_finite() {
        return Some(format!("({x}, {y}) is not a pair of finite numbers"));
    }
    match before {
        Some(before) if x == before => Some(format!("{x} appears twice in the first column")),
        Some(before) if x < before => Some(format!("{x} comes after {before}; the first column must ascend")),
        _ => None,
    }
}

fn second_derivatives(x: &[f64], y: &[f64]) -> Vec<f64> {
    let n = x.len();
    let h: Vec<f64> = x.windows(2).map(|p| p[1] - p[0]).collect();
    let s: Vec<f64> = y.windows(2).zip(&h).map(|(p, h)| (p[1] - p[0]) / h).collect();
    match n {
        2 => return vec![0.0; 2],
        3 => return vec![2.0 * (s[1] - s[0]) / (h[0] + h[1]); 3],
        _ => {}
    }
    // Rows of the inner points 1 … n−2, with m_0 and m_{n-1} put in from the end conditions
    // m_0 = m_1 + (m_1 − m_2) h_0/h_1 and its mirror image. The rows stay diagonally dominant: no pivoting.
    let inner = n - 2;
    let mut below: Vec<f64> = h[..inner].to_vec();
    let mut diagonal: Vec<f64> = (0..inner).map(|k| 2.0 * (h[k] + h[k + 1])).collect();
    let mut above: Vec<f64> = h[1..].to_vec();
    let mut m: Vec<f64> = (0..inner).map(|k| 6.0 * (s[k + 1] - s[k])).collect();
    let ratio = h[0] / h[1];
    diagonal[0] += h[0] * (1.0 + ratio);
    above[0] -= h[0] * ratio;
    let last_ratio = h[n - 2] / h[n - 3];
    diagonal[inner - 1] += h[n - 2] * (1.0 + last_ratio);
    below[inner - 1] -= h[n - 2] * last_ratio;
    for k in 1..inner {
        let w = below[k] / diagonal[k - 1];
        diagonal[k] -= w * above[k - 1];
        m[k] -= w * m[k - 1];
    }
    m[inner - 1] /= diagonal[inner - 1];
    for k in (0..inner - 1).rev() {
        m[k] = (m[k] - above[k] * m[k + 1]) / diagonal[k];
    }
    let first = m[0] + (m[0] - m[1]) * ratio;
    let last = m[inner - 1] + (m[inner - 1] - m[inner - 2]) * last_ratio;
    m.insert(0, first);
    m.push(last);
    m
}

/// Second derivatives of the periodic spline, the last equal to the first.
fn periodic_second_derivatives(x: &[f64], y: &[f64]) -> Vec<f64> {
    let h: Vec<f64> = x.windows(2).map(|p| p[1] - p[0]).collect();
    let s: Vec<f64> = y.windows(2).zip(&h).map(|(p, h)| (p[1] - p[0]) / h).collect();
    // Unknowns m_0 … m_{n−1}; point n is point 0. Row k: h_{k-1} m_{k-1} + 2 (h_{k-1} + h_k) m_k + h_k m_{k+1}.
    let n = h.len();
    let before = |k: usize| (k + n - 1) % n;
    let side: Vec<f64> = (0..n).map(|k| 6.0 * (s[k] - s[before(k)])).collect();
    let mut m = match n {
        1 => vec![0.0],
        // Both neighbours are the other point, and the two sides are opposite.
        2 => {
            let m = side[0] / (h[0] + h[1]);
            vec![m, -m]
        }
        _ => {
            // The corners h_{n-1} of the cyclic matrix as a product of rank one (Sherman and Morrison): A = T + u vᵀ with
            // u = (γ, 0 … 0, c), v = (1, 0 … 0, c/γ) and γ = −(first diagonal entry), which keeps T diagonally dominant.
            let corner = h[n - 1];
            let mut diagonal: Vec<f64> = (0..n).map(|k| 2.0 * (h[before(k)] + h[k])).collect();
            let gamma = -diagonal[0];
            diagonal[0] -= gamma;
            diagonal[n - 1] -= corner * corner / gamma;
            let mut u = vec![0.0; n];
            u[0] = gamma;
            u[n - 1] = corner;
            let a = tridiagonal(&h[..n - 1], &diagonal, &side);
            let b = tridiagonal(&h[..n - 1], &diagonal, &u);
            let along = |w: &[f64]| w[0] + corner / gamma * w[n - 1];
            let share = along(&a) / (1.0 + along(&b));
            a.iter().zip(&b).map(|(a, b)| a - share * b).collect()
        }
    };
    m.push(m[0]);
    m
}

/// The solution of a symmetric, diagonally dominant tridiagonal system.
fn tridiagonal(beside: &[f64], diagonal: &[f64], side: &[f64]) -> Vec<f64> {
    let n = diagonal.len();
    let (mut d, mut x) = (diagonal.to_vec(), side.to_vec());
    for k in 1..n {
        let w = beside[k - 1] / d[k - 1];
        d[k] -= w * beside[k - 1];
        x[k] -= w * x[k - 1];
    }
    x[n - 1] /= d[n - 1];
    for k in (0..n - 1).rev() {
        x[k] = (x[k] - beside[k] * x[k + 1]) / d[k];
    }
    x
}

/// Reads a table from text; see [`from_csv`].
pub fn from_csv_text(text: &str) -> Result<Spline> {
    from_csv(&Source::new("table", text))
}

/// Reads a table: two columns, t and the value, separated by comma, semicolon, tab or space; one header line and
/// comments from `#` on are skipped. Errors point at the line.
pub fn from_csv(source: &Arc<Source>) -> Result<Spline> {
    let (mut x, mut y): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
    let mut header_possible = true;
    let mut start = 0;
    for raw in source.text.split_inclusive('\n') {
        let line = raw.split('#').next().unwrap_or("").trim_start_matches('\u{feff}').trim();
        let place = Span::new(source, start..start + raw.trim_end().len());
        start += raw.len();
        if line.is_empty() {
            continue;
        }
        let fields = fields(line);
        let is_header =
            header_possible && fields.iter().all(|f| !f.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)));
        header_possible = false;
        if is_header && fields.iter().all(|f| f.parse::<f64>().is_err()) {
            continue;
        }
        let [t, value] = row(&fields).map_err(|e| e.at(&place))?;
        if let Some(fault) = fault(x.last().copied(), t, value) {
            return Err(Error::new(fault).at(&place));
        }
        x.push(t);
        y.push(value);
    }
    Spline::new(&x, &y).map_err(|e| e.of(source.name.clone()))
}

/// The fields of a line of a table, whatever separates them.
pub fn fields(line: &str) -> Vec<&str> {
    match [';', '\t', ','].into_iter().find(|c| line.contains(*c)) {
        Some(separator) => line.split(separator).map(str::trim).collect(),
        None => line.split_whitespace().collect(),
    }
}

fn row(fields: &[&str]) -> Result<[f64; 2]> {
    const DECIMALS: &str = "write decimals with a point: 1.5, not 1,5";
    let number = |text: &str| {
        text.parse::<f64>().map_err(|_| {
            let error = Error::new(format!("'{text}' is not a number"));
            if text.contains(',') && text.replace(',', ".").parse::<f64>().is_ok() {
                error.note(DECIMALS)
            } else {
                error
            }
        })
    };
    match fields {
        [t, value] => Ok([number(t)?, number(value)?]),
        _ => {
            let error = Error::new(format!("{}; a table has two, t and the value", counted(fields.len(), "column")));
            Err(if fields.len() > 2 { error.note(DECIMALS) } else { error })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A few roundings of numbers of size ten, amplified by 1/h² in the second derivative.
    const ROUNDING: f64 = 1e-10;

    fn close(a: Jet, b: Jet) {
        for (a, b) in [(a.v, b.v), (a.d, b.d), (a.dd, b.dd)] {
            assert!((a - b).abs() <= ROUNDING, "{a} against {b}");
        }
    }

    #[test]
    fn polynomials_are_reproduced() {
        let knots = [-1.0, -0.4, 0.1, 0.15, 1.0, 1.7, 2.0];
        for (points, degree) in [(2, 1), (3, 2), (4, 3), (5, 3), (7, 3)] {
            let exact = |t: f64| {
                let c = [0.7, -1.3, 2.1, 0.9];
                let t = Jet::variable(t);
                (0..=degree).rev().fold(Jet::constant(0.0), |sum, k| sum * t + Jet::constant(c[k]))
            };
            let x = &knots[..points];
            let y: Vec<f64> = x.iter().map(|t| exact(*t).v).collect();
            let spline = Spline::new(x, &y).unwrap();
            let (first, last) = spline.range();
            for k in 0..=50 {
                let t = first + (last - first) * f64::from(k) / 50.0;
                close(spline.jet(t), exact(t));
            }
        }
    }

    #[test]
    fn agrees_with_exact_arithmetic() {
        // All 20 coefficients of the five cubics from their defining equations, solved in rational numbers.
        let spline = Spline::new(&[0.0, 0.3, 0.5, 1.1, 1.2, 2.0], &[1.0, -0.5, 0.25, 2.0, 1.5, -1.0]).unwrap();
        for (t, exact) in [
            (0.0, Jet::new(1.0, -13.346554993678888, 68.0299199325748)),
            (0.1, Jet::new(-0.015149599662873998, -7.162873999157185, 55.64369995785925)),
            (0.4, Jet::new(-0.217425200168563, 3.9564369995785924, 18.4850400337126)),
            (0.77, Jet::new(1.6483306257901391, 4.342406236831016, -12.344922039612305)),
            (1.15, Jet::new(1.78628647808681, -5.048817425200169, -29.029182469447957)),
            (1.6, Jet::new(-1.6454909397387274, -6.249315212810788, 23.693636746734093)),
            (2.0, Jet::new(-1.0, 12.601085124315214, 70.5583649388959)),
        ] {
            close(spline.jet(t), exact);
        }
    }

    #[test]
    fn a_periodic_spline_has_no_seam() {
        let knots = [0.0, 0.4, 1.1, 1.3, 2.0, 2.9, 3.0, 4.5, 5.5, std::f64::consts::TAU];
        for points in [2, 3, 4, 5, 7, 10] {
            let mut x = knots[..points].to_vec();
            x[points - 1] = std::f64::consts::TAU;
            let y: Vec<f64> = x.iter().map(|x| 0.3 + x.sin() - 0.4 * (3.0 * x + 1.0).cos()).collect();
            let spline = Spline::periodic(&x, &y).unwrap();
            let (first, last) = spline.range();
            close(spline.jet(first), spline.jet(last));
            for (x, y) in x.iter().zip(&y).take(points - 1) {
                assert!((spline.jet(*x).v - y).abs() <= ROUNDING);
            }
            // Slope and curvature are continuous at every point: the cubic of each side says the same there.
            for k in 1..points - 1 {
                let near = 1e-9;
                let (left, right) = (spline.jet(x[k] - near), spline.jet(x[k] + near));
                assert!((left.d - right.d).abs() < 1e-6 && (left.dd - right.dd).abs() < 1e-5, "{points} {k}");
            }
            // Where the table begins does not matter: the same points from another one on give the same curve.
            if points > 3 {
                let turned: Vec<f64> = x[1..].iter().copied().chain([x[1] + std::f64::consts::TAU]).collect();
                let values: Vec<f64> = y[1..points - 1].iter().copied().chain([y[0], y[1]]).collect();
                let other = Spline::periodic(&turned, &values).unwrap();
                for k in 0..40 {
                    let at = x[1] + (last - x[1]) * f64::from(k) / 39.0;
                    close(spline.jet(at), other.jet(at));
                }
            }
        }
    }

    #[test]
    fn ends_are_ends() {
        let spline = Spline::new(&[0.0, 0.1, 0.2, 0.3], &[0.0, 1.0, 4.0, 9.0]).unwrap();
        assert!(spline.jet(-0.001).v.is_nan() && spline.jet(0.301).dd.is_nan() && spline.jet(f64::NAN).v.is_nan());
        assert!((spline.jet(0.1 + 0.1 + 0.1).v - 9.0).abs() < ROUNDING);
        assert!((spline.jet(0.0).v).abs() < ROUNDING);
    }

    #[test]
    fn bad_points_are_refused() {
        let message = |x: &[f64], y: &[f64]| Spline::new(x, y).unwrap_err().message().to_string();
        assert!(message(&[0.0, 1.0, 1.0], &[0.0; 3]).contains("1 appears twice"));
        assert!(message(&[0.0, 1.0, 0.5], &[0.0; 3]).contains("must ascend"));
        assert!(message(&[0.0, f64::NAN], &[0.0; 2]).contains("finite"));
        assert!(message(&[0.0, 1.0], &[0.0, f64::INFINITY]).contains("finite"));
        assert!(message(&[0.0], &[0.0]).contains("1 point"));
        assert!(message(&[0.0, 1.0], &[0.0]).contains("2 times and 1 values"));
        assert!(Spline::new(&[0.0, 1e-300, 2e-300, 1.0], &[0.0, 1e300, 0.0, 1.0]).is_err());
    }

    #[test]
    fn tables_are_read_with_any_separator() {
        let wanted = Spline::new(&[0.0, 0.5, 1.0], &[1.0, -2.0, 3e-3]).unwrap();
        for text in [
            "0,1\n0.5,-2\n1,3e-3",
            "t [s], x [m]\n0, 1\n0.5, -2\n1, 3e-3\n",
            "# made by hand\n\u{feff}t;x\r\n0;1\r\n0.5;-2 # here\r\n\r\n1;3e-3\r\n",
            "0\t1\n.5\t-2\n1\t3e-3",
            "t x\n0 1\n  0.5   -2\n1 3e-3",
            "\u{feff}0 1\n0.5 -2\n1 +3e-3",
        ] {
            assert_eq!(from_csv_text(text).unwrap(), wanted, "{text:?}");
        }
    }

    #[test]
    fn bad_tables_name_their_line() {
        for (text, line, part) in [
            ("t,x\n0,1\n1,abc\n", 3, "'abc' is not a number"),
            ("0;1\n0,5;2\n", 2, "write decimals with a point"),
            ("0,5 1,2\n", 1, "write decimals with a point"),
            ("0,1\n0,5,1,5\n", 2, "4 columns"),
            ("0,1\n\n# x\n2\n", 4, "1 column;"),
            ("t,x\nu,v\n0,1\n", 2, "'u' is not a number"),
            ("0,1\n1,nan\n", 2, "finite"),
            ("nan,1\n1,2\n", 1, "finite"),
            ("0,1\n2,2\n1,3\n", 3, "1 comes after 2"),
        ] {
            let error = from_csv_text(text).unwrap_err();
            assert_eq!(error.span().map(|s| s.line_column().0), Some(line), "{error}");
            assert!(error.to_string().contains(part), "{error}");
        }
        assert!(from_csv_text("").is_err());
        assert!(from_csv_text("t,x\n").is_err());
    }
}
