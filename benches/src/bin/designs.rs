//! Tolerance studies: designs a second of processor time, side by side and one by one in turns. Arguments: number of designs of the first study side by
//! side, words that names of studies hold.

use biela::model::Analysis;
use biela::solve::newton::METHODS;
use biela::sweep::Sweep;
use biela::text::{Asked, Options};
use biela::tree::Level;
use biela_benches::{cpu_seconds, document};

/// One by one as many designs are run as take about as long, and no fewer than take some ticks of the system's clock of processor time.
const FEWER: u64 = 32;
const LEAST: u64 = 300;
const ROUNDS: usize = 5;

type Pairs = &'static [(&'static str, &'static str)];

/// A model, its analysis, what varies, what is measured, and how many times fewer designs of it are run than of the first.
struct Study {
    model: &'static str,
    analysis: Analysis,
    vary: Pairs,
    measure: Pairs,
    fewer: u64,
}

const STUDIES: [Study; 10] = [
    Study {
        model: "four-bar",
        analysis: Analysis::InverseDynamics,
        vary: &[("crank", "normal(2, 1 mm)"), ("coupler", "normal(8, 2 mm)"), ("rocker", "normal(5, 1 mm)")],
        measure: &[("effort", "max(abs(motor.effort))"), ("bearing", "max(B.force)"), ("power", "rms(motor.power)")],
        fewer: 1,
    },
    Study {
        model: "balanced-slider-crank",
        analysis: Analysis::InverseDynamics,
        vary: &[("rod", "normal(120 mm, 0.1 mm)"), ("balance", "normal(2 mm, 0.1 mm)")],
        measure: &[("effort", "max(abs(motor.effort))"), ("bearing", "rms(O.force)"), ("thrust", "max(abs(guide.fy))")],
        fewer: 1,
    },
    Study {
        model: "rssr",
        analysis: Analysis::Kinematics,
        vary: &[("omega", "normal(6.28, 0.01)")],
        measure: &[("swing", "range(D.angle)"), ("fast", "max(rocker.C.speed)")],
        fewer: 4,
    },
    Study {
        model: "rssr",
        analysis: Analysis::InverseDynamics,
        vary: &[("omega", "normal(6.28, 0.01)")],
        measure: &[("effort", "max(abs(motor.effort))"), ("bearing", "max(C.force)"), ("power", "rms(motor.power)")],
        fewer: 4,
    },
    Study {
        model: "haug-slider-crank",
        analysis: Analysis::Kinematics,
        vary: &[("crank", "normal(80 mm, 0.1 mm)"), ("rod", "normal(300 mm, 0.1 mm)")],
        measure: &[("stroke", "range(slider.x)")],
        fewer: 4,
    },
    Study {
        model: "stewart-platform",
        analysis: Analysis::Kinematics,
        vary: &[("ra", "normal(1, 0.5 mm)"), ("rb", "normal(0.6, 0.5 mm)"), ("height", "normal(1.2, 0.5 mm)")],
        measure: &[("top", "max(platform.centre.z)"), ("fast", "max(platform.corner.speed)")],
        fewer: 16,
    },
    Study {
        model: "stewart-platform",
        analysis: Analysis::InverseDynamics,
        vary: &[("ra", "normal(1, 0.5 mm)"), ("rb", "normal(0.6, 0.5 mm)"), ("height", "normal(1.2, 0.5 mm)")],
        measure: &[("push", "max(abs(drive1.effort))"), ("foot", "max(foot1.force)"), ("power", "rms(drive2.power)")],
        fewer: 16,
    },
    Study {
        model: "three-rrr",
        analysis: Analysis::InverseDynamics,
        vary: &[("R", "normal(500 mm, 0.1 mm)"), ("r", "normal(150 mm, 0.1 mm)")],
        measure: &[("motor", "max(abs(A1.effort))"), ("pin", "max(B2.force)")],
        fewer: 8,
    },
    Study {
        model: "three-rrr",
        analysis: Analysis::Kinematics,
        vary: &[("R", "normal(500 mm, 0.1 mm)"), ("r", "normal(150 mm, 0.1 mm)")],
        measure: &[("x", "max(platform.x)"), ("y", "max(platform.y)")],
        fewer: 8,
    },
    Study {
        model: "double-wishbone",
        analysis: Analysis::Kinematics,
        vary: &[("travel", "normal(60 mm, 0.1 mm)")],
        measure: &[("steer", "max(abs(upright.wz))")],
        fewer: 8,
    },
];

fn main() {
    let many = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(64_000);
    let words: Vec<String> = std::env::args().skip(2).collect();
    println!("| designs a second | one by one | four wide | eight wide | gain |\n|---|---|---|---|---|");
    let asked_for = |study: &&Study| words.is_empty() || words.iter().any(|word| study.model.contains(word.as_str()));
    for Study { model: name, analysis, vary, measure, fewer } in STUDIES.iter().filter(asked_for) {
        let pairs = |list: Pairs| list.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
        let rate = |level: Option<Level>| {
            let samples = if level.is_some() { many / fewer } else { (many / fewer / FEWER).max(LEAST) };
            let asked = Asked {
                vary: pairs(vary),
                measure: pairs(measure),
                samples: Some(samples),
                seed: Some(1),
                ..Asked::default()
            };
            let options = Options { steps: Some(36), analysis: Some(*analysis), ..Options::default() };
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
        let name = format!("{name}{}", if *analysis == Analysis::Kinematics { "" } else { ", forces" });
        println!("| {name} | {:.0} | {:.0} | {:.0} | {:.1} |", best[0], best[1], best[2], most / best[0]);
    }
}
