//! The cases of the course chapter on natural coordinates against its tables and independent figures.

mod common;

use common::cases::*;
use common::record::{held, COMPUTED};
use std::f64::consts::{FRAC_PI_4, FRAC_PI_6, TAU};

/// Table 2: alpha in degrees, x1, y1, x2, y2.
const TABLE_2: [[f64; 5]; 7] = [
    [60.0, 1.0, 1.7321, 8.4125, 4.7413],
    [65.0, 0.8452, 1.8126, 8.3045, 4.7038],
    [70.0, 0.6840, 1.8794, 8.1856, 4.6592],
    [75.0, 0.5176, 1.9319, 8.0571, 4.6071],
    [80.0, 0.3473, 1.9696, 7.9207, 4.5471],
    [85.0, 0.1743, 1.9924, 7.7780, 4.4791],
    [90.0, 0.0, 2.0, 7.6306, 4.4029],
];

/// Table 3: t, x1, y1, x2, phi in degrees, rates of x1, y1, x2, phi, accelerations of x1, y1, x2, phi.
const TABLE_3: &str = "\
0 1.414 1.414 6.2100 45 -1.414 1.414 -1.831 1 -1.414 -1.414 -1.450 0
0.392 0.765 1.847 5.4114 67.5 -1.847 0.765 -2.152 1 -0.765 -1.847 -0.176 0
0.785 0 2 4.5826 90 -2 0 -2 1 0 -2 0.872 0
1.178 -0.765 1.847 3.8807 112.5 -1.847 -0.765 -1.543 1 0.765 -1.847 1.354 0
1.570 -1.414 1.414 3.3816 135 -1.414 -1.414 -0.997 1 1.414 -1.414 1.378 0
1.963 -1.847 0.765 3.0933 157.5 -0.765 -1.847 -0.479 1 1.847 -0.765 1.258 0
2.356 -2 0 3 180 0 -2 0 1 2 0 1.2 0
2.748 -1.847 -0.765 3.0933 202.5 0.765 -1.847 0.479 1 1.847 0.765 1.258 0
3.141 -1.414 -1.414 3.3816 225 1.414 -1.414 0.997 1 1.414 1.414 1.378 0
3.534 -0.765 -1.847 3.8807 247.5 1.847 -0.765 1.543 1 0.765 1.847 1.354 0
3.927 0 -2 4.5826 270 2 0 2 1 0 2 0.872 0
4.319 0.765 -1.847 5.4114 292.5 1.847 0.765 2.152 1 -0.765 1.847 -0.176 0
4.712 1.414 -1.414 6.2100 315 1.414 1.414 1.831 1 -1.414 1.414 -1.450 0
5.105 1.847 -0.765 6.7888 337.5 0.765 1.847 1.051 1 -1.847 0.765 -2.436 0
5.497 2 0 7 360 0 2 0 1 -2 0 -2.8 0
5.890 1.847 0.765 6.7888 22.5 -0.765 1.847 -1.051 1 -1.847 -0.765 -2.436 0
6.283 1.414 1.414 6.2100 45 -1.414 1.414 -1.831 1 -1.414 -1.414 -1.450 0";

/// Table 4: t, x1, y1, z1, x2, phi in degrees, their rates, their accelerations. Row 5 has x1 = -0.866 where -0.886 is printed.
const TABLE_4: &str = "\
0 0 0 2 5.657 0 -24 -41.57 0 -24 24 0 0 -1152 101.8 0
.021 -0.5 -0.866 1.732 5.179 30 -20.78 -36 -24 -18.95 24 288 498.8 -997.7 338.1 0
.043 -0.866 -1.5 1 4.857 60 -12 -20.78 -41.57 -10.18 24 498.8 864 -576 447.9 0
.065 -1 -1.732 0 4.745 90 0 0 -48 0 24 576 997.7 0 475.7 0
.087 -0.866 -1.5 -1 4.857 120 12 20.78 -41.57 10.18 24 498.8 864 576 447.9 0
.109 -0.5 -0.866 -1.732 5.179 150 20.78 36 -24 18.95 24 288 498.8 997.7 338.1 0
.131 0 0 -2 5.657 180 24 41.57 0 24 24 0 0 1152 101.8 0
.153 0.5 0.866 -1.732 6.179 210 20.78 36 24 22.61 24 -288 -498.8 997.7 -237.9 0
.175 0.866 1.5 -1 6.589 240 12 20.78 41.57 13.82 24 -498.8 -864 576 -549.7 0
.196 1 1.732 0 6.745 270 0 0 48 0 24 -576 -997.7 0 -676.3 0
.218 0.866 1.5 1 6.589 300 -12 -20.78 41.57 -13.82 24 -498.8 -864 -576 -549.7 0
.240 0.5 0.866 1.732 6.179 330 -20.78 -36 24 -22.61 24 -288 -498.8 -997.7 -237.9 0
.262 0 0 2 5.657 360 -24 -41.57 0 -24 24 0 0 -1152 101.8 0";

fn rows(table: &str) -> Vec<Vec<f64>> {
    table.lines().map(|line| line.split(' ').map(|x| x.parse().unwrap()).collect()).collect()
}

/// Compares a printed table digit by digit with signals; angles are given in degrees and start anew after a turn.
fn printed(results: &biela::results::Results, table: &str, signals: &[(&str, i32)]) {
    for (k, row) in rows(table).iter().enumerate() {
        assert_eq!(row.len(), signals.len());
        for ((name, decimals), printed) in signals.iter().zip(row) {
            let mut exact = column(results, name)[k];
            if name.ends_with(".angle") {
                exact = exact.to_degrees();
                exact -= 360.0 * ((exact - 1e-6) / 360.0).floor() * f64::from(u8::from(exact > 360.1));
            }
            assert!(is_printed(*printed, exact, *decimals), "{name}, row {k}: {printed} printed for {exact}");
        }
    }
}

#[test]
fn four_bar_tables_1_and_2() {
    let results = run(&load("four-bar", &set(&[])));
    for (k, [alpha, x1, y1, x2, y2]) in TABLE_2.into_iter().enumerate() {
        assert!((column(&results, "A.angle")[k].to_degrees() - alpha).abs() < 1e-10);
        for (name, value) in [("crank.P1.x", x1), ("crank.P1.y", y1), ("rocker.P2.x", x2), ("rocker.P2.y", y2)] {
            assert!(is_printed(value, column(&results, name)[k], 4), "{name} at {alpha} degrees");
        }
    }
    // Table 1 ends at the first row of table 2, whatever its start: the chapter's two starts give the same position.
    for pose in ["at = [1.5, 1, 0], angle = \"25 deg\"", "at = [2, 4, 0], angle = \"-9 deg\""] {
        let moved = altered("four-bar", &[("at = [1, 1.7, 0], angle = \"22 deg\"", pose)]);
        let results = run(&moved);
        for (name, value) in [("coupler.P2.x", 8.4125), ("coupler.P2.y", 4.7413)] {
            assert!(is_printed(value, column(&results, name)[0], 4), "{name} from {pose}");
        }
    }
}

#[test]
fn four_bar_equations_20_and_25() {
    let results = run(&load("four-bar", &set(&[("accel", "1")])));
    let wanted = reference("seeds_003.json");
    let at = |key: &str| numbers(&wanted["four_bar"][key]);
    let (p, v, a) = (at("position_60deg"), at("velocity_rate1"), at("acceleration_rate1_accel1"));
    let (v20, a25) = ([-1.7321, 1.0, -1.1674, -0.3909], [-2.7321, -0.7321, -2.8201, -1.2639]);
    for (k, (point, axis)) in
        [("crank.P1", "x"), ("crank.P1", "y"), ("rocker.P2", "x"), ("rocker.P2", "y")].into_iter().enumerate()
    {
        agrees(&results, &format!("{point}.{axis}"), 1, &p[k..=k]);
        agrees(&results, &format!("{point}.v{axis}"), 1, &v[k..=k]);
        agrees(&results, &format!("{point}.a{axis}"), 1, &a[k..=k]);
        assert!(is_printed(v20[k], column(&results, &format!("{point}.v{axis}"))[0], 4));
        assert!(is_printed(a25[k], column(&results, &format!("{point}.a{axis}"))[0], 4));
    }
}

#[test]
fn four_bar_full_turn() {
    let results = run(&load("four-bar", &set(&[])));
    let wanted = columns(&reference("seeds_003.json")["four_bar"]["full_turn_rate1"]);
    let names = ["x", "y", "vx", "vy", "ax", "ay"];
    for (k, name) in names.into_iter().enumerate() {
        let first = 1 + 4 * (k / 2) + k % 2;
        agrees(&results, &format!("coupler.P1.{name}"), 4, &wanted[first]);
        agrees(&results, &format!("coupler.P2.{name}"), 4, &wanted[first + 2]);
    }
    // The crank has made one turn, the rocker has come back.
    let turn = |name: &str| column(&results, name).last().unwrap() - column(&results, name)[0];
    assert!((turn("A.angle") - TAU).abs() < 1e-12 && turn("B.angle").abs() < 1e-12);
}

#[test]
fn slider_crank_table_3() {
    let results = run(&load("slider-crank-003", &set(&[])));
    let signals = [
        ("t", 3),
        ("crank.P1.x", 3),
        ("crank.P1.y", 3),
        ("slider.x", 4),
        ("P0.angle", 1),
        ("crank.P1.vx", 3),
        ("crank.P1.vy", 3),
        ("slider.vx", 3),
        ("P0.angle.rate", 0),
        ("crank.P1.ax", 3),
        ("crank.P1.ay", 3),
        ("slider.ax", 3),
        ("P0.angle.accel", 0),
    ];
    printed(&results, TABLE_3, &signals);
    let r = |t: f64| (25.0 - 4.0 * (FRAC_PI_4 + t).sin().powi(2)).sqrt();
    follows(&results, "slider.x", |t| 2.0 * (FRAC_PI_4 + t).cos() + r(t));
    follows(&results, "slider.vx", |t| {
        let (s, c) = (FRAC_PI_4 + t).sin_cos();
        -2.0 * s - 4.0 * s * c / r(t)
    });
    follows(&results, "slider.ax", |t| {
        let (s, c) = (FRAC_PI_4 + t).sin_cos();
        -2.0 * c - 4.0 * (c * c - s * s) / r(t) - 16.0 * (s * c).powi(2) / r(t).powi(3)
    });
}

#[test]
fn spatial_slider_crank_table_4() {
    let results = run(&load("spatial-slider-crank-003", &set(&[])));
    let signals = [
        ("t", 3),
        ("crank.P1.x", 3),
        ("crank.P1.y", 3),
        ("crank.P1.z", 3),
        ("slider.x", 3),
        ("P0.angle", 0),
        ("crank.P1.vx", 2),
        ("crank.P1.vy", 2),
        ("crank.P1.vz", 2),
        ("slider.vx", 2),
        ("P0.angle.rate", 0),
        ("crank.P1.ax", 1),
        ("crank.P1.ay", 1),
        ("crank.P1.az", 1),
        ("slider.ax", 1),
        ("P0.angle.accel", 0),
    ];
    printed(&results, TABLE_4, &signals);
    // x2 = x1 + sqrt(36 − y1² − z1²), differentiated twice.
    let (w, axis) = (24.0, (-FRAC_PI_6).sin_cos());
    let slider = |t: f64| {
        let (s, c) = (w * t).sin_cos();
        let p = [2.0 * axis.0 * s, -2.0 * axis.1 * s, 2.0 * c];
        let v = [2.0 * axis.0 * c * w, -2.0 * axis.1 * c * w, -2.0 * s * w];
        let a = p.map(|x| -x * w * w);
        let r = (36.0 - p[1] * p[1] - p[2] * p[2]).sqrt();
        let rd = -(p[1] * v[1] + p[2] * v[2]) / r;
        let rdd = -(v[1] * v[1] + v[2] * v[2] + p[1] * a[1] + p[2] * a[2] + rd * rd) / r;
        [p[0] + r, v[0] + rd, a[0] + rdd]
    };
    for (k, name) in ["slider.x", "slider.vx", "slider.ax"].into_iter().enumerate() {
        follows(&results, name, |t| slider(t)[k]);
    }
}

#[test]
fn spherical_mechanism() {
    let results = run(&load("spherical-four-bar", &set(&[])));
    let wanted = &reference("seeds_003.json")["spherical"];
    let levels = [("", "position"), ("v", "velocity"), ("a", "acceleration")];
    // Speed and its square set the scale, as in the chapter's own vectors.
    for ((prefix, key), scale) in levels.into_iter().zip([10.0, 250.0, 1.1e4]) {
        let figures = numbers(&wanted[key]);
        for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
            for (point, at) in [("crank.B", k), ("rocker.C", 6 + k), ("coupler.B", k), ("coupler.C", 6 + k)] {
                let found = column(&results, &format!("{point}.{prefix}{axis}"))[0];
                let off = (found - figures[at]).abs() / scale;
                held(COMPUTED, &format!("{point}.{prefix}{axis}"), AGREEMENT, off, found);
            }
        }
        // The chapter's unit vectors from O to B and to C.
        let (b, c) = (58f64.sqrt(), 85f64.sqrt());
        assert!((column(&results, &format!("crank.B.{prefix}y"))[0] / b - figures[4]).abs() <= AGREEMENT * scale);
        assert!((column(&results, &format!("rocker.C.{prefix}z"))[0] / c - figures[11]).abs() <= AGREEMENT * scale);
    }
    for (k, row) in wanted["rocker_angle"].as_array().unwrap().iter().enumerate() {
        let row = numbers(row);
        let (y, z) = (column(&results, "rocker.C.y")[k], column(&results, "rocker.C.z")[k]);
        assert!((column(&results, "A.angle")[k].to_degrees() - row[0]).abs() < 1e-9);
        let off = (z.atan2(y).to_degrees() - row[2]).abs();
        held(COMPUTED, "rocker angle in degrees", 1e-9, off, format_args!("at {} degrees", row[0]));
    }
    // Printed accelerations and velocities (rounded there).
    assert!(is_printed(-231.42, column(&results, "rocker.C.vz")[0], 2));
    assert!(is_printed(-5951.0, column(&results, "rocker.C.ay")[0], 0));
    assert!(is_printed(-3086.0, column(&results, "rocker.C.az")[0], 0));
}

#[test]
fn hand_on_a_line_both_ways() {
    let table = columns(&reference("seeds_003.json")["two_link_hand"]["rows_at_speed_1"]);
    for (elbow, first) in [("1", 1), ("-1", 7)] {
        let results = run(&load("two-link-hand", &set(&[("elbow", elbow)])));
        agrees(&results, "fore.hand.x", 11, &table[0]);
        follows(&results, "fore.hand.y", |_| 4.0);
        // The figures' angles go on without a turn; those of a run begin in (−π, π].
        let turn = |x: f64, near: f64| near - TAU * ((near - x) / TAU).round();
        let shift =
            turn(column(&results, "shoulder.angle")[0], table[first][0]) - column(&results, "shoulder.angle")[0];
        let shoulder: Vec<f64> = table[first].iter().map(|x| x - shift).collect();
        assert!((shift / TAU).fract().abs() < 1e-12 && shift.abs() < 7.0, "{shift}");
        agrees(&results, "shoulder.angle", 11, &shoulder);
        agrees(&results, "shoulder.angle.rate", 11, &table[first + 1]);
        agrees(&results, "shoulder.angle.accel", 11, &table[first + 2]);
        agrees(&results, "elbow.angle", 11, &table[first + 3]);
        agrees(&results, "elbow.angle.rate", 11, &table[first + 4]);
        agrees(&results, "elbow.angle.accel", 11, &table[first + 5]);
    }
}
