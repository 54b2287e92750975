//! Conservative drift over 100 000 adaptive steps: energy against the largest kinetic energy, and the largest residual.
//!
//! usage: drift [STEPS]

use biela::model::Integration;
use biela::solve::forward::{integrator, start, Control, Dynamics};
use biela::system::System;
use biela_benches::{compiled, machines};

fn main() {
    let steps = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(100_000usize);
    let cases = [
        ("four-bar", machines::FOUR_BAR.to_string()),
        ("double pendulum", machines::double_pendulum(2.0, 2.5)),
        ("3-four-bar", machines::n_four_bar(3)),
    ];
    println!("{steps} accepted steps of rk45");
    for (name, text) in cases {
        let model = compiled(name, text);
        for formulation in machines::FORMULATIONS {
            for tolerance in [1e-10, 1e-12] {
                let (drift, residual, t) =
                    run(&System::new(&model, formulation).unwrap_or_else(|e| panic!("{e}")), steps, tolerance);
                println!("{name:<16} {formulation:<9} tolerance {tolerance:.0e}: drift {drift:.1e}, residual {residual:.1e}, {t:.0} s");
            }
        }
    }
}

/// Drift of the energy against the largest kinetic energy, largest residual, and the time reached.
fn run(system: &System, steps: usize, tolerance: f64) -> (f64, f64, f64) {
    let begun = start(system).unwrap_or_else(|e| panic!("{e}"));
    let mut point = begun.point;
    let mut dynamics = Dynamics::new(system, begun.ws, point.t, &point.q).unwrap_or_else(|e| panic!("{e}"));
    dynamics.project(&mut point).unwrap_or_else(|e| panic!("{e}"));
    dynamics.realize(&point);
    let (kinetic, potential) = dynamics.energies();
    let (first, mut most, mut drift, mut residual) = (kinetic + potential, kinetic, 0.0f64, 0.0f64);
    let mut control = Control::new(1e-3, tolerance);
    let method = integrator(Integration::Rk45);
    while control.accepted < steps {
        if let Err(error) = method.step(&mut dynamics, &mut point, 1e9, &mut control) {
            println!("after {} steps: {error}", control.accepted);
            break;
        }
        dynamics.realize(&point);
        system.constraints.keep_turns(&mut dynamics.ws.evaluation);
        dynamics.ws.cache.keep_attitudes();
        let (kinetic, potential) = dynamics.energies();
        most = most.max(kinetic);
        drift = drift.max((kinetic + potential - first).abs());
        residual = residual.max(control.residual);
    }
    (drift / most, residual, point.t)
}
