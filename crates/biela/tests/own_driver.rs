//! A driver that the library does not have, registered by a program, against closed forms.

mod common;
mod own;

use biela::drivers::{self, DriverKind};
use biela::model::{Analysis, Model};
use biela::solve::kinematics;
use common::forward::FORMULATIONS;
use common::{column, difference};
use own::distance_driver::Cylinder;

/// Roundings of a few dozen operations on numbers of order one.
const ROUNDING: f64 = 1e-10;

fn boom() -> Model {
    own::registered();
    common::parse(
        r#"
        gravity = [0, 0, -9.81]
        bodies.ground = { points = { A = [0.5, 0, 0] } }
        bodies.boom = { mass = 4, com = [0, 0, 0.8], inertia = [0.3, 0.3, 0.1], points = { B = [0, 0, 0.4] } }
        joints.O = { type = "revolute", bodies = ["ground", "boom"], at = [[0, 0, 0], [0, 0, 0]], axis = [[0, -1, 0], [0, -1, 0]] }
        drivers.ram = { from = "ground.A", to = "boom.B", distance = "0.6 m + 0.05 m/s*t" }
        run = { end = 2, steps = 20 }
    "#,
    )
}

#[test]
fn a_taken_key_is_refused() {
    own::registered();
    assert_eq!(drivers::all().len(), drivers::DRIVERS.len() + 1);
    for taken in [&Cylinder as &'static dyn DriverKind, drivers::DRIVERS[0]] {
        let error = drivers::register(taken).expect_err("a taken key").to_string();
        assert!(error.contains(taken.key()), "{error}");
    }
}

/// Angle AOB by the cosine rule; the ram's push is the moment of the weight over its lever, at rest.
#[test]
fn a_boom_follows_the_length_of_its_ram() {
    let mut model = boom();
    let (a, b) = (0.5f64, 0.4f64);
    let included = |d: f64| ((a * a + b * b - d * d) / (2.0 * a * b)).acos();
    let length = |t: &f64| 0.6 + 0.05 * t;
    for formulation in FORMULATIONS {
        let results = kinematics::run(&model, formulation, |_, _| true).unwrap_or_else(|e| panic!("{e}"));
        // The boom points up where the angle is zero, and leans towards A where it is negative.
        let due: Vec<f64> =
            column(&results, "t").iter().map(|t| included(length(t)) - std::f64::consts::FRAC_PI_2).collect();
        let off = difference(column(&results, "O.angle"), &due);
        assert!(off < ROUNDING, "{formulation}: off by {off:e}");
    }
    model.study.analysis = Analysis::Statics;
    for formulation in ["absolute", "relative"] {
        let results = kinematics::run(&model, formulation, |_, _| true).unwrap_or_else(|e| panic!("{e}"));
        let due: Vec<f64> = (column(&results, "t").iter())
            .map(|t| {
                let (d, angle) = (length(t), included(length(t)));
                // The weight turns the boom down about O with m g 0.8 cos(angle), the ram against it with the lever a b sin(angle) / d.
                let lever = a * b * angle.sin() / d;
                4.0 * 9.81 * 0.8 * angle.cos() / lever
            })
            .collect();
        let found = column(&results, "ram.effort");
        assert!(difference(found, &due) < ROUNDING, "{formulation}: {found:?} instead of {due:?}");
    }
}
