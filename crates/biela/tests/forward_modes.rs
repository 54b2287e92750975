//! Natural modes about an equilibrium against closed forms.

mod common;

use biela::solve::vibration::linearise;
use common::forward::*;
use common::record::{held, CLOSED};
use std::f64::consts::{PI, TAU};

/// Error of central differences of the accelerations.
const DIFFERENCES: f64 = 1e-6;

#[test]
fn a_double_pendulum_has_its_two_frequencies() {
    // Equal rods: [8/3 1; 1 2/3]/2-type mass matrix M = m l² [4/3 1/2; 1/2 1/3], K = m g l [3/2 0; 0 1/2] in absolute angles.
    let (m11, m12, m22, k1, k2) = (4.0 / 3.0, 0.5, 1.0 / 3.0, 1.5 * 9.81, 0.5 * 9.81);
    let (a, b, c): (f64, f64, f64) = (m11 * m22 - m12 * m12, -(m11 * k2 + m22 * k1), k1 * k2);
    let root = |sign: f64| ((-b + sign * (b * b - 4.0 * a * c).sqrt()) / (2.0 * a)).sqrt() / TAU;
    // Started off the equilibrium, which is found first.
    let model = parse(&(double_pendulum(0.2, -0.1) + "[run]\nanalysis = \"modes\"\n"));
    for formulation in FORMULATIONS {
        let linear = linearise(&model, formulation).unwrap_or_else(|e| panic!("{formulation}: {e}"));
        assert_eq!(linear.modes.len(), 2, "{formulation}");
        for (mode, expected) in linear.modes.iter().zip([root(-1.0), root(1.0)]) {
            held(CLOSED, "frequency", DIFFERENCES, (mode.frequency() / expected - 1.0).abs(), formulation);
            held(CLOSED, "damping", DIFFERENCES, mode.damping().abs(), formulation);
        }
    }
}

#[test]
fn a_chain_of_carts_and_springs_has_sine_shapes_and_known_damping() {
    // n carts between walls, springs k and dampers c between neighbours: ω_j = 2 √(k/m) sin(jπ/2(n + 1)), ζ_j = c ω_j/2k.
    let (n, m, k, c) = (5usize, 2.0, 300.0f64, 0.7);
    let mut text = String::from("gravity = [0, -9.81, 0]\n");
    for i in 1..=n {
        text += &format!("[bodies.b{i}]\nmass = {m}\ninertia = [0.1, 0.1, 0.1]\npose = {{ at = [{i}, 0, 0] }}\n");
        text += &format!(
            "[joints.j{i}]\ntype = \"prismatic\"\nbodies = [\"ground\", \"b{i}\"]\nat = [{i}, 0, 0]\naxis = [1, 0, 0]\n"
        );
    }
    for i in 0..=n {
        let end = |k: usize| match k {
            k if k >= 1 && k <= n => (format!("b{k}"), 0.0),
            k => ("ground".to_string(), k as f64),
        };
        let ((a, x), (b, y)) = (end(i), end(i + 1));
        text += &format!(
            "[forces.s{i}]\ntype = \"spring-damper\"\nbodies = [\"{a}\", \"{b}\"]\nat = [[{x}, 0, 0], [{y}, 0, 0]]\n\
             stiffness = {k}\ndamping = {c}\nlength = 1\n"
        );
    }
    let model = parse(&(text + "[run]\nanalysis = \"modes\"\n"));
    for formulation in ["absolute", "relative"] {
        let linear = linearise(&model, formulation).unwrap_or_else(|e| panic!("{formulation}: {e}"));
        assert_eq!(linear.modes.len(), n);
        for (j, mode) in linear.modes.iter().enumerate() {
            let half = (j + 1) as f64 * PI / (2.0 * (n + 1) as f64);
            let w = 2.0 * (k / m).sqrt() * half.sin();
            let detail = format!("{formulation}, mode {j}");
            held(CLOSED, "frequency", DIFFERENCES, (mode.frequency() * TAU / w - 1.0).abs(), &detail);
            held(CLOSED, "damping", DIFFERENCES, (mode.damping() - c * w / (2.0 * k)).abs(), &detail);
        }
        // Shapes are sin(i j π/(n + 1)) in the slides, the largest 1.
        let table = biela::solve::vibration::run(&model, formulation).unwrap();
        for j in 1..=n {
            let exact: Vec<f64> = (1..=n).map(|i| (i as f64 * j as f64 * PI / (n + 1) as f64).sin()).collect();
            let found: Vec<f64> = (1..=n).map(|i| column(&table, &format!("j{i}.slide.re"))[j - 1]).collect();
            let scale = exact[0] / found[0];
            for (e, f) in exact.iter().zip(&found) {
                held(
                    CLOSED,
                    "shape",
                    1e-5,
                    (e - scale * f).abs(),
                    format_args!("{formulation}, mode {j}: {exact:?} {found:?}"),
                );
            }
        }
    }
}

#[test]
fn an_inverted_pendulum_is_unstable_at_its_known_rate() {
    let model = parse(&(pendulum(PI) + "[run]\nanalysis = \"modes\"\n"));
    let linear = linearise(&model, "absolute").unwrap_or_else(|e| panic!("{e}"));
    let rate = (2.0 * 9.81 * 0.5 / (2.0 * 0.25 + 0.01f64)).sqrt();
    let growing = linear.modes.iter().map(|m| m.s.0).fold(f64::MIN, f64::max);
    held(CLOSED, "rate of growth", DIFFERENCES, (growing / rate - 1.0).abs(), format_args!("{growing} for {rate}"));
}
