//! What a motion under forces must refuse, report or survive.

mod common;

use biela::results::Results;
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
    // The very first step is judged too: a spring of 6 ms, let go, and one step of 10 ms.
    let spring = "gravity = [0, 0, 0]\n[bodies.b]\nmass = 1\ninertia = [1, 1, 1]\n[joints.P]\ntype = \"prismatic\"\nbodies = [\"ground\", \"b\"]\nat = [0, 0, 0]\naxis = \"x\"\n[forces.s]\ntype = \"joint-spring\"\njoint = \"P\"\nstiffness = 1e6\n[initial]\n\"P.slide\" = 0.04\n[run]\nanalysis = \"dynamics\"\nmethod = \"rk4\"\nstep = 0.01\nend = 0.01\nsteps = 1\n";
    assert!(message(spring).contains("energy is not conserved: at t = 0.010000000 s"));
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

/// A position given for one joint leaves the others as they are assembled, whatever the coordinates, and all are listed.
#[test]
fn joints_nothing_is_said_about_start_as_assembled() {
    let text = |initial: &str| {
        let arm = double_pendulum(0.0, 0.0).split("[initial]").next().unwrap_or("").to_string();
        arm + "[initial]\n" + initial + &dynamics(0.01, 1, 1e-8)
    };
    for formulation in FORMULATIONS {
        let assembled = run(&text(""), formulation);
        for turned in ["1.2", "\"-210 deg\"", "\"750 deg\""] {
            let results = run(&text(&format!("\"O.angle\" = {turned}\n")), formulation);
            let [given, rest] = ["O.angle", "A.angle"].map(|name| column(&results, name)[0]);
            assert!((given - column(&assembled, "O.angle")[0]).abs() > 1.0, "{formulation}, {turned}: {given}");
            assert!((rest - column(&assembled, "A.angle")[0]).abs() < 1e-12, "{formulation}, {turned}: {rest}");
            let listed = results.notes.iter().find(|n| n.0 == "started at rest").map_or("", |n| n.1.as_str());
            assert_eq!(listed, "O.angle, A.angle", "{formulation}");
        }
    }
}

/// A place out of reach is no matter of too many drivers, though in a stretched arm it looks like one.
#[test]
fn a_start_out_of_reach_is_told_as_such() {
    let arm = double_pendulum(0.0, 0.0).split("[initial]").next().unwrap_or("").to_string();
    let said = message(&(arm + "[initial]\n\"lower.y\" = -9\n" + &dynamics(0.01, 1, 1e-8)));
    assert!(said.contains("cannot be assembled") && !said.contains("over-driven"), "{said}");
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
    assert!(events.len() == 2 && events[0].contains("lower limit -0.5 rad of O.angle"), "{events:?}");
    let results = run(&(with + &dynamics(1.0, 10, 1e-9) + "stop_at_limits = true\n"), "absolute");
    assert!((last(&results, "O.angle") + 0.5).abs() < 1e-9);
    assert!(last(&results, "t") < 1.0);
}

/// A ball thrown upwards at 10 m/s under 10 m/s²: y = 10 t − 5 t², at most 5 m after 1 s.
fn throw(more: &str, run: &str) -> String {
    format!(
        r#"
        gravity = [0, -10, 0]
        [bodies.ball]
        mass = 1
        inertia = [0.01, 0.01, 0.01]
        [joints.up]
        type = "prismatic"
        bodies = ["ground", "ball"]
        at = [[0, 0, 0], [0, 0, 0]]
        axis = "y"
        {more}
        [initial]
        "up.slide.rate" = 10
        {run}"#
    )
}

/// Times of events in the order told.
fn times(results: &Results) -> Vec<f64> {
    let time = |text: &str| text.rsplit("t = ").next()?.trim_end_matches(" s").parse().ok();
    results.notes_of("event").map(|text| time(text).unwrap_or_else(|| panic!("{text}"))).collect()
}

/// Times are told with nine decimals.
const TOLD: f64 = 6e-10;

fn same_times(found: &[f64], wanted: &[f64], of: &str) {
    let close = found.len() == wanted.len() && found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < TOLD);
    assert!(close, "{of}: {found:?}, not {wanted:?}");
}

#[test]
fn what_is_crossed_twice_within_a_step_is_told_twice() {
    let pass = |y: f64| [1.0 - (1.0 - y / 5.0).sqrt(), 1.0 + (1.0 - y / 5.0).sqrt()];
    let methods = ["", "method = \"rk4\"\nstep = 0.7\n", "method = \"alpha\"\nstep = 0.7\n"];
    for formulation in FORMULATIONS {
        for method in methods {
            let run_of = dynamics(2.1, 1, 1e-9) + method;
            for height in [4.0, 4.9, 4.999999] {
                let results = run(&throw(&format!("limits = {{ upper = {height} }}"), &run_of), formulation);
                same_times(&times(&results), &pass(height), formulation);
            }
            let results = run(&throw("limits = { upper = 5.000001 }", &run_of), formulation);
            same_times(&times(&results), &[], formulation);
            // It stops where it first gets there.
            let text = throw("limits = { upper = 4 }", &(run_of.clone() + "stop_at_limits = true\n"));
            let results = run(&text, formulation);
            assert!(
                (last(&results, "t") - pass(4.0)[0]).abs() < 1e-12 && (last(&results, "up.slide") - 4.0).abs() < 1e-12
            );
        }
    }
}

#[test]
fn every_zero_of_an_event_is_told_in_order() {
    let event = |when: &str| format!("[events.it]\nwhen = \"{when}\"\naction = \"report\"\n");
    let pi = std::f64::consts::PI;
    let waves: Vec<f64> = (1..=13).map(|k| f64::from(k) * pi / 20.0).collect();
    let heights = |y: f64| (1.0 - y / 5.0).sqrt();
    let both = {
        let (a, b) = (heights(3.0), heights(4.5));
        vec![1.0 - a, 1.0 - b, 1.0 + b, 1.0 + a]
    };
    let cases = [
        ("sin(20*t)", waves.clone()),
        ("sin(20*t)*(up.slide + 2)", waves),
        ("(up.slide - 3)*(up.slide - 4.5)", both),
        // 10 t − 5 t² − 3 (10 − 10 t) = 0.
        ("up.slide - 3*up.slide.rate", vec![4.0 - 10f64.sqrt()]),
        ("if(t < 0.7, -1, 1)", vec![0.7]),
        ("abs(t - 1) - 0.25", vec![0.75, 1.25]),
        // Touched, not crossed.
        ("(t - 0.3)^2", vec![]),
        ("(up.slide - 5)^2 + 1e-9", vec![]),
    ];
    for (when, wanted) in cases {
        for (formulation, more) in [("relative", ""), ("absolute", ""), ("natural", "method = \"rk4\"\nstep = 0.5\n")] {
            let end = if when.starts_with("sin") { 2.1 } else { 2.0 };
            let text = throw(&event(when), &(dynamics(end, 1, 1e-9) + more));
            let wanted: Vec<f64> = wanted.iter().copied().filter(|t| *t < end).collect();
            same_times(&times(&run(&text, formulation)), &wanted, when);
        }
    }
    let text = throw(&event("0*t"), &dynamics(2.0, 1, 1e-9));
    assert!(times(&run(&text, "relative")).is_empty());
    let text = throw(&event("sin(1e6*t)"), &dynamics(2.0, 1, 1e-9));
    assert!(try_run(&text, "relative").unwrap_err().contains("thousands of zeros"));
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

/// Three drivers on two freedoms: agreeing for ever, agreeing at the start alone, and never.
#[test]
fn drivers_too_many_are_told_as_in_kinematics() {
    let arm = "gravity = [0, -9.81, 0]\n[bodies.a]\nmass = 1\ncom = [0.5, 0, 0]\ninertia = [0.01, 0.1, 0.1]\npoints = { tip = [1, 0, 0] }\n\
               [bodies.b]\nmass = 1\ncom = [0.5, 0, 0]\ninertia = [0.01, 0.1, 0.1]\npose = { at = [1, 0, 0] }\n\
               [joints.O]\ntype = \"revolute\"\nbodies = [\"ground\", \"a\"]\nat = [[0, 0, 0], [0, 0, 0]]\naxis = [0, 0, 1]\n\
               [joints.B]\ntype = \"revolute\"\nbodies = [\"a\", \"b\"]\nat = [[1, 0, 0], [0, 0, 0]]\naxis = [0, 0, 1]\n\
               [drivers.crank]\njoint = \"O\"\nvalue = \"0.3 + t\"\n[drivers.elbow]\njoint = \"B\"\nvalue = \"2*t\"\n";
    for law in ["cos(0.3 + t)", "cos(0.3) + t", "0.2"] {
        let tip = format!("[drivers.tip]\npoint = \"a.tip\"\nalong = \"x\"\nvalue = \"{law}\"\n");
        for formulation in FORMULATIONS {
            for analysis in ["kinematics", "statics", "inverse-dynamics", "dynamics", "state-space"] {
                let text = format!("{arm}{tip}[run]\nanalysis = \"{analysis}\"\nend = 1\n");
                let found =
                    biela::solve::run::run(&parse(&text), formulation, biela::solve::newton::METHODS[0], |_, _| true);
                let said = found.map(|_| String::new()).unwrap_or_else(|e| e.to_string());
                assert!(
                    said.contains("over-driven at t = 0 s: 1 driver equation(s) too many for 2 freedom(s)"),
                    "{analysis}, {formulation}, {law}: {said}"
                );
                assert!(said.contains("'tip'"), "{analysis}, {formulation}, {law}: {said}");
            }
        }
    }
}

/// A mass of 1 kg on a spring alone, let go at x = 1: x = cos ω t.
fn vibrator(stiffness: f64, end: f64, step: f64) -> String {
    format!(
        "gravity = [0, 0, 0]\n[bodies.m]\nmass = 1\ninertia = [1, 1, 1]\n[joints.P]\ntype = \"prismatic\"\nbodies = [\"ground\", \"m\"]\n\
         at = [[0, 0, 0], [0, 0, 0]]\naxis = [[1, 0, 0], [1, 0, 0]]\n[forces.s]\ntype = \"joint-spring\"\njoint = \"P\"\nstiffness = {stiffness:e}\n\
         [initial]\n\"P.slide\" = 1\n[run]\nanalysis = \"dynamics\"\nend = {end:e}\nsteps = 1\nmethod = \"alpha\"\nstep = {step:e}\n"
    )
}

#[test]
fn the_implicit_method_keeps_what_its_step_resolves_and_takes_the_rest_out() {
    // Sixty steps a period over a period and a half: second order, and next to no damping.
    let exact = (3.0 * std::f64::consts::PI).cos();
    let errors = [60.0, 120.0, 240.0].map(|n| {
        let results = run(&vibrator(1.0, 3.0 * std::f64::consts::PI, std::f64::consts::TAU / n), "relative");
        assert_eq!(results.note("damped by the method"), None);
        (last(&results, "P.slide") - exact).abs()
    });
    assert!(errors[0] < 1e-3, "{errors:?}");
    // Of a vibration at its turning point the amplitude alone is seen: its error is of third order.
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!(order > 1.9, "order {order}: {errors:?}");
    }
    // Far too fast for the step: gone, told, and no drift.
    for stiffness in [1e6, 1e9, 1e12] {
        let results = run(&vibrator(stiffness, 1.0, 0.02), "relative");
        assert!(last(&results, "P.slide").abs() < 1e-6, "{stiffness:e}: {}", last(&results, "P.slide"));
        assert!(last(&results, "energy.total") < 1e-9 * stiffness, "{stiffness:e}");
        assert!(results.note("damped by the method").is_some());
    }
}

/// The watch still ends what is wrong: energy out of nowhere, and steps too long for the motion, by name of the cause.
#[test]
fn the_balance_of_energy_still_catches_wrong_steps() {
    for (method, step) in [("rk4", 0.05), ("rk4", 0.2), ("alpha", 0.1), ("alpha", 0.3)] {
        let text = double_pendulum(2.0, 2.5)
            + &format!("[run]\nanalysis = \"dynamics\"\nend = 20\nsteps = 20\nmethod = \"{method}\"\nstep = {step}\n");
        let said = message(&text);
        assert!(said.contains("step"), "{method}, {step}: {said}");
    }
    // A slow motion is judged too: a pendulum let go at 3 degrees loses a tenth of its energy by steps of a tenth of its period.
    let text = pendulum(0.05) + "[run]\nanalysis = \"dynamics\"\nend = 20\nsteps = 20\nmethod = \"rk4\"\nstep = 0.2\n";
    let said = message(&text);
    assert!(said.contains("energy is not conserved"), "{said}");
}
