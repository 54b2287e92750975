//! Every shipped model reads, is what it should be by count, runs, and survives being written as TOML and read again.

mod common;

use biela::results::Results;
use biela::solve::check;
use biela::source::Source;
use biela::text::{Document, Options};
use common::cases::*;

/// Name, freedoms by count (Grübler-Kutzbach), true freedoms, idle spins among them. Redundant equations make the difference.
const COUNTS: &[(&str, i64, usize, usize)] = &[
    ("arm-3r", 3, 3, 0),
    ("bennett", -2, 1, 0),
    ("cam-follower", 1, 1, 0),
    ("cccc", 2, 2, 0),
    ("cssp", 3, 3, 1),
    ("delta-robot", 9, 9, 6),
    ("double-cardan", 0, 1, 0),
    ("double-wishbone", 1, 1, 0),
    ("four-bar", -2, 1, 0),
    ("function-generator", -2, 1, 0),
    ("gear-train", 1, 1, 0),
    ("haug-slider-crank", 1, 1, 0),
    ("hoeken", -2, 1, 0),
    ("jansen-leg", 1, 1, 0),
    ("oldham", -2, 1, 0),
    ("pantograph", -1, 2, 0),
    ("parallelogram", -2, 1, 0),
    ("path-arc", -2, 1, 0),
    ("path-line", -2, 1, 0),
    ("path-loop", -2, 1, 0),
    ("peaucellier", -8, 1, 0),
    ("planetary-gear", 1, 1, 0),
    ("power-screw", -3, 1, 0),
    ("quick-return", -5, 1, 0),
    ("rack-and-pinion", 1, 1, 0),
    ("rssr", 2, 2, 1),
    ("sarrus", 0, 1, 0),
    ("scotch-yoke", 0, 1, 0),
    ("slider-crank", -2, 1, 0),
    ("slider-crank-003", -2, 1, 0),
    ("slider-crank-purged", 1, 1, 0),
    ("spatial-slider-crank-003", 2, 2, 1),
    ("spherical-four-bar", -2, 1, 0),
    ("stephenson-six-bar", -5, 1, 0),
    ("stewart-platform", 6, 6, 0),
    ("two-link-hand", 2, 2, 0),
    ("watt-six-bar", -5, 1, 0),
];

#[test]
fn each_is_what_it_should_be() {
    let names = shipped_kinematic();
    assert!(names.len() >= 25);
    for (name, grubler, mobility, idle) in COUNTS {
        assert!(names.contains(&name.to_string()), "{name} is missing");
        let model = load(name, &Options::default());
        assert_eq!(&model.name, name);
        assert!(model.about.ends_with('.') && model.about.len() > 20, "{name} says nothing about itself");
        let report = check::check(&model, "absolute").unwrap();
        let found = (report.grubler, report.instantaneous_mobility, report.idle.len());
        assert_eq!(found, (*grubler, *mobility, *idle), "{name}");
        assert_eq!((report.undriven, report.overdriven), (0, 0), "{name}");
        let redundant: usize = report.redundant.iter().map(|(_, components)| components.len()).sum();
        assert_eq!(redundant as i64, *mobility as i64 - grubler, "{name}");
        assert!(report.residual <= RESIDUAL && report.condition.is_some_and(|c| c < 1e3), "{name}");
    }
}

#[test]
fn each_runs_and_survives_being_written() {
    for name in shipped_kinematic() {
        let document = Document::read(&models().join(format!("{name}.toml")), &Options::default()).unwrap();
        let results = run(&document.model(&Options::default()).unwrap());
        let mut again = Document::from_toml(&Source::new("again.toml", document.to_toml())).unwrap();
        again.folder = document.folder.clone();
        let again = run(&again.model(&Options::default()).unwrap());
        // Nothing is rounded on the way, so not a bit may differ.
        assert!(results.columns == again.columns, "{name}: results differ after writing");
    }
}

/// Velocities and accelerations are the derivatives of positions: over each step h,
/// x₁ − x₀ = h/2 (v₀ + v₁) − h²/12 (a₁ − a₀), up to h⁵/720 of the fifth derivative.
fn is_consistent(results: &Results, signal: [&str; 3], name: &str) {
    /// The remainder for 1500 steps of a motion with a few harmonics, relative to the displacements of all of the run.
    const REMAINDER: f64 = 2e-8;
    let [x, v, a] = signal.map(|leaf| column(results, leaf));
    let t = results.times();
    let span = t[t.len() - 1] - t[0];
    let scale = magnitude(x, 1e-3).max(magnitude(v, 0.0) * span / 100.0);
    for k in 1..t.len() {
        let h = t[k] - t[k - 1];
        let off = x[k] - x[k - 1] - 0.5 * h * (v[k] + v[k - 1]) + h * h / 12.0 * (a[k] - a[k - 1]);
        assert!(off.abs() <= REMAINDER * scale, "{name}, {}: {off:e} at t = {}", signal[0], t[k]);
    }
}

#[test]
fn rates_are_derivatives_and_attitudes_do_not_jump() {
    for name in shipped_kinematic() {
        let mut model = load(&name, &Options::default());
        model.study.steps = 1500;
        let results = run(&model);
        let t = results.times();
        for body in &model.bodies[1..] {
            let signal = |leaf: &str| format!("{}.{leaf}", body.name);
            let planar = model.space.is_planar();
            if planar {
                is_consistent(&results, [&signal("angle"), &signal("w"), &signal("al")], &name);
            }
            for axis in if planar { &["x", "y"][..] } else { &["x", "y", "z"] } {
                let (x, v, a) = (signal(axis), signal(&format!("v{axis}")), signal(&format!("a{axis}")));
                is_consistent(&results, [&x, &v, &a], &name);
            }
            if planar {
                continue;
            }
            // ė = ½ ω, so no Euler parameter can change faster than half the angular velocity.
            let speed = ["wx", "wy", "wz"].map(|w| magnitude(column(&results, &signal(w)), 0.0));
            let speed = speed.iter().map(|w| w * w).sum::<f64>().sqrt();
            for k in 1..t.len() {
                let mut norm = 0.0;
                for leaf in ["e0", "e1", "e2", "e3"] {
                    let e = column(&results, &signal(leaf));
                    norm += e[k] * e[k];
                    let jump = (e[k] - e[k - 1]).abs();
                    assert!(jump <= 0.5 * speed * (t[k] - t[k - 1]) * 1.01 + 1e-12, "{name}, {}", signal(leaf));
                }
                assert!((norm - 1.0).abs() < 1e-14, "{name}, {}", body.name);
            }
        }
        for joint in &model.joints {
            for coordinate in joint.kind.coordinates() {
                let q = format!("{}.{}", joint.name, coordinate.name);
                is_consistent(&results, [&q, &format!("{q}.rate"), &format!("{q}.accel")], &name);
            }
        }
    }
}
