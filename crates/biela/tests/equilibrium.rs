//! Positions of equilibrium against closed forms.

mod common;
#[path = "common/sizes.rs"]
mod sizes;

use biela::results::Results;
use biela::solve::{newton::METHODS, run};
use common::cases::*;
use common::forward::last;
use common::record::{held, CLOSED};

/// Where forces balance to 1e-12 of the largest, positions are good to that over their stiffness.
const EXACT: f64 = 1e-10;
const G: f64 = 9.81;

fn rest(text: &str) -> [Results; 2] {
    let model = parse(text);
    ["absolute", "relative"]
        .map(|f| run::run(&model, f, METHODS[0], |_, _| true).unwrap_or_else(|e| panic!("{f}: {e}\n{text}")))
}

fn note<'r>(results: &'r Results, key: &str) -> &'r str {
    results.note(key).unwrap_or_default()
}

fn near(found: f64, wanted: f64, what: &str) {
    let off = (found - wanted).abs() / wanted.abs().max(1.0);
    held(CLOSED, "position and forces at rest", EXACT, off, format_args!("{what}: {found} where {wanted} is due"));
}

/// A pendulum along x in the drawing, turned by `angle`, with whatever else.
fn pendulum(angle: &str, more: &str) -> String {
    format!(
        r#"
gravity = [0, -9.81, 0]
[bodies.bob]
mass = 2
com = [0.5, 0, 0]
inertia = [0.1, 0.3, 0.3]
points = {{ tip = [1, 0, 0] }}
pose = {{ angle = "{angle}", axis = [0, 0, 1] }}
[joints.O]
type = "revolute"
bodies = ["ground", "bob"]
at = [[0, 0, 0], [0, 0, 0]]
axis = [0, 0, 1]
{more}
[run]
analysis = "statics"
"#
    )
}

#[test]
fn a_pendulum_hangs() {
    for angle in ["0", "60 deg", "100 deg", "-80 deg", "-170 deg"] {
        for results in rest(&pendulum(angle, "")) {
            assert_eq!(results.len(), 1);
            near(last(&results, "bob.tip.y"), -1.0, angle);
            near(last(&results, "O.fy"), 2.0 * G, angle);
            assert_eq!(note(&results, "equilibrium"), "stable");
            assert!(last(&results, "residual") <= RESIDUAL);
            assert!(last(&results, "bob.wz") == 0.0 && last(&results, "bob.alz") == 0.0);
        }
    }
}

#[test]
fn it_falls_from_the_summit() {
    for results in rest(&pendulum("90 deg", "")) {
        near(last(&results, "bob.tip.y"), -1.0, "from above");
        assert_eq!(note(&results, "equilibrium"), "stable");
    }
}

/// k q = −m g l cos q for the angle from x, by bisection; the spring is stiff enough for one solution.
#[test]
fn a_torsion_spring_holds_it_up() {
    let k = 25.0;
    let (mut low, mut high) = (-1.5f64, 0.0f64);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if k * middle + 2.0 * G * 0.5 * middle.cos() > 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    let spring = format!("[forces.spring]\ntype = \"joint-spring\"\njoint = \"O\"\nstiffness = {k}\n");
    for angle in ["0", "-70 deg", "150 deg"] {
        for results in rest(&pendulum(angle, &spring)) {
            near(last(&results, "O.angle"), low, angle);
            // The spring is no part of the reaction.
            near(last(&results, "O.mz"), 0.0, "moment");
        }
    }
}

#[test]
fn a_mass_stretches_its_spring() {
    let text = r#"
gravity = [0, 0, -9.81]
[bodies.mass]
mass = 3
inertia = [0.1, 0.1, 0.1]
pose = { at = [0, 0, -0.4] }
[joints.guide]
type = "prismatic"
bodies = ["ground", "mass"]
at = [0, 0, -0.4]
axis = [0, 0, -1]
[forces.spring]
type = "spring"
bodies = ["ground", "mass"]
at = [[0, 0, 0], [0, 0, 0]]
stiffness = 200
length = 0.3
[run]
analysis = "statics"
"#;
    for results in rest(text) {
        near(last(&results, "mass.z"), -0.3 - 3.0 * G / 200.0, "stretch");
    }
}

/// Two bars of length 1 with a spring between their feet, the right one sliding: q from the horizontal,
/// V = m g sin q (two bars of mass m, centres at half height) + ½ k (2 cos q − l₀)².
#[test]
fn two_bars_spread_against_a_spring() {
    let (m, k, free) = (4.0, 60.0, 0.8);
    let text = format!(
        r#"
gravity = [0, -9.81, 0]
[bodies.left]
mass = {m}
com = [0.5, 0, 0]
inertia = [0.01, 0.33, 0.33]
pose = {{ angle = "60 deg", axis = [0, 0, 1] }}
[bodies.right]
mass = {m}
com = [0.5, 0, 0]
inertia = [0.01, 0.33, 0.33]
pose = {{ at = [0.5, 0.87, 0], angle = "-60 deg", axis = [0, 0, 1] }}
[bodies.foot]
pose = {{ at = [1, 0, 0] }}
[joints.A]
type = "revolute"
bodies = ["ground", "left"]
at = [[0, 0, 0], [0, 0, 0]]
axis = [0, 0, 1]
[joints.B]
type = "revolute"
bodies = ["left", "right"]
at = [[1, 0, 0], [0, 0, 0]]
axis = [0, 0, 1]
[joints.C]
type = "revolute"
bodies = ["right", "foot"]
at = [[1, 0, 0], [0, 0, 0]]
axis = [0, 0, 1]
[joints.guide]
type = "prismatic"
bodies = ["ground", "foot"]
at = [[0, 0, 0], [0, 0, 0]]
axis = [1, 0, 0]
[forces.spring]
type = "spring"
bodies = ["ground", "foot"]
at = [[0, 0, 0], [0, 0, 0]]
stiffness = {k}
length = {free}
[run]
analysis = "statics"
"#
    );
    let slope = |q: f64| m * G * q.cos() - 2.0 * k * (2.0 * q.cos() - free) * q.sin();
    // V turns from falling to rising between these.
    let (mut low, mut high) = (0.6f64, 1.2f64);
    assert!(slope(low) < 0.0 && slope(high) > 0.0);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if slope(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    for results in rest(&text) {
        let q = last(&results, "A.angle");
        near(q, low, "angle");
        near(last(&results, "guide.fy"), m * G, "half the weight");
        near(last(&results, "A.fy"), m * G, "half the weight");
        near(last(&results, "B.fx"), k * (2.0 * q.cos() - free), "the spring's pull");
    }
}

#[test]
fn a_balanced_lever_rests_anywhere() {
    let lever = pendulum("20 deg", "").replace("com = [0.5, 0, 0]", "com = [0, 0, 0]");
    for results in rest(&lever) {
        assert_eq!(note(&results, "equilibrium"), "indifferent");
        near(last(&results, "O.angle"), 20f64.to_radians(), "as drawn");
        near(last(&results, "O.fy"), 2.0 * G, "weight");
    }
}

/// A double pendulum with a force at its end: each bar points along the resultant that it carries.
#[test]
fn a_double_pendulum_leans_with_the_wind() {
    let text = r#"
gravity = [0, -9.81, 0]
[bodies.upper]
mass = 2
com = [0.5, 0, 0]
inertia = [0.01, 0.2, 0.2]
[bodies.lower]
mass = 1
com = [0.4, 0, 0]
inertia = [0.01, 0.1, 0.1]
pose = { at = [1, 0, 0] }
points = { tip = [0.8, 0, 0] }
[joints.O]
type = "revolute"
bodies = ["ground", "upper"]
at = [[0, 0, 0], [0, 0, 0]]
axis = [0, 0, 1]
[joints.E]
type = "revolute"
bodies = ["upper", "lower"]
at = [[1, 0, 0], [0, 0, 0]]
axis = [0, 0, 1]
[forces.wind]
type = "force"
body = "lower"
at = "tip"
value = ["4 + t", 0, 0]
[run]
analysis = "statics"
end = 3
steps = 6
"#;
    for results in rest(text) {
        assert_eq!(results.len(), 7);
        for (k, t) in results.times().iter().enumerate() {
            let wind = 4.0 + t;
            // From the vertical: tan = horizontal over vertical force at the bar's end, half its own weight included.
            let upper = (wind / (0.5 * 2.0 * G + G)).atan();
            let lower = (wind / (0.5 * G)).atan();
            let half_turn = std::f64::consts::FRAC_PI_2;
            near(column(&results, "O.angle")[k], upper - half_turn, "upper");
            near(column(&results, "E.angle")[k], lower - upper, "lower");
            near(column(&results, "O.fx")[k], -wind, "support");
        }
    }
}

/// A driver holds one freedom, the loads settle the other; the driver's effort is what holds.
#[test]
fn drivers_hold_what_they_drive() {
    let text = pendulum("0", "")
        .replace("bodies = [\"ground\", \"bob\"]", "bodies = [\"cart\", \"bob\"]")
        .replace("[joints.O]", "[bodies.cart]\nmass = 1\ninertia = [1, 1, 1]\n[joints.rail]\ntype = \"prismatic\"\nbodies = [\"ground\", \"cart\"]\nat = [[0, 0, 0], [0, 0, 0]]\naxis = [1, 0, 0]\n[drivers.hold]\njoint = \"rail\"\nvalue = \"0.3 + t\"\n[forces.pull]\ntype = \"force\"\nbody = \"bob\"\nat = \"tip\"\nvalue = [5, 0, 0]\n[joints.O]")
        .replace("analysis = \"statics\"", "analysis = \"statics\"\nend = 1\nsteps = 4");
    for results in rest(&text) {
        for (k, t) in results.times().iter().enumerate() {
            near(column(&results, "cart.x")[k], 0.3 + t, "cart");
            near(column(&results, "hold.effort")[k], -5.0, "effort");
            let q = column(&results, "O.angle")[k];
            near(q.tan() * 5.0, -G, "angle");
        }
    }
}

#[test]
fn what_has_no_rest_is_an_error() {
    let text = r#"
gravity = [0, 0, -9.81]
[bodies.stone]
mass = 3
inertia = [0.1, 0.1, 0.1]
[joints.shaft]
type = "prismatic"
bodies = ["ground", "stone"]
at = [0, 0, 0]
axis = [0, 0, 1]
[run]
analysis = "statics"
"#;
    let error = run::run(&parse(text), "absolute", METHODS[0], |_, _| true).unwrap_err().to_string();
    assert!(error.contains("no equilibrium") && error.contains("shaft.slide"), "{error}");
}

/// Loops with redundant constraints settle as well: the four-bar's potential has a minimum where its torque vanishes.
#[test]
fn an_undriven_four_bar_settles_where_no_torque_is_needed() {
    let text = text("four-bar");
    let start = text.find("[drivers.motor]").unwrap();
    let free = format!("{}[run]\nanalysis = \"statics\"\n", &text[..start]);
    let [absolute, relative] = rest(&free);
    near(last(&absolute, "A.angle"), last(&relative, "A.angle"), "formulations");
    let angle = last(&absolute, "A.angle");
    let held =
        format!("{}[drivers.motor]\njoint = \"A\"\nvalue = {angle}\n[run]\nanalysis = \"statics\"\n", &text[..start])
            .replace("alpha   = \"60 deg\"", &format!("alpha   = {angle}"));
    let [held, _] = rest(&held);
    assert!(last(&held, "motor.effort").abs() < 1e-7, "{}", last(&held, "motor.effort"));
    for name in ["A.fx", "A.fy", "P1.fx", "P2.fy", "B.fx", "B.fy"] {
        near(last(&held, name), last(&absolute, name), name);
    }
}

/// A pendulum that would fall below its limit rests on it: the limit carries m g l cos of that angle.
#[test]
fn limits_hold_what_presses_on_them() {
    let text = |limits: &str| {
        format!(
            r#"
gravity = [0, -9.81, 0]
[bodies.bob]
mass = 2
com = [0.5, 0, 0]
inertia = [0.01, 0.01, 0.01]
[bodies.tip]
mass = 1
com = [0.3, 0, 0]
inertia = [0.01, 0.01, 0.01]
pose = {{ at = [1, 0, 0] }}
[joints.O]
type = "revolute"
bodies = ["ground", "bob"]
at = [[0, 0, 0], [0, 0, 0]]
axis = [[0, 0, 1], [0, 0, 1]]
limits = {{ {limits} }}
[joints.A]
type = "revolute"
bodies = ["bob", "tip"]
at = [[1, 0, 0], [0, 0, 0]]
axis = [[0, 0, 1], [0, 0, 1]]
[run]
analysis = "statics"
"#
        )
    };
    let angle = -0.5f64;
    for results in rest(&text("lower = -0.5, upper = 2")) {
        near(last(&results, "O.angle"), angle, "the limit");
        // The tip hangs straight down from the end of the bob.
        near(last(&results, "A.angle"), -std::f64::consts::FRAC_PI_2 - angle, "the tip");
        near(last(&results, "O.limit.effort"), G * (2.0 * 0.5 + 1.0) * angle.cos(), "what the limit carries");
        assert!(note(&results, "event").contains("lower limit -0.5"), "{}", note(&results, "event"));
    }
    // A limit that is not pressed on does not hold.
    for results in rest(&text("lower = -2, upper = 2")) {
        near(last(&results, "O.angle"), -std::f64::consts::FRAC_PI_2, "free");
    }
    let modes = parse(&text("lower = -0.5, upper = 2").replace("statics", "modes"));
    let error = biela::solve::vibration::linearise(&modes, "absolute").unwrap_err().to_string();
    assert!(error.contains("beyond the lower limit") || error.contains("no equilibrium"), "{error}");
}

/// Each spring bears the moment of all weights beyond it: links of 0.1 m and 1 kg, as many as are searched for without a full stiffness.
#[test]
fn the_springs_of_a_long_chain_bear_what_lies_beyond() {
    const COUNT: usize = 40;
    let text = sizes::springs(COUNT).replace("[run]", "[run]\nanalysis = \"statics\"");
    let stiffness = (2 * COUNT.pow(3)) as f64;
    for results in rest(&text) {
        assert_eq!(note(&results, "equilibrium"), "stable");
        let angle: Vec<f64> = (0..COUNT).map(|k| last(&results, &format!("j{k}.angle"))).collect();
        let mut turn = 0.0;
        let (mut x, mut y) = (0.0, 0.0);
        let mut places = Vec::new();
        for (k, angle) in angle.iter().enumerate() {
            near(last(&results, &format!("l{k}.y")), y, "the chain hangs together");
            turn += angle;
            let (sine, cosine) = f64::sin_cos(turn);
            places.push((x, x + 0.05 * cosine));
            (x, y) = (x + 0.1 * cosine, y + 0.1 * sine);
        }
        assert!(y < -0.02, "it bends by some degrees: {y}");
        for (k, angle) in angle.iter().enumerate() {
            let moment: f64 = places[k..].iter().map(|(_, centre)| -G * (centre - places[k].0)).sum();
            near(stiffness * angle, moment, &format!("spring {k}"));
        }
    }
}

/// A chain without springs comes down from where it stood upright and hangs.
#[test]
fn a_long_chain_hangs_from_its_first_joint() {
    const COUNT: usize = 32;
    let text = chain_without_springs(COUNT, "90 deg");
    for results in rest(&text) {
        assert_eq!(note(&results, "equilibrium"), "stable");
        near(last(&results, &format!("l{}.y", COUNT - 1)), -0.1 * (COUNT - 1) as f64, "it hangs");
        near(last(&results, "j0.fy"), COUNT as f64 * G, "the first joint bears all");
    }
}

/// Links of 0.1 m in one line from the origin, so turned.
fn chain_without_springs(count: usize, angle: &str) -> String {
    let mut text = String::from("gravity = [0, -9.81, 0]\n");
    for k in 0..count {
        let (first, at) = if k == 0 { ("ground".into(), "[0, 0, 0]") } else { (format!("l{}", k - 1), "[0.1, 0, 0]") };
        let along = 0.1 * k as f64;
        text += &format!(
            "[bodies.l{k}]\nmass = 1\ncom = [0.05, 0, 0]\ninertia = [0.001, 0.001, 0.001]\n\
             pose = {{ at = [\"{along} * cos({angle})\", \"{along} * sin({angle})\", 0], angle = \"{angle}\", axis = [0, 0, 1] }}\n\
             [joints.j{k}]\ntype = \"revolute\"\nbodies = [\"{first}\", \"l{k}\"]\nat = [{at}, [0, 0, 0]]\naxis = [0, 0, 1]\n"
        );
    }
    text + "[run]\nanalysis = \"statics\"\n"
}
