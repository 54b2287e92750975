//! Loops in one plane in joint coordinates: the recursions along the tree give what general rows and masses give.

mod common;

use biela::solve::forward::{start, Dynamics, Given, Point, Rates};
use biela::system::System;
use common::machines::{n_four_bar, squeezer, FOUR_BAR};
use common::parse;

/// A slider-crank in a tilted plane: the crank's axis is (0, 1, 1); a spring, a damper and a constant force act, one of them through a welded body.
/// The slider's joint names its bodies the other way round.
const TILTED: &str = r#"
    gravity = [0.3, -9.81, 0.5]
    [bodies.crank]
    mass = 2
    com = [0.1, 0, 0]
    inertia = [0.02, 0.03, 0.04]
    pose = { angle = "45 deg", axis = [-1, 0, 0] }
    [bodies.handle]
    mass = 0.5
    com = [0.05, 0.02, 0.1]
    inertia = [0.001, 0.002, 0.002]
    pose = { at = [0.2, 0, 0], angle = "45 deg", axis = [-1, 0, 0] }
    [bodies.rod]
    mass = 1
    com = [0.4, 0.01, 0]
    inertia = [0.01, 0.05, 0.06]
    pose = { at = [0.3, 0, 0], angle = "45 deg", axis = [-1, 0, 0] }
    [bodies.slider]
    mass = 3
    inertia = [0.01, 0.01, 0.01]
    com = [0, 0, 0.05]
    pose = { at = [1.3, 0, 0] }
    [joints.O]
    type = "revolute"
    bodies = ["ground", "crank"]
    at = [[0, 0, 0], [0, 0, 0]]
    axis = [[0, 1, 1], [0, 0, 1]]
    [joints.W]
    type = "fixed"
    bodies = ["crank", "handle"]
    [joints.A]
    type = "revolute"
    bodies = ["rod", "crank"]
    at = [[0, 0, 0], [0.3, 0, 0]]
    axis = [[0, 0, 1], [0, 0, 1]]
    [joints.B]
    type = "revolute"
    bodies = ["rod", "slider"]
    at = [[1, 0, 0], [0, 0, 0]]
    axis = [[0, 0, 1], [0, 1, 1]]
    [joints.S]
    type = "prismatic"
    bodies = ["slider", "ground"]
    at = [[0, 0, 0], [0, 0, 0]]
    axis = [[1, 0, 0], [1, 0, 0]]
    [forces.spring]
    type = "spring-damper"
    bodies = ["handle", "ground"]
    at = [[0.05, 0.02, 0], [1, 0.4, 0.3]]
    stiffness = 120
    damping = 3
    length = 0.4
    [forces.push]
    type = "force"
    body = "rod"
    at = [0.5, 0.1, 0]
    value = [3, "2 + t", -1]
    [forces.motor]
    type = "joint-torque"
    joint = "B"
    value = "0.4 - 0.3 * B.angle.rate"
    [initial]
    "O.angle" = "35 deg"
    "O.angle.rate" = 4
"#;

#[test]
fn recursions_in_a_plane_give_what_rows_and_masses_give() {
    /// Sums of a few hundred products, blown up by conditions of some hundreds.
    const ROUNDING: f64 = 1e-10;
    let chain = n_four_bar(3);
    let press = squeezer();
    for (name, text) in
        [("four-bar", FOUR_BAR), ("tilted slider-crank", TILTED), ("chain", &chain), ("squeezer", &press)]
    {
        let model = parse(text);
        let system = System::new(&model, "relative").unwrap();
        let begun = start(&system).unwrap();
        let mut point: Point = begun.point;
        let mut dynamics = Dynamics::new(&system, begun.ws, point.t, &point.q).unwrap();
        for turn in 0..6 {
            // Elsewhere on the constraints, with another velocity.
            point.q.iter_mut().enumerate().for_each(|(k, q)| *q += 0.01 * f64::from(turn) * (1.0 + k as f64).sin());
            point.v.iter_mut().enumerate().for_each(|(k, v)| *v += (0.3 + k as f64).cos());
            point.t = 0.1 * f64::from(turn);
            dynamics.project(&mut point).unwrap_or_else(|e| panic!("{name}: {e}"));
            let [fast, general] =
                [Given::default(), Given { efforts: vec![(0, 0.0)], ..Given::default() }].map(|given| {
                    // Whatever is given, be it nothing, takes the general way.
                    dynamics.given = given;
                    let mut rates = Rates { q: point.q.clone(), v: point.v.clone(), power: 0.0 };
                    dynamics.stage(&point, &mut rates).unwrap();
                    rates
                });
            dynamics.given = Given::default();
            let most = general.v.iter().fold(1.0f64, |m, x| m.max(x.abs()));
            for (k, (a, b)) in fast.v.iter().zip(&general.v).enumerate() {
                assert!((a - b).abs() < ROUNDING * most, "{name}, position {turn}, velocity {k}: {a} for {b}");
            }
            let scale = general.power.abs().max(1.0);
            assert!((fast.power - general.power).abs() < ROUNDING * scale, "{name}: {} {}", fast.power, general.power);
            assert_ne!(fast.v, general.v, "{name}: not two ways");
        }
    }
}
