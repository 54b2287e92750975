//! State-space matrices along motions against closed forms.

mod common;

use biela::results::Results;
use biela::solve::newton::METHODS;
use common::forward::*;

/// Error of central differences of the accelerations, against the largest entry.
const DIFFERENCES: f64 = 1e-6;

fn matrices(text: &str) -> Results {
    let model = parse(text);
    biela::solve::run::run(&model, "absolute", METHODS[0], |_, _| true).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// Compares A at sample `k` with rows written out.
fn compare(results: &Results, k: usize, wanted: &[&[f64]]) {
    let size = wanted.iter().flat_map(|r| r.iter()).fold(1.0f64, |m, x| m.max(x.abs()));
    for (i, row) in wanted.iter().enumerate() {
        for (j, x) in row.iter().enumerate() {
            let found = column(results, &format!("A.{}.{}", i + 1, j + 1))[k];
            assert!(
                (found - x).abs() < DIFFERENCES * size,
                "sample {k}, A.{}.{}: {found} instead of {x}",
                i + 1,
                j + 1
            );
        }
    }
    assert_eq!(results.columns.len(), 1 + wanted.len() * wanted.len());
}

fn states(results: &Results) -> &str {
    results.note("states").unwrap_or_default()
}

/// m g l / J of the pendulum of the tests: 2 kg on 0.5 m, and 0.01 kg m².
const PENDULUM: f64 = 2.0 * 9.81 * 0.5 / (0.01 + 2.0 * 0.25);

#[test]
fn a_pendulum_along_its_free_motion() {
    let run_of = |analysis: &str| {
        format!("{}[run]\nanalysis = \"{analysis}\"\nend = 2\nsteps = 8\ntolerance = 1e-11\n", pendulum(2.5))
    };
    let motion = run(&run_of("dynamics"), "relative");
    let found = matrices(&run_of("state-space"));
    assert_eq!(states(&found), "O.angle, O.angle.rate");
    for (k, angle) in column(&motion, "O.angle").iter().enumerate() {
        compare(&found, k, &[&[0.0, 1.0], &[-PENDULUM * angle.cos(), 0.0]]);
    }
}

#[test]
fn a_pendulum_along_a_prescribed_motion() {
    let text = pendulum(0.3).split("[initial]").next().unwrap_or("").to_string()
        + "[drivers.a]\njoint = \"O\"\nvalue = \"0.3 + 4*t + sin(3*t)\"\n[run]\nanalysis = \"state-space\"\nend = 1\nsteps = 5\n";
    let found = matrices(&text);
    for k in 0..=5 {
        let t = 0.2 * k as f64;
        let angle = 0.3 + 4.0 * t + (3.0 * t).sin();
        compare(&found, k, &[&[0.0, 1.0], &[-PENDULUM * angle.cos(), 0.0]]);
    }
}

/// A mass m that slides on a rod which turns freely (moment J), without gravity: r̈ = r φ̇², φ̈ = −2 m r ṙ φ̇ / (J + m r²).
#[test]
fn a_mass_on_a_turning_rod_has_velocity_terms() {
    const M: f64 = 1.5;
    const J: f64 = 0.8;
    let text = |analysis: &str| {
        format!(
            r#"
        gravity = [0, 0, 0]
        [bodies.rod]
        mass = 1
        inertia = [0.4, 0.4, 0.5]
        [bodies.bead]
        mass = {M}
        inertia = [0.2, 0.2, 0.3]
        [joints.O]
        type = "revolute"
        bodies = ["ground", "rod"]
        at = [[0, 0, 0], [0, 0, 0]]
        axis = [[0, 0, 1], [0, 0, 1]]
        [joints.S]
        type = "prismatic"
        bodies = ["rod", "bead"]
        at = [[0, 0, 0], [0, 0, 0]]
        axis = [[1, 0, 0], [1, 0, 0]]
        [initial]
        "O.angle" = 0.4
        "O.angle.rate" = 2
        "S.slide" = 0.7
        "S.slide.rate" = -0.5
        [run]
        analysis = "{analysis}"
        end = 1
        steps = 4
        tolerance = 1e-11
        "#
        )
    };
    let motion = run(&text("dynamics"), "relative");
    let found = matrices(&text("state-space"));
    assert_eq!(states(&found), "O.angle, S.slide, O.angle.rate, S.slide.rate");
    for k in 0..=4 {
        let of = |name: &str| column(&motion, name)[k];
        let (w, r, u) = (of("O.angle.rate"), of("S.slide"), of("S.slide.rate"));
        let inertia = J + M * r * r;
        let by_r = -2.0 * M * u * w * (J - M * r * r) / (inertia * inertia);
        compare(
            &found,
            k,
            &[
                &[0.0, 0.0, 1.0, 0.0],
                &[0.0, 0.0, 0.0, 1.0],
                &[0.0, by_r, -2.0 * M * r * u / inertia, -2.0 * M * r * w / inertia],
                &[0.0, w * w, 2.0 * r * w, 0.0],
            ],
        );
    }
}

/// Small deviations of a free four-bar grow as the matrices say: d(δx)/dt = A δx, integrated from sample to sample.
#[test]
fn deviations_of_a_four_bar_follow_the_matrices() {
    const SMALL: f64 = 1e-5;
    let text = |rate: f64, analysis: &str| {
        FOUR_BAR.replace("\"O.angle.rate\" = 3", &format!("\"O.angle.rate\" = {rate:?}"))
            + &format!("[run]\nanalysis = \"{analysis}\"\nend = 0.5\nsteps = 200\ntolerance = 1e-12\n")
    };
    let found = matrices(&text(3.0, "state-space"));
    let state = states(&found).split(", ").next().unwrap_or("").to_string();
    let [more, less] = [1.0, -1.0].map(|sign| run(&text(3.0 + sign * SMALL, "dynamics"), "relative"));
    let difference = |name: &str, k: usize| (column(&more, name)[k] - column(&less, name)[k]) / (2.0 * SMALL);
    let (rate, h) = (format!("{state}.rate"), 0.5 / 200.0);
    let mut x = [difference(&state, 0), difference(&rate, 0)];
    let a = |k: usize| [column(&found, "A.2.1")[k], column(&found, "A.2.2")[k]];
    // Two samples to a step of the classical rule.
    for k in (0..200).step_by(2) {
        let f = |x: [f64; 2], [k, d]: [f64; 2]| [x[1], k * x[0] + d * x[1]];
        let on = |x: [f64; 2], v: [f64; 2], h: f64| [x[0] + h * v[0], x[1] + h * v[1]];
        let k1 = f(x, a(k));
        let k2 = f(on(x, k1, h), a(k + 1));
        let k3 = f(on(x, k2, h), a(k + 1));
        let k4 = f(on(x, k3, 2.0 * h), a(k + 2));
        for i in 0..2 {
            x[i] += h / 3.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
    for (x, wanted) in x.iter().zip([difference(&state, 200), difference(&rate, 200)]) {
        assert!((x - wanted).abs() < 1e-4 * wanted.abs().max(1.0), "{x} {wanted}");
    }
}

#[test]
fn modes_tell_their_matrix() {
    let found = matrices(&(pendulum(0.1) + "[run]\nanalysis = \"modes\"\n"));
    let text = found.note("state space").unwrap_or_default();
    let rows: Vec<Vec<f64>> = serde_json::from_str(text).unwrap();
    assert_eq!((rows[0][0], rows[0][1]), (0.0, 1.0));
    assert!((rows[1][0] + PENDULUM).abs() < DIFFERENCES * PENDULUM && rows[1][1].abs() < DIFFERENCES, "{rows:?}");
}
