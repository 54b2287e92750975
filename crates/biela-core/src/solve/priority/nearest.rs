//! The nearest position to what cannot be reached, by Newton's method.
//!
//! Least squares by first derivatives alone converge slowly, or not at all, where much is left over: at the end of a stroke the tool's
//! rows do not change to first order, and it is their curvature that says where the nearest position is. With Z the velocities that
//! the first rank leaves free, r what is left of the tool's rows, Jᵀ_c λ = Jᵀ_t r and B(v) the part of Φ̈ that is quadratic in v, half
//! the square of r has the gradient Zᵀ Jᵀ_t r and, along the first rank, the second derivative |J_t v|² + r·B_t(v) − λ·B_c(v).

#![allow(non_snake_case)] // J, H, Z: matrices of the module's mathematics.

use super::projection::{multiply, split, transposed, Projector, RANK};
use super::Solver;
use crate::math::dense::Matrix;
use crate::solve::vectors::{dot, max_abs};

/// Beyond this many freedoms the slower steps must do.
const FREEDOMS: usize = 24;
const MOST: usize = 40;
/// Largest displacement of a step, in radians or sizes.
const LARGEST: f64 = 0.3;
/// Displacements below this are rounding.
const SETTLED: f64 = 1e-13;
/// Gradients below this, against the second derivatives, lead nowhere …
const LEVEL: f64 = 1e-9;
/// … and second derivatives below this, against the greatest, are none: freedoms that do not matter to the tool.
const FLAT: f64 = 1e-9;
/// Displacement to leave such a position by, in radians or sizes.
const PUSH: f64 = 0.05;
/// The first rank holds well enough to judge by what is left of the rest.
const CLOSED: f64 = 1e-12;

impl Solver<'_> {
    /// Moves `q`, where the first rank holds, to the nearest position around it. The position is realised. False where it is not the
    /// nearest, though nothing leads away from it to first order: a stretched arm whose target has come back within reach.
    pub(super) fn settle(&mut self, t: f64, q: &mut Vec<f64>) -> bool {
        for _ in 0..MOST {
            self.ws.realize_position(self.system, t, q);
            let left = self.left();
            let Some(bowl) = self.bowl(t) else { break };
            let greatest = max_abs(&bowl.H.entries);
            if bowl.g.iter().all(|g| g.abs() <= LEVEL * greatest) && !bowl.goes_up(FLAT * greatest) {
                return false;
            }
            let (mut shift, mut moved) = (0.0f64, None);
            // Where it is no bowl, or the step goes beyond what its form is good for, steps go more and more downhill.
            for _ in 0..MOST {
                moved = self.downhill(t, q, left, &bowl, shift);
                if moved.is_some() {
                    break;
                }
                shift = (10.0 * shift).max(1e-6 * greatest.max(1e-6));
            }
            let Some((trial, largest)) = moved else { break };
            *q = trial;
            if largest <= SETTLED {
                break;
            }
        }
        self.ws.realize_position(self.system, t, q);
        true
    }

    /// Moves `q` off a position that [`Self::settle`] has found not to be the nearest, to whatever side.
    pub(super) fn push(&mut self, t: f64, q: &mut [f64]) {
        self.ws.realize_position(self.system, t, q);
        let Some(Bowl { Z, H, .. }) = self.bowl(t) else { return };
        let steepest = (0..Z.len()).min_by(|a, b| H.row(*a)[*a].total_cmp(&H.row(*b)[*b])).unwrap_or(0);
        let mut d: Vec<f64> = Z[steepest].iter().map(|z| PUSH * z).collect();
        self.unscale(&mut d);
        self.system.formulation.step(q, &d);
        self.close(t, q, 6);
    }

    /// The sum of squares of what is left of the tool's rows at the position realised.
    fn left(&self) -> f64 {
        self.tool_rows().iter().map(|x| x * x).sum()
    }

    /// The quadratic form at the position realised; `None` where there are no freedoms or many.
    fn bowl(&mut self, t: f64) -> Option<Bowl> {
        let J = self.jacobian(t);
        let (Jc, Jt) = split(&J, self.hard);
        let r = self.tool_rows().to_vec();
        let held = Projector::new(&Jc);
        if !(1..=FREEDOMS).contains(&J.columns.saturating_sub(held.rank())) {
            return None;
        }
        let Z = held.rest(J.columns);
        let pull = multiply(&transposed(&Jt), &r);
        let g: Vec<f64> = Z.iter().map(|z| dot(z, &pull)).collect();
        let mut weights: Vec<f64> = transposed(&Jc).pseudo_solve(&pull, RANK).iter().map(|x| -x).collect();
        weights.extend(&r);
        let still = self.gamma(t, &vec![0.0; J.columns]);
        let mut curvature = |z: &[f64]| {
            let mut v = z.to_vec();
            self.unscale(&mut v);
            let forth = self.gamma(t, &v);
            v.iter_mut().for_each(|x| *x = -*x);
            let back = self.gamma(t, &v);
            // γ is −B, besides what time itself adds.
            (0..weights.len()).map(|i| weights[i] * (still[i] - 0.5 * (forth[i] + back[i]))).sum::<f64>()
        };
        let own: Vec<f64> = Z.iter().map(|z| curvature(z)).collect();
        let moved: Vec<Vec<f64>> = Z.iter().map(|z| multiply(&Jt, z)).collect();
        let mut H = Matrix::zeros(Z.len(), Z.len());
        for p in 0..Z.len() {
            H.row_mut(p)[p] = own[p] + dot(&moved[p], &moved[p]);
            for k in 0..p {
                let sum: Vec<f64> = Z[p].iter().zip(&Z[k]).map(|(a, b)| a + b).collect();
                let mixed = 0.5 * (curvature(&sum) - own[p] - own[k]) + dot(&moved[p], &moved[k]);
                H.row_mut(p)[k] = mixed;
                H.row_mut(k)[p] = mixed;
            }
        }
        Some(Bowl { Z, g, H })
    }

    /// The step −(H + shift)⁻¹ g from `q`, closed again, and its largest part; `None` where it does not lead downhill.
    fn downhill(&mut self, t: f64, q: &[f64], left: f64, bowl: &Bowl, shift: f64) -> Option<(Vec<f64>, f64)> {
        let mut y: Vec<f64> = bowl.g.iter().map(|x| -x).collect();
        bowl.shifted(shift).cholesky_solve(&mut y)?;
        let mut d = vec![0.0; self.system.formulation.nv()];
        for (z, y) in bowl.Z.iter().zip(&y) {
            d.iter_mut().zip(z).for_each(|(d, z)| *d += y * z);
        }
        let largest = max_abs(&d);
        if !largest.is_finite() {
            return None;
        }
        if largest > LARGEST {
            d.iter_mut().for_each(|x| *x *= LARGEST / largest);
        }
        self.unscale(&mut d);
        let mut trial = q.to_vec();
        self.system.formulation.step(&mut trial, &d);
        self.close(t, &mut trial, 6);
        // The last steps are too short to show in the squares.
        let rounding = if largest < 1e-4 { 1e-13 * left } else { 0.0 };
        (self.closure() <= CLOSED && self.left() < left + rounding).then_some((trial, largest))
    }
}

/// The sum of squares around a position to second order, g·y + ½ yᵀ H y for displacements Σ y_p Z_p.
struct Bowl {
    /// Freedoms.
    Z: Vec<Vec<f64>>,
    /// Gradient along them.
    g: Vec<f64>,
    /// Second derivatives along them.
    H: Matrix,
}

impl Bowl {
    /// H + shift.
    fn shifted(&self, shift: f64) -> Matrix {
        let mut shifted = self.H.clone();
        for p in 0..shifted.rows {
            shifted.row_mut(p)[p] += shift;
        }
        shifted
    }

    /// Whether the form goes down nowhere by more than `flat`.
    fn goes_up(&self, flat: f64) -> bool {
        self.shifted(flat).cholesky_solve(&mut vec![0.0; self.H.rows]).is_some()
    }
}
