//! The multipliers λ of Φ_vᵀ λ = b, the shortest where they are not unique.
//!
//! Rows that depend on others span a left null space: for each such row d the combination y of pivot rows that equals it gives
//! the null vector e_d − y. A particular λ from the factors is freed of its part in that space. Where many rows are redundant
//! that costs the cube of their number, and the shortest λ is taken from the sparse system
//! [I Φ_v; Φ_vᵀ 0] (λ, w) = (r, b) with r = 0 instead; with b = 0 the same system leaves of any r its part in the null space.

use crate::math::dense::Matrix;
use crate::math::ldl::Ldl;
use crate::math::sparse::{Elimination, Pattern};
use crate::solve::vectors::{dot, max_abs};
use crate::system::Workspace;

/// Redundant rows up to which null vectors are made one by one.
const FEW: usize = 48;

/// Solves for multipliers; scratch is made once.
#[derive(Debug, Default)]
pub struct Multipliers {
    /// One for each row of the workspace's pattern (idle rows last), for the scaled rows.
    pub lambda: Vec<f64>,
    /// A vector of the left null space without any special place in it; all zero where rows are independent.
    pub generic: Vec<f64>,
    work: Vec<f64>,
    row: Vec<f64>,
    null: Vec<Vec<f64>>,
    gram: Matrix,
    parts: Vec<f64>,
    augmented: Option<Augmented>,
}

impl Multipliers {
    /// λ for the generalised forces `b` (scaled as Φ_v's columns), with Φ_v factored in the workspace.
    pub fn solve(&mut self, ws: &Workspace, b: &[f64]) {
        match &ws.elimination {
            Some(elimination) => self.find(&ws.pattern, &ws.evaluation.phi_v, elimination, b),
            None => self.lambda.fill(0.0),
        }
    }

    /// The same for a matrix and its factors.
    fn find(&mut self, pattern: &Pattern, values: &[f64], elimination: &Elimination, b: &[f64]) {
        let (rows, columns) = (pattern.rows(), pattern.columns);
        self.lambda.resize(rows, 0.0);
        self.generic.resize(rows, 0.0);
        self.generic.fill(0.0);
        self.work.resize(columns, 0.0);
        self.row.resize(columns, 0.0);
        elimination.solve_transposed(b, &mut self.lambda, &mut self.work);
        let redundant = elimination.dependent_rows().len();
        if redundant == 0 {
            return;
        }
        if redundant <= FEW {
            self.null_vectors(pattern, values, elimination);
            self.shorten();
        } else {
            let augmented = self.augmented.get_or_insert_with(|| Augmented::new(pattern));
            augmented.factor(values);
            augmented.solve(|_| 0.0, b, values, &mut self.lambda);
            augmented.solve(share, &[], values, &mut self.generic);
        }
    }

    /// One null vector for each redundant row, and a mixture of all.
    fn null_vectors(&mut self, pattern: &Pattern, values: &[f64], elimination: &Elimination) {
        let rows = pattern.rows();
        let dependent = elimination.dependent_rows();
        self.null.resize_with(dependent.len(), Vec::new);
        for (k, (d, vector)) in dependent.iter().zip(&mut self.null).enumerate() {
            self.row.fill(0.0);
            for e in pattern.range(*d) {
                self.row[pattern.index[e]] = values[e];
            }
            vector.resize(rows, 0.0);
            elimination.solve_transposed(&self.row, vector, &mut self.work);
            for x in vector.iter_mut() {
                *x = -*x;
            }
            vector[*d] += 1.0;
            for (generic, x) in self.generic.iter_mut().zip(vector.iter()) {
                *generic += share(k) * x;
            }
        }
    }

    /// (NᵀN) c = Nᵀλ, then λ − N c.
    fn shorten(&mut self) {
        let null = &self.null;
        let (gram, c) = (&mut self.gram, &mut self.parts);
        (gram.rows, gram.columns) = (null.len(), null.len());
        gram.entries.clear();
        gram.entries.resize(null.len() * null.len(), 0.0);
        c.clear();
        c.extend(null.iter().map(|n| dot(n, &self.lambda)));
        for (i, a) in null.iter().enumerate() {
            for (j, b) in null.iter().enumerate().take(i + 1) {
                gram.row_mut(i)[j] = dot(a, b);
            }
        }
        if gram.cholesky_solve(c).is_some() {
            for (n, c) in null.iter().zip(&*c) {
                for (lambda, n) in self.lambda.iter_mut().zip(n) {
                    *lambda -= c * n;
                }
            }
        }
    }
}

/// A number between ½ and 1½ of either sign, another for each k: multiples of the golden ratio never come in step.
fn share(k: usize) -> f64 {
    let fraction = (0.618_033_988_749_894_9 * (k + 1) as f64).fract();
    if k.is_multiple_of(2) {
        0.5 + fraction
    } else {
        -0.5 - fraction
    }
}

/// The matrix [I Φ_v; Φ_vᵀ −ε] with its factors. The unit matrix is eliminated first, which leaves Φ_vᵀ Φ_v: as sparse as
/// neighbours are few. Velocities that no row holds have the tiny ε for a pivot; what it and rounding leave is solved for again.
#[derive(Debug)]
struct Augmented {
    pattern: Pattern,
    ldl: Ldl,
    /// Where each entry of Φ_v lies in the matrix, and each ε.
    places: Vec<usize>,
    softness: Vec<usize>,
    sound: bool,
    side: Vec<f64>,
    x: Vec<f64>,
    more: Vec<f64>,
    y: Vec<f64>,
}

/// ε against a column's part of Φ_vᵀ Φ_v.
const SOFT: f64 = 1e-13;
/// Largest number of further solves.
const AGAIN: usize = 6;

impl Augmented {
    fn new(pattern: &Pattern) -> Augmented {
        let (rows, columns) = (pattern.rows(), pattern.columns);
        let entries = || (0..rows).flat_map(|i| pattern.range(i).map(move |k| (rows + pattern.index[k], i)));
        let mut ldl = Ldl::new(rows + columns, rows, entries());
        for i in 0..rows {
            let place = ldl.entry(i, i);
            ldl.entries[place] = 1.0;
        }
        let zeros = || vec![0.0; rows + columns];
        Augmented {
            pattern: pattern.clone(),
            places: entries().map(|(c, i)| ldl.entry(c, i)).collect(),
            softness: (0..columns).map(|c| ldl.entry(rows + c, rows + c)).collect(),
            ldl,
            sound: false,
            side: zeros(),
            x: zeros(),
            more: zeros(),
            y: zeros(),
        }
    }

    fn factor(&mut self, jacobian: &[f64]) {
        let (entries, columns) = (&mut self.ldl.entries, &mut self.y[..self.pattern.columns]);
        columns.fill(0.0);
        for ((place, x), column) in self.places.iter().zip(jacobian).zip(&self.pattern.index) {
            entries[*place] = *x;
            columns[*column] += x * x;
        }
        let most = columns.iter().fold(0.0f64, |m, x| m.max(*x));
        for (place, size) in self.softness.iter().zip(columns.iter()) {
            entries[*place] = -SOFT * if *size > 0.0 { *size } else { most.max(1.0) };
        }
        self.sound = self.ldl.factor(0.0);
    }

    /// λ for that r and for b, or none where it is empty; as it is where there are no factors.
    fn solve(&mut self, r: impl Fn(usize) -> f64, b: &[f64], jacobian: &[f64], lambda: &mut [f64]) {
        let rows = lambda.len();
        if !self.sound {
            return;
        }
        self.x.fill(0.0);
        for _ in 0..=AGAIN {
            for k in 0..rows {
                self.side[k] = r(k) - self.x[k];
            }
            for (c, side) in self.side[rows..].iter_mut().enumerate() {
                *side = b.get(c).copied().unwrap_or(0.0);
            }
            for i in 0..rows {
                for k in self.pattern.range(i) {
                    let c = rows + self.pattern.index[k];
                    self.side[i] -= jacobian[k] * self.x[c];
                    self.side[c] -= jacobian[k] * self.x[i];
                }
            }
            self.ldl.solve(&self.side, &mut self.more, &mut self.y);
            self.x.iter_mut().zip(&self.more).for_each(|(x, more)| *x += more);
            if max_abs(&self.more[..rows]) <= f64::EPSILON * max_abs(&self.x[..rows]) {
                break;
            }
        }
        lambda.copy_from_slice(&self.x[..rows]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::newton::RANK_TOLERANCE;

    /// Roundings of a system of condition below 100.
    const ROUNDING: f64 = 1e-12;

    /// Both routes give the λ of the pseudo-inverse, for a chain of blocks with one redundant row each.
    #[test]
    fn both_routes_give_the_shortest() {
        for blocks in [3, FEW + 5] {
            let mut pattern = Pattern::new(2 * blocks);
            let mut values = Vec::new();
            for k in 0..blocks {
                let (c, s) = (0.3 * k as f64).sin_cos();
                for row in [[2.0 + c, s], [-s, 1.5], [1.0 - c, 0.5 + s]] {
                    pattern.push_row(&[2 * k, 2 * k + 1]);
                    values.extend(row);
                }
            }
            let b: Vec<f64> = (0..2 * blocks).map(|k| (1.7 * k as f64).cos()).collect();
            let mut elimination = Elimination::analyse(&pattern, &values, RANK_TOLERANCE, &[]);
            elimination.refactor(&pattern, &values).unwrap();
            assert_eq!(elimination.dependent_rows().len(), blocks);
            let mut found = Multipliers::default();
            found.find(&pattern, &values, &elimination, &b);
            for k in 0..blocks {
                // One block by hand: the shortest λ with Aᵀ λ = b is A (AᵀA)⁻¹ b, and the null space is the cross product of
                // A's columns.
                let a: Vec<[f64; 2]> = values[6 * k..6 * k + 6].chunks(2).map(|r| [r[0], r[1]]).collect();
                let sum = |p: usize, q: usize| a.iter().map(|r| r[p] * r[q]).sum::<f64>();
                let (xx, xy, yy) = (sum(0, 0), sum(0, 1), sum(1, 1));
                let det = xx * yy - xy * xy;
                let (f, g) = (b[2 * k], b[2 * k + 1]);
                let w = [(yy * f - xy * g) / det, (xx * g - xy * f) / det];
                for (i, r) in a.iter().enumerate() {
                    let off = found.lambda[3 * k + i] - (r[0] * w[0] + r[1] * w[1]);
                    assert!(off.abs() < ROUNDING, "{blocks} blocks, block {k}: {off:e}");
                }
                let cross = |i: usize| a[(i + 1) % 3][0] * a[(i + 2) % 3][1] - a[(i + 2) % 3][0] * a[(i + 1) % 3][1];
                let n: Vec<f64> = (0..3).map(|i| found.generic[3 * k + i]).collect();
                assert!(n.iter().any(|x| x.abs() > 1e-3), "{blocks} blocks, block {k} has no null vector");
                for i in 0..3 {
                    let j = (i + 1) % 3;
                    assert!((n[i] * cross(j) - n[j] * cross(i)).abs() < ROUNDING * 10.0);
                }
            }
        }
    }
}
