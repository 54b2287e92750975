//! Sparse factors L D Lᵀ of symmetric matrices that need not be definite, with pivots of one or two unknowns chosen by their numbers: tangent
//! stiffness and constraint rows together, [K Φᵀ; Φ 0]. Their signs tell how many eigenvalues are negative (Sylvester's law of inertia).
//!
//! The shortest row is eliminated next (Markowitz), where its own entry is large enough against the others or together with one that it is
//! tied to (Bunch and Parlett's test in the form of Duff and Reid); a row without such a partner waits until it has changed.

use crate::sparse::Waiting;

/// Growth of numbers in one step of elimination is held below the inverse of this.
const THRESHOLD: f64 = 0.05;
/// Where no pivot does, this part of it is asked for …
const LESS: f64 = 1e-3;
/// … down to this, where growth leaves half of the digits.
const LEAST: f64 = 1e-10;
const NONE: usize = usize::MAX;

/// A symmetric matrix by rows, both halves, with every diagonal entry.
#[derive(Debug, Clone)]
pub struct SymmetricRows {
    rows: Vec<Vec<(usize, f64)>>,
}

/// Factors of such a matrix.
#[derive(Debug, Clone)]
pub struct Symmetric {
    pivots: Vec<Pivot>,
    /// Rows below each pivot with the factors of its one or two unknowns, one pivot after the other.
    below: Vec<(usize, [f64; 2])>,
    negative: usize,
}

#[derive(Debug, Clone, Copy)]
struct Pivot {
    /// Its unknowns; the second is none where there is one.
    unknowns: [usize; 2],
    /// Inverse of its block: both diagonal entries and that between.
    inverse: [f64; 3],
    /// Where its rows end.
    end: usize,
}

impl SymmetricRows {
    /// Of `n` rows, all zero.
    pub fn zeros(n: usize) -> SymmetricRows {
        SymmetricRows { rows: (0..n).map(|i| vec![(i, 0.0)]).collect() }
    }

    /// Adds to the entry of `i` and `j`, and to that of `j` and `i`.
    pub fn add(&mut self, i: usize, j: usize, value: f64) {
        let mut put = |row: usize, column: usize| {
            let row = &mut self.rows[row];
            match row.binary_search_by_key(&column, |e| e.0) {
                Ok(k) => row[k].1 += value,
                Err(k) => row.insert(k, (column, value)),
            }
        };
        put(i, j);
        if i != j {
            put(j, i);
        }
    }

    /// Largest entry in size.
    pub fn largest(&self) -> f64 {
        self.rows.iter().map(|row| largest(row, NONE)).fold(0.0, f64::max)
    }

    /// The product with a vector.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        self.rows.iter().map(|row| row.iter().map(|(c, a)| a * x[*c]).sum()).collect()
    }
}

fn largest(row: &[(usize, f64)], but: usize) -> f64 {
    row.iter().filter(|e| e.0 != but).fold(0.0, |most, e| most.max(e.1.abs()))
}

fn entry(row: &[(usize, f64)], column: usize) -> f64 {
    row.binary_search_by_key(&column, |e| e.0).map_or(0.0, |k| row[k].1)
}

impl Symmetric {
    /// Factors a matrix; `None` where it is singular but for rounding, or no number.
    pub fn factor(matrix: &SymmetricRows) -> Option<Symmetric> {
        let mut rows = matrix.rows.clone();
        let n = rows.len();
        let scale: Vec<f64> = rows.iter().map(|row| largest(row, NONE)).collect();
        let mut queue = Waiting::new(n);
        rows.iter().enumerate().for_each(|(i, row)| queue.put(i, row.len()));
        let mut gone = vec![false; n];
        let mut made = Symmetric { pivots: Vec::with_capacity(n), below: Vec::new(), negative: 0 };
        let mut threshold = THRESHOLD;
        let mut merged = Vec::new();
        let mut left = n;
        while left > 0 {
            let Some((_, i)) = queue.first() else {
                // Rows that found no partner and have not changed since: what holds numbers down less must do.
                if threshold < LEAST {
                    return None;
                }
                threshold *= LESS;
                (0..n).filter(|i| !gone[*i]).for_each(|i| queue.put(i, rows[i].len()));
                continue;
            };
            queue.take(i);
            let Some(unknowns) = partner(&rows, i, threshold, &scale) else { continue };
            let start = made.below.len();
            made.eliminate(&mut rows, unknowns, &mut merged)?;
            for unknown in unknowns.into_iter().filter(|k| *k != NONE) {
                queue.take(unknown);
                gone[unknown] = true;
                left -= 1;
            }
            for (r, _) in &made.below[start..] {
                queue.put(*r, rows[*r].len());
            }
        }
        Some(made)
    }

    /// How many eigenvalues are negative.
    pub fn negative(&self) -> usize {
        self.negative
    }

    fn eliminate(
        &mut self,
        rows: &mut [Vec<(usize, f64)>],
        unknowns: [usize; 2],
        merged: &mut Vec<(usize, f64)>,
    ) -> Option<()> {
        let [i, j] = unknowns;
        let mut of = std::mem::take(&mut rows[i]);
        let a = entry(&of, i);
        of.retain(|e| e.0 != i);
        let (with, inverse) = match j {
            NONE => {
                self.negative += usize::from(a < 0.0);
                (Vec::new(), [1.0 / a, 0.0, 0.0])
            }
            _ => {
                let mut with = std::mem::take(&mut rows[j]);
                let (b, c) = (entry(&of, j), entry(&with, j));
                let determinant = a * c - b * b;
                self.negative += if determinant < 0.0 { 1 } else { 2 * usize::from(a + c < 0.0) };
                of.retain(|e| e.0 != j);
                with.retain(|e| e.0 != i && e.0 != j);
                (with, [c / determinant, -b / determinant, a / determinant])
            }
        };
        if !inverse.iter().all(|x| x.is_finite()) {
            return None;
        }
        // Both rows over all that either touches.
        let (mut p, mut q) = (0, 0);
        let start = self.below.len();
        while p < of.len() || q < with.len() {
            let (c, d) = (of.get(p).map_or(NONE, |e| e.0), with.get(q).map_or(NONE, |e| e.0));
            let x = if c <= d { of[p].1 } else { 0.0 };
            let y = if d <= c { with[q].1 } else { 0.0 };
            (p, q) = (p + usize::from(c <= d), q + usize::from(d <= c));
            self.below.push((c.min(d), [x, y]));
        }
        let [first, between, second] = inverse;
        for k in start..self.below.len() {
            let (r, [x, y]) = self.below[k];
            let factors = [first * x + between * y, between * x + second * y];
            merged.clear();
            subtract(&rows[r], [i, j], &self.below[start..], factors, merged);
            std::mem::swap(&mut rows[r], merged);
        }
        for (_, xy) in &mut self.below[start..] {
            let [x, y] = *xy;
            *xy = [first * x + between * y, between * x + second * y];
        }
        self.pivots.push(Pivot { unknowns, inverse, end: self.below.len() });
        Some(())
    }

    /// Solves for the unknowns in place of the right-hand side.
    pub fn solve(&self, x: &mut [f64]) {
        let mut start = 0;
        for pivot in &self.pivots {
            let [i, j] = pivot.unknowns;
            let (a, b) = (x[i], if j == NONE { 0.0 } else { x[j] });
            for (r, [p, q]) in &self.below[start..pivot.end] {
                x[*r] -= p * a + q * b;
            }
            start = pivot.end;
        }
        for (k, pivot) in self.pivots.iter().enumerate().rev() {
            let [i, j] = pivot.unknowns;
            let [first, between, second] = pivot.inverse;
            let (a, b) = (x[i], if j == NONE { 0.0 } else { x[j] });
            let (mut p, mut q) = (first * a + between * b, between * a + second * b);
            let start = k.checked_sub(1).map_or(0, |before| self.pivots[before].end);
            for (r, [f, g]) in &self.below[start..pivot.end] {
                p -= f * x[*r];
                q -= g * x[*r];
            }
            x[i] = p;
            if j != NONE {
                x[j] = q;
            }
        }
    }
}

/// The unknowns of a pivot with row `i`: itself, or itself and another; `None` where no choice holds numbers down.
fn partner(rows: &[Vec<(usize, f64)>], i: usize, threshold: f64, scale: &[f64]) -> Option<[usize; 2]> {
    /// What is left of a row below this part of what it was is rounding.
    const ROUNDING: f64 = 1e-14;
    let (own, most) = (entry(&rows[i], i), largest(&rows[i], i));
    if own.abs() >= threshold * most && own.abs() > ROUNDING * scale[i] {
        return Some([i, NONE]);
    }
    let fits = |(j, b): &(usize, f64)| {
        let (c, beyond) = (entry(&rows[*j], *j), |row: usize| {
            rows[row].iter().filter(|e| e.0 != i && e.0 != *j).fold(0.0f64, |most, e| most.max(e.1.abs()))
        });
        let determinant = (own * c - b * b).abs();
        let (x, y) = (beyond(i), beyond(*j));
        let grown = (c.abs() * x + b.abs() * y).max(b.abs() * x + own.abs() * y);
        b.abs() > ROUNDING * scale[i] && determinant > 0.0 && grown * threshold <= determinant
    };
    let others = rows[i].iter().filter(|e| e.0 != i && e.1.abs() > 0.0);
    let best = others.filter(|e| fits(e)).min_by(|a, b| {
        let length = |e: &(usize, f64)| rows[e.0].len();
        length(a).cmp(&length(b)).then(b.1.abs().total_cmp(&a.1.abs())).then(a.0.cmp(&b.0))
    })?;
    Some([i, best.0])
}

/// A row less the pivot's rows times these factors, without the pivot's columns.
fn subtract(
    target: &[(usize, f64)],
    [i, j]: [usize; 2],
    pivot: &[(usize, [f64; 2])],
    [f, g]: [f64; 2],
    out: &mut Vec<(usize, f64)>,
) {
    let (mut p, mut q) = (0, 0);
    while p < target.len() || q < pivot.len() {
        let (c, d) = (target.get(p).map_or(NONE, |e| e.0), pivot.get(q).map_or(NONE, |e| e.0));
        let mut value = 0.0;
        if c <= d {
            value = target[p].1;
            p += 1;
        }
        if d <= c {
            let [x, y] = pivot[q].1;
            value -= f * x + g * y;
            q += 1;
        }
        let column = c.min(d);
        if column != i && column != j {
            out.push((column, value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dense::Matrix;
    use crate::random::Random;

    /// A random tangent: K of a chain with neighbours, and rows that tie neighbours together.
    fn tangent(random: &mut Random, bodies: usize, indefinite: bool) -> (SymmetricRows, Vec<Vec<f64>>) {
        let n = 2 * bodies;
        let mut sparse = SymmetricRows::zeros(n + bodies);
        let mut dense = vec![vec![0.0; n + bodies]; n + bodies];
        let mut add = |i: usize, j: usize, x: f64| {
            sparse.add(i, j, x);
            dense[i][j] += x;
            if i != j {
                dense[j][i] += x;
            }
        };
        for i in 0..n {
            // Half of the diagonal is zero, as of bodies that only constraints hold.
            let own = if i % 2 == 0 { 0.0 } else { 3.0 + random.unit() };
            add(i, i, if indefinite && i % 5 == 1 { -own } else { own });
            if i >= 2 {
                add(i, i - 2, random.signed());
            }
        }
        for k in 0..bodies {
            add(n + k, 2 * k, 1.0 + random.unit());
            add(n + k, 2 * k + 1, random.signed());
            if k > 0 {
                add(n + k, 2 * k - 2, random.signed());
            }
        }
        (sparse, dense)
    }

    #[test]
    fn solutions_and_inertia_are_those_of_dense_matrices() {
        for seed in 1..60 {
            let mut random = Random(seed);
            let bodies = 2 + seed as usize % 9;
            let (sparse, dense) = tangent(&mut random, bodies, seed % 2 == 0);
            let n = dense.len();
            let factors = Symmetric::factor(&sparse).unwrap();
            let exact: Vec<f64> = (0..n).map(|_| random.signed()).collect();
            let mut x = sparse.times(&exact);
            factors.solve(&mut x);
            let error = x.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            // Conditions of some thousands.
            assert!(error < 1e-9, "seed {seed}: {error:e}");
            let matrix = Matrix { rows: n, columns: n, entries: dense.concat() };
            let values = crate::eigen::eigenvalues(&matrix).unwrap();
            let negative = values.iter().filter(|v| v.0 < 0.0).count();
            assert_eq!(factors.negative(), negative, "seed {seed}");
        }
    }

    #[test]
    fn a_chain_is_factored_in_its_own_length() {
        let entries = |bodies: usize| {
            let (sparse, _) = tangent(&mut Random(3), bodies, false);
            Symmetric::factor(&sparse).unwrap().below.len()
        };
        let (short, long) = (entries(50), entries(200));
        assert!(long < 5 * short, "{short} entries, {long} of four times as much");
    }

    #[test]
    fn singular_matrices_are_told() {
        let mut rows = SymmetricRows::zeros(3);
        rows.add(0, 0, 1.0);
        rows.add(0, 1, 1.0);
        rows.add(1, 1, 1.0);
        rows.add(2, 2, 2.0);
        assert!(Symmetric::factor(&rows).is_none());
        rows.add(1, 1, 1.0);
        assert_eq!(Symmetric::factor(&rows).unwrap().negative(), 0);
    }
}
