//! Kinematic sweep of the slider-crank, 100 000 samples from position to acceleration, against its closed form.
//!
//! Both sides give, at every sample, position, Euler parameters, velocity, angular velocity, acceleration and angular
//! acceleration of crank, rod and piston.

use biela::solve::motion::Follower;
use biela::system::{System, FORMULATIONS};
use biela_benches::{least_times, model};
use std::f64::consts::{FRAC_PI_4, TAU};
use std::hint::black_box;

const SAMPLES: usize = 100_000;
const ROUNDS: usize = 7;

fn main() {
    let model = model("slider-crank");
    let systems: Vec<System> = FORMULATIONS.iter().filter_map(|f| System::new(&model, f.keyword).ok()).collect();
    let closed = || black_box(closed_form());
    let mut sweeps: Vec<Box<dyn FnMut()>> = vec![Box::new(move || {
        closed();
    })];
    for system in &systems {
        sweeps.push(Box::new(move || {
            black_box(sweep(system));
        }));
    }
    let mut jobs: Vec<&mut dyn FnMut()> = sweeps.iter_mut().map(|b| &mut **b as &mut dyn FnMut()).collect();
    let times = least_times(ROUNDS, &mut jobs);
    let per_sample = |seconds: f64| 1e9 * seconds / SAMPLES as f64;
    println!("slider-crank, {SAMPLES} samples, least of {ROUNDS} interleaved rounds");
    println!("closed form              {:9.1} ns per sample", per_sample(times[0]));
    for (system, time) in systems.iter().zip(&times[1..]) {
        println!(
            "{:<24} {:9.1} ns per sample, {:6.1} times the closed form",
            system.formulation.name(),
            per_sample(*time),
            time / times[0]
        );
    }
    let difference = (closed_form() - sweep(&systems[0])).abs();
    println!("piston x, v, a summed over the sweep: difference {difference:.1e}");
}

/// Sum of the piston's position, velocity and acceleration over the sweep.
fn sweep(system: &System) -> f64 {
    let mut follower = Follower::new(system, 0.0, 1.0).unwrap_or_else(|e| panic!("{e}"));
    let mut sum = 0.0;
    for k in 0..=SAMPLES {
        follower.advance(k as f64 / SAMPLES as f64).unwrap_or_else(|e| panic!("{e}"));
        let piston = black_box(&follower.stepper.ws.cache.bodies)[3];
        sum += piston.pose.origin.x + piston.v.x + piston.a.x;
    }
    sum
}

/// The same from the triangle crank, rod, line.
fn closed_form() -> f64 {
    let (crank, rod, omega) = (black_box(2.0), black_box(3.5), black_box(TAU));
    let mut sum = 0.0;
    for k in 0..=SAMPLES {
        let t = k as f64 / SAMPLES as f64;
        let theta = FRAC_PI_4 + omega * t;
        let (s, c) = theta.sin_cos();
        // sin φ = −(crank/rod) sin θ, with φ the rod's angle.
        let sin_phi = -crank / rod * s;
        let cos_phi = (1.0 - sin_phi * sin_phi).sqrt();
        let phi = sin_phi.atan2(cos_phi);
        let phi_rate = -crank / rod * c * omega / cos_phi;
        let phi_accel = (crank / rod * s * omega * omega + sin_phi * phi_rate * phi_rate) / cos_phi;
        let pin = [crank * c, crank * s];
        let pin_v = [-crank * s * omega, crank * c * omega];
        let pin_a = [-crank * c * omega * omega, -crank * s * omega * omega];
        let x = pin[0] + rod * cos_phi;
        let v = pin_v[0] - rod * sin_phi * phi_rate;
        let a = pin_a[0] - rod * (cos_phi * phi_rate * phi_rate + sin_phi * phi_accel);
        let crank_attitude = (0.5 * theta).sin_cos();
        let rod_attitude = (0.5 * phi).sin_cos();
        black_box((pin, pin_v, pin_a, phi_rate, phi_accel, crank_attitude, rod_attitude));
        sum += x + v + a;
    }
    sum
}
