//! Factors of a sparse matrix, or of several of one pattern side by side: the arithmetic of an elimination whose order is known.
//!
//! Order and pattern are chosen once ([`super::Elimination`]); what follows is the same list of products whatever the numbers are, and is written
//! once over [`Number`]: with `f64` one matrix, with lanes as many as stand in them. A matrix has the same bits whatever stands beside it.

use super::{Pattern, REUSE_THRESHOLD, SHRUNK};
use crate::Number;

/// Which rows are eliminated, in which order and by which columns, and where the factors have entries.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    pub(super) columns: usize,
    /// Pivot rows in order of elimination.
    pub(super) pivot_rows: Vec<u32>,
    /// Pivot column of each pivot row.
    pub(super) pivot_columns: Vec<u32>,
    /// Rows found to depend on the pivot rows, ascending.
    pub(super) dependent_rows: Vec<usize>,
    /// Columns without pivot, ascending.
    pub(super) free_columns: Vec<usize>,
    /// L by rows: pivot numbers j < k that row k needs.
    pub(super) l_starts: Vec<usize>,
    pub(super) l_index: Vec<u32>,
    /// U by rows: columns other than the pivot's.
    pub(super) u_starts: Vec<usize>,
    pub(super) u_index: Vec<u32>,
}

/// The numbers of the factors.
#[derive(Debug, Clone)]
pub struct Factors<N> {
    /// Multipliers of L, and entries of U beside its pivots.
    pub(super) l_values: Vec<N>,
    pub(super) u_values: Vec<N>,
    pub(super) inverse_pivots: Vec<N>,
    /// Sizes of the pivots for the numbers they were chosen for; empty until then.
    pub(super) chosen_pivots: Vec<N>,
    /// Zero between two factorisations.
    work: Vec<N>,
}

impl<N: Number> Factors<N> {
    /// Sizes of the pivots of one lane for the numbers they were chosen for.
    pub fn choose(&mut self, lane: usize, sizes: &[f64]) {
        self.chosen_pivots.resize(self.inverse_pivots.len(), N::splat(0.0));
        self.chosen_pivots.iter_mut().zip(sizes).for_each(|(chosen, size)| chosen.set(lane, *size));
    }

    /// Takes the factors of others in the lanes whose flag is one.
    #[inline(always)]
    pub fn take(&mut self, others: &Factors<N>, flags: N) {
        let both = |own: &mut [N], others: &[N]| {
            for (own, other) in own.iter_mut().zip(others) {
                for lane in 0..N::LANES {
                    let x = if flags.lane(lane) == 1.0 { other.lane(lane) } else { own.lane(lane) };
                    own.set(lane, x);
                }
            }
        };
        both(&mut self.l_values, &others.l_values);
        both(&mut self.u_values, &others.u_values);
        both(&mut self.inverse_pivots, &others.inverse_pivots);
    }

    /// Sign of the product of pivots (zero where one is zero).
    #[inline(always)]
    pub fn sign(&self) -> N {
        let turned = |sign: f64, p: f64| match p {
            p if p > 0.0 => sign,
            p if p < 0.0 => -sign,
            _ => 0.0,
        };
        self.inverse_pivots.iter().fold(N::splat(1.0), |sign, p| sign.zip(*p, turned))
    }
}

impl Order {
    /// Number of independent rows.
    #[inline]
    pub fn rank(&self) -> usize {
        self.pivot_rows.len()
    }

    /// Rows that depend on the others.
    #[inline]
    pub fn dependent_rows(&self) -> &[usize] {
        &self.dependent_rows
    }

    /// Whether every column has its pivot.
    pub fn is_full(&self) -> bool {
        self.free_columns.is_empty()
    }

    /// Room for factors.
    pub fn factors<N: Number>(&self) -> Factors<N> {
        let zeros = |n: usize| vec![N::splat(0.0); n];
        Factors {
            l_values: zeros(self.l_index.len()),
            u_values: zeros(self.u_index.len()),
            inverse_pivots: zeros(self.rank()),
            chosen_pivots: Vec::new(),
            work: zeros(self.columns),
        }
    }

    /// Factors a matrix. One where pivots are as large as they must be; where they are not, the factors are complete all the same (unless a pivot is
    /// exactly zero), but not to be trusted.
    #[inline(always)]
    pub fn factor<N: Number>(&self, pattern: &Pattern, values: &[N], f: &mut Factors<N>) -> N {
        let zero = N::splat(0.0);
        let mut sound = N::splat(1.0);
        let work = &mut f.work[..];
        for k in 0..self.pivot_rows.len() {
            let (l, u) = (self.l_starts[k]..self.l_starts[k + 1], self.u_starts[k]..self.u_starts[k + 1]);
            // `work` is zero here, and is left so: numbers are taken out of it.
            for e in pattern.range(self.pivot_rows[k] as usize) {
                work[pattern.index[e]] = values[e];
            }
            for (j, l) in self.l_index[l.clone()].iter().zip(&mut f.l_values[l]) {
                let j = *j as usize;
                let column = self.pivot_columns[j] as usize;
                let multiplier = std::mem::replace(&mut work[column], zero) * f.inverse_pivots[j];
                *l = multiplier;
                if !multiplier.all(|m| m == 0.0) {
                    let range = self.u_starts[j]..self.u_starts[j + 1];
                    for (c, a) in self.u_index[range.clone()].iter().zip(&f.u_values[range]) {
                        let target = &mut work[*c as usize];
                        *target = *target - multiplier * *a;
                    }
                }
            }
            let pivot = std::mem::replace(&mut work[self.pivot_columns[k] as usize], zero);
            let mut big = zero;
            for (c, u) in self.u_index[u.clone()].iter().zip(&mut f.u_values[u]) {
                let a = std::mem::replace(&mut work[*c as usize], zero);
                *u = a;
                big = big.most(a.abs());
            }
            let mut asked = N::splat(REUSE_THRESHOLD) * big;
            if let Some(chosen) = f.chosen_pivots.get(k) {
                asked = asked.most(N::splat(SHRUNK) * *chosen);
            }
            let enough = |pivot: f64, asked: f64| if pivot.abs() > asked && pivot.is_finite() { 1.0 } else { 0.0 };
            sound = sound * pivot.zip(asked, enough);
            f.inverse_pivots[k] = pivot.map(|p| if p != 0.0 { 1.0 / p } else { 0.0 });
        }
        sound
    }

    /// x with A x = b on the independent rows and zero in the free columns.
    #[inline(always)]
    pub fn solve<N: Number>(&self, f: &Factors<N>, b: &[N], x: &mut [N], y: &mut [N]) {
        for k in 0..self.rank() {
            let range = self.l_starts[k]..self.l_starts[k + 1];
            // As the standard library begins a sum: with the zero that leaves even the other zero as it is.
            let mut sum = N::splat(-0.0);
            for (j, l) in self.l_index[range.clone()].iter().zip(&f.l_values[range]) {
                sum = sum + *l * y[*j as usize];
            }
            y[k] = b[self.pivot_rows[k] as usize] - sum;
        }
        for c in &self.free_columns {
            x[*c] = N::splat(0.0);
        }
        self.back_substitute(f, x, y);
    }

    /// Completes x, whose free columns are set, from U x = y.
    #[inline(always)]
    pub(super) fn back_substitute<N: Number>(&self, f: &Factors<N>, x: &mut [N], y: &[N]) {
        for k in (0..self.rank()).rev() {
            let range = self.u_starts[k]..self.u_starts[k + 1];
            let mut sum = N::splat(-0.0);
            for (c, u) in self.u_index[range.clone()].iter().zip(&f.u_values[range]) {
                sum = sum + *u * x[*c as usize];
            }
            x[self.pivot_columns[k] as usize] = (y[k] - sum) * f.inverse_pivots[k];
        }
    }

    /// λ (one per row, zero for dependent rows) with Aᵀ λ = f; exact where f lies in the row space.
    #[inline(always)]
    pub fn solve_transposed<N: Number>(&self, factors: &Factors<N>, f: &[N], lambda: &mut [N], work: &mut [N]) {
        // Uᵀ z = f forwards, Lᵀ λ = z backwards; z_k takes the place of f in the pivot column of row k.
        work[..self.columns].copy_from_slice(&f[..self.columns]);
        lambda.fill(N::splat(0.0));
        for k in 0..self.rank() {
            let column = self.pivot_columns[k] as usize;
            let z = work[column] * factors.inverse_pivots[k];
            work[column] = z;
            if z.all(|z| z == 0.0) {
                continue;
            }
            for e in self.u_starts[k]..self.u_starts[k + 1] {
                let target = &mut work[self.u_index[e] as usize];
                *target = *target - factors.u_values[e] * z;
            }
        }
        for k in (0..self.rank()).rev() {
            let z = work[self.pivot_columns[k] as usize];
            if z.all(|z| z == 0.0) {
                continue;
            }
            for e in self.l_starts[k]..self.l_starts[k + 1] {
                let target = &mut work[self.pivot_columns[self.l_index[e] as usize] as usize];
                *target = *target - factors.l_values[e] * z;
            }
        }
        for (row, column) in self.pivot_rows.iter().zip(&self.pivot_columns) {
            lambda[*row as usize] = work[*column as usize];
        }
    }

    /// The smallest pivot, against the largest entry of its row before elimination, or what `least` says of that row where all its entries vanish
    /// together: how near the rows are to being dependent.
    #[inline(always)]
    pub fn weakest<N: Number>(&self, pattern: &Pattern, values: &[N], f: &Factors<N>, least: impl Fn(usize) -> N) -> N {
        // The largest reciprocal: 1/x falls as x grows, so the smallest strength has the same bits.
        let mut weakest = N::splat(0.0);
        for (row, inverse) in self.pivot_rows.iter().zip(&f.inverse_pivots) {
            let row = *row as usize;
            let mut scale = least(row);
            for a in &values[pattern.range(row)] {
                scale = scale.zip(a.abs(), |scale, a| if a > scale { a } else { scale });
            }
            let strength = |p: f64, scale: f64| if p == 0.0 { f64::INFINITY } else { p.abs() * scale };
            weakest = weakest.zip(inverse.zip(scale, strength), f64::max);
        }
        weakest.map(|x| 1.0 / x)
    }
}
