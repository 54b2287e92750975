//! Andrews' squeezing mechanism (seven bodies in a plane, a spring, a torque) to t = 0.03 s: processor time at an error of 1e-5 rad in the angles
//! against the published values, by each formulation, as one line of JSON each.
//!
//! usage: squeezer [--error E] [--runs K] [--peer PYTHON]
//!
//! For each formulation tolerances are tried from coarse to fine until the error of all is held from there on; the cheapest one is told. With `--peer`
//! that Python, which must have exudyn, runs the same mechanism by Exudyn (`benches/squeezer_exudyn.py`), and ratios are told.

use biela::math::Elementary;
use biela::system::System;
use biela_benches::integration::{integrate, least_time, Way};
use biela_benches::{compiled, machines};
use std::process::Command;

/// Where the motion ends.
const END: f64 = 0.03;
/// Angles at the end: β, Θ, γ, Φ, δ, Ω, ε [test set for initial value problems, Mazzia and Magherini 2008].
const PUBLISHED: [f64; 7] = [
    15.810_771_196_299_04,
    -15.756_371_059_842_98,
    0.040_822_240_130_731_01,
    -0.534_730_116_322_694_8,
    0.524_409_965_880_530_4,
    0.534_730_116_322_694_8,
    1.048_080_741_042_263,
];

fn main() {
    let (mut error, mut runs, mut peer) = (1e-5f64, 5usize, None);
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    for pair in arguments.chunks(2) {
        let [key, value] = pair else { usage() };
        match key.as_str() {
            "--error" => error = value.parse().unwrap_or_else(|_| usage()),
            "--runs" => runs = value.parse().unwrap_or_else(|_| usage()),
            "--peer" => peer = Some(value.clone()),
            _ => usage(),
        }
    }
    let model = compiled("squeezer.toml", machines::squeezer());
    let mut least = f64::INFINITY;
    for formulation in machines::FORMULATIONS {
        let system = System::new(&model, formulation).unwrap_or_else(|e| panic!("{e}"));
        let mut best: Option<(f64, f64, f64, usize)> = None;
        for k in 0..=14 {
            let way = Way { h: 1e-5, tend: END, adaptive: true, tolerance: 10f64.powf(-4.0 - 0.5 * f64::from(k)) };
            let found = error_of(&system, &way);
            if found > error {
                best = None;
                continue;
            }
            let (seconds, evaluations) = least_time(&system, &way, runs);
            if best.is_none_or(|b| seconds < b.0) {
                best = Some((seconds, way.tolerance, found, evaluations));
            }
        }
        let Some((seconds, tolerance, found, evaluations)) = best else {
            println!("{{\"library\": \"biela\", \"formulation\": \"{formulation}\", \"error\": null}}");
            continue;
        };
        least = least.min(seconds);
        println!(
            "{{\"library\": \"biela\", \"formulation\": \"{formulation}\", \"tolerance\": {tolerance:e}, \"error\": {found:e}, \"seconds\": {seconds:.7}, \
             \"evaluations\": {evaluations}, \"us_per_evaluation\": {:.3}}}",
            1e6 * seconds / evaluations as f64
        );
    }
    let Some(python) = peer else { return };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/squeezer_exudyn.py");
    let output = Command::new(python).args([script, &format!("{error:e}")]).output().unwrap_or_else(|e| panic!("{e}"));
    let told = String::from_utf8_lossy(&output.stdout);
    print!("{told}{}", String::from_utf8_lossy(&output.stderr));
    let seconds = told
        .lines()
        .rev()
        .find_map(|line| line.split("\"seconds\": ").nth(1)?.split([',', '}']).next()?.parse::<f64>().ok());
    if let Some(theirs) = seconds {
        println!("Exudyn / biela = {:.1}", theirs / least);
    }
}

fn usage() -> ! {
    eprintln!("usage: squeezer [--error E] [--runs K] [--peer PYTHON]");
    std::process::exit(2)
}

/// Largest error of the bodies' angles at the end, whole turns apart.
fn error_of(system: &System, way: &Way) -> f64 {
    let [beta, theta, gamma, phi, delta, omega, epsilon] = PUBLISHED;
    let exact = [beta, beta + theta, gamma, phi + delta, delta, omega + epsilon, epsilon];
    let mut error = 0.0f64;
    integrate(system, way, |dynamics, point| {
        if point.t < END {
            return;
        }
        dynamics.realize(point);
        for (body, exact) in dynamics.ws.cache.bodies[1..].iter().zip(exact) {
            let off = body.pose.rotation.about_z() - exact;
            error = error.max(off.sine().arctangent2(off.cosine()).abs());
        }
    });
    error
}
