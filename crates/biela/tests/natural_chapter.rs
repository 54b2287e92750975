//! The worked examples of the course chapter on kinematic problems in natural coordinates, element by element as it models
//! them, and its three ways of imposing the freedoms. Numbers in full come from an independent program (NumPy) that solves
//! the chapter's equations; those printed in the chapter agree with them to their last digit.
#![allow(non_snake_case)]

mod common;

use biela::couplings::CoordinateRef;
use biela::drivers::{Driver, Target};
use biela::expr::{Expression, Name};
use biela::joints::{Marker, Measure, Row};
use biela::math::dense::Matrix;
use biela::math::{Pose, Rotation, Vec3};
use biela::model::Model;
use biela::motion::Motion;
use biela::solve::impose::{self, Imposition, PENALTY};
use biela::solve::motion::Follower;
use biela::system::natural::Element;
use biela::system::{Constraints, Natural, System, Workspace};
use common::record::{held, COMPUTED, OTHER};

/// Roundings of a few operations on numbers of order ten.
const ROUNDING: f64 = 1e-13;

fn element(point: bool, constant: [f64; 3], axes: &[Vec3]) -> Element {
    let constant = Vec3::new(constant[0], constant[1], constant[2]);
    Element { point, constant, axes: axes.to_vec(), first: 0, seen: Vec::new() }
}

fn own(index: usize) -> Marker {
    Marker::Own { index }
}

fn length(from: usize, to: usize, value: f64) -> Row {
    let measure = Measure::DistanceSquared { from: own(from), to: own(to) };
    Row { target: Motion::Constant(value), squared: true, ..Row::zero_length(measure, "rigid") }
}

fn along(a: Marker, from: usize, to: usize, target: Motion) -> Row {
    Row { target, ..Row::zero_length(Measure::Along { a, from: own(from), to: own(to) }, "rigid") }
}

fn product(a: usize, b: usize, value: f64) -> Row {
    Row { target: Motion::Constant(value), ..Row::zero(Measure::Dot(own(a), own(b)), "rigid") }
}

fn ground(u_B: Vec3) -> Marker {
    Marker::Direction { body: 0, u_B }
}

fn system(model: &Model, elements: Vec<Element>, rows: Vec<Row>) -> System<'_> {
    let formulation = Box::new(Natural::of_elements(elements, rows));
    let constraints = Constraints::new(model, &*formulation);
    System { model, formulation, constraints }
}

/// The four-bar of (3a)–(3d): A, B fixed, points 1 and 2, α given, so x₁ − x_A = L₁ cos α.
fn four_bar(model: &Model) -> System<'_> {
    let plane = [Vec3::X, Vec3::Y];
    let elements = vec![
        element(true, [0.0; 3], &[]),
        element(true, [10.0, 0.0, 0.0], &[]),
        element(true, [0.0; 3], &plane),
        element(true, [0.0; 3], &plane),
    ];
    let angle = along(ground(Vec3::X), 0, 2, Motion::Constant(2.0 * (std::f64::consts::PI / 3.0).cos()));
    system(model, elements, vec![length(0, 2, 2.0), length(2, 3, 8.0), length(1, 3, 5.0), angle])
}

/// |Φ| as the chapter writes its equations.
fn error(q: &[f64]) -> f64 {
    let [x1, y1, x2, y2] = [q[0], q[1], q[2], q[3]];
    let phi = [
        x1 * x1 + y1 * y1 - 4.0,
        (x2 - x1).powi(2) + (y2 - y1).powi(2) - 64.0,
        (x2 - 10.0).powi(2) + y2 * y2 - 25.0,
        x1 - 1.0,
    ];
    phi.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Newton's iterates from the start of table 1; the Jacobian is renewed each time, or never.
fn iterate(renew: bool, most: usize) -> Vec<(Vec<f64>, f64)> {
    let model = common::model(vec![], vec![]);
    let system = four_bar(&model);
    let mut ws = Workspace::new(&system);
    let mut q = vec![1.5, 1.0, 8.0, 4.0];
    let mut dv = vec![0.0; 4];
    let mut history = Vec::new();
    for k in 0..=most {
        history.push((q.clone(), error(&q)));
        if error(&q) < 1e-8 {
            break;
        }
        ws.realize_position(&system, 0.0, &q);
        if renew || k == 0 {
            ws.realize_jacobian(&system, 0.0);
            ws.analyse(&[]);
        }
        ws.solve_position(&system, &mut dv);
        system.formulation.step(&mut q, &dv);
    }
    history
}

#[test]
fn table_1_digit_by_digit() {
    let expected = [
        ([1.5, 1.0, 8.0, 4.0], 13.724977231310804),
        ([1.0, 2.125, 8.578125, 4.9140625], 2.2631593787287727),
        ([1.0, 1.7683823529411762, 8.427131597502015, 4.751353310008532], 0.1491634283528177),
        ([1.0, 1.7324240247034364, 8.41263356867448, 4.7413687577349295], 0.0015971238601721722),
        ([1.0, 1.7320508477700713, 8.412459345985747, 4.74127775082707], 1.8160539354311616e-07),
        ([1.0, 1.7320508075688776, 8.412459326544008, 4.741277740242908], 0.0),
    ];
    let history = iterate(true, 20);
    assert_eq!(history.len(), expected.len());
    for ((q, e), (expected_q, expected_e)) in history.iter().zip(&expected) {
        for (a, b) in q.iter().zip(expected_q) {
            held(COMPUTED, "iterates", ROUNDING, (a - b).abs(), format_args!("{q:?}"));
        }
        // Squares of numbers of order ten.
        held(COMPUTED, "their error", 100.0 * ROUNDING, (e - expected_e).abs(), format_args!("{e} {expected_e}"));
    }
    // With the Jacobian of the start kept throughout, 62 iterations are needed instead of five.
    let frozen = iterate(false, 200);
    assert_eq!(frozen.len() - 1, 62);
    assert!((frozen[2].0[1] - 1.3671874999999993).abs() < ROUNDING);
}

const AB: f64 = 3.0;
const CD: f64 = 9.0;

/// The spherical mechanism of figures 6 and 7: p₁, v₁, p₂, v₂, and equations (47)–(61) in their order; θ = π − 60 t.
fn spherical(model: &Model) -> System<'_> {
    let space = [Vec3::X, Vec3::Y, Vec3::Z];
    let (pA, pD, vA, vD, p1, v1, p2, v2) = (0, 1, 2, 3, 4, 5, 6, 7);
    let elements = vec![
        element(true, [0.0, 0.0, 7.0], &[]),
        element(true, [2.0, 0.0, 0.0], &[]),
        element(false, [0.0, 0.0, 1.0], &[]),
        element(false, [1.0, 0.0, 0.0], &[]),
        element(true, [0.0; 3], &space),
        element(false, [0.0; 3], &space),
        element(true, [0.0; 3], &space),
        element(false, [0.0; 3], &space),
    ];
    let (n1, n2) = (58f64.sqrt(), 85f64.sqrt());
    let c = Motion::Constant;
    let sine = Motion::Expression(Expression::parse("3*sin(pi - 60*t)", &[("t", Name::Variable(0))]).unwrap());
    let rows = vec![
        length(pA, p1, AB),
        along(own(vA), pA, p1, c(0.0)),
        along(own(v1), pA, p1, c(9.0 / n1)),
        product(vA, v1, 7.0 / n1),
        product(v1, v1, 1.0),
        length(p1, p2, 155f64.sqrt()),
        along(own(v1), p1, p2, c(-64.0 / n1)),
        along(own(v2), p1, p2, c(91.0 / n2)),
        product(v1, v2, -6.0 / (n1 * n2)),
        product(v2, v2, 1.0),
        length(pD, p2, CD),
        along(own(vD), pD, p2, c(0.0)),
        along(own(v2), pD, p2, c(81.0 / n2)),
        product(v2, vD, 2.0 / n2),
        along(ground(Vec3::Y), pA, p1, sine),
    ];
    system(model, elements, rows)
}

/// What brings a row of `spherical` back to the form printed: lengths are there squared, not halved and divided.
fn printed() -> [f64; 15] {
    let mut factors = [1.0; 15];
    (factors[0], factors[5], factors[10]) = (2.0 * AB, 2.0 * 155f64.sqrt(), 2.0 * CD);
    factors
}

/// The Jacobian as printed, with the column of θ: 15 × 13.
fn jacobian(system: &System, ws: &mut Workspace, theta: f64) -> Matrix {
    ws.realize_jacobian(system, 0.0);
    let pattern = &system.constraints.pattern;
    let mut a = Matrix::zeros(15, 13);
    for (i, factor) in printed().iter().enumerate() {
        for k in pattern.range(i) {
            a.row_mut(i)[pattern.index[k]] = ws.evaluation.phi_v[k] * factor;
        }
    }
    a.row_mut(14)[12] = -AB * theta.cos();
    a
}

fn unit_workspace(system: &System) -> Workspace {
    let mut ws = Workspace::new(system);
    ws.size = 1.0;
    ws
}

fn assert_near(source: &str, a: &[f64], b: &[f64], tolerance: f64, what: &str) {
    let largest = b.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    for (x, y) in a.iter().zip(b) {
        held(source, what, tolerance, (x - y).abs() / largest, format_args!("{a:?}"));
    }
}

#[test]
fn spherical_mechanism_with_more_equations_than_coordinates() {
    let model = common::model(vec![], vec![]);
    let system = spherical(&model);
    let mut ws = unit_workspace(&system);
    let theta = std::f64::consts::PI;
    // Position by (41), least squares, from the start of the reference; θ is given, so its correction is none.
    let mut q = vec![-2.5, 0.3, 6.5, -0.3, 0.1, 0.8, 2.4, 8.0, 0.5, 0.3, 0.9, 0.1];
    let expected = [39.64233340509563, 3.5136078654263683, 0.02741215074165406, 8.582918353463315e-06];
    for expected in expected.iter().chain([&0.0; 2]) {
        ws.realize_position(&system, 0.0, &q);
        let phi: Vec<f64> = ws.evaluation.phi.iter().zip(printed()).map(|(phi, f)| phi * f).collect();
        let e = phi.iter().map(|x| x * x).sum::<f64>().sqrt();
        // Normal equations square the condition, 54, of the Jacobian.
        assert!((e - expected).abs() < 1e-10, "{e} {expected}");
        let side: Vec<f64> = phi.iter().map(|x| -x).collect();
        let a = jacobian(&system, &mut ws, theta);
        let dq = impose::solve(&a, &side, &[(12, 0.0)], Imposition::Elimination).unwrap();
        system.formulation.step(&mut q, &dq[..12]);
    }
    let (s58, s85) = (58f64.sqrt(), 85f64.sqrt());
    let position = [-3.0, 0.0, 7.0, -3.0 / s58, 0.0, 7.0 / s58, 2.0, 9.0, 0.0, 2.0 / s85, 9.0 / s85, 0.0];
    assert_near(COMPUTED, &q, &position, 1e-13, "position");

    ws.realize_position(&system, 0.0, &q);
    let a = jacobian(&system, &mut ws, theta);
    let values = a.singular_values();
    assert_eq!((a.rows, a.columns), (15, 13));
    assert!(values[11] > 0.1 && values[12] < 1e-12, "rank 12, so three of fifteen are redundant: {values:?}");

    // θ̇ = −60, θ̈ = 0: closed forms by the spherical cosine law, accelerations as the reference has them.
    let velocity =
        [0.0, 180.0, 0.0, 0.0, 180.0 / s58, 0.0, 0.0, 0.0, -1620.0 / 7.0, 0.0, 0.0, -1620.0 / 7.0 / s85, -60.0];
    let acceleration = [
        10800.0,
        0.0,
        0.0,
        10800.0 / s58,
        0.0,
        0.0,
        0.0,
        -5951.020408163265,
        -3085.714285714286,
        0.0,
        -645.478790815516,
        -334.6927063487815,
        0.0,
    ];
    for (name, how) in Imposition::ALL {
        let v = impose::solve(&a, &[0.0; 15], &[(12, -60.0)], how).unwrap();
        // 1e15 against products of order 1000 leaves twelve digits.
        assert_near(COMPUTED, &v, &velocity, 1e-12, name);
        ws.realize_velocity(&system, 0.0, &v[..12]);
        system.formulation.accelerations(None, &mut ws.cache);
        system.constraints.accelerate_markers(system.at(0.0), &ws.cache, &mut ws.evaluation);
        system.constraints.acceleration_side(0.0, ws.size, &mut ws.evaluation);
        let gamma: Vec<f64> = ws.evaluation.gamma.iter().zip(printed()).map(|(g, f)| g * f).collect();
        let vdot = impose::solve(&a, &gamma, &[(12, 0.0)], how).unwrap();
        assert_near(COMPUTED, &vdot, &acceleration, 1e-11, name);
    }
}

/// Gaussian elimination with row exchanges.
fn pivoted(mut a: Matrix, mut b: Vec<f64>) -> Vec<f64> {
    let n = a.columns;
    for k in 0..n {
        let best = (k..n).max_by(|i, j| a.row(*i)[k].abs().total_cmp(&a.row(*j)[k].abs())).unwrap();
        for c in 0..n {
            a.entries.swap(k * n + c, best * n + c);
        }
        b.swap(k, best);
        for i in k + 1..n {
            let factor = a.row(i)[k] / a.row(k)[k];
            for c in k..n {
                a.entries[i * n + c] -= factor * a.entries[k * n + c];
            }
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        let sum: f64 = (k + 1..n).map(|c| a.row(k)[c] * b[c]).sum();
        b[k] = (b[k] - sum) / a.row(k)[k];
    }
    b
}

#[test]
fn a_penalty_needs_pivots_in_their_order() {
    let model = common::model(vec![], vec![]);
    let system = spherical(&model);
    let mut ws = unit_workspace(&system);
    let (s58, s85) = (58f64.sqrt(), 85f64.sqrt());
    let q = [-3.0, 0.0, 7.0, -3.0 / s58, 0.0, 7.0 / s58, 2.0, 9.0, 0.0, 2.0 / s85, 9.0 / s85, 0.0];
    ws.realize_position(&system, 0.0, &q);
    let a = jacobian(&system, &mut ws, std::f64::consts::PI);
    let (mut normal, mut side) = a.normal_equations(&[0.0; 15]);
    for p in 0..13 {
        for c in p + 1..13 {
            normal.entries[p * 13 + c] = normal.entries[c * 13 + p];
        }
    }
    normal.row_mut(12)[12] = PENALTY;
    side[12] = -60.0 * PENALTY;
    let exact = impose::solve(&a, &[0.0; 15], &[(12, -60.0)], Imposition::Elimination).unwrap();
    let lost = pivoted(normal, side).iter().zip(&exact).fold(0.0f64, |m, (x, y)| m.max((x - y).abs()));
    let kept = impose::solve(&a, &[0.0; 15], &[(12, -60.0)], Imposition::Penalty).unwrap();
    let kept = kept.iter().zip(&exact).fold(0.0f64, |m, (x, y)| m.max((x - y).abs()));
    assert!(kept < 1e-9, "{kept}");
    assert!(lost > 1e-3 && lost > 1e4 * kept, "row exchanges cost digits: {lost} against {kept}");
}

#[test]
fn three_ways_in_every_formulation() {
    // The chapter's four-bar and spherical mechanism as bodies and joints.
    let revolute = biela::joints::kind("revolute").unwrap();
    let axes_of = [
        [
            ([0.0, 0.0, 0.0], Vec3::Z),
            ([1.0, 3f64.sqrt(), 0.0], Vec3::Z),
            ([8.41246, 4.74128, 0.0], Vec3::Z),
            ([10.0, 0.0, 0.0], Vec3::Z),
        ],
        [
            ([0.0, 0.0, 7.0], Vec3::Z),
            ([-3.0, 0.0, 7.0], Vec3::new(-3.0, 0.0, 7.0)),
            ([2.0, 9.0, 0.0], Vec3::new(2.0, 9.0, 0.0)),
            ([2.0, 0.0, 0.0], Vec3::X),
        ],
    ];
    for axes in axes_of {
        let bodies = ["crank", "coupler", "rocker"].map(|name| common::body(name, Pose::IDENTITY)).to_vec();
        let made = axes.iter().zip([[0, 1], [1, 2], [2, 3], [3, 0]]).enumerate().map(|(k, ((at, axis), bodies))| {
            let frame = Pose::new(Rotation::from_z_x(*axis, Vec3::Y).unwrap(), Vec3::new(at[0], at[1], at[2]));
            common::joint(&format!("j{k}"), revolute, bodies, [frame; 2])
        });
        let model = common::model(bodies, made.collect());
        let value = Motion::Expression(Expression::parse("t + t^2/2", &[("t", Name::Variable(0))]).unwrap());
        let target = Target::Coordinate { of: CoordinateRef { joint: 0, coordinate: 0 }, value };
        let model = model.with_drivers([Driver { name: "motor".into(), target, effort: Vec::new(), span: None }]);
        for formulation in ["absolute", "natural"] {
            let system = System::new(&model, formulation).unwrap();
            let mut follower = Follower::new(&system, 0.0, 1.0).unwrap();
            follower.advance(0.4).unwrap();
            let (t, q) = (follower.stepper.state.t, follower.stepper.state.q.clone());
            let ws = &mut follower.stepper.ws;
            for (name, how) in Imposition::ALL {
                // Normal equations square a condition of a hundred or so; 1e15 takes a digit or two more.
                ws.realize_position(&system, t, &q);
                let v = impose::velocity(&system, ws, t, how).unwrap();
                assert_near(OTHER, &v, &follower.stepper.state.v, 1e-9, &format!("{formulation} by {name}"));
                ws.realize_velocity(&system, t, &follower.stepper.state.v);
                let vdot = impose::acceleration(&system, ws, t, how).unwrap();
                assert_near(OTHER, &vdot, &follower.stepper.state.vdot, 1e-9, &format!("{formulation} by {name}"));
                // From a position a little off, corrections lead back onto the constraints.
                let mut off = q.clone();
                let nudge: Vec<f64> = (0..system.formulation.nv()).map(|k| 1e-3 * (k as f64).sin()).collect();
                system.formulation.step(&mut off, &nudge);
                for _ in 0..6 {
                    ws.realize_position(&system, t, &off);
                    let dv = impose::position_step(&system, ws, t, how).unwrap();
                    system.formulation.step(&mut off, &dv);
                }
                assert!(ws.realize_position(&system, t, &off) < 1e-12, "{formulation} by {name}");
            }
        }
    }
}
