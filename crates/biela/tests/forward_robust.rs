//! What a motion under forces must refuse, report or survive.

mod common;

use common::forward::*;

fn message(text: &str) -> String {
    try_run(text, "absolute").err().unwrap_or_else(|| panic!("this should not run"))
}

#[test]
fn a_step_too_long_fails_loudly() {
    for step in [0.05, 0.1, 0.3, 1.0] {
        let text = double_pendulum(2.0, 2.5)
            + &format!("[run]\nanalysis = \"dynamics\"\nend = 20\nsteps = 20\nmethod = \"rk4\"\nstep = {step}\n");
        let said = message(&text);
        assert!(said.contains("energy") || said.contains("too long"), "step {step}: {said}");
        assert!(said.contains("step"), "{said}");
    }
    // A chain of four-bars fails too, or keeps to the motion of a finer step.
    let chain = |step: f64| {
        n_four_bar(3)
            + &format!("[run]\nanalysis = \"dynamics\"\nend = 5\nsteps = 20\nmethod = \"rk4\"\nstep = {step}\n")
    };
    for formulation in FORMULATIONS {
        let truth = run(&chain(0.001), formulation);
        for step in [0.03, 0.05, 0.1, 0.2, 0.5] {
            match try_run(&chain(step), formulation) {
                Err(said) => assert!(said.contains("step"), "{formulation}, step {step}: {said}"),
                Ok(found) => {
                    let both = column(&found, "g0.angle").iter().zip(column(&truth, "g0.angle"));
                    let off = both.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                    assert!(off < 0.05 && step < 0.2, "{formulation}, step {step}: off by {off}");
                }
            }
        }
    }
    // A sound step passes.
    let text = double_pendulum(2.0, 2.5)
        + "[run]\nanalysis = \"dynamics\"\nend = 2\nsteps = 20\nmethod = \"rk4\"\nstep = 0.001\n";
    assert!(note(&run(&text, "absolute"), "energy drift") < 1e-8);
}

#[test]
fn a_massless_body_that_nothing_holds_is_named() {
    let text = pendulum(0.5)
        .replace("mass = 2", "")
        .replace("com = [0, -0.5, 0]", "")
        .replace("inertia = [0.01, 0.01, 0.01]", "")
        + &dynamics(1.0, 10, 1e-8);
    assert!(message(&text).contains("bob"), "{}", message(&text));
}

#[test]
fn contradictions_at_the_start_are_refused_and_freedoms_at_rest_listed() {
    let twice = FOUR_BAR.to_string() + "\"C.angle.rate\" = 100\n" + &dynamics(1.0, 10, 1e-8);
    let said = message(&twice);
    assert!(said.contains("C.angle.rate") && said.contains("contradicts"), "{said}");
    let text = double_pendulum(0.3, 0.3) + "\"O.angle.rate\" = 1\n" + &dynamics(0.1, 10, 1e-8);
    let results = run(&text, "absolute");
    let listed = results.note("started at rest").unwrap_or_default();
    assert_eq!(listed, "A.angle");
    assert!((column(&results, "O.angle.rate")[0] - 1.0).abs() < 1e-12);
    assert!(column(&results, "A.angle.rate")[0].abs() < 1e-12);
}

#[test]
fn forces_without_finite_values_end_the_run() {
    let text = pendulum(0.5)
        + "[forces.odd]\ntype = \"joint-torque\"\njoint = \"O\"\nvalue = \"sqrt(0.5 - t)\"\n"
        + &dynamics(1.0, 10, 1e-8);
    let said = message(&text);
    assert!(said.contains("0.5") || said.contains("0.49"), "{said}");
}

#[test]
fn an_event_stops_the_run_where_its_expression_is_zero() {
    // A pendulum released at 1 rad first hangs straight down after a quarter of its period.
    let (m, l, i) = (2.0, 0.5, 2.0 * 0.25 + 0.01f64);
    let period = 2.0 * std::f64::consts::PI * (i / (m * 9.81 * l)).sqrt() / agm(1.0, 0.5f64.cos());
    let text = |action: &str| {
        pendulum(1.0)
            + &format!("[events.bottom]\nwhen = \"O.angle\"\naction = \"{action}\"\n")
            + &dynamics(period, 64, 1e-11)
    };
    let results = run(&text("stop"), "absolute");
    assert!((last(&results, "t") - 0.25 * period).abs() < 1e-9, "{}", last(&results, "t") - 0.25 * period);
    assert!(last(&results, "O.angle").abs() < 1e-9);
    let results = run(&text("report"), "relative");
    let events: Vec<&str> = results.notes_of("event").collect();
    assert_eq!(events.len(), 2, "{events:?}");
    assert!(events[0].contains("'bottom'") && events[0].contains(&format!("{:.6}", 0.25 * period)), "{events:?}");
    assert_eq!(results.len(), 65);
}

#[test]
fn a_joint_limit_is_reported_or_stops_the_run() {
    let with = pendulum(1.0).replace("[initial]", "limits = { lower = -0.5, upper = 2 }\n[initial]");
    let results = run(&(with.clone() + &dynamics(1.2, 10, 1e-9)), "absolute");
    let events: Vec<&str> = results.notes_of("event").collect();
    assert!(events.len() == 2 && events[0].contains("lower limit -0.5 of O.angle"), "{events:?}");
    let results = run(&(with + &dynamics(1.0, 10, 1e-9) + "stop_at_limits = true\n"), "absolute");
    assert!((last(&results, "O.angle") + 0.5).abs() < 1e-9);
    assert!(last(&results, "t") < 1.0);
}

/// A cart on a spring so stiff, with so much damping, that its own motion dies in microseconds, carrying a pendulum.
fn stiff(method: &str) -> String {
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
        axis = [[1, 0, 0], [1, 0, 0]]
        [joints.pin]
        type = "revolute"
        bodies = ["cart", "bob"]
        at = [[0, 0, 0], [0, 0, 0]]
        axis = [[0, 0, 1], [0, 0, 1]]
        [forces.spring]
        type = "joint-spring"
        joint = "rail"
        stiffness = 1e6
        damping = 1e5
        [initial]
        "pin.angle" = 1
        [run]
        analysis = "dynamics"
        end = 1
        steps = 10
        {method}"#
    )
}

#[test]
fn the_implicit_method_takes_long_steps_over_stiff_springs_with_order_two() {
    let reference = run(&stiff("tolerance = 1e-9"), "relative");
    let exact = last(&reference, "pin.angle");
    let error = |step: f64| {
        let results = run(&stiff(&format!("method = \"alpha\"\nstep = {step}\n")), "relative");
        ((last(&results, "pin.angle") - exact).abs(), note(&results, "steps"))
    };
    let ((coarse, steps), (fine, _)) = (error(0.02), error(0.01));
    assert!(coarse < 5e-3, "{coarse:e}");
    let order = (coarse / fine).log2();
    assert!((order - 2.0).abs() < 0.3, "order {order}: {coarse:e}, {fine:e}");
    // What stability costs the explicit method.
    assert!(note(&reference, "steps") > 100.0 * steps, "{} steps", note(&reference, "steps"));
}

#[test]
fn the_implicit_method_follows_a_pendulum_with_order_two() {
    let text = |step: f64| {
        pendulum(1.0)
            + &format!("[run]\nanalysis = \"dynamics\"\nend = 1\nsteps = 10\nmethod = \"alpha\"\nstep = {step}\n")
    };
    let exact = last(&run(&(pendulum(1.0) + &dynamics(1.0, 10, 1e-12)), "absolute"), "O.angle");
    for formulation in FORMULATIONS {
        let errors = [0.004, 0.002, 0.001].map(|h| (last(&run(&text(h), formulation), "O.angle") - exact).abs());
        for pair in errors.windows(2) {
            let order = (pair[0] / pair[1]).log2();
            assert!((order - 2.0).abs() < 0.15, "{formulation}: order {order}, {errors:?}");
        }
    }
}
