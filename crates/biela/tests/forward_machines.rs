//! Small machines under forces against closed forms: governor, motors, spherical pendulum, door.

mod common;

use common::forward::*;
use common::record::{held, CLOSED, KEPT};

/// Tolerance 1e-10 and the error of a few hundred steps.
const CLOSE: f64 = 1e-7;

/// An arm hinged on a spindle that turns at Ω settles where cos φ = g / Ω² L: its inertia about its own centre is that of a ball.
#[test]
fn a_governor_settles_where_weight_and_turning_balance() {
    let (speed, length) = (8.0f64, 0.5f64);
    let text = format!(
        r#"
        gravity = [0, 0, -9.81]
        [bodies.spindle]
        mass = 3
        inertia = [0.1, 0.1, 0.1]
        [bodies.arm]
        mass = 2
        com = [0, 0, {}]
        inertia = [0.01, 0.01, 0.01]
        [joints.axle]
        type = "revolute"
        bodies = ["ground", "spindle"]
        at = [[0, 0, 0], [0, 0, 0]]
        axis = [[0, 0, 1], [0, 0, 1]]
        [joints.hinge]
        type = "revolute"
        bodies = ["spindle", "arm"]
        at = [[0, 0, 0], [0, 0, 0]]
        axis = [[0, 1, 0], [0, 1, 0]]
        [drivers.motor]
        joint = "axle"
        value = "{speed}*t"
        [forces.oil]
        type = "friction"
        joint = "hinge"
        viscous = 4
        [initial]
        "hinge.angle" = 0.5
        {}"#,
        -length,
        dynamics(20.0, 10, 1e-10)
    );
    for formulation in FORMULATIONS {
        let results = run(&text, formulation);
        let angle = last(&results, "hinge.angle").abs();
        held(CLOSED, "hinge.angle", CLOSE, (angle.cos() - 9.81 / (speed * speed * length)).abs(), formulation);
        // At rest on the spindle nothing is left for the motor to do.
        if formulation != "natural" {
            assert!(last(&results, "motor.effort").abs() < 1e-5, "{formulation}: {}", last(&results, "motor.effort"));
        }
    }
}

/// A motor with a line from stall to no-load speed, geared down N times by its rotor, with a viscous load: an exponential.
#[test]
fn a_geared_motor_runs_up_as_the_exponential() {
    let (ratio, rotor, wheel, stall, free, drag) = (20.0f64, 3e-4f64, 0.5f64, 0.6f64, 300.0f64, 0.8f64);
    let text = format!(
        r#"
        gravity = [0, 0, -9.81]
        [bodies.wheel]
        mass = 4
        inertia = [0.3, 0.3, {wheel}]
        [joints.axle]
        type = "revolute"
        bodies = ["ground", "wheel"]
        at = [[0, 0, 0], [0, 0, 0]]
        axis = [[0, 0, 1], [0, 0, 1]]
        [rotors.motor]
        body = "ground"
        axis = [1, 0, 0]
        inertia = {rotor}
        angle = "{ratio}*axle.angle"
        [forces.current]
        type = "motor"
        joint = "motor"
        stall = {stall}
        speed = {free}
        [forces.load]
        type = "friction"
        joint = "axle"
        viscous = {drag}
        {}"#,
        dynamics(2.0, 20, 1e-10)
    );
    let inertia = wheel + ratio * ratio * rotor;
    let slope = ratio * ratio * stall / free + drag;
    let end = ratio * stall / slope;
    for formulation in FORMULATIONS {
        let results = run(&text, formulation);
        for (t, found) in column(&results, "t").iter().zip(column(&results, "axle.angle.rate")) {
            let wanted = end * (1.0 - (-slope / inertia * t).exp());
            let off = (found - wanted).abs() / end;
            held(
                CLOSED,
                "axle.angle.rate",
                CLOSE,
                off,
                format_args!("{formulation}: {found} instead of {wanted} at {t}"),
            );
        }
    }
}

/// The height of a spherical pendulum swings between two roots of (1 − u²) 2 (E − w u)/A = (L/A)².
#[test]
fn a_spherical_pendulum_keeps_between_its_heights() {
    let (mass, length, own) = (2.0f64, 0.5f64, 0.01f64);
    let text = format!(
        r#"
        gravity = [0, 0, -9.81]
        [bodies.bob]
        mass = {mass}
        com = [{length}, 0, 0]
        inertia = [{own}, {own}, {own}]
        points = {{ centre = [{length}, 0, 0] }}
        [joints.O]
        type = "spherical"
        bodies = ["ground", "bob"]
        at = [0, 0, 0]
        [initial]
        "bob.wx" = 0
        "bob.wy" = 0.5
        "bob.wz" = 4
        {}"#,
        dynamics(10.0, 4000, 1e-10)
    );
    // Started level: u = z/length = 0, no spin about the arm.
    let across = mass * length * length + own;
    let (energy, momentum) = (0.5 * across * (4.0f64 * 4.0 + 0.5 * 0.5), across * 4.0);
    let f = |u: f64| (1.0 - u * u) * 2.0 * (energy - mass * 9.81 * length * u) / across - (momentum / across).powi(2);
    let root = |mut inside: f64, mut outside: f64| {
        for _ in 0..200 {
            let middle = 0.5 * (inside + outside);
            if f(middle) > 0.0 {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        inside
    };
    let top = (0..=1000).map(|k| k as f64 / 1000.0).find(|u| f(*u) < 0.0).unwrap_or(1.0);
    let (low, high) = (root(-1e-6, -1.0), root(0.0, top));
    assert!(f(-1e-6) > 0.0 && low < -0.1 && high > 0.0);
    for formulation in FORMULATIONS {
        let results = run(&text, formulation);
        let height = column(&results, "bob.centre.z");
        let [least, most] = [f64::min, f64::max].map(|pick| height.iter().copied().reduce(pick).unwrap() / length);
        /// Samples miss the turning point by half an interval at most.
        const SAMPLED: f64 = 1e-4;
        assert!((least - low).abs() < SAMPLED && (most - high).abs() < SAMPLED, "{least} {low}, {most} {high}");
        assert!(least > low - CLOSE && most < high + CLOSE, "{formulation}: {least} {low}, {most} {high}");
    }
}

/// A door on two hinges, one too many, whose axis leans by α: J θ̈ = −m g l sin α sin θ.
#[test]
fn a_door_on_two_hinges_swings_shut() {
    let lean = 0.1f64;
    let (s, c) = lean.sin_cos();
    let text = format!(
        r#"
        gravity = [{}, 0, {}]
        [bodies.door]
        mass = 30
        com = [0.4, 0, 0]
        inertia = [8, 9, 1.6]
        [joints.lower]
        type = "revolute"
        bodies = ["ground", "door"]
        at = [[0, 0, -0.8], [0, 0, -0.8]]
        axis = [[0, 0, 1], [0, 0, 1]]
        [joints.upper]
        type = "revolute"
        bodies = ["ground", "door"]
        at = [[0, 0, 0.8], [0, 0, 0.8]]
        axis = [[0, 0, 1], [0, 0, 1]]
        [initial]
        "lower.angle" = 2
        {}"#,
        9.81 * s,
        -9.81 * c,
        dynamics(3.0, 60, 1e-10)
    );
    let stiffness = 30.0 * 9.81 * s * 0.4 / (1.6 + 30.0 * 0.16);
    for formulation in FORMULATIONS {
        let results = run(&text, formulation);
        for k in 0..results.len() {
            let of = |name: &str| column(&results, name)[k];
            let off = (of("lower.angle.accel") + stiffness * of("lower.angle").sin()).abs();
            held(CLOSED, "lower.angle.accel", CLOSE, off, formulation);
            let energy = 0.5 * of("lower.angle.rate").powi(2) - stiffness * of("lower.angle").cos();
            held(KEPT, "energy", CLOSE, (energy + stiffness * 2.0f64.cos()).abs(), formulation);
            if formulation != "natural" {
                // Both together carry the weight, whichever carries more.
                let lift = of("lower.fz") + of("upper.fz");
                held(CLOSED, "lower.fz + upper.fz", 1e-6, (lift - 30.0 * 9.81 * c).abs(), formulation);
            }
        }
    }
}

/// A coupling that is no straight line holds on the turn that it means: B starts at 9 rad, more than a turn beyond its drawing.
#[test]
fn a_curved_coupling_starts_on_its_turn() {
    /// Tolerance 1e-10 and the error of some dozens of steps.
    const FOLLOWS: f64 = 1e-8;
    let hinge = |name: &str, body: &str, x: f64| {
        format!(
            "[joints.{name}]\ntype = \"revolute\"\nbodies = [\"ground\", \"{body}\"]\nat = [[{x}, 0, 0], [0, 0, 0]]\n\
             axis = [[0, 0, 1], [0, 0, 1]]\nx = [[1, 0, 0], [1, 0, 0]]\n"
        )
    };
    let text = format!(
        "gravity = [0, 0, 0]\n[bodies.a]\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n\
         [bodies.b]\nmass = 1\ninertia = [0.1, 0.1, 0.2]\npose = {{ at = [1, 0, 0], angle = 2.7, axis = [0, 0, 1] }}\n\
         {}{}[couplings.law]\ntype = \"coupling\"\nvalue = \"B.angle - (9 + A.angle + 0.1*A.angle^2)\"\n\
         [initial]\n\"A.angle\" = 0\n\"A.angle.rate\" = 1\n{}",
        hinge("A", "a", 0.0),
        hinge("B", "b", 1.0),
        dynamics(1.0, 4, 1e-10)
    );
    for formulation in ["absolute", "natural", "relative"] {
        let results = run(&text, formulation);
        let (a, b) = (column(&results, "A.angle"), column(&results, "B.angle"));
        // ½ (0.1 + 0.2 (1 + 0.2 A)²) A'² is kept.
        let rate = column(&results, "A.angle.rate");
        for ((a, b), rate) in a.iter().zip(b).zip(rate) {
            assert!((b - (9.0 + a + 0.1 * a * a)).abs() < FOLLOWS, "{formulation}: {a}, {b}");
            let inertia = 0.1 + 0.2 * (1.0 + 0.2 * a) * (1.0 + 0.2 * a);
            assert!((inertia * rate * rate - 0.3).abs() < FOLLOWS, "{formulation}");
        }
    }
}
