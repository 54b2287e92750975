//! A sample of a motion, position to acceleration of all bodies, at 1000 samples a turn: by default, by each formulation, and by a kernel
//! written by hand for the one mechanism. All take turns in one run; prints nanoseconds, least of the rounds, and ratios.
//!
//! `--profile NAME FORMULATION` runs one of them alone, for a profiler.

use biela::model::Model;
use biela::solve::motion::Follower;
use biela::system::{System, AUTO, FORMULATIONS};
use biela_benches::by_angles::FourBar;
use biela_benches::by_hand::{four_bar, rssr, slider_crank, Body, Stewart};
use biela_benches::{least_times, model};
use std::hint::black_box;

const SAMPLES: usize = 1000;
const ROUNDS: usize = 40;
const MACHINES: [&str; 4] = ["slider-crank", "four-bar", "rssr", "stewart-platform"];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, name, formulation] = &arguments[..] {
        assert_eq!(flag, "--profile", "usage: kinematics [--profile NAME FORMULATION]");
        let model = model(name);
        let system = System::new(&model, formulation).unwrap_or_else(|e| panic!("{e}"));
        println!("{}", turn(&system, &model));
        return;
    }
    let words: Vec<&str> = [AUTO].into_iter().chain(FORMULATIONS.iter().map(|f| f.keyword)).collect();
    println!("nanoseconds per sample, position to acceleration, {SAMPLES} samples a turn, least of {ROUNDS} interleaved rounds\n");
    println!("| mechanism | by hand | {} | default takes | default / by hand | difference |", words.join(" | "));
    println!("|---|---|{}---|---|---|", "---|".repeat(words.len()));
    let mut by_angles = String::new();
    for name in MACHINES {
        let model = model(name);
        let systems: Vec<System> =
            words.iter().map(|f| System::new(&model, f).unwrap_or_else(|e| panic!("{e}"))).collect();
        let mut by_hand = || {
            black_box(hand(name, &model));
        };
        let mut turns: Vec<Box<dyn FnMut()>> = Vec::new();
        for system in &systems {
            let model = &model;
            turns.push(Box::new(move || {
                black_box(turn(system, model));
            }));
        }
        let mut angles = || {
            black_box(hand_by_angles(&model));
        };
        let mut jobs: Vec<&mut dyn FnMut()> = vec![&mut by_hand];
        jobs.extend(turns.iter_mut().map(|b| &mut **b as &mut dyn FnMut()));
        if name == "four-bar" {
            jobs.push(&mut angles);
        }
        let times: Vec<f64> = least_times(ROUNDS, &mut jobs).iter().map(|t| 1e9 * t / SAMPLES as f64).collect();
        let cells: Vec<String> = times[..=words.len()].iter().map(|t| format!("{t:.0}")).collect();
        println!(
            "| {name} | {} | {} | {:.1} | {:.0e} |",
            cells.join(" | "),
            systems[0].formulation.name(),
            times[1] / times[0],
            (hand(name, &model) - turn(&systems[0], &model)).abs()
        );
        if let Some(time) = times.get(words.len() + 1) {
            by_angles = format!(
                "four-bar by its angles and Newton's method, by hand: {time:.0}; default / that: {:.1}",
                times[1] / time
            );
        }
    }
    println!("\n{by_angles}");
}

/// Time of sample `k` of a turn.
fn time(model: &Model, k: usize) -> f64 {
    model.study.start + (model.study.end - model.study.start) * k as f64 / SAMPLES as f64
}

/// Mean over a turn of angular velocities and accelerations, which do not depend on where frames are: of all bodies, and of the Stewart
/// platform alone, whose legs the kernel lets turn without spin.
fn turn(system: &System, model: &Model) -> f64 {
    let (start, span) = (model.study.start, model.study.end - model.study.start);
    let mut follower = Follower::new(system, start, span).unwrap_or_else(|e| panic!("{e}"));
    let mut sum = 0.0;
    for k in 0..=SAMPLES {
        follower.advance_bodies(time(model, k)).unwrap_or_else(|e| panic!("{e}"));
        let bodies = black_box(&follower.stepper.ws.cache.bodies);
        let counted = if bodies.len() > 4 { 1 } else { 3 };
        sum += bodies[1..].iter().take(counted).map(|b| b.w.x + b.w.z + b.alpha.z).sum::<f64>();
    }
    sum / SAMPLES as f64
}

/// The four-bar by its angles.
fn hand_by_angles(model: &Model) -> f64 {
    let (mut kernel, mut bodies, mut sum) = (FourBar::default(), [Body::default(); 3], 0.0);
    for k in 0..=SAMPLES {
        kernel.at(black_box(time(model, k)), &mut bodies);
        sum += black_box(&bodies).iter().map(|b| b.w[2] + b.al[2]).sum::<f64>();
    }
    sum / SAMPLES as f64
}

/// The same by the kernel of that mechanism.
fn hand(name: &str, model: &Model) -> f64 {
    let of = |bodies: &[Body]| bodies.iter().map(|b| b.w[0] + b.w[2] + b.al[2]).sum::<f64>();
    let (mut three, mut platform) = ([Body::default(); 3], [Body::default(); 13]);
    let mut stewart = Stewart::default();
    let mut sum = 0.0;
    for k in 0..=SAMPLES {
        let t = black_box(time(model, k));
        sum += match name {
            "slider-crank" => {
                slider_crank(t, &mut three);
                of(black_box(&three))
            }
            "four-bar" => {
                four_bar(t, &mut three);
                of(black_box(&three))
            }
            "rssr" => {
                rssr(t, &mut three);
                of(black_box(&three))
            }
            _ => {
                stewart.at(t, &mut platform);
                of(&black_box(&platform)[..1])
            }
        };
    }
    sum / SAMPLES as f64
}
