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

/// Andrews' squeezer mechanism: seven bodies in one plane, a spring and a constant torque [Schiehlen 1990; Hairer, Wanner 1996].
pub fn squeezer() -> String {
    let (beta, gamma, phi, delta, omega, epsilon): (f64, f64, f64, f64, f64, f64) = (
        -0.061_713_890_014_276_45,
        0.45527981916307038,
        0.22266839016588588,
        0.48736497954384255,
        -0.22266839016588588,
        1.230_547_444_549_821,
    );
    let body = |name: &str, m: f64, i: f64, com: [f64; 2], at: [f64; 2], angle: f64| {
        format!(
            "[bodies.{name}]\nmass = {m}\ninertia = [{i}, {i}, {i}]\ncom = [{}, {}, 0]\n\
             pose = {{ at = [{}, {}, 0], angle = {angle}, axis = [0, 0, 1] }}\n",
            com[0], com[1], at[0], at[1]
        )
    };
    let pin = |name: &str, a: &str, b: &str, p: [f64; 2], q: [f64; 2]| {
        format!(
            "[joints.{name}]\ntype = \"revolute\"\nbodies = [\"{a}\", \"{b}\"]\naxis = [[0, 0, 1], [0, 0, 1]]\n\
             at = [[{}, {}, 0], [{}, {}, 0]]\n",
            p[0], p[1], q[0], q[1]
        )
    };
    let (a, b) = ([-0.06934, -0.00227], [-0.03635, 0.03273]);
    let tip = [0.007 * beta.cos(), 0.007 * beta.sin()];
    let e = [a[0] + 0.04 * delta.cos(), a[1] + 0.04 * delta.sin()];
    let h = [a[0] + 0.04 * epsilon.sin(), a[1] - 0.04 * epsilon.cos()];
    let zero = [0.0, 0.0];
    "gravity = [0, 0, 0]\n".to_string()
        + &body("K1", 0.04325, 2.194e-6, [0.00092, 0.0], zero, beta)
        + &body("K2", 0.00365, 4.410e-7, [-0.0115, 0.0], tip, beta)
        + &body("K3", 0.02373, 5.255e-6, [0.01043, -0.01874], b, gamma)
        + &body("K4", 0.00706, 5.667e-7, [0.0, -(0.02 - 0.01421)], e, phi + delta)
        + &body("K5", 0.07050, 1.169e-5, [0.02308, 0.00916], a, delta)
        + &body("K6", 0.00706, 5.667e-7, [0.02 - 0.01421, 0.0], h, omega + epsilon)
        + &body("K7", 0.05498, 1.912e-5, [-0.00449, -0.01228], a, epsilon)
        + &pin("O", "ground", "K1", zero, zero)
        + &pin("theta", "K1", "K2", [0.007, 0.0], zero)
        + &pin("B", "ground", "K3", b, zero)
        + &pin("A5", "ground", "K5", a, zero)
        + &pin("A7", "ground", "K7", a, zero)
        + &pin("E", "K5", "K4", [0.04, 0.0], zero)
        + &pin("H", "K7", "K6", [0.0, -0.04], zero)
        + &pin("P3", "K2", "K3", [-0.028, 0.0], [0.0, -0.035])
        + &pin("P4", "K2", "K4", [-0.028, 0.0], [0.0, -0.02])
        + &pin("P6", "K2", "K6", [-0.028, 0.0], [0.02, 0.0])
        + "[forces.spring]\ntype = \"spring\"\nbodies = [\"K3\", \"ground\"]\nat = [[0.02, -0.018, 0], [0.014, 0.072, 0]]\n\
           stiffness = 4530\nlength = 0.07785\n[forces.motor]\ntype = \"joint-torque\"\njoint = \"O\"\nvalue = 0.033\n"
        + &format!("[initial]\n\"O.angle\" = {beta}\n")
}

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
