//! Joints that the library does not have, registered by a program: model texts, checks, motions, dynamics, tree algorithms, reactions and
//! pictures know them.
#![allow(non_snake_case)]

mod common;
mod own;

use biela::joints::{self, JointKind};
use biela::math::{EulerParameters, Vec3};
use biela::model::{Analysis, Model};
use biela::picture::{page, scene, Animation};
use biela::results::Results;
use biela::solve::check::check;
use biela::solve::kinematics;
use biela::tree::evaluate::evaluate;
use common::forward::{dynamics, run, FORMULATIONS};
use common::{column, difference};
use own::telescopic::Telescopic;

/// Roundings of a few dozen operations on numbers of order one.
const ROUNDING: f64 = 1e-11;
/// Tolerance 1e-10 of the integration over a hundred steps, and that of the reference.
const INTEGRATED: f64 = 1e-6;

fn parse(text: &str) -> Model {
    own::registered();
    common::parse(text)
}

/// A crank OB drives a block whose x axis points from C to B: the crank slide turned round. The pin at B leaves all that the telescopic joint
/// holds, so that every reaction is determined.
const QUICK_RETURN: &str = r#"
    gravity = [0, -9.81, 0]
    [bodies.crank]
    mass = 1.5
    com = [0.1, 0, 0]
    inertia = [0.01, 0.02, 0.03]
    points = { B = [0.2, 0, 0] }
    [bodies.block]
    mass = 0.7
    com = [0.05, 0.02, 0.01]
    inertia = [0.004, 0.005, 0.006]
    pose = { at = [0.2, 0, 0] }
    [joints.O]
    type = "revolute"
    bodies = ["ground", "crank"]
    at = [[0, 0, 0], [0, 0, 0]]
    axis = [[0, 0, 1], [0, 0, 1]]
    [joints.B]
    type = "point-on-line"
    bodies = ["crank", "block"]
    at = ["B", [0, 0, 0]]
    axis = [[0, 0, 1], [0, 0, 1]]
    [joints.C]
    type = "telescopic"
    bodies = ["ground", "block"]
    at = [[-0.5, 0, 0], [0, 0, 0]]
    axis = [[0, 0, 1], [0, 0, 1]]
    [drivers.motor]
    joint = "O"
    value = "0.4 + 2*t"
    [run]
    end = 3
    steps = 60
"#;

/// A body on a telescopic arm from the ground, with its mass centre in the joint point.
const ARM: &str = r#"
    gravity = [0, -9.81, 0]
    [bodies.hand]
    mass = 2
    inertia = [0.3, 0.4, 0.5]
    [joints.arm]
    type = "telescopic"
    bodies = ["ground", "hand"]
    at = [[0, 0, 0], [0, 0, 0]]
    axis = [[0, 0, 1], [0, 0, 1]]
"#;

#[test]
fn a_registered_joint_is_known_by_its_word_and_taken_words_are_refused() {
    own::registered();
    assert!(joints::kind("telescopic").is_some());
    assert_eq!(joints::all().len(), joints::JOINTS.len() + 2);
    for taken in [&Telescopic as &'static dyn JointKind, joints::REVOLUTE] {
        let error = joints::register(taken).expect_err("a taken keyword").to_string();
        assert!(error.contains(taken.keyword()), "{error}");
    }
    let text = QUICK_RETURN.replace("\"telescopic\"", "\"telescopc\"");
    let source = biela::source::Source::new("test.toml", text.as_str());
    let options = biela::text::Options::default();
    let error = biela::text::Document::from_toml(&source).and_then(|d| d.model(&options)).expect_err("a wrong word");
    assert!(error.to_string().contains("did you mean 'telescopic'?"), "{error}");
}

#[test]
fn its_mechanism_is_checked_and_moves_in_closed_form_by_every_formulation() {
    let model = parse(QUICK_RETURN);
    let report = check(&model, "absolute").expect("a report");
    assert_eq!((report.grubler, report.motion.mobility, report.motion.redundancies), (1, Some(1), 0));
    for formulation in FORMULATIONS {
        let results = kinematics::run(&model, formulation, |_, _| true).unwrap_or_else(|e| panic!("{e}"));
        let of = |name: &str| column(&results, name).to_vec();
        for (k, t) in of("t").into_iter().enumerate() {
            // B seen from C, its velocity, and what polar coordinates make of them.
            let (sin, cos) = (0.4 + 2.0 * t).sin_cos();
            let (x, y, vx, vy) = (0.5 + 0.2 * cos, 0.2 * sin, -0.4 * sin, 0.4 * cos);
            let slide = x.hypot(y);
            let due = [y.atan2(x), slide, (x * vy - y * vx) / (slide * slide), (x * vx + y * vy) / slide];
            let found = ["C.angle", "C.slide", "C.angle.rate", "C.slide.rate"].map(|name| of(name)[k]);
            assert!(difference(&found, &due) < ROUNDING, "{formulation} at {t}: {found:?} instead of {due:?}");
        }
    }
}

/// (θ, s) of the hand: (m s² + J) θ̈ + 2 m s ṡ θ̇ + m g s cos θ = τ, m s̈ − m s θ̇² + m g sin θ = f.
fn by_hand(q: [f64; 2], v: [f64; 2]) -> ([f64; 2], [f64; 2]) {
    let (m, inertia, g) = (2.0, 0.5, 9.81);
    let bias = [2.0 * m * q[1] * v[1] * v[0] + m * g * q[1] * q[0].cos(), m * (g * q[0].sin() - q[1] * v[0] * v[0])];
    ([m * q[1] * q[1] + inertia, m], bias)
}

#[test]
fn tree_algorithms_give_the_equations_written_by_hand() {
    let model = parse(ARM);
    let (q, v, a) = ([0.7, 1.3], [-0.4, 0.9], [2.0, -1.1]);
    let (mass, bias) = by_hand(q, v);
    let due = [mass[0] * a[0] + bias[0], mass[1] * a[1] + bias[1]];
    let head = "q.arm.angle,q.arm.slide,v.arm.angle,v.arm.slide,a.arm.angle,a.arm.slide,tau.arm.angle,tau.arm.slide";
    let row = [q, v, a, due].concat().iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(",");
    let quantities = ["fk", "rnea", "bias", "crba", "aba", "gah", "lagrange"];
    let found = evaluate(&model, &quantities, &format!("{head}\n{row}\n")).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(found["joints"], serde_json::json!(["arm.angle", "arm.slide"]));
    let state = &found["states"][0];
    let list = |value: &serde_json::Value| -> Vec<f64> {
        value.as_array().expect("a list").iter().map(|x| x.as_f64().expect("a number")).collect()
    };
    assert!(difference(&list(&state["rnea"]), &due) < ROUNDING, "{}", state["rnea"]);
    assert!(difference(&list(&state["bias"]), &bias) < ROUNDING, "{}", state["bias"]);
    assert!(difference(&list(&state["aba"]), &a) < ROUNDING, "{}", state["aba"]);
    for (k, row) in [[mass[0], 0.0], [0.0, mass[1]]].iter().enumerate() {
        assert!(difference(&list(&state["crba"][k]), row) < ROUNDING, "{}", state["crba"]);
    }
    let at = [q[1] * q[0].cos(), q[1] * q[0].sin(), 0.0];
    assert!(difference(&list(&state["fk"]["hand"]["p"]), &at) < ROUNDING, "{}", state["fk"]);
}

/// The classic fourth-order method in steps so small that its error is rounding.
fn integrated<const N: usize>(mut y: [f64; N], end: f64, rate: impl Fn([f64; N]) -> [f64; N]) -> [f64; N] {
    const STEPS: usize = 20_000;
    let h = end / STEPS as f64;
    for _ in 0..STEPS {
        let at = |k: [f64; N], h: f64| std::array::from_fn(|i| y[i] + h * k[i]);
        let a = rate(y);
        let b = rate(at(a, 0.5 * h));
        let c = rate(at(b, 0.5 * h));
        let d = rate(at(c, h));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (a[i] + 2.0 * (b[i] + c[i]) + d[i]));
    }
    y
}

#[test]
fn its_dynamics_follow_the_equations_written_by_hand() {
    let start =
        "[initial]\n\"arm.angle\" = 0.3\n\"arm.slide\" = 1.2\n\"arm.angle.rate\" = 2\n\"arm.slide.rate\" = -0.5\n";
    let text = format!("{ARM}{start}{}", dynamics(1.0, 20, 1e-10));
    parse(&text);
    let due = integrated([0.3, 1.2, 2.0, -0.5], 1.0, |[angle, slide, w, v]| {
        let (mass, bias) = by_hand([angle, slide], [w, v]);
        [w, v, -bias[0] / mass[0], -bias[1] / mass[1]]
    });
    for formulation in FORMULATIONS {
        let results = run(&text, formulation);
        let last = |name: &str| column(&results, name)[results.len() - 1];
        let found = ["arm.angle", "arm.slide", "arm.angle.rate", "arm.slide.rate"].map(last);
        assert!(difference(&found, &due) < INTEGRATED, "{formulation}: {found:?} instead of {due:?}");
    }
}

/// Vector of a signal in a sample.
fn vector(results: &Results, element: &str, leaves: [&str; 3], k: usize) -> Vec3 {
    Vec3::from(leaves.map(|leaf| column(results, &format!("{element}.{leaf}"))[k]))
}

#[test]
fn its_reactions_balance_the_body_it_carries() {
    let mut model = parse(QUICK_RETURN);
    model.study.analysis = Analysis::InverseDynamics;
    for formulation in ["absolute", "relative"] {
        let results = kinematics::run(&model, formulation, |_, _| true).unwrap_or_else(|e| panic!("{e}"));
        for k in 0..results.len() {
            let of = |element: &str, leaves| vector(&results, element, leaves, k);
            let e = ["e0", "e1", "e2", "e3"].map(|leaf| column(&results, &format!("block.{leaf}"))[k]);
            let rotation = EulerParameters(e).rotation();
            let (a, w, al) =
                (of("block", ["ax", "ay", "az"]), of("block", ["wx", "wy", "wz"]), of("block", ["alx", "aly", "alz"]));
            let c = rotation.apply(Vec3::new(0.05, 0.02, 0.01));
            let inertia = |u: Vec3| {
                let u = rotation.apply_transposed(u);
                rotation.apply(Vec3::new(0.004 * u.x, 0.005 * u.y, 0.006 * u.z))
            };
            let force = (a + al.cross(c) + w.cross(w.cross(c)) - Vec3::new(0.0, -9.81, 0.0)) * 0.7;
            let moment = inertia(al) + w.cross(inertia(w)) + c.cross(force);
            // Both joints act in the origin of the block.
            let [f_B, f_C] = ["B", "C"].map(|joint| of(joint, ["fx", "fy", "fz"]));
            let [m_B, m_C] = ["B", "C"].map(|joint| of(joint, ["mx", "my", "mz"]));
            let scale = force.norm().max(f_B.norm()).max(f_C.norm());
            assert!((f_B + f_C - force).norm() < ROUNDING * scale, "{formulation}: forces at sample {k}");
            assert!((m_B + m_C - moment).norm() < ROUNDING * scale, "{formulation}: moments at sample {k}");
            // What it lets move it does not hold: no moment about its axis, no force along the turned x.
            let x_M = rotation.axes[0];
            let about_C = m_C + (x_M * column(&results, "C.slide")[k]).cross(f_C);
            assert!(f_C.dot(x_M).abs() < ROUNDING * scale && about_C.z.abs() < ROUNDING * scale, "{formulation}: {k}");
        }
    }
}

#[test]
fn a_picture_shows_it() {
    let model = parse(&QUICK_RETURN.replace("point-on-line", "revolute"));
    let results = kinematics::run(&model, "absolute", |_, _| true).unwrap_or_else(|e| panic!("{e}"));
    let motion = Animation::new(&model, &results).expect("a motion");
    let scene = scene(&model, &motion).expect("a scene");
    assert!(scene.planar, "everything turns about z and slides across it");
    let mark = scene.joints.iter().find(|mark| mark.name == "C").expect("a mark");
    assert_eq!((mark.kind, mark.axis.is_some()), ("telescopic", true));
    assert!(scene.figures.iter().all(|figure| !figure.parts.is_empty()));
    assert!(page::html(&scene, &motion).contains("telescopic"));
}

#[test]
fn it_is_suggested_where_a_slide_across_the_axis_is_what_is_missing() {
    // A plate on a pin, and with a point on a line: along the line between the two one equation is too many.
    let text = r#"
        bodies.plate = {}
        joints.A = { type = "revolute", bodies = ["ground", "plate"], at = [0, 0, 0], axis = "z" }
        joints.B = { type = "point-on-line", bodies = ["ground", "plate"], at = [1, 0, 0], axis = "z" }
    "#;
    let report = check(&parse(text), "absolute").expect("a report");
    assert_eq!((report.motion.mobility, report.motion.redundancies), (Some(0), 1));
    let words: Vec<String> = report.motion.suggestions.iter().flatten().map(|change| change.words()).collect();
    assert_eq!(words, ["A: revolute → telescopic"]);
}

const RIDER: &str = r#"
    gravity = [0, 0, -9.81]
    [bodies.rider]
    mass = 2
    inertia = [0.2, 0.2, 0.3]
    [joints.track]
    type = "wave"
    bodies = ["ground", "rider"]
    at = [[0, 0, 0], [0, 0, 0]]
    axis = [[0, 0, 1], [0, 0, 1]]
    pitch = 0.2
"#;

#[test]
fn a_joint_that_is_no_chain_of_freedoms_moves_and_is_refused_by_trees_in_words() {
    let driven = parse(&format!("{RIDER}[drivers.motor]\njoint = \"track\"\nvalue = \"3*t\"\n[run]\nend = 4\n"));
    assert_eq!(check(&driven, "absolute").expect("a report").motion.mobility, Some(1));
    for formulation in FORMULATIONS {
        let results = kinematics::run(&driven, formulation, |_, _| true).unwrap_or_else(|e| panic!("{e}"));
        let due: Vec<f64> = column(&results, "t").iter().map(|t| 0.2 * (3.0 * t).sin()).collect();
        assert!(difference(column(&results, "rider.z"), &due) < ROUNDING, "{formulation}");
    }
    let results = kinematics::run(&driven, "absolute", |_, _| true).unwrap_or_else(|e| panic!("{e}"));
    let motion = Animation::new(&driven, &results).expect("a motion");
    assert!(page::html(&scene(&driven, &motion).expect("a scene"), &motion).contains("\"wave\""));
    let error = evaluate(&parse(RIDER), &["rnea"], "q.track\n0\n").expect_err("no tree").to_string();
    assert!(error.contains("joint 'track'") && error.contains("a wave joint"), "{error}");

    // (J + m a² cos² θ) θ̈ = m a² sin θ cos θ θ̇² − m g a cos θ.
    let text =
        format!("{RIDER}[initial]\n\"track.angle\" = 0.2\n\"track.angle.rate\" = 5\n{}", dynamics(2.0, 20, 1e-10));
    let due = integrated([0.2, 5.0], 2.0, |[angle, w]| {
        let (m, inertia, a, g) = (2.0, 0.3, 0.2, 9.81);
        let (sin, cos) = angle.sin_cos();
        [w, m * a * cos * (a * sin * w * w - g) / (inertia + m * a * a * cos * cos)]
    });
    for formulation in FORMULATIONS {
        let results = run(&text, formulation);
        let found = ["track.angle", "track.angle.rate"].map(|name| column(&results, name)[results.len() - 1]);
        assert!(difference(&found, &due) < INTEGRATED, "{formulation}: {found:?} instead of {due:?}");
    }
}
