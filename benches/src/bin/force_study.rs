//! Tolerance studies of forces: designs a second of processor time, side by side and one by one in turns. Argument: number of designs side by side.

use biela::model::Analysis;
use biela::solve::newton::METHODS;
use biela::sweep::Sweep;
use biela::text::{Asked, Options};
use biela::tree::Level;
use biela_benches::{cpu_seconds, document};

/// One by one as many designs are run as take about as long.
const FEWER: u64 = 32;
const ROUNDS: usize = 5;

type Pairs = &'static [(&'static str, &'static str)];

/// A model, what varies, what is measured.
const STUDIES: [(&str, Pairs, Pairs); 2] = [
    (
        "four-bar",
        &[("crank", "normal(2, 1 mm)"), ("coupler", "normal(8, 2 mm)"), ("rocker", "normal(5, 1 mm)")],
        &[("effort", "max(abs(motor.effort))"), ("bearing", "max(B.force)"), ("power", "rms(motor.power)")],
    ),
    (
        "balanced-slider-crank",
        &[("rod", "normal(120 mm, 0.1 mm)"), ("balance", "normal(2 mm, 0.1 mm)")],
        &[("effort", "max(abs(motor.effort))"), ("bearing", "rms(O.force)"), ("thrust", "max(abs(guide.fy))")],
    ),
];

fn main() {
    let many = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(64_000);
    println!("designs a second                      one by one      four wide     eight wide     gain");
    for (name, vary, measure) in STUDIES {
        let pairs = |list: Pairs| list.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
        let rate = |level: Option<Level>| {
            let samples = if level.is_some() { many } else { many / FEWER };
            let asked = Asked {
                vary: pairs(vary),
                measure: pairs(measure),
                samples: Some(samples),
                seed: Some(1),
                ..Asked::default()
            };
            let analysis = Some(Analysis::InverseDynamics);
            let options = Options { steps: Some(36), analysis, ..Options::default() };
            let document = document(name);
            let plan = document.plan(&options, &asked).unwrap_or_else(|e| panic!("{e}"));
            let mut sweep = Sweep::new(&document, &options, plan, None, METHODS[0]).unwrap_or_else(|e| panic!("{e}"));
            sweep.level = level;
            assert!(sweep.is_abreast() == level.is_some());
            let start = cpu_seconds();
            (0..sweep.plan.chunks()).for_each(|chunk| assert!(sweep.chunk(chunk).reasons.iter().all(String::is_empty)));
            samples as f64 / (cpu_seconds() - start)
        };
        let mut best = [0.0f64; 3];
        for _ in 0..ROUNDS {
            for (best, level) in best.iter_mut().zip([None, Some(Level::Avx2), Some(Level::Avx512)]) {
                if level.is_none_or(|level| level <= Level::detect()) {
                    *best = best.max(rate(level));
                }
            }
        }
        let most = best[1].max(best[2]);
        println!("{name:<34} {:>12.0} {:>14.0} {:>14.0} {:>8.1}", best[0], best[1], best[2], most / best[0]);
    }
}
