//! Optimisation against closed forms: errors at the optimum, its being one, limits that bind, and the same result for any
//! number of threads.

use biela::optimise::{Found, Optimisation};
use biela::solve::newton::METHODS;
use biela::source::Source;
use biela::text::{AskedGoal, Document, Options};
use std::f64::consts::{PI, TAU};
use std::path::Path;

fn document(name: &str) -> Document {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    Document::read(&path, &Options::default()).unwrap()
}

fn solve(document: &Document, asked: &AskedGoal, threads: usize) -> Found {
    let options = Options::default();
    let goal = document.goal(&options, asked).unwrap();
    let optimisation = Optimisation::new(document, &options, goal, None, METHODS[0]).unwrap();
    optimisation.solve(threads, &|_| true).unwrap()
}

fn few(starts: u64, samples: u64) -> AskedGoal {
    AskedGoal { starts: Some(starts), samples: Some(samples), ..AskedGoal::default() }
}

fn value(found: &Found, name: &str) -> f64 {
    found.parameters.iter().find(|p| p.name == name).map(|p| p.best).unwrap()
}

/// Crank, coupler, rocker, ground, px, py, x0, y0, tilt, start.
type FourBar = [f64; 10];
const NAMES: [&str; 10] = ["crank", "coupler", "rocker", "ground", "px", "py", "x0", "y0", "tilt", "start"];

fn four_bar(document: &Document, found: &Found) -> FourBar {
    let own = document.parameter_values(&Options::default()).unwrap();
    NAMES.map(|name| {
        let best = found.parameters.iter().find(|p| p.name == name).map(|p| p.best);
        best.unwrap_or_else(|| own.iter().find(|p| p.0 == name).unwrap().1)
    })
}

/// The coupler point at a crank angle from the line of fixed pivots, by the law of cosines.
fn coupler_point(b: &FourBar, angle: f64) -> [f64; 2] {
    let [crank, coupler, rocker, ground, px, py, x0, y0, tilt, _] = *b;
    let (bx, by) = (crank * angle.cos(), crank * angle.sin());
    let (dx, dy) = (ground - bx, -by);
    let d = dx.hypot(dy);
    let inner = ((coupler * coupler + d * d - rocker * rocker) / (2.0 * coupler * d)).acos();
    let (s, c) = (dy.atan2(dx) + inner).sin_cos();
    let (x, y) = (bx + px * c - py * s, by + px * s + py * c);
    let (sin, cos) = tilt.sin_cos();
    [x0 + x * cos - y * sin, y0 + x * sin + y * cos]
}

fn timed_error(b: &FourBar, points: &[[f64; 2]], step: f64) -> f64 {
    let distance = |(k, p): (usize, &[f64; 2])| {
        let [x, y] = coupler_point(b, b[9] + step * k as f64);
        (x - p[0]).powi(2) + (y - p[1]).powi(2)
    };
    points.iter().enumerate().map(distance).sum()
}

/// No small change of any parameter that may change makes the closed form's error less by more than the tolerance.
fn is_least(b: &FourBar, found: &Found, error: &dyn Fn(&FourBar) -> f64) {
    /// Share of the error that a step of 1e-4 may gain: rounding of a descent that has converged.
    const GAIN: f64 = 1e-6;
    let here = error(b);
    for (k, name) in NAMES.iter().enumerate() {
        if !found.parameters.iter().any(|p| p.name == *name) {
            continue;
        }
        for step in [1e-4, -1e-4] {
            let mut moved = *b;
            moved[k] += step * b[k].abs().max(0.1);
            assert!(error(&moved) > here * (1.0 - GAIN), "{name} by {step}: {} < {here}", error(&moved));
        }
    }
}

const ARC: [[f64; 2]; 5] = [[3.0, 3.0], [2.759, 3.363], [2.372, 3.663], [1.89, 3.862], [1.355, 3.943]];

#[test]
fn an_arc_with_prescribed_timing() {
    let document = document("path-arc.toml");
    let found = solve(&document, &few(1, 1), 1);
    let b = four_bar(&document, &found);
    let error = timed_error(&b, &ARC, PI / 12.0);
    assert!((error - found.after.error).abs() < 1e-9 * error, "{error} {}", found.after.error);
    assert!(error < 7.5e-7, "{error}");
    is_least(&b, &found, &|b| timed_error(b, &ARC, PI / 12.0));
}

#[test]
fn a_closed_curve_with_prescribed_timing() {
    const LOOP: [[f64; 2]; 18] = [
        [0.5, 1.1],
        [0.4, 1.1],
        [0.3, 1.1],
        [0.2, 1.0],
        [0.1, 0.9],
        [0.05, 0.75],
        [0.02, 0.6],
        [0.0, 0.5],
        [0.0, 0.4],
        [0.03, 0.3],
        [0.1, 0.25],
        [0.15, 0.2],
        [0.2, 0.3],
        [0.3, 0.4],
        [0.4, 0.5],
        [0.5, 0.7],
        [0.6, 0.9],
        [0.6, 1.0],
    ];
    let document = document("path-loop.toml");
    let found = solve(&document, &few(1, 1), 1);
    let b = four_bar(&document, &found);
    let error = timed_error(&b, &LOOP, PI / 9.0);
    assert!((error - found.after.error).abs() < 1e-9 * error, "{error} {}", found.after.error);
    assert!(error < 0.00903, "{error}");
    is_least(&b, &found, &|b| timed_error(b, &LOOP, PI / 9.0));
}

#[test]
fn a_line_without_prescribed_timing() {
    let document = document("path-line.toml");
    let found = solve(&document, &few(2, 40), 2);
    let b = four_bar(&document, &found);
    // The nearest of many crank angles, then of many between its neighbours, and again.
    let nearest = |p: [f64; 2]| {
        let distance = |angle: f64| {
            let [x, y] = coupler_point(&b, angle);
            (x - p[0]).powi(2) + (y - p[1]).powi(2)
        };
        let (mut at, mut width) = (PI, TAU);
        for _ in 0..12 {
            let angle = |k: i32| at + width * (f64::from(k) / 400.0 - 0.5);
            at = (0..=400).map(angle).min_by(|a, b| distance(*a).total_cmp(&distance(*b))).unwrap();
            width /= 50.0;
        }
        distance(at)
    };
    let points: Vec<[f64; 2]> = (0..6).map(|k| [20.0, 20.0 + 5.0 * f64::from(k)]).collect();
    let error: f64 = points.iter().map(|p| nearest(*p)).sum();
    // Places on the curve are nearest to within rounding of their squares.
    assert!((error - found.after.error).abs() < 1e-6 * error + 1e-12, "{error} {}", found.after.error);
    assert!(error < 1e-4, "{error}");
    let t = &found.after.fits[0].times;
    assert!(t.windows(2).all(|w| w[1] > w[0]) || t.windows(2).all(|w| w[1] < w[0]) || turns(t) == 1, "{t:?}");
}

/// How often times that follow each other round a turn pass its end.
fn turns(t: &[f64]) -> usize {
    let up = t.windows(2).filter(|w| w[1] < w[0]).count();
    up.min(t.len() - 1 - up)
}

#[test]
fn a_function_better_than_at_three_precision_points() {
    let (range, turn) = (PI / 3.0, PI / 3.0);
    let wanted = |t: f64| turn * (1.0 + t).log2();
    let document = document("function-generator.toml");
    let found = solve(&document, &few(3, 60), 2);
    let [crank, coupler, rocker, phi0, psi0] = ["crank", "coupler", "rocker", "phi0", "psi0"].map(|n| value(&found, n));
    // Output angle in closed form: the rocker's end lies on two circles, on the branch that the model draws.
    let output = |crank: f64, coupler: f64, rocker: f64, phi: f64| {
        let (dx, dy) = (1.0 - crank * phi.cos(), -crank * phi.sin());
        let d = dx.hypot(dy);
        let at_pivot = ((rocker * rocker + d * d - coupler * coupler) / (2.0 * rocker * d)).acos();
        [dy.atan2(dx) + PI + at_pivot, dy.atan2(dx) + PI - at_pivot]
    };
    let away = |x: f64| x - TAU * (x / TAU).round();
    let samples = || (0..=60).map(|k| f64::from(k) / 60.0);
    let difference = |t: f64| {
        let both = output(crank, coupler, rocker, phi0 + range * t).map(|psi| away(psi - psi0 - wanted(t)));
        if both[0].abs() < both[1].abs() {
            both[0]
        } else {
            both[1]
        }
    };
    let error: f64 = samples().map(|t| difference(t).powi(2)).sum();
    assert!((error - found.after.error).abs() < 1e-6 * error, "{error} {}", found.after.error);
    let ours = samples().map(|t| difference(t).abs()).fold(0.0, f64::max);
    // Freudenstein's three equations K1 cos ψ − K2 cos φ + K3 = cos(φ − ψ) at Chebyshev's points, for the same φ0 and ψ0.
    let t = [1, 3, 5].map(|k| 0.5 - 0.5 * (f64::from(k) * PI / 6.0).cos());
    let rows = t.map(|t| {
        let (phi, psi) = (phi0 + range * t, psi0 + wanted(t));
        [psi.cos(), -phi.cos(), 1.0, (phi - psi).cos()]
    });
    let k = cramer(rows);
    let (crank, rocker) = (1.0 / k[0], 1.0 / k[1]);
    let coupler = (1.0 + crank * crank + rocker * rocker - 2.0 * crank * rocker * k[2]).sqrt();
    let theirs = samples()
        .map(|t| {
            let both = output(crank, coupler, rocker, phi0 + range * t).map(|psi| away(psi - psi0 - wanted(t)).abs());
            both[0].min(both[1])
        })
        .fold(0.0, f64::max);
    assert!(ours < theirs, "largest error {ours} against {theirs}");
    assert!(ours.to_degrees() < 0.01, "{}", ours.to_degrees());
}

/// Three linear equations; each row holds its coefficients and its right-hand side.
fn cramer(rows: [[f64; 4]; 3]) -> [f64; 3] {
    let det = |c: [usize; 3]| {
        let at = |r: usize, k: usize| rows[r][c[k]];
        at(0, 0) * (at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1)) - at(0, 1) * (at(1, 0) * at(2, 2) - at(1, 2) * at(2, 0))
            + at(0, 2) * (at(1, 0) * at(2, 1) - at(1, 1) * at(2, 0))
    };
    let all = det([0, 1, 2]);
    [det([3, 1, 2]) / all, det([0, 3, 2]) / all, det([0, 1, 3]) / all]
}

#[test]
fn forces_within_limits() {
    // Forces of the slider-crank in closed form: crank 50 mm, massless rod, piston 0.5 kg, crank 2 kg with its centre behind.
    let forces = |rod: f64, balance: f64| {
        let (r, omega) = (0.05, 100.0);
        let (mut most, mut squares) = (0.0f64, 0.0);
        for k in 0..=72 {
            let angle = TAU * f64::from(k) / 72.0;
            let (s, c) = angle.sin_cos();
            let root = (rod * rod - r * r * s * s).sqrt();
            let a = -omega
                * omega
                * (r * c + r * r * (2.0 * c * c - 1.0) / root + r.powi(4) * s * s * c * c / root.powi(3));
            let side = 0.5 * a * r * s / root;
            let (fx, fy) = (0.5 * a + 2.0 * balance * omega * omega * c, 2.0 * balance * omega * omega * s - side);
            most = most.max(side.abs());
            // Trapezia: the ends count half.
            squares += if k % 72 == 0 { 0.5 } else { 1.0 } * (fx * fx + fy * fy) / 72.0;
        }
        (squares.sqrt(), most)
    };
    let (bearing, _) = forces(0.12, 0.002);
    let aim = |rod: f64, balance: f64| forces(rod, balance).0 / bearing + rod / 0.12;
    // The side thrust falls with the length of the rod and does not depend on the balance: the limit binds, or the optimum
    // without it is long enough. Both one after the other by golden section.
    let golden = |f: &dyn Fn(f64) -> f64, mut a: f64, mut b: f64| {
        for _ in 0..100 {
            let (c, d) = (b - 0.618_033_988_749_895 * (b - a), a + 0.618_033_988_749_895 * (b - a));
            if f(c) < f(d) {
                b = d;
            } else {
                a = c;
            }
        }
        0.5 * (a + b)
    };
    let balanced = |rod: f64| golden(&|balance| aim(rod, balance), 0.0, 0.03);
    let shortest = golden(&|rod| (forces(rod, 0.0).1 - 40.0).abs(), 0.06, 0.4);
    let free = golden(&|rod| aim(rod, balanced(rod)), 0.06, 0.4);
    assert!(shortest > free, "the limit binds: {shortest} {free}");
    let found = solve(&document("balanced-slider-crank.toml"), &few(2, 10), 2);
    assert!(found.keeps_limits());
    let (rod, balance) = (value(&found, "rod"), value(&found, "balance"));
    assert!((rod - shortest).abs() < 1e-6 * shortest, "{rod} {shortest}");
    // At a flat optimum a place is known to the root of what its value is known to: 1e-3 against 1e-6.
    assert!((balance - balanced(shortest)).abs() < 1e-3 * balance, "{balance} {}", balanced(shortest));
    let due = aim(shortest, balanced(shortest));
    assert!((found.after.error - due).abs() < 1e-6 * due, "{} {due}", found.after.error);
}

#[test]
fn the_same_for_any_number_of_threads() {
    let document = document("path-loop.toml");
    let report = |threads| solve(&document, &few(3, 60), threads).json().to_string();
    assert_eq!(report(1), report(3));
}

#[test]
fn the_best_model_is_the_text_with_other_numbers() {
    let document = document("path-arc.toml");
    let options = Options::default();
    let goal = document.goal(&options, &few(1, 1)).unwrap();
    let optimisation = Optimisation::new(&document, &options, goal, None, METHODS[0]).unwrap();
    let found = optimisation.solve(1, &|_| true).unwrap();
    let text = optimisation.model_text(&found).unwrap();
    assert!(text.contains("# Source: the second example"), "comments stay");
    let again = Document::from_toml(&Source::new("best.toml", text.as_str())).unwrap();
    let values = again.parameter_values(&options).unwrap();
    for p in &found.parameters {
        assert_eq!(values.iter().find(|v| v.0 == p.name).unwrap().1, p.best, "{}", p.name);
    }
    let once_more = solve(&again, &few(1, 1), 1);
    assert!((once_more.before.unwrap().error - found.after.error).abs() < 1e-12);
}

#[test]
fn limits_that_nothing_keeps_are_told_and_ends_are_heard() {
    let document = document("balanced-slider-crank.toml");
    let asked = AskedGoal { limit: vec![("side".into(), "max(abs(guide.fy)) <= 1 N".into())], ..few(1, 1) };
    let found = solve(&document, &asked, 1);
    assert!(!found.keeps_limits() && found.table().contains("no design keeps all limits"));
    let options = Options::default();
    let goal = document.goal(&options, &few(2, 20)).unwrap();
    let optimisation = Optimisation::new(&document, &options, goal, None, METHODS[0]).unwrap();
    let error = optimisation.solve(2, &|_| false).unwrap_err();
    assert!(error.to_string().contains("stopped by the user"), "{error}");
}

#[test]
fn what_cannot_be_wanted_is_explained() {
    let document = document("path-arc.toml");
    let told = |asked: AskedGoal| {
        let options = Options::default();
        let ready = document
            .goal(&options, &asked)
            .and_then(|goal| Optimisation::new(&document, &options, goal, None, METHODS[0]).map(|_| ()));
        ready.unwrap_err().to_string()
    };
    let vary = |name: &str, text: &str| AskedGoal { vary: vec![(name.into(), text.into())], ..AskedGoal::default() };
    let limit = |text: &str| AskedGoal { limit: vec![("a".into(), text.into())], ..AskedGoal::default() };
    assert!(told(vary("crnk", "1:2")).contains("did you mean 'crank'?"), "{}", told(vary("crnk", "1:2")));
    assert!(told(vary("crank", "2:1")).contains("is not below the greatest"));
    assert!(told(vary("crank", "1:2:3")).contains("bounds are expected"));
    assert!(told(limit("max(crank.x)")).contains("<="));
    assert!(told(limit("3 <= max(crank.x) <= 2")).contains("above the greatest"));
    assert!(told(limit("max(crank.xx) <= 2")).contains("did you mean"), "{}", told(limit("max(crank.xx) <= 2")));
    let minimise = AskedGoal { minimise: vec![("a".into(), "crank.x".into())], ..AskedGoal::default() };
    assert!(told(minimise).contains("is a signal, with a value at each time"));
    let fit = AskedGoal { fit: vec!["nowhere.csv".into()], ..AskedGoal::default() };
    assert!(told(fit.clone()).contains("nowhere.csv"), "{}", told(fit));
}
