//! Quasi-Newton (BFGS) on ½ |Φ|²: the inverse Hessian is built up from gradients alone (equations 1.23 to 1.25 of the thesis), with
//! a backtracking line search.

use super::{Memory, Method};
use crate::math::dense::Matrix;
use crate::solve::vectors::dot;
use crate::system::{System, Workspace};

#[derive(Debug)]
pub(super) struct Bfgs;

impl Method for Bfgs {
    fn keyword(&self) -> &'static str {
        "bfgs"
    }
    fn help(&self) -> &'static str {
        "quasi-Newton (BFGS) on the sum of squares"
    }
    fn most(&self) -> usize {
        5_000
    }
    fn correct(&self, system: &System, ws: &mut Workspace, t: f64, q: &mut [f64], memory: &mut Memory) {
        let n = ws.pattern.columns;
        let cost = |ws: &Workspace| 0.5 * ws.evaluation.phi.iter().map(|x| x * x).sum::<f64>();
        let now = cost(ws);
        let (mut inverse, gradient) = match memory.hessian.take() {
            Some(known) => known,
            None => {
                ws.realize_jacobian(system, t);
                (identity(n), ws.gradient())
            }
        };
        let direction: Vec<f64> = (0..n).map(|i| -dot(inverse.row(i), &gradient)).collect();
        let slope = dot(&direction, &gradient);
        let start = q.to_vec();
        let mut length = 1.0;
        loop {
            q.copy_from_slice(&start);
            for (x, d) in ws.x.iter_mut().zip(&direction) {
                *x = length * d;
            }
            let before = memory.sum.clone();
            memory.step(system, ws, q);
            ws.realize_position(system, t, q);
            // Armijo's condition, as lenient as is usual; a step this short gains nothing any more.
            if cost(ws) <= now + 1e-4 * length * slope || length < 1e-12 {
                break;
            }
            memory.sum = before;
            length *= 0.5;
        }
        ws.realize_jacobian(system, t);
        let next = ws.gradient();
        let s: Vec<f64> = direction.iter().map(|d| length * d).collect();
        let y: Vec<f64> = next.iter().zip(&gradient).map(|(a, b)| a - b).collect();
        let ys = dot(&y, &s);
        if ys > 1e-300 {
            update(&mut inverse, &s, &y, ys);
        } else {
            inverse = identity(n);
        }
        memory.hessian = Some((inverse, next));
    }
}

/// H ← (I − s yᵀ/yᵀs) H (I − y sᵀ/yᵀs) + s sᵀ/yᵀs.
fn update(inverse: &mut Matrix, s: &[f64], y: &[f64], ys: f64) {
    let n = s.len();
    let hy: Vec<f64> = (0..n).map(|i| dot(inverse.row(i), y)).collect();
    let factor = (1.0 + dot(y, &hy) / ys) / ys;
    for i in 0..n {
        for j in 0..n {
            inverse.row_mut(i)[j] += factor * s[i] * s[j] - (hy[i] * s[j] + s[i] * hy[j]) / ys;
        }
    }
}

fn identity(n: usize) -> Matrix {
    let mut matrix = Matrix::zeros(n, n);
    for k in 0..n {
        matrix.row_mut(k)[k] = 1.0;
    }
    matrix
}
