//! Designs of mechanisms in space, and of linkages with groups larger than dyads.

use super::{shipped, Case};
use biela::model::Model;
use biela::optimise::Optimisation;
use biela::results::rows::Rows;
use biela::solve::designs::{Designs, Group};
use biela::solve::many::{motions, NUMBERS};
use biela::solve::newton::METHODS;
use biela::source::Source;
use biela::sweep::{self, Sweep, Work};
use biela::system::System;
use biela::text::{Asked, AskedGoal, Document, Options};
use biela::tree::Level;
use std::sync::Mutex;

/// A shipped mechanism with parameters that vary, and elements that are told.
type Shipped = (&'static str, &'static [(&'static str, &'static str)], &'static [&'static str]);

const SHIPPED: [Shipped; 8] = [
    (
        "stewart-platform",
        &[("ra", "normal(1, 2 mm)"), ("rb", "normal(0.6, 2 mm)"), ("yaw", "uniform(10 deg, 20 deg)")],
        &["platform", "platform.corner", "leg1", "foot3", "upper4"],
    ),
    (
        "haug-slider-crank",
        &[("crank", "normal(80 mm, 0.2 mm)"), ("rod", "normal(300 mm, 1 mm)")],
        &["slider", "crank", "rod"],
    ),
    (
        "spherical-four-bar",
        &[("AB", "normal(3, 0.01)"), ("OA", "normal(7, 0.01)")],
        &["crank", "coupler", "rocker", "B", "D"],
    ),
    (
        "cccc",
        &[("x32", "normal(2 in, 0.001 in)"), ("b43", "uniform(29 deg, 31 deg)")],
        &["coupler", "rocker", "in", "pin", "out", "far"],
    ),
    ("double-wishbone", &[("travel", "normal(60 mm, 1 mm)")], &["upright", "upright.S", "lower-arm", "upper"]),
    ("double-cardan", &[("bend", "normal(30 deg, 0.2 deg)"), ("omega", "uniform(6, 6.5)")], &["middle", "output"]),
    (
        "jansen-leg",
        &[("A", "normal(38 mm, 0.1 mm)"), ("L", "normal(7.8 mm, 0.1 mm)")],
        &["upper", "lower.F", "lower.F.speed", "O"],
    ),
    ("arm-3r", &[("a1", "normal(2, 1 mm)"), ("a2", "normal(2, 1 mm)")], &["forearm", "column", "elbow"]),
];

#[test]
fn shipped_mechanisms_are_those_of_the_general_solvers() {
    for (name, vary, series) in SHIPPED {
        let document = shipped(name);
        let case = Case { document: &document, vary, measure: &[], series, steps: 60, samples: 11, abreast: true };
        let rows = std::panic::catch_unwind(|| case.agrees()).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        assert!(rows.reasons.iter().all(String::is_empty), "{name}: {:?}", rows.reasons);
    }
}

/// A crank and a rocker in space with a rod between balls, whose spin is idle; both ends of the rod, and the crank's joint the other way round.
const RSSR: &str = r#"
    name = "rssr"
    [parameters]
    crank = 1
    rod = "sqrt(1 + 9 + 6.25)"
    rocker = 2.5
    tilt = 0
    omega = 6.28
    [bodies.crank]
    points = { B = ["crank", 0, 0] }
    [bodies.rod]
    points = { B = [0, 0, 0], M = ["rod/3", 0, 0], C = ["rod", 0, 0] }
    pose = { at = [1, 0, 0], rpy = [0, "-atan2(2.5, sqrt(10))", "atan2(3, 1)"] }
    [bodies.rocker]
    points = { C = [0, 0, "rocker"], E = [0.3, 0.2, 1] }
    pose = { at = [2, 3, 0] }
    [joints]
    A = { type = "revolute", bodies = ["crank", "ground"], at = [[0, 0, 0], [0, 0, 0]], axis = [[0, 0, -1], ["sin(tilt)", 0, "-cos(tilt)"]] }
    B = { type = "spherical", bodies = ["crank", "rod"], at = ["B", "B"] }
    C = { type = "spherical", bodies = ["rod", "rocker"], at = ["C", "C"] }
    D = { type = "revolute", bodies = ["ground", "rocker"], at = [[2, 3, 0], [0, 0, 0]], axis = [[1, 0, 0], [1, 0, 0]] }
    [drivers.motor]
    joint = "A"
    value = "0.3 + omega*t"
    [run]
    analysis = "kinematics"
    end = 1
"#;

const OF_RSSR: [(&str, &str); 5] = [
    ("crank", "normal(1, 5 mm)"),
    ("rod", "normal(4.031, 5 mm)"),
    ("rocker", "normal(2.5, 5 mm)"),
    ("tilt", "normal(0, 0.3 deg)"),
    ("omega", "uniform(6, 6.3)"),
];

fn rssr() -> Document {
    Document::from_toml(&Source::new("rssr.toml", RSSR)).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn rods_between_balls_are_those_of_the_general_solvers() {
    let document = rssr();
    let series = ["A", "D", "crank", "rocker", "rocker.E", "rod.M", "rod.C", "rod.wx", "rod.alz"];
    let case = Case {
        document: &document,
        vary: &OF_RSSR,
        measure: &[],
        series: &series,
        steps: 90,
        samples: 13,
        abreast: true,
    };
    case.agrees();
    let measure = [("swing", "range(D.angle)"), ("fast", "max(rocker.E.speed)")];
    let rows = Case { measure: &measure, series: &[], steps: 36, samples: 40, ..case }.agrees();
    assert!(rows.reasons.iter().all(String::is_empty));
    // How the rod stands about its line is left to the way to its first position.
    Case { series: &["rod.e1"], samples: 2, abreast: false, ..case }.agrees();
    Case { series: &["rod.x"], samples: 2, abreast: false, ..case }.agrees();
}

#[test]
fn designs_that_cannot_move_or_are_drawn_otherwise_leave() {
    let document = rssr();
    // A rod too short to reach, one that reaches a dead centre on the way, and some that differ by much.
    let vary = [("rod", "values(4.03, 1.2, 3.6, 4.5, 5.6, 4.1)"), ("crank", "values(1, 2.2)")];
    let measure = [("swing", "range(D.angle)")];
    let case = Case {
        document: &document,
        vary: &vary,
        measure: &measure,
        series: &[],
        steps: 72,
        samples: 12,
        abreast: true,
    };
    let rows = case.agrees();
    let failed = rows.reasons.iter().filter(|r| !r.is_empty()).count();
    assert!(failed > 0 && failed < rows.len(), "{:?}", rows.reasons);
    // The rocker drawn on the other side, where the mechanism closes too.
    let flipped = RSSR.replace("omega = 6.28\n", "omega = 6.28\n    flip = 1\n").replace(
        "pose = { at = [2, 3, 0] }",
        "pose = { at = [2, 3, 0], angle = \"if(flip > 0, 0, 180 deg)\", axis = [1, 0, 0] }",
    );
    let document = Document::from_toml(&Source::new("flipped.toml", flipped)).unwrap();
    let vary = [("flip", "values(1, -1)"), ("rod", "values(4.03, 4.04, 4.05)")];
    let measure = [("first", "first(rocker.C.z)")];
    let rows = Case { document: &document, vary: &vary, measure: &measure, samples: 6, ..case }.agrees();
    let sides: Vec<f64> = rows.columns[2].iter().map(|z| z.signum()).collect();
    assert!(sides.contains(&1.0) && sides.contains(&-1.0), "{:?}", rows.columns);
}

#[test]
fn a_sweep_has_the_same_bytes_on_any_number_of_threads() {
    let document = rssr();
    let pair = |(a, b): &(&str, &str)| (a.to_string(), b.to_string());
    let asked = Asked {
        vary: OF_RSSR.iter().map(pair).collect(),
        measure: vec![pair(&("swing", "range(D.angle)"))],
        samples: Some(2500),
        seed: Some(5),
        ..Asked::default()
    };
    let options = Options { steps: Some(36), ..Options::default() };
    let table = |threads: usize| {
        let plan = document.plan(&options, &asked).unwrap();
        let sweep = Sweep::new(&document, &options, plan, None, METHODS[0]).unwrap();
        assert!(sweep.is_abreast());
        let found: Mutex<Vec<(u64, Rows)>> = Mutex::new(Vec::new());
        let keep = |k: u64, rows: Rows| {
            found.lock().unwrap().push((k, rows));
            Ok(())
        };
        let work = Work { chunks: (0..sweep.plan.chunks()).collect(), threads };
        sweep::run(&sweep, &work, &keep, &|_, _| true).unwrap();
        let mut found = found.into_inner().unwrap();
        found.sort_by_key(|(k, _)| *k);
        found
            .iter()
            .flat_map(|(_, rows)| rows.columns.iter().flatten().map(|x| x.to_bits()).collect::<Vec<_>>())
            .collect::<Vec<u64>>()
    };
    let one = table(1);
    assert_eq!(one.len(), 2500 * (OF_RSSR.len() + 1));
    assert!(table(3) == one && table(2) == one);
}

/// A six-bar whose crank drives it where no dyad is left: the four other bars and the ternary link form one group.
const STEPHENSON: &str = r#"
    planar = true
    [parameters]
    long = 4
    [bodies]
    crank = { pose = { at = [0, 0], angle = "60 deg" } }
    coupler = { pose = { at = [1, 1.732], angle = "20 deg" }, points = { P = [2, 1.5] } }
    rocker = { pose = { at = [5, 0], angle = "95 deg" } }
    arm = { pose = { at = [2.4, 4.2], angle = "15 deg" } }
    lever = { pose = { at = [7, 1], angle = "100 deg" } }
    [joints]
    A = { type = "revolute", bodies = ["ground", "crank"], at = [[0, 0], [0, 0]] }
    B = { type = "revolute", bodies = ["crank", "coupler"], at = [[2, 0], [0, 0]] }
    C = { type = "revolute", bodies = ["coupler", "rocker"], at = [["long", 0], [3.2, 0]] }
    D = { type = "revolute", bodies = ["ground", "rocker"], at = [[5, 0], [0, 0]] }
    E = { type = "revolute", bodies = ["coupler", "arm"], at = [[2, 1.5], [0, 0]] }
    F = { type = "revolute", bodies = ["arm", "lever"], at = [[4.2, 0], [4.3, 0]] }
    G = { type = "revolute", bodies = ["ground", "lever"], at = [[7, 1], [0, 0]] }
    [drivers.far]
    joint = "G"
    value = "1.85 + 0.08*sin(t)"
    [run]
    end = 6.2
"#;

#[test]
fn a_six_bar_driven_at_its_far_crank_is_that_of_the_general_solvers() {
    let document = Document::from_toml(&Source::new("stephenson.toml", STEPHENSON)).unwrap();
    let model = document.model(&Options::default()).unwrap();
    let plan = Designs::of_bodies(&model, "natural", METHODS[0], &[0.0, 0.1, 0.2]);
    assert!(matches!(plan, Some(Designs::Loops(_))));
    let vary = [("long", "normal(4, 2 mm)")];
    Case {
        document: &document,
        vary: &vary,
        measure: &[],
        series: &["coupler", "rocker", "arm", "lever", "A", "coupler.P"],
        steps: 80,
        samples: 13,
        abreast: true,
    }
    .agrees();
}

#[test]
fn an_optimum_is_the_same_with_designs_side_by_side_and_one_by_one() {
    let document = rssr();
    let pair = |a: &str, b: &str| (a.to_string(), b.to_string());
    let asked = AskedGoal {
        vary: vec![pair("crank", "0.9:1.1"), pair("rod", "3.9:4.1")],
        minimise: vec![pair("fast", "max(rocker.E.speed)")],
        limit: vec![pair("swing", "range(D.angle) >= 0.85")],
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
    /// What a descent by quadratic programs leaves of the way to the optimum.
    const DESCENT: f64 = 1e-4;
    for (a, b) in first.iter().zip(&alone) {
        assert!((a - b).abs() < DESCENT, "{first:?} {alone:?}");
    }
}

/// Motions of all bodies of designs that differ in one parameter: side by side, and one by one by the general solvers.
fn both_ways(document: &Document, parameter: &str, values: &[f64], times: &[f64]) -> Vec<[Option<Vec<f64>>; 2]> {
    let with = |x: f64| Options { values: vec![(parameter.to_string(), x)], ..Options::default() };
    let models: Vec<Model> = values.iter().map(|x| document.model(&with(*x)).unwrap()).collect();
    let plan = Designs::of_bodies(&models[0], "relative", METHODS[0], times).unwrap();
    let mut group = Group::new(&plan, Level::Portable);
    let beside = |model: &Model| {
        let mut row = vec![0.0; times.len() * (model.bodies.len() - 1) * NUMBERS];
        assert!(group.seat(0, model));
        group.run_into(&mut [&mut row[..]]);
        group.is_whole(0).then_some(row)
    };
    let beside: Vec<Option<Vec<f64>>> = models.iter().map(beside).collect();
    let systems: Vec<System> = models.iter().map(|model| System::new(model, "relative").unwrap()).collect();
    let alone = motions(&systems, times).into_iter().map(|found| found.ok());
    beside.into_iter().zip(alone).map(|(a, b)| [a, b]).collect()
}

#[test]
fn rods_stand_about_their_lines_as_in_runs() {
    let times: Vec<f64> = (0..=120).map(|k| f64::from(k) / 120.0).collect();
    let worst = |pairs: Vec<[Option<Vec<f64>>; 2]>| {
        let off = |pair: [Option<Vec<f64>>; 2]| {
            let [a, b] = pair.map(Option::unwrap);
            a.iter().zip(&b).map(|(a, b)| (a - b).abs() / b.abs().max(1.0)).fold(0.0, f64::max)
        };
        pairs.into_iter().map(off).fold(0.0, f64::max)
    };
    /// What two ways to follow a motion leave of a spin that no position holds.
    const FOLLOWED: f64 = 1e-9;
    // Drawn closed: with its parameters, or by less than a ten-thousandth of a radian.
    let fixed = RSSR.replace("0.3 + omega*t", "omega*t");
    let drawn =
        fixed.replace("rod = \"sqrt(1 + 9 + 6.25)\"", "rod = \"sqrt((2 - crank)^2 + 9 + 6.25)\"").replace(
            "pose = { at = [1, 0, 0], rpy = [0, \"-atan2(2.5, sqrt(10))\", \"atan2(3, 1)\"] }",
            "pose = { at = [\"crank\", 0, 0], rpy = [0, \"-atan2(2.5, sqrt((2 - crank)^2 + 9))\", \"atan2(3, 2 - crank)\"] }",
        );
    let of = |text: &str| Document::from_toml(&Source::new("rssr.toml", text)).unwrap();
    for (text, values) in [(&drawn, [1.0, 0.97, 1.02, 1.1]), (&fixed, [1.0, 0.9998, 1.0001, 1.0002])] {
        let off = worst(both_ways(&of(text), "crank", &values, &times));
        assert!(off <= FOLLOWED, "{values:?} {off:e}");
    }
    // Where the drawing is open by more, how a rod stands is for the general solvers.
    let [first, second] = &both_ways(&of(&fixed), "crank", &[1.0, 1.05], &times)[..] else { panic!() };
    assert!(first[0].is_some() && second[0].is_none() && second[1].is_some());
}
