//! Burmester's curves of four poses ([Burmester 1888]), drawn where a function of the plane changes its sign.
//!
//! A point m of the body is z_j + t_j m in pose j, and as far from a in all of them where three equations hold that are linear in m, their constants and
//! factors functions of a. There is an m for those a for which their determinant is nothing: centre points, a cubic. The same equations are linear in
//! a as well, and tell circle points.

use biela_analysis::synthesis::Complex;

/// Squares along a side.
const SQUARES: usize = 160;

/// A body's poses: its origin, and its direction as a number of magnitude one.
pub(super) type Poses = [(Complex, Complex)];

/// Determinant for a fixed pivot at a place.
fn centre(poses: &Poses, a: Complex) -> f64 {
    let told = |(z, t): (Complex, Complex)| ((z - a).conjugate() * t, (z - a).norm2());
    let (w, k) = told(poses[0]);
    let row = |j: usize| {
        let (v, l) = told(poses[j]);
        [(v - w).re, -(v - w).im, l - k]
    };
    determinant([row(1), row(2), row(3)])
}

/// Determinant for a moving pivot that is at a place in the first pose.
fn circle(poses: &Poses, p: Complex) -> f64 {
    let (z, t) = poses[0];
    let m = (p - z) * t.conjugate();
    let row = |j: usize| {
        let at = poses[j].0 + poses[j].1 * m;
        [(at - p).re, (at - p).im, at.norm2() - p.norm2()]
    };
    determinant([row(1), row(2), row(3)])
}

fn determinant([a, b, c]: [[f64; 3]; 3]) -> f64 {
    a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0])
}

/// Both curves inside a window (least and greatest x, then y): pieces of lines, with gaps between them. Nothing where there are not four poses.
pub(super) fn curves(poses: &Poses, window: [f64; 4]) -> [Vec<[f64; 2]>; 2] {
    match poses.len() {
        4 => [
            zeros(&|x, y| centre(poses, Complex::new(x, y)), window),
            zeros(&|x, y| circle(poses, Complex::new(x, y)), window),
        ],
        _ => [Vec::new(), Vec::new()],
    }
}

/// Where a function is nothing: in each square a line between the sides on which its sign changes.
fn zeros(f: &dyn Fn(f64, f64) -> f64, [x, xx, y, yy]: [f64; 4]) -> Vec<[f64; 2]> {
    let at = |from: f64, to: f64, k: usize| from + (to - from) * k as f64 / SQUARES as f64;
    let values: Vec<Vec<f64>> =
        (0..=SQUARES).map(|j| (0..=SQUARES).map(|i| f(at(x, xx, i), at(y, yy, j))).collect()).collect();
    let mut pieces = Vec::new();
    for j in 0..SQUARES {
        for i in 0..SQUARES {
            let corner = |di: usize, dj: usize| ([at(x, xx, i + di), at(y, yy, j + dj)], values[j + dj][i + di]);
            let round = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
            let crossed = (0..4).filter_map(|k| {
                let ((p, a), (q, b)) = (round[k], round[(k + 1) % 4]);
                let share = a / (a - b);
                ((a < 0.0) != (b < 0.0)).then(|| [p[0] + (q[0] - p[0]) * share, p[1] + (q[1] - p[1]) * share])
            });
            let crossed: Vec<[f64; 2]> = crossed.collect();
            for pair in crossed.chunks_exact(2) {
                pieces.extend([pair[0], pair[1], [f64::NAN; 2]]);
            }
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The greatest of a hundred operations on numbers of order one.
    const ROUNDING: f64 = 1e-12;

    #[test]
    fn pivots_of_a_four_bar_lie_on_the_curves() {
        // Crank and rocker of a four-bar carry its coupler through four poses.
        let (a, d) = (Complex::ZERO, Complex::new(4.0, 0.0));
        let poses: Vec<(Complex, Complex)> = [0.3, 0.9, 1.4, 2.0]
            .map(|angle: f64| {
                let b = Complex::unit(angle);
                let way = d - b;
                // Triangle of coupler 3 and rocker 3.
                let half = 0.5 * way.norm();
                let height = (9.0 - half * half).sqrt();
                let c = b + way.times(0.5) + (way * Complex::I).times(height / way.norm());
                (b, (c - b).times(1.0 / 3.0))
            })
            .to_vec();
        for pivot in [a, d] {
            assert!(centre(&poses, pivot).abs() < ROUNDING);
        }
        let (b, t) = poses[0];
        for m in [Complex::ZERO, Complex::new(3.0, 0.0)] {
            assert!(circle(&poses, b + t * m).abs() < ROUNDING);
        }
        // Elsewhere they are something, and what is drawn is where they are next to nothing.
        assert!(centre(&poses, Complex::new(1.0, 2.0)).abs() > 1e-3);
        let window = [-1.0, 5.0, -3.0, 3.0];
        let [drawn, _] = curves(&poses, window);
        let (side, off) = (6.0 / SQUARES as f64, |p: &[f64; 2], q: Complex| (p[0] - q.re).hypot(p[1] - q.im));
        for pivot in [a, d] {
            assert!(drawn.iter().any(|p| off(p, pivot) < side), "{pivot:?}");
        }
    }
}
