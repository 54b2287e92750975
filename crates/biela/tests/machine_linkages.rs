//! Figures of linkages that textbooks print, beside ours: Hoeken, Whitworth, Stephenson, Jansen, RSSR, double wishbone.

mod common;

use biela::results::Results;
use biela::text::Options;
use common::cases::*;
use std::f64::consts::{PI, TAU};

fn finely(name: &str, steps: usize) -> Results {
    run(&load(name, &Options { steps: Some(steps), ..Options::default() }))
}

/// Where two circles meet; `side` +1 is to the left of the line from the first centre to the second.
fn meet(a: [f64; 2], ra: f64, b: [f64; 2], rb: f64, side: f64) -> [f64; 2] {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let d = dx.hypot(dy);
    let along = (ra * ra - rb * rb + d * d) / (2.0 * d);
    let across = side * (ra * ra - along * along).sqrt();
    [a[0] + (along * dx - across * dy) / d, a[1] + (along * dy + across * dx) / d]
}

fn range(data: impl Iterator<Item = f64>) -> [f64; 2] {
    data.fold([f64::INFINITY, f64::NEG_INFINITY], |[l, h], x| [l.min(x), h.max(x)])
}

/// Times at which a column changes its sign, by the line between two samples.
fn zeros(results: &Results, name: &str) -> Vec<f64> {
    let (t, x) = (results.times(), column(results, name));
    (1..x.len())
        .filter(|k| x[k - 1] * x[*k] < 0.0)
        .map(|k| t[k - 1] + (t[k] - t[k - 1]) * x[k - 1] / (x[k - 1] - x[k]))
        .collect()
}

/// Q is as far from P as from B and T, so T stands on the circle over PB as diameter of the right angle at B: with u = P − B,
/// T = B + u⊥ √(25/u² − 1). In the middle of the line it runs at 4/3 of the pin's speed; the line is 4 long and straight to 0.24 %.
#[test]
fn hoeken_runs_straight_at_four_thirds_of_the_pins_speed() {
    let results = finely("hoeken", 720);
    let tracer = |angle: f64| {
        let u = [angle.cos() - 2.0, angle.sin()];
        let k = (25.0 / (u[0] * u[0] + u[1] * u[1]) - 1.0).sqrt();
        [2.0 + u[1] * k, -u[0] * k]
    };
    follows(&results, "coupler.T.x", |t| tracer(0.5 * PI + TAU * t)[0]);
    follows(&results, "coupler.T.y", |t| tracer(0.5 * PI + TAU * t)[1]);
    let speed = column(&results, "coupler.T.vx")[180].abs();
    assert!((speed - 4.0 / 3.0 * TAU).abs() < 1e-10, "{speed}");
    let half = (0..=360).map(|k| tracer(0.5 * PI + PI * f64::from(k) / 360.0));
    let (length, width) = (range(half.clone().map(|p| p[0])), range(half.map(|p| p[1])));
    let ours = range(column(&results, "coupler.T.y")[..=360].iter().copied());
    let straight = |y: [f64; 2]| (y[1] - y[0]) / (length[1] - length[0]);
    assert!((straight(ours) - straight(width)).abs() < 1e-12);
    assert!((straight(ours) - 0.00244).abs() < 1e-5, "{}", straight(ours));
}

/// The ram turns back where the slotted lever lies along its guide: the crank is then asin(e/r) below the horizontal, so that
/// work : return = (π + 2 asin(e/r)) : (π − 2 asin(e/r)).
#[test]
fn whitworth_returns_faster_than_it_works() {
    for (r, e) in [("2.5", 1.0f64), ("3.2", 1.0), ("2.5", 0.6)] {
        let options = Options { steps: Some(4000), ..set(&[("r", r), ("e", &e.to_string())]) };
        let results = run(&load("quick-return", &options));
        let turns = zeros(&results, "ram.vx");
        assert_eq!(turns.len(), 2);
        let there = turns[1] - turns[0];
        let lean = (e / r.parse::<f64>().unwrap()).asin();
        let due = (PI + 2.0 * lean) / (PI - 2.0 * lean);
        let ratio = (there / (1.0 - there)).max((1.0 - there) / there);
        // Lines between 4000 samples are off by the square of a step.
        assert!((ratio - due).abs() < 1e-5, "{ratio} is not {due}");
    }
}

/// Swing of the second rocker by circles alone, of the four-bar 2 : 8 : 5 : 10 that carries E.
#[test]
fn stephenson_swings_its_output_as_circles_say() {
    let results = finely("stephenson-six-bar", 360);
    let (p0, q0, b, e0, f0, g) =
        ([1.0, 1.7320508], [8.4125, 4.7413], [10.0, 0.0], [4.0, 6.0], [-3.0, 8.0], [-3.0, 2.0]);
    let length = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
    let direction = |a: [f64; 2], b: [f64; 2]| (b[1] - a[1]).atan2(b[0] - a[0]);
    let swing = |t: f64| {
        let angle = direction([0.0; 2], p0) + TAU * t;
        let p = [length([0.0; 2], p0) * angle.cos(), length([0.0; 2], p0) * angle.sin()];
        let q = meet(p, length(p0, q0), b, length(b, q0), 1.0);
        let lean = direction(p, q) - direction(p0, q0) + direction(p0, e0);
        let e = [p[0] + length(p0, e0) * lean.cos(), p[1] + length(p0, e0) * lean.sin()];
        let f = meet(e, length(e0, f0), g, length(f0, g), -1.0);
        direction(g, f) - direction(g, f0)
    };
    follows(&results, "G.angle", swing);
}

/// The foot by circles alone, with Jansen's thirteen numbers; it steps 67.9 mm long and 22.5 mm high, and over the lower half of
/// its step it keeps level to 3.4 mm.
#[test]
fn jansens_foot_steps_as_circles_say() {
    let results = finely("jansen-leg", 360);
    let [a, b, c, d, e, f, g, h, i, j, k, l, m] =
        [38.0, 41.5, 39.3, 40.1, 55.8, 39.4, 36.7, 65.7, 49.0, 50.0, 61.9, 7.8, 15.0].map(|x| 1e-3 * x);
    let foot = |t: f64| {
        let (s, cosine) = (TAU * t).sin_cos();
        let (pin, pivot) = ([m * cosine, m * s], [-a, -l]);
        let high = meet(pin, j, pivot, b, -1.0);
        let low = meet(pin, k, pivot, c, 1.0);
        let left = meet(pivot, d, high, e, 1.0);
        let knee = meet(left, f, low, g, -1.0);
        meet(knee, h, low, i, -1.0)
    };
    follows(&results, "lower.F.x", |t| foot(t)[0]);
    follows(&results, "lower.F.y", |t| foot(t)[1]);
    let feet: Vec<[f64; 2]> = (0..360).map(|k| foot(f64::from(k) / 360.0)).collect();
    let (x, y) = (range(feet.iter().map(|p| p[0])), range(feet.iter().map(|p| p[1])));
    assert!((x[1] - x[0] - 0.0679).abs() < 1e-4 && (y[1] - y[0] - 0.0225).abs() < 1e-4, "{x:?} {y:?}");
    let ours =
        [range(column(&results, "lower.F.x").iter().copied()), range(column(&results, "lower.F.y").iter().copied())];
    for (ours, due) in ours.iter().zip([x, y]) {
        assert!((ours[0] - due[0]).abs() < 1e-12 && (ours[1] - due[1]).abs() < 1e-12);
    }
    // It stands for more than a third of a turn while it is in the lowest 15 % of its height.
    let down = feet.iter().filter(|p| p[1] < y[0] + 0.15 * (y[1] - y[0])).count();
    assert!(down > 120, "{down}");
}

/// Freudenstein's equation of the RSSR: the rod between P = (cos θ, sin θ, 0) and Q = (2, 3 − 2.5 sin ψ, 2.5 cos ψ) keeps its length,
/// A sin ψ + B cos ψ = C, solved for ψ by the half angle; the rocker turns back where the determinant of the loop vanishes.
#[test]
fn rssr_rocks_between_the_ends_that_its_equation_has() {
    let results = finely("rssr", 2000);
    let rocker = |theta: f64| {
        let (s, c) = theta.sin_cos();
        // |Q − P|² = (2 − c)² + (3 − s)² − 5 (3 − s) sin ψ + 6.25 = 16.25.
        let (sine, rest) = (5.0 * (3.0 - s), (2.0 - c).powi(2) + (3.0 - s).powi(2) + 6.25 - 16.25);
        (rest / sine).asin()
    };
    follows(&results, "D.angle", |t| rocker(TAU * t));
    let due = range((0..200_000).map(|k| rocker(TAU * f64::from(k) / 200_000.0)));
    let ours = range(column(&results, "D.angle").iter().copied());
    // Between samples an extreme is missed by half the curvature times the square of half a step.
    assert!((ours[0] - due[0]).abs() < 1e-5 && (ours[1] - due[1]).abs() < 1e-5, "{ours:?} {due:?}");
    assert_eq!(zeros(&results, "D.angle.rate").len(), 2);
}

type Point = [f64; 3];

fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
fn plus(a: Point, b: Point, s: f64) -> Point {
    [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]]
}
fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
fn unit(a: Point) -> Point {
    let n = dot(a, a).sqrt();
    [a[0] / n, a[1] / n, a[2] / n]
}

/// Axes of the body that holds two points, by the line through them and a third direction.
fn axes(from: Point, to: Point, third: Point) -> [Point; 3] {
    let z = unit(minus(to, from));
    let y = unit(cross(z, minus(third, from)));
    [cross(y, z), y, z]
}

/// The suspension by spheres and circles: the lower ball turns about its line, the upper one lies on its own circle and on a sphere
/// about the lower; the steering arm turns about the line of both until the tie rod fits. Its angle is found from the wheel's
/// height by bisection.
#[test]
fn the_wishbones_lead_the_wheel_as_spheres_say() {
    let low0: Point = [0.0, 0.72, 0.18];
    let high0: Point = [-0.02, 0.68, 0.5];
    let (arm0, rack): (Point, Point) = ([-0.15, 0.7, 0.24], [-0.15, 0.38, 0.25]);
    let (pivot_low, pivot_high): (Point, Point) = ([0.0, 0.35, 0.2], [-0.02, 0.42, 0.48]);
    let square = |a: Point, b: Point| dot(minus(a, b), minus(a, b));
    let own = axes(low0, high0, arm0);
    // Where a point of the upright lies for a turn of the lower wishbone.
    let placed = |turn: f64, point: Point| -> Point {
        let (s, c) = turn.sin_cos();
        let r = minus(low0, pivot_low);
        let low = plus(pivot_low, [r[0], c * r[1] - s * r[2], s * r[1] + c * r[2]], 1.0);
        // In the plane of the upper circle the sphere about the lower ball is a circle too.
        let off = low[0] - pivot_high[0];
        let radius = (square(low0, high0) - off * off).sqrt();
        let arm = square(pivot_high, high0).sqrt();
        let [y, z] = meet([pivot_high[1], pivot_high[2]], arm, [low[1], low[2]], radius, 1.0);
        let high = [pivot_high[0], y, z];
        // The arm's end goes round the line of both balls: height along it, distance from it and from the rack are known.
        let line = unit(minus(high, low));
        let along = dot(minus(arm0, low0), own[2]);
        let around = (square(arm0, low0) - along * along).sqrt();
        let centre = plus(low, line, along);
        let to_rack = minus(rack, centre);
        let height = dot(to_rack, line);
        let flat = unit(plus(to_rack, line, -height));
        let reach = dot(to_rack, flat);
        let rod = square(arm0, rack) - height * height;
        let cosine = (around * around + reach * reach - rod) / (2.0 * around * reach);
        let side = cross(line, flat);
        let ends = [1.0, -1.0].map(|sign| {
            let sine = sign * (1.0 - cosine * cosine).sqrt();
            plus(plus(centre, flat, around * cosine), side, around * sine)
        });
        // The arm stays behind the wheel.
        let end = if ends[0][0] < ends[1][0] { ends[0] } else { ends[1] };
        let now = axes(low, high, end);
        let r = minus(point, low0);
        (0..3).fold(low, |at, k| plus(at, now[k], dot(r, own[k])))
    };
    let wheel: Point = [0.0, 0.76, 0.31];
    let turn = |height: f64| {
        let (mut a, mut b) = (-0.4f64, 0.4f64);
        for _ in 0..80 {
            let middle = 0.5 * (a + b);
            if placed(middle, wheel)[2] < height {
                a = middle;
            } else {
                b = middle;
            }
        }
        0.5 * (a + b)
    };
    let results = run(&load("double-wishbone", &set(&[])));
    let at = |t: f64| turn(0.31 + 0.06 * (TAU * t).sin());
    follows(&results, "lower-arm.angle", at);
    let axle = |t: f64| minus(placed(at(t), [0.0, 0.86, 0.31]), placed(at(t), wheel));
    follows(&results, "camber", |t| (-axle(t)[2]).atan2(axle(t)[1]));
    follows(&results, "toe", |t| axle(t)[0].atan2(axle(t)[1]));
    follows(&results, "track", |t| placed(at(t), [0.0, 0.76, 0.0])[1] - 0.76);
    // In bump the wheel leans in by 1.70 degrees and the track grows by 3.8 mm; in droop it leans out by 1.07, and loses 11.4 mm.
    let figure = |name: &str, t: usize| column(&results, name)[t];
    assert!(
        (figure("camber", 30).to_degrees() + 1.703).abs() < 1e-3
            && (figure("camber", 90).to_degrees() - 1.072).abs() < 1e-3
    );
    assert!((figure("track", 30) - 3.8275e-3).abs() < 1e-7 && (figure("track", 90) + 11.4033e-3).abs() < 1e-7);
}
