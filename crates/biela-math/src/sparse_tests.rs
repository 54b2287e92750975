//! Tests of sparse elimination.

use super::*;

/// Roundings of a small well-conditioned solve.
const ROUNDING: f64 = 1e-11;

/// A repeatable stream of numbers in [−1, 1).
fn stream(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// A random sparse matrix whose last `extra` rows are combinations of earlier ones.
fn random(rows: usize, columns: usize, extra: usize, seed: u64) -> (Pattern, Vec<f64>) {
    let mut next = stream(seed);
    let mut dense = vec![vec![0.0; columns]; rows + extra];
    for (i, row) in dense.iter_mut().enumerate().take(rows) {
        row[i % columns] = 2.0 + next();
        for _ in 0..3 {
            let c = ((next() + 1.0) * 0.5 * columns as f64) as usize;
            row[c.min(columns - 1)] += next();
        }
    }
    for i in rows..rows + extra {
        let (a, b) = (i % rows, (i * 7 + 3) % rows);
        for c in 0..columns {
            dense[i][c] = 0.7 * dense[a][c] - 1.3 * dense[b][c];
        }
    }
    let (mut pattern, mut values) = (Pattern::new(columns), Vec::new());
    for row in &dense {
        let used: Vec<usize> = (0..columns).filter(|c| row[*c] != 0.0).collect();
        values.extend(used.iter().map(|c| row[*c]));
        pattern.push_row(&used);
    }
    (pattern, values)
}

#[test]
fn redundant_rows_are_found_and_the_rest_solved() {
    for seed in 1..40 {
        let n = 5 + (seed as usize * 7) % 30;
        let (pattern, values) = random(n, n, 3, seed);
        let mut lu = Elimination::analyse(&pattern, &values, 1e-10, &[]);
        assert_eq!((lu.rank(), lu.dependent_rows().len()), (n, 3), "seed {seed}");
        lu.refactor(&pattern, &values).unwrap();
        let mut next = stream(seed + 100);
        let x: Vec<f64> = (0..n).map(|_| next()).collect();
        let mut b = vec![0.0; pattern.rows()];
        pattern.multiply(&values, &x, &mut b);
        let (mut found, mut y) = (vec![0.0; n], vec![0.0; n]);
        lu.solve(&b, &mut found, &mut y);
        let error = x.iter().zip(&found).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(error < ROUNDING, "seed {seed}: {error}");
    }
}

#[test]
fn a_row_of_rounding_is_no_equation() {
    let mut pattern = Pattern::new(2);
    pattern.push_row(&[0, 1]);
    pattern.push_row(&[0, 1]);
    let values = [1.0, 2.0, 3e-17, -1e-17];
    assert_eq!(Elimination::analyse(&pattern, &values, 1e-9, &[]).rank(), 2);
    let lu = Elimination::analyse_weighted(&pattern, &values, &[1.0, 1.0], 1e-9, &[]);
    assert_eq!(lu.dependent_rows(), [1]);
}

#[test]
fn among_redundant_rows_the_strong_ones_are_chosen() {
    // The first two rows differ by 1e-5 only; with the third the system is well conditioned.
    let mut pattern = Pattern::new(2);
    (0..3).for_each(|_| pattern.push_row(&[0, 1]));
    for unit in [1.0, 1e-6, 1e6] {
        let values = [1.0, 1.0, 1.0, 1.0 + 1e-5, 1.0, -1.0].map(|a| a * unit);
        let lu = Elimination::analyse(&pattern, &values, 1e-9, &[]);
        assert_eq!(lu.rank(), 2);
        assert!(lu.dependent_rows() != [2], "the pair of nearly parallel rows was chosen");
    }
}

#[test]
fn rows_that_become_dependent_ask_for_a_new_analysis() {
    let mut pattern = Pattern::new(2);
    (0..2).for_each(|_| pattern.push_row(&[0, 1]));
    let mut lu = Elimination::analyse(&pattern, &[1.0, 1.0, 1.0, -1.0], 1e-9, &[]);
    assert_eq!(lu.refactor(&pattern, &[1.0, 1.0, 1.0, -1.0]), Ok(()));
    assert_eq!(lu.refactor(&pattern, &[1.0, 1.0, 1.0, 1.0 + 1e-5]), Err(SmallPivot));
    // Where there is no better choice, the pivots chosen for these very numbers are kept.
    let mut lu = Elimination::analyse(&pattern, &[1.0, 1.0, 1.0, 1.0 + 1e-5], 1e-9, &[]);
    assert_eq!(lu.refactor(&pattern, &[1.0, 1.0, 1.0, 1.0 + 1e-5]), Ok(()));
}

#[test]
fn null_space_is_annihilated() {
    let (pattern, values) = random(8, 12, 2, 5);
    let mut lu = Elimination::analyse(&pattern, &values, 1e-10, &[]);
    lu.refactor(&pattern, &values).unwrap();
    let null = lu.null_space();
    assert_eq!(null.len(), 4);
    let mut y = vec![0.0; pattern.rows()];
    for x in null {
        pattern.multiply(&values, &x, &mut y);
        assert!(y.iter().all(|r| r.abs() < ROUNDING));
    }
}

#[test]
fn transposed_solve_meets_its_equation() {
    let n = 14;
    let (pattern, values) = random(n, n, 2, 9);
    let mut lu = Elimination::analyse(&pattern, &values, 1e-10, &[]);
    lu.refactor(&pattern, &values).unwrap();
    let f: Vec<f64> = (0..n).map(|k| (k as f64).sin()).collect();
    let (mut lambda, mut work) = (vec![0.0; pattern.rows()], vec![0.0; n]);
    lu.solve_transposed(&f, &mut lambda, &mut work);
    let mut back = vec![0.0; n];
    for i in 0..pattern.rows() {
        for k in pattern.range(i) {
            back[pattern.index[k]] += values[k] * lambda[i];
        }
    }
    assert!(back.iter().zip(&f).all(|(a, b)| (a - b).abs() < ROUNDING));
}

#[test]
fn the_sign_follows_the_determinant() {
    let mut pattern = Pattern::new(2);
    pattern.push_row(&[0, 1]);
    pattern.push_row(&[0, 1]);
    let mut lu = Elimination::analyse(&pattern, &[1.0, 2.0, 3.0, 4.0], 1e-12, &[]);
    lu.refactor(&pattern, &[1.0, 2.0, 3.0, 4.0]).unwrap();
    let before = lu.sign();
    lu.refactor(&pattern, &[1.0, 2.0, 3.0, 7.0]).unwrap();
    assert_eq!(lu.sign(), -before);
}

/// A matrix given by its rows, zeros left out.
fn of_rows(rows: &[&[f64]]) -> (Pattern, Vec<f64>) {
    let (mut pattern, mut values) = (Pattern::new(rows[0].len()), Vec::new());
    for row in rows {
        let used: Vec<usize> = (0..row.len()).filter(|c| row[*c] != 0.0).collect();
        values.extend(used.iter().map(|c| row[*c]));
        pattern.push_row(&used);
    }
    (pattern, values)
}

/// Analysed and factored for these numbers.
fn factored(pattern: &Pattern, values: &[f64]) -> Elimination {
    let mut lu = Elimination::analyse(pattern, values, 1e-10, &[]);
    lu.refactor(pattern, values).unwrap();
    lu
}

#[test]
fn fewer_rows_than_columns_leave_columns_free() {
    for seed in 1..20 {
        let (rows, columns) = (6 + seed as usize % 9, 20);
        let (pattern, values) = random(rows, columns, 2, seed);
        let lu = factored(&pattern, &values);
        assert_eq!((lu.rank(), lu.free_columns().len()), (rows, columns - rows));
        assert!(lu.free_columns().windows(2).all(|w| w[0] < w[1]));
        // A solution that is nowhere but in the pivot columns.
        let mut next = stream(seed + 50);
        let free = |c: usize| lu.free_columns().contains(&c);
        let exact: Vec<f64> = (0..columns).map(|c| if free(c) { 0.0 } else { next() }).collect();
        let mut b = vec![0.0; pattern.rows()];
        pattern.multiply(&values, &exact, &mut b);
        let (mut x, mut y) = (vec![f64::NAN; columns], vec![0.0; rows]);
        lu.solve(&b, &mut x, &mut y);
        assert!(x.iter().zip(&exact).all(|(a, b)| (a - b).abs() < ROUNDING), "seed {seed}");
        // Any numbers in the free columns belong to one vector of the null space, a sum of those for each column.
        let mut x: Vec<f64> = (0..columns).map(|c| if free(c) { next() } else { f64::NAN }).collect();
        let given = x.clone();
        lu.complete(&mut x);
        pattern.multiply(&values, &x, &mut b);
        assert!(b.iter().all(|b| b.abs() < ROUNDING), "seed {seed}");
        let null = lu.null_space();
        for c in 0..columns {
            let sum: f64 = null.iter().zip(lu.free_columns()).map(|(vector, free)| vector[c] * given[*free]).sum();
            assert!((sum - x[c]).abs() < ROUNDING);
        }
        // Forces on the rows: of f = Aᵀ λ with nothing on dependent rows, λ comes back.
        let dependent = |i: usize| lu.dependent_rows().contains(&i);
        let lambda: Vec<f64> = (0..pattern.rows()).map(|i| if dependent(i) { 0.0 } else { next() }).collect();
        let mut f = vec![0.0; columns];
        for i in 0..pattern.rows() {
            pattern.range(i).for_each(|k| f[pattern.index[k]] += values[k] * lambda[i]);
        }
        let (mut found, mut work) = (vec![f64::NAN; pattern.rows()], vec![0.0; columns]);
        lu.solve_transposed(&f, &mut found, &mut work);
        assert!(found.iter().zip(&lambda).all(|(a, b)| (a - b).abs() < ROUNDING), "seed {seed}");
    }
}

#[test]
fn the_order_of_elimination_fills_in_nothing_where_that_can_be() {
    // An arrow: one full row, one full column, a diagonal. Taking the full row first would fill all; taken last, nothing.
    let n = 30;
    let entry = |i: usize, j: usize| match (i, j) {
        (i, j) if i == j => 2.0,
        (0, _) | (_, 0) => 1.0,
        _ => 0.0,
    };
    let rows: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
    let (pattern, values) = of_rows(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>());
    assert_eq!(factored(&pattern, &values).entries(), 3 * n - 2);
    // A chain: each row ties neighbours; and one with rows that tie three, end to end.
    for width in [2, 3] {
        let mut pattern = Pattern::new(n + width - 1);
        (0..n).for_each(|i| pattern.push_row(&(i..i + width).collect::<Vec<_>>()));
        let mut next = stream(4);
        let values: Vec<f64> = (0..width * n).map(|_| 1.0 + 0.3 * next()).collect();
        let lu = factored(&pattern, &values);
        assert_eq!((lu.rank(), lu.entries()), (n, width * n));
    }
}

#[test]
fn long_chains_with_redundant_rows_stay_sparse() {
    // Each link is tied to the next by two equations, and by a third that is a combination of them.
    for links in [40, 700] {
        let mut pattern = Pattern::new(2 * links + 2);
        let mut values = Vec::new();
        let mut next = stream(8);
        for k in 0..links {
            let columns = [2 * k, 2 * k + 1, 2 * k + 2, 2 * k + 3];
            let rows: Vec<[f64; 4]> = (0..2).map(|_| [0; 4].map(|_| next())).collect();
            for factors in [[1.0, 0.0], [0.0, 1.0], [0.6, -0.7]] {
                pattern.push_row(&columns);
                values.extend((0..4).map(|c| factors[0] * rows[0][c] + factors[1] * rows[1][c]));
            }
        }
        let lu = Elimination::analyse(&pattern, &values, 1e-9, &[]);
        assert_eq!((lu.rank(), lu.dependent_rows().len()), (2 * links, links));
        // Two rows of four entries for each link, and what elimination of one link leaves in the next: 6.3 a row.
        assert!(lu.entries() <= 2 * links * 7, "{} entries for {links} links", lu.entries());
        let careful = Elimination::analyse_carefully(&pattern, &values, &[], 1e-9);
        assert_eq!(careful.rank(), 2 * links);
        assert!(careful.entries() <= 2 * links * 8, "carefully {} entries for {links} links", careful.entries());
    }
}

#[test]
fn skipped_rows_count_as_dependent() {
    let (pattern, values) = of_rows(&[&[1.0, 2.0, 0.0], &[0.0, 1.0, 1.0], &[3.0, 0.0, 1.0], &[1.0, 1.0, 1.0]]);
    let lu = Elimination::analyse(&pattern, &values, 1e-9, &[1, 3]);
    assert_eq!((lu.rank(), lu.dependent_rows(), lu.free_columns().len()), (2, [1, 3].as_slice(), 1));
}

#[test]
fn rows_are_dependent_by_what_is_left_of_them() {
    // The second row is the first and 1e-6 of its own: an equation at a tolerance below that, none above.
    let (pattern, values) = of_rows(&[&[1.0, 1.0], &[1.0, 1.0 + 1e-6]]);
    assert_eq!(Elimination::analyse(&pattern, &values, 1e-7, &[]).rank(), 2);
    assert_eq!(Elimination::analyse(&pattern, &values, 1e-5, &[]).rank(), 1);
    // The same in other units of the second row.
    let scaled = [1.0, 1.0, 1e6, 1e6 + 1.0];
    assert_eq!(Elimination::analyse(&pattern, &scaled, 1e-7, &[]).rank(), 2);
    assert_eq!(Elimination::analyse(&pattern, &scaled, 1e-5, &[]).rank(), 1);
}

#[test]
fn careful_choice_prefers_independence_to_order() {
    // Of the second row a quarter is left after the first, of the third all: the usual choice takes rows as they come.
    let (pattern, values) = of_rows(&[&[1.0, 1.0], &[1.0, 1.3], &[1.0, -1.0]]);
    assert_eq!(Elimination::analyse(&pattern, &values, 1e-9, &[]).dependent_rows(), [2]);
    assert_eq!(Elimination::analyse_carefully(&pattern, &values, &[], 1e-9).dependent_rows(), [1]);
}

#[test]
fn pivots_are_large_in_their_rows() {
    // The only row's entries: the pivot is the first or the last, never the one below a tenth of the largest.
    for unit in [1.0, 1e-6, -1e6] {
        for (row, small) in [([1.0, 0.05], 1), ([0.05, 1.0], 0), ([-1.0, 0.05], 1), ([0.05, -1.0], 0)] {
            let (pattern, values) = of_rows(&[&row.map(|a| a * unit)]);
            assert_eq!(factored(&pattern, &values).free_columns(), [small], "{row:?}");
        }
    }
    // A column with a single entry is as good as free of cost, unless its entry is too small: then 1e-3 would be a pivot and
    // the factors grow a thousandfold.
    let (pattern, values) = of_rows(&[&[1e-3, 1.0, 0.0], &[0.0, 1.0, 1.0], &[0.0, 1.0, -1.0]]);
    let lu = factored(&pattern, &values);
    assert_eq!(lu.rank(), 3);
    let small = of_rows(&[&[1e-3, 1.0], &[0.0, 1.0]]);
    assert!((factored(&small.0, &small.1).weakest(&small.0, &small.1, &[]) - 1e-3).abs() < 1e-12);
}

#[test]
fn a_pivot_that_shrinks_asks_for_a_new_analysis() {
    let (pattern, values) = of_rows(&[&[1.0, 0.5]]);
    let fresh = || Elimination::analyse(&pattern, &values, 1e-9, &[]);
    // Against its row, for the first numbers there are: a ten-thousandth is the limit.
    assert_eq!(fresh().refactor(&pattern, &[2e-4, 1.0]), Ok(()));
    assert_eq!(fresh().refactor(&pattern, &[-2e-4, 1.0]), Ok(()));
    assert_eq!(fresh().refactor(&pattern, &[0.5e-4, 1.0]), Err(SmallPivot));
    assert_eq!(fresh().refactor(&pattern, &[f64::INFINITY, 1.0]), Err(SmallPivot));
    // Against what it was when it was chosen: a tenth.
    let mut lu = fresh();
    assert_eq!(lu.refactor(&pattern, &[-4.0, 0.5]), Ok(()));
    assert_eq!(lu.refactor(&pattern, &[0.5, 0.5]), Ok(()));
    assert_eq!(lu.refactor(&pattern, &[0.3, 0.5]), Err(SmallPivot));
    // A pivot of nothing makes no infinities.
    assert_eq!(lu.refactor(&pattern, &[0.0, 0.5]), Err(SmallPivot));
    assert_eq!((lu.sign(), lu.weakest(&pattern, &[0.0, 0.5], &[])), (0, 0.0));
    let mut x = [7.0, 7.0];
    lu.solve(&[1.0], &mut x, &mut [0.0]);
    assert_eq!(x, [0.0, 0.0]);
}

#[test]
fn the_weakest_row_is_the_one_with_least_left() {
    let (pattern, values) = of_rows(&[&[2.0, 0.0], &[4.0, 0.5]]);
    let lu = factored(&pattern, &values);
    assert_eq!(lu.weakest(&pattern, &values, &[]), 0.125);
    // A tenth of a row's weight counts where its entries are less: 2 of 10 · 4, and 0.5 of 10 · 0.8.
    assert_eq!(lu.weakest(&pattern, &values, &[400.0, 8.0]), 0.05);
    assert_eq!(lu.weakest(&pattern, &values, &[0.0, 80.0]), 0.0625);
}

#[test]
fn a_product_takes_its_sign_from_all_pivots() {
    // Diagonal matrices with all signs.
    for signs in 0..8 {
        let sign = |k: usize| if signs >> k & 1 == 1 { -1.0 } else { 1.0 };
        let (pattern, values) = of_rows(&[&[sign(0), 0.0, 0.0], &[0.0, sign(1), 0.0], &[0.0, 0.0, sign(2)]]);
        assert_eq!(f64::from(factored(&pattern, &values).sign()), sign(0) * sign(1) * sign(2));
    }
}

#[test]
fn of_weak_rows_the_one_with_most_left_is_taken() {
    // After the first row 2, 5 and 0.01 % of the others are left, in rows of different units: the second of these serves best.
    // Where rows are many, those with about as much are equally good, but the last is not.
    let weak: [&[f64]; 4] = [&[1.0, 0.0], &[1.0, 0.02], &[10.0, 0.5], &[1e4, 1.0]];
    for (before, others) in [(0, vec![1, 3]), (1100, vec![3])] {
        let mut pattern = Pattern::new(before + 2);
        let mut values = vec![1.0; before];
        (0..before).for_each(|k| pattern.push_row(&[k]));
        for row in weak {
            let used: Vec<usize> = (0..2).filter(|c| row[*c] != 0.0).collect();
            pattern.push_row(&used.iter().map(|c| before + c).collect::<Vec<_>>());
            values.extend(used.iter().map(|c| row[*c]));
        }
        let lu = Elimination::analyse(&pattern, &values, 1e-9, &[]);
        assert_eq!((lu.rank(), lu.dependent_rows().len()), (before + 2, 2));
        for row in others {
            assert!(lu.dependent_rows().contains(&(before + row)), "{before}: {:?}", lu.dependent_rows());
        }
    }
}

#[test]
fn columns_of_one_row_are_taken_before_short_rows() {
    // A ring of rows with two entries each, and rows with four of which one column is theirs alone: these first, nothing but
    // the ring fills in, by one entry a row at most. The ring first, and every long row would fill up.
    let n = 20;
    let mut pattern = Pattern::new(2 * n);
    let mut values = Vec::new();
    let mut next = stream(6);
    for i in 0..n {
        let mut rows = [vec![i, (i + 1) % n], vec![i, (i + 7) % n, (i + 13) % n, n + i]];
        rows.iter_mut().for_each(|row| row.sort_unstable());
        for row in &rows {
            pattern.push_row(row);
            values.extend(row.iter().map(|_| 1.0 + 0.3 * next()));
        }
    }
    let lu = factored(&pattern, &values);
    assert_eq!(lu.rank(), 2 * n);
    assert!(lu.entries() <= 4 * n + 3 * n, "{} entries", lu.entries());
}

#[test]
fn sparse_transposed_solutions_have_the_bits_of_the_dense_ones() {
    for seed in 1..30 {
        let n = 5 + (seed as usize * 7) % 30;
        let (pattern, values) = random(n, n, 3, seed);
        let mut lu = Elimination::analyse(&pattern, &values, 1e-10, &[]);
        lu.refactor(&pattern, &values).unwrap();
        let mut sparse = SparseTransposed::new(&lu);
        let (mut lambda, mut work) = (vec![0.0; pattern.rows()], vec![0.0; n]);
        // One after the other with the same arrays: nothing of one is left for the next.
        for i in lu.dependent_rows().to_vec() {
            let mut f = vec![0.0; n];
            pattern.range(i).for_each(|k| f[pattern.index[k]] = values[k]);
            lu.solve_transposed(&f, &mut lambda, &mut work);
            let mut found = vec![0.0; pattern.rows()];
            for (row, value) in sparse.solve(&lu, pattern.range(i).map(|k| (pattern.index[k], values[k]))) {
                found[row] = value;
            }
            assert_eq!(found, lambda, "seed {seed}");
        }
    }
}
