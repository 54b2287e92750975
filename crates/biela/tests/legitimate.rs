//! Odd but legitimate models: each must run in every formulation named, and meet its closed form where it has one.
//!
//! A case is a name, a text made by the small functions below, the formulations, and what holds at the last sample: a signal, its value,
//! and how far it may be off. All cases are tried before the test fails, so that one run tells every refusal.

mod common;

use biela::solve::newton::METHODS;
use biela::solve::run;
use common::forward::agm;
use common::machines::n_four_bar;
use common::{column, parse};
use std::f64::consts::{PI, TAU};

/// Principal formulations, and those by which a part of the cases runs.
const ALL: &[&str] = &["absolute", "natural", "relative"];
const TELLS: &[&str] = &["absolute", "relative"];
const RELATIVE: &[&str] = &["relative"];
const EVERY: &[&str] = &["absolute", "natural", "relative", "relative-euler", "relative-matrix", "homogeneous"];

const G: f64 = 9.81;
const GRAVITY: &str = "gravity = [0, -9.81, 0]\n";
const WEIGHTLESS: &str = "gravity = [0, 0, 0]\n";

/// Closed forms are met to this where rounding is all there is, and to this where a motion is integrated at the usual tolerance.
const EXACT: f64 = 1e-9;
const INTEGRATED: f64 = 1e-5;

/// A signal at the last sample, its value, and how far it may be off.
type Holds = (&'static str, f64, f64);

/// Cases, gathered.
#[derive(Default)]
struct List(Vec<(String, String, &'static [&'static str], Vec<Holds>)>);

impl List {
    fn add(&mut self, name: impl Into<String>, text: String, by: &'static [&'static str], holds: &[Holds]) {
        self.0.push((name.into(), text, by, holds.to_vec()));
    }
}

/// What goes wrong with a case in one formulation, if anything does.
fn fault(text: &str, formulation: &str, holds: &[Holds]) -> Option<String> {
    let model = parse(text);
    match run::run(&model, formulation, METHODS[0], |_, _| true) {
        Err(error) => Some(error.to_string().lines().take(3).collect::<Vec<_>>().join(" / ")),
        Ok(results) => holds.iter().find_map(|(signal, value, off)| {
            let found = *column(&results, signal).last()?;
            ((found - value).abs() > *off || found.is_nan()).then(|| format!("{signal} = {found}, not {value} ± {off}"))
        }),
    }
}

/// Tries a list; everything at fault is told.
fn try_all(list: List) {
    let mut faults = Vec::new();
    for (name, text, by, holds) in &list.0 {
        for formulation in *by {
            let begun = std::time::Instant::now();
            let found = fault(text, formulation, holds);
            if std::env::var_os("BIELA_TIMES").is_some() {
                println!("{:8.3} s  {name}, {formulation}", begun.elapsed().as_secs_f64());
            }
            faults.extend(found.map(|f| format!("{name}, {formulation}: {f}")));
        }
    }
    assert!(faults.is_empty(), "{} at fault:\n{}", faults.len(), faults.join("\n"));
}

// Parts of texts.

fn body(name: &str, mass: f64, com: [f64; 3], inertia: f64, at: [f64; 3], angle: f64) -> String {
    format!(
        "[bodies.{name}]\nmass = {mass:e}\ncom = {com:?}\ninertia = [{inertia:e}, {inertia:e}, {inertia:e}]\n\
         pose = {{ at = {at:?}, angle = {angle:e}, axis = [0, 0, 1] }}\n"
    )
}

fn light(name: &str, at: [f64; 3], angle: f64) -> String {
    format!("[bodies.{name}]\npose = {{ at = {at:?}, angle = {angle:e}, axis = [0, 0, 1] }}\n")
}

fn revolute(name: &str, a: &str, b: &str, at: [[f64; 3]; 2]) -> String {
    format!("[joints.{name}]\ntype = \"revolute\"\nbodies = [\"{a}\", \"{b}\"]\nat = {at:?}\naxis = [[0, 0, 1], [0, 0, 1]]\n")
}

fn prismatic(name: &str, a: &str, b: &str, at: [[f64; 3]; 2]) -> String {
    format!("[joints.{name}]\ntype = \"prismatic\"\nbodies = [\"{a}\", \"{b}\"]\nat = {at:?}\naxis = [[1, 0, 0], [1, 0, 0]]\n")
}

fn joint_torque(name: &str, joint: &str, value: &str) -> String {
    format!("[forces.{name}]\ntype = \"joint-torque\"\njoint = \"{joint}\"\nvalue = \"{value}\"\n")
}

fn driver(name: &str, joint: &str, value: &str) -> String {
    format!("[drivers.{name}]\njoint = \"{joint}\"\nvalue = \"{value}\"\n")
}

fn initial(values: &[(&str, f64)]) -> String {
    let lines: Vec<String> = values.iter().map(|(name, value)| format!("\"{name}\" = {value:e}\n")).collect();
    format!("[initial]\n{}", lines.concat())
}

fn runs(analysis: &str, end: f64, steps: usize, more: &str) -> String {
    format!("[run]\nanalysis = \"{analysis}\"\nend = {end:e}\nsteps = {steps}\n{more}")
}

fn dynamics(end: f64, steps: usize) -> String {
    runs("dynamics", end, steps, "")
}

fn alpha(end: f64, steps: usize, step: f64) -> String {
    runs("dynamics", end, steps, &format!("method = \"alpha\"\nstep = {step:e}\n"))
}

/// An arm of length l on a pivot at the origin, hanging along −y, its mass m at the end with inertia i.
fn arm(m: f64, l: f64, i: f64) -> String {
    body("arm", m, [0.0, -l, 0.0], i, [0.0; 3], 0.0) + &revolute("O", "ground", "arm", [[0.0; 3]; 2])
}

/// A block of mass m that slides along x without friction.
fn block(m: f64) -> String {
    body("block", m, [0.0; 3], m, [0.0; 3], 0.0) + &prismatic("P", "ground", "block", [[0.0; 3]; 2])
}

/// A spring and damper on the block's slide.
fn spring(k: f64, c: f64, rest: f64) -> String {
    format!("[forces.s]\ntype = \"joint-spring\"\njoint = \"P\"\nstiffness = {k:e}\ndamping = {c:e}\nrest = {rest:e}\n")
}

/// Lengths of a four-bar: crank, coupler, rocker, ground.
type Bars = [f64; 4];
const CRANK_ROCKER: Bars = [1.0, 3.0, 2.5, 3.2];

/// Angles of coupler and rocker of a four-bar on its upper branch, by the cosine rule.
fn four_bar_angles([a, b, c, d]: Bars, crank: f64) -> [f64; 2] {
    let (x, y) = (d - a * crank.cos(), -a * crank.sin());
    let e = x.hypot(y);
    let coupler = y.atan2(x) + ((e * e + b * b - c * c) / (2.0 * e * b)).clamp(-1.0, 1.0).acos();
    let tip = [a * crank.cos() + b * coupler.cos() - d, a * crank.sin() + b * coupler.sin()];
    [coupler, tip[1].atan2(tip[0])]
}

/// A four-bar with its crank pivot at `o`, drawn with the crank at that angle; weightless bodies where the mass is zero.
fn four_bar(bars: Bars, o: [f64; 3], crank: f64, mass: f64) -> String {
    let [a, b, c, d] = bars;
    let [coupler, rocker] = four_bar_angles(bars, crank);
    let tip = [o[0] + a * crank.cos(), o[1] + a * crank.sin(), o[2]];
    let foot = [o[0] + d, o[1], o[2]];
    let bar = |name: &str, l: f64, at: [f64; 3], angle: f64| match mass > 0.0 {
        true => body(name, mass * l, [0.5 * l, 0.0, 0.0], mass * l * l * l / 12.0, at, angle),
        false => light(name, at, angle),
    };
    bar("crank", a, o, crank)
        + &bar("coupler", b, tip, coupler)
        + &bar("rocker", c, foot, rocker)
        + &revolute("O", "ground", "crank", [o, [0.0; 3]])
        + &revolute("A", "crank", "coupler", [[a, 0.0, 0.0], [0.0; 3]])
        + &revolute("B", "coupler", "rocker", [[b, 0.0, 0.0], [c, 0.0, 0.0]])
        + &revolute("C", "ground", "rocker", [foot, [0.0; 3]])
}

/// A crank of length r, a rod of length l and a slider along x, with the pivot at `o`.
fn slider_crank(r: f64, l: f64, o: [f64; 3], crank: f64, mass: f64) -> String {
    let tip = [o[0] + r * crank.cos(), o[1] + r * crank.sin(), o[2]];
    let x = slider(r, l, crank);
    let part = |name: &str, l: f64, at: [f64; 3], angle: f64| match mass > 0.0 {
        true => body(name, mass, [0.5 * l, 0.0, 0.0], mass * l.max(0.1 * r) * l.max(0.1 * r) / 12.0, at, angle),
        false => light(name, at, angle),
    };
    part("crank", r, o, crank)
        + &part("rod", l, tip, -(r * crank.sin() / l).asin())
        + &part("slider", 0.0, [o[0] + x, o[1], o[2]], 0.0)
        + &revolute("O", "ground", "crank", [o, [0.0; 3]])
        + &revolute("A", "crank", "rod", [[r, 0.0, 0.0], [0.0; 3]])
        + &revolute("B", "rod", "slider", [[l, 0.0, 0.0], [0.0; 3]])
        + &prismatic("P", "ground", "slider", [o, [0.0; 3]])
}

/// Where its slider is.
fn slider(r: f64, l: f64, crank: f64) -> f64 {
    r * crank.cos() + (l * l - (r * crank.sin()).powi(2)).sqrt()
}

/// A chain of n links of 0.1 m hanging along a direction in the plane.
fn chain(n: usize, direction: f64) -> String {
    let (s, c) = direction.sin_cos();
    let mut text = String::new();
    for k in 0..n {
        let at = [0.1 * k as f64 * c, 0.1 * k as f64 * s, 0.0];
        text += &body(&format!("l{k}"), 0.2, [0.05, 0.0, 0.0], 1e-4, at, direction);
        let before = if k == 0 { "ground".into() } else { format!("l{}", k - 1) };
        let from = if k == 0 { [0.0; 3] } else { [0.1, 0.0, 0.0] };
        text += &revolute(&format!("j{k}"), &before, &format!("l{k}"), [from, [0.0; 3]]);
    }
    text
}

#[test]
fn rest_then_motion() {
    let mut list = List::default();
    // The arm's inertia about its pivot is 2·0.5² + 0.1 = 0.6.
    let (arm, i) = (arm(2.0, 0.5, 0.1), 0.6);
    for rest in [0.5, 3.0, 30.0, 300.0] {
        let end = rest + 0.5;
        // A steady torque after a dwell.
        let text = WEIGHTLESS.to_string() + &arm + &joint_torque("m", "O", &format!("if(t < {rest}, 0, 5)"));
        let holds = [("O.angle", 0.5 * 5.0 / i * 0.25, INTEGRATED), ("energy.kinetic", 0.5 * 2.5 * 2.5 / i, INTEGRATED)];
        list.add(format!("torque after {rest} s"), text + &dynamics(end, 100), ALL, &holds);
        // A torque that grows from zero.
        let text = WEIGHTLESS.to_string() + &arm + &joint_torque("m", "O", &format!("6*max(0, t - {rest})"));
        let holds = [("O.angle", 6.0 / i / 6.0 * 0.125, INTEGRATED)];
        list.add(format!("torque grows from {rest} s on"), text + &dynamics(end, 100), ALL, &holds);
        // A pulse, and rest again: the speed stays at impulse over inertia.
        let pulse = format!("if(t < {rest}, 0, if(t > {rest} + 0.25, 0, 2))");
        let text = WEIGHTLESS.to_string() + &arm + &joint_torque("m", "O", &pulse) + &dynamics(end, 100);
        list.add(format!("pulse after {rest} s"), text, ALL, &[("O.angle.rate", 0.5 / i, INTEGRATED)]);
        // A driver that waits, with gravity and without.
        for gravity in [GRAVITY, WEIGHTLESS] {
            let law = format!("if(t < {rest}, 0, (t - {rest})^3)");
            let text = gravity.to_string() + &arm + &driver("d", "O", &law) + &dynamics(end, 100);
            list.add(format!("driver waits {rest} s"), text, ALL, &[("O.angle", 0.125, EXACT)]);
            let law = format!("[drivers.d]\njoint = \"O\"\nvalue = {{ law = \"cycloidal\", from = 0, to = 2, start = {rest}, end = {end} }}\n");
            list.add(format!("law after {rest} s"), gravity.to_string() + &arm + &law + &dynamics(end, 100), ALL, &[("O.angle", 2.0, EXACT)]);
        }
        // A driven crank that waits, and a load on the slider that sets in with it.
        let law = driver("d", "O", &format!("0.7 + if(t < {rest}, 0, 4*(t - {rest})^3)"));
        let text = GRAVITY.to_string() + &slider_crank(0.3, 1.0, [0.0; 3], 0.7, 1.0) + &law;
        let holds = [("P.slide", slider(0.3, 1.0, 1.2), EXACT)];
        list.add(format!("slider-crank waits {rest} s"), text.clone() + &dynamics(end, 100), ALL, &holds);
        list.add(format!("slider-crank waits {rest} s, its forces"), text + &runs("inverse-dynamics", end, 100, ""), TELLS, &holds);
        // Two arms on one ground, the second waits for the first to have come to rest by its driver.
        let other = body("late", 1.0, [0.0, -0.2, 0.0], 0.01, [3.0, 0.0, 0.0], 0.0) + &revolute("Q", "ground", "late", [[3.0, 0.0, 0.0], [0.0; 3]]);
        let text = WEIGHTLESS.to_string() + &arm + &other + &driver("d", "O", "smoothstep(t, 0, 0.2)") + &joint_torque("m", "Q", &format!("if(t < {rest}, 0, 0.1)"));
        list.add(format!("the second after {rest} s"), text + &dynamics(end, 100), ALL, &[("Q.angle", 0.5 * 0.1 / 0.05 * 0.25, INTEGRATED)]);
        // A block on a spring at rest, pushed late: x = F/k (1 − cos ω t).
        let text = WEIGHTLESS.to_string() + &block(1.0) + &spring(100.0, 0.0, 0.0) + &joint_torque("f", "P", &format!("if(t < {rest}, 0, 3)"));
        list.add(format!("spring pushed after {rest} s"), text + &dynamics(end, 100), ALL, &[("P.slide", 0.03 * (1.0 - 5f64.cos()), INTEGRATED)]);
    }
    // Motion, rest, and motion again: friction stops the block, a push at 5 s moves it.
    let push = joint_torque("f", "P", "if(t < 5, 0, if(t > 6, 0, 4))") + "[forces.r]\ntype = \"damper\"\nbodies = [\"ground\", \"block\"]\nat = [[-50, 0, 0], [0, 0, 0]]\ndamping = 8\n";
    let text = WEIGHTLESS.to_string() + &block(1.0) + &push + &initial(&[("P.slide.rate", 2.0)]) + &dynamics(20.0, 200);
    list.add("brought to rest and pushed again", text, ALL, &[("P.slide", 2.0 / 8.0 + 0.5, INTEGRATED)]);
    try_all(list);
}

#[test]
fn long_runs() {
    let mut list = List::default();
    // A mathematical pendulum by the arithmetic-geometric mean, over whole periods.
    let (m, l, i) = (2.0, 0.5, 0.1);
    let frequency = (m * G * l / (m * l * l + i)).sqrt();
    for amplitude in [1e-3f64, 0.1, 1.0, 2.5] {
        let period = TAU / (frequency * agm(1.0, (0.5 * amplitude).cos()));
        for seconds in [200.0, 2000.0] {
            let end = (seconds / period).round() * period;
            let text = GRAVITY.to_string() + &arm(m, l, i) + &initial(&[("O.angle", amplitude)]) + &runs("dynamics", end, 100, "tolerance = 1e-9\n");
            let by = if seconds > 300.0 { RELATIVE } else { ALL };
            list.add(format!("pendulum at {amplitude} for {seconds} s"), text, by, &[("O.angle", amplitude, 1e-3 * amplitude)]);
        }
    }
    let text = GRAVITY.to_string() + &arm(m, l, i) + &initial(&[("O.angle", 0.5)]) + &dynamics(3000.0, 30);
    list.add("pendulum for 3000 s at the usual tolerance", text, RELATIVE, &[]);
    // A pendulum at rest where it hangs, and where it stands.
    for angle in [0.0, PI] {
        let text = GRAVITY.to_string() + &arm(m, l, i) + &initial(&[("O.angle", angle)]);
        list.add(format!("pendulum left at {angle}"), text + &dynamics(if angle == 0.0 { 1e4 } else { 1.0 }, 10), ALL, &[("O.angle", angle, 1e-6)]);
    }
    // Cranks over thousands of turns.
    for (turns, steps) in [(2000.0, 20), (2000.0, 4000), (20000.0, 200)] {
        let text = slider_crank(0.3, 1.0, [0.0; 3], 0.5, 0.0) + &driver("d", "O", "0.5 + 2*pi*t") + &runs("kinematics", turns, steps, "");
        list.add(format!("crank of {turns} turns, {steps} samples"), text, RELATIVE, &[("P.slide", slider(0.3, 1.0, 0.5), EXACT)]);
    }
    let text = WEIGHTLESS.to_string() + &arm(m, l, i) + &initial(&[("O.angle.rate", TAU)]) + &dynamics(2000.0, 20);
    list.add("free crank of 2000 turns", text, RELATIVE, &[("O.angle", 2000.0 * TAU, 1e-5)]);
    let text = GRAVITY.to_string() + &arm(m, l, i) + &driver("d", "O", "2*pi*t") + &dynamics(200.0, 20);
    list.add("driven crank under gravity, 200 turns", text, ALL, &[("O.angle", 200.0 * TAU, EXACT)]);
    // Free fall, straight and thrown, and coasting.
    let ball = body("ball", 3.0, [0.0; 3], 0.1, [0.0; 3], 0.0);
    for (end, speed) in [(2000.0, 0.0), (2000.0, 7.0), (1e5, 0.3)] {
        let text = GRAVITY.to_string() + &ball + &initial(&[("ball.vx", speed)]) + &dynamics(end, 10);
        let holds = [("ball.y", -0.5 * G * end * end, 1e-9 * end * end), ("ball.x", speed * end, 1e-6)];
        list.add(format!("fall for {end} s at {speed} m/s"), text, ALL, &holds);
        let text = WEIGHTLESS.to_string() + &ball + &initial(&[("ball.vx", speed)]) + &dynamics(end, 10);
        list.add(format!("coasting for {end} s at {speed} m/s"), text, ALL, &[("ball.x", speed * end, 1e-6)]);
    }
    // A symmetric top without torque precesses steadily: its angular momentum, hence kinetic energy, stays.
    let top = "[bodies.top]\nmass = 1\ninertia = [0.2, 0.2, 0.3]\n[joints.S]\ntype = \"spherical\"\nbodies = [\"ground\", \"top\"]\nat = [[0, 0, 0], [0, 0, 0]]\n";
    let text = WEIGHTLESS.to_string() + top + &initial(&[("top.wz", 3.0), ("top.wx", 1.0)]) + &dynamics(1000.0, 10);
    list.add("free top for 1000 s", text, RELATIVE, &[("energy.kinetic", 0.5 * (0.3 * 9.0 + 0.2), 1e-5)]);
    let text = GRAVITY.to_string() + &block(1.0) + &spring(40.0, 0.0, 0.0) + &initial(&[("P.slide", 0.2)]) + &dynamics(2000.0, 20);
    list.add("oscillator for 2000 s", text, RELATIVE, &[("energy.total", 0.8, 1e-4)]);
    let text = GRAVITY.to_string() + &block(1.0) + &spring(40.0, 0.5, 0.0) + &initial(&[("P.slide", 0.2)]) + &dynamics(3000.0, 20);
    list.add("damped oscillator long after", text, ALL, &[("P.slide", 0.0, 1e-7)]);
    try_all(list);
}

#[test]
fn chains_at_rest() {
    let mut list = List::default();
    for (n, end) in [(10, 100.0), (50, 3.0), (100, 1.0), (200, 0.5)] {
        // Hanging straight down; along a slanted gravity that no number represents; pulled out of line by nothing at all.
        let down = GRAVITY.to_string() + &chain(n, -0.5 * PI) + &dynamics(end, 5);
        list.add(format!("{n} links at rest"), down, if n > 60 { TELLS } else { ALL }, &[("j0.angle", -0.5 * PI, 1e-6)]);
        let (s, c) = (-1.1f64).sin_cos();
        let slanted = format!("gravity = [{}, {}, 0]\n", 9.81 * c, 9.81 * s) + &chain(n, -1.1) + &dynamics(end, 5);
        list.add(format!("{n} links at rest, slanted"), slanted, if n > 60 { RELATIVE } else { ALL }, &[("j0.angle", -1.1, 1e-6)]);
        let floating = WEIGHTLESS.to_string() + &chain(n, 0.3) + &dynamics(end, 5);
        list.add(format!("{n} links without weight"), floating, if n > 60 { RELATIVE } else { ALL }, &[("j0.angle", 0.3, 1e-9)]);
    }
    let braked = (0..20).map(|k| format!("[forces.b{k}]\ntype = \"friction\"\njoint = \"j{k}\"\nviscous = 0.01\ncoulomb = 0.0\n"));
    let text = GRAVITY.to_string() + &chain(20, -0.5 * PI) + &braked.collect::<String>() + &dynamics(5.0, 5);
    list.add("20 braked links at rest", text, ALL, &[("j0.angle", -0.5 * PI, 1e-6)]);
    try_all(list);
}

#[test]
fn stiff_springs_and_dampers_by_alpha() {
    let mut list = List::default();
    // A mass m on a damper c with initial speed: x = v m/c (1 − exp(−c t/m)), at rest long before the first step is over.
    for c in [1e2, 1e4, 1e6, 1e9] {
        let text = WEIGHTLESS.to_string() + &block(1.0) + &spring(0.0, c, 0.0) + &initial(&[("P.slide.rate", 1.0)]);
        list.add(format!("damper {c:e}"), text + &alpha(1.0, 10, 0.01), ALL, &[("P.slide", 1.0 / c, 0.03), ("P.slide.rate", 0.0, 1e-3)]);
        // Drawn over a stiff damper by a steady force: speed F/c.
        let text = WEIGHTLESS.to_string() + &block(1.0) + &spring(0.0, c, 0.0) + &joint_torque("f", "P", &format!("{c:e}"));
        list.add(format!("drawn over a damper {c:e}"), text + &alpha(1.0, 10, 0.01), ALL, &[("P.slide.rate", 1.0, 1e-6), ("P.slide", 1.0 - 1.0 / c, 2e-2)]);
        // A soft spring and a stiff damper: x = x₀ exp(−k t/c) but for the start.
        let text = WEIGHTLESS.to_string() + &block(1.0) + &spring(c, c, 0.0) + &initial(&[("P.slide", 1.0)]);
        list.add(format!("overdamped {c:e}"), text + &alpha(1.0, 10, 0.01), ALL, &[("P.slide", (-1f64).exp(), 2e-2)]);
    }
    for k in [1e4f64, 1e8, 1e12] {
        // At rest under its load: F/k.
        let text = WEIGHTLESS.to_string() + &block(1.0) + &spring(k, 2.0 * k.sqrt(), 0.0) + &joint_torque("f", "P", "10");
        list.add(format!("stiff spring {k:e} under load"), text + &alpha(1.0, 10, 0.01), ALL, &[("P.slide", 10.0 / k, 0.05 * 10.0 / k)]);
        // A pendulum whose arm is a stiff spring swings as one of fixed length.
        let text = GRAVITY.to_string()
            + &body("frame", 1e-3, [0.0; 3], 1e-6, [0.0; 3], -0.5 * PI) + &body("bob", 2.0, [0.0; 3], 1e-6, [0.0, -0.5, 0.0], -0.5 * PI)
            + &revolute("O", "ground", "frame", [[0.0; 3]; 2]) + &prismatic("P", "frame", "bob", [[0.0; 3]; 2])
            + &spring(k, 0.0, 0.5) + &initial(&[("O.angle", 0.3 - 0.5 * PI), ("P.slide", 0.5)]) + &alpha(1.0, 10, 1e-3);
        list.add(format!("pendulum on a spring of {k:e} N/m"), text, ALL, &[]);
    }
    for (m, c) in [(1e-6, 1e3), (1e-3, 1e6), (1e3, 1e9)] {
        let text = GRAVITY.to_string() + &slider_crank(0.1, 0.3, [0.0; 3], 1.0, m) + &spring(0.0, c, 0.0) + &alpha(0.1, 10, 1e-3);
        list.add(format!("slider-crank of {m:e} kg in oil of {c:e}"), text, ALL, &[("O.angle", 1.0, 1e-2)]);
    }
    try_all(list);
}

#[test]
fn in_line_positions() {
    let mut list = List::default();
    for n in [1, 2, 3] {
        for tolerance in [1e-6, 1e-9, 1e-11] {
            let text = n_four_bar(n) + &runs("dynamics", 3.0, 30, &format!("tolerance = {tolerance:e}\n"));
            list.add(format!("{n} four-bars at {tolerance:e}"), text, ALL, &[]);
        }
    }
    // A change-point linkage driven through its in-line position needs leave to pass it; started there it is refused by name.
    for bars in [[1.0, 2.0, 1.0, 2.0], [2.0, 1.0, 2.0, 1.0]] {
        let text = four_bar(bars, [0.0; 3], 1.0, 0.0) + &driver("d", "O", "1 + t") + &runs("kinematics", 2.0, 20, "");
        list.add("parallelogram short of its change point", text, EVERY, &[("C.angle", 3.0, EXACT)]);
        let text = four_bar(bars, [0.0; 3], 1.0, 0.0) + &driver("d", "O", "1 + t") + &runs("kinematics", 5.0, 20, "singular = \"pass\"\n");
        list.add("parallelogram through its change point", text, ALL, &[]);
    }
    // Motion from a dead centre: the slider at its end, the crank turned by a driver or a torque.
    for crank in [0.0, PI] {
        let text = slider_crank(0.3, 1.0, [0.0; 3], crank, 0.0) + &driver("d", "O", &format!("{crank} + t")) + &runs("kinematics", 1.0, 10, "");
        list.add(format!("slider-crank from its dead centre at {crank}"), text, EVERY, &[("P.slide", slider(0.3, 1.0, crank + 1.0), EXACT)]);
        let text = WEIGHTLESS.to_string() + &slider_crank(0.3, 1.0, [0.0; 3], crank, 1.0) + &joint_torque("m", "O", "0.2") + &dynamics(0.5, 10);
        list.add(format!("torque at the dead centre {crank}"), text, ALL, &[]);
        let text = WEIGHTLESS.to_string() + &slider_crank(0.3, 1.0, [0.0; 3], crank, 1.0) + &initial(&[("O.angle.rate", 3.0)]) + &dynamics(2.0, 10);
        list.add(format!("spun from the dead centre {crank}"), text, ALL, &[]);
        let text = WEIGHTLESS.to_string() + &slider_crank(0.3, 1.0, [0.0; 3], crank, 1.0) + &dynamics(2.0, 10);
        list.add(format!("left at the dead centre {crank}"), text, ALL, &[("O.angle", crank, 1e-9)]);
    }
    try_all(list);
}

#[test]
fn gears_of_extreme_ratio() {
    let mut list = List::default();
    let wheel = |name: &str, joint: &str, x: f64, i: f64| {
        body(name, 1.0, [0.0; 3], i, [x, 0.0, 0.0], 0.0) + &revolute(joint, "ground", name, [[x, 0.0, 0.0], [0.0; 3]])
    };
    for ratio in [1e6f64, -1e6, 1e-6, 1e3, 1e-3, 1e4, 1e-4] {
        let pair = |i: f64, j: f64| wheel("a", "A", 0.0, i) + &wheel("b", "B", 1.0, j) + &format!("[couplings.g]\ntype = \"gear\"\njoints = [\"A\", \"B\"]\nratio = {ratio:e}\n");
        let slow = if ratio.abs() > 1.0 { 1.0 / ratio } else { 1.0 };
        let text = pair(1.0, 1.0) + &driver("d", "A", &format!("{slow:e}*t")) + &runs("kinematics", 1.0, 10, "");
        list.add(format!("gear of {ratio:e}"), text, ALL, &[("B.angle", slow * ratio, 1e-9 * (slow * ratio).abs().max(1.0))]);
        let text = pair(1.0, 1.0) + &driver("d", "B", "t") + &runs("kinematics", 0.1, 4, "");
        list.add(format!("gear of {ratio:e} driven at its second wheel"), text, RELATIVE, &[("B.angle", 0.1, EXACT)]);
        // A torque on the first wheel: α (I₁ + ratio² I₂) = M.
        let (i, j) = (1.0, if ratio.abs() > 1.0 { 1.0 / (ratio * ratio) } else { 1.0 });
        let torque = slow.abs() * (i + ratio * ratio * j);
        let text = WEIGHTLESS.to_string() + &pair(i, j) + &joint_torque("m", "A", &format!("{torque:e}")) + &dynamics(1.0, 10);
        list.add(format!("gear of {ratio:e} under a torque"), text, ALL, &[("A.angle", 0.5 * slow.abs(), 1e-6 * slow.abs())]);
        let text = GRAVITY.to_string() + &pair(i, j) + &driver("d", "A", &format!("{slow:e}*t^2")) + &runs("inverse-dynamics", 1.0, 10, "");
        list.add(format!("torque into a gear of {ratio:e}"), text, TELLS, &[("d.effort", 2.0 * slow * (i + ratio * ratio * j), 1e-6 * (2.0 * torque))]);
    }
    try_all(list);
}

#[test]
fn far_from_the_origin() {
    let mut list = List::default();
    let far = [[1e6, 0.0, 0.0], [4.5e6, -2.1e6, 350.0], [-3e5, 5e6, 1e6], [1e4, 1e4, 1e4]];
    for (k, o) in far.into_iter().enumerate() {
        let rocker = four_bar_angles(CRANK_ROCKER, 1.5)[1];
        let holds = [("C.angle", rocker, 1e-8), ("crank.x", o[0], 1e-8)];
        let text = four_bar(CRANK_ROCKER, o, 0.5, 0.0) + &driver("d", "O", "0.5 + t") + &runs("kinematics", 1.0, 10, "");
        list.add(format!("four-bar at {o:?}"), text, EVERY, &holds);
        let text = GRAVITY.to_string() + &four_bar(CRANK_ROCKER, o, 0.5, 1.0) + &driver("d", "O", "0.5 + t");
        list.add(format!("four-bar at {o:?}, its forces"), text.clone() + &runs("inverse-dynamics", 1.0, 10, ""), TELLS, &holds);
        list.add(format!("four-bar at {o:?}, at rest"), text.clone() + &runs("statics", 1.0, 10, ""), TELLS, &holds);
        list.add(format!("four-bar at {o:?}, driven under forces"), text + &dynamics(1.0, 10), ALL, &holds);
        let text = GRAVITY.to_string() + &four_bar(CRANK_ROCKER, o, 0.5, 1.0) + &dynamics(1.0, 10);
        list.add(format!("four-bar at {o:?}, falling"), text, ALL, &[]);
        let text = slider_crank(0.3, 1.0, o, 0.5, 0.0) + &driver("d", "O", "0.5 + t") + &runs("kinematics", 1.0, 10, "");
        list.add(format!("slider-crank at {o:?}"), text, ALL, &[("P.slide", slider(0.3, 1.0, 1.5), 1e-8)]);
        // Everything drawn in one far sketch: frames at the origin, points and centres out there.
        let at = |x: f64, y: f64| format!("[{:?}, {:?}, {:?}]", o[0] + x, o[1] + y, o[2]);
        let bodies = format!("[bodies.a]\nmass = 1\ncom = {}\ninertia = [0.1, 0.1, 0.1]\npoints = {{ tip = {} }}\n", at(0.5, 0.0), at(1.0, 0.0));
        let joint = format!("[joints.O]\ntype = \"revolute\"\nbodies = [\"ground\", \"a\"]\nat = {}\naxis = [0, 0, 1]\n", at(0.0, 0.0));
        let turned = driver("d", "O", "t") + &runs("kinematics", 1.0, 10, "");
        let holds = [("a.tip.x", o[0] + 1f64.cos(), 1e-8), ("a.tip.y", o[1] + 1f64.sin(), 1e-8)];
        list.add(format!("far sketch at {o:?}"), format!("{bodies}{joint}{turned}"), ALL, &holds);
        let falls = dynamics(TAU / (G * 0.5 / 0.35).sqrt() / agm(1.0, (0.25 * PI).cos()), 10);
        list.add(format!("falling in a far sketch {k}"), format!("{GRAVITY}{bodies}{joint}{falls}"), ALL, &[("a.tip.x", o[0] + 1.0, 1e-6), ("O.angle", 0.0, 1e-6)]);
    }
    try_all(list);
}

#[test]
fn tiny_and_huge() {
    let mut list = List::default();
    for size in [1e-6, 1e-3, 1e3, 1e6, 1e9] {
        let bars = CRANK_ROCKER.map(|l| l * size);
        let rocker = four_bar_angles(CRANK_ROCKER, 1.5)[1];
        let text = four_bar(bars, [0.0; 3], 0.5, 0.0) + &driver("d", "O", "0.5 + t") + &runs("kinematics", 1.0, 10, "");
        list.add(format!("four-bar of {size:e} m"), text, EVERY, &[("C.angle", rocker, EXACT)]);
        // The period of a pendulum goes with the root of its length.
        let (m, l) = (1.0, size);
        let period = TAU / ((G / (1.1 * l)).sqrt() * agm(1.0, 0.5f64.cos()));
        let text = GRAVITY.to_string() + &arm(m, l, 0.1 * m * l * l) + &initial(&[("O.angle", 1.0)]) + &dynamics(period, 10);
        list.add(format!("pendulum of {size:e} m"), text, ALL, &[("O.angle", 1.0, 1e-4)]);
        let text = format!("gravity = [0, {:e}, 0]\n", -G * size) + &four_bar(bars, [0.0; 3], 0.5, 1.0 / size) + &initial(&[("O.angle.rate", 2.0)]) + &dynamics(1.0, 10);
        list.add(format!("free four-bar of {size:e} m"), text, ALL, &[]);
    }
    for mass in [1e-9, 1e-6, 1e6, 1e9] {
        let period = TAU / ((G / 1.1).sqrt() * agm(1.0, 0.5f64.cos()));
        let text = GRAVITY.to_string() + &arm(mass, 1.0, 0.1 * mass) + &initial(&[("O.angle", 1.0)]) + &dynamics(period, 10);
        list.add(format!("pendulum of {mass:e} kg"), text, ALL, &[("O.angle", 1.0, 1e-4)]);
        let text = GRAVITY.to_string() + &four_bar(CRANK_ROCKER, [0.0; 3], 0.5, mass) + &driver("d", "O", "0.5 + t") + &runs("inverse-dynamics", 1.0, 10, "");
        list.add(format!("forces of a four-bar of {mass:e} kg/m"), text, TELLS, &[]);
        let text = GRAVITY.to_string() + &four_bar(CRANK_ROCKER, [0.0; 3], 0.5, mass) + &dynamics(1.0, 10);
        list.add(format!("four-bar of {mass:e} kg/m falls"), text, ALL, &[]);
    }
    // Masses far apart: the light one hangs on the heavy one, and the other way round.
    for (first, second) in [(1e4, 1e-4), (1e-4, 1e4), (1e8, 1.0), (1.0, 1e8)] {
        let two = body("a", first, [0.0, -0.5, 0.0], 0.1 * first, [0.0; 3], 0.0) + &body("b", second, [0.0, -0.5, 0.0], 0.1 * second, [0.0, -1.0, 0.0], 0.0)
            + &revolute("A", "ground", "a", [[0.0; 3]; 2]) + &revolute("B", "a", "b", [[0.0, -1.0, 0.0], [0.0; 3]]);
        let text = GRAVITY.to_string() + &two + &initial(&[("A.angle", 0.5)]) + &dynamics(1.0, 10);
        list.add(format!("{first:e} kg and {second:e} kg"), text, ALL, &[]);
        let text = GRAVITY.to_string() + &two + &dynamics(100.0, 10);
        list.add(format!("{first:e} kg and {second:e} kg at rest"), text, ALL, &[("B.angle", 0.0, 1e-6)]);
    }
    try_all(list);
}

#[test]
fn redundant_loops_that_nearly_fit() {
    let mut list = List::default();
    for misfit in [1e-14, 1e-12, 1e-10] {
        // A planar four-bar whose coupler pin is tilted out of parallel by that much.
        let tilted = |text: String| text.replacen("[joints.B]\ntype = \"revolute\"\nbodies = [\"coupler\", \"rocker\"]", "[joints.B]\ntype = \"revolute\"\nbodies = [\"coupler\", \"rocker\"]\n#", 1)
            .replace("#\nat = [[3.0, 0.0, 0.0], [2.5, 0.0, 0.0]]\naxis = [[0, 0, 1], [0, 0, 1]]", &format!("at = [[3.0, 0.0, 0.0], [2.5, 0.0, 0.0]]\naxis = [[0, 0, 1], [0, {misfit:e}, 1]]"));
        let rocker = four_bar_angles(CRANK_ROCKER, 1.5)[1];
        let text = tilted(four_bar(CRANK_ROCKER, [0.0; 3], 0.5, 0.0)) + &driver("d", "O", "0.5 + t") + &runs("kinematics", 1.0, 10, "");
        assert!(text.contains(&format!("{misfit:e}, 1")));
        list.add(format!("axis tilted by {misfit:e}"), text, ALL, &[("C.angle", rocker, 1e-8)]);
        let text = GRAVITY.to_string() + &tilted(four_bar(CRANK_ROCKER, [0.0; 3], 0.5, 1.0)) + &driver("d", "O", "0.5 + t");
        list.add(format!("axis tilted by {misfit:e}, its forces"), text.clone() + &runs("inverse-dynamics", 1.0, 10, ""), TELLS, &[("C.angle", rocker, 1e-8)]);
        list.add(format!("axis tilted by {misfit:e}, driven under forces"), text + &dynamics(1.0, 10), ALL, &[("C.angle", rocker, 1e-8)]);
        let text = GRAVITY.to_string() + &tilted(four_bar(CRANK_ROCKER, [0.0; 3], 0.5, 1.0)) + &dynamics(1.0, 10);
        list.add(format!("axis tilted by {misfit:e}, falling"), text, ALL, &[]);
        // A pin drawn that much out of the plane.
        let shifted = |text: String| text.replace("at = [[3.0, 0.0, 0.0], [2.5, 0.0, 0.0]]", &format!("at = [[3.0, 0.0, {misfit:e}], [2.5, 0.0, 0.0]]"));
        let text = shifted(four_bar(CRANK_ROCKER, [0.0; 3], 0.5, 0.0)) + &driver("d", "O", "0.5 + t") + &runs("kinematics", 1.0, 10, "");
        list.add(format!("pin out of plane by {misfit:e} m"), text, ALL, &[("C.angle", rocker, 1e-8)]);
        // A parallelogram with a third crank, whose measured length is off.
        let third = light("third", [1.0, 0.0, 0.0], 1.0) + &revolute("D", "ground", "third", [[1.0, 0.0, 0.0], [0.0; 3]]) + &revolute("E", "coupler", "third", [[1.0, 0.0, 0.0], [1.0 + misfit, 0.0, 0.0]]);
        let text = four_bar([1.0, 2.0, 1.0, 2.0], [0.0; 3], 1.0, 0.0) + &third + &driver("d", "O", "1 + t") + &runs("kinematics", 1.0, 10, "");
        list.add(format!("third crank off by {misfit:e} m"), text, ALL, &[("C.angle", 2.0, 1e-8)]);
    }
    try_all(list);
}

#[test]
fn odd_times_and_parts() {
    let mut list = List::default();
    let rocker = |crank: f64| four_bar_angles(CRANK_ROCKER, crank)[1];
    let bare = four_bar(CRANK_ROCKER, [0.0; 3], 0.5, 0.0);
    let heavy = GRAVITY.to_string() + &four_bar(CRANK_ROCKER, [0.0; 3], 0.5, 1.0);
    // Very slow and very fast.
    for rate in [1e-12, 1e-6, 1e3, 1e6, 1e9] {
        let end = 1.0 / rate;
        let text = bare.clone() + &driver("d", "O", &format!("0.5 + {rate:e}*t")) + &runs("kinematics", end, 10, "");
        list.add(format!("driven at {rate:e} rad/s"), text, EVERY, &[("C.angle", rocker(1.5), EXACT)]);
        let text = heavy.clone() + &driver("d", "O", &format!("0.5 + {rate:e}*t")) + &runs("inverse-dynamics", end, 10, "");
        list.add(format!("forces at {rate:e} rad/s"), text, TELLS, &[("C.angle", rocker(1.5), EXACT)]);
        let text = heavy.clone() + &driver("d", "O", &format!("0.5 + {rate:e}*t")) + &dynamics(end, 10);
        list.add(format!("under forces at {rate:e} rad/s"), text, ALL, &[("C.angle", rocker(1.5), 1e-8)]);
    }
    // Times before zero, none at all, one step, and a clock that has run for long.
    for (start, end, steps) in [(-2.0, -1.0, 10), (-1.0, 1.0, 7), (0.0, 0.0, 10), (5.0, 5.0, 1), (0.0, 1.0, 1), (1e6, 1e6 + 1.0, 10), (0.0, 1e-9, 3)] {
        let drive = driver("d", "O", &format!("0.5 + (t - {start:?})"));
        for (analysis, by) in [("kinematics", EVERY), ("inverse-dynamics", TELLS), ("statics", TELLS), ("dynamics", ALL)] {
            let text = heavy.clone() + &drive + &format!("[run]\nanalysis = \"{analysis}\"\nstart = {start:?}\nend = {end:?}\nsteps = {steps}\n");
            list.add(format!("{analysis} from {start} to {end} in {steps}"), text, by, &[("C.angle", rocker(0.5 + end - start), 1e-8)]);
        }
        let text = heavy.clone() + &format!("[run]\nanalysis = \"dynamics\"\nstart = {start:?}\nend = {end:?}\nsteps = {steps}\n");
        list.add(format!("falling from {start} to {end} in {steps}"), text, ALL, &[]);
    }
    // Two mechanisms in one file, at rest and moving; a body attached to nothing.
    let second = four_bar(CRANK_ROCKER, [9.0, 2.0, 1.0], 0.5, 1.0);
    let second = ["crank", "coupler", "rocker"].iter().fold(second, |text, name| text.replace(name, &format!("{name}2")));
    let second = ["O", "A", "B", "C"].iter().fold(second, |text, name| text.replace(&format!("[joints.{name}]"), &format!("[joints.{name}2]")));
    let two = heavy.clone() + &second;
    let text = two.clone() + &driver("d", "O", "0.5 + t") + &driver("e", "O2", "0.5 - t") + &runs("kinematics", 1.0, 10, "");
    list.add("two mechanisms driven", text, EVERY, &[("C.angle", rocker(1.5), EXACT), ("C2.angle", rocker(-0.5), EXACT)]);
    list.add("two mechanisms falling", two.clone() + &dynamics(1.0, 10), ALL, &[]);
    list.add("two mechanisms, one driven", two + &driver("d", "O", "0.5 + t") + &dynamics(1.0, 10), ALL, &[("C.angle", rocker(1.5), 1e-8)]);
    let stone = body("stone", 1.0, [0.0; 3], 0.1, [50.0, 0.0, 0.0], 0.0);
    let text = heavy.clone() + &stone + &driver("d", "O", "0.5 + t") + &dynamics(1.0, 10);
    list.add("a stone falls beside a mechanism", text, ALL, &[("stone.y", -0.5 * G, 1e-6), ("C.angle", rocker(1.5), 1e-8)]);
    // Idle spins: the rod of an RSSR, in kinematics and under forces.
    let limits = heavy.replacen("bodies = [\"ground\", \"crank\"]", "bodies = [\"ground\", \"crank\"]\nlimits = { lower = 0.5, upper = 4 }", 1);
    list.add("limits at the start", limits.clone() + &driver("d", "O", "0.5 + t") + &runs("kinematics", 1.0, 10, ""), EVERY, &[("C.angle", rocker(1.5), EXACT)]);
    list.add("limits at the start, falling", limits + &dynamics(1.0, 10), ALL, &[]);
    // Springs and dampers whose ends meet.
    let load = |kind: &str, keys: &str| format!("[forces.s]\ntype = \"{kind}\"\nbodies = [\"ground\", \"block\"]\nat = [[0, 0, 0], [0, 0, 0]]\n{keys}\n");
    for (kind, keys, name) in [("spring", "stiffness = 10\nlength = 0", "spring of no length"), ("damper", "damping = 2", "damper of no length"), ("spring-damper", "stiffness = 10\ndamping = 1\nlength = 0", "spring and damper of no length"), ("spring", "stiffness = 10\nlength = 0.3", "spring pressed to nothing")] {
        let text = WEIGHTLESS.to_string() + &block(1.0) + &load(kind, keys) + &dynamics(1.0, 10);
        list.add(format!("{name}, at rest"), text, ALL, &[("P.slide", 0.0, 1e-12)]);
    }
    let text = WEIGHTLESS.to_string() + &block(1.0) + &load("spring", "stiffness = 10\nlength = 0") + &initial(&[("P.slide.rate", 1.0)]) + &dynamics(1.0, 10);
    list.add("through a spring of no length", text, ALL, &[("P.slide", 10f64.sqrt().sin() / 10f64.sqrt(), INTEGRATED)]);
    // Rates given on several joints.
    let text = GRAVITY.to_string() + &chain(4, -0.5 * PI) + &initial(&[("j0.angle.rate", 1.0), ("j1.angle.rate", -2.0), ("j2.angle.rate", 0.5), ("j3.angle.rate", 3.0)]) + &dynamics(1.0, 10);
    list.add("rates on four joints", text, ALL, &[]);
    let text = WEIGHTLESS.to_string() + &body("a", 1.0, [0.0; 3], 0.1, [0.0; 3], 0.0) + &initial(&[("a.vx", 1.0), ("a.vy", 2.0), ("a.wz", 3.0)]) + &dynamics(1.0, 10);
    list.add("all rates of a free body", text, ALL, &[("a.x", 1.0, 1e-9), ("a.y", 2.0, 1e-9)]);
    try_all(list);
}
