//! Roots of families: a platform's 40, an arm's 16, the 1442 four-bars through nine points. Milliseconds, the least of several runs; `chrt -f 10` on a
//! machine that others use too.

use biela_math::random::Random;
use biela_roots::families::four_bars::through_nine_points;
use biela_roots::families::{arms, platforms, Known};
use biela_roots::{Complex, Options};
use std::time::Instant;

/// Members that are solved, and runs of each.
const MEMBERS: u64 = 10;
const RUNS: usize = 5;

fn least(mut run: impl FnMut()) -> f64 {
    let once = |run: &mut dyn FnMut()| {
        let begun = Instant::now();
        run();
        1e3 * begun.elapsed().as_secs_f64()
    };
    (0..RUNS).map(|_| once(&mut run)).fold(f64::INFINITY, f64::min)
}

fn main() {
    for threads in [1, 2] {
        let options = Options { threads, ..Options::default() };
        let tell = |name: &str, known: &'static Known| {
            let mut sum = 0.0;
            let mut count = 0;
            for seed in 1..=MEMBERS {
                let mut random = Random(100 + seed);
                // Parameters near real ones: those of the general member with other numbers.
                let real: Vec<Complex> = known.parameters().iter().map(|_| Complex::from(random.signed())).collect();
                sum += least(|| {
                    count = known.solve(&real, &options).map_or(0, |found| found.0.len());
                });
            }
            println!("{name}, {threads} thread(s): {count} roots, {:.2} ms", sum / MEMBERS as f64);
        };
        tell("platform", platforms());
        tell("arm", arms());
        let mut random = Random(3);
        let ways: Vec<Complex> = (0..8).map(|_| Complex::new(random.signed(), random.signed())).collect();
        let parameters: Vec<Complex> = ways.iter().copied().chain(ways.iter().map(|z| z.conjugate())).collect();
        let mut count = 0;
        let time = least(|| {
            count = through_nine_points(&parameters, &options).map_or(0, |found| found.0.len());
        });
        println!("nine points, {threads} thread(s): {count} curves, {time:.0} ms");
    }
}
