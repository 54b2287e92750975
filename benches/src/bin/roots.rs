//! Roots of families: a platform's 40, an arm's 16, the 1442 four-bars through nine points. Milliseconds, the least of several runs; `chrt -f 10` on a
//! machine that others use too. `platform` alone times one platform; `write` prints its equations, those of the general member and that one's roots for
//! other programs (`benches/roots_beside.py`).

use biela_math::random::Random;
use biela_roots::families::four_bars::through_nine_points;
use biela_roots::families::{arms, platform, platforms, Known};
use biela_roots::{Complex, Monomial, Options};
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

/// A platform with points and lengths at random.
fn random_platform(random: &mut Random) -> Vec<Complex> {
    let mut coordinate = || random.signed();
    platform(&[(); 6].map(|()| {
        let [a, b, c, d, e, f] = [(); 6].map(|()| coordinate());
        [a, b, c, d, e, f, (1.5 + 0.5 * coordinate()).powi(2)]
    }))
}

/// Equations as text: sums of coefficients times powers of x0, x1 …
fn written(parameters: &[Complex]) -> Option<Vec<String>> {
    let system = platforms().family().member(parameters).ok()?;
    let term = |(monomial, c): (&Monomial, Complex)| {
        let powers: String = monomial.powers().map(|(v, e)| format!("*x{v}^{e}")).collect();
        format!("({:?}+({:?})*I){powers}", c.re, c.im)
    };
    Some(system.polynomials().iter().map(|p| p.terms().map(term).collect::<Vec<_>>().join("+")).collect())
}

/// For other programs.
fn write() -> Option<()> {
    let known = platforms();
    let list = |lines: Vec<String>| lines.iter().map(|l| format!("\"{l}\"")).collect::<Vec<_>>().join(", ");
    println!("{{\"general\": [{}],", list(written(known.parameters())?));
    println!("\"member\": [{}],", list(written(&random_platform(&mut Random(101)))?));
    let number = |z: &Complex| format!("[{:?}, {:?}]", z.re, z.im);
    let root = |x: &Vec<Complex>| format!("[{}]", x.iter().map(number).collect::<Vec<_>>().join(", "));
    println!("\"roots\": [{}]}}", known.roots().iter().map(root).collect::<Vec<_>>().join(", "));
    Some(())
}

fn main() {
    let word = std::env::args().nth(1).unwrap_or_default();
    if word == "write" {
        write();
        return;
    }
    if word == "platform" {
        let real = random_platform(&mut Random(101));
        for threads in [1, 2] {
            let options = Options { threads, ..Options::default() };
            println!("{threads} {:.3}", least(|| drop(platforms().solve(&real, &options))));
        }
        return;
    }
    for threads in [1, 2] {
        let options = Options { threads, ..Options::default() };
        let tell = |name: &str, known: &'static Known, member: &dyn Fn(&mut Random) -> Vec<Complex>| {
            let mut sum = 0.0;
            let mut count = 0;
            for seed in 1..=MEMBERS {
                let real = member(&mut Random(100 + seed));
                sum += least(|| {
                    count = known.solve(&real, &options).map_or(0, |found| found.0.len());
                });
            }
            println!("{name}, {threads} thread(s): {count} roots, {:.2} ms", sum / MEMBERS as f64);
        };
        tell("platform", platforms(), &random_platform);
        tell("arm", arms(), &|random| arms().parameters().iter().map(|_| Complex::from(random.signed())).collect());
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
