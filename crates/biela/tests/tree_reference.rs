//! Trees against figures that other programs computed: the arm of reference 001 with its accompanying elements, the PUMA of
//! reference 004, and Pinocchio at random states of three robots. Each file under `reference/` states its origin.
#![allow(non_snake_case)]

mod common;

use biela::model::Model;
use biela::text::{Document, Options};
use biela::tree::rotors::Coupled;
use biela::tree::{aba, counts, crba, gibbs_appell, kinematics, rnea, Tree, Workspace, ALGORITHMS};
use common::record::{held, COMPUTED, PINOCCHIO};
use serde_json::Value;
use std::path::Path;

/// What the references hold of digits, relative to the largest figure.
const AGREEMENT: f64 = 1e-9;

fn path(file: &str) -> String {
    format!("{}/tests/{file}", env!("CARGO_MANIFEST_DIR"))
}

fn read(file: &str, gravity: Option<[f64; 3]>) -> Model {
    let options = Options { gravity, unphysical: true, ..Options::default() };
    Document::read(Path::new(&path(file)), &options).and_then(|d| d.model(&options)).expect("a model")
}

fn figures(file: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path(file)).expect("a file")).expect("JSON")
}

fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(list) => list.iter().flat_map(numbers).collect(),
        other => vec![other.as_f64().expect("a number")],
    }
}

fn close(what: &str, found: &[f64], wanted: &[f64]) {
    close_to(COMPUTED, what, found, wanted);
}

fn close_to(source: &str, what: &str, found: &[f64], wanted: &[f64]) {
    assert_eq!(found.len(), wanted.len(), "{what}");
    let size = wanted.iter().fold(1e-300_f64, |m, x| m.max(x.abs()));
    let worst = found.iter().zip(wanted).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs())) / size;
    held(source, what, AGREEMENT, worst, "");
}

#[test]
fn two_link_arm_and_its_accompanying_elements() {
    let reference = figures("reference/two_link_arm.json");
    for (file, key) in [("reference/two_link_arm.toml", "main"), ("reference/two_link_arm_rotors.toml", "rotors")] {
        let coupled = Coupled::new(&read(file, None)).expect("a tree");
        let mut w = coupled.workspace();
        for state in reference[key].as_array().expect("states") {
            let (q, v) = (numbers(&state["q"]), numbers(&state["qd"]));
            for by in ALGORITHMS {
                let name = by.keyword;
                let (mut M, mut bias, mut a) = (vec![0.0; 4], vec![0.0; 2], vec![0.0; 2]);
                coupled.equations(by, &mut w, &q, &v, &mut M, &mut bias);
                close(&format!("A by {name}"), &M, &numbers(&state["A"]));
                close(&format!("C by {name}"), &bias, &numbers(&state["C"]));
                if key == "rotors" {
                    let mut mu = vec![0.0; 2];
                    // The rocker has no motor.
                    let motors = [numbers(&state["motors"]), vec![0.0]].concat();
                    coupled.motors(&mut w, &q, &motors, &mut mu);
                    close("motors", &mu, &numbers(&state["mu"]));
                    coupled.forward(by, &mut w, &q, &v, &mu, &mut M, &mut bias, &mut a).expect("accelerations");
                    close(&format!("accelerations by {name}"), &a, &numbers(&state["qdd"]));
                }
            }
        }
    }
}

#[test]
fn two_link_arm_on_a_line() {
    let tree = Tree::new(&read("reference/two_link_arm.toml", None)).expect("a tree");
    let mut ws = Workspace::new(&tree);
    for row in figures("reference/two_link_arm.json")["motion"]["rows"].as_array().expect("rows") {
        let x = numbers(row);
        let mut tau = vec![0.0; 2];
        rnea::rnea(&tree, &mut ws, &x[2..4], &x[4..6], &x[6..8], &mut tau);
        close("moments", &tau, &x[8..10]);
    }
}

#[test]
fn puma_torques_matrix_and_counts() {
    let reference = figures("reference/puma_004.json");
    let tree = Tree::new(&read("reference/puma_004.toml", None)).expect("a tree");
    let mut ws = Workspace::new(&tree);
    for (k, row) in reference["rows"].as_array().expect("rows").iter().enumerate() {
        let x = numbers(row);
        let (mut tau, mut a, mut D) = (vec![0.0; 6], vec![0.0; 6], vec![0.0; 36]);
        rnea::rnea(&tree, &mut ws, &x[1..7], &x[7..13], &x[13..19], &mut tau);
        close("torques", &tau, &x[19..25]);
        for forward in [aba::aba, gibbs_appell::forward] {
            forward(&tree, &mut ws, &x[1..7], &x[7..13], &x[19..25], &mut a);
            close("accelerations", &a, &x[13..19]);
        }
        if k == 0 {
            for matrix in [crba::crba, gibbs_appell::hessian] {
                matrix(&tree, &mut ws, &x[1..7], &mut D);
                close("D", &D, &numbers(&reference["D_at_start"]));
            }
        }
    }
    let all = counts::counts(&tree);
    let of = |name: &str| all.iter().find(|c| c.name == name).map(|c| c.general.multiplications).expect("a count");
    assert!(of("rnea") < of("gah") && of("gah") < of("lagrange"));
}

/// A general arm by a Denavit-Hartenberg table: no zeros, no right angles.
fn general_arm(n: usize) -> Tree {
    let mut text = String::from("gravity = [0, 0, -9.81]\n[arm]\nconvention = \"modified\"\n");
    for k in 1..=n {
        text += &format!("[[arm.links]]\na = 0.{k}\nalpha = 0.{k}\nd = 0.{k}\nmass = 1\ncom = [0.1, 0.2, 0.3]\n");
        text += "inertia = [1, 1.1, 1.2, 0.1, 0.05, 0.02]\n";
    }
    let document = Document::from_toml(&biela::source::Source::new("arm", &text)).expect("a document");
    Tree::new(&document.model(&Options::default()).expect("a model")).expect("a tree")
}

#[test]
fn customised_counts_are_those_of_the_paper() {
    let count = |n: usize| {
        let all = counts::counts(&general_arm(n));
        let matrix = all.iter().find(|c| c.name == "gah matrix").expect("a count").customised;
        (matrix.multiplications as i64, matrix.additions as i64)
    };
    let a = count(6);
    // No more than its 482 and 426 for n = 6, and not far from them.
    assert!((450..=482).contains(&a.0) && (400..=426).contains(&a.1), "{a:?}");
}

#[test]
fn pinocchio_at_random_states() {
    let reference = figures("reference/pinocchio.json");
    for (name, file) in
        [("puma560", "reference/puma560.urdf"), ("arm7", "data/arm7.urdf"), ("humanoid30", "reference/humanoid30.urdf")]
    {
        let tree = Tree::new(&read(file, Some([0.0, 0.0, -9.81]))).expect("a tree");
        let mut ws = Workspace::new(&tree);
        let n = tree.nv;
        let robot = &reference["models"][name];
        let joints: Vec<&str> = robot["joints"].as_array().expect("names").iter().filter_map(Value::as_str).collect();
        // Position of each of its joints among ours.
        let order: Vec<usize> =
            joints.iter().map(|j| tree.joints.iter().position(|own| own.name == *j).expect("a joint")).collect();
        let ours = |theirs: Vec<f64>| {
            let mut x = vec![0.0; n];
            for (k, at) in order.iter().enumerate() {
                x[*at] = theirs[k];
            }
            x
        };
        for state in robot["states"].as_array().expect("states") {
            let [q, v, a, tau] = ["q", "v", "a", "tau"].map(|k| ours(numbers(&state[k])));
            let (mut x, mut M) = (vec![0.0; n], vec![0.0; n * n]);
            rnea::rnea(&tree, &mut ws, &q, &v, &a, &mut x);
            close_to(PINOCCHIO, "rnea", &x, &ours(numbers(&state["rnea"])));
            aba::aba(&tree, &mut ws, &q, &v, &tau, &mut x);
            close_to(PINOCCHIO, "aba", &x, &ours(numbers(&state["aba"])));
            crba::crba(&tree, &mut ws, &q, &mut M);
            let upper: Vec<f64> =
                (0..n).flat_map(|r| (r..n).map(move |c| (r, c))).map(|(r, c)| M[order[r] * n + order[c]]).collect();
            close_to(PINOCCHIO, "crba", &upper, &numbers(&state["crba_upper"]));
            let last = tree.joints[order[n - 1]].joint;
            let body = tree.bodies.iter().position(|b| b.joint == last).expect("a body");
            kinematics::fk(&tree, &mut ws, &q);
            let X = kinematics::body_pose(&tree, &ws, body);
            close_to(PINOCCHIO, "position", &X.origin.to_array(), &numbers(&state["last_p"]));
            close_to(PINOCCHIO, "rotation", X.rotation.rows().as_flattened(), &numbers(&state["last_R"]));
            let mut J = vec![0.0; 6 * n];
            kinematics::body_jacobian(&tree, &mut ws, &q, body, biela::math::Vec3::ZERO, &mut J);
            let theirs = numbers(&state["last_J"]);
            let J: Vec<f64> = (0..6 * n).map(|k| J[k / n * n + order[k % n]]).collect();
            close_to(PINOCCHIO, "jacobian", &J, &theirs);
        }
    }
}
