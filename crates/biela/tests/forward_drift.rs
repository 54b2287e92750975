//! Conservative mechanisms keep their energy and their constraints, also through positions where all bars lie in line.

mod common;

use biela::solve::forward::{integrator, start, Control, Dynamics};
use biela::system::System;
use common::forward::*;

/// Largest residual at any sample.
const RESIDUAL: f64 = 1e-10;

/// Largest drift of the energy against the largest kinetic energy.
fn drift(text: &str, formulation: &str) -> f64 {
    let results = run(text, formulation);
    assert!(largest(column(&results, "residual")) < RESIDUAL, "{formulation}");
    let total = column(&results, "energy.total");
    let kinetic = largest(column(&results, "energy.kinetic"));
    total.iter().map(|e| (e - total[0]).abs()).fold(0.0, f64::max) / kinetic
}

#[test]
fn energy_drifts_no_more_than_the_tolerance_allows() {
    // A thousandth of the steps of the long run in benches/: drifts grow with the number of steps at most.
    let cases = [
        ("double pendulum", double_pendulum(2.0, 2.5), 10.0),
        ("four-bar", FOUR_BAR.to_string(), 10.0),
        ("four-bars", n_four_bar(2), 10.0),
    ];
    for (name, text, end) in cases {
        for formulation in FORMULATIONS {
            for (tolerance, bound) in [(1e-10, 1e-7), (1e-12, 1e-9)] {
                let found = drift(&format!("{text}{}", dynamics(end, 50, tolerance)), formulation);
                assert!(found < bound, "{name}, {formulation}, tolerance {tolerance:e}: {found:e}");
            }
        }
    }
}

#[test]
fn a_chain_of_four_bars_passes_its_singular_positions_and_stays_on_its_branch() {
    // Several turns, each with two passages in which all bars lie in line.
    for n in [1, 3, 10] {
        let text = n_four_bar(n) + &dynamics(5.0, 100, 1e-10);
        for formulation in FORMULATIONS {
            let results = run(&text, formulation);
            // The exact motion φ'' = k sin φ from φ = 0, φ' = 1 by a fine Runge-Kutta of its own.
            let (mut phi, mut rate, k, h) = (0.0f64, 1.0f64, n_four_bar_k(n), 5.0 / 100.0 / 500.0);
            for (s, angle) in column(&results, "g0.angle").iter().enumerate() {
                if s > 0 {
                    for _ in 0..500 {
                        let f = |x: f64| k * x.sin();
                        let (k1, l1) = (rate, f(phi));
                        let (k2, l2) = (rate + 0.5 * h * l1, f(phi + 0.5 * h * k1));
                        let (k3, l3) = (rate + 0.5 * h * l2, f(phi + 0.5 * h * k2));
                        let (k4, l4) = (rate + h * l3, f(phi + h * k3));
                        phi += h / 6.0 * (k1 + 2.0 * (k2 + k3) + k4);
                        rate += h / 6.0 * (l1 + 2.0 * (l2 + l3) + l4);
                    }
                }
                let expected = std::f64::consts::FRAC_PI_2 - phi;
                assert!((angle - expected).abs() < 1e-6, "n = {n}, {formulation}, sample {s}: {angle} for {expected}");
            }
        }
    }
}

#[test]
fn a_chain_started_in_line_moves_on_as_a_parallelogram() {
    // All bars in line at the start, where there are n + 1 instantaneous freedoms: given one rate for all cranks, they keep it.
    let text = n_four_bar(2).replace("angle = \"90 deg\"", "angle = 0").replace("at = [0, 1, 0] }", "at = [1, 0, 0] }");
    let text = text.replace("at = [1, 1, 0] }", "at = [2, 0, 0] }");
    let text = text.split("[initial]").next().unwrap_or("").to_string()
        + "[initial]\n\"g0.angle.rate\" = 4\n\"g1.angle.rate\" = 4\n\"g2.angle.rate\" = 4\n"
        + &dynamics(1.0, 20, 1e-9);
    for formulation in FORMULATIONS {
        let results = run(&text, formulation);
        let (a, b) = (column(&results, "g0.angle"), column(&results, "g2.angle"));
        assert!(largest(a) > 0.5, "{formulation}: it does not move");
        for (a, b) in a.iter().zip(b) {
            assert!((a - b).abs() < 1e-6, "{formulation}: {a} and {b}");
        }
    }
}

#[test]
fn the_reduced_form_agrees_with_the_whole_one() {
    /// Roundings of two ways of solving a well-conditioned system.
    const ROUNDING: f64 = 1e-10;
    for text in [FOUR_BAR.to_string(), double_pendulum(1.0, 2.0), n_four_bar(3)] {
        let mut model = parse(&(text + &dynamics(1.0, 10, 1e-9)));
        for formulation in FORMULATIONS {
            model.study.reduction = biela::model::Reduction::None;
            let whole_model = model.clone();
            model.study.reduction = biela::model::Reduction::NullSpace;
            let systems = [&whole_model, &model].map(|m| System::new(m, formulation).unwrap());
            let mut both = systems.each_ref().map(|system| {
                let begun = start(system).unwrap();
                let (ws, mut point) = (begun.ws, begun.point);
                let mut dynamics = Dynamics::new(system, ws, point.t, &point.q).unwrap();
                dynamics.project(&mut point).unwrap();
                (dynamics, point)
            });
            let method = integrator(biela::model::Integration::Rk45);
            let mut control = Control::new(1e-3, 1e-9);
            for _ in 0..30 {
                let point = both[0].1.clone();
                let mut found = [vec![0.0; point.v.len()], vec![0.0; point.v.len()]];
                for (k, (dynamics, _)) in both.iter_mut().enumerate() {
                    dynamics.evaluate(&point, &mut found[k]).unwrap();
                }
                let size = largest(&found[0]).max(1.0);
                let off = found[0].iter().zip(&found[1]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(off < ROUNDING * size, "{formulation}: {off:e} of {size}");
                let multipliers = both[0].0.lambda.iter().zip(&both[1].0.lambda);
                let off = multipliers.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(off < 1e-7 * largest(&both[0].0.lambda).max(1.0), "{formulation}: multipliers off by {off:e}");
                let (dynamics, point) = &mut both[0];
                method.step(dynamics, point, 10.0, &mut control).unwrap();
            }
        }
    }
}
