//! Texts of machines that move under forces, for tests and benches.

/// Every principal formulation.
pub const FORMULATIONS: [&str; 3] = ["absolute", "natural", "relative"];

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
