//! Models and helpers of the tests of motion under forces.

use biela::model::Model;
use biela::results::Results;
use biela::solve::forward;
use biela::source::Source;
use biela::text::{Document, Options};

/// Every principal formulation.
pub const FORMULATIONS: [&str; 3] = ["absolute", "natural", "relative"];

/// The model that a text describes.
pub fn parse(text: &str) -> Model {
    let document = Document::from_toml(&Source::new("test.toml", text)).unwrap_or_else(|e| panic!("{e}"));
    document.model(&Options::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// Runs a text's dynamics by one formulation.
pub fn run(text: &str, formulation: &str) -> Results {
    try_run(text, formulation).unwrap_or_else(|e| panic!("{formulation}: {e}"))
}

/// The same where it may fail; the message.
pub fn try_run(text: &str, formulation: &str) -> Result<Results, String> {
    forward::run(&parse(text), formulation, |_, _| true).map_err(|e| e.to_string())
}

/// A column's data.
pub fn column<'r>(results: &'r Results, name: &str) -> &'r [f64] {
    &results.get(name).unwrap_or_else(|| panic!("no signal {name}")).data
}

/// Its last value.
pub fn last(results: &Results, name: &str) -> f64 {
    column(results, name)[results.len() - 1]
}

/// Largest magnitude.
pub fn largest(data: &[f64]) -> f64 {
    data.iter().fold(0.0, |m, x| m.max(x.abs()))
}

/// A note, as a number.
pub fn note(results: &Results, key: &str) -> f64 {
    let found = results.notes.iter().find(|n| n.0 == key).unwrap_or_else(|| panic!("no note {key}"));
    found.1.parse().unwrap_or_else(|_| panic!("{key} = {}", found.1))
}

/// The arithmetic-geometric mean, by which complete elliptic integrals are had: K(k) = π / 2 agm(1, √(1 − k²)).
pub fn agm(mut a: f64, mut b: f64) -> f64 {
    for _ in 0..60 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    a
}

/// `[run]` of dynamics.
pub fn dynamics(end: f64, steps: usize, tolerance: f64) -> String {
    format!("[run]\nanalysis = \"dynamics\"\nend = {end:e}\nsteps = {steps}\ntolerance = {tolerance:e}\n")
}

/// A pendulum: point mass 2 kg on 0.5 m (with a small inertia), started at that angle from the hanging position.
pub fn pendulum(angle: f64) -> String {
    format!(
        r#"
        gravity = [0, -9.81, 0]
        [bodies.bob]
        mass = 2
        com = [0, -0.5, 0]
        inertia = [0.01, 0.01, 0.01]
        [joints.O]
        type = "revolute"
        bodies = ["ground", "bob"]
        at = [[0, 0, 0], [0, 0, 0]]
        axis = [[0, 0, 1], [0, 0, 1]]
        [initial]
        "O.angle" = {angle}
        "#
    )
}

/// Two equal rods of 1 m and 1 kg hanging from each other, started at these angles from the vertical.
pub fn double_pendulum(first: f64, second: f64) -> String {
    format!(
        r#"
        gravity = [0, -9.81, 0]
        [bodies.upper]
        mass = 1
        com = [0, -0.5, 0]
        inertia = [0.083333333333333333, 0.001, 0.083333333333333333]
        [bodies.lower]
        mass = 1
        com = [0, -0.5, 0]
        inertia = [0.083333333333333333, 0.001, 0.083333333333333333]
        pose = {{ at = [0, -1, 0] }}
        [joints.O]
        type = "revolute"
        bodies = ["ground", "upper"]
        at = [[0, 0, 0], [0, 0, 0]]
        axis = [[0, 0, 1], [0, 0, 1]]
        [joints.A]
        type = "revolute"
        bodies = ["upper", "lower"]
        at = [[0, -1, 0], [0, 0, 0]]
        axis = [[0, 0, 1], [0, 0, 1]]
        [initial]
        "O.angle" = {first}
        "A.angle" = {}
        "#,
        second - first
    )
}

/// A free four-bar that never comes to lie in line: crank 1 m, coupler 2 m, rocker 2 m, ground 2.5 m, crank spinning.
pub const FOUR_BAR: &str = r#"
    gravity = [0, -9.81, 0]
    [bodies.crank]
    mass = 1
    com = [0.5, 0, 0]
    inertia = [0.001, 0.0833, 0.0833]
    pose = { angle = "60 deg", axis = [0, 0, 1] }
    [bodies.coupler]
    mass = 2
    com = [1, 0, 0]
    inertia = [0.001, 0.6667, 0.6667]
    pose = { at = [0.5, 0.866, 0], angle = "25 deg", axis = [0, 0, 1] }
    [bodies.rocker]
    mass = 2
    com = [1, 0, 0]
    inertia = [0.001, 0.6667, 0.6667]
    pose = { at = [2.5, 0, 0], angle = "95 deg", axis = [0, 0, 1] }
    [joints.O]
    type = "revolute"
    bodies = ["ground", "crank"]
    at = [[0, 0, 0], [0, 0, 0]]
    axis = [[0, 0, 1], [0, 0, 1]]
    [joints.A]
    type = "revolute"
    bodies = ["crank", "coupler"]
    at = [[1, 0, 0], [0, 0, 0]]
    axis = [[0, 0, 1], [0, 0, 1]]
    [joints.B]
    type = "revolute"
    bodies = ["coupler", "rocker"]
    at = [[2, 0, 0], [2, 0, 0]]
    axis = [[0, 0, 1], [0, 0, 1]]
    [joints.C]
    type = "revolute"
    bodies = ["ground", "rocker"]
    at = [[2.5, 0, 0], [0, 0, 0]]
    axis = [[0, 0, 1], [0, 0, 1]]
    [initial]
    "O.angle" = "60 deg"
    "O.angle.rate" = 3
"#;

/// The chain of `n` four-bar linkages of the IFToMM library: 2n + 1 uniform bars of 1 m and 1 kg, all cranks upright at the start,
/// tip speed 1 m/s. On the parallelogram branch the exact motion is φ'' = k sin φ (see [`n_four_bar_k`]).
pub fn n_four_bar(n: usize) -> String {
    let mut text = String::from("gravity = [0, -9.81, 0]\n");
    let bar = "mass = 1\ninertia = [1e-4, 0.083333333333333333, 0.083333333333333333]\ncom = [0.5, 0, 0]\n";
    let hinge = "type = \"revolute\"\naxis = [[0, 0, 1], [0, 0, 1]]\n";
    for i in 0..=n {
        text += &format!("[bodies.c{i}]\n{bar}pose = {{ at = [{i}, 0, 0], angle = \"90 deg\", axis = [0, 0, 1] }}\n");
        if i < n {
            text += &format!("[bodies.k{i}]\n{bar}pose = {{ at = [{i}, 1, 0] }}\n");
        }
    }
    for i in 0..=n {
        text += &format!("[joints.g{i}]\n{hinge}bodies = [\"ground\", \"c{i}\"]\nat = [[{i}, 0, 0], [0, 0, 0]]\n");
        if i < n {
            text += &format!("[joints.a{i}]\n{hinge}bodies = [\"c{i}\", \"k{i}\"]\nat = [[1, 0, 0], [0, 0, 0]]\n");
            let next = i + 1;
            text += &format!("[joints.b{i}]\n{hinge}bodies = [\"k{i}\", \"c{next}\"]\nat = [[1, 0, 0], [1, 0, 0]]\n");
        }
    }
    text + "[initial]\n\"g0.angle.rate\" = -1\n"
}

/// The constant k of the exact motion φ'' = k sin φ, φ from the upright, φ' = 1 at the start.
pub fn n_four_bar_k(n: usize) -> f64 {
    let n = n as f64;
    9.81 * ((n + 1.0) / 2.0 + n) / ((n + 1.0) / 3.0 + n)
}
