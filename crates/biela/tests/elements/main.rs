//! Rods, actuators, gears by teeth, belts, single angles and efforts of chosen joints, against closed forms and against each other.

#[path = "../common/mod.rs"]
mod common;
mod wheels;

use biela::model::{Analysis, Model};
use biela::results::Results;
use biela::solve::newton::METHODS;
use biela::solve::range::{range, Reason};
use biela::solve::run::{formulation_of, run};
use biela::source::Source;
use biela::text::{Document, Options};
use common::cases::{load, set};
use common::record::{held, CLOSED, OTHER, PUBLISHED};
use common::{column, difference, parse};
use std::f64::consts::{FRAC_PI_2, PI};

/// A few dozen operations on positions solved to 1e-12.
const ROUNDING: f64 = 1e-10;
/// Tolerance 1e-10 of the integration.
const INTEGRATED: f64 = 1e-7;

fn solve(model: &Model, formulation: &str) -> Results {
    let mut model = model.clone();
    model.study.every = true;
    run(&model, formulation, METHODS[0], |_, _| true).unwrap_or_else(|e| panic!("{}: {e}", model.name))
}

fn all(model: &Model) -> Results {
    solve(model, formulation_of(model))
}

fn refused(text: &str) -> String {
    let document = Document::from_toml(&Source::new("test.toml", text));
    match document.and_then(|d| d.model(&Options::default())) {
        Ok(model) => match run(&model, "absolute", METHODS[0], |_, _| true) {
            Ok(_) => panic!("is accepted:\n{text}"),
            Err(error) => error.to_string(),
        },
        Err(error) => error.to_string(),
    }
}

fn follows(results: &Results, name: &str, tolerance: f64, law: impl Fn(usize, f64) -> f64) {
    let wanted: Vec<f64> = results.times().iter().enumerate().map(|(k, t)| law(k, *t)).collect();
    let off = difference(column(results, name), &wanted);
    held(CLOSED, name, tolerance, off, format_args!("{:?} where {wanted:?} is due", column(results, name)));
}

/// A boom of length 2 and mass 10 at its end, held by a cylinder from (1, -0.5) to a point one metre out.
fn crane(more: &str) -> String {
    format!(
        r#"
planar = true
gravity = [0, -10]
[bodies.boom]
mass = 10
com = [2, 0]
inertia = 0.5
points = {{ K = [1, 0], T = [2, 0] }}
[joints.O]
type = "revolute"
bodies = ["ground", "boom"]
at = [0, 0]
[joints.ram]
type = "actuator"
bodies = ["ground", "boom"]
at = [[1, -0.5], "K"]
limits = {{ lower = 0.4, upper = 1.1 }}
{more}
"#
    )
}

const DRIVEN: &str = r#"
[drivers.pump]
joint = "ram"
value = "0.5 + 0.3*t"
[run]
analysis = "inverse-dynamics"
end = 1
steps = 20
"#;

/// Angle of the crane's boom, its rate and second rate for a length l of the cylinder with rates l1, l2: l² = 1 + d² − 2 d cos(angle − foot).
fn crane_angle(l: f64, l1: f64, l2: f64) -> [f64; 3] {
    let (d, foot) = (1.25f64.sqrt(), (-0.5f64).atan2(1.0));
    let psi = ((1.0 + d * d - l * l) / (2.0 * d)).acos();
    let (s, c) = psi.sin_cos();
    // l l' = d sin(psi) psi'.
    let rate = l * l1 / (d * s);
    let accel = (l1 * l1 + l * l2 - d * c * rate * rate) / (d * s);
    [foot + psi, rate, accel]
}

#[test]
fn a_cylinder_lifts_as_its_triangle_says() {
    let model = parse(&crane(DRIVEN));
    for formulation in ["absolute", "relative"] {
        let results = solve(&model, formulation);
        let at = |t: f64| crane_angle(0.5 + 0.3 * t, 0.3, 0.0);
        follows(&results, "ram.length", ROUNDING, |_, t| 0.5 + 0.3 * t);
        follows(&results, "ram.length.rate", ROUNDING, |_, _| 0.3);
        follows(&results, "O.angle", ROUNDING, |_, t| at(t)[0]);
        follows(&results, "O.angle.rate", ROUNDING, |_, t| at(t)[1]);
        follows(&results, "O.angle.accel", ROUNDING, |_, t| at(t)[2]);
        // (J + m r²) angle'' + m g r cos(angle) = force * lever; positive pushes.
        let force = |t: f64| {
            let [angle, _, accel] = at(t);
            let lever = {
                let (k, g) = ([angle.cos(), angle.sin()], [1.0, -0.5]);
                (k[0] * (k[1] - g[1]) - k[1] * (k[0] - g[0])) / (0.5 + 0.3 * t)
            };
            ((0.5 + 40.0) * accel + 200.0 * angle.cos()) / lever
        };
        follows(&results, "pump.effort", ROUNDING, |_, t| force(t));
        follows(&results, "ram.axial", ROUNDING, |_, t| -force(t));
        follows(&results, "pump.power", ROUNDING, |_, t| force(t) * 0.3);
        assert!(results.get("ram.fx").is_none(), "an actuator holds nothing by itself");
    }
    let mut moving = model.clone();
    moving.study.analysis = Analysis::Kinematics;
    for formulation in ["natural", "relative-matrix", "homogeneous"] {
        follows(&solve(&moving, formulation), "O.angle", ROUNDING, |_, t| crane_angle(0.5 + 0.3 * t, 0.3, 0.0)[0]);
    }
}

#[test]
fn strokes_end_ranges() {
    let found = range(&parse(&crane(DRIVEN)), Some("ram")).unwrap();
    for (bound, due) in [(&found.lower, 0.4), (&found.upper, 1.1)] {
        assert_eq!(bound.reason, Reason::Limit);
        held(CLOSED, "end of the stroke", 1e-9, (bound.value.unwrap() - due).abs(), due);
    }
    // The stroke ends what another driver does, too.
    let turned = crane("[drivers.motor]\njoint = \"O\"\nvalue = \"0.1*t\"\n[run]\nend = 1\nsteps = 4\n");
    let found = range(&parse(&turned), None).unwrap();
    assert_eq!(found.upper.reason, Reason::Limit);
    let off = (found.upper.value.unwrap() - crane_angle(1.1, 0.0, 0.0)[0]).abs();
    held(CLOSED, "angle at the end of the stroke", 1e-9, off, "upper end");
}

#[test]
fn a_free_cylinder_changes_nothing_and_a_given_force_pushes() {
    let start =
        "[initial]\n\"O.angle\" = 0.4\n[run]\nanalysis = \"dynamics\"\nend = 0.5\nsteps = 10\ntolerance = 1e-10\n";
    let with = parse(&crane(start));
    let without = parse(&crane(start).replace("[joints.ram]\ntype = \"actuator\"\nbodies = [\"ground\", \"boom\"]\nat = [[1, -0.5], \"K\"]\nlimits = { lower = 0.4, upper = 1.1 }\n", ""));
    for formulation in ["absolute", "natural", "relative"] {
        let (a, b) = (solve(&with, formulation), solve(&without, formulation));
        let off = difference(column(&a, "O.angle"), column(&b, "O.angle"));
        held(OTHER, "pendulum with an idle cylinder", INTEGRATED, off, formulation);
        let k = a.len() - 1;
        let angle = column(&a, "O.angle")[k];
        let length = (angle.cos() - 1.0).hypot(angle.sin() + 0.5);
        held(CLOSED, "length", ROUNDING, (column(&a, "ram.length")[k] - length).abs(), formulation);
        assert_eq!(column(&a, "ram.axial")[k], 0.0);
    }
    // In space: 6 N move 2 kg along x by half of 3 m/s² t².
    let model = parse(
        r#"
gravity = [0, 0, 0]
[bodies.block]
mass = 2
inertia = [1, 1, 1]
points = { P = [0, 0, 0] }
pose = { at = [1, 0, 0] }
[joints.guide]
type = "prismatic"
bodies = ["ground", "block"]
at = [[0, 0, 0], "P"]
axis = [1, 0, 0]
[joints.ram]
type = "actuator"
bodies = ["ground", "block"]
at = [[0, 0, 0], "P"]
[forces.oil]
type = "joint-torque"
joint = "ram"
value = "6 N"
[run]
analysis = "dynamics"
end = 1
steps = 10
tolerance = 1e-10
"#,
    );
    for formulation in ["absolute", "natural", "relative"] {
        let results = solve(&model, formulation);
        follows(&results, "ram.length", INTEGRATED, |_, t| 1.0 + 1.5 * t * t);
        follows(&results, "ram.axial", INTEGRATED, |_, _| -6.0);
    }
    let held_up = crane(
        "[forces.oil]\ntype = \"joint-torque\"\njoint = \"ram\"\nvalue = \"400 N\"\n[run]\nanalysis = \"statics\"\n",
    );
    let results = all(&parse(&held_up));
    // No equilibrium under a steady push is stable: it rests at the end of the stroke, m g r cos(angle) = force * lever.
    let angle = column(&results, "O.angle")[0];
    held(CLOSED, "end of the stroke", 1e-9, (column(&results, "ram.length")[0] - 1.1).abs(), angle);
    let (dx, dy) = (angle.cos() - 1.0, angle.sin() + 0.5);
    let lever = (angle.cos() * dy - angle.sin() * dx) / dx.hypot(dy);
    let force = 400.0 + column(&results, "ram.limit.effort")[0];
    held(CLOSED, "equilibrium on a cylinder", 1e-7, (200.0 * angle.cos() - force * lever).abs(), angle);
    held(CLOSED, "tension at the end of the stroke", 1e-7, (column(&results, "ram.axial")[0] + force).abs(), angle);
}

#[test]
fn rods_are_distances() {
    let text = |word: &str| {
        crane(&format!("[bodies.arm]\nmass = 1\ninertia = 0.1\npoints = {{ A = [3, 0], B = [3, 1] }}\n[joints.A]\ntype = \"revolute\"\nbodies = [\"ground\", \"arm\"]\nat = [3, 0]\n[joints.tie]\ntype = \"{word}\"\nbodies = [\"boom\", \"arm\"]\nat = [\"T\", \"B\"]\nlength = 1.5\n{DRIVEN}"))
    };
    let (rod, distance) = (all(&parse(&text("rod"))), all(&parse(&text("distance"))));
    // As written, since no number is equal to none.
    assert_eq!(format!("{rod:?}"), format!("{distance:?}"));
    assert!(rod.get("tie.axial").is_some());
}

const TURNED: &str = r#"
gravity = [0, 0, -9.81]
[bodies.top]
mass = 2
com = [0.1, 0.2, -0.1]
inertia = [0.3, 0.4, 0.5, 0.01, 0.02, 0.03]
[joints.ball]
type = "spherical"
bodies = ["ground", "top"]
at = [0, 0, 0]
[run]
analysis = "inverse-dynamics"
end = 2
steps = 20
"#;

#[test]
fn three_single_angles_are_an_orientation() {
    let laws = ["0.4*t", "0.3*sin(2*t)", "2*t + 0.1*t^2"];
    let single = parse(&format!(
        "{TURNED}[drivers]\nroll = {{ angle = \"top.roll\", value = \"{}\" }}\npitch = {{ angle = \"top.pitch\", value = \"{}\" }}\nyaw = {{ angle = \"top.yaw\", value = \"{}\" }}\n",
        laws[0], laws[1], laws[2]
    ));
    let whole = parse(&format!("{TURNED}[drivers.all]\nbody = \"top\"\norientation = {laws:?}\n"));
    for formulation in ["absolute", "relative"] {
        let (a, b) = (solve(&single, formulation), solve(&whole, formulation));
        for leaf in ["e0", "e1", "e2", "e3", "wx", "wy", "wz", "alx", "aly", "alz"] {
            let name = format!("top.{leaf}");
            held(OTHER, &name, ROUNDING, difference(column(&a, &name), column(&b, &name)), formulation);
        }
        // The efforts are those on each angle: together they do the same work, each its own part of it.
        let rates = [|_: f64| 0.4, |t: f64| 0.6 * (2.0 * t).cos(), |t: f64| 2.0 + 0.2 * t];
        let mut sum = vec![0.0; a.len()];
        for (driver, rate) in ["roll", "pitch", "yaw"].iter().zip(rates) {
            let effort = column(&a, &format!("{driver}.effort")).to_vec();
            follows(&a, &format!("{driver}.power"), ROUNDING, |k, t| effort[k] * rate(t));
            column(&a, &format!("{driver}.power")).iter().zip(&mut sum).for_each(|(p, sum)| *sum += p);
        }
        held(OTHER, "power", ROUNDING, difference(&sum, column(&b, "all.power")), formulation);
    }
}

/// Yaw driven alone: the others swing as gravity lets them.
#[test]
fn one_angle_leaves_the_others_free() {
    let model = parse(
        &TURNED
            .replace("inverse-dynamics", "dynamics")
            .replace("steps = 20", "steps = 20\ntolerance = 1e-10")
            .replace("[run]", "[drivers.yaw]\nangle = \"top.yaw\"\nvalue = \"0.5*t\"\n[run]"),
    );
    let results = all(&model);
    follows(&results, "top.yaw", ROUNDING, |_, t| 0.5 * t);
    assert!(column(&results, "top.roll").iter().any(|x| x.abs() > 0.1), "the rest swings");
}

/// A 2R arm whose tip goes round a circle. The motors bear it: Lagrange's equations in closed form.
const ARM: &str = r#"
planar = true
gravity = [0, -9.81]
[bodies.upper]
mass = 3
com = [0.25, 0]
inertia = 0.08
points = { E = [0.5, 0] }
[bodies.lower]
mass = 2
com = [0.7, 0.01]
inertia = 0.03
points = { T = [0.9, 0.1] }
[joints.S]
type = "revolute"
bodies = ["ground", "upper"]
at = [0, 0]
[joints.E]
type = "revolute"
bodies = ["upper", "lower"]
at = [0.5, 0]
[drivers.x]
point = "lower.T"
along = "x"
value = "0.6 + 0.15*cos(2*t)"
EFFORT
[drivers.y]
point = "lower.T"
along = "y"
value = "0.2 + 0.15*sin(2*t)"
EFFORT
[run]
analysis = "inverse-dynamics"
end = 3
steps = 40
"#;

#[test]
fn motors_of_an_arm_bear_its_path() {
    let model = parse(&ARM.replace("EFFORT", "effort = [\"S\", \"E\"]"));
    for formulation in ["absolute", "relative"] {
        let results = solve(&model, formulation);
        assert!(results.get("x.effort").is_none() && results.get("x.power").is_none());
        let at = |name: &str, k: usize| column(&results, name)[k];
        // Links l1 = 0.5; centre of the lower link at c from the elbow, at angle gamma to its drawn direction.
        let (c, gamma) = (0.2f64.hypot(0.01), 0.01f64.atan2(0.2));
        let torque = |k: usize| {
            let (q1, w1, a1) = (at("S.angle", k), at("S.angle.rate", k), at("S.angle.accel", k));
            let (q2, w2, a2) = (at("E.angle", k), at("E.angle.rate", k), at("E.angle.accel", k));
            let (q, w, a) = (q1 + q2, w1 + w2, a1 + a2);
            let (s, co) = (q + gamma - q1).sin_cos();
            let h = 2.0 * 0.5 * c;
            let second = (0.03 + 2.0 * c * c) * a + h * (co * a1 + s * w1 * w1) + 2.0 * 9.81 * c * (q + gamma).cos();
            let first = (0.08 + 3.0 * 0.0625 + 2.0 * 0.25) * a1
                + h * (co * a - s * w * w)
                + 9.81 * (3.0 * 0.25 + 2.0 * 0.5) * q1.cos();
            [first + second, second]
        };
        follows(&results, "S.effort", ROUNDING, |k, _| torque(k)[0]);
        follows(&results, "E.effort", ROUNDING, |k, _| torque(k)[1]);
        follows(&results, "S.power", ROUNDING, |k, _| torque(k)[0] * at("S.angle.rate", k));
    }
    // The reactions are those of motors at the joints, not those of a hand at the tip.
    let (by_motors, by_hand) = (all(&model), all(&parse(&ARM.replace("EFFORT", ""))));
    assert!(difference(column(&by_motors, "S.fx"), column(&by_hand, "S.fx")) > 0.1);
}

/// Efforts of a tool path against the same motion prescribed at the joints that bear it, sample by sample.
#[test]
fn three_motors_bear_a_platform() {
    let model = load("three-rrr", &set(&[]));
    let results = all(&model);
    follows(&results, "platform.T.x", ROUNDING, |_, t| 0.08 * (PI * t).sin());
    let joints = ["A1", "A2", "A3"];
    let text = common::cases::text("three-rrr");
    let [head, _] = [text.split("[drivers]").next().unwrap(), ""];
    for k in (0..results.len()).step_by(7) {
        let at = |name: String| column(&results, &name)[k];
        let drivers: String = (joints.iter())
            .map(|j| {
                let [q, v, a] = ["", ".rate", ".accel"].map(|leaf| at(format!("{j}.angle{leaf}")));
                format!("[drivers.m{j}]\njoint = \"{j}\"\nvalue = \"({q:?}) + ({v:?})*t + ({a:?})*t^2/2\"\n")
            })
            .collect();
        let same = parse(&format!("{head}{drivers}[run]\nanalysis = \"inverse-dynamics\"\nend = 0\n"));
        let there = all(&same);
        for joint in joints {
            let (ours, theirs) = (at(format!("{joint}.effort")), column(&there, &format!("m{joint}.effort"))[0]);
            held(
                OTHER,
                "effort",
                1e-8,
                (ours - theirs).abs() / 20.0,
                format_args!("{joint}, sample {k}: {ours}, {theirs}"),
            );
        }
        let (ours, theirs) = (at("C1.fx".into()), column(&there, "C1.fx")[0]);
        held(OTHER, "reaction", 1e-8, (ours - theirs).abs() / 20.0, format_args!("sample {k}: {ours}, {theirs}"));
    }
}

#[test]
fn joints_that_cannot_bear_a_path_are_told() {
    let message = refused(&ARM.replace("EFFORT", "effort = [\"S\"]"));
    assert!(message.contains("1 joint (S) cannot bear 2 prescribed freedoms (x, y)"), "{message}");
    // One motor at the shoulder cannot hold a tip that is driven along one line while the elbow is driven besides.
    let busy = ARM.replacen("EFFORT", "effort = [\"E\"]", 1).replace("EFFORT", "");
    let busy = busy
        .replace("point = \"lower.T\"\nalong = \"y\"\nvalue = \"0.2 + 0.15*sin(2*t)\"", "joint = \"E\"\nvalue = 0.3");
    let message = refused(&busy.replace("0.6 + 0.15*cos(2*t)", "1.3 + 0.01*t"));
    assert!(message.contains("'E.angle' is prescribed by driver 'y'"), "{message}");
    // A motor that the motion leaves alone bears nothing.
    let idle = ARM.replace("EFFORT", "effort = [\"S\", \"W\"]").replace("[run]", "[bodies.wheel]\nmass = 1\ninertia = 0.1\n[joints.W]\ntype = \"revolute\"\nbodies = [\"ground\", \"wheel\"]\nat = [2, 0]\n[drivers.w]\njoint = \"W\"\nvalue = \"t\"\neffort = [\"E\"]\n[run]");
    let fits = parse(&idle);
    assert!(run(&fits, "absolute", METHODS[0], |_, _| true).is_ok(), "three motors bear three freedoms");
    let stuck = idle.replace("effort = [\"E\"]", "").replace("joint = \"W\"", "angle = \"wheel\"");
    let message = refused(&stuck);
    assert!(message.contains("cannot bear it at t = 0.0"), "{message}");
}

#[test]
fn an_excavator_reaches_as_its_cylinders_say() {
    let mut model = load("excavator", &set(&[]));
    model.study.analysis = Analysis::Statics;
    let results = all(&model);
    let at = |name: &str, k: usize| column(&results, name)[k];
    // Triangle of foot, cylinder's foot and eye: the boom turns by the change of its angle.
    let angle = |l: f64| {
        let (k, g) = (2.2f64.hypot(1.9), 0.9f64.hypot(0.4));
        ((k * k + g * g - l * l) / (2.0 * k * g)).acos() + (-0.4f64).atan2(0.9) - 1.9f64.atan2(2.2)
    };
    follows(&results, "boom.angle", ROUNDING, |k, _| angle(at("boom_ram.length", k)));
    follows(&results, "boom.B.x", ROUNDING, |k, _| {
        let (s, c) = angle(at("boom_ram.length", k)).sin_cos();
        5.0 * c - 1.6 * s
    });
    // All weights and the digging force about the boom's foot, against the cylinder.
    let weights = [
        ("boom", 1400.0, [2.6, 1.6]),
        ("stick", 650.0, [5.5, 0.7]),
        ("lever", 40.0, [6.35, -0.45]),
        ("bucket", 600.0, [5.9, -1.45]),
    ];
    let force = |k: usize| {
        let turned = |body: &str, p: [f64; 2]| {
            let (s, c) = at(&format!("{body}.angle"), k).sin_cos();
            [at(&format!("{body}.x"), k) + c * p[0] - s * p[1], at(&format!("{body}.y"), k) + s * p[0] + c * p[1]]
        };
        let tooth = [at("bucket.T.x", k), at("bucket.T.y", k)];
        let own: f64 = weights.iter().map(|(body, mass, com)| -9.81 * mass * turned(body, *com)[0]).sum();
        let moment = own + tooth[0] * -10e3 - tooth[1] * -5e3;
        let eye = [at("boom.K.x", k), at("boom.K.y", k)];
        let d = [eye[0] - 0.9, eye[1] + 0.4];
        -moment * d[0].hypot(d[1]) / (eye[0] * d[1] - eye[1] * d[0])
    };
    follows(&results, "boom_pump.effort", ROUNDING, |k, _| force(k));
    follows(&results, "boom_ram.axial", ROUNDING, |k, _| -force(k));
}

/// Product of standard Denavit-Hartenberg transforms of the UR5 after `n` joints: rotation by rows, and origin.
fn ur5(q: &[f64; 6], n: usize) -> ([[f64; 3]; 3], [f64; 3]) {
    let a = [0.0, -0.425, -0.39225, 0.0, 0.0, 0.0];
    let d = [0.089159, 0.0, 0.0, 0.10915, 0.09465, 0.0823];
    let alpha = [FRAC_PI_2, 0.0, 0.0, FRAC_PI_2, -FRAC_PI_2, 0.0];
    let (mut r, mut p) = ([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [0.0; 3]);
    for k in 0..n {
        let ((s, c), (sa, ca)) = (q[k].sin_cos(), alpha[k].sin_cos());
        let link = [[c, -s * ca, s * sa], [s, c * ca, -c * sa], [0.0, sa, ca]];
        let way = [a[k] * c, a[k] * s, d[k]];
        p = [0, 1, 2].map(|i| p[i] + (0..3).map(|j| r[i][j] * way[j]).sum::<f64>());
        r = [0, 1, 2].map(|i| [0, 1, 2].map(|j| (0..3).map(|m| r[i][m] * link[m][j]).sum()));
    }
    (r, p)
}

#[test]
fn a_ur5_stands_and_weighs_as_published() {
    let mut model = load("ur5", &set(&[]));
    model.study.analysis = Analysis::Statics;
    let results = all(&model);
    let last = results.len() - 1;
    let at = |name: &str, k: usize| column(&results, name)[k];
    // Lynch and Park, Modern Robotics, example 4.5: (0.095, 0.109, 0.988) m upright, its base frame turned by half a turn about z.
    for (axis, published) in [("x", -0.095), ("y", -0.109), ("z", 0.988)] {
        let off = (at(&format!("link6.{axis}"), last) - published).abs();
        held(PUBLISHED, "tool of the UR5", 1e-3, off, axis);
    }
    // At zero: a2 + a3, -(d4 + d6), d1 - d5.
    for (axis, due) in [("x", -0.81725), ("y", -0.19145), ("z", -0.005491)] {
        held(PUBLISHED, "tool of the UR5", 1e-12, (at(&format!("link6.{axis}"), 0) - due).abs(), axis);
    }
    let masses = [3.7, 8.393, 2.33, 1.219, 1.219, 0.1879];
    let com = [
        [0.0, -0.02561, 0.00193],
        [0.2125, 0.0, 0.11336],
        [0.15, 0.0, 0.0265],
        [0.0, -0.0018, 0.01634],
        [0.0, 0.0018, 0.01634],
        [0.0, 0.0, -0.001159],
    ];
    for k in (0..results.len()).step_by(5) {
        let q = [1, 2, 3, 4, 5, 6].map(|j| at(&format!("joint{j}.angle"), k));
        for joint in 0..6 {
            // Axis and origin of the frame before the joint; the moment of all weights beyond it about that axis.
            let (r, p) = ur5(&q, joint);
            let z = [r[0][2], r[1][2], r[2][2]];
            let mut torque = 0.0;
            for link in joint..6 {
                let (rl, pl) = ur5(&q, link + 1);
                let c = [0, 1, 2].map(|i| pl[i] + (0..3).map(|j| rl[i][j] * com[link][j]).sum::<f64>() - p[i]);
                // z · (c × m g), g along −z.
                torque += 9.81 * masses[link] * (z[0] * c[1] - z[1] * c[0]);
            }
            let name = format!("m{}.effort", joint + 1);
            held(CLOSED, &name, ROUNDING, (at(&name, k) - torque).abs() / 50.0, format_args!("sample {k}"));
        }
    }
}
