//! The chain of N four-bar linkages (IFToMM benchmark A02): time, energy drift, tip error, as one line of JSON.
//!
//! usage: nfourbar [--n N] [--h STEP] [--method rk45|rk4] [--tolerance T] [--tend T] [--runs K]
//!                 [--formulation relative|natural|absolute] [--fit yes] [--whole yes]
//!
//! By rk4, steps are of length h; by rk45, the default, h is the first one and the tolerance decides on the others. With
//! `--fit yes` time per step of rk4 for N = 10 … 2000 and the straight line through it are told instead; with `--whole yes` what a run with all columns takes.
//!
//! 2N + 1 uniform bars of 1 m and 1 kg, N + 1 cranks hinged to the ground at (i, 0), upright at the start with tip speed 1 m/s.
//! On the parallelogram branch the exact motion is φ'' = k sin φ, φ from the upright, integrated here by itself at a finer step.

use biela::system::System;
use biela_benches::integration::{integrate, least_time, Way};
use biela_benches::machines::{dynamics, n_four_bar, n_four_bar_k};
use biela_benches::{compiled, cpu_seconds, line};
use std::time::Instant;

fn main() {
    let (mut n, mut h, mut tend, mut runs, mut formulation) =
        (2usize, 1e-3f64, 10.0f64, 3usize, "relative".to_string());
    let (mut fit, mut whole, mut way) = (false, false, Way { h, tend, adaptive: true, tolerance: 5e-9 });
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    for pair in arguments.chunks(2) {
        let [key, value] = pair else { usage() };
        let number = || value.parse::<f64>().unwrap_or_else(|_| usage());
        match key.as_str() {
            "--n" => n = number() as usize,
            "--h" => h = number(),
            "--tend" => tend = number(),
            "--tolerance" => way.tolerance = number(),
            "--method" => way.adaptive = value == "rk45",
            "--runs" => runs = (number() as usize).max(1),
            "--formulation" => formulation.clone_from(value),
            "--fit" => fit = value == "yes",
            "--whole" => whole = value == "yes",
            _ => usage(),
        }
    }
    if fit {
        return tell_fit(h, runs, &formulation);
    }
    (way.h, way.tend) = (h, tend);
    if n == 0 || !(h > 0.0 && tend >= h) {
        usage();
    }
    let built = Instant::now();
    let model = compiled("nfourbar.toml", n_four_bar(n));
    let system = System::new(&model, &formulation).unwrap_or_else(|e| panic!("{e}"));
    let build = built.elapsed().as_secs_f64();
    if whole {
        return tell_whole(&format!("{}{}", n_four_bar(n), dynamics(tend, 100, 1e-8)), &formulation, runs);
    }
    let (least, evaluations) = least_time(&system, &way, runs);
    // Once more with samples every hundredth of a second, or at every step that an adaptive method makes.
    let (mut drift, mut tip_error, mut residual) = (0.0f64, 0.0f64, 0.0f64);
    let mut truth = Truth { phi: 0.0, rate: 1.0, t: 0.0, k: n_four_bar_k(n) };
    let every = if way.adaptive { 1 } else { ((0.01 / h).round() as usize).max(1) };
    let mut count = 0;
    let mut first = None;
    integrate(&system, &way, |dynamics, point| {
        count += 1;
        if count % every != 0 {
            return;
        }
        dynamics.realize(point);
        let (kinetic, potential) = dynamics.energies();
        let start = *first.get_or_insert(energy_at_start(n));
        drift = drift.max((kinetic + potential - start).abs());
        truth.advance(point.t);
        let crank = &dynamics.ws.cache.bodies[1].pose;
        let tip = crank.apply(biela::math::Vec3::X);
        tip_error = tip_error.max((tip.x - truth.phi.sin()).hypot(tip.y - truth.phi.cos()));
        residual = residual.max(dynamics.ws.evaluation.phi.iter().fold(0.0, |m: f64, x| m.max(x.abs())));
    });
    let (steps, method) = (count as f64, if way.adaptive { "rk45" } else { "rk4" });
    let bodies = (2 * n + 1) as f64;
    println!(
        "{{\"library\": \"biela\", \"formulation\": \"{formulation}\", \"method\": \"{method}\", \"steps\": {count}, \"n\": {n}, \"h\": {h}, \"tend\": {tend}, \
         \"build_s\": {build:.4}, \"cpu_per_sim_s_min\": {:.7}, \"cpu_us_per_step\": {:.3}, \"ns_per_body_and_evaluation\": {:.1}, \
         \"max_energy_drift_J\": {drift:e}, \"rel_energy_drift\": {:e}, \"max_tip_error_m\": {tip_error:e}, \"max_residual\": {residual:e}}}",
        least / tend,
        1e6 * least / steps,
        1e9 * least / (evaluations as f64 * bodies),
        drift / (2.0 * 9.81 * (0.5 * (n + 1) as f64 + n as f64)),
    );
}

/// Processor time of a whole run with all columns, 101 samples and the tolerance of a plain run, without reading and writing of files.
fn tell_whole(text: &str, formulation: &str, runs: usize) {
    let model = compiled("nfourbar.toml", text.to_string());
    let (mut least, mut columns) = (f64::INFINITY, 0);
    for _ in 0..runs {
        let begun = cpu_seconds();
        let results = biela::solve::forward::run(&model, formulation, |_, _| true).unwrap_or_else(|e| panic!("{e}"));
        (least, columns) = (least.min(cpu_seconds() - begun), results.columns.len());
    }
    let seconds = model.study.end;
    println!("{{\"library\": \"biela\", \"formulation\": \"{formulation}\", \"columns\": {columns}, \"cpu_per_sim_s_min\": {:.7}}}", least / seconds);
}

/// Time per step over N, and the line a + b N through it, each point weighed by its own size.
fn tell_fit(h: f64, runs: usize, formulation: &str) {
    /// Steps of each run.
    const STEPS: f64 = 40.0;
    let mut points = Vec::new();
    for n in [10usize, 20, 50, 100, 200, 500, 1000, 2000] {
        let model = compiled("nfourbar.toml", n_four_bar(n));
        let system = System::new(&model, formulation).unwrap_or_else(|e| panic!("{e}"));
        points.push((
            n as f64,
            1e6 * least_time(&system, &Way { h, tend: STEPS * h, adaptive: false, tolerance: 1e-8 }, runs).0 / STEPS,
        ));
    }
    let (base, slope) = line(&points);
    println!("{formulation}, RK4: time per step = {base:.2} us + {slope:.3} us * N");
    for (n, y) in &points {
        let on_line = base + slope * n;
        println!("N = {n:5}  {y:10.2} us  {on_line:10.2} us on the line  {:+5.1} %", 100.0 * (y / on_line - 1.0));
    }
}

fn usage() -> ! {
    eprintln!(
        "usage: nfourbar [--n N] [--h STEP] [--method rk45|rk4] [--tolerance T] [--tend T] [--runs K] \
         [--formulation relative|natural|absolute] [--fit yes] [--whole yes]"
    );
    std::process::exit(2)
}

fn energy_at_start(n: usize) -> f64 {
    let n = n as f64;
    0.5 * ((n + 1.0) / 3.0 + n) + 9.81 * (0.5 * (n + 1.0) + n)
}

/// The exact motion, by steps far finer than any in question.
struct Truth {
    phi: f64,
    rate: f64,
    t: f64,
    k: f64,
}

impl Truth {
    fn advance(&mut self, t: f64) {
        let count = ((t - self.t) / 1e-4).ceil().max(1.0);
        let h = (t - self.t) / count;
        for _ in 0..count as usize {
            let f = |x: f64| self.k * x.sin();
            let (x, v) = (self.phi, self.rate);
            let (k1, l1) = (v, f(x));
            let (k2, l2) = (v + 0.5 * h * l1, f(x + 0.5 * h * k1));
            let (k3, l3) = (v + 0.5 * h * l2, f(x + 0.5 * h * k2));
            let (k4, l4) = (v + h * l3, f(x + h * k3));
            self.phi += h / 6.0 * (k1 + 2.0 * (k2 + k3) + k4);
            self.rate += h / 6.0 * (l1 + 2.0 * (l2 + l3) + l4);
        }
        self.t = t;
    }
}
