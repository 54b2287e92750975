//! Levenberg and Marquardt's method against the crate `levenberg-marquardt`, a second program made after MINPACK, on problems of
//! [Moré, Garbow and Hillstrom 1981] whose least sums are known.

use biela_math::dense::Matrix;
use biela_math::levenberg_marquardt::{Ended, LevenbergMarquardt, Squares};
use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt as Theirs};
use nalgebra::{DMatrix, DVector, Dyn, Owned};

/// A problem: its differences, where to begin, the least sum of squares.
struct Case {
    name: &'static str,
    differences: fn(&[f64]) -> Vec<f64>,
    start: &'static [f64],
    least: f64,
}

fn rosenbrock(x: &[f64]) -> Vec<f64> {
    vec![10.0 * (x[1] - x[0] * x[0]), 1.0 - x[0]]
}

fn helical_valley(x: &[f64]) -> Vec<f64> {
    let turn = (x[1] / x[0]).atan() / std::f64::consts::TAU + if x[0] < 0.0 { 0.5 } else { 0.0 };
    vec![10.0 * (x[2] - 10.0 * turn), 10.0 * (x[0].hypot(x[1]) - 1.0), x[2]]
}

/// Its slopes lose their rank at the solution.
fn powell_singular(x: &[f64]) -> Vec<f64> {
    vec![
        x[0] + 10.0 * x[1],
        5f64.sqrt() * (x[2] - x[3]),
        (x[1] - 2.0 * x[2]).powi(2),
        10f64.sqrt() * (x[0] - x[3]).powi(2),
    ]
}

fn freudenstein_roth(x: &[f64]) -> Vec<f64> {
    vec![-13.0 + x[0] + ((5.0 - x[1]) * x[1] - 2.0) * x[1], -29.0 + x[0] + ((x[1] + 1.0) * x[1] - 14.0) * x[1]]
}

fn bard(x: &[f64]) -> Vec<f64> {
    const Y: [f64; 15] = [0.14, 0.18, 0.22, 0.25, 0.29, 0.32, 0.35, 0.39, 0.37, 0.58, 0.73, 0.96, 1.34, 2.10, 4.39];
    let of = |(k, y): (usize, &f64)| {
        let (u, v) = ((k + 1) as f64, (15 - k) as f64);
        y - (x[0] + u / (v * x[1] + u.min(v) * x[2]))
    };
    Y.iter().enumerate().map(of).collect()
}

fn kowalik_osborne(x: &[f64]) -> Vec<f64> {
    const Y: [f64; 11] = [0.1957, 0.1947, 0.1735, 0.1600, 0.0844, 0.0627, 0.0456, 0.0342, 0.0323, 0.0235, 0.0246];
    const U: [f64; 11] = [4.0, 2.0, 1.0, 0.5, 0.25, 0.167, 0.125, 0.1, 0.0833, 0.0714, 0.0625];
    let of = |(y, u): (&f64, &f64)| y - x[0] * (u * u + u * x[1]) / (u * u + u * x[2] + x[3]);
    Y.iter().zip(&U).map(of).collect()
}

/// Full rank once, rank one twice as seen from a column that does nothing.
fn idle_column(x: &[f64]) -> Vec<f64> {
    vec![x[0] - 3.0, 2.0 * x[1] + 1.0, x[0] + x[1]]
}

const CASES: &[Case] = &[
    Case { name: "Rosenbrock", differences: rosenbrock, start: &[-1.2, 1.0], least: 0.0 },
    Case { name: "helical valley", differences: helical_valley, start: &[-1.0, 0.0, 0.0], least: 0.0 },
    Case {
        name: "Powell's singular function",
        differences: powell_singular,
        start: &[3.0, -1.0, 0.0, 1.0],
        least: 0.0,
    },
    Case {
        name: "Freudenstein and Roth",
        differences: freudenstein_roth,
        start: &[0.5, -2.0],
        least: 48.9842536792400,
    },
    Case { name: "Bard", differences: bard, start: &[1.0, 1.0, 1.0], least: 8.214877306578963e-3 },
    Case {
        name: "Kowalik and Osborne",
        differences: kowalik_osborne,
        start: &[0.25, 0.39, 0.415, 0.39],
        least: 3.0750560384923e-4,
    },
    Case { name: "a column that does nothing", differences: idle_column, start: &[1.0, 1.0, 7.0], least: 25.0 / 9.0 },
];

/// Slopes by the differences of five points, to some 1e-12.
fn slopes(of: fn(&[f64]) -> Vec<f64>, x: &[f64]) -> Matrix {
    let mut matrix = Matrix::zeros(of(x).len(), x.len());
    for j in 0..x.len() {
        let h = 1e-3 * x[j].abs().max(0.1);
        let at = |k: f64| {
            let mut x = x.to_vec();
            x[j] += k * h;
            of(&x)
        };
        let (a, b, c, d) = (at(-2.0), at(-1.0), at(1.0), at(2.0));
        for i in 0..matrix.rows {
            matrix.row_mut(i)[j] = (a[i] - 8.0 * b[i] + 8.0 * c[i] - d[i]) / (12.0 * h);
        }
    }
    matrix
}

struct Ours<'c>(&'c Case, usize);

impl Squares for Ours<'_> {
    fn differences(&mut self, x: &[f64]) -> Option<Vec<f64>> {
        self.1 += 1;
        Some((self.0.differences)(x))
    }

    fn slopes(&mut self, x: &[f64]) -> Option<Matrix> {
        Some(slopes(self.0.differences, x))
    }
}

struct Other<'c>(&'c Case, DVector<f64>);

impl LeastSquaresProblem<f64, Dyn, Dyn> for Other<'_> {
    type ResidualStorage = Owned<f64, Dyn>;
    type JacobianStorage = Owned<f64, Dyn, Dyn>;
    type ParameterStorage = Owned<f64, Dyn>;

    fn set_params(&mut self, x: &DVector<f64>) {
        self.1.copy_from(x);
    }

    fn params(&self) -> DVector<f64> {
        self.1.clone()
    }

    fn residuals(&self) -> Option<DVector<f64>> {
        Some(DVector::from_vec((self.0.differences)(self.1.as_slice())))
    }

    fn jacobian(&self) -> Option<DMatrix<f64>> {
        let ours = slopes(self.0.differences, self.1.as_slice());
        Some(DMatrix::from_row_slice(ours.rows, ours.columns, &ours.entries))
    }
}

#[test]
fn the_least_sum_is_found_in_as_many_evaluations_as_another_program_needs() {
    const TOLERANCE: f64 = 1e-13;
    for case in CASES {
        let mut ours = Ours(case, 0);
        let mut x = case.start.to_vec();
        let ended =
            LevenbergMarquardt { tolerance: TOLERANCE, stride: 1.0, evaluations: 2000 }.descend(&mut ours, &mut x);
        let sum = |x: &[f64]| (case.differences)(x).iter().map(|d| d * d).sum::<f64>();
        // To half the digits in x, and so to all in the sum, but for what the slopes lack.
        assert!((sum(&x) - case.least).abs() <= 1e-10 * case.least + 1e-18, "{}: {:e}, {ended:?}", case.name, sum(&x));
        assert!(matches!(ended, Ended::Exact | Ended::Converged | Ended::Rounding), "{}: {ended:?}", case.name);
        let method = Theirs::new().with_ftol(TOLERANCE).with_xtol(TOLERANCE).with_gtol(0.0).with_stepbound(1.0);
        let (other, report) = method.minimize(Other(case, DVector::from_column_slice(case.start)));
        let other_sum = sum(other.1.as_slice());
        println!(
            "{}: {} evaluations, another program {}; {:e} and {other_sum:e}",
            case.name,
            ours.1,
            report.number_of_evaluations,
            sum(&x)
        );
        assert!((sum(&x) - other_sum).abs() <= 1e-10 * case.least + 1e-18, "{}: {other_sum:e}", case.name);
        // The paths part by roundings; the count of steps stays that of the method.
        assert!(2 * ours.1 <= 3 * report.number_of_evaluations + 10, "{}: {} evaluations", case.name, ours.1);
    }
}

#[test]
fn a_descent_ends_where_nothing_can_be_had() {
    let method = LevenbergMarquardt { tolerance: 1e-13, stride: 1.0, evaluations: 5 };
    let mut x = [-1.2, 1.0];
    assert_eq!(method.descend(&mut Ours(&CASES[0], 0), &mut x), Ended::Spent);
    assert!(x != [-1.2, 1.0]);
    let exact = Case { name: "exact", differences: rosenbrock, start: &[1.0, 1.0], least: 0.0 };
    assert_eq!(method.descend(&mut Ours(&exact, 0), &mut [1.0, 1.0]), Ended::Exact);
    let nan = Case { name: "nan", differences: |x| vec![x[0] / 0.0 - x[0] / 0.0], start: &[1.0], least: 0.0 };
    assert_eq!(method.descend(&mut Ours(&nan, 0), &mut [1.0]), Ended::Stopped);
    struct Nothing;
    impl Squares for Nothing {
        fn differences(&mut self, _: &[f64]) -> Option<Vec<f64>> {
            None
        }
        fn slopes(&mut self, _: &[f64]) -> Option<Matrix> {
            None
        }
    }
    assert_eq!(method.descend(&mut Nothing, &mut [1.0]), Ended::Stopped);
}
