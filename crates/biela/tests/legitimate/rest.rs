//! Rest and motion: dwells, long runs, chains that hang.

use crate::common::forward::agm;
use crate::parts::*;
use crate::*;
use std::f64::consts::{PI, TAU};

#[test]
fn rest_then_motion() {
    let mut list = List::default();
    // The arm's inertia about its pivot is 2·0.5² + 0.1 = 0.6.
    let (arm, i) = (arm(2.0, 0.5, 0.1), 0.6);
    for rest in [0.5, 3.0, 30.0, 300.0] {
        let end = rest + 0.5;
        // A steady torque after a dwell.
        let text = WEIGHTLESS.to_string() + &arm + &joint_torque("m", "O", &format!("if(t < {rest}, 0, 5)"));
        let holds =
            [("O.angle", 0.5 * 5.0 / i * 0.25, INTEGRATED), ("energy.kinetic", 0.5 * 2.5 * 2.5 / i, INTEGRATED)];
        list.add(format!("torque after {rest} s"), text + &dynamics(end, 100), ALL, &holds);
        // A torque that grows from zero.
        let text = WEIGHTLESS.to_string() + &arm + &joint_torque("m", "O", &format!("6*max(0, t - {rest})"));
        let holds = [("O.angle", 6.0 / i / 6.0 * 0.125, INTEGRATED)];
        list.add(format!("torque grows from {rest} s on"), text + &dynamics(end, 100), ALL, &holds);
        // A pulse, and rest again: the speed stays at impulse over inertia.
        if rest < 1.0 {
            let pulse = format!("if(t < {rest}, 0, if(t > {rest} + 0.25, 0, 2))");
            let text = WEIGHTLESS.to_string() + &arm + &joint_torque("m", "O", &pulse) + &dynamics(end, 100);
            list.add(format!("pulse after {rest} s"), text, ALL, &[("O.angle.rate", 0.5 / i, INTEGRATED)]);
        }
        // A driver that waits, with gravity and without.
        for gravity in [GRAVITY, WEIGHTLESS] {
            let law = format!("if(t < {rest}, 0, (t - {rest})^3)");
            let text = gravity.to_string() + &arm + &driver("d", "O", &law) + &dynamics(end, 100);
            list.add(format!("driver waits {rest} s"), text, ALL, &[("O.angle", 0.125, EXACT)]);
            let law = format!("[drivers.d]\njoint = \"O\"\nvalue = {{ law = \"cycloidal\", from = 0, to = 2, start = {rest}, end = {end} }}\n");
            list.add(
                format!("law after {rest} s"),
                gravity.to_string() + &arm + &law + &dynamics(end, 100),
                ALL,
                &[("O.angle", 2.0, EXACT)],
            );
        }
        // A driven crank that waits, and a load on the slider that sets in with it.
        let law = driver("d", "O", &format!("0.7 + if(t < {rest}, 0, 4*(t - {rest})^3)"));
        let text = GRAVITY.to_string() + &slider_crank(0.3, 1.0, [0.0; 3], 0.7, 1.0) + &law;
        let holds = [("P.slide", slider(0.3, 1.0, 1.2), EXACT)];
        list.add(format!("slider-crank waits {rest} s"), text.clone() + &dynamics(end, 100), ALL, &holds);
        list.add(
            format!("slider-crank waits {rest} s, its forces"),
            text + &runs("inverse-dynamics", end, 100, ""),
            TELLS,
            &holds,
        );
        // Two arms on one ground, the second waits for the first to have come to rest by its driver.
        let other = body("late", 1.0, [0.0, -0.2, 0.0], 0.01, [3.0, 0.0, 0.0], 0.0)
            + &revolute("Q", "ground", "late", [[3.0, 0.0, 0.0], [0.0; 3]]);
        let text = WEIGHTLESS.to_string()
            + &arm
            + &other
            + &driver("d", "O", "smoothstep(t, 0, 0.2)")
            + &joint_torque("m", "Q", &format!("if(t < {rest}, 0, 0.1)"));
        list.add(
            format!("the second after {rest} s"),
            text + &dynamics(end, 100),
            ALL,
            &[("Q.angle", 0.5 * 0.1 / 0.05 * 0.25, INTEGRATED)],
        );
        // A block on a spring at rest, pushed late: x = F/k (1 − cos ω t).
        let text = WEIGHTLESS.to_string()
            + &block(1.0)
            + &spring(100.0, 0.0, 0.0)
            + &joint_torque("f", "P", &format!("if(t < {rest}, 0, 3)"));
        list.add(
            format!("spring pushed after {rest} s"),
            text + &dynamics(end, 100),
            ALL,
            &[("P.slide", 0.03 * (1.0 - 5f64.cos()), INTEGRATED)],
        );
    }
    // Fixed steps, on a grid that the torque does not begin on.
    for method in ["rk4", "alpha"] {
        for rest in [0.5, 0.50037, 3.00049] {
            let more = format!("method = \"{method}\"\nstep = 1e-3\n");
            let text = WEIGHTLESS.to_string() + &arm + &joint_torque("m", "O", &format!("if(t < {rest}, 0, 5)"));
            let holds = [("O.angle.rate", 5.0 / i * 0.5, 2e-2)];
            list.add(
                format!("{method}, torque after {rest} s"),
                text + &runs("dynamics", rest + 0.5, 10, &more),
                ALL,
                &holds,
            );
        }
    }
    // Motion, rest, and motion again: friction stops the block, a push at 5 s moves it.
    let push = joint_torque("f", "P", "if(t < 5, 0, if(t > 6, 0, 4))") + "[forces.r]\ntype = \"damper\"\nbodies = [\"ground\", \"block\"]\nat = [[-50, 0, 0], [0, 0, 0]]\ndamping = 8\n";
    let text = WEIGHTLESS.to_string() + &block(1.0) + &push + &initial(&[("P.slide.rate", 2.0)]) + &dynamics(20.0, 200);
    list.add("brought to rest and pushed again", text, ALL, &[("P.slide", 2.0 / 8.0 + 0.5, INTEGRATED)]);
    try_all(list);
}

#[test]
fn long_runs() {
    let mut list = List::default();
    // A mathematical pendulum by the arithmetic-geometric mean, over whole periods.
    let (m, l, i) = (2.0, 0.5, 0.1);
    let frequency = (m * G * l / (m * l * l + i)).sqrt();
    for amplitude in [1e-3f64, 0.1, 1.0, 2.5] {
        let period = TAU / (frequency * agm(1.0, (0.5 * amplitude).cos()));
        for seconds in [200.0, 2000.0] {
            let end = (seconds / period).round() * period;
            let text = GRAVITY.to_string()
                + &arm(m, l, i)
                + &initial(&[("O.angle", amplitude)])
                + &runs("dynamics", end, 100, "tolerance = 1e-9\n");
            let by = if seconds > 300.0 { RELATIVE } else { ALL };
            list.add(
                format!("pendulum at {amplitude} for {seconds} s"),
                text,
                by,
                &[("O.angle", amplitude, 1e-3 * amplitude)],
            );
        }
    }
    let text = GRAVITY.to_string() + &arm(m, l, i) + &initial(&[("O.angle", 0.5)]) + &dynamics(3000.0, 30);
    list.add("pendulum for 3000 s at the usual tolerance", text, RELATIVE, &[]);
    // A pendulum at rest where it hangs, and where it stands.
    for angle in [0.0, PI] {
        let text = GRAVITY.to_string() + &arm(m, l, i) + &initial(&[("O.angle", angle)]);
        list.add(
            format!("pendulum left at {angle}"),
            text + &dynamics(if angle == 0.0 { 1e4 } else { 1.0 }, 10),
            ALL,
            &[("O.angle", angle, 1e-6)],
        );
    }
    // Cranks over thousands of turns.
    for (turns, steps) in [(2000.0, 20), (2000.0, 4000), (20000.0, 200)] {
        let text = slider_crank(0.3, 1.0, [0.0; 3], 0.5, 0.0)
            + &driver("d", "O", "0.5 + 2*pi*t")
            + &runs("kinematics", turns, steps, "");
        list.add(
            format!("crank of {turns} turns, {steps} samples"),
            text,
            RELATIVE,
            &[("P.slide", slider(0.3, 1.0, 0.5), EXACT)],
        );
    }
    let text = WEIGHTLESS.to_string() + &arm(m, l, i) + &initial(&[("O.angle.rate", TAU)]) + &dynamics(2000.0, 20);
    list.add("free crank of 2000 turns", text, RELATIVE, &[("O.angle", 2000.0 * TAU, 1e-5)]);
    let text = GRAVITY.to_string() + &arm(m, l, i) + &driver("d", "O", "2*pi*t") + &dynamics(200.0, 20);
    list.add("driven crank under gravity, 200 turns", text, ALL, &[("O.angle", 200.0 * TAU, EXACT)]);
    // A crank driven steadily under a load that the crank's own motion does not show: work, not motion, needs short steps.
    for tolerance in [1e-8, 1e-11] {
        let load = joint_torque("m", "O", "3*sin(20*O.angle)");
        let more = format!("tolerance = {tolerance:e}\n");
        let text =
            GRAVITY.to_string() + &arm(m, l, i) + &driver("d", "O", "2*t") + &load + &runs("dynamics", 10.0, 10, &more);
        let work = 2.0 * G * 0.5 * (1.0 - 20f64.cos());
        list.add(format!("load of many waves a turn at {tolerance:e}"), text, ALL, &[("energy.work", work, 1e-4)]);
    }
    // Free fall, straight and thrown, and coasting.
    let ball = body("ball", 3.0, [0.0; 3], 0.1, [0.0; 3], 0.0);
    for (end, speed) in [(2000.0, 0.0), (2000.0, 7.0), (1e5, 0.3)] {
        let text = GRAVITY.to_string() + &ball + &initial(&[("ball.vx", speed)]) + &dynamics(end, 10);
        let holds = [("ball.y", -0.5 * G * end * end, 1e-9 * end * end), ("ball.x", speed * end, 1e-6)];
        list.add(format!("fall for {end} s at {speed} m/s"), text, ALL, &holds);
        let text = WEIGHTLESS.to_string() + &ball + &initial(&[("ball.vx", speed)]) + &dynamics(end, 10);
        list.add(format!("coasting for {end} s at {speed} m/s"), text, ALL, &[("ball.x", speed * end, 1e-6)]);
    }
    // A symmetric top without torque precesses steadily: its angular momentum, hence kinetic energy, stays.
    let top = "[bodies.top]\nmass = 1\ninertia = [0.2, 0.2, 0.3]\n[joints.S]\ntype = \"spherical\"\nbodies = [\"ground\", \"top\"]\nat = [[0, 0, 0], [0, 0, 0]]\n";
    let text = WEIGHTLESS.to_string() + top + &initial(&[("top.wz", 3.0), ("top.wx", 1.0)]) + &dynamics(1000.0, 10);
    list.add("free top for 1000 s", text, RELATIVE, &[("energy.kinetic", 0.5 * (0.3 * 9.0 + 0.2), 1e-5)]);
    let text = GRAVITY.to_string()
        + &block(1.0)
        + &spring(40.0, 0.0, 0.0)
        + &initial(&[("P.slide", 0.2)])
        + &dynamics(2000.0, 20);
    list.add("oscillator for 2000 s", text, RELATIVE, &[("energy.total", 0.8, 1e-4)]);
    let text = GRAVITY.to_string()
        + &block(1.0)
        + &spring(40.0, 0.5, 0.0)
        + &initial(&[("P.slide", 0.2)])
        + &dynamics(3000.0, 20);
    list.add("damped oscillator long after", text, ALL, &[("P.slide", 0.0, 1e-7)]);
    try_all(list);
}

#[test]
fn chains_at_rest() {
    let mut list = List::default();
    for (n, end) in [(10, 10.0), (50, 3.0), (100, 1.0), (200, 0.5)] {
        // Hanging straight down; along a slanted gravity that no number represents; pulled out of line by nothing at all.
        let down = GRAVITY.to_string() + &chain(n, -0.5 * PI) + &dynamics(end, 5);
        list.add(
            format!("{n} links at rest"),
            down,
            if n > 60 { TELLS } else { ALL },
            &[("j0.angle", -0.5 * PI, 1e-6)],
        );
        let (s, c) = (-1.1f64).sin_cos();
        let slanted = format!("gravity = [{}, {}, 0]\n", 9.81 * c, 9.81 * s) + &chain(n, -1.1) + &dynamics(end, 5);
        list.add(
            format!("{n} links at rest, slanted"),
            slanted,
            if n > 60 { RELATIVE } else { ALL },
            &[("j0.angle", -1.1, 1e-6)],
        );
        let floating = WEIGHTLESS.to_string() + &chain(n, 0.3) + &dynamics(end, 5);
        list.add(
            format!("{n} links without weight"),
            floating,
            if n > 60 { RELATIVE } else { ALL },
            &[("j0.angle", 0.3, 1e-9)],
        );
    }
    let braked = (0..20)
        .map(|k| format!("[forces.b{k}]\ntype = \"friction\"\njoint = \"j{k}\"\nviscous = 0.01\ncoulomb = 0.0\n"));
    let text = GRAVITY.to_string() + &chain(20, -0.5 * PI) + &braked.collect::<String>() + &dynamics(5.0, 5);
    list.add("20 braked links at rest", text, ALL, &[("j0.angle", -0.5 * PI, 1e-6)]);
    try_all(list);
}
