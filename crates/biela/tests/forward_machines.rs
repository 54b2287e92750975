//! Small machines under forces against closed forms: governor, motors, spherical pendulum, door, pulses after a dwell.

mod common;

use biela::drivers::Target;
use biela::motion::{Motion, Spline};
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

/// A balanced mechanism at rest stays there: rounding of an energy of zero is no drift.
#[test]
fn what_rests_in_balance_stays_at_rest() {
    for name in ["double-cardan", "gear-train"] {
        let mut model = common::cases::load(name, &biela::text::Options::default()).released();
        model.study.analysis = biela::model::Analysis::Dynamics;
        model.study.end = model.study.start + 0.3;
        for formulation in ["absolute", "natural", "relative"] {
            let results = biela::solve::forward::run(&model, formulation, |_, _| true)
                .unwrap_or_else(|e| panic!("{name}, {formulation}: {e}"));
            // Far below anything that moves.
            assert!(largest(column(&results, "energy.kinetic")) < 1e-15, "{name}, {formulation}");
        }
    }
}

/// A disc on a vertical axle, J = 0.8 kg m², with a load.
fn disc(load: &str, run: &str) -> String {
    format!(
        r#"
        gravity = [0, 0, -9.81]
        [bodies.disc]
        mass = 2
        inertia = [0.5, 0.5, 0.8]
        [joints.O]
        type = "revolute"
        bodies = ["ground", "disc"]
        at = [[0, 0, 0], [0, 0, 0]]
        axis = [0, 0, 1]
        [forces.pulse]
        {load}
        {run}"#
    )
}

fn torque(value: &str) -> String {
    format!("type = \"joint-torque\"\njoint = \"O\"\nvalue = \"{value}\"")
}

/// Error of a pulse's impulse at tolerance 1e-11: some hundred steps within it.
const IMPULSE: f64 = 1e-9;

/// Torques with a dwell before and after, and their impulses over ten seconds.
fn pulses() -> Vec<(&'static str, f64)> {
    let root_pi = std::f64::consts::PI.sqrt();
    vec![
        ("if(t > 3, if(t < 3.5, 5, 0), 0)", 2.5),
        ("(t >= 3)*(t <= 3.5)*5", 2.5),
        ("5*step(t - 3)*step(3.5 - t)", 2.5),
        ("5*(step(t - 3) - step(t - 3.001))", 0.005),
        ("5e5*(step(t - 3) - step(t - 3.000001))", 0.5),
        ("5*smoothstep(t, 3, 3.1)*(1 - smoothstep(t, 3.1, 3.2))", 0.5),
        ("max(0, 1 - 1000*abs(t - 3.3))", 0.001),
        ("if(mod(t, 0.5) < 0.1, 5, 0)", 10.0),
        ("floor(t)", 45.0),
        ("5*sign(sin(50*t))", 5.0 * square_wave(50.0, 10.0)),
        ("5*exp(-((t - 3)/0.01)^2)", 0.05 * root_pi),
        ("5e4*exp(-((t - 3)/1e-6)^2)", 0.05 * root_pi),
        ("5/(1 + ((t - 3)/0.001)^2)", 0.005 * (7000f64.atan() + 3000f64.atan())),
        ("1000*(tanh((t - 3)/1e-4) - tanh((t - 3.001)/1e-4))", 2.0),
        ("sin(2*t) + 0.01*exp(-((t - 3)/0.001)^2)", 0.5 * (1.0 - 20f64.cos()) + 1e-5 * root_pi),
        // Two of opposite sign leave no speed, but an angle.
        ("5*exp(-((t - 3)/0.01)^2) - 5*exp(-((t - 3.1)/0.01)^2)", 0.0),
    ]
}

/// ∫ sign(sin(ωt)).
fn square_wave(omega: f64, end: f64) -> f64 {
    let half = std::f64::consts::PI / omega;
    let whole = (end / half).floor();
    let rest = end - whole * half;
    if whole % 2.0 == 0.0 {
        rest
    } else {
        half - rest
    }
}

#[test]
fn no_dwell_hides_a_pulse() {
    for (value, impulse) in pulses() {
        for steps in [1, 10, 37] {
            let results = run(&disc(&torque(value), &dynamics(10.0, steps, 1e-11)), "relative");
            let error = (last(&results, "O.angle.rate") - impulse / 0.8).abs();
            held(CLOSED, "O.angle.rate", IMPULSE, error, format_args!("{value}, {steps} samples"));
        }
    }
}

#[test]
fn pulses_in_all_coordinates_and_by_fixed_steps() {
    // Formulas that change at once are met exactly by any method. (At rest afterwards, so that turning adds no error.)
    let there_and_back = "5*(step(t - 3) - step(t - 3.001)) - 5*(step(t - 3.01) - step(t - 3.011))";
    for formulation in FORMULATIONS {
        for method in ["", "method = \"rk4\"\nstep = 0.1\n", "method = \"alpha\"\nstep = 0.1\n"] {
            let results = run(&disc(&torque(there_and_back), &(dynamics(10.0, 10, 1e-11) + method)), formulation);
            let angle = 0.005 / 0.8 * 0.01;
            let error = (last(&results, "O.angle") - angle).abs().max(last(&results, "O.angle.rate").abs());
            held(CLOSED, "O.angle", IMPULSE, error, format_args!("{formulation}, {method}"));
        }
    }
    // Smooth ones to what fixed steps promise; they are shorter there.
    /// A few dozen steps, each of which may miss 1e-5.
    const FIXED: f64 = 2e-4;
    let smooth = "1 + 5*exp(-((t - 3)/0.001)^2)";
    let speed = (10.0 + 0.005 * std::f64::consts::PI.sqrt()) / 0.8;
    for method in ["rk4", "alpha"] {
        let text =
            disc(&torque(smooth), &(dynamics(10.0, 10, 1e-8) + &format!("method = \"{method}\"\nstep = 0.02\n")));
        let error = (last(&run(&text, "relative"), "O.angle.rate") - speed).abs();
        assert!(error < FIXED, "{method}: {error:e}");
    }
}

#[test]
fn pulses_of_every_kind_of_load() {
    // A motor that is switched on for a while, or in a pulse: J ω′ = s (1 − ω/ω₀).
    let free = 20.0f64;
    for (stall, impulse) in
        [("if(t > 3, if(t < 3.5, 5, 0), 0)", 2.5), ("5*exp(-((t - 3)/0.01)^2)", 0.05 * std::f64::consts::PI.sqrt())]
    {
        let speed = free * (1.0 - (-impulse / (0.8 * free)).exp());
        for formulation in ["relative", "absolute"] {
            let load = format!("type = \"motor\"\njoint = \"O\"\nstall = \"{stall}\"\nspeed = {free}");
            let results = run(&disc(&load, &dynamics(4.0, 2, 1e-11)), formulation);
            let error = (last(&results, "O.angle.rate") - speed).abs();
            held(CLOSED, "O.angle.rate", 1e-8, error, format_args!("{formulation}, stall {stall}"));
        }
    }
    let narrow = "1e3*exp(-((t - 1)/1e-4)^2)";
    let impulse = 0.1 * std::f64::consts::PI.sqrt();
    for (load, speed) in [
        (format!("type = \"torque\"\nbody = \"disc\"\nvalue = [0, 0, \"{narrow}\"]"), impulse / 0.8),
        // At 0.5 m from the axle, in the disc's own axes.
        (
            format!(
                "type = \"force\"\nbody = \"disc\"\nat = [0.5, 0, 0]\nframe = \"body\"\nvalue = [0, \"{narrow}\", 0]"
            ),
            0.5 * impulse / 0.8,
        ),
        // A spring whose rest leaps away and back: k · 2 rad for a ten thousandth of a second at 1 s, then nothing.
        (
            "type = \"joint-spring\"\njoint = \"O\"\nstiffness = \"1e4*(step(t - 1) - step(t - 1.0001))\"\nrest = 2"
                .into(),
            2.0 * (1e4f64 / 0.8).sqrt() * ((1e4f64 / 0.8).sqrt() * 1e-4).sin(),
        ),
        // A pulse that counts where the disc has turned only: at rest, nothing.
        (torque("1e3*exp(-((t - 1)/1e-4)^2)*O.angle"), 0.0),
    ] {
        let results = run(&disc(&load, &dynamics(2.0, 1, 1e-11)), "relative");
        let error = (last(&results, "O.angle.rate") - speed).abs();
        held(CLOSED, "O.angle.rate", 1e-8, error, &load);
    }
    // The same on a disc that turns: ω gains I ω₀ (t = 1 s).
    let turning = disc(&torque("1e3*exp(-((t - 1)/1e-4)^2)*O.angle"), "[initial]\n\"O.angle.rate\" = 1\n")
        + &dynamics(2.0, 1, 1e-11);
    let gained = last(&run(&turning, "relative"), "O.angle.rate") - 1.0;
    // The angle grows during the pulse by 1e-4 of itself, odd about its middle to first order.
    assert!((gained - impulse / 0.8).abs() < 1e-5, "{gained}");
}

/// A cart that a driver moves after a dwell, with a pendulum on it: whatever the samples, the pendulum swings the same.
#[test]
fn a_driver_that_starts_after_a_dwell_moves_what_it_carries() {
    let text = |value: &str, steps: usize| {
        format!(
            r#"
            gravity = [0, -9.81, 0]
            [bodies.cart]
            mass = 1
            inertia = [0.1, 0.1, 0.1]
            [bodies.bob]
            mass = 1
            com = [0, -1, 0]
            inertia = [0.01, 0.01, 0.01]
            [joints.rail]
            type = "prismatic"
            bodies = ["ground", "cart"]
            at = [[0, 0, 0], [0, 0, 0]]
            axis = "x"
            [joints.O]
            type = "revolute"
            bodies = ["cart", "bob"]
            at = [[0, 0, 0], [0, 0, 0]]
            axis = "z"
            [drivers.push]
            joint = "rail"
            value = {value}
            {}"#,
            dynamics(5.0, steps, 1e-11)
        )
    };
    /// Errors of some hundred steps at tolerance 1e-11.
    const SAME: f64 = 1e-8;
    let laws = ["poly345", "cycloidal", "parabolic", "modified-trapezoid", "scurve"];
    let by_law = laws.map(|law| format!("{{ law = \"{law}\", from = 0, to = 0.2, start = 2.03, end = 2.33 }}"));
    let others = [
        "table".to_string(),
        // There and back between two samples: a small push in all, but not nothing.
        "\"0.2*exp(-((t - 2.03)/0.05)^2)\"".to_string(),
        "\"0.1*smoothstep(t, 2, 2.1)*(1 - smoothstep(t, 2.1, 2.2))\"".to_string(),
    ];
    let t = [0.0, 1.0, 2.0, 2.1, 2.2, 2.3, 4.0, 5.0];
    let table = Motion::Table(Spline::new(&t, &[0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.0]).unwrap());
    let by = |value: &str, steps: usize, formulation: &str| {
        let model = parse(&text(if value == "table" { "0" } else { value }, steps));
        let mut drivers = model.drivers.to_vec();
        if let (Target::Coordinate { value: given, .. }, "table") = (&mut drivers[0].target, value) {
            *given = table.clone();
        }
        let model = model.with_drivers(drivers);
        biela::solve::forward::run(&model, formulation, |_, _| true).unwrap_or_else(|e| panic!("{value}: {e}"))
    };
    for value in by_law.iter().chain(&others) {
        let fine = by(value, 500, "relative");
        assert!(largest(column(&fine, "O.angle")) > 1e-3, "{value}");
        for (formulation, steps) in [("relative", 1), ("absolute", 5)] {
            let coarse = by(value, steps, formulation);
            let error = (last(&coarse, "O.angle") - last(&fine, "O.angle")).abs();
            assert!(error < SAME, "{value}, {formulation}: {error:e}");
        }
    }
}
