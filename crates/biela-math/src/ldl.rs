//! Sparse L D Lᵀ factors of symmetric matrices [M Φᵀ; Φ −μ] with M positive definite, without pivoting.
//!
//! The order is chosen once, by least degree, with every row of Φ after the unknowns it ties together: its pivot is then minus a
//! part of Φ M⁻¹ Φᵀ + μ and never vanishes. For chains of loops the factors stay as long as the chain. The places that each
//! elimination step changes are listed beforehand, so that factoring is one pass over numbers and lists.
//!
//! A step of elimination waits for the one before it far longer than it computes, so unknowns that do not touch each other are
//! eliminated one after the other, level by level of the elimination tree. Where degrees are nearly alike, as along a chain of loops, taking
//! many of them at once (every second loop, then every fourth, …) makes few levels at the price of more entries; what costs least by a
//! count of both is taken (`Order::cost`).

mod order;

use order::Order;
use std::collections::BTreeSet;

/// Runs a piece of code with the length of a short column as a constant, so that its loop has a known length: numbers stay in
/// registers, and no branch is guessed wrong. Long columns take the other piece.
macro_rules! by_length {
    ($count:expr, $n:ident => $short:expr, $long:expr) => {
        by_length!(@ $count, $n, $short, $long, 0 1 2 3 4 5 6 7 8)
    };
    (@ $count:expr, $n:ident, $short:expr, $long:expr, $($length:literal)*) => {
        match $count {
            $($length => { const $n: usize = $length; $short })*
            _ => $long,
        }
    };
}

/// Order, pattern and numbers of the factors.
#[derive(Debug, Clone, Default)]
pub struct Ldl {
    /// Unknown that is eliminated at each place, and the place of each unknown.
    order: Vec<u32>,
    place: Vec<u32>,
    /// True for places whose pivot is positive.
    positive: Vec<bool>,
    /// Columns of L below the diagonal: where each starts, and its rows.
    starts: Vec<u32>,
    rows: Vec<u32>,
    /// For each column, for each pair of its entries, the number that elimination changes, counted from the column's end.
    targets: Vec<u32>,
    /// Numbers to be factored, column by column, the diagonal first in each.
    pub entries: Vec<f64>,
    work: Vec<f64>,
    factors: Vec<f64>,
    inverse: Vec<f64>,
    /// What elimination of unknowns with positive pivots has taken from each diagonal entry.
    taken: Vec<f64>,
}

impl Ldl {
    /// Analyses the pattern of `n` unknowns with these entries off the diagonal; the unknowns from `first_row` on are rows.
    pub fn new(n: usize, first_row: usize, mut entries: impl Iterator<Item = (usize, usize)>) -> Ldl {
        Ldl::analysed(n, first_row, &mut entries)
    }

    /// [`Ldl::new`], compiled once for all who call it.
    fn analysed(n: usize, first_row: usize, entries: &mut dyn Iterator<Item = (usize, usize)>) -> Ldl {
        let Order { order, columns } = order::of(n, first_row, entries);
        Ldl::laid_out(n, first_row, &order, &columns)
    }

    fn laid_out(n: usize, first_row: usize, order: &[usize], columns: &[Vec<usize>]) -> Ldl {
        let mut made = Ldl { place: vec![0; n], starts: vec![0], ..Ldl::default() };
        for (k, i) in order.iter().enumerate() {
            made.place[*i] = k as u32;
        }
        made.order = order.iter().map(|i| *i as u32).collect();
        made.positive = order.iter().map(|i| *i < first_row).collect();
        for column in columns {
            let mut rows: Vec<u32> = column.iter().map(|i| made.place[*i]).collect();
            rows.sort_unstable();
            made.rows.extend(rows);
            made.starts.push(made.rows.len() as u32);
        }
        for j in 0..n {
            let range = made.starts[j] as usize..made.starts[j + 1] as usize;
            let end = made.first(j + 1);
            for a in range.clone() {
                for b in range.start..=a {
                    let target = made.index(made.rows[a] as usize, made.rows[b] as usize);
                    made.targets.push((target - end) as u32);
                }
            }
        }
        let size = n + made.rows.len();
        made.entries = vec![0.0; size];
        made.work = vec![0.0; size];
        made.factors = vec![0.0; made.rows.len()];
        made.inverse = vec![0.0; n];
        made.taken = vec![0.0; n];
        made
    }

    /// Where the numbers of a column start.
    #[inline]
    fn first(&self, column: usize) -> usize {
        self.starts[column] as usize + column
    }

    /// Place among the numbers of the entry of two places.
    #[inline]
    fn index(&self, a: usize, b: usize) -> usize {
        let (row, column) = (a.max(b), a.min(b));
        if row == column {
            return self.first(column);
        }
        let range = self.starts[column] as usize..self.starts[column + 1] as usize;
        let within = self.rows[range].binary_search(&(row as u32)).unwrap_or(0);
        self.first(column) + 1 + within
    }

    /// Where the entry of unknowns `i` and `j` lies in [`Ldl::entries`].
    #[inline]
    pub fn entry(&self, i: usize, j: usize) -> usize {
        self.index(self.place[i] as usize, self.place[j] as usize)
    }

    /// Number of entries of L.
    #[inline]
    pub fn fill(&self) -> usize {
        self.rows.len()
    }

    /// The pivot of unknown `i` as last factored, and what elimination of unknowns with positive pivots took from it before
    /// others gave some of that back: of a row, its own part of Φ M⁻¹ Φᵀ.
    #[inline]
    pub fn pivot(&self, i: usize) -> (f64, f64) {
        let place = self.place[i] as usize;
        (self.work[self.first(place)], self.taken[place])
    }

    /// Factors the numbers in [`Ldl::entries`]; false where a pivot has the wrong sign or is below `small` of its own diagonal.
    pub fn factor(&mut self, small: f64) -> bool {
        self.work.copy_from_slice(&self.entries);
        self.taken.fill(0.0);
        let Ldl { positive, starts, inverse, taken, entries, .. } = self;
        let (mut work, mut targets) = (&mut self.work[..], &self.targets[..]);
        let (mut rows, mut factors) = (&self.rows[..], &mut self.factors[..]);
        let mut first = 0;
        for (j, positive) in positive.iter().enumerate() {
            let count = (starts[j + 1] - starts[j]) as usize;
            let (column, later) = std::mem::take(&mut work).split_at_mut(1 + count);
            work = later;
            let (here, later) = std::mem::take(&mut factors).split_at_mut(count);
            factors = later;
            let (mine, later) = targets.split_at(count * (count + 1) / 2);
            targets = later;
            let (of_rows, later) = rows.split_at(count);
            rows = later;
            let pivot = column[0];
            let sound = if *positive { pivot > small * entries[first] } else { pivot < 0.0 };
            if !(sound && pivot.is_finite()) {
                return false;
            }
            first += 1 + count;
            let of = Column { below: &column[1..], rows: of_rows, inverse: 1.0 / pivot };
            inverse[j] = of.inverse;
            let taken = positive.then_some(&mut taken[..]);
            by_length!(count, N => of.eliminate::<N>(here, mine, work, taken), of.eliminate_long(here, mine, work, taken));
        }
        true
    }

    /// L⁻¹ b for a few entries of b: place and number, ascending. What those do not reach in the elimination tree is not visited [Gilbert 1988].
    /// `y` is scratch, as long as there are unknowns, zero before and afterwards.
    pub fn forward(&self, b: impl Iterator<Item = (usize, f64)>, y: &mut [f64], found: &mut Vec<(usize, f64)>) {
        let mut next = BTreeSet::new();
        for (i, x) in b {
            let place = self.place[i];
            y[place as usize] += x;
            next.insert(place);
        }
        while let Some(place) = next.pop_first() {
            let j = place as usize;
            let value = std::mem::take(&mut y[j]);
            let range = self.starts[j] as usize..self.starts[j + 1] as usize;
            let (rows, factors) = (&self.rows[range.clone()], &self.factors[range]);
            // The parent; other rows of the column are above it.
            next.extend(rows.first());
            spread_long(rows, factors, value, y);
            found.push((j, value));
        }
    }

    /// One over the pivot at a place, as last factored: with [`Ldl::forward`] of a and b, aᵀ K⁻¹ b is the sum of their products times these.
    #[inline]
    pub fn inverse(&self, place: usize) -> f64 {
        self.inverse[place]
    }

    /// Solves for `x`; `y` is scratch of the same length.
    pub fn solve(&self, b: &[f64], x: &mut [f64], y: &mut [f64]) {
        let n = self.order.len();
        let y = &mut y[..n];
        for (y, i) in y.iter_mut().zip(&self.order) {
            *y = b[*i as usize];
        }
        let mut start = 0;
        for (j, end) in self.starts[1..].iter().enumerate() {
            let end = *end as usize;
            let (rows, factors, value) = (&self.rows[start..end], &self.factors[start..end], y[j]);
            by_length!(end - start, N => spread::<N>(rows, factors, value, y), spread_long(rows, factors, value, y));
            start = end;
        }
        let mut end = self.rows.len();
        for (j, (start, unknown)) in self.starts.iter().zip(&self.order).enumerate().rev() {
            let start = *start as usize;
            let (rows, factors) = (&self.rows[start..end], &self.factors[start..end]);
            let sum = by_length!(end - start, N => gathered::<N>(rows, factors, y), gathered_long(rows, factors, y));
            y[j] = y[j] * self.inverse[j] - sum;
            x[*unknown as usize] = y[j];
            end = start;
        }
    }
}

/// Takes a column times a value from the numbers below.
#[inline(always)]
fn spread<const N: usize>(rows: &[u32], factors: &[f64], value: f64, y: &mut [f64]) {
    let (Ok(rows), Ok(factors)) = (<&[u32; N]>::try_from(rows), <&[f64; N]>::try_from(factors)) else { return };
    for a in 0..N {
        y[rows[a] as usize] -= factors[a] * value;
    }
}

/// The same for a column of any length.
fn spread_long(rows: &[u32], factors: &[f64], value: f64, y: &mut [f64]) {
    for (row, factor) in rows.iter().zip(factors) {
        y[*row as usize] -= factor * value;
    }
}

/// A column times the numbers below.
#[inline(always)]
fn gathered<const N: usize>(rows: &[u32], factors: &[f64], y: &[f64]) -> f64 {
    let (Ok(rows), Ok(factors)) = (<&[u32; N]>::try_from(rows), <&[f64; N]>::try_from(factors)) else { return 0.0 };
    let mut sum = 0.0;
    for a in 0..N {
        sum += factors[a] * y[rows[a] as usize];
    }
    sum
}

/// The same for a column of any length.
fn gathered_long(rows: &[u32], factors: &[f64], y: &[f64]) -> f64 {
    rows.iter().zip(factors).fold(0.0, |sum, (row, factor)| sum + factor * y[*row as usize])
}

/// A column about to be eliminated.
struct Column<'a> {
    below: &'a [f64],
    rows: &'a [u32],
    inverse: f64,
}

impl Column<'_> {
    /// Factors of the column into `here`, and what they take from later ones; `taken` hears of diagonals.
    #[inline(always)]
    fn eliminate<const N: usize>(&self, here: &mut [f64], mine: &[u32], work: &mut [f64], taken: Option<&mut [f64]>) {
        let (Ok(below), Ok(here)) = (<&[f64; N]>::try_from(self.below), <&mut [f64; N]>::try_from(here)) else {
            return;
        };
        let mut mine = mine.iter();
        for a in 0..N {
            here[a] = below[a] * self.inverse;
            for (x, target) in below[..=a].iter().zip(&mut mine) {
                work[*target as usize] -= here[a] * x;
            }
        }
        let (Some(taken), Ok(rows)) = (taken, <&[u32; N]>::try_from(self.rows)) else { return };
        for a in 0..N {
            taken[rows[a] as usize] += here[a] * below[a];
        }
    }

    /// The same for a column of any length.
    fn eliminate_long(&self, here: &mut [f64], mine: &[u32], work: &mut [f64], taken: Option<&mut [f64]>) {
        let mut mine = mine.iter();
        for (a, (value, factor)) in self.below.iter().zip(here.iter_mut()).enumerate() {
            *factor = value * self.inverse;
            for (x, target) in self.below[..=a].iter().zip(&mut mine) {
                work[*target as usize] -= *factor * x;
            }
        }
        let Some(taken) = taken else { return };
        for ((row, factor), value) in self.rows.iter().zip(here.iter()).zip(self.below) {
            taken[*row as usize] += factor * value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dense::Matrix;
    use crate::random::Random;

    /// aᵀ K⁻¹ b by halves against whole solutions, along a chain and with a row that ties its ends.
    #[test]
    fn products_of_the_inverse_from_halves() {
        let n = 30;
        let mut random = Random(21);
        let pairs: Vec<(usize, usize)> = (1..n).map(|k| (k, k - 1)).chain([(n, 0), (n, n - 1)]).collect();
        let mut ldl = Ldl::new(n + 1, n, pairs.iter().copied());
        for (i, j) in pairs.into_iter().chain((0..=n).map(|i| (i, i))) {
            let at = ldl.entry(i, j);
            let whole = if i < n { 4.5 } else { -1e-13 };
            ldl.entries[at] = if i == j { whole } else { random.signed() };
        }
        assert!(ldl.factor(1e-16));
        let sides = [vec![(3, 1.5), (4, -0.5)], vec![(20, 2.0)], vec![(0, 1.0), (17, 1.0), (0, 0.25)]];
        let (mut y, mut x) = (vec![0.0; n + 1], vec![0.0; n + 1]);
        for a in &sides {
            for b in &sides {
                let mut half = |side: &[(usize, f64)]| {
                    let mut found = Vec::new();
                    ldl.forward(side.iter().copied(), &mut y, &mut found);
                    assert!(y.iter().all(|y| *y == 0.0) && found.windows(2).all(|w| w[0].0 < w[1].0));
                    found
                };
                let (of_a, of_b) = (half(a), half(b));
                let other = |place: usize| of_b.iter().find(|e| e.0 == place).map_or(0.0, |e| e.1);
                let product: f64 = of_a.iter().map(|(p, z)| z * other(*p) * ldl.inverse(*p)).sum();
                let mut side = vec![0.0; n + 1];
                b.iter().for_each(|(i, value)| side[*i] += value);
                ldl.solve(&side, &mut x, &mut vec![0.0; n + 1]);
                let whole: f64 = a.iter().map(|(i, value)| value * x[*i]).sum();
                assert!((product - whole).abs() < 1e-13, "{product} {whole}");
            }
        }
    }

    #[test]
    fn a_chain_is_solved_with_factors_as_long_as_itself() {
        // Unknowns in a chain, M = tridiagonal, a row between each pair of neighbours and one on the first.
        for n in [5, 50, 500] {
            let rows = n / 2;
            let value = |i: usize, j: usize| -> f64 {
                match (i.max(j), i.min(j)) {
                    (a, b) if a < n && a == b => 3.0,
                    (a, b) if a < n && a == b + 1 => 1.0,
                    (a, b) if a >= n && b < n && (b == 2 * (a - n) || b == 2 * (a - n) + 1) => {
                        0.3 + (a + 2 * b) as f64 * 0.01
                    }
                    (a, b) if a >= n && a == b => -1e-14,
                    _ => 0.0,
                }
            };
            let mut pairs = Vec::new();
            for i in 0..n + rows {
                for j in i.saturating_sub(2)..=i {
                    if value(i, j) != 0.0 {
                        pairs.push((i, j));
                    }
                }
                for j in 0..n.min(i) {
                    if i >= n && value(i, j) != 0.0 {
                        pairs.push((i, j));
                    }
                }
            }
            pairs.sort_unstable();
            pairs.dedup();
            let mut ldl = Ldl::new(n + rows, n, pairs.iter().copied());
            for (i, j) in &pairs {
                let place = ldl.entry(*i, *j);
                ldl.entries[place] = value(*i, *j);
            }
            assert!(ldl.factor(1e-14));
            assert!(ldl.fill() < 6 * (n + rows), "{} entries for {}", ldl.fill(), n + rows);
            let exact: Vec<f64> = (0..n + rows).map(|k| (k as f64).sin()).collect();
            let mut b = vec![0.0; n + rows];
            for (i, j) in &pairs {
                b[*i] += value(*i, *j) * exact[*j];
                if i != j {
                    b[*j] += value(*i, *j) * exact[*i];
                }
            }
            let (mut x, mut y) = (vec![0.0; n + rows], vec![0.0; n + rows]);
            ldl.solve(&b, &mut x, &mut y);
            let error = x.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(error < 1e-10, "n = {n}: {error:e}");
        }
    }

    #[test]
    fn parts_side_by_side_have_the_factors_of_each_alone() {
        // Parts of 3 unknowns and a row whose unknowns stand far apart, more of them than a block holds.
        const PARTS: usize = 700;
        let mut random = Random(5);
        let values: Vec<[f64; 7]> = (0..PARTS).map(|_| std::array::from_fn(|_| random.signed())).collect();
        let number = |part: usize, k: usize| k * PARTS + part;
        let pairs = [(1, 0), (2, 1), (3, 0), (3, 1), (3, 2)];
        let own = |of: [f64; 7], k: usize| if k == 3 { -1e-3 } else { 3.0 + of[k] };
        let fill = |ldl: &mut Ldl, of: [f64; 7], place: &dyn Fn(usize) -> usize| {
            for k in 0..4 {
                let entry = ldl.entry(place(k), place(k));
                ldl.entries[entry] = own(of, k);
            }
            for (k, (i, j)) in pairs.iter().enumerate() {
                let entry = ldl.entry(place(*i), place(*j));
                ldl.entries[entry] = of[2 + k];
            }
        };
        let all = (0..PARTS).flat_map(|part| pairs.map(|(i, j)| (number(part, i), number(part, j))));
        let mut whole = Ldl::new(4 * PARTS, 3 * PARTS, all.clone().chain(all));
        values.iter().enumerate().for_each(|(part, of)| fill(&mut whole, *of, &|k| number(part, k)));
        assert!(whole.factor(1e-14));
        let b: Vec<f64> = (0..4 * PARTS).map(|_| random.signed()).collect();
        let (mut x, mut y) = (vec![0.0; 4 * PARTS], vec![0.0; 4 * PARTS]);
        whole.solve(&b, &mut x, &mut y);
        for (part, of) in values.iter().enumerate() {
            let mut alone = Ldl::new(4, 3, pairs.into_iter());
            fill(&mut alone, *of, &|k| k);
            assert!(alone.factor(1e-14));
            let (mut one, mut y) = ([0.0; 4], [0.0; 4]);
            alone.solve(&[0, 1, 2, 3].map(|k| b[number(part, k)]), &mut one, &mut y);
            assert_eq!(one, [0, 1, 2, 3].map(|k| x[number(part, k)]), "part {part}");
        }
    }

    #[test]
    fn a_pivot_without_mass_is_reported() {
        let mut ldl = Ldl::new(2, 2, [(1, 0)].into_iter());
        let [a, b, c] = [ldl.entry(0, 0), ldl.entry(1, 1), ldl.entry(1, 0)];
        (ldl.entries[a], ldl.entries[b], ldl.entries[c]) = (1.0, 1.0, 1.0);
        assert!(!ldl.factor(1e-14));
    }
    /// Puts a symmetric matrix, given by its rows, into factors for it; unknowns from `first_row` on are rows.
    fn of_matrix(matrix: &[Vec<f64>], first_row: usize) -> Ldl {
        let n = matrix.len();
        let pairs: Vec<(usize, usize)> =
            (0..n * n).map(|k| (k / n, k % n)).filter(|(i, j)| j <= i && (i == j || matrix[*i][*j] != 0.0)).collect();
        let mut ldl = Ldl::new(n, first_row, pairs.iter().copied());
        for (i, j) in pairs {
            let place = ldl.entry(i, j);
            ldl.entries[place] = matrix[i][j];
        }
        ldl
    }

    #[test]
    fn random_matrices_are_solved_as_by_dense_elimination() {
        for seed in 1..30 {
            let mut random = Random(seed);
            let (n, rows) = (4 + seed as usize % 7, 1 + seed as usize % 4);
            let mut matrix = vec![vec![0.0; n + rows]; n + rows];
            for i in 0..n + rows {
                for j in 0..i.min(n) {
                    if random.unit() < 0.4 || i == j + n {
                        matrix[i][j] = if i == j + n { 2.0 } else { random.signed() };
                        matrix[j][i] = matrix[i][j];
                    }
                }
            }
            for i in 0..n + rows {
                // Diagonals that dominate make M positive; sizes differ from unknown to unknown.
                let sum: f64 = matrix[i][..n].iter().map(|x| x.abs()).sum();
                matrix[i][i] = if i < n { sum + 0.5 + i as f64 } else { -1e-3 };
            }
            let mut ldl = of_matrix(&matrix, n);
            assert!(ldl.factor(1e-14), "seed {seed}");
            let b: Vec<f64> = (0..n + rows).map(|_| random.signed()).collect();
            let mut expected = b.clone();
            let dense = Matrix { rows: n + rows, columns: n + rows, entries: matrix.concat() };
            dense.lu().unwrap().solve(&mut expected);
            let (mut x, mut y) = (vec![0.0; n + rows], vec![0.0; n + rows]);
            ldl.solve(&b, &mut x, &mut y);
            for (x, e) in x.iter().zip(&expected) {
                // Conditions of some hundreds.
                assert!((x - e).abs() < 1e-11 * e.abs().max(1.0), "seed {seed}: {x} {e}");
            }
        }
    }

    #[test]
    fn pivots_of_rows_are_their_parts_of_the_schur_complement() {
        // M = diag(2, 4), Φ = (1, 3), μ = 0.25: ΦM⁻¹Φᵀ = 1/2 + 9/4.
        let mut ldl = of_matrix(&[vec![2.0, 0.0, 1.0], vec![0.0, 4.0, 3.0], vec![1.0, 3.0, -0.25]], 2);
        assert!(ldl.factor(1e-14));
        assert_eq!((ldl.pivot(0), ldl.pivot(1)), ((2.0, 0.0), (4.0, 0.0)));
        assert_eq!((ldl.pivot(2), ldl.fill()), ((-3.0, 2.75), 2));
        // A second row (1, 1): its own part is 3/4; what it shares with the first, 5/4, gives back (5/4)²/3 through it.
        let matrix =
            [vec![2.0, 0.0, 1.0, 1.0], vec![0.0, 4.0, 3.0, 1.0], vec![1.0, 3.0, -0.25, 0.0], vec![1.0, 1.0, 0.0, 0.0]];
        let mut ldl = of_matrix(&matrix, 2);
        assert!(ldl.factor(1e-14));
        let (pivot, own) = ldl.pivot(3);
        assert!((own - 0.75).abs() < 1e-15 && (pivot + 0.75 - 1.5625 / 3.0).abs() < 1e-15, "{pivot} {own}");
        assert_eq!(ldl.fill(), 5);
    }

    #[test]
    fn pivots_are_judged_by_their_own_diagonal() {
        // Masses of very different size are sound each for itself.
        assert!(of_matrix(&[vec![1e20, 0.0], vec![0.0, 1.0]], 2).factor(1e-14));
        assert!(of_matrix(&[vec![1e20, 1.0, 0.0], vec![1.0, 1.0, 0.1], vec![0.0, 0.1, 1e-9 + 0.01]], 3).factor(1e-14));
        // Negative masses, and rows of nothing, are not.
        assert!(!of_matrix(&[vec![-1.0]], 1).factor(1e-14));
        assert!(!of_matrix(&[vec![1.0, 0.0], vec![0.0, 0.0]], 1).factor(1e-14));
        assert!(!of_matrix(&[vec![f64::INFINITY]], 1).factor(1e-14));
        // 1 − (1 − 1e-6)² = 2e-6 is left of a diagonal, here of 4.
        let near = 4.0 * (1.0 - 1e-6);
        let mut ldl = of_matrix(&[vec![4.0, near], vec![near, 4.0]], 2);
        assert!(ldl.factor(1e-6) && !ldl.factor(3e-6));
    }
}
