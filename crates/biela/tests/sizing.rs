//! Motor sheet, bearing table, masses and paths against closed forms; what is rounding is no figure.

mod common;

use biela::model::{Analysis, Model};
use biela::results::Results;
use biela::sizing::{Sizing, Weight, USUAL_FLUCTUATION};
use biela::solve::noise::Noise;
use biela::text::Options;
use common::cases::load;
use common::parse;
use std::f64::consts::{PI, SQRT_2, TAU};

/// Sums over a whole period by trapezia are exact but for rounding; forces are solved to about 1e-13.
const SOLVED: f64 = 1e-11;

fn near(found: f64, due: f64, tolerance: f64) {
    assert!((found - due).abs() <= tolerance * due.abs().max(1.0), "{found} is not {due}");
}

fn sized(model: &Model) -> (Results, Sizing) {
    let found = biela::run(model).unwrap_or_else(|e| panic!("{e}"));
    let sizing = Sizing::of(model, &found, USUAL_FLUCTUATION);
    (found, sizing)
}

/// A mass of 2 kg, 0.1 m from a shaft that turns steadily at 20 rad/s: the weight wants M = m g r cos θ.
fn arm(gravity: &str) -> Model {
    parse(&format!(
        r#"
        planar = true
        gravity = {gravity}
        bodies.arm = {{ mass = 2, com = [0.1, 0], inertia = 0.03, points = {{ T = [0.1, 0] }} }}
        joints.O = {{ type = "revolute", bodies = ["ground", "arm"], at = [0, 0] }}
        drivers.motor = {{ joint = "O", value = "20*t" }}
        run = {{ analysis = "inverse-dynamics", end = "pi/10", steps = 240 }}
        "#
    ))
}

#[test]
fn the_motor_of_an_arm_in_gravity() {
    let (_, sizing) = sized(&arm("[0, -10]"));
    let [motor] = &sizing.motors[..] else { panic!("one motor") };
    // A = m g r = 2 N·m.
    let (amplitude, omega) = (2.0, 20.0);
    assert_eq!(
        (motor.driver.as_str(), motor.moves.as_str(), motor.turns, motor.steady),
        ("motor", "O.angle", true, true)
    );
    near(motor.peak.unwrap()[0], amplitude, SOLVED);
    near(motor.rms.unwrap(), amplitude / SQRT_2, SOLVED);
    // What comes and goes is nothing in the mean, and is told as that.
    assert_eq!((motor.mean, motor.mean_power), (Some(0.0), Some(0.0)));
    near(motor.power.unwrap()[0], amplitude * omega, SOLVED);
    near(motor.least_power.unwrap(), -amplitude * omega, SOLVED);
    near(motor.speed, omega, SOLVED);
    near(motor.mean_speed, omega, SOLVED);
    // From -π/2 to π/2 the weight takes ∫ A cos θ dθ = 2 A: the cubics through 240 samples are good to 1e-9.
    let wheel = motor.flywheel.as_ref().unwrap();
    near(wheel.energy, 2.0 * amplitude, 1e-8);
    near(wheel.inertia, 2.0 * amplitude / (0.05 * omega * omega), 1e-8);
    assert_eq!((wheel.turns, wheel.fluctuation), (1, 0.05));
}

#[test]
fn the_bearing_of_an_arm() {
    // Without gravity the load is the centrifugal force m r ω² = 80 N throughout, and so is any mean of it.
    let (_, sizing) = sized(&arm("[0, 0]"));
    let [bearing] = &sizing.bearings[..] else { panic!("one bearing") };
    for figure in [bearing.max[0], bearing.mean, bearing.ball, bearing.roller] {
        near(figure, 80.0, SOLVED);
    }
    assert_eq!((bearing.weight, bearing.weight.word()), (Weight::Rotation, "rotation"));
    near(bearing.total, TAU, SOLVED);
    near(bearing.speed, 20.0, SOLVED);
    // The shaft has nothing to give.
    assert_eq!(sizing.motors[0].peak.map(|p| p[0]), Some(0.0));
    // With it |F|² = m²(ω⁴r² + g² − 2 g r ω² sin θ): greatest where the mass is lowest. Means by an independent, finer sum.
    let (_, sizing) = sized(&arm("[0, -10]"));
    let bearing = &sizing.bearings[0];
    let load = |angle: f64| (80f64.powi(2) + 20f64.powi(2) - 2.0 * 80.0 * 20.0 * angle.sin()).sqrt();
    near(bearing.max[0], 100.0, SOLVED);
    near(bearing.max[1], 1.5 * PI / 20.0, SOLVED);
    let mean = |p: f64| (0..3600).map(|k| load(TAU * f64::from(k) / 3600.0).powf(p)).sum::<f64>() / 3600.0;
    near(bearing.mean, mean(1.0), SOLVED);
    near(bearing.ball, mean(3.0).powf(1.0 / 3.0), SOLVED);
    near(bearing.roller, mean(10.0 / 3.0).powf(0.3), SOLVED);
}

#[test]
fn slides_are_weighted_by_travel_and_fixed_joints_by_time() {
    let model = parse(
        r#"
        gravity = [0, -10, 0]
        bodies.sled = { mass = 3, com = [0, 0, 0], inertia = [0.1, 0.1, 0.1] }
        bodies.box  = { mass = 1, com = [0, 0.2, 0], inertia = [0.1, 0.1, 0.1], points = { T = [0.5, 0, 0] } }
        joints.rail = { type = "prismatic", bodies = ["ground", "sled"], at = [0, 0, 0], axis = "x" }
        joints.bolt = { type = "fixed", bodies = ["sled", "box"], at = [0, 0.1, 0] }
        drivers.belt = { joint = "rail", value = "0.5 + 0.25*sin(2*pi*t)" }
        run = { analysis = "statics", end = 1, steps = 200 }
        "#,
    );
    let (_, sizing) = sized(&model);
    let [rail, bolt] = &sizing.bearings[..] else { panic!("two bearings") };
    assert_eq!((rail.weight, bolt.weight), (Weight::Travel, Weight::Time));
    // There and back: four times the amplitude, by trapezia over |cos|.
    near(rail.total, 1.0, 1e-3);
    for (bearing, load) in [(rail, 40.0), (bolt, 10.0)] {
        for figure in [bearing.max[0], bearing.mean, bearing.ball, bearing.roller] {
            near(figure, load, SOLVED);
        }
    }
    let [belt] = &sizing.motors[..] else { panic!("one motor") };
    assert!(!belt.turns && !belt.steady && belt.flywheel == Err("it moves along a line"));
    // Nothing pushes along the rail: rounding is no force.
    assert_eq!((belt.peak.map(|p| p[0]), belt.rms), (Some(0.0), Some(0.0)));
    near(sizing.mass, 4.0, 1e-15);
    assert_eq!((sizing.masses[1].com.as_slice(), sizing.masses[1].inertia.len()), (&[0.0, 0.2, 0.0][..], 6));
    let [path] = &sizing.paths[..] else { panic!("one path") };
    near(path.ranges[0][0], 0.75, SOLVED);
    near(path.ranges[0][1], 1.25, SOLVED);
}

#[test]
fn a_path_is_as_long_as_its_circle() {
    let (_, sizing) = sized(&arm("[0, -10]"));
    let [path] = &sizing.paths[..] else { panic!("one path") };
    assert_eq!((path.point.as_str(), path.closed, path.ranges.len()), ("arm.T", true, 2));
    near(path.length, TAU * 0.1, SOLVED);
    near(path.speed, 2.0, SOLVED);
    near(path.acceleration, 40.0, SOLVED);
    near(path.ranges[1][0], -0.1, SOLVED);
    assert_eq!(sizing.masses[0].inertia, [0.03]);
}

#[test]
fn the_axial_load_of_a_shaft_in_space() {
    // A disc of 4 kg on an upright shaft: its weight is along the axis, and nothing else is there.
    let model = parse(
        r#"
        gravity = [0, 0, -10]
        bodies.disc = { mass = 4, com = [0, 0, 0.1], inertia = [0.1, 0.1, 0.2] }
        joints.shaft = { type = "revolute", bodies = ["ground", "disc"], at = [0, 0, 0], axis = "z" }
        drivers.motor = { joint = "shaft", value = "t" }
        run = { analysis = "inverse-dynamics", end = 1, steps = 10 }
        "#,
    );
    let (_, sizing) = sized(&model);
    let shaft = &sizing.bearings[0];
    near(shaft.max[0], 40.0, SOLVED);
    near(shaft.axial.unwrap(), 40.0, SOLVED);
    assert_eq!((shaft.moment[0], sizing.motors[0].peak.map(|p| p[0])), (0.0, Some(0.0)));
    assert_eq!(sizing.motors[0].flywheel, Err("the run makes less than one turn"));
    assert_eq!(shaft.json()["axial"].as_f64().map(|x| (x - 40.0).abs() < 1e-9), Some(true));
}

/// Pins of planar machines bear no moment: what rounding leaves of it is hushed, and every other bit stays.
#[test]
fn rounding_is_no_figure_and_figures_are_no_rounding() {
    let mut hushed = 0;
    for name in ["hoeken", "four-bar", "slider-crank", "jansen-leg"] {
        let model = load(name, &Options { analysis: Some(Analysis::InverseDynamics), ..Options::default() });
        let found = biela::run(&model).unwrap();
        let noise = Noise::of(&model, &found);
        let mut quiet = found.clone();
        noise.hush(&model, &mut quiet);
        for (before, after) in found.columns.iter().zip(&quiet.columns) {
            let floor = noise.floor(before.unit);
            for (x, y) in before.data.iter().zip(&after.data) {
                assert!(x.to_bits() == y.to_bits() || (*y == 0.0 && x.abs() <= floor), "{name}: {}", before.name);
                hushed += usize::from(x != y);
            }
            let pin =
                model.joints.iter().any(|j| j.kind.keyword() == "revolute" && before.name == format!("{}.mz", j.name));
            assert!(!pin || after.data.iter().all(|x| *x == 0.0), "{name}: {}", before.name);
            // The floor is far below what is borne.
            let most = before.data.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            assert!(most == 0.0 || floor < 1e-9 * most || most < 1e-6, "{name}: {} {floor:e} {most:e}", before.name);
        }
    }
    assert!(hushed > 0);
}

#[test]
fn without_forces_speeds_and_paths_are_told() {
    let model = parse(
        r#"
        bodies.arm = { points = { T = [1, 0, 0] } }
        joints.O = { type = "revolute", bodies = ["ground", "arm"], at = [0, 0, 0], axis = "z" }
        drivers.motor = { joint = "O", value = "3*t^2" }
        run = { end = 1, steps = 10 }
        "#,
    );
    let (_, sizing) = sized(&model);
    let motor = &sizing.motors[0];
    assert_eq!((motor.peak, motor.rms, motor.steady), (None, None, false));
    near(motor.speed, 6.0, SOLVED);
    assert!(sizing.bearings.is_empty() && sizing.masses.is_empty() && sizing.paths.len() == 1);
    assert!(sizing.json()["motors"][0]["peak"].is_null());
}
