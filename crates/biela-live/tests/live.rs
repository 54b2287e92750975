//! Mechanisms held live against whole runs, closed forms, and themselves after a detour.

use biela::text::{Document, Options};
use biela_live::fmu::{Packed, Version};
use biela_live::freedom::{Cause, Effect};
use biela_live::{kept, Live};

/// Positions are closed to 1e-12 of the size in a whole run and in its parts; rates amplify that by a few.
const CLOSED: f64 = 1e-10;
/// Parts of a run with tolerance 1e-9 take other steps than the whole, some hundred of them.
const STEPS: f64 = 1e-6;
/// A few dozen operations on numbers of order one.
const ROUNDING: f64 = 1e-12;
/// Central differences by 1e-5: 1e-10 for the change squared, and 1e-12 of what is closed over 1e-5.
const DIFFERENCES: f64 = 1e-6;

const FOUR_BAR: &str = r#"
    name = "four-bar"
    bodies.crank   = { points = { P = [2, 0, 0] }, pose = { angle = "60 deg", axis = [0, 0, 1] } }
    bodies.coupler = { points = { P = [8, 0, 0] }, pose = { at = [1, 1.7, 0], angle = "22 deg", axis = [0, 0, 1] } }
    bodies.rocker  = { points = { P = [5, 0, 0] }, pose = { at = [10, 0, 0], angle = "108 deg", axis = [0, 0, 1] } }
    joints.A = { type = "revolute", bodies = ["ground", "crank"], at = [[0, 0, 0], [0, 0, 0]], axis = [0, 0, 1] }
    joints.P = { type = "revolute", bodies = ["crank", "coupler"], at = ["P", [0, 0, 0]], axis = [0, 0, 1] }
    joints.Q = { type = "revolute", bodies = ["coupler", "rocker"], at = ["P", "P"], axis = [0, 0, 1] }
    joints.B = { type = "revolute", bodies = ["ground", "rocker"], at = [[10, 0, 0], [0, 0, 0]], axis = [0, 0, 1] }
    drivers.motor = { joint = "A", value = "1 + 7*t" }
    run = { end = 2, steps = 40 }
"#;

const PENDULUM: &str = r#"
    gravity = [0, -9.81, 0]
    bodies.bob = { mass = 1, com = [0.5, 0, 0], inertia = [0.01, 0.01, 0.01] }
    joints.pin = { type = "revolute", bodies = ["ground", "bob"], at = [[0, 0, 0], [0, 0, 0]], axis = [0, 0, 1], limits = { lower = "-110 deg", stop = "hard", restitution = 0.5 } }
    forces.hand = { type = "joint-torque", joint = "pin", value = 0 }
    run = { analysis = "dynamics", end = 1.2, steps = 24, tolerance = 1e-9 }
"#;

/// The engine of a crank, a rod and a piston, free to run.
const ENGINE: &str = r#"
    gravity = [0, -9.81, 0]
    bodies.crank  = { mass = 2, com = [0.02, 0, 0], inertia = [0.01, 0.02, 0.02], points = { B = [0.1, 0, 0] }, pose = { angle = "40 deg", axis = [0, 0, 1] } }
    bodies.rod    = { mass = 0.6, com = [0.15, 0, 0], inertia = [0.001, 0.005, 0.005], points = { C = [0.3, 0, 0] }, pose = { at = [0.0766, 0.0643, 0], angle = "-12.4 deg", axis = [0, 0, 1] } }
    bodies.piston = { mass = 0.4, inertia = [0.001, 0.001, 0.001], pose = { at = [0.37, 0, 0] } }
    joints.O     = { type = "revolute", bodies = ["ground", "crank"], at = [[0, 0, 0], [0, 0, 0]], axis = [0, 0, 1] }
    joints.B     = { type = "revolute", bodies = ["crank", "rod"], at = ["B", [0, 0, 0]], axis = [0, 0, 1] }
    joints.C     = { type = "revolute", bodies = ["rod", "piston"], at = ["C", [0, 0, 0]], axis = [0, 0, 1] }
    joints.guide = { type = "prismatic", bodies = ["ground", "piston"], at = [[0, 0, 0], [0, 0, 0]], axis = [1, 0, 0] }
    initial."O.angle.rate" = 20
    run = { analysis = "dynamics", end = 0.6, steps = 30, tolerance = 1e-9 }
"#;

/// The largest difference between a whole run and the same in parts, of each signal against its magnitude.
fn apart(text: &str, signals: &[&str]) -> f64 {
    let model = biela::model(text).unwrap();
    let whole = biela::run(&model).unwrap();
    let mut live = Live::of_text(text, signals).unwrap();
    let columns: Vec<&[f64]> = signals.iter().map(|name| &whole.get(name).unwrap().data[..]).collect();
    let sizes: Vec<f64> = columns.iter().map(|c| c.iter().fold(1e-9, |most: f64, x| most.max(x.abs()))).collect();
    let mut worst: f64 = 0.0;
    for (k, t) in whole.times().iter().enumerate() {
        live.advance(*t).unwrap();
        for ((value, column), size) in live.values().unwrap().iter().zip(&columns).zip(&sizes) {
            worst = worst.max((value - column[k]).abs() / size);
        }
    }
    worst
}

#[test]
fn parts_of_a_prescribed_motion_are_the_whole_with_turns_counted() {
    let worst = apart(FOUR_BAR, &["A.angle", "B.angle", "P.angle", "P.angle.rate", "B.angle.accel", "coupler.P.x"]);
    assert!(worst < CLOSED, "{worst}");
}

#[test]
fn parts_of_a_motion_under_forces_are_the_whole() {
    let worst = apart(ENGINE, &["O.angle", "O.angle.rate", "guide.slide", "B.angle"]);
    assert!(worst < STEPS, "{worst}");
}

#[test]
fn a_stop_is_struck_in_parts_as_in_the_whole() {
    let worst = apart(PENDULUM, &["pin.angle", "pin.angle.rate"]);
    assert!(worst < STEPS, "{worst}");
}

#[test]
fn a_driver_that_is_set_is_led_there_on_its_branch() {
    let mut live = Live::of_text(FOUR_BAR, &["B.angle", "B.angle.rate", "B.angle.accel"]).unwrap();
    let model = biela::model(FOUR_BAR).unwrap();
    let whole = biela::run(&model).unwrap();
    let column = |name: &str, k: usize| whole.get(name).unwrap().data[k];
    // Two turns on, at once: sample 36 is at 1.8 s.
    live.set("motor", 1.0 + 7.0 * 1.8).unwrap();
    live.set("motor.rate", 7.0).unwrap();
    let values = live.values().unwrap();
    for (value, name) in values.iter().zip(["B.angle", "B.angle.rate", "B.angle.accel"]) {
        assert!((value - column(name, 36)).abs() < CLOSED * column(name, 36).abs().max(1.0), "{name}: {value}");
    }
}

#[test]
fn a_state_put_back_goes_on_with_the_same_bits() {
    for (text, signal) in [(FOUR_BAR, "B.angle"), (ENGINE, "O.angle"), (PENDULUM, "pin.angle")] {
        let mut live = Live::of_text(text, &[signal]).unwrap();
        live.advance(0.2).unwrap();
        let bytes = kept::bytes(&live.state());
        live.advance(0.25).unwrap();
        let first = live.values().unwrap()[0];
        live.put_back(kept::state(&bytes, &live).unwrap());
        live.advance(0.25).unwrap();
        assert_eq!(live.values().unwrap()[0].to_bits(), first.to_bits(), "{signal}");
        // Damaged bytes are none.
        for end in [0, 7, 8, 16, bytes.len() / 2, bytes.len() - 1, bytes.len() - 8] {
            assert!(kept::state(&bytes[..end], &live).is_none(), "{signal}: {end} of {}", bytes.len());
        }
    }
}

#[test]
fn states_lead_all_others_and_their_rates_are_those_of_the_motion() {
    let mut live = Live::of_text(ENGINE, &["guide.slide", "guide.slide.rate", "guide.slide.accel"]).unwrap();
    assert_eq!(live.freedoms().len(), 1);
    let before = (live.states().unwrap(), live.rates().unwrap(), live.values().unwrap().to_vec());
    // Away and back again.
    let away: Vec<f64> = before.0.iter().map(|x| x + 0.3).collect();
    live.ask(None, Some(&away)).unwrap();
    assert!((live.values().unwrap()[0] - before.2[0]).abs() > 1e-3);
    live.ask(None, Some(&before.0)).unwrap();
    let rates = live.rates().unwrap();
    for (a, b) in rates.iter().zip(&before.1) {
        assert!((a - b).abs() < 1e-8 * b.abs().max(1.0), "{a} {b}");
    }
}

#[test]
fn a_torque_on_a_pendulum_changes_its_acceleration_by_its_inertia() {
    let mut live = Live::of_text(PENDULUM, &["pin.angle.accel"]).unwrap();
    let hand = live.inputs().iter().position(|input| input.name == "hand.value").unwrap();
    let slope = live.slope(&[Effect::Output(0), Effect::Rate(1)], &[(Cause::Input(hand), 1.0)]).unwrap();
    for value in slope {
        assert!((value - 1.0 / 0.26).abs() < DIFFERENCES, "{value}");
    }
    let slope = live.slope(&[Effect::Rate(1)], &[(Cause::State(0), 1.0)]).unwrap();
    let angle = live.states().unwrap()[0];
    // d/dangle of -m g l cos(angle)/I.
    assert!((slope[0] - 9.81 * 0.5 * angle.sin() / 0.26).abs() < DIFFERENCES, "{slope:?}");
}

#[test]
fn an_event_that_stops_ends_the_motion_when_it_comes() {
    let text = PENDULUM.replace("run =", "events.down = { when = \"pin.angle + 1\" }\n run =");
    let mut live = Live::of_text(&text, &["pin.angle"]).unwrap();
    while !live.has_stopped() {
        let t = live.time();
        live.advance(t + 0.05).unwrap();
    }
    assert!((live.values().unwrap()[0] + 1.0).abs() < 1e-7);
    assert!(live.advance(1.0).is_err());
}

#[test]
fn what_cannot_be_set_is_told() {
    let mut live = Live::of_text(FOUR_BAR, &["B.angle"]).unwrap();
    let error = live.set("moter", 1.0).unwrap_err();
    assert!(error.to_string().contains("did you mean 'motor'?"), "{error}");
    assert!(live.set("motor", f64::NAN).is_err());
    assert!(live.advance(-1.0).is_err());
    assert!(live.values().unwrap()[0].is_finite());
    assert!(Live::of_text(&FOUR_BAR.replace("run = {", "run = { analysis = \"modes\","), &[]).is_err());
}

#[test]
fn parameters_are_bound_as_the_program_binds_them() {
    let text = FOUR_BAR.replace("name = ", "parameters.speed = 7\n name = ").replace("7*t", "speed*t");
    let mut live = Live::of_text(&text, &["A.angle"]).unwrap();
    live.bind(&[("speed".into(), 3.0)]).unwrap();
    live.advance(0.5).unwrap();
    assert!((live.values().unwrap()[0] - 2.5).abs() < ROUNDING);
    assert!(live.bind(&[("sped".into(), 3.0)]).is_err());
}

#[test]
fn hostile_names_stay_text_and_files_stay_inside() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile");
    std::fs::create_dir_all(folder.join("below")).unwrap();
    std::fs::write(folder.join("law.csv"), "t,x\n0,0\n1,1\n2,2\n3,3\n").unwrap();
    let text = r#"
        name = "<a href=\"x\">&'"
        bodies.lever = {}
        joints.pin   = { type = "revolute", bodies = ["ground", "lever"], at = [0, 0, 0], axis = "z" }
        drivers.hand = { joint = "pin", value = { table = "../law.csv" } }
    "#;
    std::fs::write(folder.join("below/model.toml"), text).unwrap();
    let options = Options::default();
    let document = Document::read(&folder.join("below/model.toml"), &options).unwrap();
    let packed = Packed::new(&document, &options, &["pin.angle"], Version::Three).unwrap();
    let description = packed.description();
    assert!(description.contains("modelName=\"&lt;a href=&quot;x&quot;&gt;&amp;&apos;\""), "{description}");
    let mut archive = Vec::new();
    packed.write(b"library", &mut archive).unwrap();
    let shown = String::from_utf8_lossy(&archive);
    assert!(shown.contains("resources/1-law.csv") && !shown.contains("../"), "a file that stays inside");
    let again = Packed::new(&document, &options, &["pin.angle"], Version::Three).unwrap();
    assert_eq!(again.description(), description, "the same bytes from the same model");
}
