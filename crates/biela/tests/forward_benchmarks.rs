//! Published mechanisms.

mod common;

use common::forward::*;
use common::record::{held, COMPUTED, KEPT, PUBLISHED};

#[test]
fn andrews_squeezer_mechanism_ends_where_it_is_published_to_end() {
    // Angles at t = 0.03 s from the test set for initial value problems (β, γ, δ, ε are those of the pins on the ground).
    let published =
        [("O", 15.81077119629904), ("B", 0.04082224013073101), ("A5", 0.5244099658805304), ("A7", 1.048080741042263)];
    for formulation in FORMULATIONS {
        let results = run(&(squeezer() + &dynamics(0.03, 30, 1e-11)), formulation);
        for (joint, expected) in published {
            let found = last(&results, &format!("{joint}.angle"));
            let off = (found - expected).abs();
            held(
                PUBLISHED,
                "angles at the end",
                2e-6,
                off,
                format_args!("{formulation}, {joint}: {found} for {expected}"),
            );
        }
        assert!(largest(column(&results, "residual")) < 1e-10);
    }
}

/// Bricard's mechanism: six bars of 1 m and six revolute joints along the edges of a cube; overconstrained, one freedom.
fn bricard() -> String {
    let points: [[f64; 3]; 6] =
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, -1.0, 0.0], [1.0, -1.0, 1.0], [0.0, -1.0, 1.0], [0.0, 0.0, 1.0]];
    let axes = [[0, -1, 0], [0, 0, -1], [-1, 0, 0], [0, -1, 0], [0, 0, -1], [-1, 0, 0]];
    let mut text = String::from("gravity = [0, -9.81, 0]\n");
    for k in 0..5 {
        let (p, q) = (points[k], points[k + 1]);
        let middle: Vec<f64> = (0..3).map(|i| 0.5 * (p[i] + q[i])).collect();
        let along = (0..3).position(|i| p[i] != q[i]).unwrap();
        let inertia: Vec<f64> = (0..3).map(|i| if i == along { 1e-3 } else { 1.0 / 12.0 }).collect();
        text += &format!("[bodies.b{k}]\nmass = 1\ncom = {middle:?}\ninertia = {inertia:?}\n");
    }
    for k in 0..6 {
        let name = |k: usize| if k == 5 { "ground".to_string() } else { format!("b{k}") };
        let (a, b) = (name((k + 5) % 6), name(k));
        text += &format!(
            "[joints.j{k}]\ntype = \"revolute\"\nbodies = [\"{a}\", \"{b}\"]\nat = {:?}\naxis = {:?}\n",
            points[k], axes[k]
        );
    }
    text
}

#[test]
fn bricards_mechanism_moves_and_keeps_its_energy() {
    let text = bricard() + &dynamics(4.0, 80, 1e-9);
    for formulation in FORMULATIONS {
        let results = run(&text, formulation);
        let total = column(&results, "energy.total");
        let kinetic = largest(column(&results, "energy.kinetic"));
        assert!(kinetic > 1.0, "{formulation}: it does not move");
        let drift = total.iter().map(|e| (e - total[0]).abs()).fold(0.0, f64::max);
        held(KEPT, "energy", 1e-6, drift / kinetic, formulation);
        assert!(largest(column(&results, "residual")) < 1e-10, "{formulation}");
    }
}

/// A flyball governor: two arms with balls on a spindle, rods that carry a sleeve held by a spring-damper.
#[test]
fn a_governor_keeps_its_balance_of_energy_and_work() {
    let side = |k: i32| {
        let s = f64::from(k);
        format!(
            r#"
            [bodies.arm{k}]
            mass = 5
            com = [{x}, 0, -0.5]
            inertia = [0.4, 0.4, 0.01]
            pose = {{ at = [0, 0, 1] }}
            [bodies.rod{k}]
            mass = 0.1
            com = [0, 0, 0]
            inertia = [0.001, 0.001, 0.0001]
            pose = {{ at = [{rx}, 0, 0.5] }}
            [joints.a{k}]
            type = "revolute"
            bodies = ["spindle", "arm{k}"]
            at = [0, 0, 1]
            axis = [0, 1, 0]
            [joints.b{k}]
            type = "spherical"
            bodies = ["arm{k}", "rod{k}"]
            at = [{bx}, 0, 0.75]
            [joints.c{k}]
            type = "universal"
            bodies = ["rod{k}", "sleeve"]
            at = [0, 0, 0.5]
            axis = [0, 1, 0]
            axis2 = [1, 0, 0]
            "#,
            x = 0.5 * s,
            rx = 0.125 * s,
            bx = 0.25 * s,
        )
    };
    let text = format!(
        r#"
        gravity = [0, 0, -9.81]
        [bodies.spindle]
        mass = 10
        inertia = [1, 1, 0.5]
        [bodies.sleeve]
        mass = 2
        inertia = [0.05, 0.05, 0.05]
        pose = {{ at = [0, 0, 0.5] }}
        [joints.axle]
        type = "revolute"
        bodies = ["ground", "spindle"]
        at = [0, 0, 0]
        axis = [0, 0, 1]
        [joints.slide]
        type = "prismatic"
        bodies = ["spindle", "sleeve"]
        at = [0, 0, 0.5]
        axis = [0, 0, 1]
        {}{}
        [forces.spring]
        type = "spring-damper"
        bodies = ["spindle", "sleeve"]
        at = [[0, 0, 1], [0, 0, 0]]
        stiffness = 8e3
        damping = 40
        length = 0.5
        [initial]
        "axle.angle.rate" = 16
        {}"#,
        side(1),
        side(-1),
        dynamics(1.0, 50, 1e-9)
    );
    for formulation in FORMULATIONS {
        let results = run(&text, formulation);
        let kinetic = largest(column(&results, "energy.kinetic"));
        held(KEPT, "energy less work", 1e-6, largest(column(&results, "energy.drift")) / kinetic, formulation);
        assert!(largest(column(&results, "slide.slide")) > 1e-3, "{formulation}: the sleeve does not move");
        assert!(largest(column(&results, "residual")) < 1e-10, "{formulation}");
    }
}

#[test]
fn a_slider_crank_with_rod_as_long_as_the_crank_passes_the_position_where_it_can_go_two_ways() {
    // With crank and rod upright the slider stands over the crank's axis, and the rod could turn with the crank from there on.
    // On the branch of the start the rod mirrors the crank: T = ½ I(θ) θ'² is constant.
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let bar = "mass = 1\ncom = [0.5, 0, 0]\ninertia = [0.01, 0.0833, 0.0833]\n";
    let hinge = |name: &str, bodies: &str, at: [f64; 2]| {
        format!(
            "[joints.{name}]\ntype = \"revolute\"\nbodies = {bodies}\nat = [{}, {}, 0]\naxis = [0, 0, 1]\n",
            at[0], at[1]
        )
    };
    let text = format!("gravity = [0, 0, 0]\n[bodies.crank]\n{bar}pose = {{ angle = \"45 deg\", axis = [0, 0, 1] }}\n")
        + &format!("[bodies.rod]\n{bar}pose = {{ at = [{half}, {half}, 0], angle = \"-45 deg\", axis = [0, 0, 1] }}\n")
        + &format!("[bodies.slider]\nmass = 2\ninertia = [0.1, 0.1, 0.1]\npose = {{ at = [{}, 0, 0] }}\n", 2.0 * half)
        + &hinge("O", "[\"ground\", \"crank\"]", [0.0, 0.0])
        + &hinge("B", "[\"crank\", \"rod\"]", [half, half])
        + &hinge("C", "[\"rod\", \"slider\"]", [2.0 * half, 0.0])
        + "[joints.guide]\ntype = \"prismatic\"\nbodies = [\"ground\", \"slider\"]\nat = [0, 0, 0]\naxis = [1, 0, 0]\n"
        + "[initial]\n\"O.angle.rate\" = 4\n"
        + &dynamics(5.0, 50, 1e-10);
    /// A thousand steps of that tolerance.
    const CLOSE: f64 = 1e-7;
    let inertia =
        |a: f64| 2.0 * 0.0833 + 0.25 + 2.25 * a.sin().powi(2) + 0.25 * a.cos().powi(2) + 8.0 * a.sin().powi(2);
    let start = std::f64::consts::FRAC_PI_4;
    let rate = |a: f64| 4.0 * (inertia(start) / inertia(a)).sqrt();
    for formulation in FORMULATIONS {
        let results = run(&text, formulation);
        let (mut a, h) = (start, 0.1 / 400.0);
        for (s, x) in column(&results, "slider.x").iter().enumerate() {
            for _ in 0..if s > 0 { 400 } else { 0 } {
                let k1 = rate(a);
                let k2 = rate(a + 0.5 * h * k1);
                let k3 = rate(a + 0.5 * h * k2);
                a += h / 6.0 * (k1 + 2.0 * (k2 + k3) + rate(a + h * k3));
            }
            held(
                COMPUTED,
                "slider.x",
                CLOSE,
                (x - 2.0 * a.cos()).abs(),
                format_args!("{formulation}, sample {s}: {x}"),
            );
        }
        assert!(a > 4.0 * std::f64::consts::PI, "too few passages: {a}");
    }
}
