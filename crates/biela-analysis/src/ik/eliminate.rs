//! First guesses for all postures of six turning axes, by elimination [Raghavan, Roth 1993; Manocha, Canny 1994].
//!
//! With D the motion that takes the body from where it is with all angles at zero to its goal, E_3 E_4 E_5 E_6 = E_2⁻¹ E_1⁻¹ D. E_6 moves
//! neither a point o of its axis nor its direction u, so that with p and l the images of both (seen from a point of axis 3) each of
//!
//! ```text
//!   p, l, p·p, p·l, p×l, (p·p) l − 2 (p·l) p                                          14 numbers
//! ```
//! is the same by θ_3, θ_4, θ_5 on the left and by θ_1, θ_2 on the right, and each is of first order in the cosine and sine of each angle: the
//! span of these numbers with 1 is carried into itself by any motion. Their coefficients follow from values at three angles of each.
//! What is perpendicular to the eight columns of the right leaves six equations P(θ_3) m = 0 in the nine products m of (1, c_4, s_4) and
//! (1, c_5, s_5). In half tangents x, and multiplied once more by x_4, these are twelve equations linear in the twelve x_4^i x_5^j, i ≤ 3,
//! j ≤ 2, and quadratic in x_3: A x_3² + B x_3 + C is singular for at most 16 values that mean something, found as eigenvalues of a
//! 24 × 24 matrix.
//!
//! What comes out is a list of guesses. They are corrected and judged by where the chain then is, as all others are: nothing is
//! lost where an arm is so special that the equations say nothing.

#![allow(non_snake_case)] // D, A, B, C, P: matrices of the module's mathematics.

use super::chain::Chain;
use crate::math::dense::Matrix;
use crate::math::eigen::eigenvalues;
use crate::math::random::Random;
use crate::math::{Elementary, Pose, Vec3};
use crate::solve::priority::projection::Projector;
use std::f64::consts::TAU;

const NUMBERS: usize = 14;
/// References from which angles are counted: half a turn away from them lies the infinite half tangent, so no posture may.
const REFERENCES: [[f64; 3]; 3] = [[0.3, 1.1, -0.7], [2.1, -1.9, 0.9], [-1.3, 2.6, -2.2]];
/// Imaginary part of a half tangent, against 1 + x², up to which its real part is tried: a double root is known to half its digits.
const REAL: f64 = 1e-2;

/// Guesses for the angles of six turning axes that bring the last body to `target`.
pub(super) fn guesses(chain: &Chain, target: &Pose) -> Vec<Vec<f64>> {
    if chain.len() != 6 || !chain.is_turning() {
        return Vec::new();
    }
    let mut list = Vec::new();
    for reference in REFERENCES {
        if let Some(found) = (Elimination { chain, D: *target * chain.home.inverse(), reference }).guesses() {
            list = found;
            break;
        }
    }
    list
}

struct Elimination<'c> {
    chain: &'c Chain,
    D: Pose,
    /// What is added to θ_3, θ_4, θ_5.
    reference: [f64; 3],
}

/// Coefficients of 1, cos, sin from values at 0, 1/3 and 2/3 of a turn.
fn wave(values: [f64; 3]) -> [f64; 3] {
    let [a, b, c] = values;
    [(a + b + c) / 3.0, (2.0 * a - b - c) / 3.0, (b - c) / 3f64.sqrt()]
}

/// 1, cos, sin as coefficients of x⁰, x¹, x² over 1 + x².
const HALF: [[f64; 3]; 3] = [[1.0, 0.0, 1.0], [1.0, 0.0, -1.0], [0.0, 2.0, 0.0]];

impl Elimination<'_> {
    /// The fourteen numbers of a point and a direction.
    fn numbers(&self, p: Vec3, l: Vec3) -> [f64; NUMBERS] {
        let p = (p - self.chain.axes[2].origin) * (1.0 / self.chain.reach());
        let (pp, pl) = (p.dot(p), p.dot(l));
        let (across, last) = (p.cross(l), l * pp - p * (2.0 * pl));
        let mut out = [0.0; NUMBERS];
        let parts = [p.x, p.y, p.z, l.x, l.y, l.z, pp, pl, across.x, across.y, across.z, last.x, last.y, last.z];
        out.copy_from_slice(&parts);
        out
    }

    /// The point of axis 6 nearest to where axis 5 is given, and the direction.
    fn line(&self) -> (Vec3, Vec3) {
        let (near, axis) = (self.chain.axes[4].origin, &self.chain.axes[5]);
        (axis.origin + axis.u * (near - axis.origin).dot(axis.u), axis.u)
    }

    /// E_k by the angle itself, whichever sense the joint has.
    fn turned(&self, k: usize, angle: f64) -> Pose {
        self.chain.axes[k].moved(self.chain.axes[k].sense * angle)
    }

    fn left(&self, angles: [f64; 3]) -> [f64; NUMBERS] {
        let (o, u) = self.line();
        let X = self.turned(2, angles[0]) * self.turned(3, angles[1]) * self.turned(4, angles[2]);
        self.numbers(X.apply(o), X.rotation.apply(u))
    }

    fn right(&self, angles: [f64; 2]) -> [f64; NUMBERS] {
        let (o, u) = self.line();
        let X = self.turned(1, -angles[1]) * self.turned(0, -angles[0]) * self.D;
        self.numbers(X.apply(o), X.rotation.apply(u))
    }

    /// Coefficients by (1, c_3, s_3), (1, c_4, s_4), (1, c_5, s_5) of the numbers on the left.
    fn left_waves(&self) -> [[[[f64; 3]; 3]; 3]; NUMBERS] {
        let mut out = [[[[0.0; 3]; 3]; 3]; NUMBERS];
        let at = |k: usize, j: usize| self.reference[k] + TAU * j as f64 / 3.0;
        for a in 0..3 {
            for b in 0..3 {
                for c in 0..3 {
                    let values = self.left([at(0, a), at(1, b), at(2, c)]);
                    (0..NUMBERS).for_each(|i| out[i][a][b][c] = values[i]);
                }
            }
        }
        for number in &mut out {
            for x in 0..3 {
                for y in 0..3 {
                    let along = wave([0, 1, 2].map(|k| number[k][x][y]));
                    (0..3).for_each(|k| number[k][x][y] = along[k]);
                }
            }
            for x in 0..3 {
                for y in 0..3 {
                    let along = wave([0, 1, 2].map(|k| number[x][k][y]));
                    (0..3).for_each(|k| number[x][k][y] = along[k]);
                }
            }
            for row in number.iter_mut().flatten() {
                *row = wave(*row);
            }
        }
        out
    }

    /// Coefficients by (1, c_1, s_1), (1, c_2, s_2) of the numbers on the right.
    fn right_waves(&self) -> [[[f64; 3]; 3]; NUMBERS] {
        let mut out = [[[0.0; 3]; 3]; NUMBERS];
        for a in 0..3 {
            for b in 0..3 {
                let values = self.right([TAU * a as f64 / 3.0, TAU * b as f64 / 3.0]);
                (0..NUMBERS).for_each(|i| out[i][a][b] = values[i]);
            }
        }
        for number in &mut out {
            for y in 0..3 {
                let along = wave([0, 1, 2].map(|k| number[k][y]));
                (0..3).for_each(|k| number[k][y] = along[k]);
            }
            for row in number.iter_mut() {
                *row = wave(*row);
            }
        }
        out
    }

    fn guesses(&self) -> Option<Vec<Vec<f64>>> {
        let (left, right) = (self.left_waves(), self.right_waves());
        // Columns of the right but for the constant one, as rows.
        let mut columns = Matrix::zeros(8, NUMBERS);
        for k in 0..8 {
            for i in 0..NUMBERS {
                columns.row_mut(k)[i] = right[i][(k + 1) / 3][(k + 1) % 3];
            }
        }
        let mut rest = Projector::new(&columns).rest(NUMBERS);
        if rest.len() > 6 {
            // More equations than needed: six mixtures of them.
            let mut random = Random(3);
            let mixture = |_: usize| {
                let mut sum = vec![0.0; NUMBERS];
                for row in &rest {
                    let factor = random.signed();
                    sum.iter_mut().zip(row).for_each(|(s, x)| *s += factor * x);
                }
                sum
            };
            rest = (0..6).map(mixture).collect();
        }
        // A, B, C: entries by powers of x_3.
        let mut powers = [Matrix::zeros(12, 12), Matrix::zeros(12, 12), Matrix::zeros(12, 12)];
        for (row, weights) in rest.iter().enumerate() {
            for a in 0..3 {
                for b in 0..3 {
                    for c in 0..3 {
                        let mut sum: f64 = (0..NUMBERS).map(|i| weights[i] * left[i][a][b][c]).sum();
                        if (a, b, c) == (0, 0, 0) {
                            sum -= (0..NUMBERS).map(|i| weights[i] * right[i][0][0]).sum::<f64>();
                        }
                        for (p, power) in powers.iter_mut().enumerate() {
                            for i in 0..3 {
                                for j in 0..3 {
                                    let x = sum * HALF[a][p] * HALF[b][i] * HALF[c][j];
                                    power.row_mut(row)[3 * i + j] += x;
                                    power.row_mut(row + 6)[3 * (i + 1) + j] += x;
                                }
                            }
                        }
                    }
                }
            }
        }
        let [C, B, A] = powers;
        let roots = eigenvalues(&companion(&A, &B, &C)?)?;
        let mut list = Vec::new();
        for (x, imaginary) in roots {
            if imaginary.abs() > REAL * (1.0 + x * x) || !x.is_finite() {
                continue;
            }
            let mut M = C.clone();
            for (m, (b, a)) in M.entries.iter_mut().zip(B.entries.iter().zip(&A.entries)) {
                *m = (*m + x * b + x * x * a) / (1.0 + x * x);
            }
            let Some(monomials) = null_vector(M) else { continue };
            let third = 2.0 * x.arctangent() + self.reference[0];
            let ratio = |step: usize, pairs: &[usize]| {
                let both: f64 = pairs.iter().map(|k| monomials[*k] * monomials[k + step]).sum();
                let low: f64 = pairs.iter().map(|k| monomials[*k] * monomials[*k]).sum();
                2.0 * both.arctangent2(low)
            };
            let fourth = ratio(3, &[0, 1, 2, 3, 4, 5, 6, 7, 8]) + self.reference[1];
            let fifth = ratio(1, &[0, 1, 3, 4, 6, 7, 9, 10]) + self.reference[2];
            list.push(self.completed(&right, &columns, [third, fourth, fifth]));
        }
        Some(list)
    }

    /// All six angles from θ_3, θ_4, θ_5, in the joints' own senses.
    fn completed(&self, right: &[[[f64; 3]; 3]; NUMBERS], columns: &Matrix, known: [f64; 3]) -> Vec<f64> {
        let values = self.left(known);
        let mut Q = Matrix::zeros(NUMBERS, 8);
        for i in 0..NUMBERS {
            for k in 0..8 {
                Q.row_mut(i)[k] = columns.row(k)[i];
            }
        }
        let side: Vec<f64> = (0..NUMBERS).map(|i| values[i] - right[i][0][0]).collect();
        // c_2, s_2, c_1, c_1 c_2, c_1 s_2, s_1, …
        let y = Q.pseudo_solve(&side, 1e-10);
        let (first, second) = (y[5].arctangent2(y[2]), y[1].arctangent2(y[0]));
        let angles = [first, second, known[0], known[1], known[2]];
        let carried = (0..5).fold(Pose::IDENTITY, |X, k| X * self.turned(k, angles[k]));
        let rest = carried.rotation.transposed() * self.D.rotation;
        let u = self.chain.axes[5].u;
        let side = u.any_perpendicular();
        let turned = rest.apply(side);
        let sixth = u.dot(side.cross(turned)).arctangent2(side.dot(turned));
        let all = angles.into_iter().chain([sixth]);
        self.chain.axes.iter().zip(all).map(|(axis, x)| axis.sense * x).collect()
    }
}

/// The matrix whose eigenvalues are those x for which A x² + B x + C is singular; `None` where A is singular.
fn companion(A: &Matrix, B: &Matrix, C: &Matrix) -> Option<Matrix> {
    let n = A.columns;
    let lu = A.clone().lu()?;
    let mut whole = Matrix::zeros(2 * n, 2 * n);
    for k in 0..n {
        whole.row_mut(k)[n + k] = 1.0;
        for (of, shift) in [(C, 0), (B, n)] {
            let mut column: Vec<f64> = (0..n).map(|i| -of.row(i)[k]).collect();
            lu.solve(&mut column);
            for (i, x) in column.into_iter().enumerate() {
                whole.row_mut(n + i)[shift + k] = x;
            }
        }
    }
    Some(whole)
}

/// The direction that a matrix, which is all but singular, shortens most.
fn null_vector(mut M: Matrix) -> Option<Vec<f64>> {
    let n = M.columns;
    // A pivot of exactly zero is nudged by rounding's size.
    for k in 0..n {
        M.row_mut(k)[k] += 1e-15;
    }
    let lu = M.lu()?;
    let mut random = Random(5);
    let mut x: Vec<f64> = (0..n).map(|_| random.signed()).collect();
    lu.solve(&mut x);
    let length = x.iter().map(|x| x * x).sum::<f64>().sqrt();
    x.iter_mut().for_each(|x| *x /= length);
    length.is_finite().then_some(x)
}

#[cfg(test)]
mod tests {
    use super::super::chain::{Axis, Correction, Goal};
    use super::*;
    use crate::math::Rotation;

    /// Six turning axes in general position.
    fn arm(random: &mut Random) -> Chain {
        let mut vector = || Vec3::new(random.signed(), random.signed(), random.signed());
        let axes = (0..6).map(|joint| Axis {
            joint,
            coordinate: 0,
            body: joint + 1,
            origin: vector(),
            u: vector().unit().unwrap_or(Vec3::Z),
            sense: if joint % 2 == 0 { 1.0 } else { -1.0 },
            turn: 1.0,
            advance: 0.0,
            limits: [None; 2],
        });
        let axes = axes.collect();
        Chain { axes, home: Pose::new(Rotation::from_rpy(0.3, -0.4, 1.0), vector()) }
    }

    #[test]
    fn every_posture_meant_is_among_the_guesses() {
        /// Guesses come from eigenvalues of a matrix of order 24.
        const GUESSED: f64 = 1e-3;
        let mut random = Random(11);
        let mut missed = 0;
        for _ in 0..40 {
            let chain = arm(&mut random);
            let meant: Vec<f64> = (0..6).map(|_| 3.1 * random.signed()).collect();
            let target = chain.pose(&meant);
            let list = guesses(&chain, &target);
            missed += usize::from(!list.iter().any(|q| chain.apart(q, &meant, 1.0) < GUESSED));
            let rotation = Some(target.rotation);
            let place = target.origin.to_array().map(Some);
            let goal = Goal { p_B: Vec3::ZERO, place, rotation, size: 1.0 };
            let mut correction = Correction::default();
            let close = |mut q: Vec<f64>| {
                let left = correction.correct(&chain, &goal, &mut q);
                left < 1e-12 && chain.apart(&q, &meant, 1.0) < 1e-9
            };
            assert!(list.into_iter().any(close));
        }
        // A guess or two may be coarse where two postures all but meet.
        assert!(missed <= 2, "{missed} of 40");
    }
}
