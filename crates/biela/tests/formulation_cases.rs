//! Formulation against formulation on mechanisms made for one question each: whole turns, idle spins, long chains.
#![allow(non_snake_case)]

mod common;

use biela::math::{Pose, Vec3};
use biela::model::graph::{Branch, Forest};
use biela::model::{Model, Study};
use biela::results::Results;
use biela::solve::kinematics;
use biela::system::{formulations, System, FORMULATIONS};
use common::random::Builder;

fn run(model: &Model, formulation: &str) -> Result<Results, String> {
    kinematics::run(model, formulation, |_, _| true).map_err(|e| format!("{formulation}: {e:?}"))
}

/// Euler parameters follow a crank over two turns without a jump: after one turn they have changed sign.
#[test]
fn attitudes_are_continuous_over_full_turns() {
    for formulation in formulations() {
        let mut b = Builder::new(11);
        (b.rate, b.swing) = (std::f64::consts::TAU, 0.0);
        for parent in 0..3 {
            b.carry_anyhow("revolute", parent);
            b.drive(parent, 0);
        }
        let mut model = b.model();
        model.study = Study { end: 2.0, steps: 64, ..Study::default() };
        let results = run(&model, formulation.keyword).unwrap();
        let e: Vec<&Vec<f64>> =
            (0..4).map(|k| &results.columns.iter().find(|c| c.name == format!("b1.e{k}")).unwrap().data).collect();
        let product = |i: usize, j: usize| (0..4).map(|k| e[k][i] * e[k][j]).sum::<f64>();
        // Half the turn between samples is π/32.
        let expected = (std::f64::consts::PI / 32.0).cos();
        assert!((1..65).all(|i| (product(i - 1, i) - expected).abs() < 1e-12), "{}", formulation.keyword);
        assert!((product(0, 32) + 1.0).abs() < 1e-12 && (product(0, 64) - 1.0).abs() < 1e-12);
    }
}

/// A screw's advance belongs to the turn that its driver names, wherever the drawing puts it.
#[test]
fn a_screw_starts_on_the_turn_its_driver_names() {
    for formulation in formulations() {
        let mut b = Builder::new(17);
        b.carry("screw", 0, Pose::IDENTITY, Pose::IDENTITY, vec![0.4]);
        b.q[0][0] = 0.4 + 2.0 * std::f64::consts::TAU;
        b.drive(0, 0);
        let model = b.model();
        let results = run(&model, formulation.keyword).unwrap();
        let first = |name: &str| results.columns.iter().find(|c| c.name == name).unwrap().data[0];
        let advance = model.joints[0].pitch * b.q[0][0] / std::f64::consts::TAU;
        let sense = if model.joints[0].bodies[0] == 0 { 1.0 } else { -1.0 };
        assert!((first("j0.angle") - b.q[0][0]).abs() < 1e-12, "{}", formulation.keyword);
        assert!((first("b1.z") - sense * advance).abs() < 1e-12, "{}", formulation.keyword);
    }
}

/// Twenty thousand links hang in a row: the tree is found and the chain described without recursion and in linear time.
#[test]
fn a_very_long_chain_has_short_rows() {
    const LINKS: usize = 20_000;
    let mut b = Builder::new(5);
    for parent in 0..LINKS {
        b.carry("revolute", parent, Pose::translation(Vec3::X * 1e-3), Pose::IDENTITY, vec![0.01]);
        b.drive(parent, 0);
    }
    let model = b.model();
    let forest = Forest::new(&model);
    assert!(forest.cut.is_empty() && forest.branches.iter().enumerate().all(|(k, b)| b.parent == k && b.body == k + 1));
    let system = System::new(&model, "relative").unwrap();
    assert_eq!((system.formulation.nq(), system.constraints.len()), (LINKS, LINKS));
    // Each driver knows its own joint only.
    assert_eq!(system.constraints.pattern.index.len(), LINKS);
}

/// `free` joints carry the tree only where no other joint does, and bodies without joints float.
#[test]
fn the_forest_prefers_joints_that_constrain() {
    let mut b = Builder::new(23);
    for _ in 0..4 {
        let pose = b.s.pose();
        b.poses.push(pose);
    }
    let at = b.s.pose();
    b.close("free", [0, 2], at, 1.0);
    b.close("revolute", [2, 1], at, 1.0);
    b.close("revolute", [0, 1], at, 1.0);
    b.close("spherical", [3, 0], at, 1.0);
    let forest = Forest::new(&b.model());
    let branch = |body, parent, joint, reversed| Branch { body, parent, joint, reversed };
    assert_eq!(forest.cut, [0]);
    assert_eq!(
        forest.branches,
        [
            branch(1, 0, Some(2), false),
            branch(3, 0, Some(3), true),
            branch(2, 1, Some(1), true),
            branch(4, 0, None, false)
        ]
    );
}

/// A rod between two balls, drawn in the sketch's coordinates, so that its frame is off its line: what the idle spin leaves open is the
/// same in all coordinates, and the same for few samples as for many.
#[test]
fn idle_spins_are_carried_along_alike() {
    /// Interpolation of the line's motion over a step of a fiftieth of a turn.
    const CARRIED: f64 = 1e-8;
    let text = "
[bodies.crank]
[bodies.rod]
[bodies.rocker]
[joints.A]
type = \"revolute\"
bodies = [\"ground\", \"crank\"]
at = [0, 0, 0]
axis = [0, 0, 1]
[joints.P]
type = \"spherical\"
bodies = [\"crank\", \"rod\"]
at = [0.2, 0, 0]
[joints.Q]
type = \"spherical\"
bodies = [\"rod\", \"rocker\"]
at = [1, 0.3, 0.5]
[joints.B]
type = \"revolute\"
bodies = [\"rocker\", \"ground\"]
at = [1, 0.3, 0]
axis = [0, 1, 0.2]
[drivers.motor]
joint = \"A\"
value = \"2*pi*t\"
[run]
end = 1
steps = 50
";
    let mut model = common::parse(text);
    let few = run(&model, "absolute").unwrap();
    model.study.steps = 1000;
    let many = run(&model, "absolute").unwrap();
    model.study.steps = 50;
    for formulation in FORMULATIONS.iter().map(|f| f.keyword) {
        let found = run(&model, formulation).unwrap();
        for name in ["rod.x", "rod.y", "rod.z", "rod.e0", "rod.e1", "rod.e2", "rod.e3", "rod.ax", "rod.az"] {
            let data = |r: &Results| r.get(name).unwrap().data.clone();
            let (here, truth, finer) = (data(&found), data(&few), data(&many));
            let scale = truth.iter().fold(1.0f64, |m, x| m.max(x.abs()));
            for k in 0..here.len() {
                let off = (here[k] - truth[k]).abs().max((here[k] - finer[20 * k]).abs()) / scale;
                assert!(off < CARRIED, "{formulation}: {name} off by {off:e} at sample {k}");
            }
        }
    }
}

/// A joint that has made thousands of turns has a large angle, whose rounding ends no motion.
#[test]
fn thousands_of_turns_are_followed() {
    /// An angle of 20000 rad is rounded to 4e-12.
    const ROUNDED: f64 = 1e-10;
    let text = include_str!("models/slider-crank.toml").replace("pi/4 + omega*t", "pi/4 + 1000*t");
    let mut model = common::parse(&text);
    (model.study.end, model.study.steps) = (20.0, 1000);
    // Joint coordinates are themselves large then; the others hold positions.
    let found = run(&model, "relative").unwrap();
    let data = |name: &str| &found.get(name).unwrap().data;
    assert!(data("O.angle")[1000] > 20000.0);
    for (angle, x) in data("O.angle").iter().zip(data("piston.x")) {
        let due = 2.0 * angle.cos() + (3.5f64 * 3.5 - (2.0 * angle.sin()).powi(2)).sqrt();
        assert!((x - due).abs() < ROUNDED, "{x} at {angle}");
    }
}
