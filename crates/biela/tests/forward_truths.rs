//! Motion under forces against truths in closed form, by every formulation.

mod common;

use common::forward::*;
use common::record::{held, CLOSED, KEPT};
use std::f64::consts::PI;

/// Error of a run at tolerance 1e-12 over a few seconds.
const TIGHT: f64 = 1e-9;

#[test]
fn a_pendulum_swings_with_the_period_of_the_elliptic_integral() {
    for amplitude in [0.1, 1.0, 2.5f64] {
        let (m, l, i): (f64, f64, f64) = (2.0, 0.5, 2.0 * 0.25 + 0.01);
        let period = 2.0 * PI * (i / (m * 9.81 * l)).sqrt() / agm(1.0, (0.5 * amplitude).cos());
        let text = pendulum(amplitude) + &dynamics(2.25 * period, 9, 1e-12);
        for formulation in FORMULATIONS {
            let results = run(&text, formulation);
            let angle = column(&results, "O.angle");
            // Quarter periods: hanging, turned, hanging, at the start again.
            for (k, expected) in [(1, 0.0), (2, -amplitude), (3, 0.0), (4, amplitude), (8, amplitude), (9, 0.0)] {
                let error = (angle[k] - expected).abs();
                held(
                    CLOSED,
                    "O.angle",
                    TIGHT,
                    error,
                    format_args!("{formulation}, amplitude {amplitude}, quarter {k}"),
                );
            }
        }
    }
}

/// A symmetric top on a point: 1 kg, mass centre 0.2 m up its axis, tilted by `tilt` about x.
fn top(tilt: f64, w: [f64; 3], end: f64, steps: usize) -> String {
    format!(
        r#"
        gravity = [0, 0, -9.81]
        [bodies.top]
        mass = 1
        com = [0, 0, 0.2]
        inertia = [0.01, 0.01, 0.008]
        points = {{ tip = [0, 0, 1] }}
        pose = {{ angle = {tilt}, axis = [1, 0, 0] }}
        [joints.O]
        type = "spherical"
        bodies = ["ground", "top"]
        at = [[0, 0, 0], [0, 0, 0]]
        [initial]
        "top.wx" = {}
        "top.wy" = {}
        "top.wz" = {}
        {}"#,
        w[0],
        w[1],
        w[2],
        dynamics(end, steps, 1e-12)
    )
}

#[test]
fn a_heavy_top_precesses_steadily_where_it_should() {
    // I₁ Ω² cos θ − I₃ ω₃ Ω + m g l = 0 with ω₃ the whole spin about its own axis.
    let (i1, i3, mgl, tilt) = (0.01 + 0.04, 0.008, 9.81 * 0.2, 0.6f64);
    let w3 = 150.0;
    let (a, b) = (i1 * tilt.cos(), i3 * w3);
    let slow = (b - (b * b - 4.0 * a * mgl).sqrt()) / (2.0 * a);
    // ω = Ω z + (ω₃ − Ω cos θ) e, with e the top's axis.
    let e = [0.0, -tilt.sin(), tilt.cos()];
    let along = w3 - slow * tilt.cos();
    let text = top(tilt, [0.0, along * e[1], slow + along * e[2]], 2.0, 40);
    for formulation in FORMULATIONS {
        let results = run(&text, formulation);
        let (x, y, z) = (column(&results, "top.tip.x"), column(&results, "top.tip.y"), column(&results, "top.tip.z"));
        for (k, t) in column(&results, "t").iter().enumerate() {
            let phi = slow * t;
            let expected = [tilt.sin() * phi.sin(), -tilt.sin() * phi.cos(), tilt.cos()];
            let error = (x[k] - expected[0]).abs().max((y[k] - expected[1]).abs()).max((z[k] - expected[2]).abs());
            held(CLOSED, "top.tip", 1e-8, error, format_args!("{formulation}, t = {t}"));
        }
    }
}

#[test]
fn a_heavy_top_nutates_with_the_period_of_the_elliptic_integral() {
    // Released with its axis at rest: u = cos θ obeys u'² = (u₀ − u)(β (1 − u²) − a² (u₀ − u)), a = I₃ω₃/I₁, β = 2mgl/I₁.
    let (i1, i3, mgl, tilt) = (0.01 + 0.04, 0.008, 9.81 * 0.2, 0.6f64);
    let (w3, u0) = (150.0, tilt.cos());
    let (a, beta): (f64, f64) = (i3 * w3 / i1, 2.0 * mgl / i1);
    // β (1 − u²) = a² (u₀ − u).
    let root = |sign: f64| (a * a + sign * (a.powi(4) - 4.0 * beta * (a * a * u0 - beta)).sqrt()) / (2.0 * beta);
    let (low, high) = (root(-1.0), root(1.0));
    // Full period 2 ∫ du/√(β (u − low)(u₀ − u)(high − u)).
    let k2 = (u0 - low) / (high - low);
    let period = 2.0 * PI / ((beta * (high - low)).sqrt() * agm(1.0, (1.0 - k2).sqrt()));
    let text = top(tilt, [0.0, -w3 * tilt.sin(), w3 * tilt.cos()], 5.0 * period, 10);
    for formulation in FORMULATIONS {
        let results = run(&text, formulation);
        for (k, z) in column(&results, "top.tip.z").iter().enumerate() {
            let expected = if k % 2 == 0 { u0 } else { low };
            let error = (z - expected).abs();
            held(CLOSED, "top.tip.z", TIGHT, error, format_args!("{formulation}, half period {k}: {z} for {expected}"));
        }
    }
}

#[test]
fn a_body_without_torque_keeps_energy_and_angular_momentum_for_a_thousand_turns() {
    // One turn per second about an axis near none of the principal ones; drift below 1e-9 of the whole.
    const DRIFT: f64 = 1e-9;
    let text = r#"
        gravity = [0, 0, 0]
        [bodies.body]
        mass = 1
        inertia = [1, 2, 2.5]
        [joints.none]
        type = "free"
        bodies = ["ground", "body"]
        [initial]
        "body.wx" = 3
        "body.wy" = 4
        "body.wz" = 3.9
    "#;
    let text = format!("{text}{}", dynamics(1000.0, 500, 1e-12));
    let results = run(&text, "absolute");
    let energy = column(&results, "energy.total");
    let momentum = |k: usize| {
        let e: [f64; 4] = ["e0", "e1", "e2", "e3"].map(|c| column(&results, &format!("body.{c}"))[k]);
        let w: [f64; 3] = ["wx", "wy", "wz"].map(|c| column(&results, &format!("body.{c}"))[k]);
        let r = rotation(e);
        let mut out = [0.0; 3];
        for (j, i) in [1.0, 2.0, 2.5].iter().enumerate() {
            let along = (0..3).map(|m| r[m][j] * w[m]).sum::<f64>();
            (0..3).for_each(|m| out[m] += r[m][j] * i * along);
        }
        out
    };
    let start = momentum(0);
    let size = start.iter().map(|x| x * x).sum::<f64>().sqrt();
    for k in 0..results.len() {
        held(KEPT, "energy", DRIFT, (energy[k] / energy[0] - 1.0).abs(), format_args!("sample {k}"));
        let off = momentum(k).iter().zip(&start).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        held(KEPT, "angular momentum", DRIFT, off / size, format_args!("sample {k}"));
    }
}

/// Rotation matrix of Euler parameters.
fn rotation([a, b, c, d]: [f64; 4]) -> [[f64; 3]; 3] {
    [
        [a * a + b * b - c * c - d * d, 2.0 * (b * c - a * d), 2.0 * (b * d + a * c)],
        [2.0 * (b * c + a * d), a * a - b * b + c * c - d * d, 2.0 * (c * d - a * b)],
        [2.0 * (b * d - a * c), 2.0 * (c * d + a * b), a * a - b * b - c * c + d * d],
    ]
}

#[test]
fn masses_over_a_wheel_fall_as_atwood_says() {
    let body = |name: &str, m: f64| format!("[bodies.{name}]\nmass = {m}\ninertia = [0.1, 0.1, 0.1]\n");
    let slide = |name: &str, body: &str, x: f64| {
        format!(
            "[joints.{name}]\ntype = \"prismatic\"\nbodies = [\"ground\", \"{body}\"]\nat = [[{x}, 0, 0], [0, 0, 0]]\n\
             axis = [[0, 1, 0], [0, 1, 0]]\n"
        )
    };
    let text = format!(
        "gravity = [0, -9.81, 0]\n{}{}{}{}{}\
         [joints.hub]\ntype = \"revolute\"\nbodies = [\"ground\", \"wheel\"]\nat = [0, 2, 0]\naxis = [0, 0, 1]\n\
         [couplings.left]\ntype = \"rack\"\njoints = [\"hub\", \"a\"]\nradius = -0.3\n\
         [couplings.right]\ntype = \"rack\"\njoints = [\"hub\", \"b\"]\nradius = 0.3\n{}",
        body("left", 3.0),
        body("right", 2.0),
        body("wheel", 1.0) + "pose = { at = [0, 2, 0] }\n",
        slide("a", "left", -0.3),
        slide("b", "right", 0.3),
        dynamics(1.0, 10, 1e-10)
    );
    // The wheel's inertia 0.1 counts as 0.1/0.3² of mass.
    let expected = 9.81 * (2.0 - 3.0) / (2.0 + 3.0 + 0.1 / 0.09);
    for formulation in FORMULATIONS {
        let results = run(&text, formulation);
        for (t, y) in column(&results, "t").iter().zip(column(&results, "a.slide")) {
            let error = (y - 0.5 * expected * t * t).abs();
            held(CLOSED, "a.slide", TIGHT, error, format_args!("{formulation}: {y} at {t}"));
        }
        // The rope's force on the heavier mass: m (g + a).
        let pull = last(&results, "left.effort").abs();
        held(
            CLOSED,
            "left.effort",
            TIGHT,
            (pull - 3.0 * (9.81 + expected)).abs(),
            format_args!("{formulation}: {pull}"),
        );
    }
}

/// A bead (with isotropic inertia I) on a hoop of radius 0.4 m turning about the vertical at 8 rad/s.
fn hoop(angle: f64, end: f64) -> String {
    format!(
        r#"
        gravity = [0, 0, -9.81]
        [bodies.hoop]
        [bodies.bead]
        mass = 0.5
        com = [0, 0, -0.4]
        inertia = [0.002, 0.002, 0.002]
        [joints.axle]
        type = "revolute"
        bodies = ["ground", "hoop"]
        at = [[0, 0, 0], [0, 0, 0]]
        axis = [[0, 0, 1], [0, 0, 1]]
        [joints.slide]
        type = "revolute"
        bodies = ["hoop", "bead"]
        at = [[0, 0, 0], [0, 0, 0]]
        axis = [[0, 1, 0], [0, 1, 0]]
        [drivers.motor]
        joint = "axle"
        value = "8*t"
        [initial]
        "slide.angle" = {angle:e}
        {}"#,
        dynamics(end, 50, 1e-11)
    )
}

#[test]
fn a_bead_on_a_turning_hoop_rests_where_it_should_and_keeps_jacobis_integral() {
    let (omega, r, m, i) = (8.0, 0.4, 0.5, 0.002);
    let rest = f64::acos(9.81 / (r * omega * omega));
    for formulation in FORMULATIONS {
        let results = run(&hoop(rest, 1.0), formulation);
        let moved = column(&results, "slide.angle").iter().map(|x| (x - rest).abs()).fold(0.0, f64::max);
        held(CLOSED, "slide.angle", 1e-8, moved, formulation);
        let results = run(&hoop(0.3, 3.0), formulation);
        let integral: Vec<f64> = column(&results, "slide.angle")
            .iter()
            .zip(column(&results, "slide.angle.rate"))
            .map(|(x, rate)| {
                0.5 * (m * r * r + i) * rate * rate
                    - 0.5 * m * r * r * omega * omega * x.sin() * x.sin()
                    - m * 9.81 * r * x.cos()
            })
            .collect();
        let scale = m * r * r * omega * omega;
        for value in &integral {
            held(KEPT, "Jacobi's integral", TIGHT, (value - integral[0]).abs() / scale, formulation);
        }
        // The motor's work accounts for the change of energy.
        assert!(largest(column(&results, "energy.work")) > 0.01 * scale);
        assert!(largest(column(&results, "energy.drift")) < TIGHT * scale, "{formulation}");
    }
}

#[test]
fn a_damped_spring_and_mass_follow_the_exponential() {
    let (m, k, c, x0) = (2.0, 200.0, 3.0, 0.1);
    let text = format!(
        r#"
        gravity = [0, 0, 0]
        [bodies.cart]
        mass = {m}
        inertia = [0.1, 0.1, 0.1]
        pose = {{ at = [1, 0, 0] }}
        [joints.rail]
        type = "prismatic"
        bodies = ["ground", "cart"]
        at = [[0, 0, 0], [0, 0, 0]]
        axis = [[1, 0, 0], [1, 0, 0]]
        [forces.spring]
        type = "spring-damper"
        bodies = ["ground", "cart"]
        at = [[0, 0, 0], [0, 0, 0]]
        stiffness = {k}
        damping = {c}
        length = 1
        [initial]
        "rail.slide" = {}
        {}"#,
        1.0 + x0,
        dynamics(3.0, 60, 1e-11)
    );
    let (decay, w0) = (0.5 * c / m, f64::sqrt(k / m));
    let w = (w0 * w0 - decay * decay).sqrt();
    for formulation in FORMULATIONS {
        let results = run(&text, formulation);
        for (t, x) in column(&results, "t").iter().zip(column(&results, "rail.slide")) {
            let exact = 1.0 + x0 * (-decay * t).exp() * ((w * t).cos() + decay / w * (w * t).sin());
            held(CLOSED, "rail.slide", TIGHT, (x - exact).abs(), format_args!("{formulation}, t = {t}"));
        }
        assert!(largest(column(&results, "energy.drift")) < TIGHT, "{formulation}");
    }
}
