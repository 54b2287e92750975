//! Gears by teeth and belts, against ratios and Willis' equation.

use super::common::cases::{load, set};
use super::common::parse;
use super::{all, follows, refused, solve, ROUNDING};
use biela::model::Model;
use std::f64::consts::TAU;

/// Two wheels on the ground, axes and order of bodies as given.
fn wheels(first: &str, second: &str, coupling: &str) -> Model {
    parse(&format!(
        r#"
[bodies.a]
[bodies.b]
pose = {{ at = [1, 0, 0] }}
[joints.A]
type = "revolute"
at = [0, 0, 0]
{first}
[joints.B]
type = "revolute"
at = [1, 0, 0]
{second}
[couplings.mesh]
joints = ["A", "B"]
{coupling}
[drivers.motor]
joint = "A"
value = "t"
[run]
end = 2
steps = 4
"#
    ))
}

#[test]
fn teeth_and_belts_turn_wheels_as_they_should() {
    const A: &str = "bodies = [\"ground\", \"a\"]\naxis = [0, 0, 1]";
    const B: &str = "bodies = [\"ground\", \"b\"]\naxis = [0, 0, 1]";
    const BACK: &str = "bodies = [\"b\", \"ground\"]\naxis = [0, 0, 1]";
    const DOWN: &str = "bodies = [\"ground\", \"b\"]\naxis = [0, 0, -1]";
    const ACROSS: &str = "bodies = [\"ground\", \"b\"]\naxis = [1, 0, 0]";
    const OUTER: &str = "type = \"gear\"\nteeth = [20, 50]";
    const INNER: &str = "type = \"gear\"\nteeth = [20, 50]\ninternal = true";
    const BELT: &str = "type = \"belt\"\nradii = [\"40 mm\", \"100 mm\"]";
    const CROSSED: &str = "type = \"belt\"\nradii = [\"40 mm\", \"100 mm\"]\ncrossed = true";
    // Whether the wheels themselves turn in the same sense about z, whatever joints count; across: about their own axes.
    for (second, coupling, angle) in [
        (B, OUTER, -0.4),
        (B, INNER, 0.4),
        (BACK, OUTER, 0.4),
        (DOWN, OUTER, 0.4),
        (DOWN, INNER, -0.4),
        (ACROSS, OUTER, -0.4),
        (ACROSS, INNER, 0.4),
        (B, BELT, 0.4),
        (B, CROSSED, -0.4),
        (DOWN, BELT, -0.4),
    ] {
        let results = all(&wheels(A, second, coupling));
        follows(&results, "B.angle", ROUNDING, |_, t| angle * t);
    }
    let message = refused("[bodies.a]\n[bodies.b]\n[joints.A]\ntype = \"revolute\"\nbodies = [\"ground\", \"a\"]\nat = [0, 0, 0]\naxis = [0, 0, 1]\n[joints.B]\ntype = \"revolute\"\nbodies = [\"ground\", \"b\"]\nat = [1, 0, 0]\naxis = [1, 0, 0]\n[couplings.belt]\ntype = \"belt\"\njoints = [\"A\", \"B\"]\nradii = [1, 2]\n");
    assert!(message.contains("parallel axes"), "{message}");
}

/// Belt on an arm that moves: a pulley that stands still holds the hand's direction (as of a desk lamp), whatever the arm does.
#[test]
fn a_belt_on_an_arm_keeps_a_direction() {
    let model = parse(
        r#"
planar = true
[bodies.arm]
[bodies.fixed_pulley]
[bodies.hand]
points = { T = [2, 0] }
[joints.shoulder]
type = "revolute"
bodies = ["ground", "arm"]
at = [0, 0]
[joints.base]
type = "revolute"
bodies = ["ground", "fixed_pulley"]
at = [0, 0]
[joints.wrist]
type = "revolute"
bodies = ["arm", "hand"]
at = [1, 0]
[couplings.belt]
type = "belt"
joints = ["base", "wrist"]
radii = [0.05, 0.05]
carrier = "arm"
[drivers]
lift = { joint = "shoulder", value = "0.7*sin(t)" }
hold = { joint = "base", value = "0.1*t" }
[run]
end = 6
steps = 30
"#,
    );
    for formulation in ["absolute", "natural", "relative"] {
        follows(&solve(&model, formulation), "hand.angle", ROUNDING, |_, t| 0.1 * t);
    }
}

/// Bevel differential: the cage turns by the mean of both side wheels (Willis), the planet by half their difference times the ratio.
#[test]
fn a_bevel_differential_shares_turns() {
    let model = parse(
        r#"
[bodies]
left = {}
right = {}
cage = {}
planet = {}
[joints.L]
type = "revolute"
bodies = ["ground", "left"]
at = [0, 0, 0]
axis = [1, 0, 0]
[joints.R]
type = "revolute"
bodies = ["ground", "right"]
at = [0, 0, 0]
axis = [1, 0, 0]
[joints.C]
type = "revolute"
bodies = ["ground", "cage"]
at = [0, 0, 0]
axis = [1, 0, 0]
[joints.P]
type = "revolute"
bodies = ["cage", "planet"]
at = [0, 0, 0]
axis = [0, 1, 0]
[couplings]
# The left wheel lies at -x: its axis points to the crossing, the planet's from it.
l = { type = "gear", joints = ["L", "P"], teeth = [30, 15], internal = true, carrier = "cage" }
r = { type = "gear", joints = ["R", "P"], teeth = [30, 15], carrier = "cage" }
[drivers]
a = { joint = "L", value = "t" }
b = { joint = "R", value = "0.4*t^2" }
[run]
end = 3
steps = 12
"#,
    );
    let results = all(&model);
    follows(&results, "C.angle", ROUNDING, |_, t| 0.5 * (t + 0.4 * t * t));
    follows(&results, "P.angle", ROUNDING, |_, t| t - 0.4 * t * t);
}

#[test]
fn a_planetary_gear_obeys_willis() {
    let results = all(&load("planetary", &set(&[])));
    let (zs, zp, zr) = (24.0, 18.0, 60.0);
    follows(&results, "H.angle", ROUNDING, |_, t| TAU * t * zs / (zs + zr));
    follows(&results, "planet.w", ROUNDING, |_, _| TAU * zs / (zs + zr) * (1.0 - zr / zp));
    // At a steady turn power goes through: 6 N m on the carrier.
    follows(&results, "motor.effort", ROUNDING, |_, _| 6.0 * zs / (zs + zr));
    let other = all(&load("planetary", &set(&[("zs", "30"), ("zp", "15")])));
    follows(&other, "H.angle", ROUNDING, |_, t| TAU * t * 30.0 / 90.0);
}
