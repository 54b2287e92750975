//! A formulation that the library does not have, registered by a program: help and every solver know it.

mod common;
#[path = "own/plane.rs"]
mod plane;

use biela::model::{Analysis, Model};
use biela::results::Results;
use biela::solve::check::check;
use biela::solve::kinematics;
use biela::system::{formulations, register, System, FORMULATIONS};
use common::forward::{dynamics, run};
use common::{column, difference};
use plane::PLANE;
use std::path::Path;
use std::sync::Once;

/// Positions are solved to 1e-12 at worst; each derivative may lose a digit or two more.
const SOLVED: f64 = 1e-8;
/// Tolerance 1e-10 of the integration over a hundred steps.
const INTEGRATED: f64 = 1e-6;

/// Makes the formulation known, once.
fn registered() {
    static DONE: Once = Once::new();
    DONE.call_once(|| register(&PLANE).expect("a new keyword"));
}

fn shipped(name: &str) -> Model {
    registered();
    let (path, options) = (format!("../../models/{name}.toml"), biela::Options::default());
    biela::Document::read(Path::new(&path), &options).and_then(|d| d.model(&options)).unwrap_or_else(|e| panic!("{e}"))
}

/// Every column of a run by the plane formulation is that of the default one.
fn same(name: &str, plane: &Results, due: &Results) {
    assert!(!due.is_empty() && plane.columns.len() == due.columns.len(), "{name}");
    for (found, due) in plane.columns.iter().zip(&due.columns) {
        assert_eq!(found.name, due.name);
        let size = due.data.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
        let off = found.data.iter().zip(&due.data).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        assert!(off < SOLVED * size, "{name}: {} is off by {off:e}", due.name);
    }
}

#[test]
fn a_registered_formulation_is_known_by_its_word_and_taken_words_are_refused() {
    registered();
    assert_eq!(formulations().last().map(|f| f.keyword), Some("plane"));
    for taken in [&PLANE, &FORMULATIONS[0]] {
        let error = register(taken).expect_err("a taken keyword").to_string();
        assert!(error.contains(taken.keyword), "{error}");
    }
    let model = shipped("four-bar");
    let error = System::new(&model, "plan").expect_err("a wrong word").to_string();
    assert!(error.contains("did you mean 'plane'?"), "{error}");
}

#[test]
fn planar_mechanisms_move_as_in_other_coordinates() {
    for name in ["slider-crank", "four-bar", "watt-six-bar", "peaucellier", "scotch-yoke"] {
        let model = shipped(name);
        let system = System::new(&model, "plane").unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(system.formulation.nq(), 3 * (model.bodies.len() - 1));
        let [plane, due] = ["plane", "absolute"].map(|formulation| {
            kinematics::run(&model, formulation, |_, _| true).unwrap_or_else(|e| panic!("{name}, {formulation}: {e}"))
        });
        same(name, &plane, &due);
        let [plane, due] = ["plane", "absolute"].map(|f| check(&model, f).unwrap_or_else(|e| panic!("{name}: {e}")));
        assert_eq!(plane.motion.mobility, due.motion.mobility, "{name}");
    }
}

/// What joints carry across the plane does not show in these coordinates: reactions are refused rather than told wrongly.
#[test]
fn reactions_are_left_to_other_coordinates() {
    let mut model = shipped("four-bar");
    model.study.analysis = Analysis::InverseDynamics;
    let error = kinematics::run(&model, "plane", |_, _| true).expect_err("no reactions").to_string();
    assert!(error.contains("forces cannot be told in the plane formulation"), "{error}");
}

#[test]
fn a_double_pendulum_swings_alike() {
    registered();
    let text = format!(
        r#"
        gravity = [0, -9.81, 0]
        bodies.upper = {{ mass = 1.5, com = [0.2, 0.05, 0], inertia = [0.01, 0.02, 0.03], points = {{ E = [0.5, 0, 0] }} }}
        bodies.lower = {{ mass = 0.7, com = [0.15, 0, 0], inertia = [0.01, 0.01, 0.02], pose = {{ at = [0.5, 0, 0] }} }}
        joints.O = {{ type = "revolute", bodies = ["ground", "upper"], at = [[0, 0, 0], [0, 0, 0]], axis = [0, 0, 1] }}
        joints.E = {{ type = "revolute", bodies = ["upper", "lower"], at = ["E", [0, 0, 0]], axis = [0, 0, 1] }}
        {}"#,
        dynamics(1.0, 20, 1e-10)
    );
    let [plane, due] = ["plane", "relative"].map(|formulation| run(&text, formulation));
    for name in ["O.angle", "E.angle", "O.angle.rate", "E.angle.rate"] {
        let off = difference(column(&plane, name), column(&due, name));
        assert!(off < INTEGRATED, "{name} is off by {off:e}");
    }
}

/// A mechanism that must leave the plane does not move in these coordinates, and is not made to.
#[test]
fn a_mechanism_out_of_the_plane_is_refused() {
    let error = kinematics::run(&shipped("rssr"), "plane", |_, _| true).expect_err("a spatial linkage").to_string();
    assert!(error.contains("0 freedom(s)"), "{error}");
}
