//! An elimination as a straight list of operations: which number is multiplied with which and taken from which, with nothing left to look up.
//!
//! Pivots and pattern are those of an [`Elimination`] with as many independent rows as columns; numbers are one matrix's or those of several of
//! one pattern side by side.

use super::{Elimination, Pattern, REUSE_THRESHOLD, SHRUNK};
use crate::Number;

/// The operations. Row by row, a factored row's numbers stand in places one after the other: multipliers, pivot, the rest.
#[derive(Debug, PartialEq)]
pub struct Straight {
    columns: usize,
    places: usize,
    /// Where each entry of the matrix goes: place, entry.
    scatter: Vec<(u32, u32)>,
    rows: Vec<Row>,
    multipliers: Vec<Multiplier>,
    /// Places that products are taken from, multiplier by multiplier.
    targets: Vec<u32>,
    /// Columns of the numbers after each pivot, row by row.
    after: Vec<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Row {
    /// The matrix's row, and the pivot's column and place.
    row: u32,
    column: u32,
    place: u32,
    /// Its multipliers, and its numbers after the pivot.
    multipliers: (u32, u32),
    after: (u32, u32),
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Multiplier {
    /// Where it stands, and the pivot row it belongs to.
    place: u32,
    pivot: u32,
    targets: u32,
}

/// Factors of one matrix, or of several side by side.
#[derive(Debug, Clone)]
pub struct Factors<N> {
    numbers: Vec<N>,
    inverse: Vec<N>,
    /// Sizes of the pivots for the numbers they were chosen for.
    chosen: Vec<N>,
    y: Vec<N>,
}

impl<N: Number> Factors<N> {
    /// Sizes of the pivots of one lane for the numbers they were chosen for.
    pub fn choose(&mut self, lane: usize, sizes: &[f64]) {
        self.chosen.iter_mut().zip(sizes).for_each(|(chosen, size)| chosen.set(lane, *size));
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
        both(&mut self.numbers, &others.numbers);
        both(&mut self.inverse, &others.inverse);
    }
}

impl Straight {
    /// The operations of an elimination; `None` where rows are left out or columns free.
    pub fn new(pattern: &Pattern, of: &Elimination) -> Option<Straight> {
        if of.rank() != of.columns || !of.dependent_rows.is_empty() {
            return None;
        }
        let mut made = Straight {
            columns: of.columns,
            places: 0,
            scatter: Vec::new(),
            rows: Vec::new(),
            multipliers: Vec::new(),
            targets: Vec::new(),
            after: Vec::new(),
        };
        let mut place_of = vec![u32::MAX; of.columns];
        for k in 0..of.rank() {
            let (l, u) = (of.l_starts[k]..of.l_starts[k + 1], of.u_starts[k]..of.u_starts[k + 1]);
            let first = made.places as u32;
            let columns: Vec<u32> = (of.l_index[l.clone()].iter().map(|j| of.pivot_columns[*j as usize]))
                .chain([of.pivot_columns[k]])
                .chain(of.u_index[u.clone()].iter().copied())
                .collect();
            columns.iter().enumerate().for_each(|(i, c)| place_of[*c as usize] = first + i as u32);
            made.places += columns.len();
            for e in pattern.range(of.pivot_rows[k] as usize) {
                made.scatter.push((place_of[pattern.index[e]], e as u32));
            }
            let begin = made.multipliers.len() as u32;
            for (i, j) in of.l_index[l.clone()].iter().enumerate() {
                let targets = made.targets.len() as u32;
                let after = of.u_starts[*j as usize]..of.u_starts[*j as usize + 1];
                made.targets.extend(of.u_index[after].iter().map(|c| place_of[*c as usize]));
                made.multipliers.push(Multiplier { place: first + i as u32, pivot: *j, targets });
            }
            let start = made.after.len() as u32;
            made.after.extend_from_slice(&of.u_index[u.clone()]);
            made.rows.push(Row {
                row: of.pivot_rows[k],
                column: of.pivot_columns[k],
                place: first + l.len() as u32,
                multipliers: (begin, made.multipliers.len() as u32),
                after: (start, made.after.len() as u32),
            });
        }
        Some(made)
    }

    /// Room for factors whose pivots had these sizes when they were chosen.
    pub fn factors<N: Number>(&self, chosen: Vec<N>) -> Factors<N> {
        let zero = N::splat(0.0);
        Factors {
            numbers: vec![zero; self.places],
            inverse: vec![zero; self.rows.len()],
            chosen,
            y: vec![zero; self.columns],
        }
    }

    /// Factors a matrix. What is left, pivot by pivot, above what a pivot must have: not above zero where one has become too small.
    #[inline(always)]
    pub fn factor<N: Number>(&self, values: &[N], f: &mut Factors<N>) -> N {
        let mut slack = N::splat(f64::INFINITY);
        f.numbers.fill(N::splat(0.0));
        for (place, entry) in &self.scatter {
            f.numbers[*place as usize] = values[*entry as usize];
        }
        for (k, row) in self.rows.iter().enumerate() {
            for m in &self.multipliers[row.multipliers.0 as usize..row.multipliers.1 as usize] {
                let other = &self.rows[m.pivot as usize];
                let multiplier = f.numbers[m.place as usize] * f.inverse[m.pivot as usize];
                f.numbers[m.place as usize] = multiplier;
                let (first, count) = (other.place as usize + 1, (other.after.1 - other.after.0) as usize);
                for (i, target) in self.targets[m.targets as usize..m.targets as usize + count].iter().enumerate() {
                    let a = f.numbers[first + i];
                    let target = &mut f.numbers[*target as usize];
                    *target = *target - multiplier * a;
                }
            }
            let place = row.place as usize;
            let pivot = f.numbers[place];
            let mut big = N::splat(0.0);
            for a in &f.numbers[place + 1..=place + (row.after.1 - row.after.0) as usize] {
                big = big.most(a.abs());
            }
            let asked = (N::splat(REUSE_THRESHOLD) * big).most(N::splat(SHRUNK) * f.chosen[k]);
            slack = slack.zip(pivot.abs() - asked, |a, b| if a <= b { a } else { b });
            f.inverse[k] = N::splat(1.0) / pivot;
        }
        slack
    }

    /// x with A x = b.
    #[inline(always)]
    pub fn solve<N: Number>(&self, f: &mut Factors<N>, b: &[N], x: &mut [N]) {
        for (k, row) in self.rows.iter().enumerate() {
            let mut sum = N::splat(0.0);
            for m in &self.multipliers[row.multipliers.0 as usize..row.multipliers.1 as usize] {
                sum = sum + f.numbers[m.place as usize] * f.y[m.pivot as usize];
            }
            f.y[k] = b[row.row as usize] - sum;
        }
        for (k, row) in self.rows.iter().enumerate().rev() {
            let mut sum = N::splat(0.0);
            let after = &self.after[row.after.0 as usize..row.after.1 as usize];
            for (i, column) in after.iter().enumerate() {
                sum = sum + f.numbers[row.place as usize + 1 + i] * x[*column as usize];
            }
            x[row.column as usize] = (f.y[k] - sum) * f.inverse[k];
        }
    }

    /// The smallest pivot against its row: the largest of its entries, or what `least` says of it.
    #[inline(always)]
    pub fn weakest<N: Number>(&self, pattern: &Pattern, values: &[N], f: &Factors<N>, least: &[N]) -> N {
        let mut weakest = N::splat(f64::INFINITY);
        for (row, inverse) in self.rows.iter().zip(&f.inverse) {
            let mut scale = least[row.row as usize];
            for a in &values[pattern.range(row.row as usize)] {
                scale = scale.most(a.abs());
            }
            weakest =
                weakest.zip(inverse.abs() * scale, |weakest, x| if weakest <= 1.0 / x { weakest } else { 1.0 / x });
        }
        weakest
    }

    /// Sign of the product of pivots.
    #[inline(always)]
    pub fn sign<N: Number>(&self, f: &Factors<N>) -> N {
        f.inverse.iter().fold(N::splat(1.0), |sign, p| sign.zip(*p, |sign, p| if p < 0.0 { -sign } else { sign }))
    }
}
