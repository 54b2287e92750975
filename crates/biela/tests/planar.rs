//! Planar models against closed forms and counts by hand, and what can be said in them.

mod common;

use biela::model::{Analysis, Model};
use biela::results::Results;
use biela::solve::check::{check, Report};
use biela::solve::newton::METHODS;
use biela::solve::{assembly_modes, ik, run, verify};
use biela::system::{FORMULATIONS, VARIANTS};
use biela::text::{Document, Options};
use common::forward::{agm, last};
use common::record::{held, CLOSED};
use common::{column, difference, parse};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Positions are solved to 1e-12 and often much better.
const SOLVED: f64 = 1e-11;
/// Tolerance 1e-11 of the integration over some hundred steps.
const INTEGRATED: f64 = 1e-8;

fn solved(model: &Model, formulation: &str) -> Results {
    run::run(model, formulation, METHODS[0], |_, _| true).unwrap_or_else(|e| panic!("{formulation}: {e}"))
}

fn checked(text: &str) -> Report {
    check(&parse(text), "absolute").unwrap_or_else(|e| panic!("{e}"))
}

/// A four-bar in drawing style: every joint at one place of the drawing, no poses.
const FOUR_BAR: &str = r#"
planar = true
parameters = { a = 0.3, c = 0.7, d = 1.0 }
bodies.crank = {}
bodies.coupler = { points = { P = [0.5, 0.9] } }
bodies.rocker = {}
joints.A = { type = "revolute", bodies = ["ground", "crank"], at = [0, 0] }
joints.B = { type = "revolute", bodies = ["crank", "coupler"], at = [0, "a"] }
joints.C = { type = "revolute", bodies = ["coupler", "rocker"], at = ["0.85", "sqrt(c^2 - 0.15^2)"] }
joints.D = { type = "revolute", bodies = ["ground", "rocker"], at = ["d", 0] }
drivers.motor = { joint = "A", value = "2*pi*t" }
run = { end = 1.0, steps = 60 }
"#;

#[test]
fn a_four_bar_follows_freudenstein() {
    let model = parse(FOUR_BAR);
    let place = |k: usize| model.joints[k].frames[0].origin;
    // As drawn, angles count from the drawing: B stands above A, C at its place.
    let c = (0.85, (0.7_f64 * 0.7 - 0.15 * 0.15).sqrt());
    let (crank, coupler, rocker) = (0.3, (c.0 * c.0 + (c.1 - 0.3) * (c.1 - 0.3)).sqrt(), 0.7);
    assert!((place(1).x, place(1).y) == (0.0, 0.3) && model.space.is_planar());
    for formulation in FORMULATIONS.iter().chain(VARIANTS) {
        let results = solved(&model, formulation.keyword);
        let mut off = 0.0_f64;
        for (turned, found) in column(&results, "A.angle").iter().zip(column(&results, "D.angle")) {
            let theta = FRAC_PI_2 + turned;
            // K1 cos ψ − K2 cos θ + K3 = cos(θ − ψ) with ψ of the rocker from the ground line.
            let (k1, k2) = (1.0 / crank, 1.0 / rocker);
            let k3 = (1.0 + crank * crank - coupler * coupler + rocker * rocker) / (2.0 * crank * rocker);
            let psi = f64::atan2(c.1, c.0 - 1.0) + found;
            off = off.max((k1 * psi.cos() - k2 * theta.cos() + k3 - (theta - psi).cos()).abs());
        }
        held(CLOSED, "Freudenstein's equation of a planar four-bar", SOLVED, off, formulation.keyword);
        // One turn is counted by the body as by its joint, whose angle counts from the drawing.
        let apart = difference(column(&results, "crank.angle"), column(&results, "A.angle"));
        assert!(apart < SOLVED, "{}: {apart:e}", formulation.keyword);
    }
}

#[test]
fn a_slider_crank_is_its_formula() {
    let text = r#"
        planar = true
        parameters = { r = "50 mm", l = "180 mm" }
        bodies.crank = { points = { B = ["r", 0] } }
        bodies.rod = { points = { C = ["l", 0] }, pose = { at = ["r", 0] } }
        bodies.piston = { pose = { at = ["r + l", 0] } }
        joints.O = { type = "revolute", bodies = ["ground", "crank"], at = [[0, 0], [0, 0]] }
        joints.B = { type = "revolute", bodies = ["crank", "rod"], at = ["B", [0, 0]] }
        joints.C = { type = "revolute", bodies = ["rod", "piston"], at = ["C", [0, 0]] }
        joints.guide = { type = "prismatic", bodies = ["ground", "piston"], at = [[0, 0], [0, 0]], axis = [1, 0] }
        drivers.motor = { joint = "O", value = "10*t" }
        run = { end = 1.0, steps = 50 }
    "#;
    let model = parse(text);
    for formulation in FORMULATIONS.iter().chain(VARIANTS) {
        let results = solved(&model, formulation.keyword);
        let at = |theta: f64| 0.05 * theta.cos() + (0.18_f64.powi(2) - (0.05 * theta.sin()).powi(2)).sqrt();
        let due: Vec<f64> = column(&results, "O.angle").iter().map(|theta| at(*theta)).collect();
        for name in ["guide.slide", "piston.x"] {
            let off = difference(column(&results, name), &due);
            held(CLOSED, "piston of a planar slider-crank", SOLVED, off, formulation.keyword);
        }
        assert!(results.get("piston.z").is_none() && results.get("piston.e0").is_none());
    }
}

/// From rest at half a quarter turn it takes K(sin(a/2)) √(J/mgl) to the lowest point.
#[test]
fn a_pendulum_takes_its_time() {
    let (amplitude, m, l, j) = (2.0_f64, 1.3_f64, 0.4_f64, 0.05_f64);
    let period = PI / (2.0 * agm(1.0, (amplitude / 2.0).cos())) * ((j + m * l * l) / (m * 9.81 * l)).sqrt();
    let text = format!(
        r#"
        planar = true
        gravity = [0, -9.81]
        bodies.rod = {{ mass = {m}, com = [0, -{l}], inertia = {j} }}
        joints.O = {{ type = "revolute", bodies = ["ground", "rod"], at = [0, 0] }}
        initial = {{ "rod.angle" = {amplitude} }}
        run = {{ analysis = "dynamics", end = {period}, steps = 10, tolerance = 1e-11 }}
        "#
    );
    for formulation in FORMULATIONS {
        let results = solved(&parse(&text), formulation.keyword);
        held(
            CLOSED,
            "quarter period of a planar pendulum",
            INTEGRATED,
            last(&results, "rod.angle").abs(),
            formulation.keyword,
        );
        let speed = (2.0 * m * 9.81 * l * (1.0 - amplitude.cos()) / (j + m * l * l)).sqrt();
        held(
            CLOSED,
            "its speed at the lowest point",
            INTEGRATED,
            (last(&results, "rod.w").abs() - speed).abs(),
            formulation.keyword,
        );
        let reaction = m * 9.81 + m * l * speed * speed;
        let off = (last(&results, "O.fy") - reaction).abs() / reaction;
        held(CLOSED, "its bearing's load there", INTEGRATED, off, formulation.keyword);
    }
}

/// A plate thrown across the plane: x, y and angle are what the formulas of a free body say.
#[test]
fn a_plate_that_nothing_holds_flies() {
    let text = r#"
        planar = true
        gravity = [0, -9.81]
        bodies.plate = { mass = 2, inertia = 0.3 }
        joints.fly = { type = "planar", bodies = ["ground", "plate"], at = [0, 0] }
        initial = { "plate.vx" = 3, "plate.vy" = 4, "plate.w" = 5 }
        run = { analysis = "dynamics", end = 1.5, steps = 5, tolerance = 1e-11 }
    "#;
    for (k, formulation) in FORMULATIONS.iter().enumerate() {
        let floating = text.lines().filter(|line| !line.contains("joints.fly")).collect::<Vec<_>>().join("\n");
        for text in [text, &floating] {
            let results = solved(&parse(text), formulation.keyword);
            for (name, due) in
                [("x", 4.5), ("y", 6.0 - 0.5 * 9.81 * 2.25), ("angle", 7.5), ("vy", 4.0 - 9.81 * 1.5), ("w", 5.0)]
            {
                let off = (last(&results, &format!("plate.{name}")) - due).abs();
                held(CLOSED, "a plate thrown in the plane", INTEGRATED, off, format!("{name}, {k}"));
            }
        }
    }
}

/// Bodies and joints of a linkage of pins: number of bodies, and pins between them at places.
fn pins(bodies: usize, at: &[(usize, usize, [f64; 2])]) -> String {
    let mut text = "planar = true\n".to_string();
    (1..=bodies).for_each(|k| text += &format!("bodies.b{k} = {{}}\n"));
    let name = |k: usize| if k == 0 { "ground".to_string() } else { format!("b{k}") };
    for (k, (a, b, [x, y])) in at.iter().enumerate() {
        let (a, b) = (name(*a), name(*b));
        text += &format!("joints.J{k} = {{ type = \"revolute\", bodies = [\"{a}\", \"{b}\"], at = [{x}, {y}] }}\n");
    }
    text
}

#[test]
fn counts_are_those_made_by_hand() {
    let four_bar = [(0, 1, [0.0, 0.0]), (1, 2, [0.1, 0.4]), (2, 3, [0.9, 0.8]), (0, 3, [1.0, 0.0])];
    let watt = [four_bar.as_slice(), &[(3, 4, [1.4, 0.5]), (4, 5, [2.0, 0.9]), (0, 5, [2.2, 0.0])]].concat();
    let stephenson = [four_bar.as_slice(), &[(2, 4, [0.5, 1.2]), (4, 5, [1.6, 1.0]), (0, 5, [1.7, 0.1])]].concat();
    let five_bar = [(0, 1, [0.0, 0.0]), (1, 2, [0.1, 0.4]), (2, 3, [0.6, 0.9]), (3, 4, [0.9, 0.5]), (0, 4, [1.0, 0.0])];
    let truss = [(0, 1, [0.0, 0.0]), (1, 2, [0.3, 0.8]), (0, 2, [1.0, 0.0])];
    // Name, bodies, pins, Grübler's count, mobility, redundant rows.
    for (name, bodies, at, grubler, mobility, redundant) in [
        ("four-bar", 3, four_bar.as_slice(), 1, 1, 0),
        ("Watt", 5, &watt, 1, 1, 0),
        ("Stephenson", 5, &stephenson, 1, 1, 0),
        ("five-bar", 4, &five_bar, 2, 2, 0),
        ("truss", 2, &truss, 0, 0, 0),
    ] {
        let report = checked(&pins(bodies, at));
        assert_eq!((report.coordinates, report.equations), (3 * bodies, 2 * at.len()), "{name}");
        assert_eq!((report.grubler, report.motion.mobility), (grubler, Some(mobility)), "{name}");
        assert_eq!((report.motion.redundancies, report.redundant.len()), (redundant, 0), "{name}");
        assert_eq!(report.rank, report.equations, "{name}");
    }
    // A third crank of the same length: one row too many, and it moves nevertheless.
    let third = [
        (0, 1, [0.0, 0.0]),
        (1, 2, [0.2, 0.5]),
        (2, 3, [1.2, 0.5]),
        (0, 3, [1.0, 0.0]),
        (0, 4, [0.5, 0.0]),
        (4, 2, [0.7, 0.5]),
    ];
    let report = checked(&pins(4, &third));
    assert_eq!((report.grubler, report.motion.mobility, report.motion.redundancies), (0, Some(1), 1));
    let components: Vec<&str> = report.redundant.iter().flat_map(|r| r.1.clone()).collect();
    assert_eq!(components.len(), 1);
    assert!(["fx", "fy", "mz"].contains(&components[0]), "{components:?}");
    // What is suggested stays in the plane, and helps.
    let words: Vec<String> = report.motion.suggestions.iter().flatten().map(|c| c.words()).collect();
    assert!(
        !words.is_empty() && words.iter().all(|w| w.contains("point-on-line") || w.contains("leave out")),
        "{words:?}"
    );
    let indeterminate = report.motion.reactions.map(|r| r.indeterminate()).unwrap_or_default();
    assert!(
        !indeterminate.is_empty() && indeterminate.iter().all(|n| n.ends_with(".fx") || n.ends_with(".fy")),
        "{indeterminate:?}"
    );
}

#[test]
fn a_four_bar_has_the_figures_of_the_contract() {
    for formulation in ["absolute", "relative", "natural"] {
        let report = check(&parse(FOUR_BAR), formulation).unwrap_or_else(|e| panic!("{e}")).json();
        let due = match formulation {
            "absolute" => [9, 8, 8],
            // Two loops' rows of the cut joint; x and y of B and C with two lengths and one row more for the drawn point.
            "relative" => [3, 2, 2],
            _ => [4, 3, 3],
        };
        assert_eq!(
            ["coordinates", "equations", "rank"].map(|key| report[key].as_i64()),
            due.map(Some),
            "{formulation}"
        );
        assert_eq!((report["grubler"].as_i64(), report["mobility"].as_i64()), (Some(1), Some(1)), "{formulation}");
        assert_eq!(report["redundant"].as_array().map(Vec::len), Some(0), "{formulation}");
    }
}

/// Places as two strings: points of both bodies, or expressions; brackets tell them apart.
#[test]
fn two_strings_are_points_or_a_place() {
    let text = |at: &str| {
        format!(
            r#"
            planar = true
            parameters = {{ a = 0.3, B = 0.1 }}
            bodies.crank = {{ points = {{ A = [1, 2], B = [0.4, 0] }} }}
            bodies.rod = {{ points = {{ B = [0.5, 0.25] }}, pose = {{ at = [1, 0] }} }}
            joints.M = {{ type = "revolute", bodies = ["crank", "rod"], at = {at} }}
            "#
        )
    };
    let places = |at: &str| parse(&text(at)).joints[0].frames.map(|f| [f.origin.x, f.origin.y]);
    assert_eq!(places(r#"["A", "B"]"#), [[1.0, 2.0], [0.5, 0.25]]);
    assert_eq!(places(r#"["a", "2*a"]"#), [[0.3, 0.6], [-0.7, 0.6]]);
    assert_eq!(places(r#"["(B)", "a"]"#), [[0.1, 0.3], [-0.9, 0.3]]);
    assert_eq!(places(r#"["B", [0, 0]]"#), [[0.4, 0.0], [0.0, 0.0]]);
    assert_eq!(places(r#"["a", 0]"#), [[0.3, 0.0], [-0.7, 0.0]]);
    assert_eq!(places("[1, 2]"), [[1.0, 2.0], [0.0, 2.0]]);
    assert_eq!(places("[[1, 2], [3, 4]]"), [[1.0, 2.0], [3.0, 4.0]]);
    for (at, word) in [(r#"["A", "a"]"#, "neither a pair"), (r#"["B", "B"]"#, "two ways"), ("[1, 2, 3]", "planar")] {
        let document = Document::from_toml(&biela::source::Source::new("test.toml", text(at))).expect("a text");
        let error = document.model(&Options::default()).expect_err(at).to_string();
        assert!(error.contains(word), "{at}: {error}");
    }
}

/// An axis of each body: the second lies across the first, a quarter turn further.
#[test]
fn a_slider_takes_an_axis_of_each_body() {
    let text = r#"
        planar = true
        bodies.slider = { pose = { angle = "-80 deg" } }
        joints.G = { type = "prismatic", bodies = ["ground", "slider"], at = [[0, 0], [0, 0]], axis = [[1, 0], [0, 1]] }
        drivers.push = { joint = "G", value = "0.5 + t" }
        run = { end = 1, steps = 2 }
    "#;
    for formulation in FORMULATIONS.iter().chain(VARIANTS) {
        let results = solved(&parse(text), formulation.keyword);
        assert!(difference(column(&results, "slider.x"), &[0.5, 1.0, 1.5]) < SOLVED);
        assert!(difference(column(&results, "slider.angle"), &[-FRAC_PI_2; 3]) < SOLVED, "{}", formulation.keyword);
    }
}

/// Samples so far apart that the crank makes most of a turn between them.
#[test]
fn bodies_count_their_turns() {
    let text = FOUR_BAR.replace("end = 1.0, steps = 60", "end = 3.0, steps = 4");
    for formulation in FORMULATIONS {
        let results = solved(&parse(&text), formulation.keyword);
        let due = [0.0, 0.75, 1.5, 2.25, 3.0].map(|turns| turns * TAU);
        assert!(difference(column(&results, "crank.angle"), &due) < SOLVED, "{}", formulation.keyword);
    }
}

#[test]
fn every_formulation_agrees_on_a_machine_with_everything() {
    let text = r#"
        planar = true
        gravity = [0, -9.81]
        [bodies.crank]
        mass = 1.2
        com = [0.1, 0]
        inertia = 0.01
        points = { B = [0.2, 0] }
        [bodies.rod]
        mass = 0.8
        com = [0.3, 0.05]
        inertia = 0.02
        points = { C = [0.6, 0], T = [0.3, 0.2] }
        pose = { at = [0.2, 0] }
        [bodies.slider]
        mass = 2
        inertia = 0.05
        pose = { at = [0.8, 0] }
        [bodies.gear]
        shape = { type = "cylinder", radius = 0.1, length = 0.02, density = 7800 }
        pose = { at = [-0.3, 0] }
        [joints.O]
        type = "revolute"
        bodies = ["ground", "crank"]
        at = [0, 0]
        [joints.B]
        type = "revolute"
        bodies = ["crank", "rod"]
        at = ["B", [0, 0]]
        [joints.C]
        type = "revolute"
        bodies = ["rod", "slider"]
        at = ["C", [0, 0]]
        [joints.guide]
        type = "prismatic"
        bodies = ["ground", "slider"]
        at = [0, 0]
        axis = [1, 0.1]
        [joints.G]
        type = "revolute"
        bodies = ["ground", "gear"]
        at = [-0.3, 0]
        [couplings.teeth]
        type = "gear"
        joints = ["O", "G"]
        ratio = -2
        [forces.load]
        type = "force"
        body = "rod"
        at = "T"
        value = ["5*cos(t)", -3]
        [forces.brake]
        type = "torque"
        body = "gear"
        value = "-0.4*G.angle.rate"
        [forces.spring]
        type = "spring-damper"
        bodies = ["ground", "slider"]
        at = [[0.2, 0.4], [0, 0]]
        stiffness = 150
        damping = 4
        length = 0.5
        [rotors.disc]
        body = "crank"
        inertia = 0.001
        angle = "5*O.angle"
        [initial]
        "O.angle" = "50 deg"
        "O.angle.rate" = 3
        [run]
        analysis = "dynamics"
        end = 0.5
        steps = 10
        tolerance = 1e-11
    "#;
    let model = parse(text);
    let found = FORMULATIONS.iter().map(|f| solved(&model, f.keyword)).collect::<Vec<_>>();
    for other in &found[1..] {
        for name in [
            "O.angle",
            "rod.angle",
            "rod.w",
            "guide.slide.rate",
            "rod.T.ax",
            "B.fx",
            "guide.mz",
            "teeth.effort",
            "energy.total",
        ] {
            let off = difference(column(&found[0], name), column(other, name));
            assert!(off < 1e-6, "{name}: {off:e}");
        }
    }
    let work = column(&found[0], "energy.drift").iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    assert!(work < 1e-7, "{work:e}");
    // Driven, forces at every sample agree too.
    let driven = text
        .replace("[run]", "[drivers.motor]\njoint = \"O\"\nvalue = \"50 deg + 3*t\"\n[run]")
        .replace("\"dynamics\"", "\"inverse-dynamics\"");
    let report = verify::verify(&parse(&driven), METHODS[0], |_, _| true).unwrap_or_else(|e| panic!("{e}"));
    for (level, found) in &report.largest {
        assert!(found.difference < 1e-8, "{level:?}: {} by {:e}", found.signal, found.difference);
    }
    // At rest under the same loads.
    let still = text.replace("\"dynamics\"", "\"statics\"");
    let rest = FORMULATIONS
        .iter()
        .filter(|f| f.keyword != "natural")
        .map(|f| solved(&parse(&still), f.keyword))
        .collect::<Vec<_>>();
    assert!(difference(column(&rest[0], "O.angle"), column(&rest[1], "O.angle")) < 1e-6);
}

#[test]
fn a_hand_reaches_a_pose_of_the_plane() {
    let text = r#"
        planar = true
        bodies.upper = { points = { E = [0.5, 0] } }
        bodies.fore = { points = { W = [0.4, 0] }, pose = { at = [0.5, 0] } }
        bodies.hand = { points = { T = [0.1, 0] }, pose = { at = [0.9, 0] } }
        joints.S = { type = "revolute", bodies = ["ground", "upper"], at = [[0, 0], [0, 0]] }
        joints.E = { type = "revolute", bodies = ["upper", "fore"], at = ["E", [0, 0]] }
        joints.W = { type = "revolute", bodies = ["fore", "hand"], at = ["W", [0, 0]] }
    "#;
    let model = parse(text);
    let task =
        ik::Task::by_expressions(&model, "hand.T", [Some("0.4"), Some("0.3"), None, None, None, Some("1.2")], "");
    let task = task.unwrap_or_else(|e| panic!("{e}"));
    let found = ik::run(&model, &task, &[], ik::Redundancy::default()).unwrap_or_else(|e| panic!("{e}"));
    let sum: f64 = ["S.angle", "E.angle", "W.angle"].iter().map(|name| column(&found, name)[0]).sum();
    assert!((sum - 1.2).abs() < 1e-9 && column(&found, "distance")[0] < 1e-9, "{sum}");
    let error =
        ik::Task::by_expressions(&model, "hand.T", [None, None, Some("1"), None, None, None], "--").expect_err("z");
    assert!(error.to_string().contains("out of the plane"), "{error}");
}

#[test]
fn both_assemblies_of_a_four_bar_are_found() {
    let modes = assembly_modes::all(&parse(FOUR_BAR), 0.0).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(modes.modes.len(), 2);
    assert!(modes.complete);
}

/// Signals on request and of one's own: what of them lies in the plane, against the laws of momentum.
#[test]
fn figures_of_the_whole_are_those_of_the_plane() {
    let text = r#"
        planar = true
        gravity = [0, -9.81]
        bodies.crank = { mass = 2, com = [0.3, 0.1], inertia = 0.2, points = { P = [0.6, 0.8] } }
        joints.O = { type = "revolute", bodies = ["ground", "crank"], at = [0, 0] }
        drivers.motor = { joint = "O", value = "3*t + t^2" }
        signals = { own = "norm(crank.P.v)" }
        run = { analysis = "inverse-dynamics", end = 1, steps = 8, moment_point = [1, 2] }
    "#;
    let names = [
        "own",
        "crank.P.speed",
        "crank.w",
        "crank.al",
        "crank.angle",
        "ground",
        "system",
        "motor.power",
        "motor.effort",
        "O.force",
    ];
    for formulation in ["absolute", "relative"] {
        let model = parse(text);
        let choice = biela::signal::Choice::new(&model, &names).unwrap_or_else(|e| panic!("{e}"));
        let asked = model.with_study(choice.narrowed(&model.study));
        let results = choice.take(solved(&asked, formulation)).unwrap_or_else(|e| panic!("{e}"));
        let at = |name: &str| column(&results, name);
        for k in 0..results.len() {
            let (w, al, angle) = (at("crank.w")[k], at("crank.al")[k], at("crank.angle")[k]);
            // P lies 1 from O, the mass centre c = √0.1 under the angle atan2(0.1, 0.3) more.
            let (c, s) = (0.1_f64.sqrt(), angle + 0.1_f64.atan2(0.3));
            let [x, y] = [c * s.cos(), c * s.sin()];
            let [ax, ay] = [-al * y - w * w * x, al * x - w * w * y];
            // What the joint exerts on the crank is m (a − g); the ground bears the opposite, and the motor's torque too.
            let [fx, fy] = [2.0 * ax, 2.0 * (ay + 9.81)];
            let torque = (0.2 + 2.0 * c * c) * al + 2.0 * 9.81 * x;
            let due = [
                ("own", w.abs()),
                ("crank.P.speed", w.abs()),
                ("O.force", fx.hypot(fy)),
                ("motor.effort", torque),
                ("motor.power", torque * w),
                ("ground.fx", -fx),
                ("ground.fy", -fy),
                ("ground.mz", -torque - 2.0 * fx + fy),
                ("system.com.x", x),
                ("system.com.y", y),
                ("system.px", -2.0 * w * y),
                ("system.py", 2.0 * w * x),
                ("system.lz", (0.2 + 2.0 * c * c) * w),
            ];
            for (name, due) in due {
                held(
                    CLOSED,
                    "figures of a planar crank",
                    SOLVED,
                    (at(name)[k] - due).abs() / 20.0,
                    format!("{name}, {formulation}"),
                );
            }
        }
        for name in ["ground.fz", "system.com.z", "system.lx", "crank.roll"] {
            assert!(biela::signal::Signal::parse(&model, name).is_none(), "{name}");
        }
    }
}

/// Drawn ten thousand kilometres away, to the last metre's digits: the machine moves as it does at home.
#[test]
fn far_from_the_origin_it_moves_alike() {
    let far = FOUR_BAR
        .replace("at = [0, 0]", "at = [1e7, -1e7]")
        .replace("at = [0, \"a\"]", "at = [1e7, \"a - 1e7\"]")
        .replace("at = [\"0.85\", \"sqrt(c^2 - 0.15^2)\"]", "at = [\"1e7 + 0.85\", \"sqrt(c^2 - 0.15^2) - 1e7\"]")
        .replace("at = [\"d\", 0]", "at = [\"1e7 + d\", -1e7]");
    let [near, far] = [FOUR_BAR, &far].map(|text| solved(&parse(text), "absolute"));
    // Places are written to the ninth part of a metre's ten-millionth there.
    for name in ["D.angle", "coupler.angle", "rocker.w", "C.angle.accel"] {
        let off = difference(column(&near, name), column(&far, name));
        assert!(off < 1e-7, "{name}: {off:e}");
    }
}

/// What the page and pictures see is the motion in space.
#[test]
fn pictures_show_planar_models() {
    let model = parse(FOUR_BAR);
    let results = solved(&model, "absolute");
    let motion = biela::picture::Animation::new(&model, &results).unwrap_or_else(|e| panic!("{e}"));
    let pose = motion.pose(1, 10);
    let due = column(&results, "crank.angle")[10];
    assert!((pose.rotation.axes[0].y.atan2(pose.rotation.axes[0].x) - due).abs() < 1e-12 && pose.origin.z == 0.0);
    let scene = biela::picture::scene(&model, &motion).unwrap_or_else(|e| panic!("{e}"));
    assert!(scene.planar);
}

#[test]
fn statics_and_inverse_dynamics_need_gravity_in_the_plane() {
    let mut model = parse(FOUR_BAR);
    model.study.analysis = Analysis::InverseDynamics;
    let error = run::run(&model, "absolute", METHODS[0], |_, _| true).expect_err("no gravity").to_string();
    assert!(error.contains("gravity = [0, -9.81]"), "{error}");
}
