//! Motion of open chains and trees by every algorithm, and joints written from the outer body inwards.
#![allow(non_snake_case)]

mod common;

use biela::tree::evaluate::evaluate;
use biela::tree::rotors::Coupled;
use biela::tree::ALGORITHMS;
use common::forward::*;
use common::trees::{plain_inverse_dynamics, random_state, random_tree_either_way, KINDS};
use common::{difference, Stream};

/// Rounding of sums over some tens of bodies, relative to the largest entry.
const AGREEMENT: f64 = 1e-9;
/// Two runs at tolerance 1e-11 over a second of lively motion.
const MOTIONS: f64 = 1e-7;

#[test]
fn joints_written_either_way_obey_their_own_description() {
    let mut swapped = 0;
    for seed in 0..300 {
        let kinds: &[&str] = if seed % 2 == 0 { &["spherical", "free", "revolute"] } else { &KINDS };
        let model = random_tree_either_way(seed, 3 + seed as usize % 12, kinds, 3);
        let coupled = Coupled::new(&model).expect("a tree");
        swapped += usize::from(coupled.first_swapped().is_some());
        let n = coupled.nv;
        let mut w = coupled.workspace();
        let [q, v, a, force] = random_state(&coupled.extended, &mut Stream(seed ^ 0x77));
        let mut tau = vec![0.0; n];
        coupled.rnea(&mut w, &q, &v, &a, &mut tau);
        let plain = plain_inverse_dynamics(&model, &coupled.extended, &q, &v, &a);
        assert!(difference(&tau, &plain) < AGREEMENT, "tree {seed}: {:e}", difference(&tau, &plain));
        for by in ALGORITHMS {
            let (mut M, mut bias, mut x) = (vec![0.0; n * n], vec![0.0; n], vec![0.0; n]);
            coupled.forward(by, &mut w, &q, &v, &force, &mut M, &mut bias, &mut x).expect("accelerations");
            let back = plain_inverse_dynamics(&model, &coupled.extended, &q, &v, &x);
            // Cancellation of M a against the force is measured by the accelerations.
            let size = x.iter().chain(&force).fold(1.0_f64, |m, x| m.max(x.abs()));
            let worst = back.iter().zip(&force).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs())) / size;
            assert!(worst < AGREEMENT * 10.0, "tree {seed} by {}: {worst:e}", by.keyword);
        }
    }
    assert!(swapped > 100, "only {swapped} trees have such a joint");
}

/// A branching tree: a carrier on a slide and a swing, a ball joint written outer body first, an arm with springs.
fn tree(run: &str) -> String {
    r#"
    gravity = [0, 0, -9.81]
    [bodies.base]
    mass = 3
    com = [0.1, 0, 0.05]
    inertia = [0.1, 0.2, 0.15]
    [bodies.link]
    mass = 2
    com = [0.3, 0, 0]
    inertia = [0.02, 0.2, 0.2, 0.001, 0, 0]
    pose = { at = [0.2, 0, 0] }
    [bodies.ball]
    mass = 1
    com = [0, 0.1, -0.3]
    inertia = [0.1, 0.09, 0.02]
    pose = { at = [0.8, 0, 0] }
    [bodies.float]
    mass = 0.5
    com = [0.02, 0, 0]
    inertia = [0.01, 0.02, 0.03]
    pose = { at = [0, 2, 0] }
    [joints.rail]
    type = "prismatic"
    bodies = ["ground", "base"]
    at = [0, 0, 0]
    axis = [1, 0.2, 0.1]
    [joints.swing]
    type = "revolute"
    bodies = ["link", "base"]
    at = [0.2, 0, 0]
    axis = [0, 1, 0.3]
    [joints.socket]
    type = "spherical"
    bodies = ["ball", "link"]
    at = [0.8, 0, 0]
    [forces.spring]
    type = "spring-damper"
    bodies = ["ground", "ball"]
    at = [[0.5, 0.5, 1], [0, 0, -0.3]]
    stiffness = 40
    damping = 0.5
    length = 0.7
    [forces.motor]
    type = "joint-torque"
    joint = "swing"
    value = "3*sin(5*t)"
    [forces.buffer]
    type = "joint-spring"
    joint = "rail"
    stiffness = 30
    damping = 2
    [initial]
    "ball.wz" = 2.0
    "float.wx" = 3.0
    "float.wy" = 0.1
    "float.vz" = 4.0
    "swing.angle.rate" = -1.0
    "#
    .to_string()
        + run
}

fn by(algorithm: &str, rest: &str) -> String {
    format!("[run]\nanalysis = \"dynamics\"\nend = 1\nsteps = 20\nalgorithm = \"{algorithm}\"\n{rest}")
}

#[test]
fn a_tree_moves_the_same_way_by_every_algorithm() {
    let truth = run(&tree(&dynamics(1.0, 20, 1e-11)), "absolute");
    for algorithm in ALGORITHMS {
        for method in ["method = \"rk45\"\ntolerance = 1e-11", "method = \"rk4\"\nstep = 0.0005"] {
            let found = run(&tree(&by(algorithm.keyword, method)), "relative");
            assert_eq!(found.note("algorithm"), Some(algorithm.keyword));
            for column in &truth.columns {
                let Some(ours) = found.get(&column.name) else { continue };
                let (name, unsure) = (&column.name, ["residual", "energy.drift"]);
                if unsure.contains(&name.as_str()) || name.contains(".local.") {
                    continue;
                }
                let worst = ours.data.iter().zip(&column.data).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
                let bound = MOTIONS * largest(&column.data).max(10.0);
                assert!(worst < bound, "{}, {method}: {name} differs by {worst:e}", algorithm.keyword);
            }
        }
    }
}

#[test]
fn fixed_steps_take_four_evaluations_each() {
    let found = run(&tree(&by("gah", "method = \"rk4\"\nstep = 0.01")), "relative");
    // 100 steps of four, and one at the start.
    assert_eq!(note(&found, "steps"), 100.0);
    assert_eq!(note(&found, "evaluations"), 1.0 + 400.0);
}

#[test]
fn algorithms_of_trees_say_what_they_cannot_do() {
    let loops = "[joints.extra]\ntype = \"spherical\"\nbodies = [\"ground\", \"ball\"]\nat = [0.9, 0, 0]\n";
    let driver = "[drivers.d]\njoint = \"rail\"\nvalue = \"t\"\n";
    for (text, formulation, wanted) in [
        (tree(&by("aba", loops)), "relative", "closes a loop"),
        (tree(&by("aba", driver)), "relative", "driver 'd'"),
        (tree(&by("aba", "")), "absolute", "choose the relative formulation"),
    ] {
        let message = try_run(&text, formulation).expect_err("no tree");
        assert!(message.contains(wanted), "{message}");
    }
}

#[test]
fn quantities_of_a_joint_written_inwards_agree_with_each_other() {
    let model = parse(&tree(""));
    let header = "q.rail,q.swing,q.socket.e0,q.socket.e1,q.socket.e2,q.socket.e3,v.rail,v.swing,v.socket.wx,\
                  v.socket.wy,v.socket.wz,a.rail,a.socket.wy,q.float.e0,q.float.x,v.float.wx,v.float.vy";
    let value = |h: f64| {
        // One state and the one a short time h later, for differences in time.
        let w = biela::math::Vec3::new(0.7, -0.4, 1.1);
        let turned = biela::math::EulerParameters([0.8, 0.36, 0.48, 0.0])
            .times(&biela::math::EulerParameters::from_rotation_vector(w * h));
        let [a, b, c, d] = turned.0;
        format!("{},{},{a},{b},{c},{d},0.3,-0.9,0.7,-0.4,1.1,0,0,1,0,0,0", 0.1 + 0.3 * h, 0.4 - 0.9 * h)
    };
    let h = 1e-5;
    let table = format!("{header}\n{}\n{}\n{}\n", value(0.0), value(h), value(-h));
    let found =
        evaluate(&model, &["jacobian", "jacobian_rate", "crba", "minverse", "energy", "fk"], &table).expect("values");
    let list = |v: &serde_json::Value| -> Vec<f64> {
        fn flat(v: &serde_json::Value, out: &mut Vec<f64>) {
            match v {
                serde_json::Value::Array(list) => list.iter().for_each(|v| flat(v, out)),
                other => out.push(other.as_f64().expect("a number")),
            }
        }
        let mut out = Vec::new();
        flat(v, &mut out);
        out
    };
    let s = &found["states"];
    let n = found["joints"].as_array().expect("joints").len();
    let v = [0.3, -0.9, 0.7, -0.4, 1.1];
    // J̇ against differences in time of J; J v against differences of the position.
    let (before, after) = (list(&s[2]["jacobian"]["ball"]), list(&s[1]["jacobian"]["ball"]));
    let slope: Vec<f64> = after.iter().zip(&before).map(|(a, b)| (a - b) / (2.0 * h)).collect();
    let rate = list(&s[0]["jacobian_rate"]["ball"]);
    assert!(difference(&slope, &rate) < 1e-8, "{:e}", difference(&slope, &rate));
    let (before, after) = (list(&s[2]["fk"]["ball"]["p"]), list(&s[1]["fk"]["ball"]["p"]));
    let J = list(&s[0]["jacobian"]["ball"]);
    for k in 0..3 {
        let moved: f64 = (0..5).map(|j| J[k * n + j] * v[j]).sum();
        assert!((moved - (after[k] - before[k]) / (2.0 * h)).abs() < 1e-8);
    }
    // ½ vᵀ M v, and M M⁻¹ = 1.
    let (M, inverse) = (list(&s[0]["crba"]), list(&s[0]["minverse"]));
    let kinetic: f64 = (0..5).map(|i| (0..5).map(|j| 0.5 * v[i] * M[i * n + j] * v[j]).sum::<f64>()).sum();
    let wanted = s[0]["energy"]["kinetic"].as_f64().expect("a number");
    assert!((kinetic - wanted).abs() < 1e-12 * wanted.abs().max(1.0), "{kinetic} {wanted}");
    for i in 0..n {
        for j in 0..n {
            let x: f64 = (0..n).map(|k| M[i * n + k] * inverse[k * n + j]).sum();
            assert!((x - f64::from(u8::from(i == j))).abs() < 1e-12);
        }
    }
    let message = evaluate(&model, &["inertial_derivatives"], &table).expect_err("not known").to_string();
    assert!(message.contains("socket"), "{message}");
}

#[test]
fn tables_of_states_that_mean_nothing_are_refused() {
    let model = parse(&tree(""));
    for (table, wanted) in [
        ("", "empty"),
        ("q.rail,q.rail\n1,2\n", "twice"),
        ("q.rial\n1\n", "did you mean 'rail'"),
        ("rail\n1\n", "no column of a state"),
        ("q.rail,q.swing\n1\n", "has 1 values"),
        ("q.rail\nnan\n", "not a number"),
        ("q.rail\n1e999\n", "not a number"),
        ("q.socket\n1\n", "names no joint coordinate"),
        ("q.socket.e0,q.socket.e1\n0,0\n", "all zero"),
    ] {
        let message = evaluate(&model, &["rnea"], table).expect_err(table).to_string();
        assert!(message.contains(wanted), "{table:?}: {message}");
    }
    // A byte order mark, Windows line ends, comments, units and blank lines are no harm.
    let found = evaluate(&model, &["rnea"], "\u{feff}t,q.rail [m]\r\n\r\n# a comment\r\n0,0.5\r\n").expect("a state");
    assert_eq!(found["states"].as_array().expect("states").len(), 1);
}

#[test]
fn reactions_of_fixed_joints_are_those_of_the_general_formulation() {
    let text = r#"
    gravity = [0, 0, -9.81]
    [bodies.arm]
    mass = 2
    com = [0.3, 0, 0]
    inertia = [0.02, 0.2, 0.2]
    [bodies.bracket]
    mass = 0.5
    com = [0, 0.1, 0]
    inertia = [0.01, 0.02, 0.01]
    pose = { at = [0.6, 0, 0], rpy = [0.3, 0, 0] }
    [bodies.tool]
    mass = 0.7
    com = [0, 0, 0.2]
    inertia = [0.01, 0.01, 0.001, 0, 0.0005, 0]
    pose = { at = [0.6, 0.2, 0], rpy = [0, 0.4, 0] }
    [joints.pivot]
    type = "revolute"
    bodies = ["ground", "arm"]
    at = [0, 0, 0]
    axis = [0, 0.6, 0.8]
    [joints.weld]
    type = "fixed"
    bodies = ["arm", "bracket"]
    at = [0.6, 0, 0]
    [joints.screwed]
    type = "fixed"
    bodies = ["bracket", "tool"]
    at = [0.6, 0.2, 0]
    [drivers.turn]
    joint = "pivot"
    value = "0.7*t + 0.5*t^2"
    [run]
    analysis = "inverse-dynamics"
    end = 1
    steps = 4
    "#;
    let model = parse(text);
    let general = biela::solve::kinematics::run(&model, "absolute", |_, _| true).expect("a run");
    let mut table = String::from("q.pivot,v.pivot,a.pivot\n");
    for t in column(&general, "t") {
        table += &format!("{},{},1\n", 0.7 * t + 0.5 * t * t, 0.7 + t);
    }
    let found = evaluate(&model, &["reactions"], &table).expect("values");
    for (body, joint) in [("bracket", "weld"), ("tool", "screwed")] {
        for (part, names) in [("force", ["fx", "fy", "fz"]), ("moment", ["mx", "my", "mz"])] {
            for (k, name) in names.into_iter().enumerate() {
                let theirs = column(&general, &format!("{joint}.{name}"));
                for (s, theirs) in theirs.iter().enumerate() {
                    let ours = found["states"][s]["reactions"][body][part][k].as_f64().expect("a number");
                    assert!((ours - theirs).abs() < AGREEMENT * 10.0, "{joint}.{name}: {ours} {theirs}");
                }
            }
        }
    }
}
