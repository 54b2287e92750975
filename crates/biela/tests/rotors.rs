//! Accompanying elements in runs: against the same element as a body with a coupling, against tree algorithms and the figures of
//! the source document.

mod common;

use biela::model::Analysis;
use biela::results::Results;
use biela::solve::forward;
use biela::solve::kinematics;
use biela::text::{Document, Options};
use common::forward::*;
use common::record::{held, COMPUTED, OTHER};

/// Agreement of two ways to the same forces, relative to the largest of each signal.
const SAME: f64 = 1e-9;

/// A four-bar whose motor sits on the coupler, geared to the rocker by a law that is not linear, its mass centre off its axis.
fn geared(rotor: bool, drive: &str, rest: &str) -> String {
    let element = if rotor {
        r#"
        [rotors.motor]
        body = "coupler"
        axis = [0, 0, 2]
        at = [0.2, 0.1, 0]
        mass = 0.7
        com = [0.03, 0.01, 0]
        inertia = [0.002, 0.003, 0.004]
        angle = "12*(C.angle - 60 deg) + 0.5*sin(O.angle)"
        "#
    } else {
        r#"
        [bodies.motor]
        mass = 0.7
        com = [0.03, 0.01, 0]
        inertia = [0.002, 0.003, 0.004]
        points = { O = [0, 0, 0] }
        pose = { at = [1.0, 1.4, 0] }
        [joints.motor]
        type = "revolute"
        bodies = ["coupler", "motor"]
        at = [[0.2, 0.1, 0], "O"]
        axis = [[0, 0, 1], [0, 0, 1]]
        x = [[1, 0, 0], [1, 0, 0]]
        [couplings.gear]
        type = "coupling"
        value = "motor.angle - 12*(C.angle - 60 deg) - 0.5*sin(O.angle)"
        "#
    };
    format!(
        r#"
        gravity = [0.7, -9.81, 0]
        [bodies.crank]
        mass = 2
        com = [0.5, 0, 0]
        inertia = [0.01, 0.2, 0.2]
        points = {{ A = [0, 0, 0], B = [1, 0, 0] }}
        pose = {{ angle = "60 deg", axis = [0, 0, 1] }}
        [bodies.coupler]
        mass = 3
        com = [1.0, 0, 0]
        inertia = [0.01, 1.0, 1.0]
        points = {{ B = [0, 0, 0], C = [2, 0, 0] }}
        pose = {{ at = [0.5, 0.866, 0], angle = "30 deg", axis = [0, 0, 1] }}
        [bodies.rocker]
        mass = 2.5
        com = [0.9, 0, 0]
        inertia = [0.01, 0.6, 0.6]
        points = {{ D = [0, 0, 0], C = [1.8, 0, 0] }}
        pose = {{ at = [2.2, 0, 0], angle = "90 deg", axis = [0, 0, 1] }}
        [joints.O]
        type = "revolute"
        bodies = ["ground", "crank"]
        at = [[0, 0, 0], "A"]
        axis = [[0, 0, 1], [0, 0, 1]]
        [joints.B]
        type = "revolute"
        bodies = ["crank", "coupler"]
        at = ["B", "B"]
        axis = [[0, 0, 1], [0, 0, 1]]
        [joints.C]
        type = "revolute"
        bodies = ["coupler", "rocker"]
        at = ["C", "C"]
        axis = [[0, 0, 1], [0, 0, 1]]
        [joints.D]
        type = "revolute"
        bodies = ["ground", "rocker"]
        at = [[2.2, 0, 0], "D"]
        axis = [[0, 0, 1], [0, 0, 1]]
        {element}
        {drive}
        {rest}
        "#
    )
}

fn same(a: &Results, b: &Results, names: &[&str], bound: f64) {
    for name in names {
        let (x, y) = (column(a, name), column(b, name));
        let size = largest(y).max(1e-9);
        let worst = x.iter().zip(y).fold(0.0f64, |m, (x, y)| m.max((x - y).abs())) / size;
        held(OTHER, name, bound, worst, "the element as a body");
    }
}

const SIGNALS: [&str; 8] =
    ["O.fx", "O.fy", "D.fx", "D.fy", "B.fx", "energy.kinetic", "energy.potential", "C.angle.rate"];

#[test]
fn inverse_dynamics_of_a_geared_loop_are_those_of_the_element_as_a_body() {
    let run = "[run]\nanalysis = \"inverse-dynamics\"\nend = 1\nsteps = 20\n";
    let drive = "[drivers.drive]\njoint = \"O\"\nvalue = \"pi/3 + 2*t + 0.4*sin(3*t)\"\n";
    for formulation in ["absolute", "relative"] {
        let of = |rotor| {
            let model = parse(&geared(rotor, drive, run));
            assert_eq!(model.run.analysis, Analysis::InverseDynamics);
            kinematics::run(&model, formulation, |_, _| true).unwrap()
        };
        let (rotor, body) = (of(true), of(false));
        same(&rotor, &body, &SIGNALS, SAME);
        same(&rotor, &body, &["drive.effort"], SAME);
        // It matters.
        let without =
            geared(true, drive, run).replace("mass = 0.7", "mass = 0").replace("0.002, 0.003, 0.004", "0, 0, 0");
        let without = kinematics::run(&parse(&without), formulation, |_, _| true).unwrap();
        let difference = (last(&without, "drive.effort") - last(&rotor, "drive.effort")).abs();
        assert!(difference > 0.1 * largest(column(&rotor, "drive.effort")).max(1.0), "{difference}");
    }
}

#[test]
fn motion_of_a_geared_loop_is_that_of_the_element_as_a_body() {
    /// Tolerance 1e-11 over a second.
    const MOTION: f64 = 1e-7;
    let torque = "[forces.current]\ntype = \"joint-torque\"\njoint = \"motor\"\nvalue = \"0.3*cos(2*t)\"\n\
                  [forces.drag]\ntype = \"friction\"\njoint = \"motor\"\nviscous = 0.01\n\
                  [initial]\n\"O.angle\" = \"60 deg\"\n\"O.angle.rate\" = 1\n";
    let rest = dynamics(1.0, 10, 1e-11);
    let body = run(&geared(false, torque, &rest), "absolute");
    for formulation in ["absolute", "relative", "natural"] {
        let rotor = run(&geared(true, torque, &rest), formulation);
        same(&rotor, &body, &["O.angle", "C.angle", "O.angle.rate", "energy.kinetic", "energy.potential"], MOTION);
        assert!(note(&rotor, "energy drift") < 1e-9, "{formulation}: {}", note(&rotor, "energy drift"));
        if formulation != "natural" {
            same(&rotor, &body, &["O.fx", "D.fy"], MOTION);
        }
    }
    let reduced = run(&geared(true, torque, &format!("{rest}reduction = \"null-space\"\n")), "absolute");
    same(&reduced, &body, &["O.angle", "O.angle.rate"], MOTION);
}

/// A motor that drives its rotor by a law, and the torque found, given back as a force, do the same.
#[test]
fn a_driver_on_a_rotor_gives_its_torque() {
    let run = "[run]\nanalysis = \"inverse-dynamics\"\nend = 0.5\nsteps = 10\n";
    let geared = |rotor: bool, drive: &str, rest: &str| {
        geared(rotor, drive, rest)
            .replace("12*(C.angle - 60 deg) + 0.5*sin(O.angle)", "5*O.angle")
            .replace("- 12*(C.angle - 60 deg) - 0.5*sin(O.angle)", "- 5*O.angle")
    };
    let drive = "[drivers.drive]\njoint = \"motor\"\nvalue = \"5*(pi/3 + 2*t)\"\n";
    let rotor = kinematics::run(&parse(&geared(true, drive, run)), "absolute", |_, _| true).unwrap();
    let at_joint = "[drivers.drive]\njoint = \"O\"\nvalue = \"pi/3 + 2*t\"\n";
    let joint = kinematics::run(&parse(&geared(true, at_joint, run)), "absolute", |_, _| true).unwrap();
    let (a, b) = (column(&rotor, "drive.effort"), column(&joint, "drive.effort"));
    // Five turns of the rotor to one of the crank: a fifth of the torque.
    for (a, b) in a.iter().zip(b) {
        assert!((5.0 * a - b).abs() < SAME * largest(column(&joint, "drive.effort")), "{a} {b}");
    }
    let body = kinematics::run(&parse(&geared(false, drive, run)), "absolute", |_, _| true).unwrap();
    same(&rotor, &body, &["drive.effort", "O.fx", "D.fy"], SAME);
}

/// The two-link arm with four accompanying elements: figures of symbolic Lagrange equations.
#[test]
fn two_link_arm_through_runs() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/reference/");
    let text = std::fs::read_to_string(format!("{folder}two_link_arm_rotors.toml")).unwrap();
    let reference: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(format!("{folder}two_link_arm.json")).unwrap()).unwrap();
    let numbers = |v: &serde_json::Value| v.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect::<Vec<_>>();
    for state in reference["rotors"].as_array().unwrap() {
        let [q, v, a, mu] = ["q", "qd", "qdd", "mu"].map(|key| numbers(&state[key]));
        let motors = numbers(&state["motors"]);
        let run = "[run]\nend = 1e-3\nsteps = 1\n";
        // Inverse: the motion that has these accelerations takes the torques given.
        let drive = |k: usize| {
            format!(
                "[drivers.d{k}]\njoint = \"joint{k}\"\nvalue = \"{:?} + ({:?})*t + ({:?})*t^2/2\"\n",
                q[k - 1],
                v[k - 1],
                a[k - 1]
            )
        };
        for formulation in ["absolute", "relative"] {
            let mut model = parse(&format!("{text}{}{}{run}", drive(1), drive(2)));
            model.run.analysis = Analysis::InverseDynamics;
            let results = kinematics::run(&model, formulation, |_, _| true).unwrap();
            for k in 0..2 {
                let effort = column(&results, &format!("d{}.effort", k + 1))[0];
                let off = (effort - mu[k]).abs() / largest(&mu);
                held(
                    COMPUTED,
                    "motor torques",
                    SAME,
                    off,
                    format_args!("{formulation}: {effort} instead of {}", mu[k]),
                );
            }
        }
        // Forward: the motors' torques on the rotors give these accelerations.
        let mut forces = String::new();
        for (k, torque) in motors.iter().enumerate() {
            forces +=
                &format!("[forces.m{k}]\ntype = \"joint-torque\"\njoint = \"rotor{}\"\nvalue = {torque:?}\n", k + 1);
        }
        let initial = format!(
            "[initial]\n\"joint1.angle\" = {:?}\n\"joint1.angle.rate\" = {:?}\n\"joint2.angle\" = {:?}\n\"joint2.angle.rate\" = {:?}\n",
            q[0], v[0], q[1], v[1]
        );
        let model = parse(&format!("{text}{forces}{initial}{run}"));
        for formulation in FORMULATIONS {
            let results = forward::run(&model, formulation, |_, _| true).unwrap();
            for k in 0..2 {
                let found = column(&results, &format!("joint{}.angle.accel", k + 1))[0];
                let off = (found - a[k]).abs() / largest(&a);
                held(COMPUTED, "accelerations", 1e-8, off, format_args!("{formulation}: {found} instead of {}", a[k]));
            }
        }
    }
}

/// Names that no rotor and no joint has are told with what there is.
#[test]
fn faults_of_rotors_are_told() {
    let text = geared(true, "[drivers.drive]\njoint = \"motr\"\nvalue = \"t\"\n", "");
    let document = Document::from_toml(&biela::source::Source::new("test.toml", text)).unwrap();
    let message = document.model(&Options::default()).unwrap_err().to_string();
    assert!(message.contains("motr"), "{message}");
}
