//! Bushings and clearances against closed forms.

mod common;

use biela::model::Model;
use biela::results::Results;
use biela::solve::{newton::METHODS, run};
use biela::source::Source;
use biela::text::{Document, Options};
use common::forward::{last, run as integrate};
use common::{column, parse};

/// Where forces balance to 1e-12 of the largest, positions are good to that over their stiffness.
const EXACT: f64 = 1e-10;
/// Places at rest are found to 1e-12 m: in millimetres, with a few roundings.
const PLACED: f64 = 1e-8;
/// Runs have a tolerance of 1e-11, and a few hundred steps.
const INTEGRATED: f64 = 1e-8;
/// Error of central differences of the accelerations.
const DIFFERENCES: f64 = 1e-6;
const FORMULATIONS: [&str; 3] = ["absolute", "relative", "natural"];

fn solve(model: &Model, formulation: &str) -> Results {
    run::run(model, formulation, METHODS[0], |_, _| true).unwrap_or_else(|e| panic!("{formulation}: {e}"))
}

fn near(found: f64, wanted: f64, tolerance: f64, what: &str) {
    let off = (found - wanted).abs() / wanted.abs().max(1.0);
    assert!(off <= tolerance, "{what}: {found} where {wanted} is due, off by {off:e}");
}

/// A block of 2 kg on a bushing at its mass centre, in axes that are not the ground's.
fn block(bushing: &str, run: &str) -> String {
    format!(
        r#"
gravity = [0, 0, -9.81]
[bodies.block]
mass = 2
inertia = [0.02, 0.03, 0.04]
pose = {{ at = [0.1, 0.2, 0.3] }}
[joints.mount]
type = "bushing"
bodies = ["ground", "block"]
at = [0.1, 0.2, 0.3]
{bushing}
{run}
"#
    )
}

const STATICS: &str = "[run]\nanalysis = \"statics\"";

/// Weight over stiffness, turned into the axes of the bushing; a preload of the weight takes the sag away.
#[test]
fn a_block_sags_by_its_weight_over_the_stiffness() {
    let (weight, k) = (2.0 * 9.81, [4000.0, 5000.0, 8000.0]);
    // x of the bushing lies along (0, 0.6, 0.8), z along the ground's x: gravity is −0.8 along x and −0.6 along y.
    let axes = "axis = [1, 0, 0]\nx = [0, 0.6, 0.8]";
    let springs = "stiffness = [4000, \"5 N/mm\", 8000, 10, 10, 10]";
    for formulation in ["absolute", "relative"] {
        let text = block(&format!("{axes}\n{springs}"), STATICS);
        let found = solve(&parse(&text), formulation);
        let due = [-0.8 * weight / k[0], -0.6 * weight / k[1], 0.0];
        for (name, due) in ["x", "y", "z"].into_iter().zip(due) {
            near(last(&found, &format!("mount.{name}")), due, EXACT, name);
        }
        near(last(&found, "mount.fz"), weight, EXACT, "what carries the weight");
        near(last(&found, "mount.fy"), 0.0, EXACT, "what pulls aside");

        let preload = "preload = [\"0.8*2*9.81 N\", \"0.6*2*9.81 N\", 0, 0, 0, 0]";
        let found = solve(&parse(&block(&format!("{axes}\n{springs}\n{preload}"), STATICS)), formulation);
        for name in ["x", "y", "z"] {
            near(last(&found, &format!("mount.{name}")), 0.0, EXACT, "preloaded");
        }
        near(last(&found, "mount.fz"), weight, EXACT, "what carries the weight");
    }
}

/// A moment about each axis turns by moment over stiffness: one axis at a time the angle is exact however large.
#[test]
fn a_moment_turns_by_itself_over_the_stiffness() {
    for (axis, vector) in [("x", "[0.5, 0, 0]"), ("y", "[0, 0.5, 0]"), ("z", "[0, 0, 0.5]")] {
        let springs = "stiffness = [1000, 1000, 1000, 2, 2, 2]\npreload = [0, 0, \"2*9.81 N\", 0, 0, 0]";
        let load = format!("[forces.twist]\ntype = \"torque\"\nbody = \"block\"\nvalue = {vector}\n{STATICS}");
        let found = solve(&parse(&block(springs, &load)), "absolute");
        near(last(&found, &format!("mount.angle_{axis}")), 0.25, EXACT, axis);
        near(last(&found, &format!("mount.m{axis}")), -0.5, EXACT, axis);
    }
}

/// x = x₀ e^(−δt) (cos ωt + δ/ω sin ωt) along each axis and about z, with its own stiffness and damping; energy that is lost is work of
/// the dampers.
#[test]
fn each_freedom_swings_as_a_damped_oscillator() {
    let springs = "stiffness = [800, 200, 1800, 5, 6, 4]\ndamping = [4, 2, 0, 0.1, 0, 0.02]";
    let start = "[initial]\n\"mount.x\" = 0.01\n\"mount.y\" = -0.02\n\"mount.angle_z\" = 0.1\n[run]\nanalysis = \"dynamics\"\nend = 1\nsteps = 20\ntolerance = 1e-11\n";
    let text = block(springs, start).replace("[0, 0, -9.81]", "[0, 0, 0]");
    let damped = |m: f64, k: f64, c: f64, from: f64, t: f64| {
        let delta = c / (2.0 * m);
        let omega = (k / m - delta * delta).sqrt();
        from * (-delta * t).exp() * ((omega * t).cos() + delta / omega * (omega * t).sin())
    };
    for formulation in FORMULATIONS {
        let found = integrate(&text, formulation);
        let axes = [("x", 2.0, 800.0, 4.0, 0.01), ("y", 2.0, 200.0, 2.0, -0.02), ("angle_z", 0.04, 4.0, 0.02, 0.1)];
        for (name, m, k, c, from) in axes {
            for (t, x) in column(&found, "t").iter().zip(column(&found, &format!("mount.{name}"))) {
                near(*x, damped(m, k, c, from, *t), INTEGRATED, &format!("{formulation} {name} at {t}"));
            }
        }
        let drift = column(&found, "energy.drift").iter().fold(0.0f64, |m, x| m.max(x.abs()));
        assert!(drift < INTEGRATED, "{formulation}: {drift:e}");
    }
}

/// In a plane a bushing has three values: along x and y, and about z.
#[test]
fn a_planar_bushing_has_three_values() {
    let text = r#"
planar = true
gravity = [0, -9.81]
[bodies.block]
mass = 2
inertia = 0.03
com = [0.2, 0]
[joints.mount]
type = "bushing"
bodies = ["ground", "block"]
at = [0, 0]
stiffness = [1000, 4000, "2 N*m/rad"]
[run]
analysis = "statics"
"#;
    // The weight hangs at 0.2 m: 2 θ = −m g 0.2 cos θ.
    let mut angle = 0.0f64;
    for _ in 0..200 {
        let (f, slope) = (2.0 * angle + 2.0 * 9.81 * 0.2 * angle.cos(), 2.0 - 2.0 * 9.81 * 0.2 * angle.sin());
        angle -= f / slope;
    }
    for formulation in ["absolute", "relative"] {
        let found = solve(&parse(text), formulation);
        near(last(&found, "mount.y"), -2.0 * 9.81 / 4000.0, EXACT, "sag");
        near(last(&found, "mount.angle_z"), angle, EXACT, "tilt");
        near(last(&found, "mount.mz"), -2.0 * angle, EXACT, "moment");
    }
}

/// A pin of a lever in its bearing, loose by `c`.
fn pin(run: &str) -> String {
    format!(
        r#"
planar = true
gravity = [0, -9.81]
[bodies.pin]
mass = 2
inertia = 0.01
[forces.bearing]
type = "clearance"
bodies = ["ground", "pin"]
at = [[0, 0], [0, 0]]
clearance = "0.5 mm"
stiffness = "2e6 N/m"
{run}
"#
    )
}

/// It rests where clearance and compression add up.
#[test]
fn a_loose_pin_rests_on_its_bearing() {
    let start = "[initial]\n\"pin.y\" = -0.0005\n[run]\nanalysis = \"statics\"\n";
    let found = solve(&parse(&pin(start)), "absolute");
    near(last(&found, "pin.y") * 1e3, -(0.5 + 2.0 * 9.81 / 2e3), PLACED, "in millimetres");
}

/// It falls through the clearance, is thrown back by half an oscillation about where it would rest, and is at the middle again with no
/// speed.
#[test]
fn a_loose_pin_falls_and_is_thrown_back() {
    let (g, m, k, c) = (9.81, 2.0, 2e6, 0.5e-3);
    let fall = f64::sqrt(2.0 * c / g);
    let omega = f64::sqrt(k / m);
    let press = 2.0 * (std::f64::consts::PI - (g * fall * omega / g).atan()) / omega;
    let end = 2.0 * fall + press;
    let text = pin(&format!(
        "[run]\nanalysis = \"dynamics\"\nend = {end:?}\nsteps = 10\ntolerance = 1e-11\noutputs = [\"pin.y\", \"pin.vy\", \"energy.total\"]\n"
    ));
    for formulation in FORMULATIONS {
        let found = integrate(&text, formulation);
        near(last(&found, "pin.y") * 1e3, 0.0, INTEGRATED, formulation);
        near(last(&found, "pin.vy"), 0.0, INTEGRATED, formulation);
    }
}

fn refused(text: &str) -> String {
    let document = Document::from_toml(&Source::new("m.toml", text));
    document.and_then(|d| d.model(&Options::default())).expect_err("a fault").to_string()
}

#[test]
fn what_is_wrong_is_told_with_what_to_do() {
    let cases = [
        ("", "'stiffness' is missing", "angle_x"),
        ("stiffness = [1, 2, 3]", "this one has 3 entries", "x, y, z, angle_x, angle_y, angle_z"),
        ("stiffness = [1, 1, 1, 1, 1, 1]\ndamping = [0, -1, 0, 0, 0, 0]", "a damper cannot push", "-1"),
        ("stiffness = [\"1 N*m/rad\", 1, 1, 1, 1, 1]", "stiffness", "N/m"),
        ("stiffness = [1, 1, 1, 1, 1, 1]\nclearance = 1", "clearance", "preload"),
    ];
    for (bushing, message, advice) in cases {
        let told = refused(&block(bushing, STATICS));
        assert!(told.contains(message) && told.contains(advice), "{bushing}: {told}");
    }
    let told = refused(&pin("[run]\nanalysis = \"statics\"").replace("0.5 mm", "-0.5 mm"));
    assert!(told.contains("a clearance cannot be negative") && told.contains("bushing"), "{told}");
}

/// Six modes, √(k/m) and √(k_t/I) of each axis.
#[test]
fn a_block_on_a_bushing_has_six_modes() {
    let springs = "stiffness = [800, 200, 1800, 5, 6, 4]\npreload = [0, 0, \"2*9.81 N\", 0, 0, 0]";
    let model = parse(&block(springs, "[run]\nanalysis = \"modes\""));
    let mut due = [(800.0, 2.0), (200.0, 2.0), (1800.0, 2.0), (5.0, 0.02), (6.0, 0.03), (4.0, 0.04)]
        .map(|(k, m): (f64, f64)| (k / m).sqrt() / std::f64::consts::TAU);
    due.sort_by(f64::total_cmp);
    for formulation in FORMULATIONS {
        let linear = biela::solve::vibration::linearise(&model, formulation).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(linear.modes.len(), 6, "{formulation}");
        for (mode, due) in linear.modes.iter().zip(due) {
            near(mode.frequency() / due, 1.0, DIFFERENCES, formulation);
        }
    }
}
