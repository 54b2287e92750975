//! What is not a number, or is infinite, stops a run and names who has it and when; a motion that outruns its samples ends.

mod common;

use biela::solve::newton::METHODS;
use biela::solve::run;
use common::parse;
use std::time::Instant;

const FORMULATIONS: [&str; 3] = ["absolute", "natural", "relative"];

/// The message of a run that must not come to its end.
fn stopped(text: &str, formulation: &str) -> String {
    match run::run(&parse(text), formulation, METHODS[0], |_, _| true) {
        Ok(found) => panic!("{} samples come out of\n{text}", found.len()),
        Err(error) => error.to_string(),
    }
}

/// An arm on a pivot, with a load and a driver or none.
fn arm(rest: &str) -> String {
    format!(
        "gravity = [0, -9.81, 0]\n[bodies.arm]\nmass = 1\ncom = [0.5, 0, 0]\ninertia = [0.01, 0.1, 0.1]\npoints = {{ tip = [1, 0, 0] }}\n\
         [joints.O]\ntype = \"revolute\"\nbodies = [\"ground\", \"arm\"]\nat = [[0, 0, 0], [0, 0, 0]]\naxis = [0, 0, 1]\n{rest}"
    )
}

const LOADS: [&str; 5] =
    ["log(0.5 - t)", "sqrt(0.5 - t)", "if(t > 0.5, 0/0, 1)", "1/max(0, 0.5 - t)", "exp(1420*t) + 0*O.angle"];

#[test]
fn a_load_without_a_finite_value_is_named_with_its_body_and_time() {
    for value in LOADS {
        let loads = [
            format!("[forces.odd]\ntype = \"joint-torque\"\njoint = \"O\"\nvalue = \"{value}\"\n"),
            format!("[forces.odd]\ntype = \"force\"\nbody = \"arm\"\nat = \"tip\"\nvalue = [0, \"{value}\", 0]\n"),
            format!("[forces.odd]\ntype = \"torque\"\nbody = \"arm\"\nvalue = [0, 0, \"{value}\"]\n"),
        ];
        for load in loads {
            for method in ["rk4", "alpha"] {
                let run = format!("[run]\nanalysis = \"dynamics\"\nend = 1\nmethod = \"{method}\"\nstep = 0.01\n");
                for formulation in FORMULATIONS {
                    let told = stopped(&arm(&format!("{load}{run}")), formulation);
                    // A force that grows without bound may be too much for the step before it is too much for numbers.
                    let grows = value.starts_with("exp") || value.starts_with('1');
                    let named = told.contains("force 'odd'") && told.contains("it acts on body 'arm'");
                    let bounded =
                        grows && (told.contains("step") || told.contains("energ") || told.contains("constraints"));
                    assert!(told.contains("t = 0.") && (named || bounded), "{value}, {method}, {formulation}: {told}");
                }
            }
            // Along a prescribed motion.
            let driver = "[drivers.m]\njoint = \"O\"\nvalue = \"t\"\n[run]\nanalysis = \"inverse-dynamics\"\nend = 1\n";
            for formulation in ["absolute", "relative"] {
                let told = stopped(&arm(&format!("{load}{driver}")), formulation);
                assert!(
                    told.contains("force 'odd'") && told.contains("body 'arm'") && told.contains("at t = 0.5"),
                    "{told}"
                );
            }
        }
    }
}

#[test]
fn a_driver_without_a_finite_value_is_named_with_its_time() {
    for value in ["log(0.5 - t)", "sqrt(0.5 - t)", "if(t > 0.5, 0/0, t)", "1/(0.5 - t)", "asin(2*t)", "exp(1000*t)"] {
        for analysis in ["kinematics", "inverse-dynamics"] {
            let text = arm(&format!(
                "[drivers.odd]\njoint = \"O\"\nvalue = \"{value}\"\n[run]\nanalysis = \"{analysis}\"\nend = 1\n"
            ));
            for formulation in FORMULATIONS.into_iter().filter(|f| analysis == "kinematics" || *f != "natural") {
                let start = Instant::now();
                let told = stopped(&text, formulation);
                // Laws that run away may first go beyond what can be followed; none goes on for ever.
                let named = told.contains("driver 'odd'") || told.contains("cannot be followed beyond t = 0.");
                assert!(named && told.contains("t = 0."), "{value}, {formulation}: {told}");
                assert!(start.elapsed().as_secs() < 60, "{value}, {formulation}");
            }
        }
    }
}

/// Forces that grow without bound end an adaptive run too.
#[test]
fn a_force_that_runs_away_ends_the_run() {
    let load = "[forces.odd]\ntype = \"joint-torque\"\njoint = \"O\"\nvalue = \"exp(2000*t)\"\n";
    let text = arm(&format!("{load}[run]\nanalysis = \"dynamics\"\nend = 1\n"));
    for formulation in FORMULATIONS {
        let told = stopped(&text, formulation);
        assert!(told.contains("t = 0.") && told.contains("steps since the last sample"), "{formulation}: {told}");
    }
    // More steps than anyone waits for are refused at once.
    let text = arm("[run]\nanalysis = \"dynamics\"\nmethod = \"rk4\"\nstep = 1e-90\nend = 1\n");
    assert!(stopped(&text, "absolute").contains("steps"), "{}", stopped(&text, "absolute"));
}

/// A step too long for a stiff spring ends on the balance of energy, in every formulation.
#[test]
fn a_step_too_long_ends_on_the_energy() {
    let load =
        "[forces.stiff]\ntype = \"joint-spring\"\njoint = \"O\"\nstiffness = 1e6\n[initial]\n\"O.angle\" = 0.1\n";
    let text = arm(&format!("{load}[run]\nanalysis = \"dynamics\"\nmethod = \"rk4\"\nstep = 0.002\nend = 1\n"));
    for formulation in FORMULATIONS {
        let told = stopped(&text, formulation);
        assert!(told.contains("energy is not conserved") || told.contains("the step"), "{formulation}: {told}");
        assert!(told.contains("t = 0."), "{formulation}: {told}");
    }
}

/// Expressions of which no enclosure tells anything: steps are not shortened for ever, and the run says that it could not watch them.
#[test]
fn loads_that_cannot_be_enclosed_do_not_hold_a_run_up() {
    let model = |value: &str| {
        biela::model(&format!(
            "gravity = [0, 0, 0]\n[bodies.disc]\nmass = 2\ninertia = [0.5, 0.5, 0.8]\n\
             [joints.axle]\ntype = \"revolute\"\nbodies = [\"ground\", \"disc\"]\nat = [0, 0, 0]\naxis = [0, 0, 1]\n\
             [forces.kick]\ntype = \"joint-torque\"\njoint = \"axle\"\nvalue = \"{value}\"\n\
             [run]\nanalysis = \"dynamics\"\nend = 1\nsteps = 100\n"
        ))
        .unwrap()
    };
    let told = |value: &str| {
        let results = biela::run(&model(value)).unwrap();
        let steps: usize = results.note("steps").unwrap().parse().unwrap();
        assert!(steps < 2000, "{value}: {steps} steps");
        let warnings: Vec<&str> = results.notes_of("warning").collect();
        warnings.iter().any(|w| w.contains("no bounds can be given"))
    };
    assert!(told("1 + 1/(1 + ((t - 0.004)/0e-5)^2)"));
    // A bar whose flanks are steeper than time can be told apart; beyond it a power overflows.
    told("1 + 1/(1 + ((t - 0.5)/0.1)^1e16)");
    // A power too large to be multiplied out, of a base below zero, is enclosed.
    assert!(!told("1 + ((t - 2)/2)^10000000"));
}
