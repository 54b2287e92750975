//! Time of inverse and forward dynamics of chains up to 1000 joints, and the straight line through it.

use biela::tree::{aba, rnea, Tree, Workspace};
use biela_benches::{compiled, line};
use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

const SIZES: [usize; 9] = [10, 20, 50, 100, 200, 400, 600, 800, 1000];

/// A chain of n links by a Denavit-Hartenberg table, no two axes parallel.
fn chain(n: usize) -> Tree {
    let mut text = String::from("gravity = [0, 0, -9.81]\n[arm]\nconvention = \"modified\"\n");
    for k in 0..n {
        let alpha = 0.4 + 0.1 * ((k * 7) % 11) as f64;
        let _ = write!(
            text,
            "[[arm.links]]\na = 0.1\nalpha = {alpha}\nd = 0.05\nmass = 1\ncom = [0.05, 0.01, 0.02]\ninertia = [0.01, 0.02, 0.015]\n"
        );
    }
    Tree::new(&compiled("chain", text)).unwrap_or_else(|e| panic!("{e}"))
}

/// Least time of a call in nanoseconds, of many short repeats.
fn least(mut call: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..300 {
        let start = Instant::now();
        for _ in 0..10 {
            call();
        }
        best = best.min(1e8 * start.elapsed().as_secs_f64());
    }
    best
}

/// The line through timings, and the largest relative distance from it.
fn fitted(points: &[(f64, f64)]) -> (f64, f64, f64) {
    let (a, b) = line(points);
    (a, b, points.iter().map(|(n, t)| ((a + b * n) / t - 1.0).abs()).fold(0.0, f64::max))
}

fn main() {
    let (mut inverse, mut forward) = (Vec::new(), Vec::new());
    println!("| joints | RNEA, ns | per joint | ABA, ns | per joint |\n|---|---|---|---|---|");
    for n in SIZES {
        let tree = chain(n);
        let mut ws = Workspace::new(&tree);
        let x: Vec<f64> = (0..n).map(|k| (k as f64).sin()).collect();
        let mut out = vec![0.0; n];
        let r = least(|| rnea::rnea(&tree, &mut ws, black_box(&x), &x, &x, &mut out));
        let a = least(|| aba::aba(&tree, &mut ws, black_box(&x), &x, &x, &mut out));
        println!("| {n} | {r:.0} | {:.1} | {a:.0} | {:.1} |", r / n as f64, a / n as f64);
        inverse.push((n as f64, r));
        forward.push((n as f64, a));
    }
    for (name, points) in [("RNEA", inverse), ("ABA", forward)] {
        let (a, b, worst) = fitted(&points);
        println!("{name}: {a:.0} ns + {b:.2} ns per joint; no point is farther off than {:.0} %", 100.0 * worst);
    }
}
