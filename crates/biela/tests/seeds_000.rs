//! The cases of the thesis on inverse kinematics of mechanisms against closed forms and independent figures.

mod common;

use common::cases::*;
use common::record::{held, COMPUTED};
use std::f64::consts::{FRAC_PI_4, PI, TAU};

/// Piston position, velocity and acceleration of a centred slider-crank.
fn piston(crank: f64, rod: f64, angle: f64, w: f64) -> [f64; 3] {
    let (s, c) = angle.sin_cos();
    let r = (rod * rod - crank * crank * s * s).sqrt();
    let x = crank * c + r;
    let v = w * (-crank * s - crank * crank * s * c / r);
    let a = -crank * c - crank * crank * (c * c - s * s) / r - (crank * crank * s * c).powi(2) / r.powi(3);
    [x, v, w * w * a]
}

#[test]
fn slider_crank_by_both_models_at_both_speeds() {
    for name in ["slider-crank", "slider-crank-purged"] {
        for (omega, w) in [("2*pi", TAU), ("4*pi", 2.0 * TAU)] {
            let results = run(&load(name, &set(&[("omega", omega)])));
            for (k, signal) in ["piston.x", "piston.vx", "piston.ax"].into_iter().enumerate() {
                follows(&results, signal, |t| piston(2.0, 3.5, FRAC_PI_4 + w * t, w)[k]);
            }
            for (k, signal) in ["guide.slide", "guide.slide.rate", "guide.slide.accel"].into_iter().enumerate() {
                follows(&results, signal, |t| piston(2.0, 3.5, FRAC_PI_4 + w * t, w)[k]);
            }
            // The crank follows its angle through both halves of every turn, where a driven cosine would not.
            follows(&results, "O.angle", |t| FRAC_PI_4 + w * t);
            follows(&results, "crank.B.y", |t| 2.0 * (FRAC_PI_4 + w * t).sin());
            follows(&results, "rod.wz", |t| {
                let angle = FRAC_PI_4 + w * t;
                -w * 2.0 * angle.cos() / (3.5f64.powi(2) - (2.0 * angle.sin()).powi(2)).sqrt()
            });
        }
    }
}

#[test]
fn slider_crank_bodies_in_euler_parameters() {
    let wanted = reference("seeds_000.json");
    let names: Vec<String> = wanted["slider_crank_purged"]["columns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|name| name.as_str().unwrap().to_string())
        .collect();
    for (omega, key) in [("2*pi", "omega_2pi"), ("4*pi", "omega_4pi")] {
        let results = run(&load("slider-crank-purged", &set(&[("omega", omega)])));
        let table = columns(&wanted["slider_crank_purged"][key]);
        for (k, name) in names.iter().enumerate().skip(1) {
            let (body, leaf) = name.split_once('.').unwrap();
            if !leaf.starts_with('e') {
                // Components that vanish stand beside others of a few units or, among accelerations, of ω² = 39 and more.
                agrees_beside(&results, name, 20, &table[k], if leaf.starts_with('a') { 39.0 } else { 1.0 });
                continue;
            }
            // p and −p are one attitude: compare up to the sign of the whole quadruple.
            let first = k - leaf[1..].parse::<usize>().unwrap();
            for row in 0..table[k].len() {
                let found = [0, 1, 2, 3].map(|i| column(&results, &format!("{body}.e{i}"))[20 * row]);
                let sign = (0..4).map(|i| found[i] * table[first + i][row]).sum::<f64>().signum();
                let off = (found[k - first] - sign * table[k][row]).abs();
                held(COMPUTED, name, AGREEMENT, off, format_args!("row {row}"));
            }
        }
    }
}

#[test]
fn counts_of_the_slider_crank_models() {
    let report = |name: &str| biela::solve::check::check(&load(name, &set(&[])), "absolute").unwrap();
    let full = report("slider-crank");
    assert_eq!(full.thesis, (28, 30));
    assert_eq!((full.coordinates, full.equations, full.rank), (21, 23, 20));
    assert_eq!((full.grubler, full.instantaneous_mobility), (-2, 1));
    let purged = report("slider-crank-purged");
    assert_eq!(purged.thesis, (28, 27));
    assert_eq!((purged.equations, purged.rank, purged.grubler, purged.instantaneous_mobility), (20, 20, 1, 1));
    assert!(purged.redundant.is_empty());
    // Table 3.2 as printed: the second difference joins frame and piston, the rod's end is free.
    let printed = altered(
        "slider-crank-purged",
        &[(
            "bodies = [\"rod\", \"piston\"]\nat     = [\"C\", \"C\"]\nalong  = \"y\"",
            "bodies = [\"ground\", \"piston\"]\nat     = [[0, 0, 0], \"C\"]\nalong  = \"y\"",
        )],
    );
    let printed_report = biela::solve::check::check(&printed, "absolute").unwrap();
    assert_eq!((printed_report.rank, printed_report.instantaneous_mobility), (19, 2));
    assert!(failure(&printed).contains("under-driven"));
}

#[test]
fn arm_follows_its_tip() {
    let results = run(&load("arm-3r", &set(&[])));
    let wanted = reference("seeds_000.json");
    let joint = columns(&wanted["arm_3r"]["joint"]);
    for (j, name) in ["base", "shoulder", "elbow"].into_iter().enumerate() {
        for (k, leaf) in ["", ".rate", ".accel"].into_iter().enumerate() {
            agrees(&results, &format!("{name}.angle{leaf}"), 10, &joint[1 + 3 * j + k]);
        }
    }
    let full = columns(&wanted["arm_3r"]["full"]);
    for (b, body) in ["column", "upper", "forearm"].into_iter().enumerate() {
        for i in 0..4 {
            agrees(&results, &format!("{body}.e{i}"), 10, &full[1 + 4 * b + i]);
        }
        for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
            agrees(&results, &format!("{body}.w{axis}"), 10, &full[13 + 3 * b + k]);
            agrees(&results, &format!("{body}.al{axis}"), 10, &full[22 + 3 * b + k]);
        }
    }
    follows(&results, "forearm.tip.y", |t| 0.5 * t);
    // The thesis prints 0.7804, which is one interval early.
    let base = column(&results, "base.angle");
    assert!((base[100] - PI / 4.0).abs() < 1e-12 && is_printed(0.7804, base[99], 4));
}

#[test]
fn haug_spatial_slider_crank_with_three_rods() {
    let wanted = reference("seeds_000.json");
    for (key, rod) in [("0.3", 0.3), ("0.27", 0.27), ("0.24", 0.24)] {
        let results = run(&load("haug-slider-crank", &set(&[("rod", key)])));
        let table = columns(&wanted["haug"]["rods"][key]);
        for (k, name) in ["slider.x", "slider.vx", "slider.ax", "rod.B.y", "rod.B.z"].into_iter().enumerate() {
            agrees(&results, name, 10, &table[k + 1]);
        }
        follows(&results, "slider.x", |t| {
            let (s, c) = (TAU * t).sin_cos();
            (rod * rod - (0.1 - 0.08 * s).powi(2) - (0.12 + 0.08 * c).powi(2)).sqrt()
        });
    }
    // Below the critical length the turn cannot be made.
    assert!(failure(&load("haug-slider-crank", &set(&[("rod", "0.23")]))).contains("cannot be followed beyond"));
}
