//! The spatial linkages CCCC and CSSP of the thesis on homogeneous matrices against independent figures.

mod common;

use biela::math::homogeneous::{chain, Homogeneous, Operators};
use biela::results::Results;
use biela::solve::motion::Follower;
use biela::system::{formulations, System};
use common::cases::*;
use std::f64::consts::TAU;

/// Metres in an inch.
const INCH: f64 = 0.0254;

/// Joint, its slide and its angle in the thesis's loop, as columns of the figures.
const CCCC: [(&str, usize, usize); 3] = [("pin", 1, 2), ("out", 3, 4), ("far", 5, 6)];

#[test]
fn cccc_every_degree_by_every_formulation() {
    let table = columns(&reference("seeds_002.json")["cccc"]["rows_at_100_rad_per_s"]);
    assert_eq!(table[0].len(), 361);
    for formulation in formulations() {
        let results = run_by(&load("cccc", &set(&[])), formulation.keyword);
        for (joint, slide, angle) in CCCC {
            for (k, leaf) in ["", ".rate", ".accel"].into_iter().enumerate() {
                agrees_in(&results, &format!("{joint}.slide{leaf}"), 1, &table[6 * k + slide], INCH);
                // Angles go on without a turn; the run starts within (−π, π].
                let mut wanted = table[6 * k + angle].clone();
                if k == 0 {
                    let turns = ((wanted[0] - column(&results, &format!("{joint}.angle"))[0]) / TAU).round();
                    wanted.iter_mut().for_each(|x| *x -= turns * TAU);
                }
                agrees(&results, &format!("{joint}.angle{leaf}"), 1, &wanted);
            }
        }
        follows(&results, "in.angle", |t| 100.0 * t);
    }
}

/// The thesis's own unknowns are the coordinates, velocities and accelerations of the homogeneous formulation, in the order
/// in, out, pin, far: p0, p3 and the slide of each.
#[test]
fn cccc_printed_initial_values_are_the_homogeneous_state() {
    let model = load("cccc", &set(&[]));
    let system = System::new(&model, "homogeneous").unwrap();
    assert_eq!((system.formulation.nq(), system.constraints.undriven()), (12, 4 + 12));
    let state = Follower::new(&system, 0.0, 1.0).unwrap().stepper.state;
    // Printed values and their decimals; of p12110's second rate and of none other the sign is corrected.
    type Printed = [(f64, i32); 3];
    let joints: [(usize, Printed, Printed, Printed); 3] = [
        (
            3,
            [(0.965199, 6), (0.261517, 6), (0.209829, 6)],
            [(6.53792, 5), (-24.13, 2), (-173.205, 3)],
            [(-1388.58, 2), (2735.02, 2), (36685.9, 1)],
        ),
        (
            6,
            [(0.95162, 5), (0.307279, 6), (0.115081, 6)],
            [(13.3056, 4), (-41.2063, 4), (-250.0, 3)],
            [(-2921.85, 2), (2946.82, 2), (43457.5, 1)],
        ),
        (
            9,
            [(-0.922011, 6), (0.387164, 6), (2.69301, 5)],
            [(0.0, 6), (0.0, 6), (0.0, 6)],
            [(2027.0, 1), (4827.21, 2), (-33415.5, 1)],
        ),
    ];
    for (at, positions, velocities, accelerations) in joints {
        // p and −p are the same attitude.
        let sign = (state.q[at] * positions[0].0).signum();
        let values = [(&state.q, positions), (&state.v, velocities), (&state.vdot, accelerations)];
        for (k, factor) in [sign, sign, 1.0 / INCH].into_iter().enumerate() {
            for (found, printed) in &values {
                let (found, (printed, decimals)) = (found[at + k] * factor, printed[k]);
                assert!(is_printed(printed, found, decimals), "coordinate {}: {found}, printed {printed}", at + k);
            }
        }
    }
}

/// Both sides of the thesis's loop equations by elementary motions T_z1 … T_z6 with the operators D and B.
#[test]
fn elementary_operators_close_the_loops_with_their_rates() {
    let figures = reference("seeds_002.json");
    let constant = |axis: usize, degrees: f64| Operators::turn(axis, f64::to_radians(degrees), 0.0, 0.0);
    let along = |x: f64| Operators::translation(0, x, 0.0, 0.0);
    // Figures have 13 digits; the products' terms are as large as the largest figures.
    let meets = |a: [Homogeneous; 3], b: [Homogeneous; 3], scales: [f64; 3], row: usize| {
        for k in 0..3 {
            let off = a[k].difference(&b[k]) / scales[k];
            assert!(off < 1e-11, "row {row}, derivative {k}: {off:e}");
        }
    };
    let table = columns(&figures["cccc"]["rows_at_100_rad_per_s"]);
    for row in 0..table[0].len() {
        let law = |c: usize| [table[c][row], table[c + 6][row], table[c + 12][row]];
        let slide = |c: usize| Operators::translation(2, law(c)[0], law(c)[1], law(c)[2]);
        // Turns by Euler parameters, from the angle's half.
        let turn = |c: usize| {
            let [x, xd, xdd] = law(c);
            let (s, c) = (0.5 * x).sin_cos();
            let pdd = [-0.25 * c * xd * xd - 0.5 * s * xdd, -0.25 * s * xd * xd + 0.5 * c * xdd];
            Operators::turn_by_parameters(2, [c, s], [-0.5 * s * xd, 0.5 * c * xd], pdd)
        };
        let crank = Operators::turn(2, table[0][row].to_radians(), 100.0, 0.0);
        let left = chain(&[crank, along(2.0), constant(0, 30.0), slide(1), turn(2), along(-3.0), constant(0, -225.0)]);
        let right =
            [along(-5.0), constant(0, -240.0), slide(3), turn(4), along(4.0), constant(0, 55.0), slide(5), turn(6)];
        meets(left, chain(&right), [10.0, 1e3, 1e5], row);
    }
    let table = columns(&figures["cssp"]["rows_at_2pi_rad_per_s"]);
    for row in 0..table[0].len() {
        let turn = |axis: usize, c: usize| Operators::turn(axis, table[c][row], table[c + 6][row], table[c + 12][row]);
        let crank = Operators::turn(2, table[0][row].to_radians(), TAU, 0.0);
        let slide = Operators::translation(2, table[6][row], table[12][row], table[18][row]);
        let rod = [turn(2, 1), turn(1, 2), along(6.11)];
        let ball = [turn(2, 3), turn(1, 4), turn(0, 5)];
        let parts = [&[crank, along(1.75)][..], &rod, &ball, &[slide, constant(0, 250.0)]].concat();
        let closed = [Homogeneous::IDENTITY, Homogeneous::ZERO, Homogeneous::ZERO];
        meets(chain(&parts), closed, [10.0, 1e2, 1e3], row);
    }
}

#[test]
fn cccc_printed_initial_values() {
    let results = run(&load("cccc", &set(&[])));
    let found = |name: &str, unit: f64| column(&results, name)[0] / unit;
    let degree = TAU / 360.0;
    for (name, unit, printed, decimals) in [
        ("pin.slide", INCH, 0.115081, 6),
        ("out.slide", INCH, 0.209829, 6),
        ("far.slide", INCH, 2.69301, 5),
        ("pin.angle", degree, 35.7906, 4),
        ("out.angle", degree, 30.3202, 4),
        ("far.angle", degree, 314.444 - 360.0, 3),
        ("pin.slide.rate", INCH, -250.0, 3),
        ("out.slide.rate", INCH, -173.205, 3),
        ("pin.angle.rate", 1.0, -86.6025, 4),
        ("out.angle.rate", 1.0, -50.0, 3),
        ("pin.slide.accel", INCH, 43457.5, 1),
        ("out.slide.accel", INCH, 36685.9, 1),
        ("far.slide.accel", INCH, -33415.5, 1),
        ("pin.angle.accel", 1.0, 7404.14, 2),
        ("out.angle.accel", 1.0, 6005.94, 2),
        // Printed 10471 with the wrong sign.
        ("far.angle.accel", 1.0, -10471.0, 0),
    ] {
        assert!(is_printed(printed, found(name, unit), decimals), "{name}: {}", found(name, unit));
    }
}

#[test]
fn cccc_with_both_inputs_moving() {
    for case in reference("seeds_002.json")["cccc"]["both_inputs_moving"].as_array().unwrap() {
        let number = |key: &str| case[key].as_f64().unwrap();
        let angle = format!(
            "value = \"{} deg + {} rad/s * t + {} rad/s^2 * t^2/2\"",
            number("theta21_deg"),
            number("theta21d"),
            number("theta21dd")
        );
        let slide = format!(
            "value = \"{} in + {} in/s * t + {} in/s^2 * t^2/2\"",
            number("z10"),
            number("z10d"),
            number("z10dd")
        );
        let mut model = altered("cccc", &[("value = \"speed*t\"", &angle), ("value = 0", &slide)]);
        model.study.end = 1e-3;
        model.study.steps = 1;
        let results = run(&model);
        for (joint, z, theta) in [("pin", "z54", "t65"), ("out", "z1110", "t1211"), ("far", "z1514", "t1615")] {
            for (key, leaf) in [("q", ""), ("qd", ".rate"), ("qdd", ".accel")] {
                let wanted = |name: &str| case[key][name].as_f64().unwrap();
                agrees_in(&results, &format!("{joint}.slide{leaf}"), 1, &[wanted(z)], INCH);
                let mut angle = wanted(theta);
                if leaf.is_empty() {
                    let found = column(&results, &format!("{joint}.angle"))[0];
                    angle -= TAU * ((angle - found) / TAU).round();
                }
                agrees(&results, &format!("{joint}.angle{leaf}"), 1, &[angle]);
            }
        }
    }
}

#[test]
fn cssp_every_degree_by_every_formulation() {
    for formulation in formulations() {
        cssp_full_turn(&run_by(&load("cssp", &set(&[])), formulation.keyword));
    }
}

fn cssp_full_turn(results: &Results) {
    let table = columns(&reference("seeds_002.json")["cssp"]["rows_at_2pi_rad_per_s"]);
    for (k, name) in ["guide.slide", "guide.slide.rate", "guide.slide.accel"].into_iter().enumerate() {
        agrees_in(results, name, 1, &table[6 + 6 * k], INCH);
    }
    // The rod's line from the thesis's angles: d = (cos t54 cos s, cos t54 sin s, −sin t54) with s = t21 + t43.
    for row in 0..table[0].len() {
        let (t21, t43, t54) = (table[0][row].to_radians(), table[1][row], table[2][row]);
        let (s, c) = (t21 + t43).sin_cos();
        let d = [t54.cos() * c, t54.cos() * s, -t54.sin()];
        let rates = (TAU + table[7][row], table[8][row]);
        // ḋ by the product rule; a rod that does not spin turns with ω = d × ḋ.
        let dd = [
            -t54.sin() * rates.1 * c - t54.cos() * s * rates.0,
            -t54.sin() * rates.1 * s + t54.cos() * c * rates.0,
            -t54.cos() * rates.1,
        ];
        let w = [d[1] * dd[2] - d[2] * dd[1], d[2] * dd[0] - d[0] * dd[2], d[0] * dd[1] - d[1] * dd[0]];
        for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
            let end = |point: &str| column(results, &format!("rod.{point}.{axis}"))[row];
            assert!(((end("C") - end("B")) / (6.11 * INCH) - d[k]).abs() < AGREEMENT, "direction {axis}, row {row}");
            let found = column(results, &format!("rod.w{axis}"))[row];
            assert!((found - w[k]).abs() < AGREEMENT * TAU, "rod.w{axis}, row {row}: {found} where {} is due", w[k]);
        }
    }
    // Printed initial velocity and acceleration of the slider, and its position in inches as corrected.
    for (name, printed, decimals) in
        [("guide.slide", 5.854024, 6), ("guide.slide.rate", 10.3325, 4), ("guide.slide.accel", 18.237, 3)]
    {
        assert!(is_printed(printed, column(results, name)[0] / INCH, decimals), "{name}");
    }
}

#[test]
fn counts_of_cccc_and_cssp() {
    let report = |name: &str| biela::solve::check::check(&load(name, &set(&[])), "absolute").unwrap();
    let cccc = report("cccc");
    assert_eq!((cccc.grubler, cccc.instantaneous_mobility, cccc.drivers), (2, 2, 2));
    let cssp = report("cssp");
    assert_eq!((cssp.grubler, cssp.instantaneous_mobility, cssp.idle), (3, 3, vec!["rod".to_string()]));
}
