//! A run that ends before its time: what was reached stays, marked with where and why it ended. Ends are held against closed forms.

mod common;

use biela::error::ErrorKind;
use biela::picture::{page, scene, Animation};
use biela::solve::newton::METHODS;
use biela::solve::outcome::Outcome;
use biela::solve::run::{run, run_as_far, run_with_forces};
use common::{column, difference, parse};

/// Dead centres are approached to 1e-11 of the run, within which the driver moves by that much.
const STOP: f64 = 1e-9;

/// A four-bar of a crank, a coupler, a rocker and a base, driven at its crank.
fn four_bar([crank, coupler, rocker, base]: [f64; 4], drive: &str, run: &str) -> String {
    format!(
        r#"
name = "four-bar"
gravity = [0, -9.81, 0]
[bodies.crank]
mass = 1
inertia = [0.1, 0.1, 0.1]
points = {{ A = [0, 0, 0], B = [{crank}, 0, 0] }}
[bodies.coupler]
mass = 1
inertia = [0.1, 0.1, 0.1]
points = {{ B = [0, 0, 0], C = [{coupler}, 0, 0] }}
pose = {{ at = [{crank}, 0, 0], angle = "80 deg", axis = [0, 0, 1] }}
[bodies.rocker]
mass = 1
inertia = [0.1, 0.1, 0.1]
points = {{ D = [0, 0, 0], C = [{rocker}, 0, 0] }}
pose = {{ at = [{base}, 0, 0], angle = "100 deg", axis = [0, 0, 1] }}
[joints.O]
type = "revolute"
bodies = ["ground", "crank"]
at = [[0, 0, 0], "A"]
axis = [0, 0, 1]
[joints.B]
type = "revolute"
bodies = ["crank", "coupler"]
at = ["B", "B"]
axis = [0, 0, 1]
[joints.C]
type = "revolute"
bodies = ["coupler", "rocker"]
at = ["C", "C"]
axis = [0, 0, 1]
[joints.D]
type = "revolute"
bodies = ["ground", "rocker"]
at = [[{base}, 0, 0], "D"]
axis = [0, 0, 1]
[drivers.motor]
joint = "O"
value = "{drive}"
[run]
{run}
"#
    )
}

const LENGTHS: [f64; 4] = [3.0, 2.5, 2.0, 4.0];

/// The crank's angle at which coupler and rocker lie in line, by the law of cosines.
fn dead_centre([crank, coupler, rocker, base]: [f64; 4]) -> f64 {
    ((crank * crank + base * base - (coupler + rocker).powi(2)) / (2.0 * crank * base)).acos()
}

fn as_far(text: &str, formulation: &str) -> Outcome {
    run_as_far(&parse(text), formulation, METHODS[0], |_, _| true).unwrap_or_else(|e| panic!("{formulation}: {e}"))
}

#[test]
fn samples_up_to_a_dead_centre_stay_and_the_mark_names_its_driver() {
    let limit = dead_centre(LENGTHS);
    let ends = (limit - 0.1) / 2.0;
    for analysis in ["kinematics", "inverse-dynamics", "statics"] {
        let text = four_bar(LENGTHS, "0.1 + 2*t", &format!("analysis = \"{analysis}\"\nend = 1\nsteps = 50"));
        for formulation in ["absolute", "relative"] {
            let Outcome { results, ended } = as_far(&text, formulation);
            let error = ended.expect("it ends");
            let mark = results.ended.clone().expect("a mark");
            assert!(!results.is_complete());
            assert_eq!((mark.reason.as_str(), mark.driver.as_deref()), ("singular", Some("motor")));
            assert!((mark.t - ends).abs() < STOP, "{formulation}: {} against {ends}", mark.t);
            assert!((mark.value.expect("a value") - limit).abs() < STOP);
            // The last sample before the stop is the last there is; nothing is invented.
            let reached = (ends / 0.02).floor() as usize + 1;
            assert_eq!(results.len(), reached);
            assert!(results.columns.iter().all(|c| c.data.len() == reached));
            // They are those of a run that ends before by itself.
            let whole = as_far(&text.replace("end = 1\nsteps = 50", "end = 0.5\nsteps = 25"), formulation).results;
            assert!(whole.is_complete());
            let angles = |r: &biela::results::Results| column(r, "D.angle")[..20].to_vec();
            assert!(difference(&angles(&whole), &angles(&results)) < 1e-12);
            let told = error.to_string();
            assert!(told.contains(&format!("O.angle = {:.2} deg", limit.to_degrees())), "{told}");
            assert!(
                told.contains("driver 'motor'") && told.contains("dead centre") && told.contains("D.angle"),
                "{told}"
            );
            // Who asks for the whole run gets the same error and nothing else.
            let refused = run(&parse(&text), formulation, METHODS[0], |_, _| true).expect_err("no whole run");
            assert_eq!(refused.to_string(), told);
        }
    }
}

#[test]
fn a_change_point_ends_a_run_at_its_own_time() {
    let text = four_bar([1.0, 2.0, 1.0, 2.0], "pi/3 + pi*t", "end = 2\nsteps = 60");
    let text = text.replace("angle = \"80 deg\"", "angle = 0").replace("angle = \"100 deg\"", "angle = \"60 deg\"");
    let text = text.replace("pose = { at = [1, 0, 0], angle = 0", "pose = { at = [0.5, 0.8660254, 0], angle = 0");
    let Outcome { results, ended } = as_far(&text, "absolute");
    let mark = results.ended.clone().expect("a mark");
    assert_eq!(ended.expect("it ends").kind(), ErrorKind::Singular);
    assert_eq!((mark.reason.as_str(), mark.driver.as_deref()), ("singular", Some("motor")));
    // Where curves cross, the crossing is found from both sides of nothing: to seven digits.
    assert!((mark.value.expect("a value") - std::f64::consts::PI).abs() < 1e-6, "{mark:?}");
    assert!((mark.t - 2.0 / 3.0).abs() < 1e-6 && mark.t >= *results.times().last().unwrap());
}

#[test]
fn a_driver_that_jumps_or_has_no_value_ends_a_run_with_its_name() {
    let jump = four_bar(LENGTHS, "0.5 + 0.1*t + 0.3*step(t - 0.515)", "end = 1\nsteps = 50");
    let none = four_bar(LENGTHS, "0.5 + 0.1*sqrt(0.5 - t)", "end = 1\nsteps = 50");
    for (text, samples) in [(jump, 26), (none, 25)] {
        let Outcome { results, ended } = as_far(&text, "absolute");
        let mark = results.ended.clone().expect("a mark");
        assert_eq!((mark.reason.as_str(), mark.driver.as_deref()), ("drive", Some("motor")), "{ended:?}");
        assert!(results.len() >= samples, "{}: {ended:?}", results.len());
    }
}

/// A pendulum whose weight is thrown off by a force without bound: the integration ends, what it had found stays.
#[test]
fn a_motion_under_forces_that_ends_keeps_its_samples() {
    let text = r#"
name = "cart"
gravity = [0, 0, 0]
[bodies.cart]
mass = 1
inertia = [0.1, 0.1, 0.1]
[joints.rail]
type = "prismatic"
bodies = ["ground", "cart"]
at = [[0, 0, 0], [0, 0, 0]]
axis = [[1, 0, 0], [1, 0, 0]]
[forces.push]
type = "joint-torque"
joint = "rail"
value = "1/(0.515 - t)^2"
[run]
analysis = "dynamics"
end = 1
steps = 50
"#;
    let Outcome { results, ended } = as_far(text, "absolute");
    let mark = results.ended.clone().expect("a mark");
    assert!(ended.is_some() && mark.driver.is_none() && mark.value.is_none());
    assert_eq!(results.len(), 26, "{ended:?}");
    assert!((0.5..=0.515 + 1e-9).contains(&mark.t), "{mark:?}");
    // v̇ = 1/(c − t)², so v = 1/(c − t) − 1/c.
    let exact: Vec<f64> = results.times().iter().map(|t| 1.0 / (0.515 - t) - 1.0 / 0.515).collect();
    assert!(difference(column(&results, "rail.slide.rate"), &exact) < 1e-6);
}

#[test]
fn a_limit_that_statics_passes_on_the_way_ends_it_there() {
    // A weight on a lever against a spring; a growing torque leads it past its limit.
    let text = r#"
name = "lever"
gravity = [0, 0, 0]
[bodies.lever]
mass = 1
inertia = [0.1, 0.1, 0.1]
[joints.O]
type = "revolute"
bodies = ["ground", "lever"]
at = [[0, 0, 0], [0, 0, 0]]
axis = [0, 0, 1]
limits = { upper = 0.505 }
[forces.spring]
type = "joint-spring"
joint = "O"
stiffness = 10
[forces.load]
type = "joint-torque"
joint = "O"
value = "10*t"
[run]
analysis = "statics"
end = 1
steps = 100
"#;
    let Outcome { results, ended } = as_far(text, "absolute");
    let mark = results.ended.clone().expect("a mark");
    assert_eq!(mark.reason, "limit");
    assert!(ended.expect("it ends").to_string().contains("passed on the way"));
    // Equilibrium at angle t: samples 0 … 0.50.
    assert_eq!(results.len(), 51);
    assert!(difference(column(&results, "O.angle"), results.times()) < 1e-9);
}

#[test]
fn a_run_without_a_first_sample_and_one_that_the_user_ends_leave_nothing() {
    let text = four_bar(LENGTHS, "2 + t", "end = 1\nsteps = 50");
    assert!(run_as_far(&parse(&text), "absolute", METHODS[0], |_, _| true).is_err());
    let text = four_bar(LENGTHS, "0.1 + t", "end = 1\nsteps = 50");
    let stopped = run_as_far(&parse(&text), "absolute", METHODS[0], |done, _| done < 10).expect_err("stopped");
    assert_eq!(stopped.kind(), ErrorKind::Stopped);
}

#[test]
fn pictures_hold_the_motion_until_the_stop_and_mark_it() {
    let text = four_bar(LENGTHS, "0.1 + 2*t", "end = 1\nsteps = 50");
    let (model, Outcome { results, ended }) =
        run_with_forces(parse(&text), "absolute", METHODS[0], |_, _| true).expect("a part");
    assert!(ended.is_some() && results.get("motor.effort").is_some(), "with forces, as far as it goes");
    let motion = Animation::new(&model, &results).expect("a motion");
    let data: serde_json::Value =
        serde_json::from_str(&page::data(&scene(&model, &motion).expect("a scene"), &motion)).expect("JSON");
    assert_eq!(data["samples"], results.len());
    assert_eq!(data["ended"]["asked"], 1.0);
    assert_eq!(data["ended"]["t"].as_f64(), results.ended.as_ref().map(|e| e.t));
    let words = data["ended"]["words"].as_str().unwrap();
    assert!(words.contains("O.angle = 78.58 deg") && words.contains("singular position"), "{words}");
    // A whole run has no mark.
    let whole = as_far(&text.replace("end = 1\n", "end = 0.5\n"), "absolute").results;
    let motion = Animation::new(&model, &whole).expect("a motion");
    assert!(page::data(&scene(&model, &motion).unwrap(), &motion).contains("\"ended\":null"));
}
