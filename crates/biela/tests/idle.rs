//! Which freedoms are idle: candidates beside everything that can feel their motion, with the answer of each by hand.

mod common;

use biela::model::{Analysis, Model};
use biela::results::Results;
use biela::solve::check::check;
use biela::solve::motion::Follower;
use biela::solve::{kinematics, run};
use biela::system::{formulations, System};
use common::cases::{column, parse, text};
use common::record::{held, CLOSED};
use std::f64::consts::FRAC_PI_2;

/// What is counted is the same in all coordinates; what cannot count in some of them must not be silent about why.
fn idle_and_undriven(model: &Model, what: &str) -> (Vec<String>, usize) {
    let mut found = Vec::new();
    for formulation in formulations() {
        let report =
            check(model, formulation.keyword).unwrap_or_else(|e| panic!("{what}, {}: {e}", formulation.keyword));
        found.push((report.idle, report.undriven));
    }
    assert!(found.windows(2).all(|f| f[0] == f[1]), "{what}: {found:?}");
    found.swap_remove(0)
}

/// Checks, then runs: a motion where nothing is undriven, else a message that says so.
fn holds(model: &Model, idle: &[&str], undriven: usize, what: &str) {
    let found = idle_and_undriven(model, what);
    assert_eq!((found.0.iter().map(String::as_str).collect::<Vec<_>>(), found.1), (idle.to_vec(), undriven), "{what}");
    for formulation in formulations() {
        match kinematics::run(model, formulation.keyword, |_, _| true) {
            Ok(_) => assert_eq!(undriven, 0, "{what}, {}", formulation.keyword),
            Err(e) => {
                let e = e.to_string();
                assert!(undriven > 0 && e.contains("under-driven"), "{what}, {}: {e}", formulation.keyword);
            }
        }
    }
}

/// The shipped RSSR, whose rod from (1, 0, 0) to (2, 3, 2.5) may spin, with something added.
fn rssr(more: &str) -> Model {
    parse(&(text("rssr").replace("steps = 120", "steps = 4") + more))
}

#[test]
fn a_rod_between_two_balls_is_idle_unless_something_feels_its_spin() {
    let force = |at: &str, value: &str, frame: &str| {
        format!("[forces.f]\ntype = \"force\"\nbody = \"rod\"\nat = {at}\nvalue = {value}\n{frame}\n")
    };
    let torque =
        |value: &str, frame: &str| format!("[forces.f]\ntype = \"torque\"\nbody = \"rod\"\nvalue = {value}\n{frame}\n");
    let spring = |at: &str| {
        format!("[forces.f]\ntype = \"spring\"\nbodies = [\"ground\", \"rod\"]\nat = [[0, 0, 5], {at}]\nstiffness = 10\nlength = 1\n")
    };
    let body = "frame = \"body\"";
    let unfelt = [
        ("alone", String::new()),
        ("a force on the line", force("\"C\"", "[1, 2, 3]", "")),
        ("a force in its axes, along the line", force("\"B\"", "[2, 6, 5]", body)),
        ("a torque in its axes, across the line", torque("[3, -1, 0]", body)),
        ("no torque at all", torque("[0, 0, 0]", "")),
        ("a spring on the line", spring("[1.5, 1.5, 1.25]")),
        ("a spring on a joint elsewhere", "[forces.f]\ntype = \"joint-spring\"\njoint = \"D\"\nstiffness = 5\n".into()),
        ("friction elsewhere", "[forces.f]\ntype = \"friction\"\njoint = \"A\"\ncoulomb = 1\n".into()),
    ];
    for (what, more) in &unfelt {
        holds(&rssr(more), &["rod"], 0, what);
    }
    let felt = [
        ("a force off the line", force("[1, 1, 1]", "[0, 0, 1]", "")),
        ("a force that pushes off the line later", force("[1, 1, 1]", "[0, 0, \"step(t - 1)\"]", "")),
        ("a force in its axes, across the line", force("\"B\"", "[3, -1, 0]", body)),
        ("a torque", torque("[0, 0, 1]", "")),
        ("a torque that comes later", torque("[0, 0, \"if(t - 1, 1, 0)\"]", "")),
        ("a torque in its axes, along the line", torque("[2, 6, 5]", body)),
        ("a spring off the line", spring("[1, 1, 1]")),
        (
            "a rotor",
            "[rotors.r]\nbody = \"rod\"\naxis = [1, 3, 2.5]\nat = \"B\"\nmass = 1\ninertia = [1, 1, 1]\nangle = \"A.angle\"\n"
                .into(),
        ),
    ];
    for (what, more) in &felt {
        holds(&rssr(more), &[], 1, what);
    }
    // Points that a user names: on the line, also by six digits; and off it.
    let named = |p: &str| {
        let named = format!("C = [2, 3, 2.5], T = {p} }}\n[bodies.rocker]");
        parse(&text("rssr").replace("steps = 120", "steps = 4").replace("C = [2, 3, 2.5] }\n[bodies.rocker]", &named))
    };
    holds(&named("[1.3333333, 1, 0.8333333]"), &["rod"], 0, "a point on the line");
    holds(&named("[1.3333, 1.1, 0.8333]"), &[], 1, "a point off the line");
}

#[test]
fn a_moment_that_nothing_balances_is_told_alike_everywhere() {
    // A rod at rest whose centre of mass lies beside its line.
    let (centre, mass) = ([1.5, 1.0, 1.25], 3.0);
    let off = text("rssr").replace("steps = 120", "steps = 4").replace("omega*t", "0");
    let start = off.find("[bodies.rod]").unwrap();
    let end = start + off[start..].find("points").unwrap();
    let given = format!("[bodies.rod]\nmass = {mass}\ncom = {centre:?}\ninertia = [1, 1, 1]\n");
    let mut model = parse(&format!("{}{given}{}", &off[..start], &off[end..]));
    holds(&model, &["rod"], 0, "mass off the line");
    // ((c − B) × m g)·u with u along (1, 3, 2.5).
    let (r, u) = ([0.5, 1.0], [1.0f64, 3.0, 2.5]);
    let length = u.iter().map(|x| x * x).sum::<f64>().sqrt();
    let moment = (mass * 9.81 * (r[0] * u[1] - r[1] * u[0]) / length).abs();
    let wanted = format!("{} N m", biela::results::significant(moment, 3));
    for analysis in [Analysis::Statics, Analysis::InverseDynamics] {
        model.study.analysis = analysis;
        let mut told = 0;
        for formulation in formulations() {
            let Ok(results) = kinematics::run(&model, formulation.keyword, |_, _| true) else { continue };
            let warning = results.note("warning").unwrap_or_default();
            assert!(warning.contains(&wanted) && warning.contains("'rod'"), "{}: {warning}", formulation.keyword);
            told += 1;
        }
        assert!(told >= 3, "only {told} formulations tell forces");
    }
}

/// An arm about z, driven, that carries a wheel on an axle in its direction; the axle's other end is in a fork that slides along it.
fn wheel(more: &str) -> Model {
    let bodies = "gravity = [0, 0, 0]\n[bodies.arm]\nmass = 1\ninertia = [1, 1, 1]\n\
        [bodies.wheel]\nmass = 1\ninertia = [0.1, 0.2, 0.2]\npose = { at = [1, 0, 0] }\n\
        [bodies.fork]\nmass = 1\ninertia = [1, 1, 1]\npose = { at = [1, 0, 0] }\n";
    let joints = [
        ("A", "revolute", "ground", "arm", "[0, 0, 0]", "z"),
        ("W", "revolute", "arm", "wheel", "[1, 0, 0]", "x"),
        ("F", "revolute", "wheel", "fork", "[1, 0, 0]", "x"),
        ("H", "prismatic", "fork", "arm", "[1, 0, 0]", "x"),
    ];
    let joint = |(n, kind, i, j, at, axis): &(&str, &str, &str, &str, &str, &str)| {
        format!("[joints.{n}]\ntype = \"{kind}\"\nbodies = [\"{i}\", \"{j}\"]\nat = {at}\naxis = \"{axis}\"\n")
    };
    let joints: String = joints.iter().map(joint).collect();
    parse(&format!("{bodies}{joints}[drivers.A]\njoint = \"A\"\nvalue = 0\n{more}[run]\nend = 0.1\nsteps = 2\n"))
}

#[test]
fn a_wheel_turns_by_its_joint_coordinate() {
    holds(&wheel(""), &[], 1, "a wheel");
    holds(&wheel("[drivers.W]\njoint = \"W\"\nvalue = \"3*t\"\n"), &[], 0, "a wheel that is driven");
    let gear = "[couplings.g]\ntype = \"gear\"\njoints = [\"A\", \"W\"]\nratio = 2\n";
    holds(&wheel(gear), &[], 0, "a wheel that is geared");
    let motor = "[forces.m]\ntype = \"joint-torque\"\njoint = \"W\"\nvalue = 3\n";
    holds(&wheel(motor), &[], 1, "a wheel with a motor");
    // Under its motor it speeds up by M/I.
    let mut model = wheel(motor);
    model.study.analysis = Analysis::Dynamics;
    assert_eq!(check(&model, "absolute").unwrap().loose, ["W.angle", "F.angle"]);
    for formulation in formulations() {
        let results = solved(&model, formulation.keyword);
        let angle = *column(&results, "W.angle").last().unwrap();
        let wanted = 0.5 * (3.0 / 0.1) * 0.01;
        held(CLOSED, "a wheel under its motor", 1e-9, (angle - wanted).abs(), formulation.keyword);
    }
}

fn solved(model: &Model, formulation: &str) -> Results {
    let method = biela::solve::newton::METHODS[0];
    run::run(model, formulation, method, |_, _| true).unwrap_or_else(|e| panic!("{formulation}: {e}"))
}

/// A bar on a joint to the ground with its tip on a plate that is driven up and down.
fn bar(joint: &str, more: &str) -> Model {
    parse(&format!(
        "gravity = [0, 0, 0]\n[bodies.plate]\nmass = 1\ninertia = [1, 1, 1]\n\
         [bodies.bar]\npoints = {{ T = [1, 0, 0] }}\nmass = 1\ncom = [0.5, 0, 0]\ninertia = [0.01, 0.1, 0.1]\n\
         [joints.U]\nbodies = [\"ground\", \"bar\"]\nat = [0, 0, 0]\n{joint}\n\
         [joints.lift]\ntype = \"prismatic\"\nbodies = [\"ground\", \"plate\"]\nat = [0, 0, 0]\naxis = \"z\"\n\
         [joints.tip]\ntype = \"point-on-plane\"\nbodies = [\"plate\", \"bar\"]\nat = [1, 0, 0]\naxis = \"z\"\n\
         [drivers.lift]\njoint = \"lift\"\nvalue = \"0.1*t\"\n{more}[run]\nend = 1\nsteps = 2\n"
    ))
}

#[test]
fn a_bar_with_its_tip_on_a_plate_swings() {
    let cardan = "type = \"universal\"\naxis = \"z\"\naxis2 = \"y\"";
    let side = "[forces.side]\ntype = \"force\"\nbody = \"bar\"\nat = [1, 0, 0]\nvalue = [0, 1, 0]\n";
    holds(&bar(cardan, ""), &[], 1, "universal");
    holds(&bar(cardan, side), &[], 1, "universal, side load");
    holds(
        &bar(cardan, "[drivers.a]\njoint = \"U\"\ncoordinate = \"angle1\"\nvalue = 0\n"),
        &[],
        0,
        "universal, driven",
    );
    // On a ball it may spin besides, which nothing feels; where its tip is led nothing else is left.
    holds(&bar("type = \"spherical\"", ""), &["bar"], 1, "spherical");
    let led = "[drivers.tip]\npoint = \"bar.T\"\nalong = \"y\"\nvalue = 0\n";
    let named = bar("type = \"spherical\"", led);
    holds(&named, &["bar"], 0, "spherical, tip led");
    // The side load turns it until it points along the load.
    let mut model = bar(cardan, side);
    model.study.analysis = Analysis::Statics;
    for formulation in ["absolute", "relative", "relative-euler"] {
        let results = solved(&model, formulation);
        for angle in column(&results, "U.angle1") {
            held(CLOSED, "a bar along its load", 1e-9, (angle - FRAC_PI_2).abs(), formulation);
        }
        assert_eq!(results.note("equilibrium"), Some("stable"));
    }
}

#[test]
fn coordinates_of_joints_show_what_turns() {
    // A piston between a ball on its axis and a guide in which it may turn.
    let piston = |guide: &str, axis: &str| {
        parse(&format!(
            "bodies.crank = {{}}\nbodies.rod = {{}}\nbodies.piston = {{}}\n\
             joints.O = {{ type = \"revolute\", bodies = [\"ground\", \"crank\"], at = [0, 0, 0], axis = \"z\" }}\n\
             joints.B = {{ type = \"revolute\", bodies = [\"crank\", \"rod\"], at = [0.3, 0.4, 0], axis = \"z\" }}\n\
             joints.C = {{ type = \"spherical\", bodies = [\"rod\", \"piston\"], at = [2, 0, 0] }}\n\
             joints.G = {{ type = \"{guide}\", bodies = [\"ground\", \"piston\"], at = [2, 0, 0], axis = \"{axis}\" }}\n\
             drivers.m = {{ joint = \"O\", value = \"0.93 + t\" }}\n[run]\nend = 0.1\nsteps = 2\n"
        ))
    };
    holds(&piston("prismatic", "x"), &[], 0, "prismatic guide");
    holds(&piston("cylindrical", "x"), &[], 1, "cylindrical guide");
    // A slab on the plane of motion slides with the ball and turns about it.
    holds(&piston("planar", "z"), &[], 2, "planar guide");
}

/// Turns about a ball do not commute and rods may spin; predictions that know both leave one correction by the factors at hand, and one Jacobian, to
/// each sample. Prediction by ∫ω alone took 1.7 corrections, idle spins two Jacobians.
#[test]
fn samples_of_loops_in_space_take_one_correction_and_one_jacobian() {
    const SAMPLES: usize = 1000;
    /// A few samples take more, those of natural coordinates a quarter.
    const MOST: usize = SAMPLES * 4 / 3;
    for (name, formulation) in [("stewart-platform", "relative"), ("rssr", "relative"), ("rssr", "natural")] {
        let model = parse(&text(name));
        let system = System::new(&model, formulation).unwrap_or_else(|e| panic!("{e}"));
        let mut follower = Follower::new(&system, 0.0, 1.0).unwrap_or_else(|e| panic!("{e}"));
        let before = (follower.stepper.iterations, follower.stepper.ws.evaluations.jacobians);
        for k in 1..=SAMPLES {
            follower.advance_bodies(k as f64 / SAMPLES as f64).unwrap_or_else(|e| panic!("{name}: {e}"));
        }
        let corrections = follower.stepper.iterations - before.0;
        let jacobians = follower.stepper.ws.evaluations.jacobians - before.1;
        assert!(jacobians < MOST && corrections < MOST, "{name}, {formulation}: {corrections}, {jacobians}");
    }
}
