//! Designs of linkages that close dyad by dyad.

use super::{shipped, Case};
use biela::model::Model;
use biela::optimise::Optimisation;
use biela::solve::assur::{Assur, Group};
use biela::solve::newton::METHODS;
use biela::source::Source;
use biela::text::{AskedGoal, Document, Options};
use biela::tree::Level;

/// Designs of a shipped model that differ in one parameter: how many of them stand side by side, all the way.
fn whole(name: &str, parameter: &str, values: &[f64]) -> usize {
    let document = shipped(name);
    let with = |x: f64| Options { values: vec![(parameter.to_string(), x)], ..Options::default() };
    let models: Vec<Model> = values.iter().map(|x| document.model(&with(*x)).unwrap()).collect();
    let times: Vec<f64> = (0..100).map(|k| 0.06 * f64::from(k)).collect();
    let plan = Assur::of_bodies(&models[0], "natural", METHODS[0], &times).unwrap();
    let mut group = Group::new(&plan, Level::detect());
    let mut count = 0;
    for models in models.chunks(group.width()) {
        let seated: Vec<bool> = models.iter().enumerate().map(|(lane, model)| group.seat(lane, model)).collect();
        group.run();
        count += (0..models.len()).filter(|lane| seated[*lane] && group.is_whole(*lane)).count();
    }
    count
}

#[test]
fn designs_near_each_other_need_no_other_solver() {
    let values: Vec<f64> = (0..13).map(|k| 8.0 + 0.01 * f64::from(k)).collect();
    assert_eq!(whole("four-bar", "coupler", &values), 13);
    let values: Vec<f64> = (0..9).map(|k| 3.4 + 0.05 * f64::from(k)).collect();
    assert_eq!(whole("slider-crank", "rod", &values), 9);
    // One that cannot turn.
    assert_eq!(whole("slider-crank", "rod", &[3.5, 1.9, 3.6]), 2);
}

#[test]
fn four_bars_are_those_of_the_general_solvers() {
    let document = shipped("four-bar");
    let vary = [
        ("crank", "normal(2, 5 mm)"),
        ("coupler", "normal(8, 5 mm)"),
        ("rocker", "normal(5, 5 mm)"),
        ("ground", "normal(10, 5 mm)"),
    ];
    let series = ["A", "P1", "P2", "B", "crank", "coupler", "rocker", "coupler.P2", "rocker.P2"];
    Case { document: &document, vary: &vary, measure: &[], series: &series, steps: 90, samples: 11, abreast: true }
        .agrees();
    let measure = [("swing", "range(B.angle)"), ("top", "max(rocker.P2.y)"), ("fast", "max(rocker.P2.speed)")];
    let rows = Case {
        document: &document,
        vary: &vary,
        measure: &measure,
        series: &[],
        steps: 36,
        samples: 40,
        abreast: true,
    }
    .agrees();
    assert!(rows.reasons.iter().all(String::is_empty));
}

#[test]
fn drivers_of_designs_may_differ() {
    let document = shipped("four-bar");
    let vary = [("alpha", "uniform(0, 360 deg)"), ("omega", "uniform(0.5, 1.2)"), ("accel", "values(0, 0.01)")];
    let series = ["A", "B", "P2", "coupler"];
    Case { document: &document, vary: &vary, measure: &[], series: &series, steps: 90, samples: 23, abreast: true }
        .agrees();
}

#[test]
fn slider_cranks_are_those_of_the_general_solvers() {
    let document = shipped("slider-crank");
    let vary = [("crank", "uniform(1.5, 2.5)"), ("rod", "normal(3.5, 10 mm)")];
    let series = ["O", "B", "C", "guide", "piston", "rod", "crank"];
    Case { document: &document, vary: &vary, measure: &[], series: &series, steps: 80, samples: 13, abreast: true }
        .agrees();
}

/// A crank that carries a slide through a pivot on the ground, and a slide that is led by a driver.
const INVERTED: &str = r#"
    name = "inverted"
    [parameters]
    crank = 1
    ground = 3
    off = 0.2
    [bodies.crank]
    points = { T = ["crank", 0, 0] }
    pose = { angle = 0.6, axis = [0, 0, 1] }
    [bodies.block]
    pose = { at = ["0.82*crank", "0.56*crank", 0], angle = 2.9, axis = [0, 0, 1] }
    [bodies.arm]
    points = { E = [4, 0, 0] }
    pose = { at = ["ground", 0, 0], angle = 2.9, axis = [0, 0, 1] }
    [joints.O]
    type = "revolute"
    bodies = ["ground", "crank"]
    at = [[0, 0, 0], [0, 0, 0]]
    axis = [0, 0, 1]
    [joints.A]
    type = "revolute"
    bodies = ["crank", "block"]
    at = ["T", [0, 0, 0]]
    axis = [0, 0, 1]
    [joints.S]
    type = "prismatic"
    bodies = ["block", "arm"]
    at = [[0, "off", 0], [0, 0, 0]]
    axis = [[1, 0, 0], [1, 0, 0]]
    [joints.C]
    type = "revolute"
    bodies = ["ground", "arm"]
    at = [["ground", 0, 0], [0, 0, 0]]
    axis = [0, 0, 1]
    [drivers.motor]
    joint = "O"
    value = "0.6 + t"
    [run]
    analysis = "kinematics"
    end = 6.0
"#;

#[test]
fn slides_between_pivots_are_those_of_the_general_solvers() {
    let document = Document::from_toml(&Source::new("inverted.toml", INVERTED)).unwrap();
    let vary = [("crank", "uniform(0.8, 1.2)"), ("ground", "uniform(2.8, 3.2)"), ("off", "uniform(-0.2, 0.3)")];
    let series = ["O", "A", "S", "C", "arm.E", "block"];
    Case { document: &document, vary: &vary, measure: &[], series: &series, steps: 60, samples: 17, abreast: true }
        .agrees();
}

/// Every kind of load on a slider-crank with its own heights, a slide led by a driver, and a slide between pivots.
const LOADED: &str = r#"
    name = "loaded"
    gravity = [0.3, -9.81, 0.5]
    [parameters]
    crank = 0.1
    stiffness = 300
    pull = 20
    heavy = 1.5
    [bodies.table]
    mass = 3
    com = [0.01, 0.02, 0.1]
    inertia = [0.1, 0.2, 0.3]
    [bodies.crank]
    mass = "heavy"
    com = [0.04, 0.01, 0.02]
    inertia = [0.01, 0.012, 0.02, 0, 0.001, 0]
    points = { T = ["crank", 0, 0.05] }
    pose = { at = [0, 0.1, 0], angle = 0.6, axis = [0, 0, 1] }
    [bodies.rod]
    mass = 0.8
    com = [0.15, -0.01, 0]
    inertia = [0.001, 0.008, 0.009]
    points = { T = [0.3, 0, 0] }
    pose = { at = ["0.82*crank", "0.1 + 0.56*crank", 0.05], angle = -0.2, axis = [0, 0, 1] }
    [bodies.piston]
    mass = 0.6
    inertia = [0.001, 0.001, 0.001]
    points = { T = [0.02, 0.01, 0.03] }
    pose = { at = [0.38, 0.1, 0.05] }
    [bodies.block]
    mass = 0.2
    inertia = [1e-4, 1e-4, 1e-4]
    pose = { at = ["0.82*crank", "0.1 + 0.56*crank", 0.05], angle = 3.0, axis = [0, 0, 1] }
    [bodies.arm]
    mass = 0.9
    com = [0.2, 0, 0]
    inertia = [1e-3, 1e-2, 1e-2]
    points = { E = [0.4, 0, 0] }
    pose = { at = [0.5, 0.1, 0.05], angle = 3.0, axis = [0, 0, 1] }
    [joints]
    bed = { type = "prismatic", bodies = ["ground", "table"], at = [[0, 0, 0], [0, 0, 0]], axis = [1, 0, 0] }
    O = { type = "revolute", bodies = ["crank", "table"], at = [[0, 0, 0], [0, 0.1, 0]], axis = [[0, 0, -1], [0, 0, -1]] }
    A = { type = "revolute", bodies = ["crank", "rod"], at = ["T", [0, 0, 0]], axis = [0, 0, 1] }
    B = { type = "revolute", bodies = ["piston", "rod"], at = [[0, 0, 0], "T"], axis = [0, 0, 1] }
    guide = { type = "prismatic", bodies = ["piston", "ground"], at = [[0, 0, 0], [0.1, 0.1, 0.05]], axis = [[1, 0, 0], [1, 0, 0]] }
    C = { type = "revolute", bodies = ["crank", "block"], at = ["T", [0, 0, 0]], axis = [0, 0, 1] }
    S = { type = "prismatic", bodies = ["block", "arm"], at = [[0, 0.01, 0], [0, 0, 0]], axis = [[1, 0, 0], [1, 0, 0]] }
    D = { type = "revolute", bodies = ["ground", "arm"], at = [[0.5, 0.1, 0.05], [0, 0, 0]], axis = [0, 0, 1] }
    [drivers]
    motor = { joint = "O", value = "-0.6 - 3*t" }
    feed = { joint = "bed", value = "0.01*sin(2*t)" }
    [forces]
    gas = { type = "force", body = "piston", at = "T", value = ["-pull*(1 + cos(3*t))", "0.1*pull*B.angle.rate", "4"] }
    tool = { type = "force", body = "rod", at = "T", value = ["2*pull", 3, 0], frame = "body" }
    drag = { type = "torque", body = "arm", value = [0.1, 0.2, "-pull*D.angle/100"] }
    twist = { type = "torque", body = "crank", value = [0, 0, 0.7] }
    spring = { type = "spring", bodies = ["crank", "arm"], at = ["T", "E"], stiffness = "stiffness", length = "0.2" }
    strut = { type = "spring-damper", bodies = ["ground", "piston"], at = [[0.3, 0.4, 0.2], "T"], stiffness = 40, damping = "2 + sin(t)", length = 0.1 }
    coil = { type = "joint-spring", joint = "A", stiffness = 2, damping = 0.1, rest = 0.3 }
    gib = { type = "friction", joint = "guide", viscous = 3, coulomb = 1.5 }
    fan = { type = "motor", joint = "D", stall = 0.4, speed = 20 }
    brake = { type = "joint-torque", joint = "S", value = "-pull*S.slide" }
    [run]
    analysis = "inverse-dynamics"
    end = 2.0
"#;

/// Joints, drivers and ground of that machine, as far as they lie in its plane.
const IN_PLANE: [&str; 24] = [
    "O.fx",
    "O.fy",
    "O.mz",
    "bed.fx",
    "bed.fy",
    "bed.mz",
    "A.fx",
    "A.local.fy",
    "B.fx",
    "B.fy",
    "guide.fx",
    "guide.fy",
    "guide.mz",
    "S.fx",
    "S.fy",
    "S.mz",
    "S.local.fx",
    "D.fx",
    "motor.effort",
    "feed.effort",
    "motor.power",
    "feed.power",
    "ground.fx",
    "ground.mz",
];

#[test]
fn forces_are_those_of_the_general_solvers() {
    let document = Document::from_toml(&Source::new("loaded.toml", LOADED)).unwrap();
    let vary = [
        ("crank", "normal(0.1, 1 mm)"),
        ("stiffness", "uniform(250, 350)"),
        ("pull", "uniform(0, 30)"),
        ("heavy", "uniform(1, 2)"),
    ];
    let case = Case {
        document: &document,
        vary: &vary,
        measure: &[],
        series: &IN_PLANE,
        steps: 120,
        samples: 11,
        abreast: true,
    };
    case.agrees();
    let still = Document::from_toml(&Source::new("still.toml", LOADED.replace("inverse-dynamics", "statics"))).unwrap();
    Case { document: &still, ..case }.agrees();
    // What bears loads out of the plane is not unique, and a choice of the general solvers.
    Case { series: &["O.fz"], samples: 1, abreast: false, ..case }.agrees();
}

#[test]
fn bearing_loads_of_a_slider_crank_are_those_of_the_general_solvers() {
    let document = shipped("balanced-slider-crank");
    let vary = [("rod", "uniform(110 mm, 300 mm)"), ("balance", "uniform(0, 30 mm)")];
    // All lies at one height, so that everything out of the plane vanishes.
    let series = ["O", "B", "C", "guide", "O.force", "guide.force", "motor", "motor.power", "ground.fx"];
    let case =
        Case { document: &document, vary: &vary, measure: &[], series: &series, steps: 72, samples: 13, abreast: true };
    case.agrees();
    let planar = Document::from_toml(&Source::new("planar.toml", PLANAR)).unwrap();
    let series = ["O", "A", "B", "C", "motor", "motor.power", "A.force", "ground.fx", "ground.fy", "ground.mz"];
    let vary = [("coupler", "normal(0.8, 1 mm)"), ("heavy", "uniform(1, 2)")];
    Case { document: &planar, vary: &vary, series: &series, ..case }.agrees();
}

/// A four-bar of the plane.
const PLANAR: &str = r#"
    planar = true
    gravity = [0, -9.81]
    [parameters]
    coupler = 0.8
    heavy = 1
    [bodies]
    crank = { mass = 1, com = [0.1, 0], inertia = 0.01, pose = { angle = "60 deg" } }
    coupler = { mass = "heavy", com = [0.4, 0.05], inertia = 0.05, pose = { at = [0.1, 0.17], angle = "22 deg" } }
    rocker = { mass = 1, com = [0.2, 0], inertia = 0.03, pose = { at = [1, 0], angle = "108 deg" } }
    [joints]
    O = { type = "revolute", bodies = ["ground", "crank"], at = [[0, 0], [0, 0]] }
    A = { type = "revolute", bodies = ["crank", "coupler"], at = [[0.2, 0], [0, 0]] }
    B = { type = "revolute", bodies = ["coupler", "rocker"], at = [["coupler", 0], [0.5, 0]] }
    C = { type = "revolute", bodies = ["ground", "rocker"], at = [[1, 0], [0, 0]] }
    [drivers.motor]
    joint = "O"
    value = "1 + 4*t"
    [run]
    analysis = "inverse-dynamics"
    end = 1.5
"#;

#[test]
fn what_is_out_of_the_ordinary_leaves_and_is_told_as_ever() {
    let document = shipped("four-bar");
    // Some cannot be closed, some reach a dead centre, few steps go too far for one each, and a length of zero is no link.
    let vary = [("coupler", "values(8, 3.5, 7.2, 6.9, 0, 8.3, 12.9)"), ("rocker", "values(5, 4.6, 2)")];
    let measure = [("swing", "range(B.angle)")];
    for steps in [3, 60] {
        let rows = Case {
            document: &document,
            vary: &vary,
            measure: &measure,
            series: &[],
            steps,
            samples: 21,
            abreast: true,
        }
        .agrees();
        let failed = rows.reasons.iter().filter(|r| !r.is_empty()).count();
        assert!(failed > 0 && failed < rows.len(), "{:?}", rows.reasons);
    }
}

#[test]
fn a_drawing_in_the_other_sense_is_another_design() {
    let text = std::fs::read_to_string(format!("{}/../../models/four-bar.toml", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let text = text
        .replace("[parameters]\n", "[parameters]\nflip = 1\n")
        .replace("at = [1, 1.7, 0], angle = \"22 deg\"", "at = [1, 1.7, 0], angle = \"if(flip > 0, 22 deg, -52 deg)\"")
        .replace("angle = \"108 deg\"", "angle = \"if(flip > 0, 108 deg, 230 deg)\"");
    let document = Document::from_toml(&Source::new("flipped.toml", text.as_str())).unwrap();
    let vary = [("flip", "values(1, -1)"), ("coupler", "values(8, 8.1, 8.2, 8.3)")];
    let measure = [("first", "first(rocker.P2.y)"), ("top", "max(rocker.P2.y)")];
    let rows =
        Case { document: &document, vary: &vary, measure: &measure, series: &[], steps: 72, samples: 8, abreast: true }
            .agrees();
    let both = rows.columns[0].iter().zip(&rows.columns[2]);
    both.for_each(|(flip, y)| assert_eq!(flip.signum(), y.signum()));
    assert!([1.0, -1.0].iter().all(|flip| rows.columns[0].contains(flip)));
}

#[test]
fn what_is_no_such_linkage_goes_as_before() {
    let one_by_one = |name: &str, vary: (&str, &str), measure: &[(&str, &str)]| {
        let document = shipped(name);
        Case { document: &document, vary: &[vary], measure, series: &[], steps: 36, samples: 2, abreast: false }
            .agrees();
    };
    // Couplings between coordinates.
    one_by_one("gear-train", ("omega", "values(6, 6.1)"), &[]);
    // The residual is one of equations, which there are none of here.
    one_by_one("four-bar", ("coupler", "values(8, 8.1)"), &[("worst", "max(residual)")]);
}

#[test]
fn an_optimum_is_the_same_with_designs_side_by_side_and_one_by_one() {
    let document = shipped("four-bar");
    let pair = |a: &str, b: &str| (a.to_string(), b.to_string());
    // The fastest tip that a rocker has which swings by no less than 0.9 rad.
    let asked = AskedGoal {
        vary: vec![pair("crank", "1.8:2.4"), pair("coupler", "7.6:8.4")],
        minimise: vec![pair("fast", "max(rocker.P2.speed)")],
        limit: vec![pair("swing", "range(B.angle) >= 0.9")],
        starts: Some(1),
        samples: Some(4),
        ..AskedGoal::default()
    };
    let options = Options { steps: Some(72), ..Options::default() };
    let solve = |level: Option<Level>| {
        let goal = document.goal(&options, &asked).unwrap_or_else(|e| panic!("{e}"));
        let mut optimisation = Optimisation::new(&document, &options, goal, None, METHODS[0]).unwrap();
        optimisation.level = level;
        let found = optimisation.solve(1, &|_| true).unwrap();
        found.parameters.iter().map(|p| p.best).collect::<Vec<f64>>()
    };
    let (alone, first) = (solve(None), solve(Some(Level::Portable)));
    for level in Level::ALL.iter().map(|l| l.1).filter(|level| *level <= Level::detect()) {
        assert_eq!(solve(Some(level)), first, "{level:?}");
    }
    // What a descent by quadratic programs leaves of the way to the optimum.
    const DESCENT: f64 = 1e-5;
    for (a, b) in first.iter().zip(&alone) {
        assert!((a - b).abs() < DESCENT, "{first:?} {alone:?}");
    }
}
