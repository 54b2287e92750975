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
            assert_eq!(model.study.analysis, Analysis::InverseDynamics);
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
            model.study.analysis = Analysis::InverseDynamics;
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

/// A hand: a thumb that follows a finger, and a tip that follows the thumb.
const HAND: &str = r#"
    gravity = [0.4, -0.3, -9.81]
    [bodies.arm]
    mass = 2
    com = [0.1, 0.2, 0.05]
    inertia = [0.05, 0.04, 0.06]
    [bodies.tip]
    mass = 0.3
    com = [0.01, 0.02, 0.03]
    inertia = [0.001, 0.002, 0.0015]
    pose = { at = [0.3, 0.35, 0.1] }
    [bodies.finger]
    mass = 0.8
    com = [0.1, 0.02, 0]
    inertia = [0.003, 0.006, 0.007]
    pose = { at = [0.3, 0, 0.1] }
    [bodies.thumb]
    mass = 0.6
    com = [0.02, 0.1, -0.03]
    inertia = [0.004, 0.002, 0.005]
    pose = { at = [0.3, 0.1, 0.1] }
    [joints.slide]
    type = "prismatic"
    bodies = ["thumb", "tip"]
    at = [[0, 0.25, 0], [0, 0, 0]]
    axis = [0.6, 0.8, 0]
    [joints.lift]
    type = "revolute"
    bodies = ["ground", "arm"]
    at = [0, 0, 0]
    axis = [1, 0, 0]
    [joints.thumb]
    type = "revolute"
    bodies = ["arm", "thumb"]
    at = [[0.3, 0.1, 0.1], [0, 0, 0]]
    axis = [0, 0.6, 0.8]
    [joints.finger]
    type = "revolute"
    bodies = ["arm", "finger"]
    at = [[0.3, 0, 0.1], [0, 0, 0]]
    axis = [0, 0, 1]
    [couplings.second]
    type = "gear"
    joints = ["thumb", "slide"]
    ratio = 0.2
    offset = "50 mm"
    [couplings.first]
    type = "gear"
    joints = ["finger", "thumb"]
    ratio = -1.5
    offset = 0.3
"#;

fn evaluated(text: &str, quantities: &str, states: &str) -> serde_json::Value {
    let model = common::parse(text);
    let quantities: Vec<&str> = quantities.split(',').collect();
    biela::tree::evaluate::evaluate(&model, &quantities, states).unwrap_or_else(|e| panic!("{e}"))
}

fn list(value: &serde_json::Value) -> Vec<f64> {
    value
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|x| if x.is_array() { list(x) } else { vec![x.as_f64().unwrap()] })
        .collect()
}

/// Rows times columns, with `inner` numbers in each.
fn product(a: &[f64], b: &[f64], inner: usize) -> Vec<f64> {
    let columns = b.len() / inner;
    let entry = |row: &[f64], c: usize| (0..inner).map(|k| row[k] * b[k * columns + c]).sum();
    a.chunks(inner).flat_map(|row| (0..columns).map(|c| entry(row, c)).collect::<Vec<f64>>()).collect()
}

fn near(what: &str, a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len(), "{what}");
    let scale = b.iter().fold(1.0f64, |m, x| m.max(x.abs()));
    let off = a.iter().zip(b).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
    assert!(off <= tolerance * scale, "{what}: {off:e}, {a:?} {b:?}");
}

/// Joints that follow others, against the tree in which nothing follows and every coordinate is given.
#[test]
fn joints_that_follow_are_projected_away() {
    /// A few dozen products of numbers of order one.
    const ROUNDING: f64 = 1e-12;
    let plain = &HAND[..HAND.find("[couplings.second]").unwrap()];
    // Of the joints' order in the model (slide, lift, thumb, finger) what the free ones, lift and finger, move.
    let g = [0.0, -0.3, 1.0, 0.0, 0.0, -1.5, 0.0, 1.0];
    let gt = [0.0, 1.0, 0.0, 0.0, -0.3, 0.0, -1.5, 1.0];
    let (q, v, a) = ([0.7, -0.4], [1.3, -2.1], [0.5, 3.0]);
    let (q_f, v_f, a_f): (f64, f64, f64) = (-1.5 * q[1] + 0.3, -1.5 * v[1], -1.5 * a[1]);
    let asked = "fk,jacobian,jacobian_rate,rnea,bias,gravity,crba,rnea_derivatives,energy,com_jacobian,reactions";
    let few = "q.lift,q.finger,v.lift,v.finger,a.lift,a.finger,tau.lift,tau.finger\n0.7,-0.4,1.3,-2.1,0.5,3,2,-1\n";
    let many = format!(
        "q.slide,q.lift,q.thumb,q.finger,v.slide,v.lift,v.thumb,v.finger,a.slide,a.lift,a.thumb,a.finger\n\
         {:?},{:?},{q_f:?},{:?},{:?},{:?},{v_f:?},{:?},{:?},{:?},{a_f:?},{:?}\n",
        0.2 * q_f + 0.05,
        q[0],
        q[1],
        0.2 * v_f,
        v[0],
        v[1],
        0.2 * a_f,
        a[0],
        a[1]
    );
    let own = evaluated(HAND, &format!("{asked},aba,minverse,gah,lagrange,aba_derivatives"), few);
    assert_eq!(own["joints"], serde_json::json!(["lift", "finger"]));
    let whole = evaluated(plain, asked, &many);
    let (own, whole) = (&own["states"][0], &whole["states"][0]);
    for same in ["fk", "energy", "reactions"] {
        for (name, value) in whole[same].as_object().unwrap() {
            let numbers = |v: &serde_json::Value| match v {
                serde_json::Value::Object(parts) => parts.values().flat_map(list).collect(),
                serde_json::Value::Array(_) => list(v),
                other => vec![other.as_f64().unwrap()],
            };
            near(&format!("{same} {name}"), &numbers(&own[same][name]), &numbers(value), ROUNDING);
        }
    }
    for of in ["jacobian", "jacobian_rate"] {
        for (name, value) in whole[of].as_object().unwrap() {
            near(of, &list(&own[of][name]), &product(&list(value), &g, 4), ROUNDING);
        }
    }
    near("com", &list(&own["com_jacobian"]), &product(&list(&whole["com_jacobian"]), &g, 4), ROUNDING);
    for of in ["rnea", "bias", "gravity"] {
        near(of, &list(&own[of]), &product(&gt, &list(&whole[of]), 4), ROUNDING);
    }
    let squeezed = |m: &serde_json::Value| product(&gt, &product(&list(m), &g, 4), 4);
    let inertia = squeezed(&whole["crba"]);
    for (what, found) in [("crba", &own["crba"]), ("gah", &own["gah"]["M"]), ("lagrange", &own["lagrange"]["A"])] {
        near(what, &list(found), &inertia, ROUNDING);
    }
    for by in ["dq", "dv", "da"] {
        near(by, &list(&own["rnea_derivatives"][by]), &squeezed(&whole["rnea_derivatives"][by]), ROUNDING);
    }
    near("minverse", &product(&inertia, &list(&own["minverse"]), 2), &[1.0, 0.0, 0.0, 1.0], ROUNDING);
    let bias = list(&own["bias"]);
    let acceleration = list(&own["aba"]);
    near("aba", &product(&inertia, &acceleration, 2), &[2.0 - bias[0], -1.0 - bias[1]], ROUNDING);
    near("gah", &list(&own["gah"]["qdd"]), &acceleration, 1e-10);
    // ∂v̇/∂q against differences.
    const H: f64 = 1e-6;
    for (k, name) in ["lift", "finger"].into_iter().enumerate() {
        let moved = |h: f64| {
            let mut q = q;
            q[k] += h;
            let state =
                format!("q.lift,q.finger,v.lift,v.finger,tau.lift,tau.finger\n{:?},{:?},1.3,-2.1,2,-1\n", q[0], q[1]);
            list(&evaluated(HAND, "aba", &state)["states"][0]["aba"])
        };
        let slope: Vec<f64> = moved(H).iter().zip(moved(-H)).map(|(p, m)| (p - m) / (2.0 * H)).collect();
        let exact = list(&own["aba_derivatives"]["dq"]);
        near(name, &[exact[k], exact[2 + k]], &slope, 1e-7);
    }
    // The same machine in absolute coordinates, its gears as constraints, starts with the same accelerations.
    let run = "[initial]\n\"lift.angle\" = 0.7\n\"finger.angle\" = -0.4\n\"lift.angle.rate\" = 1.3\n\"finger.angle.rate\" = -2.1\n\
               [run]\nanalysis = \"dynamics\"\nend = 0.001\nsteps = 1\n";
    let machine = common::parse(&format!("{HAND}{run}"));
    let results = forward::run(&machine, "absolute", |_, _| true).unwrap_or_else(|e| panic!("{e}"));
    let free = evaluated(HAND, "aba", "q.lift,q.finger,v.lift,v.finger\n0.7,-0.4,1.3,-2.1\n");
    let column = |name: &str| results.get(name).unwrap().data[0];
    let found = [column("lift.angle.accel"), column("finger.angle.accel")];
    near("absolute", &found, &list(&free["states"][0]["aba"]), SAME);
}

/// What tables say of joints that follow is checked, and what cannot be reduced is refused in words.
#[test]
fn tables_may_name_joints_that_follow() {
    let told = |text: &str, states: &str, what: &str| {
        biela::tree::evaluate::evaluate(&common::parse(text), &[what], states).map_err(|e| e.to_string())
    };
    assert!(told(HAND, "q.finger,q.thumb,q.slide\n0.2,0,0.05\n", "rnea").is_ok());
    let wrong = told(HAND, "q.finger,q.thumb\n0.1,0.1\n", "rnea").unwrap_err();
    assert!(wrong.contains("'q.thumb' is 0.1, but must be 0.15") && wrong.contains("follows 'finger'"), "{wrong}");
    let force = told(HAND, "tau.thumb\n0.5\n", "aba").unwrap_err();
    assert!(force.contains("forces act on the latter"), "{force}");
    let by = told(HAND, "q.lift\n0\n", "inertial_derivatives").unwrap_err();
    assert!(by.contains("not known where joints follow others"), "{by}");
    let circle = format!("{HAND}[couplings.third]\ntype = \"gear\"\njoints = [\"slide\", \"finger\"]\nratio = 1\n");
    let circle = told(&circle, "q.lift\n0\n", "rnea").unwrap_err();
    assert!(circle.contains("coupling 'third'") && circle.contains("circle"), "{circle}");
    let other = format!("{HAND}[couplings.third]\ntype = \"coupling\"\nvalue = \"lift.angle - finger.angle^2\"\n");
    assert!(told(&other, "q.lift\n0\n", "rnea").unwrap_err().contains("only gears and racks"));
}

/// Velocities of a free joint: ω in the axes of its second body, the velocity of its point in those of its first.
#[test]
fn velocities_of_a_free_joint_are_along_the_axes_that_the_documents_name() {
    let text = r#"
        [bodies.base]
        pose = { at = [0, 0, 1] }
        [bodies.ship]
        pose = { at = [1, 0, 1] }
        [joints.turn]
        type = "revolute"
        bodies = ["ground", "base"]
        at = [[0, 0, 1], [0, 0, 0]]
        axis = [0, 1, 0]
        [joints.float]
        type = "free"
        bodies = ["base", "ship"]
        at = [[1, 0, 0], [0, 0, 0]]
    "#;
    let names = "q.turn,q.float.e0,q.float.e1,q.float.e2,q.float.e3,q.float.x,q.float.y,q.float.z";
    let e = [0.8, 0.36, 0.48, 0.0];
    let state = |e: [f64; 4], p: [f64; 3]| {
        let numbers: Vec<String> = e.iter().chain(&p).map(|x| format!("{x:?}")).collect();
        let found = evaluated(text, "fk,jacobian", &format!("{names}\n0.6,{}\n", numbers.join(",")));
        let ship = &found["states"][0];
        (list(&ship["fk"]["ship"]["R"]), list(&ship["fk"]["ship"]["p"]), list(&ship["jacobian"]["ship"]))
    };
    let p = [0.1, -0.2, 0.3];
    let (rotation, place, jacobian) = state(e, p);
    let column = |k: usize| -> Vec<f64> { (0..6).map(|i| jacobian[i * 7 + 1 + k]).collect() };
    // Turned about y by 0.6, the base's axes in ground axes.
    let base = [[0.6f64.cos(), 0.0, -0.6f64.sin()], [0.0, 1.0, 0.0], [0.6f64.sin(), 0.0, 0.6f64.cos()]];
    const H: f64 = 1e-6;
    for k in 0..3 {
        // ω about axis k of the ship: that axis in ground axes, and nothing else.
        let axis: Vec<f64> = (0..3).map(|i| rotation[3 * i + k]).collect();
        near("angular", &column(k), &[0.0, 0.0, 0.0, axis[0], axis[1], axis[2]], 1e-12);
        // Velocity along axis k of the base; and by differences of x, y, z.
        near("linear", &column(3 + k), &[base[k][0], base[k][1], base[k][2], 0.0, 0.0, 0.0], 1e-12);
        let mut there = p;
        there[k] += H;
        let moved: Vec<f64> = state(e, there).1.iter().zip(&place).map(|(a, b)| (a - b) / H).collect();
        near("difference", &moved, &base[k], 1e-8);
        // ė = ½ e ω̂ with ω in the ship's axes.
        let w = [0, 1, 2].map(|i| if i == k { H } else { 0.0 });
        let turned = [
            e[0] - 0.5 * (e[1] * w[0] + e[2] * w[1] + e[3] * w[2]),
            e[1] + 0.5 * (e[0] * w[0] + e[2] * w[2] - e[3] * w[1]),
            e[2] + 0.5 * (e[0] * w[1] + e[3] * w[0] - e[1] * w[2]),
            e[3] + 0.5 * (e[0] * w[2] + e[1] * w[1] - e[2] * w[0]),
        ];
        let after = state(turned, p).0;
        for (i, j) in [(0, 1), (1, 2), (2, 0)] {
            // Axes move by ω × axis.
            let axis_j: Vec<f64> = (0..3).map(|r| rotation[3 * r + j]).collect();
            let cross = [
                axis[1] * axis_j[2] - axis[2] * axis_j[1],
                axis[2] * axis_j[0] - axis[0] * axis_j[2],
                axis[0] * axis_j[1] - axis[1] * axis_j[0],
            ];
            let change: Vec<f64> = (0..3).map(|r| (after[3 * r + j] - rotation[3 * r + j]) / H).collect();
            near(&format!("attitude {i} {j}"), &change, &cross, 1e-5);
        }
    }
}
