//! Joint friction against closed forms, in every formulation that integrates.

use biela_base::source::Source;
use biela_core::model::{Analysis, Model};
use biela_core::solve::{forward, kinematics, newton};
use biela_results::Results;
use biela_text::{Document, Options};
use std::f64::consts::{PI, TAU};

/// What closed forms are met by: runs have a tolerance of 1e-12, and a few hundred steps.
const CLOSED: f64 = 1e-9;
/// Formulas of statics and of prescribed motions are each good to a few roundings.
const EXACT: f64 = 1e-12;
/// A joint that is stuck is as far off as one solution of its row is: roundings of a metre or a radian.
const STILL: f64 = 1e-14;

fn model(text: &str) -> Model {
    let options = Options::default();
    let document = Document::from_toml(&Source::new("m.toml", text)).and_then(|d| d.compile(&options));
    document.unwrap_or_else(|e| panic!("{e}")).0
}

fn run(text: &str, formulation: &str) -> Results {
    let model = model(text);
    let found = match model.study.analysis {
        Analysis::Dynamics => forward::run(&model, formulation, |_, _| true),
        _ => kinematics::follow(&model, formulation, newton::METHODS[0], &mut |_, _| true).map(|o| o.results),
    };
    found.unwrap_or_else(|e| panic!("{formulation}: {e}"))
}

fn column<'r>(results: &'r Results, name: &str) -> &'r [f64] {
    &results.columns.iter().find(|c| c.name == name).unwrap_or_else(|| panic!("no {name}")).data
}

/// Times of events whose text ends so.
fn events(results: &Results, what: &str) -> Vec<f64> {
    let told = results.notes.iter().filter(|(key, text)| key == "event" && text.contains(what));
    told.map(|(_, text)| text.rsplit("t = ").next().and_then(|t| t.strip_suffix(" s")).unwrap().parse().unwrap())
        .collect()
}

fn near(found: f64, wanted: f64, tolerance: f64, what: &str) {
    let off = (found - wanted).abs() / wanted.abs().max(1.0);
    assert!(off <= tolerance, "{what}: {found} where {wanted} is due, off by {off:e}");
}

const ALL: [&str; 3] = ["absolute", "relative", "natural"];

fn block(push: &str, end: f64) -> String {
    format!(
        r#"
planar = true
gravity = [0, -9.81]
[bodies.block]
mass = 2
inertia = 0.01
[joints.guide]
type = "prismatic"
bodies = ["ground", "block"]
at = [0, 0]
axis = ["cos(20 deg)", "sin(20 deg)"]
friction = {{ coefficient = 0.3, static = 0.5 }}
[forces.push]
type = "joint-torque"
joint = "guide"
value = "{push}"
[run]
analysis = "dynamics"
end = {end}
steps = 20
tolerance = 1e-12
"#
    )
}

/// A block on an incline holds, is pushed over its bound, slides, and sticks again when the push is gone.
#[test]
fn a_block_sticks_slips_and_sticks() {
    let (m, mu, mu_s) = (2.0, 0.3, 0.5);
    let (sin, cos) = (20f64.to_radians().sin(), 20f64.to_radians().cos());
    let (weight, normal) = (m * 9.81 * sin, m * 9.81 * cos);
    // The push grows by 20 N/s, and ends at 1 s.
    let slip = (weight + mu_s * normal) / 20.0;
    let at = |t: f64| {
        let x = |t: f64| {
            (20.0 * (t * t * t - slip * slip * slip) / 6.0 - (weight + mu * normal) * (t * t - slip * slip) / 2.0) / m
        };
        let rate = |t: f64| (10.0 * (t * t - slip * slip) - (weight + mu * normal) * (t - slip)) / m;
        // x(t) = ∫ rate, with rate(slip) = 0.
        let slope_at_slip = (10.0 * slip * slip - (weight + mu * normal) * slip) / m;
        let risen = |t: f64| x(t) - slope_at_slip * (t - slip);
        let brake = 9.81 * (sin + mu * cos);
        let stop = 1.0 + rate(1.0) / brake;
        match t {
            t if t <= slip => 0.0,
            t if t <= 1.0 => risen(t),
            t => {
                let s = t.min(stop) - 1.0;
                risen(1.0) + rate(1.0) * s - brake * s * s / 2.0
            }
        }
    };
    for formulation in ALL {
        let results = run(&block("if(t < 1, 20 N/s*t, 0 N)", 2.0), formulation);
        for (t, x) in column(&results, "t").iter().zip(column(&results, "guide.slide")) {
            near(*x, at(*t), CLOSED, &format!("{formulation}: slide at {t}"));
        }
        near(events(&results, "slips")[0], slip, CLOSED, "slip");
        assert_eq!(events(&results, "sticks").len(), 1);
        let stuck = column(&results, "guide.stuck");
        assert_eq!((stuck[0], stuck[10], stuck[20]), (1.0, 0.0, 1.0), "{formulation}");
        near(column(&results, "guide.friction")[20], weight, CLOSED, "what is held");
        let drift = column(&results, "energy.drift");
        assert!(drift.iter().all(|d| d.abs() < CLOSED), "{formulation}: {drift:?}");
        let work = column(&results, "energy.total");
        assert!(work.last() <= work.iter().max_by(|a, b| a.total_cmp(b)), "{formulation}");
    }
}

fn screw(mu: f64, run: &str) -> String {
    format!(
        r#"
gravity = [0, 0, -9.81]
[bodies.nut]
mass = 100
inertia = [1, 1, 0.02]
[joints.screw]
type = "screw"
bodies = ["ground", "nut"]
at = [0, 0, 0]
axis = [0, 0, 1]
pitch = "5 mm"
friction = {{ coefficient = {mu}, radius = "10 mm" }}
{run}
"#
    )
}

/// A screw locks itself where its lead angle is less than the angle of friction: for 1e6 s, without a drift.
#[test]
fn a_screw_locks_itself_for_ever() {
    let slope = 0.005 / (TAU * 0.01);
    for formulation in ALL {
        let text = screw(1.001 * slope, "[run]\nanalysis = \"dynamics\"\nend = 1e6\nsteps = 4");
        let results = run(&text, formulation);
        for x in column(&results, "screw.angle") {
            assert!(x.abs() < STILL, "{formulation}: {x:e}");
        }
        assert!(column(&results, "screw.stuck").iter().all(|s| *s == 1.0));
        // Less friction lets it run down: I φ̈ + m p² φ̈ = −m g p + Q, with Q of the thread's reaction m (g + p φ̈).
        let mu = 0.5 * slope;
        let results =
            run(&screw(mu, "[run]\nanalysis = \"dynamics\"\nend = 1\nsteps = 4\ntolerance = 1e-12"), formulation);
        let p = 0.005 / TAU;
        let q = mu * 0.01 * (1.0 + slope * slope) / (1.0 + mu * slope);
        let a = 100.0 * 9.81 * (q - p) / (0.02 + 100.0 * p * p - 100.0 * p * q);
        near(column(&results, "screw.angle")[4], a / 2.0, CLOSED, formulation);
    }
}

/// The square thread of the textbooks: W r tan(α ± φ), and its efficiency.
#[test]
fn raising_and_lowering_by_a_screw() {
    let (mu, r, load) = (0.15f64, 0.01, 981.0);
    let slope = 0.005 / (TAU * r);
    let (alpha, phi) = (slope.atan(), mu.atan());
    let driver = |value: &str, rest: &str| {
        screw(
            mu,
            &format!("[drivers.motor]\njoint = \"screw\"\nvalue = \"{value}\"\n[run]\nend = 1\nsteps = 2\n{rest}"),
        )
    };
    let [up, down] = [(alpha + phi).tan(), (alpha - phi).tan()];
    for formulation in ["absolute", "relative"] {
        for (value, effort, efficiency) in [("3*t", up, slope / up), ("-3*t", down, down / slope)] {
            let text = driver(value, "analysis = \"inverse-dynamics\"\n[signals]\neta = \"motor.efficiency\"");
            let results = run(&text, formulation);
            near(column(&results, "motor.effort")[1], load * r * effort, EXACT, value);
            near(column(&results, "eta")[1], efficiency, EXACT, value);
        }
        let text =
            driver("3*t", "analysis = \"statics\"\n[signals]\nlow = \"motor.hold.lower\"\nhigh = \"motor.hold.upper\"");
        let results = run(&text, formulation);
        near(column(&results, "low")[0], load * r * down, EXACT, "low");
        near(column(&results, "high")[0], load * r * up, EXACT, "high");
    }
}

/// A mass on a belt, held by a spring: the limit cycle of sticking and slipping.
#[test]
fn stick_slip_on_a_belt() {
    let text = r#"
planar = true
gravity = [0, -9.81]
[bodies.belt]
mass = 1
inertia = 1
[bodies.block]
mass = 1
inertia = 0.01
[joints.drive]
type = "prismatic"
bodies = ["ground", "belt"]
at = [[0, 0], [0, 0]]
axis = [1, 0]
[joints.rub]
type = "prismatic"
bodies = ["belt", "block"]
at = [[0, 0], [0, 0]]
axis = [1, 0]
friction = { coefficient = 0.3, static = 0.5 }
[drivers.belt]
joint = "drive"
value = "0.1*t"
[forces.spring]
type = "spring"
bodies = ["ground", "block"]
at = [[-2, 0], [0, 0]]
stiffness = 100
length = 2
[run]
analysis = "dynamics"
end = 4
steps = 20
tolerance = 1e-12
"#;
    let (v, omega, load): (f64, f64, f64) = (0.1, 10.0, 9.81 / 100.0);
    let amplitude = (0.5 - 0.3) * load;
    let first = 0.5 * load / v;
    let slip = 2.0 / omega * (PI - (amplitude * omega / v).atan());
    let stick = 2.0 * amplitude / v;
    for formulation in ALL {
        let results = run(text, formulation);
        let (slips, sticks) = (events(&results, "slips"), events(&results, "sticks"));
        assert_eq!((slips.len(), sticks.len()), (5, 4), "{formulation}");
        for k in 0..4 {
            let begins = first + k as f64 * (slip + stick);
            near(slips[k], begins, CLOSED, "slip");
            near(sticks[k], begins + slip, CLOSED, "stick");
        }
    }
}

fn drawer(mu: f64) -> String {
    format!(
        r#"
planar = true
gravity = [0, 0]
[bodies.drawer]
mass = 3
inertia = 0.1
points = {{ L = [-0.2, 0], R = [0.2, 0], H = [0.3, 0.8] }}
[joints.left]
type = "point-on-line"
bodies = ["ground", "drawer"]
at = [[0, 0], "L"]
axis = [[1, 0], [1, 0]]
friction = {{ coefficient = {mu} }}
[joints.right]
type = "point-on-line"
bodies = ["ground", "drawer"]
at = [[0, 0], "R"]
axis = [[1, 0], [1, 0]]
friction = {{ coefficient = {mu} }}
[forces.pull]
type = "force"
body = "drawer"
at = "H"
value = ["10 N/s*(t + 1 s)", 0]
[run]
analysis = "dynamics"
end = 2
steps = 4
tolerance = 1e-12
"#
    )
}

/// A drawer pulled beside its guides jams where 2 μ h ≥ b, however hard it is pulled, and slides where not: two joints of one freedom share what is held.
#[test]
fn a_drawer_jams() {
    for formulation in ALL {
        // Each guide bears F h/b = 2 F across, so that friction is 4 μ F.
        let results = run(&drawer(0.26), formulation);
        let slide = column(&results, "left.slide");
        assert!(slide.iter().all(|x| (x - slide[0]).abs() < STILL), "{formulation}: {slide:?}");
        near(column(&results, "left.friction")[4] + column(&results, "right.friction")[4], -30.0, CLOSED, formulation);
        let results = run(&drawer(0.1), formulation);
        // 3 ẍ = 0.6 · 10 (t + 1)
        let x = |t: f64| 2.0 * (t * t * t / 6.0 + t * t / 2.0) - 0.2;
        for (t, slide) in column(&results, "t").iter().zip(column(&results, "left.slide")) {
            near(*slide, x(*t), CLOSED, formulation);
        }
    }
}

/// A slider-crank moved steadily: friction at the piston follows from the rod's own force, N = F tan β, which it presses itself.
#[test]
fn a_slider_crank_bears_its_own_friction() {
    let text = r#"
planar = true
gravity = [0, 0]
[bodies.crank]
points = { A = [0, 0], B = [1, 0] }
pose = { angle = "40 deg" }
[bodies.rod]
points = { B = [0, 0], C = [3, 0] }
pose = { at = [0.766, 0.643], angle = "-12 deg" }
[bodies.piston]
points = { C = [0, 0] }
pose = { at = [3.7, 0] }
[joints.A]
type = "revolute"
bodies = ["ground", "crank"]
at = [[0, 0], "A"]
[joints.B]
type = "revolute"
bodies = ["crank", "rod"]
at = ["B", "B"]
[joints.C]
type = "revolute"
bodies = ["rod", "piston"]
at = ["C", "C"]
[joints.guide]
type = "prismatic"
bodies = ["ground", "piston"]
at = [[0, 0], "C"]
axis = [1, 0]
friction = { coefficient = 0.4 }
[forces.gas]
type = "force"
body = "piston"
at = "C"
value = [-1000, 0]
[drivers.motor]
joint = "A"
value = "40 deg + t"
[run]
analysis = "inverse-dynamics"
end = 6
steps = 30
"#;
    for formulation in ["absolute", "relative"] {
        let results = run(text, formulation);
        let angle = column(&results, "A.angle");
        for (k, a) in angle.iter().enumerate() {
            let beta = (a.sin() / 3.0).asin();
            let rate = -a.sin() - a.cos() * beta.tan();
            // Along the guide S cos β + f = 1000, with the rod's thrust S and f = −sign(rate) μ |S sin β|.
            let s = 1000.0 / (beta.cos() - rate.signum() * 0.4 * beta.sin().abs());
            let torque = -s * (a + beta).sin();
            near(column(&results, "motor.effort")[k], torque, CLOSED, &format!("{formulation} at {a}"));
        }
    }
}

/// What presses a collar in a loop of parallel axes is not unique: the run says whose friction needs it, and how to go on.
#[test]
fn friction_of_a_reaction_that_is_not_unique_is_refused() {
    let text = |collar: &str| {
        format!(
            r#"
gravity = [0, -9.81, 0]
[bodies.crank]
mass = 1
com = [0.5, 0, 0]
inertia = [0.01, 0.1, 0.1]
pose = {{ angle = "60 deg", axis = [0, 0, 1] }}
[bodies.rod]
mass = 2
com = [1, 0, 0]
inertia = [0.01, 0.2, 0.2]
pose = {{ at = [0.5, 0.866, 0], angle = "10 deg", axis = [0, 0, 1] }}
[bodies.rocker]
mass = 1.5
com = [0.75, 0, 0]
inertia = [0.01, 0.2, 0.2]
pose = {{ at = [2, 0, 0], angle = "75 deg", axis = [0, 0, 1] }}
[joints.A]
type = "revolute"
bodies = ["ground", "crank"]
at = [[0, 0, 0], [0, 0, 0]]
axis = [0, 0, 1]
friction = {{ coefficient = 0.2, radius = 0.05{collar} }}
[joints.B]
type = "revolute"
bodies = ["crank", "rod"]
at = [[1, 0, 0], [0, 0, 0]]
axis = [0, 0, 1]
[joints.C]
type = "revolute"
bodies = ["rod", "rocker"]
at = [[2, 0, 0], [1.5, 0, 0]]
axis = [0, 0, 1]
[joints.D]
type = "revolute"
bodies = ["ground", "rocker"]
at = [[2, 0, 0], [0, 0, 0]]
axis = [0, 0, 1]
[run]
analysis = "dynamics"
end = 0.2
steps = 2
tolerance = 1e-11
"#
        )
    };
    let angles: Vec<f64> = ALL.iter().map(|f| column(&run(&text(""), f), "A.angle")[2]).collect();
    angles.iter().for_each(|a| near(*a, angles[0], CLOSED, "formulations"));
    for formulation in ALL {
        let error = forward::run(&model(&text(", collar = 0.1")), formulation, |_, _| true).unwrap_err().to_string();
        assert!(
            error.contains("joint 'A'") && error.contains("not unique") && error.contains("free a constraint"),
            "{error}"
        );
    }
}
