//! Tiny and huge mechanisms and masses, odd times and parts.

use crate::common::forward::agm;
use crate::parts::*;
use crate::*;
use std::f64::consts::{PI, TAU};

#[test]
fn tiny_and_huge() {
    let mut list = List::default();
    for size in [1e-6, 1e-3, 1e3, 1e6, 1e9] {
        let bars = CRANK_ROCKER.map(|l| l * size);
        let rocker = four_bar_angles(CRANK_ROCKER, 1.5)[1];
        let text = four_bar(bars, [0.0; 3], 0.5, 0.0) + &driver("d", "O", "0.5 + t") + &runs("kinematics", 1.0, 10, "");
        list.add(format!("four-bar of {size:e} m"), text, EVERY, &[("C.angle", rocker, EXACT)]);
        // The period of a pendulum goes with the root of its length.
        let (m, l) = (1.0, size);
        let period = TAU / ((G / (1.1 * l)).sqrt() * agm(1.0, 0.5f64.cos()));
        let text =
            GRAVITY.to_string() + &arm(m, l, 0.1 * m * l * l) + &initial(&[("O.angle", 1.0)]) + &dynamics(period, 10);
        list.add(format!("pendulum of {size:e} m"), text, ALL, &[("O.angle", 1.0, 1e-4)]);
        let text = format!("gravity = [0, {:e}, 0]\n", -G * size)
            + &four_bar(bars, [0.0; 3], 0.5, 1.0 / size)
            + &initial(&[("O.angle.rate", 2.0)])
            + &dynamics(1.0, 10);
        list.add(format!("free four-bar of {size:e} m"), text, ALL, &[]);
    }
    for mass in [1e-9, 1e-6, 1e6, 1e9] {
        let period = TAU / ((G / 1.1).sqrt() * agm(1.0, 0.5f64.cos()));
        let text =
            GRAVITY.to_string() + &arm(mass, 1.0, 0.1 * mass) + &initial(&[("O.angle", 1.0)]) + &dynamics(period, 10);
        list.add(format!("pendulum of {mass:e} kg"), text, ALL, &[("O.angle", 1.0, 1e-4)]);
        let text = GRAVITY.to_string()
            + &four_bar(CRANK_ROCKER, [0.0; 3], 0.5, mass)
            + &driver("d", "O", "0.5 + t")
            + &runs("inverse-dynamics", 1.0, 10, "");
        list.add(format!("forces of a four-bar of {mass:e} kg/m"), text, TELLS, &[]);
        let text = GRAVITY.to_string() + &four_bar(CRANK_ROCKER, [0.0; 3], 0.5, mass) + &dynamics(1.0, 10);
        list.add(format!("four-bar of {mass:e} kg/m falls"), text, ALL, &[]);
    }
    // Masses far apart: the light one hangs on the heavy one, and the other way round.
    for (first, second) in [(1e4, 1e-4), (1e-4, 1e4), (1e8, 1.0), (1.0, 1e8)] {
        let two = body("a", first, [0.0, -0.5, 0.0], 0.1 * first, [0.0; 3], 0.0)
            + &body("b", second, [0.0, -0.5, 0.0], 0.1 * second, [0.0, -1.0, 0.0], 0.0)
            + &revolute("A", "ground", "a", [[0.0; 3]; 2])
            + &revolute("B", "a", "b", [[0.0, -1.0, 0.0], [0.0; 3]]);
        let text = GRAVITY.to_string() + &two + &initial(&[("A.angle", 0.5)]) + &dynamics(1.0, 10);
        list.add(format!("{first:e} kg and {second:e} kg"), text, ALL, &[]);
        let text = GRAVITY.to_string() + &two + &dynamics(100.0, 10);
        list.add(format!("{first:e} kg and {second:e} kg at rest"), text, ALL, &[("B.angle", 0.0, 1e-6)]);
    }
    try_all(list);
}

#[test]
fn odd_times_and_parts() {
    let mut list = List::default();
    let rocker = |crank: f64| four_bar_angles(CRANK_ROCKER, crank)[1];
    let bare = four_bar(CRANK_ROCKER, [0.0; 3], 0.5, 0.0);
    let heavy = GRAVITY.to_string() + &four_bar(CRANK_ROCKER, [0.0; 3], 0.5, 1.0);
    // Very slow and very fast.
    for rate in [1e-12, 1e-6, 1e3, 1e6, 1e9] {
        let end = 1.0 / rate;
        let text = bare.clone() + &driver("d", "O", &format!("0.5 + {rate:e}*t")) + &runs("kinematics", end, 10, "");
        list.add(format!("driven at {rate:e} rad/s"), text, EVERY, &[("C.angle", rocker(1.5), EXACT)]);
        let text =
            heavy.clone() + &driver("d", "O", &format!("0.5 + {rate:e}*t")) + &runs("inverse-dynamics", end, 10, "");
        list.add(format!("forces at {rate:e} rad/s"), text, TELLS, &[("C.angle", rocker(1.5), EXACT)]);
        // Within the 30 000 years of the slowest, rounding of forces that balance moves anything by metres between two steps.
        if rate >= 1e-6 {
            let text = heavy.clone() + &driver("d", "O", &format!("0.5 + {rate:e}*t")) + &dynamics(end, 10);
            list.add(format!("under forces at {rate:e} rad/s"), text, ALL, &[("C.angle", rocker(1.5), 1e-8)]);
        }
    }
    // Times before zero, none at all, one step, and a clock that has run for long.
    for (start, end, steps) in [
        (-2.0, -1.0, 10),
        (-1.0, 1.0, 7),
        (0.0, 0.0, 10),
        (5.0, 5.0, 1),
        (0.0, 1.0, 1),
        (1e6, 1e6 + 1.0, 10),
        (0.0, 1e-9, 3),
    ] {
        let drive = driver("d", "O", &format!("0.5 + (t - {start:?})"));
        for (analysis, by) in
            [("kinematics", EVERY), ("inverse-dynamics", TELLS), ("statics", TELLS), ("dynamics", ALL)]
        {
            let text = heavy.clone()
                + &drive
                + &format!("[run]\nanalysis = \"{analysis}\"\nstart = {start:?}\nend = {end:?}\nsteps = {steps}\n");
            list.add(
                format!("{analysis} from {start} to {end} in {steps}"),
                text,
                by,
                &[("C.angle", rocker(0.5 + end - start), 1e-8)],
            );
        }
        let text = heavy.clone()
            + &format!("[run]\nanalysis = \"dynamics\"\nstart = {start:?}\nend = {end:?}\nsteps = {steps}\n");
        list.add(format!("falling from {start} to {end} in {steps}"), text, ALL, &[]);
    }
    // Two mechanisms in one file, at rest and moving; a body attached to nothing.
    let second = four_bar(CRANK_ROCKER, [9.0, 2.0, 1.0], 0.5, 1.0);
    let second =
        ["crank", "coupler", "rocker"].iter().fold(second, |text, name| text.replace(name, &format!("{name}2")));
    let second = ["O", "A", "B", "C"]
        .iter()
        .fold(second, |text, name| text.replace(&format!("[joints.{name}]"), &format!("[joints.{name}2]")));
    let two = heavy.clone() + &second;
    let text =
        two.clone() + &driver("d", "O", "0.5 + t") + &driver("e", "O2", "0.5 - t") + &runs("kinematics", 1.0, 10, "");
    list.add(
        "two mechanisms driven",
        text,
        EVERY,
        &[("C.angle", rocker(1.5), EXACT), ("C2.angle", rocker(-0.5), EXACT)],
    );
    list.add("two mechanisms falling", two.clone() + &dynamics(1.0, 10), ALL, &[]);
    list.add(
        "two mechanisms, one driven",
        two + &driver("d", "O", "0.5 + t") + &dynamics(1.0, 10),
        ALL,
        &[("C.angle", rocker(1.5), 1e-8)],
    );
    let stone = body("stone", 1.0, [0.0; 3], 0.1, [50.0, 0.0, 0.0], 0.0);
    let text = heavy.clone() + &stone + &driver("d", "O", "0.5 + t") + &dynamics(1.0, 10);
    list.add(
        "a stone falls beside a mechanism",
        text,
        ALL,
        &[("stone.y", -0.5 * G, 1e-6), ("C.angle", rocker(1.5), 1e-8)],
    );
    // Idle spins: the rod of an RSSR, in kinematics and under forces.
    let limits = heavy.replacen(
        "bodies = [\"ground\", \"crank\"]",
        "bodies = [\"ground\", \"crank\"]\nlimits = { lower = 0.5, upper = 4 }",
        1,
    );
    list.add(
        "limits at the start",
        limits.clone() + &driver("d", "O", "0.5 + t") + &runs("kinematics", 1.0, 10, ""),
        EVERY,
        &[("C.angle", rocker(1.5), EXACT)],
    );
    list.add("limits at the start, falling", limits + &dynamics(1.0, 10), ALL, &[]);
    // Springs and dampers whose ends meet.
    let load = |kind: &str, keys: &str| {
        format!(
            "[forces.s]\ntype = \"{kind}\"\nbodies = [\"ground\", \"block\"]\nat = [[0, 0, 0], [0, 0, 0]]\n{keys}\n"
        )
    };
    for (kind, keys, name) in [
        ("spring", "stiffness = 10\nlength = 0", "spring of no length"),
        ("damper", "damping = 2", "damper of no length"),
        ("spring-damper", "stiffness = 10\ndamping = 1\nlength = 0", "spring and damper of no length"),
        ("spring", "stiffness = 10\nlength = 0.3", "spring pressed to nothing"),
    ] {
        let text = WEIGHTLESS.to_string() + &block(1.0) + &load(kind, keys) + &dynamics(1.0, 10);
        list.add(format!("{name}, at rest"), text, ALL, &[("P.slide", 0.0, 1e-12)]);
    }
    let text = WEIGHTLESS.to_string()
        + &block(1.0)
        + &load("spring", "stiffness = 10\nlength = 0")
        + &initial(&[("P.slide.rate", 1.0)])
        + &dynamics(1.0, 10);
    list.add("through a spring of no length", text, ALL, &[("P.slide", 10f64.sqrt().sin() / 10f64.sqrt(), INTEGRATED)]);
    // Rates given on several joints.
    let text = GRAVITY.to_string()
        + &chain(4, -0.5 * PI)
        + &initial(&[("j0.angle.rate", 1.0), ("j1.angle.rate", -2.0), ("j2.angle.rate", 0.5), ("j3.angle.rate", 3.0)])
        + &dynamics(1.0, 10);
    list.add("rates on four joints", text, ALL, &[]);
    let text = WEIGHTLESS.to_string()
        + &body("a", 1.0, [0.0; 3], 0.1, [0.0; 3], 0.0)
        + &initial(&[("a.vx", 1.0), ("a.vy", 2.0), ("a.wz", 3.0)])
        + &dynamics(1.0, 10);
    list.add("all rates of a free body", text, ALL, &[("a.x", 1.0, 1e-9), ("a.y", 2.0, 1e-9)]);
    try_all(list);
}
