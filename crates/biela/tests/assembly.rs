//! Assembly from rough drawings: near ones find the drawn position, far ones still close.

mod common;

use biela::math::{EulerParameters, Pose};
use biela::model::{Analysis, Model};
use biela::results::Results;
use biela::solve::{forward, kinematics};
use common::cases::*;
use common::Stream;

/// Models that are disturbed. The two-link hand is not: near its stretched position the drawing is all that tells left from right.
const MODELS: [&str; 29] = [
    "arm-3r",
    "bennett",
    "cam-follower",
    "cccc",
    "cssp",
    "delta-robot",
    "double-cardan",
    "four-bar",
    "gear-train",
    "haug-slider-crank",
    "hoeken",
    "oldham",
    "pantograph",
    "parallelogram",
    "peaucellier",
    "planetary-gear",
    "power-screw",
    "quick-return",
    "rack-and-pinion",
    "rssr",
    "sarrus",
    "scotch-yoke",
    "slider-crank",
    "slider-crank-003",
    "slider-crank-purged",
    "spatial-slider-crank-003",
    "spherical-four-bar",
    "stewart-platform",
    "watt-six-bar",
];

/// The model with each moving body shifted by up to `shift` sizes and turned by up to about `turn` radians.
///
/// Only the poses are disturbed, after the text has been compiled: joints that were read from the drawing keep their places.
fn disturbed(model: &Model, size: f64, shift: f64, turn: f64, seed: u64) -> Model {
    let mut stream = Stream(seed);
    let mut poses = model.guess().poses().to_vec();
    for pose in &mut poses[1..] {
        let rotation = EulerParameters::from_rotation_vector(stream.vector() * turn).rotation() * pose.rotation;
        *pose = Pose::new(rotation, pose.origin + stream.vector() * (shift * size));
    }
    model.with_guess(&poses)
}

/// First sample only.
fn start(model: &Model) -> Result<Results, String> {
    let mut model = model.clone();
    model.study.steps = 1;
    model.study.end = model.study.start + 1e-6;
    biela::solve::kinematics::run(&model, "absolute", |_, _| true).map_err(|e| e.to_string())
}

fn size(name: &str) -> f64 {
    biela::solve::check::check(&load(name, &set(&[])), "absolute").unwrap().size
}

#[test]
fn a_small_disturbance_finds_the_drawn_position() {
    // A few degrees and hundredths of the size: what a ruler on a sketch gives.
    const ROUNDS: u64 = 10;
    for name in MODELS {
        let model = load(name, &set(&[]));
        let (exact, size) = (start(&model).unwrap(), size(name));
        for seed in 0..ROUNDS {
            let found = start(&disturbed(&model, size, 0.02, 0.05, seed)).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert!(column(&found, "residual")[0] <= RESIDUAL, "{name}, seed {seed}");
            let idle = biela::solve::check::check(&model, "absolute").unwrap().idle;
            for body in &model.bodies[1..] {
                let mut leaves = vec!["x", "y", "z"];
                // The spin of an idle rod is wherever it was drawn; the origin need not lie on its line.
                if idle.contains(&body.name) {
                    leaves.clear();
                }
                for leaf in leaves {
                    let signal = format!("{}.{leaf}", body.name);
                    let off = (column(&found, &signal)[0] - column(&exact, &signal)[0]).abs();
                    assert!(off <= 1e-9 * size, "{name}, seed {seed}, {signal}: another position, {off:e} away");
                }
            }
        }
    }
}

#[test]
fn a_large_disturbance_still_closes() {
    // A third of a radian and a tenth of the size: the drawing is wrong but recognisable. Another branch is allowed.
    const ROUNDS: u64 = 6;
    for name in MODELS {
        let model = load(name, &set(&[]));
        let size = size(name);
        for seed in 100..100 + ROUNDS {
            let report = biela::solve::check::check(&disturbed(&model, size, 0.1, 0.3, seed), "absolute");
            let residual = report.unwrap_or_else(|e| panic!("{name}, seed {seed}: {e}")).residual;
            assert!(residual <= RESIDUAL, "{name}, seed {seed}: {residual:e}");
        }
    }
}

#[test]
fn nothing_drawn_at_all_still_closes() {
    // Every body at the origin, unturned: joints are given in pairs, so the drawing only says where to begin.
    for name in ["four-bar", "slider-crank", "slider-crank-003", "two-link-hand", "arm-3r", "cccc", "bennett"] {
        let model = load(name, &set(&[]));
        let model = model.with_guess(&vec![Pose::IDENTITY; model.bodies.len()]);
        let found = start(&model).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(column(&found, "residual")[0] <= RESIDUAL, "{name}");
    }
}

#[test]
fn the_thesis_guess_is_good_enough() {
    // Two digits per coordinate, Euler parameters of length 0.985 and 1.004 as printed (the reader makes them unit).
    let thesis = "[0.9138, 0, 0, 0.4061]";
    let model = altered(
        "slider-crank-purged",
        &[
            ("pose = { angle = \"2*atan2(0.4, 0.9)\", axis = [0, 0, 1] }", &format!("pose = {{ euler = {thesis} }}")),
            (
                "pose = { at = [3, 0.7, 0], angle = \"-2*atan2(0.2, 0.97)\", axis = [0, 0, 1] }",
                "pose = { at = [3, 0.7, 0], euler = [-0.97939, 0, 0, 0.20194] }",
            ),
        ],
    );
    let results = run(&model);
    // Exact values of the position that q0 rounds.
    for (signal, exact) in
        [("piston.x", 4.615_775_7), ("rod.x", 3.014_994_6), ("rod.y", std::f64::consts::FRAC_1_SQRT_2)]
    {
        assert!((column(&results, signal)[0] - exact).abs() < 1e-6, "{signal}");
    }
}

#[test]
fn the_drawing_chooses_the_branch() {
    let up = run(&load("four-bar", &set(&[])));
    let down = altered(
        "four-bar",
        &[
            ("at = [1, 1.7, 0], angle = \"22 deg\"", "at = [1, 1.7, 0], angle = \"-45 deg\""),
            ("angle = \"108 deg\"", "angle = \"-130 deg\""),
        ],
    );
    let down = run(&down);
    assert!(column(&up, "rocker.P2.y").iter().all(|y| *y > 0.0));
    assert!(column(&down, "rocker.P2.y").iter().all(|y| *y < 0.0));
    // The two positions of P2 are mirror images in the line from P1 to B.
    let (x1, y1) = (column(&up, "crank.P1.x")[0], column(&up, "crank.P1.y")[0]);
    let away = |r: &Results| {
        let (dx, dy) = (10.0 - x1, -y1);
        let (px, py) = (column(r, "rocker.P2.x")[0] - x1, column(r, "rocker.P2.y")[0] - y1);
        (dx * py - dy * px) / dx.hypot(dy)
    };
    assert!((away(&up) + away(&down)).abs() < 1e-12);
}

#[test]
fn the_dimension_at_fault_is_named() {
    // Ground 500, crank 100 held at 180 degrees: the pins B and D are 600 apart, and 380 cannot span that.
    let text = |coupler: &str| {
        format!(
            r#"
[bodies.crank]
points = {{ A = [0, 0, 0], B = ["100 mm", 0, 0] }}
[bodies.coupler]
points = {{ B = [0, 0, 0], C = ["{coupler}", 0, 0] }}
[bodies.rocker]
points = {{ D = [0, 0, 0], C = ["180 mm", 0, 0] }}
pose = {{ at = [0.5, 0, 0], angle = "120 deg", axis = "z" }}
[joints.A]
type = "revolute"
bodies = ["ground", "crank"]
at = [[0, 0, 0], "A"]
axis = "z"
[joints.B]
type = "revolute"
bodies = ["crank", "coupler"]
at = ["B", "B"]
axis = "z"
[joints.C]
type = "revolute"
bodies = ["coupler", "rocker"]
at = ["C", "C"]
axis = "z"
[joints.D]
type = "revolute"
bodies = ["ground", "rocker"]
at = [[0.5, 0, 0], "D"]
axis = "z"
[drivers.motor]
joint = "A"
value = "pi - t"
"#
        )
    };
    let message = biela::solve::check::check(&parse(&text("200 mm")), "absolute").unwrap_err().to_string();
    assert!(
        message.contains("BC + CD = 380 mm < 600 mm = DB") || message.contains("CD + BC = 380 mm < 600 mm"),
        "{message}"
    );
    assert!(message.contains("stays open by"), "{message}");
    assert!(biela::solve::check::check(&parse(&text("450 mm")), "absolute").is_ok());
}

fn refusal(text: &str) -> String {
    biela::solve::check::check(&parse(text), "absolute").err().unwrap_or_else(|| panic!("it closes")).to_string()
}

#[test]
fn dimensions_of_loops_with_slides_are_named() {
    // Crank 1.2 and rod 2 below a guide 4 m up: 3.2 m do not reach it.
    let text = |driver: &str| {
        format!(
            r#"
bodies.crank = {{ points = {{ B = [1.2, 0, 0] }} }}
bodies.rod = {{ points = {{ C = [2, 0, 0] }}, pose = {{ at = [1.2, 0, 0] }} }}
bodies.piston = {{ pose = {{ at = [3, 4, 0] }} }}
joints.O = {{ type = "revolute", bodies = ["ground", "crank"], at = [[0, 0, 0], [0, 0, 0]], axis = [0, 0, 1] }}
joints.B = {{ type = "revolute", bodies = ["crank", "rod"], at = ["B", [0, 0, 0]], axis = [0, 0, 1] }}
joints.C = {{ type = "revolute", bodies = ["rod", "piston"], at = ["C", [0, 0, 0]], axis = [0, 0, 1] }}
joints.guide = {{ type = "prismatic", bodies = ["ground", "piston"], at = [[0, 4, 0], [0, 0, 0]], axis = [1, 0, 0] }}
{driver}
"#
        )
    };
    let message = refusal(&text(""));
    assert!(message.contains("OB + BC = 3.2 m < 4 m = CO across guide"), "{message}");
    assert!(message.contains("stays open by"), "{message}");
    // Held at 30 degrees the crank's pin is 0.6 m up.
    let message = refusal(&text("drivers.m = { joint = \"O\", value = \"30 deg\" }"));
    assert!(message.contains("BC = 2 m < 3.4 m = CB across guide"), "{message}");
}

#[test]
fn dimensions_of_loops_in_space_are_named() {
    // RSSR: the crank's ball at (0, 0, 1), sqrt(10) from the rocker's pivot at (3, 0, 0), the rocker's ball 0.5 from it.
    let text = |rod: f64| {
        format!(
            r#"
bodies.crank = {{}}
bodies.rod = {{ pose = {{ at = [0, 0, 1], angle = "90 deg", axis = [0, 1, 0] }} }}
bodies.rocker = {{ pose = {{ at = [3, 0, 0] }} }}
joints.A = {{ type = "revolute", bodies = ["ground", "crank"], at = [[0, 0, 0], [0, 0, 0]], axis = [1, 0, 0] }}
joints.S = {{ type = "spherical", bodies = ["crank", "rod"], at = [[0, 0, 1], [0, 0, 0]] }}
joints.T = {{ type = "spherical", bodies = ["rod", "rocker"], at = [[0, 0, {rod}], [0.5, 0, 0]] }}
joints.D = {{ type = "revolute", bodies = ["ground", "rocker"], at = [[3, 0, 0], [0, 0, 0]], axis = [0, 1, 0] }}
drivers.m = {{ joint = "A", value = "0" }}
"#
        )
    };
    let message = refusal(&text(2.0));
    assert!(message.contains("ST + TD = 2.5 m < 3.16228 m = DS"), "{message}");
    let message = refusal(&text(4.0));
    assert!(message.contains("TD + DS = 3.66228 m < 4 m = ST"), "{message}");
    // The same with the axis offset along itself, where the triangle alone would close: sqrt(2² + (sqrt(10) − 0.5)²).
    let message = refusal(&text(3.3).replace("at = [[3, 0, 0], [0, 0, 0]]", "at = [[3, 2, 0], [0, 0, 0]]"));
    assert!(message.contains("ST = 3.3 m < 3.32982 m") && message.contains("at least"), "{message}");
    // A rod that is no body.
    let rod = r#"
bodies.rocker = { pose = { at = [3, 0, 0] } }
joints.D = { type = "revolute", bodies = ["ground", "rocker"], at = [[3, 0, 0], [0, 0, 0]], axis = [0, 1, 0] }
joints.L = { type = "distance", bodies = ["ground", "rocker"], at = [[0, 0, 1], [0.5, 0, 0]], length = 2 }
"#;
    let message = refusal(rod);
    assert!(message.contains("= 2.5 m < 3.16228 m"), "{message}");
}

/// A spindle with a thread of 4 mm, and a nut that cannot turn; a rack on a pinion of 20 mm; three wheels in mesh.
const MACHINES: [&str; 4] = [
    r#"
    [bodies.nut]
    mass = 1
    inertia = [0.01, 0.01, 0.01]
    [joints.thread]
    type = "screw"
    bodies = ["ground", "nut"]
    at = [0, 0, 0]
    axis = [0, 0, 1]
    pitch = "4 mm"
    "#,
    r#"
    [bodies.spindle]
    mass = 2
    inertia = [0.03, 0.03, 0.0002]
    [bodies.nut]
    mass = 1
    inertia = [0.01, 0.01, 0.01]
    pose = { at = [0, 0, "100 mm"] }
    [joints.bearing]
    type = "revolute"
    bodies = ["ground", "spindle"]
    at = [0, 0, 0]
    axis = [0, 0, 1]
    [joints.guide]
    type = "prismatic"
    bodies = ["ground", "nut"]
    at = [0, 0, "100 mm"]
    axis = [0, 0, 1]
    [joints.thread]
    type = "screw"
    bodies = ["spindle", "nut"]
    at = [0, 0, "100 mm"]
    axis = [0, 0, 1]
    pitch = "4 mm"
    "#,
    r#"
    [bodies.pinion]
    mass = 1
    inertia = [0.01, 0.01, 0.01]
    [bodies.rack]
    mass = 1
    inertia = [0.01, 0.01, 0.01]
    pose = { at = [0, "-20 mm", 0] }
    [joints.wheel]
    type = "revolute"
    bodies = ["ground", "pinion"]
    at = [0, 0, 0]
    axis = [0, 0, 1]
    [joints.guide]
    type = "prismatic"
    bodies = ["ground", "rack"]
    at = [0, "-20 mm", 0]
    axis = [1, 0, 0]
    [couplings.mesh]
    type = "rack"
    joints = ["wheel", "guide"]
    radius = "20 mm"
    offset = "30 mm"
    "#,
    r#"
    [bodies.a]
    mass = 1
    inertia = [0.01, 0.01, 0.01]
    [bodies.b]
    mass = 1
    inertia = [0.01, 0.01, 0.01]
    pose = { at = [1, 0, 0] }
    [bodies.c]
    mass = 1
    inertia = [0.01, 0.01, 0.01]
    pose = { at = [2, 0, 0] }
    [joints.A]
    type = "revolute"
    bodies = ["ground", "a"]
    at = [0, 0, 0]
    axis = [0, 0, 1]
    [joints.B]
    type = "revolute"
    bodies = ["ground", "b"]
    at = [1, 0, 0]
    axis = [0, 0, 1]
    [joints.C]
    type = "revolute"
    bodies = ["ground", "c"]
    at = [2, 0, 0]
    axis = [0, 0, 1]
    [couplings.first]
    type = "gear"
    joints = ["A", "B"]
    ratio = -2.5
    offset = "30 deg"
    [couplings.second]
    type = "gear"
    joints = ["B", "C"]
    ratio = 0.7
    "#,
];

/// A run by whatever analysis the text asks for.
fn started(text: &str, formulation: &str) -> Results {
    let model = common::parse(text);
    let found = match model.study.analysis {
        Analysis::Dynamics => forward::run(&model, formulation, |_, _| true),
        _ => kinematics::run(&model, formulation, |_, _| true),
    };
    found.unwrap_or_else(|e| panic!("{formulation}: {e}\n{text}"))
}

/// Turns of threads, racks and gears are counted, however far from the drawing a machine starts, by drivers as by initial values.
#[test]
fn many_turns_from_the_drawing_are_counted() {
    /// Angles of hundreds of radians are known to 1e-13 of their size.
    const SAME: f64 = 1e-10;
    let tau = std::f64::consts::TAU;
    let (thread, radius, offset) = (0.004 / tau, 0.02, 0.03);
    // Machine, what is given and where, and what follows.
    type Given<'c> = (usize, &'c str, f64, Vec<(&'c str, f64)>);
    let wheels =
        |a: f64| vec![("A.angle", a), ("B.angle", -2.5 * a + tau / 12.0), ("C.angle", 0.7 * (-2.5 * a + tau / 12.0))];
    let screws = |angle: f64| vec![("bearing.angle", -angle), ("thread.angle", angle), ("guide.slide", thread * angle)];
    let racks = |angle: f64| vec![("wheel.angle", angle), ("guide.slide", radius * angle + offset)];
    let cases: Vec<Given> = vec![
        (0, "thread.angle", 10.0 * tau, vec![("thread.angle", 10.0 * tau), ("nut.z", 0.04)]),
        (0, "thread.angle", -100.3 * tau, vec![("thread.angle", -100.3 * tau), ("nut.z", -0.4012)]),
        (1, "bearing.angle", 10.25 * tau, screws(-10.25 * tau)),
        (1, "thread.angle", -7.3 * tau, screws(-7.3 * tau)),
        (1, "guide.slide", 0.0148, screws(3.7 * tau)),
        (1, "guide.slide", -0.1, screws(-25.0 * tau)),
        (2, "wheel.angle", 5.2 * tau, racks(5.2 * tau)),
        (2, "guide.slide", 5.2 * tau * radius, racks(5.2 * tau - offset / radius)),
        (2, "guide.slide", -0.7, racks((-0.7 - offset) / radius)),
        (3, "A.angle", 10.3 * tau, wheels(10.3 * tau)),
        (3, "B.angle", -12.4 * tau, wheels((-12.4 * tau - tau / 12.0) / -2.5)),
        (3, "C.angle", 9.9 * tau, wheels((9.9 * tau / 0.7 - tau / 12.0) / -2.5)),
    ];
    for (machine, given, value, wanted) in &cases {
        let text = MACHINES[*machine];
        let (joint, _) = given.split_once('.').unwrap();
        let driven =
            format!("{text}\n[drivers.m]\njoint = \"{joint}\"\nvalue = {value:?}\n[run]\nend = 1\nsteps = 1\n");
        let rest = "[run]\nanalysis = \"dynamics\"\nend = 1e-3\nsteps = 1\n";
        let initial = format!("gravity = [0, 0, 0]\n{text}\n[initial]\n\"{given}\" = {value:?}\n{rest}");
        for formulation in ["absolute", "natural", "relative"] {
            for text in [&driven, &initial] {
                let found = started(text, formulation);
                for (name, wanted) in wanted {
                    let off = (common::column(&found, name)[0] - wanted).abs() / wanted.abs().max(1.0);
                    assert!(
                        off < SAME,
                        "{formulation} {given} = {value}: {name} is off by {off:e} of {wanted}\n{text}"
                    );
                }
            }
        }
    }
}

/// A nut drawn 3.7 pitches along its thread, with the turn that belongs to it, stays there.
#[test]
fn a_screw_stays_where_it_is_drawn() {
    for pitches in [3.7f64, -2.2, 12.0, 0.4] {
        let text = format!(
            "gravity = [0, 0, 0]\n[bodies.nut]\nmass = 1\ninertia = [0.01, 0.01, 0.01]\n\
             pose = {{ at = [0, 0, \"{pitches}*4 mm\"], angle = \"{pitches}*360 deg\", axis = [0, 0, 1] }}\n\
             [joints.thread]\ntype = \"screw\"\nbodies = [\"ground\", \"nut\"]\nat = [[0, 0, 0], [0, 0, 0]]\nzero = \"axes\"\n\
             axis = [[0, 0, 1], [0, 0, 1]]\nx = [[1, 0, 0], [1, 0, 0]]\npitch = \"4 mm\"\n\
             [run]\nanalysis = \"dynamics\"\nend = 1e-3\nsteps = 1\n"
        );
        for formulation in ["absolute", "natural", "relative"] {
            let found = started(&text, formulation);
            let angle = common::column(&found, "thread.angle")[0];
            assert!((angle - pitches * std::f64::consts::TAU).abs() < 1e-10, "{formulation} {pitches}: {angle}");
            assert!((common::column(&found, "nut.z")[0] - 0.004 * pitches).abs() < 1e-13);
        }
    }
}
